"""``rating-history``: the rating lists of a season, one line a player and list.

Sheets: the first one, *Entries* (typed, a table that grows), *History* (every rating in every
list), *Season* (first, latest, best and worst, activity: to print), *One player* (best and worst
so far), *Chart* (up to six players), *Activity* and *Steps*.
"""

from __future__ import annotations

import random
from datetime import date
from typing import Final

from elo_xl.engine.models import expected
from elo_xl.engine.rounding import round_half_away
from elo_xl.templates.forms import Form, Options, finish
from elo_xl.templates.front import Setting, front
from elo_xl.templates.parts import WHOLE
from elo_xl.templates.samples import entries, outcome
from elo_xl.templates.sheets.history_content import (
    MOST_GAMES,
    SLOTS,
    History,
    Line,
    RatingHistory,
    capacity,
    serial,
)
from elo_xl.templates.sheets.history_curves import SeasonChart
from elo_xl.templates.sheets.history_entries import GAP, Entries
from elo_xl.templates.sheets.history_ratings import Ratings
from elo_xl.templates.sheets.history_views import OnePlayer, activity

EMPTY: Final = RatingHistory()

START: Final = 2025, 9
"""Year and month of the sample's first list."""

MEMBERS: Final = 14
K: Final = 20
NEWCOMER: Final = 1560
"""The first rating of the sample's unrated player."""


def sample(options: Options) -> RatingHistory:
    """An invented club's monthly lists: a player joins in the middle, another one stops."""
    chance = random.Random(20269)
    members = [e for e in entries(MEMBERS) if e.name is not None][: options.players]
    ratings = [float(e.rating or NEWCOMER) for e in members]
    joins = [1 if e.rating else options.rounds // 2 + 1 for e in members]
    stops = [options.rounds] * len(members)
    stops[min(12, len(members) - 1)] = (options.rounds + 1) // 2
    lines = []
    for k in range(1, options.rounds + 1):
        years, month = divmod(START[1] - 1 + k - 1, 12)
        day = serial(date(START[0] + years, month + 1, 1))
        here = [i for i in range(len(members)) if joins[i] <= k <= stops[i]]
        gains, games = [0.0] * len(members), [0] * len(members)
        for _ in range(3 if k > 1 else 0):
            drawn = [i for i in here if joins[i] < k and chance.random() < 0.75]
            chance.shuffle(drawn)
            for a, b in zip(drawn[::2], drawn[1::2], strict=False):
                score = outcome(chance, ratings[a], ratings[b])
                gain = K * (score - float(expected(ratings[a] - ratings[b], "logistic")))
                gains[a], gains[b] = gains[a] + gain, gains[b] - gain
                games[a], games[b] = games[a] + 1, games[b] + 1
        for i in here:
            ratings[i] = float(round_half_away(ratings[i] + gains[i]))
            if games[i] or joins[i] == k:
                lines.append(Line(day, members[i].name, ratings[i], games[i]))
    chosen = [e.name for e in members[-SLOTS:]]
    return RatingHistory(
        "Season 2025/26",
        1,
        min(6, options.rounds),
        lines[: capacity(options)],
        chosen,
        members[min(6, len(members) - 1)].name,
    )


def build(form: Form, content: RatingHistory) -> None:
    """Write all sheets."""
    history = History(content, form.options)
    front(
        form,
        [
            Setting("Event", "event", content.name),
            Setting("Active_games", "active_games", content.need, WHOLE, 1, MOST_GAMES),
            Setting("Active_lists", "active_lists", content.back, WHOLE, 1, history.lists),
        ],
        rules=False,
    )
    tabs = ("entries", "history", "season", "player", "chart", "activity", "steps")
    typed, shown, season, one, chart, games, steps = map(form.tab, tabs)
    entered = Entries(form, history, typed, steps)
    ratings = Ratings(form, entered, shown, entered.lists.last + GAP)
    below = ratings.table.last + GAP
    # who is chosen and their points, twice, then the lines: the longest last
    one_top = below + SLOTS + GAP + history.lists + GAP
    entered.fill(one_top + 1 + GAP + history.lists + GAP)
    ratings.fill()
    ratings.season(season)
    alone = OnePlayer(form, ratings, one, one_top)
    chosen = SeasonChart(form, ratings, chart, below)
    activity(form, ratings, games)
    finish(steps, titles=(1, 2))
    tables = (entered.lists, ratings.options, ratings.table, entered.rows)
    for table in (*tables, chosen.slots, chosen.points, alone.slots, alone.points):
        table.fit_header()
