"""Events as CSV: a file of games and a file of players; the latter also with other event files.

**Both files.** The first line names the columns, in any order and in upper or lower case; unknown
columns are ignored with a warning. The cells are separated by commas, semicolons or tabs, as the
first line shows; with semicolons or tabs, numbers may have a decimal comma. The encoding is UTF-8,
with or without a byte order mark, or Latin-1. Dates are written as ``2026-03-07``, ``07.03.2026``
or ``March 7, 2026``.

**Players**, one per line:

========================================= =========================================================
``number`` (no, nr, start no)             starting number; 1, 2, 3 … in file order if omitted
``name`` (player)                         required for an event
``id`` (fide id, fide no)                 FIDE number or any other identifier
``rating`` (elo, rtg)                     blank or 0 for an unrated player
``k`` (k factor)                          0 to 100; if blank, the rulebook decides
``games`` (gms, rated games)              rated games before the event
``birth`` (birth year, born, b-day, yob)  a year or a date
``age``                                   instead of a birth year: event's year minus birth year
``peak`` (highest, highest rating)        highest published rating
``federation`` (fed, country)
``title``, ``sex`` (gender)
========================================= =========================================================

**Games**, one per line:

========================================= =========================================================
``white`` or ``first`` (player, home)     the first player: a name, an id or a starting number
``black`` or ``second`` (opponent, away)  the second player; blank or ``bye`` if there is none
``result`` (score, res)                   the first player's: ``1``, ``0,5``, ``1-0``, ``½-½``, …;
                                          ``+:-``, ``bye`` and the like are not rated
``round`` (rd)                            if omitted, the next round of each player
``date``
========================================= =========================================================

As many spreadsheets write them, lines may end in CR, LF or both, and a cell that contains the
delimiter is in double quotes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from elo_xl.engine.errors import RatingError
from elo_xl.engine.results import ROUND_CODES, read_codes
from elo_xl.tournament.csv_table import CsvRow, CsvTable, plain
from elo_xl.tournament.dates import read_date
from elo_xl.tournament.event import EventError, Game, Pairing, Player, Problem, Tournament
from elo_xl.tournament.text import (
    Source,
    birth_year,
    file_name,
    same_name,
    sex,
    title,
    whole,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

_MOST_ROUNDS: Final = 999
_MOST_K: Final = 100

_PLAYER_COLUMNS: Final = {
    "number": "number no nr num snr startno startnumber startingnumber startnr pairingnumber",
    "name": "name player playername fullname",
    "id": "id fideid fideno fidenumber fidenr idnumber playerid",
    "rating": "rating elo rtg fiderating rtgfide",
    "k": "k kfactor",
    "games": "games gms ratedgames gamesplayed",
    "birth": "birth birthyear yearofbirth born bday birthday birthdate dateofbirth yob dob",
    "age": "age",
    "peak": "peak peakrating highest highestrating",
    "federation": "federation fed country",
    "title": "title tit fidetitle",
    "sex": "sex gender",
}
_GAME_COLUMNS: Final = {
    "round": "round rd rnd",
    "first": "white first firstplayer whiteplayer player player1 home",
    "second": "black second secondplayer blackplayer opponent player2 away",
    "result": "result score res",
    "date": "date day played",
}
_BYE_CODES: Final = {"1": "U", "=": "H", "0": "Z", "": "U"}
_NOBODY: Final = frozenset(["", "bye", "-", "0", "0000"])


@dataclass(frozen=True, slots=True)
class PlayerEntry:
    """One line of a players file; what it does not state is None or empty."""

    name: str = ""
    number: int | None = None
    id: str = ""
    rating: float | None = None
    k: float | None = None
    games: int | None = None
    birth_year: int | None = None
    age: int | None = None
    peak: float | None = None
    federation: str = ""
    title: str = ""
    sex: str = ""
    line: int | None = None
    """its line in the file"""


@dataclass(frozen=True, slots=True)
class PlayersFile:
    """The entries of a players file, in its order."""

    entries: tuple[PlayerEntry, ...]
    name: str = ""
    """the file's name, for messages"""
    warnings: tuple[Problem, ...] = ()


def read_players(source: Source) -> PlayersFile:
    """Read a players file, given as a path or as the file's bytes.

    >>> file = read_players(b"Name;Elo;K-factor;born\\nOkafor, Ngozi;2230,5;20;2001\\n")
    >>> entry = file.entries[0]
    >>> entry.name, entry.rating, entry.k, entry.birth_year
    ('Okafor, Ngozi', 2230.5, 20.0, 2001)

    The docstring of the module lists the columns. Every line needs a name, an id or a number.

    Raises :class:`EventError` with every problem of the file, and OSError if it cannot be read.
    """
    table = CsvTable(source, _PLAYER_COLUMNS)
    entries = tuple(_entries(table))
    if table.problems:
        raise EventError(table.problems)
    return PlayersFile(entries, table.name, tuple(table.warnings))


