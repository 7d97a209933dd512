"""The odds of a league against counting all results and scores, and the book against a list."""

import json
from collections.abc import Sequence
from itertools import permutations, product
from math import prod
from pathlib import Path

import pytest
from openpyxl import load_workbook

from elo_xl.events.files import read_event
from elo_xl.questions.odds.league import league_odds
from elo_xl.templates import gallery
from tests.support.command import invoke, run

TEAMS = {"Ash": 1700, "Birch": 1650, "Cedar": 1550, "Dogwood": 1500}
PLAYED = [("Ash", "Birch", 2, 1), ("Cedar", "Dogwood", 0, 0), ("Birch", "Cedar", 1, 0),
          ("Dogwood", "Ash", 3, 1), ("Ash", "Cedar", 1, 1), ("Birch", "Dogwood", 0, 2),
          ("Birch", "Ash", 4, 0)]  # fmt: skip
COMING = [("Dogwood", "Cedar"), ("Cedar", "Birch"), ("Ash", "Dogwood"), ("Cedar", "Ash")]


def listed(rated: bool = True) -> bytes:
    """The league as a list of games, those to come without goals."""
    lines = [("home", "away", "home_score", "away_score", *("home elo", "away elo")[: 2 * rated])]
    for home, away, *goals in (*PLAYED, *((*pair, "", "") for pair in COMING)):
        ratings = (TEAMS[home], TEAMS[away])[: 2 * rated]
        lines.append((home, away, *map(str, (*goals, *ratings))))
    return "\n".join(map(",".join, lines)).encode()


def davidson(ahead: float, nu: float) -> tuple[float, float, float]:
    win, loss = 10 ** (ahead / 800), 10 ** (-ahead / 800)
    total = win + nu + loss
    return win / total, nu / total, loss / total


def counted(home: float, nu: float, points: Sequence[float]) -> dict[str, list[float]]:
    """The chance of each place, by going through all results and all scores that there have been:
    points, difference of goals, goals, wins, then lots."""
    won = [(min(own, others), max(own, others)) for *_, own, others in PLAYED if own != others]
    tied = [own for *_, own, others in PLAYED if own == others]
    ends: list[list[tuple[str, str, int, int, float]]] = []
    for one, two in COMING:
        win, draw, loss = davidson(TEAMS[one] - TEAMS[two] + home, nu)
        ends.append(
            [(one, two, high, low, win / len(won)) for low, high in won]
            + [(one, two, both, both, draw / len(tied)) for both in tied]
            + [(one, two, low, high, loss / len(won)) for low, high in won]
        )
    chance = {team: [0.0] * len(TEAMS) for team in TEAMS}
    for season in product(*ends):
        weight = prod(end[-1] for end in season)
        table = dict.fromkeys(TEAMS, (0.0, 0, 0, 0))
        for one, two, own, others in (*PLAYED, *(end[:-1] for end in season)):
            for team, scored, let in ((one, own, others), (two, others, own)):
                worth = points[1] if scored == let else points[0] if scored > let else points[2]
                a, b, c, d = table[team]
                table[team] = a + worth, b + scored - let, c + scored, d + (scored > let)
        for team, row in table.items():
            above = sum(other > row for other in table.values())
            level = sum(other == row for other in table.values())
            for place in range(above, above + level):
                chance[team][place] += weight / level
    return chance


@pytest.mark.slow
def test_a_season_agrees_with_all_of_its_results() -> None:
    exact = counted(60, 0.8, (2, 1, 0))
    event = read_event(listed())
    found = league_odds(event, points=(2, 1, 0), home=60, draws="davidson:0.8", runs=1_000_000)
    assert (found.method, found.games, found.tie_breaks) == ("drawn", 4, ("GD", "GF", "WIN"))
    for place in range(1, 5):
        chance, error = found.finals.place(place)
        assert error.max() < 0.0005
        for team, odds in zip(found.players, chance.tolist(), strict=True):
            assert odds == pytest.approx(exact[team.name][place - 1], abs=0.0015)


def test_a_list_has_the_odds_of_the_book() -> None:
    """Points, ratings from nothing, advantage and draws are those that the book works out."""
    games = [
        {"home": home, "away": away, "ours": goals[0], "theirs": goals[1]}
        for home, away, *goals in (*PLAYED, *((*pair, None, None) for pair in COMING))
    ]
    content = {"Teams": [{"name": team} for team in TEAMS], "Games": games}
    book = read_event(gallery.make("league", gallery.options("league", players=4), content))
    found = [league_odds(book), league_odds(read_event(listed(False), unrated=True), home=60)]
    ours, others = (
        {
            team.name: (team.rating, odds, points)
            for team, odds, points in zip(
                one.players, one.finals.place(1)[0], one.finals.points.mean(axis=0), strict=True
            )
        }
        for one in found
    )
    assert {team: pytest.approx(numbers) for team, numbers in ours.items()} == others


