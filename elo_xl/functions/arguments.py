"""The kinds of arguments that worksheet functions take; each kind reads its own cells.

Tables of players and of games are read as people type them, alike for every function.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from elo_xl.engine import results
from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.errors import OptionError
from elo_xl.functions.cells import (
    BLANK,
    ERRORS,
    NUM,
    OK,
    STATUS_TEXTS,
    VALUE,
    Block,
    CellArray,
    Status,
    read_number,
    read_numbers,
)
from elo_xl.people import same_cell

REQUIRED: Final = object()
"""Marks an argument as required: it has no default."""


@dataclass(frozen=True)
class Argument:
    """One argument of a worksheet function: its name, its help and how its cells are read."""

    name: str
    help: str
    default: Any = REQUIRED
    """the value of a blank or omitted argument; None: the function decides, as the help says"""

    #: whether the function takes the argument's whole range at once
    whole = False
    #: whether it takes nothing but the names of its options
    only_choices = False

    @property
    def required(self) -> bool:
        return self.default is REQUIRED

    @property
    def takes(self) -> str:
        """The values that may be typed, in words for help pages."""
        return self.wanted.removeprefix("a ")

    def read(self, cell: object) -> tuple[object, int]:
        """Read one cell: its value and its status."""
        raise NotImplementedError

    def fault(self, cell: object) -> str:
        """What is wrong with a cell that :meth:`read` cannot take."""
        got = json.dumps(cell, ensure_ascii=False)
        if len(got) > 300 and not isinstance(cell, str):  # texts in quotes are cut by ``brief``
            got = f"{got[:80]}…"
        return f"got {got}, takes {self.wanted}"

    @property
    def wanted(self) -> str:
        """The values that may be typed, for a message about another one."""
        return "a number"

    @cached_property
    def straight(self) -> tuple[float, float]:
        """The floats, from the first to below the second, that :meth:`read` leaves as they are."""
        return math.inf, -math.inf

    def single(self, value: object) -> object:
        """One value as an element-wise function takes it: a number becomes an array of one."""
        return np.array([value]) if isinstance(value, float) else value

    def column(self, cells: Sequence[object]) -> CellArray:
        """Read all cells of a range."""
        pairs = [self.read(cell) for cell in cells]
        values = np.empty(len(pairs), dtype=object)
        values[:] = [value for value, _ in pairs]
        return CellArray(values, np.array([status for _, status in pairs], dtype=np.uint8))

    def taken(self, cells: Block) -> Block | CellArray:
        """What the function receives, if it takes the argument's whole range at once."""
        return self.column(cells.cells)

    def elements(self, cells: Block) -> tuple[CellArray, tuple[int, int]]:
        """Read a range as elements of the result, with the shape in which these are arranged."""
        return self.column(cells.cells), cells.shape


@dataclass(frozen=True)
class NumberArgument(Argument):
    """A number within a domain; a number outside it gives #NUM!."""

    low: float = -math.inf
    high: float = math.inf
    above: float = -math.inf
    whole_number: bool = False

    @property
    def wanted(self) -> str:
        parts = ["a whole number" if self.whole_number else "a number"]
        parts += [f"above {self.above:g}"] if self.above > -math.inf else []
        if self.high < math.inf:
            parts.append(f"from {self.low:g} to {self.high:g}")
        elif self.low > -math.inf:
            parts.append(f"not below {self.low:g}")
        return " ".join(parts)

    def read(self, cell: object) -> tuple[float, int]:
        number, status = read_number(cell)
        return (number, status) if status or self._fits(number) else (number, NUM)

    @cached_property
    def straight(self) -> tuple[float, float]:
        beyond = -math.inf if self.whole_number else math.nextafter(self.high, math.inf)
        return max(self.low, math.nextafter(self.above, math.inf)), beyond

    def _fits(self, number: float | FloatArray) -> bool | npt.NDArray[np.bool_]:
        """Whether a finite number, or each of some, is within the domain."""
        inside = number >= self.low
        if self.high < math.inf:
            inside &= number <= self.high
        if self.above > -math.inf:
            inside &= number > self.above
        return inside & (number % 1 == 0) if self.whole_number else inside

    def column(self, cells: Sequence[object]) -> CellArray:
        column = read_numbers(cells, self.read)
        if column.status is None and self._bounded:
            fits = self._fits(column.values)
            if np.count_nonzero(fits) != np.size(fits):
                column.status = np.where(fits, OK, NUM).astype(np.uint8)
        return column

    @cached_property
    def _bounded(self) -> bool:
        return (self.low, self.high, self.above) != (-math.inf, math.inf, -math.inf) or (
            self.whole_number
        )


LABELS: Final = NumberArgument(
    "labels", "TRUE puts a row of headings on top; FALSE (default) does not.", default=0.0
)


