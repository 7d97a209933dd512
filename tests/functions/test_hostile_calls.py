"""Worksheet functions called with whatever a cell may hold: a value or an error comes back, always.

Some calls here; `python -m tests.functions.test_hostile_calls 1000000 7` makes a million and prints
what it saw.
"""

import copy
import math
import random
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import pytest

from elo_xl.functions.catalogue import functions
from elo_xl.functions.cells import ERRORS
from elo_xl.functions.evaluation import worksheet
from elo_xl.hosts import xlwings_udfs
from tests.support.levels import amount

EXAMPLES: Final = [(f.name, e.arguments) for f in functions().values() for e in f.examples]
LONGEST: Final = 10.0
"""Seconds that no call of a few cells may take."""
MOST_CHARACTERS: Final = 32_767
"""What a cell holds."""

PIECES: Final = (
    *("1", "0", "½", "-", ":", "+", "=", "#", "*", "?", "~", "0-1", "w", " ", "\u00a0", "\0", "\n"),
    *("é", "Я", "e\u0301", "\U0001f600", "\ud800", "１", "fide", ".toml", "/", "\\", "..", "C:"),
    *("glicko", "davidson:", "e9", ",", ";", "(", ")"),
)

PLAIN: Final[tuple[Any, ...]] = (
    *(None, "", " ", True, False, 0, 1, -1, 0.5, 2, 7, 20, 100, 400, 1500, 1834.25, 2179, 4000),
    *(-0.0, 1e-300, -1e-300, 1e9, 1e15, 1e300, -1e300, 1.7976931348623157e308, 5e-324),
    *(math.nan, math.inf, -math.inf, 2**31, 2**63, -(2**63), 10**400),
    *ERRORS,
    *("#BUSY!", "#UNKNOWN!", "#", "1834", "1 834,5", "1e3", "5 %", "auto", "fide", "FIDE-2024-03"),
    *("elo", "logistic", "normal", "usatt", "us-chess", "dwz", "ecf", "davidson:0.5", "rao-kupper"),
    *("1-0", "½-½", "0:1", "+", "--", "bye", "Ana", "Bo", "ana ", "2026-02-30", "=1+1", "@SUM(1)"),
    *(r"\\attacker\share\r.toml", "club.toml", "../club", "a\0.toml", "\ud800.toml", "nul"),
)


def text(chance: random.Random) -> str:
    """Pieces of what means something, now and then as long as a cell's text may be."""
    of = chance.choices(PIECES, k=chance.choice((1, 2, 3, 5, 8)))
    made = "".join(of)
    length = chance.choice((0, 0, 0, 0, 0, 255, 256, 300, 5_000, MOST_CHARACTERS))
    return (made * (length // len(made) + 1))[:length] if length else made


def cell(chance: random.Random) -> Any:
    how = chance.random()
    if how < 0.55:
        return chance.choice(PLAIN)
    if how < 0.75:
        return text(chance)
    return round(chance.uniform(-500, 3000), chance.choice((0, 0, 2)))


def spoiled(chance: random.Random, value: Any) -> Any:
    """An argument with something else in one of its cells, or in its place."""
    how = chance.random()
    if how < 0.25:
        return cell(chance)
    if how < 0.4:
        height, width = chance.choice(((1, 1), (1, 4), (4, 1), (3, 3), (2, 5), (0, 0), (1, 0)))
        return [[cell(chance) for _ in range(width)] for _ in range(height)]
    if isinstance(value, list) and value and isinstance(value[0], list):
        rows: list[list[Any]] = copy.deepcopy(value)
        for _ in range(chance.choice((1, 1, 2, 5))):
            row = chance.choice(rows)
            if row:
                row[chance.randrange(len(row))] = cell(chance)
        if how > 0.9:
            rows += copy.deepcopy(rows[: chance.randint(0, 3)])
        elif how > 0.85:
            rows = [list(column) for column in zip(*rows, strict=False)]
        return rows
    return cell(chance)


def drawn(chance: random.Random) -> tuple[str, list[Any]]:
    """A function, and an example's arguments of which some are spoiled."""
    name, example = chance.choice(EXAMPLES)
    function = functions()[name]
    arguments = list(example)
    if chance.random() < 0.3:
        arguments += [None] * (len(function.arguments) - len(arguments))
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        at = chance.randrange(len(arguments))
        arguments[at] = spoiled(chance, arguments[at])
    least = max(function.least, chance.choice((0, len(arguments))))
    return name, arguments[:least] if chance.random() < 0.1 else arguments


def wrong(result: Any) -> str:
    """What is wrong with what came back; empty if nothing is."""
    rows = result if isinstance(result, list) else [[result]]
    if not rows or len({len(row) for row in rows}) != 1:
        return "rows of several lengths"
    for row in rows:
        for one in row:
            number = isinstance(one, int | float) and math.isfinite(one)
            if not (number or isinstance(one, str)):
                return f"a cell of {one!r}"
    return ""


def failed(name: str, arguments: Sequence[Any]) -> str:
    """What one call does that it must not do; empty if nothing."""
    begun = time.process_time()
    try:
        result = worksheet(name, *arguments)
        xlwings_udfs._to_excel(result)
    except Exception as error:  # noqa: BLE001  whatever it is, it must not come
        where = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__}: {str(error)[:90]} ({where.name}:{where.lineno})"
    if time.process_time() - begun > LONGEST:
        return f"{time.process_time() - begun:.0f} s"
    return wrong(result)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(amount(3, 12)))
def test_whatever_a_cell_holds(seed: int) -> None:
    chance = random.Random(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(500):
            name, arguments = drawn(chance)
            assert "" == failed(name, arguments), (name, arguments)


if __name__ == "__main__":
    chance_, seen, slowest = random.Random(sys.argv[2]), Counter[str](), (0.0, "")
    warnings.simplefilter("error")
    for number in range(1, int(sys.argv[1]) + 1):
        name_, arguments_ = drawn(chance_)
        begun_ = time.process_time()
        if what := failed(name_, arguments_):
            if not seen[f"{name_}: {what}"]:
                sys.stdout.write(f"{name_}{arguments_!r}"[:1500] + f"\n    {what}\n")
            seen[f"{name_}: {what}"] += 1
        slowest = max(slowest, (time.process_time() - begun_, name_))
        if number % 20_000 == 0:
            sys.stdout.write(f"{number} calls, {seen.total()} failed, slowest {slowest}\n")
            sys.stdout.flush()
    sys.stdout.write("".join(f"{count:6} {what}\n" for what, count in seen.most_common()))
