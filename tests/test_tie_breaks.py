"""Tie-breaks of a Swiss system against published standings, a second implementation, by hand."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from elo_xl.templates import gallery
from elo_xl.templates.round_robin import upper_half
from elo_xl.templates.swiss import lines
from tests.support import published_standings
from tests.support.calc import Calc
from tests.support.tie_breaks import (
    BYE,
    FORFEIT_LOST,
    FORFEIT_WON,
    NOTHING,
    OPEN,
    PLAYED,
    REQUESTED,
    Round,
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
            table[own][r] = Round(kinds[0], other, one)
            table[other][r] = Round(kinds[1], own, two)
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
    return {**figures, **published_standings.SINCE_2026[name]}


def test_published_standings() -> None:
    """FIDE's own exercise; three players' figures are those of the wording in force."""
    found = dict(enumerate(standings(published_standings.rounds()), start=1))
    assert [s.points for s in found.values()] == list(published_standings.POINTS)
    for name, figures in (
        ("buchholz", dict(enumerate(published_standings.BUCHHOLZ, start=1))),
        ("sonneborn", dict(enumerate(published_standings.SONNEBORN, start=1))),
        ("cut", published_standings.CUT),
    ):
        expected = since_2026(name, figures)
        assert {no: getattr(found[no], name) for no in expected} == expected, name


def shown(path: Path, calc: Calc, sheet: str, titles: Sequence[str]) -> dict[str, list[Any]]:
    """Columns of a sheet that LibreOffice computed, by name."""
    rows = list(calc.workbook(path)[sheet].values)
    header = next(i for i, row in enumerate(rows) if titles[-1] in row)
    at = {title: i for i, title in enumerate(rows[header]) if title}
    return {
        str(row[at["Name"]]): [row[at[t]] for t in titles]
        for row in rows[header + 1 :]
        if row[at["Name"]]
    }


def field(ratings: Sequence[int]) -> list[dict[str, Any]]:
    return [
        {"name": f"Player {no}", "rating": rating} for no, rating in enumerate(ratings, start=1)
    ]


def test_a_swiss_book_shows_the_published_standings(calc: Calc, tmp_path: Path) -> None:
    players = field(range(2200, 1400, -50))
    options = gallery.options("swiss", players=16, rounds=5)
    content = {
        "Event": "Exercise",
        "List_year": 2026,
        "Players": players,
        "Pairings": lines(options, published_standings.boards()),
    }
    path = tmp_path / "exercise.xlsx"
    path.write_bytes(gallery.make("swiss", options, content))
    found = shown(path, calc, "Standings", ("Points", "Buchholz cut 1", "Buchholz", "S–B"))
    order = [
        (s.points, s.cut, s.buchholz, s.sonneborn, -no)
        for no, s in enumerate(standings(published_standings.rounds()), start=1)
    ]
    names = [player["name"] for player in players]
    assert list(found) == [names[-int(o[-1]) - 1] for o in sorted(order, reverse=True)]
    assert found == {name: list(o[:-1]) for name, o in zip(names, order, strict=True)}
    performances = shown(path, calc, "Ratings", ("Performance",))
    assert [performances[name] for name in names] == [
        [rating] for rating in published_standings.PERFORMANCES
    ]


def test_a_round_robin_book_shows_the_published_standings(calc: Calc, tmp_path: Path) -> None:
    players = field(published_standings.RATINGS)
    options = gallery.options("round-robin", players=6)
    content = {
        "Event": "Exercise",
        "List_year": 2026,
        "Players": players,
        "Cross": upper_half(published_standings.ALL_PLAY_ALL),
    }
    path = tmp_path / "exercise.xlsx"
    path.write_bytes(gallery.make("round-robin", options, content))
    found = shown(path, calc, "Standings", ("Points", "S–B"))
    ratings = shown(path, calc, "Ratings", ("Performance",))
    for player, points, sonneborn, performance in zip(
        players,
        published_standings.ALL_POINTS,
        published_standings.ALL_SONNEBORN,
        published_standings.ALL_PERFORMANCES,
        strict=True,
    ):
        assert found[player["name"]] == [points, sonneborn]
        assert ratings[player["name"]] == [performance]
