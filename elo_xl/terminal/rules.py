"""The option ``--rules``: here, and in no file, a text may be the path of a rulebook."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from elo_xl.engine.rulebooks import Rulebook


def chosen_rules(_: click.Context, __: click.Parameter, text: str | None) -> Rulebook | None:
    """The rulebook of a name, or of a path that ends in ``.toml``."""
    from elo_xl.engine.errors import OptionError
    from elo_xl.engine.rulebooks import own, rulebook

    if not text:
        return None
    try:
        return rulebook(Path(text) if text.lower().endswith(own.ENDING) else text)
    except OptionError as wrong:
        raise click.BadParameter(str(wrong)) from None


def kept_rules(context: click.Context, option: click.Parameter, text: str | None) -> str:
    """The name of a rulebook as a book keeps it, which keeps no path."""
    from elo_xl.engine.rulebooks import own

    book = chosen_rules(context, option, text)
    if book is not None and book.name.lower().endswith(own.ENDING):
        name = Path(book.name).stem
        what = f"the book keeps the name of a rulebook, not its path: put {book.name} into"
        raise click.BadParameter(f"{what} {own.folder()} and say --rules {name}")
    return "" if book is None else book.name
