"""``bayes-chess``: ratings with deviations by Bayes' formula, game after game, beside Elo's rule.

Sheets: the first one, *Players* (rating, deviation, K), *Games* (typed in the order in which they
were played), *Standings*, *Chart*, *Each game*, and what every player had after each game:
*Ratings*, *Deviations*, *Elo's rule*; then *Results* (the signs) and *Steps*.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from elo_xl.templates.forms import Form, Options, finish, lines_above
from elo_xl.templates.front import Setting, front
from elo_xl.templates.parts import WHOLE
from elo_xl.templates.samples import entries, outcome
from elo_xl.templates.sheets.bayes_games import HISTORIES, BayesGames, model_of, more_columns
from elo_xl.templates.sheets.bayes_players import BOUNDS, USUAL, BayesPlayers, Player, Usual
from elo_xl.templates.sheets.bayes_results import ChartSheet, Standings
from elo_xl.templates.sheets.signs import Signs
from elo_xl.templates.sheets.typed_games import Game, TypedGames
from elo_xl.templates.texts import texts


@dataclass(frozen=True, slots=True)
class BayesList:
    """What is typed."""

    name: Any = None
    usual: Usual = field(default_factory=Usual)
    players: Sequence[Player] = ()
    games: Sequence[Game] = ()
    chosen: Sequence[Any] = ()
    """the players of the charts"""


EMPTY: Final = BayesList()

NEWCOMER: Final = 1500
"""The sample's guess at a player without a rating."""


def sample(options: Options) -> BayesList:
    """An invented club season: how well a rating is known decides how far it is from a strength
    that nobody sees, and results are drawn from these."""
    chance, say = random.Random(20263), texts(options.language)
    club: list[Player] = []
    strengths = {}
    for entry in entries(options.players):
        known = 0 if entry.rating is None else entry.games or 0
        sd = 40 if known > 500 else None if known > 50 else 110 if known else 180
        rating = entry.rating or NEWCOMER
        club.append(Player(entry.name, rating, sd, 40 if known < 30 else None))
        strengths[entry.name] = rating + chance.gauss(0, 1.3 * (sd or 60))
    sign = {1.0: "1", 0.5: "½", 0.0: "0"}
    games: list[Game] = []
    week = 0
    while len(games) < options.rounds:
        week += 1
        evening = say("bayes-chess.sample_evening", number=week)
        drawn = list(club)
        chance.shuffle(drawn)
        for one, two in zip(drawn[::2], drawn[1::2], strict=False):
            result = sign[outcome(chance, strengths[one.name], strengths[two.name])]
            games.append(Game(evening, one.name, two.name, result))
    if len(games) > 7:
        games[7] = Game(games[7].event, games[7].white, games[7].black, "+")
    by_sd = sorted(club, key=lambda p: -(p.sd or 0))
    chosen = [by_sd[0].name, *(p.name for p in (by_sd[1], club[0]) if p is not by_sd[0])]
    return BayesList(
        say("bayes-chess.sample_event"), Usual(60, 20), club, games[: options.rounds], chosen
    )


def build(form: Form, content: BayesList) -> None:
    """Write all sheets."""
    front(
        form,
        [
            Setting("Event", "event", content.name),
            *(
                Setting(name, f"usual_{key}", getattr(content.usual, key), WHOLE, *BOUNDS[key])
                for key, name in USUAL.items()
            ),
            Setting("Model", "model", form.say(f"model_{model_of(form)}"), locked=True),
        ],
        rules=False,
    )
    players = BayesPlayers(form, content.players, form.options.players, content.usual)
    typed, standings, chart, each = map(form.tab, ("games", "standings", "chart", "each"))
    tabs = {key: form.tab(key) for key in HISTORIES}
    signs = Signs(form)
    steps = form.tab("steps")
    listed = players.steps(steps, lines_above(form, steps, "steps") + 1)
    lines = TypedGames(form, players, typed, content.games, form.options.rounds, more_columns(form))
    found = lines.find(signs, players.names)
    games = BayesGames(form, players, lines, signs, (each, tabs, steps), listed, found)
    lines.check(games.steps, again=False)
    left = max(at for at, _ in games.steps.columns.values()) + 2
    table = Standings(form, games, standings, left)
    left = max(at for at, _ in table.last.columns.values()) + 2
    ChartSheet(form, table, chart, content.chosen, left)
    finish(steps, titles=(1, listed.header))
    listed.fit_header()
    steps.height(listed.header, 3)
