"""The boundary of cell values: what is a number, what fits together, and nothing ever raises."""

import math
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elo_xl.engine.errors import DomainError, OptionError, SizeError
from elo_xl.engine.results import ResultError
from elo_xl.functions.catalogue import functions
from elo_xl.functions.cells import (
    BLANK,
    CELL_ERRORS,
    ERRORS,
    NUM,
    OK,
    STATUS_TEXTS,
    VALUE,
    Block,
    CellArray,
    CellError,
    broadcast,
    read_number,
    read_numbers,
    status_of,
    to_block,
    to_cells,
    to_formula,
    to_text,
)
from elo_xl.functions.evaluation import evaluate, reasons, worksheet

# numbers


@pytest.mark.parametrize(
    ("number", "cell"),
    [
        (0, "0"),
        (1834, "1834"),
        (1834.5, "1834.5"),
        (1834.5, "1834,5"),
        (1834.5, " 1 834,5 "),
        (1834567, "1 834 567"),
        (1834, "1\u00a0834"),
        (1834, "1\u202f834"),
        (1834, "1\u2009834"),
        (1834, "1\u2007834"),
        (12834.25, "\u00a012\u00a0834.25\u00a0"),
        (1834, "\t1834\n"),
        (0.5, ".5"),
        (0.5, ",5"),
        (5, "5."),
        (-3.5, "-3.5"),
        (-3.5, "\u22123,5"),
        (3, "+3"),
        (1200, "1.2e3"),
        (1200, "1,2E+3"),
        (0.0012, "1.2e-3"),
        (0.0012, "1.2e\u22123"),
        (1.234, "1,234"),  # a decimal comma, never a thousands comma
        (7, "007"),
        (1, True),
        (0, False),
        (7, np.int8(7)),
        (0.5, np.float32(0.5)),
        (1, np.bool_(True)),
        (0.1, Decimal("0.1")),
        (0.25, Fraction(1, 4)),
        (1e308, 10**308),
        (2**53, 2**53),
    ],
)
def test_numbers(number, cell):
    assert (number, OK) == read_number(cell)
    assert isinstance(read_number(cell)[0], float)


@pytest.mark.parametrize("cell", [None, "", " ", "\t", "\u00a0", " \u202f\n"])
def test_blanks(cell):
    assert BLANK == read_number(cell)[1]


@pytest.mark.parametrize(
    "cell",
    [
        *("a", "1_000", "inf", "-inf", "nan", "Infinity", "1 2", "1 23", "12 3456", "1  834"),
        *("٣", "１８３４", "1.2.3", "1,234.5", "1.234,5", "--1", "+-1", "- 1", "e5", ".", ",", "-"),
        *("1e", "1e+", "1e5.5", "0x10", "5%", "½", "1/2", "1-0", "TRUE", "'1834", "1834x", "£5"),
        *("1'834", "(5)", "\u200b5", "#", "#n/a", "#N/A!", "=1", "1e 5"),
        *(date(2026, 3, 18), datetime(2026, 3, 18), 1j, b"x", object(), {}, set(), "x" * 10_000),
    ],
)
def test_what_is_no_number(cell):
    assert VALUE == read_number(cell)[1]


@pytest.mark.parametrize(
    "cell",
    [
        *(math.inf, -math.inf, 10**400, -(10**400), "1e999", "-1e999", "9" * 400),
        *(np.float64("inf"), Decimal("1e999")),
    ],
)
def test_numbers_out_of_reach(cell):
    number, status = read_number(cell)
    assert math.isnan(number)
    assert NUM == status


@pytest.mark.parametrize("cell", [math.nan, np.float64("nan"), Decimal("nan")])
def test_nan_is_a_blank(cell):
    assert BLANK == read_number(cell)[1]
    column = read_numbers([1.0, math.nan, math.inf])
    assert column.status is not None
    assert [OK, BLANK, NUM] == column.status.tolist()
    assert "" == worksheet("ELO_EXPECTED", cell, 1500)
    assert [[0.5], [""]] == worksheet("ELO_EXPECTED", [[1500.0], [cell]], 1500)
    assert 20 == worksheet("ELO_K", 2350, cell)


@pytest.mark.parametrize("text", STATUS_TEXTS[2:])
def test_errors(text):
    assert STATUS_TEXTS[read_number(text)[1]] == text
    assert STATUS_TEXTS[read_number(f" {text} ")[1]] == text


