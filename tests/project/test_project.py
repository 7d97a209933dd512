"""The project's own files: what the locks hold, and what becomes of them."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support import ROOT

DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
USERS, DEVELOPERS, SPARK, DATABASES, INSTALLER, RELEASE = (
    (ROOT / f"requirements{what}.txt").read_text(encoding="utf-8")
    for what in ("", "-dev", "-spark", "-databases", "-installer", "-release")
)


def unmet(wanted: list[str], lock: str) -> list[str]:
    """What is wanted, and a lock has not, or not in such a version."""
    versions = dict(re.findall(r"^([a-z0-9-]+)==(\S+)", lock, flags=re.MULTILINE))
    return [
        text
        for text in wanted
        if not (need := Requirement(text)).specifier.contains(
            versions.get(canonicalize_name(need.name), "0"), prereleases=True
        )
    ]


def test_locks_satisfy_what_is_declared() -> None:
    users = [*DECLARED["project"]["dependencies"], *DECLARED["build-system"]["requires"]]
    excel = DECLARED["project"]["optional-dependencies"]["excel"]
    groups = dict(DECLARED["dependency-groups"])
    spark, databases = groups.pop("spark"), groups.pop("databases")
    others = [entry for group in groups.values() for entry in group if isinstance(entry, str)]
    assert [] == unmet(users, USERS), "run: make lock"
    assert [] == unmet([*DECLARED["project"]["dependencies"], *excel], INSTALLER), "run: make lock"
    assert [] == unmet(others, DEVELOPERS), "run: make lock"
    assert [] == unmet(spark, SPARK), "run: make lock"
    assert [] == unmet(databases, DATABASES), "run: make lock"


def test_what_developers_have_is_what_users_get() -> None:
    """The same versions with the same files, and more."""
    installed, users, release, developers = (
        set(re.findall(r"^\S+==\S+|--hash=\S+", lock, flags=re.MULTILINE))
        for lock in (INSTALLER, USERS, RELEASE, DEVELOPERS)
    )
    for lock in (installed, users, release):
        assert lock < developers, "run: make lock"


LICENCES = {"BSD": "BSD", "MIT": "MIT", "ISC": "ISC", "PSF": "Python Software Foundation"}


def test_the_page_for_it_lists_all_packages_that_come_along_with_their_licences() -> None:
    page = (ROOT / "docs" / "for-it.md").read_text(encoding="utf-8")
    told, _, _ = page.partition("The packages that come along:")[2].partition(". Who checks")
    listed = {
        str(canonicalize_name(name.strip())): licence
        for names, licence in re.findall(r"([^();]+)\((\w+)\)", told)
        for name in names.split(",")
    }
    needed, new = dict[str, str](), ["elo-xl"]
    while new:
        name = new.pop()
        try:
            package = distribution(name)
        except PackageNotFoundError:  # for Windows alone
            needed[name] = ""
            continue
        about = package.metadata
        said = about.get_all("License-Expression", []) + about.get_all("Classifier", [])
        needed[name] = " ".join(one for one in said if "::" not in one or "License" in one)
        for system, platform in (("Linux", "linux"), ("Windows", "win32")):
            for wanted in map(Requirement, package.requires or ()):
                there = {"platform_system": system, "sys_platform": platform, "extra": "excel"}
                if wanted.marker is None or wanted.marker.evaluate(there):
                    new += {canonicalize_name(wanted.name)} - needed.keys() - {*new}
    del needed["elo-xl"]
    assert needed.keys() == listed.keys()
    assert [] == [name for name in needed if f"\n{name}==" not in f"\n{INSTALLER}"]
    assert [] == [n for n, said in needed.items() if said and LICENCES[listed[n]] not in said]


def test_lock_names_no_host() -> None:
    assert "://" not in USERS + DEVELOPERS + SPARK


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What makes an environment, with a uv that says what it is asked for."""
    if sys.platform == "win32":
        pytest.skip("make and its scripts run on POSIX systems")
    for name in ("venv.sh", "common.sh", "show.sh"):
        target = tmp_path / "scripts" / name
        target.parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / "scripts" / name, target)
    for name in ("requirements.txt", "requirements-dev.txt", "pyproject.toml"):
        (tmp_path / name).touch()
    programs = {
        "uv": """echo "$UV_DEFAULT_INDEX $SSL_CERT_FILE" >told""",
        "python3": """echo "global.index-url='https://example.org/simple'"
            echo "global.cert='/some/where.crt'\"""",
        "xdg-open": "",
        "open": "",
    }
    (tmp_path / "bin").mkdir()
    for name, does in programs.items():
        program = tmp_path / "bin" / name
        program.write_text(f'#!/bin/sh\necho {name} "$@" >>asked\n{does}\n', encoding="utf-8")
        program.chmod(0o755)
    return tmp_path


