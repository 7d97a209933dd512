"""The site of docs/ as a reader has it: it builds, comes complete, and its pages compute."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from math import isclose
from pathlib import Path
from typing import Any, Final

import pytest

import elo_xl
from docs_build import DOCS
from docs_build.calculator import places
from elo_xl.engine.rulebooks import RULEBOOKS
from elo_xl.functions.catalogue import Function, functions
from elo_xl.functions.cells import to_text
from elo_xl.hosts.javascript import missing, names
from tests.support.browser import Browser, BrowserError, find_chromium
from tests.support.once import FOLDER, once

pytestmark = pytest.mark.slow

call: Any = elo_xl.worksheet

COMPUTING = [function for name, function in functions().items() if name in names()]


def built() -> tuple[Path, int, str]:
    """The site, and what building it gave."""
    folder = Path(os.environ[FOLDER])
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-d"]
    done = subprocess.run(
        [*command, str(folder / "trees"), str(DOCS), str(folder / "site")],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(DOCS.parent)},
    )
    return folder / "site", done.returncode, done.stderr


@pytest.fixture(scope="module")
def site() -> Path:
    """The site, built once in a run."""
    folder, code, said = once("site", built)
    assert (0, "") == (code, said)
    return folder


def test_site_builds_and_needs_nothing_from_afar(site: Path) -> None:
    fetched = re.compile(r"<(?:script|link|img|iframe)\b[^>]*(?:src|href)=[\"'](?:https?:)?//")
    styles = re.compile(r"@import|url\([\"']?(?:https?:)?//")
    for page in site.rglob("*.html"):
        assert None is fetched.search(page.read_text(encoding="utf-8")), page
    for sheet in site.rglob("*.css"):
        assert None is styles.search(sheet.read_text(encoding="utf-8")), sheet


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    try:
        program = find_chromium()
    except BrowserError as lacking:
        pytest.fail(str(lacking), pytrace=False)
    with Browser(program, tmp_path_factory.mktemp("chromium") / "profile") as opened:
        yield opened


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """Chromium on a desk; no page may complain, or ask for what did not come with the site."""
    chromium.screen(1280, 900)
    yield chromium
    assert [] == chromium.complaints()
    assert [] == [a for a in chromium.requests() if not a.startswith(("file:", "data:"))]


def write(browser: Browser, selector: str, text: str, at: int = 0) -> None:
    """Type a text into a field instead of what stands there."""
    found = f"document.querySelectorAll({json.dumps(selector)})[{at}]"
    browser.run(f"{found}.focus(); {found}.select()")
    if text:
        browser.type(text)
    else:
        browser.press("Delete", 46)


def same(one: Any, other: Any) -> bool:
    """Whether two cells, or tables of them, are the same as far as they are shown."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, int | float) and isinstance(other, int | float):
        return isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
    return to_text(one) == to_text(other)


# -- cells on the pages of functions --------------------------------------------------------------

RESULT: Final = """
(() => {
  const cell = (e) => e.classList.contains("live-number") ? Number(e.textContent) : e.textContent;
  const place = document.querySelector(".live-result"), one = place.querySelector("strong");
  if (one) return cell(one);
  const rows = [...place.querySelectorAll("tbody tr")];
  return rows.length ? rows.map((row) => [...row.cells].map(cell)) : "";
})()
"""


def opened(browser: Browser, site: Path, function: str) -> None:
    browser.open(site / "functions" / f"{function}.html")


@pytest.mark.parametrize("function", COMPUTING, ids=lambda f: f.name)
def test_a_page_computes_its_first_example(
    function: Function, site: Path, browser: Browser
) -> None:
    opened(browser, site, function.name)
    expected = call(function.name, *function.examples[0].arguments)
    assert same(expected, browser.run(RESULT)), browser.run(RESULT)


@pytest.mark.parametrize("name", missing())
def test_a_page_says_why_it_does_not_compute(name: str, site: Path, browser: Browser) -> None:
    opened(browser, site, name)
    said = browser.run("document.querySelector('.live-note').textContent")
    assert missing()[name][1:] in said
    assert browser.run("document.querySelector('#cells') === null")


