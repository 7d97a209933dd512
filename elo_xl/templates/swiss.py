"""``swiss``: an open tournament, its pairings typed round by round.

Sheets: the first one, *Players*, *Pairings* (numbers and results); for the wall *Pairing list*,
*Next round* (what each result would mean), *Standings*, *Crosstable*, *Rating changes*,
*Prizes* and *Prize money*; then *Ratings*, *Gains and losses* with the chart, *Why*, *Each game*,
*Signs*, *Tie-breaks* (those that can be chosen) and, both hidden, *Tie-break figures* (every round
of every player) and *Steps*. The order is by points and up to five tie-breaks, by default Buchholz
cut 1, Buchholz and Sonneborn–Berger; the module :mod:`~elo_xl.templates.blocks.tie_breaks` tells
how they count. Which round the pairings are of, and after which round the standings are, is typed
on the first sheet; by default it is the latest round with pairings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from elo_xl.books.book import Book, Constant, Content, Formula, Options, Row
from elo_xl.books.column_words import Look
from elo_xl.books.front import Setting, front
from elo_xl.books.names import by_row
from elo_xl.books.signs import BYES, PAIRED, results
from elo_xl.books.styles import WHOLE
from elo_xl.books.texts import texts
from elo_xl.templates.blocks.games import ahead, each_game, why
from elo_xl.templates.blocks.players import EVENT_SETTING, YEAR, YEAR_SETTING, counted, players
from elo_xl.templates.blocks.prizes import prizes, purse, purse_settings
from elo_xl.templates.blocks.ratings import gains_and_losses, ratings
from elo_xl.templates.blocks.tie_breaks import (
    CHOSEN,
    KINDS,
    PLACES,
    counting_settings,
    name_chosen,
    settings,
    swiss_tie_breaks,
)
from elo_xl.templates.blocks.typed_games import numbered_games
from elo_xl.templates.blocks.wall import START, START_SAID, WALL_SETTINGS, from_where, people
from elo_xl.templates.samples import MEMBERS, on_the_wall, rows, tie_breaks
from elo_xl.templates.samples import YEAR as SAMPLE_YEAR

ROUNDS: Final = """
commands
    publish standings
    pictures standings pairing_list cross
    boards PairingList white,rating_a,no_a black,rating_b,no_b number:chosen
    games Pairings rounds
        rank = IF(ISNUMBER(Counted[@key]), RANK(Counted[@key], Counted[key]), "")
    report "Individual: Swiss-System"
    page event
sheet steps hidden
    table RoundList rows:rounds
        no          0 quiet         = row_number
        lines       0               = {lines}
        paired      0               = {paired}
        told        0 text:result   = {told}
        missing     0               = {missing}
        # the games of all rounds down to this one
        until       0 text:rated_games = N(until.above) + {games}
    cells
        last_typed  0               = SUMPRODUCT(MAX((RoundList[lines] > 0) * RoundList[no]))
        last_paired 0               = SUMPRODUCT(MAX((RoundList[paired] > 0) * RoundList[no]))
        last_told   0 text:counted_to = SUMPRODUCT(MAX((RoundList[paired] > 0)
            * ((RoundList[told] > 0) + (RoundList[missing] = 0) > 0) * RoundList[no]))
        field       0               = filled(Players[name])
        chosen      0 text:chosen_round = IF(N(Pairings_round) > 0, Pairings_round, last_paired)
        # a round of which no game has a result counts for nobody, not even for a bye
        counted_to  0               = IF(N(Standings_round) > 0,
                                         MIN(Standings_round, last_paired), last_told)
    # the games of all rounds without the lines that are not in use
    table Played rows:rounds*half
        no          0 quiet         = row_number
        line        0 text:board    = IFERROR(MATCH(no, Pairings[turn], 0), 0)
        first       0 text:first_no = IF(line = 0, 0, INDEX(Pairings[first], line))
        second      0 text:second_no = IF(line = 0, 0, INDEX(Pairings[second], line))
        sign        0 text:sign_no  = IF(line = 0, 0, INDEX(Pairings[sign], line))
