"""``rated-event``: the workbook of ``elo-xl rate``: an event as its file has it, and what follows.

Sheets: the first one, *Players* and *Games* (what the file says; a line for each game, forfeit or
bye), *Rating list*, *Ratings* (K with its reason), *First ratings* step by step, *Gains and losses*
with the chart, *Crosstable*, *Why* for one player, *Each game*, *Rules*, *Signs* and *Steps*.
Whatever is corrected on the first three, ranks, K factors, ratings and first ratings follow. Under
rules that cells cannot follow it is the book of :mod:`.values`.

The number of a row of *Players* is the player's starting number: numbers that nobody has are blank
rows. Where most of them would be blank, players are numbered in the order of their numbers.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from elo_xl.books.book import Book, Formula, Options
from elo_xl.books.front import Setting, front
from elo_xl.books.model import Content, Row
from elo_xl.books.rules import first_steps
from elo_xl.books.signs import BYES, PAIRED, results
from elo_xl.engine.results import PENALTIES, ROUND_CODES, UNRATED
from elo_xl.events.event import Player, Tournament
from elo_xl.events.rate import RatedEvent
from elo_xl.languages import ENGLISH
from elo_xl.questions.norms.sheet import event_norms, norms_sheet
from elo_xl.questions.rate.values import chosen, values_book
from elo_xl.templates.blocks.games import each_game, why
from elo_xl.templates.blocks.players import (
    EVENT_SETTING,
    FIRST,
    YEAR,
    YEAR_SETTING,
    counted,
    players,
)
from elo_xl.templates.blocks.ratings import ClauseLine, gains_and_losses, ratings, rule_sheet
from elo_xl.templates.blocks.typed_games import numbered_games
from elo_xl.xlsx.files import write_whole

SIGNS: Final = (*PAIRED, *PENALTIES, *UNRATED, *BYES)

MOST_ROUNDS: Final = 250
MOST_CELLS: Final = 40_000
MOST_GAMES: Final = 20_000
"""Rounds, cells of the crosstable and games, beyond which there are values in place of formulas."""

SPARE: Final = 3
"""Rows for players who turn out to be unrated."""

STEPS: Final = 16
"""of the way to the rating whose expected score is a given one"""

SOLVED: Final = f"Roots[@at{STEPS}]"
FIRST_SOLVED: Final = f"""IF(OR(name = "", rating <> "", {SOLVED} = ""), "",
    cases(rules.first.whole, ROUND({SOLVED}, 0), {SOLVED}))"""

GAMES: Final = """
pieces
    # K factors that are given are limited like those of the rules
    typed_k(typed) = cases(rules.k.most_points = "", typed,
        typed * games > rules.k.most_points, INT(rules.k.most_points / games), typed)
    typed_reason(typed) = cases(rules.k.most_points = "", t.reason_typed, k < typed,
        t.reason_typed & "; " & t.reason_lowered(most = rules.k.most_points), t.reason_typed)

    stands_at(no)    = (SUMIFS(before[line], before[round], round, before[first], no)
                      + SUMIFS(before[line], before[round], round, before[second], no))
    stands(no)       = stands_at(no) > 0
    # a text of the player whom the row is about
    text_of(column)  = IFERROR(INDEX(column, who) & "", "")
"""

PLAYED_COLUMNS: Final = """
        points_a    0.0 quiet helper text:points        = points_of(Result_points)
        points_b    0.0 quiet helper text:others        = points_of(Result_others)
        played      0 quiet helper                      = IF(second > 0, points_of(Result_rated), 0)
"""

TOTALS: Final = """
sheet ratings
    totals
        name        = t.total
        games       = SUM(Ratings[games])
        score       = SUM(Ratings[score])
        expected    = ROUND(SUM(Ratings[expected]), 6)
        change      = ROUND(SUM(Ratings[change]), 6)
"""

CROSS: Final = """
pieces
    # an opponent's rating where the game counts, else 0
    rating_if(score, rating) = IF(score = "", 0, N(rating))

