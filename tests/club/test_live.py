"""A club's book that is open in Excel: xlwings' own code over a model of Excel's objects.

What the commands write there is, cell for cell, what they write into the file; and whatever Excel
refuses, nothing is half done. This way is frozen, and so are its tests.
"""

from __future__ import annotations

import shutil
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from elo_xl.hosts.excel_addin import XLWINGS, open_books
from elo_xl.templates.gallery import make, options
from tests.support.command import run_in_a_line as run
from tests.support.open_excel import AUTOMATIC, MANUAL, play, play_all

pytestmark = [pytest.mark.slow, pytest.mark.frozen]

MEMBERS: list[dict[str, Any]] = [
    {"name": "Aubert, Ada", "id": "0007", "birth": 1990, "standard": 1800, "standard_games": 50},
    {"name": "'t Hart, An", "birth": 1991, "standard": 1700, "standard_games": 50},
    {"name": "True", "id": "12-3", "birth": 1992, "standard": 1650, "standard_games": 50},
    {"name": "Duarte, Di", "birth": 1993},
    {"name": "=Sum, Sue", "birth": 1994, "standard": 1600, "rapid": 1610, "blitz": 1500},
]
GAMES = """White;White Elo;Black;Black Elo;Result
Aubert, Ada;1800;'t Hart, An;1700;1-0
True;1650;Duarte, Di;;½-½
=Sum, Sue;1600;Aubert, Ada;1800;0-1
't Hart, An;1700;New 5, Nick;;1-0
"""
NAMES = ("=1+1", "1-2 Open", "5 May")
"""Names of events that Excel would take for something else."""

