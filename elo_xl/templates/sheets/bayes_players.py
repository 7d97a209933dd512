"""The sheet *Players* of a Bayesian list: ratings with deviations, and what counts of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from elo_xl.engine.bayes import equivalent_k, equivalent_sd
from elo_xl.templates.forms import (
    TEXT,
    Form,
    block,
    finish,
    lines_above,
    mark,
    quoted,
    validate,
)
from elo_xl.templates.parts import TENTHS, WHOLE, Column, Formula, Sheet, Table
from elo_xl.templates.sheets.players import blank, number, spaced, spaced_text, times

BOUNDS: Final = {"rating": (100, 3999), "sd": (1, 500), "k": (1, 100)}
"""Least and most that count. With deviations up to 500 the sums in cells are exact."""

USUAL: Final = {"sd": "Usual_sd", "k": "Usual_k"}
"""The settings for players of whom nothing else is typed."""

KEYS: Final = ("rating", "sd", "k")


@dataclass(frozen=True, slots=True)
class Player:
    """What is typed about a player; anything may be."""

    name: Any = None
    rating: Any = None
    sd: Any = None
    k: Any = None


@dataclass(frozen=True, slots=True)
class Usual:
    """What is typed into the settings of :data:`USUAL`."""

    sd: Any = None
    k: Any = None


class BayesPlayers:
    """The sheet, and Python's view of it.

    Games find a player by a name that stands once, with a rating that is one. A deviation that is
    missing is the usual one, or the one with which Bayes' formula moves a rating as K does.
    """

    def __init__(self, form: Form, typed: Sequence[Player], size: int, usual: Usual) -> None:
        self.form, self.size, self.usual = form, size, usual
        self.entries = [*typed, *[Player()] * (size - len(typed))][:size]
        self.sheet = form.tab("players")
        say = form.say
        header = lines_above(form, self.sheet, "players", say("bigger", players=size))
        columns = [
            Column("no", say("column_no"), WHOLE, role="quiet"),
            Column("name", say("column_name"), TEXT, "left", "input", 26.0),
            Column("rating", say("column_rating"), WHOLE, "right", "input", 8.0),
            Column("sd", say("column_sd"), WHOLE, "right", "input", 8.0),
            Column("k", say("column_k"), WHOLE, "right", "input", 7.0),
            Column("own_sd", say("column_own_sd"), TENTHS),
            Column("own_k", say("column_own_k"), TENTHS),
            Column("fits", say("column_fits"), TENTHS, role="quiet"),
            Column("check", say("column_check"), align="left", width=form.widest("check_")),
        ]
        self.table = Table(self.sheet, columns, header, size)
        names = [str(e.name).casefold() if self.present(e.name) else "" for e in self.entries]
        self.once = [bool(name) and names.count(name) == 1 for name in names]
        self.ratings, self.sds, self.ks = (list[Any]() for _ in KEYS)
        for i, entry in enumerate(self.entries):
            self._row(i, entry)
        self._rules()
        finish(self.sheet, freeze=self.table.cell("rating", 0), titles=(1, header), upright=True)
        self.table.fit_header()

    @staticmethod
    def present(name: Any) -> bool:
        return not blank(name) and bool(str(name).strip())

    @property
    def names(self) -> list[str]:
        """The names by which games find players; empty for who cannot play."""
        return [
            "" if rating == "" else str(entry.name)
            for entry, rating in zip(self.entries, self.ratings, strict=True)
        ]

    def counted(self, i: int, key: str) -> float | None:
        """What was typed where it is a possible number."""
        return _inside(key, getattr(self.entries[i], key))

    def _row(self, i: int, entry: Player) -> None:
        """What is typed, and what counts beside it."""
        table = self.table
        at = {key: table.cell(key, i) for key in table.columns}
        good = self.once[i] and self.counted(i, "rating") is not None
        self.ratings.append(self.counted(i, "rating") if good else "")
        k = _first(self.counted(i, "k"), _inside("k", self.usual.k), self.form.rules.k.standard)
        fitting = float(equivalent_sd(k))
        sd = _first(self.counted(i, "sd"), _inside("sd", self.usual.sd), fitting)
        self.ks.append(k if good else "")
        self.sds.append(sd if good else "")
        exists = f'AND(TRIM({at["name"]})<>"",{self._good("rating", at["rating"])})'
        usual = {key: self._good(key, name) for key, name in USUAL.items()}
        own_k = f"IF({usual['k']},{USUAL['k']},{self.form.rules.k.standard})"
        own_k = f"IF({self._good('k', at['k'])},{at['k']},{own_k})"
        fit = f"SQRT({at['own_k']}*200/LN(10))"
        own_sd = f"IF({self._good('sd', at['sd'])},{at['sd']},IF({usual['sd']},Usual_sd,{fit}))"
        row: dict[str, Any] = {"no": i + 1, "name": entry.name}
        row |= {key: getattr(entry, key) for key in KEYS}
        row["own_sd"] = Formula(f'=IF({at["own_k"]}="","",{own_sd})', self.sds[i])
        once = self._once(at["name"])
        row["own_k"] = Formula(f'=IF({exists},IF({once},{own_k},""),"")', self.ks[i])
        fits = f'=IF({at["own_sd"]}="","",{at["own_sd"]}^2*LN(10)/200)'
        row["fits"] = Formula(fits, float(equivalent_k(sd)) if good else "")
        table.write(i, row)
        key = self.problem(i)
        value = Formula(self._check(at), self.form.say(key) if key else "")
        table.put("check", i, value, "attention")

    def _good(self, key: str, cell: str) -> str:
        low, high = BOUNDS[key]
        return f"IF(ISNUMBER({cell}),AND({cell}>={low},{cell}<={high}),FALSE)"

    def _once(self, cell: str) -> str:
        names = self.table.range("name").partition("!")[2]
        return f"{times(names, cell)}=1"

    def _check(self, at: dict[str, str]) -> str:
        say = self.form.say
        text = spaced_text(self.form, at["name"])
        for key in reversed(KEYS):
            good = self._good(key, at[key])
            if key != "rating":
                good = f'OR({at[key]}="",{good})'
            text = f"IF({good},{text},{quoted(say(f'check_{key}'))})"
        text = f"IF({self._once(at['name'])},{text},{quoted(say('check_twice'))})"
        none = f'IF(COUNTA({at["rating"]}:{at["k"]})=0,"",{quoted(say("check_name"))})'
        return f'=IF(TRIM({at["name"]})="",{none},{text})'

    def problem(self, i: int) -> str:
        """The key of the text in the column *Check*."""
        entry = self.entries[i]
        if not self.present(entry.name):
            return "" if all(blank(getattr(entry, key)) for key in KEYS) else "check_name"
        if not self.once[i]:
            return "check_twice"
        for key in KEYS:
            typed = getattr(entry, key)
            if self.counted(i, key) is None and (key == "rating" or not blank(typed)):
                return f"check_{key}"
        return "check_blanks" if spaced(entry.name) else ""

    def _rules(self) -> None:
        table = self.table
        once = self._once(table.cell("name", 0))
        validate(self.form, block(table, "name"), "name", first=once, strict=False)
        for key in KEYS:
            low, high = map(str, BOUNDS[key])
            validate(self.form, block(table, key), key, kind="decimal", first=low, second=high)
        mark(block(table, "no", "k"), f'${table.column("check")}{table.first}<>""')

    def steps(self, sheet: Sheet, header: int, left: int = 1) -> Table:
        """The list by which games find players, defined as ``Player_ids`` and
        ``Player_numbers``, with the ratings to start from."""
        say = self.form.say
        columns = [
            Column("no", say("column_no"), WHOLE, role="quiet"),
            Column("id", say("column_id"), align="left", width=22.0),
            Column("start", say("column_start"), TENTHS),
        ]
        own = Table(sheet, columns, header, self.size, left)
        for i in range(self.size):
            name, rating, k = (self.table.fixed(key, i) for key in ("name", "rating", "own_k"))
            row: dict[str, Any] = {"no": i + 1}
            row["id"] = Formula(f'=IF({k}="","",{name})', self.names[i])
            row["start"] = Formula(f'=IF({k}="","",{rating})', self.ratings[i])
            own.write(i, row)
        self.form.define("Player_ids", own.range("id"))
        self.form.define("Player_numbers", own.range("no"))
        return own


def _inside(key: str, typed: Any) -> float | None:
    value = number(typed)
    low, high = BOUNDS[key]
    return value if value is not None and low <= value <= high else None


def _first(*values: float | None) -> float:
    """The first that is one."""
    return next(float(v) for v in values if v is not None)
