"""Who will win: the odds of every place of an event under way, from ratings and tie-breaks.

What is known stands: results, forfeits, byes that were asked for, pairings that are out. A game
that is open ends as the ratings say (:func:`~elo_xl.engine.outcomes.outcomes`).

Rounds of a Swiss that are to come are paired by FIDE's Dutch system, again in each run;
of the last round many endings are drawn, because they cost
little.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, islice
from multiprocessing import get_context
from typing import Final, Literal

import numpy as np

from elo_xl.engine.arrays import FloatArray, IntArray
from elo_xl.engine.outcomes import SPLIT
from elo_xl.events.event import EventError, League, Player, Problem, Tournament
from elo_xl.events.pairing import PairingError, Pairs, check_installed, pairs
from elo_xl.events.trf import ROUNDS
from elo_xl.progress import counted
from elo_xl.questions.odds.event import Position, position_of
from elo_xl.questions.odds.numbers import (
    BYE,
    FORFEIT_LOST,
    FORFEIT_WON,
    PLAYED,
    REQUESTED,
    SCORES,
    Finals,
    Rounds,
    drawn,
    every_outcome,
    points_together,
    ranks,
)

SECONDS: Final = 20.0
"""for which a Swiss is paired where no number is given"""
RUNS: Final = 20_000
"""endings that are drawn where all pairings are known but too many for a list"""
ENDINGS: Final = 50
"""endings of the last round for each time that the rounds before it are played"""

OddsMethod = Literal["listed", "added", "drawn", "paired"]
"""how odds were found: all outcomes listed, points added up (a convolution), outcomes drawn, or
rounds paired and drawn"""


@dataclass(frozen=True, slots=True)
class Odds:
    """The odds of an event's places; the players are in the order of the event."""

    players: tuple[Player, ...]
    points: FloatArray
    """that they have so far"""
    finals: Finals
    method: OddsMethod
    tie_breaks: tuple[str, ...]
    edition: str
    """of FIDE's tie-breaks"""
    games: int
    """open games whose pairing is known"""
    to_pair: int
    """rounds that are not paired yet"""
    failed: int
    """runs left out, as the rules allowed no pairing of a round any more"""
    notes: tuple[str, ...]
    league: League | None = None
    """what results are worth and how games end, if it is a league"""


def odds(
    event: Tournament,
    *,
    rounds: int | None = None,
    tie_breaks: Sequence[str] | None = None,
    model: str = "normal",
    draws: str = SPLIT,
    runs: int | None = None,
    seed: int = 1,
    edition: str | None = None,
) -> Odds:
    """The odds of every place of an event under way.

    ``rounds`` are those of the whole event, if the file does not tell; ``tie_breaks`` those that
    count, in order, by FIDE's codes: what the file names if omitted. ``model`` and ``draws`` are
    those of :func:`~elo_xl.engine.outcomes.outcomes`. ``runs`` says how often a Swiss is paired to
    its end (as often as :data:`SECONDS` allow if omitted), or how many endings are drawn; the same
    ``seed`` and number give the same odds. ``edition`` is that of FIDE's tie-breaks, by default the
    one in force on the first day.

    Raises EventError for an event whose places cannot be foreseen, PairingError where rounds have
    to be paired without gacrux, and the errors of the two models.
    """
    notes: list[str] = []
    if event.complete is not None:
        event = event.complete(event)
    known, players = position_of(event, rounds or 0, tie_breaks, model, draws, notes, edition)
    _warn(event, known, players, notes)
    failed = 0
    method: OddsMethod
    if known.to_pair:
        method = "paired"
        finals, failed = _paired(known, runs, seed)
    else:
        finals, method = _without_pairing(known, runs, seed)
    return Odds(
        players,
        known.rounds.scores[0].sum(axis=-1),
        finals,
        method,
        known.order,
        known.edition,
        len(known.games),
        known.to_pair,
        failed,
        tuple(notes),
    )


def _warn(event: Tournament, known: Position, players: Sequence[Player], notes: list[str]) -> None:
    """Note what the file says and the odds do not follow."""
    points = known.rounds.scores[0].sum(axis=-1).tolist()
    for player, total in zip(players, points, strict=True):
        if player.points is not None and player.points != total:
            what = f"{player.name} has {player.points:g} points in the file"
            notes.append(f"{what}, and {total:g} by results, which count 1, ½ and 0 here")
            break
    ruled = {line[:3] for line in event.records if line not in known.ruled} & _RULED.keys()
    if known.to_pair and ruled:
        notes.append(f"not followed: {', '.join(sorted({_RULED[code] for code in ruled}))}")


