"""Formulas as Excel stores them for an add-in, written so that LibreOffice finds the functions."""

from __future__ import annotations

from elo_xl.functions.calls import renamed
from elo_xl.xlsx.in_place import read_parts, rewrite_parts, with_parts


def plain_names(workbook: bytes) -> bytes:
    """A workbook with our functions under their plain names.

    In an .xlam's own file a function stands behind its number, ``[1]!ELO_EXPECTED(A2,B2)``.
    Raises WorkbookError where the bytes are no workbook.
    """
    return with_parts(workbook, rewrite_parts(read_parts(workbook), b"elo_", renamed))
