"""Sheets for the wall: headers, columns that come and go, prizes, the report of a match."""

from __future__ import annotations

import random
from datetime import date
from typing import Any, Final, cast

import pytest
from openpyxl.utils import coordinate_to_tuple

from elo_xl.books.book import Book, Options
from elo_xl.books.entries import typed_tables
from elo_xl.books.front import front
from elo_xl.books.layout import A4
from elo_xl.books.styles import LEADER, MEDALS
from elo_xl.books.texts import texts
from elo_xl.questions.prizes.numbers import SHARES, Prize, Purse, awards
from elo_xl.templates import gallery
from elo_xl.templates.blocks.players import counted, players
from elo_xl.templates.blocks.prizes import prizes, purse, purse_settings
from elo_xl.templates.blocks.wall import people
from elo_xl.templates.swiss import lines
from elo_xl.xlsx.fill import column_letters
from elo_xl.xlsx.formula import parse

pytestmark = pytest.mark.slow

YEAR: Final = 2026

Seen = list[Any]


def column(book: Book, table: str, key: str, count: int | None = None) -> Seen:
    """The first values of a column."""
    return book.tables[table].column(key).values()[:count]


def line(book: Book, sheet: str, row: int) -> Any:
    """What stands at the left of a row of a sheet."""
    return book.known(book.sheets[sheet], row, 1)


def test_the_wall_does_not_say_what_the_organizer_has_to_mend() -> None:
    game = {"white": "Zoe", "black": "A", "result": "1"}
    field = [{"name": "Zoe", "rating": "x"}, {"name": "A", "rating": 1650}]
    book = rating_period(Players=field, Games=[game])
    shown = [str(value) for value in book.shown(book.sheets["list"].title).values()]
    assert not any("attention" in value for value in shown)
    assert line(book, "games", 2) == line(book, "players", 2) != ""


def test_a_game_typed_twice_is_a_question_that_an_x_answers() -> None:
    game = {"white": "Zoe", "black": "A", "result": "1"}
    field = [{"name": "Zoe", "rating": 1700}, {"name": "A", "rating": 1650}]
    book = rating_period(Players=field, Games=[game, game])
    assert line(book, "games", 2) == "Questions to answer: 2 – the first one: Games!G7"
    answered = rating_period(Players=field, Games=[{**game, "sure": "x"}] * 2)
    assert line(answered, "games", 2) == ""
    assert column(answered, "Ratings", "games", 2) == column(book, "Ratings", "games", 2) == [2, 2]


@pytest.mark.parametrize(
    ("rules", "rating", "games", "said"),
    [
        ("fide", 1700, 2, ("1.5/2 in rated games; 1.14 was expected. Change: K 20 × 0.36 = +7.2, so"
                  " 1700 becomes 1707. Why this K: never reached 2400 (assumed).")),
        ("elo", 1700, 2, ("1.5/2 in rated games; 1.14 was expected. Change: K 20 × 0.36 = +7.19, so"
                  " 1700 becomes 1707.19. Why this K: never reached 2400 (assumed).")),
        ("fide", 1700, 0, "No game of the list below counts, so the rating stays 1700."),
        ("fide", None, 2, "No rating yet. Rated games so far: 2, points: 1.5."),
        ("fide", None, 6, "The first rating, 1731, from 3.5/6 in rated games."),
        ("fide", "x", 1, "an entry cannot be read: see Players"),
    ],
)  # fmt: skip
def test_the_letter_says_how_a_rating_came_about(
    rules: str, rating: object, games: int, said: str
) -> None:
    field = [{"name": "Zoe", "rating": rating, "games": 99 if rating == 1700 else None}]
    field += [{"name": name, "rating": 1650} for name in "ABCDEF"]
    played = [
        {"white": "Zoe", "black": "ABCDEF"[i], "result": "1" if not i else "½"}
        for i in range(games)
    ]
    book = rating_period(Players=field, Games=played, why_choice="Zoe", rules=rules)
    assert said in book.shown("Why").values()
    assert "Zoe – why this rating?" in book.shown("Why").values()
    # one page of A4 wherever it is printed
    why = book.workbook["Why"]
    assert why.print_area == "'Why'!$A$10:$I$28"
    assert (why.page_setup.fitToHeight, why.page_setup.orientation) == (1, "landscape")


# -- the rating list ------------------------------------------------------------------------------


