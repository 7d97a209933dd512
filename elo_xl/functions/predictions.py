"""How good predictions were: expected scores beside the scores of the same games."""

from __future__ import annotations

from typing import Final

from elo_xl.engine import quality
from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.quality import NEARLY, SURE
from elo_xl.functions.arguments import LABELS, NumberArgument, Numbers
from elo_xl.functions.catalogue import Native, function
from elo_xl.functions.cells import NA, CellArray, CellError, CellRows

FAMILY: Final = "Quality of predictions"

EXPECTED: Final = Numbers(
    "expected",
    "The expected scores before the games, in a row or column.",
    of=NumberArgument("chance", "", low=0, high=1),
)
SCORES: Final = Numbers(
    "scores",
    "The scores of the same games (1, 0.5 or 0), beside the expected scores.",
    of=NumberArgument("score", "", low=0, high=1),
)
MOST_BINS: Final = 1000


@function(
    "ELO_LOGLOSS",
    "Mean log loss of expected scores: the lower, the better the predictions.",
    EXPECTED,
    SCORES,
    family=FAMILY,
    source="custom",
    examples=[
        (([[0.6, 0.5, 0.8]], [[1, 0.5, 0]]), 0.9378035722533454),
        (([[0.5], [0.5]], [[1], [0]]), 0.6931471805599453),
    ],
    native=Native(
        f"""
        LET(least, {SURE:G}, sure, LAMBDA(e, LN(e + (e < least) * (least - e))),
            IF(sum_games(1) = 0, "",
                0 - sum_games(score * sure(chance) + (1 - score) * sure(1 - chance))
                    / sum_games(1)))
        """
    ),
)
def log_loss(expected: CellArray, scores: CellArray) -> float | None:
    """The mean of -(s·ln e + (1 - s)·ln(1 - e)) over all games, with natural logarithms. Who always
    expects ½ has ln 2 = 0.693; a draw counts half a win and half a loss. Chances are at least
    10⁻¹². A game in which either cell is blank is left out; without a game the result
    is empty.
    """
    predicted, scored = _games(expected, scores)
    return quality.log_loss(predicted, scored) if scored.size else None


@function(
    "ELO_BRIER",
    "Brier score of expected scores, the mean squared error: the lower, the better.",
    EXPECTED,
    SCORES,
    family=FAMILY,
    source="Brier, 1950",
    examples=[
        (([[0.6, 0.5, 0.8]], [[1, 0.5, 0]]), 0.26666666666666666),
        (([[0.5], [0.5]], [[1], [0]]), 0.25),
    ],
    native=Native('IF(sum_games(1) = 0, "", sum_games((score - chance) ^ 2) / sum_games(1))'),
)
def brier(expected: CellArray, scores: CellArray) -> float | None:
    """The mean of (s - e)² over all games. A game in which either cell is blank is left out; the
    result is empty without a game.
    """
    predicted, scored = _games(expected, scores)
    return quality.brier(predicted, scored) if scored.size else None


_HEADINGS: Final = ("from", "to", "games", "expected", "score", "standard error")
_ROW: Final = ", ".join(f'"{heading}"' for heading in _HEADINGS)
_EVERY: Final = ", ".join(["1"] * len(_HEADINGS))


@function(
    "ELO_CALIBRATION",
    "Games by their expected score, in bins: mean expected score beside mean score, with its "
    "standard error.",
    EXPECTED,
    SCORES,
    NumberArgument(
        "bins",
        "Number of bins of equal width between 0 and 1; 10 if omitted.",
        default=10.0,
        low=1,
        high=MOST_BINS,
        whole_number=True,
    ),
    LABELS,
    family=FAMILY,
    source="custom",
    examples=[
        (
            ([[0.2], [0.3], [0.9]], [[0], [0.5], [1]], 2),
            [[0, 0.5, 2, 0.25, 0.25, 0.25], [0.5, 1, 1, 0.9, 1, ""]],
        )
    ],
    columns=_HEADINGS,
    native=Native(
        f"""
        LET(predicted, TOCOL(number(expected)), scored, TOCOL(number(scores)),
            count, IF(ISOMITTED(bins), 10, IF(TRIM(bins) = "", 10, number(bins))),
            headed, IF(ISOMITTED(labels), 0, IF(TRIM(labels) = "", 0, number(labels))),
            wrong, IF((count < 1) + (count > {MOST_BINS}) + (count <> INT(count)), #NUM!,
                IF(ISERROR(headed), headed, 0)),
            fault, SUM(
                IF(predicted = "", 0, IF((predicted < 0) + (predicted > 1), #NUM!, 0)),
                IF(scored = "", 0, IF((scored < 0) + (scored > 1), #NUM!, 0)),
                IF(ROWS(predicted) = ROWS(scored), 0, #N/A)),
            counted, (predicted <> "") * (scored <> ""),
            chance, IF(counted, predicted, 0), score, IF(counted, scored, 0),
            reached, INT(chance * count + {NEARLY:G}), place, reached - (reached = count),
            bin, SEQUENCE(count, 1, 0),
            played, MAP(bin, LAMBDA(b, SUM(counted * (place = b)))),
            mean, LAMBDA(x, MAP(bin, played, LAMBDA(b, n,
                IF(n, SUM(counted * (place = b) * x) / n, "")))),
            points, mean(score),
            spread, MAP(bin, played, points, LAMBDA(b, n, own, IF(n < 2, "",
                SQRT(SUM(counted * (place = b) * (score - own) ^ 2) / (n - 1) / n)))),
            table, HSTACK(bin / count, (bin + 1) / count, played, mean(chance), points, spread),
            IF(ISERROR(wrong), wrong * {{{_EVERY}}}, IF(ISERROR(fault), fault * {{{_EVERY}}},
                IF(headed, VSTACK({{{_ROW}}}, table), table))))
        """,
        whole=True,
        reason="The result is a whole table.",
    ),
)
def calibration(expected: CellArray, scores: CellArray, bins: float, labels: float) -> CellRows:
    """Good predictions have mean scores near the mean expected ones, mostly within two standard
    errors. These come from the scores in the bin: s/√n, where s is the standard deviation of n
    scores; less than two games have none. A game on a bound between two bins is in the upper one. A
    game in which either cell is blank is left out.
    """
    found = quality.calibration(*_games(expected, scores), int(bins))
    rows: CellRows = [list(_HEADINGS)] if labels else []
    columns = (found.low, found.high, found.games, found.expected, found.score, found.error)
    for row in zip(*(column.tolist() for column in columns), strict=True):
        rows.append([None if number != number else number for number in row])
    return rows


def _games(expected: CellArray, scores: CellArray) -> tuple[FloatArray, FloatArray]:
    """The games in which neither cell is blank."""
    if expected.values.size != scores.values.size:
        raise CellError(NA)
    full = expected.present() & scores.present()
    return expected.values[full], scores.values[full]
