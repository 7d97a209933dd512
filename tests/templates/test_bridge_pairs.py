"""The bridge template: Ioffe's formula row by row, recalculated, and rows with mistakes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from elo_xl.books.book import Book
from elo_xl.engine.bayes import bridge
from elo_xl.templates import gallery
from tests.support.calc import Calc
from tests.support.shown_rows import shown_rows
from tests.support.template_books import build
from tests.support.template_events import bridge_result as result

Sheets = Mapping[str, Mapping[str, Any]]

Row = dict[str, Any]


def book(
    ratings: Sequence[Any],
    results: Sequence[Row],
    parameters: Row | None = None,
    pairs: Sequence[tuple[Any, Any]] | None = None,
) -> Book:
    """Players in pairs, the first with the second and so on."""
    names = [f"Player {i}" for i in range(1, len(ratings) + 1)]
    if pairs is None:
        pairs = list(zip(names[::2], names[1::2], strict=True))
    options = gallery.options("bridge-pairs", players=8, rounds=10)
    players = [{"name": n, "rating": r} for n, r in zip(names, ratings, strict=True)]
    content = {
        **(parameters or {}),
        "Players": players,
        "Pairs": [{"first": one, "second": two} for one, two in pairs],
        "Results": results,
    }
    made: Book = build("bridge-pairs", options, content)
    return made


def column(sheet: Mapping[str, Any], heading: str) -> list[Any]:
    """The cells below a heading."""
    top = next(cell for cell, value in sheet.items() if value == heading)
    letter = top.rstrip("0123456789")
    first = int(top[len(letter) :]) + 1
    return [sheet.get(f"{letter}{row}") for row in range(first, first + 20)]


def changes(sheets: Sheets) -> list[tuple[Any, Any]]:
    each = sheets["Each result"]
    return list(zip(column(each, "Change N–S"), column(each, "Change E–W"), strict=True))


FOUR = (1600, 1500, 1550, 1450)


def test_changes_of_ioffes_formula(calc: Calc) -> None:
    """R' − R = ± k s² (S − ES) / (σ² + 4 k² s²), with figures that were found by integration."""
    books = {
        "percent": book(
            FOUR * 2, [result(1, 1, 1, 2, 58), result(1, 2, 3, 4, 45)], {"Scale": "percent"}
        ),
        "own": book(
            (2100, 1300, 1700, 1700),
            [result(1, 1, 1, 2, 52)],
            {"Own_result_sd": 8, "Own_rating_sd": 150},
        ),
        "IMPs": book(
            (None,) * 4, [result(1, 1, 1, 2, 12)], {"Scale": "IMPs", "Own_rating_sd": 100}
        ),
    }
    expected: dict[str, list[tuple[float, float]]] = {
        "percent": [(22.211584, 50.266667), (-15.126855, 50.266667)],
        "own": [(1.856436, 50)],
        "IMPs": [(18.720749, 0)],
    }
    found = calc.recalculate_all({name: form.file() for name, form in books.items()})
    for name, rows in expected.items():
        shown = changes(found[name])
        means = column(found[name]["Each result"], "Expected")
        for (change, mean), (ns, ew), here in zip(rows, shown, means, strict=False):
            assert (ns, ew) == (pytest.approx(change, abs=5e-7), pytest.approx(-change, abs=5e-7))
            assert here == pytest.approx(mean, abs=5e-7)
        assert shown[len(rows)] == (None, None)


def test_ratings_run_from_row_to_row(calc: Calc) -> None:
    options = gallery.options("bridge-pairs")
    content = gallery.sample("bridge-pairs", options)
    form = build("bridge-pairs", options, content)
    found = calc.recalculate_all({"sample": form.file()})["sample"]
    first = (1500.0 if p["rating"] is None else p["rating"] for p in content["Players"])
    ratings = dict(zip((p["name"] for p in content["Players"]), first, strict=True))
    pairs = [(pair["first"], pair["second"]) for pair in content["Pairs"]]
    for row in content["Results"]:
        four = [*pairs[row["ns"] - 1], *pairs[row["ew"] - 1]]
        after = bridge([ratings[player] for player in four], row["result"])
        ratings |= zip(four, after.rating.tolist(), strict=True)
    listed = found["Ratings"]
    names, now = column(listed, "Name"), column(listed, "Rating now")
    assert len(content["Results"]) == 300
    assert names[0] == max(ratings, key=lambda name: ratings[name])
    for name, rating in zip(names, now, strict=True):
        assert rating == pytest.approx(ratings[name], abs=1e-9)
    assert now == sorted(now, reverse=True)


