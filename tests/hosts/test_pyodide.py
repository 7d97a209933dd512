"""A workbook's code runs in Pyodide, Python for browsers, which xlwings Lite starts in Excel.

Its NumPy cannot be had here, so nothing is computed: what is unpacked, imported and bound, and what
Excel's values become. ``test_lite_engine.py`` computes.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from pkgutil import iter_modules

import openpyxl
import pytest

from elo_xl.engine import rulebooks
from elo_xl.functions.catalogue import functions
from elo_xl.hosts.xlwings_lite import code, put_into
from elo_xl.hosts.xlwings_udfs import MOST_TEXT
from elo_xl.xlsx.package import package
from tests.support import ROOT

RUN = ROOT / "tests" / "pyodide" / "run.mjs"
TABLE = ROOT / "elo_xl" / "engine" / "tables" / "table_8_1_2.csv"


@pytest.fixture(scope="session")
def pyodides() -> dict[str, Path]:
    """The folder of each Pyodide, by its name."""
    script = ROOT / "scripts" / "pyodide.sh"
    found = subprocess.run([script, "--find"], capture_output=True, text=True, check=False)
    if found.returncode:
        pytest.fail(found.stderr.strip(), pytrace=False)
    return {Path(line).name: Path(line) for line in found.stdout.splitlines()}


@pytest.mark.parametrize(
    ("name", "python", "null"),
    [("pyodide-lite", [3, 12], "NoneType"), ("pyodide", [3, 14], "JsNull")],
)
def test_main_py_runs_in_the_browser_s_python(
    name: str, python: list[int], null: str, pyodides: dict[str, Path], tmp_path: Path
) -> None:
    main = tmp_path / "main.py"
    book = put_into(package(openpyxl.Workbook(), {}))
    main.write_text(code(book)["main.py"], encoding="ascii")
    run = subprocess.run(
        ["node", RUN, pyodides[name], main], capture_output=True, encoding="utf-8", check=False
    )
    assert run.returncode == 0, run.stderr[-2000:]
    found = json.loads(run.stdout)
    assert found["python"] == python
    assert found["null"] == null  # a blank cell is one type or the other, so both are tried
    (engine,) = found["paths"]
    assert "elo_xl-" in engine
    assert found["home"] == f"{engine}/elo_xl/__init__.py"
    assert sorted(functions()) == found["functions"]
    assert sorted(m.name for m in iter_modules(rulebooks.__path__)) == found["rulebooks"]
    assert TABLE.read_text("ascii") == found["table"]
    blanks = [None], [None]
    values = [1834], [1834.5], [True], ["logistic"], [""], ["#N/A"], [7], [""]
    assert [[[*blanks, *values], None]] == found["received"]
    assert [["#N/A", 0.5, "x" * MOST_TEXT]] == found["answer"]
