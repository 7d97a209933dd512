"""The ladder of a league: the engine game by game, recalculated; results as people type them;
slips; the odds of the next game."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest

from elo_xl.books.book import Book, Content
from elo_xl.engine.models import expected
from elo_xl.engine.systems import Elo
from elo_xl.functions.evaluation import worksheet
from elo_xl.templates import gallery, ladder
from elo_xl.templates.blocks.ladder_sheets import MEETINGS
from elo_xl.templates.ladder import game
from tests.functions.test_runs import streak
from tests.support.calc import Calc
from tests.support.marks import rules
from tests.support.template_books import build

pytestmark = pytest.mark.slow

Game = tuple[str, str, float]
TYPED: dict[float, tuple[Any, ...]] = {
    1.0: ("1", "3-1", "21 : 19", "W", "won", 1),
    0.5: ("½", "2–2", "=", "0,5", "draw", 0.5),
    0.0: ("0", "1:3", "19-21", "L", "0-1", 0),
}


def book(content: Content, players: int = 12, rounds: int = 30) -> Book:
    return build("ladder", gallery.options("ladder", players=players, rounds=rounds), content)


def column(form: Book, table: str, key: str, values: Mapping[str, Any] | None = None) -> list[Any]:
    """What a column of a table shows, as the book has it or as another program found it."""
    cells = form.tables[table].column(key)
    if values is None:
        return cells.values()
    letter, first = cells.address.split("$")[1], cells.row
    return [values.get(f"{letter}{first + i}", "") for i in range(cells.rows)]


def run(
    games: Iterable[Game], k: float = 20, start: float = 1500, home: float = 0
) -> tuple[dict[str, list[float]], list[tuple[float, float]]]:
    """Every player's ratings from the first to the last, and both ratings after each game."""
    ratings: dict[str, list[float]] = {}
    after = []
    for one, two, score in games:
        a, b = (ratings.setdefault(name, [start]) for name in (one, two))
        gain = k * (score - float(expected(a[-1] + home - b[-1], "logistic")))
        a.append(a[-1] + gain)
        b.append(b[-1] - gain)
        after.append((a[-1], b[-1]))
    return ratings, after


def season(seed: int, games: int, players: int) -> list[Game]:
    chance = random.Random(seed)
    names = [f"{chance.choice('ABCDEFG')}-{i * i}-name" for i in range(players)]
    pairs = (chance.sample(names, 2) for _ in range(games))
    return [(one, two, chance.choice((1.0, 1.0, 0.5, 0.0))) for one, two in pairs]


