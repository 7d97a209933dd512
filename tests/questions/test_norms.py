"""Title norms: the figures of FIDE's Title Regulations of 2024; choices of games by trying all."""

import json
import random
import re
import time
from dataclasses import replace
from itertools import combinations
from math import ceil
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from elo_xl.books.model import Options
from elo_xl.events.event import EventError, Game, Pairing, Player, Tournament
from elo_xl.events.files import read_event
from elo_xl.events.rate import rate
from elo_xl.questions.norms.event import PlayerNorm, all_norms, event_of, norms
from elo_xl.questions.norms.numbers import (
    LEVELS,
    Norm,
    NormEvent,
    NormGame,
    Requirement,
    best_norm,
    chance,
)
from elo_xl.questions.rate.book import write_rated_event
from elo_xl.templates.gallery import build
from elo_xl.templates.round_robin import sample, upper_half
from tests.support import DATA
from tests.support.command import invoke
from tests.support.trf_lines import player, trf

CASES = DATA / "norm_cases.json"
SWISS = NormEvent(9)
MIX = [
    *(("GM", "ESP"), ("GM", "FRA"), ("GM", "GER"), ("IM", "ESP"), ("IM", "ITA")),
    *(("FM", "FRA"), ("FM", "GER"), ("", "ITA"), ("", "POL"), ("GM", "POL"), ("GM", "CZE")),
]


def games(
    scores: list[float], rating: float | list[float | None] = 2450, field: Any = MIX
) -> list[NormGame]:
    """Games against opponents of enough titles and federations."""
    ratings = rating if isinstance(rating, list) else [rating] * len(scores)
    return [
        NormGame(i, str(i), r, title, federation, score)
        for i, (score, r, (title, federation)) in enumerate(
            zip(scores, ratings, field, strict=False), start=1
        )
    ]


def scored(points: float, count: int) -> list[float]:
    """Scores that add up: losses first, so that no game after a norm can be left out."""
    wins, draws = int(points), int(2 * (points % 1))
    return [0.0] * (count - wins - draws) + [0.5] * draws + [1.0] * wins


def failing(norm: Norm) -> list[str]:
    return [r.article for r in norm.missing]


# figures of the annex: least averages of the opponents for a score, least scores


@pytest.mark.parametrize(
    ("title", "count", "points", "average"),
    [
        # from performance - dp of the table
        ("GM", 9, 7, 2380),
        ("GM", 9, 6.5, 2434),
        ("GM", 9, 6, 2475),
        ("GM", 9, 5.5, 2520),
        ("GM", 9, 5, 2557),
        ("GM", 9, 4.5, 2600),
        ("IM", 9, 5, 2407),
        ("IM", 9, 7, 2230),
        ("WGM", 9, 5, 2357),
        ("WIM", 9, 5, 2207),
        ("GM", 10, 5.5, 2564),
        ("GM", 11, 6.5, 2535),
    ],
)
def test_least_average_for_a_score(title: str, count: int, points: float, average: int) -> None:
    event = NormEvent(count)
    enough = best_norm(title, games(scored(points, count), average), "IRL", event)
    short = best_norm(title, games(scored(points, count), average - 1), "IRL", event)

    assert enough.met, enough.missing
    assert average == enough.average
    assert {"1.4.8", "1.4.8a"} & set(failing(short)) or len(short.games) < count


@pytest.mark.parametrize(
    ("title", "count", "points", "total"),
    [("GM", 9, 4.5, 23395.5), ("IM", 7, 7, 15606.5), ("WGM", 8, 6, 17652), ("WIM", 10, 4, 23215)],
)
def test_least_sums_of_ratings(title: str, count: int, points: float, total: float) -> None:
    """The sums that an open evaluator of norms tells for its own cases."""
    event = NormEvent(count, predetermined=True, least=7)
    for whole, enough in ((ceil(total), True), (ceil(total) - 1, False)):
        each, rest = divmod(whole, count)
        ratings: list[float | None] = [float(each + (i < rest)) for i in range(count)]
        one = best_norm(title, games(scored(points, count), ratings), "IRL", event)
        assert enough == (not {"1.4.8", "1.4.8a"} & set(failing(one)))


