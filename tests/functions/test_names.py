"""Names and help that a host would refuse: found before anything is built, with the reason."""

from dataclasses import replace

import pytest

from elo_xl.functions.arguments import Argument, NumberArgument
from elo_xl.functions.catalogue import Function, functions
from elo_xl.functions.names import NamesError, check, problems


def one(name: str = "ELO_X", *arguments: Argument, text: str = "Help.") -> Function:
    return Function(name, text, "", arguments, max, "", ())


def test_the_catalogue_has_only_names_that_every_host_takes() -> None:
    assert problems(functions().values()) == []


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("ELO1", "reads as a cell's address"),
        ("XFD1048576", "reads as a cell's address"),
        ("R1C1", "reads as a cell's address"),
        ("_ELO", "starts with an underscore"),
        ("NEXT", "is a word of VBA's"),
        ("Elo_K", "must be three or more capitals"),
        ("ELO.K", "must be three or more capitals"),
        ("EL", "must be three or more capitals"),
        ("É_ELO", "must be three or more capitals"),
        ("ELO_" + "X" * 125, "has 129 characters, hosts take 128"),
        ("", "has no name"),
    ],
)
def test_a_function_s_name(name: str, why: str) -> None:
    (problem,) = problems([one(name)])
    assert problem.startswith(f"{name}: {why}")


def test_a_function_s_name_has_128_characters_at_most() -> None:
    assert problems([one("ELO_" + "X" * 124)]) == []


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("date", "is a word of VBA's"),
        ("Currency", "is a word of VBA's"),
        ("scale", "is a word of VBA's"),
        ("loop", "is a word of VBA's"),
        ("caller", "is a name of Excel's or xlwings' own"),
        ("value", "is a name of Excel's or xlwings' own"),
        ("lambda", "is a word of Python's"),
        ("a1", "reads as a cell's address"),
        ("r", "reads as a cell's address"),
        ("rc", "reads as a cell's address"),
        ("elo400", "reads as a cell's address"),
        ("_k", "starts with an underscore"),
        ("Rating", "must be lower-case letters"),
        ("my k", "must be lower-case letters"),
        ("", "has no name"),
    ],
)
def test_an_argument_s_name(name: str, why: str) -> None:
    (problem,) = problems([one("ELO_X", NumberArgument(name, "Help."))])
    assert problem.startswith(f"ELO_X, argument {name}: {why}")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x" * 256, "its help has 256 characters, Excel's wizard takes 255"),
        ("Two\nlines.", "its help has more than one line"),
        (" ", "has no help"),
    ],
)
def test_help(text: str, why: str) -> None:
    (of_function,) = problems([one(text=text)])
    assert of_function.startswith(f"ELO_X: {why}")
    (of_argument,) = problems([one("ELO_X", NumberArgument("k", text))])
    assert of_argument.startswith(f"ELO_X, argument k: {why}")


def test_help_of_a_function_stands_in_vba_s_code_page() -> None:
    assert problems([one(text="Φ(d) and ½.")]) == [
        "ELO_X: its help has Φ, which code page 1252 of VBA lacks"
    ]
    assert problems([one("ELO_X", NumberArgument("k", "Φ(d)."))]) == []


def test_what_does_not_go_together() -> None:
    k, again = NumberArgument("k", "Help."), NumberArgument("k", "Help.", default=1.0)
    assert problems([one("ELO_X", replace(k, default=1.0), NumberArgument("sd", "Help."))]) == [
        "ELO_X, argument sd: is required, but follows an optional argument"
    ]
    assert problems([one("ELO_X", k, again)]) == ["ELO_X, argument k: occurs twice in its function"]
    assert problems([one(), one()]) == ["ELO_X: occurs twice in the catalogue"]
    many = [NumberArgument(f"argument_{i}", "Help.") for i in range(61)]
    assert problems([one("ELO_X", *many)]) == ["ELO_X: has 61 arguments, VBA takes 60"]


def test_all_problems_come_at_once() -> None:
    with pytest.raises(NamesError) as raised:
        check([one("ELO1"), one("ELO_X", NumberArgument("end", "x" * 300))])
    assert str(raised.value).splitlines() == [
        "ELO1: reads as a cell's address",
        "ELO_X, argument end: is a word of VBA's",
        "ELO_X, argument end: its help has 300 characters, Excel's wizard takes 255",
    ]
