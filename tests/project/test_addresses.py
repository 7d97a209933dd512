"""Until the project is published nobody is led to a name that somebody else may register; one
command turns that, everywhere at once."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from elo_xl.addresses import PUBLISHED, SITE
from scripts import release
from tests.support import ROOT

pytestmark = pytest.mark.skipif(PUBLISHED, reason="the project is published")

OURS = re.compile(
    r"elo-xl\.github\.io|github(usercontent)?\.com/elo-xl|uvx elo-xl|pip download elo-xl"
    r"|pipx? install (-\S+ )*['\"]?elo-xl"
)
"""What serves a stranger, if a stranger holds our names."""

KNOWS = {"elo_xl/addresses.py"}
READ = re.compile(r".*\.(md|toml|cff|yml|iss|sh|py|html|js|xml|bas|txt)")
ROOMS = ".github", "docs", "docs_build", "elo_xl", "installer", "scripts", "workbooks"

MADE = """
import io, json, sys, zipfile
from pathlib import Path
from docs_build import pages
from elo_xl.hosts.javascript import office, sheets
from elo_xl.templates.gallery import ready_made
from scripts.workbooks import read_me

with zipfile.ZipFile(io.BytesIO(dict(ready_made())["match-odds.xlsx"]())) as book:
    told = {name: book.read(name).decode() for name in book.namelist()}
files = office.parts("https://club.example", "en").items()
told |= {name: content.decode("utf-8", "replace") for name, content in files}
told |= {"Code.gs": sheets.code(), "Read me.txt": read_me("de").decode()}
made = pages()
told |= {name: made[name]() for name in ("calculator.md", "ru/calculator.md", "commands.md")}
Path(sys.argv[1]).write_text(json.dumps(told), encoding="utf-8")
"""
"""A book, the add-ins in JavaScript, pages: by their names, in the file that is named."""


def texts(root: Path) -> dict[str, str]:
    """What people read of a copy of the project, by its place, but what is made anew."""
    paths = [path for path in root.glob("*.*") if path.is_file()]
    paths += [path for room in ROOMS for path in (root / room).rglob("*.*")]
    return {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for path in paths
        if READ.fullmatch(path.name) and not path.name.startswith("requirements")
    }


def made(root: Path, file: Path) -> dict[str, str]:
    """What a copy of the project makes: a book, the add-ins in JavaScript, pages."""
    subprocess.run([sys.executable, "-c", MADE, file], cwd=root, check=True)
    told: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return told


def leads(told: dict[str, str]) -> set[str]:
    return {name for name, text in told.items() if OURS.search(text)}


def replaced() -> list[dict[str, str]]:
    listed = tomllib.loads((ROOT / "scripts" / "published.toml").read_text(encoding="utf-8"))
    found: list[dict[str, str]] = listed["text"]
    return found


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project in which the command was given."""
    root = tmp_path_factory.mktemp("published")
    left = shutil.ignore_patterns("__pycache__", "*.png", "*.xlsx", "*.svg")
    for room in ROOMS:
        shutil.copytree(ROOT / room, root / room, ignore=left)
    shutil.copytree(ROOT / "examples", root / "examples")
    for path in ROOT.glob("*.*"):
        if path.is_file():
            shutil.copy(path, root)
    release.publish(root)
    return root


def test_nothing_leads_to_what_is_not_ours() -> None:
    generated = {f"docs/{name}" for name in ("commands.md",)}
    generated |= {p.relative_to(ROOT).as_posix() for p in ROOT.glob("docs/**/calculator.md")}
    assert KNOWS == leads(texts(ROOT)) - generated


@pytest.mark.slow
def test_nothing_that_is_made_leads_there_either(tmp_path: Path) -> None:
    told = made(ROOT, tmp_path / "told")
    assert set() == leads(told)
    targets = re.findall('Target="(http[^"]+)"', "".join(told.values()))
    assert [] == targets


@pytest.mark.slow
def test_one_command_names_the_addresses_everywhere(published: Path, tmp_path: Path) -> None:
    told = texts(published)
    del told["scripts/published.toml"]
    assert {"README.md", "docs/organizers.md", "pyproject.toml", "CITATION.cff"} <= leads(told)
    before = {text["until"] for text in replaced()}
    assert set() == {old for old in before if any(old in text for text in told.values())}
    assert None is re.search(r"\{(repository|raw|site|package)\}", told["README.md"])
    project = tomllib.loads(told["pyproject.toml"])
    assert SITE == project["project"]["urls"]["Documentation"]
    hooks = project["tool"]["hatch"]["metadata"]["hooks"]
    assert 2 == len(hooks["fancy-pypi-readme"]["substitutions"])
    shown = made(published, tmp_path / "told")
    books = {name for name in shown if name.endswith(".rels") and SITE in shown[name]}
    assert books
    assert {
        *("calculator.md", "ru/calculator.md", "Read me.txt"),
        *("functions.json", "functions.js", "taskpane.html", "manifest.xml", "manifest.json"),
    } <= leads(shown)


def test_it_is_given_once(published: Path) -> None:
    with pytest.raises(SystemExit, match="nowhere is"):
        release.publish(published)


def test_no_release_is_ready_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "CHANGELOG.md").write_text("## [0.2.0] - 2031-02-03\n\n- All.\n", encoding="utf-8")
    monkeypatch.setattr(release, "ROOT", tmp_path)
    citation = tmp_path / "CITATION.cff"
    citation.write_text("version: 0.1.0\ndate-released: 2031-02-03\n", encoding="utf-8")
    with pytest.raises(SystemExit, match=r"does not say 'version: 0\.2\.0'"):
        release.main(["ready", "v0.2.0"])
    citation.write_text("version: 0.2.0\ndate-released: 2031-02-03\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="addresses are not ours yet"):
        release.main(["ready", "v0.2.0"])
    monkeypatch.setattr(release, "PUBLISHED", True)
    release.main(["ready", "v0.2.0"])
    with open(tmp_path / "CHANGELOG.md", "a", encoding="utf-8") as file:
        file.write("\n## Unreleased\n\n- More.\n")
    with pytest.raises(SystemExit, match="still has a section Unreleased"):
        release.main(["ready", "v0.2.0"])
