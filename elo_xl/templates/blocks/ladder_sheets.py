"""What the sheets of a league show: the table for the wall, two players, one player, curves.

They look at the tables *Each* (the games) and *Members* (the players) of
:mod:`elo_xl.templates.ladder` only; what they have to work out stands beside those on *Steps*.
"""

from __future__ import annotations

from typing import Final

from elo_xl.books.book import Book, Formula
from elo_xl.books.charts import COUNTS, RATINGS, Axis, Chart, Curve, curve_chart, step_for
from elo_xl.books.column_words import Look, Validation
from elo_xl.books.front import SEPARATOR
from elo_xl.books.model import Cells
from elo_xl.books.statements import Statement
from elo_xl.books.styles import NONE
from elo_xl.books.text import GENERAL
from elo_xl.books.typed import Reading, read_single

SLOTS: Final = 6
"""players on the chart"""
POINTS: Final = 200
"""Games of a player that a curve shows, the last ones."""
FIRST_OF_TABLE: Final = 12
"""players whose games against each other are counted"""
MEETINGS: Final = 18
"""of two players that are listed, the last ones: with them a page is full"""
ROW_ABOVE: Final = 1.1
"""The height in lines of a row above that list, whose rows then have about the same."""
GAP: Final = 2.0
"""Width between tables beside each other."""
FEWEST, MOST = 12, 25
"""Games of one player that are listed, the last ones, and opponents, those of most games: as many
as there are players, within bounds."""
ALONE, TOGETHER = 19, 36
"""Rows of a chart of one player, and of that of all who are chosen."""

TABLE: Final = """
sheet table wall freeze:rating stretch:name
    note note_table
    table Table rows:size
        place   0 center strong 4 text:rank = cases(who = 0, "",
            INDEX(Members[key], who) < RANKED, "–",
            RANK(INDEX(Members[key], who), Members[key]))
        name    left strong 18 text:player = theirs(Members[name])
        rating  0 center strong 6       = theirs(Members[rating])
        last    +0 center 5             = rounded(Members[last])
        month   +0 center 5             = rounded(Members[month])
        best    0 center 6              = theirs(Members[best])
        streak  +0 center 4             = theirs(Members[streak])
        played  date center 10.5        = IF(who = 0, "", IF(INDEX(Members[played], who) = 0, "",
            INDEX(Members[played], who)))
        games   0 center 4              = theirs(Members[games])
        won     0 center 4              = theirs(Members[won])
        lost    0 center 4              = theirs(Members[lost])
        share   0% center 5             = theirs(Members[share])
        # the last one: without draws the table ends before it, and its dashes are not seen
        drawn   format:"0;-0;0;" center fits:column_drawn optional:drawn_heading = IF(who = 0, "",
            IF(Used[draws] = 0, "–", INDEX(Members[drawn], who)))
        shown                           = who > 0
    names
        # nobody where the player has left the table
        who = IF(Members[@ordered] = 0, 0, Members[@ordered]
            * (1 - INDEX(Members[away], MAX(1, Members[@ordered]))))
    pieces
        theirs(column) = IF(who = 0, "", INDEX(column, who))
        # else what is shown as 0 would have a sign
        rounded(column) = IF(theirs(column) = "", "", ROUND(INDEX(column, who), 0))
    marks
        place:drawn     leader  place = 1
        place:drawn     quiet   place = "–"
"""

AS_OF: Final = """
    {line} & IF(Used[games] = 0, "", IF({line} = "", "", "{separator}")
    & t.after_games & " " & Used[games]
    & IF(Used[day] = 0, "", "{separator}" & t.last_game & " " & day_said(Used[day])))
"""
"""What the table says of itself: club and place, how many games there were, and the day of the last
one."""

PLAYER: Final = """
pieces
    record_of(won, drawn, lost, who) = (INDEX(won, who) & " – "
        & IF(Used[draws] = 0, "", INDEX(drawn, who) & " – ") & INDEX(lost, who))
sheet player upright title:player_title titles:none down:1 tab:result
    note about_player
    cells
        one_choice @ left input list:Players_so_far
        one_rating 0 left strong text:rating = IF(one = 0, "", INDEX(Members[rating], one))
        one_best 0 left text:best       = IF(one = 0, "", INDEX(Members[best], one))
        one_record left text:record     = IF(one = 0, "", record_of(Members[won],
            Members[drawn], Members[lost], one))
        one_streak +0 left text:streak  = IF(one = 0, "", INDEX(Members[streak], one))
"""

