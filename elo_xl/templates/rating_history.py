"""``rating-history``: the rating lists of a season, one row per player, one column per list.

Sheets: the first one, *Entries* (typed: names, and for each list its date, ratings and games), *All
ratings* (every rating in every list), *Season* (first, latest, best and worst, activity: to print),
*One player* (best and worst so far), *Chart* (up to six players), *Activity* and *Steps*.

A date that does not follow the one before is no date, and its list waits. A player in whose row
something cannot be read waits in all lists.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Final

from elo_xl.books.book import Book, Constant, Content, Options
from elo_xl.books.charts import MONTHS, RATINGS, Axis, Bars, Chart, Curve, bar_chart, curve_chart
from elo_xl.books.column_words import Validation
from elo_xl.books.front import Setting, front
from elo_xl.books.model import Formula, Table
from elo_xl.books.statements import Statement
from elo_xl.books.styles import GAIN, LINE_HEIGHT, SIGNED_WHOLE, WHOLE
from elo_xl.books.texts import texts
from elo_xl.books.typed import Reading, read_single
from elo_xl.engine.arrays import round_half_away
from elo_xl.engine.models import expected
from elo_xl.languages import LANGUAGES
from elo_xl.templates.blocks.wall import CLUB
from elo_xl.templates.samples import MEMBERS, on_the_wall, outcome
from elo_xl.xlsx.formula import Call, Node, parse

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

MOST_GAMES: Final = 1000
"""of a player between two lists"""

SLOTS: Final = 6
"""players on the chart"""
CURVE_ROWS, HALF_ROWS = 23, 18
"""the height of a chart of curves, and of one of two on a page"""

DAY_ZERO: Final = date(1899, 12, 30)


def serial(day: date) -> int:
    """A date as a cell holds it: days since the spreadsheets' day zero.

    >>> serial(date(2026, 1, 1))
    46023
    """
    return (day - DAY_ZERO).days


NUMBERS: Final = {
    "FIRST_DAY": serial(date(1950, 1, 1)),
    "LAST_DAY": serial(date(2049, 12, 31)),
    "MOST_GAMES": MOST_GAMES,
    "MOST_DAYS": 731,  # between two lists
}

ENTRIES: Final = """
pieces
    list_heading(no) = IF(no>Settled[lists],"",IF(ISNUMBER(INDEX(Lists[date],no)),{date_text},"–"))
    # the date of a list: after the list before, and not years after it
    list_date(value, before, typed) = IF(value = "", IF(filled(typed) = 0, "", WRONG),
        IF(ISNUMBER(value), IF(AND(value >= FIRST_DAY, value <= LAST_DAY, value > before,
            OR(before = 0, value - before <= MOST_DAYS)), value, WRONG), WRONG))
    # the list of a point of a curve: behind the last list that one again, so that nothing is drawn
    drawn_list()    = MIN(no, Settled[lists])
    drawn_day()     = IF(Settled[lists] = 0, 0, INDEX(Lists[day], drawn_list()))

commands
    publish season
    pictures chart season
    curves History dates:Lists games:Entries
    next
        blank Event list_*
        # the last list becomes the first one; its games belong to the season before
        list_1 = IF(Settled[lists] = 0, "", INDEX(Lists[date], Settled[lists]))
        keep Entries only:name
        keep Curves
        fill Entries
            r1 = Members[@latest]

sheet entries freeze:check
    note about_entries
    note about_dates
    note bigger_entries players=players lists=lists
    table Entries rows:players gap:1
        no      0 center quiet          = row_number
        name    @ left input 26 text:player
        check   left attention_shrunk 14 = cases(
            filled(name:g{lists}) = 0, "", OR(name = "", name = WRONG), t.check_name,
            times(Entries[name], name) > 1, t.check_twice,
            SUMPRODUCT(--(r1:g{lists} = WRONG)) > 0, t.check_entry, "")
        {typed}
        fault   0 quiet helper          = IF(check = "", 0, 1)
        shown spare:10                  = filled(name:g{lists}) > 0
    inputs
        name soft = times(Entries[name], name) = 1
    marks
        name    attention   OR(check = t.check_name, check = t.check_twice)