@pytest.mark.parametrize(
    ("typed", "arguments"),
    [
        ({"rating": "2400"}, (2400, 2179)),
        ({"rating": "1\u00a0834,5", "model": "LOGISTIC"}, ("1\u00a0834,5", 2179, "LOGISTIC")),
        ({"rating": ""}, (None, 2179)),
        ({"rating": "x"}, ("x", 2179)),
        ({"model": "poisson"}, (1834, 2179, "poisson")),
        ({"cap": "-1"}, (1834, 2179, None, -1)),
        ({"home": "35", "opponent": "#N/A"}, (1834, "#N/A", None, None, None, None, 35)),
        ({"rating": "TRUE"}, (True, 2179)),
    ],
)
def test_what_is_typed_is_computed(
    typed: dict[str, str], arguments: tuple[Any, ...], site: Path, browser: Browser
) -> None:
    opened(browser, site, "ELO_EXPECTED")
    for argument, text in typed.items():
        write(browser, f"#cell-{argument}", text)
    expected = call("ELO_EXPECTED", *arguments)
    assert same(expected, browser.run(RESULT)), browser.run(RESULT)


def test_a_range_grows_as_it_is_typed_into(site: Path, browser: Browser) -> None:
    opened(browser, site, "ELO_CHANGE")
    for row, (opponent, score) in enumerate([("1900", "1"), ("2100", "½")], start=3):
        write(browser, "[data-argument=opponents] input", opponent, row)
        write(browser, "[data-argument=scores] input", score.replace("½", "0.5"), row)
    met, scored = [[1860], [1770], [2000], [1900], [2100]], [[1], [0.5], [0], [1], [0.5]]
    assert same(call("ELO_CHANGE", 1800, 20, met, scored), browser.run(RESULT))
    formula = browser.run("document.querySelector('.live-formula').textContent")
    assert "=ELO_CHANGE(1800, 20, {1860;1770;2000;1900;2100}, {1;0.5;0;1;0.5})" == formula

    write(browser, "[data-argument=opponents] input", "", 4)
    assert call("ELO_CHANGE", 1800, 20, met[:4], scored) == browser.run(RESULT)
    browser.click("button[type=reset]")
    browser.run("new Promise(done => setTimeout(done))")
    assert same(call("ELO_CHANGE", 1800, 20, met[:3], scored[:3]), browser.run(RESULT))


def test_a_table_takes_more_columns_and_what_a_sheet_copies(site: Path, browser: Browser) -> None:
    opened(browser, site, "ELO_PERIOD")
    write(browser, "[data-argument=players] input", "12", 3)  # games before, a fourth column
    write(browser, "#cell-labels", "TRUE")
    browser.run("""
        const data = new DataTransfer();
        data.setData("text", "Bo\\tDee\\t0\\r\\nDee\\tCy\\t1\\r\\n");
        const target = document.querySelectorAll("[data-argument=games] tbody tr")[2];
        target.querySelector("input").dispatchEvent(
            new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    """)
    players = [["Ana", 1800, 20, 12], ["Bo", 1860, 20], ["Cy", 1770, 40]]
    games = [["Ana", "Bo", 1], ["Cy", "Ana", "½"], ["Bo", "Dee", 0], ["Dee", "Cy", 1]]
    expected = call("ELO_PERIOD", players, games, None, True)
    assert "#N/A" in expected[2]
    assert same(expected, browser.run(RESULT)), browser.run(RESULT)
    assert 0 == browser.run("document.querySelectorAll('.live-result thead').length")


# -- the calculator -------------------------------------------------------------------------------


def choose(browser: Browser, selector: str, value: str, at: int = 0) -> None:
    found = f"document.querySelectorAll({json.dumps(selector)})[{at}]"
    browser.run(
        f"{found}.value = {json.dumps(value)};"
        f"{found}.dispatchEvent(new Event('input', {{ bubbles: true }}))"
    )


def values(browser: Browser, place: str) -> dict[str, float | str]:
    """The numbers of an answer in full, by their names."""
    found: dict[str, str] = browser.run(
        f"Object.fromEntries([...document.querySelectorAll('{place} [data-name]')]"
        ".map(e => [e.dataset.name, e.dataset.value]))"
    )
    return {name: _number(text) for name, text in found.items()}


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


OWN: Final = {"own": "1640", "before": "12", "age": "17", "peak": "1712"}
GAMES: Final = [("1510", "1"), ("1 702,5", "0.5"), ("", "1"), ("1801", "0"), ("1580", "1")]
MET: Final = [[1510.0], [1702.5], [None], [1801.0], [1580.0]]
SCORED: Final = [[1], [0.5], [1], [0], [1]]


def play(browser: Browser, place: str, games: list[tuple[str, str]]) -> None:
    """Type games, as many as there are."""
    count = browser.run(f"document.querySelectorAll('{place} select').length")
    for _ in range(len(games) - count):
        browser.click(f"[data-add={place[1:]}]")
    for _ in range(count - len(games)):
        browser.click(f"{place} .live-remove")
    for at, (rating, score) in enumerate(games):
        write(browser, f"{place} input", rating, at)
        choose(browser, f"{place} select", score, at)


