"""Run main.py in Pyodide without NumPy, SciPy and xlwings, and say as JSON what came of it.

Builds of NumPy for Pyodide are on no package index, so objects that take any operation stand in
for it: everything is imported and bound, but nothing can be computed. What the functions are
called with is kept instead.
"""

import importlib.abc
import importlib.machinery
import json
import sys
from importlib.resources import files
from pkgutil import iter_modules
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock


class Anything(MagicMock):
    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        for comparison in ("__lt__", "__le__", "__gt__", "__ge__"):
            setattr(self, comparison, lambda *_: True)


class StandIns(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name: str, *_: Any) -> Any:
        if name.partition(".")[0] in ("numpy", "scipy"):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec: Any) -> Any:
        return Anything(name=spec.name, ndarray=tuple, generic=float)

    def exec_module(self, module: Any) -> None:
        module.__path__ = []


def decorator(*_: Any, **__: Any) -> Any:
    return lambda made: made


sys.meta_path.insert(0, StandIns())
xlwings: Any = ModuleType("xlwings")
xlwings.func = xlwings.arg = xlwings.ret = decorator
sys.modules["xlwings"] = xlwings

namespace: dict[str, Any] = {"__name__": "main"}
with open("/main.py") as file:
    code = file.read()
for _ in range(2):  # xlwings Lite runs it anew after every change
    exec(code, namespace)

import elo_xl  # noqa: E402
from elo_xl.engine import rulebooks  # noqa: E402
from elo_xl.hosts import xlwings_udfs  # noqa: E402

received: list[Any] = []


def keep(_: Any, *given: Any) -> Any:
    received.append(given)
    return [["#N/A", 0.5, "x" * 300]]


host: Any = xlwings_udfs
host.evaluate = keep
answer = namespace["ELO_EXPECTED"](cells, nothing)  # type: ignore[name-defined] # noqa: F821

json.dumps(
    {
        "python": sys.version_info[:2],
        "null": type(nothing).__name__,  # type: ignore[name-defined] # noqa: F821
        "home": elo_xl.__file__,
        "paths": [path for path in sys.path if path.endswith(".zip") and "elo_xl" in path],
        "functions": sorted(name for name in namespace if name.startswith("ELO_")),
        "rulebooks": sorted(module.name for module in iter_modules(rulebooks.__path__)),
        "table": files("elo_xl.engine").joinpath("tables", "table_8_1_2.csv").read_text("ascii"),
        "received": received,
        "answer": answer,
    }
)