AS_SETTLED = [AUTOMATIC, True, True]
ADD = ["--date", "2026-03-01", "--new", "--again"]
CLOSE = ["--date", "2026-04-01"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Two files of a club's book in which somebody has taken the format of a text away from some
    columns: one with members, and one with events that are to be rated."""
    folder = tmp_path_factory.mktemp("made")
    book = folder / "club.xlsx"
    book.write_bytes(make("club", options("club", players=8, rounds=16), {"Members": MEMBERS}))
    workbook = openpyxl.load_workbook(book)
    for title in ("Events", "Rating history", "Rated games"):
        for row in workbook[title].iter_rows(min_row=6):
            for cell in row:
                if cell.number_format == "@":
                    cell.number_format = "General"
    workbook.save(book)
    files = {"members": book.read_bytes()}
    (folder / "games.csv").write_text(GAMES, "utf-8")
    for command in added(book):
        run(*command)
    return {**files, "events": book.read_bytes()}


@pytest.fixture
def book(made: dict[str, bytes], tmp_path: Path) -> Path:
    """The book with members."""
    return _put(tmp_path, made["members"])


@pytest.fixture
def filled(made: dict[str, bytes], tmp_path: Path) -> Path:
    """The book with events that are to be rated."""
    return _put(tmp_path, made["events"])


def _put(folder: Path, content: bytes) -> Path:
    (folder / "games.csv").write_text(GAMES, "utf-8")
    path = folder / "live" / "club.xlsx"
    path.parent.mkdir()
    path.write_bytes(content)
    return path


def cells(path: Path) -> dict[tuple[str, str], tuple[Any, str, str]]:
    """All cells of a file with what kind they are and how they are formatted."""
    return {
        (sheet.title, cell.coordinate): (
            getattr(cell.value, "text", cell.value), cell.data_type, cell.number_format,
        )
        for sheet in openpyxl.load_workbook(path).worksheets
        for row in sheet.iter_rows()
        for cell in row
        if cell.value is not None
    }  # fmt: skip


def added(book: Path, *live: str) -> list[list[str]]:
    """The commands that put the events in."""
    games = next(str(at / "games.csv") for at in book.parents if (at / "games.csv").exists())
    return [["add", str(book), games, "--name", name, *ADD, *live] for name in NAMES]


def copies(book: Path) -> list[Path]:
    return sorted(book.parent.glob("club (*"))


def test_what_is_written_in_excel_is_what_is_written_into_the_file(
    book: Path, tmp_path: Path
) -> None:
    file = tmp_path / "club.xlsx"
    shutil.copy(book, file)
    for command in added(file):
        run(*command)
    run("add", file, tmp_path / "games.csv", "--name", "Later", "--date", "2026-05-01", "--new",
        "--kind", "rapid")  # fmt: skip
    shown = run("close", file, *CLOSE)

    saved = tmp_path / "saved.xlsx"
    later = ["add", str(book), str(tmp_path / "games.csv"), "--name", "Later", "--date",
             "2026-05-01", "--new", "--kind", "rapid", "--live"]  # fmt: skip
    before = book.read_bytes()
    answer = play(
        books=[{"path": book}],
        commands=[*added(book, "--live"), later, ["close", str(book), *CLOSE, "--live"],
                  {"save": saved}],
    )  # fmt: skip

    assert [0] * 5 == [code for code, _ in answer["said"]], answer["said"]
    assert cells(file) == cells(saved)
    assert shown.split("Workbook:")[0] == answer["said"][-1][1].split("Workbook:")[0]
    assert f"Workbook: {book}, in Excel: save it there to keep it" in answer["said"][-1][1]
    # the file is Excel's, and Excel is left as it was
    assert before == book.read_bytes()
    assert AS_SETTLED == answer["after"]
    assert {(MANUAL, False, False)} == {tuple(each) for each in answer["quiet"]}
    assert len(copies(book)) == 5
    written = cells(saved)
    assert ("=1+1", "s") in {each[:2] for each in written.values()}
    assert datetime(2026, 4, 1) in [value for value, *_ in written.values()]
    assert "1-2 Open" in [value for value, *_ in written.values()]


def test_a_write_that_fails_takes_everything_back(filled: Path, tmp_path: Path) -> None:
    close = ["close", str(filled), *CLOSE, "--live"]
    saved = [tmp_path / f"{n}.xlsx" for n in range(2)]
    answers = play_all(
        [
            {"books": [{"path": filled}], "refuses": [number],
             "commands": [close, {"save": path}]}
            for number, path in zip((1, 9), saved, strict=True)
        ]
    )  # fmt: skip
    for answer, path in zip(answers, saved, strict=True):
        code, text = answer["said"][0]
        assert code == 1
        assert "Excel refuses (It does not work.): is the sheet or the book protected? @ " in text
        assert cells(filled) == cells(path)
        assert AS_SETTLED == answer["after"]
    assert [] == copies(filled)
    # what had been changed was written again
    assert answers[0]["writes"] == 1
    assert answers[-1]["writes"] > 9 + 1


def test_what_cannot_be_taken_back_is_said(filled: Path) -> None:
    close = ["close", str(filled), *CLOSE, "--live"]
    refused, silent = play_all(
        [
            {"books": [{"path": filled}], "commands": [close], "refuses": [*range(5, 1000)]},
            {"books": [{"path": filled}], "commands": [close], "busy": -1},
        ]
    )
    for answer, why in (
        (refused, "Excel refuses (It does not work.)"),
        (silent, "Excel does not answer: finish the cell that is being edited"),
    ):
        code, text = answer["said"][0]
        assert code == 1
        assert why in text
        assert "some cells could not be taken back" in text
        assert "close the book without saving it, its file is as it was" in text
    assert AS_SETTLED == refused["after"]
    # what the book was stays beside it
    assert len(copies(filled)) == 2


def test_whoever_types_meanwhile_is_not_overruled(filled: Path, tmp_path: Path) -> None:
    saved = tmp_path / "saved.xlsx"
    answer = play(
        books=[{"path": filled}],
        commands=[["close", str(filled), *CLOSE, "--live"], {"save": saved}],
        meanwhile=["Members", "C8", "99"],
    )
    code, text = answer["said"][0]
    assert (code, answer["writes"]) == (1, 0)
    assert "somebody has changed it in Excel in the meantime: start again" in text
    assert [] == copies(filled)


def test_books_that_are_not_there_or_not_to_be_written(filled: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.xlsx"
    shutil.copy(filled, other)
    own = {"path": filled}
    cases: list[tuple[list[dict[str, Any]], str]] = [
        ([], "no Excel with a workbook runs: open it there first, or omit --live"),
        ([{"path": other}], "it is not open in Excel, or only in Protected View"),
        ([{"path": other, "name": "C:\\club.xlsx"}],
         "(the club.xlsx that is open is C:\\club.xlsx)"),
        ([own, {**own, "instance": 2}], "2 Excels have it open: close it in all but one"),
        ([{**own, "read_only": True}], "Excel has it open for reading only"),
        ([own], "(The cell is protected.): is the sheet or the book protected? @ Members!"),
    ]  # fmt: skip
    answers = play_all(
        [
            {"books": books, "protected": ["Members"],
             "commands": [["close", str(filled), *CLOSE, "--live"]]}
            for books, _ in cases
        ]
    )  # fmt: skip
    for answer, (_, message) in zip(answers, cases, strict=True):
        code, text = answer["said"][0]
        assert code == 1
        assert text.startswith(f"error: {filled}: ")
        assert message in text
    assert [] == copies(filled)


def test_steps_in_excel_are_taken_back_one_after_the_other(book: Path, tmp_path: Path) -> None:
    states = [tmp_path / f"{n}.xlsx" for n in range(5)]
    add = added(book, "--live")[0]
    close = ["close", str(book), *CLOSE, "--live"]
    undo = ["undo", str(book), "--live"]
    answer = play(
        books=[{"path": book}],
        commands=[
            undo, add, {"save": states[0]}, close, {"save": states[1]},
            undo, {"save": states[2]}, undo, {"save": states[3]}, undo,
            add, {"type": ["Members", "B17", "Somebody, Else"]}, undo,
        ],
    )  # fmt: skip
    first, _, _, second, third, last, _, changed = answer["said"]
    assert "there is no step to take back" in first[1]
    assert "Taken back: close 2026-04-01 Workbook:" in second[1]
    assert "Taken back: add games.csv" in third[1]
    assert last[0] == changed[0] == 1
    assert "something else was entered after the last step in Excel (add games.csv)" in changed[1]
    assert cells(states[0]) == cells(states[2]) != cells(states[1])
    assert {at: each[0] for at, each in cells(book).items()} == {
        at: each[0] for at, each in cells(states[3]).items()
    }


def test_without_xlwings_a_command_says_how_to_get_it(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "xlwings", None)
    monkeypatch.setattr(open_books, "ON_WINDOWS", True)
    assert f'-m pip install "{XLWINGS}"' in run("undo", filled, "--live", code=1)


def test_without_excel_a_command_says_so(filled: Path) -> None:
    before = filled.read_bytes()
    for command in (["close", filled, *CLOSE, "--live"], ["undo", filled, "--live"]):
        assert "this needs Excel on Windows" in run(*command, code=1)
    assert before == filled.read_bytes()
