"""Formulas as Excel stores them for an add-in, written so that LibreOffice finds the functions."""

from __future__ import annotations

from pathlib import Path

from elo_xl.functions.calls import calls_ours, renamed
from elo_xl.xlsx.in_place import read_parts, rewrite_parts, with_parts
from elo_xl.xlsx.package import write_whole


def plain_names(source: Path, target: Path) -> int:
    """Copy a workbook with our functions under their plain names; how many formulas call them.

    In an .xlam's own file a function stands behind its number, ``[1]!ELO_EXPECTED(A2,B2)``.
    Raises WorkbookError where the file is no workbook.
    """
    content = source.read_bytes()
    changed, count = rewrite_parts(read_parts(content), b"elo_", renamed, calls_ours)
    write_whole(target, with_parts(content, changed))
    return count
