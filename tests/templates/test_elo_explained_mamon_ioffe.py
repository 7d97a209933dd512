"""The workbook ``elo-explained`` against papers 003 and 004, the appendices of 001, and the list of
misprints; and its simulated player."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from elo_xl.books.texts import texts
from elo_xl.engine.bayes import Scale, bridge, posterior
from elo_xl.templates import gallery
from tests.support.calc import Values
from tests.support.evidence import probability
from tests.support.levels import cases
from tests.support.once import Made, made
from tests.support.template_books import build
from tests.templates.test_elo_explained import (
    LANGUAGES,
    TEMPLATE,
    Cells,
    Computed,
    judged,
    recalculate,
    rounded,
)

pytestmark = pytest.mark.slow

PRINTED = {
    "two_formulas": ["0.625 0.375 405.7 88.7 90 90.1 282!283 694.9 709.0 1.020 2 408.1 27 268 83"],
    "misprints": ["0.882!0.892 0.7603!0.7602 0.6380!0.6381 50!60 50 282!283"],
}
"""By sheet: the columns of printed numbers; a misprint with what is right."""

CHECKED = {
    "two_formulas": ["71.657 78.32 71.641 1.273 267.7 0.8280 0.9504 95"],
    "bayes": ["29.5 41.7 58.9", "9.47", "0.2820 0.4187 0.4107 0.1706 0.0532 0.2228 0.7240",
              "44.7289 34.4975 -11.9069 -56.0208 149.2478 70.3276 -32.6041",
              "44.5619 34.0385 -11.3302 -55.8339 145.9299 62.5454 -31.8792"],
    "bridge": ["50.266667 50.266667 50 0 50.266667", "199.2326",
               "22.211584 -15.126855 1.856436 18.720749 22.590508",
               "22.211584 -15.126855 1.856436 18.720749 2.033146",
               "-22.211584 15.126855 -1.856436 -18.720749 -8.132583",
               "-22.211584 15.126855 -1.856436 -18.720749 -8.132583"],
}  # fmt: skip
"""The same for the values that no paper prints."""

FORMULAS = ((0.50564, 0.55623), (0.47463, 0.26226), (78.32259, 71.64060), (80.35124, 71.84346),
            (50.53333, 50.26667), (1.0, 0.63816))  # fmt: skip
"""What the misprinted formulas give, and the right ones."""

REMARKS = "0.76 0.76679 0.92135 0.98305 0.0724 0.0909 0.0003025 0.0001512 40 19 95"
"""The numbers beside the remarks, from the top on; one of them is a class."""

CLASSES = ("Principiante", "Aficionado", "Jugador medio de club", "Jugador fuerte de club",
           "Candidato a maestro", "Maestro nacional", "Maestro internacional",
           "Gran maestro")  # fmt: skip

OWN = ("k_effect", "classes", "axioms", "two_formulas", "bayes", "bridge", "misprints")
"""The sheets that this module is about."""


@pytest.fixture(scope="module")
def books(computed_book: Callable[[Made], Values]) -> Computed:
    return recalculate(computed_book)


def sheet(books: Computed, key: str, language: str = "en") -> Cells:
    return books(language)[texts(language)(f"{TEMPLATE}.sheet_{key}")]


def below(cells: Cells, head: str, at: int = 0) -> list[Any]:
    """What stands below a heading, the first one or a later one."""
    places = sorted(place for place, value in cells.items() if value == head)
    row, column = places[at]
    found = []
    while (row := row + 1, column) in cells:
        found.append(cells[row, column])
    return found


@pytest.mark.parametrize("language", cases(LANGUAGES, test=("en",)))
@pytest.mark.parametrize("heading", ["printed", "check_value"])
def test_numbers(heading: str, language: str, books: Computed) -> None:
    say = texts(language)
    for key, lines in (PRINTED if heading == "printed" else CHECKED).items():
        found = judged(sheet(books, key, language), language, (heading,))
        assert [len(column) for column in found] == [len(line.split()) for line in lines], key
        for column, line in zip(found, lines, strict=True):
            for (live, printed, verdict), text in zip(column, line.split(), strict=True):
                published, _, right = text.partition("!")
                assert printed == float(published)
                assert rounded(live, right or published) == Decimal(right or published)
                assert verdict == say(f"{TEMPLATE}.{'differs' if right else 'agrees'}")


@pytest.mark.parametrize("language", cases(LANGUAGES, test=("en",)))
def test_formulas_and_remarks(language: str, books: Computed) -> None:
    say, cells = texts(language), sheet(books, "misprints", language)
    gives = say(f"{TEMPLATE}.column_gives")
    found = list(zip(below(cells, gives), below(cells, gives, 1), strict=True))
    assert [tuple(round(value, 5) for value in pair) for pair in found] == list(FORMULAS)
    verdicts = below(cells, say(f"{TEMPLATE}.column_verdict"), 1)
    assert verdicts == [say(f"{TEMPLATE}.differs")] * len(FORMULAS)
    top = next(row for (row, _), value in cells.items() if value == say(f"{TEMPLATE}.remarks"))
    numbers = [
        value
        for (row, column), value in sorted(cells.items())
        if row > top and column == 2 and isinstance(value, int | float)
    ]
    for value, text in zip(numbers, REMARKS.split(), strict=True):
        assert rounded(float(value), text) == Decimal(text)


def test_misprints_are_marked_nowhere_else() -> None:
    form = made(TEMPLATE)
    say = texts("en")
    for key in OWN:
        title = say(f"{TEMPLATE}.sheet_{key}")
        marked = [v for (page, _), v in form.values.items() if page == title and v == "misprint"]
        expected = "".join(PRINTED.get(key, ())).count("!")
        assert len(marked) == expected + (len(FORMULAS) if key == "misprints" else 0), key


def test_every_misprint_of_the_other_sheets_is_in_the_list() -> None:
    """By the printed numbers that are marked anywhere in the book."""
    form = made(TEMPLATE)
    marked: dict[str, set[float]] = {}
    for (title, at), value in form.values.items():
        if value == "misprint":
            cell = form.workbook[title][at]
            printed = form.workbook[title].cell(cell.row, cell.column - 1).value
            if isinstance(printed, int | float):
                marked.setdefault(title, set()).add(printed)
    listed = marked.pop("Misprints")
    assert listed == {0.882, 0.7603, 0.638, 50, 282}
    octave = {2828.4271}  # 200*sqrt(200): in the list as a formula
    assert set().union(*marked.values()) == listed | octave


@pytest.mark.parametrize("language", cases(LANGUAGES, test=("en",)))
def test_classes(language: str, books: Computed) -> None:
    say, cells = texts(language), sheet(books, "classes", language)
    for key in ("column_printed", "column_class_from"):
        assert tuple(below(cells, say(f"{TEMPLATE}.{key}"))) == CLASSES
    assert tuple(below(cells, say(f"{TEMPLATE}.column_class_to"))) == CLASSES[:-1]
    verdicts = below(cells, say(f"{TEMPLATE}.column_verdict"))
    assert verdicts == [say(f"{TEMPLATE}.agrees")] * len(CLASSES)
    assert below(cells, say(f"{TEMPLATE}.column_least")) == [
        2200, 2300, 2400, 2500, 2000, 2100, 2200, 2300,
    ]  # fmt: skip


def test_the_axioms_fit_together(books: Computed) -> None:
    cells = sheet(books, "axioms")
    lines = {cells.get((row, 1)): value for (row, column), value in cells.items() if column == 2}
    assert lines["Its standard deviation"] == pytest.approx(2**0.5 * 200)
    assert lines["Win, draw and loss"] == lines["Expected score of the player"]
    both = lines["Expected score of the player"] + lines["Expected score of the opponent"]
    assert both == pytest.approx(1)
    assert lines["Expected E"] == pytest.approx(1.198, abs=1e-4)
    assert lines["New rating (ELO_UPDATE)"] == pytest.approx(1806.0402582261718)
    assert lines["New rating (ELO_NEW)"] == pytest.approx(lines["New rating (ELO_UPDATE)"])
    assert lines["Change (ELO_CHANGE)"] == pytest.approx(6.0402582261718)


def test_small_k_is_calm_and_large_k_is_quick(books: Computed) -> None:
    cells = sheet(books, "k_effect")
    names = below(cells, "K")
    assert names[:3] == ["K = 10", "K = 20", "K = 40"]
    late = below(cells, "The same, 40 games after the jump")
    calm = below(cells, "Spread before the jump")
    step = below(cells, "Mean change a game")
    assert late == sorted(late, reverse=True)
    assert calm == sorted(calm)
    assert step == sorted(step)


def test_the_simulated_player_follows_the_yellow_cells() -> None:
    """The same chances, other numbers: beside what was read, only the curves that depend on them
    change."""
    options = gallery.options(TEMPLATE)
    usual = made(TEMPLATE)
    steady = build(TEMPLATE, options, {"k_effect.jump": 0, "k_effect.k_large": 10})
    changed = {title for (title, at), v in steady.values.items() if usual.values[title, at] != v}
    assert changed == {"As read", "Curves", "What K does"}
    page = {at: v for (title, at), v in steady.values.items() if title == "What K does"}
    small, large = (
        [page[f"{column}{row}"] for column in "BCDE"]
        for row in (int(at[1:]) for at, v in page.items() if at[0] == "A" and v == "K = 10")
    )
    assert small == large


def test_once_a_period(books: Computed) -> None:
    cells = sheet(books, "k_effect")
    lines = {cells.get((row, 1)): value for (row, column), value in cells.items() if column == 2}
    assert lines["Once, after the period (axiom V)"] == pytest.approx(1812.0805164523436)
    one_by_one = [lines[f"Game by game, {order}"] for order in ("in this order", "last game first")]
    assert one_by_one[0] < lines["Once, after the period (axiom V)"] < one_by_one[1]


def test_check_values_come_from_the_engine() -> None:
    """They are not our misprints."""
    for rating, opponent, sd in ((1500, 1500, 100), (1600, 1500, 100), (1834, 2179, 150)):
        after = posterior(rating, opponent, [1, 0.5, 0], sd)
        before = probability(rating - opponent, 2 * sd**2, [1, 0.5, 0])
        assert before.sum() == pytest.approx(1)
        line = " ".join(CHECKED["bayes"])
        for shift, chance in zip(after.rating - rating, before, strict=True):
            if (rating, shift < 40) != (1500, True):
                assert f"{shift:.4f}" in line
                assert f"{chance:.4f}" in line
    # the deviations that agree with K 10, 20 and 40
    deviations = np.sqrt(200 * np.array([10, 20, 40]) / math.log(10))
    assert [f"{sd:.1f}" for sd in deviations] == CHECKED["bayes"][0].split()
    last = bridge([1600, 1500, 1550, 1450], 58, [200, 60, 120, 120], Scale(50, 4 / 1500, 6))
    shifts = last.rating - [1600, 1500, 1550, 1450]
    assert [f"{s:.6f}" for s in shifts] == [line.split()[-1] for line in CHECKED["bridge"][2:]]
