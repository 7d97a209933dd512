"""What sheets for the wall share: what their header says, and columns that are blank where nobody
has an entry.

A sheet for the wall has the word ``wall``. Below its title stand club, place, date and arbiter, as
typed on the first sheet. At the right of its table, up to :data:`MOST_SLOTS` columns show those of
:data:`FIELDS` that anybody has an entry in; the others are neither seen nor printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from elo_xl.books.book import Book
from elo_xl.books.front import Setting
from elo_xl.books.names import by_row

CLUB: Final = Setting("Club", "organizer")
PLACE: Final = Setting("Place", "place")
DATES: Final = Setting("Dates", "dates", number_format="date")
ARBITER: Final = Setting("Arbiter", "arbiter")
WALL_SETTINGS: Final = (CLUB, PLACE, DATES, ARBITER)

SEPARATOR: Final = " · "

FIELDS: Final = {
    "federation": "{players}[@federation]",
    "fide_id": "{players}[@fide_id]",
    "club": "{players}[@club]",
    "category": "{players}[@category]",
}
"""What a sheet for the wall may show of a player, in this order, as formulas; no birth years, which
books need for K only."""

MOST_SLOTS: Final = 4

_PEOPLE: Final = """
sheet steps hidden
    table {people} rows:size
        no          0 quiet     = row_number
        name        left        = IF(OR({players}[@name] = "", {players}[@title] = ""),
                                     {players}[@name], {players}[@title] & " " & {players}[@name])
        {fields}
"""

_SLOTS: Final = """
sheet steps hidden
    table {slots} rows:number
        no          0 quiet             = row_number
        name        left                = {headings}
        field       0 text:no           = {numbers}
        used        0 text:no           = IF({filled}, 1, 0)
        slot        0 text:no           = IF(used = 1, SUM(upto[used]), 0)
        # the field that the column of this number shows
        shows       0 text:no           = IFERROR(
            INDEX({slots}[field], MATCH(no, {slots}[slot], 0)), "")
"""


def header(book: Book, shown: Sequence[Setting] = WALL_SETTINGS) -> None:
    """Let sheets for the wall show settings of the first sheet, which the book has, in a line.

    Formulas then have the piece ``day_said(day)``, a day in words.
    """
    months = ", ".join(f'"{month}"' for month in book.say("months").split())
    first = book.say("first_day")
    number = "DAY(day)" if first == "1" else f'IF(DAY(day) = 1, "{first}", DAY(day))'
    said = book.say(
        "day_said",
        day=f'" & {number} & "',
        month=f'" & CHOOSE(MONTH(day), {months}) & "',
        year='" & YEAR(day) & "',
    )
    # a smaller number is a year alone
    book.read(f'pieces\n    day_said(day) = IF(N(day) < 9999, day, "{said}")')
    parts = {
        setting.name: f'IF({setting.name} = "", "", "{SEPARATOR}" & {setting.name})'
        for setting in shown
    }
    if DATES.name in parts:
        parts[DATES.name] = f'IF(Dates = "", "", "{SEPARATOR}" & day_said(Dates))'
    if ARBITER.name in parts:
        parts[ARBITER.name] = (
            f'IF(Arbiter = "", "", "{SEPARATOR}" & t.wall_arbiter & " " & Arbiter)'
        )
    book.names["wall_line"] = f"MID({' & '.join(parts.values())}, {len(SEPARATOR) + 1}, 500)"


def people(book: Book, players: str = "Players", people: str = "People") -> None:
    """Write on *Steps* how sheets for the wall show the players of a table: titles before names."""
    fields = (f"{key} left = {formula}" for key, formula in FIELDS.items())
    lines = ("\n" + 8 * " ").join(fields).replace("{players}", players)
    book.read(_PEOPLE.replace("{fields}", lines), "people", players=players, people=people)


def slots(
    book: Book,
    key: str,
    fields: Sequence[str] = tuple(FIELDS),
    people: str = "People",
    who: str = "who",
) -> str:
    """The lines of the columns at the right of a sheet's table, for ``key`` of the sheet.

    In the table ``name`` is what it shows of a player, and the column ``who`` the player's number.
    """
    table, order = f"Slots_{key}", list(FIELDS)
    book.read(
        _SLOTS,
        "slots",
        slots=table,
        number=len(fields),
        headings=by_row([f"t.column_{field}" for field in fields]),
        numbers=by_row([str(order.index(field) + 1) for field in fields]),
        filled=by_row([f'SUMPRODUCT(--({people}[{field}] <> "")) > 0' for field in fields]),
    )
    lines = []
    for slot in range(1, min(len(fields), MOST_SLOTS) + 1):
        position = f"MATCH({slot}, {table}[slot], 0)"
        heading = f'IFERROR(INDEX({table}[name],{position.replace(" ", "")}),"")'
        lines.append(
            f'slot{slot} left 12 optional:{heading} = IF(name = "", "", '
            f"IFERROR(INDEX({people}[{order[0]}:{order[-1]}], {who}, "
            f'cell({table}, "shows", {slot})), ""))'
        )
    return ("\n" + 8 * " ").join(lines)
