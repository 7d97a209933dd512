"""What a check of K says in words: the sentences of ``elo-xl check`` and of its book."""

from __future__ import annotations

import math

from elo_xl.books.texts import texts
from elo_xl.engine.optimum import Estimate
from elo_xl.languages import ENGLISH, LANGUAGES
from elo_xl.questions.check.numbers import FIDE_K, Check


def sentences(check: Check, language: str = ENGLISH) -> list[str]:
    """What a club can act on, in plain words."""

    def say(key: str, **places: object) -> str:
        return texts(language).of("k-check", key, **places)

    said = [_of_k(check, language)]
    worth = check.base.log_loss - check.best.log_loss
    gain = check.fide.log_loss - check.best.log_loss
    if not check.k.holds(FIDE_K) and worth > 0 and gain > 0:
        fide, best = (number(x.log_loss, 4, language) for x in (check.fide, check.best))
        said.append(
            say(
                "gain" if check.home is None else "gain_home",
                k=f"{check.k.value:.0f}",
                fide=fide,
                best=best,
                gain=f"{100 * gain / worth:.0f}",
            )
        )
    if check.needed is not None:
        said.append(
            say("needed", needed=many(check.needed, language), scored=many(check.scored, language))
        )
    if check.home is not None:
        key = "home_none" if check.home.holds(0) else "home_some"
        said.append(say(key, home=within(check.home, 0, language)))
    if check.draw is not None:
        nu = check.draw.value
        equal = f"{100 * nu / (2 + nu):.0f}"
        said.append(say("draws", draw=within(check.draw, 2, language), equal=equal))
    if worth <= 0:
        said.append(say("worthless"))
    return said


def _of_k(check: Check, language: str) -> str:
    k, say = check.k, texts(language)
    key = _bounds(k.low, k.high)
    if key == "none":
        return say("k-check.k_none")
    best = say(f"k-check.k_{key}", **_places(k, 0, language))
    where = "within" if k.holds(FIDE_K) else "below" if k.low > FIDE_K else "above"
    return f"{best}; {say(f'k-check.fide_{where}', fide=f'{FIDE_K:.0f}')}"


def within(found: Estimate, digits: int = 0, language: str = ENGLISH) -> str:
    """An estimate with its interval.

    >>> within(Estimate(24.1, 18.3, 34.2)), within(Estimate(200, 120, float("inf")))
    ('24 (18 to 34)', '200 (120 or more)')
    """
    key = _bounds(found.low, found.high)
    value = number(found.value, digits, language)
    return texts(language)(f"k-check.within_{key}", value=value, **_places(found, digits, language))


def _bounds(low: float, high: float) -> str:
    """Which bounds the games set: both, one of them, or none."""
    below, above = low not in (0, -math.inf), math.isfinite(high)
    if below and above:
        return "both"
    return "above" if below else "below" if above else "none"


def _places(found: Estimate, digits: int, language: str) -> dict[str, str]:
    return {
        "low": number(found.low, digits, language),
        "high": number(found.high, digits, language),
    }


def number(value: float, digits: int, language: str = ENGLISH) -> str:
    """A number, as a language writes it.

    >>> number(-0.25, 2, "es")
    '−0,25'
    """
    text = f"{value:.{digits}f}".replace("-", "−")
    return text.replace(".", LANGUAGES[language].decimal_sign)


def many(number: int, language: str = ENGLISH) -> str:
    """A large number, as a language writes it.

    >>> many(12500), many(12500, "es")
    ('12,500', '12\\xa0500')
    """
    text = f"{number:,}"
    return text if language == ENGLISH else text.replace(",", "\N{NO-BREAK SPACE}")
