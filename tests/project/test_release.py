"""The files of a release: made from a tagged commit, and the same ones every time."""

import io
import json
import re
import shutil
import subprocess
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from elo_xl.languages import CODES, LANGUAGES
from elo_xl.templates.gallery import TEMPLATES, further_sizes
from elo_xl.xlsx.opc import zipped
from scripts import release, workbooks
from tests.support import ROOT

pytestmark = pytest.mark.slow

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LEFT = shutil.ignore_patterns("__pycache__", "*.png")
SAID = (
    "\n\n## [0.9.7] - 2031-02-03\n\n### Added\n\n- A bell.\n\n## [0.9.6] - 2031-02-02\n\n- None.\n"
)


@pytest.fixture
def tagged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with what the files are made of, and a tag."""
    folder = tmp_path / "repository"
    for name in ("elo_xl", "elo_xl_excel", "examples"):
        shutil.copytree(ROOT / name, folder / name, ignore=LEFT)
    for name in (
        *("LICENSE", "README.md", "pyproject.toml", ".gitignore"),
        "requirements-installer.txt",
    ):
        shutil.copy(ROOT / name, folder)
    (folder / "CHANGELOG.md").write_text(f"# Changelog{SAID}", encoding="utf-8")
    person = "-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"
    for command in (
        ["init", "-q"],
        ["add", "."],
        [*person, "commit", "-qm", "All"],
        ["tag", "v0.9.7"],
        ["tag", "v0.9.8"],
    ):
        subprocess.run(["git", *command], cwd=folder, check=True)
    (folder / "elo_xl" / "__init__.py").write_text("not committed", encoding="utf-8")
    monkeypatch.setattr(release, "ROOT", folder)
    every = release.commands
    # the workbooks, their trial and page take minutes, and tests of their own look at them
    monkeypatch.setattr(release, "commands", lambda place: every(place)[:-3])
    return folder


def test_same_commit_gives_the_same_files(tagged: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    release.main(["build", "v0.9.7", str(first)])
    release.main(["build", "v0.9.7", str(second)])
    assert release.sums(first) == release.sums(second)
    assert {path.name for path in first.iterdir()} >= {
        *("elo_xl-0.9.7-py3-none-any.whl", "elo_xl-0.9.7.tar.gz"),
        "elo_xl_excel-0.9.7-py3-none-any.whl",
        *("elo_xl.oxt", "elo_xl.xlam", "elo_xl.xlsm", "Code.gs"),
        "elo_xl.cdx.json",
        *("elo-functions.xlsx", "elo-functions.txt", "elo-functions-module.txt"),
    }
    told = json.loads((first / "elo_xl.cdx.json").read_text(encoding="utf-8"))
    assert "pkg:pypi/elo-xl@0.9.7" == told["metadata"]["component"]["purl"]
    brought = {component["name"] for component in told["components"]}
    needed = {Requirement(text).name for text in PROJECT["dependencies"]}
    assert needed <= brought
    assert not brought & {"hatchling", "pytest", "uv"}
    with zipfile.ZipFile(first / "elo_xl-0.9.7-py3-none-any.whl") as wheel:
        assert b'__version__ = "0.9.7"\n' in wheel.read("elo_xl/__init__.py")
    assert "not committed" == (tagged / "elo_xl" / "__init__.py").read_text(encoding="utf-8")


def test_signed_addins_take_the_place_of_the_others(
    tagged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = release.commands
    monkeypatch.setattr(release, "commands", lambda place: every(place)[:3])
    signed, made = tmp_path / "signed", tmp_path / "made"
    signed.mkdir()
    for name in ("elo_xl.xlam", "elo_xl.xlsm"):
        (signed / name).write_bytes(name.encode())
    release.main(["build", "v0.9.7", str(made), str(signed)])
    with zipfile.ZipFile(made / "elo_xl_excel-0.9.7-py3-none-any.whl") as wheel:
        assert b"elo_xl.xlam" == wheel.read("elo_xl_excel/elo_xl.xlam")
    assert b"elo_xl.xlsm" == (made / "elo_xl.xlsm").read_bytes()
    assert b"elo_xl.xlam" != (tagged / release.ADDINS / "elo_xl.xlam").read_bytes()


def test_sums_are_those_of_another_program(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"abc")
    (tmp_path / "Книга.xlsx").write_bytes(b"\x00\xff")
    release.main(["sums", str(tmp_path)])
    release.main(["sums", str(tmp_path)])
    told = (tmp_path / "SHA256SUMS").read_text(encoding="utf-8")
    assert 2 == told.count("\n")
    # the one of "abc" stands in FIPS 180-2
    assert "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a.txt\n" in told
    check = "sha256sum", "--check", "--quiet", "SHA256SUMS"
    subprocess.run(check, cwd=tmp_path, check=True)


@pytest.mark.parametrize(
    ("tag", "told"),
    [
        ("0.9.7", "such as v0.2.0, got '0.9.7'"),
        ("v0.9", "no section '## [0.9] - YYYY-MM-DD'"),
        ("v0.9.8", "no section '## [0.9.8] - YYYY-MM-DD'"),
        ("v0.09.7", "got 'v0.09.7'"),
        ("vnext", "got 'vnext'"),
    ],
)
@pytest.mark.usefixtures("tagged")
def test_wrong_tags_are_refused(tag: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=re.escape(told)):
        release.main(["notes", tag])
    assert not (tmp_path / "made").exists()


@pytest.mark.usefixtures("tagged")
def test_a_release_that_the_changelog_does_not_know_is_not_built(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"no section '## \[0.9.8\]"):
        release.main(["build", "v0.9.8", str(tmp_path / "made")])
    assert not list((tmp_path / "made").iterdir())


@pytest.mark.usefixtures("tagged")
def test_notes_are_the_section_of_the_changelog(capsys: pytest.CaptureFixture[str]) -> None:
    release.main(["notes", "v0.9.7"])
    release.main(["notes", "v0.9.6"])
    assert "### Added\n\n- A bell.\n- None.\n" == capsys.readouterr().out


@pytest.mark.parametrize("language", CODES)
def test_archive_of_workbooks_has_a_folder_for_each_language(language: str) -> None:
    books = {"swiss.xlsx": b"empty", "swiss-sample.xlsx": b"filled", "swiss-8.xlsx": b"small"}
    packed = zipped(workbooks.in_folder(language, books))
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        names = archive.namelist()
        text = archive.read(names[0]).decode("utf-8-sig")
    top, words = LANGUAGES[language].name, workbooks.READ_ME[language]
    assert names == [
        f"{top}/{words['file']}",
        f"{top}/swiss.xlsx",
        f"{top}/{words['sizes']}/swiss-8.xlsx",
        f"{top}/{words['samples']}/swiss-sample.xlsx",
    ]
    assert "{" not in text
    assert words["samples"] in text
    assert words["sizes"] in text
    for name, template in TEMPLATES.items():
        line = f"{name}.xlsx\r\n    {template.summary(language)}\r\n"
        assert (line in text) == (language in template.languages)


def test_the_archive_has_books_for_fewer_players() -> None:
    names = set(dict(further_sizes()))
    assert {f"swiss-{players}.xlsx" for players in (8, 16, 32, 64)} < names


def test_a_release_speaks_every_language() -> None:
    assert sorted(CODES) == sorted(file.stem for file in workbooks.TEXTS.iterdir())
