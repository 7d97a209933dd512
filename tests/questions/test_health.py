"""The health of ratings, beside plain loops, histories whose truth is known, and FIDE's lift."""

import json
import math
from collections import defaultdict
from dataclasses import astuple, replace
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from statistics import NormalDist, fmean, stdev
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import t

import elo_xl as elo
from elo_xl.books.answers import speaking
from elo_xl.engine.quality import Estimate
from elo_xl.events.event import EventError
from elo_xl.events.files import read_event, read_events
from elo_xl.events.merging import games_of_kind
from elo_xl.events.pgn import EVERY
from elo_xl.languages import CODES
from elo_xl.questions.check import ratings as engine
from elo_xl.questions.check.event import Checked, FigureRow, check_games, rows
from elo_xl.questions.check.ratings import Health, Lift, health
from tests.support.clubs import FOUR, games_file
from tests.support.clubs import club as club_book
from tests.support.command import invoke
from tests.support.command import run_in_a_line as run_book
from tests.support.findings import examined

CURVE = NormalDist(0, 200 * math.sqrt(2)).cdf
A, LOST = 0.7, 12.0
"""What differences count in the invented histories, and what everybody loses in a year."""


def scores(expected: Any, rng: Any) -> Any:
    """Results with at most 30 % draws that have these expected scores."""
    drawn = np.minimum(0.3, 1.2 * np.minimum(expected, 1 - expected))
    luck = rng.random(expected.size)
    won = expected - drawn / 2
    return np.where(luck < won, 1, np.where(luck < won + drawn, 0.5, 0))


