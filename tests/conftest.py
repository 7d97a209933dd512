"""What the tests share."""

from __future__ import annotations

import pytest
from hypothesis import settings

from tests.support.calc import Calc, CalcError, find_soffice
from tests.support.examples import examples
from tests.support.libreoffice_host import with_addin

# Two workers on a busy machine make single examples slow now and then.
settings.register_profile("elo-xl", settings(deadline=None, max_examples=examples()))
settings.load_profile("elo-xl")


collect_ignore = ["support/office_hands.py", "pyodide/stand_ins.py"]
"""What only LibreOffice's own Python, or Pyodide's, can import."""

SLOW = (
    *("test_templates.py", "test_second_engine.py", "test_marks.py", "test_walks.py"),
    *("test_moves.py", "test_distribution.py", "test_release.py", "test_installer.py"),
    *("test_elo_explained", "test_rated_", "test_estimate_sd.py"),
    *(
        "test_rating_history.py",
        "test_docs.py::test_site",
        "test_libreoffice_addin.py::test_wheels",
    ),
    *(
        "test_validator.py",
        "test_bayes.py::test_lambda",
        "test_lint.py::test_the_",
        "test_xlwings_udfs.py::test_every",
    ),
    *("test_native.py::test_inlined", "test_evaluate.py::test_ironcalc"),
    "test_publish.py::test_books_with",
)
"""Tests of whole books in every form, and what else takes seconds."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that `make check` leaves out: those that start LibreOffice or Chromium, and
    slow ones."""
    for item in items:
        if {"calc", "addin_calc"} & set(getattr(item, "fixturenames", ())):
            item.add_marker("libreoffice")
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
        if item.nodeid.partition("/")[2].startswith(SLOW):
            item.add_marker("slow")


@pytest.fixture(scope="session")
def calc(tmp_path_factory: pytest.TempPathFactory) -> Calc:
    """LibreOffice; the test fails without it, because a skipped test proves nothing."""
    try:
        return Calc(find_soffice(), tmp_path_factory.mktemp("calc"))
    except CalcError as missing:
        reason = str(missing)
    pytest.fail(reason, pytrace=False)


@pytest.fixture(scope="session")
def addin_calc(calc: Calc, tmp_path_factory: pytest.TempPathFactory) -> Calc:
    """LibreOffice with the functions in it."""
    return with_addin(calc.soffice, tmp_path_factory.mktemp("addin"))