def with_players(tournament: Tournament, players: PlayersFile) -> Tournament:
    """Add to an event what a players file says about its players.

    >>> event = read_games(b"white,black,result\\nAna,Ben,1-0\\n", b"name,rating\\nAna,1800\\nBen,\\n")
    >>> event = with_players(event, read_players(b"name,rating,k\\nANA,1850,20\\n"))
    >>> event.players[0].rating, event.players[0].k
    (1850.0, 20.0)

    Players are found by id, otherwise by name (case and surplus blanks do not matter), and a line
    with neither by starting number. What a line states, even a rating, replaces what the event's
    own file says. The warnings tell how many ratings were replaced, and which lines fit no player
    of the event.

    Raises :class:`EventError` for a line that fits two players, two lines that fit one, and an age
    in an event without a date.
    """  # noqa: E501
    problems: list[Problem] = []
    entry_of: dict[int, PlayerEntry] = {}
    strangers: list[str] = []
    find = _Finder(tournament.players)

    def problem(what: str, entry: PlayerEntry) -> None:
        problems.append(Problem(what, entry.line, None, players.name))

    for entry in players.entries:
        found = find(entry)
        called = entry.id or entry.name or str(entry.number)
        if len(found) > 1:
            who = " and ".join(str(player.number) for player in found)
            problem(f"{called!r} may be player {who}: give the id", entry)
        elif not found:
            strangers.append(entry.name or called)
        elif found[0].number in entry_of:
            first = entry_of[found[0].number].line
            problem(f"player {found[0].name!r} occurs twice, first on line {first}", entry)
        else:
            entry_of[found[0].number] = entry
            if entry.age is not None and entry.birth_year is None and tournament.start is None:
                problem(
                    f"an age needs the event's date, which is unknown, got {entry.age}: "
                    "give the birth year",
                    entry,
                )
    if problems:
        raise EventError(problems)
    changed = tuple(
        _with_entry(player, entry_of[player.number], tournament.start)
        if player.number in entry_of
        else player
        for player in tournament.players
    )
    return replace(
        tournament,
        players=changed,
        warnings=(
            *tournament.warnings,
            *players.warnings,
            *_notes(tournament.players, changed, strangers, players),
        ),
    )


def read_games(games: Source, players: Source, *, name: str | None = None) -> Tournament:
    """Read an event from a file of games and a file of players, as paths or the files' bytes.

    >>> event = read_games(
    ...     b"round,white,black,result\\n1,Ana,Ben,1/2\\n1,Cy,,bye\\n2,3,1,0-1\\n",
    ...     b"name,rating\\nAna,1800\\nBen,\\nCy,1650\\n",
    ... )
    >>> [(game.first, game.second, game.score) for game in event.games]
    [(1, 2, 0.5), (3, 1, 0.0)]
    >>> event.pairings[3][0].code
    'U'

    The docstring of the module lists the columns. ``name`` is the name of the event; by default it
    is made from the name of the games file. The event starts on the first and ends on the last date
    of a game.

    Raises :class:`EventError` with every problem of both files, and OSError if one cannot be read.
    """
    listed = CsvTable(players, _PLAYER_COLUMNS, name="players")
    entries = list(_entries(listed, event=True))
    table = CsvTable(games, _GAME_COLUMNS, name="games")
    table.require("first", "second", "result")
    event = _Games(table, _numbered(entries, listed), listed)
    event.read()
    event.ages()
    problems = [*listed.problems, *table.problems]
    if problems:
        raise EventError(problems)
    return event.tournament(_title(file_name(games)) if name is None else name)


# the cells


def _title(file: str) -> str:
    stem = re.sub(r"[\s_-]+", " ", file.rpartition(".")[0] or file)
    stem = re.sub(r" ?\bgames$", "", stem, flags=re.IGNORECASE).strip()
    return stem[:1].upper() + stem[1:]


# the players


