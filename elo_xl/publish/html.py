"""The page for the web: one file, with its style, its script and its drawings in it.

It asks nothing of any other place, and its policy forbids it: only the style and the script of the
page itself, known by their fingerprints, may run. Names are texts, whatever stands in them.
"""

from __future__ import annotations

import base64
import hashlib
import unicodedata
from datetime import date
from importlib.resources import files
from typing import Final

from elo_xl import __version__
from elo_xl.books.texts import texts
from elo_xl.lists.names import plain
from elo_xl.publish import curve
from elo_xl.publish.page import Page, PageColumn, PageRow, PageTable, PageValue

MANY: Final = 12
"""Columns from which a table is printed on wide paper."""
VERY_MANY: Final = 24
"""Columns from which its letters are small on paper, too."""
RISING: Final = ("place", "rank", "no", "board")
"""Numbers of which the smallest ones come first when somebody sorts by them."""


def html(page: Page) -> bytes:
    """The page as a file."""
    from jinja2 import Environment, StrictUndefined

    ours = files(__package__)
    style, script = (ours.joinpath(f"page.{end}").read_text("utf-8") for end in ("css", "js"))
    template = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    ).from_string(ours.joinpath("page.html").read_text("utf-8"))
    return template.render(
        page=page,
        say=texts(page.language),
        style=style,
        script=script,
        policy=f"default-src 'none'; style-src {_print_of(style)}; script-src {_print_of(script)}; "
        "img-src data:; base-uri 'none'; form-action 'none'",
        version=__version__,
        cards={name: f"card-{number}" for number, name in enumerate(page.curves, start=1)},
        drawing=curve.drawing,
        shown=lambda column, value: column.text(value, page.language),
        sortable=_sortable,
        search=_search,
        wide=_wide,
        first=lambda column: "ascending" if column.key in RISING else "descending",
        moved=PageColumn("change", "", change=True),
        said=lambda at: PageColumn("", "").text(at, page.language),
        width=curve.WIDTH,
        height=curve.HEIGHT,
        left=curve.LEFT,
        right=curve.RIGHT,
    ).encode()


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


def _wide(table: PageTable) -> str:
    """The class of a table with many columns."""
    count = len(table.columns)
    return "very wide" if count >= VERY_MANY else "wide" if count >= MANY else ""
