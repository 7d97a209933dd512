"""What the commands have in common that learn something from a whole history of games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Generic, TypeVar

import click
from rich.console import Console

from elo_xl.english import plural
from elo_xl.events.event import Problem
from elo_xl.events.merging import KINDS, EventFile
from elo_xl.events.pgn import EVERY
from elo_xl.terminal.answers import ResultFile
from elo_xl.terminal.console import MOST_SHOWN, console, progress, tell_facts, warn
from elo_xl.terminal.options import Choice
from elo_xl.terminal.reading import ReadOptions, some_paths, tell_refused

if TYPE_CHECKING:
    from elo_xl.books.book import Book
    from elo_xl.club.ledger import Ledger

T = TypeVar("T")
KIND: Final = click.option(
    "--kind", type=Choice(KINDS), help="Kind of play; that of most games if omitted."
)


@dataclass(frozen=True, slots=True)
class Finding(Generic[T]):
    """What a command finds in games, and how it tells that."""

    doing: str
    of_book: Callable[[Ledger], T]
    of_events: Callable[[Sequence[EventFile]], T]
    book: Callable[[T], Book] | None
    facts: Callable[[T], Mapping[str, object]]
    show: Callable[[Console, T], None]
    refusal: str
    """what is said where a club's book is given options that it does not take"""
    files: Mapping[str, Callable[[T], bytes]] = field(default_factory=dict)
    """further files that can be written, by their endings"""


def find(
    finding: Finding[T], files: tuple[Path, ...], how: ReadOptions, result: ResultFile
) -> None:
    """Read files or a club's book, find, write the book of it, and tell."""
    from elo_xl.club.exporting import book_of

    club = book_of(files[0]) if len(files) == 1 else None
    paths = [] if club is not None else some_paths(files)
    sources = files if club is not None else [path for _, path in paths]
    result.check(sources, finding.files, book=finding.book is not None)

    def tell(answer: T) -> None:
        others = {ending: partial(made, answer) for ending, made in finding.files.items()}
        result.write(None if finding.book is None else partial(finding.book, answer), others)
        tell_facts(**finding.facts(answer))
        finding.show(console(), answer)
        result.tell()

    if club is not None:
        if how != ReadOptions():
            raise click.UsageError(finding.refusal)
        with progress(finding.doing):
            answer = finding.of_book(club)
        tell(answer)
        return
    read = how.read_all(paths, how.event or EVERY)
    if any(file.counted for file in read):
        with progress(finding.doing):
            answer = finding.of_events(read)
        tell(answer)
    tell_refused(read)


def tell_notes(notes: Sequence[Problem], penalties: int, most: int = MOST_SHOWN) -> None:
    """Warn of what may be wrong, and of games that are left out."""
    for note in notes[:most]:
        warn(note, "note")
    if penalties:
        warn(f"{plural(penalties, 'game')} with a penalty left out: the result is unknown")
