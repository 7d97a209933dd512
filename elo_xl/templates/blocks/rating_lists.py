"""Dates above columns of typed ratings, how such a sheet is printed, and the charts of a season."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from elo_xl.books.book import Book, Formula
from elo_xl.books.charts import MONTHS, RATINGS, Axis, Bars, Chart, Curve, bar_chart, curve_chart
from elo_xl.books.column_words import Validation
from elo_xl.books.statements import Statement
from elo_xl.books.styles import GAIN, LINE_HEIGHT, SIGNED_WHOLE
from elo_xl.books.typed import Reading, read_single
from elo_xl.xlsx.formula import Call, Node, parse

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

CURVE_ROWS, HALF_ROWS = 23, 18
"""the height of a chart of curves, and of one of two on a page"""


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


def list_dates(book: Book) -> None:
    """Write the dates of the lists, typed above their ratings."""
    table, say, lists = book.tables["Entries"], book.say, book.options.rounds
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


def list_pages(book: Book) -> None:
    """Print some lists a page, below the title and with the names beside them; notes would be cut
    off at the last name column."""
    entries, lists = book.tables["Entries"], book.options.rounds
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


def season_charts(book: Book) -> None:
    """Write the curves of the chosen players, those of one player, and the games of each list."""
    unknown = Formula('IF(AND(choice <> "", One[player] = 0), t.check_unknown, "")')
    alone = book.sheets["player"]
    alone.put(5, 3, unknown, "status", align="left", measure=False)
    alone.mark(alone.cells(5, 2), '$C$5 <> ""')
    say, tables = book.say, book.tables
    points, path, slots = tables["Points"], tables["Path"], tables["Chosen"]
    choices, career, activity = tables["Curves"], tables["Career"], tables["Activity"]
    dates = Axis(say("column_date"), MONTHS, months=True)

    def curves(title: str, letter: str, y: Axis) -> Chart:
        drawn = [
            Curve(slots.cell("name", s - 1), points.column("x"), points.column(f"{letter}{s}"))
            for s in range(1, slots.rows + 1)
        ]
        return curve_chart(say(title), drawn, dates, y)

    def ratings() -> Chart:
        return curves("chart", "y", Axis(say("column_rating"), RATINGS))

    def changes() -> Chart:
        return curves("chart_change", "z", Axis(say("column_change_list"), SIGNED_WHOLE))

    def one_player() -> Chart:
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
        (career, one_player, "chart_player", CURVE_ROWS),
        (activity, games, "chart_activity", 4 + round(1.2 * book.options.rounds)),
    )
    for table, drawn, key, rows in placed:
        row = table.bottom + 2 + len(table.sheet.charts) * (rows + 1)
        table.sheet.chart(drawn, f"A{row}", say(f"{key}_text"), rows=rows)
