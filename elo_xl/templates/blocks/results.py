"""The sheet *Signs*: every sign that may be typed, what it means and what it counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from elo_xl.books.book import Book, Constant
from elo_xl.engine.results import ROUND_CODES, read_codes

PAIRED: Final = ("1", "½", "0", "+", "-", "--")
"""The signs at the top of the list: those for a game of two players."""

ALSO: Final = (
    *("=", "0.5", "0,5", "1/2", "1-0", "½-½", "1/2-1/2"),
    *("0-1", "1:0", "½:½", "0:1", "+:-", "-:+"),
)

UNRATED: Final = {"(1)": ("W", "L"), "(½)": ("D", "D"), "(0)": ("L", "W")}
"""Games of less than one move, which a tournament report file tells from others: points, but no
rating."""

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
    "W": "short_win",
    "D": "short_draw",
    "L": "short_loss",
}

_SHEET: Final = """
sheet signs upright stretch:meaning tab:help
    note about_signs
    table Signs rows:signs
        number      0 text:no name:Result_numbers       = row_number
        sign        @ center strong name:Result_signs
        meaning     left
        points      0.0 name:Result_points
        mirror      @ center name:Result_mirror
        others      0.0 name:Result_others
        rated       0 name:Result_rated
"""


def results(book: Book, signs: Sequence[str] = PAIRED + ALSO) -> None:
    """Write the sheet; other formulas read its columns by their names."""
    rows = [_sign(book, text) for text in signs]
    book.read(_SHEET, "signs", data={"Signs": rows}, signs=len(rows))


def _sign(book: Book, text: str) -> dict[str, Constant]:
    """What a sign counts, as :mod:`elo_xl.engine.results` reads it."""
    first, second = UNRATED[text] if text in UNRATED else read_codes(text)
    one, two = ROUND_CODES[first], ROUND_CODES[second]
    mirror = "--" if first == second == "-" else _SIGNS.get(second, second)
    kind = "forfeit_both" if mirror == "--" else _MEANINGS[first]
    return {
        "sign": text,
        "meaning": book.say(f"sign_{kind}"),
        "points": one.points,
        "mirror": mirror,
        "others": two.points,
        "rated": int(one.rated),
    }
