"""Ctrl-C, sent to real processes: whatever a command was at, it leaves nothing half, and says so.
How far long work is, shown on a terminal and nowhere else."""

import io
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from elo_xl import progress
from elo_xl.club.ledger import Ledger
from elo_xl.events.tables import read_table
from elo_xl.lists import store
from elo_xl.lists.layouts import Entry
from elo_xl.templates.gallery import make, options
from elo_xl.terminal import console
from tests.support.levels import amount

needs_signals = pytest.mark.skipif(os.name == "nt", reason="Windows sends no SIGINT to one process")
GAMES = "White,White Elo,Black,Black Elo,Result,Date\n"

AT = """
import os, runpy, signal, sys
from importlib import import_module
from elo_xl import progress
module, name = {where!r}.rsplit(".", 1)
there = import_module(module)
real = getattr(there, name)
def then(*args, **kwargs):
    os.kill(os.getpid(), signal.SIGINT)
    return real(*args, **kwargs)
setattr(there, name, then)
sys.argv = ["elo-xl", *sys.argv[1:]]
runpy.run_module("elo_xl", run_name="__main__")
"""
"""A command that gets a Ctrl-C where it calls a function."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = "".join(
        f"Player {n % 40:02},{1500 + n % 40},Player {(n * 7 + 1) % 41:02} B,1600,1,2026-10-01\n"
        for n in range(90)
    )
    (tmp_path / "event.csv").write_text(GAMES + rows)
    return tmp_path


def environment(folder: Path) -> dict[str, str]:
    root = Path(progress.__file__).parents[1]
    return {**os.environ, store.FOLDER: str(folder / "lists"), "PYTHONPATH": str(root)}


def stopped(folder: Path, where: str, *words: object) -> str:
    """What a command says that is stopped within a function."""
    code = [sys.executable, "-c", AT.format(where=where), *map(str, words)]
    done = subprocess.run(
        code, cwd=folder, env=environment(folder), capture_output=True, text=True, timeout=120
    )
    assert progress.STOPPED == done.returncode, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr.strip().splitlines()[-1]


@pytest.mark.slow
@needs_signals
@pytest.mark.parametrize(
    "where",
    [
        "elo_xl.events.tables.add_games",
        "elo_xl.events.files.read_table",
        "elo_xl.events.rate.period",
        "elo_xl.questions.rate.book.event_content",
    ],
)
def test_in_the_midst_of_reading_and_computing(where: str, folder: Path) -> None:
    said = stopped(folder, where, "rate", "event.csv", "-o", "out.xlsx")
    assert "error: stopped; nothing was written" == said
    assert ["event.csv"] == os.listdir(folder)


@pytest.mark.slow
@needs_signals
def test_in_the_midst_of_writing(folder: Path) -> None:
    said = stopped(folder, "os.fsync", "rate", "event.csv", "-o", "out.xlsx")
    # what has begun is brought to its end, and said
    assert "error: stopped; out.xlsx was written before" == said
    assert ["event.csv", "out.xlsx"] == sorted(os.listdir(folder))
    assert (folder / "out.xlsx").read_bytes().startswith(b"PK")


@pytest.mark.slow
@needs_signals
@pytest.mark.parametrize(("where", "begun"), [("elo_xl.club.steps.backup_name", False),
                                              ("elo_xl.xlsx.keep.write_whole", True)])  # fmt: skip
def test_a_club_s_book_is_the_old_or_the_new_one(where: str, begun: bool, folder: Path) -> None:
    book = folder / "club.xlsx"
    book.write_bytes(make("club", options("club", players=10, rounds=30), {}))
    before = book.read_bytes()
    (folder / "event.csv").write_text(GAMES + "Ann,1500,Bob,1600,1,2026-10-01\n")
    said = stopped(folder, where, "add", "club.xlsx", "event.csv")
    there = sorted(os.listdir(folder))
    if begun:
        assert "club.xlsx was written before" in said
        assert 3 == len(there)
        assert ["Ann", "Bob"] == [member.name for member in Ledger(book.read_bytes()).members]
    else:
        assert "error: stopped; nothing was written" == said
        assert (["club.xlsx", "event.csv"], before) == (there, book.read_bytes())


@pytest.mark.slow
@needs_signals
def test_a_rating_list_is_there_as_a_whole_or_not_at_all(folder: Path) -> None:
    (folder / "list.csv").write_text(
        "id,name,rating\n" + "".join(f"{n},Player {n},1500\n" for n in range(1, 500))
    )
    words = ("list", "import", "list.csv", "--month", "2026-10")
    assert "nothing was written" in stopped(folder, "elo_xl.lists.store.fill", *words)
    assert [] == [path.name for path in (folder / "lists").iterdir()]
    assert "was written before" in stopped(folder, "os.fsync", *words)
    assert ["fide-2026-10.rating-list"] == [path.name for path in (folder / "lists").iterdir()]


@pytest.mark.slow
@needs_signals
def test_stopped_at_any_moment(folder: Path) -> None:
    """Signals from outside, at random moments: nothing half, and no other exit code."""
    chance = random.Random(3)
    command = [sys.executable, "-m", "elo_xl", "rate", "event.csv", "-o", "out.xlsx", "--force"]
    began = time.monotonic()
    subprocess.run(command, cwd=folder, env=environment(folder), check=True, capture_output=True)
    length = time.monotonic() - began
    whole = (folder / "out.xlsx").read_bytes()
    codes = []
    for _ in range(amount(6, 20)):
        (folder / "out.xlsx").unlink(missing_ok=True)
        process = subprocess.Popen(
            command, cwd=folder, env=environment(folder), stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        time.sleep(chance.uniform(0.15, 1.0) * length)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=120)
        codes.append(process.returncode)
        if process.returncode == 0:
            assert whole == (folder / "out.xlsx").read_bytes()
            continue
        # before Python has come to the command, it has its own way to stop
        assert process.returncode in (progress.STOPPED, -signal.SIGINT)
        there = (folder / "out.xlsx").exists()
        if process.returncode == progress.STOPPED:
            assert ("was written before" if there else "nothing was written") in said
        assert whole == (folder / "out.xlsx").read_bytes() if there else True
        assert {"event.csv", "lists", "out.xlsx"} >= set(os.listdir(folder))
    assert progress.STOPPED in codes


def test_a_second_ctrl_c_does_not_disturb_the_clearing_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress._now, "last", float("-inf"))
    with pytest.raises(progress.Stopped):
        progress._ask()
    progress._ask()
    monkeypatch.setattr(progress._now, "last", float("-inf"))
    reached: list[str] = []
    with pytest.raises(progress.Stopped):
        reached.extend(asked_within())
    assert [] == reached


def asked_within() -> Iterator[str]:
    """Ctrl-C comes within what has to be whole, which is brought to its end."""
    with progress.whole():
        progress._ask()
        with progress.whole():
            progress._ask()
    yield "never"


class Shown(io.StringIO):
    terminal = True

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.slow
@pytest.mark.parametrize("terminal", [True, False])
def test_rows_are_counted_on_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, terminal: bool
) -> None:
    path = tmp_path / "event.csv"
    path.write_text(GAMES + "Ann,1500,Bob,1600,1,2026-10-01\n" * 12_000)
    shown = Shown()
    shown.terminal = terminal
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setenv("TERM", "xterm")

    class Now:
        """A timer without patience."""

        def __init__(self, _: float, then: object) -> None:
            self.start, self.cancel, self.is_alive = then, lambda: None, lambda: False

    monkeypatch.setattr("elo_xl.terminal.console.threading.Timer", Now)
    with console.progress("Reading the event"):
        read_table(path)
        time.sleep(0.3)
    assert ("10,000 rows" in shown.getvalue()) is terminal, shown.getvalue()


def test_progress_counts_files(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Shown()
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setenv("TERM", "xterm")
    with console.counted("Reading", 30) as told:
        for _ in range(30):
            told()
    assert "30 / 30" in shown.getvalue()


def test_nobody_listens(tmp_path: Path) -> None:
    assert list(range(20_000)) == list(progress.counted(range(20_000), "rows"))
    store_ = [Entry("1", "Ann")]
    assert store_ == list(progress.counted(store_, "players"))