def rating_period(rules: str = "fide", **content: Any) -> Book:
    options = gallery.options("rating-period", players=8, rounds=10, rules=rules)
    return gallery.build("rating-period", options, {"List_year": YEAR, **content})


@pytest.mark.parametrize(
    ("typed", "title", "below"),
    [
        ({}, "Rating list", ""),
        ({"Event": "Spring"}, "Spring – Rating list", ""),
        ({"Club": "North"}, "Rating list", "North"),
        ({"Arbiter": "Ann"}, "Rating list", "Rating officer: Ann"),
        ({"Club": "North", "Arbiter": "Ann"}, "Rating list", "North · Rating officer: Ann"),
        ({"Dates": date(2026, 4, 1)}, "Rating list as of 1 April 2026", ""),
        ({"Dates": "early in May"}, "Rating list as of early in May", ""),
        ({"Dates": 2026}, "Rating list as of 2026", ""),
    ],
)
def test_a_header_has_what_is_typed_and_no_gaps(
    typed: dict[str, Any], title: str, below: str
) -> None:
    book = rating_period(**typed)
    assert (title, below) == (line(book, "list", 1), line(book, "list", 2))


@pytest.mark.parametrize(
    ("day", "title"), [(1, "Liste Elo au 1er avril 2026"), (2, "Liste Elo au 2 avril 2026")]
)
def test_the_first_of_a_month_is_said_as_the_language_says_it(day: int, title: str) -> None:
    options = gallery.options("rating-period", players=8, rounds=10, language="fr")
    content = {"List_year": YEAR, "Dates": date(2026, 4, day)}
    book = gallery.build("rating-period", options, content)
    assert title == line(book, "list", 1)


def test_a_column_is_there_if_anybody_has_an_entry() -> None:
    field = [
        {"name": "A", "rating": 1800, "category": "W", "title": "WIM"},
        {"name": "B", "rating": 1700, "birth": 1990},
        {"name": "C", "rating": 1600, "federation": "ESP", "category": "U14"},
    ]
    book = rating_period(Players=field)
    table = book.tables["List"]
    seen = [
        book.known(table.sheet, table.header, place)
        for key, place in table.at.items()
        if not table.columns[key].helper
    ]
    # nobody's birth year or number at FIDE, and who somebody is before how good
    assert seen[1:5] == ["Name", "Fed.", "Category", "New rating"]
    assert column(book, "List", "name", 3) == ["WIM A", "B", "C"]
    assert column(book, "List", "federation", 3) == ["", "", "ESP"]
    assert column(book, "List", "club", 3) == ["W", "", "U14"]


def test_a_club_stands_before_the_categories() -> None:
    field = [{"name": "A", "rating": 1800, "club": "North", "category": "W"}, {"name": "B"}]
    book = rating_period(Players=field)
    table = book.tables["List"]
    assert book.known(table.sheet, table.header, table.at["club"]) == "Club · Category"
    assert column(book, "List", "club", 2) == ["North · W", ""]


def test_first_ratings_are_marked_and_the_unrated_stand_last() -> None:
    field = [{"name": "New"}, {"name": "Few"}, *({"name": n, "rating": 1500} for n in "ABCDE")]
    games = [{"white": "New", "black": n, "result": "½"} for n in "ABCDE"]
    games += [{"white": "Few", "black": n, "result": "1"} for n in "AB"]
    book = rating_period(Players=field, Games=games)
    names = column(book, "List", "name")
    assert names[-2:] == ["Few", ""]
    assert column(book, "List", "new")[6:] == ["not yet", ""]
    assert column(book, "List", "games")[6:] == ["2 of 5", ""]
    at = names.index("New")
    assert column(book, "List", "change")[at] == "new"
    assert column(book, "Next", "rating", 2) == [column(book, "List", "new")[at], ""]
    assert column(book, "Next", "games", 2) == [5, 2]


RATINGS: Final = [
    # typed, what counts of it: "" for unrated, None for an entry that waits
    ("1650", 1650),
    ("1 650", 1650),
    ("1.650", 1650),
    ("1\u00a0650", 1650),
    (1650.0, 1650),
    (None, ""),
    ("20000", None),
    (20000, None),
    ("18oo", None),
    (-1500, None),
    (1600.5, None),
]