def test_errors_of_excel():
    errors = ("#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A", "#SPILL!")
    assert set(errors) <= set(ERRORS)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_number_survives_as_text(number):
    assert (number, OK) == read_number(repr(number))
    assert (number, OK) == read_number(repr(number).replace(".", ","))
    assert (number, OK) == read_number(number)


@given(st.integers(-(10**15), 10**15), st.sampled_from(" \u00a0\u202f\u2009\u2007"))
def test_thousands(number, blank):
    assert (number, OK) == read_number(f"{number:,}".replace(",", blank))


@pytest.mark.slow
@given(st.text())
def test_no_text_raises(text):
    number, status = read_number(text)
    assert math.isfinite(number) == (status == OK)


@given(st.lists(st.floats() | st.integers() | st.booleans(), min_size=1, max_size=8))
def test_blocks_of_numbers_are_read_like_single_ones(cells):
    fast, slow = read_numbers(cells), [read_number(cell) for cell in cells]
    status = [OK] * len(cells) if fast.status is None else fast.status.tolist()
    assert [s for _, s in slow] == status
    assert [n for n, s in slow if s == OK] == [
        n for n, s in zip(fast.values.tolist(), status, strict=True) if s == OK
    ]


# shapes


@pytest.mark.parametrize(
    ("shape", "cells", "value"),
    [
        ((1, 1), [5], 5),
        ((1, 1), [None], None),
        ((1, 1), [None], []),
        ((1, 1), [None], [[]]),
        ((2, 1), [None, None], [[], []]),
        ((1, 3), [1, 2, 3], [1, 2, 3]),
        ((1, 3), [1, 2, 3], (1, 2, 3)),
        ((1, 3), [1, 2, 3], [[1, 2, 3]]),
        ((3, 1), [1, 2, 3], [[1], [2], [3]]),
        ((3, 1), [1, 2, 3], ((1,), (2,), (3,))),
        ((2, 2), [1, 2, 3, None], [[1, 2], [3]]),
        ((2, 2), [1, None, 2, 3], [[1], (2, 3)]),
        ((2, 2), [1, 2, 3, None], [[1, 2], 3]),
        ((2, 3), [1, 2, 3, 4, 5, 6], np.array([[1, 2, 3], [4, 5, 6]])),
        ((2, 3), [1, 2, 3, 4, 5, 6], [np.array([1, 2, 3]), np.array([4, 5, 6])]),
        ((2, 2), [1, 2, 3, None], [[1, 2], np.array([3])]),
        ((1, 2), [1, 2], np.array([1, 2])),
        ((1, 1), [7], np.array(7)),
        ((1, 1), [None], np.empty(0)),
    ],
)
def test_block(shape, cells, value):
    made = to_block(value)
    assert shape == made.shape
    assert cells == list(made.cells)
    lines = [cells[i * shape[1] : (i + 1) * shape[1]] for i in range(shape[0])]
    assert lines == [list(line) for line in made.lines()]


def spread(own: tuple[int, int], to: tuple[int, int], marked: int | None = None) -> list[list[Any]]:
    """Cells 1, 2, 3 … of a block as they stand when stretched; the marked one is #NUM!."""
    values = np.arange(1.0, own[0] * own[1] + 1)
    status = None
    if marked is not None:
        status = np.zeros(values.size, np.uint8)
        status[marked] = NUM
    made = broadcast(CellArray(values, status), own, to)
    result = to_cells(
        np.array(made.values), None if made.status is None else made.status.copy(), to
    )
    return result if isinstance(result, list) else [[result]]


@pytest.mark.parametrize(
    ("cells", "own", "to"),
    [
        ([[1, 1], [1, 1]], (1, 1), (2, 2)),
        ([[1, 2], [1, 2]], (1, 2), (2, 2)),
        ([[1, 1], [2, 2]], (2, 1), (2, 2)),
        ([[1, 2], [3, 4]], (2, 2), (2, 2)),
        ([[1], [2], ["#N/A"]], (2, 1), (3, 1)),
        ([[1, 2, "#N/A"]], (1, 2), (1, 3)),
        ([[1, 2, "#N/A"]] * 2, (1, 2), (2, 3)),
        ([[1, 2, "#N/A"], [3, 4, "#N/A"], ["#N/A"] * 3], (2, 2), (3, 3)),
    ],
)
def test_stretch(cells, own, to):
    assert cells == spread(own, to)


