"""What the installer for Windows puts onto a computer, and the script that it is made from."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib import resources
from importlib.metadata import Distribution
from pathlib import Path

import pytest

import elo_xl
from elo_xl.addresses import PUBLISHED
from elo_xl.hosts.excel_addin import ADDIN, FILES, UDF_MODULE, windows
from elo_xl.languages import CODES
from tests.support import ROOT
from tests.support.command import invoke
from tests.support.programs import loaded

pytestmark = pytest.mark.slow

SCRIPT = (ROOT / "installer" / "elo_xl.iss").read_text(encoding="utf-8-sig")


installer = loaded("installer")


def launcher() -> bytes:
    """A program for Windows that needs only what Windows has."""
    return (resources.files("distlib") / "w64.exe").read_bytes()


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive with the files of python.org's that others refer to."""
    archive = tmp_path_factory.mktemp("python") / "python.zip"
    digits = installer.MINOR.replace(".", "")
    libraries = f"python{digits}.dll", "vcruntime140.dll", "vcruntime140_1.dll"
    with zipfile.ZipFile(archive, "w") as files:
        for name in ("python.exe", "pythonw.exe", *libraries):
            files.writestr(name, launcher())
        files.writestr(f"python{digits}.zip", b"the standard library")
        files.writestr(f"python{digits}._pth", f"python{digits}.zip\n.\n\n#import site\n")
    return archive


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory, python: Path) -> Path:
    """All files as ISCC gets them; the packages are the real ones for Windows."""
    work = tmp_path_factory.mktemp("installer")
    for folder in (ROOT, ROOT / FILES):
        subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", work],
            cwd=folder,
            check=True,
            capture_output=True,
        )
    wheels = sorted(map(str, work.glob("*.whl")))
    books = work / "books.zip"
    with zipfile.ZipFile(books, "w") as files:
        files.writestr("English/swiss.xlsx", b"a book")
    with pytest.MonkeyPatch.context() as patch:
        sum_ = hashlib.sha512(python.read_bytes()).hexdigest()
        patch.setitem(installer.PYTHON, "sha512", sum_)
        installer.main(["collect", str(python), *wheels, str(books), str(work / "files")])
    return work / "files"


