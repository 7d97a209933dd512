"""An event under a rulebook: the edition, K and its reason, games that count, first ratings."""

from __future__ import annotations

import dataclasses
import math
import re
from datetime import date
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elo_xl.engine import period
from elo_xl.engine.errors import DomainError, OptionError
from elo_xl.engine.rulebooks import RULEBOOKS, rulebook
from elo_xl.events.event import EventError, Game, Player, Problem, Tournament
from elo_xl.events.rate import RatedEvent, RatedPlayer, rate
from elo_xl.events.trf import read_trf
from elo_xl.questions.explain import ExplainedPlayer, explain_player
from tests.support import ROOT
from tests.support.levels import examples

EXAMPLE = read_trf(ROOT / "examples" / "rivertown-open.trf")

linear = [name for name, book in RULEBOOKS.items() if book.linear]
every_rulebook = pytest.mark.parametrize("rules", linear)


def event(
    players: list[Any], games: list[tuple[int, int, float]], start: date | None = None, **more: Any
) -> Tournament:
    """An event; a player is a rating, or a dictionary of what is known about them."""
    known = [player if isinstance(player, dict) else {"rating": player} for player in players]
    return Tournament(
        name="Test Event",
        players=tuple(
            Player(number, **{"name": f"Player {number}", **what})
            for number, what in enumerate(known, start=1)
        ),
        pairings={},
        games=tuple(Game(i, *game) for i, game in enumerate(games, start=1)),
        rounds=len(games),
        start=start,
        **more,
    )


def by_number(rated: RatedEvent) -> dict[int, RatedPlayer]:
    return {p.player.number: p for p in rated.players}


# which rulebook


@pytest.mark.parametrize(("name", "reason", "start", "rules"), [
    ("fide-2025-10", "in force on 2025-10-01, the event's first day", date(2025, 10, 1), None),
    ("fide-2024-03", "in force on 2025-09-30, the event's first day", date(2025, 9, 30), None),
    ("fide-2022-01", "in force on 2024-02-29, the event's first day", date(2024, 2, 29), None),
    ("fide-2009-07", "in force on 2009-07-01, the event's first day", date(2009, 7, 1), None),
    ("fide-2025-10", "the newest edition, as none is known here for 2009-06-30", date(2009, 6, 30),
     None),
    ("fide-2025-10", "the newest edition, as the event has no date", None, None),
    ("fide-2025-10", "as asked for", date(2010, 1, 1), "fide"),
    ("elo", "as asked for", date(2024, 1, 1), "ELO"),
    ("fide-rapid", "as asked for", None, RULEBOOKS["fide-rapid"]),
])  # fmt: skip
def test_rulebook(name, reason, start, rules):
    rated = rate(event([1800, 1900], [(1, 2, 1)], start), rules)
    assert (name, reason) == (rated.rules.name, rated.rules_reason)


def test_the_date_decides_about_the_cap():
    games = [(1, 2, 1.0)]
    before, after = (
        by_number(rate(event([2700, 2200], games, day)))[1].change
        for day in (date(2025, 9, 30), date(2025, 10, 1))
    )
    assert [0.8, 0.4] == [before, after]


# K and why

UNKNOWN = " (assumed)"


