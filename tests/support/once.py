"""What is made once in a run of the tests, whichever of its processes needs it first."""

import io
import os
import pickle
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import Final, TypeVar, cast

import pytest
from filelock import FileLock
from openpyxl import Workbook, load_workbook

from elo_xl.books.book import Options
from elo_xl.templates import gallery
from elo_xl.xlsx.cell_xml import CellValue

T = TypeVar("T")

FOLDER: Final = "ELO_XL_TESTS_FOLDER"
"""The environment variable with the folder that all processes of a run share."""


def start(config: pytest.Config) -> None:
    """Give a run its folder, in the process that starts the others, and delete it afterwards."""
    if not hasattr(config, "workerinput"):
        folder = tempfile.TemporaryDirectory(prefix="elo-xl-tests-", ignore_cleanup_errors=True)
        os.environ[FOLDER] = folder.name
        config.add_cleanup(folder.cleanup)


def once(key: str, make: Callable[[], T]) -> T:
    """What ``make`` gives, which is called once in a run, though two processes ask for it.

    The first who asks makes it, and who asks meanwhile waits. All get copies, so nobody sees what
    another does to theirs. ``key`` says all that the value depends on; the value can be pickled.
    """
    path = Path(os.environ[FOLDER]) / sha256(key.encode()).hexdigest()
    with FileLock(path.with_suffix(".lock")):
        if not path.exists():
            partial = path.with_suffix(".partial")
            partial.write_bytes(pickle.dumps(make(), pickle.HIGHEST_PROTOCOL))
            partial.rename(path)
    return cast("T", pickle.loads(path.read_bytes()))


@dataclass(frozen=True)
class Made:
    """The workbook of a template as the tests read it: its file, and what was worked out for it.

    It is shared by tests, hence nobody may change it; who wants to changes a copy, such as
    ``load_workbook(io.BytesIO(made.file))``.
    """

    template: str
    options: Options
    filled: bool
    file: bytes
    values: dict[tuple[str, str], CellValue]
    """by sheet and cell, what each formula gives"""
    calls: frozenset[tuple[str, str]]
    """the cells that call our functions"""

    @property
    def key(self) -> str:
        return key(self.template, self.options, filled=self.filled)

    @cached_property
    def workbook(self) -> Workbook:
        """The file as openpyxl reads it, with formulas; read when it is first asked for."""
        return load_workbook(io.BytesIO(self.file))


def key(template: str, options: Options, *, filled: bool) -> str:
    return f"{template} {options} {filled}"


@cache
def made(template: str, options: Options | None = None, *, filled: bool = True) -> Made:
    """The sample of a template, or its empty book where ``filled`` is false, built once in a run.

    ``options`` are those of ``gallery.options``, by default the usual ones, hence ``made("swiss")``
    is the ready-made ``swiss-sample.xlsx``. What LibreOffice computes of it is the fixture
    ``computed_book``.
    """
    chosen = options or gallery.options(template)

    def build() -> Made:
        book = gallery.build(template, chosen, gallery.sample(template, chosen) if filled else None)
        return Made(template, chosen, filled, book.file(), dict(book.values), frozenset(book.calls))

    return once(key(template, chosen, filled=filled), build)


@cache
def ready_made() -> dict[str, tuple[str, Options, bool]]:
    """The arguments with which :func:`made` gives the ready-made files, by the files' names."""
    return {
        name: (maker.args[0], maker.args[1], len(maker.args) > 2)  # type: ignore[attr-defined]
        for name, maker in gallery.ready_made()
    }


def ready_made_file(name: str) -> Made:
    """A ready-made file by its name, as in ``workbooks/``: ``"swiss.xlsx"``."""
    template, options, filled = ready_made()[name]
    return made(template, options, filled=filled)
