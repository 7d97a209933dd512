"""Explanations: every sentence agrees with the numbers, and these with the functions for them."""

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from elo_xl.books.book import Book, Options
from elo_xl.books.texts import texts
from elo_xl.engine.explain import explain
from elo_xl.engine.ratings import change, update
from elo_xl.engine.rulebooks import RULEBOOKS, before, rulebook
from elo_xl.events.event import EventError
from elo_xl.events.names import find_player
from elo_xl.events.rate import rate
from elo_xl.events.trf import read_trf
from elo_xl.functions.evaluation import worksheet
from elo_xl.languages import CODES
from elo_xl.publish.page import as_csv
from elo_xl.questions.explain import (
    ExplainedNewcomer,
    ExplainedPlayer,
    explain_player,
    joined,
    letter,
)
from elo_xl.questions.rate.book import build, event_content
from elo_xl.templates import gallery
from tests.support import ROOT
from tests.support.command import invoke
from tests.support.events import tournament
from tests.support.levels import amount

OPPONENTS = [1860, 1270, 1300, 1720, 2230]
SCORES = [1, 0, 1, 1, 0]
COLUMNS = ("opponent", "difference", "counted", "expected", "change", "because")
UNPLAYED = texts("en")("form.why_unplayed")
every_rulebook = pytest.mark.parametrize("name", sorted(RULEBOOKS))


def known(name: str) -> dict[str, Any]:
    return {"played": 60, "age": 40, "peak": 1850, "index": 12}


@every_rulebook
@pytest.mark.parametrize("rating", [1500, 1800, 2700])
def test_the_sums_are_those_of_the_functions(name: str, rating: float) -> None:
    facts = known(name)
    done = explain(rating, "auto", OPPONENTS, SCORES, rules=name, **facts)

    assert change(rating, "auto", OPPONENTS, SCORES, name, **facts) == done.change
    assert update(rating, "auto", OPPONENTS, SCORES, name, **facts) == done.new
    assert len(OPPONENTS) == len(done.why)
    shares = np.nansum(done.gained)
    rest = abs(shares - done.change) > 1e-6
    assert rest == ("whole event" in done.summary)


@every_rulebook
@pytest.mark.parametrize("language", CODES)
def test_the_sentences_say_the_numbers_of_the_row(name: str, language: Any) -> None:
    done = explain(1800, "auto", OPPONENTS, SCORES, rules=name, language=language, **known(name))

    for i, text in enumerate(done.why):
        numbers = [
            float(n.replace(",", ".").replace("−", "-"))
            for n in re.findall(r"[+−]?\d+(?:[.,]\d+)?(?:e[−+]\d+)?", text)
        ]
        if np.isnan(done.difference[i]):
            continue
        assert done.difference[i] == numbers[0]
        shown = [done.expected[i], SCORES[i], done.gained[i]]
        for value in shown:
            assert any(value == pytest.approx(n, rel=1e-3, abs=1e-3) for n in numbers), text
        if done.counted[i] != done.difference[i]:
            assert done.counted[i] == pytest.approx(numbers[1], rel=1e-3)
    assert not re.search(r"[{}]|nan", " ".join([*done.why, done.summary]))
    # the longest text that every version of Excel takes from an array
    assert max(map(len, [*done.why, done.summary])) <= 255


@pytest.mark.parametrize(
    ("rules", "rating", "words"),
    [
        ("fide-2025-10", 2700, ["counted in full", "counted in full", "+0.1"]),
        ("fide-2024-03", 2700, ["counted as +400", "counted as +400", "+0.8"]),
        ("fide-2022-01", 2700, ["counted as +400", "counted in full", "+0.8"]),
        ("fide-rapid", 2700, ["is not rated if", "is not rated if", "above 2600"]),
        ("dwz", 2700, ["Difference +700.", "Difference +650.", "Difference"]),
    ],
)
def test_a_large_difference_is_explained_by_the_clause(
    rules: str, rating: float, words: list[str]
) -> None:
    done = explain(rating, "auto", [2000, 2050], [1, 1], rules=rules, peak=2700, age=40)
    large, less, share = words

    assert large in done.why[0]
    assert less in done.why[1]
    assert share in done.why[0]


def test_the_edition_before_is_told_where_it_differs() -> None:
    strong = explain(2700, 10, [2000], [1], rules="fide")
    weak = explain(1700, 10, [1600], [1], rules="fide")

    assert "Under fide-2024-03, the edition before: +0.8." in strong.summary
    assert change(2700, 10, [2000], [1], "fide-2024-03") == pytest.approx(0.8)
    assert "edition before" not in weak.summary
    assert before(rulebook("fide-2009-07")) is None
    assert before(rulebook("dwz")) is None


