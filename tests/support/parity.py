"""The same cells through every host, and what each makes of them.

``make parity`` prints the matrix function × host and writes it to ``docs/parity.md``;
``tests/functions/test_parity.py`` holds every host to it.
"""

import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import elo_xl
from docs_build.libreoffice_limits import LIMITS
from elo_xl.functions.arguments import Argument
from elo_xl.functions.catalogue import find, functions
from elo_xl.functions.cells import to_block
from elo_xl.functions.native import lambda_names
from elo_xl.hosts import javascript
from tests.support.all_cases import cases
from tests.support.calc import Calc, find_soffice
from tests.support.excel_host import call_many
from tests.support.javascript import javascript_values
from tests.support.libreoffice_host import BLANK_CELL, Text, values, with_addin
from tests.support.native_cases import Case
from tests.support.native_host import EXCEPTIONS, REFUSED, inline_values, lambda_values, same
from tests.support.sql_host import Database, DuckDb, sql_values, takes, with_errors

PAGE = Path(__file__).parents[2] / "docs" / "parity.md"


@dataclass(frozen=True)
class Host:
    """A program that computes cells."""

    key: str
    title: str
    how: str
    """what the figures were worked out with"""
    takes: Callable[[Sequence[Case]], list[Case]]
    """the cases that it can be asked at all"""
    work: Callable[[Sequence[Case], Calc], list[Any]]
    excepted: Callable[[Case], list[str]]
    """why the host may give something else; one exception at most is enough"""
    strict: bool = True
    """whether every excepted case has to deviate, or one of each reason"""


def expected(case: Case) -> Any:
    """What ``elo_xl.worksheet`` gives, the reference."""
    return elo_xl.worksheet(case.function, *case.arguments)


def _calls(chosen: Sequence[Case]) -> list[tuple[str, tuple[Any, ...]]]:
    return [(case.function, case.arguments) for case in chosen]


def _in_libreoffice(chosen: Sequence[Case], calc: Calc) -> list[Any]:
    def as_given(cell: Any) -> Any:
        if cell is None:
            return BLANK_CELL
        return Text('""') if isinstance(cell, str) and not cell else cell

    return values([(c.function, [as_given(a) for a in c.arguments]) for c in chosen], calc)


def _limits(case: Case) -> list[str]:
    function = find(case.function)
    return [x.key for x in LIMITS if x.touches and x.touches(function, case.arguments)]


def _within_limits(case: Case, theirs: Any, reasons: list[str]) -> bool:
    """Whether LibreOffice gives just what its limits say, and nothing else."""
    if "error in a range" in reasons:
        return {"#VALUE!"} == set(to_block(theirs).cells)
    arguments = find(case.function).arguments
    seen = [
        None if _names(argument) and given in (0, None) else 0 if given is None else given
        for argument, given in zip(arguments, case.arguments, strict=False)
    ]
    return same(elo_xl.worksheet(case.function, *seen), theirs)


def _names(argument: Argument) -> bool:
    return argument.only_choices


def _known(host: str) -> Callable[[Case], list[str]]:
    return lambda case: [
        known.reason for known in EXCEPTIONS if known.covers(host, case.function, case.name)
    ]


def in_database(chosen: Sequence[Case], base: Database) -> list[Any]:
    """What a database makes of cases; an error of ours stands where it has only NULL for one."""
    made = sql_values(chosen, base)
    return [with_errors(expected(case), one) for case, one in zip(chosen, made, strict=True)]


def _native(chosen: Sequence[Case]) -> list[Case]:
    return [case for case in chosen if case.function in lambda_names()]


HOSTS = (
    Host("xlwings", "Excel, xlwings", "xlwings' own UDF machinery, its Windows parts stubbed", list,
         lambda chosen, calc: call_many(_calls(chosen)), lambda case: []),
    Host("libreoffice", "LibreOffice, add-in", "a real LibreOffice with the add-in", list,
         _in_libreoffice, _limits, strict=False),
    Host("lambda", "Excel 365, LAMBDA names", "the names of a real workbook, in pyOpenVBA's engine",
         _native, lambda chosen, calc: lambda_values(_calls(chosen)), _known("lambda")),
    Host("inlined", "any spreadsheet, formulas", "the inlined formulas, in a real LibreOffice",
         _native, lambda chosen, calc: inline_values(_calls(chosen), calc), _known("inlined")),
    Host("javascript", "Google Sheets, Excel anywhere, pages",
         "the functions in JavaScript, in Node",
         lambda chosen: [case for case in chosen if case.function in javascript.names()],
         lambda chosen, calc: javascript_values(_calls(chosen)), _known("javascript")),
    Host("sql", "databases, SQL",
         "the functions as SQL, in DuckDB; before a release in PostgreSQL and ClickHouse, too",
         takes, lambda chosen, calc: in_database(chosen, DuckDb()), _known("sql")),
)  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """What a host made of one case."""

    case: Case
    ours: Any
    theirs: Any
    agrees: bool
    reasons: list[str]


