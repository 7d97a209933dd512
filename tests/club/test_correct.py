"""Corrections in a club's book: a book without changes agrees with its games, whatever was typed
between its lists; a corrected result moves every later rating, by figures worked out by hand from
FIDE's table 8.1.2; and what cannot be read is named."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from elo_xl.languages import CODES
from elo_xl.templates.gallery import make, options, sample
from tests.support.clubs import FOUR, club, games_file, rows, typed
from tests.support.command import run_in_a_line as run
from tests.support.levels import cases

pytestmark = pytest.mark.slow

AGREE = "published ratings agree with the games"


def unchanged(book: Path) -> str:
    """What ``correct`` says of a book that has no difference, which it leaves alone."""
    before, files = book.read_bytes(), len(list(book.parent.iterdir()))
    text = run("correct", book)
    assert "agree with the games" in text, text
    assert "Does not move" not in text
    assert "differ" not in text
    assert before == book.read_bytes()
    assert files == len(list(book.parent.iterdir()))
    return text


def event(book: Path, name: str, day: str, *games: str, words: tuple[str, ...] = ()) -> None:
    run("add", book, games_file(book.parent, *games), "--name", name, "--date", day, *words)


@pytest.fixture(scope="module")
def closed_twice(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Ada beats Bo in the first list, and Cy in the second one."""
    book = club(tmp_path_factory.mktemp("club") / "club.xlsx", FOUR, players=6, rounds=12)
    event(book, "First", "2026-01-10", "Aubert, Ada;Blanco, Bo;1-0")
    run("close", book, "--date", "2026-02-01")
    event(book, "Second", "2026-02-10", "Aubert, Ada;Costa, Cy;1-0")
    run("close", book, "--date", "2026-03-01")
    return book.read_bytes()


@pytest.fixture
def two_lists(closed_twice: bytes, tmp_path: Path) -> Path:
    book = tmp_path / "club.xlsx"
    book.write_bytes(closed_twice)
    return book


def ratings(book: Path, column: str = "Standard") -> list[Any]:
    return [row[column] for row in rows(book, "Members")]


def published(book: Path) -> list[tuple[Any, ...]]:
    columns = ("Name", "Rating", "Change", "Games", "Rating before", "Games before")
    return [tuple(row[column] for column in columns) for row in rows(book, "Rating history")]


# -- books without changes ------------------------------------------------------------------------


def test_a_book_agrees_with_its_games_whatever_was_typed_between_its_lists(tmp_path: Path) -> None:
    book = club(tmp_path / "club.xlsx", FOUR, players=6, rounds=12)
    assert "0 lists, 0 games: 0 published ratings agree" in unchanged(book)
    event(book, "January", "2026-01-10", "Aubert, Ada;Blanco, Bo;1-0", "Costa, Cy;Duarte, Di;0-1")
    event(book, "Rapid", "2026-01-11", "Aubert, Ada;Blanco, Bo;1-0", "Duarte, Di;Costa, Cy;½-½",
          words=("--kind", "rapid"))  # fmt: skip
    run("close", book, "--date", "2026-02-01")
    assert f"1 list, 4 games: 4 {AGREE}" in unchanged(book)
    # the federation's list: another standard rating, one for the unrated, and one in rapid
    typed(book, "Members", {(1, "standard"): 1850, (1, "standard_games"): 60,
                            (1, "standard_peak"): 2410, (4, "standard"): 1600,
                            (3, "rapid"): 1500, (2, "name"): "Blanco, Bea"})  # fmt: skip
    typed(book, "History", {(2, "name"): "Blanco, Bea", (4, "name"): "Blanco, Bea"})
    typed(book, "Rated", {(1, "black"): "Blanco, Bea", (3, "black"): "Blanco, Bea"})
    unchanged(book)
    event(book, "March", "2026-03-10", "Aubert, Ada;Blanco, Bea;0-1", "Costa, Cy;Duarte, Di;1-0",
          "Guest, Gus;Costa, Cy;1-0", words=("--new",))  # fmt: skip
    event(book, "Blitz", "2026-03-11", "Aubert, Ada;Blanco, Bea;+", "Costa, Cy;Duarte, Di;0-0",
          words=("--kind", "blitz"))  # fmt: skip
    unchanged(book)  # whatever is still open
    run("close", book, "--date", "2026-04-01", "--rules", "fide-2024-03")
    unchanged(book)
    # one has left; the birth year of another became known only now, and moves no past K
    typed(book, "Members", {(2, "out"): "x", (3, "birth"): None})
    typed(book, "History", {(row, "birth"): None for row in range(1, 9)})
    typed(book, "Members", {(3, "birth"): 2012, (5, "standard"): 1700})
    unchanged(book)
    event(book, "Old rules", "2026-05-10", "Aubert, Ada;Costa, Cy;0-1", "Guest, Gus;Costa, Cy;1-0")
    typed(book, "Events", {(5, "rulebook"): None})
    run("close", book, "--date", "2026-06-01")
    assert "3 lists, 10 games" in unchanged(book)
    named = [row["Rules"] for row in rows(book, "Events")]
    assert ["fide-2025-10", "fide-rapid", *["fide-2024-03"] * 2, "fide-2025-10"] == named


