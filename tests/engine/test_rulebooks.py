"""Editions and their dates, the K rule, caps, and which games are rated at all."""

import re
from datetime import date, timedelta

import numpy as np
import pytest

from elo_xl.engine.errors import DomainError, OptionError
from elo_xl.engine.ratings import counted_differences, k_factor
from elo_xl.engine.rulebooks import EDITIONS, RULEBOOKS, in_force, rulebook
from elo_xl.engine.rulebooks.event import Players
from elo_xl.engine.rulebooks.k_table import KTable

MASTER, YOUNG, NEW, STANDARD = range(4)
"""The lines of FIDE's table of K factors."""

nan = float("nan")
linear = [name for name, book in RULEBOOKS.items() if book.linear]
every_rulebook = pytest.mark.parametrize("rules", linear)


# editions


@pytest.mark.parametrize(
    ("name", "first_day"),
    [
        ("fide-2009-07", date(2009, 7, 1)),
        ("fide-2014-07", date(2014, 7, 1)),
        ("fide-2017-07", date(2017, 7, 1)),
        ("fide-2022-01", date(2022, 1, 1)),
        ("fide-2024-03", date(2024, 3, 1)),
        ("fide-2025-10", date(2025, 10, 1)),
    ],
)
def test_edition_in_force(name, first_day):
    names = [edition.name for edition in reversed(EDITIONS)]
    before = in_force(first_day - timedelta(days=1))
    assert names[: names.index(name)][-1:] == ([before.name] if before else [])
    assert name == getattr(in_force(first_day), "name", None)
    assert first_day == rulebook(name).since


def test_no_edition_in_force():
    assert in_force(None) is None
    assert in_force(date(2009, 6, 30)) is None
    assert in_force(date(1, 1, 1)) is None


def test_newest_edition():
    assert (
        "fide-2025-10" == rulebook("fide").name == getattr(in_force(date(2030, 1, 1)), "name", "")
    )


def test_every_name_of_the_contract():
    names = ["fide", "fide-2025-10", "fide-2024-03", "fide-2022-01", "fide-2017-07"]
    names += ["fide-2014-07", "fide-2009-07", "fide-rapid", "elo", "logistic", "dwz"]
    names += ["ecf", "egf", "naspa", "us-chess", "usatt"]
    names += [f"us-chess-{day}" for day in ("2025-01", "2023-02", "2017-05", "2015-01", "2013-05")]
    assert sorted(names) == sorted(RULEBOOKS)
    names = list(RULEBOOKS)
    newest = {"fide": "fide-2025-10", "us-chess": "us-chess-2025-01"}
    assert [newest.get(name, name) for name in names] == [book.name for book in RULEBOOKS.values()]
    assert RULEBOOKS["elo"] is rulebook("ELO") is rulebook(RULEBOOKS["elo"])


def test_what_is_not_certain_is_said():
    """The editions marked [?] in the notes on the rules."""
    for book in EDITIONS:
        assert book.uncertain
    assert not RULEBOOKS["elo"].uncertain


def test_who_does_not_round():
    assert {"elo", "logistic", "egf", "us-chess"} == {
        name.partition("-20")[0] for name, book in RULEBOOKS.items() if not book.rounding.whole
    }


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("fide-2023", "did you mean fide-2024-03[?]$"),
        ("Elo ", "did you mean elo[?]$"),
        *((name, "one of your own") for name in ("", None, 1)),
    ],
)
def test_unknown_name(name, end):
    message = f"rules must be one of {', '.join(RULEBOOKS)}, got {name!r}"
    with pytest.raises(OptionError, match=f"^{re.escape(message)}; {end}"):
        rulebook(name)


# the cap


@pytest.mark.parametrize(
    ("rules", "rating", "counted"),
    [
        ("fide-2009-07", 2700, 400),
        ("fide-2024-03", 2700, 400),
        ("fide-2025-10", 2649, 400),
        ("fide-2025-10", 2649.9, 400),
        ("fide-2025-10", 2650, 700),
        ("fide-rapid", 2700, 400),
        ("elo", 1500, 700),
        ("logistic", 1500, 700),
    ],
)
def test_difference_counted(rules, rating, counted):
    for ahead, counts in (([700, -700], [counted, -counted]), ([400, 399, -400],) * 2):
        met = [rating - d for d in ahead]
        own, games = [rating] * len(met), range(len(met))
        assert counts == counted_differences(own, met, rules, games).round(9).tolist()


