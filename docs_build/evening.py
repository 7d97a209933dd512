"""*An evening at the club*: one book, from the first name to the published page.

The book is the sample of a Swiss, in which more is typed from step to step.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from elo_xl.books.model import Constant, Content
from elo_xl.templates import gallery
from elo_xl.templates.swiss import SPARE, board, lines

BOOK: Final = "swiss"
OPTIONS: Final = gallery.options(BOOK, players=8, rounds=3)
HEAD: Final = "Event", "Club", "Place", "Dates", "Arbiter", "List_year"
"""What is typed on the first sheet."""
KNOWN: Final = "name", "rating", "birth", "games", "peak"
"""What is typed of a player."""
ASKING: Final = "Novák, Tereza"
"""Who wants to know why."""
SLIP: Final = 4, "O"
"""A letter in place of a digit: the board of round 1, and what is typed there."""
ROUNDS: Final = (
    ((1, 5, "½"), (6, 2, "0"), (3, 7, "½"), (8, 4, "0")),
    ((2, 4, "½"), (7, 1, "0"), (5, 3, "0"), (8, 6, "½")),
    ((1, 3, "1"), (5, 2, "1"), (4, 6, "1"), (7, 8, "½")),
)
"""White, Black and White's result on each board of each round."""
FOLDER: Final = "evening"
PUBLISHED: Final = f"{FOLDER}/10-published"


@dataclass(frozen=True, slots=True)
class Step:
    """What one picture shows."""

    picture: str
    """its name, without the ending"""
    sheet: str
    """the key of a sheet"""
    typed: Content
    """by then"""
    left_of: str = ""
    """a word at which the picture ends"""


def steps() -> Iterator[Step]:
    """All pictures of sheets, in their order."""
    of = last()
    head = {name: of[name] for name in HEAD}
    players = head | {"Players": of["Players"]}
    first, slip = _rounds(of, played=0, paired=1), _rounds(of, played=1, paired=1)
    line, sign = SLIP
    slip[line] = slip[line] | {"result": sign}
    yield Step(f"{FOLDER}/1-start", "start", head)
    yield Step(f"{FOLDER}/2-players", "players", players, left_of="Fed")
    paired = players | {"Pairings": first}
    yield Step(f"{FOLDER}/3-pairings", "pairings", paired, left_of="OK")
    yield Step(f"{FOLDER}/4-pairing-list", "pairing_list", paired)
    yield Step(f"{FOLDER}/5-mistake", "pairings", players | {"Pairings": slip})
    played = players | {"Pairings": _rounds(of, played=1, paired=1)}
    yield Step(f"{FOLDER}/6-standings", "standings", played)
    ahead = players | {"Pairings": _rounds(of, played=1, paired=2)}
    yield Step(f"{FOLDER}/7-next-round", "ahead", ahead)
    yield Step(f"{FOLDER}/8-rating-changes", "changes", of)
    yield Step(f"{FOLDER}/9-why", "why", {**of, "why_choice": ASKING})


def last() -> Content:
    """What has been typed when all games are over."""
    of = gallery.sample(BOOK, OPTIONS)
    players = [{key: row[key] for key in KNOWN} for row in of["Players"]]
    head = {name: of[name] for name in HEAD}
    evening = {"Event": "Friday evening", "Dates": "12 June 2026"}
    boards = {(r, b): board(*game) for r, each in enumerate(ROUNDS) for b, game in enumerate(each)}
    return head | evening | {"Players": players, "Pairings": lines(OPTIONS, boards)}


def book(typed: Content) -> bytes:
    """The file in which this has been typed."""
    return gallery.make(BOOK, OPTIONS, typed)


def _rounds(of: Content, *, played: int, paired: int) -> dict[int, dict[str, Constant]]:
    """The lines of the rounds that are paired, with the results of those that are played."""
    size = OPTIONS.players // 2 + SPARE
    return {
        line: row if line <= played * size else row | {"result": None}
        for line, row in of["Pairings"].items()
        if line <= paired * size
    }
