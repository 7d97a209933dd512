"""A round robin for as many players as there are, and the slips that people make in it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from elo_xl.books.book import Book
from elo_xl.events.books import read_event_book
from elo_xl.events.event import EventError
from elo_xl.templates import gallery
from elo_xl.templates.round_robin import upper_half
from elo_xl.xlsx.fill import column_letters
from tests.support import marks
from tests.support.berger import TABLES, berger
from tests.support.calc import Calc
from tests.support.shown_rows import shown_rows

pytestmark = pytest.mark.slow

Results = Mapping[tuple[int, int], Any]


def an_event(
    names: int | list[str | None],
    results: Results | None = None,
    *,
    room: int = 10,
    out: tuple[int, ...] = (),
    **more: Any,
) -> Book:
    """The book of an event; players and results by places from 0."""
    listed = [f"Player {i}" for i in range(1, names + 1)] if isinstance(names, int) else names
    players = [
        {"name": name, "rating": 2000 - 10 * i, "out": "x" if i in out else None} if name else {}
        for i, name in enumerate(listed)
    ]
    content = {"List_year": 2026, "Players": players, "Cross": upper_half(results or {}), **more}
    return gallery.build("round-robin", gallery.options("round-robin", players=room), content)


def cells(book: Book, table: str, key: str) -> list[Any]:
    return [value for value in book.tables[table].column(key).values() if value not in (None, "")]


def status(book: Book) -> str:
    """The second line of every sheet: how many entries need attention."""
    assert book.computed is not None
    return str(book.computed.value(book.sheets["entry"].title, 2, 1) or "")


def marked(book: Book) -> list[str]:
    """The cells of *Results* that are marked as wrong."""
    found = sorted(marks.marked(book, book.sheets["entry"].title))
    return [f"{column_letters(column)}{row}" for row, column in found]


def schedule(book: Book) -> list[tuple[int, ...]]:
    """Round and both numbers of all games on *Rounds*."""
    columns = (book.tables["Rounds"].column(k).values() for k in ("round", "white_no", "black_no"))
    return [tuple(map(int, row)) for row in zip(*columns, strict=True) if row[0] != ""]


# -- the rounds -----------------------------------------------------------------------------------


@pytest.mark.parametrize("players", TABLES)
def test_rounds_are_those_of_the_printed_tables(players: int) -> None:
    rounds = TABLES[players].split(", ")
    printed = [
        (number, *map(int, game.split("-")))
        for number, games in enumerate(rounds, start=1)
        for game in games.split()
    ]
    book = an_event(players)
    assert schedule(book) == printed
    lines = zip(*(book.tables["Days"].column(f"b{b}").values() for b in range(1, 6)), strict=True)
    shown = [" ".join(str(cell) for cell in line if cell) for line in lines]
    assert [line.replace("–", "-") for line in shown if line] == rounds


@pytest.mark.parametrize("players", [2, 3, 5, 9])
def test_rounds_for_any_number_of_players(players: int) -> None:
    games = [
        (r, *(players + 1 if no is None else no for no in pair)) for r, *pair in berger(players)
    ]
    book = an_event(players)
    if players % 2:  # the bye stands last, and the player who has it first
        assert {(r, frozenset(pair)) for r, *pair in schedule(book)} == {
            (r, frozenset(pair)) for r, *pair in games
        }
        last = [game for game in schedule(book) if players + 1 in game]
        assert [black for _, _, black in last] == [players + 1] * players
        assert cells(book, "Rounds", "black").count("bye") == players
    else:
        assert schedule(book) == games
    names = set(cells(book, "Rounds", "white")) | set(cells(book, "Rounds", "black"))
    assert names - {"bye"} == {f"Player {i}" for i in range(1, players + 1)}


def test_one_player_or_none_has_no_rounds() -> None:
    for players in (0, 1):
        book = an_event(players)
        assert schedule(book) == []
        assert [shown_rows(book.tables[table]) for table in ("Grid", "Board", "Days")] == [
            [False] * 10,
            [False] * 5,
            [False] * 9,
        ]


def test_a_blank_line_is_a_free_number() -> None:
    book = an_event(["A", None, "C", "D"], {(0, 2): "1"})
    assert len(schedule(book)) == 6
    assert [cells(book, "Rounds", key).count("bye") for key in ("white", "black")] == [2, 1]
    assert cells(book, "Points", "total") == [1.0, 0.0, 0.0]
    assert status(book) == ""


# -- slips ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("results", "cell"),
    [({(0, 1): "?"}, "F7"), ({(1, 3): "1-1"}, "H8"), ({(0, 5): "1"}, "J7"), ({(7, 9): "½"}, "N14")],
)
def test_only_the_cell_at_fault_is_marked(results: Results, cell: str) -> None:
    """An entry that is no result, and a result of somebody who is not there."""
    book = an_event(4, {(0, 2): "1", **results})
    assert marked(book) == [cell]
    assert status(book) == f"Entries that need attention: 1 – the first one: Results!{cell}"
    assert cells(book, "Points", "total") == [1.0, 0.0, 0.0, 0.0]


def test_missing_results_are_said_but_no_fault() -> None:
    typed = {(0, 3): "1", (1, 2): "0", (0, 1): "½"}  # round 1, and a game of round 2
    book = an_event(4, typed)
    assert (marked(book), status(book)) == ([], "")
    # Player 4 has White against Player 3, but the result is typed in Player 3's row
    assert book.tables["Cross"].column("late").values()[:4] == [0.0, 0.0, 1.0, 0.0]
    computed = book.computed
    assert computed is not None
    title = book.sheets["standings"].title
    assert computed.value(title, 1, 1) == "Standings, games played: 3 / 6"
    done = an_event(4, {(0, 3): "1", (1, 2): "0"})
    assert done.computed is not None
    assert done.computed.value(title, 1, 1) == "Standings after round 1"
    assert done.computed.value(done.sheets["pairings"].title, 1, 1) == "Round 2"


def test_every_notation_is_shown_in_one_form() -> None:
    typed = {(0, 1): "0,5", (0, 2): "W", (0, 3): "1–0", (1, 2): 0.5, (1, 3): " 0 - 1 ", (2, 3): "+"}
    book = an_event(4, typed)
    grid = [book.tables["Grid"].column(f"c{j}").values()[:4] for j in range(1, 5)]
    assert [[cell or "" for cell in row] for row in zip(*grid, strict=True)] == [
        ["", "½", "1", "1"],
        ["½", "", "½", "0"],
        ["0", "½", "", "+"],
        ["0", "1", "-", ""],
    ]
    mirrored = [book.tables["Cross"].column(f"v{j}").values()[3] for j in range(1, 4)]
    assert mirrored == ["0", "1", "-"]
    by_pair = {(1, 4): "1 : 0", (2, 3): "½ : ½", (4, 3): "- : +", (1, 2): "½ : ½"}
    by_pair |= {(2, 4): "0 : 1", (3, 1): "0 : 1"}
    pairs = [(white, black) for _, white, black in schedule(book)]
    assert cells(book, "Rounds", "result") == [by_pair[pair] for pair in pairs]


# -- withdrawn ------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["x", "X", " yes", "Sí", "да", "ja", "х", True, 1])
def test_a_yes_withdraws_a_player_who_is_paired_nowhere(typed: object) -> None:
    people = [{"name": name, "rating": 1700} for name in "ABCDE"]
    people[1] |= {"out": typed}
    chosen = gallery.options("round-robin", players=6)
    book = gallery.build("round-robin", chosen, {"Players": people, "Round_shown": 1})
    assert "B" not in cells(book, "Standings", "name")
    sides = {key: list(book.tables["Board"].column(key).values()) for key in ("white", "black")}
    assert [("bye", "E"), ("C", "D"), ("A", "bye")] == list(zip(*sides.values(), strict=True))
    assert {"A", "C", "D", "E", "bye"} == {
        *cells(book, "Rounds", "white"),
        *cells(book, "Rounds", "black"),
    }
    assert "" == status(book)


def test_what_is_no_yes_is_marked_and_withdraws_nobody() -> None:
    people = [{"name": name, "rating": 1700} for name in "ABCD"]
    people[1] |= {"out": "no"}
    chosen = gallery.options("round-robin", players=4)
    book = gallery.build("round-robin", chosen, {"Players": people})
    assert ["A", "B", "C", "D"] == cells(book, "Standings", "name")
    assert ["Withdrawn is neither a yes (x) nor blank"] == cells(book, "Players", "check")
    assert status(book).startswith("Entries that need attention: 1")
    with pytest.raises(EventError, match="expected x or blank, got 'no'"):
        read_event_book(book.file(), unplayed=True)


def test_a_game_that_was_played_stays_on_the_wall() -> None:
    book = an_event(4, {(0, 3): "1"}, room=4, out=(3,), Round_shown=1)
    assert "Player 4" in cells(book, "Board", "black")


@pytest.mark.parametrize("seed", range(8))
def test_whoever_withdraws_counts_from_half_of_the_games_on(seed: int) -> None:
    """FIDE's competition rules: with fewer than half of the games played, nobody's points against
    the player count; otherwise all do, and the games that are missing are forfeits."""
    chance = random.Random(seed)
    size = chance.randint(4, 9)
    out = chance.randrange(size)
    results = {pair: chance.choice("1½0+-") for pair in combinations(range(size), 2)}
    own = [pair for pair in results if out in pair]
    for pair in chance.sample(own, chance.randint(0, size - 1)):
        del results[pair]
    played = sum(out in pair and sign in "1½0" for pair, sign in results.items())
    stays = 2 * played >= size - 1
    worth = {"1": (1.0, 0.0), "½": (0.5, 0.5), "0": (0.0, 1.0), "+": (1.0, 0.0), "-": (0.0, 1.0)}
    points = [0.0] * size
    for i, j in combinations(range(size), 2):
        sign = results.get((i, j), "+" if j == out else "-")
        if stays or out not in (i, j):
            points[i] += worth[sign][0]
            points[j] += worth[sign][1]
    book = an_event(size, results, out=(out,))
    found = cells(book, "Points", "total")
    others = [i for i in range(size) if stays or i != out]
    assert [found[i] for i in others] == [points[i] for i in others]
    places = cells(book, "Standings", "name")
    assert (f"Player {out + 1}" in places) == stays
    assert status(book) == ""


# -- room -----------------------------------------------------------------------------------------


def test_a_few_players_in_a_large_book_look_like_a_small_one(calc: Calc, tmp_path: Path) -> None:
    """Every sheet that is printed has the same words, and nothing of unused rows and columns."""
    content = gallery.sample("round-robin", gallery.options("round-robin", players=6))
    paths = {room: tmp_path / f"{room}.xlsx" for room in (6, 12)}
    for room, path in paths.items():
        options = gallery.options("round-robin", players=room)
        path.write_bytes(gallery.make("round-robin", options, content))
    small, large = (
        dict(pages(pdf)) for pdf in calc.convert_all(list(paths.values()), "pdf", limit=120)
    )
    for title in ("Results", "Berger table", "Crosstable", "Final standings", "Rounds", "Prizes"):
        assert small[title] == large[title], title


def pages(pdf: Path) -> Iterator[tuple[str, list[str]]]:
    """Title and words of the pages of an event, the first page of a sheet last."""
    for page in reversed(list(pypdfium2.PdfDocument(pdf))):
        lines = page.get_textpage().get_text_bounded().splitlines()
        for line in lines:
            event, _, title = line.partition(" – ")
            if event == "Rivertown Masters":
                body = [one for one in lines if not re.search(r"^Printed|Page \d+$", one)]
                yield title, " ".join(body).split()
