"""A club's book without commands: what its steps read, say and write, in one small book.

``tests/club/test_club*.py`` do the same by the commands and with files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, cast

import pytest

from elo_xl.club.adding import Adding, Taken, add_event, update_ratings
from elo_xl.club.closing import close_period, rate_period
from elo_xl.club.correcting import correct
from elo_xl.club.exporting import club_event, rated_games
from elo_xl.club.ledger import ClubEvent, ClubGame, Ledger, Member, Record
from elo_xl.club.live import step, undo
from elo_xl.events.event import EventError, Game, Player, Problem, Tournament
from elo_xl.hosts.excel_addin.open_books import OpenBook
from elo_xl.lists import keep, store
from elo_xl.lists.layouts import Entry
from elo_xl.templates.gallery import make, options
from elo_xl.templates.opened import EntriesError
from elo_xl.xlsx.edit import NewValue, edited
from elo_xl.xlsx.in_place import read_parts, with_parts

JANUARY, FEBRUARY, MARCH, APRIL = (date(2026, month, 1) for month in (1, 2, 3, 4))


@pytest.fixture(scope="module")
def file() -> bytes:
    """Ada has beaten Bo (20 × 0.36 = 7.2) and drawn with Di, who is unrated, in a closed event."""
    ada = {"name": "Aubert, Ada", "id": "7", "birth": 1990, "title": "WFM", "standard": 1807,
           "standard_games": 51}  # fmt: skip
    bo = {"name": "Blanco, Bo", "birth": 1991, "standard": 1693, "standard_games": 51}
    cy = {"name": "Costa, Cy", "id": "9", "birth": 1992, "standard": 1650, "standard_games": 50}
    event = {"event": "New Year", "kind": "standard", "rulebook": "fide-2025-10"}
    game = {"event": "New Year", "closed": FEBRUARY, "white": "Aubert, Ada", "white_rating": 1800}
    line = {"date": FEBRUARY, "kind": "standard", "games": 1, "games_before": 50}
    content: dict[str, Any] = {
        "Members": [ada, bo, cy, {"name": "Duarte, Di", "birth": 1993}],
        "Events": [event | {"date": JANUARY, "closed": FEBRUARY}],
        "Rated": [
            game | {"black": "Blanco, Bo", "black_rating": 1700, "result": "1"},
            game | {"black": "Duarte, Di", "result": "½"},
        ],
        "History": [
            line | {"name": "Aubert, Ada", "id": "7", "birth": 1990, "rating": 1807, "change": 7,
                    "before": 1800},
            line | {"name": "Blanco, Bo", "birth": 1991, "rating": 1693, "change": -7,
                    "before": 1700},
        ],
    }  # fmt: skip
    return make("club", options("club", players=6, rounds=10), content)


@pytest.fixture
def ledger(file: bytes) -> Ledger:
    return Ledger(file)


def test_dates_whose_order_nothing_decides_are_asked_about(ledger: Ledger) -> None:
    at = Problem("'07/03/26'", 2)
    players = Player(1, "Aubert, Ada"), Player(2, "New, Nil", birth_year=2010, otherwise=(2005, at))
    event = Tournament("Cup", players, {}, (Game(1, 1, 2, 1),), 1, start=MARCH,
                       otherwise=(date(2007, 3, 26), at))  # fmt: skip
    with pytest.raises(EventError) as asked:
        add_event(ledger, event)
    day = f"the first day, '07/03/26', is {MARCH} or 2007-03-26: say which (--date) @ line 2"
    born = "'07/03/26' is a day of 2010 or of 2005: write years in full @ line 2"
    assert [day, born] == list(map(str, asked.value.problems))
    with pytest.raises(EventError) as asked:
        add_event(ledger, event, Adding(day=MARCH))
    assert [born] == list(map(str, asked.value.problems))


def test_an_event_goes_in_and_is_rated_with_the_games_before_it(ledger: Ledger) -> None:
    players = (
        Player(1, "Aubert, Anna", id="7"),
        Player(2, "Blanco, Bo", id="12", federation="MLT"),
        Player(3, "Costa, Cy", id="9"),
        Player(4, "Duarte, Di"),
    )
    games = (Game(3, 1, 2, 0.5), Game(0, 3, 4, 0.0))
    added = add_event(ledger, Tournament("Cup", players, {}, games, 3, start=MARCH))
    assert added.rules == "fide-2025-10"
    assert added.notes == [
        "Aubert, Anna is the member Aubert, Ada, by the ID 7",
        "Blanco, Bo has the ID 12 from now on",
        "the file does not say its kind of play: standard (--kind changes it)",
    ]
    book = Ledger(ledger.changed())
    assert [("Aubert, Ada", 3, "½"), ("Costa, Cy", 0, "0")] == [
        (game.white, game.round, game.result) for game in book.results
    ]
    closed = close_period(book, APRIL)
    # Ada expects 0.66; Di's draw of January counts on
    assert {"Aubert, Ada": (1804, 1), "Blanco, Bo": (1696, 1), "Duarte, Di": (None, 2)} == {
        line.name: (line.new, line.games) for line in closed.lines
    }
    written = book.written_parts().values()
    assert any(b"Rating list as of 1 April 2026" in part for part in written)


def test_what_was_published_is_read_and_found_anew(ledger: Ledger) -> None:
    assert [(1807, 7, "standard"), (1693, -7, "standard")] == [
        (line.rating, line.change, line.kind) for line in ledger.history()
    ]
    games, kind, lists = rated_games(ledger)
    assert (2, None, [FEBRUARY] * 2) == (len(games.score), kind, lists)
    event = club_event(ledger, "new year")
    assert [("7", "WFM", 1800), ("", "", 1700), ("", "", None)] == [
        (player.id, player.title, player.rating) for player in event.players
    ]
    done = correct(ledger)
    assert ([], [], False) == (done.moved, done.kept, done.changed)


def test_what_was_typed_after_the_last_list_stays(ledger: Ledger) -> None:
    ledger.rated[0] = replace(ledger.rated[0], scores=(0.0, 1.0))
    for member, rating in zip(ledger.members, (None, 1750), strict=False):
        member.records["standard"].rating = rating
    done = correct(ledger)
    assert done.kept == [
        "Aubert, Ada, standard: no rating, typed in after the last list",
        "Blanco, Bo, standard: 1750, typed in after the last list",
    ]


def test_a_rating_list_of_the_same_month_is_taken(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(store.FOLDER, str(tmp_path))
    ada = Entry("7", "Aubert, Ada", title="WFM", birth=1990, rating=1807, blitz=1790)
    for month in ("2026-01", "2026-02"):
        keep.write("fide", month, [ada])
    with pytest.raises(EventError, match="fide-2026-01 is older than the last ratings"):
        update_ratings(ledger, "fide-2026-01")
    done = update_ratings(ledger, "fide-2026-02")
    assert ([Taken("Aubert, Ada", "blitz", None, 1790)], []) == (done.ratings, done.facts)


def changed(file: bytes, title: str, cells: Mapping[tuple[int, int], NewValue]) -> bytes:
    return with_parts(file, edited(read_parts(file), {title: cells}))


def test_a_table_that_keeps_half_of_its_headings_is_known(file: bytes) -> None:
    """Of the ten of *Results*, hidden columns too; three of the five stood over entries."""
    heads = {(6, column): f"Head {column}" for column in (2, 3, 4, 7, 8)}
    with pytest.raises(EventError) as refused:
        Ledger(changed(file, "Results", heads))
    assert [("'Event'", "Results!B6"), ("'Round'", "Results!C6"), ("'White'", "Results!D6")] == [
        (problem.what.split()[4], problem.sheet) for problem in refused.value.problems
    ]


def test_a_single_entry_is_found_beside_its_label(file: bytes) -> None:
    moved = {(20, 2): None, (70, 2): "Club or organizer", (70, 3): "Rivertown"}
    assert "Rivertown" == Ledger(changed(file, "Start here", moved)).single("Club")


class Screen:
    """A book that is open, on which nobody else works."""

    def __init__(self, path: Path, file: bytes) -> None:
        self.path, self.file = path, file

    def check(self) -> None: ...

    def typed(self) -> bytes:
        return self.file

    copied = typed

    def write(self, changes: Any) -> None:
        for title, cells in changes.items():
            self.file = changed(self.file, title, cells)


def test_a_step_on_the_screen_is_taken_back_by_its_own_copy(file: bytes, tmp_path: Path) -> None:
    screen = Screen(tmp_path / "club.xlsx", file)
    screen.path.write_bytes(file)
    book = cast("OpenBook", screen)
    _, copy = step(book, "a step", lambda now: now.append("Events", event="Cup"))
    other = copy.rename(tmp_path / copy.name.replace("club", "other"))
    with pytest.raises(EntriesError, match="there is no step to take back"):
        undo(book)
    other.rename(copy)
    assert ("a step", copy) == undo(book)
    assert ["New Year"] == list(Ledger(screen.file).events)


@pytest.mark.parametrize(
    ("games", "e"),
    [
        (9, 5),
        (8, 5),
        (10, 20),
    ],  # 10: the book has not all of them, so nobody knows in how many events
)
def test_a_club_counts_the_events_that_dwz_asks_for(games: int, e: int) -> None:
    """Nine games in one event are the index 1: E is at most 5, not 20."""
    none = {kind: Record() for kind in ("rapid", "blitz")}
    members = {
        name: Member(row, name, records={"standard": Record(1500, games, None), **none})
        for row, name in enumerate(("ada", "bo"), start=1)
    }
    first, second = (
        ClubEvent(row, f"{row}", day, "standard", "dwz", None)
        for row, day in enumerate((JANUARY, MARCH), start=1)
    )
    game = ClubGame(1, "", 1, "ada", "bo", "1", (1.0, 0.0), 1500, 1500)
    closed = rate_period(APRIL, [(second, game)], members, [(first, game)] * 9)
    assert [player.k for player in closed.by_kind["standard"].players] == [800 / (e + 1)] * 2
