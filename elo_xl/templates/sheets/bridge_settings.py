"""The parameters of a bridge book: the one place where they are typed, and what counts of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from openpyxl.utils import coordinate_to_tuple

from elo_xl.engine.bridge import RATING_SD, SCALES
from elo_xl.templates.forms import Cells, Form, mark, quoted
from elo_xl.templates.front import Setting, front
from elo_xl.templates.parts import BOLD, Formula, Sheet
from elo_xl.templates.sheets.bridge_content import FIRST, BridgePairs
from elo_xl.templates.sheets.players import blank, number
from elo_xl.templates.text import GENERAL, text_width

LOWEST, HIGHEST = 1, 9999
"""Ratings that may be typed."""

PERCENT, IMP = (
    {key: float(np.asarray(getattr(scale, key))) for key in ("mean", "slope", "result_sd")}
    for scale in SCALES.values()
)

NUMBER: Final = 7.5
"""The width of a column of ratings or results."""

BOUNDS: Final = {
    "slope": (0.0005, 1),
    "result_sd": (0.1, 200),
    "rating_sd": (1, 500),
    "first": (LOWEST, HIGHEST),
}
"""Of what may be typed; results far from any that people play cannot carry ratings away."""

USUAL: Final = {
    "slope": (PERCENT["slope"], IMP["slope"]),
    "result_sd": (PERCENT["result_sd"], IMP["result_sd"]),
    "rating_sd": (RATING_SD, RATING_SD),
    "first": (float(FIRST), float(FIRST)),
}
"""For percent and for IMPs."""

NAMES: Final = {
    "slope": "Result_slope",
    "result_sd": "Result_sd",
    "rating_sd": "Rating_sd",
    "first": "First_rating",
}
MEAN: Final = "Result_mean"
SLOPE: Final = "0.000000"


@dataclass(frozen=True, slots=True)
class Named(Cells):
    """A cell that formulas read by its name."""

    name: str = ""

    def at(self, row: int, column: int) -> Cells:
        return self

    def text(self, seen_from: Sheet | None = None, *, fixed: bool = False) -> str:
        return self.name


def room(form: Form, *keys: str) -> float:
    """How wide a column must be for any of these texts in bold."""
    return BOLD * max(text_width(form.say(f"check_{key}")) for key in keys)


class Parameters:
    """The first sheet, and the parameters that count: ``mean``, ``slope``, ``result_sd``,
    ``rating_sd`` and ``first``, the rating of newcomers."""

    def __init__(self, form: Form, content: BridgePairs) -> None:
        self.form, self.typed = form, content.parameters
        words = [form.say(f"scale_{key}") for key in SCALES]
        scale = self.typed.scale
        known = isinstance(scale, str) and scale.casefold() in map(str.casefold, words)
        self.percent = not (known and str(scale).casefold() == words[1].casefold())
        self.mean = (PERCENT if self.percent else IMP)["mean"]
        settings = [
            Setting("Event", "event", content.name),
            Setting("Scale", "scale", scale, choices=words),
        ]
        for key, (least, most) in BOUNDS.items():
            settings.append(
                Setting(f"Own_{key}", f"own_{key}", getattr(self.typed, key), GENERAL, least, most)
            )
        text = f"=IF(Scale={quoted(words[1])},{IMP['mean']:g},{PERCENT['mean']:g})"
        settings.append(Setting(MEAN, "mean", Formula(text, self.mean), locked=True))
        self.values: dict[str, float] = {}
        for key in BOUNDS:
            text, self.values[key] = self._counts(key)
            formula, shape = Formula(text, self.values[key]), SLOPE if key == "slope" else GENERAL
            settings.append(Setting(NAMES[key], key, formula, shape, locked=True))
        settings.append(Setting("Settings_check", "check", self._check(words, known), locked=True))
        self.sheet = front(form, settings, rules=False)
        fine = quoted(form.say("settings_good"))
        mark(self.place("Settings_check"), f"Settings_check<>{fine}")

    def good(self, key: str) -> float | None:
        """What was typed, where it is possible."""
        value, (least, most) = number(getattr(self.typed, key)), BOUNDS[key]
        return value if value is not None and least <= value <= most else None

    def place(self, name: str) -> Cells:
        """Where a setting stands."""
        known = self.form.workbook.defined_names[name]
        cell = str(known.attr_text).rpartition("!")[2].replace("$", "")
        return Cells(self.sheet, *coordinate_to_tuple(cell))

    def argument(self, name: str) -> Named:
        """A setting as an argument of a worksheet function."""
        place = self.place(name)
        return Named(place.sheet, place.row, place.column, name=name)

    def _counts(self, key: str) -> tuple[str, float]:
        """What was typed, else what is usual on the scale."""
        percent, imp = USUAL[key]
        usual = f"{percent:.15g}" if percent == imp else f"IF({MEAN}>0,{percent:.15g},{imp:.15g})"
        own, (least, most) = f"Own_{key}", BOUNDS[key]
        inside = f"IF(AND({own}>={least},{own}<={most}),{own},{usual})"
        typed = self.good(key)
        value = (percent if self.percent else imp) if typed is None else typed
        return f"=IF(ISNUMBER({own}),{inside},{usual})", value

    def _check(self, words: list[str], known: bool) -> Formula:
        say = self.form.say
        text, value = quoted(say("settings_good")), say("settings_good")
        for key in reversed(BOUNDS):
            own, (least, most) = f"Own_{key}", BOUNDS[key]
            good = f'IF(ISNUMBER({own}),AND({own}>={least},{own}<={most}),{own}="")'
            message = say(f"setting_wrong_{key}")
            text = f"IF({good},{text},{quoted(message)})"
            if not blank(getattr(self.typed, key)) and self.good(key) is None:
                value = message
        tests = ",".join(f"Scale={quoted(word)}" for word in words)
        text = f'=IF(OR(Scale="",{tests}),{text},{quoted(say("setting_wrong_scale"))})'
        if not blank(self.typed.scale) and not known:
            value = say("setting_wrong_scale")
        return Formula(text, value)
