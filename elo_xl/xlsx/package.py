"""Post-process a workbook of openpyxl's: store each formula's value.

openpyxl writes formulas without their values, so previews, pandas and Excel's protected view show
blanks. :func:`package` has openpyxl write into memory and puts the values in with an XML parser.
Other things that openpyxl cannot write (cells of dynamic arrays with their metadata, one part for
the texts of all cells) belong to the same pass over the parts.
"""

from __future__ import annotations

import io
import re
import zipfile
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Any, Final

from lxml import etree
from openpyxl.drawing.spreadsheet_drawing import SpreadsheetDrawing
from openpyxl.styles.numbers import BUILTIN_FORMATS_MAX_SIZE
from openpyxl.utils import coordinate_to_tuple, get_column_letter
from openpyxl.workbook._writer import get_active_sheet
from openpyxl.worksheet._writer import WorksheetWriter
from openpyxl.writer.excel import ExcelWriter
from openpyxl.xml.constants import SHARED_STRINGS

from elo_xl.xlsx.cell_xml import CellValue, escaped, typed
from elo_xl.xlsx.dynamic import with_dynamic_cells
from elo_xl.xlsx.opc import (
    BOOK_RELATIONSHIPS,
    CELL,
    CONTENT_TYPES,
    EARLIEST,
    FORMULA,
    MAIN,
    OFFICE,
    PROPERTIES,
    SHARED_TEXTS,
    STYLES,
    VALUE,
    Element,
    Parts,
    add_relation,
    add_type,
    from_bytes,
    sheet_parts,
    to_bytes,
    unzipped,
    zipped,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from openpyxl import Workbook

TERMS: Final = "{http://purl.org/dc/terms/}"
XML_SPACE: Final = "{http://www.w3.org/XML/1998/namespace}space"
AddedRows = dict[int, dict[int, str]]
"""Cells by row and column, as a worksheet has them."""


def package(
    workbook: Workbook, values: Mapping[tuple[str, str], CellValue], *, dated: date | None = None
) -> bytes:
    """The file of a workbook whose formula cells show ``values`` before anything recalculates them.

    ``values`` holds, by sheet title and cell, what the formula there gives: a number, a text, an
    error text such as ``"#N/A"`` or a truth value; a formula without one is computed when the file
    is opened. An array formula has a value for each cell of its range. ``dated`` is the date that
    the file's properties show (1 January 1980 if omitted): the same workbook gives the same bytes
    on every run. Programs are told to recalculate everything on opening.

    Raises ValueError for a value beside a cell that has no formula, or one that is not finite.
    """
    return zipped(parts_of(workbook, values, dated=dated))


def parts_of(
    workbook: Workbook,
    values: Mapping[tuple[str, str], CellValue],
    below: Mapping[str, AddedRows] = {},
    *,
    dated: date | None = None,
    unflagged: bool = False,
) -> dict[str, bytes]:
    """The parts of the file that :func:`package` gives, with the same arguments and errors.

    ``below`` holds, by sheet, the cells that are not in ``workbook``. In an
    ``unflagged`` file Excel draws no green triangles at cells that it suspects of a slip.
    """
    workbook.calculation.fullCalcOnLoad = True
    get_active_sheet(workbook)  # it is a visible one from now on
    for sheet in workbook.worksheets:
        sheet.sheet_view.tabSelected = sheet is workbook.active
    buffer = io.BytesIO()
    # it is unpacked at once, so packing it would be a waste
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        _MemoryWriter(workbook, archive).save()
    parts = unzipped(buffer.getvalue())
    by_sheet: dict[str, dict[str, CellValue]] = {}
    for (title, cell), value in values.items():
        by_sheet.setdefault(title, {})[cell] = value
    for title, part in sheet_parts(parts).items():
        cells = by_sheet.pop(title, {})
        parts[part] = _with_values(parts[part], title, cells, below.get(title, {}))
        if unflagged:
            parts[part] = _unflagged(parts[part])
    if by_sheet:
        raise ValueError(
            f"values for a sheet that is not in the workbook: {next(iter(by_sheet))!r}"
        )
    parts[STYLES] = _in_order(parts[STYLES])
    parts[PROPERTIES] = _with_dates(parts[PROPERTIES], dated or date(*EARLIEST[:3]))
    _share_texts(parts)
    parts.update(with_dynamic_cells(parts))
    return parts


class _MemoryWriter(ExcelWriter):
    """Writes worksheets in memory, not into files in the folder for temporary ones."""

    def write_worksheet(self, ws: Any) -> None:
        ws._drawing = SpreadsheetDrawing()
        ws._drawing.charts, ws._drawing.images = ws._charts, ws._images
        sheet = io.BytesIO()
        writer: Any = WorksheetWriter(ws, sheet)
        writer.write()
        ws._rels = writer._rels
        archive: Any = self._archive  # type: ignore[attr-defined]
        archive.writestr(ws.path[1:], sheet.getvalue())
        self.manifest.append(ws)


_TEXTS: Final = {
    f"{MAIN}dataValidation": ("promptTitle", "prompt", "errorTitle", "error"),
    f"{MAIN}hyperlink": ("display", "tooltip"),
}
"""The attributes that hold texts of people."""


def _escape_texts(root: Element) -> None:
    """Write the texts of a sheet as a file holds them; LibreOffice reads formulas as they are."""
    for element in root.iter(f"{MAIN}t"):
        element.text = escaped(element.text or "")
    for element in root.iter(*_TEXTS):
        for name in _TEXTS[str(element.tag)]:
            if name in element.attrib:
                element.set(name, escaped(element.get(name, "")))


_FONT: Final = (
    *("b", "i", "strike", "condense", "extend", "outline", "shadow", "u", "vertAlign"),
    *("sz", "color", "name", "family", "charset", "scheme"),
)
"""What a font has, in the order of the schema."""


def _in_order(part: bytes) -> bytes:
    """The styles with the parts of fonts in order, and one number for each format of numbers:
    openpyxl numbers those of cells, and those of conditional formats from the same number on."""
    root = from_bytes(part)
    for font in root.iter(f"{MAIN}font"):
        font[:] = sorted(font, key=lambda each: _FONT.index(etree.QName(each).localname))
    numbers: dict[str | None, int] = {}
    for form in root.iter(f"{MAIN}numFmt"):  # those of cells come first, and keep theirs
        if int(form.get("numFmtId", 0)) >= BUILTIN_FORMATS_MAX_SIZE:
            free = BUILTIN_FORMATS_MAX_SIZE + len(numbers)
            form.set("numFmtId", str(numbers.setdefault(form.get("formatCode"), free)))
    return to_bytes(root)


_INLINE: Final = re.compile(rb' t="inlineStr"><is>(.*?)</is>', re.DOTALL)


def _share_texts(parts: Parts) -> None:
    """Put the texts of all cells into one part: the previews of phones show no others."""
    numbers: dict[bytes, int] = {}
    count = 0

    def number(cell: re.Match[bytes]) -> bytes:
        return b' t="s"><v>%d</v>' % numbers.setdefault(cell[1], len(numbers))

    for part in sheet_parts(parts).values():
        parts[part], found = _INLINE.subn(number, parts[part])
        count += found
    if not numbers:
        return
    types, relations = from_bytes(parts[CONTENT_TYPES]), from_bytes(parts[BOOK_RELATIONSHIPS])
    add_type(types, SHARED_TEXTS, SHARED_STRINGS)
    add_relation(relations, f"{OFFICE[1:-1]}/sharedStrings", "sharedStrings.xml")
    parts[CONTENT_TYPES], parts[BOOK_RELATIONSHIPS] = to_bytes(types), to_bytes(relations)
    counts = f'count="{count}" uniqueCount="{len(numbers)}"'
    root = etree.fromstring(f'<sst xmlns="{MAIN[1:-1]}" {counts}/>')
    texts = (b"<si>%s</si>" % text for text in numbers)
    parts[SHARED_TEXTS] = b"".join((to_bytes(root)[:-2], b">", *texts, b"</sst>"))


_BEHIND: Final = re.compile(rb"<(?:drawing|legacyDrawing|tableParts)\b|</worksheet>")
_FLAGS: Final = ("numberStoredAsText", "formula", "formulaRange", "unlockedFormula")


def _unflagged(part: bytes) -> bytes:
    """A worksheet at which Excel draws no green triangles: a result such as 1 is typed as a text,
    and a formula that differs from its neighbours is meant to."""
    area = re.search(rb'<dimension ref="([^"]+)"', part)
    place = _BEHIND.search(part)
    assert area is not None
    assert place is not None
    flags = "".join(f' {flag}="1"' for flag in _FLAGS).encode()
    ignored = b'<ignoredErrors><ignoredError sqref="%s"%s/></ignoredErrors>' % (area[1], flags)
    return part[: place.start()] + ignored + part[place.start() :]


def _with_rows(root: Element, rows: AddedRows) -> bytes:
    """A worksheet with more cells; one that is there already gives way."""
    data, dimension = root.find(f"{MAIN}sheetData"), root.find(f"{MAIN}dimension")
    assert data is not None
    assert dimension is not None
    heads: dict[int, str] = {}
    for row in data:
        number = int(row.get("r", ""))
        heads[number] = "".join(f' {name!s}="{text!s}"' for name, text in row.items())
        there = rows.setdefault(number, {})
        for cell in row:
            written = etree.tostring(cell, encoding="unicode", with_tail=False)
            column = coordinate_to_tuple(cell.get("r", ""))[1]
            # lxml repeats the namespace in each cell; the worksheet's root has it once
            there.setdefault(column, written.replace(f' xmlns="{MAIN[1:-1]}"', ""))
    columns = {column for cells in rows.values() for column in cells}
    first, last = (
        f"{get_column_letter(of(columns))}{of(number for number in rows if rows[number])}"
        for of in (min, max)
    )
    dimension.set("ref", f"{first}:{last}")
    lines = [
        "".join(
            (
                f"<row{heads[number]}>" if number in heads else f'<row r="{number}">',
                *(cell for _, cell in sorted(cells.items())),
                "</row>",
            )
        )
        for number, cells in sorted(rows.items())
    ]
    data.clear()
    before, _, behind = to_bytes(root).partition(b"<sheetData/>")
    return b"".join((before, b"<sheetData>", "".join(lines).encode(), b"</sheetData>", behind))


def _with_values(part: bytes, title: str, values: dict[str, CellValue], rows: AddedRows) -> bytes:
    """A worksheet with the values of its formulas filled in, and with more cells."""
    root = from_bytes(part)
    covered = _covered(root)
    _escape_texts(root)
    for cell in root.iter(CELL):
        if cell.find(FORMULA) is None and cell.get("r") not in covered:
            continue
        # openpyxl leaves an empty value, which some readers read as an empty text
        for empty in cell.findall(VALUE):
            cell.remove(empty)
        value = values.pop(str(cell.get("r")), None)
        if value is not None:
            _cache(cell, value, title)
    for place, value in values.items():
        raise ValueError(f"no formula for the value {value!r} @ {title}!{place}")
    return _with_rows(root, rows) if rows else to_bytes(root)


def _covered(root: Element) -> set[str]:
    """The cells of all array formulas."""
    from openpyxl.utils import get_column_letter, range_boundaries

    covered: set[str] = set()
    for formula in root.iter(FORMULA):
        if formula.get("t") == "array":
            left, top, right, bottom = range_boundaries(formula.get("ref", ""))
            covered.update(
                f"{get_column_letter(column)}{row}"
                for row in range(int(top or 0), int(bottom or 0) + 1)
                for column in range(int(left or 0), int(right or 0) + 1)
            )
    return covered


def _cache(cell: Element, value: CellValue, title: str) -> None:
    kind, text = typed(value, f"{title}!{cell.get('r', '')}")
    if kind == "n":
        cell.attrib.pop("t", "")
    else:
        cell.set("t", kind)
    element = etree.SubElement(cell, VALUE)
    element.text = escaped(text)
    if text != text.strip():
        element.set(XML_SPACE, "preserve")


def _with_dates(part: bytes, day: date) -> bytes:
    """The properties with a fixed date instead of the clock's."""
    moment = datetime.combine(day, time(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    root = from_bytes(part)
    for name in ("created", "modified"):
        for element in root.iter(f"{TERMS}{name}"):
            element.text = moment
    return to_bytes(root)
