"""Tables of players: a sheet of an event's workbook, or a file beside any event's own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from elo_xl.english import plural
from elo_xl.events.event import EventError, Player, Problem, Tournament
from elo_xl.events.fields import (
    EVALUATED,
    GAMES,
    PEAK,
    RATING,
    Bounds,
    Dates,
    K,
    MixedDatesError,
    birth_year,
    sex,
)
from elo_xl.events.names import People
from elo_xl.events.programs.aga import members
from elo_xl.events.sheets import Sheet, SheetError, read_sheets
from elo_xl.events.source import Source, garbled
from elo_xl.events.table import (
    Head,
    Row,
    Table,
    Thousands,
    best_head,
    headings_known,
    plain,
    player_column,
    round_columns,
    top_rows,
)
from elo_xl.lists.names import title
from elo_xl.people import same_name

WHO: Final = frozenset(("name", "last", "given", "id", "number"))
"""The columns by which players can be told."""
_ONCE: Final = frozenset(("rank", "points"))
"""columns of which the first one counts"""
FIRST_BIRTH: Final = 1900

NUMBER: Final = re.compile("[0-9.]+|[-–]")
"""a cell of a list without headings that is no name"""
_COUNTED: Final = re.compile(r"([0-9]+)(?:[.)]\s*|\s+|$)")
BEHIND: Final = re.compile(r"(?:[-–:] ?| )\(?([0-9]{3,4}|0|-)\)?$")
"""a rating behind a name, in the last signs of a cell"""
LONGEST_BEHIND: Final = len(": (1800)")

Renamed = Mapping[str, str]
"""What the columns of a file are, by their headings in plain letters."""


@dataclass(frozen=True, slots=True)
class PlayerEntry:
    """One line of a players file; what it does not state is None or empty."""

    name: str = ""
    number: int | None = None
    id: str = ""
    rating: float | None = None
    k: float | None = None
    games: int | None = None
    index: int | None = None
    birth_year: int | None = None
    age: int | None = None
    peak: float | None = None
    federation: str = ""
    title: str = ""
    sex: str = ""
    line: int | None = None
    """its line in the file"""
    otherwise: tuple[int, Problem] | None = None
    """as in :class:`~elo_xl.events.event.Player`"""


@dataclass(frozen=True, slots=True)
class PlayersFile:
    """The entries of a players file, in its order."""

    entries: tuple[PlayerEntry, ...]
    name: str = ""
    """the file's name, for messages"""
    warnings: tuple[Problem, ...] = ()
    sheet: str = ""
    """the sheet of a workbook"""


def read_players(
    source: Source, *, columns: Renamed | None = None, encoding: str = ""
) -> PlayersFile:
    """Read a players file, given as a path or as the file's bytes.

    Every line needs a name, an id or a number. Of a workbook it is the sheet with most columns of
    players; ``columns`` says what columns are by their headings.

    Raises :class:`EventError` with every problem of the file, and OSError if it cannot be read.
    """
    chosen = players_sheet(read_sheets(source, encoding=encoding, known=headings_known))
    head = players_head(top_rows(chosen), columns := columns or {})
    if head is None and (names := _only_names(chosen)):
        rated = " and ratings" if any(one.rating for one in names) else ""
        a, b = (
            f"{one.name!r} ({one.rating:g})" if one.rating else f"{one.name!r}"
            for one in (names[0], names[-1])
        )
        what = f"without headings, all lines are read as names{rated}, from {a} to {b}: "
        what += plural(len(names), "name")
        notes = (Problem(what, file=chosen.file),)
        return PlayersFile(names, chosen.file, notes, chosen.title)
    table = player_table(chosen, columns)
    return players_in(table)


def players_in(table: Table) -> PlayersFile:
    """The entries of a table of players; raises EventError with all its problems."""
    entries = tuple(entries_of(table))
    twins(entries, table)
    if table.problems:
        raise EventError(in_order(table.problems))
    return PlayersFile(entries, table.name, tuple(table.warnings), table.sheet.title)


