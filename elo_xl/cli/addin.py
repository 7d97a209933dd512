"""``elo-xl addin``: the functions into Excel, LibreOffice, or a workbook by itself."""

from __future__ import annotations

import click


@click.group()
def addin() -> None:
    """Build and install the functions for Excel, xlwings Lite, LibreOffice, or as plain names."""
