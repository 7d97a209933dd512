"""The K factors of a table: the first line that applies to a player decides."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from functools import cached_property, reduce
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import FloatArray, unknown
from elo_xl.engine.rulebooks.clauses import KFactor, Mask, quoted
from elo_xl.engine.rulebooks.event import Players
from elo_xl.languages import Words

_Fact = float | FloatArray


@dataclass(frozen=True)
class KRow:
    """One line of a table of K factors: it applies where everything that it names does."""

    k: int
    _: KW_ONLY
    games_below: int | None = None
    """for fewer rated games than this; nobody whose games are unknown"""
    age_to: int | None = None
    """up to this age; nobody whose age is unknown"""
    rating_from: int | None = None
    rating_below: int | None = None
    peak_from: int | None = None
    """for players who have ever reached this rating"""
    peak_below: int | None = None
    """for players who have never reached this rating"""
    why: Words | None = None
    """the reason, if it should not be put together from the conditions"""

    def met(self, rating: _Fact, games: _Fact, age: _Fact, top: _Fact) -> list[bool | Mask]:
        """Which of the conditions hold, for numbers or arrays; ``top`` is the highest rating
        ever."""
        met: list[bool | Mask] = []
        if self.games_below is not None:
            met.append(games < self.games_below)
        if self.age_to is not None:
            met.append(age <= self.age_to)
        if self.rating_from is not None:
            met.append(rating >= self.rating_from)
        if self.rating_below is not None:
            met.append(rating < self.rating_below)
        if self.peak_from is not None:
            met.append(top >= self.peak_from)
        if self.peak_below is not None:
            met.append(top < self.peak_below)
        return met

    def applies(self, players: Players, top: FloatArray) -> Mask:
        """To which players the line applies; ``top`` is the highest rating ever."""
        met = self.met(players.rating, players.games, players.age, top)
        return (
            np.asarray(reduce(np.logical_and, met)) if met else np.ones(players.rating.shape, bool)
        )

    def condition(self) -> str:
        """The conditions as a formula; ``top`` is the highest rating ever."""
        found = []
        if self.games_below is not None:
            found.append(f"given(games), games < {self.games_below}")
        if self.age_to is not None:
            found.append(f"given(age), age <= {self.age_to}")
        if self.rating_from is not None:
            found.append(f"rating >= {self.rating_from}")
        if self.rating_below is not None:
            found.append(f"rating < {self.rating_below}")
        if self.peak_from is not None:
            found.append(f"top >= {self.peak_from}")
        if self.peak_below is not None:
            found.append(f"top < {self.peak_below}")
        return f"both({', '.join(found)})" if found else "TRUE"

    def reason(self, language: str) -> str:
        """Why the line applies."""
        if self.why is not None:
            return self.why.say(language)
        values = {name: getattr(self, name) for name in _CONDITIONS}
        parts = [w.say(language, **values) for n, w in _CONDITIONS.items() if values[n] is not None]
        return ", ".join(parts) or _OTHERWISE.say(language)


_OTHERWISE: Final = Words("none of the other cases")

_CONDITIONS: Final = {
    "age_to": Words("{age_to} or younger"),
    "games_below": Words("fewer than {games_below} games"),
    "rating_from": Words("{rating_from} or above"),
    "rating_below": Words("below {rating_below}"),
    "peak_from": Words("has reached {peak_from}"),
    "peak_below": Words("never reached {peak_below}"),
}

ASSUMED: Final = Words(" (assumed)")
"""what is added to a reason that rests on an unknown highest rating or number of games"""


@dataclass(frozen=True)
class KTable(KFactor):
    """A table of K factors; the first line that applies decides."""

    rows: tuple[KRow, ...] = ()
    most_points: int | None = None
    """largest product of K and the number of games of one period; None: no limit"""

    first_applies: ClassVar[Words] = Words("The first that applies: ")
    otherwise: ClassVar[Words] = Words("otherwise {k}")
    lowered: ClassVar[Words] = Words(
        " Lowered if K times the games of a period would exceed {most}."
    )

    def line(self, players: Players) -> npt.NDArray[np.intp]:
        """The line of the table that applies to each player."""
        top = np.fmax(players.rating, players.peak)
        if top.size == 1:  # one cell: plain numbers are compared in a fraction of the time
            facts = [fact.item() for fact in (players.rating, players.games, players.age, top)]
            first = next((i for i, row in enumerate(self.rows) if all(row.met(*facts))), 0)
            return np.array([first])
        rows = [row.applies(players, top) for row in self.rows]
        line: npt.NDArray[np.intp] = np.array(rows).argmax(axis=0)
        return line

    @property
    def factors(self) -> tuple[int, ...]:
        return tuple(row.k for row in self.rows)

    @cached_property
    def _factors(self) -> FloatArray:
        return np.array(self.factors, dtype=float)

    def __call__(self, players: Players, period_games: FloatArray) -> FloatArray:
        return self.limited(self._factors[self.line(players)], period_games)

    def limited(self, k: FloatArray, period_games: FloatArray) -> FloatArray:
        """K, lowered to the largest whole number whose product with the games is allowed."""
        if self.most_points is None:
            return k
        if unknown(period_games) == period_games.size:
            return k
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(
                k * period_games > self.most_points, np.floor(self.most_points / period_games), k
            )

    def limit(self) -> str:
        if self.most_points is None:
            return super().limit()
        most = self.most_points
        return f"IF(own_k * period_games > {most}, INT({most} / period_games), own_k)"

    def native(self) -> str:
        chosen = str(self.rows[-1].k)
        for row in reversed(self.rows[:-1]):
            chosen = f"IF({row.condition()}, {row.k}, {chosen})"
        chosen = f"LET(top, highest(rating, peak), {chosen})"
        if self.most_points is None:
            return chosen
        most = self.most_points
        return (
            f"LET(own_k, {chosen}, IF(present(period_games), least(own_k, "
            f"INT({most} / highest(1, period_games))), own_k))"
        )

    @property
    def assumes_games(self) -> int | None:
        """The number of games that players are taken to have whose games are unknown."""
        known = [row.games_below for row in self.rows if row.games_below is not None]
        return max(known, default=None)

    def reason(self, players: Players, language: str = "en") -> list[str]:
        facts = zip(
            self.line(players).tolist(),
            np.isnan(players.peak).tolist(),
            np.isnan(players.games).tolist(),
            strict=True,
        )
        return [self.why(*fact, language) for fact in facts]

    def reason_formula(self, language: str = "en", assumed: str = "") -> str:
        formula, assumed = "", quoted(assumed or ASSUMED.say(language))
        for line, row in reversed([*enumerate(self.rows)]):
            case = quoted(row.reason(language))
            facts = zip(("peak", "games"), self.rests_on(line), strict=True)
            unknown = [f'{fact} = ""' for fact, matters in facts if matters]
            if unknown:
                case += f' & IF(either({", ".join(unknown)}), {assumed}, "")'
            formula = f"IF({row.condition()}, {case}, {formula})" if formula else case
        return formula

    def rests_on(self, line: int) -> tuple[bool, bool]:
        """Whether a line takes for granted that a rating was never reached, that games were
        played, where neither is known."""
        last = line + 1 == len(self.rows)
        limits = [row for row in self.rows if row.peak_from or row.peak_below]
        low = self.rows[line].peak_below is not None or (last and bool(limits))
        return low, last and self.assumes_games is not None

    def why(self, line: int, peak_unknown: bool, games_unknown: bool, language: str = "en") -> str:
        """The reason for the K of a line."""
        text = self.rows[line].reason(language)
        peak, games = self.rests_on(line)
        assumed = (peak and peak_unknown) or (games and games_unknown)
        return text + ASSUMED.say(language) if assumed else text

    @property
    def assumes(self) -> bool:
        return any(any(self.rests_on(line)) for line in range(len(self.rows)))

    def say(self, language: str = "en") -> str:
        *special, last = self.rows
        parts = [f"{row.k} ({row.reason(language)})" for row in special]
        parts.append(self.otherwise.say(language, k=last.k))
        text = f"{', '.join(parts)}."
        text = self.first_applies.say(language) + text if special else f"{last.k}."
        if self.most_points is not None:
            text += self.lowered.say(language, most=self.most_points)
        return text
