"""Lists of games, one per line; rounds stand in a column, above the lines, or nowhere."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from functools import lru_cache
from typing import Final

from elo_xl.engine.errors import RatingError
from elo_xl.engine.results import SPELLINGS, normal
from elo_xl.english import plural
from elo_xl.events.assembly import MOST_ROUNDS, Assembly, Line, with_handicap
from elo_xl.events.event import Problem
from elo_xl.events.fields import PEAK, RATING, TIMES, K, sex, whole
from elo_xl.events.fields import number as read_number
from elo_xl.events.names import People, akin, look_alikes
from elo_xl.events.players import PlayerEntry, Renamed, check_letters
from elo_xl.events.programs import names_in, parts_of, rating
from elo_xl.events.scores import (
    SIDES,
    Sport,
    codes_of,
    ended,
    in_doubt,
    names_winner,
    score_of,
)
from elo_xl.events.sheets import Sheet
from elo_xl.events.table import (
    GAME_ALIASES,
    GROUPED,
    PLAYER_ALIASES,
    SCORES,
    SIDE_WORDS,
    WON_LOST,
    Columns,
    Head,
    Row,
    Table,
    Thousands,
    best_head,
    game_column,
    plain,
    round_heading,
    white_letter,
)
from elo_xl.languages.typed_words import TYPED
from elo_xl.lists.names import title
from elo_xl.people import respelt, same_cell

OF_SIDES: Final = ("rating", "id", "number", "title", "federation", "k", "peak", "sex")
"""what may stand beside each of the two players"""

_OF_WHOM: Final = ("rating", "id", "birth", "k", "peak")
"""of these a column has to say of which player it is"""
OF_SPORT: Final = ("scores", "outcome", "winner", "neutral", "season", "handicap", "status",
                   "drawn")  # fmt: skip
"""the columns that lists of other games than chess have"""
ONCE: Final = "each line counts once, not as often as"
OFTEN: Final = "each line counts as often as"
"""what a fit makes of that, as it counts games that were played several times"""
WEEKDAY: Final = frozenset(("day", "tag", "dia", "jour", "день"))
"""beside a date, what is the day of the week"""
_OF_TWO: Final = frozenset("10=+-")
_RATINGS: Final = ("rating", "peak")
PLAYED: Final = frozenset("10=")
"""The codes of results over the board."""
_BYE_CODES: Final = {"1": "U", "=": "H", "0": "Z"}
_ALONE: Final = {
    word: code
    for word, (code, _) in SPELLINGS.items()
    if code in ("U", "H", "F", "Z") and len(word) > 1
} | {normal(word): "" for one in TYPED.values() for word in one.nobody.split(", ")}
"""what stands in place of an opponent, and which code it is without a result"""
_NOTHING: Final = frozenset(("", "-", "--", "---", "0", "0000", "*"))
_BRACKETS: Final = str.maketrans("", "", "()[]{}<>")
_WORD: Final = re.compile(r"[^\W\d_]+")
_KINDS_OF_BYES: Final = "half full zero point points requested"
_TOTALS: Final = frozenset(_WORD.findall(" ".join(one.total for one in TYPED.values()).casefold()))
_OF_NOBODY: Final = _TOTALS | frozenset(
    word
    for one in TYPED.values()
    for phrase in (one.bye, one.absent, one.nobody, one.unknown, _KINDS_OF_BYES)
    for word in _WORD.findall(phrase.casefold())
    if len(word) > 1
)
_NAMELESS: Final = re.compile(r"[?. ]+|n[./ ]*n[./ ]*")
"""``?`` and ``N.N.`` in place of a player"""
_FIRST_DAY: Final = 366
"""31 December 1900, as the number of a day: no result is as large"""
_LAST_DAY: Final = 2_958_465  # 31 December 9999
_SET: Final = re.compile("(?:set|satz|manche|сет|game|map|frame)s?([1-9])")
"""the column of one set"""
_THIRD: Final = re.compile(rf"(?:{'|'.join(SIDE_WORDS)})[3cс]")
_OF_GO: Final = re.compile(r"([BW])\s*\+\s*(?:[0-9.,]+|R(?:es(?:ign)?)?|T(?:ime)?)?", re.IGNORECASE)
"""as records of go have it: the colour of the winner, and by how much"""
_LETTERS: Final = re.compile(r"[^\W\d_]{2,}")
_HEADLESS: Final = 40
_TITLE: Final = 3


def game_head(rows: Sequence[tuple[int, list[str]]], renamed: Renamed) -> Head | None:
    """The headings of a list of games; None where there are none."""
    return best_head(rows, game_column, lambda head: len(sides_of(head)) == 2, renamed)


def sides_of(head: Head) -> Columns:
    """The columns of the two players, as far as there are any."""
    places = head.places
    columns: Columns = {}
    won = {"winner", "loser"} <= places.keys()
    for side, colour, role in zip(SIDES, ("white", "black"), ("winner", "loser"), strict=True):
        roles = [role] if won else []
        for column in (colour, side, f"{side} last", *roles, f"{side} id", f"{side} number"):
            if column in places and side not in columns:
                columns[side] = places[column][0]
    for column in ("first", "name"):
        if len(columns) < 2 and len(twice := places.get(column, ())) == 2:
            columns = dict(zip(SIDES, twice, strict=True))
    return columns


def game_columns(head: Head) -> Columns:
    """The places of all columns; what stands twice, unnamed, is that of the one and the other."""
    places, columns = head.places, sides_of(head)
    for column in ("round", "date", "result", *OF_SPORT):
        if column in places and places[column][0] not in columns.values():
            columns[column] = places[column][0]
    # of several seasons rounds say nothing
    if "season" in columns:
        columns.pop("round", None)
    # Black may stand on the left: then the first of two equal headings is Black's
    turned = columns.get("second", 1) < columns.get("first", 0)
    order = tuple(reversed(SIDES)) if turned else SIDES
    for column in (*OF_SIDES, "points", "given"):
        for side in SIDES:
            if headings := places.get(f"{side} {column}"):
                columns.setdefault(f"{side} {column}", headings[0])
        if len(twice := places.get(column, ())) == 2:
            columns |= {
                f"{side} {column}": place
                for side, place in zip(order, twice, strict=True)
                if f"{side} {column}" not in columns
            }
    # Elo beside Opp Elo is the first player's
    match places.get("rating", ()), [side for side in SIDES if f"{side} rating" in columns]:
        case [place], [side]:
            columns[f"{SIDES[side == 'first']} rating"] = place
    white = white_letter({column[0] for column in places if column[1:2] == "?"})
    for column, headings in places.items():
        if white and column[1:2] == "?":
            side = SIDES[column[0] != white]
            columns.setdefault(f"{side} {column[3:]}", headings[0])
    if len(twice := places.get("result", ())) == 2:
        columns |= {f"{side} points": place for side, place in zip(order, twice, strict=True)}
        del columns["result"]
    if "second points" not in columns:
        columns |= _home_and_away(head)
    told = {"result", "first points", "outcome", "scores"} & columns.keys()
    if not told and not {"winner", "loser"} & places.keys():
        columns |= _scores_of(head, order)
    if not told and not {"white", "black"} <= places.keys():
        sets = ((_SET.fullmatch(plain(cell)), place) for place, cell in enumerate(head.cells))
        columns |= {f"set {match[1]}": place for match, place in sets if match}
    other = columns.get("second points")
    if other is not None and "first points" not in columns and "result" in columns:
        # Score beside Opp Score; Sets lost, or a result, is nobody's score
        one = plain(head.cells[columns["result"]])
        if PLAYER_ALIASES.get(one) == "points" and plain(head.cells[other]) not in GAME_ALIASES:
            columns["first points"] = columns.pop("result")
    # what only the first one has is the result, and asked about as such
    if told == {"first points"} and not {"second points", "winner"} & columns.keys():
        columns["result"] = columns.pop("first points")
    return columns


def _home_and_away(head: Head) -> Columns:
    """Goals H and Goals A, which are home and away, where Goals A and Goals B are A and B."""
    places = {plain(cell): place for place, cell in enumerate(head.cells)}
    for away in head.places.get("first points", ()):
        word = plain(head.cells[away])
        if word.endswith("a") and (home := places.get(f"{word[:-1]}h")) is not None:
            head.unknown = [place for place in head.unknown if place != home]
            return {"first points": home, "second points": away}
    return {}


def _scores_of(head: Head, order: Sequence[str]) -> Columns:
    """The scores below a word such as Sets or Goals, in one column or one for each side."""
    scored = [place for place, cell in enumerate(head.cells) if plain(cell) in SCORES]
    if len(scored) == 1:
        return {"scores": scored[0]}
    if len(scored) == 2 and len({plain(head.cells[place]) for place in scored}) == 1:
        return {f"{side} points": place for side, place in zip(order, scored, strict=True)}
    return {}


def game_table(sheet: Sheet, head: Head) -> Table:
    """The games of a sheet, with the columns that its headings name."""
    if len(days := head.places.get("date", ())) > 1:
        head.places["date"] = [n for n in days if plain(head.cells[n]) not in WEEKDAY] or [*days]
    known = head.places
    scored = [n for n in known.get("result", ()) if plain(head.cells[n]) not in WON_LOST]
    pair = len(known.get("points", ())) == 2 or {"first points", "second points"} <= known.keys()
    if scored:
        known["result"] = scored
    elif pair:
        known.pop("result", None)
    table = Table(sheet, head.line, game_columns(head), head.cells)
    table.dates = head.dates
    used = {*table.columns.values()}
    for column, places in head.places.items():
        single = column in ("white", "black", "round", "date") and len(places) > 1
        more = {*places} - used if column in SIDES else ()
        sides = len(places) > 1 and any(
            cell not in ("", row["first"], row["second"]) and read_number(cell) is None
            for row in (table.rows() if more else ())
            for at in more
            for cell in row.cells[at : at + 1]
        )
        if single or sides or (column == "result" and len(places) > 2):
            a, b = places[:2]
            what = f"there are two {column} columns: {head.cells[a]!r} and {head.cells[b]!r}"
            what += "; call the players of two sides A1, A2, B1 and B2" * sides
            table.problems.append(sheet.problem(what, head.line, b + 1))
        elif column in _OF_WHOM and {*places} - used and len(places) != 2:
            what = (
                f"column {head.cells[places[0]]!r} is ignored: it does not say whether it is "
                "the first or the second player's"
            )
            table.warnings.append(sheet.problem(what, head.line, places[0] + 1))
    kinds = [game_column(table.heading(side)) for side in SIDES]
    table.coloured = kinds == ["white", "black"]
    won, twice = kinds == ["winner", "loser"], len(head.places.get("result", ())) == 2
    table.marks = frozenset(["won"] * won + ["twice"] * twice)
    head.unknown += head.places.get("times", ())
    for place in _how_often(head, won):
        cells = [cell for row in table.rows() for cell in row.cells[place : place + 1] if cell]
        lines = [*map(str, range(1, len(cells) + 1))]
        numbered = plain(head.cells[place]) == "n" and cells == lines
        if cells and whole(cells[0]) is not None and not numbered:
            table.columns["times"] = place
            break
    for place in head.unknown:
        if _THIRD.fullmatch(plain(head.cells[place])) and set(SIDES) <= table.columns.keys():
            what = (
                f"{head.cells[place]!r} is a third player or side: for tables in their order of "
                "finish call the columns 1st, 2nd, 3rd, or give each player a line"
            )
            table.problems.append(sheet.problem(what, head.line, place + 1))
    table.unknown(head, table.columns.values())
    return table


def _how_often(head: Head, won: bool) -> list[int]:
    """The columns that may say how often a game was played: beside winners and losers also one
    that is called games, or n, as programs call it."""
    places = head.places
    alone = [*places.get("games", ())] if won else []
    alone += [n for n in places.get("number", ()) if won and plain(head.cells[n]) == "n"]
    return [*places.get("times", ()), *(alone if len(alone) == 1 else ())]


def split_cells(table: Table) -> None:
    """Read ``12 FM Alpha`` as a number, a title and a name, if all cells of players are so."""
    if not set(SIDES) <= table.columns.keys():
        return
    row = next(table.rows(), None)
    if row is None or not any(map(names_in, (row["first"], row["second"]))):
        return
    cells = {row[side] for row in table.rows() for side in SIDES if bye_of(row[side]) is None}
    if parts := parts_of(cells):
        table.warn(
            f"cells such as {row['first']!r} are read as the number and more of a name",
            row,
            "first",
        )
        table.split(parts, SIDES)


def headless_table(sheet: Sheet, rows: Sequence[tuple[int, list[str]]]) -> Table | None:
    """The games of a sheet whose pairings stand below lines with the rounds, without headings."""
    lines = [cells for _, cells in rows if round_heading(cells) is None]
    if len(lines) == len(rows):
        return None
    width = max(map(len, lines), default=0)
    cells = [
        [line[n] for line in lines[:_HEADLESS] if n < len(line) and line[n]] for n in range(width)
    ]
    results = [n for n, column in enumerate(cells) if column and all(map(is_result, column))]
    # boards and points read like results, too, but none of theirs has more than one sign
    marked = [n for n in results if any(len(cell) > 1 for cell in cells[n])] or results
    names = [n for n, column in enumerate(cells) if n not in results and _has_names(column)]
    ratings = [n for n, column in enumerate(cells) if column and all(map(_is_rating, column))]
    if len(names) != 2 or not marked:
        return None
    columns = {"first": names[0], "second": names[1], "result": marked[-1]}
    if len(ratings) == 2:
        columns |= {"first rating": ratings[0], "second rating": ratings[1]}
    return Table(sheet, None, columns)


def _has_names(column: Sequence[str]) -> bool:
    """Whether cells are mostly words, of which one is longer than a title."""
    words = sum(bool(_LETTERS.search(cell)) for cell in column)
    return words > len(column) / 2 and max(map(len, column)) > _TITLE


def is_result(text: str) -> bool:
    """Whether a text is a result as people type it."""
    try:
        return bool(text) and codes_of(text) != ("", "")
    except RatingError:
        return False


@lru_cache(maxsize=4096)
def _is_rating(text: str, least: int = 100) -> bool:
    # below 100 a number is more often that of a board or a round
    value = read_number(rating(text))
    return value is not None and value.is_integer() and least <= value <= RATING.most


@lru_cache(maxsize=4096)
def bye_of(text: str) -> str | None:
    """Which bye stands in place of an opponent: its code, nothing where only the result can tell,
    or None for a person.

    >>> bye_of("( half point bye )"), bye_of("Bye (2)"), bye_of("[not paired]"), bye_of("Byeson")
    ('H', 'U', 'Z', None)
    """
    word = normal(text.translate(_BRACKETS))
    for form in (word, word.rstrip("0123456789#.")):
        if form in _ALONE:
            return _ALONE[form]
    return "" if word in _NOTHING else None


def may_be_nobody(name: str) -> bool:
    """Whether a name has only words of which byes consist, though in no known order, or totals, or
    says that a player is unknown.

    >>> may_be_nobody("Bye - not paired"), may_be_nobody("Bye, Ann"), may_be_nobody("TOTAL 2")
    (True, False, True)
    """
    return _NAMELESS.fullmatch(name.casefold()) is not None or _only(name, _OF_NOBODY)


def is_total(text: str) -> bool:
    """Whether a cell says that its row is no game but sums of others.

    >>> is_total("TOTAL 2"), is_total("bye")
    (True, False)
    """
    return _only(text, _TOTALS)


def _only(text: str, known: frozenset[str]) -> bool:
    words = _WORD.findall(text.casefold())
    return bool(words) and known.issuperset(words)


def nobody_words() -> dict[str, list[str] | str]:
    """The words and the pattern by which a page answers as :func:`may_be_nobody` and
    :func:`is_total`.

    >>> re.fullmatch(nobody_words()["nameless"], "n.n.")[0], "average" in nobody_words()["totals"]
    ('n.n.', True)
    """
    words = {"nobody": sorted(_OF_NOBODY), "totals": sorted(_TOTALS)}
    return {**words, "nameless": _NAMELESS.pattern}


def is_day(value: object) -> bool:
    """Whether a number in the cell of a result can only be a day, which a program has made of it.

    >>> is_day(46023), is_day(1), is_day("46023")
    (True, False, False)
    """
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and _FIRST_DAY <= value <= _LAST_DAY  # type: ignore[operator]


class Listed:
    """The players of an event as a list has them.

    In a book whose games name players, ``in_cells``, only who is found by the book is found here.
    """

    def __init__(
        self, entries: Sequence[PlayerEntry], table: Table, in_cells: bool = False
    ) -> None:
        self.entries = entries
        self.table = table
        self.name = table.sheet.title or table.name
        numbered = [entry for entry in entries if entry.number is not None]
        self._people = People((entry.number or 0, entry.name, entry.id) for entry in numbered)
        self._cells = (
            {same_cell(entry.name): entry.number for entry in numbered} if in_cells else None
        )
        self._seen: dict[tuple[str, str, str], int] = {}

    def find(self, table: Table, row: Row, side: str) -> int | None:
        """The player of a line; otherwise None, and a problem."""
        text, id, place = row[side], row[f"{side} id"], row[f"{side} number"]
        if (number := self._seen.get((text, id, place))) is not None:
            return number
        players, respelled = self._people.find(text)
        if not players and self._cells is None:
            players = set[int]().union(*(self._people.find(name)[0] for name in names_in(text)))
        if self._cells is not None and text and players != {self._cells.get(same_cell(text))}:
            hint = f": did you mean {self.called(*players)!r}?" if len(players) == 1 else ""
            table.problem(f"player is not in {self.name}: {text!r}{hint}", row, side)
            return None
        numbers = self._people.find_id(id)
        by_id = numbers[-1] if numbers else None
        if by_id is not None and by_id not in players and text:
            name = self.called(by_id)
            if not akin(text, name):
                what = f"{text!r} has the id {id} here, and {name!r} has it in {self.name}"
                table.problem(f"{what}: correct the id or the name", row, side)
                return None
            table.warn(f"{text!r} is read as {name!r}: both have the id {id}", row, side)
        if by_id is not None:
            players, respelled = {by_id}, False
        for other in (id, place):
            if len(players) != 1 and other and len(self._people.find(other)[0]) == 1:
                players, respelled = self._people.find(other)[0], False
        if len(players) == 1:
            number = next(iter(players))
            self._seen[text, id, place] = number
            if respelled:
                table.warn(f"{text!r} is read as {self.called(number)!r}", row, side)
            return number
        if players:
            may = " or ".join(self.table.sheet.there(entry.line) for entry in self.entries
                              if entry.number in players)  # fmt: skip
            what = f"{text!r} may be the player {may} of {self.name}: give the ID or the number"
            table.problem(what, row, side)
        elif not text:
            table.problem(f"the {side} player is missing", row, side)
        # a problem of the list is not reported a second time
        elif self.table.whole and {"name", "last"} & self.table.columns.keys():
            hint = self._people.suggested(text)
            table.problem(f"player is not in {self.name}: {text!r}{hint}", row, side)
        return None

    def called(self, number: int) -> str:
        """A player's name."""
        return self._people.name(number)

    def is_nobody(self, text: str) -> bool:
        return bye_of(text) is not None and (not text or text not in self._people)


