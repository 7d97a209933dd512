"""Prizes: published divisions, and properties that linear programs of SciPy confirm."""

import json
import random
import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment, linprog

from elo_xl.engine.errors import OptionError
from elo_xl.events.event import EventError, Player, Tournament
from elo_xl.questions.odds.numbers import Finals
from elo_xl.questions.prizes.event import KNOWN, expected_prizes, purse_of
from elo_xl.questions.prizes.numbers import SHARES, Award, Purse, _alike, awards, shares_of
from elo_xl.templates.gallery import build, make, options, sample
from tests.support import ROOT
from tests.support.command import invoke
from tests.support.levels import examples
from tests.support.once import ready_made_file
from tests.support.trf_lines import player, trf


def purse(lists: Sequence[Sequence[int]], entitled: Sequence[Sequence[int]]) -> Purse:
    return Purse(tuple(map(tuple, lists)), tuple(tuple(map(bool, row)) for row in entitled))


def paid(
    purse: Purse, points: Sequence[float], way: str, places: Sequence[float] = ()
) -> list[int]:
    """What each player gets, in the order of the places."""
    places = places or range(1, len(points) + 1)
    amounts = {award.player: award.amount for award in awards(purse, points, places, way)}
    return [amounts.get(i, 0) for i in range(len(points))]


@pytest.mark.parametrize(("prizes", "points", "expected"), [
    # Vega's manual (2016), page 19
    ([10000, 8000, 6000, 4000], [7, 7, 7, 7], [8500, 7500, 6500, 5500]),
    # German Wikipedia, "Hort-System"
    ([1000, 500, 350, 200, 150, 100], [8, 8, 7.5, 7, 7, 7], [875, 625, 350, 175, 150, 125]),
    # the article as it was earlier, in cents; it rounded 11.67 to 12
    ([10000, 8000, 6000, 4000, 2000, 1000], [8, 8, 7.5, 7, 7, 7],
     [9500, 8500, 6000, 3167, 2167, 1666]),
])  # fmt: skip
def test_hort_as_published(prizes: list[int], points: list[float], expected: list[int]) -> None:
    assert expected == paid(purse([prizes], [[1]] * len(points)), points, "hort")


# directors' answers on the US Chess forums, by thread, and the help of WinTD
A, B, C, PLACE, BOTH = [1, 1, 0], [1, 0, 1], [0, 0, 1], [1, 0], [1, 1]


@pytest.mark.parametrize(("lists", "entitled", "points", "expected"), [
    # 13188, "Prize Example": the place prize is before the equal one of the class
    ([[250, 150, 100], [100]], [PLACE, BOTH, BOTH, PLACE, BOTH], [4, 3.5, 3.5, 3, 2.5],
     [250, 125, 125, 0, 100]),
    # 406, "Class Prizes": the only player of class A has more alone; those of B have not
    ([[120], [70, 30], [70, 30]], [[1, 0, 0], [1, 0, 0], A, B, B], [3, 3, 3, 3, 3],
     [55, 55, 70, 55, 55]),
    # WinTD's help, as quoted by tourneygeek.com, 23 October 2019
    ([[30000, 20000], [15000]], [PLACE, PLACE, PLACE, BOTH], [3] * 4, [16250] * 4),
    # 16785, "Rule 32B3 question", under the wording of 2014: nobody gets more than alone
    ([[2298, 1149, 536, 306], [1379, 766]], [PLACE, PLACE, PLACE, BOTH, BOTH, BOTH],
     [5, 4.5, 4, 4, 4, 4], [2298, 1149, 536, 817, 817, 817]),
    # 24963, page 2: five tie for third and the best below 1800
    ([[300], [200]], [PLACE, PLACE, PLACE, BOTH, BOTH], [3] * 5, [100] * 5),
    ([[240], [200]], [PLACE, PLACE, PLACE, BOTH, BOTH], [3] * 5, [80, 80, 80, 100, 100]),
    ([[300], [200]], [PLACE, PLACE, BOTH, BOTH], [3] * 4, [125] * 4),
    # 19995, page 2, questions 1 and 2
    ([[25, 20, 10], [17]], [PLACE, BOTH, BOTH, PLACE, BOTH], [4, 3.5, 3, 2.5, 2],
     [25, 20, 17, 10, 0]),
    ([[2500, 2000, 1700], [1000]], [PLACE, BOTH, BOTH, PLACE], [4, 3.5, 3, 3],
     [2500, 2000, 1350, 1350]),
    # 3426, "Prize calculation": class prizes above the third place leave it to the next
    ([[300, 200, 100], [125], [125]], [[1, 0, 0], [1, 0, 0], A, B, A, B], [5, 5, 4.5, 4.5, 4, 4],
     [250, 250, 125, 125, 50, 50]),
    # westfieldchessclub.blogspot.com, 16 October 2012: four of ten qualify
    ([[], [7500]], [PLACE] * 6 + [BOTH] * 4, [2] * 10, [0] * 6 + [1875] * 4),
])  # fmt: skip
def test_us_chess_as_directors_answer(
    lists: list[list[int]], entitled: list[list[int]], points: list[float], expected: list[int]
) -> None:
    assert expected == paid(purse(lists, entitled), points, "equal")


