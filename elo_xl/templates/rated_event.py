"""The workbook of a rated event: every step from the results to the new ratings as a formula.

Sheets: *Ratings*, *Games*, *Crosstable*, *Unrated*, *Rules*, *Tables*. Ratings, K factors and
scores are typed; all the rest follows from them by functions that Excel 2016, LibreOffice and
Google Sheets have.
"""

from __future__ import annotations

import os
from datetime import date
from typing import TYPE_CHECKING

from elo_xl.templates.parts import Book, Sheet, Table
from elo_xl.templates.sheets.changes import chart_of_changes
from elo_xl.templates.sheets.crosstable import LEGEND, Key, ScoreCell, fill_crosstable
from elo_xl.templates.sheets.first_ratings import fill_new, new_games, new_games_table, new_table
from elo_xl.templates.sheets.games import fill_games, games_table
from elo_xl.templates.sheets.ratings import fill_ratings, ratings_table
from elo_xl.templates.sheets.rules import fill_rules
from elo_xl.templates.tables import fide_tables
from elo_xl.xlsx import CellValue, save

if TYPE_CHECKING:
    from openpyxl import Workbook

    from elo_xl.tournament.event import Tournament
    from elo_xl.tournament.rate import RatedEvent

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)

_TYPED = "Yellow cells may be changed; everything else follows from them."


def rated_event_workbook(
    event: RatedEvent,
) -> tuple[Workbook, dict[tuple[str, str], CellValue]]:
    """The workbook of a rated event, and what each of its formulas gives, by sheet and cell.

    The values are the engine's; :func:`write_rated_event` stores them beside the formulas.
    """
    book = Book(event.tournament.name)
    _Sheets(book, event).fill()
    return book.workbook, book.values


def write_rated_event(event: RatedEvent, path: str | os.PathLike[str]) -> None:
    """Write the workbook of a rated event to ``path``, whole or not at all.

    The same event gives the same bytes: the file's date is the event's last day. Raises OSError
    naming ``path`` where it cannot be written.
    """
    workbook, values = rated_event_workbook(event)
    save(workbook, path, values, dated=event.tournament.end or event.tournament.start)


class _Sheets:
    """The sheets in their order, and the tables on them."""

    def __init__(self, book: Book, event: RatedEvent) -> None:
        self.book = book
        self.event = event
        self.ratings, self.games, self.crosstable, self.unrated, self.rules, self.tables = map(
            book.sheet, ("Ratings", "Games", "Crosstable", "Unrated", "Rules", "Tables")
        )

    def fill(self) -> None:
        event = self.event
        header = self.heading(self.ratings, "", _facts(event))
        ratings = ratings_table(self.ratings, event, header)
        header = self.heading(self.games, "rated games", _games_notes(event))
        games = games_table(self.games, event, header)
        fill_ratings(ratings, games, event)
        fill_games(games, ratings, event)
        homes = dict.fromkeys((p.player.number for p in event.players), ratings)
        cells = _score_cells(games, event)
        if event.new_players:
            new, new_games_ = self.first_ratings(ratings)
            homes |= dict.fromkeys((p.player.number for p in event.new_players), new)
            cells |= _new_score_cells(new_games_, event)
        else:
            self.heading(self.unrated, "first ratings", ["Every player of the event has a rating."])
            self.unrated.page(footer=event.tournament.name)
        header = self.heading(self.crosstable, "crosstable", list(LEGEND))
        crosstable = fill_crosstable(self.crosstable, event, header, homes, cells)
        fill_rules(self.rules, event)
        self.fill_tables(ratings)
        self.finish(ratings, "rating")
        self.finish(games, "round")
        self.finish(crosstable, "federation")

    def heading(self, sheet: Sheet, what: str, lines: list[str]) -> int:
        """Title and lines above a table; gives the row of the table's header."""
        name = self.event.tournament.name or "Event without a name"
        row = sheet.lines(1, [f"{name} – {what}" if what else name], "title")
        sheet.height(1, 1.6)
        row = sheet.lines(row, lines[:-1])
        return sheet.lines(row, lines[-1:], "note") + 1

    def first_ratings(self, ratings: Table) -> tuple[Table, Table]:
        """The sheet *Unrated*: the players above, their games below."""
        event = self.event
        lines = ["Unrated players count for nobody else.", _TYPED]
        header = self.heading(self.unrated, "first ratings", lines)
        new = new_table(self.unrated, event, header)
        below = new.last + 2
        self.unrated.write(below, 1, "Their games against rated players", "section", measure=False)
        games = new_games_table(self.unrated, event, below + 1)
        fill_new(new, games, ratings, event)
        self.finish(new, "federation", repeat=False)
        games.fit_header()
        return new, games

    def fill_tables(self, ratings: Table) -> None:
        """The sheet *Tables*: FIDE's where the rules read them, and what the chart reads."""
        sheet, rules = self.tables, self.event.rules
        sheet.lines(1, ["Tables"], "title")
        left = 1
        if "fide" in (rules.model, rules.performance):
            left = fide_tables(sheet, 3)
        chart_of_changes(ratings, sheet, self.event, 3, left)
        sheet.fit()
        sheet.height(4, 2)
        sheet.worksheet.freeze_panes = "A5"
        sheet.page((3, 4), self.event.tournament.name, down=1, upright=True)

    def finish(self, table: Table, beside: str, *, repeat: bool = True) -> None:
        """Column widths, frozen panes and printing of a sheet with one table."""
        sheet = table.sheet
        sheet.fit(table.columns["name"][0])
        table.fit_header()
        if repeat:
            sheet.worksheet.freeze_panes = table.cell(beside, 0)
        rows = (1, table.header) if repeat else None
        sheet.page(rows, self.event.tournament.name)