@pytest.mark.parametrize(("k", "reason", "player", "options"), [
    (20, f"never reached 2400{UNKNOWN}", {"rating": 1800}, {}),
    (20, f"never reached 2400{UNKNOWN}", {"rating": 1800, "games": 30}, {}),
    (20, f"never reached 2400{UNKNOWN}", {"rating": 1800, "peak": 1800}, {}),
    (20, "never reached 2400", {"rating": 1800, "games": 30, "peak": 1800}, {}),
    (40, "fewer than 30 games", {"rating": 1800, "games": 29}, {}),
    (40, f"18 or younger, never reached 2300{UNKNOWN}",
     {"rating": 1800, "games": 90, "birth_year": 2008}, {}),
    (40, "18 or younger, never reached 2300", {"rating": 1800, "birth_year": 2026, "peak": 1850},
     {}),
    *((20, f"never reached 2400{UNKNOWN}", {"rating": 1800, "games": 90, "birth_year": year}, {})
      for year in (2007, 2027)),
    (20, "never reached 2400", {"rating": 2250, "games": 90, "birth_year": 2015, "peak": 2300}, {}),
    (10, "has reached 2400", {"rating": 2400}, {}),
    (10, "has reached 2400", {"rating": 2300, "peak": 2411}, {}),
    (15, "given for the player", {"rating": 2450, "k": 15}, {}),
    (0, "given for the player", {"rating": 2450, "k": 0}, {}),
    (32, "as given for all players", {"rating": 2450, "k": 15}, {"k": 32}),
    (0, "as given for all players", {"rating": 2450}, {"k": 0}),
    (25, "fewer than 30 games", {"rating": 1800, "games": 3}, {"rules": "fide-2009-07"}),
    (15, f"never reached 2400{UNKNOWN}", {"rating": 1800, "games": 30, "birth_year": 2015},
     {"rules": "fide-2009-07"}),
    (40, f"17 or younger, never reached 2300{UNKNOWN}",
     {"rating": 1800, "games": 90, "birth_year": 2009}, {"rules": "fide-2014-07"}),
])  # fmt: skip
def test_k_and_its_reason(k, reason, player, options):
    rated = by_number(rate(event([player, 1900], [(1, 2, 1)], date(2026, 3, 18)), **options))
    assert (k, reason) == (rated[1].k, rated[1].k_reason)
    assert k * (1 - rated[1].expected) == pytest.approx(rated[1].change, abs=1e-12)


def test_what_a_k_takes_for_granted():
    rated = rate(event([{"rating": 2391, "games": 90, "birth_year": 1980},
                        {"rating": 2349, "games": 90, "birth_year": 1980},
                        {"rating": 2360, "peak": 2360, "birth_year": 1980},
                        {"rating": 2251, "games": 90}, {"rating": 2391, "k": 15}, {"rating": 2391}],
                       [(1, 2, 1), (3, 4, 0.5), (5, 1, 0)], date(2026, 3, 18)))  # fmt: skip
    assert (
        "K 20 for Player 1, 2391: anyone who has reached 2400 has K 10, and the highest rating "
        "is unknown\n"
        "the number of games is unknown of Player 3: as a newcomer they would have K 40\n"
        "the birth year is unknown of Player 4: as a junior they would have K 40"
    ) == "\n".join(rated.assumed)


def test_a_penalty_counts_for_each_player_by_itself():
    both_lost = Game(1, 1, 2, 0.0, 0.0)
    rated = rate(dataclasses.replace(event([2000, 2000], []), games=(both_lost,)), "elo", 20)
    assert [-10.0, -10.0] == [p.change for p in rated.players]
    assert [0.0, 0.0] == [g.score for g in rated.games]


def test_the_time_control_chooses_the_rules():
    field: list[Any] = [2000, 1900]
    games = [(1, 2, 1.0)]
    assert ("fide-rapid", "tempo") == _chosen(
        dataclasses.replace(event(field, games), kind="rapid")
    )
    assert ("fide-2025-10", "no day") == _chosen(
        dataclasses.replace(event(field, games), kind="standard")
    )


def _chosen(tournament: Tournament) -> tuple[str, str]:
    rated = rate(tournament)
    return rated.rules.name, rated.chosen


def test_a_first_day_that_is_not_understood_matters_where_it_decides():
    strange = dataclasses.replace(
        event([2000, 1900], [(1, 2, 1)]), undated=Problem("date of start is not understood", 2)
    )
    with pytest.raises(EventError, match="the rules depend on it"):
        rate(strange)
    assert strange.undated in rate(strange, "fide-2014-07").warnings


def test_without_a_date_nobody_is_young():
    rated = rate(event([{"rating": 1800, "games": 90, "birth_year": 2020}, 1900], [(1, 2, 1)]))
    assert 20 == by_number(rated)[1].k