def test_tied_after_the_tie_breaks() -> None:
    one = purse([[100, 50]], [[1]] * 3)
    assert [75, 75, 0] == paid(one, [3, 3, 2], "hort", [1, 1, 3])
    assert [100, 25, 25] == paid(one, [3, 3, 3], "tie-break", [1, 2, 2])


def test_what_is_no_purse() -> None:
    with pytest.raises(OptionError, match="larger than the one before"):
        purse([[100, 200]], [[1]])
    with pytest.raises(OptionError, match="more than 0"):
        purse([[100, 0]], [[1]])
    with pytest.raises(OptionError, match="at most 12 categories"):
        purse([[1]] * 14, [[1] * 14])


# -- properties -----------------------------------------------------------------------------------


@st.composite
def events(draw: st.DrawFn) -> tuple[Purse, list[float], list[int]]:
    """Up to 7 players, who are all entitled to place prizes, and up to three categories."""
    count, categories = draw(st.integers(1, 7)), draw(st.integers(0, 3))
    prizes = st.lists(st.integers(1, 60), max_size=4).map(lambda p: sorted(p, reverse=True))
    lists = [draw(prizes) for _ in range(1 + categories)]
    entitled = [
        [1, *draw(st.lists(st.integers(0, 1), min_size=categories, max_size=categories))]
        for _ in range(count)
    ]
    points = sorted(draw(st.lists(st.integers(0, 3), min_size=count, max_size=count)), reverse=True)
    return purse(lists, entitled), [p / 2 for p in points], list(range(1, count + 1))


@pytest.mark.slow
@settings(max_examples=examples(100))
@given(events(), st.sampled_from(sorted(SHARES)))
def test_no_unit_is_lost(event: tuple[Purse, list[float], list[int]], way: str) -> None:
    prizes, points, places = event
    found = awards(prizes, points, places, way)
    exact = sum((award.exact for award in found), Fraction(0))
    # a prize is left only where nobody is left whom it could go to
    assert int(exact) == sum(award.amount for award in found)
    assert exact <= prizes.total
    assert all(abs(award.amount - award.exact) < 1 for award in found)
    if len(prizes.lists) == 1:
        [amounts] = prizes.lists
        assert sum(amounts[: len(points)]) == exact


@pytest.mark.slow
@settings(max_examples=examples(60))
@given(events())
def test_a_tied_group_has_the_most_and_shares_it_most_equally(
    event: tuple[Purse, list[float], list[int]],
) -> None:
    """All have the same points: SciPy finds the pool, and who has how much of it."""
    prizes, points, places = event
    level = [1.0] * len(points)
    found = {a.player: a for a in awards(prizes, level, places, "equal")}
    worth = np.array(
        [
            [
                amount if theirs else 0
                for theirs, own in zip(row, prizes.lists, strict=True)
                for amount in own
            ]
            for row in prizes.entitled
        ]
    ).reshape(len(points), -1)
    chosen = linear_sum_assignment(worth, maximize=True)
    assert worth[chosen].sum() == sum(award.exact for award in found.values())
    pool: dict[int, int] = {}
    for prize in {prize for a in found.values() for part in a.parts for prize in part.prizes}:
        pool[prize.list] = pool.get(prize.list, 0) + prizes.lists[prize.list][prize.number]
    if pool:
        shares = most_equal(prizes, pool)
        own = [float(found[i].exact) if i in found else 0.0 for i in range(len(points))]
        assert own == pytest.approx(shares, abs=1e-6)


