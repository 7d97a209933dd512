"""Books that people have filled in, as events: what was typed into them is rated like any file.

They are read by :mod:`elo_xl.templates.opened`, wherever their entries stand, and then judged as
tables are (:mod:`elo_xl.events.games`), so that every problem names its cell.
"""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any, Final

from openpyxl.utils import coordinate_to_tuple
from openpyxl.utils.datetime import from_excel

from elo_xl.books.book import Book
from elo_xl.books.commands import Games, GamesKind
from elo_xl.books.entries import Entry
from elo_xl.books.faults import faults
from elo_xl.books.identity import PART, said_in_ods, template_said
from elo_xl.books.model import Constant
from elo_xl.books.model import Table as DeclaredTable
from elo_xl.books.signs import check_sign
from elo_xl.engine.errors import OptionError
from elo_xl.engine.results import ROUND_CODES, read_codes
from elo_xl.engine.tie_breaks import EDITION_SAID, EDITIONS
from elo_xl.events.assembly import Assembly
from elo_xl.events.berger import meeting
from elo_xl.events.event import EventError, League, Pairing, Problem, SidesError, Tournament
from elo_xl.events.fields import Bounds
from elo_xl.events.games import Listed, add_games, is_day
from elo_xl.events.players import PlayerEntry, entries_of, in_order
from elo_xl.events.sheets import DAMAGED, Sheet, shown
from elo_xl.events.table import Columns, Row, Table
from elo_xl.events.tables import days_of
from elo_xl.languages import is_yes
from elo_xl.people import same_name
from elo_xl.templates.blocks.tie_breaks import THREE, TIE_BREAKS
from elo_xl.templates.gallery import TEMPLATES
from elo_xl.templates.opened import EntriesError, OldBook, checked, old_book
from elo_xl.templates.round_robin import column_of
from elo_xl.xlsx.fill import column_letters
from elo_xl.xlsx.folding import number_of
from elo_xl.xlsx.formula import parse
from elo_xl.xlsx.in_place import WorkbookError

_PLAYER: Final = {"fide_id": "id"}
"""columns of a book that are called otherwise in other tables"""
_LAST_DAY: Final = 2_958_465  # 31 December 9999
_META: Final = "meta.xml"
"""the properties of an ods file"""
_MOST_SAID: Final = 1 << 20
"""Bytes that the properties of a book may have."""
_SIGNS: Final = {1.0: "1", 0.5: "½", 0.0: "0"}
"""How a score is typed."""

Rows = dict[int, dict[str, Entry]]
"""The typed cells of a table by row and column."""


def template_of(file: bytes) -> str:
    """The template that a file says it was made from; empty for any other file."""
    try:
        with zipfile.ZipFile(io.BytesIO(file)) as archive:
            part = _META if _META in archive.namelist() else PART
            entry = archive.getinfo(part)
            parts = {part: archive.read(entry)} if entry.file_size < _MOST_SAID else {}
        meta = parts.get(_META)
        return template_said(parts) if meta is None else said_in_ods(meta)
    except (KeyError, SyntaxError, *DAMAGED):
        return ""


def read_event_book(file: bytes, name: str = "", *, unplayed: bool = False) -> Tournament:
    """The event in the file of a book; ``name`` is the file's, for messages. With ``unplayed``
    there need be no games yet.

    Raises EventError with every problem, each with its cell, and for books that have no games.
    """
    try:
        old = old_book(file)
    except (EntriesError, OptionError, WorkbookError) as wrong:
        raise EventError([Problem(str(wrong), file=name)]) from None
    games, made = old.book.commands.games, f"it was made from {old.template}"
    if games is None:
        made += ", which has no games of two players"
    elif games.kind == "events":
        made += ", which has several events: elo-xl export --event writes one as a file"
    if games is not None and games.kind == "sides":
        what = f"{made}, whose games are not of two players: elo-xl rate takes them from the book"
        raise SidesError([Problem(what, file=name)])
    if games is None or games.kind == "events":
        raise EventError([Problem(made, file=name)])
    try:
        event = _Book(old, games, name).event(unplayed)
    except EntriesError as wrong:
        raise EventError([Problem(str(wrong), file=name)]) from None
    return replace(event, complete=partial(completed, old))