def _facts(event: RatedEvent) -> list[str]:
    tournament = event.tournament
    place = ", ".join(filter(None, (tournament.city, tournament.federation)))
    rounds = _many(tournament.rounds, "round")
    players = f"{_many(len(tournament.players), 'player')}, {len(event.players)} rated"
    games = _many(len(event.games) // 2, "rated game")
    facts = " · ".join(filter(None, (place, _days(tournament), rounds, players, games)))
    lines = [facts, f"{event.rules.title} ({event.rules_reason})"]
    if not event.games:
        lines.append("No game between two rated players was played: no rating changes.")
    return [*lines, f"{_TYPED} The scores stand on the sheet Games."]


def _many(count: int, what: str) -> str:
    return f"1 {what}" if count == 1 else f"{count} {what}s"


def _games_notes(event: RatedEvent) -> list[str]:
    if not event.games:
        return ["No game between two rated players was played."]
    how = "Type a score where the cell is yellow: the other player's follows. "
    return [
        "Every game stands twice, once for each player.",
        f"{how}An empty cell leaves the game out.",
    ]


def _days(tournament: Tournament) -> str:
    start, end = tournament.start, tournament.end
    if start is None or end is None or start == end:
        day = start or end
        return "" if day is None else _day(day)
    if start.year != end.year:
        return f"{_day(start)} to {_day(end)}"
    if start.month != end.month:
        return f"{start.day} {_MONTHS[start.month - 1]} to {_day(end)}"
    return f"{start.day} to {_day(end)}"


def _day(day: date) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def _score_cells(games: Table, event: RatedEvent) -> dict[Key, ScoreCell]:
    return {
        (game.player, game.opponent, game.round): ScoreCell(games.fixed("score", i))
        for i, game in enumerate(event.games)
    }


def _new_score_cells(games: Table, event: RatedEvent) -> dict[Key, ScoreCell]:
    cells: dict[Key, ScoreCell] = {}
    for i, (new, game, opponent, _) in enumerate(new_games(event)):
        number, cell = new.player.number, games.fixed("score", i)
        cells[number, opponent, game.round] = ScoreCell(cell)
        cells[opponent, number, game.round] = ScoreCell(cell, opponents=True)
    return cells
