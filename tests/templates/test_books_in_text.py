"""The templates that are texts: what LibreOffice computes in them against plain Python."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from datetime import date
from io import BytesIO
from itertools import combinations
from math import copysign, log, log10
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import numpy as np
import pytest
from openpyxl import load_workbook

from elo_xl.books import book_file
from elo_xl.books.book import Book, Options
from elo_xl.books.faults import faults
from elo_xl.books.texts import texts
from elo_xl.engine.models import expected
from elo_xl.engine.outcomes import outcomes
from elo_xl.engine.systems import Elo
from elo_xl.engine.usual import USUAL_K
from elo_xl.events.sided import rate_sided
from elo_xl.templates import gallery
from elo_xl.xlsx.fill import column_letters
from tests.support.calc import Calc
from tests.support.command import invoke
from tests.support.levels import amount
from tests.support.template_books import native_differences

pytestmark = pytest.mark.slow

TEXTS = [name for name, template in gallery.TEMPLATES.items() if template.text is not None]
SEEDS = amount(2, 6)

Content = dict[str, Any]


def computed(
    calc: Calc, name: str, contents: Iterable[Content], table: str, *keys: str, **sizes: Any
) -> list[list[tuple[Any, ...]]]:
    """The rows of a table that have a first cell, of each book, as LibreOffice computes them."""
    options = gallery.options(name, **sizes)
    books = {str(i): gallery.build(name, options, content) for i, content in enumerate(contents)}
    found = calc.recalculate_all({i: book.file() for i, book in books.items()})
    return [rows(book, found[i], table, keys) for i, book in books.items()]


def rows(book: Book, found: Any, name: str, keys: tuple[str, ...]) -> list[tuple[Any, ...]]:
    table = book.tables[name]
    letters = [column_letters(table.at[key]) for key in keys]
    cells = found[table.sheet.title]
    every = (
        tuple(cells.get(f"{letter}{row}") for letter in letters)
        for row in range(table.first, table.last + 1)
    )
    return [row for row in every if row[0] not in (None, "")]


# -- season ---------------------------------------------------------------------------------------


def season(seed: int) -> Content:
    chance = random.Random(seed)
    results = [
        {"name": f"P{i}"} | {f"e{r}": chance.choice((None, *range(1, 36))) for r in range(1, 9)}
        for i in range(14)
    ]
    scale = {place: {"own": 40.5 - place} for place in range(1, 4)} if seed % 2 else {}
    counted = {"Counted": chance.choice((None, 1, 3, 5, 20))}
    ties = {"Ties": texts("en")(f"season.ties_{'full' if seed % 3 else 'shared'}")}
    return {"Results": results, "Scale": scale} | counted | ties


def test_the_best_results_of_a_season_count(calc: Calc) -> None:
    contents = [season(seed) for seed in range(SEEDS)]
    found = computed(calc, "season", contents, "Standings", "name", "place", "points", "events")
    for content, shown in zip(contents, found, strict=True):
        worth = dict(enumerate([25, 20, 16, 13, 11, *range(10, 0, -1)], start=1))
        worth |= {place: row["own"] for place, row in content["Scale"].items()}
        alone = content["Ties"].startswith("each")
        totals = {}
        for row in content["Results"]:
            points = []
            for event in list(row)[1:]:
                if place := row[event]:
                    level = sum(other[event] == place for other in content["Results"])
                    shared = [worth.get(place + i, 0) for i in range(1 if alone else level)]
                    points.append(round(fmean(shared), 2))
            best = sorted(points, reverse=True)[: content["Counted"]]
            totals[row["name"]] = round(sum(best), 6), len(points)
        order = sorted(totals, key=lambda name: -totals[name][0])
        above = [sum(other > totals[name][0] for other, _ in totals.values()) for name in order]
        assert shown == [(name, a + 1, *totals[name]) for name, a in zip(order, above, strict=True)]


def test_who_did_not_finish_one_event_stays_on_the_wall_with_all_others() -> None:
    results = [{"name": "Ada", "e1": 1, "e2": "DNF"}, {"name": "Bo", "e1": 2, "e2": 1}]
    content = {"Results": results, "Events": [{"title": "May"}]}
    book = gallery.build("season", gallery.options("season", players=8, rounds=3), content)
    table = book.tables["Standings"]
    heads = [book.known(table.sheet, table.header, table.at[f"c{r}"]) for r in (1, 2, 3)]
    assert heads == ["May", 2, ""]
    rows = [table.column(key).values()[:2] for key in ("name", "points", "c1", "c2")]
    assert rows == [["Bo", "Ada"], [45, 25], [20, 25], [25, "?"]]
    [fault] = faults(book)
    assert fault.startswith("A place is not a whole number; leave it empty")
    assert fault.endswith(" @ Results!D6")


# -- Keizer ---------------------------------------------------------------------------------------

PARTS = {"bye": 2 / 3, "excused absence": 1 / 3, "game for the club": 1 / 2}


def keizer(seed: int) -> Content:
    chance = random.Random(seed)
    names = [f"P{i}" for i in range(11)]
    games, away = [], []
    for number in range(1, 8):
        there = chance.sample(names, len(names))
        away += [
            {"round": number, "name": there.pop(), "reason": chance.choice(list(PARTS))}
            for _ in range(chance.choice((1, 3)))
        ]
        while there:
            first, second = there.pop(), there.pop()
            result = chance.choice(("1", "½", "0"))
            games.append({"round": number, "first": first, "second": second, "result": result})
    players = [{"name": name} for name in names]
    top = chance.choice((None, 30, 5))
    return {"Players": players, "Games": games, "Away": away, "Top": top, "Part_duty": 0.5}


Places = tuple[list[str], dict[str, float], dict[str, int]]


def passes(content: Content, number: int = 12) -> Places:
    """The order after so many passes, the scores, and the values that these count."""
    order = names = [row["name"] for row in content["Players"]]
    top = max(content["Top"] or 2 * len(names), len(names))
    for _ in range(number):
        value = {name: top - i for i, name in enumerate(order)}
        score: defaultdict[str, float] = defaultdict(float)
        for game in content["Games"]:
            points = {"1": 1, "½": 0.5, "0": 0}[game["result"]]
            score[game["first"]] += points * value[game["second"]]
            score[game["second"]] += (1 - points) * value[game["first"]]
        for row in content["Away"]:
            score[row["name"]] += PARTS[row["reason"]] * value[row["name"]]
        order = sorted(names, key=lambda name: -round(score[name], 6))
    return order, score, value


@pytest.mark.parametrize("seed", [3, 2])
def test_keizer_is_worked_out_until_the_order_stays(calc: Calc, seed: int) -> None:
    """Or as often as in programs; then the second line says so, and scores are sums of values."""
    content = keizer(seed)
    order, score, value = passes(content)
    columns = "name", "score", "value"
    [shown] = computed(calc, "keizer", [content], "Standings", *columns, players=12)
    assert [name for name, *_ in shown] == order
    assert [s for _, s, _ in shown] == pytest.approx([score[name] for name in order], abs=1e-6)
    assert [v for *_, v in shown] == [value[name] for name in order]
    book = gallery.build("keizer", gallery.options("keizer", players=12), content)
    line = load_workbook(BytesIO(book.file()), data_only=True)["Games"]["A2"].value or ""
    assert line.startswith("The places do not settle") == (order != passes(content, 11)[0])
    assert (line != "") == (seed == 2)


def test_a_bye_beside_a_game_or_twice_and_a_line_without_a_round_do_not_count() -> None:
    content: Content = {
        "Players": [{"name": name} for name in ("Ada", "Bo", "Cy", "Di")],
        "Games": [
            {"round": number, "first": "Ada", "second": "Bo", "result": "1"} for number in (1, None)
        ],
        "Away": [
            {"round": number, "name": name, "reason": "bye"}
            for number, names in ((1, ["Bo"]), (2, ["Cy", "Cy", "Di"]), (3, ["Di"]), (None, ["Cy"]))
            for name in names
        ],
    }
    book = gallery.build("keizer", gallery.options("keizer", players=8), content)
    assert faults(book) == [
        "Round is missing or not a whole number @ Games!B7",
        "Plays in this round: 1.0 @ Without a game!B6",
        "Twice in this round: 2.0 @ Without a game!B7",
        "Twice in this round: 2.0 @ Without a game!B8",
        "Round is missing or not a whole number @ Without a game!B11",
    ]
    assert book.tables["Members"].column("games").numbers()[:4] == [1, 1, 0, 0]
    assert book.tables["Members"].column("away").numbers()[:4] == [0, 0, 0, 2]


# -- class ----------------------------------------------------------------------------------------


def school_class(seed: int) -> Content:
    chance = random.Random(seed)
    names = [f"P{i}" for i in range(12 + seed % 2)]
    pupils = [
        {
            "name": name,
            "rating": chance.choice((None, None, 900, 1300)),
            "away": "x" if chance.random() < 0.2 else None,
        }
        for name in names
    ]
    games = [
        dict(zip(("first", "second"), chance.sample(names, 2), strict=True))
        | {"result": chance.choice(("1", "½", "0"))}
        for _ in range(60)
    ]
    return {"Pupils": pupils, "Games": games, "Class_k": 24}


def rated(content: Content) -> dict[str, float]:
    """The ratings after all games."""
    rating = {row["name"]: float(row["rating"] or 1000) for row in content["Pupils"]}
    for game in content["Games"]:
        score = {"1": 1.0, "½": 0.5, "0": 0.0}[game["result"]]
        one, two = game["first"], game["second"]
        change = 24 * (score - float(expected(rating[one] - rating[two], "logistic")))
        rating[one], rating[two] = rating[one] + change, rating[two] - change
    return rating


def before_the_round(content: Content, chosen: int | None = None) -> Content:
    """The games of the rounds before the one that is played: a game of somebody who has played in
    the round begins the next one, and a round is over when one at most is left to play."""
    there = {row["name"] for row in content["Pupils"] if row["away"] is None}
    rounds, busy = [0], set[str]()
    for game in content["Games"]:
        two = {game["first"], game["second"]}
        begins = not busy or bool(two & busy)
        rounds.append(rounds[-1] + begins)
        busy = two if begins else two | busy
    turn = chosen or rounds[-1] + (len(there - busy) < 2)
    games = zip(content["Games"], rounds[1:], strict=True)
    return {**content, "Games": [game for game, number in games if number < turn]}


def paired(content: Content, rating: dict[str, float]) -> list[tuple[str, str]]:
    """Whoever is highest plays the one met least, of these the nearest; an odd one, who has played
    most, has a break. White goes to the one who had it less often."""
    met = Counter(frozenset((g["first"], g["second"])) for g in content["Games"])
    whites, blacks = (Counter(g[side] for g in content["Games"]) for side in ("first", "second"))
    games = whites + blacks
    there = [row["name"] for row in content["Pupils"] if row["away"] is None]
    free = max(reversed(there), key=games.__getitem__) if len(there) % 2 else None
    left = sorted((name for name in there if name != free), key=lambda name: -rating[name])
    pairs = []
    while left:
        one = left.pop(0)
        two = min(left, key=lambda name: (met[frozenset((one, name))], rating[one] - rating[name]))
        left.remove(two)
        white, black = sorted((one, two), key=lambda name: (whites[name], -blacks[name]))
        pairs.append((white, black))
    return pairs + ([(free, "has a break")] if free else [])


def test_a_class_has_the_ratings_of_the_engine_and_near_opponents(calc: Calc) -> None:
    contents = [school_class(seed) for seed in range(SEEDS)]
    ratings = computed(calc, "class", contents, "Standings", "name", "rating", rounds=60)
    pairs = computed(calc, "class", contents, "Pairs", "name_a", "name_b", "expected", rounds=60)
    for content, shown, proposed in zip(contents, ratings, pairs, strict=True):
        assert dict(shown) == pytest.approx(rated(content))
        content = before_the_round(content)
        rating = rated(content)
        assert [two for *two, _ in proposed] == [list(pair) for pair in paired(content, rating)]
        chances = [
            float(expected(rating[one] - rating[two], "logistic"))
            for one, two, chance in proposed
            if chance not in (None, "")
        ]
        assert [c for *_, c in proposed if c not in (None, "")] == pytest.approx(chances)


def test_a_round_of_a_class_stays_until_its_results_are_in_and_can_be_printed_again() -> None:
    names = [f"P{i}" for i in range(12)]
    content: Content = {"Pupils": [{"name": name} for name in names], "Games": []}
    typed: list[dict[str, str | None]] = content["Games"]
    slips: list[list[tuple[str, str]]] = []

    def pairs(chosen: int | None = None) -> tuple[list[tuple[str, str]], str]:
        options = gallery.options("class", players=12, rounds=20)
        book = gallery.build("class", options, content | {"Class_round": chosen})
        one, two, done = (
            book.tables["Pairs"].column(k).texts() for k in ("name_a", "name_b", "done")
        )
        return [*zip(one[:6], two[:6], strict=True)], "".join(done)

    for _ in range(3):
        slips.append(pairs()[0])
        typed += [{"first": a, "second": b, "result": "1"} for a, b in slips[-1][:5]]
        assert pairs() == (slips[-1], "✓✓✓✓✓")
        typed += [{"first": slips[-1][5][1], "second": slips[-1][5][0], "result": None}]
        assert pairs() == (slips[-1], "✓✓✓✓✓")
        typed[-1]["result"] = "½"
    assert len({frozenset(pair) for each in slips for pair in each}) == 18
    assert [pairs(number) for number in (1, 2, 3)] == [(each, "✓" * 6) for each in slips]


def test_lambda_names_compute_a_class(tmp_path: Path) -> None:
    options = gallery.options("class", functions="lambda", players=12, rounds=20)
    book = gallery.build("class", options, gallery.sample("class", options))
    assert native_differences(book, tmp_path / "class.xlsx") == []


# -- doubles, tables, leagues, judging ----------------------------------------------------------


def logistic(difference: float) -> float:
    return 1 / (1 + 10 ** (-difference / 400))


def doubles(seed: int) -> Content:
    chance, say = random.Random(seed), texts("en")
    names = [f"P{i}" for i in range(9)]
    rows = [
        {
            "name": name,
            "rating": chance.choice((None, None, 1700)),
            "games": chance.choice((None, 2)),
            "here": "x",
        }
        for name in names
    ]
    games = []
    for day in range(40):
        first, third, second, fourth = chance.sample(names, 4)
        alone = chance.random() < 0.2
        games.append(
            {"date": date(2026, 3, 1 + day // 2), "first": first, "third": third}
            | ({} if alone else {"second": second, "fourth": fourth})
            | {"ours": chance.randrange(12), "theirs": chance.randrange(12)}
        )
    margin = say(f"doubles.margin_{('none', 'log', 'share')[seed % 3]}")
    return {"Players": rows, "Games": games, "Doubles_first": 5, "Doubles_margin": margin}


def of_doubles(content: Content) -> Computed:
    """Everybody's rating, games and part of the points; the most even sides of all."""
    rating = {row["name"]: float(row["rating"] or 1500) for row in content["Players"]}
    before = {row["name"]: row["games"] or 0 for row in content["Players"]}
    games: Counter[str] = Counter()
    points: Counter[str] = Counter()
    for game in content["Games"]:
        a, b = ([game[k] for k in ks if k in game] for ks in (SIDES[:2], SIDES[2:]))
        ours, theirs = game["ours"], game["theirs"]
        won = (1 + (ours > theirs) - (ours < theirs)) / 2
        ahead = fmean(rating[x] for x in a) - fmean(rating[x] for x in b)
        score, weight = won, 1.0
        if content["Doubles_margin"] == "share of points":
            score = ours / (ours + theirs) if ours + theirs else 0.5
        elif content["Doubles_margin"] == "how clearly":
            level = 1 if won == 0.5 else 2.2 + copysign(0.001, won - 0.5) * ahead
            weight = log(1 + max(1, abs(ours - theirs))) * 2.2 / level
        surplus = weight * (score - logistic(ahead))
        for side, sign, part in ((a, 1, won), (b, -1, 1 - won)):
            for name in side:
                rating[name] += sign * surplus * USUAL_K * (1 + (games[name] + before[name] < 5))
                games[name] += 1
                points[name] += part
    gaps = [
        abs(fmean(rating[n] for n in side) - fmean(rating[n] for n in rating if n not in side))
        for side in combinations(rating, len(rating) // 2)
    ]
    return {
        ("Table", "name", "rating", "games", "share"): {
            n: (rating[n], games[n], points[n] / games[n]) for n in rating
        },
        ("Even", "there", "gap"): {len(rating): (min(gaps),)},
    }


def game_night(seed: int) -> Content:
    chance, say = random.Random(seed), texts("en")
    names = [f"P{i}" for i in range(9)]
    tables = []
    for number in range(25):
        seats = chance.sample(names, chance.randint(2, 8))
        row: Content = {"date": date(2026, 3, 1 + number // 2)}
        for k, name in enumerate(seats, start=1):
            row |= {f"n{k}": name, f"p{k}": chance.choice((1, 2, 2.5, 3, 7))}
        tables.append(row)
    players = [{"name": name, "rating": chance.choice((None, 1700))} for name in names]
    counts = say(f"game-night.counted_{('place', 'points')[seed % 2]}")
    return {"Players": players, "Games": tables, "Table_counts": counts, "Table_days": 3}


def of_game_night(content: Content) -> Computed:
    """Everybody's rating, tables, first and mean places, if they have played of late."""
    rating = {row["name"]: float(row["rating"] or 1500) for row in content["Players"]}
    places: defaultdict[str, list[int]] = defaultdict(list)
    played = {}
    for table in content["Games"]:
        got = {table[f"n{k}"]: table[f"p{k}"] for k in range(1, 9) if f"n{k}" in table}
        if content["Table_counts"] == "points":
            got = {name: -value for name, value in got.items()}
        change = {
            one: sum((got[one] < v) + (got[one] == v) / 2 for two, v in got.items() if two != one)
            - sum(logistic(rating[one] - rating[two]) for two in got if two != one)
            for one in got
        }
        for name in got:
            places[name].append(1 + sum(value < got[name] for value in got.values()))
            rating[name] += USUAL_K / (len(got) - 1) * change[name]
            played[name] = table["date"]
    last = max(played.values())
    return {
        ("Table", "name", "rating", "games", "firsts", "mean"): {
            n: (rating[n], len(places[n]), places[n].count(1), fmean(places[n]))
            for n, day in played.items()
            if (last - day).days <= 3
        }
    }


def league(seed: int) -> Content:
    chance, say = random.Random(seed), texts("en")
    names = [f"T{i}" for i in range(8)]
    games = [
        {"home": one, "away": two, "ours": chance.randrange(4), "theirs": chance.randrange(4)}
        for one, two in (chance.sample(names, 2) for _ in range(50))
    ]
    games += [{"home": "T3", "away": "T0"}, {"home": "T1", "away": "T2"}]
    teams = [{"name": name, "rating": chance.choice((None, 1600))} for name in names]
    margin = say(f"league.margin_{('none', 'log', 'goals')[seed % 3]}")
    chosen = {"League_win": 2 + seed % 2, "League_home": 40, "League_margin": margin}
    return {"Teams": teams, "Games": games} | chosen


def of_league(content: Content) -> Computed:
    """The engine's ratings, the table, and the chances of the games without a result."""
    start = {row["name"]: float(row["rating"] or 1500) for row in content["Teams"]}
    played = [game for game in content["Games"] if "ours" in game]
    points: Counter[str] = Counter()
    ahead: Counter[str] = Counter()
    for game in played:
        for own, other in (("ours", "theirs"), ("theirs", "ours")):
            team, goals = game["home" if own == "ours" else "away"], game[own] - game[other]
            ahead[team] += goals
            points[team] += content["League_win"] if goals > 0 else goals == 0
    margin = {"how clearly": "log", "by goals": "goals"}.get(content["League_margin"])
    system: Any = Elo(k=20, home=40, model="logistic", margin=margin)  # type: ignore[arg-type]
    names = list(start)
    rated = system.carry(
        [names.index(game["home"]) for game in played],
        [names.index(game["away"]) for game in played],
        [(1 + (g["ours"] > g["theirs"]) - (g["ours"] < g["theirs"])) / 2 for g in played],
        before={"rating": list(start.values())},
        margin=[abs(g["ours"] - g["theirs"]) for g in played] if margin else None,
    ).rating.tolist()
    drawn = sum(game["ours"] == game["theirs"] for game in played) / len(played)
    share = 400 * log10((1 + drawn) / (1 - drawn))
    table = {n: (points[n], ahead[n], rating) for n, rating in zip(names, rated, strict=True)}
    coming = {
        game["home"]: tuple(
            outcomes(
                table[game["home"]][2] + 40 - table[game["away"]][2], share, "logistic"
            ).tolist()
        )
        for game in content["Games"][50:]
    }
    scored = Counter[str]()
    met = defaultdict[tuple[str, str], list[str]](list)
    for game in played:
        scored += Counter({game["home"]: game["ours"], game["away"]: game["theirs"]})
        met[game["home"], game["away"]].append(f"{game['ours']}:{game['theirs']}")
    order = sorted(names, key=lambda name: (points[name], ahead[name], scored[name]), reverse=True)
    cross = {
        home: tuple("×" if away == home else ", ".join(met[home, away]) or None for away in order)
        for home in order
    }
    return {
        ("Table", "name", "points", "ahead", "rating"): table,
        ("Grid", "name", *(f"v{place}" for place in range(1, 9))): cross,
        ("Fixtures", "home", "win", "draw", "loss"): coming,
    }


def judging(seed: int) -> Content:
    chance = random.Random(seed)
    names = [f"I{i}" for i in range(10)]
    lines = []
    for _ in range((70, 20)[seed % 2]):  # few are as hard to solve as it gets
        one, two = sorted(chance.sample(range(10), 2), key=lambda i: i + 6 * chance.random())
        level = "x" if chance.random() < 0.1 else None
        judge = chance.choice((None, "Ada", "B*", "Bo"))
        pair = {"better": names[one], "worse": names[two]}
        lines.append({**pair, "level": level, "judge": judge})
    prior = 0.1 if seed % 2 else chance.choice((None, 0.5, 2))
    return {"Items": [{"name": n} for n in names], "Judgements": lines, "Prior": prior}


def of_judging(content: Content) -> Computed:
    """Newton's method in full: strengths, errors and how reliable they are."""
    names, prior = [row["name"] for row in content["Items"]], content["Prior"] or 1
    rating = np.zeros(len(names))
    for _ in range(30):
        surplus = prior * (0.5 - 1 / (1 + np.exp(-rating)))
        slopes = np.diag(prior / (2 + 2 * np.cosh(rating)))
        for line in content["Judgements"]:
            i, j = names.index(line["better"]), names.index(line["worse"])
            won = (0.5 if line["level"] else 1) - 1 / (1 + np.exp(rating[j] - rating[i]))
            slope = 1 / (2 + 2 * np.cosh(rating[i] - rating[j]))
            surplus[[i, j]] += won, -won
            slopes[[i, j], [i, j]] += slope
            slopes[[i, j], [j, i]] -= slope
        rating += np.linalg.solve(slopes, surplus)
    points, variance = rating * 400 / log(10), np.diag(np.linalg.inv(slopes))
    errors = np.sqrt(variance) * 400 / log(10)
    judged = Counter(line[side] for line in content["Judgements"] for side in ("better", "worse"))
    reliable = max(0, 1 - variance.mean() / rating.var(ddof=1))
    agreed = defaultdict(list)
    for line in content["Judgements"]:
        ahead = np.subtract(*(points[names.index(line[side])] for side in ("better", "worse")))
        agreed[line["judge"]].append(0.5 if line["level"] else (1 + np.sign(ahead.round(4))) / 2)
    return {
        ("Judges", "name", "judged", "agreed"): {
            judge: (len(each), fmean(each)) for judge, each in agreed.items() if judge
        },
        ("Table", "name", "rating", "error", "games"): {
            name: (1500 + points[i], errors[i], judged[name]) for i, name in enumerate(names)
        },
        ("Used", "items", "reliability"): {len(names): (reliable,)},
    }


SIDES: Final = ("first", "second", "third", "fourth")

Computed = dict[tuple[str, ...], dict[Any, tuple[Any, ...]]]
"""The rows of tables by their first cells: what plain Python makes of a content."""

PLAIN: Final[dict[str, tuple[Callable[[int], Content], Callable[[Content], Computed]]]] = {
    "doubles": (doubles, of_doubles),
    "game-night": (game_night, of_game_night),
    "league": (league, of_league),
    "judging": (judging, of_judging),
}


@pytest.mark.parametrize("name", PLAIN)
def test_a_book_computes_what_plain_python_does(name: str, calc: Calc) -> None:
    drawn, plain = PLAIN[name]
    contents = [drawn(seed) for seed in range(SEEDS + 1)]
    books = {str(i): gallery.build(name, gallery.options(name), c) for i, c in enumerate(contents)}
    found = calc.recalculate_all({i: book.file() for i, book in books.items()})
    for i, content in enumerate(contents):
        for (table, *keys), expected_rows in plain(content).items():
            shown = rows(books[str(i)], found[str(i)], table, tuple(keys))
            assert {row[0]: row[1:] for row in shown} == {
                of: pytest.approx(row, abs=1e-6) for of, row in expected_rows.items()
            }, (table, i)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["doubles", "game-night"])
def test_sides_are_rated_from_the_file_as_in_the_book(name: str, seed: int) -> None:
    drawn, plain = PLAIN[name]
    content = drawn(seed)
    event = rate_sided(gallery.make(name, gallery.options(name), content))
    [table] = [table for keys, table in plain(content).items() if keys[0] == "Table"]
    for player, (rating, games, *_) in table.items():
        at = event.players.index(player)
        assert (pytest.approx(rating), games) == (event.rated.rating[at], event.rated.games[at])
    assert event.points.sum() == pytest.approx(event.rated.games.sum() / 2)


def test_nobody_has_moved_on_the_first_day(calc: Calc) -> None:
    """Those with a game before the last day have."""
    name = "doubles"
    content = doubles(0)
    days = {str(last): {**content, "Games": content["Games"][:last]} for last in (2, 4)}
    books = {last: gallery.build(name, gallery.options(name), day) for last, day in days.items()}
    found = calc.recalculate_all({last: book.file() for last, book in books.items()})
    moved = {
        last: [
            (row[0], row[1])
            for row in rows(books[last], found[last], "Members", ("name", "was"))
            if row[1]
        ]
        for last in books
    }
    assert moved["2"] == []
    first_day = {game[key] for game in content["Games"][:2] for key in SIDES if key in game}
    assert {who for who, _ in moved["4"]} == first_day


@pytest.mark.parametrize("name", ["doubles", "game-night"])
def test_without_dates_all_games_are_of_one_day(name: str, calc: Calc) -> None:
    content = {"doubles": doubles, "game-night": game_night}[name](0)
    games = [{key: x for key, x in row.items() if key != "date"} for row in content["Games"][:9]]
    content = {"Players": content["Players"], "Games": games}
    (shown,) = computed(calc, name, [content], "Table", "name", "rating", "change")
    began = {row["name"]: row["rating"] or 1500 for row in content["Players"]}
    assert [change for *_, change in shown] == [
        pytest.approx(rating - began[who], abs=0.51) for who, rating, _ in shown
    ]
    assert any(change for *_, change in shown)


# -- texts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "language"),
    [(name, code) for name in TEXTS for code in gallery.TEMPLATES[name].languages],
)
def test_a_copy_is_a_book_of_ones_own(name: str, language: str, tmp_path: Path) -> None:
    """Whoever copies the text has the template, and changes it without Python."""
    folder = Path(gallery.__file__).parent
    assert not (folder / f"{name}.py").exists()
    copy = tmp_path / "ours.book"
    copy.write_bytes((folder / f"{name}.book").read_bytes())
    options = gallery.options(name, language=language, filled=True)
    made = gallery.build(name, options, gallery.sample(name, options))
    own = book_file.read(copy, Options(language=language), filled=True)
    assert own.values == made.values


def test_the_command_takes_a_copy_and_what_is_typed_into_it(tmp_path: Path) -> None:
    copy, old, new = tmp_path / "ours.book", tmp_path / "old.xlsx", tmp_path / "new.xlsx"
    text = (Path(gallery.__file__).parent / "season.book").read_text(encoding="utf-8")
    copy.write_text(
        text.replace('2..20 = 8 "events" sample:8', "2..20 = 6 sample:6"), encoding="utf-8"
    )
    for words in ((copy, "--sample", "-o", old), (copy, "--from", old, "-o", new)):
        run = invoke("new", *words)
        assert run.exit_code == 0, run.output
    assert "6 lines of Events, 10 lines of Results" in run.output
