"""Tie-breaks: those of FIDE's C.07 that clubs use, up to five of them chosen on the first sheet.

Every tie-break is an entry of :data:`TIE_BREAKS`, with its formula for a Swiss and for a round
robin; its name and what it counts are the texts ``tie_KEY`` and ``tie_KEY_what``. One that C.07
does not define for a system has no formula there: Koya for a Swiss, Buchholz for a round robin.

**Unplayed rounds** of a Swiss count by C.07 in the edition of :mod:`elo_xl.engine.tie_breaks` that
is chosen on the first sheet, or in force on the day there, or at the end of the year there. By
article 16, as it is since March 2026, a player's opponents count their *adjusted* score: a
requested bye that only voluntary unplayed rounds follow is a draw. A player's own unplayed rounds
count as games against a dummy with the player's own points: after a forfeit at most the
opponent's adjusted score, otherwise at most half of the rounds. What is cut is the lowest
contribution, and where there are voluntary unplayed rounds the lowest of those. In a round robin
all editions count alike:
forfeits count as games (15.2), except for average ratings, and a game lost by forfeit is none with
Black.

**Direct encounter** (article 6) is for players whom everything before it leaves tied. If all of
them have met, their points from these games decide. If not, a player is first whom nobody could
reach, whatever the missing games give; then another one is second on the same condition, and so
on. Those who stay tied are compared again among themselves, :data:`AGAIN` times in all. A forfeit
is a missing game in a Swiss. Players who met twice count the average of these games. It counts at
its first place in the order only.

**Average ratings** leave out unrated opponents, where C.07 wants a rule of the event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, get_args

from elo_xl.books.book import Book, Table
from elo_xl.books.front import SEPARATOR, Setting
from elo_xl.books.signs import BYES
from elo_xl.books.statements import with_places
from elo_xl.books.styles import LINE_SHARE
from elo_xl.books.text import wrapped_lines
from elo_xl.engine.tie_breaks import EDITIONS, Unplayed
from elo_xl.xlsx.formula import parse

PLACES: Final = 5
"""the number of tie-breaks that can be chosen"""

FIRST_PLACES: Final = 3
"""how many of them the last *Next round* has room for"""

MEANING: Final = 68
"""the width of what is said of a tie-break, in digits"""

AGAIN: Final = 4
"""how often direct encounter compares those who are still tied"""

KINDS: Final = {
    "NOTHING": 0,  # the round has not begun
    "PLAYED": 1,
    "FORFEIT_WON": 2,
    "FORFEIT_LOST": 3,
    "BYE": 4,  # with a full point: by the pairing
    "REQUESTED": 5,  # a bye with half a point or none, or not paired at all
    "UNFINISHED": 6,  # paired, without a result yet
}
"""What a round of a Swiss was for a player."""


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A tie-break: its texts and column have the key ``key``, and FIDE calls it ``code``.

    ``swiss`` and ``round_robin`` are its formulas in a row of the table ``Ties``. The larger is in
    front, from 0 to less than the first of ``rooms``, or the second where a win counts 3 points;
    ``decimals`` are those that it is shown with.
    """

    key: str
    code: str
    swiss: str = ""
    round_robin: str = ""
    decimals: int = 0
    rooms: tuple[int, int] = (25, 25)


def _average(sum_of: str, count: str) -> str:
    return f"IF({count} = 0, 0, ROUND({sum_of} / MAX({count}, 1), 0))"


_BUCHHOLZ: Final = 180, 508
"""its room: 13 opponents with 13 points, or 39"""

