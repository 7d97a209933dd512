"""``elo-xl next``: the book of the next period or event."""

from __future__ import annotations

from pathlib import Path

import click

from elo_xl.cli.old_book import FromList, takes_a_list
from elo_xl.terminal.console import check_target, progress, replacing


@click.command("next")
@click.argument("old", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The workbook to write.",
)
@click.option("--title", default="", help="The name of the next event; blank if omitted.")
@click.option(
    "--year",
    type=click.IntRange(1950, 2099),
    help="The year for which ages are counted; that of the old book if omitted.",
)
@click.option("--players", type=int, help="Room for more players than the old book has.")
@click.option("--rounds", type=int, help="Room for more rounds, games or lists.")
@takes_a_list
@replacing
def next_(
    old: Path,
    output: Path,
    title: str,
    year: int | None,
    players: int | None,
    rounds: int | None,
    ratings: FromList,
    force: bool,
) -> None:
    """Write the book of the next period or event from the workbook OLD, which you have filled in.

    Players have their new ratings, games and highest ratings, or with --list those of a rating
    list; settings stay, results do not.
    """
    from elo_xl.cli.new import Wanted, template_book
    from elo_xl.cli.old_book import Carried, options_of, read
    from elo_xl.events.books import template_of
    from elo_xl.templates.continued import continued
    from elo_xl.templates.opened import EntriesError
    from elo_xl.xlsx.files import write_whole

    check_target(output, force, made_from=[old])
    if not template_of(old.read_bytes()):
        raise click.ClickException(
            f"{old}: it does not say from which template it was made: make it anew with elo-xl new "
            "TEMPLATE --from first"
        )
    filled = read(old, "", None)
    wanted = Wanted(filled.template, players=players, rounds=rounds)
    with progress("Writing the workbook"):
        try:
            begun = continued(filled, title=title, year=year)
        except EntriesError as wrong:
            raise click.ClickException(f"{old}: {wrong}") from None
        begun = ratings.into(old, begun)
        declare = template_book(wanted.completed(options_of(begun)))
        carried = Carried.into(begun, declare)
        content = declare(carried.content).file()
        carried.check(content)
        write_whole(output, content)
    click.echo(f"Workbook: {output}")
    carried.report()
