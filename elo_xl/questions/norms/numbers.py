"""FIDE's title norms (Handbook B.01, in force since 1 January 2024): what is met, what is missing.

A norm is a performance against opponents of enough titles and federations. Some games may be left
out: those after a norm was reached (1.4.1e), and those against opponents who were defeated
(1.4.1f). :func:`best_norm` finds the choice that serves the player best.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import ceil, prod
from typing import Final, NamedTuple

import numpy as np

from elo_xl.engine.arrays import round_half_up
from elo_xl.engine.performance import table_difference

UNRATED: Final = 1400
"""What an unrated opponent counts (1.4.6c)."""
LEAST_GAMES: Final = 9
"""Games of a norm (1.4.1a)."""
MOST_GAMES: Final = 13
"""Norms of longer events count as so many games (1.7)."""
LEAST_PERCENT: Final = 35
"""Not rounded: 4½ of 13 are too few (annex to 1.7)."""
FLAG: Final = "FID"
"""Players under FIDE's flag count, but are no compatriots and no foreigners (1.4.2a)."""
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
    forfeit: bool = False
    """whether it counts as lost, for the number of games: the opponent did not come to the last
    round (1.4.2c)"""


@dataclass(frozen=True, slots=True)
class Requirement:
    """One thing that a norm takes, and how it stands."""

    key: str
    """what it is"""
    article: str
    has: float
    needs: float
    most: bool = False
    """whether ``needs`` must not be exceeded"""
    exempt: str = ""
    """the article by which the event is exempt from it"""

    @property
    def kept(self) -> bool:
        """Whether it is met even without an exemption."""
        return self.has <= self.needs if self.most else self.has >= self.needs

    @property
    def met(self) -> bool:
        return bool(self.exempt) or self.kept


@dataclass(frozen=True, slots=True)
class NormEvent:
    """What matters of the event."""

    rounds: int
    """all that are scheduled"""
    predetermined: bool = False
    """whether all pairings are known from the beginning, as in an all-play-all"""
    double: bool = False
    """whether everybody meets everybody twice"""
    exempt: str = ""
    """the article by which opponents of any federation will do (1.4.3a to d)"""
    least: int = LEAST_GAMES
    """games of a norm: 7 in team championships of the world and the continents, 8 in a World Cup
    (1.4.1b)"""
    left: int = 0
    """rounds that are still to be played"""


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
    scores: tuple[tuple[float, int], ...] = ()
    """a score in these games, and the least average rating of their opponents with which it does"""
    titled: int = 0
    """how many of the opponents must be title-holders"""
    holders: int = 0
    """how many of them must have one of the titles that the norm asks for"""
    foreign: int = 0
    """how many further foreign federations are needed"""
    others: int = 0
    """how many must not be of the player's own federation"""
    apart: int = 0
    """how many must not be of the federation that most opponents so far are of"""
    short: int = 0
    """the games that will be missing in any case"""

    @property
    def possible(self) -> bool:
        return bool(self.scores) and not self.short and self.most <= self.games

    @property
    def most(self) -> int:
        """The largest number of opponents that must have something in common."""
        return max(self.titled, self.holders, self.foreign, self.others, self.apart)


def best_norm(
    title: str, games: Sequence[NormGame], federation: str, event: NormEvent, *, missing: str = ""
) -> Norm:
    """The choice of a player's games that makes a norm, or comes nearest to one.

    ``games`` are those played over the board, in their order, ``federation`` the player's own.
    ``missing`` is ``"forfeit"`` or ``"bye"`` if the only other round of nine was a win by forfeit
    or a bye of the pairings: then eight games will do (1.4.1c). Of several choices the one counts
    that is worth most games, then the one that leaves out the fewest; without a norm the one with
    the fewest requirements that are not met, then the one with the highest performance (FIDE B.01,
    1.4).
    """
    eight = event.least == event.rounds == LEAST_GAMES and bool(missing)
    least = event.least - eight
    tried = [
        _judged(title, chosen, games, federation, event, least)
        for chosen in _choices(LEVELS[title], games, least, federation, event)
    ]
    if event.predetermined and not _mix_possible(tried[0]):
        tried = tried[:1]  # without all games there is no mix (1.4.1f)
    # games after a norm may be left out only once there is one (1.4.1e)
    allowed = [n for n in tried if n.met or all(g.score == 1 for g in n.left_out)]
    return max(allowed, key=_rank)


