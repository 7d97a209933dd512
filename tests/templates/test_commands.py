"""A book says what it can do: every command works with every book that has what it asks for, and
refuses all others with one true sentence."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from elo_xl.books.book import BookError, Options
from elo_xl.books.book_file import BookText
from elo_xl.books.entries import Key
from elo_xl.books.identity import PART
from elo_xl.books.model import Declared
from elo_xl.templates import gallery
from elo_xl.templates.gallery import TEMPLATES
from elo_xl.templates.opened import old_book
from elo_xl.xlsx.in_place import read_parts
from elo_xl.xlsx.opc import zipped
from tests.support import ROOT
from tests.support.command import invoke
from tests.support.template_books import sized

pytestmark = pytest.mark.slow

OURS: Final = "ours.book"
"""The file of somebody's own book."""


def run(*words: object, code: int = 0) -> str:
    done = invoke(*words)
    assert code == done.exit_code, done.output
    # what is wrong with a file the command itself says, or the front door around it
    return done.stdout if code == 0 else " ".join(f"{done.output} {done.exception}".split())


@cache
def sample(template: str) -> tuple[bytes, Declared]:
    """The file of a book with its invented event, and the book as it is declared."""
    if template == OURS:
        text = (ROOT / "examples" / "table-tennis.book").read_text(encoding="utf-8")
        ours = BookText(text, OURS)
        options = Options(players=1)
        file = ours.book(options, ours.sample(options)).file()
    else:
        options, known = sized(template, 8), TEMPLATES[template]
        if known.units[1] == "games" and known.rounds:
            # games enough for a fit, and room for those who have a first rating and no game
            options = replace(sized(template, 12), rounds=known.rounds[1])
        file = gallery.make(template, options, gallery.sample(template, options))
    return file, old_book(file).book


@pytest.fixture(params=[*TEMPLATES, OURS])
def filled(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Declared]:
    """The same in a folder: of somebody's own book others have the workbook alone."""
    file, book = sample(request.param)
    path = tmp_path / "filled.xlsx"
    path.write_bytes(file)
    return path, book


def test_the_sheet_that_a_book_names_is_published(tmp_path: Path) -> None:
    """Books with a sheet for the wall are published in tests/publish."""
    path = tmp_path / "ours.xlsx"
    path.write_bytes(sample(OURS)[0])
    run("publish", path, "-o", path.with_suffix(".json"))
    (table,) = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["tables"]
    assert ["Ada", "Bo", "Chen", "Dana"] == [row["name"] for row in table["rows"]]


def test_games_are_rated_fitted_and_exported(filled: tuple[Path, Declared]) -> None:
    path, book = filled
    games = book.commands.games
    several = games is not None and games.kind == "events"
    sided = games is not None and games.kind == "sides"
    code = 0 if games is not None and not several else 1
    rated = run("rate", path, "--dry-run", "--json", code=code)
    code = 1 if sided else code
    exported = run("export", path, "-o", path.with_suffix(".trf"), code=code)
    fitted = run("fit", path, "--json", code=code) if not several else ""
    if several:
        assert f"made from {book.made_from}, which has several events" in rated
    elif games is None:
        for told in (rated, exported, fitted):
            assert f"made from {book.made_from}, which has no games of two players" in told
    elif sided:
        assert sum(player["games"] for player in json.loads(rated)["players"]) > 20
        for told in (exported, fitted):
            assert "whose games are not of two players: elo-xl rate takes them" in told
    else:
        assert json.loads(rated)["players"]
        assert json.loads(fitted)["games"] > 0
        assert "\n001 " in path.with_suffix(".trf").read_text(encoding="utf-8")


def test_a_book_that_has_a_next_one_is_continued(filled: tuple[Path, Declared]) -> None:
    path, book = filled
    target, following = path.with_name("next.xlsx"), book.commands.next
    told = run("next", path, "-o", target, code=0 if following else 1)
    if following is None:
        assert f"it was made from {book.made_from}, whose books have no next one" in told
        return
    new = old_book(target.read_bytes())
    assert new.template == book.made_from
    games = book.commands.games
    assert games is None or all(key.name != games.table for key in new.entries.typed)
    assert Key("Event") not in new.entries.typed


