"""What of a round robin is printed for the wall: the standings, and who meets whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from elo_xl.templates.forms import TEXT, Cells, block, finish, lines_above, mark
from elo_xl.templates.parts import (
    HUNDREDTHS,
    SIGNED_HUNDREDTHS,
    TENTHS,
    WHOLE,
    Column,
    Formula,
    Table,
)
from elo_xl.templates.sheets.all_play_all import berger

if TYPE_CHECKING:
    from elo_xl.templates.round_robin import RoundRobinSheets


def standings(book: RoundRobinSheets) -> None:
    """Everybody in the order of the ranks, to print."""
    form, say, n = book.form, book.say, book.n
    header = lines_above(form, book.standings, "standings")
    rating = book.rating_table
    shown = {
        "rank": (book.table, "rank", WHOLE, "center", "strong"),
        "name": (book.table, "name", "General", "left", "strong"),
        "rating": (book.table, "rating", WHOLE, "right", "computed"),
        "points": (book.table, "points", TENTHS, "right", "strong"),
        "sb": (book.table, "sb", HUNDREDTHS, "right", "computed"),
        "change": (rating, "change", SIGNED_HUNDREDTHS, "right", "computed"),
        "new": (rating, "new", rating.columns["new"][1].number_format, "right", "computed"),
        "performance": (
            rating,
            "performance",
            rating.columns["performance"][1].number_format,
            "right",
            "computed",
        ),
    }
    columns = [Column("place", say("column_place"), WHOLE, role="quiet")]
    columns += [
        Column(key, say(f"column_{key}"), number_format, align, role)
        for key, (_, _, number_format, align, role) in shown.items()
    ]
    table = Table(book.standings, columns, header, n)
    places = book.counted.column("place").text(book.standings, fixed=True)
    for i in range(n):
        table.put("place", i, i + 1)
        who = next((j for j, order in enumerate(book.event.order) if order == i + 1), None)
        at = f"MATCH(${table.cell('place', i)},{places},0)"
        for key, (source, own, *_) in shown.items():
            value: Any = ""
            if who is not None:
                column = source.columns[own][0]
                value = Cells(source.sheet, source.first + who, column).values()[0][0]
            text = f'=IFERROR(INDEX({source.range(own)},{at}),"")'
            table.put(key, i, Formula(text, value))
    finish(book.standings, titles=(1, header), upright=True, stretch=3)
    table.fit_header()


def rounds(book: RoundRobinSheets) -> None:
    """Who meets whom, by the Berger tables; the results come from the crosstable."""
    form, say = book.form, book.say
    header = lines_above(form, book.rounds, "rounds")
    games = berger(book.n)
    columns = [
        Column("round", say("column_round"), WHOLE, "center", "strong"),
        Column("white_no", say("column_no"), WHOLE, role="quiet"),
        Column("white", say("column_white"), align="left", width=24.0),
        Column("result", say("column_result"), TEXT, "center", "strong", 9.0),
        Column("black_no", say("column_no"), WHOLE, role="quiet"),
        Column("black", say("column_black"), align="left", width=24.0),
    ]
    table = Table(book.rounds, columns, header, len(games))
    for at, (round_, white, black) in enumerate(games):
        table.put("round", at, round_)
        for key, who in (("white", white), ("black", black)):
            if who is None:
                table.put(f"{key}_no", at, None)
                table.put(key, at, say("free"), "quiet")
                continue
            table.put(f"{key}_no", at, who + 1)
            book.copy(book.rounds, table.first + at, table.columns[key][0], who, "name", "left")
        if white is None or black is None:
            table.put("result", at, None)
            continue
        own, other = (
            Cells(book.cross, book.table.first + a, book.left + b)
            for a, b in ((white, black), (black, white))
        )
        one, two = (c.text(book.rounds, fixed=True) for c in (own, other))
        text = f'=IF({one}="","",{one}&" : "&{two})'
        signs = [_text(c.values()[0][0]) for c in (own, other)]
        table.put("result", at, Formula(text, " : ".join(signs) if signs[0] else ""))
    first = block(table, "round", "black")
    changes = f"${table.column('round')}{table.first}<>${table.column('round')}{table.first + 1}"
    mark(first, changes, look="end")
    finish(book.rounds, titles=(1, header), freeze=table.cell("white_no", 0), upright=True)
    table.fit_header()


def _text(value: Any) -> str:
    return "" if value is None else str(value)
