"""Sheets of cells from any file: CSV and other text, xlsx, xlsm, xlsb, xls, ods.

A cell is a text here, as a person reads it: ``1850``, ``0.5``, a date as ``2026-03-07``. Rows are
read when they are asked for, as often as they are, so that a million of them need no memory.
"""

from __future__ import annotations

import codecs
import csv
import io
import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache, partial
from typing import IO, TYPE_CHECKING, Final

from elo_xl.events.event import EventError, Problem
from elo_xl.events.source import OLE, ZIP, Source, content, file_name, is_workbook, read_text
from elo_xl.events.workbooks import (
    SheetApart,
    TooLargeError,
    check_room,
    column_number,
    errors_in_xls,
    in_pieces,
    sheets_apart,
)
from elo_xl.xlsx.fill import COLUMNS, ROWS
from elo_xl.xlsx.opc import BOOK, BOOK_RELATIONSHIPS, from_bytes, sheet_parts

if TYPE_CHECKING:
    from lxml.etree import _Element
    from lxml.html import HtmlElement
    from python_calamine import CalamineSheet, CalamineWorkbook

Cells = tuple[int, list[str]]
"""a line or row, counted from 1, and its cells"""

DAMAGED: Final = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, NotImplementedError, RuntimeError),
    *(EOFError, OSError, ValueError),
)
"""What is raised by a zip file that was cut or changed."""


_XLSB: Final = b"xl/workbook.bin"
_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")
_PASSWORD: Final = "the workbook is protected by a password: save it without one"
_NO_SHEETS: Final = "the workbook has no sheets"
_SEPARATOR_LINE: Final = re.compile(r"sep=([;,\t|])\s*", re.IGNORECASE)
_CELL: Final = re.compile(rb'\br="([A-Z]{1,3})([0-9]{1,7})"')
_WITH_VALUE: Final = re.compile(rb"<c\s([^<>]*[^/<>])>((?:[^<]|<(?!/?c[\s/>]))*+)</c>")
_VALUE: Final = re.compile(rb"<v\b[^>/]*>([^<]+)<")
_FORMULA: Final = re.compile(rb"<f[\s/>]")
_HIDDEN: Final = re.compile(rb"""<row\s[^<>]*\bhidden=["'](?:1|true)["'][^<>]*>""")
_ROW: Final = re.compile(rb"""\sr=["']([0-9]{1,7})""")
_CONTENT: Final = "content.xml"
_TABLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE: Final = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_CALC: Final = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}"
_DELIMITERS: Final = ";\t,|"
_SAMPLE: Final = 60


def is_page(data: bytes) -> bool:
    """Whether a file is a page of the web, as browsers save them.

    >>> is_page(b"<!DOCTYPE html><html>"), is_page(b"white,black,result")
    (True, False)
    """
    return _PAGE.match(data.removeprefix(codecs.BOM_UTF8)[:_BEGINNING]) is not None


_PAGE: Final = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*|<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body|table)\b",
    re.IGNORECASE | re.DOTALL,
)
_CHARSET: Final = re.compile(rb"<meta[^>]*charset", re.IGNORECASE)
_OF_GO: Final = re.compile(r"\s*(?:#[^\n]*\n\s*)*TOURNEY\b[^\n]*\n", re.IGNORECASE)
_TWO_LINES: Final = re.compile(r"\|\s*(?:USCF|US ?Chess) ID", re.IGNORECASE)
"""the second heading of US Chess' pages, which have two lines for a player"""
_BEGINNING: Final = 4096
MOST_SPANNED: Final = 100


def _page(data: bytes, encoding: str, file: str) -> list[Sheet]:
    """The tables of a page, but for those that hold others."""
    from lxml import etree, html

    told = not encoding and _CHARSET.search(data[:_BEGINNING])
    try:
        if told:
            tree = html.document_fromstring(data, html.HTMLParser(no_network=True))
        else:
            text = re.sub(r"^\s*<\?xml[^>]*>", "", read_text(data, encoding, file))
            tree = html.document_fromstring(text, html.HTMLParser(no_network=True))
    except (etree.LxmlError, ValueError) as error:
        raise EventError([Problem(f"the page is damaged ({error})", file=file)]) from None
    tables = [table for table in tree.iter("table") if table.find(".//table") is None]
    read = [list(_rows_of_page(table)) for table in tables]
    sheets = [
        Sheet(file, f"table {n}", partial(iter, rows)) for n, rows in enumerate(read, 1) if rows
    ]
    if not sheets:
        what = "the page has no tables: save the table as xlsx or CSV"
        raise EventError([Problem(what, file=file)])
    return sheets


