"""A workbook for xlwings Lite works where nothing of elo_xl is installed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import openpyxl
import pytest

import elo_xl
from elo_xl.functions.catalogue import functions
from elo_xl.hosts.xlwings_lite import code, put_into
from elo_xl.xlsx.package import package
from tests.support import ROOT, lite_run
from tests.support.all_cases import generated, options
from tests.support.native_host import same

PYODIDE = ("numpy==2.0.2", "scipy==1.14.1")
"""What Pyodide 0.27.5 has, which workbooks of xlwings Lite name."""

OLDEST = {(3, 13): ("numpy==2.1.0", "scipy==1.14.1"), (3, 14): ("numpy==2.3.2", "scipy==1.16.1")}
"""The oldest of which there are wheels for a Python that came later."""


@pytest.fixture(scope="module")
def written() -> dict[str, Any]:
    """What a workbook made for xlwings Lite holds."""
    return code(put_into(package(openpyxl.Workbook(), {})))


def bare_python(requirements: list[str]) -> Path:
    """The Python of a new environment with nothing but some packages; it is kept under build/."""
    name = "-".join(need.replace("==", "-") for need in requirements)
    home = ROOT / "build" / f"lite-{name}-python{sys.version_info[0]}.{sys.version_info[1]}"
    python, done = home / "bin" / "python", home / "done"
    if not done.exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", home], check=True)
        install = (python, "-m", "pip", "install", "-qq", "--disable-pip-version-check")
        subprocess.run([*install, "--only-binary", ":all:", *requirements], check=True)
        done.touch()
    return python


def sent(cells: Any) -> Any:
    """Cells as Lite sends them: always in rows, an error as a dictionary."""
    if cells is None:
        return None
    rows = cells if isinstance(cells, list) else [[cells]]
    return [[as_lite(cell) for cell in row] for row in rows]


def as_lite(cell: Any) -> Any:
    if isinstance(cell, str) and cell.startswith("#"):
        return {"type": "Error", "basicType": "Error", "basicValue": cell}
    return cell


def answered(
    python: Path | str, written: dict[str, Any], calls: list[tuple[str, list[Any]]], folder: Path
) -> dict[str, Any]:
    """What a workbook answers to some calls, run by a Python in a process of its own."""
    run = subprocess.run(
        [python, "-I", lite_run.__file__],
        input=json.dumps([written["main.py"], calls]),
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert run.returncode == 0, run.stderr
    answers: dict[str, Any] = json.loads(run.stdout)
    return answers


def test_every_function_is_in_it(written: dict[str, Any], tmp_path: Path) -> None:
    """What the workbook brings comes before what is installed."""
    found = answered(sys.executable, written, [("ELO_EXPECTED", [[[1834]], [[2179]]])], tmp_path)
    assert (sorted(functions()), []) == (found["functions"], found["left"])
    assert [[[elo_xl.call("ELO_EXPECTED", 1834, 2179)]]] == found["answers"]


@pytest.mark.proof
def test_it_works_without_elo_xl(written: dict[str, Any], tmp_path: Path) -> None:
    known = {need.partition("==")[0]: need for need in OLDEST.get(sys.version_info[:2], PYODIDE)}
    needs = [known.get(line, line) for line in written["requirements.txt"].splitlines()]
    calls = [
        (function.name, example.arguments)
        for function in functions().values()
        for example in function.examples
    ]
    assert len(calls) >= 45
    calls += [(case.function, case.arguments) for case in (*options(), *generated())]
    asked = [(name, [*map(sent, arguments)]) for name, arguments in calls]
    found = answered(bare_python(needs), written, asked, tmp_path)
    assert found["numpy"] == known["numpy"].partition("==")[2]
    assert {*found["installed"]} - {"pip", "setuptools"} == {"numpy", "scipy", "xlwings"}
    assert sorted(functions()) == found["functions"]
    assert found["left"] == []
    wrong = [
        (name, arguments, answer)
        for (name, arguments), answer in zip(calls, found["answers"], strict=True)
        if not same(rows(elo_xl.call(name, *arguments)), answer)
    ]
    assert wrong == []


def rows(result: Any) -> list[list[Any]]:
    return result if isinstance(result, list) else [[result]]
