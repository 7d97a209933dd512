"""Every template in a small size: declared, worked out and written, with nothing wrong in it."""

from __future__ import annotations

import io
from dataclasses import replace

import openpyxl
import pytest

from elo_xl.books.book import Book
from elo_xl.books.model import Options
from elo_xl.books.rules import first_steps, own_pieces
from elo_xl.books.statements import BookError
from elo_xl.engine.rulebooks import RULEBOOKS
from elo_xl.engine.rulebooks.clauses import First, KFactor
from elo_xl.engine.rulebooks.k_table import KRow, KTable
from elo_xl.languages import Words
from elo_xl.templates import gallery
from elo_xl.templates.gallery import TEMPLATES
from elo_xl.xlsx.evaluate import Error
from elo_xl.xlsx.formula import Call, Text, to_text
from tests.support.levels import amount
from tests.support.template_books import same
from tests.support.template_events import GENERATORS

pytestmark = pytest.mark.slow


def small(template: str) -> Options:
    known = TEMPLATES[template]

    def size(bounds: tuple[int, int, int] | None) -> int | None:
        return None if bounds is None else min(max(bounds[0], 6), bounds[2])

    return gallery.options(template, players=size(known.players), rounds=size(known.rounds))


@pytest.mark.parametrize("template", TEMPLATES)
def test_no_cell_shows_an_error_and_all_values_are_in_the_file(template: str) -> None:
    options = small(template)
    contents = [None, gallery.sample(template, options)]
    seeds = amount((1,), (1, 2))
    contents += [GENERATORS[template](options, seed, wrong=True, full=True) for seed in seeds]
    for content in contents:
        book = gallery.build(template, options, content)
        # points of curves that do not exist, on sheets that nobody sees
        unseen = {sheet.title for sheet in book.sheets.values() if sheet.set_up.hidden}
        errors = {
            at: v
            for at, v in book.values.items()
            if isinstance(v, Error) and not (at[0] in unseen and v == "#N/A")
        }
        assert {} == errors
    file = openpyxl.load_workbook(io.BytesIO(book.file()), data_only=True)
    lost = [
        (sheet, cell)
        for (sheet, cell), value in book.values.items()
        if not same(file[sheet][cell].value, value)
    ]
    assert [] == lost


@pytest.mark.parametrize("rows", [(KRow(40, games_below=30), KRow(20)), (KRow(20),)])
def test_why_a_player_has_their_k_under_few_lines(rows: tuple[KRow, ...]) -> None:
    rules = replace(RULEBOOKS["fide"], k=KTable(rows))
    why = own_pieces(rules, "en")["k_clause"].body
    assert (len(rows) > 1) == (isinstance(why, Call) and why.name == "IF")


def test_a_rulebook_without_a_table_says_its_k_in_its_own_words() -> None:
    class Twenty(KFactor):
        text = Words('"20"')

    piece = own_pieces(replace(RULEBOOKS["fide"], k=Twenty()), "en")["k_clause"]
    assert Text('"20"') == piece.body


def test_a_first_rating_of_any_federation_has_its_own_steps() -> None:
    class FourPoints(First):
        steps = (*First.steps, ("computed", "ROUND(average + 4 * percent, 0)"))
        formula = "least(2000, computed)"

    rules = replace(RULEBOOKS["fide"], first=FourPoints())
    assert {
        "average": "met/games",
        "percent": "100*score/games",
        "computed": "ROUND(average+4*percent,0)",
    } == dict(first_steps(rules))
    first = own_pieces(rules, "en")["first_rating"].body
    whole = "least(2000,ROUND(rating_sum/played+4*(100*points/played),0))"
    assert whole == to_text(first)


def test_a_template_that_describes_no_book_is_named() -> None:
    with pytest.raises(BookError, match=r"@ our-template:1:1$"):
        Book("our-template", Options()).read("nonsense here")


@pytest.mark.parametrize("given", ["loops", "data"])
def test_rows_are_given_to_a_table_that_is_there(given: str) -> None:
    text = 'sheet "S"\n    table T rows:1\n        a 0 input "A"'
    with pytest.raises(BookError, match=f"rows are given, but no table is named '{given}'"):
        Book("swiss", Options()).read(text, **{given: {1: {"a": 5}}})
