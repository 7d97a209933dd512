"""What players have after each of many results: a row a result, a column a player.

Every cell reads the row above its own, so that a book computes from the top down and in no circle;
a row that does not count repeats what stands above it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from openpyxl.utils import get_column_letter

from elo_xl.templates.forms import Cells
from elo_xl.templates.parts import WHOLE, Column, Formula, Sheet, Table, Value

Known = tuple[str, Any]
"""Formula text (without =) and its value."""


class Running:
    """The table; ``now`` is what Python knows of every player after the rows written so far.

    ``labels`` are the columns that say what a row is; ``names`` and ``starts`` stand above each
    player's column and in its first row. The row above the header has the players' numbers.
    """

    def __init__(
        self,
        sheet: Sheet,
        labels: Sequence[Column],
        header: int,
        names: Sequence[Known],
        starts: Sequence[Known],
        size: int,
        number_format: str = WHOLE,
        width: float | None = None,
    ) -> None:
        self.sheet, self.players, self.size = sheet, len(names), size
        self.left = len(labels) + 1
        columns = [Column(f"p{j}", "", number_format, width=width) for j in range(self.players)]
        self.table = Table(sheet, [*labels, *columns], header, size + 1)
        for j, (text, value) in enumerate(names):
            at = self.left + j
            sheet.write(header - 1, at, j + 1, "quiet", WHOLE, "right", measure=False)
            name = Formula(f"={text}", value)
            sheet.write(header, at, name, "heading", align="right", measure=width is None)
        self.now: list[Any] = [value for _, value in starts]
        self.rows = [list(self.now)]
        """the same after each row, from the start on"""
        first = {f"p{j}": Formula(f"={text}", value) for j, (text, value) in enumerate(starts)}
        self.table.write(0, first)

    def row(self, i: int) -> Cells:
        """All players after ``i`` results, with 0 their starts."""
        return Cells(self.sheet, self.table.first + i, self.left, 1, self.players)

    def before(self, i: int, number: str, seen_from: Sheet) -> str:
        """Formula text of what the player, whose number a cell holds, has before result ``i``,
        the first of which is 0."""
        return f"INDEX({self.row(i).text(seen_from, fixed=True)},{number})"

    def after(
        self,
        i: int,
        labels: Mapping[str, Value],
        counts: str,
        numbers: Cells,
        found: Cells,
        who: Sequence[int],
    ) -> None:
        """Write the row after result ``i``.

        ``counts`` is a test in formula text; ``numbers`` and ``found`` are rows of cells with the
        players' numbers and what they have then; ``who`` the numbers as Python knows them, none
        where the result does not count.
        """
        if who:
            for number, value in zip(who, found.values()[0], strict=True):
                self.now[number - 1] = value
        self.rows.append(list(self.now))
        nos, new = (cells.text(self.sheet, fixed=True) for cells in (numbers, found))
        row = dict(labels)
        for j in range(self.players):
            letter = get_column_letter(self.left + j)
            own, above = f"{letter}${self.table.header - 1}", f"{letter}{self.table.first + i}"
            moved = f"IF(COUNTIF({nos},{own})=0,{above},INDEX({new},MATCH({own},{nos},0)))"
            text = f"=IF({counts},{moved},{above})"
            row[f"p{j}"] = Formula(text, self.now[j])
        self.table.write(i + 1, row)
