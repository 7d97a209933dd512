"""Every template in a small size: declared, worked out and written, with nothing wrong in it."""

from __future__ import annotations

import io

import openpyxl
import pytest

from elo_xl.books.model import Options
from elo_xl.templates import gallery
from elo_xl.templates.gallery import TEMPLATES
from elo_xl.xlsx.evaluate import Error
from tests.support.template_books import same
from tests.support.template_events import GENERATORS

pytestmark = pytest.mark.slow


def small(template: str) -> Options:
    known = TEMPLATES[template]

    def size(bounds: tuple[int, int, int] | None) -> int | None:
        return None if bounds is None else max(bounds[0], 6)

    return gallery.options(template, players=size(known.players), rounds=size(known.rounds))


@pytest.mark.parametrize("template", TEMPLATES)
def test_no_cell_shows_an_error_and_all_values_are_in_the_file(template: str) -> None:
    options = small(template)
    contents = [None, gallery.sample(template, options)]
    contents += [GENERATORS[template](options, seed, wrong=True, full=True) for seed in (1, 2)]
    for content in contents:
        book = gallery.build(template, options, content)
        # points of curves that do not exist, on sheets that nobody sees
        unseen = {sheet.title for sheet in book.sheets.values() if sheet.set_up.hidden}
        errors = {
            at: v
            for at, v in book.values.items()
            if isinstance(v, Error) and not (at[0] in unseen and v == "#N/A")
        }
        assert {} == errors
    file = openpyxl.load_workbook(io.BytesIO(book.file()), data_only=True)
    lost = [
        (sheet, cell)
        for (sheet, cell), value in book.values.items()
        if not same(file[sheet][cell].value, value)
    ]
    assert [] == lost
