"""Ratings as a picture."""

from __future__ import annotations

import io
from datetime import datetime
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot
from matplotlib.dates import num2date

import elo_xl as elo
from tests.api.test_import import WITHOUT, loaded

GAMES: dict[str, list[Any]] = {
    "white": ["Ana", "Cy", "Ana", "Bo", "Ana"],
    "black": ["Bo", "Ana", "Cy", "Cy", "Bo"],
    "result": [1, 0.5, "+", 0, 1],
}


@pytest.fixture(autouse=True)
def _closed():
    yield
    pyplot.close("all")


def drawn(axes: Any) -> dict[str, tuple[list[float], list[float]]]:
    return {x.get_label(): (list(x.get_xdata()), list(x.get_ydata())) for x in axes.lines}


def test_lines_are_the_ratings_after_each_game():
    history = elo.Elo().rate(GAMES).history
    lines = drawn(elo.plot(history))
    white, black = history["white_after"], history["black_after"]
    assert {
        "Ana": ([1, 2, 4], [white[0], black[1], white[4]]),
        "Bo": ([1, 3, 4], [black[0], white[3], black[4]]),
        "Cy": ([2, 3], [white[1], black[3]]),
    } == lines


@pytest.mark.parametrize("kind", [pd.DataFrame, lambda x: {k: np.array(v) for k, v in x.items()}])
def test_dates_put_games_in_order(kind):
    games = kind(GAMES | {"date": pd.date_range("2026-01-05", periods=5)[::-1]})
    axes = elo.plot(elo.Elo().rate(games).history, players=["Cy"])
    assert {"Cy"} == set(drawn(axes))
    numbers = np.asarray(axes.lines[0].get_xydata())[:, 0]
    days = [num2date(x).replace(tzinfo=None) for x in numbers]
    assert [datetime(2026, 1, 6), datetime(2026, 1, 8)] == days


def test_names_stand_at_the_ends_and_not_on_each_other():
    field = [f"Player {i}" for i in range(14)]
    games = [(one, two, "½") for i, one in enumerate(field) for two in field[:i]]
    axes = elo.plot(elo.Elo().rate(games).history)
    assert 10 == len(axes.texts)
    boxes = sorted((x.get_window_extent() for x in axes.texts), key=lambda box: box.y0)
    assert all(above.y0 > below.y0 + 9 for below, above in pairwise(boxes))


def test_a_name_may_have_dollars():
    games = GAMES | {"white": ["A$$B", "$1$", "A$$B", "Bo", "A$$B"]}
    elo.plot(elo.Elo().rate(games).history).figure.savefig(io.BytesIO())  # type: ignore[union-attr]


def test_axes_of_ones_own():
    own = pyplot.subplots()[1]
    assert own is elo.plot(elo.Elo().rate(GAMES).history, ["Bo"], ax=own)


@pytest.mark.parametrize(
    ("games", "players", "message"),
    [
        (GAMES, ["Zed"], "player 'Zed' is not in the games"),
        ({**GAMES, "result": [None] * 5}, None, "there is nobody to draw"),
        ({**GAMES, "result": [1, None, None, None, 1]}, ["Cy"], "player 'Cy' has no game with a"),
    ],
)
def test_what_cannot_be_drawn(games, players, message):
    with pytest.raises(elo.SizeError, match=f"^{message}"):
        elo.plot(elo.Elo().rate(games).history, players)


def test_a_table_of_players_is_no_history():
    with pytest.raises(elo.SizeError, match=r"^games need a column 'white'"):
        elo.plot(elo.Elo().rate(GAMES).players)


@pytest.mark.slow
def test_without_matplotlib_the_command_that_helps_is_named():
    loaded(
        WITHOUT.format(blocked={"matplotlib"}) + "import elo_xl as elo\n"
        "try: elo.plot({})\n"
        "except ModuleNotFoundError as missing: sys.said = str(missing)\n"
        'assert sys.said == "plot needs matplotlib: pip install matplotlib", sys.said'
    )
