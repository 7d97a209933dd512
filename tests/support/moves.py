"""What people do to typed cells in an open book, done in a real LibreOffice: cut and paste, drag,
sort, delete, insert, clear, paste over, type again.

``Hands(calc, home).try_out(book, sequences)`` opens the book twice. In the one the sequences are
done; into the other the entries that the first one ends up with are typed, cell by cell. What
differs then, formulas that point elsewhere and cells that cannot be typed into any more are told.
"""

import json
import os
import random
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Timer
from types import TracebackType
from typing import Any, Self

from elo_xl.books.book import Book, Options
from elo_xl.books.model import Constant, Table
from elo_xl.books.names import INPUT
from elo_xl.templates.gallery import TEMPLATES
from elo_xl.xlsx.formula import walk
from tests.support.calc import Calc, CalcError
from tests.support.libreoffice_host import office_of

SCRIPT = Path(__file__).with_name("office_hands.py")
WIDE = 99
"""More columns than can be typed into side by side."""
LIMIT = 240
"""Seconds that a book may take."""

Spot = tuple[str, int, int]
"""Title of a sheet, row, column; rows and columns count from 1."""

Step = dict[str, Any]
"""What is done, and where: a sheet, row, column, rows and columns."""


def typed_cells(book: Book) -> dict[Spot, Constant]:
    """The cells that are typed into, with what they hold, as the book declares them."""
    found: dict[Spot, Constant] = {}
    for sheet in book.sheets.values():
        for table in sheet.tables:
            for row, key in _typed_in(table):
                spot = sheet.title, table.first + row, table.at[key]
                found[spot] = table.data.get(row, {}).get(key)
        for (row, column), put in sheet.puts.items():
            if put.look.role == "input":
                found[sheet.title, row, column] = put.value  # type: ignore[assignment]
    return found


def _typed_in(table: Table) -> Iterator[tuple[int, str]]:
    for line in table.lines:
        for key in line.keys:
            if line.formula is None and table.columns[key].look.role == "input":
                yield from ((row, key) for row in range(table.rows))
            elif line.formula is not None and INPUT in walk(line.formula):
                names = table.sheet.names_at(table)
                for row in range(table.rows):
                    if names.resolve(line.formula, row) == INPUT:
                        yield row, key


def typed_afresh(template: str, options: Options, entries: Mapping[Spot, Constant]) -> Book:
    """The finished book of a template with entries in its cells, wherever they stand."""
    book = Book(template, options)
    TEMPLATES[template].module.build(book)
    for sheet in book.sheets.values():
        for table in sheet.tables:
            own: dict[int, dict[str, Constant]] = {
                row: dict(cells) for row, cells in table.data.items()
            }
            for row, key in _typed_in(table):
                spot = sheet.title, table.first + row, table.at[key]
                own.setdefault(row, {})[key] = entries.get(spot)
            table.data = own
        for (row, column), put in sheet.puts.items():
            if put.look.role == "input":
                put.value = entries.get((sheet.title, row, column))
    book.finish()
    return book


