"""The page of the rulebooks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from docs_build.markdown import page, table
from elo_xl.engine.rulebooks import EDITIONS, RULEBOOKS, Rulebook, rulebook

_INTRODUCTION: Final = """\
The argument `rules` names one of these, in every function that has it, in `elo-xl rate --rules` and
in the ready-made workbooks. `"fide"` is always the newest edition, at present `"{newest}"`: name a
dated one in a workbook that must stay as it is. `elo-xl rate` takes the edition in force on the
first day of the event."""


def text() -> str:
    """The whole page."""
    books = {book.name: book for book in RULEBOOKS.values()}
    headings = ["rulebook", "from", "K: new, most, master", "difference counted", "first rating"]
    return page(
        "# Rulebooks",
        _INTRODUCTION.format(newest=rulebook("fide").name),
        table(headings, map(_row, books.values())),
        *(block for book in books.values() for block in _section(book)),
    )


def _row(book: Rulebook) -> list[str]:
    k = book.k
    return [
        f"[`{book.name}`](#{book.name})",
        str(book.since or "–"),
        f"{k.new}, {k.standard}, {k.master}",
        _largest(book),
        "performance" if book.first.method == "root" else book.first.method,
    ]


def _largest(book: Rulebook) -> str:
    if book.cap is None:
        return "any"
    return f"{book.cap}; from {book.uncapped_from} any" if book.uncapped_from else str(book.cap)


def _section(book: Rulebook) -> Iterator[str]:
    yield f"## {book.name}"
    yield f"{book.title}.{_until(book)}"
    yield table(["", ""], _facts(book))
    if book.uncertain:
        yield f"**Uncertain.** {book.uncertain}"


def _until(book: Rulebook) -> str:
    if book not in EDITIONS or book.since is None:
        return ""
    later = [e.since for e in EDITIONS if e.since and e.since > book.since]
    end = f" to the start of the next one, {min(later)}" if later else ", the newest one known here"
    return f" For events that begin from {book.since}{end}."


def _facts(book: Rulebook) -> Iterator[tuple[str, str]]:
    if book.model == "fide":
        yield "expected score", "table 8.1.2, in whole hundredths"
    else:
        yield "expected score", f'the curve `"{book.model}"`'
    yield "difference", _difference(book)
    if book.unrated_gap:
        yield (
            "games not rated",
            f"a difference of {book.unrated_gap} or more with a player above {book.unrated_above}",
        )
    yield "K", _k(book)
    yield (
        "change of a period",
        ("rounded to whole points, halves away from zero" if book.rounded else "not rounded"),
    )
    yield "first rating", _first(book)
    yield "performance", f'method `"{book.performance}"`'
    yield "source", book.source


def _difference(book: Rulebook) -> str:
    if book.cap is None:
        return "counted in full"
    if book.one_upgrade:
        return (
            f"cut at {book.cap}; for the higher rated player only in their game with the largest "
            "difference of an event"
        )
    full = f"; counted in full for players of {book.uncapped_from} and above"
    return f"cut at {book.cap}{full if book.uncapped_from else ''}"


def _k(book: Rulebook) -> str:
    k = book.k
    parts = [f"{k.master} for good once the rating has reached {k.master_from}"]
    if k.young_age is not None:
        year = "list year minus birth year"
        parts.append(f"{k.new} up to age {k.young_age} ({year}) below {k.young_below}")
    parts += [f"{k.new} before {k.new_games} games", f"otherwise {k.standard}"]
    limit = f"; K times games at most {k.most_points}" if k.most_points else ""
    return f"{', '.join(parts)}{limit}"


def _first(book: Rulebook) -> str:
    first = book.first
    if first.method == "root":
        return "the rating at which the expected total is the score"
    if first.method == "half points":
        rule = (
            f"the opponents' average plus {first.per_half_point:g} for each half point above half "
            "of the games, or plus table 8.1.1 for a lower score"
        )
    else:
        rule = (
            f"the average plus table 8.1.1, after {first.draws} draws against "
            f"{first.draws_against} are added"
        )
    most = f"; at most {first.most}" if first.most else ""
    zero = "" if first.zero_counts else "; an event without a point does not count"
    return f"{rule}{most}; from {first.games} games on, published from {first.floor}{zero}"
