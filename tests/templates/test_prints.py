"""What comes out of the printer: every sheet of every sample, with all its numbers to be read."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle
from pathlib import Path

import pypdfium2
import pytest

from elo_xl.languages import CODES
from elo_xl.templates import gallery
from elo_xl.templates.gallery import TEMPLATES
from tests.support.calc import Calc
from tests.support.levels import amount
from tests.support.template_books import SMALL, build, sized

pytestmark = pytest.mark.slow


def test_samples_print_whole(calc: Calc, tmp_path: Path) -> None:
    titles: dict[Path, list[str]] = {}
    names = amount(("swiss", "rating-history", "bridge-pairs", "elo-explained"), tuple(TEMPLATES))
    for name, language in zip(names, cycle(CODES), strict=False):
        small = sized(name, SMALL, language=language)
        options = amount(small, gallery.options(name, language=small.language))
        form = build(name, options, gallery.sample(name, options))
        path = tmp_path / f"{name}.xlsx"
        path.write_bytes(form.file())
        titles[path] = [
            sheet.title for sheet in form.workbook.worksheets if sheet.sheet_state == "visible"
        ]
    printed = calc.convert_all(list(titles), "pdf", limit=180)
    for path, pdf in zip(titles, printed, strict=True):
        pages = [page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(pdf)]
        assert "###" not in "".join(pages), path.name
        missing = [title for title in titles[path] if not any(title in text for text in pages)]
        assert missing == [], path.name


def test_a_swiss_of_eight_takes_twenty_pages_each_numbered_in_its_sheet(
    calc: Calc, tmp_path: Path
) -> None:
    options = gallery.options("swiss", players=8)
    form = build("swiss", options, gallery.sample("swiss", replace(options, rounds=2)))
    path = tmp_path / "eight.xlsx"
    path.write_bytes(form.file())
    (pdf,) = calc.convert_all([path], "pdf")
    pages = [page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(pdf)]
    assert len(pages) <= 20
    sheets = [sheet for sheet in form.sheets.values() if not sheet.set_up.hidden]
    assert sum("Page 1" in page for page in pages) == len(sheets)
