"""The worksheet functions as ``functions.md`` promises them: values, shapes, options, errors."""

import math
import re
from collections.abc import Callable
from functools import partial
from typing import Any
from unittest import mock

import numpy as np
import pytest

import elo_xl
from elo_xl.engine import results
from elo_xl.functions.catalogue import Function, find, functions
from elo_xl.functions.evaluation import evaluate
from elo_xl.functions.names import MOST_HELP
from tests.support.native_host import same

call: Callable[..., Any] = elo_xl.worksheet

every_function = pytest.mark.parametrize("function", functions().values(), ids=lambda f: f.name)


# worked values, digit by digit as the contract prints them


@pytest.mark.parametrize(
    ("function", "example"),
    [(f, example) for f in functions().values() for example in f.examples],
    ids=lambda x: x.name if isinstance(x, Function) else None,
)
def test_example_of_the_catalogue(function, example):
    result: Any = evaluate(function, *example.arguments)
    expected = example.result
    if not isinstance(expected, list):
        result, expected = [[result]], [[expected]]
    assert len(expected) == len(result)
    for there, here in zip(expected, result, strict=True):
        numbers = [
            cell if isinstance(cell, str) else pytest.approx(cell, rel=1e-12) for cell in there
        ]
        assert numbers == here


# the catalogue itself


@every_function
def test_help_fits_excels_wizard(function):
    assert 0 < len(function.help) <= MOST_HELP
    assert "\n" not in function.help
    for argument in function.arguments:
        assert 0 < len(argument.help) <= MOST_HELP
        assert argument.takes
    assert function.source
    assert function.examples
    required = [argument.required for argument in function.arguments]
    assert sorted(required, reverse=True) == required


@every_function
def test_number_of_arguments(function):
    most = len(function.arguments)
    takes = f"{function.least}" if function.least == most else f"{function.least} to {most}"
    for count in (0, function.least - 1, most + 1):
        message = f"{function.signature} takes {takes} arguments, got {count}"
        with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
            call(function.name, *[1] * count)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ELO_EXPECT", "no function 'ELO_EXPECT'; did you mean ELO_EXPECTED"),
        ("elo_preform", "no function 'elo_preform'; did you mean ELO_PERFORMANCE"),
        ("SUM", "no function 'SUM'"),
        ("", "no function ''"),
    ],
)
def test_unknown_function(name, message):
    with pytest.raises(LookupError) as caught:
        call(name, 1)
    assert str(caught.value.args[0]).startswith(message)


def test_names_in_lower_case():
    assert call("ELO_K", 2450) == call("elo_k", 2450) == call("Elo_K", 2450)


# shapes

COLUMN, ROW = [[1600], [1700], [1800]], [[1500, 1650]]


def test_one_cell_stretches():
    column = [[call("ELO_EXPECTED", x, 1500)] for (x,) in COLUMN]
    assert column == call("ELO_EXPECTED", COLUMN, 1500) == call("ELO_EXPECTED", COLUMN, [[1500]])
    assert [[call("ELO_EXPECTED", 1600, x) for x in ROW[0]]] == call("ELO_EXPECTED", 1600, ROW)


def test_row_against_column_is_a_table():
    table = [[call("ELO_EXPECTED", x, y) for y in ROW[0]] for (x,) in COLUMN]
    assert table == call("ELO_EXPECTED", COLUMN, ROW)
    assert table == call("ELO_EXPECTED", COLUMN, ROW[0])
    assert table == call("ELO_EXPECTED", np.array(COLUMN), np.array(ROW))
    assert [[call("ELO_EXPECTED", y, x) for y in ROW[0]] for (x,) in COLUMN] == call(
        "ELO_EXPECTED", ROW, COLUMN
    )


def test_sizes_that_do_not_fit():
    two = [[1500], [1600]]
    assert [*call("ELO_EXPECTED", COLUMN[:2], two), ["#N/A"]] == call("ELO_EXPECTED", COLUMN, two)
    wide = call("ELO_EXPECTED", [[1600, 1700, 1800]], ROW)
    assert [*call("ELO_EXPECTED", [[1600, 1700]], ROW)[0], "#N/A"] == wide[0]
    assert [["#N/A"]] * 3 == [
        row[2:] for row in call("ELO_EXPECTED", [[1, 2], [3, 4], [5, 6]], [[1, 2, 3]])
    ]


