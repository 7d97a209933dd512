"""Books whose players come from a file, and take their ratings from a federation's list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from elo_xl.books.entries import Entry, Key
from elo_xl.books.model import Constant, Content, Declared, Row, Rows, Table
from elo_xl.events.event import EventError, Kind, Player, Problem
from elo_xl.events.from_list import as_listed, each_once, entries_of
from elo_xl.events.players import PlayersFile, with_entry
from elo_xl.events.sheets import shown
from elo_xl.lists import layouts, store
from elo_xl.people import same_name
from elo_xl.templates.blocks.players import YEAR
from elo_xl.templates.club import KINDS
from elo_xl.templates.opened import EntriesError, OldBook

Found = tuple[Player, layouts.Entry | None]
"""a player, with their entry if it is sure"""


def people(
    book: Declared, file: PlayersFile, listed: str | None = None, kind: Kind = "standard"
) -> tuple[Content, list[str]]:
    """What is typed of the players of a file into a new book, and what is to be said of them.

    Without a list everything is as the file says. A name that occurs twice gets the number.

    Raises EventError for a line without a name that the list does not have either, and for a
    book that takes no players from a file, ListError if there is no such list.
    """
    tables = book.commands.players
    if len(tables) != 1:
        several = "has several lists of players" if tables else "has no list of players"
        raise EventError([Problem(f"{book.made_from} {several}")])
    table = book.tables[tables[0]]
    players = [
        with_entry(Player(number, entry.name), entry, date.today())
        for number, entry in enumerate(file.entries, start=1)
    ]
    pairs, notes = looked_up(players, listed)
    names: list[str] = []
    problems = []
    for (player, entry), line in zip(pairs, file.entries, strict=True):
        name = player.name or (entry.name if entry else "")
        if not name:
            what = f"player {line.id or line.number} has no name"
            problems.append(Problem(what, line.line, file=file.name, sheet=file.sheet))
        names.append(name)
    if problems:
        raise EventError(problems)
    keys = [same_name(name) for name in names]
    rows = []
    for (player, entry), name, key in zip(pairs, names, keys, strict=True):
        person = player if entry is None else as_listed(player, entry, kind)
        # a list in which a player is unrated does not take away what the file says
        if entry is not None and person.rating is None:
            person = replace(person, rating=player.rating)
        if keys.count(key) > 1 and person.id:
            name = f"{name} ({person.id})"
        person = replace(person, name=name)
        row = _row(table, person, entry)
        rows.append({key: value for key, value in row.items() if key in table.reads})
    content: dict[str, Constant | Rows] = {tables[0]: rows}
    if YEAR in book.singles and any(row.get("birth") for row in rows):
        content[YEAR] = _year(listed)
    return content, [*map(str, file.warnings), *notes]


def refreshed(old: OldBook, listed: str, kind: Kind = "standard") -> OldBook:
    """What was typed into a book, with the ratings, K factors and titles of a list; what is blank
    of birth years, federations and numbers, too. The notes say what was found.

    Raises EntriesError for a book without ratings that are typed, ListError if there is no such
    list.
    """
    tables = old.book.commands.players
    if not any({"rating", KINDS[0]} & old.book.tables[table].reads.keys() for table in tables):
        raise EntriesError(f"it was made from {old.template}, which takes no typed ratings")
    typed = dict(old.entries.typed)
    notes = list(old.entries.notes)
    for table in tables:
        takes = old.book.tables[table].reads
        rows = {
            key.row: entry
            for key, entry in typed.items()
            if key.name == table and key.column == "name"
        }
        players = [_typed(typed, table, row, shown(name.value)) for row, name in rows.items()]
        pairs, said = looked_up(players, listed)
        notes += said
        for player, entry in pairs:
            if entry is None:
                continue
            person = as_listed(player, entry, "standard" if KINDS[0] in takes else kind)
            for column, value in _row(old.book.tables[table], person, entry).items():
                key = Key(table, player.number, column)
                # who somebody is was typed by a person who knows; ratings and titles are the list's
                blank = key not in typed or typed[key].value in (None, "")
                first = column in ("name", "id", "fide_id", "birth", "federation")
                if column in takes and value not in (None, "") and (blank or not first):
                    typed[key] = Entry(value, rows[player.number].where)
    year = Key(YEAR)
    if YEAR in old.book.singles and (year not in typed or typed[year].value is None):
        typed[year] = Entry(_year(listed), "")
        notes.append(f"the year for the ages is {typed[year].value}")
    return replace(old, entries=replace(old.entries, typed=typed, notes=notes))


def _year(listed: str | None) -> int:
    """The year for which ages are counted: that of the list."""
    chosen = None if listed is None else store.choose(listed)
    return int(chosen.month[:4]) if chosen else date.today().year


def looked_up(
    players: Sequence[Player], listed: str | None, remedy: str = "delete one, or give the number"
) -> tuple[list[Found], list[str]]:
    """Players with their entries in a list, each entry once, and what is to be said of them.

    ``remedy`` is what helps if two players are one person.
    """
    if listed is None:
        return [(player, None) for player in players], []
    chosen = store.choose(listed)
    where = str(chosen or store.EXAMPLE)
    matches = each_once(players, entries_of(chosen, players), remedy)
    pairs = [(player, match.entry) for player, match in zip(players, matches, strict=True)]
    notes = [f"{match.note} @ {where}" for match in matches if match.note]
    known = sum(entry is not None for _, entry in pairs)
    return pairs, [*notes, f"{known} of {len(pairs)} players are in {where}"]


def _typed(typed: dict[Key, Entry], table: str, row: int, name: str) -> Player:
    """A player as they are typed, as far as a list asks for it."""

    def said(*columns: str) -> str:
        cells = (typed.get(Key(table, row, column)) for column in columns)
        return next((shown(cell.value) for cell in cells if cell is not None), "")

    birth = said("birth")
    peak = typed.get(Key(table, row, "peak"))
    return Player(
        row,
        name,
        peak=peak.value if peak and isinstance(peak.value, int | float) else None,
        federation=said("federation"),
        id=said("id", "fide_id"),
        birth_year=int(birth) if birth.isdecimal() else None,
    )


def _row(table: Table, player: Player, entry: layouts.Entry | None) -> Row:
    """A line of a list of players; a club's has a rating for each kind of play."""
    return _member(player, entry) if KINDS[0] in table.reads else _player(player)


def _player(player: Player) -> Row:
    """A line of the sheet of players."""
    figures = {key: _whole(getattr(player, key)) for key in ("rating", "games", "peak", "k")}
    if player.peak is not None and player.rating is not None:
        figures["peak"] = _whole(max(player.peak, player.rating))
    return {
        "name": player.name,
        "rating": figures["rating"],
        "birth": player.birth_year,
        **{key: figures[key] for key in ("games", "peak", "k")},
        "title": player.title,
        "federation": player.federation,
        "fide_id": player.id,
    }


def _member(player: Player, entry: layouts.Entry | None) -> Row:
    """A line of the sheet of members of a club."""
    return {
        "name": player.name,
        "id": player.id,
        "birth": player.birth_year,
        "title": player.title,
        "federation": player.federation,
        "standard": _whole(player.rating),
        "standard_games": player.games,
        "standard_peak": _whole(player.peak),
        "rapid": entry and entry.rapid,
        "blitz": entry and entry.blitz,
    }


def _whole(number: float | None) -> Constant:
    return int(number) if number is not None and float(number).is_integer() else number
