"""The public names for type checkers and editors, written by `make regenerate`."""

# mypy: disable-error-code="overload-overlap"
# What takes a number and what takes any column overlap, and the first that fits is meant.
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, overload

from elo_xl.api.events import Event as Event
from elo_xl.api.events import EventRatings as EventRatings
from elo_xl.api.events import Workbook as Workbook
from elo_xl.api.events import new_workbook as new_workbook
from elo_xl.api.events import rate_event as rate_event
from elo_xl.api.events import read_event as read_event
from elo_xl.api.frames import (
    Columns,
    Dict,
    Frame,
    Games,
    Kind,
    Number,
    Numbers,
    Rows,
    Several,
    Table,
)
from elo_xl.api.numbers import Exchange as Exchange
from elo_xl.api.numbers import Outcomes as Outcomes
from elo_xl.api.plots import plot as plot
from elo_xl.api.quality import Fit as Fit
from elo_xl.api.quality import log_loss as log_loss
from elo_xl.api.ratings import Bayes as Bayes
from elo_xl.api.ratings import Bridge as Bridge
from elo_xl.api.rulebooks import rulebooks as rulebooks
from elo_xl.api.systems import Elo as Elo
from elo_xl.api.systems import Evaluation as Evaluation
from elo_xl.api.systems import Glicko as Glicko
from elo_xl.api.systems import Glicko2 as Glicko2
from elo_xl.api.systems import Ioffe as Ioffe
from elo_xl.api.systems import Period
from elo_xl.api.systems import Rated as Rated
from elo_xl.api.systems import Rules as Rules
from elo_xl.api.systems import System as System
from elo_xl.api.tables import NamesRead
from elo_xl.engine import bayes as bayes_
from elo_xl.engine.arrays import AnyArray
from elo_xl.engine.bayes import SdEstimate as SdEstimate
from elo_xl.engine.errors import DomainError as DomainError
from elo_xl.engine.errors import EloError as EloError
from elo_xl.engine.errors import OptionError as OptionError
from elo_xl.engine.errors import RatingError as RatingError
from elo_xl.engine.errors import SizeError as SizeError
from elo_xl.engine.explain import Explained as Explained
from elo_xl.engine.rulebooks.rulebook import Rulebook as Rulebook
from elo_xl.events.event import EventError as EventError
from elo_xl.functions.evaluation import worksheet as worksheet
from elo_xl.questions.check import numbers as checking
from elo_xl.questions.check import ratings as examining
from elo_xl.questions.check.numbers import Check as Check
from elo_xl.questions.check.ratings import Health as Health
from elo_xl.words import (
    BridgeMethod,
    DrawModel,
    ExchangeRules,
    FitDraws,
    LanguageCode,
    MatchKind,
    Method,
    Model,
    RulebookName,
    Scale,
)

__version__: str
__all__: list[str]

def brier(expected: Games, scores: Games) -> float:
    """Mean squared error of expected scores: the lower, the better.

    >>> round(brier([0.6, 0.5, 0.8], [1, 0.5, 0]), 4)
    0.2667

    Args:
        expected, scores: A number per game, from 0 to 1. Games with a blank are left out.
    Returns: The mean over the games, NaN without a game.
    Raises:
        DomainError: For a number outside 0 to 1.
        SizeError: For lists of different lengths, and columns with different indices.
    References: Brier, 1950.
    """

@overload
def calibration(expected: Numbers, scores: Numbers, *, bins: int = 10) -> dict[str, AnyArray]:
    """Games in bins by their expected score: a table with a row per bin.

    >>> calibration([0.2, 0.3, 0.9], [0, 0.5, 1], bins=2)["score"].tolist()
    [0.25, 1.0]

    Args:
        expected, scores: A number per game, from 0 to 1. Games with a blank are left out.
        bins: How many bins there are, all of the same width.
    Returns: A frame if a column of one is given, otherwise a dict of arrays: ``low``, ``high``,
        ``games``, ``expected`` and ``score`` (means) and the standard ``error`` of the score.
    Raises:
        DomainError: For a number outside 0 to 1, and bins that are no whole number above 0.
        SizeError: For lists of different lengths, and columns with different indices.
    """

@overload
def calibration(expected: Games, scores: Games, *, bins: int = 10) -> Any: ...
def check(
    games: Table,
    players: Table | None = None,
    *,
    by: Literal["game", "month", "period"] | None = None,
    colours: bool = True,
    burn_in: int = 10,
    names: NamesRead = "exact",
) -> checking.Check:
    """Find the K, White's advantage and Davidson's ν that would have predicted games best.

    >>> games = [("Ana", "Bo", 1), ("Bo", "Ana", 1), ("Ana", "Bo", 0.5), ("Bo", "Ana", 0)] * 50
    >>> found = check(games)
    >>> found.k.low, round(found.home.value), round(found.draw.value, 2)
    (0.0, 93, 0.76)

    Args:
        games: A row per game: ``white``, ``black`` and ``result``, in the order of play, or with a
            column ``date``; if they have ``neutral``, White has no advantage there.
        players: ``name`` and the ``rating`` that they began with. Everybody else is a newcomer.
        by ({"game", "month", "period"}, optional): When ratings change. Default: by a column
            ``period`` of whole numbers, if there is one, or by month with dates, or by game.
        colours: Whether the first of two players may have an advantage.
        burn_in: How many first games give a newcomer's first rating and are not predicted.
        names ({"exact", "loose"}): Whether a name that differs in case, accents, blanks or the
            order of its words is the same player, too; a warning says which do.
    Returns: ``k``, ``home`` and ``draw`` with intervals, and how FIDE's K and others predict.
    Raises:
        SizeError: For a column that is missing, and periods that run backwards.
        DomainError: For too few games, and results other than 1, 0.5 and 0.
        OptionError: For an unknown word.
        RatingError: For a result that cannot be read.
    """