def test_options_as_ranges():
    models = [["normal", "LOGISTIC", None, " fide ", "rescaled", 5, "elo", "#REF!"]]
    row = call("ELO_EXPECTED", 1834, 2179, models)[0]
    named = [call("ELO_EXPECTED", 1834, 2179, m) for m in ("normal", "logistic", "normal", "fide")]
    assert [*named, call("ELO_EXPECTED", 1834, 2179, "rescaled")] == row[:5]
    assert ["#VALUE!", "#VALUE!", "#REF!"] == row[5:]


def test_margins_as_ranges():
    draws = [["split"], [None], [0], [20], ["20,0"], ["half"], [-1]]
    rows = call("ELO_OUTCOMES", 1600, 1500, draws)
    split, none, margin = (call("ELO_OUTCOMES", 1600, 1500, x)[0] for x in ("split", 0, 20))
    assert [split, split, none, margin, margin, ["#VALUE!"] * 3, ["#NUM!"] * 3] == rows


def test_draw_models_as_people_type_them():
    draws: list[list[Any]] = [
        ["davidson:0.79"],
        [" Davidson : 0,79 "],
        ["DAVIDSON"],
        ["davidson: "],
        ["davidson:1"],
    ]
    draws += [["rao-kupper:1\u00a0000"], ["rao-kupper:1000"], [1000]]
    rows = call("ELO_OUTCOMES", 1600, 1500, draws, "logistic")
    assert rows[0] == rows[1]
    assert rows[2] == rows[3] == rows[4]
    assert rows[5] == rows[6]
    assert same(rows[6:7], rows[7:])
    wrong = [["davidson:x"], ["davidson:1:2"], ["split:1"], ["margin:5"], [":5"], ["davidson:-1"]]
    errors = [cells[0] for cells in call("ELO_OUTCOMES", 1600, 1500, wrong, "logistic")]
    assert ["#VALUE!"] * 5 + ["#NUM!"] == errors


def test_home_advantage_counts_before_the_cap():
    call_ = partial(call, "ELO_EXPECTED")
    assert call_(1865, 1800) == call_(1800, 1800, None, None, None, None, 65)
    assert call_(2200, 1800) == call_(2150, 1800, None, 400, None, None, 65)
    assert call_(2200, 1800) == call_(2250, 1800, None, 400, None, None, -50)
    assert call_(2190, 1800) == call_(2250, 1800, None, 400, None, None, -60)
    assert call_(1800, 1800) == call_(1800, 1800, None, None, None, None, None)
    assert call("ELO_OUTCOMES", 1865, 1800, 20) == call("ELO_OUTCOMES", 1800, 1800, 20, None, 65)
    assert call("ELO_POINTS", 1740, 1800) == call(
        "ELO_POINTS", 1800, 1800, None, None, None, None, None, -60
    )


def test_tables_stack_by_row():
    rows = call("ELO_OUTCOMES", COLUMN, ROW)
    assert [call("ELO_OUTCOMES", x, y)[0] for (x,) in COLUMN for y in ROW[0]] == rows


def test_everything_at_once_is_everything_by_itself():
    ratings = [1600, None, "x", 0, 2700, "1 800", 1600, 1600, "#DIV/0!", 1600]
    opponents = [1500, 1500, 1500, 1500, None, 1900, "#N/A", 1500, "#NUM!", 1500]
    models = ["normal", "fide", "normal", "fide", "fide", "logistic", "fide", "?", None, "fide"]
    caps = [None, 400, 400, None, 400, -1, None, None, None, 50]
    sds = [None, None, None, None, None, None, None, None, None, 100]
    rows: list[list[Any]] = [ratings, opponents, models, caps, sds]
    together = call("ELO_EXPECTED", *([[x] for x in row] for row in rows))
    assert [[call("ELO_EXPECTED", *cells)] for cells in zip(*rows, strict=True)] == together
    assert ["", "#VALUE!", "", "", "#NUM!", "#N/A", "#VALUE!", "#DIV/0!", "#VALUE!"] == [
        cell for (cell,) in together[1:]
    ]


# values


@pytest.mark.parametrize("blank", [None, "", " ", "\u00a0", [], [[None]]])
def test_blanks(blank):
    assert "" == call("ELO_EXPECTED", blank, 1500) == call("ELO_EXPECTED", 1500, blank)
    assert [["", "", ""]] == call("ELO_OUTCOMES", blank, 1500)
    left_out = call("ELO_EXPECTED", 1600, 1500)
    assert left_out == call("ELO_EXPECTED", 1600, 1500, blank, blank, blank, blank)
    assert "" == call("ELO_SCORE", blank) == call("ELO_CLASS", blank) == call("ELO_K", blank)
    assert "" == call("ELO_CHANGE", blank, 20, 1500, 1) == call("ELO_CHANGE", 1500, blank, 1500, 1)
    assert "" == call("ELO_CHANGE", 1500, 20, [1500, 1600], blank)  # no total
    assert 0 == call("ELO_CHANGE", 1500, 20, 1500, blank)  # a game not played
    assert "" == call("ELO_PERFORMANCE", blank, blank) == call("ELO_INITIAL", blank, blank)


