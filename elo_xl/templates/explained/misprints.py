"""All misprints of the five papers, worked out beside what is right, and what has changed since."""

from __future__ import annotations

import math
from typing import Final

from scipy.special import ndtr

from elo_xl.templates.explained.bridge_cases import MEAN, MISPRINTED, mean
from elo_xl.templates.explained.decimals import OCTAVE
from elo_xl.templates.explained.facts import Fact, facts
from elo_xl.templates.explained.page import Explained, Page
from elo_xl.templates.explained.two_formulas import CLOSE, EXPANSIONS, expansion
from elo_xl.templates.forms import Given, block, mark, quoted
from elo_xl.templates.parts import Column, Formula
from elo_xl.templates.text import GENERAL

SCALE: Final = 200 * math.sqrt(2)
PAIRS: Final = (1600.0, 1500.0, 1550.0, 1450.0)
K: Final = 4 / 1500
Live = Formula | tuple[Given, ...]


def write(book: Explained) -> None:
    """The sheet *Misprints*."""
    page = book.page("misprints")
    _numbers(page)
    _formulas(page)
    _remarks(page)
    page.finish(upright=False)


def _numbers(page: Page) -> None:
    """Numbers that are not the rounded ones."""
    page.section("wrong_numbers")
    say, where = page.say, page.source
    both = f"{where('teaching', 'table', number=1)}; {where('gaceta', 'table', number=2)}"
    draws = f"{where('teaching', 'table', number=2)}; {where('gaceta', 'table', number=3)}"
    a, b = (100 - 10) / SCALE, (100 + 10) / SCALE
    margin = Formula(
        "=(_xlfn.NORM.S.DIST((100-10)/(200*SQRT(2)),TRUE)"
        "+_xlfn.NORM.S.DIST((100+10)/(200*SQRT(2)),TRUE))/2",
        float(ndtr(a) + ndtr(b)) / 2,
    )
    web = where("web", "text")
    rows: list[tuple[str, str, Live, str]] = [
        ("wrong_350", "0.882", ("ELO_EXPECTED", 1850, 1500), both),
        ("wrong_200", "0.7603", ("ELO_EXPECTED", 1700, 1500), draws),
        ("wrong_margin", "0.6380", margin, draws),
        ("wrong_difference", "50", Formula("=1850-1790", 60), web),
        ("right_difference", "50", Formula("=2060-2010", 50), web),
        ("wrong_sd", "282", Formula("=SQRT(2)*200", SCALE), where("mamon", "equation", number=3)),
    ]
    facts(page, [Fact(say(key), printed, live, place) for key, printed, live, place in rows])


