"""The front page, in a browser: what it makes is a book that LibreOffice computes."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, Final
from zipfile import ZipFile

import openpyxl
import pytest

from docs_build import DOCS
from elo_xl.addresses import PUBLISHED
from elo_xl.books.texts import texts
from elo_xl.cli import cli
from elo_xl.events.rate import rate
from elo_xl.events.trf import read_trf
from elo_xl.languages import CODES
from elo_xl.publish.fill import front_page, library, uncomputed
from elo_xl.templates.gallery import TEMPLATES, declared, make, options
from elo_xl.templates.opened import old_book
from elo_xl.xlsx.cell_xml import unescaped
from elo_xl.xlsx.in_place import read_parts
from elo_xl.xlsx.opc import sheet_parts
from tests.support import ROOT
from tests.support.browser import Browser
from tests.support.calc import Calc, Values
from tests.support.levels import cases
from tests.support.once import made, once
from tests.support.template_books import sized

EVENT: Final = ROOT / "examples" / "rivertown-open.trf"
SWISS, ROUND_ROBIN, PERIOD, CLUB, CLASS, LEAGUE, LADDER, DOUBLES, NIGHT = BOOKS = (
    "swiss", "round-robin", "rating-period", "club", "class", "league", "ladder", "doubles",
    "game-night",
)  # fmt: skip
MOST: Final = 16
"""players of the books on the page of the tests; all books take an hour"""
LIMIT: Final = 30
"""Seconds within which a book must be filled."""
PASTED: Final = "Moreau, Élise; 2214\nO\u2019Neill Ana 1834\n_x0044_ara\n\n=1+1\x07;1500"
TAKEN: Final = {"Moreau, Élise": 2214, "O\u2019Neill Ana": 1834, "_x0044_ara": None, "=1+1": 1500}


def page(language: str) -> bytes:
    """The page with small books in a language, and in those of every test."""
    spoken = tuple(dict.fromkeys(("en", "de", language)))
    return once(f"page {spoken}", lambda: front_page(library(BOOKS, spoken, MOST)))


def data_of(page: bytes) -> dict[str, Any]:
    """What the script of a page reads."""
    found = re.search(rb'id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


class Filler:
    """The page, and where it saves books."""

    def __init__(self, browser: Browser, home: Path, language: str) -> None:
        self.browser, self.home = browser, home
        file = home / "elo-xl.html"
        file.write_bytes(page(language))
        self.address = file.as_uri()
        browser.open(file)
        browser.ask("Page.setDownloadBehavior", behavior="allow", downloadPath=str(home))
        self.type("language", language, "change")

    def type(self, field: str, value: object, event: str = "input") -> None:
        """Type into a field."""
        self.browser.run(
            f"(e => {{ e.value = {str(value)!r}; e.dispatchEvent(new Event({event!r})) }})"
            f"(document.getElementById({field!r}))"
        )

    def choose(self, book: str) -> None:
        """Choose a book."""
        self.browser.run(
            f"document.querySelector('[value={book}]').click();"
            "document.getElementById('outcome').replaceChildren()"
        )

    def fill(self, file: Path, book: str = SWISS) -> str:
        """Give the page a file; what it says of it."""
        self.choose(book)
        root = self.browser.ask("DOM.getDocument")["root"]["nodeId"]
        field = self.browser.ask("DOM.querySelector", nodeId=root, selector="#file")["nodeId"]
        self.browser.ask("DOM.setFileInputFiles", nodeId=field, files=[str(file)])
        return self.said()

    def ask(
        self, book: str, names: str = "", players: int | None = None, rounds: int | None = None
    ) -> str:
        """Paste names and ask for a book; what the page says of it."""
        self.choose(book)
        for field, value in {"names": names, "players": players, "rounds": rounds}.items():
            self.type(field, value or "")
        self.browser.click(".make")
        return self.said()

    def said(self) -> str:
        """What the page says of a book as soon as it says anything."""
        return str(self.waited("document.getElementById('outcome').innerText"))

    def saved(self, name: str) -> Path:
        """The book that the browser has saved."""
        target, until = self.home / name, time.monotonic() + LIMIT
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
    filler: Filler, usual: Calc, book: str
) -> None:
    said = filler.fill(EVENT, book)
    assert "Players: 16 · Games: 53 · Byes: 3" in said
    assert "Not understood" not in said
    assert ("Line 12 132" in said) == (book == SWISS)  # days of rounds
    for line in ("Line 2 022", "Line 4 042", "Line 5 052", "Line 10 102"):  # place, days, arbiter
        assert (line in said) == (book == PERIOD)
    file = filler.saved("rivertown-open.xlsx")
    if book == PERIOD:
        assert old_book(file.read_bytes()).content["Games"][1]["date"] == 46099
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
        "Elo;Nachname;Vorname;geb.;Verein;Handy",
        '1834;"O""Neill";Ana;03.02.1990;SK Rot;123',
        ";Бог;Пётр;;;",
        "1.650;=1+1;<b>;1971;;",
        "1700;;;;;",
        "",
    ]
    file = tmp_path / "names.csv"
    file.write_text("\r\n".join(lines), encoding="utf-8-sig", newline="")
    said = filler.fill(file, PERIOD)
    assert "Players: 3\n" in said
    assert "Line 5: no name 1700;;;;;" in said
    assert "Line 1: a column that the workbook does not have: Handy" in said
    assert f"Ages are counted from this year, {date.today().year}" in said
    made = filler.saved("names.xlsx")
    cells = [cell for row in openpyxl.load_workbook(made)["Players"].iter_rows() for cell in row]
    prefixed = {cell.value: cell.quotePrefix for cell in cells}
    assert (True, False) == (prefixed["=1+1, <b>"], prefixed["Бог, Пётр"])
    old = old_book(made.read_bytes())
    assert old.content["List_year"] == date.today().year
    assert old.content["Players"] == {
        1: {"name": 'O"Neill, Ana', "rating": 1834, "birth": 1990, "club": "SK Rot"},
        2: {"name": "Бог, Пётр"},
        3: {"name": "=1+1, <b>", "rating": "1.650", "birth": 1971},
    }


@pytest.mark.parametrize(("typed", "read", "said"), [
    ("Open\n1. Zoë 1800\n2. Ben", {"Zoë": 1800, "Ben": None}, "Line 1 Open"),
    ("Open\n\nZoë\nBen\nAl", dict.fromkeys(["Zoë", "Ben", "Al"]), "Line 1 Open"),
    ("Name;DWZ;Elo\nZoë;950;1000", {"Zoë": 1000}, "does not have: DWZ"),
    ("Name;DWZ\nZoë;950\nBo;Unr.", {"Zoë": 950, "Bo": None}, "are those under DWZ. This"),
    ("Name;Zahl;Wertung\nZoë;1;950 - 12", {"Zoë": 950}, "are those under Wertung. This"),
    ("Name;DWZ-Index\nZoë;950", {"Zoë": None}, "does not have: DWZ-Index"),
    ("Zoë Müller\t1800\nBen\n", {"Zoë Müller": 1800, "Ben": None}, ""),
    ("Müller, Zoë 1800\nOtto, Ben\n", {"Müller, Zoë": 1800, "Otto, Ben": None}, ""),
    ("1. Müller, Zoë (1800)\n\n2. Ben - 950", {"Müller, Zoë": 1800, "Ben": 950}, ""),
    ("1. FC Alt 1800\n1. FC Neu 1700", {"1. FC Alt": 1800, "1. FC Neu": 1700}, ""),
    ("1 Zoë Alt\n2 Ben 0\n3 Al (-)", {"Zoë Alt": None, "Ben": None, "Al": None}, ""),
    ("1\tZoë\n2\tBen", {"Zoë": None, "Ben": None}, ""),
    ("Startliste\n1\tZoë\t950\n2\tBo\t900", {"Zoë": 950, "Bo": 900}, "Line 1 Startliste"),
    ("1  Alt, Zoë      950  GER\n2  Ben          900", {"Alt, Zoë": 950, "Ben": 900}, "1 GER"),
    ("First,Last,Rating\nZoë,Alt,950", {"Zoë, Alt": 950}, "no heading for"),
    ("Name\nAlt, Zoë\nBen", {"Alt, Zoë": None, "Ben": None}, ""),
    ("Name,Elo\nAlt, Zoë,950\nBen,900,", {"Alt, Zoë": 950, "Ben": 900}, ""),
    ("Alt, Zoë 950 900", {"Alt, Zoë 950": 900}, "Is this a name? Alt, Zoë 950"),
    ("Adams, Tom;1990", {"Adams, Tom": 1990}, "Are these years of birth? 1990. The page"),
    ("Tom\nN.N.\nTBD", {"Tom": None, "N.N.": None, "TBD": None}, "Is this a name? N.N. · TBD"),
    ("Tom Adams, RT, 1850", {"Tom Adams, RT": 1850}, "Is this a name? Tom Adams, RT"),
    ("• Zoë\n- Ben", {"Zoë": None, "Ben": None}, ""),
    ("Zoë, Ben, Al, Bo", dict.fromkeys(["Zoë", "Ben", "Al", "Bo"]), "Players: 4"),
    ("Иванов Пётр - 1501, 1 разряд", {"Иванов Пётр": 1501}, "Line 1 1 разряд"),
    ("Zoë Alt\tSK Rot\t950\nBen Neu\t\t900", {"Zoë Alt": 950, "Ben Neu": 900}, "1 SK Rot"),
    ("Alt, Zoë\tGER\t950", {"Alt, Zoë": 950}, "Line 1 GER"),
    ("Alt, Zoë;1990;1850", {"Alt, Zoë": None}, "1990;1850\nWithout headings"),
    ("Nr\tZawodnik\tR\n1\tZoë\t950\n2\tBo\t900", {"Zoë": 950, "Bo": 900}, "no heading for"),
    ("Liste\n\nName;Vorname;Elo\nAlt;Zoë;950", {"Alt, Zoë": 950}, "Line 1 Liste"),
    ("Apellidos,Nombre,Elo,Elo\nAlt,Zoë,950,7", {"Alt, Zoë": 950}, "not have: Elo"),
    ("Zoë Alt\nalt, zoe", {"Zoë Alt": None, "alt, zoe": None},
     "one person? Zoë Alt = alt, zoe. If so, write the name alike"),
])  # fmt: skip
def test_lists_of_names_are_read_as_people_write_them(
    filler: Filler, tmp_path: Path, typed: str, read: dict[str, int | None], said: str
) -> None:
    file = tmp_path / "club.txt"
    file.write_bytes(typed.encode("utf-16" if "р" in typed else "cp1252"))
    assert said in filler.fill(file)
    old = old_book(filler.saved("club.xlsx").read_bytes())
    assert {row["name"]: row.get("rating") for row in old.content["Players"].values()} == read


@pytest.mark.parametrize(("book", "typed", "read", "said"), [
    (LEAGUE,
     "Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR\n08/09/2026,Reds,Blues,2,1,H\n20/09/2026,Blues,Reds,,,",
     [[46273, "Reds", "Blues", 2, 1], [46285, "Blues", "Reds"]],
     "Line 1: a column that the workbook does not have: FTR"),
    (LEAGUE, "Heim;Gast;Ergebnis\nRot;Blau;0:3\nGrün;Rot;x",
     [["Rot", "Blau", 0, 3], ["Grün", "Rot"]], "Line 3 Grün;Rot;x"),
    (LEAGUE, "Date,Home,Away\n8/9/2026,A,B", [["8/9/2026", "A", "B"]], "Line 2: is the day or"),
    (LEAGUE, "Gesendet,Home,Away\n11/3/2026 20:14:22,A,B\n11/17/2026 9:05:00,B,A",
     [[46329, "A", "B"], [46343, "B", "A"]], "Games: 2\n"),
    (LEAGUE, "Date,Home,Away\n01/08/2026 15:00,A,B\n13/09/2026 15:00,B,A",
     [[46235, "A", "B"], [46278, "B", "A"]], "Games: 2\n"),
    (LEAGUE, "Date,Home,Away\n46329.5,A,B\n8/9/26,B,A", [[46329, "A", "B"], ["8/9/26", "B", "A"]],
     "Line 3: is the day or"),
    (LADDER, "Winner,Loser\nAmy,Ben\nBen,", [["Amy", "Ben", 1]], "Line 3: no name Ben,"),
    (LADDER, "Winner,Loser\nAmy,Ben\nBen,bye", [["Amy", "Ben", 1]], "no name Ben,bye"),
    (LADDER, "Player 1,Player 2,Score\nAmy,Ben,11:7", [["Amy", "Ben", "11:7"]], "Games: 1"),
    (LADDER, "Winner,Loser,Score\nAmy,Ben,4-6 2-6", [["Amy", "Ben", "2:0"]], "Games: 1"),
    (LADDER, "Team A,Team B,Score\nA & B,C & D,3:1", [["A & B", "C & D", "3:1"]], "Games: 1"),
    (LADDER, "1st,2nd,3rd\nAmy,Ben,Cy", [], "takes no such games"),
    (DOUBLES,
     "Date,Team A,Team B,Score\n2026-11-03,Amy & Ben,Cy и Öz,21:15\n,Cy,Amy,\n,A/B/C,D,1:0",
     [[46329, "Amy", "Ben", "Cy", "Öz", 21, 15], ["Cy", "Amy"], ["A", "B", "D", 1, 0]],
     "Players: 8 · Games: 3\n"),
    (DOUBLES, "Us;Them;Points\nAmy/Ben;Cy/Dee;2-1", [["Amy", "Ben", "Cy", "Dee", 2, 1]],
     "Players: 4"),
    (DOUBLES, "Amy & Ben,Cy & Dee,21:15", [], "Are these games? Write headings on top"),
    (DOUBLES, "Winner 1,Winner 2,Loser 1,Loser 2\nAmy,Ben,Cy,Dee\nCy,,Amy,",
     [["Amy", "Ben", "Cy", "Dee", 1, 0], ["Cy", "Amy", 1, 0]], "Players: 4 · Games: 2\n"),
    (NIGHT, "Date,1st,2nd,3rd,4th\n3.11.2026,Amy,=Ben,Cy,\n,Cy,,Amy,\n,Dee,Ben,,",
     [[46329, "Amy", 1, "Ben", 1, "Cy", 3], ["Dee", 1, "Ben", 2]], "Line 3: no name ,Cy,,Amy,"),
    (NIGHT,
     ("date,player,place\n2026-11-03,Ben,2\n2026-11-03,Amy,1\n2026-11-03,Cy,=2\n,Amy,1\n,Ben,1\n"
      ",Cy,2"), [[46329, "Amy", 1, "Ben", 2, "Cy", 2]], "Line 5: one table or several?"),
    (NIGHT, "Tisch;Spieler;Punkte\n1;Amy;30\n1;Ben;42\n2;Amy;3", [["Ben", 1, "Amy", 2]],
     "Line 4: no name"),
    (NIGHT, "Winner;Zweite;Third place\nAmy;=Ben;Cy", [["Amy", 1, "Ben", 1, "Cy", 3]], "es: 1"),
    (NIGHT, "Player 1,Player 2,Score\nAmy,Ben,11:7", [], "takes no such games"),
    (NIGHT, "Date;Amy;Bo;Cy\n2026-11-03;-1;4;4\nTotal;-1;4;4\n2026-11-04;7;9;",
     [[46329, "Bo", 1, "Cy", 1, "Amy", 3], [46330, "Bo", 1, "Amy", 2]], "Line 3: no name Total"),
    (NIGHT, "Round;Amy;Bo;Cy\n1;2;1;3\n2;1;;2",
     [["Bo", 1, "Amy", 2, "Cy", 3], ["Amy", 1, "Cy", 2]], "ers: 3 · Games: 2\n"),
    (LADDER, "Match;Score\nAmy - Ben;11:7", [["Amy", "Ben", "11:7"]], "Games: 1\n"),
    (DOUBLES, "A & B vs C & D 2:1", [["A", "B", "C", "D", 2, 1]], "Players: 4 · Games: 1\n"),
    (LADDER, "Winner,Loser,Score,Draw\nA,B,4-6 1-2 ret.,\nA,B,,yes\nA,B,W.O.,",
     [["A", "B", 1], ["A", "B", "½"], ["A", "B", "+"]], "Games: 3\n"),
    (LEAGUE, "Home,Away,HG,AG,Status\nA,B,0,0,postponed\nB,A,0,3,awarded\nA,C,1,1,a.e.t.",
     [["A", "B"], ["B", "A"], ["A", "C", 1, 1]], "Not in the workbook\nLine 3 B,A,0,3,awarded"),
    (SWISS, "Round,White,Black,Result,Note\n1,A,B,1-0,forfeit\n1,C,D,postponed,",
     [[1, "+", 2], [3, 4]], "Games: 2"),
    (NIGHT, "1st,2nd,4th\nAmy,Ben,Cy", [], "Without headings"),
    (LADDER, "First,Second,Third,Score\nAmy,Ben,Cy,2:1", [["Amy", "Ben", "2:1"]], "Games: 1"),
    (PERIOD, "Blancs;Noirs;Résultat\nA;B;½-½", [["A", "B", "½"]], "Players: 2"),
    (SWISS, "Round,White,Black,Result\n2,A,C,0-1\n1,A,B,1", [[1, 1, 3], [1, 0, 2]], "Games: 2"),
    (SWISS, "White,Black,Result\nA,B,1", [], "add a column Round"),
])  # fmt: skip
def test_lists_of_games_become_games(
    filler: Filler, tmp_path: Path, book: str, typed: str, read: list[list[object]], said: str
) -> None:
    file = tmp_path / "games.csv"
    file.write_text(typed, encoding="utf-8")
    assert said in filler.fill(file, book)
    content = old_book(filler.saved("games.xlsx").read_bytes()).content
    lines = content.get("Pairings" if book == SWISS else "Games", {}).values()
    assert [list(row.values()) for row in lines] == read


@pytest.mark.parametrize(
    ("book", "typed", "listed"),
    [
        (SWISS, "Al 900\nBea\nCy 1850\nDov 900", ["Cy", "Al", "Dov", "Bea"]),
        (SWISS, "Name;Elo\nAl;1200\nCy;1850", ["Cy", "Al"]),
        (SWISS, "Cy 1850\nAl 1200\nBea", None),
        (SWISS, "No;Name;Elo\n1;Al;1200\n2;Cy;1850", None),
        (SWISS, "1. Al 1200\n2. Cy 1850", None),
        (CLUB, "Al 1200\nCy 1850", None),
    ],
)
def test_a_swiss_numbers_players_by_their_ratings(
    filler: Filler, tmp_path: Path, book: str, typed: str, listed: list[str] | None
) -> None:
    file = tmp_path / "names.csv"
    file.write_text(typed, encoding="utf-8")
    said = filler.fill(file, book)
    assert ("The players are in the order of their ratings now." in said) == (listed is not None)
    old = old_book(filler.saved("names.xlsx").read_bytes())
    (people,) = old.book.commands.players
    names = [row["name"] for row in old.content[people].values()]
    assert names == (listed or re.findall("Al|Bea|Cy", typed))


def test_a_workbook_is_no_list_of_names(filler: Filler, tmp_path: Path) -> None:
    file = tmp_path / "names.xlsx"
    file.write_bytes(b"PK\x03\x04\x14\x00")
    assert "save it as CSV" in filler.fill(file)
    assert not filler.browser.run("document.getElementById('names').value")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("book", "file", "sheet", "listed"),
    [
        (CLUB, "Club book.xlsx", "Rating list", sorted(TAKEN, key=lambda n: -(TAKEN[n] or 0))),
        (CLASS, "Games in class.xlsx", "Pupils", list(TAKEN)),
    ],
)
def test_pasted_names_are_those_that_libreoffice_shows(
    filler: Filler, usual: Calc, book: str, file: str, sheet: str, listed: list[str]
) -> None:
    assert "Players: 4" in filler.ask(book, PASTED)
    made = filler.saved(file)
    old = old_book(made.read_bytes())
    (people,) = old.book.commands.players
    rows = old.content[people].values()
    assert {row["name"]: row.get("standard", row.get("rating")) for row in rows} == TAKEN
    # what a formula gives openpyxl leaves as the file has it
    found = map(str, usual.recalculate(made)[sheet].values())
    shown = (value if value in TAKEN else unescaped(value) for value in found)
    assert [value for value in shown if value in TAKEN] == listed


@pytest.mark.parametrize(("players", "rounds", "size"), [(0, 0, 16), (9, 0, 12), (0, 7, 8)])
def test_the_smallest_book_with_room_is_made(
    filler: Filler, players: int, rounds: int, size: int
) -> None:
    said = filler.ask(SWISS, players=players, rounds=rounds)
    assert f"This workbook: {size} players, 7 rounds" in said
    note = filler.browser.run("document.getElementById('note').innerText")
    assert f"Largest workbook of this kind: {MOST} players, 7 rounds" in note
    options = old_book(filler.saved("Swiss system.xlsx").read_bytes()).options
    assert (options.players, options.rounds) == (size, 7)


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_book_without_entries_is_that_of_the_command(
    browser: Browser, tmp_path: Path, language: str
) -> None:
    filler = Filler(browser, tmp_path, language)
    browser.click(f"#all button:nth-child({BOOKS.index(CLASS) + 1})")
    filler.said()
    title = TEMPLATES[CLASS].say("title", language)
    with ZipFile(filler.saved(f"{title}.xlsx")) as saved:
        parts = {name: saved.read(name) for name in saved.namelist()}
    wanted = read_parts(make(CLASS, options(CLASS, language=language)))
    wanted = uncomputed(wanted, sheet_parts(wanted))
    assert parts.keys() == wanted.keys()
    assert ["xl/styles.xml"] == [name for name in parts if parts[name] != wanted[name]]


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
    file.write_text("name\n" + "\n".join(f"Player {i}" for i in range(MOST + 1)), encoding="utf-8")
    said = filler.fill(file)
    assert "no room for 17 players" in said
    assert "needs Python, makes a larger one: elo-xl new swiss --players 17 -o swiss.xlsx" in said
    assert filler.browser.run("document.querySelector('a[download]')") is None
    assert "No workbook is larger. The command elo-xl rate" in filler.ask(SWISS, players=201)
    assert "0 games in 8 rounds" in (said := filler.ask(SWISS, rounds=8))
    assert "elo-xl new swiss --rounds 8 -o swiss.xlsx" in said
    filler.type("rounds", "")
    assert "no room" not in filler.fill(EVENT)


@pytest.mark.slow
@pytest.mark.parametrize("language", cases(CODES, test=("de",)))
@pytest.mark.parametrize("dark", cases((False, True), test=(True,)))
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_keeps_people_from_the_page(
    browser: Browser, tmp_path: Path, language: str, dark: bool, width: int
) -> None:
    browser.screen(width, 740, dark=dark)
    filler = Filler(browser, tmp_path, language)
    filler.fill(EVENT, PERIOD)
    assert [] == browser.barriers()
    wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    assert not browser.run(wide)
    old = old_book(filler.saved("rivertown-open.xlsx").read_bytes())
    assert old.options.language == language


def test_a_book_says_what_needs_the_command(filler: Filler) -> None:
    """There where it is chosen: before somebody has made one."""
    said = dict(
        filler.browser.run(
            "[...document.querySelectorAll('#books label + p')]"
            ".map(p => [p.previousSibling.querySelector('b').innerText, p.innerText])"
        )
    )
    assert ["Swiss system", "Club book", "League"] == list(said)
    assert said["Swiss system"].startswith("You type the pairings of each round")
    assert "elo-xl" in said["Club book"]
    assert "elo-xl odds" in said["League"]
    for say in map(texts, CODES):
        assert say("rating-period.title") in say("fill.closing")


def test_no_book_is_made_that_nobody_has_chosen(filler: Filler) -> None:
    filler.browser.run("document.querySelector('.make').click()")
    assert "" == filler.browser.run("document.getElementById('outcome').innerText")
    assert filler.browser.run("document.querySelector('[name=book]:invalid') !== null")


def test_the_first_round_of_a_swiss_is_paired_if_asked_for(filler: Filler) -> None:
    """By ratings, also where a list has numbers; the last of an odd number has a bye."""
    filler.choose(SWISS)
    filler.browser.click("#first")
    filler.ask(SWISS, "1. Al 1200\n2. Cy 1850\n3. Bea\n4. Dov 1500\n5. Eva 1300")
    old = old_book(filler.saved("Swiss system.xlsx").read_bytes())
    names = [row["name"] for row in old.content["Players"].values()]
    assert ["Cy", "Dov", "Eva", "Al", "Bea"] == names
    lines = [
        tuple(row.get(key) for key in ("white", "black", "result"))
        for row in old.content["Pairings"].values()
    ]
    assert [(1, 3, None), (4, 2, None), (5, None, "bye")] == lines


def test_links_lead_to_pages_of_the_site() -> None:
    none = {"books": {}, "pieces": "", "names": dict.fromkeys(CODES, "")}
    data = [data_of(front_page(none, alone=alone)) for alone in (False, True)]
    pages = [each["links"] for each in data]
    assert {code: bool(PUBLISHED) * links for code, links in pages[0].items()} == pages[1]
    for links in pages[0].values():
        assert [] == [to for _, to in links if not (DOCS / to).with_suffix(".md").exists()]


def test_the_page_in_the_repository_has_every_book() -> None:
    """In English and for few; between releases its books may be older than the code."""
    kept = (ROOT / "workbooks" / "elo-xl.html").read_bytes()
    data = data_of(kept)
    assert set(TEMPLATES) == set(data["books"])
    assert ["en"] == list(data["names"])
    assert len(kept) < 2_000_000
