"""Whom a name that is not on a list may mean: case, accents, the order of its parts, commas, points
and kinds of quotes make no difference, and its end may be missing."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from typing import Final

from elo_xl.books.book import Book
from elo_xl.books.statements import pieces

_MARKED: Final = "áàâäãåāăąéèêëēėęěíìîïīóòôöõőúùûüūůűýÿçćčďğñńňřśşșšťţțźżž"
_ALIKE: Final = {"o": "ø", "l": "ł", "d": "đ", "е": "ё", "": ".'’‘`´", " ": "-"}


def _folds() -> dict[str, str]:
    """The characters that count as another one, or as none."""
    alike = defaultdict(str, _ALIKE)
    for letter in _MARKED:
        alike[unicodedata.normalize("NFD", letter)[0]] += letter
    return dict(alike)


def _folded(alike: dict[str, str], text: str) -> str:
    for plain, letters in alike.items():
        for letter in letters:
            text = f'SUBSTITUTE({text}, "{letter}", "{plain}")'
    return text


FOLDS: Final = _folds()
_VOWELS: Final = {plain: letters for plain, letters in FOLDS.items() if plain in tuple("aeiou")}
_OTHERS: Final = {plain: letters for plain, letters in FOLDS.items() if plain not in _VOWELS}
# a formula holds 64 functions inside each other, hence two steps
PIECES: Final = pieces(
    f"""
folded_first(text) = {_folded(_VOWELS, "LOWER(text)")}
folded(text) = TRIM({_folded(_OTHERS, "text")})
without_comma(text) = TRIM(SUBSTITUTE(text, ",", " "))
# what stands behind a comma, or behind the first word, first
turned(text, sign) = TRIM(MID(text, FIND(sign, text) + 1, 99) & " "
    & LEFT(text, FIND(sign, text) - 1))
the_other_way(text) = IFERROR(turned(text, ","), IFERROR(turned(text, " "), text))
""",
    "near",
)

_KEYS: Final = """
sheet steps hidden
    table {names}_keys rows:{names}.rows
        first   left 16 text:folded     = folded_first({names}[@name])
        whole   left 16 text:folded     = folded(first)
        plain   left 16 text:folded     = without_comma(whole)
        turned  left 16 text:folded     = the_other_way(whole)
"""

_NEAR: Final = """
sheet steps hidden
    table {table}_near rows:{table}.rows
        {column}_first  left 16 text:folded = IF(OR({table}[@{column}] = "",
            {table}[@{column}] = WRONG, times({names}[name], {table}[@{column}]) > 0), "",
            folded_first({table}[@{column}]))
        {column}_whole  left 16 text:folded = folded({column}_first)
        {column}        left 16 text:near   = IF({column}_whole = "", "", IFERROR(
            INDEX({names}[name], IFERROR(there({names}_keys[plain], without_comma({column}_whole)),
            IFERROR(there({names}_keys[turned], without_comma({column}_whole)),
            IFERROR(there({names}_keys[plain], the_other_way({column}_whole)),
            begun(without_comma({column}_whole)))))), ""))
    pieces
        there(keys, text) = MATCH(escaped(text), keys, 0)
        begun(text)       = MATCH(IF(LEN(text) < 4, WRONG, escaped(text) & "*"),
            {names}_keys[plain], 0)
"""


def near(book: Book, *, table: str, columns: str, names: str = "Players") -> None:
    """Write on *Steps* whom the unknown names in some ``columns`` of a table may mean.

    The column of the same key in the table ``Games_near`` has a name of the list ``names``, or
    nothing.
    """
    book.pieces |= PIECES
    if f"{names}_keys" not in book.tables:
        book.read(_KEYS, "near", names=names)
    book.read(_NEAR, "near", table=table, column=columns.split(","), names=names)
