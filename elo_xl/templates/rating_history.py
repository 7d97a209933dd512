"""``rating-history``: the rating lists of a season, one line a player and list.

Sheets: the first one, *Entries* (typed, a table that grows), *All ratings* (every rating in every
list), *Season* (first, latest, best and worst, activity: to print), *One player* (best and worst
so far), *Chart* (up to six players), *Activity* and *Steps*.

Formulas read the entries by their places in the columns, so that inserting and deleting rows of the
table leaves no gap and no broken reference.
"""

from __future__ import annotations

import random
from datetime import date
from typing import Final

from elo_xl.books.book import Book, Constant, Content, Formula, Options
from elo_xl.books.charts import Axis, Bars, Chart, Curve, bar_chart, curve_chart
from elo_xl.books.front import Setting, front
from elo_xl.books.layout import grow
from elo_xl.books.styles import GAIN, SIGNED_WHOLE, WHOLE
from elo_xl.engine.models import expected
from elo_xl.engine.rounding import round_half_away
from elo_xl.languages import LANGUAGES
from elo_xl.templates.samples import MEMBERS, outcome

MOST_LINES: Final = 2000
"""Lines of the biggest book, however many players and lists it has."""

BEYOND: Final = 2000
"""Lines below the last one of the book in which something typed is noticed."""

SPARE, LEAST = 12, 24
"""Blank lines of the table at first, and its least lines."""

MOST_GAMES: Final = 1000
"""of a player between two lists"""

SLOTS: Final = 6
"""players on the chart"""

DAY_ZERO: Final = date(1899, 12, 30)


def serial(day: date) -> int:
    """A date as a cell holds it: days since the spreadsheets' day zero.

    >>> serial(date(2026, 1, 1))
    46023
    """
    return (day - DAY_ZERO).days


NUMBERS: Final = {
    "FIRST_DAY": serial(date(1950, 1, 1)),
    "LAST_DAY": serial(date(2199, 12, 31)),
    "MOST_GAMES": MOST_GAMES,
    "MOST_LETTERS": 100,  # of a name
    "KEY": 1000,  # a list's number times this, plus a player's number: a line of the entries
    "USUAL_LINES": 3,  # a list, on average, from which on a list of one line is odd
}

ENTRIES: Final = """
pieces
    # a name whose signs MATCH must not take for wildcards
    escaped(text)   = SUBSTITUTE(SUBSTITUTE(SUBSTITUTE(text, "~", "~~"), "*", "~*"), "?", "~?")
    # the number of the player with a name, 0 for nobody
    number_of(typed) = IFERROR(IF(TRIM(typed) = "", 0,
                                  MATCH(escaped(TRIM(typed)), Members[name], 0)), 0)
    # the list of a point of a curve: behind the last list that one again, so that nothing is drawn
    drawn_list()    = MIN(no, Settled[lists])
    drawn_day()     = IF(Settled[lists] = 0, 0, INDEX(List_dates, drawn_list()))

sheet entries freeze:date upright stretch:check open
    note about_entries
    note note_entries
    note bigger_entries lines=lines players=players lists=lists
    table Entries rows:lines gap:2
        date    date center input 13 name:Entry_dates decimal:FIRST_DAY..LAST_DAY
        player  @ left input 28 name:Entry_players list:Season_players soft
        rating  0 input 9 name:Entry_ratings decimal:1..3999
        games   input 9 name:Entry_games whole:0..MOST_GAMES text:played
        check   left attention fits:check_  = IF(row_number > grown, EMPTY,
            IFERROR(INDEX(Entry_checks, this_line), t.check_beyond))
    names
        this_line = ROW() - ROW($A$8)
    marks
        date:games  attention   INDEX(Entry_checks, this_line) <> ""
"""

STATE: Final = """
    t.state_counted & " " & SUM(Lines[used]) & " · " & t.state_wrong & " " & (wrong)
    & IF(wrong = 0, "", IFERROR(" · " & t.state_row & " " & (ROW($A$8) + found) & ": "
                                & INDEX(Lines[check], found), ""))
    & IF(COUNTA(Entries_beyond) = 0, "", " · " & t.state_beyond)
"""
"""How many lines count, and the first one that does not: it is seen where the table with its column
*Check* has not grown by itself, too."""

