"""Why a rating changed: every game of a player, in numbers and in a sentence.

The sentences are put together from what the clauses of the rulebook compute and say.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.errors import choose
from elo_xl.engine.ratings import one_player
from elo_xl.engine.rulebooks import Rulebook, before, rulebook
from elo_xl.engine.rulebooks.event import Players, Sides
from elo_xl.engine.rulebooks.rulebook import Changed
from elo_xl.languages import CODES, Words
from elo_xl.public import own

_DIFFERENCE: Final = Words("Difference {ahead:+g}")
_HOME: Final = Words(" with {home:+g} for home")
_CUT: Final = Words(", counted as {counted:+.4g}. {clause}")
_FULL: Final = Words(", counted in full. {clause}")
_EXPECTED: Final = Words("Expected {expected:.4g} ({by})")
_GAINED: Final = Words(", scored {score:g}: {gained:+.4g}.")
_SHARE: Final = Words(" It counts as {share:g} of a game.")
_SCORED: Final = Words(", scored {score:g}.")
_TOTAL: Final = Words(
    "Rated games: {games:g}, expected {expected:.4g}, scored {score:g}: {change:+.6g}, new rating "
    "{new:.6g}."
)
_REST: Final = Words(" The games make {games:+.4g}; the rest follows from the whole event.")
_WHOLE: Final = Words(" Only the whole event decides: the games have no shares of their own.")
_K: Final = Words(" K {k:.4g}: {why}.")
_GIVEN: Final = Words("as given")
_LIMITED: Final = Words("lowered from {k:g} because of {games:g} games in the period")
_UNLISTED: Final = Words(" Below {floor:g}, so unrated on the next list.")
_BEFORE: Final = Words(" Under {name}, the edition before: {change:+.6g}.")


@dataclass(frozen=True, slots=True)
class Explained:
    """The games of one player, and what they make together.

    The arrays have one number per game, NaN where a game does not count or has no such number.
    """

    difference: FloatArray
    """own rating minus the opponent's, with the home advantage"""
    counted: FloatArray
    """the difference that counts"""
    expected: FloatArray
    """the expected score"""
    gained: FloatArray
    """the game's share of the change, in rating points"""
    why: list[str]
    """a sentence or two of each game"""
    k: float
    """the K factor; NaN under rules that have none"""
    games: int
    """games that count"""
    score: float
    """what was scored in them"""
    expected_score: float
    """what was expected in them"""
    change: float
    """the change of the whole, not rounded"""
    new: float
    """the new rating"""
    summary: str
    """the sums and the reason for K, in a sentence or two"""


def explain(
    rating: float,
    k: float | str,
    opponents: npt.ArrayLike,
    scores: npt.ArrayLike,
    rules: str | Path | Rulebook = "fide",
    language: str = "en",
    *,
    played: float = np.nan,
    age: float = np.nan,
    peak: float = np.nan,
    home: npt.ArrayLike = 0.0,
    index: float = np.nan,
) -> Explained:
    """Why the rating of one player changed, by their games.

    Arguments and errors are those of :func:`elo_xl.engine.ratings.change`. Opponents without a
    rating (NaN) stay in the list and do not count. The sentences end with what FIDE's edition
    before would have given, where that differs (Benítez and Roca, axiom V; FIDE B.02, 8.3).
    """
    book = rulebook(rules)
    facts = {"played": played, "age": age, "peak": peak, "home": home, "index": index}
    _, players, sides = one_player(rating, k, opponents, scores, **facts)
    book.change.check(book, players)
    return explain_sides(book, players, sides, book.change.one_pass(book, players, sides), language)