@pytest.mark.parametrize("zero", [0, 0.0, -0.0, "0", " 0,0 ", False])
def test_rating_0_is_unrated(zero):
    assert "" == call("ELO_EXPECTED", zero, 1500) == call("ELO_EXPECTED", 1500, zero)
    assert "" == call("ELO_K", zero) == call("ELO_NEW", zero, 20, 1, 0.5) == call("ELO_CLASS", zero)
    assert call("ELO_K", 2350, 40) == call("ELO_K", 2350, 40, None, zero)
    assert call("ELO_CHANGE", 1500, 20, 1600, 1) == call(
        "ELO_CHANGE", 1500, 20, [1600, zero], [1, 1]
    )


def test_texts_and_truths_are_numbers():
    assert call("ELO_EXPECTED", 1834.5, 2179) == call("ELO_EXPECTED", " 1\u202f834,5", "2179.0")
    assert 1820 == call("ELO_NEW", "1800", "20", True, False)
    assert [[1], [0]] == call("ELO_SCORE", [[True], [False]])


@pytest.mark.parametrize(
    ("error", "name", "arguments"),
    [
        # outside their domain
        ("#NUM!", "ELO_DIFF", (1.01,)),
        ("#NUM!", "ELO_DIFF", (-0.01, "fide")),
        ("#NUM!", "ELO_DIFF", (0,)),
        ("#NUM!", "ELO_DIFF", (1, "logistic")),
        ("#NUM!", "ELO_EXPECTED", (1500, 1500, "normal", -1)),
        ("#NUM!", "ELO_EXPECTED", (1500, 1500, "normal", None, 0)),
        ("#NUM!", "ELO_EXPECTED", (1500, 1500, "normal", None, 200, -5)),
        ("#NUM!", "ELO_EXPECTED", (math.inf, 1500)),
        ("#NUM!", "ELO_EXPECTED", (1500, "1e999")),
        ("#NUM!", "ELO_OUTCOMES", (1500, 1500, -1)),
        ("#NUM!", "ELO_MATCH", (1500, 1500, 2.5, 1)),
        ("#NUM!", "ELO_MATCH", (1500, 1500, -1, 0)),
        ("#NUM!", "ELO_MATCH", (1500, 1500, 10_001, 0)),
        ("#NUM!", "ELO_MATCH", (1500, 1500, 4, 4.5)),
        ("#NUM!", "ELO_MATCH", (1500, 1500, 4, 0.25)),
        ("#NUM!", "ELO_MATCH", (1500, 1500, 4, -0.5)),
        ("#NUM!", "ELO_K", (1500, -1)),
        ("#NUM!", "ELO_K", (1500, 40, -1)),
        ("#NUM!", "ELO_K", (1500, 40, 20, None, -1)),
        ("#NUM!", "ELO_NEW", (1500, -20, 1, 0.5)),
        ("#NUM!", "ELO_NEW", (1500, 20, -1, 0.5)),
        ("#NUM!", "ELO_NEW", (1e308, 1e308, 1e308, 0)),
        ("#NUM!", "ELO_CHANGE", (1500, -20, 1500, 1)),
        ("#NUM!", "ELO_CHANGE", (1500, 20, 1500, 1.5)),
        ("#NUM!", "ELO_CHANGE", (1500, 20, [1500, 1600], [1.5, 1])),
        ("#NUM!", "ELO_CHANGE", (1500, 20, [1500, 1600], 2.5)),
        ("#NUM!", "ELO_CHANGE", (1500, 20, [1500, 1600], [-1, 1])),
        ("#NUM!", "ELO_PERFORMANCE", ([1500, 1600], [1.5, 0])),
        ("#NUM!", "ELO_INITIAL", ([1500, 1600], [0.5, 1.5])),
        ("#NUM!", "ELO_PERFORMANCE", ([1500, 1600], 2, "normal")),
        ("#NUM!", "ELO_PERFORMANCE", ([1500, 1600], 0, "logistic")),
        ("#NUM!", "ELO_INITIAL", ([1500, 1600], 2, "elo")),
        ("#NUM!", "ELO_SCORE", (2,)),
        ("#NUM!", "ELO_SCORE", (1, 3)),
        ("#NUM!", "ELO_SCORE", (1, 1.5)),
        # no number, no option
        ("#VALUE!", "ELO_EXPECTED", ("x", 1500)),
        ("#VALUE!", "ELO_EXPECTED", (1500, 1500, "elo")),
        ("#VALUE!", "ELO_EXPECTED", (1500, 1500, 1)),
        ("#VALUE!", "ELO_EXPECTED", (1500, 1500, "fide", None, 200)),
        ("#VALUE!", "ELO_EXPECTED", (1500, 1500, "logistic", None, None, 200)),
        ("#VALUE!", "ELO_OUTCOMES", (1500, 1500, 20, "fide")),
        ("#VALUE!", "ELO_OUTCOMES", (1500, 1500, 0, "rescaled")),
        ("#VALUE!", "ELO_OUTCOMES", (1500, 1500, "none")),
        ("#VALUE!", "ELO_MATCH", (1500, 1500, 4, 2, "more")),
        ("#VALUE!", "ELO_K", (1500, "many")),
        ("#VALUE!", "ELO_K", (1500, 40, 20, None, None, "fifa")),
        ("#VALUE!", "ELO_CHANGE", (1500, 20, 1500, 1, "fide-2030")),
        ("#VALUE!", "ELO_PERFORMANCE", (1500, 1, "mean")),
        ("#VALUE!", "ELO_SCORE", ("won it",)),
        ("#VALUE!", "ELO_SCORE", ("1-1",)),
        ("#VALUE!", "ELO_SCORE", ("0.4",)),
        ("#VALUE!", "ELO_CLASS", (1500, "eo")),
        ("#VALUE!", "ELO_CLASS", ("Grandmaster",)),
        # sizes
        ("#N/A", "ELO_CHANGE", (1500, 20, [1500, 1600, 1700], [1, 0])),
        ("#N/A", "ELO_PERFORMANCE", ([1500], [1, 0])),
        ("#N/A", "ELO_CHANGE", (2601, 10, [2001, 2400], 1.5, "fide-rapid")),
    ],
)
def test_error(error, name, arguments):
    result = call(name, *arguments)
    assert error == (result[0][0] if isinstance(result, list) else result)


