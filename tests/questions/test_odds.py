"""The odds of places against counting all results, whole trees of them, and bbpPairings."""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from openpyxl import load_workbook

from elo_xl.books.styles import HEADER
from elo_xl.engine.errors import OptionError
from elo_xl.engine.models import expected
from elo_xl.events.books import read_event_book
from elo_xl.events.event import EventError, Tournament
from elo_xl.events.pairing import MISSING, PairingError
from elo_xl.events.trf import read_trf
from elo_xl.languages import CODES
from elo_xl.questions.odds import runs as module
from elo_xl.questions.odds.command import odds_page
from elo_xl.questions.odds.event import Position, position_of
from elo_xl.questions.odds.numbers import (
    FORFEIT_LOST,
    FORFEIT_WON,
    PLAYED,
    Finals,
    Rounds,
    drawn,
    every_outcome,
    points_together,
)
from elo_xl.questions.odds.runs import Odds, Pairer, odds, played_on
from elo_xl.templates import gallery
from elo_xl.templates.opened import entries
from elo_xl.templates.round_robin import upper_half
from elo_xl.xlsx.in_place import read_parts
from tests.support import DATA
from tests.support import tie_breaks as reference
from tests.support.berger import berger
from tests.support.command import run
from tests.support.levels import cases
from tests.support.trf_lines import PAIR, trf

BBP = sorted((DATA / "pairings").glob("bbp-*.trf"))
"""Events that bbpPairings 6.0.0 has made up and paired: forfeits and byes."""


def report(ratings: Sequence[int], lines: Sequence[Sequence[str]], *more: str) -> Tournament:
    """An event from the words of its players' rounds: ``2w1`` is a win as White against 2."""
    text = ["012 Odds", *more]
    for no, (rating, words) in enumerate(zip(ratings, lines, strict=True), start=1):
        cells = "".join(
            f"{m[1]:>4} {m[2]} {m[3]}  "
            if (m := re.fullmatch(r"(\d+)([wb])(.)", word))
            else f"0000 - {word}  "
            for word in words
        )
        head = f"001 {no:>4}      {f'Player {no}':33} {rating:>4} {'':3} {'':11} {'':10}"
        points = sum({"1": 1.0, "=": 0.5}.get(word[-1:], 0.0) for word in words)
        text.append(f"{head} {points:4.1f} {no:>4}  {cells}")
    return read_trf("\n".join(text).encode())


def counted(
    ratings: Sequence[int],
    results: dict[tuple[int, int], float],
    open_: Sequence[tuple[int, int]],
    *,
    direct: bool,
) -> tuple[list[list[float]], list[float]]:
    """Odds of an all-play-all by going through all results: points, then Sonneborn–Berger or direct
    encounter, then lots. Chances are those of "split" on the normal curve."""
    n = len(ratings)
    chance = [[0.0] * n for _ in range(n)]
    points = [0.0] * n
    for scores in product((1.0, 0.5, 0.0), repeat=len(open_)):
        weight = 1.0
        whole = dict(results)
        for (a, b), score in zip(open_, scores, strict=True):
            e = float(expected(ratings[a] - ratings[b]))
            weight *= {1.0: e * e, 0.5: 2 * e * (1 - e), 0.0: (1 - e) ** 2}[score]
            whole[a, b] = score
        scored = {(a, b): Fraction(s) for (a, b), s in whole.items()}
        scored |= {(b, a): 1 - s for (a, b), s in scored.items()}
        total = [float(sum(s for (a, _), s in scored.items() if a == i)) for i in range(n)]
        figures = [
            {"SB": sum(float(s) * total[b] for (a, b), s in scored.items() if a == i)}
            for i in range(n)
        ]
        ranked, _ = reference.ranks(total, ["DE" if direct else "SB"], figures, scored)
        for i, rank in enumerate(ranked):
            tied = ranked.count(rank)
            points[i] += weight * total[i]
            for place in range(rank, rank + tied):
                chance[i][place - 1] += weight / tied
    return chance, points


RATINGS = (2100, 2080, 1990, 1900, 1850)
RESULTS = {(0, 4): 0.5, (1, 3): 1.0, (2, 4): 1.0, (1, 2): 0.5, (3, 4): 0.0, (0, 1): 0.5}
OPEN = [(0, 2), (0, 3), (1, 4), (2, 3)]


