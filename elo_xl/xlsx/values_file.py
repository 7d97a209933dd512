"""A workbook of one sheet that holds nothing but values, a row of headings first."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import Any

from elo_xl.xlsx.escapes import needs_prefix


def values_file(title: str, rows: Iterable[Sequence[Any]]) -> bytes:
    """The bytes of the workbook; a text stays one, whatever it looks like."""
    from openpyxl import Workbook
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    book = Workbook()
    sheet = book.worksheets[0]
    sheet.title = title
    for n, row in enumerate(rows, start=1):
        for m, value in enumerate(row, start=1):
            if not isinstance(value, str):
                sheet.cell(n, m, value)
                continue
            cell = sheet.cell(n, m, ILLEGAL_CHARACTERS_RE.sub("", value))
            # never a formula or an error
            cell.data_type, cell.number_format = "s", "@"
            cell.quotePrefix = needs_prefix(value)
    sheet.freeze_panes = "A2"
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()