def test_the_standard_rating_that_rapid_began_with_may_change_by_hand(tmp_path: Path) -> None:
    book = club(tmp_path / "club.xlsx", FOUR, players=6, rounds=12)
    game = "Aubert, Ada;Blanco, Bo;1-0"
    event(book, "Rapid", "2026-01-10", game, words=("--kind", "rapid"))
    run("close", book, "--date", "2026-02-01")
    typed(book, "Members", {(1, "standard"): 1900, (2, "standard"): 1750})
    unchanged(book)
    event(book, "Rapid 2", "2026-02-10", game, words=("--kind", "rapid"))
    run("close", book, "--date", "2026-03-01")
    unchanged(book)


@pytest.mark.parametrize("language", cases(CODES, test=("en", "ru")))
def test_the_sample_agrees(tmp_path: Path, language: str) -> None:
    chosen = options("club", language=language, players=20, rounds=20)
    book = tmp_path / "club.xlsx"
    book.write_bytes(make("club", chosen, sample("club", chosen)))
    assert f"1 list, 10 games: 16 {AGREE}" in unchanged(book)


# -- corrections ----------------------------------------------------------------------------------


def test_a_mended_result_moves_all_later_ratings(two_lists: Path) -> None:
    book = two_lists
    # 1800 - 1700: 20 × (1 − 0.64) = 7.2; 1807 - 1650: 20 × (1 − 0.71) = 5.8
    assert [1813, 1693, 1644, None] == ratings(book)
    typed(book, "Rated", {(1, "result"): "½"})
    corrected = book.read_bytes()
    shown = run("correct", book, "--dry-run")
    assert corrected == book.read_bytes()
    # 20 × (0.5 − 0.64) = −2.8; 1797 - 1650: 20 × (1 − 0.70) = 6
    for line in (
        "Aubert, Ada standard 2026-02-01 1807 1797 -10 1",
        "Blanco, Bo standard 2026-02-01 1693 1703 +10 1",
        "Aubert, Ada standard 2026-03-01 1813 1803 -10 1",
        "2 lists, 2 games: 3 of 4 published ratings differ, of 2 members; by -10 in all",
        "in all, at most by 10",
        "Ratings beside the games that differ: 1",
    ):
        assert line in shown
    assert "Before it was: club (" in run("correct", book)
    assert [1803, 1703, 1644, None] == ratings(book)
    assert [None] * 4 == ratings(book, "Highest, standard")  # never typed: never known
    assert [52, 51, 51, None] == ratings(book, "Games, standard")
    assert [
        ("Aubert, Ada", 1797, -3, 1, 1800, 50),
        ("Blanco, Bo", 1703, 3, 1, 1700, 50),
        ("Aubert, Ada", 1803, 6, 1, 1797, 51),
        ("Costa, Cy", 1644, -6, 1, 1650, 50),
    ] == published(book)
    assert [1800, 1797] == [row["Rating of White"] for row in rows(book, "Rated games")]
    unchanged(book)
    assert "Taken back: correct" in run("undo", book)
    assert corrected == book.read_bytes()