@overload
def fit(
    games: Frame,
    *,
    anchor: object = None,
    rating: float = 1500.0,
    draws: FitDraws = "davidson",
    colours: bool = True,
    home: float | None = None,
    errors: bool = True,
    names: NamesRead = "exact",
) -> Fit[Frame]:
    """Fit ratings, White's advantage and the part of draws to all games at once.

    >>> games = [("Ana", "Bo", 1), ("Bo", "Cy", "½"), ("Cy", "Ana", 0), ("Ana", "Cy", "½")]
    >>> games += [("Bo", "Ana", "½"), ("Cy", "Bo", 0), ("Bo", "Ana", 1), ("Cy", "Ana", "½")]
    >>> fitted = fit([*games, ("Ana", "Bo", 1)])
    >>> [round(x) for x in fitted.players["rating"]], [round(x) for x in fitted.players["error"]]
    ([1672, 1545, 1283], [152, 147, 186])
    >>> round(fitted.home), round(fitted.draw, 2), round(fitted.stronger("Ana", "Bo"), 2)
    (135, 2.1, 0.71)

    Args:
        games: A row per game: ``white``, ``black`` and ``result``, and if it was played several
            times ``count``; if they have ``neutral``, nobody has an advantage there.
        anchor (name or mapping, optional): The player who has the given ``rating``, or the ratings
            of several by name. Default: the mean of the largest group is that rating.
        rating: The rating of the anchor, or that mean.
        draws ({"davidson", "ignore"}): Whether ν is fitted (ratings are those of ``outcomes(…,
            draws="davidson:ν", model="logistic")``), or a draw is half a win and half a loss.
        colours: Whether the first of two players may have an advantage.
        home: That advantage in points, if it is known. Default: it is fitted.
        errors: Whether standard errors are wanted, which thousands of players take a long time for.
        names ({"exact", "loose"}): Whether a name that differs in case, accents, blanks or the
            order of its words is the same player, too; a warning says which do.
    Returns: The ratings, in a table of the kind of ``games``, and what else was fitted. Only those
        compare who have, by some chain of games, scored against each other: they are a group.
    Raises:
        SizeError: For a column that is missing, and an anchor who is not in the games.
        DomainError: For another score, a player paired with themselves, an anchor without a game, a
            count below 0, too many players for errors, and where there is no maximum, because a
            difference, the advantage or ν would have to be infinite.
        OptionError: For an unknown word.
        RatingError: For a result that cannot be read.
    References: Bradley and Terry; Davidson.
    """

@overload
def fit(
    games: Dict | Rows,
    *,
    anchor: object = None,
    rating: float = 1500.0,
    draws: FitDraws = "davidson",
    colours: bool = True,
    home: float | None = None,
    errors: bool = True,
    names: NamesRead = "exact",
) -> Fit[Columns]: ...
def health(
    games: Table,
    players: Table | None = None,
    *,
    level: float | None = None,
    names: NamesRead = "exact",
) -> examining.Health:
    """Examine the ratings with which games were played: their spread, their drift, newcomers.

    >>> import random
    >>> chance = random.Random(1)
    >>> white, black = zip(*(chance.sample(range(30), 2) for _ in range(3000)))
    >>> games = {"white": white, "black": black, "result": [chance.randrange(2) for _ in white]}
    >>> for side in ("white", "black"):  # ratings that spread too far, as all are equal
    ...     games[f"{side}_rating"] = [1500 + 20 * name for name in games[side]]
    >>> health(games).a.holds(1)
    False

    Args:
        games: A row per game: ``white``, ``black``, ``result``, and ``white_rating`` and
            ``black_rating``, what both had before the game (blank or 0: unrated). They stand in the
            order of play, or have a column ``date``, without which there is no drift.
        players: ``name`` and ``birth_year``: no constant player is below 21 in the first year.
        level: The rating from which on ratings stay in the lift that is suggested.
        names ({"exact", "loose"}): Whether a name that differs in case, accents, blanks or the
            order of its words is the same player, too; a warning says which do.
    Returns: The factor ``a`` of differences, their ``spread``, the ``drift`` (its ``rate`` is that
        of a year), what ``newcomers`` give, and the ``lift`` that would help.
    Raises:
        SizeError: For a column that is missing.
        DomainError: For too few games with ratings, and results other than 1, 0.5 and 0.
        OptionError: For an unknown word.
        RatingError: For a result that cannot be read.
    """

@overload
def sweep(
    games: Frame,
    players: Table | None = None,
    *,
    k: Games,
    home: Games = 0.0,
    draw: Games = (),
    by: Literal["game", "month", "period"] | None = None,
    burn_in: int = 10,
    tasks: checking.Tasks = ...,
    names: NamesRead = "exact",
) -> Frame:
    """How well every K, together with every advantage of White and every ν, would have predicted.

    >>> games = [("Ana", "Bo", 1), ("Bo", "Cy", 1), ("Cy", "Ana", 1)] * 50
    >>> [round(loss, 3) for loss in sweep(games, k=[0, 20, 40])["log_loss"]]
    [0.694, 0.73, 0.771]

    Args:
        games: A row per game: ``white``, ``black`` and ``result``, in the order of play, or with a
            column ``date``; if they have ``neutral``, White has no advantage there.
        players: ``name`` and the ``rating`` that they began with. Everybody else is a newcomer.
        k, home, draw (number or list of numbers): K, White's advantage (0) and ν (none) to try.
        by ({"game", "month", "period"}, optional): When ratings change. Default: by a column
            ``period`` of whole numbers, if there is one, or by month with dates, or by game.
        burn_in: How many first games give a newcomer's first rating and are not predicted.
        tasks (callable, default map): What maps a function over tasks, of eight pairs of K and
            advantage each: also the ``map`` of a pool of processes, or ``elo_xl.spark.tasks``.
        names ({"exact", "loose"}): Whether a name that differs in case, accents, blanks or the
            order of its words is the same player, too; a warning says which do.
    Returns: Of the kind of ``games``, with a row for each combination: ``k``, ``home``,
        ``log_loss`` and ``brier``; with ``draw`` also ``draw`` and ``outcome_loss``, the log loss
        of wins, draws and losses by Davidson's model with that ν.
    Raises:
        DomainError: For too few games, a K below 0, and a ν of 0 or less.
        SizeError: For a column that is missing, and periods that run backwards.
        OptionError: For an unknown word.
        RatingError: For a result that cannot be read.
    """

