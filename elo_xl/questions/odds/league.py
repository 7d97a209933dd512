"""Who will win the season: the odds of a league, whose games at home and away are worth any points.

What is played stands. A game to come ends as the ratings, the home advantage and the draws so far
say (:func:`~elo_xl.engine.outcomes.outcomes`). How high it ends is drawn from the scores so far:
a won game has those of one that was won, a draw those of a draw; before there are any, games end
1:0 and 0:0. So the difference of goals can order equal points.

Ratings are those of the book or of the list. Where nobody has one, the games so far are rated as in
the book ``league`` (Elo's rule, game after game, by goals).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from elo_xl.engine.arrays import FloatArray, IntArray
from elo_xl.engine.errors import DomainError, OptionError
from elo_xl.engine.fit import IGNORE, fit, summed
from elo_xl.engine.models import difference
from elo_xl.engine.outcomes import outcomes
from elo_xl.engine.results import ROUND_CODES
from elo_xl.engine.systems import Elo
from elo_xl.engine.usual import USUAL_K, USUAL_MODEL
from elo_xl.english import plural
from elo_xl.events.event import EventError, Game, League, Problem, Tournament
from elo_xl.progress import counted
from elo_xl.questions.odds.event import rated
from elo_xl.questions.odds.numbers import Finals, drawn, every_outcome, ranks
from elo_xl.questions.odds.runs import RUNS, Odds
from elo_xl.questions.rate.ladder import in_time

POINTS: Final = (3.0, 1.0, 0.0)
"""for a win, a draw and a loss"""
TIE_BREAKS: Final = ("GD", "GF", "WIN")
"""difference of goals, goals, wins"""
USUAL_HOME: Final = 60.0
"""the advantage where games do not tell it, as in the book: 60 is usual in football"""
_SURE: Final = 50.0
"""the largest standard error with which an advantage is believed"""
_BLOCK: Final = 1 << 21
"""games that are drawn at a time"""


def is_league(event: Tournament) -> bool:
    """Whether an event is a league: a book of one, or a list of games at home and away."""
    games = (*event.games, *event.fixtures)
    return event.league is not None or any(game.ground for game in games)


def read_points(text: str) -> tuple[float, float, float]:
    """Points for a win, a draw and a loss; raises OptionError for anything else.

    >>> read_points("2-1-0")
    (2.0, 1.0, 0.0)
    """
    try:
        win, draw, loss = (float(part) for part in text.replace(":", "-").split("-"))
    except ValueError:
        what = f"points are those of a win, a draw and a loss, such as 3-1-0, not {text!r}"
        raise OptionError(what) from None
    return win, draw, loss


def league_odds(
    event: Tournament,
    *,
    points: tuple[float, float, float] | None = None,
    home: float | None = None,
    tie_breaks: Sequence[str] | None = None,
    model: str = USUAL_MODEL,
    draws: str | None = None,
    runs: int | None = None,
    seed: int = 1,
) -> Odds:
    """The odds of every place of a league.

    ``points`` are those of a win, a draw and a loss: the book's, or 3, 1 and 0. ``home`` is the
    advantage of the home side, in rating points: the book's, or fitted to the games so far, if
    these tell it. ``tie_breaks`` order equal points: GD, GF and WIN, the difference of goals, goals
    and wins, in this order if omitted. ``model`` and ``draws`` are those of
    :func:`~elo_xl.engine.outcomes.outcomes`; by default equal teams draw as often as games
    have been drawn so far. The same ``seed`` and number of ``runs`` (20,000) give the same odds.

    Raises EventError for an event without games, or of several seasons; OptionError for other
    tie-breaks, and the errors of the two models.
    """
    if event.seasons > 1:
        raise EventError([Problem(f"the list has {event.seasons} seasons: odds are for one")])
    if len(event.players) < 2 or not event.pairings:
        raise EventError([Problem("odds of a league need two teams and their games")])
    if foreign := [code for code in tie_breaks or () if code not in TIE_BREAKS]:
        known = ", ".join(TIE_BREAKS)
        raise OptionError(f"tie-break of a league must be one of {known}, got {foreign[0]!r}")
    notes: list[str] = []
    table = _Table(event)
    league, ratings = _league(event, table, _Asked(points, home, model, draws), notes)
    players = tuple(
        replace(player, rating=round(rating))
        for player, rating in zip(event.players, ratings, strict=True)
    )
    order = TIE_BREAKS if tie_breaks is None else tuple(tie_breaks)
    if not table.scores.size:
        order = tuple(code for code in order if code == "WIN")
    ahead = np.array(ratings)
    first, second, grounds = table.fixtures
    often = table.meetings()
    short = int((often < often.max()).sum())
    once = often.max() == 1 and any(game.ground for game in event.games)
    if not first.size and (short or once):
        what = (
            f"{plural(short, 'pair')} met less often than others" if short else "all met once only"
        )
        notes.append(
            f"no game is to come, though {what}: a game to come is a line without a result"
        )
    chances = outcomes(
        ahead[first] - ahead[second] + league.home * grounds, league.draws, model
    ).reshape(-1, 3)
    worth = np.array(league.points)
    random = np.random.default_rng(seed)
    # a list of all results has nothing to draw where no goals count
    scored = {"GD", "GF"}.isdisjoint(order) or not first.size
    listed = every_outcome(chances) if scored else None
    many = RUNS if runs is None else runs
    results, weights = (None, np.full(many, 1 / many)) if listed is None else listed
    step = max(_BLOCK // max(first.size, len(players)), 1)
    parts = []
    for start in counted(range(0, len(weights), step), "blocks", every=1):
        size = min(step, len(weights) - start)
        some = drawn(chances, size, random) if results is None else results[start : start + size]
        parts.append(table.ended(some, worth, order, random))
    ended, places = (np.concatenate(part) for part in zip(*parts, strict=True))
    finals = Finals(ended, places, weights, 0 if listed else many)
    return Odds(
        players,
        (table.results @ worth).round(6),
        finals,
        "listed" if listed else "drawn",
        order,
        "",
        first.size,
        0,
        0,
        tuple(notes),
        league,
    )


class _Asked(NamedTuple):
    """What :func:`league_odds` is asked for; None for what the book or the games tell."""

    points: tuple[float, float, float] | None
    home: float | None
    model: str
    draws: str | float | None


class _Table:
    """A league so far, in arrays: a row for each team, and the games to come."""

    def __init__(self, event: Tournament) -> None:
        self.at = {player.number: i for i, player in enumerate(event.players)}
        self.size = len(self.at)
        self.results: FloatArray = np.zeros((self.size, 3))
        """how many games each has won, drawn and lost, forfeits too"""
        for number, i in self.at.items():
            for cell in event.pairings.get(number, ()):
                if cell.opponent is not None and cell.code:
                    self.results[i, round(2 - 2 * ROUND_CODES[cell.code].points)] += 1
        self.games = in_time(event)
        self.score = np.array([game.score for game in self.games])
        self.first, self.second, self.grounds = self.sides(self.games)
        scored = [game for game in event.games if game.points is not None]
        self.scores = np.array([game.points for game in scored], dtype=float).reshape(-1, 2)
        """the goals of both sides"""
        (own, others), (one, two, _) = self.scores.T, self.sides(scored)
        self.goals = summed(one, own, self.size) + summed(two, others, self.size)
        self.ahead = summed(one, own - others, self.size) + summed(two, others - own, self.size)
        tied = self.scores[:, 0] == self.scores[:, 1]
        self.won = np.sort(self.scores[~tied]) if not tied.all() else np.array([(0.0, 1.0)])
        """the goals of losers and winners so far"""
        self.tied = self.scores[tied] if tied.any() else np.zeros((1, 2))
        self.fixtures = self.sides(event.fixtures)

    def sides(self, games: Sequence[Game]) -> tuple[IntArray, IntArray, IntArray]:
        """The two teams of some games, and 1 where the first one is at home."""
        rows = [(self.at[g.first], self.at[g.second], _at_home(g)) for g in games]
        first, second, grounds = np.array(rows, dtype=np.int64).reshape(-1, 3).T
        return first, second, grounds

    def meetings(self) -> IntArray:
        """How many times each pair has met."""
        met = np.zeros((self.size, self.size), dtype=np.int64)
        np.add.at(met, (self.first, self.second), 1)
        often: IntArray = (met + met.T)[np.triu_indices(self.size, 1)]
        return often

    def ended(
        self,
        results: IntArray,
        worth: FloatArray,
        order: Sequence[str],
        random: np.random.Generator,
    ) -> tuple[FloatArray, IntArray]:
        """Points and places after games to come that end in different ways, a row each."""
        first, second, _ = self.fixtures
        here, there = (np.eye(self.size)[side] for side in (first, second))
        points = self.results @ worth + worth[results] @ here + worth[2 - results] @ there
        points = points.round(6)
        wins = np.array((1.0, 0.0, 0.0))
        figures = {"WIN": self.results[:, 0] + wins[results] @ here + wins[2 - results] @ there}
        if not {"GD", "GF"}.isdisjoint(order):
            # rows of losers' and winners' goals, with those of draws behind them
            drawn_score = len(self.won) + random.integers(len(self.tied), size=results.shape)
            score = random.integers(len(self.won), size=results.shape)
            score = np.where(results == 1, drawn_score, score)
            low, high = np.concatenate([self.won, self.tied]).T
            one = np.where(results == 2, low[score], high[score])
            two = np.where(results == 2, high[score], low[score])
            figures["GF"] = self.goals + one @ here + two @ there
            figures["GD"] = self.ahead + (one - two) @ (here - there)
        return points, ranks(points, *(figures[code] for code in order))


def _at_home(game: Game) -> bool:
    return game.ground == "home" or (game.coloured and game.ground == "")


def _league(
    event: Tournament, table: _Table, asked: _Asked, notes: list[str]
) -> tuple[League, tuple[float, ...]]:
    """What results are worth, how games end, and ratings: as was asked for, as the book says, or as
    the games so far tell."""
    told, home, draws = event.league, asked.home, asked.draws
    if home is None:
        home = _fitted(table, notes) if told is None else told.home
    if draws is None and told is not None:
        draws = told.draws
    elif draws is None:
        share = min(float((table.score == 0.5).mean()), 0.5) if table.score.size else 0.0
        draws = float(difference((1 + share) / 2, asked.model))
        notes.append(f"equal teams draw {share:.0%} of games, as often as so far (--draws)")
    if told is not None:
        ratings = event.now
    elif any(player.rating is not None for player in event.players):
        ratings = tuple(rated(event.players, notes).tolist())
    else:
        margins = [game.margin for game in table.games]
        known = None if None in margins else np.array(margins, dtype=float)
        elo = Elo(
            k=USUAL_K, home=home, model=asked.model, margin="goals" if known is not None else None
        )
        neutral = table.grounds == 0
        done = elo.carry(table.first, table.second, table.score, table.size,
                         margin=known, neutral=neutral)  # fmt: skip
        ratings = tuple(np.nan_to_num(done.rating, nan=elo.start).tolist())
        notes.append(f"nobody has a rating: games so far are rated from {elo.start:g}, K {elo.k}")
    worth = asked.points or (POINTS if told is None else told.points)
    if np.isnan([*worth, *ratings]).any():
        raise EventError([Problem("the settings of the book, or its ratings, need attention")])
    return League(worth, home, draws), ratings


def _fitted(table: _Table, notes: list[str]) -> float:
    """The advantage of the home side, where there is any and the games tell it."""
    if not (table.grounds.any() or table.fixtures[2].any()):
        return 0.0
    with suppress(DomainError):
        done = fit(table.first, table.second, table.score, table.size, draws=IGNORE,
                   neutral=table.grounds == 0, errors=False)  # fmt: skip
        if done.home_error <= _SURE:
            said = f"home advantage {done.home:.0f} ±{done.home_error:.0f}"
            notes.append(f"{said}, fitted to the games so far (--home)")
            return done.home
    notes.append(f"home advantage {USUAL_HOME:g}: the games so far are too few to tell it (--home)")
    return USUAL_HOME
