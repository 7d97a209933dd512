"""An event under way, in arrays: what is known of every round, and which games are open.

**Everybody meets everybody** where the file says so, or where its games show it. Each pair that has
not met is then a game to come; against a player who has withdrawn it is a forfeit. In a **Swiss**,
a player not paired in the latest round does not come back, unless the file tells of a bye for
the round.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from operator import attrgetter
from typing import Final

import numpy as np

from elo_xl.engine.arrays import FloatArray, IntArray
from elo_xl.engine.outcomes import outcomes
from elo_xl.engine.results import ROUND_CODES
from elo_xl.engine.tie_breaks import EDITION_SAID, EDITIONS, NEWEST, edition_of
from elo_xl.events.berger import meeting
from elo_xl.events.event import EventError, Player, Problem, Tournament
from elo_xl.events.scoring import own_scoring
from elo_xl.questions.norms.event import event_of, refuse_fewer
from elo_xl.questions.odds.numbers import (
    ALL_PLAY_ALL,
    BYE,
    DIRECT,
    FORFEIT_LOST,
    FORFEIT_WON,
    PLAYED,
    REQUESTED,
    SCORES,
    SWISS,
    Rounds,
    places,
)

TIE_BREAKS: Final = {False: ("BH-C1", "BH", "SB"), True: ("SB",)}
"""of an event whose file names none, as in the books: a Swiss, and everybody against everybody"""


@dataclass(frozen=True, slots=True)
class Position:
    """An event under way, in arrays: what is known of every round, and what is open."""

    rounds: Rounds
    """of a single run; games that are open count as played, so far without a point"""
    games: IntArray
    """the open games whose pairing is known: round, White and Black in each row"""
    paired: int
    """the rounds that are paired"""
    chances: FloatArray
    """win, draw and loss of each player against each"""
    ratings: FloatArray
    order: tuple[str, ...]
    all_play_all: bool
    edition: str = NEWEST
    """of FIDE's tie-breaks"""
    ruled: tuple[str, ...] = ()
    """records of a report that change pairings: accelerated rounds and pairs who must not meet"""

    @property
    def to_pair(self) -> int:
        """The rounds that are not paired yet."""
        return 0 if self.all_play_all else self.rounds.scores.shape[-1] - self.paired

    def of(self, games: IntArray) -> FloatArray:
        """Win, draw and loss of some games, from White's side."""
        return self.chances[games[:, 1], games[:, 2]]

    def ended(self, rounds: Rounds, games: IntArray, results: IntArray) -> Rounds:
        """Rounds of a single run whose last games end in different ways, a row of results each."""
        scores = np.repeat(rounds.scores, len(results), axis=0)
        number, white, black = games.T
        scores[:, white, number] = SCORES[results]
        scores[:, black, number] = 1 - SCORES[results]
        return replace(rounds, scores=scores)

    def places(self, rounds: Rounds) -> tuple[FloatArray, IntArray]:
        """Points and places after all rounds."""
        return places(
            rounds, self.order, self.ratings, all_play_all=self.all_play_all, edition=self.edition
        )


def position_of(
    event: Tournament,
    rounds: int,
    tie_breaks: Sequence[str] | None,
    model: str,
    draws: str,
    notes: list[str],
    edition: str | None = None,
) -> tuple[Position, tuple[Player, ...]]:
    refuse_fewer(rounds, event.rounds)
    _refuse_scoring(event)
    circle = _everybody_meets(event, rounds)
    # a book gives no rank to players who withdrew before half of the games
    out = {p.number for p in event.players if circle and event.complete and p.rank is None}
    players = tuple(
        sorted((p for p in event.players if p.number not in out), key=attrgetter("number"))
    )
    if out:
        names = "; ".join(p.name for p in event.players if p.number in out)
        notes.append(f"withdrawn, and without a place: {names}")
    if len(players) < 2:
        raise EventError([Problem("odds need two players at least")])
    if event.rounds and not event.pairings:
        raise EventError([Problem("it is too large for odds: more rounds than 999")])
    ratings = rated(players, notes)
    chances = outcomes(ratings[:, None] - ratings, draws, model)
    order = _order(event, tie_breaks, circle, notes)
    if edition is None:
        edition = _edition(event, notes if order else [])
    made, games, paired = (_circle if circle else _swiss)(event, players, rounds)
    known = np.where(np.array([p.rating is None for p in players]), np.nan, ratings)
    ruled = tuple(line for line in event.records if line[:3] in ("250", "260"))
    if [p.number for p in players] != list(range(1, len(players) + 1)):
        ruled = ()
    return Position(made, games, paired, chances, known, order, circle, edition, ruled), players


