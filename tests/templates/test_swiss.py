"""Slips in the pairings of a Swiss, one by one: what is said, which cell is marked, what counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress
from typing import Any, Final

import pytest

from elo_xl.books.book import Book
from elo_xl.events.books import read_event_book
from elo_xl.events.event import EventError
from elo_xl.templates import gallery
from elo_xl.templates.swiss import SPARE, board, lines
from elo_xl.xlsx.fill import column_letters
from tests.support import marks
from tests.support.once import ready_made_file
from tests.support.shown_rows import shown_rows
from tests.support.staleness import Formulas

pytestmark = pytest.mark.slow

PLAYERS: Final = 9
BOARDS: Final = 10 // 2 + SPARE
SURE: Final = {"sure": "x"}

Spot = tuple[int, int]
"""Round and board, both from 1."""


def book_of(boards: Mapping[Spot, dict[str, Any]], rounds: int = 3, **settings: Any) -> Book:
    """A book with nine players and typed lines."""
    options = gallery.options("swiss", players=10, rounds=rounds)
    field = [{"name": f"Player {no}", "rating": 1500} for no in range(1, PLAYERS + 1)]
    typed = {(r - 1, b - 1): line for (r, b), line in boards.items()}
    content = {"Event": "Open", "Players": field, "Pairings": lines(options, typed)} | settings
    return gallery.build("swiss", options, content)


def said(book: Book) -> dict[Spot, str]:
    """What the column *Check* says."""
    texts = book.tables["Pairings"].column("check").texts()
    return {(i // BOARDS + 1, i % BOARDS + 1): text for i, text in enumerate(texts) if text}


def marked(book: Book) -> set[tuple[int, int, str]]:
    """The cells that the file's rules mark as wrong."""
    table = book.tables["Pairings"]
    keys = {at: key for key, at in table.at.items()}
    found = ((row - table.first, keys[at]) for row, at in marks.marked(book, table.sheet.title))
    return {(i // BOARDS + 1, i % BOARDS + 1, key) for i, key in found}


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
    asks = text.startswith(("They met", "Had a bye"))
    counted = "Questions to answer: 1" if asks else "Entries that need attention: 1"
    assert str(book.values["Pairings", "A2"]).startswith(counted)
    # a command that reads the file asks about the same cell
    with pytest.raises(EventError) as caught:
        read_event_book(book.file())
    [problem] = caught.value.problems
    assert str(problem).endswith(f" @ {place(book, spot, cell)}"), problem


def place(book: Book, spot: Spot, cell: str) -> str:
    table = book.tables["Pairings"]
    row = table.first + (spot[0] - 1) * BOARDS + spot[1] - 1
    return f"Pairings!{column_letters(table.at[cell])}{row}"


def test_a_player_in_two_lines_leaves_the_third_alone() -> None:
    """Board 2 is wrong, as 1 plays on board 1; so 3 can only be meant on board 3."""
    typed = {(1, 1): board(1, 2, "1"), (1, 2): board(3, 1, "1"), (1, 3): board(3, 4, "0")}
    book = book_of(typed)
    second = book.tables["Pairings"].first + BOARDS
    where = f"this line belongs to round 1; round 2 begins in row {second}"
    assert said(book) == {(1, 2): f"1 is also on board 1: {where}"}
    assert points(book) == {1: 1.0, 4: 1.0}


def test_what_is_answered_counts() -> None:
    typed = {(2, 1): board(2, 1, "1") | SURE, (2, 2): board(9, None, "bye") | SURE}
    book = book_of(OPENED | typed)
    assert said(book) == {}
    assert marked(book) == set()
    assert points(book) == {1: 1.0, 2: 1.0, 4: 1.0, 9: 2.0}
    assert games(book) == {1: 2, 2: 2, 3: 1, 4: 1}
    assert book.values["Pairings", "A2"] == ""
    assert [cell.code for cell in read_event_book(book.file()).pairings[9]] == ["U", "U"]


def test_an_answer_allows_nothing_else() -> None:
    book = book_of(OPENED | {(1, 4): board(2, 5, "1") | SURE, (2, 1): board(5, None, "1") | SURE})
    assert list(said(book)) == [(1, 4), (2, 1)]
    assert points(book) == {1: 1.0, 4: 1.0, 9: 1.0}


def test_a_game_that_was_not_played_forbids_no_other_one() -> None:
    typed = {(1, 1): board(1, 2, "+"), (2, 1): board(2, 1, "1"), (3, 1): board(1, 2, "1")}
    book = book_of(typed)
    assert list(said(book)) == [(3, 1)]
    with pytest.raises(EventError, match=f"met in round 2.* @ {place(book, (3, 1), 'black')}$"):
        read_event_book(book.file())
    assert games(book) == {1: 1, 2: 1}


@pytest.mark.parametrize(
    ("before", "line", "text"),
    [
        ([(1, 2), (1, 3)], (1, 4), "Player 1 would have the same colour for the third time"),
        ([(2, 1), (3, 1)], (4, 1), "Player 1 would have the same colour for the third time"),
        ([(1, 2), (1, 3)], (4, 1), ""),
    ],
)
def test_a_third_colour_in_a_row_is_said_but_no_fault(
    before: Sequence[Spot], line: Spot, text: str
) -> None:
    typed = {(r, 1): board(*pair, "1") for r, pair in enumerate([*before, line], start=1)}
    book = book_of(typed)
    assert list(said(book)) == [(3, 1)][: len(text)]
    assert said(book).get((3, 1), "").startswith(text)
    assert book.values["Pairings", "A2"] == ""
    assert sum(points(book).values()) == 3
    typed[3, 1] |= SURE
    assert said(book_of(typed)) == {}


def test_a_colour_three_times_more_than_the_other_is_said() -> None:
    """White, White, Black, White and White again; games that were not played have no colour."""
    pairs = [(1, 2), (1, 3), (4, 1), (1, 5), (1, 6)]
    typed = {(r, 1): board(*pair, "1") for r, pair in enumerate(pairs, start=1)}
    asked = "Player 1 would have one colour three times more than the other"
    (found,) = said(book_of(typed, rounds=5)).items()
    assert found[0] == (5, 1)
    assert found[1].startswith(asked)
    typed[4, 1] = board(1, 5, "+")
    assert said(book_of(typed, rounds=5)) == {}


def test_an_opponent_s_colours_are_shown_beside_whoever_has_not_played() -> None:
    book = book_of({(1, 1): board(1, 2, "1"), (2, 1): board(3, 1, None)})
    table, line = book.tables["Pairings"], book.tables["Pairings"].group
    shown = {key: table.cell(key, line).values() for key in ("colours_a", "colours_b")}
    assert shown == {"colours_a": [""], "colours_b": ["w"]}


def test_what_is_missing_is_said_but_no_fault() -> None:
    book = book_of({(1, 1): board(1, 2, None), (1, 2): board(3, None, None)})
    assert said(book) == {
        (1, 1): "Result is missing",
        (1, 2): "Black is missing; for a bye type bye as the result",
    }
    assert marked(book) == set()
    assert book.values["Pairings", "A2"] == ""
    # no point is made of it: nobody knows whether a player is missing or a bye
    with pytest.raises(EventError) as caught:
        read_event_book(book.file(), unplayed=True)
    [problem] = map(str, caught.value.problems)
    asked = "the opponent is missing; for a bye type bye as the result"
    assert problem == f"{asked} @ {place(book, (1, 2), 'black')}"


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
    kind = [int(code) % 10 for code in book.tables["Ties"].cell("code1", 2).numbers()]
    assert kind == [book.names["BYE" if worth == 1 else "REQUESTED"]]


def shown(book: Book, name: str, keys: Sequence[str]) -> list[tuple[Any, ...]]:
    """Columns of a table in the rows that are shown."""
    table = book.tables[name]
    rows = zip(*(table.column(key).values() for key in keys), strict=True)
    return list(compress(rows, shown_rows(table)))


@pytest.mark.parametrize("after", [1, 3, 6])
def test_standings_after_a_round_are_those_of_the_rounds_so_far(after: int) -> None:
    """As of a book in which nobody has typed the later rounds."""
    options = gallery.options("swiss", players=20, rounds=7)
    content = gallery.sample("swiss", options)
    size = options.players // 2 + SPARE
    early = {row: line for row, line in content["Pairings"].items() if row <= after * size}
    chosen = gallery.build("swiss", options, {**content, "Standings_round": after})
    fresh = gallery.build("swiss", options, {**content, "Pairings": early})
    who = ["rank", "no", "name", "rating", "points"]
    for name, keys in (
        ("Standings", [*who, *(f"tie{k}" for k in range(1, 6))]),
        ("Cross", [*who, *(f"seen{r}" for r in range(1, 8))]),
        ("Prizes", ["category", "prize", "name", "points"]),
    ):
        assert shown(chosen, name, keys) == shown(fresh, name, keys), name
    title = str(chosen.values["Standings", "A1"])
    assert title == f"Rivertown Open – Standings after round {after}"


def test_the_crosstable_is_that_of_the_lines() -> None:
    """Every cell says who the opponent was, with which colour, and how it ended."""
    options = gallery.options("swiss", players=20, rounds=7)
    content = gallery.sample("swiss", options)
    book = gallery.build("swiss", options, content)
    size = options.players // 2 + SPARE
    expected: dict[tuple[int, int], str] = {}
    mirror = {"1": "0", "0": "1", "½": "½"}
    for row, line in content["Pairings"].items():
        r, white, black, sign = (row - 1) // size + 1, line["white"], line["black"], line["result"]
        if black is None:
            expected[r, white] = {"bye": "bye 1", "½ bye": "bye ½"}[sign]
        elif sign == "+":
            expected[r, white], expected[r, black] = f"{black}+", f"{white}-"
        else:
            expected[r, white] = f"{black}w{sign}"
            expected[r, black] = f"{white}b{mirror[sign]}"
    rows = shown(book, "Cross", ["no", *(f"seen{r}" for r in range(1, 8))])
    for no, *cells in rows:
        assert cells == [expected.get((r, int(no)), "–") for r in range(1, 8)]
    assert len(rows) == len(content["Players"])


PAIRED: Final = {
    (1, 1): board(1, 2, "1"),
    (1, 2): board(3, None, "½ bye"),
    (1, 3): board(4, 5, "+"),
    (1, 4): board(6, 7, None),
    (2, 1): board(8, None, "bye"),
    (2, 2): board(4, 1, None),
    (2, 3): board(3, 6, "½"),
}


@pytest.mark.parametrize("chosen", [None, 1, 3])
def test_the_list_of_a_round(chosen: int | None) -> None:
    """Games in the order of their boards, then byes, then who is not paired; points are those
    before the round."""
    book = book_of(PAIRED, Pairings_round=chosen)
    keys = ["board", "white", "points_a", "result", "points_b", "black"]
    players = [f"Player {no}" for no in range(1, 10)]
    idle = {2: 0, 5: 0, 7: 0, 9: 0}
    later = [
        (2, players[3], 1, "", 1, players[0]),
        (3, players[2], 0.5, "½ : ½", 0, players[5]),
        ("", players[7], 0, "bye", "", ""),
        *(("", players[no - 1], worth, "–", "", "not paired") for no, worth in idle.items()),
    ]
    first = [
        (1, players[0], 0, "1 : 0", 0, players[1]),
        (3, players[3], 0, "+ : –", 0, players[4]),
        (4, players[5], 0, "", 0, players[6]),
        ("", players[2], 0, "½ bye", "", ""),
        *(("", players[no - 1], 0, "–", "", "not paired") for no in (8, 9)),
    ]
    assert shown(book, "PairingList", keys) == {None: later, 1: first, 3: []}[chosen]
    title = book.values["Pairing list", "A1"]
    assert title == f"Open – Pairing list, round {chosen or 2}"


@pytest.mark.parametrize(
    ("result", "link", "how", "waits"),
    [
        (None, "Go to round 1 – results missing: 1", "1 – 5, 6 – 2", " (results missing: 1)"),
        ("0", "Type here: round 2", "By hand, from Crosstable", ""),
    ],
)
def test_what_is_shown_to_type_into_and_what_is_missing(
    result: str | None, link: str, how: str, waits: str
) -> None:
    """Boards for nine players and one for a bye, in the rounds that have begun and the next."""
    book = book_of({(1, 1): board(1, 2, "1"), (1, 2): board(3, 4, result)})
    rows = shown_rows(book.tables["Pairings"])
    spots = [(i // BOARDS + 1, i % BOARDS + 1) for i, value in enumerate(rows) if value]
    assert spots == [(r, b) for r in (1, 2) for b in range(1, 6)]
    assert book.values["Pairings", "A3"] == link
    assert how in str(book.values["Pairings", "A5"])
    assert book.values["Standings", "A1"] == f"Open – Standings after round 1{waits}"


def test_how_much_is_computed_anew_after_a_typed_result() -> None:
    """What a spreadsheet program must do for one cell: these are bounds, to be lowered."""
    workbook = ready_made_file("swiss-sample.xlsx").workbook
    formulas = Formulas(workbook)
    assert len(formulas.texts) < 9_480
    assert sum(map(len, formulas.texts.values())) < 1_355_000
    table = workbook["Pairings"]
    results = next(cell for cell in table[9] if cell.value == "Result").column
    first = formulas.stale_after("Pairings", 10, results)
    latest = max(row for row in range(10, table.max_row) if table.cell(row, results).value)
    # earlier rounds do not wait for a later one
    assert 1_000 < formulas.stale_after("Pairings", latest, results) < first - 500 < 5_640
