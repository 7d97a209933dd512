"""The README tells the truth."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from elo_xl.addresses import PUBLISHED
from elo_xl.cli import cli
from elo_xl.templates.gallery import TEMPLATES
from tests.support import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^elo-xl (.+)$", README, flags=re.MULTILINE)


def test_every_template_is_listed() -> None:
    section = README.partition("## I keep a club's ratings")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `([a-z-]+)` \|", section, flags=re.MULTILINE) == list(TEMPLATES)


def test_first_screen_has_two_doors() -> None:
    screen, *_ = README.partition("\n![")
    doors = dict(re.findall(r"^\*\*\[(I .+?)\]\(#(.+?)\)\*\*", screen, flags=re.MULTILINE))
    assert {"i-keep-a-clubs-ratings", "i-have-a-file"} == set(doors.values())
    assert all(f"\n## {title}\n" in README for title in doors)
    book = README.partition("\n## I keep")[2].partition("\n## ")[0]
    assert (
        "releases/latest/download/workbooks.zip)" if PUBLISHED else "(workbooks/README.md)"
    ) in book
    assert None is re.search("ELO_|pip|Python", book)
    assert len(README.splitlines()) < 160


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
    said = [line for line in result.stderr.splitlines() if not line.startswith("note: ")]
    assert (0, []) == (result.exit_code, said)
    assert list(tmp_path.glob("*.xlsx")) or not command.startswith("rate")


def test_rooms_exist() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    picture = text.partition("```text\n")[2].partition("```")[0]
    names = re.findall(r"^(.+?) {3,}", picture, flags=re.MULTILINE)
    modules = [path.relative_to(ROOT / "elo_xl") for path in (ROOT / "elo_xl").rglob("*.py")]
    rooms = {Path(path.parts[0]).stem for path in modules} - {"__init__", "__main__"}
    assert rooms == {name for row in names for name in re.split(",? +", row)}
