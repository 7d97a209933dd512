"""The languages: every place with texts has them all, and another one needs no code."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from datetime import date
from pathlib import Path

import pytest

from docs_build.translations_part import FILES, arguments, completed, shown, texts
from elo_xl.books import answers
from elo_xl.functions.catalogue import functions
from elo_xl.functions.ratings import CLASS_NAMES, CLASSES_FROM
from elo_xl.languages import CODES, LANGUAGES, TRANSLATED
from elo_xl.languages.typed_words import TYPED
from tests.support import ROOT

BOOKS = ROOT / "elo_xl" / "books" / "texts"
PLACES = re.compile(r"{\w[^}]*}")


def test_every_place_with_texts_has_all_languages() -> None:
    assert sorted(CODES) == sorted(f.name for f in BOOKS.iterdir() if (f / "form.toml").exists())
    assert sorted(CODES) == sorted(TYPED)
    assert len(CLASSES_FROM) + 1 == len(CLASS_NAMES)


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_is_translated_and_no_other(language: str) -> None:
    known = LANGUAGES[language]
    names, sentences = set(arguments()), set(texts())

    # help of functions, a class, a clause, a reason
    assert {"The player's rating.", "Amateur", "It always counts in full.", "1 game"} < sentences
    assert {"missing": set(), "left over": set()} == {
        "missing": (names - known.arguments.keys()) | (sentences - known.texts.keys()),
        "left over": (known.arguments.keys() - names) | (known.texts.keys() - sentences),
    }


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_is_missing_is_added_and_what_is_left_over_goes(language: str) -> None:
    for folder, complete in FILES.items():
        text = (folder / f"{language}.toml").read_text(encoding="utf-8")
        assert (text, []) == complete(text)

    text = (ROOT / "elo_xl" / "languages" / f"{language}.toml").read_text(encoding="utf-8")
    entry = next(text[m.start() : m.end()] for m in re.finditer('"1 game" = ".*"\n', text))
    other, added = completed(text.replace(entry, '"2 games" = "x"\n'))
    assert ["1 game"] == added
    assert text.replace(entry, "") + '# Not translated yet:\n"1 game" = "1 game"\n' == other


@pytest.mark.parametrize("language", TRANSLATED)
def test_texts_keep_their_places_and_options(language: str) -> None:
    for english, text in LANGUAGES[language].texts.items():
        assert sorted(PLACES.findall(english)) == sorted(PLACES.findall(text))
        assert re.findall('"[^"]*"', english) == re.findall('"[^"]*"', text)
    file = Path(answers.__file__).with_name(f"{language}.toml")
    for english, text in tomllib.loads(file.read_text(encoding="utf-8")).items():
        assert sorted(PLACES.findall(english)) == sorted(PLACES.findall(text)), english


def test_help_fits_a_window() -> None:
    for function in functions().values():
        for english in (function.help, *(argument.help for argument in function.arguments)):
            for text in (english, *(LANGUAGES[code].texts[english] for code in TRANSLATED)):
                assert 0 < len(text) <= 255, text
                assert text == text.strip()


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_arguments_of_a_function_stay_apart(language: str) -> None:
    names = LANGUAGES[language].arguments
    for function in functions().values():
        translated = [names[argument.name] for argument in function.arguments]
        assert len(set(translated)) == len(translated)


@pytest.mark.parametrize(("code", "shown", "number_format", "formula"), [
    (*("en", "2026-03-09", r"yyyy\-mm\-dd"),
     'YEAR(A1)&"-"&RIGHT("0"&MONTH(A1),2)&"-"&RIGHT("0"&DAY(A1),2)'),
    (*("es", "09/03/2026", r"dd\/mm\/yyyy"),
     'RIGHT("0"&DAY(A1),2)&"/"&RIGHT("0"&MONTH(A1),2)&"/"&YEAR(A1)'),
    (*("ru", "09.03.2026", r"dd\.mm\.yyyy"),
     'RIGHT("0"&DAY(A1),2)&"."&RIGHT("0"&MONTH(A1),2)&"."&YEAR(A1)'),
])  # fmt: skip
def test_dates(code: str, shown: str, number_format: str, formula: str) -> None:
    language = LANGUAGES[code]

    assert shown == date(2026, 3, 9).strftime(language.date)
    assert number_format == language.date_format
    assert formula == language.date_text("A1")


SPEAKS = """
import json
import sys
from elo_xl import worksheet
from elo_xl.engine.rulebooks import RULEBOOKS
from elo_xl.functions.catalogue import functions
from elo_xl.hosts.libreoffice.build import registry
from elo_xl.templates.gallery import declared, options

help = registry("elo", [("new", "ELO_NEW", functions()["ELO_NEW"])])
said = {}
for code in ("en", "xx"):
    workbook = declared("match-odds", options("match-odds", language=code)).workbook
    cells = [cell for sheet in workbook for row in sheet.iter_rows() for cell in row]
    explained = worksheet("ELO_EXPLAIN", 1800, 20, [[1860], [1330]], [[1], [0.5]], "fide", code)
    said[code] = [
        worksheet("ELO_CLASS", 1834, code),
        *(row[-1] for row in explained),
        *(text for rules in RULEBOOKS.values() for _, text in rules.sentences(code)),
        *workbook.sheetnames,
        *(cell.value for cell in cells if cell.data_type == "s" and " " in cell.value),
    ]
json.dump([said, help], sys.stdout)
"""


def invented(text: str) -> str:
    """A text in a language that nobody speaks: English with two dots on its vowels."""
    vowels = dict(zip("aeiou", "äëïöü", strict=True))
    return re.sub(
        rf"{PLACES.pattern}|elo_xl|[aeiou]", lambda part: vowels.get(part[0], part[0]), text
    )


def entries(table: dict[str, str]) -> str:
    def quoted(text: str) -> str:
        return json.dumps(text, ensure_ascii=False)

    return "".join(f"{quoted(key)} = {quoted(text)}\n" for key, text in table.items())


@pytest.mark.slow
def test_a_language_is_files_only(tmp_path: Path) -> None:
    package = tmp_path / "elo_xl"
    shutil.copytree(ROOT / "elo_xl", package)
    head = {"name": "Xx", "date": "%d·%m·%Y", "decimal_sign": ".", "thousands_sign": "'"}
    (package / "languages" / "xx.toml").write_text(
        entries(head)
        + "[arguments]\n"
        + entries({name: invented(name) for name in arguments()})
        + "[texts]\n"
        + entries({english: invented(english) for english in texts()}),
        encoding="utf-8",
    )
    said = {english: invented(english) for english in shown()}
    (package / "books" / "answers" / "xx.toml").write_text(entries(said), encoding="utf-8")
    folder = package / "books" / "texts" / "xx"
    folder.mkdir()
    for file in (BOOKS / "en").iterdir():
        english = tomllib.loads(file.read_text(encoding="utf-8"))
        table = {key: invented(text) for key, text in english.items()}
        (folder / file.name).write_text(entries(table), encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "-B", "-c", SPEAKS], cwd=tmp_path, capture_output=True, text=True
    )
    assert 0 == done.returncode, done.stderr[-3000:]
    said, help_texts = json.loads(done.stdout)
    assert len(said["en"]) > 150
    assert [invented(text) for text in said["en"]] == said["xx"]
    help = invented(functions()["ELO_NEW"].help)
    assert f'<value xml:lang="xx">{help}</value>' in help_texts
