"""The page for the web: one file, with its style, its script and its drawings in it.

It asks nothing of any other place, and its policy forbids it: only the style and the script of the
page itself, known by their fingerprints, may run. Names are texts, whatever stands in them.
"""

from __future__ import annotations

import base64
import hashlib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from importlib.resources import files
from itertools import count
from typing import Final

from elo_xl import __version__
from elo_xl.books.code import svg
from elo_xl.books.texts import texts
from elo_xl.lists.names import TITLES, plain
from elo_xl.publish.page import Page, PageColumn, PageRow, PageTable, PageValue, Point

MANY: Final = 12
"""Columns from which a table is printed on wide paper."""
VERY_MANY: Final = 24
"""Columns from which its letters are small on paper, too."""
ASIDE: Final = tuple(f"{key}_{side}" for key in ("no", "rating", "points") for side in "ab")
"""Columns beside the names of both players, for which a phone has no room."""
RISING: Final = ("place", "rank", "no", "board")
"""Numbers of which the smallest ones come first when somebody sorts by them."""


def html(page: Page) -> bytes:
    """The page as a file."""
    # a column without a heading is one that the book's settings have switched off
    tables = [replace(t, columns=[c for c in t.columns if c.heading]) for t in page.tables]
    page = replace(page, tables=tables)
    ids = _ids(page)
    names = [row["name"] for row in page.list.rows] if ids else []
    return rendered(
        "page",
        page=page,
        say=texts(page.language),
        cards={name: f"card-{number}" for number, name in enumerate(page.curves, start=1)},
        ids=ids,
        links=dict(zip(reversed(names), reversed(ids), strict=True)),
        drawing=drawing,
        code=svg(page.address) if page.address else "",
        shown=lambda column, value: column.text(value, page.language),
        sortable=_sortable,
        search=_search,
        wide=_wide,
        aside=ASIDE,
        first=lambda column: "ascending" if column.key in RISING else "descending",
        moved=PageColumn("change", "", change=True),
        said=lambda at: PageColumn("", "").text(at, page.language),
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        right=RIGHT,
    )


