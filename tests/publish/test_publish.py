"""What books show to everybody: the page in a browser, the PDF that it prints, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from datetime import date
from functools import partial
from html.parser import HTMLParser
from itertools import compress
from pathlib import Path
from typing import Any, Final

import openpyxl
import PIL.Image
import pypdfium2
import pytest

from elo_xl.books.texts import texts
from elo_xl.club.ledger import TEMPLATE as CLUB
from elo_xl.publish import printing
from elo_xl.publish.html import html
from elo_xl.publish.page import Page, PageColumn
from elo_xl.publish.page import table as page_table
from elo_xl.templates import gallery
from elo_xl.templates.club import member
from tests.support import ROOT
from tests.support.browser import Browser
from tests.support.command import invoke, run_in_a_line
from tests.support.shown_rows import shown_rows
from tests.support.template_books import declared, sized

SCRIPT: Final = "<script>alert('x')</script> & \"Co\""
LISTS: Final = (date(2025, 7, 1), date(2025, 10, 1), date(2026, 1, 1), date(2026, 4, 1))

MEMBERS: Final = (
    # name, title, federation, standard, rapid, games of standard
    ("Polgár, Judit", "GM", "HUN", 2675, 2646, 900),
    ("Карякин, Сергей", "GM", "RUS", 2743, None, 800),
    ("Łukasz, Jan", "", "POL", 1820, 1790, 44),
    ("Zeta, Ana", "WFM", "ESP", 2003, 1960, 120),
    (SCRIPT, "", "", 1500, None, 12),
    ("Åberg, Örjan", "", "SWE", 1820, None, 31),
    ("Newcomer, Nan", "", "", None, None, None),
    ("Gone, George", "", "ENG", 2100, None, 77),
)


def content(**more: Any) -> dict[str, Any]:
    """A club with four lists behind it, in English."""
    history = []
    for i, (name, _, _, rating, rapid, _) in enumerate(MEMBERS):
        for kind, last in (("standard", rating), ("rapid", rapid)):
            if last is None or name == "Åberg, Örjan":
                continue
            for k, day in enumerate(LISTS):
                step = 7 * (i % 3 - 1)
                line = {"date": day, "name": name, "kind": kind, "games": k + 1}
                line["rating"] = last - step * (len(LISTS) - 1 - k)
                history.append(line | ({"change": step} if k else {}))
    return {
        "Club": "North & South",
        "Arbiter": "Ann",
        "Dates": LISTS[-1],
        "Members": [
            member(name, rating, games, rating, title=title, federation=fed, rapid=rapid)
            | {"birth": 1990}
            | ({"out": "x"} if name.startswith("Gone") else {})
            for name, title, fed, rating, rapid, games in MEMBERS
        ],
        "Events": [
            {"event": "Winter cup", "date": date(2026, 2, 14), "kind": "standard", "games": 9,
             "players": 6, "closed": LISTS[-1]},
            {"event": "Spring rapid", "date": date(2026, 5, 2), "kind": "rapid"},
        ],
        "History": history,
    } | more  # fmt: skip


def club(path: Path, **more: Any) -> Path:
    size = gallery.options("club", players=20, rounds=60)
    path.write_bytes(gallery.make("club", size, content(**more)))
    return path


run = partial(run_in_a_line, "publish")


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a club's page, CSV and JSON."""
    folder = tmp_path_factory.mktemp("published")
    book = club(folder / "club.xlsx")
    outputs = [word for end in ("html", "csv", "json") for word in ("-o", folder / f"club.{end}")]
    said = run(book, *outputs, "--address", "https://club.example/list.html")
    assert "Rating list as of 1 April 2026: 7 lines" in said
    return folder


# -- the page as text -----------------------------------------------------------------------------


