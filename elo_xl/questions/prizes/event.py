"""The prizes of an event: what an organizer announces, whom it is for, and who gets how much."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import groupby
from typing import Final

import numpy as np

from elo_xl.books.answers import phrase
from elo_xl.events.event import EventError, Player, Problem, Tournament
from elo_xl.events.scoring import scoring_of
from elo_xl.questions.odds.numbers import Finals
from elo_xl.questions.prizes.numbers import Award, Part, Prize, Purse, awards, shares_of

CENT: Final = Decimal("0.01")
KNOWN: Final = "U14, S50, W, U1800, 1600-1799, unrated"
"""Names of categories that say themselves whom they are for."""


_MONEY: Final = " €$£¥₽zł"
_BETWEEN: Final = re.compile(
    rf"(?<!\s)\s*+[,;]\s*+|(?<=[0-9{_MONEY.strip()}])\s++(?=[0-9{_MONEY.strip()}])"
)


def amounts_of(text: str, unit: Decimal = CENT) -> tuple[int, ...]:
    """The prizes of a list in units, from the text that an organizer writes.

    >>> amounts_of("80, 60.50, 40"), amounts_of("300€ 200€"), amounts_of("$5;$2.5")
    ((8000, 6050, 4000), (30000, 20000), (500, 250))

    Raises ValueError for what is no amount, or none in whole units.
    """
    amounts = []
    for word in _BETWEEN.split(text.strip()):
        try:
            units = Decimal(word.strip(_MONEY)) / unit
        except InvalidOperation:
            raise ValueError(f"a prize is not a number: {word.strip()!r}") from None
        if not units.is_finite() or units <= 0:
            raise ValueError(f"a prize must be more than 0: {word.strip()}")
        if units != int(units):
            raise ValueError(f"a prize cannot be paid in units of {unit}: {word.strip()}")
        amounts.append(int(units))
    return tuple(amounts)


@dataclass(frozen=True, slots=True)
class Standing:
    """A player, and where they stand."""

    player: Player
    points: float
    place: int
    """by the tie-breaks; the same for those whom they leave equal"""


@dataclass(frozen=True, slots=True)
class Winner:
    """A player who gets a prize."""

    standing: Standing
    amount: Decimal
    why: str


@dataclass(frozen=True, slots=True)
class Prizes:
    """Who gets which prizes of an event."""

    winners: tuple[Winner, ...]
    total: Decimal
    left: Decimal
    """prizes that nobody is left for"""
    notes: tuple[str, ...]


def prizes(
    event: Tournament,
    places: Sequence[int],
    categories: Mapping[str, Sequence[int]],
    way: str = "equal",
    unit: Decimal = CENT,
) -> Prizes:
    """Who gets what of the prizes for the places and of those for categories, in units.

    Raises EventError for a category that nobody can be known to belong to, and where prizes are
    shared by place and the event has none.
    """
    standings, notes = final_standings(event, way)
    players = [standing.player for standing in standings]
    purse, more = purse_of(event, players, places, categories)
    awarded = awards(purse, [s.points for s in standings], [s.place for s in standings], way)
    names = ("place", *categories)
    winners = tuple(
        Winner(standings[award.player], award.amount * unit, reason(award, names))
        for award in awarded
        if award.amount
    )
    left = purse.total - sum(award.amount for award in awarded)
    return Prizes(winners, purse.total * unit, left * unit, (*notes, *more))


def final_standings(event: Tournament, way: str) -> tuple[list[Standing], list[str]]:
    """The players with points and places, in their order, and what is to be said of them.

    Raises EventError where ``way`` takes places and the event has none.
    """
    whole = event if event.complete is None else event.complete(event)
    # a player to whom a book gives no place has withdrawn early: their games count for nobody
    gone = {p.number for p in whole.players if p.rank is None and event.complete is not None}
    ranked = any(p.rank is not None for p in whole.players)
    if not ranked and way != "equal":
        raise EventError([Problem(f"the file has no places, which sharing by {way} takes")])
    players = [p for p in whole.players if not ranked or p.rank is not None]
    scoring, points = scoring_of(whole), dict[int, float]()
    for p in players:
        cells = (c for c in whole.pairings.get(p.number, ()) if c.opponent not in gone)
        worked_out = scoring.points(p.number, ((cell.colour, cell.code) for cell in cells))
        points[p.number] = worked_out if p.points is None else p.points
    standings = [
        Standing(
            p,
            points[p.number],
            p.rank or 1 + sum(other > points[p.number] for other in points.values()),
        )
        for p in players
    ]
    standings.sort(key=lambda standing: (standing.place, standing.player.number))
    notes = []
    out = len(whole.players) - len(players)
    if out:
        notes.append(
            phrase(
                "without a place, and so without a prize: {out} of {count}",
                out=out,
                count=len(whole.players),
            )
        )
    if whole.planned > whole.rounds:
        notes.append(
            phrase(
                "{rounds} of {planned} rounds are played",
                rounds=whole.rounds,
                planned=whole.planned,
            )
        )
    return standings, notes


def purse_of(
    event: Tournament,
    players: Sequence[Player],
    places: Sequence[int],
    categories: Mapping[str, Sequence[int]],
) -> tuple[Purse, list[str]]:
    """The prizes with whom they are for, and what is to be said of that.

    Raises EventError for categories that nobody can be known to belong to.
    """
    problems, notes, columns = [], [], [[True] * len(players)]
    for name in categories:
        tests = [_belongs(name, player, event) for player in players]
        if any(typed := [_typed(name, player) for player in players]):
            tests = list(typed)
        unknown = tests.count(None)
        if unknown == len(tests):
            problems.append(Problem(_unknown(name, event)))
            continue
        if not any(tests):
            notes.append(
                phrase("{name}: nobody is in this category, as far as the file says", name=name)
            )
        if unknown:
            notes.append(
                phrase(
                    "{name}: {unknown} of {count} players are left out, {lack}",
                    name=name,
                    unknown=unknown,
                    count=len(tests),
                    lack=phrase(_lack(name)),
                )
            )
        columns.append([bool(test) for test in tests])
    if problems:
        raise EventError(problems)
    lists = (tuple(places), *map(tuple, categories.values()))
    return Purse(lists, tuple(zip(*columns, strict=True))), notes


MOST_STANDINGS: Final = 10_000
"""Final standings that are looked at where there are categories, which take longer."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a player may expect of the prizes."""

    player: Player
    amount: float
    error: float
    """the standard error; 0 where the odds are exact"""


