"""Check the add-in on a Windows that has no Excel: windows_check.py [PYTHON]

All that Excel does is done in its place, with a made-up user: the add-in is installed, xlwings'
library is loaded, it starts Python by the command that the add-in's code gives it, and every
example of every function goes through that server. PYTHON is the one to check, such as the
installer's; if omitted, an environment with this checkout is made for it.

What only Excel shows is in docs/excel-checklist.md (scripts/checklist.py).
"""

from __future__ import annotations

import ctypes
import math
import os
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from locale import getencoding
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]

Call = Callable[[str, tuple[object, ...]], object]
"""Calls a function by its name, as the add-in does; the arguments are those of an example."""


class CheckError(Exception):
    """What does not work; the message is for the reader of the log."""


# --- xlwings' library ---------------------------------------------------------------------------

START, END = 1, -1
"""What the library is asked to do."""


class Variant(ctypes.Structure):
    """COM's VARIANT, as far as the library fills it."""

    _fields_ = (
        ("kind", ctypes.c_ushort),
        ("reserved", ctypes.c_ushort * 3),
        ("pointer", ctypes.c_void_p),
        ("rest", ctypes.c_void_p),
    )


def command(settings: Mapping[str, str]) -> str:
    """The command for Python, as the function XLPyCommand of the add-in makes it."""
    program = "import sys, os;import xlwings; xlwings.serve('$(CLSID)')"
    return f'cmd.exe  /K ""{settings["INTERPRETER_WIN"]}" -B -P -c "{program}""'


def ask(library: Any, command: str, what: int) -> int | None:
    """The address of the server's interface; None when it was asked to end."""
    result = Variant()
    if library.XLPyDLLActivateAuto(ctypes.byref(result), command.encode(getencoding()), what):
        size = ctypes.c_uint32.from_address(result.pointer - 4).value
        raise CheckError(ctypes.string_at(result.pointer, size).decode("utf-16-le"))
    address: int | None = result.pointer
    return address


@contextmanager
def server(library: Any, command: str) -> Iterator[Any]:
    """xlwings' server, started as by the add-in; it ends afterwards."""
    import pythoncom
    from win32com.client import dynamic

    found = pythoncom.ObjectFromAddress(ask(library, command, START), pythoncom.IID_IDispatch)
    made = dynamic.Dispatch(found)
    made._FlagAsMethod("CallUDF")
    try:
        yield made
    finally:
        ask(library, command, END)


def as_variant(value: object) -> object:
    """An argument as VBA sends it: numbers are Double, blanks Empty, ranges arrays of rows."""
    import pythoncom
    from win32com.client import VARIANT

    if isinstance(value, list):
        rows = tuple(tuple(as_variant(cell) for cell in row) for row in value)
        return VARIANT(pythoncom.VT_ARRAY | pythoncom.VT_VARIANT, rows)
    if value is None:
        return pythoncom.Empty
    return float(value) if type(value) is int else value


# --- the functions ------------------------------------------------------------------------------


def check_examples(call: Call) -> Iterator[str]:
    """What differs from the catalogue's examples, and from a column of mixed cells."""
    import elo_xl
    from elo_xl.functions.catalogue import functions

    column: list[list[Any]] = [[1400], [1834], [None], ["n/a"], [True]]
    wanted: list[tuple[str, tuple[Any, ...], Any]] = [
        ("ELO_EXPECTED", (column, 1800), elo_xl.worksheet("ELO_EXPECTED", column, 1800)),
        ("ELO_DIFF", (2,), "#NUM!"),
    ]
    for function in functions().values():
        wanted += [
            (function.name, example.arguments, example.result) for example in function.examples
        ]
    for name, arguments, result in wanted:
        try:
            got = call(name, arguments)
        except Exception as error:  # noqa: BLE001  COM raises whatever it is
            yield f"{name}{arguments}: {type(error).__name__}: {error}"
            continue
        if not same(rows_of(got), rows_of(result)):
            yield f"{name}{arguments}: {got!r}, not {result!r}"


def rows_of(value: object) -> list[list[object]]:
    """A value, a row or a table as rows; xlwings takes off what is not needed."""
    if not isinstance(value, (list, tuple)):
        return [[value]]
    if not isinstance(value[0], (list, tuple)):
        return [list(value)]
    return [list(row) for row in value]


