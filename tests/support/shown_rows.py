"""Which rows of a finished table are shown, by the test that its sheet's rules have."""

from collections.abc import Callable
from operator import gt, ne
from typing import Any

from elo_xl.books.model import Table
from elo_xl.xlsx.formula import Name, Number, Text


def shown_rows(table: Table) -> list[bool]:
    """Whether each row is shown."""
    test = table.shown
    if test is None:
        return [True] * table.rows
    assert isinstance(test.left, Name)
    assert isinstance(test.right, Number | Text)
    compared: Callable[[Any, Any], bool] = {">": gt, "<>": ne}[test.operator]
    return [compared(value, test.right.value) for value in table.column(test.left.text).values()]
