"""A season computed by hand: what its sheets must say."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from elo_xl.books.book import Book
from elo_xl.templates import gallery
from tests.support.shown_rows import shown_rows

pytestmark = pytest.mark.slow


def serial(day: date) -> int:
    """A date as a cell holds it."""
    return (day - date(1899, 12, 30)).days


JAN, FEB, MAR, APR = DATES = [serial(date(2026, month, 1)) for month in (1, 2, 3, 4)]

ENTRIES = (
    {"name": "Ida", "r1": 1500, "r3": 1512, "g3": 3},
    {"name": "  Bo ", "r1": 1700, "g1": 0, "r2": 1688, "g2": 2, "r4": "1 694"},
    {"name": "Uma", "r3": 1333, "g3": 5},
)


def season(*entries: dict[str, Any], dates: Any = DATES, **more: Any) -> Book:
    options = gallery.options("rating-history", players=max(len(entries), 2), rounds=len(dates))
    days = {f"list_{k}": day for k, day in enumerate(dates, start=1)}
    content = {"Event": "Club", "Entries": entries, **days, **more}
    made: Book = gallery.build("rating-history", options, content)
    return made


@pytest.fixture(scope="module")
def form() -> Book:
    return season(
        *ENTRIES,
        Active_games=2,
        Active_lists=2,
        Curves=[{"chosen": name} for name in ("Uma", None, "nobody")],
        choice="Ida",
    )


def column(form: Book, table: str, key: str) -> list[Any]:
    made = form.tables[table]
    return _used(made.column(key).values(), shown_rows(made))


def _used(values: list[Any], shown: list[Any]) -> list[Any]:
    return [value for value, seen in zip(values, shown, strict=True) if seen]


def test_ratings_are_carried_on(form: Book) -> None:
    assert [column(form, "History", f"k{k}") for k in (1, 2, 3, 4)] == [
        [1500, 1700, ""],
        [1500, 1688, ""],
        [1512, 1688, 1333],
        [1512, 1694, 1333],
    ]


def test_the_season(form: Book) -> None:
    found = {key: column(form, "Season", key) for key in form.tables["Season"].columns}
    assert found["name"] == ["Bo", "Ida", "Uma"]
    assert found["first"] == [1700, 1500, 1333]
    assert found["latest"] == [1694, 1512, 1333]
    assert found["change"] == [-6, 12, 0]
    assert found["last"] == [6, 0, 0]
    assert list(zip(found["best"], found["best_date"], strict=True)) == [
        (1700, JAN),
        (1512, MAR),
        (1333, MAR),
    ]
    assert found["worst"] == [1688, 1500, 1333]
    assert found["games"] == [2, 3, 5]
    assert found["status"] == ["inactive", "", ""]


@pytest.mark.parametrize(("table", "keys", "rows"), [
    ("Career", ("rating", "change", "games", "best", "worst"),
     [(1500, "", "", 1500, 1500), (1500, 0, "", 1500, 1500), (1512, 12, 3, 1512, 1500),
      (1512, 0, "", 1512, 1500)]),
    ("Activity", ("date", "rated", "new", "active", "games", "average"),
     [("2026-01-01", 2, 2, 0, 0, 1600), ("2026-02-01", 2, 0, 1, 2, 1594),
      ("2026-03-01", 3, 1, 2, 8, (1512 + 1688 + 1333) / 3),
      ("2026-04-01", 3, 0, 0, 0, (1512 + 1694 + 1333) / 3)]),
], ids=["best and worst so far", "what each list brought"])  # fmt: skip
def test_tables_list_by_list(form: Book, table: str, keys: tuple[str, ...], rows: object) -> None:
    assert list(zip(*(column(form, table, key) for key in keys), strict=True)) == rows


def points(form: Book, which: int) -> list[tuple[list[float], dict[int, float]]]:
    sheet: Any = form.workbook[form.sheets["chart"].title]
    chart = sheet._charts[which]
    return [
        (
            [float(p.v) for p in one.cat.numRef.numCache.pt],
            {p.idx: float(p.v) for p in one.val.numRef.numCache.pt},
        )
        for one in chart.series
    ]


def test_curves_begin_at_a_players_first_list(form: Book) -> None:
    assert points(form, 0) == [(DATES, {2: 1333, 3: 1333})] + 5 * [(DATES, {})]
    assert points(form, 1)[0] == (DATES, {2: 0, 3: 0})
    assert column(form, "Curves", "check")[:3] == ["", "", form.say("check_unknown")]


def test_a_sentence_below_its_title_says_what_a_chart_shows(form: Book) -> None:
    sheet: Any = form.workbook[form.sheets["activity"].title]
    lines = [line.r[0].t for line in sheet._charts[0].title.tx.rich.p]
    assert lines == [form.say("chart_activity"), form.say("chart_activity_text")]


def test_charts_end_where_their_table_does(form: Book) -> None:
    table = form.tables["Activity"]
    sheet: Any = form.workbook[table.sheet.title]
    start, end = sheet._charts[0].anchor._from, sheet._charts[0].anchor.to
    assert (start.col, end.col) == (0, table.at["average"] - 1)
    assert start.row >= table.bottom


def test_what_the_season_comes_to(form: Book) -> None:
    table = form.tables["Activity"]
    keys = ("date", "new", "games", "average")
    found = [form.known(table.sheet, table.bottom, table.at[key]) for key in keys]
    assert found == [form.say("total"), 3, 10, None]


def test_every_page_of_entries_says_what_it_is(form: Book) -> None:
    page: Any = form.workbook[form.sheets["entries"].title]
    assert page.print_title_rows == "$1:$2"
    assert str(form.known(form.sheets["entries"], 1, 1)).startswith(str(form.content["Event"]))
    assert page.oddFooter.center.text == form.sheets["entries"].title


def test_nothing_is_drawn_in_an_empty_book() -> None:
    empty = season(dates=[None] * 4)
    for which in (0, 1):
        assert points(empty, which) == [([0] * 4, {})] * 6


def test_without_a_choice_the_first_of_the_season_are_drawn() -> None:
    assert [len(ys) for _, ys in points(season(*ENTRIES), 0)] == [4, 4, 2, 0, 0, 0]


WRONG = (
    ({"name": "Zoe", "r1": "15OO"}, "check_entry"),
    ({"name": "Zoe", "r1": 1600.5}, "check_entry"),
    ({"name": "Zoe", "r2": -99}, "check_entry"),
    ({"name": "Zoe", "r2": 20000}, "check_entry"),
    ({"name": "Zoe", "g4": -1}, "check_entry"),
    ({"r1": 1500}, "check_name"),
    ({"name": "Uma\u00a0", "r1": 1500}, "check_twice"),
)


@pytest.mark.parametrize(("row", "message"), WRONG)
def test_what_cannot_be_read_waits(row: dict[str, Any], message: str) -> None:
    form = season(*ENTRIES, row)
    twice = message == "check_twice"
    says = form.say(message)
    assert column(form, "Entries", "check")[2:] == [says if twice else "", says]
    ratings = [column(form, "Activity", key) for key in ("rated", "games")]
    assert ratings == ([[2, 2, 2, 2], [0, 2, 3, 0]] if twice else [[2, 2, 3, 3], [0, 2, 8, 0]])
    waits = [
        name
        for name, status in zip(
            column(form, "Season", "name"), column(form, "Season", "status"), strict=True
        )
        if status == form.say("status_waits")
    ]
    assert waits == ["Uma", "Uma"] * twice + ["Zoe"] * (message == "check_entry")


@pytest.mark.parametrize(
    "odd",
    [None, "March", "2026-02-30", FEB, JAN - 1, serial(date(2062, 3, 1)), FEB + 800, -5, 2900000],
)
def test_a_list_with_an_odd_date_waits(odd: Any) -> None:
    form = season(*ENTRIES, dates=[JAN, FEB, odd, APR])
    reads = form.tables["Lists"].column("date").values()
    assert reads == [JAN, FEB, "!", APR]
    assert column(form, "History", "k4") == [1500, 1694, ""]
    assert column(form, "Activity", "games") == [0, 2, 0]
    (count,) = (
        value
        for (sheet, _), value in form.values.items()
        if sheet == form.sheets["start"].title and str(value).startswith(form.say("attention"))
    )
    place = form.tables["Entries"].letter("r3") + str(form.tables["Entries"].header - 1)
    assert str(count).endswith(f"{form.say('attention_first')} Entries!{place}")


def test_dates_are_understood_as_texts_and_lists_may_stay_empty() -> None:
    form = season(*ENTRIES[:1], dates=["2026-01-01", None, "01.03.2026", None])
    assert form.tables["Lists"].column("date").values() == [JAN, "", MAR, ""]
    assert column(form, "Career", "rating") == [1500, 1500, 1512]
