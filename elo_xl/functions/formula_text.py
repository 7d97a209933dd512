"""How cell values and calls of worksheet functions are written."""

from __future__ import annotations

from collections.abc import Sequence

from elo_xl.functions.cells import Cell, Result


def to_text(cell: Cell) -> str:
    """Write a cell value as a person would.

    >>> [to_text(cell) for cell in (1820.0, 0.5, None, "#NUM!", True)]
    ['1820', '0.5', '', '#NUM!', 'TRUE']
    """
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    return "" if cell is None else str(cell)


def to_formula(name: str, arguments: Sequence[Result]) -> str:
    """Write a call as a formula, with ranges as array constants.

    >>> to_formula("ELO_K", (1500, 12, None, None, 36))
    '=ELO_K(1500, 12, , , 36)'
    >>> to_formula("ELO_PERFORMANCE", ([[1860], [1770]], 1.5, "linear"))
    '=ELO_PERFORMANCE({1860;1770}, 1.5, "linear")'
    """

    def one(cell: Cell) -> str:
        return '"{}"'.format(cell.replace('"', '""')) if isinstance(cell, str) else to_text(cell)

    def argument(value: Result) -> str:
        if isinstance(value, list):
            return "{" + ";".join(",".join(map(one, row)) for row in value) + "}"
        return one(value)

    return f"={name}({', '.join(map(argument, arguments))})"
