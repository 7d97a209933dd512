"""Title norms: the figures of FIDE's Title Regulations of 2024; choices of games by trying all."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from elo_xl.cli import cli
from elo_xl.engine.errors import OptionError
from elo_xl.engine.norms import LEVELS, Event, Norm, NormGame, best_norm, chance
from elo_xl.tournament.event import EventError, Game, Pairing, Player, Tournament
from elo_xl.tournament.norms import event_of, norms
from tests.support.trf_lines import player, trf

SWISS = Event(9)
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
    event = Event(count)
    enough = best_norm(title, games(scored(points, count), average), "IRL", event)
    short = best_norm(title, games(scored(points, count), average - 1), "IRL", event)

    assert enough.met, enough.missing
    assert average == enough.average
    assert {"1.4.8", "1.4.8a"} & set(failing(short)) or len(short.games) < count


@pytest.mark.parametrize(("count", "least"), [(9, 3.5), (10, 3.5), (11, 4), (12, 4.5), (13, 5)])
def test_least_scores_are_those_of_the_annex(count: int, least: float) -> None:
    field = [MIX[i % len(MIX)] for i in range(count)]
    for points in (least, least - 0.5):
        one = best_norm("GM", games(scored(points, count), 2800, field), "IRL", Event(count))
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
    assert best_norm("GM", chosen, "IRL", Event(9, mixed=True)).met


# games that may be left out


def test_a_game_after_the_norm_may_be_left_out() -> None:
    chosen = games([1, 1, 1, 1, 1, 1, 0.5, 0.5, 0.5, 0, 0], 2450)
    one = best_norm("GM", chosen, "IRL", Event(11))

    assert one.met
    assert [10, 11] == [g.round for g in one.left_out]
    assert not best_norm("GM", chosen, "IRL", Event(11, predetermined=True)).met


def test_a_win_against_a_weak_opponent_may_be_left_out() -> None:
    ratings: list[float | None] = [1700, 1750, *[2495.0] * 9]
    chosen = games([1, 1, 0, 0, 1, 1, 1, 0.5, 0.5, 1, 1], ratings)
    one = best_norm("GM", chosen, "IRL", Event(11))

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
                one = best_norm("IM", kept, "IRL", Event(len(kept), predetermined=True))
                if one.met and len(one.games) == len(kept):
                    met.append((one.worth, one.performance))
    found = best_norm("IM", chosen, "IRL", Event(11))

    assert bool(met) == found.met
    if met:
        assert max(met) == (found.worth, found.performance)


def test_eight_games_will_do_beside_a_forfeit_in_nine_rounds() -> None:
    eight = games(scored(6, 8), 2500)
    assert ["1.4.1"] == failing(best_norm("GM", eight, "IRL", SWISS))
    assert 9 == best_norm("GM", eight, "IRL", SWISS, missing="forfeit").worth
    assert not best_norm("GM", eight, "IRL", Event(10), missing="bye").met


def test_points_beyond_the_norm_count_as_games() -> None:
    for points, worth in ((7, 9), (8, 10), (9, 11)):
        assert worth == best_norm("GM", games(scored(points, 9), 2380), "IRL", SWISS).worth
    field = [MIX[i % len(MIX)] for i in range(13)]
    assert 13 == best_norm("GM", games(scored(13, 13), 2500, field), "IRL", Event(13)).worth


def test_unknown_titles_are_refused() -> None:
    with pytest.raises(OptionError, match="title must be one of GM, IM, WGM, WIM"):
        best_norm("FM", [], "IRL", SWISS)
    assert not best_norm("GM", [], "IRL", SWISS).met


# what would suffice


@pytest.mark.parametrize("title", list(LEVELS))
def test_what_would_suffice_suffices_and_less_does_not(title: str) -> None:
    rng = random.Random(7)
    seen = 0
    for _ in range(40):
        played = games([rng.choice([1, 1, 0.5, 0]) for _ in range(7)], 2400)
        found = chance(title, played, "IRL", SWISS, 2)
        for points, average in found.scores:
            later = games([points / 2, points / 2], average, MIX[7:])
            later = [replace(g, round=7 + g.round, opponent=f"n{g.round}") for g in later]
            whole = best_norm(title, [*played, *later], "IRL", Event(9, predetermined=True))
            assert not {"1.4.8", "1.4.8a", "1.4.8b"} & set(failing(whole)), (points, average)
            less = [replace(g, rating=average - 1) for g in later]
            if average - 1 >= LEVELS[title].floor:
                short = best_norm(title, [*played, *less], "IRL", Event(9, predetermined=True))
                assert {"1.4.8", "1.4.8a"} & set(failing(short))
            seen += 1
    assert seen > 10


# of an event


def open_event(rounds: int = 9) -> Tournament:
    """Number 1 plays everybody else; all others' games are left away."""
    people = [Player(1, "Hero, Ana", 2480.0, "IRL", sex="w")]
    people += [
        Player(i, f"Opponent {i}", 2430.0, f, title=t)
        for i, (t, f) in enumerate(MIX[:rounds], start=2)
    ]
    results = [1, 1, 1, 1, 0.5, 1, 0.5, 1, 0.5][:rounds]
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

    assert event_of(event) == Event(9, predetermined=True)
    twice = replace(event, games=pairs + pairs, rounds=18)
    assert event_of(twice) == Event(18, predetermined=True, double=True)
    assert not event_of(replace(event, games=pairs[:20], rounds=9)).predetermined


