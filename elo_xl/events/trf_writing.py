"""Tournament report files as FIDE specifies them, TRF16 or TRF26, from any event.

Every field stands in its columns. What a field cannot hold is refused, never cut; what FIDE asks
for and the event does not say is told. An event that was read from such a file keeps all its lines
in their places: those that are not understood as they are, dates as FIDE writes them.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Any, Final

from elo_xl.engine.errors import OptionError, choose
from elo_xl.events import trf
from elo_xl.events.event import EventError, Pairing, Player, Problem, Tournament
from elo_xl.events.fields import read_date, why_none
from elo_xl.events.scoring import scoring_of

TRF16: Final = "trf16"
TRF26: Final = "trf26"
EDITIONS: Final = (TRF16, TRF26)

HEADERS: Final = {
    "012": "name of the event",
    "022": "city",
    "032": "federation",
    "042": "first day",
    "052": "last day",
    "092": "type",
    "102": "chief arbiter",
    "112": "deputy chief arbiter",
    "122": "time control",
    "132": "dates of the rounds",
    "152": "initial colour",
    "182": "program of the pairings",
    "192": "encoded type",
    "202": "tie-breaks",
    "212": "order of the standings",
    "222": "encoded time control",
}
"""What may be said of an event beside its file."""
_ASKED: Final = ("012", "022", "032", "042", "052", "102", "132")
"""what FIDE's rating needs (the specification marks it so), besides players and results"""
_NEWER: Final = re.compile(r"1[4-9]2|2[0-9]{2}|3[0-9]{2}|80[12]|###")
"""records that TRF16 has not"""
_ROUNDS: Final = {TRF16: "XXR", TRF26: "142"}
_SECONDS: Final = re.compile(r"(W?[0-9][0-9/+:]*)(-B[0-9][0-9/+:]*)?")
_SHOWN: Final = 3
"""players whom a note names"""
_TEAM: Final = 32
"""letters of a team's name"""


@dataclass(frozen=True, slots=True)
class Written:
    """A report file, and what is to be said of it."""

    content: bytes
    notes: tuple[str, ...]
    """what FIDE asks for and the file lacks, and what was worked out for it"""


def written(
    event: Tournament,
    edition: str = TRF16,
    *,
    rounds: int | None = None,
    headers: Mapping[str, str] | None = None,
) -> Written:
    r"""The report file of an event, in UTF-8; each line ends in CR and LF.

    ``edition`` is ``"trf16"`` or ``"trf26"``; ``rounds`` is the number of rounds that the event is
    to have, if its own file does not say; ``headers`` are texts for records of :data:`HEADERS`, in
    place of what the event's file says.

    Raises EventError with everything that has no room in its columns, OptionError for an edition
    that is unknown and a header that it has not.
    """
    choose(edition, EDITIONS, "format")
    if event.complete is not None:
        event = event.complete(event)
    if not event.above and edition == TRF16:
        # points would not fit the results without what these count
        event = _without(event, _newer(event) - {"162"})
    said = set(headers or ())
    event = _with_headers(event, headers or {}, edition)
    if rounds:
        event, said = replace(event, planned=rounds), said | set(_ROUNDS.values())
    return _Writer(event, edition, said).written()


def _without(event: Tournament, codes: Collection[str]) -> Tournament:
    """An event without the records of these codes."""
    stay = [n for n, line in enumerate(event.records) if line[:3] not in codes]
    above = tuple(event.above[n] for n in stay) if event.above else ()
    return replace(event, records=tuple(event.records[n] for n in stay), above=above)


def _with_headers(event: Tournament, headers: Mapping[str, str], edition: str) -> Tournament:
    """An event of which something is said."""
    fields: dict[str, Any] = {}
    records = []
    for code, text in headers.items():
        if code not in HEADERS:
            raise OptionError(f"header must be one of {', '.join(HEADERS)}, got {code!r}")
        if edition == TRF16 and _NEWER.fullmatch(code):
            raise OptionError(f"header {code} belongs to TRF26: ask for the format trf26")
        text = " ".join(text.split())
        if code in _DAYS:
            fields |= {_DAYS[code]: _date(code, text), "year_only": False}
        elif code == "132":
            fields["days"] = tuple(_date(code, day.strip()) for day in text.split(","))
        elif code in _FIELDS:
            fields[_FIELDS[code]] = text
        else:
            records.append(f"{code} {text}")
    # in the place of a year: with one day that is said, the event has only that day
    if event.year_only and fields.keys() & _DAYS.values():
        fields = {"start": fields.get("end"), "end": fields.get("start")} | fields
    if days := fields.get("days"):
        known = event.start is not None and not event.year_only
        fields = {"start": event.start if known else min(days), "end": max(days)} | fields
        fields["year_only"] = False
    return _with_records(replace(event, **fields), records)


