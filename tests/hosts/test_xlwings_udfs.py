"""Every function through xlwings' machinery, with what Excel sends: as elo_xl.worksheet has it."""

import gc
import random
import re
import subprocess
import sys
from datetime import UTC, datetime
from decimal import Decimal
from inspect import Parameter
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import elo_xl
from elo_xl.error_values import EXCEL_NUMBERS
from elo_xl.functions.catalogue import Function, functions
from elo_xl.functions.cells import without_garbage_collection
from elo_xl.functions.names import CATEGORY
from elo_xl.hosts import xlwings_udfs
from elo_xl.hosts.excel_addin import windows
from tests.snapshots import check
from tests.support.excel_host import (
    COM_ERRORS,
    MISSING,
    MODULE,
    Answer,
    Failure,
    Range,
    from_excel,
    stock_wrappers,
    to_excel,
    udf_many,
    wizard_help,
)
from tests.support.levels import cases

FUNCTIONS = list(functions().values())
EXAMPLES = [(f.name, e.arguments) for f in FUNCTIONS for e in f.examples]

#: What Excel sends for one cell, and the cell value that it is.
CELLS: list[tuple[Any, Any]] = [
    (None, None),
    (MISSING, None),
    ("", ""),
    (" ", " "),
    ("abc", "abc"),
    ("1 834,5", "1 834,5"),
    ("LOGISTIC", "LOGISTIC"),
    (0.0, 0),
    (-1.0, -1),
    (1e308, 1e308),
    (True, True),
    (False, False),
    (7, 7),
    (Decimal("1834.5"), 1834.5),
    (datetime(2024, 1, 31, 12, tzinfo=UTC), 45322.5),
    (Range(1834.0), 1834),
    (Range(None), None),
    *((code, text) for text, code in COM_ERRORS.items()),
    (-2146826288 + 51, "#VALUE!"),  # an error that came after this list
]

#: The same for ranges and array constants.
RANGES: list[tuple[Any, Any]] = [
    (((1834.0,), (1600.0,), (None,)), [[1834], [1600], [None]]),
    (((1834.0, 1600.0, "x"),), [[1834, 1600, "x"]]),
    ((1834.0, 1600.0), [[1834, 1600]]),
    ((COM_ERRORS["#N/A"], 1600.0), [["#N/A", 1600]]),
    (
        ((COM_ERRORS["#DIV/0!"], True), (Decimal("0.5"), datetime(1900, 3, 1, tzinfo=UTC))),
        [["#DIV/0!", True], [0.5, 61.0]],
    ),
    (Range(((1834.0, 1600.0), (None, COM_ERRORS["#REF!"]))), [[1834, 1600], [None, "#REF!"]]),
]


def given(value: Any) -> Any:
    """An argument of an example as Excel's wrapper sends it."""
    return to_excel(value)


def one_changed(
    arguments: tuple[Any, ...], i: int, changed: tuple[Any, Any]
) -> tuple[list[Any], list[Any]]:
    """The arguments of an example with one exchanged: as sent, and as cell values."""
    sent = [given(a) for a in arguments] + [None] * (i + 1 - len(arguments))
    cells = [*arguments, *[None] * (i + 1 - len(arguments))]
    sent[i], cells[i] = changed
    return sent, cells


def value_of(answer: Answer) -> Any:
    assert not isinstance(answer.value, Failure), answer.value
    return from_excel(answer.value)


@pytest.mark.slow
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.name)
def test_everything_that_a_cell_can_hold(function: Function) -> None:
    arguments = function.examples[0].arguments
    cases = [
        one_changed(arguments, i, changed)
        for i in range(len(function.arguments))
        for changed in (*CELLS, *RANGES)
    ]

    answers = udf_many([(function.name, sent) for sent, _ in cases])

    for (sent, cells), answer in zip(cases, answers, strict=True):
        assert elo_xl.worksheet(function.name, *cells) == value_of(answer), sent


@pytest.mark.slow
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.name)
def test_arguments_left_out(function: Function) -> None:
    arguments = function.examples[0].arguments[: function.least]
    sent = [given(a) for a in arguments]
    rest = len(function.arguments) - len(sent)

    expected = elo_xl.worksheet(function.name, *arguments)

    answers = udf_many([(function.name, [*sent, *[MISSING] * rest]), (function.name, sent)])
    assert [expected, expected] == [value_of(answer) for answer in answers]


