"""What the commands have in common that learn something from a whole history of games.

The same goes for how they write the figures, with their intervals.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Generic, TypeVar

import click
from rich.console import Console

from elo_xl.books.texts import texts
from elo_xl.engine.arrays import finite
from elo_xl.engine.errors import DomainError
from elo_xl.engine.quality import Estimate
from elo_xl.english import plural
from elo_xl.events.event import Problem
from elo_xl.events.merging import KINDS, EventFile
from elo_xl.events.pgn import EVERY
from elo_xl.languages import ENGLISH, LANGUAGES
from elo_xl.terminal.answers import ResultFile
from elo_xl.terminal.console import MOST_SHOWN, console, print_json, progress, warn
from elo_xl.terminal.options import Choice
from elo_xl.terminal.reading import How, some_paths, tell_refused

if TYPE_CHECKING:
    from elo_xl.books.book import Book
    from elo_xl.club.ledger import Ledger


def within(estimate: Estimate, digits: int = 0, language: str = ENGLISH) -> str:
    """An estimate with its interval.

    >>> within(Estimate(24.1, 18.3, 34.2)), within(Estimate(200, 120, float("inf")))
    ('24 (18 to 34)', '200 (120 or more)')
    """
    key = bounds(estimate.low, estimate.high)
    value = number(estimate.value, digits, language)
    return texts(language)(
        f"k-check.within_{key}", value=value, **places(estimate, digits, language)
    )


def bounds(low: float, high: float) -> str:
    """Which bounds the games set: both, one of them, or none."""
    below, above = low not in (0, -math.inf), math.isfinite(high)
    if below and above:
        return "both"
    return "above" if below else "below" if above else "none"


def places(estimate: Estimate, digits: int, language: str) -> dict[str, str]:
    return {
        "low": number(estimate.low, digits, language),
        "high": number(estimate.high, digits, language),
    }


def number(value: float, digits: int, language: str = ENGLISH) -> str:
    """A number, as a language writes it.

    >>> number(-0.25, 2, "es")
    '−0,25'
    """
    return LANGUAGES[language].number(f"{value:.{digits}f}".replace("-", "−"))


def thousands(number: int, language: str = ENGLISH) -> str:
    """A large number, as a language writes it.

    >>> thousands(12500), thousands(12500, "es")
    ('12,500', '12\\xa0500')
    """
    return f"{number:,}".replace(",", LANGUAGES[language].thousands_sign)


def of_kind(kind: str | None) -> str:
    """What is said of the kind of play where games of several kinds are known."""
    return f" of {kind} play" if kind else ""


T = TypeVar("T")
Computed = TypeVar("Computed")

KIND: Final = click.option(
    "--kind", type=Choice(KINDS), help="Kind of play; that of most games if omitted."
)


@dataclass(frozen=True, slots=True)
class Finding(Generic[T]):
    """What a command finds in games, and how it tells that."""

    doing: str
    of_book: Callable[[Ledger], T]
    of_events: Callable[[Sequence[EventFile]], T]
    book: Callable[[T], Book]
    as_json: Callable[[T], object]
    show: Callable[[Console, T], None]
    refusal: str
    """what is said where a club's book is given options that it does not take"""
    files: Mapping[str, Callable[[T], bytes]] = field(default_factory=dict)
    """further files that can be written, by their endings"""


def find(finding: Finding[T], files: tuple[Path, ...], how: How, result: ResultFile) -> None:
    """Read files or a club's book, find, write the book of it, and tell."""
    from elo_xl.club.exporting import book_of

    club = book_of(files[0]) if len(files) == 1 else None
    paths = [] if club is not None else some_paths(files)
    result.check(files if club is not None else [path for _, path in paths], finding.files)

    def tell(answer: T) -> None:
        others = {ending: partial(made, answer) for ending, made in finding.files.items()}
        result.write(lambda: finding.book(answer), others)
        if result.as_json:
            print_json(finding.as_json(answer))
            return
        finding.show(console(), answer)
        result.tell()

    if club is not None:
        if how != How():
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
        warn(f"{plural(penalties, 'game')} with a penalty left out: the result is not told")


def with_notes(
    compute: Callable[..., Computed], notes: Sequence[Problem], *columns: object, **options: object
) -> Computed:
    """What is computed from games; where these are too few, the error says what was left out."""
    try:
        return compute(*columns, **options)
    except DomainError as wrong:
        raise DomainError("; ".join(map(str, (wrong, *notes)))) from None


def interval(estimate: Estimate | None) -> dict[str, float | None] | None:
    """An estimate for JSON, in which there is nothing infinite."""
    if estimate is None:
        return None
    numbers = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    return {key: finite(x) for key, x in numbers.items()}
