"""What is given away, the wheel and the source package, and what a stranger can do with them."""

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path

import pytest
from lxml import html
from packaging.requirements import Requirement
from readme_renderer.markdown import render

from elo_xl.addresses import PUBLISHED, REPOSITORY
from elo_xl.hosts.excel_addin import ADDIN, CLUB_PROJECT, FILES, LICENCE, WORKBOOK
from tests.support import ROOT

pytestmark = pytest.mark.slow

OLE = bytes.fromhex("D0CF11E0A1B11AE1")
BIN = Path(sys.executable).parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = dict(PROJECT["project"]["optional-dependencies"])
del EXTRAS["spark"]  # half a gigabyte, which only test_spark.py needs


def run(*command: str | Path, folder: Path, **environment: str) -> str:
    """What a command prints, run as somebody who has nothing of ours."""
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "SYSTEMROOT") if key in os.environ}
    done = subprocess.run(
        command, cwd=folder, env={**kept, **environment}, capture_output=True, encoding="utf-8"
    )
    assert 0 == done.returncode, f"{command}\n{done.stdout[-2000:]}{done.stderr[-3000:]}"
    return done.stdout


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source package."""
    folder = tmp_path_factory.mktemp("built")
    run(sys.executable, "-m", "hatchling", "build", "--directory", folder, folder=ROOT)
    return folder


@pytest.fixture(scope="session")
def wheel(built: Path) -> Path:
    (wheel,) = built.glob("*.whl")
    return wheel


@pytest.fixture(scope="session")
def macros(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel with the files that have macros."""
    folder = tmp_path_factory.mktemp("macros")
    build = sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder
    run(*build, folder=ROOT / FILES)
    (made,) = folder.iterdir()
    return made


@pytest.fixture(scope="session")
def source(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source package, unpacked."""
    (package,) = built.glob("*.tar.gz")
    folder = tmp_path_factory.mktemp("source")
    with tarfile.open(package) as file:
        # Python 3.11.2 of Debian 12 has no filters
        file.extraction_filter = getattr(tarfile, "data_filter", None)
        file.extractall(folder)
    return folder / package.name.removesuffix(".tar.gz")


@pytest.fixture(scope="session")
def index(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all that the wheel needs, as locked, in place of an index.

    pip has most of it in its cache, since it made the environment of the tests.
    """
    folder = tmp_path_factory.mktemp("index")
    lock = (ROOT / "requirements-dev.txt").read_text(encoding="utf-8")
    locked = re.findall(r"^[a-z0-9.-]+==[^\\\n]+", lock, flags=re.MULTILINE)
    versions = folder / "versions.txt"  # without the hashes, which a wheel just built has not
    versions.write_text("\n".join(locked), encoding="utf-8")
    wanted = f"{wheel}[{','.join(EXTRAS)}]", *PROJECT["build-system"]["requires"]
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "-qq", "-c", versions, "-d", folder, *wanted],
        check=True,
    )
    return folder


