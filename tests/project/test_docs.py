"""The pages of docs/: fresh, linked, and true."""

import doctest
import json
import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest
from markdown_it import MarkdownIt

from docs_build import DOCS, left_over, pages, pictures
from docs_build.function_page import EMPTY, LEFT_OUT, PASSED_OVER, reaction
from docs_build.gallery_part import FOLDER
from docs_build.parts import MARK
from elo_xl.books.front import guide
from elo_xl.books.texts import texts
from elo_xl.cli import cli
from elo_xl.functions.arguments import (
    Argument,
    NumberArgument,
    Numbers,
    Option,
    OptionOrNumber,
    TableArgument,
)
from elo_xl.functions.catalogue import Function, functions
from elo_xl.functions.cells import ERRORS
from elo_xl.functions.evaluation import evaluate
from elo_xl.languages import CODES
from elo_xl.templates.gallery import TEMPLATES, options
from scripts.release import is_release
from scripts.workbooks import held
from tests.support import ROOT
from tests.support.once import made

PAGES = sorted(DOCS.rglob("*.md"))
README = DOCS.parent / "README.md"
BOOKS = DOCS.parent / "workbooks"
TEXTS_OF_BOOKS = DOCS.parent / "elo_xl" / "templates"
CALLED = "(?:elo-xl|(?:py|python) -P -m elo_xl)"
"""How the command is called."""
TEXTS = {path: path.read_text(encoding="utf-8") for path in PAGES}
MADE = pages()
FUNCTIONS = pytest.mark.parametrize("function", functions().values(), ids=lambda f: f.name)


SLOW = "messages.md", "wrong-files.md"
"""Pages for which many books and files are made."""


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow if n in SLOW else ()) for n in MADE]
)
def test_made_page_is_fresh(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == MADE[name](), "run: make docs"


def test_every_function_has_its_page_and_no_other_has_one() -> None:
    assert {f"functions/{name}.md" for name in functions()} <= set(MADE)
    assert [] == left_over(), "run: make docs"


def slugs(text: str) -> set[str]:
    """The anchors of a page's headings."""
    titles = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def links(text: str) -> list[str]:
    tokens = MarkdownIt().enable("table").parse(text)
    inline = [child for token in tokens for child in token.children or ()]
    return [str(token.attrs["href"]) for token in inline if "href" in token.attrs]


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.relative_to(DOCS).as_posix())
def test_internal_links_resolve(path: Path) -> None:
    for link in links(TEXTS[path]):
        if link.startswith("https://"):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        beside = {BOOKS, TEXTS_OF_BOOKS, DOCS / "_static"}
        there = target.is_file() and bool(beside.intersection(target.parents))
        assert target in TEXTS or there, link
        assert not anchor or anchor in slugs(TEXTS[target]), link


def test_pictures_shown_are_those_that_are_drawn() -> None:
    """`make regenerate` draws what is missing, and takes out what is not shown."""
    folder = DOCS / FOLDER
    there = {p.relative_to(folder).with_suffix("").as_posix() for p in folder.rglob("*.png")}
    shown = set()
    for path, text in {**TEXTS, README: README.read_text(encoding="utf-8")}.items():
        for source in re.findall(r"!\[[^]]*]\((\S+?)\.png\)", text):
            shown.add((path.parent / source).resolve().relative_to(folder).as_posix())
    assert pictures.names() == shown == there


def test_at_a_release_pictures_are_of_its_books() -> None:
    """`make pictures` draws them."""
    if not is_release((ROOT / "CHANGELOG.md").read_text(encoding="utf-8")):
        pytest.skip("between releases they may be older than the code")
    assert [] == pictures.stale(DOCS / FOLDER, pictures.shots(), pictures.pages())


def test_a_picture_of_another_book_is_found(tmp_path: Path) -> None:
    one, other = (made("k-and-first-rating", filled=filled).file for filled in (True, False))
    record = {"a": held(one), "b": held(one), "c": held(other)}
    (tmp_path / pictures.RECORD).write_text(json.dumps(record), encoding="utf-8")
    shots = [
        pictures.Shot(lambda: one, {"A": "a", "D": "d"}),
        pictures.Shot(lambda: other, {"B": "b"}),
    ]
    published = [pictures.Published(lambda: other, "c")]
    assert ["d", "b"] == pictures.stale(tmp_path, shots, published)


def by_hand(path: Path) -> str:
    """What of a page is written by hand."""
    if path.relative_to(DOCS).as_posix() in MADE and MARK not in TEXTS[path]:
        return ""
    return re.sub(r"<!-- made: (\w+) -->.*?<!-- end of \1 -->", "", TEXTS[path], flags=re.DOTALL)


def shown_commands() -> list[tuple[str, bool]]:
    """Commands in the pages, and whether they stand by themselves."""
    text = "\n".join(map(by_hand, PAGES))
    text += README.read_text(encoding="utf-8")
    lines = re.findall(rf"^ *({CALLED} .+)$", text, flags=re.MULTILINE)
    return [(line, True) for line in lines] + [
        (inline, False) for inline in re.findall(rf"`({CALLED} .+?)`", text)
    ]


