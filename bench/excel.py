"""The functions through xlwings' COM machinery, beside a bare ``ndtr`` with its own converters."""

from __future__ import annotations

import sys
import types
from functools import partial

import numpy as np
from scipy.special import ndtr

from bench._timing import fastest, report
from tests.support.excel_host import MODULE, install

ROWS = 100_000
CELLS = 1_000


def main() -> None:
    xlwings = install()
    bare = types.ModuleType("bench_bare")
    bare.__file__ = __file__
    sys.modules[bare.__name__] = bare

    def expected(rating, opponent):
        return ndtr((np.asarray(rating) - opponent) / 282.842712474619)

    def normal(x):
        return ndtr(x)

    vars(bare)["EXPECTED"] = xlwings.func(expected)
    vars(bare)["NORMAL"] = xlwings.func(normal)
    call = sys.modules["xlwings.com_server"].XLPython().CallUDF

    ratings = np.random.default_rng(1).normal(1700, 250, ROWS).round().tolist()
    column = tuple((rating,) for rating in ratings)

    ours, reference = fastest(
        10,
        lambda: call(MODULE, "ELO_EXPECTED", (column, 1800.0)),
        lambda: call(bare.__name__, "EXPECTED", (column, 1800.0)),
    )
    report(f"Excel: a column of {ROWS:,} rows", ours, reference, 0.5, "bare ndtr")

    def cells(module: str, name: str, *others: object) -> None:
        for rating in ratings[:CELLS]:
            call(module, name, (rating, *others))

    ours, reference, one = fastest(
        20,
        lambda: cells(MODULE, "ELO_EXPECTED", 1800.0),
        lambda: cells(bare.__name__, "EXPECTED", 1800.0),
        lambda: cells(bare.__name__, "NORMAL"),
    )
    report(f"Excel: {CELLS:,} cells of ELO_EXPECTED", ours, reference, 1.2, "bare ndtr")
    report("Excel: the same", ours, one, None, "bare ndtr of one argument")

    met = tuple((1700.0 + 50 * i,) for i in range(9))
    scores = tuple((float(i % 2),) for i in range(9))
    for name, limit, others in (
        ("ELO_NEW", 1.2, (20.0, 5.0, 4.0)),
        ("ELO_K", 1.6, (100.0, 30.0)),
        ("ELO_BAYES", 3.0, (1800.0, 1.0, 100.0)),
        ("ELO_CHANGE", 4.0, (20.0, met, scores)),
    ):
        ours, one = fastest(
            20, partial(cells, MODULE, name, *others), partial(cells, bare.__name__, "NORMAL")
        )
        report(f"Excel: {CELLS:,} cells of {name}", ours, one, limit, "bare ndtr of one argument")


if __name__ == "__main__":
    main()
