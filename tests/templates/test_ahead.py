"""The sheet *Next round*, and the score that a target rating needs on the sheet *Why*."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any, Final

import pytest

from elo_xl.books.book import Book, Options
from elo_xl.engine.ratings import needed, update
from elo_xl.events.books import read_event_book
from elo_xl.events.rate import RatedEvent, rate
from elo_xl.templates import gallery
from elo_xl.templates.blocks.tie_breaks import THREE
from tests.support.calc import Calc
from tests.support.levels import cases
from tests.support.template_books import differences

pytestmark = pytest.mark.slow

RESULTS: Final = {"win": ("1", "0"), "draw": ("½", "½"), "loss": ("0", "1")}
"""What is typed for White, and for Black."""

OPEN_ROUND: Final = 6


@cache
def played(template: str, rules: str = "fide") -> tuple[Options, dict[str, Any]]:
    """A sample with two unrated players, up to a round in which a few results are there."""
    rounds = 7 if template == "swiss" else None
    # the sample of a Swiss is that of 20 players
    players = 20 if template == "swiss" else 12
    options = gallery.options(template, players=players, rounds=rounds, rules=rules)
    content = dict(gallery.sample(template, options))
    content["Players"] = [dict(row) for row in content["Players"]]
    content["Players"][3]["rating"] = None
    content["Players"][4] |= {"rating": 1612, "games": 12}
    return options, content | fill(template, options, content, lambda _board: None)


def fill(template: str, options: Options, content: dict[str, Any], result: Any) -> dict[str, Any]:
    """The games with other results on the boards of the open round; later ones have none."""
    if template == "swiss":
        size = options.players // 2 + 3
        typed = {row: dict(line) for row, line in content["Pairings"].items()}
        for row, line in typed.items():
            at, board = divmod(row - 1, size)
            if line["black"] is not None and at + 1 == OPEN_ROUND and board:
                line["result"] = result(board + 1)
        return {"Pairings": {row: line for row, line in typed.items() if row <= size * OPEN_ROUND}}
    typed = {row: dict(line) for row, line in content["Cross"].items()}
    for white, black, at, board in schedule(options):
        low, high = sorted((white, black))
        said = None if at > OPEN_ROUND else result(board) if board > 1 else "1"
        if at >= OPEN_ROUND:
            if said is not None and low == black:
                said = dict(RESULTS.values())[said]
            typed.setdefault(low, {})[f"v{high}"] = said
    return {"Cross": typed}


@cache
def schedule(options: Options) -> list[tuple[int, int, int, int]]:
    """White, Black, round and board of the games of a round robin."""
    players = [{"name": f"P{i}"} for i in range(options.players)]
    table = gallery.build("round-robin", options, {"Players": players}).tables["Rounds"]
    keys = ("white_no", "black_no", "round", "board")
    columns = (table.column(key).numbers() for key in keys)
    return [(int(a), int(b), int(r), int(n)) for a, b, r, n in zip(*columns, strict=True) if a]


@cache
def with_result(template: str, rules: str, white: str) -> RatedEvent:
    """The event in which White has this result on all boards, rated by the engine."""
    options, content = played(template, rules)
    done = content | fill(template, options, content, lambda _board: white)
    event = read_event_book(gallery.make(template, options, done))
    return rate(event, event.rules)


def lines(book: Book) -> Iterator[dict[str, Any]]:
    table = book.tables["Ahead"]
    keys = [key for key in table.columns if not table.columns[key].helper or "_" in key]
    columns = (table.column(key).values() for key in keys)
    for row in zip(*columns, strict=True):
        line = dict(zip(keys, row, strict=True))
        if line["name"]:
            yield line


@pytest.mark.parametrize(
    ("template", "rules", "count"),
    [
        ("swiss", "fide", 16),
        pytest.param("swiss", "elo", 16, marks=pytest.mark.proof),
        ("round-robin", "fide-rapid", 10),
    ],
)
def test_the_engine_rates_what_is_foretold(template: str, rules: str, count: int) -> None:
    options, content = played(template, rules)
    book = gallery.build(template, options, content)
    titles = dict(
        zip(
            book.tables["People"].column("name").values(),
            book.tables["Counted"].column("name").values(),
            strict=True,
        )
    )
    found = list(lines(book))
    assert count == len(found)
    rated = new = 0
    for line in found:
        name = titles[line["name"]]
        for result, sides in RESULTS.items():
            event = with_result(template, rules, sides[line["colour"] == "Black"])
            known = {p.player.name: p for p in event.players}
            if name in known:
                p = known[name]
                assert p.new == pytest.approx(line[f"new_{result}"], abs=1e-6), (line, result)
                if event.rules.performance == "fide":
                    assert (p.performance or "") == line[f"performance_{result}"], (line, result)
                rated += 1
            else:
                first = next(p for p in event.new_players if p.player.name == name)
                shown = "" if first.rating is None or rules == "elo" else first.rating
                assert shown == line[f"new_{result}"], (line, result)
                new += shown != ""
    assert 18 <= rated
    assert 2 <= new or rules == "elo"


def places(
    before: list[float], boards: list[tuple[int, int]], worth: dict[str, float]
) -> dict[tuple[int, str], str]:
    """The possible places, by player and result, from all ways in which a round may end."""
    found: dict[tuple[int, str], set[int]] = {}
    for ends in product(RESULTS, repeat=len(boards)):
        points, results = list(before), {}
        for (white, black), end in zip(boards, ends, strict=True):
            results[white] = end
            results[black] = {"win": "loss", "loss": "win"}.get(end, end)
            points[white] += worth[results[white]]
            points[black] += worth[results[black]]
        for who, result in results.items():
            above = sum(each > points[who] for each in points)
            level = sum(each == points[who] for each in points)
            found.setdefault((who, result), set()).update((above + 1, above + level))
    return {
        at: f"{min(some)}" + (f"–{max(some)}" if len(some) > 1 else "")
        for at, some in found.items()
    }


@pytest.mark.parametrize(
    ("template", "counted", "worth"),
    [
        ("swiss", None, (1.0, 0.5, 0.0)),
        ("round-robin", None, (1.0, 0.5, 0.0)),
        ("round-robin", THREE, (3.0, 1.0, 0.0)),
    ],
)
def test_places_are_those_of_all_ways_in_which_a_round_can_end(
    template: str, counted: str | None, worth: tuple[float, ...]
) -> None:
    options, content = played(template)
    book = gallery.build(template, options, {**content, "Game_points": counted})
    names = book.tables["People"].column("name").values()
    of = {"swiss": ("Before", "now"), "round-robin": ("Points", "total")}[template]
    listed = book.tables[of[0]].column(of[1]).numbers()
    count = len([name for name in names if name])
    found = list(lines(book))
    pairs = list(zip(found[::2], found[1::2], strict=True))
    boards = [(names.index(a["name"]), names.index(b["name"])) for a, b in pairs]
    expected = places(listed[:count], boards, dict(zip(RESULTS, worth, strict=True)))
    assert [
        {result: expected[names.index(line["name"]), result] for result in RESULTS}
        for line in found
    ] == [{result: line[f"place_{result}"] for result in RESULTS} for line in found]
    assert len(set(expected.values())) > 6


def test_only_players_who_take_part_have_places() -> None:
    """A player who withdraws early leaves the standings, and no place is theirs."""
    options, content = played("round-robin")
    players = [dict(row) for row in content["Players"]]
    players[0]["out"] = "x"
    early = {row: dict.fromkeys(line) for row, line in content["Cross"].items()}
    book = gallery.build("round-robin", options, {**content, "Players": players, "Cross": early})
    found = list(lines(book))
    assert 10 == len(found)
    shown = {(line["place_win"], line["place_draw"], line["place_loss"]) for line in found}
    # ten of eleven play: five at most win, and one of each board has points at least
    assert {("1–5", "1–10", "6–11")} == shown


@pytest.mark.parametrize("template", cases(("swiss", "round-robin"), test=("round-robin",)))
def test_libreoffice_foretells_the_same(template: str, calc: Calc) -> None:
    options, content = played(template)
    content = {**content, "why_choice": content["Players"][1]["name"], "why_target": 2200}
    made = {template: gallery.build(template, options, content)}
    found = calc.recalculate_all({name: book.file() for name, book in made.items()})
    assert differences(made, found) == []


# -- the score for a target ------------------------------------------------------------------------

RATING: Final = 2300
NEW: Final = "New rating"
MET: Final = (2210, 2350, 2405, 1700, 2290)


def why(target: Any, games: int = 3, rules: str = "fide", **own: Any) -> tuple[Any, Any, str]:
    """The new rating, the score needed and what is said of the games to come, of a player who has
    drawn so many games, all others being open."""
    field = [{"name": f"P{i}", "rating": rating} for i, rating in enumerate(MET)]
    content = {
        "List_year": 2026,
        "Players": [{"name": "Ann", "rating": RATING, **own}, *field],
        "Games": [
            {"white": "Ann", "black": row["name"], "result": "½" if i < games else None}
            for i, row in enumerate(field)
        ],
        "why_choice": "Ann",
        "why_target": target,
    }
    options = gallery.options("rating-period", players=8, rounds=10, rules=rules)
    book = gallery.build("rating-period", options, content)
    sheet = book.sheets["why"]
    labels = {book.known(sheet, row, 1): book.known(sheet, row, 2) for row in range(1, 30)}
    said = labels["Of it, in games to come"]
    (new,) = (book.known(sheet, r + 1, 1) for r in range(30) if book.known(sheet, r, 1) == NEW)
    return new, labels["Score needed"], str(said or "")


@pytest.mark.parametrize("rules", ["fide", "fide-rapid", "logistic"])
@pytest.mark.parametrize("target", [2250, 2300, 2301, 2340])
def test_the_score_for_a_target_is_that_of_the_function(target: int, rules: str) -> None:
    met = [rating for rating in MET if rules != "fide-rapid" or RATING - rating <= 600]
    least = float(needed(RATING, 20, met, target, rules))
    _, found, said = why(target, rules=rules, k=20)
    assert (least if least <= len(met) else "out of reach") == found
    if found != "out of reach":
        to_come = least - 1.5
        assert said == (
            "reached already"
            if to_come <= 0
            else f"{to_come:g} / {len(met) - 3}"
            if to_come <= len(met) - 3
            else "out of reach"
        )


@pytest.mark.parametrize(
    ("target", "more"),
    [*((target, {}) for target in (None, "much", -99, 20000, 2300.5)), (2000, {"rating": None})],
)
def test_without_a_target_or_a_rating_nothing_is_said(target: Any, more: dict[str, Any]) -> None:
    _, found, said = why(target, **more)
    assert ("", "") == (found or "", said)


def test_a_played_event_says_what_would_have_been_needed() -> None:
    new, found, said = why(2310, games=5, k=20)
    assert float(update(RATING, 20, MET, 2.5)) == new
    assert (float(needed(RATING, 20, MET, 2310)), "") == (found, said)


def test_k_is_lowered_as_the_games_to_come_lower_it() -> None:
    """K 40 counts 17 games in full; with the 18th it is 38 (FIDE B.02, 8.3.3)."""
    field = [{"name": "Ann", "rating": 1500, "birth": 2012}]
    field += [{"name": f"P{i}", "rating": 1500} for i in range(18)]
    games = [{"white": "Ann", "black": f"P{i}", "result": "1"} for i in range(17)]
    content = {
        "List_year": 2026,
        "Players": field,
        "Games": [*games, {"white": "Ann", "black": "P17"}],
        "why_choice": "Ann",
        "why_target": 1842,
    }
    options = gallery.options("rating-period", players=20, rounds=20)
    book = gallery.build("rating-period", options, content)
    assert [38] == book.tables["One"].column("k").values()
    assert 18.0 == needed(1500, 38, [1500] * 18, 1842)
    assert 342 == max(book.tables["Tried"].column("new").numbers()) - 1500