@pytest.mark.parametrize(("typed", "counts"), RATINGS)
def test_a_rating_counts_or_waits_and_is_never_invented(typed: object, counts: object) -> None:
    opponents = [{"name": n, "rating": 1500} for n in "ABCDE"]
    games = [{"white": "Zoe", "black": n, "result": "½"} for n in "ABCDE"]
    book = rating_period(Players=[{"name": "Zoe", "rating": typed}, *opponents], Games=games)
    status = str(line(book, "players", 2))
    listed = dict(zip(column(book, "List", "name"), column(book, "List", "new"), strict=True))
    rated = column(book, "Ratings", "games", 6)
    if counts is None:  # their games wait, too
        assert status == "Entries that need attention: 1 – the first one: Players!C7"
        assert (listed["Zoe"], rated[0]) == ("?", 5)
        assert (column(book, "Ratings", "new", 1), rated[1:]) == ([""], [0] * 5)
        assert column(book, "Players", "check", 1) != [""]
        assert column(book, "Players", "fault", 6) == [1, 0, 0, 0, 0, 0]
    else:
        assert status == ""
        assert column(book, "Counted", "rating", 1) == [counts]
        assert rated[1:] == [0 if counts == "" else 1] * 5
        # five draws with 1500: a first rating, or one that hardly moves
        assert isinstance(listed["Zoe"], float)


@pytest.mark.parametrize(
    ("key", "typed"), [("k", -5), ("k", "x"), ("birth", 2206), ("birth", 2030), ("peak", "2.5")]
)
def test_another_entry_that_cannot_be_is_counted(key: str, typed: object) -> None:
    field = [{"name": "Zoe", "rating": 1700, key: typed}, {"name": "A", "rating": 1650}]
    games = [{"white": "Zoe", "black": "A", "result": "1"}]
    book = rating_period(Players=field, Games=games)
    assert "Entries that need attention: 1" in str(line(book, "players", 2))
    assert column(book, "List", "new", 2) == [1641, "?"]


@pytest.mark.parametrize(
    ("typed", "played", "age"),
    [
        ({"Dates": date(2026, 4, 1)}, date(2025, 3, 1), 16),
        ({"Dates": 2026}, None, 16),
        ({"Dates": "in spring"}, date(2025, 3, 1), 15),
        ({"List_year": 2027}, date(2025, 3, 1), 17),
        ({}, None, None),
        ({"List_year": "x", "Dates": 2026}, None, None),
    ],
)
def test_a_year_that_is_not_typed_is_that_of_a_date_or_said_once(
    typed: dict[str, Any], played: date | None, age: int | None
) -> None:
    field = [{"name": "A", "rating": 1700, "birth": 2010}, {"name": "B", "rating": 1650}]
    games = [{"white": "A", "black": "B", "result": "1", "date": played}]
    options = gallery.options("rating-period", players=8, rounds=10)
    book = gallery.build("rating-period", options, {"Players": field, "Games": games, **typed})
    assert column(book, "Counted", "age", 2) == [age or "", ""]
    assert column(book, "List", "new", 2) == ([1717, 1641] if age else [1641, "?"])
    missing = "Entries that need attention: 1 – the first one: 'Start here'!C24"
    assert line(book, "players", 2) == ("" if age else missing)
    assert column(book, "Players", "check", 2) == ["", ""]


NAMES: Final = "Ann Lee", "Bo", "Twin", "Twin", "Moreau, Élise", "O’Neil, Sean", "Jan van Dyk"


@pytest.mark.parametrize(("white", "said"), [
    ("Morau, Elise", "Morau, Elise: not on sheet Players"),
    ("Twin", "Twin: twice on sheet Players"),
    ("*", "*: not on sheet Players"),
    *((typed, f"{typed}: not on sheet Players – perhaps {meant}")
      for meant, likes in {"Moreau, Élise": ("moreau elise", "Elise MOREAU", "Élise Moreau",
                                             "Moreau, É."),
                           "O’Neil, Sean": ("O'Neil, Sean", "ONeil, Sean", "sean o´neil"),
                           "Jan van Dyk": ("van Dyk, Jan", "jan van-dyk", "Jan van D")}.items()
      for typed in likes),
    ("  Ann\u00a0 Lee", ""),
])  # fmt: skip
def test_a_name_that_is_not_found_is_named(white: str, said: str) -> None:
    field = [{"name": name, "rating": 1700} for name in NAMES]
    book = rating_period(
        Players=field, Games=[{"white": white, "black": "Bo", "result": "1", "date": "soon"}]
    )
    assert column(book, "Games", "check", 1) == [said or "The date is not understood"]


