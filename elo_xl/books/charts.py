"""Charts that carry their values, so that previews which compute nothing show them too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from openpyxl.chart import BarChart, LineChart, ScatterChart
from openpyxl.chart.axis import ChartLines, DateAxis, _BaseAxis
from openpyxl.chart.data_source import (
    AxDataSource,
    NumData,
    NumDataSource,
    NumRef,
    NumVal,
    StrData,
    StrRef,
    StrVal,
)
from openpyxl.chart.error_bar import ErrorBars
from openpyxl.chart.label import DataLabelList
from openpyxl.chart.layout import Layout, ManualLayout
from openpyxl.chart.legend import Legend, LegendEntry
from openpyxl.chart.marker import Marker
from openpyxl.chart.series import Series, SeriesLabel
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.chart.text import RichText, Text
from openpyxl.chart.title import Title
from openpyxl.drawing.line import LineProperties
from openpyxl.drawing.spreadsheet_drawing import AnchorMarker, TwoCellAnchor
from openpyxl.drawing.text import (
    CharacterProperties,
    Paragraph,
    ParagraphProperties,
    RegularTextRun,
    RichTextProperties,
)
from openpyxl.utils.cell import coordinate_to_tuple
from openpyxl.utils.units import pixels_to_EMU

from elo_xl.books.column_words import number_format
from elo_xl.books.model import Cells, Sheet, Table
from elo_xl.books.statements import Statement, words_of
from elo_xl.books.styles import HEAT, INK, LINE, LINE_HEIGHT, PALE, QUIET
from elo_xl.books.text import GENERAL, clean
from elo_xl.xlsx.cell_xml import escaped

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet


Chart = BarChart | LineChart | ScatterChart

Size = tuple[float, float]
"""Width and height of a chart, in centimetres."""

MONTHS: Final = '[<2]"";yyyy-mm'
RATINGS: Final = '[<100]"";0'
COUNTS: Final = '[<2]"";0'
"""Number formats of axes, which show nothing while there are no dates, ratings or games."""

SLANTED: Final = -2_700_000
"""How the names below an axis stand, in 60,000ths of a degree."""

Dash = Literal["solid", "dash"]
Sign = Literal["circle", "square", "triangle", "diamond", "x", "plus"]

LOOKS: Final[tuple[tuple[str, Dash, Sign], ...]] = (
    ("0072B2", "solid", "circle"),
    ("D55E00", "dash", "square"),
    ("009E73", "solid", "triangle"),
    ("CC79A7", "dash", "diamond"),
    ("E69F00", "solid", "x"),
    ("000000", "dash", "plus"),
)
"""Colour, dash and sign of each curve of a chart: colours of Okabe and Ito, which the colour-blind
tell from each other. Only every other line is dashed: curves of six dashes tangle."""


_PARTS_OF_BARS: Final = (
    *("errDir", "errBarType", "errValType", "noEndCap"),
    *("plus", "minus", "val", "spPr"),
)
"""in the order of the format's schema; openpyxl mixes up two"""


@dataclass(frozen=True, slots=True)
class Bars:
    """One series of a bar chart: its name, the cells of its numbers, a colour."""

    name: str
    cells: Cells
    colour: str


def bar_chart(title: str, labels: Cells, series: Sequence[Bars], number_format: str) -> Chart:
    """Horizontal bars from the top down, each with a label and with its number at its end.

    All series share the same bars: every number belongs to one series, and the others have 0 there.
    """
    chart = BarChart()
    chart.type, chart.style = "bar", 2
    chart.overlap, chart.gapWidth = 100, 45
    chart.title, chart.legend = _title(title) if title else None, None
    names = StrRef(f=labels.reference, strCache=_text_cache(labels.texts()))
    for i, bars in enumerate(series):
        one = Series(idx=i, order=i)
        one.tx = SeriesLabel(v=bars.name)
        one.cat = AxDataSource(strRef=names)
        one.val = NumDataSource(numRef=_numbers_at(bars.cells, number_format))
        one.graphicalProperties = GraphicalProperties(
            solidFill=bars.colour, ln=LineProperties(noFill=True)
        )
        one.invertIfNegative = False
        one.dLbls = _numbers(number_format)
        chart.series.append(one)
    _axes(chart)
    return _plain(chart)