@pytest.mark.parametrize(("count", "least"), [(9, 3.5), (10, 3.5), (11, 4), (12, 4.5), (13, 5)])
def test_least_scores_are_those_of_the_annex(count: int, least: float) -> None:
    field = [MIX[i % len(MIX)] for i in range(count)]
    for points in (least, least - 0.5):
        one = best_norm("GM", games(scored(points, count), 2800, field), "IRL", NormEvent(count))
        assert (points == least) == ("1.4.8b" not in failing(one)), points


def test_the_lowest_opponent_is_raised_and_an_unrated_one_counts_1400() -> None:
    ratings: list[float | None] = [2000, 2100, *[2450.0] * 7]
    one = best_norm("IM", games([0.0, 0.0, *[1.0] * 7], ratings), "IRL", SWISS)
    assert round((2050 + 2100 + 7 * 2450) / 9) == one.average
    unrated = best_norm(
        "IM", games([0.0, 0.0, *[1.0] * 7], [None, 2100, *[2450.0] * 7]), "IRL", SWISS
    )
    assert one.average == unrated.average  # raised as well
    two = best_norm("IM", games([0.0, 0.0, *[1.0] * 7], [None, None, *[2450.0] * 7]), "IRL", SWISS)
    assert round((2050 + 1400 + 7 * 2450) / 9) == two.average


@pytest.mark.parametrize(
    ("title", "holders", "enough"),
    [
        ("GM", ["GM", "GM", "GM"], True),
        ("GM", ["GM", "GM", "IM"], False),
        ("IM", ["GM", "IM", "IM"], True),
        ("IM", ["WGM", "WGM", "WGM"], False),
        ("WGM", ["WGM", "IM", "GM"], True),
        ("WGM", ["WIM", "IM", "GM"], False),
        ("WIM", ["WIM", "WGM", "IM"], True),
        ("WIM", ["FM", "WGM", "IM"], False),
    ],
)
def test_titles_of_the_opponents(title: str, holders: list[str], enough: bool) -> None:
    titles = [*holders, "FM", "FM", "", "CM", "WCM", ""]
    field = [(t, f) for t, (_, f) in zip(titles, MIX, strict=False)]
    one = best_norm(title, games(scored(7.5, 9), 2500, field), "IRL", SWISS)

    assert enough == one.met
    if not enough:
        assert [LEVELS[title].article] == failing(one)


def test_candidate_masters_are_no_title_holders() -> None:
    titles = ["GM", "GM", "GM", "FM", "CM", "CM", "WCM", "", ""]
    field = [(t, f) for t, (_, f) in zip(titles, MIX, strict=False)]
    one = best_norm("GM", games(scored(7.5, 9), 2500, field), "IRL", SWISS)
    assert ["1.4.5a"] == failing(one)


@pytest.mark.parametrize(
    ("federations", "articles"),
    [
        (["IRL"] * 5 + ["ENG", "ENG", "SCO", "SCO"], []),
        (["IRL"] * 6 + ["ENG", "SCO", "SCO"], ["1.4.4"]),
        (["ENG"] * 6 + ["SCO", "IRL", "IRL"], []),
        (["ENG"] * 7 + ["SCO", "IRL"], ["1.4.4"]),
        (["IRL"] * 5 + ["ENG"] * 4, ["1.4.3"]),
        # FIDE's flag is no federation: nobody's compatriot, no foreigner, never too many
        (["FID"] * 7 + ["ENG", "SCO"], []),
        (["IRL"] * 5 + ["ENG", "FID", "FID", "FID"], ["1.4.3"]),
    ],
)
def test_federations_of_the_opponents(federations: list[str], articles: list[str]) -> None:
    field = [(t, f) for (t, _), f in zip(MIX, federations, strict=False)]
    chosen = games([*scored(6.5, 9)], 2500, field)
    # by draws and losses, so that no win can be left out to mend the mix
    chosen = [replace(g, score=0.75 if g.score == 1 else g.score) for g in chosen]
    chosen[0] = replace(chosen[0], score=6.5 - sum(g.score for g in chosen[1:]))
    one = best_norm("GM", chosen, "IRL", SWISS)

    assert articles == failing(one)
    assert best_norm("GM", chosen, "IRL", NormEvent(9, exempt="1.4.3d")).met


