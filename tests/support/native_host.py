"""Native names and inlined formulas, computed by programs that are not ours.

:func:`lambda_values` lets pyOpenVBA compute the LAMBDA names of a real workbook file,
:func:`inline_values` lets LibreOffice recalculate inlined formulas. Both take calls as
:func:`elo_xl.worksheet` does and give results in its form, so that a test can compare them::

    lambda_values([("ELO_EXPECTED", (1834, 2179))])             # [0.1112780866099...]
    inline_values([("ELO_EXPECTED", (1834, 2179))], calc)       # the same

None is a blank cell, :data:`SKIPPED` an argument that the formula skips.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final
from unittest import mock

import openpyxl
from openpyxl.utils import coordinate_to_tuple
from openpyxl.utils import get_column_letter as _letter
from pyopenvba.apps.excel import ExcelApplication
from pyopenvba.apps.excel._engine_book import EngineBook

from elo_xl.error_values import EXCEL_NUMBERS
from elo_xl.functions.arguments import Argument, NumberOrRow, Option
from elo_xl.functions.catalogue import Function, find
from elo_xl.functions.cells import ERRORS, Block, to_block
from elo_xl.functions.native import NoInlinedFormError, inline
from elo_xl.hosts import lambdas
from elo_xl.xlsx.package import package

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

    from tests.support.calc import Calc

Calls = Sequence[tuple[str, Sequence[Any]]]

SKIPPED: Final = object()
"""An argument that a formula skips: ``ELO_K(A1,,C1)``."""

_TEXTS: Final = {number: text for text, number in EXCEL_NUMBERS.items()}


@dataclass(frozen=True)
class Known:
    """Cases in which a host gives a different result, and why that cannot be helped.

    ``function`` and ``cases`` are patterns. Every case that they match has to deviate: an exception
    that no longer occurs is an error, too.
    """

    host: str
    """``"lambda"``, ``"inlined"``, ``"javascript"`` or ``"sql"``"""
    function: str
    cases: tuple[str, ...]
    reason: str

    def covers(self, host: str, function: str, case: str) -> bool:
        return (
            self.host == host
            and fnmatchcase(function, self.function)
            and any(fnmatchcase(case, pattern) for pattern in self.cases)
        )


EXCEPTIONS: Final = (
    Known("lambda", "ELO_BAYES", ("model fide",),
          "Table 8.1.2 has steps, over which sums of 301 points are not exact: #VALUE!."),
    Known("lambda", "ELO_BAYES", ("davidson:0 0.5 normal", "rao-kupper:0 0.5 normal"),
          "If two things are wrong with a call, the first one found is shown."),
    Known("lambda", "ELO_[CU]*", ("us-chess* * auto *",),
          "Special ratings and floors are too long for a name, and so is the search for them."),
    Known("lambda", "ELO_INITIAL", ("us-chess*", "rules us-chess*", "random * us-chess-20*"),
          "Special ratings are too long for a name."),
    Known("lambda", "ELO_PERIOD",
          ("ecf", "rules dwz", "rules ecf", "rules egf", "rules us-chess*", "rules usatt"),
          "The LAMBDA refuses rulebooks with only their own K, or that count opponents' games."),
    Known("lambda", "ELO_NEEDED", ("us-chess* [0-9]*",),
          "Special ratings and floors are too long for a name, and so is the search for them."),
    Known("javascript", "ELO_BAYES", ("model fide",),
          "Table 8.1.2 has steps, over which sums of 301 points are not exact: #VALUE!."),
    Known("javascript", "ELO_BAYES", ("davidson:0 0.5 normal", "rao-kupper:0 0.5 normal"),
          "If two things are wrong with a call, the first one found is shown."),
    Known("javascript", "ELO_PERIOD",
          ("ecf", "rules dwz", "rules ecf", "rules egf", "rules us-chess*", "rules usatt"),
          "Rulebooks that rate whole events with their own K are not there."),
    Known("sql", "ELO_[CU]*", ("us-chess* * auto *",), "Special ratings and floors are not there."),
    *(Known("inlined", f"ELO_{name}", ("*",), "A table has no formula for one cell.")
      for name in ("PERIOD", "CALIBRATION", "RUN", "LADDER", "PLACES", "TEAMS", "FIT")),
    Known("inlined", "ELO_NEEDED", ("*",),
          "The least score is found by trying: ELO_UPDATE beside each score shows the same."),
    Known("inlined", "ELO_[CU]*", ("us-chess* * auto *",),
          "Special ratings and floors are too long for one cell."),
    Known("inlined", "ELO_MATCH",
          ("exactly 30 *", "at least 30 *", "at most 30 *", "table of points", "deviations 20 *"),
          "A draw margin other than 0 needs a sum over all numbers of wins."),
    Known("inlined", "ELO_MATCH",
          ("* davidson [nr]*", "* rao-kupper [nr]*", "*:0.79 *", "*:[189]*", "deviations [dr]*"),
          "The draw models need such a sum, too."),
    Known("inlined", "ELO_BAYES", ("davidson*", "rao-kupper*"),
          "The sums hold only for draws that are split."),
    Known("inlined", "ELO_[OP]*", ("column of draw models", "typed davidson:-1"),
          "In a cell the draws can only be split or a margin; any other text is #VALUE!."),
    Known("inlined", "ELO_PERFORMANCE",
          ("normal*", "logistic*", "random * normal", "random * logistic"),
          "Finding the root of an equation needs steps that one cell of Excel 2016 cannot make."),
    Known("inlined", "ELO_INITIAL",
          (*("elo*", "logistic*", "dwz*", "us-chess*", "naspa*", "usatt*"),
           *("random * elo", "random * logistic", "random * naspa"),
           *("random * us-chess-20*", "rules us-chess*")),
          "Finding the root of an equation needs steps that one cell of Excel 2016 cannot make."),
    Known("inlined", "ELO_[PI]*", ("unknown option", "blank option", "column of options"),
          "An option in a cell might be one that has no inlined form."),
    Known("inlined", "ELO_BAYES",
          ("model normal", "model logistic", "model rescaled", "* in a cell", "no scale *"),
          "An option in a cell might be one that has no inlined form."),
    Known("inlined", "ELO_BAYES", ("margin", "scale 1 *"),
          "The sums hold only for draws that are split."),
    Known("inlined", "ELO_[DEMOP]*",
          ("no scale logistic:0", "no scale normal:-1"),
          "A scale that is not above 0 has no logarithm: #VALUE! in LibreOffice, #NUM! in Excel."),
    Known("inlined", "ELO_MATCH", ("scale 2 *",), "A draw margin needs such a sum."),
    Known("inlined", "*", ("* sizes that do not fit", "* row and column"),
          "The formula is refused, because SUMIFS needs ranges of the same shape."),
    Known("inlined", "*", ("* negative opponent",),
          "COUNTIF and SUMIF select ratings above 0; negative ones in a list are #NUM!."),
    Known("inlined", "*", ("* number as text",),
          "COUNTIF and SUMIF ignore texts, so any text in a list is #VALUE!."),
    Known("inlined", "ELO_[!S]*", ("* spaces",),
          'A cell with spaces is not blank: IF(A1="","",...) stays short and readable.'),
    Known("inlined", "*",
          ("* text with a comma", "* text with a blank", "* text with a no-break blank"),
          "The spreadsheet itself converts texts to numbers, by the rules of its locale."),
    Known("inlined", "ELO_EXPECTED", ("column with everything",),
          "It has cells with blanks and with texts, as above."),
    Known("inlined", "ELO_DIFF", ("score with a comma", "percent text"),
          "The spreadsheet itself converts texts to numbers, by the rules of its locale."),
    Known("inlined", "ELO_K", ("* whole text", "* text with a point"),
          "Comparisons do not convert texts to numbers, so any text is #VALUE!."),
    Known("inlined", "ELO_CLASS", ("* whole text", "* text with a point"),
          "LOOKUP does not convert texts to numbers, so any text is #VALUE!."),
    Known("inlined", "ELO_NEW", ("two faults", "a fault and a blank"),
          "If two things are wrong with a call, the first one found is shown."),
)  # fmt: skip


@dataclass(frozen=True)
class Placed:
    """An argument in the cells of the data sheet."""

    block: Block
    row: int
    column: int

    def cell(self, row: int, column: int) -> str | None:
        """The cell for an element of a result; None where the argument has none for it."""
        r = 0 if self.block.rows == 1 else row
        c = 0 if self.block.columns == 1 else column
        if r >= self.block.rows or c >= self.block.columns:
            return None
        return f"D!{_letter(self.column + c)}{self.row + r}"

    @property
    def range(self) -> str:
        return self._area(0, self.block.rows - 1)

    def line(self, row: int) -> str | None:
        """The row of cells for an element of a result, or None."""
        r = 0 if self.block.rows == 1 else row
        return self._area(r, r) if r < self.block.rows else None

    def _area(self, top: int, bottom: int) -> str:
        first = f"{_letter(self.column)}{self.row + top}"
        last = f"{_letter(self.column + self.block.columns - 1)}{self.row + bottom}"
        return f"D!{first}" if first == last else f"D!{first}:{last}"


class Data:
    """A sheet that takes the arguments of calls, each call in rows of its own."""

    def __init__(self, sheet: Worksheet) -> None:
        self.sheet = sheet
        self.row = 1

    def place(self, arguments: Iterable[Any]) -> list[Placed | None]:
        column, high = 1, 1
        placed: list[Placed | None] = []
        for argument in arguments:
            if argument is SKIPPED:
                placed.append(None)
                continue
            cells = to_block(argument)
            placed.append(Placed(cells, self.row, column))
            for i, cell in enumerate(cells.cells):
                write(self.sheet, self.row + i // cells.columns, column + i % cells.columns, cell)
            column += cells.columns + 1
            high = max(high, cells.rows)
        self.row += high + 1
        return placed


def write(sheet: Worksheet, row: int, column: int, value: Any) -> None:
    """A cell value as a spreadsheet has it; empty text can only come from a formula."""
    if value is None:
        return
    cell = sheet.cell(row, column)
    if value == "" and isinstance(value, str):
        cell.value = '=""'
        return
    cell.value = value
    if isinstance(value, str):
        cell.data_type = "e" if value in ERRORS else "s"


def lambda_values(calls: Calls, folder: Path | None = None) -> list[Any]:
    """The values of calls through the LAMBDA names, computed by pyOpenVBA.

    The workbook is left in ``folder`` if there is one.
    """
    book = openpyxl.Workbook()
    formulas, data = book.worksheets[0], Data(book.create_sheet("D"))
    formulas.title = "F"
    anchors, row = [], 1
    for name, arguments in calls:
        placed = data.place(arguments)
        texts = [p.range if p else "" for p in placed]
        formulas.cell(row, 1, f"={name}({','.join(texts)})")
        anchors.append(("F", f"A{row}"))
        row += sum(p.block.rows + p.block.columns for p in placed if p) + 2
    with TemporaryDirectory() as temporary:
        path = (folder or Path(temporary)) / "lambdas.xlsx"
        path.write_bytes(lambdas.put_into(package(book, {})))
        return computed(path, anchors)


def computed(path: Path, anchors: Iterable[tuple[str, str]]) -> list[Any]:
    """The values of formulas in a workbook with LAMBDA names, by sheet and cell, as they spill."""
    book = ExcelApplication.open(str(path))
    # It reads the text of a name anew for every call, which takes longer than working it out.
    read, known = EngineBook.defined_name, {}

    def once(book: EngineBook, name: str, sheet: str | None) -> Any:
        if (name, sheet) not in known:
            known[name, sheet] = read(book, name, sheet)
        return known[name, sheet]

    with mock.patch.object(EngineBook, "defined_name", once):
        return [_spilled(book.sheet(sheet), anchor) for sheet, anchor in anchors]


def _spilled(view: Any, anchor: str) -> Any:
    value = plain(view.value(anchor))
    row, column = coordinate_to_tuple(anchor)
    rows: dict[int, dict[int, Any]] = {row: {column: value}}
    cells = view.sheet.cells_
    for r in range(row, row + 1000):
        here = rows.setdefault(r, {})
        for c in range(column, column + 39):
            spilled = cells.get((r, c))
            if spilled is not None and getattr(spilled, "spilled_from", None) == (row, column):
                here[c] = plain(view.value(f"{_letter(c)}{r}"))
            elif (r, c) != (row, column):
                break
        if not here:
            break
    found = [[cells_[c] for c in sorted(cells_)] for cells_ in rows.values() if cells_]
    return value if len(found) == 1 and len(found[0]) == 1 else found


def plain(value: Any) -> Any:
    """A value of pyOpenVBA's as a cell value."""
    if type(value).__name__ in ("VBAErrorValue", "ErrorValue"):
        return _TEXTS[int(str(value).split()[-1])]
    return value