# games that are rated


@pytest.mark.parametrize(
    ("rating", "opponent", "rapid"),
    [
        (2601, 2001, False),
        (2001, 2601, False),
        (2601, 2002, True),
        (2600, 2000, True),
        (2600, 1000, True),
        (2600.5, 2000.5, False),
        (2700, 2650, True),
        (nan, 2000, None),
        (2000, nan, None),
        (nan, nan, None),
    ],
)
def test_game_is_rated(rating, opponent, rapid):
    own, met = np.array(rating), np.array(opponent)
    assert bool(rapid) == rulebook("fide-rapid").counts(own, met)
    assert (rapid is not None) == rulebook("fide").counts(own, met)


# K


@pytest.mark.parametrize(
    ("clause", "rating", "games", "age", "peak"),
    [
        (NEW, 1500, 0, nan, nan),
        (NEW, 1500, 29, nan, nan),
        (STANDARD, 1500, 30, nan, nan),
        (STANDARD, 1500, nan, nan, nan),
        (YOUNG, 1500, 90, 18, nan),
        (STANDARD, 1500, 90, 19, nan),
        (YOUNG, 2299, 90, 10, nan),
        (STANDARD, 2300, 90, 10, nan),
        (STANDARD, 2250, 90, 10, 2300),
        (YOUNG, 2250, 90, 10, 2299),
        (NEW, 2350, 29, 10, nan),  # no longer young, still new
        (YOUNG, 1500, 29, 10, nan),
        (STANDARD, 2399, nan, nan, nan),
        (MASTER, 2400, nan, nan, nan),
        (MASTER, 2350, nan, nan, 2400),
        (MASTER, 2350, 12, 10, 2400),  # ever 2400 comes before new and young
        (STANDARD, 2350, nan, nan, 2399),
        (MASTER, 2450, nan, nan, 2300),  # a peak below the rating is none
    ],
)
def test_clause_of_the_k_rule(clause, rating, games, age, peak):
    known = Players.known([rating], "auto", games, age, peak)
    table = rulebook("fide").k
    assert isinstance(table, KTable)
    assert clause == table.line(known)
    factor = {NEW: 40, YOUNG: 40, STANDARD: 20, MASTER: 10}[clause]
    for rules in ("fide", "fide-2024-03", "fide-2022-01", "fide-2017-07", "fide-rapid", "elo"):
        assert factor == k_factor(rating, games, age, peak, rules=rules)


@pytest.mark.parametrize(
    ("k", "rating", "games", "age", "peak"),
    [
        (25, 1500, 29, nan, nan),
        (15, 1500, 30, nan, nan),
        (15, 1500, 30, 12, nan),  # young players had no K of their own
        (10, 2400, 29, nan, nan),
        (10, 2350, nan, nan, 2401),
    ],
)
def test_k_of_2009(k, rating, games, age, peak):
    assert k == k_factor(rating, games, age, peak, rules="fide-2009-07")


def test_youth_of_2014_ends_with_the_18th_birthday():
    assert [40, 20] == k_factor(1500, 90, [17, 18], rules="fide-2014-07").tolist()
    assert [40, 20] == k_factor(1500, 90, [18, 19], rules="fide-2017-07").tolist()


@every_rulebook
def test_which_editions_limit_k(rules):
    limited = rules in {"fide", "fide-2022-01", "fide-2024-03", "fide-2025-10", "fide-rapid"}
    assert k_factor(1500, 30, 20, period_games=100, rules=rules) == (
        7 if limited else 15 if rules == "fide-2009-07" else 20
    )


def test_k_of_many_players():
    grid = k_factor([[1500], [2400]], [[10, 40, nan]])
    assert [[40, 20, 20], [10, 10, 10]] == grid.tolist()


@pytest.mark.parametrize(
    ("message", "function", "arguments"),
    [
        ("games must not be below 0, got -1.0", k_factor, [1500, [3, -1]]),
        ("age must not be below 0, got -2.0", k_factor, [1500, 30, -2]),
        ("period games must not be below 0, got -3.0", k_factor, [1500, 30, 20, 1500, -3]),
    ],
)
def test_refused(message, function, arguments):
    with pytest.raises(DomainError, match=f"^{re.escape(message)}$"):
        function(*arguments)
