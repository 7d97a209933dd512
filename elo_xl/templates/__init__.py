"""Workbooks: sheets of live formulas, with the values that they give."""
