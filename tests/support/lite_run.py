"""Run a workbook's ``main.py`` as xlwings Lite does, and call its functions: JSON in, JSON out.

This is run by the Python of an environment without elo_xl, so it imports nothing of the tests.
"""

import json
import sys
import time
from importlib.metadata import distributions
from typing import Any


def main() -> None:
    code, calls = json.load(sys.stdin)
    import numpy
    import xlwings  # noqa: F401

    namespace: dict[str, Any] = {"__name__": "main"}
    begin = time.perf_counter()
    exec(code, namespace)
    start = time.perf_counter() - begin
    json.dump(
        {
            "installed": sorted(found.metadata["Name"].lower() for found in distributions()),
            "numpy": numpy.__version__,
            "start": start,
            "functions": sorted(name for name in namespace if name.startswith("ELO_")),
            "left": sorted(name for name in namespace if name.startswith("_elo")),
            "answers": [namespace[name](*cells) for name, cells in calls],
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
