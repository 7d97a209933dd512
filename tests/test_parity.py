"""The same cell gives the same digits in every host."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from elo_xl.functions.catalogue import functions
from tests.calc import Calc
from tests.native_host import EXCEPTIONS
from tests.parity import HOSTS, PAGE, Host, Outcome, cases, outcomes


@pytest.mark.parametrize("host", HOSTS, ids=[host.key for host in HOSTS])
def test_hosts_agree(host: Host, addin_calc: Calc) -> None:
    found = outcomes(host, addin_calc)
    assert len(found) > 200
    unknown = [(o.case, o.ours, o.theirs) for o in found if not o.agrees and not o.reasons]
    assert [] == unknown
    assert [] == gone(host, found)
    assert page_row(host, found) == PAGE_ROWS[host.key], "run: make parity"


def gone(host: Host, found: list[Outcome]) -> Sequence[object]:
    """Exceptions that no longer occur."""
    excepted = [o for o in found if o.reasons]
    if host.strict:
        return [(o.case, o.reasons) for o in excepted if o.agrees]
    named = {reason for o in excepted for reason in o.reasons}
    occurring = {reason for o in excepted if not o.agrees for reason in o.reasons}
    return sorted(named - occurring)


def page_row(host: Host, found: list[Outcome]) -> list[tuple[int, int]]:
    """Agreeing and deviating calls by function, as the page shows them."""
    by_function = [[o.agrees for o in found if o.case.function == name] for name in functions()]
    return [(sum(own), len(own) - sum(own)) for own in by_function]


def _read_page() -> dict[str, list[tuple[int, int]]]:
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")[1:]]
        for line in PAGE.read_text(encoding="utf-8").splitlines()
        if line.startswith("| `ELO_")
    ]

    def numbers(cell: str) -> tuple[int, int]:
        agree, _, wrong = cell.partition(" *+")
        return (0 if agree == "–" else int(agree), int(wrong.strip("*") or 0))

    return {host.key: [numbers(row[i]) for row in rows] for i, host in enumerate(HOSTS)}


PAGE_ROWS = _read_page()


def test_every_function_is_asked() -> None:
    assert set(functions()) == {case.function for case in cases()}


def test_every_exception_covers_a_case() -> None:
    for known in EXCEPTIONS:
        for pattern in known.cases:
            one = replace(known, cases=(pattern,))
            assert any(one.covers(one.host, c.function, c.name) for c in cases()), (known, pattern)
