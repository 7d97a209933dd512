"""Result files of the American Go Association, as texts: ``TOURNEY``, ``PLAYERS``, ``GAMES``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_SECTION: Final = re.compile(r"(TOURNEY|PLAYERS|GAMES|END)\b(.*)", re.IGNORECASE)
_START: Final = re.compile(r"\bstart\s*=\s*(\d+)/(\d+)/(\d{4})", re.IGNORECASE)
_PLAYER: Final = re.compile(r"(\d+)\s+(.*?)(?:\s+-?\d[\d.]*[dkp]?)?", re.IGNORECASE)
_HEADINGS: Final = [
    *("Round", "White", "White Id", "Black", "Black Id", "Result", "Handicap", "Komi", "Date")
]
_MEMBER: Final = re.compile(r"[^\t]+\t\d+\t[^\W\d]+\t-?\d{1,2}\.\d+(\t.*)?")


def members(cells: Sequence[str]) -> str:
    """What is said of a list of members, if this is a line of one; it has no headings.

    >>> members(["Alpha, Ann", "7", "Full", "3.40125", "5/1/2027"]).partition(":")[0]
    'it is a list of members of the American Go Association (tdlista)'
    >>> members(["Alpha, Ann", "7", "1875"])
    ''
    """
    if not _MEMBER.fullmatch("\t".join(cells)):
        return ""
    return (
        "it is a list of members of the American Go Association (tdlista): its ratings are grades, "
        "3.4 for 3 dan, and no points: give a table with the headings name, id and rating, and "
        "with ratings in points"
    )


def aga(text: str) -> list[tuple[int, list[str]]]:
    """The games of such a file, with headings; the grades of players are no ratings.

    >>> aga("TOURNEY Cup, Town\\n start=4/12/2026\\nPLAYERS\\n7 Alpha, Ann 2d\\n9 Beta, Bob -1.5\\n"
    ...     "GAMES 1\\n7 9 W 3 0.5\\nEND\\n")[-1]
    (7, ['1', 'Alpha, Ann', '7', 'Beta, Bob', '9', '1-0', '3', '0.5', '2026-04-12'])
    """
    names: dict[str, str] = {}
    rows: list[tuple[int, list[str]]] = []
    section, round, day = "", "", ""
    for number, line in enumerate(text.splitlines(), start=1):
        said = line.partition("#")[0].strip()
        if start := _START.search(said):
            month, of_month, year = map(int, start.groups())
            day = f"{year}-{month:02}-{of_month:02}"
        if match := _SECTION.fullmatch(said):
            section, about = match[1].upper(), match[2].strip()
            if section == "TOURNEY":
                rows.append((number, [about]))
            elif section == "GAMES" and len(rows) < 2:
                rows.append((number, _HEADINGS))
            round = about if about.isdigit() else ""
        elif section == "PLAYERS" and (player := _PLAYER.fullmatch(said)):
            names[player[1]] = player[2]
        elif section == "GAMES" and (cells := said.split()):
            white, black, won, stones, komi = (*cells, "", "", "", "", "")[:5]
            result = {"W": "1-0", "B": "0-1"}.get(won.upper(), won)
            sides = (names.get(white, ""), white, names.get(black, ""), black)
            rows.append((number, [round, *sides, result, stones, komi, day]))
    if not any(cells[0] for _, cells in rows[2:]):
        rows = [(number, cells[1:] if len(cells) > 1 else cells) for number, cells in rows]
    return rows