def test_a_crowd_of_foreigners_frees_from_the_mix() -> None:
    crowd = [
        Player(i, f"P {i}", 2400.0, ("ENG", "FRA", "GER")[i % 3], title="GM" if i % 2 else "")
        for i in range(1, 21)
    ]
    pairings = {p.number: (Pairing(1, 1, "w", "1"),) for p in crowd}
    event = Tournament("Open", tuple(crowd), pairings, (), 9, federation="IRL")

    assert event_of(event).mixed
    assert not event_of(replace(event, federation="")).mixed
    assert not event_of(replace(event, players=tuple(crowd[:19]))).mixed
    absent = pairings | {n: (Pairing(1, None, "", "Z"), Pairing(2, None, "", "H")) for n in (1, 2)}
    assert not event_of(replace(event, pairings=absent)).mixed


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
    shown = CliRunner().invoke(cli, ["norms", str(report)])

    assert 0 == shown.exit_code, shown.output
    assert "Hero, Ana: GM norm of 9 games: 7.5 of 9, average 2430, performance 2703" in shown.stdout


def test_the_command_shows_everything_of_one(report: Path) -> None:
    report.write_bytes(lines("11=0=1="))
    shown = CliRunner().invoke(cli, ["norms", str(report), "Hero", "--rounds", "9"])
    told = CliRunner().invoke(cli, ["norms", str(report), "1", "--rounds", "9", "--json"])

    assert 0 == shown.exit_code, shown.output
    assert "NO   games: 7, at least 9 (1.4.1)" in shown.stdout
    assert "Would suffice in 2 more" in shown.stdout
    data = json.loads(told.stdout)
    assert ["GM", "IM", "WGM", "WIM"] == [one["title"] for one in data]
    assert not any(one["norm"] for one in data)
    # 4.5 of 9 is 50 percent: the average must be 2250, rounded; 7 opponents have 2430
    assert {"score": 0.0, "average": 1618} == data[3]["suffices"][0]


def test_the_command_says_what_is_missing(report: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.csv"
    bare.write_text("white,white rating,black,black rating,result\nAna,2400,Bo,2400,1\n")
    run = CliRunner().invoke
    assert "nobody has one" in str(run(cli, ["norms", str(bare)]).exception)
    blitz = report.with_name("blitz.trf")
    blitz.write_bytes(report.read_bytes() + b"122 3 minutes plus 2 seconds\r\n")
    found = run(cli, ["norms", str(blitz)]).exception
    assert isinstance(found, EventError)
    assert "no norms in blitz chess" in str(found)
