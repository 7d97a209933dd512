"""The health of the ratings with which games were played; the book *Rating health* says it.

Sheets: *Spread* with the findings and the scores by difference, *Drift* and *Newcomers* where the
games tell of them, *Lift*, and a hidden one with the points of the charts. All hold values, made
anew every time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np

from elo_xl.books.book import Book, Options, Row
from elo_xl.books.texts import texts
from elo_xl.club.exporting import rated_games
from elo_xl.club.ledger import Ledger
from elo_xl.engine.arrays import finite
from elo_xl.engine.quality import Estimate
from elo_xl.events.event import EventError, Kind, Problem
from elo_xl.events.merging import AllGames, EventFile, games_of_kind, in_order
from elo_xl.languages import ENGLISH
from elo_xl.questions.health.numbers import FEWEST, GROWN, YEAR, Drift, Health, health
from elo_xl.questions.histories import number, thousands, with_notes, within


@dataclass(frozen=True, slots=True)
class Examined:
    """What games say of their players' ratings."""

    health: Health
    kind: Kind | None
    """the kind of play, if the events have several"""
    penalties: int
    """games left out, as a penalty hides their result"""
    notes: tuple[Problem, ...]

    @property
    def periods(self) -> tuple[date, ...]:
        """The first days of the periods in which drift is looked for, if days are known."""
        begin = () if self.health.drift is None else self.health.drift.begin.tolist()
        return tuple(date.fromordinal(round(YEAR * years)) for years in begin)


def health_of_events(
    files: Sequence[EventFile], *, kind: Kind | None = None, level: float | None = None
) -> Examined:
    """Examine the ratings beside the games of all files that are counted, of one kind of play.

    ``kind`` is that of most games unless given; ``level`` is that of :func:`~.numbers.health`.
    Raises EventError if there are no games or no ratings, DomainError as that function.
    """
    games, several = games_of_kind(files, kind)
    return health_of_games(games, kind=several, level=level)


def health_of_book(
    book: Ledger, *, kind: Kind | None = None, level: float | None = None
) -> Examined:
    """Examine the ratings with which the games of a club's book were rated, of one kind of play.

    The options and errors are those of :func:`health_of_events`.
    """
    games, several, _ = rated_games(book, kind)
    return health_of_games(games, kind=several, level=level)


def health_of_games(
    games: AllGames, *, kind: Kind | None = None, level: float | None = None
) -> Examined:
    """Examine the ratings of games; drift needs a day of every game."""
    if np.isnan(games.ratings).any(0).all():
        raise EventError([Problem("no game has the ratings of both players")])
    days = [day.toordinal() for day in games.days if day is not None]
    order, when, grown = np.arange(games.score.size), None, 0
    if len(days) == games.score.size:
        order = in_order(days)[0]
        when, grown = np.array(days)[order] / YEAR, date.fromordinal(min(days)).year - GROWN
    rating, other = games.ratings[:, order]
    done = with_notes(
        health,
        games.notes,
        games.first[order],
        games.second[order],
        games.score[order],
        rating,
        other,
        len(games.players),
        time=when,
        young=[(player.birth_year or 0) > grown for player in games.players],
        level=level,
    )
    return Examined(done, kind, games.penalties, games.notes)


_SPREAD: Final = """
sheet health upright freeze:what stretch:what
    {said}
    note about_interval
    note about_players
    table Found
        what        left strong
        value
        low
        high
        right       center
    note ""
    note about_spread
    note about_far
    table Bins
        from        0 left
        games       #,##0
        difference  0
        expected    0.000
        score       0.000
        twice       0.000
        lifted      0.000
    marks
        score       attention   AND(N(twice) > 0, ABS(score - expected) > twice)
    chart chart_spread
        x column_difference 0 0..{widest} 100
        y column_score 0.0 {bottom}..{top} 0.1
        curve Bins difference expected name:curve_expected look:0
        curve Bins difference lifted name:curve_lifted look:1
        curve Bins difference score points errors:twice name:curve_score look:2
"""

_DRIFT: Final = """
sheet drift upright freeze:begin
    note about_drift
    note about_constant
    note about_kept
    table Periods
        begin       date left 10.5
        players     #,##0
        mean        0
        constant    0
        twice       0.0
    chart chart_drift
        x column_year 0 {years} {step}
        y axis_rating 0 {ratings}
        curve Years year mean name:curve_mean look:1
        curve Years year constant points errors:twice name:curve_constant look:0
"""

