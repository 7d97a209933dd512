"""Workbooks to fill in: what every template is made of.

A template is a function that takes a :class:`Form` and what is typed into it, and writes sheets:

* :meth:`Form.call` writes a worksheet function into a block of cells, as the flavour has it, and
  the engine's value beside it; its arguments are :class:`Cells` or constants.
* every other formula is a :class:`~elo_xl.templates.parts.Formula` with its value.
* :func:`validate`, :func:`mark` and :func:`finish` do for a sheet what
  organizers need: messages that help, marks on what needs attention, locks and print settings.
* :func:`~elo_xl.templates.front.front` is the first sheet: how to use the book, its
  settings, what its colours mean.

Texts come from :mod:`elo_xl.templates.texts`; formulas hold none but those.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation

from elo_xl.engine.rulebooks import Rulebook, rulebook
from elo_xl.functions.arguments import Argument, NumberOrRow
from elo_xl.functions.catalogue import find
from elo_xl.functions.cells import Cell
from elo_xl.functions.evaluation import call
from elo_xl.templates.book import Options
from elo_xl.templates.flavours import FLAVOURS
from elo_xl.templates.parts import (
    ATTENTION,
    INK,
    INPUT,
    MARK,
    Book,
    Formula,
    Sheet,
    Table,
    Value,
)
from elo_xl.templates.text import GENERAL, text_width
from elo_xl.templates.texts import texts
from elo_xl.xlsx.in_place import read_parts, with_parts
from elo_xl.xlsx.opc import from_bytes, to_bytes
from elo_xl.xlsx.package import package

if TYPE_CHECKING:
    from openpyxl.chart._chart import ChartBase

TEXT: Final = "@"
"""The number format of cells whose contents must stay what was typed: 1-0 is no date."""

MOST_PROMPT: Final = 255
MOST_PROMPT_TITLE: Final = 32

HALF: Final = "0.0;-0.0;0.0"


@dataclass(frozen=True, slots=True)
class Cells:
    """A block of cells on a sheet."""

    sheet: Sheet
    row: int
    column: int
    rows: int = 1
    columns: int = 1

    def at(self, row: int, column: int) -> Cells:
        """The cell that belongs to a place of a result: one row or column serves all."""
        return Cells(
            self.sheet,
            self.row + (row if self.rows > 1 else 0),
            self.column + (column if self.columns > 1 else 0),
        )

    def text(self, seen_from: Sheet | None = None, *, fixed: bool = False) -> str:
        """As a formula writes it: ``D5``, or ``Steps!$D$5:$D$24`` from another sheet."""
        sign = "$" if fixed else ""
        first = f"{sign}{get_column_letter(self.column)}{sign}{self.row}"
        if self.rows * self.columns > 1:
            last = get_column_letter(self.column + self.columns - 1)
            first += f":{sign}{last}{sign}{self.row + self.rows - 1}"
        return first if seen_from is self.sheet else self.sheet.reference(first)

    def values(self) -> list[list[Cell]]:
        """What the cells hold or their formulas give."""
        ws, known = self.sheet.worksheet, self.sheet.book.values
        rows: list[list[Cell]] = []
        for row in ws.iter_rows(
            self.row, self.row + self.rows - 1, self.column, self.column + self.columns - 1
        ):
            cells: list[Any] = [
                known.get((self.sheet.title, cell.coordinate), cell.value) for cell in row
            ]
            rows.append(cells)
        return rows


Kind = Literal["whole", "decimal", "list", "custom"]

Given = Cells | float | str | None
"""An argument of a call: cells, a constant, or None where it is left out."""


class Form(Book):
    """A workbook in the making, with its language, rulebook and flavour."""

    def __init__(self, template: str, options: Options) -> None:
        self.options = options
        self.template = template
        self.text = texts(options.language)
        self.rules: Rulebook = rulebook(options.rules)
        self.flavour = FLAVOURS[options.functions]
        self.calls: set[tuple[str, str]] = set()
        """the cells with a call of their own"""
        self.descriptions: dict[str, list[str]] = {}
        super().__init__(self.say("title"))
        self.paging = self.text("form.paging", page="&P", pages="&N")
        self.workbook.properties.language = options.language

    def say(self, key: str, **places: object) -> str:
        """A text of this template, or one that all templates share."""
        own = f"{self.template}.{key}"
        return self.text(own if own in self.text.by_key else f"form.{key}", **places)

    @property
    def rules_title(self) -> str:
        """The rulebook's full name in the book's language."""
        return self.say(f"rules_{self.rules.name}")

    def widest(self, prefix: str) -> float:
        """How wide a column must be for any of the bold texts whose keys begin so."""
        tables = (f"form.{prefix}", f"{self.template}.{prefix}")
        found = (t for k, t in self.text.by_key.items() if k.startswith(tables))
        return 1.05 * max(map(text_width, found))

    def tab(self, key: str) -> Sheet:
        """A new sheet with a translated name."""
        return self.sheet(self.say(f"sheet_{key}"))

    def call(
        self,
        target: Cells,
        function: str,
        *arguments: Given,
        role: str = "computed",
        number_format: str = GENERAL,
        align: str | None = None,
    ) -> None:
        """Write a function's results into ``target``; the engine works out their values.

        Where the flavour has one call for a block, it is one array formula; else each cell has a
        call with its own cells of the arguments. Ranges that the function takes whole stay whole.
        """
        entry = find(function)
        cells = [a.values() if isinstance(a, Cells) else a for a in arguments]
        found = call(function, *cells)
        values = found if isinstance(found, list) else [[found]]
        sheet = target.sheet
        for i in range(target.rows):
            for j in range(target.columns):
                value = _cached(values[i][j])
                seen: Value = None
                if not self.flavour.one_call:
                    given = [
                        _place(a, kind, i, j) if isinstance(a, Cells) else a
                        for a, kind in zip(arguments, entry.arguments, strict=False)
                    ]
                    column = entry.columns[j] if entry.columns else None
                    seen = Formula(f"={self._call(sheet, function, given, column)}", value)
                    self.calls.add((sheet.title, target.at(i, j).text(sheet)))
                elif i == j == 0:
                    text = self._call(sheet, function, arguments)
                    seen = Formula(f"={text}", value, target.text(sheet))
                at = target.row + i, target.column + j
                sheet.write(*at, seen, role, number_format, align)
                if seen is None:
                    self.values[sheet.title, target.at(i, j).text(sheet)] = value

    def _call(
        self, sheet: Sheet, function: str, given: Sequence[Given], column: str | None = None
    ) -> str:
        return self.flavour.call(function, [_argument(a, sheet) for a in given], column)

    def chart(self, sheet: Sheet, chart: ChartBase, anchor: str, description: str) -> None:
        """Put a chart on a sheet; ``description`` is for who cannot see it."""
        sheet.worksheet.add_chart(chart, anchor)
        self.descriptions.setdefault(sheet.title, []).append(description)

    def file(self) -> bytes:
        """The finished file, with what the flavour needs in it."""
        content = package(self.workbook, self.values)
        texts_ = [self.descriptions.get(ws.title, []) for ws in self.workbook.worksheets]
        content = _described(content, [described for described in texts_ if described])
        return self.flavour.finish(content)


def _described(content: bytes, descriptions: Sequence[Sequence[str]]) -> bytes:
    """The file with the alternative text of each chart; openpyxl numbers drawings by sheet."""
    parts = read_parts(content)
    changed = {}
    for i, described in enumerate(descriptions, start=1):
        name = f"xl/drawings/drawing{i}.xml"
        root = from_bytes(parts[name])
        for properties, text in zip(root.iter("{*}cNvPr"), described, strict=True):
            properties.set("descr", text)
        changed[name] = to_bytes(root)
    return with_parts(content, changed) if changed else content


def _argument(given: Given, sheet: Sheet) -> str | None:
    if isinstance(given, Cells):
        return given.text(sheet)
    if isinstance(given, str):
        return f'"{given}"'
    return None if given is None else f"{given:.15g}"


def _place(cells: Cells, kind: Argument, row: int, column: int) -> Cells:
    """What of an argument's cells belongs to a place of the result."""
    if kind.whole:
        return cells
    if isinstance(kind, NumberOrRow) and cells.columns == kind.width:
        return Cells(cells.sheet, cells.at(row, 0).row, cells.column, 1, cells.columns)
    return cells.at(row, column)


