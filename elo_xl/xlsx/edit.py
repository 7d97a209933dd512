"""Set, add and clear the values of cells in an existing workbook; all else stays byte for byte.

In a changed sheet only the ``<c>`` elements of the changed cells are rewritten, and what has to
follow them: a row that was not there, the extent of the sheet. Styles stay. A cell that was not
there looks like the one above it, as in a list that somebody continues; otherwise like its row or
column. Texts go behind those of the file, never into formulas, whatever they begin with; those that
would become formulas when somebody edits the cell have a style that says so, ``quotePrefix``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Final
from xml.parsers import expat

from elo_xl.error_values import EXCEL_NUMBERS
from elo_xl.xlsx.cell_xml import EXACT, CellValue, PlainText, escape, escaped, needs_prefix
from elo_xl.xlsx.cells import Place, column_of
from elo_xl.xlsx.fill import COLUMNS, ROWS, column_letters
from elo_xl.xlsx.fill import place as cells_of
from elo_xl.xlsx.in_place import WorkbookError
from elo_xl.xlsx.opc import (
    BOOK,
    SHARED_TEXTS,
    Parts,
    from_bytes,
    relations_of,
    sheet_parts,
    target_of,
    to_bytes,
)

Area = tuple[int, int, int, int]
"""Left, top, right, bottom."""

NewValue = CellValue | date | None
"""What a cell is to hold; None clears it."""

MOST_LETTERS: Final = 32_767
"""What the text of a cell can hold."""

_TAG: Final = re.compile(rb"""<[^\s/>"']+(?:\s+[^\s=]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*/?>""")
_STYLES: Final = "xl/styles.xml"
_XFS: Final = re.compile(
    rb"(<(?:[\w.-]+:)?cellXfs\b[^>]*>)(.*?)(</(?:[\w.-]+:)?cellXfs\s*>)", re.DOTALL
)
_XF: Final = re.compile(
    rb"<(?:[\w.-]+:)?xf\b[^>]*/>|<(?:[\w.-]+:)?xf\b[^>]*>.*?</(?:[\w.-]+:)?xf\s*>", re.DOTALL
)
_COUNT: Final = re.compile(rb"""(?<!\s)\s++(?:c|uniqueC)ount\s*+=\s*+(?:"[^"]*"|'[^']*')""")
_PREFIX: Final = re.compile(rb"""(?<!\s)\s+quotePrefix\s*=\s*["'](1|true|0|false)["']""")
_DAYS: Final = {False: date(1899, 12, 30), True: date(1904, 1, 1)}
"""Day zero of a workbook's dates, by whether they begin in 1904."""
_MILLISECONDS: Final = 86_400_000
"""of a day; as spreadsheets do, no smaller part of it is counted."""
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]")
"""Signs that XML cannot hold, or, as the carriage return, not keep."""
_BEFORE_CALCULATION: Final = (b"sheets", b"functionGroups", b"externalReferences", b"definedNames")


class _Styles:
    """The styles of a file by their numbers; others are added at their end."""

    def __init__(self, part: bytes | None) -> None:
        self.part = part if part is None else _in_utf_8(part)
        self.region = None if self.part is None else _XFS.search(self.part)
        self.there = [] if self.region is None else [xf[0] for xf in _XF.finditer(self.region[2])]
        self.count = len(self.there)

    def like(self, style: str | None, prefixed: bool) -> str | None:
        """The same style for a text that must stay one, or for any other value."""
        number = int(style or 0)
        if number >= len(self.there) or (style is None and not prefixed):
            return style
        old = self.there[number]
        attribute = _PREFIX.search(old)
        if (attribute is not None and attribute[1] in (b"1", b"true")) == prefixed:
            return style
        new = _PREFIX.sub(b"", old)
        if prefixed:
            new = re.sub(rb"^<[\w.:-]+", rb'\g<0> quotePrefix="1"', new)
        if new not in self.there:
            self.there.append(new)
        return str(self.there.index(new))

    def changed(self) -> Parts:
        """The part with the styles that were added, if there are any."""
        added = self.there[self.count :]
        if not added or self.part is None or self.region is None:
            return {}
        head, inside, tail = self.region.groups()
        count = b'count="%d"' % len(self.there)
        head = re.sub(rb"""\bcount\s*=\s*["'][^"']*["']""", count, head)
        new = b"".join((head, inside, *added, tail))
        return {_STYLES: self.part[: self.region.start()] + new + self.part[self.region.end() :]}


