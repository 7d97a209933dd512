"""How good the ratings of events or of a club's book are: what is computed, and the table of it.

Two things are computed: which K would have predicted the games best, and what the ratings beside
the games are like. Where the games tell nothing of one of them, a note says why.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from datetime import date
from typing import TYPE_CHECKING, Final, NamedTuple, cast

import numpy as np

from elo_xl.books.answers import many, number, phrase
from elo_xl.engine.errors import DomainError
from elo_xl.engine.quality import Calibration, Estimate
from elo_xl.events.event import EventError, Kind, Problem
from elo_xl.events.merging import AllGames, in_order
from elo_xl.questions.check import numbers as prediction
from elo_xl.questions.check.numbers import BURN_IN, FIDE_K, Check, History
from elo_xl.questions.check.ratings import FEWEST, GROWN, YEAR, Drift, Health, Spread, health

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BY_GAME, BY_MONTH, BY_LIST = "game", "month", "list"
"""Ratings change after each game, each month, or with each list of a club's book."""

_WHEN: Final = {BY_GAME: "after each game", BY_MONTH: "each month", BY_LIST: "with each list"}


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


def check_games(
    games: AllGames,
    kind: Kind | None = None,
    lists: Sequence[date] | None = None,
    *,
    by: str = "",
    burn_in: int = BURN_IN,
    level: float | None = None,
) -> Checked:
    """Check games; ``lists`` has for each game the day of the list for which it was rated.

    ``by`` is ``"game"`` or ``"month"``; if it is left out, lists count where there are any, and
    months if all games have a day. ``level`` is that of :func:`~.ratings.health`. Raises EventError
    without days for months, and DomainError where neither part can be told.
    """
    undated = sum(day is None for day in games.days)
    by = by or (BY_LIST if lists is not None else BY_GAME if undated else BY_MONTH)
    if by == BY_MONTH and undated:
        raise EventError([Problem(f"{undated} of {len(games.days)} games have no day: --by game")])
    notes, found, examined = list(games.notes), None, None
    try:
        found = _predicted(games, by, burn_in, lists)
    except DomainError as wrong:
        notes.append(Problem(f"nothing is said of K: {wrong}"))
    try:
        examined = _examined(games, level)
    except DomainError as wrong:
        notes.append(Problem(f"nothing is said of the ratings beside the games: {wrong}"))
    if found is None and examined is None:
        raise DomainError("; ".join(map(str, notes)))
    return Checked(found, examined, by, kind, games.penalties, tuple(notes))


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
    history = History(
        games.first[order],
        games.second[order],
        games.score[order],
        len(games.players),
        rating=[player.rating or math.nan for player in games.players],
        period=None if by == BY_GAME else turns[-1],
        day=np.diff(turns, prepend=0).any(0).cumsum() if times else None,
        neutral=games.neutral[order],
        burn_in=burn_in,
    )
    return prediction.check(history, colours=games.coloured and not games.neutral.all())


def _examined(games: AllGames, level: float | None) -> Health:
    if np.isnan(games.ratings).any(0).all():
        raise DomainError("no game has the ratings of both players")
    days = [day.toordinal() for day in games.days if day is not None]
    order, when, grown = np.arange(games.score.size), None, 0
    if len(days) == games.score.size:
        order = in_order(days)[0]
        when, grown = np.array(days)[order] / YEAR, date.fromordinal(min(days)).year - GROWN
    return health(
        games.first[order],
        games.second[order],
        games.score[order],
        games.ratings[0, order],
        games.ratings[1, order],
        len(games.players),
        time=when,
        young=[(player.birth_year or 0) > grown for player in games.players],
        level=level,
    )


# -- the table ------------------------------------------------------------------------------------


class FigureRow(NamedTuple):
    """A figure with the bounds of its interval, as they are shown, and what it means for a club."""

    what: str
    value: str = ""
    low: str = ""
    high: str = ""
    means: str = ""


def rows(checked: Checked) -> Iterator[FigureRow]:
    """The table: of K and what goes with it, then of the ratings beside the games."""
    if (check := checked.check) is not None:
        means = phrase(
            "{players}, {draws:.0%} draws; ratings change {when}",
            players=many(check.players, "player"),
            draws=check.draws / check.games,
            when=phrase(_WHEN[checked.by]),
        )
        yield _row(phrase("Games"), check.games, 0, means)
        newcomers = many(check.newcomers, "newcomer")
        means = phrase("The others are first games of {newcomers}", newcomers=newcomers)
        yield _row(phrase("Predicted games"), check.scored, 0, means if check.newcomers else "")
        yield from _of_predictions(check)
    if (health := checked.health) is not None:
        means = phrase("{games} without", games=many(health.unrated, "game"))
        yield _row(phrase("Games with the ratings of both"), health.games, 0, means)
        yield from _of_ratings(health)


