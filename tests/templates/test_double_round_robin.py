"""Everybody meets everybody twice and more often: rounds, colours, tie-breaks, and the event."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import combinations, groupby
from typing import Any

import numpy as np
import pytest

from elo_xl.books.book import Book
from elo_xl.events.berger import meeting
from elo_xl.events.books import read_event_book
from elo_xl.events.rate import rate
from elo_xl.events.trf import read_trf
from elo_xl.events.trf_writing import written
from elo_xl.publish.wall import wall_page
from elo_xl.questions.odds.numbers import Rounds
from elo_xl.questions.odds.runs import odds
from elo_xl.templates import gallery
from elo_xl.templates.blocks.tie_breaks import PLACES, TIE_BREAKS, _rooms
from elo_xl.templates.opened import old_book
from elo_xl.templates.round_robin import upper_half
from tests.questions.test_tie_breaks import choice, shown
from tests.questions.test_tie_breaks_in_runs import all_play_all
from tests.questions.test_tie_breaks_oracle import worked_out
from tests.support.berger import TABLES, berger
from tests.support.command import invoke
from tests.support.levels import cases
from tests.support.tie_breaks import FORFEIT_LOST, FORFEIT_WON, PLAYED
from tests.templates.test_round_robin import cells, marked, schedule, status

pytestmark = pytest.mark.slow

Results = dict[tuple[int, int], Any]


def an_event(
    players: int,
    *results: Results,
    out: int | None = None,
    room: int = 0,
    ties: Sequence[str] = ("SB",),
) -> Book:
    """The book of an event with as many cycles as there are results; places from 0."""
    field = [{"name": f"Player {i + 1}", "rating": 2000 - 10 * i} for i in range(players)]
    if out is not None:
        field[out]["out"] = "x"
    chosen = gallery.options("round-robin", players=room or players, rounds=len(results))
    content = {"List_year": 2026, "Players": field, "Cross": upper_half(*results), **choice(ties)}
    return gallery.build("round-robin", chosen, content)


def drawn(players: int, seed: int, signs: str) -> Results:
    chance = random.Random(seed)
    return {pair: chance.choice(signs) for pair in combinations(range(players), 2)}


# -- rounds ---------------------------------------------------------------------------------------


def cycles_of(players: int, cycles: int) -> list[tuple[int, frozenset[int], int]]:
    """Round, pair and White of all games, by the method that makes the printed tables."""
    last = players + players % 2 - 1
    games = []
    for cycle in range(cycles):
        exchanged = cycle % 2 == 0 if last == 3 else cycle < cycles - 1
        for number, white, black in berger(players):
            if white is not None and black is not None:
                swapped = {last: last - 1, last - 1: last} if exchanged and last > 1 else {}
                at = cycle * last + swapped.get(number, number)
                games.append((at, frozenset((white, black)), black if cycle % 2 else white))
    return sorted(games, key=str)


@pytest.mark.parametrize(
    ("players", "cycles", "more"),
    cases(
        [(2, 3, 0), (3, 2, 3), (4, 2, 0), (4, 3, 3), (5, 2, 0), (6, 2, 3), (7, 3, 0), (8, 4, 3)],
        test=[(2, 3, 0), (3, 2, 3), (4, 3, 3), (5, 2, 0)],
    ),
)
def test_every_cycle_is_the_table_with_other_colours(players: int, cycles: int, more: int) -> None:
    book = an_event(players, *[{}] * cycles, room=players + more)
    found = [
        (round, frozenset((white, black)), white)
        for round, white, black in schedule(book)
        if max(white, black) <= players
    ]
    assert sorted(found, key=str) == cycles_of(players, cycles)
    # whoever has the bye is named first, in all cycles
    alone = [black for _, white, black in schedule(book) if max(white, black) > players]
    assert alone == [players + 1] * players * cycles * (players % 2)
    numbers = range(1, players + 1)
    told = {
        (round, frozenset((a, b)), a if white else b)
        for a, b in combinations(numbers, 2)
        for cycle in range(1, cycles + 1)
        for round, white in [meeting(a, b, players + players % 2, cycle, cycles)]
    }
    assert told == set(found)


def test_two_cycles_of_ten_as_fide_recommends() -> None:
    *first, a, b = TABLES[10].split(", ")
    back = [
        " ".join("-".join(reversed(game.split("-"))) for game in round.split())
        for round in (*first, a, b)
    ]
    printed = [
        (number, *map(int, game.split("-")))
        for number, round in enumerate([*first, b, a, *back], start=1)
        for game in round.split()
    ]
    assert schedule(an_event(10, {}, {})) == printed


@pytest.mark.parametrize("cycles", [2, 3, 4])
@pytest.mark.parametrize("players", range(2, 31))
def test_nobody_has_a_colour_three_times_in_a_row(players: int, cycles: int) -> None:
    seats = players + players % 2
    for a in range(1, players + 1):
        colours = {
            round: white == (a < b)
            for b in set(range(1, players + 1)) - {a}
            for cycle in range(1, cycles + 1)
            for round, white in [meeting(a, b, seats, cycle, cycles)]
        }
        assert len(colours) == cycles * (players - 1)
        row = (colours.get(round) for round in range(1, cycles * (seats - 1) + 1))
        assert max(len(list(same)) for white, same in groupby(row) if white is not None) <= 2


# -- tie-breaks -----------------------------------------------------------------------------------

KINDS = {
    "1": (PLAYED, 1.0, 0.0),
    "½": (PLAYED, 0.5, 0.5),
    "0": (PLAYED, 0.0, 1.0),
    "+": (FORFEIT_WON, 1.0, 0.0),
    "-": (FORFEIT_LOST, 0.0, 1.0),
}


def as_rounds(players: int, results: Sequence[Results]) -> Rounds:
    """The rounds of a finished event, the last two of a cycle exchanged as in the book."""
    parts = []
    for cycle, signs in enumerate(results):
        one = all_play_all({pair: KINDS[sign] for pair, sign in signs.items()}, players)
        order = list(range(one.scores.shape[-1]))
        if cycle % 2 == 0 if len(order) == 3 else cycle < len(results) - 1:
            order[-2:] = order[:-3:-1]
        arrays = {name: getattr(one, name)[..., order] for name in Rounds.__slots__}
        parts.append(arrays | {"white": (-1) ** cycle * arrays["white"]})
    return Rounds(
        *(np.concatenate([part[name] for part in parts], axis=-1) for name in Rounds.__slots__)
    )


@pytest.mark.parametrize("seed", range(12))
def test_tie_breaks_are_those_of_gacrux(seed: int) -> None:
    """All games count, those against one opponent twice; so do half of all possible points."""
    chance = random.Random(seed)
    players, cycles = chance.randint(3, 8), 2 if seed % 3 else chance.choice((3, 4))
    results = [drawn(players, 10 * seed + c, "111½½000+-") for c in range(cycles)]
    chosen = chance.sample(["WIN", "BPG", "BWG", "PS", "SB", "KS", "ARO"], 4)
    chosen.insert(chance.randint(0, 4), "DE")
    book = an_event(players, *results, ties=chosen)
    ratings = np.array([2000.0 - 10 * i for i in range(players)])
    figures, ranks = worked_out(as_rounds(players, results), ratings, chosen, True)
    found, columns = shown(book, chosen)
    assert found == ranks
    figured = {code: figure for code, figure in zip(chosen, figures, strict=True) if code != "DE"}
    assert {code: columns[code] for code in figured} == figured


def test_direct_encounter_counts_the_average_of_the_games_that_were_played() -> None:
    """Each of three has won against one and lost against another; two of them met once only."""
    first = {(0, 1): "1", (0, 2): "0", (1, 2): "1", (0, 3): "1", (1, 3): "0", (2, 3): "0"}
    second = {**dict.fromkeys(first, "0"), (1, 2): "1"}
    del second[0, 1]
    book = an_event(4, first, second, ties=["DE"])
    assert cells(book, "Points", "total") == [2.0, 2.0, 2.0, 5.0]
    assert cells(book, "Points", "rank") == [2.0, 2.0, 2.0, 1.0]


def test_more_points_are_in_front_whatever_the_tie_breaks_are() -> None:
    """Of 30 players number 15 beats all the strong ones and number 16 all the weak ones; a strong
    one draws with number 16."""
    results: Results = dict.fromkeys(combinations(range(30), 2), "1")
    results |= {(i, 14): "0" for i in range(14)} | {(14, j): "0" for j in range(16, 30)}
    results |= {(13, 15): "½", (14, 15): "½"}
    book = an_event(30, results, ties=["SB"])
    rank, points = (cells(book, "Points", key)[14:16] for key in ("rank", "total"))
    assert points == [14.5, 15.0]
    assert rank == [15.0, 14.0]


@pytest.mark.parametrize(("players", "cycles"), [(30, 1), (20, 2), (10, 4)])
def test_the_order_is_exact(players: int, cycles: int) -> None:
    """The key of five tie-breaks has no more digits than a number of a cell has."""
    rooms = {t.key: t.rooms for t in TIE_BREAKS if t.round_robin} | _rooms(players, cycles)
    largest = sorted((usual for usual, _ in rooms.values()), reverse=True)[:PLACES]
    assert 4 * (cycles * (players - 1) + 1) * math.prod(largest) < 2**53


# -- what is typed --------------------------------------------------------------------------------


def test_both_games_of_two_players_stand_in_one_cell_of_the_crosstable() -> None:
    book = an_event(3, {(0, 1): "1", (0, 2): "½"}, {(0, 1): "½", (1, 2): "+"})
    grid = [cells(book, "Grid", f"c{j}") for j in (1, 2, 3)]
    assert grid == [["0 ½", "½ ·"], ["1 ½", "· -"], ["½ ·", "· +"]]
    assert cells(book, "Points", "total") == [2.0, 1.5, 0.5]
    page = wall_page(old_book(book.file()))
    assert "1 ½" in [row["c2"] for t in page.tables if t.key == "crosstable" for row in t.rows]


def test_an_entry_of_the_second_cycle_is_marked_where_it_stands() -> None:
    book = an_event(3, {(0, 1): "1"}, {(0, 2): "2", (0, 1): "0"})
    entry = book.tables["Cross"]
    assert marked(book) == [f"{entry.letter('v3_2')}{entry.first}"]
    assert status(book).startswith("Entries that need attention: 1")
    headings = [book.known(entry.sheet, entry.header, entry.at[f"v3{c}"]) for c in ("", "_2")]
    assert headings == ["3a", "3b"]


@pytest.mark.parametrize(("played", "stays"), [(2, False), (3, True)])
def test_half_of_all_games_decide_whether_a_withdrawn_player_counts(
    played: int, stays: bool
) -> None:
    """Six games of four players in two cycles."""
    first = dict.fromkeys(combinations(range(4), 2), "½")
    second = {(a, b): "1" for a, b in first if b != 3}
    for pair in [(0, 3), (1, 3), (2, 3)][: 3 - played]:
        del first[pair]
    book = an_event(4, first, second, out=3)
    assert ("Player 4" in cells(book, "Standings", "name")) == stays
    event = read_event_book(book.file())
    assert event.complete is not None
    forfeits = [c for c in event.complete(event).pairings[4] if c.code == "-"]
    assert len(forfeits) == (6 - played if stays else 0)


# -- the event ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "cycles"), [(6, 1), (4, 2), (5, 3)])
def test_the_event_of_a_book_is_rated_as_the_book_rates_it(players: int, cycles: int) -> None:
    results = [drawn(players, cycle, "1½0") for cycle in range(cycles)]
    book = an_event(players, *results)
    event = read_event_book(book.file())
    assert event.complete is not None
    report = event.complete(event)
    assert ("192 FIDE_DOUBLEROUNDROBIN" in report.records) == (cycles == 2)
    back = read_trf(written(report).content)
    assert len(back.games) == len(event.games) == cycles * len(results[0])
    whites = {
        (cell.round, frozenset((number, cell.opponent)), number)
        for number, row in back.pairings.items()
        for cell in row
        if cell.colour == "w"
    }
    assert sorted(whites, key=str) == cycles_of(players, cycles)
    changes = book.tables["Ratings"].column("change").numbers()
    for one in (event, back):
        found = {p.player.name: p.change for p in rate(one, "fide").players}
        assert [found[f"Player {n}"] for n in range(1, players + 1)] == pytest.approx(changes)


def test_odds_know_what_is_still_to_come() -> None:
    first = drawn(4, 1, "1½0")
    second = dict(list(drawn(4, 2, "1½0").items())[:4])
    found = odds(read_event_book(an_event(4, first, second).file()))
    assert found.games == 2
    whole = odds(read_event_book(an_event(4, first, {}, {}).file()))
    assert whole.games == 12
    # of a book of one cycle another one is asked for
    assert odds(read_event_book(an_event(4, first).file()), rounds=6).games == 6


# -- the command ----------------------------------------------------------------------------------


def test_a_book_of_one_cycle_grows(tmp_path: Any) -> None:
    old, new = tmp_path / "one.xlsx", tmp_path / "two.xlsx"
    old.write_bytes(an_event(4, {(0, 3): "1", (1, 2): "½"}).file())
    done = invoke("new", "--from", old, "--rounds", "2", "-o", new)
    assert done.exit_code == 0, done.output
    found = old_book(new.read_bytes())
    assert found.options.rounds == 2
    assert found.content["Cross"] == {1: {"v4": "1"}, 2: {"v3": "½"}}
    refused = invoke("new", "round-robin", "--rounds", "14", "-o", new)
    assert refused.exit_code == 2
    assert "takes --rounds 1 to 4" in refused.output
