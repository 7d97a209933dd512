"""The errors that a cell can show: the only list of them."""

from __future__ import annotations

from typing import Final

EXCEL_NUMBERS: Final = {
    "#NULL!": 2000,
    "#DIV/0!": 2007,
    "#VALUE!": 2015,
    "#REF!": 2023,
    "#NAME?": 2029,
    "#NUM!": 2036,
    "#N/A": 2042,
    "#GETTING_DATA": 2043,
    "#SPILL!": 2045,
    "#CONNECT!": 2046,
    "#BLOCKED!": 2047,
    "#UNKNOWN!": 2048,
    "#FIELD!": 2049,
    "#CALC!": 2050,
}
"""The errors that a formula or a file may hold, with the number that VBA's CVErr takes for each."""

ERROR_TEXTS: Final = (*EXCEL_NUMBERS, "#BUSY!", "#EXTERNAL!", "#PYTHON!")
"""All errors; only Excel itself can produce the last three."""