TIE_BREAKS: Final = (
    # direct encounter is the first of the list: its columns need all others
    TieBreak("de", "DE", "0", "0", rooms=(201, 201)),
    TieBreak(
        "win", "WIN", "SUMPRODUCT(--(scored = FULL))", "SUMPRODUCT((scored = FULL) * active_across)"
    ),
    TieBreak("won", "WON", "SUMPRODUCT((kinds = PLAYED) * (scored = FULL))"),
    TieBreak(
        "bpg",
        "BPG",
        "SUMPRODUCT((kinds = PLAYED) * black)",
        "SUMPRODUCT(black * active_across * was_rated)",
    ),
    TieBreak(
        "bwg",
        "BWG",
        "SUMPRODUCT((kinds = PLAYED) * black * (scored = FULL))",
        "SUMPRODUCT(black * active_across * was_rated * (scored = FULL))",
    ),
    TieBreak("rep", "REP", "begun - SUMPRODUCT((kinds = FORFEIT_LOST) + (kinds = REQUESTED))"),
    TieBreak(
        "ps",
        "PS",
        "SUMPRODUCT(scored * (begun + 1 - numbers) * (numbers <= begun))",
        "SUMPRODUCT((past_last - met_in_round) * active_across, scored)",
        1,
        (200, 274),
    ),
    TieBreak("bh", "BH", "SUMPRODUCT(counts)", "", 1, _BUCHHOLZ),
    TieBreak("bh_c1", "BH-C1", "bh - counted_by(low1)", "", 1, _BUCHHOLZ),
    TieBreak("bh_c2", "BH-C2", "bh_c1 - counted_by(low2)", "", 1, _BUCHHOLZ),
    TieBreak(
        "bh_m1", "BH-M1", "bh_c1 - SUMPRODUCT(MAX(counts * (keyed > low1)))", "", 1, _BUCHHOLZ
    ),
    TieBreak(
        "bh_m2",
        "BH-M2",
        "IF({rounds} < 2, 0, bh_c2 - SUMPRODUCT(LARGE(counts * (keyed > low2), {1,2})))",
        "",
        1,
        _BUCHHOLZ,
    ),
    TieBreak(
        "sb",
        "SB",
        "SUMPRODUCT(counts, scored)",
        "SUMPRODUCT(scored, active_across, points_across)",
        2,
        (180, 1522),
    ),
    TieBreak(
        "ks",
        "KS",
        "",
        "SUMPRODUCT(active_across * (points_across >= FULL * (SUM(active_across) - cycles) / 2),"
        " scored)",
        1,
    ),
    TieBreak(
        "aro",
        "ARO",
        _average(
            "SUMPRODUCT((met >= 1000) + 0, ratings_met)",
            "SUMPRODUCT((met >= 1000) * ISNUMBER(ratings_met))",
        ),
        _average(
            'SUMIFS(rating_across, rated_scores, ">=0", active_across, 1)',
            'COUNTIFS(rated_scores, ">=0", active_across, 1)',
        ),
        rooms=(4001, 4001),
    ),
    TieBreak("tpr", "TPR", "MAX(ROUND(N(Ratings[@performance]), 0), 0)", "", rooms=(5000, 5000)),
)
"""All of them, in the order of the list."""

_ROUNDS: Final = """
pieces
    # of a line of a round: the opponent, and what the sign says to White or to Black
    as_white(line, seconds, signs) = (INDEX(seconds, line) * 10000
        + INDEX(Views[worth], 3 + MAX(INDEX(signs, line), 0)))
    as_black(line, firsts, signs)  = (INDEX(firsts, line) * 10000
        + INDEX(Views[worth], BLACK + MAX(INDEX(signs, line), 0)))
    adjusted_of(who)  = INDEX(Ties[adjusted], who)
    # the contribution that a place in the order of what is cut stands for
    counted_by(low)   = ROUND(MOD(low + 1000, 1000), 2)
    # games against those of the same rank, each a part of all between the two
    games_of(ranks, own) = ((LOOKUP(INT(met / 1000) + (met < 1000), Ties[no], ranks) = own)
        * (met >= 1000) / COUNTIF(met, met))

sheet steps hidden
    # what a round can be, see the column of codes
    table Views rows:{views}
        no      0 quiet     = row_number
        base    0 quiet text:code
        worth   0 text:code = IF(kind = BYE, base + 10 * (bye_half - half), base)
        said    left quiet heading:none
        # a reference to a blank cell would give 0
        seen    left        = IF(OR(kind = BYE, AND(kind = REQUESTED, half > 0)), t.bye & " "
            & CHOOSE(half_points(worth) + 1, "0", IF(THREE, "1", "½"), FULL), said & "")
    names
        kind = MOD(base, 10)
        half = half_points(base)
"""

_OF_ROUNDS: Final = """
        code{r}     0 7 heading:{r} over:block_code = IFERROR(
            as_white(MATCH(no, Pairings.{r}[first], 0), Pairings.{r}[second], Pairings.{r}[sign]),
            IFERROR(
            as_black(MATCH(no, Pairings.{r}[second], 0), Pairings.{r}[first], Pairings.{r}[sign]),
            IF(AND(name <> "", cell(RoundList, "paired", {r}) > 0), UNPAIRED, 0)))
"""

