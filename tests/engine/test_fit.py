"""Ratings of all games at once, beside forty digits, choix, and histories whose truth is known."""

import math
from itertools import permutations
from typing import Any

import choix
import numpy as np
import pandas as pd
import polars as pl
import pytest
from mpmath import mp  # type: ignore[import-untyped]

import elo_xl as elo
from elo_xl.engine.fit import Fit, Network, fit
from elo_xl.engine.models import LOGISTIC_SCALE as SCALE
from elo_xl.engine.outcomes import outcomes
from tests.engine.test_outcomes import PUDDINGS, TIES, WORTH

FIVE = [
    *[(0, 1, 1), (1, 2, 0.5), (2, 3, 1), (3, 4, 0), (4, 0, 0.5), (0, 2, 1), (1, 3, 0), (2, 4, 0.5)],
    *[(3, 0, 0), (4, 1, 1), (1, 0, 0.5), (2, 1, 0), (3, 2, 1), (4, 3, 0.5), (0, 4, 1), (2, 0, 1)],
]
"""White, Black and White's score of 16 games of five players"""


def fitted(games: Any, size: int, **options: Any) -> Fit:
    white, black, score = zip(*games, strict=True) if games else ((), (), ())
    return fit(white, black, score, size, **options)


def history(
    rng: np.random.Generator, strength: Any, games: int, home: float = 0, draw: float = 0
) -> list[Any]:
    """Games between players of known strength, with the probabilities of ELO_OUTCOMES."""
    strength = np.asarray(strength, float)
    white = rng.integers(0, strength.size, games)
    black = (white + rng.integers(1, strength.size, games)) % strength.size
    ahead = strength[white] - strength[black] + home
    win, tie, _ = outcomes(ahead, f"davidson:{draw}", "logistic").T
    drawn = rng.random(games)
    score = np.where(drawn < win, 1, np.where(drawn < win + tie, 0.5, 0))
    return list(zip(white.tolist(), black.tolist(), score.tolist(), strict=True))


# beside other programs


def log_likelihood(games: Any, *parameters: Any) -> Any:
    """To forty digits; the parameters are the strengths but the first one's, White's, and ln ν."""
    *strength, home, draw = (mp.mpf(0), *parameters)
    total = mp.mpf(0)
    for white, black, score in games:
        d = strength[white] - strength[black] + home
        parts = {1: mp.exp(d / 2), 0.5: mp.exp(draw), 0: mp.exp(-d / 2)}
        total += mp.log(parts[score] / mp.fsum(parts.values()))
    return total


@pytest.mark.slow
def test_forty_digits() -> None:
    done = fitted(FIVE, 5, anchor=0, level=0)
    at = [*(done.rating[1:] / SCALE).tolist(), done.home / SCALE, math.log(done.draw)]
    n = len(at)

    def derivative(*order: int) -> Any:
        counts = tuple(order.count(i) for i in range(n))
        return mp.diff(lambda *x: log_likelihood(FIVE, *x), tuple(map(mp.mpf, at)), counts)

    # a step of Newton's from here would go nowhere
    slope = mp.matrix([derivative(i) for i in range(n)])
    information = mp.matrix(n)
    for i in range(n):
        for j in range(i + 1):
            information[i, j] = information[j, i] = -derivative(i, j)
    covariance = information**-1
    assert max(abs(x) for x in covariance * slope) < 1e-13
    errors = [float(mp.sqrt(covariance[i, i])) for i in range(n)]
    assert errors[:4] == pytest.approx(done.error[1:] / SCALE, rel=1e-11)
    assert errors[4:] == pytest.approx([done.home_error / SCALE, done.draw_error / done.draw])
    assert float(log_likelihood(FIVE, *at)) == pytest.approx(done.log_likelihood, rel=1e-13)
    ahead, error = done.difference(2, 3)
    both = covariance[1, 1] + covariance[2, 2] - 2 * covariance[1, 2]
    assert float(mp.sqrt(both)) == pytest.approx(error / SCALE, rel=1e-11)
    assert float(mp.ncdf((at[1] - at[2]) / mp.sqrt(both))) == pytest.approx(done.stronger(2, 3))
    assert ahead == pytest.approx(done.rating[2] - done.rating[3])


