"""The functions in JavaScript: what the parity test does not ask of every host."""

import gzip
import json
import random
import re
import time
from collections.abc import Callable
from itertools import combinations, product
from typing import Any

import pytest
from mpmath import erfc, mp, mpf  # type: ignore[import-untyped]

import elo_xl
from elo_xl.functions.catalogue import find, functions
from elo_xl.functions.cells import ERRORS, to_block
from elo_xl.hosts.javascript import missing, names, script
from tests.functions.test_hostile_calls import drawn
from tests.support.javascript import javascript_values
from tests.support.levels import amount
from tests.support.native_host import lambda_values, same

Node = Callable[..., str]

NOTHING = {"", *ERRORS}

MOST_MINIFIED, MOST_COMPRESSED = 77_600, 26_100
"""Bytes; a page loads them at once."""


def test_what_is_missing_is_said_with_its_reason() -> None:
    assert {"ELO_EXPLAIN", "ELO_LIST"} == set(missing())
    assert all(missing().values())
    assert sorted(functions()) == sorted([*names(), *missing()])


def test_the_notice_of_others_is_kept() -> None:
    assert "Copyright (c) 2018 The Stdlib Authors." in script()
    assert "Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved." in script()


def test_it_is_a_classic_script_that_asks_for_nothing(node: Node) -> None:
    """Without `console`, `require` or a window, and twice on one page."""
    found = node(
        """
        const vm = require("vm"), script = require("fs").readFileSync(0, "utf-8");
        const page = vm.createContext(Object.create(null));
        const before = vm.runInContext("Object.getOwnPropertyNames(globalThis).length", page);
        vm.runInContext(script, page);
        const after = vm.runInContext("Object.getOwnPropertyNames(globalThis).length", page);
        console.log(JSON.stringify([after - before, vm.runInContext("ELO.names", page)]));
        """,
        given=script(),
    )
    assert [0, names()] == json.loads(found)
    assert not re.search(r"^\s*(import|export)\b", script(), re.MULTILINE)


def test_it_stays_small(node: Node) -> None:
    minified = node(
        """
        const script = require("fs").readFileSync(0, "utf-8");
        process.stdout.write(require("esbuild").transformSync(script, { minify: true }).code);
        """,
        given=script(),
    )
    assert len(minified.encode()) < MOST_MINIFIED
    assert len(gzip.compress(minified.encode(), 9)) < MOST_COMPRESSED


def test_the_normal_distribution_is_exact_in_both_tails() -> None:
    mp.dps = 40
    chances = [10.0**-k for k in range(1, 16)] + [k / 40 for k in range(1, 40)]
    sd = 200
    gaps = [-3000.0 + 37 * i for i in range(163)]
    calls: list[tuple[str, tuple[Any, ...]]] = [("ELO_DIFF", (p, "normal")) for p in chances]
    calls += [("ELO_EXPECTED", (4000 + d, 4000)) for d in gaps]
    found = javascript_values(calls)
    for p, d in zip(chances, found, strict=False):
        # how far the exact probability of the answer is from what was asked
        assert abs(erfc(-mpf(d) / (2 * sd)) / 2 / mpf(p) - 1) < 1e-14
    for d, p in zip(gaps, found[len(chances) :], strict=True):
        exact = erfc(-mpf(d) / (2 * sd)) / 2
        assert abs(p - exact) < 1e-13 * exact


@pytest.mark.parametrize("name", ["ELO_NOTHING", "toString", "__proto__"])
def test_an_unknown_name_is_said(node: Node, name: str) -> None:
    program = f"""
    {script()}
    try {{ ELO.call({json.dumps(name)}, [1]) }} catch (e) {{ console.log(e.name, e.message) }}
    try {{ ELO.call("ELO_K", []) }} catch (e) {{ console.log(e.name, e.message) }}
    """
    assert (
        f"RangeError no function {name}\nTypeError ELO_K takes 1 to 6 arguments, got 0\n"
        == node(program)
    )


def test_errors_are_objects_that_print_as_excel_s_codes(node: Node) -> None:
    program = f"""
    {script()}
    const [[one], [two], [three]] = ELO.call("ELO_EXPECTED", [[[1834], ["x"], [null]], 2179]);
    console.log(ELO.isError(one), ELO.isError(two), String(two), JSON.stringify(three));
    console.log(String(ELO.call("ELO_K", [ELO.error("#N/A")])), ELO.isError("#N/A"));
    """
    assert 'false true #VALUE! ""\n#N/A false\n' == node(program)