_BY_ROUNDS: Final = """
        adjusted    0.0             = IF(name = "", "", points + IF(VIRTUAL,
            SUMPRODUCT((kinds > PLAYED) * (kinds < UNFINISHED) * (HALF - scored)),
            SUMPRODUCT((kinds = REQUESTED)
            * (numbers > SUMPRODUCT(MAX(numbers * (kinds <> NOTHING) * (kinds <> FORFEIT_LOST)
            * (kinds <> REQUESTED)))) * (HALF - scored))))
        met{r}      0 7 heading:{r} over:block_met = IF(
            OR({r} > counted_to, MOD(MOD(code{r}, 10), UNFINISHED) = NOTHING), 0,
            IF(MOD(code{r}, 10) = PLAYED,
                INT(code{r} / 10000) * 1000 + adjusted_of(INT(code{r} / 10000)),
            IF(VIRTUAL, SUMPRODUCT(worth_of(half_points(code1:code{r}))) + (begun - {r}) * HALF
                + FULL - 2 * worth_of(half_points(code{r})),
                MIN(points, IF(CAPPED, IF(code{r} < 10000, begun * HALF,
                    adjusted_of(INT(code{r} / 10000))), points)))))
        low1        0.0             = SUMPRODUCT(SMALL(keyed, 1))
        low2        0.0             = IF({rounds} < 2, 1000, SUMPRODUCT(SMALL(keyed, 2)))
"""

_EACH_ROUND: Final = """
    names
        codes       = code1:code{rounds} * rounds_counted
        kinds       = MOD(codes, 10)
        scored      = worth_of(half_points(codes))
        black       = (MOD(codes, 10000) >= 100 * (BLACK - 1))
        met         = met1:met{rounds}
        counts      = MOD(met, 1000)
        ratings_met = LOOKUP(INT(met / 1000) + (met < 1000), Counted[no], Counted[rating])
        # what is cut first is the smallest: voluntary unplayed rounds before all others
        keyed       = (counts + numbers / 1000000
            - 1000 * ((kinds = FORFEIT_LOST) + (kinds = REQUESTED)) * NOT(VIRTUAL)
            + 1000 * ((kinds = NOTHING) + (kinds = UNFINISHED)))
"""

_OPPONENTS: Final = """
pieces
    games_of(ranks, own) = (LOOKUP(numbers, Ties[no], ranks) = own) * ISNUMBER(scored){part}
"""

# each game against somebody is a part of all that have been played against them
_PART: Final = ' / (COUNTIFS(opponent_across, numbers, scored, ">=0") + 1 - ISNUMBER(scored))'

_OF_OPPONENTS: Final = """
    names
        scored       = Points[@v1:{last_v}]
        rated_scores = Scores[@v1:{last_v}]
        signs        = Final[@v1:{last_v}] * (Final[@v1:{last_v}] > 0)
        was_rated    = LOOKUP(signs + (signs = 0), Result_numbers, Result_rated) * (signs > 0)
        met_in_round = ABS(Met[@v1:{last_v}])
        black        = (Met[@v1:{last_v}] < 0)
"""

