"""Results of any sport: two columns of points, ``2-1``, ``11:7``, sets, H/D/A, the winner's name.

In a list of chess games, with White and Black, a result is 1, ½ or 0. In any other list it may be a
score, of which the higher side has won. Some cells mean one thing in the one and something else in
the other: ``0-0`` is a draw, or a game that the arbiter has declared lost for both; ``H`` is a win
at home, or a half-point bye. So the whole column decides, at the end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, lru_cache, partial
from typing import Any, Final, NamedTuple

from elo_xl.engine.errors import RatingError
from elo_xl.engine.results import SPELLINGS, normal, read_codes
from elo_xl.events.assembly import Assembly, Line
from elo_xl.events.event import Ground
from elo_xl.events.fields import month, number, read_date
from elo_xl.events.programs import beside, notes
from elo_xl.events.programs import result as program_result
from elo_xl.events.programs import results as program_results
from elo_xl.events.sheets import Cells, Sheet
from elo_xl.events.sided import PAIR
from elo_xl.events.table import (
    COUPLES,
    HOME,
    SIDE_WORDS,
    WON_LOST,
    Row,
    Table,
    game_column,
    plain,
    side_of,
)
from elo_xl.languages.typed_words import TYPED
from elo_xl.people import respelt, same_name

SIDES: Final = ("first", "second")
Codes = tuple[str, str]
WIN, DRAW, LOSS = ("1", "0"), ("=", "="), ("0", "1")
FORFEIT: Final = ("+", "-")

_TIMES: Final = re.compile(r"[0-9]{1,2}:[0-9]{2}(:[0-9]{2})?( ?[ap]m)?", re.IGNORECASE)
_SHORT_DATE: Final = re.compile(
    r"[0-9]{1,2}[. /-]{0,2}([^\W\d_]{3,})\.?(?:[. /-]{1,2}[0-9]{2,4})?|"
    r"([^\W\d_]{3,})\.?[. /-][0-9]{1,4}"
)
_PAIR: Final = r"([0-9]{1,4}(?:[.,]5|½)?)\s*[-–:xX]\s*([0-9]{1,4}(?:[.,]5(?!\s*[-–:xX0-9])|½)?)"
_ONE: Final = re.compile(_PAIR)
_GAMES: Final = re.compile(r"(?:1 ?[-:] ?0|0 ?[-:] ?1|1/2|[½=WLDwld]|[-–: ])+")
"""the results of several games, which are no sets"""
_BESIDE: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_COUNTED: Final = ("played", "forfeit")
_CLOCK: Final = re.compile(r"0[0-9]:[0-9]{2}|[0-9]{1,2}:[0-9]{2}:[0-9]{2}")
_LETTERS: Final = ({"h": WIN, "d": DRAW, "a": LOSS}, {"1": WIN, "x": DRAW, "2": LOSS})
"""How a column tells who has won: home, draw, away, or 1, X, 2."""
_TELLING: Final = ("a", "2")
"""the sign in each that no chess game has"""
_YES: Final = frozenset(
    normal(word) for one in TYPED.values() for word in (*one.yes.split(", "), "neutral", "t")
)
_NO: Final = frozenset(normal(word) for one in TYPED.values() for word in ("", *one.no.split(", ")))
_DRAWN: Final = frozenset(
    normal(word)
    for one in TYPED.values()
    for word in (*one.draw.split(", "), "tie", "tied", "égalité", "x")
)
_SIDE: Final = rf"(?:{'|'.join(SIDE_WORDS)})s?"
_OF_SEVERAL: Final = re.compile(
    rf"(?:{_SIDE}|(?=[abаб][12]$))([12abаб])(?:{_SIDE})?[12ab]"
    r"|(winner|loser|home|away|sieger|verlierer|heim|gast|ganador|perdedor|local|visitante"
    rf"|vainqueur|perdant|vencedor|победитель|{plain('проигравший')})(?:{_SIDE})?[12ab]"
)
"""a player of a side, by the side's sign or its name"""
_COUPLE: Final = re.compile(rf"(?:{'|'.join(COUPLES)})s?[12abаб]?")
_PARTNER: Final = (
    r"(?:partner(?:in|of)?|companeroa?|partenaire|parceir[oa]|партнер)(?:von|de|do|da)?"
    rf"(?:{_SIDE})?([12abаб]|winner|loser|sieger|verlierer)"
)
_AGAINST: Final = r"\s(?:vs?\.?|versus|gegen|contra|contre|против)\s"
_VERSUS: Final = re.compile(_AGAINST, re.IGNORECASE)
_IN_GAME: Final = re.compile(rf"{_AGAINST}|\s[-–—x×]\s", re.IGNORECASE)
"""what stands between two sides in a column that is called a game; elsewhere a dash may be part of
a name"""
_DASH: Final = re.compile(r"\s[-–—]\s")
_LINE: Final = re.compile(
    rf"^(.{{1,80}}?){_AGAINST}(.{{1,80}}?)[\s:,]+(\d+[-–:][-–:\d\s,()]+)$", re.IGNORECASE
)
_SIDES: Final = ["Side 1", "Side 2"]


