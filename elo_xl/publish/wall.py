"""The page of a template's book: its sheets for the wall, worked out again from the entries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, Literal

from openpyxl.utils import coordinate_to_tuple
from openpyxl.utils.datetime import from_excel

from elo_xl.books import model
from elo_xl.books.book import Book
from elo_xl.books.column_words import ColumnLook
from elo_xl.books.commands import Boards, CurvesOf
from elo_xl.books.entries import content_of
from elo_xl.books.front import SEPARATOR
from elo_xl.books.model import Declared, Sheet
from elo_xl.books.texts import Texts, texts
from elo_xl.events.event import EventError, Problem
from elo_xl.publish import page
from elo_xl.publish.page import Curves, Page, PageColumn, PageTable, PageValue, Point
from elo_xl.templates.opened import EntriesError, OldBook, carried, checked, nobody
from elo_xl.xlsx.formula import Reference

Colour = Literal["white", "black", ""]

CHANGES: Final = ("change", "last", "month")
"""The keys of columns with changes."""


def wall_page(old: OldBook, language: str = "") -> Page:
    """The page of a book with a sheet for the wall.

    Raises EventError with all entries that need attention; EntriesError for a book without such a
    sheet, for entries that no formula reads, and where there is nobody.
    """
    main = next(_sheets(old.book), None)
    if main is None:
        raise EntriesError(f"it was made from {old.template}, which has no sheet for the wall")
    book = worked_out(old, language)
    tables = list(_tables(book))
    if not tables or tables[0].key != main.key:
        raise EntriesError(nobody())
    sheet, event = book.sheets[main.key], typed(book, "Event")
    return Page(
        book.options.language,
        str(book.known(sheet, 1, 1)),
        str(book.known(sheet, 2, 1) or ""),
        [replace(table, title=table.title.removeprefix(f"{event} – ")) for table in tables],
        str(typed(book, "Club")),
        old.entries.where("Club"),
        day_of(typed(book, "Dates")),
        curves=_curves(book),
        answers=_answers(book),
    )


def worked_out(old: OldBook, language: str = "") -> Book:
    """The book made again from its entries, in a language if one is given.

    Raises EventError with all entries that need attention, and EntriesError for those that no
    formula reads.
    """
    book, problems = checked(old)
    if problems:
        raise EventError([Problem(f"fix and save this entry first: {fault}") for fault in problems])
    if language and language != book.options.language:
        options = replace(book.options, language=language)
        book = old.built(options, content_of(carried(old, old.declare(options, None))))
    return book


def typed(book: Book, name: str) -> PageValue:
    """What is typed into a cell of the first sheet, if the book has it."""
    if name not in book.singles:
        return ""
    value = book.singles[name].cells.values()[0]
    return "" if value is None or isinstance(value, bool) else value


def day_of(value: object) -> date | None:
    """The day of a cell: a smaller number is a year alone."""
    if isinstance(value, date):
        return value
    if not isinstance(value, int | float) or not 9999 <= value < 2_958_466:
        return None
    day = from_excel(value)
    return day.date() if hasattr(day, "date") else None


def _sheets(book: Declared) -> Iterator[Sheet]:
    """The sheets for the wall, first the one that the book publishes first.

    One that is there to type in says nothing that the others do not say better, and one that
    explains says nothing of the event.
    """
    said = book.commands
    sheets = sorted(book.sheets.values(), key=lambda sheet: sheet.key != said.publish)
    for sheet in sheets:
        on_the_wall = sheet.set_up.wall and sheet.set_up.tab not in ("typed", "help")
        if sheet.key == said.publish or (on_the_wall and sheet.key not in said.unpublished):
            yield sheet


def _tables(book: Book) -> Iterator[PageTable]:
    """The tables of the published sheets in which there is a row."""
    for sheet in _sheets(book):
        for table in sheet.tables:
            # after the last round it repeats the standings
            if sheet.key == "ahead" and not any(table.column("at").numbers()):
                continue
            columns = [
                _column(book, table, key, look)
                for key, look in table.columns.items()
                if not look.helper and key != "shown"
            ]
            cells = {column.key: table.column(column.key).values() for column in columns}
            tells = next((key for key in ("shown", "name") if table.has(key)), "")
            shown = table.column(tells).values() if tells else [1] * table.rows
            rows = [
                {c.key: _value(table.columns[c.key], cells[c.key][i]) for c in columns}
                for i, here in enumerate(shown)
                if here
            ]
            # a sheet to type into has blank lines, too
            rows = [row for row in rows if any(v not in (None, "") for v in list(row.values())[1:])]
            if rows:
                title = str(book.known(sheet, 1, 1))
                sortable = "name" in cells and "prize" not in cells
                made = page.table(sheet.key, title, columns, rows, sortable=sortable)
                yield replace(made, legend=_legend(book, table))


def _legend(book: Book, table: model.Table) -> str:
    """What the notes above a table say: what its columns and signs mean."""
    puts = table.sheet.puts.items()
    rows = [r for (r, _), put in puts if put.look.role == "note" and r < table.header]
    return " ".join(filter(None, (str(book.known(table.sheet, r, 1) or "") for r in rows)))


def _column(book: Book, table: model.Table, key: str, look: ColumnLook) -> PageColumn:
    heading = book.known(table.sheet, table.header, table.at[key])
    said = f"{heading:g}" if isinstance(heading, float) else str(heading or "")
    for above in table.groups:
        if 0 <= table.at[key] - above.column < above.columns:
            said = f"{book.known(table.sheet, above.row, above.column)}: {said}"
    shown = look.look.number_format.partition(";")[0]
    return PageColumn(
        key,
        said,
        None if key.startswith("tie") else len(shown.rstrip("%").partition(".")[2]),
        look.look.align or "right",
        change=key in CHANGES,
        signed=shown[:1] == "+",
        percent=shown[-1:] == "%",
    )


def _value(look: ColumnLook, value: object) -> PageValue:
    if "yy" in look.look.number_format:
        return day_of(value)
    return value if isinstance(value, str | int | float) else None


# -- curves ---------------------------------------------------------------------------------------


def _curves(book: Book) -> Curves:
    """Everybody's ratings, if the book says where they are."""
    of = book.commands.curves
    if of is None:
        return {}
    return _of_lists(book, of) if of.dates else _of_games(book, of)


