"""Draw the pictures of the workbooks and of a page on a phone: ``make pictures``.

``python -m docs_build.pictures --missing`` draws only those that are not there yet.

LibreOffice prints every sample, so a picture shows what comes out of a printer; the middle of a
page's footer tells which sheet it is. The pages for organizers show small books of their own, in
the language of the page, one of them with mistakes; *An evening at the club* follows one book from
picture to picture. Published pages are Chromium's.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, cast

import pypdfium2
from PIL import Image, ImageChops, ImageOps

from docs_build import DOCS, evening
from docs_build.gallery_part import FOLDER, GUIDE, MISTAKEN, sheet_name, shown_of
from elo_xl.books.book import Options
from elo_xl.books.model import Constant, Content
from elo_xl.languages import CODES
from elo_xl.publish.books import page_of
from elo_xl.publish.html import html
from elo_xl.publish.league import League
from elo_xl.publish.live import live_page
from elo_xl.questions.fit import fitted_book
from elo_xl.templates import gallery
from scripts.workbooks import held
from tests.support.browser import Browser, find_chromium
from tests.support.calc import Calc, find_soffice
from tests.support.findings import season_fitted

DPI: Final = 100
MARGIN: Final = 12
FOOTER: Final = 36
"""in points"""
GAP: Final = 8
"""in points, between what is shown and a word that is not"""
COLOURS: Final = 64
"""Few enough for small files; the sheets are flat."""
PHONE: Final = 390, 780
RESULT: Final = "result"
"""What the README shows: a list for the wall, below it a letter, and beside them a phone."""
RESULT_OF: Final = "rating-period-list", "evening/9-why", "phone-club"
LEAGUE: Final = "ladder"
RECORD: Final = "drawn.json"
"""says what the pictures were drawn from, so that tests can tell at a release"""


@dataclass(frozen=True, slots=True)
class Shot:
    """A book, and which of its sheets are drawn where."""

    book: Callable[[], bytes]
    sheets: dict[str, str]
    """the name of a picture, without its ending, by the title of the sheet"""
    left_of: str = ""
    """a word of the sheet: nothing is shown from there on"""


@dataclass(frozen=True, slots=True)
class Published:
    """A book, and where its page is drawn."""

    book: Callable[[], bytes]
    picture: str
    dark: bool = False
    """with the curve of the first player"""
    answers: Callable[[], str] | None = None
    """the games of the book as answers of a form: then the page is the one that rates them"""


def main(folder: Path, *, missing: bool = False) -> None:
    """Write the pictures of all that the pages show, and take out what they do not; ``missing``:
    those that are there stay as they are."""
    kept = names() if missing else set()
    told = {name: book for name, book in recorded(folder).items() if name in kept}
    for path in folder.rglob("*.png"):
        if path.relative_to(folder).with_suffix("").as_posix() not in kept:
            path.unlink()

    def lacks(*pictures: str) -> bool:
        return not all((folder / f"{name}.png").exists() for name in pictures)

    if lacking := [shot for shot in shots() if lacks(*shot.sheets.values())]:
        told |= draw(lacking, folder)
    if published := [page for page in pages() if lacks(page.picture)]:
        told |= phone(published, folder)
    if lacks(RESULT):
        save(
            together(*(Image.open(folder / f"{name}.png") for name in RESULT_OF)),
            folder / f"{RESULT}.png",
        )
    if told != recorded(folder):
        text = json.dumps(told, indent=1, sort_keys=True) + "\n"
        (folder / RECORD).write_text(text, encoding="utf-8", newline="\n")


def recorded(folder: Path) -> dict[str, str]:
    """What the books held that the pictures of a folder were drawn from, as digests by picture."""
    record = folder / RECORD
    known: dict[str, str] = json.loads(record.read_text("utf-8")) if record.exists() else {}
    return known


def stale(folder: Path, shots: Iterable[Shot], pages: Iterable[Published]) -> list[str]:
    """The pictures of which the books are not those that they were drawn from."""
    known = recorded(folder)
    shown = [
        *((s.book, s.sheets.values()) for s in shots),
        *((p.book, (p.picture,)) for p in pages),
    ]
    return [
        name
        for book, pictures in shown
        for today in (held(book()),)
        for name in pictures
        if known.get(name) != today
    ]


def shots() -> Iterator[Shot]:
    """All books of which something is drawn."""
    yield from samples()
    yield from guides()
    yield from found()
    for step in evening.steps():
        title = sheet_name(evening.BOOK, step.sheet)
        make = partial(evening.book, step.typed)
        yield Shot(make, {title: step.picture}, step.left_of)


def names() -> set[str]:
    """The names of all pictures, without their endings."""
    sheets = {name for shot in shots() for name in shot.sheets.values()}
    return sheets | {page.picture for page in pages()} | {RESULT}


def together(list_: Image.Image, letter: Image.Image, page: Image.Image) -> Image.Image:
    """Three pictures as one, as high as the page; of the list the lines that fit."""
    low = letter.convert("RGB").resize(
        (list_.width, round(letter.height * list_.width / letter.width)), Image.Resampling.LANCZOS
    )
    high = list_.convert("RGB").crop((0, 0, list_.width, page.height - low.height - GAP))
    shown = Image.new("RGB", (list_.width + GAP + page.width, page.height), "lightgrey")
    for part, place in (
        (high, (0, 0)),
        (low, (0, high.height + GAP)),
        (page.convert("RGB"), (list_.width + GAP, 0)),
    ):
        shown.paste(part, place)
    return ImageOps.expand(shown, 2, "lightgrey")


def samples() -> Iterator[Shot]:
    """The sample of every template: ``TEMPLATE-SHEET``."""
    for template in gallery.TEMPLATES:
        keys = shown_of(template)
        make = partial(filled_in, template, gallery.options(template))
        yield Shot(make, {sheet_name(template, key): f"{template}-{key}" for key in keys})


def guides() -> Iterator[Shot]:
    """What the pages for organizers show: ``LANGUAGE/TEMPLATE-SHEET``."""
    for language in CODES:
        for template, (players, rounds, keys) in GUIDE.items():
            options = gallery.options(template, language=language, players=players, rounds=rounds)
            titles = {sheet_name(template, key, language): key for key in keys}
            yield Shot(
                partial(filled_in, template, options, mistakes=template == MISTAKEN),
                {title: f"{language}/{template}-{key}" for title, key in titles.items()},
            )


def found() -> Iterator[Shot]:
    """What the pages show of books of findings: ``FINDING-SHEET``."""
    shown = {"Chart": "fitted-chart", "Expected scores": "fitted-expected"}
    yield Shot(lambda: fitted_book(season_fitted()).file(), shown)


def filled_in(template: str, options: Options, *, mistakes: bool = False) -> bytes:
    """The sample of a template."""
    content = gallery.sample(template, options)
    return gallery.make(template, options, mistaken(content) if mistakes else content)


def mistaken(content: Content) -> Content:
    """The sample of a rating period in which two games cannot be read."""
    games = [dict(game) for game in cast("list[dict[str, Constant]]", content["Games"])]
    games[1]["white"] = str(games[1]["white"]).replace(",", "")
    games[3]["result"] = "2"
    return {**content, "Games": games}


def draw(shots: list[Shot], folder: Path) -> dict[str, str]:
    """Print every book, and keep the first page of each sheet that is shown; what the books held,
    by picture."""
    drawn: dict[str, str] = {}
    with TemporaryDirectory() as home:
        books = [Path(home, f"{i}.xlsx") for i in range(len(shots))]
        for path, shot in zip(books, shots, strict=True):
            path.write_bytes(shot.book())
        printed = Calc(find_soffice(), Path(home), limit=900).convert_all(books, "pdf")
        for pdf, path, shot in zip(printed, books, shots, strict=True):
            pages = list(pypdfium2.PdfDocument(pdf))
            for title, name in shot.sheets.items():
                page = next((page for page in pages if _sheet(page) == title), None)
                if page is None:
                    raise LookupError(f"no page for {name}: no sheet {title}")
                save(_trimmed(page, shot), folder / f"{name}.png")
            drawn |= dict.fromkeys(shot.sheets.values(), held(path.read_bytes()))
    return drawn


def save(picture: Image.Image, target: Path) -> None:
    """Write a picture in few colours."""
    target.parent.mkdir(parents=True, exist_ok=True)
    few = picture.convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE)
    few.save(target, optimize=True)


def pages() -> Iterator[Published]:
    """Pages as a phone shows them, one of them in the dark."""
    for template, dark in (("club", False), ("rating-history", True)):
        make = partial(filled_in, template, gallery.options(template))
        yield Published(make, f"phone-{template}", dark)
    yield Published(partial(evening.book, evening.last()), evening.PUBLISHED)
    league = gallery.options(LEAGUE)
    yield Published(partial(filled_in, LEAGUE, league), "phone-live", answers=answers)


def answers() -> str:
    """The games of the sample of a league, as a form gives them."""
    games = cast(
        "list[dict[str, object]]", gallery.sample(LEAGUE, gallery.options(LEAGUE))["Games"]
    )
    columns = "date", "first", "second", "result"
    lines = [columns, *([game[column] for column in columns] for game in games)]
    return "\n".join(",".join(map(str, line)) for line in lines)


def phone(published: list[Published], folder: Path) -> dict[str, str]:
    """Draw the pages; what their books held, by picture."""
    drawn: dict[str, str] = {}
    with TemporaryDirectory() as home, Browser(find_chromium(), Path(home, "profile")) as browser:
        for each in published:
            page = Path(home, "page.html")
            book = each.book()
            drawn[each.picture] = held(book)
            shown = page_of(book)
            live = live_page(League(title=shown.title.partition(" – ")[0]), shown.language)
            page.write_bytes(live if each.answers else html(shown))
            browser.screen(*PHONE, dark=each.dark)
            browser.open(page)
            if each.answers:
                typed = json.dumps(each.answers())
                browser.run(f"document.getElementById('typed').value = {typed}")
                browser.run("document.getElementById('show').click()")
            if each.dark:
                browser.click(".player")
            save(Image.open(BytesIO(browser.picture())), folder / f"{each.picture}.png")
    return drawn


def _sheet(page: pypdfium2.PdfPage) -> str:
    third = page.get_width() / 3
    middle = page.get_textpage().get_text_bounded(left=third, right=2 * third, top=FOOTER)
    return str(middle).strip()


def _trimmed(page: pypdfium2.PdfPage, shot: Shot) -> Image.Image:
    """Without the footer, what is cut off, and the white around what is printed."""
    bottom = page.get_height() - FOOTER
    right = _left_end(page, shot.left_of) - GAP if shot.left_of else page.get_width()
    scale = DPI / 72
    picture = page.render(scale=scale).to_pil().convert("RGB")
    plain = picture.crop((0, 0, int(right * scale), int(bottom * scale)))
    printed = ImageChops.invert(plain).getbbox()
    return ImageOps.expand(plain.crop(printed), MARGIN, "white")


def _left_end(page: pypdfium2.PdfPage, word: str) -> float:
    """Where a word begins that stands there first, in points."""
    text = page.get_textpage()
    place = text.search(word, match_case=True, match_whole_word=True).get_next()
    if place is None:
        raise LookupError(f"no {word} on the page of {_sheet(page)}")
    return float(text.get_charbox(place[0])[0])


if __name__ == "__main__":
    main(DOCS / FOLDER, missing="--missing" in sys.argv[1:])
