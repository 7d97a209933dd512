"""The odds of a match as the engine has them: every score, and what they come to."""

from __future__ import annotations

import numpy as np
import pytest

from elo_xl.books.book import Book
from elo_xl.engine.outcomes import SPLIT, match_distribution, outcomes
from elo_xl.templates import gallery
from tests.support.template_events import GENERATORS

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("rules", ["fide", "logistic", "elo"])
@pytest.mark.parametrize("seed", range(4))
def test_the_engine_has_the_same_odds(rules: str, seed: int) -> None:
    options = gallery.options("match-odds", rounds=7, rules=rules)
    typed = GENERATORS["match-odds"](options, seed, wrong=False, full=bool(seed % 2))
    book: Book = gallery.build("match-odds", options, typed)
    games, margin = typed["games"], typed["margin"]
    ahead = typed["rating_first"] - typed["rating_second"]
    model = "logistic" if rules == "logistic" else "normal"
    one_game = outcomes(ahead, SPLIT if margin is None else margin, model)
    chances = match_distribution(one_game, games)
    scores = book.tables["Scores"]
    exactly, least = (scores.column(key).numbers()[: 2 * games + 1] for key in ("exactly", "least"))
    assert exactly == pytest.approx(list(chances), rel=1e-12)
    assert least == pytest.approx(list(np.cumsum(chances[::-1])[::-1]), rel=1e-12)
    page, at = book.workbook["Odds"], scores.column("exactly")
    assert page.cell(at.row, at.column).number_format.startswith("[<0.0005]")
    lines = book.sheets["odds"].cells(scores.header - 6, 2, 4, 2).numbers()
    win, loss = chances[games + 1 :].sum(), chances[:games].sum()
    mean = float((np.arange(2 * games + 1) / 2 * chances).sum())
    assert lines == pytest.approx(
        [win, loss, chances[games], chances[games], mean, games - mean, 1 / win, 1 / loss],
        rel=1e-12,
    )
