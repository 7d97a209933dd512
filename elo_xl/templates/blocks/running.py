"""What players have after each of many results, without a cell for each player and result.

The lines of results stand in blocks. What everybody has before a block is kept, one column per
block; what a player has before a line is that and all changes by the lines above it in its own
block. So a book computes from the top down, in no circle, and with few cells.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from elo_xl.books.book import Book, Formula, Table
from elo_xl.books.statements import with_places
from elo_xl.books.styles import WHOLE

BLOCK: Final = 10
"""Usual lines of a block."""

# MATCH(no, …) is no: LibreOffice computes columns with it in one thread, and in several threads
# such long chains go wrong.
_KEPT: Final = """
pieces
    # a number that no player has in another block
    moved(player, block) = player + 1000 * block

sheet running hidden
    note about_steps
    table {table} rows:size
        no      0 quiet = row_number
        b0      0.0 9 "0" = N({start})
        b{k}    0.0 9 "{k}" = b{k-1} + SUMIF({lines}.{k}[{moved}],
            moved(MATCH(no, {table}[no], 0), {k}), {lines}.{k}[{change}])
"""


class Running:
    """The table ``lines``, which has groups of ``block`` lines, and its ``sides``.

    ``sides`` are, by the endings of the columns that this adds, the formulas of the numbers of
    those whom a line moves.
    """

    def __init__(self, book: Book, lines: str, block: int, sides: Mapping[str, str]) -> None:
        self.book, self.lines, self.block, self.sides = book, lines, block, sides

    def columns(self, *changes: str) -> str:
        """The lines of the columns of those who are moved, where the name ``moves`` holds, and of
        the columns ``changes``, each a text ``KEY = formula`` with places ``{end}``."""
        moved = "moved_{end} = IF(moves, moved({number}, group_number), 0)"
        lines = (text.replace(" = ", " 0 quiet helper text:moved = ") for text in (moved, *changes))
        return "\n".join(
            with_places(line, {"end": end, "number": number})
            for line in lines
            for end, number in self.sides.items()
        )

    def before(self, end: str, table: str, change: str) -> str:
        """The formula of what a player has before a line: what ``table`` has kept, and changes."""
        number, size = self.sides[end], self.book.options.players
        ends = (f'cell({table}, "b" & (group_number - 1), {row})' for row in (1, size))
        moved = f"moved({number}, group_number)"
        return (
            f"INDEX({':'.join(ends)}, MATCH({number}, {table}[no], 0)) + "
            f"SUMIF({self._above('moved')}, {moved}, {self._above(change)})"
        )

    def keep(self, table: str, change: str, start: str) -> None:
        """Write on a hidden sheet what everybody has after so many blocks, in the columns ``b0``,
        ``b1`` and so on.

        ``start`` is the formula of what a player begins with.
        """
        blocks = -(-self.book.tables[self.lines].rows // self.block)
        self.book.read(
            _KEPT,
            "running",
            start=start,
            k=range(1, blocks + 1),
            table=table,
            lines=self.lines,
            moved=":".join(self._ends("moved")),
            change=":".join(self._ends(change)),
        )

    def _ends(self, key: str) -> tuple[str, str]:
        ends = list(self.sides)
        return f"{key}_{ends[0]}", f"{key}_{ends[-1]}"

    def _above(self, key: str) -> str:
        """The cells of columns from the line above this block to the line above this one."""
        first, last = self._ends(key)
        return f'cell({self.lines}, "{first}", {self.block} * (group_number - 1)):{last}.above'


def shown_above(
    points: Table,
    name: str,
    last: str,
    curve: str,
    chosen: Table,
    key: str,
    places: str,
    *,
    align: str | None = None,
) -> None:
    """Write above the points of curves the last one, and above the columns ``curve`` the numbers of
    those to show, ``shown1`` and so on: those typed in ``chosen``, or those with the best places.
    """
    sheet, above = points.sheet, points.header - 1
    sheet.name(name, sheet.put(above, points.left, Formula(last), "quiet", WHOLE, align))
    for k in range(1, chosen.rows + 1):
        best = f"IF(COUNT({places}) >= {k}, MATCH({k}, {places}, 0), 0)"
        typed = f'number_of(cell({chosen.name}, "{key}", {k}))'
        text = Formula(f"IF(filled({chosen.name}[{key}]) = 0, {best}, {typed})")
        at = above, points.at[f"{curve}{k}"]
        sheet.name(f"shown{k}", sheet.put(*at, text, "quiet", WHOLE, align))
