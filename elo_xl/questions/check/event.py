"""How well ratings would have predicted the games of events; the book *K check* says it.

Sheets: *K check* with the findings and the curve of the loss, *Losses* for each K, *Calibration*,
and a hidden one with further points of the charts. All hold values, made anew every time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np

from elo_xl.books.book import Book, Constant, Options, Row
from elo_xl.books.styles import NONE
from elo_xl.books.texts import texts
from elo_xl.club.exporting import rated_games
from elo_xl.club.ledger import Ledger
from elo_xl.events.event import EventError, Kind, Problem
from elo_xl.events.merging import AllGames, EventFile, games_of_kind
from elo_xl.languages import ENGLISH
from elo_xl.questions.check import numbers as engine
from elo_xl.questions.check.numbers import FIDE_K, SHOWN, Check
from elo_xl.questions.histories import bounds, number, places, thousands, with_notes, within

BY_GAME: Final = "game"
BY_MONTH: Final = "month"
BY_LIST: Final = "list"
"""Ratings change after each game, each month, or with each list of a club's book."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a history says of its ratings."""

    check: Check
    by: str
    kind: Kind | None
    """the kind of play, if the events have several"""
    penalties: int
    """games left out, as a penalty hides their result"""
    notes: tuple[Problem, ...]


def check_events(
    files: Sequence[EventFile],
    *,
    by: str = "",
    kind: Kind | None = None,
    burn_in: int = engine.BURN_IN,
) -> Checked:
    """Check the games of all files that are counted, of one kind of play.

    ``by`` is ``"game"`` or ``"month"``; months count if it is left out and all games have a day.
    ``kind`` is that of most games unless given; who begins with a rating in the files is no
    newcomer. Raises EventError if there are no games, or no days for months, DomainError as
    :func:`elo_xl.questions.check.numbers.check`.
    """
    games, several = games_of_kind(files, kind)
    return check_games(games, by=by, kind=several, burn_in=burn_in)


def check_book(
    book: Ledger, *, by: str = "", kind: Kind | None = None, burn_in: int = engine.BURN_IN
) -> Checked:
    """Check the games of all closed periods of a club's book, of one kind of play.

    All games of a list count with the ratings of the list before, unless ``by`` is ``"game"`` or
    ``"month"``. Members begin with the rating that stands beside their first game. The options and
    errors are those of :func:`check_events`; EventError too for what
    cannot be read.
    """
    games, several, lists = rated_games(book, kind)
    return check_games(games, by=by, kind=several, burn_in=burn_in, lists=lists)


