"""Tie-breaks of a Swiss system against published standings, a second implementation, by hand."""

import math
import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest

from elo_xl.books.book import Book
from elo_xl.books.texts import texts
from elo_xl.templates import gallery
from elo_xl.templates.blocks.tie_breaks import PLACES, TIE_BREAKS
from elo_xl.templates.round_robin import upper_half
from elo_xl.templates.swiss import board, lines
from tests.support import published_standings as published
from tests.support.berger import berger
from tests.support.levels import cases
from tests.support.tie_breaks import (
    BYE,
    FORFEIT_LOST,
    FORFEIT_WON,
    NOTHING,
    OPEN,
    PLAYED,
    REQUESTED,
    Round,
    encounter,
    figures,
    games,
    ranks,
    rounded,
    standings,
)

HALF = Fraction(1, 2)


def event(seed: int) -> list[list[Round]]:
    """Rounds of an invented event, some of them not played or not finished."""
    chance = random.Random(seed)
    players, rounds = chance.randint(2, 15), chance.randint(1, 9)
    begun = chance.randint(0, rounds)
    table = [[Round() for _ in range(rounds)] for _ in range(players)]
    for r in range(begun):
        free = list(range(players))
        chance.shuffle(free)
        while free:
            own = free.pop()
            if not free or chance.random() < 0.15:
                bye = chance.choice(
                    [Round(BYE, None, 1.0), Round(REQUESTED, None, 0.5), Round(REQUESTED)]
                )
                table[own][r] = bye
                continue
            other = free.pop()
            points = chance.choice((0.0, 0.5, 1.0))
            kinds = chance.choice([(PLAYED, PLAYED)] * 4 + [(FORFEIT_WON, FORFEIT_LOST)])
            one, two = points, 1 - points
            if kinds[0] == FORFEIT_WON:
                one, two = 1.0, 0.0
            if r == begun - 1 and chance.random() < 0.3:
                kinds, one, two = (OPEN, OPEN), 0.0, 0.0
            table[own][r] = Round(kinds[0], other, one, 1)
            table[other][r] = Round(kinds[1], own, two, -1)
    return table


def second_opinion(table: list[list[Round]], who: int) -> tuple[Fraction, ...]:
    """Points, Buchholz, cut 1, Sonneborn–Berger in fractions, straight from the article's text."""

    def points(i: int) -> Fraction:
        return sum((Fraction(r.points) for r in table[i]), Fraction(0))

    def adjusted(i: int) -> Fraction:
        total, tail = Fraction(0), True
        for r in reversed(table[i]):
            total += HALF if r.kind == REQUESTED and tail else Fraction(r.points)
            if r.kind in (PLAYED, FORFEIT_WON, BYE, OPEN):
                tail = False
        return total

    rounds = len([1 for column in zip(*table, strict=True) if any(r.kind for r in column)])
    parts: list[tuple[Fraction, Fraction, bool]] = []
    for r in table[who]:
        if r.kind in (NOTHING, OPEN):
            continue
        worth = points(who)
        if r.kind == PLAYED:
            worth = adjusted(r.opponent or 0)
        elif r.opponent is not None:
            worth = min(worth, adjusted(r.opponent))
        else:
            worth = min(worth, rounds * HALF)
        parts.append((worth, Fraction(r.points), r.kind in (FORFEIT_LOST, REQUESTED)))
    total = sum((p[0] for p in parts), Fraction(0))
    first = sorted(parts, key=lambda p: (not p[2], p[0]))
    cut = total - (first[0][0] if first else 0)
    return points(who), total, cut, sum((a * b for a, b, _ in parts), Fraction(0))


@pytest.mark.parametrize("seed", range(60))
def test_two_implementations_agree(seed: int) -> None:
    table = event(seed)
    for who, found in enumerate(standings(table)):
        mine = (found.points, found.buchholz, found.cut, found.sonneborn)
        assert tuple(map(float, second_opinion(table, who))) == mine


def test_a_small_event_by_hand() -> None:
    """Ana beats Bo, draws with Cy and has a bye; Bo leaves after round 1; Cy wins by forfeit."""
    ana = [Round(PLAYED, 1, 1.0), Round(PLAYED, 2, 0.5), Round(BYE, None, 1.0)]
    bo = [Round(PLAYED, 0, 0.0), Round(REQUESTED), Round(FORFEIT_LOST, 2, 0.0)]
    cy = [Round(REQUESTED, None, 0.5), Round(PLAYED, 0, 0.5), Round(FORFEIT_WON, 1, 1.0)]
    one, two, three = standings([ana, bo, cy])
    # for Bo's opponents the bye in round 2 is a draw: only a forfeit follows it
    assert (one.points, two.points, three.points) == (2.5, 0.0, 2.0)
    assert (one.adjusted, two.adjusted, three.adjusted) == (2.5, 0.5, 2.0)
    # Ana: Bo 0.5, Cy 2, and the bye: a dummy with her 2.5 points, at most 1.5 of three rounds
    assert one.contributions == [0.5, 2.0, 1.5]
    assert (one.buchholz, one.cut, one.sonneborn) == (4.0, 3.5, 0.5 + 1.0 + 1.5)
    # Cy: the bye 1.5 (half of the rounds), Ana 2.5, the forfeit at most Bo's 0.5; the bye is cut
    assert three.contributions == [1.5, 2.5, 0.5]
    assert (three.buchholz, three.cut) == (4.5, 3.0)


