"""Pages of a notebook: what waits for inputs, and what is wrong @ where."""

from __future__ import annotations

import pytest

from elo_xl.books.book import Book, BookError, Options
from elo_xl.books.notebook.notebook import write

TEMPLATE = "elo-explained"
PAGE = """
page expected
    input rating 1800 1..3999 0
    input opponent 1500 1..3999 0
    expected 0.00               = ELO_EXPECTED(rating, opponent)
    other 0.00                  = 1 - expected
    apart 0                     = N(rating) - 1000
    table
        a 0 text:rating         : 1..3
        gap 0                   = a - opponent
            printed -1499 - 7
"""


def column(text: str, **typed: object) -> list[object]:
    """The second column of a page, from its fourth row on."""
    content = {f"expected.{key}": value for key, value in typed.items()}
    book = Book(TEMPLATE, Options(), content)
    write(book, {"page": text})
    book.finish()
    return [book.known(book.sheet("expected"), row, 2) for row in range(4, 13)]


def test_lines_wait_for_what_counts() -> None:
    good = column(PAGE)
    assert good[:2] == [1800, 1500]
    assert good[3] == pytest.approx(1 - good[2])  # type: ignore[operator]
    assert good[4] == 800
    assert good[6:] == [-1499, -1498, -1497]
    wrong = column(PAGE, rating="many")
    assert wrong[2:5] == ["", "", -1000]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("    curious KEY", "a page has no 'curious' @ page:2"),
        ("    input rating 1800", "rating has no bounds such as 0..100 @ page:2"),
        ("    section nowhere", "no text is named 'nowhere' @ page:2"),
        ("    expected = 1\n    expected = 2", "already has something named 'expected' @ page:3"),
        ("    table\n        a : x", "neither a number nor a text: 'x' @ page:2"),
        ("    expected = nobody + 1", "nothing is named 'nobody' @ page:2"),
    ],
)
def test_what_is_wrong_where(line: str, problem: str) -> None:
    with pytest.raises(BookError) as error:
        column(f"page expected\n{line}\n")
    assert str(error.value).endswith(problem)


def test_a_notebook_has_pages() -> None:
    with pytest.raises(BookError, match="a notebook has pages, not 'sheet' @ page:1"):
        write(Book(TEMPLATE, Options()), {"page": "sheet expected"})
