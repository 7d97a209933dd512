"""How tables show themselves in a notebook."""

from __future__ import annotations

from html import escape
from typing import Any, Final

from elo_xl.api.frames import AnyColumn, GivenTable, blank

ROWS: Final = 10


class Shown:
    """What shows itself in a notebook as its line and its ``players``."""

    def _repr_html_(self: Any) -> str:
        return html(repr(self), GivenTable(self.players, "players"))


def html(line: str, table: GivenTable) -> str:
    """The line that a value is, above its table in HTML: the first rows, and how many more.

    >>> html("<A>", GivenTable({"name": ["<b>"], "k": [None], "new": [2.0]}, "players"))
    '<p>&lt;A&gt;</p><table><tr><th>name</th><th>new</th></tr><tr><td>&lt;b&gt;</td><td>2</td></tr></table>'

    Columns in which all is blank are left out.
    """
    columns = {name: table.values(name) for name in table.columns}
    known = {name: column for name, column in columns.items() if not all(map(blank, column))}
    rows = [_row("th", known)]
    rows += [_row("td", row) for row in zip(*(x[:ROWS] for x in known.values()), strict=True)]
    more = f"<p>… and {table.size - ROWS:,} more</p>" if table.size > ROWS else ""
    return f"<p>{escape(line)}</p><table>{''.join(rows)}</table>{more}"


def _row(tag: str, values: AnyColumn) -> str:
    cells = "".join(f"<{tag}>{escape(_shown(value))}</{tag}>" for value in values)
    return f"<tr>{cells}</tr>"


def _shown(value: object) -> str:
    if blank(value):
        return ""
    if not isinstance(value, float):
        return str(value)
    return f"{value:.0f}" if value.is_integer() else f"{value:.6g}"