def inline_values(calls: Calls, calc: Calc, folder: Path | None = None) -> list[Any]:
    """The values of calls as inlined formulas, recalculated by LibreOffice.

    A formula is written for every element of a range, and for every cell of a result. Options that
    are known are written into the formula. Where the writer refuses, the reason stands for the
    value. The workbook is left in ``folder`` if there is one.
    """
    book = openpyxl.Workbook()
    formulas, data = book.worksheets[0], Data(book.create_sheet("D"))
    formulas.title = "F"
    grids: list[list[list[str]]] = []
    row = 1
    for name, arguments in calls:
        grid = _inlined(find(name), arguments, data.place(arguments))
        for line in grid:
            for i, text in enumerate(line):
                if not text.startswith(REFUSED):
                    formulas.cell(row, i + 1, f"={text}")
            row += 1
        grids.append(grid)
    with TemporaryDirectory() as temporary:
        path = (folder or Path(temporary)) / "inlined.xlsx"
        path.write_bytes(package(book, {}))
        values = calc.recalculate(path)["F"]
    results = []
    row = 1
    for grid in grids:
        found = [
            [
                text if text.startswith(REFUSED) else values.get(f"{_letter(i + 1)}{row + r}", "")
                for i, text in enumerate(line)
            ]
            for r, line in enumerate(grid)
        ]
        row += len(grid)
        results.append(found[0][0] if len(found) == 1 and len(found[0]) == 1 else found)
    return results


