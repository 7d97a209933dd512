"""Ratings from all games at once: the strengths under which the results are most likely.

With d = rating of White + home - rating of Black, the probabilities of a win, a draw and a loss of
White are in proportion to (Bradley and Terry; draws: Davidson)

    10^(d/800) : ν : 10^(-d/800)

The ratings, the advantage ``home`` and ν are estimated together, by maximum likelihood. Its
logarithm is concave, so that Newton's method finds the one maximum; the equations of each step are
those of a network of resistors (:class:`Network`).

Games say nothing of players whom no chain of games connects. Nor is there a finite difference
between two parts of the players if one of them took every point from the other: who has won all
games may be stronger by any number of points. So the players fall into groups within which
everybody has, by some chain of games, scored against everybody else, and only within a group
ratings compare.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import FloatArray, IntArray
from elo_xl.engine.errors import DomainError, SizeError, choose, require
from elo_xl.engine.games import columns, played
from elo_xl.engine.models import LOGISTIC_SCALE
from elo_xl.engine.outcomes import DAVIDSON

_SOLVED: Final = 1e-11
"""The residual, relative to the first one, that ends conjugate gradients."""

_SPARSE: Final = 12
"""Lines per node up to which factors are tried after so few steps:"""
_FEW: Final = 100
_SINGULAR: Final = "the equations are singular: the games tell too little"
_MANY: Final = 5_000


class Network:
    """Equations of a network of resistors, which the games between players are to a rating's fit.

    Lines between nodes 0 to ``size`` - 1, each of which has one, stand in the order of ``first``.
    Each has a conductance; the sums of what flows out of the nodes are given, and the potentials
    are wanted. The matrix is the weighted Laplacian of the graph. Potentials are told up to a
    constant in each connected part: here their mean in each part is 0.

    Conjugate gradients need few steps where many lines cross, and long chains need many; for these
    the sparse factors, which fill up where many lines cross, are short.

    Its methods raise DomainError for conductances so near 0 that they cannot be told from it.

    >>> chain = Network(np.array([0, 1]), np.array([1, 2]), 3)
    >>> chain.conduct(np.array([1.0, 2.0]))
    >>> chain.solve(np.array([[1.0], [0.0], [-1.0]]))[:, 0].round(4).tolist()
    [0.8333, -0.1667, -0.6667]
    """

    def __init__(self, first: IntArray, second: IntArray, size: int) -> None:
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        self.first, self.second = first, second
        ends = np.concatenate([[0], np.cumsum(np.bincount(first, minlength=size))])
        # small indices, and one direction of each line: the arrays are read again and again
        small = second.astype(np.int32), ends.astype(np.int32)
        self.lines = csr_array((np.ones(first.size), *small), shape=(size, size))
        self.back = self.lines.T
        self.part: IntArray = connected_components(self.lines, directed=False)[1].astype(np.int64)
        self._members = np.bincount(self.part).astype(float)
        self.total: FloatArray = np.ones(size)
        self._chains = False
        """whether conjugate gradients have taken too long"""

    def conduct(self, conductance: FloatArray) -> None:
        """Set the conductances of the lines."""
        self.lines.data = self.back.data = conductance
        size = self.total.size
        self.total = np.bincount(self.first, conductance, size).astype(float)
        self.total += np.bincount(self.second, conductance, size)
        self.total[self.total == 0] = 1  # a node with nothing but a line to itself, which has none

    def solve(self, flow: FloatArray) -> FloatArray:
        """The potentials for flows that add up to 0 in each part, a column for each case."""
        if not flow.size:
            return flow
        flow = self._balanced(flow)
        x = None
        if not self._chains:
            sparse = self.lines.nnz <= _SPARSE * self.part.size
            x = self._by_gradients(flow, _FEW if sparse else _MANY)
        if x is None:
            self._chains = True
            x = self._by_factors(flow)
        return self._balanced(x)

    def _balanced(self, x: FloatArray) -> FloatArray:
        """The columns without their mean in each part, which only rounding leaves in flows."""
        means = [np.bincount(self.part, column) / self._members for column in x.T]
        return np.asarray(x - np.stack(means, axis=1)[self.part])

    def _by_gradients(self, flow: FloatArray, most: int) -> FloatArray | None:
        """Conjugate gradients, with the diagonal as preconditioner; None if they take too long."""
        scale = 1 / self.total[:, None]
        x, r = np.zeros_like(flow), flow.copy()
        z = scale * r
        p, size = z.copy(), (r * z).sum(axis=0)
        enough = _SOLVED**2 * size
        for _ in range(most):
            if (size <= enough).all():
                return x
            q = self.total[:, None] * p - self.lines @ p - self.back @ p
            work = (p * q).sum(axis=0)
            going = (size > enough) & (work > 0)
            step = np.divide(size, work, out=np.zeros_like(size), where=going)
            x += step * p
            r -= step * q
            z = scale * r
            before, size = size, np.where(going, (r * z).sum(axis=0), 0)
            p *= np.divide(size, before, out=np.zeros_like(size), where=before > 0)
            p += z
        return None

    def _by_factors(self, flow: FloatArray) -> FloatArray:
        """Sparse factors, with one node of each part at potential 0."""
        from scipy.sparse import csc_array, diags_array
        from scipy.sparse.linalg import splu

        kept = np.ones(self.part.size, bool)
        kept[np.unique(self.part, return_index=True)[1]] = False
        matrix = csc_array(diags_array(self.total) - self.lines - self.back)[kept][:, kept]
        x = np.zeros_like(flow)
        if kept.any():
            options = {"SymmetricMode": True}
            try:
                factors = splu(
                    csc_array(matrix),
                    permc_spec="MMD_AT_PLUS_A",
                    diag_pivot_thresh=0,
                    options=options,
                )
            except RuntimeError:
                raise DomainError(_SINGULAR) from None
            x[kept] = factors.solve(flow[kept])
        return x

    def diagonal(self, nodes: IntArray) -> FloatArray:
        """The potential of each node of one part for a flow of 1 into it, which leaves in equal
        shares everywhere in that part: the diagonal of :meth:`inverse`."""
        factor, constant = self._inverted_factor(nodes)
        squares: FloatArray = np.einsum("ij,ij->j", factor, factor)
        return np.asarray(squares - constant)

    def inverse(self, nodes: IntArray) -> FloatArray:
        """Moore and Penrose's inverse of one part: the potentials for a flow of 1 into each node,
        which leaves in equal shares everywhere in that part, a row for each."""
        factor, constant = self._inverted_factor(nodes)
        return np.asarray(factor.T @ factor - constant)

    def _inverted_factor(self, nodes: IntArray) -> tuple[FloatArray, float]:
        """What times itself is that inverse, up to a constant.

        It takes the dense matrix, and a time that grows with the cube of the nodes.
        """
        from scipy.linalg.lapack import dpotrf, dtrtri
        from scipy.sparse import csc_array

        own = self.lines[nodes][:, nodes].tocoo()
        low, high = np.minimum(own.row, own.col), np.maximum(own.row, own.col)
        # the lower triangle is enough, and a matrix in Fortran's order is not copied
        matrix = csc_array((-own.data, (high, low)), shape=own.shape).toarray(order="F")
        matrix[np.diag_indices(nodes.size)] += self.total[nodes]
        shift = self.total[nodes].mean() / nodes.size
        matrix += shift  # then the constant, which the matrix turns to 0, has an inverse, too
        factor, singular = dpotrf(matrix, lower=1, overwrite_a=1)
        if not singular:
            factor, singular = dtrtri(factor, lower=1, overwrite_c=1)
        if singular:
            raise DomainError(_SINGULAR)
        return factor, 1 / (shift * nodes.size**2)


IGNORE: Final = "ignore"
DRAWS: Final = (DAVIDSON, IGNORE)

LEVEL: Final = 1500.0
"""The mean of the ratings where there is no anchor."""

MOST_ERRORS: Final = 15_000
"""The largest group whose standard errors are computed: their matrix takes 1.8 GB."""

_BLOCK: Final = 1 << 10
"""Players whose errors by squares are computed at a time."""
_STEPS: Final = 60
_EXACT: Final = 1e-7
"""The size of a step, in units of 174 points, after which its square is left to improve."""
_FAR: Final = 30.0
"""A difference, in these units, that no games speak for: there is no maximum."""
_TOLD: Final = 1e-7
"""The part of the information on White's advantage that the ratings must leave over."""


