"""A whole history at once, how well ratings predict it, and how good any predictions were."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Generic, Literal

import numpy as np

from elo_xl.api import tables
from elo_xl.api.docstrings import as_in
from elo_xl.api.frames import AnyTable, ArgumentColumn, GamesLike, GivenTable, Of, games_of, series
from elo_xl.api.showing import Shown
from elo_xl.api.tables import Names, NamesRead
from elo_xl.engine import fit as engine
from elo_xl.engine import quality
from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.errors import choose
from elo_xl.engine.outcomes import DAVIDSON
from elo_xl.engine.predictions import predict
from elo_xl.engine.systems import LAST, System, upcoming
from elo_xl.public import own
from elo_xl.questions.check import numbers as checking
from elo_xl.questions.check import ratings as examining

if TYPE_CHECKING:
    from elo_xl.api.frames import Games, Table
    from elo_xl.words import FitDraws


@dataclass(frozen=True)
class Fit(Shown, Generic[Of]):
    """Ratings that were fitted to all games at once: what :func:`fit` gives."""

    players: Of
    """a row per player, as they turn up: ``name, group, rating, error, played, score, expected``.
    Ratings are those of group 1, blank for others, infinite for who won or lost all games"""
    groups: tuple[tuple[object, ...], ...]
    """the names of each group within which ratings compare, the main one first"""
    home: float
    """White's advantage in points; 0 where the games do not tell it"""
    home_error: float
    """its standard error; NaN where the games do not tell it"""
    draw: float
    """Davidson's ν, for ``draws="davidson:ν"``; NaN if draws are ignored"""
    draw_error: float
    """its standard error; NaN where it was not fitted"""
    log_likelihood: float
    """the logarithm of the probability of these results"""
    fitted: engine.Fit
    """all that was computed, by the rows of :attr:`players`"""
    _names: Names

    def __repr__(self) -> str:
        players, games = self.fitted.games.size, self.fitted.games.sum() // 2
        return f"<Fit players={players} games={games} home={self.home:.0f} draw={self.draw:.3g}>"

    def difference(self, one: object, two: object) -> tuple[float, float]:
        """The difference of two players' ratings, in points, and its standard error.

        Raises:
            SizeError: For a player who is not in the games.
            DomainError: For players of different groups.
        """
        return self.fitted.difference(self._names.row(one), self._names.row(two))

    def stronger(self, one: object, two: object) -> float:
        """The chance that the first of two is the stronger one, if :meth:`difference` is normal.

        Raises:
            SizeError, DomainError: Those of :meth:`difference`.
        """
        return self.fitted.stronger(self._names.row(one), self._names.row(two))

    def predict(self, fixtures: AnyTable, *, draws: None = None) -> AnyTable:
        """Predict games to come, as :meth:`Rated.predict` does, with draws of its own."""
        known = {"rating": self.fitted.rating}
        return predicted(self.fitted, self._names, known, GivenTable(fixtures, "games"), draws)


def predicted(
    model: System | engine.Fit,
    names: Names,
    known: Mapping[str, FloatArray],
    table: GivenTable,
    draws: str | None,
) -> AnyTable:
    """Predict the games of a table from what is known of players, a number for each."""
    both = np.stack(names.sides(table, strangers=True))
    there = (both >= 0).all(axis=0) & ~np.isnan(known["rating"][both]).any(axis=0)
    first, second = ({name: x[side[there]] for name, x in known.items()} for side in both)
    ground = tables.neutral_ground(table, np.flatnonzero(there))
    neutral = np.zeros(there.sum(), bool) if ground is None else ground
    period = np.full(table.size, upcoming(known.get(LAST, np.array(np.nan))))
    if "period" in table.columns:
        period = table.numbers("period")
    made = predict(model, first, second, neutral, draws, period[there])
    columns = {"expected": made.expected}
    if made.outcomes is not None:
        columns |= zip(("win", "draw", "loss"), made.outcomes.T, strict=True)
    for name, some in columns.items():
        columns[name] = np.full(table.size, np.nan)
        columns[name][there] = some
    if "result" in table.columns:
        columns["score"] = tables.scores(table)
    return table.like(columns, *table.own)