_TIES: Final = """
pieces
    tied_with(ranks, own)         = COUNTIF(ranks, own)
    above(ranks, own, all, value) = COUNTIFS(ranks, own, all, ">" & value)

sheet ties hidden freeze:points
    {note_lines}
    table Chosen rows:{places_chosen} gap:0
        no       0 quiet                 = row_number
        name     left text:tie_break         = by_row({settings})
        number   0 quiet text:tie_number     = IF(name = "", 0,
            IFERROR(MATCH(name, Tie_names, 0), 0))
        room     0 quiet text:values     = CHOOSE(number + 1, 1, {rooms})
        weight   0 quiet                 = IF(row_number = {places_chosen}, 1,
                                              weight.next * room.next)
        before   0 quiet text:before_direct = IF(no < direct, weight, 0)
    cells
        {begun_lines}
        direct   0 quiet                 = IFERROR(MATCH(1, Chosen[number], 0), 0)
        # the edition of C.07: its number, 0 for a day before the oldest
        edition  0 quiet text:edition = IF(Tie_break_edition = "",
            SUMPRODUCT(--(event_day >= {edition_days})),
            IFERROR(MATCH(Tie_break_edition, {edition_names}, 0), 0))
    # what each tie-break counts: in all, and before direct encounter
    table Weights rows:2
        w{f}     0 quiet heading:none    = SUMIF(Chosen[number], {f},
                                               by_row(Chosen[weight], Chosen[before]))
    {counting_lines}
    table Ties rows:size gap:2
        no            0 quiet             = row_number
        name          left strong 34      = Counted[@name]
        {rounds_of_lines}
        points        0.0                 = IF(name = "", "", points_of_row)
        {own_lines}
        {figure_lines}
        before        0 quiet text:before_direct = IF(AND(direct > 0, counts_here), all(2), "")
        rank0         0 quiet             = IF(before = "", "", RANK(before, Ties[before]))
        each i
            got{i}        0.0 quiet over:block_direct heading:{i} = cases(rank{i-1} = "", "",
                COUNTIF(Ties[rank{i-1}], rank{i-1}) < 2, "",
                ROUND(SUMPRODUCT(games_of(Ties[rank{i-1}], rank{i-1}), scored), 6))
            most{i}       0.0 quiet heading:{i} over:block_most = IF(got{i} = "", "", ROUND(got{i}
                + FULL * (tied_with(Ties[rank{i-1}], rank{i-1}) - 1
                - SUMPRODUCT(games_of(Ties[rank{i-1}], rank{i-1}) + 0)), 6))
            loose{i}      0.0 quiet heading:{i} over:block_loose = cases(got{i} = "", -1,
                COUNTIFS(Ties[rank{i-1}], rank{i-1}, Ties[most{i}], ">=" & got{i}) - 1
                    > above(Ties[rank{i-1}], rank{i-1}, Ties[got{i}], got{i}), got{i}, -1)
            rank{i}       0 quiet heading:{i} over:block_rank = IF(got{i} = "", rank{i-1},
                rank{i-1} + above(Ties[rank{i-1}], rank{i-1}, Ties[got{i}], IF(
                SUMIFS(Ties[most{i}], Ties[rank{i-1}], rank{i-1})
                    = SUMIFS(Ties[got{i}], Ties[rank{i-1}], rank{i-1}), got{i}, MAX(got{i},
                SUMPRODUCT(MAX((Ties[rank{i-1}] = rank{i-1}) * (Ties[loose{i}] + 1))) - 1))))
        de            0 "DE"              = cases(rank0 = "", "",
            tied_with(Ties[rank0], rank0) = 1, "", rank{again} - rank0 + 1)
        key           0 quiet             = IF(counts_here, all(1)
            - IF(direct = 0, 0, N(de) * INDEX(Chosen[weight], MAX(direct, 1))), "")
    pieces
        # points and tie-breaks in one number
        all(row) = (points * cell(Chosen, "weight", 1) * cell(Chosen, "room", 1)
            + SUMPRODUCT({first_figure}:{last_figure},
                cell(Weights, "w2", row):cell(Weights, "w{last_number}", row)))
    {more_lines}
"""

# Somebody who can be reached leaves the order open from their points down. Who has more is
# certain of their place, by how many have more points; all others share the next one.
_COUNTING: Final = """
    # 1 for the rounds up to the one that the standings are of
    table Counting rows:1
        c{r}     0 quiet heading:none    = IF({r} <= counted_to, 1, 0)
"""

_LIST: Final = """
sheet tie_breaks wall tab:help stretch:meaning
    note about_tie_breaks
    note about_tie_breaks_more
    table TieBreaks rows:ties
        code        @ center
        tie_break   left strong name:Tie_names
        meaning     paragraph left {width}
"""


USUAL: Final = "1 – ½ – 0"
THREE: Final = "3 – 1 – 0"
"""what a win, a draw and a loss may count"""

_POINTS: Final = """
pieces
    # a round of 0, 1 or 2 halves of a win in points, and the halves of a code of a round
    worth_of(half)    = half * IF(THREE, 1 + half, 1) / 2
    half_points(code) = MOD(INT(code / 10), 10)
"""


def settings(book: Book, system: str, *keys: str) -> list[Setting]:
    """The choice on the first sheet, by default of the tie-breaks with these keys, in order."""
    listed = tuple(book.say(f"tie_{t.key}") for t in TIE_BREAKS if getattr(t, system))
    for place in range(1, PLACES + 1):
        for text in ("setting", "prompt", "error"):
            said = book.say(f"{text}_tie_break", place=place)
            book.texts[f"{text}_tie_break_{place}"] = said
    defaults = [*(book.say(f"tie_{key}") for key in keys), *[None] * PLACES]
    return [
        Setting(
            f"Tie_break_{place}",
            f"tie_break_{place}",
            default,
            choices=listed,
            listed="Tie_names",
            wrong=_typed_above(place),
        )
        for place, default in enumerate(defaults[:PLACES], start=1)
    ]