REFUSED: Final = "refused: "
"""What the result begins with where no formula could be written."""


def _inlined(
    function: Function, arguments: Sequence[Any], placed: Sequence[Placed | None]
) -> list[list[str]]:
    """The formulas of a call, one for each cell of its result."""
    shapes = [
        (p.block.rows, 1) if _is_row(a, p) else p.block.shape
        for a, p in zip(function.arguments, placed, strict=False)
        if p is not None and not a.whole
    ]
    rows = max((rows for rows, _ in shapes), default=1)
    columns = max((columns for _, columns in shapes), default=1)
    elements = [[_element(function, placed, r, c) for c in range(columns)] for r in range(rows)]
    if not function.columns:
        return [[_formula(function, e, None) for e in line] for line in elements]
    return [
        [_formula(function, e, column) for column in function.columns]
        for line in elements
        for e in line
    ]


def _element(
    function: Function, placed: Sequence[Placed | None], row: int, column: int
) -> list[Any] | None:
    """The arguments for one element; None where an argument has none for it."""
    given: list[Any] = []
    for argument, place in zip(function.arguments, placed, strict=False):
        if place is None:
            given.append(None)
        elif argument.whole:
            given.append(place.range)
        else:
            cell = place.line(row) if _is_row(argument, place) else place.cell(row, column)
            if cell is None:
                return None
            given.append(_known(argument, place.block) or cell)
    return given


