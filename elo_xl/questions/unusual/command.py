"""``elo-xl unusual``: scores of an event that the ratings do not lead to expect."""

from __future__ import annotations

from pathlib import Path

import click
from rich.markup import escape

from elo_xl.engine.rulebooks import Rulebook
from elo_xl.events.rate import rate as rate_event
from elo_xl.functions.formula_text import to_text
from elo_xl.languages import many
from elo_xl.questions.unusual.event import LEAST_GAMES, looked_at, unusual
from elo_xl.terminal.console import console, plain_table, print_json
from elo_xl.terminal.reading import EXISTING, RULES, How, reads_an_event

NOTE = (
    "Unusual is not wrong: players improve, ratings lag, and of all events {share:.0%} have such a "
    "score by chance alone."
)


@click.command("unusual")
@click.argument("file", type=EXISTING)
@RULES
@reads_an_event
@click.option(
    "--below",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.05,
    show_default=True,
    help="Show a score if the chance that anybody has one as rare is below this.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def show_unusual(file: Path, rules: Rulebook | None, how: How, below: float, as_json: bool) -> None:
    """Show the scores of the event in FILE that are rare under the players' ratings, in view of how
    many scores were looked at.

    "One in" is exact: how rarely this player scores as low or lower, or, above what is expected, as
    high or higher, by the expected scores of the games; "Anybody" is the chance that any of the
    players has a score as rare, on whichever side. FILE is any that `elo-xl rate` reads.
    """
    event = rate_event(how.read(file), rules)
    count, found = looked_at(event), unusual(event, below=below)
    if as_json:
        told = [
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
            for one in found
        ]
        whole = {"event": event.tournament.name, "looked_at": count, "unusual": told}
        print_json(whole)
        return
    terminal = console()
    terminal.print(f"[bold]{escape(event.tournament.name)}[/]")
    terminal.print(f"{many(count, 'player')} with {LEAST_GAMES} rated games or more\n")
    if not found:
        terminal.print("No score is unusual in view of how many there are.")
        return
    numbers = ("Rating", "Games", "Score", "Expected", "One in", "Anybody")
    table = plain_table("Name", numbers=numbers)
    for one in found:
        player = one.player
        table.add_row(
            escape(player.player.name),
            to_text(player.player.rating),
            str(player.games),
            to_text(player.score),
            f"{player.expected:.2f}",
            f"{1 / one.chance:,.0f}",
            f"{one.among:.2%}",
        )
    terminal.print(table)
    terminal.print(f"\n{NOTE.format(share=below)}")