class Gathered:
    """The players of an event as they appear in its games, with what stands beside them.

    The rating of a player is that of their first game, and the same in all games unless it may be
    ``changing``. Names in ``apart`` are those of different players, however alike they are.
    """

    def __init__(
        self, table: Table, changing: bool = False, apart: Container[str] = frozenset()
    ) -> None:
        self.table = table
        self._apart = apart
        self.met: set[str] = set()
        """the names of two who were taken for one, and met"""
        self.beside: dict[int, Row] | None = {} if changing else None
        """the rows of the lines, if each has ratings of its own"""
        self._numbers: dict[tuple[str, str], int] = {}
        self._people = People(alike=respelt, apart=apart)
        self._first: list[Row] = []
        self._bare: dict[int, tuple[Table, Row, str]] = {}
        """where players are first named without an id"""
        self._said: dict[tuple[int, str], tuple[str, Row, str]] = {}
        self._attributes = {
            side: [(a, f"{side} {a}") for a in OF_SIDES if f"{side} {a}" in table.columns]
            for side in SIDES
        }

    def find(self, table: Table, row: Row, side: str) -> int | None:
        name, id = row[side], row[f"{side} id"]
        if given := row[f"{side} given"]:
            name = f"{name}, {given}"
        number = self._numbers.get((name, id))
        if number is None:
            if not name and not id:
                table.problem(f"the {side} player is missing", row, side)
                return None
            number = self._numbers[name, id] = self._number(table, row, side, name or id, id)
        for attribute, column in self._attributes[side]:
            if text := row[column]:
                before = self._said.setdefault((number, attribute), (text, row, column))
                if before[0] == text:
                    continue
                if attribute in _RATINGS:
                    self._reported(table, row, column)
                known = attribute in ("id", "number") or (
                    attribute == "rating"
                    and self.beside is None
                    and _is_rating(text, 1)
                    and _is_rating(before[0], 1)
                )  # what is no rating is reported as such
                if known:
                    what = (
                        f"{self.called(number)} has the {attribute} {text} here but "
                        f"{before[0]} {table.sheet.there(before[1].line)}: correct one of "
                        "them, or give both their IDs if they are two players of one name"
                        + '; ratings before each game: --event "*"'
                        * (attribute == "rating")
                    )
                    table.problem(what, row, column)
        return number

    def _reported(self, table: Table, row: Row, column: str) -> None:
        """Report a rating that cannot be read, in whatever line it stands."""
        text = row[column]
        if not _is_rating(text, 1) and GROUPED.fullmatch(text) is None:
            table.bounded(row, column, RATING)

    def _number(self, table: Table, row: Row, side: str, name: str, id: str) -> int:
        identity = self._people.meet(" ".join(name.split()), id)
        if identity.id and not akin(name, identity.taken_for):
            there = table.sheet.there(self._first[identity.number - 1].line)
            what = (
                f"{name!r} has the id {id} here, and {identity.taken_for!r} {there}: correct "
                "the id or the name"
            )
            table.problem(what, row, side)
        elif identity.taken_for:
            both = f": both have the id {identity.id}" if identity.id else ""
            table.warn(f"{name!r} is read as {identity.taken_for!r}{both}", row, side)
        if not id:
            self._bare.setdefault(identity.number, (table, row, side))
        if identity.new:
            self._first.append(row)
            check_letters(table, row, name, side)
        return identity.number

    def called(self, number: int) -> str:
        """A player's name."""
        return self._people.name(number)

    @staticmethod
    def is_nobody(text: str) -> bool:
        return bye_of(text) is not None

    def rate_lines(self, entries: Sequence[PlayerEntry], event: Assembly) -> None:
        """Give the lines the ratings that stand beside them, if they may change."""

        def rating(row: Row, side: str, number: int) -> float | None:
            column = f"{side} rating"
            if self._said.get((number, "rating"), ("",))[0] == row[column]:
                return entries[number - 1].rating
            return self.table.bounded(row, column, RATING)

        for at, row in (self.beside or {}).items():
            line = event.lines[at]
            if line.second is not None:
                ratings = rating(row, "first", line.first), rating(row, "second", line.second)
                event.lines[at] = line._replace(ratings=ratings)

    @property
    def entries(self) -> list[PlayerEntry]:
        """The players, with what stands beside them; reports what is wrong with it."""
        table = self.table
        for number, name, ids in self._people.unclear:
            games, row, side = self._bare[number]
            may = " or ".join(id or "a player without an id" for id in ids)
            games.problem(f"{name!r} may be {may}: give the ID in all their games", row, side)
        for attribute in ("rating", "peak"):
            said = [text for (_, a), (text, _, _) in self._said.items() if a == attribute]
            for side in SIDES:
                table.thousands[f"{side} {attribute}"] = Thousands(said)

        def text(number: int, attribute: str) -> str:
            return self._said.get((number, attribute), ("",))[0]

        def of(number: int, attribute: str, bounds: object) -> float | None:
            if (number, attribute) not in self._said:
                return None
            _, row, column = self._said[number, attribute]
            return table.bounded(row, column, bounds)  # type: ignore[arg-type]

        rated = {number for number, attribute in self._said if attribute in ("rating", "id")}
        for number, name in self._people.names.items():
            if number not in rated and may_be_nobody(name):
                table.problem(
                    f"{name!r} may be a bye, a total or a person: for a bye type bye as the result "
                    "and no opponent, leave a total out; a person needs a rating or an id",
                    self._first[number - 1],
                )
        alone = (name for name in self._people.names.values() if name not in self._apart)
        for a, b in look_alikes(alone):
            table.warnings.append(
                Problem(f"{a!r} and {b!r} may be one person", None, None, table.name)
            )
        return [
            PlayerEntry(
                name=name,
                number=number,
                id=text(number, "id"),
                rating=of(number, "rating", RATING),
                k=of(number, "k", K),
                peak=of(number, "peak", PEAK),
                federation=text(number, "federation"),
                title=title(text(number, "title")),
                sex=sex(text(number, "sex")),
                line=self._first[number - 1].line,
            )
            for number, name in self._people.names.items()
        ]