def _is_row(argument: Argument, place: Placed) -> bool:
    """Whether each row of a range is one element."""
    return isinstance(argument, NumberOrRow) and place.block.columns == argument.width


def _known(argument: Argument, cells: Block) -> Any:
    """An option that may be written into the formula itself."""
    value = cells.cells[0]
    if not isinstance(argument, Option) or cells.shape != (1, 1) or argument.read(value)[1]:
        return None
    return value if isinstance(value, str) else f"{value}"


def _formula(function: Function, given: list[Any] | None, column: str | None) -> str:
    if given is None:
        return "#N/A"
    try:
        return inline(function.name, *given, column=column, stored=True)
    except (NoInlinedFormError, ValueError) as refusal:
        return f"{REFUSED}{refusal}"


def same(ours: Any, theirs: Any, *, relative: float = 1e-12, absolute: float = 1e-15) -> bool:
    """Whether two results are the same: texts and errors exactly, numbers within a tolerance, of
    which the absolute one is in parts of a table's largest number."""
    if isinstance(ours, list) or isinstance(theirs, list):
        a, b = to_block(ours), to_block(theirs)
        sizes = [abs(x) for x in a.cells if isinstance(x, float | int)]
        absolute *= max([1.0, *sizes])
        return a.shape == b.shape and all(
            same(x, y, relative=relative, absolute=absolute)
            for x, y in zip(a.cells, b.cells, strict=True)
        )
    if isinstance(ours, str) or isinstance(theirs, str) or ours is None or theirs is None:
        return (ours or "") == (theirs if theirs is not None else "")
    return math.isclose(float(ours), float(theirs), rel_tol=relative, abs_tol=absolute)