def prefixed_styles(parts: Mapping[str, bytes]) -> tuple[dict[str, str], Parts]:
    """By the number of each style that of one which keeps a text that looks like a formula; and the
    part with these."""
    styles = _Styles(parts.get(_STYLES))
    numbers = {str(n): styles.like(str(n), True) or "" for n in range(styles.count)}
    return numbers, styles.changed()


class _Texts:
    """The texts of a file by their numbers; others are added at their end.

    Previews on phones show no others. Where a file has no such part, cells hold their texts.
    """

    def __init__(self, part: bytes | None) -> None:
        self.part = b"" if part is None else _in_utf_8(part)
        self.end = self.part.rfind(b"</sst>")
        self.count = 0 if self.end < 0 else len(from_bytes(self.part))
        self.added: dict[str, int] = {}

    def number(self, text: str) -> int | None:
        """The number of a text, given as the element that holds it."""
        if self.end < 0:
            return None
        return self.added.setdefault(text, self.count + len(self.added))

    def changed(self) -> Parts:
        """The part with the texts that were added, if there are any."""
        if not self.added:
            return {}
        new = "".join(f"<si>{text}</si>" for text in self.added).encode("utf-8", "replace")
        at = self.part.index(b">", self.part.index(b"<sst"))
        head = _COUNT.sub(b"", self.part[:at])  # how many there are need not be said
        return {SHARED_TEXTS: head + self.part[at : self.end] + new + self.part[self.end :]}


@dataclass(slots=True)
class _WrittenCell:
    start: int
    end: int
    style: str | None
    formula: bool = False


@dataclass(slots=True)
class _WrittenRow:
    start: int
    tag_end: int
    end: int = 0
    empty: bool = False
    attributes: Mapping[str, str] = field(default_factory=dict)
    cells: dict[int, _WrittenCell] = field(default_factory=dict)


@dataclass(slots=True)
class _WrittenSheet:
    """Where everything stands in the bytes of a worksheet."""

    prefix: str = ""
    data: _WrittenRow | None = None
    rows: dict[int, _WrittenRow] = field(default_factory=dict)
    columns: list[tuple[int, int, str]] = field(default_factory=list)
    """first and last column, and their style"""
    dimension: tuple[int, int, str] | None = None
    filled: list[Area] = field(default_factory=list)
    """what array formulas fill"""
    merged: list[Area] = field(default_factory=list)
    unnamed: list[tuple[int, str]] = field(default_factory=list)
    """the attributes that say where a row or cell stands, for those that leave it out"""


def edited(
    parts: Mapping[str, bytes],
    values: Mapping[str, Mapping[Place, NewValue]],
    shown: Mapping[str, Mapping[Place, CellValue | None]] = {},
) -> Parts:
    """The parts that change where cells are set, by sheet and place.

    >>> from openpyxl import Workbook
    >>> from elo_xl.xlsx.package import package
    >>> from elo_xl.xlsx.in_place import read_parts
    >>> parts = read_parts(package(Workbook(), {}))
    >>> new = edited(parts, {"Sheet": {(2, 3): "=no formula", (1, 1): 5}})
    >>> list(new)
    ['xl/worksheets/sheet1.xml', 'xl/styles.xml']
    >>> new["xl/worksheets/sheet1.xml"].count(b"<c ")
    2

    ``shown`` are values that formulas give from now on, in the same way: programs that compute
    nothing when they open a file show them; None for one that is left to the program that opens it.
    A place without a formula is skipped. A workbook with formulas is told to recalculate when
    it is opened. Raises WorkbookError for a sheet that is not there; for a cell that holds a
    formula or is filled by one, is merged with another, or belongs to a pivot table or the head or
    totals of a table; and for a place or a value that no sheet can hold.
    """
    titles = sheet_parts(parts)
    mac = from_1904(parts)
    changed: Parts = {}
    styles, texts = _Styles(parts.get(_STYLES)), _Texts(parts.get(SHARED_TEXTS))
    for title in dict.fromkeys((*values, *shown)):
        if titles.get(title) not in parts:
            raise WorkbookError(f"there is no sheet {title!r}")
        part = parts[titles[title]]
        cells, results = values.get(title, {}), shown.get(title, {})
        _check_kept(parts, titles[title], cells, title)
        if cells or results:
            new = _with_cells(part, cells, results, title, mac, styles, texts)
            if new != part:
                changed[titles[title]] = new
    changed |= styles.changed() | texts.changed()
    if changed and any(b"<f" in parts[p] or b":f" in parts[p] for p in titles.values()):
        book = recalculating(parts[BOOK])
        if book != parts[BOOK]:
            changed[BOOK] = book
    return changed


