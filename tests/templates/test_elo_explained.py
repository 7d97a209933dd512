"""The workbook ``elo-explained`` against the papers 000 to 002: every number that they print."""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from typing import Any

import pytest
from openpyxl.utils import coordinate_to_tuple

from elo_xl.books.book import Options
from elo_xl.books.texts import texts
from elo_xl.templates.gallery import TEMPLATES
from tests.support.calc import Values
from tests.support.levels import cases
from tests.support.once import Made, made
from tests.support.template_books import build, sized

pytestmark = pytest.mark.slow

TEMPLATE = "elo-explained"
LANGUAGES = TEMPLATES[TEMPLATE].languages

DECIMALS = (
    "0.24 0.30 0.34 0.36 0.39 0.42 0.44 0.46 0.47 0.49 0.49 0.50 "
    "0.51 0.51 0.53 0.54 0.56 0.58 0.61 0.64 0.66 0.70 0.76"
)
PRINTED = {"results": ["0.5 0.7 0.5", "0.2 0.16 0.1"], "expected": ["0.11128", "11"],
           "logistic": ["0.5 0.570 0.638 0.702 0.760 0.812 0.856 0.882!0.892 0.921",
                        "0.5 0.571 0.640 0.703 0.760 0.808 0.849 0.882 0.909"],
           "decimals": [DECIMALS, DECIMALS, "2828.4271!282.8427", "0.55623 0.26226", "50!60 50"],
           "matches": ["0.0724 0.0909"], "football": ["1.5 1.2"], "unrated": ["1651.68 1675"],
           "margin": ["0.5 0.5702 0.6382 0.7021 0.7603!0.7602 0.8116 0.8556",
                      "0.5 0.5701 0.6380!0.6381 0.7019 0.7601 0.8115 0.8554",
                      "0.5 0.5700 0.6378 0.7016 0.7597 0.8110 0.8550"],
           "tournament": ["0.42 0.54 0.24", "1.2 1.5"], "new_rating": ["1820 1840",
           "40 40 20 10"]}  # fmt: skip
"""By sheet: the columns of printed numbers from the top left on; a misprint with what is right."""

ANSWERS = {2: "0.5 0.7 0.5 0.2 0.1", 3: "6 15 30", 4: "0.0724055 0.0909222", 5: "12",
           6: "360.56 0.60924", 7: "1.68358 1.84237", 8: "1651.677 1675", 9: "0",
           10: "0.0003025 0.0001512 0.0012099 0.0006044"}  # fmt: skip
"""Of the ten problems, as the sheets show them at first."""

Cells = dict[tuple[int, int], Any]
Verdict = tuple[float, float, str]


Computed = Callable[[str], dict[str, Cells]]
"""Gives what LibreOffice computes of the workbook in a language, by sheet."""


@pytest.fixture(scope="module")
def recalculated(computed_book: Callable[[Made], Values]) -> Computed:
    return recalculate(computed_book)


def recalculate(computed_book: Callable[[Made], Values]) -> Computed:
    @cache
    def of_language(language: str) -> dict[str, Cells]:
        found = computed_book(made(TEMPLATE, sized(TEMPLATE, language=language)))
        return {
            sheet: {coordinate_to_tuple(at): value for at, value in cells.items()}
            for sheet, cells in found.items()
        }

    return of_language


def judged(
    cells: Cells, language: str, keys: tuple[str, ...] = ("printed", "answer")
) -> list[list[Verdict]]:
    """The columns of printed numbers of a sheet: the live one, the printed one and the verdict."""
    say = texts(language)
    heads = {say(f"{TEMPLATE}.column_{key}") for key in keys}
    found = []
    for (row, column), head in sorted(cells.items()):
        if head not in heads or cells.get((row, column + 1)) != say(f"{TEMPLATE}.column_verdict"):
            continue
        lines = []
        while (row := row + 1, column - 1) in cells:
            if (row, column) in cells:
                lines.append(tuple(cells[row, column + at] for at in (-1, 0, 1)))
        found.append(lines)
    return found


def rounded(value: float, text: str) -> Decimal:
    """A number with as many decimals as a printed one, halves up."""
    return Decimal(repr(value)).quantize(Decimal(text), ROUND_HALF_UP)


@pytest.mark.parametrize("language", cases(LANGUAGES, test=("en",)))
@pytest.mark.parametrize("key", PRINTED)
def test_printed_numbers(key: str, language: str, recalculated: Computed) -> None:
    say = texts(language)
    sheet = recalculated(language)[say(f"{TEMPLATE}.sheet_{key}")]
    found = judged(sheet, language)
    assert [len(column) for column in found] == [len(line.split()) for line in PRINTED[key]]
    for column, line in zip(found, PRINTED[key], strict=True):
        for (live, printed, verdict), text in zip(column, line.split(), strict=True):
            published, _, right = text.partition("!")
            assert printed == float(published)
            assert rounded(live, right or published) == Decimal(right or published)
            assert verdict == say(f"{TEMPLATE}.{'differs' if right else 'agrees'}")