@pytest.mark.slow
@pytest.mark.parametrize("case", json.loads(CASES.read_text())["cases"])
def test_another_evaluator_finds_the_same_norms(case: dict[str, Any]) -> None:
    chosen = [
        NormGame(i, str(i), rating, title, federation, score)
        for i, (rating, title, federation, score) in enumerate(case["games"], start=1)
    ]
    event = NormEvent(len(chosen))
    found = [title for title in LEVELS if best_norm(title, chosen, "ESP", event).met]
    assert case["norms"] == found


# games that may be left out


def test_a_game_after_the_norm_may_be_left_out() -> None:
    chosen = games([1, 1, 1, 1, 1, 1, 0.5, 0.5, 0.5, 0, 0], 2450)
    one = best_norm("GM", chosen, "IRL", NormEvent(11))

    assert one.met
    assert [11] == [g.round for g in one.left_out]
    assert not best_norm("GM", chosen, "IRL", NormEvent(11, predetermined=True)).met


def test_a_win_against_a_weak_opponent_may_be_left_out() -> None:
    ratings: list[float | None] = [1700, 1750, *[2495.0] * 9]
    chosen = games([1, 1, 0, 0, 1, 1, 1, 0.5, 0.5, 1, 1], ratings)
    one = best_norm("GM", chosen, "IRL", NormEvent(11))

    assert one.met
    assert {1, 2} & {g.round for g in one.left_out}
    assert all(g.score == 1 for g in one.left_out)


@pytest.mark.parametrize("seed", range(12))
def test_no_other_choice_is_better(seed: int) -> None:
    """All choices that the articles allow, tried one by one."""
    rng = random.Random(seed)
    field = [rng.choice(MIX) for _ in range(11)]
    chosen = games(
        [rng.choice([1, 1, 1, 0.5, 0]) for _ in range(11)],
        [rng.choice([2200, 2380, 2450, 2520, 2600]) for _ in range(11)],
        field,
    )
    met = []
    for end in (9, 10, 11):
        for size in range(end - 8):
            for out in combinations(range(end), size):
                if any(chosen[i].score != 1 for i in out):
                    continue
                kept = [g for i, g in enumerate(chosen[:end]) if i not in out]
                one = best_norm("IM", kept, "IRL", NormEvent(len(kept), predetermined=True))
                if one.met and len(one.games) == len(kept):
                    met.append((one.worth, len(kept), one.performance))
    found = best_norm("IM", chosen, "IRL", NormEvent(11))

    assert bool(met) == found.met
    if met:
        assert max(met) == (found.worth, len(found.games), found.performance)


def test_eight_games_will_do_beside_a_forfeit_in_nine_rounds() -> None:
    eight = games(scored(6, 8), 2500)
    assert ["1.4.1"] == failing(best_norm("GM", eight, "IRL", SWISS))
    assert 9 == best_norm("GM", eight, "IRL", SWISS, missing="forfeit").worth
    assert not best_norm("GM", eight, "IRL", NormEvent(10), missing="bye").met


def test_a_team_championship_takes_seven_games_and_a_world_cup_eight() -> None:
    """1.4.1b: seven games are a norm of seven games, the eight of a World Cup one of nine."""
    seven = best_norm("GM", games(scored(4.5, 7), 2520), "IRL", NormEvent(9, least=7))
    assert (seven.met, seven.worth) == (True, 7)
    assert ["1.4.1"] == failing(best_norm("GM", games(scored(4.5, 7), 2520), "IRL", SWISS))
    eight = best_norm("GM", games(scored(5, 8), 2540), "IRL", NormEvent(14, least=8))
    assert (eight.met, eight.worth) == (True, 9)


def test_all_rounds_of_an_all_play_all_count() -> None:
    """1.4.1e: nine games of eleven are no norm yet where the pairings are known beforehand."""
    chosen = games(scored(7, 9), 2450)
    under_way = best_norm("GM", chosen, "IRL", NormEvent(11, predetermined=True, left=2))
    assert ["1.4.1e"] == failing(under_way)
    assert best_norm("GM", chosen, "IRL", NormEvent(11, left=2)).met


def test_both_games_against_the_lowest_of_a_double_all_play_all_are_raised() -> None:
    field = [*MIX[:5], *MIX[:5]]
    chosen = [
        replace(g, opponent=str(i % 5), rating=1900 if i % 5 == 4 else 2500)
        for i, g in enumerate(games(scored(7, 10), field=field))
    ]
    one = best_norm("IM", chosen, "IRL", NormEvent(10, predetermined=True, double=True))
    assert (8 * 2500 + 2 * 2050) / 10 == one.average


