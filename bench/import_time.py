"""``import elo_xl`` and a first call in a fresh interpreter, beside ``import numpy``."""

from __future__ import annotations

import subprocess
import sys

from bench._timing import fastest, report


def start(statement: str) -> None:
    subprocess.run([sys.executable, "-c", statement], check=True)


def main() -> None:
    empty, numpy, ours, called, cell, special = fastest(
        10,
        lambda: start("pass"),
        lambda: start("import numpy"),
        lambda: start("import elo_xl"),
        lambda: start("import elo_xl; elo_xl.expected(1834, 2179)"),
        lambda: start("import elo_xl; elo_xl.worksheet('ELO_EXPECTED', 1834, 2179)"),
        lambda: start("import scipy.special"),
    )
    report("import elo_xl", ours, numpy, 1.3, "import numpy")
    report("import elo_xl and a first call", called, numpy, 2, "import numpy")
    report("import elo_xl and a first cell", cell, numpy, 2, "import numpy")
    report("import scipy.special", special, numpy, None, "import numpy")
    print(f"{'an empty interpreter':<52} {1e3 * empty:6.1f} ms")


if __name__ == "__main__":
    main()
