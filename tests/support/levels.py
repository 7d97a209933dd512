"""How much the tests try: ``make check``, ``make test`` and ``make proof`` are three levels of one
suite.

=========  ============================================================================
``check``  what a developer runs after each change: no test that takes seconds, none with
           LibreOffice or a browser, few examples of each property
``test``   every fact once, at the smallest size that shows it; what a bare ``pytest`` runs
``proof``  also what repeats by seed, size, language, flavour or machine; for releases
=========  ============================================================================

The environment variable ``ELO_XL_LEVEL`` says which. A test says itself what it needs, by markers:
``slow`` is left out of ``check``, ``proof`` of both others, and ``frozen``, for parts that are not
developed any more, of ``proof``. Where one test has a quick case and many others, :func:`cases`
marks the others; where it tries an amount of something, that is :func:`amount`.
"""

import os
from collections.abc import Collection, Iterable
from typing import Any, Final, Literal, TypeVar, cast, get_args

import pytest
from _pytest.mark import ParameterSet

T = TypeVar("T")
Level = Literal["check", "test", "proof"]

LEVEL: Final = cast("Level", os.environ.get("ELO_XL_LEVEL", "test"))
if LEVEL not in get_args(Level):
    raise pytest.UsageError(f"ELO_XL_LEVEL is one of {get_args(Level)}, not {LEVEL!r}")

LEFT_OUT: Final[dict[Level, frozenset[str]]] = {
    "check": frozenset({"slow", "libreoffice", "browser", "proof"}),
    "test": frozenset({"proof"}),
    "proof": frozenset({"frozen"}),
}
"""The markers of tests that a level leaves out."""

SHARE: Final[dict[Level, float]] = {"check": 0.1, "test": 1, "proof": 2}
"""Of how many examples a property is tried on in ``make test``."""


def amount(test: T, proof: T) -> T:
    """How much of something a test tries: seeds, games, players, kills.

    >>> seeds = range(amount(2, 40))
    """
    return proof if LEVEL == "proof" else test


def examples(count: int = 100) -> int:
    """On how many examples a property is tried, if ``make test`` tries ``count``."""
    return max(round(count * SHARE[LEVEL]), 4)


def cases(every: Iterable[Any], *, test: Collection[Any], id: Any = None) -> list[ParameterSet]:
    """The cases of ``@pytest.mark.parametrize``, all but those in ``test`` marked as ``proof``.

    >>> [bool(case.marks) for case in cases(("en", "ru", "es"), test=("ru",))]
    [True, False, True]

    A case that is a tuple fills several arguments. Raises ValueError where ``test`` has what
    ``every`` has not, so that no case is lost by a slip of the pen.
    """
    every = list(every)
    if missing := [case for case in test if case not in every]:
        raise ValueError(f"no such cases: {missing}")
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=() if case in test else pytest.mark.proof,
            id=id(case) if id else None,
        )
        for case in every
    ]