HISTORY: Final = """
sheet history freeze:k1
    note about_history
    table History rows:players
        no      0 quiet             = row_number
        name    left strong 22 text:player = Members[@name]
        latest  0 strong            = Members[@latest]
        change  +0                  = Members[@change]
        best    0                   = Members[@best]
        worst   0                   = Members[@worst]
        k1      0 10.5 heading:none = carried(1, "")
        k{k}    0 10.5 heading:none = carried({k}, k{k-1})
    pieces
        carried(list, before) = IF(OR(cell(Lists, "date", list) = "", name = ""), "",
            IFERROR(INDEX(Lines[rating], MATCH(list * KEY + no, Lines[key], 0)), before))
"""

SEASON: Final = """
sheet season freeze:since
    note about_season
    table Season rows:players
        place           0 quiet             = IF(who = "", "", row_number)
        name            left strong text:player = shown(Members[name])
        since           date center 10.5    = shown(Members[since])
        first           0                   = shown(Members[first])
        latest          0 strong            = shown(Members[latest])
        class           left quiet          = ELO_CLASS(latest, language)
        change          +0                  = shown(Members[change])
        last            +0                  = shown(Members[last])
        best            0                   = shown(Members[best])
        best_date       date center 10.5    = shown(Members[best_date])
        worst           0                   = shown(Members[worst])
        worst_date      date center 10.5    = shown(Members[worst_date])
        games           0 text:season_games = shown(Members[games])
        active_lists    0                   = shown(Members[active_lists])
        last_active     date center 10.5    = shown(Members[last_active])
        status          left                = shown(Members[status])
    names
        who = Members[@ordered]
    pieces
        shown(column) = IF(who = "", "", INDEX(column, who))
    marks
        place:status    quiet   status = t.status_inactive
"""

PLAYER: Final = """
sheet player titles:none down:1 tab:result
    note about_player
    cells
        choice @ left input list:Season_players
        choicesname left strong "{shown}" = One[name]
    table Career rows:lists gap:1
        no      0 quiet 9               = row_number
        date    date center 24          = Lists[@date]
        rating  0 strong                = IF(who = 0, "", INDEX(Season_ratings, who, no))
        change  +0 text:change_list     = IF(OR(rating = "", NOT(ISNUMBER(rating.above))), "",
                                             rating - N(rating.above))
        games   0 text:played           = IF(who = 0, "", IFERROR(INDEX(Lines[played],
                                             MATCH(no * KEY + who, Lines[key], 0)), ""))
        best    0                       = IF(rating = "", "", MAX(rating, best.above))
        worst   0                       = IF(rating = "", "", MIN(rating, worst.above))
    names
        who = One[player]
    marks
        rating  quiet   AND(rating <> "", games = "")
"""

CHART: Final = """
sheet chart titles:none down:1 upright tab:result
    note about_chart
    table Curves rows:slots
        no      0 center quiet 8 text:curve = row_number
        name    @ left input 30 text:chosen list:Season_players
        check   left attention fits:check_unknown = IF(
            AND(name <> "", Chosen[@player] = 0), t.check_unknown, "")
    marks
        name    attention   check <> ""
"""

ACTIVITY: Final = """
sheet activity titles:none down:1
    note about_activity
    table Activity rows:lists
        no      0 quiet                 = row_number
        date    center 10.5             = there({date_text})
        rated   0 text:rated_players    = there(COUNT(ratings))
        new     0 text:new_players      = there(COUNTIF(Members[first_no], no))
        active  0 text:active_players   = there(COUNTIFS(Lines[at], no, Lines[played], ">0"))
        games   0 strong text:list_games = there(SUMIFS(Lines[played], Lines[at], no))
        average 0.0                     = there(AVERAGE(ratings))
    names
        ratings = INDEX(Season_ratings, 0, no)
        day     = Lists[@date]
    pieces
        there(value) = IF(day = "", "", value)
"""