def test_games_that_were_missing_and_games_that_never_were(two_lists: Path) -> None:
    book = two_lists
    emptied = ("event", "round", "white", "black", "result", "closed", "white_rating")
    typed(book, "Rated", {(1, column): None for column in (*emptied, "black_rating")})
    typed(book, "Rated", {(3, "event"): "First", (3, "white"): "Costa, Cy",
                          (3, "black"): "Duarte, Di", (3, "result"): 1,
                          (4, "event"): "Second", (4, "white"): "Blanco, Bo",
                          (4, "black"): "Costa, Cy", (4, "result"): "½"})  # fmt: skip
    text = run("correct", book)
    assert "Aubert, Ada standard 2026-02-01 1807 - 1 → 0" in text
    assert "Blanco, Bo standard 2026-03-01 - 1699 0 → 1" in text
    assert "Games typed in since: 2" in text
    # 1800 - 1650 and 1700 - 1650: 20 × 0.3, and 20 × (0.5 − 0.57) = −1.4
    assert [1806, 1699, 1645, None] == ratings(book)
    assert [51, 51, 52, None] == ratings(book, "Games, standard")
    assert [None] * 4 == ratings(book, "Highest, standard")
    assert {("Aubert, Ada", 1806, 6, 1, 1800, 50), ("Costa, Cy", 1645, -5, 2, 1650, 50),
            ("Blanco, Bo", 1699, -1, 1, 1700, 50)} == set(published(book))  # fmt: skip
    games = rows(book, "Rated games")
    assert [(1800, 1650), (1650, None), (1700, 1650)] == [
        (row["Rating of White"], row["Rating of Black"]) for row in games
    ]
    assert {date(2026, 2, 1), date(2026, 3, 1)} == {row["Closed"].date() for row in games}
    unchanged(book)


def test_a_first_rating_that_should_not_have_been(tmp_path: Path) -> None:
    book = club(tmp_path / "club.xlsx", FOUR, players=6, rounds=12)
    event(book, "First", "2026-01-10", "Aubert, Ada;Duarte, Di;½-½", "Duarte, Di;Blanco, Bo;1-0",
          "Costa, Cy;Duarte, Di;½-½", "Aubert, Ada;Duarte, Di;½-½",
          "Duarte, Di;Blanco, Bo;1-0")  # fmt: skip
    run("close", book, "--date", "2026-02-01")
    event(book, "Second", "2026-02-10", "Duarte, Di;Costa, Cy;1-0")
    run("close", book, "--date", "2026-03-01")
    before = ratings(book)
    assert before[3] is not None
    typed(book, "Rated", {(3, "result"): "-"})  # lost by forfeit: four games are too few
    text = run("correct", book, "--dry-run")
    assert f"Duarte, Di standard 2026-02-01 {rows(book, 'Rating history')[0]['Rating']} -" in text
    # but with the game of February there are five
    assert "Duarte, Di standard 2026-03-01" in text
    run("correct", book)
    assert 1 == [row["Name"] for row in rows(book, "Rating history")].count("Duarte, Di")
    assert [None, None] == [rows(book, "Rated games")[i]["Rating of White"] for i in (1, 5)]
    assert 5 == ratings(book, "Games, standard")[3]
    unchanged(book)


def test_facts_that_decide_k_and_the_rulebook(two_lists: Path) -> None:
    book = two_lists
    # a birth year that was wrong from the beginning: K 40 for juniors
    typed(book, "Members", {(1, "birth"): 2012})
    text = run("correct", book)
    assert "Aubert, Ada standard 2026-02-01 1807 1814 +7 1" in text  # 40 × 0.36 = 14.4
    unchanged(book)
    # fewer than 30 games before: K 40
    typed(book, "History", {(2, "games_before"): 10})
    typed(book, "Members", {(2, "standard_games"): 11})
    assert "Blanco, Bo standard 2026-02-01 1693 1686 -7 1" in run("correct", book)
    assert 11 == ratings(book, "Games, standard")[1]
    unchanged(book)
    typed(book, "Events", {(1, "rulebook"): "elo"})
    run("correct", book)
    unchanged(book)
    # what somebody began with
    typed(book, "History", {(2, "before"): 1750})
    assert "Blanco, Bo standard 2026-02-01" in run("correct", book)
    assert 1750 == rows(book, "Rated games")[0]["Rating of Black"]
    unchanged(book)


