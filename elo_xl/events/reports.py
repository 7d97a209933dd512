"""What a book works out of an event for a report: the order of the players, colours, forfeits.

The book is filled anew with what was typed, so that its own formulas give the answer, whoever saved
the file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from elo_xl.books.book import Book, Content, Options
from elo_xl.engine.results import read_codes
from elo_xl.events.event import Pairing, Tournament
from elo_xl.templates.blocks.tie_breaks import TIE_BREAKS
from elo_xl.templates.gallery import build

_SHOWN: Final = frozenset(("Pairings_round", "Standings_round", "Round_shown"))
"""settings of what the wall shows, which may be an earlier round"""


def completed(template: str, chosen: Options, content: Content, event: Tournament) -> Tournament:
    """An event that was read from a book, with what the book works out of it; ``content`` is what
    was typed into the book."""
    if template not in _REPORTS:
        return event
    typed = {name: value for name, value in content.items() if name not in _SHOWN}
    return _REPORTS[template](build(template, chosen, typed), event)


def _swiss(book: Book, event: Tournament) -> Tournament:
    """The order is that of the standings: by points and the tie-breaks that were chosen."""
    keys = dict(enumerate(book.tables["Counted"].column("key").values(), start=1))
    known = {n: float(key) for n, key in keys.items() if isinstance(key, int | float)}
    ranks = {n: 1 + sum(other > key for other in known.values()) for n, key in known.items()}
    return _ranked(event, ranks, _order(book, "swiss"))


def _round_robin(book: Book, event: Tournament) -> Tournament:
    """The order is that of the standings, in which whoever withdrew early has no place; colours and
    games to come are those of the Berger table; forfeits of whoever withdrew late are written."""
    own = [player.number for player in event.players]
    met, final = (
        {n: book.tables[table].column(f"v{n}").numbers() for n in own} for table in ("Met", "Final")
    )
    signs = book.tables["Signs"].column("sign").texts()
    ranks = book.tables["Points"].column("rank").numbers()
    pairings: dict[int, tuple[Pairing, ...]] = {}
    for a in own:
        cells = {cell.round: cell for cell in event.pairings[a]}
        for b in own:
            round, sign = int(met[b][a - 1]), int(final[b][a - 1])
            cell = cells.get(abs(round))
            if cell is None or a == b:  # a round that nobody has begun
                continue
            typed = cell.opponent is not None
            if typed or sign >= 0:
                code = cell.code if typed else read_codes(signs[sign - 1])[0] if sign else ""
                cells[cell.round] = Pairing(cell.round, b, "w" if round > 0 else "b", code)
        pairings[a] = tuple(cells.values())
    ranked = {n: int(ranks[n - 1]) for n in own if ranks[n - 1]}
    said = ("192 FIDE_ROUNDROBIN", *_order(book, "round_robin"))
    return replace(_ranked(event, ranked, said), pairings=pairings)


def _team_match(book: Book, event: Tournament) -> Tournament:
    """Colours are those of the boards."""
    white = book.say("letter_white")
    colours: dict[int, str] = {}
    for board, letter in enumerate(book.tables["Match"].column("colour_a").texts(), start=1):
        if letter:
            other = book.options.players + board
            colours |= dict(zip((board, other), "wb" if letter == white else "bw", strict=True))
    pairings = {
        number: tuple(
            replace(cell, colour=colours.get(number, "") if cell.opponent else "") for cell in cells
        )
        for number, cells in event.pairings.items()
    }
    return replace(event, pairings=pairings)


def _order(book: Book, system: str) -> tuple[str, ...]:
    """The record of the tie-breaks, as FIDE calls them."""
    known = [
        tie_break.code.replace("-", "/") for tie_break in TIE_BREAKS if getattr(tie_break, system)
    ]
    chosen = [known[int(n) - 1] for n in book.tables["Chosen"].column("number").numbers() if n]
    return (f"212 {','.join(('PTS', *chosen))}",)


def _ranked(event: Tournament, ranks: Mapping[int, int], said: Sequence[str]) -> Tournament:
    players = (replace(player, rank=ranks.get(player.number)) for player in event.players)
    return replace(event, players=tuple(players), records=(*event.records, *said))


_REPORTS: Final[Mapping[str, Callable[[Book, Tournament], Tournament]]] = {
    "swiss": _swiss,
    "round-robin": _round_robin,
    "team-match": _team_match,
}
