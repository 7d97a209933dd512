"""Every rule that depends on who publishes the rating and when: one frozen Rulebook per edition.

FIDE's editions are named after the month in which they took effect. Their source is FIDE's Rating
Regulations (Handbook B.02), as transcribed and dated in ``source``. Where a text could not be
verified, the edition's ``uncertain`` says so, and so does the rulebook sheet of a workbook.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.errors import choose, require
from elo_xl.engine.rounding import FloatArray


@dataclass(frozen=True, slots=True)
class KRule:
    """How the K factor follows from what is known about a player (FIDE B.02, 8.3.3)."""

    new: int = 40
    """K of a player who has completed fewer than ``new_games`` rated games"""
    new_games: int = 30
    young_age: int | None = 18
    """last list year minus birth year at which a player counts as young"""
    young_below: int = 2300
    standard: int = 20
    master: int = 10
    master_from: int = 2400
    """published rating from which K stays ``master`` for good"""
    most_points: int | None = 700
    """largest product of K and the number of games of one period; None: no limit"""


@dataclass(frozen=True, slots=True)
class FirstRating:
    """How an unrated player's first rating is computed (FIDE B.02, 8.2)."""

    method: str = "hypothetical draws"
    """``"hypothetical draws"``, ``"half points"`` or ``"root"`` (performance under the model)"""
    draws: int = 2
    draws_against: int = 1800
    most: int | None = 2200
    per_half_point: float = 20.0
    games: int = 5
    floor: int = 1400
    """lowest first rating that is published, in points"""
    zero_counts: bool = False
    """whether an event counts in which the player scored nothing"""


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One dated edition of the rating rules, or one of the plain models."""

    name: str
    title: str
    source: str
    since: date | None = None
    model: str = "fide"
    cap: int | None = 400
    """largest rating difference that counts, in points; None: no limit"""
    uncapped_from: int | None = None
    """rating from which the full difference counts for the player"""
    one_upgrade: bool = False
    """whether only a player's largest positive difference of an event is cut"""
    unrated_gap: int | None = None
    """difference from which a game of a player rated above ``unrated_above`` is not rated"""
    unrated_above: int = 2600
    k: KRule = KRule()
    first: FirstRating = FirstRating()
    rounded: bool = True
    """whether the change of a period is rounded to a whole number, halves away from zero"""
    performance: str = "fide"
    uncertain: str = ""
    """what could not be verified in the edition's text"""

    @property
    def exact(self) -> bool:
        """Whether expected scores are whole hundredths, read from table 8.1.2."""
        return self.model == "fide"

    def counted(self, difference: npt.ArrayLike, rating: npt.ArrayLike) -> FloatArray:
        """The rating differences that count for players rated ``rating``, in points.

        >>> rulebook("fide-2025-10").counted([500, 500], [2600, 2650]).tolist()
        [400.0, 500.0]

        The rule of 2022, one cut per event, depends on all games of the event:
        :func:`elo_xl.engine.period.counted_differences` applies it (FIDE B.02, 8.3.1).
        """
        cut = self.cut(difference)
        if self.uncapped_from is not None:
            full = np.asarray(rating, dtype=float) >= self.uncapped_from
            if full.any():
                return np.where(full, np.asarray(difference, dtype=float), cut)
        return cut

    def cut(self, difference: npt.ArrayLike) -> FloatArray:
        """Differences limited to the cap, as they count for all but the highest rated players."""
        d: FloatArray = np.asarray(difference, dtype=float)
        return d if self.cap is None else np.clip(d, -self.cap, self.cap)

    def rated(self, rating: npt.ArrayLike, opponent: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        """Whether a game counts: both players are rated (not NaN) and not too far apart.

        >>> rulebook("fide-rapid").rated([2601, 2600], [2001, 2000]).tolist()
        [False, True]
        """
        a, b = np.asarray(rating, dtype=float), np.asarray(opponent, dtype=float)
        counts: npt.NDArray[np.bool_] = ~(np.isnan(a) | np.isnan(b))
        if self.unrated_gap is not None:
            wide = np.abs(a - b) >= self.unrated_gap
            counts &= ~(wide & (np.maximum(a, b) > self.unrated_above))
        return counts


NEW: Final = 0
YOUNG: Final = 1
STANDARD: Final = 2
MASTER: Final = 3
"""The classes of :func:`k_class`: they say why a K factor is what it is."""


def k_class(
    rating: npt.ArrayLike,
    games: npt.ArrayLike = np.nan,
    age: npt.ArrayLike = np.nan,
    peak: npt.ArrayLike = np.nan,
    rules: str | Rulebook = "fide",
) -> npt.NDArray[np.int64]:
    """Which clause of the K rule applies to a player: NEW, YOUNG, STANDARD or MASTER.

    >>> k_class([1500, 2200, 2350, 2350], [12, 90, 40, 40], [30, 17, 30, 30],
    ...         [1500, 2200, 2350, 2405]).tolist()
    [0, 1, 2, 3]

    ``games`` is the number of rated games before the period (NaN: 30 or more), ``age`` the list
    year minus the birth year (NaN: adult), ``peak`` the highest published rating (NaN: ``rating``).
    All broadcast. The clauses are tried in this order: ever at 2400 or above; young and never at
    2300 or above; new; all others (FIDE B.02, 8.3.3). FIDE's text names no order; this one agrees
    with 99 % of the K factors that FIDE published.

    Raises DomainError for games or an age below 0, OptionError for an unknown rulebook.
    """
    rule = rulebook(rules).k
    now, n, years, top = np.broadcast_arrays(
        *(np.asarray(a, dtype=float) for a in (rating, games, age, peak))
    )
    require(~(n < 0), "games must not be below 0", n)
    require(~(years < 0), "age must not be below 0", years)
    highest = np.fmax(now, top)
    result = np.where(n < rule.new_games, NEW, STANDARD)
    if rule.young_age is not None:
        result[(years <= rule.young_age) & (highest < rule.young_below)] = YOUNG
    result[highest >= rule.master_from] = MASTER
    return result


def k_factor(
    rating: npt.ArrayLike,
    games: npt.ArrayLike = np.nan,
    age: npt.ArrayLike = np.nan,
    peak: npt.ArrayLike = np.nan,
    period_games: npt.ArrayLike = np.nan,
    rules: str | Rulebook = "fide",
) -> FloatArray:
    """K factors of players under a rulebook (FIDE B.02, 8.3.3; Benítez's web page).

    >>> k_factor([2350, 1500], [40, 12]).tolist()
    [20.0, 40.0]
    >>> k_factor(1500, 90, 30, period_games=36).item()
    19.0

    ``games``, ``age`` and ``peak`` are those of :func:`k_class`. ``period_games``, if given, is the
    number of games in the period: it lowers K to the largest whole number whose product with it is
    at most 700. The plain models have no K of their own; they use FIDE's newest rule.

    Raises DomainError for games, an age or period games below 0, OptionError for an unknown
    rulebook.
    """
    rule = rulebook(rules).k
    by_class = np.array([rule.new, rule.new, rule.standard, rule.master], dtype=float)
    return limited_k(by_class[k_class(rating, games, age, peak, rules)], period_games, rules)


def limited_k(
    k: npt.ArrayLike, period_games: npt.ArrayLike, rules: str | Rulebook = "fide"
) -> FloatArray:
    """Lower K to the largest whole number whose product with the games of a period is at most 700.

    >>> limited_k([40, 40, 20, 10], [17, 18, 36, 71]).tolist()
    [40.0, 38.0, 19.0, 9.0]

    K stays as it is where the product is within the limit, where ``period_games`` is NaN, and under
    rulebooks without a limit (FIDE B.02, 8.3.3). Raises DomainError for period games below 0,
    OptionError for an unknown rulebook.
    """
    most = rulebook(rules).k.most_points
    factor, n = np.broadcast_arrays(np.asarray(k, dtype=float), np.asarray(period_games, float))
    require(~(n < 0), "period games must not be below 0", n)
    if most is None:
        return factor.copy()
    with np.errstate(divide="ignore"):
        return np.where(factor * n > most, np.floor(most / n), factor)


def one_time_increase(ratings: npt.ArrayLike) -> FloatArray:
    """Ratings after FIDE's one-time increase of 1 March 2024: 40 % of the way to 2000.

    >>> one_time_increase([1000, 1600, 2000]).tolist()
    [1400.0, 1760.0, 2000.0]

    Ratings of 2000 and above stay as they are. The results are not rounded, because FIDE does not
    say how it rounded them.
    """
    before: FloatArray = np.asarray(ratings, dtype=float)
    return before + 2 * np.maximum(2000 - before, 0) / 5


def rulebook(rules: str | Rulebook) -> Rulebook:
    """Look up a rulebook by name; ``"fide"`` is the newest edition.

    >>> rulebook("fide").name
    'fide-2025-10'

    A Rulebook is returned as it is. Raises OptionError for an unknown name.
    """
    if isinstance(rules, Rulebook):
        return rules
    return RULEBOOKS[choose(rules, RULEBOOKS, "rules")]


def in_force(day: date | None) -> Rulebook | None:
    """FIDE's edition for standard play in force on ``day``; None for no day or one before 2009.

    >>> in_force(date(2024, 2, 29)).name
    'fide-2022-01'
    """
    editions = [e for e in EDITIONS if day is not None and e.since is not None and e.since <= day]
    return max(editions, key=lambda e: e.since or date.min, default=None)


_HALF_POINTS_2014 = FirstRating("half points", most=None, per_half_point=20.0, floor=1000)

FIDE_2009_07: Final = Rulebook(
    name="fide-2009-07",
    title="FIDE Rating Regulations from 1 July 2009",
    source="FIDE news 4059 (2009); secondary sources",
    since=date(2009, 7, 1),
    k=KRule(new=25, young_age=None, standard=15, most_points=None),
    first=FirstRating("half points", most=None, per_half_point=12.5, games=9, floor=1200),
    uncertain="K for new players rose from 25 to 30 in 2011 and the floor fell to 1000 in July "
    "2012: give K yourself for events from then on. The text was not seen, only reports of it.",
)
"""K 25, 15 or 10; the cap raised from 350 to 400 points.

[?] The text was not seen. K for new players became 30 in 2011, the floor 1000 in 2012; nine games
for a first rating is the custom of the time, not a quoted rule.
"""

FIDE_2014_07: Final = Rulebook(
    name="fide-2014-07",
    title="FIDE Rating Regulations from 1 July 2014",
    source="FIDE Handbook B.02, 8.56, as quoted by national federations",
    since=date(2014, 7, 1),
    k=KRule(young_age=17, most_points=None),
    first=_HALF_POINTS_2014,
    uncertain="First ratings (20 points for each half point over 50 %) are not confirmed by a "
    "text. 'Until the 18th birthday' is read as list year minus birth year up to 17.",
)
"""K 40, 20 or 10; 40 until the 18th birthday below 2300.

[?] The rule of first ratings, and whether K times games was limited to 700 then.
"""

FIDE_2017_07: Final = Rulebook(
    name="fide-2017-07",
    title="FIDE Rating Regulations from 1 July 2017",
    source="FIDE Handbook B.02 (B022017), existence and dates only",
    since=date(2017, 7, 1),
    k=KRule(most_points=None),
    first=_HALF_POINTS_2014,
    uncertain="The chapter itself was not seen. The date from which K 40 lasts to the end of the "
    "year of the 18th birthday, and first ratings, are not confirmed.",
)
"""As in 2014, but K 40 lasts until the end of the year of the 18th birthday.

[?] The chapter was not seen; the date of the youth rule's new wording and the rule of first
ratings are not confirmed.
"""

FIDE_2022_01: Final = Rulebook(
    name="fide-2022-01",
    title="FIDE Rating Regulations from 1 January 2022",
    source="FIDE Handbook B.02 (B022022)",
    since=date(2022, 1, 1),
    one_upgrade=True,
    first=replace(_HALF_POINTS_2014),
    uncertain="One upgrade an event is read as: for the higher rated player only the game with "
    "the largest difference is cut at 400; for the lower rated one every game.",
)
"""For the higher rated player one difference per event is cut; K times games is at most 700.

The text says "a player may benefit from only one upgrade under this rule": only the higher rated
player benefits from a cut, so only their further games count with the full difference.
"""

FIDE_2024_03: Final = Rulebook(
    name="fide-2024-03",
    title="FIDE Rating Regulations from 1 March 2024",
    source="FIDE Handbook B.02 (B022024)",
    since=date(2024, 3, 1),
    uncertain="The rounding of the percentage in first ratings (half up to hundredths) is taken "
    "from the Title Regulations.",
)
"""Every difference is cut at 400; first ratings include two hypothetical draws against 1800.

[?] How the percentage of a first rating is rounded is not stated in B.02.
"""

FIDE_2025_10: Final = replace(
    FIDE_2024_03,
    name="fide-2025-10",
    title="FIDE Rating Regulations from 1 March 2024 as amended on 1 October 2025",
    source="FIDE Handbook B.02 (B022024), 8.3.1 as amended",
    since=date(2025, 10, 1),
    uncapped_from=2650,
)
"""As in 2024, but for players of 2650 and above the full difference counts, on their side of the
game only.

[?] As in 2024. That the start date of the event decides between the two is a reading of the text.
"""

FIDE_RAPID: Final = replace(
    FIDE_2024_03,
    name="fide-rapid",
    title="FIDE Rapid and Blitz Rating Regulations from 1 March 2024, amended 1 December 2024",
    source="FIDE Handbook B.02 (B02RBRegulations2024)",
    since=None,
    unrated_gap=600,
)
"""The cap of 400 applies to everybody; a game of a player above 2600 is not rated if the
difference is 600 points or more.

[?] As in 2024: how the percentage of a first rating is rounded.
"""

_ROOT = FirstRating("root", most=None, games=1, floor=0)

ELO: Final = Rulebook(
    name="elo",
    title="Elo's normal model, no cap, no rounding",
    source="Benítez and Roca, eq (2) and axioms I to V",
    model="normal",
    cap=None,
    k=KRule(most_points=None),
    first=_ROOT,
    rounded=False,
    performance="normal",
)
"""Elo's own system as Benítez and Roca state it. They name no K: unless it is given, FIDE's newest
rule applies, without the limit on K times games."""

LOGISTIC: Final = replace(
    ELO,
    name="logistic",
    title="The logistic model, no cap, no rounding",
    source="Benítez and Roca, eq (3); Ioffe, eq (6)",
    model="logistic",
    performance="logistic",
)
"""The same on the logistic curve."""

EDITIONS: Final = (
    FIDE_2025_10,
    FIDE_2024_03,
    FIDE_2022_01,
    FIDE_2017_07,
    FIDE_2014_07,
    FIDE_2009_07,
)

RULEBOOKS: Final[dict[str, Rulebook]] = {
    "fide": FIDE_2025_10,
    **{edition.name: edition for edition in EDITIONS},
    "fide-rapid": FIDE_RAPID,
    "elo": ELO,
    "logistic": LOGISTIC,
}
