"""The add-in on a Windows computer that is made of folders: installed, removed, asked about."""

import os
import subprocess
import sys
import types
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import elo_xl
from elo_xl.hosts import excel_addin
from elo_xl.hosts.excel_addin import ADDIN, LICENCE, UDF_MODULE, XLWINGS, AddinError, windows
from elo_xl.hosts.excel_addin.windows import Computer
from tests.support.command import invoke

INSTALL = "py -P -m elo_xl addin excel --install"


@pytest.fixture(autouse=True)
def packages(monkeypatch: pytest.MonkeyPatch) -> dict[str, str | None]:
    """What pip has installed, with versions: xlwings, and pywin32 with it.

    There is no Excel to ask unless a test says so, and no Python that fails.
    """
    there: dict[str, str | None] = {"pip": "26", "xlwings": "0.37.8", "win32api": "312"}
    monkeypatch.setattr(windows, "_failure", lambda interpreter: "")
    monkeypatch.setattr(windows, "find_spec", there.get)
    monkeypatch.setattr(windows, "_version", there.get)
    return there


@pytest.fixture
def computer(tmp_path: Path) -> Computer:
    """A Windows with Python in a folder, xlwings' libraries beside it, and nothing of ours."""
    python = tmp_path / "Python" / "python.exe"
    python.parent.mkdir()
    python.touch()
    libraries = {
        f"elo_xl{bits}.dll": python.with_name(f"xlwings{bits}-0.37.8.dll") for bits in (64, 32)
    }
    for name, library in libraries.items():
        library.write_text(f"the code of {name}")
    home = tmp_path / "home"
    home.mkdir()
    return Computer(
        windows=True,
        environment={"APPDATA": str(tmp_path / "roaming"), "USERPROFILE": str(home)},
        interpreter=str(python),
        code_page="cp1252",
        base=str(python.parent),
        built_for="win-amd64",
        libraries=libraries,
        conda=False,
    )


def problems(computer: Computer) -> list[str]:
    return [
        line.removeprefix("problem: ") for line in computer.status() if line.startswith("problem: ")
    ]


def unchanged(computer: Computer) -> bool:
    return not computer.addin.exists() and not computer.settings.exists()


# --- install and uninstall ----------------------------------------------------------------------


def test_install_and_uninstall(computer: Computer, tmp_path: Path) -> None:
    assert [f"no add-in at {computer.addin}: run `{INSTALL}`"] == problems(computer)

    said = list(computer.install())

    assert said == [
        f"add-in: {computer.addin}",
        f"settings: {computer.settings}",
        f"its functions run in {computer.interpreter}",
        "Excel has the functions from its next start: try =ELO_EXPECTED(1834,2179)",
    ]
    start = tmp_path / "roaming" / "Microsoft" / "Excel" / "XLSTART"
    # Excel opens whatever is there when it starts.
    assert [start / ADDIN] == list(start.iterdir())
    assert [start] == list(start.parent.iterdir())
    assert excel_addin.content() == computer.addin.read_bytes()
    assert tmp_path / "home" / ".elo_xl" / "elo_xl.conf" == computer.settings
    assert (
        computer.settings.read_bytes()
        == (
            f'"INTERPRETER_WIN","{computer.interpreter}"\r\n"UDF MODULES","{UDF_MODULE}"\r\n'
        ).encode()
    )
    assert {computer.settings.name, LICENCE, *computer.libraries} == {
        path.name for path in computer.settings.parent.iterdir()
    }
    assert [] == problems(computer)

    assert list(computer.uninstall()) == [f"removed {computer.addin}"]
    assert list(start.iterdir()) == []
    assert list((tmp_path / "home").iterdir()) == []
    assert list(computer.uninstall()) == [f"no add-in at {computer.addin}"]


def test_settings_in_another_code_page_are_read_as_far_as_possible(computer: Computer) -> None:
    computer.settings.parent.mkdir()
    computer.settings.write_bytes('"SHOW CONSOLE","Ё"\r\n'.encode("cp1251") + b'"\x81","x"\r\n')
    assert ["¨", "x"] == list(computer.read_settings().values())