def _entries(table: CsvTable, event: bool = False) -> Iterator[PlayerEntry]:
    """The entries of a players file; for an event each needs a name."""
    if event:
        table.require("name")
    elif table.top is not None and not {"name", "id", "number"} & table.columns.keys():
        table.problem("there is no column for the name, the id or the number")
        return
    for row in table.rows:
        start = table.count(row, "number")
        if start == 0:
            table.problem("number must be above 0: '0'", row, "number")
        name = " ".join(row["name"].split())
        if event and not name and "name" in table.columns:
            table.problem("the name is missing", row, "name")
        elif not event and not (name or row["id"] or row["number"]):
            table.problem("the line has neither name nor id nor number", row)
        birth = row["birth"] if row["birth"].strip("0./- ") else ""
        year = _year(birth)
        if birth and year is None:
            table.problem(f"birth year is not understood: {birth!r}", row, "birth")
        yield PlayerEntry(
            name=name,
            number=start,
            id=row["id"] if row["id"].strip("0") else "",
            rating=table.number(row, "rating") or None,
            k=_k_factor(table, row),
            games=table.count(row, "games"),
            birth_year=year,
            age=table.count(row, "age"),
            peak=table.number(row, "peak") or None,
            federation=row["federation"],
            title=title(row["title"]),
            sex=sex(row["sex"]),
            line=row.line,
        )


def _k_factor(table: CsvTable, row: CsvRow) -> float | None:
    k = table.number(row, "k")
    if k is not None and not 0 <= k <= _MOST_K:
        table.problem(f"K must be from 0 to {_MOST_K}: {row['k']!r}", row, "k")
        return None
    return k


def _year(text: str) -> int | None:
    day = read_date(text)
    return day.year if day else birth_year(text)


def _numbered(entries: list[PlayerEntry], table: CsvTable) -> list[PlayerEntry]:
    """The entries of an event with starting numbers; without that column they count from 1."""
    if "number" not in table.columns:
        entries = [replace(entry, number=place) for place, entry in enumerate(entries, start=1)]
    first: dict[tuple[str, str], int] = {}
    for entry, row in zip(entries, table.rows, strict=False):
        if "number" in table.columns and not row["number"]:
            table.problem("the number is missing", row, "number")
        for column, value in ("number", row["number"]), ("id", entry.id):
            if value and (line := first.setdefault((column, value), row.line)) != row.line:
                table.problem(f"{column} {value} occurs twice, first on line {line}", row, column)
    return entries


class _Finder:
    """Finds the players that an entry may mean: by id, otherwise by name, otherwise by number."""

    def __init__(self, players: tuple[Player, ...]) -> None:
        self.ids: dict[str, list[Player]] = {}
        self.names: dict[str, list[Player]] = {}
        self.numbers = {player.number: [player] for player in players}
        for player in players:
            self.ids.setdefault(player.id, []).append(player)
            self.names.setdefault(same_name(player.name), []).append(player)

    def __call__(self, entry: PlayerEntry) -> list[Player]:
        if entry.id and entry.id in self.ids:
            return self.ids[entry.id]
        if entry.name:
            # a different id means another person of the same name
            same = self.names.get(same_name(entry.name), [])
            return [player for player in same if not (entry.id and player.id)]
        if entry.number is not None and not entry.id:
            return self.numbers.get(entry.number, [])
        return []


def _with_entry(player: Player, entry: PlayerEntry, start: date | None) -> Player:
    born = entry.birth_year
    if born is None and entry.age is not None and start is not None:
        born = start.year - entry.age

    return replace(
        player,
        rating=player.rating if entry.rating is None else entry.rating,
        federation=entry.federation or player.federation,
        id=entry.id or player.id,
        sex=entry.sex or player.sex,
        title=entry.title or player.title,
        birth_year=player.birth_year if born is None else born,
        k=player.k if entry.k is None else entry.k,
        games=player.games if entry.games is None else entry.games,
        peak=player.peak if entry.peak is None else entry.peak,
    )


def _notes(
    before: tuple[Player, ...],
    after: tuple[Player, ...],
    strangers: list[str],
    players: PlayersFile,
) -> Iterator[Problem]:
    source = players.name or "the players file"
    ratings = sum(old.rating != new.rating for old, new in zip(before, after, strict=True))
    if ratings:
        what = "rating" if ratings == 1 else "ratings"
        yield Problem(f"{ratings} {what} taken from {source}")
    if strangers:
        some = ", ".join(strangers[:3]) + (", …" if len(strangers) > 3 else "")
        yield Problem(
            f"{len(strangers)} of {len(players.entries)} players in {source} are not in the "
            f"event: {some}"
        )


# the games