def test_values_cost_no_call_back_into_excel_and_ranges_do() -> None:
    column = ((1834.0,), (None,), (1600.0,))
    by_value, by_range = udf_many(
        [
            ("ELO_EXPECTED", [column, 1800.0, MISSING, MISSING, MISSING, MISSING]),
            ("ELO_EXPECTED", [Range(column), Range(1800.0)]),
        ]
    )
    assert by_value.reads == 0
    assert by_range.reads > 10
    assert by_value.value == by_range.value


@pytest.mark.slow
def test_a_long_column_comes_back_whole_with_errors_only_where_they_belong() -> None:
    rows = 100_000
    chance = random.Random(1)
    kinds = ["abc", None, "", "1 700,5", True, *COM_ERRORS.values(), Decimal("1834.25")]
    column: list[Any] = [float(chance.randint(1000, 2800)) for _ in range(rows)]
    scattered = {chance.randrange(rows): chance.choice(kinds) for _ in range(5_000)}
    for i, value in scattered.items():
        column[i] = value
    texts = {code: text for text, code in COM_ERRORS.items()}

    (answer,) = udf_many([("ELO_EXPECTED", [tuple((value,) for value in column), 1800.0])])

    assert rows == len(answer.value)
    values = [value for (value,) in answer.value]
    for i, value in enumerate(values):
        if (cell := column[i]) in ("", None):
            assert value == ""
        elif cell == "abc" or cell in texts:
            assert value == ("#VALUE!" if cell == "abc" else texts[cell])
        else:
            assert isinstance(value, float)
            assert 0 <= value <= 1
    plain = [i for i in range(rows) if i not in scattered][:1000]
    assert [elo_xl.worksheet("ELO_EXPECTED", column[i], 1800) for i in plain] == [
        values[i] for i in plain
    ]


def test_long_texts_are_cut_in_arrays_only() -> None:
    long = "x" * 300
    players = ((long, 1800.0, 20.0), ("Bo", 1860.0, 20.0))
    (answer,) = udf_many([("ELO_PERIOD", [players, ((long, "Bo", 1.0),)])])
    assert ["x" * 255, "Bo"] == [row[0] for row in answer.value]
    assert xlwings_udfs._to_excel(long) == [[long]]


def test_results_are_what_com_can_carry() -> None:
    for answer in udf_many([(name, [given(a) for a in cells]) for name, cells in EXAMPLES]):
        rows = answer.value if isinstance(answer.value, list) else [answer.value]
        cells = [cell for row in rows for cell in (row if isinstance(row, list) else [row])]
        assert {type(cell) for cell in cells} <= {float, str}


def test_help_reaches_the_wizard_whole() -> None:
    told = wizard_help()
    assert set(functions()) == set(told)
    for name, function in functions().items():
        assert function.help == told[name]["description"]
        assert told[name]["category"] == CATEGORY
        expected = [
            (a.name, a.help, {"convert": xlwings_udfs.AsTheyAre}) for a in function.arguments
        ]
        assert expected == told[name]["arguments"]


@pytest.mark.snapshot
def test_xlwings_still_calls_functions_as_our_vba_code_does() -> None:
    """A change here means that elo_calls.bas has to be looked at."""
    stock = stock_wrappers()
    start = stock.index("Function ELO_EXPECTED(")
    check("stock_wrapper.bas", stock[start : stock.index("End Function", start)])


OLDEST = """
xlwings==0.30.0 --hash=sha256:8bc2b9b14c13643f8ece2f955782f38ce0394f2051865b28a29d87de6e1829c9
"""
QUICKSTART = """
import xlwings as xw
from elo_xl.hosts.xlwings_udfs import *


@xw.func
def chance_of_two(rating, opponent):
    return ELO_EXPECTED(rating, opponent)[0][0] ** 2
"""