@as_in(engine.fit, tables.rate_period)
def fit(
    games: AnyTable,
    *,
    anchor: object = None,
    rating: float = engine.LEVEL,
    draws: FitDraws = DAVIDSON,
    colours: bool = True,
    home: float | None = None,
    errors: bool = True,
    names: NamesRead = "exact",
) -> Fit[AnyTable]:
    """Fit ratings, White's advantage and the part of draws to all games at once.

    >>> games = [("Ana", "Bo", 1), ("Bo", "Cy", "½"), ("Cy", "Ana", 0), ("Ana", "Cy", "½")]
    >>> games += [("Bo", "Ana", "½"), ("Cy", "Bo", 0), ("Bo", "Ana", 1), ("Cy", "Ana", "½")]
    >>> fitted = fit([*games, ("Ana", "Bo", 1)])
    >>> [round(x) for x in fitted.players["rating"]], [round(x) for x in fitted.players["error"]]
    ([1672, 1545, 1283], [152, 147, 186])
    >>> round(fitted.home), round(fitted.draw, 2), round(fitted.stronger("Ana", "Bo"), 2)
    (135, 2.1, 0.71)

    Args:
        games: A row per game: ``white``, ``black`` and ``result``, and if it was played several
            times ``count``; if they have ``neutral``, nobody has an advantage there.
        anchor (name or mapping, optional): The player who has the given ``rating``, or the ratings
            of several by name. Default: the mean of the largest group is that rating.
        rating: The rating of the anchor, or that mean.
    Returns: The ratings, in a table of the kind of ``games``, and what else was fitted. Only those
        compare who have, by some chain of games, scored against each other: they are a group.
    Raises:
        SizeError: For a column that is missing, and an anchor who is not in the games.
    References: Bradley and Terry; Davidson.
    """
    table = GivenTable(games, "games")
    index, _ = _everybody(table, None, names)
    players, played = index.given, index.games(table)
    known = anchor if isinstance(anchor, Mapping) else {} if anchor is None else {anchor: rating}
    done = engine.fit(
        *(*played[:3], len(players)),
        anchor={index.row(name): float(value) for name, value in known.items()},
        level=rating,
        draws=draws,
        colours=colours,
        home=home,
        counts=table.numbers("count")[played.rows] if "count" in table.columns else None,
        errors=errors,
        neutral=tables.neutral_ground(table, played.rows),
    )
    columns = {"name": players, "group": done.group + 1, "rating": done.rating}
    columns |= {"error": done.error, "played": done.games}
    columns |= {"score": done.score, "expected": done.expected}
    groups: list[list[object]] = [[] for _ in range(int(done.group.max(initial=-1)) + 1)]
    for name, group in zip(players, done.group.tolist(), strict=True):
        if group >= 0:
            groups[group].append(name)
    told = (done.home, done.home_error, done.draw, done.draw_error, done.log_likelihood)
    return Fit(table.like(columns), tuple(map(tuple, groups)), *told, done, index)


@as_in(fit)
def check(
    games: Table,
    players: Table | None = None,
    *,
    by: Literal["game", "month", "period"] | None = None,
    colours: bool = True,
    burn_in: int = checking.BURN_IN,
    names: NamesRead = "exact",
) -> checking.Check:
    """Find the K, White's advantage and Davidson's ν that would have predicted games best.

    >>> games = [("Ana", "Bo", 1), ("Bo", "Ana", 1), ("Ana", "Bo", 0.5), ("Bo", "Ana", 0)] * 50
    >>> found = check(games)
    >>> found.k.low, round(found.home.value), round(found.draw.value, 2)
    (0.0, 93, 0.76)

    Args:
        games: A row per game: ``white``, ``black`` and ``result``, in the order of play, or with a
            column ``date``; if they have ``neutral``, White has no advantage there.
        players: ``name`` and the ``rating`` that they began with. Everybody else is a newcomer.
        by ({"game", "month", "period"}, optional): When ratings change. Default: by a column
            ``period`` of whole numbers, if there is one, or by month with dates, or by game.
        burn_in: How many first games give a newcomer's first rating and are not predicted.
    Returns: ``k``, ``home`` and ``draw`` with intervals, and how FIDE's K and others predict.
    Raises:
        SizeError: For a column that is missing, and periods that run backwards.
        DomainError: For too few games, and results other than 1, 0.5 and 0.
    """
    history = _history(GivenTable(games, "games"), players, by, burn_in, names)
    return checking.check(history, colours=colours)