class Tables(HTMLParser):
    """The tables of a page as somebody without JavaScript has them, read by another parser."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self._open = False
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in ("td", "th"):
            self.tables[-1][-1].append("")
            self._open = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._open = False

    def handle_data(self, data: str) -> None:
        if self._open:
            self.tables[-1][-1][-1] += data


def cells(page: Path, table: int = 0) -> list[list[str]]:
    return [[" ".join(cell.split()) for cell in row] for row in Tables(page).tables[table]]


@pytest.mark.slow
def test_a_page_has_a_whole_table_without_javascript(published: Path) -> None:
    groups, headings, *rows = cells(published / "club.html")
    assert ["Place", "Title", "Name", "Standard", "Rapid", "Fed."] == groups
    assert ["Rating", "Change", "Games", "Rating", "Change", "Games"] == headings
    assert [
        ["1", "GM", "Карякин, Сергей", "2743", "0", "4", "", "", "", "RUS"],
        ["2", "GM", "Polgár, Judit", "2675", "▼ down −7", "4", "2646", "▼ down −7", "4", "HUN"],
        ["3", "WFM", "Zeta, Ana", "2003", "▼ down −7", "4", "1960", "▼ down −7", "4", "ESP"],
        ["4", "", "Åberg, Örjan", "1820", "", "", "", "", "", "SWE"],
        ["4", "", "Łukasz, Jan", "1820", "▲ up +7", "4", "1790", "▲ up +7", "4", "POL"],
        ["6", "", SCRIPT, "1500", "0", "4", "", "", "", ""],
        ["", "", "Newcomer, Nan", "", "", "", "", "", "", ""],
    ] == sorted(rows, key=lambda row: (float(row[0] or 9), row[2]))
    assert [
        ["Date", "Event", "Kind", "Games", "Players", "In the list of"],
        ["2026-05-02", "Spring rapid", "Rapid", "", "", ""],
        ["2026-02-14", "Winter cup", "Standard", "9", "6", "2026-04-01"],
    ] == cells(published / "club.html", 1)


@pytest.mark.slow
def test_nobody_who_left_and_nothing_private_is_published(published: Path) -> None:
    for end in ("html", "csv", "json"):
        text = (published / f"club.{end}").read_text(encoding="utf-8")
        assert not re.search(r"Gone|1990", text)


def test_names_are_texts(published: Path) -> None:
    page = Tables(published / "club.html")
    assert 1 == sum(tag == "script" for tag, _ in page.tags)
    assert {tag for tag, _ in page.tags}.isdisjoint({"img", "iframe", "object", "embed", "base"})
    assert [] == [name for _, given in page.tags for name in given if name.startswith("on")]


# -- the page in a browser ------------------------------------------------------------------------


@pytest.fixture
def opened(browser: Browser, published: Path) -> Iterator[Browser]:
    """A club's page on a screen; it must ask for nothing and complain of nothing."""
    page = published / "club.html"
    browser.screen(1280, 900)
    browser.open(page)
    yield browser
    assert [page.as_uri()] == [url for url in browser.requests() if not url.startswith("data:,")]
    assert [] == browser.complaints()


def names(browser: Browser) -> list[str]:
    """Whom the list shows, from above."""
    found: list[str] = browser.run(
        "[...document.querySelectorAll('#list tbody tr')].filter(r => r.checkVisibility())"
        ".map(r => r.querySelector('th').innerText)"
    )
    return found


def heading(key: int) -> str:
    return f"#list th[data-column='{key}']"


NAME, RATING, CHANGE = (heading(column) for column in (2, 3, 4))


def order(browser: Browser) -> list[str | None]:
    """What headings say of the order, those that say something."""
    found: list[str | None] = browser.run(
        "[...document.querySelectorAll('#list th[aria-sort]')]"
        ".map(h => h.innerText + ' ' + h.getAttribute('aria-sort'))"
    )
    return found


def test_a_list_is_sorted_by_clicks_and_keys(opened: Browser) -> None:
    assert ["Place ascending"] == order(opened)
    by_rating = names(opened)
    opened.click(f"{NAME} button")
    assert ["Name ascending"] == order(opened)
    # as people who read English look names up
    assert ["Åberg, Örjan", "Łukasz, Jan", "Newcomer, Nan", "Polgár, Judit", "Zeta, Ana"] == [
        name for name in names(opened) if name in {m[0] for m in MEMBERS} - {SCRIPT, MEMBERS[1][0]}
    ]
    opened.run(f"document.querySelector({RATING + ' button'!r}).focus()")
    opened.press("Enter", 13)
    assert ["Rating descending"] == order(opened)
    assert by_rating[:3] == names(opened)[:3]
    opened.press("Enter", 13)
    assert ["Rating ascending"] == order(opened)
    assert [SCRIPT, "Newcomer, Nan"] == [names(opened)[0], names(opened)[-1]]  # blanks come last
    opened.click(f"{CHANGE} button")
    assert "Łukasz, Jan" == names(opened)[0]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("polgar", ["Polgár, Judit"]),
        ("POLGÁR jud", ["Polgár, Judit"]),
        ("aberg orjan", ["Åberg, Örjan"]),
        ("lukasz", ["Łukasz, Jan"]),
        ("карякин", ["Карякин, Сергей"]),
        ("karyakin", ["Карякин, Сергей"]),
        ("esp", ["Zeta, Ana"]),
        ("<script", [SCRIPT]),
        ("nobody at all", []),
    ],
)
def test_people_are_found_without_accents_and_in_latin(
    opened: Browser, typed: str, found: list[str]
) -> None:
    opened.run("document.querySelector('input').focus()")
    opened.type(typed)
    assert found == names(opened)
    said = f"{len(found)} of 7" if found else "Nobody is called that."
    assert said == opened.run("document.querySelector('output').textContent")
    opened.run("document.querySelector('input').select()")
    opened.press("Delete", 46)
    assert 7 == len(names(opened))