_NEWCOMERS: Final = """
sheet newcomers upright freeze:game_from
    note {whose}
    note about_groups
    note about_gift
    table Newcomers
        game_from   0 left
        game_to     0
        games       #,##0
        off         +0
        off_low     +0
        off_high    +0
    chart chart_newcomers
        x axis_game 0 0..{last} 10
        y axis_off 0 {offs} 50
        curve Middles middle off points errors:half name:curve_off look:0
"""

_LIFT: Final = """
sheet lift upright freeze:rating
    note {about}
    note about_once
    note about_chance
    table Lift
        rating      0 left 9
        new         0 strong
        low         0
        high        0
    chart chart_lift
        x column_rating 0 {before} 200
        y column_new 0 {after} 200
        curve Halves before after signs errors:half name:curve_new look:0
        curve Halves before before name:curve_same look:1

sheet points hidden titles:2
    note about_points
    table Halves
        before      0 text:rating
        after       0 text:new
        half        0 text:twice
    table Middles beside:Halves
        middle      0 text:game_from
        off         0
        half        0 text:twice
    table Years beside:Middles
        year        0.00
        mean        0
        constant    0
        twice       0.0
"""


def rating_health_book(examined: Examined, language: str = ENGLISH) -> Book:
    """The workbook of what games say of ratings, worked out."""
    book = Book("rating-health", Options(language=language))
    health, spread = examined.health, examined.health.spread
    lines = [*_counts(book, examined), *sentences(health, language)]
    book.texts |= {f"said_{i}": line for i, line in enumerate(lines)}
    filled = spread.games > 0
    scores = [*spread.score[filled] - 2 * spread.error[filled], *spread.expected[filled]]
    lift = list(_lift(health))
    news = health.newcomers
    parts = [_SPREAD]
    data: dict[str, list[Row]] = {
        "Found": list(_found(book, health)),
        "Bins": list(_bins(health)),
        "Lift": [
            {"rating": r, "new": new, "low": new - half, "high": new + half}
            for r, new, half in lift
        ],
        "Halves": [{"before": r, "after": new, "half": half} for r, new, half in lift],
        "Middles": [],
        "Years": [],
    }
    years = step = offs = ratings = ""
    if health.drift is not None:
        parts.append(_DRIFT)
        data["Periods"] = list(_periods(examined))
        middles = _middles(examined)
        data["Years"] = [
            {**row, "year": year} for row, year in zip(data["Periods"], middles, strict=True)
        ]
        years, step = _bounds(middles, 1), str(math.ceil((middles[-1] - middles[0]) / 10))
        ratings = _bounds(_reached(health.drift), 50)
    if news is not None:
        parts.append(_NEWCOMERS)
        groups = list(_groups(health))
        data["Newcomers"] = [row for row, _ in groups]
        data["Middles"] = [middle for _, middle in groups]
        ends = [x for off in news.off if off for x in (off.low, off.high)]
        offs = _bounds([0, *ends], 50)
    # half a point, which equal ratings expect, stays in sight
    bottom = max(0.0, math.floor(10 * min(0.5, *(x for x in scores if x == x))) / 10)
    book.read(
        "".join((*parts, _LIFT)),
        **data,
        said="\n    ".join(f"note said_{i}" for i in range(len(lines))),
        widest=100 * math.ceil(max(spread.difference[filled]) / 100),
        bottom=bottom,
        top=1,
        whose="about_newcomers_unrated" if news and news.unrated else "about_newcomers_late",
        last=news.upto[-1] if news else 0,
        about=_about_lift(book, health),
        before=_bounds([r for r, *_ in lift], 200),
        after=_bounds([x for r, new, half in lift for x in (r, new - half, new + half)], 200),
        years=years,
        step=step,
        ratings=ratings,
        offs=offs,
    )
    book.finish()
    return book


def _about_lift(book: Book, health: Health) -> str:
    """The text that says of the lifted ratings which of them, or which mean, stays."""
    level = health.lift.level
    if level is not None:
        book.texts["about_lift_level"] = book.say("about_lift_level", level=f"{level:g}")
        return "about_lift_level"
    constant = health.drift is not None and health.drift.change is not None
    return "about_lift" if constant else "about_lift_mean"


def _counts(book: Book, examined: Examined) -> Iterator[str]:
    """What was counted, and what was not."""
    health, say, language = examined.health, book.say, book.options.language
    games, players = thousands(health.games, language), thousands(health.players, language)
    yield say("counted", games=games, players=players)
    if health.unrated:
        yield say("unrated", games=thousands(health.unrated, language))
    if examined.kind:
        yield say("kind", kind=book.text(f"club.kind_{examined.kind}"))
    if examined.penalties:
        yield say("penalties", games=thousands(examined.penalties, language))


