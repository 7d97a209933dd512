"""Books for a page: without values, and so short that every size in every language fits into it.

The rows of a table are one text with gaps, and so is a book in another size or language, apart
from a few pieces. A part is therefore written as runs of rows; a row as pieces, which are kept once
for all books; what stands in their gaps are numbers. ``fill.js`` writes the parts again, byte by
byte.

A run is ``*``, how often it is there, and a line for each of its pieces: the piece's number in base
36, and after a space what stands in its gaps: ``17``; ``17/2`` for one that grows by 2 from row to
row; ``r`` or ``r-1`` for the row's own number, which is the first of its numbers, or the one above.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, islice, pairwise, takewhile
from typing import Any, Final

GAP: Final = "\ue000"
"""Stands for a number in a piece: no text of a book has this sign."""
NEAR: Final = 2
"""So far from the row's number a number counts as one that moves with it."""

Run = tuple[int, list[tuple[str, str]]]
"""How often a row is there, and its pieces with what stands in their gaps."""

_NUMBER: Final = re.compile(r"(?<![\d.])(?:0|[1-9]\d{0,8})(?!\d)")
_ROWS: Final = re.compile("(?<=</row>)|(?<=<sheetData>)")
_PIECES: Final = re.compile(r"(?=<(?:[acr]|[a-zA-Z]{2,})\b)")


def runs(text: str) -> list[Run]:
    r"""A part of a book in runs.

    >>> runs('<row r="4"><c r="A4"><f>B4+$C$1</f></c></row><row r="5"><c r="A5"><f>B5+$C$1</f></c></row>')
    [(2, [('', ''), ('<row r="\ue000">', '4/1'), ('<c r="A\ue000"><f>B\ue000+$C$\ue000</f></c></row>', 'r,r,1')]), (1, [('', '')])]

    Raises ValueError if it has the sign that stands for a number.
    """  # noqa: E501
    if GAP in text:
        raise ValueError(f"a book has the sign {GAP!r}")
    found = []
    for skeleton, alike in groupby(_ROWS.split(text), key=lambda row: _NUMBER.sub(GAP, row)):
        rows = [[int(number) for number in _NUMBER.findall(row)] for row in alike]
        apart = [[b - a for a, b in zip(*two, strict=True)] for two in pairwise(rows)]
        at = 0
        while at < len(rows):
            steps = apart[at] if at < len(apart) else [0] * len(rows[at])
            count = 1 + sum(1 for _ in takewhile(steps.__eq__, islice(apart, at, None)))
            first, at = rows[at], at + count
            gaps = iter(_gaps(first, steps if count > 1 else [0] * len(first), skeleton))
            pieces = _PIECES.split(skeleton)
            found.append(
                (count, [(p, ",".join(next(gaps) for _ in range(p.count(GAP)))) for p in pieces])
            )
    return found


def _gaps(first: list[int], steps: list[int], skeleton: str) -> Iterator[str]:
    is_row = skeleton.startswith("<row ")
    for at, (number, step) in enumerate(zip(first, steps, strict=True)):
        if at and is_row and step == steps[0] and abs(near := number - first[0]) <= NEAR:
            yield f"r{near or ''}"
        else:
            yield f"{number}/{step}" if step else str(number)


class Packer:
    """What is packed: the pieces, and each document as a text of their numbers."""

    def __init__(self) -> None:
        self._pieces: dict[str, int] = {}

    def text(self, document: Iterable[Run]) -> str:
        """A document, with the numbers of its pieces."""
        return "".join(
            f"*{count}\n" + "\n".join(f"{self._number(p)} {gaps}".rstrip() for p, gaps in pieces)
            for count, pieces in document
        )

    def _number(self, piece: str) -> str:
        number, digits = self._pieces.setdefault(piece, len(self._pieces)), ""
        while number or not digits:
            number, digit = divmod(number, 36)
            digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
        return digits

    def together(self, books: Iterable[Mapping[str, list[Run]]]) -> str:
        """Books that are much alike, packed, the texts of a part side by side: null where a book
        has no such part, and the number of the book that has the same text already."""
        parts: dict[str, list[str | int | None]] = {}
        for at, book in enumerate(books):
            for name, document in book.items():
                texts, text = parts.setdefault(name, []), self.text(document)
                texts += [None] * (at - len(texts))
                texts.append(texts.index(text) if text in texts else text)
        return packed(parts)

    def pieces(self) -> str:
        """All pieces, packed."""
        return packed(list(self._pieces))


def packed(data: Any) -> str:
    """Data as a browser unpacks it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return base64.b64encode(packer.compress(text) + packer.flush()).decode()
