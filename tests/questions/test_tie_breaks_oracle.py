"""Every tie-break that we know as Gacrux, the program of FIDE's own commission, works it out.

What differs is listed: whoever has met somebody without a rating has an average of the others
here, as C.07 leaves it to the rules of an event what such an opponent counts, and Gacrux has a
number for them, or no average for anybody.
"""

import random
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from gacrux.tiebreak import tiebreak
from gacrux.trf2json import trf2json

from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.tie_breaks import EDITIONS, NEWEST
from elo_xl.events.books import read_event_book
from elo_xl.events.pairing import report_of
from elo_xl.events.trf import read_trf
from elo_xl.events.trf_writing import TRF26, written
from elo_xl.questions.odds.numbers import (
    ALL_PLAY_ALL,
    DIRECT,
    FORFEIT_LOST,
    FORFEIT_WON,
    SWISS,
    Rounds,
    _RunsBlock,
    places,
)
from elo_xl.questions.odds.runs import Pairer
from elo_xl.questions.prizes.event import final_standings
from elo_xl.templates import gallery
from elo_xl.templates.blocks.tie_breaks import THREE
from elo_xl.templates.round_robin import upper_half
from elo_xl.templates.swiss import lines
from tests.questions.test_tie_breaks import OPEN_RATINGS, choice, event, field, shown
from tests.questions.test_tie_breaks_in_runs import all_play_all, as_arrays, finished
from tests.support import published_standings as published
from tests.support.levels import cases
from tests.support.tie_breaks import PLAYED

UNRATED = 1400
"""what an unrated opponent counts in Gacrux here"""
BY_RATINGS = {"ARO", "TPR", "APRO"}
"""the codes that leave unrated opponents out, where C.07 wants a rule of the event"""
SEEDS = cases(range(100), test=range(20))


def swiss(seed: int) -> Rounds:
    """Byes of all kinds, forfeits, whoever leaves, and pairs who meet again."""
    table = finished(event(seed))
    while not table or not table[0]:
        seed += 1000
        table = finished(event(seed))
    return as_arrays([table])


def circle(seed: int) -> Rounds:
    chance = random.Random(seed)
    players = chance.randint(3, 11)
    kinds = [(PLAYED, score) for score in (0.0, 0.5, 1.0)] * 2
    kinds += [(FORFEIT_WON, 1.0), (FORFEIT_LOST, 0.0)]
    scores = {pair: chance.choice(kinds) for pair in combinations(range(players), 2)}
    return all_play_all(
        {pair: (kind, one, 1 - one) for pair, (kind, one) in scores.items()}, players
    )


def twice(seed: int) -> Rounds:
    """Everybody meets everybody twice, in the second cycle with the other colour."""
    first, second = circle(seed), circle(seed + 1000)
    while second.scores.shape != first.scores.shape:
        seed += 1
        second = circle(seed + 1000)
    return Rounds(
        *(
            np.concatenate((getattr(first, name), sign * getattr(second, name)), axis=-1)
            for name, sign in (("opponents", 1), ("white", -1), ("kinds", 1), ("scores", 1))
        )
    )


def worked_out(
    rounds: Rounds,
    ratings: FloatArray,
    codes: Sequence[str],
    all_play_all: bool,
    edition: str = NEWEST,
    scoring: str = "",
) -> tuple[list[list[float]], list[int]]:
    """What Gacrux makes of an event: a row of figures for each code, and ranks by all of them. It
    takes the edition by the first day, what results count from the record ``scoring``."""
    _, players, last = rounds.scores.shape
    told = Pairer(players, last)
    for number in range(last):
        told.tell(rounds, number)
    head, *lines = told.report.splitlines()
    shown = iter("" if np.isnan(rating) else f"{rating:.0f}" for rating in ratings)
    lines = [
        line[:48] + f"{next(shown):>4}" + line[52:] if line.startswith("001") else line
        for line in lines
    ]
    file = trf2json()
    day = f"042 {EDITIONS[edition].since:%Y/%m/%d}"
    file.parse_file("\n".join((day, *filter(None, [scoring]), head, *lines)), 0)
    tournament = file.get_tournament(1)
    how = {"pre_determined": all_play_all, "swiss": not all_play_all, "unrated": UNRATED}
    made = tiebreak(tournament, -1, how)
    made.find_tmversion(tournament)
    for place, code in enumerate(("PTS", *codes), start=1):
        made.compute_single_tiebreak(made.parse_tiebreak(place, code.replace("-", "/")))
    people = [made.cmps[number] for number in range(1, players + 1)]
    figures = [
        [float(p["tiebreakScore"][n] or 0) for p in people] for n in range(1, len(codes) + 1)
    ]
    return figures, [p["rank"] for p in people]


FORMS = [
    (swiss, SWISS, NEWEST),
    (swiss, SWISS, "2024-08"),
    (circle, ALL_PLAY_ALL, NEWEST),
    (twice, ALL_PLAY_ALL, NEWEST),
]


