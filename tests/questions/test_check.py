"""How good ratings are, beside plain loops, and histories whose truth is known."""

import json
import math
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from datetime import date, timedelta
from functools import cache, partial
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from statistics import NormalDist, fmean
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.interpolate import CubicSpline
from scipy.optimize import brentq, minimize_scalar

import elo_xl as elo
from elo_xl.books.answers import speaking
from elo_xl.engine.outcomes import outcomes
from elo_xl.engine.quality import Estimate
from elo_xl.events.event import Game, Kind, Player, Tournament
from elo_xl.events.files import read_event
from elo_xl.events.merging import EventFile, games_of_kind
from elo_xl.questions.check import numbers as engine
from elo_xl.questions.check.event import Checked, FigureRow, rows
from elo_xl.questions.check.numbers import Check, History
from tests.support.clubs import FOUR, club, games_file
from tests.support.command import invoke
from tests.support.command import run_in_a_line as run_book
from tests.support.findings import season

HOME, NU, DRIFT = 30.0, 0.8, 15.0
RESULTS = {1: "1-0", 0.5: "1/2-1/2", 0: "0-1"}


def check(*columns: Any, colours: bool = True, **more: Any) -> Check:
    return engine.check(History(*columns, **more), colours=colours)


def chances(expected: float, nu: float) -> list[float]:
    """Davidson's chances of a win, a draw and a loss with this expected score, by trial."""

    def surplus(points: float) -> float:
        win, draw, _ = outcomes(points, f"davidson:{nu!r}", "logistic")
        return float(win + draw / 2 - expected)

    points = brentq(surplus, -6000, 6000, xtol=1e-9)
    return [float(x) for x in outcomes(points, f"davidson:{nu!r}", "logistic")]


@cache
def tabled() -> tuple[Any, ...]:
    """The same chances between 0 and 1."""
    at = np.linspace(0.001, 0.999, 400)
    return tuple(CubicSpline(at, row) for row in np.array([chances(e, NU) for e in at]).T[:2])


