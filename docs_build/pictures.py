"""Draw the pictures of the workbooks and of a page on a phone: ``make pictures``.

LibreOffice prints every sample, so a picture shows what comes out of a printer; the middle of a
page's footer tells which sheet it is. The pages for organizers show small books of their own, in
the language of the page, one of them with mistakes. The page is Chromium's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, cast

import pypdfium2
from PIL import Image, ImageChops, ImageOps

from docs_build import DOCS
from docs_build.gallery_part import FOLDER, GUIDE, MISTAKEN, SHOWN, sheet_name
from elo_xl.books.model import Constant, Content
from elo_xl.languages import CODES
from elo_xl.publish.books import page_of
from elo_xl.publish.html import html
from elo_xl.questions.fit import fitted_book
from elo_xl.templates import gallery
from tests.support.browser import Browser, find_chromium
from tests.support.calc import Calc, find_soffice
from tests.support.findings import health_book, k_book, season_fitted

DPI: Final = 100
MARGIN: Final = 12
FOOTER: Final = 40
"""in points"""
PHONE: Final = (390, 780)
COLOURS: Final = 64
"""Few enough for small files; the sheets are flat."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A book, and which of its sheets are drawn where."""

    book: bytes
    sheets: dict[str, str]
    """the name of a picture, without its ending, by the title of the sheet"""


def main(folder: Path) -> None:
    """Write the pictures of all that the pages show, and take out what they do not."""
    for left_over in folder.rglob("*.png"):
        left_over.unlink()
    draw([*samples(), *guides(), *found()], folder)
    phone(folder)


def samples() -> Iterator[Shot]:
    """The sample of every template: ``TEMPLATE-SHEET``."""
    for template, keys in SHOWN.items():
        options = gallery.options(template)
        book = gallery.make(template, options, gallery.sample(template, options))
        yield Shot(book, {sheet_name(template, key): f"{template}-{key}" for key in keys})


def guides() -> Iterator[Shot]:
    """What the pages for organizers show: ``LANGUAGE/TEMPLATE-SHEET``."""
    for language in CODES:
        for template, (players, rounds, keys) in GUIDE.items():
            options = gallery.options(template, language=language, players=players, rounds=rounds)
            content = gallery.sample(template, options)
            if template == MISTAKEN:
                content = mistaken(content)
            titles = {sheet_name(template, key, language): key for key in keys}
            yield Shot(
                gallery.make(template, options, content),
                {title: f"{language}/{template}-{key}" for title, key in titles.items()},
            )


def found() -> Iterator[Shot]:
    """What the pages show of books of findings: ``FINDING-SHEET``."""
    check, fit = k_book(), fitted_book(season_fitted())
    yield Shot(check.file(), {"K check": "k-check-check", "Calibration": "k-check-calibration"})
    shown = {"Spread": "rating-health-health", "Drift": "rating-health-drift"}
    yield Shot(health_book().file(), shown)
    yield Shot(fit.file(), {"Chart": "fitted-chart", "Expected scores": "fitted-expected"})


def mistaken(content: Content) -> Content:
    """The sample of a rating period in which two games cannot be read."""
    games = [dict(game) for game in cast("list[dict[str, Constant]]", content["Games"])]
    games[1]["white"] = str(games[1]["white"]).replace(",", "")
    games[3]["result"] = "2"
    return {**content, "Games": games}


def draw(shots: list[Shot], folder: Path) -> None:
    """Print every book, and keep the first page of each sheet that is shown."""
    with TemporaryDirectory() as home:
        books = [Path(home, f"{i}.xlsx") for i in range(len(shots))]
        for path, shot in zip(books, shots, strict=True):
            path.write_bytes(shot.book)
        printed = Calc(find_soffice(), Path(home), limit=300).convert_all(books, "pdf")
        for pdf, shot in zip(printed, shots, strict=True):
            pages = list(pypdfium2.PdfDocument(pdf))
            for title, name in shot.sheets.items():
                page = next((page for page in pages if _sheet(page) == title), None)
                if page is None:
                    raise LookupError(f"no page for {name}: no sheet {title}")
                target = folder / f"{name}.png"
                target.parent.mkdir(parents=True, exist_ok=True)
                _trimmed(page.render(scale=DPI / 72).to_pil()).save(target, optimize=True)


def phone(folder: Path) -> None:
    """Draw pages as a phone shows them: the list of a club by day, a player's curve by night."""
    with TemporaryDirectory() as home, Browser(find_chromium(), Path(home, "profile")) as browser:
        for template, dark in (("club", False), ("rating-history", True)):
            options = gallery.options(template)
            book = gallery.make(template, options, gallery.sample(template, options))
            page = Path(home, "page.html")
            page.write_bytes(html(page_of(book)))
            browser.screen(*PHONE, dark=dark)
            browser.open(page)
            if dark:
                browser.click(".player")
            picture = Image.open(BytesIO(browser.picture())).convert("RGB")
            flat = picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE)
            flat.save(folder / f"phone-{template}.png", optimize=True)


def _sheet(page: pypdfium2.PdfPage) -> str:
    third = page.get_width() / 3
    middle = page.get_textpage().get_text_bounded(left=third, right=2 * third, top=FOOTER)
    return str(middle).strip()


def _trimmed(picture: Image.Image) -> Image.Image:
    """Without the footer and the white around what is printed."""
    height = picture.height - FOOTER * DPI // 72
    plain = picture.convert("RGB").crop((0, 0, picture.width, height))
    printed = ImageChops.invert(plain).getbbox()
    return ImageOps.expand(plain.crop(printed), MARGIN, "white").quantize(
        COLOURS, Image.Quantize.MAXCOVERAGE
    )


if __name__ == "__main__":
    main(DOCS / FOLDER)