@pytest.mark.parametrize(
    ("template", "table", "line_", "said"),
    [
        ("game-night", "Games", {"n1": "hügo"}, "hügo: not on sheet Players – perhaps Hugo"),
        ("game-night", "Games", {"n1": "Zoe"}, "Zoe: not on sheet Players"),
        ("club", "Results", {"event": "Spring league", "white": "Tom KO", "black": "Sato, Hana"},
         "Tom KO: not on the sheet Members, or twice"),
        ("club", "Results", {"event": "Spring league", "white": "HANA SATO", "black": "Müller"},
         "HANA SATO: not on the sheet Members, or twice – perhaps Sato, Hana"),
    ],
)  # fmt: skip
def test_a_name_that_is_not_found_is_named_in_every_book(
    template: str, table: str, line_: dict[str, str], said: str
) -> None:
    options = gallery.options(template)
    book = gallery.build(template, options, {**gallery.sample(template, options), table: [line_]})
    assert column(book, table, "check", 1) == [said]


@pytest.mark.parametrize(
    ("template", "language", "said"),
    [
        ("game-night", "en", "Rivertown Games Club · as of 20 March 2026"),
        ("league", "en", "Riverside Football Association · as of 5 September 2026"),
        ("ladder", "en", "Town Hall, Rivertown · Games played: 152 · last game on 25 May 2026"),
        ("keizer", "en", "Rivertown Chess Club · after round 4"),
        ("season", "en", "Rivertown Chess Club · Results that count: 5 · after the event Kyoto"),
        ("class", "de", "Schule Rivertown · Gespielte Partien: 15"),
        ("judging", "en", "Rivertown School · Judgements: 28"),
    ],
)
def test_a_table_says_for_which_day_it_stands(template: str, language: str, said: str) -> None:
    options = gallery.options(template, language=language)
    book = gallery.build(template, options, gallery.sample(template, options))
    key = "table" if "table" in book.sheets else "standings"
    assert line(book, key, 2) == said
    blank = line(gallery.build(template, options), key, 2)
    assert said.split(" · ")[-1] not in blank


@pytest.mark.parametrize(
    ("days", "events", "said"),
    [
        ((None, None), (None, None), True),
        ((46100, 46100), ("Cup", "Cup"), True),
        ((46100, 46107), ("Cup", "Cup"), False),
        ((46100, 46100), ("Cup", "League"), False),
    ],
)
def test_a_game_twice_is_asked_about(days: Seen, events: Seen, said: bool) -> None:
    field = [{"name": name, "rating": 1700} for name in "AB"]
    games = [
        {"date": day, "event": event, "white": "A", "black": "B", "result": "1"}
        for day, event in zip(days, events, strict=True)
    ]
    book = rating_period(Players=field, Games=games)
    assert column(book, "Games", "fault", 2) == [2 * int(said)] * 2


def test_gains_and_losses_have_no_hole() -> None:
    field = [{"name": name, "rating": 1700} for name in "ABCD"]
    games = [{"white": "A", "black": "B", "result": "1"}]
    book = rating_period(Players=field, Games=games)
    assert column(book, "Gains", "name", 3) == ["A", "B", ""]
    # LibreOffice draws a bar of length 0 as a stroke
    assert [type(value) for value in column(book, "Gains", "gain", 3)] == [float, str, str]
    assert [type(value) for value in column(book, "Gains", "loss", 3)] == [str, float, str]


# -- prizes ---------------------------------------------------------------------------------------


def test_prizes_are_those_of_a_sorted_list() -> None:
    points = [5, 3, 8, 1, 7, 2, 6, 4]
    categories = ["U14", "W, U14", "", "W;S50", " u14 ,W", "W, W", "S50", "A,B,C,D,E"]
    field = [
        {"name": f"P{i}", "rating": 1500, "k": own, "category": typed}
        for i, (own, typed) in enumerate(zip(points, categories, strict=True))
    ]
    book = Book("swiss", Options(players=8), {"List_year": YEAR, "Players": field})
    book.names |= {"List_year": YEAR, "prizes_title": "t.sheet_prizes"}
    players(book, personal=True)
    counted(book, order_key="Players[@k]", first_rating='""')
    people(book)
    prizes(book, "Players[k]")
    book.finish()
    ranked = sorted(range(8), key=lambda i: -points[i])
    groups: dict[str, list[int]] = {"Overall": list(range(8))}
    for i, typed in enumerate(categories):
        for part in typed.replace(";", ",").split(",")[:4]:
            if part.strip():
                groups.setdefault(part.strip().upper(), []).append(i)
    # of equal prizes the engine, too, gives that of the first list
    own = tuple(tuple(i in members for members in groups.values()) for i in ranked)
    purse = Purse(((300, 200, 100), *[(30, 20, 10)] * (len(groups) - 1)), own)
    won = {
        award.parts[0].prizes[0]: f"P{ranked[award.player]}"
        for award in awards(purse, [points[i] for i in ranked], range(8), "tie-break")
    }
    assert len(won) == len(set(won.values())) == 8
    expected = [
        ("" if Prize(at, number - 1) in won else [*groups][at], number + 1, name)
        for (at, number), name in sorted(won.items())
    ]
    keys = ("category", "prize", "name")
    found = list(zip(*(column(book, "Prizes", key) for key in keys), strict=True))
    assert expected == found
    assert column(book, "Players", "check")[-1] == "More than four categories"


