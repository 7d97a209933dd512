"""What is typed, and how it is read: by the engine for results, by hand for the rest."""

from __future__ import annotations

import random
import re
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest
from openpyxl.utils.datetime import to_excel

from elo_xl.books.book import Book, Options
from elo_xl.books.signs import PAIRED, results, sign_of
from elo_xl.books.typed import WRONG
from elo_xl.engine.results import SPELLINGS
from elo_xl.languages import YES
from tests.support.calc import Calc

COLUMNS: Final = {
    "name": '@ left input "Name"',
    "whole": '0 input "Whole" whole:100..3999',
    "decimal": '0.0 input "Decimal" decimal:0..100',
    "number": '0 input "Number" whole:1..40',
    "day": 'date input "Day" date:DATE(2000,1,1)..DATE(2099,12,31)',
    "result": '@ center input "Result" result',
    "yes": '@ center input "Yes" yes',
}

Read = dict[object, object]

NAMES: Final[Read] = {"Ann": "Ann", "  Ann\u00a0 Lee ": "Ann Lee", "Ann\nLee": "Ann Lee",
                      "Ann\u202fLee": "Ann Lee", "Ann\tLee": "Ann Lee", "*": "*", "=1+1": "=1+1",
                      7: "7", 0.5: "0.5", None: "", " ": "", "\u00a0": ""}  # fmt: skip

WHOLE: Final[Read] = {
    1650: 1650,
    "1650": 1650,
    " 1 650 ": 1650,
    "1\u00a0650": 1650,
    "1\u202f650": 1650,
    "1.650": 1650,
    "1,650": 1650,
    "1'650": 1650,
    "1’650": 1650,
    "1650.0": 1650,
    "1650,0": 1650,
    "800": 800,
    100: 100,
    3999: 3999,
    **dict.fromkeys(
        (99, 4000, 20000, -1500, 1600.5, "1600,5", "99", "20000", "-1500", "18oo", "1650p"), WRONG
    ),
    # lists have 0 or a dash for somebody without a rating
    **dict.fromkeys((0, "0", " 0 ", "0.0", "-", "–"), ""),
    **dict.fromkeys(("unr", "n/a", "?", "*", "1:30", "12/5", "1.65", "16.50.1", "--"), WRONG),
    True: WRONG,
    None: "",
    "  ": "",
    "": "",
}

DECIMAL: Final[Read] = {0.5: 0.5, "0,5": 0.5, "0.5": 0.5, " 20 ": 20, "1.650": 1.65, ".5": 0.5,
                        "5.": 5, "+5": 5, 0: 0, 100: 100,
                        **dict.fromkeys((-5, 100.5, "101", "x", "1,2,3", "1 % off", "5%", "1e1",
                                         "."), WRONG), None: ""}  # fmt: skip

NUMBERS: Final[Read] = {
    12: 12, "12": 12, " 1 2 ": 12, "+12": 12, "12.0": 12, "12,00": 12, "12.": 12,
    **dict.fromkeys((0, 41, 12.5, "12.5", "12,5", "12.50", "12.000", "1.2", "12.0.0"), WRONG),
    **dict.fromkeys(("12e0", "12E", "e", ".", "x", "-12", "1/2", "12:00", "12%", "1-2"), WRONG),
    **dict.fromkeys(("1'2", "$12", "12€", "(12)", "1’000"), WRONG), None: "", " ": "",
}  # fmt: skip

DAYS: Final[Read] = {
    date(2026, 3, 1): 46082,
    46082: 46082,
    46082.75: 46082,
    "2026-03-01": 46082,
    "01.03.2026": 46082,
    **dict.fromkeys((" 2026-03-01 ", "2026-3-1", "2026/03/01", "1.3.2026", "1. 3. 2026"), 46082),
    **dict.fromkeys(("2026-02-30", "31.04.2026", "1999-12-31", "2206-01-01", "01/03/2026"), WRONG),
    **dict.fromkeys(
        ("1.13.2026", "0.3.2026", "1.-3.2026", "1.3.26", "1.3.4.2026", "3.2026"), WRONG
    ),
    **dict.fromkeys(("tomorrow", "abcd-ef-gh", 1, 20, 99999, "2026-13-01"), WRONG),
    None: "",
}

YESES: Final[Read] = {
    **dict.fromkeys((*YES, "X", " Yes ", "SÍ", "Да", 1, True), "x"),
    **dict.fromkeys(("no", "nein", "нет", "-", "?", "*", "xx", "0", 0, 2, False), WRONG),
    None: "",
    " ": "",
}

NOTATIONS: Final = (
    *("1", "0", "½", "=", "0.5", "0,5", "1/2", "W", "d", "L", "Win", "LOST", "drew", "w "),
    *("1-0", "0-1", "½-½", "1/2-1/2", "0.5-0.5", "0,5:0,5", "1:0", "0 : 1", "1 – 0", "1—0", "1−0"),
    *("+", "-", "+-", "-+", "--", "+:-", "-:+", "+/-", "-/-", "1-0F", "0f-1", "1F-0F", "1-0ff"),
    *("1.0", "0.0", ".5", "1.0-0.0", "*", "unplayed", "", " ", "1\u00a0-\u00a00", "W-L", "d-d"),
    *("2", "0.6", "1-1", "10", "1-", "x", "?", "W-W", "bye", "?-?", "1/2/3", "11/2", "!"),
)