def _with_records(event: Tournament, records: Sequence[str]) -> Tournament:
    """An event with more records, which take the places of those with their codes."""
    lines = [*zip(event.records, event.above or (0,) * len(event.records), strict=True)]
    for record in records:
        places = [n for n, (line, _) in enumerate(lines) if line[:3] == record[:3]]
        place = places[0] if places else sum(above == 0 for _, above in lines)
        # a record that is replaced keeps its place, which may be between players
        above = lines[place][1] if places else 0
        lines = [line for n, line in enumerate(lines) if n not in places]
        lines.insert(place, (record, above))
    above_ = tuple(above for _, above in lines) if event.above else ()
    return replace(event, records=tuple(line for line, _ in lines), above=above_)


def _date(code: str, text: str) -> date:
    day = read_date(text)
    if day is None:
        raise OptionError(f"date of header {code} {why_none(text)}: {text!r}")
    return day


def _newer(event: Tournament) -> set[str]:
    """The codes of records that TRF16 has not."""
    return {line[:3] for line in event.records if _NEWER.fullmatch(line[:3])}


_DAYS: Final = {"042": "start", "052": "end"}
_FIELDS: Final = {"012": "name", "022": "city", "032": "federation", "122": "time_control"}


@dataclass
class _Writer:
    event: Tournament
    edition: str
    said: Set[str]
    """codes of records that are not those of the event's file"""
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def problem(self, what: str) -> None:
        self.problems.append(Problem(what))

    def written(self) -> Written:
        event = self.event
        if event.games and not event.pairings:
            self.problem("the event is too large for a report: its games have no rounds")
        header = self.header()
        players = self.players()
        if self.problems:
            raise EventError(self.problems)
        lines = [line for line, above in header if above == 0]
        for number, line in enumerate(players, start=1):
            lines.append(line)
            lines += [record for record, above in header if above == number]
        lines += list(self.teams())
        if self.problems:
            raise EventError(self.problems)
        text = "".join(line + "\r\n" for line in lines)
        return Written(text.encode(), tuple(self.notes))

    # -- the event --------------------------------------------------------------------------

    def header(self) -> list[tuple[str, int]]:
        """The records of the event, each with the number of players above it."""
        event = self.event
        made = dict(self.made())
        above = event.above or (0,) * len(event.records)
        records: list[tuple[str, int]] = []
        seen: set[str] = set()
        for line, place in zip(event.records, above, strict=True):
            code = line[:3]
            if code in made and (code in self.said or code not in _KEPT):
                if code not in seen:
                    records.append((made[code], place))
            elif code not in _ROUNDS.values() or code not in self.said:
                records.append((line, place))
            seen.add(code)
        more = [(line, 0) for code, line in made.items() if code not in seen]
        # a report that was read keeps its order: what is new follows what stood above players
        if event.above:
            first = sum(place == 0 for _, place in records)
            records[first:first] = more
        else:
            records = sorted(records + more, key=lambda record: record[0][:3])
        there = {line[:3] for line, _ in records}
        lacking = [code for code in _ASKED if code not in there]
        if lacking:
            listed = ", ".join(f"{HEADERS[code]} ({code})" for code in lacking)
            self.notes.append(f"FIDE's rating asks for what the event does not say: {listed}")
        newer = sorted(_newer(event) - {"###"})
        if newer and self.edition == TRF16:
            self.notes.append(f"kept, although TRF16 has no such records: {', '.join(newer)}")
        if event.undated is not None:
            self.notes.append(str(event.undated))
        for line, _ in records:
            self.legible("a record", line.replace("\t", " "))
        return records

    def made(self) -> Iterator[tuple[str, str]]:
        """The records that follow from the event, by their codes."""
        event = self.event
        texts = {"012": event.name, "022": event.city, "032": event.federation}
        if not event.year_only:
            texts |= {"042": _day(event.start), "052": _day(event.end)}
        texts["062"] = str(len(event.players))
        texts["072"] = str(sum(player.rating is not None for player in event.players))
        if event.teams:
            texts["082"] = str(len(event.teams))
        if _SECONDS.fullmatch(event.time_control) and self.edition == TRF26:
            texts["222"] = event.time_control
        else:
            texts["122"] = event.time_control
        texts["132"] = _days(event.days)
        texts[_ROUNDS[self.edition]] = str(self.rounds() or "")
        for code, text in texts.items():
            if text:
                yield code, f"{code} {unicodedata.normalize('NFC', text)}"

    def rounds(self) -> int:
        """How many rounds the event is to have."""
        event = self.event
        planned = event.planned
        if planned and planned < event.rounds:
            self.problem(f"the event has {event.rounds} rounds already, more than {planned}")
        if event.rounds_counted:
            self.notes.append("the file has no rounds: they are the first, second … game of each")
        if not planned and event.room:
            self.notes.append(f"number of rounds: {event.room}, as many as the book has room for")
        elif not planned and event.rounds:
            self.notes.append(f"number of rounds: {event.rounds}, as many as have begun")
        return planned or event.room or event.rounds

    # -- players ----------------------------------------------------------------------------

    def players(self) -> list[str]:
        event = self.event
        if event.rated_only:
            lines = [self.player(p, None, None) for p in event.players]
            self.notes.append(
                "points and ranks are blank: a club's book has the rated games, and not "
                "all forfeits and byes; a whole report is made from the event's own file"
            )
        else:
            ranks, points = self.ranks(), self.points()
            lines = [self.player(p, points[p.number], ranks[p.number]) for p in event.players]
        self.note_lacks()
        return lines

    def note_lacks(self) -> None:
        """Say what the lines of players lack."""
        event = self.event
        # notes, not faults: a pairing program reads such lines, and only FIDE asks for more
        self.note("no FIDE number (columns 58 to 68)", (p for p in event.players if not p.id))
        self.note(
            "the FIDE number is not a number",
            (p for p in event.players if p.id and not _bare(p.id).isdecimal()),
        )
        self.note("no birth date (columns 70 to 79)", (p for p in event.players if not _born(p)))
        self.note(
            "the birth date has the year only, as 1990/00/00",
            (p for p in event.players if _born(p).endswith("/00/00")),
        )
        self.note("no sex (column 10)", (p for p in event.players if not p.sex))
        self.note(
            "no federation (columns 54 to 56)", (p for p in event.players if not p.federation)
        )
        self.note(
            "the name has no comma between last and first name",
            (p for p in event.players if "," not in p.name),
        )
        self.note(
            "the colour of a game is not known (column 97 and so on)",
            (
                p
                for p in event.players
                if any(c.opponent and not c.colour for c in event.pairings.get(p.number, ()))
            ),
        )
        numbers = sorted(p.number for p in event.players)
        if numbers and numbers != list(range(1, len(numbers) + 1)):
            self.notes.append("the starting numbers have gaps, which some pairing programs refuse")

    def note(self, what: str, players: Iterable[Player]) -> None:
        named = list(players)
        if named:
            some = ", ".join(str(player.number) for player in named[:_SHOWN])
            some += ", …" * (len(named) > _SHOWN)
            many = "1 player" if len(named) == 1 else f"{len(named)} players"
            self.notes.append(f"{what}: {many} ({some})")

    def player(self, player: Player, points: float | None, rank: int | None) -> str:
        who = f"player {player.number}"
        rating = player.rating
        if rating is not None and not float(rating).is_integer():
            self.problem(f"the rating of {who} must be whole: {rating:g}")
            rating = None
        if points is not None and abs(points * 10 - round(points * 10)) > 1e-9:
            self.problem(f"the points of {who} must have one decimal: {points:g}")
        texts = (
            ("starting number", str(player.number), trf.NUMBER),
            ("sex", player.sex, trf.SEX),
            ("title", player.title, trf.TITLE),
            ("name", unicodedata.normalize("NFC", " ".join(player.name.split())), trf.NAME),
            ("rating", "" if rating is None else f"{rating:.0f}", trf.RATING),
            ("federation", player.federation, trf.FEDERATION),
            ("FIDE number", _bare(player.id), trf.ID),
            ("birth date", _born(player), trf.BIRTH),
            ("points", "" if points is None else f"{points:.1f}", trf.POINTS),
            ("rank", "" if rank is None else str(rank), trf.RANK),
        )
        line = "001"
        for what, text, at in texts:
            self.fits(what, text, trf.width(at), who)
            left = at in (trf.NAME, trf.FEDERATION, trf.BIRTH)
            room = trf.width(at)
            line = line.ljust(at[0] - 1) + (text.ljust(room) if left else text.rjust(room))
        return (line.ljust(trf.ROUNDS - 1) + "  ".join(self.cells(player))).rstrip()

    def fits(self, what: str, text: str, room: int, who: str) -> None:
        if len(text) > room:
            what = f"the {what} of {who} has {len(text)} characters, its columns {room}: {text!r}"
            self.problem(what)
        self.legible(f"the {what} of {who}", text)

    def legible(self, what: str, text: str) -> None:
        if any(unicodedata.category(letter) in _NO_LETTERS for letter in text):
            self.problem(f"{what} has signs that are no text: {text!r}")

    def cells(self, player: Player) -> Iterator[str]:
        """The rounds of a player, as far as the file has them."""
        blank = " " * 8
        pairings, announced = self.event.pairings, self.event.announced
        for cell in pairings.get(player.number, ()):
            # a bye for a round to come stays where it stands
            to_come = cell.round > self.over and (player.number, cell.round) in announced
            if cell.opponent is not None and cell.code in _ALONE:
                yield f"0000 - {cell.code}"
            elif cell.opponent is not None and not cell.code and self.beside_bye(cell):
                yield blank
            elif cell.opponent is not None:
                yield f"{cell.opponent:>4} {cell.colour or '-'} {cell.code or ' '}"
            elif cell.code and not to_come:
                yield f"0000 - {cell.code}"
            elif not (to_come or self.event.above or self.event.rated_only):
                yield "0000 - Z"
            else:  # a report's blank cell, or what a book does not know
                yield blank

    def beside_bye(self, cell: Pairing) -> bool:
        """Whether the opponent of a game without a result has a bye."""
        others = self.event.pairings.get(cell.opponent or 0, ())
        return any(other.round == cell.round and other.code in _ALONE for other in others)

    @cached_property
    def over(self) -> int:
        """The last round with a result of a game."""
        cells = (cell for cells in self.event.pairings.values() for cell in cells)
        return max((cell.round for cell in cells if cell.opponent and cell.code), default=0)

    def points(self) -> Mapping[int, float]:
        """The points of all players: as the event's file states them, or by their results."""
        event, scoring = self.event, scoring_of(self.event)

        def of(player: Player) -> float:
            if player.points is not None:
                return player.points
            cells: Sequence[Pairing] = event.pairings.get(player.number, ())
            return scoring.points(player.number, [(cell.colour, cell.code) for cell in cells])

        return {player.number: of(player) for player in event.players}

    def ranks(self) -> Mapping[int, int]:
        """The ranks of all players; those without follow by points."""
        event, points = self.event, self.points()
        ranks = {p.number: p.rank for p in event.players if p.rank is not None}
        others = sorted(-points[p.number] for p in event.players if p.number not in ranks)
        if others:
            self.note(
                "the rank is by points alone" if not ranks else "not in the standings, ranked last",
                (p for p in event.players if p.number not in ranks),
            )
        last = max(ranks.values(), default=0)
        return {
            number: ranks.get(number, last + 1 + bisect_left(others, -score))
            for number, score in points.items()
        }

    # -- teams ------------------------------------------------------------------------------

    def teams(self) -> Iterator[str]:
        teams, points, cells = self.event.teams, self.points(), self.event.pairings
        scores = [sum(points[number] for number in team) for _, team in teams]
        # the points of a match are known only once all of its games are
        over = all(
            c.code for _, team in teams for n in team for c in cells.get(n, ()) if c.opponent
        )
        for number, (name, team) in enumerate(teams, start=1):
            self.fits("name", name, _TEAM, f"team {number}")
            members = " ".join(f"{member:>4}" for member in team)
            if self.edition == TRF16:
                yield f"013 {name:<{_TEAM}}{members}"
                continue
            own = scores[number - 1]
            others = scores[: number - 1] + scores[number:]
            match = sum(2.0 if own > other else 1.0 if own == other else 0.0 for other in others)
            rank = 1 + sum(score > own for score in scores)
            yield (
                f"310 {number:>3} {name:<{_TEAM}} {'':5} {'':6} "
                f"{f'{match:.1f}' if over else '':>6} {own:>6.1f} {rank:>3}  {members}"
            )


_KEPT: Final = frozenset(
    ("012", "022", "032", "062", "072", "082", "092", "122", "222", "142", "XXR")
)
"""records of a report that stay as they are"""
_ALONE: Final = frozenset("HFUZ")
"""the codes of byes, beside which no opponent is written"""
_NO_LETTERS: Final = frozenset(("Cc", "Zl", "Zp"))


def _day(day: date | None) -> str:
    return "" if day is None else f"{day:%Y/%m/%d}"


def _days(days: Sequence[date | None]) -> str:
    """What record 132 says, from its fifth column on."""
    shown = "  ".join(f"{day:%y/%m/%d}" if day else " " * 8 for day in days).rstrip()
    return shown and " " * (trf.ROUNDS - 5) + shown


def _bare(number: str) -> str:
    """A number without the quotation marks that spreadsheets put around it."""
    bare = number.strip("'\"’‘`´ ")
    return bare if bare.isascii() and bare.isdigit() else number


def _born(player: Player) -> str:
    if player.born is not None and player.born.year == player.birth_year:
        return _day(player.born)
    return f"{player.birth_year}/00/00" if player.birth_year is not None else ""
