"""The charts of a book as a picture, PNG or SVG, drawn by matplotlib.

A picture has the points, the words and the colours of the book's own charts. The same book gives
the same bytes under the same matplotlib.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from elo_xl.books.charts import LOOKS, Axis, Curve
from elo_xl.books.plots import Plot
from elo_xl.books.styles import INK, LINE
from elo_xl.books.text import shown
from elo_xl.engine.errors import EloError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from elo_xl.books.book import Book

KINDS: Final = (".png", ".svg")

_INCH: Final = 2.54
_DOTS: Final = 150
_SETTINGS: Final[Any] = {
    "axes.edgecolor": f"#{INK}",
    "axes.labelcolor": f"#{INK}",
    "axes.labelweight": "bold",
    "axes.titleweight": "bold",
    "font.family": "DejaVu Sans",  # comes with matplotlib
    "font.size": 9,
    "svg.hashsalt": "elo-xl",
    "text.color": f"#{INK}",
    "xtick.color": f"#{INK}",
    "ytick.color": f"#{INK}",
}
_DASHES: Final[dict[str, Any]] = {
    "solid": "-",
    "dash": (0, (4, 3)),
    "sysDot": (0, (1, 1)),
    "dashDot": (0, (4, 3, 1, 3)),
    "lgDash": (0, (8, 3)),
    "lgDashDot": (0, (8, 3, 1, 3)),
}
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
        raise EloError("pictures need matplotlib: pip install 'elo-xl[pictures]'")


def picture(book: Book, kind: str = KINDS[0]) -> bytes:
    """The charts of a finished book below each other, as a file of this kind.

    Raises the error of :func:`needed`.
    """
    needed()
    from matplotlib import rc_context

    file = io.BytesIO()
    with rc_context(_SETTINGS):
        # without a date and the version of matplotlib
        metadata = {"Software": None} if kind == ".png" else {"Date": None, "Creator": None}
        figure(book).savefig(file, format=kind[1:], dpi=_DOTS, metadata=metadata)
    return file.getvalue()


def figure(book: Book) -> Figure:
    """The charts of statements of a finished book below each other."""
    from matplotlib.figure import Figure

    charts = [drawn for sheet in book.sheets.values() for drawn, _, _ in sheet.charts]
    plots = [drawn for drawn in charts if isinstance(drawn, Plot)]
    heights = [plot.size[1] / _INCH for plot in plots]
    width = max(plot.size[0] for plot in plots) / _INCH
    whole = Figure((width, sum(heights)), layout="constrained")
    every = whole.subplots(len(plots), 1, squeeze=False, height_ratios=heights)
    for axes, plot in zip(every[:, 0], plots, strict=True):
        _draw(axes, plot)
    return whole


def _draw(axes: Axes, plot: Plot) -> None:
    axes.set_title(plot.title)
    for i, curve in enumerate(plot.curves):
        _curve(axes, i, curve())
    for axis, asked in ((axes.xaxis, plot.x), (axes.yaxis, plot.y)):
        axis.set_label_text(asked.title)
        axis.set_major_formatter(_formatter(asked))
    _bounds(axes, plot.x, plot.y)
    axes.grid(color=f"#{LINE}", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    if len(plot.curves) > 1:
        axes.legend(frameon=False, handlelength=4)


def _formatter(axis: Axis) -> Callable[[float, float], str]:
    return lambda x, _: shown(float(x), axis.number_format)


def _bounds(axes: Axes, x: Axis, y: Axis) -> None:
    axes.set_xlim(x.least, x.most)
    axes.set_ylim(y.least, y.most)
    for axis, asked in ((axes.xaxis, x), (axes.yaxis, y)):
        if asked.step is not None:
            from matplotlib.ticker import MultipleLocator

            axis.set_major_locator(MultipleLocator(asked.step))


def _curve(axes: Axes, i: int, curve: Curve) -> None:
    columns = [curve.xs.values(), curve.ys.values()]
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
        linestyle=_DASHES[dash] if curve.line else "none",
        marker=_SIGNS[sign] if curve.signs else "none",
        linewidth=1.75,
        elinewidth=1.0,
        capsize=3,
    )
