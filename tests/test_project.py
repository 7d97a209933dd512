"""The project's own files: what the locks hold."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
LOCK = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("requirements-*.txt"))


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