def explain_sides(
    book: Rulebook, players: Players, sides: Sides, done: Changed, language: str = "en"
) -> Explained:
    """What happened to one player whose change is known, such as from a whole event.

    ``players`` holds that player alone, ``sides`` their games, also those that do not count, and
    ``done`` the outcome.
    """
    own = sides.own(players)
    counts = book.counts(own, sides.met)
    within, own = sides.only(counts), own[counts]
    ahead = own + within.home - within.met
    counted = book.change.counted(book, own, within)
    awaited, gained = book.change.each(book, players, within, counted, done)
    columns = np.full((4, sides.met.size), np.nan)
    columns[:, counts] = ahead, counted, awaited, gained
    change = float(done.change[0])
    together = change if np.isnan(within.score).any() else float(gained.sum())
    new = float(book.rounding(players.rating, done.change, players.peak)[0])
    say = _Sentences(book, choose(language, CODES, "language"))
    share = np.ones(sides.met.shape)
    if sides.met_games is not None:
        share = book.change.weight(sides.met_games)
    each = np.vstack((columns, sides.score, sides.home, sides.met, share)).T.tolist()
    return Explained(
        difference=columns[0],
        counted=columns[1],
        expected=columns[2],
        gained=columns[3],
        why=[say.game(*numbers) for numbers in each],
        k=float(done.k[0]),
        games=int(done.games[0]),
        score=float(done.score[0]),
        expected_score=float(done.expected[0]),
        change=change,
        new=new,
        summary=say.total(players, done, together, new) + say.before(players, sides, change),
    )


@dataclass(frozen=True)
class _Sentences:
    """What is said under one rulebook in one language."""

    book: Rulebook
    language: str

    def game(
        self,
        ahead: float,
        counted: float,
        awaited: float,
        gained: float,
        score: float,
        home: float,
        met: float,
        share: float,
    ) -> str:
        """One game."""
        if np.isnan(ahead):
            return self.book.counts.why_not(met, self.language)
        difference = self.book.difference
        text = _DIFFERENCE.say(self.language, ahead=ahead)
        if home:
            text += _HOME.say(self.language, home=home)
        if counted != ahead:
            text += _CUT.say(self.language, counted=counted, clause=difference.why(self.language))
        elif difference.cut(np.array(ahead)) != ahead:
            text += _FULL.say(self.language, clause=difference.why_full(self.language))
        else:
            text += "."
        by = self.book.expected.by.say(self.language)
        text += " " + _EXPECTED.say(self.language, expected=awaited, by=by)
        if np.isnan(score):
            return text + "."
        end = _SCORED if np.isnan(gained) else _GAINED
        text += end.say(self.language, score=score, gained=gained)
        return text if share == 1 else text + _SHARE.say(self.language, share=share)

    def total(self, players: Players, done: Changed, games: float, new: float) -> str:
        """All games together, whose shares make ``games``, and the K factor."""
        change = float(done.change[0])
        text = _TOTAL.say(
            self.language,
            games=float(done.games[0]),
            expected=float(done.expected[0]),
            score=float(done.score[0]),
            change=change,
            new=new,
        )
        if not abs(change - games) < 1e-6:
            end = _REST if np.isfinite(games) else _WHOLE
            text += end.say(self.language, games=games)
        if done.games[0] and new < self.book.unlisted_below:
            text += _UNLISTED.say(self.language, floor=self.book.unlisted_below)
        k = float(done.k[0])
        return text if np.isnan(k) else text + _K.say(self.language, k=k, why=self.k(players, done))

    def k(self, players: Players, done: Changed) -> str:
        """Why the player has their K."""
        if not np.isnan(players.k[0]):
            return _GIVEN.say(self.language)
        [why] = self.book.k.reason(players, self.language)
        k = float(done.k[0])
        free = float(self.book.k(players, np.array([np.nan]))[0]) if self.book.by_game else k
        if k == free:
            return why
        return f"{why}, " + _LIMITED.say(self.language, k=free, games=float(done.games[0]))

    def before(self, players: Players, sides: Sides, change: float) -> str:
        """What FIDE's edition before would have given; nothing if that is the same."""
        older = before(self.book)
        if older is None:
            return ""
        other = float(older.change.one_pass(older, players, sides).change[0])
        if abs(other - change) < 1e-9:
            return ""
        return _BEFORE.say(self.language, name=older.name, change=other)


own(vars())
