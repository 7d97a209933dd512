"""``elo-xl list``: rating lists of federations on this computer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from elo_xl.books.answers import number, phrase
from elo_xl.cli import Commands
from elo_xl.progress import counted
from elo_xl.terminal.console import console, progress, tell, tell_facts, warn
from elo_xl.terminal.options import Choice, lists_begun

if TYPE_CHECKING:
    from rich.table import Table

    from elo_xl.lists.layouts import Entry

_COLUMNS = (
    *(("Number", "id"), ("Name", "name"), ("Fed.", "federation"), ("Title", "title")),
    *(("Born", "birth"), ("Rating", "rating"), ("K", "k"), ("Rapid", "rapid"), ("Blitz", "blitz")),
)


which = click.option(
    "--list", "name", shell_complete=lists_begun, help="The list, such as fide or fide-2026-10."
)


UPDATE: Final = ("cli.club.update", "Write a list's ratings into a club's book.")


@click.group("list", cls=Commands, modules={"Commands": {"update": UPDATE}})
def lists() -> None:
    """Keep rating lists of federations, and look players up in them."""


@lists.command("import")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--name", default="fide", show_default=True, help="What the list is called here.")
@click.option("--month", help="Its month, as 2026-10; from the file if omitted.")
@click.option(
    "--kind",
    type=Choice(("standard", "rapid", "blitz")),
    help="Which rating a list of one rating holds; from the file's name if omitted.",
)
@click.option(
    "--columns",
    help='For CSV: which heading each field has, as "id=ZPS,name=Spielername,rating=DWZ".',
)
def import_list(
    file: Path, name: str, month: str | None, kind: str | None, columns: str | None
) -> None:
    """Read a rating list from FILE, as the federation publishes it, zipped or not.

    FIDE's lists are read in every layout, in fixed columns and XML, others as CSV. A list of the
    same name and month is replaced, when the new one is complete.
    """
    from elo_xl.lists import keep, layouts, store

    fields = _fields(columns)
    with layouts.opened(file) as (inside, stream):
        reading = layouts.Reading(
            inside,
            kind or layouts.kind_in(f"{inside} {file.name}"),
            month or layouts.month_in(inside) or layouts.month_in(file.name),
        )
        entries = layouts.read(inside, stream, reading, fields)
        if not reading.month:
            raise click.UsageError("the file does not name its month: give it, as --month 2026-10")
        before = {str(there) for there in store.lists()}
        with progress("Reading the players"):
            kept, count = keep.write(name, reading.month, counted(entries, "players"), reading)
    for fault in reading.shown:
        warn(fault)
    if reading.faults > len(reading.shown):
        warn(f"… and {reading.faults - len(reading.shown)} more")
    replaced = "; it replaces the one before" if str(kept) in before else ""
    tell(
        f"{kept}: {count} players; lines left out: {reading.faults}{replaced}",
        list=str(kept),
        players=count,
        left_out=reading.faults,
        replaced=bool(replaced),
    )


@lists.command()
@click.argument("who", nargs=-1, required=True)
@which
@click.option("--most", default=10, show_default=True, help="How many players to show.")
def find(who: tuple[str, ...], name: str | None, most: int) -> None:
    """Find players by number, or by a name in any spelling, order and script."""
    from elo_xl.lists import store

    one = store.choose(name)
    text = " ".join(who)
    entries = list(store.by_ids(one, who).values())
    if not entries:
        (entries,) = store.by_names(one, [text], most)
    if not entries:
        place = one or store.EXAMPLE
        warn(f"no player is like {text!r} @ {place}", "error")
        raise SystemExit(1)
    console().print(_table(entries))
    tell_facts(players=[entry._asdict() for entry in entries])


@lists.command()
def show() -> None:
    """Show the lists that are here, with their months and numbers of players."""
    from rich.table import Table

    from elo_xl.lists import store
    from elo_xl.lists.layouts import ListError

    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("List", "Players", "Imported"):
        table.add_column(phrase(heading), justify="right" if heading == "Players" else "left")
    there = store.lists()
    sizes = {}
    for one in there:
        try:
            size = sizes[one] = store.size(one)
        except ListError as damaged:
            warn(damaged)
            continue
        table.add_row(str(one), number(f"{size:,}"), f"{store.imported(one):%Y-%m-%d %H:%M}")
    tell_facts(
        folder=str(store.folder()),
        lists=[
            {"list": str(one), "players": size, "imported": f"{store.imported(one)}"}
            for one, size in sizes.items()
        ],
    )
    if there:
        console().print(table)
        tell(f"Folder: {store.folder()}")
    else:
        tell("There is no list here: elo-xl list import FILE reads one")


@lists.command()
@click.argument("name")
def remove(name: str) -> None:
    """Remove a list by its name with the month, as fide-2026-10."""
    from elo_xl.lists import store

    one = store.choose(name)
    if one is None or name.lower() != str(one):
        raise click.UsageError(f"name the list with its month, such as {one or 'fide-2026-10'}")
    one.path.unlink()
    tell(f"removed: {one}", removed=str(one))


def _fields(columns: str | None) -> dict[str, str]:
    from elo_xl.lists.layouts import Entry

    pairs = [part.partition("=") for part in (columns or "").split(",") if part.strip()]
    headings = {key.strip().lower(): heading.strip() for key, _, heading in pairs}
    for key, heading in headings.items():
        if key not in Entry._fields or not heading:
            known = ", ".join(Entry._fields)
            raise click.UsageError(f"--columns takes pairs such as id=ZPS, of {known}; got {key!r}")
    return headings


def _table(entries: list[Entry]) -> Table:
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading, key in _COLUMNS:
        left = key in ("name", "federation", "title")
        table.add_column(phrase(heading), justify="left" if left else "right")
    for entry in entries:
        cells = (getattr(entry, key) for _, key in _COLUMNS)
        table.add_row(*("" if cell is None else escape(str(cell)) for cell in cells))
    return table