def test_texts_that_are_no_results_are_read_once_each(monkeypatch):
    """What is wrong was looked for by halves, which read each text again and again."""
    read = mock.Mock(wraps=results.read_result)
    monkeypatch.setattr(results, "read_result", read)
    typed = ["1-0", "won it", 2, "½", "0-0", "won, too", "+", "0-1"]
    shown = [[1], ["#VALUE!"], ["#NUM!"], [0.5], ["#VALUE!"], ["#VALUE!"], [""], [0]]
    assert shown == call("ELO_SCORE", [[text] for text in typed])
    assert len(typed) == read.call_count


@every_function
@pytest.mark.parametrize("error", ["#N/A", "#REF!", "#DIV/0!", "#NULL!", "#NAME?", "#SPILL!"])
def test_an_error_stays_the_same_error(function, error):
    good = list(function.examples[0].arguments)
    good += [None] * (len(function.arguments) - len(good))
    for i, argument in enumerate(function.arguments):
        if function.name in ("ELO_PERIOD", "ELO_LADDER") and argument.whole:
            continue  # there an error belongs to the players it concerns, or to the game
        result = evaluate(function, *good[:i], error, *good[i + 1 :])
        assert {error} == {
            x for row in (result if isinstance(result, list) else [[result]]) for x in row
        }


def test_the_first_error_wins():
    assert "#REF!" == call("ELO_EXPECTED", "#REF!", "#N/A") == call("ELO_EXPECTED", None, "#REF!")
    assert "#N/A" == call("ELO_NEW", 1500, "#N/A", -1, "#REF!")


# single functions


def test_a_cap_and_deviations_left_out():
    plain = call("ELO_EXPECTED", 2400, 1500)
    assert plain == call("ELO_EXPECTED", 2400, 1500, None, 900)
    assert plain > call("ELO_EXPECTED", 2400, 1500, None, 400)
    assert 0.5 == call("ELO_EXPECTED", 2400, 1500, None, 0)
    assert plain == pytest.approx(call("ELO_EXPECTED", 2400, 1500, None, None, 200, 200), rel=1e-15)
    one = call("ELO_EXPECTED", 2400, 1500, None, None, 300)
    assert one == call("ELO_EXPECTED", 2400, 1500, None, None, 300, 200)
    assert one == call("ELO_EXPECTED", 2400, 1500, None, None, None, 300)


