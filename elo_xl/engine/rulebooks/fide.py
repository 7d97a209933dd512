"""FIDE's Rating Regulations (Handbook B.02), one rulebook an edition.

The editions are named after the month in which they took effect; ``source`` says where their text
was seen. Where it could not be verified, ``uncertain`` says so, and so does the rulebook sheet of a
workbook.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import FloatArray, round_half_away
from elo_xl.engine.performance import Games, table_difference
from elo_xl.engine.rulebooks.clauses import (
    BothRated,
    Cap,
    FideTable,
    First,
    FirstRatingSteps,
    Mask,
    WholePoints,
)
from elo_xl.engine.rulebooks.k_table import KRow, KTable
from elo_xl.engine.rulebooks.rulebook import Rulebook
from elo_xl.languages import Words

# -- clauses that FIDE alone has ------------------------------------------------------------------


@dataclass(frozen=True)
class NotTooFar(BothRated):
    """A game of a very strong player is not rated if the difference is too large."""

    gap: int = 600
    above: int = 2600

    all_rated = False
    formula = """
    1 - (ABS(rating - opponent) >= my.gap) * ((rating > my.above) + (opponent > my.above) > 0)
    """
    too_far = Words(
        "A game with a difference of {gap} or more is not rated if one of the players is above "
        "{above}."
    )

    def __call__(self, rating: FloatArray, opponent: FloatArray) -> Mask:
        wide = np.abs(rating - opponent) >= self.gap
        too_far = wide & (np.maximum(rating, opponent) > self.above)
        return super().__call__(rating, opponent) & ~too_far

    def say(self, language: str = "en") -> str:
        return f"{super().say(language)} {self._far(language)}"

    def why_not(self, opponent: float, language: str = "en") -> str:
        return super().why_not(opponent, language) if np.isnan(opponent) else self._far(language)

    def _far(self, language: str) -> str:
        return self.too_far.say(language, gap=self.gap, above=self.above)


@dataclass(frozen=True)
class CapBelow(Cap):
    """The limit holds below a rating; from there on the full difference counts."""

    full_from: int = 2650
    varies = True

    formula = "clip(d, my.most, rating < my.full_from)"
    full = Words("For players of {full_from} and above the full difference counts.")

    def say(self, language: str = "en") -> str:
        return f"{super().say(language)} {self.why_full(language)}"

    def why_full(self, language: str = "en") -> str:
        return self.full.say(language, full_from=self.full_from)

    def exempt(self, rating: FloatArray) -> Mask:
        return rating >= self.full_from


class OneCut(Cap):
    """The limit holds, for the higher rated player, in one game of an event only.

    The text of 2022 says that "a player may benefit from only one upgrade under this rule": only
    the higher rated player benefits from a cut, so of their games only the one with the largest
    difference is cut.
    """

    whole_event = True
    formula = "clip(d, my.most, rating < opponent)"
    upgrade = """
    greatest(0, row_812(greatest(0, most_games(rating - opponent))) - row_812(my.most))
    """
    text = Words(
        "For the lower rated player more than {most} points count as {most} in every game; for the "
        "higher rated player only in the game with the largest difference of the event, the others "
        "count in full."
    )

    brief = Words("The higher rated player has only the largest difference of the event cut.")

    def __call__(self, ahead: FloatArray, rating: FloatArray, player: npt.ArrayLike) -> FloatArray:
        who = np.asarray(player)
        counted: FloatArray = np.maximum(ahead, -float(self.most))
        largest = np.full(who.max(initial=-1) + 1, -np.inf)
        np.maximum.at(largest, who, ahead)
        candidates = np.flatnonzero(ahead == largest[who])
        one = candidates[np.unique(who[candidates], return_index=True)[1]]
        counted[one] = self.cut(ahead[one])
        return counted


@dataclass(frozen=True)
class HypotheticalDraws(First):
    """Draws against imagined opponents are added, then table 8.1.1 decides (since 2024)."""

    draws: int = 2
    against: int = 1800
    most: int = 2200

    by_sums = True
    steps = (
        ("added", "my.draws * my.against"),
        ("average", "(rating_sum + added) / (played + my.draws)"),
        ("percent", "100 * (points + my.draws / 2) / (played + my.draws)"),
        ("dp", "table_811(percent)"),
        ("computed", "ROUND(average + dp, 0)"),
        ("limited", "least(my.most, computed)"),
    )
    formula = "limited"
    brief = Words("{draws} draws against {against} added")
    text = Words(
        "Average of the opponents' ratings and of {draws} hypothetical opponents of {against}, "
        "each a draw, plus table 8.1.1 at the percentage. At most {most}."
    )

    def __call__(self, games: Games, start: FloatArray | None = None) -> FirstRatingSteps:
        n = games.count + self.draws
        points = games.score + self.draws / 2
        average = (games.total + self.draws * self.against) / n
        rating = round_half_away(average + table_difference(points, n))
        return FirstRatingSteps(average, 100 * points / n, np.minimum(rating, self.most))


@dataclass(frozen=True)
class HalfPoints(First):
    """A fixed number of points for each half point above half of the games (until 2024)."""

    per_half_point: float = 20.0

    by_sums = True
    steps = (
        *First.steps,
        ("over", "2 * points - played"),
        ("dp", "table_811(percent)"),
        ("computed", "ROUND(average + IF(2 * points > played, my.per_half_point * over, dp), 0)"),
    )
    formula = "computed"
    brief = Words("{per_half_point} points for each half point over 50 %")
    text = Words(
        "Average of the opponents' ratings plus {per_half_point:g} points for each half point over "
        "50 %, or below 50 % plus table 8.1.1 at the percentage."
    )

    def __call__(self, games: Games, start: FloatArray | None = None) -> FirstRatingSteps:
        with np.errstate(invalid="ignore", divide="ignore"):
            percent = 100 * games.score / games.count
        above = 2 * games.score - games.count
        low = table_difference(games.score, games.count)
        gain = np.where(above > 0, self.per_half_point * above, low)
        return FirstRatingSteps(games.average, percent, round_half_away(games.average + gain))


# -- the editions ---------------------------------------------------------------------------------


def _k(
    new: int = 40, young_to: int | None = 18, standard: int = 20, most_points: int | None = 700
) -> KTable:
    """FIDE's K factors (B.02, 8.3.3).

    The text names no order of its cases; this one agrees with 99 % of the K factors that FIDE
    published.
    """
    usual = Words("never reached 2400")
    rows = (
        KRow(10, peak_from=2400),
        *([] if young_to is None else [KRow(new, age_to=young_to, peak_below=2300)]),
        KRow(new, games_below=30),
        KRow(standard, why=usual),
    )
    return KTable(rows, most_points)


K: Final = _k()
"""The K factors in force since 2022."""

_HALF_POINTS: Final = HalfPoints(games=5, floor=1000)

FIDE_2009_07: Final = Rulebook(
    name="fide-2009-07",
    title=Words("FIDE Rating Regulations from 1 July 2009"),
    source=Words("FIDE news 4059 (2009); secondary sources"),
    since=date(2009, 7, 1),
    difference=Cap(400),
    expected=FideTable(),
    k=_k(new=25, young_to=None, standard=15, most_points=None),
    first=HalfPoints(12.5, games=9, floor=1200),
    rounding=WholePoints(),
    performance="fide",
    uncertain=Words(
        "K for new players rose from 25 to 30 in 2011 and the floor fell to 1000 in July 2012: "
        "give K yourself for events from then on. The text was not seen, only reports of it."
    ),
)
"""K 25, 15 or 10; the cap raised from 350 to 400 points.

