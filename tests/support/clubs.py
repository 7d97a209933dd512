"""Books of clubs in tests: made, worked on by the commands, and read by openpyxl."""

import io
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import openpyxl

from elo_xl.club.ledger import Ledger
from elo_xl.templates.gallery import make, options
from elo_xl.xlsx.edit import edited
from elo_xl.xlsx.in_place import read_parts, with_parts

FOUR: list[dict[str, Any]] = [
    {"name": "Aubert, Ada", "id": "7", "birth": 1990, "standard": 1800, "standard_games": 50},
    {"name": "Blanco, Bo", "birth": 1991, "standard": 1700, "standard_games": 50},
    {"name": "Costa, Cy", "birth": 1992, "standard": 1650, "standard_games": 50, "blitz": 1500},
    {"name": "Duarte, Di", "birth": 1993},
]


def rows(path: Path, sheet: str) -> list[dict[str, Any]]:
    """The lines of a sheet by its headings, read by openpyxl."""
    workbook = _read(path.read_bytes())
    cells = [list(row) for row in workbook[sheet].iter_rows(values_only=True)]
    top = next(i for i, row in enumerate(cells) if row[0] == "No.")
    heads = [str(head) for head in cells[top]]
    found = [dict(zip(heads, row, strict=True)) for row in cells[top + 1 :]]
    return [row for row in found if any(v is not None for k, v in row.items() if k in heads[1:-2]
            and not str(v).startswith("="))]  # fmt: skip


@lru_cache(maxsize=1)
def _read(file: bytes) -> openpyxl.Workbook:
    return openpyxl.load_workbook(io.BytesIO(file))


def club(path: Path, members: list[dict[str, Any]], **chosen: Any) -> Path:
    """A book with members."""
    chosen = {"players": 16, "rounds": 24} | chosen
    path.write_bytes(make("club", options("club", **chosen), {"Members": members}))
    return path


def games_file(folder: Path, *games: str, name: str = "games.csv") -> Path:
    """A file with games, such as ``A;B;1-0``."""
    path = folder / name
    path.write_text("\n".join(("White;Black;Result", *games)), "utf-8")
    return path


def typed(book: Path, table: str, cells: Mapping[tuple[int, str], Any]) -> None:
    """Type into lines of a table, counted from 1, as somebody with a spreadsheet program does."""
    file = book.read_bytes()
    there = Ledger(file).entries.tables[table]
    values = {there.place(row, column): value for (row, column), value in cells.items()}
    book.write_bytes(with_parts(file, edited(read_parts(file), {there.title: values})))