@pytest.mark.proof
def test_what_is_installed(collected: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = collected / "python"
    packages = place / "Lib" / "site-packages"
    (info,) = packages.glob("xlwings-*.dist-info")
    digits = installer.MINOR.replace(".", "")
    assert (place / f"python{digits}._pth").read_bytes() == (
        f"python{digits}.zip\r\n.\r\nLib\\site-packages\r\nimport site\r\n".encode()
    )
    # what --install copies
    monkeypatch.setattr(windows, "distribution", lambda name: Distribution.at(info))
    assert {"elo_xl32.dll", "elo_xl64.dll"} == set(windows._libraries())
    assert (packages / FILES / ADDIN).exists()
    # pywin32 has no installation of its own here: its list of folders leads to its libraries
    listed = (packages / "pywin32.pth").read_text(encoding="utf-8").splitlines()
    assert {"win32", "win32\\lib", "import pywin32_bootstrap"} <= set(listed)
    assert (packages / "win32" / "lib" / "pywin32_bootstrap.py").exists()
    assert {f"pywintypes{digits}.dll", f"pythoncom{digits}.dll"} == {
        path.name for path in (packages / "pywin32_system32").iterdir()
    }
    for package in ("numpy", "scipy", "lxml", "win32"):
        compiled = list((packages / package).rglob("*.pyd"))
        assert compiled
        if package != "win32":
            assert all(f".cp{digits}-win_amd64." in path.name for path in compiled)
    assert (collected / "books" / "English" / "swiss.xlsx").exists()
    version = f'#define Version "{elo_xl.__version__}"\n'
    assert version == (collected / "version.iss").read_text(encoding="utf-8")
    assert installer.languages() == (collected / "languages.iss").read_text(encoding="utf-8-sig")


@pytest.mark.proof
def test_nothing_is_installed_that_may_not_be_given_on(collected: Path) -> None:
    xlwings = collected / "python" / "Lib" / "site-packages" / "xlwings"
    assert not (xlwings / "pro").exists()
    assert not list(xlwings.glob("*.pyd"))
    (info,) = xlwings.parent.glob("xlwings-*.dist-info")
    assert ["LICENSE.txt"] == [path.name for path in (info / "licenses").iterdir()]


@pytest.mark.proof
def test_xlwings_works_without_what_is_left_out(collected: Path, tmp_path: Path) -> None:
    packages = collected / "python" / "Lib" / "site-packages"
    shutil.copytree(packages / "xlwings", tmp_path / "xlwings")
    (info,) = packages.glob("xlwings-*.dist-info")
    shutil.copytree(info, tmp_path / info.name)
    program = (
        "import sys; from tests.support import excel_host; print(excel_host.install().__file__);"
        "server = sys.modules['xlwings.com_server'].XLPython();"
        f"print(server.CallUDF({UDF_MODULE!r}, 'ELO_DIFF', (0.5,), None, None))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT)))},
        capture_output=True,
        text=True,
    )
    assert [str(tmp_path / "xlwings" / "__init__.py"), "0.0"] == done.stdout.split(), done.stderr


@pytest.mark.proof
def test_a_library_that_nobody_brings_is_named(collected: Path, tmp_path: Path) -> None:
    """That none is missing was found when the files were collected."""
    digits = installer.MINOR.replace(".", "")
    packages = collected / "python" / "Lib" / "site-packages"
    shutil.copytree(packages / "win32", tmp_path / "win32")
    shutil.copy(next(packages.glob("numpy.libs/msvcp140*.dll")), tmp_path)
    assert {f"{name}.dll" for name in (f"python{digits}", f"pywintypes{digits}")} | {
        f"vcruntime140{part}.dll" for part in ("", "_1")
    } == {line.split(" for ")[0] for line in installer.missing(tmp_path)}


def test_another_python_is_refused(python: Path, tmp_path: Path) -> None:
    assert f"python-{installer.PYTHON['version']}-embed-amd64.zip" in installer.PYTHON["url"]
    assert 128 == len(installer.PYTHON["sha512"])
    with pytest.raises(SystemExit, match=r"this is not the Python 3\.\d+\.\d+ of installer"):
        installer.main(["collect", str(python), "", "", str(tmp_path / "files")])
    assert not (tmp_path / "files").exists()


def test_python_is_fetched_and_checked(
    python: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(installer.PYTHON, "url", python.as_uri())
    with pytest.raises(SystemExit, match="this is not the Python"):
        installer.main(["fetch", str(tmp_path / "fetched.zip")])
    assert not (tmp_path / "fetched.zip").exists()
    sum_ = hashlib.sha512(python.read_bytes()).hexdigest()
    monkeypatch.setitem(installer.PYTHON, "sha512", sum_)
    installer.main(["fetch", str(tmp_path / "fetched.zip")])
    assert python.read_bytes() == (tmp_path / "fetched.zip").read_bytes()
    with pytest.raises(SystemExit, match=r"installer.py fetch PYTHON.zip"):
        installer.main([])


# --- installer/elo_xl.iss -----------------------------------------------------------------------

SECTIONS = dict(re.findall(r"(?ms)^\[(\w+)\]\n(.*?)(?=^\[\w+\]|\Z)", SCRIPT))
DEFINED = dict(re.findall(r'(?m)^ *#define (\w+) "([^"]*)"$', SCRIPT))


@pytest.mark.proof
def test_the_script_s_files_are_those_that_are_collected(collected: Path) -> None:
    sources = re.findall(r'(?m)^Source: "\{#Files\}\\(\w+)\\\*"; DestDir: "\{app\}\\(\w+)"', SCRIPT)
    assert SECTIONS["Files"].count("Source:") == len(sources)
    folders = sorted(path.name for path in collected.iterdir() if path.is_dir())
    assert [(name, name) for name in folders] == sorted(sources)
    for file in re.findall(r"\{app\}\\(python\\[\w.]+|books)\b", SCRIPT):
        assert (collected / file.replace("\\", "/")).exists(), file


def test_the_script_s_constants_and_messages() -> None:
    known = {"app", "group", "cmd", "localappdata", "userappdata"}
    constants = set(re.findall(r"(?<!\{)\{([a-z]+)\}", SCRIPT))
    assert known == constants
    assert {*DEFINED, "Version", "Home", "Help"} == set(re.findall(r"\{#(\w+)\}", SCRIPT))
    told = set(re.findall(r"\{cm:(\w+)\}|CustomMessage\('(\w+)'\)", SCRIPT))
    used = {one or other for one, other in told}
    names, messages = installer.languages().split("[CustomMessages]")
    languages = re.findall(r'(?m)^Name: "(\w+)"; MessagesFile: "compiler:.+\.isl"$', names)
    assert list(CODES) == languages
    for language in languages:
        texts = dict(re.findall(rf"(?m)^{language}\.(\w+)=(.+)$", messages))
        assert used == set(texts)


def test_the_script_s_addresses() -> None:
    """It has them once they are ours."""
    assert PUBLISHED == ("Home" in DEFINED) == ("Help" in DEFINED)
    listed = (ROOT / "scripts" / "published.toml").read_text(encoding="utf-8")
    (page,) = re.findall(r'#define Help "\{site\}(.+)\.html"', listed)
    assert (ROOT / "docs" / f"{page}.md").exists()


def test_the_script_s_commands_are_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "Computer", lambda: windows.Computer(windows=False))
    commands = re.findall(r"-m elo_xl ([a-z -]+)", SCRIPT)
    assert ["addin status", "addin excel --install", "addin excel --uninstall"] == commands
    for command in commands:
        # 2 is wrong use; here, where there is no Excel, installing is refused with 1.
        assert invoke(*command.split()).exit_code in (0, 1), command


def test_the_script_asks_for_no_administrator_and_gives_the_file_its_name() -> None:
    settings = dict(re.findall(r"(?m)^(\w+)=(.*)$", SECTIONS["Setup"]))
    assert settings["PrivilegesRequired"] == "lowest"
    assert settings["DefaultDirName"] == r"{localappdata}\elo_xl"
    assert settings["ArchitecturesAllowed"] == "x64compatible"
    made = f"{settings['OutputBaseFilename']}.exe"
    assert made in (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
