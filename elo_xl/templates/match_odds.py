"""``match-odds``: two players, a number of games: the probability of every score.

Sheets: the first one, *Odds* (what is typed, the odds and the chart) and *Steps*: the distribution
of the points after each game, made from the one before by win, draw and loss. It is the exact
convolution of ``ELO_MATCH``, which no built-in function gives with a draw margin.
"""

from __future__ import annotations

from typing import Final

from elo_xl.books.book import Book, Content, Formula, Options, Sheet
from elo_xl.books.charts import Bars, Chart, bar_chart, over_rows
from elo_xl.books.column_words import Look, Validation
from elo_xl.books.front import front
from elo_xl.books.names import by_row
from elo_xl.books.statements import Statement
from elo_xl.books.styles import GAIN
from elo_xl.books.typed import Reading, read_single

STEPS: Final = """
pieces
    possible(rating)    = IF(ISNUMBER(rating), AND(rating >= 0.001, rating <= 3999), FALSE)
    some_games(typed)   = AND(typed >= 1, typed <= most, INT(typed) = typed)
    chance(which)       = SUMPRODUCT((which) * final)
    fair(chance)        = IF(chance > 0, 1 / chance, "")

commands
    pictures odds

sheet steps hidden titles:2
    note about_steps
    table Used rows:1
        rating_a        = within(typed_rating_first, 0.001, 3999)
        rating_b        = within(typed_rating_second, 0.001, 3999)
        games           = IF(ISNUMBER(typed_games), IF(some_games(typed_games),
                                                                  typed_games, ""), "")
        margin          = within(typed_margin, 0, 1000)
        win,draw,loss 0.0000 = ELO_OUTCOMES(rating_a, rating_b, margin, model)
    table Points rows:most+1 gap:1
        after   0 label         = row_number - 1
        p0      0.0000 heading:none = IF(row_number = 1, 1, p0.above * N(Used[loss]))
        p1      0.0000 heading:none = IF(row_number = 1, EMPTY,
            p1.above * N(Used[loss]) + p0.above * N(Used[draw]))
        p{h}    0.0000 heading:none = IF({h} > 2 * after_games, EMPTY,
            p{h}.above * N(Used[loss]) + p{h-1}.above * N(Used[draw]) + p{h-2}.above * N(Used[win]))
    names
        after_games = row_number - 1
"""

TYPED: Final = (
    ("name", "@", ("_first", "_second"), "any"),
    ("rating", "0", ("_first", "_second"), "decimal:0..3999"),
    ("games", "0", ("",), "whole:1..most"),
    ("margin", "0", ("",), "decimal:0..1000"),
)
"""Each line: key, number format, the cells, and what may be typed."""

NAMES: Final = {
    "good_rating": """OR(AND(typed_rating_first = "", typed_rating_second = ""),
        AND(possible(typed_rating_first), possible(typed_rating_second)))""",
    "good_games": 'IF(ISNUMBER(typed_games), some_games(typed_games), typed_games = "")',
    "good_margin": "fine(typed_margin, 0, 1000)",
    "rated": 'AND(Used[rating_a] <> "", Used[rating_b] <> "")',
    "known": 'AND(rated, Used[games] <> "")',
    "half": "Used[games] / 2",
    "final": "INDEX(Points, Used[games] + 1, 0)",
    "mean": "SUMPRODUCT(heads * final)",
}
"""What is right of the lines typed, and what the match is made of."""

LINES: Final = (
    ("game_win", "0.0%", "rated", "Used[win]", "Used[loss]"),
    ("game_draw", "0.0%", "rated", "Used[draw]", "Used[draw]"),
    ("match_win", "0.0%", "known", "chance(heads > half)", "chance(heads < half)"),
    ("match_tie", "0.0%", "known", "chance(heads = half)", "chance(heads = half)"),
    ("match_points", "0.00", "known", "mean", "Used[games] - mean"),
    ("match_odds", "0.00", "known", "fair(match_win_first)", "fair(match_win_second)"),
)
"""What the match comes to: key, number format, when it is known, and a formula for each player."""

CHANCE: Final = "[<0.0005]{little};0.0%"
"""A number format for probabilities, which calls none impossible."""

SCORES: Final = """
sheet odds
    table Scores rows:2*most+1 gap:1
        score   @ center strong text:match_score = IF(exists,
            left & " : " & halves(2 * Used[games] - half_points), "")
        exactly format:{chance} center = IF(exists, INDEX(final, row_number), "")
        least   format:{chance} center = IF(exists,
            SUM(INDEX(final, row_number):INDEX(final, last)), "")
    names
        half_points = row_number - 1
        exists      = IF(known, half_points <= 2 * Used[games], FALSE)
        last        = 2 * most + 1
    marks
        score:exactly   quiet   exactly < 0.0005
        least           quiet   least < 0.0005
    pieces
        halves(n)   = IF(n = 1, "½", INT(n / 2) & IF(MOD(n, 2) = 1, "½", ""))
"""