sheet steps hidden
    table Rounds rows:size
        no          0 quiet             = row_number
        name        left                = Counted[@name]
        ?filed_rank filed_rank 0
        ?filed filed 0.0
        points      0.0                 = IF(name = "", "", SUMIF(Games[first], no, Games[points_a])
                                                + SUMIF(Games[second], no, Games[points_b]))
        rank_key    0 text:key          = IF(name = "", "",
            100000 * points + by_filed_rank)
        key         0                   = IF(name = "", "", 10000 * rank_key + N(Counted[@rating]))
        place       0                   = order(key, Rounds[key], upto[key])
        line{r}     0 5 heading:{r} over:block_line = IF(name = "", 0,
            IFERROR(before{r} + MATCH(no, first{r}, 0),
                    IFERROR(-before{r} - MATCH(no, second{r}, 0), 0)))
        seen{r}     left 6 heading:{r} over:block_seen = cases(line{r} = 0, "",
            line{r} > 0, IF(INDEX(Games[second], line{r}) = 0, "", INDEX(Games[second], line{r}))
                & INDEX(Games[seen_a], line{r}),
            INDEX(Games[first], -line{r}) & INDEX(Games[seen_b], -line{r}))
        met{r}      0 5 heading:{r} over:block_met = cases(line{r} = 0, 0,
            line{r} > 0, rating_if(INDEX(Each[score_a], line{r}), INDEX(Each[rating_b], line{r})),
            rating_if(INDEX(Each[score_b], -line{r}), INDEX(Each[rating_a], -line{r})))

sheet cross freeze:rating stretch:name
    note about_cross
    note about_cross_more
    ?filed_rank note about_filed
    table Cross rows:size
        place       0 quiet             = row_number
        rank        0 center strong     = of(RANK(INDEX(Rounds[rank_key], who), Rounds[rank_key]))
        no          0 quiet             = of(who)
        ?with_title title @ center          = text_of(Players[title])
        name        left strong         = of(INDEX(Counted[name], who))
        ?with_federation federation @ center    = text_of(Players[federation])
        rating      0                   = of(INDEX(Counted[rating], who))
        seen{r}     center 6 heading:{r} over:block_round = of(INDEX(Rounds[seen{r}], who))
        points      0.0 strong          = of(INDEX(Rounds[points], who))
        ?filed filed 0.0               = of(INDEX(Rounds[filed], who))
        counts{r}   0 quiet helper 4 heading:{r} over:block_counts = of(
            IF(INDEX(Rounds[met{r}], who) > 0, 1, 0))
    names
        who = MATCH(place, Rounds[place], 0)
    pieces
        of(value) = IFERROR(value, "")
    marks
        place:{last} leader rank = 1
"""

FIRST_RATINGS: Final = """
sheet steps hidden
    table Newcomers rows:size
        no          0 quiet     = row_number
        name        left        = Counted[@name]
        unrated     0           = IF(AND(name <> "", Counted[@rating] = ""), 1, 0)
        place       0           = IF(unrated = 1, SUM(upto[unrated]), 0)

sheet first freeze:games stretch:why
    note about_first
    table First rows:rows
        place       0 quiet                     = row_number
        no          0                           = IFERROR(MATCH(place, Newcomers[place], 0), "")
        name        left strong                 = if_new(INDEX(Counted[name], no))
        games       0 text:rated_games          = if_new(INDEX(Ratings[games], no))
        score       0.0                         = if_new(INDEX(Ratings[score], no))
        met         0                           = played_by(INDEX(Sums[met], no))
        {steps}
        first       {shown} strong              = if_new(INDEX(Ratings[new], no))
        why         left quiet text:reason      = cases(no = "", "", games = 0, t.why_none,
            games < rules.first.games, t.why_few(games = rules.first.games),
            IF(rules.first.zero_counts, FALSE, score = 0), t.why_zero,
            computed = "", t.endless, INDEX(Counted[first], no) < rules.first.floor,
            t.why_low(floor = rules.first.floor), t.why_good)
    pieces
        if_new(value)    = IF(no = "", "", value)
        played_by(value) = IF(N(games) = 0, "", value)
"""

STEPS_SHOWN: Final = {"average": "0.0", "percent": "0.00", "over": "+0", "dp": "+0"}
"""The number formats of the steps to a first rating that are not shown as ``0``."""

ROOTS: Final = """
pieces
    # chances against all opponents, their sum and its slope, at a rating
    chances(at) = cases(rules.curve = "normal",
        NORMSDIST((at - met) / (200 * SQRT(2))), 1 / (1 + 10 ^ ((met - at) / 400)))
    slopes(at)  = cases(rules.curve = "normal",
        EXP(-(((at - met) / 400) ^ 2)) / (400 * SQRT(PI())),
        LN(10) / 400 * 10 ^ ((met - at) / 400) / (1 + 10 ^ ((met - at) / 400)) ^ 2)
    nearer(at)  = IF(at = "", "", at + MAX(-200, MIN(200,
        (Ratings[@score] - SUMPRODUCT((met > 0) * chances(at)))
        / SUMPRODUCT((met > 0) * slopes(at)))))