def test_entries_go_into_a_new_book_of_the_text_that_the_file_carries(tmp_path: Path) -> None:
    path, new = tmp_path / "old.xlsx", tmp_path / "new.xlsx"
    path.write_bytes(sample(OURS)[0])
    run("new", "--from", path, "-o", new)
    assert old_book(path.read_bytes()).content == old_book(new.read_bytes()).content


def test_ratings_of_the_games_of_a_league_are_those_before_them(tmp_path: Path) -> None:
    """A result is what the book reads of it: the winner's name, or both scores."""
    content = {
        "League_start": 1600,
        "Starts": [{"name": "Ben", "rating": 1800}],
        "Games": [
            {"first": "Ana", "second": "Ben", "result": "Ben"},
            {"first": "Ben", "second": "Ana", "result": "2-3"},
        ],
    }
    path = tmp_path / "ladder.xlsx"
    path.write_bytes(gallery.make("ladder", sized("ladder"), content))
    told = run("rate", path, "--rules", "fide", "--dry-run", "--json")
    players = json.loads(told)["players"]
    assert [("Ben", 1800, 1.0), ("Ana", 1600, 1.0)] == [
        (player["name"], player["rating"], player["score"]) for player in players
    ]


def test_a_new_season_keeps_the_order_of_the_last_one(tmp_path: Path) -> None:
    """A Keizer begins with the places of the season before, a class with its ratings."""
    path, new = tmp_path / "keizer.xlsx", tmp_path / "new.xlsx"
    options = sized("keizer", 8)
    path.write_bytes(gallery.make("keizer", options, gallery.sample("keizer", options)))
    run("next", path, "-o", new)
    book = gallery.build("keizer", options, gallery.sample("keizer", options))
    names = [name for name in book.tables["Standings"].column("name").texts() if name]
    rows = old_book(new.read_bytes()).content["Players"]
    assert names == [rows[row]["name"] for row in sorted(rows)]


def test_a_text_that_a_file_carries_may_be_missing_or_wrong(tmp_path: Path) -> None:
    text = 'book "B"\nsheet "S" wall\n    table T rows:2\n        no = row_number\n'
    text += '        name = "x"\n'
    (tmp_path / OURS).write_text(text, encoding="utf-8")
    path = tmp_path / "ours.xlsx"
    run("new", tmp_path / OURS, "-o", path)
    run("publish", path, "-o", tmp_path / "ours.html")
    parts = read_parts(path.read_bytes())
    said = parts[PART].decode()
    for name, message in (
        ("Other", "it was made from ours.book, and does not carry its text"),
        ("Book 1", "it is damaged: docProps/custom.xml holds no text of a book"),
    ):
        packed = re.sub(r"(?<=<vt:lpwstr)([^>]*>)eN[^<]*", r"\1eNnonsense", said)
        changed = packed.replace('name="Book 1"', f'name="{name}"')
        path.write_bytes(zipped(parts | {PART: changed.encode()}))
        assert message in run("publish", path, "-o", tmp_path / "x.html", code=1)


def test_what_commands_name_must_be_there() -> None:
    text = BookText('book "B"\ncommands\n    players Pupils\nsheet "S"\n    note "x"', "b.book")
    with pytest.raises(BookError, match=r"no table and no sheet is named 'Pupils' @ b.book:3"):
        text.book(Options()).finish()


@pytest.mark.parametrize(("line", "message"), [
    ("publsh List", "no command takes 'publsh' from a book @ b.book:3"),
    ("games G swiss", "games are named, rounds, cross, boards, events, sides; not 'swiss'"),
    ("page school", "the page offers event, club, league, evening, class, judging; not 'school'"),
    ("publish", "something is missing after 'publish'"),
    ("boards B n,r n,r n", "boards are written TABLE name,rating name,rating @ b.book:3:5"),
    ("games G\n        score", "a line is NAME = formula, not 'score' @ b.book:4"),
])  # fmt: skip
def test_a_wrong_line_is_named(line: str, message: str) -> None:
    with pytest.raises(BookError, match=re.escape(message)):
        BookText(f'book "B"\ncommands\n    {line}\n', "b.book").book(Options())