PLACES: Final = """
sheet standings
    table Standings rows:size
        rank    0       = IF(no = "", "", RANK(INDEX(Counted[key], no), Counted[key]))
        no      0       = IFERROR(MATCH(row_number, Counted[place], 0), "")
        name    left    = IF(no = "", "", INDEX(People[name], no))
        points  0.0     = IF(no = "", "", INDEX(Players[k], no))
"""


@pytest.mark.parametrize("seed", range(12))
def test_prize_money_is_what_the_engine_pays(seed: int) -> None:
    """Every way of sharing, players whom nothing parts, more prizes than players, gaps."""
    chance = random.Random(seed)
    count, unit = chance.randint(1, 9), chance.choice((0.01, 1, 5))
    money = sorted((5 * chance.randint(1, 60) for _ in range(chance.randint(0, 10))), reverse=True)
    points = [chance.randint(1, 4) for _ in range(count)]
    keys = [10 * own + chance.randint(0, 2) for own in points]
    way = chance.choice(list(SHARES))
    own = enumerate(zip(points, keys, strict=True))
    sharing = texts("en")(f"form.sharing_{way.replace('-', '_')}")
    content = {
        "Purse": [{"prize": prize} for prize in money],
        "Players": [{"name": f"P{i}", "rating": 1500, "k": p, "games": key} for i, (p, key) in own],
        "Prize_sharing": sharing,
        "Prize_unit": unit,
    }
    book = Book("swiss", Options(players=10), content)
    book.names |= {"List_year": YEAR, "purse_title": "t.sheet_purse", "event_over": "TRUE"}
    front(book, *purse_settings(book))
    players(book, personal=True)
    counted(book, order_key="Players[@games]", first_rating='""')
    people(book)
    book.read(PLACES)
    purse(book)
    book.finish()
    places = [1 + sum(other > key for other in keys) for key in keys]
    engine = Purse((tuple(round(p / unit) for p in money),), ((True,),) * count)
    expected = [
        (f"P{award.player}", pytest.approx(award.amount * unit))
        for award in awards(engine, points, places, way)
        if award.amount
    ]
    found = zip(column(book, "Purse", "name"), column(book, "Purse", "paid"), strict=True)
    assert expected == [(name, paid) for name, paid in found if paid != ""]
    assert {""} == set(column(book, "Purse", "check"))


def test_prizes_that_cannot_be_meant() -> None:
    money = [300, "?", 100, 200, 0.5]
    content = {"Purse": [{"prize": prize} for prize in money], "Prize_unit": 1}
    book = gallery.build("swiss", gallery.options("swiss", players=8), content)
    assert column(book, "Purse", "check", 6) == [
        "",
        "A prize that cannot be read",
        "Larger than the prize above",
        "Larger than the prize above",
        "Cannot be paid in whole units",
        "",
    ]


# -- the report of a match ------------------------------------------------------------------------

BOARDS: Final = [
    # who is there, the result, the points of both teams; None where nothing counts
    (2, "1", (1, 0)),
    (2, "½", (0.5, 0.5)),
    (2, "+", (1, 0)),
    (2, "--", (0, 0)),
    ("b", "-", (0, 1)),
    ("a", "+", (1, 0)),
    ("b", "--", (0, 0)),
    ("b", "1", None),
    ("b", "+", None),
    ("a", "-", None),
    (0, "1", None),
    (2, "won by a lot", None),
]