RECORD: Final = """
sheet player
    table Rivals rows:rivals gap:1
        name    left strong 16 text:opponent = IF(who = 0, "", INDEX(Members[name], who))
        games   0 center 5              = theirs(Versus[games])
        record  center 9                = IF(who = 0, "", record_of(Versus[won], Versus[drawn],
            Versus[lost], who))
        gained  +0 center 6             = IF(who = 0, "", ROUND(INDEX(Versus[gained], who), 0))
        shown                           = who > 0
    names
        who = Versus[@ordered]
    pieces
        theirs(column) = IF(who = 0, "", INDEX(column, who))
    table Recent rows:recent beside:Rivals
        date    date center 10          = IF(line = 0, "", IF(INDEX(Each[date], line) = 0, "",
            INDEX(Each[date], line)))
        name    left 15 text:opponent   = cases(line = 0, "", as_first, INDEX(Each[second], line),
            INDEX(Each[first], line))
        outcome center strong 6.5       = cases(line = 0, "", own = 1, t.letter_won, own = 0,
            t.letter_lost, t.letter_drawn)
        change  +0.0 center 6 text:points = cases(line = 0, "", as_first,
            INDEX(Each[points], line), INDEX(Each[points_b], line))
        after   0 center 7 text:then    = cases(line = 0, "", as_first, INDEX(Each[after_a], line),
            INDEX(Each[after_b], line))
        shown                           = line > 0
    names
        line     = Recalled[@line]
        as_first = INDEX(Each[first_no], line) = one
        own      = IF(as_first, INDEX(Each[score], line), 1 - INDEX(Each[score], line))
"""

MATRIX: Final = """
pieces
    column_of(no) = IF(N(cell(Members,"ordered",no))=0,"",no)
sheet cross wall stretch:name
    table Matrix rows:firsts
        no      0 center quiet      = row_number
        name    left strong 16 text:player = IF(Duels[@who] = 0, "",
            INDEX(Members[name], Duels[@who]))
        v{j}    center 6.5 optional:column_of({j}) = cases(
            OR(name = "", column_of({j}) = ""), "", row_number = {j}, "×",
            Duels[@w{j}] + Duels[@d{j}] + lost({j}) = 0, "–",
            Duels[@w{j}] & "–" & IF(Used[draws] = 0, "", Duels[@d{j}] & "–") & lost({j}))
        shown                       = name <> ""
    pieces
        lost(other) = cell(Duels, "w" & row_number, other)
"""

MET: Final = """
sheet pair
    table Met rows:meetings gap:1
        date    date center 31          = IF(line = 0, "", IF(INDEX(Each[date], line) = 0, "",
            INDEX(Each[date], line)))
        both    center 34 {both}        = IF(line = 0, "", INDEX(Each[first], line) & " – "
            & INDEX(Each[second], line))
        typed   @ center 34 text:result = IF(line = 0, "", INDEX(Games[result], line))
        shown                           = line > 0
    names
        line = IF(row_number > pair_games, 0, IFERROR(
            MATCH(pair_games + 1 - row_number, Each[meeting], 0), 0))
"""

CHART: Final = """
sheet chart titles:none down:1 upright tab:result
    note about_chart
    table Curves rows:slots
        no      0 center quiet 8 text:curve = row_number
        chosen  @ left input 26 list:Players_so_far
        name    left strong 22 text:on_show = IF(number = 0, "–", INDEX(Members[name], number))
        rating  0 center                = IF(number = 0, "", INDEX(Members[rating], number))
        check   left attention fits:check_unknown = IF(
            AND(chosen <> "", number = 0), t.check_unknown, "")
    marks
        chosen  attention   check <> ""
    names
        number = INDEX(Drawn[number], row_number)
"""