"""

COURSE: Final = """
sheet steps hidden
    # after each round a player's points, the colours of the games, and the floats of the last two
    # rounds: down against fewer points, or with points and no game, and up against more
    table Course rows:size
        no          0 quiet             = row_number
        points0     0.0 quiet heading:none = 0
        points{r}   0.0 text:points over:block_points heading:{r} = (points{r-1}
            + worth_of(half_points(Ties[@code{r}])))
        colours0    left quiet heading:none = ""
        colours{r}  left over:block_colours heading:{r} = colours{r-1} & IF(met(Ties[@code{r}]),
            IF(MOD(Ties[@code{r}], 10000) < 100 * (BLACK - 1), t.white_letter, t.black_letter), "")
        floats0     left quiet heading:none = "·"
        floats{r}   left over:block_floats heading:{r} = RIGHT(floats{r-1}, 1) & cases(
            NOT(met(Ties[@code{r}])), IF(points{r} > points{r-1}, "↓", "·"),
            points{r-1} > points_met(Course[points{r-1}], Ties[@code{r}]), "↓",
            points{r-1} < points_met(Course[points{r-1}], Ties[@code{r}]), "↑", "·")
        often0      0 quiet heading:none = 0
        often{r}    0 over:block_often heading:{r} = cases(
            RIGHT(colours{r}, 2) = REPT(t.white_letter, 2), 1,
            RIGHT(colours{r}, 2) = REPT(t.black_letter, 2), -1,
            ABS(others(colours{r}, t.black_letter) - others(colours{r}, t.white_letter)) < 2, 0,
            2 * SIGN(others(colours{r}, t.black_letter) - others(colours{r}, t.white_letter)))
    pieces
        met(code)               = OR(MOD(code, 10) = PLAYED,
                                     AND(MOD(code, 10) = UNFINISHED, code >= 10000))
        points_met(column, code) = INDEX(column, MAX(INT(code / 10000), 1))
        others(colours, letter) = LEN(SUBSTITUTE(colours, letter, ""))
"""

PAIRING_LIST: Final = """
sheet steps hidden
    # what a list of pairings says of a line without a result, and of one with each sign
    table Outcomes rows:outcomes
        no          0 quiet             = row_number
        said        center text:result
    table Lines rows:boards
        no          0 quiet         = row_number
        first       0 text:first_no     = IF(chosen = 0, 0, MAX(INDEX(Pairings[first], at), 0))
        second      0 text:second_no    = IF(chosen = 0, 0, INDEX(Pairings[second], at))
        order       0 text:place    = cases(first = 0, "", second = 0, 1000 + no, no)
    names
        at = (chosen - 1) * boards + no
    table Before rows:size
        no          0 quiet             = row_number
        points      0.0                 = IF(Counted[@name] = "", "", in_rounds(numbers < chosen))
        now         0.0 text:points     = IF(Counted[@name] = "", "", in_rounds(numbers <= chosen))
        idle        0                   = cases(OR(Counted[@name] = "", chosen = 0), "",
            INDEX(RoundList[paired], MAX(chosen, 1)) = 0, "",
            COUNTIF(Lines[first], no) + COUNTIF(Lines[second], no) > 0, "", no)
    pieces
        in_rounds(these) = SUMPRODUCT((these)
            * worth_of(half_points(Ties[@code1:code{last_round}])))

sheet pairing_list wall:pairing_title stretch:white
    table PairingList rows:room
        board       0 center quiet 7    = IF(no_b = "", "", line)
        no_a        0 quiet 5 text:no   = cases(line > 0, INDEX(Lines[first], line),
            row_number - COUNT(Lines[order]) > COUNT(Before[idle]), "",
            SMALL(Before[idle], row_number - COUNT(Lines[order])))
        white       left strong 19      = IF(AND(row_number = room, listed > room),
            "…", shown_of(People[name], no_a))
        rating_a    0 center 7 text:rating = shown_of(Counted[rating], no_a)
        points_a    0.0 center 7 text:points = shown_of(Before[points], no_a)
        result      center box 10       = cases(no_a = "", "", line = 0, "–", INDEX(Outcomes[said],
            1 + MAX(INDEX(Pairings[sign], (chosen - 1) * boards + line), 0)) & "")
        points_b    0.0 center 7 text:points = shown_of(Before[points], no_b)
        rating_b    0 center 7 text:rating = shown_of(Counted[rating], no_b)
        black       left strong 19      = IF(AND(line = 0, no_a <> ""), t.not_paired,
                                             shown_of(People[name], no_b))
        no_b        0 quiet 5 text:no   = cases(line = 0, "", INDEX(Lines[second], line) = 0, "",
                                                INDEX(Lines[second], line))
        line        0 quiet helper      = IF(row_number > COUNT(Lines[order]), 0,
                                             MOD(SMALL(Lines[order], row_number), 1000))
        shown                           = no_a <> ""
    names
        listed = COUNT(Lines[order]) + COUNT(Before[idle])
    pieces
        shown_of(column, who) = IF(who = "", "", INDEX(column, who))
    marks
        board:no_b  quiet               no_b = ""
