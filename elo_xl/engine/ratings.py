"""What a rulebook gives for one player: K factor, change, new rating and first rating."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import FloatArray, negative, together
from elo_xl.engine.errors import OptionError, SizeError, require
from elo_xl.engine.performance import Games
from elo_xl.engine.rulebooks import Rulebook, rulebook
from elo_xl.engine.rulebooks.clauses import FirstRatingSteps
from elo_xl.engine.rulebooks.event import Players, Sides
from elo_xl.engine.rulebooks.rulebook import Changed

AUTO = "auto"
"""The K factor that the rulebook itself gives."""


def k_factor(
    rating: npt.ArrayLike,
    played: npt.ArrayLike = np.nan,
    age: npt.ArrayLike = np.nan,
    peak: npt.ArrayLike = np.nan,
    period_games: npt.ArrayLike = np.nan,
    rules: str | Path | Rulebook = "fide",
) -> FloatArray:
    """K factors of players under a rulebook (FIDE B.02, 8.3.3; Benítez's web page).

    All arguments broadcast. The plain models have no K of their own; they use FIDE's newest rule.

    Args:
        rating: The player's rating before the period.
        played: Rated games before the period; 50 or more if it is blank.
        age: The year of the list minus the year of birth; an adult's if it is blank.
        peak: The highest published rating; the rating itself if it is blank.
        period_games: Games in the period: under FIDE's rules K times them is limited to 700, and US
            Chess's K follows from them.
        rules: The rulebook: a name in :data:`rulebooks`, or a file of one's own.
    Raises:
        DomainError: For games, an age or period games below 0.
        OptionError: For an unknown rulebook, and one whose K does not follow from these numbers.
    """
    book = rulebook(rules)
    now, n, years, top, met = together(rating, played, age, peak, period_games)
    if negative(met):
        require(~(met < 0), "period games must not be below 0", met)
    players = Players.known(now, AUTO, n, years, top)
    return book.k(players, met.reshape(-1)).reshape(now.shape)


def change(
    rating: npt.ArrayLike,
    k: npt.ArrayLike | str,
    opponents: npt.ArrayLike,
    scores: npt.ArrayLike,
    rules: str | Path | Rulebook = "fide",
    *,
    played: npt.ArrayLike = np.nan,
    age: npt.ArrayLike = np.nan,
    peak: npt.ArrayLike = np.nan,
    home: npt.ArrayLike = 0.0,
    index: npt.ArrayLike = np.nan,
) -> FloatArray:
    """Rating change, in points, of one player in a period, not rounded.

    >>> change(1800, 20, [1860, 1770, 2000], [1, 0.5, 0]).item()
    6.0
    >>> change(2813, 10, [1787, 2025, 2310, 2400, 2505], [1, 1, 1, 1, 0.5]).item()
    -2.5
    >>> change(1500, "auto", [1860, 1770], [1, 0.5], played=12).item()
    49.2

    ``opponents`` are the ratings of rated opponents; ``scores`` holds one score per opponent, or is
    a number, the total. ``rating`` and ``k`` may be arrays: the same games are then rated for each
    of them. ``k="auto"`` is the rulebook's own K, for which ``played``, ``age`` and ``peak`` are
    those of :func:`k_factor`; DWZ asks for ``index``, the number of events evaluated before (NaN: 6
    or more), not for that of games. ``home`` is a number of rating points added to the player's
    side, one for all games or one per opponent. Games that the rulebook does not rate count neither
    in the score nor in the expected score (Benítez and Roca, axiom V; FIDE B.02, 8.3).

    Raises DomainError for K below 0 or a score outside 0 to 1, SizeError for lists of different
    lengths and for a total that includes games that are not rated, OptionError for an unknown
    rulebook, and for a number as K under one that takes only its own.
    """
    book = rulebook(rules)
    shape, players, sides = one_player(
        rating, k, opponents, scores, played=played, age=age, peak=peak, home=home, index=index
    )
    return _changed(book, players, sides).change.reshape(shape)


def update(
    rating: npt.ArrayLike,
    k: npt.ArrayLike | str,
    opponents: npt.ArrayLike,
    scores: npt.ArrayLike,
    rules: str | Path | Rulebook = "fide",
    *,
    played: npt.ArrayLike = np.nan,
    age: npt.ArrayLike = np.nan,
    peak: npt.ArrayLike = np.nan,
    home: npt.ArrayLike = 0.0,
    index: npt.ArrayLike = np.nan,
) -> FloatArray:
    """New rating of one player after a period: rating plus change, rounded as the rulebook says.

    Arguments and errors are those of :func:`change` (FIDE B.02, 8.3.4).
    """
    book = rulebook(rules)
    shape, players, sides = one_player(
        rating, k, opponents, scores, played=played, age=age, peak=peak, home=home, index=index
    )
    changed = _changed(book, players, sides).change
    return book.rounding(players.rating, changed, players.peak).reshape(shape)


def needed(
    rating: npt.ArrayLike,
    k: npt.ArrayLike | str,
    opponents: npt.ArrayLike,
    target: npt.ArrayLike,
    rules: str | Path | Rulebook = "fide",
) -> FloatArray:
    """The least score, in half points (in points where there are no draws), with which
    :func:`update` gives at least the target.

    It is inf where all wins do not suffice. ``rating``, ``k`` and ``target`` broadcast, all for the
    same games. No rulebook lowers a new rating for a higher score, so halving finds the least one.

    Raises the errors of :func:`update` for a total score (Benítez and Roca, axiom V; FIDE B.02,
    8.3).
    """
    if isinstance(k, str) and k.lower() != AUTO:
        raise OptionError(f'K must be a number or "auto", got {k!r}')
    auto = isinstance(k, str)
    own, factor, wanted = together(rating, np.nan if auto else k, target)
    shape = own.shape
    own, factor, wanted = (x.reshape(-1) for x in (own, factor, wanted))
    met: FloatArray = np.asarray(opponents, dtype=float).reshape(-1)
    book = rulebook(rules)
    players = Players.known(own, AUTO if auto else factor)
    book.change.check(book, players)
    n, m = own.size, met.size
    player, every = np.repeat(np.arange(n), m), np.tile(met, n)

    step = 0.5 if book.change.draws else 1.0

    def enough(steps: FloatArray) -> npt.NDArray[np.bool_]:
        points = step * steps
        each = points if m == 1 else np.full(n * m, np.nan)
        sides = Sides(player, every, each, points, np.zeros(n * m), limited=auto)
        changed = book.change.one_pass(book, players, sides).change
        return np.asarray(book.rounding(own, changed, players.peak) >= wanted)

    low, high = np.full(n, -1.0), np.full(n, m / step)
    never = ~enough(high)
    while (open_ := high - low > 1).any():
        middle = np.where(open_, np.floor((low + high) / 2), high)
        fine = enough(middle)
        low, high = np.where(fine, low, middle), np.where(fine, middle, high)
    return np.where(never, np.inf, step * high).reshape(shape)


def _changed(book: Rulebook, players: Players, sides: Sides) -> Changed:
    book.change.check(book, players)
    return book.change.one_pass(book, players, sides)


def one_player(
    rating: npt.ArrayLike,
    k: npt.ArrayLike | str,
    opponents: npt.ArrayLike,
    scores: npt.ArrayLike,
    *,
    played: npt.ArrayLike,
    age: npt.ArrayLike,
    peak: npt.ArrayLike,
    home: npt.ArrayLike,
    index: npt.ArrayLike,
) -> tuple[tuple[int, ...], Players, Sides]:
    """The same games for each of some players: the shape of these, the players and the games.

    Arguments and errors are those of :func:`change`.
    """
    if isinstance(k, str) and k.lower() != AUTO:
        raise OptionError(f'K must be a number or "auto", got {k!r}')
    factor = np.nan if isinstance(k, str) else k
    arrays = together(rating, factor, played, age, peak, index)
    shape = arrays[0].shape
    own = Players.known(*arrays)
    other: FloatArray = np.asarray(opponents, dtype=float).reshape(-1)
    score: FloatArray = np.asarray(scores, dtype=float).reshape(-1)
    extra: FloatArray = np.asarray(home, dtype=float).reshape(-1)
    total = np.ndim(scores) == 0 and other.size != 1
    if not total and score.size != other.size:
        raise SizeError(f"{score.size} scores for {other.size} opponents")
    if extra.size not in (1, other.size):
        raise SizeError(f"{extra.size} advantages for {other.size} opponents")
    most = other.size if total else 1
    inside = (score >= 0) & (score <= most)
    if np.count_nonzero(inside) != score.size:
        require(inside, f"score must be between 0 and {most}", score)
    n, m = own.rating.size, other.size
    # a total says nothing of single games
    each = np.full(m, np.nan) if total else score
    if extra.size != m:
        extra = extra.repeat(m)
    player, points = np.zeros(m, np.int64), score.sum(keepdims=True)
    if n != 1:
        other, each, extra = (np.tile(a, n) for a in (other, each, extra))
        player, points = np.repeat(np.arange(n), m), points.repeat(n)
    sides = Sides(player, other, each, points, extra, limited=isinstance(k, str))
    return shape, own, sides


def counted_differences(
    rating: npt.ArrayLike,
    opponent: npt.ArrayLike,
    rules: str | Path | Rulebook,
    player: npt.ArrayLike,
) -> FloatArray:
    """The rating differences, in points, that count for players in the games of one event.

    >>> counted_differences([2600, 2600], [2100, 2050], "fide-2022-01", [0, 0]).tolist()
    [500.0, 400.0]

    ``rating``, ``opponent`` and ``player`` hold one number per game: the player's rating, the
    opponent's and the player's index, which matters only under the rules of 2022. Of the games in
    which a player is ahead by more than the cap, these cut only the one with the largest
    difference; the others count in full (FIDE B.02, 8.3.1). Raises OptionError for an unknown
    rulebook.
    """
    own = np.asarray(rating, dtype=float)
    ahead = own - np.asarray(opponent, dtype=float)
    return rulebook(rules).difference(ahead, own, player)


def first_rating(
    opponents: npt.ArrayLike,
    score: npt.ArrayLike,
    rules: str | Path | Rulebook = "fide",
    *,
    player: npt.ArrayLike | None = None,
    start: npt.ArrayLike = np.nan,
) -> FloatArray:
    """First rating of an unrated player from games against rated opponents.

    ``opponents``, ``score`` and ``player`` are those of
    :func:`~elo_xl.engine.performance.performance`. Since 2024 two hypothetical draws against 1800
    are added, and the rating is the average plus table 8.1.1 at the percentage, at most 2200.
    Before, it was the average plus 20 points (until 2014: 12.5) for each half point above half of
    the games, or plus table 8.1.1 for a lower score (FIDE B.02, 8.2). Under the plain models it is
    the rating whose expected total is the score.

    The caller checks the minimum number of games, a zero score and the rating floor.

    Args:
        start: A first guess, for rulebooks that take one.
    Raises:
        OptionError: For an unknown rulebook.
        DomainError: For a total outside 0 to the number of games.
        SizeError: For lists of different lengths.
    """
    return first_rating_steps(opponents, score, rules, player=player, start=start).rating


def first_rating_steps(
    opponents: npt.ArrayLike,
    score: npt.ArrayLike,
    rules: str | Path | Rulebook = "fide",
    *,
    player: npt.ArrayLike | None = None,
    start: npt.ArrayLike = np.nan,
) -> FirstRatingSteps:
    """First ratings as :func:`first_rating` computes them, with the steps on the way.

    Arguments and errors are those of :func:`first_rating`.
    """
    games = Games(opponents, score, player)
    steps = first_steps(games, rulebook(rules), start)
    shaped = (games.shaped(step) for step in (steps.average, steps.percent, steps.rating))
    return FirstRatingSteps(*shaped)


def first_steps(games: Games, book: Rulebook, start: npt.ArrayLike = np.nan) -> FirstRatingSteps:
    """What :func:`first_rating_steps` gives, for games that are checked or added up."""
    guess = np.broadcast_to(np.asarray(start, dtype=float), games.score.shape)
    with np.errstate(invalid="ignore", divide="ignore"):
        steps = book.first(games, guess)
    known = (steps.average, steps.percent, steps.rating)
    found = (np.where(games.count > 0, step, np.nan) for step in known)
    return FirstRatingSteps(*found)