def test_what_was_typed_between_the_lists_stays(tmp_path: Path) -> None:
    book = club(tmp_path / "club.xlsx", FOUR, players=6, rounds=12)
    event(book, "First", "2026-01-10", "Aubert, Ada;Blanco, Bo;1-0")
    run("close", book, "--date", "2026-02-01")
    typed(book, "Members", {(1, "standard"): 1820})
    event(book, "Second", "2026-02-10", "Aubert, Ada;Costa, Cy;1-0")
    run("close", book, "--date", "2026-03-01")
    typed(book, "Members", {(2, "standard"): 1690})
    typed(book, "Rated", {(1, "result"): "0"})
    before = ratings(book)
    text = run("correct", book)
    assert "Does not move: Aubert, Ada, standard: 1820, typed in before the list of 2026-03-01" in (
        text
    )
    assert "Does not move: Blanco, Bo, standard: 1690, typed in after the last list" in text
    assert before == ratings(book)
    assert "2 of 4 published ratings differ" in text
    unchanged(book)


def test_a_list_without_games_is_left_alone(two_lists: Path) -> None:
    book = two_lists
    before = published(book)
    emptied = ("event", "round", "white", "black", "result", "closed", "white_rating")
    typed(book, "Rated", {(2, column): None for column in (*emptied, "black_rating")})
    assert f"1 list, 1 game: 2 {AGREE}" in unchanged(book)
    typed(book, "Rated", {(1, "result"): "½"})
    text = run("correct", book)
    assert "Does not move: Aubert, Ada, standard: the list of 2026-03-01 has no games here" in text
    assert [before[2:], (1797, 1703)] == [published(book)[2:], tuple(
        line[1] for line in published(book)[:2])]  # fmt: skip
    assert [1813, 1703, 1644, None] == ratings(book)


# -- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "cells", "message"),
    [
        ("Members", {(2, column): None for column in (
            "name", "birth", "standard", "standard_games", "standard_peak")},
         "'Blanco, Bo' is no member; those who left stay on the sheet of members, with an x @ "),
        ("Rated", {(1, "event"): "Nothing"}, "'Nothing' is not on the sheet of events @ Rated"),
        ("Rated", {(1, "closed"): date(2026, 3, 1)},
         "the game counts for 2026-03-01, its event for 2026-02-01 @ Rated games!C"),
        ("Rated", {(1, "result"): "2-1"}, "got '2-1'"),
        ("Events", {(1, "closed"): None}, "the event 'First' is not closed @ Rated games!C"),
        ("Events", {(1, "rulebook"): "nothing"}, "nothing"),
        ("History", {(1, "before"): None},
         "the rating of 'Aubert, Ada' before the list of 2026-02-01 is missing @ Rating history!C"),
        ("History", {(1, "change"): "much"}, "change is not a number: 'much' @ Rating history!G"),
        ("History", {(1, "rating"): None}, "a date, a name, a kind or a rating is missing"),
        ("History", {(2, "name"): "Aubert, Ada"},
         "'Aubert, Ada' stands twice for standard on 2026-02-01 @ Rating history!C"),
        ("History", {(2, "name"): "Nobody"}, "'Nobody' is no member; those who left"),
    ],
)  # fmt: skip
def test_nothing_is_corrected_while_an_entry_is_wrong(
    two_lists: Path, table: str, cells: dict[tuple[int, str], Any], message: str
) -> None:
    book = two_lists
    typed(book, table, cells)
    before = book.read_bytes()
    assert message in run("correct", book, code=1)
    assert before == book.read_bytes()


def test_events_of_one_list_need_one_rulebook(tmp_path: Path) -> None:
    book = club(tmp_path / "club.xlsx", FOUR, players=6, rounds=12)
    event(book, "First", "2026-01-10", "Aubert, Ada;Blanco, Bo;1-0")
    event(book, "Second", "2026-01-12", "Aubert, Ada;Blanco, Bo;1-0")
    run("close", book, "--date", "2026-02-01")
    typed(book, "Events", {(2, "rulebook"): "elo"})
    text = run("correct", book, code=1)
    assert "list of 2026-02-01: the standard events of one list have several rulebooks" in text


