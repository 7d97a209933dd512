"""Why a rating changed, and what it takes for another one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.explain import explain as explained
from elo_xl.functions.arguments import Option
from elo_xl.functions.catalogue import Native, function
from elo_xl.functions.cells import NA, NUM, CellArray, CellError, CellRows
from elo_xl.functions.ratings import CAREER, FAMILY, RATED, known
from elo_xl.languages import CODES, CODES_LISTED, ENGLISH

if TYPE_CHECKING:
    from elo_xl.words import LanguageCode

_SENTENCES: Final = (
    "Difference −60. Expected 0.42 (table 8.1.2), scored 1: +11.6.",
    (
        "Difference +470, counted as +400. More than 400 points count as 400. "
        "Expected 0.92 (table 8.1.2), scored 0.5: −8.4."
    ),
    "Rated games: 2, expected 1.34, scored 1.5: +3.2, new rating 1803. K 20: as given.",
)
_EXAMPLE: Final[CellRows] = [
    [1860, -60, -60, 0.42, 1, 11.6, _SENTENCES[0]],
    [1330, 470, 400, 0.92, 0.5, -8.4, _SENTENCES[1]],
    ["", "", "", 1.34, 1.5, 3.2, _SENTENCES[2]],
]


@function(
    "ELO_EXPLAIN",
    "Why a rating changes: one row per game with its difference, expected score, points and "
    "reason, then the sum.",
    *RATED,
    Option(
        "language",
        f"Language of the sentences: {CODES_LISTED}; English if omitted.",
        default=ENGLISH,
        choices=CODES,
    ),
    *CAREER,
    family=FAMILY,
    source="FIDE B.02, 8.3; the rulebook's own text",
    examples=[((1800, 20, [[1860], [1330]], [[1], [0.5]], "fide-2024-03"), _EXAMPLE)],
    columns=("opponent", "difference", "difference counted", "expected", "score", "points", "why"),
    native=Native(
        reason="Its sentences are put together by Python; the rated workbook has the numbers."
    ),
)
def explain(
    rating: float,
    k: float | Literal["auto"],
    opponents: CellArray,
    scores: CellArray,
    rules: str,
    language: LanguageCode,
    games: float | None,
    age: float | None,
    peak: float | None,
    home: float,
    index: float | None,
) -> CellRows:
    """The change is that of ELO_CHANGE, the new rating in the last sentence that of ELO_UPDATE. A
    game's points are k·(score - expected), or what the rulebook gives for it; they are empty where
    only the whole event decides. Games against an unrated opponent (blank or 0) stay in the list
    and say that they do not count. With one total for the score the rows have no points.

    The last row holds the sums, the K factor with its reason, what the whole event adds to its
    games, and what FIDE's edition before would have given, if that is another change.
    """
    met, score = _games(opponents, scores)
    total = score.size != met.size
    there = np.arange(met.size) if total else np.flatnonzero(~np.isnan(score))
    if not there.size:
        return [[None] * 7]
    each = np.full(met.size, np.nan) if total else score
    done = explained(
        rating,
        k,
        met[there],
        score.reshape(()) if total else score[there],
        rules=rules,
        language=language,
        **known(games, age, peak, home, index),
    )
    columns = (met[there], done.difference, done.counted, done.expected, each[there], done.gained)
    rows: CellRows = [[None] * 7 for _ in met]
    for i, numbers, why in zip(
        there.tolist(), np.column_stack(columns).tolist(), done.why, strict=True
    ):
        rows[i] = [*(None if np.isnan(number) else number for number in numbers), why]
    return [*rows, [None, None, None, done.expected_score, done.score, done.change, done.summary]]


def _games(opponents: CellArray, scores: CellArray) -> tuple[FloatArray, FloatArray]:
    """The opponents, NaN where unrated, and the score against each, NaN without one, or the total
    of all."""
    met = np.where(opponents.present(), opponents.values, np.nan)
    score = np.where(scores.present(), scores.values, np.nan)
    if score.size not in (1, met.size):
        raise CellError(NA)
    if score.size == met.size and (score > 1).any():
        raise CellError(NUM)
    return met, score