def history(
    seed: int, players: int = 60, games: int = 2000, *, a: float = A, years: float = 4
) -> tuple[Any, ...]:
    """Players of constant strength whose ratings spread 1/a times too far, and sink by 12 points a
    year, for some more and for others less."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(1600, 200, players)
    white = rng.integers(0, players, games)
    black = (white + rng.integers(1, players, games)) % players
    time = np.sort(rng.random(games)) * years
    score = scores(elo.expected(strength[white], strength[black]), rng)
    loss = rng.normal(LOST, LOST / 2, players)
    rating, other = (1600 + (strength[x] - 1600) / a - loss[x] * time for x in (white, black))
    return white, black, score, rating, other, time


def sinking(seed: int, **more: Any) -> Health:
    white, black, score, rating, other, time = history(seed, **more)
    return health(white, black, score, rating, other, int(white.max()) + 1, time=time)


# -- what is computed -----------------------------------------------------------------------------


@pytest.mark.slow
def test_spread_is_that_of_the_most_likely_curve_with_errors_by_player() -> None:
    white, black, score, rating, other, _ = history(1, players=25, games=400)
    wrong = np.random.default_rng(2).normal(0, 150, 25)  # what a rating lacks is in all games
    rating, other = rating + wrong[white], other + wrong[black]
    d = (rating - other).tolist()

    def loss(a: float) -> float:
        chances = [CURVE(a * x) for x in d]
        pairs = zip(score.tolist(), chances, strict=True)
        return float(-sum(s * math.log(e) + (1 - s) * math.log(1 - e) for s, e in pairs))

    found = health(white, black, score, rating, other, 25)
    least = minimize_scalar(loss, bounds=(0.1, 2), method="bounded", options={"xatol": 1e-9})
    assert float(least.x) == pytest.approx(found.a.value, abs=1e-5)

    def rise(x: float, s: float, a: float) -> float:
        e, steep = CURVE(a * x), NormalDist(0, 200 * math.sqrt(2)).pdf(a * x)
        return float(x * steep * (s - e) / (e * (1 - e)))

    rises = [rise(x, s, found.a.value) for x, s in zip(d, score.tolist(), strict=True)]
    sides = list(zip(white.tolist(), black.tolist(), strict=True))
    variance = 0.0
    for i, one in enumerate(sides):  # each pair of games with somebody in common, as published
        for j, two in enumerate(sides):
            variance += rises[i] * rises[j] if {*one} & {*two} else 0.0
    steepness = 0.0
    for x in d:
        e, steep = (
            CURVE(found.a.value * x),
            NormalDist(0, 200 * math.sqrt(2)).pdf(found.a.value * x),
        )
        steepness += (x * steep) ** 2 / (e * (1 - e))
    error = math.sqrt(variance * 25 / 23) / steepness
    half = float(t(24).ppf(0.975)) * error
    assert half == pytest.approx(found.a.high - found.a.value, rel=1e-6)
    assert half == pytest.approx(found.a.value - found.a.low, rel=1e-6)


def test_players_whose_ratings_a_lift_keeps_tell_nothing() -> None:
    games = history(1, players=25, games=400)[:5]
    above = np.arange(25, 35), np.roll(np.arange(25, 35), 1), *np.array([[0.5], [3000], [3000]])
    more = [np.append(x, np.broadcast_to(y, 10)) for x, y in zip(games, above, strict=True)]
    alone, found = (health(*rows, level=2900).a for rows in ((*games, 35), (*more, 35)))
    assert found.value == pytest.approx(alone.value)
    # the interval still reaches as many errors to a side as those of 25 players do
    ratio = (found.high - found.value) / (alone.high - alone.value)
    assert ratio == pytest.approx(math.sqrt(35 / 33 / (25 / 23)))


def test_the_curve_is_that_of_the_higher_rated() -> None:
    white, black, score, rating, other, _ = history(2)
    found = health(white, black, score, rating, other, 60).spread
    own = defaultdict(list)
    for i, (s, x, y) in enumerate(
        zip(score.tolist(), rating.tolist(), other.tolist(), strict=True)
    ):
        own[min(int(abs(x - y) // 50), 9)].append((abs(x - y), s if x >= y else 1 - s, i))
    for i in range(10):
        differences, points, games = zip(*own[i], strict=True)
        assert len(points) == found.games[i]
        assert fmean(differences) == pytest.approx(found.difference[i])
        assert fmean(points) == pytest.approx(found.score[i])
        chances = [CURVE(x) for x in differences]
        assert fmean(chances) == pytest.approx(found.expected[i])
        # each pair of games with somebody in common, as for the whole, at least with both
        one, two = white[[*games]], black[[*games]]
        common = sum(np.equal.outer(x, y).astype(int) for x in (one, two) for y in (one, two))
        off = np.subtract(points, chances)
        off -= off.mean()
        few = np.unique([one, two]).size
        variance = max(off @ (common > least) @ off for least in (0, 1)) * few / (few - 2)
        assert found.error[i] == pytest.approx(math.sqrt(variance) / len(games))


def test_constant_players_are_those_of_all_quarters_and_errors_are_by_player() -> None:
    white, black, score, rating, other, time = history(3, players=30, games=1500)
    young = np.arange(30) < 10
    rating, other = (x + np.random.default_rng(4).normal(0, 20, x.size) for x in (rating, other))
    late = (time < 2) & ((white == 29) | (black == 29))  # who comes in the middle
    first, last = ((white == i) | (black == i) for i in (11, 12))  # without the first, last period
    keep = ~(late | (first & (time < 0.6)) | (last & (time > 3.4)))
    white, black, score, rating, other, time = (
        x[keep] for x in (white, black, score, rating, other, time)
    )
    found = health(white, black, score, rating, other, 30, time=time, young=young).drift
    assert found is not None
    assert found.change is not None
    assert found.rate is not None
    length = (time[-1] - time[0]) / 8
    turns = np.minimum((time - time[0]) // length, 7)
    own: Any = defaultdict(list)
    for sides, ratings in ((white, rating), (black, other)):
        for player, value, turn in zip(sides.tolist(), ratings.tolist(), turns, strict=True):
            own[player, int(turn)].append(value)
    begin = [fmean(own[i, 0] or own[i, 1]) for i in range(10, 29)]
    changes = [fmean(own[i, 7] or own[i, 6]) - x for i, x in zip(range(10, 29), begin, strict=True)]
    assert len(changes) == found.number
    assert fmean(begin) == pytest.approx(found.constant[0])
    assert fmean(changes) == pytest.approx(found.change.value)
    half = float(t(18).ppf(0.975)) * stdev(changes) / math.sqrt(19)
    assert half == pytest.approx(found.change.high - found.change.value)
    assert found.change.value == pytest.approx(found.rate.value * length * 7)
    assert found.players.tolist() == [
        len({i for i, k in own if k == turn and own[i, k]}) for turn in range(8)
    ]


# -- the truth ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_intervals_hold_the_truth_as_often_as_promised() -> None:
    """Of ratings that are compressed by a known factor, and sink by a known number of points."""
    right: Any = defaultdict(int)
    seeds = range(200)
    for seed in seeds:
        found = sinking(seed, players=40, games=1500)
        assert found.drift is not None
        assert found.drift.change is not None
        assert found.drift.rate is not None
        right["a"] += found.a.holds(A)
        right["rate"] += found.drift.rate.holds(-LOST)
        # what the lift should make of ratings now: the constant players get back 3½ years of loss
        b = found.lift.centre * (1 - A) + LOST * 3.5
        right["b"] += found.lift.b.holds(b)
        for rating in (1200, 1600, 2000):
            lifted, half = found.lift.at(rating)
            right[rating] += bool(abs(lifted - (A * rating + b)) <= half)
    assert all(0.9 * len(seeds) <= number for number in right.values()), right
    assert all(number < len(seeds) for number in right.values()), right


def club(seed: int, months: int, *, newcomers: int = 0, under: float = 0) -> tuple[Any, ...]:
    """A club that Elo's rule rates month by month; constant strengths, right ones at first."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(1600, 200, 60 + newcomers)
    rating = strength - np.where(np.arange(strength.size) < 60, 0, under)
    played = np.where(np.arange(strength.size) < 60, 30, 0)
    begun = np.where(played > 0, 0, rng.integers(months // 3, months, strength.size))
    rows = []
    for month in range(months):
        here = np.flatnonzero(begun <= month)
        pairs = rng.permutation(here)[: here.size // 2 * 2].reshape(2, -1)
        for white, black in (pairs, rng.permuted(pairs, axis=1)):
            black = np.where(white == black, np.roll(black, 1), black)
            other = white != black
            white, black = white[other], black[other]
            score = scores(elo.expected(strength[white], strength[black]), rng)
            gain = score - elo.expected(rating[white], rating[black])
            rows.append((white, black, score, rating[white], rating[black], white * 0 + month / 12))
            k = np.where(played < 30, 40, 20)
            np.add.at(rating, white, k[white] * gain)
            np.add.at(rating, black, -k[black] * gain)
            np.add.at(played, white, 1)
            np.add.at(played, black, 1)
    return (*(np.concatenate(column) for column in zip(*rows, strict=True)), strength - rating)


@pytest.mark.slow
def test_ratings_that_follow_constant_strengths_are_healthy() -> None:
    """Chance alone makes them spread a little too far: ``usual`` tells how much."""
    found = []
    for seed in range(8):
        white, black, score, rating, other, time, _ = club(seed, 96)
        found.append(health(white, black, score, rating, other, 60, time=time))
    assert fmean(one.a.value for one in found) == pytest.approx(
        fmean(one.usual or 0 for one in found), abs=0.03
    )
    assert sum(one.drift is not None and one.drift.change.holds(0) for one in found) >= 7  # type: ignore[union-attr]
    assert {None} == {one.newcomers for one in found}


@pytest.mark.slow
def test_underrated_newcomers_are_found_and_what_they_cost() -> None:
    found, cost = [], []
    for seed in range(6):
        white, black, score, rating, other, time, off = club(seed, 96, newcomers=40, under=150)
        one = health(white, black, score, rating, other, 100, time=time)
        assert one.newcomers is not None
        assert one.newcomers.gift is not None
        assert not one.newcomers.unrated
        found.append(one)
        cost.append(fmean(off[:60]))  # what the old members lack at the end
    news = [one.newcomers for one in found if one.newcomers]
    gift = [one.gift for one in news if one.gift]
    assert all(one.high < 0 for one in gift)
    lost = fmean(-one.value * 40 / 60 for one in gift)  # 40 newcomers, 60 who pay
    assert fmean(cost) == pytest.approx(lost, rel=0.35)


FIDE = {1000: 1400, 1400: 1640, 1500: 1700, 1600: 1760, 1950: 1970, 2000: 2000, 2400: 2400}
"""What FIDE announced for March 2024: 0.4·(2000 − R) more below 2000."""


@pytest.mark.slow
def test_the_lift_that_fide_made_in_march_2024() -> None:
    level = Lift(Estimate(0.6, 0.6, 0.6), Estimate(800, 800, 800), 2000, 2000, (0, 0), 2)
    assert FIDE == dict(zip(FIDE, level.at([*FIDE])[0].round().tolist(), strict=True))
    # a list before it, if it was right: what the games said, and what they say of the new list
    rng = np.random.default_rng(7)
    before = rng.uniform(1000, 2500, 3000)
    after = np.where(before < 2000, before + 0.4 * (2000 - before), before)
    white = rng.integers(0, 3000, 20_000)
    black = (white + rng.integers(1, 3000, 20_000)) % 3000
    near = np.abs(before[white] - before[black]) < 600
    white, black = white[near], black[near]
    score = scores(elo.expected(after[white], after[black]), rng)
    found = health(white, black, score, before[white], before[black], 3000, level=2000)
    lifted, half = found.lift.at([*FIDE])
    assert (np.abs(lifted - [*FIDE.values()]) <= half).all()
    assert half.max() < 40
    again = health(white, black, score, after[white], after[black], 3000, level=2000)
    assert again.a.holds(1)
    assert not found.a.holds(1)


# -- what is refused ------------------------------------------------------------------------------


def test_what_cannot_be_examined_is_refused() -> None:
    white, black, score, rating, other, time = history(8, games=300)
    same = np.full(300, 1500.0)

    def of(score: Any, rating: Any, other: Any, **more: Any) -> Health:
        return health(white, black, score, rating, other, 60, **more)

    with pytest.raises(elo.DomainError, match="100 of 300 games have ratings of both players"):
        of(score, np.where(np.arange(300) < 100, rating, np.nan), other)
    with pytest.raises(elo.DomainError, match="the scores do not tell how far ratings spread"):
        of(score, same, same)
    with pytest.raises(elo.DomainError, match="the scores do not tell"):
        of(score, rating, other, level=-5000)
    with pytest.raises(elo.DomainError, match="the scores do not tell"):
        of(np.where(rating > other, 1, 0), rating, other)
    with pytest.raises(elo.DomainError, match=r"score must be 1, 0.5 or 0, got 0.75"):
        of(score * 0 + 0.75, rating, other)
    with pytest.raises(elo.DomainError, match="rating must be within 1,000,000 points of 0"):
        of(score, rating * 1e9, other)
    with pytest.raises(elo.SizeError, match="time must have a number for each game"):
        of(score, rating, other, time=time[::-1])
    with pytest.raises(elo.SizeError, match="299 ratings for 300 games"):
        of(score, rating[1:], other)
    alone = of(score, rating, other, time=same)  # all on one day
    assert alone.drift is None
    fixed = np.random.default_rng(9).normal(1600, 200, 60)
    still = of(score, fixed[white], fixed[black], time=time * 0 + np.arange(300)).drift
    assert still is not None
    assert still.change is None


# -- what is given --------------------------------------------------------------------------------


def frame(seed: int, games: int = 600) -> dict[str, list[Any]]:
    """A history as a table, in whole points; who plays first in the last third is unrated then."""
    white, black, score, rating, other, time = history(seed, 30, games)
    names = [f"Player {i}" for i in range(30)]
    seen = set(white[: games // 3].tolist()) | set(black[: games // 3].tolist())
    new = {i for i in range(30) if i not in seen or i < 6}
    late = [i for i in range(games) if i >= games // 3 or not {white[i], black[i]} & new]
    begun: set[int] = set()
    rows = []
    for i in late:
        pair = white[i], black[i]
        had = [
            None if player in new - begun else round(float(value))
            for player, value in zip(pair, (rating[i], other[i]), strict=True)
        ]
        begun |= {*pair}
        day = date(2020, 1, 1) + timedelta(days=int(time[i] * 365.25))
        rows.append((*(names[p] for p in pair), float(score[i]), *had, day))
    keys = ("white", "black", "result", "white_rating", "black_rating", "date")
    return dict(zip(keys, map(list, zip(*rows, strict=True)), strict=True))


RESULTS = {1: "1-0", 0.5: "1/2-1/2", 0: "0-1"}


def as_table(games: dict[str, list[Any]], path: Path) -> Path:
    heads = dict(
        zip(games, ("White", "Black", "Result", "White Elo", "Black Elo", "Date"), strict=True)
    )
    table = pd.DataFrame(games).rename(columns=heads)
    for side in ("White Elo", "Black Elo"):
        table[side] = table[side].astype("Int64")
    table["Result"] = table["Result"].map(RESULTS)
    table.to_csv(path, index=False)
    return path


def as_pgn(games: dict[str, list[Any]], path: Path) -> Path:
    path.write_text("\n".join(
        f'[Event "Evening"]\n[White "{one}"]\n[Black "{two}"]\n[Result "{RESULTS[s]}"]\n'
        f'[WhiteElo "{x or "?"}"]\n[BlackElo "{y or "?"}"]\n[Date "{day:%Y.%m.%d}"]\n\n1. e4 *\n'
        for one, two, s, x, y, day in zip(*games.values(), strict=True)
    ))  # fmt: skip
    return path


def of_file(path: Path, **more: Any) -> Health:
    paths = [(path.name, path)]
    files = [*read_events(paths, partial(read_event, unrated=True, event=EVERY))]
    found = check_games(*games_of_kind(files), **more).health
    assert found is not None
    return found


def same(found: Health, expected: Health) -> None:
    assert (found.games, found.unrated) == (expected.games, expected.unrated)
    for one, two in ((found.a, expected.a), (found.lift.b, expected.lift.b)):
        assert astuple(one) == pytest.approx(astuple(two))
    assert (found.drift is None) == (expected.drift is None)
    if found.drift and found.drift.change and expected.drift and expected.drift.change:
        assert astuple(found.drift.change) == pytest.approx(astuple(expected.drift.change))
    if found.newcomers and expected.newcomers:
        assert found.newcomers.number == expected.newcomers.number


@pytest.mark.slow
def test_files_and_tables_with_the_ratings_before_each_game(tmp_path: Path) -> None:
    games = frame(9)
    expected = elo.health(games)
    assert expected.unrated > 0
    assert expected.newcomers is not None
    assert expected.newcomers.unrated
    same(of_file(as_table(games, tmp_path / "games.csv")), expected)
    same(of_file(as_pgn(games, tmp_path / "games.pgn")), expected)
    same(elo.health(pd.DataFrame(games)), expected)
    assert expected.drift is not None
    born = {"name": ["Player 7", "Nobody"], "birth_year": [2005, 2004]}
    grown = elo.health(games, born, level=1800)
    assert grown.drift is not None
    assert grown.drift.number == expected.drift.number - 1
    lifts = of_file(tmp_path / "games.csv", level=1800).lift, grown.lift
    lifted, again = (np.array(lift.at([1500, 2000])) for lift in lifts)
    assert lifted == pytest.approx(again)
    assert lifts[0].at(2000)[0] == 2000
    del games["date"]
    assert elo.health(games).drift is None
    assert elo.health(games).a == expected.a


def test_ratings_may_change_only_where_games_of_years_are_read(tmp_path: Path) -> None:
    heads = b"White,Elo,Black,Elo,Result\n"
    table = heads + b"Ana,1800,Bo,1700,1-0\nBo,1690,Ana,1810,1-0\nAna,,Bo,5000,1-0\n"
    with pytest.raises(EventError) as refused:
        read_event(table)
    assert "Bo has the rating 1690 here but 1700 on line 2" in str(refused.value)
    with pytest.raises(EventError) as refused:
        read_event(table, event=EVERY)
    assert [str(problem) for problem in refused.value.problems] == [
        "rating must be a whole number from 1 to 4000: '5000' @ games, line 4, column 4"
    ]
    read = read_event(table.replace(b"Bo,5000,", b"Bo,0,"), event=EVERY)
    assert [game.ratings for game in read.games] == [(1800, 1700), (1690, 1810), (None, None)]
    assert [player.rating for player in read.players] == [1800, 1700]


# -- what is said ---------------------------------------------------------------------------------


SPREAD, DRIFT = "Differences count, times what they are", "Drift, points"
NEWCOMERS, LIFT = "Newcomers give in 30 games, points", "Lift: a"


def told(done: Health, code: str = "en") -> dict[str, FigureRow]:
    """The rows of the table by what they tell."""
    with speaking(code):
        return {row.what: row for row in rows(Checked(None, done, "game", None, 0, ()))}


@pytest.mark.slow
def test_the_table_says_what_is_wrong_and_nothing_else() -> None:
    done = examined()
    assert done.drift is not None
    assert done.newcomers is not None
    ill = told(done)
    assert "Ratings lie too far apart" in ill[SPREAD].means
    assert ill[DRIFT].means == "30 constant players, 7.0 years."
    assert float(ill[DRIFT].high) < 0
    assert "They are underrated" in ill[NEWCOMERS].means
    assert "It would help if each rating" in ill[LIFT].means
    highest = 100 * round(done.ratings[1] / 100)
    lifted, half = (float(x) for x in done.lift.at(highest))
    numbers = [f"{x:,.0f}" for x in (lifted, lifted - half, lifted + half)]
    assert [*ill[f"Lift: {highest} becomes"][1:4]] == numbers
    scores = [row for what, row in ill.items() if what.startswith("Favourites' score")]
    known = done.spread.games > 0
    assert [row.value for row in scores] == [f"{x:.3f}" for x in done.spread.score[known]]
    fitted = [f"{x:.3f}." for x in done.spread.fitted[known]]
    assert [row.means.split()[-1] for row in scores] == fitted
    well = replace(
        done,
        a=Estimate(0.97, 0.9, 1.04),
        usual=0.96,
        drift=replace(done.drift, change=Estimate(3, -9, 15)),
        newcomers=replace(done.newcomers, gift=Estimate(2, -3, 7)),
    )
    said = told(well)
    for what, ending in (
        (SPREAD, "0.96 to 1 is usual."),
        (DRIFT, "Nothing speaks for a drift."),
        (NEWCOMERS, "Nothing speaks against their first ratings."),
        (LIFT, "Nothing calls for a lift."),
    ):
        assert said[what].means.endswith(ending)
    narrow = replace(well, a=Estimate(1.2, 1.1, 1.3), usual=None)
    assert "too close together" in told(narrow)[SPREAD].means
    few = told(replace(well, drift=replace(done.drift, number=3, change=None), newcomers=None))
    assert few[DRIFT].means == "3 constant players are too few."
    assert "They are too few" in few[NEWCOMERS].means
    still = told(replace(well, drift=replace(done.drift, change=None)))
    assert "the ratings never change" in still[DRIFT].means
    useless = replace(done.lift, a=Estimate(0.01, -0.05, 0.07))
    luck = told(replace(done, a=useless.a, lift=useless))
    assert "do not follow the ratings" in luck[SPREAD].means
    assert luck[LIFT].means == "No lift would help."
    assert "the days of the games are not known" in told(replace(well, drift=None))[DRIFT].means
    for language in CODES[1:]:
        assert not {*told(done, language).values()} & {*ill.values()}


run = partial(invoke, "check")


@pytest.mark.slow
def test_the_command_says_what_python_finds(tmp_path: Path) -> None:
    games = frame(9)
    expected = elo.health(games)
    path = as_table(games, tmp_path / "games.csv")
    answer = json.loads(run(path, "--json").stdout)
    found = answer["health"]
    assert found["games"] == expected.games
    assert found["a"]["low"] == pytest.approx(expected.a.low)
    assert found["lift"]["b"]["high"] == pytest.approx(expected.lift.b.high)
    assert sum(found["spread"]["games"]) == expected.games
    assert expected.drift is not None
    assert found["drift"]["number"] == expected.drift.number
    assert answer["table"][-1] == [*told(expected).values()][-1]._asdict()
    done = run(path, "--lang", "es")
    assert done.exit_code == 0, done.output
    assert [*told(expected, "es").values()][-1].what in done.stdout
    lifted = json.loads(run(path, "--json", "--level", "1700").stdout)["health"]
    assert lifted["lift"]["level"] == 1700


@pytest.mark.slow
def test_a_clubs_book_has_the_ratings_of_its_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "FEWEST_GAMES", 5)
    book = club_book(tmp_path / "club.xlsx", FOUR, players=6, rounds=12)
    ada, bo, cy = "Aubert, Ada", "Blanco, Bo", "Costa, Cy"
    wins = (f"{ada};{bo};1-0", f"{ada};{bo};0-1", f"{bo};{cy};1-0", f"{cy};{bo};½")
    for month in (1, 2):
        path = games_file(tmp_path, *wins, f"{ada};{cy};1-0", name=f"m{month}.csv")
        run_book("add", book, path, "--kind", "standard", "--date", f"2026-0{month}-10")
        run_book("close", book, "--date", f"2026-0{month + 1}-01")
    found = run(book, "--json")
    assert found.exit_code == 0, found.output
    told = json.loads(found.stdout)
    assert "nothing is said of K: 10 games can be predicted, and 125 are needed" in told["notes"]
    examined = told["health"]
    assert (examined["games"], examined["players"], examined["unrated"]) == (10, 3, 0)
