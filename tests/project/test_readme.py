"""The README tells the truth."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from elo_xl.cli import cli
from elo_xl.functions.catalogue import functions
from elo_xl.templates.gallery import TEMPLATES
from tests.support import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^elo-xl (.+)$", README, flags=re.MULTILINE)


def test_table_lists_every_function_with_its_arguments() -> None:
    listed = re.findall(r"^\| `(ELO_[^`]+)` \|", README, flags=re.MULTILINE)
    assert sorted(f.signature for f in functions().values()) == sorted(listed)


def test_every_template_is_listed() -> None:
    section = README.partition("## The workbooks")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `([a-z-]+)` \|", section, flags=re.MULTILINE) == list(TEMPLATES)


def test_first_screen_is_a_download_and_a_picture() -> None:
    first = README.partition("\n## ")[0]
    assert "releases/latest/download/workbooks.zip)" in first
    assert "![" in first
    assert None is re.search("ELO_|pip|Python", first)


def test_pictures_are_there() -> None:
    found = re.findall(r"!\[.+?\]\((.+?)\)", README)
    assert found
    assert [path for path in found if not (ROOT / path).is_file()] == []


@pytest.mark.slow
def test_python_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    assert 0 == doctest.testfile(str(ROOT / "README.md"), module_relative=False).failed


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_command_runs(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    result = CliRunner().invoke(cli, shlex.split(command))
    said = [line for line in result.stderr.splitlines() if not line.startswith("assumed: ")]
    assert (0, []) == (result.exit_code, said)
    assert list(tmp_path.glob("*.xlsx")) or not command.startswith("rate")


def test_rooms_exist() -> None:
    rooms = re.findall(r"^\| (`elo_xl/.+?|`tests.+?) \|", README, flags=re.MULTILINE)
    folders = [name for row in rooms for name in re.findall(r"`([^`]+)`", row)]
    assert [] == [name for name in folders if not (ROOT / name).is_dir()]
    packages = {p.parent.name for p in (ROOT / "elo_xl").glob("*/__init__.py")}
    assert packages == {name.split("/")[1] for name in folders if "/" in name}