def summed(at: IntArray, numbers: npt.ArrayLike, size: int) -> FloatArray:
    """The sum of the numbers at each place."""
    return np.bincount(at, numbers, size).astype(float, copy=False)


class Pairs(NamedTuple):
    """Games by pairs of White and Black, and how many of them White won, drew and lost."""

    first: IntArray
    second: IntArray
    won: FloatArray
    drawn: FloatArray
    lost: FloatArray
    ground: FloatArray
    """1 for games in which White, the first player, has the advantage, 0 for others"""

    @property
    def games(self) -> FloatArray:
        return self.won + self.drawn + self.lost

    def taken(self, at: IntArray) -> Pairs:
        """Some of the pairs."""
        ends = self.first[at], self.second[at]
        return Pairs(*ends, self.won[at], self.drawn[at], self.lost[at], self.ground[at])

    def totals(self, first: FloatArray, second: FloatArray, size: int) -> FloatArray:
        """The sum for each player of what White and what Black has of each pair."""
        return summed(self.first, first, size) + summed(self.second, second, size)


@dataclass(frozen=True, slots=True)
class Fit:
    """Ratings that were fitted; every array has one number per player."""

    rating: FloatArray
    """in points; outside the main group NaN, or inf and -inf for who won or lost all games"""
    error: FloatArray
    """standard errors of the differences to the anchor or to the mean of the main group; NaN where
    there is no rating, or where no errors were wanted"""
    games: IntArray
    score: FloatArray
    expected: FloatArray
    """the expected score of the same games"""
    group: IntArray
    """number of the group: 0 is the main one, the others follow by size; -1 is without a game"""
    connected: npt.NDArray[np.bool_]
    """whether a chain of games leads to the main group"""
    home: float
    """White's advantage in points; 0 where the games do not tell it"""
    home_error: float
    """its standard error; NaN where the games do not tell it"""
    draw: float
    """Davidson's ν; 0 without a draw, inf if all was drawn, NaN if draws are ignored"""
    draw_error: float
    """its standard error; NaN unless ν was fitted"""
    log_likelihood: float
    steps: int
    """how many steps of Newton's method it took"""
    information: Information | None = field(repr=False, compare=False)
    """None if all was drawn: then errors are infinite"""

    def difference(self, one: int, two: int) -> tuple[float, float]:
        """The difference of two players' ratings, in points, and its standard error.

        Raises DomainError if the games do not tell it.
        """
        if not (math.isfinite(self.rating[one]) and math.isfinite(self.rating[two])):
            raise DomainError("the games do not tell the difference of these two players")
        ahead = float(self.rating[one] - self.rating[two])
        if one == two:
            return 0.0, 0.0
        if self.information is None:
            return ahead, math.inf
        return ahead, math.sqrt(self.information.between(one, two)) * LOGISTIC_SCALE

    def stronger(self, one: int, two: int) -> float:
        """The chance that the first of two players is the stronger one, as far as games tell.

        The difference is assumed to be normal, with its estimate and its standard error. Raises the
        error of :meth:`difference`.
        """
        ahead, error = self.difference(one, two)
        return 0.5 * math.erfc(-ahead / error / math.sqrt(2)) if ahead else 0.5


