"""What players have after each of many results: a row a result, a column a player.

Every cell reads the row above its own, so that a book computes from the top down and in no circle;
a row that does not count repeats what stands above it. The first row is the start, so the row of a
table of results that has the same number is the one *before* a result.
"""

from __future__ import annotations

from typing import Final

from elo_xl.books.book import Book, Cells, Formula, Table

_RUNNING: Final = """
sheet {key}
    note about_{key}
    table {table} rows:rows+1 gap:1
        no      0 quiet text:{no_text} = row_number - 1
        {labels}
        p{j}    {format} {width} heading:none = IF({counts}, IF(COUNTIF({players}, {j}) = 0,
            p{j}.above, INDEX({found}, MATCH({j}, {players}, 0))), p{j}.above)
"""


def running(
    book: Book,
    key: str,
    table: str,
    *,
    rows: int,
    labels: str,
    counts: str,
    players: str,
    found: str,
    name: str,
    start: str,
    width: str,
    number_format: str = "0",
    no_text: str = "no",
    lines: int = 2,
) -> Table:
    """Write the sheet ``key`` with the columns ``p1``, ``p2`` and so on.

    ``labels`` are columns that say what a row is. The result that leads to a row counts where the
    formula ``counts`` holds; ``players`` are the numbers of those whom it moves, ``found`` what
    they have then. ``name`` and ``start``, formulas with a place ``{j}``, stand above a player's
    column, ``lines`` high, and in its first row; the row above the names has the numbers.
    """
    numbers = range(1, book.options.players + 1)
    book.read(
        _RUNNING,
        key,
        loops={"j": numbers},
        key=key,
        table=table,
        rows=rows,
        labels=labels,
        counts=counts,
        players=players,
        found=found,
        format=number_format,
        width=width,
        no_text=no_text,
    )
    made = book.tables[table]
    sheet, header = made.sheet, made.header
    for j in numbers:
        at = made.at[f"p{j}"]
        sheet.put(header - 1, at, j, "quiet", "0", "right", measure=False)
        heading = Formula(name.replace("{j}", str(j)))
        sheet.put(header, at, heading, "heading", align="right", measure=False)
        begins = Formula(start.replace("{j}", str(j)))
        sheet.put(made.first, at, begins, "computed", number_format, "right", measure=False)
    made.fitted = False
    sheet.height(header, lines)
    return made


def everybody(table: Table, row: int) -> Cells:
    """All players after the result of a number, with 0 their starts."""
    last = table.sheet.book.options.players
    cells = table.column("p1", f"p{last}")
    return Cells(table.sheet, table.first + row, cells.column, 1, cells.columns)
