"""The title norms of an event's players, from its titles, federations and pairings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from elo_xl.events.event import EventError, Pairing, Player, Problem, Tournament
from elo_xl.questions.norms.numbers import (
    FLAG,
    LEVELS,
    TITLED,
    Chance,
    Norm,
    NormEvent,
    NormGame,
    best_norm,
    chance,
    chance_against,
)

SPECIAL: Final[Mapping[str, str]] = {
    "national": "1.4.3a",
    "national-team": "1.4.3b",
    "zonal": "1.4.3c",
    "world-team": "1.4.1b",
    "world-cup": "1.4.1b",
}
"""Kinds of events for which an article makes an exception that no file tells."""
_OF_ONE_FEDERATION: Final = ("1.4.3a", "1.4.3b")
"""Exceptions for the players of the federation that holds the event."""
_LEAST: Final = {"world-team": 7, "world-cup": 8}

_WOMEN: Final = ("WGM", "WIM")
_HELD: Final = {
    "GM": ("GM",),
    "IM": ("GM", "IM"),
    "WGM": ("GM", "IM", "WGM"),
    "WIM": ("GM", "IM", "WGM", "WIM"),
}
"""By title: a player with one of these needs no norm for it."""
_MISSED: Final = {"+": "forfeit", "U": "bye"}
"""Codes of rounds that do not spoil a norm of eight games."""
_ABSENT: Final = ("Z", "H", "F", "-")
_NO_MEMBER: Final = ("", "NON")
"""Federations of players who belong to no federation of FIDE (1.4.2a)."""
_FOREIGNERS, _FEDERATIONS, _TITLES = 20, 3, 10
"""Rated players from abroad, their federations and titles in every round (1.4.3d)."""
_NEAR_RATING, _NEAR = 50, 1
"""How little may be missing for a player to be near a norm: of an average or a performance, and of
anything else."""


@dataclass(frozen=True, slots=True)
class Uncounted:
    """A round that does not count for norms, and why."""

    round: int
    opponent: int | None
    code: str
    why: str
    """``bye``, ``forfeit``, or the article that says so"""


@dataclass(frozen=True, slots=True)
class PlayerNorm:
    """How a player stands for the norm of one title."""

    player: Player
    norm: Norm
    chance: Chance | None = None
    """what would suffice in the rounds that are left; None if there are none, or no need"""
    uncounted: tuple[Uncounted, ...] = ()

    @property
    def near(self) -> bool:
        """Whether there is no norm, but little is missing: one thing of all, and not much of it;
        or, while rounds are left, a score against opponents like those so far."""
        norm, later = self.norm, self.chance
        if norm.met or not norm.games:
            return False
        if later is not None:
            usual = norm.average + _NEAR_RATING
            return later.possible and any(average <= usual for _, average in later.scores)
        if len(norm.missing) != 1:
            return False
        [lack] = norm.missing
        much = _NEAR_RATING if lack.key in ("average", "performance") else _NEAR
        return lack.key != "rounds" and abs(lack.has - lack.needs) <= much


def event_of(tournament: Tournament, rounds: int = 0, special: str = "") -> NormEvent:
    """What matters of an event for norms.

    ``rounds`` are those scheduled, where the file does not say so; ``special`` is one of
    :data:`SPECIAL`. Raises EventError for fewer rounds than the file has.
    """
    refuse_fewer(rounds, max(tournament.planned, tournament.rounds))
    meetings = Counter(frozenset((g.first, g.second)) for g in tournament.games)
    numbers = [p.number for p in tournament.players]
    pairs = len(numbers) * (len(numbers) - 1) // 2
    most = max(meetings.values(), default=0)
    scheduled = max(rounds, tournament.planned, tournament.rounds)
    begun = (p.round for line in tournament.pairings.values() for p in line if p.code)
    left = scheduled - (max(begun, default=0) or tournament.rounds)
    everybody = len(numbers) - 1 + len(numbers) % 2
    double = scheduled == 2 * everybody
    predetermined = len(numbers) > 2 and (
        (most == 1 and scheduled == everybody) or (most in (1, 2) and double)
    )
    # forfeits leave gaps: most pairs have met
    said = any("robin" in r.lower() for r in tournament.records if r[:3] in ("092", "192"))
    predetermined &= said or left > 0 or len(meetings) * 10 >= pairs * 9
    exempt = SPECIAL.get(special, "")
    if not exempt.startswith("1.4.3"):
        exempt = "1.4.3d" if not predetermined and _many_foreigners(tournament) else ""
    if exempt in _OF_ONE_FEDERATION and not _host(tournament):
        raise EventError(
            [Problem(f"{exempt} is for the players of one federation, and the event names none")]
        )
    least = _LEAST.get(special, NormEvent(scheduled).least)
    return NormEvent(scheduled, predetermined, predetermined and double, exempt, least, left)


def refuse_fewer(rounds: int, known: int) -> None:
    """Raise EventError for fewer ``rounds`` than a file has, unless they are 0."""
    if 0 < rounds < known:
        raise EventError([Problem(f"the event has {known} rounds in the file, more than {rounds}")])


def all_norms(tournament: Tournament, event: NormEvent | None = None) -> list[PlayerNorm]:
    """The norms that were made in an event, and those that somebody is near to, in the order of
    titles and performances; ``event`` is that of :func:`event_of`.

    Raises EventError for an event without federations or titles, or of rapid or blitz chess.
    """
    check(tournament)
    about, field = event or event_of(tournament), _NormRounds(tournament)
    player_norms = [
        one
        for player in tournament.players
        for one in field.norms(player, about, hopeless=False)
        if one.norm.met or one.near
    ]
    titles = list(LEVELS)
    return sorted(
        player_norms,
        key=lambda one: (not one.norm.met, titles.index(one.norm.title), -one.norm.performance),
    )


def norms(
    tournament: Tournament, player: Player, event: NormEvent | None = None
) -> list[PlayerNorm]:
    """How a player stands for the norms of all titles that they do not have yet.

    Women's titles are looked at for women. Raises EventError like :func:`all_norms`.
    """
    check(tournament)
    about = event or event_of(tournament)
    return _NormRounds(tournament).norms(player, about, hopeless=True)


def check(tournament: Tournament) -> None:
    """Raise EventError if there are no norms in an event, or its file says too little."""
    if tournament.kind in ("rapid", "blitz"):
        what = f"no norms in {tournament.kind} chess: {tournament.time_control}"
    elif not any(p.federation for p in tournament.players):
        what = f"norms need the players' federations, and no player has one; {_FILES}"
    elif not any(p.title for p in tournament.players):
        what = f"norms need the opponents' titles, and no player has one; {_FILES}"
    else:
        return
    raise EventError([Problem(what)])


_FILES: Final = (
    "a report file (TRF) has them, a workbook in the columns Title and Federation, any other file "
    "with --players or --list"
)


class _NormRounds:
    """The players of an event and their rounds, looked up once."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.people = {p.number: p for p in tournament.players}
        self.met: dict[int, list[NormGame]] = defaultdict(list)
        points: Counter[int] = Counter()
        for game in tournament.games:
            for own, other, score in game.sides:
                self.met[own].append(self._game(game.round, other, score))
                if self.people[other].rating is not None:
                    points[own] += score > 0
        self.hopeless = {
            p.number for p in tournament.players if p.rating is None and not points[p.number]
        }
        """unrated players who scored nothing against rated ones (1.4.2b)"""

    def _game(self, round: int, opponent: int, score: float, *, forfeit: bool = False) -> NormGame:
        who = self.people[opponent]
        return NormGame(round, str(opponent), who.rating, who.title, who.federation, score, forfeit)

    def norms(self, player: Player, event: NormEvent, *, hopeless: bool) -> list[PlayerNorm]:
        """How a player stands; where nobody is near because of the opponents' ratings, nothing is
        worked out unless they are ``hopeless``."""
        games, uncounted, spare = self._rounds(player, event)
        known = self._to_come(player, event)
        left = event.left if known is None else len(known)
        event = replace(event, left=left)
        if event.exempt in _OF_ONE_FEDERATION and player.federation != _host(self.tournament):
            event = replace(event, exempt="")
        missing = ""
        if len(uncounted) == 1 and len(games) + left + 1 == event.rounds:
            missing = _MISSED.get(uncounted[0].code, "")
            if missing == "bye" and event.predetermined:
                missing = ""  # a free day of an all-play-all is no bye of the pairings
        player_norms = []
        for title in LEVELS:
            if player.title in _HELD[title] or (title in _WOMEN and not _woman(player)):
                continue
            if not hopeless and _too_low(title, games, event.least):
                continue
            norm = best_norm(title, games, player.federation, event, missing=missing)
            if not norm.met and spare:
                # the game counts as lost, if it takes that to have enough of them (1.4.2c)
                other = best_norm(title, [*games, *spare], player.federation, event)
                norm = other if other.met else norm
            later = None
            if left and not norm.met and known is not None:
                later = chance_against(
                    title, games, player.federation, event, known, missing=missing
                )
            elif left and not norm.met:
                later = chance(title, games, player.federation, event)
            player_norms.append(PlayerNorm(player, norm, later, tuple(uncounted)))
        return player_norms

    def _to_come(self, player: Player, event: NormEvent) -> list[NormGame] | None:
        """The games that the player is still to play, as far as the opponents are known for all."""
        player_number = player.number
        line = self.tournament.pairings.get(player_number, ())
        if not event.predetermined:
            paired = [p.opponent for p in line if p.opponent in self.people and not p.code]
            if len(paired) < event.left:
                return None
            return [self._game(event.rounds, number, 0) for number in paired if number]
        # a table of games, without pairings, still tells who has met whom
        meetings = Counter(p.opponent for p in line if p.code and p.opponent) or Counter(
            int(game.opponent) for game in self.met[player_number]
        )
        return [
            self._game(event.rounds, number, 0)
            for number, other in self.people.items()
            for _ in range(1 + event.double - meetings[number])
            if number != player_number and other.federation not in _NO_MEMBER
        ]

    def _rounds(
        self, player: Player, event: NormEvent
    ) -> tuple[list[NormGame], list[Uncounted], list[NormGame]]:
        """The games that count for norms, in their order, the rounds that do not, and the game of
        the last round if the opponent did not come and the game is needed."""
        games, uncounted, spare = [], [], []
        for game in sorted(self.met[player.number], key=lambda game: game.round):
            why = ""
            if game.federation in _NO_MEMBER:
                why = "1.4.2a"
            elif event.predetermined and int(game.opponent) in self.hopeless:
                why = "1.4.2b"
            if why:
                uncounted.append(Uncounted(game.round, int(game.opponent), "", why))
            else:
                games.append(game)
        seen = {game.round for game in self.met[player.number]}
        for cell in self.tournament.pairings.get(player.number, ()):
            if cell.round in seen or not cell.code:
                continue
            forfeit = cell.opponent is not None
            uncounted.append(
                Uncounted(cell.round, cell.opponent, cell.code, "forfeit" if forfeit else "bye")
            )
            # nobody loses a norm because somebody else does not come to the last round
            last = cell.round == event.rounds and len(games) + 1 == event.least
            if cell.code == "+" and cell.opponent in self.people and last:
                spare = [self._game(cell.round, cell.opponent, 0, forfeit=True)]
        return games, sorted(uncounted, key=lambda one: one.round), spare