def canonical(value: object) -> str:
    """The sign that the engine reads a result as."""
    if isinstance(value, str):
        sign = sign_of(value, PAIRED)
        return WRONG if sign is None else sign
    return {1: "1", 0: "0", 0.5: "½"}.get(value, WRONG)  # type: ignore[call-overload,no-any-return]


RESULTS: Final[Read] = {
    text: canonical(text) for text in (*NOTATIONS, *SPELLINGS, 1, 0, 0.5, 2, -1)
}

EXPECTED: Final = {
    "name": NAMES, "whole": WHOLE, "decimal": DECIMAL, "number": NUMBERS, "day": DAYS,
    "result": RESULTS, "yes": YESES,
}  # fmt: skip


def book(entries: dict[str, list[Any]]) -> Book:
    """A book in which these entries are typed."""
    rows = max(map(len, entries.values()))
    lines = [
        {key: typed[i] for key, typed in entries.items() if i < len(typed)} for i in range(rows)
    ]
    made = Book("rating-period", Options(), {"Lines": lines})
    made.texts |= {f"prompt_{key}": "" for key in COLUMNS}
    columns = "\n".join(f"        {key} {words}" for key, words in COLUMNS.items())
    made.read(f'sheet "Entries"\n    table Lines rows:{rows}\n{columns}\n')
    results(made)
    made.finish()
    return made


def read(made: Book, key: str, found: dict[str, Any] | None = None) -> list[object]:
    """What was read of a column: by our own evaluator, or of what another program found."""
    cells = made.tables["Lines"].reads[key]
    if found is None:
        return list(cells.values())
    column = cells.address.partition(":")[0].split("$")[1]
    return [found.get(f"{column}{cells.row + i}") or "" for i in range(cells.rows)]


@pytest.mark.slow
@pytest.mark.parametrize("key", COLUMNS)
def test_an_entry_is_read_as_one_would_expect(key: str) -> None:
    made = book({key: list(EXPECTED[key])})
    for typed, value in zip(EXPECTED[key], read(made, key), strict=False):
        assert (typed, value) == (typed, EXPECTED[key][typed])


@pytest.mark.parametrize("language", ["", "de-DE"])
def test_libreoffice_reads_the_same(calc: Calc, tmp_path: Path, language: str) -> None:
    """With a point and with a comma in its numbers."""
    program = Calc(calc.soffice, tmp_path, language=language) if language else calc
    entries = {key: list(expected) for key, expected in EXPECTED.items()}
    made = book(entries)
    target = tmp_path / "entries.xlsx"
    target.write_bytes(made.file())
    found = program.recalculate(target)["As read"]
    for key, expected in EXPECTED.items():
        theirs = dict(zip(expected, read(made, key, found), strict=False))
        # what comes back is 0 or blank alike: nothing here is read as 0 but what is 0
        ours = {typed: value or "" for typed, value in expected.items()}
        if key == "day":
            theirs = {t: to_excel(v) if isinstance(v, date) else v for t, v in theirs.items()}
        assert theirs == ours, key


def nonsense(draw: random.Random) -> str:
    """A text of signs that people type, in any order."""
    signs = "0123456789" * 2 + "½=+-–—:/.,'’ \u00a0WDLwdlfFoO!?*~xXеЕ#%()\"&<>\n"
    return "".join(draw.choice(signs) for _ in range(draw.randint(1, 6)))


def test_nonsense_is_never_read_as_a_result(calc: Calc, tmp_path: Path) -> None:
    """Two thousand texts: what the engine refuses is wrong, and what it takes is the same sign."""
    draw = random.Random(11)
    typed = list(dict.fromkeys(nonsense(draw) for _ in range(2000)))
    made = book({"result": typed, "whole": typed, "decimal": typed})
    for text, value in zip(typed, read(made, "result"), strict=True):
        if value == WRONG != canonical(text):  # the engine knows more ways to write the numbers
            assert re.search(r"[01]\.|[,.]0|00|01", text), text
        else:
            assert (text, value) == (text, canonical(text))
    for text, value in zip(typed, read(made, "whole"), strict=True):
        digits = re.sub(r"[\s\u00a0]", "", text)
        plain = re.fullmatch(
            r"\+?([0-9]*)[.,'’]?([0-9]{3})|\+?([0-9]+)|\+?([0-9]+)[.,'’]0*", digits
        )
        if value not in ("", WRONG):
            assert plain, (text, value)
            assert 100 <= float(value) <= 3999  # type: ignore[arg-type]
    target = tmp_path / "nonsense.xlsx"
    target.write_bytes(made.file())
    found = calc.recalculate(target)["As read"]
    for key in ("result", "whole", "decimal"):
        ours = [value or "" for value in read(made, key)]
        theirs = read(made, key, found)
        wrong = [(t, o, x) for t, o, x in zip(typed, ours, theirs, strict=True) if o != x]
        assert wrong == []
