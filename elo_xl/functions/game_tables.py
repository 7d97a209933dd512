"""Tables of players and of games as people type them, read for every function that takes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from elo_xl.engine import results
from elo_xl.engine.arrays import FloatArray
from elo_xl.functions.arguments import Anything, NumberArgument
from elo_xl.functions.cells import (
    BLANK,
    ERRORS,
    NUM,
    OK,
    STATUS_TEXTS,
    VALUE,
    Block,
    Status,
)
from elo_xl.people import same_cell


class Entrants:
    """Players of a table, by name in the first column, with the error of each.

    A name that occurs twice is an error of both rows; a row without a name is BLANK.
    """

    def __init__(self, table: Block, *arguments: NumberArgument) -> None:
        """Read the table; ``arguments`` are its columns after the name."""
        lines = table.lines()
        self.names = [read_name(row[0]) for row in lines]
        self.index: dict[str, int] = {}
        columns = [
            argument.column([row[i] if i < len(row) else None for row in lines])
            for i, argument in enumerate(arguments, start=1)
        ]
        self.status: Status = np.zeros(len(lines), np.uint8)
        for i, name in enumerate(self.names):
            if not name:
                self.status[i] = BLANK
            elif name in STATUS_TEXTS:
                self.status[i] = STATUS_TEXTS.index(name)
            elif self.index.setdefault(same_cell(name), i) != i:
                self.status[i] = self.status[self.index[same_cell(name)]] = VALUE
        for column in columns:
            if column.status is not None:
                wrong = (self.status == OK) & (column.status > BLANK)
                self.status[wrong] = column.status[wrong]
        self.columns: list[FloatArray] = [
            np.where((self.status == OK) & column.present(), column.values, np.nan)
            for column in columns
        ]
        """the numbers of each column, NaN where there is none or the row is wrong"""


class TypedGame(NamedTuple):
    """One row of a table of games: first player, second player, the first player's result."""

    names: list[str]
    status: int
    """the error that can be seen in the row alone, or BLANK for a game that does not count: a name
    is missing, or it was not played"""
    score: float

    @property
    def keys(self) -> list[str]:
        """The names as they are compared: capitals make no difference."""
        return [same_cell(name) for name in self.names]


def read_game(row: Sequence[object]) -> TypedGame:
    """Read a row of a table of games."""
    cells = [*row, None, None, None]
    names = [read_name(cell) for cell in cells[:2]]
    status, score = _read_score(cells[2])
    if not all(names):
        status = BLANK
    elif same_cell(names[0]) == same_cell(names[1]):
        status = VALUE
    status = next((ERRORS[name] for name in names if name in ERRORS), status)
    return TypedGame(names, status, score)


def read_name(cell: object) -> str:
    """A name as it is shown, without needless blanks; a number is a name, too."""
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    return "" if cell is None else " ".join(str(cell).split())


def _read_score(cell: object) -> tuple[int, float]:
    """Status and first player's score of a result cell; BLANK if no game was played."""
    typed, status = Anything("result", "").read(cell)
    if status:
        return status, np.nan
    try:
        score = results.read_result(typed)[0]
    except results.ResultError:
        return VALUE, np.nan
    except ValueError:
        return NUM, np.nan
    return (BLANK, np.nan) if score is None else (OK, score)
