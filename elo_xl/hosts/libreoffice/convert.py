"""Formulas as Excel stores them for an add-in, written so that LibreOffice finds the functions."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Final

# A function of an .xlam stands behind the number of that file: [1]!ELO_EXPECTED(A2,B2).
_NUMBERED: Final = re.compile(rb"\[\d+\]!(?=ELO_)")
_FORMULA: Final = re.compile(rb"<(?:f|formula\d?|definedName|calculatedColumnFormula)\b[^>]*>[^<]*")
_PARTS: Final = re.compile(r"xl/(?:workbook|worksheets/[^/]+|tables/[^/]+)\.xml")


def plain_names(source: Path, target: Path) -> int:
    """Copy a workbook with the add-in's number gone before our functions; how many there were."""
    count = 0

    def plain(formula: re.Match[bytes]) -> bytes:
        nonlocal count
        text, found = _NUMBERED.subn(b"", formula[0])
        count += found
        return text

    part = target.with_name(f"{target.name}.part")
    try:
        with zipfile.ZipFile(source) as old, zipfile.ZipFile(part, "w") as new:
            for entry in old.infolist():
                content = old.read(entry)
                if _PARTS.fullmatch(entry.filename):
                    content = _FORMULA.sub(plain, content)
                new.writestr(entry, content)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    return count