def _only_names(sheet: Sheet) -> tuple[PlayerEntry, ...]:
    """The names in a sheet without headings, in one column, or family and given names in two, also
    with ratings behind them or numbers before them; nothing of any other sheet.

    Raises EventError for numbers that may be ratings or years of birth.
    """
    try:
        rows = [(line, [cell for cell in cells if cell]) for line, cells in sheet.rows()]
    except SheetError:  # which reading the table tells
        return ()
    rows = [(line, cells) for line, cells in rows if cells]
    if not rows or headings_known(rows[0][1]):
        return ()
    counted = [_COUNTED.match(cells[0]) for _, cells in rows]
    # a team may be called 1. FC
    if len(rows) > 1 and [m and m[1] for m in counted] == [str(n + 1) for n in range(len(rows))]:
        rows = [(line, [*filter(None, (cells[0][m.end() if m else 0 :], *cells[1:]))])
                for m, (line, cells) in zip(counted, rows, strict=True)]  # fmt: skip
    words = 2 * sum(" " in cells[0] for _, cells in rows if cells) > len(rows)
    entries = []
    for line, cells in rows:
        apart = any(map(NUMBER.fullmatch, cells))
        parts = [part for cell in cells for part in ([cell] if apart else _behind(cell))]
        rating = parts.pop() if parts and NUMBER.fullmatch(parts[-1]) else ""
        name = ", ".join(parts)
        # what stands between a whole name and a rating is a club, and GER is a federation
        other = len(parts) == 2 and ((words and rating) or re.fullmatch("[A-Z]{3}", parts[1]))
        named = any(map(str.isalpha, name)) and not any(map(str.isdigit, name))
        if other or not (named and len(parts) <= 2):
            return ()
        try:
            entries.append(PlayerEntry(name=name, rating=RATING.read(rating), line=line))
        except ValueError:
            return ()
    ratings = [entry.rating for entry in entries if entry.rating is not None]
    # the first line may have headings that nobody knows
    (_, top), *below = rows
    last, small = max(len(top), 2) - 1, [entry.name.islower() for entry in entries]
    above = below and all(NUMBER.fullmatch("".join(cells[last:])) for _, cells in below)
    # and one line in small letters is a word or two of anything
    heading = small[0] and not (len(small) > 1 and all(small))
    if heading or (above and not NUMBER.fullmatch(top[-1])):
        return ()
    if ratings and all(FIRST_BIRTH <= rating <= date.today().year for rating in ratings):
        what = f"numbers such as {ratings[0]:g} may be ratings or years of birth: write above the "
        what += "lines what they are, such as name,rating or name,birth"
        raise EventError([sheet.problem(what)])
    return tuple(entries)


def _behind(cell: str) -> list[str]:
    """The name and the rating in a cell, or the cell.

    >>> _behind("Ana Ferrer (1800)"), _behind("Schalke 04")
    (['Ana Ferrer', '1800'], ['Schalke 04'])
    """
    cell = " ".join(cell.split())
    match = BEHIND.search(cell, max(0, len(cell) - LONGEST_BEHIND))
    name = cell[: match.start()].rstrip() if match else ""
    return [name, match[1]] if match and any(map(str.isalpha, name)) else [cell]


def twins(entries: Sequence[PlayerEntry], table: Table) -> None:
    """Warn of players of one name, whom only numbers tell apart."""
    first: dict[str, PlayerEntry] = {}
    for entry in entries:
        other = first.setdefault(same_name(entry.name), entry)
        if entry.name and other is not entry and not (entry.id and other.id):
            there = table.sheet.there(other.line)
            what = f"{entry.name!r} is also the name {there}: their numbers count"
            table.warnings.append(table.sheet.problem(what, entry.line))


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """The problems of one sheet in the order in which a reader comes to them, each once."""
    return sorted(dict.fromkeys(problems), key=lambda one: (one.line or 0, one.column or 0))


def players_sheet(sheets: Sequence[Sheet], renamed: Renamed | None = None) -> Sheet:
    """The sheet with most columns of players."""

    def fits(sheet: Sheet) -> int:
        head = players_head(top_rows(sheet), renamed or {})
        return -1 if head is None else 2 * len(head) - sheet.hidden

    return max(sheets, key=fits)


def named_sheet(sheets: Sequence[Sheet], title: str) -> Sheet:
    """The sheet of a title; raises EventError where there is none."""
    for sheet in sheets:
        if sheet.title.casefold() == title.casefold():
            return sheet
    known = ", ".join(repr(sheet.title) for sheet in sheets if sheet.title)
    what = f"it has {known}" if known else "it is no workbook"
    raise EventError([Problem(f"no sheet is called {title!r}: {what}", file=sheets[0].file)])


def players_head(rows: Sequence[tuple[int, list[str]]], renamed: Renamed) -> Head | None:
    """The headings of a table of players; None where there are none."""
    return best_head(rows, player_column, lambda head: bool(WHO & head.places.keys()), renamed)