class _Book:
    """A book with what was typed into its tables."""

    def __init__(self, old: OldBook, games: Games, name: str) -> None:
        self.old, self.name, self.of = old, name, games
        self.singles: dict[str, Entry] = {}
        self.tables: dict[str, Rows] = {}
        self.year_only = False
        self.personal: dict[int, dict[str, str]] = {}
        """club and categories of the players"""
        self.more: dict[str, Any] = {}
        """what only events of this template have"""
        for key, entry in old.entries.typed.items():
            if key.row:
                self.tables.setdefault(key.name, {}).setdefault(key.row, {})[key.column] = entry
            else:
                self.singles[key.name] = entry
        if games.of or "score" in games.says:
            book, wrong = checked(old)
            if wrong:
                raise EventError(map(Problem, wrong))
            self.take(book)

    def take(self, book: Book) -> None:
        """Take players and scores that the book works out in place of what is typed."""
        games = self.of
        if games.of:
            table = book.tables[games.of]
            where = f"{table.sheet.title}!{column_letters(table.left)}"
            self.tables[games.of] = {}
            for row in range(1, table.rows + 1):
                at = f"{where}{table.first + row - 1}"
                values = {key: table.worth(games.says[key], row - 1) for key in ("name", "rating")}
                if values["name"]:
                    self.tables[games.of][row] = {
                        key: Entry(value, at) for key, value in values.items() if value is not None
                    }
            if "now" in games.says:
                rows = self.tables[games.of]
                self.more["now"] = tuple(self.number(table, "now", row) for row in rows)
            if "win" in games.says:
                self.more["league"] = self.league(table)
        if (formula := games.says.get("score")) is not None:
            table = book.tables[games.table]
            for row, cells in self.tables.get(games.table, {}).items():
                score = table.worth(formula, row - 1)
                if isinstance(score, float) and score in _SIGNS:
                    typed = cells.get("result") or next(iter(cells.values()))
                    cells["result"] = typed._replace(value=_SIGNS[score])

    def league(self, table: DeclaredTable) -> League:
        """What the book says of a league."""
        win, draw, loss, home, margin = (
            self.number(table, key) for key in ("win", "draw", "loss", "home", "margin")
        )
        return League((win, draw, loss), home, margin)

    def number(self, table: DeclaredTable, key: str, row: int = 1) -> float:
        """What the book says in a row; NaN for what it cannot work out."""
        value = table.worth(self.of.says[key], row - 1)
        return float(value) if isinstance(value, int | float) else math.nan

    @property
    def rules(self) -> str:
        """The rulebook of the book; blank for one that rates by rules of its own, or not at all."""
        template = TEMPLATES.get(self.old.template)
        return self.old.options.rules if template is None or template.rules else ""

    def said(self, name: str) -> str:
        return shown(self.singles[name].value) if name in self.singles else ""

    def event(self, unplayed: bool) -> Tournament:
        event = Assembly()
        tables, entries = _READERS[self.of.kind](self, event)
        games = tables[1]
        days = days_of(event, games)
        # the days of games first: the settings may have only a year for the ages
        if not days:
            days = self.days(games)
        problems = [problem for table in tables for problem in in_order(table.problems)]
        if problems := [*self.settings(), *problems]:
            raise EventError(problems)
        if not event.lines and not unplayed:
            what = f"a book made from {self.old.template}, with nothing typed into it that is rated"
            raise EventError([Problem(what, file=self.name)])
        warnings = [warning for table in tables for warning in table.warnings]
        understood = [f"A book made from {self.old.template}: {self.name or 'as bytes'}"]
        done = event.tournament(self.said("Event"), entries, days, warnings, understood)
        records = {"092": self.old.book.commands.report, "102": self.said("Arbiter")}
        return replace(
            done,
            players=tuple(
                replace(
                    player, club=said.get("club", ""), categories=_parted(said.get("category", ""))
                )
                for player in done.players
                for said in [self.personal.get(player.number, {})]
            ),
            rules=self.rules,
            city=self.said("Place"),
            year_only=self.year_only,
            records=(
                *(f"{code} {said}" for code, said in records.items() if said),
                *self.scoring(),
            ),
            **self.more,
        )

    def settings(self) -> Iterator[Problem]:
        """Settings that the book cannot read, without working it out."""
        for name, entry in self.singles.items():
            text, cell = shown(entry.value), self.old.book.singles[name]
            least, most = number_of(cell.least), number_of(cell.most)
            if (choices := cell.choices) and text.casefold() not in map(str.casefold, choices):
                yield Problem(f"{text!r} is none of {', '.join(choices)} @ {entry.where}")
            elif least is not None and most is not None and name not in _SHOWN:
                try:
                    what = name.replace("_", " ").lower()
                    Bounds(what, least, most, cell.kind == "whole").read(text)
                except ValueError as wrong:
                    yield Problem(f"{wrong} @ {entry.where}")

    def scoring(self) -> Iterator[str]:
        """The record of what games and byes count, unless that is usual."""
        if not {"Game_points", "Bye_counts"} & self.singles.keys():
            return
        full, half = (3.0, 1.0) if self.said("Game_points") == THREE else (1.0, 0.5)
        say = self.old.book.say
        byes = {say("sign_draw"): half, say("sign_loss"): 0.0}
        bye = byes.get(self.said("Bye_counts"), full)
        if (full, bye) != (1.0, 1.0):
            worth = {"W": full, "D": half, "L": 0.0, "A": 0.0, "P": bye}
            yield "162  " + "    ".join(f"{code} {points:.1f}" for code, points in worth.items())

    def days(self, table: Table) -> list[date]:
        """The days that the settings name, or else the first one of the year for the ages."""
        typed = self.singles.get("Dates")
        if typed is not None and not _year_alone(typed.value) and (day := _day(typed.value)):
            return [day]
        year = self.said("List_year") or self.said("Dates")
        if not year.isdigit():
            return []
        what = f"the games have no dates: 1 January {year} is used for the players' ages"
        table.warnings.append(Problem(what))
        self.year_only = True
        return [date(int(year), 1, 1)]

    # -- tables -----------------------------------------------------------------------------

    @property
    def players(self) -> tuple[str, ...]:
        """The tables into which players are typed."""
        return self.old.book.commands.players

    def people(self, name: str, before: int = 0) -> tuple[Table, list[PlayerEntry]]:
        """The players of a table, numbered by their rows, ``before`` others."""
        rows = self.tables.get(name, {})
        table = self.table(name, rows, lambda _, column: _PLAYER.get(column, column))
        table.in_book = True
        numbers = [before + row for row in sorted(rows)]
        entries = list(entries_of(table, event=True))
        self.twins(entries, table)
        for row in table.rows():
            if row["out"] and not is_yes(row["out"]):
                table.problem(f"expected x or blank, got {row['out']!r}", row, "out")
        self.personal |= {
            before + row: {
                key: shown(cells[key].value) for key in ("club", "category") if key in cells
            }
            for row, cells in rows.items()
        }
        return table, [replace(e, number=n) for e, n in zip(entries, numbers, strict=True)]

    @staticmethod
    def twins(entries: Sequence[PlayerEntry], table: Table) -> None:
        """Report names that stand twice, as the book itself does: its formulas find the first."""
        first: dict[str, int] = {}
        for entry, row in zip(entries, table.rows(), strict=True):
            if (
                entry.name
                and (line := first.setdefault(same_name(entry.name), row.line)) != row.line
            ):
                what = (
                    f"the name {entry.name!r} stands twice, first in row {line}: tell the two "
                    "players apart, say by the year of birth"
                )
                table.problem(what, row, "name")

    def table(
        self,
        name: str,
        rows: Rows,
        column_of: Callable[[int, str], str],
        more: Callable[[int], Mapping[str, str]] = lambda _: {},
    ) -> Table:
        """A table of the book by the columns of other tables; ``more`` are cells of a row beside
        those that were typed."""
        made = [self.row(cells, more(row), row, column_of) for row, cells in sorted(rows.items())]
        title = self.title(name)
        columns: Columns = {}
        for row in made:
            columns |= row.columns
        if name in (*self.players, self.of.of):
            columns.setdefault("name", 1)
        table = Table(Sheet(self.name, title, lambda: iter(())), 1, columns)
        table.only = made
        table.asks = True
        signs = [str(row["sign"]) for row in self.old.book.rows_of("Signs").values()]
        if signs and "score" not in self.of.says:
            table.check_result = partial(check_sign, signs=signs)
        return table

    def row(
        self,
        cells: Mapping[str, Entry],
        more: Mapping[str, str],
        number: int,
        column_of: Callable[[int, str], str],
    ) -> Row:
        columns: Columns = {}
        texts: dict[str, str] = {}
        line = 0
        for key, entry in cells.items():
            column = column_of(number, key)
            line, place = coordinate_to_tuple(entry.where.rpartition("!")[2])
            columns[column] = place - 1
            texts[column] = _text(entry.value, column)
        return _BookRow(line, columns | dict.fromkeys(more, 0), {**texts, **more})

    def title(self, name: str) -> str:
        return self.old.book.tables[name].sheet.title

    def games(
        self,
        name: str,
        listed: Listed,
        event: Assembly,
        more: Callable[[int], Mapping[str, str]] = lambda _: {},
        coloured: bool = True,
    ) -> Table:
        """Add the games of a table whose columns are White, Black and the result."""
        here, there = self.of.sides
        sides = {"white": "first", "black": "second", here: "first", there: "second"}
        sides |= dict(zip(self.of.points, ("first points", "second points"), strict=False))
        rows = {
            row: cells
            for row, cells in self.tables.get(name, {}).items()
            if {"result", *sides} & cells.keys()
        }
        table = self.table(name, rows, lambda _, column: sides.get(column, column), more)
        table.coloured = coloured
        columns = self.old.book.tables[name].at
        places = {sides.get(key, key): at - 1 for key, at in columns.items()}
        # blank cells have a place, too, unless columns have been moved
        blank = places if table.columns.items() <= places.items() else table.columns
        for one in table.only or ():
            one.columns = blank | one.columns
        add_games(table, listed, event)
        return table


