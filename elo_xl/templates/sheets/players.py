"""The players of a template workbook: what is typed about them, what is wrong, what counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from elo_xl.engine.rulebooks import MASTER, NEW, YOUNG, k_class
from elo_xl.templates.forms import (
    TEXT,
    Cells,
    Form,
    block,
    finish,
    lines_above,
    mark,
    quoted,
    validate,
)
from elo_xl.templates.parts import WHOLE, Column, Formula, Sheet, Table
from elo_xl.templates.samples import Entry

HIGHEST: Final = 4000
"""A rating is below this."""

NUMBERS: Final = ("rating", "birth", "games", "peak", "k")
YEAR: Final = "List_year"

_BOUNDS: Final = {
    "rating": (0, HIGHEST - 1),
    "birth": (1900, 2100),
    "games": (0, 100000),
    "peak": (0, HIGHEST - 1),
    "k": (0, 100),
}


def number(typed: Any) -> float | None:
    """What was typed, if it is a number."""
    good = isinstance(typed, int | float) and not isinstance(typed, bool)
    return float(typed) if good else None


def blank(typed: Any) -> bool:
    return typed is None or typed == ""


def times(names: str, cell: str) -> str:
    """Formula text: how often a name stands in a list; no COUNTIF, to which ``?`` and ``*`` match
    anything."""
    return f"SUMPRODUCT(--({names}={cell}))"


def number_of(cell: str) -> str:
    """Formula text: the number of the player whose name a cell holds, 0 for nobody; ``Player_ids``
    and ``Player_numbers`` are the names and numbers of those whom games find."""
    return f'IF({cell}="",0,SUMPRODUCT((Player_ids={cell})*Player_numbers))'


def spaced(name: Any) -> bool:
    """Whether a name has blanks that nobody sees: then a game does not find it."""
    words = str(name).split(" ")
    return "" in words


def spaced_text(form: Form, cell: str) -> str:
    """Formula text of what the column *Check* says of such a name."""
    return f'IF(LEN(TRIM({cell}))=LEN({cell}),"",{quoted(form.say("check_blanks"))})'


class Players:
    """The sheet *Players* with a row a player, and Python's view of what it says.

    ``out`` adds the column for players who have withdrawn; ``tab`` is the key of another sheet
    than *Players*, for a second list.
    """

    def __init__(
        self,
        form: Form,
        entries: Sequence[Entry],
        size: int,
        year: Any,
        *,
        out: bool = False,
        tab: str = "players",
    ) -> None:
        self.form, self.size = form, size
        self.entries = [*entries, *[Entry()] * (size - len(entries))][:size]
        self.year = number(year)
        self.keys = ["name", *NUMBERS, *(["out"] if out else [])]
        self.sheet: Sheet = form.tab(tab)
        header = lines_above(form, self.sheet, tab, form.say("bigger", players=size))
        shape = {"name": ("left", 26.0, TEXT), "out": ("center", None, TEXT)}
        columns = [Column("no", form.say("column_no"), WHOLE, role="quiet")]
        for key in self.keys:
            align, width, number_format = shape.get(key, ("right", 7.0, WHOLE))
            heading = form.say(f"column_{key}")
            columns.append(Column(key, heading, number_format, align, "input", width))
        columns.append(
            Column("check", form.say("column_check"), align="left", width=form.widest("check_"))
        )
        self.table = Table(self.sheet, columns, header, size)
        for i, entry in enumerate(self.entries):
            self.table.write(i, {"no": i + 1} | {key: getattr(entry, key) for key in self.keys})
        self._checks()
        self._rules()
        finish(
            self.sheet,
            freeze=self.table.cell("rating", 0),
            titles=(1, header),
        )
        self.table.fit_header()

    def present(self, i: int) -> bool:
        name = self.entries[i].name
        return not blank(name) and bool(str(name).strip())

    def rating(self, i: int) -> float | None:
        value = number(self.entries[i].rating) if self.present(i) else None
        return value if value is not None and 0 < value < HIGHEST else None

    def counted(self, i: int, key: str) -> float | None:
        """Games, peak or own K of a player where it is a number of the possible ones."""
        value = number(getattr(self.entries[i], key))
        low, high = _BOUNDS[key]
        return value if value is not None and low <= value <= high else None

    def age(self, i: int) -> float | None:
        birth = self.counted(i, "birth")
        if birth is None or self.year is None or self.year < birth:
            return None
        return self.year - birth

    def active(self, i: int) -> bool:
        """Present, and not withdrawn."""
        return self.present(i) and ("out" not in self.keys or blank(self.entries[i].out))

    def ref(self, key: str, i: int) -> str:
        return self.table.fixed(key, i)

    def problem(self, i: int) -> str:
        """The key of the text in the column *Check*."""
        entry = self.entries[i]
        if not self.present(i):
            rest = [getattr(entry, key) for key in self.keys[1:]]
            return "" if all(map(blank, rest)) else "check_name"
        mine = str(entry.name).casefold()
        if sum(str(e.name).casefold() == mine for e in self.entries if not blank(e.name)) > 1:
            return "check_twice"
        for key in NUMBERS:
            typed = getattr(entry, key)
            if not blank(typed) and self.counted(i, key) is None:
                return f"check_{key}"
        if not blank(entry.birth) and self.age(i) is None:
            return "check_year"
        return "check_blanks" if spaced(entry.name) else ""

    def _checks(self) -> None:
        """The column that says what is wrong with a row."""
        table, say = self.table, self.form.say
        names = table.range("name").partition("!")[2]
        for i in range(self.size):
            at = {key: table.cell(key, i) for key in table.columns}
            rest = f"{at[self.keys[1]]}:{at[self.keys[-1]]}"
            text = spaced_text(self.form, at["name"])
            year = f'OR({at["birth"]}="",N({YEAR})>={at["birth"]})'
            text = f"IF({year},{text},{quoted(say('check_year'))})"
            for key in reversed(NUMBERS):
                low, high = _BOUNDS[key]
                good = (
                    f'IF(ISNUMBER({at[key]}),AND({at[key]}>={low},{at[key]}<={high}),{at[key]}="")'
                )
                text = f"IF({good},{text},{quoted(say(f'check_{key}'))})"
            twice = f"{times(names, at['name'])}>1"
            text = f"IF({twice},{quoted(say('check_twice'))},{text})"
            none = f'IF(COUNTA({rest})=0,"",{quoted(say("check_name"))})'
            text = f'=IF(TRIM({at["name"]})="",{none},{text})'
            key = self.problem(i)
            table.put("check", i, Formula(text, say(key) if key else ""), "attention")

    def _rules(self) -> None:
        table = self.table
        cell = table.cell("name", 0)
        names = table.range("name").partition("!")[2]
        once = f"{times(names, cell)}=1"
        validate(self.form, block(table, "name"), "name", first=once, strict=False)
        for key in NUMBERS:
            low, high = map(str, _BOUNDS[key])
            validate(self.form, block(table, key), key, kind="decimal", first=low, second=high)
        if "out" in self.keys:
            validate(self.form, block(table, "out"), "out", kind="list", first='"x"')
        mark(block(table, "no", self.keys[-1]), f'${table.column("check")}{table.first}<>""')


class Counted:
    """What counts of each player, free of mistakes: the arguments of the worksheet functions."""

    def __init__(
        self, form: Form, players: Players, sheet: Sheet, header: int, *, match: bool = False
    ) -> None:
        self.form, self.players = form, players
        say = form.say
        self.capped = form.rules.cap is not None
        columns = [
            Column("no", say("column_no"), WHOLE, role="quiet"),
            Column("name", say("column_name"), align="left", width=22.0),
            Column("rating", say("column_rating"), WHOLE),
            *([Column("cap", say("column_cap"), WHOLE)] if self.capped else []),
            Column("games", say("column_games"), WHOLE),
            Column("age", say("column_age"), WHOLE),
            Column("peak", say("column_peak"), WHOLE),
            Column("active", say("column_active"), WHOLE),
            Column("rule_k", say("column_rule_k"), WHOLE),
        ]
        if not match:  # no order of players, no first ratings
            columns += [
                Column("first", say("column_first"), WHOLE),
                Column("key", say("column_key"), "0.00"),
                Column("place", say("column_place"), WHOLE),
            ]
        self.table = Table(sheet, columns, header, players.size)
        for i in range(players.size):
            self._row(i)

    def column(self, key: str) -> Cells:
        return block(self.table, key)

    def _row(self, i: int) -> None:
        players, table = self.players, self.table
        put = table.put
        ref = {key: players.ref(key, i) for key in players.keys}
        name, rating = table.cell("name", i), table.cell("rating", i)
        present = players.present(i)
        put("no", i, i + 1)
        shown = f'=IF(TRIM({ref["name"]})="","",{ref["name"]})'
        put("name", i, Formula(shown, str(players.entries[i].name) if present else ""))
        low, high = 0, HIGHEST
        inside = f'IF(AND({ref["rating"]}>{low},{ref["rating"]}<{high}),{ref["rating"]},"")'
        own = players.rating(i)
        put("rating", i, _optional(f'AND({name}<>"",ISNUMBER({ref["rating"]}))', inside, own))
        rules = self.form.rules
        if self.capped:
            cap: float | None = rules.cap
            text = f"{rules.cap}"
            if rules.uncapped_from is not None:
                text = f'IF({rating}>={rules.uncapped_from},"",{rules.cap})'
                cap = None if own is not None and own >= rules.uncapped_from else cap
            put("cap", i, _optional(f'{rating}<>""', text, cap if own is not None else None))
        for key in ("games", "peak"):
            low, high = _BOUNDS[key]
            number_ = f"ISNUMBER({ref[key]})"
            inside = f'IF(AND({ref[key]}>={low},{ref[key]}<={high}),{ref[key]},"")'
            put(key, i, _optional(number_, inside, players.counted(i, key)))
        low, high = _BOUNDS["birth"]
        years = f"{YEAR}-{ref['birth']}"
        inside = f'IF(AND({ref["birth"]}>={low},{ref["birth"]}<={high},{years}>=0),{years},"")'
        test = f"AND(ISNUMBER({ref['birth']}),ISNUMBER({YEAR}))"
        put("age", i, _optional(test, inside, players.age(i)))
        out = f',{ref["out"]}=""' if "out" in ref else ""
        put("active", i, Formula(f'=IF(AND({name}<>""{out}),1,0)', int(players.active(i))))

    def reason(self, i: int, k: str, rule_k: str, games: str) -> str:
        """Formula text (without =) of why a player's K is what it is."""
        say, rule = self.form.say, self.form.rules.k
        at = {key: self.table.cell(key, i) for key in self.table.columns}
        at = {key: self.table.sheet.reference(cell) for key, cell in at.items()}
        top = f"MAX({at['rating']},{at['peak']})"
        standard = quoted(say("reason_standard"))
        new = quoted(say("reason_new", games=rule.new_games))
        text = f"IF({at['games']}<{rule.new_games},{new},{standard})"
        text = f'IF({at["games"]}="",{quoted(say("reason_assumed"))},{text})'
        if rule.young_age is not None:
            young = quoted(say("reason_young", age=rule.young_age, rating=rule.young_below))
            test = f"AND({at['age']}<={rule.young_age},{top}<{rule.young_below})"
            test = f'IF({at["age"]}="",FALSE,{test})'
            text = f"IF({test},{young},{text})"
        master = quoted(say("reason_master", rating=rule.master_from))
        text = f"IF({top}>={rule.master_from},{master},{text})"
        if rule.most_points is not None:
            normal = {rule.new, rule.standard, rule.master}
            tests = ",".join(f"{rule_k}<>{value}" for value in sorted(normal))
            lowered = quoted("; " + say("reason_lowered", most=rule.most_points))
            text += f'&IF(AND({tests}),{lowered},"")'
        typed = self.players.ref("k", i)
        low, high = _BOUNDS["k"]
        own = f"IF(ISNUMBER({typed}),AND({typed}>={low},{typed}<={high}),FALSE)"
        unrated = quoted(say("reason_unrated"))
        inner = f"IF({own},{quoted(say('reason_typed'))},{text})"
        return f'IF({at["name"]}="","",IF({at["rating"]}="",{unrated},{inner}))'

    def reason_value(self, i: int, rule_k: float | None) -> str:
        """What :meth:`reason` gives."""
        players, say, rule = self.players, self.form.say, self.form.rules.k
        own = players.rating(i)
        if not players.present(i):
            return ""
        if own is None:
            return say("reason_unrated")
        if players.counted(i, "k") is not None:
            return say("reason_typed")
        games, age, peak = players.counted(i, "games"), players.age(i), players.counted(i, "peak")
        nan = float("nan")
        known = [nan if x is None else x for x in (games, age, peak)]
        clause = int(k_class(own, known[0], known[1], known[2], self.form.rules))
        if clause == MASTER:
            text = say("reason_master", rating=rule.master_from)
        elif clause == YOUNG:
            text = say("reason_young", age=rule.young_age, rating=rule.young_below)
        elif clause == NEW:
            text = say("reason_new", games=rule.new_games)
        else:
            text = say("reason_assumed" if games is None else "reason_standard")
        if rule.most_points is not None and rule_k not in (rule.new, rule.standard, rule.master):
            text += "; " + say("reason_lowered", most=rule.most_points)
        return text

    def own_k(self, i: int, rule_k: str, value: float | None) -> Formula:
        """The K factor that counts: the one that was typed, else the rulebook's."""
        typed = self.players.ref("k", i)
        low, high = _BOUNDS["k"]
        own = f"IF(ISNUMBER({typed}),AND({typed}>={low},{typed}<={high}),FALSE)"
        rating = self.table.sheet.reference(self.table.cell("rating", i))
        k = self.players.counted(i, "k")
        known = value if k is None else k
        rated = self.players.rating(i) is not None
        text = f'=IF({rating}="","",IF({own},{typed},{rule_k}))'
        return Formula(text, known if rated and known is not None else "")


def _optional(test: str, value: str, known: float | None) -> Formula:
    return Formula(f'=IF({test},{value},"")', "" if known is None else known)
