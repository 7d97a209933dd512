"""The statements of pictures: charts with axes and curves through columns of tables, heat maps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from elo_xl.books.charts import Axis, Chart, Curve, Size, curve_chart
from elo_xl.books.column_words import number_format
from elo_xl.books.model import Cells, Sheet, Table
from elo_xl.books.statements import Statement, words_of
from elo_xl.books.styles import HEAT, LINE_HEIGHT, PALE

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

_WIDE: Final = 20.0, 20
_SQUARE: Final = 14.5, 26
"""Width of a chart in centimetres, and its height in rows of the sheet."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A chart of curves as a book declares it, which a workbook has as its own chart, and
    :mod:`elo_xl.publish.pictures` draws as a picture."""

    title: str
    curves: Sequence[Callable[[], Curve]]
    x: Axis
    y: Axis
    size: Size

    def __call__(self) -> Chart:
        """The chart of the workbook, when all values are known."""
        return curve_chart(
            self.title, [curve() for curve in self.curves], self.x, self.y, self.size
        )


@dataclass(frozen=True, slots=True)
class Heat:
    """Columns whose fills tell how near to 1 a number from 0 on is; pale ones are low."""

    table: Table
    first: str
    last: str

    @classmethod
    def read(cls, table: Table, statement: Statement) -> Heat:
        """``heat first:last``."""
        first, _, last = statement.rest.partition(":")
        table.letter(first), table.letter(last or first)
        return cls(table, first, last or first)

    @property
    def cells(self) -> Cells:
        """The cells of the columns."""
        return self.table.column(self.first, self.last)

    def __call__(self, worksheet: Worksheet) -> None:
        """Give the written sheet its conditional format."""
        from openpyxl.formatting.rule import ColorScaleRule

        scale = ColorScaleRule("num", 0, PALE, "num", 1, HEAT)  # type: ignore[no-untyped-call]
        worksheet.conditional_formatting.add(self.cells.area, scale)


def chart(
    sheet: Sheet, statement: Statement, cells: Mapping[str, Cells] = MappingProxyType({})
) -> None:
    """``chart KEY``, or ``chart KEY square``; ``cells`` are those that can name a curve."""
    key, *words = words_of(statement.rest)
    axes: dict[str, Axis] = {}
    curves: list[Callable[[], Curve]] = []
    for child in statement.children:
        if child.keyword in ("x", "y"):
            axes[child.keyword] = _axis(sheet, child)
        elif child.keyword == "curve":
            curves.append(_curve(sheet, child, cells))
        else:
            raise child.error(f"a chart has no {child.keyword!r}")
    width, rows = _SQUARE if "square" in words else _WIDE
    size = width, rows * LINE_HEIGHT / 72 * 2.54
    plot = Plot(sheet.book.say(key), curves, axes["x"], axes["y"], size)
    sheet.chart(plot, f"A{sheet.row}", sheet.book.say(f"{key}_text"))
    sheet.row += rows + 1


def _axis(sheet: Sheet, statement: Statement) -> Axis:
    """``x TITLE FORMAT LEAST..MOST STEP``."""
    title, shown, *rest = words_of(statement.rest)
    bounds, step = (*rest, "", "")[:2]
    low, _, high = bounds.partition("..")
    words = title.strip('"') if title.startswith('"') else sheet.book.say(title)
    least, most, by = (float(text) if text else None for text in (low, high, step))
    return Axis(words, number_format(shown, sheet.book), least, most, by)


def _curve(sheet: Sheet, statement: Statement, cells: Mapping[str, Cells]) -> Callable[[], Curve]:
    """``curve TABLE x y``, with ``signs`` at its points, or with ``points`` only, ``errors:COLUMN``
    for bars around them, ``look:2``, and ``"name"`` or ``name:KEY``."""
    key, x, y, *words = words_of(statement.rest)
    said = dict(word.partition(":")[::2] for word in words if not word.startswith('"'))

    def curve() -> Curve:
        table = sheet.book.tables[key]
        name: str | Cells = table.columns[y].heading
        for word in words:
            if word.startswith('"'):
                name = word.strip('"')
        if "name" in said:
            name = cells.get(said["name"]) or sheet.book.say(said["name"])
        return Curve(
            name,
            table.column(x),
            table.column(y),
            signs="signs" in said or "points" in said,
            look=int(said["look"]) if "look" in said else None,
            line="points" not in said,
            errors=table.column(said["errors"]) if "errors" in said else None,
        )

    return curve
