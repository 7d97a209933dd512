"""Write the ready-made workbooks: workbooks.py, or for a release workbooks.py --all.

The folder ``workbooks`` holds the English ones of built-in functions; with ``--all`` those of every
language and flavour are written into folders of ``dist/workbooks``. A file in which nothing would
change stays as it is.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from elo_xl.books.flavours import FLAVOURS
from elo_xl.languages import CODES
from elo_xl.templates.gallery import ready_made
from elo_xl.xlsx.files import write_whole
from elo_xl.xlsx.in_place import read_parts

ROOT = Path(__file__).parents[1]


def write(folder: Path, language: str = CODES[0], functions: str = "formulas") -> None:
    """Write the files of a language and flavour, and delete others that are there."""
    folder.mkdir(parents=True, exist_ok=True)
    files = dict(ready_made(language, functions))
    for name, make in files.items():
        path, content = folder / name, make()
        # what is inside: another zlib packs the same parts otherwise
        if not path.exists() or read_parts(path.read_bytes()) != read_parts(content):
            write_whole(path, content)
    for path in folder.glob("*.xlsx"):
        if path.name not in files:
            path.unlink()


def jobs(everything: bool) -> Iterator[tuple[Path, str, str]]:
    """Folder, language and flavour of what is to be written."""
    yield ROOT / "workbooks", CODES[0], "formulas"
    if everything:
        for language in CODES:
            for functions in FLAVOURS:
                yield ROOT / "dist" / "workbooks" / language / functions, language, functions


if __name__ == "__main__":
    with ProcessPoolExecutor() as pool:
        list(pool.map(write, *zip(*jobs("--all" in sys.argv[1:]), strict=True)))