def _cached(value: Cell) -> Any:
    return "" if value is None else value


def validate(
    form: Form,
    cells: Cells,
    key: str,
    *,
    kind: Kind = "custom",
    first: str | None = None,
    second: str | None = None,
    strict: bool = True,
) -> None:
    """Say beside a cell what belongs in it, and refuse anything else (``strict``: no way round).

    The texts are ``prompt_KEY`` and ``error_KEY``; ``kind``, ``first`` and ``second`` are Excel's
    (``"list"`` with a range, ``"decimal"`` between two numbers, ``"custom"`` with a formula).
    """
    rule = DataValidation(type=kind, formula1=first, formula2=second, allow_blank=True)
    if second is not None:
        rule.operator = "between"
    rule.promptTitle = form.say(f"column_{key}")[:MOST_PROMPT_TITLE]
    rule.prompt = form.say(f"prompt_{key}")[:MOST_PROMPT]
    rule.errorTitle = rule.promptTitle
    rule.error = form.say(f"error_{key}")[:MOST_PROMPT]
    rule.errorStyle = "stop" if strict else "warning"
    rule.showErrorMessage = rule.showInputMessage = True
    rule.add(cells.text(cells.sheet))
    cells.sheet.worksheet.add_data_validation(rule)


def mark(cells: Cells, formula: str, *, look: str = "attention") -> None:
    """Make cells stand out, in print too, where a formula (for their first one) is true.

    Looks: ``"attention"`` for what is wrong, ``"missing"`` for what has not been typed yet,
    ``"leader"`` for what to find at a glance, ``"quiet"`` for what does not count, ``"end"`` for
    the last row of a group.
    """
    side = Side("thin", ATTENTION)
    how: dict[str, Any] = {
        "attention": {
            "font": Font(bold=True, color=ATTENTION),
            "fill": PatternFill(bgColor=MARK, fill_type="solid"),
            "border": Border(side, side, side, side),
        },
        "missing": {
            "fill": PatternFill("lightUp", fgColor=ATTENTION, bgColor=INPUT),
        },
        "end": {"border": Border(bottom=Side("thin", INK))},
        "leader": {"font": Font(bold=True, color=INK)},
        "quiet": {"font": Font(italic=True, color="8C98A1")},
    }
    rule = FormulaRule(formula=[formula], **how[look])  # type: ignore[no-untyped-call]
    cells.sheet.worksheet.conditional_formatting.add(cells.text(cells.sheet), rule)


