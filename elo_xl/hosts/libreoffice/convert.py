"""Rewrite formulas that Excel stored for an add-in so that LibreOffice finds the functions."""

from __future__ import annotations

from elo_xl.functions.calls import renamed
from elo_xl.xlsx.in_place import read_parts, rewrite_parts, with_parts


def plain_names(workbook: bytes) -> bytes:
    """Give our functions in a workbook their plain names.

    In an .xlam's own file a function follows its number, ``[1]!ELO_EXPECTED(A2,B2)``.
    Raises WorkbookError if the bytes are not a workbook.
    """
    return with_parts(workbook, rewrite_parts(read_parts(workbook), b"elo_", renamed))