def test_points_left_out_are_3_1_0():
    split = call("ELO_OUTCOMES", 1600, 1500)[0]
    assert 3 * split[0] + split[1] == pytest.approx(call("ELO_POINTS", 1600, 1500), rel=1e-15)
    assert call("ELO_EXPECTED", 1600, 1500) == pytest.approx(
        call("ELO_POINTS", 1600, 1500, 1, 0.5, None), rel=1e-15
    )


def test_match_with_a_column_of_games_and_points():
    rows = call("ELO_MATCH", 1600, 1500, [[0], [1], [2], [10]], [[0, 0.5, 1, 9.5]], "at most")
    assert [1, "#NUM!", "#NUM!", "#NUM!"] == rows[0]
    assert [*call("ELO_MATCH", 1600, 1500, 1, [[0, 0.5, 1]], "at most")[0], "#NUM!"] == rows[1]
    assert rows[3] == [call("ELO_MATCH", 1600, 1500, 10, x, "at most") for x in (0, 0.5, 1, 9.5)]
    assert 1 == rows[1][2]


@pytest.mark.parametrize(
    ("rating", "english", "spanish"),
    [
        (1399.9, "Beginner", "Principiante"),
        (1400, "Amateur", "Aficionado"),
        (1599, "Amateur", "Aficionado"),
        (1600, "Average club player", "Jugador medio de club"),
        (1800, "Strong club player", "Jugador fuerte de club"),
        (2000, "Candidate master", "Candidato a maestro"),
        (2300, "National master", "Maestro nacional"),
        (2400, "International master", "Maestro internacional"),
        (2499, "International master", "Maestro internacional"),
        (2500, "Grandmaster", "Gran maestro"),
        (100, "Beginner", "Principiante"),
    ],
)
def test_class(rating, english, spanish):
    assert [[english, spanish]] == call("ELO_CLASS", rating, [["en", "ES"]])
    assert re.fullmatch("[а-яА-Я ]+", call("ELO_CLASS", rating, "ru"))


# aggregates


@pytest.mark.parametrize("turned", [False, True])
def test_lists_of_any_orientation(turned):
    opponents, scores = [[1860, 1770, 2000]], [[1, 0.5, 0]]
    if turned:
        opponents, scores = [[x] for x in opponents[0]], [[x] for x in scores[0]]
    assert 6 == call("ELO_CHANGE", 1800, 20, opponents, scores)
    assert 6 == call("ELO_CHANGE", 1800, 20, opponents, [1, 0.5, 0])
    assert 6 == call("ELO_CHANGE", 1800, 20, opponents, 1.5)
    assert 6 == call("ELO_CHANGE", 1800, 20, opponents, [["1,5"]])
    assert [[6], [3]] == call("ELO_CHANGE", 1800, [[20], [10]], opponents, scores)
    assert 6 == call("ELO_CHANGE", 1800, 20, [[1860, 1770], [2000, None]], [[1, 0.5], [0, None]])


@pytest.mark.parametrize(
    ("opponents", "scores"),
    [
        ([1860, None, 1770, 2000], [1, 1, 0.5, 0]),
        ([1860, 0, 1770, 2000], [1, 1, 0.5, 0]),
        ([1860, 1900, 1770, 2000], [1, "", 0.5, 0]),
        ([1860, 1900, 1770, 2000], [1, None, 0.5, "0"]),
        ([1860, None, "", "1770", " 2 000 "], [1, None, 7, "½".replace("½", "0,5"), 0]),
    ],
)
def test_pairs_with_a_blank_are_skipped(opponents, scores):
    assert 6 == call("ELO_CHANGE", 1800, 20, opponents, scores)
    assert 1806 == call("ELO_UPDATE", 1800, 20, [[x] for x in opponents], [[x] for x in scores])
    assert 1877 == call("ELO_PERFORMANCE", opponents, scores)
    assert call("ELO_INITIAL", [1860, 1770, 2000], 1.5) == call("ELO_INITIAL", opponents, scores)


def test_total_against_opponents_with_blanks():
    assert 6 == call("ELO_CHANGE", 1800, 20, [1860, None, 1770, 0, 2000, ""], 1.5)
    assert 1877 == call("ELO_PERFORMANCE", [1860, None, 1770, 0, 2000, ""], 1.5)
    assert "#NUM!" == call("ELO_PERFORMANCE", [1860, None, 1770, 0, 2000, ""], 3.5)


