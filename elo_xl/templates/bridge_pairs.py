"""``bridge-pairs``: a bridge club's players, rated result by result as Mark Ioffe does it.

Sheets: the first one with all parameters, *Players*, *Pairs*, *Results* (typed as they come),
*Ratings*, *Chart* (the ways of six players), *Gains and losses*, *Each result* (expected result and
four ratings before and after it) and *Steps*.

Each result reads what its players had after the results above it, so that whatever is corrected
moves everything after it. All players have one and the same deviation, which stays as it is: that
is Ioffe's scheme, and there partners share every change half and half.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Final

import numpy as np

from elo_xl.books.book import Book, Constant, Content, Formula, Options, Table
from elo_xl.books.charts import Axis, Chart, Curve, curve_chart, step_for
from elo_xl.books.front import Setting, front
from elo_xl.books.styles import SIGNED_WHOLE, WHOLE
from elo_xl.books.texts import texts
from elo_xl.engine.bayes import RATING_SD, SCALES
from elo_xl.templates.blocks.ratings import gains_and_losses
from elo_xl.templates.blocks.running import Running
from elo_xl.templates.blocks.wall import CLUB, DATES
from elo_xl.templates.samples import MEMBERS

FIRST: Final = 1500
"""The usual first rating of a newcomer."""

CURVES: Final = 6
"""Players whom the chart shows."""
CHART_ROWS: Final = 36

LEAST_PAIRS: Final = 12
"""Lines of *Pairs*; there are as many as players, for partners change."""

PERCENT, IMP = (
    {key: float(np.asarray(getattr(scale, key))) for key in ("mean", "slope", "result_sd")}
    for scale in SCALES.values()
)

PARAMETERS: Final = (
    ("slope", "Result_slope", 0.0005, 1, PERCENT["slope"], IMP["slope"]),
    ("result_sd", "Result_sd", 0.1, 200, PERCENT["result_sd"], IMP["result_sd"]),
    ("rating_sd", "Rating_sd", 1, 500, RATING_SD, RATING_SD),
    ("first", "First_rating", 1, 9999, FIRST, FIRST),
)
"""Key, name, bounds of what may be typed (results far from any that people play cannot carry
ratings away), and what is usual for percent and for IMPs."""

PLAYERS_AND_PAIRS: Final = """
pieces
    counted(seat) = COUNTIFS(seat, no, Each[result], ">-9999")

commands
    publish ratings
    pictures ratings chart
    next
        blank Event Dates
        keep Players
        keep Pairs
        keep Chosen
        fill Players
            rating = IF(AND(N(Sums[@played]) > 0, ISNUMBER(Sums[@now])),
                ROUND(Sums[@now], 6), rating)

sheet players upright freeze:rating stretch:check
    note about_players
    note bigger players=size
    table Players rows:size
        no      0 center quiet              = row_number
        name    @ left input 34
        rating  0 center input 10 decimal:1..9999
        fault   0 quiet helper                  = IF(check = "", 0, 1)
        shown spare:8                           = filled(name:rating) > 0
        check   left attention 5            = cases(
            name = "", IF(rating = "", "", t.check_name), name = WRONG, t.check_name,
            times(Players[name], name) > 1, t.check_twice,
            rating = WRONG, t.check_rating, "")
    inputs
        name soft = times(Players[name], name) = 1
    marks
        name        attention   OR(check = t.check_name, check = t.check_twice)

sheet pairs upright freeze:first stretch:check ordered
    note about_pairs
    note about_place
    table Pairs rows:pairs
        pair    0 center strong             = row_number
        first   @ left input 26 list:Players[name] text:first_player
        second  @ left input 26 list:Players[name] text:second_player
        played  0 center                    = IF(PairSums[@key] = "", "", PairSums[@played])
        average 0.00 center 7.5             = PairSums[@key]
        place   0 center strong text:rank   = IF(PairSums[@key] = "", "",
                                                 RANK(PairSums[@key], PairSums[key]))
        a       0 quiet helper text:first_no    = PairSums[@a]
        b       0 quiet helper text:second_no   = PairSums[@b]
        fault   0 quiet helper                  = IF(OR(check = "",
                                                        check = t.check_other_pair), 0, 1)
        shown spare:4                           = filled(first:second) > 0
        check   left attention 5            = cases(
            AND(first = "", second = ""), "", OR(first = "", second = ""), t.check_half_pair,
            OR(a = 0, b = 0), t.check_unknown_player, a = b, t.check_same_player,
            COUNTIF(PairSums[a:b], a) + COUNTIF(PairSums[a:b], b) > 2, t.check_other_pair, "")
    marks
        first   attention   AND(fault = 1, first <> "", OR(a = 0, a = b))
        second  attention   AND(fault = 1, second <> "", OR(b = 0, a = b))
        first   missing     AND(fault = 1, first = "")
        second  missing     AND(fault = 1, second = "")
        check   quiet       fault = 0

