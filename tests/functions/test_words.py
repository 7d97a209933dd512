"""Whoever types a result, and wherever: a spelling of the table means the same, or nothing."""

import csv
import io
from typing import Final

import pytest

from elo_xl import rate_period
from elo_xl.books.book import Book, Options
from elo_xl.books.signs import PAIRED, results, sign_of
from elo_xl.books.typed import WRONG
from elo_xl.club.ledger import scores_of
from elo_xl.engine.errors import RatingError
from elo_xl.engine.results import (
    ALIKE,
    PENALTIES,
    ROUND_CODES,
    SPELLINGS,
    UNDECIDED,
    normal,
    read_codes,
)
from elo_xl.events.books import read_event_book
from elo_xl.events.event import EventError
from elo_xl.events.tables import read_table
from elo_xl.functions.evaluation import worksheet
from elo_xl.functions.native import inline
from elo_xl.questions.rate.book import SIGNS as OF_FILES
from elo_xl.templates.club import SIGNS as OF_CLUBS
from elo_xl.templates.gallery import build, make, options
from elo_xl.templates.swiss import SIGNS as OF_SWISS
from elo_xl.xlsx.evaluate import Workbook
from elo_xl.xlsx.formula import parse
from tests.support.calc import Calc
from tests.support.levels import amount
from tests.support.native_host import inline_values, lambda_values

OTHERS: Final = ("2", "0.7", "x", "1-", "win-win", "1/0", "11/2", "remiss", "?", "1*", "!", "１-０")
"""what is no result anywhere"""


def dressed(text: str) -> list[str]:
    """A spelling as people type it: in capitals, with blanks, with other dashes and fractions."""
    signs = {one: others.strip() for one, others in ALIKE.items() if one}
    typed = [text, f" {text.upper()}\u00a0"]
    for one, others in signs.items():
        if one in text:
            typed += [text.replace(one, f"\u202f{other} ") for other in others]
    return typed


TYPED: Final = tuple(typed for text in SPELLINGS for typed in dressed(text))


KINDS: Final = tuple({codes: text for text, codes in SPELLINGS.items()}.values())
"""one spelling for each meaning"""


def score_of(text: str) -> float | str:
    """What the table says: a score, a blank text, or an error."""
    codes = SPELLINGS.get(normal(text))
    if codes is None or codes in PENALTIES.values():
        return "#VALUE!"
    known = ROUND_CODES[codes[0]]
    return known.points if known.rated else ""


def test_no_word_has_two_meanings_and_words_of_all_six_languages_are_there() -> None:
    assert {text: read_codes(text) for text in SPELLINGS} == SPELLINGS
    assert all(text == normal(text) for text in SPELLINGS)
    for words, codes in (
        ("win gana победа gewonnen gagné ganhou", ("1", "0")),
        ("draw tablas ничья н remis nulle empate", ("=", "=")),
        ("lost pierde поражение verloren perdu perdeu п", ("0", "1")),
        ("bye descanso свободен spielfrei exempt folga", ("U", "")),
        ("absent ausente нб abwesend", ("Z", "")),
        ("forfeit w.o. incomparecencia неявка kampflos forfait", ("", "")),
    ):
        assert [codes] * len(words.split()) == [read_codes(word) for word in words.split()]


@pytest.mark.parametrize("text", [*KINDS, *OTHERS, ""])
def test_the_function_and_its_formula(text: str) -> None:
    """By kinds; LibreOffice computes all."""
    score = score_of(text)
    book = Workbook({"S": {(1, 1): text}})
    for side in (1, 2):
        formula = parse(inline("ELO_SCORE", "A1", side))
        mirrored = 1 - score if side == 2 and isinstance(score, float) else score
        assert mirrored == book.evaluate(formula, "S", 9, 9)


def test_the_function() -> None:
    texts = (*TYPED, *OTHERS)
    assert {text: score_of(text) for text in texts} == {t: worksheet("ELO_SCORE", t) for t in texts}


