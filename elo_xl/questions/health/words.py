"""What the health of ratings comes to in words: the sentences of ``elo-xl health`` and its book."""

from __future__ import annotations

from elo_xl.books.texts import texts
from elo_xl.engine.optimum import Estimate
from elo_xl.languages import ENGLISH
from elo_xl.questions.check.words import many, number, within
from elo_xl.questions.health.numbers import FEWEST, Health


def sentences(health: Health, language: str = ENGLISH) -> list[str]:
    """What an organizer of ratings can act on, in plain words."""
    spread, ill = _of_spread(health, language)
    drift, sinking = _of_drift(health, language)
    lift = _of_lift(health, language) if ill or (sinking and health.lift.level is None) else ""
    none = texts(language)("rating-health.lift_none")
    return [spread, drift, _of_newcomers(health, language), lift or none]


def _of_spread(health: Health, language: str) -> tuple[str, bool]:
    """Whether ratings spread as they should, and whether they do not."""
    a, usual = health.a, health.usual
    key = "good" if usual is not None else "right"
    if a.high < (1 if usual is None else usual):
        key = "wide"
    elif a.low > 1:
        key = "narrow"
    places = {"a": within(a, 2, language)}
    if key == "good":
        places["usual"] = number(usual or 0, 2, language)
    if a.low <= 0:
        key, places = "none", {}
    ill = key not in ("good", "right")
    return texts(language)(f"rating-health.spread_{key}", **places), ill


def _of_drift(health: Health, language: str) -> tuple[str, bool]:
    """How far the ratings of constant players have moved, and whether they have."""
    say, drift = texts(language), health.drift
    if drift is None:
        return say("rating-health.drift_undated"), False
    if drift.change is None or drift.rate is None:
        if drift.number >= FEWEST:
            return say("rating-health.drift_still"), False
        few = say("rating-health.drift_few", players=drift.number, needed=FEWEST)
        return few, False
    points, rate = drift.change, drift.rate
    key = "none" if points.holds(0) else "up" if points.value > 0 else "down"
    if key == "down":
        points, rate = _lost(points), _lost(rate)
    places = {"points": within(points, 0, language)}
    if key != "none":
        places["rate"] = number(rate.value, 1, language)
    years = number(float(drift.begin[-1] - drift.begin[0]), 1, language)
    players = many(drift.number, language)
    told = say(f"rating-health.drift_{key}", players=players, years=years, **places)
    return told, key != "none"


def _of_newcomers(health: Health, language: str) -> str:
    say, news = texts(language), health.newcomers
    if news is None or news.gift is None:
        return say("rating-health.new_few")
    gift = news.gift
    key = "none" if gift.holds(0) else "over" if gift.value > 0 else "under"
    points = within(_lost(gift) if key == "under" else gift, 0, language)
    return say(f"rating-health.new_{key}", players=many(news.number, language), points=points)


def _of_lift(health: Health, language: str) -> str:
    lift = health.lift
    if lift.a.low <= 0:
        return texts(language)("rating-health.lift_useless")
    b = lift.b.value
    a = number(lift.a.value, 3, language)
    formula = f"{a}·R {'−' if b < 0 else '+'} {number(abs(b), 0, language)}"
    low, high = (100 * round(rating / 100) for rating in health.ratings)
    places = {"lift": formula, "low": str(low), "low_new": _at(health, low, language)}
    if lift.level is None:
        places |= {"high": str(high), "high_new": _at(health, high, language)}
    else:
        places["level"] = f"{lift.level:g}"
    key = "all" if lift.level is None else "level"
    return texts(language)(f"rating-health.lift_{key}", **places)


def _at(health: Health, rating: float, language: str) -> str:
    new, half = (float(x) for x in health.lift.at(rating))
    return within(Estimate(new, new - half, new + half), 0, language)


def _lost(found: Estimate) -> Estimate:
    return Estimate(-found.value, -found.high, -found.low)
