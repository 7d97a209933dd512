"""A bare import stays as quick as a script's start should be."""

from __future__ import annotations

import ast
import importlib.metadata
import inspect
import pickle
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


@pytest.mark.slow
@pytest.mark.parametrize(
    "code",
    [
        "import elo_xl; elo_xl.worksheet('ELO_EXPECTED', 1834, 2179)",
        "import elo_xl; elo_xl.worksheet('ELO_PERFORMANCE', [1834, 2179], 1, 'normal')",
        "import elo_xl.events.trf, elo_xl.events.rate",
        "from elo_xl.functions.catalogue import functions; functions()",
    ],
)
def test_a_call_loads_no_more_than_it_needs(code):
    assert set() == loaded(code) & NEVER


@pytest.mark.slow
@pytest.mark.parametrize(
    "call",
    [
        "'ELO_CLASS', 1500",  # what the add-in for Excel asks a Python that it has started
        "'ELO_EXPECTED', 1834, 2179, 'fide'",
        "'ELO_EXPECTED', 1834, 2179, 'logistic'",
        "'ELO_K', 2350, 40",
        "'ELO_NEW', 1800, 20, 5, 4",
        "'ELO_CHANGE', 1800, 20, [[1860, 1770]], [[1, 0.5]]",
        "'ELO_UPDATE', 1800, 20, [[1860, 1770]], [[1, 0.5]]",
        "'ELO_PERFORMANCE', [[1860, 1770]], 1.5",
        "'ELO_INITIAL', [[1800, 1800, 1800, 1800, 1800]], 3",
    ],
)
def test_a_cell_needs_neither_files_nor_scipy_where_it_can_do_without(call):
    modules = loaded(f"import elo_xl; elo_xl.worksheet({call})")
    assert "numpy" in modules
    assert set() == modules & {"lxml", "rich", "click", "scipy"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "call",
    [
        "import elo_xl; elo_xl.expected(1834, 2179)",
        "import elo_xl; elo_xl.worksheet('ELO_EXPECTED', 1834, 2179)",
        "import elo_xl; elo_xl.worksheet('ELO_EXPECTED', [[1834], [2179]], [[1800], ['?']])",
        "from elo_xl.xlsx.spreadsheet.value_functions import NUMBERS; NUMBERS['NORMSDIST'][1](0.0)",
    ],
)
def test_the_normal_curve_needs_one_module_of_scipys(call):
    """All of scipy.special would bring nearly all of NumPy's optional modules with it."""
    modules = loaded(call)
    assert "scipy" in modules
    assert set() == modules & {"scipy.special", "numpy.f2py", "numpy.ma", "numpy.testing"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "first",
    [
        "",
        "import scipy.special",
        # SciPy arranged in another way
        "import elo_xl.special as own; own.PathFinder = type('', (), {'find_spec': print})",
    ],
)
def test_special_functions_are_scipys_own(first):
    loaded(
        f"{first}\n"
        "from elo_xl.special import special\n"
        "taken = {name: special(name) for name in ('ndtr', 'erf', 'ndtri', 'bdtr', 'owens_t')}\n"
        "import scipy.special\n"
        "for name, function in taken.items():\n"
        "    assert function is getattr(scipy.special, name), name\n"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "without"),
    [
        ("list find", {"numpy"}),
        ("call", {"openpyxl"}),
        ("rate", {"openpyxl", "elo_xl.books.book", "elo_xl.bulk.reading"}),
        ("norms", {"openpyxl", "elo_xl.books.book"}),
        ("fit", {"openpyxl"}),
        ("publish", {"numpy", "jinja2"}),
        ("close", {"openpyxl", "elo_xl.events.pgn", "elo_xl.events.trf"}),
    ],
)
def test_a_command_loads_only_what_it_needs_to_tell_about_itself(command, without):
    words = [*command.split(), "--help"]
    modules = loaded(f"from elo_xl.cli import cli\ntry: cli({words})\nexcept SystemExit: pass")
    assert set() == modules & without


@pytest.mark.slow
def test_a_book_is_worked_out_without_openpyxl():
    """A step in a club's book changes cells in its file; only new files are openpyxl's."""
    modules = loaded(
        "import elo_xl.cli.club\n"
        "from elo_xl.templates.gallery import build, options\n"
        "build('club', options('club', players=2, rounds=10))"
    )
    assert "elo_xl.books.working_out" in modules
    assert set() == modules & {"openpyxl", "PIL", "elo_xl.books.writing", "elo_xl.books.charts"}