BOOKS: Final = {book.name: book for book in RULEBOOKS.values()}


@pytest.mark.parametrize("rules", BOOKS)
def test_a_new_rating_is_that_of_the_functions(rules: str, site: Path, browser: Browser) -> None:
    book = BOOKS[rules]
    browser.open(site / "calculator.html")
    choose(browser, "#rules", rules)
    for name, text in OWN.items():
        write(browser, f"#{name}", text)
    play(browser, "#played", GAMES)
    arguments = 1640, "auto", MET, SCORED, rules
    shown = values(browser, "#new-answer")
    if rules == "usatt":  # no match is drawn in table tennis
        assert {} == shown
        choose(browser, "#played select", "1", 1)
        arguments = 1640, "auto", MET, [[1], [1], [1], [0], [1]], rules
        shown = values(browser, "#new-answer")
    facts: tuple[Any, ...] = (12, 17, 1712)
    if book.change.counts_events:
        facts = (None, 17, 1712, None, 12)
    assert same(call("ELO_UPDATE", *arguments, *facts), shown["new"])
    assert shown["answer"] == shown["new"]
    *rows, total = call("ELO_EXPLAIN", *arguments, "en", *facts)
    assert same(total[5], shown["change"])
    assert total[4] == shown["score"]
    if book.by_game:
        assert same(total[3], shown["expected"])
        assert same(call("ELO_K", 1640, 12, 17, 1712, 4, rules), shown["k"])
        games = browser.run(
            "[...document.querySelectorAll('#played .live-what')].map(what => ['difference', "
            "'expected', 'share'].map(n => what.querySelector(`[data-name=${n}]`))"
            ".map(e => e ? Number(e.dataset.value) : ''))"
        )
        assert same([[row[1], row[3], row[5]] for row in rows], games), games
    else:
        assert "expected" not in shown
    together = "from all games together" in browser.run(
        "document.querySelector('#new-answer').textContent"
    )
    shares = browser.run(
        "[...document.querySelectorAll('#played [data-name=share]')]"
        ".map(e => Number(e.dataset.value))"
    )
    assert together == (not shares)
    assert together or same(total[5], sum(shares))


def test_an_own_k_and_what_cannot_be_read(site: Path, browser: Browser) -> None:
    browser.open(site / "calculator.html")
    write(browser, "#k", "32")
    played = [[1860], [1770], [2000]], [[1], [0.5], [0]]
    shown = values(browser, "#new-answer")
    assert same(call("ELO_UPDATE", 1800, 32, *played), shown["new"])
    assert 32 == shown["k"]
    answer = "document.querySelector('#new-answer').textContent"
    marked = "[...document.querySelectorAll('[aria-invalid]')].map(e => e.id)"
    assert [] == browser.run(marked)
    write(browser, "#k", "fast")
    assert ["k"] == browser.run(marked)
    assert "What is marked cannot be read as a number." == browser.run(answer)
    write(browser, "#k", "")
    write(browser, "#own", "")
    assert "Type your rating and the ratings of your opponents." == browser.run(answer)
    choose(browser, "#rules", "usatt")
    assert not browser.run("document.querySelector('#k').checkVisibility()")


def test_where_only_the_whole_event_decides_no_game_has_a_share(
    site: Path, browser: Browser
) -> None:
    browser.open(site / "calculator.html")
    choose(browser, "#rules", "fide-2022-01")
    write(browser, "#own", "2200")
    play(browser, "#played", [("1700", "1"), ("1650", "0.5")])
    shown = values(browser, "#new-answer")
    played = [[1700], [1650]], [[1], [0.5]]
    assert same(call("ELO_CHANGE", 2200, 20, *played, "fide-2022-01"), shown["change"])
    assert 0 == browser.run("document.querySelectorAll('#played [data-name=share]').length")


