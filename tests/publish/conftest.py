"""The browser in which pages are opened."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.browser import Browser, BrowserError, find_chromium


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Chromium; the test fails without it, because a skipped test proves nothing."""
    try:
        program = find_chromium()
    except BrowserError as missing:
        pytest.fail(str(missing), pytrace=False)
    with Browser(program, tmp_path_factory.mktemp("chromium") / "profile") as opened:
        yield opened
