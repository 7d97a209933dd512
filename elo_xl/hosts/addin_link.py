"""The add-in for Excel, as workbooks that use it hold its functions: a link to the add-in's file.

Excel looks for a function of an add-in in the file to which a link of the workbook leads. The link
leads to Excel's start folder, where ``elo-xl addin excel --install`` puts the add-in: the same
workbook finds it on every computer. How cells map is described in :mod:`.xlwings_udfs`. In the
file, formulas call such a function by the link's number:

* as typed and shown: ``=ELO_EXPECTED(A2,B2)``
* as stored: ``[1]!ELO_EXPECTED(A2,B2)``

Conditional formats and validations must not refer to other files: Excel calls no function of an
add-in there, so calls in them stay plain.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Final
from urllib.parse import unquote

from elo_xl.functions.calls import called_ours, renamed, unlinked
from elo_xl.xlsx.in_place import read_parts, rewrite_parts, with_parts
from elo_xl.xlsx.links import IN_START_FOLDER, links, with_link, without_links
from elo_xl.xlsx.opc import FORMULA, MAIN, Parts, from_bytes, to_bytes

FILE: Final = "elo_xl.xlam"
"""The add-in's file."""

SHEETS: Final = ("elo_xl.conf",)
"""The add-in's sheets, which a link lists."""

#: What its users make of the file's name: "elo_xl (1).xlam", or the workbook elo_xl.xlsm.
_OURS: Final = re.compile(r"(?:.*[\\/])?elo_xl[^\\/]*\.xl[as]m?", re.IGNORECASE)
_CALLING: Final = (
    *(FORMULA, f"{MAIN}definedName"),
    *(f"{MAIN}calculatedColumnFormula", f"{MAIN}totalsRowFormula"),
)


def put_into(workbook: bytes) -> bytes:
    """Make a workbook call the functions of the add-in as Excel stores it.

    A workbook that calls none stays as it is, and a second call changes nothing. Raises
    WorkbookError if the bytes are not a workbook.
    """
    workbook = take_out(workbook)
    parts = read_parts(workbook)
    prefix = f"[{len(links(parts)) + 1}]!"
    changed: Parts = {}
    names: set[str] = set()
    for name, part in parts.items():
        if not name.startswith("xl/") or not name.endswith(".xml") or b"elo_" not in part.lower():
            continue
        root = from_bytes(part)
        for formula in root.iter(*_CALLING):
            called = called_ours(formula.text or "")
            if called:
                names |= called
                formula.text = renamed(formula.text or "", prefix)
                changed[name] = b""
        if name in changed:
            changed[name] = to_bytes(root)
    if not names:
        return workbook
    more = with_link({**parts, **changed}, IN_START_FOLDER, FILE, SHEETS, sorted(names))
    return with_parts(workbook, {**changed, **more})


def take_out(workbook: bytes) -> bytes:
    """Make the calls plain, wherever Excel found the add-in, and remove the link that they needed.

    A call of another file's function stays, and so does a link to which something else refers.
    Raises WorkbookError if the bytes are not a workbook.
    """
    parts = read_parts(workbook)
    targets = {f"[{n}]": link.target for n, link in enumerate(links(parts), start=1)}

    def leads_to_us(link: str) -> bool:
        # [0] is the workbook itself, and a number that has no link leads nowhere
        return _is_ours(targets.get(link, FILE if link.startswith("[") else link))

    changed = rewrite_parts(parts, b"!elo_", partial(unlinked, is_ours=leads_to_us))
    more, without = without_links({**parts, **changed}, _is_ours)
    changed |= more
    return with_parts(workbook, changed, without) if changed or without else workbook


def _is_ours(target: str) -> bool:
    return _OURS.fullmatch(unquote(target)) is not None