def _of_lists(book: Book, of: CurvesOf) -> Curves:
    """The ratings of a season's lists."""
    days = [day_of(value) for value in book.tables[of.dates].column("date").values()]
    history, entries = book.tables[of.table], book.tables[of.games]
    curves: dict[str, dict[str, list[Point]]] = {}
    for i, name in enumerate(history.column("name").texts()):
        points: list[Point] = []
        for k, day in enumerate(days, start=1):
            rating = history.cell(f"k{k}", i).values()[0]
            if name and day and isinstance(rating, int | float):
                played = entries.reads[f"g{k}"].at(i).values()[0]
                games = int(played) if isinstance(played, int | float) else None
                change = rating - points[-1].rating if points else None
                points.append(Point(day, rating, change, games))
        if points:
            curves[name] = {book.say("column_rating"): points}
    return curves


def _of_games(book: Book, of: CurvesOf) -> Curves:
    """The ratings of a league after each day, or after each game where games have no dates."""
    keys = ("counts", "first", "second", "day", "after_a", "after_b", "points", "points_b")
    columns = [book.tables[of.table].column(key).values() for key in keys]
    games = [line for line in zip(*columns, strict=True) if line[0] == 1]
    dated = all(day_of(line[3]) for line in games)
    curves: dict[str, list[Point]] = {}
    for _, first, second, day, after_a, after_b, *points in games:
        for name, after, change in zip((first, second), (after_a, after_b), points, strict=True):
            known = curves.setdefault(str(name), [])
            at = (day_of(day) if dated else None) or len(known) + 1
            # a day is one point: the wall tells ratings from day to day
            if known and known[-1].at == at:
                last = known.pop()
                change, count = (last.change or 0.0) + change, (last.games or 0) + 1
                known.append(Point(at, after, change, count))
            else:
                known.append(Point(at, after, change, 1))
    return {name: {book.say("column_rating"): points} for name, points in curves.items()}


@dataclass(frozen=True, slots=True)
class Side:
    """A player on a result slip."""

    name: str
    about: str
    """number or team, and rating"""
    colour: Colour
    """blank where a match leaves it open"""


def boards(
    book: Book, say: Texts, place: Boards
) -> Iterator[tuple[str, tuple[Side | None, Side | None]]]:
    """The boards of a round, White first; None for a side on which nobody plays."""
    table = book.tables[place.table]

    def column(key: str) -> list[object]:
        return list(table.column(key).values()) if key else ["" for _ in range(table.rows)]

    nobody = ("", None, "–", book.say_or("free", ""))
    # in a match the first team has White on some boards, and on all others that comes first
    letters = column("colour_a") if table.has("colour_a") else ["w"] * table.rows
    white = book.say_or("letter_white", "w")
    teams = [typed(book, name) for name in ("Team_a", "Team_b")]
    numbers = column("board")
    columns = [[column(key) for key in side] for side in place.sides]
    for i, board in enumerate(numbers):
        if not isinstance(board, int | float):
            continue
        first = int(letters[i] not in (white, ""))
        sides: list[Side | None] = []
        for k, cells in enumerate(columns):
            name, rating, number = (values[i] for values in cells)
            about = [
                f"{say('form.column_no')} {number:g}" if isinstance(number, float) else teams[k],
                f"{rating:g}" if isinstance(rating, int | float) else "",
            ]
            colour: Colour = ("white" if k == first else "black") if letters[i] else ""
            side = Side(str(name), SEPARATOR.join(filter(None, map(str, about))), colour)
            sides.append(None if name in nobody else side)
        yield f"{board:g}", (sides[first], sides[1 - first])


def cell(book: Book, name: str) -> float:
    """The number in a cell of a hidden sheet."""
    reference = book.names[name]
    assert isinstance(reference, Reference)
    address = reference.text.rpartition("!")[2].replace("$", "")
    value = book.known(book.sheets["steps"], *coordinate_to_tuple(address))
    return float(value) if isinstance(value, int | float) else 0.0


def _answers(book: Book) -> dict[str, str]:
    """What a search for somebody answers: their board, colour and opponent in the round shown."""
    place, say = book.commands.boards, texts(book.options.language)
    if place is None:
        return {}
    number = cell(book, place.number) if place.number else 0
    where = "publish.in_round" if number else "publish.at_board"
    found = {}
    for board, sides in boards(book, say, place):
        for one, other in (sides, reversed(sides)):
            if one and other:
                said = say(where, round=f"{number:g}", board=board)
                against = say(f"publish.as_{one.colour or 'one'}", name=other.name)
                found[one.name] = f"{said}: {against}"
    return found
