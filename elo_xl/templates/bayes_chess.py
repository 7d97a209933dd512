"""``bayes-chess``: ratings with deviations by Bayes' formula, game after game, beside Elo's rule.

Sheets: the first one, *Players* (rating, deviation, K), *Games* (typed in the order in which they
were played), *Standings*, *Chart*, *Each game*, and what every player had after each game:
*Ratings*, *Deviations*, *Elo's rule*; then *Signs* and *Steps*.

Games find a player by a name that stands once, with a rating that is one. A deviation that is
missing is the usual one, or the one with which Bayes' formula moves a rating as K does. A game
reads what runs from the row before its own, and writes the next.
"""

from __future__ import annotations

import random
from functools import partial
from typing import Final

from elo_xl.books.book import Book, Constant, Content, Formula, Options
from elo_xl.books.charts import Axis, Chart, Curve, curve_chart
from elo_xl.books.front import Setting, front
from elo_xl.books.styles import NONE, SIGNED_WHOLE, WHOLE
from elo_xl.books.texts import texts
from elo_xl.templates.blocks.results import results
from elo_xl.templates.blocks.running import everybody, running
from elo_xl.templates.blocks.typed_games import FIRST, SECOND, SIGN, game, typed_games
from elo_xl.templates.samples import MEMBERS, result

CURVES: Final = 3
"""players of the charts"""

NEWCOMER: Final = 1500
"""The sample's guess at a player without a rating."""

# With deviations up to 500 the sums in cells are exact.
PLAYERS_AND_STEPS: Final = """
pieces
    fitting(sd) = sd ^ 2 * LN(10) / 200

sheet players upright freeze:rating
    note about_players
    note bigger players=size
    table Players rows:size
        no      0 quiet                     = row_number
        name    @ left input 26
        rating  0 input 8 decimal:100..3999
        sd      0 input 8 decimal:1..500
        k       0 input 7 decimal:1..100
        own_sd  0.0                         = cases(own_k = "", "", within(sd, 1, 500) <> "", sd,
            within(Usual_sd, 1, 500) <> "", Usual_sd, SQRT(own_k * 200 / LN(10)))
        own_k   0.0                         = cases(name = "", "",
            within(rating, 100, 3999) = "", "", times(Players[name], name) <> 1, "",
            within(k, 1, 100) <> "", k, within(Usual_k, 1, 100) <> "", Usual_k, rules.k_standard)
        fits    0.0 quiet                   = IF(own_sd = "", "", fitting(own_sd))
        check   left attention fits:check_  = cases(
            name = "", IF(filled(rating:k) = 0, "", t.check_name), name = WRONG, t.check_name,
            times(Players[name], name) <> 1, t.check_twice,
            NOT(ISNUMBER(rating)), t.check_rating, sd = WRONG, t.check_sd, k = WRONG, t.check_k, "")
        fault   0 quiet helper                  = IF(check = "", 0, 1)
    inputs
        name soft = times(Players[name], name) = 1
    marks
        name    attention   OR(check = t.check_name, check = t.check_twice)
        rating  attention   check = t.check_rating

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
        no      0 quiet                     = row_number
        rating  0.0 text:now_rating         = INDEX(last_rating, no)
        sd      0.0 text:now_sd             = INDEX(last_sd, no)
        elo     0.0 text:now_elo            = INDEX(last_elo, no)
        games   0 text:played               = SUMPRODUCT(Found[counts]
            * ((Found[first_no] = no) + (Found[second_no] = no)))
        # rounded, so that equal ratings share an order however they were computed
        key     0.0                         = IF(rating = "", "", ROUND(rating, 6))
        place   0                           = order(key, Last[key], upto[key])

    # after the last game that counts, and for nobody, the points of curves stay where they are
    table Points rows:games+1 beside:Last
        game    0 quiet text:no             = row_number - 1
        {points}
        high    0.0 9 heading:none          = IF(shown1 = 0, 0, rating1 + deviation)
        low     0.0 9 heading:none          = IF(shown1 = 0, 0, rating1 - deviation)
    names
        deviation = INDEX(Deviations[@p1:p{size}], shown1)
"""

POINTS: Final = """
        x{k}    0 quiet "x {k}"             = IF(shown{k} = 0, 0, MIN(game, last_game))
        rating{k} 0.0 9 heading:none        = IF(shown{k} = 0, 0,
            INDEX(Ratings[@p1:p{size}], shown{k}) - INDEX(Listed[start], shown{k}))
        elo{k}  0.0 9 heading:none          = IF(shown{k} = 0, 0,
            INDEX(Elo[@p1:p{size}], shown{k}) - INDEX(Listed[start], shown{k}))
"""

