"""How good ratings are: which K would have predicted the games best, and whether the ratings with
which they were played spread too far, drift, or are wrong for newcomers.

Either part is left out, with a note, where the games tell nothing of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import numpy as np

from elo_xl.books.answers import number, spoken
from elo_xl.books.texts import texts
from elo_xl.club.exporting import rated_games
from elo_xl.club.ledger import Ledger
from elo_xl.engine.arrays import finite
from elo_xl.engine.errors import DomainError
from elo_xl.engine.quality import Calibration, Estimate
from elo_xl.events.event import EventError, Kind, Problem
from elo_xl.events.merging import AllGames, EventFile, games_of_kind, in_order
from elo_xl.questions.check import numbers as prediction
from elo_xl.questions.check.numbers import BURN_IN, FIDE_K, Check
from elo_xl.questions.check.ratings import FEWEST, GROWN, YEAR, Drift, Health, health

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BY_GAME: Final = "game"
BY_MONTH: Final = "month"
BY_LIST: Final = "list"
"""Ratings change after each game, each month, or with each list of a club's book."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Checked:
    """What a history says of its ratings; one of both parts may be None."""

    check: Check | None
    """how well ratings predict"""
    health: Health | None
    """what the ratings beside the games are like"""
    by: str
    kind: Kind | None
    """the kind of play, if the events have several"""
    penalties: int
    """games left out, as a penalty hides their result"""
    notes: tuple[Problem, ...]

    @property
    def periods(self) -> tuple[date, ...]:
        """The first days of the periods in which drift is looked for, if days are known."""
        if self.health is None or self.health.drift is None:
            return ()
        return tuple(date.fromordinal(round(YEAR * t)) for t in self.health.drift.begin.tolist())


def check_events(files: Sequence[EventFile], **options: Any) -> Checked:
    """Check the games of all files that are counted, of one kind of play.

    The options are those of :func:`check_games`; ``kind`` is that of most games unless given. Who
    begins with a rating in the files is no newcomer. Raises EventError if there are no games.
    """
    games, kind = games_of_kind(files, options.pop("kind", None))
    return check_games(games, kind=kind, **options)


def check_book(book: Ledger, **options: Any) -> Checked:
    """Check the games of all closed periods of a club's book, of one kind of play.

    All games of a list count with the ratings of the list before, unless ``by`` says otherwise.
    Members begin with the rating that stands beside their first game. The options and errors are
    those of :func:`check_events`; EventError too for what cannot be read.
    """
    games, kind, lists = rated_games(book, options.pop("kind", None))
    return check_games(games, kind=kind, lists=lists, **options)


def check_games(
    games: AllGames,
    *,
    by: str = "",
    kind: Kind | None = None,
    burn_in: int = BURN_IN,
    level: float | None = None,
    lists: Sequence[date] | None = None,
) -> Checked:
    """Check games; ``lists`` has for each game the day of the list for which it was rated.

    ``by`` is ``"game"`` or ``"month"``; months count if it is left out and all games have a day.
    ``level`` is that of :func:`~.ratings.health`. Raises EventError without days for months, and
    DomainError where neither part can be told.
    """
    undated = sum(day is None for day in games.days)
    by = by or (BY_LIST if lists is not None else BY_GAME if undated else BY_MONTH)
    if by == BY_MONTH and undated:
        raise EventError([Problem(f"{undated} of {len(games.days)} games have no day: --by game")])
    found, unpredicted = _or_why(lambda: _predicted(games, by, burn_in, lists))
    examined, unexamined = _or_why(lambda: _examined(games, level))
    if found is None and examined is None:
        raise DomainError("; ".join(map(str, (unpredicted, *games.notes))))
    reasons = {"K": unpredicted, "the ratings beside the games": unexamined}
    missing = [Problem(f"nothing is said of {what}: {why}") for what, why in reasons.items() if why]
    return Checked(found, examined, by, kind, games.penalties, (*games.notes, *missing))


def _or_why(compute: Callable[[], T]) -> tuple[T | None, str]:
    """What is computed, or None and the reason why the games tell too little."""
    try:
        return compute(), ""
    except DomainError as wrong:
        return None, str(wrong)


