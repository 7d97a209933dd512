"""One noun, one meaning: the names of classes and aliases over the whole package."""

from __future__ import annotations

import re
from collections import defaultdict

from tests.support import ROOT

MADE = re.compile(r"^(?:class _*(\w+)|_*([A-Z][a-z]\w*)(?::.*)? = )", re.MULTILINE)
"""A class, or an alias, which is no constant because it has small letters."""


def test_no_class_or_alias_means_three_things() -> None:
    modules = defaultdict[str, set[str]](set)
    for path in (ROOT / "elo_xl").rglob("*.py"):
        for words in MADE.findall(path.read_text(encoding="utf-8")):
            modules["".join(words)].add(path.relative_to(ROOT).as_posix())
    assert len(modules) > 300
    assert {} == {name: where for name, where in modules.items() if len(where) > 2}
