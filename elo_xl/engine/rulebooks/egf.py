"""The European Go Federation's ratings (GoR), as computed since April 2021.

With r and s the ratings of a player and an opponent, and S the score of their game:

    con(r)   = ((3300 - r)/200)^1.6
    β(r)     = -7·ln(3300 - r)
    E        = 1/(1 + e^(β(s) - β(r)))
    bonus(r) = ln(1 + e^((2300 - r)/80))/5
    change   = Σ [con(r)·(S - E) + bonus(r)]

In a game with h stones of handicap, E is that of a rating higher by 100·(h - 0.5) for the player
who has them; con and bonus are those of the rating itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.errors import require
from elo_xl.engine.performance import Games
from elo_xl.engine.rulebooks.clauses import (
    Difference,
    Expected,
    First,
    FirstRatingSteps,
    KFactor,
    Unrounded,
)
from elo_xl.engine.rulebooks.event import Event, Players, Sides
from elo_xl.engine.rulebooks.rulebook import Changed, Linear, Rulebook
from elo_xl.languages import Words

TOP: Final = 3300
"""The rating at which a game would change nothing any more."""


def below_top(rating: FloatArray) -> FloatArray:
    """How far ratings are below 3300; raise DomainError for one that is not."""
    require(~(rating >= TOP), f"rating must be below {TOP}", rating)
    return TOP - rating


@dataclass(frozen=True)
class Stretched(Difference):
    """Differences weigh more, the stronger the players are."""

    slope: int = 7
    top: int = TOP

    formula = "my.slope * LN((my.top - rating + d) / (my.top - rating))"
    text = Words(
        "With β(r) = −{slope}·ln({top} − r), the own β minus the opponent's: the same difference "
        "weighs more, the stronger the players are. Stones of handicap count in files of games "
        "only: h of them as 100·(h − 0.5) points for the player who has them."
    )

    def __call__(self, ahead: FloatArray, rating: FloatArray, player: npt.ArrayLike) -> FloatArray:
        ratio: FloatArray = below_top(rating - ahead) / below_top(rating)
        return self.slope * np.log(ratio)

    def say(self, language: str = "en") -> str:
        return self.text.say(language, slope=self.slope, top=self.top)

    brief = Words("The difference of β counts, not that of the ratings.")


class NaturalLogistic(Expected):
    """The logistic curve in its plainest form."""

    formula = "1 / (1 + EXP(-d))"
    text = Words("1 / (1 + e^(−difference)).")

    def units(self, difference: FloatArray) -> FloatArray:
        with np.errstate(over="ignore"):
            return 1 / (1 + np.exp(-difference))


@dataclass(frozen=True)
class Con(KFactor):
    """The factor con, which falls with the rating."""

    top: int = TOP
    scale: int = 200
    power: float = 1.6

    formula = "((my.top - rating) / my.scale) ^ my.power"
    text = Words("(({top} − rating)/{scale})^{power:g}.")
    why: ClassVar[Words] = Words("by the rating")

    def __call__(self, players: Players, period_games: FloatArray) -> FloatArray:
        k: FloatArray = (below_top(players.rating) / self.scale) ** self.power
        return k

    def reason(self, players: Players, language: str = "en") -> list[str]:
        return [self.why.say(language)] * players.rating.size


@dataclass(frozen=True)
class LinearWithBonus(Linear):
    """The linear change with a bonus a game, which keeps ratings from sinking on the whole."""

    zero: int = 2300
    scale: int = 80
    share: int = 5

    stone: int = 100

    takes_k = False
    by_game = False
    formula = Linear.formula + " + played * LN(1 + EXP((my.zero - rating) / my.scale)) / my.share"
    text = Words(
        "con × (score − expected score) + ln(1 + e^(({zero} − rating)/{scale}))/{share}, added up "
        "over the games, all with the rating from before the tournament."
    )

    def counted(self, rules: Rulebook, own: FloatArray, sides: Sides) -> FloatArray:
        if sides.stones is not None:
            worth = self.stone * np.maximum(np.abs(sides.stones) - 0.5, 0)
            own = own + np.where(sides.stones > 0, worth, 0)
            sides = replace(sides, met=sides.met + np.where(sides.stones < 0, worth, 0))
        return super().counted(rules, own, sides)

    def one_pass(self, rules: Rulebook, players: Players, sides: Sides) -> Changed:
        done = super().one_pass(rules, players, sides)
        return replace(done, change=done.change + done.games * self.bonus(players.rating))

    def points(self, rules: Rulebook, event: Event) -> FloatArray:
        return self(rules, event).change

    def each(
        self, rules: Rulebook, players: Players, sides: Sides, counted: FloatArray, done: Changed
    ) -> tuple[FloatArray, FloatArray]:
        awaited, gained = super().each(rules, players, sides, counted, done)
        return awaited, gained + self.bonus(players.rating)[sides.player]

    def bonus(self, rating: FloatArray) -> FloatArray:
        """What a game adds to a rating, whatever its result."""
        return np.log1p(np.exp((self.zero - rating) / self.scale)) / self.share


@dataclass(frozen=True)
class Declared(First):
    """The rating of the declared grade, changed by the games as everybody's is."""

    formula = """
    IF(given(start), LET(lead, my.top - start,
        start + (lead / my.scale) ^ my.power
            * (points - sum_games(1 / (1 + (lead / (my.top - opponent)) ^ my.slope)))
        + played * LN(1 + EXP((my.zero - start) / my.width)) / my.share), #NUM!)
    """
    takes_start = True
    text = Words(
        "A newcomer declares a grade: 1 dan is 2100, each grade 100 points more or less. From that "
        "rating on the games count as everybody's; without a grade there is no first rating."
    )
    endless = Words("no grade is known from which to begin")
    top: int = TOP
    slope: int = Stretched.slope
    scale: int = Con.scale
    power: float = Con.power
    zero: int = LinearWithBonus.zero
    width: int = LinearWithBonus.scale
    share: int = LinearWithBonus.share

    def __call__(self, games: Games, start: FloatArray | None = None) -> FirstRatingSteps:
        own = np.full(games.score.shape, np.nan) if start is None else np.asarray(start, float)
        players = Players.known(own)
        sides = Sides(
            player=games.player,
            met=games.opponents,
            score=np.full(games.player.shape, np.nan),
            points=games.score,
            home=np.zeros(games.player.shape),
        )
        done = EGF.change.one_pass(EGF, players, sides)
        return FirstRatingSteps(games.average, 100 * games.score / games.count, own + done.change)


EGF: Final = Rulebook(
    name="egf",
    title=Words("European Go Federation, ratings since 2021"),
    source=Words("European Go Database, description of the rating system of 2021"),
    difference=Stretched(),
    expected=NaturalLogistic(),
    k=Con(),
    change=LinearWithBonus(),
    first=Declared(games=1, zero_counts=True),
    rounding=Unrounded(floor=-900),
    performance="linear",
    in_books=False,
    uncertain=Words(
        "Class A: changes by tournaments of class B, C and D count 75, 50 and 25 %. Resets of "
        "ratings are left out."
    ),
)
"""Ratings are kept with decimals; nobody falls below -900."""

RULEBOOKS: Final = (EGF,)