sheet steps hidden titles:2
    note about_steps
    cells
        {parameters}
    table Sums rows:size
        no      0 quiet                     = row_number
        name    left 24 name:Player_ids     = cases(Players[@name] = "", "",
            times(Players[name], Players[@name]) <> 1, "",
            Players[@rating] <> WRONG, Players[@name], "")
        family  left 16                     = LEFT(name, FIND(",", name & ",") - 1)
        short   left 16                     = IF(times(Sums[family], family) > 1, name, family)
        start   0.0 7.5                     = cases(name = "", "",
            Players[@rating] = "", First_rating, Players[@rating])
        now     0.0 7.5                     = IF(start = "", "", History[@b{rounds}])
        change  +0.00 7.5                   = IF(start = "", "", now - start)
        played  0                           = (counted(Each[no_n]) + counted(Each[no_s])
                                               + counted(Each[no_e]) + counted(Each[no_w]))
        sum     0.00 7.5                    = (
            SUMIF(Each[no_n], no, Each[result]) + SUMIF(Each[no_s], no, Each[result])
            + 2 * Result_mean * (counted(Each[no_e]) + counted(Each[no_w]))
            - SUMIF(Each[no_e], no, Each[result]) - SUMIF(Each[no_w], no, Each[result]))
        key     0.0 7.5                     = IF(now = "", "", ROUND(now, 6))
        place   0                           = order(key, Sums[key], upto[key])
"""

RESULTS_AND_RATINGS: Final = """
sheet steps hidden
    table PairSums rows:pairs beside:Sums
        pair    0 center quiet              = row_number
        a       0 text:first_no             = number_of(Pairs[@first])
        b       0 text:second_no            = number_of(Pairs[@second])
        good    0                           = IF(AND(a > 0, b > 0, a <> b), 1, 0)
        label   left 26                     = IF(good = 1,
            INDEX(Sums[short], a) & " – " & INDEX(Sums[short], b), "")
        played  0                           = COUNTIF(Each[ns], pair) + COUNTIF(Each[ew], pair)
        sum     0.00 7.5                    = (SUMIF(Each[ns], pair, Each[result])
            + 2 * Result_mean * COUNTIF(Each[ew], pair) - SUMIF(Each[ew], pair, Each[result]))
        # rounded, so that equal averages share a place however their sums were rounded
        key     0.00 7.5 text:average       = IF(played = 0, "", ROUND(sum / played, 6))

    table Curves rows:rounds+1 beside:PairSums
        point   0 quiet text:after_result   = MIN({tables} * (row_number - 1), last_result)
        # curves of nobody lie left of the chart
        x{k}    0 "x {k}"                   = IF(shown{k} = 0, -1, point)
        y{k}    +0.0 7.5 "y {k}"            = IF(shown{k} = 0, 0,
            INDEX(History[b0:b{rounds}], shown{k}, row_number) - INDEX(Sums[start], shown{k}))

pieces
    # 58 % is 0.58 to a spreadsheet: nobody scores between 0 and 1 percent
    possible(typed) = IF(ISNUMBER(typed), IF(Result_mean > 0,
        AND(typed >= 0, typed <= 100, OR(typed = 0, typed >= 1)), ABS(typed) <= 500), FALSE)
    pair(typed)     = IF(ISNUMBER(typed), IF(AND(typed >= 1, typed <= pairs, INT(typed) = typed),
        typed * INDEX(PairSums[good], typed), 0), 0)
    label(number)   = IF(number > 0, INDEX(PairSums[label], number), "")
    who(column, number) = IF(AND(ns_no > 0, ew_no > 0), INDEX(column, number), 0)
    before(value)   = IF(counts, value, "")
    if_rated(value) = IF(result = "", "", value)
    sits(side, pair) = COUNTIFS(Each[round], round, side, pair)
    meets(one, two) = COUNTIFS(Each[round], round, Each[ns], one, Each[ew], two)

