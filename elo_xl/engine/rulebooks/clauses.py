"""The clauses of which a rulebook is composed, each with three faces.

A clause is called with arrays, by the engine. Its ``formula`` is the same as a native formula, in
the names of its family, for cells. :meth:`Clause.say` states it in a sentence, for sheets, pages
and reasons. What only one federation has stands in the module of that federation.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, fields
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import FloatArray, round_half_away
from elo_xl.engine.models import expected, fide_hundredths
from elo_xl.engine.performance import Games, root
from elo_xl.engine.rulebooks.event import Players
from elo_xl.languages import Words

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Clause:
    """One clause of a rulebook.

    A kind of clause is a frozen dataclass if it has numbers of its own. To make a dataclass of one
    that has none would only take time.
    """

    formula: ClassVar[str] = ""
    """the clause in a cell; empty if spreadsheets have no sensible form of it"""
    long: ClassVar[str] = ""
    """the same where a formula may be longer than a name in a workbook, if only that is in the
    way"""
    text: ClassVar[Words]

    def native(self) -> str:
        """The formula with the clause's own numbers: ``my.cap`` stands for the field ``cap``."""
        return self.formula

    def say(self, language: str = "en") -> str:
        """The clause as a sentence."""
        return self.text.say(language, **{f.name: getattr(self, f.name) for f in fields(self)})


# -- which games count ----------------------------------------------------------------------------


class Counts(Clause):
    """Which games between two rated players count. In formulas: of ``rating`` and ``opponent``."""

    all_rated: ClassVar[bool] = False
    """whether every game between two rated players counts"""
    with_newcomers: ClassVar[bool] = False
    """whether games against newcomers count who get a first rating in the same event"""

    no_rating: ClassVar[Words] = Words("Not rated: the opponent has no rating.")

    def __call__(self, rating: FloatArray, opponent: FloatArray) -> Mask:
        raise NotImplementedError

    def why_not(self, opponent: float, language: str = "en") -> str:
        """Why a game against an opponent does not count, if it does not."""
        return self.no_rating.say(language)


class BothRated(Counts):
    """Every game between two rated players counts."""

    all_rated = True
    formula = "TRUE"
    text = Words(
        "Games that were played between two rated players. Forfeits, byes and games of less than "
        "one move do not count; games against an unrated player count only for that player's first "
        "rating."
    )

    def __call__(self, rating: FloatArray, opponent: FloatArray) -> Mask:
        counts: Mask = ~(np.isnan(rating) | np.isnan(opponent))
        return counts


# -- the difference that counts -------------------------------------------------------------------


_OWN_MINUS_OTHER: Final = Words("Own rating minus the opponent's.")


class Difference(Clause):
    """How much of a rating difference counts. In formulas: of ``d``, ``rating``, ``opponent``."""

    capped: ClassVar[bool] = False
    """whether there is a largest difference that counts"""
    varies: ClassVar[bool] = False
    """whether that depends on the player's rating"""
    whole_event: ClassVar[bool] = False
    """whether the other games of the player in the event matter"""
    upgrade: ClassVar[str] = "0"
    """what an event adds to the sum of its games, in units, as a formula"""
    brief: ClassVar[Words | None] = None
    """the clause beside a game, if that should be shorter than its text"""

    def cut(self, ahead: FloatArray) -> FloatArray:
        """The differences as they count for nearly everybody."""
        return ahead

    def exempt(self, rating: FloatArray) -> Mask | None:
        """Whose differences count in full; None if nobody is treated differently."""
        return None

    def __call__(self, ahead: FloatArray, rating: FloatArray, player: npt.ArrayLike) -> FloatArray:
        """The differences that count in the games of one event, for players by index."""
        counted = self.cut(ahead)
        exempt = self.exempt(rating)
        if exempt is None or not np.count_nonzero(exempt):
            return counted
        return np.where(exempt, ahead, counted)

    def say(self, language: str = "en") -> str:
        return f"{_OWN_MINUS_OTHER.say(language)} {super().say(language)}"

    def why(self, language: str = "en") -> str:
        """Why a difference counts as another one."""
        return super().say(language) if self.brief is None else self.brief.say(language)

    def why_full(self, language: str = "en") -> str:
        """Why it counts in full beyond a limit."""
        return self.why(language)


class Full(Difference):
    """Every difference counts in full."""

    formula = "d"
    text = Words("It always counts in full.")