def match(*boards: tuple[object, str | None]) -> Book:
    options = gallery.options("team-match", players=max(len(boards), 4))
    teams: dict[str, list[dict[str, Any]]] = {"a": [], "b": []}
    for i, (there, _) in enumerate(boards):
        for side, team in teams.items():
            seen = there in (2, side)
            team.append({"name": f"{side}{i}", "rating": 1600} if seen else {})
    return gallery.build(
        "team-match",
        options,
        {
            "Event": "Cup",
            "Team_b": "Guests",
            "First_white": "Second team",
            "List_year": YEAR,
            "Players_a": teams["a"],
            "Players_b": teams["b"],
            "Match": [{"result": result} for _, result in boards],
        },
    )


@pytest.mark.parametrize(("there", "result", "points"), BOARDS)
def test_a_board_counts_for_the_match(
    there: object, result: str, points: tuple[float, float] | None
) -> None:
    book = match((there, result), (2, "0"))
    found = column(book, "Match", "points_a", 1), column(book, "Match", "points_b", 1)
    assert found == (([points[0]], [points[1]]) if points else ([""], [""]))
    assert column(book, "Match", "fault", 2) == [int(points is None), 0]
    played = points is not None and there == 2 and result in ("1", "½")
    assert (column(book, "Ratings_a", "change", 1) != [""]) is played


def test_the_report_has_the_score_on_top() -> None:
    book = match((2, "1"), (2, "½"), ("a", "+"), (2, "0"))
    assert line(book, "report", 1) == "Cup – First team 2½ : 1½ Guests"
    assert line(book, "report", 4) == "Match points 2 : 0"
    assert column(book, "Report", "colour_a") == ["B", "W", "B", "W"]
    assert column(book, "Report", "colour_b") == ["W", "B", "", "B"]
    assert column(book, "Report", "result") == ["1 : 0", "½ : ½", "+ : -", "0 : 1"]
    running = match((2, "1"), (2, None), (2, None), (2, None))
    assert line(running, "report", 1) == "Cup – First team 1 : 0 Guests"
    assert line(running, "report", 4) == ""


# -- paper ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("template", gallery.TEMPLATES)
def test_sheets_fit_paper_and_phone(template: str) -> None:
    options = gallery.options(template)
    book = gallery.build(template, options, gallery.sample(template, options))
    a_phone_shows_what_is_typed(book)
    letters_of_the_wall_are_large(book)


def a_phone_shows_what_is_typed(book: Book) -> None:
    """Beside what is frozen there is room for any typed cell on a screen of 390 pixels."""
    for typed in typed_tables(book).values():
        table = typed.table
        page: Any = book.workbook[table.sheet.title]
        letters = [column_letters(at) for at in range(1, max(table.at.values()) + 1)]
        pixels = [7 * page.column_dimensions[letter].width + 5 for letter in letters]
        frozen = coordinate_to_tuple(page.freeze_panes or "A1")[1] - 1
        beside = [pixels[table.at[key] - 1] for key in typed.keys if table.at[key] > frozen]
        assert sum(pixels[:frozen]) + max(beside) <= 390, table.name


def letters_of_the_wall_are_large(book: Book) -> None:
    for sheet in book.sheets.values():
        if not sheet.set_up.wall:
            continue
        page: Any = book.workbook[sheet.title]
        setup = page.page_setup
        seen = {
            column_letters(table.at[key])
            for table in sheet.tables
            for key, look in table.columns.items()
            if not look.helper
        }
        width = sum(page.column_dimensions[letter].width for letter in seen)
        paper = 210 if setup.orientation == "portrait" else 297
        inches = paper / 25.4 - page.page_margins.left - page.page_margins.right
        scale = min(1, inches * 96 / (7 * width))
        table = sheet.tables[0]
        cell = page.cell(table.first, table.left)
        points = cell.font.sz
        usual = 14 if max(table.rows for table in sheet.tables) <= 25 else 12
        assert points in (usual, 16, 18, 20)
        if points > usual and not sheet.set_up.unbroken:  # a short list fits one page
            rows = range(1, max(table.bottom for table in sheet.tables) + 1)
            high = sum(page.row_dimensions[row].height for row in rows) / 72
            across = setup.orientation == "landscape"
            assert scale * high <= (8.5 if across else 11) - 1.3, sheet.key
        least = 1.35 if sheet.set_up.unbroken else 1.4  # six slips fill a page
        assert page.row_dimensions[table.first].height >= least * points
        assert str(setup.paperSize) == str(A4)
        assert scale * points >= 10, (sheet.key, width)
        assert 7 * width > 0.98 * 96 * min(inches, 11 - 1), (sheet.key, width)
        assert (setup.firstPageNumber, setup.useFirstPageNumber) == (1, True)
        assert page.oddFooter.left.text == "Printed &D &T"
        assert page.oddFooter.center.text == f"{sheet.title} · Made with elo_xl"
        assert page.oddFooter.right.text == "Page &P"


