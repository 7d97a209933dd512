"""Attacks by the thousand: books of nonsense, damaged files, commands that are killed.

``python -m tests.support.attack books --amount 500``, ``damaged --amount 1000`` (a format) and
``kills --amount 3000`` print a table, and each fault with the seed that repeats it. All run in this
process's children, which begin where everything is imported: Python starts once.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import json
import os
import pkgutil
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Final

import elo_xl
from elo_xl.cli import main
from elo_xl.lists import store
from tests.support import lint, package_rules

ROOT: Final = Path(__file__).parents[2]
PATIENCE, MEMORY = 20, 4 << 30
"""Seconds of the processor and bytes of addresses that a command may take."""
WRITES: Final = "os.rename", "os.link", "os.remove", "os.chmod", "os.truncate", "os.mkdir"


@dataclass(frozen=True)
class Ended:
    """How a command ended: its exit code, or the signal as a negative one, and what it said."""

    code: int
    said: str

    @property
    def fault(self) -> str:
        """What no file may bring about."""
        if self.code < 0:
            return f"ended by signal {-self.code}"
        if self.code not in (0, 1, 2):
            return f"exit code {self.code}"
        for line in self.said.splitlines():
            if "internal error" in line or "Traceback" in line or "MemoryError" in line:
                return line[:200]
        return "" if not self.code or "error: " in self.said.lower() else "no word of an error"


def run(words: Sequence[str], folder: Path, kill: float | int | None = None) -> Ended:
    """A command in a child; ``kill``: after these seconds, or at its n-th change of a file."""
    said = folder.parent / "said"
    said.write_text("")  # the child may be killed before it opens the file
    child = os.fork()
    if not child:
        _become(words, folder, said, kill if isinstance(kill, int) else None)
    if isinstance(kill, float):
        time.sleep(kill)
        os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    return Ended(os.waitstatus_to_exitcode(status), said.read_text("utf-8", "replace"))


def _become(words: Sequence[str], folder: Path, said: Path, nth: int | None) -> None:
    code = 99
    try:
        os.chdir(folder)
        out = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(out, 1)
        os.dup2(out, 2)
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        if nth is not None:
            left = nth

            def count(event: str, given: tuple[object, ...]) -> None:
                nonlocal left
                written = event == "open" and isinstance(given[2], int) and given[2] & 3
                if event in WRITES or written:
                    left -= 1
                    if left < 0:
                        os.kill(os.getpid(), signal.SIGKILL)

            sys.addaudithook(count)
        sys.argv = ["elo-xl", *words]
        main()
    except SystemExit as ended:
        code = int(ended.code or 0)
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


# -- books ----------------------------------------------------------------------------------------

_WORDS: Final = """
1e400 -1 1e9 99999999 0 1048577 { {x} {r} " "" ( ) [ ] @ # = , ; : T[@a] [@name] A1 ' $A$1:XFD9 A1#
R1C1 TRUE Players[ Nowhere!A1 '[x.xlsx]S'!A1 ROUND(1) SUM() {1,2;3} IF(1,2,3,4) INDEX(a,0)
LET(x,1,x) LAMBDA(x,x)(1) ELO_K() ELO_FIT(1) #REF! 1/0 --1 OFFSET(A1,1,1) _x0044_ ﬁ Ω \u200b
t.check_name cases(1) row_number name no K K1 R loops pieces typed marks totals names rows:0
rows:9999999 list: whole:9..1 text: input format:[[[ helper wide
"""
HOSTILE: Final = (
    *_WORDS.split(),
    *("each r", "a" * 300, f'"{"x" * 300}"', "1+" * 300 + "1", "-" * 400 + "1"),
    "IF(1," * 70 + "1" + ")" * 70,
)
_TOKEN: Final = re.compile(r'"[^"]*"|\w+|[^\w\s]')


def book(chance: random.Random, models: Sequence[str]) -> str:
    """A book in which one to four things are not as they should be."""
    lines = chance.choice(models).split("\n")
    for _ in range(chance.choice((1, 1, 2, 4))):
        at = chance.randrange(len(lines))
        line = lines[at]
        tokens = list(_TOKEN.finditer(line))
        match chance.randrange(9):
            case 0:
                del lines[at : at + chance.choice((1, 1, 3))]
            case 1:
                lines.insert(chance.randrange(len(lines)), line)
            case 2:
                lines[at] = " " * chance.randrange(13) + line.strip()
            case 3:
                lines[at] = line[: chance.randrange(len(line) + 1)]
            case 4:
                lines[at] = line + " " + chance.choice(HOSTILE)
            case 5 if tokens:
                other = chance.choice(_TOKEN.findall(chance.choice(lines)) or ["x"])
                token = chance.choice(tokens)
                lines[at] = line[: token.start()] + other + line[token.end() :]
            case _ if tokens:
                token = chance.choice(tokens)
                lines[at] = line[: token.start()] + chance.choice(HOSTILE) + line[token.end() :]
        lines = lines or [""]
    return "\n".join(lines)


def books(amount: int, seed: int, home: Path) -> Iterator[tuple[str, str, str]]:
    """Format, what came of it, and the fault: of each book."""
    made = [
        ROOT / "examples" / "table-tennis.book",
        *(ROOT / "elo_xl" / "templates").glob("*.book"),
    ]
    small = re.compile(r"^( +(?:players|rounds) (\d+)\.\.\d+ =) \d+", re.MULTILINE)
    models = [small.sub(r"\1 \2", p.read_text("utf-8")) for p in made if p.stat().st_size < 16_000]
    for number in range(seed, seed + amount):
        folder = fresh(home)
        text = book(random.Random(number), models)
        (folder / "own.book").write_text(text, "utf-8", errors="replace", newline="")
        ended = run(["new", "own.book", "-o", "own.xlsx"], folder)
        fault, result = ended.fault, folder / "own.xlsx"
        if not fault and ended.code and result.exists():
            fault = "a workbook beside an error"
        if (
            not fault
            and ended.code
            and "own.book" in ended.said
            and not re.search(r"own\.book:\d+:\d+", ended.said)
        ):
            fault = f"no line and column: {ended.said.strip()[:150]}"
        if not fault and not ended.code:
            content = result.read_bytes()
            found = [*lint.problems(content), *package_rules.problems(content)]
            fault = f"Excel would not accept: {found[0]}" if found else ""
        yield "book", f"{number}: {'refused' if ended.code else 'made'}", fault


# -- damaged files --------------------------------------------------------------------------------


def originals(home: Path) -> dict[str, tuple[bytes, list[str]]]:
    """By format: a whole file, and the command that reads it as ``{}``."""
    folder = fresh(home)
    shutil.copy(ROOT / "examples" / "rivertown-open.trf", folder / "event.trf")
    rate = ["rate", "{}", "-o", "out.xlsx"]
    rows = list(csv.reader(io.StringIO((ROOT / "examples" / "club-evening-games.csv").read_text())))
    (folder / "games.csv").write_text("\n".join(",".join(row) for row in rows) + "\n")
    cells = "".join(f"<tr>{''.join(f'<td>{c}</td>' for c in row)}</tr>" for row in rows)
    (folder / "games.html").write_text(f"<!doctype html><meta charset=utf-8><table>{cells}</table>")
    games = "".join(
        f'[Event "Open"]\n[Date "2026.10.0{n}"]\n[Round "{n}"]\n[White "Ann {n}"]\n'
        f'[Black "Bob"]\n[WhiteElo "1500"]\n[BlackElo "1600"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n\n'
        for n in range(1, 8)
    )
    (folder / "games.pgn").write_text(games)
    import pyarrow as pa
    from pyarrow import feather, parquet

    table = pa.table({
        "white": [f"Ann {n % 5}" for n in range(40)], "black": [f"Bob {n % 7}" for n in range(40)],
        "result": [n % 3 / 2 for n in range(40)], "white_elo": [1500 + n for n in range(40)],
        "black_elo": [1600] * 40, "date": ["2026-10-01"] * 40,
    })  # fmt: skip
    parquet.write_table(table, folder / "games.parquet")
    feather.write_feather(table, folder / "games.arrow", compression="uncompressed")
    swiss = "new swiss --sample --players 8 --rounds 5 -o swiss.xlsx"
    for made in (swiss, "new club --sample -o club.xlsx"):
        assert 0 == run(made.split(), folder).code
    (folder / "own.toml").write_text(
        'title = "Ours"\nmodel = "logistic"\ncap = 400\nrounding = "whole"\nfloor = 800\n'
        '[[k]]\nk = 40\ngames_below = 30\n[[k]]\nk = 20\n[first]\nmethod = "performance"\n'
    )
    (folder / "list.csv").write_text(
        "id,name,rating\n" + "".join(f"{n},Player {n},1500\n" for n in range(1, 40))
    )
    (folder / "call.json").write_text(json.dumps([[["Ann", "Bob", 1], ["Bob", "Cleo", 0.5]], 20]))
    run(["list", "import", "list.csv", "--month", "2026-10"], folder)
    names = "".join(f"Ann {n},1500\nBob {n},1600\n" for n in range(8))
    (home / "players.csv").write_text(f"name,rating\n{names}")
    shutil.copy(folder / "event.trf", home)
    ours = ["rate", str(home / "event.trf"), "--rules", "./{}", "-o", "out.xlsx"]
    long = ["rate", "{}", "--players", str(home / "players.csv"), "-o", "out.csv"]
    return {
        "xlsx (rate)": ((folder / "swiss.xlsx").read_bytes(), rate),
        "xlsx (new --from)": (
            (folder / "swiss.xlsx").read_bytes(), ["new", "--from", "{}", "-o", "out.xlsx"]),
        "xlsx (close)": (
            (folder / "club.xlsx").read_bytes(), ["close", "{}", "--date", "2026-12-01"]),
        "csv": ((folder / "games.csv").read_bytes(), rate),
        "trf": ((folder / "event.trf").read_bytes(), rate),
        "html": ((folder / "games.html").read_bytes(), rate),
        "pgn": ((folder / "games.pgn").read_bytes(), rate),
        "parquet": ((folder / "games.parquet").read_bytes(), long),
        "arrow": ((folder / "games.arrow").read_bytes(), long),
        "toml": ((folder / "own.toml").read_bytes(), ours),
    }  # fmt: skip


SIGNS: Final = (
    *("1e999", "-1", "9" * 400, "\x00", "\ufffe", "<", "&", '"', "\n", ";", "\t", "½", "é", "=1+1"),
    *("\x1b[2J", "{}", "}", "[", "0x", "٣", "1.2.3", "nan", "31.02.2026"),
)


def damaged(content: bytes, chance: random.Random) -> bytes:
    """The bytes with one to five faults; of a zip often those of one of its parts."""
    if content.startswith(b"PK") and chance.random() < 0.8:
        with zipfile.ZipFile(io.BytesIO(content)) as old:
            parts = {name: old.read(name) for name in old.namelist()}
        name = chance.choice(list(parts))
        parts[name] = damaged(parts[name], chance)
        if chance.random() < 0.1:
            del parts[name]
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
            for each, part in parts.items():
                made.writestr(each, part)
        return buffer.getvalue()
    data = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 5))):
        at = chance.randrange(len(data) + 1)
        end = at + chance.choice((1, 1, 4, 40, 400))
        match chance.randrange(9):
            case 0:
                del data[at:end]
            case 1:
                data[at:at] = data[at:end] * chance.choice((1, 2, 50))
            case 2:
                data[at:at] = bytes(chance.randrange(256) for _ in range(chance.choice((1, 3, 20))))
            case 3:
                del data[at:]
            case 4 if at < len(data):
                data[at] ^= 1 << chance.randrange(8)
            case 5:
                text = chance.choice(SIGNS).encode()
                data[at : at + chance.choice((0, 1, 4))] = text
            case _:
                numbers = list(re.finditer(rb"\d+", bytes(data)))
                if numbers:
                    number = chance.choice(numbers)
                    new = chance.choice(
                        (b"0", b"-5", b"99999999999", b"1e5", b"", b"4000000000", b"x")
                    )
                    data[slice(*number.span())] = new
    return bytes(data)


def damages(amount: int, seed: int, home: Path) -> Iterator[tuple[str, str, str]]:
    """Format, what came of it, and the fault: of each damaged file."""
    files = originals(home)
    for number in range(seed - 1, seed + amount):
        for kind, (content, words) in files.items():
            folder = fresh(home)
            path = folder / f"file.{kind.split()[0]}"
            whole = number < seed
            bad = content if whole else damaged(content, random.Random(f"{kind} {number}"))
            path.write_bytes(bad)
            ended = run([word.format(path.name) for word in words], folder)
            fault = ended.fault
            if whole:
                assert 0 == ended.code, (kind, ended.said)
                continue
            if not fault and ended.code:
                named = f"{ended.said} {path.name}"
                left = sorted(p.name for p in folder.iterdir() if p.name not in named)
                fault = f"beside an error: {left}" if left else ""
            if not fault and ended.code and path.read_bytes() != bad:
                fault = "the file has changed"
            yield kind, f"{number}: {'refused' if ended.code else 'read'}", fault


# -- kills ----------------------------------------------------------------------------------------

EVENT: Final = (
    "White,White Elo,Black,Black Elo,Result,Date\nAnn,1500,Bob,1600,1,2026-10-01\n"
    "Bob,1600,Cleo,1700,0.5,2026-10-02\nCleo,1700,Ann,1500,1,2026-10-03\n"
)
IN_PLACE: Final = {
    "add": ["add", "club.xlsx", "event.csv"],
    "close": ["close", "club.xlsx", "--date", "2026-12-01"],
    "undo": ["undo", "club.xlsx"],
    "larger": [
        "new",
        "club",
        "--from",
        "club.xlsx",
        "--players",
        "12",
        "-o",
        "club.xlsx",
        "--force",
    ],
    "pair": ["pair", "swiss.xlsx"],
}
"""Commands that write over a book."""
NEW: Final = {
    "rate": (["rate", "event.csv", "-o", "out.xlsx"], "out.xlsx"),
    "new": (["new", "match-odds", "--sample", "-o", "out.xlsx"], "out.xlsx"),
    "publish": (["publish", "swiss.xlsx", "-o", "out.html"], "out.html"),
    "long file": (
        ["rate", "games.parquet", "--players", "players.csv", "-o", "out.csv"],
        "out.csv",
    ),
    "list": (
        ["list", "import", "list.csv", "--month", "2026-10"],
        "lists/fide-2026-10.rating-list",
    ),
}
"""Commands that write a file, and this file."""


def beginnings(home: Path) -> dict[str, Path]:
    """For each command the folder in which it begins."""
    files, first = originals(home), home / "first"
    first.mkdir()
    (first / "event.csv").write_text(EVENT)
    (first / "list.csv").write_text("id,name,rating\n1,Ann,1500\n2,Bob,1600\n")
    (first / "games.parquet").write_bytes(files["parquet"][0])
    shutil.copy(home / "players.csv", first)
    for made in (["new", "club", "--players", "10", "--rounds", "30", "-o", "club.xlsx"],
                 ["new", "swiss", "--players", "8", "--rounds", "5", "--people", "list.csv",
                  "-o", "swiss.xlsx"]):  # fmt: skip
        ended = run(made, first)
        assert 0 == ended.code, ended.said
    added = home / "added"
    shutil.copytree(first, added)
    assert 0 == run(IN_PLACE["add"], added).code
    return {op: added if op in ("close", "undo", "larger") else first for op in (*IN_PLACE, *NEW)}


def kills(amount: int, seed: int, home: Path) -> Iterator[tuple[str, str, str]]:
    """Command, how it ended, and what is lost: of each kill."""
    starts = beginnings(home)
    taken: dict[str, float] = {}
    for op, start in starts.items():
        began = time.monotonic()
        ended = run(command(op), fresh(home, start))
        assert 0 == ended.code, (op, ended.said)
        taken[op] = time.monotonic() - began
    number = seed - 1
    while amount:
        number += 1
        chance = random.Random(number)
        op = chance.choice(list(starts))
        folder = fresh(home, starts[op])
        before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        moment = chance.choice((chance.randrange(14), taken[op] * chance.uniform(0.05, 1)))
        ended = run(command(op), folder, moment)
        if ended.code == -signal.SIGKILL:  # else it had ended before
            amount -= 1
            yield op, f"{number}: killed", lost(op, folder, before)


def command(op: str) -> list[str]:
    """Its words."""
    return IN_PLACE[op] if op in IN_PLACE else NEW[op][0]


def target(op: str) -> str:
    """The file that it writes."""
    return NEW[op][1] if op in NEW else next(w for w in IN_PLACE[op] if w.endswith(".xlsx"))


def lost(op: str, folder: Path, before: dict[Path, bytes]) -> str:
    """What is wrong after a kill, and after the next command."""
    book = folder / target(op)
    for path, content in before.items():
        if path != book and (not path.exists() or path.read_bytes() != content):
            return f"{path.name} has changed"
    if op in IN_PLACE and not book.exists():
        return "the book is gone"
    changed = book.exists() and before.get(book) != book.read_bytes()
    if op == "undo" and changed:
        following = None
    elif op in IN_PLACE and changed and op != "undo":
        following = ["undo", book.name]
    else:
        following = command(op) + (["--force"] if changed and op != "list" else [])
    if following:
        ended = run(following, folder)
        if ended.code:
            return f"{following} ended with {ended.code}: {ended.said.strip()[-200:]}"
        if following[0] == "undo" and op != "undo" and book.read_bytes() != before[book]:
            return "undo gives other bytes"
    rubbish = [p.name for p in folder.rglob("*") if p.name.startswith(".") or "-partial" in p.name]
    if rubbish and following:
        return f"left behind: {rubbish}"
    try:
        content = book.read_bytes()
        if content.startswith(b"PK") and zipfile.ZipFile(io.BytesIO(content)).testzip():
            return "a damaged file"
    except (OSError, zipfile.BadZipFile) as error:
        return f"{book.name}: {error}"
    return ""


# -- the table ------------------------------------------------------------------------------------


def fresh(home: Path, like: Path | None = None) -> Path:
    """An empty folder, or a copy of one."""
    folder = home / "work" / "folder"
    shutil.rmtree(folder.parent, ignore_errors=True)
    folder.parent.mkdir()
    shutil.copytree(like, folder) if like else folder.mkdir()
    os.environ[store.FOLDER] = str(folder / "lists")
    return folder


WAYS: Final[dict[str, Callable[[int, int, Path], Iterator[tuple[str, str, str]]]]] = {
    "books": books, "damaged": damages, "kills": kills,
}  # fmt: skip


def attack(way: str, amount: int, seed: int) -> None:
    """Print the faults and, at the end or when stopped, how often what came of what."""
    for module in pkgutil.walk_packages(elo_xl.__path__, "elo_xl."):
        if "spark" not in module.name and "__main__" not in module.name:
            with contextlib.suppress(ImportError):
                import_module(module.name)
    counted = Counter[str]()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt), tempfile.TemporaryDirectory() as home:
        for kind, came, fault in WAYS[way](amount, seed, Path(home)):
            counted[f"{kind}: {came.partition(': ')[2]}"] += 1
            if fault:
                counted[f"{kind}: fault"] += 1
                sys.stdout.write(f"{kind} {came}: {fault}\n")
                sys.stdout.flush()
    for what, count in sorted(counted.items()):
        sys.stdout.write(f"{what}\t{count}\n")


if __name__ == "__main__":
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("way", choices=WAYS)
    given.add_argument("--amount", type=int, default=20)
    given.add_argument("--seed", type=int, default=0)
    attack(**vars(given.parse_args()))
