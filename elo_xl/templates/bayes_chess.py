"""``bayes-chess``: ratings with deviations by Bayes' formula, game after game, beside Elo's rule.

Sheets: the first one, *Players* (rating, deviation, K), *Games* (typed in the order in which they
were played), *Standings*, *Chart*, *Each game*, *Signs* and *Steps*.

Games find a player by a name that stands once, with a rating that is one. A deviation that is
missing is the usual one, or the one with which Bayes' formula moves a rating as K does. A game
reads what its players had after the games above it.
"""

from __future__ import annotations

import random
from datetime import date, timedelta
from functools import partial
from typing import Final

from elo_xl.books.book import Book, Constant, Content, Formula, Options
from elo_xl.books.charts import Axis, Chart, Curve, curve_chart, step_for
from elo_xl.books.front import Setting, front
from elo_xl.books.signs import results
from elo_xl.books.styles import NONE, SIGNED_WHOLE, WHOLE
from elo_xl.books.texts import texts
from elo_xl.templates.blocks.running import BLOCK, Running
from elo_xl.templates.blocks.typed_games import FIRST, SECOND, SIGN, game, typed_games
from elo_xl.templates.blocks.wall import CLUB
from elo_xl.templates.samples import MEMBERS, on_the_wall, result
from elo_xl.templates.samples import YEAR as SAMPLE_YEAR

CURVES: Final = 3
"""players of the charts"""
CHART_ROWS: Final = 20

FIRST_EVENING: Final = date(SAMPLE_YEAR, 1, 1)
"""A week before the first one of the sample."""

NEWCOMER: Final = 1500
"""The sample's guess at a player without a rating."""

# With deviations up to 500 the sums in cells are exact.
PLAYERS_AND_STEPS: Final = """
pieces
    fitting(sd) = sd ^ 2 * LN(10) / 200
    # of whoever has played; nobody else has moved
    after(value, before) = IF(AND(N(Last[@games]) > 0, ISNUMBER(Last[@rating]),
        ISNUMBER(Last[@sd])), ROUND(value, 6), before)

commands
    publish standings
    pictures chart standings
    players Players
    games Games
    next
        blank Event
        keep Players
        keep Chosen
        fill Players
            rating = after(Last[@rating], rating)
            sd = after(Last[@sd], sd)

sheet players upright freeze:rating stretch:check
    note about_players
    note bigger players=size
    table Players rows:size
        no      0 center quiet              = row_number
        name    @ left input 24
        rating  0 input 8 decimal:100..3999
        sd      0 input 8 decimal:1..500
        k       0 input 7 decimal:1..100
        own_sd  0.0 center 12               = cases(own_k = "", "", within(sd, 1, 500) <> "", sd,
            within(Usual_sd, 1, 500) <> "", Usual_sd, SQRT(own_k * 200 / LN(10)))
        own_k   0 center 12                 = cases(name = "", "",
            within(rating, 100, 3999) = "", "", times(Players[name], name) <> 1, "",
            within(k, 1, 100) <> "", k, within(Usual_k, 1, 100) <> "", Usual_k, rules.usual_k)
        fault   0 quiet helper                  = IF(check = "", 0, 1)
        shown spare:5                           = filled(name:k) > 0
        check   left attention 5            = cases(
            name = "", IF(filled(rating:k) = 0, "", t.check_name), name = WRONG, t.check_name,
            times(Players[name], name) <> 1, t.check_twice,
            NOT(ISNUMBER(rating)), t.check_rating, sd = WRONG, t.check_sd, k = WRONG, t.check_k, "")
    inputs
        name soft = times(Players[name], name) = 1
    marks
        name    attention   OR(check = t.check_name, check = t.check_twice)
        rating  missing     AND(check = t.check_rating, rating = "")

sheet steps hidden
    note about_steps
    table Listed rows:size gap:1
        no      0 quiet                     = row_number
        id      left 22 name:Player_ids     = IF(Players[@own_k] = "", "", Players[@name])
        start   0.0                         = IF(Players[@own_k] = "", "", Players[@rating])

    table Found rows:games beside:Listed
        first_no 0                          = {first}
        second_no 0                         = {second}
        sign_no 0                           = {sign}
        counts  0                           = IF(AND(first_no > 0, second_no > 0,
            first_no <> second_no, sign_no > 0), INDEX(Result_rated, sign_no), 0)

    table Last rows:size beside:Found
        no      0 center quiet              = row_number
        rating  0.0 text:now_rating         = last(Ratings[@b{blocks}])
        sd      0.0 text:now_sd             = last(Deviations[@b{blocks}])
        elo     0.0 text:now_elo            = last(Elo[@b{blocks}])
        games   0 text:played               = SUMPRODUCT(Found[counts]
            * ((Found[first_no] = no) + (Found[second_no] = no)))
        # rounded, so that equal ratings share an order however they were computed
        key     0.0                         = IF(rating = "", "", ROUND(rating, 6))
        place   0                           = order(key, Last[key], upto[key])
    pieces
        last(value) = IF(Listed[@id] = "", "", value)

    # after the last game that counts, and for nobody, the points of curves stay where they are
    table Points rows:games+1 beside:Last
        game    0 quiet text:no             = row_number - 1
        {points}
        elo1    0.0 9 heading:none          = ran(1, elo1.above, Each[@elo_change_a.above],
            Each[@elo_change_b.above])
        sd1     0.0 9 text:sd               = IF(row_number = 1,
            IF(shown1 = 0, 0, N(INDEX(Players[own_sd], shown1))), sd1.above + ran(1, 0,
            Each[@sd_gain_a.above], Each[@sd_gain_b.above]))
        high    0.0 9 heading:none          = rating1 + sd1
        low     0.0 9 heading:none          = rating1 - sd1
    pieces
        # what a player has gained so far
        ran(k, so_far, first, second) = cases(row_number = 1, 0,
            so_far + IF(Found[@first_no.above] = shown(k), N(first), 0)
                + IF(Found[@second_no.above] = shown(k), N(second), 0))
        shown(k) = cases(k = 1, shown1, k = 2, shown2, shown3)
"""