def build(book: Book) -> None:
    """Declare all sheets."""
    most, say = book.options.rounds, book.say
    model = "logistic" if book.rules.expected.model == "logistic" else "normal"
    book.names |= NAMES | {"most": most}
    front(book, rules=False)
    odds = book.sheet("odds")
    book.read(f"sheet odds upright titles:none down:1\n    note about_odds\n    note model_{model}")
    odds.widths.update({1: 30.0, 2: 17.0, 3: 17.0, 4: 44.0})
    odds.row += 1
    top = odds.row
    _headings(odds, None, say("column_first"), say("column_second"), say("column_check"))
    for line in TYPED:
        _typed(odds, *line)
    loops = {"h": range(2, 2 * most + 1)}
    book.read(STEPS, loops=loops, most=most, model=f'"{model}"')
    steps, points = book.sheets["steps"], book.tables["Points"]
    for h in range(2 * most + 1):
        steps.put(points.header, 2 + h, h / 2, "heading", "0.0", "right")
    steps.name("heads", steps.cells(points.header, 2, 1, 2 * most + 1))
    steps.name("Points", points.column("p0", f"p{2 * most}"))
    _summary(book, odds)
    book.read(
        SCORES,
        most=most,
        chance=CHANCE.format(little="".join(f"\\{c}" for c in f"<{book.number('0.1')}%")),
        left=by_row([f'"{_halves(h)}"' for h in range(2 * most + 1)]),
    )
    for row in range(top, book.tables["Scores"].header - 1):
        odds.height(row, 1)
    _chart(book)


def _headings(sheet: Sheet, *texts: str | Formula | None) -> None:
    for column, text in enumerate(texts, start=1):
        align = "left" if column in (1, 4) else "center"
        sheet.put(sheet.row, column, text, "heading", align=align, measure=False)
    sheet.row += 1


def _typed(sheet: Sheet, key: str, number_format: str, cells: tuple[str, ...], rule: str) -> None:
    """A line of what is typed, with its check."""
    book, row, say = sheet.book, sheet.row, sheet.book.say
    validation = Validation.read(rule, key, Statement(rule, "match-odds"))
    assert validation is not None
    sheet.row += 1
    sheet.put(row, 1, say(f"column_{key}"), "label", align="left", measure=False)
    for column, which in enumerate(cells, start=2):
        name = f"{key}{which}"
        typed = book.content.get(name)
        cell = sheet.put(row, column, typed, "input", number_format, "center", measure=False)
        reading = Reading.of(Look("input", number_format), validation, book)
        label = f"{sheet.title}: {say(f'column_{key}')}"
        sheet.name(f"typed_{name}", read_single(name, cell, reading, label))
    line = sheet.cells(row, 2, 1, len(cells))
    sheet.validations.append((line, validation, None))
    if len(cells) == 1:
        sheet.merge(sheet.cells(row, 2, 1, 2))
    if key != "name":
        wrong = "t.check_games(games = most)" if key == "games" else f"t.check_{key}"
        check = Formula(f'IF(good_{key}, "", {wrong})')
        sheet.put(row, 4, check, "attention", align="left", measure=False)
        sheet.mark(line, f'$D${row} <> ""')


def _summary(book: Book, sheet: Sheet) -> None:
    """One game and the whole match, for both players."""
    say = book.say
    named = (f'IF(typed_name_{n} = "", t.column_{n}, typed_name_{n})' for n in ("first", "second"))
    sheet.row += 1
    _headings(sheet, None, *map(Formula, named), say("column_odds_note"))
    for key, number_format, ready, *sides in LINES:
        sheet.put(sheet.row, 1, say(f"line_{key}"), "label", align="left", measure=False)
        for column, (name, text) in enumerate(zip(("first", "second"), sides, strict=True), 2):
            shown = Formula(f'IF({ready}, {text}, "")')
            cell = sheet.put(
                sheet.row, column, shown, "computed", number_format, "center", measure=False
            )
            sheet.name(f"{key}_{name}", cell)
        sheet.put(sheet.row, 4, say(f"note_{key}"), "quiet", align="left", measure=False)
        sheet.row += 1


def _chart(book: Book) -> None:
    say, table = book.say, book.tables["Scores"]

    def drawn() -> Chart:
        bars = Bars(say("column_exactly"), table.column("exactly"), GAIN)
        chart = bar_chart("", table.column("score"), (bars,), "0.0%")
        return over_rows(chart, table.rows)

    sheet, header = table.sheet, table.header
    sheet.put(header, 4, say("chart"), "heading", align="center", measure=False)
    sheet.chart(drawn, f"D{header}", say("chart_text"), rows=table.rows + 1, last=4)


def _halves(half_points: int) -> str:
    """Points as people write them.

    >>> _halves(1), _halves(4), _halves(5)
    ('½', '2', '2½')
    """
    whole, half = divmod(half_points, 2)
    return f"{whole or ''}½" if half else str(whole)


def sample(options: Options) -> Content:
    """A match of two invented players."""
    return {
        "name_first": "Moreau, Élise",
        "name_second": "Lindqvist, Arvid",
        "rating_first": 2214,
        "rating_second": 2187,
        "games": options.rounds,
        "margin": 60,
    }