"""

TYPED: Final = """
        r{k}    0 center input 8 whole:100..3999 text:rating
        g{k}    0 center input 6 whole:0..MOST_GAMES text:played"""

HISTORY: Final = """
sheet history wall freeze:k1
    note about_history
    table History rows:players
        no      0 quiet             = row_number
        name    left strong 22 text:player = Members[@name]
        {carried}
        shown                       = name <> ""
    names
        waits = Members[@waits] = 1
    pieces
        carried(list, typed, before) = cases(OR(list > Settled[lists], waits), "",
            AND(ISNUMBER(typed), ISNUMBER(INDEX(Lists[date], list))), typed, before)
    marks
        {marks}
"""

SEASON: Final = """
sheet season wall:season_title freeze:first stretch:name
    note about_season
    table Season rows:players gap:1
        place           0 center strong     = IF(who = "", "", row_number)
        name            left strong 24 text:player = of(Members[name])
        first           0 center            = of(Members[first])
        latest          0 center strong     = of(Members[latest])
        change          +0 center over:column_change_list = of(Members[change])
        last            +0 center over:column_change_list = of(Members[last])
        best            0 center text:rating over:column_best = of(Members[best])
        best_date       date center 10.5 over:column_best text:date = of(Members[best_date])
        worst           0 center            = of(Members[worst])
        games           0 center text:season_games = of(Members[games])
        # most are active: that goes without saying
        status          left                = IF(of(Members[status]) = t.status_active, "",
            of(Members[status]))
        shown                               = who <> ""
    names
        who = Members[@ordered]
    pieces
        of(column) = IF(who = "", "", INDEX(column, who))
    marks
        place:status    quiet       status = t.status_inactive
        status          attention   status = t.status_waits
"""

PLAYER: Final = """
sheet player title:player_title titles:none down:1 upright tab:result
    note about_player
    cells
        choice @ left input list:Entries[name]
    table Career rows:lists gap:1
        no      0 center quiet 7        = row_number
        date    date center 16          = IF(no > Settled[lists], "", INDEX(Lists[date], no))
        rating  0 center strong 12      = IF(who = 0, "", INDEX(Season_ratings, who, no))
        change  +0 center 12 text:change_list = IF(OR(rating = "", NOT(ISNUMBER(rating.above))), "",
                                             rating - N(rating.above))
        games   0 center 12 text:played = IF(who = 0, "", zero_blank(INDEX(Season_games, who, no)))
        best    0 center 12             = IF(rating = "", "", MAX(rating, best.above))
        worst   0 center 12             = IF(rating = "", "", MIN(rating, worst.above))
        shown                           = no <= Settled[lists]
    names
        who = One[player]
    pieces
        zero_blank(value) = IF(value = 0, "", value)
    marks
        rating  quiet   AND(rating <> "", games = "")
"""

CHART: Final = """
sheet chart titles:none down:1 upright tab:result
    note about_chart
    table Curves rows:slots
        no      0 center quiet 8 text:curve = row_number
        chosen  @ left input 36 text:chosen list:Entries[name]
        name    left strong 34 text:shown   = Chosen[@name]
        unread  0 quiet helper heading:none = 0
        check   left attention 5            = IF(
            AND(chosen <> "", Chosen[@player] = 0), t.check_unknown, "")
    marks
        chosen  attention   check <> ""
"""

ACTIVITY: Final = """
sheet activity titles:none down:1 upright
    note about_activity
    table Activity rows:lists
        no      0 center quiet          = row_number
        date    center 16               = there({date_text})
        rated   0 center 13 text:rated_players = there(COUNT(INDEX(Season_ratings, 0, no)))
        new     0 center 13 text:new_players = there(COUNTIF(Members[first_no], no))
        active  0 center 13 text:active_players = there(COUNTIF(INDEX(Season_games, 0, no), ">0"))
        games   0 center strong 10 text:list_games = there(SUM(INDEX(Season_games, 0, no)))
        average 0.0 center 14           = there(IF(COUNT(INDEX(Season_ratings, 0, no)) = 0, "",
                                              AVERAGE(INDEX(Season_ratings, 0, no))))
        shown                           = ISNUMBER(day)
    totals
        date    = t.total
        new     = SUM(Activity[new])
        games   = SUM(Activity[games])
    names
        day     = Lists[@date]
    pieces
        there(value) = IF(ISNUMBER(day), value, "")
