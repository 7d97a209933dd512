"""Flavours: how calls of worksheet functions are written into cells.

=========== ============================== ======================= ==========================
flavour     a call in the file             cells                   needs
=========== ============================== ======================= ==========================
formulas    built-in functions instead     one formula a cell      nothing
lambda      ``ELO_K(D5,…)``                one dynamic cell each   Microsoft 365, Excel 2024
addin       ``[1]!ELO_K(D5:D24,…)``        one array for a block   our add-in for Excel
lite        ``_xldudf_ELO_K(D5:D24,…)``    one array for a block   xlwings Lite
libreoffice ``ELO_K(D5:D24,…)``            one array for a block   our add-in for LibreOffice
=========== ============================== ======================= ==========================

A workbook has one of the forms at a time, no matter who made it: :func:`put_into`, :func:`plain`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from elo_xl import hosts
from elo_xl.functions.catalogue import find, functions
from elo_xl.hosts import WorkbookHost


@dataclass(frozen=True, slots=True)
class Flavour:
    """One of :data:`FLAVOURS`."""

    name: str
    one_call: bool = False
    """whether one call fills a whole block of cells"""

    def call(
        self, function: str, arguments: Sequence[str | None], column: str | None = None
    ) -> str:
        """Formula text (without =) of a call; None is an omitted argument.

        >>> FLAVOURS["addin"].call("ELO_K", ["A2", None, "C2"])
        'ELO_K(A2,,C2)'
        >>> FLAVOURS["formulas"].call("ELO_NEW", ["A2", "B2", "C2", "D2"])
        'IF(OR(A2="",A2=0,B2="",C2="",D2=""),"",A2+B2*(C2-D2))'

        ``column`` is the heading of the result's cell where the function gives several and every
        cell has a formula of its own.
        """
        given = list(arguments)
        while given and given[-1] is None:
            given.pop()
        if self.name == "formulas":
            from elo_xl.functions.native import inline

            formulas = [a and f"={a}" for a in given]  # a setting may be named like an option
            return inline(function, *formulas, column=column, checks="blanks", stored=True)
        text = f"{function}({','.join(a or '' for a in given)})"
        if column is None or self.one_call:
            return text
        return f"INDEX({text},1,{find(function).columns.index(column) + 1})"

    def finish(self, workbook: bytes) -> bytes:
        """The file with what its calls need."""
        return _host(self.name).put_into(workbook) if self.name in _HOSTED else workbook


_HOSTED: Final = ("lambda", "addin", "lite")
"""The flavours that need something in a workbook."""


def _host(flavour: str) -> WorkbookHost:
    """The host of one of them; most books need none, so they are not loaded before."""
    from elo_xl.hosts import addin_link, lambdas, xlwings_lite

    hosts: tuple[WorkbookHost, ...] = lambdas, addin_link, xlwings_lite
    return dict(zip(_HOSTED, hosts, strict=True))[flavour]


FLAVOURS: Final = {
    name: Flavour(name, one_call=name in ("addin", "lite", "libreoffice"))
    for name in hosts.FLAVOURS
}


def put_into(workbook: bytes, flavour: str) -> bytes:
    """Put what a flavour needs into a workbook, and take out what others need.

    Raises WorkbookError for what is not a workbook, or one in which the name of one of our
    functions means something else.
    """
    from elo_xl.hosts import lambdas

    if flavour != "lambda":  # where a function has no LAMBDA, the name is free
        lambdas.check(workbook, functions())
    return _host(flavour).put_into(plain(workbook, but=flavour))


def take_out(workbook: bytes, flavour: str) -> bytes:
    """Take out of a workbook what a flavour needs; calls in its form become plain.

    Raises WorkbookError for what is not a workbook.
    """
    return _host(flavour).take_out(workbook)


def plain(workbook: bytes, but: str = "") -> bytes:
    """Take out of a workbook what any flavour needs, ``but`` one; calls become plain.

    Raises WorkbookError for what is not a workbook.
    """
    for name in _HOSTED:
        if name != but:
            workbook = take_out(workbook, name)
    return workbook
