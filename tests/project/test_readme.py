"""The README tells the truth."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

from docs_build import pictures
from docs_build.gallery_part import COMMONEST
from elo_xl.addresses import PUBLISHED
from tests.support import ROOT
from tests.support.command import invoke

README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^elo-xl (.+)$", README, flags=re.MULTILINE)


def test_five_books_are_there_to_download() -> None:
    files = re.findall(r"\]\((workbooks/.+?\.xlsx)\)", README)
    assert 5 == len(COMMONEST) == len(files) / 2
    assert [] == [path for path in files if not (ROOT / path).is_file()]


def test_first_screen_shows_a_result_and_three_doors() -> None:
    screen, *_ = README.partition("\n## ")
    assert f"/{pictures.RESULT}.png)" in screen
    doors = re.findall(r"^- \*\*\[I .+?\]\((.+?)\)\*\*", screen, flags=re.MULTILINE)
    assert ["docs/fill.md", "#i-have-a-file", "docs/calculator.md"] == doors
    assert "\n## I have a file\n" in README
    book = README.partition("\n## Workbooks to fill in\n")[2].partition("\n## ")[0]
    assert (
        "releases/latest/download/workbooks.zip)" if PUBLISHED else "(workbooks/README.md)"
    ) in book
    assert None is re.search("ELO_|pip|Python", book)
    assert "make docs" not in README.partition("\n## For developers\n")[0]
    assert len(README.splitlines()) < 160


def test_pictures_are_there() -> None:
    found = re.findall(r"!\[[^]]+\]\((.+?)\)", README)
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
    result = invoke(*shlex.split(command))
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
