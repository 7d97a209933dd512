"""``swiss``: an open tournament, its pairings typed round by round.

Sheets: the first one, *Players*, *Pairings* (numbers and results); for the wall *Pairing list*,
*Next round* (what each result would mean), *Standings*, *Crosstable*, *Rating changes*,
*Prizes* and *Prize money*; then *Ratings*, *Gains and losses* with the chart, *Why*, *Each game*,
*Signs*, *Tie-breaks* (those that can be chosen) and, both hidden, *Tie-break figures* (every round
of every player) and *Steps*. The order is by points and up to five tie-breaks, by default Buchholz
cut 1, Buchholz and Sonneborn–Berger; the module :mod:`~elo_xl.templates.blocks.tie_breaks` tells
how they count.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from elo_xl.books.book import Book, Constant, Content, Options, Row
from elo_xl.books.front import front
from elo_xl.books.texts import texts
from elo_xl.templates.blocks.ahead import ahead
from elo_xl.templates.blocks.gains import gains_and_losses
from elo_xl.templates.blocks.games import each_game
from elo_xl.templates.blocks.numbered_games import numbered_games
from elo_xl.templates.blocks.players import EVENT_SETTING, YEAR, YEAR_SETTING, counted, players
from elo_xl.templates.blocks.prizes import purse, purse_settings
from elo_xl.templates.blocks.ratings import FIRST, ratings
from elo_xl.templates.blocks.signs import BYES, PAIRED, results
from elo_xl.templates.blocks.swiss_sheets import (
    count_rounds,
    link_rounds,
    links,
    round_settings,
    wall_sheets,
)
from elo_xl.templates.blocks.tie_breaks import KINDS, settings, swiss_tie_breaks
from elo_xl.templates.blocks.wall import WALL_SETTINGS, header
from elo_xl.templates.blocks.why import why
from elo_xl.templates.samples import MEMBERS, on_the_wall, outcome, rows
from elo_xl.templates.samples import SIGNS as SCORE_SIGNS
from elo_xl.templates.samples import YEAR as SAMPLE_YEAR

SPARE: Final = 3
"""Lines of a round beyond half of the players, for byes."""

WALL_SHEETS: Final = (
    "pairing_list",
    "ahead",
    "standings",
    "cross",
    "changes",
    "prizes",
    "purse",
)

SIGNS: Final = (*PAIRED, *BYES)

PAIRINGS: Final = """
pieces
    stands(no)      = COUNTIF(before[first:second], no) > 0
    stands_at(no)   = IFERROR(MATCH(no, before[first], 0), MATCH(no, before[second], 0))
