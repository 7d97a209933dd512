"""A bare import stays as quick as a script's start should be."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import elo_xl

HEAVY = {"numpy", "scipy", "openpyxl", "xlwings", "lxml", "rich", "click", "csv", "json"}
NEVER = {"scipy.stats", "xlwings", "openpyxl", "pandas", "matplotlib"}


def loaded(code: str) -> set[str]:
    """The modules in memory after some code, in a process of its own."""
    ended = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\nprint(*sys.modules)"],
        cwd=Path(elo_xl.__file__).parents[1],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return set(ended.stdout.split())


def test_import_loads_nothing_heavy():
    before = loaded("")
    new = loaded("import elo_xl") - before
    assert set() == new & HEAVY
    assert {"elo_xl"} == {name for name in new if name.startswith("elo_xl")}


@pytest.mark.parametrize(
    "code",
    [
        "import elo_xl; elo_xl.call('ELO_EXPECTED', 1834, 2179)",
        "import elo_xl; elo_xl.call('ELO_PERFORMANCE', [1834, 2179], 1, 'normal')",
        "import elo_xl.tournament.trf, elo_xl.tournament.rate",
        "from elo_xl.functions.catalogue import functions; functions()",
    ],
)
def test_a_call_loads_no_more_than_it_needs(code):
    assert set() == loaded(code) & NEVER


def test_the_table_and_the_logistic_curve_in_a_cell_need_no_file_library():
    modules = loaded("import elo_xl; elo_xl.call('ELO_EXPECTED', 1834, 2179, 'fide')")
    assert "numpy" in modules
    assert set() == modules & {"lxml", "rich", "click"}


def test_public_names():
    assert {"call", "__version__"} == set(elo_xl.__all__)
    assert callable(elo_xl.call)
    with pytest.raises(AttributeError, match=r"^module 'elo_xl' has no attribute 'cal'$"):
        elo_xl.cal  # noqa: B018
