"""Books as they are in a state of the project, kept for the tests of later ones, which open them::

    python -m tests.support.kept tests/data/kept/2026-11-24

A small book of every template, filled with its invented event; a club's book of two years, with two
lists a year and a rulebook of the club's own; and in figures.json what they say, and the names and
examples of the functions. A folder that is
there is never written again: what it holds is the promise of docs/stability.md.
"""

import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from elo_xl.books.book import Options
from elo_xl.engine.rulebooks import own
from elo_xl.functions.catalogue import functions
from elo_xl.functions.evaluation import evaluate
from elo_xl.templates import gallery
from elo_xl.templates.gallery import TEMPLATES
from elo_xl.templates.opened import old_book
from tests.support.clubs import FOUR, club, games_file
from tests.support.command import invoke
from tests.support.command import run_in_a_line as run
from tests.support.template_books import by_rulebook

SMALL: Final = 6
ONCE: Final = {"round-robin": {"rounds": 1}}
"""How often everybody meets everybody."""
FIGURES: Final = "figures.json"
CLUB: Final = "rivertown-years.xlsx"
RULES: Final = "rivertown.toml"
OWN: Final = """\
title = "Rivertown club rules"
model = "logistic"
cap = 400
rounding = "whole"
floor = 800

[[k]]
k = 32
games_below = 30
[[k]]
k = 16

[first]
method = "performance"
games = 3
floor = 1000
"""
EVENINGS: Final = (
    ("2024-03-08", "", ("Aubert;Blanco;1-0", "Costa;Duarte;½", "Duarte;Aubert;0-1")),
    ("2024-09-13", RULES, ("Blanco;Costa;0-1", "Duarte;Blanco;1-0", "Aubert;Costa;½")),
    ("2025-03-14", "", ("Costa;Aubert;1-0", "Blanco;Duarte;½", "Eck;Blanco;1-0")),
    ("2025-09-12", RULES, ("Eck;Aubert;½", "Duarte;Costa;0-1", "Blanco;Eck;0-1")),
)
"""First day, rulebook, games; a list follows each."""
NAMES: Final = {str(member["name"]).partition(",")[0]: str(member["name"]) for member in FOUR}


def sized(template: str, most: int, **chosen: Any) -> Options:
    """A book for so many, or for as many as there must be."""
    known = TEMPLATES[template]
    for key, bounds in (("players", known.players), ("rounds", known.rounds)):
        if bounds:
            chosen.setdefault(key, max(bounds[0], min(bounds[2], most)))
    return gallery.options(template, **chosen)


@contextmanager
def rulebooks(folder: Path) -> Iterator[None]:
    """The rulebooks in a folder are those of whoever gives the commands."""
    before = os.environ.get(own.FOLDER)
    os.environ[own.FOLDER] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ[own.FOLDER]
        else:
            os.environ[own.FOLDER] = before


def rated(book: Path) -> dict[str, Any]:
    """The new ratings of an event, by names."""
    done = invoke("rate", book, "--dry-run", "--json")
    told = json.loads(done.stdout)
    return {player["name"]: player["new"] for player in told["players"]}


def published(book: Path, folder: Path) -> dict[str, Any]:
    """The rows of what a book shows to everybody, by its tables."""
    file = folder / f"{book.stem}.json"
    run("publish", book, "-o", file, "--force")
    tables = json.loads(file.read_text(encoding="utf-8"))["tables"]
    return {table["key"]: table["rows"] for table in tables}


def signatures() -> dict[str, Any]:
    """The worksheet functions: the names of their arguments, and their examples with results."""
    return {
        name: {
            "arguments": [argument.name for argument in function.arguments],
            "required": [argument.name for argument in function.arguments if argument.required],
            "examples": [
                [list(example.arguments), evaluate(function, *example.arguments)]
                for example in function.examples
            ],
        }
        for name, function in functions().items()
    }


def years(folder: Path) -> None:
    """The club's book: events and lists, by the commands."""
    book = club(folder / CLUB, FOUR, players=12, rounds=40)
    for day, rules, games in EVENINGS:
        lines = [re.sub(r"[A-Z]\w+", lambda n: NAMES.get(n[0], "Eck, Evi"), game) for game in games]
        file = games_file(folder, *lines, name="evening.csv")
        chosen = ["--rules", Path(rules).stem] if rules else []
        run("add", book, file, "--date", day, "--name", f"Evening {day}", "--new", *chosen)
        run("close", book, "--date", f"{day[:8]}30")
        file.unlink()
    for copy in folder.glob(f"{book.stem} (*.xlsx"):
        copy.unlink()


def make(folder: Path) -> None:
    """Write the folder of today."""
    folder.mkdir(parents=True)
    for template in TEMPLATES:
        options = sized(template, SMALL, **ONCE.get(template, {}))
        content = gallery.sample(template, options)
        (folder / f"{template}.xlsx").write_bytes(gallery.make(template, options, content))
    (folder / RULES).write_text(OWN, encoding="utf-8")
    with rulebooks(folder), TemporaryDirectory() as work:
        years(folder)
        books = sorted(folder.glob("*.xlsx"))
        figures = {
            "functions": signatures(),
            "rated": {name: rated(folder / f"{name}.xlsx") for name in by_rulebook()},
            "published": {
                book.stem: published(book, Path(work))
                for book in books
                if any(s.set_up.wall for s in old_book(book.read_bytes()).book.sheets.values())
            },
        }
    text = json.dumps(figures, ensure_ascii=False, indent=1)
    (folder / FIGURES).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    make(Path(sys.argv[1]))
