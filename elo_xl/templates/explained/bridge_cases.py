"""Ioffe's bridge formulas, and cases that were worked out by integrals, too."""

from __future__ import annotations

import math
from typing import Any, Final

from elo_xl.templates.explained.exhibit import Printed
from elo_xl.templates.explained.formulas import worked
from elo_xl.templates.explained.page import Page
from elo_xl.templates.forms import Cells, block
from elo_xl.templates.parts import TENTHS, WHOLE, Column, Table

PLAYERS: Final = ("north", "south", "east", "west")
PER: Final = 1500
"""points of difference between the sides' sums, to which Ioffe's k gives 4 percent"""

SIX: Final = "0.000000"
SIGNED: Final = "+0.000000;-0.000000;0.000000"

CASES: Final[tuple[tuple[Any, ...], ...]] = (
    (1600, 1500, 1550, 1450, 58, 50, 4 / PER, 6, 200, 200, 200, 200),
    (1600, 1500, 1550, 1450, 45, 50, 4 / PER, 6, 200, 200, 200, 200),
    (2100, 1300, 1700, 1700, 52, 50, 4 / PER, 8, 150, 150, 150, 150),
    (1500, 1500, 1500, 1500, 12, 0, 0.004, 5, 100, 100, 100, 100),
    (1600, 1500, 1550, 1450, 58, 50, 4 / PER, 6, 200, 60, 120, 120),
)
"""Four ratings, result, S0, k, σ1 and four σ2"""

EXPECTED: Final = ("50.266667", "50.266667", "50", "0", "50.266667")
SHIFTS: Final = (
    ("22.211584", "22.211584", "-22.211584", "-22.211584"),
    ("-15.126855", "-15.126855", "15.126855", "15.126855"),
    ("1.856436", "1.856436", "-1.856436", "-1.856436"),
    ("18.720749", "18.720749", "-18.720749", "-18.720749"),
    ("22.590508", "2.033146", "-8.132583", "-8.132583"),
)
LEFT: Final = ("199.2326", None, None, None, None)

MEAN: Final = "{4}+{5}*({0}+{1}-{2}-{3})"
MISPRINTED: Final = "{4}+{5}*({0}+{1}-{3}-{3})"
SHIFT: Final = "{1}*{3}^2*({4}-{0})/({2}^2+4*{1}^2*{3}^2)"
AFTER: Final = "{2}*SQRT(1-{0}^2*{2}^2/({1}^2+4*{0}^2*{2}^2))"


def mean(north: float, south: float, east: float, west: float, zero: float, k: float) -> float:
    """Equation (9)."""
    return zero + k * (north + south - east - west)


def shift(expected: float, k: float, spread: float, sd: float, result: float) -> float:
    """Equation (12) of the first pair, with equal deviations."""
    return k * sd**2 * (result - expected) / (spread**2 + 4 * k**2 * sd**2)


def left(k: float, spread: float, sd: float) -> float:
    """The deviation of a player's strength after the result."""
    return sd * math.sqrt(1 - k**2 * sd**2 / (spread**2 + 4 * k**2 * sd**2))


def checked(page: Page) -> None:
    """The cases that were worked out by integrals, too."""
    page.section("checked")
    page.text("about_checked_bridge")
    say = page.say
    keys = (*PLAYERS, "result", "mean", "k", "spread", *(f"sd {key}" for key in PLAYERS))
    heads = [say(f"column_bridge_{key}") for key in (*PLAYERS, "result", "mean", "k", "spread")]
    heads += [f"σ₂ {heads[i]}" for i in range(4)]
    forms = (WHOLE,) * 4 + (TENTHS, WHOLE, "0.000000") + (WHOLE,) * 5
    cases = page.table(
        [
            Column("case", say("column_bridge_case"), WHOLE, "left", "strong"),
            *(Column(key, h, f) for key, h, f in zip(keys, heads, forms, strict=True)),
        ],
        len(CASES),
    )
    for i, case in enumerate(CASES):
        cases.write(i, {"case": i + 1} | dict(zip(keys, case, strict=True)))
    page.row += 1
    new = page.table(
        [
            Column("case", say("column_bridge_case"), WHOLE, "left", "strong"),
            *(
                Column(key, say("column_new_of", player=say(f"column_bridge_{key}")), SIX)
                for key in PLAYERS
            ),
        ],
        len(CASES),
    )
    for i in range(len(CASES)):
        new.write(i, {"case": i + 1})
        cells = [block(cases, key).at(i, 0) for key in keys]
        sds = Cells(page.sheet, cells[8].row, cells[8].column, 1, 4)
        first = block(new, "north").at(i, 0)
        page.form.call(
            Cells(page.sheet, first.row, first.column, 1, 4),
            "ELO_BRIDGE",
            *cells[:8],
            sds,
            number_format=SIX,
            align="right",
        )
    _verdicts(page, cases, new)


def _verdicts(page: Page, cases: Table, new: Table) -> None:
    """Expected results, shifts and the deviation that is left, beside their check values."""
    say, sheet = page.say, page.sheet
    inputs = [Column("case", say("column_bridge_case"), WHOLE, "left", "strong")]
    rows = [(i + 1,) for i in range(len(CASES))]
    heading = "column_check_value"
    page.row += 1
    first = page.exhibit(
        inputs,
        rows,
        Printed("bridge_expected", EXPECTED, SIX, heading),
        Printed("bridge_left", LEFT, "0.0000", heading),
    )
    for i in range(len(CASES)):
        cells = [
            block(cases, key).at(i, 0) for key in ("north", "south", "east", "west", "mean", "k")
        ]
        at = first.cells("bridge_expected").at(i, 0)
        sheet.write(at.row, at.column, worked(sheet, cells, MEAN, mean), "computed", SIX, "right")
        cells = [block(cases, key).at(i, 0) for key in ("k", "spread", "sd north")]
        if LEFT[i] is not None:
            at = first.cells("bridge_left").at(i, 0)
            shown = worked(sheet, cells, AFTER, left)
            sheet.write(at.row, at.column, shown, "computed", "0.0000", "right")
    first.judge()
    for pair in (PLAYERS[:2], PLAYERS[2:]):
        page.row += 1
        exhibit = page.exhibit(
            inputs,
            rows,
            *(
                Printed(
                    f"bridge_shift_{key}",
                    [case[PLAYERS.index(key)] for case in SHIFTS],
                    SIGNED,
                    heading,
                )
                for key in pair
            ),
        )
        for key in pair:
            for i in range(len(CASES)):
                at = exhibit.cells(f"bridge_shift_{key}").at(i, 0)
                given = [block(table, key).at(i, 0) for table in (new, cases)]
                shown = worked(sheet, given, "{0}-{1}", lambda after, before: after - before)
                sheet.write(at.row, at.column, shown, "computed", SIGNED, "right")
        exhibit.judge()