def rendered(
    name: str,
    *,
    shared: Sequence[str] = (),
    functions: str = "",
    connect: str = "",
    **values: object,
) -> bytes:
    """A file of this room filled with values, with its style, and its script if it has one.

    ``shared`` are the names of files whose styles and scripts stand before its own, ``functions``
    are a script, too; ``connect`` says where the page may read, as its policy writes it.
    """
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    ours = files(__package__)
    parts = (*shared, name)
    style, *scripts = ["".join(_texts(parts, "css")), *_texts(parts, "js")]
    script = "".join([*scripts[:-1], functions, *scripts[-1:]])
    environment = Environment(
        loader=FunctionLoader(lambda file: ours.joinpath(file).read_text("utf-8")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    template = environment.get_template(f"{name}.html")
    return template.render(
        style=style,
        script=script,
        policy=f"default-src 'none'; style-src {_print_of(style)}; script-src {_print_of(script)}; "
        f"img-src data:; {connect and f'connect-src {connect}; '}base-uri 'none'; "
        "form-action 'none'",
        version=__version__,
        **values,
    ).encode()


def _texts(names: Iterable[str], ending: str) -> list[str]:
    """The files of these names that there are."""
    found = (files(__package__).joinpath(f"{name}.{ending}") for name in names)
    return [file.read_text("utf-8") for file in found if file.is_file()]


def _print_of(text: str) -> str:
    """How a policy names a style or a script: by its fingerprint."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _sortable(value: PageValue) -> str:
    """What a cell is sorted by where that is not its text.

    >>> _sortable(date(2026, 7, 1)), _sortable(-7), _sortable("Ana")
    ('20260701', '-7', '')
    """
    if isinstance(value, date):
        return f"{value:%Y%m%d}"
    return "" if value is None or isinstance(value, str) else f"{value:g}"


def _search(line: PageRow) -> str:
    """What a row is found by: its texts without case and accents, names also in Latin letters.

    >>> _search({"name": "Болотов, Пётр", "federation": "BUL", "rating": 2043})
    'болотов, петр bul bolotov petr'
    """
    said = " ".join(v for k, v in line.items() if isinstance(v, str) and not k.endswith("change"))
    bare = "".join(c for c in unicodedata.normalize("NFD", said) if not unicodedata.combining(c))
    words = dict.fromkeys([*bare.lower().split(), *plain(str(line.get("name") or "")).split()])
    return " ".join(words)


def _ids(page: Page) -> Sequence[str]:
    """By what an address finds the rows of a list of players: their names in small Latin letters,
    without titles.

    >>> rows = [{"name": "GM Болотов, Пётр"}, {"name": "Bolotov, Petr"}, {"name": "Åke"}]
    >>> players = PageTable("list", "", [PageColumn("name", "Name")], rows)
    >>> _ids(Page("en", "", "", [players]))
    ['bolotov-petr', 'bolotov-petr-2', 'ake']
    """
    if not page.list.sortable or all(column.key != "name" for column in page.list.columns):
        return []
    ids = dict.fromkeys(table.key for table in page.tables)
    for row in page.list.rows:
        said = str(row["name"])
        first, _, others = said.partition(" ")
        name = plain(others if first in TITLES else said).replace(" ", "-") or "player"
        places = (f"-{place}" if place > 1 else "" for place in count(1))
        ids[next(name + place for place in places if name + place not in ids)] = None
    return list(ids)[len(page.tables) :]


def _wide(table: PageTable) -> str:
    """The class of a table with many columns."""
    columns = len(table.columns)
    return "very wide" if columns >= VERY_MANY else "wide" if columns >= MANY else ""


# -- the drawing of a player's ratings: where its lines, points and words stand -------------------


WIDTH: Final = 640
HEIGHT: Final = 260
LEFT, RIGHT, TOP, BOTTOM = 46, 14, 12, 26
"""Room beside the curves."""

STEPS: Final = (10, 20, 50, 100, 200, 500, 1000)
"""Rating points between the lines behind the curves."""
MOST_LINES: Final = 6
MOST_DOTS: Final = 60
"""Points of a curve that are drawn one by one."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A curve: its points in the drawing, and the same as SVG writes them."""

    kind: str
    places: Sequence[tuple[float, float]]
    dots: Sequence[tuple[float, float]]

    @property
    def line(self) -> str:
        """The points of a polyline."""
        return " ".join(f"{x:g},{y:g}" for x, y in self.places)


@dataclass(frozen=True, slots=True)
class Drawing:
    """The curves of a player in one drawing."""

    curves: Sequence[Drawn]
    levels: Sequence[tuple[float, int]]
    """height and rating of the lines behind the curves"""
    marks: Sequence[tuple[float, str, date | int]]
    """place, anchor and day, or number of the game, of the words below"""


def drawing(kinds: Mapping[str, Sequence[Point]]) -> Drawing:
    """Draw the ratings of a player.

    >>> drawn = drawing({"Standard": [Point(1, 1500), Point(3, 1540)]})
    >>> drawn.curves[0].line, [rating for _, rating in drawn.levels]
    ('46,234 626,12', [1500, 1510, 1520, 1530, 1540])
    """
    points = [point for kind in kinds.values() for point in kind]
    ratings = [point.rating for point in points]
    step = next(
        (s for s in STEPS if max(ratings) - min(ratings) <= s * (MOST_LINES - 1)), STEPS[-1]
    )
    low = int(min(ratings) // step) * step
    high = max(-int(-max(ratings) // step) * step, low + step)
    first, *_, last = sorted([place(points[0]), *map(place, points)])

    def x(point: Point) -> float:
        # a single day has no width to be a share of
        share = (place(point) - first) / (last - first) if last > first else 0.5
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def y(rating: float) -> float:
        return round(TOP + (high - rating) / (high - low) * (HEIGHT - TOP - BOTTOM), 1)

    curves = []
    for kind, line in kinds.items():
        places = [(x(point), y(point.rating)) for point in line]
        curves.append(Drawn(kind, places, places if len(places) <= MOST_DOTS else places[-1:]))
    at = sorted({point.at for point in points}, key=_number)
    marks = [(x(Point(at[0], 0)), "start" if len(at) > 1 else "middle", at[0])]
    if len(at) > 1:
        marks.append((x(Point(at[-1], 0)), "end", at[-1]))
    return Drawing(curves, [(y(r), r) for r in range(low, high + 1, step)], marks)


def place(point: Point) -> int:
    """Where a point stands in time: the number of its day, or of its game."""
    return _number(point.at)


def _number(at: date | int) -> int:
    return at.toordinal() if isinstance(at, date) else at
