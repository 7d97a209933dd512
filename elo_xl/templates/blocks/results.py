"""The sheet *Signs*: every sign that may be typed, what it means and what it counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from elo_xl.books.book import Book, Constant
from elo_xl.books.typed import BEGIN, normal
from elo_xl.engine.results import ROUND_CODES, ResultError, read_codes, spellings

PAIRED: Final = ("1", "½", "0", "+", "-", "--")
"""The signs at the top of the list: those for a game of two players."""

BYES: Final = ("bye", "½ bye", "0 bye")
"""The signs of a line without an opponent; they stand at the end of a list."""

OPEN: Final = ("*", "unplayed", "notplayed")
"""What stands for a result that is still missing."""

UNRATED: Final = {"(1)": ("W", "L"), "(½)": ("D", "D"), "(0)": ("L", "W")}
"""Games of less than one move, which a tournament report file tells from others: points, but no
rating."""

PENALTIES: Final = {"0-0": ("0", "0"), "½-0": ("=", "0"), "0-½": ("0", "=")}
"""Games whose result the arbiter lowered for one player or both (Laws of Chess, 12.9)."""

_CODES: Final = UNRATED | PENALTIES

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
    spelled = [{"text": BEGIN + text, "sign": sign} for text, sign in _spellings(signs).items()]
    book.read(
        _SHEET,
        "signs",
        data={"Signs": rows, "Spelled": spelled},
        signs=len(rows),
        spellings=len(spelled),
    )


def _spellings(signs: Sequence[str]) -> dict[str, str]:
    """The sign that a notation means, for all that are understood, in the form of a search."""
    by_codes = {_CODES.get(sign) or read_codes(sign): sign for sign in reversed(signs)}
    if "bye" in signs:
        by_codes[read_codes("full-point bye")] = "bye"
    found = {"": ""} | {normal(sign): sign for sign in signs}
    for text in spellings():
        codes = read_codes(text)
        sign = "" if text in OPEN else by_codes.get(codes)
        if text and sign is not None:
            found.setdefault(normal(text), sign)
            if codes == _codes(text.replace("-", ":")):
                found.setdefault(normal(text.replace("-", ":")), sign)
    return found


def _codes(text: str) -> tuple[str, str] | None:
    try:
        return read_codes(text)
    except ResultError:
        return None


def _sign(book: Book, text: str) -> dict[str, Constant]:
    """What a sign counts, as :mod:`elo_xl.engine.results` reads it."""
    first, second = _CODES.get(text) or read_codes(text)
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