def most_equal(prizes: Purse, pool: dict[int, int]) -> list[float]:
    """The shares whose smallest is largest, then the second smallest, and so on, if each list goes
    to those whom it is for, and nobody has more than the best of the first prizes that are theirs.
    """
    players, lists = len(prizes.entitled), sorted(pool)
    flows = [(i, at) for i in range(players) for at in lists if prizes.entitled[i][at]]
    width = len(flows) + 1  # the last variable is the smallest share
    own = np.array([[i == who for who, _ in flows] + [False] for i in range(players)], dtype=float)
    of = np.array([[at == a for _, a in flows] + [False] for at in lists], dtype=float)
    caps = [
        max((own[0] for own, yes in zip(prizes.lists, row, strict=True) if yes and own), default=0)
        for row in prizes.entitled
    ]
    smallest = np.eye(width)[-1]
    fixed: dict[int, float] = {i: 0.0 for i in range(players) if not own[i].any()}

    def solve(goal: np.ndarray, floor: float | None) -> float:
        free = [i for i in range(players) if i not in fixed]
        least = [(-own[i] + (smallest if floor is None else 0), -(floor or 0.0)) for i in free]
        above = [(own[i], caps[i]) for i in free]
        equal = [(own[i], fixed[i]) for i in fixed if own[i].any()]
        equal += [(of[k], pool[at]) for k, at in enumerate(lists)]
        rows = least + above
        done = linprog(
            -goal,
            A_ub=[row for row, _ in rows],
            b_ub=[right + (1e-9 if floor is not None else 0) for _, right in rows],
            A_eq=[row for row, _ in equal],
            b_eq=[right for _, right in equal],
        )
        assert done.fun is not None, done.message
        return -float(done.fun)

    while len(fixed) < players:
        floor = solve(smallest, None)
        free = [i for i in range(players) if i not in fixed]
        # fixed is whoever cannot have more than the floor
        stuck = [i for i in free if solve(own[i], floor) < floor + 1e-6]
        assert stuck
        fixed |= dict.fromkeys(stuck, floor)
    return [fixed[i] for i in range(players)]


@settings(max_examples=examples(60))
@given(events())
def test_hort_is_the_mean_of_the_two_others(event: tuple[Purse, list[float], list[int]]) -> None:
    def exact(found: list[Award]) -> dict[int, Fraction]:
        return {award.player: award.exact for award in found}

    prizes, points, places = event
    even, own, hort = (
        exact(awards(prizes, points, places, way)) for way in ("equal", "tie-break", "hort")
    )
    nothing = Fraction(0)
    for i in range(len(points)):
        assert even.get(i, nothing) + own.get(i, nothing) == 2 * hort.get(i, nothing)


@settings(max_examples=examples(30))
@given(st.lists(events(), min_size=1, max_size=4), st.randoms(), st.sampled_from(sorted(SHARES)))
def test_many_standings_at_once_are_each_by_itself(
    many: list[tuple[Purse, list[float], list[int]]], chance: random.Random, way: str
) -> None:
    prizes, points, places = many[0]
    rows = [(points, places)]
    for _ in many[1:] * 2:
        own = [chance.randint(0, 3) / 2 for _ in points]
        keys = [10 * p + chance.randint(0, 2) for p in own]
        rows.append((own, [1 + sum(other > key for other in keys) for key in keys]))
    expected = np.zeros((len(rows), len(points)))
    for row, (own, ranks) in enumerate(rows):
        for award in awards(prizes, own, ranks, way):
            expected[row, award.player] = award.exact
    found = shares_of(prizes, [own for own, _ in rows], [ranks for _, ranks in rows], way)
    assert np.allclose(expected, found)


def test_standings_of_very_many_players_are_told_apart() -> None:
    """Their columns do not fit into one number."""
    rows = np.random.default_rng(1).integers(0, 2, (40, 100)).repeat(2, axis=0)
    first, same = _alike(rows)
    assert len(first) == 40
    assert (rows[first][same] == rows).all()