def test_puddings_of_davidson() -> None:
    """His estimates of 1970, as the R package PlackettLuce prints them."""
    first, second, won, lost, tied = np.array(PUDDINGS.split(), dtype=int).reshape(-1, 5).T
    counts = np.concatenate([won, lost, tied])
    white, black = (np.tile(x - 1, 3) for x in (first, second))
    score = np.repeat([1, 0, 0.5], first.size)
    done = fit(white, black, score, 6, colours=False, counts=counts)
    worth = np.exp(done.rating / SCALE)
    # that program stops at the fourth digit: its scores and expected scores differ by 0.01
    assert worth / worth.sum() == pytest.approx(WORTH, abs=5e-5)
    assert done.draw == pytest.approx(TIES, abs=5e-5)


def test_choix() -> None:
    games = [
        (a, b, round(score)) for a, b, score in history(np.random.default_rng(5), [0] * 8, 300)
    ]
    done = fitted(games, 8, colours=False, level=0)
    pairs = [(a, b) if score else (b, a) for a, b, score in games]
    assert choix.opt_pairwise(8, pairs, tol=1e-12) * SCALE == pytest.approx(done.rating, abs=1e-5)
    assert math.isnan(done.home_error)
    assert done.home == done.draw == 0


def test_probabilities_are_those_of_the_cells() -> None:
    done = fitted(FIVE, 5)
    total = 0.0
    for white, black, score in FIVE:
        given = (done.rating[white], done.rating[black], f"davidson:{done.draw!r}", "logistic")
        row = elo.worksheet("ELO_OUTCOMES", *given, done.home)
        total += math.log(row[0][round(2 - 2 * score)])  # type: ignore[index, arg-type]
    assert total == pytest.approx(done.log_likelihood, rel=1e-12)


# beside the truth


@pytest.fixture(scope="module")
def many() -> list[tuple[Fit, Any]]:
    """Fits of 300 histories of ten players, with the truth."""
    found = []
    for seed in range(300):
        rng = np.random.default_rng(seed)
        strength = rng.normal(0, 120, 10)
        games = history(rng, strength, 500, home=40, draw=1.2)
        found.append((fitted(games, 10, level=0), strength - strength.mean()))
    return found


@pytest.mark.slow
def test_intervals_hold_the_truth_as_often_as_they_say(many: Any) -> None:
    z = np.array([(done.rating - truth) / done.error for done, truth in many])
    assert np.mean(np.abs(z) < 1.96) == pytest.approx(0.95, abs=0.01)
    assert z.std() == pytest.approx(1, abs=0.03)
    pairs = np.array(
        [
            (done.difference(0, 1)[0] - truth[0] + truth[1]) / done.difference(0, 1)[1]
            for done, truth in many
        ]
    )
    assert np.mean(np.abs(pairs) < 1.96) == pytest.approx(0.95, abs=0.03)


@pytest.mark.slow
def test_whites_advantage_and_draws_are_found(many: Any) -> None:
    home = np.array([(done.home - 40) / done.home_error for done, _ in many])
    draw = np.array([(done.draw - 1.2) / done.draw_error for done, _ in many])
    for z in (home, draw):
        assert abs(z.mean()) < 0.3
        assert z.std() == pytest.approx(1, abs=0.1)


@pytest.mark.slow
def test_errors_hold_where_draws_are_ignored() -> None:
    z: dict[str, list[Any]] = {"davidson": [], "ignore": []}
    for seed in range(60):
        games = history(np.random.default_rng(seed), [0] * 20, 1000, draw=2)  # half are drawn
        for draws, found in z.items():
            done = fitted(games, 20, draws=draws, level=0)
            found.append(done.rating / done.error)
    assert np.std(z["davidson"]) == pytest.approx(1, abs=0.05)
    assert np.std(z["ignore"]) == pytest.approx(1, abs=0.05)


