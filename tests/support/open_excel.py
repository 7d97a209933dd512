"""Excel on Windows with workbooks open in it, behind xlwings' own code for Windows.

Below xlwings' classes stands a model of Excel's objects, over workbooks that openpyxl has read:
what an assignment to ``Value`` makes of a text, in a cell of texts and in any other; who is refused
and when. Everything happens in a process of its own, as in :mod:`tests.support.excel_host`::

    play(books=[{"path": "club.xlsx"}], commands=[["close", "club.xlsx", "--live"]])
"""

import importlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]

AUTOMATIC, MANUAL = -4105, -4135
"""Excel's numbers for the ways in which it calculates."""

REJECTED, REFUSED = -2147418111, -2146827284
"""COM's numbers: Excel is busy; Excel refuses for a reason of its own."""


def play(**scenario: Any) -> dict[str, Any]:
    """What becomes of some commands while workbooks are open in Excel.

    ``books`` have a ``path``, and may have ``instance`` (a number), ``name`` (Excel's full name),
    ``read_only``. ``commands`` are those of elo-xl as lists. ``{"ask": [module, function, …]}`` is
    a call from a macro, ``{"save": path}`` saves a copy of the first book, ``{"type": [sheet, cell,
    value]}`` is a person. The keys of :class:`State` may be set, too.
    """
    return play_all([scenario])[0]


