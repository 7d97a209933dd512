"""Event files of any kind: what a file holds decides how it is read, then its ending."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from elo_xl.engine.errors import EloError
from elo_xl.events.event import EventError, NoRatingsError, Problem, Tournament
from elo_xl.events.merging import EventFile
from elo_xl.events.names import Nicknames, with_names
from elo_xl.events.pgn import EVERY, read_pgn
from elo_xl.events.players import read_players, renamed, with_players
from elo_xl.events.sheets import is_page
from elo_xl.events.source import ENDINGS as PACKED
from elo_xl.events.source import (
    UTF_16,
    Source,
    content,
    file_name,
    guessed,
    is_packed,
    is_workbook,
    opened,
)
from elo_xl.events.tables import read_table
from elo_xl.events.tag_pairs import BEGINNING
from elo_xl.events.trf import read_trf
from elo_xl.lists.layouts import PDF
from elo_xl.lists.names import TITLES

TRF_ENDINGS: Final = (".trf", ".trfx")
_PGN: Final = (".pgn", *(f".pgn{packed}" for packed in PACKED))
ENDINGS: Final = (
    *(*TRF_ENDINGS, ".txt", ".csv", ".tsv", ".html", ".htm"),
    *(".xlsx", ".xlsm", ".xltx", ".ods", ".xls"),
    *_PGN,
)
"""The files of a folder that are read as events."""
BESIDE: Final = "players.csv"
"""A list of players, which belongs to the events of its folder."""
MADE_HERE: Final = "rated-event"
"""What workbooks of rated events were made from."""
READ: Final = "a tournament report file (TRF), PGN, CSV, xlsx, ods or xls"

_TRF_LINE: Final = re.compile(rb"(?:^|[\r\n])(?:\xef\xbb\xbf)?001 ")
_NO_EVENT: Final = (PDF, b"{\\rtf")
_BEGINNING: Final = 1 << 20


def is_pgn(beginning: bytes) -> bool:
    r"""Whether a file that begins so is a PGN file: a tag comes first."""
    if beginning.startswith(UTF_16):
        beginning = beginning.decode("utf-16", errors="ignore").encode()
    return BEGINNING.match(beginning.removeprefix(codecs.BOM_UTF8)) is not None


def read_event(
    source: Source,
    players: Source | None = None,
    *,
    sheet: str = "",
    columns: Mapping[str, str] | None = None,
    encoding: str = "",
    event: str | tuple[str, ...] = "",
    unrated: bool = False,
    names: Nicknames | None = None,
    unplayed: bool = False,
) -> Tournament:
    """Read an event from a file of any kind, given as a path or as the file's bytes.

    ``players`` is a list of the players, with what the event's own file does not say, or with
    everything. For a list of games without ratings it is ``players.csv`` in the same folder, if
    there is such a file. ``event`` names one of several events of a PGN file, or some, which are
    read as one; the other options are those of :func:`~elo_xl.events.tables.read_table`. ``names``
    tells who plays under which nickname; ratings are then those of ``players``, or of a list.
    With ``unplayed`` a book need have no games yet.

    Raises EventError, with every problem and its place, and OSError if a file cannot be read.
    """
    beside = None if isinstance(source, bytes) else Path(source).with_name(BESIDE)
    otherwise = beside if players is None and beside is not None and beside.is_file() else None
    read_from = partial(
        _read, sheet=sheet, columns=columns, encoding=encoding, event=event, unplayed=unplayed
    )
    if names is None:
        read = read_from(source, players, otherwise, unrated=unrated)
        notes = [
            Problem(note, file=file_name(one))
            for one in (source, players or otherwise)
            if one is not None and (note := _guessed(one, encoding))
        ]
        return _titled(replace(read, warnings=(*notes, *read.warnings)))
    # names first, as lists of players have no nicknames
    read = with_names(read_from(source, None, None, unrated=True), names)
    if all(player.rating is None for player in read.players):
        players = players or otherwise
    read = _with(read, players, encoding, columns)
    if not unrated and all(player.rating is None for player in read.players):
        what = "no player has a rating: give a list of players (--players) or a list (--list)"
        raise NoRatingsError([Problem(what, file=file_name(source))])
    return _titled(read)


def _titled(event: Tournament) -> Tournament:
    """The event, with a note of the titles that are none of FIDE's."""
    whose: dict[str, list[str]] = {}
    for player in event.players:
        if player.title and player.title not in TITLES:
            whose.setdefault(player.title, []).append(player.name)
    said = [
        f"{title!r} of {names[0]}" + f" and {len(names) - 1:,} more" * (len(names) > 1)
        for title, names in whose.items()
    ]
    note = Problem(f"none of FIDE's titles, kept as they are written: {'; '.join(said)}")
    return replace(event, warnings=(*event.warnings, note)) if said else event