@overload
def sweep(
    games: Dict | Rows,
    players: Table | None = None,
    *,
    k: Games,
    home: Games = 0.0,
    draw: Games = (),
    by: Literal["game", "month", "period"] | None = None,
    burn_in: int = 10,
    tasks: checking.Tasks = ...,
    names: NamesRead = "exact",
) -> Columns: ...
@overload
def difference(
    score: Kind | Several,
    *,
    model: Model | str = "normal",
    sd: Kind | Numbers = None,
    opponent_sd: Kind | Numbers = None,
) -> Kind:
    """Rating difference at which a fractional score is the expected one.

    >>> round(difference(0.625), 1), difference(0.625, model="fide")
    (90.1, 95.0)

    Args:
        score: An expected score, between 0 and 1.
        model: The curve: ``"normal"`` (Elo's own), ``"logistic"``, which is ``1/(1 +
            10^(-d/400))``, ``"rescaled"`` or ``"fide"`` (table 8.1.2); normal and logistic also
            with a scale, as in ``"logistic:300"``.
        sd, opponent_sd: The standard deviations of the performances of the player and of the
            opponent, in points above 0, on the normal curve only; Elo's 200 where they are blank.
    Returns: The difference in points. At 0 and 1: -inf and inf, in table 8.1.1 -800 and 800.
    Raises:
        OptionError: For an unknown word, and for options that do not go together.
        DomainError: For a number out of bounds.
        SizeError: For columns and lists of different lengths or indices.
    References: Mamon, eq (1), (2) and (5).
    """

@overload
def difference(
    score: Number, *, model: Model | str = "normal", sd: Number = None, opponent_sd: Number = None
) -> float: ...
@overload
def difference(
    score: Kind | Numbers,
    *,
    model: Model | str = "normal",
    sd: Kind | Numbers = None,
    opponent_sd: Kind | Numbers = None,
) -> Kind: ...
@overload
def exchange(
    rating: Kind | Several,
    opponent: Kind | Numbers,
    scored: Kind | Numbers,
    conceded: Kind | Numbers,
    *,
    rules: ExchangeRules = "world-football",
    weight: Kind | Numbers = None,
    venue: Kind | Numbers = 0,
    knockout: Kind | Numbers = False,
    shootout: Kind | Numbers = 0,
    date: object = None,
) -> Exchange[Kind]:
    """Points that two sides gain by a match of football, rugby, volleyball or table tennis.

    >>> exchange(1807, 1355, scored=3, conceded=1, weight=50)
    Exchange(first=5.0, second=-5.0)

    Args:
        rating, opponent: The ratings of the first and of the second side.
        scored, conceded: Goals, points, sets (``"fivb"``) or games (``"usatt"``) of both sides.
        rules: ``"world-football"``, ``"fifa"``, ``"world-rugby"`` (``"world-rugby-2026-07"`` is its
            edition for matches from July 2026 on), ``"fivb"`` or ``"usatt"``.
        weight: How important the match is: K of world-football (20 if it is left out), I of FIFA
            (25), 2 for the finals of a World Cup of rugby (1), MWF of volleyball (40); table tennis
            has none.
        venue: 1 with the first side at home, -1 with the second, 0 elsewhere; for world-football
            and, before July 2026, rugby.
        knockout (bool or column, default False): Whether it is a knock-out match; for FIFA.
        shootout: Who won the shoot-out: 1 or 2, 0 if there was none; for FIFA.
        date (a day or a column of days): When the match was played, which decides the edition of
            ``"world-rugby"``. Default: the one before July 2026.
    Returns: A named tuple of two floats or columns.
    Raises:
        OptionError: For unknown rules, and for a weight with ``"usatt"``.
        DomainError: For a score that is not a whole number from 0, sets that end no volleyball
            match, a drawn match of table tennis, and anything else out of bounds.
        SizeError: For columns and lists of different lengths or indices.
    References: World Football Elo Ratings; FIFA; World Rugby; FIVB; USA Table Tennis.
    """

@overload
def exchange(
    rating: Number,
    opponent: Number,
    scored: Number,
    conceded: Number,
    *,
    rules: ExchangeRules = "world-football",
    weight: Number = None,
    venue: Number = 0,
    knockout: Number = False,
    shootout: Number = 0,
    date: object = None,
) -> Exchange[float]: ...
@overload
def exchange(
    rating: Kind | Numbers,
    opponent: Kind | Numbers,
    scored: Kind | Numbers,
    conceded: Kind | Numbers,
    *,
    rules: ExchangeRules = "world-football",
    weight: Kind | Numbers = None,
    venue: Kind | Numbers = 0,
    knockout: Kind | Numbers = False,
    shootout: Kind | Numbers = 0,
    date: object = None,
) -> Exchange[Kind]: ...
@overload
def expected(
    rating: Kind | Several,
    opponent: Kind | Numbers,
    *,
    model: Model | str = "normal",
    cap: Kind | Numbers = None,
    home: Kind | Numbers = 0,
    sd: Kind | Numbers = None,
    opponent_sd: Kind | Numbers = None,
) -> Kind:
    """Expected score of a player against an opponent, between 0 and 1.

    >>> round(expected(1834, 2179), 5)
    0.11128
    >>> expected([1834, None, 2000], 2000, model="logistic").round(4).tolist()
    [0.2778, nan, 0.5]

    Args:
        rating, opponent: The ratings of the player and of the opponent, in points.
        model: The curve: ``"normal"`` (Elo's own), ``"logistic"``, which is ``1/(1 +
            10^(-d/400))``, ``"rescaled"`` or ``"fide"`` (table 8.1.2); normal and logistic also
            with a scale, as in ``"logistic:300"``.
        cap: The largest difference that counts, in points, 0 or more; all of it counts without one.
        home: Points added to the player's rating.
        sd, opponent_sd: The standard deviations of the performances of the player and of the
            opponent, in points above 0, on the normal curve only; Elo's 200 where they are blank.
    Returns: The expected score; blank where a rating is blank.
    Raises:
        OptionError: For an unknown word, and for options that do not go together.
        DomainError: For a number out of bounds.
        SizeError: For columns and lists of different lengths or indices.
    References: Benítez and Roca, eq (2) and (3); Mamon, eq (4); Ioffe, eq (4) and (6).
    """