@pytest.fixture(scope="session")
def bare(index: Path, wheel: Path, macros: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that has the wheels, what they need, and nothing else."""
    folder = tmp_path_factory.mktemp("bare")
    uv, offline = BIN / "uv", ("--quiet", "--no-index", "--find-links", index)
    run(uv, "venv", "--quiet", "--python", sys.executable, "environment", folder=folder)
    programs = next((folder / "environment").glob("[bS]*/[pP]ython*")).parent
    python = programs / "python"
    run(uv, "pip", "install", *offline, "--python", python, wheel, macros, folder=folder)
    return programs


def test_the_index_has_nothing_to_object(built: Path) -> None:
    told = run(BIN / "twine", "check", "--strict", *built.iterdir(), folder=built)
    assert 2 == told.count("PASSED")


def files(folder: Path) -> Iterator[str]:
    """The files below a folder of the checkout."""
    for path in folder.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(ROOT).as_posix()


def test_wheel_holds_the_package_and_its_licences(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = archive.namelist()
    info = {name for name in held if ".dist-info/" in name}
    licences = {f"licenses/{name}" for name in PROJECT["project"]["license-files"]}
    about = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", *licences}
    assert about == {name.partition("/")[2] for name in info}
    assert set(files(ROOT / "elo_xl")) == set(held) - info
    assert {"elo_xl/py.typed", "elo_xl/engine/tables/table_8_1_1.csv"} <= set(held)


def test_macros_are_in_a_package_of_their_own(built: Path, wheel: Path, macros: Path) -> None:
    """Scanners at work block what has some."""
    with zipfile.ZipFile(macros) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    made = {ADDIN, WORKBOOK, CLUB_PROJECT, LICENCE}
    assert {f"{FILES}/{name}" for name in ("__init__.py", *made)} == held
    assert wheel.name.split("-")[1:] == macros.name.split("-")[1:]
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            content = archive.read(name)
            assert not content.startswith(OLE), name
            if content.startswith(b"PK"):
                with zipfile.ZipFile(io.BytesIO(content)) as inside:
                    assert not [part for part in inside.namelist() if "vba" in part.lower()], name


def test_source_package_holds_what_it_takes_to_build(source: Path) -> None:
    held = {p.relative_to(source).as_posix() for p in source.rglob("*") if p.is_file()}
    about = {"PKG-INFO", "CHANGELOG.md", "LICENSE", "README.md", "pyproject.toml", ".gitignore"}
    assert held == about | set(files(ROOT / "elo_xl")) | set(files(ROOT / "examples"))


def test_readme_stands_alone_on_the_index(wheel: Path) -> None:
    """Its pictures and links lead into the repository as it was at the release; until there is one
    they stay as they are in the source."""
    with zipfile.ZipFile(wheel) as parts:
        (name,) = (name for name in parts.namelist() if name.endswith("/METADATA"))
        metadata = message_from_bytes(parts.read(name))
    page = html.fromstring(str(render(str(metadata.get_payload()))))
    links = [link for a in page.iter("a") if not (link := a.get("href", "")).startswith("#")]
    shown = [picture.get("src", "") for picture in page.iter("img")]
    assert links
    assert shown
    pictures = f"{REPOSITORY}/".replace("github.com", "raw.githubusercontent.com")
    version = f"v{metadata['Version']}/"
    if PUBLISHED:
        ours = [link for link in links if link.startswith(f"{REPOSITORY}/blob/")] + shown
        prefixes = f"{REPOSITORY}/blob/{version}", f"{pictures}{version}"
        assert [] == [link for link in links + shown if not link.startswith("https://")]
        assert [] == [link for link in ours if not link.startswith(prefixes)]
        places = [link.partition(version)[2] for link in ours]
    else:
        places = [link for link in links if not link.startswith("https://")] + shown
    assert [] == [place for place in places if not (ROOT / place.partition("#")[0]).exists()]


@pytest.mark.proof
def test_source_package_builds_the_same_wheel(
    built: Path, wheel: Path, index: Path, tmp_path: Path
) -> None:
    """In an environment with nothing but what the project says it takes to build."""
    (package,) = built.glob("*.tar.gz")
    offline = "--no-index", "--find-links", index
    run(BIN / "uv", "build", "-q", "--wheel", *offline, "-o", tmp_path, package, folder=tmp_path)
    assert wheel.read_bytes() == (tmp_path / wheel.name).read_bytes()


@pytest.mark.proof
def test_a_stranger_can_use_the_wheel(bare: Path, source: Path, tmp_path: Path) -> None:
    """The README's commands one after another, in one folder with the examples."""
    told = f"elo-xl, version {source.name.partition('-')[2]}"
    assert told == run(bare / "python", "-m", "elo_xl", "--version", folder=tmp_path).strip()
    shutil.copytree(source / "examples", tmp_path / "examples")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall("^elo-xl (.+)$", readme, flags=re.MULTILINE)
    assert {"rate", "new", "call"} <= {command.partition(" ")[0] for command in commands}
    for command in commands:
        run(bare / "elo-xl", *shlex.split(command), folder=tmp_path)
    for addin, *what in (
        ("excel",),
        ("libreoffice",),
        ("native", "rated.xlsx"),
        ("lite", "rated.xlsx"),
    ):
        run(bare / "elo-xl", "addin", addin, *what, folder=tmp_path)
    made = {path.name for path in tmp_path.iterdir()}
    assert {
        "rated.xlsx",
        "rated-native.xlsx",
        "rated-lite.xlsx",
        "elo_xl.xlam",
        "elo_xl.oxt",
    } <= made


@pytest.mark.proof
@pytest.mark.parametrize("extra", EXTRAS)
def test_extra_brings_what_it_names(
    extra: str, bare: Path, index: Path, wheel: Path, tmp_path: Path
) -> None:
    environment = tmp_path / "environment"
    uv, offline = BIN / "uv", ("--quiet", "--no-index", "--find-links", index)
    run(uv, "venv", "--quiet", "--python", sys.executable, environment, folder=tmp_path)
    programs = environment / bare.name
    run(
        uv,
        "pip",
        "install",
        *offline,
        "--python",
        programs / "python",
        f"{wheel}[{extra}]",
        folder=tmp_path,
    )
    wanted = [Requirement(text) for text in EXTRAS[extra]]
    here = [each.name for each in wanted if each.marker is None or each.marker.evaluate()]
    run(programs / "python", "-c", f"import {', '.join(['elo_xl', *here])}", folder=tmp_path)


@pytest.mark.proof
def test_uvx_runs_it(wheel: Path, index: Path, tmp_path: Path) -> None:
    offline = "--no-index", "--find-links", index
    call = "--from", wheel, "elo-xl", "call", "ELO_EXPECTED", "1834", "2179", "fide"
    assert "0.11" == run(BIN / "uvx", *offline, *call, folder=tmp_path).strip()


@pytest.mark.proof
def test_pipx_installs_it(wheel: Path, index: Path, tmp_path: Path) -> None:
    places = {"PIPX_HOME": str(tmp_path / "pipx"), "PIPX_BIN_DIR": str(tmp_path / "bin")}
    offline = f"--pip-args=--no-index --find-links {index}"
    run(BIN / "pipx", "install", "--backend", "uv", offline, wheel, folder=tmp_path, **places)
    assert "elo-xl, version" in run(tmp_path / "bin" / "elo-xl", "--version", folder=tmp_path)
