"""The list for spreadsheets, and everything for programs."""

from __future__ import annotations

import csv
import io
import json
from datetime import date

from elo_xl import __version__
from elo_xl.languages import LANGUAGES, Language
from elo_xl.publish.page import Page, PageColumn, PageTable, PageValue
from elo_xl.xlsx.escapes import kept_text


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
    told = {
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
    return (json.dumps(told, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()


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
