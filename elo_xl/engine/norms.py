"""FIDE's title norms (Handbook B.01, in force since 1 January 2024): what is met, what is missing.

A norm is a performance against opponents of enough titles and federations. Some games may be left
out: those after a norm was reached (1.4.1e), and those against opponents who were defeated
(1.4.1f). :func:`best_norm` finds the choice that serves the player best.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import ceil
from typing import Final, NamedTuple

import numpy as np

from elo_xl.engine.errors import OptionError
from elo_xl.engine.performance import table_difference
from elo_xl.engine.rounding import round_half_up

UNRATED: Final = 1400
"""What an unrated opponent counts (1.4.6c)."""
LEAST_GAMES: Final = 9
MOST_GAMES: Final = 13
"""Norms of longer events count as so many games (1.7)."""
LEAST_PERCENT: Final = 35
"""Not rounded: 4½ of 13 are too few (annex to 1.7)."""
WITHOUT_FEDERATION: Final = ("FID", "")
"""Players under FIDE's flag are accepted, but are nobody's compatriots and no foreigners."""
TITLED: Final = frozenset(("GM", "IM", "FM", "WGM", "WIM", "WFM"))
"""Titles that count; CM and WCM do not (1.4.5a)."""


class Level(NamedTuple):
    """What a norm takes."""

    performance: int
    average: int
    """least average rating of the opponents"""
    floor: int
    """to which the rating of one opponent is raised"""
    titles: frozenset[str]
    """titles that one third of the opponents must have, one of them each"""
    article: str
    """which says so"""


LEVELS: Final = {
    "GM": Level(2600, 2380, 2200, frozenset(("GM",)), "1.4.5b"),
    "IM": Level(2450, 2230, 2050, frozenset(("GM", "IM")), "1.4.5c"),
    "WGM": Level(2400, 2180, 2000, frozenset(("GM", "IM", "WGM")), "1.4.5d"),
    "WIM": Level(2250, 2030, 1850, frozenset(("GM", "IM", "WGM", "WIM")), "1.4.5e"),
}
"""What the norm of each title takes, the highest first."""


@dataclass(frozen=True, slots=True)
class NormGame:
    """A game that was played over the board."""

    round: int
    opponent: str
    """who it was, to tell opponents apart"""
    rating: float | None
    title: str
    federation: str
    score: float


@dataclass(frozen=True, slots=True)
class Requirement:
    """One thing that a norm takes, and how it stands."""

    article: str
    what: str
    has: float
    needs: float
    most: bool = False
    """whether ``needs`` must not be exceeded"""

    @property
    def met(self) -> bool:
        return self.has <= self.needs if self.most else self.has >= self.needs

    def __str__(self) -> str:
        limit = "at most" if self.most else "at least"
        return f"{self.what}: {self.has:g}, {limit} {self.needs:g} ({self.article})"


@dataclass(frozen=True, slots=True)
class Event:
    """What matters of the event."""

    rounds: int
    """all that are scheduled"""
    predetermined: bool = False
    """whether all pairings are known from the beginning, as in an all-play-all"""
    double: bool = False
    """whether everybody meets everybody twice"""
    mixed: bool = False
    """whether so many foreigners take part that opponents of any federation will do (1.4.3)"""


@dataclass(frozen=True, slots=True)
class Norm:
    """A choice of games under the rules of a norm."""

    title: str
    games: tuple[NormGame, ...]
    """those that count"""
    left_out: tuple[NormGame, ...]
    """wins that are left out, and games after the norm was reached"""
    requirements: tuple[Requirement, ...]
    average: int
    performance: int
    score: float
    worth: int
    """the number of games that the norm counts for; 0 if it is none"""

    @property
    def met(self) -> bool:
        return all(r.met for r in self.requirements)

    @property
    def missing(self) -> tuple[Requirement, ...]:
        return tuple(r for r in self.requirements if not r.met)


@dataclass(frozen=True, slots=True)
class Chance:
    """What would suffice in the games that are left."""

    games: int
    scores: tuple[tuple[float, int], ...]
    """a score in these games, and the least average rating of their opponents with which it does"""
    titled: int
    """how many of the opponents must be title-holders"""
    holders: int
    """how many of them must have one of the titles that the norm asks for"""
    foreign: int
    """how many further foreign federations are needed"""


def best_norm(
    title: str,
    games: Sequence[NormGame],
    federation: str,
    event: Event,
    *,
    missing: str = "",
) -> Norm:
    """The choice of a player's games that makes a norm, or comes nearest to one.

    >>> field = [("GM", "ESP"), ("GM", "FRA"), ("GM", "GER"), *[("IM", "ESP")] * 2,
    ...          *[("FM", "ITA")] * 4]
    >>> games = [NormGame(i, str(i), 2420, title, federation, 1 if i < 7 else 0.5)
    ...          for i, (title, federation) in enumerate(field, start=1)]
    >>> found = best_norm("GM", games, "IRL", Event(9))
    >>> found.met, found.performance, found.worth
    (True, 2693, 9)

    ``games`` are those played over the board, in their order, ``federation`` the player's own.
    ``missing`` is ``"forfeit"`` or ``"bye"`` if the only other round of nine was a win by forfeit
    or a bye of the pairings: then eight games will do (1.4.1c). Of several choices the one counts
    that is worth most games, then the one with the highest performance; without a norm the one
    with the fewest requirements that are not met.

    Raises OptionError for an unknown title (FIDE B.01, 1.4).
    """
    _level(title)
    least = LEAST_GAMES - (event.rounds == LEAST_GAMES and bool(missing))
    tried = [
        _judged(title, chosen, games, federation, event, least)
        for chosen in _choices(games, least, event)
    ]
    if event.predetermined and not _mix_possible(tried[0]):
        tried = tried[:1]  # without all games there is no mix (1.4.1f)
    # games after a norm may be left out only once there is one (1.4.1e)
    allowed = [n for n in tried if n.met or all(g.score == 1 for g in n.left_out)]
    return max(allowed, key=_rank)


def chance(
    title: str, games: Sequence[NormGame], federation: str, event: Event, left: int
) -> Chance:
    """What would suffice in ``left`` further games: scores with averages, titles, federations.

    >>> played = [NormGame(i, str(i), 2400, "GM", "FRA", 5 / 7) for i in range(1, 8)]
    >>> found = chance("GM", played, "ESP", Event(9), 2)
    >>> found.scores, found.foreign
    (((1.0, 2736), (1.5, 2551), (2.0, 2308)), 1)

    No game is left out here. Raises OptionError for an unknown title.
    """
    level = _level(title)
    n, points = len(games) + left, sum(game.score for game in games)
    known = _ratings(level, games)
    scores: list[tuple[float, int]] = []
    for half_points in range(2 * left + 1):
        total = points + half_points / 2
        if 100 * total < LEAST_PERCENT * n:
            continue
        needed = max(level.performance - _dp(total, n), level.average)
        # averages are rounded half up
        average = ceil(((needed - 0.5) * n - sum(known)) / left - 1e-9)
        scores.append((half_points / 2, average))
    # a higher score with the same average, or one that nobody has, says nothing
    before = [_HIGHEST + 1, *(a for _, a in scores)]
    scores = [one for one, a in zip(scores, before, strict=False) if one[1] < min(a, before[0])]
    titled = sum(game.title in TITLED for game in games)
    holders = sum(game.title in level.titles for game in games)
    abroad = {g.federation for g in games} - {federation, *WITHOUT_FEDERATION}
    return Chance(
        left,
        tuple(scores),
        max(0, ceil(n / 2) - titled),
        max(0, max(3, ceil(n / 3)) - holders),
        0 if event.mixed else max(0, 2 - len(abroad)),
    )


_HIGHEST: Final = 2900
"""An average of opponents that does not occur."""


def _choices(games: Sequence[NormGame], least: int, event: Event) -> Iterator[tuple[NormGame, ...]]:
    """The choices of games that are allowed, all games first."""
    ends = [len(games)] if event.predetermined else range(len(games), least - 1, -1)
    seen: set[tuple[tuple[float | None, str, str, float], ...]] = set()
    for end in dict.fromkeys([len(games), *ends]):
        first = games[:end]
        won = [i for i, game in enumerate(first) if game.score == 1]
        for size in range(max(0, end - least) + 1):
            for out in combinations(won, size):
                chosen = tuple(g for i, g in enumerate(first) if i not in out)
                # opponents of the same kind are the same choice
                key = tuple(
                    sorted(((g.rating or 0), g.title, g.federation, g.score) for g in chosen)
                )
                if key not in seen:
                    seen.add(key)
                    yield chosen


def _judged(
    title: str,
    chosen: tuple[NormGame, ...],
    games: Sequence[NormGame],
    federation: str,
    event: Event,
    least: int,
) -> Norm:
    """How a choice of games stands."""
    level, n = _level(title), len(chosen)
    score = sum(game.score for game in chosen)
    people = list({g.opponent: g for g in chosen}.values()) if event.double else list(chosen)
    m = len(people)
    ratings = _ratings(level, chosen)
    average = int(round_half_up(sum(ratings) / n)) if n else 0
    performance = average + _dp(score, n) if n else 0
    holders = sum(g.title in level.titles for g in people)
    part = ceil(m / 2) if event.double else max(3, ceil(m / 3))
    names = " or ".join(t for t in LEVELS if t in level.titles)
    found = [
        Requirement("1.4.1", "games", n, least),
        Requirement("1.4.5a", "opponents with a title", sum(g.title in TITLED for g in people),
                    ceil(m / 2)),
        Requirement(level.article, f"opponents who are {names}", holders, part),
        Requirement("1.4.8a", "average rating of the opponents", average, level.average),
        Requirement("1.4.8", "performance", performance, level.performance),
        Requirement("1.4.8b", "percentage scored",
                    round(100 * score / n, 1) if n else 0, LEAST_PERCENT),
    ]  # fmt: skip
    if not event.mixed:
        of = Counter(g.federation for g in people if g.federation not in WITHOUT_FEDERATION)
        abroad = len(set(of) - {federation})
        found += [
            Requirement("1.4.3", "foreign federations among the opponents", abroad, 2),
            Requirement("1.4.4", "opponents of the player's own federation",
                        of[federation], 3 * m // 5, most=True),
            Requirement("1.4.4", "opponents of one federation",
                        max(of.values(), default=0), 2 * m // 3, most=True),
        ]  # fmt: skip
    kept = set(map(id, chosen))
    norm = Norm(
        title,
        chosen,
        tuple(g for g in games if id(g) not in kept),
        tuple(found),
        average,
        performance,
        score,
        0,
    )
    return _with_worth(norm, level) if norm.met else norm


def _with_worth(norm: Norm, level: Level) -> Norm:
    """A norm with the number of games that it counts for: each full point above what it takes is
    one more (1.4.1d)."""
    n = len(norm.games)
    halves = range(int(2 * norm.score) + 1)
    needed = next(
        h / 2
        for h in halves
        if norm.average + _dp(h / 2, n) >= level.performance and 50 * h >= LEAST_PERCENT * n
    )
    games = max(n, LEAST_GAMES) + int(norm.score - needed)
    return replace(norm, worth=min(games, MOST_GAMES))


def _level(title: str) -> Level:
    if title not in LEVELS:
        raise OptionError(f"title must be one of {', '.join(LEVELS)}, got {title!r}")
    return LEVELS[title]


def _dp(score: float, games: int) -> int:
    """Table 1.4.9, which is table 8.1.1 of the rating regulations."""
    return int(table_difference(np.array(float(score)), np.array(float(games))))


def _ratings(level: Level, games: Sequence[NormGame]) -> list[float]:
    """The opponents' ratings as they count: that of the lowest is raised (1.4.6)."""
    ratings = [UNRATED if g.rating is None else g.rating for g in games]
    if ratings and min(ratings) < level.floor:
        ratings[int(np.argmin(ratings))] = level.floor
    return ratings


def _mix_possible(norm: Norm) -> bool:
    """Whether titles and federations of all opponents allow a norm."""
    return all(
        r.met for r in norm.requirements if r.article.startswith(("1.4.3", "1.4.4", "1.4.5"))
    )


def _rank(norm: Norm) -> tuple[float, ...]:
    return (
        norm.met,
        norm.worth,
        -len(norm.missing),
        norm.performance,
        len(norm.games),
    )
