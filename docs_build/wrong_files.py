"""The page of the files that are refused: every wrong form of each format with its message.

The messages are those of the readers themselves, run on a small file with one thing wrong.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import openpyxl

from docs_build.markdown import page, table
from elo_xl.club.ledger import Ledger
from elo_xl.events.event import EventError
from elo_xl.events.files import read_event
from elo_xl.events.rate import rate
from elo_xl.lists import layouts
from elo_xl.templates.gallery import make, options
from elo_xl.templates.swiss import board

_INTRODUCTION: Final = """\
What `elo-xl rate`, `add` and `list import` say about files with errors. A message says what is
wrong, what was read, what is allowed or what to do, and after `@` where it is. You see all problems
of a file at once, and nothing of it is rated until you have corrected the last one. A rating list
is different: lines that cannot be read are named and left out."""

_TRF: Final = """\
012 Two Rivers Match
042 2026/03/07
001    1 m    Ferrer, Ana                       2105 ESP    99000001 1999/00/00  0.5    2     2 w =
001    2 wWGM Okafor, Ngozi                     2230 NGR    99000002 2001/00/00  0.5    1     1 b =
"""
_GAMES: Final = """\
White;Elo;Black;Elo;Result;Date;Round
Ana;1800;Ben;1750;1-0;2026-03-07;1
Cy;1650;Ana;1800;½;2026-03-08;2
"""
_LIST: Final = "White;Black;Result\nAna;Ben;1\n"
_PLAYERS: Final = "No;Name;ID;Elo;K;Born\n1;Ana;;1800;;1990\n2;Ben;;1750;;\n"
_CROSS: Final = "No;Name;Elo;1;2\n1;Ana;1800;2w1;3b½\n2;Ben;1750;1b0;\n3;Cy;1650;;1w½\n"
_ROUNDS: Final = """\
White;Elo;Black;Elo;Result
Round 1
Ferrer, Ana;1800;Okafor, Ben;1750;1-0
Round 2
Dunne, Cy;1650;Ferrer, Ana;1800;½
"""
_PGN: Final = """\
[Event "Club match"]
[White "Ana"]
[Black "Ben"]
[Result "1-0"]
[Date "2026.03.07"]
[Round "1"]
[WhiteElo "1800"]
[BlackElo "1750"]

1. e4 {good} e5 1-0