"""

STANDINGS: Final = """
sheet standings wall:standings_title freeze:rating stretch:name
    note ties_said
    table Standings rows:size
        rank        0 center strong 7   = of(RANK(INDEX(Counted[key], no), Counted[key]))
        no          0 quiet             = IFERROR(MATCH(row_number, Counted[place], 0), "")
        name        left strong         = of(INDEX(People[name], no))
        {from_where}
        rating      0 center 7          = of(INDEX(Counted[rating], no))
        points      0.0 center strong   = of(INDEX(Ties[points], no))
        {tie_line}
        shown                           = no <> ""
    pieces
        of(value) = IF(no = "", "", value)
    marks
        rank:tie5   leader              rank = 1

sheet cross wall:cross_title freeze:rating stretch:name
    note note_cross
    table Cross rows:size
        rank        0 center strong 4   = Standings[@rank]
        no          0 quiet 4           = Standings[@no]
        name        left strong         = Standings[@name]
        rating      0 center 6          = Standings[@rating]
        points      0.0 center strong 6 = Standings[@points]
        seen{r}     center 5.2 optional:IF(counted_to>{r-1},{r},"") = IF(
            OR(no = "", {r} > counted_to), "", view(INDEX(Ties[code{r}], no)))
        shown                           = no <> ""
    pieces
        view(code) = (TEXT(INT(code / 10000), "0;;")
            & INDEX(Views[seen], 1 + MOD(INT(code / 100), 100) * (code <> OPEN_LINE)))
    marks
        rank:seen{rounds} leader        rank = 1

sheet changes wall:changes_title stretch:name
    table ChangeList rows:size
        rank        0 center strong 7   = Standings[@rank]
        no          0 quiet             = Standings[@no]
        name        left strong         = Standings[@name]
        {federation_line}
        rating      0 center 7          = of(INDEX(Ratings[rating], no))
        games       0 center text:rated_games = of(INDEX(Ratings[games], no))
        score       0.0 center          = of(INDEX(Ratings[score], no))
        expected    0.00 center         = of(INDEX(Ratings[expected], no))
        k           0 center text:factor = of(INDEX(Ratings[k], no))
        change      +0.00 center strong = of(INDEX(Ratings[change], no))
        new         {new_format} center strong = of(INDEX(Ratings[new], no))
        performance {performance_format} center = of(INDEX(Ratings[performance], no))
        shown                           = no <> ""
    pieces
        of(value) = IF(no = "", "", value)
    marks
        rank:performance leader         rank = 1
