"""``elo-xl next``: what the next book begins with is what the engine makes of the old one."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from elo_xl.books.entries import Key, content_of, typed_tables
from elo_xl.books.faults import faults
from elo_xl.engine.arrays import round_half_away
from elo_xl.engine.bayes import bridge, rate_sequence
from elo_xl.engine.models import expected
from elo_xl.events.files import read_event
from elo_xl.events.rate import RatedEvent, rate
from elo_xl.templates import gallery
from elo_xl.templates.gallery import TEMPLATES
from elo_xl.templates.opened import EntriesError, OldBook, continued, old_book
from tests.support.command import invoke as run
from tests.support.template_books import declared, sized

pytestmark = pytest.mark.slow

Rows = dict[int, dict[str, Any]]


def continued_books() -> list[str]:
    return [name for name in TEMPLATES if declared(name).commands.next]


def next_of(path: Path, *arguments: object, name: str = "next.xlsx") -> tuple[OldBook, str]:
    """The next book as it is read from its file, and what the command says."""
    target = path.with_name(name)
    done = run("next", path, "-o", target, *arguments)
    assert done.exit_code == 0, done.output
    new = old_book(target.read_bytes())
    assert ([], [], []) == (new.entries.notes, new.entries.missing, new.entries.left)
    return new, done.output


def written(path: Path, template: str, content: Mapping[str, Any], **chosen: Any) -> Path:
    path.write_bytes(gallery.make(template, gallery.options(template, **chosen), content))
    return path


def tables(old: OldBook, names: tuple[str, ...]) -> dict[int, dict[str, Any]]:
    """The rows of tables of players by the players' numbers in the event."""
    size = old.options.players
    return {
        i * size + row: cells
        for i, name in enumerate(names)
        for row, cells in old.content.get(name, {}).items()
    }


def agrees(event: RatedEvent, before: Rows, after: Rows) -> None:
    """All players stand in the next book as the engine leaves them."""
    assert before.keys() == after.keys()
    rated = {p.player.number: (p.new, p.games) for p in event.players}
    first = {p.player.number: (p.rating, len(p.opponents)) for p in event.new_players}
    assert rated.keys() | first.keys() == before.keys()
    for number, old in before.items():
        new = after[number]
        rating, played = (rated | first)[number]
        rating = None if rating is None else float(round_half_away(rating))
        assert new.get("rating") == rating, old["name"]
        known = [r for r in (rating, old.get("rating"), old.get("peak")) if r is not None]
        assert new.get("peak") == (max(known) if known else None)
        if "games" in old or "rating" not in old:
            assert new.get("games", 0) == old.get("games", 0) + played
        else:
            assert "games" not in new
        changed = {"rating", "peak", "games", "out"}
        assert {k: v for k, v in new.items() if k not in changed} == {
            k: v for k, v in old.items() if k not in changed
        }


@pytest.mark.parametrize(
    ("template", "chosen"),
    [
        ("rating-period", {"players": 8, "rounds": 20}),
        ("round-robin", {"players": 6}),
        ("swiss", {"players": 8, "rounds": 4}),
        ("team-match", {"players": 4, "rules": "logistic"}),
    ],
)
def test_players_have_the_ratings_of_the_engine_twice_in_a_row(
    template: str, chosen: dict[str, Any], tmp_path: Path
) -> None:
    book = declared(template)
    people = book.commands.players
    results = typed_tables(book).keys() - set(people)
    options = gallery.options(template, **chosen)
    content = dict(gallery.sample(template, options))
    path = tmp_path / "0.xlsx"
    path.write_bytes(gallery.make(template, options, content))
    for turn in (1, 2):
        old = old_book(path.read_bytes())
        event = rate(read_event(path), old.options.rules)
        new, said = next_of(path, name=f"{turn}.xlsx")
        assert new.options == old.options
        agrees(event, tables(old, people), tables(new, people))
        assert not {"Event", "Dates", *results} & new.content.keys()
        singles = {k: v for k, v in old.content.items() if not isinstance(v, dict)}
        changed = {"Event", "Dates"}
        assert {k: new.content.get(k) for k in singles.keys() - changed} == {
            k: v for k, v in singles.items() if k not in changed
        }
        waiting = [p for p in event.new_players if p.rating is None and p.opponents]
        assert [p.player.name for p in waiting if f"{p.player.name} @" not in said] == []
        # the same results once more, between players with their new ratings
        more = {name: content[name] for name in results}
        path = tmp_path / f"{turn}.xlsx"
        path.write_bytes(gallery.make(template, options, {**new.content, **more}))