@pytest.mark.parametrize(
    ("rules", "score", "said"), [("fide", 0.0, True), ("fide", 1.0, False), ("elo", 0.0, False)]
)
def test_who_falls_below_the_lowest_of_a_list_hears_it(rules: str, score: float, said: bool):
    """In the letter, in the row of a book, and above its ratings."""
    words = "Below 1400, so unrated on the next list."
    assert (words in explain(1402, 20, [1500], [score], rules=rules).summary) == said
    options = gallery.options("rating-period", players=6, rounds=10, rules=rules)
    players = [{"name": name, "rating": 1402, "games": 50} for name in ("Ana", "Bo", "Cy")]
    games = [{"white": "Ana", "black": "Bo", "result": "1" if score else "0"}]
    # the loser has 1392
    book = gallery.build("rating-period", options, {"Players": players, "Games": games})
    table = book.tables["Ratings"]
    above = [book.known(table.sheet, row, 1) for row in range(1, table.header)]
    told = [text.startswith("below 1400: unrated") for text in table.column("why").texts()[:3]]
    fide = rules == "fide"
    assert told == [fide and score == 0, fide and score == 1, False]
    assert ("New ratings below 1400, unrated on FIDE's next list: 1" in above) == fide


def test_k_is_given_or_has_its_reason() -> None:
    many = explain(1500, "auto", [1500] * 20, [0.5] * 20, played=12)

    assert "K 20: as given." in explain(1500, 20, [1500], [1]).summary
    assert "K 40: fewer than 30 games." in explain(1500, "auto", [1500], [1], played=3).summary
    assert "K 35: fewer than 30 games, lowered from 40 because of 20" in many.summary


def test_few_games_have_no_shares_in_the_united_states() -> None:
    done = explain(1500, "auto", [1400, 1600], [1, 1], rules="us-chess", played=4)

    assert np.isnan(done.gained).all()
    assert "the games have no shares of their own." in done.summary


def test_a_bonus_is_told_as_the_rest() -> None:
    done = explain(1500, "auto", [1700] * 4, [1] * 4, rules="us-chess", played=60)

    assert done.change > np.sum(done.gained)
    assert "the rest follows from the whole event" in done.summary


# -- in cells -------------------------------------------------------------------------------------


def test_rows_stand_beside_the_games() -> None:
    rows: Any = worksheet(
        "ELO_EXPLAIN",
        1800,
        20,
        [[1860], [None], [1900], [0], [1700]],
        [[1], [1], [None], [None], [0]],
    )

    assert [1860, None, None, None, 1700] == [row[0] or None for row in rows[:-1]]
    assert "Not rated: the opponent has no rating." == rows[1][-1]
    assert [""] * 7 == rows[2] == rows[3]
    assert [1.06, 1, pytest.approx(-1.2)] == rows[-1][3:6]


def test_a_total_gives_expected_scores_alone() -> None:
    rows: Any = worksheet("ELO_EXPLAIN", 1800, 20, [[1860], [1700]], 1.5)

    assert [["", ""], ["", ""]] == [row[4:6] for row in rows[:-1]]
    assert [1.06, 1.5, pytest.approx(8.8)] == rows[-1][3:6]


@pytest.mark.parametrize(
    ("cells", "error"),
    [
        ((1800, 20, [[1500], [1600]], [[1], [1], [1]]), "#N/A"),
        ((1800, 20, [[1500], [1600]], [[1], [2]]), "#NUM!"),
        ((1800, 20, [[1500], ["x"]], [[1], [1]]), "#VALUE!"),
        ((1800, 20, [[1500]], [[1]], "egf"), "#VALUE!"),
        ((1800, 20, [[1500]], [[1]], "fide", "eo"), "#VALUE!"),
    ],
)
def test_wrong_cells_are_errors(cells: tuple[Any, ...], error: str) -> None:
    assert [[error] * 7] == worksheet("ELO_EXPLAIN", *cells)


def test_nothing_gives_empty_cells() -> None:
    assert [[""] * 7] == worksheet("ELO_EXPLAIN", 1800, 20, [[None]], [[None]])
    assert [[""] * 7] == worksheet("ELO_EXPLAIN", None, 20, [[1500]], [[1]])


# -- of an event ----------------------------------------------------------------------------------

RIVERTOWN = ROOT / "examples" / "rivertown-open.trf"
DECIDED = {"usatt"}  # takes no draws


