"""Excel on Windows as far as a function notices it: xlwings' own machinery, called as VBA calls it.

pywin32 is replaced by stand-ins and the platform is called Windows while xlwings is imported. After
that its decorators, converters, COM server and wrapper generator are the unmodified ones. All of it
happens in a process of its own, for xlwings must not have been imported before, and nothing else
should see the stand-ins::

    call_many([("ELO_EXPECTED", (1834, 2179))])                   # cell values in, cell values out
    udf_many([("ELO_EXPECTED", (1834.0, MISSING, DATE_CELL))])    # exactly what COM would carry
"""

import asyncio
import atexit
import contextlib
import ctypes
import importlib
import io
import os
import pickle
import struct
import subprocess
import sys
import types
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from elo_xl.error_values import EXCEL_NUMBERS

ROOT = Path(__file__).parents[2]
MODULE = "elo_xl.hosts.xlwings_udfs"
COM_SERVER, OLDER_COM_SERVER = "xlwings.com_server", "xlwings.server"
"""Where xlwings has its COM server; in later versions the second is for xlwings Lite."""

MISSING = -2147352572
"""COM's code for an omitted argument."""

COM_ERRORS = {text: number - 2146828288 for text, number in EXCEL_NUMBERS.items()}
"""What an error in a cell arrives as."""


@dataclass(frozen=True)
class Range:
    """An argument that arrives as a COM range, not as its values."""

    value: Any


@dataclass(frozen=True)
class Failure:
    """What was raised; the wrapper makes #VALUE! of it."""

    kind: str
    message: str


@dataclass(frozen=True)
class Answer:
    """What CallUDF returned, and how often Python read from Excel meanwhile."""

    value: Any
    reads: int


Call = tuple[str, Sequence[Any]]


def call_many(calls: Iterable[Call]) -> list[Any]:
    """Values of worksheet functions for cell values, by way of Excel's values and xlwings.

    Cell values are those of ``elo_xl.worksheet``, both ways: numbers, texts, truth values, None for
    a blank, error texts, lists of rows.
    """
    answers = udf_many((name, [to_excel(cell) for cell in cells]) for name, cells in calls)
    return [from_excel(answer.value) for answer in answers]


def udf_many(calls: Iterable[Call], module: str = MODULE, folder: str = "") -> list[Answer]:
    """CallUDF with exactly these values; arguments that are not given are sent as blanks.

    Python imports from a ``folder`` first: another module, another xlwings.
    """
    sent = [(name, list(a)) for name, a in calls]
    answers: list[Answer] = _host(folder).ask("call", module, sent)
    return answers


def stock_wrappers(module: str = MODULE, folder: str = "") -> str:
    """The VBA code that xlwings itself writes for a module."""
    text: str = _host(folder).ask("wrappers", module)
    return text


def wizard_help(module: str = MODULE) -> dict[str, dict[str, Any]]:
    """What xlwings would tell Excel's function wizard about each function of a module."""
    texts: dict[str, dict[str, Any]] = _host().ask("help", module)
    return texts


def to_excel(cell: Any) -> Any:
    """A cell value, or a list of rows, as COM carries it."""
    if isinstance(cell, (list, tuple)):
        rows = cell if cell and isinstance(cell[0], (list, tuple)) else [cell]
        if len(rows) == 1 == len(rows[0]):
            return to_excel(rows[0][0])
        return tuple(tuple(to_excel(value) for value in row) for row in rows)
    if isinstance(cell, int) and not isinstance(cell, bool):
        return float(cell)
    return COM_ERRORS.get(cell, cell) if isinstance(cell, str) else cell


def from_excel(value: Any) -> Any:
    """What CallUDF returned as cell values: a single row comes back flat."""
    if isinstance(value, (list, tuple)):
        rows = value if isinstance(value[0], (list, tuple)) else [value]
        return [list(row) for row in rows]
    return value