def tame(value: Any) -> Any:
    """Arguments without the numbers that no formula of a spreadsheet could take either."""
    if isinstance(value, list | tuple):
        return [tame(one) for one in value]
    if isinstance(value, str) and len(value) > 20:
        return value.replace("1", "x")
    if type(value) in (int, float) and not (1e-6 < abs(value) < 1e5 or value == 0):
        return 4000
    return value


def agree(ours: Any, theirs: Any) -> bool:
    """Whether all cells are the same, errors too."""
    a, b = to_block(ours), to_block(theirs)
    return a.shape == b.shape and all(
        same(x, y, relative=1e-9, absolute=1e-9) for x, y in zip(a.cells, b.cells, strict=True)
    )


def test_the_first_wrong_argument_decides_then_a_blank_one_then_what_is_wrong_together() -> None:
    """Two arguments of each function are wrong, blank, or at the end of what they may be."""
    calls = []
    for name in names():
        *_, whole = sorted((e.arguments for e in find(name).examples), key=len)
        for two in combinations(range(len(whole)), 2):
            for cells in product(("", "x", "#N/A", 0, 1), repeat=2):
                given: list[Any] = list(whole)
                for at, cell in zip(two, cells, strict=True):
                    given[at] = cell
                calls.append((name, given))
    calls = random.Random(1).sample(calls, amount(3000, len(calls)))
    found = [
        (name, given, ours, theirs)
        for (name, given), theirs in zip(calls, javascript_values(calls), strict=True)
        if {*to_block(ours := elo_xl.worksheet(name, *given)).cells, *to_block(theirs).cells}
        & NOTHING
        and not same(ours, theirs)
    ]
    assert [] == found


def test_what_is_further_from_0_than_a_million_is_refused_everywhere() -> None:
    """Each number of some examples in turn; and beside it another one that is wrong."""
    calls: list[tuple[str, list[Any]]] = []
    million = ("ELO_BAYES", "ELO_BRIDGE", "ELO_GLICKO", "ELO_GLICKO2")
    for name in million:
        whole = max((e.arguments for e in find(name).examples), key=len)
        for at, cell in enumerate(whole):
            for far in (1_000_001, -1_000_001, -1e9) if not isinstance(cell, str) else ():
                odd = [[far], *cell[1:]] if isinstance(cell, list) else far
                calls += [(name, [*whole[:at], odd, *whole[at + 1 :]])]
    games: list[list[Any]] = [["Ana", "Bo", 1], ["Ana", "Cy", None], ["Bo", "Cy", 0.5]]
    for name in ("ELO_RUN", "ELO_LADDER", "ELO_PLACES"):
        for far in (1e6, 1_000_001):
            calls += [(name, [games, 20, [["Ana", far], ["Bo", 1400]]])]
            calls += [(name, [games, far]), (name, [games, [["Zoe", far], [0, 20]]])]
        calls += [(name, [games, "x", 1e9]), (name, [games, 20, -1_000_001])]
    calls += [("ELO_RUN", [games, 20, 1500, far]) for far in (1e6, 1_000_001)]
    calls += [("ELO_RUN", [games, -1, 1500, "x"]), ("ELO_RUN", [games, [["Ana", 10]]])]
    for heavy in (1e6, 1_000_001, [[1], [1_000_001], [1]], [[1], [1], [1_000_001]]):
        calls += [("ELO_RUN", [games, *[None] * 8, heavy])]
    ours = [elo_xl.worksheet(name, *given) for name, given in calls]
    found = {"javascript": javascript_values(calls), "lambda": lambda_values(calls)}
    wrong = [
        (host, *call, one, other)
        for host, values in found.items()
        for call, one, other in zip(calls, ours, values, strict=False)
        if not agree(one, other)
    ]
    assert [] == wrong
    assert sum("#NUM!" in str(one) for one in ours) > 60


@pytest.mark.parametrize("model", ["normal", "logistic", "rescaled", "logistic:800"])
def test_a_sum_over_301_points_is_exact_where_it_is_not_refused(model: str) -> None:
    """Beyond it was an error, or a deviation of 99.6 for a sure win that tells nothing."""
    wide = 2 if model == "logistic:800" else 1
    calls = [
        ("ELO_BAYES", (1500 + lead * wide, 1500, score, sd * wide, other, "split", model))
        for lead in (-100_000, -7001, -7000, 0, 7000, 7001)
        for score in (1, 0.5, 0)
        for sd, other in ((100, None), (1000, 1), (1001, 1), (1, 1001 * wide))
    ]
    ours = [elo_xl.worksheet(name, *given) for name, given in calls]
    assert 18 == sum("#NUM!" not in str(one) for one in ours)
    for values in (javascript_values(calls), lambda_values(calls)):
        assert [] == [x for x in zip(calls, ours, values, strict=True) if not agree(*x[1:])]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(amount(1, 6)))
