"""Marks read their own sheet only: Excel keeps no other rule of a colour in this part of a file.

What a mark tests on another sheet is tested in a hidden column beside its table, and the mark reads
that column.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from elo_xl.books.column_words import ColumnLook, Look
from elo_xl.books.model import Declared, Mark, Sheet, Table
from elo_xl.books.statements import ColumnLine, Statement, located
from elo_xl.xlsx.formula import Name, Node, Reference, walk

_LOOK = Look("quiet", measure=False)
ROOM: Final = 6
"""Columns that stay empty behind the last one that is seen."""


def bring_near(book: Declared) -> None:
    """Let every mark read its own sheet."""
    for sheet in book.sheets.values():
        columns: dict[tuple[int, Node], Node] = {}
        for i, mark in enumerate(sheet.marks):
            with located(mark.where):
                test = sheet.names_at(mark.table).resolve(mark.test)
            if not any(isinstance(node, Reference) and "!" in node.text for node in walk(test)):
                continue
            key = id(mark.table), mark.test
            if mark.table is None:
                near = _beside(sheet, mark)
            elif key in columns:
                near = columns[key]
            else:
                near = columns[key] = _column(mark.table, mark)
            sheet.marks[i] = replace(mark, test=near)


def _column(table: Table, mark: Mark) -> Node:
    """The name of a new column of the table, which holds what the mark tests."""
    key = f"test_{len(table.at)}"
    add_helper(table, key, mark.test, mark.where)
    return Name(key)


def add_helper(table: Table, key: str, formula: Node, where: str = "") -> None:
    """Add a hidden column to a table, behind all others of its sheet."""
    table.lines.append(ColumnLine((key,), ("helper",), formula, Statement(key, where)))
    table.at[key] = _free(table.sheet)
    table.columns[key] = ColumnLook(key, _LOOK, "", key, helper=True)


def _beside(sheet: Sheet, mark: Mark) -> Node:
    """The reference to a new cell in the row of a single one."""
    column = _free(sheet)
    sheet.helpers.add(column)
    cell = sheet.put(mark.cells.row, column, mark.test, _LOOK.role, measure=False)
    return Reference(cell.address)


def _free(sheet: Sheet) -> int:
    """The first column behind all others; behind one that is seen there is room for what it says,
    which flows over cells that are empty."""
    places = [(at, table.columns[k].helper) for table in sheet.tables for k, at in table.at.items()]
    last = max([*(at for at, _ in places), *(column for _, column in sheet.puts)])
    seen = max((at for at, helper in places if not helper), default=0)
    return last + 1 + (ROOM if last == seen else 0)