"""

STEPS: Final = """
sheet steps hidden titles:2
    note about_steps
    table Lists rows:lists
        no      0 quiet             = row_number
        date    date center 10.5    = INDEX(dates_read, no)
        # the date of the last list that has one
        day     date center 10.5 text:date_so_far = IF(ISNUMBER(date), date, N(day.above))
    table Settled rows:1
        lists       0               = SUMPRODUCT(MAX(ISNUMBER(Lists[date]) * Lists[no]))
        need        0               = IF(ISNUMBER(Active_games), Active_games, 1)
        back        0               = IF(ISNUMBER(Active_lists), Active_lists, {lists})
        from_list   0               = MAX(1, lists - back + 1)
    table Played rows:players
        no          0 quiet         = row_number
        {played}
    names
        waits = Members[@waits] = 1
    pieces
        counted(list, typed) = IF(OR(waits, NOT(ISNUMBER(INDEX(Lists[date], list)))), 0, N(typed))
    table Members rows:players
        no          0 quiet         = row_number
        name        left text:player = IF(Entries[@name] = WRONG, "", Entries[@name])
        waits       0               = Entries[@fault]
        id          left name:Player_ids = IF(waits = 1, "", name)
        first_no    0 text:first_list = known(Settled[lists] - COUNT(ratings) + 1)
        first       0               = known(INDEX(ratings, first_no))
        latest      0               = known(INDEX(ratings, Settled[lists]))
        change      +0              = known(latest - first)
        last        +0              = known(IF(first_no = Settled[lists], "",
                                        latest - INDEX(ratings, MAX(1, Settled[lists] - 1))))
        best        0               = known(MAX(ratings))
        best_date   date center 10.5 = known(INDEX(Lists[day], MATCH(best, ratings, 0)))
        worst       0               = known(MIN(ratings))
        games       0 text:season_games = known(SUM(played))
        recent      0               = known(SUMPRODUCT(played
            * (COLUMN(played) - COLUMN(before) >= Settled[from_list])))
        status      left            = cases(name = "", "", waits = 1, t.status_waits,
            COUNT(ratings) = 0, "", recent >= Settled[need], t.status_active, t.status_inactive)
        # who has no rating comes last
        key         0               = IF(name = "", "", N(latest))
        place       0               = order(key, Members[key], upto[key])
        ordered     0               = IFERROR(MATCH(no, Members[place], 0), "")
    names
        ratings = History[@k1:k{lists}]
        played  = Played[@p1:p{lists}]
        before  = Played[@no]
    pieces
        known(value) = IF(COUNT(ratings) = 0, "", value)
    table Chosen rows:slots
        no          0 quiet             = row_number
        name        left text:player    = IF(player = 0, "–", INDEX(Members[name], player))
        player      0 text:player_no    = cases(filled(Curves[chosen]) > 0,
            number_of(Curves[@chosen]), no > {players}, 0, N(INDEX(Members[ordered], no)))
        from_list   0                   = IF(player = 0, 0, N(INDEX(Members[first_no], player)))
    table Points rows:lists
        no          0 quiet             = row_number
        x           date center 10.5 text:date = drawn_day()
        {points}
    table One rows:1
        no          0 quiet             = row_number
        name        left text:player    = IF(player = 0, "–", INDEX(Members[name], player))
        player      0 text:player_no    = IF(choice = "", N(cell(Members, "ordered", 1)),
                                             number_of(choice))
        from_list   0                   = IF(player = 0, 0, N(INDEX(Members[first_no], player)))
    table Path rows:lists
        no          0 quiet                     = row_number
        x           date center 10.5 text:date  = drawn_day()
        rating      0                           = on_path(Career[rating])
    pieces
        on_path(column) = IF(OR(One[from_list] = 0, no < One[from_list]), NA(),
            INDEX(column, drawn_list()))
"""

POINTS: Final = """
        y{k}    0 "{rating} {k}"    = IF(OR(cell(Chosen, "from_list", {k}) = 0,
            no < cell(Chosen, "from_list", {k})), NA(),
            INDEX(Season_ratings, cell(Chosen, "player", {k}), drawn_list()))
        z{k}    +0 "{change} {k}"   = y{k} - INDEX(Points[y{k}], cell(Chosen, "from_list", {k}))"""
"""The columns of a player on the chart: ratings and changes."""


@dataclass(frozen=True, slots=True)
class DateOfList(Reading):
    """The reading of a list's date: after those ``before``, needed if something is ``typed``."""

    before: Node | None = None
    typed: Node | None = None

    @property
    def steps(self) -> int:
        """Two: a date, and a date that can be this one's."""
        return 2

    def second(self, value: Node) -> Node:
        """The formula of its second cell, from the first."""
        return Call("list_date", (value, self.before, self.typed))


