"""The native formulas, computed by programs that are not ours, agree with the engine."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import elo_xl
from elo_xl.engine import rulebooks
from elo_xl.engine.models import differences_by_percent, hundredths_by_difference
from elo_xl.engine.rulebooks.k_table import KTable
from elo_xl.functions.catalogue import functions
from elo_xl.functions.native import (
    NoInlinedFormError,
    inline,
    inlined,
    lambda_names,
    lambda_stored,
    lambda_text,
    lambdas,
)
from elo_xl.functions.native.pieces import long_text, spellings, thresholds
from elo_xl.xlsx.formula import Binary, Call, Text, parse, walk
from elo_xl.xlsx.stored import stored
from tests.support.lint import formula_problems
from tests.support.native_cases import Case, cases
from tests.support.native_host import SKIPPED, inline_values, lambda_values, same

if TYPE_CHECKING:
    from collections.abc import Sequence

    from elo_xl.functions.native.given import Checks
    from tests.support.calc import Calc

CASES = [c for c in cases() if c.function in lambda_names()]


def deviations(chosen: Sequence[Case], values: Sequence[Any]) -> dict[tuple[str, str], str]:
    """The cases in which a host gives something else than the engine."""
    found = {}
    for case, theirs in zip(chosen, values, strict=True):
        ours = elo_xl.worksheet(case.function, *case.arguments)
        if not same(ours, theirs):
            found[case.function, case.name] = f"{case.arguments}: {ours} expected, got {theirs}"
    return found


@pytest.mark.slow
def test_arguments_that_a_formula_skips_are_left_out() -> None:
    calls = [
        ("ELO_K", (2350, 40, SKIPPED, 2405)),
        ("ELO_EXPECTED", (2400, 1800, SKIPPED, 400)),
        ("ELO_POINTS", (1600, 1500, SKIPPED, SKIPPED, SKIPPED, 50)),
        ("ELO_PERFORMANCE", ([[1860, 1770]], 1.5, SKIPPED)),
    ]
    expected = [
        elo_xl.worksheet(name, *[None if a is SKIPPED else a for a in given])
        for name, given in calls
    ]
    values = lambda_values(calls)
    assert all(map(same, expected, values)), (expected, values)


def test_a_changed_number_is_noticed(calc: Calc, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = [c for c in CASES if c.function == "ELO_EXPECTED" and c.name.startswith("logistic")]
    calls = [(c.function, c.arguments) for c in chosen]

    def changed(name: str) -> str:
        return lambda_stored(name).replace("/400)", "/400.0001)")

    monkeypatch.setattr("elo_xl.hosts.lambdas.lambda_stored", changed)
    assert len(deviations(chosen, lambda_values(calls))) > 20

    monkeypatch.setattr(
        "elo_xl.functions.native.inlined.stored_form",
        lambda text: stored(text).replace("/400)", "/400.0001)"),
    )
    inlined._template.cache_clear()
    try:
        assert len(deviations(chosen, inline_values(calls, calc))) > 20
    finally:
        inlined._template.cache_clear()


def test_every_function_has_a_native_formula_or_says_why() -> None:
    for function in functions().values():
        native = function.native
        assert native is not None, function.name
        assert native.formula or native.reason, function.name
        if isinstance(native.formula, dict):
            assert tuple(native.formula) == function.columns


@pytest.mark.parametrize("name", lambda_names())
def test_lambda_is_what_excel_takes(name: str) -> None:
    text = lambda_stored(name)
    assert formula_problems(text, lambda_names()) == []
    assert stored(lambda_text(name)) == text
    longest = max(map(len, re.sub(r'"[^"]*"|\{[^}]*\}', "", lambda_text(name)).splitlines()))
    assert longest <= 130


def test_parameters_are_the_arguments() -> None:
    for name in lambda_names():
        function = functions()[name]
        assert lambda_text(name).startswith(f"LAMBDA({function.signature[len(name) + 1 : -1]},")


def inlined_formulas() -> list[str]:
    """The formulas of all cases, as far as they have one."""
    asked: dict[tuple[str, tuple[Any, ...], str | None, Checks], None] = {}
    for case in CASES:
        function = functions()[case.function]
        cells: list[Any] = []
        for i, (argument, value) in enumerate(
            zip(function.arguments, case.arguments, strict=False)
        ):
            letter = "BCDEFGHIJKLM"[i]
            if argument.whole and isinstance(value, list):
                cells.append(f"{letter}2:{letter}9")
            elif isinstance(value, str) and value.strip().lower() in getattr(
                argument, "choices", ()
            ):
                cells.append(value)
            else:
                cells.append(None if value is None and not argument.required else f"{letter}2")
        for column in function.columns or (None,):
            for checks in ("all", "blanks", "none"):
                asked[function.name, tuple(cells), column, checks] = None
    found: dict[str, None] = {}
    for name, arguments, column, checks in asked:
        try:
            found[inline(name, *arguments, column=column, checks=checks)] = None
        except NoInlinedFormError:
            continue
    return list(found)


@pytest.mark.slow
def test_inlined_formulas_are_for_every_spreadsheet() -> None:
    formulas = inlined_formulas()
    assert len(formulas) > 250
    for formula in formulas:
        assert formula_problems(stored(formula), plain=True) == [], formula
        assert len(formula) < 6500, formula
        called = {n.name for n in walk(parse(formula)) if isinstance(n, Call)}
        assert called <= inlined.SHARED, formula


def test_formulas_in_a_cell_are_short() -> None:
    """What an organizer reads; a longer one has to be a decision."""
    assert inline("ELO_EXPECTED", "B2", "C2") == (
        'IF(OR(B2="",B2=0,C2="",C2=0),"",NORMSDIST((B2-C2)/(200*SQRT(2))))'
    )
    assert inline("ELO_EXPECTED", "B2", "C2", "logistic", checks="none") == (
        "1/(1+10^((C2-B2)/400))"
    )
    assert inline("ELO_EXPECTED", "B2", "C2", cap=400, checks="none") == (
        "NORMSDIST(MEDIAN(-400,B2-C2,400)/(200*SQRT(2)))"
    )
    assert inline("ELO_DIFF", "D2", "logistic", checks="none") == "400*(LOG10(D2)-LOG10(1-D2))"
    assert inline("ELO_NEW", "B2", "C2", "D2", "E2", checks="none") == "B2+C2*(D2-E2)"
    no_break = ord("\N{NO-BREAK SPACE}")
    assert f',UNICHAR({no_break}),"")' in inline("ELO_SCORE", "B2")
    assert inline("ELO_K", "B2", checks="all") == (
        'IF(OR(B2="",B2=0),"",IF(T(B2)<>"",#VALUE!,IF(B2>=2400,10,20)))'
    )
    assert inline("ELO_K", "B2", "D2", "E2", "F2", checks="none") == (
        'IF(MAX(B2,F2)>=2400,10,IF(AND(E2<>"",E2<=18,MAX(B2,F2)<2300),40,'
        'IF(AND(D2<>"",D2<30),40,20)))'
    )
    assert inline("ELO_K", "B2", checks="none") == "IF(B2>=2400,10,20)"
    assert inline("ELO_CHANGE", "B2", "C2", "D2:D9", "E2", "logistic", checks="none") == (
        "C2*(E2-SUMPRODUCT((D2:D9<>0)*(1/(1+10^((D2:D9-B2)/400)))))"
    )
    assert inline("ELO_PERFORMANCE", "D2:D9", "E2", "linear", checks="none") == (
        'IF(COUNTIF(D2:D9,">0")=0,"",AVERAGEIF(D2:D9,">0")'
        '+400*(2*E2-COUNTIF(D2:D9,">0"))/COUNTIF(D2:D9,">0"))'
    )
    capped = inline("ELO_EXPECTED", "B2", "C2", "fide", 400, checks="none")
    assert capped.startswith("(50+SIGN(B2-C2)*(MATCH(ROUND(ABS(B2-C2)+1E-9,0),{0,4,11,18,")
    assert capped.endswith(",358,375,392,1E+99})-1))/100")


def test_numbers_come_from_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    values = hundredths_by_difference()
    assert [values[d] for d in thresholds()] == list(range(50, 101))
    assert [values[d - 1] for d in thresholds()[1:]] == list(range(50, 100))
    dp = ",".join(f"{d:g}" for d in differences_by_percent()[50:])
    assert dp in inline("ELO_DIFF", "B2", "fide")
    assert all(f" {word} " in spellings()[0] for word in ("1-0", "draw", "bye", "lost-won"))

    fide = rulebooks.RULEBOOKS["fide"]
    assert isinstance(fide.k, KTable)
    master, *middle, usual = fide.k.rows
    rows = (replace(master, peak_from=2450), *middle, replace(usual, k=21))
    other = replace(fide, k=replace(fide.k, rows=rows))
    monkeypatch.setitem(rulebooks.RULEBOOKS, "fide", other)
    for cached in (inlined._template, lambdas.lambda_stored, lambdas.lambda_text):
        cached.cache_clear()
    try:
        assert inline("ELO_K", "B2", checks="none") == "IF(B2>=2450,10,21)"
        assert "_xlpm.top>=2450,10" in lambda_stored("ELO_K")
    finally:
        for cached in (inlined._template, lambdas.lambda_stored, lambdas.lambda_text):
            cached.cache_clear()


def test_truth_values_of_a_rulebook_stay_what_they_are() -> None:
    books = rulebooks.RULEBOOKS.values()
    counting = [book.name for book in books if getattr(book.first, "zero_counts", False)]
    zero = ['(LEFT(_xlpm.book,8)="us-chess")']
    zero += [f'(_xlpm.book="{name}")' for name in counting if not name.startswith("us-chess")]
    assert f"+({'+'.join(zero)})>0)" in lambda_stored("ELO_PERIOD")


def test_columns_of_games_have_one_length() -> None:
    assert "IF(ROWS(expected_) = ROWS(scores_), 0, #N/A)" in lambda_text("ELO_BRIER")


def test_true_is_one() -> None:
    assert inline("ELO_NEW", "B2", "TRUE", "D2", "E2", checks="none") == "B2+(D2-E2)"


def test_a_text_of_255_letters_is_one_constant() -> None:
    text = "a " + "b" * 253
    assert long_text(text) == Text(text)
    assert long_text(f"{text}b") == Binary("&", Text("a "), Text("b" * 254))


def test_any_reference_can_be_an_argument() -> None:
    assert inline("ELO_NEW", "Games!B2", "$C$2", "'My sheet'!D2", "Expected", checks="none") == (
        "Games!B2+$C$2*('My sheet'!D2-Expected)"
    )
    row = "T[[#This Row],[Elo]]"
    assert inline("ELO_EXPECTED", row, "C2", cap=400, checks="none") == (
        f"NORMSDIST(MEDIAN(-400,{row}-C2,400)/(200*SQRT(2)))"
    )
    # a name, or a table's column, may be many cells
    assert "MEDIAN" not in inline("ELO_EXPECTED", "Own", "C2", cap=400)
    assert "OR(" not in inline("ELO_EXPECTED", "T[Elo]", "C2")
    assert inline("ELO_NEW", "B2+50", 20, "=SUM(D2:D9)", "E2", checks="none") == (
        "(B2+50)+20*(SUM(D2:D9)-E2)"
    )
    assert inline("ELO_NEW", "@Own", 20, 1, 0.5, stored=True, checks="none") == (
        "_xlfn.SINGLE(Own)+20*(1-0.5)"
    )


@pytest.mark.parametrize(
    ("arguments", "named", "message"),
    [
        (("ELO_EXPECTED", "B2"), {}, "needs opponent"),
        (("ELO_EXPECTED", "B2", "C2", "fied"), {}, "model must be"),
        (("ELO_EXPECTED", "B2", "C2"), {"cap": -1}, "cap must be number not below 0, got -1"),
        (("ELO_EXPECTED", "B2", "C2"), {"sd": 0}, "sd must be number above 0, got 0"),
        (("ELO_EXPECTED", "B2", "C2"), {"k": 20}, "does not take k"),
        (("ELO_EXPECTED", "B2", "C2"), {"opponent": "D2"}, "does not take opponent"),
        (("ELO_NEW", "B2", "C2", "D2", "E2", "F2"), {}, "does not take 5 arguments"),
        (("ELO_CHANGE", "B2", "C2", "D2:D9", "E2:E8"), {}, "differ in shape"),
        (("ELO_CHANGE", "B2", "C2", 1800, 1), {}, "opponents must be cells"),
        (("ELO_CHANGE", "B2:B9", "C2", "D2:D9", "E2:E9"), {}, "rating must be one cell"),
        (("ELO_NEW", "B2", "C2", "D2", "1+"), {}, "a value should be"),
    ],
)
def test_wrong_arguments_are_refused(
    arguments: tuple[Any, ...], named: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        inline(*arguments, **named)


def test_constants_are_looked_at_when_the_formula_is_written() -> None:
    assert inline("ELO_MATCH", "B2", "C2", 4, 5) == 'IF(OR(B2="",B2=0,C2="",C2=0),"",#NUM!)'
    assert "MOD(D2,1)<>0,D2<5),#NUM!," in inline("ELO_MATCH", "B2", "C2", "D2", 5)
    assert inline("ELO_K", 2450) == "10"


def test_what_has_no_form_says_why() -> None:
    with pytest.raises(NoInlinedFormError, match='methods "normal" and "logistic" need many steps'):
        inline("ELO_PERFORMANCE", "D2:D9", "E2:E9", "normal")
    with pytest.raises(NoInlinedFormError, match="ELO_PERIOD has no inlined form"):
        inline("ELO_PERIOD", "A2:C9", "E2:G9")
    with pytest.raises(LookupError, match="one of the columns is needed: win, draw, loss"):
        inline("ELO_OUTCOMES", "B2", "C2")
    with pytest.raises(LookupError, match="no function 'ELO_KK'"):
        inline("ELO_KK", "B2")