def _read(
    source: Source,
    players: Source | None,
    otherwise: Source | None,
    *,
    sheet: str,
    columns: Mapping[str, str] | None,
    encoding: str,
    event: str | tuple[str, ...],
    unrated: bool,
    unplayed: bool,
) -> Tournament:
    name = file_name(source)
    ending = Path(name).suffix.lower()
    if name.lower().endswith(_PGN) or is_pgn(_beginning(source)):
        unrated = unrated or players is not None
        read = read_pgn(source, event=event, encoding=encoding, unrated=unrated)
        return _with(read, players, encoding, columns)
    if event not in ("", EVERY):
        raise EventError([Problem("--event chooses an event of a PGN file", file=name)])
    if is_packed(source):
        raise EventError([Problem("only games as PGN may be packed: unpack it", file=name)])
    data = content(source)
    if is_workbook(data):
        # what knows our own books takes longer to load than other files to read
        from elo_xl.events.books import read_event_book, template_of

        if template_of(data) and not sheet:
            return _with(read_event_book(data, name, unplayed=unplayed), players, encoding, columns)
        return read_table(source, players, sheet=sheet, columns=columns, unrated=unrated,
                          changing=event == EVERY)  # fmt: skip
    binary = b"\0" in data[:_BEGINNING] and not (encoding or data.startswith(UTF_16))
    if (binary or data.startswith(_NO_EVENT)) and ending not in TRF_ENDINGS:
        what = f"it is not {READ}"
        even, odd = data[:200:2], data[1:200:2]
        for wide, letters, zeros in (("utf-16-le", even, odd), ("utf-16-be", odd, even)):
            if letters and 0 not in letters and zeros.count(0) > len(zeros) / 2:
                what = f"it may be a text in UTF-16: name that with --encoding {wide}"
        raise EventError([Problem(what, file=name)])
    page = is_page(data)
    if not page and (ending in TRF_ENDINGS or _TRF_LINE.search(data[:_BEGINNING])):
        return _with(read_trf(source, encoding), players, encoding, columns)
    return read_table(
        source,
        players,
        otherwise=None if page else otherwise,
        sheet=sheet,
        columns=columns,
        encoding=encoding,
        unrated=unrated,
        changing=event == EVERY,
    )


def _guessed(source: Source, encoding: str) -> str:
    """What to say of the encoding of a file, which is looked at once more, as no pipe can be."""
    again = isinstance(source, bytes) or Path(source).is_file()
    return guessed(_beginning(source), encoding) if again else ""


def _beginning(source: Source) -> bytes:
    with opened(source) as file:
        return file.read(_BEGINNING)


def _with(
    event: Tournament,
    players: Source | None,
    encoding: str,
    columns: Mapping[str, str] | None = None,
) -> Tournament:
    if players is None:
        return event
    return with_players(
        event, read_players(players, encoding=encoding, columns=renamed(columns or {}))
    )


def event_paths(folder: Path) -> tuple[list[Path], list[Path]]:
    """The files of a folder and of its sub-folders that may hold events, and those that are left
    out; hidden ones are neither."""
    events: list[Path] = []
    others: list[Path] = []
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for path in (Path(place, name) for name in names if not name.startswith((".", "~$"))):
            if path.is_file() and path.name.lower() != BESIDE:
                (events if path.name.lower().endswith(ENDINGS) else others).append(path)
    return sorted(events), sorted(others)


def read_events(
    paths: Iterable[tuple[str, Path]],
    read: Callable[[Path], Tournament],
    advance: Callable[[], None] = lambda: None,
) -> Iterator[EventFile]:
    """Read events from files with the names by which they are called; a file that cannot be read
    does not stop the others.

    Workbooks of rated events are passed over. ``read`` is :func:`read_event` with its options;
    ``advance`` is called after each file.
    """
    for name, path in paths:
        file = EventFile(name)
        try:
            if path.suffix.lower() in (".xlsx", ".xlsm") and _made_here(path):
                continue
            file.event = read(path)
        except EventError as wrong:
            file.problems.extend(replace(problem, file=name) for problem in wrong.problems)
        except EloError as wrong:
            file.refuse(str(wrong))
        except OSError as wrong:
            file.refuse(wrong.strerror or str(wrong))
        advance()
        yield file


def _made_here(path: Path) -> bool:
    from elo_xl.events.books import template_of

    return template_of(path.read_bytes()) == MADE_HERE
