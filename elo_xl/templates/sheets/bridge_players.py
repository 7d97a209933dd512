"""The sheets *Players* and *Pairs* of a bridge book, and what counts of them on *Steps*."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

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
from elo_xl.templates.parts import (
    HUNDREDTHS,
    SIGNED_HUNDREDTHS,
    TENTHS,
    WHOLE,
    Column,
    Formula,
    Sheet,
    Table,
)
from elo_xl.templates.sheets.bridge_settings import HIGHEST, LOWEST, NUMBER, Parameters, room
from elo_xl.templates.sheets.players import blank, number, number_of, spaced, spaced_text, times

FIRST: Final = "First_rating"
CHECKS: Final = ("name", "twice", "rating")
PAIR_CHECKS: Final = ("half_pair", "unknown_player", "same_player", "other_pair")

LEAST_PAIRS: Final = 12
"""Lines of *Pairs*; there are as many as players, for partners change."""


def present(name: Any) -> bool:
    return not blank(name) and bool(str(name).strip())


class BridgePlayers:
    """Names and ratings, and who counts: everybody whose row has nothing wrong with it."""

    def __init__(
        self,
        form: Form,
        parameters: Parameters,
        typed: Sequence[tuple[Any, Any]],
        size: int,
    ) -> None:
        self.form, self.parameters, self.size = form, parameters, size
        self.typed = [*typed, *[(None, None)] * (size - len(typed))][:size]
        self.sheet = form.tab("players")
        say = form.say
        top = lines_above(form, self.sheet, "players", say("bigger", players=size))
        columns = [
            Column("no", say("column_no"), WHOLE, role="quiet"),
            Column("name", say("column_name"), TEXT, "left", "input", 28.0),
            Column("rating", say("column_rating"), WHOLE, "right", "input", 10.0),
            Column("check", say("column_check"), align="left", width=room(form, *CHECKS)),
        ]
        self.table = Table(self.sheet, columns, top, size)
        names = [str(name).casefold() if present(name) else "" for name, _ in self.typed]
        self.once = [bool(name) and names.count(name) == 1 for name in names]
        for i, (name, rating) in enumerate(self.typed):
            row: dict[str, Any] = {"no": i + 1, "name": name, "rating": rating}
            self.table.write(i, row)
            self._check(i)
        self._rules()
        finish(self.sheet, freeze=self.table.cell("rating", 0), titles=(1, top), upright=True)
        self.table.fit_header()
        self.names = [str(n) if self.good(i) else "" for i, (n, _) in enumerate(self.typed)]

    def good(self, i: int) -> bool:
        """Whether nothing is wrong with a row that has a name."""
        rating = self.typed[i][1]
        value = number(rating)
        inside = value is not None and LOWEST <= value <= HIGHEST
        return self.once[i] and (blank(rating) or inside)

    def rating(self, i: int) -> float | None:
        """What a player begins with."""
        return self.starts[i]

    def _check(self, i: int) -> None:
        table, say = self.table, self.form.say
        name, rating = table.cell("name", i), table.cell("rating", i)
        names = table.range("name").partition("!")[2]
        good = f'IF(ISNUMBER({rating}),AND({rating}>={LOWEST},{rating}<={HIGHEST}),{rating}="")'
        text = f"IF({good},{spaced_text(self.form, name)},{quoted(say('check_rating'))})"
        text = f"IF({times(names, name)}>1,{quoted(say('check_twice'))},{text})"
        none = f'IF({rating}="","",{quoted(say("check_name"))})'
        text = f'=IF(TRIM({name})="",{none},{text})'
        key = ""
        if not present(self.typed[i][0]):
            key = "" if blank(self.typed[i][1]) else "check_name"
        elif not self.once[i]:
            key = "check_twice"
        elif not self.good(i):
            key = "check_rating"
        elif spaced(self.typed[i][0]):
            key = "check_blanks"
        table.put("check", i, Formula(text, say(key) if key else ""), "attention")

    def _rules(self) -> None:
        table = self.table
        cell = table.cell("name", 0)
        names = table.range("name").partition("!")[2]
        once = f"{times(names, cell)}=1"
        validate(self.form, block(table, "name"), "name", first=once, strict=False)
        low, high = str(LOWEST), str(HIGHEST)
        validate(
            self.form, block(table, "rating"), "rating", kind="decimal", first=low, second=high
        )
        mark(block(table, "no", "rating"), f'${table.column("check")}{table.first}<>""')

    def steps(self, steps: Sheet, header: int) -> None:
        """What counts of each player; the sums follow when the results are known."""
        say = self.form.say
        columns = [
            Column("no", say("column_no"), WHOLE, role="quiet"),
            Column("name", say("column_name"), align="left", width=24.0),
            Column("family", say("column_family"), align="left", width=16.0),
            Column("short", say("column_short"), align="left", width=16.0),
            Column("start", say("column_start"), TENTHS, width=NUMBER),
            Column("now", say("column_now"), TENTHS, width=NUMBER),
            Column("change", say("column_change"), SIGNED_HUNDREDTHS, width=NUMBER),
            Column("played", say("column_played"), WHOLE),
            Column("sum", say("column_sum"), HUNDREDTHS, width=NUMBER),
            Column("surplus", say("column_surplus_sum"), SIGNED_HUNDREDTHS, width=NUMBER),
            Column("key", say("column_key"), TENTHS, width=NUMBER),
            Column("place", say("column_place"), WHOLE),
        ]
        self.counted = counted = Table(steps, columns, header, self.size)
        typed = self.table.range("name")
        families = [name.partition(",")[0] for name in self.names]
        self.starts: list[float | None] = []
        self.short: list[str] = []
        for i, (_, rating) in enumerate(self.typed):
            at = {key: counted.cell(key, i) for key in counted.columns}
            name_, rating_ = (self.table.fixed(key, i) for key in ("name", "rating"))
            once = f"{times(typed, name_)}=1"
            inside = f"AND({rating_}>={LOWEST},{rating_}<={HIGHEST})"
            good = f'IF(ISNUMBER({rating_}),{inside},{rating_}="")'
            known = f'=IF(TRIM({name_})="","",IF({once},IF({good},{name_},""),""))'
            family = f'=LEFT({at["name"]},FIND(",",{at["name"]}&",")-1)'
            all_ = counted.range("family").partition("!")[2]
            same = [f.casefold() for f in families].count(families[i].casefold()) > 1
            self.short.append(self.names[i] if same else families[i])
            begins = None
            if self.names[i]:
                begins = self.parameters.values["first"] if blank(rating) else number(rating)
            self.starts.append(begins)
            first = f'=IF({at["name"]}="","",IF({rating_}="",{FIRST},{rating_}))'
            short = f"=IF({times(all_, at['family'])}>1,{at['name']},{at['family']})"
            counted.write(
                i,
                {
                    "no": i + 1,
                    "name": Formula(known, self.names[i]),
                    "family": Formula(family, families[i]),
                    "short": Formula(short, self.short[i]),
                    "start": Formula(first, "" if begins is None else begins),
                },
            )
        self.form.define("Player_ids", counted.range("name"))
        self.form.define("Player_numbers", counted.range("no"))

    def found(self, name: Any) -> int:
        """What :func:`number_of` gives."""
        if not isinstance(name, str) or not name:
            return 0
        known = [n.casefold() for n in self.names]
        return known.index(name.casefold()) + 1 if name.casefold() in known else 0


class Pairs:
    """Who plays with whom; a player may stand in several pairs, for partners change."""

    def __init__(
        self,
        form: Form,
        players: BridgePlayers,
        sheet: Sheet,
        typed: Sequence[tuple[Any, Any]],
    ) -> None:
        self.form, self.players, self.sheet = form, players, sheet
        self.size = size = max(players.size, LEAST_PAIRS)
        self.typed = [*typed, *[(None, None)] * (size - len(typed))][:size]
        say = form.say
        header = lines_above(form, sheet, "pairs", say("about_place"))
        columns = [
            Column("pair", say("column_pair"), WHOLE, "center", "strong"),
            Column("first", say("column_first_player"), TEXT, "left", "input", 26.0),
            Column("second", say("column_second_player"), TEXT, "left", "input", 26.0),
            Column("played", say("column_played"), WHOLE),
            Column("average", say("column_average"), HUNDREDTHS, width=NUMBER),
            Column("place", say("column_rank"), WHOLE, "center", "strong"),
            Column("check", say("column_check"), align="left", width=room(form, *PAIR_CHECKS)),
        ]
        self.table = Table(sheet, columns, header, size)
        for i, (first, second) in enumerate(self.typed):
            self.table.write(i, {"pair": i + 1, "first": first, "second": second})
        self.numbers = [(players.found(a), players.found(b)) for a, b in self.typed]
        self.good = [bool(a and b) and a != b for a, b in self.numbers]

    def steps(self, left: int) -> None:
        """The players' numbers of each pair, beside what counts of the players."""
        counted, say = self.players.counted, self.form.say
        columns = [
            Column("pair", say("column_pair"), WHOLE, "center", "quiet"),
            Column("a", say("column_first_no"), WHOLE),
            Column("b", say("column_second_no"), WHOLE),
            Column("good", say("column_good"), WHOLE),
            Column("label", say("column_label"), align="left", width=26.0),
            Column("played", say("column_played"), WHOLE),
            Column("sum", say("column_sum"), HUNDREDTHS, width=NUMBER),
            Column("key", say("column_average"), HUNDREDTHS, width=NUMBER),
        ]
        self.counted = table = Table(counted.sheet, columns, counted.header, self.size, left)
        shorts = counted.range("short")
        self.labels = []
        for i, (first, second) in enumerate(self.numbers):
            at = {key: table.cell(key, i) for key in table.columns}
            a, b = (number_of(self.table.fixed(key, i)) for key in ("first", "second"))
            good = f"=IF(AND({at['a']}>0,{at['b']}>0,{at['a']}<>{at['b']}),1,0)"
            label = (
                f'=IF({at["good"]}=1,INDEX({shorts},{at["a"]})&" – "&INDEX({shorts},{at["b"]}),"")'
            )
            names = [self.players.short[n - 1] for n in (first, second)]
            self.labels.append(" – ".join(names) if self.good[i] else "")
            table.write(
                i,
                {
                    "pair": i + 1,
                    "a": Formula(f"={a}", first),
                    "b": Formula(f"={b}", second),
                    "good": Formula(good, int(self.good[i])),
                    "label": Formula(label, self.labels[i]),
                },
            )
        self._checks()

    def _checks(self) -> None:
        say, table, counted = self.form.say, self.table, self.counted
        block_ = block(counted, "a", "b").text(fixed=True)
        everybody = [n for pair in self.numbers for n in pair]
        for i, (typed, found) in enumerate(zip(self.typed, self.numbers, strict=True)):
            first, second = table.cell("first", i), table.cell("second", i)
            a, b = counted.fixed("a", i), counted.fixed("b", i)
            again = f"COUNTIF({block_},{a})+COUNTIF({block_},{b})>2"
            text = f'IF({again},{quoted(say("check_other_pair"))},"")'
            for test, key in (
                (f"{a}={b}", "same_player"),
                (f"OR({a}=0,{b}=0)", "unknown_player"),
                (f'OR({first}="",{second}="")', "half_pair"),
            ):
                text = f"IF({test},{quoted(say(f'check_{key}'))},{text})"
            text = f'=IF(AND({first}="",{second}=""),"",{text})'
            key = ""
            if any(not blank(t) for t in typed):
                if any(map(blank, typed)):
                    key = "check_half_pair"
                elif not all(found):
                    key = "check_unknown_player"
                elif found[0] == found[1]:
                    key = "check_same_player"
                elif sum(map(everybody.count, found)) > 2:
                    key = "check_other_pair"
            table.put("check", i, Formula(text, say(key) if key else ""), "attention")
        names = self.players.table.range("name")
        validate(self.form, block(table, "first"), "first_player", kind="list", first=names)
        validate(self.form, block(table, "second"), "second_player", kind="list", first=names)
        mark(block(table, "first", "second"), f'${table.column("check")}{table.first}<>""')

    def fill(self, averages: Sequence[float | None], played: Sequence[int]) -> None:
        """What the pairs have made of their results, and their places by it."""
        table, counted = self.table, self.counted
        keys = counted.range("key")
        # rounded, so that equal averages share a place however their sums were rounded
        known = [None if a is None else round(a, 6) + 0.0 for a in averages]
        for i, average in enumerate(known):
            key, count = counted.fixed("key", i), counted.fixed("played", i)
            none = f'{key}=""'
            place: Any = ""
            if average is not None:
                place = 1 + sum(o > average for o in known if o is not None)
            row: dict[str, tuple[str, Any]] = {
                "played": (f'IF({none},"",{count})', played[i] if average is not None else ""),
                "average": (f'IF({none},"",{key})', "" if average is None else average),
                "place": (f'IF({none},"",RANK({key},{keys}))', place),
            }
            for name, (text, value) in row.items():
                table.put(name, i, Formula(f"={text}", value))
        finish(self.sheet, freeze=table.cell("first", 0), titles=(1, table.header), upright=True)
        table.fit_header()