def test_the_home_advantage_is_fitted_where_games_tell_it() -> None:
    """Six of ten games of equals are won at home: odds of 6:4, or 70 points."""
    lines = [
        f"{one},{two},{'H' if game < 6 else 'A'}"
        for one, two in permutations(TEAMS, 2)
        for game in range(10)
    ]
    for some, home in ((lines, 70.4), (lines[:10], 60)):
        event = read_event("\n".join(["home,away,FTR", *some]).encode(), unrated=True)
        found = league_odds(event)
        assert found.league is not None
        assert found.league.home == pytest.approx(home, abs=0.05)
        # without goals there are wins, and all results can be listed
        assert (found.tie_breaks, found.method) == (("WIN",), "listed")


def test_a_season_that_is_not_over_is_said() -> None:
    games = "home,away,FTR\nReds,Blues,H\nBlues,Greens,A\n"
    returned = "Greens,Reds,D\nBlues,Reds,H\nGreens,Blues,A\nReds,Greens,D\n"
    for more, said in (
        ("", "though 1 pair met less often"),
        ("Greens,Reds,D\n", "though all met once only"),
        (returned, ""),
    ):
        notes = " ".join(league_odds(read_event((games + more).encode(), unrated=True)).notes)
        assert said in notes
        assert ("no game is to come" in notes) == bool(said)


def test_rate_says_that_it_counts_no_home_advantage(tmp_path: Path) -> None:
    for heads, said in (("home,away", True), ("player 1,player 2", False)):
        (file := tmp_path / "season.csv").write_text(f"{heads},result\nReds,Blues,1\n")
        assert ("no home advantage is counted" in run("rate", file, "--dry-run")) == said


def test_a_team_with_two_spellings_is_told(tmp_path: Path) -> None:
    file = tmp_path / "season.csv"
    file.write_text("home,away,FTR\nRivertown,Blues,H\nBlues,Rivertwn,A\nRivertown,Greens,\n")
    assert "'Rivertown' and 'Rivertwn' may be one person" in run("odds", file)


def test_the_sheet_of_a_league(tmp_path: Path) -> None:
    book = tmp_path / "league.xlsx"
    german = gallery.options("league", language="de")
    book.write_bytes(gallery.make("league", german, gallery.sample("league", german)))
    said = run("odds", book, "--into-book", "--last", 2, "--runs", 2000)
    assert "sheet Chancen" in said
    headings = said[said.index("Chance of place, %") :].split()
    assert "Chance of place, % Name Rating Points Expected points 1 2 3" == " ".join(headings[:12])
    rows = [*load_workbook(book)["Chancen"].iter_rows(min_row=4, values_only=True)]
    assert rows[0][0] == "Bei Punktgleichheit zählen: Tordifferenz, Tore, Siege; danach das Los."
    assert rows[3][4:] == ("1", "2", "3", "1 bis 3", "Letzte 2")
    assert sum(float(str(row[-1])) for row in rows[4:]) == pytest.approx(200, abs=0.5)
    told = json.loads(run("odds", book, "--runs", 2000, "--json"))
    assert told["league"]["points"] == [3, 1, 0]
    assert {player["points"] for player in told["players"]} == {9, 8, 5, 3}


def test_a_book_says_when_its_own_ratings_are_others(tmp_path: Path) -> None:
    book = tmp_path / "judging.xlsx"
    options = gallery.options("judging")
    book.write_bytes(gallery.make("judging", options, gallery.sample("judging", options)))
    assert "these are other ratings" in run("rate", book, "--dry-run")
    assert "other ratings" not in run("rate", book, "--dry-run", "--rules", "fide")


def test_a_curve_may_have_a_scale(tmp_path: Path) -> None:
    """Twice the scale and twice the ratings are the same season."""
    odds = []
    for times, model in ((1, "logistic"), (2, "logistic:800")):
        rated = f"home,home elo,away,away elo,FTR\nA,{1000 * times},B,{900 * times},\n"
        rated += f"B,{900 * times},A,{1000 * times},\n"
        (file := tmp_path / f"{times}.csv").write_text(rated)
        options = ("--model", model, "--home", 60 * times, "--draws", "davidson:1")
        told = json.loads(run("odds", file, *options, "--json"))
        odds.append([player["odds"] for player in told["players"]])
    assert odds[0] == odds[1]


@pytest.mark.parametrize(
    ("text", "options", "what"),
    [
        ("home,away,FTR\nA,B,H\n", ("--points", "3-1"), "such as 3-1-0, not '3-1'"),
        ("home,away,FTR\nA,B,H\n", ("--rounds", 3), "--rounds is for other events"),
        ("home,away,FTR\nA,B,H\n", ("--tie-breaks", "SB"), "one of GD, GF, WIN, got 'SB'"),
        ("home,away,FTR,season\nA,B,H,1\nB,A,H,2\n", (), "the list has 2 seasons"),
        ("home,away,FTR\nA,B,H\n", ("--model", "fide:300"), "must be one of normal, logistic"),
        ("white,elo,black,elo,result\nA,1500,B,1500,1\n", ("--home", 30), "--home is for a league"),
        ("white,black,result\nA,B,1\n", (), "the games have no ratings beside them"),
    ],
)
def test_what_has_no_odds(text: str, options: Sequence[object], what: str, tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    file.write_text(text)
    done = invoke("odds", file, *options)
    assert done.exit_code > 0
    assert what in f"{done.output} {done.exception}"
