"""Collect what the installer for Windows puts onto a computer.

installer.py fetch PYTHON.zip                          download the Python of installer/python.toml
installer.py collect PYTHON.zip WHEEL BOOKS.zip FOLDER   write the files into a folder

The wheel is elo-xl's, the books are the archive of a release. The packages that the wheel needs
come from the index in their locked versions, for Windows whatever this computer is. FOLDER then
holds ``python``, which needs no other Python, and ``books``. If it is ``build/installer``,
``installer/elo_xl.iss`` makes one program of it. On Windows the packages are compiled too, because
xlwings starts Python with -B and would compile them at every start of Excel.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.request import urlopen

import pefile

ROOT: Final = Path(__file__).parents[1]
PYTHON: Final = tomllib.loads((ROOT / "installer" / "python.toml").read_text(encoding="utf-8"))
TEXTS: Final = ROOT / "scripts" / "release_texts"
MINOR: Final = ".".join(PYTHON["version"].split(".")[:2])

PACKAGES: Final = Path("Lib", "site-packages")
"""Where packages lie below Python, as pywin32 expects it."""

LEFT_OUT: Final = (
    # Not free software: of xlwings only the part under the BSD licence is used and given on.
    *("xlwings/pro", "xlwings/xlwingslib.*.pyd", "xlwings-*.dist-info/licenses/LICENSE_PRO.txt"),
    # Editors, other programs' interfaces, and their libraries, which Windows has not.
    *("PyWin32.chm", "adodbapi", "isapi", "pythonwin", "win32comext", "win32/Demos"),
    *("bin", "*.whl", "**/tests", "**/*.lib"),
)
"""What nobody runs, below the packages."""

OF_WINDOWS: Final = frozenset(
    (
        *("advapi32", "bcrypt", "bcryptprimitives", "comctl32", "comdlg32", "credui", "crypt32"),
        *("gdi32", "kernel32"),
        *("ktmw32", "loadperf", "lz32", "mpr", "msimg32", "mswsock", "netapi32", "ntdll"),
        *("ntdsapi", "odbc32", "ole32", "oleacc", "oleaut32", "pdh", "powrprof", "rasapi32"),
        *("secur32", "sfc", "shell32", "shlwapi", "urlmon", "user32", "userenv", "uxtheme"),
        *("version", "wevtapi", "winhttp", "wininet", "winspool", "ws2_32", "wtsapi32"),
    )
)
"""Libraries that every Windows has."""


def fetch(target: Path) -> None:
    """Download Python."""
    with urlopen(PYTHON["url"]) as answer:
        content = answer.read()
    check(content)
    target.write_bytes(content)


def check(content: bytes) -> None:
    """Leave the program unless these are the bytes of the Python that is meant."""
    if hashlib.sha512(content).hexdigest() != PYTHON["sha512"]:
        sys.exit(f"this is not the Python {PYTHON['version']} of installer/python.toml")


def collect(python: Path, wheels: list[Path], books: Path, folder: Path) -> None:
    """Write everything that is installed into a new folder."""
    check(python.read_bytes())
    if folder.exists():
        shutil.rmtree(folder)
    place = folder / "python"
    unpack_python(python, place)
    install(wheels, place / PACKAGES)
    slim(place / PACKAGES)
    if lacks := sorted(missing(folder)):
        sys.exit("\n".join(["libraries that nobody brings along:", *lacks]))
    if sys.platform == "win32":
        compile_ = ["-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash"]
        subprocess.run([place / "python.exe", *compile_, place / PACKAGES], check=True)
    with zipfile.ZipFile(books) as archive:
        archive.extractall(folder / "books")
    version = wheels[0].name.split("-")[1]
    (folder / "version.iss").write_text(f'#define Version "{version}"\n', encoding="utf-8")
    (folder / "languages.iss").write_text(languages(), encoding="utf-8-sig")


def languages() -> str:
    """What the installer says in every language; the first one is for those who speak none."""
    texts = {
        file.stem: tomllib.loads(file.read_text(encoding="utf-8"))["installer"]
        for file in sorted(TEXTS.glob("*.toml"), key=lambda file: (file.stem != "en", file.stem))
    }
    names, messages = ["[Languages]"], ["[CustomMessages]"]
    for code, said in texts.items():
        names.append(f'Name: "{code}"; MessagesFile: "{said.pop("MessagesFile")}"')
        messages += [f"{code}.{key}={text}" for key, text in said.items()]
    return "\n".join([*names, "", *messages, ""])


def unpack_python(archive: Path, place: Path) -> None:
    """Unpack Python, and let it find the packages below it and nothing else."""
    with zipfile.ZipFile(archive) as files:
        files.extractall(place)
    digits = MINOR.replace(".", "")
    lines = f"python{digits}.zip", ".", str(PACKAGES).replace("/", "\\"), "import site"
    # The last line reads pywin32's own list of folders in Lib\site-packages.
    text = "".join(f"{line}\n" for line in lines)
    (place / f"python{digits}._pth").write_text(text, encoding="utf-8", newline="\r\n")


def install(wheels: list[Path], packages: Path) -> None:
    """Install our wheels and what they need on Windows, as locked."""
    lock = "--require-hashes", f"--requirement={ROOT / 'requirements-installer.txt'}"
    where = f"--target={packages}", "--python-platform=x86_64-pc-windows-msvc"
    how = f"--python-version={MINOR}", "--only-binary=:all:", "--quiet"
    for what in (lock, ("--no-deps", *map(str, wheels))):
        command = [sys.executable, "-m", "uv", "pip", "install", *where, *how, *what]
        subprocess.run(command, check=True)


def slim(packages: Path) -> None:
    """Delete what is left out."""
    for pattern in LEFT_OUT:
        for path in list(packages.glob(pattern)):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()


def missing(folder: Path) -> Iterator[str]:
    """The libraries that a file needs, and neither the folder nor Windows has."""
    binaries = [path for path in folder.rglob("*") if path.suffix in (".dll", ".exe", ".pyd")]
    there = {path.name.lower() for path in binaries}
    tables = [pefile.DIRECTORY_ENTRY[f"IMAGE_DIRECTORY_ENTRY_{what}"] for what in IMPORTS]
    for path in binaries:
        with pefile.PE(path, fast_load=True) as program:
            program.parse_data_directories(tables)
            for name in (library.dll.decode().lower() for library in imported(program)):
                of_windows = name.startswith("api-ms-win-") or name.split(".")[0] in OF_WINDOWS
                if not of_windows and name not in there:
                    yield f"{name} for {path.relative_to(folder).as_posix()}"


IMPORTS: Final = ("IMPORT", "DELAY_IMPORT")


def imported(program: pefile.PE) -> list[pefile.ImportDescData]:
    """What a program or library imports at once, and what when it needs it."""
    return [it for what in IMPORTS for it in getattr(program, f"DIRECTORY_ENTRY_{what}", [])]


def main(arguments: list[str]) -> None:
    """Do what the arguments ask for."""
    match arguments:
        case ["fetch", target]:
            fetch(Path(target))
        case ["collect", python, *wheels, books, folder] if wheels:
            collect(Path(python), [*map(Path, wheels)], Path(books), Path(folder))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