def _rows_of_page(table: HtmlElement) -> Iterator[Cells]:
    for line, row in enumerate(table.iter("tr"), start=1):
        cells: list[str] = []
        for cell in row.iter("td", "th"):
            spanned = cell.get("colspan", "1")
            cells.append(" ".join(cell.text_content().split()))
            width = int(spanned) if spanned.isascii() and spanned.isdigit() else 1
            cells += [""] * (min(width, MOST_SPANNED) - 1)
        if any(cells):
            yield line, cells


Unread = Mapping[int, Mapping[int, str]]
"""Cells by row (from 1) and place (from 0) with their errors; empty where nothing was computed."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of a workbook, or a text file; then it has no title."""

    file: str
    title: str
    rows: Callable[[], Iterator[Cells]]
    """the rows that have something in them, from the top"""
    hidden: bool = False
    unread: Callable[[], Unread] = dict
    """the cells of formulas that have no value"""
    unseen: Callable[[], Set[int]] = frozenset
    """the rows that a filter or a person has hidden"""

    def problem(self, what: str, line: int | None = None, column: int | None = None) -> Problem:
        return Problem(what, line, column, self.file, self.title)

    def there(self, line: int | None) -> str:
        """Where something else stands, within a message."""
        return f"in row {line}" if self.title else f"on line {line}"


class SheetError(ValueError):
    """The rest of a sheet cannot be read."""

    def __init__(self, what: str, line: int) -> None:
        super().__init__(what)
        self.line = line


def read_sheets(
    source: Source, *, name: str = "", encoding: str = "", known: Callable[[list[str]], int] = len
) -> list[Sheet]:
    r"""The sheets of a file, given as a path or as its bytes.

    >>> [sheet] = read_sheets(b"name;elo\nAna;1800\n")
    >>> list(sheet.rows())
    [(1, ['name', 'elo']), (2, ['Ana', '1800'])]

    ``name`` is what problems call a file that is given as bytes; ``known`` tells how many cells of
    a row are headings that are known, by which the delimiter of a text is found.

    Raises EventError for a file that is damaged or in an unknown encoding, OSError for one that
    cannot be read.
    """
    data, file = content(source), file_name(source) or name
    if is_workbook(data):
        return _workbook(data, file)
    if is_page(data):
        return _page(data, encoding, file)
    text = read_text(data, encoding, file)
    if _TWO_LINES.search(text[:_BEGINNING]):
        # loaded here, as few files are so
        from elo_xl.events.programs.two_lines import two_lines

        if rows := two_lines(text):
            return [Sheet(file, "", partial(iter, rows))]
    if _OF_GO.match(text):
        from elo_xl.events.programs.aga import aga

        return [Sheet(file, "", partial(iter, aga(text)))]
    return [_text(text, file, known)]


# -- text -----------------------------------------------------------------------------------------


def _text(text: str, file: str, known: Callable[[list[str]], int]) -> Sheet:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    skipped, start, delimiter = 0, 0, ""
    while start < len(text):
        end = text.find("\n", start)
        line = text[start : end if end >= 0 else len(text)]
        if match := _SEPARATOR_LINE.fullmatch(line):
            delimiter, start, skipped = (
                match.group(1),
                end + 1 if end >= 0 else len(text),
                skipped + 1,
            )
        # Excel's sep= counts in the first line that is not blank; below, it would be a cell
        if match or line.strip(" ;,\t") or end < 0:
            break
        start, skipped = end + 1, skipped + 1
    chosen = delimiter or _delimiter(text[start : start + 20_000], known)

    def rows() -> Iterator[Cells]:
        lines = io.StringIO(text, newline="\n")
        lines.seek(start)
        reader = csv.reader(lines, delimiter=chosen, strict=True)
        line = skipped + 1
        try:
            for cells in reader:
                stripped = [cell.strip() for cell in cells]
                # below the headings of a table in Markdown there is a rule
                if any(stripped) and not (chosen == "|" and set("".join(stripped)) <= {"-", ":"}):
                    yield line, stripped
                line = skipped + reader.line_num + 1
        except csv.Error as error:
            what = "a quote is not closed" if "end of data" in str(error) else str(error)
            raise SheetError(what, line) from None

    return Sheet(file, "", rows)


