"""What organizers write for a result."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elo_xl.engine.errors import DomainError, RatingError
from elo_xl.engine.results import ROUND_CODES, ResultError, read_codes, read_result

WIN = ["1", "1.0", "1,0", "1.00", " 1 ", "W", "w", "win", "Win", "WON", "1-0", "1:0", "1 - 0",
       "1–0"]  # fmt: skip
WIN += ["1—0", "1−0", "1‑0", "1.0-0.0", "1,0 : 0,0", "W-L", "win-loss", "1\u00a0-\u00a00"]
DRAW = ["0.5", "0,5", ".5", ",5", "0.50", "½", "1/2", "=", "D", "d", "draw", "Drawn", "½-½", "½–½"]
DRAW += ["1/2-1/2", "1/2 : 1/2", "0.5-0.5", "0,5-0,5", ".5-.5", "=-=", "= : =", "D-D", "½ − ½"]
DRAW += ["½-0.5", "1/2-½", "1⁄2"]
LOSS = ["0", "0.0", "0,0", "L", "l", "loss", "Lost", "0-1", "0:1", "0 – 1", "0—1", "0−1", "L-W"]

FORFEIT_WIN = ["+", "+-", "+--", "+ - -", "+/-", "+:-", "+ : −", "+–−", "1-0F", "1F-0F", "1f:0"]
FORFEIT_LOSS = ["-", "−", "–", "-+", "--+", "- - +", "-/+", "-:+", "0-1F", "0f-1f"]
DOUBLE_FORFEIT = ["--", "---", "- - -", "-:-", "-/-"]
BYES = {
    "H": ["H", "h", "hpb", "half bye", "half-point bye", "Half point bye", "½ bye", "0,5 bye"],
    "F": ["F", "f", "FPB", "full-point bye", "1 bye"],
    "U": ["U", "u", "PAB", "bye", "Bye", "pairing-allocated bye"],
    "Z": ["Z", "z", "ZPB", "zero-point bye", "absent", "0 bye"],
}
NOTHING = ["", " ", "*", "forfeit", "walkover", "w/o", "WO", "unplayed", "not played"]

OTHER_TEXTS = ["2", "2.5", "0.25", "10", "-1", "1 0", "1000000", "00.75", "-½", "1.", "１－０", "x"]
OTHER_TEXTS += ["wd", "win!", "nan", "inf", "1e0", "½½", "1½", "11/2", "1/20", "½0", "1/3"]
OTHER_TEXTS += ["2-1", "3:1", "1-", "-0", "+1", "+0,5", "1--0", "1-0-1", "--+-", "+-+", "1/0", "١"]
OTHER_TEXTS += ["TRUE", "#N/A", "1-0.25", "()", "W D"]
CONTRADICTIONS = ["1-1", "0-0", "½-0", "0:½", "1-½", "½-1", "W-W", "=-1", "L-D"]


@pytest.mark.parametrize(
    ("text", "scores", "codes"),
    [
        *((text, (1.0, 0.0), ("1", "0")) for text in WIN),
        *((text, (0.5, 0.5), ("=", "=")) for text in DRAW),
        *((text, (0.0, 1.0), ("0", "1")) for text in LOSS),
    ],
)
def test_wins_draws_and_losses(text, scores, codes):
    assert scores == read_result(text)
    assert codes == read_codes(text)


@pytest.mark.parametrize(
    ("value", "scores"),
    [
        (1, (1.0, 0.0)),
        (0.5, (0.5, 0.5)),
        (0, (0.0, 1.0)),
        (-0.0, (0.0, 1.0)),
        (True, (1.0, 0.0)),
        (False, (0.0, 1.0)),
    ],
)
def test_numbers(value, scores):
    assert scores == read_result(value)


@pytest.mark.parametrize(
    ("codes", "texts"),
    [
        (("+", "-"), FORFEIT_WIN),
        (("-", "+"), FORFEIT_LOSS),
        (("-", "-"), DOUBLE_FORFEIT),
        (("", ""), NOTHING),
        *(((code, ""), texts) for code, texts in BYES.items()),
    ],
)
def test_unplayed_games_have_no_scores(codes, texts):
    assert [codes] * len(texts) == [read_codes(text) for text in texts]
    assert [(None, None)] * len(texts) == [read_result(text) for text in texts]


@pytest.mark.parametrize(
    ("value", "shown"), [(2, "2"), (0.75, "0.75"), (-1.0, "-1.0"), (math.nan, "nan")]
)
def test_other_numbers(value, shown):
    with pytest.raises(DomainError) as caught:
        read_result(value)
    assert f"result must be 1, 0.5 or 0, got {shown}" == str(caught.value)


@pytest.mark.parametrize("text", OTHER_TEXTS)
def test_other_texts(text):
    with pytest.raises(ResultError) as caught:
        read_result(text)
    of_several = "; several games are entered one by one" if text in ("2-1", "3:1") else ""
    assert f"result must be 1, 0.5 or 0, got {text!r}{of_several}" == str(caught.value)


@pytest.mark.parametrize("text", CONTRADICTIONS)
def test_two_results_must_add_up_to_one(text):
    with pytest.raises(ResultError) as caught:
        read_result(text)
    assert f"the two results of a game must add up to 1, got {text!r}" == str(caught.value)


@given(st.text(alphabet="10½=.,/WDLHFUZ+-–−: xf*", max_size=9) | st.text() | st.floats())
def test_anything_is_a_result_or_a_rating_error(value):
    try:
        first, second = read_result(value)
    except RatingError:
        return
    assert (first, second) in {(1.0, 0.0), (0.5, 0.5), (0.0, 1.0), (None, None)}


@given(st.text(alphabet="10½=.,WDL+-: ", max_size=7))
def test_a_pair_read_from_the_other_side(text):
    """The mirrored text of a pair gives the mirrored scores."""
    left, colon, right = text.partition(":")
    if not (colon and left.strip() and right.strip()):
        return
    try:
        scores = read_result(text)
    except RatingError:
        return
    assert scores[::-1] == read_result(f"{right}:{left}")


def test_round_codes():
    expected = {"1": (1.0, True), "=": (0.5, True), "0": (0.0, True), "W": (1.0, False),
                "D": (0.5, False), "L": (0.0, False), "+": (1.0, False), "-": (0.0, False),
                "H": (0.5, False), "F": (1.0, False), "U": (1.0, False), "Z": (0.0, False),
                "": (0.0, False)}  # fmt: skip
    assert expected == {
        code: (known.points, known.rated)
        for code, known in ROUND_CODES.items()
        if code == code.upper()
    }
    assert all(ROUND_CODES[code.upper()] is known for code, known in ROUND_CODES.items())