@overload
def expected(
    rating: Number,
    opponent: Number,
    *,
    model: Model | str = "normal",
    cap: Number = None,
    home: Number = 0,
    sd: Number = None,
    opponent_sd: Number = None,
) -> float: ...
@overload
def expected(
    rating: Kind | Numbers,
    opponent: Kind | Numbers,
    *,
    model: Model | str = "normal",
    cap: Kind | Numbers = None,
    home: Kind | Numbers = 0,
    sd: Kind | Numbers = None,
    opponent_sd: Kind | Numbers = None,
) -> Kind: ...
@overload
def expected_points(
    rating: Kind | Several,
    opponent: Kind | Numbers,
    *,
    win: Kind | Numbers = 3,
    draw: Kind | Numbers = 1,
    loss: Kind | Numbers = 0,
    draws: DrawModel | str | (Kind | Numbers) = "split",
    model: Model | str = "normal",
    home: Kind | Numbers = 0,
    sd: Kind | Numbers = None,
    opponent_sd: Kind | Numbers = None,
) -> Kind:
    """Expected points of a game, with football's 3, 1 and 0 for win, draw and loss by default.

    >>> round(expected_points(1600, 1500, draws=50), 4)
    1.8424

    Args:
        rating, opponent: The ratings of the player and of the opponent, in points.
        win, draw, loss (number or column, default 3, 1 and 0): What each result is worth.
        draws (str, number or column, default "split"): Where draws come from: ``"split"`` splits
            the expected score E into E², 2E(1-E) and (1-E)²; a number is the draw margin in points,
            0 or more; ``"davidson"`` and ``"rao-kupper"`` may have a number: ``"davidson:0.79"``.
        model: The curve: ``"normal"`` (Elo's own), ``"logistic"``, which is ``1/(1 +
            10^(-d/400))``, ``"rescaled"`` or ``"fide"`` (table 8.1.2); normal and logistic also
            with a scale, as in ``"logistic:300"``.
        home: Points added to the player's rating.
        sd, opponent_sd: The standard deviations of the performances of the player and of the
            opponent, in points above 0, on the normal curve only; Elo's 200 where they are blank.
    Returns: The expected points.
    Raises:
        OptionError: For an unknown word, and for options that do not go together.
        DomainError: For a number out of bounds.
        SizeError: For columns and lists of different lengths or indices.
    References: Benítez and Roca, problem 7.
    """

@overload
def expected_points(
    rating: Number,
    opponent: Number,
    *,
    win: Number = 3,
    draw: Number = 1,
    loss: Number = 0,
    draws: DrawModel | str | Number = "split",
    model: Model | str = "normal",
    home: Number = 0,
    sd: Number = None,
    opponent_sd: Number = None,
) -> float: ...
@overload
def expected_points(
    rating: Kind | Numbers,
    opponent: Kind | Numbers,
    *,
    win: Kind | Numbers = 3,
    draw: Kind | Numbers = 1,
    loss: Kind | Numbers = 0,
    draws: DrawModel | str | (Kind | Numbers) = "split",
    model: Model | str = "normal",
    home: Kind | Numbers = 0,
    sd: Kind | Numbers = None,
    opponent_sd: Kind | Numbers = None,
) -> Kind: ...
@overload
def match_odds(
    rating: Kind | Several,
    opponent: Kind | Numbers,
    length: Kind | Numbers,
    points: Kind | Numbers,
    *,
    kind: MatchKind = "exactly",
    draws: DrawModel | str | (Kind | Numbers) = "split",
    model: Model | str = "normal",
    home: Kind | Numbers = 0,
    sd: Kind | Numbers = None,
    opponent_sd: Kind | Numbers = None,
) -> Kind:
    """Probability of scoring so many points in a match of so many games.

    >>> round(match_odds(1834, 2179, length=10, points=3, draws=0), 4)
    0.0724

    Args:
        rating, opponent: The ratings of the player and of the opponent, in points.
        length: How many games the match has: a whole number from 0 to 10,000.
        points: What the player scores in them: a multiple of ½.
        kind: ``"exactly"`` so many points, ``"at least"`` or ``"at most"``.
        draws (str, number or column, default "split"): Where draws come from: ``"split"`` splits
            the expected score E into E², 2E(1-E) and (1-E)²; a number is the draw margin in points,
            0 or more; ``"davidson"`` and ``"rao-kupper"`` may have a number: ``"davidson:0.79"``.
        model: The curve: ``"normal"`` (Elo's own), ``"logistic"``, which is ``1/(1 +
            10^(-d/400))``, ``"rescaled"`` or ``"fide"`` (table 8.1.2); normal and logistic also
            with a scale, as in ``"logistic:300"``.
        home: Points added to the player's rating.
        sd, opponent_sd: The standard deviations of the performances of the player and of the
            opponent, in points above 0, on the normal curve only; Elo's 200 where they are blank.
    Returns: The probability.
    Raises:
        OptionError: For an unknown word, and for options that do not go together.
        DomainError: For a number out of bounds.
        SizeError: For columns and lists of different lengths or indices.
    References: Benítez and Roca, problem 4.
    """