[?] The text was not seen. K for new players became 30 in 2011, the floor 1000 in 2012; nine games
for a first rating is the custom of the time, not a quoted rule.
"""

FIDE_2014_07: Final = replace(
    FIDE_2009_07,
    name="fide-2014-07",
    title=Words("FIDE Rating Regulations from 1 July 2014"),
    source=Words("FIDE Handbook B.02, 8.56, as quoted by national federations"),
    since=date(2014, 7, 1),
    k=_k(young_to=17, most_points=None),
    first=_HALF_POINTS,
    uncertain=Words(
        "First ratings (20 points for each half point over 50 %) are not confirmed by a text. "
        "'Until the 18th birthday' is read as list year minus birth year up to 17."
    ),
)
"""K 40, 20 or 10; 40 until the 18th birthday below 2300.

[?] The rule of first ratings, and whether K times games was limited to 700 then.
"""

FIDE_2017_07: Final = replace(
    FIDE_2014_07,
    name="fide-2017-07",
    title=Words("FIDE Rating Regulations from 1 July 2017"),
    source=Words("FIDE Handbook B.02 (B022017), existence and dates only"),
    since=date(2017, 7, 1),
    k=_k(most_points=None),
    uncertain=Words(
        "The chapter itself was not seen. The date from which K 40 lasts to the end of the year of "
        "the 18th birthday, and first ratings, are not confirmed."
    ),
)
"""As in 2014, but K 40 lasts until the end of the year of the 18th birthday.

