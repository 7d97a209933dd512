"""The same cell gives the same digits in every host."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from elo_xl.functions.catalogue import functions
from tests.support.all_cases import cases
from tests.support.calc import Calc
from tests.support.levels import amount
from tests.support.native_host import EXCEPTIONS
from tests.support.parity import HOSTS, PAGE, Host, Outcome, column, exceptions, outcomes, page

MOST = amount(30, None)
"""cases of a function that every host is asked, a quarter where they are slow, or None for all"""


@pytest.mark.parametrize("host", HOSTS, ids=[host.key for host in HOSTS])
def test_hosts_agree(host: Host, addin_calc: Calc) -> None:
    """Some cases of each function, and all of them before a release."""
    found = outcomes(host, addin_calc, most=MOST and MOST // (4 if host.key == "lambda" else 1))
    assert {case.function for case in host.takes(cases())} == {o.case.function for o in found}
    unknown = [(o.case, o.ours, o.theirs) for o in found if not o.agrees and not o.reasons]
    assert [] == unknown
    if host.strict or MOST is None:
        assert [] == gone(host, found)
    if MOST is None:
        check_the_page(host, found)


def check_the_page(host: Host, found: list[Outcome]) -> None:
    assert len(found) > 200
    shown = PAGE.read_text(encoding="utf-8").splitlines()
    at = 2 + HOSTS.index(host)
    cells = [line.split(" | ")[at - 1].strip(" |") for line in shown if line.startswith("| `ELO_")]
    assert column(host, found) == cells, "run: make parity"
    listed = [line for line in shown[shown.index("## Known exceptions") :] if host.title in line]
    assert exceptions(host, found) == listed, "run: make parity"


def test_the_rest_of_the_page_is_fresh() -> None:
    shown = PAGE.read_text(encoding="utf-8")
    rows = [line for line in shown.splitlines() if line.startswith("| `ELO_")]
    columns = zip(
        *([c.strip() for c in row.strip("|").split("|")[1:]] for row in rows), strict=True
    )
    listed = shown.partition("## Known exceptions\n\n")[2].splitlines()
    assert page(list(columns), listed) == shown, "run: make parity"


def gone(host: Host, found: list[Outcome]) -> Sequence[object]:
    """Exceptions that no longer occur."""
    excepted = [o for o in found if o.reasons]
    if host.strict:
        return [(o.case, o.reasons) for o in excepted if o.agrees]
    named = {reason for o in excepted for reason in o.reasons}
    occurring = {reason for o in excepted if not o.agrees for reason in o.reasons}
    return sorted(named - occurring)


def test_every_function_is_asked() -> None:
    assert set(functions()) == {case.function for case in cases()}


def test_every_exception_covers_a_case() -> None:
    for known in EXCEPTIONS:
        for pattern in known.cases:
            one = replace(known, cases=(pattern,))
            assert any(one.covers(one.host, c.function, c.name) for c in cases()), (known, pattern)