@overload
def match_odds(
    rating: Number,
    opponent: Number,
    length: Number,
    points: Number,
    *,
    kind: MatchKind = "exactly",
    draws: DrawModel | str | Number = "split",
    model: Model | str = "normal",
    home: Number = 0,
    sd: Number = None,
    opponent_sd: Number = None,
) -> float: ...
@overload
def match_odds(
    rating: Kind | Numbers,
    opponent: Kind | Numbers,
    length: Kind | Numbers,
    points: Kind | Numbers,
    *,
    kind: MatchKind = "exactly",
    draws: DrawModel | str | (Kind | Numbers) = "split",
    model: Model | str = "normal",
    home: Kind | Numbers = 0,
    sd: Kind | Numbers = None,
    opponent_sd: Kind | Numbers = None,
) -> Kind: ...
@overload
def outcomes(
    rating: Kind | Several,
    opponent: Kind | Numbers,
    *,
    draws: DrawModel | str | (Kind | Numbers) = "split",
    model: Model | str = "normal",
    home: Kind | Numbers = 0,
    sd: Kind | Numbers = None,
    opponent_sd: Kind | Numbers = None,
) -> Outcomes[Kind]:
    """Probabilities of win, draw and loss against an opponent.

    >>> win, draw, loss = outcomes(1600, 1500)
    >>> round(win, 4), round(draw, 4), round(loss, 4)
    (0.4073, 0.4618, 0.1309)

    Args:
        rating, opponent: The ratings of the player and of the opponent, in points.
        draws (str, number or column, default "split"): Where draws come from: ``"split"`` splits
            the expected score E into E², 2E(1-E) and (1-E)²; a number is the draw margin in points,
            0 or more; ``"davidson"`` and ``"rao-kupper"`` may have a number: ``"davidson:0.79"``.
        model: The curve: ``"normal"`` (Elo's own), ``"logistic"``, which is ``1/(1 +
            10^(-d/400))``, ``"rescaled"`` or ``"fide"`` (table 8.1.2); normal and logistic also
            with a scale, as in ``"logistic:300"``.
        home: Points added to the player's rating.
        sd, opponent_sd: The standard deviations of the performances of the player and of the
            opponent, in points above 0, on the normal curve only; Elo's 200 where they are blank.
    Returns: A named tuple of three floats or columns.
    Raises:
        OptionError: For an unknown word, and for options that do not go together.
        DomainError: For a number out of bounds.
        SizeError: For columns and lists of different lengths or indices.
    References: Benítez and Roca, eq (4); Ioffe, eq (1) and (5).
    """

@overload
def outcomes(
    rating: Number,
    opponent: Number,
    *,
    draws: DrawModel | str | Number = "split",
    model: Model | str = "normal",
    home: Number = 0,
    sd: Number = None,
    opponent_sd: Number = None,
) -> Outcomes[float]: ...
@overload
def outcomes(
    rating: Kind | Numbers,
    opponent: Kind | Numbers,
    *,
    draws: DrawModel | str | (Kind | Numbers) = "split",
    model: Model | str = "normal",
    home: Kind | Numbers = 0,
    sd: Kind | Numbers = None,
    opponent_sd: Kind | Numbers = None,
) -> Outcomes[Kind]: ...
@overload
def bayes(
    rating: Kind | Several,
    opponent: Kind | Numbers,
    score: Kind | Numbers,
    sd: Kind | Numbers,
    *,
    opponent_sd: Kind | Numbers = None,
    draws: DrawModel | str | (Kind | Numbers) = "split",
    model: Model | str = "normal",
) -> Bayes[Kind]:
    """New ratings and standard deviations of both players after a game, by Bayes' formula.

    >>> after = bayes(1600, 1500, score=1, sd=100)
    >>> round(after.rating, 2), round(after.opponent, 2), round(after.sd, 2)
    (1634.5, 1465.5, 95.06)

    Args:
        rating, opponent: The ratings of the two players before the game, in points.
        score: The first player's score: 1, 0.5 or 0.
        sd: The standard deviation of the first player's rating before the game, in points.
        opponent_sd: That of the opponent's; the same if it is blank.
        draws (str, number or column, default "split"): Where draws come from: ``"split"`` splits
            the expected score E into E², 2E(1-E) and (1-E)²; a number is the draw margin in points,
            0 or more; ``"davidson"`` and ``"rao-kupper"`` may have a number: ``"davidson:0.79"``.
        model: The curve: ``"normal"`` (Elo's own), ``"logistic"``, which is ``1/(1 +
            10^(-d/400))``, ``"rescaled"`` or ``"fide"`` (table 8.1.2); normal and logistic also
            with a scale, as in ``"logistic:300"``.
    Returns: A named tuple of four floats or columns.
    Raises:
        DomainError: For any other score, a deviation not above 0 or above 1,000,000, a rating
            further than that from 0, and a draw with a draw margin or a ν of 0.
        OptionError: For an unknown model, or draws with a model that has none of that kind.
        SizeError: For columns and lists of different lengths or indices.
    References: Ioffe.
    """

@overload
def bayes(
    rating: Number,
    opponent: Number,
    score: Number,
    sd: Number,
    *,
    opponent_sd: Number = None,
    draws: DrawModel | str | Number = "split",
    model: Model | str = "normal",
) -> Bayes[float]: ...
@overload
def bayes(
    rating: Kind | Numbers,
    opponent: Kind | Numbers,
    score: Kind | Numbers,
    sd: Kind | Numbers,
    *,
    opponent_sd: Kind | Numbers = None,
    draws: DrawModel | str | (Kind | Numbers) = "split",
    model: Model | str = "normal",
) -> Bayes[Kind]: ...
@overload
def bridge(
    north: Kind | Several,
    south: Kind | Numbers,
    east: Kind | Numbers,
    west: Kind | Numbers,
    result: Kind | Numbers,
    *,
    rating_sd: Kind
    | Numbers
    | tuple[Kind | Numbers, Kind | Numbers, Kind | Numbers, Kind | Numbers] = 200.0,
    scale: Scale | bayes_.Scale = "percent",
    method: BridgeMethod = "closed",
    samples: int = 1000000,
    seed: int = 0,
) -> Bridge[Kind]:
    """Ratings of four bridge players after a result of North and South.

    >>> [round(rating, 2) for rating in bridge(1600, 1500, 1550, 1450, 58)]
    [1622.21, 1522.21, 1527.79, 1427.79]

    Args:
        north, south, east, west: The ratings of the players before the result, in points.
        result: What North and South have reached, such as 58 %.
        rating_sd (number, column or a tuple of four, default 200): The standard deviation of the
            ratings before the result, in points: one for all, or one each.
        scale (str or Scale, default "percent"): What a result is: ``"percent"``, ``"imp"``, or a
            :class:`~elo_xl.engine.bayes.Scale`.
        method: ``"closed"`` is the formula; ``"quadrature"`` and ``"monte carlo"`` work out Ioffe's
            integrals, as he does, for comparison.
        samples, seed (int, default 1,000,000 and 0): How many random strengths are drawn for
            ``"monte carlo"``, and what they begin with.
    Returns: A named tuple of four floats or columns.
    Raises:
        SizeError: For columns of different lengths or indices, and a tuple that is not of four.
        DomainError: For deviations not above 0 or above 1,000,000 (that of a result may be
            infinite), and for ratings or results further than that from 0.
        OptionError: For an unknown scale or method.
    References: Ioffe, eq (8) to (12).
    """

