"""First ratings under every edition as the engine makes them, with each step."""

from __future__ import annotations

import numpy as np
import pytest

from elo_xl.books.book import Book
from elo_xl.engine.ratings import first_rating_steps
from elo_xl.engine.rulebooks import EDITIONS
from elo_xl.templates import gallery
from tests.support.template_events import GENERATORS

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", range(8))
def test_the_engine_has_the_same_first_ratings(seed: int) -> None:
    options = gallery.options("k-and-first-rating")
    typed = GENERATORS["k-and-first-rating"](options, seed, wrong=seed > 3, full=bool(seed % 2))
    book: Book = gallery.build("k-and-first-rating", options, typed)
    met, steps = book.tables["Met"], book.tables["Editions"]
    games = [
        (float(rating), float(score))
        for rating, score in zip(
            met.column("used").values(), met.column("score").values(), strict=True
        )
        if isinstance(rating, float | int) and isinstance(score, float | int)
    ]
    ratings, points = [rating for rating, _ in games], sum(score for _, score in games)
    assert steps.column("games").numbers() == [len(games)] * len(EDITIONS)
    below_answer = book.known(steps.sheet, book.singles["newcomer"].cells.row + 2, 3)
    assert below_answer == (
        f"{EDITIONS[0].title.say('en')} · Rated games {len(games)}"
        if steps.cell("first", 0).values()[0] != ""
        else steps.cell("why", 0).values()[0]
    )
    for row, rules in enumerate(EDITIONS):
        average, computed, first = (
            steps.cell(key, row).values()[0] for key in ("average", "computed", "first")
        )
        if not games:
            assert (average, computed, first) == ("", "", "")
            continue
        made = first_rating_steps(ratings, points, rules)
        assert average == pytest.approx(float(made.average), rel=1e-12)
        assert computed == float(made.rating)
        published = rules.first.published(made.rating, np.array(len(games)), np.array(points))
        assert first == (computed if published else "")
