"""``elo-xl rate``: one file is an event, several are a period, and long files are a table.

Each of the three has a module of its own: :mod:`.single`, :mod:`.together`, and
:mod:`elo_xl.bulk.command`; each refuses the options that it has no use for.
"""

from __future__ import annotations

from pathlib import Path

import click

from elo_xl.bulk import is_long
from elo_xl.bulk.command import LongOptions, for_long_files, rate_long
from elo_xl.events.merging import KINDS
from elo_xl.terminal.console import replacing
from elo_xl.terminal.options import Choice, gather, language_of
from elo_xl.terminal.reading import FILES, RULES, K, RateOptions, ReadOptions, reads_an_event


@click.command()
@FILES
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="The workbook to write; FILE's name with -rated.xlsx in this folder if omitted.",
)
@RULES
@K
@click.option(
    "--start",
    type=click.FloatRange(100, 4000),
    help="The rating with which all begin in a list in which nobody has one; 1500 if omitted.",
)
@reads_an_event
@click.option(
    "--kind",
    type=Choice(KINDS),
    help="Kind of play of events whose files do not name their time control; standard if omitted.",
)
@language_of("the workbook")
@click.option(
    "--strict",
    is_flag=True,
    help="Refuse to rate where a K factor would rest on an unknown highest rating, number of games "
    "or birth year.",
)
@for_long_files
@replacing
@click.option("--dry-run", is_flag=True, help="Write no workbook.")
@gather("options", RateOptions)
def rate(
    files: tuple[Path, ...], how: ReadOptions, options: RateOptions, long: LongOptions
) -> None:
    """Rate the event in FILE and write a workbook that shows every step, or only the results where
    spreadsheets have no sensible formula of the rules.

    FILE is a tournament report file (TRF16 or TRF26), games as PGN, a table in CSV, xlsx, ods or
    xls (a list of games, rounds with their pairings, a crosstable), or a workbook of elo-xl new.
    Ratings stand beside the games, on another sheet, or in a list of players (--players;
    players.csv in the same folder if omitted). If nobody has a rating, all begin at 1500, and the
    workbook is ladder, doubles or game-night with all games, to go on with.

    Several files, or a FOLDER with all its events, are rated as one period: all games of a player
    together, each kind of play by itself. A file that cannot be read does not stop the others: the
    workbook lists it, nothing of it is counted, and the exit code is 1.

    Files of more games than a sheet has rows (Parquet, DuckDB, SQLite, or CSV with a result -o
    that ends in .parquet) have a row per game, and ratings for --players only; the result is a
    file with a row per player, or a workbook with the --top of them. Such a result as FILE, and no
    games, makes one more workbook of it without rating anything.
    """
    single = len(files) == 1 and not files[0].is_dir()
    if options.start is not None and (is_long(files, options.output) or not single):
        raise click.UsageError("--start is for one list in which nobody has a rating")
    if is_long(files, options.output):
        rate_long(files, how, options, long)
        return
    long.refuse()
    # each loads what only it needs
    if not single:
        from elo_xl.questions.rate.together import rate_events

        rate_events(files, how, options)
    else:
        from elo_xl.questions.rate.single import rate_file

        rate_file(files[0], how, options)