@pytest.mark.parametrize(("players", "pairs", "results"), [(12, 6, 18), (80, 20, 60)])
def test_a_smaller_evening_is_complete(players: int, pairs: int, results: int) -> None:
    """Pairs have other numbers there, and no result names a pair that is not there."""
    options = gallery.options("bridge-pairs", players=players, rounds=6)
    content: Any = gallery.sample("bridge-pairs", options)
    assert (pairs, results) == (len(content["Pairs"]), len(content["Results"]))
    form = build("bridge-pairs", options, content)
    assert {""} == set(form.tables["Results"].column("check").values())


MISTAKES = {
    "A pair is missing": result(1, None, 1, None, 50),
    "No such pair, or its line on sheet Pairs is wrong": result(1, None, 1, 6, 50),
    "A pair meets itself": result(1, None, 2, 2, 50),
    "A player sits on both sides": result(1, None, 1, 5, 50),
    "Result is missing": result(1, None, 1, 2, None),
    "Not a percentage from 0 to 100 (58, not 58 %)": result(1, None, 1, 2, 0.58),
}


def test_rows_with_mistakes_change_nothing(calc: Calc) -> None:
    names = [f"Player {i}" for i in range(1, 9)]
    pairs = [*zip(names[::2], names[1::2], strict=True), (names[0], names[6]), (names[0], "X")]
    good = [result(1, 1, 1, 2, 61.5), result(2, 1, 3, 2, 40), result(3, 1, 1, 5 - 1, 55)]
    wrong = [*good[:1], *MISTAKES.values(), *good[1:]]
    ratings = (1600, 1500, 1550, 1450, None, 1700, 1300, 1234)
    books = {"good": book(ratings, good, None, pairs), "wrong": book(ratings, wrong, None, pairs)}
    found = calc.recalculate_all({name: form.file() for name, form in books.items()})
    for heading in ("Name", "Rating now", "Results", "Average"):
        one, other = (column(found[name]["Ratings"], heading) for name in ("good", "wrong"))
        assert one == other
    said = column(found["wrong"]["Results"], "Check")
    assert said[1 : 1 + len(MISTAKES)] == list(MISTAKES)
    assert {text for text in said if text} == set(MISTAKES)
    assert "Not on sheet Players, there twice, or with a mistake" in column(
        found["wrong"]["Pairs"], "Check"
    )


def test_a_pair_twice_in_a_round_is_noticed_and_counts(calc: Calc) -> None:
    results = [
        result(1, 1, 1, 2, 60),
        result(1, 2, 1, 2, 40),  # another board of the same round
        result(1, 3, 3, 1, 55),  # and now against others
        result(2, 1, 3, 4, 50),
    ]
    form = book((1500,) * 8, results)
    found = calc.recalculate_all({"book": form.file()})["book"]
    said = column(found["Results"], "Check")[: len(results)]
    again = "A pair is in this round twice: both count"
    assert said == [again, again, again, None]
    assert column(found["Pairs"], "Results")[:4] == [3, 2, 2, 1]


@pytest.mark.slow
def test_a_player_whose_rating_cannot_be_read_waits() -> None:
    ratings = ["18oo", 1500, 1550, 1450, 1600, 1400, 1500, 1500]
    form = book(ratings, [result(1, 1, 1, 2, 60), result(1, 2, 3, 4, 60)])
    listed = form.tables["Ratings"].column("name").values()
    assert "Player 1" not in listed
    now: dict[Any, Any] = dict(
        zip(listed, form.tables["Ratings"].column("now").values(), strict=True)
    )
    assert [now[f"Player {i}"] for i in (2, 3, 4)] == [1500, 1550, 1450]
    assert now["Player 5"] > 1600
    # the player, their pair and its result
    faults = {t: form.tables[t].column("fault").values() for t in ("Players", "Pairs", "Results")}
    assert {t: [i for i, v in enumerate(f) if v] for t, f in faults.items()} == {
        "Players": [0],
        "Pairs": [0],
        "Results": [0],
    }


@pytest.mark.slow
def test_only_rows_in_use_are_shown() -> None:
    form = book(FOUR, [result(1, 1, 1, 2, 60)])
    names = [form.tables["Results"].column(f"names_{pair}").values()[0] for pair in ("ns", "ew")]
    assert names == ["Player 1 – Player 2", "Player 3 – Player 4"]
    shown = {t: shown_rows(form.tables[t]) for t in ("Each", "Ratings", "Results")}
    assert {t: sum(seen) for t, seen in shown.items()} == {"Each": 1, "Ratings": 4, "Results": 3}