EACH: Final = """
pieces
    before(history, number) = IF(Found[@counts] = 1, INDEX(history, number), "")
    rated(value)            = IF(score = "", "", value)
    factor(number)          = INDEX(Players[own_k], number)

sheet each freeze:score
    note about_each
    table Each rows:games gap:1
        no          0 quiet                 = row_number
        white       left 20                 = IF(Games[@white] = "", "", Games[@white])
        black       left 20                 = IF(Games[@black] = "", "", Games[@black])
        score       0.0 center strong       = before(Result_points, Found[@sign_no])
        rating_a    0.0 7 over:group_before = before(Ratings[@p1:p{size}], Found[@first_no])
        rating_b    0.0 7                   = before(Ratings[@p1:p{size}], Found[@second_no])
        before_a    0.0 quiet 7 text:sd_a   = before(Deviations[@p1:p{size}], Found[@first_no])
        before_b    0.0 quiet 7 text:sd_b   = before(Deviations[@p1:p{size}], Found[@second_no])
        expected    0.00 text:expected_a each = ELO_EXPECTED(rating_a, rating_b, "{model}")
        after_a,after_b,sd_a,sd_b 0.0 7 over:group_after each = ELO_BAYES(
            rating_a, rating_b, score, before_a, before_b, "split", "{model}")
        change_a    +0.0                    = rated(after_a - rating_a)
        change_b    +0.0                    = rated(after_b - rating_b)
        elo_a       0.0 7 text:rating_a over:group_elo = before(Elo[@p1:p{size}], Found[@first_no])
        elo_b       0.0 7 text:rating_b     = before(Elo[@p1:p{size}], Found[@second_no])
        elo_expected 0.00 text:expected_a each = ELO_EXPECTED(elo_a, elo_b, "{model}")
        # Black's score and expected score are what White's leave of 1
        elo_after_a 0.0 7 text:after_a      = rated(
            elo_a + factor(Found[@first_no]) * (score - elo_expected))
        elo_after_b 0.0 7 text:after_b      = rated(
            elo_b - factor(Found[@second_no]) * (score - elo_expected))
        elo_change_a +0.0 text:change_a     = rated(elo_after_a - elo_a)
        elo_change_b +0.0 text:change_b     = rated(elo_after_b - elo_b)
    marks
        white:black quiet   score = ""

sheet standings freeze:now
    note about_standings
    table Standings rows:size
        place       0 quiet                 = row_number
        name        left strong 22          = shown(Listed[id])
        now         0.0 strong text:now_rating = shown(Last[rating])
        sd          0.0 text:now_sd         = shown(Last[sd])
        elo         0.0 strong text:now_elo = shown(Last[elo])
        apart       +0.0                    = IF(name = "", "", now - elo)
        start       0 quiet text:first_rating = shown(Listed[start])
        own_sd      0.0 quiet text:first_sd = shown(Players[own_sd])
        games       0 text:played           = shown(Last[games])
        change      +0.0 text:bayes_change  = IF(name = "", "", now - start)
        elo_change  +0.0                    = IF(name = "", "", elo - start)
        fits        0.0 quiet text:now_fits = IF(name = "", "", fitting(sd))
    pieces
        shown(column) = IF(place <= COUNT(Last[place]),
                           INDEX(column, MATCH(place, Last[place], 0)), "")

sheet chart upright down:1 titles:none tab:result
    note about_chart
    table Chosen rows:curves
        no          0 quiet                 = row_number
        chosen      @ left input 24 list:Players[name]
        name        left strong 22 text:shown = IF(number = 0, "–", INDEX(Player_ids, number))
        rating      0.0 text:now_rating     = IF(number = 0, "", INDEX(Last[rating], number))
        sd          0.0 text:now_sd         = IF(number = 0, "", INDEX(Last[sd], number))
        elo         0.0 text:now_elo        = IF(number = 0, "", INDEX(Last[elo], number))
        check       left fits:check_        = IF(OR(chosen = "", number > 0), "", t.check_chosen)
    marks
        chosen      attention   check <> ""
    names
        number = cases(row_number = 1, shown1, row_number = 2, shown2, shown3)
"""

HISTORIES: Final = {
    "rating": ("Ratings", "Each[@after_a:after_b.above]", 'cell(Listed, "start", {j})'),
    "sd": ("Deviations", "Each[@sd_a:sd_b.above]", 'cell(Players, "own_sd", {j})'),
    "elo": ("Elo", "Each[@elo_after_a:elo_after_b.above]", 'cell(Listed, "start", {j})'),
}
"""What runs: rating and deviation by Bayes' formula, the rating by Elo's rule. By the key of the
sheet: its table, what both players have after a game, and what a player begins with."""