@pytest.mark.parametrize(
    ("k", "reason", "options"),
    [
        (38, "fewer than 30 games; 40 lowered for 18 games", {}),
        (38, "as given for all players; 40 lowered for 18 games", {"k": 40}),
        (40, "fewer than 30 games", {"rules": "fide-2017-07"}),
        (40, "fewer than 30 games", {"rules": "elo"}),
    ],
)
def test_k_lowered(k, reason, options):
    players = [{"rating": 1800, "games": 0}, *[1900] * 18]
    rated = by_number(rate(event(players, [(1, i, 0.5) for i in range(2, 20)]), **options))
    assert (k, reason) == (rated[1].k, rated[1].k_reason)


@pytest.mark.parametrize("k", [-1.0, math.nan, math.inf])
def test_impossible_k(k):
    message = f"K must be a number not below 0, got {k}"
    with pytest.raises(DomainError, match=f"^{re.escape(message)}$"):
        rate(event([1800, 1900], [(1, 2, 1)]), k=k)


def test_unknown_rulebook():
    with pytest.raises(OptionError, match=r"^rules must be one of fide, .*, got 'fifa'; one of"):
        rate(EXAMPLE, "fifa")


# what counts


def agrees(tournament: Tournament, rules: str) -> RatedEvent:
    """The rated event, compared with one call of the engine for all, and with its own games."""
    rated = rate(tournament, rules)
    players = tournament.players
    index = {p.number: i for i, p in enumerate(players)}
    k = {p.player.number: p.k for p in rated.players}
    ratings = [math.nan if p.rating is None else p.rating for p in players]
    done = period.period(
        ratings,
        [k.get(p.number) or 0 for p in players],
        np.array([index[g.first] for g in tournament.games], dtype=int),
        np.array([index[g.second] for g in tournament.games], dtype=int),
        [g.score for g in tournament.games],
        rules,
    )
    for p in rated.players:
        i = index[p.player.number]
        own = [g for g in rated.games if g.player == p.player.number]
        assert (done.games[i], done.score[i]) == (p.games, p.score)
        assert (done.expected[i], done.change[i], done.new[i]) == (p.expected, p.change, p.new)
        assert (len(own), sum(g.score for g in own)) == (p.games, p.score)
        assert p.expected == pytest.approx(sum(g.expected or 0 for g in own), abs=1e-12)
        assert p.change == pytest.approx(sum(g.change or 0 for g in own), abs=1e-10)
        if p.performance is not None:
            assert p.performance == pytest.approx(done.performance[i], rel=1e-12)
    for g in rated.games:
        assert g.counted is not None
        assert abs(g.counted) <= abs(g.difference)
        assert {g.rating, g.rating - g.difference} <= set(ratings)
    return rated


@every_rulebook
def test_example_agrees_with_the_engine(rules):
    rated = agrees(EXAMPLE, rules)
    assert 14 == len(rated.players)
    assert 2 == len(rated.new_players)
    news = [p.new for p in rated.players]
    assert sorted(news, reverse=True) == news
    order = [p.player.number for p in rated.players]
    places = [(order.index(g.player), g.round) for g in rated.games]
    assert sorted(places) == places


@every_rulebook
@settings(max_examples=examples(40))
@given(data=st.data())
def test_any_event_agrees_with_the_engine(rules, data):
    ratings = data.draw(
        st.lists(st.none() | st.integers(1400, 2750), min_size=2, max_size=6), label="ratings"
    )
    pairs = st.permutations(range(1, len(ratings) + 1)).map(lambda order: order[:2])
    games = data.draw(
        st.lists(st.tuples(pairs, st.sampled_from([0, 0.5, 1])), max_size=15), label="games"
    )
    rated = agrees(event(ratings, [(*pair, score) for pair, score in games]), rules)
    known = [g for g, _ in games if ratings[g[0] - 1] is not None and ratings[g[1] - 1] is not None]
    counted = len(rated.games) // 2
    assert len(games) == counted + rated.unrated_games
    assert counted == len(known) or rules == "fide-rapid"


def test_games_as_both_see_them():
    rated = rate(event([2700, 2200], [(2, 1, 0.5)]), "fide")
    first, second = rated.games
    assert (1, 1, 2, 0.5, 500, 500) == (
        *(first.round, first.player, first.opponent),
        *(first.score, first.difference, first.counted),
    )
    assert (1, 2, 1, 0.5, -500, -400) == (
        *(second.round, second.player, second.opponent),
        *(second.score, second.difference, second.counted),
    )
    assert [0.96, 0.08] == [first.expected, second.expected]
    assert [-4.6, 8.4] == [first.change, second.change]