@dataclass(slots=True)
class _Games:
    """The games of one file between the players of another."""

    table: CsvTable
    entries: list[PlayerEntry]
    listed: CsvTable
    pairings: dict[int, dict[int, tuple[Pairing, int]]] = field(default_factory=dict)
    """by player and round, with the line"""
    games: list[Game] = field(default_factory=list)
    days: list[date] = field(default_factory=list)
    _known: dict[str, set[int]] = field(default_factory=dict)

    def read(self) -> None:
        for entry in self.entries:
            if entry.number is not None:
                self.pairings.setdefault(entry.number, {})
                for key in (entry.name, entry.id, str(entry.number)):
                    if key:
                        self._known.setdefault(same_name(key), set()).add(entry.number)
        if {"first", "second", "result"} <= self.table.columns.keys():
            for row in self.table.rows:
                self.game(row)

    def who(self, row: CsvRow, column: str) -> int | None:
        """Find a player by name, id or number; otherwise report a problem and return None."""
        text = row[column]
        found = self._known.get(same_name(text), set())
        if len(found) == 1:
            return next(iter(found))
        if found:
            numbers = " and ".join(map(str, sorted(found)))
            self.table.problem(f"{text!r} may be player {numbers}", row, column)
        elif not text:
            self.table.problem("the first player is missing", row, column)
        # a problem of the players file is not reported a second time
        elif self.listed.whole and "name" in self.listed.columns:
            self.table.problem(f"player is not in {self.listed.name}: {text!r}", row, column)
        return None

    def game(self, row: CsvRow) -> None:
        self.day(row)
        codes = self.codes(row)
        first = self.who(row, "first")
        alone = same_name(row["second"]) in _NOBODY - self._known.keys()
        second = None if alone else self.who(row, "second")
        if first is None or codes is None or (second is None and not alone):
            self.round(row, [])
            return
        if first == second:
            self.table.problem(f"player {first} is paired with themselves", row, "second")
            return
        players = [first] if second is None else [first, second]
        round = self.round(row, players)
        if round is None:
            return
        for player in players:
            if round in self.pairings[player]:
                line = self.pairings[player][round][1]
                self.table.problem(
                    f"player {player} has two games in round {round}, the first on line {line}",
                    row,
                    "first" if player == first else "second",
                )
                return
        a, b = codes
        if second is None:
            code = _BYE_CODES.get(a, a)
            self.pairings[first][round] = Pairing(round, None, "", code), row.line
            return
        white, black = self.colours()
        self.pairings[first][round] = Pairing(round, second, white, a), row.line
        self.pairings[second][round] = Pairing(round, first, black, b), row.line
        if ROUND_CODES[a].rated:
            self.games.append(Game(round, first, second, ROUND_CODES[a].points))
        elif a not in ("+", "-"):
            what = f"a bye has an opponent: {row['result']!r}" if a else "the game has no result"
            self.table.warn(what, row, "result")

    def ages(self) -> None:
        """Report ages that cannot become birth years because the games have no date."""
        for entry, row in zip(self.entries, self.listed.rows, strict=False):
            if entry.age is not None and entry.birth_year is None and not self.days:
                self.listed.problem(
                    f"an age needs the date of a game, got {entry.age}: give the birth year",
                    row,
                    "age",
                )

    def colours(self) -> tuple[str, str]:
        white = plain(self.table.headings["first"]).startswith("white")
        black = plain(self.table.headings["second"]).startswith("black")
        return ("w", "b") if white and black else ("", "")

    def codes(self, row: CsvRow) -> tuple[str, str] | None:
        try:
            return read_codes(row["result"])
        except RatingError as error:
            self.table.problem(str(error), row, "result")
            return None

    def round(self, row: CsvRow, players: list[int]) -> int | None:
        text = row["round"]
        if "round" not in self.table.columns:
            return 1 + max((max(self.pairings[p], default=0) for p in players), default=0)
        round = whole(text)
        if not text:
            self.table.problem("the round is missing", row, "round")
        elif round is None or not 1 <= round <= _MOST_ROUNDS:
            self.table.problem(
                f"round must be a whole number from 1 to {_MOST_ROUNDS}: {text!r}", row, "round"
            )
            return None
        return round

    def day(self, row: CsvRow) -> None:
        if not row["date"]:
            return
        day = read_date(row["date"])
        if day is None:
            self.table.problem(f"date is not understood: {row['date']!r}", row, "date")
        else:
            self.days.append(day)

    def tournament(self, name: str) -> Tournament:
        start, end = min(self.days, default=None), max(self.days, default=None)
        warnings = [*self.listed.warnings, *self.table.warnings]
        if start is None:
            warnings.append(Problem("the games have no dates"))
        rounds = max((round for cells in self.pairings.values() for round in cells), default=0)
        return Tournament(
            name=name,
            players=tuple(
                _with_entry(Player(entry.number, entry.name), entry, start)
                for entry in self.entries
                if entry.number is not None
            ),
            pairings={
                player: tuple(
                    cells[round][0] if round in cells else Pairing(round, None, "", "")
                    for round in range(1, rounds + 1)
                )
                for player, cells in self.pairings.items()
            },
            games=tuple(sorted(self.games, key=lambda game: game.round)),
            rounds=rounds,
            start=start,
            end=end,
            warnings=tuple(warnings),
        )