def test_a_click_on_a_player_opens_their_curve(opened: Browser) -> None:
    cards = "[...document.querySelectorAll('.card')].filter(c => c.checkVisibility())"
    assert 0 == opened.run(f"{cards}.length")
    opened.run(
        "[...document.querySelectorAll('.player')].find(p => p.innerText[0] === 'P').focus()"
    )
    opened.press("Enter", 13)
    assert ["Polgár, Judit"] == opened.run(f"{cards}.map(c => c.querySelector('h2').innerText)")
    assert [4, 4] == opened.run(
        f"[...{cards}[0].querySelectorAll('polyline')].map(p => p.points.length)"
    )
    said = opened.run(f"{cards}[0].querySelector('svg').getAttribute('aria-label')")
    assert "Standard: from 2696 (2025-07-01) to 2675 (2026-04-01)" in said
    newest = opened.run(f"{cards}[0].querySelector('tbody tr').innerText").split()
    assert ["2026-04-01", "2675", "▼", "down", "−7", "4"] == newest
    # lines fall where ratings fall
    assert opened.run(f"(p => p[0].y < p[3].y)({cards}[0].querySelector('polyline').points)")
    opened.press("Escape", 27)
    assert 0 == opened.run(f"{cards}.length")


@pytest.fixture(scope="module")
def letter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with sentences in a column."""
    columns = [
        PageColumn("name", "Opponent", align="left"),
        PageColumn("tie", "Tie-break", None),
        PageColumn("why", "Reason", align="left", wraps=True),
    ]
    rows = [{"name": f"{n}, Ana", "tie": n, "why": "What is said at length. " * 5}
            for n in (28, 24.5, 21.25)]  # fmt: skip
    file = tmp_path_factory.mktemp("letter") / "letter.html"
    games = page_table("games", "Games", columns, rows, sortable=False)
    file.write_bytes(html(Page("en", "Letter – Ana", "", [games])))
    return file


SCREENS: Final = [(360, True), (390, False), (390, True), (768, False), (1280, False)]


@pytest.mark.parametrize(("width", "dark"), SCREENS)
def test_a_page_fits_its_screen(
    published: Path, letter: Path, browser: Browser, width: int, dark: bool
) -> None:
    browser.screen(width, 800, dark=dark)
    for page in (letter, published / "club.html"):
        browser.open(page)
        assert browser.run("document.documentElement.scrollWidth <= innerWidth")
        # whatever is asked for is there, if only sideways
        assert browser.run("[...document.querySelectorAll('main td')].every(c => c.innerText === ''"
                           " || c.checkVisibility())")  # fmt: skip
        assert [] == browser.barriers()
    paper = browser.run("getComputedStyle(document.body).backgroundColor")
    assert dark == (sum(map(int, re.findall(r"\d+", paper))) < 380)
    opened = "document.querySelector('.player').click();"
    card = "document.querySelector('.card:popover-open').getBoundingClientRect()"
    assert browser.run(f"{opened} (r => r.left >= 0 && r.right <= innerWidth)({card})")
    assert [] == browser.barriers()


@pytest.mark.parametrize("dark", [False, True])
def test_a_phone_shows_that_a_table_goes_on(published: Path, browser: Browser, dark: bool) -> None:
    def shades(left: int) -> list[bool]:
        """Whether there is a shadow at the right, and where the name is, once it is scrolled."""
        browser.run(f"document.querySelector('.scroll').scrollLeft = {left}")
        x, y, name, box = browser.run(
            "(([box, cell]) => [box.right - 3, cell.bottom - 4, cell.left, box.left])"
            "(['.scroll', 'tbody .name']"
            ".map(s => document.querySelector(s).getBoundingClientRect()))"
        )
        screen = PIL.Image.open(io.BytesIO(browser.picture())).convert("L")
        return [screen.getpixel((int(x), int(y))) != screen.getpixel((2, 2)), name - box > 2]

    browser.screen(390, 800, dark=dark)
    browser.open(published / "club.html")
    assert [True, True] == shades(0)
    assert [False, False] == shades(10_000)  # nothing is left to see, and the name has stayed
    lines = browser.run("[...document.querySelectorAll('tbody .name > *')].map(n =>"
                        " [n.innerText, n.getClientRects()[0].height])")  # fmt: skip
    heights = {name: height for name, height in lines if name != SCRIPT}
    assert 1 == len(set(heights.values())), heights


@pytest.mark.parametrize("width", [390, 768])
def test_on_a_small_screen_sentences_stand_below_their_row(
    letter: Path, browser: Browser, width: int
) -> None:
    browser.screen(width, 800)
    browser.open(letter)
    assert browser.run(
        "[...document.querySelectorAll('tbody tr')].every(row => (([name, why]) =>"
        " why.top >= name.bottom && why.left >= 0 && why.right <= innerWidth)"
        "(['.name', '.wraps'].map(s => row.querySelector(s).getBoundingClientRect())))"
    )
    # numbers below each other have their decimals in line
    assert ["28.00", "24.50", "21.25"] == [row[1] for row in cells(letter)[1:]]


def test_a_phone_shows_black_and_a_search_answers_with_board_colour_and_opponent(
    tmp_path: Path, browser: Browser
) -> None:
    field = [{"name": name, "rating": 1500} for name in ("Ana", "Bo", "Cy", "Di")]
    pairings = {1: {"white": 3, "black": 1}, 2: {"white": 2, "black": 4}}
    content = {"Event": "Open", "Players": field, "Pairings": pairings}
    book, target = tmp_path / "open.xlsx", tmp_path / "open.html"
    book.write_bytes(gallery.make("swiss", gallery.options("swiss", players=4), content))
    run(book, "-o", target)
    browser.screen(390, 800)
    browser.open(target)
    black = "document.querySelector('#pairing_list tbody tr td:nth-last-child(2)')"
    seen = "(c => [c.innerText, c.getBoundingClientRect().right <= innerWidth])"
    assert browser.run(f"{seen}({black})") == ["Ana", True]
    typed = "(i => { i.value = 'ana'; i.dispatchEvent(new Event('input')); })"
    browser.run(f"{typed}(document.querySelector('input'))")
    said = browser.run("document.querySelector('output').innerText")
    assert said == "Round 1, board 1: Black against Cy"
    legend = browser.run("document.querySelector('#standings .note').innerText")
    assert legend.startswith("BH-C1 Buchholz cut 1 · BH Buchholz")


def test_a_link_leads_to_a_player(opened: Browser) -> None:
    marked = "[...document.querySelectorAll('#list tbody tr')].filter(row => {}).map(r => r.id)"
    opened.run("location.hash = 'zeta-ana'")
    assert ["zeta-ana"] == opened.run(marked.format("row.matches(':target')"))
    plain = "getComputedStyle(document.querySelector('#polgar-judit td')).backgroundColor"
    shade = f"getComputedStyle(row.cells[0]).backgroundColor !== {plain}"
    assert ["zeta-ana"] == opened.run(marked.format(shade))
    assert 7 == opened.run("new Set([...document.querySelectorAll('tr[id]')].map(r => r.id)).size")


@pytest.mark.parametrize(("wish", "moves"), [("reduce", "auto"), ("no-preference", "smooth")])
def test_nothing_moves_for_who_wants_no_motion(opened: Browser, wish: str, moves: str) -> None:
    feature = {"name": "prefers-reduced-motion", "value": wish}
    opened.ask("Emulation.setEmulatedMedia", features=[feature])
    assert moves == opened.run("getComputedStyle(document.documentElement).scrollBehavior")


def test_without_javascript_the_list_and_the_curves_are_there(
    published: Path, browser: Browser
) -> None:
    browser.open(published / "club.html", scripts=False)
    tree = browser.ask("Accessibility.getFullAXTree")["nodes"]
    roles = [(n["role"]["value"], n.get("name", {}).get("value")) for n in tree if not n["ignored"]]
    assert {name for name, *_ in MEMBERS[:7]} <= {
        name for role, name in roles if role == "rowheader"
    }
    assert "searchbox" not in {role for role, _ in roles}
    browser.click(".player")
    tree = browser.ask("Accessibility.getFullAXTree")["nodes"]
    assert "Ratings of Карякин, Сергей" in {
        n.get("name", {}).get("value") for n in tree if n["role"]["value"] == "dialog"
    }
    browser.open(published / "club.html")


def test_the_policy_forbids_everything_else(published: Path, browser: Browser) -> None:
    browser.open(published / "club.html")
    browser.run(
        "for (const [tag, at] of [['img', 'src'], ['script', 'src'], ['link', 'href']]) {"
        " const e = document.createElement(tag); e.rel = 'stylesheet';"
        " e[at] = 'http://127.0.0.1:9/x'; document.body.append(e) }"
        "const s = document.createElement('script'); s.text = 'window.foreign = 1';"
        "document.body.append(s)"
    )
    assert browser.run("window.foreign === undefined")
    told = [event for event in browser.events if event["method"] == "Network.loadingFailed"]
    assert ["csp"] * 3 == [event["params"].get("blockedReason") for event in told]
    assert 4 <= sum("Content Security Policy" in said for said in browser.complaints())


# -- on paper -------------------------------------------------------------------------------------


def words(pdf: Path) -> tuple[int, str]:
    """The pages of a PDF, and all that stands on them, without any blanks."""
    document = pypdfium2.PdfDocument(pdf)
    pages = [page.get_textpage().get_text_range() for page in document]
    return len(pages), "".join("".join(pages).split())


@pytest.mark.usefixtures("browser")
def test_a_pdf_has_all_players_in_their_letters(tmp_path: Path) -> None:
    people = [member(f"Игрок {n}, Žofie", 2400 - n) for n in range(150)]
    size = gallery.options("club", players=200, rounds=10)
    book, target = tmp_path / "large.xlsx", tmp_path / "large.pdf"
    book.write_bytes(gallery.make("club", size, {"Members": people}))
    run(book, "-o", target, "--lang", "ru")
    pages, text = words(target)
    assert pages > 1
    for one in people:
        assert f"{one['name']}{one['standard']}".replace(" ", "") in text
    assert pages == text.count("Имя")  # headings on every page
    assert f"{pages}/{pages}" in text
    assert "Найти" not in text


@pytest.mark.usefixtures("browser")
def test_the_title_is_on_the_page_of_the_list(tmp_path: Path) -> None:
    """A list of three kinds takes wide paper; the events below it are then on wide paper, too."""
    blitz = {"kind": "blitz", "date": LISTS[-1], "change": 5, "games": 3, "rating": 1800}
    people = [one | {"blitz": 1800} for one in content()["Members"]]
    lines = [*content()["History"], *(blitz | {"name": one["name"]} for one in people)]
    target = tmp_path / "club.pdf"
    run(club(tmp_path / "club.xlsx", Members=people, History=lines), "-o", target)
    [page] = pypdfium2.PdfDocument(target)
    width, height = page.get_size()
    assert width > height
    _, text = words(target)
    for one in ("Ratinglistasof", "Zeta,Ana", "Wintercup", "1/1"):
        assert one in text


@pytest.mark.slow
def test_a_pdf_needs_a_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book, target = club(tmp_path / "club.xlsx"), tmp_path / "club.pdf"
    monkeypatch.setattr(printing, "_browsers", lambda: iter(()))
    assert "Chrome, Chromium or Edge" in run(book, "-o", target, code=1)
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\necho it has no screen >&2\nexit 3\n")
    broken.chmod(0o755)
    monkeypatch.setattr(printing, "_browsers", lambda: iter((str(broken),)))
    assert "printed nothing: it has no screen" in run(book, "-o", target, code=1)
    monkeypatch.setattr(printing, "_browsers", lambda: iter((str(tmp_path / "none"),)))
    assert "does not start" in run(book, "-o", target, code=1)
    assert [book, broken] == sorted(tmp_path.iterdir(), reverse=True)


# -- for programs ---------------------------------------------------------------------------------


def test_a_missing_folder_is_named_before_any_work(tmp_path: Path) -> None:
    book = tmp_path / "club.xlsx"
    book.write_bytes(b"not a workbook")
    said = run(book, "-o", tmp_path / "nowhere" / "club.html", code=1)
    assert said.strip().endswith(f"No such file or directory: '{tmp_path / 'nowhere'}'")


@pytest.mark.slow
def test_csv_opens_as_a_table_and_holds_no_formula(tmp_path: Path) -> None:
    wild = ["=1+1", "+49 Tel", "-Minus", "@Sum", 'a;b,"c"', "Zoë"]
    book = club(tmp_path / "club.xlsx", Members=[member(n, 1500 + i) for i, n in enumerate(wild)],
                History=[])  # fmt: skip
    for language, sign in (("en", ","), ("es", ";"), ("ru", ";")):
        target = tmp_path / f"{language}.csv"
        run(book, "-o", target, "--lang", language)
        file = target.read_bytes()
        assert file.startswith(b"\xef\xbb\xbf")
        _, *rows = csv.reader(io.StringIO(file.decode("utf-8-sig"), newline=""), delimiter=sign)
        assert [
            ["1", "Zoë", "1505"],
            ["2", 'a;b,"c"', "1504"],
            ["3", "'@Sum", "1503"],
            ["4", "'-Minus", "1502"],
            ["5", "'+49 Tel", "1501"],
            ["6", "'=1+1", "1500"],
        ] == rows


def test_json_has_numbers_as_numbers(published: Path) -> None:
    told = json.loads((published / "club.json").read_text(encoding="utf-8"))
    assert ("en", "North & South", "2026-04-01") == (told["language"], told["club"], told["date"])
    people, events = told["tables"]
    assert ["list", "events"] == [people["key"], events["key"]]
    assert {"place": 2, "title": "GM", "name": "Polgár, Judit", "federation": "HUN",
            "standard": 2675, "standard_change": -7, "standard_games": 4, "rapid": 2646,
            "rapid_change": -7, "rapid_games": 4} == people["rows"][1]  # fmt: skip
    assert list(people["rows"][1]) == [column["key"] for column in people["columns"]]
    assert {"at": "2026-04-01", "rating": 2675, "change": -7, "games": 4} == (
        told["curves"]["Polgár, Judit"]["Standard"][-1]
    )


# -- other books ----------------------------------------------------------------------------------


def on_the_wall() -> list[str]:
    """The templates with a sheet for the wall; the page of a club is one of its own."""
    return [
        name
        for name in gallery.TEMPLATES
        if name != CLUB
        and any(
            sheet.set_up.wall and sheet.set_up.tab not in ("typed", "help")
            for sheet in declared(name).sheets.values()
        )
    ]


@pytest.mark.slow
@pytest.mark.parametrize("template", on_the_wall())
def test_books_with_a_sheet_for_the_wall_are_published_in_any_language(
    template: str, tmp_path: Path
) -> None:
    chosen = sized(template, 8)
    built = gallery.build(template, chosen, gallery.sample(template, chosen))
    book, target = tmp_path / "book.xlsx", tmp_path / "book.json"
    book.write_bytes(built.file())
    told = {}
    for language in ("en", "ru"):
        run(book, "-o", target, "--lang", language, "--force")
        told[language] = json.loads(target.read_text(encoding="utf-8"))
        keys = [table["key"] for table in told[language]["tables"]]
        assert len(keys) == len(set(keys))
        headings = {c["heading"] for t in told[language]["tables"] for c in t["columns"]}
        assert headings.isdisjoint({texts(language)("form.column_birth")})
    english, russian = (told[language]["tables"][0] for language in ("en", "ru"))
    assert [row["name"] for row in english["rows"] if "name" in row] == [
        row["name"] for row in russian["rows"] if "name" in row
    ]
    assert english["columns"] != russian["columns"]
    # all and nothing else that the book itself shows on its sheet for the wall
    said = built.commands
    assert keys[0] == (said.publish or keys[0])
    assert not {*said.unpublished} & {*keys}
    (table,) = built.sheets[keys[0]].tables
    shown = shown_rows(table)
    assert shown.count(True) == len(english["rows"])
    for column in english["columns"]:
        values = compress(table.column(column["key"]).values(), shown)
        percent = "%" in table.columns[column["key"]].look.number_format
        for value, row in zip(values, english["rows"], strict=True):
            here = row[column["key"]]
            if isinstance(value, float) and isinstance(here, int | float):
                assert value == pytest.approx(here, abs=0.00501 if percent else 0.5)
            elif isinstance(value, str):
                assert (value or None) == here
    names = {row["name"] for row in english["rows"]} if said.curves else set()
    assert names == set(told["en"]["curves"])


def test_a_swiss_shows_its_standings_first_and_all_that_has_rows(tmp_path: Path) -> None:
    chosen = sized("swiss", 8)
    book, target = tmp_path / "book.xlsx", tmp_path / "book.json"
    book.write_bytes(gallery.make("swiss", chosen, gallery.sample("swiss", chosen)))
    run(book, "-o", target)
    tables = json.loads(target.read_text(encoding="utf-8"))["tables"]
    keys = ["standings", "pairing_list", "cross", "changes", "prizes", "purse"]
    assert keys == [table["key"] for table in tables]


@pytest.mark.slow
def test_a_league_without_dates_has_curves_over_games(tmp_path: Path) -> None:
    games = [{"first": "Ana", "second": "Ben", "result": r} for r in ("1-0", "1-0", "0-1")]
    book, target = tmp_path / "ladder.xlsx", tmp_path / "ladder.json"
    book.write_bytes(
        gallery.make("ladder", gallery.options("ladder", players=4, rounds=10), {"Games": games})
    )
    run(book, "-o", target)
    (curve,) = json.loads(target.read_text(encoding="utf-8"))["curves"]["Ana"].values()
    assert [1, 2, 3] == [point["at"] for point in curve]
    assert [1, 1, -1] == [(point["change"] > 0) - (point["change"] < 0) for point in curve]


RIVERTOWN: Final = ROOT / "examples" / "rivertown-open.trf"


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "es"])
def test_a_rated_event_is_published(tmp_path: Path, language: str) -> None:
    book, target = tmp_path / "rated.xlsx", tmp_path / "rated.json"
    rated = invoke("rate", RIVERTOWN, "-o", book, "--json", "--lang", language)
    assert 0 == rated.exit_code
    wanted = json.loads(rated.stdout)
    run(book, "-o", target, "--lang", "ru")
    told = json.loads(target.read_text(encoding="utf-8"))
    assert "Rivertown Open 2026 – Рейтинг-лист" == told["title"]
    people, cross = told["tables"]
    assert {p["name"]: p["new"] for p in wanted["players"] if p["new"]} == {
        row["name"]: row["new"] for row in people["rows"]
    }
    assert {p["name"]: round(p["change"], 2) for p in wanted["players"] if p["change"]} == (
        pytest.approx({row["name"]: row["change"] for row in people["rows"] if row["change"]})
    )
    assert ["1", "2", "3", "4", "5", "6", "7"] == [c["key"] for c in cross["columns"]][5:-1]
    assert len(wanted["players"]) == len(cross["rows"])
    openpyxl.load_workbook(book).save(book)  # which drops the values of all formulas
    assert "holds no values: open it in Excel or LibreOffice" in run(book, "-o", tmp_path, code=1)


@pytest.mark.slow
def test_a_rated_period_is_published(tmp_path: Path) -> None:
    """The workbook of a folder has a list for each kind of play; a file that is no event is not
    shown."""
    folder, book, target = tmp_path / "events", tmp_path / "p.xlsx", tmp_path / "p.json"
    folder.mkdir()
    text = RIVERTOWN.read_text(encoding="utf-8")
    (folder / "a.trf").write_text(text, encoding="utf-8")
    blitz = text.replace("012 Rivertown Open 2026", "012 Blitz").replace("2026", "2025")
    (folder / "b.csv").write_text("White,Black,Result\nOkonjo Bayo,Tanaka Hiro,7\n")
    fast = [line for line in blitz.splitlines() if not line.startswith("122")]
    (folder / "c.trf").write_text("\n".join([*fast, "122 5m + 3s"]), encoding="utf-8")
    rated = invoke("rate", folder, "-o", book, "--json")
    assert 1 == rated.exit_code, rated.output
    run(book, "-o", target, "--lang", "es")
    told = json.loads(target.read_text(encoding="utf-8"))
    assert "Período evaluado – Clásico" == told["title"]
    people, fast_ones, events = told["tables"]
    assert ["standard", "blitz", "events"] == [table["key"] for table in told["tables"]]
    assert "Relámpago" == fast_ones["title"]
    wanted = json.loads(rated.stdout)
    for table in (people, fast_ones):
        assert {p["name"]: p["new"] for p in wanted["rated"][table["key"]]["players"]} == {
            row["name"]: row["new"] for row in table["rows"]
        }
        places = [row["place"] for row in table["rows"] if row["place"]]
        assert places == sorted(places)
    assert [("Rivertown Open 2026", "clásico"), ("Blitz", "relámpago")] == [
        (row["event"], row["kind"]) for row in events["rows"]
    ]


# -- what is refused ------------------------------------------------------------------------------


@pytest.mark.slow
def test_files_are_written_whole_and_not_replaced(tmp_path: Path) -> None:
    book = club(tmp_path / "club.xlsx")
    target = tmp_path / "list.html"
    target.write_text("mine")
    other = tmp_path / "list.csv"
    assert "already exists" in run(book, "-o", target, "-o", other, code=2)
    assert ("mine", False) == (target.read_text(), other.exists())
    assert f"HTML: {target}" in run(book, "-o", target, "--force")
    assert target.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert f"HTML: {tmp_path / 'club.html'}" in run(book, "-o", tmp_path)
    assert "must end in .html, .pdf, .csv, .json" in run(book, "-o", tmp_path / "a.docx", code=2)
    assert 4 == len(list(tmp_path.iterdir())) + (not other.exists())


@pytest.mark.slow
def test_the_clubs_name_is_asked_for(tmp_path: Path) -> None:
    note = "note: it names no club: type the name into Start here!C"
    assert note in run(club(tmp_path / "a.xlsx", Club=""), "-o", tmp_path)
    assert "names no club" not in run(club(tmp_path / "b.xlsx"), "-o", tmp_path)
    ladder = tmp_path / "ladder.xlsx"
    size = gallery.options("ladder", players=4, rounds=10)
    ladder.write_bytes(gallery.make("ladder", size, gallery.sample("ladder", size)))
    # the place is that in the book, whatever the language of the page
    said = run(ladder, "-o", tmp_path, "--lang", "ru")
    assert note in said


def published_line(**other: Any) -> dict[str, Any]:
    line = {"date": LISTS[0], "name": "Ana", "kind": "rapid", "rating": 1500, "change": 7}
    return {"History": [line | other]}


FAULTS: Final = [
    ({"Members": []}, "nobody is on the list"),
    ({"Members": [member("Ana", 1500, out="x")]}, "nobody is on the list"),
    ({"Members": [member("Ana", 1500), member("Ana", 1600)]}, "stands twice"),
    ({"Members": [member("Ana", "15oo")]}, "rating is not a number: '15oo' @ Members!G7"),
    ({"Members": [member("Ana", 4001)]}, "from 1 to 4000: '4001' @ Members!G7"),
    (published_line(date="soon"), "'soon' @ Rating history!B6"),
    (published_line(kind=None), "a date, a name, a kind or a rating is missing or wrong @ Ra"),
    (published_line(change="up"), "change is not a number: 'up' @ Rating history!G6"),
    ({"Events": [{"event": "Cup", "kind": "standard"}]}, "has no date @ Events!B"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("typed", "said"), FAULTS)
def test_a_club_with_faults_is_not_published(
    tmp_path: Path, typed: dict[str, Any], said: str
) -> None:
    book = club(tmp_path / "club.xlsx", **typed)
    assert said in run(book, "-o", tmp_path / "club.html", code=1)
    assert [book] == list(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (date(2026, 7, 1), "Rating list as of 1 July 2026"),
        ("1.7.2026", "Rating list as of 1 July 2026"),
        (2026, "Rating list as of 2026"),
        ("early in May", "Rating list as of early in May"),
        (None, "Rating list as of 1 April 2026"),  # of the newest list
    ],
)
def test_the_day_of_the_list_is_as_typed(tmp_path: Path, typed: object, said: str) -> None:
    assert f"{said}: 7 lines" in run(club(tmp_path / "c.xlsx", Dates=typed), "-o", tmp_path)


@pytest.mark.slow
def test_results_that_wait_do_not_stop_a_list(tmp_path: Path) -> None:
    games = [{"event": "Spring rapid", "white": MEMBERS[0][0], "black": MEMBERS[1][0]}]
    run(club(tmp_path / "club.xlsx", Results=games, History=[]), "-o", tmp_path / "club.html")
    groups, headings, *_ = cells(tmp_path / "club.html")
    assert "Change" not in headings
    assert not any(tag == "svg" for tag, _ in Tables(tmp_path / "club.html").tags)
    assert ["Standard", "Rapid", "Fed."] == groups[-3:]


@pytest.mark.slow
def test_other_books_with_faults_and_other_files(tmp_path: Path) -> None:
    def refused(content: bytes) -> str:
        book = tmp_path / "book.xlsx"
        book.write_bytes(content)
        said = run(book, "-o", tmp_path / "book.html", code=1)
        assert not (tmp_path / "book.html").exists()
        return said

    def made(template: str, **content: Any) -> bytes:
        players = 4 if gallery.TEMPLATES[template].players else None
        return gallery.make(template, gallery.options(template, players=players), content)

    twins = [{"name": "Ana", "rating": 1500}, {"name": "Ana", "rating": "16oo"}]
    said = refused(made("swiss", Players=twins))
    assert "Name appears twice: 'Ana' @ Players!B8 " in said
    assert "Rating is not a number from 1 to 4000: '16oo' @ Players!C8" in said
    assert "nobody is on the list" in refused(made("rating-period"))
    assert "match-odds, which has no sheet for the wall" in refused(made("match-odds"))
    assert "book.xlsx" in refused(b"no workbook at all")