sheet results upright unbroken:{tables} freeze:round stretch:check ordered
    note about_results
    note bigger_results rounds=rounds tables=tables rows=rows
    table Results rows:rows
        no          0 center quiet          = row_number
        round       center input 7 whole:1..9999
        board       center input 8 whole:1..9999
        ns          center input 7 whole:1..pairs
        ew          center input 7 whole:1..pairs
        result      0.0# center input 9
        names_ns    left shrunk 20          = Each[@label_ns]
        names_ew    left shrunk 20          = Each[@label_ew]
        ns_no       0 quiet helper          = Each[@ns_no]
        ew_no       0 quiet helper          = Each[@ew_no]
        possible    0 quiet helper          = Each[@possible]
        fault       0 quiet helper          = IF(OR(check = "", check = t.check_missing,
                                                    check = t.check_again), 0, 1)
        shown spare:{tables}                = filled(round:result) > 0
        check       left attention 5        = cases(
            filled(ns:result) = 0, IF(unreadable, t.check_number, ""),
            OR(ns = "", ew = ""), t.check_alone,
            OR(Each[@ns_no] = 0, Each[@ew_no] = 0), t.check_pair, ns = ew, t.check_self,
            Each[@apart] = 0, t.check_common, result = "", t.check_missing,
            Each[@possible] <> 1, IF(Result_mean > 0, t.check_percent, t.check_imp),
            Each[@result] = "", t.check_far, unreadable, t.check_number,
            Each[@again] = 1, t.check_again, "")
    names
        unreadable  = OR(round = WRONG, board = WRONG)
    inputs
        result = possible(result)
    marks
        ns          attention   AND(fault = 1, ns <> "", ns_no = 0)
        ew          attention   AND(fault = 1, ew <> "", ew_no = 0)
        ns:ew       attention   OR(check = t.check_self, check = t.check_common)
        ns          missing     AND(fault = 1, ns = "")
        ew          missing     AND(fault = 1, ew = "")
        result      attention   AND(fault = 1, result <> "", possible = 0)
        result      missing     check = t.check_missing
        check       quiet       check = t.check_again
        no:check    begin       round <> round.above

sheet each upright banded unbroken freeze:label_ns stretch:label_ew
    note about_each
    note about_deviation
    table Each rows:rows group:tables
        no          0 quiet                 = row_number
        round       0 center                = number(Results[@round])
        label_ns    left 20 text:ns         = label(ns_no)
        label_ew    left 20 text:ew         = label(ew_no)
        result      0.00 center strong fits:column_result = IF(counts,
            IF(near, Results[@result], ""), "")
        expected    0.00 center 9           = if_rated(Result_mean
            + Result_slope * (before_n + before_s - before_e - before_w))
        difference  +0.00 center 10         = if_rated(result - expected)
        shift_ns    +0.00 center strong 10  = if_rated(after_n - before_n)
        shift_ew    +0.00 helper            = if_rated(after_e - before_e)
        before_n    0.0 7.5 helper          = before({before_n})
        before_s    0.0 7.5 helper          = before({before_s})
        before_e    0.0 7.5 helper          = before({before_e})
        before_w    0.0 7.5 helper          = before({before_w})
        after_n,after_s,after_e,after_w 0.0 7.5 helper each = ELO_BRIDGE(before_n, before_s,
            before_e, before_w, result, Result_mean, Result_slope, Result_sd, Rating_sd)
        no_n        0 quiet helper          = who(PairSums[a], ns_no)
        no_s        0 quiet helper          = who(PairSums[b], ns_no)
        no_e        0 quiet helper          = who(PairSums[a], ew_no)
        no_w        0 quiet helper          = who(PairSums[b], ew_no)
        {moved}
        ns_no       0 quiet helper          = pair(Results[@ns])
        ew_no       0 quiet helper          = pair(Results[@ew])
        apart       0 quiet helper          = IF(AND(no_n <> no_e, no_n <> no_w, no_s <> no_e,
                                                     no_s <> no_w), 1, 0)
        possible    0 quiet helper          = IF(possible(Results[@result]), 1, 0)
        ns          0 quiet helper          = if_rated(ns_no)
        ew          0 quiet helper          = if_rated(ew_no)
        board       0 quiet helper          = number(Results[@board])
        shown                               = filled(Results[@round:result]) > 0
        # a pair that meets two others in a round, or a row that stands there twice
        again       0 quiet helper          = cases(OR(round = "", ns = ""), 0,
            sits(Each[ns], ns) + sits(Each[ns], ew) + sits(Each[ew], ns) + sits(Each[ew], ew)
                > 2 * (meets(ns, ew) + meets(ew, ns)), 1,
            IF(board = "", meets(ns, ew), COUNTIFS(Each[round], round, Each[ns], ns,
                Each[ew], ew, Each[board], board)) > 1, 1, 0)
    pieces
        number(typed) = IF(ISNUMBER(typed), typed, "")
    names
        counts = AND(ns_no > 0, apart = 1, possible = 1)
        moves  = result <> ""
        # ratings that no result moves any more
        near   = AND(MIN(before_n:before_w) > -500000, MAX(before_n:before_w) < 500000,
                     PRODUCT(before_n:before_w) <> 0)
    marks
        label_ns:label_ew   quiet   result = ""
        no:shift_ns         begin   round <> round.above

