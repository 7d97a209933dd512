"""A sheet of values in an existing workbook, behind the others; all other sheets stay as they are.

Its styles are added to those of the workbook where they are not there already.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from datetime import date
from itertools import count
from typing import Final, NamedTuple

from lxml import etree

from elo_xl.xlsx.cell_xml import escape, escaped
from elo_xl.xlsx.edit import edited
from elo_xl.xlsx.fill import column_letters, in_sheet
from elo_xl.xlsx.opc import (
    BOOK,
    BOOK_RELATIONSHIPS,
    CONTENT_TYPES,
    MAIN,
    OFFICE,
    STYLES,
    Element,
    Parts,
    WorkbookError,
    add_relation,
    add_type,
    from_bytes,
    relations_of,
    sheet_parts,
    to_bytes,
)

_KIND: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"
_TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"
_FIRST_OWN: Final = 164
"""The first number of a format that a workbook may define."""
GENERAL: Final = "General"


class StyledCell(NamedTuple):
    """A cell and its look."""

    value: str | float | date | None
    form: str = GENERAL
    """the format of a number"""
    look: str = ""
    """the named style of the workbook, which may be missing there"""
    align: str = ""


class Paper(NamedTuple):
    """The measures of a sheet, and how it is printed: A4, one page across."""

    widths: Sequence[float]
    """of the columns, in digits"""
    heights: Mapping[int, float]
    """of rows, in points"""
    merged: Sequence[tuple[int, int, int]]
    """row, first and last column of cells that are one"""
    headings: tuple[int, int]
    """the first and the last row that every page repeats"""
    upright: bool
    tab: str
    """the colour of the tab"""
    paging: str
    """below, on the right"""


def with_sheet(
    parts: Mapping[str, bytes], title: str, rows: Sequence[Sequence[StyledCell]], paper: Paper
) -> Parts:
    """The parts that change where a sheet of values is added.

    A sheet that has the title, and the same text in cell A1, is replaced: it was written so before.
    Raises WorkbookError if another one has the title.
    """
    there = sheet_parts(parts)
    name = next((name for name in there if name.casefold() == title.casefold()), title)
    changed: Parts = {}
    if name not in there:
        names = (f"xl/worksheets/sheet{n}.xml" for n in count(1))
        part = next(name for name in names if name not in parts)
        changed |= declared(parts, part, title)
    elif _first_text(parts, name) == rows[0][0].value:
        part = there[name]
    else:
        raise WorkbookError(f"it has another sheet that is called {title!r}: give that a new name")
    styles = from_bytes(parts[STYLES])
    changed[part] = _sheet(title, rows, paper, styles).encode()
    changed[STYLES] = to_bytes(styles)
    book = from_bytes(changed.get(BOOK, parts[BOOK]))
    _repeat(book, title, paper.headings)
    changed[BOOK] = to_bytes(book)
    if (relations := relations_of(part)) in parts:  # what a program has added to the old one
        empty = from_bytes(parts[relations])
        empty[:] = []
        changed[relations] = to_bytes(empty)
    cells = ((n, m, cell.value) for n, row in enumerate(rows, 1) for m, cell in enumerate(row, 1))
    values = {(n, m): value for n, m, value in cells if value is not None}
    return changed | edited({**parts, **changed}, {name: values})


def _first_text(parts: Mapping[str, bytes], title: str) -> object:
    from elo_xl.xlsx.cells import StoredBook

    cell = StoredBook(parts)[title].cells.get((1, 1))
    return cell.value if cell else None


def declared(parts: Mapping[str, bytes], part: str, title: str) -> Parts:
    """The parts that tell of all sheets, with one more."""
    book, relations, types = map(
        from_bytes, (parts[BOOK], parts[BOOK_RELATIONSHIPS], parts[CONTENT_TYPES])
    )
    sheets = _sheets(book)
    free = 1 + max((int(sheet.get("sheetId", 0)) for sheet in sheets), default=0)
    number = add_relation(relations, _KIND, f"/{part}")
    sheet = etree.SubElement(sheets, f"{MAIN}sheet", name=title, sheetId=str(free))
    sheet.set(f"{OFFICE}id", number)
    add_type(types, part, _TYPE)
    made = zip((BOOK, BOOK_RELATIONSHIPS, CONTENT_TYPES), (book, relations, types), strict=True)
    return {name: to_bytes(root) for name, root in made}


def _sheets(book: Element) -> Element:
    sheets = book.find(f"{MAIN}sheets")
    if sheets is None:
        raise WorkbookError("it is damaged: it has no sheets")
    return sheets


def _repeat(book: Element, title: str, headings: tuple[int, int]) -> None:
    """Let every page of a sheet begin with its headings."""
    sheets = _sheets(book)
    titles = [sheet.get("name", "").casefold() for sheet in sheets]
    at = {"name": "_xlnm.Print_Titles", "localSheetId": str(titles.index(title.casefold()))}
    names = book.find(f"{MAIN}definedNames")
    if names is None:
        names = etree.Element(f"{MAIN}definedNames")
        before = (book.find(f"{MAIN}{tag}") for tag in ("externalReferences", "functionGroups"))
        next((one for one in before if one is not None), sheets).addnext(names)
    for known in list(names):
        if at.items() <= dict(known.items()).items():
            names.remove(known)
    rows = in_sheet(escaped(title), f"${headings[0]}:${headings[1]}")
    etree.SubElement(names, f"{MAIN}definedName", at).text = rows


def _sheet(title: str, rows: Sequence[Sequence[StyledCell]], paper: Paper, styles: Element) -> str:
    """The sheet, its cells still without values."""
    columns = "".join(
        f'<col min="{n}" max="{n}" width="{width:g}" customWidth="1"/>'
        for n, width in enumerate(paper.widths, start=1)
    )
    lines = []
    for n, cells in enumerate(rows, start=1):
        height = f' ht="{paper.heights[n]:g}" customHeight="1"' if n in paper.heights else ""
        inside = "".join(
            f'<c r="{column_letters(m)}{n}" s="{_style(styles, form, *look)}"/>'
            for m, (value, form, *look) in enumerate(cells, start=1)
            if value is not None or any(look)
        )
        lines.append(f'<row r="{n}"{height}>{inside}</row>')
    merged = "".join(
        f'<mergeCell ref="{column_letters(first)}{n}:{column_letters(last)}{n}"/>'
        for n, first, last in paper.merged
    )
    foot = f"&C{escaped(title).replace('&', '&&')}&R{paper.paging}"
    return (
        f'<worksheet xmlns="{MAIN[1:-1]}">'
        f'<sheetPr><tabColor rgb="FF{paper.tab}"/><pageSetUpPr fitToPage="1"/></sheetPr>'
        '<sheetViews><sheetView showGridLines="0" workbookViewId="0"/></sheetViews>'
        f"<cols>{columns}</cols><sheetData>{''.join(lines)}</sheetData>"
        f'<mergeCells count="{len(paper.merged)}">{merged}</mergeCells>'
        '<printOptions horizontalCentered="1"/>'
        '<pageMargins left="0.5" right="0.5" top="0.6" bottom="0.7" header="0.3" footer="0.3"/>'
        '<pageSetup paperSize="9" fitToWidth="1" fitToHeight="0" '
        f'orientation="{"portrait" if paper.upright else "landscape"}"/>'
        f"<headerFooter><oddFooter>{escape(foot)}</oddFooter></headerFooter></worksheet>"
    )


def _style(styles: Element, form: str, look: str, align: str) -> int:
    """The number of a style of cells, which is added if it is not there."""
    base = _named(styles, look)
    if base is None:
        base = etree.Element(f"{MAIN}xf", fontId="0", fillId="0", borderId="0", xfId="0")
    base.set("numFmtId", str(_format(styles, form)))
    if form != GENERAL:
        base.set("applyNumberFormat", "1")
    if align:
        alignment = base.find(f"{MAIN}alignment")
        if alignment is None:
            alignment = etree.Element(f"{MAIN}alignment")
            base.insert(0, alignment)
        alignment.set("horizontal", align)
        base.set("applyAlignment", "1")
    return _added(styles, "cellXfs", base)


def _named(styles: Element, name: str) -> Element | None:
    """A style of cells that looks as one of the workbook's named styles."""
    for known in styles.iterfind(f"{MAIN}cellStyles/{MAIN}cellStyle"):
        if name and known.get("name") == name:
            number = known.get("xfId", "0")
            bases = styles.find(f"{MAIN}cellStyleXfs")
            if bases is None or int(number) >= len(bases):
                raise WorkbookError("it is damaged: a named style has no look")
            style = deepcopy(bases[int(number)])
            parts = ("Font", "Fill", "Border", "Alignment", "Protection")
            style.set("xfId", number)
            for part in parts:
                style.set(f"apply{part}", "1")
            return style
    return None


