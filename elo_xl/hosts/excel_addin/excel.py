"""Excel itself, asked through COM: it tells what no file can."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PureWindowsPath
from time import perf_counter
from typing import Any

from elo_xl.hosts import PROBLEM
from elo_xl.hosts.excel_addin import ADDIN

_FORMULA, _VALUE = "=ELO_EXPECTED(1834,2179)", "0.111278"


def from_store(path: str) -> bool:
    """Whether a program comes from the Microsoft Store.

    >>> from_store("C:/Program Files/WindowsApps/Microsoft.Office.Desktop.Excel_16/Office16")
    True
    """
    return "windowsapps" in (part.lower() for part in PureWindowsPath(path).parts)


def ask(addin: Path) -> Iterator[str]:
    """Report what Excel is, and what it does with the add-in.

    It is the Excel that runs, or one that is started for this and quits again.
    """
    import pywintypes
    from win32com import client

    try:
        excel, started = client.GetActiveObject("Excel.Application"), False
    except pywintypes.com_error:
        try:
            excel, started = client.DispatchEx("Excel.Application"), True
        except pywintypes.com_error as error:
            yield f"{PROBLEM}no Excel can be started here: {_reason(error)}"
            return
    try:
        yield from _look(excel, addin)
        if started:
            # An Excel that a program starts opens nothing of its start folder.
            excel.Workbooks.Add()
            excel.Workbooks.Open(str(addin))
        if started or _has_opened_it(excel):
            yield from _call(excel)
        else:
            yield (
                f"{PROBLEM}the Excel that runs has not opened {ADDIN}: quit it and start it again. "
                "If that does not help, its macros are blocked: File > Options > Trust Center"
            )
    except pywintypes.com_error as error:
        yield (
            f"{PROBLEM}Excel does not answer ({_reason(error)}): finish the cell that is being "
            "edited and close all dialogs, then try again"
        )
    finally:
        if started:
            excel.DisplayAlerts = False
            excel.Quit()


def _look(excel: Any, addin: Path) -> Iterator[str]:
    """What Excel says of itself."""
    bits = "64-bit" if "64-bit" in excel.OperatingSystem else "32-bit"
    yield f"Excel {excel.Version}.{excel.Build}, {bits}: {excel.Path}"
    if from_store(excel.Path):
        yield (
            f"{PROBLEM}this Excel is the Microsoft Store's edition, which starts no Python: "
            "uninstall it, then install Office from office.com"
        )
    if os.path.normcase(excel.StartupPath) != os.path.normcase(addin.parent):
        yield f"{PROBLEM}Excel's start folder is {excel.StartupPath}: copy {addin} into it"


def _has_opened_it(excel: Any) -> bool:
    import pywintypes

    try:
        excel.Workbooks(ADDIN)  # add-ins are not counted, but found by their names
    except pywintypes.com_error:
        return False
    return True


def _call(excel: Any) -> Iterator[str]:
    """Whether a function works, and how long it takes; the first call starts Python."""
    before = perf_counter()
    value = excel.Run(f"{ADDIN}!ELO_EXPECTED", 1834, 2179)
    took = perf_counter() - before
    if isinstance(value, float) and f"{value:.6f}" == _VALUE:
        yield f"in Excel, {_FORMULA} is {_VALUE}, after {took:.1f} s"
    else:
        reason = excel.Run(f"{ADDIN}!ELO_LAST_ERROR")
        yield f"{PROBLEM}in Excel, {_FORMULA} fails, after {took:.1f} s: {reason or value}"


def _reason(error: Any) -> str:
    """What a COM error says: its own text, or else that of its source."""
    _, text, details, *_ = error.args
    return str((details and details[2]) or text).strip()