def build(book: Book) -> None:
    """Declare all sheets."""
    games = book.options.rounds
    # the curve of expected scores is the rulebook's own, but a table has no integrals
    model = "logistic" if book.rules.model == "logistic" else "normal"
    front(
        book,
        Setting("Event", "event"),
        Setting("Usual_sd", "usual_sd", None, WHOLE, 1, 500),
        Setting("Usual_k", "usual_k", None, WHOLE, 1, 100),
        Setting("Model", "model", book.say(f"model_{model}"), locked=True),
        rules=False,
    )
    for key in ("players", "games", "standings", "chart", "each", *HISTORIES):
        book.sheet(key)
    results(book)
    points = "".join(POINTS.replace("{k}", str(k + 1)) for k in range(CURVES))
    book.read(
        PLAYERS_AND_STEPS.replace("        {points}\n", points),
        games=games,
        first=FIRST,
        second=SECOND,
        sign=SIGN,
    )
    more = [f"new_{side} 0.0 strong text:after_{side} = Each[@after_{side}]" for side in "ab"]
    typed_games(book, found="Found", more=more, again=False)
    book.read(EACH, games=games, model=model, curves=CURVES)
    for key in HISTORIES:
        _history(book, key)
    _curves(book)


def _history(book: Book, key: str) -> None:
    """What everybody had after each game."""
    table, found, start = HISTORIES[key]
    games = book.options.rounds
    label = "left 20 = IF(row_number = 1, EMPTY, Each[@{0}.above])"
    history = running(
        book,
        key,
        table,
        rows=games,
        labels="\n        ".join(f"{side} {label.format(side)}" for side in ("white", "black")),
        counts="Found[@counts.above] = 1",
        players="Found[@first_no:second_no.above]",
        found=found,
        name='cell(Listed, "id", {j})',
        start=start,
        width="11",
        number_format="0.0",
        lines=3,
    )
    sheet, first = history.sheet, everybody(history, 0)
    begins = book.say("start_row")
    sheet.put(first.row, history.at["white"], begins, "quiet", align="left", measure=False)
    sheet.name(f"last_{key}", everybody(history, games))
    # the start stays on the screen, too
    frozen = first.at(1).area
    sheet.edits.append(lambda worksheet: setattr(worksheet, "freeze_panes", frozen))


def _curves(book: Book) -> None:
    """The chosen players' numbers above the points of their curves, the curves' names, and the
    charts: one player with the band of their deviation, and all beside each other.

    Points are counted from the first rating, so that both axes may begin at 0.
    """
    say, points, chosen = book.say, book.tables["Points"], book.tables["Chosen"]
    steps, above = points.sheet, points.header - 1
    last = Formula("SUMPRODUCT(MAX(Found[counts] * Each[no]))")
    steps.name("last_game", steps.put(above, points.left, last, "quiet", WHOLE))
    named = [("high", 1, "high"), ("low", 1, "low")]
    for k in range(1, CURVES + 1):
        best = f"IF(COUNT(Last[place]) >= {k}, MATCH({k}, Last[place], 0), 0)"
        typed = f'number_of(cell(Chosen, "chosen", {k}))'
        text = Formula(f"IF(filled(Chosen[chosen]) = 0, {best}, {typed})")
        steps.name(f"shown{k}", steps.put(above, points.at[f"x{k}"], text, "quiet", WHOLE))
        named += [(f"rating{k}", k, "rating"), (f"elo{k}", k, "elo")]
    for key, k, what in named:
        name = f'cell(Chosen, "name", {k}) & t.curve_{what}'
        heading = Formula(f'IF(shown{k} = 0, "{NONE}", {name})')
        place = points.header, points.at[key]
        steps.put(*place, heading, "heading", align="right", measure=False)
    for table in steps.tables:
        table.fitted = False
    steps.height(points.header, 3)

    def curve(key: str, k: int = 1) -> Curve:
        name = steps.cells(points.header, points.at[key])
        look = 2 if key in ("high", "low") else None
        return Curve(name, points.column(f"x{k}"), points.column(key), look=look)

    def drawn(key: str) -> Chart:
        ways = [curve(f"{what}{k}", k) for k in range(1, CURVES + 1) for what in ("rating", "elo")]
        band = [*ways[:2], curve("high"), curve("low")]
        x, y = Axis(say("axis_games"), WHOLE, least=0), Axis(say("axis_points"), SIGNED_WHOLE)
        curves = band if key == "band" else ways
        return curve_chart(say(f"chart_{key}"), curves, x, y, (25.0, 12.0))

    for row, key in ((chosen.last + 2, "band"), (chosen.last + 27, "pairs")):
        chosen.sheet.chart(partial(drawn, key), f"A{row}", say(f"chart_{key}_text"))


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
            games.append(game(evening, one, two, typed))
    if len(games) > 7:
        games[7]["result"] = "+"
    unsure = sorted(deviations, key=lambda name: -deviations[name])
    chosen = list(dict.fromkeys((*unsure[:2], MEMBERS[0].name)))
    return {
        "Event": say("bayes-chess.sample_event"),
        "Usual_sd": 60,
        "Usual_k": 20,
        "Players": club,
        "Games": games[: options.rounds],
        "Chosen": [{"chosen": name} for name in chosen],
    }