def player_table(sheet: Sheet, renamed: Renamed) -> Table:
    """The players of a sheet, with the columns that its headings name."""
    rows = top_rows(sheet)
    head = players_head(rows, renamed)
    what = members(rows[0][1]) if head is None and rows else ""
    if head is None and rows and not what:
        head = Head(*rows[0], player_column, renamed)
    if head is None:
        table = Table(sheet, None, {})
        if what:
            table.problem(what)
        else:
            table.tell_empty()
        table.whole = False
        return table
    columns = player_columns(head)
    table = Table(sheet, head.line, columns, head.cells)
    for column, places in head.places.items():
        if len(places) > 1 and column not in _ONCE and column in columns:
            a, b = places[:2]
            what = f"there are two {column} columns: {head.cells[a]!r} and {head.cells[b]!r}"
            table.problems.append(sheet.problem(what, head.line, b + 1))
    table.unknown(head, round_columns(head.cells).values())
    if "index" in columns and "rating" not in columns:
        what = f"{table.heading('index')!r} is how many events were evaluated, and no rating"
        table.warn(what, None, "index")
    return table


def player_columns(head: Head) -> dict[str, int]:
    """The places of the columns: ``last`` and ``given`` for names in two, otherwise ``name``."""
    columns = {column: places[0] for column, places in head.places.items()}
    # a heading such as Name is the family name where another column has the given one
    if "given" in columns and "last" not in columns and "name" in columns:
        columns["last"] = columns.pop("name")
    elif "last" in columns and "given" not in columns and "name" in columns:
        columns["given"] = columns.pop("name")
    elif "last" in columns and "given" not in columns:
        columns["name"] = columns.pop("last")
    elif "given" in columns and "last" not in columns:
        columns["name"] = columns.pop("given")
    elif "last" in columns:
        columns.pop("name", None)
    return columns


def full_name(row: Row) -> str:
    """The name of a row, from one column or from two."""
    parts = [part for column in ("given", "patronymic") if (part := row[column])]
    last = row["last"] or row["name"]
    return " ".join(
        (f"{last}, {' '.join(parts)}" if last and parts else last or " ".join(parts)).split()
    )


def entries_of(table: Table, event: bool = False) -> Iterator[PlayerEntry]:
    """The entries of a table of players; for an event each needs a name."""
    named = bool({"name", "last"} & table.columns.keys())
    if table.top is None:
        return
    if event and not named:
        table.problem(
            "there is no column for the name: call it name or player"
            + table.likely("name", "last", "given")
        )
    elif not event and not WHO & table.columns.keys():
        hint = table.likely(*WHO) or ": headings above the lines, such as name,rating, tell it"
        table.problem(f"there is no column for the name, the id or the number{hint}")
        return
    where = "last" if "last" in table.columns else "name"
    rows = list(table.rows())
    for column in ("rating", "peak"):
        table.thousands[column] = Thousands(row[column] for row in rows)
    births = _births(rows)
    sure = True
    for row in rows:
        start = table.count(row, "number")
        if start == 0:
            table.problem("number must be above 0: '0'", row, "number")
        name = full_name(row)
        if event and not name and named:
            table.problem("the name is missing", row, where)
        elif not event and not (name or row["id"] or row["number"]):
            table.problem("the line has neither name nor id nor number", row)
        check_letters(table, row, name, where)
        born = _birth(table, row, births)
        otherwise = _otherwise(table, row, births)
        # one warning for all: a table has its dates in one order
        if otherwise and sure:
            what = f"{row['birth']!r} is read as of {born}, not {otherwise[0]}"
            table.warnings.append(table.at(what, row, "birth"))
            sure = False
        yield PlayerEntry(
            name=name,
            number=start,
            id=row["id"] if row["id"].strip("0") else "",
            rating=table.bounded(row, "rating", RATING),
            k=table.bounded(row, "k", K),
            games=_whole(table, row, "games", GAMES),
            index=_whole(table, row, "index", EVALUATED),
            birth_year=born,
            age=table.count(row, "age"),
            peak=table.bounded(row, "peak", PEAK),
            federation=row["federation"],
            title=title(row["title"]),
            sex=sex(row["sex"]),
            line=row.line,
            otherwise=otherwise,
        )


def check_letters(table: Table, row: Row, name: str, column: str) -> None:
    """Report a name that was read in a wrong encoding."""
    if repaired := garbled(name):
        what = f"{name!r} is {repaired!r} in a wrong encoding: save the file as UTF-8"
        table.problem(what, row, column)


def _whole(table: Table, row: Row, column: str, bounds: Bounds) -> int | None:
    value = table.bounded(row, column, bounds)
    return None if value is None else int(value)


def _births(rows: Iterable[Row]) -> Dates:
    """The dates of birth of a table, all in one order if there is one."""
    with suppress(MixedDatesError):
        return Dates((row["birth"] for row in rows), usual="dmy")
    return Dates(usual="dmy")


def _otherwise(table: Table, row: Row, births: Dates) -> tuple[int, Problem] | None:
    """The other year of birth that a date may mean, as 05/03/10 does, with its text and place."""
    text = row["birth"]
    day, other = births.read(text), births.otherwise(text)
    if day is None or other is None or other.year in (day.year, date.today().year + 1):
        return None
    return other.year, table.at(repr(text), row, "birth")