def test_the_expected_prize_is_the_mean_over_all_endings() -> None:
    """Two games are open; all nine endings are counted by hand."""
    field = tuple(Player(n, f"P{n}", 1700 + 50 * n) for n in range(1, 5))
    event = Tournament("Final", field, {}, (), 3, start=date(2026, 5, 1))
    games, chances = [(0, 1), (2, 3)], [(0.5, 0.3, 0.2), (0.1, 0.6, 0.3)]
    rows, weights = [], []
    for endings in product(range(3), repeat=2):
        points, weight = [2.0, 1.5, 1.5, 1.0], 1.0
        for (a, b), chance, ending in zip(games, chances, endings, strict=True):
            points[a] += 1 - ending / 2
            points[b] += ending / 2
            weight *= chance[ending]
        rows.append(points)
        weights.append(weight)
    places = [[i for _, i in sorted((-p, i) for i, p in enumerate(own))] for own in rows]
    ranks = [[1 + order.index(i) for i in range(4)] for order in places]
    finals = Finals(np.array(rows), np.array(ranks), np.array(weights))
    lists = (10000, 5000), {"U1851": (3000,)}
    for way in SHARES:
        found, notes = expected_prizes(event, field, finals, *lists, way)
        purse_, _ = purse_of(event, field, *lists)
        exact = [0.0] * 4
        for own, rank, weight in zip(rows, ranks, weights, strict=True):
            for award in awards(purse_, own, rank, way):
                exact[award.player] += weight * float(award.exact) / 100
        assert {f"P{i + 1}": pytest.approx(mean) for i, mean in enumerate(exact)} == {
            one.player.name: one.amount for one in found
        }
        assert sum(one.amount for one in found) == pytest.approx(180)
        assert {one.error for one in found} == {0}
        assert notes == []


def test_of_very_many_drawn_endings_some_of_each_block_suffice() -> None:
    field = tuple(Player(n, f"P{n}", 1800) for n in (1, 2))
    event = Tournament("Final", field, {}, (), 1)
    blocks, length = 40, 1000
    first = np.repeat(np.arange(blocks) % 4 == 0, length)  # wins a quarter of the blocks
    points = np.column_stack((first, ~first)).astype(float)
    finals = Finals(points, (2 - points).astype(int), np.full(len(points), 1 / len(points)), blocks)
    found, _ = expected_prizes(event, field, finals, (100,), {"U1900": (20,)}, unit=Decimal(1))
    wins = np.arange(blocks) % 4 == 0
    error = 80 * wins.std(ddof=1) / np.sqrt(blocks)
    assert ["P2", "P1"] == [one.player.name for one in found]
    assert pytest.approx([80, 40]) == [one.amount for one in found]
    assert pytest.approx([error, error]) == [one.error for one in found]


# -- the command ----------------------------------------------------------------------------------

LINES = [
    player(1, "2 w 1", name="Adams, Ann", sex="", title="WFM", rating=1750, points=3, rank=2),
    player(2, "1 b 0", name="Brown, Bob", birth="2012/05/01", rating=1650, points=3, rank=1),
    player(3, "4 w 1", name="Clark, Cy", birth="1960/05/01", rating=2150, points=3, rank=3),
    player(4, "3 b 0", name="Dunn, Di", sex="w", birth="", rating=0, points=1, rank=4),
]


@pytest.fixture
def event(tmp_path: Path) -> str:
    path = tmp_path / "open.trf"
    path.write_bytes(trf(*LINES))
    return str(path)


def run(*arguments: str, ok: int = 0) -> str:
    result = invoke("prizes", *arguments)
    assert ok == result.exit_code or isinstance(result.exception, EventError), result.output
    return str(result.exception) if isinstance(result.exception, EventError) else result.output


def winners(*arguments: str) -> dict[str, float]:
    told = json.loads(run(*arguments, "--json"))
    assert told["total"] == sum(one["prize"] for one in told["prizes"]) + told["left"]
    return {one["player"].split(",")[0]: one["prize"] for one in told["prizes"]}


