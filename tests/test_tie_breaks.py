"""Tie-breaks of a Swiss system against a second implementation, and by hand."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from elo_xl.templates.sheets.tie_breaks import (
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
    # for his opponents Bo's bye in round 2 is a draw: only a forfeit follows it
    assert (one.points, two.points, three.points) == (2.5, 0.0, 2.0)
    assert (one.adjusted, two.adjusted, three.adjusted) == (2.5, 0.5, 2.0)
    # Ana: Bo 0.5, Cy 2, and the bye: a dummy with her 2.5 points, at most 1.5 of three rounds
    assert one.contributions == [0.5, 2.0, 1.5]
    assert (one.buchholz, one.cut, one.sonneborn) == (4.0, 3.5, 0.5 + 1.0 + 1.5)
    # Cy: the bye 1.5 (half of the rounds), Ana 2.5, the forfeit at most Bo's 0.5; the bye is cut
    assert three.contributions == [1.5, 2.5, 0.5]
    assert (three.buchholz, three.cut) == (4.5, 3.0)