def test_whatever_a_cell_holds_is_read_as_in_all_hosts(seed: int) -> None:
    chance = random.Random(seed)
    drawn_calls = [drawn(chance) for _ in range(800)]
    calls = [(name, tame(given)) for name, given in drawn_calls if name in names()]
    found = [
        (name, given, ours, theirs)
        for (name, given), theirs in zip(calls, javascript_values(calls), strict=True)
        if not agree(ours := elo_xl.worksheet(name, *given), theirs) and not beyond(name, given)
    ]
    assert [] == found


def beyond(name: str, arguments: Any) -> bool:
    """Rulebooks of one's own, which only Python reads; those that `ELO_PERIOD` refuses; and sums of
    Bayes' over 301 points, too few for a huge deviation."""
    words = repr(arguments).lower()
    together = ("dwz", "ecf", "us-chess", "usatt")
    refused = name == "ELO_PERIOD" and any(book in words for book in together)
    return ".toml" in words or refused or name == "ELO_BAYES"


def test_a_column_may_be_as_long_as_a_sheet_has_rows() -> None:
    column = [[1800.0]] * 200_000
    found = javascript_values([("ELO_EXPECTED", (column, 1800, "logistic"))])[0]
    assert [[0.5]] * len(column) == found


def test_what_is_large_is_refused_or_read_in_time() -> None:
    """A row across a column, blanks in a cell, names that stand twice."""
    row, column, table = (
        [[1500] * 300],
        [[1500]] * 20_000,
        [[f"P{i % 9_000}", 1500] for i in range(18_000)],
    )
    blanks = f"1{' ' * 49_998}x"
    calls: list[tuple[str, tuple[Any, ...]]] = [
        ("ELO_EXPECTED", (column, row)),
        ("ELO_EXPECTED", ([[blanks]] * 10, 1500)),
        ("ELO_PERIOD", (table, [["P1", "P2", 1]])),
    ]
    before = time.monotonic()
    found = javascript_values(calls)
    assert time.monotonic() - before < 20  # ten cells with blanks alone took 40 seconds once
    assert [elo_xl.worksheet(name, *given) for name, given in calls] == found
    assert ["#N/A", [["#VALUE!"]] * 10] == found[:2]


def test_us_chess_has_its_special_ratings() -> None:
    """Which no name in a workbook has room for."""
    met, scores = [[1400], [1550], [1650]], [[1], [0.5], [0]]
    calls = [
        ("ELO_CHANGE", (1500, "auto", met, scores, "us-chess", 6)),
        ("ELO_INITIAL", (met, scores, "us-chess")),
    ]
    found = javascript_values(calls)
    assert [
        pytest.approx(elo_xl.worksheet(name, *given), rel=1e-12) for name, given in calls
    ] == found
    assert "#VALUE!" not in found


def test_tables_agree_however_large_they_are() -> None:
    chance = random.Random(7)
    players = [[f"P{i}", chance.randint(1000, 2700), None] for i in range(40)]
    games = [
        [*(row[0] for row in chance.sample(players, 2)), chance.choice([0, 0.5, 1])]
        for _ in range(300)
    ]
    calls: list[tuple[str, tuple[Any, ...]]] = [
        ("ELO_PERIOD", (players, games)),
        (
            "ELO_PERIOD",
            ([[row[0], row[1] if i % 5 else ""] for i, row in enumerate(players)], games),
        ),
        ("ELO_RUN", (games, 20, [row[:2] for row in players[:20]], 35, "logistic")),
        ("ELO_LADDER", (games,)),
        ("ELO_LADDER", ([*games[:20], ["P1", "P2", "wun"], ["#N/A", "P3", 1], ["X", "x", 0]],)),
        ("ELO_LADDER", ([*games[:20], ["#N/A", "#REF!", 1]],)),
        (
            "ELO_RUN",
            ([["P1", "P2", "½", None], ["P2", "P1", 1, None]], 20, 1500, 0, "normal", "log"),
        ),
        ("ELO_FIT", (games,)),
        ("ELO_FIT", (games, "P3", 2000, "ignore", True)),
    ]
    for (name, given), theirs in zip(calls, javascript_values(calls), strict=True):
        assert same(elo_xl.worksheet(name, *given), theirs, relative=1e-9), name
