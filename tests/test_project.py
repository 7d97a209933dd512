"""The project's own files: what the wheel carries, what the lock holds."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
LOCK = (ROOT / "requirements-dev.txt").read_text(encoding="utf-8")


def test_wheel_carries_tables_and_types(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", tmp_path],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    carried = set(zipfile.ZipFile(wheel).namelist())

    tables = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("elo_xl/engine/tables/*.csv")}
    assert tables
    assert tables | {"elo_xl/__init__.py", "elo_xl/py.typed"} <= carried
    assert {"elo_xl"} == {name.split("/")[0].split("-")[0] for name in carried}


def test_lock_satisfies_what_is_declared() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [
        *declared["project"]["dependencies"],
        *(entry for group in declared["dependency-groups"].values() for entry in group),
    ]
    locked = dict(re.findall(r"^([a-z0-9-]+)==(\S+)", LOCK, flags=re.MULTILINE))

    unmet = [
        text
        for text in wanted
        if not (need := Requirement(text)).specifier.contains(
            locked.get(canonicalize_name(need.name), "0"), prereleases=True
        )
    ]
    assert [] == unmet, "run: make lock"


def test_lock_names_no_host() -> None:
    assert "://" not in LOCK