@pytest.mark.parametrize("colours", [True, False])
@pytest.mark.parametrize("anchor", [None, 2])
def test_the_sandwich_by_dense_matrices(colours: bool, anchor: int | None) -> None:
    games = history(np.random.default_rng(3), [0, 50, 100, -80, 20], 60, 30, 1)
    done = fitted(games, 5, draws="ignore", colours=colours, anchor=anchor)
    white, black, score = map(np.array, zip(*games, strict=True))
    x = np.eye(6)[white] - np.eye(6)[black]
    x[:, 5] = colours
    e = 1 / (1 + np.exp(-(x @ np.append(done.rating, done.home)) / SCALE))
    bread = np.linalg.pinv(x.T @ (x * (e * (1 - e))[:, None]))
    c = bread @ (x.T @ (x * ((score - e) ** 2)[:, None])) @ bread * SCALE**2
    to = np.eye(6)[:5] - (np.append(np.full(5, 0.2), 0) if anchor is None else np.eye(6)[anchor])
    variances = np.einsum("ij,jk,ik->i", to, c, to)
    assert done.error**2 == pytest.approx(variances, abs=1e-8)
    both = c[0, 0] + c[1, 1] - 2 * c[0, 1]
    assert done.difference(0, 1)[1] ** 2 == pytest.approx(both)
    assert (done.home_error**2 == pytest.approx(c[5, 5])) == colours


@pytest.mark.parametrize("draws", ["davidson", "ignore"])
@pytest.mark.parametrize("home", [None, 25.0])
def test_several_anchors(draws: str, home: float | None) -> None:
    """At the maximum the score of everybody else, of White and of draws is what was expected."""
    games = history(np.random.default_rng(4), [0, 80, 30, -90, 10, 40], 200, 30, 1)
    anchors = {1: 1700.0, 4: 1450.0, 5: 1500.0}
    done = fitted(games, 6, anchor=anchors, draws=draws, home=home)
    assert {i: done.rating[i] for i in anchors} == anchors
    assert done.error[[*anchors]].tolist() == [0, 0, 0]
    others = [0, 2, 3]
    assert np.isfinite(done.error[others]).all()
    assert done.expected[others] == pytest.approx(done.score[others])
    assert done.expected[1] != pytest.approx(done.score[1])
    white, black, score = map(np.array, zip(*games, strict=True))
    ahead = done.rating[white] - done.rating[black] + done.home
    nu = 0 if draws == "ignore" else done.draw
    win, tie, _ = outcomes(ahead, f"davidson:{nu}", "logistic").T
    if home is None:
        assert (win + tie / 2).sum() == pytest.approx(score.sum())
    if draws == "davidson":
        assert tie.sum() == pytest.approx((score == 0.5).sum())


def test_anchors_of_groups_that_never_met() -> None:
    games = [(0, 1, 1), (1, 0, 1), (2, 3, 0.5), (3, 2, 1), (0, 2, 1)]
    apart = fitted(games, 4, anchor=0, colours=False)
    assert np.isfinite(apart.rating).tolist() == [True, True, False, False]
    done = fitted(games, 4, anchor={0: 1500.0, 2: 1400.0}, colours=False)
    assert np.isfinite(done.rating).all()


@pytest.mark.slow
def test_everybody_expects_what_they_scored() -> None:
    rng = np.random.default_rng(3)
    done = fitted(history(rng, rng.normal(0, 200, 300), 6000, 35, 0.8), 300)
    assert done.expected == pytest.approx(done.score, abs=1e-9)
    assert done.rating.mean() == pytest.approx(1500)


# networks