def _too_low(title: str, games: Sequence[NormGame], least: int) -> bool:
    """Whether the opponents' ratings are far too low for a norm, whatever is left out."""
    level = LEVELS[title]
    best = sorted((max(g.rating or 0, 1400) for g in games), reverse=True)[:least]
    if not best:
        return True
    best[-1] = max(best[-1], level.floor)
    return sum(best) / len(best) + _NEAR_RATING < level.average


def _woman(player: Player) -> bool:
    return player.sex.lower() in ("w", "f") or player.title.startswith("W")


def _host(tournament: Tournament) -> str:
    """The federation that holds the event, where the file names it by its code."""
    code = tournament.federation.strip()
    return code if len(code) == 3 and code.isupper() else ""


def _many_foreigners(tournament: Tournament) -> bool:
    """Whether opponents of any federations will do (1.4.3d): in every round there are enough rated
    players from abroad, of enough federations and with enough titles. Who misses more than one
    round is not counted.
    """
    home = _host(tournament)
    if not home:
        return False
    rounds = set(range(1, tournament.rounds + 1))
    there: dict[int, set[int]] = defaultdict(set)
    for game in tournament.games:
        there[game.first].add(game.round)
        there[game.second].add(game.round)
    for number, line in tournament.pairings.items():
        there[number] |= {p.round for p in line if _present(p)}
    abroad = [
        p
        for p in tournament.players
        if p.rating is not None
        # FIDE's flag is no federation, so that no player is from abroad under it (1.4.2a)
        and p.federation not in (home, FLAG, *_NO_MEMBER)
        and len(rounds - there[p.number]) <= 1
    ]
    for r in rounds:
        present = [p for p in abroad if r in there[p.number]]
        holders = sum(p.title in TITLED - {"FM", "WFM"} for p in present)
        federations = {p.federation for p in present}
        if not (
            len(present) >= _FOREIGNERS and len(federations) >= _FEDERATIONS and holders >= _TITLES
        ):
            return False
    return bool(rounds)


def _present(cell: Pairing) -> bool:
    """Whether a player took part in a round; byes of the pairings are no absence."""
    return cell.code not in _ABSENT and bool(cell.code or cell.opponent)
