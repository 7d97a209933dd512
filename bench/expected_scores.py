"""A million expected scores by model, beside the one slow step that each cannot do without.

The logistic curve's step is the exponential; where NumPy has it in AVX-512 it takes no longer than
a division, and the three other steps of the formula weigh more than it does. The second logistic
line measures both with that instruction set switched off, as on most machines in clubs.
"""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
from scipy.special import ndtr

from bench._timing import fastest, report
from elo_xl.engine.models import expected

N = 1_000_000
WITHOUT_AVX512 = "X86_V4 AVX512_ICL AVX512_SPR"


def main() -> None:
    rng = np.random.default_rng(1)
    differences = rng.normal(0, 300, N)
    whole = differences.round()
    scaled = differences / 174
    work, result = np.empty(N), np.empty(N)
    rows = whole.astype(np.int64) % 1000
    table = np.linspace(0, 1, 1000)

    def logistic_alone() -> None:
        np.exp(scaled, out=work)

    def normal_alone() -> None:
        ndtr(scaled, out=work)

    def table_alone() -> None:
        np.take(table, rows, out=work, mode="clip")

    def plain() -> None:
        1 / (1 + 10 ** (-differences / 400))

    ours, limit, peer = fastest(
        100, lambda: expected(differences, "logistic", out=result), logistic_alone, plain
    )
    report("logistic", ours, limit, 1.5, "np.exp")
    report("logistic, the usual NumPy line", peer, limit, None, "np.exp")
    if "--inner" in sys.argv:
        return
    ours, limit = fastest(20, lambda: expected(differences, "normal", out=result), normal_alone)
    report("normal", ours, limit, 1.15, "scipy.special.ndtr")
    ours, limit = fastest(20, lambda: expected(whole, "fide", out=result), table_alone)
    report("FIDE table", ours, limit, None, "np.take on whole numbers")
    print("the same without AVX-512:")
    subprocess.run(
        [sys.executable, "-m", "bench.expected_scores", "--inner"],
        check=True,
        env={**os.environ, "NPY_DISABLE_CPU_FEATURES": WITHOUT_AVX512},
    )


if __name__ == "__main__":
    main()
