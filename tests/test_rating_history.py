"""A season computed by hand: what its sheets must say."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from elo_xl.books.book import Book
from elo_xl.templates import gallery
from elo_xl.templates.rating_history import line, serial

JAN, FEB, MAR, APR = (serial(date(2026, month, 1)) for month in (1, 2, 3, 4))

LINES = (
    line(MAR, "Ida", 1512, 3),  # in any order
    line(JAN, "Bo", 1700, 0),
    line(JAN, "Ida", 1500, 0),
    line(FEB, "  Bo ", 1688, 2),
    line(APR, "Bo", 1694, None),
    line(MAR, "Uma", 1333, 5),
    line(MAR, "ida", 1600, 9),  # a second time in this list
    line("March", "Bo", 1600, 9),
    line(FEB, None, 1600, 9),
    line(FEB, "Ida", "1500?", 9),
    line(FEB, "Ida", 1500, 1.5),
    line(APR + 30, "Uma", 1400, 1),  # a fifth list
    line(APR, "Zoe", 1400, 1),  # a fourth player
)
CHECKS = (None,) * 6 + ("again", "date", "player", "rating", "games", "lists", "players")


def season(players: int, lists: int, *lines: dict[str, Any], **more: Any) -> Book:
    options = gallery.options("rating-history", players=players, rounds=lists)
    made: Book = gallery.build(
        "rating-history", options, {"Event": "Club", "Entries": lines, **more}
    )
    return made


@pytest.fixture(scope="module")
def form() -> Book:
    return season(
        3,
        4,
        *(*LINES[:6], *LINES[7:8], *LINES[9:]),
        Active_games=2,
        Active_lists=2,
        Curves=[{"name": name} for name in ("uma", None, "nobody")],
        choice="Ida",
    )


def cells(form: Book, sheet: str, area: str) -> list[list[Any]]:
    rows = form.workbook[sheet][area]
    known = form.values
    return [[known.get((sheet, cell.coordinate), cell.value) for cell in row] for row in rows]


def test_ratings_are_carried_on(form: Book) -> None:
    assert cells(form, "All ratings", "G4:J7") == [
        [JAN, FEB, MAR, APR],
        [1500, 1500, 1512, 1512],
        [1700, 1688, 1688, 1694],
        ["", "", 1333, 1333],
    ]


def test_the_season(form: Book) -> None:
    found = cells(form, "Season", "A5:P7")
    assert [row[:2] for row in found] == [[1, "Bo"], [2, "Ida"], [3, "Uma"]]
    #              first list, rating, latest, class, change, last, best, date, worst, date, …
    assert found[0][2:] == [
        *(JAN, 1700, 1694, "Average club player", -6, 6, 1700, JAN, 1688, FEB),
        *(2, 1, FEB, "inactive"),
    ]
    assert found[1][2:] == [
        *(JAN, 1500, 1512, "Amateur", 12, 0, 1512, MAR, 1500, JAN),
        *(3, 1, MAR, "active"),
    ]
    assert found[2][2:] == [
        *(MAR, 1333, 1333, "Beginner", 0, 0, 1333, MAR, 1333, MAR),
        *(5, 1, MAR, "active"),
    ]


def test_best_and_worst_so_far(form: Book) -> None:
    assert cells(form, "One player", "C8:G11") == [
        [1500, "", 0, 1500, 1500],
        [1500, 0, "", 1500, 1500],
        [1512, 12, 3, 1512, 1500],
        [1512, 0, "", 1512, 1500],
    ]


def test_what_each_list_brought(form: Book) -> None:
    assert [row[1:] for row in cells(form, "Activity", "A5:G8")] == [
        ["2026-01-01", 2, 2, 0, 0, 1600],
        ["2026-02-01", 2, 0, 1, 2, 1594],
        ["2026-03-01", 3, 1, 2, 8, (1512 + 1688 + 1333) / 3],
        ["2026-04-01", 3, 0, 0, 0, (1512 + 1694 + 1333) / 3],
    ]


def test_curves_begin_at_a_players_first_list(form: Book) -> None:
    sheet: Any = form.workbook["Chart"]
    chart, other = sheet._charts
    points = [
        (
            [float(p.v) for p in one.xVal.numRef.numCache.pt],
            [float(p.v) for p in one.yVal.numRef.numCache.pt],
        )
        for one in chart.series
    ]
    assert points[0] == ([MAR, MAR, MAR, APR], [1333] * 4)
    assert points[1:] == [([APR] * 4, [1333] * 4)] * 5  # nobody: the end of the first curve
    assert [float(p.v) for p in other.series[0].yVal.numRef.numCache.pt] == [0.0] * 4
    assert cells(form, "Chart", "C5:C7") == [[""], [""], [form.say("check_unknown")]]


def test_every_line_says_what_is_wrong() -> None:
    made = season(3, 5, *LINES)
    assert [row[0] for row in cells(made, "Entries", "E9:E21")] == [
        made.say(f"check_{key}") if key and key != "lists" else "" for key in CHECKS
    ]
    full = season(4, 4, *LINES)
    assert [row[0] for row in cells(full, "Entries", "E9:E21")] == [
        full.say(f"check_{key}") if key and key != "players" else "" for key in CHECKS
    ]
