"""Every public name of the engine has a reader in the product; tests and benches are none."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.support import ROOT

PACKAGE = ROOT / "elo_xl"


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def names_of(statement: ast.stmt) -> list[str]:
    """The names that a statement of a module defines."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name]
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return [target.id for target in targets if isinstance(target, ast.Name)]
    return []


def read_in(statement: ast.stmt, module: str) -> Iterator[tuple[str, str]]:
    """What a statement reads, as module and name; an attribute may be of any module ("")."""
    for node in ast.walk(statement):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Attribute):
            yield "", node.attr
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "getattr":
            yield "", ast.unparse(node.args[1]).strip("'")
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield module, node.id


def test_every_public_name_of_the_engine_has_a_reader():
    defined: set[tuple[str, str]] = set()
    read: set[tuple[str, str]] = set()
    for path in PACKAGE.rglob("*.py"):
        module = module_of(path)
        for statement in ast.parse(path.read_text("utf-8")).body:
            own = {(module, name) for name in names_of(statement) if not name.startswith("_")}
            if module.startswith("elo_xl.engine"):
                defined |= own
            read |= {*read_in(statement, module)} - own  # whoever reads only itself has no reader
    # the front door names what it imports as text
    tree = ast.parse((PACKAGE / "__init__.py").read_text("utf-8"))
    texts = [x.value for x in ast.walk(tree) if isinstance(x, ast.Constant)]
    offered = {word for text in texts if isinstance(text, str) for word in text.split()}
    dead = {
        f"{module}.{name}"
        for module, name in defined - read
        if ("", name) not in read and name not in offered
    }
    assert set() == dead
