"""Flavours: how calls of worksheet functions are written into cells.

=========== ============================== ======================= ==========================
flavour     a call in the file             cells                   needs
=========== ============================== ======================= ==========================
formulas    built-in functions instead     one formula a cell      nothing
lambda      ``ELO_K(D5,…)``                one dynamic cell each   Microsoft 365, Excel 2024
addin       ``ELO_K(D5:D24,…)``            one array for a block   our add-in
lite        ``_xldudf_ELO_K(D5:D24,…)``    one array for a block   xlwings Lite
=========== ============================== ======================= ==========================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from elo_xl import hosts
from elo_xl.functions.catalogue import find
from elo_xl.functions.native import inline
from elo_xl.hosts import WorkbookHost, lambdas, xlwings_lite


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
            return inline(function, *given, column=column, checks="blanks", stored=True)
        text = f"{function}({','.join(a or '' for a in given)})"
        if column is None or self.one_call:
            return text
        return f"INDEX({text},{find(function).columns.index(column) + 1})"

    def finish(self, workbook: bytes) -> bytes:
        """The file with what its calls need."""
        host = _HOSTS.get(self.name)
        return host.put_into(workbook) if host else workbook


_HOSTS: Final[dict[str, WorkbookHost]] = {"lambda": lambdas, "lite": xlwings_lite}

FLAVOURS: Final = {
    name: Flavour(name, one_call=name in ("addin", "lite")) for name in hosts.FLAVOURS
}
