"""A workbook in the making: sheets of tables and cells, written once as formulas in names.

A book is declared first and written afterwards: :meth:`Book.read` takes blocks in the language of
:mod:`elo_xl.books`, :class:`Sheet` and :class:`Table` take from Python what needs
loops. :meth:`Book.finish` puts addresses in the place of names and works out every cell once: a
cell's cached value is what its formula gives.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence, Set
from datetime import date
from functools import cached_property
from textwrap import dedent
from typing import TYPE_CHECKING, cast

from elo_xl.books.language import StatementReader
from elo_xl.books.model import (
    Cells,
    Constant,
    Content,
    Declared,
    Formula,
    Options,
    Row,
    Rows,
    Sheet,
    Table,
)
from elo_xl.books.names import Meaning
from elo_xl.books.statements import BookError, statements, with_places
from elo_xl.books.working_out import Sheets, values, worked_out
from elo_xl.engine.rulebooks import rulebook
from elo_xl.functions.cells import without_garbage_collection
from elo_xl.languages import ENGLISH, LANGUAGES
from elo_xl.xlsx.cell_xml import CellValue
from elo_xl.xlsx.cells import Place
from elo_xl.xlsx.fill import column_letters
from elo_xl.xlsx.formula import Text
from elo_xl.xlsx.opc import Parts, zipped

if TYPE_CHECKING:
    from openpyxl import Workbook


def usual_names(options: Options) -> dict[str, Meaning]:
    """The names that all texts may use: ``size``, the number of players; the number formats of
    ratings, ``new_format`` and ``performance_format``; ``model``, the curve of expected scores for
    formulas that take no table; ``language``; and ``chance_format``, which calls no chance zero."""
    rules = rulebook(options.rules or "fide")
    number = LANGUAGES[options.language or ENGLISH].number("0.1")
    little = "".join(f"\\{letter}" for letter in f"<{number}%")
    return {
        "size": options.players,
        "new_format": "0" if rules.rounding.whole else "0.0",
        "performance_format": "0" if rules.performance == "fide" else "0.0",
        "model": Text("logistic" if rules.expected.model == "logistic" else "normal"),
        "language": Text(options.language),
        "chance_format": f"[<0.0005]{little};0.0%",
    }


class Book(Declared):
    """A workbook with its language, rulebook and flavour, and what is typed into it."""

    add: Callable[[Book, Workbook], Mapping[tuple[str, str], CellValue]] | None = None
    """what puts into its file what people have added to an older one, and gives the values of
    their formulas"""

    def read(
        self, text: str, where: str | None = None, /, **given: Meaning | Sequence[int | str] | Rows
    ) -> None:
        """Declare what a text in the language of :mod:`elo_xl.books` says.

        A value is given to the name that formulas, sizes and ``{places}`` use, besides those of
        :attr:`usual_names`; lines of text may have places themselves. Several values are given to
        the loop through which ``each r`` and the columns with ``{r}`` in their keys go, rows of
        constants to the table that holds them.
        Errors call the text ``where``; by default that is the name of the template.

        Raises BookError, *what is wrong @ where*, for a text that describes no book.
        """
        names, loops = self.usual_names, dict[str, Sequence[int | str]]()
        for name, value in given.items():
            if isinstance(value, str):
                names[name] = dedent(value).strip("\n")
            elif isinstance(value, Mapping) or (
                isinstance(value, Sequence) and any(isinstance(each, Mapping) for each in value)
            ):
                self.data[name] = cast("Rows", value)
            elif not isinstance(value, Sequence):
                names[name] = value
            else:
                loops[name] = cast("Sequence[int | str]", value)
        text = with_places(with_places(text, names), names)
        declared = statements(text, where or self.template)
        StatementReader(self, loops, names).declare(declared)
        for name in self.data.keys() & given.keys():
            if name not in self.tables:
                raise BookError(f"rows are given, but no table is named {name!r}")

    @property
    def usual_names(self) -> dict[str, Meaning]:
        """The names that all texts of a template may use, see :func:`usual_names`."""
        return usual_names(self.options)

    @cached_property
    def _held(self) -> Sheets:
        with without_garbage_collection():
            return worked_out(self)

    def finish(self) -> None:
        """Work out every cell; nothing can be declared any more."""
        self._held  # noqa: B018

    @cached_property
    def values(self) -> dict[tuple[str, str], CellValue]:
        """What all formulas give, by the titles of sheets and the names of cells."""
        return {
            (sheet.title, f"{column_letters(column)}{row}"): value
            for sheet in self.sheets.values()
            for (row, column), value in self.shown(sheet.title).items()
        }

    def shown(self, title: str) -> dict[Place, CellValue]:
        """What the formulas of a sheet give, by row and column."""
        self.finish()
        return values(self, title)

    def filled_places(self, title: str) -> Set[Place]:
        """The cells of a sheet that are the book's."""
        return self._held[title].keys()

    @cached_property
    def workbook(self) -> Workbook:
        """The finished workbook, read again: addresses in the place of names."""
        from openpyxl import load_workbook

        return load_workbook(io.BytesIO(zipped(self._parts())))

    def file(self, dated: date | None = None) -> bytes:
        """The finished file, with what the flavour needs in it; ``dated`` is the day it carries."""
        with without_garbage_collection():
            return self.flavour.finish(zipped(self._parts(dated)))

    def _parts(self, dated: date | None = None) -> Parts:
        from elo_xl.books import writing
        from elo_xl.xlsx.package import parts_of

        made = writing.written(self, self._held)
        values = made.values
        if self.add is not None:
            values = {**values, **self.add(self, made.file)}
        parts = parts_of(made.file, values, made.below, dated=dated, unflagged=True)
        return parts | writing.described(parts, self)


__all__ = [
    "Book",
    "BookError",
    "Cells",
    "Constant",
    "Content",
    "Formula",
    "Meaning",
    "Options",
    "Row",
    "Sheet",
    "Table",
]