"""

TIE_VALUE: Final = """IF(cell(Chosen, "number", {k}) = 1, INDEX(Ties[de], no),
            INDEX(figures, no, cell(Chosen, "number", {k}) - 1))"""
"""The value of a chosen tie-break; an error where there is no player or no tie-break."""


def round_settings(book: Book) -> list[Setting]:
    """The choice of rounds on the first sheet."""
    return [
        Setting(name, key, None, WHOLE, 1, book.options.rounds)
        for name, key in (
            ("Pairings_round", "pairings_round"),
            ("Standings_round", "standings_round"),
        )
    ]


def count_rounds(book: Book, boards: int) -> None:
    """Write on *Steps* what there is of each round; ``boards`` are its lines in ``Pairings``."""
    rounds = range(1, book.options.rounds + 1)
    book.names["boards"] = boards

    def each(text: str) -> str:
        return by_row([text.format(f"Pairings.{r}") for r in rounds])

    book.read(
        ROUNDS,
        "rounds",
        rounds=len(rounds),
        half=book.options.players // 2,
        # a name that is typed begins a round, so nothing that is shown of rounds waits for results
        lines=each('COUNTIF({0}[first], "<>0") + filled({0}[black])'),
        paired=each('COUNTIF({0}[first], ">0")'),
        told=each('COUNTIFS({0}[second], ">0", {0}[sign], ">0")'),
        missing=each('COUNTIFS({0}[first], ">0", {0}[sign], 0)'),
        games=each('COUNTIF({0}[second], ">0")'),
    )
    missing = {
        "last": "INDEX(RoundList[missing], MAX(last_paired, 1))",
        "counted": "SUMPRODUCT((RoundList[no] <= counted_to) * RoundList[missing])",
    }
    for which, number in missing.items():
        book.names[f"missing_{which}"] = number
        book.names[f"{which}_said"] = (
            f'IF(missing_{which} = 0, "", t.missing_results & " " & missing_{which})'
        )
    book.names["before_chosen"] = "IF(chosen < 2, 0, INDEX(RoundList[until], chosen - 1))"
    book.names["event_over"] = f"AND(counted_to = {book.options.rounds}, missing_counted = 0)"


def above_pairings(book: Book) -> None:
    """Declare lines at the top of *Pairings*: a link to the round to type next, which says what
    that lacks, what to type, and how that round is paired by hand."""
    sheet = book.sheet("pairings")
    sheet.heading()
    link = Look("link", measure=False, bare=True)
    sheet.fill(sheet.cells(sheet.row, 1), Formula("latest_round"), link)
    sheet.height(sheet.row, 1.25)
    sheet.row += 1
    half = "INT(field / 2)"
    boards = f'" 1 – " & {half} + 1 & ", " & {half} + 2 & " – 2, 3 – " & {half} + 3 & " …"'
    first = f't.by_hand_first & IF(field < 6, "", {boards})'
    sheet.line(book.say("about_pairings"))
    sheet.line(Formula(f"IF(next_round > 1, t.by_hand, {first})"))
    sheet.line(book.say("about_white"))
    sheet.line(book.say("about_colours"))
    # where links to seven rounds each stood: the lists of older books stand where they did
    for _ in range(7, book.options.rounds, 7):
        sheet.heights[sheet.row] = 2.0
        sheet.row += 1


def link_round(book: Book) -> None:
    """Tell where the link leads: to the latest round, or, once that has all its results, to the
    first line of the next one."""
    table = book.tables["Pairings"]
    before, _, first = table.column("white").at(0).reference.rpartition("!")
    column, row = first.strip("$").split("$")
    book.names["next_round"] = (
        f"last_paired + (AND(missing_last = 0, last_paired < {book.options.rounds}) * 1)"
    )
    place = f'"#{before}!{column}" & ({row} + {table.group} * (next_round - 1))'
    waits = 'IF(last_said = "", "", " – " & last_said)'
    here = "IF(next_round > last_paired, t.type_here, t.go_to_round)"
    book.names["latest_round"] = f'HYPERLINK({place}, {here} & " " & next_round & {waits})'


def _outcome(row: Row) -> str:
    """What a list of pairings says of a line with a sign: of a game, both halves."""
    sign, mirror = (str(row[key]) for key in ("sign", "mirror"))
    dashed = ("–" if half.startswith("-") else half for half in (sign, mirror))
    return sign if sign in BYES else " : ".join(dashed)


def wall_sheets(book: Book) -> None:
    """Write all sheets that are pinned up."""
    people(book)
    after = '" " & t.after_round & " " & counted_to'
    waiting = 'IF(counted_said = "", "", " (" & counted_said & ")")'
    so_far = f'IF(event_over, "", IF(counted_to = 0, "", {after}) & {waiting})'
    book.names |= {f"{key}_title": f"t.sheet_{key} & {so_far}" for key in SO_FAR}
    book.names["standings_title"] = (
        f"IF(event_over, t.final_standings, t.sheet_standings) & {so_far}"
    )
    book.names["pairing_title"] = (
        't.sheet_pairing_list & IF(chosen = 0, "", ", " & t.in_round & " " & chosen)'
        f" & {START_SAID}"
    )
    rounds = range(1, book.options.rounds + 1)
    numbers = f"{{{','.join(map(str, rounds))}}}"
    outcomes = [{"said": ""}, *({"said": _outcome(row)} for row in book.rows_of("Signs").values())]
    book.read(
        PAIRING_LIST,
        "pairing_list",
        Outcomes=outcomes,
        outcomes=len(outcomes),
        # boards, and players without one: more than half of all only while pairings are typed
        room=book.options.players - book.options.players // 4,
        numbers=numbers,
        last_round=rounds[-1],
    )
    book.read(
        STANDINGS,
        "standings",
        k=range(1, PLACES + 1),
        r=rounds,
        rounds=rounds[-1],
        from_where=from_where(book, "no"),
        federation_line=from_where(book, "no", [("federation",)]),
        # it is there only if one is chosen
        tie_line=f'tie{{k}} 0 center 7 optional:{CHOSEN} = IFERROR({TIE_VALUE}, "")',
    )
    name_chosen(book.tables["Standings"])
    prizes(book, "Ties[points]")


SPARE: Final = 3
"""Lines of a round beyond half of the players, for byes."""

WALL_SHEETS: Final = ("pairing_list", "ahead", "standings", "cross", "changes", "prizes", "purse")

SO_FAR: Final = "cross", "changes", "prizes", "purse"
"""Sheets that say in their titles which results they are made of, before all are there."""

SIGNS: Final = (*PAIRED, *BYES)

PAIRINGS: Final = """
pieces
    stands(no)      = COUNTIF(before[first:second], no) > 0
    # a line that was meant for the next round hears where that begins
    stands_at(no)   = (IFERROR(MATCH(no, before[first], 0), MATCH(no, before[second], 0))
        & ": " & t.check_line_of(round = group_number) & IF(group_number = {rounds}, "",
        t.check_next_begins(next = group_number + 1) & " " & (ROW() - row_of_group + {boards} + 1)))
    before_round(columns, no) = INDEX(columns, no, group_number)
    too_often(no)   = before_round(Course[often0:often{rounds}], no)
    # a float stands in the place of its round; nothing stands there if there is none
    course_of(no)   = IF(OR(first <= 0, second = 0, group_number = 1), "",
        before_round(Course[colours0:colours{rounds}], no)
        & SUBSTITUTE(" " & before_round(Course[floats0:floats{rounds}], no), " ··", ""))
