"""Write the ready-made workbooks.

workbooks.py              the English ones of built-in functions, into the folder workbooks
workbooks.py --missing    of these only what is not there yet: the others wait for the next release
workbooks.py --all        also those of every language and flavour, into dist/workbooks
workbooks.py --zip FILE   those of built-in functions in every language, into an archive

A file in which nothing would change stays as it is.
"""

from __future__ import annotations

import hashlib
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final

from elo_xl import __version__
from elo_xl.addresses import PUBLISHED, REPOSITORY
from elo_xl.books.flavours import FLAVOURS
from elo_xl.languages import CODES, LANGUAGES
from elo_xl.templates.gallery import TEMPLATES, further_sizes, ready_made
from elo_xl.xlsx.files import write_whole
from elo_xl.xlsx.in_place import read_parts
from elo_xl.xlsx.opc import zipped

ROOT = Path(__file__).parents[1]
TEXTS: Final = Path(__file__).with_name("release_texts")
READ_ME: Final = {
    code: tomllib.loads((TEXTS / f"{code}.toml").read_text(encoding="utf-8")) for code in CODES
}
"""What lies beside the workbooks of a language in the archive."""


def write(
    folder: Path, language: str = CODES[0], functions: str = "formulas", *, missing: bool = False
) -> None:
    """Write the files of a language and flavour, and delete others that are there; ``missing``:
    what is there stays as it is."""
    folder.mkdir(parents=True, exist_ok=True)
    files = dict(ready_made(language, functions))
    for name, make in files.items():
        path = folder / name
        if missing and path.exists():
            continue
        content = make()
        if not path.exists() or held(path.read_bytes()) != held(content):
            write_whole(path, content)
    for path in folder.glob("*.xlsx"):
        if path.name not in files:
            path.unlink()


def held(workbook: bytes) -> str:
    """What a workbook holds, as a digest: another zlib packs the same parts otherwise, and the last
    bits of an exponential are the processor's, so numbers in cells count with twelve digits."""
    number = re.compile(rb"<v>(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)</v>")
    digest = hashlib.sha256()
    for name, part in sorted(read_parts(workbook).items()):
        rounded = number.sub(lambda value: b"<v>%.12g</v>" % float(value[1]), part)
        digest.update(b"%b %d\n%b" % (name.encode(), len(rounded), rounded))
    return digest.hexdigest()


def jobs(everything: bool) -> Iterator[tuple[Path, str, str]]:
    """Folder, language and flavour of what is to be written."""
    yield ROOT / "workbooks", CODES[0], "formulas"
    if everything:
        for language in CODES:
            for functions in FLAVOURS:
                yield ROOT / "dist" / "workbooks" / language / functions, language, functions


def folder(language: str) -> dict[str, bytes]:
    """The files of a language in the archive, by their places there."""
    books = dict(ready_made(language)) | dict(further_sizes(language))
    return in_folder(language, {name: make() for name, make in books.items()})


def in_folder(language: str, books: Mapping[str, bytes]) -> dict[str, bytes]:
    """The read-me of a language first, then empty workbooks, those for fewer players and samples in
    folders of their own."""
    top, words = LANGUAGES[language].name, READ_ME[language]
    folders: dict[str, dict[str, bytes]] = {top: {}, f"{top}/{words['sizes']}": {}}
    for name, book in books.items():
        kind = Path(name).stem.rpartition("-")[2]
        inside = "samples" if kind == "sample" else "sizes" if kind.isdigit() else ""
        place = f"{top}/{words[inside]}" if inside else top
        folders.setdefault(place, {})[f"{place}/{name}"] = book
    files = {name: book for inside in folders.values() for name, book in inside.items()}
    return {f"{top}/{words['file']}": read_me(language), **files}


def read_me(language: str) -> bytes:
    """What to do with the workbooks, as every editor of Windows shows it."""
    words = READ_ME[language]
    text: str = words["text"].format(
        version=__version__,
        books="\n".join(
            f"{name}.xlsx\n    {template.summary(language)}"
            for name, template in TEMPLATES.items()
            if language in template.languages
        ),
        samples=words["samples"],
        sizes=words["sizes"],
        home=REPOSITORY if PUBLISHED else "elo-xl --help",
    )
    return text.lstrip().replace("\n", "\r\n").encode("utf-8-sig")


def main(arguments: list[str]) -> None:
    """Write what the arguments ask for."""
    with ProcessPoolExecutor() as pool:
        if arguments[:1] == ["--zip"]:
            files = {
                name: content for part in pool.map(folder, CODES) for name, content in part.items()
            }
            write_whole(Path(arguments[1]), zipped(files))
        else:
            write_ = partial(write, missing="--missing" in arguments)
            list(pool.map(write_, *zip(*jobs("--all" in arguments), strict=True)))


if __name__ == "__main__":
    main(sys.argv[1:])