def together(sheet: Sheet, top: Iterable[tuple[int, Sequence[str]]]) -> Sheet:
    """The sheet with the players of a side in one cell, ``Ana & Bo``, if they have columns."""
    for line, cells in top:
        teams: dict[str, list[int]] = {}
        # beside two players A1 is no player
        sides = [*map(game_column, cells)]
        alone = not {"first", "second"} <= {*sides}
        for place, cell in enumerate(cells):
            if (match := _OF_SEVERAL.fullmatch(plain(cell))) and (alone or len(match[0]) > 2):
                teams.setdefault(match[2] or f"team {match[1]}", []).append(place)
            elif match := re.fullmatch(_PARTNER, plain(cell)):
                left = match[1] in ("1", "a", "а") or side_of(match[1]) == "first"
                of = ("first", "winner", "white") if left else ("second", "loser", "black")
                leader = next((n for n, side in enumerate(sides) if side in of), -1)
                if leader >= 0:
                    teams.setdefault(cells[leader], [leader]).append(place)
            elif _COUPLE.fullmatch(plain(cell)):
                sheet = replace(sheet, rows=partial(_coupled, sheet, line, place))
        if len(teams) == 2 and min(map(len, teams.values())) > 1:
            return replace(sheet, rows=partial(_joined, sheet, line, teams))
    return sheet


def _coupled(sheet: Sheet, top: int, place: int) -> Iterator[Cells]:
    """The rows with ``Ana - Bo`` as ``Ana & Bo`` in a column that is called a pair."""
    for line, cells in sheet.rows():
        if line > top and place < len(cells) and not PAIR.search(cells[place]):
            cells = [*cells]
            cells[place] = _DASH.sub(" & ", cells[place])
        yield line, cells


def _joined(sheet: Sheet, top: int, teams: Mapping[str, list[int]]) -> Iterator[Cells]:
    for line, cells in sheet.rows():
        row = [*cells, *[""] * (max(map(max, teams.values())) + 1 - len(cells))]
        for team, places in teams.items() if line >= top else ():
            names = " & ".join(filter(None, (row[place] for place in places)))
            for place in places:
                row[place] = ""
            row[places[0]] = team if line == top else names
        yield line, row