@dataclass(frozen=True)
class Rating(NumberArgument):
    """A rating. Rating lists print 0 for an unrated player, so 0 is read as a blank."""

    @property
    def takes(self) -> str:
        return "rating"

    @property
    def wanted(self) -> str:
        return "a number such as 1850, or a blank or 0 for an unrated player"

    def read(self, cell: object) -> tuple[float, int]:
        number, status = super().read(cell)
        return (math.nan, BLANK) if status == OK and number == 0 else (number, status)

    @cached_property
    def straight(self) -> tuple[float, float]:
        return max(self.low, math.ulp(0.0)), math.nextafter(self.high, math.inf)

    def column(self, cells: Sequence[object]) -> CellArray:
        column = super().column(cells)
        unrated = column.values == 0
        if np.count_nonzero(unrated):
            status = np.uint8(OK) if column.status is None else column.status
            column.status = np.where(unrated & (status == OK), np.uint8(BLANK), status)
        return column


@dataclass(frozen=True)
class NumberOrRow(NumberArgument):
    """A number, or a row of ``width`` numbers: each row of a range of that width is one element.

    The function gets either one number per element or one row of numbers per element.
    """

    width: int = 1

    @property
    def wanted(self) -> str:
        return f"{super().wanted}, or a row of {self.width}"

    def elements(self, cells: Block) -> tuple[CellArray, tuple[int, int]]:
        if cells.columns != self.width:
            return super().elements(cells)
        column = self.column(cells.cells)
        values, shape = column.values.reshape(cells.shape), (cells.rows, 1)
        if column.status is None:
            return CellArray(values), shape
        status = column.status.reshape(cells.shape)
        values = np.where(status == BLANK, self.default, values)
        first = np.argmax(status > BLANK, axis=1)
        error = status[np.arange(cells.rows), first]
        blank = (status == BLANK).all(axis=1)
        return CellArray(
            values, np.where((error > BLANK) | blank, error, OK).astype(np.uint8)
        ), shape


@dataclass(frozen=True)
class Option(Argument):
    """One of a few names, in upper or lower case."""

    choices: tuple[str, ...] = ()
    parameters: tuple[tuple[str, float], ...] = ()
    """the names that a number may follow, each with the number that is meant without one"""
    scale: bool = False
    """whether that number is a scale, and so above 0"""
    only_choices = True

    @property
    def wanted(self) -> str:
        names = ", ".join(f'"{choice}"' for choice in self.choices)
        if self.parameters:
            name, number = self.parameters[0]
            example = f'"{name}:{number:g}"'
            names += f" (also with a parameter: {example})"
        return names

    def read(self, cell: object) -> tuple[object, int]:
        """Read a name as the engine spells it: ``"davidson:0.79"`` for `` Davidson : 0,79 ``."""
        if cell is None:
            return None, BLANK
        if not isinstance(cell, str):
            status = read_number(cell)[1]
            return None, status or VALUE
        name = cell.strip().lower()
        if name in self.choices:
            return name, OK
        if self.parameters and ":" in cell:
            return self._with_parameter(cell)
        return None, BLANK if not name else ERRORS.get(cell.strip(), VALUE)

    def _with_parameter(self, cell: str) -> tuple[object, int]:
        word, _, text = cell.partition(":")
        name = word.strip().lower()
        number, status = read_number(text)
        if status == BLANK and name in self.choices:
            return name, OK
        if name not in dict(self.parameters):
            return None, VALUE
        inside = number > 0 or (number == 0 and not self.scale)
        return f"{name}:{number!r}", status or (OK if inside else NUM)


@dataclass(frozen=True)
class Rules(Option):
    """The name of a rulebook; one of the user's own, too, but never a path."""

    @property
    def wanted(self) -> str:
        return f"{super().wanted}, or the name of a rulebook of your own"

    def fault(self, cell: object) -> str:
        if not isinstance(cell, str):
            return super().fault(cell)
        from elo_xl.engine.rulebooks import rulebook

        try:
            rulebook(cell.strip())
        except OptionError as wrong:
            return str(wrong)
        return super().fault(cell)

    def read(self, cell: object) -> tuple[object, int]:
        name, status = super().read(cell)
        if status != VALUE or not isinstance(cell, str):
            return name, status
        from elo_xl.engine.rulebooks import rulebook  # with it come all modules of rules

        try:
            return rulebook(cell.strip()).name, OK
        except OptionError:
            return None, VALUE


@dataclass(frozen=True)
class OptionOrNumber(Option):
    """One of a few names, or a number, not below 0 unless ``low`` is."""

    only_choices = False
    low: float = 0.0

    @property
    def wanted(self) -> str:
        return f"{super().wanted} or a number" + (" not below 0" if self.low == 0 else "")

    def read(self, cell: object) -> tuple[object, int]:
        name, status = super().read(cell)
        if status != VALUE or (isinstance(cell, str) and self.parameters and ":" in cell):
            return name, status
        number, status = read_number(cell)
        return (number, status) if status or number >= self.low else (number, NUM)

    @cached_property
    def straight(self) -> tuple[float, float]:
        return self.low, math.inf