def from_1904(parts: Mapping[str, bytes]) -> bool:
    """Whether a workbook's dates are counted from 1904."""
    set_ = rb"""<[\w:]*workbookPr\b[^>]*\bdate1904\s*=\s*["'](?:1|true)"""
    return re.search(set_, parts[BOOK]) is not None


def serial(day: date, mac: bool) -> int:
    """The number that a cell holds for a day; ``mac``: dates are counted from 1904.

    >>> serial(date(2026, 4, 1), False)
    46113
    """
    return (day - _DAYS[mac]).days


def day_of(number: float, mac: bool) -> date:
    """The day of a number in a cell, the other way round; both as spreadsheets count.

    >>> day_of(46113.5, False), day_of(1, False)
    (datetime.date(2026, 4, 1), datetime.date(1900, 1, 1))
    """
    days = round(number * _MILLISECONDS) // _MILLISECONDS
    # a 29 February 1900 is counted in, too
    return _DAYS[mac] + timedelta(days + (number < 60 and not mac))


def given_back(value: NewValue, mac: bool) -> CellValue | None:
    """What a cell holds when its file is read after it was set to a value; ``mac`` as above.

    >>> given_back(1800.0, False), given_back("", False), given_back(date(2026, 4, 1), False)
    (1800, None, 46113)
    """
    match value:
        case None | "":
            return None
        case str():
            return value.encode("utf-8", "replace").decode()
        case bool():
            return value
        case date():
            return serial(value, mac)
    text = _number(value)
    return float(text) if "." in text or not float(text).is_integer() else int(float(text))


# -- where everything stands ----------------------------------------------------------------------