def test_no_games_at_all():
    nobody = [[None, 0, ""]]
    for scores in (nobody, [[None, 1, None]], 0, None):
        assert 0 == call("ELO_CHANGE", 1800, 20, nobody, scores)
        assert 1800 == call("ELO_UPDATE", 1800, 20, nobody, scores)
        assert "" == call("ELO_PERFORMANCE", nobody, scores) == call("ELO_INITIAL", nobody, scores)
    assert "#NUM!" == call("ELO_CHANGE", 1800, 20, nobody, 1)


@pytest.mark.parametrize("name", ["ELO_CHANGE", "ELO_UPDATE", "ELO_PERFORMANCE", "ELO_INITIAL"])
def test_first_error_of_an_aggregate(name):
    own = (1800, 20) if name in ("ELO_CHANGE", "ELO_UPDATE") else ()
    opponents, scores = [1860, "#REF!", "x"], [1, "#N/A", 0]
    assert "#REF!" == call(name, *own, opponents, scores)
    assert "#N/A" == call(name, *own, [1860, 1770, 2000], scores)
    assert "#VALUE!" == call(name, *own, [1860, "x", "#REF!"], [1, 0, 0])
    assert "#VALUE!" == call(name, *own, [1860, 1770], [1, "half"])
    assert "#DIV/0!" == call(name, *own, [1860, 1770], "#DIV/0!")


def test_errors_in_place_beside_good_elements():
    games = [[1860, 1770, 2000]], [[1, 0.5, 0]]
    rows = call("ELO_CHANGE", [[1800], [None], ["x"], ["#N/A"], [1800]], 20, *games)
    assert [[6], [""], ["#VALUE!"], ["#N/A"], [6]] == rows
    rules = call("ELO_CHANGE", 1800, 20, *games, [["fide", "fifa", None, "#REF!"]])
    assert [[6, "#VALUE!", 6, "#REF!"]] == rules


# ELO_PERIOD

PLAYERS: list[list[Any]] = [["Ana", 1800, 20], ["Bo", 1860, 20], ["Cy", 1770, 40]]
GAMES: list[list[Any]] = [["Ana", "Bo", 1], ["Cy", "Ana", "½"]]
HEADINGS = ["name", "rating", "K", "games", "score", "expected", "change", "new rating"]
HEADINGS += ["performance"]


def period(players: Any = PLAYERS, games: Any = GAMES, *options: Any) -> dict[str, list[Any]]:
    """The table's rows by name."""
    return {row[0]: row[1:] for row in call("ELO_PERIOD", players, games, *options)}


def test_labels():
    plain = call("ELO_PERIOD", PLAYERS, GAMES)
    assert [HEADINGS, *plain] == call("ELO_PERIOD", PLAYERS, GAMES, None, True)
    assert [HEADINGS, *plain] == call("ELO_PERIOD", PLAYERS, GAMES, "fide", 1)
    assert plain == call("ELO_PERIOD", PLAYERS, GAMES, None, False)
    assert list(find("ELO_PERIOD").columns) == HEADINGS


def test_period_agrees_with_the_functions_of_one_player():
    table = period()
    for name, rating, k in PLAYERS:
        met = [(b, s) for a, b, s in GAMES if a == name] + [
            (a, 1 - float(call("ELO_SCORE", s))) for a, b, s in GAMES if b == name
        ]
        opponents = [{n: r for n, r, _ in PLAYERS}[other] for other, _ in met]
        scores = [call("ELO_SCORE", score) for _, score in met]
        change, new, strength = (
            call("ELO_CHANGE", rating, k, opponents, scores),
            call("ELO_UPDATE", rating, k, opponents, scores),
            call("ELO_PERFORMANCE", opponents, scores),
        )
        expected = sum(scores) - change / k
        row = [rating, k, len(met), sum(scores), pytest.approx(expected), change, new, strength]
        assert row == table[name]


def test_every_rating_as_it_was_before():
    both = period(PLAYERS, [["Ana", "Bo", 1], ["Ana", "Bo", 1]])
    once = period(PLAYERS, [["Ana", "Bo", 1]])
    assert 2 * once["Ana"][5] == both["Ana"][5]


def test_k_by_rule_where_none_is_given():
    players = [
        ["given", 2450, 15],
        ["master", 2450],
        ["once a master", 2350, None, 90, 30, 2401],
        ["young", 2000, None, 90, 16],
        ["new", 2000, "", 12],
        ["standard", 2000, None, 30],
    ]
    ks = {row[0]: row[2] for row in call("ELO_PERIOD", players, [[None, None, None]])}
    assert {
        "given": 15, "master": 10, "once a master": 10, "young": 40, "new": 40, "standard": 20,
    } == ks  # fmt: skip
    assert 25 == call("ELO_PERIOD", [["new", 2000, None, 12]], [[None]], "fide-2009-07")[0][2]