def test_other_settings_of_the_user_stay(computer: Computer) -> None:
    computer.settings.parent.mkdir()
    computer.settings.write_text('"SHOW CONSOLE","True"\n"INTERPRETER_WIN","C:\\old.exe"\n')
    list(computer.install())
    assert computer.read_settings() == {
        "INTERPRETER_WIN": computer.interpreter,
        "UDF MODULES": UDF_MODULE,
        "SHOW CONSOLE": "True",
    }
    list(computer.uninstall())
    assert computer.settings.read_text() == '"SHOW CONSOLE","True"\n'
    assert not computer.settings.with_name(LICENCE).exists()


def test_conda_is_named_by_its_environment(computer: Computer, tmp_path: Path) -> None:
    root = tmp_path / "miniforge"
    environment = {
        **computer.environment,
        "CONDA_DEFAULT_ENV": "chess",
        "CONDA_EXE": str(root / "Scripts" / "conda.exe"),
        "CONDA_PREFIX": str(tmp_path / "Python"),
    }
    inside = replace(computer, environment=environment, conda=True)
    assert inside.wanted_settings() == {
        "CONDA PATH": str(root),
        "CONDA ENV": "chess",
        "UDF MODULES": UDF_MODULE,
    }
    list(inside.install())
    elsewhere = {**environment, "CONDA_PREFIX": str(tmp_path / "elsewhere")}
    other = replace(computer, environment=elsewhere)
    assert other.wanted_settings()["INTERPRETER_WIN"] == computer.interpreter


