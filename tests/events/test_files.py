"""The way of an event's file from the command to the rated event is short."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from elo_xl.events import rate
from elo_xl.events.event import Tournament
from tests.support import ROOT
from tests.support.command import invoke

GAMES = b"White;Black;White Elo;Black Elo;Result\n" + b"Ferrer, Ana;Oduya, Ben;1500;1600;1-0\n" * 9
TRF = (ROOT / "examples" / "rivertown-open.trf").read_bytes()


@pytest.mark.parametrize(
    ("name", "data"), [("cup.trf", TRF), ("cup.csv", GAMES)], ids=["trf", "csv"]
)
def test_a_file_enters_at_most_eight_modules(name: str, data: bytes, tmp_path: Path) -> None:
    """Those between the command and the rated event that are given the file, its bytes, its text
    or what was read of it."""
    path = tmp_path / name
    path.write_bytes(data)
    beginning = data[:100]
    entered: set[str] = set()

    def is_file(value: object) -> bool:
        match value:
            case str() | Path():
                return str(value) == str(path) or str(value).encode()[:100] == beginning
            case bytes():
                return value[:100] == beginning
        return isinstance(value, Tournament)

    def watch(frame: FrameType, event: str, _: Any) -> None:
        module, code = frame.f_globals.get("__name__", ""), frame.f_code
        if event == "call" and module.startswith("elo_xl"):
            names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
            if any(is_file(frame.f_locals.get(name)) for name in names):
                entered.add(module)
        elif event == "return" and code is rate.rate.__code__:
            sys.setprofile(None)

    sys.setprofile(watch)
    try:
        done = invoke("rate", path, "--dry-run")
    finally:
        sys.setprofile(None)
    assert done.exit_code == 0, done.output
    assert rate.__name__ in entered
    assert len(entered - {"elo_xl.questions.rate.single"}) <= 8, sorted(entered)
