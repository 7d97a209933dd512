"""The part of elo_xl that the functions need, as a zip file from which Python can import."""

from __future__ import annotations

import ast
import io
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import elo_xl
from elo_xl.functions.catalogue import MODULES
from elo_xl.xlsx.opc import EARLIEST

_HOME: Final = Path(elo_xl.__file__).parents[1]
_START: Final = "elo_xl.hosts.xlwings_udfs"
_DATA: Final = (".csv", ".toml")


@cache
def engine_zip() -> bytes:
    """A zip file of all modules that the functions import, and of the tables that they read.

    The same version of elo_xl always gives the same bytes. Nothing in the file is compressed: it
    is smaller if it is compressed as a whole.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, file in sorted((f.relative_to(_HOME).as_posix(), f) for f in _needed()):
            info = zipfile.ZipInfo(name, EARLIEST)
            info.create_system = 0  # otherwise the bytes would differ between Windows and Linux
            archive.writestr(info, file.read_bytes().replace(b"\r\n", b"\n"))
    return buffer.getvalue()


def _needed() -> set[Path]:
    """The files that the functions need: what is imported from where they are bound and from where
    they are declared, and data."""
    modules: dict[str, Path] = {}
    waiting = [_START, *MODULES]
    while waiting:
        name = waiting.pop()
        file = _file(name)
        if file is None or name in modules:
            continue
        modules[name] = file
        waiting += [name.rpartition(".")[0], *_imported(name, file)]
    folders = [file.parent for file in modules.values() if file.name == "__init__.py"]
    return {*modules.values(), *(data for folder in folders for data in _data(folder))}


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
