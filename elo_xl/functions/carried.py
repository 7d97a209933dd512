"""The part of elo_xl that the functions need, for hosts that carry it along."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import elo_xl
from elo_xl.functions.catalogue import MODULES

_HOME: Final = Path(elo_xl.__file__).parents[1]
_DATA: Final = (".csv", ".toml")


def carried(start: str) -> dict[str, Path]:
    """The files that the functions need in a host, by their paths below the folder of elo_xl.

    >>> files = carried("elo_xl.hosts.xlwings_udfs")
    >>> "elo_xl/functions/expected.py" in files, "elo_xl/cli/__init__.py" in files
    (True, False)

    These are all modules that are imported, at once or later, from the module ``start``, where the
    host binds the functions, and from where they are declared; and the tables that these read.
    """
    modules: dict[str, Path] = {}
    waiting = [start, *MODULES]
    while waiting:
        name = waiting.pop()
        file = _file(name)
        if file is None or name in modules:
            continue
        modules[name] = file
        waiting += [name.rpartition(".")[0], *_imported(name, file)]
    folders = [file.parent for file in modules.values() if file.name == "__init__.py"]
    files = {*modules.values(), *(data for folder in folders for data in _data(folder))}
    return {file.relative_to(_HOME).as_posix(): file for file in sorted(files)}


def _file(module: str) -> Path | None:
    """The file of a module, or None if the name is another's or no module's."""
    if module.partition(".")[0] != "elo_xl":
        return None
    place = _HOME.joinpath(*module.split("."))
    return next((f for f in (place / "__init__.py", place.with_suffix(".py")) if f.is_file()), None)


def _imported(module: str, file: Path) -> Iterator[str]:
    """What may be names of modules that a module imports, at its start or later."""
    for statement in _executed(ast.parse(file.read_bytes())):
        if isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom) and statement.module is not None:
            yield statement.module
            yield from (f"{statement.module}.{alias.name}" for alias in statement.names)
            if statement.module == "pkgutil":  # this one imports whatever lies beside it
                yield from (f"{module}.{other.stem}" for other in file.parent.glob("*.py"))


def _executed(node: ast.AST) -> Iterator[ast.AST]:
    """The statements of a module, without what only type checkers see."""
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return
    yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case)):
            yield from _executed(child)


def _data(folder: Path) -> Iterator[Path]:
    """The tables of a package, in folders that are no packages of their own."""
    for entry in folder.iterdir():
        if entry.suffix in _DATA:
            yield entry
        elif entry.is_dir() and not (entry / "__init__.py").exists():
            yield from _data(entry)
