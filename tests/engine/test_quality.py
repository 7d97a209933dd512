"""Quality of predictions, and the score that a target needs, beside the plain ways to find them."""

import math
import random
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from mpmath import mp  # type: ignore[import-untyped]

import elo_xl as elo
from elo_xl.engine import quality, ratings
from elo_xl.engine.rulebooks import RULEBOOKS

RNG = np.random.default_rng(4)
CHANCES = (RNG.integers(0, 101, 500) / 100).tolist()
SCORES = (RNG.integers(0, 3, 500) / 2).tolist()


def test_log_loss_to_forty_digits() -> None:
    with mp.workdps(40):
        total = mp.mpf(0)
        for e, s in zip(CHANCES, SCORES, strict=True):
            p = min(max(mp.mpf(e), mp.mpf("1e-12")), 1 - mp.mpf("1e-12"))
            total -= s * mp.log(p) + (1 - s) * mp.log(1 - p)
    assert quality.log_loss(CHANCES, SCORES) == pytest.approx(float(total / 500), rel=1e-13)
    assert quality.log_loss([0], [1]) == quality.log_loss([1], [0]) == -math.log(1e-12)
    inside = [(e, s) for e, s in zip(CHANCES, SCORES, strict=True) if 0 < e < 1]
    exact = -sum(s * mp.log(e) + (1 - s) * mp.log(1 - mp.mpf(e)) for e, s in inside)
    found = quality.log_loss(*zip(*inside, strict=True))
    assert found == pytest.approx(float(exact / len(inside)), rel=1e-14)


def test_who_knows_nothing_loses_ln_2() -> None:
    assert elo.log_loss([0.5] * 3, [1, 0.5, 0]) == pytest.approx(math.log(2))
    assert elo.brier([0.5] * 3, [1, 0, 1]) == 0.25
    assert elo.log_loss([1, 0], [1, 0]) == pytest.approx(1e-12, rel=1e-3)


def test_blanks_and_nothing() -> None:
    assert elo.brier([0.5, None, 0.2], [1, 1, math.nan]) == 0.25
    assert math.isnan(elo.log_loss([None], [1]))
    assert math.isnan(elo.brier([], []))


@pytest.mark.parametrize("bins", [1, 4, 10, 100])
def test_calibration_beside_pandas(bins: int) -> None:
    frame = pd.DataFrame({"e": CHANCES, "s": SCORES})
    hundredths = (frame["e"] * 100).round().astype(int)
    frame["bin"] = np.minimum(hundredths * bins // 100, bins - 1)
    groups = frame.groupby("bin")
    found: Any = elo.calibration(CHANCES, SCORES, bins=bins)
    assert found["games"].tolist() == groups.size().reindex(range(bins), fill_value=0).tolist()
    for ours, theirs in (
        (found["expected"], groups["e"].mean()),
        (found["score"], groups["s"].mean()),
        (found["error"], groups["s"].sem()),
    ):
        assert ours == pytest.approx(theirs.reindex(range(bins)).to_numpy(), nan_ok=True)
    assert found["low"][0] == 0
    assert found["high"].tolist() == [(i + 1) / bins for i in range(bins)]


def test_calibration_is_a_frame_for_a_frame() -> None:
    for library in (pd, pl):
        found: Any = elo.calibration(library.Series(CHANCES), SCORES)
        assert type(found) is library.DataFrame
        assert found["games"].sum() == 500
    column = elo.calibration(CHANCES, pl.Series(SCORES), bins=1000)
    assert column["score"].null_count() > 800


@pytest.mark.parametrize(
    ("work", "message"),
    [
        (lambda: elo.log_loss([1.5], [1]), "expected score must be between 0 and 1, got 1.5"),
        (lambda: elo.brier([0.5], [2]), "score must be between 0 and 1, got 2.0"),
        (lambda: elo.brier([0.5, 0.5], [1]), "lists of different lengths: 2, 1"),
        (lambda: elo.calibration([0.5], [1], bins=0), "bins must be a whole number above 0, got 0"),
    ],
)
def test_wrong_numbers(work: Any, message: str) -> None:
    with pytest.raises(elo.RatingError, match=message):
        work()


def tried(given: tuple[Any, Any, Any, Any], rules: str) -> Any:
    """The least score, by trying all of them; or the kind of error."""
    rating, k, met, target = given
    try:
        for half in range(0, 2 * len(met) + 1, 2 if rules == "usatt" else 1):
            score: Any = half / 2 if met else []
            if ratings.update(rating, k, met, score, rules) >= target:
                return half / 2
    except elo.RatingError as wrong:
        return type(wrong)
    return math.inf


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULEBOOKS)
def test_needed_is_what_trying_finds(rules: str) -> None:
    draw = random.Random(8)
    found = []
    for _ in range(60):
        met = [draw.randint(1100, 2500) for _ in range(draw.randint(0, 9))]
        rating = draw.randint(1100, 2500)
        k = draw.choice([10, 20, "auto"])
        given: tuple[Any, Any, Any, Any] = (rating, k, met, rating + draw.randint(-60, 60))
        expected = tried(given, rules)
        if isinstance(expected, type):
            with pytest.raises(expected):
                ratings.needed(*given, rules)
        else:
            assert ratings.needed(*given, rules) == expected, given
        found.append(expected)
    assert any(isinstance(x, float) and 0 < x < 9 for x in found)


def test_needed_for_columns() -> None:
    found = elo.needed(pd.Series([1800, None, 1850]), 20, [1860, 1770, 2000, None], 1850)
    assert found.to_list()[:1] + found.to_list()[2:] == [math.inf, 1.5]
    assert math.isnan(found[1])
    assert elo.needed(1800, "auto", [1900], 1805) == 1.0
    with pytest.raises(elo.OptionError, match='K must be a number or "auto"'):
        elo.needed(1800, "own", [1900], 1805)  # type: ignore[arg-type]