def since_2026(name: str, figures: dict[int, float]) -> dict[int, float]:
    return {**figures, **published.SINCE_2026[name]}


def test_published_standings() -> None:
    """FIDE's own exercise; three players' figures are those of the wording in force."""
    found = dict(enumerate(standings(published.rounds()), start=1))
    assert [s.points for s in found.values()] == list(published.POINTS)
    for name, printed in (
        ("buchholz", dict(enumerate(published.BUCHHOLZ, start=1))),
        ("sonneborn", dict(enumerate(published.SONNEBORN, start=1))),
        ("cut", published.CUT),
    ):
        expected = since_2026(name, printed)
        assert {no: getattr(found[no], name) for no in expected} == expected, name


def field(ratings: Sequence[int | None]) -> list[dict[str, Any]]:
    return [
        {"name": f"Player {no}", "rating": rating} for no, rating in enumerate(ratings, start=1)
    ]


SAY = texts("en")
NAMES = {t.code: SAY(f"form.tie_{t.key}") for t in TIE_BREAKS}
OPEN_RATINGS = range(2200, 1400, -50)


def choice(chosen: Sequence[str]) -> dict[str, str]:
    names = [*(NAMES[code] for code in chosen), *[""] * PLACES]
    return {f"Tie_break_{place}": names[place - 1] for place in range(1, PLACES + 1)}


def shown(
    book: Book, chosen: Sequence[str], players: Sequence[int] = ()
) -> tuple[list[float], dict[str, list[float]]]:
    """The ranks of *Standings* and its chosen columns, of some players or of all, in the order of
    their numbers."""
    table = book.tables["Standings"]
    names = list(filter(None, book.tables["Players"].column("name").texts()))
    place = {name: i for i, name in enumerate(table.column("name").texts())}
    order = [place[names[i]] for i in players or range(len(names))]
    headings = [
        str(book.known(table.sheet, table.header, table.at[f"tie{k}"]))
        for k in range(1, PLACES + 1)
    ]
    assert headings == [*chosen, *[""] * PLACES][:PLACES]
    columns = {code: table.column(f"tie{k}").numbers() for k, code in enumerate(chosen, start=1)}
    ranked = table.column("rank").numbers()
    return [ranked[i] for i in order], {c: [v[i] for i in order] for c, v in columns.items()}


def swiss(
    boards: dict[tuple[int, int], dict[str, Any]],
    ratings: Sequence[int | None],
    chosen: Sequence[str],
    *,
    players: int,
    rounds: int,
    year: int = 2026,
    edition: str = "",
) -> Book:
    options = gallery.options("swiss", players=players, rounds=rounds)
    content = {
        "Event": "Exercise",
        "List_year": year,
        "Tie_break_edition": edition or None,
        "Players": field(ratings),
        "Pairings": lines(options, boards),
        **choice(chosen),
    }
    return gallery.build("swiss", options, content)


CHOICES = (
    ("DE",),
    ("BH-C1", "BH", "SB", "DE", "WIN"),
    ("BPG", "DE", "WON", "BH-M1", "BH-M2"),
    ("BH-C2", "ARO", "TPR"),
    ("REP", "BWG", "PS", "DE"),
)


@pytest.mark.slow
@pytest.mark.parametrize("chosen", CHOICES, ids=" ".join)
@pytest.mark.parametrize("crosstable", [published.CROSSTABLE, published.LONGER], ids=["5", "9"])
def test_a_swiss_book_is_the_published_exercise(chosen: Sequence[str], crosstable: str) -> None:
    rounds = published.rounds(crosstable)
    book = swiss(
        published.boards(crosstable), OPEN_RATINGS, chosen, players=16, rounds=len(rounds[0])
    )
    values = figures(rounds, OPEN_RATINGS)
    for own, performance in zip(values, book_performances(book), strict=True):
        own["TPR"] = performance
    points = [s.points for s in standings(rounds)]
    ranked, places = ranks(points, chosen, values, games(rounds))
    found, columns = shown(book, chosen)
    assert columns == {
        code: places if code == "DE" else [own[code] for own in values] for code in chosen
    }
    assert found == ranked