def chances(found: Odds) -> list[list[float]]:
    columns = [found.finals.place(p)[0].tolist() for p in range(1, len(found.players) + 1)]
    return [list(line) for line in zip(*columns, strict=True)]


@cache
def five() -> bytes:
    """A book of five players, six of ten games played."""
    signs = {1.0: "1", 0.5: "½", 0.0: "0"}
    content = {
        "Event": "Five",
        "List_year": 2026,
        "Players": [{"name": f"P{i}", "rating": r} for i, r in enumerate(RATINGS)],
        "Cross": upper_half({pair: signs[score] for pair, score in RESULTS.items()}),
    }
    return gallery.make("round-robin", gallery.options("round-robin", players=6), content)


@pytest.mark.slow
@pytest.mark.parametrize("direct", [False, True], ids=["SB", "DE"])
def test_an_all_play_all_is_counted_out(direct: bool) -> None:
    event = read_event_book(five())
    found = odds(event, tie_breaks=["DE"] if direct else None)
    chance, points = counted(RATINGS, RESULTS, OPEN, direct=direct)
    assert (found.method, found.games, found.tie_breaks) == (
        "listed",
        4,
        ("DE",) if direct else ("SB",),
    )
    assert np.array(chance) == pytest.approx(np.array(chances(found)), abs=1e-12)
    assert points == pytest.approx(found.finals.mean(found.finals.points)[0], abs=1e-12)


@cache
def five_reported() -> Tournament:
    """The same event as a report: rounds that nobody has begun are not in it."""
    words: list[list[str]] = [[] for _ in RATINGS]
    for _, white, black in berger(5):
        if white is None or black is None:
            words[(white or black or 0) - 1].append("Z")
            continue
        a, b = sorted((white - 1, black - 1))
        one = RESULTS.get((a, b))
        for me, them, score in ((a, b, one), (b, a, None if one is None else 1 - one)):
            code = {1.0: "1", 0.5: "=", 0.0: "0", None: " "}[score]
            words[me].append(f"{them + 1}{'w' if me == white - 1 else 'b'}{code}")
    return report(RATINGS, words, "092 Individual: Round-Robin", "212 PTS,SB")


def test_a_report_of_an_all_play_all_is_the_same() -> None:
    found = odds(five_reported())
    chance, _ = counted(RATINGS, RESULTS, OPEN, direct=False)
    assert (found.games, found.tie_breaks, found.notes) == (4, ("SB",), ())
    assert np.array(chance) == pytest.approx(np.array(chances(found)), abs=1e-12)
    # nobody has begun the last two rounds
    event = five_reported()
    fewer = {n: cells[:3] for n, cells in event.pairings.items()}
    known, _ = position_of(replace(event, pairings=fewer, rounds=3), 0, None, "normal", "split", [])
    whole, _ = position_of(event, 0, None, "normal", "split", [])
    assert known.rounds.opponents.tolist() == whole.rounds.opponents.tolist()
    assert known.rounds.white.tolist() == whole.rounds.white.tolist()
    assert len(known.games) > len(whole.games)
    # whoever has withdrawn loses the games to come, and the others play theirs
    gone = replace(event, pairings=fewer, rounds=3, left=(5,))
    kinds = position_of(gone, 0, None, "normal", "split", [])[0].rounds.kinds[0]
    for number, *pair in known.games[known.games[:, 0] >= 3].tolist():
        kind = FORFEIT_WON if 4 in pair else PLAYED
        assert kinds[pair, number].tolist() == [FORFEIT_LOST if p == 4 else kind for p in pair]


def drawn_by_lot(players: int, played: int, seed: int) -> Tournament:
    """An all-play-all whose rounds are those of the tables, in an order of their own."""
    order = np.random.default_rng(seed).permutation(players - 1).tolist()
    words = [[""] * played for _ in range(players)]
    for number, white, black in berger(players):
        assert white
        assert black
        if (at := order.index(number - 1)) < played:
            words[white - 1][at], words[black - 1][at] = f"{black}w1", f"{white}b0"
    ratings = [2000 - 20 * i for i in range(players)]
    return report(ratings, words, "092 Individual: Round-Robin", "212 PTS,SB")