def test_k_times_games_of_a_period():
    players = [["Ana", 2000, 40], *([f"P{i}", 2000, 20] for i in range(18))]
    table = period(players, [["Ana", f"P{i}", 1] for i in range(18)])
    assert [38, 18, 18, 9, 38 * 9, 2342] == table["Ana"][1:7]
    assert 40 == period(players, [["Ana", "P1", 1]])["Ana"][1]


def test_who_did_not_play_stays_as_he_is():
    table = period([*PLAYERS, ["Di", 1900]])
    assert [1900, 20, 0, 0, 0, 0, 1900, ""] == table["Di"]


def test_names_are_found_in_any_case_and_spacing():
    players = [["Ana  María", 1800, 20], [7, 1860, 20], ["Cy", 1770, 40]]
    games = [["ana maría", 7.0, 1], [" CY ", "Ana\u00a0María", "½"]]
    assert [row[1:] for row in call("ELO_PERIOD", PLAYERS, GAMES)] == [
        row[1:] for row in call("ELO_PERIOD", players, games)
    ]
    assert ["Ana María", "7", "Cy"] == [row[0] for row in call("ELO_PERIOD", players, games)]


def test_games_that_do_not_count():
    unplayed = [
        ["Ana", "Cy", "+"],
        ["Bo", None, 1],
        ["Cy", "bye".upper()[:0], "U"],
        [None, None, None],
    ]
    more = [*GAMES, *unplayed, ["Bo", "Cy", None], ["Bo", "Cy"], ["Ana", "Bo", "-:-"]]
    assert period() == period(PLAYERS, more)


def test_unrated_players():
    players = [["New", None], *([f"P{i}", 1800 + 10 * i, 20] for i in range(5)), ["Zero", 0, 40]]
    games = [["New", f"P{i}", i % 2] for i in range(5)]
    table = period(players, [*games, ["Zero", "New", 1], ["Zero", "P0", 1]])
    opponents, scores = [1800 + 10 * i for i in range(5)], [i % 2 for i in range(5)]
    first = call("ELO_INITIAL", opponents, scores)
    strength = call("ELO_PERFORMANCE", opponents, scores)
    assert ["", "", 5, 2, "", "", first, strength] == table["New"]
    assert ["", "", 1, 1, "", "", "", 2600] == table["Zero"]  # one game is not enough
    assert [1800, 20, 0, 0, 0, 0, 1800, ""] == table["P0"]


def test_errors_only_where_they_belong():
    players = [
        *(["Ana", 1800, 20], ["Bo", "x", 20], ["Cy", 1770, -1], ["Di", 1900, 20]),
        *(["Ed", 1900, "#REF!"], ["Fay", 1850, 20], ["Gus", 1850, 20], ["Hal", 1850, 20]),
        *(["Ida", 1850, 20], ["#NULL!", 1800], [None, 1700], ["Jo", 1800, 20]),
        *(["Kim", 1810, 20], ["Lea", "#DIV/0!"]),
    ]
    games = [
        ["Jo", "Kim", 1],
        ["Ana", "Bo", 1],  # Bo's rating is no number: Ana's change cannot be known
        ["Di", "Nobody", 1],  # not in the list
        ["Fay", "Fay", 1],  # is paired with themselves
        ["Gus", "Jo", "?"],  # no result
        ["Hal", "Ida", 2],  # no score
    ]
    table = call("ELO_PERIOD", players, games)
    rows = {row[0]: row[1:] for row in table}
    assert [1800, *["#VALUE!"] * 7] == rows["Ana"]
    assert ["#VALUE!"] * 8 == rows["Bo"]
    assert ["#NUM!"] * 8 == rows["Cy"]
    assert [1900, *["#N/A"] * 7] == rows["Di"]
    assert ["#REF!"] * 8 == rows["Ed"]
    assert [1850, *["#VALUE!"] * 7] == rows["Fay"] == rows["Gus"]
    assert [1850, *["#NUM!"] * 7] == rows["Hal"] == rows["Ida"]
    assert ["#NULL!"] * 8 == rows["#NULL!"]
    assert [""] * 8 == rows[""]
    assert [1800, *["#VALUE!"] * 7] == rows["Jo"]  # their game with Gus cannot be read
    assert period([["Jo", 1800, 20], ["Kim", 1810, 20]], games[:1])["Kim"] == rows["Kim"]
    assert ["#DIV/0!"] * 8 == rows["Lea"]