@pytest.mark.parametrize("language", cases(LANGUAGES, test=("en",)))
def test_the_ten_problems(language: str, recalculated: Computed) -> None:
    say = texts(language)
    sheet = recalculated(language)[say(f"{TEMPLATE}.sheet_problems")]
    at = 0
    answers: dict[int, list[float]] = {}
    for (_, column), value in sorted(sheet.items()):
        if value == say(f"{TEMPLATE}.heading_problem", number=at + 1):
            at += 1
        elif column == 2:
            answers.setdefault(at, []).append(value)
    assert at == 10
    assert {key: len(values) for key, values in answers.items()} == {
        key: len(line.split()) for key, line in ANSWERS.items()
    }
    for key, line in ANSWERS.items():
        for value, text in zip(answers[key], line.split(), strict=True):
            assert rounded(float(value), text) == Decimal(text), key


def test_octave_with_the_printed_sigma(recalculated: Computed) -> None:
    sheet = recalculated("en")["Two decimals"]
    head = next(at for at, value in sheet.items() if value == "With the printed sigma")
    found = [sheet[head[0] + i, head[1]] for i in (1, 2)]
    assert [f"{value:.5f}" for value in found] == ["0.50564", "0.47463"]


def test_the_draw_margin_stays_under_its_bound(recalculated: Computed) -> None:
    """Everywhere on the curves: the gaps stand beside their bounds."""
    curves = recalculated("en")["Curves"]
    checked = 0
    for (row, column), head in sorted(curves.items()):
        if str(head).startswith("Bound for"):
            while (row := row + 1, column) in curves:
                assert curves[row, column - 1] <= curves[row, column]
                checked += 1
    assert checked == 2 * 81


def test_all_ways_to_see_that_a_line_is_as_stated(recalculated: Computed) -> None:
    sheet = recalculated("en")["What follows"]
    head = next(at for at, value in sheet.items() if value == "As stated?")
    assert [sheet[head[0] + i, head[1]] for i in range(1, 13)] == ["yes"] * 12


def test_misprints_are_marked_nowhere_else() -> None:
    """On the sheets of these papers; the other papers' sheets have a test of their own."""
    form = made(TEMPLATE)
    say = texts("en")
    for key, lines in PRINTED.items():
        title = say(f"{TEMPLATE}.sheet_{key}")
        marked = [v for (sheet, _), v in form.values.items() if sheet == title and v == "misprint"]
        assert len(marked) == "".join(lines).count("!")


def test_cells_to_play_with_hold_the_papers_numbers() -> None:
    content = {"expected.rating": 2179, "matches.match_points": "many"}
    usual, typed = made(TEMPLATE).values, build(TEMPLATE, sized(TEMPLATE), content).values
    status = "A2"  # the line that counts the entries that cannot be read
    changed = {
        sheet for (sheet, at), value in typed.items() if at != status and usual[sheet, at] != value
    }
    assert {"Expected score", "Matches", "As read"} <= changed
    assert "Logistic approximation" not in changed


@pytest.mark.parametrize("language", cases(LANGUAGES, test=("ru",)))
def test_paper_begins_with_a_section_and_holds_all_of_a_page(language: str) -> None:
    workbook: Any = made(TEMPLATE, Options(language=language)).workbook
    say = texts(language)
    cut = 0
    for key in PRINTED:
        sheet = workbook[say(f"{TEMPLATE}.sheet_{key}")]
        areas = [
            [coordinate_to_tuple(corner.replace("$", "")) for corner in area.split(":")]
            for area in sheet.print_area.replace(f"'{sheet.title}'!", "").split(",")
        ]
        assert sheet.page_setup.fitToHeight == len(areas)
        below = 1
        for (first, left), (last, right) in areas:
            assert (first, left) == (below, 1), sheet.title
            # letters of 8 points and more
            assert (
                sum(sheet.column_dimensions[chr(64 + c)].width for c in range(1, right + 1)) < 136
            )
            below = last + 1
        assert below > max(c.row for row in sheet.iter_rows() for c in row if c.value is not None)
        for (first, _), _ in areas[1:]:
            cut += 1
            begins = sheet.cell(first, 1)
            assert begins.style == "Elo section" or not sheet.cell(first - 1, 1).value
    assert cut > 0