def same(got: Sequence[Sequence[object]], wanted: Sequence[Sequence[object]]) -> bool:
    """Whether all cells are equal; numbers up to the last digits."""
    if [len(row) for row in got] != [len(row) for row in wanted]:
        return False
    pairs = [pair for rows in zip(got, wanted, strict=True) for pair in zip(*rows, strict=True)]
    return all(equal(one, other) for one, other in pairs)


def equal(got: object, wanted: object) -> bool:
    """Whether two cells are equal; an empty text is a blank."""
    if isinstance(got, (int, float)) and isinstance(wanted, (int, float)):
        return math.isclose(got, wanted, rel_tol=1e-9, abs_tol=1e-9)
    return ("" if got is None else got) == ("" if wanted is None else wanted)


# --- the steps ----------------------------------------------------------------------------------


def check_here(made_up: Path) -> Iterator[str]:
    """Do it all in this Python for a user whose folders are made up; report each step."""
    from elo_xl.functions.catalogue import functions
    from elo_xl.hosts.excel_addin import LIBRARY, UDF_MODULE, content
    from elo_xl.hosts.excel_addin.windows import Computer

    folders = {"APPDATA": str(made_up / "Roaming"), "USERPROFILE": str(made_up)}
    environment = {**os.environ, **folders}
    yield elo_xl_says(environment, 0, "addin", "excel", "--install")
    computer = Computer(environment=environment)
    if computer.addin.read_bytes() != content():
        raise CheckError(f"{computer.addin} is not the add-in of this elo-xl")
    told = elo_xl_says(environment, 1, "addin", "status")
    yield told
    problems = [line for line in told.splitlines() if line.startswith("problem: ")]
    if [line for line in problems if not line.startswith("problem: no Excel can be started")]:
        raise CheckError("status finds more wrong than that there is no Excel")

    # the add-in loads a copy, which could not be removed while this process has it
    path = computer.libraries[LIBRARY.format(bits=64)]
    library = ctypes.WinDLL(str(path))  # type: ignore[attr-defined]
    yield f"loaded {path}"
    line = command(computer.read_settings())
    before = perf_counter()
    with server(library, line) as excel_s:

        def call(name: str, arguments: tuple[object, ...]) -> object:
            import pythoncom
            from win32com.client import VARIANT

            sent = tuple(as_variant(argument) for argument in arguments)
            array = VARIANT(pythoncom.VT_ARRAY | pythoncom.VT_VARIANT, sent)
            return excel_s.CallUDF(UDF_MODULE, name, array)

        call("ELO_DIFF", (0.5,))
        yield f"Python has started and answered in {perf_counter() - before:.1f} s by\n{line}"
        before = perf_counter()
        if differences := list(check_examples(call)):
            raise CheckError("\n".join(["the functions differ:", *differences]))
        yield f"{len(functions())} functions are right, in {perf_counter() - before:.1f} s"

    yield elo_xl_says(environment, 0, "addin", "excel", "--uninstall")
    if left := [str(path) for path in made_up.rglob("*") if "elo_xl" in path.name]:
        raise CheckError(f"left behind: {left}")


def elo_xl_says(environment: Mapping[str, str], code: int, *arguments: str) -> str:
    """What the command says, which has to end with an exit code."""
    done = subprocess.run(
        [sys.executable, "-m", "elo_xl", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        errors="replace",
    )
    if done.returncode != code:
        raise CheckError(f"{arguments} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout.rstrip()


def environment(folder: Path) -> Path:
    """The Python of a new environment that has this checkout, with what the add-in needs."""
    venv.create(folder, clear=True, with_pip=True)
    python = folder / "Scripts" / "python.exe"
    locked = (
        ("--require-hashes", f"--requirement={ROOT / name}")
        for name in ("requirements.txt", "requirements-installer.txt")
    )
    ours = str(ROOT), str(ROOT / "elo_xl_excel")
    for what in (*locked, ("--no-deps", "--no-build-isolation", *ours)):
        subprocess.run([python, "-m", "pip", "install", "-q", *what], check=True)
    return python


def main(arguments: list[str]) -> int:
    """Check a Python, or in it this one; the exit code."""
    match arguments:
        case ["--here"]:
            with TemporaryDirectory() as made_up:
                try:
                    for line in check_here(Path(made_up)):
                        sys.stdout.write(f"{line}\n")
                except CheckError as failed:
                    sys.stdout.write(f"FAILED: {failed}\n")
                    return 1
            return 0
        case [] | [_]:
            python = arguments[0] if arguments else environment(ROOT / "build" / "windows_check")
            return subprocess.run([python, __file__, "--here"]).returncode
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