"""

# the rounds that have begun and the next one, with boards for everybody and one for byes
SHOWN: Final = """= OR(filled(white:black) > 0,
            AND(group_number <= last_typed + 1, row_of_group <= INT(field / 2) + 1))"""


def build(book: Book) -> None:
    """Declare all sheets."""
    rounds, boards = book.options.rounds, book.options.players // 2 + SPARE
    book.names.update(KINDS)
    front(
        book,
        EVENT_SETTING,
        *WALL_SETTINGS,
        YEAR_SETTING,
        *settings(book, "swiss", "bh_c1", "bh", "sb"),
        *round_settings(book),
        *purse_settings(book),
    )
    header(book)
    players(book, personal=True, ordered="about_numbers")
    for key in ("pairings", *WALL_SHEETS, "ratings", "gains", "why", "ties", "each"):
        book.sheet(key)
    results(book, SIGNS)
    counted(book, period_games="Ratings[@games]", order_key="Ties[@key]", first_rating=FIRST)
    book.read(PAIRINGS)
    links(book, across=7)
    numbered_games(
        book,
        "pairings",
        rows=rounds * boards,
        group=boards,
        line="board 0 center quiet 7 = row_of_group",
        shown=SHOWN,
        asks=True,
    )
    link_rounds(book)
    count_rounds(book, boards)
    each_game(
        book,
        rounds * boards,
        lines="Pairings",
        label='group_number & "/" & row_of_group',
        boards=boards,
    )
    ratings(book)
    swiss_tie_breaks(book)
    wall_sheets(book)
    purse(book)
    ahead(
        book,
        number="chosen",
        game="IF(chosen = 0, 0, (chosen - 1) * boards + no)",
        boards=book.options.players // 2,
        points="Before[now]",
        most=rounds,
    )
    gains_and_losses(book)
    why(book, rounds)


def sample(options: Options) -> Content:
    """An invented open with a forfeit, byes and a player who leaves."""
    # starting numbers are those of a list by ratings
    field = sorted(MEMBERS[: options.players], key=lambda member: -(member.rating or 0))
    entrants = [Entrant(i, member.rating) for i, member in enumerate(field, start=1)]
    played = rounds_of(
        entrants,
        options.rounds,
        random.Random(20363),
        half_byes={4: 3} if len(field) > 9 else {},
        leaving={len(field) - 1: 4} if len(field) > 9 else {},
        forfeit=(2, 5),
    )
    boards = {(r, b): _typed(line) for r, each in enumerate(played) for b, line in enumerate(each)}
    say = texts(options.language)
    return {
        **on_the_wall(say),
        "Event": say("swiss.sample_event"),
        YEAR: SAMPLE_YEAR,
        "Players": rows(field, personal=True),
        "Pairings": lines(options, boards),
        "Prize_sharing": say("form.sharing_hort"),
        "Purse": [{"prize": prize} for prize in (300, 200, 100, 50)],
    }


def _typed(line: Pairing) -> dict[str, Constant]:
    """A line of a round as it is typed."""
    white, score, black, came = line
    if black is None:
        return board(white.number, None, "bye" if score == 1 else "½ bye")
    return board(white.number, black.number, SCORE_SIGNS[score] if came else "+")


def board(white: Constant, black: Constant, result: Constant) -> dict[str, Constant]:
    """A line as it is typed: numbers of the players and White's result; no Black: a bye."""
    return {"white": white, "black": black, "result": result}


def lines(options: Options, boards: Mapping[tuple[int, int], Row]) -> dict[int, Row]:
    """The lines of the sheet *Pairings* from those of rounds and boards, both from 0."""
    size = options.players // 2 + SPARE
    return {r * size + b + 1: line for (r, b), line in boards.items()}


# -- the sample: an invented Swiss, paired as an arbiter would ------------------------------------
# It is no full pairing program of FIDE's Dutch system (C.04.3), but keeps what everybody sees of
# it: in the first round, players by rating, 1 meets n/2 + 1 and colours alternate down the boards;
# later the upper half of a score group meets its lower half, in order; who is left over meets the
# best of the next group. Nobody meets anybody twice, nobody has a colour three times running or
# three times more than the other, nobody has two byes, and hardly anybody is left over in two
# rounds running.


ABSOLUTE: Final = 3
"""The strength of a wish for a colour that must be met."""


@dataclass(slots=True)
class Entrant:
    """A player, with their place in the list of ratings."""

    number: int
    rating: float | None
    points: float = 0.0
    colours: str = ""
    """of the games played, such as ``wbw``"""
    met: set[int] = field(default_factory=set)
    had_bye: bool = False
    floated: bool = False
    """whether the opponent in the last round had fewer points"""

    @property
    def wish(self) -> int:
        """The colour that is due: White if positive, Black if negative, and how urgently."""
        ahead = self.colours.count("b") - self.colours.count("w")
        if abs(ahead) > 1 or self.colours[-2:] in ("ww", "bb"):
            return ABSOLUTE if self.colours[-1] == "b" else -ABSOLUTE
        return 2 * ahead or {"b": 1, "w": -1, "": 0}[self.colours[-1:]]


class Pairing(NamedTuple):
    """A line of a round: White, the score, and Black, or None for a bye."""

    white: Entrant
    score: float
    black: Entrant | None
    played: bool = True