def _delimiter(text: str, known: Callable[[list[str]], int]) -> str:
    """The delimiter under which most headings are known, otherwise the one that most lines have."""
    lines = text.split("\n")[:_SAMPLE]

    def fits(delimiter: str) -> tuple[int, int, int]:
        split = [line.split(delimiter) for line in lines if line.strip()]
        return (
            max((known([cell.strip(' "') for cell in cells]) for cells in split), default=0),
            sum(len(cells) > 1 for cells in split),
            sum(map(len, split)),
        )

    return max(_DELIMITERS, key=fits)


# -- workbooks ------------------------------------------------------------------------------------


def _workbook(data: bytes, file: str) -> list[Sheet]:
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetVisibleEnum

    def refuse(what: str) -> EventError:
        return EventError([Problem(what, None, None, file)])

    if data.startswith(OLE) and _ENCRYPTED in data:
        raise refuse(_PASSWORD)
    try:
        if data.startswith(ZIP):
            check_room(data)
        if data.startswith(OLE) or _XLSB in data:
            read = sheets_apart(data)
            if read is None:
                raise refuse(_PASSWORD)
            if not read:
                raise refuse(_NO_SHEETS)
            return [
                Sheet(
                    file,
                    one.title,
                    partial(_rows_apart, one),
                    one.hidden,
                    cache(partial(_unread_in_xls, data, number)),
                )
                for number, one in enumerate(read)
            ]
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        visible = {
            sheet.name: sheet.visible == SheetVisibleEnum.Visible for sheet in book.sheets_metadata
        }
        sheets = [
            Sheet(
                file,
                title,
                _rows_of(book, title),
                not visible.get(title, True),
                cache(partial(_unread, data, title)),
                cache(partial(_unseen, data, title)),
            )
            for title in book.sheet_names
        ]
    except PasswordError:
        raise refuse(_PASSWORD) from None
    except TooLargeError as error:
        raise refuse(str(error)) from None
    except EventError:  # a ValueError, too, which DAMAGED would catch
        raise
    except (CalamineError, *DAMAGED) as error:
        raise refuse(f"the workbook is damaged, or it is none ({error})") from None
    if not sheets:
        raise refuse(_NO_SHEETS)
    return sheets


def _rows_of(book: CalamineWorkbook, title: str) -> Callable[[], Iterator[Cells]]:
    from python_calamine import CalamineError

    @cache
    def sheet() -> CalamineSheet:  # it takes most of the time
        return book.get_sheet_by_name(title)

    def rows() -> Iterator[Cells]:
        try:
            read = sheet()
        except CalamineError as error:
            raise SheetError(f"the sheet is damaged ({error})", 1) from None
        if read.start is not None:
            yield from _shown(read.iter_rows())

    return rows


def _rows_apart(sheet: SheetApart) -> Iterator[Cells]:
    if sheet.wrong:
        raise SheetError(f"the sheet is damaged ({sheet.wrong})", 1)
    yield from _shown(sheet.rows)


def _shown(rows: Iterable[Sequence[object]]) -> Iterator[Cells]:
    for line, cells in enumerate(rows, start=1):
        if len(cells) > COLUMNS:
            raise SheetError(f"the sheet is damaged (it has {len(cells)} columns)", line)
        texts = [shown(cell) for cell in cells]
        if any(texts):
            yield line, texts


