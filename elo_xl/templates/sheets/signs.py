"""The sheet of results: every sign that may be typed, what it means and what it counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from elo_xl.engine.results import ROUND_CODES, read_codes
from elo_xl.templates.forms import TEXT, Form, finish, lines_above
from elo_xl.templates.parts import TENTHS, WHOLE, Column, Sheet, Table

PAIRED: Final = ("1", "½", "0", "+", "-", "--")
"""What is offered first, for a game of two players."""

ALSO: Final = (
    "=",
    "0.5",
    "0,5",
    "1/2",
    "1-0",
    "½-½",
    "1/2-1/2",
    "0-1",
    "1:0",
    "½:½",
    "0:1",
    "+:-",
    "-:+",
)

_SIGNS: Final = {"1": "1", "0": "0", "=": "½", "+": "+", "-": "-"}

_MEANINGS: Final = {
    "1": "win",
    "=": "draw",
    "0": "loss",
    "+": "forfeit_win",
    "-": "forfeit_loss",
    "U": "bye",
}


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign that may be typed for a result; the points are those of both players."""

    text: str
    meaning: str
    points: float
    mirror: str
    others: float
    rated: bool


def signs(texts: Sequence[str] = PAIRED + ALSO) -> tuple[Sign, ...]:
    """What each sign counts, as :mod:`elo_xl.engine.results` reads it."""
    found = []
    for text in texts:
        first, second = read_codes(text)
        one, two = ROUND_CODES[first], ROUND_CODES[second]
        mirror = "--" if first == second == "-" else _SIGNS.get(second, second)
        kind = "forfeit_both" if mirror == "--" else _MEANINGS[first]
        found.append(Sign(text, kind, one.points, mirror, two.points, one.rated))
    return tuple(found)


class Signs:
    """The sheet, and formulas that read it."""

    def __init__(self, form: Form, texts: Sequence[str] = PAIRED + ALSO) -> None:
        self.signs = signs(texts)
        self.sheet: Sheet = form.tab("results")
        self._write(form)

    def find(self, typed: object) -> int:
        """The place of what was typed, from 1; 0 where it is no result."""
        text = _as_text(typed).casefold()
        return next((i for i, s in enumerate(self.signs, 1) if s.text.casefold() == text), 0)

    def place(self, cell: str) -> str:
        """Formula text of :meth:`find`: no MATCH, to which ``?`` and ``*`` match anything."""
        return f'SUMPRODUCT((Result_signs={cell}&"")*Result_numbers)'

    def _write(self, form: Form) -> None:
        header = lines_above(form, self.sheet, "results")
        columns = (
            Column("number", form.say("column_no"), WHOLE),
            Column("sign", form.say("column_sign"), TEXT, "center", "strong"),
            Column("meaning", form.say("column_meaning"), align="left"),
            Column("points", form.say("column_points"), TENTHS),
            Column("mirror", form.say("column_mirror"), TEXT, "center"),
            Column("others", form.say("column_others"), TENTHS),
            Column("rated", form.say("column_rated"), WHOLE),
        )
        table = Table(self.sheet, columns, header, len(self.signs))
        for i, sign in enumerate(self.signs):
            table.write(
                i,
                {
                    "number": i + 1,
                    "sign": sign.text,
                    "meaning": form.say(f"sign_{sign.meaning}"),
                    "points": sign.points,
                    "mirror": sign.mirror,
                    "others": sign.others,
                    "rated": int(sign.rated),
                },
            )
        for key in ("number", "sign", "points", "mirror", "others", "rated"):
            form.define(_NAMES[key], table.range(key))
        finish(self.sheet, titles=(1, header), stretch=3, upright=True)
        table.fit_header()


_NAMES: Final = {
    "number": "Result_numbers",
    "sign": "Result_signs",
    "points": "Result_points",
    "mirror": "Result_mirror",
    "others": "Result_others",
    "rated": "Result_rated",
}


def _as_text(typed: object) -> str:
    if typed is None:
        return ""
    if isinstance(typed, float) and typed.is_integer():
        typed = int(typed)
    return str(typed)
