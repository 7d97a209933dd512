"""What is computed of a formula before the cells have values, as a spreadsheet would."""

import pytest

from elo_xl.xlsx.folding import Env, PartialEvaluator, Piece, junction
from elo_xl.xlsx.formula import Call, Name, Node, parse, to_text


class Plain(PartialEvaluator):
    """Names stand for themselves."""

    def meaning(self, name: str) -> Node | Piece:
        return Name(name)

    def call(self, name: str, arguments: tuple[Node | None, ...], env: Env) -> Node:
        if name in ("AND", "OR"):
            return junction(name, [a for a in self.reduced(arguments, env) if a is not None])
        return Call(name, tuple(self.reduced(arguments, env)))


class Numeric(Plain):
    numbers = True


@pytest.mark.parametrize(
    ("formula", "result"),
    [
        ("2/2+(7-3)*5", "21"),
        ("1/3", "1/3"),  # no decimal number is exactly that
        ("1/0", "1/0"),
        ("-(A1-B1)", "B1-A1"),
        ("A1/2+0", "A1/2"),
        ('"K"="k"', "TRUE"),
        ("TRUE=1", "FALSE"),
        ('9<"1"', "TRUE"),  # any text is greater than any number
        ('IF(1>2,missing_function(A1),"no")', '"no"'),
        ("IF(A1>2,B1,B1)", "B1"),
        ("AND(A1>1,AND(B1>1,TRUE),2>1)", "AND(A1>1,B1>1)"),
        ("OR(A1>1,2>1)", "TRUE"),
        ("OR(A1:A9)", "OR(A1:A9)"),
    ],
)
def test_what_is_known_is_computed(formula: str, result: str) -> None:
    assert result == to_text(Plain().reduce(parse(formula), {}))


@pytest.mark.parametrize(
    ("formula", "of_numbers"),
    [
        ("A1+0", "A1"),
        ("A1*1", "A1"),
        ("A1*0", "0"),
        ("A1-A1", "0"),
        ("--A1", "A1"),
        ("--(A1>2)", "--(A1>2)"),
    ],
)
def test_a_cell_may_hold_a_text_unless_all_are_numbers(formula: str, of_numbers: str) -> None:
    assert formula == to_text(Plain().reduce(parse(formula), {}))
    assert of_numbers == to_text(Numeric().reduce(parse(formula), {}))