def test_one_upgrade_of_2022_whichever_colour():
    rated = rate(event([2500, 2000, 2050], [(1, 2, 1), (3, 1, 0)]), "fide-2022-01")
    assert [400, 450] == [g.counted for g in rated.games if g.player == 1]
    assert 10 * (0.08 + 0.06) == pytest.approx(by_number(rated)[1].change)


def test_unrated_players_count_for_nobody():
    rated = rate(event([1800, None, 1900], [(1, 2, 0), (3, 2, 1), (1, 3, 0.5)]), "fide")
    assert 2 == rated.unrated_games
    assert {1: 1, 3: 1} == {p.player.number: p.games for p in rated.players}
    assert 2 == len(rated.games)


def test_rapid_games_that_are_not_rated():
    rated = rate(event([2650, 2000, 2100], [(1, 2, 1), (1, 3, 1)]), "fide-rapid")
    assert 1 == rated.unrated_games
    assert [1, 0, 1] == [by_number(rated)[i].games for i in (1, 2, 3)]
    assert by_number(rated)[2].performance is None


def test_ties_are_in_alphabetical_order():
    players = [{"rating": 1800, "name": name} for name in ("cy", "Bo", "ana", "Ana")]
    assert ["ana", "Ana", "Bo", "cy"] == [p.player.name for p in rate(event(players, [])).players]


# first ratings


FEW = "against rated opponents, {} are needed"
LOW = "1205 is below the lowest published rating, 1400"
NO_ROOT = "every game won or lost: no finite rating gives that score"


@pytest.mark.parametrize(
    ("computed", "published", "reason", "opponents", "score", "rules"),
    [
        (1893, True, "5 games against rated opponents", [2000] * 5, 2, "fide"),
        (1928, True, "5 games against rated opponents", [2000] * 5, 2, "fide-2022-01"),
        (2000, True, "2 games against rated opponents", [2000] * 2, 1, "elo"),
        (1876, False, f"4 games {FEW.format(5)}", [2000] * 4, 1.5, "fide"),
        (1867, False, f"1 game {FEW.format(5)}", [2000], 0.5, "fide"),
        (1928, False, f"5 games {FEW.format(9)}", [2000] * 5, 2, "fide-2009-07"),
        (1581, False, "an event without a point is disregarded", [2000] * 9, 0, "fide"),
        (1205, False, LOW, [1450] * 9, 0.5, "fide"),
        (None, False, "no game against a rated opponent", [], 0, "fide"),
        (None, False, NO_ROOT, [2000] * 2, 2, "elo"),
    ],
)
def test_first_rating(computed, published, reason, opponents, score, rules):
    scores = [1.0] * int(score) + [score % 1] + [0.0] * len(opponents)
    games = [(i + 2, 1, 1 - scores[i]) for i in range(len(opponents))]
    new = rate(event([None, *opponents], games), rules).new_players[0]
    assert (computed, computed if published else None, reason) == (
        *(new.computed, new.rating, new.reason),
    )
    assert (tuple(opponents), score) == (new.opponents, new.score)


def test_steps_of_a_first_rating():
    games = [(1, i, 0.5) for i in range(2, 7)]
    new = rate(event([None, 1900, 1900, 1900, 2000, 2000], games), "fide").new_players[0]
    assert (9700 + 3600) / 7 == new.average
    assert 50 == new.percent
    assert 1900 == new.rating
    alone = rate(event([None, None], [(1, 2, 1)])).new_players
    assert [(None, None, None)] * 2 == [(n.average, n.percent, n.rating) for n in alone]
    assert [1, 2] == [n.player.number for n in alone]


# events with little in them


@every_rulebook
def test_event_without_a_game(rules):
    rated = rate(event([1800, None, 2450], []), rules)
    assert [(2450, 0, 0, 0), (1800, 0, 0, 0)] == [
        (p.new, p.games, p.change, p.expected) for p in rated.players
    ]
    assert [None, None] == [p.performance for p in rated.players]
    assert ([], 0) == (rated.games, rated.unrated_games)
    assert [None] == [n.rating for n in rated.new_players]


