"""The page that fills a book, in a browser: what it makes is a book that LibreOffice computes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import openpyxl
import pytest

from elo_xl.cli import cli
from elo_xl.events.rate import rate
from elo_xl.events.trf import read_trf
from elo_xl.languages import CODES
from elo_xl.publish.fill import fill_page
from elo_xl.templates.gallery import declared
from elo_xl.templates.opened import old_book
from tests.support import ROOT
from tests.support.browser import Browser
from tests.support.calc import Calc, Values
from tests.support.levels import cases
from tests.support.once import made, once
from tests.support.template_books import sized

EVENT: Final = ROOT / "examples" / "rivertown-open.trf"
SWISS, ROUND_ROBIN, PERIOD = range(3)
LIMIT: Final = 30
"""Seconds within which a book must be filled."""


class Filler:
    """The page, and where it saves books."""

    def __init__(self, browser: Browser, home: Path, language: str) -> None:
        self.browser, self.home = browser, home
        page = home / "fill.html"
        page.write_bytes(once(f"fill page {language}", lambda: fill_page(language)))
        browser.open(page)
        browser.ask("Page.setDownloadBehavior", behavior="allow", downloadPath=str(home))
        self.address = page.as_uri()

    def fill(self, file: Path, book: int = SWISS) -> str:
        """Give the page a file; what it says of it."""
        self.browser.run(
            f"document.querySelectorAll('[name=book]')[{book}].click();"
            "document.getElementById('outcome').replaceChildren()"
        )
        root = self.browser.ask("DOM.getDocument")["root"]["nodeId"]
        field = self.browser.ask("DOM.querySelector", nodeId=root, selector="#file")["nodeId"]
        self.browser.ask("DOM.setFileInputFiles", nodeId=field, files=[str(file)])
        return str(self.waited("document.getElementById('outcome').innerText"))

    def saved(self, name: str) -> Path:
        """The book, saved by a click."""
        target = self.home / name
        target.unlink(missing_ok=True)
        self.browser.click("a[download]")
        until = time.monotonic() + LIMIT
        while not target.exists() and time.monotonic() < until:
            time.sleep(0.05)
        return target

    def waited(self, script: str) -> Any:
        """What a script gives as soon as it gives anything."""
        until = time.monotonic() + LIMIT
        while not (found := self.browser.run(script)) and time.monotonic() < until:
            time.sleep(0.05)
        return found


@pytest.fixture
def filler(browser: Browser, tmp_path: Path) -> Iterator[Filler]:
    """The page on a screen; it must ask for nothing and complain of nothing."""
    browser.screen(1280, 900)
    filler = Filler(browser, tmp_path, "en")
    yield filler
    asked = [url for url in browser.requests() if not url.startswith(("data:,", "blob:"))]
    assert [filler.address] == asked
    assert [] == browser.complaints()


@pytest.fixture
def usual(calc: Calc, tmp_path: Path) -> Calc:
    """LibreOffice as people have it, which does not compute a file anew that has values."""
    return Calc(calc.soffice, tmp_path, profile=tmp_path / "profile")


def column(found: Values, file: Path, table: str, key: str) -> list[Any]:
    """What LibreOffice shows in a column of a filled book."""
    old = old_book(file.read_bytes())
    cells = declared(old.template, old.options).tables[table].column(key)
    letter, row = cells.area.partition(":")[0].rstrip("0123456789"), cells.row
    return [found[cells.sheet.title].get(f"{letter}{row + i}") for i in range(cells.rows)]


@pytest.mark.slow
@pytest.mark.parametrize("book", [SWISS, PERIOD])
def test_a_filled_book_has_the_ratings_of_the_command(
    filler: Filler, usual: Calc, book: int
) -> None:
    said = filler.fill(EVENT, book)
    assert "Players: 16 · Games: 53 · Byes: 3" in said
    assert "Not understood" not in said
    assert ("Line 12 132" in said) == (book == SWISS)  # days of rounds
    for line in ("Line 2 022", "Line 4 042", "Line 5 052", "Line 10 102"):  # place, days, arbiter
        assert (line in said) == (book == PERIOD)
    file = filler.saved("rivertown-open.xlsx")
    found = usual.recalculate(file)
    event = read_trf(EVENT)
    rated = rate(event).players
    for key in ("k", "score", "change", "new"):
        wanted = [getattr(player, key) for player in rated]
        assert column(found, file, "Ratings", key)[: len(rated)] == pytest.approx(wanted), key
    assert not found["Players"].get("A2")  # nothing needs attention
    if book == SWISS:
        numbers, points = (column(found, file, "Standings", key) for key in ("no", "points"))
        shown = {no: value for no, value in zip(numbers, points, strict=True) if no}
        assert {player.number: player.points for player in event.players} == shown
        assert sorted(shown.values(), reverse=True) == list(shown.values())


@pytest.mark.slow
def test_a_round_robin_comes_back_as_it_was(filler: Filler, usual: Calc, tmp_path: Path) -> None:
    sample = made("round-robin", sized("round-robin"))
    given, report = tmp_path / "given.xlsx", tmp_path / "masters.trf"
    given.write_bytes(sample.file)
    cli(["export", str(given), "-o", str(report)], standalone_mode=False)
    filler.fill(report, ROUND_ROBIN)
    file = filler.saved("masters.xlsx")
    found, before = usual.recalculate_all(
        {path.name: path.read_bytes() for path in (file, given)}
    ).values()
    # the report does not tell games so far, on which K rests, nor tie-breaks: Sonneborn–Berger is
    # the usual first one, and the second one of the sample
    for key in ("rank", "name", "rating", "points", "tie2"):
        wanted = [value for value in column(before, given, "Standings", key) if value is not None]
        back = column(found, file, "Standings", key.replace("2", "1"))
        assert back[: len(wanted)] == wanted, key


def test_names_in_columns_of_any_order(filler: Filler, tmp_path: Path) -> None:
    lines = [
        "Elo;Nachname;Vorname;geb.;Club;Handy",
        '1834;"O""Neill";Ana;03.02.1990;SK Rot;123',
        ";Бог;Пётр;;;",
        "1.650;=1+1;<b>;1971;;",
        "1700;;;;;",
        "",
    ]
    file = tmp_path / "names.csv"
    file.write_text("\r\n".join(lines), encoding="utf-8-sig", newline="")
    said = filler.fill(file, PERIOD)
    assert "Players: 3 · Games: 0 · Byes: 0" in said
    assert "Line 5: no name 1700;;;;;" in said
    assert "Line 1: a column that the workbook does not have: Handy" in said
    made = filler.saved("names.xlsx")
    cells = [cell for row in openpyxl.load_workbook(made)["Players"].iter_rows() for cell in row]
    prefixed = {cell.value: cell.quotePrefix for cell in cells}
    assert (True, False) == (prefixed["=1+1, <b>"], prefixed["Бог, Пётр"])
    old = old_book(made.read_bytes())
    assert old.content["Players"] == {
        1: {"name": 'O"Neill, Ana', "rating": 1834, "birth": 1990, "club": "SK Rot"},
        2: {"name": "Бог, Пётр"},
        3: {"name": "=1+1, <b>", "rating": "1.650", "birth": 1971},
    }


def test_a_list_without_headings_is_one_of_names(filler: Filler, tmp_path: Path) -> None:
    file = tmp_path / "club.txt"
    file.write_bytes("Zoë Müller\t1800\nBen\n".encode("cp1252"))
    filler.fill(file)
    old = old_book(filler.saved("club.xlsx").read_bytes())
    assert old.content["Players"] == {1: {"name": "Zoë Müller", "rating": 1800}, 2: {"name": "Ben"}}


def test_what_is_not_understood_is_listed_with_its_line(filler: Filler, tmp_path: Path) -> None:
    lines = EVENT.read_text(encoding="utf-8").splitlines()
    lines[12] = lines[12].replace("9 w 1", "9 w X", 1)  # player 1, round 1
    lines[13] = lines[13].replace("   10 b 1", "   77 b 1", 1)  # player 2, round 1
    lines[14] = lines[14][:3] + "x" + lines[14][4:]  # player 3
    lines.append("XXZ 5")
    file = tmp_path / "broken.trf"
    file.write_text("\n".join(lines), encoding="utf-8")
    said = filler.fill(file)
    assert "Line 13: round 1: X:0 is no result 001    1 w IM Lindqvist" in said
    assert "Line 14: round 1: nobody has the number 77 001    2 m IM" in said
    assert "Line 15: letters where no column begins 001x" in said
    assert "Line 22: round 1: the line of the opponent 2 says otherwise" in said
    assert "Line 23: round 1: nobody has the number 3" in said
    assert "Line 29 XXZ 5" in said
    filler.saved("broken.xlsx")


def test_what_has_no_room_is_said(filler: Filler, tmp_path: Path) -> None:
    file = tmp_path / "many.csv"
    file.write_text("name\n" + "\n".join(f"Player {i}" for i in range(201)), encoding="utf-8")
    assert "no room for 201 players" in filler.fill(file)
    assert filler.browser.run("document.querySelector('a[download]')") is None
    assert "no room for 201 players" not in filler.fill(EVENT)


@pytest.mark.slow
@pytest.mark.parametrize("language", cases(CODES, test=("de",)))
@pytest.mark.parametrize("dark", cases((False, True), test=(True,)))
def test_nothing_keeps_people_from_the_page(
    browser: Browser, tmp_path: Path, language: str, dark: bool
) -> None:
    browser.screen(360, 740, dark=dark)
    filler = Filler(browser, tmp_path, language)
    filler.fill(EVENT, PERIOD)
    assert [] == browser.barriers()
    wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    assert not browser.run(wide)
    old = old_book(filler.saved("rivertown-open.xlsx").read_bytes())
    assert old.options.language == language