def play_all(scenarios: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Several of these, one after the other in one process."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.open_excel"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        input=json.dumps(scenarios, default=str),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers: list[dict[str, Any]] = json.loads(done.stdout)
    return answers


class State:
    """What happens in this Excel."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.refuses: list[int] = given.get("refuses", [])
        """the assignments that are refused, counted from 1"""
        self.protected: list[str] = given.get("protected", [])
        self.busy: int = given.get("busy", 0)
        """how many calls are rejected from the first assignment on; -1: all"""
        self.meanwhile: list[Any] | None = given.get("meanwhile")
        """what somebody types right after a copy was saved"""
        self.writes = 0
        self.quiet: list[list[Any]] = []
        """calculation, screen and events at each assignment"""


# --- inside the process -----------------------------------------------------------------------


def _model(state: State, com_error: Any, dispatch: Any) -> Any:
    """The classes of Excel's objects."""
    import openpyxl
    from openpyxl.utils import coordinate_to_tuple
    from openpyxl.utils.datetime import to_excel

    class Com(dispatch):  # type: ignore[misc]
        """What pywin32 gives of an object in Excel."""

    def called(*, writing: bool = False) -> None:
        if state.writes and state.busy:
            state.busy -= state.busy > 0
            raise com_error(REJECTED, "Call was rejected by callee.", None, None)
        if writing:
            state.writes += 1
            if state.writes in state.refuses:
                details = (0, "Microsoft Excel", "It does not work.", None, 0, REFUSED)
                raise com_error(-2147352567, "Exception occurred.", details, None)

    class Application(Com):
        def __init__(self, number: int) -> None:
            self.Hwnd = number
            self.books: list[Any] = []
            self.ScreenUpdating = self.EnableEvents = True
            self.Calculation = AUTOMATIC
            self.Application = self

        @property
        def Workbooks(self) -> Any:  # noqa: N802
            called()
            return Several(self.books)

    class Several(Com):
        def __init__(self, found: list[Any]) -> None:
            self.found = found

        @property
        def Count(self) -> int:  # noqa: N802
            return len(self.found)

        def __iter__(self) -> Iterator[Any]:
            return iter(self.found)

        def __call__(self, name: Any) -> Any:
            for one in self.found:
                if one.Name.lower() == str(name).lower():
                    return one
            raise com_error(-2147352565, "Invalid index.", None, None)

    class Workbook(Com):
        def __init__(self, app: Any, told: dict[str, Any]) -> None:
            self.Application, self.file = (
                app,
                openpyxl.load_workbook(told["path"], keep_vba=str(told["path"]).endswith("m")),
            )
            self.FullName = told.get("name", str(Path(told["path"]).resolve()))
            self.Name = re.split(r"[/\\]", self.FullName)[-1]
            self.ReadOnly = told.get("read_only", False)

        def close(self) -> None:
            if self.file.vba_archive is not None:
                self.file.vba_archive.close()

        @property
        def Worksheets(self) -> Any:  # noqa: N802
            called()
            return Several([Worksheet(self, sheet) for sheet in self.file.worksheets])

        def SaveCopyAs(self, path: str) -> None:  # noqa: N802
            called()
            self.file.save(path)
            if state.meanwhile:
                title, at, value = state.meanwhile
                enter(self.file[title][at], value)

    class Worksheet(Com):
        def __init__(self, book: Any, sheet: Any) -> None:
            self.Parent, self.sheet, self.Name = book, sheet, sheet.title

        def Cells(self, row: int, column: int) -> Any:  # noqa: N802
            return Range(self, row, column, row, column)

        def Range(self, first: Any, last: Any = None) -> Any:  # noqa: N802
            first = getattr(first, "_inner", first)
            last = getattr(last, "_inner", last)
            if isinstance(first, str):
                row, column = coordinate_to_tuple(first)
                return Range(self, row, column, row, column)
            last = last or first
            return Range(self, first.Row, first.Column, last.bottom, last.right)

        @property
        def UsedRange(self) -> Any:  # noqa: N802
            return Range(self, 1, 1, self.sheet.max_row, self.sheet.max_column)

    class Number(Com):
        def __init__(self, count: int) -> None:
            self.Count = count

    class Range(Com):
        def __init__(self, sheet: Any, top: int, left: int, bottom: int, right: int) -> None:
            self.Worksheet = sheet
            self.Row, self.Column, self.bottom, self.right = top, left, bottom, right
            self.Rows, self.Columns = Number(bottom - top + 1), Number(right - left + 1)
            self.Count = self.Rows.Count * self.Columns.Count

        def __call__(self, row: int, column: int) -> Any:
            at = self.Row + row - 1, self.Column + column - 1
            return Range(self.Worksheet, *at, *at)

        def cells(self) -> list[list[Any]]:
            sheet = self.Worksheet.sheet
            columns = range(self.Column, self.right + 1)
            return [[sheet.cell(r, c) for c in columns] for r in range(self.Row, self.bottom + 1)]

        def told(self, what: Any) -> Any:
            called()
            rows = tuple(tuple(what(cell) for cell in row) for row in self.cells())
            return rows[0][0] if self.Count == 1 else rows

        @property
        def Value2(self) -> Any:  # noqa: N802
            return self.told(value2)

        @property
        def Formula(self) -> Any:  # noqa: N802
            return self.told(lambda cell: formula(cell))

        @property
        def NumberFormat(self) -> Any:  # noqa: N802
            called()
            found = {cell.number_format for row in self.cells() for cell in row}
            return found.pop() if len(found) == 1 else None

        @property
        def Value(self) -> Any:  # noqa: N802
            raise AssertionError("dates come back as dates: Value2 tells what a cell holds")

        @Value.setter
        def Value(self, given: Any) -> None:  # noqa: N802
            app = self.Worksheet.Parent.Application
            called(writing=True)
            state.quiet.append([app.Calculation, app.ScreenUpdating, app.EnableEvents])
            if self.Worksheet.Name in state.protected:
                details = (0, "Microsoft Excel", "The cell is protected.", None, 0, REFUSED)
                raise com_error(-2147352567, "Exception occurred.", details, None)
            rows = given if isinstance(given, (list, tuple)) else [[given]]
            for line, values in zip(self.cells(), rows, strict=True):
                for cell, value in zip(line, values, strict=True):
                    enter(cell, value)

    def value2(cell: Any) -> Any:
        value = cell.value
        if cell.data_type == "e":
            return {"#N/A": -2146826246, "#DIV/0!": -2146826281}[value]
        if cell.data_type == "d":
            return float(to_excel(value))
        if cell.data_type == "f":
            return 0.0
        return float(value) if type(value) is int else value

    def formula(cell: Any) -> str:
        value = value2(cell)
        if cell.data_type in ("f", "e"):
            return str(getattr(cell.value, "text", cell.value))
        return "" if value is None else f"{value:.15g}" if type(value) is float else str(value)

    def enter(cell: Any, value: Any) -> None:
        """Put what somebody assigns or types into a cell, as Excel reads it."""
        cell.quotePrefix = False
        text = cell.number_format == "@"
        if value is None or value == "":
            cell.value = None
        elif not isinstance(value, str):
            cell.value = f"{value:.15g}" if text and type(value) is not bool else value
        elif value.startswith("'"):
            put_text(cell, value[1:])
            cell.quotePrefix = not text
        elif text:
            put_text(cell, value)
        elif value.startswith(("=", "+", "-", "@")) and len(value) > 1:
            cell.value = "=" + value.lstrip("=+@")
        elif value.upper() in ("TRUE", "FALSE"):
            cell.value = value.upper() == "TRUE"
        elif value.startswith("#"):
            cell.value, cell.data_type = value, "e"
        elif re.fullmatch(r"[\d.]+", value):
            cell.value = float(value)
        elif re.fullmatch(r"\d+[-/]\d+([-/]\d+)?|\d+ [A-Z][a-z]+", value):
            cell.value, cell.number_format = 45658.0, "d-mmm"
        else:
            put_text(cell, value)

    def put_text(cell: Any, text: str) -> None:
        cell.value = text
        cell.data_type = "s"

    Workbook.enter = staticmethod(enter)
    return Application, Workbook


def _played(scenario: dict[str, Any]) -> dict[str, Any]:
    from click.testing import CliRunner

    modules: dict[str, Any] = dict(sys.modules)
    windows = modules["xlwings._xlwindows"]
    state = State(scenario)
    com_error, dispatch = modules["pywintypes"].com_error, windows.CDispatch
    application, workbook = _model(state, com_error, dispatch)
    running: dict[int, Any] = {}
    books = []
    for told in scenario["books"]:
        number = told.get("instance", 1)
        app = running.setdefault(number, application(number))
        books.append(workbook(app, told))
        app.books.append(books[-1])
    windows.get_excel_hwnds = lambda: iter(running)
    windows.get_xl_app_from_hwnd = lambda number: windows.COMRetryObjectWrapper(running[number])
    windows.Dispatch = lambda it, *_, **__: it
    modules["win32process"].GetWindowThreadProcessId = lambda number: (1, 4000 + number)

    cli = importlib.import_module("elo_xl.cli").cli
    open_books: Any = importlib.import_module("elo_xl.hosts.excel_addin.open_books")
    open_books.PATIENCE = 1.0
    said: list[Any] = []
    for command in scenario["commands"]:
        if isinstance(command, list):
            done = CliRunner().invoke(cli, command)
            wrong = done.exception
            known = wrong is None or isinstance(wrong, (SystemExit, OSError, ValueError))
            text = done.output + ("" if wrong is None or isinstance(wrong, SystemExit) else
                                  f" {type(wrong).__name__}: {wrong}")  # fmt: skip
            if wrong is not None and not known:
                raise wrong
            said.append([done.exit_code, " ".join(text.split())])
        elif "save" in command:
            books[0].file.save(command["save"])
        elif "type" in command:
            title, at, value = command["type"]
            books[0].enter(books[0].file[title][at], value)
        else:
            module, name, *arguments = command["ask"]
            server = sys.modules["xlwings.com_server"].XLPython()
            said.append(server.CallUDF(module, name, tuple(arguments), books[0]))
    for book in books:
        book.close()
    app = next(iter(running.values()), None)
    return {
        "said": said,
        "writes": state.writes,
        "quiet": state.quiet,
        "after": app and [app.Calculation, app.ScreenUpdating, app.EnableEvents],
    }


def _play_all() -> None:
    from tests.support import excel_host

    # What is printed must not get into the answer.
    target = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    excel_host.install()
    json.dump([_played(scenario) for scenario in json.load(sys.stdin)], target)
    assert not [name for name in sys.modules if name.startswith("xlwings.server")]


if __name__ == "__main__":
    importlib.import_module("tests.support.open_excel")._play_all()