@pytest.mark.parametrize(
    ("rounds", "titled", "holders", "own", "one"),
    [
        (7, 4, 3, 4, 4),
        (8, 4, 3, 4, 5),
        (9, 5, 3, 5, 6),
        (10, 5, 4, 6, 6),
        (11, 6, 4, 6, 7),
        (12, 6, 4, 7, 8),
        (13, 7, 5, 7, 8),
        (14, 7, 5, 8, 9),
        (15, 8, 5, 9, 10),
        (19, 10, 7, 11, 12),
    ],
)
def test_numbers_of_opponents(rounds: int, titled: int, holders: int, own: int, one: int) -> None:
    """1.4.4 and 1.4.5: least numbers are rounded up, largest ones down."""
    field = [MIX[i % len(MIX)] for i in range(rounds)]
    norm = best_norm("GM", games([0.5] * rounds, 2600, field), "IRL", NormEvent(rounds, least=7))
    needs = {r.key: r.needs for r in norm.requirements}
    assert needs["titled"] == titled
    assert needs["holders"] == holders
    assert needs["own"] == own
    assert needs["one"] == one


@pytest.mark.slow
def test_long_events_are_looked_through_in_little_time() -> None:
    rng = random.Random(3)
    field = [(rng.choice(["GM", "IM", "FM", ""]), f"F{i % 12}") for i in range(60)]
    chosen = games([1.0] * 60, [rng.uniform(2300, 2600) for _ in range(60)], field)
    started = time.perf_counter()
    assert best_norm("GM", chosen[:19], "IRL", NormEvent(19)).met
    assert best_norm("GM", chosen, "IRL", NormEvent(60)).worth == 13
    assert time.perf_counter() - started < 20


@pytest.mark.slow
def test_points_beyond_the_norm_count_as_games() -> None:
    for points, worth in ((7, 9), (8, 10), (9, 11)):
        assert worth == best_norm("GM", games(scored(points, 9), 2380), "IRL", SWISS).worth
    field = [MIX[i % len(MIX)] for i in range(13)]
    assert 13 == best_norm("GM", games(scored(13, 13), 2500, field), "IRL", NormEvent(13)).worth


@pytest.mark.parametrize(
    ("key", "has", "needs", "near"),
    [("performance", 2550, 2600, True), ("performance", 2549, 2600, False),
     ("average", 2379, 2380, True), ("titled", 4, 5, True), ("titled", 3, 5, False)],
)  # fmt: skip
def test_a_norm_is_near_if_little_is_missing(key: str, has: int, needs: int, near: bool) -> None:
    lack = Requirement(key, "1.4", has, needs)
    done = Norm("GM", tuple(games([1] * 9)), (), (lack,), 2450, 2550, 9, 0)
    assert PlayerNorm(open_event().players[0], done).near == near


def test_a_percentage_has_one_decimal() -> None:
    norm = best_norm("GM", games(scored(5, 9)), "ESP", SWISS)
    assert [r.has for r in norm.requirements if r.key == "percent"] == [55.6]


def test_without_games_there_is_no_norm() -> None:
    assert not best_norm("GM", [], "IRL", SWISS).met


# what would suffice


@pytest.mark.slow
@pytest.mark.parametrize("title", list(LEVELS))
def test_what_would_suffice_suffices_and_less_does_not(title: str) -> None:
    rng = random.Random(7)
    seen = 0
    for _ in range(40):
        played = games([rng.choice([1, 1, 0.5, 0]) for _ in range(7)], 2400)
        found = chance(title, played, "IRL", replace(SWISS, left=2))
        for points, average in found.scores:
            later = games([points / 2, points / 2], average, MIX[7:])
            later = [replace(g, round=7 + g.round, opponent=f"n{g.round}") for g in later]
            whole = best_norm(title, [*played, *later], "IRL", NormEvent(9, predetermined=True))
            assert not {"1.4.8", "1.4.8a", "1.4.8b"} & set(failing(whole)), (points, average)
            less = [replace(g, rating=average - 1) for g in later]
            if average - 1 >= LEVELS[title].floor:
                short = best_norm(title, [*played, *less], "IRL", NormEvent(9, predetermined=True))
                assert {"1.4.8", "1.4.8a"} & set(failing(short))
            seen += 1
    assert seen > 10


