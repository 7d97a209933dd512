"""The workbook of a rated event: live formulas, the engine's values beside them, odd input."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import openpyxl
import pytest
from lxml import etree
from openpyxl.formula import Tokenizer
from openpyxl.formula.tokenizer import Token

from elo_xl.templates.parts import NONE
from elo_xl.templates.rated_event import rated_event_workbook, write_rated_event
from elo_xl.templates.text import clean
from elo_xl.tournament.event import Game, Problem, Tournament
from elo_xl.tournament.rate import RatedEvent, rate
from tests.support.events import NAMES, tournament

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from openpyxl import Workbook

    from tests.support.calc import Calc

RULES = ("fide-2025-10", "fide-2024-03", "fide-2022-01", "fide-2009-07", "fide-rapid")
MODELS = ("elo", "logistic")
SHEETS = ["Ratings", "Games", "Crosstable", "Unrated", "Rules", "Tables"]

FUNCTIONS = {
    *("ABS", "AND", "AVERAGE", "AVERAGEIFS", "COUNTIF", "COUNTIFS", "EXP", "IF", "INDEX"),
    *("ISNUMBER", "LOOKUP", "MATCH", "MAX", "MIN", "NOT", "OR", "PI", "RANK", "RIGHT", "ROUND"),
    *("SQRT", "SUM", "SUMIFS", "SUMPRODUCT", "_xlfn.NORM.S.DIST"),
}
"""Functions that Excel 2016, LibreOffice and Google Sheets have, as a file names them."""


@cache
def event(rules: str, seed: int = 1, **how: Any) -> RatedEvent:
    return rate(tournament(seed=seed, **how), rules)


def made(rated: RatedEvent) -> Any:
    """The workbook; any cell may hold anything, so that types are no help."""
    return rated_event_workbook(rated)[0]


def formulas(workbook: Workbook) -> Iterator[tuple[str, str, str]]:
    for sheet in workbook.worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type == "f":
                    yield sheet.title, cell.coordinate, str(cell.value)


def functions(formula: str) -> set[str]:
    tokens = Tokenizer(formula).items
    return {
        t.value[:-1] for t in tokens if t.type == Token.FUNC and t.subtype == Token.OPEN
    }  # fmt: skip


def same(found: object, value: object) -> bool:
    if isinstance(value, str) or not isinstance(found, int | float):
        return found == value
    number = float(value)  # type: ignore[arg-type]
    return abs(found - number) <= 1e-12 * max(1.0, abs(number))


def differences(
    found: Mapping[str, Mapping[str, Any]], values: Mapping[tuple[str, str], Any]
) -> list[tuple[str, str, object, object]]:
    return [
        (sheet, cell, value, found[sheet].get(cell))
        for (sheet, cell), value in values.items()
        if not same(found[sheet].get(cell), value)
    ]


def by_heading(sheet: Any, heading: str = "No.") -> dict[Any, dict[str, Any]]:
    """Rows below the first header row, by their cell below ``heading``."""
    header = next(r for r in sheet.iter_rows() if heading in [c.value for c in r])
    names = [c.value for c in header]
    rows = {}
    for row in sheet.iter_rows(min_row=header[0].row + 1):
        values = dict(zip(reversed(names), reversed([c.value for c in row]), strict=True))
        if values[heading] is None:
            break
        rows[values[heading]] = values
    return rows


@pytest.mark.parametrize("rules", [*RULES, *MODELS])
def test_libreoffice_computes_what_the_engine_does(rules: str, tmp_path: Path, calc: Calc) -> None:
    rated = event(rules, ranked=rules != "elo")
    path = tmp_path / "event.xlsx"
    write_rated_event(rated, path)
    _, values = rated_event_workbook(rated)
    assert len(values) > 1000
    assert differences(calc.recalculate(path), values) == []


def test_many_players(tmp_path: Path, calc: Calc) -> None:
    rated = event("fide-2025-10", players=200, rounds=13, step=8, unrated=20)
    path = tmp_path / "event.xlsx"
    write_rated_event(rated, path)
    _, values = rated_event_workbook(rated)
    assert differences(calc.recalculate(path), values) == []


@pytest.mark.parametrize("rules", ["fide-2025-10", "fide-2014-07", "elo"])
def test_every_formula_has_its_value_and_known_functions(rules: str, tmp_path: Path) -> None:
    rated = event(rules, seed=2)
    path = tmp_path / "event.xlsx"
    write_rated_event(rated, path)
    workbook, values = rated_event_workbook(rated)
    cached = openpyxl.load_workbook(path, data_only=True)
    assert workbook.sheetnames == SHEETS
    cells = list(formulas(openpyxl.load_workbook(path)))
    assert {(sheet, cell) for sheet, cell, _ in cells} == set(values)
    assert [(s, c, v) for (s, c), v in values.items() if cached[s][c].value != v] == []
    assert set().union(*(functions(formula) for *_, formula in cells)) <= FUNCTIONS
    # a constant in a formula is cut to 15 digits, a longer text to 255 letters
    assert max(len(formula) for *_, formula in cells) < 1000


def test_no_value_is_left_empty(tmp_path: Path) -> None:
    path = tmp_path / "event.xlsx"
    write_rated_event(event("fide-2024-03"), path)
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.startswith("xl/worksheets/sheet"):
                root = etree.fromstring(archive.read(name))
                assert [v for v in root.iter("{*}v") if not v.text] == []
                assert [f for f in root.iter("{*}f") if f.get("t")] == []


def test_the_same_bytes_every_time(tmp_path: Path) -> None:
    for name in ("one", "other"):
        write_rated_event(event("fide-2025-10"), tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_ratings_show_the_event(tmp_path: Path) -> None:
    rated = event("fide-2025-10")
    path = tmp_path / "event.xlsx"
    write_rated_event(rated, path)
    sheet = openpyxl.load_workbook(path, data_only=True)["Ratings"]
    rows = by_heading(sheet)
    assert list(rows) == [p.player.number for p in rated.players]
    for p in rated.players:
        row = rows[p.player.number]
        assert row["Name"] == clean(p.player.name)
        assert (row["Rating"], row["K"], row["Why this K"]) == (p.player.rating, p.k, p.k_reason)
        assert (row["Games"], row["Score"]) == (p.games, p.score)
        assert row["Expected score"] == p.expected
        assert (row["Rating change"], row["New rating"]) == (p.change, p.new)
        assert row["Performance"] == (NONE if p.performance is None else p.performance)
    assert sheet["A1"].value == rated.tournament.name
    assert rated.rules.title in sheet["A3"].value


def test_crosstable_shows_every_round(tmp_path: Path) -> None:
    rated = event("fide-2025-10", seed=7)
    path = tmp_path / "event.xlsx"
    write_rated_event(rated, path)
    rows = by_heading(openpyxl.load_workbook(path, data_only=True)["Crosstable"])
    assert sorted(rows) == [p.number for p in rated.tournament.players]
    byes = {"H": "bye ½", "U": "bye 1", "Z": NONE}
    signs = {"1": "1", "=": "½", "0": "0", "+": "+", "-": "-", "W": "1", "L": "0"}
    worth = {"1": 1, "½": 0.5, "+": 1}
    for number, pairings in rated.tournament.pairings.items():
        row = rows[number]
        shown = [row[str(r)] for r in range(1, rated.tournament.rounds + 1)]
        assert shown == [
            byes[p.code] if p.opponent is None else f"{p.opponent}{p.colour}{signs[p.code]}"
            for p in pairings
        ]
        assert row["Points"] == sum(worth.get(text[-1], 0) for text in shown)
    points = [row["Points"] for row in rows.values()]
    assert points == sorted(points, reverse=True)
    assert [row["Rank"] for row in rows.values()] == [
        1 + sum(other > mine for other in points) for mine in points
    ]


def test_ranks_and_points_of_the_file_are_kept() -> None:
    plain = tournament(5, 2, seed=4, unrated=0)
    ranks = {1: 3, 2: 1, 3: None, 4: 2, 5: 4}
    players = tuple(replace(p, rank=ranks[p.number], points=9.5) for p in plain.players)
    workbook = made(rate(replace(plain, players=players), "fide"))
    rows = by_heading(workbook["Crosstable"])
    assert [(n, row["Rank"]) for n, row in rows.items()] == [
        (2, 1),
        (4, 2),
        (1, 3),
        (5, 4),
        (3, None),
    ]
    assert {row["Points as filed"] for row in rows.values()} == {9.5}


def test_names_never_become_formulas(tmp_path: Path, calc: Calc) -> None:
    rated = event("fide-2025-10")
    path = tmp_path / "event.xlsx"
    write_rated_event(rated, path)
    workbook = openpyxl.load_workbook(path)
    sheet = workbook["Ratings"]
    assert (sheet["A1"].data_type, sheet["A1"].value) == ("s", "=Open & <Championship> №1")
    names = {c.value: c for row in sheet.iter_rows(min_col=3, max_col=3) for c in row}
    for name in NAMES:
        cell = names[clean(name)]
        assert cell.data_type == "s"
        assert cell.quotePrefix == name.startswith(("=", "+", "-", "@"))
    found = calc.recalculate(path)
    for title in ("Games", "Crosstable"):
        assert set(map(clean, NAMES)) <= set(map(str, found[title].values()))


def edited(path: Path, sheet: str, cells: dict[str, Any]) -> None:
    workbook = openpyxl.load_workbook(path)
    for cell, value in cells.items():
        assert workbook[sheet][cell].data_type != "f"
        workbook[sheet][cell] = value
    workbook.save(path)


def input_cell(workbook: Workbook, sheet: str, heading: str, **row: Any) -> str:
    """The first cell below ``heading`` that may be typed, in a row that has these values."""
    ws = workbook[sheet]
    headers: dict[str, int] = {}
    for cells in ws.iter_rows():
        texts = [c.value for c in cells]
        if {heading, *row} <= set(texts):
            headers = {}
            for column, text in enumerate(texts):
                headers.setdefault(str(text), column)
        elif (
            headers
            and all(cells[headers[name]].value == value for name, value in row.items())
            and cells[headers[heading]].data_type == "n"
        ):
            return str(cells[headers[heading]].coordinate)
    raise AssertionError(row)


def with_score(plain: Tournament, game: Game, score: float | None) -> Tournament:
    """The event as if a game had ended otherwise, or had not been played."""
    codes = {1.0: ("1", "0"), 0.5: ("=", "="), 0.0: ("0", "1"), None: ("Z", "Z")}[score]
    sides = {game.first: codes[0], game.second: codes[1]}
    pairings = {
        number: tuple(
            replace(cell, code=sides[number])
            if number in sides and cell.round == game.round
            else cell
            for cell in cells
        )
        for number, cells in plain.pairings.items()
    }
    instead = [] if score is None else [replace(game, score=score)]
    games = [g for old in plain.games for g in (instead if old is game else [old])]
    return replace(plain, pairings=pairings, games=tuple(games))


def compare(found: Any, expected: RatedEvent) -> None:
    """Ratings and first ratings as LibreOffice recalculated them, by player."""
    ratings, unrated = by_heading(found["Ratings"]), by_heading(found["Unrated"])
    for p in expected.players:
        row = ratings[p.player.number]
        for heading, value in {
            "Rating": p.player.rating,
            "K": p.k,
            "Games": p.games,
            "Score": p.score,
            "Expected score": p.expected,
            "Rating change": p.change,
            "New rating": p.new,
            "Performance": NONE if p.performance is None else p.performance,
        }.items():
            assert same(row[heading], value), (p.player.number, heading, row[heading], value)
    for new in expected.new_players:
        row = unrated[new.player.number]
        first = NONE if new.rating is None else new.rating
        assert (row["Games"], row["Score"]) == (len(new.opponents), new.score)
        assert (row["First rating"], row["Why"]) == (first, new.reason)


@pytest.mark.parametrize("rules", ["fide-2025-10", "fide-2022-01"])
@pytest.mark.parametrize("score", [1.0, 0.5, 0.0, None])
def test_a_result_typed_anew_is_rated_anew(
    rules: str, score: float | None, tmp_path: Path, calc: Calc
) -> None:
    plain = tournament(seed=5)
    rated = rate(plain, rules)
    path = tmp_path / "event.xlsx"
    write_rated_event(rated, path)
    numbers = {p.player.number for p in rated.players}
    game = next(g for g in plain.games if {g.first, g.second} <= numbers and g.score != score)
    seen = next(g for g in rated.games if {g.player, g.opponent} == {game.first, game.second})
    workbook = openpyxl.load_workbook(path)
    cell = input_cell(workbook, "Games", "Score", **{"No.": seen.player, "Round": game.round})
    own = score if score is None or seen.player == game.first else 1 - score
    edited(path, "Games", {cell: own})
    found = calc.workbook(path)
    again = with_score(plain, game, score)
    compare(found, rate(again, rules))
    row = by_heading(found["Crosstable"])[game.first]
    code = {1.0: "1", 0.5: "½", 0.0: "0", None: NONE}[score]
    assert row[str(game.round)] == f"{game.second}w{code}"


def test_a_rating_and_k_typed_anew(tmp_path: Path, calc: Calc) -> None:
    plain = tournament(seed=5)
    path = tmp_path / "event.xlsx"
    write_rated_event(rate(plain, "fide-2025-10", 20), path)
    workbook = openpyxl.load_workbook(path)
    rating = input_cell(workbook, "Ratings", "Rating", **{"No.": 9})
    ks = [input_cell(workbook, "Ratings", "K", **{"No.": p.number}) for p in plain.players[:22]]
    edited(path, "Ratings", {rating: 2655} | dict.fromkeys(ks, 15))
    players = tuple(replace(p, rating=2655.0) if p.number == 9 else p for p in plain.players)
    compare(calc.workbook(path), rate(replace(plain, players=players), "fide-2025-10", 15))


@pytest.mark.parametrize("rules", ["fide-2024-03", "fide-2014-07"])
def test_a_newcomers_result_typed_anew(rules: str, tmp_path: Path, calc: Calc) -> None:
    plain = tournament(seed=5, rounds=8)
    rated = rate(plain, rules)
    path = tmp_path / "event.xlsx"
    write_rated_event(rated, path)
    new = {n.player.number for n in rated.new_players}
    game = next(g for g in plain.games if (g.first in new) != (g.second in new))
    number = game.first if game.first in new else game.second
    score = 1.0 if game.score == 0.0 else 0.0
    own = score if number == game.first else 1 - score
    workbook = openpyxl.load_workbook(path)
    cell = input_cell(workbook, "Unrated", "Score", **{"No.": number, "Round": game.round})
    edited(path, "Unrated", {cell: own})
    found = calc.workbook(path)
    compare(found, rate(with_score(plain, game, score), rules))
    sign = {1.0: "1", 0.0: "0"}
    rows = by_heading(found["Crosstable"])
    assert rows[game.first][str(game.round)] == f"{game.second}w{sign[score]}"
    assert rows[game.second][str(game.round)] == f"{game.first}b{sign[1 - score]}"


def test_a_figure_found_by_iteration_goes_with_its_games(tmp_path: Path, calc: Calc) -> None:
    rated = rate(tournament(seed=5), "logistic")
    path = tmp_path / "event.xlsx"
    write_rated_event(rated, path)
    first = next(g for g in rated.games if g.score != 1.0)
    workbook = openpyxl.load_workbook(path)
    cell = input_cell(workbook, "Games", "Score", **{"No.": first.player, "Round": first.round})
    edited(path, "Games", {cell: 1})
    rows = by_heading(calc.workbook(path)["Ratings"])
    stale = {n for n, row in rows.items() if row["Performance"] == "rate again"}
    assert stale == {first.player, first.opponent}


@pytest.mark.parametrize(
    ("how", "text"),
    [
        ({"players": 5, "rounds": 0}, "No game between two rated players"),
        ({"players": 6, "rounds": 3, "unrated": 6}, "No game between two rated players"),
        ({"players": 1, "rounds": 2, "unrated": 0}, "No game between two rated players"),
    ],
)
def test_an_event_without_rated_games_says_so(
    how: dict[str, int], text: str, tmp_path: Path, calc: Calc
) -> None:
    path = tmp_path / "event.xlsx"
    rated = event("fide-2025-10", **how)
    write_rated_event(rated, path)
    _, values = rated_event_workbook(rated)
    found = calc.recalculate(path)
    assert differences(found, values) == []
    assert text in "\n".join(str(found["Ratings"].get(f"A{row}")) for row in range(1, 6))
    assert text in "\n".join(str(found["Games"].get(f"A{row}")) for row in range(1, 6))
    assert list(found) == SHEETS


def test_everybody_rated() -> None:
    workbook = made(event("fide-2025-10", unrated=0))
    assert workbook["Unrated"]["A2"].value == "Every player of the event has a rating."


def test_rules_say_edition_source_doubts_and_warnings() -> None:
    rated = event("fide-2022-01")
    rated = replace(rated, warnings=(Problem("points are not the sum", line=7),))
    workbook = made(rated)
    sheet = workbook["Rules"]
    lines = {row[0].value: row[1].value for row in sheet.iter_rows(max_col=2)}
    assert lines["Source"] == rated.rules.source
    assert lines["Chosen because"] == rated.rules_reason
    assert lines["Open"] == rated.rules.uncertain
    assert lines["Note"] == "points are not the sum @ line 7"
    assert "only in the game with the largest difference" in lines["Difference"]
    names = {name: d.attr_text for name, d in workbook.defined_names.items()}
    row = next(r for r in sheet.iter_rows(max_col=2) if r[0].value == "Largest_difference")
    assert names["Largest_difference"] == f"Rules!$B${row[1].row}"
    assert row[1].value == 400


def test_pages_are_set_up_for_printing() -> None:
    workbook = made(event("fide-2025-10"))
    for sheet in workbook.worksheets:
        upright = sheet.title == "Tables"  # a page high, for nobody reads it line by line
        assert sheet.page_setup.orientation == ("portrait" if upright else "landscape")
        assert sheet.page_setup.fitToHeight == (1 if upright or sheet.title == "Rules" else 0)
        assert (sheet.page_setup.fitToWidth, sheet.page_setup.paperSize) == (1, 9)
        assert sheet.sheet_properties.pageSetUpPr.fitToPage
        assert sheet.oddFooter.right.text == "Page &P of &N"
        assert sheet.oddFooter.left.text.startswith("=Open && <")
    assert workbook["Ratings"].print_title_rows == "$1:$6"
    assert workbook["Ratings"].freeze_panes == "E7"
    assert workbook["Games"].print_title_rows == "$1:$5"
    assert len(workbook["Ratings"].print_area.split(",")) == 2


def test_nothing_is_too_wide_for_its_column() -> None:
    """Numbers wider than their column show as #### on paper."""
    rated = event("logistic", seed=3)
    workbook, values = made(rated), rated_event_workbook(rated)[1]
    for sheet in workbook.worksheets[:4]:
        for row in sheet.iter_rows(min_row=6):
            for cell in row:
                value = values.get((sheet.title, cell.coordinate), cell.value)
                if isinstance(value, int | float):
                    decimals = cell.number_format.split(";")[0].count("0", 1)
                    text = f"{value:+.{decimals}f}"
                    assert sheet.column_dimensions[cell.column_letter].width >= len(text)