@pytest.mark.parametrize("played", range(1, 9))
def test_rounds_in_any_order(played: int) -> None:
    """Whoever has not met is to meet, in whatever round, with White as the tables say."""
    tables = {(white, black) for _, white, black in berger(10)}
    for seed in range(12):
        known, _ = position_of(drawn_by_lot(10, played, seed), 0, None, "normal", "split", [])
        for own, opponents in enumerate(known.rounds.opponents[0].tolist()):
            assert sorted(set(opponents) - {10}) == [i for i in range(10) if i != own]
        assert len(known.games) == 5 * (9 - played)
        for number, white, black in known.games.tolist():
            assert known.rounds.opponents[0, [white, black], number].tolist() == [black, white]
            assert (white + 1, black + 1) in tables


def test_two_players_have_odds() -> None:
    known, players = position_of(drawn_by_lot(2, 0, 0), 0, None, "normal", "split", [])
    assert (len(players), known.games.tolist()) == (2, [[0, 0, 1]])


@pytest.mark.slow
def test_odds_do_not_depend_on_the_order_of_rounds() -> None:
    """Six players after three rounds, where the other games do not fit into two more."""
    for seed in range(12):
        event = drawn_by_lot(6, 3, seed)
        results = {}
        for game in event.games:
            a, b = sorted((game.first, game.second))
            results[a - 1, b - 1] = game.score if a == game.first else game.other_score
        open_ = [pair for pair in combinations(range(6), 2) if pair not in results]
        found = odds(event)
        if position_of(event, 0, None, "normal", "split", [])[0].rounds.scores.shape[-1] > 5:
            chance, _ = counted([2000 - 20 * i for i in range(6)], results, open_, direct=False)
            assert np.array(chance) == pytest.approx(np.array(chances(found)), abs=1e-12)
            break
    else:
        pytest.fail("all rounds had room")


def test_adding_up_points_is_the_same_as_listing(monkeypatch: pytest.MonkeyPatch) -> None:
    event = five_reported()
    listed = odds(event, tie_breaks=[])
    monkeypatch.setattr("elo_xl.questions.odds.numbers.MOST_OUTCOMES", 10)
    added = odds(event, tie_breaks=[])
    assert (listed.method, added.method) == ("listed", "added")
    assert np.array(chances(listed)) == pytest.approx(np.array(chances(added)), abs=1e-12)
    assert len(added.finals.weights) < len(listed.finals.weights)
    monkeypatch.setattr("elo_xl.questions.odds.numbers.MOST_TOTALS", 10)
    assert odds(event, tie_breaks=[], runs=10).method == "drawn"


def test_an_impossible_result_is_not_listed() -> None:
    found = every_outcome([[0.3, 0.0, 0.7], [0.0, 1.0, 0.0]])
    assert found is not None
    assert found[0].tolist() == [[0, 1], [2, 1]]
    assert every_outcome(np.full((13, 3), 1 / 3)) is None
    assert points_together([0.0] * 60, range(59), range(1, 60), np.full((59, 3), 1 / 3)) is None
    assert set(drawn([[0.3, 0.0, 0.7], [1.0, 0.0, 0.0]], 500, np.random.default_rng(3))[:, 0]) == {
        0,
        2,
    }


@pytest.mark.slow
def test_standard_errors_cover() -> None:
    """Of drawn odds about 95 in 100 are within 1.96 standard errors of the exact ones."""
    event = five_reported()
    known, _ = position_of(event, 0, ["SB"], "normal", "split", [])
    exact = np.array(chances(odds(event, tie_breaks=["SB"])))[:, 0]
    within = []
    for seed in range(120):
        results = drawn(known.of(known.games), 400, np.random.default_rng(seed))
        finals = Finals(*module._endings(known, results), np.full(400, 1 / 400), 400)
        chance, error = finals.place(1)
        within += [abs(chance[i] - exact[i]) < 1.96 * error[i] for i in (0, 1, 2)]
    # 360 intervals, three to a draw: 95 % of them with a standard deviation of at most 2.0 %
    assert 0.89 < np.mean(within) < 0.99


