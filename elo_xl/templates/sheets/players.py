"""What typed cells are: numbers, blanks, names."""

from __future__ import annotations

from typing import Any, Final

from elo_xl.templates.forms import (
    Form,
    quoted,
)

HIGHEST: Final = 4000
"""A rating is below this."""


def number(typed: Any) -> float | None:
    """What was typed, if it is a number."""
    good = isinstance(typed, int | float) and not isinstance(typed, bool)
    return float(typed) if good else None


def blank(typed: Any) -> bool:
    return typed is None or typed == ""


def times(names: str, cell: str) -> str:
    """Formula text: how often a name stands in a list; no COUNTIF, to which ``?`` and ``*`` match
    anything."""
    return f"SUMPRODUCT(--({names}={cell}))"


def number_of(cell: str) -> str:
    """Formula text: the number of the player whose name a cell holds, 0 for nobody; ``Player_ids``
    and ``Player_numbers`` are the names and numbers of those whom games find."""
    return f'IF({cell}="",0,SUMPRODUCT((Player_ids={cell})*Player_numbers))'


def spaced(name: Any) -> bool:
    """Whether a name has blanks that nobody sees: then a game does not find it."""
    words = str(name).split(" ")
    return "" in words


def spaced_text(form: Form, cell: str) -> str:
    """Formula text of what the column *Check* says of such a name."""
    return f'IF(LEN(TRIM({cell}))=LEN({cell}),"",{quoted(form.say("check_blanks"))})'