def test_an_add_in_in_use_is_said_to_be(
    computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as excel_runs:
        excel_runs.setattr(os, "replace", locked)
        with pytest.raises(AddinError, match="quit Excel, then try again"):
            list(computer.install())
    assert unchanged(computer)
    # Nor is anything left in the folder beside.
    assert [computer.addin.parent] == list(computer.addin.parents[1].iterdir())
    monkeypatch.setattr(Path, "unlink", locked)
    with pytest.raises(AddinError, match="quit Excel, then try again"):
        list(computer.uninstall())


# --- a Python that Excel cannot use -------------------------------------------------------------

STORE = "C:\\Program Files\\WindowsApps\\PythonSoftwareFoundation.Python.3.12_qbz5n2kfra8p0"


@pytest.mark.parametrize(
    ("changes", "said", "helps"),
    [
        ({"interpreter": f"{STORE}\\python.exe"}, "from the Microsoft Store", "--architecture x64"),
        ({"base": STORE}, "from the Microsoft Store", "--architecture x64"),
        ({"built_for": "win-arm64"}, "for win-arm64", "--architecture x64"),
        ({"built_for": "win32"}, "for win32", "--architecture x64"),
        ({"conda": True}, "its environment is not active", "conda activate"),
    ],
)
def test_install_refuses_what_would_not_run(
    computer: Computer, changes: dict[str, Any], said: str, helps: str
) -> None:
    other = replace(computer, **changes)
    with pytest.raises(AddinError) as refused:
        list(other.install())
    first, reason = str(refused.value).splitlines()
    assert first == "the functions would not run, so nothing changed in Excel"
    assert said in reason
    assert helps in reason
    assert unchanged(computer)
    assert reason in problems(other)


def test_the_add_in_has_the_libraries_of_the_installed_xlwings(computer: Computer) -> None:
    list(computer.install())
    copies = {name: computer.settings.with_name(name) for name in computer.libraries}
    for name, copy in copies.items():
        assert f"the code of {name}" == copy.read_text()
    computer.libraries["elo_xl64.dll"].write_text("of another version")
    assert [
        f"{copies['elo_xl64.dll']} is not xlwings' library: quit Excel, run `{INSTALL}`"
    ] == problems(computer)
    list(computer.install())
    assert "of another version" == copies["elo_xl64.dll"].read_text()
    (reason,) = problems(replace(computer, libraries={}))
    assert reason == (
        f'xlwings has no library: "{computer.interpreter}" -m pip install --force-reinstall '
        f'--no-deps "{XLWINGS}"'
    )


def test_without_the_package_that_has_macros(
    computer: Computer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(excel_addin, "FILES", "elo_xl_nowhere")
    (problem, *_) = problems(computer)
    assert problem.startswith(
        "the package elo-xl-excel is missing, which has the files with macros:"
    )
    with pytest.raises(AddinError) as refused:
        list(computer.install())
    assert problem == str(refused.value).splitlines()[1]
    assert unchanged(computer)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    for words in (["addin", "excel"], ["new", "club", "-o", "club.xlsm"]):
        done = invoke(*words)
        assert (1, f"error: {problem}") == (done.exit_code, done.output.splitlines()[-1])
    assert [] == list(elsewhere.iterdir())


def test_a_python_that_fails_says_why(computer: Computer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    # before the first formula, and not as #VALUE! in each
    assert "" == windows._failure(sys.executable)
    blocked = "An Application Control policy has blocked this file."
    example = f"raise ImportError('DLL load failed while importing _ufuncs: {blocked}')"
    monkeypatch.setattr(windows, "_EXAMPLE", example)
    monkeypatch.setattr(windows, "_version", lambda package: "0.37.8")
    monkeypatch.setattr(windows, "find_spec", lambda package: package == "win32api")
    here = replace(computer, interpreter=sys.executable)
    with pytest.raises(AddinError) as refused:
        list(here.install())
    _, reason = str(refused.value).splitlines()
    assert f"importing _ufuncs: {blocked}. If a policy of Windows, such as Smart App" in reason
    assert windows._WITHOUT in reason
    assert reason in problems(here)
    assert unchanged(here)


@pytest.mark.parametrize("version", ["0.29.9", "1.0.0"])
def test_all_that_is_missing_is_said_at_once(
    computer: Computer, packages: dict[str, str | None], version: str
) -> None:
    packages |= {"xlwings": version, "win32api": None}
    with pytest.raises(AddinError) as refused:
        list(computer.install())
    pip = f'"{computer.interpreter}" -m pip install'
    assert str(refused.value).splitlines()[1:] == [
        f'xlwings is {version}, the add-in works with others: {pip} "{XLWINGS}"',
        f"pywin32 is missing: {pip} --force-reinstall pywin32",
    ]
    assert unchanged(computer)


@pytest.fixture
def pip(
    computer: Computer, packages: dict[str, str | None], monkeypatch: pytest.MonkeyPatch
) -> list[list[str]]:
    """What is asked of a pip that gets xlwings, with pywin32, where both are missing."""
    packages["xlwings"] = packages["win32api"] = None
    asked: list[list[str]] = []

    def run(command: list[str], **_: object) -> types.SimpleNamespace:
        asked.append(command)
        packages.update(xlwings="0.30.0", win32api="312")
        return types.SimpleNamespace(returncode=0)

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(windows, "_libraries", lambda: computer.libraries)
    return asked


def test_installing_brings_xlwings_and_says_so(computer: Computer, pip: list[list[str]]) -> None:
    lacking = (
        "xlwings is missing, through which Excel and Python talk: "
        f'"{computer.interpreter}" -m pip install "{XLWINGS}"'
    )
    assert lacking == problems(computer)[0]
    assert [] == pip
    told, *_ = computer.install()
    assert f"{XLWINGS} is installed, through which Excel and Python talk" == told
    assert [(computer.interpreter, XLWINGS)] == [(c[0], c[-1]) for c in pip]
    assert computer.addin.exists()
    assert [] == problems(computer)
    list(computer.install())
    assert 1 == len(pip)


def test_it_brings_nothing_where_that_is_of_no_use(
    computer: Computer, packages: dict[str, str | None], pip: list[list[str]]
) -> None:
    for other in (replace(computer, built_for="win-arm64"), replace(computer, conda=True)):
        with pytest.raises(AddinError, match="nothing changed in Excel"):
            list(other.install())
    packages["pip"] = None
    with pytest.raises(AddinError, match=r'uv pip install --python ".+" "xlwings>=[\d.]+,<1"$'):
        list(computer.install())
    assert [] == pip


def test_what_pip_says_when_it_fails(
    computer: Computer, pip: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = types.SimpleNamespace(returncode=1, stderr="ERROR: no network\n", stdout="")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(AddinError, match=r"<1\"\npip said: ERROR: no network"):
        list(computer.install())
    assert unchanged(computer)


def test_what_vba_could_not_read_is_refused_before_anything_changes(
    computer: Computer, tmp_path: Path
) -> None:
    foreign = replace(computer, interpreter=computer.interpreter.replace("Python", "Пётр"))
    with pytest.raises(AddinError, match="cannot hold 'Пётр'"):
        list(foreign.install())
    home = tmp_path / "Иван"
    foreign = replace(computer, environment={**computer.environment, "USERPROFILE": str(home)})
    with pytest.raises(AddinError, match="code page cp1252 has no 'Иван'"):
        list(foreign.install())
    assert unchanged(computer)
    assert not home.exists()
    # In a Russian Windows it can.
    home.mkdir()
    list(replace(foreign, code_page="cp1251").install())


@pytest.mark.parametrize("version", ["0.30.0", "0.37.8", "0.99.12"])
def test_the_libraries_of_the_installed_xlwings_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    packages = tmp_path / "Lib" / "site-packages"
    info = packages / f"xlwings-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: xlwings\nVersion: {version}\n")
    places = [tmp_path / f"xlwings{bits}-{version}.dll" for bits in (64, 32)]
    listed = "".join(f"../../{place.name},,\n" for place in places)
    (info / "RECORD").write_text(f"xlwings/__init__.py,,\n{listed}")
    # There is none in the wheel for Linux and macOS.
    assert (sys.platform == "win32") == bool(windows._libraries())
    monkeypatch.syspath_prepend(str(packages))
    assert {} == windows._libraries()
    for place in places:
        place.touch()
    assert {"elo_xl64.dll": places[0], "elo_xl32.dll": places[1]} == windows._libraries()


# --- status -------------------------------------------------------------------------------------


def test_status_names_each_mismatch_with_its_remedy(computer: Computer) -> None:
    list(computer.install())
    other = replace(computer, interpreter=computer.interpreter.replace("python.exe", "other.exe"))
    assert [f"this is another Python: run `{INSTALL}` to use it in Excel"] == problems(other)

    computer.addin.write_bytes(b"of another version")
    assert [f"it is not the one of this elo-xl: quit Excel, run `{INSTALL}`"] == problems(computer)
    list(computer.install())

    Path(computer.interpreter).unlink()
    assert [f"there is no {computer.interpreter} on this computer: run `{INSTALL}`"] == problems(
        computer
    )


def test_a_profile_that_came_along_without_the_settings(computer: Computer) -> None:
    list(computer.install())
    computer.settings.unlink()
    (problem,) = problems(computer)
    assert problem.startswith(f"there is no {computer.settings}, though it names the Python.")
    assert problem.endswith(f"run `{INSTALL}` on each")


def test_status_while_excel_has_the_add_in_open(
    computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    list(computer.install())

    read = Path.read_bytes

    def locked(path: Path) -> bytes:
        if path == computer.addin:
            raise PermissionError(13, "Permission denied")
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", locked)
    assert f"add-in: {computer.addin}, which Excel lets nobody read now" in list(computer.status())
    assert [] == problems(computer)


def test_the_command_s_exit_code(computer: Computer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "Computer", lambda: computer)
    absent = invoke("addin", "status")
    assert (1, True) == (absent.exit_code, "no add-in at" in absent.output)
    assert invoke("addin", "excel", "--install").exit_code == 0
    assert invoke("addin", "status").exit_code == 0
    arm = replace(computer, built_for="win-arm64")
    monkeypatch.setattr(windows, "Computer", lambda: arm)
    refused = invoke("addin", "excel", "--install")
    assert (1, True) == (refused.exit_code, "so nothing changed" in refused.output)


def test_elsewhere_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "Computer", lambda: Computer(windows=False))
    for option in ("--install", "--uninstall"):
        result = invoke("addin", "excel", option)
        assert result.exit_code == 1
        assert result.output == f"error: {windows.ELSEWHERE}\n"
    result = invoke("addin", "status")
    assert result.exit_code == 0
    assert windows.ELSEWHERE in result.output.splitlines()
    assert f"elo-xl {elo_xl.__version__}, Python " in result.output


# --- Excel, asked through COM -------------------------------------------------------------------


class ComError(Exception):
    """pywintypes.com_error: number, text, details of the source, argument."""


class Excel:
    """What Excel shows a program: enough of its object model for the questions."""

    Version, Build, Path = "16.0", 17328, "C:\\Program Files\\Microsoft Office\\root\\Office16"
    OperatingSystem = "Windows (64-bit) NT 10.00"
    DisplayAlerts = True

    def __init__(self, start: object, result: object, *, opened: bool) -> None:
        self.StartupPath = str(start)
        self.result = result
        self.opened = opened
        self.done: list[str] = []
        self.Workbooks = self

    def Run(self, name: str, *arguments: object) -> object:  # noqa: N802
        if isinstance(self.result, ComError):
            raise self.result
        known = {
            "ELO_EXPECTED": self.result,
            "ELO_LAST_ERROR": "Could not activate Python COM server, hr = -2147221164",
        }
        assert self.opened
        return known[name.removeprefix(f"{ADDIN}!")]

    def __call__(self, name: str) -> "Excel":  # Workbooks(name)
        if not self.opened:
            raise ComError(-2147352565, "Invalid index.", None, None)
        return self

    def Add(self) -> None:  # noqa: N802
        self.done.append("new workbook")

    def Open(self, path: str) -> None:  # noqa: N802
        self.done.append(f"open {path}")
        self.opened = True

    def Quit(self) -> None:  # noqa: N802
        self.done.append("quit")


RIGHT = 0.1112784093834
"""ELO_EXPECTED(1834,2179)."""


@pytest.fixture
def com(monkeypatch: pytest.MonkeyPatch, packages: dict[str, str | None]) -> Any:
    """pywin32 with the Excel that runs, and the one that can be started."""
    com = types.SimpleNamespace(running=None, installed=None)

    def found(excel: Excel | None) -> Excel:
        if excel is None:
            details = (0, "ole32", "Class not registered", None, 0, -2147221164)
            raise ComError(-2147221164, "Exception", details, None)
        return excel

    client = types.SimpleNamespace(
        GetActiveObject=lambda name: found(com.running),
        DispatchEx=lambda name: found(com.installed),
    )
    monkeypatch.setitem(sys.modules, "pywintypes", types.SimpleNamespace(com_error=ComError))
    monkeypatch.setitem(sys.modules, "win32com", types.SimpleNamespace(client=client))
    packages["win32com"] = "312"
    return com


def test_the_excel_that_runs(computer: Computer, com: Any) -> None:
    list(computer.install())
    com.running = Excel(computer.addin.parent, RIGHT, opened=True)
    *_, look, call = computer.status()
    assert look == f"Excel 16.0.17328, 64-bit: {Excel.Path}"
    assert call.startswith("in Excel, =ELO_EXPECTED(1834,2179) is 0.111278, after ")
    assert [] == problems(computer)
    assert [] == com.running.done


def test_an_excel_that_is_started_opens_the_add_in_and_quits(computer: Computer, com: Any) -> None:
    list(computer.install())
    com.installed = Excel(computer.addin.parent, RIGHT, opened=False)
    assert [] == problems(computer)
    assert ["new workbook", f"open {computer.addin}", "quit"] == com.installed.done
    assert com.installed.DisplayAlerts is False


@pytest.mark.parametrize(("result", "said"), [
    (-2146826273, "fails, after 0.0 s: Could not activate Python COM server, hr = -2147221164"),
    (0.5, "fails, after 0.0 s: Could not activate"),
    (ComError(-2147418111, "Call was rejected by callee.", None, None),
     "Excel does not answer (Call was rejected by callee.): finish the cell"),
])  # fmt: skip
def test_a_function_that_does_not_work_in_excel(
    computer: Computer, com: Any, result: object, said: str
) -> None:
    list(computer.install())
    com.installed = Excel(computer.addin.parent, result, opened=False)
    (problem,) = problems(computer)
    assert said in problem
    assert com.installed.done[-1] == "quit"


def test_an_excel_that_does_not_suit(computer: Computer, com: Any, tmp_path: Path) -> None:
    list(computer.install())
    assert ["no Excel can be started here: Class not registered"] == problems(computer)

    com.running = Excel(tmp_path / "elsewhere", RIGHT, opened=False)
    com.running.Path = "C:\\Program Files\\WindowsApps\\Microsoft.Office.Desktop.Excel_16\\Office16"
    com.running.OperatingSystem = "Windows (32-bit) NT 10.00"
    store, start, macros = problems(computer)
    assert store.startswith("this Excel is the Microsoft Store's edition")
    assert f"start folder is {tmp_path / 'elsewhere'}: copy {computer.addin} into it" in start
    assert "quit it and start it again" in macros
    assert any(", 32-bit: " in line for line in computer.status())


def test_the_value_that_excel_is_asked_for() -> None:
    assert f"{elo_xl.worksheet('ELO_EXPECTED', 1834, 2179):.6f}" == windows._VALUE
    assert windows._FORMULA == "=ELO_EXPECTED(1834,2179)"