def add_games(table: Table, field: Listed | Gathered, event: Assembly, round: int = 0) -> None:
    """Read the games of a table into an event; ``round`` is that of all, where it is known."""
    sport, seasons = sport_of(table), "season" in table.columns
    typed = "round" in table.columns and not (sport and _in_words(table))
    dated = "date" in table.columns
    title = [table.heading(side) for side in SIDES] if table.top is not None else None
    often = "times" in table.columns
    left_out: list[Row] = []
    uneven: list[Row] = []
    for row in table.rows():
        first, second = row["first"], row["second"]
        if not (second or row["result"]):
            if not typed and (announced := _announced(table, row, event)) is not None:
                round = announced
                continue
            alone = isinstance(field, Gathered) and sum(map(bool, row.cells)) == 1
            if not first or alone:
                left_out.append(row)
                continue
        elif title is not None and [first, second] == title:  # repeated on the next page
            continue
        if dated and (day := row["date"]) and day not in event.days:
            event.days[day] = table.at(repr(day), row, "date")
        times = table.bounded(row, "times", TIMES) if often else None
        if times == 0:
            continue
        before = len(event.lines)
        number = _round(table, row) if typed else round
        _game(table, row, field, event, number, typed, sport)
        if sport is not None and len(event.lines) > before:
            sport.note(event.lines[before], before, row)
            if seasons and row["season"]:
                event.seasons.add(row["season"])
        if isinstance(field, Gathered) and field.beside is not None and len(event.lines) > before:
            field.beside[before] = row
        if (stones := read_number(row["handicap"]) or 0) > 0:
            uneven.append(row)
            if table.coloured and len(event.lines) > before:
                event.lines[before] = event.lines[before]._replace(stones=stones)
        if times is not None and len(event.lines) > before:
            event.lines[before] = event.lines[before]._replace(times=int(times))
        if dated and row["date"] and len(event.lines) > before:
            event.days_of_rounds.setdefault(event.lines[-1].round, set()).add(row["date"])
            event.days_of_lines[before] = row["date"]
    if sport is not None:
        sport.finish(event)
        event.readings += [] if sport.plain else [sport.said()]
    if often:
        event.readings.append(f"{ONCE} {table.heading('times')} says")
    if uneven:
        table.warn(with_handicap(len(uneven), table.coloured), uneven[0], "handicap")
    if left_out:
        lines = plural(len(left_out), "line")
        table.warn(f"left out, as it is no game: {lines}", left_out[0])