def history(seed: int, players: int = 60, games: int = 3000) -> tuple[Any, Any, Any, Any]:
    """Rounds of everybody, whose strengths wander; White, Black, score, and the true chance."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(0, 200, players)
    sides, truth = [], []
    for _ in range(2 * games // players):
        both = rng.permutation(players).reshape(2, -1)
        sides.append(both)
        truth.append(elo.expected(strength[both[0]] + HOME, strength[both[1]]))
        strength *= math.sqrt(1 - (DRIFT / 200) ** 2)
        strength += rng.normal(0, DRIFT, players)
    white, black = np.concatenate(sides, axis=1)
    expected = np.concatenate(truth)
    win, draw = (curve(expected.clip(0.001, 0.999)) for curve in tabled())
    luck = rng.random(expected.size)
    return white, black, np.where(luck < win, 1, np.where(luck < win + draw, 0.5, 0)), expected


def by_hand(
    white: Any, black: Any, score: Any, start: Sequence[float], k: float, home: float,
    period: Any = None, burn_in: int = 10, neutral: Any = None,
) -> list[float]:  # fmt: skip
    """The expected scores, game after game or period after period, in plain numbers."""
    rating = [1500.0 if math.isnan(own) else own for own in start]
    new = [math.isnan(own) for own in start]
    played: dict[int, int] = defaultdict(int)
    turns: dict[int, list[int]] = defaultdict(list)
    for game in range(len(score)):
        turns[game if period is None else period[game]].append(game)
    curve = NormalDist(0, 200 * math.sqrt(2)).cdf
    found = [math.nan] * len(score)
    for _, games in sorted(turns.items()):
        count: dict[int, int] = defaultdict(int)
        change: dict[int, float] = defaultdict(float)
        for game in games:
            for player in (white[game], black[game]):
                count[player] += 1
        for game in games:
            pair = white[game], black[game]
            entering = [new[p] and played[p] < burn_in for p in pair]
            ahead = 0 if neutral is not None and neutral[game] else home
            chance = curve(rating[pair[0]] + ahead - rating[pair[1]])
            if not any(entering):
                found[game] = chance
            for side, player in enumerate(pair):
                gain = (score[game] - chance) * (-1 if side else 1)
                if entering[side]:
                    change[player] += 709 / (played[player] + count[player] + 1) * gain
                elif not entering[1 - side]:
                    twice = new[player] and played[player] < 30
                    change[player] += (2 if twice else 1) * k * gain
        for player, number in count.items():
            rating[player] += change[player]
            played[player] += number
    return found


# -- what is computed -----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("months", [False, True])
def test_predictions_and_losses_are_those_of_a_plain_loop(months: bool) -> None:
    white, black, score, _ = history(1, players=20, games=900)
    start = [math.nan] * 12 + [1400.0, 1450, 1500, 1500, 1550, 1600, 1650, 1700]
    period = np.arange(900) // 40 if months else None
    neutral = np.arange(900) % 3 == 0 if months else None
    more: dict[str, Any] = {"period": period, "burn_in": 7, "neutral": neutral}
    found = check(white, black, score, 20, rating=start, **more)
    told = found.home
    assert told is not None
    arguments = white, black, score, start

    def loss(k: float, home: float = told.value) -> float:
        own = np.array(by_hand(*arguments, k, home, **more))
        known = ~np.isnan(own)
        return elo.log_loss(own[known], score[known])

    own = np.array(by_hand(*arguments, found.k.value, told.value, **more))
    known = ~np.isnan(own)
    np.testing.assert_allclose(own, found.expected, atol=1e-10)
    assert known.sum() == found.scored < found.games
    assert elo.log_loss(own[known], score[known]) == pytest.approx(found.best.log_loss)
    assert elo.brier(own[known], score[known]) == pytest.approx(found.best.brier)
    mean = np.full(found.scored, score[known].mean())
    assert elo.log_loss(mean, score[known]) == pytest.approx(found.base.log_loss)
    for k, told_loss in found.curve:
        assert loss(k) == pytest.approx(told_loss, abs=1e-9)
    best = minimize_scalar(loss, bounds=(5, 120), method="bounded", options={"xatol": 0.01})
    assert found.k.value == pytest.approx(best.x, rel=0.01)
    best = minimize_scalar(lambda home: loss(found.k.value, home), bounds=(-99, 99),
                           method="bounded", options={"xatol": 0.01})  # fmt: skip
    assert told.value == pytest.approx(best.x, abs=0.3)


@pytest.mark.slow
def test_draws_are_davidsons_with_the_expected_score_of_the_ratings() -> None:
    white, black, score, _ = history(2, players=20, games=1200)
    found = check(white, black, score, 20)
    known = ~np.isnan(found.expected)
    expected, result = found.expected[known][:200], score[known][:200]
    losses = engine.draw_losses(expected, result, np.array([0.3, NU, 2.5]))
    for at, nu in enumerate((0.3, NU, 2.5)):
        by_trial = [
            -math.log(chances(float(e), nu)[{1: 0, 0.5: 1, 0: 2}[s]])
            for e, s in zip(expected, result, strict=True)
        ]
        np.testing.assert_allclose(losses[:, at], by_trial, rtol=1e-6)
    grid = np.linspace(0.3, 2, 500)
    sums = engine.draw_losses(found.expected[known], score[known], grid).sum(0)
    assert found.draw is not None
    assert found.draw.value == pytest.approx(grid[sums.argmin()], abs=0.004)


def test_fides_rule_is_the_table_with_differences_up_to_400() -> None:
    """Ratings that stay where they are: nobody's K moves what the first games predict."""
    rng = np.random.default_rng(3)
    white, black = np.arange(0, 400, 2), np.arange(1, 400, 2)
    rating = rng.uniform(1200, 2400, 400)
    score = rng.integers(0, 3, 200) / 2
    found = check(white, black, score, 400, rating=rating)
    table = [elo.expected(a, b, model="fide", cap=400)
             for a, b in zip(rating[white], rating[black], strict=True)]  # fmt: skip
    assert found.fide.log_loss == pytest.approx(elo.log_loss(table, score))
    assert found.fide.brier == pytest.approx(elo.brier(table, score))
    assert (found.k.low, found.k.high) == (0, math.inf)
    assert found.needed is not None


