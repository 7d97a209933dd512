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
from openpyxl.utils import get_column_letter

from elo_xl.xlsx.edit import from_1904, serial
from elo_xl.xlsx.escapes import escaped
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


class Cell(NamedTuple):
    """A cell and its look."""

    value: str | float | date | None
    form: str = GENERAL
    """the format of a number"""
    bold: bool = False


def with_sheet(
    parts: Mapping[str, bytes],
    title: str,
    rows: Sequence[Sequence[Cell]],
    widths: Sequence[float],
) -> Parts:
    """The parts that change where a sheet of values is added.

    ``widths`` are those of the columns, in digits. A sheet that has the title, and the same text in
    cell A1, is replaced: it was written so before. Raises WorkbookError if another one has the
    title.
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
    changed[part] = to_bytes(_sheet(rows, widths, styles, from_1904(parts)))
    changed[STYLES] = to_bytes(styles)
    if (relations := relations_of(part)) in parts:  # what a program has added to the old one
        empty = from_bytes(parts[relations])
        empty[:] = []
        changed[relations] = to_bytes(empty)
    return changed


def _first_text(parts: Mapping[str, bytes], part: str) -> object:
    from elo_xl.xlsx.cells import StoredBook

    book = StoredBook(parts)
    title = next(name for name, own in sheet_parts(parts).items() if own == part)
    cell = book[title].cells.get((1, 1))
    return cell.value if cell else None


def _declared(parts: Mapping[str, bytes], part: str, title: str) -> Parts:
    """The parts that tell of all sheets, with one more."""
    book, relations, types = map(
        from_bytes, (parts[BOOK], parts[BOOK_RELATIONSHIPS], parts[CONTENT_TYPES])
    )
    sheets = book.find(f"{MAIN}sheets")
    if sheets is None:
        raise WorkbookError("it is damaged: it has no sheets")
    free = 1 + max((int(sheet.get("sheetId", 0)) for sheet in sheets), default=0)
    number = add_relation(relations, _KIND, f"/{part}")
    sheet = etree.SubElement(sheets, f"{MAIN}sheet", name=title, sheetId=str(free))
    sheet.set(f"{OFFICE}id", number)
    add_type(types, part, _TYPE)
    made = zip((BOOK, BOOK_RELATIONSHIPS, CONTENT_TYPES), (book, relations, types), strict=True)
    return {name: to_bytes(root) for name, root in made}


def _sheet(
    rows: Sequence[Sequence[Cell]], widths: Sequence[float], styles: Element, mac: bool
) -> Element:
    root = etree.fromstring(f'<worksheet xmlns="{MAIN[1:-1]}"/>')
    columns = etree.SubElement(root, f"{MAIN}cols")
    for n, width in enumerate(widths, start=1):
        wide = {"min": str(n), "max": str(n), "width": f"{width:g}", "customWidth": "1"}
        etree.SubElement(columns, f"{MAIN}col", wide)
    data = etree.SubElement(root, f"{MAIN}sheetData")
    for n, cells in enumerate(rows, start=1):
        row = etree.SubElement(data, f"{MAIN}row", r=str(n))
        for m, (value, form, bold) in enumerate(cells, start=1):
            if value is None:
                continue
            style = str(_style(styles, form, bold))
            cell = etree.SubElement(row, f"{MAIN}c", r=f"{get_column_letter(m)}{n}", s=style)
            if isinstance(value, str):
                cell.set("t", "inlineStr")
                text = etree.SubElement(etree.SubElement(cell, f"{MAIN}is"), f"{MAIN}t")
                text.text = _CONTROL.sub("", escaped(value))
                text.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
            else:
                number = serial(value, mac) if isinstance(value, date) else value
                etree.SubElement(cell, f"{MAIN}v").text = repr(number)
    return root


def _style(styles: Element, form: str, bold: bool) -> int:
    """The number of a style of cells, which is added if it is not there."""
    wanted = {
        "numFmtId": str(_format(styles, form)),
        "fontId": str(_bold(styles)) if bold else "0",
        "fillId": "0",
        "borderId": "0",
        "xfId": "0",
    }
    if wanted["numFmtId"] != "0":
        wanted["applyNumberFormat"] = "1"
    if bold:
        wanted["applyFont"] = "1"
    return _added(styles, "cellXfs", etree.Element(f"{MAIN}xf", wanted))


def _format(styles: Element, form: str) -> int:
    if form == GENERAL:
        return 0
    formats = styles.find(f"{MAIN}numFmts")
    if formats is None:
        formats = etree.Element(f"{MAIN}numFmts", count="0")
        styles.insert(0, formats)
    known = {own.get("formatCode"): int(own.get("numFmtId", 0)) for own in formats}
    if form not in known:
        known[form] = max((_FIRST_OWN - 1, *known.values())) + 1
        etree.SubElement(formats, f"{MAIN}numFmt", numFmtId=str(known[form]), formatCode=form)
        formats.set("count", str(len(formats)))
    return known[form]


def _bold(styles: Element) -> int:
    fonts = styles.find(f"{MAIN}fonts")
    if fonts is None or not len(fonts):
        raise WorkbookError("it is damaged: its styles have no font")
    font = deepcopy(fonts[0])
    if font.find(f"{MAIN}b") is None:
        font.insert(0, etree.Element(f"{MAIN}b"))
    return _added(styles, "fonts", font)


def _added(styles: Element, group: str, wanted: Element) -> int:
    """The place of an element in its group, behind the others if it is not there."""
    own = styles.find(f"{MAIN}{group}")
    if own is None:
        raise WorkbookError(f"it is damaged: its styles have no {group}")
    for n, there in enumerate(own):
        if _same(there, wanted):
            return n
    own.append(wanted)
    own.set("count", str(len(own)))
    return len(own) - 1


def _same(one: Element, other: Element) -> bool:
    alike = one.tag == other.tag and sorted(one.items()) == sorted(other.items())
    return alike and len(one) == len(other) and all(map(_same, one, other))