def chance(title: str, games: Sequence[NormGame], federation: str, event: NormEvent) -> Chance:
    """What would suffice in the rounds that are left: scores with averages, titles, federations.

    >>> played = [NormGame(i, str(i), 2400, "GM", "FRA", 5 / 7) for i in range(1, 8)]
    >>> later = chance("GM", played, "ESP", NormEvent(9, left=2))
    >>> later.scores, later.foreign
    (((1.0, 2736), (1.5, 2551), (2.0, 2308)), 1)

    No game is left out here.
    """
    level, left = LEVELS[title], event.left
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
        scores.append((half_points / 2, max(average, UNRATED)))
    # a higher score with the same average, or one that nobody has, says nothing
    before = [_HIGHEST + 1, *(a for _, a in scores)]
    scores = [one for one, a in zip(scores, before, strict=False) if one[1] < min(a, before[0])]
    titled = sum(game.title in TITLED for game in games)
    holders = sum(game.title in level.titles for game in games)
    of = Counter(g.federation for g in games if g.federation != FLAG)
    return Chance(
        left,
        tuple(scores),
        max(0, ceil(n / 2) - titled),
        max(0, max(3, ceil(n / 3)) - holders),
        0 if event.exempt else max(0, 2 - len(set(of) - {federation})),
        0 if event.exempt else max(0, of[federation] + left - 3 * n // 5),
        0 if event.exempt else max(0, max(of.values(), default=0) + left - 2 * n // 3),
        max(0, event.least - n),
    )


def chance_against(
    title: str,
    games: Sequence[NormGame],
    federation: str,
    event: NormEvent,
    known: Sequence[NormGame],
    *,
    missing: str = "",
) -> Chance:
    """What would suffice against opponents who are known, as in an all-play-all: the least score.

    >>> played = [NormGame(i, str(i), 2450, "GM", "FRA" if i % 2 else "GER", 0.5)
    ...           for i in range(1, 8)]
    >>> known = [NormGame(i, str(i), 2450, "IM", "ITA", 0) for i in (8, 9)]
    >>> chance_against("IM", played, "ESP", NormEvent(9, predetermined=True, left=2), known).scores
    ((1.0, 2450),)

    Nothing is told of titles and federations: the choice of opponents is made. The other arguments
    are those of :func:`best_norm`.
    """
    level, left = LEVELS[title], len(known)
    average = int(round_half_up(sum(_ratings(level, known)) / left)) if left else 0
    for half_points in range(2 * left + 1):
        later = [replace(game, score=half_points / (2 * left)) for game in known]
        whole = best_norm(
            title, [*games, *later], federation, replace(event, left=0), missing=missing
        )
        if whole.met:
            return Chance(left, ((half_points / 2, average),))
    return Chance(left)


_HIGHEST: Final = 2900
"""An average of opponents that does not occur."""


def _choices(
    level: Level, games: Sequence[NormGame], least: int, federation: str, event: NormEvent
) -> Iterator[tuple[NormGame, ...]]:
    """The choices of games that may be best, all games first.

    Of opponents who count the same for the mix, those with the lowest ratings are left out first:
    another choice among them has no higher average. Federations that occur once count the same.
    """
    ends = [len(games)] if event.predetermined else range(len(games), least - 1, -1)
    for end in dict.fromkeys([len(games), *ends]):
        first, most = games[:end], max(0, end - least)
        for kinds in _kinds(level, first, federation, event):
            ranges = [range(min(len(won), most) + 1) for won in kinds]
            if prod(map(len, ranges)) * len(ends) <= _MOST_CHOICES:
                break
        for sizes in product(*ranges):
            if sum(sizes) <= most:
                out = {
                    id(game) for won, size in zip(kinds, sizes, strict=True) for game in won[:size]
                }
                yield tuple(game for game in first if id(game) not in out)


_MOST_CHOICES: Final = 20_000
"""Choices that are tried: more than any event of 13 rounds has. In a longer
one opponents with equal titles may have to count the same, and then all of them."""


def _kinds(
    level: Level, games: Sequence[NormGame], federation: str, event: NormEvent
) -> Iterator[list[list[NormGame]]]:
    """The games that were won, those against opponents who count the same together, the lowest
    ratings first; then coarser."""
    of = Counter(game.federation for game in games)

    def exactly(game: NormGame) -> object:
        single = of[game.federation] == 1 and game.federation not in (federation, FLAG)
        return id(game) if event.double else (titles(game), "" if single else game.federation)

    def titles(game: NormGame) -> object:
        return game.title in TITLED, game.title in level.titles

    won = sorted((game for game in games if game.score == 1), key=_rating)
    for kind in (exactly, titles, lambda _: None):
        kinds: dict[object, list[NormGame]] = {}
        for game in won:
            kinds.setdefault(kind(game), []).append(game)
        yield list(kinds.values())


def _judged(
    title: str,
    chosen: tuple[NormGame, ...],
    games: Sequence[NormGame],
    federation: str,
    event: NormEvent,
    least: int,
) -> Norm:
    """How a choice of games stands."""
    level, n = LEVELS[title], len(chosen)
    score = sum(game.score for game in chosen)
    # of two games against one opponent, the title and the federation are those of one person
    people = list({g.opponent: g for g in chosen}.values()) if event.double else list(chosen)
    m = len(people)
    ratings = _ratings(level, chosen)
    average = int(round_half_up(sum(ratings) / n)) if n else 0
    performance = average + _dp(score, n) if n else 0
    holders = sum(g.title in level.titles for g in people)
    part = ceil(m / 2) if event.double else max(3, ceil(m / 3))
    of = Counter(g.federation for g in people if g.federation != FLAG)
    abroad, exempt = len(set(of) - {federation}), event.exempt
    percent = round(100 * score / n, 1) if n else 0
    requirements = [
        Requirement("games", "1.4.1", n, least),
        Requirement("titled", "1.4.5a", sum(g.title in TITLED for g in people), ceil(m / 2)),
        Requirement("holders", level.article, holders, part),
        Requirement("average", "1.4.8a", average, level.average),
        Requirement("performance", "1.4.8", performance, level.performance),
        Requirement("percent", "1.4.8b", percent, LEAST_PERCENT),
        Requirement("foreign", "1.4.3", abroad, 2, exempt=exempt),
        Requirement("own", "1.4.4", of[federation], 3 * m // 5, most=True, exempt=exempt),
        Requirement(
            "one", "1.4.4", max(of.values(), default=0), 2 * m // 3, most=True, exempt=exempt
        ),
    ]
    if event.predetermined and event.left:
        played = event.rounds - event.left
        requirements.insert(0, Requirement("rounds", "1.4.1e", played, event.rounds))
    kept = set(map(id, chosen))
    norm = Norm(
        title,
        chosen,
        tuple(g for g in games if id(g) not in kept),
        tuple(requirements),
        average,
        performance,
        score,
        0,
    )
    return _with_worth(norm, level, event) if norm.met else norm


def _with_worth(norm: Norm, level: Level, event: NormEvent) -> Norm:
    """A norm with the number of games that it counts for: each full point above what it takes is
    one more (1.4.1d)."""
    n = len(norm.games)
    halves = range(int(2 * norm.score) + 1)
    needed = next(
        h / 2
        for h in halves
        if norm.average + _dp(h / 2, n) >= level.performance and 50 * h >= LEAST_PERCENT * n
    )
    # the eight games of 1.4.1c and of a World Cup are nine, the seven of a team event are seven
    counted = n if event.least < 8 else max(n, LEAST_GAMES)
    return replace(norm, worth=min(counted + int(norm.score - needed), MOST_GAMES))


def _dp(score: float, games: int) -> int:
    """Table 1.4.9, which is table 8.1.1 of the rating regulations."""
    return int(table_difference(np.array(float(score)), np.array(float(games))))


def _rating(game: NormGame) -> float:
    return UNRATED if game.rating is None else game.rating


def _ratings(level: Level, games: Sequence[NormGame]) -> list[float]:
    """The opponents' ratings as they count: that of the lowest is raised, in both games of a double
    all-play-all (1.4.6)."""
    lowest = min(games, key=_rating, default=None)
    return [
        max(level.floor, _rating(game))
        if lowest and game.opponent == lowest.opponent
        else _rating(game)
        for game in games
    ]


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
        len(norm.games) * norm.met,
        norm.performance,
        len(norm.games),
    )
