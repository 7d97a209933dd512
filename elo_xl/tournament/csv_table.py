"""A CSV file as a table: its columns, by any of their names, its rows and its problems."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from elo_xl.tournament.event import Problem
from elo_xl.tournament.text import (
    Source,
    content,
    decode,
    file_name,
    lines,
    number,
    whole,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_DELIMITERS: Final = ";\t,"
_SEPARATOR_LINE: Final = re.compile(r"sep=([;,\t|])\s*", re.IGNORECASE)


@dataclass(slots=True)
class CsvRow:
    """One line of a file: its cells by column; a missing cell is empty."""

    line: int
    cells: dict[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")


class CsvTable:
    """A CSV file by the names of its columns, with its problems and warnings."""

    def __init__(self, source: Source, known: Mapping[str, str], name: str = "") -> None:
        self.name = file_name(source) or name
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []
        self.columns: dict[str, int] = {}
        self.headings: dict[str, str] = {}
        self.top: int | None = None
        self.rows: list[CsvRow] = []
        self.whole = True
        self._aliases = {alias: column for column in known for alias in known[column].split()}
        self._read(decode(content(source)))

    def problem(self, what: str, row: CsvRow | None = None, column: str = "") -> None:
        self.problems.append(self._at(what, row, column))

    def warn(self, what: str, row: CsvRow | None = None, column: str = "") -> None:
        self.warnings.append(self._at(what, row, column))

    def _at(self, what: str, row: CsvRow | None, column: str) -> Problem:
        place = self.columns.get(column)
        line = row.line if row else self.top
        return Problem(what, line, None if place is None else place + 1, self.name)

    def number(self, row: CsvRow, column: str) -> float | None:
        value = number(row[column])
        if value is None and row[column]:
            self.problem(f"{column} is not a number: {row[column]!r}", row, column)
        return value

    def count(self, row: CsvRow, column: str) -> int | None:
        value = whole(row[column])
        if value is None and row[column]:
            self.problem(f"{column} is not a whole number: {row[column]!r}", row, column)
        return value

    def require(self, *columns: str) -> None:
        if self.top is None:
            return
        for column in columns:
            if column not in self.columns:
                names = [alias for alias, known in self._aliases.items() if known == column]
                what = f"{column} player" if column in ("first", "second") else column
                self.problem(f"there is no column for the {what}: call it {' or '.join(names[:2])}")

    def _read(self, text: str) -> None:
        all_lines = lines(text)
        first = next((n for n, line in enumerate(all_lines) if line.strip(" ;,\t")), 0)
        delimiter = ""
        if match := _SEPARATOR_LINE.fullmatch(all_lines[first]):
            delimiter = match.group(1)
            first += 1
        for line, cells in self._cells(all_lines[first:], first, delimiter):
            if self.top is None:
                self.top = line
                self._head(cells)
            else:
                self._row(line, cells)
        if self.top is None and self.whole:
            self.problem("the file is empty")
            self.whole = False

    def _cells(
        self, rest: list[str], skipped: int, delimiter: str
    ) -> Iterator[tuple[int, list[str]]]:
        chosen = delimiter or self._delimiter(rest[0] if rest else "")
        reader = csv.reader(
            io.StringIO("\n".join(rest), newline="\n"), delimiter=chosen, strict=True
        )
        line = skipped + 1
        try:
            for cells in reader:
                stripped = [cell.strip() for cell in cells]
                if any(stripped):
                    yield line, stripped
                line = skipped + reader.line_num + 1
        except csv.Error as error:
            what = "a quote is not closed" if "end of data" in str(error) else str(error)
            self.problems.append(Problem(what, line, None, self.name))
            self.whole = False

    def _delimiter(self, head: str) -> str:
        """The delimiter under which most column names are known."""

        def known(delimiter: str) -> tuple[int, int]:
            cells = head.split(delimiter)
            return sum(plain(cell) in self._aliases for cell in cells), len(cells)

        return max(_DELIMITERS, key=known)

    def _head(self, cells: list[str]) -> None:
        for place, cell in enumerate(cells):
            column = self._aliases.get(plain(cell))
            if column is None:
                if cell:
                    self.warnings.append(
                        Problem(
                            f"unknown column {cell!r} is ignored", self.top, place + 1, self.name
                        )
                    )
            elif column in self.columns:
                what = f"there are two {column} columns: {self.headings[column]!r} and {cell!r}"
                self.problems.append(Problem(what, self.top, place + 1, self.name))
            else:
                self.columns[column] = place
                self.headings[column] = cell
        self.width = len(cells)

    def _row(self, line: int, cells: list[str]) -> None:
        surplus = next((n for n in range(self.width, len(cells)) if cells[n]), None)
        if surplus is not None:
            what = f"more cells than columns: {cells[surplus]!r}"
            self.problems.append(Problem(what, line, surplus + 1, self.name))
        known = {column: n for column, n in self.columns.items() if n < len(cells)}
        self.rows.append(CsvRow(line, {column: cells[n] for column, n in known.items()}))


def plain(heading: str) -> str:
    """The form in which headings are compared: lower-case letters and digits only."""
    return "".join(filter(str.isalnum, heading.casefold()))