POINTS: Final = """
        x{k}    0 quiet "x {k}"             = IF(shown{k} = 0, 0, MIN(game, last_game))
        rating{k} 0.0 9 heading:none        = ran({k}, rating{k}.above,
            Each[@change_a.above], Each[@change_b.above])
"""

EACH: Final = """
pieces
    counted(value)          = IF(Found[@counts] = 1, value, "")
    rated(value)            = IF(score = "", "", value)
    factor(number)          = INDEX(Players[own_k], number)

sheet each banded unbroken:{evening} freeze:score
    notes about_each
    table Each rows:games group:{block} gap:1
        no          0 quiet                 = row_number
        white       left 20                 = IF(Games[@white] = "", "", Games[@white])
        black       left 20                 = IF(Games[@black] = "", "", Games[@black])
        score       0.0 center strong       = counted(INDEX(Result_points, Found[@sign_no]))
        rating_a    0.0 center 7 over:group_before = counted({rating_a})
        rating_b    0.0 center 7 over:group_before = counted({rating_b})
        before_a    0.0 quiet 7 helper text:sd_a = counted({before_a})
        before_b    0.0 quiet 7 helper text:sd_b = counted({before_b})
        expected    0.00 center 10 over:group_after text:expected_a each = ELO_EXPECTED(
            rating_a, rating_b, "{model}")
        after_a,after_b,sd_a,sd_b 0.0 7 helper over:group_after each = ELO_BAYES(
            rating_a, rating_b, score, before_a, before_b, "split", "{model}")
        change_a    +0.0 center 9 over:group_after = rated(after_a - rating_a)
        change_b    +0.0 center 9 over:group_after = rated(after_b - rating_b)
        elo_a       0.0 7 helper text:rating_a = counted({elo_a})
        elo_b       0.0 7 helper text:rating_b = counted({elo_b})
        elo_expected 0.00 center 12 over:group_elo text:expected_a each = ELO_EXPECTED(
            elo_a, elo_b, "{model}")
        # Black's score and expected score are what White's leave of 1
        elo_after_a 0.0 7 helper over:group_elo text:after_a = rated(
            elo_a + factor(Found[@first_no]) * (score - elo_expected))
        elo_after_b 0.0 7 helper over:group_elo text:after_b = rated(
            elo_b - factor(Found[@second_no]) * (score - elo_expected))
        elo_change_a +0.0 center 9 over:group_elo text:change_a = rated(elo_after_a - elo_a)
        elo_change_b +0.0 center 9 over:group_elo text:change_b = rated(elo_after_b - elo_b)
        {moved}
        shown                               = OR(white <> "", black <> "")
    names
        moves = Found[@counts] = 1
    marks
        white:black quiet   score = ""
        no:elo_change_b begin Games[@event] <> Games[@event.above]

sheet standings wall freeze:now
    notes about_standings
    table Standings rows:size
        place       0 center strong         = row_number
        name        left strong 22          = shown(Listed[id])
        now         0 center strong text:now_rating = shown(Last[rating])
        sd          0 center text:now_sd    = shown(Last[sd])
        elo         0 center strong text:now_elo = shown(Last[elo])
        apart       +0 center 10            = IF(name = "", "", now - elo)
        start       0 quiet helper text:first_rating = shown(Listed[start])
        own_sd      0 quiet helper text:first_sd = shown(Players[own_sd])
        games       0 center text:played    = shown(Last[games])
        change      +0 center text:bayes_change = IF(name = "", "", now - start)
        fits        0 center quiet 11 text:now_fits = IF(name = "", "", fitting(sd))
        shown                               = name <> ""
    pieces
        shown(column) = IF(place <= COUNT(Last[place]),
                           INDEX(column, MATCH(place, Last[place], 0)), "")

sheet chart upright down:1 titles:none tab:result
    note about_chart
    table Chosen rows:curves
        no          0 center quiet          = row_number
        chosen      @ left input 24 list:Players[name]
        name        left strong 22 text:shown = IF(number = 0, "–", INDEX(Player_ids, number))
        rating      0.0 center text:now_rating = IF(number = 0, "", INDEX(Last[rating], number))
        sd          0.0 center text:now_sd  = IF(number = 0, "", INDEX(Last[sd], number))
        elo         0.0 center text:now_elo = IF(number = 0, "", INDEX(Last[elo], number))
        unread      0 quiet helper heading:none = 0
        check       left attention 5        = IF(OR(chosen = "", number > 0), "", t.check_chosen)
    marks
        chosen      attention   check <> ""
    names
        number = cases(row_number = 1, shown1, row_number = 2, shown2, shown3)
"""

