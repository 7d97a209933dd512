"""Draw the pictures of the workbooks: ``make pictures``.

LibreOffice prints every sample, so a picture shows what comes out of a printer; the middle of a
page's footer tells which sheet it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pypdfium2
from PIL import Image, ImageChops, ImageOps

from docs_build import DOCS
from docs_build.gallery_part import FOLDER, SHOWN, sheet_name
from elo_xl.templates import gallery
from tests.support.calc import Calc, find_soffice

DPI: Final = 100
MARGIN: Final = 12
FOOTER: Final = 40
"""in points"""
COLOURS: Final = 64
"""Few enough for small files; the sheets are flat."""


def main(folder: Path) -> None:
    """Write ``TEMPLATE-SHEET.png`` for all that the pages show, and take out what they do not."""
    folder.mkdir(parents=True, exist_ok=True)
    for left_over in folder.glob("*.png"):
        left_over.unlink()
    with TemporaryDirectory() as home:
        books = []
        for template in SHOWN:
            options = gallery.options(template)
            books.append(Path(home, f"{template}.xlsx"))
            books[-1].write_bytes(
                gallery.make(template, options, gallery.sample(template, options))
            )
        printed = Calc(find_soffice(), Path(home), limit=300).convert_all(books, "pdf")
        for template, pdf in zip(SHOWN, printed, strict=True):
            for key, picture in pictures(template, pdf):
                picture.save(folder / f"{template}-{key}.png", optimize=True)


def pictures(template: str, pdf: Path) -> Iterator[tuple[str, Image.Image]]:
    """The first page of each sheet that is shown."""
    pages = list(pypdfium2.PdfDocument(pdf))
    for key in SHOWN[template]:
        page = next((page for page in pages if _sheet(page) == sheet_name(template, key)), None)
        if page is None:
            raise LookupError(f"no page is the sheet {key} of {template}")
        yield key, _trimmed(page.render(scale=DPI / 72).to_pil())


def _sheet(page: pypdfium2.PdfPage) -> str:
    third = page.get_width() / 3
    middle = page.get_textpage().get_text_bounded(left=third, right=2 * third, top=FOOTER)
    return str(middle).strip()


def _trimmed(picture: Image.Image) -> Image.Image:
    """Without the footer and the white around what is printed."""
    height = picture.height - FOOTER * DPI // 72
    plain = picture.convert("RGB").crop((0, 0, picture.width, height))
    printed = ImageChops.invert(plain).getbbox()
    return ImageOps.expand(plain.crop(printed), MARGIN, "white").quantize(COLOURS)


if __name__ == "__main__":
    main(DOCS / FOLDER)
