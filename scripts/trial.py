"""The trial in Excel as one file for people without Python: python -m scripts.trial FILE.

It has the page ``docs/excel-trial.md``, a workbook for the answers, and all books, each with a
sheet that compares what it stores with what a program computes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt

from elo_xl.books import book_file, examples
from elo_xl.books.book import Options
from elo_xl.templates import gallery
from elo_xl.xlsx.files import write_whole
from elo_xl.xlsx.opc import zipped
from elo_xl.xlsx.selfcheck import checked
from scripts.checklist import TRIAL, steps, workbook

PROBES: Final = Path(__file__).with_name("probes.book")
FUNCTIONS: Final = "elo-functions.xlsx"
"""has LAMBDA names, which older programs do not compute"""
STYLE: Final = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse}td,th{border:1px solid #bbb;padding:.4rem;text-align:left;"
    "vertical-align:top}code{background:#eee}"
)


def files() -> dict[str, Callable[[], bytes]]:
    """What makes each file, by its place in the archive."""
    made = {f"books/{name}": partial(_with_sheet, make) for name, make in books().items()}
    return {f"{TRIAL.stem}.html": page, "answers.xlsx": _answers, **made}


def books() -> dict[str, Callable[[], bytes]]:
    """What makes each book, still without its sheet."""
    samples = {
        f"{name}{'-sample' if gallery.sample(name, _near(name)) else ''}.xlsx": partial(_book, name)
        for name in gallery.TEMPLATES
    }
    return {**samples, "probes.xlsx": _probes, FUNCTIONS: examples.workbook}


def page() -> bytes:
    """The page as a browser shows it."""
    text = TRIAL.read_text(encoding="utf-8")
    body = MarkdownIt("commonmark").enable("table").render(text)
    title = text.partition("\n")[0].removeprefix("# ")
    head = f'<meta charset="utf-8"><title>{title}</title><style>{STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n{body}</html>\n'.encode()


def _answers() -> bytes:
    return workbook(steps(TRIAL.read_text(encoding="utf-8")), TRIAL)


def _near(name: str) -> Options:
    return gallery.options(name, filled=True)


def _book(name: str) -> bytes:
    return gallery.make(name, _near(name), gallery.sample(name, _near(name)))


def _probes() -> bytes:
    return book_file.read(PROBES, Options(), filled=True).file()


def _with_sheet(make: Callable[[], bytes]) -> bytes:
    return checked(make())[0]


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.parent.mkdir(parents=True, exist_ok=True)
    write_whole(target, zipped({place: make() for place, make in files().items()}))
    sys.stdout.write(f"{target}\n")