@pytest.mark.slow
def test_whoever_withdraws() -> None:
    """Before half of the games: no place, and no points against them; later: forfeits."""
    signs = {(0, 1): "1", (0, 2): "½", (1, 2): "1"}
    players = [{"name": f"P{i}", "rating": 2000 - 50 * i} for i in range(4)]
    early = [*players[:3], players[3] | {"out": "x"}]
    content = {"List_year": 2026, "Players": early, "Cross": upper_half(signs)}
    options = gallery.options("round-robin", players=4)
    found = odds(read_event_book(gallery.make("round-robin", options, content)))
    assert [p.name for p in found.players] == ["P0", "P1", "P2"]
    assert (found.games, found.points.tolist()) == (0, [1.5, 1.0, 0.5])
    assert "P3" in found.notes[0]
    late = {**content, "Cross": upper_half(signs | {(0, 3): "1", (1, 3): "1"})}
    found = odds(read_event_book(gallery.make("round-robin", options, late)))
    # 2 of 3 games: the third one is lost by forfeit
    assert (found.games, found.points.tolist()) == (0, [2.5, 2.0, 1.5, 0.0])
    assert chances(found)[2] == [0, 0, 1, 0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("template", "rounds", "ties"),
    [
        ("swiss", 7, ()),
        ("swiss", 7, ("DE", "WIN", "BPG")),
        ("round-robin", 1, ("BWG", "DE", "PS", "ARO")),
        ("round-robin", 2, ("DE", "PS", "KS")),
    ],
)
def test_places_are_those_of_the_book(template: str, rounds: int, ties: Sequence[str]) -> None:
    """A whole event: the places that the book's own formulas give."""
    options = gallery.options(template, players=8, rounds=rounds)
    content = gallery.sample(template, options)
    if ties:
        from tests.questions.test_tie_breaks import choice

        content = {**content, **choice(ties)}
    event = read_event_book(gallery.make(template, options, content))
    found = odds(event, rounds=event.rounds)
    assert event.complete is not None
    assert ties == () or found.tie_breaks == ties
    ranks = {p.number: p.rank for p in event.complete(event).players}
    assert [[ranks[p.number] for p in found.players]] == found.finals.places.tolist()


# -- a Swiss --------------------------------------------------------------------------------------


def paired_again(event: Tournament) -> Iterator[tuple[int, set[tuple[int, int]], object]]:
    """For each round of an event what was paired, and what the pairer makes of those before."""
    known, players = position_of(event, event.rounds, [], "normal", "split", [])
    rounds, nobody = known.rounds, len(players)
    for number in range(event.rounds):
        pairer = Pairer(nobody, event.rounds, module._first_has_white(rounds))
        for before in range(number):
            pairer.tell(rounds, before)
        own = rounds.opponents[0, :, number]
        byes = event_codes(event, number)
        away = replace(rounds, kinds=rounds.kinds.copy())
        idle = np.array([own[i] == nobody and byes[i] != "U" for i in range(nobody)])
        away.kinds[0, ~idle, number] = 0
        pairer.tell(away, number)
        printed = {
            (i, int(own[i])) for i in np.flatnonzero(rounds.white[0, :, number] == 1).tolist()
        } | {(i, -1) for i in range(nobody) if byes[i] == "U"}
        made = {(a, -1 if b is None else b) for a, b in pairer.pair(number)}
        yield number + 1, printed, made


def event_codes(event: Tournament, number: int) -> list[str]:
    return [event.pairings[p.number][number].code for p in event.players]


@pytest.mark.slow
@pytest.mark.parametrize("path", BBP, ids=lambda path: path.stem)
def test_rounds_are_paired_as_by_bbppairings(path: Path) -> None:
    for number, printed, made in paired_again(read_trf(path)):
        assert printed == made, f"round {number}"


def test_there_are_events_to_compare_with() -> None:
    assert len(BBP) == 4


def test_whoever_was_absent_is_paired_again() -> None:
    words = [["2w1", "4b1"], ["1b0", "3w1"], ["Z", "2b0"], ["U", "1w0"]]
    event = report((2000, 1950, 1900, 1800), words, SWISS, "XXR 2")
    assert [(1, {(0, 1), (3, -1)}), (2, {(3, 0), (1, 2)})] == [
        (number, made) for number, _, made in paired_again(event)
    ]


SWISS = "092 Individual: Swiss-System"


def four(played: int) -> Tournament:
    """Four players, three rounds, of which some have been paired."""
    words = [
        ["3w1", "2b ", "4w "],
        ["4b=", "1w ", "3b "],
        ["1b0", "4w ", "2w "],
        ["2w=", "3b ", "1b "],
    ]
    return report((2000, 1950, 1900, 1800), [line[:played] for line in words], SWISS, "XXR 3")


