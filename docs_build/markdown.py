"""Pieces of Markdown that read the same on a code host and in the site."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Sequence


def page(*blocks: str) -> str:
    """Blocks one below another; empty ones leave no trace."""
    return "\n\n".join(block for block in blocks if block) + "\n"


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table.

    >>> print(table(["a", "b"], [["1", "x|y"]]))
    | a | b |
    |---|---|
    | 1 | x\\|y |
    """
    lines = [headings, *rows]
    text = ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
    return "\n".join([text[0], "|" + "---|" * len(headings), *text[1:]])


def code(text: str, language: str = "text") -> str:
    return f"```{language}\n{text}\n```"


def slug(heading: str) -> str:
    """The anchor of a heading.

    >>> slug("A larger one, with your entries")
    'a-larger-one-with-your-entries'
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def folded(summary: str, *blocks: str) -> str:
    """What only some readers want, behind a line to click."""
    inside = page(*blocks).strip()
    return f"<details>\n<summary>{summary}</summary>\n\n{inside}\n\n</details>"


_ROLE = re.compile(r":\w+:`~?\.?([^`]+)`")
_RULE = re.compile(r"=+(?: +=+)*")


def from_docstring(text: str) -> str:
    """A docstring of this project (paragraphs, lists, simple tables, formulas) as Markdown.

    >>> print(from_docstring("See :mod:`.trf`.\\n\\n== ===\\na  one\\n   two\\n== ==="))
    See `trf`.
    <BLANKLINE>
    |  |  |
    |---|---|
    | a | one two |
    """
    return "\n\n".join(map(_block, re.split(r"\n\n+", inspect.cleandoc(text))))


def _block(text: str) -> str:
    lines = text.splitlines()
    if text.startswith(">>> "):
        return code(f"{text}\n", "python")  # doctest reads results up to a blank line
    if lines and _RULE.fullmatch(lines[0]):
        return _inline(table(*simple_table(lines)))
    if text and all(line.startswith("    ") for line in lines):
        return code(inspect.cleandoc(f"\n{text}"))
    return _inline(text)


def _inline(text: str) -> str:
    return _ROLE.sub(r"`\1`", text).replace("``", "`")


def simple_table(lines: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """The headings, blank if there are none, and the rows of a simple table.

    Columns stand where the rule has them; a line without a first cell goes on with the last.
    """
    starts = [found.start() for found in re.finditer("=+", lines[0])]
    spans = list(zip(starts, [*starts[1:], None], strict=True))
    rows: list[list[str]] = []
    rules: list[int] = []
    for line in lines:
        cells = [line[slice(*span)].strip() for span in spans]
        if _RULE.fullmatch(line):
            rules.append(len(rows))
        elif cells[0] or not rows:
            rows.append(cells)
        else:
            rows[-1] = [f"{a} {b}".strip() for a, b in zip(rows[-1], cells, strict=True)]
    has_heading = len(rules) == 3
    headings = rows.pop(0) if has_heading else [""] * len(spans)
    return headings, rows
