"""What the sheet *Odds* has beside its table: what is typed, what it comes to, and the chart."""

from __future__ import annotations

from typing import Final

from elo_xl.books.book import Book, Formula, Sheet
from elo_xl.books.charts import Bars, Chart, bar_chart, over_rows
from elo_xl.books.column_words import Look, Validation
from elo_xl.books.names import by_row
from elo_xl.books.statements import Statement
from elo_xl.books.styles import GAIN
from elo_xl.books.typed import Reading, read_single

TYPED: Final = (
    ("name", "@", ("_first", "_second"), "any"),
    ("rating", "0", ("_first", "_second"), "decimal:0..3999"),
    ("games", "0", ("",), "whole:1..{rounds}"),
    ("margin", "0", ("",), "decimal:0..1000"),
)
"""Each line: key, number format, the cells, and what may be typed."""

LINES: Final = (
    ("game_win", "0.0%", "rated", "Used[win]", "Used[loss]"),
    ("game_draw", "0.0%", "rated", "Used[draw]", "Used[draw]"),
    ("match_win", "0.0%", "known", "chance(heads > half)", "chance(heads < half)"),
    ("match_tie", "0.0%", "known", "chance(heads = half)", "chance(heads = half)"),
    ("match_points", "0.00", "known", "mean", "Used[games] - mean"),
    ("match_odds", "0.00", "known", "fair(match_win_first)", "fair(match_win_second)"),
)
"""What the match comes to: key, number format, when it is known, and a formula for each player."""


def match_typed(book: Book) -> None:
    """Write the lines in which the players and the match are typed."""
    odds, say = book.sheets["odds"], book.say
    odds.widths.update({1: 30.0, 2: 17.0, 3: 17.0, 4: 44.0})
    odds.row += 1
    _headings(odds, None, say("column_first"), say("column_second"), say("column_check"))
    for key, number_format, cells, rule in TYPED:
        _typed(odds, key, number_format, cells, rule.format(rounds=book.options.rounds))


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
        wrong = f"t.check_{key}"
        if key == "games":
            wrong += f"(games = {book.options.rounds})"
        check = Formula(f'IF(good_{key}, "", {wrong})')
        sheet.put(row, 4, check, "attention", align="left", measure=False)
        sheet.mark(line, f'$D${row} <> ""')


def match_summary(book: Book) -> None:
    """Write one game and the whole match, for both players, below what is typed."""
    say, sheet = book.say, book.sheets["odds"]
    steps, points = book.sheets["steps"], book.tables["Points"]
    halves = 2 * book.options.rounds + 1
    for h in range(halves):
        steps.put(points.header, 2 + h, h / 2, "heading", "0.0", "right")
    steps.name("heads", steps.cells(points.header, 2, 1, halves))
    steps.name("Points", points.column("p0", f"p{halves - 1}"))
    book.names["left"] = by_row([f'"{_halves(h)}"' for h in range(halves)])
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


def match_chart(book: Book) -> None:
    """Write the chart of the scores beside their table."""
    say, table = book.say, book.tables["Scores"]

    def drawn() -> Chart:
        bars = Bars(say("column_exactly"), table.column("exactly"), GAIN)
        chart = bar_chart("", table.column("score"), (bars,), "0.0%")
        return over_rows(chart, table.rows)

    sheet, header = table.sheet, table.header
    for row in range(book.singles["name_first"].cells.row - 1, header - 1):
        sheet.height(row, 1)
    sheet.put(header, 4, say("chart"), "heading", align="center", measure=False)
    sheet.chart(drawn, f"D{header}", say("chart_text"), rows=table.rows + 1, last=4)


def _halves(half_points: int) -> str:
    """Points as people write them.

    >>> _halves(1), _halves(4), _halves(5)
    ('½', '2', '2½')
    """
    whole, half = divmod(half_points, 2)
    return f"{whole or ''}½" if half else str(whole)