@every_rulebook
def test_everybody_of_an_event_is_explained(name: str) -> None:
    event = read_trf(RIVERTOWN)
    if name in DECIDED:
        decided = tuple(game for game in event.games if game.score != 0.5)
        event = replace(event, games=decided)
    rated = rate(event, name)

    for p in rated.players:
        found = explain_player(rated, p.player)
        assert isinstance(found, ExplainedPlayer)
        why = found.why
        assert (p.change, p.games, p.score) == (why.change, why.games, why.score)
        assert p.new == pytest.approx(why.new, abs=1e-9)
        rest = abs(np.nansum(why.gained) - p.change) > 1e-6
        assert rest == ("whole event" in why.summary)
        numbers = [found.games[i].round for i in range(len(found.games))]
        assert sorted(numbers) == numbers
    for n in rated.new_players:
        newcomer = explain_player(rated, n.player)
        assert isinstance(newcomer, ExplainedNewcomer)
        met = [game.rating for game in newcomer.games if not np.isnan(game.rating)]
        assert n.opponents == tuple(met)


@pytest.mark.parametrize("who", ["2", "Marchetti, Dario", "dario marchetti", "Marchetti"])
def test_a_player_is_found_by_number_name_or_part_of_it(who: str) -> None:
    assert "Marchetti, Dario" == find_player(read_trf(RIVERTOWN).players, who).name


def test_who_is_not_found_is_said() -> None:
    event = read_trf(RIVERTOWN)

    with pytest.raises(EventError, match="did you mean 'Marchetti, Dario'"):
        find_player(event.players, "Marketti, Dario")
    twins = replace(event, players=(*event.players, replace(event.players[1], number=99)))
    with pytest.raises(EventError, match=r"may be any of these: .*\(No 2\).*\(No 99\)"):
        find_player(twins.players, "Marchetti")


def test_the_command_prints_and_tells_json() -> None:
    shown = invoke("explain", RIVERTOWN, "Lindqvist")
    told = invoke("explain", RIVERTOWN, "1", "--json", "--lang", "es")

    assert (0, 0) == (shown.exit_code, told.exit_code)
    assert "Rated games: 7, expected 5.42, scored 4.5: −9.2" in shown.stdout
    data = json.loads(told.stdout)
    assert (2429, 7) == (data["new"], len(data["games"]))
    assert data["summary"].startswith("Partidas que cuentan: 7")
    assert data["change"] == pytest.approx(sum(game["points"] for game in data["games"]))


@pytest.mark.slow
@pytest.mark.parametrize(("language", "heading"), [("en", "Reason"), ("ru", "Причина")])
def test_a_letter_has_every_game_and_sentence(language: str, heading: str, tmp_path: Path) -> None:
    page, rows = tmp_path / "letter.html", tmp_path / "letter.csv"
    arguments = ["explain", str(RIVERTOWN), "Lindqvist", "--lang", language]
    arguments += ["-o", str(page), "-o", str(rows)]
    done = invoke(*arguments)
    again = invoke(*arguments)

    assert (0, 2) == (done.exit_code, again.exit_code), done.output
    rated = rate(read_trf(RIVERTOWN))
    found = explain_player(rated, rated.players[0].player, language)
    assert isinstance(found, ExplainedPlayer)
    text = page.read_text("utf-8")
    assert heading in text
    for sentence in [*found.why.why, found.why.summary]:
        assert sentence in text
    assert 8 == len(rows.read_text("utf-8-sig").splitlines())
    assert 0 == invoke(*arguments, "--force").exit_code


def test_letters_about_several_kinds_of_play_are_one() -> None:
    event, letters = read_trf(RIVERTOWN), []
    for rules in ("fide", "fide-rapid"):
        rated = rate(event, rulebook(rules))
        letters.append(letter(rated, explain_player(rated, rated.players[0].player)))
    both = joined(letters)
    assert "fide-2025-10" in both.below
    assert "fide-rapid" in both.below
    rows = list(csv.reader(io.StringIO(as_csv(both).decode("utf-8-sig"))))
    one = list(csv.reader(io.StringIO(as_csv(letters[0]).decode("utf-8-sig"))))
    assert [row[1:] for row in rows[: len(one)]] == one
    assert len(rows) == 2 * len(one) - 1
    assert rows[1][0] == letters[0].title