@pytest.mark.slow
def test_the_lambda() -> None:
    """All spellings before a release: the program that computes it takes half a second for each."""
    texts = [text for text in (*amount(KINDS[::3], [*SPELLINGS]), *OTHERS[::5]) if text]
    values = lambda_values([("ELO_SCORE", (text,)) for text in texts])
    assert {text: score_of(text) for text in texts} == dict(zip(texts, values, strict=True))


def test_the_formula_in_libreoffice(calc: Calc) -> None:
    texts = [text for text in (*TYPED, *OTHERS) if text]
    values = inline_values([("ELO_SCORE", ([[text] for text in texts],))], calc)[0]
    assert {text: score_of(text) for text in texts} == dict(
        zip(texts, [v for (v,) in values], strict=True)
    )


@pytest.mark.parametrize("signs", [PAIRED, OF_SWISS, OF_CLUBS, OF_FILES], ids=len)
def test_a_cell_of_each_book(signs: tuple[str, ...]) -> None:
    texts = (*TYPED, *OTHERS)
    made = Book("rating-period", Options(), {"Lines": [{"result": text} for text in texts]})
    made.texts |= {"prompt_result": ""}
    made.read(
        f'sheet "Entries"\n    table Lines rows:{len(texts)}\n'
        '        result @ center input "Result" result\n'
    )
    results(made, signs)
    made.finish()
    read = dict(zip(texts, made.tables["Lines"].reads["result"].values(), strict=True))
    signed = {text: sign_of(text, signs) for text in texts}
    assert {text: WRONG if sign is None else sign for text, sign in signed.items()} == read
    for text, sign in signed.items():
        codes = SPELLINGS.get(normal(text))
        if sign is None:
            assert (
                text in OTHERS
                or normal(text) in UNDECIDED
                or codes not in [read_codes(sign) for sign in signs]
            )
        else:
            assert read_codes(sign) == (("U", "") if codes == ("F", "") else codes)


def test_the_readers_of_files_and_frames() -> None:
    texts = [text for text in SPELLINGS if read_codes(text)[1]]
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(("round", "white", "white rating", "black", "black rating", "result"))
    writer.writerows((i, "Ana", 1500, "Bo", 1600, text) for i, text in enumerate(texts, 1))
    event = read_table(file.getvalue().encode())
    codes = {p.round: p.code for p in event.pairings[1]}
    assert {text: SPELLINGS[text][0] for text in texts} == dict(
        zip(texts, (codes[i] for i, _ in enumerate(texts, 1)), strict=True)
    )
    rated = [text for text in SPELLINGS if isinstance(score_of(text), float)]
    frame = {"white": ["Ana"] * len(rated), "black": ["Bo"] * len(rated), "result": rated}
    games = rate_period(frame, {"name": ["Ana", "Bo"], "rating": [1500, 1600]})
    assert sum(map(float, map(score_of, rated))) == games["score"][0]


def test_a_club() -> None:
    for text in SPELLINGS:
        if text:
            first, second = (ROUND_CODES[code] for code in SPELLINGS[text])
            if sign_of(text, OF_CLUBS) is None:
                with pytest.raises(RatingError):
                    scores_of(text)
            else:
                scores = (first.points, second.points) if first.rated else None
                assert (text, scores) == (text, scores_of(text))


def test_what_a_sheet_marks_no_command_counts() -> None:
    """The same file: the book reads its cells with its formulas, the command with Python."""
    texts = [*KINDS, *OTHERS, "ff"]
    people = [{"name": name, "rating": 1500} for name in ("Ana", "Bo")]
    pairs = [{"white": "Ana", "black": "Bo", "result": text} for text in texts]
    chosen, content = options("rating-period"), {"Players": people, "Games": pairs}
    games = build("rating-period", chosen, content).tables["Games"]
    read = list(games.reads["result"].values())[: len(texts)]
    with pytest.raises(EventError) as caught:
        read_event_book(make("rating-period", chosen, content))
    first = games.column("result").row
    refused = {texts[problem.line - first] for problem in caught.value.problems if problem.line}
    assert refused == {text for text, sign in zip(texts, read, strict=True) if sign == WRONG}
