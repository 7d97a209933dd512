"""Workbooks: sheets of live formulas, with the values that they give."""

from typing import Final

MOST_LISTED: Final = 50_000
"""Rows of a list in a workbook that holds values."""