@pytest.mark.slow
@pytest.mark.parametrize("lines", [4, 400])
def test_network_beside_numpys_inverse(lines: int) -> None:
    """A chain, which takes factors, and a net, which takes conjugate gradients."""
    rng = np.random.default_rng(1)
    size = 200
    first = np.concatenate([np.arange(size - 1), rng.integers(0, size - 1, lines - 4)])
    second = np.concatenate([np.arange(1, size), np.full(lines - 4, size - 1)])
    order = np.argsort(first)
    first, second = first[order], second[order]
    conductance = rng.uniform(0.1, 3, first.size)
    net = Network(first, second, size)
    net.conduct(conductance)
    matrix = np.zeros((size, size))
    for a, b, c in zip(first, second, conductance, strict=True):
        matrix[[a, b, a, b], [a, b, b, a]] += [c, c, -c, -c]
    inverse = np.linalg.pinv(matrix, hermitian=True)
    flow = rng.normal(0, 1, (size, 3))
    flow -= flow.mean(axis=0)
    assert net.solve(flow) == pytest.approx(inverse @ flow, rel=1e-7, abs=1e-7)
    assert net.diagonal(np.arange(size)) == pytest.approx(np.diag(inverse), rel=1e-8)


def test_a_line_that_carries_nothing_is_said() -> None:
    chain = Network(np.arange(400), np.arange(1, 401), 401)
    chain.conduct(np.where(np.arange(400) == 200, 0.0, 1.0))
    flow = np.zeros((401, 1))
    flow[0], flow[-1] = 1, -1
    for work in (lambda: chain.solve(flow), lambda: chain.diagonal(np.arange(401))):
        with pytest.raises(elo.DomainError, match="the equations are singular"):
            work()


@pytest.mark.slow
def test_a_long_ladder() -> None:
    """A thousand players, each of whom met two others: errors grow with the distance."""
    games = [(a, a + 1, s) for a in range(999) for s in (1, 0, 0.5)]
    games += [(a + 1, a, s) for a in range(999) for s in (1, 0, 0.5)]
    done = fitted(games, 1000, anchor=0)
    assert done.rating == pytest.approx(np.full(1000, 1500))
    assert done.error[1:] / done.error[1] == pytest.approx(np.sqrt(np.arange(1, 1000)), rel=1e-6)


# what has no answer


def test_nobody_and_no_games() -> None:
    assert fitted([], 0).rating.size == 0
    done = fitted([], 2)
    assert np.isnan(done.rating).all()
    assert done.group.tolist() == [-1, -1]
    assert fit([0], [1], [math.nan], 2).games.tolist() == [0, 0]


def test_only_wins_and_only_losses() -> None:
    done = fitted([*FIVE, (5, 0, 1), (1, 6, 1), (7, 8, 1)], 9)
    assert done.rating[:5] == pytest.approx(fitted(FIVE, 5).rating)
    assert done.rating[5:7].tolist() == [math.inf, -math.inf]
    assert np.isnan(done.rating[7:]).all()
    assert np.isnan(done.error[5:]).all()
    assert done.connected.tolist() == [True] * 7 + [False] * 2
    with pytest.raises(elo.DomainError, match="do not tell the difference"):
        done.stronger(0, 5)


def test_a_group_that_lost_everything_to_another() -> None:
    lower = [(a + 5, b + 5, score) for a, b, score in FIVE]
    done = fitted([*FIVE, *lower, (0, 5, 1), (7, 2, 0)], 10)
    assert np.isfinite(done.rating[:5]).all()
    assert np.isnan(done.rating[5:]).all()
    assert done.connected.all()
    other = fitted([*FIVE, *lower, (0, 5, 1), (7, 2, 0)], 10, anchor=7, level=2000)
    assert other.rating[7] == 2000
    assert other.error[7] == 0
    assert other.rating[5:] - 2000 == pytest.approx(done.rating[:5] - done.rating[2])
    assert other.expected == pytest.approx(other.score)


def test_the_largest_group_is_the_main_one() -> None:
    small = [(a + 5, b + 5, s) for a, b, s in [(0, 1, 0.5), (1, 0, 1), (0, 1, 1), (1, 0, 0.5)]]
    done = fitted([*small, *FIVE], 7)
    assert done.group.tolist() == [0] * 5 + [1] * 2
    assert not done.connected[5:].any()