def test_the_command(event: str) -> None:
    places = ("--places", "100,80,60")
    assert {"Brown": 80, "Adams": 80, "Clark": 80} == winners(event, *places)
    assert {"Brown": 90, "Adams": 80, "Clark": 70} == winners(event, *places, "--share", "hort")
    shown = run(event, "--places", "100,80.50", "--share", "tie-break")
    assert [["1", "Brown, Bob", "3", "100.00", "1st place"], ["2", "Adams, Ann", "3", "80.50"]] == [
        re.split(r"\s{2,}", line.strip())[: 5 - i] for i, line in enumerate(shown.splitlines()[5:7])
    ]
    assert "Paid: 180.50 of 180.50." in shown


@pytest.mark.parametrize(
    ("category", "expected"),
    [
        ("U14=50", {"Brown"}),  # born in 2012, in 2026
        ("u13=50", set()),
        ("S65=50,20", {"Clark"}),
        ("W=50,20", {"Adams", "Dunn"}),
        ("U1800=50,30,20", {"Brown", "Adams"}),
        ("1700-1799=50", {"Adams"}),
        ("unrated=50", {"Dunn"}),
    ],
)
def test_whom_a_category_is_for(event: str, category: str, expected: set[str]) -> None:
    assert expected == set(winners(event, "--category", category))


def test_left_out_and_left_over(event: str) -> None:
    shown = run(event, "--category", "U14=50,20")
    assert "U14: 1 of 4 players are left out, as their birth years are not known" in shown
    assert "Left, as nobody is there to get it: 20." in shown
    assert "nobody is in" not in shown


@pytest.mark.slow
def test_the_page_shows_what_the_command_prints(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "prizes.md").read_text(encoding="utf-8")
    book = tmp_path / "open.xlsx"
    book.write_bytes(ready_made_file("swiss-sample.xlsx").file)
    words = "--places 300,200,100,50 --category U18=60,40 --category W=60"
    assert f"elo-xl prizes open.trf {words}\n" in page
    shown = run(str(book), *words.split())
    assert "\n".join(map(str.rstrip, shown.splitlines())) in page


def test_a_category_of_nobody(tmp_path: Path) -> None:
    men = ROOT / "examples" / "rivertown-open.trf"
    lines = [
        f"{line[:9]}m{'':4}{line[14:]}" if line.startswith("001") else line
        for line in men.read_text(encoding="utf-8").splitlines()
    ]
    path = tmp_path / "men.trf"
    path.write_text("\n".join(lines), encoding="utf-8")
    shown = run(str(path), "--category", "W=50")
    assert "W: nobody is in this category, as far as the file says" in shown
    assert "Left, as nobody is there to get it: 50." in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "name the prizes"),
        (["--places", "10,x"], "--places: a prize is not a number: 'x'"),
        (["--places", "10,-1"], "--places: a prize must be more than 0: -1"),
        (["--places", "nan"], "--places: a prize must be more than 0: nan"),
        (["--places", "10.005"], "--places: a prize cannot be paid in units of 0.01: 10.005"),
        (["--places", "10.50", "--whole"], "cannot be paid in units of 1: 10.50"),
        (["--category", "U14"], "--category is NAME=AMOUNT,…, one for each category, each name o"),
        (["--category", "U14=50,W=20"], "one for each category, each name once; got 'U14=50,W=20'"),
        (["--category", "W=1", "--category", "W=2"], "each name once; got 'W=2'"),
        (["--places", "5", "--json", "-o", "x.csv"], "--json and -o exclude each other"),
    ],
)
def test_what_is_asked_wrongly(event: str, arguments: list[str], said: str) -> None:
    assert said in run(event, *arguments, ok=2)


def test_what_an_event_does_not_say(tmp_path: Path) -> None:
    games = tmp_path / "games.csv"
    games.write_text("White,Elo,Black,Elo,Result\nAna,1800,Ben,1750,1-0\nAna,1800,Cy,1700,1-0\n")
    assert {"Ana": 10} == winners(str(games), "--places", "10")
    assert {"Ana": 10, "Ben": 2.5, "Cy": 2.5} == winners(str(games), "--places", "10,5")
    file = str(games)
    said = run(file, "--places", "10", "--share", "hort", ok=1)
    assert "the file has no places, which sharing by hort takes" in said
    said = run(file, *(f for c in ("U14", "W", "Locals") for f in ("--category", f"{c}=1")), ok=1)
    assert [
        "no player can be found for the category U14, as the event has no date",
        "no player can be found for the category W, as the file does not say who is a woman",
        f"no player has the category 'Locals' in a book, and it is none of {KNOWN}",
    ] == said.splitlines()


