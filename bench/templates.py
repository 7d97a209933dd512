"""The books of all templates: how long they take to make, and to compute in LibreOffice.

A usual book has half a second of one processor, filled with its sample, the largest three seconds,
filled to the last row. Computing the largest may take LibreOffice two seconds: that is what loading
takes longer where everything is computed again than where it is not.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bench._timing import fastest
from elo_xl.books.book import Book, Content, Options
from elo_xl.templates import gallery
from elo_xl.xlsx.evaluate import Workbook
from tests.support.calc import Calc, find_soffice
from tests.support.libreoffice_host import with_addin
from tests.support.template_events import GENERATORS

LIMIT = 2.0
RECALCULATE = '<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>{}</value>'


MAKING = {"usual": 0.5, "largest": 3.0}


def filled(name: str, functions: str, *, largest: bool) -> tuple[Options, Content]:
    """The options of a book and what is typed into it."""
    template = gallery.TEMPLATES[name]
    if not largest:
        options = gallery.options(name, functions=functions)
        return options, gallery.sample(name, options)
    most: dict[str, Any] = {
        key: bounds[2]
        for key, bounds in (("players", template.players), ("rounds", template.rounds))
        if bounds
    }
    options = gallery.options(name, functions=functions, **most)
    return options, GENERATORS[name](options, 1, wrong=False, full=True)


def steps(name: str, options: Options, content: Content) -> dict[str, float]:
    """Seconds of each step in making a book: its declaration, the values of its formulas, its
    cells, its file."""
    values, spent = Workbook.values, 0.0

    def timed(computed: Workbook, sheet: str) -> Any:
        nonlocal spent
        start = time.process_time()
        found = values(computed, sheet)
        spent += time.process_time() - start
        return found

    marks = [time.process_time()]
    book = Book(name, options, content)
    gallery.TEMPLATES[name].module.build(book)
    marks.append(time.process_time())
    with patch.object(Workbook, "values", timed):
        book.finish()
    marks.append(time.process_time())
    book.file()
    marks.append(time.process_time())
    declared, written, packed = (b - a for a, b in pairwise(marks))
    return {"declare": declared, "values": spent, "write": written - spent, "package": packed}


def making() -> None:
    for name in gallery.TEMPLATES:
        for size, limit in MAKING.items():
            options, content = filled(name, "formulas", largest=size == "largest")
            found = min(
                (steps(name, options, content) for _ in range(3)), key=lambda s: sum(s.values())
            )
            took = sum(found.values())
            print(
                f"{name + ', ' + size:<40} {took:6.2f} s  limit {limit:g}"
                f"  {'ok' if took <= limit else 'OVER'}"
                f"  ({', '.join(f'{step} {s:.2f}' for step, s in found.items())})"
            )


def books(folder: Path, functions: str) -> dict[str, Path]:
    """Every template at its largest size, and full."""
    made = {}
    for name in gallery.TEMPLATES:
        options, content = filled(name, functions, largest=True)
        made[name] = folder / f"{name}-{functions}.xlsx"
        made[name].write_bytes(gallery.make(name, options, content))
    return made


def never(calc: Calc) -> None:
    """Make LibreOffice use the values stored in its files."""
    for file in calc.profile.rglob("registrymodifications.xcu"):
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace(RECALCULATE.format(0), RECALCULATE.format(1)))


def convert(calc: Calc, path: Path) -> Callable[[], Path]:
    return lambda: calc.convert(path, "csv", limit=300)


def main() -> None:
    making()
    soffice = find_soffice()
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        always, stored = (with_addin(soffice, folder / name) for name in ("always", "stored"))
        never(stored)
        for functions in ("formulas", "libreoffice"):
            for name, path in books(folder, functions).items():
                computed, loaded = fastest(2, convert(always, path), convert(stored, path))
                took = computed - loaded
                verdict = "ok" if took <= LIMIT else "OVER"
                print(
                    f"{name + ', ' + functions:<40} {took:6.2f} s  limit {LIMIT:g}  {verdict}"
                    f"  (loading alone {loaded:.2f} s)"
                )


if __name__ == "__main__":
    main()