def test_the_kind_of_play_is_named_where_files_have_several() -> None:
    people = (Player(1, "Ana", 1800.0), Player(2, "Ben", 1750.0))
    kinds: tuple[Kind, ...] = ("rapid", "blitz")
    rapid, blitz = (
        EventFile(kind, Tournament(kind, people, {}, (Game(1, 1, 2, score),), 1, kind=kind))
        for kind, score in zip(kinds, (1.0, 0.5), strict=True)
    )
    assert games_of_kind([rapid])[1] is None
    assert games_of_kind([rapid, blitz], "blitz")[1] == "blitz"


# -- histories whose truth is known ---------------------------------------------------------------


@cache
def checked() -> list[tuple[Check, float]]:
    """Histories of which everything is known, with the log loss of the true chances."""
    found = []
    for seed in range(40):
        white, black, score, truth = history(100 + seed)
        done = check(white, black, score, 60)
        known = ~np.isnan(done.expected)
        found.append((done, elo.log_loss(truth[known], score[known])))
    return found


@pytest.mark.slow
def test_intervals_contain_the_best_k_of_a_huge_history() -> None:
    """The best K of the first 60,000 games is within the intervals of the other histories."""
    mine, others = checked()[:20], checked()[20:]
    at = engine.SHOWN
    losses = np.mean([[dict(done.curve)[k] for k in at] for done, _ in mine], axis=0)
    curve = CubicSpline(np.log(at), losses)
    fine = np.linspace(math.log(15), math.log(60), 2000)
    best = math.exp(fine[curve(fine).argmin()])
    assert 25 < best < 40
    assert sum(done.k.holds(best) for done, _ in others) >= 17
    assert np.median([done.k.high / done.k.low for done, _ in others]) < 2


@pytest.mark.slow
def test_intervals_contain_whites_advantage_and_draws() -> None:
    """Ratings are not the strengths, so that advantage and draws look a tenth smaller."""
    found = [done for done, _ in checked()]
    home = fmean([done.home.value for done in found if done.home])
    draw = fmean([done.draw.value for done in found if done.draw])
    assert HOME - 5 < home <= HOME
    assert NU - 0.12 < draw <= NU
    assert sum(done.home.holds(HOME) for done in found if done.home) >= 36
    assert sum(done.draw.holds(draw) for done in found if done.draw) >= 35


def test_the_truth_predicts_better_than_the_best_ratings_and_these_than_fides() -> None:
    for done, truth in checked():
        assert truth < done.best.log_loss + 0.005
        assert done.best.log_loss <= done.fide.log_loss
        assert done.best.log_loss < done.base.log_loss


@pytest.mark.slow
def test_a_sweep_is_a_plain_loop_for_every_combination() -> None:
    white, black, score, _ = history(7, players=20, games=400)
    games = {"white": white, "black": black, "result": score}
    start = {"name": range(20), "rating": [1400 + 10 * i for i in range(12)] + [None] * 8}
    grid: dict[str, Any] = {"k": [5, 20, 60], "home": [-20, 0, 35], "draw": [0.5, NU]}
    table = elo.sweep(games, start, **grid)
    assert list(product(*grid.values())) == [
        row[:3] for row in zip(*(column.tolist() for column in table.values()), strict=True)
    ]
    before = [1400.0 + 10 * i for i in range(12)] + [math.nan] * 8
    for row in (0, 7, 17):
        tried = (float(column[row]) for column in table.values())
        k, home, nu, log_loss, brier, outcome_loss = tried
        own = np.array(by_hand(white, black, score, before, k, home))
        pairs = [(e, s) for e, s in zip(own.tolist(), score, strict=True) if not math.isnan(e)]
        losses = [-s * math.log(e) - (1 - s) * math.log(1 - e) for e, s in pairs]
        assert fmean(losses) == pytest.approx(log_loss, rel=1e-9)
        assert fmean((s - e) ** 2 for e, s in pairs) == pytest.approx(brier, rel=1e-9)
        each = [-math.log(chances(e, nu)[{1: 0, 0.5: 1, 0: 2}[s]]) for e, s in pairs]
        assert fmean(each) == pytest.approx(outcome_loss, rel=1e-6)