STEPS: Final = """
sheet steps
    table Versus rows:size beside:Members
        no          0 quiet     = row_number
        won         0           = met(1, 0)
        drawn       0           = met(0.5, 0.5)
        lost        0           = met(0, 1)
        games       0           = won + drawn + lost
        gained      +0.0        = IF(games = 0, 0,
            SUMIFS(Each[points], Each[first_no], one, Each[second_no], no)
            + SUMIFS(Each[points_b], Each[second_no], one, Each[first_no], no))
        # most games first, then as in the table
        key         0           = IF(games = 0, "", games * FAR - INDEX(Members[order], no))
        order       0           = order(key, Versus[key], upto[key])
        ordered     0           = IFERROR(MATCH(no, Versus[order], 0), 0)
    pieces
        met(own, others) = IF(one = 0, 0,
            COUNTIFS(Each[first_no], one, Each[second_no], no, Each[score], own)
            + COUNTIFS(Each[second_no], one, Each[first_no], no, Each[score], others))

    table Points rows:points+1 beside:Versus
        no          0 quiet     = row_number - 1
        each s
            x{s}    0 9 "x {s}"   = IF(drawn{s} = 0, 0, cases(nth{s} = 0,
                line_at(turn_of(drawn{s}, 1)) - 1, line_at(turn_of(drawn{s}, nth{s}))))
            y{s}    0.0 9 "y {s}" = cases(cell(Drawn, "number", {s}) = 0, NA(), nth{s} = 0,
                INDEX(Kept[r0], MAX(drawn{s}, 1)),
                at_turn(turn_of(drawn{s}, nth{s}), Each[after_a], Each[after_b]))
    names
        each s
            drawn{s} = cell(Drawn, "drawn", {s})
            nth{s} = (MIN(no, cell(Drawn, "games", {s}))
                + MAX(0, cell(Drawn, "games", {s}) - {points}))

    # the first of the table against each other: games won by the one of the row, and drawn ones
    table Duels rows:firsts beside:Points
        no          0 quiet     = row_number
        who         0 text:number = N(INDEX(Members[ordered], no))
        w{j}        0 "{won} {j}" = met(N(cell(Members, "ordered", {j})), 1, 0)
        d{j}        0 "{drawn} {j}" = IF(Used[draws] = 0, 0,
            met(N(cell(Members, "ordered", {j})), 0.5, 0.5))
    pieces
        met(other, own, others) = IF(OR(who = 0, other = 0, who = other), 0,
            COUNTIFS(Each[first_no], who, Each[second_no], other, Each[score], own)
            + COUNTIFS(Each[first_no], other, Each[second_no], who, Each[score], others))
    table Recalled rows:recent beside:Duels
        no      0 quiet                 = row_number
        line    0                       = IF(one = 0, 0, IF(INDEX(Members[games], one) < no, 0,
            line_at(turn_of(one, INDEX(Members[games], one) + 1 - no))))
"""

CHOSEN: Final = """
sheet steps
    # what is chosen on the sheets of players: their numbers, 0 for nobody
    table Pair rows:1 beside:Recalled
        first       0               = IF(pair_one = "", N(cell(Members, "ordered", 1)),
            player_of(pair_one))
        second      0               = cases(pair_two <> "", player_of(pair_two),
            first = N(cell(Members, "ordered", 1)), N(cell(Members, "ordered", 2)),
            N(cell(Members, "ordered", 1)))
        known       0               = IF(AND(first > 0, second > 0, first <> second), 1, 0)
        rating_a    0.0             = IF(known = 0, "", INDEX(Members[rating], first))
        rating_b    0.0             = IF(known = 0, "", INDEX(Members[rating], second))
        expected    0.00            = IF(known = 0, "",
            ELO_EXPECTED(rating_a + Used[home], rating_b, "logistic"))
        at_home     0.0             = IF(known = 0, "", rating_a + Used[home])
        win,draw,loss 0.00          = ELO_OUTCOMES(at_home, rating_b, margin, "logistic")
        margin      0.0             = Used[margin]
        games       0               = MAX(Each[meeting])
        won_a       0               = met(first, second, 1) + met_away(first, second, 0)
        drawn       0               = met(first, second, 0.5) + met_away(first, second, 0.5)
        won_b       0               = games - won_a - drawn
        gained      +0.0            = gained_by(first, second)
        gained_b    +0.0            = gained_by(second, first)
        # what the next game can move: with each one's K, and by how much a win by 1 counts
        k_a         0               = next_k(first)
        k_b         0               = next_k(second)
        by_a        0.00            = IF(known = 0, 0, weight_of(1, 1, at_home - rating_b))
        by_b        0.00            = IF(known = 0, 0, weight_of(0, 1, at_home - rating_b))
        by_draw     0.00            = IF(known = 0, 0, weight_of(0.5, 0, 0))
        one         0               = IF(one_choice = "", N(cell(Members, "ordered", 1)),
            player_of(one_choice))
    pieces
        met(a, b, own) = COUNTIFS(Each[first_no], a, Each[second_no], b, Each[score], own) * known
        met_away(a, b, others) = COUNTIFS(Each[second_no], a, Each[first_no], b,
            Each[score], others) * known
        gained_by(a, b) = IF(known = 0, 0,
            SUMIFS(Each[points], Each[first_no], a, Each[second_no], b)
            + SUMIFS(Each[points_b], Each[first_no], b, Each[second_no], a))
        next_k(who) = IF(known = 0, 0,
            k_of(INDEX(Members[name], who), INDEX(Members[games], who) + 1))
    # those on the chart, and the one player
    table Drawn rows:slots+1 beside:Pair
        no          0 quiet         = row_number
        number      0               = cases(row_number > {slots}, one,
            filled(Curves[chosen]) = 0, N(INDEX(Members[ordered], no)),
            player_of(INDEX(Curves[chosen], no)))
        # a place that draws nobody has the games of the first one that does
        drawn       0               = IF(number > 0, number, {leader})
        games       0               = IF(drawn = 0, 0, INDEX(Members[games], drawn))
"""