@dataclass(frozen=True)
class Cap(Difference):
    """A difference counts up to a limit."""

    most: int = 400
    capped = True
    formula = "clip(d, my.most)"
    text = Words("More than {most} points count as {most}.")

    def cut(self, ahead: FloatArray) -> FloatArray:
        most = float(self.most)
        return ahead.clip(-most, most)


# -- the expected score ---------------------------------------------------------------------------


class Expected(Clause):
    """The expected score of a difference. In formulas: of ``d``, in units."""

    model: ClassVar[str] = ""
    """the curve's name, if worksheet functions know it"""
    unit: ClassVar[int] = 1
    """how many units make a point, so that sums of units are exact"""
    by: ClassVar[Words] = Words("the rulebook's curve")
    """what it is called beside a game"""

    def __call__(self, difference: FloatArray) -> FloatArray:
        """The expected scores, in points."""
        return self.units(difference) / self.unit

    def units(self, difference: FloatArray) -> FloatArray:
        """The expected scores, in units."""
        raise NotImplementedError


class Normal(Expected):
    """Elo's own curve."""

    model = "normal"
    formula = 'expected(d, "normal")'
    by = Words("Elo's normal curve")
    text = Words("Φ(difference / (200√2)): Elo's normal model.")

    def units(self, difference: FloatArray) -> FloatArray:
        return expected(difference, self.model)


class Logistic(Expected):
    """The logistic curve on which 400 points are worth ten to one."""

    model = "logistic"
    formula = 'expected(d, "logistic")'
    by = Words("logistic curve")
    text = Words("1 / (1 + 10^(−difference/400)): the logistic model.")

    def units(self, difference: FloatArray) -> FloatArray:
        return expected(difference, self.model)


class FideTable(Expected):
    """FIDE's table 8.1.2, in whole hundredths."""

    model = "fide"
    unit = 100
    formula = "table_812(d)"
    by = Words("table 8.1.2")
    text = Words("FIDE's table 8.1.2 at the difference, rounded to whole points.")

    def units(self, difference: FloatArray) -> FloatArray:
        return fide_hundredths(difference)


def quoted(text: str) -> str:
    """A text as it stands in a formula, in quotes."""
    return '"' + text.replace('"', '""') + '"'


# -- the K factor ---------------------------------------------------------------------------------


class KFactor(Clause):
    """The K factor of a player.

    In formulas: of ``rating``, ``games``, ``age``, ``peak``, any of which may be blank but the
    first, and of ``period_games``, the number of games in the period.
    """

    @property
    def factors(self) -> tuple[int, ...]:
        """All there are before a period's games lower them, the usual one last; () if too many."""
        return ()

    @property
    def assumes(self) -> bool:
        """Whether any reason takes something for granted."""
        return False

    def reason_formula(self, language: str = "en", assumed: str = "") -> str:
        """The reason for a player's K as a formula of ``rating``, ``games``, ``age``, ``peak`` and
        ``top``, the highest rating ever. ``assumed`` is added where the reason takes something for
        granted, by default in words."""
        return quoted(self.say(language))

    def __call__(self, players: Players, period_games: FloatArray) -> FloatArray:
        raise NotImplementedError

    def limited(self, k: FloatArray, period_games: FloatArray) -> FloatArray:
        """K factors as they apply in a period of so many games; NaN: unknown."""
        return k

    def limit(self) -> str:
        """The same as a formula of ``own_k``, for a known number of ``period_games``."""
        return "own_k"

    def reason(self, players: Players, language: str = "en") -> list[str]:
        """Why each player has their K."""
        return [self.say(language)] * players.rating.size


# -- rounding -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rounding(Clause):
    """How a new rating is published. In formulas: of ``rating`` and ``change``."""

    floor: int | None = None
    """lowest rating; None: there is none"""

    whole: ClassVar[bool] = False
    """whether changes are whole points"""

    floor_text: ClassVar[Words] = Words(" No rating falls below {floor}.")

    def rounded(self, change: FloatArray) -> FloatArray:
        return change

    def __call__(self, rating: FloatArray, change: FloatArray, peak: FloatArray) -> FloatArray:
        """New ratings."""
        new = rating + self.rounded(change)
        return new if self.floor is None else np.maximum(new, self.floor)

    def native(self) -> str:
        return self.formula if self.floor is None else f"greatest({self.floor}, {self.formula})"

    def say(self, language: str = "en") -> str:
        more = "" if self.floor is None else self.floor_text.say(language, floor=self.floor)
        return self.text.say(language) + more


