"""The pages of the rulebooks: one with all of them, and one a rulebook, made from its clauses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import takewhile
from textwrap import dedent
from typing import Final

from docs_build.markdown import page, table
from elo_xl.engine.rulebooks import EDITIONS, RULEBOOKS, Rulebook, own, rulebook

_INTRODUCTION: Final = """\
The argument `rules` of functions and of `elo-xl rate --rules` names one of these. The ready-made
workbooks take FIDE's editions, a plain model, or a rulebook of your own, because cells can compute
their clauses. (ELO_EXCHANGE has its own rules.) `"fide"` is always FIDE's newest edition, at
present `"{newest}"`: name a dated one in a workbook that must not change. `elo-xl rate` takes the
edition in force on the first day of the event."""

_OWN: Final = """\
## A rulebook of your own

If your club has its own rules, write them into a text file whose name ends in `.toml`:

```toml
{file}
```

`model` is `"normal"` (if left out), `"logistic"` or `"fide"` (table 8.1.2). A line of `[[k]]` may
name `games_below`, `age_to`, `rating_from`, `rating_below`, `peak_from` and `peak_below`; the first
line of which everything holds decides, and the last one has no condition. `[first]` takes `games`,
`floor` and `zero_counts`, with the method `"hypothetical draws"` also `draws`, `against` and
`most`, with `"half points"` also `per_half_point`. `performance` chooses the method of
performance ratings: `"fide"`, `"linear"` or the curve of the model, as in ELO_PERFORMANCE. An error
names the place of an entry that is unknown or out of bounds.

On the command line, give the path of the file instead of a rulebook's name: `elo-xl rate --rules
./club.toml`, `elo-xl new swiss --rules ./club.toml`. In Python give a `Path`:
`rules=Path("club.toml")`.

A cell, a workbook, a `.book` file and a club's book give only the name, as in
`=ELO_K(B2,C2,,,,"club")`, because a workbook from elsewhere must not choose which files are opened.
The file must then be in your folder of rulebooks: the one that the environment variable
`ELO_XL_RULEBOOKS` names, otherwise `elo-xl/rulebooks` in `%LOCALAPPDATA%` (Windows),
`~/Library/Application Support` (macOS) or `~/.local/share` (Linux). Everybody who opens such a
workbook with the add-in needs the file there. Named functions (LAMBDA) cannot read files; workbooks
with formulas of built-in functions have the numbers of the file."""

WHOLE_EVENT: Final = (
    "ELO_CHANGE, ELO_UPDATE and ELO_EXPLAIN, in Python `change`, `new_rating` and `explain`, rate "
    "one player; ELO_PERIOD, `rate_period` and `elo-xl rate` a whole event."
)
_SUBJECTS: Final = {
    "rated_games": "games that count",
    "difference": "difference",
    "expected": "expected score",
    "change": "change",
    "k": "K",
    "first": "first rating",
    "performance": "performance",
}


def pages() -> Mapping[str, Callable[[], str]]:
    """What makes the pages, by the names of their files."""
    books = {book.name: book for book in RULEBOOKS.values()}
    made = {f"rulebooks/{name}.md": partial(_page, book) for name, book in books.items()}
    return {"rulebooks.md": partial(_list, books), **made}


def _list(books: Mapping[str, Rulebook]) -> str:
    rows = [
        [f"[`{name}`](rulebooks/{name}.md)", str(book.since or "–"), book.title.english]
        for name, book in books.items()
    ]
    return page(
        "# Rulebooks",
        _INTRODUCTION.format(newest=rulebook("fide").name),
        table(["rulebook", "from", "rules"], rows),
        _OWN.format(file=_example()),
        "```{toctree}\n:hidden:\n:glob:\n\nrulebooks/*\n```",
    )


def _example() -> str:
    """The file in the description of the module that reads it."""
    _, _, rest = (own.__doc__ or "").partition(".. code-block:: toml\n")
    return dedent(
        "\n".join(takewhile(lambda line: line[:1] in ("", " "), rest.splitlines()))
    ).strip()


def _page(book: Rulebook) -> str:
    blocks = [f"# {book.name}", f"{book.title.english}.{_until(book)}"]
    if book.change.alone:
        blocks.append(f"**One player or a whole event.** {book.change.alone} {WHOLE_EVENT}")
    blocks.append(table(["", ""], _clauses(book)))
    if book.uncertain is not None:
        blocks.append(f"**Uncertain.** {book.uncertain.english}")
    return page(*blocks, "[All rulebooks](../rulebooks.md)")


def _clauses(book: Rulebook) -> Iterator[tuple[str, str]]:
    for subject, sentence in book.sentences("en"):
        yield _SUBJECTS[subject], sentence.replace("|", "\\|")
    yield "source", book.source.english


def _until(book: Rulebook) -> str:
    if book not in EDITIONS or book.since is None:
        return ""
    later = [e.since for e in EDITIONS if e.since and e.since > book.since]
    end = f" to the start of the next one, {min(later)}" if later else ", the newest one known here"
    return f" For events that begin from {book.since}{end}."