def asked(checkout: Path, script: str, argument: str, **settings: str) -> list[str]:
    """What a script asks of the programs."""
    path = f"{checkout / 'bin'}{os.pathsep}{os.environ['PATH']}"
    plain = {name: text for name, text in os.environ.items() if name not in ("CI", *SCREENS)}
    said = checkout / "asked"
    said.unlink(missing_ok=True)
    subprocess.run(
        [checkout / "scripts" / script, argument],
        cwd=checkout,
        env={**plain, "PATH": path, "PYTHON": sys.executable, **settings},
        check=True,
        capture_output=True,
    )
    return said.read_text(encoding="utf-8").splitlines() if said.exists() else []


SCREENS = "DISPLAY", "WAYLAND_DISPLAY"


@pytest.mark.slow
def test_an_environment_grows_by_what_it_lacks(checkout: Path) -> None:
    def installed(lock: str) -> list[str]:
        """``venv`` for a new environment, the lock, ``.`` for the checkout."""
        there = checkout / ".venv" / "there"
        lines = asked(checkout, "venv.sh", lock)
        new = ["venv"] * (not there.exists())
        there.touch()
        return new + [line.split()[-1] for line in lines if line.startswith("uv ")]

    users, developers = "requirements.txt", "requirements-dev.txt"
    assert ["venv", users, "."] == installed(users)
    assert [] == installed(users)
    assert [developers, "."] == installed(developers)
    assert [] == installed(developers) + installed(users)
    (checkout / developers).write_text("a newer one", encoding="utf-8")
    assert [] == installed(users)
    assert ["venv", developers, "."] == installed(developers)
    (checkout / users).write_text("a newer one", encoding="utf-8")
    assert ["venv", users, "."] == installed(users)


@pytest.mark.slow
def test_uv_looks_where_pip_is_told_to(checkout: Path) -> None:
    asked(checkout, "venv.sh", "requirements.txt", UV_DEFAULT_INDEX="", SSL_CERT_FILE="")
    told = (checkout / "told").read_text(encoding="utf-8")
    assert "https://example.org/simple /some/where.crt\n" == told


def test_every_lock_has_the_uv_that_installs_the_rest() -> None:
    for lock in (USERS, DEVELOPERS):
        assert 1 == len(re.findall(r"^uv==\S+ \\\n    --hash", lock, flags=re.MULTILINE))


@pytest.mark.parametrize(
    ("settings", "opened"),
    [
        ({}, sys.platform == "darwin"),
        ({"DISPLAY": ":0"}, True),
        ({"DISPLAY": ":0", "CI": "1"}, False),
    ],
)
def test_a_file_is_shown_where_somebody_looks(
    settings: dict[str, str], opened: bool, checkout: Path
) -> None:
    script = checkout / "scripts" / "show.sh"
    # the program goes on by itself: what it says is waited for
    waiting = script.read_text(encoding="utf-8").replace("&\n", "& wait\n")
    script.write_text(waiting, encoding="utf-8")
    program = "open" if sys.platform == "darwin" else "xdg-open"
    said = asked(checkout, "show.sh", "a.xlsx", **settings)
    assert [f"{program} a.xlsx"] * opened == said