def build(book: Book) -> None:
    """Declare all sheets."""
    say, players, lists = book.say, book.options.players, book.options.rounds
    date_text = LANGUAGES[book.options.language].date_text
    latest_day = "day_said(INDEX(Lists[day], Settled[lists]))"
    book.names |= NUMBERS
    front(
        book,
        Setting("Event", "event"),
        CLUB,
        Setting("Active_games", "active_games", None, WHOLE, 1, MOST_GAMES),
        Setting("Active_lists", "active_lists", None, WHOLE, 1, lists),
        rules=False,
    )
    book.names["season_title"] = f"""t.sheet_ratings & IF(Settled[lists] = 0, "",
        " " & t.as_of & " " & {latest_day})"""
    book.names["player_title"] = "IF(One[player] = 0, t.sheet_player, One[name])"
    for key in ("entries", "history", "season", "player", "chart", "activity"):
        book.sheet(key)

    def each(text: str, last: int = lists, **places: str) -> str:
        for place, value in places.items():
            text = text.replace(f"{{{place}}}", value)
        lines = (
            text.replace("{k}", str(k)).replace("{k-1}", str(k - 1)) for k in range(1, last + 1)
        )
        return "".join(lines).strip()

    book.read(
        ENTRIES.replace("{typed}", each(TYPED)),
        players=players,
        lists=lists,
        date_text=date_text("INDEX(Lists[date], no)", year_apart=True),
    )
    _dates(book, lists)
    _half_seasons(book.tables["Entries"], lists)
    carried = (
        "k{k} center 6.5 optional:list_heading({k}) = "
        "carried({k}, Entries[@r{k}], k{k-1})\n        "
    )
    marks = """
        k{k} leader AND(k{k} <> "", k{k} = MAX(k1:k{lists}))
        k{k} quiet Entries[@r{k}] = \"\""""
    text = HISTORY.replace("{carried}", each(carried).replace("k0)", '"")', 1))
    book.read(text.replace("{marks}", each(marks)), players=players, lists=lists)
    ratings = book.tables["History"]
    ratings.fitted = False
    ratings.sheet.height(ratings.header, 2)  # the year stands below or above the day
    book.define("Season_ratings", ratings.column("k1", f"k{lists}"))
    book.read(SEASON, players=players)
    book.read(PLAYER, lists=lists)
    book.read(CHART, slots=SLOTS)
    book.read(ACTIVITY, lists=lists, date_text=date_text("day"))
    points = each(POINTS, SLOTS, rating=say("column_rating"), change=say("column_change_list"))
    played = each("p{k} 0 heading:none = counted({k}, Entries[@g{k}])\n        ")
    book.read(
        STEPS.replace("{points}", points).replace("{played}", played),
        players=players,
        lists=lists,
        slots=SLOTS,
    )
    book.define("Season_games", book.tables["Played"].column("p1", f"p{lists}"))
    unknown = Formula('IF(AND(choice <> "", One[player] = 0), t.check_unknown, "")')
    alone = book.sheets["player"]
    alone.put(5, 3, unknown, "status", align="left", measure=False)
    alone.mark(alone.cells(5, 2), '$C$5 <> ""')
    _charts(book)


def _dates(book: Book, lists: int) -> None:
    """The dates of the lists, typed above their ratings."""
    table, say = book.tables["Entries"], book.say
    sheet, row = table.sheet, table.header - 1
    label = say("column_date")
    sheet.put(row, table.at["check"], f"{label} →", "label", align="right", measure=False)
    allowed = Validation.read("date:FIRST_DAY..LAST_DAY", "date", Statement(label, sheet.title))
    assert allowed is not None
    before: Node = parse("0")
    for k in range(1, lists + 1):
        name = f"list_{k}"
        typed = sheet.put(
            row,
            table.at[f"r{k}"],
            book.content.get(name),
            "input",
            book.date_format,
            "center",
            measure=False,
        )
        sheet.merge(sheet.cells(row, typed.column, 1, 2))
        sheet.validations.append((typed, allowed, None))
        reading = DateOfList("date", before=before, typed=parse(f"Entries[r{k}:g{k}]"))
        read = read_single(name, typed, reading, f"{label} {k}")
        if k == 1:
            first = read
        before = parse(f"MAX({first.sheet.cells(first.row, first.column, k).reference})")
    book.names["dates_read"] = first.sheet.cells(first.row, first.column, lists).reference


