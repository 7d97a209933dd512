"""What a paper printed, beside what is computed here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from elo_xl.templates.explained.formulas import worked
from elo_xl.templates.forms import Cells, block, mark, quoted
from elo_xl.templates.parts import Column, Formula

if TYPE_CHECKING:
    from elo_xl.templates.explained.page import Page

NARROW: Final = 9.0
"""The least width of a column of printed numbers."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A column of results: its heading is ``column_KEY``, its numbers are as the paper prints them;
    None where it prints none. A column without any has no printed ones beside it."""

    key: str
    numbers: Sequence[str | None]
    number_format: str = "0.0000000"
    heading: str = "column_printed"
    """the text above the printed numbers: a paper may only ask for them"""


class Exhibit:
    """Inputs, the live result, the printed one, whether they agree, and where it stands."""

    def __init__(
        self,
        page: Page,
        inputs: Sequence[Column],
        rows: Sequence[Sequence[Any]],
        results: Sequence[Printed],
        where: str | Sequence[str],
    ) -> None:
        self.page, self.results = page, results
        say = page.say
        columns = list(inputs)
        for result in results:
            columns.append(Column(result.key, say(f"column_{result.key}"), result.number_format))
            if not any(result.numbers):
                continue
            columns += [
                Column(f"{result.key} printed", say(result.heading), width=NARROW),
                Column(f"{result.key} verdict", say("column_verdict"), align="center"),
            ]
        one_place = isinstance(where, str)
        if where and one_place:
            asked = any(result.heading == "column_answer" for result in results)
            note = say("asked_in" if asked else "printed_in", where=where)
            page.sheet.write(page.row, 1, note, "note", measure=False)
            page.row += 1
        elif where:
            columns.append(Column("where", say("column_where"), align="left"))
        self.table = page.table(columns, len(rows))
        places = [""] * len(rows) if one_place else where
        for i, (row, place) in enumerate(zip(rows, places, strict=True)):
            given = {c.key: v for c, v in zip(inputs, row, strict=True)}
            self.table.write(i, given | ({"where": place} if place else {}))
        for result in filter(lambda one: any(one.numbers), results):
            at = self.table.columns[f"{result.key} printed"][0]
            for i, text in enumerate(result.numbers):
                shown = "0" if text is None else f"0.{'0' * _decimals(text)}".rstrip(".")
                value = None if text is None else float(text)
                page.sheet.write(self.table.first + i, at, value, "quiet", shown, "right")

    def cells(self, first: str, last: str | None = None) -> Cells:
        """The cells of an input or a result, one a row."""
        return block(self.table, first, last)

    def fill(
        self, key: str, given: Sequence[str], text: str, compute: Callable[..., float | str]
    ) -> None:
        """Write the cells of a result as :func:`worked` formulas of other columns."""
        at, column = self.table.columns[key]
        for i in range(self.table.last - self.table.header):
            cells = [self.cells(one).at(i, 0) for one in given]
            found = worked(self.page.sheet, cells, text, compute)
            self.page.sheet.write(
                self.table.first + i, at, found, "computed", column.number_format, "right"
            )

    def judge(self) -> None:
        """Say beside each printed number whether it is the live one, rounded to its digits."""
        say = self.page.say
        for result in filter(lambda one: any(one.numbers), self.results):
            live = [row[0] for row in self.cells(result.key).values()]
            at = self.table.columns[f"{result.key} verdict"][0]
            for i, (value, text) in enumerate(zip(live, result.numbers, strict=True)):
                if text is None:
                    continue
                d = _decimals(text)
                cell, beside = (
                    self.table.cell(key, i) for key in (result.key, f"{result.key} printed")
                )
                good = abs(float(value or 0) - float(text)) <= 0.5 * 10**-d + 1e-12
                formula = (
                    f"=IF(ABS({cell}-{beside})<={0.5 * 10**-d:.15g}+1E-12,"
                    f"{quoted(say('agrees'))},{quoted(say('misprint'))})"
                )
                shown = Formula(formula, say("agrees" if good else "misprint"))
                self.page.sheet.write(self.table.first + i, at, shown, align="center")
            cells = self.cells(f"{result.key} verdict")
            mark(cells, f"{cells.at(0, 0).text(self.page.sheet)}={quoted(say('misprint'))}")


def _decimals(text: str) -> int:
    return len(text.partition(".")[2])