def test_six_slips_fill_a_page_with_the_scissors_on_the_lines_to_cut() -> None:
    book = gallery.build("class", gallery.options("class", players=24))
    table = book.tables["Cards"]
    page: Any = book.workbook[table.sheet.title]
    heights = [page.row_dimensions[row].height for row in range(1, table.header + 6 * 4 + 1)]
    assert 0.95 < sum(heights) / 72 / (11 - 1.3) < 1 < sum(heights[-4:] + heights) / 72 / 9.7
    assert {str(area) for area in page.merged_cells.ranges} == {
        f"A{row}:A{row + 1}" for row in range(table.first, table.last, 4)
    }
    odd = gallery.build("class", gallery.options("class", players=13))
    assert odd.tables["Cards"].rows == 6 * 4


@pytest.mark.parametrize(("template", "pages"), [("swiss", 2), ("match-odds", 1)])
def test_the_first_sheet_can_be_read_on_paper(template: str, pages: int) -> None:
    options = gallery.options(template, language="de", players=4 if pages == 2 else None)
    page: Any = gallery.build(template, options).workbook["Start"]
    areas = page.print_area.replace("'Start'!", "").replace("$", "").split(",")
    assert (
        (page.page_setup.fitToWidth, page.page_setup.fitToHeight) == (1, pages) == (1, len(areas))
    )
    inches = 297 / 25.4 - page.page_margins.top - page.page_margins.bottom
    for area in areas:
        height = sum(page.row_dimensions[row[0].row].height or 15 for row in page[area])
        assert 11 * min(1, 72 * inches / height) >= 9


@pytest.mark.parametrize(
    ("template", "tables"),
    [
        ("swiss", ("Players", "Pairings")),
        ("team-match", ("Match",)),
        ("rating-period", ("Players", "Games")),
        ("bayes-chess", ("Players", "Games", "Chosen")),
        ("bridge-pairs", ("Players", "Pairs", "Results", "Chosen")),
        ("rating-history", ("Curves",)),
        ("ladder", ("Games",)),
    ],
)
def test_what_the_column_check_says_flows_over_empty_cells(
    template: str, tables: tuple[str, ...]
) -> None:
    book = gallery.build(template, gallery.options(template, players=4))
    for table in map(book.tables.__getitem__, tables):
        page: Any = book.workbook[table.sheet.title]
        behind = {at - table.at["check"] for at in table.at.values()}
        assert behind.isdisjoint(range(1, 6))
        if not table.sheet.set_up.stretch:
            assert page.column_dimensions[table.letter("check")].width < 12


@pytest.mark.parametrize(
    ("template", "ties"),
    [
        ("swiss", "BH-C1 Buchholz cut 1 · BH Buchholz · SB Sonneborn–Berger"),
        ("round-robin", "DE Direct encounter · SB Sonneborn–Berger · WIN Wins"),
    ],
)
def test_no_heading_stands_over_a_round_without_games(template: str, ties: str) -> None:
    options = gallery.options(template, players=4, rounds=2 if template == "swiss" else None)
    said: list[object] = []
    for content in ({}, gallery.sample(template, options)):
        book = gallery.build(template, options, content)
        sheet, table = book.sheets["ahead"], book.tables["Ahead"]
        seen = [at for key, at in table.at.items() if not table.columns[key].helper]
        headings = [book.known(sheet, table.header, at) for at in seen]
        said += line(book, "ahead", 4), list(filter(None, headings))
    places, last = book.tables["Standings"], book.tables["Ratings"]
    assert table.column("board").values() == places.column("rank").values()
    assert table.column("points").values() == places.column("points").values()
    assert table.column("new_draw").values() == [
        last.cell("new", int(no) - 1).values()[0] for no in places.column("no").numbers()
    ]
    assert said == [
        *("No round is paired yet: the games of the first one will stand here.", []),
        "TPR Performance · " + ties,
        [
            *("Rank", "No.", "Name", "Rating", "Points", "Expected", "New rating", "TPR"),
            *(tie.split()[0] for tie in ties.split(" · ")),
        ],
    ]


