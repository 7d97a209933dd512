"""Figures with their intervals, as a language writes them."""

from __future__ import annotations

import math

from elo_xl.books.texts import texts
from elo_xl.engine.quality import Estimate
from elo_xl.languages import ENGLISH, LANGUAGES


def within(found: Estimate, digits: int = 0, language: str = ENGLISH) -> str:
    """An estimate with its interval.

    >>> within(Estimate(24.1, 18.3, 34.2)), within(Estimate(200, 120, float("inf")))
    ('24 (18 to 34)', '200 (120 or more)')
    """
    key = bounds(found.low, found.high)
    value = number(found.value, digits, language)
    return texts(language)(f"k-check.within_{key}", value=value, **places(found, digits, language))


def bounds(low: float, high: float) -> str:
    """Which bounds the games set: both, one of them, or none."""
    below, above = low not in (0, -math.inf), math.isfinite(high)
    if below and above:
        return "both"
    return "above" if below else "below" if above else "none"


def places(found: Estimate, digits: int, language: str) -> dict[str, str]:
    return {
        "low": number(found.low, digits, language),
        "high": number(found.high, digits, language),
    }


def number(value: float, digits: int, language: str = ENGLISH) -> str:
    """A number, as a language writes it.

    >>> number(-0.25, 2, "es")
    '−0,25'
    """
    return LANGUAGES[language].number(f"{value:.{digits}f}".replace("-", "−"))


def thousands(number: int, language: str = ENGLISH) -> str:
    """A large number, as a language writes it.

    >>> thousands(12500), thousands(12500, "es")
    ('12,500', '12\\xa0500')
    """
    return f"{number:,}".replace(",", LANGUAGES[language].thousands_sign)
