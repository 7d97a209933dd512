"""A sheet that explains: paragraphs, cells to play with, and what a paper printed beside what is
computed here.

What can be typed is read into the sheet *Steps*, where only numbers that count arrive; all results
read it there, so that no input whatever makes an error of a cell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from openpyxl.chart._chart import ChartBase
from openpyxl.styles import Border
from openpyxl.utils import get_column_letter

from elo_xl.templates.explained.exhibit import Exhibit, Printed
from elo_xl.templates.explained.formulas import worked
from elo_xl.templates.forms import Cells, Form, Given, block, finish, mark, quoted, validate
from elo_xl.templates.parts import LINE_HEIGHT, Column, Formula, Table
from elo_xl.templates.sheets.players import number
from elo_xl.templates.text import GENERAL, wrapped_lines

LABEL, CELL, COLUMNS = 34.0, 12.0, 8
"""Width of the first column and of the others at least, and how many a paragraph goes across."""

CHART_ROWS, CHART_WIDTH = 20, 20.0

BASE = 1500
"""The rating against which curves over a difference are computed."""

Content = Mapping[str, Any]
"""What is typed, by ``SHEET.INPUT``; the papers' own numbers where nothing is said."""


class Explained:
    """The workbook in the making, what is typed into it, and the sheets *Steps* and *Curves*."""

    def __init__(self, form: Form, content: Content) -> None:
        self.form, self.content = form, content
        self.steps = form.tab("steps")
        self.steps.lines(1, [form.say("about_steps")], "note")
        for column, key in enumerate(("sheet", "input", "counts"), start=1):
            align = "right" if column == 3 else "left"
            self.steps.write(2, column, form.say(f"column_{key}"), "heading", align=align)
        self.next_step = 3
        self.curves = form.tab("curves")
        self.curves.lines(1, [form.say("about_curves")], "note")
        self.curve_tables: list[Table] = []
        self.pages: dict[str, Page] = {}
        self.asked: dict[str, Input] = {}
        """every yellow cell, by its key in :data:`Content`"""
        self.known: dict[str, Cells] = {}
        """results that other sheets show again, by the keys that the two agree on"""
        self.next_curve = 1

    def page(self, key: str) -> Page:
        """A new sheet, with its title and first paragraph."""
        self.pages[key] = Page(self, key)
        return self.pages[key]

    def counted(self, label: str, cell: Cells, one: Input) -> Cells:
        """A line of *Steps*: the number of an input, blank where it does not count."""
        steps, row = self.steps, self.next_step
        steps.write(row, 1, cell.sheet.title, align="left")
        steps.write(row, 2, label, align="left")
        typed = cell.text(steps)
        tests = [f"{typed}>={one.low}", f"{typed}<={one.high}"]
        if one.step:
            tests.append(f"INT({typed}/{one.step:g})={typed}/{one.step:g}")
        text = f'=IF(ISNUMBER({typed}),IF(AND({",".join(tests)}),{typed},""),"")'
        value = number(cell.values()[0][0])
        good = value is not None and one.least <= value <= one.most
        if value is not None and one.step:
            good = good and (value / one.step).is_integer()
        steps.write(row, 3, Formula(text, value if good and value is not None else ""))
        self.next_step += 1
        return Cells(steps, row, 3)

    def points(self, title: str, columns: Sequence[Column], size: int) -> Table:
        """A table on the sheet *Curves*, beside the others, for a chart to read."""
        self.curves.write(2, self.next_curve, title, "section", measure=False)
        table = Table(self.curves, columns, 3, size, self.next_curve)
        self.curve_tables.append(table)
        self.next_curve += len(columns) + 1
        return table

    def differences(
        self, title: str, differences: Sequence[float], columns: Sequence[Column]
    ) -> Table:
        """Points over a rating difference: columns ``d``, ``a`` (a rating so far from
        :data:`BASE`) and others to fill."""
        say = self.form.say
        heads = (("d", "column_difference"), ("a", "column_rating"))
        table = self.points(
            title,
            [*(Column(key, say(head), GENERAL) for key, head in heads), *columns],
            len(differences),
        )
        for i, d in enumerate(differences):
            table.write(i, {"d": d, "a": Formula(f"={BASE}+{table.cell('d', i)}", BASE + d)})
        return table

    def finish(self) -> None:
        """*Steps* and *Curves* behind all others, locked."""
        finish(self.steps, titles=(1, 2))
        finish(self.curves, titles=(1, 3))
        for table in self.curve_tables:
            table.fit_header()
        book = self.form.workbook
        for sheet in (self.steps, self.curves):
            book.move_sheet(sheet.worksheet, len(book.worksheets))