def _in_words(table: Table) -> bool:
    """Whether rounds are not counted but called Final or Winners, as in other sports; says so."""
    row = next((row for row in table.rows() if row["round"]), None)
    if row is None or whole(row["round"]) or round_heading([row["round"]]):
        return False
    table.warn(f"rounds with names, such as {row['round']!r}, are not used", row, "round")
    return True


def sport_of(table: Table) -> Sport | None:
    """How results are read that are not those of chess; None for a list of chess games."""
    if table.asks or table.check_result is not None or table.top is None:
        return None
    chess = table.coloured and not {"scores", "outcome", "winner"} & table.columns.keys()
    return None if chess else Sport(table)


def _announced(table: Table, row: Row, event: Assembly) -> int | None:
    """The round of the games below, if a row is a heading of one; its day is theirs, too."""
    if (named := round_heading(row.cells)) is None:
        return None
    round, day = named
    if day:
        event.days.setdefault(day, table.at(f"{day!r}", row))
        event.days_of_rounds.setdefault(round, set()).add(day)
    return round


def _game(
    table: Table,
    row: Row,
    field: Listed | Gathered,
    event: Assembly,
    round: int,
    typed: bool,
    sport: Sport | None,
) -> None:
    codes, who, whom = sport.codes(row) if sport else _codes(table, row), "first", "second"
    left, right = row["first"], row["second"]
    # a bye may stand on the left
    turned = left and right and not table.asks and field.is_nobody(left)
    if turned and not (_is_rating(row["first rating"]) or field.is_nobody(right)):
        who, whom, right = whom, who, left
        codes = codes[::-1] if codes and codes[1] else codes
    first = field.find(table, row, who)
    alone = not right if table.asks else field.is_nobody(right)
    if alone and right and codes is not None and codes[0] in PLAYED:
        # somebody may be called Bye
        alone = not _is_rating(row[f"{whom} rating"])
    second = None if alone else field.find(table, row, whom)
    if first is None or codes is None or (second is None and not alone):
        return
    if first == second:
        if isinstance(field, Gathered) and row["first"].split() != row["second"].split():
            field.met |= {" ".join(row[side].split()) for side in SIDES}
        table.problem(f"{field.called(first)!r} is paired with themselves", row, "second")
        return
    if typed and not round:
        return
    code, reply = codes
    if second is None:
        code = code or bye_of(right) or ""
        if not code:
            what = "the opponent is missing; for a bye type bye as the result"
            table.problem(what, row, whom)
            return
        if code in _OF_TWO and not right:
            if table.asks:
                what = "a result without an opponent: type bye, ½ bye or 0 bye"
                table.problem(what, row, "result")
                return
            table.warn(
                f"a result without an opponent is read as a bye: {row['result']!r}", row, "result"
            )
        code, reply = _BYE_CODES.get(code, code), ""
    elif code not in _OF_TWO:
        if normal(row["result"]) == "h":
            table.problem(in_doubt(table, row), row, "result")
            return
        what = f"a bye has an opponent: {row['result']!r}" if code else "the game has no result"
        if sport and sport.off:
            what = f"marked as {sport.off!r}, so its score is not rated"
        if code and table.asks:
            table.problem(what, row, "result")
            return
        table.warn(what, row, "result")
    number = round or event.next_round(first, second)
    ground = sport.ground(row) if sport else ""
    line = Line(
        number, first, second, code, reply, table.coloured, None, ground, _points(table, row)
    )
    if round:
        event.add_typed(line, table, row, field.called)
    else:
        event.add(line)


