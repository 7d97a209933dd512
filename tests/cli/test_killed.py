"""Whole commands, killed at random moments or two at once: files are whole, and no change is lost.

`python -m tests.cli.test_killed 300 7` kills 300 of them and prints what it saw.
"""

import os
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from multiprocessing.context import ForkProcess
from pathlib import Path

import pytest

from elo_xl.cli import main
from elo_xl.club.ledger import Ledger
from elo_xl.lists import store
from elo_xl.templates import gallery
from elo_xl.xlsx.in_place import read_parts
from tests.support.clubs import typed
from tests.support.levels import amount, cases

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes are forked and killed")

FORK = get_context("fork")
NAMES = ("Ferrer, Ana", "Okafor, Ngozi", "Ibarra, Tomas", "Zeller, Bo")
EVENTS = {
    "spring.csv": "White;Elo;Black;Elo;Result\n"
    f'"{NAMES[0]}";1500;"{NAMES[1]}";1550;1-0\n"{NAMES[2]}";1600;"{NAMES[3]}";1650;0-1\n',
    "autumn.csv": f'White;Elo;Black;Elo;Result\n"{NAMES[3]}";1650;"{NAMES[0]}";1500;1-0\n',
}
ADD = ("add", "club.xlsx", "spring.csv", "--name", "Spring", "--date", "2026-03-01")
ADD_MORE = ("add", "club.xlsx", "autumn.csv", "--name", "Autumn", "--date", "2026-03-08")
CORRECT = ("correct", "club.xlsx")
CLOSE = ("close", "club.xlsx", "--date", "2026-04-01")
OPEN = ("new", "swiss", "--players", "8", "--people", "people.csv", "-o", "open.xlsx", "--force")
NATIVE = ("addin", "native", "club.xlsx", "-o", "club.xlsx")
LITE = ("addin", "lite", "club.xlsx", "-o", "club.xlsx")


@dataclass(frozen=True)
class Case:
    """A command, what runs before it, and the file that it writes."""

    words: tuple[str, ...]
    target: str = "club.xlsx"
    before: tuple[tuple[str, ...], ...] = ()
    mended: bool = False
    """whether a result of a closed period was typed anew"""


CASES = {
    "add": Case(ADD),
    "close": Case(CLOSE, before=(ADD,)),
    "correct": Case(CORRECT, before=(ADD, CLOSE), mended=True),
    "undo": Case(("undo", "club.xlsx"), before=(ADD,)),
    "new": Case(("new", "match-odds", "-o", "new.xlsx", "--force"), "new.xlsx"),
    "rate": Case(("rate", "spring.csv", "-o", "rated.xlsx", "--force"), "rated.xlsx"),
    "next": Case(("next", "swiss.xlsx", "-o", "next.xlsx", "--force"), "next.xlsx"),
    "native": Case(NATIVE),
    "lite": Case(LITE),
    "larger": Case(
        ("new", "club", "--from", "club.xlsx", "--players", "30", "-o", "club.xlsx", "--force")
    ),
    "pair": Case(("pair", "open.xlsx"), "open.xlsx", (OPEN,)),
    "publish": Case(("publish", "swiss.xlsx", "-o", "swiss.html", "--force"), "swiss.html"),
    "list import": Case(("list", "import", "list.csv", "--month", "2026-10"), "lists"),
}


WRITES = "os.rename", "os.link", "os.remove", "os.chmod", "os.truncate", "os.mkdir"


def killed_at(write: int) -> None:
    """Have this process killed before its writes to the disk are more."""
    left = write

    def count(event: str, given: tuple[object, ...]) -> None:
        nonlocal left
        opened = event == "open" and isinstance(given[2], int) and given[2] & 3
        if event in WRITES or opened:
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)


