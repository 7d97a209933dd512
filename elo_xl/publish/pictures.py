"""The charts and heat maps of a book as a picture, PNG or SVG, drawn by matplotlib.

A picture has the points, the words and the colours of the book's own charts. The same book gives
the same bytes under the same matplotlib.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from elo_xl.books.charts import LOOKS, Axis, Curve, Heat, Plot
from elo_xl.books.styles import HEAT, INK, LINE, PALE
from elo_xl.books.text import shown
from elo_xl.engine.errors import EloError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.typing import LineStyleType, RcKeyType

    from elo_xl.books.book import Book
    from elo_xl.xlsx.cell_xml import CellValue

_INCH: Final = 2.54
_DOTS: Final = 150
SETTINGS: Final[dict[RcKeyType, object]] = {
    "axes.edgecolor": f"#{INK}",
    "axes.labelcolor": f"#{INK}",
    "axes.labelweight": "bold",
    "axes.titleweight": "bold",
    "text.parse_math": False,  # a name may have dollars
    "font.family": "DejaVu Sans",  # comes with matplotlib
    "font.size": 9,
    "svg.hashsalt": "elo-xl",
    "text.color": f"#{INK}",
    "xtick.color": f"#{INK}",
    "ytick.color": f"#{INK}",
}
DASHES: Final[dict[str, LineStyleType]] = {"solid": "-", "dash": (0, (4, 3))}
_SIGNS: Final = {
    "circle": "o",
    "square": "s",
    "triangle": "^",
    "diamond": "D",
    "x": "x",
    "plus": "+",
}


def needed() -> None:
    """Raises EloError if matplotlib is not there."""
    if find_spec("matplotlib") is None:
        raise EloError("pictures need matplotlib: pip install matplotlib")


def picture(book: Book, kind: str = ".png") -> bytes:
    """The charts of a finished book below each other, as a file.

    Raises the error of :func:`needed`, and EloError if there is nothing to draw.
    """
    return drawn(lambda: figure(book), kind)


def drawn(draw: Callable[[], Figure], kind: str = ".png") -> bytes:
    """A figure as a file: ``.png`` or ``.svg``. Raises the error of :func:`needed`."""
    needed()
    from matplotlib import rc_context

    file = io.BytesIO()
    with rc_context(SETTINGS):
        # without a date and the version of matplotlib
        metadata = {"Software": None} if kind == ".png" else {"Date": None, "Creator": None}
        draw().savefig(file, format=kind[1:], dpi=_DOTS, metadata=metadata)
    return file.getvalue()


def figure(book: Book) -> Figure:
    """The charts and heat maps of a finished book below each other."""
    # matplotlib is needed for drawing only
    from matplotlib.figure import Figure

    sheets = book.sheets.values()
    plots = [plot for sheet in sheets for plot, *_ in sheet.charts if isinstance(plot, Plot)]
    heats = [edit for sheet in sheets for edit in sheet.edits if isinstance(edit, Heat)]
    sizes = [(w / _INCH, h / _INCH) for w, h in (plot.size for plot in plots)]
    sizes += [(4 + 0.35 * heat.cells.columns, 1 + 0.3 * heat.cells.rows) for heat in heats]
    if not sizes:
        raise EloError("there is nothing to draw: the games tell too little")
    widths, heights = zip(*sizes, strict=True)
    whole = Figure((max(widths), sum(heights)), layout="constrained")
    every = whole.subplots(len(sizes), 1, squeeze=False, height_ratios=heights)[:, 0]
    for axes, plot in zip(every, plots, strict=False):
        _draw(axes, plot)
    for axes, heat in zip(every[len(plots) :], heats, strict=True):
        _heat(axes, heat)
    return whole


def _draw(axes: Axes, plot: Plot) -> None:
    axes.set_title(plot.title)
    curves = [curve() for curve in plot.curves]
    for i, curve in enumerate(curves):
        _curve(axes, i, curve, plot.x.names)
    for axis, scale in ((axes.xaxis, plot.x), (axes.yaxis, plot.y)):
        axis.set_label_text(scale.title)
        axis.set_major_formatter(_formatter(scale))
    _bounds(axes, plot.x, plot.y)
    if plot.x.names:
        names = curves[0].xs.texts()
        axes.set_xticks(range(len(names)), names, rotation=45, ha="right", rotation_mode="anchor")
    plain(axes, "y" if plot.x.names else "both")
    if len(plot.curves) > 1:
        axes.legend(frameon=False, handlelength=4)


def plain(axes: Axes, grid: Literal["y", "both"] = "both") -> None:
    """A faint grid behind the curves, and no frame."""
    axes.grid(axis=grid, color=f"#{LINE}", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def _heat(axes: Axes, heat: Heat) -> None:
    """The numbers of a heat map, between the names of its rows and the headings of its columns."""
    from matplotlib.colors import LinearSegmentedColormap

    cells, table = heat.cells, heat.table
    keys = list(table.columns)
    shades = keys[keys.index(heat.first) : keys.index(heat.last) + 1]
    known = [x if isinstance(x, int | float) else math.nan for x in cells.values()]
    numbers = np.array(known).reshape(cells.rows, cells.columns)
    colours = LinearSegmentedColormap.from_list("heat", (f"#{PALE}", f"#{HEAT}"))
    axes.imshow(numbers, cmap=colours, vmin=0, vmax=1, aspect="auto")
    number_format = table.columns[heat.first].look.number_format
    for (i, j), number in np.ndenumerate(numbers):
        if math.isfinite(number):
            axes.text(j, i, shown(number, number_format), ha="center", va="center", fontsize=7)
    axes.set_title(table.sheet.title)
    names = [f"{i}  {name}" for i, name in enumerate(table.column("name").texts(), start=1)]
    axes.set_yticks(range(cells.rows), names)
    axes.set_xticks(range(cells.columns), [table.columns[key].heading for key in shades])
    axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    axes.spines[:].set_visible(False)


def _formatter(axis: Axis) -> Callable[[float, float], str]:
    return lambda x, _: shown(float(x), axis.number_format)


def _bounds(axes: Axes, x: Axis, y: Axis) -> None:
    axes.set_xlim(x.least, x.most)
    axes.set_ylim(y.least, y.most)
    for axis, scale in ((axes.xaxis, x), (axes.yaxis, y)):
        if scale.step is not None:
            from matplotlib.ticker import MultipleLocator

            axis.set_major_locator(MultipleLocator(scale.step))


def _curve(axes: Axes, i: int, curve: Curve, named: bool) -> None:
    columns: list[Sequence[CellValue | None]] = [curve.xs.values(), curve.ys.values()]
    if named:
        # the axis counts names from 0, those without a point, too
        columns[0] = range(len(columns[0]))
    if curve.errors is not None:
        columns.append([error or 0.0 for error in curve.errors.values()])
    points = [
        row for row in zip(*columns, strict=True) if all(isinstance(x, int | float) for x in row)
    ]
    xs, ys, *errors = (list(column) for column in zip(*points, strict=True)) if points else ([], [])
    colour, dash, sign = LOOKS[(i if curve.look is None else curve.look) % len(LOOKS)]
    axes.errorbar(
        xs,
        ys,
        yerr=errors[0] if errors else None,
        label=curve.name if isinstance(curve.name, str) else curve.name.texts()[0],
        color=f"#{colour}",
        linestyle=DASHES[dash] if curve.line else "none",
        marker=_SIGNS[sign] if curve.signs else "none",
        linewidth=1.75,
        elinewidth=1.0,
        capsize=3,
    )
