"""``elo-xl publish``: what a book shows, for the web, for paper and for programs."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from elo_xl.addresses import is_address
from elo_xl.engine.usual import MARGINS
from elo_xl.english import plural
from elo_xl.languages import ENGLISH
from elo_xl.publish.league import DATES, League
from elo_xl.publish.league import KINDS as GAMES
from elo_xl.terminal.answers import FORCE, KINDS, PRINTED, checked, write
from elo_xl.terminal.console import progress, tell, warn
from elo_xl.terminal.options import (
    Choice,
    Option,
    address_of,
    gather,
    known_model,
    language_of,
)

if TYPE_CHECKING:
    from elo_xl.publish.cut import Cut


def _answers(_: click.Context, __: click.Parameter, address: str) -> str:
    """An address of answers: one with https, or a place beside the page."""
    if "://" in address and not is_address(address, ("https://",)):
        raise click.BadParameter(f"{address!r}: type it as browsers show it, from https:// on")
    if any(letter in address for letter in "'\"<>;"):
        raise click.BadParameter(f"{address!r} is no address")
    return address


def _finite(_: click.Context, __: click.Parameter, number: float) -> float:
    if not isfinite(number):
        raise click.BadParameter(f"{number} is no number to compute with")
    return number


def _setting(name: str, what: str, **more: Any) -> Option:
    default = getattr(League, name)
    more |= {"default": default, "show_default": bool(default)}
    return click.option(f"--{name}", help=f"With --live: {what}.", **more)


LEAGUE: Final = gather(
    "league",
    League,
    _setting("title", "the name of the league"),
    _setting("game", "one against one, doubles, or tables of three and more", type=Choice(GAMES)),
    _setting("k", "the K factor", type=click.FloatRange(0), callback=_finite),
    _setting("start", "the first rating of everybody", type=float, callback=_finite),
    _setting("model", "the curve of expected scores, as in ELO_LADDER", callback=known_model),
    _setting("sides", "what stands between the players of a side; & in doubles if omitted"),
    _setting("margin", "how K grows with clear wins, as in ELO_LADDER", type=Choice(MARGINS)),
    _setting(
        "csv",
        "the address of the answers (CSV), or where the file is from the page. If omitted, the "
        "page takes it from its own address: ?csv=ADDRESS",
        callback=_answers,
    ),
    _setting(
        "dates",
        "dates such as 11/3/2026 have the month first (mdy) or the day (dmy). If omitted, the page "
        "asks where both are possible",
        type=Choice(DATES),
    ),
)


@click.command()
@click.argument(
    "book", required=False, type=click.Path(path_type=Path, dir_okay=False, exists=True)
)
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    type=click.Path(path_type=Path),
    help="The file to write, whose ending says what it is: .html, .pdf, .csv or .json; may be "
    "given several times. In a folder, and if omitted in this one, it is BOOK's name with .html; "
    "with --live league.html.",
)
@language_of("what is written", "BOOK's own", also=["--language"])
@click.option(
    "--sheets",
    type=Choice(["slips", "plates"]),
    help="Write what is cut out, as .html or .pdf: result slips of the round that is to be played, "
    "or name plates of all players.",
)
@click.option(
    "--live",
    is_flag=True,
    help="Write the page of a league that lives on a form: it reads the answers (CSV) and rates "
    "them in the browser. No BOOK.",
)
@LEAGUE
@address_of("it shows it as a QR code. BOOK's own if omitted (elo-xl new --address)")
@FORCE
def publish(
    book: Path | None,
    outputs: tuple[Path, ...],
    lang: str | None,
    sheets: Cut | None,
    live: bool,
    league: League,
    address: str | None,
    force: bool,
) -> None:
    """Write what BOOK shows as a page for the web, a PDF, CSV or JSON; or the page of a league.

    BOOK is a club's book, a workbook of elo-xl new that has a sheet for the wall, or one of elo-xl
    rate. The page is one file, which asks nothing of any other place. Chrome, Chromium or Edge
    prints the PDF.

    With --live the page needs no BOOK: it reads what people have typed into a form, and rates it
    wherever it is opened.
    """
    from elo_xl.publish.books import page_of
    from elo_xl.publish.cut import cut
    from elo_xl.publish.live import live_page
    from elo_xl.templates.opened import EntriesError
    from elo_xl.terminal.reading import no_book
    from elo_xl.xlsx.in_place import WorkbookError

    if live:
        if book is not None or sheets is not None or address is not None:
            raise click.UsageError("--live takes no BOOK, no --sheets and no --address")
        targets = checked(outputs or (Path(),), "league", force, [".html"])
        write(live_page(league, lang or ENGLISH), targets)
        return
    context = click.get_current_context()
    if book is None:
        raise click.MissingParameter(param_type="argument", param_hint="'BOOK'", ctx=context)
    sources = {name: context.get_parameter_source(name) for name in League.__annotations__}
    if alone := [name for name, source in sources.items() if source is ParameterSource.COMMANDLINE]:
        raise click.UsageError(f"--{alone[0]} is for the page of a league: say --live, too")
    if sheets is not None and address is not None:
        raise click.UsageError("no address is on what is cut out: leave --address out")
    # what is cut out has no table that CSV or JSON could hold
    paper = KINDS if sheets is None else PRINTED
    name = f"{book.stem}-{sheets}" if sheets else book.stem
    targets = checked(outputs or (Path(),), name, force, paper)
    try:
        with progress("Reading the book"):
            content = book.read_bytes()
            page = cut(content, sheets, lang or "") if sheets else page_of(content, lang or "")
    except (EntriesError, WorkbookError) as wrong:
        raise no_book(book, wrong) from None
    if isinstance(page, bytes):
        write(page, targets)
        return
    if address is not None:
        page = replace(page, address=address)
    count = len(page.list.rows)
    write(page, targets)
    tell(f"{page.title}: {plural(count, 'line')}", title=page.title, lines=count)
    if page.club_cell and not page.club:
        warn(f"it names no club: type the name into {page.club_cell}", "note")