@pytest.mark.parametrize(
    ("federations", "foreign", "others", "apart"),
    [
        (["IRL"] * 5 + ["ENG", "SCO"], 0, 2, 1),
        (["IRL"] * 4 + ["ENG", "ENG", "ENG"], 1, 1, 0),
        (["ENG"] * 6 + ["SCO"], 0, 0, 2),
        (["ENG"] * 7, 1, 0, 3),
        (["FID"] * 7, 2, 0, 0),
    ],
)
def test_federations_of_the_opponents_to_come(
    federations: list[str], foreign: int, others: int, apart: int
) -> None:
    """Of nine opponents at most five from the own federation, and six from any one."""
    field = [("GM", federation) for federation in federations]
    found = chance("IM", games(scored(5, 7), field=field), "IRL", NormEvent(9, left=2))
    assert (found.foreign, found.others, found.apart) == (foreign, others, apart)
    assert found.possible == (apart < 3)
    exempt = chance(
        "IM", games(scored(5, 7), field=field), "IRL", NormEvent(9, left=2, exempt="1.4.3d")
    )
    assert (exempt.foreign, exempt.others, exempt.apart) == (0, 0, 0)


# of an event


def open_event(rounds: int = 9) -> Tournament:
    """Number 1 plays everybody else; all others' games are left away."""
    people = [Player(1, "Hero, Ana", 2480.0, "IRL", sex="w")]
    people += [
        Player(i, f"Opponent {i}", 2430.0, f, title=t)
        for i, (t, f) in enumerate(MIX[:rounds], start=2)
    ]
    results = [1, 1, 1, 1, 0.5, 1, 0.5, 1, 0.5, 1][:rounds]
    return Tournament(
        "Open",
        tuple(people),
        {1: tuple(Pairing(r, r + 1, "w", "1") for r in range(1, rounds + 1))},
        tuple(Game(r, 1, r + 1, s) for r, s in enumerate(results, start=1)),
        rounds,
    )


def test_norms_of_an_event() -> None:
    event = open_event()
    found = {n.norm.title: n.norm for n in norms(event, event.players[0])}

    assert ["GM", "IM", "WGM", "WIM"] == list(found)
    assert all(n.met for n in found.values())
    man = replace(event.players[0], sex="m")
    assert ["GM", "IM"] == [n.norm.title for n in norms(event, man)]
    master = replace(event.players[0], title="IM")
    assert ["GM"] == [n.norm.title for n in norms(event, master)]


def test_an_all_play_all_is_recognised() -> None:
    people = tuple(Player(i, f"P {i}", 2400.0, "IRL") for i in range(1, 11))
    pairs = tuple(Game(1, a, b, 0.5) for a, b in combinations(range(1, 11), 2))
    event = Tournament("RR", people, {}, pairs, 9)

    assert event_of(event) == NormEvent(9, predetermined=True)
    twice = replace(event, games=pairs + pairs, rounds=18)
    assert event_of(twice) == NormEvent(18, predetermined=True, double=True)
    assert not event_of(replace(event, games=pairs[:20], rounds=9)).predetermined
    assert not event_of(replace(event, games=(), rounds=0, planned=9)).predetermined


def test_a_crowd_of_foreigners_frees_from_the_mix() -> None:
    crowd = [
        Player(i, f"P {i}", 2400.0, ("ENG", "FRA", "GER")[i % 3], title="GM" if i % 2 else "")
        for i in range(1, 21)
    ]
    line = tuple(Pairing(r, 1, "w", "1") for r in range(1, 10))
    pairings = {p.number: line for p in crowd}
    event = Tournament("Open", tuple(crowd), pairings, (), 9, federation="IRL")

    def exempt(**changes: Any) -> str:
        return event_of(replace(event, **changes)).exempt

    assert exempt() == "1.4.3d"
    assert exempt(federation="") == ""
    assert exempt(players=tuple(crowd[:19])) == ""
    missed = (Pairing(1, None, "", "Z"), *line[1:])
    assert exempt(pairings=pairings | {1: missed}) == ""  # 19 of them are there in round 1
    again = (*crowd, Player(21, "P 21", 2400.0, "ENG"))
    for code, article in (("U", "1.4.3d"), ("H", "")):
        twice = (Pairing(1, None, "", code), Pairing(2, None, "", code), *line[2:])
        # byes of the pairings are no absence
        found = exempt(players=(again[0], *again[2:]), pairings=pairings | {21: twice})
        assert found == article, code