@as_in(check)
def sweep(
    games: AnyTable,
    players: Table | None = None,
    *,
    k: Games,
    home: Games = 0.0,
    draw: Games = (),
    by: Literal["game", "month", "period"] | None = None,
    burn_in: int = checking.BURN_IN,
    tasks: checking.Tasks = map,
    names: NamesRead = "exact",
) -> AnyTable:
    """How well every K, together with every advantage of White and every ν, would have predicted.

    >>> games = [("Ana", "Bo", 1), ("Bo", "Cy", 1), ("Cy", "Ana", 1)] * 50
    >>> [round(loss, 3) for loss in sweep(games, k=[0, 20, 40])["log_loss"]]
    [0.694, 0.73, 0.771]

    Args:
        k, home, draw (number or list of numbers): K, White's advantage (0) and ν (none) to try.
        tasks (callable, default map): What maps a function over tasks, of eight pairs of K and
            advantage each: also the ``map`` of a pool of processes, or ``elo_xl.spark.tasks``.
    Returns: Of the kind of ``games``, with a row for each combination: ``k``, ``home``,
        ``log_loss`` and ``brier``; with ``draw`` also ``draw`` and ``outcome_loss``, the log loss
        of wins, draws and losses by Davidson's model with that ν.
    Raises:
        DomainError: For too few games, a K below 0, and a ν of 0 or less.
    """
    table = GivenTable(games, "games")
    history = _history(table, players, by, burn_in, names)
    tried = [ArgumentColumn(numbers).numbers.reshape(-1) for numbers in (k, home, draw)]
    return table.like(checking.sweep(history, *tried, tasks=tasks))


def _history(
    table: GivenTable, players: AnyTable | None, by: str | None, burn_in: int, read: NamesRead
) -> checking.History:
    """The games in their order, with the ratings before them and their periods."""
    names, rating = _everybody(table, players, read)
    dated = "month" if "date" in table.columns else "game"
    usual = "period" if "period" in table.columns else dated
    by = usual if by is None else choose(by, ("game", "month", "period"), "by")
    timing = tables.timed(table, names, {"game": "", "month": "month", "period": None}[by])
    return checking.History(
        *(*timing.played[:3], rating.size),
        rating=rating,
        period=timing.period,
        day=None if timing.dates is None else timing.dates.days,
        neutral=tables.neutral_ground(table, timing.played.rows),
        burn_in=burn_in,
    )