def over_rows(chart: Chart, rows: int) -> Chart:
    """A chart of bars over a column of a table, from its header on: every bar in line with its row,
    which has its name and its number."""
    header = 1 / (rows + 1)
    chart.layout = Layout(
        ManualLayout(
            layoutTarget="inner", xMode="edge", yMode="edge", x=0, y=header, w=1, h=1 - header
        )
    )
    chart.x_axis.delete = True
    see_through = _unseen()
    see_through.noFill = True
    chart.graphical_properties = chart.plot_area.graphicalProperties = see_through
    for one in chart.series:
        one.dLbls = None
    return chart


@dataclass(frozen=True, slots=True)
class Curve:
    """One series of a curve chart: its name, or the cell that holds the name, and its points."""

    name: str | Cells
    xs: Cells
    ys: Cells
    signs: bool = False
    """whether every point has a sign; for curves of few points"""
    look: int | None = None
    """the index of its look in :data:`LOOKS`; by default the curve's own index"""
    line: bool = True
    """whether a line goes through its points"""
    thin: bool = False
    """whether that is a thin one, for the bounds of another curve"""
    errors: Cells | None = None
    """how far bars reach above and below its points"""


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis of a curve chart; the spreadsheet program chooses bounds and steps that are None."""

    title: str
    number_format: str = GENERAL
    least: float | None = None
    most: float | None = None
    step: float | None = None
    months: bool = False
    """whether it is the x axis of dates, with the months as its ticks; then all curves have the x
    of the first one, and cells with #N/A are points that do not exist"""

    @property
    def names(self) -> bool:
        """Whether it is the x axis of names, one beside the other: its number format is a text."""
        return self.number_format == "@"


def step_for(most: int) -> int:
    """The step of an axis of whole numbers up to ``most``: an axis ends a step behind its data.

    >>> [step_for(most) for most in (5, 60, 200, 5000)]
    [1, 5, 20, 500]
    """
    steps = [digit * scale for scale in (1, 10, 100, 1000) for digit in (1, 2, 5)]
    return max(step for step in steps if step == 1 or 10 * step <= most)


def curve_chart(
    title: str, curves: Sequence[Curve], x: Axis, y: Axis, size: Size | None = None
) -> Chart:
    """Curves through points, with a legend if there is more than one curve; a chart that is placed
    over rows has no size."""
    chart: Any
    if x.months:
        chart = LineChart()
        chart.x_axis = DateAxis(crossAx=100, baseTimeUnit="days", majorTimeUnit="months")
        chart.y_axis.crossAx = chart.x_axis.axId
        x = replace(x, step=1)
    elif x.names:
        chart = LineChart()
        chart.x_axis.tickLblSkip = 1
    else:
        chart = ScatterChart()
        chart.scatterStyle = "lineMarker"
    chart.style = 2
    chart.title = _title(title)
    for i, curve in enumerate(curves):
        chart.series.append(_curve(i, curve, x, y))
    axes: Any = ((chart.x_axis, x), (chart.y_axis, y))
    for axis, given in axes:
        _axis(axis)
        axis.title = _title(given.title, 1000)
        axis.number_format = given.number_format
        axis.scaling.min, axis.scaling.max, axis.majorUnit = given.least, given.most, given.step
        axis.tickLblPos = "low"
        axis.graphicalProperties = GraphicalProperties(ln=LineProperties(solidFill=INK, w=9525))
        axis.majorGridlines = _grid()
        if given.names:
            axis.majorGridlines = None
            axis.crosses = "min"
            axis.txPr.bodyPr = RichTextProperties(rot=SLANTED, vert="horz")
    chart.legend = None
    if len(curves) > 1:
        chart.legend = Legend()
        chart.legend.position, chart.legend.overlay = "t", False
        # a curve with the name of the one before is its other half
        chart.legend.legendEntry = [
            LegendEntry(idx=i, delete=True)
            for i in range(1, len(curves))
            if curves[i].name == curves[i - 1].name
        ]
        chart.legend.txPr = _rich()
    if size is not None:
        chart.width, chart.height = size
    return _plain(chart)


