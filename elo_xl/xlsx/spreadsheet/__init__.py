"""What a spreadsheet computes: values, operators, functions, and formulas as Python functions."""

from elo_xl.xlsx.spreadsheet.compiling import OF_VALUES
from elo_xl.xlsx.spreadsheet.lazy_functions import LAZY
from elo_xl.xlsx.spreadsheet.range_functions import OF_RANGES

FUNCTIONS = frozenset((*OF_VALUES, *OF_RANGES, *LAZY))
"""The functions that the evaluator knows, without prefixes."""

__all__ = ["FUNCTIONS"]
