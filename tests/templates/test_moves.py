"""Nothing that is moved makes a book lie: what people do to typed cells, in a real LibreOffice.

A book in which cells were cut and pasted, dragged, sorted, deleted, inserted, cleared and pasted
over shows what a book shows into which the same was typed where it now stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from openpyxl.utils import get_column_letter

from elo_xl.books.book import Book, Formula
from elo_xl.templates import gallery
from elo_xl.templates.gallery import TEMPLATES
from tests.support.calc import Calc
from tests.support.levels import amount, cases
from tests.support.moves import Hands, Sequences, Step, typed_afresh, typed_cells
from tests.support.template_books import build, same, sized

pytestmark = pytest.mark.slow

NAMES = {"error 32767": "#N/A"}
"""LibreOffice's numbers of the errors that books show on purpose: points that a curve has not."""


@pytest.fixture(scope="module")
def hands(calc: Calc, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hands]:
    with Hands(calc, tmp_path_factory.mktemp("hands")) as made:
        yield made


def differences(book: Book, answer: dict[str, Any]) -> list[object]:
    """Where LibreOffice's values at the end differ from the library's, for what is typed then."""
    entries = {tuple(spot): value for spot, value in answer["entries"]}
    found = {tuple(spot): value for spot, value in answer["values"]}
    afresh = typed_afresh(book.template, book.options, entries)
    spots = {
        (title, f"{get_column_letter(column)}{row}"): NAMES.get(value, value)
        for (title, row, column), value in found.items()
    }
    return [
        (at, value, spots.get(at))
        for at, value in afresh.values.items()
        if not same(spots.get(at), value)
    ]


@pytest.mark.parametrize(
    "template", cases(TEMPLATES, test=("rating-period", "round-robin", "team-match"))
)
def test_a_book_shows_what_one_typed_afresh_shows(template: str, hands: Hands) -> None:
    options = sized(template, amount(4, 8))
    book = build(template, options, gallery.sample(template, options))
    sequences = Sequences(book, template).all()  # by chance, but always the same

    answer = hands.try_out(book, [*sequences.values()])

    found = dict(zip(sequences, answer["found"], strict=True))
    assert {what: result for what, result in found.items() if len(result) > 1} == {}
    refused = {
        what for what, result in found.items() if sequences[what] and not any(result["done"])
    }
    assert refused <= {"delete cells", "insert cells"}  # which a protected sheet does not allow
    assert differences(book, answer) == []


def test_a_formula_that_follows_its_cell_is_found(hands: Hands) -> None:
    book = Book("rating-period", gallery.options("rating-period"), {"Lines": [{"entry": 3}]})
    book.read('sheet "Lines"\n    table Lines rows:5\n        entry 0 input 8 "Entry"')
    sheet, entry = book.sheets["Lines"], book.tables["Lines"].cell("entry", 0)
    follower = sheet.put(1, 5, Formula(f"N({entry.address})"))
    book.finish()
    first, last = ([sheet.title, entry.row + i, entry.column] for i in (0, 4))

    for what in ("cut", "drag"):
        answer = hands.try_out(book, [[{"what": what, "at": [*first, 1, 1], "to": last}]])

        at = [sheet.title, follower.row, follower.column]
        (found,) = answer["found"]
        assert found["shown"] == found["computed"] == [[at, 0, 3]]
        assert [spot for spot, _, _ in found["formulas"]] == [at]


def test_a_result_that_is_dragged_counts_once(hands: Hands) -> None:
    options = gallery.options("round-robin", players=4)
    players = [{"name": f"Player {letter}", "rating": 2000} for letter in "ABCD"]
    book = build("round-robin", options, {"Players": players, "Cross": {1: {"v4": "1"}}})
    cross = book.tables["Cross"]
    wrong, right = ([cross.sheet.title, cross.first, cross.at[key]] for key in ("v4", "v3"))

    for what in ("cut", "drag"):
        answer = hands.try_out(book, [[{"what": what, "at": [*wrong, 1, 1], "to": right}]])

        # typed again into the cell that it came from, it is a second game
        assert answer["found"] == [{"done": [True]}]
        values = {tuple(spot): value for spot, value in answer["values"]}
        assert values[cross.sheet.title, cross.first, cross.at["points"]] == 2
        assert differences(book, answer) == []


def test_a_game_that_is_moved_to_another_line_counts_once(hands: Hands) -> None:
    options = gallery.options("rating-period")
    book = build("rating-period", options, gallery.sample("rating-period", options))
    games = book.tables["Games"]
    sheet, top = games.sheet.title, games.first
    line = [column for title, row, column in typed_cells(book) if (title, row) == (sheet, top)]
    step: Step = {
        "what": "cut",
        "at": [sheet, top, min(line), 1, len(line)],
        "to": [sheet, top + 50, min(line)],
    }

    answer = hands.try_out(book, [[step]])

    assert answer["found"] == [{"done": [True]}]
    assert differences(book, answer) == []


@pytest.mark.parametrize("template", cases(TEMPLATES, test=("rating-period",)))
def test_rows_that_were_inserted_or_deleted_are_told(template: str, hands: Hands) -> None:
    options = sized(template)
    book = build(template, options, gallery.sample(template, options))
    tables = [*{id(p.table): p.table for p in book.places if p.table is not None}.values()]
    steps: list[Step] = []
    for table in tables[: amount(1, None)]:
        at = [table.sheet.title, 0, 1, 1, 1]
        last = table.first + table.rows - 1
        middle = (table.first + last + 1) // 2
        inserted = amount({middle}, {table.first, middle, last, last + 1})
        for what, rows in (("insert_rows", inserted), ("delete_rows", amount(set(), {last}))):
            steps += [{"what": what, "at": [at[0], row, *at[2:]]} for row in rows]
    lines = {
        (sheet.title, row)
        for sheet in book.sheets.values()
        for (row, _), put in sheet.puts.items()
        if put.value == Formula("status_line")
    }
    told = {}
    for step, values in zip(steps, hands.after(book, steps), strict=True):
        said = book.say("rows_moved") + " 1"
        silent = [at for at in lines if not str(values.get((*at, 1), "")).startswith(said)]
        if silent:
            told[str(step)] = silent
    assert told == {}