def _found(book: Book, health: Health) -> Iterator[Row]:
    drift, news, lift = health.drift, health.newcomers, health.lift
    usual = "1" if health.usual is None else _usual(book, health.usual)
    rows: tuple[tuple[str, Estimate | None, int, str], ...] = (
        ("a", health.a, 3, usual),
        ("change", drift.change if drift else None, 1, "0"),
        ("rate", drift.rate if drift else None, 1, "0"),
        ("gift", news.gift if news else None, 1, "0"),
        ("lift_a", lift.a, 3, ""),
        ("lift_b", lift.b, 0, ""),
    )
    for key, one, digits, right in rows:
        if one is not None:
            numbers = {"value": one.value, "low": one.low, "high": one.high}
            shown = {name: round(x, digits) for name, x in numbers.items()}
            yield {"what": book.say(f"what_{key}"), **shown, "right": right}


def _usual(book: Book, usual: float) -> str:
    return book.say("right_usual", usual=number(usual, 2, book.options.language))


def _bins(health: Health) -> Iterator[Row]:
    spread = health.spread
    for i in range(spread.games.size):
        if spread.games[i]:
            yield {
                "from": float(spread.low[i]),
                "games": int(spread.games[i]),
                "difference": float(spread.difference[i]),
                "expected": float(spread.expected[i]),
                "score": float(spread.score[i]),
                "twice": finite(2 * spread.error[i]),
                "lifted": float(spread.fitted[i]),
            }


def _periods(examined: Examined) -> Iterator[Row]:
    drift = examined.health.drift
    assert drift is not None
    for i, begin in enumerate(examined.periods):
        yield {
            "begin": begin,
            "players": int(drift.players[i]),
            "mean": finite(drift.mean[i]),
            "constant": finite(drift.constant[i]),
            "twice": finite(2 * drift.error[i]),
        }


def _middles(examined: Examined) -> list[float]:
    """The middle of each period, as a year with its part."""
    half = (examined.periods[1] - examined.periods[0]).days / 2
    return [day.year + (day.timetuple().tm_yday - 1 + half) / YEAR for day in examined.periods]


def _reached(drift: Drift) -> list[float]:
    """The ratings between which the curves of the drift lie."""
    half = np.nan_to_num(2 * drift.error, posinf=0.0)
    every = np.concatenate([drift.mean, drift.constant - half, drift.constant + half])
    return [float(x) for x in every[np.isfinite(every)]]


def _bounds(values: Sequence[float], step: int) -> str:
    """The bounds of an axis on which these values lie.

    >>> _bounds([1512, 1630], 50), _bounds([1500, 1500], 50)
    ('1500..1650', '1450..1550')
    """
    low, high = math.floor(min(values) / step), math.ceil(max(values) / step)
    flat = low == high
    return f"{step * (low - flat)}..{step * (high + flat)}"


def _groups(health: Health) -> Iterator[tuple[Row, Row]]:
    news = health.newcomers
    assert news is not None
    begin = 1
    for upto, games, off in zip(news.upto, news.games.tolist(), news.off, strict=True):
        value, low, high = (off.value, off.low, off.high) if off else (None, None, None)
        half = off.high - off.value if off else None
        numbers = {"off": value, "off_low": low, "off_high": high}
        yield (
            {"game_from": begin, "game_to": upto, "games": games, **numbers},
            {"middle": (begin + upto) / 2, "off": value, "half": half},
        )
        begin = upto + 1


def _lift(health: Health) -> Iterator[tuple[float, float, float]]:
    """Ratings in hundreds, after the lift, and half the widths of the intervals."""
    low, high = math.floor(health.ratings[0] / 100), math.ceil(health.ratings[1] / 100)
    step = 1 if high - low <= 20 else 2
    ratings = [100.0 * i for i in range(low, high + step, step)]
    lifted, half = health.lift.at(ratings)
    yield from zip(ratings, lifted.tolist(), half.tolist(), strict=True)


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
    players = thousands(drift.number, language)
    sentence = say(f"rating-health.drift_{key}", players=players, years=years, **places)
    return sentence, key != "none"


def _of_newcomers(health: Health, language: str) -> str:
    say, news = texts(language), health.newcomers
    if news is None or news.gift is None:
        return say("rating-health.new_few")
    gift = news.gift
    key = "none" if gift.holds(0) else "over" if gift.value > 0 else "under"
    points = within(_lost(gift) if key == "under" else gift, 0, language)
    return say(f"rating-health.new_{key}", players=thousands(news.number, language), points=points)


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


def _lost(estimate: Estimate) -> Estimate:
    return Estimate(-estimate.value, -estimate.high, -estimate.low)