KEPT: Final = {
    "Ratings": ("rating", "change", "Listed[@start]"),
    "Deviations": ("before", "sd_gain", "Players[@own_sd]"),
    "Elo": ("elo", "elo_change", "Listed[@start]"),
}
"""What runs: rating and deviation by Bayes' formula, the rating by Elo's rule. By the name of its
table: the columns of *Each game* with what both players have before a game, those of what it
changes, and what a player begins with."""


def build(book: Book) -> None:
    """Declare all sheets."""
    games = book.options.rounds
    # the curve of expected scores is the rulebook's own, but a table has no integrals
    model = "logistic" if book.rules.expected.model == "logistic" else "normal"
    front(
        book,
        Setting("Event", "event"),
        CLUB,
        Setting("Usual_sd", "usual_sd", None, WHOLE, 1, 500),
        Setting("Usual_k", "usual_k", None, WHOLE, 1, 100),
        Setting("Model", "model", book.say(f"model_{model}"), locked=True),
        rules=False,
    )
    for key in ("players", "games", "standings", "chart", "each"):
        book.sheet(key)
    results(book)
    points = "".join(POINTS.replace("{k}", str(k + 1)) for k in range(CURVES))
    book.read(
        PLAYERS_AND_STEPS.replace("        {points}\n", points),
        games=games,
        first=FIRST,
        second=SECOND,
        sign=SIGN,
        blocks=-(-games // BLOCK),
    )
    more = [
        f"new_{side} 0.0 center strong 7 text:after_{side} = Each[@after_{side}]" for side in "ab"
    ]
    typed_games(book, lines="Found", more=more, again=False)
    # everybody plays once an evening
    evening = max(book.options.players // 2, 2)
    played = book.sheets["games"].set_up
    played.ordered, played.unbroken = True, evening
    running = Running(book, "Each", BLOCK, {"a": "Found[@first_no]", "b": "Found[@second_no]"})
    each = EACH.replace(
        "{moved}", running.columns("sd_gain_{end} = rated(sd_{end} - before_{end})")
    )
    for table, (what, change, _) in KEPT.items():
        for end in running.sides:
            each = each.replace(f"{{{what}_{end}}}", running.before(end, table, change))
    book.read(each, games=games, model=model, curves=CURVES, block=BLOCK, evening=evening)
    for table, (_, change, start) in KEPT.items():
        running.keep(table, change, start)
    _curves(book)


def _curves(book: Book) -> None:
    """The chosen players' numbers above the points of their curves, the curves' names, and the
    charts: one player with the band of their deviation, and all beside each other.

    Points are counted from the first rating, so that both axes may begin at 0.
    """
    say, points, chosen = book.say, book.tables["Points"], book.tables["Chosen"]
    steps, above = points.sheet, points.header - 1
    last = Formula("SUMPRODUCT(MAX(Found[counts] * Each[no]))")
    steps.name("last_game", steps.put(above, points.left, last, "quiet", WHOLE))
    named = {("elo1", 1): "t.curve_elo", ("high", 1): "t.curve_band"}
    for k in range(1, CURVES + 1):
        best = f"IF(COUNT(Last[place]) >= {k}, MATCH({k}, Last[place], 0), 0)"
        typed = f'number_of(cell(Chosen, "chosen", {k}))'
        text = Formula(f"IF(filled(Chosen[chosen]) = 0, {best}, {typed})")
        steps.name(f"shown{k}", steps.put(above, points.at[f"x{k}"], text, "quiet", WHOLE))
        named[f"rating{k}", k] = f'cell(Chosen, "name", {k})'
    for (key, k), name in named.items():
        heading = Formula(f'IF(shown{k} = 0, "{NONE}", {name})')
        place = points.header, points.at[key]
        steps.put(*place, heading, "heading", align="right", measure=False)
    for table in steps.tables:
        table.fitted = False
    steps.height(points.header, 3)

    def curve(key: str, k: int = 1) -> Curve:
        bound = key in ("high", "low")
        name = steps.cells(points.header, points.at["high" if bound else key])
        look = 0 if bound else None
        return Curve(name, points.column(f"x{k}"), points.column(key), look=look, thin=bound)

    def drawn(key: str) -> Chart:
        ways = [curve(f"rating{k}", k) for k in range(1, CURVES + 1)]
        band = [ways[0], curve("elo1"), curve("high"), curve("low")]
        step = step_for(book.options.rounds)
        x = Axis(say("axis_games"), WHOLE, least=0, step=step)
        y = Axis(say("axis_points"), SIGNED_WHOLE)
        curves = band if key == "band" else ways
        return curve_chart(say(f"chart_{key}"), curves, x, y)

    row = chosen.last + 2
    for key in ("band", "pairs"):
        chosen.sheet.chart(
            partial(drawn, key), f"A{row}", say(f"chart_{key}_text"), rows=CHART_ROWS
        )
        row += CHART_ROWS + 1


def sample(options: Options) -> Content:
    """An invented club season: how well a rating is known decides how far it is from a strength
    that nobody sees, and results are drawn from these."""
    chance, say = random.Random(20263), texts(options.language)
    club: list[dict[str, Constant]] = []
    strengths, deviations = {}, {}
    for member in MEMBERS[: options.players]:
        known = 0 if member.rating is None else member.games or 0
        sd = 40 if known > 500 else None if known > 50 else 110 if known else 180
        rating, k = member.rating or NEWCOMER, 40 if known < 30 else None
        club.append({"name": member.name, "rating": rating, "sd": sd, "k": k})
        strengths[member.name] = rating + chance.gauss(0, 1.3 * (sd or 60))
        deviations[member.name] = sd or 0
    games: list[dict[str, Constant]] = []
    week = 0
    while len(games) < options.rounds:
        week += 1
        evening = say("bayes-chess.sample_evening", number=week)
        drawn = list(strengths)
        chance.shuffle(drawn)
        for one, two in zip(drawn[::2], drawn[1::2], strict=False):
            typed = result(chance, strengths[one], strengths[two])
            games.append(game(evening, one, two, typed, FIRST_EVENING + week * timedelta(7)))
    # one win without play, to show that it does not count
    if len(games) > 7:
        games[7]["result"] = "+"
    unsure = sorted(deviations, key=lambda name: -deviations[name])
    chosen = list(dict.fromkeys((*unsure[:2], MEMBERS[0].name)))
    return {
        **on_the_wall(say, ("Club",)),
        "Event": say("bayes-chess.sample_event"),
        "Usual_sd": 60,
        "Usual_k": 20,
        "Players": club,
        "Games": games[: options.rounds],
        "Chosen": [{"chosen": name} for name in chosen],
    }