class _Host:
    """The process with xlwings in it."""

    def __init__(self, folder: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.excel_host"],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (folder, str(ROOT))))},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def ask(self, *question: Any) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        _send(self.process.stdin, question)
        answer = _receive(self.process.stdout)
        if isinstance(answer, Failure):
            raise AssertionError(f"{answer.kind}: {answer.message}")
        return answer

    def close(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(10)
        self.process.stdout.close()


_running: dict[str, _Host] = {}


def _host(folder: str = "") -> _Host:
    """The one process of this test run for a folder, started when first needed."""
    if folder not in _running:
        _running[folder] = _Host(folder)
        atexit.register(_running[folder].close)
    return _running[folder]


def _send(stream: BinaryIO | Any, value: Any) -> None:
    data = pickle.dumps(value)
    stream.write(struct.pack("<Q", len(data)) + data)
    stream.flush()


def _receive(stream: BinaryIO | Any) -> Any:
    head = stream.read(8)
    if not head:
        raise EOFError
    return pickle.loads(stream.read(struct.unpack("<Q", head)[0]))


# --- inside the process ---------------------------------------------------------------------


class ComError(Exception):
    """pywintypes.com_error."""

    def __init__(self, hresult: int = 0, *rest: Any) -> None:
        super().__init__(hresult, *rest)
        self.hresult = hresult


class _StandIn(types.ModuleType):
    """A module in which every requested name is a class that does nothing."""

    __path__: list[str] = []  # noqa: RUF012  what makes it a package

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = type(name, (), {"__init__": lambda self, *args, **kwargs: None})
        setattr(self, name, made)
        return made


def _refuse(*_: Any, **__: Any) -> None:
    raise ComError(-2147467262)  # E_NOINTERFACE


def _stand_in(name: str, **content: Any) -> types.ModuleType:
    module = _StandIn(name)
    vars(module).update(content)
    sys.modules[name] = module
    parent, _, child = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], child, module)
    return module


def _pywin32() -> None:
    class Dispatch:
        pass

    _stand_in("pywintypes", com_error=ComError, IID=lambda text: text)
    _stand_in(
        "pythoncom",
        __file__="pythoncom.dll",
        com_error=ComError,
        CoInitialize=lambda *_: None,
        IID_IDispatch="IDispatch",
        TypeIIDs={"IDispatch": Dispatch},
    )
    _stand_in("win32com")
    _stand_in("win32com.client", Dispatch=lambda it, *_, **__: it, DispatchEx=_refuse)
    _stand_in("win32com.client.gencache", EnsureModule=_refuse)
    _stand_in("win32com.server")
    _stand_in("win32com.server.policy")
    _stand_in("win32com.server.dispatcher")
    _stand_in("win32com.server.util", unwrap=_refuse, wrap=lambda it, *_, **__: it)
    for name in ("win32api", "win32con", "win32gui", "win32event"):
        _stand_in(name)
    _stand_in("win32process", GetWindowThreadProcessId=lambda _: (1, 4242))
    _stand_in("win32timezone")


def install() -> Any:
    """Import xlwings as on Windows; once, before anything else has imported it."""
    if "xlwings" in sys.modules:
        raise RuntimeError("xlwings has been imported already")
    # These ask for the platform when they are imported, so they come first.
    for name in ("concurrent.futures", "multiprocessing", "subprocess", "tempfile"):
        importlib.import_module(name)
    # From Python 3.14 on this asks for it at the first loop.
    asyncio.new_event_loop().close()
    for name in ("numpy", "pandas", "polars"):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    _pywin32()
    loaders: Any = ctypes
    real = sys.platform, ctypes.PyDLL
    loaders.windll = types.SimpleNamespace(oleacc=_StandIn("oleacc"), user32=_StandIn("user32"))
    loaders.oledll = types.SimpleNamespace(
        oleacc=_StandIn("oleacc"), ole32=types.SimpleNamespace(CLSIDFromString=lambda *_: 0)
    )
    loaders.PyDLL = lambda *_: types.SimpleNamespace(
        PyCom_PyObjectFromIUnknown=types.SimpleNamespace()
    )
    sys.platform = "win32"
    try:
        xlwings = importlib.import_module("xlwings")
        importlib.import_module(xlwings.serve.__module__)
    finally:
        sys.platform, loaders.PyDLL = real
    if hasattr(sys.modules["xlwings._xlwindows"], "cleanup"):  # not in the oldest
        atexit.unregister(sys.modules["xlwings._xlwindows"].cleanup)
    assert xlwings.func.__module__ == "xlwings.udfs"
    assert xlwings.serve.__module__ in (COM_SERVER, OLDER_COM_SERVER)
    assert COM_SERVER not in sys.modules or OLDER_COM_SERVER not in sys.modules
    return xlwings