STEPS: Final = """
sheet steps hidden titles:2
    note about_steps
    table Lists rows:lists
        no      0 quiet             = row_number
        date    date center 10.5 name:List_dates = IF(date.above = "", "", IFERROR(
            SMALL(Lines[day], COUNTIF(Lines[day], "<=" & N(date.above)) + 1), ""))
        lines   0 text:list_lines   = COUNTIF(Lines[at], no)
        single  0                   = IF(lines = 1,
            IF(SUM(Lists[lines]) >= USUAL_LINES * COUNT(Lists[date]), 1, 0), 0)
    table Settled rows:1
        lists       0               = COUNT(Lists[date])
        need        0               = IF(ISNUMBER(Active_games), IF(AND(Active_games >= 1,
            Active_games <= MOST_GAMES), Active_games, 1), 1)
        back        0               = IF(ISNUMBER(Active_lists), IF(AND(Active_lists >= 1,
            Active_lists <= {lists}, INT(Active_lists) = Active_lists), Active_lists, {lists}),
            {lists})
        from_list   0               = MAX(1, lists - back + 1)
    table Members rows:players
        no          0 quiet         = row_number
        row         0 text:first_line = IFERROR(MATCH(no, Lines[count], 0), "")
        name        left text:player name:Season_players = IF(row = "", "", INDEX(Lines[who], row))
        first_no    0 text:first_list = known(Settled[lists] - COUNT(ratings) + 1)
        since       date center 10.5 = known(INDEX(List_dates, first_no))
        first       0               = known(INDEX(ratings, first_no))
        latest      0               = known(INDEX(ratings, Settled[lists]))
        change      +0              = known(latest - first)
        last        +0              = known(IF(first_no = Settled[lists], "",
                                        latest - INDEX(ratings, MAX(1, Settled[lists] - 1))))
        best        0               = known(MAX(ratings))
        best_date   date center 10.5 = known(INDEX(List_dates, MATCH(best, ratings, 0)))
        worst       0               = known(MIN(ratings))
        worst_date  date center 10.5 = known(INDEX(List_dates, MATCH(worst, ratings, 0)))
        games       0 text:season_games = known(SUMIFS(Lines[played], Lines[whose], no))
        active_lists 0              = known(COUNTIFS(Lines[whose], no, Lines[played], ">0"))
        last_list   0               = known(SUMPRODUCT(MAX((Lines[whose] = no)
                                                           * (Lines[played] > 0) * Lines[at])))
        last_active date center 10.5 = known(IF(last_list = 0, "", INDEX(List_dates, last_list)))
        recent      0               = known(SUMIFS(Lines[played], Lines[whose], no,
                                                   Lines[at], ">=" & Settled[from_list]))
        status      left            = known(IF(recent >= Settled[need],
                                               t.status_active, t.status_inactive))
        place       0               = order(latest, Members[latest], upto[latest])
        ordered     0               = IFERROR(MATCH(no, Members[place], 0), "")
    names
        ratings = History[@k1:k{lists}]
    pieces
        known(value) = IF(name = "", "", value)
    table Chosen rows:slots
        no          0 quiet             = row_number
        name        left text:player    = IF(player = 0, "–", INDEX(Members[name], player))
        player      0 text:player_no    = IF(Curves[@name] = "", 0, number_of(Curves[@name]))
        drawn       0                   = IF(player > 0, player, leader)
        from_list   0                   = IF(player > 0,
                                INDEX(Members[first_no], MAX(1, player)), Settled[lists])
    table Points rows:lists
        no          0 quiet             = row_number
        x           date center 10.5 text:date = drawn_day()
{points}
    table One rows:1
        no          0 quiet             = row_number
        name        left text:player    = IF(player = 0, "–", INDEX(Members[name], player))
        player      0 text:player_no    = IF(choice = "", N(cell(Members, "ordered", 1)),
                                             number_of(choice))
        drawn       0                   = player
        from_list   0                   = IF(player = 0, 0, INDEX(Members[first_no], player))
    table Path rows:lists
        no          0 quiet                     = row_number
        x           date center 10.5 text:date  = drawn_day()
        rating      0                           = on_path(Career[rating])
        best        0                           = on_path(Career[best])
        worst       0                           = on_path(Career[worst])
    pieces
        on_path(column) = IF(OR(One[player] = 0, no < One[from_list]), NA(),
            INDEX(column, drawn_list()))
    table Lines rows:lines
        no      0 quiet         = row_number
        typed   0 text:is_typed name:Entries_typed = IFERROR(IF(TRIM(
            typed_date & typed_player & typed_rating & typed_games) = "", 0, 1), 0)
        date    date 10.5       = IFERROR(IF(ISNUMBER(typed_date), IF(AND(typed_date >= FIRST_DAY,
            typed_date < LAST_DAY + 1), INT(typed_date), ""), ""), "")
        name    left 16 text:player = IFERROR(LEFT(TRIM(typed_player), MOST_LETTERS), "")
        rating  0               = IFERROR(within(typed_rating, 1, 3999), "")
        games   0 text:played   = IFERROR(IF(typed_games = "", 0, IF(ISNUMBER(typed_games),
            IF(AND(typed_games >= 0, typed_games <= MOST_GAMES, INT(typed_games) = typed_games),
            typed_games, ""), "")), "")
        day     date 10.5       = IF(OR(date = "", name = "", rating = "", games = ""), "", date)
        list    0               = IF(day = "", 0, IFERROR(MATCH(day, List_dates, 0), 0))
        who     left 16         = IF(list = 0, "", name)
        first   0 text:first_line = IF(who = "", 0, IFERROR(MATCH(escaped(who), Lines[who], 0), 0))
        count   0 text:players  = N(count.above) + IF(first = no, 1, 0)
        player  0 text:player_no = IF(first = 0, 0, IF(INDEX(Lines[count], first) <= {players},
            INDEX(Lines[count], first), 0))
        key     0 text:line_key name:Entry_keys = IF(player = 0, 0, list * KEY + player)
        used    0 text:counts name:Entries_used = IF(key = 0, 0, IF(
            MATCH(key, Lines[key], 0) = no, 1, 0))
        whose   0               = used * player
        at      0 text:at_list  = used * list
        played  0 text:counted_games = IF(used = 1, games, 0)
        check   left 16 text:says name:Entry_checks = cases(
            typed = used, IF(at = 0, "", IF(INDEX(Lists[single], at) = 1, t.check_single, "")),
            date = "", t.check_date, name = "", t.check_player, rating = "", t.check_rating,
            games = "", t.check_games, list = 0, t.check_lists, player = 0, t.check_players,
            t.check_again)
    names
        typed_date      = INDEX(Entry_dates, no)
        typed_player    = INDEX(Entry_players, no)
        typed_rating    = INDEX(Entry_ratings, no)
        typed_games     = INDEX(Entry_games, no)
"""

