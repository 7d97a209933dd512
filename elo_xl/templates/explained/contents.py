"""The second sheet: all others, each with the sentence that it begins with."""

from __future__ import annotations

from typing import Final

from openpyxl.worksheet.hyperlink import Hyperlink

from elo_xl.templates.explained.page import Explained
from elo_xl.templates.forms import finish
from elo_xl.templates.parts import Column, Table
from elo_xl.templates.text import wrapped_lines

NAME, SENTENCE = 34.0, 76.0
SECOND: Final = 1


def write(book: Explained) -> None:
    """Write it when all other pages are there."""
    say = book.form.say
    keys = list(book.pages)
    sheet = book.form.tab("contents")
    sheet.write(1, 1, say("sheet_contents"), "title", measure=False)
    sheet.height(1, 1.7)
    table = Table(
        sheet,
        [
            Column("sheet", say("column_sheet"), align="left", role="strong", width=NAME),
            Column("about", say("column_about"), align="left", role="paragraph", width=SENTENCE),
        ],
        2,
        len(keys),
    )
    for i, key in enumerate(keys):
        sentence = say(f"about_{key}").split(". ")[0].rstrip(".") + "."
        table.write(i, {"sheet": say(f"sheet_{key}"), "about": sentence})
        sheet.height(table.first + i, wrapped_lines(sentence, SENTENCE - 4))
        cell = table.cell("sheet", i)
        target = book.pages[key].sheet.reference("A1")
        sheet.worksheet[cell].hyperlink = Hyperlink(ref=cell, location=target)
    sheet.widths = dict.fromkeys((1,), NAME) | {2: SENTENCE}
    finish(sheet, upright=True, down=1, titles=(2, 2))
    sheet.worksheet.column_dimensions["B"].width = SENTENCE
    workbook = book.form.workbook
    workbook.move_sheet(sheet.worksheet, SECOND - len(workbook.worksheets) + 1)
