"""The page for people who play something else: each line gives what it says."""

import re
from contextlib import suppress
from typing import Any, Final

import pytest

import elo_xl
from docs_build import DOCS
from elo_xl.templates.gallery import TEMPLATES

CELLS: Final = re.compile(r"([A-Z])(\d)(?::([A-Z])(\d))?")
LINES: Final = [
    cells
    for line in (DOCS / "your-game.md").read_text(encoding="utf-8").splitlines()
    if len(cells := line.strip("| ").split(" | ")) == 5 and "`=ELO_" in cells[2]
]


def value_of(text: str) -> Any:
    with suppress(ValueError):
        return float(text)
    return text.strip('"') or None


def lines_of(text: str) -> list[list[Any]]:
    return [[value_of(cell) for cell in line.split(" · ")] for line in text.split(" / ")]


def argument_of(text: str, typed: list[list[Any]]) -> Any:
    """What stands in a formula, of the cells that are typed."""
    if not (found := CELLS.fullmatch(text)):
        return value_of(text)
    column, row, last, end = found.groups()
    rows = typed[int(row) - 1 : int(end or row)]
    block = [line[ord(column) - 65 : ord(last or column) - 64] for line in rows]
    return block if last else block[0][0]


def written(value: Any, like: str) -> str:
    """A value with as many digits as the page has."""
    return f"{value:.{len(like.partition('.')[2])}f}" if isinstance(value, float) else str(value)


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[0])
def test_a_game_gives_what_its_line_says(line: list[str]) -> None:
    _, typed, formula, gives, book = line
    name, _, arguments = formula.strip("`=)").partition("(")
    cells = [argument_of(each, lines_of(typed)) for each in arguments.split(",")]
    told = elo_xl.worksheet(name, *cells)
    shown = [row.split(" · ") for row in gives.split(" / ")]
    rows = told if isinstance(told, list) else [[told]]
    assert shown == [list(map(written, *pair)) for pair in zip(rows, shown, strict=True)]
    assert book == "–" or book in TEMPLATES


def test_the_page_has_games() -> None:
    assert len(LINES) > 12
