"""The check of the add-in on a Windows without Excel, as far as it runs anywhere."""

import ctypes
import re
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from pyopenvba.apps.excel import ExcelApplication

import elo_xl
from elo_xl.functions.catalogue import functions
from elo_xl.hosts.excel_addin import content
from excel_build import vba
from tests.hosts.test_excel_addin import modules
from tests.support import excel_host
from tests.support.programs import loaded

check = loaded("windows_check")


# --- the command that starts Python -------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "interpreter", ["C:\\Users\\Ann\\Python\\python.exe", "D:\\R&D\\it's here\\Scripts\\python.exe"]
)
def test_the_command_is_the_one_of_the_code_in_the_add_in(interpreter: str) -> None:
    """xlwings' own VBA, run by an interpreter, with the settings that --install writes."""
    code = modules(content())[vba.XLWINGS]
    (function,) = re.findall(r"(?ms)^Function XLPyCommand\(\).*?^End Function", code)
    settings = f"""
#Const App = "Microsoft Excel"
Function GetConfig(key, Optional default = "")
    GetConfig = default
    If key = "INTERPRETER_WIN" Then GetConfig = "{interpreter}"
End Function
"""
    application = ExcelApplication()
    application.add_workbook()
    application.add_module(f"{settings}\n{function}", name="command")
    expected = application.run("XLPyCommand")
    assert expected == check.command({"INTERPRETER_WIN": interpreter})
    # The library keeps it in 2048 characters and fills in the class of the server.
    assert len(expected) + 40 < 2048


# --- xlwings' library ---------------------------------------------------------------------------


class Library:
    """xlwings' library: an address, or the reason why there is none as a BSTR."""

    def __init__(self, reason: str = "") -> None:
        text = reason.encode("utf-16-le")
        size = len(text).to_bytes(4, sys.byteorder)
        self.text = ctypes.create_string_buffer(size + text + b"\0\0")
        self.failed = bool(reason)
        self.asked: list[tuple[bytes, int]] = []

    def XLPyDLLActivateAuto(self, result: Any, command: bytes, what: int) -> int:  # noqa: N802
        self.asked.append((command, what))
        result._obj.kind = 8 if self.failed else 9
        result._obj.pointer = ctypes.addressof(self.text) + 4
        return -2147467259 if self.failed else 0


def test_the_library_s_answers() -> None:
    # as Windows for 64 bits has it
    assert (24, 8) == (ctypes.sizeof(check.Variant), check.Variant.pointer.offset)
    library = Library()
    assert ctypes.addressof(library.text) + 4 == check.ask(library, "cmd.exe", check.START)
    assert [(b"cmd.exe", 1)] == library.asked
    with pytest.raises(check.CheckError, match=r"^Could not activate Пётр$"):
        check.ask(Library("Could not activate Пётр"), "cmd.exe", check.START)


@pytest.fixture
def pywin32(monkeypatch: pytest.MonkeyPatch) -> types.SimpleNamespace:
    """What the check needs of pywin32: VARIANT keeps what it is given."""
    client = types.SimpleNamespace(VARIANT=lambda kind, value: (kind, value))
    client.dynamic = types.SimpleNamespace(Dispatch=lambda found: found)
    com = types.SimpleNamespace(VT_ARRAY=8192, VT_VARIANT=12, Empty="Empty", IID_IDispatch="iid")
    monkeypatch.setitem(sys.modules, "pythoncom", com)
    monkeypatch.setitem(sys.modules, "win32com", types.SimpleNamespace(client=client))
    monkeypatch.setitem(sys.modules, "win32com.client", client)
    return com


def test_the_server_ends_whatever_happens(pywin32: types.SimpleNamespace) -> None:
    methods: list[str] = []
    found = types.SimpleNamespace(_FlagAsMethod=methods.append)
    pywin32.ObjectFromAddress = lambda address, kind: found if address and kind == "iid" else None
    library = Library()

    def fail() -> None:
        with check.server(library, "cmd.exe") as server:
            assert server is found
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert [check.START, check.END] == [what for _, what in library.asked]
    assert ["CallUDF"] == methods


@pytest.mark.usefixtures("pywin32")
def test_arguments_as_vba_sends_them() -> None:
    assert check.as_variant([[1, None], ["½", True]]) == (8204, ((1.0, "Empty"), ("½", True)))
    assert isinstance(check.as_variant(1834), float)


# --- the functions ------------------------------------------------------------------------------


def through_xlwings(name: str, arguments: tuple[Any, ...]) -> Any:
    (answer,) = excel_host.udf_many([(name, [excel_host.to_excel(a) for a in arguments])])
    assert not isinstance(answer.value, excel_host.Failure), answer.value
    return answer.value


@pytest.mark.slow
def test_all_examples_are_right_through_xlwings_own_server() -> None:
    asked = []

    def call(name: str, arguments: tuple[Any, ...]) -> Any:
        asked.append(name)
        return through_xlwings(name, arguments)

    assert [] == list(check.check_examples(call))
    assert set(functions()) == set(asked)


def test_a_wrong_function_is_noticed() -> None:
    def call(name: str, arguments: tuple[Any, ...]) -> Any:
        if name == "ELO_RUN":
            return [row[:1] for row in through_xlwings(name, arguments)]
        if name == "ELO_K":
            raise OSError("The RPC server is unavailable.")
        value = through_xlwings(name, arguments)
        return value + 1e-5 if name == "ELO_NEW" else value

    wrong = list(check.check_examples(call))
    assert {"ELO_RUN", "ELO_K", "ELO_NEW"} == {line.partition("(")[0] for line in wrong}
    assert any("OSError: The RPC server is unavailable." in line for line in wrong)


# --- the steps ----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there the program itself is run")
def test_the_steps_up_to_the_first_that_needs_windows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(check.CheckError, match=r"ended with 1:\n.*Windows only"):
        list(check.check_here(tmp_path))
    assert 1 == check.main(["--here"])
    assert capsys.readouterr().out.startswith("FAILED: ('addin', 'excel', '--install') ended")
    told = check.elo_xl_says({**check.os.environ}, 0, "--version")
    assert told == f"elo-xl, version {elo_xl.__version__}"
    started = []

    def start(command: list[str]) -> types.SimpleNamespace:
        started.append(command)
        return types.SimpleNamespace(returncode=7)

    monkeypatch.setattr(check.subprocess, "run", start)
    assert 7 == check.main(["C:\\Python\\python.exe"])
    assert [["C:\\Python\\python.exe", check.__file__, "--here"]] == started