def _unread(data: bytes, title: str) -> Unread:
    """The cells of a sheet whose formulas have no value, in an xlsx or ods file.

    A reader gives them as blank ones, and a blank result is one that is not there yet.
    """
    cells: dict[int, dict[int, str]] = {}
    with suppress(KeyError, *DAMAGED), zipfile.ZipFile(io.BytesIO(data)) as archive:
        part = _part(archive, title)
        read = _unread_in_ods(part, title) if isinstance(part, bytes) else _unread_in_xlsx(part)
        for line, place, text in read:
            cells.setdefault(line, {})[place] = text
    return cells


def _unseen(data: bytes, title: str) -> Set[int]:
    """The rows of a sheet in an xlsx or ods file that are hidden."""
    rows: set[int] = set()
    with suppress(KeyError, *DAMAGED), zipfile.ZipFile(io.BytesIO(data)) as archive:
        part = _part(archive, title)
        if isinstance(part, bytes):
            rows.update(_unseen_in_ods(part, title))
        else:
            for tags in in_pieces(part, b">"):
                rows.update(
                    int(row[1]) for tag in _HIDDEN.findall(tags) if (row := _ROW.search(tag))
                )
    return rows


def _part(archive: zipfile.ZipFile, title: str) -> bytes | IO[bytes]:
    """What holds a sheet: all of an ods file, or a part of an xlsx file."""
    if _CONTENT in archive.namelist():
        return archive.read(_CONTENT)
    parts = {name: archive.read(name) for name in (BOOK, BOOK_RELATIONSHIPS)}
    return archive.open(sheet_parts(parts)[title])


def _unread_in_xls(data: bytes, number: int) -> Unread:
    """The cells of a sheet of an old workbook that show an error."""
    cells: dict[int, dict[int, str]] = {}
    with suppress(LookupError, struct.error):
        for line, place, text in errors_in_xls(data, number):
            cells.setdefault(line, {})[place] = text
    return cells


def _unread_in_xlsx(part: IO[bytes]) -> Iterator[tuple[int, int, str]]:
    for cells in in_pieces(part, b"</row>"):
        for attributes, inside in _WITH_VALUE.findall(cells):
            value = _VALUE.search(inside)
            error = b't="e"' in attributes
            never = _FORMULA.search(inside) and not value and b't="str"' not in attributes
            if (error or never) and (at := _CELL.search(b" " + attributes)):
                yield int(at[2]), column_number(at[1]) - 1, value[1].decode() if value else ""


def _unread_in_ods(content: bytes, title: str) -> Iterator[tuple[int, int, str]]:
    if b'value-type="error"' not in content:
        return
    for line, _, row in _rows_in_ods(content, title):
        place = 0
        for cell in row.iterchildren(f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
            if "error" in (cell.get(f"{_CALC}value-type"), cell.get(f"{_OFFICE}value-type")):
                yield line, place, "".join(map(str, cell.itertext()))
            place += int(cell.get(f"{_TABLE}number-columns-repeated", 1))


def _unseen_in_ods(content: bytes, title: str) -> Iterator[int]:
    if b"table:visibility=" not in content:
        return
    for line, times, row in _rows_in_ods(content, title):
        if row.get(f"{_TABLE}visibility") in ("collapse", "filter"):
            yield from range(line, min(line + times, ROWS + 1))


def _rows_in_ods(content: bytes, title: str) -> Iterator[tuple[int, int, _Element]]:
    """The rows of a sheet: the line of each, and how often it is repeated."""
    name = f"{_TABLE}name"
    table = next(t for t in from_bytes(content).iter(f"{_TABLE}table") if t.get(name) == title)
    line = 1
    for row in table.iter(f"{_TABLE}table-row"):
        times = int(row.get(f"{_TABLE}number-rows-repeated", 1))
        yield line, times, row
        line += times


def shown(value: object) -> str:
    """A cell as text.

    >>> shown(1850.0), shown(0.5), shown(date(2026, 3, 7)), shown("  Ana ")
    ('1850', '0.5', '2026-03-07', 'Ana')
    >>> shown(timedelta(hours=49, minutes=5))
    '49:05'
    """
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool) or value is None:
        return "" if value is None else str(value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, time):
        return value.strftime("%H:%M")
    if isinstance(value, timedelta):
        hours, seconds = divmod(int(value.total_seconds()), 3600)
        return f"{hours:02}:{seconds // 60:02}"
    return str(value)