def book_performances(book: Book) -> list[float]:
    return book.tables["Ratings"].column("performance").numbers()[: len(OPEN_RATINGS)]


@pytest.mark.slow
def test_the_exercise_says_so() -> None:
    """The figures that FIDE printed, against those of the tests' own implementation."""
    values = figures(published.rounds(), OPEN_RATINGS)
    for code, expected in published.OTHERS.items():
        assert [own[code] for own in values] == list(expected), code
    for crosstable, order in (
        (published.CROSSTABLE, published.ENCOUNTER),
        (published.LONGER, published.ENCOUNTER_LONGER),
    ):
        rounds = published.rounds(crosstable)
        points = [s.points for s in standings(rounds)]
        assert ranks(points, ["DE"], [{}] * 16, games(rounds))[0] == list(order)
    book = swiss(published.boards(), OPEN_RATINGS, ["TPR"], players=16, rounds=5)
    assert book_performances(book) == list(published.PERFORMANCES)


def typed(table: Sequence[Sequence[Round]]) -> dict[tuple[int, int], dict[str, Any]]:
    """Rounds as an organizer types them."""
    boards: dict[tuple[int, int], dict[str, Any]] = {}
    signs = {1.0: "1", 0.5: "½", 0.0: "0"}
    for r in range(len(table[0])):
        line = 0
        for who, own in enumerate(table):
            one = own[r]
            if one.kind in (BYE, REQUESTED):
                sign = "bye" if one.kind == BYE else f"{signs[one.points]} bye"
                boards[r, line] = board(who + 1, None, sign)
            elif one.place > 0 and one.opponent is not None:
                sign = {PLAYED: signs[one.points], FORFEIT_WON: "+", FORFEIT_LOST: "-"}.get(
                    one.kind, ""
                )
                boards[r, line] = board(who + 1, one.opponent + 1, sign or None)
            else:
                continue
            line += 1
    # chance lets some of them meet again
    return {at: line | {"sure": "x"} for at, line in boards.items()}


def told(table: list[list[Round]]) -> list[list[Round]]:
    """The table without the rounds that standings leave out: no game has a result yet."""
    waiting = [
        OPEN in kinds and not {PLAYED, FORFEIT_WON} & kinds
        for kinds in ({r.kind for r in column} for column in zip(*table, strict=True))
    ]
    return [[Round() if late else r for r, late in zip(row, waiting, strict=True)] for row in table]


@pytest.mark.slow
@pytest.mark.parametrize("seed", cases(range(30), test=range(6)))
def test_random_swisses(seed: int) -> None:
    """Byes, forfeits, open games and players who met twice, any tie-breaks in any order."""
    table = event(seed)
    chance = random.Random(seed)
    ratings = [chance.choice((None, *[chance.randint(1400, 2400)] * 5)) for _ in table]
    known = list(figures(table, ratings)[0])
    chosen = [*chance.sample(known, chance.randint(0, 4))]
    chosen.insert(chance.randint(0, len(chosen)), "DE")
    book = swiss(typed(table), ratings, chosen, players=max(len(table), 4), rounds=len(table[0]))
    table = told(table)
    values = figures(table, ratings)
    points = [s.points for s in standings(table)]
    ranked, places = ranks(points, chosen, values, games(table))
    found, columns = shown(book, chosen)
    assert columns == {
        code: places if code == "DE" else [own[code] for own in values] for code in chosen
    }
    assert found == ranked


@pytest.mark.parametrize("seed", range(40))
def test_direct_encounter_whatever_the_missing_games_give(seed: int) -> None:
    """The first of the tied is first by all outcomes of the games that were not played, and there
    is no other such player."""
    chance = random.Random(seed)
    tied = range(chance.randint(2, 4))
    scored: dict[tuple[int, int], Fraction] = {}
    missing = []
    for pair in combinations(tied, 2):
        if chance.random() < 0.4:
            missing.append(pair)
        else:
            scored[pair] = chance.choice((Fraction(0), HALF, Fraction(1)))
            scored[pair[::-1]] = 1 - scored[pair]
    always = set(tied)
    for outcome in product((Fraction(0), HALF, Fraction(1)), repeat=len(missing)):
        full = dict(scored)
        for pair, points in zip(missing, outcome, strict=True):
            full[pair], full[pair[::-1]] = points, 1 - points
        own = {p: sum(full.get((p, q), Fraction(0)) for q in tied) for p in tied}
        best = [p for p in tied if own[p] == max(own.values())]
        always &= set(best) if len(best) == 1 else set()
    order = encounter(list(tied), scored)
    assert (set(order[0]) if len(order[0]) == 1 and len(order) > 1 else set()) == always


def test_the_order_is_exact() -> None:
    """The key of five tie-breaks has no more digits than a number of a cell has."""
    rooms = sorted((t.rooms[0] for t in TIE_BREAKS if t.swiss), reverse=True)[:PLACES]
    assert 4 * (13 + 1) * math.prod(rooms) < 2**53


