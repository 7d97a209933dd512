"""The ten problems of the teaching article, each with its answer in live cells."""

from __future__ import annotations

from typing import Final

from elo_xl.templates.explained.page import Explained
from elo_xl.templates.parts import HUNDREDTHS, WHOLE, Formula
from elo_xl.templates.text import GENERAL

Answer = tuple[str, str, str]
"""Label, key of :attr:`Explained.known`, number format."""

DIGITS: Final = "0.0000000"
ANSWERS: Final[tuple[tuple[str, str, tuple[Answer, ...]], ...]] = (
    ("results", "", ()),
    (
        "results",
        "",
        (
            ("answer_expectation_ab", "expectation AB", HUNDREDTHS),
            ("answer_expectation_cd", "expectation CD", HUNDREDTHS),
            ("answer_expectation_ef", "expectation EF", HUNDREDTHS),
            ("answer_variance_ab", "variance AB", HUNDREDTHS),
            ("answer_variance_ef", "variance EF", HUNDREDTHS),
        ),
    ),
    (
        "results",
        "",
        (
            ("column_players", "players", "#,##0"),
            ("line_pairs", "pairs", "#,##0"),
            ("line_coloured_pairs", "coloured pairs", "#,##0"),
        ),
    ),
    (
        "matches",
        "",
        (
            ("kind_exactly", "match exactly", DIGITS),
            ("kind_at_least", "match at least", DIGITS),
        ),
    ),
    ("consequences", "", (("answer_lines", "lines as stated", WHOLE),)),
    (
        "unequal",
        "E = Φ((μA − μB) / √(σA² + σB²))",
        (
            ("line_spread_of_difference", "spread", HUNDREDTHS),
            ("answer_unequal", "unequal", "0.00000"),
        ),
    ),
    (
        "football",
        "E = 3·Φ(α) + (Φ(β) − Φ(α))",
        (
            ("line_points_split", "football split", "0.0000"),
            ("line_points_margin", "football margin", "0.0000"),
        ),
    ),
    (
        "unrated",
        "",
        (
            ("rule_model", "first by model", HUNDREDTHS),
            ("answer_fide", "first by FIDE", WHOLE),
        ),
    ),
    ("margin", "", (("line_zero_margin", "zero margin", GENERAL),)),
    (
        "margin",
        "|E − E(Y)| ≤ ε²·e^(−1/2) / (80000·√(2π))",
        (
            ("answer_bound_first", "bound first", DIGITS),
            ("answer_most_first", "most first", DIGITS),
            ("answer_bound_second", "bound second", DIGITS),
            ("answer_most_second", "most second", DIGITS),
        ),
    ),
)


def write(book: Explained) -> None:
    """The sheet *Ten problems*."""
    page = book.page("problems")
    say, sheet = page.say, page.sheet
    for number, (subject, formula, answers) in enumerate(ANSWERS, start=1):
        page.section("heading_problem", number=number)
        page.text(f"problem_{number}")
        page.text(f"answer_{number}")
        if formula:
            page.formula(formula)
        for label, key, form in answers:
            cells = book.known[key]
            found = Formula(f"={cells.text(sheet)}", cells.values()[0][0])  # type: ignore[arg-type]
            page.line(label, found, form)
        page.text("see_sheet", "note", sheet=say(f"sheet_{subject}"))
    page.finish(pages=0)