def check_games(
    games: AllGames,
    *,
    by: str = "",
    kind: Kind | None = None,
    burn_in: int = engine.BURN_IN,
    lists: Sequence[date] | None = None,
) -> Checked:
    """Check games; ``lists`` has for each game the day of the list for which it was rated."""
    undated = sum(day is None for day in games.days)
    by = by or (BY_LIST if lists is not None else BY_GAME if undated else BY_MONTH)
    if by == BY_MONTH and undated:
        raise EventError([Problem(f"{undated} of {len(games.days)} games have no day: --by game")])
    days = [day for day in games.days if day is not None]
    times = [] if undated else [[day.toordinal() for day in days]]
    if by == BY_LIST and lists is not None:
        times.append([day.toordinal() for day in lists])
    elif by == BY_MONTH:
        times.append([day.year * 12 + day.month for day in days])
    turns = np.array(times, np.int64).reshape(-1, games.score.size)
    order = np.lexsort((np.zeros(games.score.size), *turns))  # which keeps that of equal games
    turns = turns[:, order]
    done = with_notes(
        engine.check,
        games.notes,
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
    return Checked(done, by, kind, games.penalties, games.notes)


NEAR: Final = 80
"""The largest K of the chart, unless the best one may be larger."""

_SHEETS: Final = """
sheet check upright titles:none down:1 stretch:what
    note about_interval
    table Found
        what        left strong
        best
        low
        high
        fide
    table Predictions
        way         left strong
        log_loss    0.0000
        brier       0.0000
    chart chart_k
        x column_k 0 0..{most} 20
        y column_log_loss 0.000 {bottom}..{top}
        curve Losses k log_loss name:curve_loss
        curve Interval x y name:curve_interval look:5
        curve Marks best_k best points name:curve_best look:2
        curve Marks fide_k fide points name:curve_fide look:1

sheet losses upright titles:none stretch:log_loss
    note about_losses
    table Losses
        k           0.0
        log_loss    0.0000 left

sheet calibration upright titles:none down:1 stretch:twice
    note about_calibration
    note about_far
    table Bins
        bin_low     0.0
        bin_high    0.0
        bin_games   #,##0
        expected    0.000
        score       0.000
        twice       0.000 left
    marks
        score       attention   AND(N(twice) > 0, ABS(score - expected) > twice)
    chart chart_calibration square
        x column_expected 0.0 0..1 0.2
        y column_score 0.0 0..1 0.2
        curve Equal x y name:curve_equal look:5
        curve Bins expected score points errors:twice name:curve_games look:0

sheet points hidden titles:2
    note about_points
    table Interval
        x           0.0 text:k
        y           0.0000 text:log_loss
    table Marks beside:Interval
        best_k      0.0 text:k
        best        0.0000
        fide_k      0.0 text:k
        fide        0.0000
    table Equal beside:Marks
        x           0 text:expected
        y           0 text:score
"""


def k_check_book(checked: Checked, language: str = ENGLISH) -> Book:
    """The workbook of a check, worked out."""
    book = Book("k-check", Options(language=language))
    check, say = checked.check, book.say
    sheet = book.sheet("check")
    sheet.heading()
    for line in sentences(check, language):
        sheet.line(line, "subtitle")
    for line in _counts(book, checked):
        sheet.line(line)
    high = check.k.high if math.isfinite(check.k.high) else check.k.value
    most = float(NEAR if high < NEAR else SHOWN[-1])
    losses = [loss for k, loss in check.curve if k <= most] + [check.fide.log_loss]
    bottom, top = (round(200 * min(losses)) - 1) / 200, (round(200 * max(losses)) + 1) / 200
    low, high = check.k.low, min(check.k.high, most)
    fide = say("way_fide", k=f"{FIDE_K:.0f}", new=f"{2 * FIDE_K:.0f}")
    ways = {say("way_best"): check.best, fide: check.fide, say("way_base"): check.base}
    known = tells_k(check)
    if not known:
        del ways[say("way_best")]
    marks: Row = {
        "best_k": check.k.value if known else None,
        "best": check.best.log_loss if known else None,
        "fide_k": FIDE_K,
        "fide": check.fide.log_loss,
    }
    predictions: list[Row] = [
        {"way": way, "log_loss": one.log_loss, "brier": one.brier} for way, one in ways.items()
    ]
    book.read(
        _SHEETS,
        most=most,
        bottom=bottom,
        top=top,
        Found=list(_found(book, check)),
        Predictions=predictions,
        Losses=[{"k": k, "log_loss": loss} for k, loss in check.curve],
        Bins=list(_bins(check)),
        Interval=[{"x": x, "y": y} for x, y in zip((low, low, high, high),
                     (bottom, top, top, bottom), strict=True)],
        Marks=[marks],
        Equal=[{"x": 0, "y": 0}, {"x": 1, "y": 1}],
    )  # fmt: skip
    book.finish()
    return book


def _counts(book: Book, checked: Checked) -> Iterator[str]:
    """What was counted, and what was not."""
    done, say, language = checked.check, book.say, book.options.language
    yield say(
        "counted",
        games=thousands(done.games, language),
        players=thousands(done.players, language),
        draws=f"{100 * done.draws / done.games:.0f}",
        when=say(f"when_{checked.by}"),
    )
    if checked.kind:
        yield say("kind", kind=book.text(f"club.kind_{checked.kind}"))
    if left := done.games - done.scored:
        yield say(
            "newcomers", scored=thousands(done.scored, language), left=thousands(left, language)
        )
    if checked.penalties:
        yield say("penalties", games=thousands(checked.penalties, language))


def _found(book: Book, check: Check) -> Iterator[Row]:
    fide = {"k": FIDE_K, "home": 0.0}
    for key, one, digits in (("k", check.k, 1), ("home", check.home, 1), ("draw", check.draw, 2)):
        if one is None:
            continue
        best = one.value if key != "k" or tells_k(check) else None
        numbers = {"best": best, "low": one.low, "high": one.high, "fide": fide.get(key)}
        shown = {name: _or_none(number, digits) for name, number in numbers.items()}
        yield {"what": book.say(f"what_{key}"), **shown}


def _or_none(number: float | None, digits: int) -> Constant:
    return NONE if number is None or math.isinf(number) else round(number, digits)


def _bins(check: Check) -> Iterator[Row]:
    bins = check.calibration
    for i, games in enumerate(bins.games.tolist()):
        numbers = {"expected": bins.expected[i], "score": bins.score[i]}
        numbers["twice"] = 2 * bins.error[i]
        yield {
            "bin_low": float(bins.low[i]),
            "bin_high": float(bins.high[i]),
            "bin_games": games,
            **{key: float(x) if math.isfinite(x) else None for key, x in numbers.items()},
        }


def sentences(check: Check, language: str = ENGLISH) -> list[str]:
    """What a club can act on, in plain words."""

    def say(key: str, **places: object) -> str:
        return texts(language).of("k-check", key, **places)

    said = [_of_k(check, language)]
    worth = check.base.log_loss - check.best.log_loss
    gain = check.fide.log_loss - check.best.log_loss
    if tells_k(check) and not check.k.holds(FIDE_K) and 0 < gain <= worth:
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
    if tells_k(check) and gain < 0:
        said.append(say("fide_better"))
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


def tells_k(check: Check) -> bool:
    """Whether the games tell anything of K; otherwise none is the best."""
    predicts = check.needed is None and check.best.log_loss < check.base.log_loss
    return predicts and bounds(check.k.low, check.k.high) != "none"


def is_best(check: Check) -> bool:
    """Whether there is a K that predicts better than FIDE's rule, which changes with newcomers."""
    return tells_k(check) and check.best.log_loss <= check.fide.log_loss


def _of_k(check: Check, language: str) -> str:
    k, say = check.k, texts(language)
    if check.needed is not None:
        needed, scored = (thousands(count, language) for count in (check.needed, check.scored))
        return say("k-check.needed", needed=needed, scored=scored)
    if not tells_k(check):
        return say("k-check.k_none")
    best = say(f"k-check.k_{bounds(k.low, k.high)}", **places(k, 0, language))
    where = "within" if k.holds(FIDE_K) else "below" if k.low > FIDE_K else "above"
    return f"{best}; {say(f'k-check.fide_{where}', fide=f'{FIDE_K:.0f}')}"