def _read(part: bytes) -> _WrittenSheet:
    sheet, path = _WrittenSheet(), list[str]()
    row: _WrittenRow | None = None
    cell: _WrittenCell | None = None
    number = column = depth = 0
    in_data, close = False, b""
    # expat says at which byte an element begins and ends; depth 1 is the worksheet, and inside
    # sheetData 3 is a row, 4 a cell, and what is deeper its formula and value.
    parser = expat.ParserCreate(namespace_separator=" ")

    def tag_end(start: int) -> int:
        tag = _TAG.match(part, start)
        if tag is None:
            raise WorkbookError("it is damaged: a tag of a sheet is not understood")
        return tag.end()

    def begin(name: str, attributes: dict[str, str]) -> None:
        nonlocal row, cell, number, column, depth, in_data, close
        depth += 1
        if in_data and depth > 4:  # most elements are formulas and values of cells
            if depth == 5 and cell is not None and (name == "f" or name.endswith(" f")):
                cell.formula = True
                if attributes.get("t") in ("array", "dataTable"):
                    sheet.filled.append(_area(attributes.get("ref", "")))
            return
        at, name = parser.CurrentByteIndex, name.rpartition(" ")[2]
        if in_data:
            # a row or cell that does not say where it stands follows the one before
            if depth == 4:
                cell = None
                if name != "c" or row is None:
                    return
                place = attributes.get("r", "")
                column = column_of(place.rstrip("0123456789")) if place else column + 1
                if not place:
                    sheet.unnamed.append((at, f' r="{column_letters(column)}{number}"'))
                cell = row.cells[column] = _WrittenCell(at, 0, attributes.get("s"))
                return
            row = None
            if name == "row":
                if "r" not in attributes:
                    sheet.unnamed.append((at, f' r="{number + 1}"'))
                number, column = int(attributes.get("r", number + 1)), 0
                row = sheet.rows[number] = _WrittenRow(at, tag_end(at), attributes=attributes)
            return
        path.append(name)
        match path[1:]:
            case ["sheetData"]:
                raw = part[at + 1 : tag_end(at)]
                sheet.prefix = raw[: raw.index(b"sheetData")].decode()
                sheet.data, close = _WrittenRow(at, tag_end(at)), f"</{sheet.prefix}c".encode()
                in_data = True
            case ["mergeCells", "mergeCell"]:
                sheet.merged.append(_area(attributes.get("ref", "")))
            case ["cols", "col"] if "style" in attributes:
                first, last = int(attributes["min"]), int(attributes["max"])
                sheet.columns.append((first, last, attributes["style"]))
            case ["dimension"]:
                sheet.dimension = at, tag_end(at), attributes.get("ref", "")

    def finish(_: str) -> None:
        nonlocal depth, in_data
        depth -= 1
        if not in_data:
            path.pop()
        elif depth == 3 and cell is not None:
            at = parser.CurrentByteIndex
            closed = part.startswith(close, at)  # an empty one is not
            cell.end = part.index(b">", at) + 1 if closed else tag_end(cell.start)
        elif depth < 3:
            here = (sheet.data, row)[depth - 1]
            if here is not None and not here.end:
                here.empty = part.endswith(b"/>", here.start, here.tag_end)
                end = part.index(b">", parser.CurrentByteIndex) + 1
                here.end = here.tag_end if here.empty else end
            if depth == 1:
                in_data = False
                path.pop()

    parser.StartElementHandler = begin
    parser.EndElementHandler = finish
    parser.Parse(part, True)
    return sheet


def _area(name: str) -> Area:
    reference = cells_of(name)
    if reference is None or reference.sheet is not None:
        raise WorkbookError(f"it is damaged: {name!r} is no range of a sheet")
    first, last = reference.first, reference.last or reference.first
    return first.column or 0, first.row or 0, last.column or COLUMNS, last.row or ROWS


def _inside(row: int, column: int, area: Area) -> bool:
    left, top, right, bottom = area
    return left <= column <= right and top <= row <= bottom


def _kept(parts: Mapping[str, bytes], sheet: str) -> list[tuple[str, Area]]:
    """What the cells of a sheet belong to whose texts stand elsewhere, too, and must fit: why
    nothing is written there, and where."""
    areas: list[tuple[str, Area]] = []
    relations = parts.get(relations_of(sheet))
    for relation in () if relations is None else from_bytes(relations):
        kind = relation.get("Type", "").rpartition("/")[2]
        part = parts.get(target_of(sheet, relation))
        if part is None or kind not in ("table", "pivotTable"):
            continue
        root = from_bytes(part)
        if kind == "pivotTable":
            what = "a pivot table stands where a value is to go"
            places = root.iterfind("{*}location")
            areas += [(what, _area(place.get("ref", ""))) for place in places]
            continue
        left, top, right, bottom = _area(root.get("ref", ""))
        if head := int(root.get("headerRowCount", 1)):
            what = "the head of a table stands where a value is to go"
            areas.append((what, (left, top, right, top + head - 1)))
        if total := int(root.get("totalsRowCount", 0)):
            what = "the totals of a table stand where a value is to go"
            areas.append((what, (left, bottom - total + 1, right, bottom)))
    return areas


def _in_utf_8(part: bytes) -> bytes:
    head = part[:200].lower()
    if part.startswith((b"\xff\xfe", b"\xfe\xff")) or (
        b"encoding" in head and b"utf-8" not in head and b"ascii" not in head
    ):
        return to_bytes(from_bytes(part))
    return part


