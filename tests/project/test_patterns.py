"""The patterns of the package take a time that grows as the text does, in the way they are used."""

import importlib
import pkgutil
import re
import sys
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

import elo_xl

pytestmark = pytest.mark.proof

FEW, MANY = 1_500, 6_000
"""Signs of the two texts; four times as many take sixteen times as long where time is quadratic."""
LONG: Final = 0.05
"""Seconds that no pattern takes for the longer text: a linear one takes a thousandth."""
USES: Final = ("match", "fullmatch", "search", "sub", "subn", "findall", "finditer", "split")
PIECES: Final = (*" a1\"'(<=,.-", "1.", "a ", "''", '""', "1-")
BEGINS: Final = ("", "1", "a", '"', "<a ")
ENDS: Final = ("", "!")

SHORT: Final[dict[str, str]] = {
    "elo_xl.xlsx.files._FIELD findall": "2,000 bytes of a lock file are read",
    "elo_xl.xlsx.stored._CALLED findall": "a formula has 8,192 letters at most",
}
"""Patterns that are not linear, and why no text that they meet is long."""


class Used(NamedTuple):
    """A pattern and a method that the code calls."""

    name: str
    pattern: re.Pattern[Any]
    method: str


def used() -> Iterator[Used]:
    """The compiled patterns of all modules with the methods that any module calls."""
    for found in pkgutil.walk_packages(elo_xl.__path__, "elo_xl."):
        if not found.name.endswith("__main__"):
            try:
                importlib.import_module(found.name)
            except ImportError:
                continue  # a module of a host that is not here
    package = Path(elo_xl.__file__).parent
    everything = "\n".join(path.read_text(encoding="utf-8") for path in package.rglob("*.py"))
    for name, module in sorted(sys.modules.items()):
        file = getattr(module, "__file__", None) or ""
        if not Path(file).is_relative_to(package):
            continue
        code = Path(file).read_text(encoding="utf-8")
        for pattern in re.findall(r"^(\w+)(?:: Final)? = re\.compile\(", code, re.MULTILINE):
            seen = code if pattern.startswith("_") else everything
            called = set(re.findall(rf"\b{pattern}\.(\w+)\b", seen)) & {*USES}
            # one that is handed on may be used in any way
            for method in sorted(called or {"search", "fullmatch"}):
                yield Used(f"{name}.{pattern}", getattr(module, pattern), method)


def seconds(one: Used, text: str) -> float:
    given: Any = text if isinstance(one.pattern.pattern, str) else text.encode("latin-1", "replace")
    work = getattr(one.pattern, one.method)
    arguments = (given[:0], given) if one.method in ("sub", "subn") else (given,)
    before = time.thread_time()
    done = work(*arguments)
    if one.method == "finditer":
        list(done)
    return time.thread_time() - before


def slowest(one: Used) -> tuple[float, str]:
    """The first text for which the pattern takes too long, and how long it takes."""
    pattern = one.pattern.pattern
    own = dict.fromkeys(pattern if isinstance(pattern, str) else pattern.decode("latin-1"))
    for piece in dict.fromkeys((*PIECES, *filter(str.isprintable, own))):
        for begin, end in product(BEGINS, ENDS):
            few = begin + piece * (FEW // len(piece)) + end
            if seconds(one, few) > LONG / 20:
                took = seconds(one, begin + piece * (MANY // len(piece)) + end)
                if took > LONG:
                    return took, few[:10] + end
    return 0.0, ""


def test_every_pattern_is_linear() -> None:
    slow = {}
    for one in used():
        took, text = slowest(one)
        if took > LONG:
            slow[f"{one.name} {one.method}"] = f"{took:.2f} s for {text!r}…"
    assert SHORT.keys() == slow.keys(), slow