sheet steps hidden
    table Roots rows:size
        no          0 quiet     = row_number
        name        left        = Counted[@name]
        at0         0.0 heading:0 over:block_root = IF(N(Ratings[@games]) = 0, "",
            IF(AND(Ratings[@score] > 0, Ratings[@score] < Ratings[@games]),
               performance(Sums[@met], Ratings[@games], Ratings[@score], 0), ""))
        at{i}       0.0 heading:{i} over:block_root = nearer(at{i-1})
    names
        met = Rounds[@met1:met{rounds}]
"""


def build(book: Book) -> None:
    """Declare all sheets; what the book holds decides on some columns and on their number."""
    rounds = book.options.rounds
    field, filed = book.content["Players"].values(), book.content["Rounds"].values()
    flags = {f"with_{key}": any(p[key] for p in field) for key in ("title", "federation", "id")}
    flags |= {key: any(key in row for row in filed) for key in ("filed_rank", "filed")}
    book.names.update(flags)
    front(
        book,
        EVENT_SETTING,
        YEAR_SETTING,
        *(Setting(*fact, locked=True) for fact in _facts(book) if book.content.get(fact[0])),
    )
    players(
        book,
        named=False,
        ordered="about_players",
        more=[
            "?with_title title @ center input",
            "?with_federation federation @ center input",
            "?with_id id @ center input",
        ],
    )
    norms = "norms" if book.content["Norms"].norms else ""
    sheets = f"games list ratings first gains cross why {norms} each rules signs"
    for key in sheets.split():
        book.sheet(key)
    first_solved = book.rules.first.solved
    performance_solved = book.rules.performance in ("normal", "logistic")
    counted(
        book,
        period_games="Ratings[@games]",
        order_key="Ratings[@new]",
        first_rating=FIRST_SOLVED if first_solved else FIRST,
    )
    lines = book.content["Games"]
    book.texts["endless"] = book.rules.first.endless.say(book.options.language)
    book.read(_SEEN_PIECES)
    book.read(GAMES)
    numbered_games(
        book,
        "games",
        rows=len(lines),
        line="line 0 center quiet 7 text:no",
        more=PLAYED_COLUMNS + _SEEN_COLUMNS,
    )
    results(book, SIGNS)
    each_game(book, len(lines), lines="Games", label='Games[@round] & "/" & Games[@line]')
    ratings(book, *([SOLVED] if performance_solved else []))
    book.read(TOTALS)
    _crosstable(book, [line["round"] for line in lines])
    if first_solved or performance_solved:
        book.read(ROOTS, i=range(1, STEPS + 1), rounds=rounds)
    _first_ratings(book, sum(player["rating"] is None for player in field))
    book.read(_LIST, "list")
    gains_and_losses(book)
    why(book, ahead=False)
    norms_sheet(book, book.content["Norms"])
    rule_sheet(book, book.content["Chosen"], list(_event_lines(book)))
    # who opens the file wants to see the new ratings
    book.sheets["list"].edits.append(lambda ws: setattr(ws.parent, "active", ws))


def _facts(book: Book) -> Iterator[tuple[str, str, None, str]]:
    yield "Event_place", "where", None, "@"
    yield "First_day", "first_day", None, book.date_format
    yield "Last_day", "last_day", None, book.date_format


def _event_lines(book: Book) -> Iterator[ClauseLine]:
    """What the sheet of the rules says about the event."""
    say = book.say
    average = 'IF(COUNT(Ratings[rating]) = 0, "", ROUND(AVERAGE(Ratings[rating]), 0))'
    yield say("label_played"), Formula("SUM(Games[played])")
    yield say("label_rated"), Formula("COUNT(Each[change_a])")
    yield say("label_others"), say("others")
    yield say("label_average"), Formula(average)
    for note in book.content["Notes"]:
        yield say("label_note"), note


_SEEN_PIECES: Final = """
pieces
    # a result as the crosstable shows it: the colour only of a game
    seen(colour, sign) = IF(OR(sign = "+", sign = "-", sign = "--"), "", colour) & sign
"""

_SEEN_COLUMNS: Final = """
        seen_b      center quiet helper                 = IF(second = 0, "", seen(t.black_letter,
            IF(sign <= 0, "", INDEX(Result_mirror, sign))))
        seen_a      center quiet helper                 = cases(first <= 0, "",
            second = 0, cases(sign <= 0, "", points_a = 0, "–", points_a = 0.5, t.bye & " ½",
                              t.bye & " 1"),
            seen(t.white_letter, IF(sign <= 0, "", INDEX(Result_mirror,
                sign_of(INDEX(Result_mirror, sign))))))
