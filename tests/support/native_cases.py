"""Cells to run through every form of the functions: each option, shape, blank, error and text."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from elo_xl.engine.performance import METHODS
from elo_xl.engine.rulebooks import RULEBOOKS
from elo_xl.engine.usual import MODELS
from elo_xl.functions.catalogue import find
from elo_xl.languages import CODES
from tests.support.rulebooks import ANY_K


@dataclass(frozen=True)
class Case:
    """One call, with a name that is unique in its function."""

    function: str
    name: str
    arguments: tuple[Any, ...]


PAIRS = (
    *((1834, 2179), (2400, 1800), (1500, 1500), (2000.3, 1996.8), (2800, 1000), (1000, 2800)),
    *((2736, 2000), (2735.4, 2000), (1003.5, 1000), (1000, 1003.5), (2000, 2410), (2600, 1950.5)),
)
ROW = [[1500, 1720.5, 2333]]
COLUMN = [[1500], [1720.5], [2333], [900]]

#: What a cell may hold in the place of a number, by name.
ODD: dict[str, Any] = {"blank": None, "empty text": "", "spaces": "  ", "zero": 0,
                       "whole text": "1834", "text with a point": "1834.5",
                       "text with a comma": "1834,5", "text with a blank": "1 834",
                       "text with a no-break blank": "1\u00a0834,5", "word": "abc", "true": True,
                       "false": False, "n/a": "#N/A", "division": "#DIV/0!",
                       "negative": -250}  # fmt: skip


def cases() -> list[Case]:
    """All of them, in a fixed order."""
    found = [*_expected(), *_difference(), *_outcomes(), *_match(), *_k(), *_new(), *_lists()]
    found += [*_score(), *_class(), *_period(), *_bridge(), *_bayes(), *_exchange(), *_glicko()]
    found += [*_needed(), *_predictions(), *_runs(), *_places(), *_teams(), *_fit(), *_scales()]
    names = {(c.function, c.name) for c in found}
    assert len(names) == len(found)
    return found


def _expected() -> Iterator[Case]:
    name = "ELO_EXPECTED"
    for i, (pair, model) in enumerate(product(PAIRS, MODELS)):
        yield Case(name, f"{model} {i}", (*pair, model))
        for cap in (400, 0, 350.5) if i < 16 else (400,):
            yield Case(name, f"{model} {i} cap {cap}", (*pair, model, cap))
    for i, (sd, other) in enumerate([(150, 250), (None, 80), (1, None), (200, 200)]):
        yield Case(name, f"sd {i}", (1834, 2179, "normal", None, sd, other))
    yield Case(name, "sd and cap", (2400, 1800, None, 400, 120, 130))
    yield Case(name, "sd with a model that has none", (1834, 2179, "logistic", None, 150))
    for odd, value in ODD.items():
        yield Case(name, f"rating {odd}", (value, 1800))
        yield Case(name, f"opponent {odd}", (1800, value, "fide"))
        yield Case(name, f"cap {odd}", (2400, 1800, "logistic", value))
        if not odd.startswith(("text", "whole")):
            yield Case(name, f"model {odd}", (2400, 1800, value))
        yield Case(name, f"sd {odd}", (2400, 1800, "normal", None, value))
    for model in MODELS:
        for home in (35, -35.5, 0):
            yield Case(name, f"{model} home {home}", (1834, 2179, model, None, None, None, home))
        yield Case(name, f"{model} home and cap", (2400, 2050, model, 400, None, None, 64.5))
    yield Case(name, "home and sd", (1834, 2179, "normal", None, 150, 250, 35))
    for odd, value in ODD.items():
        yield Case(name, f"home {odd}", (2400, 1800, "normal", None, None, None, value))
    yield Case(name, "model in capitals", (2400, 1800, "FIDE"))
    yield Case(name, "model between blanks", (2400, 1800, " logistic "))
    yield Case(name, "column", (COLUMN, 1800))
    yield Case(name, "column fide with a cap", (COLUMN, 1800, "fide", 400))
    yield Case(name, "row and column", (COLUMN, ROW, "logistic"))
    yield Case(name, "two columns", (COLUMN, [[1400], [1800], [2500], [2000]], "fide"))
    yield Case(name, "sizes that do not fit", (COLUMN, [[1400], [1800]]))
    yield Case(name, "column of models", (1834, 2179, [[m] for m in (*MODELS, None, "no")]))
    yield Case(name, "column of caps", (2400, 1800, "fide", [[400], [None], [-1], [50.5]]))
    yield Case(name, "column with everything", ([[v] for v in ODD.values()], 1800, "fide"))
    rng = random.Random(1)
    for i in range(20):
        a, b = round(rng.uniform(100, 3000), 1), round(rng.uniform(100, 3000), 1)
        limit = rng.choice([None, 400, 735, 0.5])
        yield Case(name, f"random {i}", (a, b, rng.choice(MODELS), limit))


def _scales() -> Iterator[Case]:
    """Models with a scale of their own."""
    pair, spread = (1834, 2179), (None, 300)
    asked: dict[str, list[tuple[object, ...]]] = {
        "ELO_EXPECTED": [pair, (*pair, None, 200), (*pair, None, 200, None, None, 35)],
        "ELO_DIFF": [(0.3,)],
        "ELO_OUTCOMES": [(*pair, d) for d in ("split", 40, "davidson:0.79", "rao-kupper:97.3")],
        "ELO_POINTS": [(*pair, 3, 1, 0, "split"), (*pair, 3, 1, 0, 40, None, 35)],
        "ELO_MATCH": [(*pair, 9, 4.5, "at least", d) for d in ("split", 0, 40)],
        "ELO_BAYES": [(*pair, 1, 120, 80, d) for d in ("split", 40)],
    }
    scaled = ("logistic:300", "Normal:250,5", "logistic:", "normal:0.25", "logistic:30.5")
    others = ("Rescaled", "rescaled:2", "normal:3/4", "normal:10%", "normals", "normal 300", 5)
    many = [[typed] for typed in (*scaled, *others, None)]
    for name, calls in asked.items():
        at = [a.name for a in find(name).arguments].index("model")
        for i, call in enumerate(calls):
            for model in ("logistic:300", " Normal : 250,5 "):
                cells = (*call[:at], model, *call[at + 1 :])
                yield Case(name, f"scale {i} {model.strip().lower()}", cells)
        plain = calls[0][:at]
        second = calls[1 % len(calls)]
        yield Case(name, "scales in a cell", (*second[:at], many, *second[at + 1 :]))
        for typed in ("logistic:0", "normal:-1", "fide:300", "logistic:x", ":300", "logistic:3:4"):
            yield Case(name, f"no scale {typed}", (*plain, typed))
        if name not in ("ELO_EXPECTED", "ELO_BAYES"):
            deviations = (0,) if name != "ELO_DIFF" else ()
            yield Case(name, "scale and sd", (*plain, "normal:250", *deviations, *spread))
    yield Case("ELO_EXPECTED", "scale and sd", (*pair, "normal:250", None, *spread))
    for typed in ("logistic:", "fide:"):
        yield Case("ELO_EXPECTED", f"scale left out {typed}", (*pair, typed))


def _difference() -> Iterator[Case]:
    name = "ELO_DIFF"
    for model in MODELS:
        for p in (0, 1, 0.5, 0.005, 0.015, 0.285, 0.625, 0.985, 0.995, 1 / 3, 0.999, 1e-6):
            yield Case(name, f"{model} {p:.4g}", (p, model))
        yield Case(name, f"{model} column", ([[0.1], [0], [None], [1.5], ["x"], [0.99]], model))
    for odd, value in ODD.items():
        yield Case(name, f"score {odd}", (value,))
    yield Case(name, "score with a comma", ("0,625", "fide"))
    yield Case(name, "unknown model", (0.5, "abc"))
    yield Case(name, "percent text", ("62.5%",))


def _outcomes() -> Iterator[Case]:
    draws = ("split", None, 0, 20, 55.5, 400)
    for i, (pair, margin) in enumerate(product(PAIRS[:8], draws)):
        model = MODELS[i % 2] if margin not in ("split", None) else MODELS[i % 4]
        yield Case("ELO_OUTCOMES", f"{margin} {model} {i}", (*pair, margin, model))
        yield Case("ELO_POINTS", f"{margin} {model} {i}", (*pair, 3, 1, 0, margin, model))
    for name, before in (("ELO_OUTCOMES", ()), ("ELO_POINTS", (2, 1, 0.5))):
        yield Case(name, "margin with fide", (1834, 2179, *before, 20, "fide"))
        yield Case(name, "margin 0 with rescaled", (1834, 2179, *before, 0, "rescaled"))
        yield Case(name, "margin below 0", (1834, 2179, *before, -1))
        yield Case(name, "unknown draws", (1834, 2179, *before, "many"))
        yield Case(name, "draws in capitals", (1834, 2179, *before, "SPLIT"))
        yield Case(name, "column of draws", (1834, 2179, *before, [["split"], [20], [None], [-3]]))
        yield Case(name, "column", (COLUMN, 1800, *before))
        for odd in ("blank", "empty text", "word", "n/a", "zero", "whole text"):
            yield Case(name, f"rating {odd}", (ODD[odd], 1800, *before))
            yield Case(name, f"draws {odd}", (1834, 1800, *before, ODD[odd]))
        for home in (35, -60):
            yield Case(name, f"home {home}", (1834, 1800, *before, 20, "logistic", home))
        for odd in ("blank", "empty text", "word", "n/a", "text with a comma"):
            yield Case(name, f"home {odd}", (1834, 1800, *before, 20, "logistic", ODD[odd]))
    for i, (model, known, pair) in enumerate(product(MODELS, DRAW_MODELS, PAIRS[:6])):
        yield Case("ELO_OUTCOMES", f"{known} {model} {i}", (*pair, known, model))
        if i % 3 == 0:
            yield Case("ELO_POINTS", f"{known} {model} {i}", (*pair, 3, 1, 0, known, model, 60))
    for typed in ODD_DRAWS:
        yield Case("ELO_OUTCOMES", f"typed {typed}", (1834, 1900, typed, "logistic"))
    many = [[d] for d in (*DRAW_MODELS, *ODD_DRAWS, None, 20, 1 / 3, "split")]
    yield Case("ELO_OUTCOMES", "column of draw models", (1834, 1900, many, "logistic"))
    yield Case("ELO_POINTS", "column of draw models", (1834, 1900, 2, 1, 0, many))
    spreads = ((300, None), (None, 90), (120, 250), (0, 200), (-1, None), ([[100], [None]], 150))
    for kind, model, (sd, other) in product(
        ("split", 20, "davidson:0.5", "rao-kupper:60"), ("normal", "logistic"), spreads
    ):
        takes: dict[str, tuple[object, ...]] = {
            "ELO_OUTCOMES": (),
            "ELO_POINTS": (3, 1, 0),
            "ELO_MATCH": (9, 4.5, "at least"),
        }
        for name, points in takes.items():
            arguments = (1834, 1900, *points, kind, model, 35, sd, other)
            yield Case(name, f"deviations {kind} {model} {sd} {other}", arguments)
    for curve, spread in product(("normal", "fide"), spreads):
        yield Case("ELO_DIFF", f"deviations {curve} {spread}", (0.625, curve, *spread))
    yield Case("ELO_OUTCOMES", "row", (ROW, 1800))
    yield Case("ELO_POINTS", "defaults", (1600, 1500))
    yield Case("ELO_POINTS", "blank points", (1600, 1500, None, 1, None))
    yield Case("ELO_POINTS", "negative points", (1600, 1500, 1, 0, -1))
    yield Case("ELO_POINTS", "points of a word", (1600, 1500, "x"))
    yield Case("ELO_POINTS", "points from cells", (1600, 1500, [[2], [None], [3]], 1, 0))


DRAW_MODELS = (
    *("davidson", "davidson:0.79", "davidson:0", "davidson:12"),
    *("rao-kupper", "rao-kupper:97.3", "rao-kupper:0", "rao-kupper:800"),
)
ODD_DRAWS = (
    *("Davidson", " DAVIDSON : 0,79 ", "davidson:", "rao-kupper: 1 000", "davidson:x"),
    *("davidson:-1", "davidson:1:2", "split:", "split:1", "margin", "margin:5", ":", ":5"),
)


def _match() -> Iterator[Case]:
    name = "ELO_MATCH"
    for kind, known in product(("exactly", "at least", "at most"), DRAW_MODELS):
        for model in ("normal", "rescaled"):
            yield Case(name, f"{kind} {known} {model}", (1834, 1900, 8, 4.5, kind, known, model))
    yield Case(name, "davidson with fide", (1834, 1900, 10, 4, "at least", "davidson", "fide"))
    kinds = ("exactly", "at least", "at most")
    for kind, draws in product(kinds, ("split", 0, 30)):
        for games, points in ((10, 3), (10, 10), (1, 0.5), (4, 0), (12, 7.5), (0, 0), (40, 21.5)):
            given = (1834, 1900, games, points, kind, draws)
            yield Case(name, f"{kind} {draws} {games} {points}", given)
    yield Case(name, "defaults", (1834, 1900, 10, 4))
    yield Case(name, "fide", (1834, 1900, 10, 4, "at least", "split", "fide"))
    yield Case(name, "margin with fide", (1834, 1900, 10, 4, "at least", 0, "fide"))
    yield Case(name, "quarter points", (1834, 1900, 10, 4.25))
    yield Case(name, "more points than games", (1834, 1900, 10, 10.5))
    yield Case(name, "points below 0", (1834, 1900, 10, -1))
    yield Case(name, "half a game", (1834, 1900, 9.5, 4))
    yield Case(name, "no games", (1834, 1900, -1, 0))
    yield Case(name, "unknown kind", (1834, 1900, 10, 4, "more"))
    yield Case(name, "column", (COLUMN, 1800, 8, 5, "at least"))
    yield Case(name, "table of points", (1834, 1900, 4, [[0, 0.5, 1], [1.5, 2, 4]], "at most", 25))
    for odd in ("blank", "empty text", "word", "division"):
        yield Case(name, f"rating {odd}", (ODD[odd], 1800, 10, 5))
        yield Case(name, f"games {odd}", (1834, 1800, ODD[odd], 5))
        yield Case(name, f"points {odd}", (1834, 1800, 10, ODD[odd]))


def _k() -> Iterator[Case]:
    name = "ELO_K"
    rng = random.Random(2)
    for rules in RULEBOOKS:
        for i in range(8):
            yield Case(
                name,
                f"{rules} {i}",
                (
                    rng.choice([1500, 2299.9, 2300, 2399, 2400, 2650]),
                    rng.choice([None, 0, 29, 30, 500]),
                    rng.choice([None, 10, 17, 18, 19]),
                    rng.choice([None, 0, 2301, 2405]),
                    rng.choice([None, 0, 17, 18, 36, 71, 0.5, 1000]),
                    rules,
                ),
            )
    for odd, value in ODD.items():
        yield Case(name, f"rating {odd}", (value, 50))
        yield Case(name, f"games {odd}", (2000, value))
        yield Case(name, f"age {odd}", (2000, 50, value))
        yield Case(name, f"peak {odd}", (2000, 50, 30, value))
        yield Case(name, f"period games {odd}", (2000, 50, 30, 2100, value))
    yield Case(name, "unknown rules", (2000, 50, 30, 2100, 5, "fide-1999"))
    yield Case(name, "column", ([[1500], [2350], [2450]], [[12], [40], [None]], [[17], [30], [15]]))
    yield Case(name, "column of rules", (1500, 12, 17, None, 40, [[r] for r in RULEBOOKS]))


def _new() -> Iterator[Case]:
    name = "ELO_NEW"
    for i, given in enumerate([(1800, 20, 5, 4), (1800, 40, 0.5, 0.64), (2500, 0, 1, 1)]):
        yield Case(name, str(i), given)
    for odd, value in ODD.items():
        for at, what in enumerate(("rating", "k", "score", "expected")):
            cells: list[Any] = [1800, 20, 5, 4]
            cells[at] = value
            yield Case(name, f"{what} {odd}", tuple(cells))
    yield Case(name, "column", (COLUMN, 20, [[1], [0.5], [None], [-1]], 0.5))
    yield Case(name, "two faults", ("abc", -1, 1, 1))
    yield Case(name, "a fault and a blank", (None, -1, 1, 1))


_OPPONENTS = [[1860, 1770, 2000, 2450, 1200, 1400.5]]
_SCORES = [[1, 0.5, 0, 0.5, 1, 1]]


def _lists() -> Iterator[Case]:
    rng = random.Random(4)
    for rules in RULEBOOKS:
        for rating in (1200, 1800, 2655, 2640):
            for name in ("ELO_CHANGE", "ELO_UPDATE")[: 1 + (rating == 2640)]:
                yield Case(name, f"{rules} {rating}", (rating, 20, _OPPONENTS, _SCORES, rules))
                yield Case(name, f"{rules} {rating} total", (rating, 10, _OPPONENTS, 3.5, rules))
                more = (
                    rng.choice([1, 3, 40]),
                    rng.choice([None, 12, 23, 40]),
                    rng.choice([None, 2405]),
                )
                for score in (_SCORES, 1.5):
                    cells = (rating, "auto", _OPPONENTS, score, rules, *more)
                    yield Case(name, f"{rules} {rating} auto {score is _SCORES}", cells)
        yield Case("ELO_INITIAL", rules, (_OPPONENTS, _SCORES, rules))
        for total in (0, 1.5, 4.5, 6):
            yield Case("ELO_INITIAL", f"{rules} total {total}", (_OPPONENTS, total, rules))
    for method in METHODS:
        yield Case("ELO_PERFORMANCE", method, (_OPPONENTS, _SCORES, method))
        yield Case("ELO_PERFORMANCE", f"{method} one", (2100, 0.5, method))
        yield Case("ELO_PERFORMANCE", f"{method} column", ([[1860], [1770]], [[1], [0.5]], method))
        for total in (0, 1.5, 3, 4.5, 6):
            yield Case("ELO_PERFORMANCE", f"{method} total {total}", (_OPPONENTS, total, method))
    for name, before, options in (
        ("ELO_CHANGE", (1800, 20), ("fide-2024-03", "elo")),
        ("ELO_UPDATE", (1800, 20), ("fide", "logistic")),
        ("ELO_PERFORMANCE", (), ("fide", "linear")),
        ("ELO_INITIAL", (), ("fide", "fide-2022-01")),
    ):
        for option, (what, lists) in product(options, _ODD_LISTS.items()):
            yield Case(name, f"{option} {what}", (*before, *lists, option))
        yield Case(name, "default option", (*before, _OPPONENTS, _SCORES))
        yield Case(name, "option in capitals", (*before, _OPPONENTS, _SCORES, options[1].upper()))
        yield Case(name, "unknown option", (*before, _OPPONENTS, _SCORES, "abc"))
        yield Case(name, "blank option", (*before, _OPPONENTS, _SCORES, None))
        both = [[options[0]], [options[1]], ["no"]]
        yield Case(name, "column of options", (*before, _OPPONENTS, _SCORES, both))
    for name in ("ELO_CHANGE", "ELO_UPDATE"):
        for odd, value in ODD.items():
            yield Case(name, f"rating {odd}", (value, 20, _OPPONENTS, _SCORES, "fide-2024-03"))
            yield Case(name, f"k {odd}", (1800, value, _OPPONENTS, _SCORES, "elo"))
        yield Case(name, "column of ratings", (COLUMN, 20, _OPPONENTS, _SCORES))
    yield Case(
        "ELO_UPDATE",
        "half away from zero",
        (2813, 10, [[1787, 2025, 2310, 2400, 2505]], [[1, 1, 1, 1, 0.5]], "fide-2025-10"),
    )
    yield Case("ELO_CHANGE", "no gap", (2605, 10, [[2010, 2100, 2500]], 2.5, "fide-rapid"))
    yield Case("ELO_CHANGE", "far apart", (2605, 10, [[2000, 2100]], [[1, 1]], "fide-rapid"))
    yield Case("ELO_CHANGE", "two cuts", (2600, 10, [[2100, 2050, 2600]], 2.5, "fide-2022-01"))
    rng = random.Random(3)
    for i in range(15):
        size = rng.randint(1, 12)
        met = [rng.choice([None, 0, rng.randint(1000, 2800)]) for _ in range(size)]
        won = [rng.choice([None, 0, 0.5, 1]) for _ in range(size)]
        lists = ([[m] for m in met], [[w] for w in won])
        rules, k = rng.choice(list(RULEBOOKS)), rng.choice([10, 20, 40])
        given = (rng.randint(1000, 2800), k, *lists, rules)
        method = rng.choice(METHODS)
        yield Case("ELO_CHANGE", f"random {i}", given)
        yield Case("ELO_UPDATE", f"random {i}", given)
        yield Case("ELO_PERFORMANCE", f"random {i} {method}", (*lists, method))
        yield Case("ELO_INITIAL", f"random {i} {rules}", (*lists, rules))


_ODD_LISTS: dict[str, tuple[Any, Any]] = {
    "blanks": ([[1860, None, 2000, 0]], [[1, 0.5, None, 1]]),
    "empty texts": ([[1860, "", 2000, 1500]], [[1, 0.5, "", 1]]),
    "all blank": ([[None, None]], [[None, None]]),
    "all unrated": ([[0, 0]], [[1, 0.5]]),
    "word among opponents": ([[1860, "abc"]], [[1, 0.5]]),
    "word among scores": ([[1860, 1900]], [[1, "abc"]]),
    "number as text": ([[1860, "1900"]], [[1, 0.5]]),
    "error among opponents": ([[1860, "#N/A"]], [[1, 0.5]]),
    "error among scores": ([[1860, 1900]], [[1, "#DIV/0!"]]),
    "score above 1": ([[1860, 1900]], [[1, 1.5]]),
    "score below 0": ([[1860, 1900]], [[1, -0.5]]),
    "score above 1 without an opponent": ([[1860, None]], [[1, 1.5]]),
    "sizes that do not fit": ([[1860, 1900, 2000]], [[1, 0.5]]),
    "row and column": ([[1860, 1900]], [[1], [0.5]]),
    "total": ([[1860, 1900, None]], 1.5),
    "total too high": ([[1860, 1900, None]], 2.5),
    "total below 0": ([[1860, 1900]], -1),
    "total blank": ([[1860, 1900]], None),
    "total empty text": ([[1860, 1900]], ""),
    "total a word": ([[1860, 1900]], "abc"),
    "total an error": ([[1860, 1900]], "#N/A"),
    "total without opponents": ([[None, 0]], 1),
    "nothing at all": ([[None, None]], None),
    "negative opponent": ([[1860, -300]], [[1, 0.5]]),
    "one game": (1860, 1),
    "tenths": ([[1860.3, 1799.5, 2000.7]], [[1, 0.5, 0]]),
}


def _score() -> Iterator[Case]:
    name = "ELO_SCORE"
    typed = (
        *("1", "0", "=", "½", "0,5", "0.5", ".5", "1.0", "0.0", "w", "W", "Win", "D", "draw", "L"),
        *("loss", "1-0", "0-1", "1:0", "½-½", "1/2-1/2", "0,5-0,5", "1 - 0", "1–0", "=-=", "W-L"),
        *("0.5:0.5", "+", "-", "+-", "+:-", "-/+", "H", "F", "U", "Z", "bye", "half-point bye"),
        *("*", "1F-0F", "wo", "w/o", "unplayed", "win-loss", "1/2", "won-lost", "draw-draw"),
        *("x", "2", "1-1", "0-0", "11/2", "1½", "1-", "?", "w*", "0.7", "+1", "n/a"),
    )
    for i, text in enumerate(typed):
        yield Case(name, f"{i} {text}", (text,))
        yield Case(name, f"{i} {text} second", (text, 2))
    for value in (1, 0, 0.5, 0.7, 2, -1):
        yield Case(name, f"number {value}", (value,))
        yield Case(name, f"number {value} second", (value, 2))
    for odd in ("blank", "empty text", "spaces", "true", "n/a", "division"):
        yield Case(name, f"result {odd}", (ODD[odd],))
    for side in (1, 2, 0, 3, 1.5, None, "", "x", "2"):
        yield Case(name, f"side {side!r}", ("1-0", side))
    yield Case(name, "minus sign", ("1\u22120",))
    yield Case(name, "no-break blank", ("1\u00a0-\u00a00",))
    yield Case(name, "text 0.50", ("0.50",))
    yield Case(name, "wide digits", ("\uff11-\uff10",))
    yield Case(name, "column", ([["1-0"], ["½"], [None], ["bye"], [0], ["x"]],))
    yield Case(name, "table", ([["1-0"], ["0-1"]], [[1, 2]]))


def _class() -> Iterator[Case]:
    name = "ELO_CLASS"
    for rating in (1, 1399.9, 1400, 1834, 2499, 2500, 3000):
        for language in CODES:
            yield Case(name, f"{language} {rating}", (rating, language))
    for odd, value in ODD.items():
        yield Case(name, f"rating {odd}", (value,))
    yield Case(name, "unknown language", (1834, "xx"))
    yield Case(name, "language in capitals", (1834, "ES"))
    yield Case(name, "column", (COLUMN, [["en", "es", None]]))


_FIELD = [
    ["Ana", 1800, 20, None, None, None],
    ["Bo", 2655, None, 200, 30, 2700],
    ["Cy", 1770, 40, 5, None, None],
    ["Dee", None, None, None, None, None],
    ["Eve", 2210, None, 12, 17, None],
]
_GAMES = [["Ana", "Bo", 1], ["Cy", "Ana", "½"], ["Dee", "Ana", "0-1"], ["Eve", "Dee", "1-0"],
          ["Bo", "Eve", "="], ["Cy", "Dee", 0], ["Dee", "Bo", "1/2"], ["Eve", "Cy", "+"],
          ["Dee", "Eve", "L"], ["Dee", "Cy", "1:0"], ["Bo", "Cy", None], [None, "Cy",
          1]]  # fmt: skip


def _period() -> Iterator[Case]:
    name = "ELO_PERIOD"
    for rules in ANY_K:
        # the roots of the normal model take their time
        field, games = (_TRIO, _ROUND) if rules == "elo" else (_FIELD, _GAMES)
        yield Case(name, rules, (field, games, rules))
    for what, (players, games) in _ODD_PERIODS.items():
        yield Case(name, what, (players, games, "fide-2024-03"))
    pair = [["Ana", 1800, 20], ["Bo", 1900, 20]]
    game = [["Ana", "Bo", 1]]
    for labels in (0, True, "x", None, "#N/A"):
        yield Case(name, f"labels {labels!r}", (pair, game, None, labels))
    for option in ("FIDE", "no", None, 5, "#N/A"):
        yield Case(name, f"rules {option!r}", (pair, game, option))
    yield Case(name, "defaults", (pair, game))
    many = [["A", 2000, 40], ["B", 2000, 39]]
    yield Case(name, "K times games", (many, [["A", "B", i % 2] for i in range(18)]))
    far = [["A", 2605, 10], ["B", 2005, 20], ["C", 2500, 10], ["D", None]]
    yield Case(
        name, "far apart", (far, [["A", "B", 1], ["A", "C", 0], ["D", "A", 1]], "fide-rapid")
    )
    own = [["A", 1500, "auto", 12], ["B", 1600, " AUTO ", 50], ["C", 1700, 20], ["D", 1700, "own"]]
    yield Case(name, "K auto", (own, [["A", "B", 1], ["C", "A", 0.5]]))
    cut = [["A", 2600, 10], ["B", 2100, 20], ["C", 2050, 20], ["D", 2650, 10]]
    met = [["A", "B", 1], ["A", "C", 0.5], ["D", "A", 0], ["D", "C", 1], ["B", "D", 0]]
    yield Case(name, "two cuts", (cut, met, "fide-2022-01"))
    rng = random.Random(4)
    for i in range(3):
        rated = [rng.choice([None, *[rng.randint(1000, 2800)] * 6]) for _ in range(8)]
        entrants = [[f"P{j}", rating] for j, rating in enumerate(rated)]
        sample = [rng.sample(range(8), 2) for _ in range(20)]
        played = [[f"P{a}", f"P{b}", rng.choice(["1-0", "0-1", "½", "+", 1, 0])] for a, b in sample]
        yield Case(name, f"random {i}", (entrants, played, ANY_K[i]))


_TRIO = [["Ana", 1800, 20], ["Bo", 1900, 20], ["Cy", 2000, 20]]
_ROUND = [["Ana", "Bo", 1], ["Bo", "Cy", 0.5], ["Cy", "Ana", 0]]
_ODD_PERIODS: dict[str, tuple[Any, Any]] = {
    "case and spaces": ([[" Ana  Bel", 1800, 20], ["BO", 1900, 20]], [["ana bel", "bo ", 1]]),
    "a number for a name": ([[12, 1800, 20], ["Bo", 1900, 20]], [[12, "Bo", 1]]),
    "no games": (_TRIO, [[None, None, None]]),
    "a blank player": ([*_TRIO, [None, 1500, 20]], _ROUND),
    "a blank player with a fault": ([*_TRIO, ["", "x", 20]], _ROUND),
    "a name twice": ([*_TRIO, ["ana", 1500, 20]], _ROUND),
    "an error for a name": ([*_TRIO, ["#N/A", 1500, 20]], _ROUND),
    "a word for a rating": ([["Ana", "x", 20], *_TRIO[1:]], _ROUND),
    "an error for a rating": ([["Ana", "#DIV/0!", 20], *_TRIO[1:]], _ROUND),
    "K below 0": ([["Ana", 1800, -20], *_TRIO[1:]], _ROUND),
    "K of 0": ([["Ana", 1800, 0], *_TRIO[1:]], _ROUND),
    "rating 0": ([["Ana", 0, 20], *_TRIO[1:]], _ROUND),
    "rating as text": ([["Ana", "1 800,5", 20], *_TRIO[1:]], _ROUND),
    "a stranger": (_TRIO, [*_ROUND, ["Ana", "Zoe", 1]]),
    "two strangers": (_TRIO, [*_ROUND, ["Xan", "Zoe", 1]]),
    "an error for an opponent": (_TRIO, [*_ROUND, ["Ana", "#REF!", 1]]),
    "an error and a stranger": (_TRIO, [*_ROUND, ["#REF!", "Zoe", 1]]),
    "against themselves": (_TRIO, [*_ROUND, ["Ana", "Ana", 1]]),
    "a word for a result": (_TRIO, [*_ROUND, ["Ana", "Bo", "huh"]]),
    "an error for a result": (_TRIO, [*_ROUND, ["Ana", "Bo", "#NUM!"]]),
    "a number that is no result": (_TRIO, [*_ROUND, ["Ana", "Bo", 0.7]]),
    "no results": (_TRIO, [["Ana", "Bo"], ["Bo", "Cy"]]),
    "one player": ([["Ana", 1800, 20]], [["Ana", "Zoe", 1]]),
    "one player without games": ([["Ana", 1800, 20]], [[None, None, None]]),
    "names and ratings only": ([["Ana", 1800], ["Bo", 2450]], [["Ana", "Bo", 1]]),
    "names only": ([["Ana"], ["Bo"]], [["Ana", "Bo", 1]]),
    "faults of age and peak": (
        [["Ana", 1800, None, 40, -1, None], ["Bo", 1900, None, 40, 17, "x"], ["Cy", 2000]],
        _ROUND,
    ),
    "a first rating": (
        [["New", None], *[[f"P{i}", 1700 + 50 * i, 20] for i in range(6)]],
        [["New", f"P{i}", i % 2] for i in range(6)],
    ),
}


def _bridge() -> Iterator[Case]:
    name = "ELO_BRIDGE"
    four = (1600, 1500, 1550, 1450)
    yield Case(name, "percent", (*four, 58))
    yield Case(name, "imp", (1500, 1500, 1500, 1500, 12, 0, 0.004, 5, 100))
    yield Case(name, "four deviations", (*four, 58, None, None, None, [[200, 60, 120, 120]]))
    yield Case(name, "some deviations", (*four, 58, None, None, None, [[200, None, 120, None]]))
    yield Case(name, "column", ([[1600], [1500], [None]], *four[1:], 58))
    yield Case(name, "deviation of 0", (*four, 58, None, None, None, 0))
    yield Case(name, "result of a word", (*four, "x"))
    yield Case(name, "an unrated player", (0, *four[1:], 58))


def _bayes() -> Iterator[Case]:
    name = "ELO_BAYES"
    models = ("normal", "logistic", "rescaled")
    for model, score in product(models, (1, 0.5, 0)):
        for i, (pair, sds) in enumerate(product(((1834, 2179), (1500, 1500)), _DEVIATIONS)):
            yield Case(name, f"{model} {score} {i}", (*pair, score, *sds, "split", model))
        yield Case(name, f"{model} {score} upset", (1000, 2400, score, 120, 60, "split", model))
    for draws, score in product(DRAW_MODELS, (1, 0.5, 0)):
        for i, model in enumerate(models):
            given = (1834, 1900 + 200 * i, score, 120, 80, draws, model)
            yield Case(name, f"{draws} {score} {model}", given)
    yield Case(name, "one deviation", (1600, 1500, 1, 100))
    yield Case(name, "score as text", (1600, 1500, "1", 100))
    for what, cells in {
        "no score": (1600, 1500, None, 100),
        "no deviation": (1600, 1500, 1, ""),
        "unrated": (0, 1500, 1, 100),
        "score of 0.7": (1600, 1500, 0.7, 100),
        "score of 2": (1600, 1500, 2, 100),
        "deviation of 0": (1600, 1500, 1, 0),
        "opponent's deviation of 0": (1600, 1500, 1, 100, 0),
        "word": ("abc", 1500, 1, 100),
        "error": (1600, "#N/A", 1, 100),
        "margin": (1600, 1500, 1, 100, None, 20),
        "model in a cell": (1600, 1500, 1, 100, None, None, "logistic"),
        "columns": (1600, [[1500], [1650]], 1, 100),
    }.items():
        yield Case(name, what, cells)


_DEVIATIONS = ((100, 50), (30, 350), (350, 350))


_MATCHES: dict[str, tuple[tuple[int, int], ...]] = {
    "world-football": ((0, 0), (1, 0), (2, 0), (0, 3), (7, 1), (2, 3)),
    "fifa": ((0, 0), (1, 0), (2, 3)),
    "world-rugby": ((12, 12), (27, 20), (10, 35), (20, 36), (15, 0)),
    "world-rugby-2026-07": ((12, 12), (10, 35)),
    "fivb": ((3, 0), (3, 1), (3, 2), (2, 3), (1, 3), (0, 3)),
    "usatt": ((3, 0), (2, 4), (1, 0)),
}
_SIDES = {
    "fivb": ((400, 350), (80.5, 410)),
    **dict.fromkeys(("world-rugby", "world-rugby-2026-07"), ((92.78, 90.36), (60, 75.5))),
}


def _exchange() -> Iterator[Case]:
    name = "ELO_EXCHANGE"
    for rules, results in _MATCHES.items():
        sides = _SIDES.get(rules, ((1807, 1355), (1500, 1512.5), (1300, 1640)))
        for i, (pair, result) in enumerate(product(sides, results)):
            yield Case(name, f"{rules} {i}", (*pair, *result, rules))
            weight = None if rules == "usatt" else 2
            yield Case(name, f"{rules} {i} at home", (*pair, *result, rules, weight, 1 - i % 3))
    for i, (result, knockout, shootout) in enumerate(
        product(((1, 1), (2, 1)), (0, 1, True, False), (None, 0, 1, 2))
    ):
        match = (1700, 1500, *result, "fifa", 50, None, knockout, shootout)
        yield Case(name, f"knockout {i}", match)
    for odd, value in ODD.items():
        for at, what in enumerate(("rating", "opponent", "scored", "conceded")):
            cells: list[Any] = [1500, 1600, 2, 1]
            cells[at] = value
            yield Case(name, f"{what} {odd}", tuple(cells))
        for rules in ("fifa", "world-rugby"):
            yield Case(name, f"{rules} weight {odd}", (80, 75, 3, 2, rules, value))
        yield Case(name, f"venue {odd}", (1500, 1600, 2, 1, None, 20, value))
        yield Case(name, f"knockout {odd}", (1500, 1600, 0, 1, "fifa", 20, 0, value))
        yield Case(name, f"shootout {odd}", (1500, 1600, 1, 1, "fifa", 20, 0, 0, value))
    for what, given in {
        "defaults": (1500, 1600, 2, 1),
        "rules in capitals": (1500, 1600, 2, 1, "FIFA"),
        "unknown rules": (1500, 1600, 2, 1, "cricket"),
        "half a goal": (1500, 1600, 0.5, 1),
        "four sets": (300, 310, 4, 1, "fivb"),
        "three sets each": (300, 310, 3, 3, "fivb"),
        "two sets": (300, 310, 2, 1, "fivb"),
        "a draw of table tennis": (1500, 1510, 2, 2, "usatt"),
        "a weight of table tennis": (1500, 1510, 2, 1, "usatt", 20),
        "a weight of rugby": (80, 81, 20, 10, "world-rugby", 3),
        "sets as texts": (300, 310, "3", "1", "fivb"),
        "a narrow win of the stronger": (450, 100, 3, 2, "fivb"),
        "column": (COLUMN, 1600, 2, [[0], [1], [2], [None]]),
        "column of rules": (450, 380, 3, 1, [[r] for r in (*_MATCHES, None, "no")]),
        "column of weights": (450, 380, 3, 1, "fifa", [[5], [None], [-1], ["x"]]),
        "column of shootouts": (450, 380, 1, 1, "fifa", 60, 0, [[0], [1], [1]], [[0], [1], [2]]),
    }.items():
        yield Case(name, what, given)


def _glicko() -> Iterator[Case]:
    games = _MET, _MET_RDS, _WON
    for name, own in (("ELO_GLICKO", (1500, 200)), ("ELO_GLICKO2", (1500, 200, 0.06))):
        yield Case(name, "no games", (*own, None, None, None))
        yield Case(name, "column", ([[1500], [None], [1620.5], ["x"]], *own[1:], *games))
        yield Case(name, "row of deviations", (own[0], [[30, 350, -1]], *own[2:], *games))
        for odd, value in ODD.items():
            for at in range(len(own)):
                cells: list[Any] = [*own, *games]
                cells[at] = value
                yield Case(name, f"argument {at} {odd}", tuple(cells))
        for what, lists in _ODD_COLUMNS.items():
            yield Case(name, what, (*own, *lists))
        rng = random.Random(5)
        for i in range(12):
            size = rng.randint(1, 9)
            met = [[rng.choice([None, 0, *[rng.randint(800, 2800)] * 8])] for _ in range(size)]
            rds = [[rng.choice([None, *[rng.uniform(25, 350)] * 8])] for _ in range(size)]
            won = [[rng.choice([None, 0, 0, 0.5, 0.5, 1, 1])] for _ in range(size)]
            before = rng.randint(800, 2800), rng.uniform(25, 350), rng.uniform(0.02, 0.2)
            yield Case(name, f"random {i}", (*before[: len(own)], met, rds, won))
    for growth, periods in (
        (63.2, None),
        (63.2, 4),
        (0, 9),
        (100, 0.5),
        (300, 2),
        (-1, 1),
        (1, -1),
    ):
        yield Case("ELO_GLICKO", f"c {growth} {periods}", (1500, 50, *games, growth, periods))
    yield Case("ELO_GLICKO", "column of growths", (1500, 50, *games, [[10], [None], ["x"], [-1]]))
    yield Case("ELO_GLICKO", "deviation of 400", (1500, 400, *games))
    for tau in (0.2, 1.2, 5, None, 0, -1, "x"):
        yield Case("ELO_GLICKO2", f"tau {tau!r}", (1500, 200, 0.06, *games, tau))
    yield Case("ELO_GLICKO2", "upset", (1500, 30, 0.06, 2700, 30, 1))
    yield Case(
        "ELO_GLICKO2", "great upset", (800, 350, 0.3, [[2800], [2900]], [[30], [30]], [[1], [1]])
    )
    yield Case("ELO_GLICKO2", "no upset possible", (1500, 30, 1, 90000, 30, 1, 2))


_MET = [[1400], [1550], [1700]]
_MET_RDS = [[30], [100], [300]]
_WON = [[1], [0], [0]]

_ODD_COLUMNS: dict[str, tuple[Any, Any, Any]] = {
    "rows": ([[1400, 1550]], [[30, 100]], [[1, 0.5]]),
    "one game": (1400, 30, 1),
    "blanks": (
        [[1400], [None], [1550], [1600], [0]],
        [[30], [50], [None], [60], [70]],
        [[1], [1], [1], [None], [1]],
    ),
    "empty texts": ([[1400], [""]], [[30], [""]], [[1], [""]]),
    "all blank": ([[None], [None]], [[None], [None]], [[None], [None]]),
    "an unrated opponent": ([[1400], [0]], [[30], [350]], [[1], [1]]),
    "lists negative opponent": ([[1400], [-300]], [[30], [30]], [[1], [0]]),
    "a deviation of 0": (_MET, [[30], [0], [300]], _WON),
    "a deviation below 0": (_MET, [[30], [-100], [300]], _WON),
    "a score above 1": (_MET, _MET_RDS, [[1], [1.5], [0]]),
    "a score below 0": (_MET, _MET_RDS, [[1], [-0.5], [0]]),
    "a tenth": (_MET, _MET_RDS, [[1], [0.1], [0]]),
    "a word among opponents": ([[1400], ["x"], [1700]], _MET_RDS, _WON),
    "a word among deviations": (_MET, [[30], ["x"], [300]], _WON),
    "a word among scores": (_MET, _MET_RDS, [[1], ["x"], [0]]),
    "an error among opponents": ([[1400], ["#N/A"], [1700]], _MET_RDS, _WON),
    "an error among deviations": (_MET, [[30], ["#DIV/0!"], [300]], _WON),
    "an error among scores": (_MET, _MET_RDS, [[1], ["#REF!"], [0]]),
    "lists number as text": ([[1400], ["1550"]], [[30], [100]], [[1], [0]]),
    "lists sizes that do not fit": (_MET, _MET_RDS, [[1], [0]]),
    "lists row and column": ([[1400, 1550]], [[30], [100]], [[1, 0]]),
}


def _needed() -> Iterator[Case]:
    name = "ELO_NEEDED"
    rng = random.Random(6)
    for rules in RULEBOOKS:
        for target in (1700, 1830, 1871, 2500):
            k = 20 if rules in ANY_K else "auto"
            yield Case(name, f"{rules} {target}", (1843, k, _OPPONENTS, target, rules))
        yield Case(name, f"{rules} any k", (1843, 20, _OPPONENTS, 1850, rules))
    for odd, value in ODD.items():
        yield Case(name, f"rating {odd}", (value, 20, _OPPONENTS, 1850))
        yield Case(name, f"k {odd}", (1843, value, _OPPONENTS, 1850))
        yield Case(name, f"target {odd}", (1843, 20, _OPPONENTS, value))
        yield Case(name, f"lists opponent {odd}", (1843, 20, [[1900, value]], 1850, "elo"))
    yield Case(name, "column", (1843, 20, _OPPONENTS, [[1843], [None], [1850.5], ["x"], [1900]]))
    yield Case(name, "row of ratings", (ROW, 20, _OPPONENTS, [[1500], [1725], [2330]], "logistic"))
    yield Case(name, "column of rules", (1843, 20, _OPPONENTS, 1850, [["fide"], ["elo"], ["no"]]))
    yield Case(name, "no opponents", (1843, 20, [[None, 0]], 1843))
    yield Case(name, "no opponents and more", (1843, 20, [[None, 0]], 1844))
    yield Case(name, "one opponent", (1843, 20, 1900, 1850))
    yield Case(name, "one opponent in a row", (1843, 20, [[1900]], 1845, "elo"))
    yield Case(name, "k 0", (1843, 0, _OPPONENTS, 1843))
    for i in range(15):
        met = [
            [rng.choice([None, 0, *[rng.randint(1000, 2800)] * 8])]
            for _ in range(rng.randint(1, 9))
        ]
        rating, k = rng.randint(1000, 2800), rng.choice([10, 20, 40])
        yield Case(name, f"random {i}", (rating, k, met, rating + rng.randint(-40, 60)))


_CHANCES = [[0.61, 0.5, 0.87, 0.115, 0.3, 0.29]]
_RESULTS = [[1, 0.5, 1, 0, 1, 0]]

_ODD_CHANCES: dict[str, tuple[Any, Any]] = {
    "row": (_CHANCES, _RESULTS),
    "one game": (0.7, 1),
    "blanks": ([[0.6, None, 0.4, 0.2]], [[1, 1, None, 0]]),
    "empty texts": ([[0.6, "", 0.4]], [[1, 1, 0]]),
    "all blank": ([[None, None]], [[None, None]]),
    "sure and right": ([[0, 1, 0.5]], [[0, 1, 1]]),
    "sure and wrong": ([[0, 1, 0.5]], [[1, 0.5, 1]]),
    "a chance above 1": ([[0.6, 1.2]], [[1, 0]]),
    "a chance below 0": ([[0.6, -0.1]], [[1, 0]]),
    "a score above 1": ([[0.6, 0.2]], [[1, 2]]),
    "a score below 0": ([[0.6, 0.2]], [[1, -0.5]]),
    "a word among chances": ([[0.6, "x"]], [[1, 0]]),
    "a word among scores": ([[0.6, 0.5]], [[1, "x"]]),
    "an error among chances": ([[0.6, "#N/A"]], [[1, 0]]),
    "an error among scores": ([[0.6, 0.5]], [[1, "#DIV/0!"]]),
    "lists number as text": ([[0.6, "0,5"]], [[1, 0]]),
    "lists sizes that do not fit": ([[0.6, 0.5, 0.4]], [[1, 0]]),
    "lists row and column": ([[0.6, 0.5]], [[1], [0]]),
}


def _predictions() -> Iterator[Case]:
    rng = random.Random(7)
    some = [
        [[rng.randint(0, 100) / 100] for _ in range(40)],
        [[rng.randint(0, 2) / 2] for _ in range(40)],
    ]
    for name in ("ELO_LOGLOSS", "ELO_BRIER", "ELO_CALIBRATION"):
        more = (4,) if name == "ELO_CALIBRATION" else ()
        for what, cells in _ODD_CHANCES.items():
            yield Case(name, what, (*cells, *more))
        yield Case(name, "random", tuple(some))
    name = "ELO_CALIBRATION"
    for bins in (1, 2, 5, 29, 0, -1, 2.5, 1001, "x", "#N/A", "4"):
        yield Case(name, f"{bins!r} bins", (*some, bins))
    yield Case(name, "defaults", tuple(some))
    for labels in (True, 0, "x", "#REF!"):
        yield Case(name, f"labels {labels!r}", (*some, 4, labels))


def _season(rng: random.Random, games: int) -> list[list[Any]]:
    """Games of five players with margin, season and neutral ground."""
    found = []
    for i in range(games):
        one, two = rng.sample("ABCDE", 2)
        result, margin = rng.choice(
            [(1, 1), ("0-1", 2), ("½", 0), (0, 3), ("1-0", 14), (0.5, None)]
        )
        ground = rng.choice([None, None, True])
        found.append([one, two, result, margin, f"S{i * 3 // games}" if i % 2 == 0 else "", ground])
    return found


def _doubles(rng: random.Random, games: int) -> list[list[Any]]:
    """Games of sides of one to three, with changing partners."""
    found = []
    for _ in range(games):
        who = rng.sample("ABCDEF", rng.randint(2, 5))
        cut = rng.randint(1, min(3, len(who) - 1))
        sides = " & ".join(who[:cut]), "&".join(who[cut:]).lower()
        found.append([*sides, rng.choice([1, 0.5, 0])])
    return found


_FIRST = [["A", 1800], ["c", 1650.5], ["Nobody", 1700], ["E", None]]
_BY_GAMES = [[10, 16], [0, 40], ["B", 5], [3, 24]]
_WRONG_GAMES: list[list[Any]] = [
    *(["A", "B", 1], ["a", " A", 1], ["A", None, 1], ["A", "B", None], ["A", "B", "won it"]),
    *(["A", "B", 3], ["Dup", "B", 1], ["Bad", "B", 0], ["B", "C", "½"], ["#REF!", "D", 1]),
]
_WRONG_FIRST = [["A", 1600], ["Dup", 1500], ["dup", 1400], ["Bad", "x"], [None, None], ["C", 0]]
_POINTS: list[list[Any]] = [
    *(["A", "B", "11:7", None], ["B", "C", " 3 : 11 ", 2], ["A", "C", "1:1", " "]),
    *(["C", "A", "1:0", None], ["A", "B", "0:0", None], ["A", "D", "4:", 1], ["B", "A", None, 1]),
]
_PAIR: list[list[Any]] = [["A", "B", 1], ["B", "A", 0]]


def _runs() -> Iterator[Case]:
    """The options of ELO_RUN; ELO_LADDER has one more, the headings."""
    rng = random.Random(45)
    season, doubles = _season(rng, 14), _doubles(rng, 12)
    weights = [[rng.choice([None, 1, 2, 0.5, 0])] for _ in doubles]
    none = (None, None, None)
    cases_: dict[str, tuple[Any, ...]] = {
        "season": (season,),
        "logistic": (season, 32, 1000, 35, "Logistic"),
        "a scale": (season, 32, 1000, 0, "logistic:300"),
        "another scale": (season, 32, None, 0, "normal:250,5"),
        "table 8.1.2": (season, 10, 1800, 35, "fide"),
        "log": (season, 20, 1505, 65, "logistic", "log", 1 / 3, 1500),
        "goals": (season, 20, _FIRST, 100, "rescaled", "goals", 0.25),
        "K by games": (season, _BY_GAMES, _FIRST, None, "logistic"),
        "sides": (doubles, 32, _FIRST, None, "logistic", *none, "&"),
        "sums of sides": (doubles, _BY_GAMES, 1200, None, "logistic:800", *none, "& : Sum"),
        "weights": (doubles, 1, None, None, None, *none, "&", weights),
        "one weight": (season, 24, *none, None, None, None, None, 1.5),
        "winners and losers": ([["A", "B"], ["B", "C"], ["A", "C"]],),
        "rows that cannot be read": (_WRONG_GAMES, None, _WRONG_FIRST),
        "sides that cannot be": ([["A & B", "b", 1], ["A &", "C", 1], ["C", "D", 1]], *none, None,
            *none, "&"),
        "no margin": ([["A", "B", 1, None], ["A", "B", 0.5, None], ["A", "B", 1, "x"]], *none, None,
            "log"),
        "points in a cell": (_POINTS, 32, None, 0, "logistic", "log"),
        "points in chess": ([["A", "B", "1:0"], ["B", "A", " 0 : 1"]], *none, None, "goals"),
        "a weight below 0": (_PAIR, *none, None, *none, None, [[-1], [1]]),
        "too many weights": (_PAIR, *none, None, *none, None, [[1], [1], [1]]),
        "a column of K": (_PAIR, [[1], [2]]),
        "K twice": (_PAIR, [[0, 20], [0, 30]]),
        "K below 0": (_PAIR, [["A", -1]]),
        "a K of text": (_PAIR, [[0, "x"]]),
        "a scale of 0": (_PAIR, *none, "logistic:0"),
        "a scale of a table": (_PAIR, *none, "fide:300"),
        "unknown margin": (_PAIR, *none, None, "sets"),
        "reversion of 2": (_PAIR, *none, None, None, 2),
        "home of text": (_PAIR, None, None, "x"),
    }  # fmt: skip
    for what, given in cases_.items():
        yield Case("ELO_RUN", what, given)
        yield Case("ELO_LADDER", what, (*given[:5], *[None] * (5 - len(given)), True, *given[5:]))
    yield Case("ELO_LADDER", "no game", ([[None, None, None]],))
    yield Case("ELO_LADDER", "no game, but first ratings", ([[None, None, None]], None, _FIRST))
    yield Case("ELO_LADDER", "nobody", ([["A", "B", 1], ["#REF!", "#N/A", 1]],))


def _places() -> Iterator[Case]:
    name, rng = "ELO_PLACES", random.Random(46)
    tables = []
    for _ in range(7):
        who = rng.sample("ABCDEF", rng.randint(2, 5))
        shares = [i > 0 and rng.random() < 0.3 for i in range(len(who))]
        row = [f"={x}" if share else x for x, share in zip(who, shares, strict=True)]
        tables.append([*row, *[None] * (5 - len(row))])
    sides = [["A & B", "C", "D & E"], ["C & A", "B & D ="], ["E", "A&C", None]]
    cases_: dict[str, tuple[Any, ...]] = {
        "tables": (tables,),
        "headings": (tables, 32, 1500, "logistic", True),
        "K by games": (tables, _BY_GAMES, _FIRST, "logistic:300"),
        "table 8.1.2": (tables, 10, 1800, "fide"),
        "sides": (sides, 32, None, "logistic", None, "&"),
        "sums of sides": (sides, 32, None, "rescaled", None, "&:sum"),
        "multielo": ([["A", "B", "C"]], 128 / 3, [["A", 1200], ["B", 900], ["C", 1000]],
            "logistic"),
        "gaps": ([["A", None, "B", "", 7]],),
        "a place shared with nobody": ([["=A", "B"], ["C", "D"]],),
        "twice at a table": ([["A", "B", "a"], ["C", "D", None]],),
        "an error in a table": ([["A", "#REF!"], ["B", "C"]],),
        "nobody": ([["#REF!", "#N/A"], ["B", "C"]],),
        "no table": ([["A", None], [None, None]],),
        "first ratings that cannot be read": ([["A", "B"], ["C", "D"]], None, _WRONG_FIRST),
        "K below 0": ([["A", "B"]], -1),
        "unknown model": ([["A", "B"]], None, None, "x"),
    }  # fmt: skip
    for what, given in cases_.items():
        yield Case(name, what, given)


def _teams() -> Iterator[Case]:
    name, rng = "ELO_TEAMS", random.Random(47)
    for players, sides in ((2, 2), (5, 2), (8, 2), (9, 3), (7, 4), (17, 2)):
        names = [[f"P{i}"] for i in range(players)]
        ratings = [[rng.randint(900, 2000)] for _ in names]
        yield Case(name, f"{players} in {sides}", (names, ratings, sides))
    trio = [["Ana"], ["Bo"], ["Cy"]]
    cases_: dict[str, tuple[Any, ...]] = {
        "a row of equals": ([["A", "B", "C", "D"]], [[1500] * 4]),
        "not everybody is there": ([["Ana"], [None], ["Cy"]], [[1500.5], [1600], [1400]]),
        "a rating is missing": (trio, [[1500], [None], [1400]]),
        "a rating of text": (trio, [[1500], ["x"], [1400]]),
        "a name twice": ([["Ana"], ["ana"], ["Cy"]], [[1500], [1600], [1400]]),
        "an error among names": ([["Ana"], ["#REF!"], ["Cy"]], [[1500], [1600], [1400]]),
        "sizes that do not fit": (trio, [[1500], [1600]]),
        "four sides of three": (trio, [[1500], [1600], [1400]], 4),
        "one side": (trio, [[1500], [1600], [1400]], 1),
        "half a side": (trio, [[1500], [1600], [1400]], 2.5),
    }
    for what, given in cases_.items():
        yield Case(name, what, given)


_FIVE: list[list[Any]] = [
    *(["A", "B", 1], ["B", "C", "½"], ["C", "D", "1-0"], ["D", "E", 0], ["E", "A", 0.5]),
    *(["A", "C", 1], ["B", "D", 0], ["C", "E", 0.5], ["D", "A", "0-1"], ["E", "B", 1]),
    *(["B", "A", 0.5], ["C", "B", 0], ["D", "C", 1], ["E", "D", 0.5], ["A", "E", 1]),
]
_WINNERS = [[*pair] for pair in ("AB", "AB", "BC", "CA", "BA", "CB", "AC", "BC")]
_GROUPS: list[list[Any]] = [
    *(["A", "B", 1], ["B", "A", 1], ["C", "D", 0.5], ["D", "C", 1], ["D", "C", 0], ["C", "E", 1]),
    *(["A", "Low", 1], ["", "Z", 1], ["A", "B", "+"]),
]


def _fit() -> Iterator[Case]:
    name = "ELO_FIT"
    several = [["B", 1700], ["D", None], ["A", 1500]]
    counts = [[i % 4] for i in range(len(_FIVE))]
    none = (None, None, None)
    cases_: dict[str, tuple[Any, ...]] = {
        "draws ignored": (_FIVE, None, None, "ignore"),
        "an anchor": (_FIVE, " c ", 1800, None, True),
        "an anchor, draws ignored": (_FIVE, "C", 1800, "ignore"),
        "several anchors": (_FIVE, several, 1600),
        "several anchors, draws ignored": (_FIVE, several, 1600, "ignore", None, "none"),
        "nobody's advantage": (_FIVE, *none, None, "none"),
        "a known advantage": (_FIVE, *none, None, "35,5"),
        "counts": (_FIVE, *none, None, None, counts),
        "counts, draws ignored": (_FIVE, None, None, "ignore", None, 0, counts),
        "winners and losers": (_WINNERS, None, None, "ignore"),
        "winners and losers, by default": (_WINNERS,),
        "groups": (_GROUPS, *none, True),
        "anchors in two groups": (_GROUPS, [["A", 1500], ["C", 1600]], *none, "none"),
        "all drawn": ([["A", "B", 0.5], ["B", "A", 0.5]],),
        "only colours": ([["A", "B", 1], ["A", "B", 0]],),
        "no game": ([[None, None, None]], *none, True),
        "an unknown anchor": (_FIVE, "Zoe"),
        "an anchor twice": (_FIVE, [["A", 1500], ["a", 1600]]),
        "half a game": (_FIVE, *none, None, None, 0.5),
        "too few counts": (_FIVE, *none, None, None, [[1], [2]]),
        "unknown home": (_FIVE, *none, None, "all"),
        "a result of text": ([*_FIVE, ["A", "B", "x"]],),
        "a rating of text": (_FIVE, None, "x"),
    }
    for what, given in cases_.items():
        yield Case(name, what, given)
