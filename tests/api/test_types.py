"""The types of the front door, as a client's type checkers see them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from typing import Final

import pytest

from elo_xl.club.exporting import FORMATS
from elo_xl.engine.bayes import METHODS as BRIDGE_METHODS
from elo_xl.engine.bayes import SCALES
from elo_xl.engine.exchange import RULES
from elo_xl.engine.fit import DRAWS
from elo_xl.engine.outcomes import KINDS, PARAMETERS, SPLIT
from elo_xl.engine.performance import METHODS
from elo_xl.engine.rulebooks import RULEBOOKS
from elo_xl.engine.systems import SIDES
from elo_xl.engine.usual import MARGINS, MODELS
from elo_xl.hosts import FLAVOURS
from elo_xl.languages import CODES
from elo_xl.templates.gallery import TEMPLATES
from tests.support import ROOT
from tests.support.javascript import NODE, PACKAGES

TABLES: Final[dict[str, Iterable[str]]] = {
    "BridgeMethod": BRIDGE_METHODS, "DrawModel": (SPLIT, *PARAMETERS), "ExchangeRules": RULES,
    "FileFormat": FORMATS, "FitDraws": DRAWS, "Flavour": FLAVOURS, "LanguageCode": CODES,
    "Margin": MARGINS, "MatchKind": KINDS, "Method": METHODS, "Model": MODELS,
    "RulebookName": RULEBOOKS, "Scale": SCALES, "SideRating": SIDES, "TemplateName": TEMPLATES,
}  # fmt: skip
HEAD: Final = '''"""The words that options take, for type checkers: `make regenerate` writes them.

Nothing imports them at run time, where the tables count from which they are taken.
"""

from typing import Literal

'''


@pytest.mark.snapshot
def test_words_are_those_of_the_tables():
    text = HEAD
    for name, table in TABLES.items():
        words = [f'"{word}"' for word in table]
        line = f"{name} = Literal[{', '.join(words)}]\n"
        lines = "".join(f"    {word},\n" for word in words)
        text += line if len(line) < 102 else f"{name} = Literal[\n{lines}]\n"
    path = ROOT / "elo_xl" / "words.py"
    if os.environ.get("ELO_XL_SNAPSHOTS") == "write":
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, "ELO_XL_SNAPSHOTS=write renews it"


CLIENT: Final = """
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple, assert_type

import numpy as np
import numpy.typing as npt
import polars as pl
from matplotlib.axes import Axes

import elo_xl as elo

Array = npt.NDArray[np.float64]
column = pl.Series([1500.0, None])
frame = pl.DataFrame({"white": ["Ana"], "black": ["Bo"], "result": ["1-0"]})
columns = {"white": ["Ana"], "black": ["Bo"], "result": ["1-0"]}


def win(a: float, b: float) -> float:
    return elo.expected(a, b, model="logistic")


def mean(unknown: Any) -> Any:
    return elo.expected(unknown, 1500).mean() + elo.rate_period(unknown, unknown).height


def report(rated: elo.Rated, fitted: elo.Fit[Any], checked: elo.Check, event: elo.Event) -> float:
    return max(checked.best.log_loss, fitted.home)


assert_type(elo.expected(1500, 1400), float)
assert_type(elo.expected([1500, None], 1400), Array)
assert_type(elo.expected(np.array([1500]), 1400.5, home=60), Array)
assert_type(elo.expected([1500, 1600], column), pl.Series)
assert_type(elo.expected(1500, 1400, home=column), pl.Series)
assert_type(elo.outcomes(1600, 1500, draws="davidson:0.79").win, float)
assert_type(elo.outcomes(column, 1500, draws=20).win, pl.Series)
assert_type(elo.k_factor(2350, played=None, rules="fide-2022-01"), float)
assert_type(elo.explain(1500, "auto", column, [1, "½"]).change, float)
assert_type(elo.needed([1500, 1600], 20, [1400], 1510), Array)
assert_type(elo.performance([1500, 1600], ["½", "1"]), float)
assert_type(elo.match_odds(1500, 1400, 10, [2.5, 3], kind="at least"), Array)
assert_type(elo.rate_period(columns, frame), pl.DataFrame)
assert_type(elo.fit(frame, draws="ignore").players, pl.DataFrame)
assert_type(elo.fit(columns).predict(frame), Any)
assert_type(elo.Elo(k=24).rate(frame), elo.Rated)
assert_type(elo.plot(elo.Elo().rate(frame).history, ["Ana"]), Axes)
assert_type(elo.log_loss([0.5], column), float)
assert_type(elo.rate_period([columns], dict(name=["Ana"], rating=[1500])), dict[str, Any])
elo.new_workbook("swiss", language="es").save("swiss.xlsx")


class Match(NamedTuple):
    white: str
    black: str
    result: float
    date: str