def _row(what: str, figure: Estimate | float | None, digits: int, means: str = "") -> FigureRow:
    """A row; a number that is not known, or has no bound, is blank."""
    if figure is None:
        return FigureRow(what, means=means)
    numbers = (figure,) if isinstance(figure, int | float) else astuple(figure)
    texts = [number(f"{x:,.{digits}f}") if math.isfinite(x) else "" for x in numbers]
    return FigureRow(what, *texts)._replace(means=means)


def _verdict(found: Estimate, right: float, above: str, within: str, below: str) -> str:
    """What an estimate means beside the right number, which may be within its interval."""
    return within if found.holds(right) else above if found.low > right else below


def tells_k(check: Check) -> bool:
    """Whether the games tell anything of K; otherwise none is the best."""
    bounded = check.k.low > 0 or math.isfinite(check.k.high)
    return check.needed is None and check.best.log_loss < check.base.log_loss and bounded


def _of_predictions(check: Check) -> Iterator[FigureRow]:
    """K, White's advantage and draws, how well they predict, and whether that comes true."""
    known = tells_k(check)
    means = phrase("The games tell nothing of K.")
    if check.needed is not None:
        means = phrase("Too few games: it takes {needed:,} predicted ones.", needed=check.needed)
    elif known:
        slow = phrase("FIDE's 20 is below: ratings follow too slowly.")
        right = phrase("FIDE's 20 is within: nothing speaks for another K.")
        jumping = phrase("FIDE's 20 is above: ratings jump too far.")
        means = _verdict(check.k, FIDE_K, slow, right, jumping)
    yield _row(phrase("Best K"), check.k if known else None, 1, means)
    if check.home is not None:
        some = phrase("Count it when you predict a game; FIDE's ratings do not.")
        means = _verdict(check.home, 0, some, phrase("Nothing speaks for an advantage."), some)
        yield _row(phrase("White's advantage, points"), check.home, 1, means)
    if check.draw is not None:
        equal = check.draw.value / (2 + check.draw.value)
        means = phrase("Players of equal strength draw {equal:.0%} of games.", equal=equal)
        yield _row(phrase("Draws, ν"), check.draw, 2, means)
    gain, worth = (way.log_loss - check.best.log_loss for way in (check.fide, check.base))
    better = useless = ""
    if known and gain < 0:
        better = phrase("It predicts these games better.")
    elif known and gain <= worth and not check.k.holds(FIDE_K):
        better = phrase("It loses {gain:.0%} of what the ratings tell.", gain=gain / worth)
    if worth <= 0:
        useless = phrase("Even the best ratings predict no better.")
    for what, way, means in (
        (phrase("Log loss with the best K"), check.best if known else None, ""),
        (phrase("Log loss with FIDE's rule"), check.fide, better),
        (phrase("Log loss of knowing nothing"), check.base, useless),
    ):
        if way is not None:
            brier = phrase("Brier score: {brier:.4f}.", brier=way.brier)
            yield _row(what, way.log_loss, 4, f"{brier} {means}".rstrip())
    yield from _of_scores("White's score, {low:.1f} or more expected", check.calibration)


def _of_scores(what: str, bins: Calibration) -> Iterator[FigureRow]:
    """What was scored in each bin, within two standard errors, beside what was expected."""
    for i in np.flatnonzero(bins.games).tolist():
        score, half, expected = (float(x[i]) for x in (bins.score, 2 * bins.error, bins.expected))
        games = many(int(bins.games[i]), "game")
        means = phrase("Expected: {expected:.3f} in {games}.", expected=expected, games=games)
        if isinstance(bins, Spread):
            lifted = float(bins.fitted[i])
            means += " " + phrase("After the lift: {lifted:.3f}.", lifted=lifted)
        scored = Estimate(score, score - half, score + half)
        yield _row(phrase(what, low=float(bins.low[i])), scored, 3, means)