def typed(games: Iterable[Game], seed: int = 0) -> list[dict[str, Any]]:
    chance = random.Random(seed)
    return [
        game(46000 + i // 2, one, two, chance.choice((*TYPED[score], *winner(one, two, score))))
        for i, (one, two, score) in enumerate(games)
    ]


def winner(one: str, two: str, score: float) -> tuple[str, ...]:
    return {1.0: (one, one.upper()), 0.5: (), 0.0: (two, f" {two} ")}[score]


@pytest.mark.parametrize(
    ("games", "players", "k", "start", "home"),
    [(30, 3, None, None, None), (230, 12, 32, 1000, 35), (301, 40, 7, 2200, -60)],
)
def test_ratings_are_the_engines_game_by_game(
    games: int, players: int, k: float | None, start: float | None, home: float | None, calc: Calc
) -> None:
    played = season(games, games, players)
    settings = {"League_k": k, "League_start": start, "League_home": home, "League_draws": "yes"}
    form = book({**settings, "Games": typed(played)}, players, games)
    ratings, after = run(played, k or 20, start or 1500, home or 0)
    found = calc.recalculate_all({"book": form.file()})["book"]
    for values in (None, found["Games"]):
        shown = [column(form, "Games", key, values) for key in ("new_a", "new_b")]
        assert [list(pair) for pair in zip(*shown, strict=True)] == [
            pytest.approx(pair, rel=1e-12) for pair in map(list, after)
        ]
        assert set(column(form, "Games", "check", values)) <= {
            "",
            *(text for text in column(form, "Games", "check") if str(text).startswith("New name")),
        }
    scores: dict[str, list[float]] = {}
    for one, two, score in played:
        scores.setdefault(one, []).append(score)
        scores.setdefault(two, []).append(1 - score)
    names = sorted(ratings, key=lambda name: -ratings[name][-1])
    table = {key: column(form, "Table", key, found["Table"]) for key in form.tables["Table"].at}
    count = len(names)
    assert table["name"][count:] == [""] * (players - count)
    assert table["rating"][:count] == pytest.approx([ratings[n][-1] for n in names], rel=1e-12)
    for i, name in enumerate(table["name"][:count]):
        own, path = scores[name], ratings[name]
        assert table["games"][i] == len(own)
        counts = [table[key][i] for key in ("won", "drawn", "lost")]
        assert counts == [own.count(1), own.count(0.5), own.count(0)]
        assert table["streak"][i] == streak(own)
        assert table["best"][i] == pytest.approx(max(path))
        assert table["last"][i] == round(path[-1] - path[-2])
    crossed = found[form.sheets["cross"].title]
    for j, other in enumerate(names[:10], start=1):
        shown_in = column(form, "Matrix", f"v{j}", crossed)
        for name, cell in zip(names, shown_in, strict=False):
            met = [s for one, two, s in played if (one, two) == (name, other)]
            met += [1 - s for one, two, s in played if (one, two) == (other, name)]
            tally = (str(met.count(score)) for score in (1, 0.5, 0))
            assert cell == ("×" if name == other else "–".join(tally) if met else "–")


MARGINS: dict[str, Any] = {"who wins": None, "how clearly": "log", "by goals": "goals"}


@pytest.mark.parametrize(
    ("month", "counts"), [(1, "who wins"), (9, "how clearly"), (9, "by goals")]
)
def test_ratings_are_those_of_the_engines_system_season_after_season(
    month: int, counts: str
) -> None:
    """A year without games, between the third and the fourth season, moves nobody; nor does a
    season that begins before somebody's first game, or while they rest."""
    played = season(7, 220, 15)
    late, rests = played[-1][0], played[-1][1]

    def name_of(i: int, name: str) -> str:
        absent = i < 160 if name == late else 40 <= i < 190
        return f"Guest of {name}" if absent and name in (late, rests) else name

    played = [(name_of(i, one), name_of(i, two), s) for i, (one, two, s) in enumerate(played)]
    days = [46000 + 4 * i + 500 * (i >= 200) for i in range(220)]
    lines = [
        line | {"date": day if i % 3 else None}
        for i, (line, day) in enumerate(zip(typed(played), days, strict=True))
    ]
    lines[0]["date"] = days[0]
    for i in range(0, 220, 7):
        lines[i]["result"] = {1.0: "5:2", 0.5: "4:4", 0.0: "1:9"}[played[i][2]]
    seasons = []
    for line in lines:
        if line["date"]:
            day = date(1899, 12, 30) + timedelta(line["date"])
            label = day.year + (day.month >= month)
        seasons.append(label)
    names = list(dict.fromkeys(name for game in played for name in game[:2]))
    sides = (re.split("[-–:]", str(line["result"])) for line in lines)
    # where only the winner is known, the win is one by 1
    margins = [abs(int(s[0]) - int(s[1])) if len(s) == 2 else 1 for s in sides]
    options = {"model": "logistic", "margin": MARGINS[counts], "reversion": 0.33}
    rated = Elo(k=24, start=1200, home=30, **options).carry(
        [names.index(one) for one, _, _ in played],
        [names.index(two) for _, two, _ in played],
        [score for *_, score in played],
        before={"rating": [1900 if name == late else np.nan for name in names]},
        period=np.unique(seasons, return_inverse=True)[1],
        margin=margins if MARGINS[counts] else None,
        history=True,
    )
    assert len(set(seasons)) > 2
    assert rated.history is not None
    settings = {"League_k": 24, "League_start": 1200, "League_home": 30}
    years = {"League_reversion": 33, "League_season": month, "League_margin": counts}
    starts = [{"name": late, "rating": 1900}]
    form = book({**settings, **years, "Starts": starts, "Games": lines}, 17, 220)
    shown = [column(form, "Games", key) for key in ("new_a", "new_b")]
    np.testing.assert_allclose(np.transpose(shown), rated.history, rtol=1e-12)
    listed = zip(column(form, "Table", "name"), column(form, "Table", "rating"), strict=True)
    assert {name: rating for name, rating in listed if name} == pytest.approx(
        dict(zip(names, rated.rating.tolist(), strict=True)), rel=1e-12
    )


def test_first_games_are_faster_and_who_rests_leaves_the_table() -> None:
    """Who has a first rating of their own is not new, who is listed without one is; names of two
    players are asked about."""
    played = [("Ana", "Bo", 1.0), ("Ana", "Cy + Di", 0.5), ("Ana", "Bo", 1.0)]
    lines = [game(46000 + 20 * i, *g[:2], TYPED[g[2]][0]) for i, g in enumerate(played)]
    settings = {"League_k": 20, "League_first": 2, "League_first_k": 50, "League_days": 15}
    starts = [{"name": "Bo", "rating": 1600}, {"name": "Ana"}]
    form = book({**settings, "Starts": starts, "Games": lines}, 6)
    assert ["", ""] == column(form, "Starts", "check")[:2]
    rating, count = {"Ana": 1500.0, "Bo": 1600.0, "Cy + Di": 1500.0}, Counter[str]()
    for one, two, score in played:
        gain = score - float(expected(rating[one] - rating[two], "logistic"))
        for name, won in ((one, gain), (two, -gain)):
            count[name] += 1
            rating[name] += won * (20 if name == "Bo" or count[name] > 2 else 50)
    assert dict(
        zip(column(form, "Table", "name"), column(form, "Table", "rating"), strict=True)
    ) == {"Ana": pytest.approx(rating["Ana"]), "Bo": pytest.approx(rating["Bo"]), "": ""}
    assert ["Bo", "Ana", "Cy + Di"] == column(form, "Members", "listed")[:3]
    assert pytest.approx([0, 2.5 / 3]) == column(form, "Table", "share")[:2]
    assert form.say("check_sides") == column(form, "Games", "check")[1]
    # the third game of Ana, and the first one by 50 of Cy + Di
    pair = {"pair_one": "Ana", "pair_two": "Cy + Di"}
    odds = book({**settings, **pair, "Games": lines}, 6).tables["Pair"]
    assert [20, 50] == [odds.column(key).values()[0] for key in ("k_a", "k_b")]


def test_changes_of_the_last_days() -> None:
    played = season(3, 150, 6)
    form = book({"Games": typed(played)}, 6, 150)
    last_day = 46000 + 149 // 2
    for name, month in zip(
        column(form, "Table", "name"), column(form, "Table", "month"), strict=True
    ):
        path, when = run(played)[0][name], [0]
        when += [46000 + i // 2 for i, g in enumerate(played) if name in g[:2]]
        before = [r for r, day in zip(path, when, strict=True) if day <= last_day - 30][-1]
        assert month == round(path[-1] - before)


RESULTS: list[tuple[Any, Any]] = [
    *((text, score) for score, texts in TYPED.items() for text in texts),
    *(("Ann", 1), ("bob", 0), (" BOB ", 0), ("100-99", 1), ("07:11", 0), ("0-0", 0.5)),
    *(("1 – 0", 1), ("½-½", 0.5), ("1/2", 0.5), ("1-0.", "?"), ("3", "?"), ("2", "?")),
    *(("3-", "?"), ("-3", "?"), ("6-4 6-3", "?"), ("Anna", "?"), ("*", "–"), ("w/o", "–")),
    *(("?", "?"), ("~", "?"), ("1e2-3", "?"), ("1-1-0", "?"), (46025, "?"), ("+", "–")),
]


def test_results_as_people_type_them() -> None:
    form = book({"Games": [game(46000, "Ann", "Bob", r) for r, _ in RESULTS]}, 2, len(RESULTS))
    assert list(zip([r for r, _ in RESULTS], column(form, "Each", "score"), strict=True)) == RESULTS
    known = [isinstance(score, (int, float)) for _, score in RESULTS]
    assert [new != "" for new in column(form, "Games", "new_a")] == known
    assert column(form, "Games", "fault") == [score == "?" for _, score in RESULTS]


ANNA, BORIS = "Anna Kern", "Boris Hahn"
GOOD = game(46000, ANNA, BORIS, "1")
WAITS = {
    "alone": (game(46000, ANNA, None, "1"), game(None, None, BORIS, None), game(result="3-1")),
    "same": (game(46000, ANNA, ANNA, "1"), game(46000, ANNA, f" {ANNA.lower()} ", "1")),
    "result": (game(46000, ANNA, BORIS, "3"), game(46000, ANNA, BORIS, "Chris")),
    "draw": (game(46000, ANNA, BORIS, "½"), game(46000, ANNA, BORIS, "2-2")),
    "missing": (game(46000, ANNA, BORIS), game(46000, ANNA, BORIS, "  ")),
    "unplayed": (game(46000, ANNA, BORIS, "w/o"),),
}


@pytest.mark.parametrize("what", WAITS)
def test_what_cannot_be_read_waits(what: str) -> None:
    for line in WAITS[what]:
        lines = [GOOD, line, {}, game(46000, BORIS, ANNA, "0")]
        form = book({"Games": lines, "League_draws": "no"})
        assert column(form, "Games", "check")[:4] == ["", form.say(f"check_{what}"), "", ""]
        assert column(form, "Games", "fault")[:2] == [0, what in ladder.FAULTS]
        _, after = run([(ANNA, BORIS, 1), (BORIS, ANNA, 0)])
        shown = column(form, "Games", "new_b")
        assert (shown[1], shown[3]) == ("", pytest.approx(after[1][1]))


def test_a_wrong_date_is_marked_and_a_date_that_goes_back_is_asked_about() -> None:
    lines = [GOOD, game("soon", ANNA, BORIS, "1"), game(45000, ANNA, BORIS, "1"), GOOD, {}]
    form = book({"Games": lines})
    say = form.say
    assert column(form, "Games", "check")[:4] == ["", say("check_date"), say("check_back"), ""]
    assert column(form, "Games", "fault")[:4] == [0, 1, 0, 0]
    assert column(form, "Table", "won")[:2] == [4, 0]


def test_a_wrong_setting_lets_everything_wait() -> None:
    for name, wrong in {
        "League_k": "much",
        "League_start": 1,
        "League_draws": "maybe",
        "League_reversion": 101,
        "League_season": 13,
    }.items():
        form = book({"Games": [GOOD, GOOD], name: wrong})
        assert column(form, "Games", "check")[:2] == [form.say("check_settings")] * 2
        assert column(form, "Table", "name")[0] == ""
        # the games are not at fault: one entry needs attention, and it is the one to go to
        at = form.singles[name].cells.address.replace("$", "")
        told = f"Entries that need attention: 1 – the first one: 'Start here'!{at}"
        assert form.values["Games", "A2"] == told


@pytest.mark.parametrize(
    ("one", "two", "marked"),
    [
        (ANNA, BORIS, []),
        (None, None, []),
        ("nobody", BORIS, ["B7"]),
        ("nobody", "somebody", ["B7", "C7"]),
        (None, "nobody", ["C7"]),
        (ANNA, ANNA, ["B7", "C7"]),
    ],
)
def test_who_is_not_in_the_league_is_marked_head_to_head(
    one: str | None, two: str | None, marked: list[str]
) -> None:
    form = book({"Games": [GOOD], "pair_one": one, "pair_two": two})
    held = {cell for kind, cell, holds in rules(form) if holds and kind == "attention"}
    assert [f"{'ABC'[at[2] - 1]}{at[1]}" for at in sorted(held)] == marked
    assert (form.values["Head to head", "B8"] != "") == bool(marked)


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("Anna Korn", True),
        ("Ana Kern", True),
        ("Annna Kern", True),
        ("Anna Kenr", True),
        ("anna kern", False),
        ("Anna  Kern ", False),
        ("Anne Korn", False),
        ("Anna Kern Jr", False),
        ("Hans", False),
    ],
)
def test_a_name_like_another_is_asked_about_until_it_has_played_some_games(
    name: str, asked: bool
) -> None:
    for games, still in ((1, asked), (2, asked), (3, False)):
        lines = [GOOD, *[game(46001, name, BORIS, "1")] * games]
        form = book({"Games": lines})
        remark = f"{form.say('check_similar')} {ANNA}" if still else ""
        assert column(form, "Games", "check")[1 : 1 + games] == [remark] * games
        assert set(column(form, "Games", "fault")) == {0}
    players = {ANNA, BORIS} if name.lower().split() == ANNA.lower().split() else {ANNA, BORIS, name}
    assert set(column(form, "Table", "name")) - {""} == players


