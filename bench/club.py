"""What a club waits for: an event is added to a book of 120 members, and its period is closed.

Beside it, openpyxl loads and saves the same book. Either is a whole command in a process of its
own, with its start.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from datetime import date
from functools import partial
from pathlib import Path

from bench._timing import fastest, report
from elo_xl.templates import gallery
from elo_xl.templates.club import member

MEMBERS, PLAYERS, ROUNDS = 120, 40, 5
LIMITS = {"add": 1.5, "close": 1.5}

SAVED = "import sys, openpyxl; openpyxl.load_workbook(sys.argv[1]).save(sys.argv[2])"


def club(names: list[str]) -> bytes:
    """The book of a club whose members have ratings."""
    options = gallery.options("club", players=len(names), rounds=300)
    members = [member(name, 1400 + 5 * i, 40, 2000, birth=1980) for i, name in enumerate(names)]
    return gallery.make("club", options, {"Club": "Castle Chess Club", "Members": members})


def event(names: list[str]) -> str:
    """A table with the games of an event."""
    chance = random.Random(1)
    there, lines = chance.sample(names, PLAYERS), ["round,white,black,result"]
    for round_ in range(1, ROUNDS + 1):
        chance.shuffle(there)
        lines += [
            f"{round_},{white},{black},{chance.choice(('1-0', '1/2-1/2', '0-1'))}"
            for white, black in zip(there[::2], there[1::2], strict=True)
        ]
    return "\n".join(lines)


def main() -> None:
    names = [f"Member {chr(65 + i % 26)}{chr(97 + i // 26)}" for i in range(MEMBERS)]
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        games, copy = folder / "open.csv", folder / "copy.xlsx"
        games.write_text(event(names), encoding="utf-8")
        before = {"add": folder / "empty.xlsx", "close": folder / "added.xlsx"}
        before["add"].write_bytes(club(names))
        steps = {
            "add": [str(games), "--name", "Autumn Open", "--date", f"{date(2026, 9, 10)}"],
            "close": ["--date", f"{date(2026, 9, 28)}"],
        }

        def python(*arguments: str) -> None:
            subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)

        def step(name: str, book: Path) -> None:
            book.write_bytes(before[name].read_bytes())
            python("-m", "elo_xl", name, str(book), *steps[name])

        step("add", before["close"])
        for name, limit in LIMITS.items():
            ours, reference = fastest(
                2,
                partial(step, name, folder / "book.xlsx"),
                partial(python, "-W", "ignore", "-c", SAVED, str(before[name]), str(copy)),
            )
            report(f"{name} in a club of {MEMBERS}", ours, reference, limit, "openpyxl")


if __name__ == "__main__":
    main()