@pytest.mark.slow
def test_a_command_below_another_is_there_before_its_module_is_loaded():
    code = "from elo_xl.cli import cli; cli(['list', 'update', '--help'], standalone_mode=False)"
    assert "elo_xl.cli.club" in loaded(code)


def test_public_names():
    stub = ast.parse(Path(elo_xl.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    imported = [
        alias.name
        for line in stub.body
        if isinstance(line, ast.ImportFrom)
        for alias in line.names
        if alias.name == alias.asname
    ]
    declared = {function.name for function in stub.body if isinstance(function, ast.FunctionDef)}
    assert sorted(elo_xl.__all__) == sorted([*imported, *declared, "__version__"])
    assert sorted(elo_xl.__all__) == dir(elo_xl)
    for name in elo_xl.__all__:
        value = getattr(elo_xl, name)
        if not isinstance(value, str | dict):
            assert value.__doc__, name
            assert "elo_xl" == value.__module__
            assert value is pickle.loads(pickle.dumps(value))
    with pytest.raises(AttributeError, match=r"^module 'elo_xl' has no attribute 'cal'$"):
        elo_xl.cal  # type: ignore[attr-defined]  # noqa: B018
    for gone, instead in vars(elo_xl)["_GONE"].items():
        with pytest.raises(AttributeError, match=f"'{gone}'; instead of it there is ") as told:
            getattr(elo_xl, gone)
        assert str(told.value).endswith(instead)
        assert gone not in dir(elo_xl)


@pytest.mark.parametrize("name", elo_xl.__all__)
def test_public_names_have_an_example(name):
    value = getattr(elo_xl, name)
    if inspect.isfunction(value):
        assert ">>>" in str(value.__doc__)


WITHOUT = """
import importlib.abc

class Blocked(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked!r}:
            raise ModuleNotFoundError(name, name=name)

sys.meta_path.insert(0, Blocked())
"""


@pytest.mark.slow
def test_numbers_and_tables_need_numpy_and_scipy_only():
    """What a service installs with ``pip install --no-deps elo-xl`` beside the two."""
    blocked = set(importlib.metadata.packages_distributions()) - {"elo_xl", "numpy", "scipy"}
    assert {"openpyxl", "lxml", "click", "narwhals", "pandas", "rapidfuzz", "anyascii"} <= blocked
    loaded(
        WITHOUT.format(blocked=blocked)
        + "import pkgutil, importlib, elo_xl as elo, elo_xl.engine\n"
        "for module in pkgutil.walk_packages(elo_xl.engine.__path__, 'elo_xl.engine.'):\n"
        "    importlib.import_module(module.name)\n"
        "elo.expected([1834], 2179), elo.worksheet('ELO_NEW', 1800, 20, 5, 4)\n"
        "elo.bayes(1600, 1500, 1, 100)\n"
        "games = {'white': ['Ana', 'Bo'], 'black': ['Bo', 'Ana'], 'result': ['1-0', 1],\n"
        "         'date': ['2026-01-31', '2026-02-28']}\n"
        "players = {'name': ['Ana', 'Bo'], 'rating': [1800, 1700]}\n"
        "for rules in elo.rulebooks: elo.rate_period(games, players, rules=rules)\n"
        "elo.Rules('fide').rate(games, players)\n"
        "for system in (elo.Elo(), elo.Ioffe(), elo.Glicko(), elo.Glicko2()):\n"
        "    rated = system.rate(games, players, period='month')\n"
        "    rated.update(games | {'date': ['2026-03-01'] * 2}).players, rated.history\n"
        "    rated.predict({'white': ['Ana'], 'black': ['Bo']})\n"
        "    elo.evaluate(system, games)\n"
        "elo.fit([('Ana', 'Bo', 1), ('Bo', 'Ana', 1), ('Ana', 'Bo', 0), ('Bo', 'Ana', 0)])\n"
    )


@pytest.mark.slow
def test_a_missing_library_is_named_with_the_command_that_helps():
    pytest.importorskip("pandas")
    code = (
        "import pandas\n" + WITHOUT.format(blocked={"narwhals"}) + "import elo_xl as elo\n"
        "try: elo.expected(pandas.Series([1834]), 2179)\n"
        "except ModuleNotFoundError as missing: sys.said = str(missing)\n"
        'assert sys.said == "columns and tables of pandas need narwhals:'
        ' pip install narwhals", sys.said'
    )
    loaded(code)
