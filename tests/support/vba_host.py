"""Our VBA code in pyOpenVBA's interpreter, with real Python behind its ``XLPy``."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from pyopenvba.apps.excel import ExcelApplication
from pyopenvba.interpreter._objects import VBAObject, method
from pyopenvba.interpreter._values import EMPTY, MISSING, VBAArray, VBAErrorValue, error

from elo_xl.error_values import EXCEL_NUMBERS
from elo_xl.functions.catalogue import functions
from elo_xl.hosts.excel_addin import CLUB_MODULE, UDF_MODULE
from excel_build import vba
from tests.support import excel_host

TEXTS = {number: text for text, number in EXCEL_NUMBERS.items()}

CallUDF = Callable[[str, str, tuple[Any, ...]], Any]

STARTING = ("ELO_CLASS", (1500.0,))
"""What a new server is asked to show that it works."""

OF_XLWINGS = """\
Public Function GetConfigFilePath() As String
    GetConfigFilePath = "C:\\Users\\Ann\\.elo_xl\\elo_xl.conf"
End Function
Public Function FileExists(ByVal FileSpec As String) As Boolean
    FileExists = {there} And FileSpec Like "*\\elo_xl.conf"
End Function
"""
"""What xlwings' module answers about the file of settings."""


class Server(VBAObject):  # type: ignore[misc]
    """What ``XLPy`` gives: xlwings' COM server."""

    vba_type_name = "XLPython"

    def __init__(self, call: CallUDF) -> None:
        self.call = call

    @method  # type: ignore[untyped-decorator]
    def CallUDF(  # noqa: N802
        self, script: object, fname: object, args: object, this_workbook: object = None
    ) -> object:
        assert isinstance(args, VBAArray)
        values = tuple(from_vba(value) for value in args.items)
        return to_vba(self.call(str(script), str(fname), values))


class Excel:
    """Excel with the modules of the add-in: cells to fill, expressions to evaluate.

    ``calls`` are those of functions, ``questions`` how often Python had to show that it works,
    ``servers`` how often it was started and ``ended`` how often it was ended; ``start`` may raise.
    ``recalculations`` counts those of everything, which this Excel does not do. ``settings`` is
    whether the computer has the file that names Python.
    """

    def __init__(
        self, call: CallUDF | None = None, *, mac: bool = False, settings: bool = True
    ) -> None:
        self.application = ExcelApplication()
        self.application.add_workbook()
        self.calls: list[tuple[str, tuple[Any, ...]]] = []
        self.questions = 0
        self.servers = 0
        self.ended = 0
        self.recalculations = 0
        self.start: Callable[[], None] = lambda: None
        self.call = call or through_xlwings
        self._answer_for_xlwings()
        shown = vba.calls().replace("Option Private Module\n", "")
        if mac:
            shown = "#Const Mac = True\n" + shown
        self.application.add_module(shown, name=vba.CALLS)
        self.application.add_module(OF_XLWINGS.format(there=settings), name=vba.XLWINGS)
        # The interpreter does not know attributes inside of functions.
        text = re.sub(r"(?m)^Attribute \w+\.VB_.*\n", "", vba.wrappers(functions().values()))
        self.application.add_module(text, name=vba.WRAPPERS)

    def _answer_for_xlwings(self) -> None:
        host = self.application.interpreter.host
        known = host.global_object

        def find(name: str) -> Any:
            if name == "killpy":
                self.ended += 1
                return EMPTY
            if name != "xlpy":
                return known(name)
            self.servers += 1
            self.start()
            return Server(self._called)

        host.global_object = find

        application = self.application.application
        own = application.vba_get

        def get(name: str, *rest: Any) -> Any:
            if name.lower() != "calculatefull":
                return own(name, *rest)
            self.recalculations += 1
            return EMPTY

        application.vba_get = get

    def _called(self, module: str, name: str, values: tuple[Any, ...]) -> Any:
        assert module in (UDF_MODULE, CLUB_MODULE)
        if (name, values) == STARTING:
            self.questions += 1
        else:
            self.calls.append((name, values))
        return self.call(module, name, values)

    def fill(self, rows: Sequence[Sequence[Any]], row: int = 1) -> str:
        """Put values into cells from column A on; the address of their range."""
        sheet = self.application.sheet(1)
        for i, line in enumerate(rows, row):
            for j, value in enumerate(line):
                if value is not None:
                    sheet.set_value(f"{chr(65 + j)}{i}", value)
        return f"A{row}:{chr(64 + len(rows[0]))}{row + len(rows) - 1}"

    def run(self, macro: str) -> str:
        """Run a macro; the message that it shows."""
        self.application.run(macro)
        return str(self.application.dialogs[-1][1])

    @property
    def status_bar(self) -> object:
        """The text on the status bar; False if it is Excel's own."""
        return self.application.application.status_bar

    def evaluate(self, expression: str) -> Any:
        """The value of a VBA expression as cell values."""
        return plain(self.application.evaluate(expression))


def through_xlwings(module: str, name: str, values: tuple[Any, ...]) -> Any:
    """CallUDF of the unmodified xlwings, in the process of the Excel harness."""
    (answer,) = excel_host.udf_many([(name, values)], module)
    if isinstance(answer.value, excel_host.Failure):
        raise error(1000)
    return answer.value


def from_vba(value: Any) -> Any:
    """What COM carries to Python for a VBA value."""
    if value is MISSING:
        return excel_host.MISSING
    if value is EMPTY:
        return None
    if isinstance(value, VBAErrorValue):
        return excel_host.COM_ERRORS[TEXTS[value.number]]
    if isinstance(value, VBAArray):
        if value.dimensions == 1:
            return tuple(from_vba(item) for item in value.items)
        rows, columns = (range(low, high + 1) for low, high in value.bounds)
        return tuple(tuple(from_vba(value.get([i, j])) for j in columns) for i in rows)
    # A number typed into VBA code is an Integer, one in a cell a Double.
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else value


def to_vba(value: Any) -> Any:
    """What COM carries back from Python."""
    if not isinstance(value, (list, tuple)):
        return value
    if not isinstance(value[0], (list, tuple)):
        return VBAArray([(0, len(value) - 1)], items=list(value))
    bounds = [(0, len(value) - 1), (0, len(value[0]) - 1)]
    return VBAArray(bounds, items=[row[j] for j in range(len(value[0])) for row in value])


def plain(value: Any) -> Any:
    """A result of VBA as cell values: errors as their texts, one row as a table."""
    if isinstance(value, list):
        if not isinstance(value[0], list):
            value = [value]
        return [[plain(cell) for cell in row] for row in value]
    if isinstance(value, VBAErrorValue):
        return TEXTS[value.number]
    return value