def tree(known: Position) -> dict[tuple[int, ...], float]:
    """The chance of each order of places, from all results of all rounds, one by one."""
    found: dict[tuple[int, ...], float] = {}

    def ended(
        rounds: Rounds, games: list[tuple[int, int, int]], weight: float, number: int
    ) -> None:
        chance = [known.chances[a, b] for _, a, b in games]
        for results in product(range(3), repeat=len(games)):
            scores = rounds.scores.copy()
            for (r, a, b), result in zip(games, results, strict=True):
                scores[0, a, r], scores[0, b, r] = 1 - result / 2, result / 2
            own = weight * float(np.prod([c[r] for c, r in zip(chance, results, strict=True)]))
            after(replace(rounds, scores=scores), own, number)

    def after(rounds: Rounds, weight: float, number: int) -> None:
        players, last = rounds.scores.shape[1:]
        if number == last:
            _, [place] = known.places(rounds)
            key = tuple(place.tolist())
            found[key] = found.get(key, 0.0) + weight
            return
        pairer = Pairer(players, last)
        for before in range(number):
            pairer.tell(rounds, before)
        new = Rounds(*(getattr(rounds, name).copy() for name in Rounds.__slots__))
        games = []
        for a, b in pairer.pair(number):
            assert b is not None
            games.append((number, a, b))
            for own, other, colour in ((a, b, 1), (b, a, -1)):
                new.opponents[0, own, number], new.white[0, own, number] = other, colour
                new.kinds[0, own, number] = PLAYED
        ended(new, games, weight, number + 1)

    ended(known.rounds, [tuple(game) for game in known.games.tolist()], 1.0, known.paired)
    return found


@pytest.mark.slow
def test_a_swiss_agrees_with_all_of_its_results() -> None:
    """Every result of every round, each round paired anew, against runs by lot."""
    known, _ = position_of(four(2), 0, ["BH", "SB"], "normal", "split", [])
    assert (known.paired, known.to_pair, len(known.games)) == (2, 1, 2)
    whole = tree(known)
    assert sum(whole.values()) == pytest.approx(1)
    firsts = [
        sum(w / order.count(1) for order, w in whole.items() if order[i] == 1) for i in range(4)
    ]
    runs = [played_on(known, np.random.default_rng([5, n])) for n in range(400)]
    points, place = (np.concatenate(part) for part in zip(*filter(None, runs), strict=True))
    finals = Finals(points, place, np.full(len(points), 1 / len(points)), 400)
    chance, error = finals.place(1)
    assert max(error) < 0.03
    assert np.abs((chance - firsts) / error).max() < 4


def test_the_last_round_of_a_swiss_is_exact() -> None:
    found = odds(four(3), tie_breaks=["BH", "SB"])
    assert (found.method, found.games, found.to_pair) == ("listed", 4, 0)
    assert sum(map(sum, chances(found))) == pytest.approx(4)
    with_lots = odds(four(3), tie_breaks=[])
    # points alone: by hand from the four games' chances
    known, _ = position_of(four(3), 0, [], "normal", "split", [])
    whole = tree(known)
    firsts = [
        sum(w / order.count(1) for order, w in whole.items() if order[i] == 1) for i in range(4)
    ]
    assert [line[0] for line in chances(with_lots)] == pytest.approx(firsts)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_odds() -> None:
    """In several processes, whichever is done first."""
    event = read_trf(BBP[0])
    event = replace(event, planned=event.rounds + 2)
    one, two = (odds(event, runs=4, seed=3) for _ in range(2))
    assert (one.method, one.to_pair, one.failed, one.finals.blocks) == ("paired", 2, 0, 4)
    assert one.finals.places.tolist() == two.finals.places.tolist()
    fewer = odds(event, runs=3, seed=3).finals.places
    assert fewer.tolist() == one.finals.places[: len(fewer)].tolist()