def test_a_newcomer_is_told_about_the_first_rating(tmp_path: Path) -> None:
    event = tmp_path / "event.csv"
    event.write_text(
        "round,white,white rating,black,black rating,result\n"
        "1,Ana,,Bo,1800,1\n2,Cy,1700,Ana,,0.5\n",
        encoding="utf-8",
    )
    shown = invoke("explain", event, "Ana")

    assert 0 == shown.exit_code, shown.output
    assert "Unrated, no first rating: 2 games against rated opponents, 5 are needed." in (
        shown.stdout
    )


@pytest.mark.slow
@pytest.mark.parametrize(("language", "headings", "verdict"), [
    ("es", "Ronda Rival Rating Puntuación",
     "todavía no hay primer rating: 2 partidas contra rivales con rating, hacen falta 5."),
    ("ru", "Тур Соперник Рейтинг Набрано",
     "Без рейтинга; первого рейтинга пока нет: учтено партий: 2, нужно 5."),
])  # fmt: skip
def test_the_command_speaks_the_language(
    language: str, headings: str, verdict: str, tmp_path: Path
) -> None:
    event, letter = tmp_path / "event.csv", tmp_path / "letter.html"
    event.write_text(
        "round,white,white rating,black,black rating,result\n"
        "1,Ana,,Bo,1800,1\n2,Cy,1700,Ana,,0.5\n",
        encoding="utf-8",
    )
    arguments = ["explain", str(event), "Ana", "--lang", language, "-o", str(letter)]
    shown = invoke(*arguments)
    assert 0 == shown.exit_code, shown.output
    assert headings.split() == next(
        line.split() for line in shown.stdout.splitlines() if headings.split()[0] in line
    )
    assert "0,5" in shown.stdout
    assert verdict in " ".join(shown.stdout.split())
    assert verdict in letter.read_text("utf-8")
    rated = invoke("explain", RIVERTOWN, "Lindqvist", "--lang", language)
    assert texts(language)("form.column_because") in rated.stdout
    assert "Expected" not in rated.stdout


def test_the_command_refuses_what_it_cannot_do(tmp_path: Path) -> None:
    assert 2 == invoke("explain", RIVERTOWN, "1", "--rules", "fife").exit_code
    both = invoke("explain", RIVERTOWN, "1", "--json", "-o", tmp_path / "l.html")
    assert (2, []) == (both.exit_code, list(tmp_path.iterdir()))
    assert isinstance(invoke("explain", RIVERTOWN, "nobody").exception, EventError)


# -- on the sheet Why of a rated event -------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["fide-2025-10", "fide-2022-01", "fide-rapid", "elo"])
def test_the_sheet_says_what_the_engine_says(rules: str) -> None:
    rated = rate(tournament(players=12, rounds=6, strongest=2790, step=140, unrated=2), rules)
    content = event_content(rated, "en")
    options = Options(players=12, rounds=6, rules=rules)
    difference = rated.rules.difference
    for p in rated.players[:: amount(3, 1)]:
        book = Book("rated-event", options, {**content, "why_choice": p.player.name})
        build(book)
        book.finish()
        found = explain_player(rated, p.player)
        assert isinstance(found, ExplainedPlayer)
        shown = {key: book.tables["Why"].column(key).values() for key in COLUMNS}
        lines = [i for i, name in enumerate(shown["opponent"]) if name]
        assert len(lines) >= len(found.games)
        played = [i for i in lines if shown["because"][i] != UNPLAYED]
        for i, game, k in zip(played, found.games, range(len(played)), strict=True):
            why = found.why
            assert game.opponent == shown["opponent"][i]
            for key, value in (
                ("difference", why.difference[k]),
                ("counted", why.counted[k]),
                ("expected", why.expected[k]),
                ("change", why.gained[k]),
            ):
                known = "" if np.isnan(value) else pytest.approx(value, abs=1e-9)
                if key != "difference" or known != "":
                    assert known == shown[key][i], (p.player.name, game, key)
            reason = shown["because"][i]
            if reason:
                assert str(reason) in why.why[k]
            else:
                assert difference.cut(why.difference[k]) == why.difference[k]
        heads = [v for (sheet, at), v in book.values.items() if sheet == "Why" and at[0] == "A"]
        assert any(p.new == pytest.approx(v) for v in heads if isinstance(v, float | int))


@pytest.mark.slow
def test_nobody_of_a_wrong_name_is_shown() -> None:
    rated = rate(tournament(players=6, rounds=3), "fide")
    content = {**event_content(rated, "en"), "why_choice": "Nobody"}
    book = Book("rated-event", Options(players=6, rounds=3, rules="fide"), content)
    build(book)
    book.finish()

    assert {""} == set(book.tables["Why"].column("opponent").values())
    assert [0] == book.tables["One"].column("player").values()