def test_all_drawn() -> None:
    games = [(0, 1, 0.5), (1, 2, 0.5), (2, 0, 0.5)]
    done = fitted(games, 3)
    assert done.rating.tolist() == [1500] * 3
    assert done.error.tolist() == [math.inf] * 3
    assert done.draw == math.inf
    assert done.stronger(0, 1) == 0.5
    assert np.isfinite(fitted(games, 3, draws="ignore").error).all()


@pytest.mark.parametrize(
    "games",
    [
        [(0, 1, 1), (1, 2, 1), (2, 0, 1)],  # White won everything
        [(0, 1, 1), (1, 2, 0.5), (2, 0, 0.5)],  # only far apart are games not drawn
    ],
)
def test_no_maximum_is_said(games: Any) -> None:
    with pytest.raises(elo.DomainError, match="no most likely ratings"):
        fitted(games, 3)
    rows: Any = [[f"p{a}", f"p{b}", score] for a, b, score in games]
    assert elo.worksheet("ELO_FIT", rows) == "#NUM!"


def test_colours_that_tell_nothing() -> None:
    done = fitted([(0, 1, 1), (0, 1, 0), (0, 1, 0.5), (0, 1, 1)], 2)
    assert done.home == 0
    assert math.isnan(done.home_error)
    assert done.rating[0] > done.rating[1]