@dataclass
class Service:
    # a small service for leagues, with every kind of value that elo_xl gives

    model: elo.System = field(default_factory=lambda: elo.Elo(k=24, home=60, margin="log"))
    matches: list[Match] = field(default_factory=list[Match])
    rated: elo.Rated | None = None

    def add(self, match: Match) -> elo.Rated:
        self.matches.append(match)
        if self.rated is None:
            self.rated = self.model.rate(self.matches)
        else:
            self.rated = self.rated.update([match])
        return self.rated

    def chances(self, one: float, two: float) -> tuple[float, float, float]:
        win, draw, loss = elo.outcomes(one, two, draws="davidson:0.7", model="logistic")
        return win, draw, loss

    def matrix(self, ratings: Sequence[float]) -> Array:
        column = np.array(ratings)
        return elo.expected(column[:, None], column[None, :], model="logistic")

    def loss(self, first_day: date) -> float:
        found: elo.Evaluation = elo.evaluate(self.model, self.matches, after=first_day)
        low: list[float] = found.calibration(bins=5)["low"]
        return found.log_loss - found.base + min(low)


SYSTEMS: Mapping[str, Callable[[], elo.System]] = {
    "elo": elo.Elo,
    "glicko": lambda: elo.Glicko(growth=40),
    "glicko2": elo.Glicko2,
    "ioffe": elo.Ioffe,
    "fide": elo.Rules,
}


def best(games: pl.DataFrame, ks: Sequence[float]) -> elo.Elo:
    table = elo.tune(elo.Elo, games, k=ks, home=[0, 50])
    return elo.Elo(k=table["k"][0], home=table["home"][0])


def leaderboard(votes: pl.DataFrame) -> pl.DataFrame:
    fitted = elo.fit(votes, colours=False, rating=1000)
    error: tuple[float, float] = fitted.difference("Ana", "Bo")
    return fitted.players.filter(pl.col("error") < error[1])


def season(folder: Path) -> dict[str, elo.EventRatings]:
    events: list[elo.Event] = [elo.read_event(path) for path in sorted(folder.glob("*.trf"))]
    return {str(event): elo.rate_event(event, rules="fide-2024-03") for event in events}


def letter(rating: float, met: Sequence[float], scores: Sequence[float | str]) -> str:
    done: elo.Explained = elo.explain(rating, "auto", met, scores, language="de")
    gained: Array = done.gained
    return f"{done.summary} {gained.sum() + elo.performance(met, scores):.0f}"


def bridge_night(four: tuple[float, float, float, float]) -> elo.Bridge[float]:
    return elo.bridge(*four, result=58)


def after(games: int) -> str:
    book: elo.Rulebook = elo.rulebooks["fide"]
    try:
        return f"{elo.k_factor(1500, played=games, rules=book):.0f}"
    except elo.SizeError as wrong:
        return str(wrong)
    except elo.EloError:
        raise


def exchanged(goals: int) -> float:
    made: elo.Exchange[float] = elo.exchange(1807, 1355, goals, 1, weight=50)
    updated: elo.Bayes[float] = elo.bayes(1600, 1500, 1, 100)
    return made.first + updated.rating
"""
WRONG: Final = (
    "elo.expected(1500, 1400, model=400)", 'elo.expected("abc", 1400)', "elo.expected(frame, 1400)",
    'elo.match_odds(1500, 1400, 10, 3, kind="at last")',
    'elo.performance([1500], 1, method="fides")', 'elo.explain(1500, "automatic", [1400], 1)',
    'elo.new_workbook("swiss", language="english")', 'elo.fit(frame, draws="split")',
    "elo.rate_period(frame.lazy(), frame)", 'elo.evaluate("elo", frame)', "elo.plot(1500)",
    'elo.Elo(margin="logit")',
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_a_client(checker, tmp_path, request):
    client = tmp_path / "client.py"
    client.write_text("\n".join([CLIENT, *WRONG]), encoding="utf-8")
    if checker == "mypy":
        cache = ROOT / ".mypy_cache" / "client"
        command = [sys.executable, "-m", "mypy", "--strict", f"--cache-dir={cache}"]
    else:
        request.getfixturevalue("node")
        (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
        pyright = PACKAGES / "pyright" / "index.js"
        command = [str(NODE), str(pyright), "--pythonpath", sys.executable]
    told = subprocess.run(
        [*command, client.name], cwd=tmp_path, capture_output=True, text=True, check=False
    ).stdout
    first = len(CLIENT.splitlines()) + 1
    found = {
        int(line.partition("client.py:")[2].split(":")[0])
        for line in told.splitlines()
        if "client.py:" in line and "error" in line
    }
    assert set(range(first + 1, first + 1 + len(WRONG))) == found, told
