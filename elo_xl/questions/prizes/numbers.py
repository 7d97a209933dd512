"""Prizes: who gets how much where players are tied, and one prize a player.

There is a list of place prizes and one for each category. Groups of players who are equal are
served from the top. A group brings as many prizes into its *pool* as it can, one per player: those
with the largest sum, of equal ones those of the first list (US Chess, rules 32B1 to 32B4). The pool
is shared as equally as possible under two conditions: the prizes of a category go only to players
whom it is for, and nobody gets more than the largest prize that they could have had alone (32B3, as
changed in 2014). So all get the same unless those of a category have more from its prizes alone.
Prizes that nobody of the group takes wait for the next one: the others move up.

``equal`` makes groups of those who have the same points, ``tie-break`` of those whom the tie-breaks
leave equal, too. ``hort`` is Vlastimil Hort's: half of each prize goes by the one, half by the
other. Without categories that is half of the prize of one's own place and half of an equal share.

US Chess Federation, Official Rules of Chess, 7th edition (2019), chapter 3; the rest is arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import FloatArray, IntArray
from elo_xl.engine.errors import OptionError

MOST_LISTS: Final = 13
"""the place prizes and twelve categories"""

SHARES: Final[Mapping[str, Mapping[str, Fraction]]] = {
    "hort": {"tie-break": Fraction(1, 2), "equal": Fraction(1, 2)},
    "equal": {"equal": Fraction(1)},
    "tie-break": {"tie-break": Fraction(1)},
}
"""Ways of sharing, as parts of each prize."""


class Prize(NamedTuple):
    """The prize ``number`` of a list, both from 0; the list 0 is that of the places."""

    list: int
    number: int


class Part(NamedTuple):
    """What a player has of a pool."""

    prizes: tuple[Prize, ...]
    players: tuple[int, ...]
    """who shares them, in the order of their places"""
    weight: Fraction
    """how much of them is given in this way"""
    amount: Fraction
    capped: bool
    """whether it is the largest prize that the player could have had alone"""


@dataclass(frozen=True, slots=True)
class Award:
    """What a player gets, in whole units, and what it is made of."""

    player: int
    amount: int
    parts: tuple[Part, ...]

    @property
    def exact(self) -> Fraction:
        """The amount before it is rounded."""
        return sum((part.amount for part in self.parts), Fraction(0))


class _Shared(NamedTuple):
    """A part of a pool that some kinds of players share."""

    prizes: tuple[Prize, ...]
    amounts: Mapping[int, Fraction]
    """of each kind"""
    capped: frozenset[int]


@dataclass(frozen=True)
class Purse:
    """Lists of prizes in units, such as cents, and for each player which lists are theirs.

    ``lists`` begins with the prizes of the places. ``entitled`` has a row for each player and a
    column for each list. Prizes are positive, and none is larger than the one before in its list.

    Raises OptionError for prizes that are not, and for more than thirteen lists.
    """

    lists: tuple[tuple[int, ...], ...]
    entitled: tuple[tuple[bool, ...], ...]

    def __post_init__(self) -> None:
        if len(self.lists) > MOST_LISTS:
            raise OptionError(f"at most {MOST_LISTS - 1} categories, got {len(self.lists) - 1}")
        for amounts in self.lists:
            if any(amount <= 0 for amount in amounts):
                raise OptionError("a prize must be more than 0")
            if list(amounts) != sorted(amounts, reverse=True):
                raise OptionError("a prize must not be larger than the one before it")

    @property
    def total(self) -> int:
        """The sum of all prizes."""
        return sum(map(sum, self.lists))

    @cached_property
    def kinds(self) -> tuple[int, ...]:
        """Of each player the lists that are theirs, as the bits of a number."""
        return tuple(
            sum(1 << at for at, theirs in enumerate(row) if theirs) for row in self.entitled
        )

    @cached_property
    def share(self) -> Callable[[tuple[int, ...], tuple[int, ...]], tuple[_Shared, ...]]:
        """How a group shares, by the kinds of its players (sorted) and the number of prizes that
        each list has lost already; the same question is answered once."""
        return lru_cache(maxsize=1 << 16)(self._share)

    def pools(self, values: Sequence[float]) -> Iterator[tuple[list[int], tuple[_Shared, ...]]]:
        """The groups that get prizes, with what they share; players with the same value are one
        group, the smallest value is first."""
        taken = tuple(0 for _ in self.lists)
        ends = tuple(map(len, self.lists))
        order = sorted(range(len(values)), key=values.__getitem__)
        for _, same in groupby(order, values.__getitem__):
            if taken == ends:
                return
            group = list(same)
            shared = self.share(tuple(sorted(self.kinds[i] for i in group)), taken)
            if shared:
                yield group, shared
            counts = list(taken)
            for prize in (prize for one in shared for prize in one.prizes):
                counts[prize.list] += 1
            taken = tuple(counts)

    def _share(self, group: tuple[int, ...], taken: tuple[int, ...]) -> tuple[_Shared, ...]:
        pool = self._pool(group, taken)
        open_to = sum(1 << at for at in {prize.list for prize in pool})
        takers = [kind for kind in group if kind & open_to]
        caps = {
            kind: max(
                (
                    amounts[taken[at]]
                    for at, amounts in enumerate(self.lists)
                    if kind >> at & 1 and taken[at] < len(amounts)
                ),
                default=0,
            )
            for kind in set(takers)
        }
        return tuple(self._divide(takers, pool, caps))

    def _pool(self, group: tuple[int, ...], taken: tuple[int, ...]) -> list[Prize]:
        """The prizes of a group: those with the largest sum of which each has a player of its own.

        The largest is taken first, and any other that still leaves every prize a player.
        """
        offered = [
            Prize(at, number)
            for at, amounts in enumerate(self.lists)
            for number in range(taken[at], min(len(amounts), taken[at] + len(group)))
        ]
        offered.sort(key=lambda prize: (-self._amount(prize), prize))
        holder: dict[int, Prize] = {}

        def placed(prize: Prize, tried: set[int]) -> bool:
            for i, kind in enumerate(group):
                if kind >> prize.list & 1 and i not in tried:
                    tried.add(i)
                    if i not in holder or placed(holder[i], tried):
                        holder[i] = prize
                        return True
            return False

        return [prize for prize in offered if len(holder) < len(group) and placed(prize, set())]

    def _divide(
        self, takers: Sequence[int], pool: Sequence[Prize], caps: Mapping[int, int]
    ) -> Iterator[_Shared]:
        """The parts of a pool: who shares what.

        All get the same, the caps apart, unless some lists have more for the players whom they are
        for; those for whom that is most are parted from the others, and both are divided again.
        This is the decomposition of separable convex problems over a polymatroid (Groenevelt 1991).
        """
        if not pool:
            return
        count = {kind: takers.count(kind) for kind in sorted(set(takers))}
        level = _level(sum(map(self._amount, pool)), count, caps)
        # in parts of a unit that make the level whole
        parts = level.denominator
        shares = {kind: min(level.numerator, caps[kind] * parts) for kind in count}
        worth = dict.fromkeys(sorted({prize.list for prize in pool}), 0)
        for prize in pool:
            worth[prize.list] += self._amount(prize) * parts
        most, inside = 0, 0
        lists = list(worth)
        for chosen in range(1, 1 << len(lists)) if len(lists) > 1 else ():
            theirs = sum(1 << at for place, at in enumerate(lists) if chosen >> place & 1)
            gain = sum(worth[at] for at in lists if theirs >> at & 1)
            gain -= sum(shares[kind] * many for kind, many in count.items() if kind & theirs)
            if gain > most:
                most, inside = gain, theirs
        if inside:
            for within in (True, False):
                yield from self._divide(
                    [kind for kind in takers if bool(kind & inside) is within],
                    [prize for prize in pool if bool(inside >> prize.list & 1) is within],
                    caps,
                )
            return
        amounts = {kind: Fraction(shares[kind], parts) for kind in count}
        capped = frozenset(kind for kind in count if amounts[kind] < level)
        yield _Shared(tuple(sorted(pool)), amounts, capped)

    def _amount(self, prize: Prize) -> int:
        return self.lists[prize.list][prize.number]


def _level(total: int, count: Mapping[int, int], caps: Mapping[int, int]) -> Fraction:
    """The amount that all get who do not have their cap, so that the sum is ``total``."""
    left, players = Fraction(total), sum(count.values())
    for kind in sorted(count, key=caps.__getitem__):
        if caps[kind] * players >= left:
            break
        left -= caps[kind] * count[kind]
        players -= count[kind]
    return left / players if players else Fraction(max(caps.values()))


def awards(
    purse: Purse, points: Sequence[float], places: Sequence[float], way: str = "hort"
) -> list[Award]:
    """What each player gets, in the order of the places; ``places`` are those by the tie-breaks.

    What cannot be divided goes to those in front, so that the amounts add up.
    """
    parts: dict[int, list[Part]] = {}
    tied: dict[int, tuple[int, ...]] = {}
    for by, weight in SHARES[way].items():
        values = places if by == "tie-break" else [-p for p in points]
        for group, shared in purse.pools(values):
            group.sort(key=places.__getitem__)
            for one in shared:
                players = tuple(i for i in group if purse.kinds[i] in one.amounts)
                for i in players:
                    kind = purse.kinds[i]
                    amount = one.amounts[kind] * weight
                    parts.setdefault(i, []).append(
                        Part(one.prizes, players, weight, amount, kind in one.capped)
                    )
                    tied[i] = players  # the last way is that of equal shares
    awarded = sorted(
        (Award(i, 0, tuple(theirs)) for i, theirs in parts.items()),
        key=lambda award: (places[award.player], award.player),
    )
    return _rounded(awarded, tied)


def _rounded(awarded: list[Award], tied: Mapping[int, tuple[int, ...]]) -> list[Award]:
    """Awards in whole units: in each group the largest rests are rounded up; part of a unit that a
    group has left goes to the next one."""
    groups: dict[tuple[int, ...], list[Award]] = {}
    for award in awarded:
        groups.setdefault(tied[award.player], []).append(award)
    amounts: dict[int, int] = {}
    carried = Fraction(0)
    for group in groups.values():
        carried += sum((award.exact for award in group), Fraction(0))
        amounts |= {award.player: int(award.exact) for award in group}
        more = int(carried) - sum(int(award.exact) for award in group)
        carried -= int(carried)
        rests = sorted(group, key=lambda award: int(award.exact) - award.exact)
        for award in rests[:more]:
            amounts[award.player] += 1
    return [Award(a.player, amounts[a.player], a.parts) for a in awarded]


# -- many final standings at once -----------------------------------------------------------------

_BLOCK: Final = 1 << 21
"""Cells of standings that are looked at together."""


def shares_of(
    purse: Purse, points: npt.ArrayLike, places: npt.ArrayLike, way: str = "hort"
) -> FloatArray:
    """What everybody gets in each of many final standings, a row each, in units that are divided.

    Groups are those of :func:`awards`; of all first groups those that are the same share once, and
    so on down the standings.
    """
    by_points, by_place = -np.asarray(points, dtype=float), np.asarray(places, dtype=float)
    total = np.zeros(by_points.shape)
    step = max(_BLOCK // max(by_points.shape[1], 1), 1)
    for by, weight in SHARES[way].items():
        values = by_place if by == "tie-break" else by_points
        for start in range(0, len(total), step):
            rows = slice(start, start + step)
            total[rows] += float(weight) * _shares(purse, values[rows])
    return total


def _shares(purse: Purse, values: FloatArray) -> FloatArray:
    """The shares of groups that have the same value, the smallest first."""
    kinds, of_player = np.unique(purse.kinds, return_inverse=True)
    of_kind = of_player[:, None] == np.arange(len(kinds))
    order = np.argsort(values, axis=1, kind="stable")
    ranked = np.take_along_axis(values, order, axis=1)
    group = np.zeros(values.shape, dtype=np.int64)
    new = np.cumsum(ranked[:, 1:] != ranked[:, :-1], axis=1)
    np.put_along_axis(group, order[:, 1:], new, axis=1)
    total = np.zeros(values.shape)
    taken = np.zeros((len(values), len(purse.lists)), dtype=np.int64)
    for number in range(int(group.max(initial=-1)) + 1):
        members = group == number
        state = np.hstack((members @ of_kind.astype(np.int64), taken))
        first, same = _alike(state)
        amounts = np.zeros((len(first), len(kinds)))
        lost = np.zeros((len(first), taken.shape[1]), dtype=np.int64)
        for at, row in enumerate(state[first].tolist()):
            before = tuple(row[len(kinds) :])
            # a list without a prize any more makes no difference between players
            left = sum(1 << a for a, listed in enumerate(purse.lists) if before[a] < len(listed))
            people = sorted(
                int(kind) & left
                for kind, many in zip(kinds, row, strict=False)
                if kind & left
                for _ in range(many)
            )
            after = list(before)
            for one in purse.share(tuple(people), before):
                for prize in one.prizes:
                    after[prize.list] += 1
                amounts[at] += [float(one.amounts.get(int(kind) & left, 0)) for kind in kinds]
            lost[at] = after
        total += members * amounts[same][:, of_player]
        taken = lost[same]
        if (taken == list(map(len, purse.lists))).all():
            break
    return total


def _alike(rows: IntArray) -> tuple[IntArray, IntArray]:
    """The first of all rows that are the same, and for each row which of these it is."""
    code, size = np.zeros(len(rows), dtype=np.int64), 1
    for column in rows.T:
        width = int(column.max(initial=0)) + 1
        if size * width >= 1 << 62:
            code = np.unique(code, return_inverse=True)[1]
            size = len(rows)
        code, size = code * width + column, size * width
    _, first, same = np.unique(code, return_index=True, return_inverse=True)
    return first, same