def test_event_without_anybody():
    rated = rate(event([], []))
    assert ((), [], (), 0) == (rated.players, rated.games, rated.new_players, rated.unrated_games)


def test_warnings_are_handed_on():
    warnings = (Problem("odd", line=3),)
    rated = rate(event([1800], [], warnings=warnings))
    assert warnings == rated.warnings
    assert rated == dataclasses.replace(rated)


@pytest.mark.parametrize("rules", ["elo", "logistic"])
def test_plain_models_have_no_performance_where_all_was_won(rules):
    rated = rate(event([1800, 1900], [(1, 2, 1)]), rules)
    assert [None, None] == [p.performance for p in rated.players]
    assert not rulebook(rules).rounding.whole
    assert 1800 + by_number(rated)[1].change == by_number(rated)[1].new


# rulebooks that do not take each game by itself


@pytest.mark.parametrize("rules", ["ecf", "naspa"])
def test_games_add_up_to_the_change(rules: str) -> None:
    rated = rate(EXAMPLE, rules)
    for p in rated.players:
        changes = [g.change for g in rated.games if g.player == p.player.number]
        assert p.change == pytest.approx(sum(c for c in changes if c is not None))
        assert None not in changes


def test_a_game_against_few_games_counts_half_in_england() -> None:
    """The opponents had 9, 10 and unknown games before; every reason ends with what it counts."""
    people = [{"rating": 1800.0, "games": games} for games in (100, 9, 10, None)]
    rated = rate(event(people, [(1, 2, 1.0), (1, 3, 1.0), (1, 4, 0.5)]), "ecf")
    assert {1: 15, 2: -10, 3: -10, 4: 0} == {n: p.change for n, p in by_number(rated).items()}
    assert [5, 10, 0] == [g.change for g in rated.games if g.player == 1]
    explained = explain_player(rated, rated.tournament.players[0])
    assert isinstance(explained, ExplainedPlayer)
    assert explained.why.why[0].endswith("scored 1: +5. It counts as 0.5 of a game.")
    assert "It counts as" not in explained.why.why[1] + explained.why.summary


@pytest.mark.parametrize("rules", ["us-chess", "dwz", "egf"])
def test_a_game_has_no_change_of_its_own(rules: str) -> None:
    games = rate(EXAMPLE, rules).games
    assert {(None, None, None)} == {(g.counted, g.expected, g.change) for g in games}


def test_games_against_newcomers_who_get_a_rating() -> None:
    """Player 1 and two newcomers; under dwz only the first has games enough."""
    games = [(i, 7, score) for i, score in zip(range(1, 7), (1, 0, 1, 0, 1, 0), strict=True)]
    field = event([1500, 1600, 1700, 1800, 1900, 2000, None, None], [*games, (1, 8, 1.0)])
    counted = {rules: rate(field, rules) for rules in ("us-chess", "dwz", "ecf")}
    assert {"us-chess": 0, "dwz": 1, "ecf": 7} == {r: e.unrated_games for r, e in counted.items()}
    for rules, rated in counted.items():
        by_game = [sum(g.player == p.player.number for g in rated.games) for p in rated.players]
        assert by_game == [p.games for p in rated.players]
        newcomers = [(len(n.opponents), n.why) for n in rated.new_players]
        assert newcomers == [(6, "good"), (1, "few" if rules == "dwz" else "good")]


def test_k_under_a_rulebook_that_takes_none() -> None:
    field = event([{"rating": 1500, "k": 20}, {"rating": 1600, "k": 32.5}, 1700], [(1, 2, 1)])
    with pytest.raises(EventError) as wrong:
        rate(field, "us-chess")
    assert [
        "us-chess-2025-01 takes no K but its own, got 20 for Player 1",
        "us-chess-2025-01 takes no K but its own, got 32.5 for Player 2",
    ] == [str(problem) for problem in wrong.value.problems]
    with pytest.raises(EventError, match="dwz takes no K but its own, got 15"):
        rate(event([1500, 1600], [(1, 2, 1)]), "dwz", 15)
