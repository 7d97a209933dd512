"""Formulas as trees, and the form in which files store them."""

import re

import pytest
from pyopenvba.formula._prefixes import in_file

from elo_xl.functions.native import lambda_names, lambda_text
from elo_xl.xlsx.evaluate import Workbook
from elo_xl.xlsx.fill import Filled, Filler, filled
from elo_xl.xlsx.formula import Binary, Call, Counting, FormulaError, Reference, parse, to_text
from elo_xl.xlsx.stored import called, stored

FORMULAS = (
    *("1+2*3", "(1+2)*3", "2^3^2", "-(2^2)", "2^(-3)", "a-(b-c)", "10^(-d/400)", "--(a=b)", "50%"),
    *('x<>""', "(a=b)*(c>d)", "a=(b=c)", '"say ""no"""&x', '{1,-2;"a",TRUE}', "f()", "IF(,1,)"),
    *("Games!$C$5:$C$90", "'My sheet'!A1", "'it''s'!B2", "[1]Sheet!A1", "[0]!Name",
      "A1:INDEX(A:A,3)"),
    *("SUM(A:A,1:3,$A$1:B2)", "Sheet1:Sheet3!A1", "T[[#This Row],[Elo]]", "T[[#Headers],[A]:[B]]"),
    *("#N/A", "IF(a,#NUM!,1)", "LAMBDA(x,[y],x+y)(3)", "NORM.S.DIST(1,TRUE)", "LOG10(5)", "A1#+1"),
    *("Книга!A1*ставка", "SUM((A1,B2),1)", "A1:B2 B1:C3", "-a%", "1E+99*.5"),
)  # fmt: skip


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_formula_is_written_as_it_was_read(formula: str) -> None:
    tree = parse(formula)
    assert to_text(tree).replace("(a%)", "a%") == formula
    assert parse(f"= {to_text(tree, comma=' , ', around=' ')} ") == tree


def test_parentheses_that_mean_nothing_go() -> None:
    assert to_text(parse("((a)*(b))+(c)")) == "a*b+c"
    assert to_text(parse("-2^2")) == "(-2)^2"
    assert to_text(parse("(a-b)-c")) == "a-b-c"


def test_a_cell_is_no_name() -> None:
    assert parse("ELO1") == parse("ELO1")
    assert isinstance(parse("ELO1"), Reference)
    assert not isinstance(parse("ELO_1"), Reference)
    assert not isinstance(parse("LOG10(5)"), Reference)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1+", "the end where a value should be in '1+'"),
        ("(a", "')' expected, found the end in '(a'"),
        ("a b)", "'' expected, found ')' in 'a b)'"),
        ('"x', "'\"x' @ character 1 of '\"x'"),
        ("{1", "an array constant is not closed in '{1'"),
        ("f(1;2)", "',' expected, found ';' in 'f(1;2)'"),
    ],
)
def test_what_is_no_formula_is_quoted(text: str, message: str) -> None:
    with pytest.raises(FormulaError, match=re.escape(message)):
        parse(text)


@pytest.mark.parametrize(
    ("typed", "form"),
    [
        ("=SUM(A1:A3)", "SUM(A1:A3)"),
        ("norm.s.dist(1,TRUE)", "_xlfn.NORM.S.DIST(1,TRUE)"),
        ("FILTER(A:A,B:B)", "_xlfn._xlws.FILTER(A:A,B:B)"),
        ("SORTBY(A:A,B:B)", "_xlfn.SORTBY(A:A,B:B)"),
        ("\"NORM.S.DIST(\"&'SORT('!A1", "\"NORM.S.DIST(\"&'SORT('!A1"),
        ("NETWORKDAYS.INTL(A1,B1)", "NETWORKDAYS.INTL(A1,B1)"),
        ("_xlfn.NORM.S.DIST(1,TRUE)", "_xlfn.NORM.S.DIST(1,TRUE)"),
        ("LET(a,1,a+1)", "_xlfn.LET(_xlpm.a,1,_xlpm.a+1)"),
        ("LET(a,a,a)", "_xlfn.LET(_xlpm.a,a,_xlpm.a)"),
        ("LAMBDA(x,[y],x+y)(1)", "_xlfn.LAMBDA(_xlpm.x,_xlop.y,_xlpm.x+_xlpm.y)(1)"),
        ("LET(f,LAMBDA(x,x),f(x))", "_xlfn.LET(_xlpm.f,_xlfn.LAMBDA(_xlpm.x,_xlpm.x),_xlpm.f(x))"),
        ("SUM(A1#)+@A1:A3", "SUM(_xlfn.ANCHORARRAY(A1))+_xlfn.SINGLE(A1:A3)"),
        ("T[@Elo]+T[@[My Elo]]", "T[[#This Row],[Elo]]+T[[#This Row],[My Elo]]"),
        ("IF(A1,#NUM!,1)", "IF(A1,#NUM!,1)"),
        ("ELO_NEW(A1,20,1,0.5)", "ELO_NEW(A1,20,1,0.5)"),
    ],
)
def test_stored_form(typed: str, form: str) -> None:
    assert stored(typed) == form


@pytest.mark.slow
@pytest.mark.parametrize("name", lambda_names())
def test_another_writer_stores_the_names_alike(name: str) -> None:
    theirs = in_file(f"={lambda_text(name)}").removeprefix("=")
    assert re.sub(r"\s+", "", theirs) == re.sub(r"\s+", "", stored(lambda_text(name)))


@pytest.mark.parametrize("name", ["x1", "R", "rc", "R1C1", "1a", "a.b", "a b"])
def test_names_that_excel_refuses(name: str) -> None:
    with pytest.raises(FormulaError):
        stored(f"LET({name}, 1, 2)")


@pytest.mark.parametrize("text", ["LET(a, 1)", "LET()", "LAMBDA(1, 2)", "LET([a], 1, 2)", "[a]+1"])
def test_what_binds_nothing(text: str) -> None:
    with pytest.raises(FormulaError):
        stored(text)


def test_called_sees_no_texts_and_no_sheets() -> None:
    assert called("a(1)+\"b(2)\"&'c(3)'!A1+[0]!d(4)") == {"A", "D"}


def test_a_number_that_counts_rows_is_filled_down() -> None:
    tree = Binary("+", Reference("A5"), Call("MOD", (Counting(3, 99), Counting(1))))
    filler = Filler(tree)
    assert [filler.text(down) for down in (0, 2)] == ["A5+MOD(3,1)", "A7+MOD(201,3)"]
    assert to_text(filled(tree, 2)) == filler.text(2)
    cells = {(row, 1): 1.0 for row in (5, 7)} | {(row, 2): Filled(tree, row - 5) for row in (5, 7)}
    assert Workbook({"S": cells}).values("S") == {(5, 2): 1.0, (7, 2): 1.0}
