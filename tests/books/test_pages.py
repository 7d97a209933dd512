"""Pages: cells to play with and results, printed numbers beside them, and what is wrong @ where."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from elo_xl.books import book_file
from elo_xl.books.book import Book, BookError, Options
from elo_xl.books.model import Cells
from tests.support import ROOT

PAGE = """
page expected
    rating 0 input decimal:1..3999      = 1800
    opponent 0 input whole:1..3999      = 1500
    expected 0.00                       = ELO_EXPECTED(rating, opponent)
    other "Other" 0.00                  = IFERROR(1 - expected, "")
    apart "Apart" 0                     = N(rating) - 1000
    table Gaps
        a 0 text:rating                 : 1..3
        share "Share" 0.00              : 1/4 - 0.5
        gap 0                           = a - opponent
            printed -1499 - 7
    marks
        gap attention                   a = 1
"""


def book(text: str, **typed: object) -> Book:
    made = Book("elo-explained", Options(), {f"expected.{key}": typed[key] for key in typed})
    made.read(text, "page")
    made.finish()
    return made


def values(cells: Cells) -> list[Any]:
    return cells.values()


def column(text: str, **typed: object) -> list[object]:
    """The second column of a page, from its fourth row on."""
    return values(book(text, **typed).sheet("expected").cells(4, 2, 5))


def test_results_are_blank_while_an_entry_makes_no_sense() -> None:
    good = column(PAGE)
    assert good[:2] == [1800, 1500]
    assert good[3] == pytest.approx(1 - good[2])  # type: ignore[operator]
    assert good[4] == 800
    for wrong in ("many", 4000, None):
        assert column(PAGE, rating=wrong)[2:] == ["", "", -1000]
    assert column(PAGE, opponent=1500.5)[2] == ""
    assert column(PAGE, opponent="1 600")[2] == pytest.approx(column(PAGE, opponent=1600)[2])


def test_other_sheets_name_what_a_page_has() -> None:
    text = 'page "Two words"\n    k 0 input whole:0..99 = 40\n'
    made = book(f"{text}page expected\n    half = Two_words.k / 2\n".replace("half", 'half "½"'))
    assert values(made.sheet("expected").cells(4, 2)) == [20]


def test_what_may_be_typed_is_said() -> None:
    sheet = book(PAGE).workbook["Expected score"]
    rules = {str(r.sqref): r.error for r in sheet.data_validations.dataValidation}
    said = "umber from 1 to 3999, please."
    assert rules == {"B4": f"A n{said}", "B5": f"A whole n{said}"}


def test_bounds_are_said_where_no_text_says_them() -> None:
    made = Book("league", Options(language="es"))
    made.read(
        "sheet start\n    table T rows:2\n        x heading:X input decimal:-0.5..9\n", "sheet"
    )
    made.finish()
    (rule,) = made.workbook[made.say("sheet_start")].data_validations.dataValidation
    assert rule.error == "Un número de −0,5 a 9, por favor."


def test_constants_and_printed_numbers() -> None:
    table = book(PAGE).tables["Gaps"]
    assert values(table.column("a")) == [1, 2, 3]
    assert values(table.column("share")) == [0.25, None, 0.5]
    assert values(table.column("gap_printed")) == [-1499, None, 7]
    assert values(table.column("gap_verdict")) == ["agrees", None, "misprint"]


def test_columns_of_constants_may_end_before_others() -> None:
    made = book(
        "page expected\n    table T\n        a 0 : 1 2\n        b 0 : 3\n".replace(
            " 0 :", ' 0 "x" :'
        )
    )
    assert made.data["T"] == [{"a": 1, "b": 3}, {"a": 2}]


def test_yellow_columns_hold_their_constants_until_others_are_typed() -> None:
    text = """
page expected
    table Try
        a 0 input decimal:0..9 text:k   : 4 5 -
        twice "Twice"                   = IFERROR(2 * by_row(a_1, a_2, a_3), "")
"""
    assert values(book(text).tables["Try"].column("twice")) == [8, 10, ""]
    typed = book(text, **{"a.2": "much", "a.3": 7}).tables["Try"]
    assert values(typed.column("a", "twice")) == [4, 8, "much", "", 7, 14]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("    curious KEY", "a column has no 'KEY' @ page:2:13"),
        ("    rating 0", "a page has no 'rating' @ page:2:5"),
        ("    section nowhere", "no text is named 'nowhere' @ page:2:13"),
        ("    k = 1\n    k = 2", "the page already has something named 'k' @ page:3:5"),
        ("    table T\n        k : x", "neither a number nor a text: 'x' @ page:3:13"),
        ("    k = nobody + 1", "nothing is named 'nobody' @ page:2:9"),
        ("    marks\n        k attention k = 1", "a page has no 'marks' @ page:2:5"),
    ],
)
def test_what_is_wrong_where(line: str, problem: str) -> None:
    with pytest.raises(BookError) as error:
        column(f"page expected\n{line}\n")
    assert str(error.value).endswith(problem)


def test_the_example_of_the_docs_is_a_book(tmp_path: Path) -> None:
    """Anybody's own book has pages."""
    docs = (ROOT / "docs" / "books.md").read_text(encoding="utf-8")
    example = re.search(r"```text\n(book \"Chances\".*?)```", docs, re.DOTALL)
    assert example is not None
    path = tmp_path / "chances.book"
    path.write_text(example[1], encoding="utf-8")
    made = book_file.read(path, Options(language=""))
    made.finish()
    table = made.tables["Article"]
    assert values(table.column("e_verdict")) == ["agrees", "agrees", "differs"]
    sheet: Any = made.workbook["Expected score"]
    assert (sheet["B7"].value, sheet["A7"].value) == (1800, "Rating")
    assert len(sheet._charts) == 1