def counting_settings(book: Book, *, byes: bool) -> list[Setting]:
    """The edition of the tie-breaks, what games count, and, if there are ``byes``, those of the
    pairing. Formulas read the points of a win, ``FULL``, and of a draw, ``HALF``.

    They are the last on the first sheet, so that the settings of older books stand where they did.
    """
    as_games = tuple(book.say(f"sign_{result}") for result in ("win", "draw", "loss"))
    book.read(_POINTS, "points")
    book.names |= {
        "THREE": f'(Game_points = "{THREE}")',
        "FULL": "IF(THREE, 3, 1)",
        "HALF": "IF(THREE, 1, 0.5)",
        "bye_half": "cases(Bye_counts = t.sign_draw, 1, Bye_counts = t.sign_loss, 0, 2)",
        # digits of a number in which points and the chosen tie-breaks stand side by side
        "no_room": 'AND(THREE, 120 * cell(Chosen, "weight", 1) * cell(Chosen, "room", 1) > 2 ^ 53)',
    }
    return [
        Setting("Tie_break_edition", "tie_break_edition", choices=_TITLES),
        Setting("Game_points", "game_points", choices=(USUAL, THREE), wrong="no_room"),
        *([Setting("Bye_counts", "bye_counts", choices=as_games)] if byes else ()),
    ]


_TITLES: Final = [f"C.07 {name}" for name in EDITIONS]
"""Editions as they are chosen: a month alone would become a day in a cell."""


def _editions(book: Book) -> dict[str, str]:
    """Declare what formulas read of the edition; returns its days and titles as constants."""

    def counting(way: Unplayed) -> str:
        numbers = [n for n, e in enumerate(EDITIONS.values(), start=1) if e.unplayed == way]
        # before the oldest the oldest holds
        return f"AND(edition >= {numbers[0] if numbers[0] > 1 else 0}, edition <= {numbers[-1]})"

    titles = [f'"{title}"' for title in _TITLES]
    book.names |= {way.upper(): counting(way) for way in get_args(Unplayed)}
    book.names["edition_said"] = f"CHOOSE(edition + 1, t.edition_unknown, {', '.join(titles)})"
    book.names["event_day"] = (
        "cases(N(Dates) > 9999, N(Dates), N(Dates) + N(List_year) = 0, 99999, "
        "DATE(IF(N(Dates) > 0, N(Dates), N(List_year)), 12, 31))"
    )
    days = (str((e.since - date(1899, 12, 30)).days) for e in EDITIONS.values())
    return {"edition_days": f"{{{';'.join(days)}}}", "edition_names": f"{{{';'.join(titles)}}}"}


def _typed_above(place: int) -> str:
    """Whether the tie-break of a place has one of the places before it already."""
    name = f"Tie_break_{place}"
    same = [f"Tie_break_{above} = {name}" for above in range(1, place)]
    return f'AND({name} <> "", OR({", ".join(same)}))' if same else ""


def swiss_tie_breaks(book: Book) -> None:
    """Write the sheets for a Swiss, from the rounds of the table ``Pairings``."""
    rounds = range(1, book.options.rounds + 1)
    begun = "SUMPRODUCT((RoundList[paired] > 0) * (RoundList[no] <= counted_to))"
    views = _views(book)
    book.names |= {
        "UNPAIRED": views[1]["base"],
        "OPEN_LINE": views[2]["base"],
        "BLACK": 3 + (len(views) - 2) // 2,
        "rounds_counted": f'cell(Counting, "c1", 1):cell(Counting, "c{len(rounds)}", 1)',
    }
    book.read(_ROUNDS, "ties", Views=views, views=len(views))
    _write(
        book,
        "swiss",
        rounds,
        rooms={},
        notes=("about_ties", "about_ties_more", "about_ties_last"),
        points="SUMPRODUCT(scored)",
        counts='name <> ""',
        lines={
            "begun": f"begun    0 strong                = {begun}",
            "counting": _COUNTING,
            "rounds_of": _OF_ROUNDS,
            "own": _BY_ROUNDS,
            "more": _EACH_ROUND,
        },
    )


