"""The sheet *Signs*: every sign that may be typed, what it means and what it counts."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Final

from elo_xl.books.book import Book, Constant
from elo_xl.books.styles import INDENT
from elo_xl.books.text import text_width
from elo_xl.books.typed import BEGIN, looked_up
from elo_xl.engine.results import (
    PENALTIES,
    ROUND_CODES,
    SPELLINGS,
    UNDECIDED,
    UNRATED,
    ResultError,
    normal,
    read_codes,
)

PAIRED: Final = ("1", "½", "0", "+", "-", "--")
"""The signs at the top of the list: those for a game of two players."""

BYES: Final = ("bye", "½ bye", "0 bye")
"""The signs of a line without an opponent; they stand at the end of a list."""

_SIGNS: Final = {"1": "1", "0": "0", "=": "½", "+": "+", "-": "-"} | {
    codes[0]: sign for sign, codes in UNRATED.items()
}

_MEANINGS: Final = {
    "1": "win",
    "=": "draw",
    "0": "loss",
    "+": "forfeit_win",
    "-": "forfeit_loss",
    "U": "bye",
    "H": "half_bye",
    "Z": "zero_bye",
    "W": "short_win",
    "D": "short_draw",
    "L": "short_loss",
}
_OF_PENALTIES: Final = {"0-0": "both_lose", "½-0": "black_loses", "0-½": "white_loses"}

_SHEET: Final = """
sheet signs {looks}
    notes about_signs
    table Signs rows:signs
        sign        @ center strong name:Result_signs
        meaning     left {wide}
        points      0.0 center name:Result_points
        # what the meaning says, too
        mirror      @ helper text:sign name:Result_mirror
        others      0.0 helper text:points name:Result_others
        rated       said helper name:Result_rated
        number      0 helper text:no name:Result_numbers = row_number

sheet spellings hidden
    note note_spellings
    table Spelled rows:spellings
        text        @ left 24 name:Spellings
        sign        @ center name:Spelling_signs
"""


def results(book: Book, signs: Sequence[str] = PAIRED) -> None:
    """Write the sheet, and the one of all notations; other formulas read them by their names.

    The name ``pair_signs`` is the number of signs for a game of two players.
    """
    book.names["pair_signs"] = sum(sign not in BYES for sign in signs)
    rows = [_sign(book, text) for text in signs]
    spelled = [
        {"text": BEGIN + looked_up(text), "sign": sign}
        for text in SPELLINGS
        if (sign := sign_of(text, signs)) is not None
    ]
    wide = max(text_width(str(row["meaning"])) for row in rows)
    book.read(
        _SHEET,
        "signs",
        Signs=rows,
        Spelled=spelled,
        signs=len(rows),
        # a page for three signs, which stand above the games, too, is one too many
        looks="wall stretch:meaning tab:help" if len(rows) > 3 else "hidden",
        # all of it is read, however long it is
        wide=ceil(1.05 * wide + INDENT),
        spellings=len(spelled),
    )


def sign_of(text: str, signs: Sequence[str]) -> str | None:
    """Which of a book's signs a result means; empty where it is open, None where the sheet asks.

    >>> sign_of("remis", PAIRED), sign_of("*", PAIRED), sign_of("bye", PAIRED)
    ('½', '', None)
    """
    text = normal(text)
    codes = SPELLINGS.get(text)
    if codes is None or text in UNDECIDED:
        return None
    if codes == read_codes("full-point bye"):
        codes = read_codes("bye")
    return next((sign for sign in ("", *signs) if read_codes(sign) == codes), None)


def check_sign(text: str, signs: Sequence[str]) -> None:
    """Refuse a result that a book's sheet marks, since nothing else may count it then.

    Raises ResultError, which says what may be typed.
    """
    if sign_of(text, signs) is None:
        what = (
            "does not say whose forfeit it is: type + for a win, - for a loss, -- if neither came"
            if normal(text) in UNDECIDED
            else f"is marked by the sheet: type {', '.join(signs[:-1])} or {signs[-1]}"
        )
        raise ResultError(f"{text!r} {what}")


def _sign(book: Book, text: str) -> dict[str, Constant]:
    """What a sign counts, as :mod:`elo_xl.engine.results` reads it."""
    first, second = read_codes(text)
    one, two = ROUND_CODES[first], ROUND_CODES[second]
    mirror = "--" if first == second == "-" else _SIGNS.get(second, second)
    if text in PENALTIES:
        mirror = "-".join(reversed(text.split("-")))
    kind = "forfeit_both" if mirror == "--" else _OF_PENALTIES.get(text) or _MEANINGS[first]
    return {
        "sign": text,
        "meaning": book.say(f"sign_{kind}"),
        "points": one.points,
        "mirror": mirror,
        "others": two.points,
        "rated": int(one.rated),
    }
