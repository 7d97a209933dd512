"""Microsoft's own validator, the Open XML SDK, finds nothing in any book."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from elo_xl.books.flavours import FLAVOURS, put_into, take_out
from elo_xl.languages import CODES
from elo_xl.templates import gallery
from elo_xl.templates.gallery import TEMPLATES
from elo_xl.templates.rated_event import rated_event_book
from elo_xl.tournament.rate import rate
from elo_xl.tournament.trf import read_trf
from elo_xl.xlsx.opc import unzipped, zipped
from tests.support.rulebooks import IN_BOOKS
from tests.support.saved_by_excel import saved_by_excel

ROOT = Path(__file__).parents[1]
SMALL = 6
"""Players, and rounds, of a book that need not have more."""


@pytest.fixture(scope="session")
def validator() -> str:
    found = subprocess.run(
        [ROOT / "scripts" / "validator.sh", "--find"], capture_output=True, text=True, check=False
    )
    if found.returncode:
        pytest.skip(found.stderr.strip())
    return found.stdout.strip()


def found_in(content: bytes, path: Path, validator: str) -> list[str]:
    path.write_bytes(content)
    run = subprocess.run([validator, path, "Microsoft365"], capture_output=True, check=False)
    answer = json.loads(run.stdout)
    assert answer["ok"] == (not answer["errors"])
    return [f"{each['description']} @ {each['path']} {each['xPath']}" for each in answer["errors"]]


@pytest.mark.parametrize("flavour", FLAVOURS)
@pytest.mark.parametrize("template", TEMPLATES)
def test_books_are_valid(template: str, flavour: str, tmp_path: Path, validator: str) -> None:
    known = TEMPLATES[template]
    for language in CODES:
        options = gallery.options(
            template,
            functions=flavour,
            language=language,
            players=known.players and max(known.players[0], SMALL),
            rounds=known.rounds and max(known.rounds[0], SMALL),
        )
        filled = gallery.sample(template, options)
        for content in (None, filled) if filled else (None,):
            made = gallery.make(template, options, content)
            assert [] == found_in(made, tmp_path / "book.xlsx", validator), (language, content)


@pytest.mark.parametrize("language", CODES)
def test_rated_books_are_valid(language: str, tmp_path: Path, validator: str) -> None:
    tournament = read_trf(ROOT / "examples" / "rivertown-open.trf")
    for rules in IN_BOOKS:
        made = rated_event_book(rate(tournament, rules), language).file()
        assert [] == found_in(made, tmp_path / "book.xlsx", validator), rules


@pytest.mark.parametrize("way", [("lambda", "addin", "lite"), ("lite", "addin", "lambda")])
def test_books_are_valid_after_each_command(
    way: tuple[str, ...], tmp_path: Path, validator: str
) -> None:
    made = saved_by_excel()
    assert [] == found_in(made, tmp_path / "book.xlsx", validator)
    for form in way:
        made = put_into(made, form)
        assert [] == found_in(made, tmp_path / "book.xlsx", validator), form
        without = take_out(made, form)
        assert [] == found_in(without, tmp_path / "book.xlsx", validator), form


def test_it_finds_what_is_wrong(tmp_path: Path, validator: str) -> None:
    options = gallery.options("match-odds")
    parts = unzipped(gallery.make("match-odds", options, None))
    styles = parts["xl/styles.xml"]
    assert b'<sz val="18"/>' in styles
    parts["xl/styles.xml"] = styles.replace(b'<sz val="18"/>', b'<sz val="18"/><b val="1"/>')
    (problem,) = found_in(zipped(parts), tmp_path / "book.xlsx", validator)
    assert "unexpected child element" in problem