@pytest.mark.slow
def test_a_sweep_by_several_processes() -> None:
    white, black, score, _ = history(8, players=20, games=400)
    games = pd.DataFrame({"white": white, "black": black, "result": score})
    ks = np.linspace(2, 60, 20)
    here = elo.sweep(games, k=ks)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        there = elo.sweep(games, k=ks, tasks=pool.map)
    pd.testing.assert_frame_equal(here, there)
    assert ["k", "home", "log_loss", "brier"] == list(here)
    assert ks.tolist() == here["k"].tolist()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"k": -1}, "K must not be below 0, got -1"),
        ({"k": []}, "a sweep needs at least one K"),
        ({"k": 20, "home": []}, "a sweep needs at least one home"),
        ({"k": 20, "home": math.inf}, "home must be within 1,000,000 points of 0, got inf"),
        ({"k": 20, "draw": [1, 0]}, "draw must be above 0, got 0"),
    ],
)
def test_a_sweep_of_impossible_numbers_is_refused(wrong: dict[str, Any], said: str) -> None:
    white, black, score, _ = history(8, players=20, games=400)
    with pytest.raises(elo.DomainError, match=re.escape(said)):
        elo.sweep({"white": white, "black": black, "result": score}, **wrong)


# -- what is given --------------------------------------------------------------------------------


