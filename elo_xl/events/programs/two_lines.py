"""Crosstables of US Chess' pages, copied as text: two lines a player, bars between the cells."""

from __future__ import annotations

import re
from typing import Final

_PERSON: Final = re.compile(r"\s*+([0-9]{7,8})?\s*+/\s*+R:\s*+(\S+?)\s*+->", re.IGNORECASE)


def two_lines(text: str) -> list[tuple[int, list[str]]]:
    """The rows of such a crosstable, with headings; none if it has no lines.

    >>> page = '''Pair | Player Name         |Total|Round|
    ... Num  | USCF ID / Rtg (Pre->Post) | Pts |  1  |
    ...    1 | ALPHA A                   |1.0  |W   2|
    ...   OH | 15445895 / R: 1450P12->1510 |N:2 |B   |'''
    >>> two_lines(page)[1]
    (3, ['1', 'ALPHA A', '15445895', '1450P12', '1.0', 'W 2 B'])
    """
    lines = [
        (number, [" ".join(cell.split()) for cell in line.strip().strip("|").split("|")])
        for number, line in enumerate(text.splitlines(), start=1)
        if line.count("|") > 2
    ]
    pairs = [(number, first, second) for (number, first), (_, second) in
             zip(lines[::2], lines[1::2], strict=False)]  # fmt: skip
    if not pairs:
        return []
    rounds = [f"Round {n}" for n in range(1, len(pairs[0][1]) - 2)]
    rows = [(pairs[0][0], ["No", "Name", "Id", "Rating", "Points", *rounds])]
    for number, first, second in pairs[1:]:
        person = _PERSON.match(second[1]) if len(second) > 1 else None
        colours = [*second[3:], *[""] * len(first)]
        # alone, a letter is what other pages write as H---
        cells = [
            f"{cell}---" if cell.isalpha() else f"{cell} {colour}".strip()
            for cell, colour in zip(first[3:], colours, strict=False)
        ]
        about = (person[1] or "", person[2]) if person else ("", "")
        rows.append((number, [*first[:2], *about, *first[2:3], *cells]))
    return rows