def apart(sheet: Sheet, top: Sequence[Cells]) -> Sheet | None:
    """The sheet with a column for each side, if both stand in one cell, ``Ana & Bo vs Cy & Di``."""
    for n, head in enumerate(top):
        sides = [*map(game_column, head[1])]
        told = not {"result", "scores", "outcome", "winner", "first points"}.isdisjoint(sides)
        for at, side in enumerate(sides if told else ()):
            # beside a name a game may be Catan - Seafarers
            of = (_IN_GAME if side == "table" and "name" not in sides else _VERSUS).split
            texts = [text for _, row in top[n + 1 :] for text in row[at : at + 1] if text]
            if texts and all(len(of(text)) == 2 for text in texts):
                return replace(sheet, rows=partial(_parted, sheet, head, at, of))
    if not top or not all(_LINE.match(" ".join(cells)) for _, cells in top):
        return None

    def rows() -> Iterator[Cells]:
        yield 0, [*_SIDES, "Result"]
        for line, cells in sheet.rows():
            yield line, _LINE.split(" ".join(cells))[1:4] or cells

    return replace(sheet, rows=rows)


def _parted(sheet: Sheet, head: Cells, at: int, of: Callable[[str], list[str]]) -> Iterator[Cells]:
    for line, cells in sheet.rows():
        row = [*cells, *[""] * (len(head[1]) - len(cells))]
        if line >= head[0]:  # the second side comes last, so that the others keep their places
            parts = _SIDES if line == head[0] else [*map(str.strip, of(row[at]))]
            row[at], second = parts if len(parts) == 2 else (row[at], "")
            row.insert(len(head[1]), second)
        yield line, row


def score_words() -> dict[str, Any]:
    """What a page needs to read results as this module does: patterns, which JavaScript has, too,
    of headings of several players, of scores and of what stands between two sides; and words.

    >>> re.fullmatch(score_words()["several"], "loser2")[2]
    'loser'
    """
    patterns = {"several": _OF_SEVERAL, "beside": _BESIDE, "clock": _CLOCK, "versus": _VERSUS}
    patterns |= {"in_game": _IN_GAME, "line": _LINE}
    texts = {name: pattern.pattern for name, pattern in patterns.items()}
    words = {"drawn": sorted(_DRAWN), "won_lost": [*WON_LOST], "yes": sorted(_YES)}
    words |= {"unplayed": sorted(_unplayed())}
    return {**texts, "partner": _PARTNER, "pair": _PAIR, **words, "notes": notes()}


@cache
def _unplayed() -> frozenset[str]:
    """What says that a game has no result, in its normal form."""
    known = {**SPELLINGS, **program_results()}
    return frozenset(text for text, codes in known.items() if text and codes == ("", ""))


_OPEN: Final = re.compile(r"(?:[-–—: ]|vs?\.?)+", re.IGNORECASE)
"""What stands for the goals of a game to come; in chess it is a game that nobody came to."""


class Score(NamedTuple):
    """What the two sides have."""

    first: float
    second: float

    @property
    def codes(self) -> Codes:
        return DRAW if self.first == self.second else WIN if self.first > self.second else LOSS


@lru_cache(maxsize=4096)
def score_of(text: str) -> Score | None:
    """The score in a text: of sets it is how many each side has won.

    >>> score_of("2 - 1"), score_of("11:7"), score_of("6-4 3-6 7-6(5)"), score_of("2-2 a.e.t.")
    (Score(first=2.0, second=1.0), Score(first=11.0, second=7.0), Score(first=2.0, second=1.0), Score(first=2.0, second=2.0))
    >>> score_of("01:00") or score_of("1/2") or score_of("won")
    """  # noqa: E501
    if _CLOCK.fullmatch(text):
        return None
    text = _BESIDE.sub(" ", text).strip()
    sets = [Score(*map(_half, pair)) for pair in _ONE.findall(text)]
    if not sets or ((rest := _ONE.sub("", text).strip(" ,;/|")) and beside(rest) not in _COUNTED):
        return None
    if len(sets) == 1:
        return sets[0]
    won = [one.codes for one in sets]
    return Score(float(won.count(WIN)), float(won.count(LOSS)))


def _half(text: str) -> float:
    return number(text.replace("½", ".5")) or 0.0


