"""A rulebook, one clause of each family; and how it changes ratings, the clause that needs all
others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import ClassVar, Final

import numpy as np

from elo_xl.engine.arrays import FloatArray, unknown
from elo_xl.engine.errors import OptionError
from elo_xl.engine.rulebooks.clauses import (
    BothRated,
    Clause,
    Counts,
    Difference,
    Expected,
    First,
    Full,
    KFactor,
    Normal,
    Root,
    Rounding,
    Unrounded,
)
from elo_xl.engine.rulebooks.event import Event, Players, Sides
from elo_xl.languages import Words
from elo_xl.public import own

# -- the change -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Changed:
    """What an event changes; every field has one number per player."""

    k: FloatArray
    games: FloatArray
    """rated games"""
    score: FloatArray
    """points scored in the rated games"""
    expected: FloatArray
    """points expected in them"""
    change: FloatArray
    """in rating points, not rounded"""
    first: FloatArray | None = None
    """first ratings of unrated players, if they follow from the whole event"""


BY_EVENTS: Final = "{} counts evaluated events, not games: their number is the index"


class Change(Clause):
    """How the games of an event change ratings.

    In formulas: of ``rating``, ``k``, ``games``, ``age``, ``peak``, ``home`` and ``index``, of the
    lists ``opponent`` and ``score`` and their sums (see :class:`First`), and of the other clauses
    by the names of their families.
    """

    takes_k: ClassVar[bool] = True
    """whether somebody may give the K factor"""
    draws: ClassVar[bool] = True
    """whether a game can end in a draw"""
    counts_events: ClassVar[bool] = False
    """whether it asks for the number of events evaluated before, not for that of games"""
    by_game: ClassVar[bool] = False
    """whether each game gives a share of K times score minus expected score"""
    alone: ClassVar[str] = ""
    """what the games of one player alone do not tell, where that makes another change than the
    whole event does; English, for pages"""

    def one_pass(self, rules: Rulebook, players: Players, sides: Sides) -> Changed:
        """One pass: every opponent counts with the rating that the side names."""
        raise NotImplementedError

    def __call__(self, rules: Rulebook, event: Event) -> Changed:
        """A whole event, in which every opponent counts with the rating from before."""
        return self.one_pass(rules, event.players, event.everybody)

    def each(
        self, rules: Rulebook, players: Players, sides: Sides, counted: FloatArray, done: Changed
    ) -> tuple[FloatArray, FloatArray]:
        """The expected score of every game that counts, and its share of the change; NaN if games
        have none. ``counted`` are the differences that count, ``done`` is the event's outcome."""
        awaited, unit = rules.expected.units(counted), rules.expected.unit
        gained = done.k[sides.player] * (unit * sides.score - awaited) / unit
        if sides.met_games is not None:
            gained *= self.weight(sides.met_games)
        return awaited / unit, gained

    def weight(self, met_games: FloatArray) -> FloatArray:
        """How much of its change a game counts, by the opponent's games before the event."""
        return np.ones(met_games.shape)

    def counted(self, rules: Rulebook, own: FloatArray, sides: Sides) -> FloatArray:
        """The differences that count, from each side's own rating."""
        return rules.difference(own + sides.home - sides.met, own, sides.player)

    def check(self, rules: Rulebook, players: Players) -> None:
        """Raise OptionError if a K was given under a rulebook that takes none, or the number of
        games alone under one that counts events."""
        if not self.takes_k:
            given = players.k[~np.isnan(players.k)]
            if given.size:
                raise OptionError(f'{rules.name} takes no K but its own ("auto"), got {given[0]:g}')
        if self.counts_events:
            games, index = np.isnan(players.games), np.isnan(players.index)
            if (~np.isnan(players.rating) & ~games & index).any():
                raise OptionError(BY_EVENTS.format(rules.name))


