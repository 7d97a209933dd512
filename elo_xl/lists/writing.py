"""Lists of players for other programs: Swiss-Manager's own, and the layout of FIDE's rating list.

===================== ===========================================================================
``swiss-manager.txt`` the players of a tournament, as Swiss-Manager exports and imports them
                      (*Spielerdaten (Text-File)*): semicolons, UTF-8, headings in German
``swiss-manager.csv`` a national rating list, from which players are chosen: the headings ID_No,
``.xlsx``             Name, Fed, Sex, Clubnumber, ClubName, Birthday, Rtg_Nat, Fide_No, Rtg_Int …
``fide-list``         a rating list in the columns of FIDE's own, with standard, rapid and blitz
===================== ===========================================================================

What a column cannot hold is refused, never cut. In a file of separated cells a text that a
spreadsheet would compute gets an apostrophe in front of it.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from typing import Final, NamedTuple

from elo_xl.lists.layouts import Entry, ListError
from elo_xl.xlsx.cell_xml import kept_row, kept_text, needs_prefix


class Listed(NamedTuple):
    """A line of a list that is to be written."""

    entry: Entry
    born: date | None = None
    """the day of birth, where it is known; otherwise the year counts"""
    club: str = ""


PLAYERS: Final = (
    *("Nr", "Name", "Titel", "Identnr", "EloNat", "EloInt", "Geburt", "Fed", "Sex", "Typ", "Gr"),
    *("KlubNr", "Klub", "FideIdent", "Quelle", "Pkt", "Wtg1", "Wtg2", "Wtg3", "Wtg4", "Wtg5"),
    *("Wtg6", "Rang", "Nachname", "Vorname", "Atitel"),
)
"""The columns of Swiss-Manager's own text file of players, version 15, in German."""

RATING_LIST: Final = (
    *("ID_No", "Name", "Fed", "Sex", "Clubnumber", "ClubName", "Birthday", "Rtg_Nat", "Fide_No"),
    *("Rtg_Int", "Title", "Type", "Status", "K"),
)
"""The columns of the national rating lists that federations publish for Swiss-Manager."""

_FIDE: Final = (
    *(("ID Number", 15), ("Name", 61), ("Fed", 4), ("Sex", 4), ("Tit", 5), ("WTit", 5)),
    *(("OTit", 15), ("FOA", 4), ("SRtng", 6), ("SGm", 4), ("SK", 3), ("RRtng", 6), ("RGm", 4)),
    *(("Rk", 3), ("BRtng", 6), ("BGm", 4), ("BK", 3), ("B-day", 6), ("Flag", 4)),
)
"""The columns of FIDE's combined list, with their widths."""
_SEXES: Final = {"m": "M", "w": "F"}
_LEAST_DIGITS: Final = 4
"""Swiss-Manager takes no shorter number for one of a list."""


def swiss_manager_players(people: Sequence[Listed], *, national: bool = False) -> bytes:
    r"""The text file of a tournament's players that Swiss-Manager imports.

    >>> ana = Listed(Entry("99000001", "Ferrer, Ana", "ESP", "WFM", "w", 1999, 2105))
    >>> rows = swiss_manager_players([ana]).decode().splitlines()
    >>> dict(zip(rows[0].split(";"), rows[1].split(";")))["EloInt"], rows[1].split(";")[-3:]
    ('2105', ['Ferrer', 'Ana', ''])

    Ratings and numbers are FIDE's, or with ``national`` those of the federation.

    Raises ListError for texts with a semicolon, which the format has no way to hold.
    """
    rows = []
    for number, person in enumerate(people, start=1):
        entry = person.entry
        last, _, first = map(str.strip, entry.name.partition(","))
        cells = dict.fromkeys(PLAYERS, "") | {
            "Nr": str(number),
            "Name": f"{last} {first}".strip(),
            "Titel": entry.title,
            "Identnr": entry.id if national else "",
            "EloNat": str((entry.rating or 0) if national else 0),
            "EloInt": str(0 if national else entry.rating or 0),
            "Geburt": _birthday(person),
            "Fed": entry.federation,
            "Sex": "W" if entry.sex == "w" else "",
            "KlubNr": "0",
            "Klub": person.club,
            "FideIdent": "0" if national or not entry.id else entry.id,
            "Nachname": last,
            "Vorname": first,
        }
        # a line break or tab within a text would end the player
        rows.append([" ".join(cells[column].split()) for column in PLAYERS])
    problems = [
        f"the players' file has no way to hold a semicolon: {cell!r}, player {row[0]}"
        for row in rows
        for cell in row
        if ";" in cell
    ]
    if problems:
        raise ListError("\n".join(problems))
    lines = [PLAYERS, *([kept_text(cell) for cell in row] for row in rows)]
    return "".join(f"{';'.join(line)}\r\n" for line in lines).encode()


