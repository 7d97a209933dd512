"""A tournament: expected against scored points, and the cap of 400 points."""

from __future__ import annotations

from typing import Final

from elo_xl.templates.explained.exhibit import Printed
from elo_xl.templates.explained.expected_score import RATING
from elo_xl.templates.explained.formulas import worked
from elo_xl.templates.explained.page import Explained, Input, Page
from elo_xl.templates.forms import Cells, block
from elo_xl.templates.parts import SIGNED_HUNDREDTHS, TENTHS, WHOLE, Column, Formula

GAMES: Final = (("X", 1860, 1, "0.42"), ("Y", 1770, 0.5, "0.54"), ("Z", 2000, 0, "0.24"))
SPARE: Final = 3
CAPPED: Final = ((2400, 1800), (1800, 2400), (2700, 2200))
EDITIONS: Final = ("fide-2024-03", "fide-2025-10")
CAP: Final = 400
K: Final = 10
DIGITS: Final = "0.00000"


def write(book: Explained) -> None:
    """The sheet *A tournament*."""
    page = book.page("tournament")
    page.formula("E = E(A,X) + E(A,Y) + E(A,Z),   K·(S − E)")
    page.section("try")
    rating, k = page.inputs(Input("rating", 1800, *RATING, WHOLE), Input("k", 20, 0, 100, WHOLE))
    page.row += 1
    top = page.row
    rows: list[tuple[float | None, ...]] = [game[1:3] for game in GAMES]
    table, (opponents, scores) = page.input_table(
        "game",
        [Input("opponent", 0, *RATING, WHOLE), Input("game_score", 0, 0, 1, step=0.5)],
        [*rows, *[(None, None)] * SPARE],
    )
    _games(page, top, rating, opponents, scores)
    page.row = table.last + 2
    page.live(
        "line_change_elo",
        "ELO_CHANGE",
        rating,
        k,
        opponents,
        scores,
        "elo",
        number_format=SIGNED_HUNDREDTHS,
    )
    page.live(
        "line_change_fide",
        "ELO_CHANGE",
        rating,
        k,
        opponents,
        scores,
        EDITIONS[-1],
        number_format=SIGNED_HUNDREDTHS,
    )
    page.live(
        "line_new_fide",
        "ELO_UPDATE",
        rating,
        k,
        opponents,
        scores,
        EDITIONS[-1],
        number_format=WHOLE,
    )
    _exhibits(page)
    page.text("more_tournament")
    _cap(page)
    page.finish()


def _games(page: Page, top: int, rating: Cells, opponents: Cells, scores: Cells) -> None:
    """Beside the yellow cells: what each game was worth, and the sums below."""
    say, sheet = page.say, page.sheet
    size = opponents.rows
    page.row = top
    table = page.table(
        [
            Column("expected", say("column_expected_score"), DIGITS),
            Column("more", say("column_more"), "+0.00000;-0.00000;0.00000"),
        ],
        size,
        left=4,
    )
    expected, more = block(table, "expected"), block(table, "more")
    page.form.call(expected, "ELO_EXPECTED", rating, opponents, number_format=DIGITS, align="right")
    for i in range(size):
        given = [expected.at(i, 0), scores.at(i, 0)]
        found = worked(sheet, given, "{1}-{0}", lambda e, s: s - e)
        at = more.at(i, 0)
        sheet.write(at.row, at.column, found, "computed", "+0.00000;-0.00000;0.00000", "right")
    counted = more.text(sheet)
    sums = (
        (3, scores, TENTHS),
        (4, expected, DIGITS),
    )
    row = table.last + 1
    full = [isinstance(v[0], float | int) for v in more.values()]
    sheet.write(row, 1, say("column_total"), "total", align="left", measure=False)
    sheet.write(row, 2, None, "total")
    for column, cells, form in sums:
        value = sum(float(v[0] or 0) for v, real in zip(cells.values(), full, strict=True) if real)
        text = f'=SUMIF({counted},">-9",{cells.text(sheet)})'
        sheet.write(row, column, Formula(text, value), "total", form, "right")
    total = sum(float(v[0] or 0) for v, real in zip(more.values(), full, strict=True) if real)
    shown = Formula(f"=SUM({counted})", total)
    sheet.write(row, 5, shown, "total", "+0.00000;-0.00000;0.00000", "right")


def _exhibits(page: Page) -> None:
    page.section("printed")
    say = page.say
    where = page.source("both", "tables", first=3, second=4)
    exhibit = page.exhibit(
        [
            Column("rival", say("column_rival"), align="left", role="strong"),
            Column("a", say("column_rating"), WHOLE),
            Column("b", say("column_opponent"), WHOLE),
            Column("score", say("column_game_score"), TENTHS),
        ],
        [(name, 1800, rating, score) for name, rating, score, _ in GAMES],
        Printed("expected_score", [game[3] for game in GAMES], DIGITS),
        where=where,
    )
    found = exhibit.cells("expected_score")
    page.form.call(
        found,
        "ELO_EXPECTED",
        exhibit.cells("a"),
        exhibit.cells("b"),
        number_format=DIGITS,
        align="right",
    )
    exhibit.judge()
    scores = exhibit.cells("score")
    page.row += 1
    totals = page.exhibit(
        [Column("total", say("column_total"), align="left", role="strong")],
        [(say("total_expected"),), (say("total_score"),)],
        Printed("sum", ["1.2", "1.5"], DIGITS),
        where=where,
    )
    for i, cells in enumerate((found, scores)):
        at = totals.cells("sum").at(i, 0)
        value = sum(float(row[0] or 0) for row in cells.values())
        shown = Formula(f"=SUM({cells.text(page.sheet)})", value)
        page.sheet.write(at.row, at.column, shown, "computed", DIGITS, "right")
    totals.judge()


def _cap(page: Page) -> None:
    """What a win is worth far from one's own rating."""
    page.section("cap")
    page.text("about_cap")
    say = page.say
    keys = ("no_cap", "cap", *EDITIONS)
    table = page.table(
        [
            Column("a", say("column_rating"), WHOLE, "left"),
            Column("b", say("column_opponent"), WHOLE),
            Column("no_cap", say("column_no_cap"), DIGITS),
            Column("cap", say("column_cap_of", cap=CAP), DIGITS),
            Column("k", "K", WHOLE),
            Column("score", say("column_game_score"), TENTHS),
            *(
                Column(e, say("column_change_by", edition=e.partition("-")[2]), SIGNED_HUNDREDTHS)
                for e in EDITIONS
            ),
        ],
        len(CAPPED),
    )
    for i, (own, other) in enumerate(CAPPED):
        table.write(i, {"a": own, "b": other, "k": K, "score": 1})
    cells = {key: block(table, key) for key in ("a", "b", "k", "score", *keys)}
    for key, cap in (("no_cap", None), ("cap", CAP)):
        page.form.call(
            cells[key],
            "ELO_EXPECTED",
            cells["a"],
            cells["b"],
            None,
            cap,
            number_format=DIGITS,
            align="right",
        )
    for i in range(len(CAPPED)):
        a, b, k, score = (cells[key].at(i, 0) for key in ("a", "b", "k", "score"))
        for edition in EDITIONS:
            page.form.call(
                cells[edition].at(i, 0),
                "ELO_CHANGE",
                a,
                k,
                b,
                score,
                edition,
                number_format=SIGNED_HUNDREDTHS,
                align="right",
            )
