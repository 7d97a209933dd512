"""The hosts of the worksheet functions: one module or folder each, all made from the catalogue.

A host has one of three shapes. Its docstring says how it maps cells.

* A host inside a workbook is a module with ``put_into`` and ``take_out``: :mod:`.lambdas`,
  :mod:`.xlwings_lite` and :mod:`.addin_link`. They do not know each other: that a workbook has one
  of them at a time is the work of :mod:`elo_xl.books.flavours`.
* A host outside workbooks is a folder with a function ``build``, which writes the add-in into a
  folder on any computer, and an :class:`Installation`: :mod:`.excel_addin` and :mod:`.libreoffice`.
* :mod:`.javascript` is one script for several programs. Its modules ``sheets`` and ``office`` have
  a function ``build``, too; people paste or upload what it writes, so nothing is installed.
* :mod:`.sql` writes texts, too: what a database carries out where the games lie.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

FLAVOURS: Final = ("formulas", "lambda", "addin", "lite", "libreoffice")
"""How cells of a workbook that we write may call the functions: as formulas of built-in
functions, as LAMBDA names, as calls of the add-in for Excel, of xlwings Lite or of the add-in for
LibreOffice."""


PROBLEM: Final = "problem: "
"""How a line of a report begins that names something to be put right."""


class WorkbookHost(Protocol):
    """A host inside a workbook."""

    def put_into(self, workbook: bytes) -> bytes:
        """Add to a workbook all that calls of the functions need, unless it is there.

        Raises WorkbookError if the bytes are not a workbook.
        """

    def take_out(self, workbook: bytes) -> bytes:
        """Remove from a workbook what ``put_into`` added; calls of the functions become plain.

        Raises WorkbookError if the bytes are not a workbook.
        """


class Installation(Protocol):
    """A program on this computer into which the add-in can be installed.

    Each method reports line by line what it did or found; a line that begins with ``PROBLEM`` names
    what does not fit.
    """

    def install(self) -> Iterator[str]:
        """Build the add-in for this program and install it."""

    def uninstall(self) -> Iterator[str]:
        """Uninstall the add-in."""

    def status(self) -> Iterator[str]:
        """Report what is installed, and what does not fit."""