@overload
def bridge(
    north: Number,
    south: Number,
    east: Number,
    west: Number,
    result: Number,
    *,
    rating_sd: Number | tuple[Number, Number, Number, Number] = 200.0,
    scale: Scale | bayes_.Scale = "percent",
    method: BridgeMethod = "closed",
    samples: int = 1000000,
    seed: int = 0,
) -> Bridge[float]: ...
@overload
def bridge(
    north: Kind | Numbers,
    south: Kind | Numbers,
    east: Kind | Numbers,
    west: Kind | Numbers,
    result: Kind | Numbers,
    *,
    rating_sd: Kind
    | Numbers
    | tuple[Kind | Numbers, Kind | Numbers, Kind | Numbers, Kind | Numbers] = 200.0,
    scale: Scale | bayes_.Scale = "percent",
    method: BridgeMethod = "closed",
    samples: int = 1000000,
    seed: int = 0,
) -> Bridge[Kind]: ...
def explain(
    rating: float,
    k: float | Literal["auto"],
    opponents: Games,
    scores: Games,
    *,
    rules: RulebookName | str | Path | Rulebook = "fide",
    language: LanguageCode = "en",
    played: float | None = None,
    age: float | None = None,
    peak: float | None = None,
    home: Games = 0.0,
    index: float | None = None,
) -> Explained:
    """Change and new rating of a player after a period, with every game in numbers and a sentence.

    >>> done = explain(1800, 20, [1860, 1270], [1, "½"])
    >>> done.gained.tolist(), done.change, done.new
    ([11.6, -8.4], 3.2, 1803.0)
    >>> done.why[1].partition(". Expected")[0]
    'Difference +530, counted as +400. More than 400 points count as 400'
    >>> done.summary
    'Rated games: 2, expected 1.34, scored 1.5: +3.2, new rating 1803. K 20: as given.'

    The games are those of one player. :func:`rate_period` takes those of many, and makes all passes
    of ``"usatt"`` and ``"us-chess"``, which need a whole event: here is one.

    Args:
        rating: The player's rating before the period.
        k (number or "auto"): The K factor; ``"auto"`` is the rulebook's own.
        opponents: The opponent's rating in each game. Without one it is listed but does not count.
        scores (column or number): The player's score in each game, such as 1, 0.5 or ``"½"``, a
            blank for a game that was not played; or a number, the total of all.
        rules: The rulebook: a name in :data:`rulebooks`, or a file of one's own.
        language: The language of the sentences, such as ``"de"``: one of those of the workbooks.
        played: Rated games before the period; 50 or more if it is blank. Only the rulebook's own K
            asks for this, the age and the peak.
        age: The year of the list minus the year of birth; an adult's if it is blank.
        peak: The highest published rating; the rating itself if it is blank.
        home (number or column): Points added to the player's rating, in every game or in each.
        index: Events evaluated before, which DWZ counts instead of games; 6 or more if it is blank.
    Returns: The sentences end with what FIDE's edition before would have given, where that differs.
    Raises:
        DomainError: For K below 0 or a score outside 0 to 1.
        SizeError: For columns of different lengths or indices, and a total with unrated games.
        OptionError: For an unknown rulebook, and a number as K under one that takes only its own.
    References: Benítez and Roca, axiom V; FIDE B.02, 8.3.
    """

def first_rating(
    opponents: Games,
    scores: Games,
    *,
    rules: RulebookName | str | Path | Rulebook = "fide",
    start: float | None = None,
) -> float:
    """First rating of an unrated player from games against rated opponents.

    >>> first_rating([1800] * 10, 3)
    1675.0

    Only :func:`rate_period` checks whether games are enough for a rating, and it is high enough.

    Args:
        opponents: The opponent's rating in each game. Without one it is listed but does not count.
        scores (column or number): The player's score in each game, such as 1, 0.5 or ``"½"``, a
            blank for a game that was not played; or a number, the total of all.
        rules: The rulebook: a name in :data:`rulebooks`, or a file of one's own.
        start: A first guess, for rulebooks that take one.
    Returns: The rating in points; NaN without a game.
    Raises:
        OptionError: For an unknown rulebook.
        DomainError: For a total outside 0 to the number of games.
        SizeError: For lists of different lengths.
    References: FIDE B.02, 8.2.
    """

@overload
def k_factor(
    rating: Kind | Several,
    *,
    played: Kind | Numbers = None,
    age: Kind | Numbers = None,
    peak: Kind | Numbers = None,
    period_games: Kind | Numbers = None,
    rules: RulebookName | str | Path | Rulebook = "fide",
) -> Kind:
    """K factor of a player under a rulebook.

    >>> k_factor(2350, played=40), k_factor(2350, played=40, peak=2405)
    (20.0, 10.0)

    Args:
        rating: The player's rating before the period.
        played: Rated games before the period; 50 or more if it is blank.
        age: The year of the list minus the year of birth; an adult's if it is blank.
        peak: The highest published rating; the rating itself if it is blank.
        period_games: Games in the period: under FIDE's rules K times them is limited to 700, and US
            Chess's K follows from them.
        rules: The rulebook: a name in :data:`rulebooks`, or a file of one's own.
    Returns: K.
    Raises:
        DomainError: For games, an age or period games below 0.
        OptionError: For an unknown rulebook, and one whose K does not follow from these numbers.
        SizeError: For columns and lists of different lengths or indices.
    References: FIDE B.02, 8.3.3.
    """