def _located(part: bytes) -> tuple[bytes, _WrittenSheet]:
    """A worksheet in UTF-8 in which every row and cell says where it stands."""
    part = _in_utf_8(part)
    sheet = _read(part)
    if sheet.unnamed:
        pieces = []
        for at, name in sheet.unnamed:
            opening = re.match(rb"<[^\s/>]+", part[at : at + 100])
            assert opening is not None
            pieces.append((at + opening.end(), at + opening.end(), name.encode()))
        part = _spliced(part, pieces)
        sheet = _read(part)
    return part, sheet


def _spliced(part: bytes, pieces: list[tuple[int, int, bytes]]) -> bytes:
    """Bytes with some stretches replaced; pieces for the same place stay in their order."""
    done, at = [], 0
    for start, end, new in sorted(pieces, key=lambda piece: piece[:2]):
        done += [part[at:start], new]
        at = end
    return b"".join((*done, part[at:]))


# -- new cells ------------------------------------------------------------------------------------


def _with_cells(
    part: bytes,
    values: Mapping[Place, NewValue],
    shown: Mapping[Place, CellValue | None],
    title: str,
    mac: bool,
    styles: _Styles,
    texts: _Texts,
) -> bytes:
    part, sheet = _located(part)
    data = sheet.data
    if data is None:
        raise WorkbookError(f"it is damaged: the sheet {title!r} has no cells")
    by_row: dict[int, dict[int, NewValue]] = {}
    for (row, column), value in sorted(values.items()):
        _check(sheet, row, column, title)
        here = sheet.rows.get(row)
        if value is not None or (here is not None and column in here.cells):
            by_row.setdefault(row, {})[column] = value
    pieces: list[tuple[int, int, bytes]] = []
    added: dict[Place, str] = {}
    behind = sorted(sheet.rows)
    data_end = data.end if data.empty else part.rindex(b"<", data.start, data.end)
    new_rows = []
    # Pieces replace bytes of the part, and all places are those of the part as it was: nothing is
    # spliced before the last piece is known, and whatever no piece touches keeps its bytes.
    for row, cells in by_row.items():
        here = sheet.rows.get(row)
        written = {}
        for column, value in cells.items():
            old = here.cells.get(column) if here else None
            style = old.style if old else _style(sheet, added, row, column)
            style = styles.like(style, isinstance(value, str) and needs_prefix(value))
            if style is not None:
                added[row, column] = style
            at = f"{column_letters(column)}{row}"
            written[column] = _cell(sheet.prefix, at, style, value, mac, title, texts)
        if here is None:
            inside = b"".join(written.values())
            line = f'<{sheet.prefix}row r="{row}">'.encode() + inside
            new_rows.append((row, line + f"</{sheet.prefix}row>".encode()))
            continue
        pieces += _in_row(part, sheet, here, written)
    if data.empty:
        inside = b"".join(line for _, line in new_rows)
        if inside:
            tag = part[data.start : data.end].rstrip(b"/> \r\n\t") + b">"
            closed = tag + inside + f"</{sheet.prefix}sheetData>".encode()
            pieces.append((data.start, data.end, closed))
    else:
        for row, line in new_rows:
            later = next((sheet.rows[n].start for n in behind if n > row), data_end)
            pieces.append((later, later, line))
    for (row, column), result in shown.items():
        here = sheet.rows.get(row)
        cell = here.cells.get(column) if here else None
        if cell is not None and cell.formula:
            new = _showing(sheet.prefix, part[cell.start : cell.end], result)
            pieces.append((cell.start, cell.end, new))
    pieces += _dimension(sheet, {p for p, v in values.items() if v is not None})
    return _spliced(part, pieces)


