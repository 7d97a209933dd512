"""The sheets *Results* (typed as they come) and *Each result* (what each does to four ratings)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from elo_xl.templates.forms import (
    Cells,
    Form,
    block,
    finish,
    lines_above,
    mark,
    quoted,
    validate,
)
from elo_xl.templates.parts import (
    BOLD,
    HUNDREDTHS,
    SIGNED_HUNDREDTHS,
    TENTHS,
    WHOLE,
    Column,
    Formula,
    Sheet,
    Table,
)
from elo_xl.templates.sheets.bridge_content import Result
from elo_xl.templates.sheets.bridge_players import Pairs
from elo_xl.templates.sheets.bridge_settings import MEAN, NUMBER, Parameters, room
from elo_xl.templates.sheets.players import blank, number
from elo_xl.templates.sheets.running import Running
from elo_xl.templates.text import GENERAL, text_width

KEYS: Final = ("round", "board", "ns", "ew", "result")
SEATS: Final = ("n", "s", "e", "w")

CHECKS: Final = ("alone", "pair", "self", "common", "missing", "percent", "imp", "far", "again")
SHOWN: Final = "0.0#"

MOST_IMPS: Final = 500
FAR: Final = 500_000
"""Ratings that no result moves any more."""


def _possible(cell: str) -> str:
    """Formula text: whether a cell holds a result of the scale."""
    # 58 % is 0.58 to a spreadsheet: nobody scores between 0 and 1 percent
    percent = f"AND({cell}>=0,{cell}<=100,OR({cell}=0,{cell}>=1))"
    return f"IF(ISNUMBER({cell}),IF({MEAN}>0,{percent},ABS({cell})<={MOST_IMPS}),FALSE)"


class Counted(NamedTuple):
    """What counts of a row."""

    ns: int
    ew: int
    who: Sequence[int]
    result: float
    over: float
    """the result minus the expected one"""


class TypedResults:
    """The sheet *Results*."""

    def __init__(
        self,
        form: Form,
        parameters: Parameters,
        pairs: Pairs,
        sheet: Sheet,
        results: Sequence[Result],
        size: int,
        note: str,
    ) -> None:
        self.form, self.parameters, self.pairs = form, parameters, pairs
        self.sheet, self.size = sheet, size
        self.results = [*results, *[Result()] * (size - len(results))][:size]
        say = form.say
        header = lines_above(form, sheet, "results", note)
        columns = [
            Column("no", say("column_no"), WHOLE, role="quiet"),
            Column("round", say("column_round"), GENERAL, "center", "input", 8.0),
            Column("board", say("column_board"), GENERAL, "center", "input", 8.0),
            Column("ns", say("column_ns"), GENERAL, "center", "input", 10.0),
            Column("ew", say("column_ew"), GENERAL, "center", "input", 10.0),
            Column("result", say("column_result"), SHOWN, "center", "input", 16.0),
            Column("check", say("column_check"), align="left", width=room(form, *CHECKS)),
        ]
        self.table = Table(sheet, columns, header, size)
        words = [say(f"unit_{key}") for key in ("percent", "imp")]
        text = f'={quoted(say("column_result"))}&" "&IF({MEAN}>0,{",".join(map(quoted, words))})'
        value = f"{say('column_result')} {words[0 if parameters.percent else 1]}"
        at = self.table.columns["result"][0]
        sheet.write(header, at, Formula(text, value), "heading", align="center", measure=False)
        for i, result in enumerate(self.results):
            self.table.write(i, {"no": i + 1} | {key: getattr(result, key) for key in KEYS})

    def pair(self, i: int, key: str) -> tuple[str, int]:
        """A pair's number where it is one of those that count, else 0; with its formula text."""
        cell, good = self.table.fixed(key, i), self.pairs.counted.range("good")
        inside = f"AND({cell}>=1,{cell}<={self.pairs.size},INT({cell})={cell})"
        text = f"IF(ISNUMBER({cell}),IF({inside},{cell}*INDEX({good},{cell}),0),0)"
        typed = number(getattr(self.results[i], key))
        known = typed is not None and typed.is_integer() and 1 <= typed <= self.pairs.size
        found = int(typed) if known and typed is not None else 0
        return text, found if found and self.pairs.good[found - 1] else 0

    def possible(self, i: int) -> tuple[str, bool]:
        """Whether a row has a result that the scale knows, and the formula text of that."""
        value = number(self.results[i].result)
        good = False
        if value is not None:
            good = abs(value) <= MOST_IMPS
            if self.parameters.percent:
                good = value == 0 or 1 <= value <= 100
        return _possible(self.table.fixed("result", i)), good

    def check(self, each: EachResult) -> None:
        """Say what is wrong with each row."""
        say, table = self.form.say, self.table
        scale = "percent" if self.parameters.percent else "imp"
        for i, typed in enumerate(self.results):
            at = {key: table.cell(key, i) for key in table.columns}
            found = {key: each.table.fixed(key, i) for key in each.table.columns}
            limits = f"IF({MEAN}>0,{quoted(say('check_percent'))},{quoted(say('check_imp'))})"
            text = f'IF({found["again"]}=1,{quoted(say("check_again"))},"")'
            text = f'IF({found["result"]}="",{quoted(say("check_far"))},{text})'
            text = f"IF({found['possible']}=1,{text},{limits})"
            for test, key in (
                (f'{at["result"]}=""', "missing"),
                (f"{found['apart']}=0", "common"),
                (f"{at['ns']}={at['ew']}", "self"),
                (f"OR({found['ns_no']}=0,{found['ew_no']}=0)", "pair"),
                (f'OR({at["ns"]}="",{at["ew"]}="")', "alone"),
            ):
                text = f"IF({test},{quoted(say(f'check_{key}'))},{text})"
            text = f'=IF(COUNTA({at["ns"]}:{at["result"]})=0,"",{text})'
            key = each.problem(i, typed, scale)
            table.put("check", i, Formula(text, say(key) if key else ""), "attention")
        self._rules()
        finish(self.sheet, freeze=table.cell("round", 0), titles=(1, table.header), upright=True)
        table.fit_header()

    def _rules(self) -> None:
        table, form = self.table, self.form
        most = str(self.pairs.size)
        validate(form, block(table, "round"), "round", kind="whole", first="1", second="9999")
        validate(form, block(table, "board"), "board", kind="whole", first="1", second="9999")
        for key in ("ns", "ew"):
            validate(form, block(table, key), key, kind="whole", first="1", second=most)
        test = _possible(table.cell("result", 0))
        validate(form, block(table, "result"), "result", first=test)
        check, row = f"${table.column('check')}{table.first}", table.first
        result = f"${table.column('result')}{row}"
        mark(block(table, "ns", "result"), f'AND({check}<>"",{result}<>"")')
        mark(block(table, "ns", "ew"), f'AND({check}<>"",{result}="")')
        mark(block(table, "result"), f'AND({check}<>"",{result}="")', look="missing")