_RULED: Final = {
    **dict.fromkeys(("XXA", "250"), "acceleration"),
    **dict.fromkeys(("XXP", "260"), "pairs who must not meet"),
}
"""records of a report that change pairings"""

# -- all pairings are known -----------------------------------------------------------------------


def _without_pairing(known: Position, runs: int | None, seed: int) -> tuple[Finals, OddsMethod]:
    chances = known.of(known.games)
    listed = every_outcome(chances)
    if listed is not None:
        return Finals(*_endings(known, listed[0]), listed[1]), "listed"
    if not known.order:
        points = known.rounds.scores.sum(axis=-1)[0]
        totals = points_together(points, known.games[:, 1], known.games[:, 2], chances)
        if totals is not None:
            return Finals(totals[0], ranks(totals[0]), totals[1]), "added"
    many = RUNS if runs is None else runs
    standings = _endings(known, drawn(chances, many, np.random.default_rng(seed)))
    return Finals(*standings, np.full(many, 1 / many), many), "drawn"


def _endings(known: Position, results: IntArray) -> tuple[FloatArray, IntArray]:
    """Points and places for each row of results, so many at a time that memory suffices."""
    step = max(_BLOCK // known.rounds.scores.size, 1)
    parts = [
        known.places(known.ended(known.rounds, known.games, results[start : start + step]))
        for start in counted(range(0, len(results), step), "blocks", every=1)
    ]
    points, place = zip(*parts, strict=True)
    return np.concatenate(points), np.concatenate(place)


_BLOCK: Final = 1 << 22

# -- rounds have to be paired ---------------------------------------------------------------------


def _paired(known: Position, runs: int | None, seed: int) -> tuple[Finals, int]:
    """Final standings of runs that are paired round by round, and how many runs had none."""
    check_installed()  # what is missing is so once, not in every process
    all_runs = sorted(counted(_played(known, runs, seed), "runs", every=1), key=lambda one: one[0])
    kept = [standings for _, standings in all_runs if standings is not None]
    if not kept:
        what = (
            "the rules of the Dutch system allow no pairings to the end: are there too few "
            "players for so many rounds?"
        )
        raise EventError([Problem(what)])
    points, place = (np.concatenate(part) for part in zip(*kept, strict=True))
    many = len(points)
    return Finals(points, place, np.full(many, 1 / many), len(kept)), len(all_runs) - len(kept)


Played = tuple[int, tuple[FloatArray, IntArray] | None]


def _played(known: Position, runs: int | None, seed: int) -> Iterator[Played]:
    """Runs by their numbers, in all processors at once, in the order in which they are done."""
    workers, until = os.cpu_count() or 1, time.monotonic() + SECONDS
    numbers = iter(range(runs)) if runs is not None else count()
    with ProcessPoolExecutor(
        workers, get_context("spawn"), initializer=_begin, initargs=(known, seed)
    ) as pool:
        waiting: set[Future[Played]] = set()
        try:
            while True:
                some = 2 * workers - len(waiting)
                if runs is None and time.monotonic() > until:
                    some = 0
                with _ignoring_sigint():  # processes begin here
                    waiting |= {pool.submit(_play, n) for n in islice(numbers, some)}
                if not waiting:
                    return
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for one in done:
                    yield one.result()
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


@contextmanager
def _ignoring_sigint() -> Iterator[None]:
    """Processes that begin here do not hear Ctrl-C: who began them ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, heard)


class _Here:
    """What a process works at."""

    known: Position
    seed: int


def _begin(known: Position, seed: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _Here.known, _Here.seed = known, seed


def _play(number: int) -> Played:
    return number, played_on(_Here.known, np.random.default_rng([_Here.seed, number]))


def played_on(known: Position, random: np.random.Generator) -> tuple[FloatArray, IntArray] | None:
    """Points and places of :data:`ENDINGS` endings of one run that is paired round by round; None
    where the rules allow no pairing."""
    rounds = Rounds(*(getattr(known.rounds, name).copy() for name in Rounds.__slots__))
    players, last = rounds.scores.shape[1:]
    _decide(rounds, known.games, known, random)
    pairer = Pairer(players, last, _first_has_white(rounds), known.ruled)
    for number in range(known.paired):
        pairer.tell(rounds, number)
    for number in range(known.paired, last):
        pairer.tell(rounds, number)  # byes that are known
        try:
            made = pairer.pair(number)
        except PairingError:
            return None
        games = _written(rounds, number, made)
        if number < last - 1:
            _decide(rounds, games, known, random)
            pairer.tell(rounds, number)
    return known.places(known.ended(rounds, games, drawn(known.of(games), ENDINGS, random)))


def _decide(rounds: Rounds, games: IntArray, known: Position, random: np.random.Generator) -> None:
    """Let games of a run end in some way."""
    [results] = drawn(known.of(games), 1, random)
    number, white, black = games.T
    rounds.scores[0, white, number] = SCORES[results]
    rounds.scores[0, black, number] = 1 - SCORES[results]


def _written(rounds: Rounds, number: int, made: Pairs) -> IntArray:
    """Enter the pairings of a round; returns its games."""
    for white, black in made:
        if black is None:
            rounds.kinds[0, white, number] = BYE
            rounds.scores[0, white, number] = 1.0
            continue
        for own, other, colour in ((white, black, 1), (black, white, -1)):
            rounds.opponents[0, own, number] = other
            rounds.white[0, own, number] = colour
            rounds.kinds[0, own, number] = PLAYED
    return np.array([(number, a, b) for a, b in made if b is not None]).reshape(-1, 3)


def _first_has_white(rounds: Rounds) -> bool:
    """The colour with which the first player began, or would have begun: they alternate."""
    first = rounds.white[0, :, 0]
    known = np.flatnonzero(first)
    return not known.size or bool(first[known[0]] == 1) == (known[0] % 2 == 0)


_CODES: Final = {
    (PLAYED, 1.0): "1",
    (PLAYED, 0.5): "=",
    (PLAYED, 0.0): "0",
    (FORFEIT_WON, 1.0): "+",
    (FORFEIT_LOST, 0.0): "-",
    # after any full point without a game there is no bye by the pairing any more
    (BYE, 1.0): "U",
    (REQUESTED, 0.5): "H",
    (REQUESTED, 0.0): "Z",
}
"""codes of a report file"""
_COLOURS: Final = {1: "w", -1: "b", 0: "-"}


class Pairer:
    """Pairs round after round of an event; players are numbers from 0, in the order of ranking.

    ``rounds`` are those of the whole event, ``white`` tells whether the first player was to begin
    with White, ``more`` are records that change pairings.
    """

    def __init__(
        self, players: int, rounds: int, white: bool = True, more: Sequence[str] = ()
    ) -> None:
        self._head = "\n".join((f"142 {rounds}", f"152 {'W' if white else 'B'}", *more))
        # without points, which are worked out from the results
        self._lines = [f"001 {n:>4}".ljust(ROUNDS - 1) for n in range(1, players + 1)]

    def tell(self, rounds: Rounds, number: int) -> None:
        """Tell what a round was, or is to be: byes of the next round are told before it is paired.

        ``rounds`` are those of a single run; the round is counted from 0.
        """
        arrays = (rounds.kinds, rounds.scores, rounds.white, rounds.opponents)
        cells = zip(*(array[0, :, number].tolist() for array in arrays), strict=True)
        place = ROUNDS - 1 + 10 * number
        for player, (kind, score, side, opponent) in enumerate(cells):
            if not kind or len(self._lines[player]) > place:
                continue
            other = 0 if opponent == len(self._lines) else opponent + 1
            cell = f"{other:04} {_COLOURS[side]} {_CODES[kind, score]}  "
            self._lines[player] = self._lines[player].ljust(place) + cell

    @property
    def report(self) -> str:
        """The report file of all that was told."""
        return "\n".join((self._head, *self._lines, ""))

    def pair(self, number: int) -> Pairs:
        """A round, counted from 0, of which all rounds before it were told.

        Raises PairingError if there is no pairing, or no gacrux to make it.
        """
        made = pairs(self.report, number + 1)
        return [(white - 1, black and black - 1) for white, black in made]