def _views(book: Book) -> list[dict[str, str | int]]:
    """What a round can be for a player: its text in a crosstable, and its part of a code.

    A code is the opponent times 10,000, the number of the view from 0 times 100, the half points
    times 10, and one of :data:`KINDS`.
    """
    say, signs = book.say, book.rows_of("Signs").values()
    nothing, unpaired = ("", 0.0, "NOTHING"), ("–", 0.0, "REQUESTED")
    sides = [
        [(letter, 0.0, "UNFINISHED"), *(_view(say, row, letter, mine) for row in signs)]
        for letter, mine in ((say("white_letter"), True), (say("black_letter"), False))
    ]
    return [
        {"said": seen, "base": 100 * number + int(20 * points) + KINDS[kind]}
        for number, (seen, points, kind) in enumerate((nothing, unpaired, *sides[0], *sides[1]))
    ]


def _view(
    say: Callable[[str], str], sign: Mapping[str, Any], letter: str, mine: bool
) -> tuple[str, float, str]:
    """The text of a sign for White or, if it is not ``mine``, for Black; points, kind."""
    points = sign["points" if mine else "others"]
    if sign["sign"] in BYES:
        return "–", points, "BYE" if points == 1 else "REQUESTED"
    shown = str(sign["sign" if mine else "mirror"])
    if sign["rated"]:
        return letter + shown, points, "PLAYED"
    return shown, points, "FORFEIT_WON" if points > 0 else "FORFEIT_LOST"


def round_robin_tie_breaks(book: Book, last: str) -> None:
    """Write the sheets for a round robin, from the tables ``Points``, ``Scores``, ``Final`` and
    ``Met``, which have a column for each game against each opponent, up to the key ``last``."""
    size, cycles = book.options.players, book.options.rounds
    book.read(_OPPONENTS, "ties", part=_PART if cycles > 1 else "")
    _write(
        book,
        "round_robin",
        [number for number in range(1, size + 1) for _ in range(cycles)],
        rooms=_rooms(size, cycles),
        notes=("about_ties",),
        points="Points[@total]",
        counts="Counted[@active] = 1",
        lines={"more": _OF_OPPONENTS},
        last_v=last,
    )


def _room(usual: int, three: int) -> str:
    """The formula of a room."""
    return str(usual) if usual == three else f"IF(THREE, {three}, {usual})"


