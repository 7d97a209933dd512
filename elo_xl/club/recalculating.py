"""What the formulas of a club's book give after a step, written along with it.

Programs that compute nothing when they open a file would show the old list otherwise. Where
somebody has moved rows and columns, or renamed sheets, the formulas are found by the headings and
the numbers of rows; what cannot be found shows nothing until a program computes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from elo_xl.books.entries import Key, content_of
from elo_xl.books.model import Constant, Sheet, Table
from elo_xl.templates.gallery import build
from elo_xl.templates.opened import OldBook
from elo_xl.xlsx.cell_xml import CellValue
from elo_xl.xlsx.cells import Place, StoredBook, StoredSheet
from elo_xl.xlsx.fill import column_letters


@dataclass(slots=True)
class Shown:
    """What formulas give from now on."""

    cells: dict[str, dict[Place, CellValue | None]] = field(default_factory=dict)
    """by sheet of the file; None for what a program must compute"""
    left: list[str] = field(default_factory=list)
    """sheets of the book whose formulas were not found"""


def showing(now: OldBook) -> Shown:
    """What the formulas of a book give, where they differ from what its file shows."""
    stored = now.stored
    book = build(now.template, now.options, content_of(_as_read(now, stored)))
    titled = (sheet.title for sheet in book.sheets.values())
    values = {title: cells for title in titled if (cells := book.shown(title))}
    tables = now.entries.tables
    titles = {now.book.tables[name].sheet.title: there.title for name, there in tables.items()}
    titles |= {title: title for title in values if title not in titles and title in stored}
    done = Shown()
    for sheet in now.book.sheets.values():
        if sheet.title not in values:
            continue
        cells = values[sheet.title]
        free = [t for t in stored if t not in titles.values()]
        # a renamed sheet in which nothing is typed is the one left that it fits
        for title in [titles[sheet.title]] if sheet.title in titles else free:
            there = stored[title]
            moved = _moved(sheet, now, there)
            places = cells if _unmoved(moved) else [_place(at, moved, there) for at in cells]
            # an older book does not have all columns of today
            if _fits(filter(None, places), there):
                titles[sheet.title] = title
                done.cells[title] = {
                    at: value
                    for at, value in zip(places, cells.values(), strict=True)
                    if at is not None and value != _value(there, at)
                }
                break
        else:
            done.left.append(sheet.title)
            if (title := titles.get(sheet.title, "")) in stored:
                done.cells[title] = dict.fromkeys(_computed(now, title, stored[title]))
    return done


def _as_read(now: OldBook, stored: StoredBook) -> dict[Key, Constant]:
    """The entries as formulas find them: in the rows of the sheet in which the book has them."""
    typed = {key: entry.value for key, entry in now.entries.typed.items() if not key.row}
    for name, there in now.entries.tables.items():
        table, cells = now.book.tables[name], stored[there.title].cells
        for row in range(table.rows):
            for key, column in there.columns.items():
                if (cell := cells.get((table.first + row, column))) is not None:
                    typed[Key(name, row + 1, key)] = cell.value
    return typed


Moved = tuple[Table, dict[int, int], dict[int, int]]
"""A table, and where the file has its rows and its columns."""

ByRow = dict[int, dict[CellValue, list[int]]]
"""The columns of values, by row."""


def _moved(sheet: Sheet, now: OldBook, stored: StoredSheet) -> list[Moved]:
    moved = []
    by_row: ByRow = {}
    for (row, column), cell in sorted(stored.cells.items(), key=itemgetter(0)):
        by_row.setdefault(row, {}).setdefault(cell.value, []).append(column)
    for table in sorted(sheet.tables, key=lambda table: table.left):
        header, columns = _headings(sheet, table, by_row)
        there = now.entries.tables.get(table.name)
        rows = {table.header: header}
        for i in range(table.rows):
            rows[table.first + i] = header + 1 + i if there is None else there.rows.get(i + 1, 0)
        moved.append((table, rows, columns))
    return moved


def _unmoved(moved: Sequence[Moved]) -> bool:
    """Whether the file has all tables of a sheet where the book has them."""
    whole = all(columns.keys() == {*table.at.values()} for table, _, columns in moved)
    return whole and all(a == b for _, *maps in moved for each in maps for a, b in each.items())


def _place(at: Place, moved: Sequence[Moved], stored: StoredSheet) -> Place | None:
    """Where the file has a cell of a sheet: as the table moved in which, or beside which, it is;
    None for a column that it does not have."""
    row, column = at
    for table, rows, columns in reversed(moved):
        if row in rows and table.left <= column:
            if column in table.at.values() and column not in columns:
                return None
            if last := max((each for each in columns if each <= column), default=0):
                return rows[row], columns[last] + column - last
    # above all tables, rows were inserted above it or below it
    down = next((rows[table.header] - table.header for table, rows, _ in moved), 0)
    return at if _formula(stored, at) else (row + down, column)


def _headings(sheet: Sheet, table: Table, by_row: ByRow) -> tuple[int, dict[int, int]]:
    """The row of a table's headings, and its columns by those that the book has; without columns
    whose headings are not there."""
    puts = {at: put.value for at in table.at.values()
            if (put := sheet.puts.get((table.header, at))) is not None}  # fmt: skip
    texts = {at: text for at, text in puts.items() if isinstance(text, str) and text}
    wanted = set(texts.values())
    header = max(
        by_row,
        key=lambda row: (len(by_row[row].keys() & wanted), -abs(row - table.header)),
        default=table.header,
    )
    columns: dict[int, int] = {}
    shift = 0
    for at in sorted(table.at.values()):
        places = by_row.get(header, {}).get(texts.get(at, ""), [])
        if at in texts and not places:
            continue
        free = [place for place in places if place not in columns.values()]
        if free and at + shift not in free:
            # farther to the right, if columns were inserted; or wherever it was moved
            shift = next((place for place in free if place > at + shift), free[0]) - at
        columns[at] = at + shift
    return header, columns


def _fits(places: Iterable[Place], stored: StoredSheet) -> bool:
    """Whether in each row and column of some places formulas stand."""
    places = set(places)
    there = {place for place in places if _formula(stored, place)}
    return all({at[i] for at in places} == {at[i] for at in there} for i in (0, 1))


def _formula(stored: StoredSheet, place: Place) -> bool:
    cell = stored.cells.get(place)
    # a formula that gives a blank text is not among the cells
    return cell.formula if cell is not None else place in stored.formulas


def _value(stored: StoredSheet, place: Place) -> CellValue:
    cell = stored.cells.get(place)
    return "" if cell is None else cell.value


def _computed(now: OldBook, title: str, stored: StoredSheet) -> set[Place]:
    """The formulas of a sheet, except those in place of entries."""
    typed = {entry.where for entry in now.entries.typed.values()}
    return {at for at in stored.formulas if f"{title}!{column_letters(at[1])}{at[0]}" not in typed}
