"""Why a player of a rated event, or a member of a club, has the rating that they have."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from datetime import date
from typing import Final, NamedTuple

import numpy as np

from elo_xl.books.texts import texts
from elo_xl.club.closing import Closed
from elo_xl.club.correcting import Past
from elo_xl.club.ledger import TEMPLATE, Ledger
from elo_xl.engine.explain import Explained, explain_sides
from elo_xl.engine.rulebooks.event import Players, Sides
from elo_xl.engine.rulebooks.rulebook import Changed
from elo_xl.events.event import EventError, Player, Problem
from elo_xl.events.names import find_player
from elo_xl.events.rate import NewPlayer, RatedEvent, RatedPlayer, first_reason, known_players
from elo_xl.languages import ENGLISH, LANGUAGES, Words


class ExplainedGame(NamedTuple):
    """A game of the player that is explained."""

    round: int
    opponent: str
    rating: float
    """the opponent's rating as it counts; NaN: unrated"""
    score: float
    event: str = ""
    """where the games of several events are rated at once"""


@dataclass(frozen=True, slots=True)
class ExplainedPlayer:
    """A rated player of an event, their games and why they changed the rating."""

    rated: RatedPlayer
    games: tuple[ExplainedGame, ...]
    why: Explained
    """an entry per game"""


@dataclass(frozen=True, slots=True)
class ExplainedNewcomer:
    """An unrated player of an event and their games; the reason is that of the first rating."""

    first: NewPlayer
    games: tuple[ExplainedGame, ...]
    verdict: str
    """the first rating, or that there is none, and why"""


def explain_player(
    event: RatedEvent, player: Player, language: str = "en"
) -> ExplainedPlayer | ExplainedNewcomer:
    """Why ``player`` has their new rating, or their first one, game by game."""
    newcomers = {n.player.number: n for n in event.new_players}
    games = tuple(_games(event, player, newcomers))
    if player.number in newcomers:
        first = newcomers[player.number]
        why = first_reason(first, event.rules, language)
        says = _WITHOUT if first.rating is None else _FIRST
        return ExplainedNewcomer(first, games, says.say(language, rating=first.rating, why=why))
    rated = next(p for p in event.players if p.player.number == player.number)
    everybody = known_players(event.tournament, event.k)
    place = [p.number == player.number for p in event.tournament.players].index(True)
    one = Players(*(getattr(everybody, f.name)[place : place + 1] for f in fields(Players)))
    sides = Sides(
        player=np.zeros(len(games), np.int64),
        met=np.array([g.rating for g in games], float),
        score=np.array([g.score for g in games], float),
        points=np.array([sum(g.score for g in games)], float),
        home=np.zeros(len(games)),
    )
    # as they were rated: what is explained are the very numbers that were printed
    numbers = (rated.k, rated.games, rated.score, rated.expected, rated.change)
    done = Changed(*(np.array([np.nan if n is None else n], float) for n in numbers))
    return ExplainedPlayer(rated, games, explain_sides(event.rules, one, sides, done, language))


_WITHOUT: Final = Words("Unrated, no first rating: {why}.")
_FIRST: Final = Words("Unrated, first rating {rating:g}: {why}.")


def _games(
    event: RatedEvent, player: Player, newcomers: dict[int, NewPlayer]
) -> list[ExplainedGame]:
    """The games of a player, by round; those of earlier periods come last."""
    people = {p.number: p for p in event.tournament.players}
    with_newcomers = event.rules.counts.with_newcomers
    found = []
    for game in event.tournament.games:
        for own, other, score in (
            (game.first, game.second, game.score),
            (game.second, game.first, game.other_score),
        ):
            if own == player.number:
                rating = people[other].rating
                if rating is None and with_newcomers:
                    rating = newcomers[other].rating
                known = np.nan if rating is None else rating
                found.append(ExplainedGame(game.round, people[other].name, known, score))
    earlier = [ExplainedGame(0, game.opponent, game.rating, game.score, game.event)
               for game in event.earlier if game.player == player.number]  # fmt: skip
    return [*sorted(found, key=lambda met: met.round), *earlier]


# -- a member of a club: a closed list, rated as it was then --------------------------------------


@dataclass(slots=True)
class ExplainedMember:
    """A member's games of a list and why they changed the ratings."""

    name: str
    day: date
    kinds: dict[str, tuple[RatedEvent, ExplainedPlayer | ExplainedNewcomer]] = field(
        default_factory=dict
    )
    """the kinds of play in which there were games; each is one event with all of its games"""
    other: list[str] = field(default_factory=list)
    """what was published otherwise"""


def explain_member(
    book: Ledger, who: str, day: date | None = None, language: str = ENGLISH
) -> ExplainedMember:
    """Why a member has the ratings of a list, of the last one with games of theirs if omitted.

    ``who`` is a name, a part of one or an ID. Raises EventError if that is nobody or may be
    several, where there are no games, and for everything in the book that cannot be read.
    """
    past = Past(book)
    people = tuple(Player(member.row, member.name, id=member.id) for member in book.members)
    member = find_player(people, who, "in the club")
    found: Closed | None = None
    days = []
    for closed in past.again():
        if any(line.member.row == member.number for line in closed.lines):
            days.append(closed.day)
            if day in (None, closed.day):
                found = closed
    if found is None:
        where = "a closed list" if day is None else f"the list of {day}"
        known = f"; there are some in {', '.join(map(str, days[-12:]))}" if days else ""
        raise EventError([Problem(f"{member.name} has no games in {where}{known}")])
    say = texts(language)
    shown = f"{say.of(TEMPLATE, 'sheet_list')} {found.day.strftime(LANGUAGES[language].date)}"
    done = ExplainedMember(member.name, found.day)
    for line in found.lines:
        if line.member.row != member.number:
            continue
        name = f"{shown}, {say(f'club.kind_{line.kind}')}"
        done.kinds[line.kind] = _explained(found, line.kind, member.number, name, language)
        published = past.lines.get((found.day, (member.number, line.kind)))
        # a game was corrected after its list: what was published stands until somebody decides
        if published is not None and published.rating != line.new:
            now = "none" if line.new is None else f"{line.new:g}"
            done.other.append(
                f"{line.kind}: {published.rating:g} was published, the games now give {now}: "
                "elo-xl correct writes that"
            )
    return done


def _explained(
    closed: Closed, kind: str, number: int, name: str, language: str
) -> tuple[RatedEvent, ExplainedPlayer | ExplainedNewcomer]:
    """One kind of play; the games stand in the order of the events."""
    event = closed.by_kind[kind]
    games = event.tournament.games
    in_order = tuple(replace(game, round=i) for i, game in enumerate(games))
    ordered = replace(event, tournament=replace(event.tournament, name=name, games=in_order))
    player = next(p for p in event.tournament.players if p.number == number)
    found = explain_player(ordered, player, language)
    named = tuple(
        met
        if met.event
        else met._replace(round=games[met.round].round, event=closed.sources[kind][met.round])
        for met in found.games
    )
    return ordered, replace(found, games=named)