@dataclass(frozen=True, slots=True)
class Input:
    """A yellow cell: its texts are ``column_KEY``, ``prompt_KEY`` and ``error_KEY``."""

    key: str
    usual: float
    least: float
    most: float
    number_format: str = GENERAL
    step: float = 0
    """of what it must be a multiple, if of anything"""

    @property
    def low(self) -> str:
        """The least number as texts and formulas write it."""
        return f"{self.least:.15g}"

    @property
    def high(self) -> str:
        """The greatest one."""
        return f"{self.most:.15g}"


class Page:
    """One sheet in the making; ``row`` is where the next thing goes."""

    def __init__(self, book: Explained, key: str) -> None:
        self.book, self.key = book, key
        self.form = form = book.form
        self.say = form.say
        self.sheet = form.tab(key)
        self.tables: list[Table] = []
        self.sheet.widths = {c: LABEL if c == 1 else CELL for c in range(1, COLUMNS + 1)}
        self.sheet.write(1, 1, form.say(f"sheet_{key}"), "title", measure=False)
        self.sheet.height(1, 1.7)
        self.row = 2
        self.text(f"about_{key}")

    def text(self, key: str, role: str = "paragraph", **places: object) -> None:
        """A paragraph over all columns."""
        words = self.say(key, **places)
        for column in range(1, COLUMNS + 1):
            shown = words if column == 1 else None
            self.sheet.write(self.row, column, shown, role, align="left", measure=False)
        last = get_column_letter(COLUMNS)
        self.sheet.worksheet.merge_cells(f"A{self.row}:{last}{self.row}")
        self.sheet.height(self.row, wrapped_lines(words, LABEL + (COLUMNS - 1) * CELL - 6))
        self.row += 1

    def remark(self, key: str, words_key: str) -> Cells:
        """A label, a cell for a number (given back), and a paragraph over the columns beside it."""
        words, row = self.say(words_key), self.row
        self._label(key)
        self.sheet.write(row, 2, None)
        for column in range(3, COLUMNS + 1):
            shown = words if column == 3 else None
            self.sheet.write(row, column, shown, "paragraph", align="left", measure=False)
        self.sheet.worksheet.merge_cells(f"C{row}:{get_column_letter(COLUMNS)}{row}")
        width = sum(self.sheet.widths[column] for column in range(3, COLUMNS + 1))
        self.sheet.height(row, wrapped_lines(words, 0.88 * width))
        self.row += 1
        return Cells(self.sheet, row, 2)

    def source(self, paper: str, place: str, **places: object) -> str:
        """Where something stands: texts ``paper_PAPER`` and ``place_PLACE``."""
        return f"{self.say(f'paper_{paper}')}, {self.say(f'place_{place}', **places)}"

    def formula(self, words: str) -> None:
        """A formula as the papers write it; not a text to translate."""
        self.sheet.write(self.row, 1, words, "strong", align="left", measure=False)
        self.row += 1

    def section(self, key: str, **places: object) -> None:
        """A heading, after a blank row."""
        self.row += 1
        for column in range(1, COLUMNS + 1):
            words = self.say(key, **places) if column == 1 else None
            self.sheet.write(self.row, column, words, "section", measure=False)
        self.sheet.height(self.row, 1.2)
        self.row += 1

    def inputs(self, *inputs: Input) -> list[Cells]:
        """Yellow cells, one a row; given back are the cells in *Steps* with what counts of them."""
        found = []
        for one in inputs:
            typed = self._typed(f"{self.key}.{one.key}", one, one.usual)
            label = self.say(f"column_{one.key}")
            self._label(f"column_{one.key}")
            self.sheet.write(self.row, 2, typed, "input", one.number_format, "right")
            cell = Cells(self.sheet, self.row, 2)
            validate(self.form, cell, one.key, kind="decimal", first=one.low, second=one.high)
            found.append(self.book.counted(label, cell, one))
            self._check(cell, found[-1], one, 3)
            self.row += 1
        return found

    def _typed(self, key: str, one: Input, usual: float | None) -> Any:
        """What stands in a yellow cell."""
        self.book.asked[key] = one
        return self.book.content.get(key, usual)

    def _check(self, cell: Cells, counted: Cells, one: Input, column: int) -> None:
        """Beside a yellow cell, what is wrong with it."""
        typed, counts = cell.values()[0][0], counted.values()[0][0]
        low, high, step = (
            text.replace(".", self.say("decimal")) for text in (one.low, one.high, f"{one.step:g}")
        )
        message = self.say("check_input", least=low, most=high)
        if one.step:
            message = self.say("check_step", least=low, most=high, step=step)
        number_ = counted.text(self.sheet)
        text = f'=IF({cell.text(self.sheet)}="","",IF({number_}="",{quoted(message)},""))'
        shown = Formula(text, message if typed not in (None, "") and counts == "" else "")
        self.sheet.write(cell.row, column, shown, "attention", align="left", measure=False)
        # blank as a rule, and then nothing should be seen of it
        self.sheet.worksheet.cell(cell.row, column).border = Border()
        mark(cell, f'${get_column_letter(column)}${cell.row}<>""')

    def input_table(
        self, name: str, inputs: Sequence[Input], rows: Sequence[Sequence[float | None]]
    ) -> tuple[Table, list[Cells]]:
        """Yellow cells in columns, their checks behind the table; given back are the table and, for
        each input, the cells in *Steps* with what counts. Typed is ``SHEET.INPUT.ROW``."""
        say = self.say
        columns = [Column(name, say(f"column_{name}"), GENERAL, "left", "strong")]
        columns += [
            Column(i.key, say(f"column_{i.key}"), i.number_format, role="input") for i in inputs
        ]
        table = self.table(columns, len(rows))
        for i, row in enumerate(rows):
            typed = {
                one.key: self._typed(f"{self.key}.{one.key}.{i + 1}", one, value)
                for one, value in zip(inputs, row, strict=True)
            }
            table.write(i, {name: i + 1} | typed)
        found = []
        for at, one in enumerate(inputs):
            cells = block(table, one.key)
            validate(self.form, cells, one.key, kind="decimal", first=one.low, second=one.high)
            first = self.book.next_step
            for i in range(len(rows)):
                label = f"{say(f'column_{one.key}')} {i + 1}"
                counted = self.book.counted(label, cells.at(i, 0), one)
                self._check(cells.at(i, 0), counted, one, COLUMNS - len(inputs) + at + 1)
            found.append(Cells(self.book.steps, first, 3, len(rows)))
        return table, found

    def _label(self, key: str) -> None:
        self.sheet.write(self.row, 1, self.say(key), "label", align="left", measure=False)

    def live(
        self,
        key: str,
        function: str,
        *arguments: Given,
        columns: int = 1,
        number_format: str = GENERAL,
    ) -> Cells:
        """A line with a label and what a worksheet function gives, in one cell or several."""
        self._label(key)
        found = Cells(self.sheet, self.row, 2, 1, columns)
        self.form.call(found, function, *arguments, number_format=number_format, align="right")
        self.row += 1
        return found

    def line(self, key: str, value: Formula | float, number_format: str = GENERAL) -> Cells:
        """A line with a label and a formula of built-in functions, or a number of the paper."""
        self._label(key)
        self.sheet.write(self.row, 2, value, "computed", number_format, "right")
        self.row += 1
        return Cells(self.sheet, self.row - 1, 2)

    def headings(self, *keys: str) -> None:
        """Headings ``column_KEY`` above the cells of the lines that follow."""
        self.row += 1
        self.sheet.write(self.row, 1, None, "heading")
        for column, key in enumerate(keys, start=2):
            words = self.say(f"column_{key}")
            self.sheet.write(self.row, column, words, "heading", align="right", measure=False)
        self.sheet.height(self.row, 2)
        self.row += 1

    def worked(
        self,
        key: str,
        given: Sequence[Cells],
        text: str,
        compute: Callable[..., float | str],
        number_format: str = GENERAL,
    ) -> Cells:
        """A line with a label and a formula that waits for its cells: see :func:`worked`."""
        return self.line(key, worked(self.sheet, given, text, compute), number_format)

    def table(self, columns: Sequence[Column], size: int, left: int = 1) -> Table:
        """A table of any columns below what is there."""
        made = Table(self.sheet, columns, self.row, size, left)
        self.tables.append(made)
        self.row = made.last + 1
        return made

    def exhibit(
        self,
        inputs: Sequence[Column],
        rows: Sequence[Sequence[Any]],
        *results: Printed,
        where: str | Sequence[str] = "",
    ) -> Exhibit:
        """A table of what a paper prints; write the cells of each result, then ``judge()``.

        ``where`` it stands is said once above the table, or row by row."""
        return Exhibit(self, inputs, rows, results, where)

    def chart(self, chart: ChartBase, key: str) -> None:
        """A chart below what is there; ``key`` is its text for who cannot see it."""
        height = CHART_ROWS * LINE_HEIGHT / 72 * 2.54
        chart.width, chart.height = CHART_WIDTH, height  # type: ignore[assignment]
        self.form.chart(self.sheet, chart, f"A{self.row}", self.say(key))
        self.row += CHART_ROWS + 1

    def finish(self, *, pages: int = 1, upright: bool = True) -> None:
        """Widths, lock, printing: on so many pages, 0 for as many as it takes."""
        finish(self.sheet, upright=upright, down=pages)
        for table in self.tables:
            table.fit_header()