class Unrounded(Rounding):
    """Nothing is rounded."""

    formula = "rating + change"
    text = Words("Nothing is rounded.")


class WholePoints(Rounding):
    """The change of a period is rounded to whole points."""

    whole = True
    formula = "rating + ROUND(change, 0)"
    text = Words(
        "Rounded to a whole number, 0.5 away from zero, once for all events of a rating period: "
        "with further events in the period add up the unrounded changes first."
    )

    def rounded(self, change: FloatArray) -> FloatArray:
        return round_half_away(change)


# -- first ratings --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FirstRatingSteps:
    """The steps to first ratings; every field is an array with one number per player."""

    average: FloatArray
    """average rating of the opponents, including the hypothetical ones"""
    percent: FloatArray
    """percentage scored, including the hypothetical draws, not rounded"""
    rating: FloatArray


@dataclass(frozen=True)
class First(Clause):
    """The first rating of an unrated player.

    In formulas: of the lists ``opponent`` and ``score`` and their sums ``played``, ``points``,
    ``rating_sum``, ``average``, and of ``start``, a first guess.
    """

    _: KW_ONLY
    games: int = 5
    """the number of games that it takes"""
    floor: int | None = None
    """lowest first rating that is published, in points"""
    zero_counts: bool = False
    """whether an event counts in which the player scored nothing"""

    steps: ClassVar[tuple[tuple[str, str], ...]] = (
        ("average", "average"),
        ("percent", "100 * points / played"),
    )
    """the way there, for the formula and for sheets: numbers by the keys of their headings, each
    with its formula, in which those before it have these names"""
    brief: ClassVar[Words | None] = None
    """a short text about it, for lists in which several stand side by side"""
    solved: ClassVar[bool] = False
    """whether it is found by approximation"""

    takes_start: ClassVar[bool] = False
    """whether it begins with a first guess"""
    by_sums: ClassVar[bool] = False
    """whether the number of games, the points and the sum of the opponents' ratings tell it"""

    endless: ClassVar[Words] = Words("every game won or lost: no finite rating gives that score")
    """why there is no such rating after enough games"""

    needs: ClassVar[Words] = Words(" It takes {games} games against rated players.")
    from_floor: ClassVar[Words] = Words(" It is not published below {floor}.")
    without_zero: ClassVar[Words] = Words(" An event without a point is disregarded.")

    def __call__(self, games: Games, start: FloatArray | None = None) -> FirstRatingSteps:
        raise NotImplementedError

    def guess(self, age: FloatArray) -> FloatArray:
        """The first guess that follows from the age; NaN: none."""
        return np.full(age.shape, np.nan)

    def published(self, rating: FloatArray, games: FloatArray, score: FloatArray) -> Mask:
        """Whether first ratings are published: enough games, a point, not below the floor."""
        fine = np.isfinite(rating) & (games >= self.games) & ((score > 0) | self.zero_counts)
        if self.floor is not None:
            fine &= np.nan_to_num(rating) >= self.floor
        return fine

    def say(self, language: str = "en") -> str:
        text = super().say(language)
        if self.games > 1:
            text += self.needs.say(language, games=self.games)
        if self.floor is not None:
            text += self.from_floor.say(language, floor=self.floor)
        return text if self.zero_counts else text + self.without_zero.say(language)


@dataclass(frozen=True)
class Root(First):
    """The rating whose expected total is the score."""

    model: str = "normal"
    _: KW_ONLY
    games: int = 1
    floor: int | None = 0
    whole: bool = False
    """whether it is rounded to a whole number"""

    solved = True
    formula = "root(my.model)"
    text = Words("The rating whose expected score against the rated opponents equals the score.")
    rounded: ClassVar[Words] = Words(" It is rounded to a whole number.")

    def __call__(self, games: Games, start: FloatArray | None = None) -> FirstRatingSteps:
        with np.errstate(invalid="ignore", divide="ignore"):
            percent = 100 * games.score / games.count
        rating = root(games, self.model)
        if self.whole:
            rating = round_half_away(rating)
        return FirstRatingSteps(games.average, percent, rating)

    def native(self) -> str:
        return f"ROUND({self.formula}, 0)" if self.whole else self.formula

    def say(self, language: str = "en") -> str:
        text = self.text.say(language)
        return text + self.rounded.say(language) if self.whole else text
