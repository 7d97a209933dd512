"""What the file of an event says, as it is typed into the book ``rated-event``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from elo_xl.books.model import Content, Row
from elo_xl.books.texts import texts
from elo_xl.engine.results import PENALTIES, ROUND_CODES
from elo_xl.events.event import Player, Tournament
from elo_xl.events.rate import RatedEvent
from elo_xl.languages import ENGLISH, LANGUAGES
from elo_xl.questions.norms.sheet import event_norms
from elo_xl.templates.blocks.players import YEAR

_SIGN: Final = dict(zip("1=0WDL+-", ("1", "½", "0", "(1)", "(½)", "(0)", "+", "-"), strict=True))
"""what is typed for a round code of a tournament report file, and for one without an opponent"""
_PENALTY: Final = {codes: sign for sign, codes in PENALTIES.items()}
_ALONE: Final = {0.0: "0 bye", 0.5: "½ bye", 1.0: "bye"}
_BLACK: Final = (("b", "w"), ("b", ""), ("", "w"))
"""own colour and the opponent's, where the opponent has White"""

BLANK_NUMBERS: Final = 20
"""The number of rows that may be blank, if there are not even more players."""


def event_content(event: RatedEvent, language: str = ENGLISH) -> Content:
    """What the file of an event says, as it is typed into the book."""
    tournament = event.tournament
    numbers = _numbers(tournament.players)
    return {
        "Event": tournament.name,
        YEAR: tournament.start.year if tournament.start else None,
        "Event_place": ", ".join(filter(None, (tournament.city, tournament.federation))),
        "First_day": tournament.start,
        "Last_day": tournament.end,
        "Players": {numbers[p.number]: _typed(p, event) for p in tournament.players},
        "Games": list(_lines(tournament, numbers)),
        "Rounds": _filed(tournament, numbers),
        "Notes": list(map(str, event.warnings)),
        "Chosen": chosen(event, language),
        "Norms": event_norms(tournament, language),
    }


def chosen(event: RatedEvent, language: str) -> str:
    """Why the event has its rules, in words."""
    day = event.tournament.start
    shown = "" if day is None else day.strftime(LANGUAGES[language].date)
    return texts(language)(f"rated-event.chosen_{event.chosen.replace(' ', '_')}", day=shown)


def _numbers(field: tuple[Player, ...]) -> dict[int, int]:
    """The row of each player, by starting number."""
    own = sorted(player.number for player in field)
    if own and own[-1] <= len(own) + max(len(own), BLANK_NUMBERS):
        return {number: number for number in own}
    return {number: row for row, number in enumerate(own, start=1)}


def _typed(player: Player, event: RatedEvent) -> Row:
    return {
        "name": player.name,
        "title": player.title,
        "federation": player.federation,
        "id": player.id,
        "rating": player.rating,
        "birth": player.birth_year,
        "games": player.games,
        "peak": player.peak,
        "k": player.k if event.k is None else event.k,
    }


def _filed(tournament: Tournament, numbers: Mapping[int, int]) -> dict[int, Row]:
    """Ranks of the file; its points where they are not those of the results."""
    points = {
        p.number: sum(ROUND_CODES[c.code].points for c in tournament.pairings.get(p.number, ()))
        for p in tournament.players
    }
    differ = any(p.points not in (None, points[p.number]) for p in tournament.players)
    return {
        numbers[p.number]: ({} if p.rank is None else {"filed_rank": p.rank})
        | ({"filed": p.points} if differ else {})
        for p in tournament.players
    }


def _lines(tournament: Tournament, numbers: Mapping[int, int]) -> Iterator[Row]:
    """The lines of all rounds, each with a blank one at its end."""
    for r in range(1, max(tournament.rounds, 1) + 1):
        lines = list(_round(tournament, numbers, r))
        for i, (white, result, black) in enumerate([*lines, (None, None, None)], start=1):
            yield {"round": r, "line": i, "white": white, "result": result, "black": black}


def _round(
    tournament: Tournament, numbers: Mapping[int, int], r: int
) -> Iterator[tuple[int, str | None, int | None]]:
    """White, the result and Black of each line of a round."""
    cells = {
        number: pairings[r - 1]
        for number, pairings in tournament.pairings.items()
        if len(pairings) >= r
    }
    games = {(game.first, game.second) for game in tournament.games if game.round == r}
    done: set[int] = set()
    for player in tournament.players:
        number, own = player.number, cells.get(player.number)
        if own is None or number in done:
            continue
        other = cells.get(own.opponent or 0)
        code, reply = own.code.upper(), other.code.upper() if other else ""
        paired = other is not None and other.opponent == number
        if other is None or own.opponent is None or not paired or not _goes(code, reply):
            if code:
                yield numbers[number], _ALONE[ROUND_CODES[code].points], None
            continue
        done.add(own.opponent)
        white, black = number, own.opponent
        # the game that counts says who had White; colours of cells only where none does
        if (black, white) in games or (
            (white, black) not in games and (own.colour, other.colour) in _BLACK
        ):
            white, black, code, reply = black, white, reply, code
        sign = "--" if code == reply == "-" else _PENALTY.get((code, reply), _SIGN.get(code))
        yield numbers[white], sign, numbers[black]


def _goes(code: str, reply: str) -> bool:
    """Whether two codes are those of a game or forfeit, or both missing."""
    return (code in _SIGN and reply in _SIGN) or code == reply == ""