POINTS: Final = """
        y{s}    0 "{rating} {s}"    = IF(OR(cell(Chosen, "drawn", {s}) = 0,
            no < cell(Chosen, "from_list", {s})), NA(),
            INDEX(Season_ratings, cell(Chosen, "drawn", {s}), drawn_list()))
        z{s}    +0 "{change} {s}"   = y{s} - INDEX(Points[y{s}], cell(Chosen, "from_list", {s}))
"""
"""The columns of a player on the chart: ratings and changes."""

MONTHS, RATINGS = '[<2]"";yyyy-mm', '[<2]"";0'
"""Number formats of axes, which show nothing where there are no dates and no ratings yet."""


def capacity(options: Options) -> int:
    """The lines that a book is made for."""
    return min(options.players * options.rounds, MOST_LINES)


def build(book: Book) -> None:
    """Declare all sheets."""
    say, players, lists = book.say, book.options.players, book.options.rounds
    lines = capacity(book.options)
    book.names |= NUMBERS
    front(
        book,
        Setting("Event", "event"),
        Setting("Active_games", "active_games", None, WHOLE, 1, MOST_GAMES),
        Setting("Active_lists", "active_lists", None, WHOLE, 1, lists),
        rules=False,
    )
    for key in ("entries", "history", "season", "player", "chart", "activity"):
        book.sheet(key)
    _entries(book, lines)
    language = LANGUAGES[book.options.language]
    loops = {"k": range(2, lists + 1)}
    book.read(HISTORY, loops=loops, players=players)
    book.read(SEASON, players=players, language=f'"{language.code}"')
    book.read(PLAYER, lists=lists, shown=say("label_shown"))
    book.read(CHART, slots=SLOTS)
    book.read(ACTIVITY, lists=lists, date_text=language.date_text("day"))
    points = "".join(POINTS.replace("{s}", str(s)) for s in range(1, SLOTS + 1))
    slots = [f'cell(Chosen, "player", {s})' for s in range(1, SLOTS + 1)]
    book.read(
        STEPS.replace("{points}", points),
        players=players,
        lists=lists,
        lines=lines,
        slots=SLOTS,
        # a place that draws nobody repeats the last point of the first one that does
        leader=f"cases({''.join(f'{slot} > 0, {slot}, ' for slot in slots)}0)",
        date=say("column_date"),
        rating=say("column_rating"),
        change=say("column_change_list"),
    )
    _dates(book, lists)
    unknown = Formula('IF(AND(choice <> "", One[player] = 0), t.check_unknown, "")')
    alone = book.sheets["player"]
    alone.put(4, 3, unknown, "attention", align="left", measure=False)
    alone.mark(alone.cells(4, 2), '$C$4 <> ""')
    _charts(book)