def _curve(i: int, curve: Curve, x: Axis, y: Axis) -> Series:
    one = Series(idx=i, order=i)
    if isinstance(curve.name, str):
        one.tx = SeriesLabel(v=curve.name)
    else:
        cache = _text_cache(curve.name.texts())
        one.tx = SeriesLabel(strRef=StrRef(f=curve.name.reference, strCache=cache))
    if x.names:
        names = StrRef(f=curve.xs.reference, strCache=_text_cache(curve.xs.texts()))
        xs = AxDataSource(strRef=names)
    else:
        xs = AxDataSource(numRef=_numbers_at(curve.xs, x.number_format))
    ys = NumDataSource(numRef=_numbers_at(curve.ys, y.number_format))
    if x.months or x.names:
        one.cat, one.val = xs, ys
    else:
        one.xVal, one.yVal = xs, ys
    colour, dash, sign = LOOKS[(i if curve.look is None else curve.look) % len(LOOKS)]
    line = LineProperties(solidFill=colour, w=12700 if curve.thin else 28575, prstDash=dash)
    if not curve.line:
        line = LineProperties(noFill=True)
    one.graphicalProperties = GraphicalProperties(ln=line)
    if curve.errors is not None:
        half = NumDataSource(numRef=_numbers_at(curve.errors, y.number_format))
        bars = one.errBars = ErrorBars(errDir="y", errBarType="both", errValType="cust")
        vars(bars)["__elements__"] = _PARTS_OF_BARS
        bars.plus = bars.minus = half
        bars.spPr = GraphicalProperties(ln=LineProperties(solidFill=colour, w=12700))
    one.marker = Marker(symbol="none")
    if curve.signs:
        look = GraphicalProperties(solidFill=colour, ln=LineProperties(solidFill=colour))
        one.marker = Marker(symbol=sign, size=6, spPr=look)
    one.smooth = False
    return one


def _plain(chart: Chart) -> Chart:
    chart.visible_cells_only = False  # columns that only compute are hidden
    chart.display_blanks = "span"  # points before the first one: LibreOffice draws gaps as 0
    chart.roundedCorners = False
    chart.graphical_properties = _unseen()
    chart.plot_area.graphicalProperties = _unseen()
    return chart


def _unseen() -> GraphicalProperties:
    """No frame."""
    return GraphicalProperties(ln=LineProperties(noFill=True))


def _title(text: str, size: int = 1400) -> Title:
    paragraph = _paragraph(text, _letters(size, bold=True))
    return Title(tx=Text(rich=RichText(p=[paragraph])), overlay=False)


def _paragraph(text: str, letters: CharacterProperties) -> Paragraph:
    run = RegularTextRun(rPr=letters, t=text)
    return Paragraph(pPr=ParagraphProperties(defRPr=letters), r=[run])


def reaching(anchor: str, last: int, width: float, rows: int) -> TwoCellAnchor:
    """The place of a chart from a cell over rows to the end of the column ``last``, of a width in
    digits; LibreOffice would print the next column, too, if the chart touched it."""
    row, column = coordinate_to_tuple(anchor)
    start = AnchorMarker(column - 1, 0, row - 1)
    within = pixels_to_EMU(round(7 * width))  # type: ignore[no-untyped-call]
    end = AnchorMarker(last - 1, within, row - 1 + rows)
    return TwoCellAnchor("oneCell", _from=start, to=end)


def captioned(chart: Chart, caption: str) -> Chart:
    """A chart with a sentence below its title, if it has one, that says what one sees."""
    title: Any = chart.title
    if title is None:
        return chart
    quiet = CharacterProperties(sz=900, b=False, i=True, solidFill=QUIET)
    title.tx.rich.p.append(_paragraph(caption, quiet))
    return chart


def _axis(axis: _BaseAxis) -> None:
    axis.delete = False  # newer programs hide an axis that does not say so
    axis.title = None
    axis.txPr = _rich()
    axis.majorTickMark = axis.minorTickMark = "none"


def _grid() -> ChartLines:
    return ChartLines(spPr=GraphicalProperties(ln=LineProperties(solidFill=LINE, w=6350)))