class Linear(Change):
    """K times score minus expected score, summed over the games."""

    by_game = True
    formula = """
    LET(lost, expected(difference(rating + home - opponent, rating, opponent)),
        k * (IF(all_rated, unit * points - sum_games(lost), LET(fine, counts(rating, opponent),
            IF(total, IF(sum_games(1 - fine) > 0, #N/A, unit * points - sum_games(lost)),
                sum_games(fine * (unit * score - lost))))) + upgrade()) / unit)
    """
    text = Words("K × (score − expected score), added up over the games.")

    def one_pass(self, rules: Rulebook, players: Players, sides: Sides) -> Changed:
        own = sides.own(players)
        rated = sides.only(rules.counts(own, sides.met))
        if rated is not sides:
            sides, own = rated, rated.own(players)
        counted = self.counted(rules, own, sides)
        chance = sides.total(rules.expected.units(counted))
        return self.summed(rules, players, sides.games, sides.points, chance, limited=sides.limited)

    def _given(self, rules: Rulebook, players: Players) -> FloatArray:
        """The K factors before any limit."""
        left = unknown(players.k)
        if not left:
            return players.k
        own = rules.k(players, np.full(players.k.shape, np.nan))
        return own if left == own.size else np.where(np.isnan(players.k), own, players.k)

    def summed(
        self,
        rules: Rulebook,
        players: Players,
        games: FloatArray,
        points: FloatArray,
        chance: FloatArray,
        *,
        limited: bool = True,
    ) -> Changed:
        """What follows from each player's number of games, points, and expected points in units;
        ``limited`` says whether a limit on K times the number of games applies."""
        unit = rules.expected.unit
        k = self._given(rules, players)
        if limited:
            k = rules.k.limited(k, games)
        units = unit * points
        gained = units - chance
        if unknown(players.rating):
            gained[np.isnan(players.rating)] = np.nan
        return Changed(k, games, points, (units - gained) / unit, k * gained / unit)


# -- the rulebook ----------------------------------------------------------------------------------

_PERFORMANCE: Final = {
    "fide": Words(
        "Average of the opponents' ratings, rounded, plus table 8.1.1 at the percentage scored, "
        "rounded half up."
    ),
    "root": Words(
        "The rating whose expected score in these games equals the score; none if every game was "
        "won or every game was lost."
    ),
    "linear": Words(
        "The federation publishes none; here it is the average of the opponents' ratings plus 400 "
        "× (wins − losses) / games."
    ),
}


@dataclass(frozen=True, kw_only=True)
class Rulebook:
    """One dated edition of rating rules, or one of the plain models, as clauses.

    >>> import elo_xl as elo
    >>> fide = elo.rulebooks["fide"]
    >>> fide.name, fide.since.isoformat()
    ('fide-2025-10', '2025-10-01')

    Where a function takes ``rules``, it takes such a rulebook, its name, or the path of a file with
    rules of one's own.
    """

    name: str
    """what ``rules`` calls it"""
    title: Words
    """what people call it; ``title.say("de")`` in a language"""
    source: Words
    """the text of the rules"""
    since: date | None = None
    """the day from which it is in force, for editions that replace each other"""
    counts: Counts = field(default=BothRated())
    """the clause that says which games count"""
    difference: Difference = field(default=Full())
    """of the difference of two ratings, what counts"""
    expected: Expected = field(default=Normal())
    """the expected score at a difference"""
    k: KFactor
    """the K factor"""
    change: Change = field(default=Linear())
    """how games change ratings"""
    first: First = field(default=Root())
    """the first rating of an unrated player"""
    rounding: Rounding = field(default=Unrounded())
    """how new ratings are rounded"""
    unlisted_below: float = 0.0
    """whose new rating is below this is unrated on the next list"""
    performance: str = "normal"
    """the method of performance ratings"""
    names_k: bool = True
    """whether it says what K is; if not, it has the K factors of FIDE's newest edition"""
    after_standard: bool = False
    """whether those without a rating begin with theirs for standard play"""
    uncertain: Words | None = None
    """what could not be verified in the text of the rules"""
    in_books: bool = True
    """whether workbooks have formulas for all of it"""

    def __repr__(self) -> str:
        return f"<Rulebook {self.name!r}: {self.title.say()}>"

    def sentences(self, language: str = "en") -> Iterator[tuple[str, str]]:
        """What the rulebook says, clause by clause, with the subject of each."""
        yield "rated_games", self.counts.say(language)
        yield "difference", self.difference.say(language)
        yield "expected", self.expected.say(language)
        yield "change", f"{self.change.say(language)} {self.rounding.say(language)}"
        yield "k", self.k.say(language)
        yield "first", self.first.say(language)
        method = _PERFORMANCE.get(self.performance, _PERFORMANCE["root"])
        yield "performance", method.say(language)

    @property
    def linear(self) -> bool:
        """Whether cells can follow it: workbooks have formulas, and each game stands alone."""
        return self.by_game and self.in_books

    @property
    def by_player(self) -> bool:
        """Whether the games of one player, with a K, tell what they change."""
        return self.change.takes_k and not self.change.alone

    @property
    def by_game(self) -> bool:
        """Whether each game gives a share of K times score minus expected score, so that a list
        shows it."""
        return self.change.by_game

    @property
    def in_any_order(self) -> bool:
        """Whether sums over its games are all that a period needs: each game stands alone."""
        return type(self.change) is Linear and not self.difference.whole_event


own(vars())
