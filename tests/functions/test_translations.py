"""The catalogue's help in other languages: nothing missing, nothing left over, nothing too long."""

from __future__ import annotations

import re

import pytest

from elo_xl.functions.catalogue import functions
from elo_xl.functions.translations import translation
from elo_xl.languages import TRANSLATED

ARGUMENTS = {a.name for f in functions().values() for a in f.arguments}
TEXTS = {f.help for f in functions().values()} | {
    a.help for f in functions().values() for a in f.arguments
}


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_is_translated_and_no_other(language: str) -> None:
    has = translation(language)

    assert {"missing": set(), "left over": set()} == {
        "missing": (ARGUMENTS - has.arguments.keys()) | (TEXTS - has.texts.keys()),
        "left over": (has.arguments.keys() - ARGUMENTS) | (has.texts.keys() - TEXTS),
    }


@pytest.mark.parametrize("language", TRANSLATED)
def test_texts_fit_a_help_window_and_keep_the_options(language: str) -> None:
    for english, text in translation(language).texts.items():
        assert 0 < len(text) <= 255, text
        assert text == text.strip()
        assert re.findall('"[^"]*"', english) == re.findall('"[^"]*"', text)


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_arguments_of_a_function_stay_apart(language: str) -> None:
    names = translation(language).arguments
    for function in functions().values():
        own = [names[argument.name] for argument in function.arguments]
        assert len(set(own)) == len(own)


def test_english_texts_fit_a_help_window() -> None:
    assert [text for text in TEXTS if len(text) > 255] == []