def test_what_is_changed_on_the_way(tmp_path: Path) -> None:
    """Larger, with a title, and a round robin's player who had withdrawn is back."""
    people = [{"name": n, "rating": 1500 + 50 * i} for i, n in enumerate("ABCDE")]
    people[4] |= {"out": "x", "k": 10, "fide_id": "007"}
    content = {
        "Players": people,
        "Event": "Old",
        "List_year": 2026,
        "Tie_break_1": "Direct encounter",
        "Club": "C",
    }
    path = written(tmp_path / "old.xlsx", "round-robin", content, players=5)
    new, said = next_of(path, "--title", "New", "--players", 6, "--year", 2027)
    assert new.options.players == 6
    assert (new.content["Event"], new.content["Club"]) == ("New", "C")
    assert new.content["Tie_break_1"] == "Direct encounter"
    assert (old_book(path.read_bytes()).content["List_year"], new.content["List_year"]) == (
        2026,
        2027,
    )
    assert new.content["Players"][5] == {
        "name": "E", "rating": 1700, "peak": 1700, "k": 10, "fide_id": "007"
    }  # fmt: skip
    assert "Carried over: 5 players, 4 single cells" in said
    small = run("next", path, "-o", tmp_path / "small.xlsx", "--players", 4)
    assert small.exit_code == 1
    assert "the new book has no room for 'E' @ Players!B11" in small.output


def test_values_that_a_program_has_left_in_the_file_are_not_believed(tmp_path: Path) -> None:
    people = [{"name": "Ana", "rating": 1800, "k": 20}, {"name": "Ben", "rating": 1800, "k": 20}]
    games = [{"white": "Ana", "black": "Ben", "result": "1"}]
    made = gallery.make("rating-period", sized("rating-period"), {"Players": people})
    old = old_book(made)
    typed = {Key("Games", 1, key): value for key, value in games[0].items()}
    # openpyxl computes nothing: what the file says of ratings is what it said without games
    path = tmp_path / "old.xlsx"
    path.write_bytes(made)
    form = load_workbook(path)
    table = old.book.tables["Games"]
    for key, value in typed.items():
        form[table.sheet.title].cell(table.first, table.at[key.column], value)
    form.save(path)
    new, _ = next_of(path)
    assert [row["rating"] for row in new.content["Players"].values()] == [1810, 1790]


def test_the_last_list_becomes_the_first_one(tmp_path: Path) -> None:
    options = gallery.options("rating-history", players=20)
    content = gallery.sample("rating-history", options)
    path = written(tmp_path / "old.xlsx", "rating-history", content, players=20)
    for _ in range(2):
        new, _ = next_of(path)
        last: dict[str, float] = {}
        for row in content["Entries"]:
            lists = [row[f"r{k}"] for k in range(1, 13) if row.get(f"r{k}") is not None]
            last[row["name"]] = lists[-1]
        assert {row["name"]: row["r1"] for row in new.content["Entries"].values()} == last
        assert {k for row in new.content["Entries"].values() for k in row} == {"name", "r1"}
        dates = {k: v for k, v in new.content.items() if k.startswith("list_")}
        assert dates == {"list_1": (content["list_12"] - date(1899, 12, 30)).days}
        assert new.content["Curves"] == {i + 1: row for i, row in enumerate(content["Curves"])}
        path = path.with_name("next.xlsx")
        path.rename(path := path.with_name("again.xlsx"))


