"""What hands do in an open Calc, for :mod:`tests.support.moves`; runs in LibreOffice's own Python.

Started as ``python office_hands.py SOFFICE PROFILE``. Each line that comes in is a request in JSON,
each line that goes out its answer. Places are sheet, row, column; rows and columns count from 1.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
import traceback
from collections.abc import Iterable, Iterator
from contextlib import suppress
from os import getpid
from typing import Any

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException
from com.sun.star.lang import DisposedException
from com.sun.star.sheet.CellFlags import DATETIME, STRING, VALUE
from com.sun.star.table import TableSortField
from com.sun.star.table.CellContentType import EMPTY
from com.sun.star.uno import Exception as UnoException

Spot = tuple[str, int, int]

PATIENCE = 60
"""Seconds that LibreOffice has to start."""
ROOM = 5
"""Rows below what is used that inserted cells may push something into."""


def named(**values: Any) -> tuple[Any, ...]:
    """Properties as LibreOffice takes them."""
    made = []
    for name, value in values.items():
        each = PropertyValue()
        each.Name, each.Value = name, value
        made.append(each)
    return tuple(made)


class Office:
    """A LibreOffice that runs without a window and does what its menus do."""

    def __init__(self, soffice: str, profile: str) -> None:
        pipe = f"hands{getpid()}"
        self.process = subprocess.Popen(
            [
                soffice,
                f"-env:UserInstallation={profile}",
                "--headless",
                "--nodefault",
                "--nologo",
                "--norestore",
                f"--accept=pipe,name={pipe};urp;",
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext(
            "com.sun.star.bridge.UnoUrlResolver", local
        )
        end = time.monotonic() + PATIENCE
        while True:
            try:
                context = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
                break
            except NoConnectException:  # it is not there yet
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)
        make = context.ServiceManager.createInstanceWithContext
        self.desktop = make("com.sun.star.frame.Desktop", context)
        self.dispatcher = make("com.sun.star.frame.DispatchHelper", context)
        self.other = self.open("private:factory/scalc")

    def open(self, address: str) -> Any:
        return self.desktop.loadComponentFromURL(address, "_blank", 0, ())

    def choose(self, document: Any, cells: Any, command: str, **values: Any) -> None:
        """Select cells and take a command from the menu."""
        control = document.CurrentController
        control.setActiveSheet(cells.Spreadsheet)
        control.select(cells)
        self.dispatcher.executeDispatch(control.Frame, f".uno:{command}", "", 0, named(**values))

    def end(self) -> None:
        """End the LibreOffice."""
        with suppress(DisposedException):  # the connection ends with it
            self.desktop.terminate()
        self.process.wait(PATIENCE)


class Open:
    """An open book, and where one may type in it."""

    def __init__(self, office: Office, address: str, typed: list[Spot]) -> None:
        self.office, self.address, self.typed = office, address, typed
        self._open()

    def _open(self) -> None:
        self.document = self.office.open(self.address)
        self.ask_for_sheets()
        self.ends = {name: self._end(sheet) for name, sheet in self.sheets.items()}

    def ask_for_sheets(self) -> None:
        """Ask for all sheets at once, since each question to LibreOffice takes a millisecond.

        A sheet is a range, which follows what is deleted or inserted: then ask again.
        """
        self.sheets = {sheet.Name: sheet for sheet in self.document.Sheets}

    def _end(self, sheet: Any) -> tuple[int, int]:
        cursor = sheet.createCursor()
        cursor.gotoEndOfUsedArea(False)
        return cursor.RangeAddress.EndColumn, cursor.RangeAddress.EndRow + ROOM

    def used(self, name: str) -> Any:
        """The used cells of a sheet."""
        return self.sheets[name].getCellRangeByPosition(0, 0, *self.ends[name])

    def again(self) -> None:
        """Close the book and open its file anew."""
        self.document.close(True)
        self._open()

    def cells(self, sheet: str, row: int, column: int, rows: int = 1, columns: int = 1) -> Any:
        return self.sheets[sheet].getCellRangeByPosition(
            column - 1, row - 1, column + columns - 2, row + rows - 2
        )

    def cell(self, spot: Spot) -> Any:
        sheet, row, column = spot
        return self.sheets[sheet].getCellByPosition(column - 1, row - 1)

    def entries(self) -> dict[Spot, float | str]:
        """What is typed, by place: numbers and texts as they are held."""
        found: dict[Spot, Any] = {}
        for sheet in {spot[0] for spot in self.typed}:
            found |= placed(sheet, self.used(sheet).getDataArray())
        return {spot: found[spot] for spot in self.typed if found.get(spot, "") != ""}

    def type_afresh(self, entries: dict[Spot, float | str]) -> None:
        """Make the typed cells hold these entries and nothing else, each put in by itself."""
        now = self.entries()
        self.document.enableAutomaticCalculation(False)
        for spot in self.typed:
            new, old = entries.get(spot), now.get(spot)
            if new == old and type(new) is type(old):
                continue
            cell = self.cell(spot)
            if isinstance(new, str):
                cell.setString(new)
            elif new is None:
                cell.clearContents(VALUE | DATETIME | STRING)
            else:
                cell.setValue(new)
        self.document.enableAutomaticCalculation(True)

    def formulas(self) -> dict[Spot, str]:
        """The text of every formula; a text that looks like one begins with an apostrophe."""
        return {
            spot: text
            for name in self.sheets
            for spot, text in placed(name, self.used(name).getFormulaArray())
            if text.startswith("=")
        }

    def values(self) -> dict[Spot, object]:
        """The value of every cell; that of an error is its number."""
        found: dict[Spot, object] = {
            spot: value
            for name in self.sheets
            for spot, value in placed(name, self.used(name).getDataArray())
            if value != ""
        }
        for spot, value in found.items():
            if not isinstance(value, str | float):
                found[spot] = f"error {self.cell(spot).getError()}"
        return found

    def pointers(self) -> dict[str, str]:
        """What defined names and charts point at."""
        names = self.document.NamedRanges
        found = {f"name {name}": names.getByName(name).Content for name in names.ElementNames}
        for title, sheet in self.sheets.items():
            charts = sheet.Charts
            for name in charts.ElementNames:
                ends = [
                    (a.Sheet, a.StartRow, a.StartColumn, a.EndRow, a.EndColumn)
                    for a in charts.getByName(name).Ranges
                ]
                found[f"chart {name} of {title}"] = str(ends)
        return found

    def locked(self, spots: Iterable[Spot]) -> list[Spot]:
        """The cells that nobody can type into."""
        return [
            spot
            for spot in spots
            if self.sheets[spot[0]].isProtected() and self.cell(spot).CellProtection.IsLocked
        ]


def placed(sheet: str, rows: Any, top: int = 1, left: int = 1) -> Iterator[tuple[Spot, Any]]:
    """The cells of a range with their places."""
    for i, row in enumerate(rows, start=top):
        for j, value in enumerate(row, start=left):
            yield (sheet, i, j), value


class Hands:
    """Does one thing after the other in an open book."""

    def __init__(self, book: Open) -> None:
        self.book, self.office = book, book.office
        self.taken: dict[Spot, str] = {}
        """what was in the cells that were emptied"""

    def do(self, what: str, at: list[Any], **more: Any) -> bool:
        """Whether something changed, or nothing had to: a protected sheet refuses some things."""
        if what == "sort" and self._alike(self.book.cells(*at), more["by"]):
            return True
        before = self.book.used(at[0]).getFormulaArray()
        getattr(self, what)(self.book.cells(*at), **more)
        if what in ("delete", "insert", "insert_rows", "delete_rows"):
            self.book.ask_for_sheets()
        return bool(self.book.used(at[0]).getFormulaArray() != before)

    def cut(self, cells: Any, to: list[Any]) -> None:
        self._take(cells)
        self.office.choose(self.book.document, cells, "Cut")
        self.office.choose(self.book.document, self.book.cells(*to), "Paste")

    def drag(self, cells: Any, to: list[Any]) -> None:
        self._take(cells)
        target = self.book.cells(*to)
        target.Spreadsheet.moveRange(target.getCellByPosition(0, 0).CellAddress, cells.RangeAddress)

    def sort(self, cells: Any, by: int, up: bool) -> None:
        field = TableSortField()
        field.Field, field.IsAscending = by, up
        fields = uno.Any("[]com.sun.star.table.TableSortField", (field,))
        cells.sort(named(SortFields=fields, ContainsHeader=False, IsSortColumns=False))

    @staticmethod
    def _alike(cells: Any, by: int) -> bool:
        """Whether there is nothing to sort: what was done before may have left one entry only."""
        return len({row[by] for row in cells.getFormulaArray()} - {""}) < 2

    def delete(self, cells: Any) -> None:
        self.office.choose(self.book.document, cells, "DeleteCell", Flags="U")

    def insert(self, cells: Any) -> None:
        self.office.choose(self.book.document, cells, "InsertCell", Flags="V")

    def insert_rows(self, cells: Any) -> None:
        """Insert whole rows, with the protection taken off."""
        self._unprotected(cells).Rows.insertByIndex(cells.RangeAddress.StartRow, self._rows(cells))

    def delete_rows(self, cells: Any) -> None:
        """Delete whole rows, with the protection taken off."""
        self._unprotected(cells).Rows.removeByIndex(cells.RangeAddress.StartRow, self._rows(cells))

    @staticmethod
    def _unprotected(cells: Any) -> Any:
        cells.Spreadsheet.unprotect("")
        return cells.Spreadsheet

    @staticmethod
    def _rows(cells: Any) -> int:
        at = cells.RangeAddress
        return int(at.EndRow - at.StartRow + 1)

    def clear(self, cells: Any) -> None:
        self._take(cells)
        self.office.choose(self.book.document, cells, "ClearContents")

    def paste(self, cells: Any, values: list[list[str]]) -> None:
        """Paste texts that were copied from another workbook."""
        other = self.office.other
        source = other.Sheets.getByIndex(0).getCellRangeByPosition(
            0, 0, len(values[0]) - 1, len(values) - 1
        )
        source.setDataArray(tuple(map(tuple, values)))
        self.office.choose(other, source, "Copy")
        self.office.choose(self.book.document, cells, "Paste")

    def again(self) -> list[Spot]:
        """Type what was taken away into its cells again, by hand and as a macro would; the cells
        that did not take it."""
        refused = []
        for i, (spot, text) in enumerate(self.taken.items()):
            cell = self.book.cell(spot)
            if i % 2:
                cell.setFormula(text)
            else:
                self.office.choose(self.book.document, cell, "EnterString", StringName=text)
            if cell.Type == EMPTY:
                refused.append(spot)
        return refused

    def _take(self, cells: Any) -> None:
        at = cells.RangeAddress
        held = placed(
            cells.Spreadsheet.Name, cells.getFormulaArray(), at.StartRow + 1, at.StartColumn + 1
        )
        self.taken |= {spot: text for spot, text in held if text}


class Trial:
    """A book in which things are moved, beside one in which nothing is."""

    def __init__(self, office: Office, moved: str, fresh: str, typed: list[Spot]) -> None:
        self.book, self.fresh = Open(office, moved, typed), Open(office, fresh, typed)
        self.formulas, self.pointers = self.book.formulas(), self.book.pointers()

    def sequence(self, steps: list[dict[str, Any]]) -> dict[str, Any]:
        """Do all steps, then type again into what was emptied; say what is wrong after either."""
        hands = Hands(self.book)
        done = [hands.do(**step) for step in steps]
        found = self.wrong()
        found["locked"] = self.book.locked({spot for step in steps for spot in touched(step)})
        if hands.taken and not any(found.values()):
            untyped = hands.again()
            found = self.wrong() | {"untyped": untyped}
        if any(found.values()):
            self.book.again()  # so that the next finding is one of its own
        return {"done": done} | {what: which for what, which in found.items() if which}

    def wrong(self) -> dict[str, list[Any]]:
        """Formulas that read other cells than before, and values that differ from those of the
        book into which the same is typed: as they are shown, and when all is computed anew."""
        self.fresh.type_afresh(self.book.entries())
        expected = self.fresh.values()
        found = {"shown": differing(expected, self.book.values())}
        if found["shown"]:
            self.book.document.calculateAll()
            found["computed"] = differing(expected, self.book.values())
        found["formulas"] = differing(self.formulas, self.book.formulas())
        found["pointers"] = differing(self.pointers, self.book.pointers())
        return found

    def close(self) -> None:
        """Close both books."""
        self.book.document.close(True)
        self.fresh.document.close(True)


def answer(office: Office, request: dict[str, Any]) -> dict[str, Any]:
    """Try out the sequences of a request in its book; at the end tell all that it holds.

    Where it asks for values after steps, each of these is done in the book as it was.
    """
    if "steps" in request:
        return {"values": [after(office, request["moved"], step) for step in request["steps"]]}
    typed: list[Spot] = [(title, row, column) for title, row, column in request["typed"]]
    trial = Trial(office, request["moved"], request["fresh"], typed)
    found = [trial.sequence(steps) for steps in request["sequences"]]
    entries, values = trial.book.entries(), trial.book.values()
    trial.close()
    return {"found": found, "entries": [*entries.items()], "values": [*values.items()]}


def after(office: Office, address: str, step: dict[str, Any]) -> list[Any]:
    """The values of a book in which one thing was done."""
    book = Open(office, address, [])
    Hands(book).do(**step)
    values = [*book.values().items()]
    book.document.close(True)
    return values


def touched(step: dict[str, Any]) -> Iterator[Spot]:
    """The cells that a step empties or fills."""
    sheet, row, column, rows, columns = step["at"]
    corners = [(sheet, row, column)]
    if "to" in step:
        corners.append(tuple(step["to"]))
    for title, top, left in corners:
        for i in range(rows):
            for j in range(columns):
                yield title, top + i, left + j


def differing(expected: dict[Any, Any], found: dict[Any, Any]) -> list[list[Any]]:
    """Place, expected and found of what differs."""
    return [
        [at, expected.get(at), found.get(at)]
        for at in {**expected, **found}
        if expected.get(at) != found.get(at)
    ]


def main() -> None:
    """Answer requests until there are no more."""
    office = Office(*sys.argv[1:])
    for line in sys.stdin:
        try:
            told = answer(office, json.loads(line))
        except UnoException:
            told = {"broken": traceback.format_exc()}
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()
    office.end()


if __name__ == "__main__":
    main()
