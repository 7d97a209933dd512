"""The workbook of an event under rules that cells cannot follow: the engine's numbers in it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pytest
from openpyxl.worksheet.worksheet import Worksheet

from elo_xl.books.text import clean
from elo_xl.books.texts import texts
from elo_xl.engine.period import Period, period
from elo_xl.engine.rulebooks import RULEBOOKS, rulebook
from elo_xl.events.event import Tournament
from elo_xl.events.rate import rate
from elo_xl.events.trf import read_trf
from elo_xl.languages import CODES
from elo_xl.questions.rate.book import write_rated_event
from tests.support import ROOT
from tests.support.events import tournament
from tests.support.levels import cases
from tests.support.lint import problems

pytestmark = pytest.mark.slow

EXAMPLE = read_trf(ROOT / "examples" / "rivertown-open.trf")
RULES = [name for name, book in RULEBOOKS.items() if not book.linear]
FIGURES = ("k", "games", "score", "expected", "change", "new", "performance")


def without_draws(event: Tournament) -> Tournament:
    return replace(event, games=tuple(g for g in event.games if g.score != 0.5))


def fitting(rules: str, event: Tournament = EXAMPLE) -> Tournament:
    """The event; table tennis has no draws."""
    return without_draws(event) if rules == "usatt" else event


def of_engine(event: Tournament, rules: str) -> Period:
    place = {p.number: i for i, p in enumerate(event.players)}
    year = event.start.year if event.start else np.nan
    return period(
        [np.nan if p.rating is None else p.rating for p in event.players],
        "auto",
        [place[g.first] for g in event.games],
        [place[g.second] for g in event.games],
        [g.score for g in event.games],
        rules,
        games=[np.nan if p.games is None else p.games for p in event.players],
        age=[year - p.birth_year if p.birth_year else np.nan for p in event.players],
    )


def rows(sheet: Worksheet, *columns: str, language: str = "en") -> list[tuple[Any, ...]]:
    """The cells of a table below the headings of these columns."""
    say = texts(language)
    headings = [
        say(own if (own := f"rated-event.column_{c}") in say.by_key() else f"form.column_{c}")
        for c in columns
    ]
    lines = list(sheet.iter_rows(values_only=True))
    top = next(i for i, line in enumerate(lines) if headings[0] in line and headings[1] in line)
    at = [lines[top].index(heading) for heading in headings]
    return [tuple(line[i] for i in at) for line in lines[top + 1 :] if line[at[0]] is not None]


def written(event: Tournament, rules: str, path: Path, language: str = "en") -> openpyxl.Workbook:
    write_rated_event(rate(event, rules), path, language)
    return openpyxl.load_workbook(path)


@pytest.mark.parametrize("language", cases(CODES, test=("en",)))
@pytest.mark.parametrize("rules", RULES)
def test_numbers_are_the_engines(rules: str, language: str, tmp_path: Path) -> None:
    event, path = fitting(rules), tmp_path / "event.xlsx"
    done, file = of_engine(event, rules), written(event, rules, path, language)
    list_, ratings, first, games, _ = file.worksheets
    assert problems(path) == []
    assert {c.data_type for sheet in file for row in sheet for c in row} <= {"n", "s", "d"}

    keys = [key for key in FIGURES if key != "k" or rules != "usatt"]
    columns = ["rated_games" if key == "games" else "factor" if key == "k" else key for key in keys]
    found = {no: cells for no, *cells in rows(ratings, "no", *columns, language=language)}
    assert len(found) == sum(p.rating is not None for p in event.players)
    for i, p in enumerate(event.players):
        if p.rating is not None:
            computed = [getattr(done, key)[i] for key in keys]
            given = [np.nan if cell is None else cell for cell in found[p.number]]
            np.testing.assert_allclose(given, computed, rtol=1e-12, err_msg=p.name)

    fresh = {no: new for no, _, new in rows(first, "no", "name", "first", language=language)}
    unrated = [i for i, p in enumerate(event.players) if p.rating is None]
    assert [event.players[i].number for i in unrated] == list(fresh)
    for i, new in zip(unrated, fresh.values(), strict=True):
        np.testing.assert_allclose(np.nan if new is None else new, done.new[i], rtol=1e-12)

    listed = rows(list_, "no", "name", "new", language=language)
    published = np.flatnonzero(~np.isnan(done.new))
    assert {no for no, *_ in listed} == {event.players[i].number for i in published}
    assert [new for *_, new in listed] == sorted((new for *_, new in listed), reverse=True)
    if rules == "dwz":  # newcomers begin with one event
        indices = dict(rows(list_, "no", "index", language=language))
        assert {indices[no] for no in indices if np.isnan(done.expected[no - 1])} == {1}
    assert len(rows(games, "round", "result", language=language)) == len(event.games)


@pytest.mark.parametrize("language", cases(CODES, test=("ru",)))
@pytest.mark.parametrize("rules", RULES)
def test_rules_are_said(rules: str, language: str, tmp_path: Path) -> None:
    file = written(fitting(rules), rules, tmp_path / "event.xlsx", language)
    say = texts(language)
    titles = [say(f"rated-event.sheet_{key}") for key in ("list", "first", "games", "rules")]
    assert [title for title in titles if title in file.sheetnames] == titles
    said = [c for line in file.worksheets[-1].iter_rows(values_only=True) for c in line if c]
    assert say("rated-event.values") in said[:3]
    sentences = [sentence for _, sentence in rulebook(rules).sentences(language)]
    assert [sentence for sentence in sentences if sentence in said] == sentences


def test_why_there_is_no_first_rating(tmp_path: Path) -> None:
    reasons = {}
    for rules in ("dwz", "egf"):
        file = written(EXAMPLE, rules, tmp_path / "event.xlsx")
        reasons[rules] = dict(rows(file["First ratings"], "no", "reason"))
    assert reasons == {
        "dwz": {15: "published", 16: "fewer than 5 games against rated opponents"},
        "egf": dict.fromkeys((15, 16), "no grade is known from which to begin"),
    }


@pytest.mark.parametrize(
    "event",
    [
        tournament(seed=3),
        tournament(players=5, rounds=0),
        tournament(players=6, rounds=3, unrated=6),
        tournament(players=1, rounds=2, unrated=0, first_day=None),
    ],
    ids=["odd names", "no rounds", "unrated", "one"],
)
@pytest.mark.parametrize("rules", RULES)
def test_odd_events(rules: str, event: Tournament, tmp_path: Path) -> None:
    path = tmp_path / "event.xlsx"
    file = written(fitting(rules, event), rules, path)
    assert problems(path) == []
    names = {clean(p.name) for p in event.players if p.rating is not None}
    assert {name for _, name in rows(file["Ratings"], "no", "name")} == names