"""
"""Columns of a list of games, behind those of
:mod:`~elo_xl.templates.blocks.typed_games`: what Black's opponent and White's see of it."""


def _crosstable(book: Book, rounds: Sequence[int]) -> None:
    """The crosstable, which looks each round up among its lines; ``rounds`` are those of all
    lines."""
    games, all_rounds = book.tables["Games"], range(1, book.options.rounds + 1)
    for r in all_rounds:
        before = rounds.index(r)
        book.names[f"before{r}"] = before
        for key in ("first", "second"):
            top = games.column(key).at(before)
            cells = replace(top, rows=rounds.count(r))
            book.names[f"{key}{r}"] = cells.reference
    by_filed_rank = 'IF(filed_rank = "", 0, 9999 - filed_rank)'
    book.read(
        CROSS,
        r=all_rounds,
        by_filed_rank=by_filed_rank if book.names["filed_rank"] else 0,
        last="filed" if book.names["filed"] else "points",
    )
    for r in all_rounds:
        book.tables["Cross"].mark(f"seen{r}", "quiet", f"counts{r} = 0")


def _first_ratings(book: Book, unrated: int) -> None:
    """The sheet of those without a rating: some rows more, if a rating is taken away."""
    shown = str(book.usual_names["new_format"]) if book.rules.first.solved else "0"
    columns = [(key, STEPS_SHOWN.get(key, "0"), how) for key, how in first_steps(book.rules)]
    if "computed" not in dict(book.rules.first.steps):
        columns.append(("computed", shown, "INDEX(Counted[first], no)"))
    book.read(
        FIRST_RATINGS,
        rows=min(unrated + SPARE, book.options.players),
        shown=shown,
        steps="\n".join(f"{key} {form} = played_by({how})" for key, form, how in columns),
    )


def is_large(event: RatedEvent) -> bool:
    """Whether a workbook of formulas would take minutes to make and to open."""
    tournament = event.tournament
    rounds, players = tournament.rounds, len(tournament.players)
    return (
        rounds > MOST_ROUNDS or rounds * players > MOST_CELLS or len(tournament.games) > MOST_GAMES
    )


def why_values(event: RatedEvent) -> str:
    """Why the cells of a workbook hold values in place of formulas, by the key of its sentence;
    nothing where they hold formulas."""
    if not event.rules.linear:
        return "values"
    return "values_large" if is_large(event) else ""


def rated_event_book(event: RatedEvent, language: str = ENGLISH) -> Book:
    """The workbook of a rated event, worked out.

    Its cells hold values under a rulebook that they cannot follow, and for an event that is too
    large for them (:mod:`.values`).
    """
    if why := why_values(event):
        return values_book(event, why, language)
    content = event_content(event, language)
    options = Options(
        language=language,
        players=max(content["Players"], default=1),
        rounds=max(event.tournament.rounds, 1),
        rules=event.rules.name,
    )
    book = Book("rated-event", options, content)
    build(book)
    book.finish()
    return book


def write_rated_event(
    event: RatedEvent, path: str | os.PathLike[str], language: str = ENGLISH
) -> None:
    """Write the workbook of a rated event to ``path``, whole or not at all.

    The same event gives the same bytes: the file's date is the event's last day. Raises OSError
    naming ``path`` where it cannot be written.
    """
    tournament = event.tournament
    book = rated_event_book(event, language)
    write_whole(path, book.file(dated=tournament.end or tournament.start))


# -- the rating list, to print --------------------------------------------------------------------


_LIST: Final = """
sheet list upright stretch:name
    note about_list
    table List rows:size
        place   0 quiet                     = row_number
        no      0 quiet                     = IFERROR(who, "")
        ?with_title title @ center          = text_of(Players[title])
        ?with_federation federation @ center = text_of(Players[federation])
        name    left strong                 = in_place(Ratings[name])
        new     {new_format} strong         = in_place(Ratings[new])
        change  +0.00                       = in_place(Ratings[change])
        rating  0 text:before               = in_place(Ratings[rating])
        games   0 text:rated_games          = in_place(Ratings[games])
        after   0 quiet                     = IF(name = "", "",
            IF(AND(INDEX(Counted[games], who) = "", rating <> ""), "",
               N(INDEX(Counted[games], who)) + games))
        peak    {new_format} quiet text:peak_after = IF(name = "", "",
            MAX(new, rating, INDEX(Counted[peak], who)))
        shown                               = name <> ""
    names
        who = MATCH(place, Counted[place], 0)
"""


# -- what the file of an event says, as it is typed into the book ---------------------------------

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


def _numbers(field: tuple[Player, ...]) -> dict[int, int]:
    """The row of each player, by starting number."""
    numbers = sorted(player.number for player in field)
    if numbers and numbers[-1] <= len(numbers) + max(len(numbers), BLANK_NUMBERS):
        return {number: number for number in numbers}
    return {number: row for row, number in enumerate(numbers, start=1)}


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