def _in_row(
    part: bytes, sheet: _WrittenSheet, row: _WrittenRow, written: Mapping[int, bytes]
) -> list[tuple[int, int, bytes]]:
    """The changes in a row that is there."""
    tag = part[row.start : row.tag_end]
    first, _, last = row.attributes.get("spans", "").partition(":")
    if first.isdecimal() and last.isdecimal():
        wide = f"{min(int(first), *written)}:{max(int(last), *written)}"
        if wide != f"{first}:{last}":
            spans = f'spans="{wide}"'.encode()
            tag = re.sub(rb"""\bspans\s*=\s*["'][^"']*["']""", spans, tag, count=1)
    if row.empty:
        inside = b"".join(cell for _, cell in sorted(written.items()))
        closed = f"</{sheet.prefix}row>".encode()
        return [(row.start, row.end, tag.rstrip(b"/> \r\n\t") + b">" + inside + closed)]
    pieces = [] if tag == part[row.start : row.tag_end] else [(row.start, row.tag_end, tag)]
    end = part.rindex(b"<", row.start, row.end)
    for column, cell in sorted(written.items()):
        if (old := row.cells.get(column)) is not None:
            pieces.append((old.start, old.end, cell))
        else:
            later = next((c.start for n, c in sorted(row.cells.items()) if n > column), end)
            pieces.append((later, later, cell))
    return pieces


def _check(sheet: _WrittenSheet, row: int, column: int, title: str) -> None:
    where = f"{title}!{column_letters(column)}{row}" if 0 < column <= COLUMNS else title
    if not (0 < row <= ROWS and 0 < column <= COLUMNS):
        raise WorkbookError(f"the sheet is full @ {where}")
    here = sheet.rows.get(row)
    cell = here.cells.get(column) if here else None
    filled = any(_inside(row, column, area) for area in sheet.filled)
    if filled or (cell is not None and cell.formula):
        raise WorkbookError(f"a formula stands where a value is to go @ {where}")
    for area in sheet.merged:
        if _inside(row, column, area) and area[:2] != (column, row):
            first = f"{column_letters(area[0])}{area[1]}"
            what = f"the cell is merged with {first}, which hides its value"
            raise WorkbookError(f"{what} @ {where}")


def _check_kept(
    parts: Mapping[str, bytes], sheet: str, cells: Mapping[Place, NewValue], title: str
) -> None:
    for what, area in _kept(parts, sheet) if cells else ():
        for row, column in cells:
            if _inside(row, column, area):
                where = f"{title}!{column_letters(column)}{row}"
                raise WorkbookError(f"{what} @ {where}")


def _style(sheet: _WrittenSheet, added: Mapping[Place, str], row: int, column: int) -> str | None:
    """How a cell looks that was not there."""
    if (row - 1, column) in added:
        return added[row - 1, column]
    above = sheet.rows.get(row - 1)
    if above is not None and column in above.cells:
        return above.cells[column].style
    here = sheet.rows.get(row)
    if here is not None and "s" in here.attributes:
        return here.attributes["s"]
    return next((s for first, last, s in sheet.columns if first <= column <= last), None)


def _cell(
    prefix: str, at: str, style: str | None, value: NewValue, mac: bool, title: str, texts: _Texts
) -> bytes:
    styled = "" if style is None else f' s="{style}"'
    kind, inside = "", ""
    match value:
        case None:
            return f'<{prefix}c r="{at}"{styled}/>'.encode()
        case bool():
            kind, inside = "b", f"<{prefix}v>{value:d}</{prefix}v>"
        case str():
            if len(value) > MOST_LETTERS:
                raise WorkbookError(f"a text of {len(value)} letters fits no cell @ {title}!{at}")
            space = ' xml:space="preserve"' if value != value.strip() else ""
            number = texts.number(f"<t{space}>{_letters(value)}</t>")
            kind, inside = "s", f"<{prefix}v>{number}</{prefix}v>"
            if number is None:
                kind = "inlineStr"
                inside = f"<{prefix}is><{prefix}t{space}>{_letters(value)}</{prefix}t></{prefix}is>"
        case date():
            inside = f"<{prefix}v>{serial(value, mac)}</{prefix}v>"
        case _:
            if not math.isfinite(value):
                raise WorkbookError(f"{value} is not a number that a cell can hold @ {title}!{at}")
            inside = f"<{prefix}v>{_number(value)}</{prefix}v>"
    typed = f' t="{kind}"' if kind else ""
    cell = f'<{prefix}c r="{at}"{styled}{typed}>{inside}</{prefix}c>'
    return cell.encode("utf-8", "replace")


