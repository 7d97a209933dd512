"""A last sheet that compares what a file stores for its formulas with what a program computes.

A person who opens the book reads one cell: ``0 of 8237 cells differ``, or the first that does. The
other sheets stay as they are, byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from elo_xl.error_values import EXCEL_NUMBERS
from elo_xl.xlsx.added_sheet import declared
from elo_xl.xlsx.cell_xml import CellValue, cell_of, constant_of, escape, typed
from elo_xl.xlsx.cells import StoredBook, StoredSheet
from elo_xl.xlsx.edit import recalculating
from elo_xl.xlsx.fill import ROWS, column_letters, in_sheet
from elo_xl.xlsx.in_place import WorkbookError, read_parts, with_parts
from elo_xl.xlsx.opc import BOOK, MAIN, Parts, from_bytes, sheet_parts, to_bytes

SHEET: Final = "Selfcheck"
WAITING: Final = "Not computed yet: click Enable Editing; in LibreOffice press Ctrl+Shift+F9"
"""what the first cell shows until a program has computed the book"""
_SAME: Final = {
    # in LibreOffice a cell that refers to a blank one is no number by itself, and TRUE is one
    "n": "AND(ISNUMBER(C{0}*1),ISNONTEXT(C{0}),NOT(ISLOGICAL(C{0}))),"
    "ABS(C{0}-B{0})<=1E-9*MAX(1,ABS(B{0}))",
    "b": "ISLOGICAL(C{0}),C{0}=B{0}",
    # a program may have errors of its own, which have no number
    "e": "ISERROR(C{0}),IFERROR(ERROR.TYPE(C{0})={1},TRUE)",
    "str": "ISTEXT(C{0}),EXACT(C{0},B{0})",
}
"""By the type of the stored value: of which kind the computed one has to be, and then equal."""
_NUMBERS: Final = {error: number for number, error in enumerate(EXCEL_NUMBERS, 1)}
"""of errors, as ERROR.TYPE gives them"""
_HEADINGS: Final = "Cell", "Stored", "Computed", "Differs"
_FIRST: Final = 6
"""the first row of the list"""
_SELECTED: Final = re.compile(
    rb"""(<(?:[\w.-]+:)?sheetView\b[^>]*?)\s+tabSelected\s*=\s*["']\w+["']"""
)


def checked(content: bytes) -> tuple[bytes, int]:
    """A workbook with the sheet, on which it opens, and how many cells that compares.

    Cells of formulas without a stored value are left out. Numbers may differ by a part in 10^9.
    Raises WorkbookError for what is no workbook, for one without such values, or with more than a
    sheet has rows, and for one that has a sheet of this title.
    """
    parts = read_parts(content)
    book = StoredBook(parts)
    if any(title.casefold() == SHEET.casefold() for title in book):
        raise WorkbookError(f"it has a sheet called {SHEET} already")
    values = [(in_sheet(title, at), value) for title in book for at, value in _given(book[title])]
    if not values:
        raise WorkbookError("it stores no value of a formula with which to compare")
    if len(values) > ROWS - _FIRST:
        raise WorkbookError(f"it has {len(values):,} formulas, more than a sheet has rows")
    part = next(name for n in range(1, len(parts) + 2) if (name := _part(n)) not in parts)
    changed = _opened_there(parts, declared(parts, part, SHEET))
    return with_parts(content, {**changed, part: _sheet(values)}), len(values)


def _part(number: int) -> str:
    return f"xl/worksheets/sheet{number}.xml"


def _given(sheet: StoredSheet) -> Iterator[tuple[str, CellValue]]:
    """The cells of formulas, those that an array formula fills, too, and what they give."""
    for (row, column), cell in sheet.cells.items():
        if cell.formula:
            yield f"{column_letters(column)}{row}", cell.value
    # a blank text is a value as well
    for row, column in sorted(sheet.formulas - sheet.cells.keys() - sheet.uncomputed):
        yield f"{column_letters(column)}{row}", ""


def _opened_there(parts: Mapping[str, bytes], changed: Parts) -> Parts:
    """The parts of a workbook that opens on its last sheet, and on no other with it."""
    book = from_bytes(changed[BOOK])
    for view in book.iterfind(f"{MAIN}bookViews/{MAIN}workbookView"):
        view.set("activeTab", str(len(book.findall(f"{MAIN}sheets/{MAIN}sheet")) - 1))
    shown = {part: _SELECTED.sub(rb"\1", parts[part]) for part in sheet_parts(parts).values()}
    return {**changed, **shown, BOOK: recalculating(to_bytes(book))}


def _sheet(values: list[tuple[str, CellValue]]) -> bytes:
    last = _FIRST + len(values) - 1
    cells, differs = (f"{letter}{_FIRST}:{letter}{last}" for letter in "AD")
    first = f"INDEX({cells},MATCH(1,{differs},0))"
    link = f'IF(SUM({differs})=0,"",HYPERLINK("#"&{first},"The first: "&{first}))'
    program = 'IFERROR(INFO("release")&", "&INFO("osversion"),"")'
    rows = [
        [_formula("A1", f'SUM({differs})&" of {len(values)} cells differ"', WAITING)],
        [_formula("A2", link, "")],
        [
            constant_of(
                "A3", 0, "Stored: by the program that saved the file. Computed: by this one."
            )
        ],
        [constant_of("A4", 0, "Opened in"), _formula("B4", program, "")],
        [constant_of(f"{c}5", 0, text) for c, text in zip("ABCD", _HEADINGS, strict=True)],
    ]
    for row, (place, value) in enumerate(values, _FIRST):
        kind, _ = typed(value, place)
        differ = f"1-IF({_SAME[kind].format(row, _NUMBERS.get(str(value)))})"
        constants = [constant_of(f"A{row}", 0, place), constant_of(f"B{row}", 0, value)]
        rows.append([*constants, _formula(f"C{row}", place, ""), _formula(f"D{row}", differ, 1)])
    lines = (f'<row r="{n}">{"".join(row)}</row>' for n, row in enumerate(rows, 1))
    return (
        f'<worksheet xmlns="{MAIN[1:-1]}"><sheetViews>'
        '<sheetView tabSelected="1" workbookViewId="0">'
        f'<pane ySplit="{_FIRST - 1}" topLeftCell="A{_FIRST}" activePane="bottomLeft" '
        'state="frozen"/></sheetView></sheetViews><cols><col min="1" max="3" width="32" '
        f'customWidth="1"/></cols><sheetData>{"".join(lines)}</sheetData></worksheet>'
    ).encode()


def _formula(name: str, formula: str, before: CellValue) -> str:
    """A cell with a formula, and what it shows before a program has computed it."""
    return cell_of(name, 0, before, escape(formula))