@pytest.mark.parametrize(("line", "alone"), sorted(set(shown_commands())))
def test_command_exists(line: str, alone: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(click.Path, "convert", lambda _self, value, *_: Path(value))
    words = shlex.split(re.sub(rf"^{CALLED}", "", line))
    command: click.Command = cli
    while isinstance(command, click.Group):
        if not words:
            assert not alone
            return
        found = command.get_command(click.Context(command), words.pop(0))
        assert found is not None
        command = found
    try:
        command.make_context(str(command.name), words)
    except click.MissingParameter:
        assert not alone


def test_commands_are_found() -> None:
    assert len(shown_commands()) > 20


@pytest.mark.parametrize("language", CODES)
def test_books_lead_to_the_page_for_organizers(language: str) -> None:
    assert DOCS / f"{guide(language)}.md" in PAGES


@pytest.mark.parametrize("language", CODES)
def test_page_for_organizers_speaks_of_the_files_as_they_are(language: str) -> None:
    text = TEXTS[DOCS / f"{guide(language)}.md"]
    rows = re.findall(r"^\| .+ \| `([a-z-]+)\.xlsx` \| (.+) \|$", text, flags=re.MULTILINE)
    assert len(rows) > 5
    for name, room in rows:
        usual, template = options(name), TEMPLATES[name]
        both = zip(template.room or (), (usual.players, usual.rounds), strict=True)
        sizes = [size for large, small in both if (size := large or small) > 1]
        assert sizes == [int(n) for n in re.findall(r"\d+", room)], name
    # sheets, columns and settings are written as they are in the books
    known = set(texts(language).by_key().values())
    called = "sheet hoja листе? Blatt feuille aba column columna [Сс]толбец Spalte colonne coluna"
    named = re.findall(rf"(?:{called.replace(' ', '|')}) \*([^*]+)\*", text)
    named += re.findall(r"\*([^*]+)\*", "".join(re.findall(r"^\|.+\n", text, re.MULTILINE)))
    assert len(named) > 12
    assert [] == [name for name in map(" ".join, map(str.split, named)) if name not in known]
    # what is read in five minutes: without pictures, addresses and what is typed
    told = re.sub(r"!\[[^]]*\]\(\S*\)|<!--.*?-->|\]\([^)]*\)|`[^`]*`", " ", text, flags=re.DOTALL)
    assert 1000 >= len(re.findall(r"[^\W_][\w'’-]*", told))


@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.relative_to(DOCS).as_posix())
def test_functions_named_are_there(path: Path) -> None:
    named = set(re.findall(r"\bELO_(?!XL_)[A-Z_]+\b", TEXTS[path]))
    assert named <= {*functions(), "ELO_LAST_ERROR"}


@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.relative_to(DOCS).as_posix())
def test_no_page_names_a_machine(path: Path) -> None:
    # but the reader's own computer, on which they try the add-in for Excel
    folders = (
        r"(?<![\w.])/(?:home|root|tmp|work|opt|usr|var|mnt|srv)/|[A-Z]:\\Users|127\.0"
        r"|localhost(?!:3000|\.crt|\.key)"
    )
    assert None is re.search(folders, TEXTS[path])


@pytest.mark.parametrize("path", [p for p in PAGES if ">>>" in TEXTS[p]], ids=lambda p: p.stem)
def test_python_examples(path: Path) -> None:
    assert 0 == doctest.testfile(str(path), module_relative=False).failed


def cells(result: Any) -> set[Any]:
    return {c for row in result for c in row} if isinstance(result, list) else {result}


def changed(function: Function, argument: Argument, value: Any) -> Any:
    """The first example with another cell in one of its arguments."""
    given = list(function.examples[0].arguments)
    given += [None] * (len(function.arguments) - len(given))
    i = function.arguments.index(argument)
    known = given[i]
    if isinstance(known, list):
        rows = [list(row) for row in known]
        rows[0][0] = value
        value = rows
    given[i] = value
    return evaluate(function, *given)


def outside(argument: Argument) -> list[Any]:
    """Numbers that an argument does not take."""
    kind = argument.of if isinstance(argument, Numbers) else argument
    if isinstance(kind, OptionOrNumber):
        return [-1]
    if isinstance(kind, Option):
        return [7]
    assert isinstance(kind, NumberArgument)
    bounds = [kind.low - 1, kind.above, kind.high + 1]
    return [b for b in bounds if abs(b) < float("inf")] + [0.7] * kind.whole_number


@FUNCTIONS
def test_blanks_texts_and_errors_are_as_the_page_says(function: Function) -> None:
    for argument in function.arguments:
        if isinstance(argument, TableArgument):
            continue
        says = reaction(argument)
        if says.blank == EMPTY:
            assert {""} == cells(changed(function, argument, None))
        elif says.blank == LEFT_OUT:
            assert changed(function, argument, None) == changed(function, argument, " ")
        elif says.blank == PASSED_OVER:
            assert not cells(changed(function, argument, None)) & set(ERRORS)
        if says.text in ERRORS:
            assert {says.text} == cells(changed(function, argument, "?"))
        for number in outside(argument) if says.outside else ():
            assert {says.outside} == cells(changed(function, argument, number))