@lru_cache(maxsize=4096)
def codes_of(text: str) -> tuple[str, str]:
    """The round codes of a result; raises RatingError, which names dates made from results."""
    try:
        return read_codes(text)
    except RatingError:
        if (codes := program_result(text)) is not None:
            return codes
        short = _SHORT_DATE.fullmatch(text)
        if _TIMES.fullmatch(text) or (short and month(short[1] or short[2])) or read_date(text):
            raise RatingError(made_a_date(text)) from None
        raise


def made_a_date(text: str) -> str:
    """What is said of a date in place of a result."""
    return (
        f"a spreadsheet made the date {text!r} of the result, such as 1-0 or 1/2: type 1, ½ or "
        "0, or format the column as text first"
    )


def ended(codes: Codes, kind: str, status: str) -> Codes:
    """The codes of a game that was awarded, as another column may say."""
    forfeit = "forfeit" in (kind, beside(status)) and codes in (WIN, LOSS)
    return codes if not forfeit else FORFEIT if codes == WIN else (FORFEIT[1], FORFEIT[0])


class Sport:
    """How the results of a table are read that is no list of chess games."""

    def __init__(self, table: Table) -> None:
        columns = table.columns
        self.table = table
        self.home = plain(table.heading("first")) in HOME
        self.won = "won" in table.marks
        self.pair = "first points" in columns and "second points" in columns
        self.column = next((c for c in ("scores", "result", "outcome") if c in columns), "")
        """the column of the results, unless each set has its own"""
        self.sets = [column for column in columns if column.startswith("set ")]
        self.named, self.grounds = "winner" in columns, "neutral" in columns
        self.scores = (
            "scores" in columns or bool(self.sets) or (self.pair and "twice" not in table.marks)
        )
        """whether results are scores; otherwise the first one that is no chess result tells"""
        self._score: Score | None = None
        self._letter = self.off = ""
        self._scored: list[tuple[int, Score]] = []
        self._doubts: list[tuple[int, Row]] = []
        self._letters: set[str] = set()

    @property
    def plain(self) -> bool:
        """Whether nothing was read that a list of chess games has not."""
        return not (
            self.home or self.won or self.named or self.scores or self.column == "outcome"
            or self._doubts or self.grounds
        )  # fmt: skip

    def codes(self, row: Row) -> Codes | None:
        """The round codes of a line; None, and a problem, if they are not understood."""
        self._score, self._letter, self.off = None, "", ""
        text = row[self.column] if self.column else " ".join(row[one] for one in self.sets).strip()
        if self.sets and _GAMES.fullmatch(text):
            what = f"{text!r} are results of several games: type a line for each of them"
            self.table.problem(what, row, self.sets[0])
            return None
        kind = beside(_ONE.sub("", text)) if _ONE.search(text) else ""
        if kind == "broken" and not self.won:
            codes = self._said(row)
            if codes not in (WIN, LOSS):
                what = (
                    f"{text!r} was broken off: name the winner in a column winner, or type 1 or 0"
                )
                self.table.problem(what, row, self.column)
                return None
            return codes
        codes = self._agreed(row, self._codes(row, text))
        status = row["status"]
        done = codes and ended(codes, kind, status)
        # what was put off may have been played since, and a winner who is named has won
        off = self._score == Score(0.0, 0.0) or (
            beside(status) == "broken" and not (self.won or self.named)
        )
        if codes and codes[0] and off and normal(status) in _unplayed():
            done, self.off = ("", ""), status
        self._score = self._score if done == codes else None
        return done

    def _codes(self, row: Row, text: str) -> Codes | None:
        both = f"{row['first points']}{row['second points']}" if self.pair else ""
        if both and not (self.scores and _OPEN.fullmatch(both)):
            return self._of_points(row)
        if self.won and not (self.pair and not text):
            return self._of_winner_first(row, text)
        if self.named and not text:
            return self._of_winner(row)
        return self._of_text(row, text)

    def _of_points(self, row: Row) -> Codes | None:
        texts = row["first points"], row["second points"]
        both = [number(text.replace("½", ".5")) for text in texts]
        if None not in both:
            self._score = Score(both[0] or 0.0, both[1] or 0.0)
            if self.scores:
                return self._score.codes
        elif self.scores and "" in texts:
            self.table.problem("one of the two scores is missing", row, "first points")
            return None
        try:
            return codes_of("-".join(filter(None, texts)))
        except RatingError as wrong:
            if self._score is not None:
                self.scores = True
                return self._score.codes
            self.table.problem(str(wrong), row, "first points")
            return None

    def _agreed(self, row: Row, codes: Codes | None) -> Codes | None:
        """The codes of a score, unless a letter or the winner beside it says something else."""
        points = f"{row['first points']}-{row['second points']}" if self.pair else row[self.column]
        other = "outcome" if "outcome" in self.table.columns else "result"
        letter = row[other].casefold() if self.pair else ""
        said = next((by[letter] for by in _LETTERS if letter in by), None)
        if letter and said is None and (score := score_of(letter)):
            said = score.codes
        elif letter and said is None:
            with suppress(RatingError):
                said = codes_of(letter)
        said = said if said in (WIN, DRAW, LOSS) else None
        if codes in (WIN, DRAW, LOSS) and said not in (None, codes):
            what = f"the result is {row[other]}, but the points are {points}"
            self.table.problem(what, row, other)
            return None
        # a draw may have had a shoot-out, which the winner has won
        if codes in (WIN, LOSS) and self.named and self._said(row) not in (None, codes):
            points = points if points.strip("-") else "-".join(codes)
            what = f"the winner is {row['winner']!r}, but the score of the first side is {points}"
            self.table.problem(f"{what}: correct one of them", row, "winner")
            return None
        return codes

    def _of_winner_first(self, row: Row, text: str) -> Codes:
        if beside(text) == "forfeit":
            return FORFEIT
        self.scores, score = True, score_of(text)
        if normal(row["drawn"]) in _YES and (score is None or score.codes == DRAW):
            return DRAW
        if score is not None and score.codes == LOSS:
            score = Score(score.second, score.first)
        drawn = score is not None and score.codes == DRAW
        # sets of which none decides were broken off, and their winner is known
        tied = drawn and _ONE.fullmatch(text) is not None
        self._score = score if tied or not drawn else None
        return DRAW if tied else WIN

    def _of_winner(self, row: Row) -> Codes | None:
        text = row["winner"]
        if not text:
            return "", ""
        if (codes := self._said(row)) is None:
            what = f"the winner {text!r} is neither {row['first']!r} nor {row['second']!r}"
            self.table.problem(f"{what}: a name, draw, or nothing is read", row, "winner")
        return codes

    def _said(self, row: Row) -> Codes | None:
        """Whom the winner's column names, if it is one of the two, or a draw."""
        text = row["winner"]
        if normal(text) in _DRAWN:
            return DRAW
        words = [set(respelt(row[side])) | {plain(self.table.heading(side))}
                 for side in SIDES]  # fmt: skip
        said = {*respelt(text), plain(text)}
        found = [not said.isdisjoint(names) for names in words]
        if not any(found):  # a player of the side, or both in another order
            people = {*map(same_name, PAIR.split(text))}
            found = [people <= {*map(same_name, PAIR.split(row[side]))} for side in SIDES]
        # A or B where the headings are Team A and Team B
        ends = [plain(self.table.heading(side))[-1:] for side in SIDES]
        if not any(found) and plain(text).isalpha() and ends in (["a", "b"], ["а", "б"]):
            found = [plain(text) == end for end in ends]
        if not any(found):
            return {"first": WIN, "second": LOSS}.get(side_of(text))
        return WIN if found == [True, False] else LOSS if found == [False, True] else None

    def _of_text(self, row: Row, text: str) -> Codes | None:
        if self.home and _OPEN.fullmatch(text):
            text = ""
        letter = text.casefold()
        if self.column == "outcome" or letter in ("h", "a", "x", "2"):
            self._letters.add(letter)
            if said := next((by[letter] for by in _LETTERS if letter in by), None):
                self._letter = letter
                return said
        elif self.column == "result":
            self._letters.add(letter)
        score = score_of(text)
        try:
            codes = codes_of(text)
        except RatingError as wrong:
            if score is None or (self.table.coloured and not self.scores):
                what = f"{wrong}{names_winner(self.table, row, self.column)}"
                self.table.problem(what, row, self.column)
                return None
            self.scores = True
            codes = score.codes
        # where sides are at home, nobody loses both
        self.scores = self.scores or (self.home and score == Score(0.0, 0.0))
        self._score = score
        return score.codes if self.scores and score is not None else codes

    def ground(self, row: Row) -> Ground:
        """Where the game of a line was played."""
        if self.grounds and (text := row["neutral"]):
            if normal(text) in _YES:
                return "neutral"
            if normal(text) not in _NO:
                self.table.problem(f"neutral ground must be yes or no: {text!r}", row, "neutral")
        return "home" if self.home else ""

    def note(self, line: Line, at: int, row: Row) -> None:
        """Keep what the end of the column decides of a line that was just read."""
        if self._letter and self.column != "outcome":
            self._doubts.append((at, row))
        if self._score is not None and line.second is not None:
            self._scored.append((at, self._score))

    def finish(self, event: Assembly) -> None:
        """Decide what the whole column decides."""
        for at, score in self._scored if self.scores else ():
            code, reply = score.codes
            line = event.lines[at]
            if line.code not in FORFEIT:
                line = line._replace(code=code, reply=reply, points=score)
            event.lines[at] = line
        known = {letter for letter in self._letters if letter}
        sure = any(known <= set(by) and telling in known
                   for by, telling in zip(_LETTERS, _TELLING, strict=True))  # fmt: skip
        for _, row in () if sure else self._doubts:
            self.table.problem(in_doubt(self.table, row), row, "result")

    def said(self) -> str:
        """How the table was read, in a few words."""
        table = self.table
        parts = ["winner first" if self.won else "home side first" if self.home else
                 f"{table.heading('first')} against {table.heading('second')}"]  # fmt: skip
        if self.pair:
            both = (table.heading(f"{side} points") for side in ("first", "second"))
            parts.append(f"scores in {', '.join(both)}")
        elif self.scores and self.column:
            parts.append(f"scores in {table.heading(self.column)}")
        elif self.sets:
            parts.append(f"sets in {', '.join(map(table.heading, self.sets))}")
        elif self.column:
            kind = "home, draw, away" if self._letters & {"h", "d", "a"} else "results"
            parts.append(f"{kind} in {table.heading(self.column)}")
        for what, column in (("winners", "winner"), ("neutral ground", "neutral")):
            if column in table.columns and not (column == "winner" and (self.won or self.pair)):
                parts.append(f"{what} in {table.heading(column)}")
        return "; ".join(parts)


def names_winner(table: Table, row: Row, column: str) -> str:
    """What is added where a result is the name of a player or of a side; otherwise nothing."""
    if side_of(row[column]) or plain(row[column]) in (plain(row["first"]), plain(row["second"])):
        return f"; if the column names the winner: {table.choice('winner', column)}"
    return ""


def in_doubt(table: Table, row: Row) -> str:
    """What is asked about a letter in a column that has other results, too."""
    text, other = row["result"], table.choice("outcome", "result")
    if text.casefold() == "h":
        return (
            f"{text!r} beside an opponent may be a home win or a half-point bye: name the column "
            f"{other} if its letters are home, draw, away; for a bye leave the opponent out"
        )
    return f"{text!r} is no result, unless the column has home, draw, away only: then {other}"