def report_of(event: Tournament) -> list[str]:
    """Titles of the norms of number 1."""
    return [n.norm.title for n in norms(event, event.players[0]) if n.norm.met]


def with_last(event: Tournament, code: str, opponent: int | None) -> Tournament:
    """The last round of number 1 without a game."""
    [*line, last] = event.pairings[1]
    cell = Pairing(last.round, opponent, "w" if opponent else "", code)
    played = tuple(g for g in event.games if g.round != last.round)
    return replace(event, pairings={1: (*line, cell)}, games=played)


def test_a_round_that_was_not_played() -> None:
    """1.4.1c: a win by forfeit or a bye of the pairings in nine rounds; 1.4.2c: a last opponent who
    did not come counts as lost to, where the game is needed."""
    event = open_event()
    assert report_of(with_last(event, "U", None)) == ["GM", "IM", "WGM", "WIM"]
    assert report_of(with_last(event, "+", 10)) == ["GM", "IM", "WGM", "WIM"]
    assert report_of(with_last(event, "H", None)) == []
    assert report_of(with_last(event, "-", 10)) == []
    # ten rounds, of which one was missed before: only the game that counts as lost makes nine
    ten = open_event(10)
    ten = replace(
        ten,
        pairings={1: (Pairing(1, None, "", "H"), *ten.pairings[1][1:])},
        games=tuple(g for g in ten.games if g.round > 1),
    )
    assert len(ten.games) == 9
    assert report_of(with_last(ten, "U", None)) == []
    found = norms(with_last(ten, "+", 11), ten.players[0])[1].norm
    assert found.met
    assert [g.forfeit for g in found.games] == [False] * 8 + [True]
    assert found.score == sum(g.score for g in ten.games) - ten.games[-1].score


def test_a_free_day_of_an_all_play_all_is_no_bye() -> None:
    """Nine players play eight games each."""
    people = open_event().players[:9]
    pairs = [Game(1, a, b, 1 if a == 1 else 0.5) for a, b in combinations(range(1, 10), 2)]
    pairs = [replace(g, round=r) for r, g in enumerate(pairs[:8], start=1)] + pairs[8:]
    line = tuple(Pairing(r, r + 1, "w", "1") for r in range(1, 9))
    bye = {1: (*line, Pairing(9, None, "", "U"))}
    event = Tournament("RR", people, bye, tuple(pairs), 9)
    assert event_of(event).predetermined
    assert report_of(event) == []


def test_players_of_no_federation_do_not_count() -> None:
    """1.4.2a."""
    event = open_event()
    for federation in ("NON", ""):
        stranger = replace(event.players[9], federation=federation)
        found = norms(replace(event, players=(*event.players[:9], stranger)), event.players[0])
        assert ["1.4.1"] == failing(found[0].norm)
        assert [(9, "1.4.2a")] == [(u.round, u.why) for u in found[0].uncounted]


@pytest.mark.parametrize(
    ("special", "federation", "met"),
    [
        ("", "IRL", False),
        ("national", "IRL", True),
        ("national", "ESP", False),
        ("national-team", "IRL", True),
        ("zonal", "IRL", True),
        ("zonal", "ESP", True),
        ("world-team", "IRL", False),
    ],
)
def test_events_that_are_exempt(special: str, federation: str, met: bool) -> None:
    """1.4.3a and b are for the players of the federation that holds the event, c is for all; they
    are exempt from 1.4.4, too."""
    event = open_event()
    others = (replace(p, federation=federation) for p in event.players)
    event = replace(event, players=tuple(others), federation="IRL")
    found = norms(event, event.players[0], event_of(event, special=special))[0].norm
    assert found.met == met
    if met:
        assert {r.key for r in found.requirements if not r.kept} == {"foreign", "own", "one"}


def test_norms_of_everybody_are_those_of_the_event_that_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    event = open_event()
    known = event_of(event)
    monkeypatch.delattr("elo_xl.questions.norms.event.event_of")
    assert {"GM", "IM", "WGM", "WIM"} == {one.norm.title for one in all_norms(event, known)}


