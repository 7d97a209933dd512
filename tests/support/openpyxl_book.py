"""A workbook of openpyxl's for the evaluator."""

from datetime import date, datetime, time, timedelta
from typing import Any, Final

import openpyxl
from openpyxl.worksheet.formula import ArrayFormula

from elo_xl.xlsx.evaluate import ArrayBlock, CellContent, Error, Filled, Workbook
from elo_xl.xlsx.fill import column_letters, place
from elo_xl.xlsx.formula import Node, parse


def of_openpyxl(book: openpyxl.Workbook) -> Workbook:
    """The cells of a workbook; dates are their serial numbers."""
    sheets: dict[str, dict[tuple[int, int], CellContent]] = {}
    names = {name: str(defined.attr_text) for name, defined in book.defined_names.items()}
    for sheet in book.worksheets:
        cells = sheets[sheet.title] = {}
        for row in sheet.iter_rows():
            for cell in row:
                content: Any = cell.value
                at = int(cell.row or 0), int(cell.column or 0)
                if isinstance(content, ArrayFormula):
                    _spread(cells, parse(str(content.text)), str(content.ref))
                elif cell.data_type == "f":
                    cells[at] = Filled(parse(str(content)))
                elif content is not None:
                    cells[at] = _constant(content, cell.data_type)
        for table in sheet.tables.values():
            names |= _columns(sheet.title, table)
    return Workbook(sheets, names)


def _spread(cells: dict[tuple[int, int], CellContent], tree: Node, reference: str) -> None:
    """One array formula in all the cells of its range."""
    found = place(reference)
    assert found is not None
    first, last = found.first, found.last or found.first
    assert first.row
    assert first.column
    assert last.row
    assert last.column
    block = ArrayBlock(
        tree, first.row, first.column, last.row - first.row + 1, last.column - first.column + 1
    )
    for row in range(first.row, last.row + 1):
        for column in range(first.column, last.column + 1):
            cells[row, column] = block


_EPOCH: Final = datetime(1899, 12, 30)


def _constant(content: Any, kind: str) -> CellContent:
    if isinstance(content, datetime):
        return (content - _EPOCH) / timedelta(days=1)
    if isinstance(content, date):
        return float((content - _EPOCH.date()).days)
    if isinstance(content, time):
        return (datetime.combine(_EPOCH, content) - _EPOCH) / timedelta(days=1)
    if isinstance(content, timedelta):
        return content / timedelta(days=1)
    if kind == "e":
        return Error(content)
    if isinstance(content, str):
        return str(content)
    return content if isinstance(content, bool) else float(content)


def _columns(sheet: str, table: Any) -> dict[str, str]:
    """The columns of a table by the names that formulas call them."""
    found = place(table.ref)
    assert found is not None
    assert found.last is not None
    first, last = found.first, found.last
    assert first.row
    assert first.column
    assert last.row
    quoted = "'" + sheet.replace("'", "''") + "'"
    names = {}
    for i, column in enumerate(table.tableColumns):
        letters = column_letters(first.column + i)
        top, bottom = first.row + 1, last.row - (table.totalsRowCount or 0)
        names[f"{table.displayName}[{column.name}]"] = (
            f"{quoted}!${letters}${top}:${letters}${bottom}"
        )
    return names
