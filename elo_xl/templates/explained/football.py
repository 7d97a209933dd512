"""Points as in football: problem 7, and the two situations of Benítez' web page."""

from __future__ import annotations

from elo_xl.templates.explained.exhibit import Printed
from elo_xl.templates.explained.expected_score import RATING
from elo_xl.templates.explained.page import Explained, Input, Page
from elo_xl.templates.parts import HUNDREDTHS, TENTHS, WHOLE, Column

DIGITS = "0.0000"
MARGIN = 1000.0


def write(book: Explained) -> None:
    """The sheet *Football points*."""
    page = book.page("football")
    page.formula("E = 3·P(1) + 1·P(½) + 0·P(0)")
    page.section("try")
    rating, opponent, win, draw, loss, margin = page.inputs(
        Input("rating", 1600, *RATING, WHOLE),
        Input("opponent", 1500, *RATING, WHOLE),
        Input("points_win", 3, -10, 10),
        Input("points_draw", 1, -10, 10),
        Input("points_loss", 0, -10, 10),
        Input("margin", 50, 0, MARGIN, WHOLE),
    )
    page.headings("chance_win", "chance_draw", "chance_loss")
    page.live(
        "line_outcomes_split", "ELO_OUTCOMES", rating, opponent, columns=3, number_format=DIGITS
    )
    page.live(
        "line_outcomes_margin",
        "ELO_OUTCOMES",
        rating,
        opponent,
        margin,
        columns=3,
        number_format=DIGITS,
    )
    given = (rating, opponent, win, draw, loss)
    page.live("line_points_none", "ELO_POINTS", *given, 0, number_format=DIGITS)
    known = book.known
    known["football split"] = page.live(
        "line_points_split", "ELO_POINTS", *given, number_format=DIGITS
    )
    known["football margin"] = page.live(
        "line_points_margin", "ELO_POINTS", *given, margin, number_format=DIGITS
    )
    _exhibit(page)
    page.text("more_football")
    page.finish()


def _exhibit(page: Page) -> None:
    page.section("printed")
    say = page.say
    columns = [Column("situation", say("column_situation"), WHOLE, "left", "strong")]
    chances = ("chance_win", "chance_draw", "chance_loss")
    columns += [Column(key, say(f"column_{key}"), TENTHS) for key in chances]
    exhibit = page.exhibit(
        columns,
        [(1, 0.5, 0, 0.5), (2, 0.2, 0.6, 0.2)],
        Printed("football", ["1.5", "1.2"], HUNDREDTHS),
        Printed("chess", [None, None], HUNDREDTHS),
        Printed("older", [None, None], HUNDREDTHS),
        where=page.source("web", "football"),
    )
    exhibit.fill("football", chances[:2], "3*{0}+{1}", lambda w, d: 3 * w + d)
    exhibit.fill("chess", chances[:2], "{0}+{1}/2", lambda w, d: w + d / 2)
    exhibit.fill("older", chances[:2], "2*{0}+{1}", lambda w, d: 2 * w + d)
    exhibit.judge()