def rated(seed: int, players: int, *, all_rated: bool) -> FloatArray:
    chance = random.Random(seed)
    ratings = np.array([float(chance.randint(1400, 2400)) for _ in range(players)])
    if not all_rated:
        ratings[chance.sample(range(players), max(players // 5, 1))] = np.nan
    return ratings


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("made", "known", "edition"), FORMS, ids=["swiss", "swiss of 2024", "all-play-all", "double"]
)
def test_every_figure(made, known, edition, seed):
    rounds = made(seed)
    players = rounds.scores.shape[1]
    apart = known is ALL_PLAY_ALL
    for all_rated in (True, False):
        ratings = rated(seed, players, all_rated=all_rated)
        block = _RunsBlock(rounds, ratings, apart, edition)
        figures, _ = worked_out(rounds, ratings, list(known), apart, edition)
        strangers = (np.isnan(block.ratings) & block.played).any(axis=-1)
        theirs_too = strangers | (block.met(strangers).astype(bool) & block.played).any(axis=-1)
        alike = {"APRO": ~theirs_too[0]}
        for (code, figure), theirs in zip(known.items(), figures, strict=True):
            own = figure(block)[0]
            assert len(own) == len(theirs)
            every = np.ones(players, dtype=bool)
            same = alike.get(code, ~strangers[0]) if code in BY_RATINGS else every
            assert np.array(theirs)[same] == pytest.approx(own[same], abs=1e-9), code


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("made", "known", "edition"), FORMS, ids=["swiss", "swiss of 2024", "all-play-all", "double"]
)
def test_ranks_by_several_of_them(made, known, edition, seed):
    """Direct encounter at any place among them; an average of no Buchholz scores, which is 0 here,
    comes after 0 in Gacrux."""
    rounds = made(seed)
    ratings = rated(seed, rounds.scores.shape[1], all_rated=True)
    chance = random.Random(seed)
    codes = chance.sample([code for code in known if code != "AOB"], chance.randint(0, 3))
    codes.insert(chance.randint(0, len(codes)), DIRECT)
    apart = known is ALL_PLAY_ALL
    _, ranks = worked_out(rounds, ratings, codes, apart, edition)
    own = places(rounds, codes, ratings, all_play_all=apart, edition=edition)[1]
    assert [ranks] == own.tolist(), codes


SCORINGS = [
    (THREE, "lost", "162  W 3.0    D 1.0    L 0.0    A 0.0    P 0.0"),
    (THREE, "", "162  W 3.0    D 1.0    L 0.0    A 0.0    P 3.0"),
    ("", "draw", "162  W 1.0    D 0.5    L 0.0    A 0.0    P 0.5"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("points", "bye", "scoring"), SCORINGS)
def test_books_count_other_points(points, bye, scoring):
    """A Swiss in which a win counts 3 points, or a bye of the pairing as a draw or a loss; its
    report says so, and has the points and places of the book."""
    options = gallery.options("swiss", players=16, rounds=5)
    codes = ["DE", "WIN", "BH-C1", "SB", "PS"]
    content = {
        "Event": "Exercise",
        "List_year": 2026,
        "Players": field(OPEN_RATINGS),
        "Pairings": lines(options, published.boards()),
        "Game_points": points or None,
        "Bye_counts": bye or None,
        **choice(codes),
    }
    book = gallery.build("swiss", options, content)
    event = read_event_book(gallery.make("swiss", options, content))
    ratings = np.array(OPEN_RATINGS, dtype=float)
    figures, places = worked_out(
        as_arrays([published.rounds()]), ratings, codes, False, scoring=scoring
    )
    ranked, columns = shown(book, codes)
    assert ranked == places
    for code, figure in zip(codes[1:], figures[1:], strict=True):
        assert columns[code] == figure, code
    assert scoring in event.records
    report = read_trf(written(event, TRF26).content)
    # points that do not fit the results would be a warning
    assert [str(warning) for warning in report.warnings] == ["the file gives no date of start"]
    assert [player.rank for player in report.players] == ranked
    awarded = {s.player.number: s.points for s in final_standings(event, "hort")[0]}
    assert awarded == {player.number: player.points for player in report.players}
    assert scoring in report_of(event, 5, 6)[0]


@pytest.mark.slow
@pytest.mark.parametrize("players", [5, 6])
def test_a_round_robin_counts_other_points(players):
    """Sonneborn–Berger, Koya and wins where a win counts 3 points, and who can come where."""
    chance = random.Random(players)
    scores = {pair: chance.choice("11½0+-") for pair in combinations(range(players), 2)}
    signs = {"1": PLAYED, "½": PLAYED, "0": PLAYED, "+": FORFEIT_WON, "-": FORFEIT_LOST}
    halves = {"1": 1.0, "½": 0.5, "0": 0.0, "+": 1.0, "-": 0.0}
    rounds = all_play_all(
        {pair: (signs[s], halves[s], 1 - halves[s]) for pair, s in scores.items()}, players
    )
    codes = ["SB", "KS", "DE", "WIN"]
    ratings = np.array(OPEN_RATINGS[:players], dtype=float)
    scoring = "162  W 3.0    D 1.0    L 0.0    A 0.0    P 3.0"
    figures, places = worked_out(rounds, ratings, codes, True, scoring=scoring)
    content = {
        "Event": "All",
        "List_year": 2026,
        "Players": field(ratings.astype(int).tolist()),
        "Cross": upper_half(scores),
        "Game_points": THREE,
        **choice(codes),
    }
    book = gallery.build("round-robin", gallery.options("round-robin", players=players), content)
    ranked, columns = shown(book, codes)
    assert ranked == places
    for code, figure in zip(codes, figures, strict=True):
        assert code == "DE" or columns[code] == figure, code