@dataclass(frozen=True)
class Anything(Argument):
    """A cell that is passed as it is, for a function that reads it itself."""

    @property
    def wanted(self) -> str:
        return "a number or text"

    def read(self, cell: object) -> tuple[Any, int]:
        if isinstance(cell, str):
            text = cell.strip()
            return text, ERRORS.get(text, OK) if text else BLANK
        return cell, read_number(cell)[1]

    def single(self, value: object) -> object:
        result = np.empty(1, dtype=object)
        result[0] = value
        return result


@dataclass(frozen=True)
class Name(Anything):
    """A name, or a number that is one; 0 is a blank cell."""

    only_choices = True

    def read(self, cell: object) -> tuple[Any, int]:
        return super().read(None if isinstance(cell, float | int) and cell == 0 else cell)


@dataclass(frozen=True)
class Numbers(Argument):
    """A whole range of numbers, of any orientation."""

    of: NumberArgument = NumberArgument("", "")
    whole = True

    @property
    def takes(self) -> str:
        return f"range: {self.of.takes}"

    @property
    def wanted(self) -> str:
        return f"a range, in each cell {self.of.wanted}"

    def column(self, cells: Sequence[object]) -> CellArray:
        return self.of.column(cells)


@dataclass(frozen=True)
class TableArgument(Argument):
    """A whole range, passed as a block of cells."""

    whole = True

    @property
    def wanted(self) -> str:
        return "a range"

    def taken(self, cells: Block) -> Block | CellArray:
        return cells


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
    """One row of a table of games: first side, second side, the first side's result."""

    sides: list[list[str]]
    """the players of each side"""
    status: int
    """the error that can be seen in the row alone, or BLANK for a game that does not count: a name
    is missing, or it was not played"""
    score: float

    @property
    def names(self) -> list[str]:
        """The players of both sides."""
        return list(chain(*self.sides))

    @property
    def keys(self) -> list[str]:
        """The names as they are compared: capitals make no difference."""
        return [same_cell(name) for name in self.names]


def read_game(
    row: Sequence[object], separator: str | None = None, result: tuple[int, float] | None = None
) -> TypedGame:
    """Read a row of a table of games; ``separator`` stands between the players of a side, and the
    ``result`` may have been read before."""
    cells = [*row, None, None, None]
    sides = [read_side(cell, separator) for cell in cells[:2]]
    status, score = result or _read_score(cells[2])
    status = BLANK if [""] in sides else side_fault(sides) or status
    names = list(chain(*sides))
    status = next((ERRORS[name] for name in names if name in ERRORS), status)
    return TypedGame(sides, status, score)


def game_lines(games: Block) -> list[Sequence[object]]:
    """The rows of a table of games; one of two columns has winners and losers."""
    return [(*row, 1) for row in games.lines()] if games.columns == 2 else games.lines()


def read_results(lines: Sequence[Sequence[object]]) -> list[tuple[tuple[int, float], float | None]]:
    """The results of games, status and score, each with the margin of points such as ``11:7``.

    A result such as ``1:0`` is one of chess, unless another cell has points that are none there.
    """
    cells = [row[2] if len(row) > 2 else None for row in lines]
    found, leads = [*map(_read_score, cells)], [*map(_read_lead, cells)]
    points = any(
        status not in (OK, BLANK) and lead is not None
        for (status, _), lead in zip(found, leads, strict=True)
    )
    return [
        ((OK, (1 + (lead > 0) - (lead < 0)) / 2), abs(lead))
        if points and lead is not None
        else (one, None)
        for one, lead in zip(found, leads, strict=True)
    ]


def _read_lead(cell: object) -> float | None:
    """How many points the first side has more; None for a cell without two numbers."""
    if not isinstance(cell, str) or ":" not in cell:
        return None
    ours, _, theirs = cell.partition(":")
    (one, wrong), (two, fault) = read_number(ours), read_number(theirs)
    return None if wrong or fault else one - two


def read_side(cell: object, separator: str | None) -> list[str]:
    """The players of a side; without a separator the whole cell is a name."""
    name = read_name(cell)
    return [part.strip() for part in name.split(separator)] if separator else [name]


def side_fault(sides: Sequence[Sequence[str]]) -> int:
    """VALUE for a game in which a player is twice, or a side with a name missing; OK else."""
    keys = [same_cell(name) for name in chain(*sides)]
    return VALUE if "" in keys or len(set(keys)) < len(keys) else OK


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