"""
_FIDE: Final = """\
ID Number      Name                              Fed Sex Tit WTit OTit SRtng SGm SK B-day Flag
99000001       Ferrer, Ana                       ESP F                 2105  0   20 1999  w
"""
_NATIONAL: Final = "id;name;rating;birth\n4100;Ferrer, Ana;2105;1999\n"


class Wrong(NamedTuple):
    """A file with something wrong."""

    what: str
    file: str
    content: str | bytes
    beside: str = ""
    """the list of the players"""
    options: Mapping[str, Any] = MappingProxyType({})


def _each(file: str, base: str, *changes: tuple[str, str, str], **more: Any) -> Iterator[Wrong]:
    """A file for each change: what is wrong, and the text that stands in place of another."""
    for what, right, wrong in changes:
        if base.count(right) < 1:
            raise ValueError(f"{right!r} is not in the file that shows {what!r}")
        yield Wrong(what, file, base.replace(right, wrong, 1), **more)


def _report_files() -> Iterator[Wrong]:
    yield from _each(
        "event.trf",
        _TRF,
        ("a rating with a letter", "2105", "21o5"),
        ("a rating that cannot be one", "2105", "4300"),
        ("half a rating", " 2105 ", "1650.5"),
        ("a column too many", "2105 ESP", "2105  ESP"),
        ("a starting number twice", "001    2", "001    1"),
        ("no starting number", "001    2", "001     "),
        ("an opponent who is not there", "2 w =", "9 w ="),
        ("an opponent who has another one", "   1 b =", "0000 - Z"),
        ("two winners", "2 w =\n001    2", "2 w 1\n001    2"),
        ("a result of another program", "2 w =", "2 w ?"),
        ("a colour of another language", "2 w =", "2 s ="),
        ("points that are none", " 0.5    2", " o.5    2"),
        ("a first day that is none", "2026/03/07", "2026/33/07"),
        ("a first day far off", "2026/03/07", "2062/03/07"),
    )
    yield Wrong("no player", "event.trf", "012 Two Rivers Match\n")


def _texts() -> Iterator[Wrong]:
    yield from _each(
        "games.csv",
        _GAMES,
        ("a rating with a letter", "1800", "18oo"),
        ("a rating that cannot be one", "1800", "20000"),
        ("half a rating", "1800", "1800.5"),
        ("perhaps a sign between thousands", "1750", "1.750"),
        ("two ratings of one player", "Ana;1800;½", "Ana;1850;½"),
        ("no such result", "1-0", "3-0"),
        ("two winners", "1-0", "1-1"),
        ("a date in place of the result", "1-0", "01. Feb"),
        ("an error in place of the result", "1-0", "#REF!"),
        ("a player is missing", "Cy;", ";"),
        ("a player against themselves", "Cy;1650;Ana", "Ana;1800;Ana"),
        ("two games in a round", "2026-03-08;2", "2026-03-08;1"),
        ("neither an opponent nor a result", "Ana;1800;½", ";;"),
        ("a round that is none", "2026-03-08;2", "2026-03-08;final"),
        ("no such date", "2026-03-07", "31.02.2026"),
        ("a date far off", "2026-03-07", "07.03.2062"),
        ("a cell too many", "2026-03-08;2", "2026-03-08;2;late"),
        ("a quote without its end", "Cy;", '"Cy;'),
        ("no heading of a result", "Result", "Remarks"),
        ("a heading twice", "Round", "White"),
        ("letters in a wrong encoding", "Ana", "MÃ¼ller"),
    )
    two = _GAMES.replace("2026-03-07", "03/07/2026")
    two = two.replace("2026-03-08", "13/07/2026") + "Cy;1650;Ben;1750;0;07/13/2026;3\n"
    yield Wrong("dates in two orders", "games.csv", two)
    polish = _GAMES.replace("Cy", "Pawłowski, Jan").replace("½", "=").encode("cp1250")
    yield Wrong("an encoding that is not sure", "games.csv", polish)
    yield Wrong("an empty file", "games.csv", "")
    yield Wrong("headings without games", "games.csv", _LIST.splitlines()[0])
    yield Wrong("no ratings anywhere", "games.csv", _LIST)
    yield Wrong("a file of another kind", "games.pdf", b"%PDF-1.7\n\0")


def _beside() -> Iterator[Wrong]:
    for what, right, wrong, games in (
        ("a name that is not in the list", "", "", _LIST.replace("Ben", "Bem")),
        ("a name that stands there twice", "Ben", "Ana", _LIST),
        ("a number twice", "2;Ben", "1;Ben", _LIST),
        ("a number is missing", "2;Ben", ";Ben", _LIST),
        ("a K that cannot be one", "1800;;", "1800;400;", _LIST),
        ("a birth year that is none", "1990", "1890", _LIST),
        ("a name is missing", "2;Ben", "2;", _LIST),
        ("no names at all", "Name", "Remarks", _LIST),
    ):
        yield Wrong(
            what, "games.csv", games, _PLAYERS.replace(right, wrong, 1) if right else _PLAYERS
        )
    yield Wrong("a PDF", "games.csv", _LIST, "%PDF-1.7")


def _crosstables() -> Iterator[Wrong]:
    yield from _each(
        "table.csv",
        _CROSS,
        ("a cell that says nothing", "2w1", "won"),
        ("an opponent who is not there", "2w1", "9w1"),
        ("a player against themselves", "2w1", "1w1"),
        ("an opponent who has another one", "1b0", "3b0"),
        ("two winners", "1b0", "1b1"),
        ("a name is missing", "Ben", ""),
        ("a rating with a letter", "1750", "17a0"),
    )
    yield Wrong("results without opponents", "table.csv",
                "Name;Elo;1;2\nAna;1800;1;½\nBen;1750;0;1\nCy;1650;½;0\n")  # fmt: skip
    yield Wrong("two winners, by opponents", "table.csv",
                "Name;Elo;1;2\nAna;1800;x;1\nBen;1750;1;x\n")  # fmt: skip
    yield Wrong("no ratings anywhere", "table.csv",
                "Name;1;2\nAna;2w1;\nBen;1b0;\n")  # fmt: skip


def _rounds() -> Iterator[Wrong]:
    yield from _each(
        "rounds.csv",
        _ROUNDS,
        ("no such result", "1-0", "2-1"),
        ("a rating that cannot be one", "1650", "16500"),
        ("two ratings of one player", "Ana;1800;½", "Ana;1850;½"),
        ("a player is missing", "Dunne, Cy;1650", ";"),
    )


def _games() -> Iterator[Wrong]:
    yield from _each(
        "games.pgn",
        _PGN,
        ("no name", '"Ana"', '"?"'),
        ("no such result", '"1-0"', '"2-0"'),
        ("no result", '"1-0"', '""'),
        ("a rating that cannot be one", '"1800"', '"18000"'),
        ("a rating with a letter", '"1750"', '"17o0"'),
        ("no such date", "2026.03.07", "2026.33.07"),
        ("a date far off", "2026.03.07", "2062.03.07"),
        ("a player against themselves", '"Ben"', '"Ana"'),
        ("a tag without quotes", '"Ana"', "Ana"),
        ("a tag twice", '[Black "Ben"]', '[Black "Ben"]\n[Black "Cy"]'),
        ("a comment without its end", "good}", "good"),
        ("no ratings anywhere", '[WhiteElo "1800"]\n[BlackElo "1750"]\n', ""),
    )
    yield Wrong("a game twice", "games.pgn", 2 * _PGN)
    yield Wrong("two events", "games.pgn", _PGN + _PGN.replace("Club match", "Cup"))
    yield Wrong("no such event", "games.pgn", _PGN, options={"event": "Cup"})


def _sheets() -> Iterator[Wrong]:
    rows = [line.split(";") for line in _GAMES.splitlines()]
    first = rows[1]
    for what, cells in (
        ("a date in place of the result", {4: date(2026, 2, 1)}),
        ("an error in place of the result", {4: "#N/A"}),
        ("a formula that was never computed", {1: "=A9"}),
        ("a rating that cannot be one", {1: 20000}),
    ):
        changed = [cells.get(n, cell) for n, cell in enumerate(first)]
        yield Wrong(what, "games.xlsx", _xlsx(Games=[rows[0], changed, rows[2]]))
    two = _xlsx(Autumn=rows, Spring=rows)
    yield Wrong("games on two sheets", "games.xlsx", two)
    yield Wrong("no such sheet", "games.xlsx", two, options={"sheet": "Summer"})
    yield Wrong("an empty sheet", "games.xlsx", _xlsx(Games=[]))
    yield Wrong("a damaged file", "games.xlsx", two[:3000])
    locked = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le")
    yield Wrong("a file with a password", "games.xlsx", locked)
    players = [{"name": "Ana", "rating": "18oo"}, {"name": "ANA"}, {"rating": 1700}]
    games = [{"white": "Ana", "black": "Ben", "result": 46054}]
    chosen = options("rating-period", players=4, rounds=10)
    book = make("rating-period", chosen, {"Players": players, "Games": games})
    yield Wrong("several things in one of our own books", "spring.xlsx", book)
    yield Wrong(
        "one of our own books, with nothing in it", "spring.xlsx", make("rating-period", chosen)
    )
    players = [{"name": name, "rating": 1800} for name in ("Ana", "Ben", "Cy", "Dee", "Eva")]
    slips = [(1, 2, "bye"), (3, None, "1"), (4, None, None)]
    typed = {"Players": players, "Pairings": [board(*slip) for slip in slips]}
    again = [(1, 2, "1"), (5, None, "bye")]
    second = [*again, *[(None, None, None)] * 3, *again]
    twice = {"Players": players, "Pairings": [board(*slip) for slip in second]}
    chosen = options("swiss", players=5, rounds=3)
    yield Wrong("lines of a Swiss that are half typed", "open.xlsx", make("swiss", chosen, typed))
    yield Wrong("a round of a Swiss typed twice", "open.xlsx", make("swiss", chosen, twice))
    yield Wrong("one of our own books that has no games", "odds.xlsx",
                make("match-odds", options("match-odds", rounds=4)))  # fmt: skip


def _xlsx(**sheets: list[list[Any]]) -> bytes:
    book, buffer = openpyxl.Workbook(), io.BytesIO()
    book.remove(book.worksheets[0])
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append([int(c) if isinstance(c, str) and c.isdigit() else c for c in row])
    book.save(buffer)
    return buffer.getvalue()


def _club() -> Iterator[tuple[str, list[str]]]:
    members = [
        {"name": "Ana", "standard": 18000},
        {"name": "Ana", "id": "4100"},
        {"name": "Ben", "id": "4100"},
        {"name": "Cy", "birth": 1890},
        {"standard": 1700},
    ]
    events = [{"event": "Cup"}, {"event": "Open", "date": "soon", "kind": "standard"}]
    results = [
        {"event": "Cup", "white": "Ana", "black": "Ana", "result": 1},
        {"event": "Cup", "white": "Ana", "black": "Ben", "result": 46054},
        {"event": "Cup", "white": "Ben", "black": "Cy", "result": "won 2-1"},
        {"event": "Cup", "white": "Ben", "black": "Cy"},
        {"event": "Cup", "white": "Ben", "result": 1},
    ]
    for what, content in (
        ("in Members", {"Members": members}),
        ("in Events", {"Events": events}),
        ("in Results", {"Results": results}),
    ):
        ledger = Ledger(make("club", options("club", players=6, rounds=10), content))
        yield what, [str(problem) for problem in ledger.problems]


def _lists() -> Iterator[tuple[str, list[str]]]:
    for file, base, changes in (
        (
            "standard_rating_list.txt",
            _FIDE,
            (
                ("no name", "Ferrer, Ana", "           "),
                ("a rating with a letter", "2105", "21o5"),
                ("no heading of the names", "Name", "    "),
            ),
        ),
        (
            "national.csv",
            _NATIONAL,
            (
                ("no heading of the numbers", "id;", "number;"),
                ("a rating that cannot be one", "2105", "21050"),
            ),
        ),
    ):
        for what, right, wrong in changes:
            reading = layouts.Reading(file, "standard")
            content = io.BytesIO(base.replace(right, wrong, 1).encode())
            try:
                for _ in layouts.read(file, content, reading):
                    pass
                yield what, reading.shown
            except layouts.ListError as error:
                yield what, [str(error)]


_FILES: Final[dict[str, Callable[[], Iterator[Wrong]]]] = {
    "Tournament report files": _report_files,
    "Lists of games, in CSV": _texts,
    "Lists of players beside the games": _beside,
    "Rounds with their pairings": _rounds,
    "Crosstables": _crosstables,
    "Workbooks, in xlsx and ods": _sheets,
    "PGN": _games,
}
_OTHERS: Final = {"Club books": _club, "Rating lists": _lists}


def messages(folder: Path) -> Iterator[tuple[str, list[tuple[str, list[str]]]]]:
    """What is said of every wrong form, by format; the files are written into a folder."""
    for heading, wrong in _FILES.items():
        yield heading, [(one.what, _said(one, folder)) for one in wrong()]
    for heading, told in _OTHERS.items():
        yield heading, list(told())


def _said(wrong: Wrong, folder: Path) -> list[str]:
    def written(name: str, content: str | bytes) -> Path:
        path = folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    players = written("players.csv", wrong.beside) if wrong.beside else None
    try:
        rate(read_event(written(wrong.file, wrong.content), players, **wrong.options))
    except EventError as error:
        return [str(problem) for problem in error.problems]
    finally:
        if players is not None:
            players.unlink()
    return []


def text() -> str:
    """The whole page."""

    def blocks() -> Iterator[str]:
        with TemporaryDirectory() as folder:
            for heading, rows in messages(Path(folder)):
                yield f"## {heading}"
                yield table(
                    ["what is wrong", "message"],
                    ([what, "<br>".join(map(_cell, said))] for what, said in rows),
                )

    return page("# Files that are refused", _INTRODUCTION, *blocks())


def _cell(message: str) -> str:
    return message.replace("|", "\\|").replace("<", "&lt;")