def _axes(chart: BarChart) -> None:
    names, numbers = chart.x_axis, chart.y_axis
    for axis in (names, numbers):
        _axis(axis)
    names.scaling.orientation = "maxMin"
    names.tickLblPos = "low"
    names.tickLblSkip = 1
    # a line would go on below the last bar where there are fewer bars than places
    names.graphicalProperties = _unseen()
    names.majorGridlines = None
    numbers.delete = True  # every bar carries its number
    numbers.majorGridlines = None


def _numbers_at(cells: Cells, number_format: str) -> NumRef:
    values = cells.values()
    known = [(j, v) for j, v in enumerate(values) if isinstance(v, int | float)]
    points = [NumVal(idx=j, v=repr(float(v))) for j, v in known]
    cache = NumData(formatCode=number_format, ptCount=len(values), pt=points)
    return NumRef(f=cells.reference, numCache=cache)


def _numbers(number_format: str) -> DataLabelList:
    labels = DataLabelList()
    labels.showVal = True
    labels.showSerName = labels.showCatName = labels.showLegendKey = labels.showPercent = False
    labels.numFmt = number_format
    labels.position = "outEnd"
    labels.txPr = _rich()
    return labels


def _text_cache(texts: Sequence[str]) -> StrData:
    points = [StrVal(idx=i, v=escaped(clean(text))) for i, text in enumerate(texts)]
    return StrData(ptCount=len(points), pt=points)


def _letters(size: int, *, bold: bool = False) -> CharacterProperties:
    return CharacterProperties(sz=size, b=bold, solidFill=INK)


def _rich() -> RichText:
    properties = ParagraphProperties(defRPr=_letters(900))
    return RichText(p=[Paragraph(pPr=properties, endParaRPr=_letters(900))])


# -- the statements of pictures: charts with axes and curves, heat maps ---------------------------

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


def chart(sheet: Sheet, statement: Statement, *, last: int = 0) -> None:
    """``chart KEY``, or ``chart "Title" "What one sees"``, or with ``square``; one that is not
    reaches to the column ``last``, if that is given."""
    key, *words = words_of(statement.rest)
    axes: dict[str, Axis] = {}
    curves: list[Callable[[], Curve]] = []
    for child in statement.children:
        if child.keyword in ("x", "y"):
            axes[child.keyword] = _axis_said(sheet, child)
        elif child.keyword == "curve":
            curves.append(_curve_said(sheet, child))
        else:
            raise child.error(f"a chart has no {child.keyword!r}")
    width, rows = _SQUARE if "square" in words else _WIDE
    size = width, rows * LINE_HEIGHT / 72 * 2.54
    quoted = [word[1:-1] for word in (key, *words) if word.startswith('"')]
    title, text = quoted[0] if quoted else sheet.book.say(key), quoted[-1] if quoted else ""
    plot = Plot(title, curves, axes["x"], axes["y"], size)
    last = 0 if "square" in words else last
    text = text or sheet.book.say(f"{key}_text")
    sheet.chart(plot, f"A{sheet.row}", text, rows=rows if last else 0, last=last)
    sheet.row += rows + 1


def _axis_said(sheet: Sheet, statement: Statement) -> Axis:
    """``x TITLE FORMAT LEAST..MOST STEP``."""
    title, shown, *rest = words_of(statement.rest)
    bounds, step = (*rest, "", "")[:2]
    low, _, high = bounds.partition("..")
    words = title.strip('"') if title.startswith('"') else sheet.book.say(title)
    least, most, by = (float(text) if text else None for text in (low, high, step))
    return Axis(words, number_format(shown, sheet.book), least, most, by)


def _curve_said(sheet: Sheet, statement: Statement) -> Callable[[], Curve]:
    """``curve TABLE x y``, with ``signs`` at its points, or with ``points`` only, ``errors:COLUMN``
    for bars around them, ``look:2``, and ``"name"`` or ``name:KEY``."""
    key, x, y, *words = words_of(statement.rest)
    said = dict(word.partition(":")[::2] for word in words if not word.startswith('"'))

    def curve() -> Curve:
        table = sheet.book.tables[key]
        name = table.columns[y].heading
        for word in words:
            if word.startswith('"'):
                name = word.strip('"')
        if "name" in said:
            name = sheet.book.say(said["name"])
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
