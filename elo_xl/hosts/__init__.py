"""Where the worksheet functions live: one module or folder a host, all made from the catalogue.

A host is of one of two shapes. Its docstring says how cells map there.

* One inside a workbook is a module with ``put_into``: :mod:`.lambdas` and :mod:`.xlwings_lite`.
* One beside the workbooks is a folder with a function ``build``, which writes the add-in into a
  folder on any computer, and an :class:`Installation`: :mod:`.excel_addin` and :mod:`.libreoffice`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

FLAVOURS: Final = ("formulas", "lambda", "addin", "lite")
"""How the functions may stand in the cells of a workbook that we write: as formulas of built-in
functions, as LAMBDA names, as calls of an add-in or of xlwings Lite."""


class WorkbookHost(Protocol):
    """A host that lives in a workbook."""

    def put_into(self, workbook: bytes) -> bytes:
        """The workbook with all that calls of the functions need, so far as it has it not yet.

        Raises WorkbookError where the bytes are no workbook.
        """


class Installation(Protocol):
    """A program on this computer into which the add-in can be put.

    Each method says line by line what it did or found.
    """

    def install(self) -> Iterator[str]:
        """Build the add-in for this program and put it in."""

    def uninstall(self) -> Iterator[str]:
        """Take the add-in out again."""

    def status(self) -> Iterator[str]:
        """Say what is installed, and what does not fit."""
