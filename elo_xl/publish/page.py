"""What is published: tables with a row for each line, and the curves of players.

It goes into files for spreadsheets and for programs; for people there is :mod:`.html`.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final

from elo_xl import __version__
from elo_xl.engine.arrays import round_half_away
from elo_xl.languages import LANGUAGES, Language
from elo_xl.xlsx.cell_xml import kept_text

MINUS: Final = "\u2212"

PageValue = str | float | date | None
"""What a cell shows: numbers are rounded as they are shown; None is a blank."""


@dataclass(frozen=True, slots=True)
class PageColumn:
    """A column of a table."""

    key: str
    """the same in every language"""
    heading: str
    decimals: int | None = 0
    """of its numbers; None for as many as they have"""
    align: str = "right"
    group: str = ""
    """what stands above this heading and its neighbours"""
    change: bool = False
    """whether its numbers are changes, with an arrow"""
    signed: bool = False
    percent: bool = False
    """whether its numbers are parts of one, and people read them in percent"""
    wraps: bool = False
    """whether its texts are sentences, which may take several lines"""

    def rounded(self, value: PageValue) -> PageValue:
        """A number as it is shown; anything else as it is.

        >>> PageColumn("rating", "Rating").rounded(1646.5)
        1647
        >>> PageColumn("tie1", "", None).rounded(26.5)
        26.5
        """
        if value == "" or isinstance(value, bool):
            return None
        if not isinstance(value, int | float):
            return value
        scale = 10 ** ((2 if self.decimals is None else self.decimals) + 2 * self.percent)
        number = float(round_half_away(value * scale)) / scale
        return int(number) if number.is_integer() else number

    def text(self, value: PageValue, language: str) -> str:
        """A value as people read it in a language.

        >>> PageColumn("points", "", 1).text(5.0, "es")
        '5,0'
        >>> PageColumn("k", "", signed=True).text(3, "ru")
        '+3'
        >>> PageColumn("share", "", percent=True).text(0.8, "en")
        '80%'
        """
        if value is None:
            return ""
        known = LANGUAGES[language]
        if isinstance(value, date):
            return value.strftime(known.date)
        if isinstance(value, str):
            return value
        value *= 100 if self.percent else 1
        number = f"{abs(value):g}" if self.decimals is None else f"{abs(value):.{self.decimals}f}"
        sign = MINUS if value < 0 else "+" if value > 0 and (self.signed or self.change) else ""
        return sign + known.number(number) + "%" * self.percent


PageRow = Mapping[str, PageValue]
"""A row by the keys of its columns."""


@dataclass(frozen=True, slots=True)
class PageTable:
    """Rows below headings."""

    key: str
    title: str
    columns: Sequence[PageColumn]
    rows: Sequence[PageRow]
    sortable: bool = True
    legend: str = ""
    """what its columns and signs mean"""


def capital(text: str) -> str:
    """A word as it begins a heading."""
    return text[:1].upper() + text[1:]


def headed(columns: Iterable[PageColumn], say: Callable[[str], str]) -> list[PageColumn]:
    """Columns that are declared with the keys of their headings, with what these say."""
    return [replace(column, heading=say(column.heading)) for column in columns]


def with_places(rows: Sequence[PageRow], key: str) -> list[PageRow]:
    """Rows, in the order of what stands below ``key``, with the place of each.

    >>> with_places([{"rating": 2000}, {"rating": 1900}, {"rating": 1900}, {"rating": None}],
    ...             "rating")[2:]
    [{'rating': 1900, 'place': 2}, {'rating': None, 'place': None}]
    """
    numbers = [row[key] for row in rows]
    places = [None if number is None else 1 + numbers.index(number) for number in numbers]
    return [{**row, "place": place} for place, row in zip(places, rows, strict=True)]


FROM_WHERE: Final = ("federation", "club")
"""The keys of columns that tell from where somebody is."""


def table(
    key: str,
    title: str,
    columns: Iterable[PageColumn],
    rows: Sequence[PageRow],
    needed: Collection[str] = (),
    *,
    sortable: bool = True,
) -> PageTable:
    """A table with its numbers rounded, without blank columns unless they are ``needed``.

    From where somebody is stands last, so that a phone shows the numbers first.
    """
    columns = sorted(columns, key=lambda column: column.key in FROM_WHERE)
    shown = [
        c
        for c in columns
        if c.key in needed or any(row.get(c.key) not in (None, "") for row in rows)
    ]
    lines = [{column.key: column.rounded(row.get(column.key)) for column in shown} for row in rows]
    # numbers below each other have as many decimals as the one that needs most
    shown = [
        replace(c, decimals=max((_decimals(line[c.key]) for line in lines), default=0))
        if c.decimals is None
        else c
        for c in shown
    ]
    return PageTable(key, title, shown, lines, sortable)


def _decimals(value: PageValue) -> int:
    """How many decimals a number has."""
    return len(f"{value:g}".partition(".")[2]) if isinstance(value, int | float) else 0


@dataclass(frozen=True, slots=True)
class Point:
    """A rating on a curve."""

    at: date | int
    """the day, or the number of a game where games have no dates"""
    rating: float
    change: float | None = None
    games: int | None = None


Curves = Mapping[str, Mapping[str, Sequence[Point]]]
"""The ratings of players over time: by name, and by the heading of the kind of rating."""


@dataclass(frozen=True, slots=True)
class Page:
    """What is published of a book; the first table is the list."""

    language: str
    title: str
    below: str
    """a line below the title: club, place, arbiter"""
    tables: Sequence[PageTable]
    club: str = ""
    club_cell: str = ""
    """the cell of the book into which the club's name is typed, if it has one"""
    day: date | None = None
    """the day of the list"""
    address: str = ""
    """where the page is to be found on the web"""
    curves: Curves = field(default_factory=dict)
    notes: Sequence[str] = ()
    """sentences below the tables"""
    answers: Mapping[str, str] = field(default_factory=dict)
    """what a search that finds one player of the list says of them"""

    @property
    def list(self) -> PageTable:
        """The rating list, or the standings."""
        return self.tables[0]