pieces
    shown(column) = IF(exists, INDEX(column, who), "")
    mean(column)  = IF(N(played) = 0, "", INDEX(column, who) / played)

sheet ratings wall stretch:name
    note about_ratings
    table Ratings rows:size
        rank    0 center strong             = IF(exists, RANK(INDEX(Sums[key], who), Sums[key]), "")
        name    left strong 18              = shown(Sums[name])
        now     0 center strong 10          = shown(Sums[now])
        change  +0.0 center 8               = shown(Sums[change])
        start   0 center 10                 = shown(Sums[start])
        played  0 center 8                  = shown(Sums[played])
        average 0.00 center 8               = mean(Sums[sum])
        shown                               = name <> ""
    names
        exists  = row_number <= COUNT(Sums[place])
        who     = MATCH(row_number, Sums[place], 0)

sheet chart down:1 upright titles:none tab:result
    note about_chart
    table Chosen rows:curves
        no      0 center quiet              = row_number
        curve   @ left input 28 list:Players[name]
        name    left strong 26 text:shown   = IF(number = 0, "–", INDEX(Sums[name], number))
        start   0 center 9                  = IF(number = 0, "", INDEX(Sums[start], number))
        now     0 center strong 9           = IF(number = 0, "", INDEX(Sums[now], number))
        unread  0 quiet helper heading:none = 0
        check   left attention 5            = IF(OR(curve = "", number > 0), "",
                                                 t.check_unknown_player)
    names
        number  = INDEX(numbers_shown, row_number)
    marks
        curve   attention   check <> ""