def test_an_exemption_of_one_federation_needs_to_know_it() -> None:
    with pytest.raises(EventError, match=r"1.4.3a is for the players of one federation"):
        event_of(open_event(), special="national")


def test_opponents_to_come_who_are_known() -> None:
    """An all-play-all of ten: what the last two games take follows from who they are against."""
    event = open_event()
    people, results = event.players[:10], [1, 1, 1, 0.5, 0.5, 0.5, 0.5]
    met = [Game(r, 1, r + 1, s) for r, s in enumerate(results, start=1)]
    others = [Game(1, a, b, 0.5) for a, b in combinations(range(2, 11), 2) if not {a, b} & {9, 10}]
    now = Tournament("RR", people, {}, (*met, *others), 7, planned=9)
    assert (event_of(now).predetermined, event_of(now).left) == (True, 2)
    found = {n.norm.title: n for n in norms(now, people[0])}
    # against 2430 the annex asks for 7 of 9: 6.5 are enough from 2434
    assert found["GM"].chance is not None
    assert found["GM"].chance.scores == ((2.0, 2430),)
    assert not found["GM"].norm.met
    for points, met_then in ((2, True), (1.5, False)):
        last = [Game(r, 1, r + 1, points / 2) for r in (8, 9)]
        done = replace(now, games=(*now.games, *last), rounds=9)
        assert ("GM" in report_of(done)) == met_then
    drawn = replace(now, games=(replace(met[0], score=0.5), *met[1:], *others))
    found = {n.norm.title: n for n in norms(drawn, people[0])}
    assert found["GM"].chance is not None
    assert found["GM"].chance.scores == ()  # 6.5 of 9 after two wins


@pytest.mark.slow
def test_a_round_robin_book_knows_who_is_still_to_be_met(tmp_path: Path) -> None:
    """The rounds of a book follow from its table; number 1 has two games left."""
    options = Options(players=10)
    people = [
        {"name": p.name, "rating": p.rating, "title": p.title, "federation": p.federation}
        for p in open_event().players[:10]
    ]
    results = {(0, i): s for i, s in enumerate(["1", "1", "1", "½", "½", "½", "½"], start=1)}
    results |= dict.fromkeys(combinations(range(1, 10), 2), "½")
    content = {**sample(options), "Players": people, "Cross": upper_half(results)}
    book = tmp_path / "book.xlsx"
    book.write_bytes(build("round-robin", options, content).file())
    event = read_event(book)
    assert event_of(event).predetermined
    found = norms(event, event.players[0])[0]
    assert ["1.4.1e", "1.4.1", "1.4.8"] == failing(found.norm)
    assert found.chance is not None
    assert ((2.0, 2430),) == found.chance.scores


def lines(results: str) -> bytes:
    """A report file in which number 1 meets number 2, 3, … with these results."""
    reply = {"1": "0", "0": "1", "=": "="}
    rows = [
        player(1, name="Hero, Ana", sex="w", rating=2480, federation="IRL", rank=1)
        + "".join(f"  {i:>4} w {code}" for i, code in enumerate(results, start=2))
    ]
    for i, code in enumerate(results):
        title, federation = MIX[i]
        rows.append(
            player(i + 2, name=f"Opponent {i}", title=title, rating=2430, federation=federation,
                   rank=i + 2)
            + "  0000 - Z" * i
            + f"  {1:>4} b {reply[code]}"
            + "  0000 - Z" * (len(results) - i - 1)
        )  # fmt: skip
    return trf(*rows)


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "open.trf"
    path.write_bytes(lines("1111=1=1="))
    return path