@pytest.mark.parametrize(("players", "rounds"), [(24, 1), (12, 2), (200, 1), (4, 7)])
def test_no_round_of_pairings_goes_on_to_another_page(players: int, rounds: int) -> None:
    book = gallery.build("swiss", gallery.options("swiss", players=players, rounds=7))
    table = book.tables["Pairings"]
    page: Any = book.workbook[table.sheet.title]
    starts = range(table.header + rounds * table.group, table.last, rounds * table.group)
    assert list(starts) == [each.id for each in page.row_breaks.brk]


@pytest.mark.parametrize(
    ("room", "chosen", "first", "last"),
    [(64, None, (2, 1), (2, 5)), (64, 1, (1, 1), (1, 5)), (12, None, None, (3, 5))],
)
def test_of_long_rounds_one_is_printed_and_no_line_that_is_not_in_use(
    room: int, chosen: int | None, first: tuple[int, int] | None, last: tuple[int, int]
) -> None:
    field = [{"name": f"P{no}", "rating": 1500} for no in range(1, 9)]
    options = gallery.options("swiss", players=room, rounds=5)
    boards = {(0, i): {"white": i + 1, "black": i + 5} for i in range(4)}
    boards |= {(1, i): {"white": i + 5, "black": (i + 1) % 4 + 1} for i in range(4)}
    content = {"Players": field, "Pairings": lines(options, boards), "Pairings_round": chosen}
    book = gallery.build("swiss", options, content)
    table, title = book.tables["Pairings"], "Pairings"
    area = cast("Any", book.workbook[title]).defined_names["_"].attr_text
    assert book.computed is not None

    def row(spot: tuple[int, int] | None) -> int:
        return 1 if spot is None else table.first + (spot[0] - 1) * table.group + spot[1] - 1

    at = [book.computed.evaluate(parse(f"{f}({area})"), title, 1, 1) for f in ("ROW", "ROWS")]
    # the fifth line of a round is for a bye
    assert at == [row(first), row(last) + 1 - row(first)]


def test_no_spare_line_of_prize_money_is_printed() -> None:
    book = gallery.build("swiss", gallery.options("swiss", players=4))
    table = book.tables["Purse"]
    page: Any = book.workbook[table.sheet.title]
    printed = page.defined_names["_"].attr_text
    assert table.column("in_use").reference in printed
    assert table.column("shown").reference not in printed


def test_the_leader_stands_out_in_every_column_and_the_first_three_have_medals() -> None:
    book = gallery.build("swiss", gallery.options("swiss", players=8))
    table = book.tables["Standings"]
    page: Any = book.workbook[table.sheet.title]
    filled: dict[str, set[int]] = {}
    for area in page.conditional_formatting:
        for rule in area.rules:
            if rule.dxf.fill is not None:
                colour = filled.setdefault(rule.dxf.fill.bgColor.rgb[-6:], set())
                colour |= {c for r in area.sqref.ranges for c in range(r.min_col, r.max_col + 1)}
    assert filled[LEADER] == {table.at[key] for key in table.columns if key != "shown"}
    assert [filled[medal] for medal in MEDALS.values()] == [{table.at["rank"]}] * 3


def test_a_click_beside_a_title_says_how_a_logo_gets_there() -> None:
    book = gallery.build("swiss", gallery.options("swiss", players=8))
    page: Any = book.workbook["Standings"]
    ((cells, said),) = [(r.sqref, r.prompt) for r in page.data_validations.dataValidation]
    assert "choose Insert > Picture" in said
    assert str(cells) == "B1:L1"


def test_a_list_of_pairings_says_when_the_round_begins() -> None:
    options = gallery.options("swiss", players=4)
    pairing = {1: {"white": 1, "black": 2}}
    field = [{"name": name, "rating": 1500} for name in "ABCD"]
    content = {"Players": field, "Pairings": pairing, "Round_start": "14:00"}
    book = gallery.build("swiss", options, content)
    assert line(book, "pairing_list", 1) == "Pairing list, round 1, 14:00"


def test_every_line_of_the_rounds_tells_its_round() -> None:
    book = gallery.build(
        "round-robin",
        gallery.options("round-robin", players=4),
        {"Players": [{"name": name, "rating": 1500} for name in "ABCD"]},
    )
    assert column(book, "Rounds", "round_said") == [1, 1, 2, 2, 3, 3]