def process(folder: Path, words: tuple[str, ...], write: int | None = None) -> ForkProcess:
    """A command that runs in a process of its own, killed after so many writes."""

    def work() -> None:
        os.chdir(folder)
        os.environ[store.FOLDER] = str(folder / "lists")
        log = os.open("log.txt", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(log, 1)
        os.dup2(log, 2)
        sys.argv = ["elo-xl", *words]
        if write is not None:
            killed_at(write)
        main()

    running = FORK.Process(target=work)
    running.start()
    return running


def carried_out(folder: Path, words: tuple[str, ...]) -> None:
    running = process(folder, words)
    running.join()
    assert 0 == running.exitcode, (folder / "log.txt").read_text()


@cache
def made(template: str) -> bytes:
    options = gallery.options(template, players=20)
    content = {"Members": [{"name": name, "standard": 1500 + 50 * i, "standard_games": 40}
               for i, name in enumerate(NAMES)]}  # fmt: skip
    if template != "club":
        content = gallery.sample(template, options)  # type: ignore[assignment]
    return gallery.make(template, options, content)


def filled(folder: Path, case: Case) -> None:
    for name in ("club", "swiss"):
        (folder / f"{name}.xlsx").write_bytes(made(name))
    for name, text in EVENTS.items():
        (folder / name).write_text(text)
    rows = "".join(f"{n};Player {n};{1000 + n % 1000}\n" for n in range(1, 5_001))
    (folder / "list.csv").write_text(f"id;name;rating\n{rows}")
    (folder / "people.csv").write_text("name\n" + "".join(f"Player {n}\n" for n in range(8)))
    (folder / "lists").mkdir(exist_ok=True)
    if case.target not in ("club.xlsx", "lists"):
        (folder / case.target).write_bytes(b"what was there before")
    for words in case.before:
        carried_out(folder, words)
    if case.mended:
        typed(folder / "club.xlsx", "Rated", {(1, "result"): 0})


def sheets_of(file: bytes) -> Mapping[str, bytes]:
    """What a file is made of, but for its date and the name of its copy."""
    return {name: part for name, part in read_parts(file).items() if "docProps" not in name}


def state(folder: Path, case: Case) -> object:
    """What a folder holds of the target: bytes of a file, or how many players of lists."""
    path = folder / case.target
    if case.target != "lists":
        return path.read_bytes()
    found = []
    for kept in path.glob("*.sqlite"):
        with closing(sqlite3.connect(kept)) as base:
            assert [("ok",)] == base.execute("PRAGMA quick_check").fetchall()
            found += base.execute("SELECT COUNT(*) FROM players").fetchall()
    return found


class Killed:
    """A command that is killed again and again, each time in a new folder."""

    def __init__(self, name: str) -> None:
        self.case = CASES[name]
        self.begin = tempfile.mkdtemp()
        filled(Path(self.begin), self.case)
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(self.begin, folder, dirs_exist_ok=True)
            begun = time.monotonic()
            carried_out(Path(folder), self.case.words)
            self.seconds = time.monotonic() - begun
            self.new = self.outcome(state(Path(folder), self.case))

    def close(self) -> None:
        shutil.rmtree(self.begin)

    def outcome(self, there: object) -> object:
        return sheets_of(there) if isinstance(there, bytes) and there[:2] == b"PK" else there

    def turn(self, chance: random.Random) -> str:
        """Kill it once; what is there then."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            shutil.copytree(self.begin, folder, dirs_exist_ok=True)
            old, files = state(folder, self.case), set(folder.iterdir())
            write = chance.randrange(14) if chance.random() < 0.5 else None
            running = process(folder, self.case.words, write)
            if write is None:
                least = chance.choice((0.0, 0.6, 0.8))
                time.sleep(self.seconds * chance.uniform(least, 1.1))
                running.kill()
            running.join()
            there = state(folder, self.case)
            if there != old:
                assert self.new == self.outcome(there)
            copies = set(folder.glob("club (*).xlsx"))
            before = {path for path in files if path.name.startswith("club")}
            for copy in copies - files:
                assert copy.read_bytes() == (old if self.case.target == "club.xlsx" else b"")
            litter = {path.name for path in (*folder.iterdir(), *(folder / "lists").iterdir())
                      if path.name.startswith(".")}  # fmt: skip
            assert before <= {*copies, folder / "club.xlsx"}
            if litter:
                self.cleared(folder, there != old)
            ended = "ended" if running.exitcode != -9 else "new" if there != old else "old"
            return f"{ended}, litter" if litter else ended

    def cleared(self, folder: Path, done: bool) -> None:
        """The next command is not kept off, and nothing but its work remains."""
        words = self.case.words
        if done and (words[0] in ("add", "close", "undo", "pair") or "--from" in words):
            words = ADD if words[0] == "undo" else ("undo", self.case.target)
        carried_out(folder, words)
        left = [path.name for path in (*folder.iterdir(), *(folder / "lists").iterdir())]
        assert not [name for name in left if name.startswith(".")], left


@pytest.mark.slow
@pytest.mark.parametrize("name", cases(CASES, test=("add", "undo", "new", "list import")))
def test_killed_at_random(name: str) -> None:
    chance = random.Random(name)
    with closing(Killed(name)) as killed:
        for _ in range(amount(2, 8)):
            killed.turn(chance)


# -- two at once ----------------------------------------------------------------------------------


def events_in(folder: Path) -> set[str]:
    return set(Ledger((folder / "club.xlsx").read_bytes()).events)


def names_in(folder: Path) -> bool:
    return b"ELO_EXPECTED" in read_parts((folder / "club.xlsx").read_bytes())["xl/workbook.xml"]


PAIRS: dict[str, tuple[tuple[str, ...], tuple[str, ...], Callable[[Path], bool]]] = {
    "add, add": (ADD, ADD_MORE, lambda folder: {"Spring", "Autumn"} == events_in(folder)),
    "add, native": (
        ADD, NATIVE, lambda folder: {"Spring"} == events_in(folder) and names_in(folder)
    ),
    "lite, add": (
        LITE, ADD, lambda folder: {"Spring"} == events_in(folder) and any(
            "webextension" in part for part in read_parts((folder / "club.xlsx").read_bytes())
        )
    ),
    "native, native": (NATIVE, NATIVE, names_in),
}  # fmt: skip


def pair(name: str) -> None:
    first, second, whole = PAIRS[name]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        filled(folder, Case(first))
        both = [process(folder, words) for words in (first, second)]
        for each in both:
            each.join()
        log = (folder / "log.txt").read_text()
        assert [0, 0] == [each.exitcode for each in both], log
        assert whole(folder), log
        assert not [path.name for path in folder.iterdir() if path.name.startswith(".")]


@pytest.mark.slow
@pytest.mark.parametrize("name", cases(PAIRS, test=("add, add", "lite, add")))
def test_two_commands_at_once_lose_nothing(name: str) -> None:
    for _ in range(amount(1, 4)):
        pair(name)


if __name__ == "__main__":
    chance_, counts = random.Random(sys.argv[2]), Counter[str]()
    commands = {name: Killed(name) for name in CASES}
    for number in range(int(sys.argv[1])):
        name_ = list(CASES)[number % len(CASES)]
        try:
            counts[f"{name_}: {commands[name_].turn(chance_)}"] += 1
        except (AssertionError, OSError) as wrong_:
            counts[f"{name_}: WRONG"] += 1
            sys.stdout.write(f"{name_} {number}: {str(wrong_)[:600]}\n")
        if number % 9 == 8:
            sys.stdout.write(f"{number + 1} killed: {dict(sorted(counts.items()))}\n")
            sys.stdout.flush()
    for command in commands.values():
        command.close()
    for name_ in PAIRS:
        for _ in range(5):
            pair(name_)
            counts[f"pair {name_}"] += 1
    sys.stdout.write("".join(f"{count:4} {what}\n" for what, count in sorted(counts.items())))
