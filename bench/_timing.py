"""Ratios of times measured in turns: on a noisy machine only these figures are meaningful."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

Work = Callable[[], Any]

SECONDS: Final = 4.0
"""The time after which :func:`fastest` begins no further turn: all benches together should take a
few minutes, and the short tasks, which vary most, have all their turns in a part of it."""


def seconds(work: Work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def fastest(repeat: int, *works: Work) -> list[float]:
    """The shortest time of each task; the tasks take turns, so that noise affects all alike.

    There are ``repeat`` turns, or as many as begin within the time; the first one only warms up,
    unless it takes all of the time.
    """
    end = time.perf_counter() + SECONDS
    best = [seconds(work) for work in works]
    for turn in range(repeat):
        if time.perf_counter() >= end:
            break
        took = [seconds(work) for work in works]
        best = took if turn == 0 else list(map(min, best, took))
    return best


def report(what: str, ours: float, reference: float, limit: float | None, beside: str) -> None:
    """One line: the ratio, its limit, and both times."""
    ratio = ours / reference
    verdict = "" if limit is None else f"  limit {limit:g}  {'ok' if ratio <= limit else 'OVER'}"
    print(
        f"{what:<52} {ratio:6.2f} x {beside}{verdict}"
        f"  ({1e3 * ours:.2f} ms against {1e3 * reference:.2f} ms)",
        flush=True,
    )


def faster(what: str, ours: float, peer: float, beside: str) -> None:
    """One line: how many times as fast as a peer, and both times."""
    times = f"({1e3 * ours:.2f} ms against {1e3 * peer:.0f} ms)"
    print(f"{what:<52} {peer / ours:6.1f} times as fast as {beside}  {times}", flush=True)