class _BookRow(Row):
    """A row of typed cells, each with its own place."""

    __slots__ = ("texts",)

    def __init__(self, line: int, columns: Columns, texts: Mapping[str, str]) -> None:
        super().__init__(line, list(texts.values()), columns)
        self.texts = texts

    def __getitem__(self, column: str) -> str:
        return self.texts.get(column, "")


def _text(value: Constant, column: str) -> str:
    # a number of days where a result should be: a program has made a date of 1-0 or 1/2
    dated = column == "date" or (column == "result" and is_day(value))
    day = _day(value) if dated else None
    return day.isoformat() if day else shown(float(value) if isinstance(value, int) else value)


def _year_alone(value: Constant) -> bool:
    """Whether a date is a year, which a book shows as it is."""
    return isinstance(value, int | float) and value < 9999


def _day(value: Constant) -> date | None:
    """The date of a cell: a number of days."""
    if isinstance(value, date):
        return value
    if not isinstance(value, int | float) or isinstance(value, bool) or not 1 <= value <= _LAST_DAY:
        return None
    day = from_excel(value)
    return day.date() if hasattr(day, "date") else None


# -- the kinds of games ---------------------------------------------------------------------------

Read = tuple[list[Table], list[PlayerEntry]]
"""The tables of a book, that of the players first, and the players."""