def test_more_players_than_there_is_room_for() -> None:
    lines = [GOOD, game(46000, "Chris", BORIS, "1"), game(46000, ANNA, BORIS, "1")]
    form = book({"Games": lines}, players=2)
    assert column(form, "Games", "check")[:3] == ["", form.say("check_players"), ""]
    assert column(form, "Table", "games") == [2, 2]


def test_who_has_too_few_games_has_no_place() -> None:
    lines = [GOOD, GOOD, game(46000, "Chris Roth", BORIS, "1")]
    form = book({"Games": lines, "League_least": 2})
    assert column(form, "Table", "name")[:3] == [ANNA, BORIS, "Chris Roth"]
    assert column(form, "Table", "place")[:3] == [1, 2, "–"]


def chances(a: float, b: float, margin: float) -> Any:
    found: Any = worksheet("ELO_OUTCOMES", a, b, margin, "logistic")
    return found[0]


def test_the_next_game() -> None:
    played = season(5, 120, 5)
    one, two = played[0][:2]
    chosen = {"pair_one": one, "pair_two": two, "League_home": 50}
    form = book({**chosen, "Games": typed(played)}, 5, 120)
    ratings, _ = run(played, home=50)
    a, b = ratings[one][-1] + 50, ratings[two][-1]
    assert column(form, "Pair", "expected")[0] == pytest.approx(float(expected(a - b, "logistic")))
    odds = [column(form, "Pair", key)[0] for key in ("win", "draw", "loss")]
    margin = column(form, "Pair", "margin")[0]
    assert odds == pytest.approx(chances(a, b, margin))
    drawn = sum(score == 0.5 for *_, score in played) / len(played)
    assert chances(1500, 1500, margin)[1] == pytest.approx(drawn)
    met = [g for g in played if set(g[:2]) == {one, two}]
    won = [score == (1 if first == one else 0) for first, _, score in met]
    assert column(form, "Pair", "games")[0] == len(met)
    assert column(form, "Pair", "won_a")[0] == sum(won)
    listed = [f"{first} – {second}" for first, second, _ in met[::-1]]
    assert column(form, "Met", "both")[: len(met)] == listed[:MEETINGS]


def test_one_player_and_the_curves() -> None:
    played = season(6, 200, 4)
    name = played[0][1]
    form = book({"one_choice": name, "Games": typed(played)}, 4, 200)
    ratings, _ = run(played)
    shown = column(form, "Recent", "after")
    assert shown == pytest.approx(ratings[name][: -len(shown) - 1 : -1])
    against = {
        other: sum({name, other} == set(g[:2]) for g in played) for other in set(ratings) - {name}
    }
    rivals = zip(column(form, "Rivals", "name"), column(form, "Rivals", "games"), strict=True)
    assert {rival: games for rival, games in rivals if rival} == against
    leader = column(form, "Table", "name")[0]
    path = ratings[leader]
    curve = column(form, "Points", "y1")
    assert curve[: len(path)] == pytest.approx(path)
    assert set(curve[len(path) :]) == {curve[len(path) - 1]}