def test_ratings_and_deviations_of_bayes_chess(tmp_path: Path) -> None:
    size: dict[str, Any] = {"players": 6, "rounds": 20}
    content = gallery.sample("bayes-chess", gallery.options("bayes-chess", **size))
    path = written(tmp_path / "0.xlsx", "bayes-chess", content, **size)
    names = [p["name"] for p in content["Players"]]
    scores = {"1": 1.0, "½": 0.5, "0": 0.0}
    played = [g for g in content["Games"] if g["result"] in scores]
    white, black = ([names.index(g[side]) for g in played] for side in ("white", "black"))
    ratings = [p["rating"] for p in content["Players"]]
    sds = [p["sd"] or content["Usual_sd"] for p in content["Players"]]
    for turn in (1, 2):
        after = rate_sequence(ratings, sds, white, black, [scores[g["result"]] for g in played])
        ratings, sds = after.rating.tolist(), after.sd.tolist()
        new, _ = next_of(path, name=f"{turn}.xlsx")
        rows = list(new.content["Players"].values())
        assert [row["rating"] for row in rows] == pytest.approx(ratings, abs=2e-6)
        assert [row["sd"] for row in rows] == pytest.approx(sds, abs=2e-6)
        assert [row.get("k") for row in rows] == [p["k"] for p in content["Players"]]
        again = {**new.content, "Games": content["Games"]}
        path = written(tmp_path / f"{turn}.xlsx", "bayes-chess", again, **size)


def test_ratings_of_bridge_pairs(tmp_path: Path) -> None:
    size: dict[str, Any] = {"players": 12, "rounds": 6}
    content = gallery.sample("bridge-pairs", gallery.options("bridge-pairs", **size))
    path = written(tmp_path / "0.xlsx", "bridge-pairs", content, **size)
    names = [p["name"] for p in content["Players"]]
    pairs = [[names.index(pair[seat]) for seat in ("first", "second")] for pair in content["Pairs"]]
    ratings = [1500.0 if p["rating"] is None else p["rating"] for p in content["Players"]]
    for turn in (1, 2):
        for row in content["Results"]:
            four = [*pairs[row["ns"] - 1], *pairs[row["ew"] - 1]]
            after = bridge([ratings[i] for i in four], row["result"]).rating.tolist()
            for i, rating in zip(four, after, strict=True):
                ratings[i] = rating
        new, _ = next_of(path, name=f"{turn}.xlsx")
        found = [row["rating"] for row in new.content["Players"].values()]
        assert found == pytest.approx(ratings, abs=2e-5)
        assert list(new.content["Pairs"].values()) == content["Pairs"]
        again = {**new.content, "Results": content["Results"]}
        path = written(tmp_path / f"{turn}.xlsx", "bridge-pairs", again, **size)


@pytest.mark.parametrize("reversion", [0, 30])
def test_a_ladder_begins_with_the_ratings_of_the_season_before(
    reversion: int, tmp_path: Path
) -> None:
    options = gallery.options("ladder", players=14, rounds=30)
    sample = gallery.sample("ladder", options)
    settings = {"League_reversion": reversion, "League_start": 1000}
    content = {**sample, **settings, "Starts": [{"name": "Nobody’s", "rating": 1200.5}]}
    ratings = {"Nobody’s": 1200.5}
    path = tmp_path / "0.xlsx"
    path.write_bytes(gallery.make("ladder", options, content))
    for turn in (1, 2):
        for game in sample["Games"]:
            won, lost = map(int, game["result"].split("-"))
            one, two = game["first"], game["second"]
            difference = ratings.setdefault(one, 1000.0) - ratings.setdefault(two, 1000.0)
            gain = 32 * ((won > lost) - float(expected(difference, "logistic")))
            ratings[one], ratings[two] = ratings[one] + gain, ratings[two] - gain
        for name in ratings.keys() - {"Nobody’s"}:
            ratings[name] = 1000 + (100 - reversion) / 100 * (ratings[name] - 1000)
        new, said = next_of(path, name=f"{turn}.xlsx")
        found = {row["name"]: row["rating"] for row in new.content["Starts"].values()}
        assert found == pytest.approx(ratings, abs=1e-5)
        assert ("who have played are 30 % nearer to 1000" in said) == (reversion > 0)
        assert not {"Games", "Event", "pair_one", "Curves"} & new.content.keys()
        assert new.content["League_k"] == 32
        path = tmp_path / f"{turn}.xlsx"
        again = {**new.content, "Games": sample["Games"]}
        path.write_bytes(gallery.make("ladder", options, again))


