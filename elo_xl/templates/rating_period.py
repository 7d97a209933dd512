"""``rating-period``: a club's players and all games between two rating lists.

Sheets: the first one, *Players*, *Games* (typed as they come), *Ratings*, *Rating list*, *Gains and
losses* with the chart, *Each game* (expected score, K and change of both players), *Results* (the
signs) and *Steps*. Every rating stands as it was before the period.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from elo_xl.templates.forms import Form, Options, block, finish, lines_above
from elo_xl.templates.front import Setting, front
from elo_xl.templates.parts import WHOLE, Column, Formula, Table
from elo_xl.templates.samples import YEAR as SAMPLE_YEAR
from elo_xl.templates.samples import Entry, entries, outcome
from elo_xl.templates.sheets.each_game import EachGame
from elo_xl.templates.sheets.period_ratings import PeriodRatings
from elo_xl.templates.sheets.players import YEAR, Counted, Players, blank, times
from elo_xl.templates.sheets.rating_list import gains_and_losses, rating_list
from elo_xl.templates.sheets.signs import Signs
from elo_xl.templates.sheets.typed_games import Game, TypedGames
from elo_xl.templates.texts import texts


@dataclass(frozen=True, slots=True)
class RatingPeriod:
    """What is typed."""

    name: Any = None
    year: Any = None
    entries: tuple[Entry, ...] = ()
    games: Sequence[Game] = ()


EMPTY: Final = RatingPeriod()


def sample(options: Options) -> RatingPeriod:
    """An invented spring of a club, with a forfeit and two newcomers."""
    chance, say = random.Random(20262), texts(options.language)
    evenings = [say("rating-period.sample_evening", number=i) for i in (1, 2, 3)]
    evenings += [say(f"rating-period.sample_{key}") for key in ("league", "cup")]
    field = entries(options.players)
    sign = {1.0: "1", 0.5: "½", 0.0: "0"}
    games = []
    for evening in evenings:
        drawn = list(range(len(field)))
        chance.shuffle(drawn)
        for a, b in zip(drawn[::2], drawn[1::2], strict=False):
            white, black = field[a], field[b]
            result = sign[outcome(chance, white.rating, black.rating)]
            games.append(Game(evening, white.name, black.name, result))
    if len(games) > 4:
        games[4] = Game(games[4].event, games[4].white, games[4].black, "+")
    return RatingPeriod(
        say("rating-period.sample_event"), SAMPLE_YEAR, field, games[: options.rounds]
    )


def build(form: Form, period: RatingPeriod) -> None:
    """Write all sheets."""
    front(
        form,
        [
            Setting("Event", "period", period.name),
            Setting(YEAR, "year", period.year, WHOLE, 1950, 2200),
        ],
    )
    players = Players(form, period.entries, form.options.players, period.year)
    typed, ratings, listed, gains, each = map(
        form.tab, ("games", "ratings", "list", "gains", "each")
    )
    signs = Signs(form)
    steps = form.tab("steps")
    counted = Counted(form, players, steps, lines_above(form, steps, "steps"))
    games = TypedGames(form, players, typed, period.games, form.options.rounds)
    names = identify(form, counted)
    found = EachGame(form, counted, signs, each, games.find(signs, names))
    games.check(found.table)
    new = PeriodRatings(form, counted, found, ratings)
    found.fill(block(new.table, "k"))
    rating_list(form, new, listed)
    gains_and_losses(form, new, gains)
    finish(steps, titles=(1, 2))
    for table in (counted.table, new.sums):
        table.fit_header()


def identify(form: Form, counted: Counted) -> list[str]:
    """The names by which games find players, beside what counts of them: a name that stands twice
    finds nobody."""
    players, table = counted.players, counted.table
    left = len(table.columns) + 2
    column = Column("id", form.say("column_id"), align="left", width=22.0)
    own = Table(table.sheet, [column], table.header, players.size, left)
    typed = players.table.range("name")
    known = [str(e.name).casefold() for e in players.entries if not blank(e.name)]
    names = []
    for i in range(players.size):
        name = table.cell("name", i)
        once = f"{times(typed, name)}=1"
        found = str(players.entries[i].name) if players.present(i) else ""
        if known.count(found.casefold()) != 1:
            found = ""
        text = f'=IF({name}="","",IF({once},{name},""))'
        own.write(i, {"id": Formula(text, found)})
        names.append(found)
    form.define("Player_ids", own.range("id"))
    form.define("Player_numbers", table.range("no"))
    return names
