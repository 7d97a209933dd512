"""Whole commands, killed at random moments or two at once: files are whole, and no change is lost.

`python -m tests.cli.test_killed 300 7` kills 300 of them and prints what it saw.
"""

import os
import random
import re
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from itertools import count, pairwise
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


def watched(told: Callable[[int], None]) -> None:
    """Have a function told the number of each write of this process to the disk, before it."""
    numbers = count()

    def hear(event: str, given: tuple[object, ...]) -> None:
        opened = event == "open" and isinstance(given[2], int) and given[2] & 3
        if event in WRITES or opened:
            told(next(numbers))

    sys.addaudithook(hear)


def killed_after(writes: int) -> Callable[[int], None]:
    more = count()
    return lambda _: os.kill(os.getpid(), signal.SIGKILL) if next(more) >= writes else None


def process(
    folder: Path, words: tuple[str, ...], told: Callable[[int], None] | None = None
) -> ForkProcess:
    """A command that runs in a process of its own, which tells its writes."""

    def work() -> None:
        os.chdir(folder)
        os.environ[store.FOLDER] = str(folder / "lists")
        log = os.open("log.txt", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(log, 1)
        os.dup2(log, 2)
        sys.argv = ["elo-xl", *words]
        if told is not None:
            watched(told)
        main()

    running = FORK.Process(target=work)
    running.start()
    return running


def carried_out(
    folder: Path, words: tuple[str, ...], told: Callable[[int], None] | None = None
) -> None:
    running = process(folder, words, told)
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
    """A command that is killed again and again, and its work between two writes that is longest."""

    def __init__(self, name: str) -> None:
        self.case = CASES[name]
        self.begin = tempfile.mkdtemp()
        filled(Path(self.begin), self.case)
        self.left: set[object] = set()
        with self.folder() as folder:
            begun, (heard, tell) = time.monotonic(), FORK.Pipe(duplex=False)
            carried_out(folder, self.case.words, lambda _: tell.send(time.process_time()))
            self.seconds = time.monotonic() - begun
            self.new = self.outcome(state(folder, self.case))
        moments = [0.0]
        while heard.poll():
            moments.append(heard.recv())
        works = [end - begin for begin, end in pairwise(moments)]
        self.pause = works.index(max(works))
        self.writes = len(works) - self.pause

    def close(self) -> None:
        shutil.rmtree(self.begin)

    @contextmanager
    def folder(self) -> Iterator[Path]:
        with tempfile.TemporaryDirectory() as name:
            shutil.copytree(self.begin, name, dirs_exist_ok=True)
            yield Path(name)

    def outcome(self, there: object) -> object:
        return sheets_of(there) if isinstance(there, bytes) and there[:2] == b"PK" else there

    def turn(self, chance: random.Random) -> str:
        """Kill it once; what is there then."""
        with self.folder() as folder:
            write = killed_after(chance.randrange(14)) if chance.random() < 0.5 else None
            running = process(folder, self.case.words, write)
            if write is None:
                least = chance.choice((0.0, 0.6, 0.8))
                time.sleep(self.seconds * chance.uniform(least, 1.1))
                running.kill()
            running.join()
            return self.there(folder, running.exitcode == -9)

    def turns(self, chance: random.Random, number: int) -> Iterator[str]:
        """Kill it so often once its work is done, each time a copy of the process that did it."""
        heard, tell = FORK.Pipe(duplex=False)
        then: Callable[[int], object] | None = None
        rest = 0.0

        def told(write: int) -> None:
            nonlocal then, rest
            if then is not None or write != self.pause:
                _ = then and then(write)
                return
            then = bool  # the checks write, too
            kept = tempfile.mkdtemp()
            shutil.copytree(folder, kept, dirs_exist_ok=True)
            for turn in range(number + 1):  # the first goes on to its end
                writes, wait = chance.randrange(self.writes), rest * chance.uniform(0, 1.1)
                begun, copy = time.monotonic(), os.fork()
                if copy == 0:
                    then = killed_after(writes) if turn % 2 else then
                    return
                if turn and turn % 2 == 0:
                    time.sleep(wait)
                    os.kill(copy, signal.SIGKILL)
                _, status = os.waitpid(copy, 0)
                rest = rest or time.monotonic() - begun
                for lock in folder.glob(".*.elo-xl*"):
                    lock.write_text(lock.read_text().replace(f"{os.getpid()} ", f"{copy} "))
                try:
                    tell.send(self.there(folder, status == signal.SIGKILL))
                except (AssertionError, OSError) as wrong:
                    tell.send(f"WRONG {str(wrong)[:600]}")
                for path in folder.iterdir():
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
                shutil.copytree(kept, folder, dirs_exist_ok=True)
            shutil.rmtree(kept)
            os._exit(0)

        with self.folder() as folder:
            running = process(folder, self.case.words, told)
            tell.close()
            with suppress(EOFError):
                while True:
                    yield heard.recv()
            running.join()
            assert 0 == running.exitcode, (folder / "log.txt").read_text()

    def there(self, folder: Path, killed: bool) -> str:
        """What a process has left, which is whole."""
        there, old = (state(path, self.case) for path in (folder, Path(self.begin)))
        if there != old:
            assert self.new == self.outcome(there)
        copies = {path.name for path in folder.glob("club (*).xlsx")}
        before = {path.name for path in Path(self.begin).glob("club*")}
        for copy in copies - before:
            assert (folder / copy).read_bytes() == (old if self.case.target == "club.xlsx" else b"")
        assert before <= {*copies, "club.xlsx"}
        ended = "ended" if not killed else "new" if there != old else "old"
        litter = sorted(
            (re.sub("[0-9a-f]{8}", "", path.name), path.stat().st_size)
            for path in (*folder.iterdir(), *(folder / "lists").iterdir())
            if path.name.startswith(".")
        )
        if not litter:
            return ended
        if (kind := (there != old, tuple(litter))) in self.left:
            return f"{ended}, litter as before"
        self.left.add(kind)
        self.cleared(folder, there != old)
        return f"{ended}, litter cleared"

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
        for _ in range(amount(1, 4)):
            killed.turn(chance)
        seen = list(killed.turns(chance, amount(10, 40)))
        assert "ended" == seen[0]
        assert not [what for what in seen if what.startswith("WRONG")]


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
    for name_ in CASES:
        with closing(Killed(name_)) as command:
            often = int(sys.argv[1]) // len(CASES)
            for what_ in (command.turn(chance_), *command.turns(chance_, often - 1)):
                counts[f"{name_}: {what_}"] += 1
        sys.stdout.write(f"{counts.total()} killed: {dict(sorted(counts.items()))}\n")
        sys.stdout.flush()
    for name_ in PAIRS:
        for _ in range(5):
            pair(name_)
            counts[f"pair {name_}"] += 1
    sys.stdout.write("".join(f"{n:4} {what}\n" for what, n in sorted(counts.items())))