def _formulas(page: Page) -> None:
    """Formulas as printed and as they are right, with what both give."""
    page.section("wrong_formulas")
    page.text("about_wrong_formulas")
    say, where = page.say, page.source
    expansions = {
        key: Formula("=" + text.format(f"{CLOSE:g}"), expansion(factor, power, CLOSE))
        for key, text, factor, power in EXPANSIONS
    }

    def octave(d: int, under: int) -> Formula:
        text = f"=_xlfn.NORM.S.DIST({d}/(200*SQRT({under})),TRUE)"
        return Formula(text, float(ndtr(d / (200 * math.sqrt(under)))))

    def side(text: str, value: float) -> Formula:
        return Formula("=" + text.format(*(f"{r:g}" for r in PAIRS), "50", "4/1500"), value)

    north, south, _, west = PAIRS
    plain = Formula("=_xlfn.NORM.S.DIST(100,TRUE)", float(ndtr(100)))
    wrong_nine = side(MISPRINTED, 50 + K * (north + south - west - west))
    web, nine = where("web", "text"), where("ioffe", "equation", number=9)
    four = where("ioffe", "equation", number=4)
    lines: list[tuple[str, str, str, Formula, str, Formula]] = [
        *(
            (
                web,
                f"normcdf({d},0,sigma) = {printed}",
                "sigma = 200*sqrt(200)",
                octave(d, 200),
                "200*sqrt(2)",
                octave(d, 2),
            )
            for d, printed in OCTAVE.items()
        ),
        (
            where("mamon", "equation", number=9),
            f"x = {CLOSE:g}",
            "[1 + (π/3)(x − ½)]",
            expansions["nine_printed"],
            "[1 + (π/3)(x − ½)²]",
            expansions["nine_right"],
        ),
        (
            where("mamon", "equation", number=10),
            f"x = {CLOSE:g}",
            "[1 + (4/3)(x − ½)]",
            expansions["ten_printed"],
            "[1 + (4/3)(x − ½)²]",
            expansions["ten_right"],
        ),
        (
            nine,
            "1600 1500 1550 1450",
            "R1 + R2 − R4 − R4",
            wrong_nine,
            "R1 + R2 − R3 − R4",
            side(MEAN, mean(*PAIRS, 50, K)),
        ),
        (four, "RA − RB = 100", "Φ(RA − RB)", plain, "Φ((RA − RB) / (200·√2))", octave(100, 2)),
    ]
    table = page.table(
        [
            Column("where", say("column_where"), align="left"),
            Column("example", say("column_example"), align="left"),
            Column("printed", say("column_as_printed"), align="left"),
            Column("gives", say("column_gives"), "0.00000"),
            Column("right", say("column_right"), align="left"),
            Column("right gives", say("column_gives"), "0.00000"),
            Column("verdict", say("column_verdict"), align="center"),
        ],
        len(lines),
    )
    for i, (place, example, printed, gives, right, found) in enumerate(lines):
        agrees, misprint = quoted(say("agrees")), quoted(say("misprint"))
        near = f"ABS({table.cell('gives', i)}-{table.cell('right gives', i)})"
        same = abs(float(gives.value or 0) - float(found.value or 0)) < 1e-9
        text = f"=IF({near}<1E-9,{agrees},{misprint})"
        table.write(
            i,
            {
                "where": place,
                "example": example,
                "printed": printed,
                "gives": gives,
                "right": right,
                "right gives": found,
                "verdict": Formula(text, say("agrees" if same else "misprint")),
            },
        )
    cells = block(table, "verdict")
    mark(cells, f"{cells.at(0, 0).text(page.sheet)}={quoted(say('misprint'))}")


def _remarks(page: Page) -> None:
    """What is no misprint, but needs a word: with a number where there is one."""
    page.section("remarks")
    root = math.sqrt(2 * math.pi)
    bound = 100 / (80000 * root) * math.exp(-0.5)
    one = 10 / SCALE
    gap = float(ndtr(1)) - float(ndtr(1 - one) + ndtr(1 + one)) / 2
    lines: list[tuple[str, str, Live | None]] = [
        ("table", "0.00", ("ELO_EXPECTED", 1800, 1594, "fide")),
        ("table_spread", "0.00000", ("ELO_EXPECTED", 1800, 1594)),
        ("cap", "0.00000", ("ELO_EXPECTED", 2700, 2100, "normal", 400)),
        ("no_cap", "0.00000", ("ELO_EXPECTED", 2700, 2100)),
        ("classes", GENERAL, ("ELO_CLASS", 2200, page.form.options.language)),
        ("three", "0.0000", ("ELO_MATCH", 1834, 2179, 10, 3, "exactly", 0)),
        ("three_more", "0.0000", ("ELO_MATCH", 1834, 2179, 10, 3, "at least", 0)),
        ("bound", "0.0000000", Formula("=10^2*EXP(-1/2)/(80000*SQRT(2*PI()))", bound)),
        (
            "sharp",
            "0.0000000",
            Formula(
                "=_xlfn.NORM.S.DIST(1,TRUE)-(_xlfn.NORM.S.DIST(1-10/(200*SQRT(2)),TRUE)"
                "+_xlfn.NORM.S.DIST(1+10/(200*SQRT(2)),TRUE))/2",
                gap,
            ),
        ),
        ("zero", "0", None),
        ("k_young", "0", ("ELO_K", 2200, 90, 18)),
        ("k_many", "0", ("ELO_K", 1500, 90, 30, None, 36)),
        ("two_decimals", "0", None),
        ("mamon", "0", None),
        ("fischer", "0", ("ELO_DIFF", 0.625, "fide")),
        ("sigma", "0", None),
        ("lost", "0", None),
    ]
    for key, shown, found in lines:
        cell = page.remark(f"subject_{key}", f"remark_{key}")
        if isinstance(found, Formula):
            page.sheet.write(cell.row, cell.column, found, "computed", shown, "right")
        elif found is not None:
            function, *arguments = found
            page.form.call(cell, str(function), *arguments, number_format=shown, align="right")
