"""What GitHub and others read of the project cannot run here: their own programs check it."""

import base64
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from scripts import sign
from tests.support import ROOT

BIN = Path(sys.executable).parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))

SCHEMAS = {
    ".github/workflows/*.yml": "vendor.github-workflows",
    ".github/dependabot.yml": "vendor.dependabot",
    ".github/ISSUE_TEMPLATE/[!c]*.yml": "vendor.github-issue-forms",
    ".github/ISSUE_TEMPLATE/config.yml": "vendor.github-issue-config",
    "CITATION.cff": "vendor.citation-file-format",
}


def check(*command: str | Path) -> None:
    """Run a program of the environment that finds mistakes; it must find none."""
    done = subprocess.run(
        [BIN / command[0], *command[1:]], cwd=ROOT, capture_output=True, encoding="utf-8"
    )
    assert 0 == done.returncode, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("pattern", SCHEMAS)
def test_files_are_as_their_schemas_say(pattern: str) -> None:
    check("check-jsonschema", "--builtin-schema", SCHEMAS[pattern], *sorted(ROOT.glob(pattern)))


def test_every_file_for_github_is_checked() -> None:
    checked = {path for pattern in SCHEMAS for path in ROOT.glob(pattern)}
    assert {*(ROOT / ".github").rglob("*.yml"), ROOT / "CITATION.cff"} == checked


def test_actionlint_finds_nothing() -> None:
    check("actionlint", "-no-color", *WORKFLOWS)


def test_zizmor_finds_nothing() -> None:
    check("zizmor", "--offline", "--quiet", "--no-progress", ROOT / ".github")


def test_actions_and_packages_are_those_that_somebody_looked_at() -> None:
    """Actions by their commit, beside which the version stands; packages by their hashes."""
    for path in WORKFLOWS:
        text = path.read_text(encoding="utf-8")
        for uses in re.findall(r"uses: (.+)", text):
            assert re.fullmatch(
                r"\./\S+( # zizmor: .+)?|[\w./-]+@[0-9a-f]{40} # v\d+(\.\d+)+", uses
            ), uses
        for what in re.findall(r"pip install (.+)", text):
            assert what.startswith("--require-hashes --requirement "), what
            lock = ROOT / what.split()[-1]
            assert lock.is_file(), what
    for path in (ROOT / "scripts").glob("*.sh"):  # what a proof downloads runs nothing by itself
        text = path.read_text(encoding="utf-8").replace("\\\n", "")
        fetched = re.findall(r"npm(?:-cli\.js\")? +(?:ci|install) +-.*", text)
        assert all("--ignore-scripts" in line for line in fetched), path
        assert "git clone" not in text, path


@pytest.mark.slow
def test_pre_commit_understands_its_settings() -> None:
    check("pre-commit", "validate-config")


def steps(workflow: Path) -> list[dict[str, Any]]:
    jobs = YAML(typ="safe").load(workflow)["jobs"].values()
    return [step for job in jobs for step in job.get("steps", [])]


def test_workflows_call_what_there_is() -> None:
    """Each step that does something of ours is a script, or a target of the Makefile."""
    commands = "\n".join(step.get("run", "") for path in WORKFLOWS for step in steps(path))
    commands = re.sub(r"-m scripts\.(\w+)", r"scripts/\1.py", commands)
    scripts = set(re.findall(r"(?:^|\s)((?:scripts|installer|\.ci)/[\w.]+)", commands))
    targets = set(re.findall(r"^make ([a-z]+)", commands, flags=re.MULTILINE))
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert {".ci/run", "scripts/quick_tests.py", "scripts/release.py"} <= scripts
    assert [] == [name for name in scripts if not (ROOT / name).is_file()]
    assert {"docs", "proof", "release"} == targets
    assert [] == [name for name in targets if not re.search(f"^{name}:", makefile, re.MULTILINE)]


def test_every_version_of_python_that_is_named_is_tested() -> None:
    named = re.findall(r":: (3\.\d+)$", "\n".join(PROJECT["classifiers"]), flags=re.MULTILINE)
    jobs = YAML(typ="safe").load(ROOT / ".github" / "workflows" / "tests.yml")["jobs"]
    for job in jobs.values():
        assert named == job["strategy"]["matrix"]["python"]
    assert PROJECT["requires-python"] == f">={named[0]}"


def test_no_workflow_may_do_more_than_it_says() -> None:
    for path in WORKFLOWS:
        workflow = YAML(typ="safe").load(path)
        assert workflow["permissions"] in ({}, {"contents": "read"})
        for step in steps(path):
            uses = step.get("uses", "")
            if uses.startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False


def test_the_citation_is_of_a_version() -> None:
    """It has a version and a day, which `scripts.release ready` compares with the changelog's."""
    citation = YAML(typ="safe").load(ROOT / "CITATION.cff")
    assert {"version", "date-released"} <= citation.keys()


def test_the_licence_is_said_in_one_way() -> None:
    assert f"Licence: `{PROJECT['license']}`." in (ROOT / "README.md").read_text(encoding="utf-8")
    own = YAML(typ="safe").load(ROOT / "CITATION.cff")["license"]
    assert PROJECT["license"].startswith(f"{own} AND ")


def test_the_checklist_names_its_form() -> None:
    form = YAML(typ="safe").load(ROOT / ".github" / "ISSUE_TEMPLATE" / "excel-checklist.yml")
    checklist = (ROOT / "docs" / "excel-checklist.md").read_text(encoding="utf-8")
    assert f"*{form['name']}*" in checklist


def test_nothing_is_signed_without_a_certificate(tmp_path: Path) -> None:
    program = tmp_path / "setup.exe"
    program.write_bytes(b"MZ")
    assert "There is no certificate: nothing is signed." == sign.sign([str(program)], {})
    assert b"MZ" == program.read_bytes()


def test_signing_gives_signtool_the_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[list[str]] = []

    def run(command: list[str], check: bool) -> None:
        assert check
        if "sign" in command:
            assert b"secret" == Path(command[command.index("/f") + 1]).read_bytes()
        ran.append(command)

    monkeypatch.setattr(subprocess, "run", run)
    settings = {"CERTIFICATE": base64.b64encode(b"secret").decode(), "CERTIFICATE_PASSWORD": "pass"}
    assert "signed: setup.exe" == sign.sign(["setup.exe"], settings)
    (program,) = ran
    assert "setup.exe" == program[-1]

    packages = tmp_path / "packages"
    packages.write_bytes(b"MZ")
    settings["OFFICE_SIPS"] = packages.as_uri()
    sign.sign(["a.xlam", "b.xlsm"], settings)
    places = [Path(command[0].replace("\\", "/")).stem for command in ran[1:]]
    assert ["sips", "regsvr32", "regsvr32", "signtool", "signtool"] == places
