"""Between Calc and the catalogue: cell values in, rows out. It runs inside LibreOffice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from struct import pack, unpack
from typing import Final

from elo_xl.functions.catalogue import Function, find
from elo_xl.functions.cells import ERRORS, Cell
from elo_xl.functions.evaluation import evaluate

GivenRows = Sequence[Sequence[Cell]]

_CODES: Final = {
    "#NULL!": 521,
    "#DIV/0!": 532,
    "#VALUE!": 519,
    "#REF!": 524,
    "#NAME?": 525,
    "#NUM!": 503,
    "#N/A": 0x7FFF,
}


def calc_error(text: str) -> float:
    """Calc's form of an error: a quiet NaN with the error's number in its lower half.

    An error that Calc does not have becomes #VALUE!.
    """
    code = _CODES.get(text, _CODES["#VALUE!"])
    number: float = unpack("<d", pack("<Q", 0x7FF8 << 48 | code))[0]
    return number


_ERROR_CELLS: Final = {text: calc_error(text) for text in ERRORS}


def connect(
    name: str, several: Callable[[GivenRows], object], advice: str
) -> Callable[..., object]:
    """The method that Calc calls for a function; LookupError if the catalogue has none.

    A function of which each call gives several cells returns rows; of the others one cell comes as
    it is, and ``several`` makes of rows what Calc takes in its place. ``advice`` is the value where
    something cannot be imported that is loaded when first used.

    >>> connect("ELO_EXPECTED", list, "")(1834.0, 2179.0, "fide", None, None, None)
    0.11
    """
    function = find(name)
    rows_only = returns_rows(function)
    # This is how a blank cell arrives here; it is never the name of an option.
    nameless = [i for i, argument in enumerate(function.arguments) if argument.only_choices]

    def method(*cells: object) -> object:
        for i in nameless:
            if cells[i] == 0:
                cells = (*cells[:i], None, *cells[i + 1 :])
        try:
            result = evaluate(function, *cells)
        except ImportError:
            result = advice
        if isinstance(result, list):
            rows = to_calc(result)
            return rows if rows_only else several(rows)
        cell = result if type(result) is float else _to_calc(result)
        return [[cell]] if rows_only else cell

    return method


def returns_rows(function: Function) -> bool:
    """Whether the function's method is declared to return rows, not a cell or rows.

    Rows declared as such are simple and cheap, but LibreOffice does not find a text in them
    again: =, MATCH, COUNTIF and similar functions treat it as different from the same text typed.
    """
    return function.kind == "table"


def to_calc(rows: GivenRows) -> GivenRows:
    """Turn results into what Calc takes: floats, texts, and errors as NaN.

    >>> to_calc([[1, True, None, "Ana"]])
    [[1.0, 1.0, '', 'Ana']]
    """
    if {float}.issuperset(map(type, chain.from_iterable(rows))):
        return rows
    return [[c if type(c) is float else _to_calc(c) for c in row] for row in rows]


def _to_calc(cell: Cell) -> float | str:
    if isinstance(cell, str):
        return _ERROR_CELLS.get(cell, cell)
    return "" if cell is None else float(cell)
