"""Files with one table, as different programs write them."""

import csv
import io
import zipfile
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any
from xml.sax.saxutils import escape

import openpyxl

Rows = Sequence[Any]
"""Rows of texts, numbers, dates and blanks."""

_CONTENT = """<?xml version="1.0" encoding="UTF-8"?>
<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.3">
<office:body><office:spreadsheet>{sheets}</office:spreadsheet></office:body>
</office:document-content>"""
_MANIFEST = """<?xml version="1.0" encoding="UTF-8"?>
<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">
<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/>
<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>
</manifest:manifest>"""
_ODS = "application/vnd.oasis.opendocument.spreadsheet"


def as_csv(rows: Rows, delimiter: str = ",", encoding: str = "utf-8") -> bytes:
    """The table as text, in which a date is written as ISO has it."""
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerows(rows)
    return text.getvalue().encode(encoding)


def as_xlsx(sheets: Mapping[str, Rows]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(list(row))
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def as_ods(sheets: Mapping[str, Rows]) -> bytes:
    tables = "".join(
        f'<table:table table:name="{escape(title)}">{"".join(map(_ods_row, rows))}</table:table>'
        for title, rows in sheets.items()
    )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("mimetype", _ODS)
        archive.writestr("META-INF/manifest.xml", _MANIFEST.format(kind=_ODS))
        archive.writestr("content.xml", _CONTENT.format(sheets=tables))
    return buffer.getvalue()


def _ods_row(row: Sequence[object]) -> str:
    return f"<table:table-row>{''.join(map(_ods_cell, row))}</table:table-row>"


def _ods_cell(cell: object) -> str:
    if cell is None or cell == "":
        return "<table:table-cell/>"
    if isinstance(cell, date):
        kind = f'office:value-type="date" office:date-value="{cell.isoformat()}"'
    elif isinstance(cell, str):
        kind = 'office:value-type="string"'
    else:
        kind = f'office:value-type="float" office:value="{cell}"'
    return f"<table:table-cell {kind}><text:p>{escape(str(cell))}</text:p></table:table-cell>"
