"""Books of findings with charts, and the same charts as pictures: what programs read in them."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from openpyxl import load_workbook

from elo_xl.books.texts import texts
from elo_xl.engine.errors import EloError
from elo_xl.languages import CODES
from elo_xl.publish.pictures import figure, needed, picture
from elo_xl.questions.check.event import chart
from tests.support.calc import Calc
from tests.support.command import invoke as run
from tests.support.findings import checked, fit_book, fitted
from tests.support.levels import cases
from tests.support.lint import problems


def written(games: Path) -> Path:
    rng = np.random.default_rng(6)
    rows = ["White;Black;Result"]
    for one, other, score in rng.integers((0, 1, 0), (20, 20, 3), (400, 3)):
        rows.append(f"P{one};P{(one + other) % 20};{'0½1'[score]}")
    games.write_text("\n".join(rows), encoding="utf-8")
    return games


def series(chart: Any) -> list[tuple[list[float], list[float]]]:
    def points(ref: Any) -> list[float]:
        return [float(point.v) for point in ref.numRef.numCache.pt]

    return [(points(one.xVal), points(one.yVal)) for one in chart.series]


def drawn(axes: Any) -> list[tuple[str, list[float], list[float], list[float]]]:
    """Name, points and half bars of each curve of a picture."""
    found = []
    for container in axes.containers:
        line, _, bars = container.lines
        xs, ys = (np.asarray(x, float).tolist() for x in line.get_data())
        halves = [np.ptp(segment[:, 1]) / 2 for bar in bars for segment in bar.get_segments()]
        found.append((container.get_label(), xs, ys, halves))
    return found


@pytest.mark.parametrize("language", cases(CODES, test=("en", "ru")))
def test_a_book_of_a_fit_says_who_has_no_rating(language: str) -> None:
    book, say = fit_book(language), texts(language)
    assert problems(book.file()) == []
    table = book.tables["Ratings"]
    assert table.column("rating").values()[4:] == [None, None, None]
    assert [r["rating"] for r in fitted().rows()[:4]] == table.column("rating").values()[:4]
    whys = [say(f"fitted.why_{key}") for key in ("losses", "apart", "apart")]
    assert sorted(table.column("why").texts()) == sorted(["", "", "", "", *whys])


def test_ratings_have_error_bars_and_expected_scores_a_heat_map(calc: Calc, tmp_path: Path) -> None:
    fit, path = fitted().fit, tmp_path / "fit.xlsx"
    path.write_bytes(fit_book().file())
    order = fitted().order[:4]
    rows = [[cell.value for cell in row] for row in load_workbook(path)["Expected scores"].rows]
    for book in (load_workbook(path), calc.workbook(path)):
        (one,) = book["Chart"]._charts[0].series  # type: ignore[attr-defined]
        assert [p.v for p in one.cat.strRef.strCache.pt] == [
            fitted().players[i].name for i in order
        ]
        ratings = [float(p.v) for p in one.val.numRef.numCache.pt]
        assert ratings == pytest.approx(fit.rating[order].tolist())
        halves = [float(p.v) for p in one.errBars.plus.numRef.numCache.pt]
        assert halves == pytest.approx((2 * fit.error[order]).tolist())
        (area,) = book["Expected scores"].conditional_formatting
        assert str(area.sqref) == "C6:F9"
        assert [rule.type for rule in area.rules] == ["colorScale"]
    for i, row in enumerate(rows[-4:]):
        for j, score in enumerate(row[2:]):
            ahead, _ = fit.difference(order[i], order[j])
            chances = np.array([10 ** (ahead / 800), fit.draw, 10 ** (-ahead / 800)])
            expected = chances @ (1, 0.5, 0) / chances.sum()
            assert score == (None if i == j else pytest.approx(expected))


def test_a_picture_of_a_fit_has_names_bars_and_numbers() -> None:
    fit, order = fitted().fit, fitted().order[:4]
    names = [fitted().players[i].name for i in order]
    chart, heat = figure(fit_book()).axes
    ((_, _, ratings, halves),) = drawn(chart)
    assert ratings == fit.rating[order].tolist()
    assert halves == pytest.approx((2 * fit.error[order]).tolist())
    assert [tick.get_text() for tick in chart.get_xticklabels()] == names
    assert [tick.get_text()[3:] for tick in heat.get_yticklabels()] == names
    numbers = fit_book().tables["Expected"].column("v1", "v4").values()
    assert [text.get_text() for text in heat.texts] == [
        f"{x:.2f}" for x in numbers if x is not None
    ]
    shades: Any = np.ma.asarray(heat.images[0].get_array())
    assert shades.filled(math.nan).ravel().tolist() == pytest.approx(
        [math.nan if x is None else x for x in numbers], nan_ok=True
    )


@pytest.mark.slow
def test_the_same_fit_gives_the_same_picture() -> None:
    once, again = (picture(fit_book("ru"), ".svg") for _ in range(2))
    assert once == again
    root = ElementTree.fromstring(once)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert b"<dc:date>" not in once
    assert picture(fit_book()).startswith(b"\x89PNG\r\n")


def test_the_chart_of_a_check_has_its_calibration() -> None:
    done = checked().check
    assert done is not None
    [axes] = chart(checked()).axes
    [points] = [line for line in axes.lines if line.get_marker() == "o"]
    assert np.asarray(points.get_xdata()) == pytest.approx(done.calibration.expected, nan_ok=True)
    assert np.asarray(points.get_ydata()) == pytest.approx(done.calibration.score, nan_ok=True)


@pytest.mark.slow
def test_the_commands_write_books_and_pictures(tmp_path: Path) -> None:
    games = written(tmp_path / "games.csv")
    for command, name, begin in (
        ("fit", "fit.xlsx", b"PK"),
        ("fit", "fit.png", b"\x89PNG"),
        ("check", "k.svg", b"<?xml"),
    ):
        target = tmp_path / name
        done = run(command, games, "-o", target, "--lang", "es")
        assert done.exit_code == 0, done.output
        assert str(target) in done.stdout
        assert target.read_bytes().startswith(begin)
        again = run(command, games, "-o", target)
        assert (again.exit_code, "--force" in again.output) == (2, True)
        assert run(command, games, "-o", target, "--force", "--json").exit_code == 0
    assert ".png, .svg" in run("check", games, "-o", tmp_path / "k.xlsx").output
    same = run("fit", tmp_path / "fit.xlsx", "-o", tmp_path / "fit.xlsx", "--force")
    assert "replace what it is made from" in same.output


@pytest.mark.slow
def test_games_that_tell_nothing_are_not_drawn(tmp_path: Path) -> None:
    games, target = tmp_path / "games.csv", tmp_path / "fit.png"
    games.write_text("White,Black,Result\nAna,Bo,1-0\n", encoding="utf-8")
    assert "nothing to draw" in str(run("fit", games, "-o", target).exception)
    assert not target.exists()
    assert run("fit", games, "-o", tmp_path / "fit.xlsx").exit_code == 0
    games.write_text("White,Black,Result\nAna,Bo,½-½\nBo,Ana,½-½\n", encoding="utf-8")
    for words in ([], ["--no-errors"]):
        assert run("fit", games, "-o", target, "--force", *words).exit_code == 0


def test_without_matplotlib_nothing_is_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(EloError, match=r"pip install matplotlib"):
        needed()
    done = run("check", written(tmp_path / "games.csv"), "-o", tmp_path / "k.svg")
    assert isinstance(done.exception, EloError)
    assert not done.stdout
