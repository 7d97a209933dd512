"""A workbook that is open in Excel on Windows: read whole, and single cells written, by xlwings.

What is read is the copy that Excel itself saves (``SaveCopyAs``): the workbook as it is on the
screen, saved or not, in the form that all readers of files know. What is written are values, in
blocks, and each block is read back. If anything fails, the cells are what they were.

Excel answers nobody while a cell is being edited or a dialog is open; it is asked for some seconds.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple, TypeVar

from elo_xl.error_values import EXCEL_NUMBERS
from elo_xl.hosts.excel_addin.windows import ON_WINDOWS, Com, lacks_xlwings
from elo_xl.xlsx.cells import Place
from elo_xl.xlsx.fill import column_letters

PATIENCE: Final = 10.0
"""Seconds for which Excel is asked again while it answers nobody."""

ELSEWHERE: Final = (
    "this needs Excel on Windows: close the book in Excel, then run the command without --live"
)

_BUSY: Final = {-2147418111, -2147417846, -2146777998}
"""COM's numbers for: rejected by the callee, retry later, and what Excel says to a caller that sets
something while a cell is being edited."""
_COM_ERRORS: Final = {number - 2146828288: text for text, number in EXCEL_NUMBERS.items()}
_PLAIN_TEXT: Final = re.compile(r"[^\W\d_][^\d]*")
"""What Excel takes for nothing but a text in a cell of any format: no digit, and no sign first."""
_SIGN: Final = "'"
"""Before a text it tells Excel that it is one, and is not part of it."""

LiveValue = float | str | bool | None
"""What a cell is to hold; a date is the number that its cell holds."""


class _Error(str):
    """An error that somebody has typed, unlike a text that reads the same."""

    __slots__ = ()


T = TypeVar("T")

Ask = Callable[..., Com]
"""What calls a function until Excel answers."""


class ExcelError(Exception):
    """Excel cannot be reached, or refuses; the message says what helps."""


class HalfWrittenError(ExcelError):
    """Some cells were written, and could not be taken back."""


class Block(NamedTuple):
    """Cells that are written at once: the place of the first one, and rows of values."""

    row: int
    column: int
    rows: list[list[LiveValue]]


def blocks(values: Mapping[Place, LiveValue]) -> list[Block]:
    """Single cells as few rectangles.

    >>> blocks({(1, 1): "a", (1, 2): "b", (2, 1): "c", (2, 2): "d", (2, 4): 5})
    [Block(row=1, column=1, rows=[['a', 'b'], ['c', 'd']]), Block(row=2, column=4, rows=[[5]])]
    """
    rectangles: list[Block] = []
    last: dict[tuple[int, int], Block] = {}
    """of the row above, by their first column and width"""
    at, runs = 0, list[Block]()
    for (row, column), value in [*sorted(values.items()), ((0, 0), None)]:
        run = runs[-1] if runs else None
        if run is not None and (row, column) == (run.row, run.column + len(run.rows[0])):
            run.rows[0].append(value)
            continue
        if row != at:
            above, last = last, {}
            for run in runs:
                shape = run.column, len(run.rows[0])
                block = above.get(shape)
                if block is not None and block.row + len(block.rows) == run.row:
                    block.rows.append(run.rows[0])
                else:
                    rectangles.append(block := run)
                last[shape] = block
            at, runs = row, []
        runs.append(Block(row, column, [[value]]))
    return rectangles


def _excel() -> Com:
    """Xlwings, if it has found its part for Windows."""
    try:
        import xlwings
    except ImportError:
        raise ExcelError(lacks_xlwings() if ON_WINDOWS else ELSEWHERE) from None
    if not hasattr(xlwings, "_xlwindows"):
        raise ExcelError(ELSEWHERE)
    import atexit

    # At the end it would end every Excel that shows no workbook, even if others have started it.
    atexit.unregister(xlwings._xlwindows.cleanup)
    return xlwings


class OpenBook:
    """A workbook that is open in Excel.

    ``path`` is where its file lies, which Excel does not tell of one in a cloud.
    """

    def __init__(self, book: Com, path: Path) -> None:
        self._xlwings = _excel()
        self._book, self.path = book, path

    # -- found ------------------------------------------------------------------------------

    @classmethod
    def at(cls, path: Path) -> OpenBook:
        """The workbook of a file. Raises ExcelError where it is not open, or open twice."""
        xlwings = _excel()
        with _answering(xlwings) as ask:
            running, books, elsewhere = 0, list[Com](), list[str]()
            for app in ask(lambda: list(xlwings.apps)):
                running += 1
                for book in ask(lambda a: list(a.books), app):
                    name = ask(lambda b: str(b.name), book)
                    if os.path.normcase(name) != os.path.normcase(path.name):
                        continue
                    place = ask(_place, book)
                    if place is None or _same(place, path):
                        books.append(book)
                    else:
                        elsewhere.append(str(place))
        if len(books) > 1:
            raise ExcelError(f"{len(books)} Excels have it open: close it in all but one")
        if books:
            return cls(books[0], path)
        if not running:
            raise ExcelError("no Excel with a workbook runs: open it there first, or omit --live")
        others = f" (the {path.name} that is open is {' and '.join(elsewhere)})"
        raise ExcelError(
            "it is not open in Excel, or only in Protected View: open it there and click Enable "
            f"Editing, or omit --live{others if elsewhere else ''}"
        )

    @classmethod
    def calling(cls) -> OpenBook:
        """The workbook from which a macro calls Python."""
        xlwings = _excel()
        with _answering(xlwings) as ask:
            book = xlwings.Book.caller()
            place = ask(_place, book)
        if place is None or not place.is_absolute():
            raise ExcelError(
                "its file is not in a folder of this computer, where a dated copy could stand "
                "beside it: save it in one first"
            )
        return cls(book, place)

    # -- read -------------------------------------------------------------------------------

    def check(self) -> None:
        """Raise ExcelError for a workbook that Excel could not save."""
        with _answering(self._xlwings) as ask:
            if ask(lambda: bool(self._book.api.ReadOnly)):
                raise ExcelError(
                    "Excel has it open for reading only, because of its file, or because somebody "
                    "else has it open"
                )

    def copied(self) -> bytes:
        """The file that Excel would save now."""
        with (
            TemporaryDirectory(prefix="elo-xl-", ignore_cleanup_errors=True) as folder,
            _answering(self._xlwings) as ask,
        ):
            copy = Path(folder, self.path.name)
            ask(lambda: self._book.api.SaveCopyAs(str(copy)))
            return copy.read_bytes()

    def typed(self) -> dict[str, object]:
        """What stands in all cells, formulas as they are: it tells whether anybody has typed."""
        with _answering(self._xlwings) as ask:
            cells: dict[str, object] = {}
            for sheet in ask(lambda: list(self._book.sheets)):
                name, area = ask(lambda s: (s.name, s.used_range), sheet)
                cells[name] = ask(lambda a: (a.row, a.column, a.formula), area)
            return cells

    # -- written ----------------------------------------------------------------------------

    def write(self, cells: Mapping[str, Mapping[Place, LiveValue]]) -> None:
        """Write values, by sheet and place, all or none.

        Excel neither calculates nor runs macros of the workbook meanwhile. Raises ExcelError where
        it refuses one of them.
        """
        with _answering(self._xlwings) as ask, self._quiet(ask):
            done: list[tuple[_Target, Block]] = []
            try:
                for title, values in cells.items():
                    sheet = ask(lambda t: self._book.sheets[t], title)
                    for block in blocks(values):
                        target = _Target(sheet, title, block, ask)
                        done.append((target, block._replace(rows=target.read())))
                        target.write(block)
            except BaseException as wrong:
                self._take_back(done, wrong)
                raise

    def _take_back(self, done: Sequence[tuple[_Target, Block]], wrong: BaseException) -> None:
        try:
            for target, before in reversed(done):
                if target.read() == before.rows:
                    continue
                target.write(before._replace(rows=[list(map(_typed, r)) for r in before.rows]))
        except ExcelError as worse:
            raise HalfWrittenError(
                f"{wrong}, and some cells could not be taken back ({worse}): close the book "
                "without saving it, its file is as it was"
            ) from wrong

    @contextmanager
    def _quiet(self, ask: Ask) -> Iterator[None]:
        """Excel draws nothing, calculates nothing and runs no macros for a while."""
        app = ask(lambda: self._book.app)
        usual: dict[str, object] = {}
        left: list[str] = []
        wanted = {"screen_updating": False, "enable_events": False, "calculation": "manual"}
        try:
            for name, value in wanted.items():
                usual[name] = ask(getattr, app, name)
                ask(setattr, app, name, value)
            yield
        finally:
            for name, value in reversed(usual.items()):
                try:
                    ask(setattr, app, name, value)
                except ExcelError:
                    left.append(f"{name.replace('_', ' ')} is not {value} again")
        if left:
            raise ExcelError(
                f"all is written, but Excel does not answer any more: {', '.join(left)}; it is "
                "after Excel was started again"
            )


class _Target:
    """The cells of a sheet where a block goes."""

    def __init__(self, sheet: Com, title: str, block: Block, ask: Ask) -> None:
        self.sheet, self.title, self.asked = sheet, title, ask
        self.row, self.column = block.row, block.column
        last = block.row + len(block.rows) - 1, block.column + len(block.rows[0]) - 1
        self.cells = ask(sheet.range, (block.row, block.column), last)

    def where(self, row: int, column: int) -> str:
        return f"{self.title}!{column_letters(self.column + column)}{self.row + row}"

    def read(self) -> list[list[Com]]:
        """The values as they are held, dates as numbers; an error is a whole number."""
        values = self.asked(lambda: self.cells.api.Value2)
        return [list(row) for row in values] if isinstance(values, tuple) else [[values]]

    def write(self, block: Block) -> None:
        """Write a block and look at it; Excel takes some texts for something else."""
        texts = [self._are_texts(block, j) for j in range(len(block.rows[0]))]
        rows = [
            [_spelled(value, text) for value, text in zip(row, texts, strict=True)]
            for row in block.rows
        ]
        self._put(self.cells, rows, self.where(0, 0))
        for i, j in self._differing(block):
            # a text that Excel has read, or one that has kept its sign
            given, wanted = rows[i][j], block.rows[i][j]
            other = wanted if given != wanted else f"{_SIGN}{wanted}"
            at = self.row + i, self.column + j
            cell = self.asked(self.sheet.range, at)
            self._put(cell, [[other]], self.where(i, j))
        for i, j in self._differing(block):
            raise ExcelError(
                f"Excel does not hold {block.rows[i][j]!r} as it was written @ {self.where(i, j)}"
            )

    def _are_texts(self, block: Block, column: int) -> bool:
        """Whether all is text in the cells of a column, because that is their format."""
        if all(_certain(row[column]) for row in block.rows):
            return False
        first = block.row, block.column + column
        last = block.row + len(block.rows) - 1, block.column + column
        return bool(
            self.asked(lambda: self.sheet.range(first, last).number_format) == "@"
        )  # None where formats differ

    def _put(self, cells: Com, rows: list[list[LiveValue]], where: str) -> None:
        def put() -> None:
            cells.value = rows

        try:
            self.asked(put)
        except ExcelError as wrong:
            raise ExcelError(f"{wrong} @ {where}") from None

    def _differing(self, block: Block) -> list[tuple[int, int]]:
        return [
            (i, j)
            for i, (row, there) in enumerate(zip(block.rows, self.read(), strict=True))
            for j, (wanted, held) in enumerate(zip(row, there, strict=True))
            if not _holds(held, wanted)
        ]


def _certain(value: LiveValue) -> bool:
    """Whether Excel takes a value for what it is, whatever the format of the cell."""
    return not isinstance(value, str) or bool(_PLAIN_TEXT.fullmatch(value))


def _spelled(value: LiveValue, text: bool) -> LiveValue:
    """A value as Excel takes it for the same; ``text``: all is text in its cell.

    >>> [_spelled(value, False) for value in ("1-0", "=A1", "Ana", 1.0)]
    ["'1-0", "'=A1", 'Ana', 1.0]
    >>> [_spelled(value, True) for value in ("1-0", "=A1", "'t Hart, An")]
    ['1-0', '=A1', "''t Hart, An"]
    """
    if not isinstance(value, str) or isinstance(value, _Error):
        return value
    if text:
        return f"{_SIGN}{value}" if value.startswith(_SIGN) else value
    return value if _certain(value) else f"{_SIGN}{value}"


def _typed(value: Com) -> LiveValue:
    """What has been read from a cell as it is written again."""
    if isinstance(value, int) and not isinstance(value, bool):
        return _Error(_COM_ERRORS.get(value, "#VALUE!"))
    kept: LiveValue = value
    return kept


def _holds(held: Com, wanted: LiveValue) -> bool:
    """Whether a cell holds what was written; of a number, a cell of texts holds the text."""
    if wanted in (None, "") and not isinstance(wanted, bool):
        return held in (None, "") and not isinstance(held, bool)
    if isinstance(wanted, bool) or isinstance(held, bool):
        return held is wanted
    if isinstance(wanted, str):
        there = _typed(held)
        return there == wanted and isinstance(there, _Error) == isinstance(wanted, _Error)
    try:
        return abs(float(held) - float(wanted or 0)) <= 1e-14 * abs(wanted or 0)
    except (TypeError, ValueError):
        return False


def _place(book: Com) -> Path | None:
    """Where the file of a workbook lies; None for one in a cloud without a folder here."""
    name = str(book.api.FullName)
    if "://" not in name:
        return Path(name)
    try:
        return Path(book.fullname)
    except _excel().XlwingsError:
        return None


def _same(one: Path, other: Path) -> bool:
    return os.path.normcase(os.path.realpath(one)) == os.path.normcase(os.path.realpath(other))


@contextmanager
def _answering(xlwings: Com) -> Iterator[Ask]:
    """What asks Excel again while it is busy, which xlwings itself would do without end."""
    windows = xlwings._xlwindows
    usual, windows.N_COM_ATTEMPTS = windows.N_COM_ATTEMPTS, 1
    com_error = windows.pywintypes.com_error

    def ask(question: Callable[..., T], *about: object) -> T:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return question(*about)
            except windows.ExcelBusyError:
                pass
            except com_error as error:
                numbers, reason = _said(error)
                if _BUSY.isdisjoint(numbers):
                    raise ExcelError(
                        f"Excel refuses ({reason}): is the sheet or the book protected?"
                    ) from None
            if time.monotonic() > until:
                raise ExcelError(
                    "Excel does not answer: finish the cell that is being edited, close all "
                    "dialogs, then try again"
                )
            time.sleep(0.1)

    try:
        yield ask
    finally:
        windows.N_COM_ATTEMPTS = usual


def _said(error: Com) -> tuple[set[object], str]:
    """The numbers of a COM error, and its words."""
    padded: list[Com] = [*error.args, None, None, None]
    number, text, details, *_ = padded
    inner = details[5] if details else None
    return {number, inner}, str((details and details[2]) or text or number).strip()