def swiss_manager_rows(
    people: Sequence[Listed], *, national: bool = False
) -> Iterator[list[str | int]]:
    """The rows of a national rating list for Swiss-Manager, its headings first.

    >>> ana = Listed(Entry("99000001", "Ferrer, Ana", "ESP", "WFM", "w", 1999, 2105))
    >>> list(swiss_manager_rows([ana]))[1][:10]
    ['0001', 'Ferrer, Ana', 'ESP', 'w', 0, '', '1999', 0, '99000001', 2105]

    The lines of FIDE's numbers are numbered; with ``national`` the numbers are those of the list.
    """
    yield list(RATING_LIST)
    for number, person in enumerate(people, start=1):
        entry = person.entry
        rating = entry.rating or 0
        key = entry.id if national and entry.id else str(number)
        yield [
            key.zfill(_LEAST_DIGITS) if key.isdecimal() else key,
            *(entry.name, entry.federation, entry.sex, 0, person.club, _birthday(person)),
            *((rating, "", 0) if national else (0, entry.id, rating)),
            *(entry.title, "", "", entry.k or ""),
        ]


def swiss_manager_csv(people: Sequence[Listed], *, national: bool = False) -> bytes:
    """The rating list for Swiss-Manager with semicolons between its cells."""
    text = io.StringIO()
    rows = csv.writer(text, delimiter=";", lineterminator="\r\n")
    for row in swiss_manager_rows(people, national=national):
        rows.writerow(kept_row(row))
    return text.getvalue().encode("utf-8-sig")


def swiss_manager_xlsx(people: Sequence[Listed], *, national: bool = False) -> bytes:
    """The rating list for Swiss-Manager as a workbook of one sheet."""
    return _values_file("Players", swiss_manager_rows(people, national=national))


def fide_list(people: Sequence[Listed], *, national: bool = False) -> bytes:
    """A rating list in the columns of FIDE's combined one, which programs for tournaments import.

    >>> ana = Listed(Entry("99000001", "Ferrer, Ana", "ESP", "WFM", "w", 1999, 2105, rapid=2050))
    >>> fide_list([ana]).decode().splitlines()[1].split()
    ['99000001', 'Ferrer,', 'Ana', 'ESP', 'F', 'WFM', 'WFM', '2105', '0', '0', '2050', '0', '0', \
'0', '0', '0', '1999', 'w']

    Raises ListError for whoever has no number, by which such a list tells people, and for what has
    no room in its column.
    """
    problems: list[str] = []
    lines = ["".join(heading.ljust(width) for heading, width in _FIDE)]
    for person in people:
        entry = person.entry
        if not entry.id:
            problems.append(f"a rating list needs a number for everybody: {entry.name!r} has none")
        numbers = (
            *(entry.rating, entry.games, entry.k, entry.rapid, entry.rapid_games, entry.rapid_k),
            *(entry.blitz, entry.blitz_games, entry.blitz_k),
        )
        cells = (
            *(
                entry.id,
                " ".join(entry.name.split()),
                entry.federation,
                _SEXES.get(entry.sex, ""),
                entry.title,
            ),
            *(entry.title if entry.title.startswith("W") else "", "", ""),
            *(str(number or 0) for number in numbers),
            *(str(entry.birth or 0), "w" if entry.sex == "w" else ""),
        )
        for cell, (heading, width) in zip(cells, _FIDE, strict=True):
            # a blank must follow: columns have nothing else between them
            if len(cell) >= width:
                what = f"the column {heading} of FIDE's list has {width - 1} characters: {cell!r}"
                problems.append(f"{what}, {entry.name!r}")
            if re.search(r"[\x00-\x1f\x7f]", cell):
                problems.append(f"{cell!r} of {entry.name!r} has signs that are no text")
        lines.append(
            "".join(cell.ljust(width) for cell, (_, width) in zip(cells, _FIDE, strict=True))
        )
    if problems:
        raise ListError("\n".join(problems))
    return "".join(f"{line.rstrip()}\r\n" for line in lines).encode()


WRITERS: Final[dict[tuple[str, str], Callable[..., bytes]]] = {
    ("swiss-manager", ".txt"): swiss_manager_players,
    ("swiss-manager", ".csv"): swiss_manager_csv,
    ("swiss-manager", ".xlsx"): swiss_manager_xlsx,
    ("fide-list", ".txt"): fide_list,
}
"""What writes a list, by its format and the ending of the file's name."""


def _birthday(person: Listed) -> str:
    if person.born is not None and person.born.year == person.entry.birth:
        return f"{person.born:%d.%m.%Y}"
    return str(person.entry.birth or "")


def _values_file(title: str, rows: Iterable[Sequence[str | int]]) -> bytes:
    """A workbook of one sheet of values, a row of headings first; a text stays one, whatever it
    looks like."""
    from openpyxl import Workbook
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    book = Workbook()
    sheet = book.worksheets[0]
    sheet.title = title
    for n, row in enumerate(rows, start=1):
        for m, value in enumerate(row, start=1):
            if not isinstance(value, str):
                sheet.cell(n, m, value)
                continue
            cell = sheet.cell(n, m, ILLEGAL_CHARACTERS_RE.sub("", value))
            # never a formula or an error
            cell.data_type, cell.number_format = "s", "@"
            cell.quotePrefix = needs_prefix(value)
    sheet.freeze_panes = "A2"
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()