@pytest.mark.slow
def test_a_book_has_its_own_categories_and_places(tmp_path: Path) -> None:
    chosen = options("round-robin", players=4)
    field = [
        {"name": name, "rating": 1800, "category": typed, **more}
        for name, typed, more in [
            ("Ana", "locals; W", {}),
            ("Ben", "", {}),
            ("Cy", "Locals", {}),
            ("Di", "W", {"out": "x"}),
        ]
    ]
    # Di has played one game of three and leaves: Ben's point against her does not count
    cross = {1: {"v2": "1", "v3": "½"}, 2: {"v3": "0", "v4": "1"}}
    book = tmp_path / "club.xlsx"
    book.write_bytes(make("round-robin", chosen, {"Players": field, "Cross": cross}))
    shown = ("--places", "100,50,20", "--category", "LOCALS=60")
    assert {"Ana": 80, "Cy": 80, "Ben": 50} == winners(str(book), *shown)
    assert "without a place, and so without a prize: 1 of 4" in run(str(book), *shown)


@pytest.mark.parametrize("template", ["swiss", "round-robin"])
def test_the_sheet_gives_everybody_the_prize_that_the_command_gives(
    template: str, tmp_path: Path
) -> None:
    chosen = options(template)
    book = build(template, chosen, sample(template, chosen))
    path = tmp_path / "event.xlsx"
    path.write_bytes(book.file())
    names = [name for name in book.tables["Groups"].column("name").texts() if name]
    lists = [word for name in names for word in ("--category", f"{name}=30,20,10")]
    told = winners(str(path), "--places", "300,200,100", *lists, "--share", "tie-break")
    columns = (book.tables["Prizes"].column(key).values() for key in ("who", "category", "prize"))
    worth, people = (30, 20, 10), book.tables["Counted"].column("name").texts()
    shown, category = {}, ""
    for who, first, prize in zip(*columns, strict=True):
        category = first or category
        if who:
            amount = worth[int(prize) - 1] if category in names else 100 * (4 - prize)
            shown[people[int(who) - 1].split(",")[0]] = amount
    assert names
    assert told == shown


def test_what_everybody_may_expect(tmp_path: Path) -> None:
    """Adams and Clark still have to play: they win, draw and lose with 1/4, 1/2 and 1/4."""
    event = tmp_path / "final.trf"
    lines = [
        player(1, "2 w 1", name="Adams, Ann", points=1.0, rank=1),
        player(2, "1 b 0", "3 w 1", name="Brown, Bob", points=1.0, rank=2),
        player(3, "", "2 b 0", name="Clark, Cy", points=0.0, rank=3),
    ]
    event.write_bytes(trf(*lines))
    target = tmp_path / "expected.csv"
    arguments = str(event), "--places", "100,50,20", "--expected", "--rounds", "3"
    assert "Exact odds." in run(*arguments, "-o", str(target))
    share = 170 / 3 / 4  # all have a point if Clark wins
    expected = {"Adams, Ann": 75 + share, "Brown, Bob": 37.5 + share, "Clark, Cy": 15 + share}
    told = json.loads(run(*arguments, "--json"))["expected"]
    assert {one["player"]: one["prize"] for one in told} == pytest.approx(expected)
    assert '"Adams, Ann",1,89.17' in target.read_text("utf-8-sig")
    said = run(str(event), "--places", "100", "--rounds", "3", ok=2)
    assert "--rounds and --runs go with --expected" in said


def test_a_list_to_pin_up(event: str, tmp_path: Path) -> None:
    target = tmp_path / "prizes.csv"
    run(event, "--places", "100,80,60", "--share", "hort", "-o", str(target))
    rows = target.read_text("utf-8-sig").splitlines()
    why = "half of 1st place; half of 1st to 3rd place, shared by 3"
    assert f'1,"Brown, Bob",3,90,"{why}"' in rows
    assert "already exists" in run(event, "--places", "100", "-o", str(target), ok=2)
