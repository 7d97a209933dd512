"""What the macros EloClose and EloUndo of the add-in ask Python for, through xlwings' server.

xlwings' server loads this module by its name, as it does :mod:`elo_xl.hosts.xlwings_udfs`. Each
function works on the book from which it is called and gives two texts: ``done`` or ``refused``,
and what to tell the person who clicked. Anywhere else importing this module does nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import date
from types import ModuleType

from elo_xl.club import live
from elo_xl.club.closing import Closed, close_period
from elo_xl.club.ledger import Ledger
from elo_xl.engine.errors import EloError
from elo_xl.events.fields import read_date
from elo_xl.hosts.excel_addin.open_books import ExcelError, OpenBook

MOST_LINES, MOST_LETTERS = 18, 900
"""What a message box of VBA shows: 1,024 letters, and no more lines than fit a small screen."""


def elo_preview(day: str) -> list[list[str]]:
    """What closing the period as of a day would do."""
    return _told(lambda book: _shown(live.step(book, "", _closing(day), write=False)[0]))


def elo_close(day: str) -> list[list[str]]:
    """Close the period as of a day."""

    def close(book: OpenBook) -> str:
        closed, copy = live.step(book, f"close {_day(day)}", _closing(day))
        return f"Closed as of {closed.day}. Save the book to keep it. Before it was: {copy.name}"

    return _told(close)


def elo_undo() -> list[list[str]]:
    """Take the last step back."""

    def back(book: OpenBook) -> str:
        what, copy = live.undo(book)
        return f"Taken back: {what}. The entries are again those of {copy.name}"

    return _told(back)


def _closing(day: str) -> Callable[[Ledger], Closed]:
    return lambda ledger: close_period(ledger, _day(day))


def _day(text: str) -> date:
    day = read_date(str(text))
    if day is None:
        raise ValueError(f"{text!r} is no date: a date is like 2026-04-01")
    return day


def _told(work: Callable[[OpenBook], str]) -> list[list[str]]:
    try:
        done, text = "done", work(OpenBook.calling())
    except (ExcelError, EloError, OSError, ValueError) as wrong:
        done = "refused"
        text = str(wrong.strerror or wrong) if isinstance(wrong, OSError) else str(wrong)
    return [[done, _cut(text)]]


def _shown(closed: Closed) -> str:
    """The changes in lines that a message box shows."""
    lines = [f"List of {closed.day}: {'; '.join(event.name for event in closed.events)}"]
    lines += [f"Still open: {event.name} ({event.day})" for event in closed.waiting]
    for line in sorted(closed.lines, key=lambda one: (one.kind, -(one.new or 0), one.name)):
        if line.new is not None:
            old = "unrated" if line.old is None else f"{line.old:g}"
            lines.append(f"{line.name}, {line.kind}: {old}, now {line.new:g}")
    lines += [f"Assumed: {what}" for what in closed.assumed]
    return "\n".join(lines)


def _cut(text: str) -> str:
    """The first lines of a text.

    >>> _cut("\\n".join(str(n) for n in range(30))).splitlines()[-2:]
    ['16', '… and 13 more lines: elo-xl close --live --dry-run shows all']

    A message box shows 1023 letters at most.

    >>> len(_cut("x" * 5000))
    1000
    """
    lines = text.splitlines()
    kept = lines if len(lines) <= MOST_LINES else lines[: MOST_LINES - 1]
    while len(kept) > 1 and len("\n".join(kept)) > MOST_LETTERS:
        kept = kept[:-1]
    if more := len(lines) - len(kept):
        kept = [*kept, f"… and {more} more lines: elo-xl close --live --dry-run shows all"]
    return "\n".join(kept)[: MOST_LETTERS + 100]


def _bind(xlwings: ModuleType) -> None:
    """Put the macros' functions into this module, as functions of xlwings'."""
    for function in (elo_preview, elo_close, elo_undo):
        function.__annotations__ = {}  # xlwings takes a type hint for a conversion
        globals()[function.__name__] = xlwings.func(xlwings.ret("raw")(function))


_xlwings = sys.modules.get("xlwings")
if _xlwings is not None and getattr(_xlwings, "_xlwindows", None) is not None:
    _bind(_xlwings)
