"""A workbook in the making: sheets of tables and cells, written once as formulas in names.

A book is declared first and written afterwards: :meth:`Book.read` takes blocks in the language of
:mod:`elo_xl.books`, :class:`Sheet` and :class:`Table` take from Python what needs
loops. :meth:`Book.finish` puts addresses in the place of names and works out every cell once: a
cell's cached value is what its formula gives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cached_property

from openpyxl import Workbook

from elo_xl.books import writing
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
from elo_xl.books.reading import Reader
from elo_xl.books.statements import BookError, statements, with_places
from elo_xl.xlsx.opc import zipped
from elo_xl.xlsx.package import parts_of


class Book(Declared):
    """A workbook with its language, rulebook and flavour, and what is typed into it."""

    def read(
        self,
        text: str,
        where: str | None = None,
        *,
        loops: Mapping[str, Sequence[int | str]] | None = None,
        data: Mapping[str, Rows] | None = None,
        **names: Meaning,
    ) -> None:
        """Declare what a text says.

        ``names`` are those that its formulas and sizes use; ``data`` holds by table the rows that
        stand there for good; ``where`` is what an error calls the text.

        Raises BookError: what is wrong @ where.
        """
        self.data.update(data or {})
        declared = statements(with_places(text, names), where or self.template)
        Reader(self, loops or {}, names).declare(declared)

    @cached_property
    def workbook(self) -> Workbook:
        """The finished workbook: addresses in the place of names, and every cell worked out."""
        return writing.workbook(self)

    def finish(self) -> None:
        """Work out every cell; nothing can be declared any more."""
        self.workbook  # noqa: B018

    def file(self, dated: date | None = None) -> bytes:
        """The finished file, with what the flavour needs in it; ``dated`` is the day it carries."""
        parts = parts_of(self.workbook, self.values, dated=dated)
        return self.flavour.finish(zipped(parts | writing.described(parts, self)))


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
