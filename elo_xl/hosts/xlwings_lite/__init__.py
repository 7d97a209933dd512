"""xlwings Lite, in Excel on Mac, web and Windows: the functions inside one workbook.

xlwings Lite is an add-in from the Office store that runs Python in the browser built into Excel.
It keeps a workbook's code in the workbook, as properties of its own web extension
(:mod:`.extension`): ``main.py`` and ``requirements.txt`` (:mod:`.contents`). Our code there holds
all of elo_xl that the functions need, so nothing of it has to be installed. It calls
:func:`elo_xl.hosts.xlwings_udfs.bind`, whose module describes how cells map. In the file, formulas
call such a function with a prefix:

* as typed and shown: ``=ELO_EXPECTED(A2,B2)``
* as stored: ``_xldudf_ELO_EXPECTED(A2,B2)``
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from elo_xl.functions.calls import PREFIX, calls_ours, renamed
from elo_xl.functions.catalogue import functions
from elo_xl.functions.names import check
from elo_xl.hosts.xlwings_lite import extension
from elo_xl.xlsx.in_place import FORMULAS, read_parts, rewrite_parts, with_parts
from elo_xl.xlsx.opc import from_bytes, sheet_parts

_MARK: Final = b"elo_"


def put_into(workbook: bytes) -> bytes:
    """Make a workbook for xlwings Lite: add our code, and store its calls as Lite does.

    Code that the workbook already has for xlwings Lite is kept, and ours follows it. A second call
    changes nothing. Raises WorkbookError if the bytes are not a workbook, NamesError for names that
    Office would refuse.
    """
    check(functions().values())
    parts = read_parts(workbook)
    changed = rewrite_parts(parts, _MARK, stored)
    return with_parts(workbook, {**changed, **extension.with_code(parts)})


def take_out(workbook: bytes) -> bytes:
    """Remove the code of :func:`put_into` from a workbook; calls become plain ``ELO_`` again.

    What else the workbook has for xlwings Lite stays. If nothing else is left of what we brought,
    all that refers to xlwings Lite leaves. Raises WorkbookError if the bytes are not a workbook.
    """
    parts = read_parts(workbook)
    changed, without = extension.without_code(parts)
    changed |= rewrite_parts(parts, PREFIX.encode() + _MARK, plain)
    return with_parts(workbook, changed, without) if changed or without else workbook


def stored(formula: str) -> str:
    """A formula as a workbook for xlwings Lite stores it.

    >>> stored('IF(A1="ELO_K(",elo_k(A2),_xldudf_ELO_K(A3))')
    'IF(A1="ELO_K(",_xldudf_ELO_K(A2),_xldudf_ELO_K(A3))'
    """
    return renamed(formula, PREFIX)


def plain(formula: str) -> str:
    """A formula without the prefix of Lite; one that has none stays.

    >>> plain('_xldudf_ELO_K(A3)&"_xldudf_ELO_K("'), plain("[1]!ELO_K(A2)")
    ('ELO_K(A3)&"_xldudf_ELO_K("', '[1]!ELO_K(A2)')
    """
    return renamed(formula) if PREFIX in formula.lower() else formula


def code(workbook: bytes) -> dict[str, Any]:
    """The files by name, and the settings, that a workbook holds for xlwings Lite."""
    return extension.code(read_parts(workbook))


def rules(workbook: bytes) -> Iterator[str]:
    """Where conditional formats and data validation call the functions.

    Excel works these rules out at once, and does not wait there for a function of an Office add-in:
    such a rule never applies. It does in a cell, to which the rule can refer.
    """
    parts = read_parts(workbook)
    kinds = {"conditionalFormatting": "conditional format", "dataValidation": "data validation"}
    for title, name in sheet_parts(parts).items():
        if _MARK not in parts[name].lower():
            continue
        for rule in from_bytes(parts[name]).iter(*(f"{{*}}{kind}" for kind in kinds)):
            inside = [(str(e.tag).rpartition("}")[2], e.text or "") for e in rule.iter()]
            if any(tag in FORMULAS and calls_ours(text) for tag, text in inside):
                kind = kinds[str(rule.tag).rpartition("}")[2]]
                # rules of Excel 2010 and later have their cells in an element
                where = rule.get("sqref") or dict(inside).get("sqref", "")
                yield f"{kind} @ {title}!{where}"
