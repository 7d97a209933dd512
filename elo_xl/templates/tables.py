"""The two FIDE tables on a sheet, and the formulas that read them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from elo_xl.engine.models import LAST, differences_by_percent, fide_hundredths
from elo_xl.templates.parts import HUNDREDTHS, WHOLE, Column, Sheet, Table

DIFFERENCE: Final = "Table_difference"
HIGHER: Final = "Table_higher"
LOWER: Final = "Table_lower"
PERCENT: Final = "Table_percent"
DP: Final = "Table_dp"


def expected_formula(model: str, counted: str) -> str:
    """Formula text (without =) of the expected score at a counted difference.

    >>> expected_formula("logistic", "H6")
    '1/(1+10^(-H6/400))'

    Model ``"fide"`` reads the table that :func:`fide_tables` writes.
    """
    if model == "fide":
        return (
            f"IF({counted}<0,LOOKUP(ROUND(-{counted},0),{DIFFERENCE},{LOWER}),"
            f"LOOKUP(ROUND({counted},0),{DIFFERENCE},{HIGHER}))"
        )
    return {
        "normal": f"_xlfn.NORM.S.DIST({counted}/(200*SQRT(2)),TRUE)",
        "logistic": f"1/(1+10^(-{counted}/400))",
        "rescaled": f"1/(1+EXP(-{counted}/(100*SQRT(PI()))))",
    }[model]


def dp_formula(percent: str) -> str:
    """Formula text (without =): table 8.1.1 at a percentage, rounded half up.

    >>> dp_formula("J6")
    'LOOKUP(ROUND(J6,0),Table_percent,Table_dp)'
    """
    return f"LOOKUP(ROUND({percent},0),{PERCENT},{DP})"


def fide_tables(sheet: Sheet, top: int, left: int = 1) -> int:
    """Write both tables side by side and name their columns; gives the column after them."""
    sheet.write(top, left, "FIDE table 8.1.2", "section", measure=False)
    rows = list(_expected_rows())
    columns = (
        Column("first", "Difference from", WHOLE),
        Column("last", "to", WHOLE),
        Column("higher", "Expected, higher rated", HUNDREDTHS),
        Column("lower", "Expected, lower rated", HUNDREDTHS),
    )
    table = Table(sheet, columns, top + 1, len(rows), left)
    for i, (first, last, hundredths) in enumerate(rows):
        higher, lower = hundredths / 100, (100 - hundredths) / 100
        table.write(i, {"first": first, "last": last, "higher": higher, "lower": lower})
    for name, key in ((DIFFERENCE, "first"), (HIGHER, "higher"), (LOWER, "lower")):
        sheet.book.define(name, table.range(key))

    left += len(columns) + 1
    sheet.write(top, left, "FIDE table 8.1.1", "section", measure=False)
    by_percent = differences_by_percent().tolist()
    percents = (Column("percent", "Score in %", WHOLE), Column("dp", "Difference dp", WHOLE))
    table = Table(sheet, percents, top + 1, len(by_percent), left)
    for percent, dp in enumerate(by_percent):
        table.write(percent, {"percent": percent, "dp": dp})
    for name, key in ((PERCENT, "percent"), (DP, "dp")):
        sheet.book.define(name, table.range(key))
    return left + len(percents) + 1


def _expected_rows() -> Iterator[tuple[int, int | None, int]]:
    """First and last difference of every row of table 8.1.2, and the higher rated's hundredths."""
    values = fide_hundredths(range(LAST + 1)).astype(int).tolist()
    first = 0
    for d in range(1, LAST + 1):
        if values[d] != values[first]:
            yield first, d - 1, values[first]
            first = d
    yield first, None, values[first]
