"""What sheets for the wall share: what their header says, and columns that are blank where nobody
has an entry.

A sheet for the wall has the word ``wall``. Below its title stand club, place, date and arbiter, as
typed on the first sheet. Behind a name stand the federation, the club and the categories, where
anybody has an entry; no birth year and no number at FIDE.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from elo_xl.books.book import Book
from elo_xl.books.front import SEPARATOR, Setting

CLUB: Final = Setting("Club", "organizer", wall=True)
PLACE: Final = Setting("Place", "place", wall=True)
DATES: Final = Setting("Dates", "dates", number_format="date", wall=True)
ARBITER: Final = Setting("Arbiter", "arbiter", wall=True)
START: Final = Setting("Round_start", "round_start", number_format="@")
START_SAID: Final = 'IF(Round_start = "", "", ", " & Round_start)'
"""When a round begins, as a list of pairings says it."""
WALL_SETTINGS: Final = (CLUB, PLACE, DATES, ARBITER)

_PEOPLE: Final = """
sheet steps hidden
    table {people} rows:size
        no          0 quiet     = row_number
        name        left        = IF(OR({players}[@name] = "", {players}[@title] = ""),
                                     {players}[@name], {players}[@title] & " " & {players}[@name])
"""


def people(book: Book, players: str = "Players", people: str = "People") -> None:
    """Write on *Steps* how sheets for the wall show the players of a table: titles before names."""
    book.read(_PEOPLE, "people", players=players, people=people)


FROM_WHERE: Final = ("federation",), ("club", "category")
"""What columns say of where a player is from."""


def from_where(book: Book, who: str = "who", columns: Iterable[Sequence[str]] = FROM_WHERE) -> str:
    """The lines of the columns that tell from where a player of a sheet's table is.

    A column joins some of what is typed of a player. In the table ``name`` is what it shows of
    one, and the column ``who`` the player's number. A column in which nobody has an entry has no
    heading.
    """
    lines = []
    for parts in columns:
        heading = "_".join((*parts, "heading"))
        book.names[heading] = _joined((f"t.column_{p}", f"Players[{p}]") for p in parts)
        entries = _joined(2 * (f"INDEX(Players[{p}], {who})",) for p in parts)
        width = f" {7 * len(parts)}" if parts[0] == "federation" else ""
        lines.append(f'{parts[0]} left{width} optional:{heading} = IF(name = "", "", {entries})')
    return "\n".join(lines)


def _joined(parts: Iterable[tuple[str, str]]) -> str:
    """The formula of texts with a dot between them, each if anything stands in cells."""
    each = (
        f'IF(SUMPRODUCT(--({cells} <> "")) = 0, "", "{SEPARATOR}" & {text})'
        for text, cells in parts
    )
    return f"MID({' & '.join(each)}, {len(SEPARATOR) + 1}, 500)"