def rounds_of(
    entrants: Sequence[Entrant],
    rounds: int,
    chance: random.Random,
    *,
    half_byes: dict[int, int],
    leaving: dict[int, int],
    forfeit: tuple[int, int],
) -> Iterator[list[Pairing]]:
    """The lines of each round, played as the ratings make it likely.

    By numbers, ``half_byes`` are the rounds in which players ask for half a point, ``leaving``
    those after which they are gone. ``forfeit`` are round and board of a game that Black does not
    come to. There are no more rounds than half of the players, so that everybody can find an
    opponent.
    """
    for number in range(1, min(rounds, len(entrants) // 2) + 1):
        here = [e for e in entrants if number <= leaving.get(e.number, number)]
        away = [e for e in here if half_byes.get(e.number) == number]
        here = sorted((e for e in here if e not in away), key=lambda e: (-e.points, e.number))
        left = []
        if len(here) % 2:
            # as in the rules of the system: the lowest player who has had no bye yet
            left.append(next(e for e in reversed(here) if not e.had_bye))
            here.remove(left[0])
        lines = []
        for board, (one, two) in enumerate(_paired(here), start=1):
            white, black = _coloured(one, two, board)
            came = (number, board) != forfeit
            score = outcome(chance, white.rating, black.rating) if came else 1.0
            lines.append(Pairing(white, score, black, came))
        lines += [Pairing(e, 1.0, None) for e in left] + [Pairing(e, 0.5, None) for e in away]
        for line in lines:
            _enter(line)
        yield lines


def _enter(line: Pairing) -> None:
    """What a line means for its players."""
    white, score, black, played = line
    white.floated = black is None or white.points > black.points
    if black is not None:
        black.floated = black.points > white.points
    white.points += score
    if black is None:
        white.had_bye = white.had_bye or score == 1
        return
    black.points += 1 - score
    white.met.add(black.number)
    black.met.add(white.number)
    if played:
        white.colours += "w"
        black.colours += "b"


def _paired(players: Sequence[Entrant]) -> list[tuple[Entrant, Entrant]]:
    """Pairs of players who stand in order; colours must be met if that is possible."""
    found = _search(players, strict=True)
    if found is None:
        found = _search(players, strict=False)
    assert found is not None
    return found


def _search(players: Sequence[Entrant], *, strict: bool) -> list[tuple[Entrant, Entrant]] | None:
    """Pair the first player with the best opponent that leaves the others an opponent, too."""
    if not players:
        return []
    first, group = players[0], sum(p.points == players[0].points for p in players)
    lower_half = max(group // 2, 1)
    over = -1
    if group % 2:  # somebody is left over: the last one who was not in the round before
        rested = (at for at in range(group - 1, 0, -1) if not players[at].floated)
        over = next(rested, group - 1)

    def worse(at: int) -> tuple[float, bool, bool, int, int]:
        other = players[at]
        both = first.wish * other.wish > 0
        clash = min(abs(first.wish), abs(other.wish)) if both else 0
        apart = first.points - other.points
        return apart, at == over, at < lower_half, clash, abs(at - lower_half)

    for at in sorted(range(1, len(players)), key=worse):
        other = players[at]
        if other.number in first.met:
            continue
        if strict and first.wish * other.wish == ABSOLUTE**2:
            continue
        rest = _search([*players[1:at], *players[at + 1 :]], strict=strict)
        if rest is not None:
            return [(first, other), *rest]
    return None


def _coloured(one: Entrant, two: Entrant, board: int) -> tuple[Entrant, Entrant]:
    """White and Black; ``one`` stands higher."""
    if one.wish != two.wish:
        return (one, two) if one.wish > two.wish else (two, one)
    for a, b in zip(reversed(one.colours), reversed(two.colours), strict=False):
        if a != b:  # the colours of the last round in which they differed are exchanged
            return (two, one) if a == "w" else (one, two)
    return (one, two) if one.wish > 0 or (one.wish == 0 and board % 2) else (two, one)