def _of_ratings(health: Health) -> Iterator[FigureRow]:
    """The spread and the drift of the ratings, what newcomers cost, and the lift."""
    spread, means = _of_spread(health)
    yield _row(phrase("Differences count, times what they are"), health.a, 3, means)
    yield from _of_scores("Favourites' score, {low:.0f} points ahead or more", health.spread)
    sinking, means = _of_drift(health.drift)
    change, rate = (health.drift.change, health.drift.rate) if health.drift else (None, None)
    yield _row(phrase("Drift, points"), change, 0, means)
    if rate is not None:
        yield _row(phrase("Drift in a year, points"), rate, 1)
    gift = health.newcomers.gift if health.newcomers else None
    means = phrase("They are too few, so that nothing is said of them.")
    if gift is not None:
        over = phrase("They are overrated: opponents with K 20 win this.")
        fine = phrase("Nothing speaks against their first ratings.")
        under = phrase("They are underrated: opponents with K 20 lose this.")
        means = _verdict(gift, 0, over, fine, under)
    yield _row(phrase("Newcomers give in 30 games, points"), gift, 0, means)
    yield from _of_lift(health, spread or (sinking and health.lift.level is None))


def _of_spread(health: Health) -> tuple[bool, str]:
    """Whether ratings lie too far apart or too close together, and how that is said."""
    a, usual = health.a, health.usual
    if a.low <= 0:
        return True, phrase("The scores do not follow the ratings.")
    if a.high < (1 if usual is None else usual):
        return True, phrase("Ratings lie too far apart: favourites score less than expected.")
    if a.low > 1:
        return True, phrase("Ratings lie too close together: favourites score too much.")
    if usual is None:
        return False, phrase("Favourites score what they should: 1 would be right.")
    return False, phrase("Favourites score what they should: {a:.2f} to 1 is usual.", a=usual)


def _of_drift(drift: Drift | None) -> tuple[bool, str]:
    """Whether the ratings of constant players have moved, and how that is said."""
    if drift is None:
        return False, phrase("It cannot be told, as the days of the games are not known.")
    if drift.number < FEWEST:
        return False, phrase("{players:,} constant players are too few.", players=drift.number)
    if drift.change is None:
        return False, phrase("It cannot be told, as the ratings never change in these games.")
    players, years = drift.number, float(drift.begin[-1] - drift.begin[0])
    said = phrase("{players:,} constant players, {years:.1f} years.", players=players, years=years)
    if drift.change.holds(0):
        return False, f"{said} {phrase('Nothing speaks for a drift.')}"
    return True, said


def _of_lift(health: Health, wanted: bool) -> Iterator[FigureRow]:
    """The lift, and what it makes of the lowest and the highest rating if it is wanted."""
    lift, helps = health.lift, wanted and health.lift.a.low > 0
    means = phrase("Nothing calls for a lift.")
    if helps and lift.level is None:
        means = phrase("It would help if each rating R became a·R + b.")
    elif helps:
        means = phrase("It would help if each R below {level:g} became a·R + b.", level=lift.level)
    elif wanted:
        means = phrase("No lift would help.")
    yield _row(phrase("Lift: a"), lift.a, 3, means)
    yield _row(phrase("Lift: b"), lift.b, 0)
    for rating in health.ratings[: 2 if lift.level is None else 1] if helps else ():
        rounded = 100 * round(rating / 100)
        new, half = map(float, lift.at(rounded))
        what = phrase("Lift: {rating} becomes", rating=rounded)
        yield _row(what, Estimate(new, new - half, new + half), 0)


def chart(checked: Checked) -> Figure:
    """The chart: what was scored beside what the best K had expected, or the ratings."""
    from matplotlib.figure import Figure

    from elo_xl.publish.pictures import DASHES, plain

    health = cast("Health", checked.health)  # one of both parts is there
    bins = checked.check.calibration if checked.check else health.spread
    whole = Figure((5.5, 5.5), layout="constrained")
    axes = whole.subplots()
    axes.plot((0, 1), (0, 1), linestyle=DASHES["dash"], label=phrase("As expected"))
    games = phrase("Games, with two standard errors")
    axes.errorbar(bins.expected, bins.score, np.nan_to_num(2 * bins.error), fmt="o", label=games)
    axes.set(xlim=(0, 1), ylim=(0, 1), xlabel=phrase("Expected"), ylabel=phrase("Score"))
    axes.set_title(phrase("Do expected scores come true?"))
    plain(axes)
    axes.legend(frameon=False, handlelength=4)
    return whole