"""

COLOURS: Final = """
        colours_a   left quiet {wide} = course_of(first)
        colours_b   left quiet {wide} = course_of(second)
        # how many games there are down to this one
        turn        0 quiet helper text:place = IF(second > 0, 1 + COUNTIF(before[second], ">0")
            + IF(group_number = 1, 0, INDEX(RoundList[until], MAX(group_number - 1, 1))), 0)"""

# the rounds that have begun and the next one, with boards for everybody and one for byes
SHOWN: Final = """= OR(filled(white:black) > 0,
            AND(group_number <= last_typed + 1, row_of_group <= INT(field / 2) + 1))"""


def build(book: Book) -> None:
    """Declare all sheets."""
    rounds, half = book.options.rounds, book.options.players // 2
    boards = half + SPARE
    book.names.update(KINDS)
    front(
        book,
        EVENT_SETTING,
        *WALL_SETTINGS,
        YEAR_SETTING,
        *settings(book, "swiss", "bh_c1", "bh", "sb"),
        *round_settings(book),
        START,
        *purse_settings(book),
        *counting_settings(book, byes=True),
    )
    players(book, personal=True, ordered="about_numbers")
    for key in ("pairings", *WALL_SHEETS, "ratings", "gains", "why", "ties", "each"):
        book.sheet(key)
    results(book, SIGNS)
    counted(book, period_games="Ratings[@games]", order_key="Ties[@key]")
    book.read(PAIRINGS, rounds=rounds, boards=boards)
    above_pairings(book)
    numbered_games(
        book,
        "pairings",
        rows=rounds * boards,
        group=boards,
        line="board 0 center quiet 7 = row_of_group",
        shown=SHOWN,
        asks=True,
        # the colours and two floats of a player
        more=COLOURS,
        wide=f"{min(max(8, 1.3 * rounds + 4), 20):g}",
    )
    link_round(book)
    count_rounds(book, boards)
    each_game(
        book,
        rounds * half,
        lines="Played",
        label='IF(Played[@line] = 0, "", INDEX(Pairings[round], Played[@line]) & "/" '
        "& INDEX(Pairings[board], Played[@line]))",
    )
    ratings(book)
    swiss_tie_breaks(book)
    book.read(COURSE, "course", r=range(1, rounds + 1))
    wall_sheets(book)
    purse(book)
    ahead(
        book,
        number="chosen",
        game="cases(chosen = 0, 0, no + before_chosen > INDEX(RoundList[until], chosen), 0, "
        "no + before_chosen)",
        boards=half,
        points="Before[now]",
        most=rounds,
        over=f"AND(chosen > 0, chosen >= {rounds})",
        done="IF(chosen = 0, t.ahead_first, t.ahead_next)",
    )
    gains_and_losses(book)
    why(book, rounds)


_SAMPLE: Final = """
1 1 11, 12 0 2, 3 1 13, 14 0 4, 5 1 15, 16 0 6, 7 ½ 17, 18 0 8, 9 1 19, 20 1 10
6 1 1, 2 ½ 5, 8 0 3, 4 1 9, 17 + 20, 10 0 7, 11 ½ 16, 15 1 12, 13 1 18, 19 ½ 14
3 0 6, 7 0 2, 17 0 5, 1 1 13, 15 0 8, 9 0 20, 19 0 11, 14 0 16, 12 1 10, 18 bye, 4 ½ bye
6 0 4, 2 ½ 1, 5 ½ 3, 8 1 20, 16 0 7, 11 0 17, 13 0 9, 18 0 12, 14 ½ 15, 10 1 19
4 ½ 2, 5 1 6, 1 1 8, 3 0 7, 17 1 9, 20 0 12, 15 0 11, 16 0 13, 10 1 18, 14 bye
4 ½ 5, 7 ½ 1, 2 1 17, 6 0 8, 12 0 3, 11 ½ 10, 9 1 14, 13 ½ 20, 18 0 15, 16 bye
8 0 2, 1 0 4, 5 0 7, 17 0 3, 11 0 6, 12 ½ 9, 10 1 16, 15 0 13, 14 1 18, 20 bye
3 0 2, 7 ½ 4, 8 0 5, 9 0 1, 6 1 10, 17 1 12, 13 0 11, 20 0 14, 18 ½ 16, 15 bye
2 1 6, 4 0 3, 1 1 5, 11 ½ 7, 14 ½ 17, 10 ½ 8, 9 0 15, 16 1 12, 20 0 18, 13 bye
2 1 11, 3 ½ 1, 17 0 4, 7 ½ 6, 5 ½ 13, 8 ½ 14, 15 0 10, 16 1 20, 18 0 9, 12 bye
"""
"""The rounds of an invented open of twenty players, with a forfeit, byes and a player who leaves:
White, the result, Black."""


def sample(options: Options) -> Content:
    """An invented open; with fewer players there are fewer games."""
    # starting numbers are those of a list by ratings
    field = sorted(MEMBERS[: options.players], key=lambda member: -(member.rating or 0))
    played = (
        [
            typed
            for each in line.split(", ")
            if (typed := _typed(*each.split(" ", 2)))
            and max(typed["white"], typed["black"] or 0) <= len(field)
        ]
        for line in _SAMPLE.strip().splitlines()
    )
    rounds = list(filter(None, played))[: options.rounds]
    boards = {(r, b): typed for r, each in enumerate(rounds) for b, typed in enumerate(each)}
    say = texts(options.language)
    return {
        **on_the_wall(say),
        **tie_breaks(say, 4, "win", "bwg"),
        "Event": say("swiss.sample_event"),
        YEAR: SAMPLE_YEAR,
        "Players": rows(field),
        "Pairings": lines(options, boards),
        "Prize_sharing": say("form.sharing_hort"),
        "Purse": [{"prize": prize} for prize in (300, 200, 100, 50)],
    }


def _typed(white: str, result: str, black: str = "") -> dict[str, Any]:
    """A line of a round as it is typed; without Black a bye, which may be of half a point."""
    if black == "bye":
        return board(int(white), None, f"{result} bye")
    return board(int(white), int(black) if black else None, result)


def board(white: Constant, black: Constant, result: Constant) -> dict[str, Constant]:
    """A line as it is typed: numbers of the players and White's result; no Black: a bye."""
    return {"white": white, "black": black, "result": result}


def lines(options: Options, boards: Mapping[tuple[int, int], Row]) -> dict[int, Row]:
    """The lines of the sheet *Pairings* from those of rounds and boards, both from 0."""
    size = options.players // 2 + SPARE
    return {r * size + b + 1: line for (r, b), line in boards.items()}