def test_the_command_names_who_made_a_norm(report: Path) -> None:
    shown = invoke("norms", report)

    assert 0 == shown.exit_code, shown.output
    assert "Hero, Ana: GM norm of 9 games: 7.5 of 9, average 2430, performance 2703" in shown.stdout
    assert "titles" not in shown.stderr
    report.write_bytes(report.read_bytes().replace(b" GM ", b" NM "))
    shown = invoke("norms", report)
    assert "warning: none of FIDE's titles, so they count as none: NM" in shown.stderr


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["fide", "dwz"])
def test_the_sheet_of_a_rated_event(report: Path, tmp_path: Path, rules: str) -> None:
    """As values, in a book of formulas as in one of values."""
    book = tmp_path / "rated.xlsx"
    for results, titles in (("1111=1=1=", ["GM", "IM", "WGM", "WIM"]), ("1=0=0=0", [])):
        report.write_bytes(lines(results) + b"XXR 9\r\n")
        write_rated_event(rate(read_event(report), rules), book)
        sheets = load_workbook(book, data_only=True)
        rows = [] if "Norms" not in sheets else list(sheets["Norms"].values)
        made = [row for row in rows if row[3] and str(row[3]).startswith("norm of")]
        assert [row[:4:3] for row in made] == [
            ("Hero, Ana", f"norm of {n} games") for n in (9, 11, 12, 13)[: len(titles)]
        ]
        assert [row[1] for row in made] == titles
        if titles:
            performance = ("Hero, Ana", "GM", "1.4.8", "performance", 2703, 2600)
            assert performance in [row[:6] for row in rows]
            last = ("Hero, Ana", "GM", 9, "Opponent 8", "POL", None, 2430, 0.5, "yes")
            assert last in [row[:9] for row in rows]


@pytest.mark.slow
def test_a_certificate_has_every_game(report: Path, tmp_path: Path) -> None:
    targets = [tmp_path / f"norms.{kind}" for kind in ("html", "csv", "json")]
    options = [word for target in targets for word in ("-o", str(target))]
    done = invoke("norms", report, *options, "--lang", "es")
    assert 0 == done.exit_code, done.output
    html, table = targets[0].read_text(), targets[1].read_text("utf-8-sig").splitlines()
    assert "Hero, Ana, GM: norma de 9 partidas" in html
    assert re.search(r"<h1>.+: Normas</h1>\s*<p>[\d/ –]+2026\. Después de la ronda 9 de 9", html)
    assert "este libro" not in html
    assert table[1].startswith("Hero, Ana;GM;norma de 9 partidas")
    assert table[1].endswith(";IRL")
    tables = {one["key"]: one for one in json.loads(targets[2].read_text())["tables"]}
    assert [row["title"] or "" for row in tables["games1"]["rows"]] == [t for t, _ in MIX[:9]]
    assert [row["federation"] for row in tables["games1"]["rows"]] == [f for _, f in MIX[:9]]
    again = invoke("norms", report, *options)
    assert 2 == again.exit_code
    assert "already exists" in again.output


def test_the_command_shows_everything_of_one(report: Path) -> None:
    report.write_bytes(lines("11=0=1="))
    fewer = invoke("norms", report, "--rounds", "5")
    assert "the event has 7 rounds in the file, more than 5" in str(fewer.exception)
    shown = invoke("norms", report, "Hero", "--rounds", "9")
    told = invoke("norms", report, "1", "--rounds", "9", "--json")

    assert 0 == shown.exit_code, shown.output
    assert "NO   games: 7, at least 9 (1.4.1)" in shown.stdout
    assert "Would suffice: In 2 more: 1.5 against 2631, 2 against 2446" in shown.stdout
    data = json.loads(told.stdout)["norms"]
    assert ["GM", "IM", "WGM", "WIM"] == [one["title"] for one in data]
    assert not any(one["norm"] for one in data)
    # 4.5 of 9 is 50 percent: the average must be 2250, rounded; 7 opponents have 2430
    assert {"score": 0.0, "average": 1618} == data[3]["suffices"][0]


def test_the_command_says_what_is_missing(report: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.csv"
    bare.write_text("white,white rating,black,black rating,result\nAna,2400,Bo,2400,1\n")
    said = str(invoke("norms", bare).exception)
    assert "the players' federations, and no player has one; a report file (TRF) has them" in said
    untitled = report.with_name("untitled.trf")
    untitled.write_bytes(trf(*(player(i, federation="IRL", rank=i) for i in (1, 2))))
    assert "the opponents' titles" in str(invoke("norms", untitled).exception)
    blitz = report.with_name("blitz.trf")
    blitz.write_bytes(report.read_bytes() + b"122 3 minutes plus 2 seconds\r\n")
    found = invoke("norms", blitz).exception
    assert isinstance(found, EventError)
    assert "no norms in blitz chess" in str(found)
