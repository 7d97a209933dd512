"""The QR code of a published page, read by a library that nobody here wrote."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Final

import openpyxl
import PIL.Image
import pypdfium2
import pytest
import zxingcpp

from elo_xl.books.texts import texts
from tests.support.command import run

ADDRESS: Final = "https://chess.rivertown.example/lists/2026-06/open.html?when=now&lang=en"
OTHER: Final = "https://a.example/"


def read(picture: PIL.Image.Image) -> list[str]:
    """What the codes in a picture say."""
    return [code.text for code in zxingcpp.read_barcodes(picture.convert("RGB"))]


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A round robin with an address, which is enough to begin with, and results."""
    path = tmp_path_factory.mktemp("code") / "masters.xlsx"
    run("new", "round-robin", "--sample", "--players", 4, "--address", ADDRESS, "-o", path)
    return path


def codes(path: Path) -> dict[str, list[str]]:
    """What the pictures say, by sheet; they stand in the first row."""
    found = {}
    for sheet in openpyxl.load_workbook(path).worksheets:
        pictures = sheet._images  # type: ignore[attr-defined]
        assert all(picture.anchor._from.row == 0 for picture in pictures)
        found[sheet.title] = [
            said for one in pictures for said in read(PIL.Image.open(io.BytesIO(one._data())))
        ]
    return found


@pytest.mark.slow
def test_every_sheet_for_the_wall_shows_the_address(book: Path, tmp_path: Path) -> None:
    shown = codes(book)
    say = texts("en")
    pinned = ("standings", "pairings", "rounds", "berger")
    wall = {say.of("round-robin", f"sheet_{key}") for key in pinned}
    typed = {say.of("round-robin", f"sheet_{key}") for key in ("players", "entry")}
    assert wall <= {title for title, said in shown.items() if said == [ADDRESS]}
    assert typed <= {title for title, said in shown.items() if said == []}
    # the next book has it, too, unless it is said otherwise
    for more, said in (((), [ADDRESS]), (("--address", OTHER), [OTHER]), (("--address", ""), [])):
        run("new", "--from", book, *more, "-o", tmp_path / "next.xlsx", "--force")
        assert said == codes(tmp_path / "next.xlsx")[say.of("round-robin", "sheet_standings")]


@pytest.mark.browser
def test_the_page_and_its_pdf_show_the_address(book: Path, tmp_path: Path) -> None:
    for more, said in (((), ADDRESS), (("--address", OTHER), OTHER)):
        run("publish", book, *more, "-o", tmp_path / "a.pdf", "--force")
        first, *others = pypdfium2.PdfDocument(tmp_path / "a.pdf")
        assert [said] == read(first.render(scale=2).to_pil())
        assert not any(read(page.render(scale=2).to_pil()) for page in others)


@pytest.mark.parametrize(
    ("template", "typed", "why"),
    [
        *(("swiss", text, "from https:// on")
          for text in ("chess.example", "https://a b", f"https://{'a' * 300}")),
        ("match-odds", ADDRESS, "match-odds has no sheet that shows an address"),
    ],
)  # fmt: skip
def test_an_address_that_is_none_or_that_no_sheet_shows_is_refused(
    tmp_path: Path, template: str, typed: str, why: str
) -> None:
    target = tmp_path / "a.xlsx"
    said = run("new", template, "--address", typed, "-o", target, code=2)
    assert why in " ".join(said.split())
    assert not target.exists()