def test_errors_are_stretched_with_their_cell():
    assert [["#NUM!", 2], ["#NUM!", 2]] == spread((1, 2), (2, 2), marked=0)
    assert [["#NUM!"], ["#NUM!"]] == spread((1, 1), (2, 1), marked=0)


def test_leave():
    assert 5 == to_cells(np.array([5.0]), None, (1, 1))
    assert [[1, "#NUM!"]] == to_cells(np.array([1, math.inf]), None, (1, 2))
    assert [["#NUM!"], ["#VALUE!"]] == to_cells(
        np.array([math.nan, 0]), np.array([OK, VALUE], np.uint8), (2, 1)
    )
    assert [[1, 2], [3, 4]] == to_cells(np.array([[1.0, 2], [3, 4]]), None, (2, 1))
    assert [["", "x"]] == to_cells(
        np.array(["?", "x"], object), np.array([BLANK, OK], np.uint8), (1, 2)
    )


def test_column():
    column = read_numbers([1, "x", None, "#REF!", 2.5])
    assert VALUE == column.first_error()
    assert [True, False, False, False, True] == column.present().tolist()
    assert CellArray(np.arange(3.0)).first_error() is None
    assert Block(2, 1, (1, 2)).lines() == [(1,), (2,)]


# exceptions become errors


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("#NUM!", DomainError("x")),
        ("#VALUE!", OptionError("x")),
        ("#N/A", SizeError("x")),
        ("#VALUE!", ResultError("x")),
        ("#NUM!", OverflowError()),
        ("#NUM!", ZeroDivisionError()),
        ("#REF!", CellError(ERRORS["#REF!"])),
        ("", CellError(BLANK)),
    ],
)
def test_status_of(text, error):
    assert text == STATUS_TEXTS[status_of(error)]
    assert isinstance(error, CELL_ERRORS)


def test_a_defect_is_not_hidden_in_a_cell():
    assert not isinstance(TypeError(), CELL_ERRORS)
    assert not isinstance(ValueError(), CELL_ERRORS)


# cells as text


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("1820", 1820.0),
        ("1820", 1820),
        ("0.5", 0.5),
        ("-3", -3.0),
        ("0", -0.0),
        ("1e+300", 1e300),
        ("", None),
        ("", ""),
        ("TRUE", True),
        ("FALSE", False),
        ("#N/A", "#N/A"),
    ],
)
def test_to_text(text, cell):
    assert text == to_text(cell)


@pytest.mark.parametrize(
    ("formula", "arguments"),
    [
        ("=F()", ()),
        ("=F(1, , 0.5)", (1.0, None, 0.5)),
        ('=F({1,2;"a",TRUE})', ([[1, 2], ["a", True]],)),
        ('=F("say ""no""")', ('say "no"',)),
    ],
)
def test_to_formula(formula, arguments):
    assert formula == to_formula("F", arguments)


# nothing ever raises: tests/functions/test_hostile_calls.py goes on


def is_legal(cell: Any) -> bool:
    """A cell that every host can show."""
    if isinstance(cell, float):
        return math.isfinite(cell)
    return type(cell) in (str, int)


@pytest.mark.parametrize("function", functions().values(), ids=lambda function: function.name)
@pytest.mark.parametrize(
    "cell", [None, "", "x", "#REF!", math.nan, [], [[None, None], [None]], object()]
)
def test_the_same_in_every_argument(function, cell):
    result = evaluate(function, *[cell] * len(function.arguments))
    rows = result if isinstance(result, list) else [[result]]
    assert all(is_legal(value) for row in rows for value in row)


def test_rows_and_columns_that_cross_too_often_are_refused_before_anything_is_computed():
    row, column = [[1500.0] * 2100], [[1500.0]] * 2000
    with reasons() as heard:
        assert worksheet("ELO_EXPECTED", row, column) == "#N/A"
    what = "a row across a column has 2,000 x 2,100 results, more than 4,194,304: take fewer cells"
    assert heard == [what]
    assert worksheet("ELO_EXPECTED", row, column[:2]) == [[0.5] * 2100] * 2
