"""Places of many runs at once against FIDE's own exercise and the tie-breaks of the tests."""

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from elo_xl.engine.errors import OptionError
from elo_xl.questions.odds import numbers as engine
from elo_xl.questions.odds.numbers import ALL_PLAY_ALL, SWISS, Rounds, places
from tests.questions.test_tie_breaks import OPEN_RATINGS, SAY, event, shown, swiss
from tests.support import published_standings as published
from tests.support import tie_breaks as reference
from tests.support.berger import berger
from tests.support.tie_breaks import OPEN, PLAYED, Round

Table = Sequence[Sequence[Round]]


def as_arrays(tables: Sequence[Table]) -> Rounds:
    """The tests' rounds of several runs as the engine takes them."""
    nobody = len(tables[0])

    def each(of: object) -> np.ndarray:
        return np.array([[[of(r) for r in own] for own in table] for table in tables])  # type: ignore[operator]

    return Rounds(
        each(lambda r: nobody if r.opponent is None else r.opponent),
        each(lambda r: np.sign(r.place)),
        each(lambda r: r.kind),
        each(lambda r: r.points).astype(float),
    )


def test_kinds_are_those_of_the_tests() -> None:
    for kind in ("NOTHING", "PLAYED", "FORFEIT_WON", "FORFEIT_LOST", "BYE", "REQUESTED"):
        assert getattr(reference, kind) == getattr(engine, kind)


EXERCISE = [
    *published.OTHERS.items(),
    ("BH", published.BUCHHOLZ),
    ("SB", published.SONNEBORN),
    ("TPR", published.PERFORMANCES),
]


@pytest.mark.parametrize(("code", "figures"), EXERCISE, ids=[code for code, _ in EXERCISE])
def test_the_published_open(code: str, figures: Sequence[float]) -> None:
    """The order that FIDE's printed figures give; where March 2026 changed three of them, those."""
    newer = {"BH": "buchholz", "SB": "sonneborn"}.get(code)
    printed = dict(enumerate(figures, start=1)) | published.SINCE_2026.get(newer or "", {})
    ranked, _ = reference.ranks(
        published.POINTS, [code], [{code: printed[no]} for no in printed], {}
    )
    points, place = places(as_arrays([published.rounds()]), [code], OPEN_RATINGS)
    assert points.tolist() == [list(published.POINTS)]
    assert place.tolist() == [ranked]


@pytest.mark.parametrize(
    ("crosstable", "order"),
    [(published.CROSSTABLE, published.ENCOUNTER), (published.LONGER, published.ENCOUNTER_LONGER)],
)
def test_the_published_direct_encounters(crosstable: str, order: Sequence[int]) -> None:
    runs = as_arrays([published.rounds(crosstable)] * 2)
    assert places(runs, ["DE"], OPEN_RATINGS)[1].tolist() == [list(order)] * 2


@pytest.mark.parametrize(
    ("before", "scored", "number", "contribution", "for_others"),
    [
        (2, 1.0, 3, 5.0, 5.5),
        (4, 0.0, 7, 6.0, 6.5),
        (1.5, 0.0, 3, 5.5, None),
        (3.5, 1.0, 6, 5.0, None),
    ],
)
def test_virtual_opponents_of_2009(before, scored, number, contribution, for_others) -> None:
    """The two examples of the committee's minutes, with six points at the end, and the two of the
    text that was in force until 2023."""
    scores = np.zeros((1, 1, 9))
    scores[0, 0, : number - 1] = before / (number - 1)
    scores[0, 0, number - 1] = scored
    scores[0, 0, number:] = (6 - before - scored) / (9 - number)
    kinds = np.full((1, 1, 9), engine.PLAYED)
    kinds[0, 0, number - 1] = engine.FORFEIT_WON if scored else engine.FORFEIT_LOST
    # as against themselves, so what they count for opponents stands in their other rounds
    rounds = Rounds(np.zeros((1, 1, 9), int), np.ones((1, 1, 9), int), kinds, scores)
    counts = engine._RunsBlock(rounds, np.zeros(1), False, "2009-10").counts()[0, 0]
    assert counts[number - 1] == pytest.approx(contribution)
    if for_others is not None:
        assert counts[0] == pytest.approx(for_others)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "year", "edition", "said"),
    [
        ("C.07 2024-08", 2026, "2024-08", "C.07 2024-08"),
        ("", 2025, "2024-08", "C.07 2024-08"),
        ("", 2023, "2009-10", "C.07 2009-10"),
        ("", 2008, "2009-10", SAY("form.edition_unknown")),
    ],
)
def test_a_book_follows_the_edition_of_its_day(typed: str, year: int, edition: str, said: str):
    """The formulas against the arrays; those of 2024 are the figures that FIDE printed."""
    chosen = ["BH", "BH-C1", "BH-M1", "SB"]
    book = swiss(
        published.boards(), OPEN_RATINGS, chosen, players=16, rounds=5, year=year, edition=typed
    )
    ranked, columns = shown(book, chosen)
    block = engine._RunsBlock(
        as_arrays([published.rounds()]), np.array(OPEN_RATINGS), False, edition
    )
    assert columns == {code: SWISS[code](block)[0].tolist() for code in chosen}
    assert (
        ranked
        == places(as_arrays([published.rounds()]), chosen, OPEN_RATINGS, edition=edition)[1][
            0
        ].tolist()
    )
    if edition == "2024-08":
        assert columns["BH"] == list(published.BUCHHOLZ)
        assert columns["SB"] == list(published.SONNEBORN)
    sheet = book.tables["Standings"].sheet
    lines = [book.known(sheet, row, 1) for row in range(1, book.tables["Standings"].header)]
    assert any(str(line).endswith(f" · {said}") for line in lines)


