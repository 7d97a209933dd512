"""The functions as LAMBDA names of a workbook: Excel 365 and 2024, with nothing installed.

What differs here from the other hosts:

==========  ====================================================================================
numbers     as in all hosts; a text may have either decimal sign, and blanks between its digits
blanks      a blank cell passed by a name is blank; a skipped argument is omitted
booleans    TRUE and FALSE are 1 and 0
errors      Excel's own error values
ranges      results spill; one cell holds the formula
==========  ====================================================================================

A LAMBDA overrides an add-in's function of the same name, and xlwings Lite fails with both: a
workbook has one of them (:func:`elo_xl.books.flavours.put_into`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lxml import etree

from elo_xl import __version__
from elo_xl.functions.calls import calls_ours
from elo_xl.functions.catalogue import PREFIX, find
from elo_xl.functions.native import is_lambda_of_ours, lambda_names, lambda_stored, lambda_text
from elo_xl.xlsx.dynamic import with_dynamic_cells, without_calculation_chain, without_dynamic_cells
from elo_xl.xlsx.in_place import WorkbookError, formulas, read_parts, with_parts
from elo_xl.xlsx.opc import BOOK, MAIN, Element, Parts, from_bytes, to_bytes

_NAME: Final = f"{MAIN}definedName"
_MOST_SHOWN: Final = 60
"""Characters of another definition that a message quotes."""

#: The elements that follow the defined names in a workbook's part.
_AFTER: Final = frozenset(
    f"{MAIN}{name}"
    for name in (
        *("calcPr", "oleSize", "customWorkbookViews", "pivotCaches", "smartTagPr"),
        *("smartTagTypes", "webPublishing", "fileRecoveryPr", "webPublishObjects", "extLst"),
    )
)


def put_into(workbook: bytes) -> bytes:
    """Add all functions to a workbook as names; cells that call them become dynamic arrays.

    Names of ours that are there are replaced, whatever version they are of. Every part that need
    not change stays byte for byte. If formulas call the functions, Excel computes everything again
    when it opens the file, as its values may be older than the names.

    Raises WorkbookError for a file that is not a workbook, or one in which one of the names
    already means something else.
    """
    check(workbook, lambda_names())
    parts = read_parts(workbook)
    root = from_bytes(parts[BOOK])
    ours = frozenset(name.upper() for name in lambda_names())
    before = etree.tostring(root)
    defined = _defined_names(root)
    _remove(defined, ours)
    called = any(map(calls_ours, formulas({**parts, BOOK: to_bytes(root)}, b"elo_")))
    for name in lambda_names():
        _add(defined, name)
    if called:
        _calculate_on_load(root)
    changed = {} if etree.tostring(root) == before else {BOOK: to_bytes(root)}
    return _rewritten(workbook, parts, changed, with_dynamic_cells(parts, ours), set())


def check(workbook: bytes, names: Iterable[str]) -> None:
    """Raise WorkbookError if one of these names is in a workbook and is not our LAMBDA."""
    ours = frozenset(name.upper() for name in names)
    for entry in from_bytes(read_parts(workbook)[BOOK]).iter(_NAME):
        if entry.get("name", "").upper() in ours and not _is_ours(entry, ours):
            text = entry.text or ""
            short = text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"
            raise WorkbookError(
                f"{entry.get('name')} means something else here: {short}; in Excel, rename "
                "it first (Formulas, Name Manager)"
            )


def take_out(workbook: bytes) -> bytes:
    """Remove the names of :func:`put_into`; cells that call them become plain again.

    A name that somebody defined stays, even if it is called like one of ours. If no formula calls
    the functions, the workbook is as it was before. Otherwise two things are not restored: Excel
    still computes everything again when it opens the file, and it makes its list of formula cells
    (calcChain.xml) again.

    Raises WorkbookError for a file that is not a workbook.
    """
    parts = read_parts(workbook)
    root = from_bytes(parts[BOOK])
    names = frozenset(name.upper() for name in lambda_names())
    defined = root.find(f"{MAIN}definedNames")
    if defined is None or not _remove(defined, names):
        return workbook
    if not len(defined):
        root.remove(defined)
    changed = {BOOK: to_bytes(root)}
    return _rewritten(workbook, parts, changed, *without_dynamic_cells(parts, names))


def text(module: str = "") -> str:
    """All names in the form that the Advanced Formula Environment of Excel Labs takes.

    In a ``module`` of that name, a cell calls them as ``ELO.EXPECTED``. They call one another so,
    too: a K alone would be the argument ``k``.
    """
    lines = [
        "/*",
        f"elo_xl {__version__}: Elo's rating system as LAMBDA names for Excel 365 and 2024.",
        f"For the module {module or 'Workbook'} of the Advanced Formula Environment (Excel Labs).",
        "*/",
    ]
    prefix = f"{module}." if module else PREFIX
    for name in lambda_names():
        own = name.removeprefix(PREFIX) if module else name
        definition = lambda_text(name).replace(PREFIX, prefix)
        lines += ["", "/**", find(name).help, "*/", f"{own} = {definition};"]
    return "\n".join(lines) + "\n"


def _rewritten(
    workbook: bytes, parts: Parts, changed: Parts, cells: Parts, without: set[str]
) -> bytes:
    if cells:
        now = {**parts, **changed, **cells}
        more, chain = without_calculation_chain(now)
        changed = {**changed, **cells, **more}
        without = without | chain
    return with_parts(workbook, changed, without) if changed or without else workbook


def _defined_names(root: Element) -> Element:
    defined = root.find(f"{MAIN}definedNames")
    if defined is None:
        defined = root.makeelement(f"{MAIN}definedNames", {})
        place = next((i for i, child in enumerate(root) if child.tag in _AFTER), len(root))
        root.insert(place, defined)
    return defined


def _remove(defined: Element, names: frozenset[str]) -> bool:
    """Remove our names; return whether there were any."""
    entries = [entry for entry in defined.findall(_NAME) if _is_ours(entry, names)]
    for entry in entries:
        defined.remove(entry)
    return bool(entries)


def _is_ours(entry: Element, names: frozenset[str]) -> bool:
    """Whether a defined name is one of ours: our LAMBDA, for the whole workbook."""
    return (
        entry.get("name", "").upper() in names
        and entry.get("localSheetId") is None
        and is_lambda_of_ours(entry.text or "")
    )


def _add(defined: Element, name: str) -> None:
    """Add a name where Excel would put it: in order, whatever its case."""
    entry = defined.makeelement(_NAME, {"name": name, "comment": find(name).help})
    entry.text = lambda_stored(name)
    names = [other.get("name", "").upper() for other in defined]
    defined.insert(sum(other < name.upper() for other in names), entry)


def _calculate_on_load(root: Element) -> None:
    """Have Excel recalculate, because values in the file may be older than the names."""
    calculation = root.find(f"{MAIN}calcPr")
    if calculation is None:
        calculation = root.makeelement(f"{MAIN}calcPr", {})
        _defined_names(root).addnext(calculation)
    calculation.set("fullCalcOnLoad", "1")