@pytest.mark.parametrize(
    ("games", "error", "message"),
    [
        ([(0, 0, 1)], elo.DomainError, "paired with themselves"),
        ([(0, 1, 0.7)], elo.DomainError, "score must be 1, 0.5 or 0, got 0.7"),
        ([(0, 2, 1)], elo.SizeError, "player 2 is not one of 2"),
    ],
)
def test_wrong_games(games: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        fitted(games, 2)


def test_wrong_options() -> None:
    with pytest.raises(elo.OptionError, match="draws must be one of davidson, ignore"):
        fitted(FIVE, 5, draws="split")
    with pytest.raises(elo.DomainError, match="the anchor must have a game, got 5"):
        fitted(FIVE, 6, anchor=5)
    with pytest.raises(elo.SizeError, match="player 6 is not one of 6"):
        fitted(FIVE, 6, anchor=6)
    with pytest.raises(elo.DomainError, match="rating must be finite"):
        fitted(FIVE, 5, level=math.nan)


def test_the_order_of_games_changes_nothing() -> None:
    one, two = fitted(FIVE, 5), fitted(FIVE[::-1], 5)
    assert one.rating == pytest.approx(two.rating, abs=1e-9)
    names = next(p for p in permutations(range(5)) if p[0] == 3)
    turned = fitted([(names[a], names[b], score) for a, b, score in FIVE], 5)
    assert turned.rating[list(names)] == pytest.approx(one.rating, abs=1e-8)
    assert turned.error[list(names)] == pytest.approx(one.error, rel=1e-9)


# in cells


ROWS: list[Any] = [[f"P{a}", f"P{b}", score] for a, b, score in FIVE]


def test_cells_show_what_the_engine_finds() -> None:
    done = fitted(FIVE, 5, anchor=3, level=1800)
    table: Any = elo.worksheet("ELO_FIT", ROWS, " p3", 1800)
    by_name = {row[0]: row[1:] for row in table}
    for i in range(5):
        own = (done.rating[i], done.error[i], done.games[i], done.score[i], done.expected[i])
        assert by_name[f"P{i}"] == pytest.approx(list(own))
    assert [row[1] for row in table] == sorted((row[1] for row in table), reverse=True)


def test_cells_of_players_without_a_rating() -> None:
    more = [["P0", "Low", "1-0"], ["X", "Y", "½"], ["", "Z", 1], ["P1", "P2", "+"], ["P1", "", 1]]
    table: Any = elo.worksheet("ELO_FIT", [*ROWS, *more], None, None, None, True)
    assert table[0] == ["name", "rating", "standard error", "games", "score", "expected"]
    assert table[6] == ["Low", "#NUM!", "#NUM!", 1, 0, 0]
    assert table[7:] == [["X", "#N/A", "#N/A", 1, 0.5, 0.5], ["Y", "#N/A", "#N/A", 1, 0.5, 0.5]]


@pytest.mark.parametrize(
    ("error", "games", "options"),
    [
        ("#VALUE!", [*ROWS, ["P1", "P2", "x"]], ()),
        ("#VALUE!", [*ROWS, ["P1", "p1", 1]], ()),
        ("#NUM!", [*ROWS, ["P1", "P2", 0.7]], ()),
        ("#DIV/0!", [*ROWS, ["P1", "#DIV/0!", 1]], ()),
        ("#N/A", ROWS, ("nobody",)),
        ("#N/A", ROWS, ([["P1", 1500], ["nobody", 1400]],)),
        ("#VALUE!", ROWS, ([["P1", 1500], ["p1", 1400]],)),
        ("#N/A", ROWS, (None, None, None, None, None, [[1], [2]])),
        ("#NUM!", ROWS, (None, None, None, None, None, 0.5)),
        ("#VALUE!", ROWS, (None, None, None, None, "all")),
        ("#REF!", ROWS, ("#REF!",)),
        ("#VALUE!", ROWS, (None, "x")),
        ("#VALUE!", ROWS, (None, None, "split")),
        ("", [[None, None, None]], ()),
    ],
)
def test_cells_with_errors(error: str, games: Any, options: Any) -> None:
    found: Any = elo.worksheet("ELO_FIT", games, *options)
    assert (found[0][0] if isinstance(found, list) else found) == error


def test_a_list_of_winners_and_losers() -> None:
    """Three players of whom choix says the same."""
    pairs = ["AB", "AB", "BC", "CA", "BA", "CB", "AC", "BC"]
    strengths = choix.opt_pairwise(3, [(ord(p[0]) - 65, ord(p[1]) - 65) for p in pairs])
    expected = (strengths - strengths.mean()) * SCALE + 1500
    assert expected == pytest.approx([1550.58, 1500.00, 1449.42], abs=0.005)
    won: list[list[Any]] = [[pair[0], pair[1], 1] for pair in pairs]
    for games, home in ((won, "none"), (won, 0), ([row[:2] for row in won], None)):
        table: Any = elo.worksheet("ELO_FIT", games, None, None, "ignore", None, home)
        assert [row[0] for row in table] == ["A", "B", "C"]
        assert [row[1] for row in table] == pytest.approx(expected.tolist(), abs=1e-4)
    assert elo.worksheet("ELO_FIT", won) == "#NUM!"


# from Python


def test_frames() -> None:
    columns = {"white": [r[0] for r in ROWS], "black": [r[1] for r in ROWS]}
    columns["result"] = [float(r[2]) for r in ROWS]
    plain = elo.fit(columns, anchor="P3", rating=1800)
    for frame in (pd.DataFrame(columns), pl.DataFrame(columns)):
        found = elo.fit(frame, anchor="P3", rating=1800).players
        assert type(found) is type(frame)
        assert found["rating"].to_list() == plain.players["rating"]
    assert plain.groups == (("P0", "P1", "P2", "P3", "P4"),)
    assert plain.stronger("P0", "P1") + plain.stronger("P1", "P0") == pytest.approx(1)
    with pytest.raises(elo.SizeError, match="player 'Zoe' is not in the games"):
        plain.stronger("P0", "Zoe")
    with pytest.raises(elo.SizeError, match="player 'Zoe' is not in the games"):
        elo.fit(columns, anchor="Zoe")
    without = elo.fit(columns, errors=False)
    assert without.players["error"] == [None] * 5
    assert without.difference("P0", "P1") == pytest.approx(plain.difference("P0", "P1"))


def test_too_many_for_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("elo_xl.engine.fit.MOST_ERRORS", 4)
    with pytest.raises(elo.DomainError, match="at most 4 players, got 5: fit without them"):
        fitted(FIVE, 5)
    assert np.isfinite(fitted(FIVE, 5, errors=False).rating).all()