def _showing(prefix: str, cell: bytes, value: CellValue | None) -> bytes:
    """A cell whose formula has another value; None for one that is not computed yet."""
    opening = _TAG.match(cell)
    name = re.escape(prefix).encode() + b"f"
    formula = re.search(rb"<%s\b[^>]*/>|<%s\b.*?</%s>" % (name, name, name), cell, re.DOTALL)
    assert opening is not None
    assert formula is not None
    # "vm" leads to what a cell shows in place of its value, such as an entry of a data type
    tag = re.sub(rb"""\s+(?:t|vm)\s*=\s*["'][^"']*["']""", b"", opening[0])
    kind, closed = b"", f"</{prefix}c>".encode()
    match value:
        case None:
            return tag + formula[0] + closed
        case bool():
            kind, text = b' t="b"', f"{value:d}"
        case str():
            error = value in EXCEL_NUMBERS and not isinstance(value, PlainText)
            kind, text = b' t="e"' if error else b' t="str"', _letters(value)
        case _:
            text = _number(value)
    space = ' xml:space="preserve"' if text != text.strip() else ""
    inside = f"<{prefix}v{space}>{text}</{prefix}v>".encode("utf-8", "replace")
    return b"".join((tag[:-1], kind, b">", formula[0], inside, closed))


def _letters(text: str) -> str:
    return escape(_CONTROL.sub(lambda sign: f"_x{ord(sign[0]):04X}_", escaped(text)))


def _number(value: float) -> str:
    number = float(value)
    return str(int(number)) if number.is_integer() and abs(number) < EXACT else repr(number)


def _dimension(sheet: _WrittenSheet, places: set[Place]) -> list[tuple[int, int, bytes]]:
    """The extent of the sheet, where new cells lie outside of it."""
    if sheet.dimension is None or not places:
        return []
    start, end, area = sheet.dimension
    there = cells_of(area)
    if there is None:
        return []
    corner = there.last or there.first
    left, top, right, bottom = (
        number or 0 for number in (there.first.column, there.first.row, corner.column, corner.row)
    )
    if area == "A1" and not sheet.rows:  # as programs say it of an empty sheet
        top, left = next(iter(places))
    rows, columns = ({place[i] for place in places} for i in (0, 1))
    new = (min(left, *columns), min(top, *rows), max(right, *columns), max(bottom, *rows))
    if new == (left, top, right, bottom):
        return []
    first, last = (f"{column_letters(c)}{r}" for c, r in (new[:2], new[2:]))
    return [(start, end, f'<{sheet.prefix}dimension ref="{first}:{last}"/>'.encode())]


# -- recalculation --------------------------------------------------------------------------------


def recalculating(book: bytes) -> bytes:
    """The workbook's part, told to recalculate when it is opened."""
    calculation = re.search(rb"<([\w.-]+:)?calcPr\b[^>]*?/?>", book)
    if calculation is not None:
        tag = calculation[0]
        if re.search(rb"""\bfullCalcOnLoad\s*=\s*["'](?:1|true)["']""", tag):
            return book
        tag = re.sub(rb"""\s*\bfullCalcOnLoad\s*=\s*["'][^"']*["']""", b"", tag)
        tag = re.sub(rb"^<[\w.:-]+", rb'\g<0> fullCalcOnLoad="1"', tag)
        return book[: calculation.start()] + tag + book[calculation.end() :]
    for before in reversed(_BEFORE_CALCULATION):
        end = re.search(rb"</([\w.-]+:)?%s\s*>|<([\w.-]+:)?%s\s*/>" % (before, before), book)
        if end is not None:
            new = b'<%scalcPr fullCalcOnLoad="1"/>' % (end[1] or end[2] or b"")
            return book[: end.end()] + new + book[end.end() :]
    raise WorkbookError("it is damaged: the workbook lists no sheets")
