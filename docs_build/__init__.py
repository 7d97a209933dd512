"""The pages of docs/, the README and the stub of the public names, as far as they are made.

They come from the catalogue, the rulebooks and the docstrings.

``make docs`` writes them and builds the site; a test compares them with what is written. A page
made by hand may hold a part that is made: it stands between the marks of :mod:`.parts`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from docs_build import (
    calculator,
    messages_page,
    parts,
    reference_page,
    rulebook_page,
    stub,
    terminal,
    wrong_files,
)
from docs_build.function_page import function_page
from elo_xl.engine.rulebooks import RULEBOOKS
from elo_xl.functions.catalogue import functions
from tests.support import public_cases

DOCS: Final = parts.DOCS
READMES: Final = "../README.md", "../workbooks/README.md"
"""as pages of the folder"""
STUB: Final = "../elo_xl/__init__.pyi"


def pages(folder: Path = DOCS) -> dict[str, Callable[[], str]]:
    """What makes each page that is made, whole or in part, by the page's place in the folder."""
    made: dict[str, Callable[[], str]] = {
        f"functions/{f.name}.md": partial(function_page, f) for f in functions().values()
    }
    made |= rulebook_page.pages()
    made |= reference_page.pages()
    made |= calculator.pages()
    made["messages.md"] = messages_page.text
    made[STUB] = stub.text
    made["wrong-files.md"] = wrong_files.text
    made["_static/rate.svg"] = terminal.rate_picture
    made["_static/cases.json"] = public_cases.text
    for path in [*sorted(folder.rglob("*.md")), *(folder / name for name in READMES)]:
        name = path.relative_to(folder).as_posix()
        if name not in made and parts.MARK in (text := path.read_text(encoding="utf-8")):
            made[name] = partial(parts.filled, text, name)
    return made


def left_over(folder: Path = DOCS) -> list[Path]:
    """Pages of functions, rulebooks and classes that are no more."""
    known = functions().keys() | RULEBOOKS.keys()
    found = [*folder.glob("functions/ELO_*.md"), *folder.glob("rulebooks/*.md")]
    gone = [path for path in found if path.stem not in known]
    classes = [folder / name for name in reference_page.pages()]
    return gone + [path for path in folder.glob("reference/*.md") if path not in classes]


def write(folder: Path = DOCS) -> None:
    """Write the pages again, and delete those of what no longer exists."""
    for name, make in pages(folder).items():
        target, text = folder / name, make()
        target.parent.mkdir(exist_ok=True)
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")
    for path in left_over(folder):
        path.unlink()