def block(table: Table, first: str, last: str | None = None) -> Cells:
    """The cells of a column of a table, or of neighbouring columns."""
    left, right = table.columns[first][0], table.columns[last or first][0]
    return Cells(table.sheet, table.first, left, table.last - table.header, right - left + 1)


def finish(
    sheet: Sheet,
    *,
    freeze: str | None = None,
    titles: tuple[int, int] | None = None,
    stretch: int | None = None,
    upright: bool = False,
    down: int = 0,
    area: str | None = None,
    lock: bool = True,
) -> None:
    """Column widths, frozen panes, print settings, and the lock (without a password).

    A sheet with a table that grows stays open: Excel lets none grow on a locked one.
    """
    ws = sheet.worksheet
    sheet.fit(stretch)
    ws.freeze_panes = freeze
    form = sheet.book
    footer = form.say("title") if isinstance(form, Form) else ""
    sheet.page(titles, footer, upright=upright, down=down)
    if area:
        sheet.print_areas(area)
    protection = ws.protection
    protection.sheet = lock
    # these stay allowed
    protection.formatCells = protection.formatColumns = protection.formatRows = False


def lines_above(form: Form, sheet: Sheet, key: str, *more: str) -> int:
    """Title, with the event's name where there is one, and notes above a table; gives the row for
    its header."""
    title = form.say(f"sheet_{key}")
    known = form.workbook.defined_names.get("Event")
    if known is None:
        sheet.lines(1, [title], "title")
    else:
        place = str(known.attr_text).rpartition("!")[2].replace("$", "")
        event = form.workbook.worksheets[0][place].value
        text = f'=IF(Event="","",Event&" – ")&{quoted(title)}'
        value = title if event in (None, "") else f"{event} – {title}"
        sheet.write(1, 1, Formula(text, value), "title", measure=False)
    sheet.height(1, 1.7)
    row = sheet.lines(2, [form.say(f"about_{key}"), *more], "note")
    return row + 1


def quoted(text: str) -> str:
    """A text as formulas write it."""
    return '"' + text.replace('"', '""') + '"'
