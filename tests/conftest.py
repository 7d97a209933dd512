"""What the tests share."""

from __future__ import annotations

import gc
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from doctest import DocTestFinder
from pathlib import Path
from types import ModuleType
from typing import Final, Literal

import pytest
from hypothesis import settings

import elo_xl
from tests.support import ROOT
from tests.support.browser import Browser, BrowserError, find_chromium
from tests.support.calc import Calc, CalcError, Values, find_soffice
from tests.support.javascript import run
from tests.support.levels import LEFT_OUT, LEVEL, examples
from tests.support.libreoffice_host import with_addin
from tests.support.once import Made, once, start

# Two workers on a busy machine make single examples slow now and then.
settings.register_profile("elo-xl", settings(deadline=None, max_examples=examples()))
settings.load_profile("elo-xl")


_of_module = DocTestFinder._from_module  # type: ignore[attr-defined]


def _at_home(finder: DocTestFinder, module: ModuleType, thing: object) -> bool:
    """Whether a doctest is of a module: what is public says that it is of elo_xl."""
    if getattr(thing, "__module__", "") == "elo_xl" and hasattr(thing, "__qualname__"):
        return f"elo_xl.{vars(elo_xl)['_HOMES'].get(thing.__qualname__)}" == module.__name__
    return bool(_of_module(finder, module, thing))


DocTestFinder._from_module = _at_home  # type: ignore[attr-defined]

collect_ignore = ["support/office_hands.py"]
"""What only LibreOffice's own Python can import."""


MARKED: Final = {
    "calc": "libreoffice",
    "addin_calc": "libreoffice",
    "browser": "browser",
    "node": "slow",
    "spark": "proof",
}
"""The mark of a test that uses a fixture: a program that it starts."""


def pytest_configure(config: pytest.Config) -> None:
    """Make the folder of what is made once in a run."""
    start(config)


def pytest_collection_finish() -> None:
    """Look seldom for circles of objects: what the tests make in millions has hardly any."""
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


def pytest_report_header() -> str:
    return f"level: {LEVEL} (ELO_XL_LEVEL is check, test or proof)"


def pytest_ignore_collect(collection_path: Path) -> Literal[True] | None:
    """Do not even import a file that says as a whole that it is beyond the level."""
    if not collection_path.match("test_*.py"):
        return None
    marks = re.findall(
        r"^pytestmark = pytest\.mark\.(\w+)$", collection_path.read_text("utf-8"), re.MULTILINE
    )
    return True if LEFT_OUT[LEVEL].intersection(marks) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is beyond the level."""
    for item in items:
        for fixture in {*getattr(item, "fixturenames", ())} & MARKED.keys():
            item.add_marker(MARKED[fixture])
    left_out = [
        item for item in items if LEFT_OUT[LEVEL] & {mark.name for mark in item.iter_markers()}
    ]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in set(left_out)]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what ``make proof`` tried that ``make test`` does not."""
    if LEVEL != "proof":
        return
    tried = Counter(
        report.nodeid.partition("[")[0]
        for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed")
        if report.when == "call" and "proof" in report.keywords
    )
    terminalreporter.section(f"proof: {tried.total()} tests that `make test` leaves out")
    for name, number in sorted(tried.items()):
        terminalreporter.line(f"{number:6} {name}")
    terminalreporter.line(f"properties were tried on {examples()} examples, unless they name more")


@pytest.fixture(scope="session")
def calc(tmp_path_factory: pytest.TempPathFactory) -> Calc:
    """LibreOffice; the test fails without it, because a skipped test proves nothing."""
    try:
        return Calc(find_soffice(), tmp_path_factory.mktemp("calc"))
    except CalcError as missing:
        reason = str(missing)
    pytest.fail(reason, pytrace=False)


@pytest.fixture(scope="session")
def validator() -> str:
    """Microsoft's validator of Office files: its path."""
    found = subprocess.run(
        [ROOT / "scripts" / "validator.sh", "--find"], capture_output=True, text=True, check=False
    )
    if found.returncode:
        pytest.skip(found.stderr.strip())
    return found.stdout.strip()


@pytest.fixture(scope="session")
def node() -> Callable[..., str]:
    """What a program prints in Node, with the packages of ``tests/javascript``."""
    found = subprocess.run(
        [ROOT / "scripts" / "javascript.sh", "--find"], capture_output=True, text=True, check=False
    )
    if found.returncode:
        pytest.fail(found.stderr.strip(), pytrace=False)
    return run


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Chromium; the test fails without it, because a skipped test proves nothing."""
    try:
        program = find_chromium()
    except BrowserError as missing:
        pytest.fail(str(missing), pytrace=False)
    with Browser(program, tmp_path_factory.mktemp("chromium") / "profile") as opened:
        yield opened


@pytest.fixture(scope="session")
def addin_calc(calc: Calc, tmp_path_factory: pytest.TempPathFactory) -> Calc:
    """LibreOffice with the functions in it."""
    return with_addin(calc.soffice, tmp_path_factory.mktemp("addin"))


@pytest.fixture(scope="session")
def computed_book(calc: Calc) -> Callable[[Made], Values]:
    """LibreOffice's values of a book that was ``made``, by sheet and cell, computed once in a run:
    ``computed_book(made("swiss"))["Players"]["B5"]``."""

    def values(book: Made) -> Values:
        return once(
            f"computed {book.key}", lambda: calc.recalculate_all({book.template: book.file})
        )[book.template]

    return values