class EachResult:
    """The sheet *Each result*, row by row with the history that it reads and makes."""

    def __init__(self, form: Form, typed: TypedResults, sheet: Sheet, history: Running) -> None:
        self.form, self.typed, self.sheet, self.history = form, typed, sheet, history
        self.parameters, self.pairs = typed.parameters, typed.pairs
        say = form.say
        header = lines_above(form, sheet, "each", say("about_deviation"))
        heading = say("column_result")
        columns = [
            Column("no", say("column_no"), WHOLE, role="quiet"),
            Column("round", say("column_round"), WHOLE, "center"),
            Column("label_ns", say("column_ns"), align="left", width=24.0),
            Column("label_ew", say("column_ew"), align="left", width=24.0),
            Column("result", heading, HUNDREDTHS, role="strong", width=BOLD * text_width(heading)),
            Column("expected", say("column_expected"), HUNDREDTHS, width=NUMBER),
            Column("difference", say("column_difference"), SIGNED_HUNDREDTHS, width=NUMBER),
            Column(
                "shift_ns", say("column_shift_ns"), SIGNED_HUNDREDTHS, role="strong", width=NUMBER
            ),
            Column(
                "shift_ew", say("column_shift_ew"), SIGNED_HUNDREDTHS, role="strong", width=NUMBER
            ),
            *(
                Column(f"before_{s}", say(f"column_before_{s}"), TENTHS, width=NUMBER)
                for s in SEATS
            ),
            *(Column(f"after_{s}", say(f"column_after_{s}"), TENTHS, width=NUMBER) for s in SEATS),
            *(Column(f"no_{s}", say(f"column_no_{s}"), WHOLE, role="quiet") for s in SEATS),
            *(
                Column(key, say(f"column_{key}"), WHOLE, role="quiet")
                for key in ("ns_no", "ew_no", "apart", "possible", "ns", "ew", "board", "again")
            ),
        ]
        self.table = Table(sheet, columns, header, typed.size)
        self.counted: list[Counted | None] = []
        self.known: list[dict[str, Any]] = []
        for i in range(typed.size):
            self._row(i)
        self._again()

    def _row(self, i: int) -> None:
        typed, table, history = self.typed, self.table, self.history
        at = {key: table.cell(key, i) for key in table.columns}
        pairs = [typed.pair(i, key) for key in ("ns", "ew")]
        possible = typed.possible(i)
        both = f"AND({at['ns_no']}>0,{at['ew_no']}>0)"
        (_, ns), (_, ew) = pairs
        who = [*self.pairs.numbers[ns - 1], *self.pairs.numbers[ew - 1]] if ns and ew else [0] * 4
        row: dict[str, Any] = {"no": i + 1}
        for key, (text, found) in zip(("ns_no", "ew_no"), pairs, strict=True):
            row[key] = Formula(f"={text}", found)
        steps = self.pairs.counted
        for seat, side, place, player in zip(
            SEATS, ("ns_no", "ns_no", "ew_no", "ew_no"), ("a", "b", "a", "b"), who, strict=True
        ):
            text = f"=IF({both},INDEX({steps.range(place)},{at[side]}),0)"
            row[f"no_{seat}"] = Formula(text, player)
        n, s, e, w = (at[f"no_{seat}"] for seat in SEATS)
        apart = not {who[0], who[1]} & {who[2], who[3]}
        text = f"=IF(AND({n}<>{e},{n}<>{w},{s}<>{e},{s}<>{w}),1,0)"
        row["apart"] = Formula(text, int(apart))
        row["possible"] = Formula(f"=IF({possible[0]},1,0)", int(possible[1]))
        fine = f"AND({at['ns_no']}>0,{at['apart']}=1,{at['possible']}=1)"
        counts = bool(ns and ew) and apart and possible[1]
        before: list[Any] = []
        for seat, player in zip(SEATS, who, strict=True):
            text = f'=IF({fine},{history.before(i, at[f"no_{seat}"], self.sheet)},"")'
            before.append(history.now[player - 1] if counts else "")
            row[f"before_{seat}"] = Formula(text, before[-1])
        four = f"{at['before_n']}:{at['before_w']}"
        near = f"AND(MIN({four})>-{FAR},MAX({four})<{FAR},PRODUCT({four})<>0)"
        source = typed.table.fixed("result", i)
        text = f'=IF({fine},IF({near},{source},""),"")'
        counts = counts and all(b and abs(b) < FAR for b in before)
        result: Any = number(typed.results[i].result) if counts else ""
        row["result"] = Formula(text, result)
        empty = f'{at["result"]}=""'
        bn, bs, be, bw = (at[f"before_{seat}"] for seat in SEATS)
        text = f'=IF({empty},"",{MEAN}+Result_slope*({bn}+{bs}-{be}-{bw}))'
        expected: Any = ""
        if counts:
            slope = self.parameters.values["slope"]
            lead = before[0] + before[1] - before[2] - before[3]
            expected = self.parameters.mean + slope * lead
        row["expected"] = Formula(text, expected)
        over: Any = result - expected if counts else ""
        row["difference"] = Formula(f'=IF({empty},"",{at["result"]}-{at["expected"]})', over)
        for key, source_key, found in (("ns", "ns_no", ns), ("ew", "ew_no", ew)):
            text = f'=IF({empty},"",{at[source_key]})'
            row[key] = Formula(text, found if counts else "")
            label = f'=IF({at[source_key]}>0,INDEX({steps.range("label")},{at[source_key]}),"")'
            shown = self.pairs.labels[found - 1] if found else ""
            row[f"label_{key}"] = Formula(label, shown)
        for key in ("round", "board"):
            cell = typed.table.fixed(key, i)
            value = number(getattr(typed.results[i], key))
            row[key] = Formula(f'=IF(ISNUMBER({cell}),{cell},"")', "" if value is None else value)
        table.write(i, row)
        after = self._call(i)
        now = after.values()[0]
        for side, seat, k in (("ns", "n", 0), ("ew", "e", 2)):
            change: Any = now[k] - before[k] if counts else ""
            text = f'=IF({empty},"",{at[f"after_{seat}"]}-{at[f"before_{seat}"]})'
            table.put(f"shift_{side}", i, Formula(text, change))
        numbers = Cells(self.sheet, table.first + i, table.columns["no_n"][0], 1, 4)
        test = f'{table.fixed("result", i)}<>""'
        labels: dict[str, Any] = {"no": i + 1}
        labels["round"] = Formula(f"={table.fixed('round', i)}", row["round"].value)
        history.after(i, labels, test, numbers, after, who if counts else ())
        self.counted.append(Counted(ns, ew, who, result, over) if counts else None)
        self.known.append({key: v.value if isinstance(v, Formula) else v for key, v in row.items()})

    def _call(self, i: int) -> Cells:
        """The four ratings after a row: a call a row, for each needs the one above."""
        row = self.table.first + i
        target = Cells(self.sheet, row, self.table.columns["after_n"][0], 1, 4)
        seats = (Cells(self.sheet, row, self.table.columns[f"before_{s}"][0]) for s in SEATS)
        self.form.call(
            target,
            "ELO_BRIDGE",
            *seats,
            Cells(self.sheet, row, self.table.columns["result"][0]),
            *map(self.parameters.argument, (MEAN, "Result_slope", "Result_sd", "Rating_sd")),
            number_format=TENTHS,
            align="right",
        )
        return target

    def _again(self) -> None:
        """Rows of a round in which a pair meets two others, or that stand there twice."""
        rows: list[Any] = [
            tuple(k[key] for key in ("round", "ns", "ew", "board"))
            if k["round"] != "" and k["ns"] != ""
            else None
            for k in self.known
        ]
        known = [row for row in rows if row is not None]
        sides = Counter((row[0], pair) for row in known for pair in row[1:3])
        met, boards = Counter(row[:3] for row in known), Counter(known)
        self.again: list[bool] = []
        for i, row in enumerate(rows):
            cells = {key: self.table.cell(key, i) for key in ("round", "ns", "ew", "board")}
            a, b, board = cells["ns"], cells["ew"], cells["board"]
            there, back = self._rows(cells, ns=a, ew=b), self._rows(cells, ns=b, ew=a)
            all_ = "+".join(self._rows(cells, **{k: p}) for k in ("ns", "ew") for p in (a, b))
            same = f'IF({board}="",{there},{self._rows(cells, ns=a, ew=b, board=board)})'
            text = f"IF(OR({all_}>2*({there}+{back}),{same}>1),1,0)"
            found = False
            if row is not None:
                round_, ns, ew, at = row
                both = met[round_, ns, ew] + met[round_, ew, ns]
                twice = met[round_, ns, ew] if at == "" else boards[row]
                found = sides[round_, ns] + sides[round_, ew] > 2 * both or twice > 1
            self.again.append(found)
            shown = Formula(f'=IF(OR({cells["round"]}="",{a}=""),0,{text})', int(found))
            self.table.put("again", i, shown)

    def _rows(self, cells: Mapping[str, str], **which: str) -> str:
        """Formula text: how many rows of a round have these pairs and board."""
        criteria = {"round": cells["round"], **which}
        ranges = {key: self.table.range(key).partition("!")[2] for key in criteria}
        return f"COUNTIFS({','.join(f'{ranges[key]},{cell}' for key, cell in criteria.items())})"

    def problem(self, i: int, typed: Result, scale: str) -> str:
        """The key of the text in the column *Check* of *Results*."""
        known = self.known[i]
        if all(map(blank, (typed.ns, typed.ew, typed.result))):
            return ""
        if blank(typed.ns) or blank(typed.ew):
            return "check_alone"
        if not (known["ns_no"] and known["ew_no"]):
            return "check_pair"
        if typed.ns == typed.ew:
            return "check_self"
        if not known["apart"]:
            return "check_common"
        if blank(typed.result):
            return "check_missing"
        if not known["possible"]:
            return f"check_{scale}"
        if known["result"] == "":
            return "check_far"
        return "check_again" if self.again[i] else ""

    def finish(self) -> None:
        """Widths, print settings and what does not count in grey."""
        table = self.table
        result = f"${table.column('result')}{table.first}"
        mark(block(table, "label_ns", "label_ew"), f'{result}=""', look="quiet")
        finish(
            self.sheet,
            freeze=table.cell("label_ns", 0),
            titles=(1, table.header),
            area=f"A1:{table.column('after_w')}{table.last}",
        )
        table.fit_header()