def _entries(book: Book, lines: int) -> None:
    """What is typed: a table that grows, and above it how many of its lines count."""
    typed = [
        i
        for i, row in book.rows_of("Entries").items()
        if any(str(cell).strip(" ") for cell in row.values() if cell is not None)
    ]
    grown = min(max(max(typed, default=-1) + 1 + SPARE, LEAST), lines)
    players, lists = book.options.players, book.options.rounds
    book.read(ENTRIES, lines=lines, players=players, lists=lists, grown=grown)
    table = book.tables["Entries"]
    sheet = table.sheet
    sheet.edits.append(lambda worksheet: grow(table, worksheet, "Rating_entries", grown, "check"))
    book.define("Entries_beyond", sheet.cells(table.last + 1, 1, BEYOND, 4))
    sheet.names["wrong"] = "SUM(Lines[typed]) - SUM(Lines[used])"
    sheet.names["found"] = 'MATCH("?*", Lines[check], 0)'  # the first with at least a letter
    state = sheet.put(table.header - 2, 1, Formula(STATE), "label", measure=False)
    # rules of marks read no other sheet's cells; the text runs over the next cells
    sheet.mark(state, "OR(SUM(Entries_typed) <> SUM(Entries_used), COUNTA(Entries_beyond) > 0)")


def _dates(book: Book, lists: int) -> None:
    """The dates above the ratings of *All ratings*, and its marks."""
    table = book.tables["History"]
    sheet, ratings = table.sheet, table.column("k1", f"k{lists}")
    for k in range(lists):
        day, where = Formula(f'cell(Lists, "date", {k + 1})'), (table.header, ratings.column + k)
        sheet.put(*where, day, "heading", book.date_format, "right", measure=False)
    book.define("Season_ratings", ratings)
    first = ratings.at(0).area
    key = f"(COLUMN() - COLUMN({ratings.at(0).address}) + 1) * KEY + no"
    carried = f'IF({first} = "", FALSE, ISNA(MATCH({key}, Entry_keys, 0)))'
    sheet.mark(ratings, carried, "quiet", table)
    sheet.mark(ratings, f'IF({first} = "", FALSE, {first} = best)', "leader", table)