def expected_prizes(
    event: Tournament,
    players: Sequence[Player],
    finals: Finals,
    places: Sequence[int],
    categories: Mapping[str, Sequence[int]],
    way: str = "equal",
    unit: Decimal = CENT,
) -> tuple[list[Expectation], list[str]]:
    """The mean of everybody's prize over the final standings that an event may have, the largest
    first, and what is to be said of the categories; ``players`` are those of the standings.

    Raises EventError for a category that nobody can be known to belong to.
    """
    purse, notes = purse_of(event, players, places, categories)
    if categories:
        finals = _some(finals)
    mean, error = finals.mean(shares_of(purse, finals.points, finals.places, way))
    hopes = [
        Expectation(player, float(unit) * float(mean[i]), float(unit) * float(error[i]))
        for i, player in enumerate(players)
    ]
    return sorted(hopes, key=lambda one: -one.amount), notes


def _some(finals: Finals) -> Finals:
    """The first standings of each block where there are very many; all where they are exact."""
    runs = len(finals.weights)
    if not finals.blocks or runs <= MOST_STANDINGS:
        return finals
    length = runs // finals.blocks
    kept = np.arange(runs) % length < max(MOST_STANDINGS // finals.blocks, 1)
    weights = np.full(kept.sum(), 1 / kept.sum())
    return Finals(finals.points[kept], finals.places[kept], weights, finals.blocks)


def _typed(name: str, player: Player) -> bool:
    return name.casefold() in map(str.casefold, player.categories)


def _age(event: Tournament, player: Player) -> int | None:
    day = event.start or event.end
    return None if day is None or player.birth_year is None else day.year - player.birth_year


def _woman(player: Player) -> bool | None:
    if player.title.upper() in ("WGM", "WIM", "WFM", "WCM", "WH"):
        return True
    return player.sex.lower() in ("w", "f") if player.sex else None


_Test = Callable[[Player, Tournament, re.Match[str]], bool | None]


def _younger(player: Player, event: Tournament, name: re.Match[str]) -> bool | None:
    age = _age(event, player)
    return None if age is None else age <= int(name[1])


def _older(player: Player, event: Tournament, name: re.Match[str]) -> bool | None:
    age = _age(event, player)
    return None if age is None else age >= int(name[1])


def _rated(player: Player, _: Tournament, name: re.Match[str]) -> bool:
    least, most = (0, int(name[1]) - 1) if name.re.groups == 1 else map(int, name.groups())
    return player.rating is not None and least <= player.rating <= most


_NO_BIRTH: Final = "as their birth years are not known"
_TESTS: Final[Sequence[tuple[re.Pattern[str], _Test, str]]] = tuple(
    (re.compile(pattern, re.IGNORECASE), test, lack)
    for pattern, test, lack in (
        (r"U(\d{1,2})", _younger, _NO_BIRTH),
        (r"S(\d{2})", _older, _NO_BIRTH),
        (r"W", lambda player, *_: _woman(player), "as the file does not say who is a woman"),
        (r"U(\d{3,4})", _rated, ""),
        (r"(\d{3,4})-(\d{3,4})", _rated, ""),
        (r"unrated", lambda player, *_: player.rating is None, ""),
    )
)
"""Names of categories, whom they are for (None: it is not known), and what is missing then.

The age is that of FIDE's youth and senior events: the year less that of the birth. Unrated players
are in no category by rating (US Chess, rule 28D)."""


def _belongs(name: str, player: Player, event: Tournament) -> bool | None:
    for pattern, test, _ in _TESTS:
        if match := pattern.fullmatch(name):
            return test(player, event, match)
    return None


def _lack(name: str) -> str:
    return next((lack for pattern, _, lack in _TESTS if pattern.fullmatch(name)), "")


def _unknown(name: str, event: Tournament) -> str:
    lack = _lack(name)
    if lack == _NO_BIRTH and event.start is None and event.end is None:
        lack = "as the event has no date"
    if lack:
        return f"no player can be found for the category {name}, {lack}"
    return f"no player has the category {name!r} in a book, and it is none of {KNOWN}"


def reason(award: Award, names: Sequence[str]) -> str:
    """Where the prize of a player comes from; ``names`` are those of the lists.

    >>> from elo_xl.questions.prizes.numbers import Purse, awards
    >>> purse = Purse(((100, 50, 30),), ((True,),) * 3)
    >>> [reason(award, ["place"]) for award in awards(purse, [3, 2, 2], [1, 2, 3], "hort")][:2]
    ['1st place', 'half of 2nd place; half of 2nd and 3rd place, shared by 2']
    """
    parts = award.parts
    if len(parts) == 2 and parts[0].prizes == parts[1].prizes and len(parts[1].players) == 1:
        return _said(parts[1], names)
    said = [(part.weight < 1, _said(part, names)) for part in parts]
    return "; ".join(phrase("half of {prize}", prize=one) if half else one for half, one in said)


def _said(part: Part, names: Sequence[str]) -> str:
    lists = groupby(part.prizes, key=lambda prize: prize.list)
    said = phrase(" with ").join(_numbers(list(of_list), names[at]) for at, of_list in lists)
    if len(part.players) > 1:
        said += phrase(", shared by {count}", count=len(part.players))
    if part.capped:
        said += phrase(", no more than the largest prize alone")
    return said


def _numbers(prizes: Sequence[Prize], name: str) -> str:
    first, last = prizes[0].number + 1, prizes[-1].number + 1
    if last == first:
        return f"{ordinal(first)} {phrase(name)}"
    said = "{first} and {last} {name}" if last == first + 1 else "{first} to {last} {name}"
    return phrase(said, first=ordinal(first), last=ordinal(last), name=phrase(name))


def ordinal(number: int) -> str:
    """A number as it is counted, in the language that is spoken.

    >>> [ordinal(n) for n in (1, 2, 3, 11, 22)]
    ['1st', '2nd', '3rd', '11th', '22nd']
    """
    forms = {1: "{number}st", 2: "{number}nd", 3: "{number}rd"}
    th = number % 100 in (11, 12, 13)
    return phrase(forms.get(0 if th else number % 10, "{number}th"), number=number)
