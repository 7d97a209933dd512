"""What LibreOffice makes impossible: the only list, for the pages and the parity test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from elo_xl.functions.arguments import Argument, Numbers, Rating
from elo_xl.functions.catalogue import Function
from elo_xl.functions.cells import ERRORS, to_block

Cells = Sequence[object]


@dataclass(frozen=True)
class Limit:
    """One thing that differs in LibreOffice."""

    key: str
    here: str
    instead: str
    """what to write instead"""
    touches: Callable[[Function, Cells], bool] | None = None
    """Whether it may change the value of a call, with cells as ``elo_xl.worksheet`` takes them and
    None for a reference to a blank cell; if there is no such test, no value changes."""


def _names_an_option(argument: Argument) -> bool:
    return argument.only_choices


def _reads_zero(argument: Argument) -> bool:
    """Whether 0 means something else than a blank."""
    kind = argument.of if isinstance(argument, Numbers) else argument
    return not isinstance(kind, Rating) and not _names_an_option(argument)


def _blank_cell(function: Function, cells: Cells) -> bool:
    given = zip(function.arguments, cells, strict=False)
    return any(cell is None and _reads_zero(argument) for argument, cell in given)


def _zero_for_an_option(function: Function, cells: Cells) -> bool:
    given = zip(function.arguments, cells, strict=False)
    return any(
        _names_an_option(argument) and type(cell) in (int, float, bool) and cell == 0
        for argument, cell in given
    )


def _error_in_a_range(function: Function, cells: Cells) -> bool:
    ranges = [to_block(cell) for cell in cells if isinstance(cell, list)]
    return any(type(cell) is str and cell in ERRORS for own in ranges for cell in own.cells)


def _few_arguments(function: Function, cells: Cells) -> bool:
    return len(cells) < function.least


LIMITS: Final = (
    Limit(
        "blank cell",
        "A single blank cell arrives as 0; the two cannot be told apart.",
        "Omit the argument, or give the cell as a range of one, A4:A4. For ratings and for names "
        "of options 0 and blank mean the same.",
        _blank_cell,
    ),
    Limit(
        "zero for an option",
        "A number 0 in place of an option's name counts as omitted, because it may be a blank "
        "cell; elsewhere it is #VALUE!.",
        "Write the name of the option.",
        _zero_for_an_option,
    ),
    Limit(
        "error in a range",
        "A range with an error in any cell makes the whole result #VALUE!; the function is not "
        "called.",
        "Put IFERROR around the formulas of the range, or use one formula per row.",
        _error_in_a_range,
    ),
    Limit(
        "too few arguments",
        "A formula that lacks required arguments is not refused; its value is empty text.",
        "Give all required arguments.",
        _few_arguments,
    ),
    Limit(
        "no spilling",
        "A result of several cells fills one cell only, unless it is entered as an array formula "
        "(Ctrl+Shift+Enter) over a range of its size; surplus cells show #N/A.",
        "Enter array formulas, as the ready-made workbooks do.",
    ),
    Limit(
        "texts in an array",
        "=, MATCH, VLOOKUP and COUNTIF do not find texts beside numbers in a result of several "
        "cells, such as the names in ELO_PERIOD's table or the empty text of a blank row, not even "
        "in the cells that they fill.",
        'Append an empty text before comparing (C2&""="Ana"), or use one formula per row; the rows '
        "of ELO_PERIOD's table are in the order of its players.",
    ),
    Limit(
        "former results",
        "An array formula keeps its former results in memory until the document is closed, about "
        "60 bytes per cell each time.",
        "From time to time, close a document in which array formulas of 100,000 rows change all "
        "day.",
    ),
    Limit(
        "optional in the wizard",
        "The function wizard calls every argument optional.",
        "The names and help texts of the arguments say which ones are required.",
    ),
    Limit(
        "formulas of an .xlam",
        "A function that Excel stored with its add-in's number, [1]!ELO_EXPECTED(A2,B2), is not "
        "found.",
        "elo-xl addin libreoffice --convert WORKBOOK removes the numbers.",
    ),
)
