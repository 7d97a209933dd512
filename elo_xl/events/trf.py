"""Tournament report files: FIDE's TRF16 and TRF26, and what programs make of them.

The lines of such a file have fixed columns. A player's line begins with ``001`` and has the
starting number in columns 5 to 8, sex 10, title 11 to 13, name 15 to 47, rating 49 to 52,
federation 54 to 56, FIDE number 58 to 68, birth date 70 to 79, points 81 to 84 and rank 86 to 89;
from column 92 on, each round takes ten columns: opponent, colour, result. Lines that begin with
another code describe the event.

The reader accepts lines that end in CR, LF or both; UTF-8, with or without a byte order mark, or
Windows' Latin or Cyrillic; titles of one letter; dates as organizers write them; blank cells, ranks
and points; penalties (0-0 and ½-0); and columns that were counted in bytes instead of letters.
Lines of other kinds (comments, teams, national ratings, extensions) are kept and do not affect
ratings. All problems of a file are raised together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from elo_xl.engine.results import ROUND_CODES
from elo_xl.events import trf_columns as columns
from elo_xl.events.dates import Dates, MixedDatesError, why_none
from elo_xl.events.encodings import read_text
from elo_xl.events.event import EventError, Player, Problem, Tournament
from elo_xl.events.scoring import SCORING_RECORDS, read_scoring
from elo_xl.events.text import Source, birth_year, file_name, lines, number, read_rating, sex, whole
from elo_xl.events.time_control import kind_of
from elo_xl.events.trf_columns import cut, misplaced, width
from elo_xl.events.trf_rounds import Cell, Rounds, is_of_team, read_byes
from elo_xl.lists.names import title

if TYPE_CHECKING:
    from datetime import date

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
        found = False
        for place, line in enumerate(lines(text), start=1):
            code = line[:3]
            if code == "001":
                found = True
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
        if not found:
            self.problem("no player line (001): this is not a tournament report file")

    def player(self, line: str, place: int) -> None:
        line, rounds = self.aligned(line), self.rounds
        at = cut(line, columns.NUMBER)
        start = whole(at)
        if start is None:
            what = "is not a number" if at else "is missing"
            self.problem(f"starting number {what}{_quoted(at)}", place, columns.NUMBER[0])
            return
        if start < 1:
            self.problem(f"starting number must be above 0: {at!r}", place, columns.NUMBER[0])
            return
        if start in self.players:
            what = f"starting number {start} occurs twice, first on line {rounds.places[start]}"
            self.problem(what, place, columns.NUMBER[0])
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
            self.players[start] = Player(start, cut(line, columns.NAME))
            rounds.cells[start] = []
            return
        self.players[start] = self.person(start, line, place)
        rounds.cells[start] = [
            self.cell(line[c : c + 10].ljust(10), place, c + 1)
            for c in range(columns.ROUNDS - 1, len(line), 10)
        ]

    def aligned(self, line: str) -> str:
        """The line with its columns in letters, even if a program counted bytes of UTF-8."""
        if line.isascii() or misplaced(line) is None:
            return line
        raw, (first, last) = line.encode(), columns.NAME
        name = raw[first - 1 : last].decode(errors="ignore").ljust(width(columns.NAME))
        counted = line[: first - 1] + name + raw[last:].decode(errors="ignore")
        return line if misplaced(counted) is not None else counted

    def person(self, start: int, line: str, place: int) -> Player:
        name = " ".join(cut(line, columns.NAME).split())
        if not name:
            name = f"Player {start}"
            self.warn(f"player {start} has no name", place, columns.NAME[0])
        birth = cut(line, columns.BIRTH)
        year = birth_year(birth)
        if year is None and re.search("[^0./ -]", birth):
            self.warn(f"birth date is not understood: {birth!r}", place, columns.BIRTH[0])
        scored = cut(line, columns.POINTS)
        points = number(scored)
        if scored and points is None:
            self.problem(f"points are not a number: {scored!r}", place, columns.POINTS[0])
        ranked = cut(line, columns.RANK)
        if ranked and whole(ranked) is None:
            self.warn(f"rank is not a number: {ranked!r}", place, columns.RANK[0])
        fide = cut(line, columns.ID)
        rating = None
        try:
            rating = read_rating(cut(line, columns.RATING))
        except ValueError as error:
            self.problem(str(error), place, columns.RATING[0])
        return Player(
            number=start,
            name=name,
            rating=rating,
            federation=cut(line, columns.FEDERATION),
            id=fide if fide.strip("0") else "",
            sex=sex(cut(line, columns.SEX)),
            title=title(cut(line, columns.TITLE)),
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
        for player in self.players.values():
            results = [(cell.colour, cell.code) for cell in self.rounds.cells[player.number]]
            points = scoring.points(player.number, results)
            if player.points is not None and abs(points - player.points) > 1e-9:
                self.warn(
                    f"points are {player.points:g}, but the results of player {player.number} "
                    f"give {points:g}",
                    self.rounds.places[player.number],
                    columns.POINTS[0],
                )

    # the event

    def dates(self) -> tuple[date | None, date | None, Problem | None]:
        """The first day, the last one, and why there is no first one although the file names it."""
        written = {code: self.info[code] for code in ("042", "052") if code in self.info}
        texts = [text for text, _ in written.values()] + [text for text, *_ in self.days]
        try:
            dates = Dates(texts)
        except MixedDatesError as error:
            return None, None, Problem(f"dates of the event: {error}", file=self.file)
        start = end = None
        undated: Problem | None = None
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
                    f"players {first[player.id]} and {player.number} have the same FIDE number "
                    f"{player.id}",
                    self.rounds.places[player.number],
                    columns.ID[0],
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
        )

    def text(self, code: str) -> str:
        return self.info.get(code, ("", 0))[0]


def read_trf(source: Source, encoding: str = "") -> Tournament:
    r"""Read an event from a tournament report file, given as a path or as the file's bytes.

    >>> data = b'''012 Two Rivers Match
    ... 042 2026/03/07
    ... 001    1 m    Ferrer, Ana                       2105 ESP    99000001 1999/00/00  0.5    2     2 w =
    ... 001    2 wWGM Okafor, Ngozi                     2230 NGR    99000002 2001/00/00  0.5    1     1 b =
    ... '''
    >>> event = read_trf(data)
    >>> event.name, event.start.year, [player.name for player in event.players]
    ('Two Rivers Match', 2026, ['Ferrer, Ana', 'Okafor, Ngozi'])
    >>> [(game.first, game.second, game.score) for game in event.games]
    [(1, 2, 0.5)]

    The players are in the order of the file. Odd but harmless things, such as points that are not
    the sum of the results, are in ``warnings``. Raises :class:`EventError` with every problem of
    the file, each with its line and column, and OSError if the path cannot be read.

    >>> read_trf(data.replace(b"2105", b"2x05"))
    Traceback (most recent call last):
    ...
    elo_xl.events.event.EventError: rating is not a number: '2x05' @ line 3, column 49
    """  # noqa: E501
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