def _format(styles: Element, form: str) -> int:
    if form == GENERAL:
        return 0
    formats = styles.find(f"{MAIN}numFmts")
    if formats is None:
        formats = etree.Element(f"{MAIN}numFmts", count="0")
        styles.insert(0, formats)
    known = {element.get("formatCode"): int(element.get("numFmtId", 0)) for element in formats}
    if form not in known:
        # those of conditional formats count, too
        taken = (int(element.get("numFmtId", 0)) for element in styles.iter(f"{MAIN}numFmt"))
        known[form] = max((_FIRST_OWN - 1, *taken)) + 1
        etree.SubElement(formats, f"{MAIN}numFmt", numFmtId=str(known[form]), formatCode=form)
        formats.set("count", str(len(formats)))
    return known[form]


def _added(styles: Element, group: str, wanted: Element) -> int:
    """The place of an element in its group, behind the others if it is not there."""
    elements = styles.find(f"{MAIN}{group}")
    if elements is None:
        raise WorkbookError(f"it is damaged: its styles have no {group}")
    for n, there in enumerate(elements):
        if _same(there, wanted):
            return n
    elements.append(wanted)
    elements.set("count", str(len(elements)))
    return len(elements) - 1


def _same(one: Element, other: Element) -> bool:
    alike = one.tag == other.tag and sorted(one.items()) == sorted(other.items())
    return alike and len(one) == len(other) and all(map(_same, one, other))
