"""The list of languages, and that every place with texts has them all."""

from __future__ import annotations

from datetime import date
from importlib.resources import files

import pytest

from elo_xl.functions.class_names import CLASS_NAMES, FROM
from elo_xl.languages import CODES, LANGUAGES, TRANSLATED


def test_every_place_with_texts_has_all_languages() -> None:
    texts = files("elo_xl.books.texts").iterdir()
    translations = files("elo_xl.functions.translations").iterdir()

    assert sorted(CODES) == sorted(f.name for f in texts if f.is_dir() and f.name[0] != "_")
    assert sorted(TRANSLATED) == sorted(
        f.name.removesuffix(".toml") for f in translations if f.name.endswith(".toml")
    )
    assert list(CODES) == list(CLASS_NAMES)
    assert {len(FROM) + 1} == {len(names) for names in CLASS_NAMES.values()}


@pytest.mark.parametrize(
    ("code", "shown", "number_format", "formula"),
    [
        (
            *("en", "2026-03-09", r"yyyy\-mm\-dd"),
            'YEAR(A1)&"-"&RIGHT("0"&MONTH(A1),2)&"-"&RIGHT("0"&DAY(A1),2)',
        ),
        (
            *("es", "09/03/2026", r"dd\/mm\/yyyy"),
            'RIGHT("0"&DAY(A1),2)&"/"&RIGHT("0"&MONTH(A1),2)&"/"&YEAR(A1)',
        ),
        (
            *("ru", "09.03.2026", r"dd\.mm\.yyyy"),
            'RIGHT("0"&DAY(A1),2)&"."&RIGHT("0"&MONTH(A1),2)&"."&YEAR(A1)',
        ),
    ],
)
def test_dates(code: str, shown: str, number_format: str, formula: str) -> None:
    language = LANGUAGES[code]

    assert shown == date(2026, 3, 9).strftime(language.date)
    assert number_format == language.date_format
    assert formula == language.date_text("A1")
