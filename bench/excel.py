"""The functions through xlwings' COM machinery, beside a bare ``ndtr`` with its own converters."""

from __future__ import annotations

import sys
import types

import numpy as np
from scipy.special import ndtr

from bench._timing import fastest, report
from tests.excel_host import MODULE, install

ROWS = 100_000
CELLS = 1_000


def main() -> None:
    xlwings = install()
    bare = types.ModuleType("bench_bare")
    bare.__file__ = __file__
    sys.modules[bare.__name__] = bare

    def expected(rating, opponent):
        return ndtr((np.asarray(rating) - opponent) / 282.842712474619)

    vars(bare)["EXPECTED"] = xlwings.func(expected)
    call = sys.modules["xlwings.com_server"].XLPython().CallUDF

    ratings = np.random.default_rng(1).normal(1700, 250, ROWS).round().tolist()
    column = tuple((rating,) for rating in ratings)

    ours, reference = fastest(
        10,
        lambda: call(MODULE, "ELO_EXPECTED", (column, 1800.0)),
        lambda: call(bare.__name__, "EXPECTED", (column, 1800.0)),
    )
    report(f"Excel: a column of {ROWS:,} rows", ours, reference, 0.5, "bare ndtr")

    def cells(module: str, name: str) -> None:
        for rating in ratings[:CELLS]:
            call(module, name, (rating, 1800.0))

    ours, reference = fastest(
        20,
        lambda: cells(MODULE, "ELO_EXPECTED"),
        lambda: cells(bare.__name__, "EXPECTED"),
    )
    report(f"Excel: {CELLS:,} single cells", ours, reference, 1.2, "bare ndtr")


if __name__ == "__main__":
    main()
