"""The table of wrong forms: each is refused by its reader, in words that a stranger follows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs_build.wrong_files import messages

PLACE = re.compile(
    r".+ @ (?:[\w.]+(?:, line [0-9]+(?:, column [0-9]+)?|, \w+(?:![A-Z]+[0-9]+|, row [0-9]+)?)?"
    r"|\w+![A-Z]+[0-9]+)"
)
"""what @ where: a file, perhaps with its line or cell, or a cell of a club's book"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[str, list[str]]]]:
    folder: Path = tmp_path_factory.mktemp("wrong")
    return dict(messages(folder))


@pytest.mark.slow
def test_every_wrong_form_is_refused_with_its_place(told):
    assert 9 == len(told)
    forms = [(heading, *row) for heading, rows in told.items() for row in rows]
    assert len(forms) > 90
    assert [] == [(heading, what) for heading, what, said in forms if not said]
    lines = [line for *_, said in forms for line in said]
    assert [] == [line for line in lines if not PLACE.fullmatch(line)]


@pytest.mark.slow
def test_messages_are_plain(told):
    """No object of Python, no name of a function, no number of a player whom a table only names."""
    for heading, rows in told.items():
        for what, said in rows:
            for line in said:
                assert not re.search(r"None|\bnan\b|Error|<|__|\{", line), (heading, what, line)
                if heading != "Tournament report files":
                    assert not re.search(r"player [0-9]", line), (heading, what, line)