LINES: Final = (
    ("rating", "0", "Pair[rating_a]", "Pair[rating_b]"),
    ("win", "0%", "Pair[win]", "Pair[loss]"),
    (
        "for_win",
        "+0.0",
        "Pair[k_a] * Pair[by_a] * (1 - Pair[expected])",
        "Pair[k_b] * Pair[by_b] * Pair[expected]",
    ),
    (
        "for_loss",
        "+0.0",
        "-Pair[k_a] * Pair[by_b] * Pair[expected]",
        "Pair[k_b] * Pair[by_a] * (Pair[expected] - 1)",
    ),
    ("draw", "0%", "drawable(Pair[draw])", "drawable(Pair[draw])"),
    (
        "for_draw",
        "+0.0",
        "drawable(Pair[k_a] * Pair[by_draw] * (0.5 - Pair[expected]))",
        "drawable(Pair[k_b] * Pair[by_draw] * (Pair[expected] - 0.5))",
    ),
    ("won", "0", "Pair[won_a]", "Pair[won_b]"),
    ("gained", "+0.0", "Pair[gained]", "Pair[gained_b]"),
    ("streak", "+0", "INDEX(Members[streak], pair_first)", "INDEX(Members[streak], pair_second)"),
    ("drawn", "0", "drawable(Pair[drawn])", "drawable(Pair[drawn])"),
)
"""What is said of two players: key, number format, a formula for each; ``rating`` begins the next
game, ``won`` the games so far. Lines that draws add come last in each; a league without draws
leaves them blank."""

CHOICES: Final = {
    "pair_first": "Pair[first]",
    "pair_second": "Pair[second]",
    "pair_games": "Pair[games]",
    "one": "Pair[one]",
}
"""Names for the players who are chosen on the sheets."""


def ladder_sheets(book: Book) -> None:
    """Declare the sheets that show a league, and what they need on *Steps*."""
    rivals = min(book.options.players, MOST)
    recent = max(rivals, FEWEST)
    book.names |= CHOICES
    line = book.names["wall_line"]
    book.names["wall_line"] = AS_OF.format(line=line, separator=SEPARATOR)
    book.names["drawn_heading"] = 'IF(Used[draws] = 0, "", t.column_drawn)'
    book.read(TABLE)
    _pair(book)
    book.names["player_title"] = "IF(one = 0, t.sheet_player, INDEX(Members[name], one))"
    book.read(PLAYER)
    sheet, choice = book.sheets["player"], book.singles["one_choice"].cells
    unknown = 'AND(one_choice <> "", one = 0)'
    check = Formula(f'IF({unknown}, t.check_unknown, "")')
    sheet.put(choice.row, 6, check, "status", align="left", measure=False)
    sheet.mark(choice, unknown)
    for row in range(choice.row, sheet.row):
        sheet.merge(sheet.cells(row, 2, 1, 4))
    book.read(CHART, slots=SLOTS)
    _steps(book, recent)
    sheet.row += ALONE + 1  # the chart, which is in its place however long the lists are
    book.read(RECORD, recent=recent, rivals=rivals)
    sheet.widths[book.tables["Recent"].left - 1] = GAP
    both = f'"{book.say("column_first")} – {book.say("column_second")}"'
    book.read(MET, meetings=MEETINGS, both=both)
    ranked = book.tables["Members"].column("listed")
    count = f'MAX(1,SUMPRODUCT(--({ranked.reference}<>"")))'
    first = ranked.at(0).reference
    book.defined["Players_so_far"] = f"{first}:INDEX({ranked.reference},{count})"
    _charts(book)


def _steps(book: Book, recent: int) -> None:
    """What the sheets need beside the games and the players."""
    say, firsts = book.say, min(book.options.players, FIRST_OF_TABLE)
    book.read(
        STEPS,
        j=range(1, firsts + 1),
        s=range(1, SLOTS + 2),
        points=POINTS,
        firsts=firsts,
        recent=recent,
        won=say("column_won"),
        drawn=say("column_drawn"),
    )
    slots = [f'cell(Drawn, "number", {s})' for s in range(1, SLOTS + 1)]
    leader = f"cases({''.join(f'{slot} > 0, {slot}, ' for slot in slots)}0)"
    book.read(CHOSEN, slots=SLOTS, leader=leader)


