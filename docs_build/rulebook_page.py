"""The pages of the rulebooks: one with all of them, and one a rulebook, made from its clauses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from docs_build.markdown import page, table
from elo_xl.engine.rulebooks import EDITIONS, RULEBOOKS, Rulebook, rulebook

_INTRODUCTION: Final = """\
The argument `rules` names one of these, in every function that has it, in `elo-xl rate --rules` and
in the ready-made workbooks. `"fide"` is always FIDE's newest edition, at present `"{newest}"`: name
a dated one in a workbook that must stay as it is. `elo-xl rate` takes the edition in force on the
first day of the event."""

_SUBJECTS: Final = {
    "rated_games": "games that count",
    "difference": "difference",
    "expected": "expected score",
    "change": "change",
    "k": "K",
    "first": "first rating",
    "performance": "performance",
}


def texts() -> Mapping[str, str]:
    """The pages by the names of their files."""
    books = {book.name: book for book in RULEBOOKS.values()}
    made = {f"rulebooks/{name}.md": _page(book) for name, book in books.items()}
    return {"rulebooks.md": _list(books), **made}


def _list(books: Mapping[str, Rulebook]) -> str:
    rows = [
        [f"[`{name}`](rulebooks/{name}.md)", str(book.since or "–"), book.title.en]
        for name, book in books.items()
    ]
    return page(
        "# Rulebooks",
        _INTRODUCTION.format(newest=rulebook("fide").name),
        table(["rulebook", "from", "rules"], rows),
        "```{toctree}\n:hidden:\n:glob:\n\nrulebooks/*\n```",
    )


def _page(book: Rulebook) -> str:
    blocks = [f"# {book.name}", f"{book.title.en}.{_until(book)}", table(["", ""], _clauses(book))]
    if book.uncertain is not None:
        blocks.append(f"**Uncertain.** {book.uncertain.en}")
    return page(*blocks, "[All rulebooks](../rulebooks.md)")


def _clauses(book: Rulebook) -> Iterator[tuple[str, str]]:
    for subject, sentence in book.sentences("en"):
        yield _SUBJECTS[subject], sentence.replace("|", "\\|")
    yield "source", book.source.en


def _until(book: Rulebook) -> str:
    if book not in EDITIONS or book.since is None:
        return ""
    later = [e.since for e in EDITIONS if e.since and e.since > book.since]
    end = f" to the start of the next one, {min(later)}" if later else ", the newest one known here"
    return f" For events that begin from {book.since}{end}."