def _predicted(games: AllGames, by: str, burn_in: int, lists: Sequence[date] | None) -> Check:
    days = [day for day in games.days if day is not None]
    times = [[day.toordinal() for day in days]] if len(days) == len(games.days) else []
    if by == BY_LIST and lists is not None:
        times.append([day.toordinal() for day in lists])
    elif by == BY_MONTH:
        times.append([day.year * 12 + day.month for day in days])
    turns = np.array(times, np.int64).reshape(-1, games.score.size)
    order = np.lexsort((np.zeros(games.score.size), *turns))  # which keeps that of equal games
    turns = turns[:, order]
    return prediction.check(
        games.first[order],
        games.second[order],
        games.score[order],
        len(games.players),
        rating=[p.rating or math.nan for p in games.players],
        period=None if by == BY_GAME else turns[-1],
        day=np.diff(turns, prepend=0).any(0).cumsum() if times else None,
        colours=games.coloured,
        burn_in=burn_in,
    )


def _examined(games: AllGames, level: float | None) -> Health:
    if np.isnan(games.ratings).any(0).all():
        raise DomainError("no game has the ratings of both players")
    days = [day.toordinal() for day in games.days if day is not None]
    order, when, grown = np.arange(games.score.size), None, 0
    if len(days) == games.score.size:
        order = in_order(days)[0]
        when, grown = np.array(days)[order] / YEAR, date.fromordinal(min(days)).year - GROWN
    rating, other = games.ratings[:, order]
    return health(
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


# -- the figures ----------------------------------------------------------------------------------


class TableRow(NamedTuple):
    """A row of the table: a figure, the bounds of its interval, and what to compare it with."""

    what: str
    value: str
    low: str = ""
    high: str = ""
    compare: str = ""


def figures(checked: Checked) -> Iterator[TableRow]:
    """The rows of the table: K and what goes with it, the calibration, and the ratings."""

    def row(key: str, one: Estimate | None, digits: int, compare: str = "") -> Iterator[TableRow]:
        if one is not None:
            numbers = (one.value, one.low, one.high)
            value, low, high = ("" if math.isinf(x) else shown(x, digits) for x in numbers)
            yield TableRow(say(key), value, low, high, compare)

    if (check := checked.check) is not None:
        if tells_k(check):
            yield from row("what_k", check.k, 1, f"{FIDE_K:.0f}")
        yield from row("what_home", check.home, 1, "0")
        yield from row("what_draw", check.draw, 2)
        for key in "log_loss", "brier":
            best, fide = (getattr(way, key) for way in (check.best, check.fide))
            yield TableRow(say(f"what_{key}"), shown(best, 4), "", "", shown(fide, 4))
    if (examined := checked.health) is not None:
        drift, news, lift = examined.drift, examined.newcomers, examined.lift
        usual = 1.0 if examined.usual is None else examined.usual
        yield from row("what_a", examined.a, 3, shown(usual, 2))
        yield from row("what_rate", drift.rate if drift else None, 1, "0")
        yield from row("what_gift", news.gift if news else None, 1, "0")
        yield from row("what_lift_a", lift.a, 3)
        yield from row("what_lift_b", lift.b, 0)
    if check is not None:
        for low, high, games, expected, score, error in rows(check.calibration):
            if games:
                what = say("what_bin", low=shown(low, 1), high=shown(high, 1), games=shown(games))
                half = 2 * (error or math.nan)
                low, high = (shown(x, 3) if error else "" for x in (score - half, score + half))
                yield TableRow(what, shown(score, 3), low, high, shown(expected, 3))


def rows(bins: Calibration) -> Iterator[tuple[Any, ...]]:
    """The bins of a calibration: their bounds, games, expected score, score and its error."""
    columns = bins.low, bins.high, bins.games, bins.expected, bins.score, bins.error
    for line in zip(*(column.tolist() for column in columns), strict=True):
        yield tuple(finite(x) if isinstance(x, float) else x for x in line)


def chart(checked: Checked) -> Figure:
    """The chart: the scores of games beside those that the best K expected. Raises DomainError
    where K cannot be told."""
    from matplotlib.figure import Figure

    from elo_xl.publish.pictures import DASHES, plain

    if checked.check is None:
        raise DomainError("there is nothing to draw: the games tell nothing of K")
    bins = checked.check.calibration
    whole = Figure((5.5, 5.5), layout="constrained")
    axes = whole.subplots()
    axes.plot((0, 1), (0, 1), linestyle=DASHES["dash"], label=say("curve_equal"))
    error = np.nan_to_num(2 * bins.error)
    axes.errorbar(bins.expected, bins.score, error, fmt="o", label=say("curve_games"))
    axes.set_title(say("chart_calibration"))
    axes.set(xlim=(0, 1), ylim=(0, 1), xlabel=say("column_expected"))
    axes.set_ylabel(say("column_score"))
    plain(axes)
    axes.legend(frameon=False, handlelength=4)
    return whole


# -- what a club can act on -----------------------------------------------------------------------


def sentences(checked: Checked) -> list[str]:
    """What was counted, and what a club can act on, in plain words."""

    said = []
    if (check := checked.check) is not None:
        said.append(
            say(
                "counted",
                games=shown(check.games),
                players=shown(check.players),
                draws=f"{100 * check.draws / check.games:.0f}",
                when=say(f"when_{checked.by}"),
            )
        )
        if left := check.games - check.scored:
            scored = shown(check.scored)
            said.append(say("newcomers", scored=scored, left=shown(left)))
    if checked.kind:
        said.append(say("kind", kind=texts(spoken())(f"club.kind_{checked.kind}")))
    if checked.penalties:
        said.append(say("penalties", games=shown(checked.penalties)))
    if checked.health is not None and checked.health.unrated:
        said.append(say("unrated", games=shown(checked.health.unrated)))
    if check is not None:
        said += of_prediction(check)
    if checked.health is not None:
        said += of_ratings(checked.health)
    return said


def of_prediction(check: Check) -> list[str]:
    """What the games say of K, White's advantage and draws."""

    said = [_of_k(check)]
    worth = check.base.log_loss - check.best.log_loss
    gain = check.fide.log_loss - check.best.log_loss
    if tells_k(check) and not check.k.holds(FIDE_K) and 0 < gain <= worth:
        said.append(
            say(
                "gain" if check.home is None else "gain_home",
                k=f"{check.k.value:.0f}",
                fide=shown(check.fide.log_loss, 4),
                best=shown(check.best.log_loss, 4),
                gain=f"{100 * gain / worth:.0f}",
            )
        )
    if tells_k(check) and gain < 0:
        said.append(say("fide_better"))
    if check.home is not None:
        key = "home_none" if check.home.holds(0) else "home_some"
        said.append(say(key, home=within(check.home, 0)))
    if check.draw is not None:
        nu = check.draw.value
        equal = f"{100 * nu / (2 + nu):.0f}"
        said.append(say("draws", draw=within(check.draw, 2), equal=equal))
    if worth <= 0:
        said.append(say("worthless"))
    return said


def tells_k(check: Check) -> bool:
    """Whether the games tell anything of K; otherwise none is the best."""
    predicts = check.needed is None and check.best.log_loss < check.base.log_loss
    return predicts and _bounds(check.k) != "none"


def _of_k(check: Check) -> str:
    k = check.k
    if check.needed is not None:
        needed, scored = (shown(count) for count in (check.needed, check.scored))
        return say("needed", needed=needed, scored=scored)
    if not tells_k(check):
        return say("k_none")
    best = say(f"k_{_bounds(k)}", **_ends(k, 0))
    where = "within" if k.holds(FIDE_K) else "below" if k.low > FIDE_K else "above"
    return f"{best}; {say(f'fide_{where}', fide=f'{FIDE_K:.0f}')}"


def of_ratings(health: Health) -> list[str]:
    """What the games say of the spread, the drift, the newcomers, and which lift would help."""
    spread, ill = _of_spread(health)
    drift, sinking = _of_drift(health.drift)
    lift = _of_lift(health) if ill or (sinking and health.lift.level is None) else ""
    none = say("lift_none")
    return [spread, drift, _of_newcomers(health), lift or none]


def _of_spread(health: Health) -> tuple[str, bool]:
    """Whether ratings spread as they should, and whether they do not."""
    a, usual = health.a, health.usual
    key = "good" if usual is not None else "right"
    if a.high < (1 if usual is None else usual):
        key = "wide"
    elif a.low > 1:
        key = "narrow"
    places = {"a": within(a, 2)}
    if key == "good":
        places["usual"] = shown(usual or 0, 2)
    if a.low <= 0:
        key, places = "none", {}
    return say(f"spread_{key}", **places), key not in ("good", "right")


def _of_drift(drift: Drift | None) -> tuple[str, bool]:
    """How far the ratings of constant players have moved, and whether they have."""
    if drift is None:
        return say("drift_undated"), False
    if drift.change is None or drift.rate is None:
        if drift.number >= FEWEST:
            return say("drift_still"), False
        return say("drift_few", players=drift.number, needed=FEWEST), False
    points, rate = drift.change, drift.rate
    key = "none" if points.holds(0) else "up" if points.value > 0 else "down"
    if key == "down":
        points, rate = _lost(points), _lost(rate)
    places = {"points": within(points, 0)}
    if key != "none":
        places["rate"] = shown(rate.value, 1)
    years = shown(float(drift.begin[-1] - drift.begin[0]), 1)
    players = shown(drift.number)
    return say(f"drift_{key}", players=players, years=years, **places), key != "none"


def _of_newcomers(health: Health) -> str:
    news = health.newcomers
    if news is None or news.gift is None:
        return say("new_few")
    gift = news.gift
    key = "none" if gift.holds(0) else "over" if gift.value > 0 else "under"
    points = within(_lost(gift) if key == "under" else gift, 0)
    return say(f"new_{key}", players=shown(news.number), points=points)


def _of_lift(health: Health) -> str:
    lift = health.lift
    if lift.a.low <= 0:
        return say("lift_useless")
    b = lift.b.value
    a = shown(lift.a.value, 3)
    formula = f"{a}·R {'−' if b < 0 else '+'} {shown(abs(b), 0)}"
    low, high = (100 * round(rating / 100) for rating in health.ratings)
    places = {"lift": formula, "low": str(low), "low_new": _at(health, low)}
    if lift.level is None:
        places |= {"high": str(high), "high_new": _at(health, high)}
    else:
        places["level"] = f"{lift.level:g}"
    key = "all" if lift.level is None else "level"
    return say(f"lift_{key}", **places)


def _at(health: Health, rating: float) -> str:
    new, half = (float(x) for x in health.lift.at(rating))
    return within(Estimate(new, new - half, new + half), 0)


def _lost(estimate: Estimate) -> Estimate:
    return Estimate(-estimate.value, -estimate.high, -estimate.low)


# -- how figures are written ----------------------------------------------------------------------


def within(estimate: Estimate, digits: int = 0) -> str:
    """An estimate with its interval.

    >>> within(Estimate(24.1, 18.3, 34.2)), within(Estimate(200, 120, float("inf")))
    ('24 (18 to 34)', '200 (120 or more)')
    """
    value = shown(estimate.value, digits)
    ends = _ends(estimate, digits)
    return say(f"within_{_bounds(estimate)}", value=value, **ends)


def _bounds(estimate: Estimate) -> str:
    """Which bounds the games set: both, one of them, or none."""
    below, above = estimate.low not in (0, -math.inf), math.isfinite(estimate.high)
    if below and above:
        return "both"
    return "above" if below else "below" if above else "none"


def _ends(estimate: Estimate, digits: int) -> dict[str, str]:
    ends = {"low": estimate.low, "high": estimate.high}
    return {key: shown(end, digits) for key, end in ends.items()}


def shown(value: float, digits: int = 0) -> str:
    """A number, as the language of answers writes it.

    >>> shown(-0.25, 2), shown(12500)
    ('−0.25', '12,500')
    """
    return number(f"{value:,.{digits}f}".replace("-", "−"))


def say(key: str, **places: object) -> str:
    """A text of the answer in its language."""
    return texts(spoken())(f"check.{key}", **places)