@pytest.mark.parametrize(("template", "content", "told"), [
    ("swiss", {"Players": [{"name": "Ana", "rating": "17oo"}]},
     "Rating is not a number from 1 to 4000: '17oo' @ Players!C7"),
    ("rating-period",
     {"Players": [{"name": "Ana", "rating": 1700}],
      "Games": [{"white": "Ana", "black": "Bob", "result": "1"}]},
     "Bob: not on sheet Players @ Games!B7"),
    ("round-robin", {"Players": [{"name": "A"}, {"name": "B"}], "Cross": {1: {"v2": "7"}}},
     "'7' @ Results!F7"),
    ("ladder", {"League_k": "much"}, "'much' @ Start here!C"),
    ("ladder", {"Starts": [{"name": "A", "rating": "x"}]},
     "Rating is not a number: 'A' @ Own first ratings!B6; 'x' @ Own first ratings!C6"),
    ("match-odds", {}, "made from match-odds, whose books have no next one"),
])  # fmt: skip
def test_a_book_that_is_refused(
    template: str, content: Mapping[str, Any], told: str, tmp_path: Path
) -> None:
    path = tmp_path / "old.xlsx"
    path.write_bytes(gallery.make(template, sized(template), content))
    done = run("next", path, "-o", tmp_path / "next.xlsx")
    assert done.exit_code == 1
    assert told in done.output
    assert not (tmp_path / "next.xlsx").exists()


def test_the_book_itself_and_other_files_stay(tmp_path: Path) -> None:
    path = written(tmp_path / "old.xlsx", "swiss", {}, players=4, rounds=1)
    before = path.read_bytes()
    itself = run("next", path, "-o", path, "--force")
    assert (itself.exit_code, "replace what it is made from" in itself.output) == (2, True)
    other = written(tmp_path / "other.xlsx", "swiss", {}, players=4, rounds=1)
    there = run("next", path, "-o", other)
    assert (there.exit_code, "already exists" in there.output) == (2, True)
    assert path.read_bytes() == before
    assert run("next", path, "-o", other, "--force").exit_code == 0
    (tmp_path / "any.xlsx").write_bytes(b"PK no workbook")
    assert run("next", tmp_path / "any.xlsx", "-o", tmp_path / "x.xlsx").exit_code == 1


def test_a_rating_that_no_cell_takes() -> None:
    people = [{"name": "Ana", "rating": 2, "k": 100}, {"name": "Ben", "rating": 2, "k": 100}]
    games = [{"white": "Ana", "black": "Ben", "result": "1"}]
    options = sized("rating-period", rules="logistic")
    file = gallery.make("rating-period", options, {"Players": people, "Games": games})
    with pytest.raises(EntriesError, match=r"Ben would have the rating -48.* @ Players!C8"):
        continued(old_book(file))


@pytest.mark.parametrize("template", continued_books())
def test_faults_are_those_that_the_status_line_counts(template: str) -> None:
    """Each typed cell in turn holds what it cannot hold."""
    options = sized(template)
    sample = gallery.make(template, options, gallery.sample(template, options))
    typed = old_book(sample).entries.typed
    keys = {(key.name, key.column): key for key in typed if key.row < 3}
    content = {key: entry.value for key, entry in typed.items()}
    for key in keys.values():
        content[key] = "?!"
    book = gallery.build(template, options, content_of(content))
    at = book.sheets["typed"]
    attention = sum(
        int(value or 0)
        for place in range(len(book.places))
        for value in at.cells(4 + place, 6).values()
        if isinstance(value, int | float)
    )
    found = faults(book)
    rows = {
        (
            f.rpartition("!")[0].rpartition(" @ ")[2],
            f.rpartition("!")[2].lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
        )
        for f in found
    }
    assert attention > 0
    assert len(rows) <= attention <= len(found)


def test_a_line_at_fault_because_of_another_is_a_fault() -> None:
    players = [{"name": name, "rating": 1500} for name in "ABCD"]
    pairings = [{"white": 1, "result": "1", "black": 2}, {"white": 1, "result": "0", "black": 3}]
    content = {"Players": players, "Pairings": pairings}
    book = gallery.build("swiss", gallery.options("swiss", players=4, rounds=1), content)
    (fault,) = faults(book)
    assert fault.startswith("1 is also on board 1: this line belongs to round 1 @ Pairings!")