def _named(book: _Book, event: Assembly) -> Read:
    people, entries = book.people(book.of.of or book.players[0])
    listed = Listed(entries, people, in_cells=True)
    return [people, book.games(book.of.table, listed, event, coloured=book.of.coloured)], entries


def _rounds(book: _Book, event: Assembly) -> Read:
    people, entries = book.people(book.players[0])
    boards = book.old.book.tables[book.of.table].group
    book.more["room"] = book.old.options.rounds

    def more(row: int) -> dict[str, str]:
        return {"round": str(1 + (row - 1) // boards)}

    listed = Listed(entries, people)
    table = book.games(book.of.table, listed, event, more)
    if not table.problems and book.old.book.tables[book.of.table].has("sure"):
        _ask_again(table, listed, event)
    return [people, table], entries


def _ask_again(table: Table, listed: Listed, event: Assembly) -> None:
    """Report a pairing that has been played before, and a second bye of a whole point, where the
    column *OK* does not say that it is right: the book counts neither."""
    rows = [row for row in table.only or () if row["first"]]
    earlier: dict[frozenset[int | None], int] = {}
    for row, line in zip(rows, event.lines, strict=True):
        bye = line.second is None
        if not (line.code in _FULL if bye else not line.code or ROUND_CODES[line.code].rated):
            continue
        round = earlier.setdefault(frozenset((line.first, line.second)), line.round)
        if round == line.round or is_yes(row["sure"]):
            continue
        what = (
            f"{listed.called(line.first)} had a bye in round {round}"
            if bye
            else f"they have met in round {round}"
        )
        table.problem(f"{what}: type x beside it if it is right", row, "first" if bye else "second")


_FULL: Final = ("U", "F")
"""byes of a whole point"""


def _cross(book: _Book, event: Assembly) -> Read:
    people, entries = book.people(book.players[0])
    listed = Listed(entries, people)
    size = max((entry.number or 0 for entry in entries), default=0)
    seats, cycles = size + size % 2, book.old.options.rounds
    games = {
        column_of(number, cycle): (number, cycle)
        for number in range(1, book.old.options.players + 1)
        for cycle in range(1, cycles + 1)
    }
    cells = {
        (row, *games[column]): entry
        for row, typed in book.tables.get(book.of.table, {}).items()
        for column, entry in typed.items()
    }
    rounds = cycles * max(seats - 1, 0)
    days = book.tables.get("Days", {})
    order = {place: n for n, place in enumerate(sorted(cells), start=1)}
    dates = {row: _day(typed["date"].value) for row, typed in days.items() if "date" in typed}
    if any(dates.values()):
        book.more["days"] = tuple(dates.get(round) for round in range(1, rounds + 1))
    book.more["planned"] = rounds
    typed = book.tables.get(book.players[0], {})
    book.more["left"] = tuple(row for row, cells in typed.items() if "out" in cells)

    def met(place: tuple[int, int, int]) -> dict[str, str]:
        a, b, cycle = place
        round, _ = meeting(a, b, seats, cycle, cycles)
        day = days.get(round, {}).get("date")
        return {
            "first": str(a),
            "second": str(b),
            "round": str(round),
            **({"date": _text(day.value, "date")} if day else {}),
        }

    places = {n: place for place, n in order.items()}
    rows = {n: {"result": cells[place]} for n, place in places.items()}
    table = book.table(book.of.table, rows, lambda _, column: column, lambda n: met(places[n]))
    add_games(table, listed, event)
    return [people, table], entries


def _boards(book: _Book, event: Assembly) -> Read:
    first, second = book.players
    people, entries = book.people(first)
    size = book.old.options.players
    others, more_entries = book.people(second, before=size)
    people.problems += others.problems
    people.warnings += others.warnings
    players = [*entries, *more_entries]
    book.more["planned"] = 1
    book.more["teams"] = tuple(
        (book.said(name), tuple(entry.number for entry in team if entry.number is not None))
        for name, team in (("Team_a", entries), ("Team_b", more_entries))
    )
    there = {entry.number for entry in players}

    def more(row: int) -> dict[str, str]:
        first, second = row, size + row
        return {
            "first": str(first) if first in there else "",
            "second": str(second) if second in there else "",
        }

    rows = {
        row: cells
        for row, cells in book.tables.get(book.of.table, {}).items()
        # a board where a team has nobody is no game
        if {row, size + row} <= there
    }
    table = book.table(book.of.table, rows, lambda _, column: column, more)
    add_games(table, Listed(players, people), event)
    return [people, table], players


_READERS: Final[Mapping[GamesKind, Callable[[_Book, Assembly], Read]]] = {
    "named": _named,
    "rounds": _rounds,
    "cross": _cross,
    "boards": _boards,
}


def _parted(text: str) -> tuple[str, ...]:
    """The words of a cell with categories.

    >>> _parted("W; U14 ,")
    ('W', 'U14')
    """
    return tuple(filter(None, (word.strip() for word in text.replace(";", ",").split(","))))


# -- what a book works out for a report -----------------------------------------------------------

_SHOWN: Final = frozenset(("Pairings_round", "Standings_round", "Round_shown"))
"""settings of what the wall shows, which may be an earlier round"""


def completed(old: OldBook, event: Tournament) -> Tournament:
    """An event that was read from a book, with what the book works out for a report: the order of
    the players, colours, forfeits.

    The book is filled again from what was typed into it, so that its own formulas give the answer,
    whichever program saved the file.
    """
    games, players = old.book.commands.games, old.book.commands.players
    assert games is not None
    report = _REPORTS.get(games.kind)
    if report is None and "rank" not in games.says:
        return event
    typed = {name: value for name, value in old.content.items() if name not in _SHOWN}
    book = old.built(old.options, typed)
    if wrong := faults(book):
        raise EventError(map(Problem, wrong))
    if (rank := games.says.get("rank")) is not None:
        table = book.tables[games.of or players[0]]
        ranks = {player.number: table.worth(rank, player.number - 1) for player in event.players}
        event = replace(
            event,
            players=tuple(
                replace(player, rank=int(found) if isinstance(found, float) else None)
                for player in event.players
                for found in [ranks[player.number]]
            ),
        )
    return event if report is None else report(book, event)


def _by_tie_breaks(book: Book, event: Tournament) -> Tournament:
    """The order is that of the standings: by points and the tie-breaks that were chosen."""
    return replace(event, records=(*event.records, *_order(book, "swiss")))


def _drawn_round_robin(book: Book, event: Tournament) -> Tournament:
    """Colours and games to come are those of the Berger table; forfeits of those who withdrew late
    are written."""
    numbers = [player.number for player in event.players]
    games = [(n, column_of(n, c)) for n in numbers for c in range(1, book.options.rounds + 1)]
    rounds, final = (
        {key: book.tables[table].column(key).numbers() for _, key in games}
        for table in ("Met", "Final")
    )
    signs = book.tables["Signs"].column("sign").texts()
    pairings: dict[int, tuple[Pairing, ...]] = {}
    for a in numbers:
        cells = {cell.round: cell for cell in event.pairings[a]}
        for b, key in games:
            round, sign = int(rounds[key][a - 1]), int(final[key][a - 1])
            cell = cells.get(abs(round))
            if cell is None or a == b:  # a round that nobody has begun
                continue
            typed = cell.opponent is not None
            if typed or sign >= 0:
                code = cell.code if typed else read_codes(signs[sign - 1])[0] if sign else ""
                cells[cell.round] = Pairing(cell.round, b, "w" if round > 0 else "b", code)
        pairings[a] = tuple(cells.values())
    kind = {1: "FIDE_ROUNDROBIN", 2: "FIDE_DOUBLEROUNDROBIN"}.get(book.options.rounds)
    said = (*([f"192 {kind}"] if kind else ()), *_order(book, "round_robin"))
    return replace(event, pairings=pairings, records=(*event.records, *said))


def _coloured_match(book: Book, event: Tournament) -> Tournament:
    """Colours are those of the boards."""
    white = book.say("letter_white")
    colours: dict[int, str] = {}
    for board, letter in enumerate(book.tables["Match"].column("colour_a").texts(), start=1):
        if letter:
            other = book.options.players + board
            colours |= dict(zip((board, other), "wb" if letter == white else "bw", strict=True))
    pairings = {
        number: tuple(
            replace(cell, colour=colours.get(number, "") if cell.opponent else "") for cell in cells
        )
        for number, cells in event.pairings.items()
    }
    return replace(event, pairings=pairings)


def _order(book: Book, system: str) -> tuple[str, ...]:
    """The records of the tie-breaks, as FIDE calls them, and of their edition."""
    known = [
        tie_break.code.replace("-", "/") for tie_break in TIE_BREAKS if getattr(tie_break, system)
    ]
    chosen = [known[int(n) - 1] for n in book.tables["Chosen"].column("number").numbers() if n]
    edition = book.tables["Ties"].worth(parse("edition"))
    named = list(EDITIONS)[int(edition) - 1 :][:1] if isinstance(edition, float) and edition else ()
    return (f"212 {','.join(('PTS', *chosen))}", *(f"{EDITION_SAID}{name}" for name in named))


_REPORTS: Final[Mapping[GamesKind, Callable[[Book, Tournament], Tournament]]] = {
    "rounds": _by_tie_breaks,
    "cross": _drawn_round_robin,
    "boards": _coloured_match,
}
