"""Ratings: K factors, changes, new ratings, performance and first ratings."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine import performance, ratings, results
from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.errors import RatingError, SizeError
from elo_xl.engine.rulebooks import RULEBOOKS
from elo_xl.functions.arguments import (
    Anything,
    NumberArgument,
    Numbers,
    Option,
    OptionOrNumber,
    Rating,
    Rules,
)
from elo_xl.functions.catalogue import Native, function
from elo_xl.functions.cells import BLANK, NUM, CellArray, CellError, PartError
from elo_xl.languages import CODES, CODES_LISTED, ENGLISH, Words

CLASSES_FROM: Final = (1400, 1600, 1800, 2000, 2300, 2400, 2500)
"""Ratings at which the second and the following classes of the appendix of Benítez and Roca begin.
The lowest class, from 1000 in the appendix, holds every lower rating too. These are not the titles
that FIDE awards (001, appendix I)."""

CLASS_NAMES: Final = (
    Words("Beginner"),
    Words("Amateur"),
    Words("Average club player"),
    Words("Strong club player"),
    Words("Candidate master"),
    Words("National master"),
    Words("International master"),
    Words("Grandmaster"),
)


FAMILY: Final = "Ratings"

RATING: Final = Rating("rating", "The player's rating before the games.")
K: Final = NumberArgument("k", "The K factor: how many points one point of score is worth.", low=0)
K_OR_AUTO: Final = OptionOrNumber(
    "k",
    'The K factor: how many points one point of score is worth; "auto": the rulebook\'s own.',
    choices=("auto",),
)
GAMES: Final = NumberArgument(
    "games", "Rated games before the period; 50 or more if omitted.", default=None, low=0
)
AGE: Final = NumberArgument(
    "age", "List year minus birth year; adult if omitted.", default=None, low=0
)
PEAK: Final = Rating(
    "peak", "Highest published rating; the rating itself if omitted.", default=None
)
HOME: Final = NumberArgument(
    "home",
    "Rating points added to the player's side, for home or White; 0 if omitted.",
    default=0.0,
)
INDEX: Final = NumberArgument(
    "index",
    "Events evaluated before, which dwz counts instead of games; 6 or more if omitted.",
    default=None,
    low=0,
)
OPPONENTS: Final = Numbers(
    "opponents",
    "The opponents' ratings, in a row or column; blanks and 0 (unrated) are ignored.",
    of=Rating("opponent", ""),
)
SCORES: Final = Numbers(
    "scores",
    "The player's scores (1, 0.5 or 0) beside the opponents, or one cell with the total.",
    of=NumberArgument("score", "", low=0),
)
RULES: Final = Rules(
    "rules",
    'The rulebook: "fide" (default, newest edition), a dated edition such as "fide-2024-03", '
    'another federation, "elo" or "logistic"; or "club" for the file club.toml of your own.',
    default="fide",
    choices=tuple(RULEBOOKS),
)
RATED: Final = (RATING, K_OR_AUTO, OPPONENTS, SCORES, RULES)
CAREER: Final = (GAMES, AGE, PEAK, HOME, INDEX)
"""What is rated, and what K and the new rating depend on besides."""

_UNKNOWN: Final = np.array([np.nan])
"""As an array, as what is known, so that one cell needs no broadcasting."""

_PERIOD: Final = "(rules, rating, k, games, age, peak, home, index)"
_AUTO_TYPED: Final = (
    'Formulas of built-in functions know whether K is "auto" when they are written: in a cell it '
    "must be a number."
)


@function(
    "ELO_K",
    "K factor of a player under a rulebook.",
    RATING,
    GAMES,
    AGE,
    PEAK,
    NumberArgument(
        "period_games",
        "Games of the period: FIDE limits K times games to 700, and the K of us-chess follows from "
        "them; no limit if omitted.",
        default=None,
        low=0,
    ),
    RULES,
    family=FAMILY,
    source="FIDE B.02, 8.3.3; Benítez's web page",
    examples=[
        ((2350, 40), 20),
        ((2350, 40, None, 2405), 10),
        ((1500, 12), 40),
        ((2200, 90, 17), 40),
        ((1500, 90, 30, None, 36), 19),
    ],
    native=Native("k_under(rules, rating, games, age, peak, period_games)", compared=True),
)
def k_factor(
    rating: FloatArray,
    games: FloatArray | None,
    age: FloatArray | None,
    peak: FloatArray | None,
    period_games: FloatArray | None,
    rules: str,
) -> FloatArray:
    """The first of these cases that applies decides, with the numbers of the rulebook:

    1. The rating or the peak has reached the limit for masters.
    2. The player is young, and neither has reached the limit for young players.
    3. The player is new: they have played few rated games.
    4. The standard K applies to everybody else.

    FIDE's text names no order; this one agrees with 99 % of the K factors that it published. If
    period_games is given, K is lowered to the largest whole number whose product with it is at most
    700.
    """
    played, years, highest, now = (
        _UNKNOWN if x is None else x for x in (games, age, peak, period_games)
    )
    return ratings.k_factor(rating, played, years, highest, now, rules)


@function(
    "ELO_NEW",
    "New rating by Elo's formula: rating + k·(score - expected), not rounded.",
    RATING,
    K,
    NumberArgument("score", "Points scored in the games.", low=0),
    NumberArgument("expected", "Points expected in the same games.", low=0),
    family=FAMILY,
    source="Benítez and Roca, eq (5) and axiom V; Ioffe, eq (7)",
    examples=[((1800, 20, 5, 4), 1820), ((1800, 40, 5, 4), 1840)],
    native=Native("rating + k * (score - expected)"),
)
def new_rating(
    rating: FloatArray, k: FloatArray, score: FloatArray, expected: FloatArray
) -> FloatArray:
    """rating + k·(score - expected)"""
    return rating + k * (score - expected)


@function(
    "ELO_CHANGE",
    "Rating change in a period: k times the sum of score minus expected score, not rounded.",
    *RATED,
    *CAREER,
    family=FAMILY,
    source="Benítez and Roca, axiom V; FIDE B.02, 8.3",
    examples=[
        ((1800, 20, [[1860, 1770, 2000]], [[1, 0.5, 0]]), 6),
        ((1800, 20, [[1860, 1770, 2000]], [[1, 0.5, 0]], "elo"), 6.0402582261718),
    ],
    native=Native(f"IF(too_many(), #NUM!, change_under{_PERIOD})", reason=_AUTO_TYPED),
)
def change(
    rating: float,
    k: float | str,
    opponents: CellArray,
    scores: CellArray,
    rules: str,
    games: float | None,
    age: float | None,
    peak: float | None,
    home: float,
    index: float | None,
) -> float:
    """k·Σ(score - expected score), with the curve or table of the rulebook and its cap on the
    difference. FIDE's expected scores and all their sums are whole hundredths, so that no rounding
    error arises.
    """
    facts = known(games, age, peak, home, index)
    return float(ratings.change(rating, k, *_pairs(opponents, scores), rules, **facts))


@function(
    "ELO_UPDATE",
    "New rating after a period: rating plus change, rounded as the rulebook says.",
    *RATED,
    *CAREER,
    family=FAMILY,
    source="Benítez and Roca, axiom V; FIDE B.02, 8.3.4",
    examples=[
        ((2813, 10, [[1787, 2025, 2310, 2400, 2505]], [[1, 1, 1, 1, 0.5]], "fide-2025-10"), 2810),
        ((1500, "auto", [[1400, 1550, 1650]], [[1, 0.5, 0.5]], "fide", 12), 1525),
        ((2100, "auto", [[2100]], [[1]], "egf"), 2109.306246101609),
    ],
    native=Native(f"IF(too_many(), #NUM!, update_under{_PERIOD})", reason=_AUTO_TYPED),
)
def update(
    rating: float,
    k: float | str,
    opponents: CellArray,
    scores: CellArray,
    rules: str,
    games: float | None,
    age: float | None,
    peak: float | None,
    home: float,
    index: float | None,
) -> float:
    """rating + the change of ELO_CHANGE. FIDE's rulebooks round the change to whole points, halves
    away from zero: -2.5 becomes -3.
    """
    facts = known(games, age, peak, home, index)
    return float(ratings.update(rating, k, *_pairs(opponents, scores), rules, **facts))


@function(
    "ELO_NEEDED",
    "The least score, in half points, that gives a player at least a target rating.",
    RATING,
    K_OR_AUTO,
    OPPONENTS,
    NumberArgument("target", "The new rating to be reached."),
    RULES,
    family=FAMILY,
    source="Benítez and Roca, axiom V; FIDE B.02, 8.3",
    examples=[
        ((1800, 20, [[1860, 1770, 2000]], 1810), 2),
        ((1800, 20, [[1860, 1770, 2000]], [[1800], [1830]]), [[1.5], [3]]),
        ((2380, 10, [[2300]] * 9, 2400), 7.5),
    ],
    native=Native(
        """
        LET(after, LAMBDA(won, ELO_UPDATE(rating, k, met, won, rules)),
            IF(after(played) < target, #NUM!, LET(
                reached, MAP(SEQUENCE(2 * played + 1, 1, 0),
                    LAMBDA(half, after(half / 2) >= target)),
                (XMATCH(TRUE, reached) - 1) / 2)))
        """,
        reason="The least score is found by trying: ELO_UPDATE beside each score shows the same.",
    ),
)
def needed(rating: float, k: float | str, opponents: CellArray, target: float, rules: str) -> float:
    """The least total, in half points, with which ELO_UPDATE gives the target or more, for the same
    K and rulebook. Blank opponents, and 0 for unrated ones, are not counted. #NUM! means that even
    winning all games is not enough. Under rulebooks that need one score per game the result is the
    error that ELO_UPDATE gives for a total.
    """
    met = opponents.values[opponents.present()]
    return float(ratings.needed(rating, k, met, target, rules))


@function(
    "ELO_PERFORMANCE",
    "Performance rating: the strength that a score against rated opponents shows.",
    OPPONENTS,
    SCORES,
    Option(
        "method",
        '"fide" (default: average opponent plus table 8.1.1), "normal" or "logistic" (the rating '
        'whose expected total is the score), "linear" (average plus 400 per net win).',
        default="fide",
        choices=performance.METHODS,
    ),
    family=FAMILY,
    source="FIDE Title Regulations 1.4; Mamon",
    examples=[
        (([[1860, 1770, 2000]], 1.5), 1877),
        (([[1860, 1770, 2000]], 1.5, "normal"), 1876.203670536737),
        (([[1860, 1770, 2000]], 1.5, "logistic"), 1876.061695281789),
        (([[1860, 1770, 2000]], 1.5, "linear"), 1876.666666666667),
    ],
    native=Native(
        """
        IF(played = 0, "", IF(too_many(), #NUM!,
            IF(method = "fide", half_up(average) + table_811(100 * points / played),
            IF(method = "linear", average + 400 * (2 * points - played) / played,
                root(method)))))
        """,
        reason='The methods "normal" and "logistic" need many steps of approximation.',
    ),
)
def performance_rating(opponents: CellArray, scores: CellArray, method: str) -> float | None:
    """With W points in n games:

    ==================== ==========================================================
    fide                 the opponents' average, rounded half up, plus table 8.1.1
                         at 100·W/n, rounded half up to whole percents
    normal, logistic     the rating R at which Σ E(R - opponent) = W
    linear               the opponents' average + 400·(wins - losses)/n
    ==================== ==========================================================

    Without a game the result is empty. If all games were won or all were lost, normal and logistic
    have no such rating, and the result is #NUM!.
    """
    met, points = _pairs(opponents, scores)
    return float(performance.performance(met, points.sum(), method)) if met.size else None


@function(
    "ELO_INITIAL",
    "First rating of an unrated player from games against rated opponents.",
    OPPONENTS,
    SCORES,
    RULES,
    Rating(
        "start",
        "First guess, for rulebooks that take one; the rulebook's own if omitted.",
        default=None,
    ),
    family=FAMILY,
    source="FIDE B.02, 8.2; Benítez and Roca, problem 8",
    examples=[
        (([[1800]] * 10, 3), 1675),
        (([[1800]] * 10, 3, "fide-2022-01"), 1651),
        (([[1800]] * 10, 3, "elo"), 1651.677136562577),
    ],
    native=Native(
        'IF(played = 0, "", IF(too_many(), #NUM!, first_under(rules, start)))',
        reason='The rules "elo", "logistic" and "naspa" need many steps of approximation, '
        '"usatt" a median of some cells.',
    ),
)
def first_rating(
    opponents: CellArray, scores: CellArray, rules: str, start: float | None
) -> float | None:
    """The rulebook decides which of these is the first rating:

    * the average opponent plus table 8.1.1, after two draws against players of 1800 are added to
      the games;
    * the average opponent plus a fixed number of points for each half point above half of the
      games, or plus table 8.1.1 for a lower score;
    * under the plain models, the rating at which the expected total is the score.

    This function gives a rating even if there are too few games for one, or if it is below the
    lowest that is published; ELO_PERIOD checks both. Without a game the result is empty.
    """
    met, points = _pairs(opponents, scores)
    guess = np.nan if start is None else start
    return float(ratings.first_rating(met, points, rules, start=guess)) if met.size else None


@function(
    "ELO_SCORE",
    "Score 1, 0.5 or 0 of a result as organizers type it; empty for unplayed games.",
    Anything("result", "The result as typed: 1, 0.5, ½, =, W, D, L, 1-0, ½-½, 0:1, +, -, bye …"),
    NumberArgument(
        "side",
        "1 (default) for the first player's score, 2 for the second player's.",
        default=1.0,
        low=1,
        high=2,
        whole_number=True,
    ),
    family=FAMILY,
    source="FIDE's tournament report file; custom",
    examples=[(("1-0",), 1), (("1-0", 2), 0), (("½",), 0.5), (("0,5",), 0.5), (("+",), "")],
    native=Native("scored(result, side)"),
)
def score(result: npt.NDArray[np.object_], side: FloatArray | None) -> npt.NDArray[np.object_]:
    """The numbers 1, 0.5 and 0 are scores already. The function knows these texts and a few
    variants, in upper or lower case, with blanks and with any dash:

    ========== ====================================================================
    win        1, W, win, 1-0, 1:0
    draw       ½, 1/2, 0.5, 0,5, =, D, draw, ½-½, 1/2-1/2, 0.5-0.5, =-=
    loss       0, L, loss, 0-1, 0:1
    empty      +, -, +:-, 1F-0F, bye, H, F, U, Z, *, unplayed, forfeit, w/o
    ========== ====================================================================

    It also knows the words of Spanish, Russian, German, French and Portuguese: *tablas*, *победа*,
    *spielfrei*. The books and the files of events are read by the same table.

    The result is #VALUE! for two scores that do not add up to 1 and for other texts, #NUM! for
    other numbers.
    """
    second = np.broadcast_to(np.asarray(side) == 2, result.shape)
    scores = np.zeros(result.shape, dtype=object)
    errors: dict[int, Exception] = {}
    for i, typed in enumerate(result):
        try:
            pair = results.read_result(typed)
        except RatingError as wrong:
            errors[i] = wrong.with_traceback(None)  # which would keep what is done with
            continue
        points = pair[1 if second[i] else 0]
        scores[i] = "" if points is None else points
    if errors:
        raise PartError(scores, errors)
    return scores


@function(
    "ELO_CLASS",
    "Class of a rating, such as Strong club player.",
    RATING,
    Option(
        "language",
        f"Language of the answer: {CODES_LISTED}; English if omitted.",
        default=ENGLISH,
        choices=CODES,
    ),
    family=FAMILY,
    source="Benítez and Roca, appendix I",
    examples=[((1834,), "Strong club player"), ((1834, "es"), "Jugador fuerte de club")],
    native=Native("class_name(rating, language)", compared=True),
)
def rating_class(rating: FloatArray, language: str) -> npt.NDArray[np.object_]:
    """The classes are those of the appendix, a rough estimate and no titles of FIDE's. The lowest
    begins at 1000 there; here it takes every lower rating, too.
    """
    names = np.array([name.say(language) for name in CLASS_NAMES], dtype=object)
    return names[np.searchsorted(CLASSES_FROM, rating, side="right")]


def known(
    games: float | None, age: float | None, peak: float | None, home: float, index: float | None
) -> dict[str, float]:
    """What is known of a player, as the engine takes it."""
    return {
        "played": np.nan if games is None else games,
        "age": np.nan if age is None else age,
        "peak": np.nan if peak is None else peak,
        "home": home,
        "index": np.nan if index is None else index,
    }


def _pairs(opponents: CellArray, scores: CellArray) -> tuple[FloatArray, FloatArray]:
    """The opponents that have a score with their scores, or all opponents and one total."""
    if opponents.status is scores.status is None and opponents.values.size == scores.values.size:
        if np.count_nonzero(scores.values > 1):
            raise CellError(NUM)
        return opponents.values, scores.values
    met, points = opponents.present(), scores.present()
    if points.size == 1 != met.size:
        if not met.any() and not (points[0] and scores.values[0]):
            return np.zeros(0), np.zeros(())
        if not points[0]:
            raise CellError(BLANK)
        return opponents.values[met], scores.values.reshape(())
    if points.size != met.size:
        raise SizeError(f"{met.size} opponents, but {points.size} scores")
    both = met & points
    if (scores.values[both] > 1).any():
        raise CellError(NUM)
    return opponents.values[both], scores.values[both]
