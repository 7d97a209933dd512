"""An unrated player's first rating: problem 8."""

from __future__ import annotations

import math
from typing import Final

from scipy.special import ndtri

from elo_xl.engine.rounding import round_half_up
from elo_xl.templates.explained.exhibit import Printed
from elo_xl.templates.explained.expected_score import RATING
from elo_xl.templates.explained.formulas import worked
from elo_xl.templates.explained.page import Explained, Input, Page
from elo_xl.templates.forms import Cells, block
from elo_xl.templates.parts import HUNDREDTHS, WHOLE, Column

MOST_GAMES: Final = 20
EDITIONS: Final = ("fide-2024-03", "fide-2022-01", "fide-2017-07", "fide-2014-07", "fide-2009-07")
ANSWERS: Final = ("1651.68", None, "1675", None, None, None, None)
NORMAL: Final = "{0}+200*SQRT(2)*_xlfn.NORM.S.INV({2}/{1})"
LOGISTIC: Final = "{0}+400*LOG10({2}/({1}-{2}))"


def write(book: Explained) -> None:
    """The sheet *Unrated player*."""
    page = book.page("unrated")
    page.formula("R = μB + 200·√2·Φ⁻¹(S/n)")
    page.section("try")
    opponent, games, points = page.inputs(
        Input("opponents", 1800, *RATING, WHOLE),
        Input("match_games", 10, 1, MOST_GAMES, WHOLE, step=1),
        Input("match_points", 3, 0, MOST_GAMES, step=0.5),
    )
    score = page.worked(
        "line_reachable", [games, points], 'IF({1}<={0},{1},"")', lambda n, k: k if k <= n else ""
    )
    given = [opponent, games, score]
    normal = f'IF(OR({{2}}=0,{{2}}={{1}}),"–",{NORMAL})'
    page.worked("line_by_model", given, normal, _normal, HUNDREDTHS)
    page.section("by_fide")
    page.text("about_by_fide")
    mean = page.worked(
        "line_mean",
        given[:2],
        "({1}*{0}+2*1800)/({1}+2)",
        lambda r, n: (n * r + 3600) / (n + 2),
        HUNDREDTHS,
    )
    share = page.worked(
        "line_share",
        [score, games],
        "ROUND(({0}+1)/({1}+2),2)",
        lambda s, n: round_half_up(100 * (s + 1) / (n + 2)).item() / 100,
        HUNDREDTHS,
    )
    dp = page.live("line_dp", "ELO_DIFF", share, "fide", number_format=WHOLE)
    page.worked("line_first", [mean, dp], "MIN(2200,ROUND({0}+{1},0))", _published, WHOLE)
    listed = _opponents(page, opponent, games)
    page.live("line_initial", "ELO_INITIAL", listed, score, EDITIONS[0], number_format=WHOLE)
    _exhibit(page)
    page.text("more_unrated")
    page.finish()


def _normal(opponent: float, games: float, score: float) -> float | str:
    if score in (0, games):
        return "–"
    return opponent + 200 * math.sqrt(2) * float(ndtri(score / games))


def _published(mean: float, dp: float) -> float:
    return min(2200.0, round_half_up(mean + dp).item())


def _opponents(page: Page, opponent: Cells, games: Cells) -> Cells:
    """The same opponent once a game, in a column of *Curves*."""
    book = page.book
    table = book.points(
        page.say("sheet_unrated"),
        [
            Column("game", page.say("column_game"), WHOLE),
            Column("opponent", page.say("column_opponent"), WHOLE),
        ],
        MOST_GAMES,
    )
    for i in range(MOST_GAMES):
        table.write(i, {"game": i + 1})
        found = worked(
            book.curves,
            [opponent, games, block(table, "game").at(i, 0)],
            'IF({2}<={1},{0},"")',
            lambda r, n, k: r if k <= n else "",
        )
        table.write(i, {"game": i + 1, "opponent": found})
    return block(table, "opponent")


def _exhibit(page: Page) -> None:
    page.section("asked")
    say = page.say
    rules = [say("rule_model"), say("rule_logistic")]
    rules += [say("rule_fide", edition=edition.partition("-")[2]) for edition in EDITIONS]
    exhibit = page.exhibit(
        [
            Column("rule", say("column_rule"), align="left", role="strong"),
            Column("opponent", say("column_opponents"), WHOLE),
            Column("match_games", say("column_match_games"), WHOLE),
            Column("match_points", say("column_match_points"), WHOLE),
        ],
        [(rule, 1800, 10, 3) for rule in rules],
        Printed("first_rating", ANSWERS, HUNDREDTHS, "column_answer"),
        where=page.source("teaching", "problem", number=8),
    )
    keys = ("opponent", "match_games", "match_points")
    found = exhibit.cells("first_rating")
    by_model = (
        (NORMAL, _normal),
        (LOGISTIC, lambda r, n, s: r + 400 * math.log10(s / (n - s))),
    )
    for i, (text, compute) in enumerate(by_model):
        given = [exhibit.cells(key).at(i, 0) for key in keys]
        at = found.at(i, 0)
        made = worked(page.sheet, given, text, compute)
        page.sheet.write(at.row, at.column, made, "computed", HUNDREDTHS, "right")
    opponent, games, _ = (exhibit.cells(key).at(0, 0) for key in keys)
    listed = _opponents(page, opponent, games)
    for i, edition in enumerate(EDITIONS, start=len(by_model)):
        score = exhibit.cells("match_points").at(i, 0)
        page.form.call(
            found.at(i, 0),
            "ELO_INITIAL",
            listed,
            score,
            edition,
            number_format=HUNDREDTHS,
            align="right",
        )
    exhibit.judge()
    page.book.known["first by model"] = found.at(0, 0)
    page.book.known["first by FIDE"] = found.at(len(by_model), 0)