[?] The chapter was not seen; the date of the youth rule's new wording and the rule of first
ratings are not confirmed.
"""

FIDE_2022_01: Final = replace(
    FIDE_2017_07,
    name="fide-2022-01",
    title=Words("FIDE Rating Regulations from 1 January 2022"),
    source=Words("FIDE Handbook B.02 (B022022)"),
    since=date(2022, 1, 1),
    difference=OneCut(400),
    k=K,
    uncertain=Words(
        "One upgrade an event is read as: for the higher rated player only the game with the "
        "largest difference is cut at 400; for the lower rated one every game."
    ),
)
"""For the higher rated player one difference per event is cut; K times games is at most 700."""

FIDE_2024_03: Final = replace(
    FIDE_2022_01,
    name="fide-2024-03",
    title=Words("FIDE Rating Regulations from 1 March 2024"),
    source=Words("FIDE Handbook B.02 (B022024)"),
    since=date(2024, 3, 1),
    difference=Cap(400),
    first=HypotheticalDraws(games=5, floor=1400),
    unlisted_below=1400,
    uncertain=Words(
        "The rounding of the percentage in first ratings (half up to hundredths) is taken from the "
        "Title Regulations."
    ),
)
"""Every difference is cut at 400; first ratings include two hypothetical draws against 1800.

[?] How the percentage of a first rating is rounded is not stated in B.02.
"""

FIDE_2025_10: Final = replace(
    FIDE_2024_03,
    name="fide-2025-10",
    title=Words("FIDE Rating Regulations from 1 March 2024 as amended on 1 October 2025"),
    source=Words("FIDE Handbook B.02 (B022024), 8.3.1 as amended"),
    since=date(2025, 10, 1),
    difference=CapBelow(400, 2650),
)
"""As in 2024, except that for players of 2650 and above the full difference counts, on their side
of the game only.

[?] As in 2024. That the start date of the event decides between the two is a reading of the text.
"""

FIDE_RAPID: Final = replace(
    FIDE_2024_03,
    name="fide-rapid",
    title=Words(
        "FIDE Rapid and Blitz Rating Regulations from 1 March 2024, amended 1 December 2024"
    ),
    source=Words("FIDE Handbook B.02 (B02RBRegulations2024)"),
    since=None,
    counts=NotTooFar(600, 2600),
    after_standard=True,
    uncertain=Words(
        "The rounding of the percentage in first ratings (half up to hundredths) is taken from the "
        "Title Regulations. A standard rating with which somebody begins is taken for a published "
        "one: from 2400 on, their K is 10 from the first game."
    ),
)
"""The cap of 400 applies to everybody; a game of a player above 2600 is not rated if the
difference is 600 points or more.

[?] As in 2024: how the percentage of a first rating is rounded. Whether the standard rating with
which somebody begins counts as published, and so for K.
"""

EDITIONS: Final = (
    FIDE_2025_10,
    FIDE_2024_03,
    FIDE_2022_01,
    FIDE_2017_07,
    FIDE_2014_07,
    FIDE_2009_07,
)

RULEBOOKS: Final = (*EDITIONS, FIDE_RAPID)

NEWEST: Final = "fide"
"""The name of the newest edition."""


def before(rules: Rulebook) -> Rulebook | None:
    """The edition that one of FIDE's editions for standard play replaced; None without one.

    >>> before(FIDE_2025_10).name
    'fide-2024-03'
    """
    older = [e for e in EDITIONS if e.since and rules.since and e.since < rules.since]
    return older[0] if rules in EDITIONS and older else None


def in_force(day: date | None) -> Rulebook | None:
    """FIDE's edition for standard play in force on ``day``; None for no day or one before 2009."""
    editions = [e for e in EDITIONS if day is not None and e.since is not None and e.since <= day]
    return max(editions, key=lambda e: e.since or date.min, default=None)


def usual(kind: str, day: date | None) -> Rulebook:
    """FIDE's edition for an event, ``"standard"`` or faster, on a day; the newest one for standard
    play if none is known to be in force then.

    >>> usual("standard", date(2026, 3, 1)).name, usual("blitz", date(2026, 3, 1)).name
    ('fide-2025-10', 'fide-rapid')
    """
    return (in_force(day) or EDITIONS[0]) if kind == "standard" else FIDE_RAPID
