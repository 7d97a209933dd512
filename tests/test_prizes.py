"""Prizes: published divisions, and properties that linear programs of SciPy confirm."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment, linprog

from elo_xl.engine.errors import OptionError
from elo_xl.engine.prizes import SHARES, Award, Purse, awards


def purse(lists: Sequence[Sequence[int]], entitled: Sequence[Sequence[int]]) -> Purse:
    return Purse(tuple(map(tuple, lists)), tuple(tuple(map(bool, row)) for row in entitled))


def paid(
    purse: Purse, points: Sequence[float], way: str, places: Sequence[float] = ()
) -> list[int]:
    """What each player gets, in the order of the places."""
    places = places or range(1, len(points) + 1)
    amounts = {award.player: award.amount for award in awards(purse, points, places, way)}
    return [amounts.get(i, 0) for i in range(len(points))]


@pytest.mark.parametrize(
    ("prizes", "points", "expected"),
    [
        # Vega's manual (2016), page 19
        ([10000, 8000, 6000, 4000], [7, 7, 7, 7], [8500, 7500, 6500, 5500]),
        # German Wikipedia, "Hort-System"
        ([1000, 500, 350, 200, 150, 100], [8, 8, 7.5, 7, 7, 7], [875, 625, 350, 175, 150, 125]),
        # the article as it was earlier, in cents; it rounded 11.67 to 12
        (
            [10000, 8000, 6000, 4000, 2000, 1000],
            [8, 8, 7.5, 7, 7, 7],
            [9500, 8500, 6000, 3167, 2167, 1666],
        ),
    ],
)
def test_hort_as_published(prizes: list[int], points: list[float], expected: list[int]) -> None:
    assert expected == paid(purse([prizes], [[1]] * len(points)), points, "hort")


# directors' answers on the US Chess forums, by thread, and the help of WinTD
A, B, C, PLACE, BOTH = [1, 1, 0], [1, 0, 1], [0, 0, 1], [1, 0], [1, 1]


@pytest.mark.parametrize(
    ("lists", "entitled", "points", "expected"),
    [
        # 13188, "Prize Example": the place prize is before the equal one of the class
        (
            [[250, 150, 100], [100]],
            [PLACE, BOTH, BOTH, PLACE, BOTH],
            [4, 3.5, 3.5, 3, 2.5],
            [250, 125, 125, 0, 100],
        ),
        # 406, "Class Prizes": the only player of class A has more alone; those of B have not
        (
            [[120], [70, 30], [70, 30]],
            [[1, 0, 0], [1, 0, 0], A, B, B],
            [3, 3, 3, 3, 3],
            [55, 55, 70, 55, 55],
        ),
        # WinTD's help, as quoted by tourneygeek.com, 23 October 2019
        ([[30000, 20000], [15000]], [PLACE, PLACE, PLACE, BOTH], [3] * 4, [16250] * 4),
        # 16785, "Rule 32B3 question", under the wording of 2014: nobody gets more than alone
        (
            [[2298, 1149, 536, 306], [1379, 766]],
            [PLACE, PLACE, PLACE, BOTH, BOTH, BOTH],
            [5, 4.5, 4, 4, 4, 4],
            [2298, 1149, 536, 817, 817, 817],
        ),
        # 24963, page 2: five tie for third and the best below 1800
        ([[300], [200]], [PLACE, PLACE, PLACE, BOTH, BOTH], [3] * 5, [100] * 5),
        ([[240], [200]], [PLACE, PLACE, PLACE, BOTH, BOTH], [3] * 5, [80, 80, 80, 100, 100]),
        ([[300], [200]], [PLACE, PLACE, BOTH, BOTH], [3] * 4, [125] * 4),
        # 19995, page 2, questions 1 and 2
        (
            [[25, 20, 10], [17]],
            [PLACE, BOTH, BOTH, PLACE, BOTH],
            [4, 3.5, 3, 2.5, 2],
            [25, 20, 17, 10, 0],
        ),
        (
            [[2500, 2000, 1700], [1000]],
            [PLACE, BOTH, BOTH, PLACE],
            [4, 3.5, 3, 3],
            [2500, 2000, 1350, 1350],
        ),
        # 3426, "Prize calculation": class prizes above the third place leave it to the next
        (
            [[300, 200, 100], [125], [125]],
            [[1, 0, 0], [1, 0, 0], A, B, A, B],
            [5, 5, 4.5, 4.5, 4, 4],
            [250, 250, 125, 125, 50, 50],
        ),
        # westfieldchessclub.blogspot.com, 16 October 2012: four of ten qualify
        ([[], [7500]], [PLACE] * 6 + [BOTH] * 4, [2] * 10, [0] * 6 + [1875] * 4),
    ],
)
def test_us_chess_as_directors_answer(
    lists: list[list[int]], entitled: list[list[int]], points: list[float], expected: list[int]
) -> None:
    assert expected == paid(purse(lists, entitled), points, "equal")


def test_tied_after_the_tie_breaks() -> None:
    one = purse([[100, 50]], [[1]] * 3)
    assert [75, 75, 0] == paid(one, [3, 3, 2], "hort", [1, 1, 3])
    assert [100, 25, 25] == paid(one, [3, 3, 3], "tie-break", [1, 2, 2])


def test_what_is_no_purse() -> None:
    with pytest.raises(OptionError, match="larger than the one before"):
        purse([[100, 200]], [[1]])
    with pytest.raises(OptionError, match="more than 0"):
        purse([[100, 0]], [[1]])
    with pytest.raises(OptionError, match="at most 12 categories"):
        purse([[1]] * 14, [[1] * 14])
    with pytest.raises(OptionError, match="hort, equal, tie-break; got 'even'"):
        awards(purse([[1]], [[1]]), [1], [1], "even")


# -- properties -----------------------------------------------------------------------------------


@st.composite
def events(draw: st.DrawFn) -> tuple[Purse, list[float], list[int]]:
    """Up to 7 players, who are all entitled to place prizes, and up to three categories."""
    count, categories = draw(st.integers(1, 7)), draw(st.integers(0, 3))
    prizes = st.lists(st.integers(1, 60), max_size=4).map(lambda p: sorted(p, reverse=True))
    lists = [draw(prizes) for _ in range(1 + categories)]
    entitled = [
        [1, *draw(st.lists(st.integers(0, 1), min_size=categories, max_size=categories))]
        for _ in range(count)
    ]
    points = sorted(draw(st.lists(st.integers(0, 3), min_size=count, max_size=count)), reverse=True)
    return purse(lists, entitled), [p / 2 for p in points], list(range(1, count + 1))


@settings(max_examples=300, deadline=None)
@given(events(), st.sampled_from(sorted(SHARES)))
def test_no_unit_is_lost(event: tuple[Purse, list[float], list[int]], way: str) -> None:
    prizes, points, places = event
    found = awards(prizes, points, places, way)
    exact = sum((award.exact for award in found), Fraction(0))
    # a prize is left only where nobody is left whom it could go to
    assert int(exact) == sum(award.amount for award in found)
    assert exact <= prizes.total
    assert all(abs(award.amount - award.exact) < 1 for award in found)
    if len(prizes.lists) == 1:
        [amounts] = prizes.lists
        assert sum(amounts[: len(points)]) == exact


@settings(max_examples=120, deadline=None)
@given(events())
def test_a_tied_group_has_the_most_and_shares_it_most_equally(
    event: tuple[Purse, list[float], list[int]],
) -> None:
    """All have the same points: SciPy finds the pool, and who has how much of it."""
    prizes, points, places = event
    level = [1.0] * len(points)
    found = {a.player: a for a in awards(prizes, level, places, "equal")}
    worth = np.array(
        [
            [
                amount if theirs else 0
                for theirs, own in zip(row, prizes.lists, strict=True)
                for amount in own
            ]
            for row in prizes.entitled
        ]
    ).reshape(len(points), -1)
    chosen = linear_sum_assignment(worth, maximize=True)
    assert worth[chosen].sum() == sum(award.exact for award in found.values())
    pool: dict[int, int] = {}
    for prize in {prize for a in found.values() for part in a.parts for prize in part.prizes}:
        pool[prize.list] = pool.get(prize.list, 0) + prizes.lists[prize.list][prize.number]
    if pool:
        shares = most_equal(prizes, pool)
        own = [float(found[i].exact) if i in found else 0.0 for i in range(len(points))]
        assert own == pytest.approx(shares, abs=1e-6)


def most_equal(prizes: Purse, pool: dict[int, int]) -> list[float]:
    """The shares whose smallest is largest, then the second smallest, and so on, if each list goes
    to those whom it is for, and nobody has more than the best of the first prizes that are theirs.
    """
    players, lists = len(prizes.entitled), sorted(pool)
    flows = [(i, at) for i in range(players) for at in lists if prizes.entitled[i][at]]
    width = len(flows) + 1  # the last variable is the smallest share
    own = np.array([[i == who for who, _ in flows] + [False] for i in range(players)], dtype=float)
    of = np.array([[at == a for _, a in flows] + [False] for at in lists], dtype=float)
    caps = [
        max((own[0] for own, yes in zip(prizes.lists, row, strict=True) if yes and own), default=0)
        for row in prizes.entitled
    ]
    smallest = np.eye(width)[-1]
    fixed: dict[int, float] = {i: 0.0 for i in range(players) if not own[i].any()}

    def solve(goal: np.ndarray, floor: float | None) -> float:
        free = [i for i in range(players) if i not in fixed]
        least = [(-own[i] + (smallest if floor is None else 0), -(floor or 0.0)) for i in free]
        above = [(own[i], caps[i]) for i in free]
        equal = [(own[i], fixed[i]) for i in fixed if own[i].any()]
        equal += [(of[k], pool[at]) for k, at in enumerate(lists)]
        rows = least + above
        done = linprog(
            -goal,
            A_ub=[row for row, _ in rows],
            b_ub=[right + (1e-9 if floor is not None else 0) for _, right in rows],
            A_eq=[row for row, _ in equal],
            b_eq=[right for _, right in equal],
        )
        assert done.fun is not None, done.message
        return -float(done.fun)

    while len(fixed) < players:
        floor = solve(smallest, None)
        free = [i for i in range(players) if i not in fixed]
        # fixed is whoever cannot have more than the floor
        stuck = [i for i in free if solve(own[i], floor) < floor + 1e-6]
        assert stuck
        fixed |= dict.fromkeys(stuck, floor)
    return [fixed[i] for i in range(players)]


@settings(max_examples=200, deadline=None)
@given(events())
def test_hort_is_the_mean_of_the_two_others(
    event: tuple[Purse, list[float], list[int]],
) -> None:
    def exact(found: list[Award]) -> dict[int, Fraction]:
        return {award.player: award.exact for award in found}

    prizes, points, places = event
    even, own, hort = (
        exact(awards(prizes, points, places, way)) for way in ("equal", "tie-break", "hort")
    )
    nothing = Fraction(0)
    for i in range(len(points)):
        assert even.get(i, nothing) + own.get(i, nothing) == 2 * hort.get(i, nothing)