def _charts(book: Book) -> None:
    """The curves of the chosen players, those of one player, and the games of each list."""
    say, tables = book.say, book.tables
    points, path, slots = tables["Points"], tables["Path"], tables["Chosen"]
    choices, career, activity = tables["Curves"], tables["Career"], tables["Activity"]
    dates = Axis(say("column_date"), MONTHS, months=True)

    def curves(title: str, letter: str, y: Axis) -> Chart:
        drawn = [
            Curve(slots.cell("name", s - 1), points.column("x"), points.column(f"{letter}{s}"))
            for s in range(1, SLOTS + 1)
        ]
        return curve_chart(say(title), drawn, dates, y, (22.0, 10.5))

    def ratings() -> Chart:
        return curves("chart", "y", Axis(say("column_rating"), RATINGS))

    def changes() -> Chart:
        return curves("chart_change", "z", Axis(say("column_change_list"), SIGNED_WHOLE))

    def alone() -> Chart:
        drawn = [
            Curve(say(f"column_{key}"), path.column("x"), path.column(key))
            for key in ("rating", "best", "worst")
        ]
        y = Axis(say("column_rating"), RATINGS)
        return curve_chart(say("chart_player"), drawn, dates, y, (19.0, 11.5))

    def games() -> Chart:
        bars = Bars(say("column_list_games"), activity.column("games"), GAIN)
        labels = activity.column("date")
        size = 15.0, 2.5 + 0.6 * book.options.rounds
        return bar_chart(say("chart_activity"), labels, (bars,), "0;;;", size)

    top = choices.last + 2
    choices.sheet.chart(ratings, f"A{top}", say("chart_text"))
    choices.sheet.chart(changes, f"A{top + 22}", say("chart_change_text"))
    career.sheet.chart(alone, f"I{career.header}", say("chart_player_text"))
    activity.sheet.chart(games, f"I{activity.header}", say("chart_activity_text"))


START: Final = 2025, 9
"""Year and month of the sample's first list."""

CLUB: Final = 14
"""the sample's players"""
K: Final = 20
NEWCOMER: Final = 1560
"""The first rating of the sample's unrated player."""


def sample(options: Options) -> Content:
    """An invented club's monthly lists: a player joins in the middle, another one stops."""
    chance = random.Random(20269)
    members = MEMBERS[: min(CLUB, options.players)]
    ratings = [float(member.rating or NEWCOMER) for member in members]
    joins = [1 if member.rating else options.rounds // 2 + 1 for member in members]
    stops = [options.rounds] * len(members)
    stops[min(12, len(members) - 1)] = (options.rounds + 1) // 2
    lines = []
    for k in range(1, options.rounds + 1):
        years, month = divmod(START[1] - 1 + k - 1, 12)
        day = serial(date(START[0] + years, month + 1, 1))
        here = [i for i in range(len(members)) if joins[i] <= k <= stops[i]]
        gains, games = [0.0] * len(members), [0] * len(members)
        for _ in range(3 if k > 1 else 0):
            drawn = [i for i in here if joins[i] < k and chance.random() < 0.75]
            chance.shuffle(drawn)
            for a, b in zip(drawn[::2], drawn[1::2], strict=False):
                score = outcome(chance, ratings[a], ratings[b])
                gain = K * (score - float(expected(ratings[a] - ratings[b], "logistic")))
                gains[a], gains[b] = gains[a] + gain, gains[b] - gain
                games[a], games[b] = games[a] + 1, games[b] + 1
        for i in here:
            ratings[i] = float(round_half_away(ratings[i] + gains[i]))
            if games[i] or joins[i] == k:
                lines.append(line(day, members[i].name, ratings[i], games[i]))
    return {
        "Event": "Season 2025/26",
        "Active_games": 1,
        "Active_lists": min(6, options.rounds),
        "Entries": lines[: capacity(options)],
        "Curves": [{"name": member.name} for member in members[-SLOTS:]],
        "choice": members[min(6, len(members) - 1)].name,
    }


def line(
    day: Constant = None, player: Constant = None, rating: Constant = None, games: Constant = None
) -> dict[str, Constant]:
    """A player in a rating list, as it is typed."""
    return {"date": day, "player": player, "rating": rating, "games": games}
