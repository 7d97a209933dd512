"""Why a member of a club has their rating: the games of a closed list, rated as they were then."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date

from elo_xl.books.texts import texts
from elo_xl.club.closing import Closed
from elo_xl.club.correcting import Past
from elo_xl.club.ledger import TEMPLATE, Ledger
from elo_xl.events.event import EventError, Player, Problem
from elo_xl.events.names import find_player
from elo_xl.events.rate import RatedEvent
from elo_xl.languages import ENGLISH, LANGUAGES
from elo_xl.questions.explain.event import (
    ExplainedNewcomer,
    ExplainedPlayer,
    explain_player,
)


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