def _refuse_scoring(event: Tournament) -> None:
    """Refuse an event whose games count otherwise: its winner would be another one."""
    scoring = own_scoring(event)
    if scoring is None:
        counted = "counts them in a way that is not understood"
    elif any(points != ROUND_CODES[code].points for (_, code), points in scoring.worth.items()):
        counted = "counts them " + ", ".join(f"{scoring.worth['', code]:g}" for code in "1=0U")
    elif scoring.abnormal:
        counted = "has other points in a record 299"
    else:
        return
    what = "odds count a win 1, a draw ½, a loss 0 and a bye of the pairing 1"
    raise EventError([Problem(f"{what}, and the event {counted}")])


def _everybody_meets(event: Tournament, rounds: int) -> bool:
    kinds = " ".join(line for line in event.records if line[:3] in ("092", "192")).lower()
    if re.search(r"round.?robin|all.play.all|berger", kinds):
        return True
    if "swiss" in kinds or "dutch" in kinds:
        return False
    return event_of(event, max(rounds, event.planned)).predetermined


def rated(players: Sequence[Player], notes: list[str]) -> FloatArray:
    """The ratings of all, the lowest one for those who have none."""
    known = [p.rating for p in players if p.rating is not None]
    if not known:
        raise EventError([Problem("odds need ratings, and no player has one")])
    missing = [p.name for p in players if p.rating is None]
    if missing:
        what = f"counted as {min(known):g}, the lowest rating, for lack of one"
        notes.append(f"{what}: {'; '.join(missing)}")
    return np.array([min(known) if p.rating is None else p.rating for p in players])


def _order(
    event: Tournament, tie_breaks: Sequence[str] | None, circle: bool, notes: list[str]
) -> tuple[str, ...]:
    """The tie-breaks that count."""
    if tie_breaks is not None:
        return tuple(tie_breaks)
    known = ALL_PLAY_ALL if circle else SWISS
    # 212 says what orders the standings, 202 only which tie-breaks there are
    for code in ("212", "202"):
        line = next((line for line in event.records if line[:3] == code), None)
        if line is None:
            continue
        named = [part.strip().upper().replace("/", "-") for part in line[3:].split(",")]
        named = [part for part in named if part not in ("", "PTS")]
        foreign = [part for part in named if part not in known and part != DIRECT]
        if foreign:
            notes.append(f"tie-breaks that are not known here do not count: {', '.join(foreign)}")
        return tuple(part for part in named if part not in foreign)
    usual = TIE_BREAKS[circle]
    notes.append(f"the file names no tie-breaks; taken: {', '.join(usual)}")
    return TIE_BREAKS[circle]


def _edition(event: Tournament, notes: list[str]) -> str:
    """The edition of the tie-breaks: what the event names, or the one of its first day."""
    said = (line.removeprefix(EDITION_SAID) for line in event.records if EDITION_SAID in line)
    named = next((name for name in said if name in EDITIONS), None)
    edition = edition_of(event.start) if named is None else named
    if not edition:
        edition = min(EDITIONS)
        what = f"FIDE's tie-breaks of before {edition} are not known here, and those of then count"
        notes.append(f"{what} (--edition)")
    elif edition != NEWEST:
        since = f"those of FIDE's C.07 of {EDITIONS[edition].since:%B %Y}"
        why = f"as the event began on {event.start}" if named is None else "as the event says"
        notes.append(f"tie-breaks are {since}, {why} (--edition)")
    return edition


def _blank(players: int, rounds: int) -> Rounds:
    shape = 1, players, rounds
    none = np.full(shape, players)
    return Rounds(none, np.zeros(shape, int), np.zeros(shape, int), np.zeros(shape))


_WHITE: Final = {"w": 1, "b": -1}
_KINDS: Final = {
    **dict.fromkeys("1=0WDL", PLAYED),
    "+": FORFEIT_WON,
    "-": FORFEIT_LOST,
    "U": BYE,
    "F": BYE,
    "H": REQUESTED,
    "Z": REQUESTED,
}