def fit(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    score: npt.ArrayLike,
    size: int,
    *,
    anchor: int | Mapping[int, float] | None = None,
    level: float = LEVEL,
    draws: str = DAVIDSON,
    colours: bool = True,
    home: float | None = None,
    counts: npt.ArrayLike | None = None,
    errors: bool = True,
    neutral: npt.ArrayLike | None = None,
) -> Fit:
    """Fit the ratings of ``size`` players to all games at once, by maximum likelihood.

    ``first`` and ``second`` are the indices of White and Black, ``score`` is White's 1, 0.5 or 0
    (NaN: not played), ``counts`` how often each game was played (once). The ``anchor`` has the
    rating ``level``, or several have ratings of their own; without one the mean of the largest
    group is ``level``. Nobody has an advantage in games that are ``neutral``. If draws are ignored,
    the differences are those of the logistic curve, and the errors come from how far the results
    are from what was expected (a sandwich): Fisher's are 1.41 times as large if half of the games
    are drawn.

    Args:
        draws ({"davidson", "ignore"}): Whether ν is fitted (ratings are those of ``outcomes(…,
            draws="davidson:ν", model="logistic")``), or a draw is half a win and half a loss.
        colours: Whether the first of two players may have an advantage.
        home: That advantage in points, if it is known. Default: it is fitted.
        errors: Whether standard errors are wanted, which thousands of players take a long time for.
    Raises:
        DomainError: For another score, a player paired with themselves, an anchor without a game, a
            count below 0, too many players for errors, and where there is no maximum, because a
            difference, the advantage or ν would have to be infinite.
        OptionError: For an unknown word.
        SizeError: For indices out of range.
    """
    draws = choose(draws, DRAWS, "draws")
    require(math.isfinite(level), "rating must be finite", level)
    one, two, points = columns(first, second, score)
    often = np.ones(points.size) if counts is None else np.asarray(counts, dtype=float)
    if often.shape != points.shape:
        raise SizeError(f"{often.size} counts for {points.size} games")
    require((often >= 0) & np.isfinite(often), "a count must not be below 0", often)
    ground = np.zeros(points.size, bool) if neutral is None else np.asarray(neutral, bool)
    if ground.shape != points.shape:
        raise SizeError(f"{ground.size} grounds for {points.size} games")
    often, ground = often[~np.isnan(points)], ground[~np.isnan(points)]
    one, two, points = played(one, two, points, size)
    pairs = _by_pairs(one, two, points, often, ground, size)
    total = pairs.totals(pairs.games, pairs.games, size)
    known = anchor if isinstance(anchor, Mapping) else {} if anchor is None else {anchor: level}
    for player, rating_ in known.items():
        if not 0 <= player < size:
            raise SizeError(f"player {player} is not one of {size}")
        require(total[player] > 0, "the anchor must have a game", player)
        require(math.isfinite(rating_), "rating must be finite", rating_)
    # all anchors are one player of the model, from whom each is a known way off
    anchors = list(known)
    anchor = anchors[0] if anchors else None
    off, seat = np.zeros(size), np.arange(size)
    if anchor is not None:
        level = known[anchor]
        off[anchors] = (np.array([*known.values()]) - level) / LOGISTIC_SCALE
        seat[anchors] = anchor
    pairs = pairs.taken(np.argsort(seat[pairs.first], kind="stable"))
    games, scored = pairs.games, pairs.won + pairs.drawn / 2
    own = pairs.totals(scored, games - scored, size)
    lines = pairs._replace(first=seat[pairs.first], second=seat[pairs.second])
    here = seat == np.arange(size)
    group, connected = _groups(lines, np.where(here, total, 0), anchor, size)
    group[anchors], connected[anchors] = 0, True
    inner = group[lines.first] == group[lines.second]
    model = _Model(
        lines.taken(np.flatnonzero(inner)),
        size,
        draws == DAVIDSON,
        colours and home is None,
        (off[pairs.first] - off[pairs.second])[inner],
        0.0 if home is None else home / LOGISTIC_SCALE,
    )
    model.climb()

    main = np.flatnonzero((group == 0) & here)
    # in a group of one there is no game that could tell a rating
    if main.size == 1 and anchor is None:
        main = main[:0]
    rating, error = np.full(size, np.nan), np.full(size, np.nan)
    rating[connected & (own == total)] = np.inf
    rating[connected & (own == 0)] = -np.inf
    zero = model.strength[main].mean() if anchor is None and main.size else 0.0
    if anchor is not None:
        zero = model.strength[anchor]
    rating[main] = level + (model.strength[main] - zero) * LOGISTIC_SCALE
    for player, rating_ in known.items():
        rating[player] = rating_
    information = model.information(scatter=draws == IGNORE)
    if errors and main.size > MOST_ERRORS:
        raise DomainError(
            f"errors are for groups of at most {MOST_ERRORS:,} players, got {main.size:,}: "
            "fit without them"
        )
    if errors and main.size > 1:
        if information is None:
            error[main] = math.inf
        else:
            error[main] = np.sqrt(information.of_group(main, anchor)) * LOGISTIC_SCALE
    if errors:
        error[anchors] = 0.0
    told = None if information is None else information.errors_of_both()
    expected = scored.copy()
    expected[inner] = model.expected()
    return Fit(
        rating,
        error,
        total.astype(np.int64),
        own,
        pairs.totals(expected, games - expected, size),
        group,
        connected,
        home=model.home * LOGISTIC_SCALE if home is None else home,
        home_error=math.nan if told is None else told[0] * LOGISTIC_SCALE,
        draw=model.draw if draws == DAVIDSON else math.nan,
        draw_error=math.nan if told is None else told[1] * model.draw,
        log_likelihood=model.log_likelihood,
        steps=model.steps,
        information=information,
    )