def _refusal(result: Any) -> str:
    """Why no formula was written, where none was."""
    texts = (str(cell) for cell in to_block(result).cells)
    return next(
        (t.removeprefix(REFUSED).split(": ", 1)[-1] for t in texts if t.startswith(REFUSED)), ""
    )


def outcomes(host: Host, calc: Calc, *, most: int | None = None) -> list[Outcome]:
    """All cases of a host; or ``most`` of each function, from all over its cases."""
    chosen = host.takes(cases())
    if most is not None:
        of: dict[str, list[Case]] = {}
        for case in chosen:
            of.setdefault(case.function, []).append(case)
        chosen = [case for own in of.values() for case in own[:: -(-len(own) // most)]]
    found = []
    for case, theirs in zip(chosen, host.work(chosen, calc), strict=True):
        ours = expected(case)
        agrees = same(ours, theirs)
        reasons = host.excepted(case)
        if host.key == "libreoffice" and not agrees and not _within_limits(case, theirs, reasons):
            reasons = []
        if (refusal := _refusal(theirs)) and not reasons:
            reasons = [refusal]
        found.append(Outcome(case, ours, theirs, agrees, reasons))
    return found


HEAD = """\
# Parity

The same cells in every host, compared with `elo_xl.worksheet`: numbers to 1e-12 relative
or 1e-15 of the largest number of the result, texts and errors exactly. A number is how many calls
agree; *+n* are known exceptions, listed below.
`make parity` writes this page.

"""


def column(host: Host, found: Sequence[Outcome]) -> list[str]:
    """The host's cells of the matrix, a function each."""
    cells = []
    for name in functions():
        own = [o.agrees for o in found if o.case.function == name]
        wrong = len(own) - sum(own)
        cells.append((f"{sum(own)}" + (f" *+{wrong}*" if wrong else "")) if own else "–")
    return cells


def exceptions(host: Host, found: Sequence[Outcome]) -> list[str]:
    """The host's lines of the list of exceptions."""
    reasons: dict[str, set[str]] = {}
    for outcome in found:
        if not outcome.agrees:
            reasons.setdefault(outcome.reasons[0], set()).add(outcome.case.function)
    here = {limit.key: limit.here for limit in LIMITS}
    return [
        f"- {host.title}: {here.get(reason, reason)} ({', '.join(sorted(names))})"
        for reason, names in sorted(reasons.items())
    ]


def page(columns: Sequence[Sequence[str]], lines: Sequence[str]) -> str:
    """The page: function × host, how the figures were computed, the exceptions."""
    rows = [
        ["function", *(host.title for host in HOSTS)],
        ["---"] * (len(HOSTS) + 1),
        *([f"`{name}`", *cells] for name, *cells in zip(functions(), *columns, strict=True)),
    ]
    table = [f"| {' | '.join(row)} |" for row in rows]
    how = [f"- {host.title}: {host.how}" for host in HOSTS]
    return HEAD + "\n".join(
        [*table, "", "## Computed with", "", *how, "", "## Known exceptions", "", *lines, ""]
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        calc = with_addin(find_soffice(), Path(folder, "office"))
        results = {host.key: outcomes(host, calc) for host in HOSTS}
    unexplained = [
        f"{key}: {o.case}: {o.ours} expected, got {o.theirs}"
        for key, found in results.items()
        for o in found
        if not o.agrees and not o.reasons
    ]
    if unexplained:
        raise SystemExit("\n".join(unexplained))
    text = page(
        [column(host, results[host.key]) for host in HOSTS],
        [line for host in HOSTS for line in exceptions(host, results[host.key])],
    )
    PAGE.write_text(text, encoding="utf-8")
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