def _typed(
    event: Tournament, players: Sequence[Player], made: Rounds
) -> list[tuple[int, int, int]]:
    """Enter what the file has; returns its open games."""
    place = {p.number: i for i, p in enumerate(players)}
    games = []
    for i, player in enumerate(players):
        for cell in event.pairings.get(player.number, ()):
            number, code = cell.round - 1, cell.code.upper()
            other = place.get(cell.opponent) if cell.opponent is not None else None
            if cell.opponent is not None and other is None:
                continue  # against somebody who does not count any more
            if other is None or code in ("U", "F", "H", "Z"):
                kind = _KINDS.get(code)
                made.kinds[0, i, number] = 0 if kind is None else kind
            else:
                made.opponents[0, i, number] = other
                made.white[0, i, number] = _WHITE.get(cell.colour, 0)
                made.kinds[0, i, number] = _KINDS.get(code, PLAYED)
                if not code and (cell.colour == "w" or (cell.colour != "b" and i < other)):
                    games.append((number, i, other))
            made.scores[0, i, number] = ROUND_CODES[code].points
    return games


def _swiss(
    event: Tournament, players: Sequence[Player], rounds: int
) -> tuple[Rounds, IntArray, int]:
    last = max(rounds or event.planned or event.room, event.rounds)
    if not last:
        raise EventError([Problem("how many rounds there are is not known: say it with --rounds")])
    made = _blank(len(players), last)
    games = _typed(event, players, made)
    with_games = (made.opponents[0] < len(players)).any(axis=0)
    paired = int(np.flatnonzero(with_games)[-1]) + 1 if with_games.any() else 0
    # players who were not paired did not ask to be; after the latest round they do not come back
    begun = made.kinds[0, :, :paired]
    begun[begun == 0] = REQUESTED
    if paired:
        latest = made.kinds[0, :, paired - 1] == REQUESTED, made.scores[0, :, paired - 1] == 0
        to_come = made.kinds[0, :, paired:]
        to_come[(to_come == 0) & np.logical_and(*latest)[:, None]] = REQUESTED
    if paired < last and ((made.kinds == PLAYED) & (made.white == 0)).any():
        raise EventError([Problem("rounds cannot be paired if it is not known who had White")])
    return made, np.array(games).reshape(-1, 3).astype(np.int64), paired


def _circle(
    event: Tournament, players: Sequence[Player], rounds: int
) -> tuple[Rounds, IntArray, int]:
    """Everybody against everybody: who has not met does so in a round of the Berger tables, or in
    the first that both have free.

    In which round that is matters to no tie-break but the progressive score. So where the rounds of
    the event are in another order, and the next free one is behind the last, that does no harm.
    """
    # in a book a line without a name is a free number
    taken = sorted(p.number for p in event.players)
    table = {n: n if event.complete else i for i, n in enumerate(taken, start=1)}
    numbers = [table[p.number] for p in players]
    seats = max(table.values())
    seats += seats % 2
    if rounds and rounds % (seats - 1):
        what = (
            f"everybody meets everybody in {seats - 1} rounds, or twice in {2 * (seats - 1)}: "
            f"not in {rounds}"
        )
        raise EventError([Problem(what)])
    cycles = max(-(-max(rounds, event.planned, event.rounds) // (seats - 1)), 1)
    last = (seats - 1) * cycles
    # both players of a game to come have fewer than twice as many rounds
    made = _blank(len(players), 4 * last)
    games = _typed(event, players, made)
    gone = {table[n] for n in event.left if n in table}
    for a, b in combinations(range(len(players)), 2):
        meetings = int((made.opponents[0, a] == b).sum())
        for cycle in range(meetings + 1, cycles + 1):
            round, white = meeting(numbers[a], numbers[b], seats, cycle, cycles)
            number = round - 1
            if (made.kinds[0, [a, b], number] > 0).any():
                number = int(np.flatnonzero((made.kinds[0, [a, b]] == 0).all(axis=0))[0])
            left = [numbers[a] in gone, numbers[b] in gone]
            for me, them, colour, away, win in (
                (a, b, 1 if white else -1, left[0], left[1]),
                (b, a, -1 if white else 1, left[1], left[0]),
            ):
                made.opponents[0, me, number] = them
                made.white[0, me, number] = colour
                made.kinds[0, me, number] = FORFEIT_LOST if away else FORFEIT_WON if win else PLAYED
                made.scores[0, me, number] = float(win and not away)
            if not any(left):
                games.append((number, a, b) if white else (number, b, a))
    last = max(last, 1 + int(np.flatnonzero(made.kinds.any(axis=(0, 1)))[-1]))
    made = Rounds(*(getattr(made, name)[..., :last] for name in Rounds.__slots__))
    return made, np.array(games).reshape(-1, 3).astype(np.int64), last
