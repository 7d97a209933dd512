"""Unrated players in long files: their games count on over periods, as they do in a club's book
that ``elo-xl close`` closes."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from elo_xl.bulk.rate import rate_files
from elo_xl.bulk.request import Request
from elo_xl.club import closing
from elo_xl.club.ledger import ClubEvent, ClubGame, Member, Record

pytestmark = pytest.mark.slow

SIZE, MONTHS = 90, 36
OWN = """
model = "normal"
rounding = "whole"
[[k]]
k = 30
[first]
method = "performance"
games = 6
floor = 1300
"""
"""A rulebook for whose first ratings sums of games do not suffice."""


def write(folder, columns, rating):
    players = {"id": list(range(len(rating))), "rating": rating}
    players |= dict.fromkeys(("games", "index"), [0] * len(rating))
    pq.write_table(pa.table(players), folder / "players.parquet")
    pq.write_table(pa.table(columns), folder / "games.parquet")
    return folder / "games.parquet", folder / "players.parquet"


@pytest.fixture(scope="module")
def games():
    """A few games a month, in which many have to wait for a first rating, some for two years."""
    rng = np.random.default_rng(8)
    rating = [None if i % 2 else float(x)
              for i, x in enumerate(rng.normal(1750, 250, SIZE).round())]  # fmt: skip
    number = np.sort(rng.integers(0, MONTHS, 12 * MONTHS))
    white = rng.integers(0, SIZE, number.size)
    black = (white + rng.integers(1, SIZE, number.size)) % SIZE
    result = rng.integers(0, 3, number.size) / 2
    days = [date(2022 + int(m) // 12, int(m) % 12 + 1, 1) for m in number]
    columns = {"white": white, "black": black, "result": result, "date": days}
    return columns, rating


def closed_by_month(columns, rating, rules):
    """Ratings and games of everybody after each month, by the command for clubs."""
    members = {str(i): Member(i, str(i), records={"standard": Record(x, 0 if x else None, x)})
               for i, x in enumerate(rating)}  # fmt: skip
    earlier: list[closing.EventGame] = []
    after = []
    for month in range(MONTHS):
        day = date(2022 + month // 12, month % 12 + 1, 1)
        event = ClubEvent(month + 1, str(month), day, "standard", "", None)
        now = [
            (event, ClubGame(i, event.name, 0, str(white), str(black), score, (score, 1 - score)))
            for i, (white, black, score, own) in enumerate(zip(*columns.values(), strict=True))
            if own == day
        ]
        next_month = date(2022 + (month + 1) // 12, (month + 1) % 12 + 1, 1)
        done = closing.rate_period(next_month, now, members, earlier, rules)
        for line in done.lines:
            if line.new is not None:
                record = closing.record_after(line.before, line.new, line.games, line.old)
                one = members[line.name]
                members[line.name] = replace(one, records={"standard": record})
        earlier += done.rated
        after.append([m.records["standard"].rating for m in members.values()])
    return after, [m.records["standard"].games for m in members.values()]


@pytest.mark.parametrize("rules", ["fide-2024-03", "fide-2022-01", "fide-2014-07", "dwz", OWN],
                         ids=lambda rules: "own" if rules is OWN else rules)  # fmt: skip
def test_they_are_rated_as_a_club_rates_them(rules, games, tmp_path):
    if rules is OWN:
        rules = tmp_path / "own.toml"
        rules.write_text(OWN)
    columns, rating = games
    expected, number = closed_by_month(columns, rating, rules)
    files = write(tmp_path, columns, rating)
    rate_files(Request(files[:1], files[1], tmp_path / "out.parquet", by="month", rules=rules))
    periods = sorted((tmp_path / "out-periods").glob("*.parquet"))
    made = [pq.read_table(path) for path in periods]
    assert [table["new"].to_pylist() for table in made] == expected
    assert made[-1]["played"].to_pylist() == [
        0 if x is None and expected[-1][i] is None else x for i, x in enumerate(number)
    ]
    first = [sum(x is not None for x in month) for month in expected]
    assert first[0] == SIZE // 2 < first[-1] < SIZE  # some get a rating later, some never


# A newcomer has 18 games against 2200, three a month, and half of the points: by B.02, 8.2, two
# draws against 1800 are added. After four games in 26 months there is nothing.
OPPONENT = 2200.0


def newcomer(folder, days, results, **asked):
    columns = {"white": [0] * len(days), "black": [1] * len(days), "result": results}
    key = "date" if isinstance(days[0], date) else "period"
    games, players = write(folder, columns | {key: days}, [None, OPPONENT])
    output = folder / "out.parquet"
    rate_files(Request((games,), players, output, rules="fide-2024-03", **asked))
    periods = sorted((folder / "out-periods").glob("*.parquet"))
    return [pq.read_table(path).to_pylist()[0] for path in periods], pq.read_table(output)


def test_three_games_a_month_bring_a_rating_in_the_second(tmp_path):
    days = [date(2024, 3 + i // 3, 1 + i) for i in range(18)]
    made, result = newcomer(tmp_path, days, [0.5] * 18, by="month")
    assert [row["rating"] for row in made[:3]] == [None, None, 2100]  # (6·2200 + 2·1800) / 8
    assert [row["games"] for row in made] == [3] * 6
    assert [row["played"] for row in made] == [0, 6, 9, 12, 15, 18]
    # a K for those who have a rating, as elo.rate_period gives it
    assert [row["k"] for row in made] == [None, None, 40, 40, 40, 40]
    # what cannot be told of all the games is told of none
    row = result.to_pylist()[0]
    assert (row["rating"], row["games"], row["score"]) == (None, 18, 9)
    assert (row["expected"], row["change"]) == (None, None)


@pytest.mark.parametrize(("by", "days", "rated"), [
    ("month", [date(2022, 2, 1), date(2024, 3, 31)], True),  # 26 months, both among them
    ("month", [date(2022, 1, 31), date(2024, 3, 1)], False),
    ("day", [date(2022, 2, 5), date(2024, 4, 4)], True),
    ("day", [date(2022, 2, 4), date(2024, 4, 5)], False),
    ("week", [date(2022, 2, 7), date(2024, 3, 31)], True),
    ("week", [date(2022, 1, 31), date(2024, 4, 7)], False),
    ("quarter", [date(2022, 4, 1), date(2024, 3, 31)], True),
    ("quarter", [date(2022, 3, 31), date(2024, 3, 31)], False),
    ("year", [date(2023, 1, 1), date(2024, 12, 31)], True),
    ("year", [date(2022, 12, 31), date(2024, 1, 1)], False),
    (None, [1, 900], True),
])  # fmt: skip
def test_for_26_months_or_over_all_numbers(by, days, rated, tmp_path):
    made, _ = newcomer(tmp_path, [days[0]] * 3 + [days[1]] * 3, [0.5] * 6, by=by)
    assert made[-1]["new"] == (2100 if rated else None)
    assert made[-1]["played"] == (6 if rated else 0)


def test_a_period_without_a_point_is_no_beginning(tmp_path):
    made, _ = newcomer(tmp_path, [1] * 3 + [2] * 3 + [3] * 2, [0, 0, 0, 0.5, 0, 0, 0, 0.5])
    assert [row["new"] for row in made[:2]] == [None, None]
    assert made[2]["played"] == 5  # without the first three