class _Com:
    """A COM object: every attribute read would be a call into Excel's process, so it is counted."""

    def __init__(self, **attributes: Any) -> None:
        self.__dict__["attributes"] = attributes

    def __getattr__(self, name: str) -> Any:
        try:
            value = self.attributes[name]
        except KeyError:
            raise AttributeError(name) from None
        reads[name] += 1
        return value


reads: Counter[str] = Counter()


def com_range(value: Any) -> Any:
    """Enough of Excel's Range for xlwings: A1 of a sheet, and down and right of it."""
    application = _Com(Hwnd=1)
    application.attributes["Application"] = application
    sheet = _Com(
        Name="Sheet1",
        Application=application,
        Parent=_Com(Name="Book1.xlsx", Application=application),
    )
    rows, columns = (len(value), len(value[0])) if isinstance(value, tuple) else (1, 1)
    found = _Com(
        Value=value,
        Row=1,
        Column=1,
        Worksheet=sheet,
        Rows=_Com(Count=rows),
        Columns=_Com(Count=columns),
    )
    kind = types.SimpleNamespace(iid="{00020846-0000-0000-C000-000000000046}")
    info = types.SimpleNamespace(GetTypeAttr=lambda: kind)
    found.__dict__["_oleobj_"] = types.SimpleNamespace(GetTypeInfo=lambda: info)
    return found


def call_udf(server: Any, module: str, name: str, arguments: Sequence[Any]) -> Answer:
    """One call as VBA makes it, without workbook and caller."""
    expected = vars(importlib.import_module(module))[name].__xlfunc__["args"]
    given = [com_range(a.value) if isinstance(a, Range) else a for a in arguments]
    given += [None] * (len(expected) - len(given))
    reads.clear()
    try:
        value = server.CallUDF(module, name, tuple(given))
    except Exception as error:  # noqa: BLE001  COM hands on whatever it is
        value = Failure(type(error).__name__, str(error))
    return Answer(value, reads.total())


def _wrappers(module: str) -> str:
    text = io.StringIO()
    book = types.SimpleNamespace(Name="book.xlsm")
    sys.modules["xlwings.udfs"].generate_vba_wrapper(
        module, importlib.import_module(module), text, book
    )
    return text.getvalue()


def _help(module: str) -> dict[str, dict[str, Any]]:
    made = [
        getattr(it, "__xlfunc__", None) for it in vars(importlib.import_module(module)).values()
    ]
    return {
        told["name"]: {
            "description": told["ret"]["doc"],
            "category": told["category"],
            "arguments": [(a["name"], a["doc"], a["options"]) for a in told["args"]],
        }
        for told in made
        if told is not None
    }


def _serve() -> None:
    # What is printed must not get between the answers.
    source, target = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    server = sys.modules[install().serve.__module__].XLPython()
    while True:
        try:
            question, module, *rest = _receive(source)
        except EOFError:
            return
        answer: Any
        try:
            if question == "call":
                answer = [call_udf(server, module, name, cells) for name, cells in rest[0]]
            else:
                answer = {"wrappers": _wrappers, "help": _help}[question](module)
        except Exception as error:  # noqa: BLE001
            answer = Failure(type(error).__name__, str(error))
        _send(target, answer)


if __name__ == "__main__":
    # Pickles name this module as it is imported elsewhere.
    importlib.import_module("tests.support.excel_host")._serve()