def _points(table: Table, row: Row) -> tuple[float, float] | None:
    """What both have scored in a game of a book."""
    texts = (row[f"{side} points"] for side in SIDES if table.asks)
    match [read_number(text) for text in texts]:
        case [float(first), float(second)]:
            return first, second
    return None


def _codes(table: Table, row: Row) -> tuple[str, str] | None:
    column = "result"
    text = row["result"]
    if "result" not in table.columns:
        column = "first points"
        text = "-".join(filter(None, (row["first points"], row["second points"])))
    if table.coloured and (won := _OF_GO.fullmatch(text)):
        return {"b": ("0", "1"), "w": ("1", "0")}[won[1].casefold()]
    try:
        codes = codes_of(text)
        if table.check_result is not None:
            table.check_result(text)
        return ended(codes, "", row["status"])
    except RatingError as error:
        what = str(error)
        if table.coloured and max(score_of(text) or (0,)) > 1:
            what += f"; if it is the score of one game: {table.choice('scores', column)}"
        elif column == "result":
            what += names_winner(table, row, column)
        table.problem(what, row, column)
        return None


def _round(table: Table, row: Row) -> int:
    text = row["round"]
    round = whole(text)
    if round is None and (named := round_heading([text])) is not None:
        round = named[0]
    if not text:
        table.problem("the round is missing", row, "round")
    elif round is None or not 1 <= round <= MOST_ROUNDS:
        what = f"round must be a whole number from 1 to {MOST_ROUNDS}: {text!r}"
        table.problem(what, row, "round")
    else:
        return round
    return 0