@overload
def k_factor(
    rating: Number,
    *,
    played: Number = None,
    age: Number = None,
    peak: Number = None,
    period_games: Number = None,
    rules: RulebookName | str | Path | Rulebook = "fide",
) -> float: ...
@overload
def k_factor(
    rating: Kind | Numbers,
    *,
    played: Kind | Numbers = None,
    age: Kind | Numbers = None,
    peak: Kind | Numbers = None,
    period_games: Kind | Numbers = None,
    rules: RulebookName | str | Path | Rulebook = "fide",
) -> Kind: ...
@overload
def needed(
    rating: Kind | Several,
    k: Kind | Numbers | Literal["auto"],
    opponents: Games,
    target: Kind | Numbers,
    *,
    rules: RulebookName | str | Path | Rulebook = "fide",
) -> Kind:
    """The least score, in half points, with which the new rating is at least the target.

    >>> needed(1800, 20, [1860, 1770, 2000], [1800, 1810, 1900]).tolist()
    [1.5, 2.0, inf]

    Args:
        rating: The player's rating before the games, which count the same for each row of a column.
        k (number, column or "auto"): The K factor; ``"auto"`` is the rulebook's own.
        opponents: The ratings of the opponents; blanks are left out.
        target: The new rating that is wanted.
        rules: The rulebook: a name in :data:`rulebooks`, or a file of one's own.
    Returns: The total score; inf where all wins do not suffice.
    Raises:
        SizeError: For columns of different lengths or indices, and opponents who do not count.
        DomainError: For K below 0 or a score outside 0 to 1.
        OptionError: For an unknown rulebook, and a number as K under one that takes only its own.
    References: Benítez and Roca, axiom V; FIDE B.02, 8.3.
    """

@overload
def needed(
    rating: Number,
    k: Number | Literal["auto"],
    opponents: Games,
    target: Number,
    *,
    rules: RulebookName | str | Path | Rulebook = "fide",
) -> float: ...
@overload
def needed(
    rating: Kind | Numbers,
    k: Kind | Numbers | Literal["auto"],
    opponents: Games,
    target: Kind | Numbers,
    *,
    rules: RulebookName | str | Path | Rulebook = "fide",
) -> Kind: ...
def performance(opponents: Games, scores: Games, *, method: Method = "fide") -> float:
    """Performance rating: the strength that scores against rated opponents show.

    >>> performance([1860, 1770, 2000], 1.5)
    1877.0

    Args:
        opponents: The opponent's rating in each game. Without one it is listed but does not count.
        scores (column or number): The player's score in each game, such as 1, 0.5 or ``"½"``, a
            blank for a game that was not played; or a number, the total of all.
        method: ``"fide"`` (average opponent plus table 8.1.1 at the percentage, both rounded half
            up), ``"normal"`` or ``"logistic"`` (the rating whose expected total is the score,
            infinite where all was won or lost) or ``"linear"`` (average plus 400·(wins -
            losses)/games).
    Returns: The rating in points; NaN without a game.
    Raises:
        OptionError: For an unknown method.
        DomainError: For a total outside 0 to the number of games.
        SizeError: For lists of different lengths.
    References: FIDE Title Regulations 1.4; Mamon.
    """

def evaluate(
    model: System,
    games: Table,
    players: Table | None = None,
    *,
    after: object = None,
    names: NamesRead = "exact",
    columns: Mapping[str, str] | None = None,
    period: Period | None = None,
) -> Evaluation:
    """How well a system would have predicted games, each from what was known before it.

    >>> games = [("Ana", "Bo", 1), ("Bo", "Cy", 1), ("Ana", "Cy", 1), ("Cy", "Bo", 0)]
    >>> found = evaluate(Elo(k=20), games, after=2)
    >>> found.games, [round(x, 3) for x in found.expected], round(found.log_loss, 4)
    (2, [0.529, 0.472], 0.6379)

    Args:
        model: The system.
        games: A row per game: ``white``, ``black`` and ``result``, in the order of play, or
            with a column ``date``. They may have ``period`` (whole numbers, for systems that
            rate by period or season; without it all are of the one after the players' latest),
            ``margin``, ``neutral`` and, for :class:`Elo`, ``weight``, which multiplies K.
        players: ``name`` and what is known before: ``rating``, ``rd`` or whatever else the
            system keeps, ``played`` (rated games so far), ``last_period``, and for :class:`Elo`
            a ``k`` of their own; for :class:`Rules` also ``age``, ``peak`` and ``index``.
            Blanks begin as the system says. Default: all who are in ``games``.
        after (date, text or number, optional): Only later games are predicted; all are rated. A
            date or ISO text where the games have a ``date``, otherwise a period, or without periods
            how many games come before. Default: all are predicted.
        names ({"exact", "loose"}): Whether a name that differs in case, accents, blanks or the
            order of its words is the same player, too; :attr:`Rated.notes` says which do.
        columns (mapping, optional): How ``games`` call columns: ``{"white": "home_team"}``.
        period ({"day", "week", "month", "year"}, optional): What of ``date`` is the period.
            Default: the column ``period``, if there is one.
    Returns: The losses, and what was expected of each game.
    Raises:
        SizeError: For a missing column, a player who is not in the list or is there twice,
            periods that run backwards, and players with ``games`` instead of ``played``.
        DomainError: For a number out of bounds, and a player who is paired with themselves.
        OptionError: For an unknown ``names`` or ``period``.
        RatingError: For a result that cannot be read.
    """

@overload
def tune(
    kind: Callable[..., System],
    games: Frame,
    players: Table | None = None,
    *,
    after: object = None,
    names: NamesRead = "exact",
    columns: Mapping[str, str] | None = None,
    period: Period | None = None,
    tasks: Callable[..., Iterable[tuple[float, float]]] = ...,
    **options: Iterable[object],
) -> Frame:
    """How well a kind of system would have predicted with each combination of options.

    >>> games = [("Ana", "Bo", 1), ("Bo", "Cy", 1), ("Ana", "Cy", 1)] * 20
    >>> table = tune(Elo, games, k=[10, 40], home=[0, 50])
    >>> table["k"], table["home"], [round(x, 3) for x in table["log_loss"]]
    ([40, 40, 10, 10], [50, 0, 50, 0], [0.221, 0.257, 0.387, 0.463])

    Args:
        kind (class): What makes the system: :class:`Elo`, :class:`Glicko` or any other.
        games: A row per game: ``white``, ``black`` and ``result``, in the order of play, or
            with a column ``date``. They may have ``period`` (whole numbers, for systems that
            rate by period or season; without it all are of the one after the players' latest),
            ``margin``, ``neutral`` and, for :class:`Elo`, ``weight``, which multiplies K.
        players: ``name`` and what is known before: ``rating``, ``rd`` or whatever else the
            system keeps, ``played`` (rated games so far), ``last_period``, and for :class:`Elo`
            a ``k`` of their own; for :class:`Rules` also ``age``, ``peak`` and ``index``.
            Blanks begin as the system says. Default: all who are in ``games``.
        after (date, text or number, optional): Only later games are predicted; all are rated. A
            date or ISO text where the games have a ``date``, otherwise a period, or without periods
            how many games come before. Default: all are predicted.
        names ({"exact", "loose"}): Whether a name that differs in case, accents, blanks or the
            order of its words is the same player, too; :attr:`Rated.notes` says which do.
        columns (mapping, optional): How ``games`` call columns: ``{"white": "home_team"}``.
        period ({"day", "week", "month", "year"}, optional): What of ``date`` is the period.
            Default: the column ``period``, if there is one.
        tasks (callable, default map): What maps a function over tasks, as a pool of processes does.
        options (lists): What is tried of each option of ``kind``.
    Returns: Of the kind of ``games``, the best first: options, ``log_loss`` and ``brier``.
    Raises:
        SizeError: For a missing column, a player who is not in the list or is there twice,
            periods that run backwards, and players with ``games`` instead of ``played``.
        DomainError: For a number out of bounds, and a player who is paired with themselves.
        OptionError: For an unknown ``names`` or ``period``.
        RatingError: For a result that cannot be read.
    """