def finished(table: Table) -> list[list[Round]]:
    """The event without rounds that have not begun, its open games drawn."""
    begun = [r for r in range(len(table[0])) if any(own[r].kind for own in table)]
    return [
        [replace(own[r], kind=PLAYED, points=0.5) if own[r].kind == OPEN else own[r] for r in begun]
        for own in table
    ]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_random_swisses(seed: int) -> None:
    """Byes, forfeits and players who met twice; any tie-breaks in any order."""
    table = finished(event(seed))
    if not table[0]:
        table = [[Round(PLAYED, 1, 1.0, 1)], [Round(PLAYED, 0, 0.0, -1)]]
    chance = random.Random(seed)
    ratings = [chance.choice((None, *[chance.randint(1400, 2400)] * 5)) for _ in table]
    values = reference.figures(table, ratings)
    chosen = chance.sample(list(values[0]), chance.randint(0, 4))
    chosen.insert(chance.randint(0, len(chosen)), "DE")
    points = [s.points for s in reference.standings(table)]
    ranked, _ = reference.ranks(points, chosen, values, reference.games(table))
    known = [float("nan") if rating is None else rating for rating in ratings]
    assert places(as_arrays([table]), chosen, known)[1].tolist() == [ranked]


def test_a_performance_without_games_is_0_and_so_is_one_below() -> None:
    table = [[Round(PLAYED, 1, 1.0, 1)], [Round(PLAYED, 0, 0.0, -1)], [Round()]]
    assert places(as_arrays([table]), ["TPR"], [500] * 3)[1].tolist() == [[1, 2, 2]]


def all_play_all(scores: dict[tuple[int, int], tuple[int, float, float]], players: int) -> Rounds:
    """Rounds of Berger's tables; kind and both scores by pair."""
    last = players + players % 2 - 1
    table = [[Round() for _ in range(last)] for _ in range(players)]
    for number, white, black in berger(players):
        if white is None or black is None:
            continue
        a, b = white - 1, black - 1
        kind, one, two = scores[a, b] if a < b else scores[b, a]
        kinds = {PLAYED: (PLAYED, PLAYED)}.get(kind, (kind, 5 - kind))
        if a > b:
            kinds, one, two = kinds[::-1], two, one
        table[a][number - 1] = Round(kinds[0], b, one, 1)
        table[b][number - 1] = Round(kinds[1], a, two, -1)
    return as_arrays([table])


def test_the_published_all_play_all() -> None:
    signs = {
        "1": (PLAYED, 1.0, 0.0),
        "½": (PLAYED, 0.5, 0.5),
        "0": (PLAYED, 0.0, 1.0),
        "-": (reference.FORFEIT_LOST, 0.0, 1.0),
    }
    rounds = all_play_all({p: signs[s] for p, s in published.ALL_PLAY_ALL.items()}, 6)
    for code, printed in (
        ("SB", published.ALL_SONNEBORN),
        ("KS", published.ALL_KOYA),
        ("TPR", published.ALL_PERFORMANCES),
    ):
        values = [{code: figure} for figure in printed]
        ranked, _ = reference.ranks(published.ALL_POINTS, [code], values, {})
        points, place = places(rounds, [code], published.RATINGS, all_play_all=True)
        assert points.tolist() == [list(published.ALL_POINTS)]
        assert place.tolist() == [ranked], code
    _, place = places(rounds, ["DE"], published.RATINGS, all_play_all=True)
    assert place.tolist() == [list(published.ALL_ENCOUNTER)]


@pytest.mark.parametrize("seed", range(4))
def test_figures_of_an_all_play_all_by_their_definitions(seed: int) -> None:
    """Wins, games and wins over the board with Black, and the sum of progressive scores."""
    chance, players = random.Random(seed), 7
    scores = {
        (a, b): (kind, one, 1 - one)
        for a in range(players)
        for b in range(a + 1, players)
        for kind, one in [
            chance.choice(
                (
                    *((PLAYED, score) for score in (0.0, 0.5, 1.0)),
                    (reference.FORFEIT_WON, 1.0),
                    (reference.FORFEIT_LOST, 0.0),
                )
            )
        ]
    }
    rounds = all_play_all(scores, players)
    own: list[list[tuple[bool, Fraction]]] = [[] for _ in range(players)]
    progress = [Fraction(0)] * players
    total = [Fraction(0)] * players
    for number in range(1, players + 1):
        for _, white, black in (line for line in berger(players) if line[0] == number):
            if white is None or black is None:
                continue
            a, b = white - 1, black - 1
            one = Fraction(scores[a, b][1] if a < b else 1 - scores[b, a][1])
            over_the_board = scores[min(a, b), max(a, b)][0] == PLAYED
            for who, black, got in ((a, False, one), (b, over_the_board, 1 - one)):
                own[who].append((black, got))
                total[who] += got
        progress = [so_far + now for so_far, now in zip(progress, total, strict=True)]
    values = [
        {
            "WIN": sum(got == 1 for _, got in games),
            "BPG": sum(black for black, _ in games),
            "BWG": sum(black and got == 1 for black, got in games),
            "PS": float(sum_),
        }
        for games, sum_ in zip(own, progress, strict=True)
    ]
    for code in values[0]:
        ranked, _ = reference.ranks([float(p) for p in total], [code], values, {})
        found = places(rounds, [code], [1500] * players, all_play_all=True)[1]
        assert found.tolist() == [ranked], code


def test_a_tie_break_that_is_not_there() -> None:
    rounds = as_arrays([published.rounds()])
    with pytest.raises(OptionError, match="tie-break must be one of DE, WIN, WON"):
        places(rounds, ["KS"], OPEN_RATINGS)
    assert set(ALL_PLAY_ALL) - set(SWISS) == {"KS"}