@as_in(fit)
def health(
    games: Table,
    players: Table | None = None,
    *,
    level: float | None = None,
    names: NamesRead = "exact",
) -> examining.Health:
    """Examine the ratings with which games were played: their spread, their drift, newcomers.

    >>> import random
    >>> chance = random.Random(1)
    >>> white, black = zip(*(chance.sample(range(30), 2) for _ in range(3000)))
    >>> games = {"white": white, "black": black, "result": [chance.randrange(2) for _ in white]}
    >>> for side in ("white", "black"):  # ratings that spread too far, as all are equal
    ...     games[f"{side}_rating"] = [1500 + 20 * name for name in games[side]]
    >>> health(games).a.holds(1)
    False

    Args:
        games: A row per game: ``white``, ``black``, ``result``, and ``white_rating`` and
            ``black_rating``, what both had before the game (blank or 0: unrated). They stand in the
            order of play, or have a column ``date``, without which there is no drift.
        players: ``name`` and ``birth_year``: no constant player is below 21 in the first year.
        level: The rating from which on ratings stay in the lift that is suggested.
    Returns: The factor ``a`` of differences, their ``spread``, the ``drift`` (its ``rate`` is that
        of a year), what ``newcomers`` give, and the ``lift`` that would help.
    Raises:
        SizeError: For a column that is missing.
        DomainError: For too few games with ratings, and results other than 1, 0.5 and 0.
    """
    table = GivenTable(games, "games")
    everybody, born = _everybody(table, players, names, "birth_year")
    played, dates, _ = tables.timed(table, everybody, "")
    rating, other = (
        tables.ratings_before(table, f"{x}_rating")[played.rows] for x in ("white", "black")
    )
    first = 0 if dates is None else dates.years.min(initial=0)
    return examining.health(
        *(*played[:3], rating, other, born.size),
        time=None if dates is None else dates.days / examining.YEAR,
        young=born > first - examining.GROWN,
        level=level,
    )


def _everybody(
    games: GivenTable, players: AnyTable | None, read: NamesRead, known: str = "rating"
) -> tuple[Names, FloatArray]:
    """The players, then others in the games; and what is known of the first, NaN for the others."""
    entrants = None if players is None else GivenTable(players, "players")
    own, loose = [] if entrants is None else entrants.values("name"), tables.loosely(read)
    listed = Names(own, loose=loose)
    others = [name for name in tables.met(games, loose=loose) if name not in listed]
    told = np.empty(0) if entrants is None else tables.ratings_before(entrants, known)
    return Names(own + others, loose=loose), np.append(told, np.full(len(others), np.nan))


def log_loss(expected: Games, scores: Games) -> float:
    """Mean log loss of expected scores, with natural logarithms: the lower, the better.

    >>> round(log_loss([0.6, 0.5, 0.8], [1, 0.5, 0]), 4)
    0.9378

    Args:
        expected, scores: A number per game, from 0 to 1. Games with a blank are left out.
    Returns: The mean over the games, NaN without a game. A draw counts half a win and half a loss;
        expected scores are cut to 10⁻¹² and 1 - 10⁻¹².
    Raises:
        DomainError: For a number outside 0 to 1.
        SizeError: For lists of different lengths, and columns with different indices.
    """
    return quality.log_loss(*games_of(expected, scores))


@as_in(log_loss)
def brier(expected: Games, scores: Games) -> float:
    """Mean squared error of expected scores: the lower, the better.

    >>> round(brier([0.6, 0.5, 0.8], [1, 0.5, 0]), 4)
    0.2667

    Returns: The mean over the games, NaN without a game.
    References: Brier, 1950.
    """
    return quality.brier(*games_of(expected, scores))


@as_in(log_loss)
def calibration(expected: GamesLike, scores: GamesLike, *, bins: int = 10) -> GamesLike:
    """Games in bins by their expected score: a table with a row per bin.

    >>> calibration([0.2, 0.3, 0.9], [0, 0.5, 1], bins=2)["score"].tolist()
    [0.25, 1.0]

    Args:
        bins: How many bins there are, all of the same width.
    Returns: A frame if a column of one is given, otherwise a dict of arrays: ``low``, ``high``,
        ``games``, ``expected`` and ``score`` (means) and the standard ``error`` of the score.
    Raises:
        DomainError: For a number outside 0 to 1, and bins that are no whole number above 0.
    """
    predicted, scored = games_of(expected, scores)
    found = quality.calibration(predicted, scored, bins)
    columns = {field.name: getattr(found, field.name) for field in fields(found)}
    for given in (expected, scores):
        if (column := series(given)) is not None:
            frame = GivenTable(column.alias("expected").to_frame().to_native(), "predictions")
            return frame.like(columns)
    return columns


own(vars())