HALF: Final = 6
"""Lists on a printed page of entries."""
ONE_PAGE: Final = 28
"""Players whose entries of so many lists fit one page."""


def _half_seasons(entries: Table, lists: int) -> None:
    """Print some lists a page, below the title and with the names beside them; notes would be cut
    off at the last name column."""
    sheet, top = entries.sheet, entries.header - 1
    sheet.height(top, 1.4)
    areas = []
    for k in range(1, lists + 1, HALF):
        first = f"{entries.letter('no')}1" if k == 1 else f"{entries.letter(f'r{k}')}{top}"
        areas.append(f"{first}:{entries.letter(f'g{min(k + HALF - 1, lists)}')}{entries.bottom}")
    sheet.set_up.areas = areas
    for row in range(entries.first, entries.bottom + 1):
        sheet.heights[row] = LINE_HEIGHT  # else the last ones would go on a page of their own
    rows = "1:2" if entries.rows <= ONE_PAGE else f"{top}:{entries.header}"

    def titles(worksheet: Worksheet) -> None:
        worksheet.print_title_rows = rows
        worksheet.print_title_cols = f"{entries.letter('no')}:{entries.letter('check')}"

    sheet.edits.append(titles)


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
        return curve_chart(say(title), drawn, dates, y)

    def ratings() -> Chart:
        return curves("chart", "y", Axis(say("column_rating"), RATINGS))

    def changes() -> Chart:
        return curves("chart_change", "z", Axis(say("column_change_list"), SIGNED_WHOLE))

    def alone() -> Chart:
        name = say("column_rating")
        way = Curve(name, path.column("x"), path.column("rating"), signs=True)
        return curve_chart(say("chart_player"), (way,), dates, Axis(name, RATINGS))

    def games() -> Chart:
        bars = Bars(say("column_list_games"), activity.column("games"), GAIN)
        labels = activity.column("date")
        return bar_chart(say("chart_activity"), labels, (bars,), "0;;;")

    placed = (
        (choices, ratings, "chart", HALF_ROWS),
        (choices, changes, "chart_change", HALF_ROWS),
        (career, alone, "chart_player", CURVE_ROWS),
        (activity, games, "chart_activity", 4 + round(1.2 * book.options.rounds)),
    )
    for table, drawn, key, rows in placed:
        row = table.bottom + 2 + len(table.sheet.charts) * (rows + 1)
        table.sheet.chart(drawn, f"A{row}", say(f"{key}_text"), rows=rows)


START: Final = 2025, 9
"""Year and month of the sample's first list."""

MEMBERS_HERE: Final = 20
"""the sample's players"""
SHOWN: Final = 11, 13, 16, 17, 18, 19
"""whose curves the sample's chart has: they differ"""
K: Final = 20
NEWCOMER: Final = 1560
"""The first rating of the sample's unrated player."""


def sample(options: Options) -> Content:
    """An invented club's monthly lists: two players join in the middle, another one stops."""
    chance, say = random.Random(20269), texts(options.language)
    members = MEMBERS[: min(MEMBERS_HERE, options.players)]
    ratings = [float(member.rating or NEWCOMER) for member in members]
    joins = [1 if member.rating else options.rounds // 2 + 1 for member in members]
    stops = [options.rounds] * len(members)
    stops[min(12, len(members) - 1)] = (options.rounds + 1) // 2
    rows: list[dict[str, Constant]] = [{"name": member.name} for member in members]
    dates: dict[str, Constant] = {}
    for k in range(1, options.rounds + 1):
        years, month = divmod(START[1] - 1 + k - 1, 12)
        dates[f"list_{k}"] = serial(date(START[0] + years, month + 1, 1))
        here = [i for i in range(len(members)) if joins[i] <= k <= stops[i]]
        # the first list has no games: it is where everybody begins
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
                rows[i] |= {f"r{k}": ratings[i], f"g{k}": games[i]}
    large = len(members) > max(SHOWN)
    shown = [members[i] for i in SHOWN] if large else members[:SLOTS]
    return {
        **on_the_wall(say, ("Club",)),
        "Event": say("rating-history.sample_event"),
        "Active_games": 1,
        "Active_lists": min(6, options.rounds),
        **dates,
        "Entries": rows,
        "Curves": [{"chosen": member.name} for member in shown],
        "choice": members[min(6, len(members) - 1)].name,
    }
