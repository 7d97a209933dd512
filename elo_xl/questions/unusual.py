"""``elo-xl unusual``: scores of an event that the ratings do not lead to expect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
import numpy as np
from rich.markup import escape

from elo_xl.books.answers import many, number, phrase
from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.models import expected
from elo_xl.engine.rulebooks import Rulebook
from elo_xl.events.rate import RatedEvent, RatedPlayer
from elo_xl.events.rate import rate as rate_event
from elo_xl.functions.cells import to_text
from elo_xl.terminal.console import console, plain_table, tell_facts
from elo_xl.terminal.reading import READ, RULES, ReadOptions, reads_an_event


def score_distribution(expected: Sequence[float]) -> FloatArray:
    """The probabilities of all scores in games with these expected scores, from 0 by half points.

    An expected score E is split into win, draw and loss as E², 2E(1 − E), (1 − E)². Games are
    independent of each other.
    """
    distribution: FloatArray = np.ones(1)
    for e in expected:
        distribution = np.convolve(distribution, [(1 - e) ** 2, 2 * e * (1 - e), e**2])
    return distribution


def rarity(expected: Sequence[float], score: float) -> float:
    """The probability of a score as high or higher, or, below what is expected, as low or lower."""
    chances, place = score_distribution(expected), round(2 * score)
    above = score >= float(np.sum(expected))
    tail = chances[place:] if above else chances[: place + 1]
    return min(float(tail.sum()), 1.0)


def among(chance: float, looked_at: int) -> float:
    """The probability that the rarest of so many scores is as rare as that.

    >>> round(among(0.001, 100), 3)
    0.095
    """
    return float(-np.expm1(looked_at * np.log1p(-min(chance, 1 - 1e-16))))


LEAST_GAMES: Final = 4
"""Fewer games say nothing."""


@dataclass(frozen=True, slots=True)
class Unusual:
    """A score, and how rare it is."""

    player: RatedPlayer
    high: bool
    """whether it is above the expected one"""
    chance: float
    """of a score as high, or higher; if it is low, of one as low, or lower"""
    among: float
    """that anybody of those looked at has one as rare as that, high or low"""


def looked_at(event: RatedEvent) -> int:
    """The number of players whose scores are compared: those with enough rated games."""
    return sum(p.games >= LEAST_GAMES for p in event.players)


def unusual(event: RatedEvent, *, below: float = 0.05) -> list[Unusual]:
    """The scores that would be rare even in view of how many were looked at, the rarest first.

    What is expected of a game is what the rulebook expects, where it takes each game by itself,
    otherwise the logistic curve's.
    """
    count = looked_at(event)
    games: dict[int, list[float]] = {}
    for game in event.games:
        chance = game.expected
        if chance is None:
            chance = float(expected(game.difference, "logistic"))
        games.setdefault(game.player, []).append(float(np.clip(chance, 0, 1)))
    scores = []
    for player in event.players:
        if player.games < LEAST_GAMES:
            continue
        chances = games[player.player.number]
        chance = rarity(chances, player.score)
        rare = among(min(2 * chance, 1), count)  # high or low
        if rare < below:
            scores.append(Unusual(player, player.score >= sum(chances), chance, rare))
    return sorted(scores, key=lambda one: one.chance)


NOTE = (
    "Unusual is not wrong: players improve, ratings lag, and of all events {share:.0%} have such a "
    "score by chance alone."
)

MEANING = (
    "{one_in}: how rarely this player scores so far from what is expected. {anybody}: the chance "
    "that any of all these players has a score as rare."
)


@click.command("unusual")
@click.argument("file", type=READ)
@RULES
@reads_an_event
@click.option(
    "--below",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.05,
    show_default=True,
    help="Show a score if the chance that anybody has one as rare is below this.",
)
def show_unusual(file: Path, rules: Rulebook | None, how: ReadOptions, below: float) -> None:
    """Show the scores of the event in FILE that are rare under the players' ratings, in view of how
    many scores were looked at.

    "One in" is exact: how rarely this player scores as low or lower, or, above what is expected, as
    high or higher, by the expected scores of the games; "Anybody" is the chance that any of the
    players has a score as rare, on whichever side. FILE is any that `elo-xl rate` reads.
    """
    event = rate_event(how.read(file), rules)
    count, scores = looked_at(event), unusual(event, below=below)
    rows = [
        {
            "player": one.player.player.name,
            "id": one.player.player.id,
            "games": one.player.games,
            "score": one.player.score,
            "expected": one.player.expected,
            "side": "high" if one.high else "low",
            "chance": one.chance,
            "among": one.among,
        }
        for one in scores
    ]
    tell_facts(event=event.tournament.name, looked_at=count, unusual=rows)
    terminal = console()
    terminal.print(f"[bold]{escape(event.tournament.name)}[/]")
    terminal.print(
        phrase(
            "{players} with {least_games} rated games or more\n",
            players=many(count, "player"),
            least_games=LEAST_GAMES,
        )
    )
    if not scores:
        terminal.print(phrase("No score is unusual in view of how many there are."))
        return
    numbers = ("Rating", "Games", "Score", "Expected", "One in", "Anybody")
    table = plain_table("Name", numbers=numbers)
    for one in scores:
        player = one.player
        table.add_row(
            escape(player.player.name),
            number(to_text(player.player.rating)),
            str(player.games),
            number(to_text(player.score)),
            number(f"{player.expected:.2f}"),
            number(f"{1 / one.chance:,.0f}"),
            number(f"{one.among:.2%}"),
        )
    terminal.print(table)
    meaning = phrase(MEANING, one_in=phrase("One in"), anybody=phrase("Anybody"))
    terminal.print(f"\n{meaning}\n{phrase(NOTE, share=below)}")
