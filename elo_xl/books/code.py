"""The QR code of a published page: on sheets for the wall, and on the page itself."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Final, Self

from openpyxl.drawing.image import Image
from openpyxl.drawing.spreadsheet_drawing import AnchorMarker, OneCellAnchor
from openpyxl.drawing.xdr import XDRPositiveSize2D

SIDE: Final = 76
"""Of the picture on a sheet, in pixels: two centimetres, which a telephone reads from as far as an
arm reaches."""
ROOM: Final = 60.0
"""Height of the row that it stands in, in points."""

_PIXEL: Final = 9525
"""of the unit of drawings"""


def svg(address: str) -> str:
    """The code as an element of a page.

    >>> svg("https://club.example/list.html")[:5]
    '<svg '
    """
    import segno

    return segno.make(address, micro=False).svg_inline(omitsize=True, light="#fff", dark="#000")


class Picture(Image):
    """The code as openpyxl puts it into a file, which for other pictures asks for Pillow."""

    def __init__(self, address: str, anchor: OneCellAnchor) -> None:
        self.address, self.anchor, self.format = address, anchor, "png"

    def _data(self) -> bytes:
        import segno

        file = io.BytesIO()
        segno.make(self.address, micro=False).save(file, kind="png", scale=8)
        return file.getvalue()

    @classmethod
    def at_the_right(cls, address: str, widths: Sequence[int]) -> Self:
        """The code in the first row, its right edge at that of columns so many pixels wide."""
        left = max(sum(widths) - SIDE, 0)
        column = 0
        while column < len(widths) and left >= widths[column]:
            left -= widths[column]
            column += 1
        marker = AnchorMarker(col=column, colOff=left * _PIXEL, row=0, rowOff=_PIXEL)
        size = XDRPositiveSize2D(SIDE * _PIXEL, SIDE * _PIXEL)
        return cls(address, OneCellAnchor(_from=marker, ext=size))
