"""What is cut out: result slips of a round and name plates."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any, Final

import lxml.html
import PIL.ImageChops
import pypdfium2
import pytest

from elo_xl.templates import gallery
from tests.support.browser import Browser
from tests.support.command import run_in_a_line

PEOPLE: Final = (
    {"name": "Ana Álvarez", "rating": 1800, "title": "WFM", "federation": "ESP"},
    {"name": "Болотов, Пётр", "rating": 1750},
    {"name": "<Carl> & Co", "federation": "SWE"},
    {"name": "Dora", "rating": 1600},
    {"name": "Eve", "rating": 1500},
)
SWISS: Final[dict[str, Any]] = {
    "Players": PEOPLE,
    "Pairings": {
        1: {"white": 1, "black": 2, "result": "1"},
        2: {"white": 3, "black": 4, "result": "="},
        3: {"white": 5, "result": "bye"},
    },
}
ROUND_ROBIN: Final[dict[str, Any]] = {"Players": PEOPLE[:3]}
MATCH: Final[dict[str, Any]] = {
    "Team_a": "North",
    "Team_b": "South",
    "First_white": "Second team",
    "Players_a": PEOPLE[:2],
    "Players_b": PEOPLE[2:4],
}


def book(path: Path, template: str, content: dict[str, Any]) -> Path:
    rounds = 2 if gallery.TEMPLATES[template].rounds else None
    size = gallery.options(template, players=5 if template == "swiss" else 4, rounds=rounds)
    path.write_bytes(gallery.make(template, size, content))
    return path


run = partial(run_in_a_line, "publish")


def slips(file: Path) -> list[tuple[str, list[str], list[str]]]:
    """What each slip says: above, of the two players, and below the lines on which they sign."""
    return [
        (
            said(slip.find("h2")),
            [said(player) for player in slip.findall("p")],
            [said(line) for line in slip.find("div[@class='signed']")],
        )
        for slip in marked(file, "slip")
    ]


def marked(file: Path, name: str) -> list[Any]:
    """The elements of a class."""
    page: Any = lxml.html.fromstring(file.read_bytes())
    return list(page.find_class(name))


def said(element: Any) -> str:
    return " ".join(element.text_content().split())


ANA, PETR, CARL, DORA = "WFM Ana Álvarez", "Болотов, Пётр", "<Carl> & Co", "Dora"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("template", "content", "expected"),
    [
        (
            "swiss",
            SWISS,
            # the bye has none
            [
                ("Round 1 · Board 1", [f"{ANA} No. 1 · 1800", f"{PETR} No. 2 · 1750"]),
                ("Round 1 · Board 2", [f"{CARL} No. 3", f"{DORA} No. 4 · 1600"]),
            ],
        ),
        # Berger's first round of three: 1 is free, 2 has White against 3
        (
            "round-robin",
            ROUND_ROBIN,
            [("Round 1 · Board 1", [f"{PETR} No. 2 · 1750", f"{CARL} No. 3"])],
        ),
        # the second team has White on the odd boards
        (
            "team-match",
            MATCH,
            [
                ("Board 1", [f"{CARL} South", f"{ANA} North · 1800"]),
                ("Board 2", [f"{PETR} North · 1750", f"{DORA} South · 1600"]),
            ],
        ),
    ],
)
def test_every_board_of_a_round_has_a_slip(
    tmp_path: Path, template: str, content: dict[str, Any], expected: list[tuple[str, list[str]]]
) -> None:
    file = book(tmp_path / "b.xlsx", template, content | {"Event": "Open"})
    told = run(file, "--sheets", "slips", "-o", tmp_path)
    assert f"HTML: {tmp_path / 'b-slips.html'}" == told
    signed = ["Signature: White", "Signature: Black"]
    assert [(f"Open {above}", players, signed) for above, players in expected] == (
        slips(tmp_path / "b-slips.html")
    )
    run(file, "--sheets", "slips", "-o", tmp_path, "--lang", "es", "--force")
    (above, _, signs), *_ = slips(tmp_path / "b-slips.html")
    assert above.endswith("Tablero 1")
    assert ["Firma: Blancas", "Firma: Negras"] == signs


@pytest.mark.browser
def test_eight_slips_or_two_plates_fill_a_page(tmp_path: Path) -> None:
    people = [{"name": f"Player {n}", "rating": 1500 + n} for n in range(1, 21)]
    pairs = {n: {"white": n, "black": n + 10} for n in range(1, 11)}
    size = gallery.options("swiss", players=20, rounds=1)
    file = tmp_path / "b.xlsx"
    file.write_bytes(gallery.make("swiss", size, {"Players": people, "Pairings": pairs}))
    for what, pages in (("slips", 2), ("plates", 10)):
        run(file, "--sheets", what, "-o", tmp_path / "b.pdf", "--force")
        printed = pypdfium2.PdfDocument(tmp_path / "b.pdf")
        text = "".join(page.get_textpage().get_text_range() for page in printed)
        # the half of a plate that stands on its head reads backwards
        assert [1] * 20 == [text.count(str(player["rating"])) for player in people]
        assert pages == len(printed)
        # as high as Letter without the margin that most printers need
        ink = PIL.ImageChops.invert(printed[0].render().to_pil().convert("L")).getbbox()
        assert ink is not None
        assert ink[3] <= (11 - 0.25) * 72


@pytest.mark.parametrize("what", ["slips", "plates"])
@pytest.mark.parametrize("width", [390, 1280])
def test_what_is_cut_out_fits_a_screen(
    tmp_path: Path, browser: Browser, width: int, what: str
) -> None:
    long = {"name": "Wolfeschlegelsteinhausenbergerdorff, Hubert Blaine"}
    file = book(
        tmp_path / "b.xlsx", "round-robin", {"Event": "Open", "Players": [*PEOPLE[:2], long]}
    )
    run(file, "--sheets", what, "-o", tmp_path)
    browser.screen(width, 800)
    browser.open(tmp_path / f"b-{what}.html")
    assert browser.run("document.documentElement.scrollWidth") <= width
    assert [] == browser.barriers()


@pytest.mark.slow
def test_plates_have_title_federation_and_rating(tmp_path: Path) -> None:
    run(book(tmp_path / "b.xlsx", "team-match", MATCH), "--sheets", "plates", "-o", tmp_path)
    halves = [
        [(said(half.find("h2")), said(half.find("p"))) for half in plate]
        for plate in marked(tmp_path / "b-plates.html", "plate")
    ]
    assert [
        2 * [("Ana Álvarez", "WFM · ESP · 1800 · North")],
        2 * [(PETR, "1750 · North")],
        2 * [(CARL, "SWE · South")],
        2 * [(DORA, "1600 · South")],
    ] == halves


@pytest.mark.slow
def test_what_has_no_round_or_is_no_paper_is_refused(tmp_path: Path) -> None:
    empty = book(tmp_path / "b.xlsx", "swiss", {"Players": PEOPLE})
    slips = ("--sheets", "slips", "-o", tmp_path)
    assert "no round is paired" in run(empty, *slips, code=1)
    size = gallery.options("ladder", players=4, rounds=10)
    (tmp_path / "l.xlsx").write_bytes(gallery.make("ladder", size))
    assert "made from ladder, which has no boards" in run(tmp_path / "l.xlsx", *slips, code=1)
    csv = tmp_path / "b.csv"
    assert "must end in .html, .pdf" in run(empty, "--sheets", "plates", "-o", csv, code=2)
    plates = ("--sheets", "plates", "--address", "https://club.example/")
    assert "no address is on what is cut out" in run(empty, *plates, code=2)
    assert [] == [*tmp_path.glob("*.html"), *tmp_path.glob("*.csv")]