def test_a_line_of_ones_own_in_the_history_is_left_alone(two_lists: Path) -> None:
    book = two_lists
    own = {"date": date(2026, 2, 1), "name": "Costa, Cy", "kind": "standard", "rating": 1650}
    typed(book, "History", {(9, column): value for column, value in own.items()})
    typed(
        book,
        "History",
        {
            (10, column): value
            for column, value in (
                own | {"date": date(2019, 1, 1), "games": 4, "name": "Somebody else"}
            ).items()
        },
    )
    unchanged(book)
    typed(book, "Rated", {(3, "event"): "First", (3, "white"): "Costa, Cy",
                          (3, "black"): "Blanco, Bo", (3, "result"): "1"})  # fmt: skip
    assert "Costa, Cy standard 2026-02-01" in run("correct", book)
    assert 7 == len(published(book))
    unchanged(book)


# -- why members have their ratings ----------------------------------------------------------------


def test_a_member_is_told_why(two_lists: Path, tmp_path: Path) -> None:
    """The last list, or one by its date, with the ratings before it; table 8.1.2 gives 0.64 for 100
    points and 0.71 for 157."""
    letter = tmp_path / "letter.html"
    text = run("explain", two_lists, "Ada", "-o", letter)
    assert "Rating list 2026-03-01, standard" in text
    assert "Second 1 Costa, Cy 1650 1 0.71" in text
    assert "Blanco" not in text
    assert "Second" in letter.read_text("utf-8")
    text = run("explain", two_lists, "Aubert, Ada", "--date", "2026-02-01", "--lang", "es")
    assert "Lista de rating 01/02/2026, clásico" in text
    assert "0,64" in text
    assert "Blanco, Bo" in text
    assert "rating nuevo 1807" in text
    told = json.loads(run("explain", two_lists, "7", "--json"))
    assert ("Aubert, Ada", "2026-03-01") == (told["player"], told["list"])
    assert published(two_lists)[-2][:2] == ("Aubert, Ada", told["kinds"]["standard"]["new"])


def test_events_of_a_list_stand_beside_their_games(tmp_path: Path) -> None:
    book = club(tmp_path / "club.xlsx", FOUR, players=6, rounds=12)
    event(book, "First", "2026-01-10", "Aubert, Ada;Blanco, Bo;1-0")
    event(book, "Cup", "2026-01-12", "Blanco, Bo;Aubert, Ada;1-0")
    run("close", book, "--date", "2026-02-01")
    games = json.loads(run("explain", book, "Ada", "--json"))["kinds"]["standard"]["games"]
    assert [("First", 1, 1), ("Cup", 1, 0)] == [
        (game["event"], game["round"], game["score"]) for game in games
    ]


def test_a_letter_of_two_kinds_of_play_has_both(tmp_path: Path) -> None:
    book, letter = tmp_path / "club.xlsx", tmp_path / "letter.json"
    club(book, FOUR, players=6, rounds=12)
    event(book, "First", "2026-01-10", "Aubert, Ada;Costa, Cy;1-0")
    event(book, "Fast", "2026-01-12", "Costa, Cy;Aubert, Ada;1-0", words=("--kind", "blitz"))
    run("close", book, "--date", "2026-02-01")
    run("explain", book, "Costa", "-o", letter)
    told = json.loads(letter.read_text("utf-8"))
    assert [("games1", "First"), ("games2", "Fast")] == [
        (table["key"], table["rows"][0]["event"]) for table in told["tables"]
    ]


def test_what_is_not_explained_of_a_club(two_lists: Path) -> None:
    before = two_lists.read_bytes()
    said = run("explain", two_lists, "Ada", "--date", "2026-02-02", code=1)
    assert "no games in the list of 2026-02-02; there are some in 2026-02-01, 2026-03-01" in said
    assert "no games in a closed list" in run("explain", two_lists, "Duarte", code=1)
    assert "no player 'Zoe' in the club" in run("explain", two_lists, "Zoe", code=1)
    assert "has its own rules" in run("explain", two_lists, "Ada", "--k", "20", code=2)
    assert "elo-xl export" in run("norms", two_lists, code=1)
    assert before == two_lists.read_bytes()


def test_a_list_that_was_published_otherwise_is_told(two_lists: Path) -> None:
    typed(two_lists, "Rated", {(1, "result"): "0-1"})
    assert "1807 was published, the games now give 1787" in run(
        "explain", two_lists, "Ada", "--date", "2026-02-01"
    )