def _pair(book: Book) -> None:
    """Two players: what is chosen, the odds of their next game, their games so far."""
    say, sheet = book.say, book.sheet("pair")
    firsts = min(book.options.players, FIRST_OF_TABLE)
    book.read("sheet pair upright titles:none down:1 tab:result\n    notes about_pair")
    sheet.row += 2  # the cells to type in are where they were in books of before
    top = sheet.row
    sheet.put(top, 1, say("column_player"), "label", align="left", measure=False)
    validation = Validation.read("list:Players_so_far", "chosen", Statement("chosen", "ladder"))
    assert validation is not None
    for column, key, number in ((2, "pair_one", "pair_first"), (3, "pair_two", "pair_second")):
        cell = sheet.put(top, column, book.content.get(key), "input", "@", "center", measure=False)
        label = f"{sheet.title}: {say('column_player')}"
        sheet.name(key, read_single(key, cell, Reading(), label))
        sheet.mark(cell, f'AND({key} <> "", OR({number} = 0, pair_first = pair_second))')
        sheet.validations.append((cell, validation, None))
    check = Formula(
        'cases(Pair[known] = 1, "", AND(pair_one = "", pair_two = ""), "", '
        "AND(pair_first = pair_second, pair_first > 0), t.check_same, t.check_unknown)"
    )
    sheet.put(top + 1, 2, check, "status", align="left", measure=False)
    sheet.row += 1
    names = [
        f'IF(pair_{p} = 0, "{NONE}", INDEX(Members[name], pair_{p}))' for p in ("first", "second")
    ]
    for key, number_format, *sides in LINES:
        if key in ("rating", "won"):
            sheet.row += 1
            part = say("part_next" if key == "rating" else "part_so_far")
            headings: list[str | Formula] = [part, *map(Formula, names)]
            for column, heading in enumerate(headings, start=1):
                align = "left" if column == 1 else "center"
                sheet.put(sheet.row, column, heading, "heading", align=align, measure=False)
            sheet.row += 1
        role = "strong" if key in ("win", "won") else "computed"
        drawn = any("drawable" in text for text in sides)
        said: str | Formula = say(f"line_{key}")
        if drawn:
            said = Formula(f"drawable(t.line_{key})")
        sheet.height(sheet.row, ROW_ABOVE)
        sheet.fill(sheet.cells(sheet.row, 1), said, Look("label", GENERAL, "left", False, drawn))
        for column, text in enumerate(sides, start=2):
            shown = Formula(f'IF(Pair[known] = 0, "", {text})')
            look = number_format
            if number_format.startswith("+"):
                look = f"{number_format};-{number_format[1:]};0"
            sheet.fill(
                sheet.cells(sheet.row, column), shown, Look(role, look, "center", False, drawn)
            )
        if drawn:
            sheet.mark(sheet.cells(sheet.row, 1, 1, 3), "Used[draws] = 1", "line")
        sheet.row += 1
    cross = book.sheet("cross")
    book.read("sheet cross wall")
    says = "IF(Used[draws] = 0, t.matrix_decided, t.matrix_drawn)"
    cross.line(Formula(says), "note")
    book.read(MATRIX, j=range(1, firsts + 1), firsts=firsts)


def _charts(book: Book) -> None:
    """The curves of the chosen players over the games of the league, and that of the one player."""
    say, points, chosen = book.say, book.tables["Points"], book.tables["Curves"]
    rivals, rating = book.tables["Rivals"], say("column_rating")
    y, games = (
        Axis(rating, RATINGS),
        Axis(say("axis_games"), COUNTS, step=step_for(book.options.rounds)),
    )

    def curve(s: int, name: str | Cells) -> Curve:
        return Curve(name, points.column(f"x{s}"), points.column(f"y{s}"))

    def drawn() -> Chart:
        curves = [curve(s, chosen.cell("name", s - 1)) for s in range(1, SLOTS + 1)]
        return curve_chart(say("chart_x"), curves, games, y)

    def alone() -> Chart:
        return curve_chart(say("chart_one"), (curve(SLOTS + 1, rating),), games, y)

    below, above = f"A{chosen.last + 2}", f"A{rivals.header - ALONE - 1}"
    chosen.sheet.chart(drawn, below, say("chart_x_text"), rows=TOGETHER)
    rivals.sheet.chart(alone, above, say("chart_one_text"), rows=ALONE)