@pytest.mark.parametrize(
    ("rules", "model", "length", "draws"),
    [
        ("fide-2025-10", "normal", 6, True),
        ("us-chess-2025-01", "logistic", 5, True),
        ("elo", "normal", 3, False),
    ],
)
def test_the_odds_of_a_match_are_those_of_the_functions(
    rules: str, model: str, length: int, draws: bool, site: Path, browser: Browser
) -> None:
    browser.open(site / "calculator.html")
    choose(browser, "#rules", rules)
    write(browser, "#one", "1834")
    write(browser, "#two", "1790")
    write(browser, "#many", str(length))
    if not draws:
        browser.run("document.querySelector('#draws').click()")
    way = "split" if draws else 0
    shown = values(browser, "#match-answer")

    def odds(points: float, kind: str) -> Any:
        return call("ELO_MATCH", 1834, 1790, length, points, kind, way, model)

    for half in range(2 * length + 1):
        if f"exactly_{half}" in shown:
            assert same(odds(half / 2, "exactly"), shown[f"exactly_{half}"])
            assert same(odds(half / 2, "at least"), shown[f"least_{half}"])
        else:
            assert 0 == odds(half / 2, "exactly")
    assert same(odds(length / 2 + 0.5, "at least"), shown["win_one"])
    assert same(odds(length / 2 - 0.5, "at most"), shown["win_two"])
    [game] = call("ELO_OUTCOMES", 1834, 1790, way, model)
    assert same(game, [shown["game_one"], shown["game_draw"], shown["game_two"]])
    assert same(length * (game[0] + game[1] / 2), shown["mean"])
    write(browser, "#many", "2.5")
    said = browser.run("document.querySelector('#match-answer').textContent")
    assert "Type both ratings and from 1 to 100 games." == said


FIRST: Final = {
    "enough": [("1650", "0.5"), ("1700", "0"), ("1580", "1"), ("1720", "0"), ("1610", "0.5")],
    "few": [("1650", "0.5"), ("1700", "1")],
    "low": [("1310", "0.5"), ("1200", "0"), ("1180", "0"), ("1120", "0"), ("1110", "0")],
    "zero": [(rating, "0") for rating in ("1650", "1700", "1580", "1720", "1610")],
}


@pytest.mark.parametrize("games", FIRST)
@pytest.mark.parametrize("rules", ["fide-2025-10", "fide-2022-01", "fide-2009-07", "elo", "naspa"])
def test_a_first_rating_is_that_of_a_period(
    rules: str, games: str, site: Path, browser: Browser
) -> None:
    browser.open(site / "calculator.html")
    choose(browser, "#rules", rules)
    play(browser, "#met", FIRST[games])
    shown = values(browser, "#first-answer")
    opponents = [[f"Opponent {rating}", float(rating)] for rating, _ in FIRST[games]]
    results = [["New", name, float(score)] for (name, _), (_, score) in
               zip(opponents, FIRST[games], strict=True)]  # fmt: skip
    period = call("ELO_PERIOD", [["New", None], *opponents], results, rules)
    assert same(period[0][7], shown["first"]), shown
    computed = call("ELO_INITIAL", [[r] for _, r in opponents],
                           [[g[2]] for g in results], rules)  # fmt: skip
    assert same(computed, shown.get("computed", computed if isinstance(computed, str) else None))


def test_a_first_guess_where_the_rules_take_one(site: Path, browser: Browser) -> None:
    browser.open(site / "calculator.html")
    assert not browser.run("document.querySelector('#guess').checkVisibility()")
    choose(browser, "#rules", "egf")
    write(browser, "#guess", "2100")
    met, scored = zip(*FIRST["enough"], strict=True)
    numbers = ([[float(n)] for n in column] for column in (met, scored))
    expected = call("ELO_INITIAL", *numbers, "egf", 2100)
    assert same(expected, values(browser, "#first-answer")["computed"])


# -- for everybody --------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "dark"), [(360, False), (360, True), (1280, False)])
@pytest.mark.parametrize(
    "page", [*places(), "functions/ELO_EXPECTED", "functions/ELO_PERIOD", "functions/ELO_LIST"]
)
def test_everybody_can_use_a_page_that_computes(
    page: str, width: int, dark: bool, site: Path, chromium: Browser
) -> None:
    chromium.screen(width, 900, dark=dark)
    chromium.open(site / f"{page}.html")
    assert chromium.run("document.documentElement.scrollWidth <= innerWidth")
    paper = chromium.run("getComputedStyle(document.body).backgroundColor")
    assert dark == (sum(map(int, re.findall(r"\d+", paper)[:3])) < 380)
    assert [] == chromium.complaints()
    assert [] == chromium.barriers()  # reads the style sheets itself, and complains of files


@pytest.mark.parametrize(("place", "language"), places().items())
def test_the_calculator_speaks_its_language(
    place: str, language: str, site: Path, browser: Browser
) -> None:
    browser.open(site / f"{place}.html")
    assert language == browser.run("document.documentElement.lang")
    text = browser.run("document.querySelector('#new-answer').innerText")
    assert ("1.5" if language == "en" else "1,5") in text
    assert "undefined" not in text
    assert 1806 == values(browser, "#new-answer")["new"]
