"""Ratios of times measured in turns: on a noisy machine only these figures are meaningful."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

Work = Callable[[], Any]


def seconds(work: Work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def fastest(repeat: int, *works: Work) -> list[float]:
    """The shortest time of each task; the tasks take turns, so that noise affects all alike."""
    for work in works:
        work()
    best = [float("inf")] * len(works)
    for _ in range(repeat):
        best = [min(b, seconds(work)) for b, work in zip(best, works, strict=True)]
    return best


def report(what: str, ours: float, reference: float, limit: float | None, beside: str) -> None:
    """One line: the ratio, its limit, and both times."""
    ratio = ours / reference
    verdict = "" if limit is None else f"  limit {limit:g}  {'ok' if ratio <= limit else 'OVER'}"
    print(
        f"{what:<52} {ratio:6.2f} x {beside}{verdict}"
        f"  ({1e3 * ours:.2f} ms against {1e3 * reference:.2f} ms)"
    )


def faster(what: str, ours: float, peer: float, beside: str) -> None:
    """One line: how many times as fast as a peer, and both times."""
    times = f"({1e3 * ours:.2f} ms against {1e3 * peer:.0f} ms)"
    print(f"{what:<52} {peer / ours:6.1f} times as fast as {beside}  {times}")