def round_robin(
    results: Mapping[tuple[int, int], str],
    ratings: Sequence[int | None],
    chosen: Sequence[str],
    out: int | None = None,
) -> Book:
    options = gallery.options("round-robin", players=len(ratings))
    players = field(ratings)
    if out is not None:
        players[out]["out"] = "x"
    content = {
        "Event": "Exercise",
        "List_year": 2026,
        "Players": players,
        "Cross": upper_half(results),
        **choice(chosen),
    }
    return gallery.build("round-robin", options, content)


@pytest.mark.slow
def test_a_round_robin_book_is_the_published_exercise() -> None:
    book = round_robin(published.ALL_PLAY_ALL, published.RATINGS, ["DE", "SB", "KS"])
    cross, ratings = book.tables["Cross"], book.tables["Ratings"]
    columns = shown(book, ["DE", "SB", "KS"])[1]
    assert cross.column("points").numbers() == list(published.ALL_POINTS)
    assert columns["SB"] == list(published.ALL_SONNEBORN)
    assert columns["KS"] == list(published.ALL_KOYA)
    assert ratings.column("performance").numbers() == list(published.ALL_PERFORMANCES)
    book = round_robin(published.ALL_PLAY_ALL, published.RATINGS, ["DE"])
    assert shown(book, ["DE"])[0] == list(published.ALL_ENCOUNTER)


SIGNS = {"1": (1.0, 0.0), "½": (0.5, 0.5), "0": (0.0, 1.0), "+": (1.0, 0.0), "-": (0.0, 1.0)}


@pytest.mark.slow
@pytest.mark.parametrize("seed", cases(range(24), test=range(6)))
def test_random_round_robins(seed: int) -> None:
    """Forfeits count as games, some are not played yet; the games of a player who withdraws before
    half of them do not count."""
    chance = random.Random(seed)
    size = chance.randint(4, 13)
    ratings = [chance.choice((None, *[chance.randint(1400, 2400)] * 5)) for _ in range(size)]
    results = {
        pair: chance.choice("11½½½00+-")
        for pair in combinations(range(size), 2)
        if seed % 3 or chance.random() < 0.8
    }
    out = chance.randrange(size) if seed % 4 == 0 else None
    for unplayed in [pair for pair in results if out in pair][(size - 2) // 2 :]:
        del results[unplayed]
    there = [i for i in range(size) if i != out]
    scored: dict[tuple[int, int], Fraction] = {}
    for (i, j), sign in results.items():
        if out not in (i, j):
            scored[i, j], scored[j, i] = map(Fraction, SIGNS[sign])
    forfeits = {pair for pair, sign in results.items() if sign in "+-"}
    forfeits |= {(j, i) for i, j in forfeits}
    points = [float(sum(s for (i, _), s in scored.items() if i == who)) for who in range(size)]
    games_by_round = berger(size)
    values: list[dict[str, float]] = []
    for who in range(size):
        own = {j: float(s) for (i, j), s in scored.items() if i == who}
        rounds = {r: (w, b) for r, w, b in games_by_round if who + 1 in (w, b)}
        black = [w - 1 for w, b in rounds.values() if b == who + 1 and w is not None]
        met = [ratings[j] for j in own if (who, j) not in forfeits]
        rated = [Fraction(rating) for rating in met if rating is not None]
        progress, total = 0.0, 0.0
        for r in range(1, max(r for r, _, _ in games_by_round) + 1):
            pair = rounds.get(r, (None, None))
            total += sum(own.get(p - 1, 0.0) for p in pair if p is not None and p != who + 1)
            progress += total
        values.append(
            {
                "WIN": sum(s == 1 for s in own.values()),
                "BPG": sum(j in own and (who, j) not in forfeits for j in black),
                "BWG": sum(own.get(j) == 1 and (who, j) not in forfeits for j in black),
                "PS": progress,
                "SB": sum(s * points[j] for j, s in own.items()),
                "KS": sum(s for j, s in own.items() if 2 * points[j] >= len(there) - 1),
                "ARO": rounded(sum(rated, Fraction(0)) / len(rated)) if rated else 0,
            }
        )
    chosen = chance.sample(list(values[0]), chance.randint(0, 4))
    chosen.insert(chance.randint(0, len(chosen)), "DE")
    ranked, places = ranks(
        [points[i] for i in there],
        chosen,
        [values[i] for i in there],
        {(there.index(i), there.index(j)): s for (i, j), s in scored.items()},
    )
    book = round_robin(results, ratings, chosen, out)
    found, columns = shown(book, chosen, there)
    assert columns == {
        code: places if code == "DE" else [values[i][code] for i in there] for code in chosen
    }
    assert found == ranked