def _birth(table: Table, row: Row, births: Dates) -> int | None:
    """The year of a birth date, or None."""
    text = row["birth"]
    if not text.strip("0./- "):
        return None
    day = births.read(text)
    year = day.year if day else birth_year(text)
    if year is None or not FIRST_BIRTH <= year <= date.today().year:
        bounds = f"must be from {FIRST_BIRTH} to this year" if year else "is not understood"
        table.problem(f"birth year {bounds}: {text!r}", row, "birth")
        return None
    return year


# -- players beside another file ------------------------------------------------------------------


def with_players(tournament: Tournament, players: PlayersFile) -> Tournament:
    """Add to an event what a players file says about its players.

    Players are found by id, otherwise by name, otherwise, in a line with neither, by starting
    number. A name in another spelling (accents, case, order) counts where it can mean only one
    player, and a warning says so. What a line states, even a rating, replaces what the event's own
    file says. The warnings tell how many ratings were replaced, and which lines fit no player.

    Raises :class:`EventError` for a line that fits two players, two lines that fit one, and an age
    in an event without a date.
    """
    problems: list[Problem] = []
    notes: list[Problem] = []
    entry_of: dict[int, PlayerEntry] = {}
    strangers: list[str] = []
    people = People((player.number, player.name, player.id) for player in tournament.players)
    known = {player.number: player for player in tournament.players}

    def at(what: str, entry: PlayerEntry) -> Problem:
        return Problem(what, entry.line, None, players.name, players.sheet)

    for entry in players.entries:
        numbers, respelled = people.find_person(entry.name, entry.id)
        # beside a name or an id, a number is more often that of the list than of the event
        if entry.number in known and not (entry.name or entry.id):
            numbers = [entry.number]
        called = entry.id or entry.name or str(entry.number)
        if len(numbers) > 1:
            who = " or ".join(map(str, numbers))
            problems.append(at(f"{called!r} may be player {who} of the event: give the ID", entry))
        elif not numbers:
            strangers.append(entry.name or called)
        elif numbers[0] in entry_of:
            first = entry_of[numbers[0]].line
            there = f"in row {first}" if players.sheet else f"on line {first}"
            what = f"{known[numbers[0]].name!r} stands twice, first {there}"
            problems.append(at(what, entry))
        else:
            entry_of[numbers[0]] = entry
            if respelled:
                notes.append(at(f"{entry.name!r} is read as {known[numbers[0]].name!r}", entry))
            if entry.age is not None and entry.birth_year is None and tournament.start is None:
                what = (
                    f"an age needs the event's date, which is unknown, got {entry.age}: give "
                    "the birth year"
                )
                problems.append(at(what, entry))
    if problems:
        raise EventError(problems)
    changed = tuple(
        with_entry(player, entry_of[player.number], tournament.start)
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
            *notes,
            *_notes(tournament.players, changed, strangers, players),
        ),
    )


def with_entry(player: Player, entry: PlayerEntry, start: date | None) -> Player:
    """A player with what an entry states."""
    born, aged = entry.birth_year, False
    if born is None and entry.age is not None and start is not None:
        # remembered, as the year of birth moves with the first day if that is another one
        born, aged = start.year - entry.age, True
    return replace(
        player,
        rating=player.rating if entry.rating is None else entry.rating,
        federation=entry.federation or player.federation,
        id=entry.id or player.id,
        sex=entry.sex or player.sex,
        title=entry.title or player.title,
        birth_year=player.birth_year if born is None else born,
        aged=player.aged if born is None else aged,
        otherwise=player.otherwise if born is None else entry.otherwise,
        k=player.k if entry.k is None else entry.k,
        games=player.games if entry.games is None else entry.games,
        index=player.index if entry.index is None else entry.index,
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
        yield Problem(f"{plural(ratings, 'rating')} taken from {source}")
    if strangers:
        some = ", ".join(strangers[:3]) + (", …" if len(strangers) > 3 else "")
        yield Problem(
            f"{len(strangers)} of {len(players.entries)} players in {source} are not in "
            f"the event: {some}"
        )


def all_named(columns: Mapping[str, str], heads: Iterable[Sequence[str]], file: str) -> None:
    """Raise EventError for columns that were named and are in none of some rows of headings."""
    there = {plain(cell) for cells in heads for cell in cells}
    missing = [heading for heading in columns.values() if plain(heading) not in there]
    if missing:
        raise EventError([Problem(f"no column is called {text!r}", file=file) for text in missing])


def renamed(columns: Mapping[str, str]) -> dict[str, str]:
    """What columns are, by their headings in plain letters, from the headings by what they are."""
    return {plain(heading): what for what, heading in columns.items()}
