"""A list of single numbers: what each is, the live one, the printed one, and where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from elo_xl.templates.explained.exhibit import Exhibit, Printed
from elo_xl.templates.explained.page import Page
from elo_xl.templates.forms import Given
from elo_xl.templates.parts import Column, Formula
from elo_xl.templates.text import GENERAL


@dataclass(frozen=True, slots=True)
class Fact:
    """One number; ``found`` is a formula, or a worksheet function with its arguments."""

    what: str
    printed: str | None
    found: Formula | tuple[Given, ...]
    where: str = ""


def number_format(printed: str | None) -> str:
    """Three digits more than are printed: enough to see how it was rounded."""
    return "0." + "0" * (3 + len((printed or "").partition(".")[2]))


def facts(
    page: Page, rows: Sequence[Fact], *, key: str = "live", heading: str = "column_printed"
) -> Exhibit:
    """The list as a table of the page, judged."""
    columns = [Column("what", page.say("column_what"), GENERAL, "left")]
    printed = Printed(key, [row.printed for row in rows], heading=heading)
    where = [row.where for row in rows] if any(row.where for row in rows) else ""
    exhibit = page.exhibit(columns, [[row.what] for row in rows], printed, where=where)
    for i, row in enumerate(rows):
        cell = exhibit.cells(key).at(i, 0)
        shown = number_format(row.printed)
        if isinstance(row.found, Formula):
            page.sheet.write(cell.row, cell.column, row.found, "computed", shown, "right")
        else:
            function, *arguments = row.found
            page.form.call(cell, str(function), *arguments, number_format=shown, align="right")
    exhibit.judge()
    return exhibit
