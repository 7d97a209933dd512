"""The page of a league that lives on a form, in a browser: it has the numbers of the functions."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import time
from collections.abc import Iterator
from datetime import date, timedelta
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Final
from urllib.parse import urlencode

import pytest

import elo_xl
from elo_xl.books.texts import texts
from elo_xl.events.table import game_column
from elo_xl.languages import CODES
from elo_xl.publish.league import KINDS, League
from elo_xl.publish.live import live_page
from tests.support import ROOT
from tests.support.browser import Browser
from tests.support.command import invoke
from tests.support.levels import cases

call: Any = elo_xl.worksheet

LIMIT: Final = 30
"""Seconds within which the answers must be rated."""
TABLES: Final = """
[...document.querySelectorAll('#league table')].map(
  t => [...t.rows].map(r => [...r.cells].map(c => c.innerText.trim())))
"""
FOUL: Final = "<img src=x onerror=alert(1)>"
QUOTED: Final = re.compile(r"[“„«]\s*([^“”«»]+?)\s*[”“»]")
PEOPLE: Final = ("Ana", "Bo Lund", "Cy", "Дина", "Eß", FOUL)


class _Quiet(SimpleHTTPRequestHandler):
    def end_headers(self) -> None:
        """Let the browser keep nothing: pages change within a second here."""
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Web:
    """A web space with pages and answers."""

    def __init__(self, browser: Browser, home: Path, address: str) -> None:
        self.browser, self.home, self.address = browser, home, address

    def open(self, answers: str, language: str = "en", **settings: Any) -> None:
        """Open the page with the answers beside it."""
        (self.home / "answers.csv").write_text(answers, encoding="utf-8")
        settings = {"csv": "answers.csv"} | settings
        page = live_page(League(**settings), language)
        (self.home / "league.html").write_bytes(page)
        self.browser.open(f"{self.address}/league.html")
        self.waited()

    def waited(self) -> str:
        """What the page says of the answers, as soon as it has read them."""
        until, said = time.monotonic() + LIMIT, ""
        while not re.search(r"\w[^…]*$", said) and time.monotonic() < until:
            said = self.browser.run("document.getElementById('status').textContent")
        return said

    def tables(self) -> list[list[list[str]]]:
        """The standings and the last games as they are shown, with their headings."""
        tables: list[list[list[str]]] = self.browser.run(TABLES)
        return tables

    def unread(self) -> list[str]:
        """The lines that do not count."""
        items = "[...document.querySelectorAll('#unread li')].map(i => i.textContent)"
        lines: list[str] = self.browser.run(items)
        return lines


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    home = tmp_path_factory.mktemp("web")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(home))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield home, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def web(browser: Browser, served: tuple[Path, str]) -> Iterator[Web]:
    """The web space; the page may ask it for the answers, and nobody for anything else."""
    web = Web(browser, *served)
    yield web
    assert all(url.startswith((f"{web.address}/", "data:,")) for url in browser.requests())
    assert [] == browser.complaints()


def table(*rows: tuple[object, ...]) -> str:

    file = io.StringIO()
    csv.writer(file).writerows(rows)
    return file.getvalue()


# -- the numbers are those of the functions -------------------------------------------------------


FIRST_DAY: Final = date(2026, 10, 5)


def day(number: int) -> date:
    """The day of a game: three a day, every other day."""
    return FIRST_DAY + timedelta(2 * (number // 3))


def standings(
    rows: list[list[Any]], old: list[list[Any]], start: float, counts: Any
) -> list[list[str]]:
    """What a page shows of a table, and of the one before its last week."""
    places = {row[0]: place for place, row in enumerate(old, start=1)}
    was = {row[0]: row[1] for row in old}
    shown = []
    for place, row in enumerate(rows, start=1):
        moved = places.get(row[0], 0) - place
        change = round(row[1] - was.get(row[0], start), 1)
        arrow = "new" if row[0] not in places else marked(moved, f"{abs(moved)}") if moved else ""
        change = marked(change, f"{change:+.1f}".replace("-", "−")) if change else "0.0"
        shown.append([str(place), arrow, row[0], f"{row[1]:.0f}", change, *counts(row)])
    return shown


def marked(sign: float, text: str) -> str:
    return f"{'▲' if sign > 0 else '▼'} {'up' if sign > 0 else 'down'} {text}"


def flat(rows: list[list[str]]) -> list[list[str]]:
    return [[" ".join(cell.split()) for cell in row] for row in rows]


def of_ladder(row: list[Any]) -> list[str]:
    return [f"{row[2]:.0f}", f"{100 * (row[3] + row[4] / 2) / row[2]:.0f}"]


SETTINGS: Final = [{}, {"k": 32, "start": 1200, "model": "logistic:300", "margin": "log"}]


@pytest.mark.parametrize("settings", SETTINGS)
def test_a_ladder_has_the_numbers_of_the_functions(web: Web, settings: dict[str, Any]) -> None:
    chance = random.Random(48)
    games: list[list[Any]] = []
    lines = []
    for number in range(40):
        one, two = chance.sample(PEOPLE[: 5 + number // 30], 2)
        points = chance.sample(range(12), 2) if number % 9 else [5, 5]
        games.append([one, two, (points[0] > points[1]) + (points[0] == points[1]) / 2,
                      abs(points[0] - points[1])])  # fmt: skip
        lines.append((f"{day(number):%m/%d/%Y} 19:05:00", one, points[0], two, points[1]))
    web.open(
        table(("Timestamp", "Player 1", "Points 1", "Player 2", "Points 2"), *lines), **settings
    )
    assert [] == web.unread()
    league = League(**settings)
    options = league.k, league.start, 0, league.model, False, league.margin
    week = sum(day(number) <= day(39) - timedelta(7) for number in range(40))
    ranked, old = (call("ELO_LADDER", games[:n], *options) for n in (40, week))
    shown, last = web.tables()
    assert ["Place ↑", "▲▼", "Name", "Rating", "Change", "Games", "%"][1:] == shown[0][1:]
    assert standings(ranked, old, league.start, of_ladder) == flat(shown[1:])
    assert web.browser.run("document.querySelector('#league img')") is None  # a name is a text

    run = call("ELO_RUN", games, *options[:4], league.margin)
    now: dict[str, list[float]] = {name: [league.start] for name in PEOPLE}
    for (one, two, *_), (new_one, new_two) in zip(games, run, strict=True):
        now[one].append(new_one)
        now[two].append(new_two)
    assert len(last) == 1 + 20
    assert f"{day(39)}" == last[1][0]
    for name in games[-1][:2]:
        change = now[name][-1] - now[name][-2]
        told = marked(change, f"{change:+.1f}".replace("-", "−"))
        assert f"{name} {told}" in " ".join(last[1][1].split())
    web.browser.run("document.querySelectorAll('.player')[2].click()")
    points = web.browser.run("document.querySelector('#card polyline').points.length")
    ratings = "[...document.querySelectorAll('#card tbody tr')].map(r => r.cells[1].textContent)"
    curve = now[ranked[2][0]][:0:-1]
    assert [f"{rating:.0f}" for rating in curve] == web.browser.run(ratings)
    assert len(curve) == points


TEAMS: Final = [(("Ana", "Bo"), ("Cy", "Di"), 6, 3), (("Ana", "Cy"), ("Bo", "Di"), 2, 6),
                (("Di", ""), ("Cy", ""), 6, 0), (("Bo", "Ana"), ("Di", "Ed"), 4, 6)]  # fmt: skip


@pytest.mark.parametrize(
    ("head", "line"),
    [
        ("Team 1, Score 1, Team 2, Score 2", lambda a, b, p, q: (_side(a), p, _side(b), q)),
        ("Seite A, Partner A, Seite B, Partner B, Ergebnis",
         lambda a, b, p, q: (*a, *b, f"{p}:{q}")),
        ("Winner 1, Winner 2, Loser 1, Loser 2, Score",
         lambda a, b, p, q: (*(a + b if p > q else b + a), f"{max(p, q)}-{min(p, q)}")),
        ("A1, A2, B1, B2, Winner", lambda a, b, p, q: (*a, *b, _side(a if p > q else b))),
        ("Équipe 1 joueur 1, Équipe 1 joueur 2, Équipe 2 joueur 1, Équipe 2 joueur 2, Vainqueur",
         lambda a, b, p, q: (*a, *b, _side(a if p > q else b))),
    ],
)  # fmt: skip
def test_doubles_have_the_numbers_of_the_functions(web: Web, head: str, line: Any) -> None:
    web.open(table(tuple(head.split(", ")), *(line(*game) for game in TEAMS)), game="doubles", k=24)
    assert [] == web.unread()
    games = [[_side(a), _side(b), int(p > q)] for a, b, p, q in TEAMS]
    ranked = call("ELO_LADDER", games, 24, None, None, None, None, None, None, None, "&")
    shown, last = web.tables()
    expected = [[row[0], f"{row[1]:.0f}", *of_ladder(row)] for row in ranked]
    assert expected == [row[1:] for row in shown[1:]]  # without days nothing has moved
    assert "Di" in last[1][1]
    assert "Ed" in last[1][1]


def _side(players: tuple[str, str]) -> str:
    return " & ".join(filter(None, players))


@pytest.mark.parametrize(
    "head",
    [
        "1st place, 2nd place, 3rd place, 4th place",
        "1-е место, 2-е место, 3-е место, 4-е место",
        "1er puesto, 2.º puesto, 3er puesto, 4.º puesto",
        "Winner, Second, Dritter Platz, Quatrième",
    ],
)
def test_tables_have_the_numbers_of_the_functions(web: Web, head: str) -> None:
    tables = [("Ana", "Bo", "Cy", "Di"), ("Cy", "Di=", "Ana", ""), ("Di", "Ana", "Ed", "Cy")]
    lines = [(f"{day(3 * n):%d.%m.%Y}", *names) for n, names in enumerate(tables)]
    web.open(table(("Datum", *head.split(", ")), *lines), game="tables")
    assert [] == web.unread()
    ranked, old = (
        call("ELO_PLACES", [list(names) for names in tables[:n]], None, None, "logistic")
        for n in (3, 2)
    )
    shown = web.tables()[0]

    def counts(row: list[Any]) -> list[str]:
        return [f"{row[2]:.0f}", f"{row[3]:.0f}", f"{row[4]:.1f}"]

    assert standings(ranked, old, 1500, counts) == flat(shown[1:])


# -- lists are read as the command reads them -----------------------------------------------------

LISTS: Final[dict[str, tuple[str, str, list[int]]]] = {
    "doubles in one cell": (
        "doubles",
        "Match;Score / A & B vs C & D;21:15 / A & C vs. B & D;15:21 / D & B VS A & C;21:3",
        [],
    ),
    "a dash between two": (
        "ladder",
        "Date;Match;Result / 2026-03-01;A - B;2:1 / 2026-03-02;B – C;1:1 / 2026-03-08;C x A;0:3",
        [],
    ),
    "a word between two, and the winner": (
        "ladder",
        "Partie;Gewinner / Ana gegen Bo;Ana / Bo gegen Cy;remis / Cy gegen Ana;Ana",
        [],
    ),
    "no headings": ("doubles", "A & B vs C & D, 21:15 / A & C vs B & D, 15:21", []),
    "places in a column for each": (
        "tables",
        "Date;Ana;Bo;Cy / 2026-03-01;1;3;2 / 2026-03-02;2.;1;=2 / 2026-03-09;1;;2",
        [],
    ),
    "points in a column for each": (
        "tables",
        "Round;Ana;Bo;Cy;Di / 1;30;-4;2; / 2;25;12,5;25;8 / Total;55;8,5;27;8 / 3;1;2;;3",
        [4],
    ),
    "many in a line each": (
        "tables",
        "Race;Driver;Points"
        + "".join(f" / {r};D{(r * 7 + n * 5) % 12};{15 - n}" for r in (1, 2) for n in range(12)),
        [],
    ),
    "notes in a column": (
        "ladder",
        (
            "Home;Away;HG;AG;Status / A;B;2;1; / B;C;0;0;postponed / C;A;3;0;awarded"
            " / C;A;0;0;not played / C;B;1;0;abandoned / C;B;1;0;postponed / A;B;2;2;a.e.t."
            " / A;B;0;0;forfeit / C;A;1;1;awarded"
        ),
        [3, 4, 5, 6, 9],
    ),
    "notes beside results": (
        "ladder",
        (
            "Home;Away;Result / A;B;2:1 / B;C;verlegt / C;A;3:0 (awarded) / C;A;not played"
            " / C;B;1:0 n.V. / C;B;W.O. / A;B;0-0 a.e.t."
        ),
        [3, 4, 5, 7],
    ),
    "draws in a column": (
        "ladder",
        (
            "Winner;Loser;Score;Draw / A;B;21:15;no / A;C;;yes / B;C;10:10;да / C;A;6-4 2-1 ret.;"
            " / C;B;W.O.; / C;B;3-0 awarded; / B;C;6-4 6-3;1"
        ),
        [6, 7],
    ),
    "games that were broken off": (
        "ladder",
        (
            "Player 1;Player 2;Score;Winner;Note / Ana;Bo;2-6 1-0 ret.;Ana;good / Bo;Ana;;Bo;"
            " / Cy;Bo;1-0;Cy;abandoned"
        ),
        [],
    ),
    "who is nobody": (
        "ladder",
        "Player 1;Player 2;Score / Ana;Bo;2:1 / Cy;bye;1:0 / Bo;Cy;1:1 / Ana;(not paired);1:0",
        [3, 5],
    ),
    "who was absent": (
        "tables",
        "Date;Ana;Bo;Cy;Di / 2026-03-01;1;2;absent;3 / 2026-03-02;2;-;bye;1",
        [],
    ),
    "home, draw, away": (
        "ladder",
        "Home;Away;FTR / Ana;Bo;H / Bo;Cy;D / Cy;Ana;A / Cy;Bo;postponed / Ana;Bo;",
        [5, 6],
    ),
    "chess": (
        "ladder",
        "White;Black;Result;Note / A;B;1-0; / B;C;1-0;forfeit / C;A;½;played late",
        [3],
    ),
}


@pytest.mark.parametrize(("game", "answers", "unread"), LISTS.values(), ids=LISTS)
def test_a_page_reads_a_list_as_the_command_does(
    web: Web, tmp_path: Path, game: str, answers: str, unread: list[int]
) -> None:
    file, answers = tmp_path / "list.csv", answers.replace(" / ", "\n")
    file.write_text(answers, encoding="utf-8")
    done = invoke("rate", file, "--json", "--dry-run")
    assert 0 == done.exit_code, done.output
    web.open(answers)
    head, *rows = web.tables()[0]
    shown = {row[head.index("Name")]: row for row in rows}
    counts = head.index("Tables" if game == "tables" else "Games")
    assert {
        player["name"]: [f"{player['rating']:.0f}", f"{player['games']}"]
        for player in json.loads(done.stdout)["players"]
        if player["games"]
    } == {name: [row[head.index("Rating")], row[counts]] for name, row in shown.items()}
    assert unread == [int(re.findall(r"\d+", line)[0]) for line in web.unread()]


@pytest.mark.parametrize(
    ("game", "answers", "said"),
    [
        ("ladder", "Match;Score / Ana - Bo;2:1 / Cy;1:0", "They are called: Match · Score"),
        ("tables", "Date;Wins;Draws;Losses / 2026-03-01;1;3;2", "Wins · Draws"),
        ("tables", "Date;Ana;Bo;Cy / 2026-03-01;1;3;x", "Columns: Date · Ana · Bo · Cy"),
        ("tables", "Date;Ana;Bo;1 / 2026-03-01;1;3;2", "Columns: Date · Ana · Bo · 1"),
        ("tables", "Date;Player;Place / 2026-03-01;Ana;1 / 2026-03-01;Ana;2", "Not understood: 1"),
        ("tables", "Table;Name;Place / 1;Ana;1 / 1;Bo;2 / 1;;3", "Not understood: 1"),
        ("tables", "Table;Name;Points / 1;Ana;7 / 1;Bo;7:5", "Not understood: 1"),
    ],
)
def test_what_may_be_something_else_is_not_guessed(
    web: Web, game: str, answers: str, said: str
) -> None:
    web.open(answers.replace(" / ", "\n"), game=game)
    assert said in web.waited()
    assert [] == web.tables()


# -- what forms are like --------------------------------------------------------------------------

FORMS: Final = [
    "Zeitstempel,Spieler 1,Punkte 1,Spieler 2,Punkte Spieler 2\n28.11.2026 17:40:12,Ana,11,Bo,7",
    "Marca temporal;Jugador 1;Jugador 2;Resultado\n28/11/2026 17:40:12;Ana;Bo;11-7",
    "Horodateur,Vainqueur,Perdant\n28/11/2026 17:40:12,Ana,Bo",
    "Carimbo de data/hora,Jogador 1,Jogador 2,Quem ganhou?\n28/11/2026 17:40:12,Ana,Bo,ana",
    "Отметка времени\tИгрок 1\tИгрок 2\tКто выиграл?\n28.11.2026 17:40:12\tAna\tBo\tИгрок 1",
    (
        "ID,Start time,Completion time,Name,Winner,Loser,Comments\n"
        '1,11/27/2026 17:38:00,11/28/2026 17:40:12,Zoë,Ana,Bo,"well, ""well""\nplayed"'
    ),
    "Timestamp,Player,Opponent,Score,Score\n2026/11/28 5:40:12 PM GMT+1,Ana,Bo,2,0",
    "White,Black,Result,Date\nAna,Bo,1-0,2026-11-28",
    "Date,Player 1,Player 2,Result\n2026-11-28,Ana,Bo,6-4 3-6 7-6(5)",
    "Timestamp,Winner,Loser,Date\n28/11/2026 17:40:12,Ana,Bo,",
    "Date,Home,Away,Result\n2026-11-28,Bo,Ana,A",
    "Date,Heim,Gast,1X2\n28.11.2026,Bo,Ana,2",
]


@pytest.mark.parametrize("form", FORMS)
def test_answers_of_any_form_are_read(web: Web, form: str) -> None:
    web.open(form)
    assert [] == web.unread()
    shown, last = web.tables()
    assert [["Ana", "1510"], ["Bo", "1490"]] == [row[1:3] for row in shown[1:]]
    assert "2026-11-28" == last[1][0]


def test_what_is_not_understood_is_listed_with_its_line(web: Web) -> None:
    head = "Player 1", "Player 2", "Points 1", "Points 2", "Result", "Who won?"
    wrong = {
        "a name is missing": ("Ana", "", 1, 0),
        "A player stands there twice": ("Ana", "ANA", 1, 0),
        "the points of one side are missing or no number": ("Ana", "Bo", 3),
        "so is no result": ("Ana", "Bo", "", "", "so"),
        "2026-03-01 is no result": ("Ana", "Bo", "", "", "2026-03-01"),
        "no result": ("Ana", "Bo"),
        "Cy is neither of the two": ("Ana", "Bo", "", "", "", "Cy"),
    }
    otherwise = [("Ana", "Bo", 3, 1, "", "Bo"), ("Ana", "Bo", "", "", "0", "Ana")]
    web.open(table(head, *wrong.values(), *otherwise, ("Ana", "Bo", 3, 1, "", "Player 1")))
    said = "the result says that the other side has won"
    lines = enumerate([*wrong.items(), *((said, line) for line in otherwise)], start=2)
    told = [f"Line {at}: {why} {','.join(map(str, cells))}" for at, (why, cells) in lines]
    assert told == web.unread()
    assert "Games: 1 · Not understood: 9" == web.waited()
    web.open("Player 1,Player 2,Who won?\nAna,Bo,Bo\nAna,Bo,Tie", margin="goals")
    assert ["Line 2: without points nobody knows how clear the win was Ana,Bo,Bo"] == web.unread()
    web.open("Winner,Partner 1,Loser,Partner 2,Score\n,Ana,Bo,,2:1\nAna,,Bo,,1:2", game="doubles")
    assert ["Line 2: a name is missing ,Ana,Bo,,2:1"] == web.unread()
    web.open("Winner;Loser\nAna/Bo;Cy & Di\nAna & Bo;Cy\nAna, Bo;Cy", game="doubles")
    why = "write & between two players"
    assert [f"Line 2: Ana/Bo: {why} Ana/Bo;Cy & Di", f"Line 4: Ana, Bo: {why} Ana, Bo;Cy"] == (
        web.unread()
    )


def test_names_that_may_be_one_person_s_are_shown(web: Web) -> None:
    web.open("Winner,Loser\nZoë Alt,Bo\nALT ZOE,Cy\nbo,Cy")
    said = web.browser.run("document.querySelector('#league').innerText")
    assert "Is this one person? Zoë Alt = ALT ZOE. If so," in said


@pytest.mark.parametrize(
    ("answers", "many"),
    [
        ("Date,Winner,Loser\n{0} 18:00,Ana,Bo\n{0} 18:00,Ana,Bo\n{0} 19:00,Ana,Bo", 1),
        ("Winner,Loser\nAna,Bo\nAna,Bo\nBo,Ana", 0),
        ("Winner,Loser\nAna,Bo\nAna,Bo", 1),
    ],
)
def test_games_that_stand_there_twice_are_said(web: Web, answers: str, many: int) -> None:
    web.open(answers.format("2026-03-07"))
    said = web.browser.run("document.querySelector('#league').innerText")
    told = f"more than once: {many}, such as Ana – Bo. All count." in said
    assert bool(many) == told == ("more than once" in said)


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ("Name,Colour\nAna,red", "“Loser”. They are called: Name · Colour"),
        ("Player 1,Player 2\nAna,Bo", "“Points 2”. They are called: Player 1 · Player 2"),
        ("PK\x03\x04\x14", "This is a workbook: copy its cells"),
        ("<!doctype html><title>Sign in</title>", "This is a web page and not CSV"),
        ("", "There are no answers yet."),
        ("Winner,Loser\n", "There are no answers yet."),
    ],
)
def test_answers_of_something_else_are_refused(web: Web, answers: str, said: str) -> None:
    web.open(answers)
    assert said in web.waited()
    assert [] == web.tables()


@pytest.mark.parametrize("language", CODES)
def test_the_headings_that_a_page_proposes_are_understood(language: str) -> None:
    say = texts(language)
    proposed = [
        [game_column(word) for word in QUOTED.findall(say(f"live.{key}"))]
        for key in ("no_players", "no_result")
    ]
    sides = ["first", "second", "first", "second", "white", "black", "winner", "loser"]
    assert [sides, ["result", "winner", "first points", "second points"]] == proposed


@pytest.mark.parametrize("language", CODES)
def test_the_questions_that_a_page_proposes_tell_the_kind(web: Web, language: str) -> None:
    say = texts(language)
    for game, template in KINDS.items():
        questions = QUOTED.findall(say(f"live.asks_{game}"))
        web.open(table(tuple(questions), PEOPLE[: len(questions)]), language)
        assert [] == web.unread()
        assert len(questions) == len(web.tables()[0]) - 1
        assert say(f"{template}.title") == web.browser.run("document.title")


@pytest.mark.parametrize(
    ("sides", "people"),
    [
        (("Ana & Bo", "Cy & Di"), ["Ana", "Bo", "Cy", "Di"]),
        (("Ana & Bo", "Cy & Di", "Di", "Ana"), ["Di", "Ana", "Bo", "Cy"]),
        (("Hill & Sons", "Dale"), ["Hill & Sons", "Dale"]),
    ],
)
def test_names_tell_whether_sides_are_of_people(
    web: Web, sides: tuple[str, ...], people: list[str]
) -> None:
    games = [sides[at : at + 2] for at in range(0, len(sides), 2)]
    web.open(table(("Winner", "Loser"), *games))
    assert set(people) == {row[1] for row in web.tables()[0][1:]}


def test_a_page_takes_the_address_along_that_was_pasted(web: Web) -> None:
    (web.home / "ready.html").write_bytes(live_page(League(), "en"))
    (web.home / "answers.csv").write_text("Team 1,Team 2,Score\nAna & Bo,Cy & <Dee>,21:15\n")
    web.browser.ask("Page.setDownloadBehavior", behavior="allow", downloadPath=str(web.home))
    seen = []
    for page in ("ready.html?csv=answers.csv&title=Darts", "Darts.html"):
        web.browser.open(f"{web.address}/{page}")
        seen.append((web.waited(), web.tables(), web.browser.run("document.title")))
        if page.startswith("ready"):
            web.browser.click("#keep")
            until = time.monotonic() + LIMIT
            while not (web.home / "Darts.html").exists() and time.monotonic() < until:
                time.sleep(0.05)
    assert seen[0] == seen[1]
    assert ("Darts", 5) == (seen[1][2], len(seen[1][1][0]))
    assert web.browser.run("document.getElementById('keep').closest('p').hidden")


# -- days -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        (["11/3/2026 19:05:00", "11/10/2026 20:00:00"], ["2", "1"]),
        (["11/3/2026", "11/13/2026"], ["2026-11-13", "2026-11-03"]),
        (["3/11/2026", "13/11/2026"], ["2026-11-13", "2026-11-03"]),
        (["3.4.2026", "4/4/26"], ["2026-04-04", "2026-04-03"]),  # a point is never the month's
        (["2026-11-03", "13/11/2026"], ["2026-11-13", "2026-11-03"]),
        (["2026-11-10", "20261103"], ["2026-11-10", "2026-11-03"]),
    ],
)
def test_days_that_can_be_read_in_two_ways_are_asked(
    web: Web, typed: list[str], read: list[str]
) -> None:
    asked = "document.getElementById('dates')"
    lines = [(typed[0], "Ana", "Bo"), (typed[1], "Bo", "Ana")]
    # in a form of a language that nobody here knows
    web.open(table(("Sygnatura czasowa" if ":" in typed[0] else "Date", "Winner", "Loser"), *lines))
    assert read == [row[0] for row in web.tables()[-1][1:]]
    if read[0] != "2":
        assert not web.browser.run(f"{asked}.checkVisibility()")
        return
    assert "11/3/2026 can be two days" in web.browser.run(f"{asked}.innerText")
    assert [] == web.browser.barriers()
    for way, days in {1: ["2026-10-11", "2026-03-11"], 0: ["2026-11-10", "2026-11-03"]}.items():
        web.browser.run(f"{asked}.querySelectorAll('button')[{way}].click()")
        assert days == [row[0] for row in web.tables()[-1][1:]]
        pressed = f"[...{asked}.querySelectorAll('[aria-pressed=true]')].map(b => b.innerText)"
        assert [["The month: November 3, 2026", "The day: March 11, 2026"][way]] == web.browser.run(
            pressed
        )
    address = web.browser.run("location.href")
    assert f"{web.address}/league.html?dates=mdy" == address
    web.browser.open(address)
    web.waited()
    assert ["2026-11-10", "2026-11-03"] == [row[0] for row in web.tables()[-1][1:]]


def test_games_of_a_list_with_the_newest_first_count_from_the_oldest_on(web: Web) -> None:
    games = ["2026-11-10,Bo,Ana", "2026-11-03,Ana,Bo", "2026-11-03,Ana,Cy"]
    ratings = []
    for lines in (games, games[::-1]):
        web.open("\n".join(["Date,Winner,Loser", *lines]), k=100)
        said = web.browser.run("document.getElementById('league').innerText")
        assert ("newest game comes first" in said) == (lines is games)
        ratings.append([row[1:4] for row in web.tables()[0][1:]])
    assert ratings[0] == ratings[1]


def test_a_date_that_is_not_understood_is_listed(web: Web) -> None:
    web.open("Date,Winner,Loser\nlast week,Ana,Bo\n2026-11-03,Ana,Cy\nsoon,Bo,Cy")
    why = "the game counts, but the date"
    assert [
        f"Line 2: {why} last week is not understood last week,Ana,Bo",
        f"Line 4: {why} soon is not understood soon,Bo,Cy",
    ] == web.unread()
    assert ["2", "2", "2"] == [row[-2] for row in web.tables()[0][1:]]


# -- where answers come from ----------------------------------------------------------------------


def test_the_address_of_the_page_has_that_of_the_answers(web: Web) -> None:
    web.open("Winner,Loser\nAna + Cy,Bo", csv="", start=1000)
    settings = {"csv": f"{web.address}/answers.csv", "k": "40", "title": FOUL, "sides": "+"}
    web.browser.open(f"{web.address}/league.html?{urlencode(settings)}")
    web.waited()
    assert ["1020", "1020", "980"] == [row[2] for row in web.tables()[0][1:]]
    assert FOUL == web.browser.run("document.querySelector('h1').textContent")
    assert not web.browser.run("document.getElementById('ask').checkVisibility()")


def test_answers_are_pasted_or_given_as_a_file(web: Web, tmp_path: Path) -> None:
    web.open("", csv="")
    for field, text in {"#title": FOUL, "#typed": "Winner,Loser\nAna,Bo"}.items():
        web.browser.click(field)
        web.browser.type(text)
    web.browser.click("#show")
    assert FOUL == web.browser.run("document.querySelector('h1').textContent")
    assert ["Ana", "Bo"] == [row[1] for row in web.tables()[0][1:]]
    file = tmp_path / "answers.csv"
    file.write_bytes("Winner;Loser\r\nZoë;Bo".encode("cp1252"))
    root = web.browser.ask("DOM.getDocument")["root"]["nodeId"]
    field = web.browser.ask("DOM.querySelector", nodeId=root, selector="#file")["nodeId"]
    web.browser.ask("DOM.setFileInputFiles", nodeId=field, files=[str(file)])
    until = time.monotonic() + LIMIT
    while "Zoë" not in str(web.tables()) and time.monotonic() < until:
        time.sleep(0.05)
    assert ["Zoë", "Bo"] == [row[1] for row in web.tables()[0][1:]]


def test_the_page_in_the_repository_rates_what_is_chosen(browser: Browser) -> None:
    """It is ready-made, and may be older than the code between releases."""
    ready = ROOT / "workbooks" / "league-on-a-form.html"
    browser.open(f"{ready.as_uri()}?game=doubles&title=Darts")
    browser.click("#typed")
    browser.type("Team 1,Team 2,Points 1,Points 2\nAna & Bo,Cy & Di,21,15")
    browser.click("#show")
    said = "document.getElementById('league').innerText"
    assert ["Ana", "Bo", "Cy", "Di"] == re.findall(r"\b(?:Ana|Bo|Cy|Di)\b", browser.run(said))[:4]
    assert [] == browser.complaints()


def test_a_page_on_a_disk_takes_the_file_beside_it_when_it_is_dropped(
    web: Web, tmp_path: Path
) -> None:
    page = tmp_path / "league.html"
    page.write_bytes(live_page(League(csv="answers.csv"), "en"))
    web.browser.open(page)
    assert "drop answers.csv on this page" in web.waited()
    web.browser.run(
        "(given => { given.items.add(new File(['\\ufeffWinner;Loser\\nZoë;Bo'], 'answers.csv'));"
        " const drop = new DragEvent('drop', { bubbles: true, dataTransfer: given });"
        " document.body.dispatchEvent(drop) })"
        "(new DataTransfer())"
    )
    until = time.monotonic() + LIMIT
    while not web.tables() and time.monotonic() < until:
        time.sleep(0.05)
    assert ["Zoë", "Bo"] == [row[1] for row in web.tables()[0][1:]]
    assert [page.as_uri()] == web.browser.requests()
    web.browser.events.clear()


SHEET: Final = "https://docs.google.com/spreadsheets/d"


@pytest.mark.parametrize(
    ("address", "asked"),
    [
        ("/1AbC/edit#gid=0", ""),
        ("/1AbC/edit?usp=sharing", ""),
        ("/e/2PACX-x/pubhtml?gid=7&single=true", "/e/2PACX-x/pub?gid=7&single=true&output=csv"),
        ("/e/2PACX-x/pub?output=csv", "/e/2PACX-x/pub?output=csv"),
    ],
)
def test_addresses_of_google_are_those_of_csv(web: Web, address: str, asked: str) -> None:
    answer = "(window.asked = address, new Response('Winner,Loser\\nA,B'))"
    source = f"window.fetch = async (address) => {answer}"
    script = web.browser.ask("Page.addScriptToEvaluateOnNewDocument", source=source)
    try:
        web.open("", csv=f"{SHEET}{address}")
        assert ("Games: 1" if asked else "publish the sheet") in web.waited()
    finally:
        web.browser.ask("Page.removeScriptToEvaluateOnNewDocument", **script)
    assert (asked and f"{SHEET}{asked}") == web.browser.run("window.asked ?? ''")


def test_a_page_reads_the_answers_and_nothing_else(web: Web) -> None:
    web.open("Winner,Loser\nAna,Bo")
    web.browser.run("fetch('https://club.example/x').catch(() => 0)")
    said = " ".join(web.browser.complaints())
    assert "Connecting to 'https://club.example/x' violates" in said
    assert not any("club.example" in url for url in web.browser.requests())
    web.browser.events.clear()
    web.open("", csv="missing.csv")
    assert "cannot be read from missing.csv (HTTP 404)" in web.waited()
    assert web.browser.run("document.getElementById('ask').checkVisibility()")
    web.browser.events.clear()


# -- for everybody --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("language", cases(CODES, test=("ru",)))
@pytest.mark.parametrize(("width", "dark"), [(390, True), (1280, False)])
def test_nothing_keeps_people_from_the_page(
    web: Web, width: int, dark: bool, language: str
) -> None:
    web.browser.screen(width, 800, dark=dark)
    names = [f"{name} {'Long' * 8}" for name in PEOPLE]
    lines = [(f"{day(n)}", names[n % 6], names[n % 5], f"{n}:3") for n in range(12)]
    web.open(table(("Date", "Player 1", "Player 2", "Result"), *lines), language)
    assert language == web.browser.run("document.documentElement.lang")
    assert len(web.unread()) == 5  # against themselves
    text = web.browser.run("document.body.innerText")
    assert ("+9" + (".9" if language == "en" else ",9")) in text or "10" in text
    assert not re.search(r"undefined|NaN|\{\w+\}", text)
    for _ in range(2):
        assert [] == web.browser.barriers()
        assert web.browser.run("document.documentElement.scrollWidth <= innerWidth")
        web.browser.run("document.querySelector('.player').click()")
    card = "document.querySelector('.card:popover-open').getBoundingClientRect()"
    assert web.browser.run(f"(r => r.left >= 0 && r.right <= innerWidth)({card})")


# -- the command ----------------------------------------------------------------------------------


def test_the_command_writes_the_page(tmp_path: Path) -> None:
    file = tmp_path / "league.html"
    google = "https://docs.google.com/spreadsheets/d/e/x/pub?output=csv"
    words = ["publish", "--live", "-o", str(file), "--title", "A & B", "--lang", "de"]
    done = invoke(*words, "--csv", google)
    assert 0 == done.exit_code, done.output
    page = file.read_text(encoding="utf-8")
    assert "<title>A &amp; B</title>" in page
    assert "connect-src https://docs.google.com https://*.googleusercontent.com;" in page
    assert 1 == page.count("</script>\n</body>")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--live", "README.md"], "--live takes no BOOK"),
        (["--live", "--csv", "http://club.example/a.csv"], "from https:// on"),
        (["--live", "--csv", "https://a.example; script-src *"], "from https:// on"),
        (["--live", "--model", "poisson"], "poisson"),
        (["--live", "--k", "inf"], "inf is no number"),
        (["--live", "--start", "nan"], "nan is no number"),
        (["--live", "-o", "league.pdf"], ".html"),
        (["README.md", "--k", "32"], "--k is for the page of a league"),
        ([], "Missing argument 'BOOK'"),
    ],
)
def test_what_does_not_fit_is_refused(words: list[str], said: str) -> None:
    done = invoke("publish", *words)
    assert 2 == done.exit_code
    assert said in " ".join(done.output.split())