"""


def build(book: Book) -> None:
    """Declare all sheets."""
    options = book.options
    _front(book)
    keys = ("players", "pairs", "results", "ratings", "chart", "gains", "each", "steps")
    for key in keys:
        book.sheet(key)
    size, tables = options.players, options.players // 4
    pairs, rows = max(size, LEAST_PAIRS), options.rounds * tables
    book.read(PLAYERS_AND_PAIRS, pairs=pairs, rounds=options.rounds, parameters=_parameters())
    gains_and_losses(book, "Sums")
    running = Running(book, "Each", tables, {end: f"no_{end}" for end in "nsew"})
    book.read(
        RESULTS_AND_RATINGS,
        k=range(1, CURVES + 1),
        pairs=pairs,
        rounds=options.rounds,
        tables=tables,
        rows=rows,
        curves=CURVES,
        moved=running.columns("gain_{end} = if_rated(after_{end} - before_{end})"),
        before_n=running.before("n", "History", "gain"),
        before_s=running.before("s", "History", "gain"),
        before_e=running.before("e", "History", "gain"),
        before_w=running.before("w", "History", "gain"),
    )
    _unit(book.tables["Results"])
    running.keep("History", "gain", "Sums[@start]")
    _curves(book)


def _front(book: Book) -> None:
    """What is typed of the parameters; those that count stand on *Steps*."""
    scales = [book.say(f"scale_{key}") for key in SCALES]
    settings = {
        key: Setting(f"Own_{key}", f"own_{key}", least=low, most=high)
        for key, _, low, high, _, _ in PARAMETERS
    }
    settings["first"] = replace(settings["first"], number_format=WHOLE)
    first = settings.pop("first")
    scale = Setting("Scale", "scale", choices=scales)
    front(
        book, Setting("Event", "event"), CLUB, DATES, scale, first, *settings.values(), rules=False
    )


def _parameters() -> str:
    """The lines of the parameters that count."""
    lines = [
        f"Result_mean 0 text:mean = IF(Scale = t.scale_imp, {IMP['mean']:g}, {PERCENT['mean']:g})"
    ]
    for key, name, _, _, percent, imp in PARAMETERS:
        usual = f"{percent:.15g}"
        if percent != imp:
            usual = f"IF(Result_mean > 0, {usual}, {imp:.15g})"
        lines.append(f"{name} 0.0# text:{key} = IF(ISNUMBER(Own_{key}), Own_{key}, {usual})")
    return "\n".join(lines)


def _unit(results: Table) -> None:
    """Say above the results what they are typed in."""
    text = 't.column_result & " " & IF(Result_mean > 0, t.unit_percent, t.unit_imp)'
    at = results.header, results.at["result"]
    results.sheet.put(*at, Formula(text), "heading", align="center", measure=False)


def _curves(book: Book) -> None:
    """The numbers of the players to show, above their curves, and the chart."""
    say, points, chosen = book.say, book.tables["Curves"], book.tables["Chosen"]
    steps, above = points.sheet, points.header - 1
    last = Formula("SUMPRODUCT(MAX(ISNUMBER(Each[result]) * Each[no]))")
    steps.name("last_result", steps.put(above, points.left, last, "quiet", WHOLE, "right"))
    for k in range(1, CURVES + 1):
        best = f"IF(COUNT(Sums[place]) >= {k}, MATCH({k}, Sums[place], 0), 0)"
        typed = f'number_of(cell(Chosen, "curve", {k}))'
        text = Formula(f"IF(filled(Chosen[curve]) = 0, {best}, {typed})")
        steps.name(f"shown{k}", steps.put(above, points.at[f"y{k}"], text, "quiet", WHOLE, "right"))
    steps.name("numbers_shown", steps.cells(above, points.at["y1"], 1, CURVES))

    def drawn() -> Chart:
        curves = [
            Curve(
                chosen.cell("name", k),
                points.column(f"x{k + 1}"),
                points.column(f"y{k + 1}"),
            )
            for k in range(CURVES)
        ]
        step = step_for(book.tables["Results"].rows)
        x = Axis(say("axis_results"), WHOLE, least=0, step=step)
        y = Axis(say("axis_change"), SIGNED_WHOLE)
        return curve_chart(say("curves"), curves, x, y)

    chosen.sheet.chart(drawn, f"A{chosen.last + 2}", say("curves_text"), rows=CHART_ROWS)


SHOWN: Final = 9, 15, 5, 8, 3, 1
"""of the sample's players, those whose curves its chart has: of six pairs, for partners have the
same, and they seldom cross"""
MORE: Final = (
    *("Petrov, Ilian", "Álvarez, Marta", "Белова, Ксения", "Nakamura, Yui", "Andersen, Bo"),
    *("Rossi, Giulia", "Mbeki, Thandi", "Dupont, Gérard", "Kaya, Emre", "Virtanen, Aino"),
    *("Горин, Максим", "Horváth, Ádám", "Silva, Beatriz", "Schmid, Ursula", "Lee, Min-jun"),
    *("Papas, Eleni", "Murphy, Ciara", "Popescu, Dan", "de Vries, Saskia", "Nowak, Zofia"),
)


def sample(options: Options) -> Content:
    """An invented club evening: results as hidden strengths make them likely, two newcomers."""
    chance, say = random.Random(20263), texts(options.language)
    names = [*(member.name for member in MEMBERS), *MORE][: options.players]
    ratings = [round(chance.gauss(FIRST, 180)) for _ in names]
    strengths = [chance.gauss(rating, RATING_SD) for rating in ratings]
    order = list(range(len(names)))
    chance.shuffle(order)
    pairs = list(zip(order[::2], order[1::2], strict=False))
    results = []
    for number in range(1, options.rounds + 1):
        drawn = list(range(len(pairs)))
        chance.shuffle(drawn)
        for table in range(len(pairs) // 2):
            ns, ew = drawn[2 * table], drawn[2 * table + 1]
            lead = sum(strengths[p] for p in pairs[ns]) - sum(strengths[p] for p in pairs[ew])
            mean = PERCENT["mean"] + PERCENT["slope"] * lead
            made = min(max(round(chance.gauss(mean, PERCENT["result_sd"]), 1), 0.0), 100.0)
            results.append(result(number, table + 1, ns + 1, ew + 1, made))
    return {
        "Event": say("bridge-pairs.sample_event"),
        "Club": say("bridge-pairs.sample_club"),
        "Scale": say("bridge-pairs.scale_percent"),
        "Players": [
            {"name": name, "rating": None if i in (9, 19) else rating}
            for i, (name, rating) in enumerate(zip(names, ratings, strict=True))
        ],
        "Chosen": [{"curve": names[i]} for i in SHOWN if i < len(names)],
        "Pairs": [{"first": names[a], "second": names[b]} for a, b in pairs],
        "Results": results,
    }


def result(
    number: Constant, board: Constant, ns: Constant, ew: Constant, made: Constant
) -> dict[str, Constant]:
    """A row as it is typed: numbers of the round, board and pairs, and North–South's result."""
    return {"round": number, "board": board, "ns": ns, "ew": ew, "result": made}
