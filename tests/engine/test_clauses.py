"""The three faces of a clause agree: arrays, formula, sentence."""

import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.ratings import change, first_rating, k_factor
from elo_xl.engine.rulebooks import RULEBOOKS
from elo_xl.engine.rulebooks.clauses import Clause, Root
from elo_xl.engine.rulebooks.k_table import KTable
from elo_xl.functions.native import NoInlinedFormError, inline
from elo_xl.languages import CODES
from elo_xl.xlsx.evaluate import Filled, Workbook
from elo_xl.xlsx.formula import parse

PLAYERS = 100_000 // len(RULEBOOKS)
"""of each rulebook"""
NAMES = [name for name in RULEBOOKS if name != "fide"]
every_rulebook = pytest.mark.parametrize("name", NAMES)
linear = pytest.mark.parametrize("name", [name for name in NAMES if RULEBOOKS[name].change.takes_k])


def inlined_first(name: str) -> bool:
    """Whether a first rating is a formula of built-in functions."""
    if not RULEBOOKS[name].first.native():
        return False
    try:
        return bool(inline("ELO_INITIAL", "A1:D1", "E1", name))
    except NoInlinedFormError:
        return False


def known(numbers: FloatArray, chance: np.random.Generator, unknown: float) -> FloatArray:
    return np.where(chance.random(numbers.size) < unknown, np.nan, numbers)


def field() -> dict[str, FloatArray]:
    """Players near all limits and far from them, of whom more or less is known."""
    chance = np.random.default_rng(8)
    limits = chance.choice([1300, 1800, 2000, 2300, 2400, 2650, 3200], PLAYERS)
    near = limits + chance.integers(-2, 3, PLAYERS)
    rating = np.where(chance.random(PLAYERS) < 0.5, near, chance.uniform(100, 3200, PLAYERS))
    return {
        "rating": rating,
        "played": known(chance.integers(0, 60, PLAYERS).astype(float), chance, 0.2),
        "age": known(chance.integers(5, 70, PLAYERS).astype(float), chance, 0.2),
        "peak": known(rating + chance.integers(-300, 301, PLAYERS), chance, 0.5),
        "period_games": known(chance.integers(0, 100, PLAYERS).astype(float), chance, 0.3),
    }


def in_cells(formula: str, columns: dict[str, FloatArray]) -> list[Any]:
    """What a formula of row 1 gives when it is filled down beside columns of numbers."""
    size = len(next(iter(columns.values())))
    cells: dict[tuple[int, int], Any] = {
        (row, at): value
        for at, numbers in enumerate(columns.values(), 1)
        for row, value in enumerate(numbers.tolist(), 1)
        if value == value
    }
    column, tree = len(columns) + 1, parse(formula)
    cells |= {(row, column): Filled(tree, row - 1) for row in range(1, size + 1)}
    book = Workbook({"S": cells})
    return [book.value("S", row, column) for row in range(1, size + 1)]


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if RULEBOOKS[name].k.native()])
def test_k_of_arrays_and_of_cells(name: str) -> None:
    players = field()
    formula = inline("ELO_K", "A1", "B1", "C1", "D1", "E1", name, checks="none")
    if not RULEBOOKS[name].change.takes_k:  # then the games of the event are always known
        players["period_games"] = np.nan_to_num(players["period_games"], nan=7)
    right = k_factor(**players, rules=name).tolist()
    assert in_cells(formula, players) == pytest.approx(right, rel=1e-12)


@pytest.mark.slow
@linear
def test_changes_of_arrays_and_of_cells(name: str) -> None:
    chance = np.random.default_rng(9)
    size = PLAYERS // 10
    own, *met = (chance.integers(900, 2900, size).astype(float) for _ in range(4))
    scores = [chance.choice([0, 0.5, 1], size) for _ in range(3)]
    columns = dict(zip("ABCDEFG", [own, *met, *scores], strict=True))
    found = in_cells(inline("ELO_CHANGE", "A1", 20, "B1:D1", "E1:G1", name), columns)
    right = [
        change(own[i], 20, [m[i] for m in met], [s[i] for s in scores], name).item()
        for i in range(size)
    ]
    assert found == pytest.approx(right, rel=1e-12, abs=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in NAMES if inlined_first(n)])
def test_first_ratings_of_arrays_and_of_cells(name: str) -> None:
    chance = np.random.default_rng(10)
    met = [chance.integers(900, 2900, 2000).astype(float) for _ in range(4)]
    score = chance.integers(0, 9, 2000) / 2
    columns = dict(zip("ABCDE", [*met, score], strict=True))
    found = in_cells(inline("ELO_INITIAL", "A1:D1", "E1", name, 1500, checks="none"), columns)
    right = [
        first_rating([m[i] for m in met], score[i], name, start=1500).item() for i in range(2000)
    ]
    assert found == pytest.approx(right, rel=1e-12)


def numbers_of(clause: Clause) -> Iterator[float]:
    """All numbers of a clause, also those of the lines of a table."""
    parts: list[Any] = [clause, *(clause.rows if isinstance(clause, KTable) else ())]
    for part in parts:
        for f in fields(part):
            value = getattr(part, f.name)
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                yield value


@every_rulebook
@pytest.mark.parametrize("language", CODES)
def test_sentences_say_every_number(name: str, language: str) -> None:
    book = RULEBOOKS[name]
    for family in (field.name for field in fields(book)):
        clause = getattr(book, family)
        if not isinstance(clause, Clause):
            continue
        text = clause.say(language)
        assert text.strip()
        assert not re.search(r"[{}]", text)
        shown = {float(n.replace(",", ".")) for n in re.findall(r"\d+(?:[.,]\d+)?", text)}
        if isinstance(clause, Root) or not type(clause).__module__.endswith(
            (".clauses", ".rulebook", ".fide")
        ):
            continue  # a federation of its own says what its players need to know
        for value in numbers_of(clause):
            assert abs(value) in shown | {1.0}, (family, value, text)
    assert len({book.title.say(code) for code in CODES}) > 1
