"""Excel on Windows: the add-in ``elo_xl.xlam``, or one workbook with the functions in it.

A function is a few lines of VBA that hand its arguments to xlwings' server, which calls
:mod:`elo_xl.hosts.xlwings_udfs` in the user's Python. Nothing has to be imported in Excel, and its
VBA projects need not be open to programs. This side maps cells like this:

* blank: Empty; an omitted argument becomes Empty too, or at the end is not sent at all.
* errors: in as Excel's error values, out from their texts by CVErr, also inside arrays. #VALUE!
  where Python cannot be reached or fails; ``=ELO_LAST_ERROR()`` then says why.
* booleans: as they are.
* numbers: Double, also for dates and Currency, because a range is read as Value2.
* arrays: a range becomes its values before Python sees it; one of several areas is #VALUE!.

xlwings' module stands in the files under its BSD licence, which is written beside them. It is bound
to one version of xlwings, the one installed where the files are made.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from elo_xl.functions.catalogue import functions
from elo_xl.functions.names import check
from elo_xl.hosts.excel_addin import contents
from elo_xl.hosts.excel_addin.vba import LICENCE, AddinError, xlwings_licence
from elo_xl.xlsx.package import write_whole

__all__ = ["ADDIN", "LICENCE", "WORKBOOK", "AddinError", "build", "content"]

ADDIN: Final = "elo_xl.xlam"
WORKBOOK: Final = "elo_xl.xlsm"


def build(folder: Path, *, workbook: bool = False) -> Path:
    """Write the add-in, or the workbook, with xlwings' licence into a folder and return its path.

    The same catalogue and the same xlwings give the same bytes. Raises NamesError for names that
    Excel would refuse, AddinError if something needed to build it is missing.
    """
    made, terms = content(workbook=workbook), xlwings_licence().encode()
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / (WORKBOOK if workbook else ADDIN)
    write_whole(folder / LICENCE, terms)
    write_whole(target, made)
    return target


def content(*, workbook: bool = False) -> bytes:
    """The bytes of the add-in, or of the workbook; raises the errors of :func:`build`."""
    known = list(functions().values())
    check(known)
    return contents.workbook(known) if workbook else contents.addin(known)
