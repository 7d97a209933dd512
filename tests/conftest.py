"""What the tests share."""

from __future__ import annotations

import pytest
from hypothesis import settings

from tests.support.calc import Calc, CalcError, find_soffice
from tests.support.libreoffice_host import with_addin

# Two workers on a busy machine make single examples slow now and then.
settings.register_profile("elo-xl", settings(deadline=None))
settings.load_profile("elo-xl")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that start LibreOffice, so that `make check` can leave them out."""
    for item in items:
        if {"calc", "addin_calc", "soffice"} & set(getattr(item, "fixturenames", ())):
            item.add_marker("libreoffice")


@pytest.fixture(scope="session")
def calc(tmp_path_factory: pytest.TempPathFactory) -> Calc:
    """LibreOffice; the test fails where there is none, for a skipped test proves nothing."""
    try:
        return Calc(find_soffice(), tmp_path_factory.mktemp("calc"))
    except CalcError as missing:
        reason = str(missing)
    pytest.fail(reason, pytrace=False)


@pytest.fixture(scope="session")
def addin_calc(calc: Calc, tmp_path_factory: pytest.TempPathFactory) -> Calc:
    """LibreOffice with the functions in it."""
    return with_addin(calc.soffice, tmp_path_factory.mktemp("addin"))