@pytest.mark.slow
@pytest.mark.parametrize("version", cases(("installed", "oldest"), test=("installed",)))
def test_the_functions_in_the_module_of_a_quickstart(version: str, tmp_path: Path) -> None:
    if version == "oldest":
        wanted = tmp_path / "oldest.txt"
        wanted.write_text(OLDEST)
        for_windows = ("--platform=win_amd64", "--python-version=3.11", "--only-binary=:all:")
        pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--require-hashes"]
        subprocess.run([*pip, *for_windows, "-t", tmp_path, "-r", wanted], check=True)
        libraries = filter(windows._LIBRARY.fullmatch, [path.name for path in tmp_path.iterdir()])
        assert {"xlwings32-0.30.0.dll", "xlwings64-0.30.0.dll"} == {*libraries}
    (tmp_path / "myproject.py").write_text(QUICKSTART)
    folder = str(tmp_path)
    imported = re.findall(r"(?m)^Function (\w+)\(", stock_wrappers("myproject", folder))
    assert {*functions(), "chance_of_two"} == set(imported)
    for module in ("myproject", MODULE):  # and what UDF Modules may name instead
        calls = [(name, [given(a) for a in arguments]) for name, arguments in EXAMPLES]
        answers = udf_many(calls, module, folder)
        for (name, arguments), answer in zip(EXAMPLES, answers, strict=True):
            assert elo_xl.worksheet(name, *arguments) == value_of(answer), name
    (own,) = udf_many([("chance_of_two", [1800.0, 1800.0])], "myproject", folder)
    assert 0.25 == own.value
    # as texts, which is what xlwings' own VBA shows
    (failed,) = udf_many([("ELO_DIFF", [2.0])], "myproject", folder)
    assert "#NUM!" == failed.value


@pytest.mark.slow
def test_nothing_happens_where_xlwings_is_not() -> None:
    program = (
        "import sys, elo_xl.hosts.xlwings_udfs as m;"
        "print('xlwings' in sys.modules, hasattr(m, 'ELO_EXPECTED'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "False"]


def test_the_garbage_collector_is_left_as_it_was() -> None:
    """It rests while many rows are made, whatever comes of them."""
    for running in (True, False):
        (gc.enable if running else gc.disable)()
        try:
            elo_xl.worksheet("ELO_EXPECTED", [[1834], [1600]], 1800)
            assert running == gc.isenabled()
            with pytest.raises(ZeroDivisionError), without_garbage_collection():
                raise ZeroDivisionError
            assert running == gc.isenabled()
        finally:
            gc.enable()


class JsNull:
    """What Pyodide sends for JavaScript's null."""


def lite() -> Any:
    """xlwings as it is under xlwings Lite, as far as a decorator notices it."""

    def func() -> Any:  # of other words it need not know
        return lambda made: made

    return SimpleNamespace(
        func=func,
        arg=lambda *_, **__: lambda made: made,
        ret=lambda *_: pytest.fail("Lite converts"),
    )


def test_lite_binds_into_a_workbook_s_own_module() -> None:
    main = ModuleType("main")
    xlwings_udfs.bind(vars(main), lite())
    assert set(functions()) <= set(vars(main))
    expected = vars(main)["ELO_EXPECTED"]
    assert expected.__module__ == "main"
    assert expected.__annotations__ == {}
    assert list(expected.__signature__.parameters) == [
        a.name for a in functions()["ELO_EXPECTED"].arguments
    ]
    assert Parameter.empty == expected.__signature__.parameters["opponent"].default
    assert expected.__signature__.parameters["model"].default is None


@pytest.mark.parametrize(
    ("sent", "cell"),
    [
        (1834, 1834),
        (JsNull(), None),
        ({"type": "Error", "errorType": "NotAvailable", "basicValue": "#N/A"}, "#N/A"),
        ({"type": "Error", "basicType": "Error", "basicValue": "#SPILL!"}, "#SPILL!"),
        ({"type": "FormattedNumber", "basicValue": 1834, "numberFormat": "0"}, 1834),
        ({"type": "Empty", "basicType": "Empty", "basicValue": ""}, None),
        ({"type": "Entity", "text": "somebody"}, "#VALUE!"),
    ],
)
def test_lite_s_cells(sent: Any, cell: Any) -> None:
    main = ModuleType("main")
    xlwings_udfs.bind(vars(main), lite())
    expected = elo_xl.worksheet("ELO_EXPECTED", [[cell], [1600]], 1800)
    assert expected == main.ELO_EXPECTED([[sent], [1600]], [[1800]])


@pytest.mark.slow
def test_every_error_number_is_known_to_the_host() -> None:
    assert {-2146828288 + n: text for text, n in EXCEL_NUMBERS.items()}.items() <= (
        xlwings_udfs._NUMBERS.items()
    )
    assert MODULE == xlwings_udfs.__name__
