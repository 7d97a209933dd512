"""``elo_xl/__init__.pyi``: the public names as type checkers and editors see them.

The stub imports most names from their modules. It declares a function itself if an editor could not
read all of it there: if the function has overloads, as what it gives is of the kind of what it
takes, or if its docstring takes parts from others. The overloads are made from its one signature.
"""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from importlib import import_module
from pathlib import Path
from textwrap import indent
from typing import Final

import elo_xl
from elo_xl.api import frames

KINDS: Final = {
    "NumbersLike": (
        ("Kind | Several", "Kind | Numbers", "Kind"),
        ("Number", "Number", "float"),
        ("Kind | Numbers", "Kind | Numbers", "Kind"),
    ),
    "GamesLike": (("Numbers", "Numbers", "dict[str, AnyArray]"), ("Games", "Games", "Any")),
    "AnyTable": (("Frame", "Frame", "Frame"), ("Dict | Rows", "Dict | Rows", "Columns")),
}
"""What the aliases of :mod:`elo_xl.api.frames` stand for in each overload: in the first argument of
that kind, in others, and in the result. Of what a checker does not know, Pyright takes the first
overload that fits: a column, or a frame."""

HEAD: Final = '''"""The public names for type checkers and editors, written by `make regenerate`."""

# mypy: disable-error-code="overload-overlap"
# What takes a number and what takes any column overlap, and the first that fits is meant.
from typing import overload
'''
END: Final = "__version__: str\n__all__: list[str]\n"


def text() -> str:
    """The whole stub."""
    imports: set[str] = set()
    functions: list[str] = []
    public = vars(elo_xl)["_HOMES"]
    for name, home in public.items():
        module = f"elo_xl.{home}"
        declared = _declared(module, name)
        if not declared:
            imports.add(f"from {module} import {name} as {name}")
        for function in declared:
            homes = _homes(frames.__name__) | _homes(module)
            names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
            imports |= {homes[name] for name in (names & homes.keys()) - public.keys()}
            functions.append(ast.unparse(function))
    return _formatted("\n".join([HEAD, *sorted(imports), END, *functions]))


def _declared(module: str, name: str) -> list[ast.FunctionDef]:
    """A function, or its overloads; nothing if the stub imports the name."""
    found = [x for x in _tree(module).body if isinstance(x, ast.FunctionDef) and x.name == name]
    if not found:
        return []
    used = {node.id for node in ast.walk(found[0].args) if isinstance(node, ast.Name)}
    kinds = [len(KINDS[kind]) for kind in used & KINDS.keys()]
    overloads: list[int | None] = [*range(max(kinds))] if kinds else [None]
    if not kinds and not found[0].decorator_list:
        return []
    return [_Declaration(module, overload).of(deepcopy(found[0])) for overload in overloads]


class _Declaration(ast.NodeTransformer):
    """A function without its body, as the overload of that number if there are some."""

    def __init__(self, module: str, overload: int | None) -> None:
        self.module = import_module(module)
        self.overload = overload
        self.part = 0
        """0 in the first argument of a kind, 1 in others, 2 in the result"""

    def of(self, function: ast.FunctionDef) -> ast.FunctionDef:
        arguments = function.args
        arguments.defaults = [self._default(x) for x in arguments.defaults]
        arguments.kw_defaults = [x and self._default(x) for x in arguments.kw_defaults]
        self.visit(arguments)
        self.part = 2
        function.returns = function.returns and self.visit(function.returns)
        function.decorator_list = [] if self.overload is None else [ast.Name("overload")]
        about = inspect.getdoc(getattr(self.module, function.name)) or ""
        said = ... if self.overload else indent(about, "    ").strip() + "\n    "
        function.body = [ast.Expr(ast.Constant(said))]
        return function

    def _default(self, default: ast.expr) -> ast.expr:
        """A default by its value, where that is one of Python's own."""
        value = eval(ast.unparse(default), vars(self.module))
        plain = value is None or isinstance(value, bool | float | int | str | tuple)
        return ast.Constant(value if plain else ...)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if self.overload is None or node.id not in KINDS:
            return node
        word = KINDS[node.id][self.overload][self.part]
        self.part = max(self.part, 1)
        return ast.parse(word, mode="eval").body


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(Path(str(import_module(module).__file__)).read_text(encoding="utf-8"))


@cache
def _homes(module: str) -> dict[str, str]:
    """The names of a module, with the line that imports each."""

    def lines(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
        for node in body:
            if isinstance(node, ast.If):
                yield from lines(node.body)
            elif isinstance(node, ast.ImportFrom):
                for name in node.names:
                    yield name.asname or name.name, f"from {node.module} import {ast.unparse(name)}"
            elif isinstance(node, ast.ClassDef):
                yield node.name, f"from {module} import {node.name}"
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                yield node.targets[0].id, f"from {module} import {node.targets[0].id}"

    return dict(lines(_tree(module).body))


def _formatted(text: str) -> str:
    for command in (["check", "--select=I", "--fix-only"], ["format"]):
        ruff = [sys.executable, "-m", "ruff", *command, "-q", "--stdin-filename=stub.pyi", "-"]
        done = subprocess.run(ruff, input=text.encode(), capture_output=True, check=True)
        text = done.stdout.decode()
    return text