def test_without_gacrux(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gacrux.pairingdutch", None)
    with pytest.raises(PairingError, match=re.escape(MISSING)):
        odds(four(2))
    assert odds(four(3)).method == "listed"


def test_what_has_no_odds() -> None:
    event = four(2)
    unrated = tuple(replace(p, rating=None) for p in event.players)
    with pytest.raises(EventError, match="no player has one"):
        odds(replace(event, players=unrated))
    plain = {
        number: tuple(replace(cell, colour="") for cell in cells)
        for number, cells in event.pairings.items()
    }
    with pytest.raises(EventError, match="who had White"):
        odds(replace(event, pairings=plain))
    with pytest.raises(EventError, match="two players"):
        odds(replace(event, players=event.players[:1]))
    found = odds(replace(four(3), records=(SWISS, "212 PTS,BH/C1,EDE")))
    assert found.tie_breaks == ("BH-C1",)
    assert found.notes == ("tie-breaks that are not known here do not count: EDE",)


@pytest.mark.parametrize(("start", "records", "edition", "note"), [
    (date(2026, 3, 1), (), "2026-03", ""),
    (date(2026, 2, 1), (), "2024-08", "of August 2024, as the event began on 2026-02-01"),
    (date(2026, 2, 1), ("### tie-breaks: FIDE C.07 2026-03",), "2026-03", ""),
    (None, ("### tie-breaks: FIDE C.07 2009-10",), "2009-10", "of October 2009, as the event says"),
    (date(2009, 1, 1), (), "2009-10", "tie-breaks of before 2009-10 are not known here"),
])  # fmt: skip
def test_editions_of_tie_breaks(start, records, edition, note) -> None:
    notes: list[str] = []
    event = replace(four(3), start=start, records=(SWISS, *records))
    known, _ = position_of(event, 0, ["BH"], "normal", "split", notes)
    assert known.edition == edition
    assert len(notes) == bool(note)
    assert note in "".join(notes)


def test_what_is_not_followed_is_told() -> None:
    event = four(3)
    first = replace(event.players[0], points=3.0)
    told = odds(replace(event, players=(first, *event.players[1:])), tie_breaks=[]).notes
    assert told == (
        "Player 1 has 3 points in the file, and 1 by results, which count 1, ½ and 0 here",
    )
    ruled = replace(four(2), records=(SWISS, "XXP 1 2", "XXA    1  1.0"))
    notes: list[str] = []
    known, players = position_of(ruled, 0, [], "normal", "split", notes)
    module._warn(ruled, known, players, notes)
    assert notes == ["not followed: acceleration, pairs who must not meet"]


def test_pairs_who_must_not_meet_and_accelerated_rounds() -> None:
    """As records 260 and 250 say, players 1 and 5, who would meet first, do not, and the first four
    have a point more for the first round."""
    words: list[list[str]] = [[] for _ in range(8)]
    ratings = range(2000, 1920, -10)

    def first_round(*records: str) -> list[tuple[int, int | None]]:
        event = report(ratings, words, SWISS, "XXR 3", *records)
        known, _ = position_of(event, 0, [], "normal", "split", [])
        return Pairer(8, 3, more=known.ruled).pair(0)

    assert [(0, 4), (5, 1), (2, 6), (7, 3)] == first_round()
    assert [(0, 5), (4, 1), (2, 6), (7, 3)] == first_round("260 001 003    1    5")
    accelerated = first_round("250       1.0 001 001 0001 0004")
    assert [(0, 2), (3, 1), (4, 6), (7, 5)] == accelerated


def test_no_pairing_is_left() -> None:
    """Four players cannot play five rounds."""
    known, _ = position_of(four(2), 5, [], "normal", "split", [])
    assert played_on(known, np.random.default_rng(1)) is None


# -- the command ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_too_few_rounds_are_refused(tmp_path: Path) -> None:
    for event, rounds, said in (
        (four(2), 1, "the event has 2 rounds in the file, more than 1"),
        (five_reported(), 3, "the event has 5 rounds in the file, more than 3"),
        (five_reported(), 7, "everybody meets everybody in 5 rounds, or twice in 10: not in 7"),
    ):
        with pytest.raises(EventError, match=said):
            odds(event, rounds=rounds)
    assert odds(replace(four(2), planned=5), rounds=3, runs=2).to_pair == 1


def test_what_is_over_has_a_winner_and_no_odds() -> None:
    ended = report([1800, 1700], [["2w1"], ["1b0"]], "092 Individual: Round-Robin", "212 PTS")
    page = odds_page("Two", odds(ended), 3, date(2026, 5, 1), "es")
    assert ["place", "name", "rating", "points"] == [column.key for column in page.list.columns]
    winner = page.list.rows[0]["name"]
    assert page.notes[0].startswith(f"{winner} ha ganado con ")
    assert page.below == "Se han jugado todas las partidas."


@pytest.mark.parametrize(
    ("scoring", "counted"),
    [
        ("162  W 3.0    D 1.0    L 0.0", "counts them 3, 1, 0, 3"),
        ("162  P 0.5", "counts them 1, 0.5, 0, 0.5"),
        ("162  Q 3.0", "counts them in a way that is not understood"),
        ("299           0.5  000    1", "has other points in a record 299"),
    ],
)
def test_other_points_are_refused(scoring: str, counted: str) -> None:
    """Under 3-1-0 two wins and a loss come before three draws and more."""
    event = read_trf(trf(scoring, "142 2", *PAIR))
    with pytest.raises(EventError, match=f"the event {counted}$"):
        module.odds(event)


def test_json(tmp_path: Path) -> None:
    book = tmp_path / "five.xlsx"
    book.write_bytes(five())
    told = json.loads(run("odds", book, "--json"))
    chance, _ = counted(RATINGS, RESULTS, OPEN, direct=False)
    assert (told["event"], told["exact"], told["tie_breaks"]) == ("Five", True, ["SB"])
    assert [p["odds"] for p in told["players"]] == [pytest.approx(line) for line in chance]
    with pytest.raises(OptionError, match="tie-break must be one of"):
        odds(five_reported(), tie_breaks=["XX"])


def styles(book: Path) -> int:
    return len(read_parts(book.read_bytes())["xl/styles.xml"].split(b"<xf "))


@pytest.mark.slow
def test_equals_before_the_first_round(tmp_path: Path) -> None:
    """All results of fifteen games, added up: everybody has the same chances."""
    book = tmp_path / "equals.xlsx"
    players = [{"name": f"P{i}", "rating": 1900} for i in range(6)]
    options = gallery.options("round-robin", players=6)
    book.write_bytes(gallery.make("round-robin", options, {"List_year": 2026, "Players": players}))
    told = json.loads(run("odds", book, "--tie-breaks", "none", "--json"))
    assert (told["method"], told["exact"]) == ("added", True)
    for player in told["players"]:
        assert player["odds"] == pytest.approx([1 / 6] * 6, abs=1e-9)
        assert player["expected"] == pytest.approx(2.5)


@pytest.mark.slow
@pytest.mark.parametrize("language", cases(CODES, test=("en", "ru")))
def test_into_a_book(language: str, tmp_path: Path) -> None:
    """The sheet, its date, and all that was typed; a second time it is replaced."""
    book = tmp_path / "book.xlsx"
    options = gallery.options("round-robin", players=6, language=language)
    template, own, content = entries(five())
    book.write_bytes(gallery.make(template, options, content))
    before, looks = entries(book.read_bytes())[2], styles(book)
    for top, columns in ((3, 8), (2, 7))[: 1 + (language == "en")]:
        said = run("odds", book, "--into-book", "--top", top)
        sheet = load_workbook(book)[re.search(r"sheet (\w+)", said)[1]]  # type: ignore[index]
        assert sheet["B2"].value.date() == date.today()
        rows = list(sheet.iter_rows(min_row=7, values_only=True))
        assert len(rows) == 6
        assert len([cell for cell in rows[0] if cell is not None]) == columns
        chance, _ = counted(RATINGS, RESULTS, OPEN, direct=False)
        assert rows[1][4] == pytest.approx(100 * max(line[0] for line in chance), abs=0.051)
    assert entries(book.read_bytes())[2] == before
    # title, date and its label, sentences, two headings, names, numbers with 0, 1 and 2 decimals
    assert styles(book) - looks <= 10
    made = load_workbook(book)[sheet.title]
    heading = made["A7"]
    assert (heading.style, heading.fill.fgColor.rgb[2:]) == ("Elo heading", HEADER)
    assert made.page_setup.fitToWidth
    assert made.print_title_rows == "$6:$7"
    assert len(load_workbook(book).sheetnames) == len(set(load_workbook(book).sheetnames))
    assert own.players == options.players


@pytest.mark.slow
def test_a_sheet_of_somebody_else_stays(tmp_path: Path) -> None:
    book = tmp_path / "book.xlsx"
    book.write_bytes(five())
    made = load_workbook(book)
    made.create_sheet("Odds")["A1"] = "my bets"
    made.save(book)
    assert "another sheet that is called 'Odds'" in run("odds", book, "--into-book", code=1)
    assert "books that elo-xl new has made" in run("odds", BBP[0], "--into-book", code=2)


@pytest.mark.slow
def test_lists_to_pin_up(tmp_path: Path) -> None:
    book, csv = tmp_path / "five.xlsx", tmp_path / "odds.csv"
    book.write_bytes(five())
    run("odds", book, "-o", csv)
    assert len(csv.read_text("utf-8-sig").splitlines()) >= 6
    assert "already exists" in run("odds", book, "-o", csv, code=2)
