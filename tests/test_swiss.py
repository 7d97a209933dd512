"""Slips in the pairings of a Swiss, one by one: what is said, which cell is marked, what counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import pytest

from elo_xl.books.book import Book
from elo_xl.books.styles import MARK
from elo_xl.templates import gallery
from elo_xl.templates.swiss import SPARE, board, lines
from elo_xl.xlsx.formula import parse

PLAYERS: Final = 9
BOARDS: Final = 10 // 2 + SPARE
SURE: Final = {"sure": "x"}

Spot = tuple[int, int]
"""Round and board, both from 1."""


def book_of(boards: Mapping[Spot, dict[str, Any]]) -> Book:
    """A book with nine players and typed lines."""
    options = gallery.options("swiss", players=10, rounds=3)
    field = [{"name": f"Player {no}", "rating": 1500} for no in range(1, PLAYERS + 1)]
    typed = {(r - 1, b - 1): line for (r, b), line in boards.items()}
    content = {"Event": "Open", "Players": field, "Pairings": lines(options, typed)}
    return gallery.build("swiss", options, content)


def said(book: Book) -> dict[Spot, str]:
    """What the column *Check* says."""
    texts = book.tables["Pairings"].column("check").texts()
    return {(i // BOARDS + 1, i % BOARDS + 1): text for i, text in enumerate(texts) if text}


def marked(book: Book) -> set[tuple[int, int, str]]:
    """The cells that the file's rules mark as wrong."""
    table, computed = book.tables["Pairings"], book.computed
    assert computed is not None
    keys, found = {at: key for key, at in table.at.items()}, set()
    for area in book.workbook[table.sheet.title].conditional_formatting:
        for rule in area.rules:
            fill = rule.dxf.fill
            if fill is None or fill.patternType != "solid" or fill.bgColor.rgb[2:] != MARK:
                continue
            tree = parse(rule.formula[0])
            for cells in area.sqref.ranges:
                top, left = cells.min_row, cells.min_col
                for row, column in cells.cells:
                    down = row - top
                    if computed.evaluate(tree, table.sheet.title, top, left, down, column - left):
                        i = row - table.first
                        found.add((i // BOARDS + 1, i % BOARDS + 1, keys[column]))
    return found


def points(book: Book) -> dict[int, float]:
    """The points of whoever has any, by number."""
    found = book.tables["Ties"].column("points").numbers()
    return {no: each for no, each in enumerate(found, start=1) if each}


def games(book: Book) -> dict[int, float]:
    """The rated games of whoever has any."""
    found = book.tables["Ratings"].column("games").numbers()
    return {no: each for no, each in enumerate(found, start=1) if each}


OPENED: Final = {(1, 1): board(1, 2, "1"), (1, 2): board(3, 4, "0"), (1, 3): board(9, None, "bye")}
"""A round in which everything is right."""

FAULTS: Final = {
    "nobody": ((1, 4), board(10, 5, "1"), "white", "Nobody has this number: 10"),
    "no number": ((1, 4), board(5, "six", "1"), "black", "Nobody has this number"),
    "themselves": ((1, 4), board(5, 5, "1"), "black", "White and Black are the same player"),
    "no White": ((1, 4), board(None, 5, "1"), "white", "White is missing"),
    "again with White": ((1, 4), board(2, 5, "1"), "white", "2 is also on board 1"),
    "again with Black": ((1, 4), board(5, 3, "1"), "black", "3 is also on board 2"),
    "again with a bye": ((1, 4), board(9, None, "0 bye"), "white", "9 is also on board 3"),
    "unclear": ((1, 4), board(5, 6, "2-0"), "result", "The result is not understood"),
    "alone": ((1, 4), board(5, None, "1"), "result", "No opponent: type bye, ½ bye or 0 bye"),
    "alone, forfeit": ((1, 4), board(5, None, "+"), "result", "No opponent: type bye, ½ bye or 0"),
    "absent": ((1, 4), board(5, None, "-"), "result", "No opponent: type bye, ½ bye or 0 bye"),
    "bye of two": ((1, 4), board(5, 6, "bye"), "result", "A bye has no opponent"),
    "once more": ((2, 1), board(2, 1, "1"), "black", "They met in round 1"),
    "second bye": ((2, 1), board(9, None, "bye"), "white", "Had a bye in round 1"),
}


@pytest.mark.parametrize("slip", FAULTS)
def test_a_slip_is_said_and_its_cell_marked_and_everything_else_counts(slip: str) -> None:
    spot, line, cell, text = FAULTS[slip]
    book = book_of(OPENED | {spot: line})
    (found,) = said(book).items()
    assert found[0] == spot
    assert found[1].startswith(text)
    assert marked(book) == {(*spot, cell)}
    assert points(book) == {1: 1.0, 4: 1.0, 9: 1.0}
    assert games(book) == {1: 1, 2: 1, 3: 1, 4: 1}
    status = book.values["Pairings", "A2"]
    assert str(status).startswith("Entries that need attention: 1"), status


def test_a_player_in_two_lines_leaves_the_third_alone() -> None:
    """Board 2 is wrong, as 1 plays on board 1; so 3 can only be meant on board 3."""
    typed = {(1, 1): board(1, 2, "1"), (1, 2): board(3, 1, "1"), (1, 3): board(3, 4, "0")}
    book = book_of(typed)
    assert said(book) == {(1, 2): "1 is also on board 1"}
    assert points(book) == {1: 1.0, 4: 1.0}


def test_what_is_answered_counts() -> None:
    typed = {(2, 1): board(2, 1, "1") | SURE, (2, 2): board(9, None, "bye") | SURE}
    book = book_of(OPENED | typed)
    assert said(book) == {}
    assert marked(book) == set()
    assert points(book) == {1: 1.0, 2: 1.0, 4: 1.0, 9: 2.0}
    assert games(book) == {1: 2, 2: 2, 3: 1, 4: 1}
    assert book.values["Pairings", "A2"] == ""


def test_an_answer_allows_nothing_else() -> None:
    book = book_of(OPENED | {(1, 4): board(2, 5, "1") | SURE, (2, 1): board(5, None, "1") | SURE})
    assert list(said(book)) == [(1, 4), (2, 1)]
    assert points(book) == {1: 1.0, 4: 1.0, 9: 1.0}


def test_a_game_that_was_not_played_forbids_no_other_one() -> None:
    typed = {(1, 1): board(1, 2, "+"), (2, 1): board(2, 1, "1"), (3, 1): board(1, 2, "1")}
    book = book_of(typed)
    assert list(said(book)) == [(3, 1)]
    assert games(book) == {1: 1, 2: 1}


def test_what_is_missing_is_said_but_no_fault() -> None:
    book = book_of({(1, 1): board(1, 2, None), (1, 2): board(3, None, None)})
    assert said(book) == {
        (1, 1): "Result is missing",
        (1, 2): "Black is missing; for a bye type bye as the result",
    }
    assert marked(book) == set()
    assert book.values["Pairings", "A2"] == ""


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("bye", 1.0),
        ("U", 1.0),
        ("pab", 1.0),
        ("F", 1.0),
        ("full-point bye", 1.0),
        ("1 bye", 1.0),
        ("½ bye", 0.5),
        ("1/2 bye", 0.5),
        ("0,5 bye", 0.5),
        ("H", 0.5),
        ("hpb", 0.5),
        ("0 bye", 0.0),
        ("Z", 0.0),
        ("absent", 0.0),
    ],
)
def test_byes(text: str, worth: float) -> None:
    book = book_of({(1, 1): board(3, None, text)})
    assert said(book) == {}
    assert points(book) == ({3: worth} if worth else {})
    kind = book.tables["Ties"].cell("kind1", 2).numbers()
    assert kind == [book.names["BYE" if worth == 1 else "REQUESTED"]]
