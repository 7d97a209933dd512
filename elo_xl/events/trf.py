"""Tournament report files: FIDE's TRF16 and TRF26, and what programs make of them.

The lines of such a file have fixed columns. A player's line begins with ``001`` and has the
starting number in columns 5 to 8, sex 10, title 11 to 13, name 15 to 47, rating 49 to 52,
federation 54 to 56, FIDE number 58 to 68, birth date 70 to 79, points 81 to 84 and rank 86 to 89;
from column 92 on, each round takes ten columns: opponent, colour, result. Lines that begin with
another code describe the event.

The reader accepts lines that end in CR, LF or both; UTF-8, with or without a byte order mark, or
Windows' Latin or Cyrillic; titles of one letter; dates as organizers write them; blank cells, ranks
and points; penalties (0-0 and ½-0); and columns that were counted in bytes instead of letters.
It keeps lines of other kinds (comments, teams, national ratings, extensions), which do not affect
ratings. All problems of a file are raised together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Final, NamedTuple

from elo_xl.engine.results import ROUND_CODES
from elo_xl.events.event import (
    PENALTIES,
    EventError,
    Game,
    Pairing,
    Player,
    Problem,
    Tournament,
    kind_of,
    scored,
)
from elo_xl.events.fields import RATING as RATINGS
from elo_xl.events.fields import Dates, MixedDatesError, birth_year, number, sex, whole, why_none
from elo_xl.events.scoring import SCORING_RECORDS, read_scoring
from elo_xl.events.source import Source, file_name, lines, read_text
from elo_xl.lists.names import title

NUMBER: Final = (5, 8)
SEX: Final = (10, 10)
TITLE: Final = (11, 13)
NAME: Final = (15, 47)
RATING: Final = (49, 52)
FEDERATION: Final = (54, 56)
ID: Final = (58, 68)
BIRTH: Final = (70, 79)
POINTS: Final = (81, 84)
RANK: Final = (86, 89)
ROUNDS: Final = 92
"""The first column of the first round; each round has ten."""
GAPS: Final = (4, 9, 14, 48, 53, 57, 69, 80, 85, 90, 91)
"""columns between the fields: text there means that a field is shifted and would be misread"""
ROUND_GAPS: Final = (4, 6, 8, 9)


def width(columns: tuple[int, int]) -> int:
    """How many letters a field holds."""
    return columns[1] - columns[0] + 1


def cut(line: str, columns: tuple[int, int]) -> str:
    """The text of a field."""
    return line[columns[0] - 1 : columns[1]].strip()


def misplaced(line: str) -> int | None:
    """The first column that has text but must be blank."""
    gaps = list(GAPS)
    gaps += [start + gap for start in range(ROUNDS, len(line) + 1, 10) for gap in ROUND_GAPS]
    return next((gap for gap in gaps if line[gap - 1 : gap].strip()), None)


# -- the rounds: what the lines of the players say together ---------------------------------------

Report = Callable[[str, int, int], None]
"""Takes what is wrong, the line and the column."""

AS_BYE: Final = {"1": "F", "=": "H", "0": "Z", "W": "F", "D": "H", "L": "Z"}
_PLAYED: Final = frozenset("1=0WDL")
_TOGETHER: Final = frozenset(
    [
        *(("1", "0"), ("0", "1"), ("=", "=")),
        *PENALTIES,
        *(("W", "L"), ("L", "W"), ("D", "D")),
        *(("+", "-"), ("-", "+"), ("-", "-"), ("", "")),
    ]
)
"""the pairs of codes that the two players of a game may have"""


_MANY: Final = 3
"""With more opponents than that behind the last player, the file has lost its end."""


@dataclass(slots=True)
class Cell:
    """One round of one player as written in the file."""

    opponent: int | None
    colour: str
    code: str
    line: int
    column: int
    readable: bool = True


@dataclass(slots=True)
class Rounds:
    """The cells of all players. Only together do they show which games there were."""

    players: Mapping[int, Player]
    problem: Report
    warn: Report
    places: dict[int, int] = field(default_factory=dict)
    """the line of each player"""
    cells: dict[int, list[Cell]] = field(default_factory=dict)
    broken: set[int] = field(default_factory=set)
    """players whose cells are not to be trusted"""
    announced: set[tuple[int, int]] = field(default_factory=set)
    """the players and rounds of byes that only records 240 have"""
    missing: list[tuple[int, Cell, int]] = field(default_factory=list)
    """players with cells whose opponents have no line, and their rounds"""

    def at(self, player: int, round: int) -> Cell:
        """What a player has in a round, even behind the end of their line."""
        cells = self.cells[player]
        if round <= len(cells):
            return cells[round - 1]
        return Cell(None, "", "", self.places[player], ROUNDS + 10 * (round - 1))

    @property
    def number(self) -> int:
        """The last round in which a player has anything but a forfeit without an opponent, which
        programs write behind the last round, too."""
        return self._last(lambda cell: cell.opponent or cell.colour or cell.code not in ("", "-"))

    @property
    def over(self) -> int:
        """The last round with a result of a game."""
        return self._last(lambda cell: cell.opponent and cell.code)

    def _last(self, counts: Callable[[Cell], object]) -> int:
        rounds = self.cells.values()
        return max(
            (n for cells in rounds for n, cell in enumerate(cells, 1) if counts(cell)), default=0
        )

    def games(self) -> Iterator[Game]:
        """The games; reports what the lines of two players do not agree in."""
        for round in range(1, self.number + 1):
            for player in self.players:
                cell = self.at(player, round)
                if not cell.readable:
                    continue
                if cell.opponent is None:
                    self._alone(player, cell, round)
                elif (game := self._pair(player, cell.opponent, cell, round)) is not None:
                    yield game
        self._missing()

    def _missing(self) -> None:
        """Report the opponents who have no line; of many behind the last one in a sentence."""
        last = max(self.players, default=0)
        beyond = [cell for _, cell, _ in self.missing if (cell.opponent or 0) > last]
        together = len(beyond) > _MANY
        if together:
            what = (
                f"the file ends early: the last player is {last}, and there are games against "
                f"players up to {max(cell.opponent or 0 for cell in beyond)}"
            )
            self.problem(what, max(self.places.values()), 1)
        for player, cell, round in self.missing:
            if together and (cell.opponent or 0) > last:
                continue
            self.problem(
                f"opponent {cell.opponent} of player {player} in round {round} does not exist",
                cell.line,
                cell.column,
            )

    def _alone(self, player: int, cell: Cell, round: int) -> None:
        bye = AS_BYE.get(cell.code)
        if bye is not None:
            self.warn(
                f"a result without an opponent is not rated: player {player} has "
                f"{cell.code!r} in round {round}",
                cell.line,
                cell.column + 7,
            )

    def _pair(self, player: int, opponent: int, cell: Cell, round: int) -> Game | None:
        """The game of two players, from the side of the one whose line comes first; or None."""
        if opponent == player:
            what = f"player {player} is paired with themselves in round {round}"
            self.problem(what, cell.line, cell.column)
            return None
        if opponent not in self.players:
            self.missing.append((player, cell, round))
            return None
        other = self.at(opponent, round)
        if not other.readable or opponent in self.broken or player in self.broken:
            return None
        if other.opponent != player:
            self._one_sided(player, opponent, cell, other, round)
            return None
        # only the player whose line comes first reports, so that a pair is reported once
        if self.places[opponent] < self.places[player]:
            return None
        return self._together(player, opponent, cell, other, round)

    def _one_sided(self, player: int, opponent: int, cell: Cell, other: Cell, round: int) -> None:
        has = f"opponent {other.opponent}" if other.opponent else "none"
        what = (
            f"player {player} has opponent {opponent} in round {round}, but player {opponent} "
            f"has {has}"
        )
        rated = cell.code in _PLAYED or other.code in _PLAYED
        # a forfeit is not rated, whatever opponent there should have been
        report = self.problem if rated or other.opponent else self.warn
        report(what, cell.line, cell.column)

    def _together(
        self, player: int, opponent: int, cell: Cell, other: Cell, round: int
    ) -> Game | None:
        a, b = cell.code, other.code
        column = cell.column + 7
        if (a, b) not in _TOGETHER:
            # only a result that somebody has must be wrong on one side: the rest changes no rating
            if a in _PLAYED or b in _PLAYED or a == b == "+":
                self.problem(
                    f"results contradict each other in round {round}: player {player} has "
                    f"{_shown(a)}, player {opponent} has {_shown(b)}",
                    cell.line,
                    column,
                )
            else:
                self.warn(
                    f"a bye or a missing result against an opponent in round {round}: "
                    f"player {player} has {_shown(a)}, player {opponent} has {_shown(b)}",
                    cell.line,
                    column,
                )
            return None
        if not a:
            self.warn(
                f"players {player} and {opponent} have no result in round {round}",
                cell.line,
                column,
            )
        if cell.colour and cell.colour == other.colour:
            colour = {"w": "white", "b": "black"}[cell.colour]
            self.warn(
                f"players {player} and {opponent} both have {colour} in round {round}",
                cell.line,
                cell.column + 5,
            )
        if not ROUND_CODES[a].rated:
            return None
        black = cell.colour == "b" or (not cell.colour and other.colour == "w")
        if black and cell.colour != other.colour:
            player, opponent, a, b = opponent, player, b, a
        return Game(round, player, opponent, *scored(a, b), cell.colour != other.colour)

    def pairings(self) -> dict[int, tuple[Pairing, ...]]:
        """The rounds of each player."""
        rounds = range(1, self.number + 1)
        return {
            player: tuple(_pairing(self.at(player, round), round) for round in rounds)
            for player in self.players
        }

    def grant(self, player: int, round: int, bye: str) -> None:
        """Give a player a bye in a round for which their line says nothing."""
        cells = self.cells[player]
        while len(cells) < round:
            cells.append(Cell(None, "", "", self.places[player], ROUNDS + 10 * len(cells)))
        cell = cells[round - 1]
        if cell.opponent is None and not cell.code:
            cell.code = bye
            self.announced.add((player, round))


class Byes(NamedTuple):
    """What a record 240 says."""

    kind: str
    round: int
    players: tuple[int, ...]


def read_byes(line: str) -> Byes | None:
    """Read a record 240; None if it is not understood.

    >>> read_byes("240 H 002 0001   3")
    Byes(kind='H', round=2, players=(1, 3))
    """
    kind, round = line[4:5].upper(), whole(line[6:9].strip())
    who = [whole(part) for part in line[10:].split()]
    players = tuple(number for number in who if number is not None)
    if kind not in ("F", "H", "Z") or not round or round > 999 or len(players) < len(who):
        return None
    return Byes(kind, round, players)


def is_of_team(line: str) -> bool:
    """Whether a line makes the event one of teams, whose numbers other records then mean."""
    return line[:3] in ("013", "310")


def _pairing(cell: Cell, round: int) -> Pairing:
    code = cell.code if cell.opponent else AS_BYE.get(cell.code, cell.code)
    return Pairing(round, cell.opponent, cell.colour, code)


def _shown(code: str) -> str:
    return repr(code) if code else "none"


# -- the lines ------------------------------------------------------------------------------------

_COLOURS: Final = {"w": "w", "b": "b", "-": "", "": ""}

_RESULTS: Final = "1 = 0 for games, W D L for unrated ones, + - for forfeits, H F U Z for byes"


@dataclass(slots=True)
class _Reader:
    """Reads line by line, then compares the lines: only together do they show what is wrong."""

    file: str = ""
    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)
    info: dict[str, tuple[str, int]] = field(default_factory=dict)
    players: dict[int, Player] = field(default_factory=dict)
    rounds: Rounds = field(init=False)
    records: list[str] = field(default_factory=list)
    above: list[int] = field(default_factory=list)
    """how many player lines stand above each record"""
    scoring: list[tuple[int, str]] = field(default_factory=list)
    byes: list[tuple[int, str]] = field(default_factory=list)
    teams: bool = False
    days: list[tuple[str, int, int]] = field(default_factory=list)
    """the dates of the rounds as written, with their places"""
    round_dates: tuple[date, ...] = ()
    otherwise: tuple[date, Problem] | None = None

    def __post_init__(self) -> None:
        self.rounds = Rounds(self.players, self.problem, self.warn)

    def problem(self, what: str, line: int | None = None, column: int | None = None) -> None:
        self.problems.append(Problem(what, line, column, self.file))

    def warn(self, what: str, line: int | None = None, column: int | None = None) -> None:
        self.warnings.append(Problem(what, line, column, self.file))

    # the lines

    def read(self, text: str) -> None:
        has_player = False
        for place, line in enumerate(lines(text), start=1):
            code = line[:3]
            if code == "001":
                has_player = True
                self.player(line.rstrip(), place)
                continue
            if line.strip():
                self.records.append(line.rstrip())
                self.above.append(len(self.players))
            value = line[3:].strip()
            if code in SCORING_RECORDS or code == "299":
                self.scoring.append((place, line.rstrip()))
            elif code == "240":
                self.byes.append((place, line.rstrip()))
            elif is_of_team(line):
                self.teams = True
            elif code == "132":
                self.round_days(line, place)
            elif value:
                self.info.setdefault(code, (value, place))
        if not has_player:
            self.problem("no player line (001): this is not a tournament report file")

    def player(self, line: str, place: int) -> None:
        line, rounds = self.aligned(line), self.rounds
        at = cut(line, NUMBER)
        start = whole(at)
        if start is None:
            what = "is not a number" if at else "is missing"
            self.problem(f"starting number {what}{_quoted(at)}", place, NUMBER[0])
            return
        if start < 1:
            self.problem(f"starting number must be above 0: {at!r}", place, NUMBER[0])
            return
        if start in self.players:
            what = f"starting number {start} occurs twice, first on line {rounds.places[start]}"
            self.problem(what, place, NUMBER[0])
            rounds.broken.add(start)
            return
        rounds.places[start] = place
        if (gap := misplaced(line)) is not None:
            self.problem(
                f"the columns are shifted: {line[gap - 1]!r} stands where a blank must be",
                place,
                gap,
            )
            rounds.broken.add(start)
            self.players[start] = Player(start, cut(line, NAME))
            rounds.cells[start] = []
            return
        self.players[start] = self.person(start, line, place)
        rounds.cells[start] = [
            self.cell(line[c : c + 10].ljust(10), place, c + 1)
            for c in range(ROUNDS - 1, len(line), 10)
        ]

    def aligned(self, line: str) -> str:
        """The line with its columns in letters, even if a program counted bytes of UTF-8."""
        if line.isascii() or misplaced(line) is None:
            return line
        raw, (first, last) = line.encode(), NAME
        name = raw[first - 1 : last].decode(errors="ignore").ljust(width(NAME))
        counted = line[: first - 1] + name + raw[last:].decode(errors="ignore")
        return line if misplaced(counted) is not None else counted

    def person(self, start: int, line: str, place: int) -> Player:
        name = " ".join(cut(line, NAME).split())
        if not name:
            name = f"Player {start}"
            self.warn(f"player {start} has no name", place, NAME[0])
        birth = cut(line, BIRTH)
        year = birth_year(birth)
        if year is None and re.search("[^0./ -]", birth):
            self.warn(f"birth date is not understood: {birth!r}", place, BIRTH[0])
        scored = cut(line, POINTS)
        points = number(scored)
        if scored and points is None:
            self.problem(f"points are not a number: {scored!r}", place, POINTS[0])
        ranked = cut(line, RANK)
        if ranked and whole(ranked) is None:
            self.warn(f"rank is not a number: {ranked!r}", place, RANK[0])
        fide = cut(line, ID)
        rating = None
        try:
            rating = RATINGS.read(cut(line, RATING))
        except ValueError as error:
            self.problem(str(error), place, RATING[0])
        return Player(
            number=start,
            name=name,
            rating=rating,
            federation=cut(line, FEDERATION),
            id=fide if fide.strip("0") else "",
            sex=sex(cut(line, SEX)),
            title=title(cut(line, TITLE)),
            birth_year=year,
            born=None if year is None else _born(birth),
            points=points,
            rank=whole(ranked),
        )

    def cell(self, text: str, place: int, column: int) -> Cell:
        at, tint, code = text[:4].strip(), text[5].strip(), text[7].strip()
        opponent = whole(at) if at else 0
        cell = Cell(opponent or None, tint.lower(), code.upper(), place, column)
        if opponent is None:
            self.problem(f"opponent is not a number: {at!r}", place, column)
            cell.readable = False
        if cell.colour not in _COLOURS:
            self.problem(f"unknown colour {tint!r}: w, b, or - for none", place, column + 5)
            cell.readable = False
        if code not in ROUND_CODES:
            self.problem(f"unknown result {code!r}: {_RESULTS}", place, column + 7)
            cell.readable = False
        cell.colour = _COLOURS.get(cell.colour, "")
        return cell

    def round_days(self, line: str, place: int) -> None:
        self.days += [
            (match.group(), place, match.start() + 4)
            for match in re.finditer(r"\S+", line[3:])
            if match.group().strip("0./-")
        ]

    # what they say together

    def read_byes(self) -> None:
        """Read records 240: byes in rounds whose cells are still blank."""
        for place, line in () if self.teams else self.byes:
            byes = read_byes(line)
            if byes is None:
                self.warn(f"byes are not understood: {line!r}", place)
                continue
            for player in byes.players:
                if player in self.players and player not in self.rounds.broken:
                    self.rounds.grant(player, byes.round, byes.kind)

    def check_points(self) -> None:
        if self.teams and any(line[:3] == "299" for _, line in self.scoring):
            return  # then such a record is about teams
        scoring = read_scoring(self.scoring, self.warn)
        if scoring is None:
            return
        over = self.rounds.over
        for player in self.players.values():
            results = [(cell.colour, cell.code) for cell in self.rounds.cells[player.number]]
            points = scoring.points(player.number, results)
            # a bye for the round to come may count later
            so_far = scoring.points(player.number, results[:over])
            given = player.points
            if given is not None and min(abs(points - given), abs(so_far - given)) > 1e-9:
                self.warn(
                    f"points are {player.points:g}, but the results of player "
                    f"{player.number} give {points:g}",
                    self.rounds.places[player.number],
                    POINTS[0],
                )

    # the event

    def dates(self) -> tuple[date | None, date | None, Problem | None]:
        """The first day, the last one, and why there is no first one although the file names it."""
        written = {code: self.info[code] for code in ("042", "052") if code in self.info}
        texts = [text for text, _ in written.values()] + [text for text, *_ in self.days]
        try:
            dates = Dates(texts)
        except MixedDatesError as error:
            return (None, None, Problem(f"dates of the event: {error}", file=self.file))
        start = end = None
        undated: Problem | None = None
        # a first day that is written but not understood must not be guessed: rules depend on it
        if "042" in written:
            text, place = written["042"]
            start = dates.read(text)
            if start is None:
                what = f"date of start {why_none(text)}: {text!r}"
                undated = Problem(what, place, 5, self.file)
            elif dates.unsure(text):
                self.warn(f"date of start {text} is read as {start}", place, 5)
                if other := dates.otherwise(text):
                    self.otherwise = other, Problem(repr(text), place, 5, self.file)
        if "052" in written:
            text, place = written["052"]
            end = dates.read(text, last=True)
            if end is None:
                self.warn(f"date of end {why_none(text)}: {text!r}", place, 5)
            elif start and end < start:
                self.warn(f"the event ends on {end}, before it starts on {start}", place)
        rounds = [dates.read(text) for text, *_ in self.days]
        for day, (text, place, column) in zip(rounds, self.days, strict=True):
            if day is None:
                self.warn(f"date of a round {why_none(text)}: {text!r}", place, column)
        known = [day for day in rounds if day is not None]
        if len(known) == len(rounds):
            self.round_dates = tuple(known)
        if start is None and undated is None:
            start = min(known, default=None)
            self.warn(
                f"date of start is taken from the dates of the rounds: {start}"
                if start
                else "the file gives no date of start"
            )
        return start, end or max(known, default=None), undated

    def ids(self) -> None:
        first: dict[str, int] = {}
        for player in self.players.values():
            if player.id and first.setdefault(player.id, player.number) != player.number:
                self.warn(
                    f"players {first[player.id]} and {player.number} have the same FIDE "
                    f"number {player.id}",
                    self.rounds.places[player.number],
                    ID[0],
                )

    def tournament(self) -> Tournament:
        self.read_byes()
        games = tuple(self.rounds.games())
        start, end, undated = self.dates()
        if self.problems:
            raise EventError(sorted(self.problems, key=_where))
        self.ids()
        self.check_points()
        return Tournament(
            name=self.text("012"),
            players=tuple(self.players.values()),
            pairings=self.rounds.pairings(),
            games=games,
            rounds=self.rounds.number,
            planned=whole(self.text("142") or self.text("XXR")) or 0,
            days=self.round_dates,
            city=self.text("022"),
            federation=self.text("032"),
            start=start,
            end=end,
            otherwise=self.otherwise,
            undated=undated,
            time_control=self.text("122") or self.text("222"),
            kind=kind_of(self.text("222"), in_seconds=True) or kind_of(self.text("122")),
            warnings=tuple(sorted(self.warnings, key=_where)),
            records=tuple(self.records),
            above=tuple(self.above),
            announced=frozenset(self.rounds.announced),
        )

    def text(self, code: str) -> str:
        return self.info.get(code, ("", 0))[0]


def read_trf(source: Source, encoding: str = "") -> Tournament:
    r"""Read an event from a tournament report file, given as a path or as the file's bytes.

    The players are in the order of the file. Odd but harmless things, such as points that are not
    the sum of the results, are in ``warnings``. Raises :class:`EventError` with every problem of
    the file, each with its line and column, and OSError if the path cannot be read.
    """
    reader = _Reader(file_name(source))
    reader.read(read_text(source, encoding))
    return reader.tournament()


def _born(text: str) -> date | None:
    """A birth date, unless it may be another day, as 06/12/1969 may."""
    dates = Dates()
    return None if dates.unsure(text) else dates.read(text)


def _quoted(text: str) -> str:
    return f": {text!r}" if text else ""


def _where(problem: Problem) -> tuple[int, int]:
    return problem.line or 0, problem.column or 0
