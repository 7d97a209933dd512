"""The walks of CONTRIBUTING.md: one gone for real in a copy of the project, all files there."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import elo_xl as elo
from tests.support import ROOT
from tests.support.levels import amount

pytestmark = pytest.mark.slow


ELO_FOO = '''

@function(
    "ELO_FOO",
    "Foo times a rating.",
    RATING,
    NumberArgument("foo", "A number that nobody has thought of; 2 if omitted.", default=2, low=0),
    family=FAMILY,
    source="nobody",
    examples=[((1500,), 3000), ((1500, 3), 4500)],
    native=Native("rating * foo"),
)
def foo(rating: FloatArray, foo: FloatArray) -> FloatArray:
    """Ratings times foo."""
    return rating * foo
'''

CONCERNED = (
    *("functions", "languages", "docs", "readme", "names", "lambdas", "lint", "project"),
    *("excel_addin", "xlwings_udfs", "xlwings_lite", "cli"),
)
"""Test files that look at every function."""


def there(name: str) -> bool:
    """Whether a file or folder is where a page says, from the top or from the package."""
    return any((folder / name).exists() for folder in (ROOT, ROOT / "elo_xl"))


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_pages_for_contributors_name_what_is_there(page: str) -> None:
    text = re.sub(r"```.*?```", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL)
    named = re.findall(r"`([a-z_.]+(?:/[\w.-]+)+)`", text)
    assert len(named) > 15
    assert [] == [name for name in named if not there(name)]


@pytest.mark.proof
def test_a_function_is_one_entry(tmp_path: Path) -> None:
    """Everything else is made: ``make regenerate``, as far as it needs no LibreOffice."""
    copy = tmp_path / "project"
    left = shutil.ignore_patterns(".git", ".venv", ".*_cache", "build", "dist")
    shutil.copytree(ROOT, copy, ignore=left)
    with open(copy / "elo_xl" / "functions" / "expected.py", "a", encoding="utf-8") as file:
        file.write(ELO_FOO)
    python = [sys.executable, "-m"]
    environment = {**os.environ, "PYTHONPATH": str(copy), "ELO_XL_SNAPSHOTS": "write"}
    snapshots = [
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "tests").rglob("test_*.py")
        if "mark.snapshot" in path.read_text(encoding="utf-8")
    ]
    for command in (
        ["excel_build"],
        ["docs_build"],
        ["pytest", "-q", "-n0", "-m", "snapshot", *snapshots],
    ):
        run(python + command, copy, environment)
    del environment["ELO_XL_SNAPSHOTS"]
    files = [str(*copy.glob(f"tests/*/test_{name}.py")) for name in CONCERNED]
    # the tests that bear its name, and all that look at every function
    chosen = amount(["-k", "FOO or fresh or every"], [])
    environment["ELO_XL_LEVEL"] = "check"
    told = run([*python, "pytest", "-q", "-n0", *chosen, *files], copy, environment)
    assert " passed" in told
    changed = {"es.toml": 'foo = "foo"', "ru.toml": '# Not translated yet:\n"Foo times a rating."'}
    for name, text in changed.items():
        assert text in (copy / "elo_xl" / "languages" / name).read_text(encoding="utf-8")
    page = (copy / "docs" / "functions" / "ELO_FOO.md").read_text(encoding="utf-8")
    assert "ELO_FOO(rating, [foo])" in page


def run(command: list[str], folder: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert 0 == done.returncode, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


LUCK = '''
"""Whether somebody was lucky."""

import click

from elo_xl.events.rate import rate
from elo_xl.terminal.reading import EXISTING, ReadOptions, reads_an_event


@click.command()
@click.argument("file", type=EXISTING)
@reads_an_event
def luck(file, how: ReadOptions) -> None:
    """Show who has more points in the event in FILE than expected."""
    for player in rate(how.read(file)).players:
        if player.score > player.expected:
            click.echo(player.player.name)
'''


def test_a_question_is_a_module_and_a_line(tmp_path: Path) -> None:
    copy = tmp_path / "project"
    left = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "elo_xl", copy / "elo_xl", ignore=left)
    shutil.copy(ROOT / "pyproject.toml", copy)
    (copy / "elo_xl" / "questions" / "luck.py").write_text(LUCK, encoding="utf-8")
    door = copy / "elo_xl" / "cli" / "__init__.py"
    text = door.read_text(encoding="utf-8")
    line = '    "Ask": {\n        "luck": ("questions.luck.luck", "Show who had luck."),\n'
    door.write_text(text.replace('    "Ask": {\n', line), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    event = ROOT / "examples" / "rivertown-open.trf"
    told = run([sys.executable, "-m", "elo_xl", "luck", str(event)], copy, environment)
    rated = elo.rate_event(elo.read_event(event)).players
    columns = zip(rated["name"], rated["score"], rated["expected"], strict=True)
    lucky = {name for name, score, due in columns if due is not None and score > due}
    assert lucky == set(told.splitlines()) != set()
    rules = [sys.executable, "-c", "from importlinter.cli import lint_imports; lint_imports()"]
    assert "0 broken" in run(rules, copy, environment)
