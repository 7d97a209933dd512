"""Charts that carry their values, so that previews which compute nothing show them too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from openpyxl.chart import BarChart
from openpyxl.chart.axis import ChartLines
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
from openpyxl.chart.label import DataLabelList
from openpyxl.chart.series import Series, SeriesLabel
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.chart.text import RichText, Text
from openpyxl.chart.title import Title
from openpyxl.drawing.line import LineProperties
from openpyxl.drawing.text import (
    CharacterProperties,
    Paragraph,
    ParagraphProperties,
    RegularTextRun,
)

from elo_xl.templates.parts import INK, LINE
from elo_xl.templates.text import clean


@dataclass(frozen=True, slots=True)
class Bars:
    """One series of a bar chart: its name, where its numbers stand, the numbers, a colour."""

    name: str
    reference: str
    values: Sequence[float]
    colour: str


def bar_chart(
    title: str, labels: tuple[str, Sequence[str]], series: Sequence[Bars], number_format: str
) -> BarChart:
    """Horizontal bars from the top down, one label a bar, its number at its end.

    ``labels`` are the reference and the texts of the labels. The series share one place a bar: give
    each number to one of them only and 0 to the others.
    """
    chart = BarChart()
    chart.type, chart.style = "bar", 2
    chart.overlap, chart.gapWidth = 100, 45
    chart.title, chart.legend = _title(title), None
    reference, texts = labels
    for i, bars in enumerate(series):
        one = Series(idx=i, order=i)
        one.tx = SeriesLabel(v=bars.name)
        one.cat = AxDataSource(strRef=StrRef(f=reference, strCache=_text_cache(texts)))
        numbers = [NumVal(idx=j, v=_plain(v)) for j, v in enumerate(bars.values)]
        cache = NumData(formatCode=number_format, ptCount=len(numbers), pt=numbers)
        one.val = NumDataSource(numRef=NumRef(f=bars.reference, numCache=cache))
        one.graphicalProperties = GraphicalProperties(
            solidFill=bars.colour, ln=LineProperties(solidFill=INK, w=6350)
        )
        one.invertIfNegative = False
        one.dLbls = _numbers(number_format)
        chart.series.append(one)
    _axes(chart)
    return chart


def _title(text: str) -> Title:
    bold = _letters(1400, bold=True)
    run = RegularTextRun(rPr=bold, t=text)
    paragraph = Paragraph(pPr=ParagraphProperties(defRPr=bold), r=[run])
    return Title(tx=Text(rich=RichText(p=[paragraph])), overlay=False)


def _axes(chart: BarChart) -> None:
    names, numbers = chart.x_axis, chart.y_axis
    for axis in (names, numbers):
        axis.delete = False  # newer programs hide an axis that does not say so
        axis.title = None
        axis.txPr = _rich(900)
        axis.majorTickMark = axis.minorTickMark = "none"
    names.scaling.orientation = "maxMin"
    names.tickLblPos = "low"
    names.tickLblSkip = 1
    names.graphicalProperties = GraphicalProperties(ln=LineProperties(solidFill=INK, w=9525))
    names.majorGridlines = None
    numbers.delete = True  # every bar carries its number
    lines = GraphicalProperties(ln=LineProperties(solidFill=LINE, w=6350))
    numbers.majorGridlines = ChartLines(spPr=lines)


def _numbers(number_format: str) -> DataLabelList:
    labels = DataLabelList()
    labels.showVal = True
    labels.showSerName = labels.showCatName = labels.showLegendKey = labels.showPercent = False
    labels.numFmt = number_format
    labels.position = "outEnd"
    labels.txPr = _rich(900)
    return labels


def _text_cache(texts: Sequence[str]) -> StrData:
    points = [StrVal(idx=i, v=clean(text)) for i, text in enumerate(texts)]
    return StrData(ptCount=len(points), pt=points)


def _plain(value: float) -> str:
    return repr(float(value))


def _letters(size: int, *, bold: bool = False) -> CharacterProperties:
    return CharacterProperties(sz=size, b=bold, solidFill=INK)


def _rich(size: int) -> RichText:
    properties = ParagraphProperties(defRPr=_letters(size))
    return RichText(p=[Paragraph(pPr=properties, endParaRPr=_letters(size))])