def _by_pairs(
    first: IntArray,
    second: IntArray,
    score: FloatArray,
    often: FloatArray,
    neutral: npt.NDArray[np.bool_],
    size: int,
) -> Pairs:
    """Count the games of each pair on each ground, and check the scores."""
    outcome = np.rint(2 * score)
    require(outcome == 2 * score, "score must be 1, 0.5 or 0", score)
    key = ((first.astype(np.int64) * size + second) * 2 + neutral) * 3 + outcome.astype(np.int64)
    kinds, where = np.unique(key, return_inverse=True)
    counts = summed(where, often, kinds.size)
    kinds, counts = kinds[counts > 0], counts[counts > 0]
    pair, at = np.unique(kinds // 3, return_inverse=True)
    lost, drawn, won = (
        summed(at[kinds % 3 == i], counts[kinds % 3 == i], pair.size) for i in range(3)
    )
    both, ground = pair // 2, 1.0 - pair % 2
    return Pairs(both // max(size, 1), both % max(size, 1), won, drawn, lost, ground)


def _groups(
    pairs: Pairs, total: FloatArray, anchor: int | None, size: int
) -> tuple[IntArray, npt.NDArray[np.bool_]]:
    """The number of each player's group, and whether games connect them with the main one."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    won, lost = pairs.won + pairs.drawn > 0, pairs.lost + pairs.drawn > 0
    source = np.concatenate([pairs.first[won], pairs.second[lost]])
    target = np.concatenate([pairs.second[won], pairs.first[lost]])
    scored = csr_array((np.ones(source.size, np.int8), (source, target)), shape=(size, size))
    strong = connected_components(scored, connection="strong")[1]
    weak = connected_components(scored, directed=False)[1]
    group = np.full(size, -1, np.int64)
    some = np.flatnonzero(total > 0)
    if not some.size:
        return group, np.zeros(size, bool)
    kinds, where, members = np.unique(strong[some], return_index=True, return_counts=True)
    members = members.astype(np.int64)
    if anchor is not None:
        members[kinds == strong[anchor]] = size + 1
    order = np.lexsort([where, -members])  # the largest first, then whose player is first
    number = np.empty(kinds.size, np.int64)
    number[order] = np.arange(kinds.size)
    group[some] = number[np.searchsorted(kinds, strong[some])]
    return group, weak == weak[some[where[order[0]]]]


class _Model:
    """The likelihood of games within groups, and the way up to its maximum.

    In units of 174 points, with a = d/2 and the draws at n = ln ν, its logarithm is the sum of
    (won - lost)·a + drawn·n - games·ln(e^a + e^n + e^-a).
    """

    def __init__(
        self, pairs: Pairs, size: int, drawn: bool, colours: bool, off: FloatArray, home: float
    ) -> None:
        """``off`` is what anchors of each pair are known to differ from the one they are here."""
        self.members, at = np.unique([pairs.first, pairs.second], return_inverse=True)
        self.first, self.second = at.reshape(2, -1)
        self.size = size
        self.games, self.ground = pairs.games, pairs.ground
        draws = pairs.drawn if drawn else np.zeros_like(pairs.drawn)
        self.lead = pairs.won - pairs.lost
        self.drawn = float(draws.sum())
        decided = float(self.games.sum()) - self.drawn
        self.network = Network(self.first, self.second, self.members.size)
        self.own = np.zeros(self.members.size)
        self.pairs, self.off = pairs, off
        self.home = home
        self.steps = 0
        self.fitted = [colours, self.drawn > 0 and decided > 0]
        """whether White's advantage and ν are fitted"""
        self.all_drawn = self.drawn > 0 and decided == 0
        self.draw = math.inf if self.all_drawn else 2 * self.drawn / max(decided, 1.0)
        self.log_likelihood = 0.0
        self.ahead = np.zeros(self.games.size)
        if not (self.all_drawn or not self.games.size):
            self.log_likelihood = self._look(self.own, home, self.draw)

    @property
    def strength(self) -> FloatArray:
        """The strengths of all players, 0 for those who are in no group of several."""
        every = np.zeros(self.size)
        every[self.members] = self.own
        return every

    def expected(self) -> FloatArray:
        """White's expected score in the games of each pair."""
        return self.games * (1 + self.ahead) / 2

    def _look(self, own: FloatArray, home: float, draw: float) -> float:
        """The logarithm of the likelihood; what its derivatives need is kept."""
        self.d = own[self.first] - own[self.second] + self.off
        self.d += home * self.ground
        root = np.abs(self.d)
        distance = 0.5 * float(self.games @ root)
        root *= -0.5
        np.exp(root, out=root)  # in units of the stronger side's strength nothing overflows
        self.square = root * root
        self.tied = draw * root
        self.sum = 1 + self.tied + self.square
        self.ahead = np.copysign((1 - self.square) / self.sum, self.d)
        known = 0.5 * float(self.lead @ self.d) - distance - float(self.games @ np.log(self.sum))
        return known + (self.drawn * math.log(draw) if self.drawn else 0.0)

    def _weigh(self) -> tuple[FloatArray, FloatArray]:
        """Set the information on differences; return that on both parameters, with the columns
        that tie them to the strengths."""
        weight = self.games / (self.sum * self.sum)
        other = weight * self.tied
        one = weight * self.square
        one += 0.25 * other * (1 + self.square)
        other *= 1 + self.square  # the variance of the number of draws
        both = -0.5 * self.games * self.ahead * self.tied / self.sum
        self.network.conduct(one * (self.first != self.second))
        led = one * self.ground
        ties = np.stack([self._flow(led), self._flow(both)], axis=1)
        cross = float((both * self.ground).sum())
        return np.array([[led.sum(), cross], [cross, other.sum()]]), ties

    def _flow(self, x: FloatArray) -> FloatArray:
        """What goes into the players: to White with its sign, to Black with the other one."""
        size = self.members.size
        return summed(self.first, x, size) - summed(self.second, x, size)

    def climb(self) -> None:
        """Newton's steps to the maximum; DomainError if there is none."""
        if self.all_drawn or not self.games.size:
            self.fitted = [False, False]
            return
        for self.steps in range(1, _STEPS + 1):
            least = self._step()
            if least < _EXACT:
                return
            if not least < math.inf or np.abs(self.d).max() > _FAR:
                break
        raise DomainError(
            "there are no most likely ratings: some difference, White's advantage or the part of "
            "draws would have to be infinite, for want of games"
        )

    def _step(self) -> float:
        """One step; returns how far it went, in any difference or parameter."""
        rest = 0.5 * (self.lead - self.games * self.ahead)
        more = self.drawn - float(self.games @ (self.tied / self.sum))
        matrix, ties = self._weigh()
        flows = self.network.solve(np.column_stack([self._flow(rest), ties]))
        left = matrix - ties.T @ flows[:, 1:]
        if self.steps == 1 and left[0, 0] <= _TOLD * matrix[0, 0]:
            self.fitted[0] = False
        slope = np.array([(rest * self.ground).sum(), more]) - ties.T @ flows[:, 0]
        change = np.zeros(2)
        at = np.flatnonzero(self.fitted)
        try:
            change[at] = np.linalg.solve(left[np.ix_(at, at)], slope[at])
        except np.linalg.LinAlgError:
            return math.inf
        up = flows[:, 0] - flows[:, 1:] @ change
        far = np.abs(up[self.first] - up[self.second] + change[0] * self.ground).max()
        far = max(float(far), float(np.abs(change).max()))
        before, share = self.log_likelihood, 1.0
        while far < math.inf:
            own, home = self.own + share * up, self.home + share * float(change[0])
            draw = self.draw * math.exp(min(share * float(change[1]), _FAR))
            found = self._look(own, home, draw)
            if found >= before - 1e-11 * abs(before) or share * far < _EXACT:
                self.own, self.home, self.draw = own, home, draw
                self.log_likelihood = found
                break
            share /= 2
        return far

    def information(self, scatter: bool) -> Information | None:
        """What the games tell, at the maximum; None if nothing, as all of them were drawn.

        ``scatter`` says whether errors come from how far the results are from what was expected.
        """
        if self.all_drawn or not self.games.size:
            return None
        matrix, ties = self._weigh()
        at = np.flatnonzero(self.fitted)
        flows = self.network.solve(ties[:, at])
        left = matrix[np.ix_(at, at)] - ties[:, at].T @ flows
        squares = None
        if scatter:
            e, p = (1 + self.ahead) / 2, self.pairs
            squares = p.won * (1 - e) ** 2 + p.drawn * (0.5 - e) ** 2 + p.lost * e**2
        return Information(
            self.network,
            self.members,
            flows,
            np.linalg.inv(left).astype(float),
            at.tolist(),
            squares,
            self.ground,
        )


@dataclass(frozen=True, slots=True)
class Information:
    """Fisher's information at the maximum, as a network of the players in groups.

    With L⁺ for the inverse of the network, the covariance of the strengths is L⁺ + Y·S·Yᵀ, where S
    is that of the parameters and Y = L⁺·ties is how much the strengths give way to them.
    """

    network: Network
    members: IntArray
    gives: FloatArray
    parameters: FloatArray
    fitted: list[int]
    squares: FloatArray | None
    """of each line of the network, the sum of (score - expected)², if errors come from them: with
    x for what a game has to do with the strengths and parameters, and C for their covariance as
    above, the covariance is then C·(Σ squares·x·xᵀ)·C"""
    ground: FloatArray
    """what the advantage has to do with each line: 1, or 0 on neutral ground"""

    def errors_of_both(self) -> list[float]:
        """Standard errors of White's advantage and of ln ν; NaN for what was not fitted."""
        found = [math.nan, math.nan]
        for i, which in enumerate(self.fitted):
            found[which] = math.sqrt(self.parameters[i, i])
        if self.squares is not None and self.fitted:
            # of draws that are ignored there is one parameter: the advantage
            pull = (self.ground - self._along(self.gives.T)[0]) * self.parameters[0, 0]
            found[0] = math.sqrt(float(self.squares @ pull**2))
        return found

    def _along(self, potentials: FloatArray) -> FloatArray:
        """The differences of potentials, a row for each case, along the lines of the network."""
        return np.asarray(potentials[:, self.network.first] - potentials[:, self.network.second])

    def _scattered(self, potentials: FloatArray, gives: FloatArray) -> FloatArray:
        """The variances by squares of sums of strengths: by the potentials, a row for each case, of
        the flows into those strengths, and by what these give way to the parameters."""
        assert self.squares is not None
        own = gives @ self.parameters
        potentials = (potentials + own @ self.gives.T).T
        # what a game pulls is the difference of the potentials along its line, less the parameters'
        lines = self.network.lines.copy()
        lines.data = self.squares
        total: FloatArray = lines.sum(axis=1) + lines.sum(axis=0)
        pulled = total[:, None] * potentials - lines @ potentials - lines.T @ potentials
        lines.data = self.squares * self.ground
        flow: FloatArray = lines.sum(axis=1) - lines.sum(axis=0)
        less = own.sum(axis=1)
        squares = (potentials * pulled).sum(axis=0) - 2 * less * (flow @ potentials)
        return np.asarray(squares + less**2 * (self.squares @ self.ground))

    def _of_parameters(self, gives: FloatArray) -> FloatArray:
        return np.asarray(((gives @ self.parameters) * gives).sum(axis=1))

    def between(self, one: int, two: int) -> float:
        """The variance of the difference of two players of one group."""
        a, b = np.searchsorted(self.members, [one, two])
        flow = np.zeros((self.members.size, 1))
        flow[a], flow[b] = 1, -1
        potential = self.network.solve(flow)[:, 0]
        gives = self.gives[[a]] - self.gives[b]
        if self.squares is not None:
            return float(self._scattered(potential[None], gives)[0])
        return float(potential[a] - potential[b] + self._of_parameters(gives)[0])

    def _scattered_group(self, at: IntArray, players: IntArray, anchor: int | None) -> FloatArray:
        inverse, gives = self.network.inverse(at), self.gives[at]
        if anchor is not None:
            own = np.flatnonzero(players == anchor)[0]
            inverse, gives = inverse - inverse[own], gives - gives[own]
        found = []
        for start in range(0, at.size, _BLOCK):
            some = slice(start, start + _BLOCK)
            potentials = np.zeros((inverse[some].shape[0], self.members.size))
            potentials[:, at] = inverse[some]
            found.append(self._scattered(potentials, gives[some]))
        return np.concatenate(found)

    def of_group(self, players: IntArray, anchor: int | None) -> FloatArray:
        """The variances of the differences of a whole group to its anchor, or to its mean."""
        at = np.searchsorted(self.members, players)
        if self.squares is not None:
            return self._scattered_group(at, players, anchor)
        own = self.network.diagonal(at)
        if anchor is None:
            return own + self._of_parameters(self.gives[at])
        a = int(np.searchsorted(self.members, anchor))
        flow = np.zeros((self.members.size, 1))
        flow[at] = -1 / at.size
        flow[a] += 1
        potential = self.network.solve(flow)[at, 0]
        gives = self._of_parameters(self.gives[at] - self.gives[a])
        return np.asarray(np.maximum(own + own[players == anchor] - 2 * potential + gives, 0))