def frame(white: Any, black: Any, score: Any, each: int = 30) -> dict[str, list[Any]]:
    days = [date(2020, 1, 1) + timedelta(days=7 * (i // each)) for i in range(len(score))]
    return {
        "white": [f"P{i}" for i in white.tolist()],
        "black": [f"P{i}" for i in black.tolist()],
        "result": [RESULTS[s] for s in score.tolist()],
        "date": days,
    }


@pytest.mark.slow
def test_tables_of_all_kinds_by_game_by_month_and_by_period() -> None:
    white, black, score, _ = history(4, players=20, games=900)
    games = frame(white, black, score)
    month = np.array([12 * day.year + day.month for day in games["date"]])
    pairs = zip(games["white"], games["black"], strict=True)
    index: dict[str, int] = {}
    for name in (name for pair in pairs for name in pair):
        index.setdefault(name, len(index))
    one, two = ([index[name] for name in games[side]] for side in ("white", "black"))
    day = np.array([day.toordinal() for day in games["date"]])
    expected = check(one, two, score, 20, period=month, day=day)
    assert elo.check(games) == expected
    assert elo.check(pd.DataFrame(games)) == expected
    assert elo.check(pl.DataFrame(games)) == expected
    texts = {**games, "date": [str(day) for day in games["date"]]}
    assert elo.check({key: column[::-1] for key, column in texts.items()}).k.holds(expected.k.value)
    assert elo.check({**games, "period": month.tolist()}) == expected
    assert elo.check(games, by="game") == check(one, two, score, 20, day=day)
    years = {**games, "date": [day.year for day in games["date"]]}
    assert elo.check(years, by="game").k.value == pytest.approx(expected.k.value, rel=0.5)
    rated = {"name": ["P0", "P1", "Nobody"], "rating": [1700, 0, 1500]}
    known = elo.check(games, rated, by="game")
    start = [1700 if name == "P0" else math.nan for name in index]
    assert known == check(one, two, score, 20, rating=start, day=day)
    assert known.newcomers == 19
    assert elo.check(games, colours=False).home is None
    neutral = [None, True, False] * 300
    ground: dict[str, Any] = {"neutral": [x is True for x in neutral]}
    assert elo.check(games | {"neutral": neutral}) == check(
        one, two, score, 20, period=month, day=day, **ground
    )


def test_what_cannot_be_checked_is_refused() -> None:
    white, black, score, _ = history(5, players=20, games=200)
    games = frame(white, black, score)
    with pytest.raises(
        elo.DomainError, match="100 games can be predicted, and 125 are needed: 100"
    ):
        elo.check(games, by="game")
    with pytest.raises(elo.OptionError, match="by must be one of game, month, period, got 'day'"):
        elo.check(games, by="day")  # type: ignore[arg-type]
    with pytest.raises(elo.SizeError, match="dates have no months"):
        elo.check({**games, "date": list(range(200))})
    with pytest.raises(elo.SizeError, match="'date'"):
        elo.check({key: games[key] for key in ("white", "black", "result")}, by="month")
    with pytest.raises(elo.DomainError, match="burn_in must be 1 or more, got 0"):
        elo.check(games, burn_in=0)
    with pytest.raises(elo.DomainError, match=r"score must be 1, 0.5 or 0, got 0.75"):
        check([0, 1], [1, 0], [1, 0.75], 2)
    with pytest.raises(
        elo.DomainError, match="rating must be within 1,000,000 points of 0, got inf"
    ):
        check([0], [1], [1], 2, rating=math.inf)
    with pytest.raises(elo.SizeError, match="3 ratings for 2 players"):
        check([0], [1], [1], 2, rating=[1, 2, 3])
    with pytest.raises(elo.DomainError, match="0 games can be predicted"):
        check([], [], [], 0)


@pytest.mark.slow
def test_games_without_draws_and_without_anything_else() -> None:
    white, black, score, _ = history(6, players=20, games=900)
    decided = check(white, black, np.where(score == 0.5, 1, score), 20)
    assert decided.draw is None
    assert "Draws, ν" not in told(decided)
    drawn = check(white, black, np.full(900, 0.5), 20)
    assert drawn.draw is not None
    assert drawn.draw.high == math.inf
    assert drawn.best.log_loss == pytest.approx(math.log(2))


# -- what is said ---------------------------------------------------------------------------------


def told(done: Check, code: str = "en") -> dict[str, FigureRow]:
    """The rows of the table by what they tell."""
    with speaking(code):
        return {row.what: row for row in rows(Checked(done, None, "game", None, 0, ()))}


def test_the_table_says_what_a_club_can_act_on() -> None:
    done = replace(checked()[0][0], k=Estimate(24, 18, 34), home=Estimate(-3.2, -9, 15))
    found = told(done)
    assert found["Best K"][1:4] == ("24.0", "18.0", "34.0")
    assert found["Best K"].means == "FIDE's 20 is within: nothing speaks for another K."
    assert found["White's advantage, points"][1:4] == ("-3.2", "-9.0", "15.0")
    assert found["White's advantage, points"].means == "Nothing speaks for an advantage."
    for k, said in ((Estimate(40, 30, 50), "is below"), (Estimate(5, 0, 12), "is above")):
        assert said in told(replace(done, k=k))["Best K"].means
    assert told(replace(done, k=Estimate(40, 30, math.inf)))["Best K"].high == ""
    some = told(replace(done, home=Estimate(9, 3, 15)))["White's advantage, points"]
    assert "Count it" in some.means
    bins = [row for what, row in found.items() if what.startswith("White's score")]
    known = done.calibration
    assert [row.value for row in bins] == [f"{x:.3f}" for x in known.score[known.games > 0]]
    games = [int(re.findall("in ([\\d,]+) game", row.means)[0].replace(",", "")) for row in bins]
    assert sum(games) == done.scored
    assert "Mejor K" in told(done, "es")


@pytest.mark.parametrize(
    ("said", "less"),
    [
        ("The games tell nothing of K.", lambda done: replace(done, k=Estimate(3, 0, math.inf))),
        ("Too few games: it takes 9,000 p", lambda done: replace(done, needed=9000)),
        ("The games tell nothing of K.", lambda done: replace(done, best=done.base)),
    ],
)
def test_where_games_tell_nothing_no_k_is_the_best(
    said: str, less: Callable[[Check], Check]
) -> None:
    found = told(less(replace(checked()[0][0], k=Estimate(3, 0, 12))))
    assert found["Best K"].value == ""
    assert found["Best K"].means.startswith(said)
    assert "Log loss with the best K" not in found


def test_what_the_best_k_gains_is_told_where_it_gains() -> None:
    done = replace(checked()[0][0], k=Estimate(40, 30, 50))

    def said(log_loss: float) -> str:
        fide = replace(done.fide, log_loss=log_loss)
        return told(replace(done, fide=fide))["Log loss with FIDE's rule"].means.split(". ")[-1]

    share = (done.base.log_loss - done.best.log_loss) / 4
    assert said(done.best.log_loss + share) == "It loses 25% of what the ratings tell."
    assert said(done.best.log_loss - 0.001) == "It predicts these games better."
    assert said(done.base.log_loss + 0.01).startswith("Brier score")
    useless = told(replace(done, best=done.base))["Log loss of knowing nothing"]
    assert "Even the best ratings predict no better." in useless.means


run = partial(invoke, "check")


def listed(games: dict[str, list[Any]], path: Path) -> Path:
    pd.DataFrame(games).rename(columns=str.capitalize).to_csv(path, index=False)
    return path


@pytest.mark.slow
def test_the_command_says_what_python_finds(tmp_path: Path) -> None:
    games = frame(*history(4, players=20, games=900)[:3])
    path = listed(games, tmp_path / "games.csv")
    for by in ("month", "game"):
        found = json.loads(run(path, "--json", "--by", by).stdout)
        known, check = elo.check(games, by=by), found["check"]
        assert (found["by"], found["kind"], found["health"]) == (by, None, None)
        assert check["k"]["value"] == pytest.approx(known.k.value)
        assert check["best"]["log_loss"] == pytest.approx(known.best.log_loss)
        assert check["curve"] == [pytest.approx(point) for point in known.curve]
        numbers = ("games", "players", "draws", "newcomers", "scored")
        assert [check[key] for key in numbers] == [getattr(known, key) for key in numbers]
        assert found["table"][2] == told(known)["Best K"]._asdict()
    done = run(path)
    assert done.exit_code == 0, done.output
    assert "ratings change each month" in done.stdout
    assert told(elo.check(games))["Best K"].means in done.stdout
    assert "no game has the ratings of both players" in done.stderr


def test_health_names_the_command_that_answers_now() -> None:
    gone = invoke("health", "games.csv")
    assert (gone.exit_code, "elo-xl check answers now" in gone.stderr) == (2, True)


@pytest.mark.slow
@pytest.mark.parametrize("by", ["month", "game", None])
def test_intervals_are_the_same_from_a_file_and_in_any_order_of_an_evening(
    tmp_path: Path, by: Any
) -> None:
    games = frame(*season(2400), each=33)
    if by is None:
        del games["date"]
    words = ("--by", by) if by else ()
    found = json.loads(run(listed(games, tmp_path / "games.csv"), "--json", *words).stdout)
    known = elo.check(games, by=by)
    for one, other in (("k", known.k), ("home", known.home), ("draw", known.draw)):
        assert other is not None
        assert found["check"][one] == pytest.approx(
            {"value": other.value, "low": other.low, "high": other.high}, rel=1e-6
        )
    if by == "month":  # the order of an evening is no order of time
        rng = np.random.default_rng(1)
        mixed = pd.DataFrame(games).iloc[rng.permutation(2400)]
        again = elo.check(mixed)
        assert again.k.low == pytest.approx(known.k.low, rel=1e-6)
        assert again.k.high == pytest.approx(known.k.high, rel=1e-6)


@pytest.mark.slow
def test_files_of_a_folder_and_pgn_are_one_history(tmp_path: Path) -> None:
    games = frame(*history(4, players=20, games=900)[:3])
    whole = json.loads(run(listed(games, tmp_path / "games.csv"), "--json").stdout)
    folder = tmp_path / "years"
    folder.mkdir()
    listed({key: column[450:] for key, column in games.items()}, folder / "a.csv")
    tags = zip(*({key: column[:450] for key, column in games.items()}).values(), strict=True)
    (folder / "b.pgn").write_text("\n".join(
        f'[Event "Evening {day}"]\n[White "{one}"]\n[Black "{two}"]\n[Result "{result}"]\n'
        f'[Date "{day:%Y.%m.%d}"]\n\n1. e4 {result}\n' for one, two, result, day in tags
    ))  # fmt: skip
    parts = json.loads(run(folder, "--json").stdout)
    assert parts["check"]["k"] == pytest.approx(whole["check"]["k"])
    assert parts["check"]["curve"] == whole["check"]["curve"]
    (folder / "c.trf").write_text("001 nonsense")
    done = run(folder)
    assert done.exit_code == 1
    assert "1 of 3 files not counted" in done.stderr
    first = read_event(folder / "b.pgn", event="*", unrated=True).games
    assert {game.day for game in first} == set(games["date"][:450])


@pytest.mark.slow
def test_a_list_of_players_has_the_ratings_that_they_began_with(tmp_path: Path) -> None:
    games = frame(*history(4, players=20, games=900)[:3])
    path = listed(games, tmp_path / "games.csv")
    ratings: dict[str, list[Any]] = {
        "name": [f"P{i}" for i in range(20)],
        "rating": [1400 + 10 * i for i in range(20)],
    }
    players = listed(ratings, tmp_path / "list.csv")
    found = json.loads(run(path, "--players", players, "--json").stdout)["check"]
    assert found["k"]["value"] == pytest.approx(elo.check(games, ratings).k.value)
    assert (found["newcomers"], found["scored"]) == (0, 900)


def test_refusals_of_the_command(tmp_path: Path) -> None:
    games = frame(*history(5, players=20, games=200)[:3])
    path = listed(games, tmp_path / "games.csv")
    few = run(path, "--by", "game")
    assert "125 are needed" in str(few.exception)
    del games["date"]
    undated = run(listed(games, path), "--by", "month")
    assert "200 of 200 games have no day: --by game" in str(undated.exception)
    assert "game" in run(tmp_path / "nothing").stderr or run(tmp_path / "nothing").exit_code == 2
    for wrong in (("--burn-in", "0"), ("--level", "high")):
        assert run(path, *wrong).exit_code == 2


@pytest.mark.slow
def test_a_clubs_book_has_its_lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "OF_BLOCK", 1)
    book = club(tmp_path / "club.xlsx", FOUR, players=6, rounds=12)
    two = "Aubert, Ada;Blanco, Bo"
    for month in (1, 2):
        file = games_file(tmp_path, f"{two};1-0", f"{two};½-½", f"{two};0-1")
        run_book("add", book, file, "--name", f"No {month}", "--date", f"2026-0{month}-10")
        run_book("close", book, "--date", f"2026-0{month + 1}-01")
    answer = json.loads(run(book, "--json").stdout)
    found = answer["check"]
    counts = {key: found[key] for key in ("games", "players", "scored", "newcomers")}
    assert counts == {"games": 6, "players": 2, "scored": 6, "newcomers": 0}
    assert answer["by"] == "list"
    ratings = {"name": ["A", "B"], "rating": [1800, 1700]}
    games: dict[str, list[Any]] = {
        "white": ["A"] * 6,
        "black": ["B"] * 6,
        "result": [1, 0.5, 0] * 2,
    }
    known = elo.check({**games, "period": [1] * 3 + [2] * 3}, ratings)
    assert found["best"]["log_loss"] == pytest.approx(known.best.log_loss)
    assert json.loads(run(book, "--json", "--by", "game").stdout)["by"] == "game"
    assert "there is no rated game of blitz play" in str(run(book, "--kind", "blitz").exception)
    assert "takes only --by" in run(book, "--encoding", "cp1250").stderr
    # the same games fitted at once, in place of going through the lists
    told = invoke("fit", book, "--json")
    assert told.exit_code == 0, told.output
    fitted = elo.fit({**games, "white": ["Aubert, Ada"] * 6, "black": ["Blanco, Bo"] * 6})
    ours = {one["name"]: one["rating"] for one in json.loads(told.stdout)["players"]}
    expected = dict(zip(fitted.players["name"], fitted.players["rating"], strict=True))
    assert ours == pytest.approx(expected)
    used = invoke("fit", book, "--encoding", "cp1250")
    assert "a club's book has no use for" in used.stderr