def test_an_error_of_a_game_is_the_same_error():
    table = period(PLAYERS, [["Ana", "Bo", "#REF!"], ["Cy", "#DIV/0!", 1]])
    assert {"#REF!"} == {*table["Ana"][1:], *table["Bo"][1:]}
    assert {"#DIV/0!"} == {*table["Cy"][1:]}


def test_a_name_twice_is_an_error_of_both():
    table = call("ELO_PERIOD", [["Ana", 1800], ["ANA", 1900], ["Bo", 1860]], [["Ana", "Bo", 1]])
    assert [["Ana", *["#VALUE!"] * 8], ["ANA", *["#VALUE!"] * 8]] == table[:2]
    assert ["Bo", 1860, *["#VALUE!"] * 7] == table[2]


def test_a_game_between_two_unknown_players_is_an_error_of_the_table():
    assert "#N/A" == call("ELO_PERIOD", PLAYERS, [["Xi", "Yu", 1]])


def test_periods_for_several_rulebooks_stack():
    players, games = [["Ana", 2500, 10], ["Bo", 2000, 20]], [["Ana", "Bo", 1]]
    stacked = call("ELO_PERIOD", players, games, [["fide", "fifa", "elo"]])
    error = ["#VALUE!", *[""] * 8]
    single = [call("ELO_PERIOD", players, games, rules) for rules in ("fide", "elo")]
    assert [*single[0], error, *single[1]] == stacked


def test_plain_models_do_not_round():
    table = period(PLAYERS, GAMES, "elo")
    assert 1800 + table["Ana"][5] == table["Ana"][6] != round(table["Ana"][6])
    assert "#NUM!" == period(PLAYERS, [["Ana", "Bo", 1]], "elo")["Ana"][7]  # all won


# long columns


@pytest.mark.parametrize("function", ["ELO_EXPECTED", "ELO_OUTCOMES", "ELO_K"])
def test_one_text_among_numbers_changes_nothing_else(function):
    ratings = [[float(1400 + 7 * i % 1300)] for i in range(200)]
    opponents = [] if function == "ELO_K" else [[[2179]]]
    fast = call(function, ratings, *opponents)
    mixed: list[list[Any]] = [row[:] for row in ratings]
    mixed[5], mixed[77], mixed[100] = ["x"], [None], ["1 800"]
    slow = call(function, mixed, *opponents)
    different = [i for i in range(200) if fast[i] != slow[i]]
    assert {5, 77} <= set(different) <= {5, 77, 100}
    assert {"#VALUE!"} == set(slow[5])
    assert {""} == set(slow[77])
    eighteen_hundred = call(function, 1800, *opponents)
    row = eighteen_hundred[0] if isinstance(eighteen_hundred, list) else [eighteen_hundred]
    assert row == slow[100]


@pytest.mark.slow
def test_100_000_rows():
    ratings = [[1400.0 + i % 1300] for i in range(100_000)]
    opponents = [[1500.0 + i % 900] for i in range(100_000)]
    for arguments in ((), ("logistic",), ("fide", 400)):
        result = call("ELO_EXPECTED", ratings, opponents, *arguments)
        assert 100_000 == len(result)
        for i in (0, 1, 54_321, 99_999):
            assert [call("ELO_EXPECTED", *ratings[i], *opponents[i], *arguments)] == result[i]


@pytest.mark.slow
def test_100_000_rows_with_errors_take_no_call_each():
    work, calls = find("ELO_MATCH").work, []
    points = [[float(i % 11)] for i in range(100_000)]
    points[7], points[70_000] = [10.5], [0.25]

    def counted(*arguments: Any) -> Any:
        calls.append(1)
        return work(*arguments)

    object.__setattr__(find("ELO_MATCH"), "work", counted)
    try:
        result = call("ELO_MATCH", 1600, 1500, 10, points)
    finally:
        object.__setattr__(find("ELO_MATCH"), "work", work)
    assert [7, 70_000] == [i for i, (cell,) in enumerate(result) if cell == "#NUM!"]
    assert call("ELO_MATCH", 1600, 1500, 10, 3) == result[3][0]
    assert len(calls) < 100


def test_mixed_options_in_a_long_column():
    models: list[list[Any]] = [["normal"], ["fide"], [None], ["LOGISTIC"], ["x"]] * 400
    ratings = [[1400.0 + i % 1300] for i in range(2000)]
    single = {m: call("ELO_EXPECTED", ratings, 1834, m) for m in ("normal", "fide", "logistic")}
    result = call("ELO_EXPECTED", ratings, 1834, models)
    for i, (model,) in enumerate(models):
        name = (model or "normal").lower()
        assert result[i] == (single[name][i] if name != "x" else ["#VALUE!"])
