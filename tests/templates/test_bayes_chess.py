"""The template of Bayesian ratings: the engine's sequence, recalculated; mistakes; bounds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import pytest

from elo_xl.books.book import Book, Content
from elo_xl.engine.bayes import rate_sequence
from elo_xl.engine.models import expected
from elo_xl.templates import gallery
from tests.support.calc import Calc
from tests.support.levels import cases
from tests.support.template_books import build
from tests.support.template_events import period_game as game

Sheets = Mapping[str, Mapping[str, Any]]
Row = dict[str, Any]

END = ("Ratings", "Deviations", "Elo")
"""The tables of what everybody has after so many games."""


def player(name: str, rating: Any, sd: Any = None, k: Any = None) -> Row:
    return {"name": name, "rating": rating, "sd": sd, "k": k}


def recalculated(calc: Calc, content: Content, rules: str = "fide") -> Sheets:
    form = book(content, rules)
    found = calc.recalculate_all({"book": form.file()})["book"]
    # what everybody has at the end, by what it is
    for table in END:
        made = form.tables[table]
        letter = made.letter(list(made.columns)[-1])
        rows = range(made.first, made.last + 1)
        at = (f"{letter}{row}" for row in rows)
        found[table] = {cell: found[made.sheet.title].get(cell) for cell in at}
    return found


def book(content: Content, rules: str = "fide") -> Book:
    players, rounds = max(len(content["Players"]), 2), max(len(content["Games"]), 5)
    options = gallery.options("bayes-chess", players=players, rounds=rounds, rules=rules)
    return build("bayes-chess", options, content)


def column(sheet: Mapping[str, Any], heading: str, nth: int = 0) -> list[Any]:
    """The cells below a heading."""
    top = [cell for cell, value in sheet.items() if value == heading][nth]
    letter = top.rstrip("0123456789")
    first = int(top[len(letter) :]) + 1
    return [sheet.get(f"{letter}{row}") for row in range(first, first + 400)]


def last_row(end: Mapping[Any, Any]) -> list[Any]:
    """Everybody at the end, in the order of the players."""
    return list(end.values())


@pytest.mark.parametrize(("rules", "model"), [("fide", "normal"), ("logistic", "logistic")])
def test_the_sample_is_the_engines_sequence(calc: Calc, rules: str, model: str) -> None:
    options = gallery.options("bayes-chess")
    content = gallery.sample("bayes-chess", options)
    players = content["Players"]
    names = [p["name"] for p in players]
    scores = {"1": 1.0, "½": 0.5, "0": 0.0}
    played = [g for g in content["Games"] if g["result"] in scores]
    assert len(played) == len(content["Games"]) - 1
    white, black = ([names.index(g[side]) for g in played] for side in ("white", "black"))
    sheets = recalculated(calc, content, rules)

    ratings = [p["rating"] for p in players]
    sds = [p["sd"] or content["Usual_sd"] for p in players]
    result = [scores[g["result"]] for g in played]
    after = rate_sequence(ratings, sds, white, black, result, model=model)
    assert last_row(sheets["Ratings"]) == pytest.approx(after.rating.tolist(), rel=1e-12)
    assert last_row(sheets["Deviations"]) == pytest.approx(after.sd.tolist(), rel=1e-11)

    elo, ks = list(map(float, ratings)), [p["k"] or content["Usual_k"] for p in players]
    for a, b, score in zip(white, black, result, strict=True):
        surplus = score - float(expected(elo[a] - elo[b], model))
        elo[a], elo[b] = elo[a] + ks[a] * surplus, elo[b] - ks[b] * surplus
    assert last_row(sheets["Elo"]) == pytest.approx(elo, rel=1e-12)

    shown = column(sheets["Standings"], "Rating by Bayes")[: len(names)]
    assert shown == pytest.approx(sorted(after.rating.tolist(), reverse=True), rel=1e-12)


USUAL = {"Usual_sd": 60, "Usual_k": 20}
PAIR = (player("Anna", 1600, 100), player("Boris", 1500, 100))
GAME = game(None, "Anna", "Boris", "1")


def test_one_game(calc: Calc) -> None:
    sheets = recalculated(calc, {"Players": PAIR, "Games": [GAME]})
    assert last_row(sheets["Ratings"]) == pytest.approx([1634.4975046749, 1465.5024953251])
    assert last_row(sheets["Deviations"]) == pytest.approx([95.057837272213] * 2)
    assert column(sheets["Games"], "White after")[0] == pytest.approx(1634.4975046749)
    # nobody has typed a K: the rulebook's, and neither a deviation where it is the K's
    alone = recalculated(calc, {"Players": [player("Anna", 1600), PAIR[1]], "Games": [GAME]})
    assert column(alone["Players"], "K that counts")[:2] == [20, 20]
    deviations = column(alone["Players"], "Deviation that counts")[:2]
    assert deviations == pytest.approx([math.sqrt(200 * 20 / math.log(10)), 100])


def test_what_does_not_count_changes_nothing(calc: Calc) -> None:
    players = (*PAIR, player("Clara", None, 80), player("Dora", 1400), player("Dora", 1450))
    lines = [
        (game("1", "Anna", "Boris", "+"), None),
        (game("1", "Anna", "Boris", "2"), "The result is not understood"),
        (game("1", "Anna", "Boris", None), "Result is missing"),
        (game("1", "Anna", "Anna", "1"), "White and Black are the same player"),
        (game("1", "Anna", None, "1"), "A player is missing"),
        *((game("1", "Anna", who, "1"), f"{who}: {why}") for who, why in _UNKNOWN.items()),
        (game("1", "ANNA", "boris", "1"), None),
    ]
    games = [line for line, _ in lines]
    sheets = recalculated(calc, {**USUAL, "Players": players, "Games": games})
    found = [value or None for value in column(sheets["Games"], "Check")[: len(games)]]
    assert found == [message for _, message in lines]
    clean = recalculated(calc, {**USUAL, "Players": PAIR, "Games": [GAME]})
    for sheet in END:
        assert last_row(sheets[sheet])[:2] == last_row(clean[sheet])[:2]
        assert not any(last_row(sheets[sheet])[2:])
    checks = column(sheets["Players"], "Check")[:5]
    assert [c or "" for c in checks] == [
        "",
        "",
        _NO_RATING,
        "Name appears twice",
        "Name appears twice",
    ]


_UNKNOWN = {
    "Clara": "without a rating on sheet Players",
    "Dora": "twice on sheet Players",
    "Zoe": "not on sheet Players",
    "A*": "not on sheet Players",
    "?": "not on sheet Players",
}
_NO_RATING = "Rating is missing, or not a number from 1 to 4000"


@pytest.mark.parametrize(
    ("rules", "result"),
    cases(product(("fide", "logistic"), "1½0"), test=[("fide", "1"), ("logistic", "½")]),
)
def test_no_error_for_ratings_and_deviations_at_their_bounds(
    calc: Calc, rules: str, result: str
) -> None:
    players: Sequence[Row] = [
        player(f"{rating} {sd} {k}", rating, sd, k)
        for rating in (1, 4000)
        for sd in (1, 140, 500)
        for k in (1, 100)
    ]
    games = [
        game(None, one["name"], two["name"], result)
        for one in players
        for two in players
        if one != two
    ]
    sheets = recalculated(calc, {"Players": players, "Games": games}, rules)
    wrong = [
        (title, cell, value)
        for title, sheet in sheets.items()
        if title not in END
        for cell, value in sheet.items()
        if isinstance(value, str) and value.startswith(("#", "Err:"))
    ]
    assert wrong == []
    assert all(isinstance(x, float | int) for x in last_row(sheets["Ratings"]))