class Sequences:
    """Sequences of steps, drawn by chance from a book's typed cells."""

    def __init__(self, book: Book, seed: str) -> None:
        self.chance = random.Random(seed)
        self.spots = typed_cells(book)
        self.filled = [spot for spot, value in self.spots.items() if value is not None]

    def all(self) -> dict[str, list[Step]]:
        """Everything that people do, by what it is."""
        one, block, row = (1, 1), (3, 2), (1, WIDE)
        return {
            "cut a cell": [self._move("cut", one), self._move("cut", one)],
            "cut a cell to anywhere": [self._move("cut", one, afar=True)],
            "cut a block": [self._move("cut", block), self._move("cut", block)],
            "cut a row": [self._move("cut", row)],
            "drag": [self._move("drag", size) for size in (one, block, row)],
            "sort": self._sorts(),
            "delete cells": [self._there("delete", (2, 1)), self._there("delete", row)],
            "insert cells": [self._there("insert", (2, 1)), self._there("insert", row)],
            "clear": [self._there("clear", block), self._there("clear", one)],
            "paste over": [self._paste(block), self._paste(one)],
        }

    def _move(self, what: str, size: tuple[int, int], *, afar: bool = False) -> Step:
        sheet, row, column, rows, columns = self._block(size)
        while not (places := self._places(sheet, row, column, rows, columns)):
            rows, columns = max(rows - 1, 1), max(columns - 1, 1)
        near = [spot for spot in places if spot[0] == sheet and spot[2] == column]
        beside = [spot for spot in places if spot[0] == sheet]
        to = self.chance.choice(places if afar else near or beside or places)
        return {"what": what, "at": [sheet, row, column, rows, columns], "to": list(to)}

    def _there(self, what: str, size: tuple[int, int]) -> Step:
        return {"what": what, "at": self._block(size)}

    def _sorts(self) -> list[Step]:
        """A block up and down by one of its columns that has different entries, if there is one."""
        for _ in range(99):
            block = self._block((8, WIDE))
            sheet, row, column, rows, columns = block
            by = self.chance.randrange(columns)
            if len({self.spots[sheet, row + i, column + by] for i in range(rows)} - {None}) > 1:
                return [{"what": "sort", "at": block, "by": by, "up": up} for up in (True, False)]
        return []

    def _paste(self, size: tuple[int, int]) -> Step:
        """Texts as they come from elsewhere: those of the block's own columns, in another order."""
        sheet, row, column, rows, columns = self._block(size)
        values = [[""] * columns for _ in range(rows)]
        for j in range(columns):
            there = [
                str(value)
                for (title, _, at), value in self.spots.items()
                if title == sheet and at == column + j and value is not None
            ]
            for i in range(rows):
                now = str(self.spots[sheet, row + i, column + j])
                values[i][j] = self.chance.choice([t for t in there if t != now] or ["1"])
        return {"what": "paste", "at": [sheet, row, column, rows, columns], "values": values}

    def _block(self, size: tuple[int, int]) -> list[Any]:
        """Typed cells that begin with a filled one, as large as asked for or as there is room; a
        row begins at its first typed cell."""
        sheet, row, column = self.chance.choice(self.filled)
        if size[1] == WIDE:
            while (sheet, row, column - 1) in self.spots:
                column -= 1
        columns = rows = 1
        while columns < size[1] and (sheet, row, column + columns) in self.spots:
            columns += 1
        while rows < size[0] and self._typed(sheet, row, column, rows + 1, columns):
            rows += 1
        return [sheet, row, column, rows, columns]

    def _places(self, sheet: str, row: int, column: int, rows: int, columns: int) -> list[Spot]:
        """Where a block can go."""
        return [
            spot
            for spot in self.spots
            if spot != (sheet, row, column) and self._typed(*spot, rows, columns)
        ]

    def _typed(self, sheet: str, row: int, column: int, rows: int, columns: int) -> bool:
        return all(
            (sheet, row + i, column + j) in self.spots for i in range(rows) for j in range(columns)
        )


class Hands:
    """A running LibreOffice in which books are tried out, one after the other."""

    def __init__(self, calc: Calc, home: Path) -> None:
        self.home = home
        own = Calc(calc.soffice, home)
        settings = own.profile / "user" / "registrymodifications.xcu"
        told = settings.read_text(encoding="utf-8")
        # a question before a paste over something would wait for an answer
        asked = (
            '<item oor:path="/org.openoffice.Office.Calc/Input"><prop oor:name='
            '"ReplaceCellsWarning" oor:op="fuse"><value>false</value></prop></item>'
        )
        settings.write_text(told.replace("</oor:items>", asked + "</oor:items>"), encoding="utf-8")
        office = office_of(calc.soffice)
        modules = [office.programs, office.programs.parents[1] / "python3" / "dist-packages"]
        self.process = subprocess.Popen(
            [office.python, SCRIPT, calc.soffice, own.profile.as_uri()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=own.environment() | {"PYTHONPATH": os.pathsep.join(map(str, modules))},
            process_group=0,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the LibreOffice, whatever it is doing."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(10)
        self._kill()  # a LibreOffice whose script broke off, too
        self.process.wait()
        self.process.stdout.close()

    def _kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def try_out(self, book: Book, sequences: Sequence[Sequence[Step]]) -> dict[str, Any]:
        """Do the sequences in a book; after each, compare with its entries typed afresh.

        For each, ``found`` says which steps changed something, ``done``, and nothing else unless
        something is wrong. ``entries`` and ``values`` are those at the end, by place.
        """
        return self._ask(book, {"typed": list(typed_cells(book)), "sequences": list(sequences)})

    def after(self, book: Book, steps: Sequence[Step]) -> list[dict[Spot, Any]]:
        """The values of a book after each of some steps, done in the book as it was."""
        answer = self._ask(book, {"steps": list(steps)})
        return [{tuple(spot): value for spot, value in each} for each in answer["values"]]

    def _ask(self, book: Book, request: dict[str, Any]) -> dict[str, Any]:
        content = book.file()
        paths = {name: self.home / f"{name}.xlsx" for name in ("moved", "fresh")}
        for path in paths.values():
            path.write_bytes(content)
        request = {name: path.as_uri() for name, path in paths.items()} | request
        assert self.process.stdin
        assert self.process.stdout
        timer = Timer(LIMIT, self._kill)
        timer.start()
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        finally:
            timer.cancel()
        if not line:
            raise CalcError(f"LibreOffice did not come to an end with {book.template}")
        answer: dict[str, Any] = json.loads(line)
        if "broken" in answer:
            raise CalcError(f"LibreOffice broke off with {book.template}: {answer['broken']}")
        return answer