def as_csv(page: Page) -> bytes:
    r"""The list as Excel opens it by a double click: UTF-8 with its mark, and the separators of the
    page's language. A text that a spreadsheet would take for a formula begins with an apostrophe.

    >>> rows = [{"name": "=1+1", "points": 3.5}]
    >>> columns = [PageColumn("name", "Nombre"), PageColumn("points", "Puntos", 1)]
    >>> as_csv(Page("es", "", "", [PageTable("list", "", columns, rows)])).decode("utf-8-sig")
    "Nombre;Puntos\r\n'=1+1;3,5\r\n"
    """
    language = LANGUAGES[page.language]
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=";" if language.decimal_sign == "," else ",")
    columns = page.list.columns
    # the letters to one player are tables of the same columns, one below the other
    alike = [table for table in page.tables if table.columns == columns]
    of = [""] if len(alike) > 1 else []
    writer.writerow([*of, *map(_heading, columns)])
    for table in alike:
        of = [kept_text(table.title)] if len(alike) > 1 else []
        for row in table.rows:
            writer.writerow([*of, *(_cell(row[column.key], language) for column in columns)])
    return out.getvalue().encode("utf-8-sig")


def _heading(column: PageColumn) -> str:
    return f"{column.group}: {column.heading}" if column.group else column.heading


def _cell(value: PageValue, language: Language) -> str:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, int | float):
        return language.number(str(value))
    return kept_text(value or "")


def as_json(page: Page) -> bytes:
    """All tables and curves, in the shape that docs/publish.md describes."""
    document = {
        "made_by": f"elo-xl {__version__}",
        "language": page.language,
        "title": page.title,
        "club": page.club or None,
        "date": page.day and page.day.isoformat(),
        "tables": [_told(table) for table in page.tables],
        "curves": {
            name: {
                kind: [
                    {
                        "at": _plain(point.at),
                        "rating": _number(point.rating),
                        "change": _number(point.change),
                        "games": point.games,
                    }
                    for point in points
                ]
                for kind, points in kinds.items()
            }
            for name, kinds in page.curves.items()
        },
    }
    return (json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()


def _told(table: PageTable) -> dict[str, object]:
    return {
        "key": table.key,
        "title": table.title,
        "columns": [{"key": c.key, "heading": _heading(c)} for c in table.columns],
        "rows": [{c.key: _plain(row[c.key]) for c in table.columns} for row in table.rows],
    }


def _plain(value: PageValue) -> PageValue:
    """A value as JSON has it: a day as text, a blank as null."""
    return value.isoformat() if isinstance(value, date) else None if value == "" else value


def _number(value: float | None) -> PageValue:
    return None if value is None else PageColumn("", "", 2).rounded(value)