def _rooms(players: int, cycles: int) -> dict[str, tuple[int, int]]:
    """The room for tie-breaks of a round robin, which grow with the number of games.

    Half a point is more than any of them, and a quarter of a Sonneborn–Berger score more than a
    place of direct encounter; what else comes after such a score differs less among players with
    the same points. They are no larger, so that any five of them fit into the digits of a number:
    for 30 players, for 20 in two cycles and for ten in four.
    """
    games, rounds = cycles * (players - 1), cycles * (players - 1 + players % 2)
    return {
        # there are no halves, nor quarters, where a win counts 3 points
        "de": (4 * players + 1, players + 1),
        "win": (2 * games + 1, games + 1),
        "ks": (2 * games + 1, 3 * games + 1),
        # nobody has Black more often than in half of the rounds
        **dict.fromkeys(("bpg", "bwg"), 2 * (cycles * players + 1,)),
        "ps": (rounds * (rounds + 1) + 1, 3 * rounds * (rounds + 1) // 2 + 1),
        # all points of the others, once a cycle
        "sb": (cycles * games * players + 1, 9 * cycles * games * players // 2 + 1),
    }


def _write(
    book: Book,
    system: str,
    numbers: Sequence[int],
    *,
    rooms: Mapping[str, tuple[int, int]],
    notes: Sequence[str],
    points: str,
    counts: str,
    lines: Mapping[str, str],
    last_v: str = "",
) -> None:
    """Write the table of all tie-breaks, and the list of those that can be chosen.

    ``numbers`` are those of the rounds, or of the opponents in a round robin. ``rooms`` are those
    of tie-breaks that need other ones than they say themselves. ``points`` is the
    formula of a player's points, ``counts`` the test whether they take part. ``lines`` are what the
    system adds to the tables: ``rounds_of`` and ``own`` before the points and before the
    tie-breaks, ``begun`` and ``counting`` above, ``more`` behind all columns.
    """
    listed = [t for t in TIE_BREAKS if getattr(t, system)]
    figures = listed[1:]
    book.names["figures"] = f"Ties[{figures[0].key}:{figures[-1].key}]"
    figure = "{key} {number} {code} = IF(name = {blank}, {blank}, {formula})"
    columns = (
        figure.format(
            key=t.key,
            number="0." + t.decimals * "0" if t.decimals else "0",
            code=f'"{t.code}"',
            formula=getattr(t, system),
            blank='""',
        )
        for t in figures
    )
    # every column stands behind those that it reads: LibreOffice computes neighbours together, and
    # with several threads too early
    book.read(
        _TIES,
        "ties",
        begun_lines=lines.get("begun", ""),
        counting_lines=lines.get("counting", ""),
        rounds_of_lines=lines.get("rounds_of", ""),
        own_lines=lines.get("own", ""),
        more_lines=lines.get("more", ""),
        last_v=last_v,
        r=numbers,
        f=range(2, len(listed) + 1),
        i=range(1, AGAIN + 1),
        figure_lines="\n".join(columns),
        note_lines="\n".join(f"note {key}" for key in notes),
        places_chosen=PLACES,
        settings=", ".join(f"Tie_break_{k}" for k in range(1, PLACES + 1)),
        rooms=", ".join(_room(*rooms.get(t.key, t.rooms)) for t in listed),
        first_figure=figures[0].key,
        last_figure=figures[-1].key,
        last_number=len(listed),
        numbers=f"{{{','.join(map(str, numbers))}}}",
        points_of_row=points,
        counts_here=counts,
        rounds=len(numbers),
        again=AGAIN,
        **_editions(book),
    )
    rows = [
        {
            "code": t.code,
            "tie_break": book.say(f"tie_{t.key}"),
            "meaning": book.say(f"tie_{t.key}_what"),
        }
        for t in listed
    ]
    book.read(_LIST, "tie_breaks", TieBreaks=rows, ties=len(rows), width=MEANING)
    said = [
        f'IF(cell(Chosen, "number", {k}) = 0, "", "{SEPARATOR}" & {chosen(k)}'
        f' & " " & cell(Chosen, "name", {k}))'
        for k in range(1, PLACES + 1)
    ]
    edition = f'IF(SUM(Chosen[number]) = 0, "", "{SEPARATOR}" & edition_said)'
    three = f'IF(THREE, "{SEPARATOR}" & Game_points, "")'
    every, first = [three, *said, edition], said[:FIRST_PLACES]
    for name, ties in (("ties_said", every), ("first_ties_said", first)):
        book.names[name] = f"MID({' & '.join(ties)}, {len(SEPARATOR) + 1}, 500)"
    table = book.tables["TieBreaks"]
    for at, row in enumerate(rows):
        table.sheet.height(table.first + at, wrapped_lines(row["meaning"], MEANING / LINE_SHARE))


CHOSEN: Final = (
    'IF(cell(Chosen,"number",{k})>0,INDEX(TieBreaks[code],MAX(cell(Chosen,"number",{k}),1)),"")'
)
"""The code of a chosen tie-break: columns of which none is chosen still take room on paper in
LibreOffice, so all are narrow."""


CHOSEN_COLUMNS: Final = f"""
        tie{{k}} 0 center 7 optional:{CHOSEN} = cases(cell(Chosen, "number", {{k}}) = 0, "",
            cell(Chosen, "number", {{k}}) = 1, in_place(Ties[de]), IFERROR(INDEX(figures,
            MATCH(place, Counted[place], 0), cell(Chosen, "number", {{k}}) - 1), ""))
"""
"""Lines of columns for standings: the chosen tie-breaks of the player in a place.

Those of which none is chosen are neither seen nor printed.
"""


def chosen(k: int) -> str:
    """The formula of the code of the tie-break in a place."""
    return with_places(CHOSEN, {"k": k})


def name_chosen(table: Table) -> None:
    """Give the columns of the chosen tie-breaks the decimals of what is chosen."""
    for k in range(1, PLACES + 1):
        show_decimals(table, f"tie{k}")


def show_decimals(table: Table, key: str) -> None:
    """Give a column the decimals of the tie-break whose code is its heading.

    A rule of a look cannot read another sheet.
    """
    heading = table.sheet.cells(table.header, table.at[key])
    for decimals, look in ((1, "one_decimal"), (2, "two_decimals")):
        codes = (tie.code for tie in TIE_BREAKS if tie.decimals == decimals)
        shown = ", ".join(f'{heading.address} = "{code}"' for code in codes)
        table.mark(key, look, parse(f"OR({shown})"))
