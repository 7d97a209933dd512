"""A sheet of values in an existing workbook, behind the others; all other sheets stay as they are.

Its styles are added to those of the workbook where they are not there already.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from datetime import date
from itertools import count
from typing import Final, NamedTuple

from lxml import etree

from elo_xl.xlsx.cell_xml import escaped
from elo_xl.xlsx.edit import from_1904, serial
from elo_xl.xlsx.fill import column_letters
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
_CONTROL: Final = re.compile("[\\x00-\\x08\\x0b-\\x1f\\ufffe\\uffff]")
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
    there = {name.casefold(): part for name, part in sheet_parts(parts).items()}
    part = there.get(title.casefold())
    changed: Parts = {}
    if part is None:
        names = (f"xl/worksheets/sheet{n}.xml" for n in count(1))
        part = next(name for name in names if name not in parts)
        changed |= _declared(parts, part, title)
    elif _first_text(parts, part) != rows[0][0].value:
        raise WorkbookError(f"it has another sheet that is called {title!r}: give that a new name")
    styles = from_bytes(parts[STYLES])
    changed[part] = to_bytes(_sheet(title, rows, paper, styles, from_1904(parts)))
    changed[STYLES] = to_bytes(styles)
    book = from_bytes(changed.get(BOOK, parts[BOOK]))
    _repeat(book, title, paper.headings)
    changed[BOOK] = to_bytes(book)
    if (relations := relations_of(part)) in parts:  # what a program has added to the old one
        empty = from_bytes(parts[relations])
        empty[:] = []
        changed[relations] = to_bytes(empty)
    return changed


def _first_text(parts: Mapping[str, bytes], part: str) -> object:
    from elo_xl.xlsx.cells import StoredBook

    book = StoredBook(parts)
    title = next(name for name, path in sheet_parts(parts).items() if path == part)
    cell = book[title].cells.get((1, 1))
    return cell.value if cell else None


def _declared(parts: Mapping[str, bytes], part: str, title: str) -> Parts:
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
    quoted = escaped(title).replace("'", "''")
    etree.SubElement(
        names, f"{MAIN}definedName", at
    ).text = f"'{quoted}'!${headings[0]}:${headings[1]}"


def _sheet(
    title: str, rows: Sequence[Sequence[StyledCell]], paper: Paper, styles: Element, mac: bool
) -> Element:
    root = etree.fromstring(f'<worksheet xmlns="{MAIN[1:-1]}"/>')
    about = etree.SubElement(root, f"{MAIN}sheetPr")
    etree.SubElement(about, f"{MAIN}tabColor", rgb=f"FF{paper.tab}")
    etree.SubElement(about, f"{MAIN}pageSetUpPr", fitToPage="1")
    views = etree.SubElement(root, f"{MAIN}sheetViews")
    etree.SubElement(views, f"{MAIN}sheetView", showGridLines="0", workbookViewId="0")
    columns = etree.SubElement(root, f"{MAIN}cols")
    for n, width in enumerate(paper.widths, start=1):
        wide = {"min": str(n), "max": str(n), "width": f"{width:g}", "customWidth": "1"}
        etree.SubElement(columns, f"{MAIN}col", wide)
    data = etree.SubElement(root, f"{MAIN}sheetData")
    for n, cells in enumerate(rows, start=1):
        row = etree.SubElement(data, f"{MAIN}row", r=str(n))
        if n in paper.heights:
            row.set("ht", f"{paper.heights[n]:g}")
            row.set("customHeight", "1")
        for m, (value, form, *look) in enumerate(cells, start=1):
            if value is None and not any(look):
                continue
            style = str(_style(styles, form, *look))
            cell = etree.SubElement(row, f"{MAIN}c", r=f"{column_letters(m)}{n}", s=style)
            if value is None:
                continue
            if isinstance(value, str):
                cell.set("t", "inlineStr")
                text = etree.SubElement(etree.SubElement(cell, f"{MAIN}is"), f"{MAIN}t")
                text.text = _CONTROL.sub("", escaped(value))
                text.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
            else:
                number = serial(value, mac) if isinstance(value, date) else value
                etree.SubElement(cell, f"{MAIN}v").text = repr(number)
    merged = etree.SubElement(root, f"{MAIN}mergeCells", count=str(len(paper.merged)))
    for n, first, last in paper.merged:
        area = f"{column_letters(first)}{n}:{column_letters(last)}{n}"
        etree.SubElement(merged, f"{MAIN}mergeCell", ref=area)
    etree.SubElement(root, f"{MAIN}printOptions", horizontalCentered="1")
    margins = {"left": "0.5", "right": "0.5", "top": "0.6", "bottom": "0.7"}
    etree.SubElement(root, f"{MAIN}pageMargins", {**margins, "header": "0.3", "footer": "0.3"})
    orientation = "portrait" if paper.upright else "landscape"
    pages = {"paperSize": "9", "fitToWidth": "1", "fitToHeight": "0", "orientation": orientation}
    etree.SubElement(root, f"{MAIN}pageSetup", pages)
    foot = etree.SubElement(etree.SubElement(root, f"{MAIN}headerFooter"), f"{MAIN}oddFooter")
    foot.text = f"&C{escaped(title).replace('&', '&&')}&R{paper.paging}"
    return root


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
        known[form] = max((_FIRST_OWN - 1, *known.values())) + 1
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
