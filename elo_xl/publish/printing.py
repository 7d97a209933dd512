"""The page on paper: a browser that is there prints it into a PDF.

Every computer with Windows has one of these browsers. It has letters for every alphabet, and lays
the page out as it prints it anywhere else; no library has to be installed with fonts of its own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from elo_xl.engine.errors import EloError

PATIENCE: Final = 120
"""Seconds that a browser may take."""

NAMES: Final = (
    *("google-chrome", "google-chrome-stable", "chromium", "chromium-browser"),
    *("microsoft-edge", "microsoft-edge-stable", "msedge", "chrome", "brave-browser"),
)
"""What the programs are called."""

MAC: Final = ("Google Chrome", "Chromium", "Microsoft Edge", "Brave Browser")
WINDOWS: Final = (
    r"Google\Chrome\Application\chrome.exe",
    r"Microsoft\Edge\Application\msedge.exe",
    r"Chromium\Application\chrome.exe",
    r"BraveSoftware\Brave-Browser\Application\brave.exe",
)
FOLDERS: Final = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
"""Where programs are on Windows, by variables of the environment."""

QUIET: Final = (
    *("--headless", "--disable-gpu", "--no-first-run", "--no-default-browser-check"),
    *("--disable-extensions", "--disable-sync", "--disable-quic"),
    *("--disable-background-networking", "--disable-component-update"),
)
"""Options of a browser that shows nothing and asks the network for nothing."""


class PrintingError(EloError):
    """There is no browser, or it printed nothing."""


def pdf(page: bytes) -> bytes:
    """The PDF of a page of HTML.

    Raises PrintingError, which says what helps.
    """
    browser = next(_browsers(), None)
    if browser is None:
        raise PrintingError(
            "a PDF is printed by Chrome, Chromium or Edge, and none is found: install "
            "one, or open the page (elo-xl publish BOOK) in any browser and print it from "
            "there"
        )
    with tempfile.TemporaryDirectory(dir=_folder(browser), ignore_cleanup_errors=True) as name:
        folder = Path(name)
        source, target = folder / "page.html", folder / "page.pdf"
        source.write_bytes(page)
        # a browser refuses to work for root inside the walls that it builds for other users
        walls = ["--no-sandbox"] if sys.platform == "linux" and os.geteuid() == 0 else []
        command = [browser, *QUIET, *walls, f"--user-data-dir={folder / 'profile'}"]
        command += ["--no-pdf-header-footer", f"--print-to-pdf={target}", source.as_uri()]
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=PATIENCE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise PrintingError(f"{browser} printed nothing in {PATIENCE} seconds") from None
        except OSError as wrong:
            raise PrintingError(f"{browser} does not start: {wrong.strerror}") from None
        printed = target.read_bytes() if target.is_file() else b""
    if not printed.startswith(b"%PDF"):
        said = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise PrintingError(f"{browser} printed nothing: {said or f'exit code {done.returncode}'}")
    return printed


def _browsers() -> Iterator[str]:
    """The browsers that there are."""
    if sys.platform == "win32":
        roots = [Path(os.environ[name]) for name in FOLDERS if os.environ.get(name)]
        yield from (
            str(path) for end in WINDOWS for root in roots if (path := root / end).is_file()
        )
    if sys.platform == "darwin":
        for name in MAC:
            program = Path(f"/Applications/{name}.app/Contents/MacOS/{name}")
            if program.is_file():
                yield str(program)
    yield from filter(None, map(shutil.which, NAMES))


def _folder(browser: str) -> Path | None:
    """Where the browser may read and write: Ubuntu's Chromium only in a folder of its own."""
    folder = Path.home() / "snap" / "chromium" / "common"
    return folder if "chromium" in Path(browser).name and folder.is_dir() else None