@overload
def tune(
    kind: Callable[..., System],
    games: Dict | Rows,
    players: Table | None = None,
    *,
    after: object = None,
    names: NamesRead = "exact",
    columns: Mapping[str, str] | None = None,
    period: Period | None = None,
    tasks: Callable[..., Iterable[tuple[float, float]]] = ...,
    **options: Iterable[object],
) -> Columns: ...
def estimate_sd(
    games: Table,
    players: Table,
    *,
    draws: DrawModel | str | float = "split",
    model: Model | str = "normal",
) -> bayes_.SdEstimate:
    """Estimate from past games, by maximum likelihood, how well the ratings were known.

    >>> players = {"name": ["Ana", "Bo"], "rating": [1600, 1500]}
    >>> games = {"white": ["Bo"] * 4, "black": ["Ana"] * 4, "result": [1, 1, 0.5, 1]}
    >>> found = estimate_sd(games, players)
    >>> round(found.sd), round(found.standard_error)
    (230, 166)

    Args:
        games, players: Those of :func:`rate_period`; the games in their order.
        draws (str, number or column, default "split"): Where draws come from: ``"split"`` splits
            the expected score E into E², 2E(1-E) and (1-E)²; a number is the draw margin in points,
            0 or more; ``"davidson"`` and ``"rao-kupper"`` may have a number: ``"davidson:0.79"``.
        model: The curve: ``"normal"`` (Elo's own), ``"logistic"``, which is ``1/(1 +
            10^(-d/400))``, ``"rescaled"`` or ``"fide"`` (table 8.1.2); normal and logistic also
            with a scale, as in ``"logistic:300"``.
    Returns: ``sd``, the standard deviation of the ratings, in points, and its ``standard_error``.
    Raises:
        SizeError: As in :func:`rate_period`, and if the games set no upper bound.
        DomainError: For an unrated player, and a number out of bounds.
        OptionError: For an unknown word, and for options that do not go together.
        RatingError: For a result that cannot be read.
    References: Ioffe.
    """

@overload
def rate_period(
    games: Table,
    players: Frame,
    *,
    rules: RulebookName | str | Path | Rulebook = "fide",
    names: NamesRead = "exact",
) -> Frame:
    """Rate a period: a row per player, in the order of ``players`` and in a table of its kind.

    >>> players = {"name": ["Ana", "Bo", "Cy"], "rating": [1800, 1860, 1770]}
    >>> players["played"] = [90, 90, 12]
    >>> games = [("Ana", "Bo", "1-0"), ("Cy", "Ana", "½")]
    >>> rated = rate_period(games, players)
    >>> rated["k"], rated["change"], rated["new"]
    ([20.0, 20.0, 40.0], [10.8, -11.6, 1.6], [1811.0, 1848.0, 1772.0])
    >>> rated["period_games"], rated["played"]
    ([2, 1, 1], [92.0, 91.0, 13.0])
    >>> rate_period(games, rated)["new"]
    [1821.0, 1837.0, 1774.0]

    Args:
        games: A row per game, which counts with the ratings before: ``white, black, result``.
        players: A row per player: ``name`` and ``rating`` (blank or 0: unrated), and if known ``k``
            (blank: the rulebook's own), ``played`` (rated games so far; blank: 50 or more),
            ``age``, ``peak`` and for DWZ ``index`` (events evaluated so far; blank: 6 or more).
            What this function gave for one period can be the ``players`` of the next.
        rules: The rulebook: a name in :data:`rulebooks`, or a file of one's own.
        names ({"exact", "loose"}): Whether a name that differs in case, accents, blanks or the
            order of its words is the same player, too; a warning says which do.
    Returns: Of the kind of ``players`` and in their order: ``name``, ``rating`` before, ``k``,
        ``period_games``, ``score`` and ``expected`` in the games of this period, ``change``
        (unrounded), ``new`` and ``performance`` (blank where it is infinite; by a curve it takes
        longer than all else, so a dict has it worked out when it is read). The ``new`` rating of an
        unrated player is the first rating, if the rulebook publishes one for these games. The next
        period begins with ``new``, ``played`` (all rated games) and ``peak``, and under DWZ
        ``index``; an ``age`` goes on as it was given, and so does a K, as ``k_given``.
    Raises:
        SizeError: For a missing column, a player who is not in the list or is there twice, a part
            of what a period gave, which may be from before or after it, and players with ``games``
            instead of ``played``.
        DomainError: For a number out of bounds.
        OptionError: For an unknown rulebook, and ``played`` without ``index`` if it counts events.
        RatingError: For a result that cannot be read.
    References: Benítez and Roca, axiom V; FIDE B.02, 8.3.
    """

@overload
def rate_period(
    games: Table,
    players: Dict | Rows,
    *,
    rules: RulebookName | str | Path | Rulebook = "fide",
    names: NamesRead = "exact",
) -> Columns: ...
