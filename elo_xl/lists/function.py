"""What a rating list says of a player: a lookup in the lists that were imported."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np

from elo_xl.engine.arrays import AnyArray
from elo_xl.engine.errors import EloError
from elo_xl.functions.arguments import Anything, Option
from elo_xl.functions.catalogue import Native, function
from elo_xl.functions.cells import BLANK, ERRORS, OK, VALUE

FIELDS: Final = {
    "rating": "rating",
    "rapid": "rapid",
    "blitz": "blitz",
    "k": "k",
    "rapid k": "rapid_k",
    "blitz k": "blitz_k",
    "games": "games",
    "name": "name",
    "federation": "federation",
    "title": "title",
    "birth year": "birth",
    "sex": "sex",
}

_NAME: Final = re.compile(r"[a-z0-9_-]+")


@dataclass(frozen=True)
class PlayerNumber(Anything):
    """A player's number in a list: a number, or a text where federations use letters."""

    def read(self, cell: object) -> tuple[object, int]:
        value, status = super().read(cell)
        if status == OK and not isinstance(value, str):
            number = float(value)
            value = f"{number:.0f}" if number.is_integer() else "?"  # nobody has such a number
        return value, status


@dataclass(frozen=True)
class ListName(Option):
    """The name of a list, with or without its month."""

    @property
    def takes(self) -> str:
        return "the name of a list"

    def read(self, cell: object) -> tuple[object, int]:
        if not isinstance(cell, str):
            return super().read(cell)
        text = cell.strip()
        if not text:
            return None, BLANK
        fits = _NAME.fullmatch(text.lower()) is not None
        return text.lower(), OK if fits else ERRORS.get(text, VALUE)


@function(
    "ELO_LIST",
    "What a rating list says of a player: rating, K, name and more, by the player's number.",
    PlayerNumber("id", "The player's number in the list, such as a FIDE number."),
    Option(
        "field",
        "What to look up: rating, rapid, blitz, k, rapid k, blitz k, games, name, federation, "
        "title, birth year, sex; rating if omitted.",
        default="rating",
        choices=tuple(FIELDS),
    ),
    ListName(
        "list",
        'The list, such as "fide" (the newest month) or "fide-2026-10"; the newest one of FIDE if '
        'omitted. "example" is a list of invented players.',
        default=None,
    ),
    family="Rating lists",
    source="the lists of federations, imported with elo-xl list import",
    examples=[
        ((99000001, "rating", "example"), 2105),
        (([[99000001], [99000002], [99000003]], "name", "example"),
         [["Ferrer, Ana"], ["Okafor, Ngozi"], ["Lindqvist, Alva"]]),
        ((99000003, "birth year", "example"), 2012),
    ],
    native=Native(reason="A formula cannot read the files of lists."),
)  # fmt: skip
def rating_list(ids: AnyArray, field: str, name: str | None) -> object:
    """The entry of the player in the list, which ``elo-xl list import`` has read from the file that
    the federation publishes. A column of numbers is looked up at once. An unrated player has an
    empty rating; #N/A stands for a number that is not in the list, and for a list that is not here.
    """
    values = np.empty(len(ids), dtype=object)
    try:
        from elo_xl.lists import store

        entries = store.by_ids(store.choose(name), [str(number) for number in ids])
    except (EloError, OSError, ImportError):  # browsers have neither files nor SQLite
        values[:] = "#N/A"
        return values
    for i, number in enumerate(ids):
        entry = entries.get(str(number))
        value = "#N/A" if entry is None else getattr(entry, FIELDS[field])
        values[i] = "" if value is None else value if isinstance(value, str) else float(value)
    return values
