"""What organizers type into the templates: generated events, with everything that goes wrong."""

import random
from dataclasses import asdict, dataclass
from functools import cache, partial
from typing import Any

from elo_xl.books.book import Book, Options
from elo_xl.books.texts import texts
from elo_xl.templates import gallery
from elo_xl.templates.blocks.tie_breaks import PLACES, TIE_BREAKS
from elo_xl.templates.club import KINDS
from elo_xl.templates.ladder import game as game_of_ladder
from elo_xl.templates.round_robin import upper_half
from elo_xl.templates.swiss import SPARE, board, lines
from elo_xl.xlsx.folding import value_of
from tests.support.events import NAMES

GOOD = ("1", "½", "0", "+", "-", "--", "=", "0.5", "0,5", "1/2", "1-0", "0-1", "-:+", 1, 0, 0.5)
BYES = ("bye", "½ bye", "0 bye", "U", "hpb", "absent", "full-point bye")
JUNK = ("?", "*", "x", "2", "1-1", "~", "won", 7)
ODD: dict[str, tuple[Any, ...]] = {
    "rating": ("1 834", "1.650", "unr.", "20000", "18oo", -1500, 1600.5, 4000, 0),
    "birth": ("2009?", 12, 2030, 2206),
    "games": ("many", -1),
    "peak": ("-", 99999),
    "k": ("K", 400, -5),
}


@dataclass(frozen=True, slots=True)
class Entry:
    """The entries about a player; they may be anything, so that checks have something to find."""

    name: Any = None
    rating: Any = None
    birth: Any = None
    games: Any = None
    peak: Any = None
    k: Any = None
    out: Any = None


def entry(chance: random.Random, i: int, *, wrong: bool) -> Entry:
    """A player; with ``wrong`` now and then one whose row must say so."""
    name = NAMES[i % len(NAMES)] + (f" {i}" if i >= len(NAMES) else "")
    typed: dict[str, Any] = {
        "name": " ".join(name.split()).replace("\x01", "").replace("\x0b", ""),
        "rating": chance.choice((None, *range(1300, 2800, 37))),
        "birth": chance.choice((None, 1970, 2008, 2012)),
        "games": chance.choice((None, 0, 29, 30, 400)),
        "peak": chance.choice((None, None, 2310, 2400)),
        "k": chance.choice((None, None, None, 15)),
        "out": chance.choice((None, None, None, None, "x")),
    }
    if wrong and chance.random() < 0.5:
        key = chance.choice(list(ODD))
        typed[key] = chance.choice(ODD[key])
    if wrong and chance.random() < 0.1:
        typed["name"] = chance.choice((None, "  ", "Ivanova, Anna", f"{typed['name']} "))
    return Entry(**typed)


def typed(entry: Entry) -> dict[str, Any]:
    """A player as a row of typed values."""
    return asdict(entry)


def round_robin_cells(options: Options, seed: int, *, wrong: bool, full: bool) -> dict[str, Any]:
    chance = random.Random(seed)
    count = options.players if full else chance.randint(2, options.players - 1)
    field = tuple(entry(chance, i, wrong=wrong) for i in range(count))
    signs = [*GOOD, *(JUNK if wrong else ())]
    results = [
        {
            (i, j): chance.choice(signs)
            for i in range(options.players)
            for j in range(i + 1, options.players)
            if (j < count or (wrong and chance.random() < 0.05)) and chance.random() < 0.9
        }
        for _ in range(options.rounds)
    ]
    return {
        "Event": "=Open & <Club>",
        "List_year": None if wrong else 2026,
        **tie_breaks(options, chance, "round_robin", wrong=wrong),
        "Players": list(map(typed, field)),
        "Cross": upper_half(*results),
    }


def team_match_cells(options: Options, seed: int, *, wrong: bool, full: bool) -> dict[str, Any]:
    chance = random.Random(seed)
    count = options.players if full else chance.randint(2, options.players - 1)
    home, guests = (
        [entry(chance, 20 * side + i, wrong=wrong) for i in range(count)] for side in (0, 1)
    )
    signs = [*GOOD, None, *(JUNK if wrong else ())]
    results = [chance.choice(signs) for _ in range(options.players if wrong else count)]
    if wrong:  # empty boards
        home[chance.randrange(count)] = guests[chance.randrange(count)] = Entry()
    say = Book("team-match", options).say
    return {
        "Event": "",
        "Team_a": "+Home",
        "First_white": chance.choice((None, say("column_name_a"), *(("?",) if wrong else ()))),
        "List_year": None if wrong else 2026,
        "Players_a": list(map(typed, home)),
        "Players_b": list(map(typed, guests)),
        "Match": [{"result": result} for result in results],
    }


def period_game(event: Any, white: Any, black: Any, result: Any, day: Any = None) -> dict[str, Any]:
    """A line of the sheet *Games* as it is typed; the result is White's."""
    return {"date": day, "event": event, "white": white, "black": black, "result": result}


def match_odds_cells(options: Options, seed: int, *, wrong: bool, full: bool) -> dict[str, Any]:
    chance = random.Random(seed)
    ratings: Any = chance.randint(1200, 2800), chance.randint(1200, 2800)
    games: Any = options.rounds if full else chance.randint(1, options.rounds)
    margin: Any = chance.choice((None, 0, 35.5, 200))
    if wrong:
        ratings, games, margin = chance.choice(
            (
                (("18oo", 1700), 3, 20),
                (("1 800", None), 3, 20),
                (ratings, 99, 10),
                (ratings, 2.5, None),
                (ratings, games, "x"),
            )
        )
    return {
        "name_first": "=A",
        "rating_first": ratings[0],
        "rating_second": ratings[1],
        "games": games,
        "margin": margin,
    }


def k_and_first_rating_cells(
    options: Options, seed: int, *, wrong: bool, full: bool
) -> dict[str, Any]:
    chance = random.Random(seed)
    count = options.players if full else chance.randint(0, options.players - 1)
    field = [entry(chance, i, wrong=wrong) for i in range(count)]
    signs = [*GOOD, None, *(JUNK if wrong else ())]
    games = [
        {
            "opponent": "=1",
            "rating": chance.choice(
                [None, *range(1100, 2500, 31), *(ODD["rating"] if wrong else ())]
            ),
            "result": chance.choice(signs) if seed % 3 else "0",
        }
        for _ in range(options.rounds if full else chance.randint(0, 8))
    ]
    return {
        "List_year": None if wrong else 2026,
        "Players": list(map(typed, field)),
        "newcomer": "@new",
        "Met": games,
    }


def rating_period_cells(options: Options, seed: int, *, wrong: bool, full: bool) -> dict[str, Any]:
    chance = random.Random(seed)
    count = options.players if full else chance.randint(2, options.players - 1)
    field = tuple(entry(chance, i, wrong=wrong) for i in range(count))
    names = [e.name for e in field if e.name]
    strangers = ["nobody", "?", "*", "ivanova, ANNA", None, "  "] if wrong else []
    signs = [*GOOD, *((*JUNK, None) if wrong else ())]
    games = []
    for _ in range(options.rounds if full else chance.randint(0, options.rounds - 1)):
        white, black = chance.sample(names, 2)
        if wrong and chance.random() < 0.1:
            black = chance.choice([*strangers, white])
        event = chance.choice((None, "=Cup", "*", "2026-05"))
        days = (
            None,
            46113,
            46120.75,
            "2026-04-05",
            *(("soon", 10, 120000, "5/6/26") if wrong else ()),
        )
        day = chance.choice(days)
        games.append(period_game(event, white, black, chance.choice(signs), day))
    personal = ("IM", "  ", "=1", "W, U14", "W;W", "A,B,C,D,E" if wrong else "A", 12345, None)
    keys = ("title", "federation", "fide_id", "club", "category")
    return {
        "Event": "+1",
        "Club": chance.choice((None, "=Club", "A & B")),
        "Dates": chance.choice((None, 46113, "12–14 June", 2026)),
        "List_year": None if wrong else 2026,
        "Players": [
            typed(e) | {key: chance.choice(personal) for key in keys}
            if chance.random() < 0.3
            else typed(e)
            for e in field
        ],
        "Games": games,
    }


def bayes_chess_cells(options: Options, seed: int, *, wrong: bool, full: bool) -> dict[str, Any]:
    chance = random.Random(seed)
    count = options.players if full else chance.randint(2, options.players - 1)
    odd: dict[str, tuple[Any, ...]] = {
        "name": (None, "  ", "Ivanova, Anna", "Ivanova, Anna "),
        "rating": (None, *ODD["rating"], 4000),
        "sd": ("±", 0, -5, 501),
        "k": ODD["k"],
    }
    field = []
    for i in range(count):
        typed: dict[str, Any] = {
            "name": entry(chance, i, wrong=False).name,
            "rating": chance.randint(1500, 2400),
            "sd": chance.choice((None, None, 30, 60.5, 120, 350)),
            "k": chance.choice((None, None, 10, 40)),
        }
        if wrong and chance.random() < 0.3:
            key = chance.choice(list(odd))
            typed[key] = chance.choice(odd[key])
        field.append(typed)
    names = [p["name"] for p in field if p["name"]]
    strangers = ["nobody", "?", "*", "ivanova, ANNA", None, "  "] if wrong else []
    signs = [*GOOD, *((*JUNK, None) if wrong else ())]
    games = []
    for _ in range(options.rounds if full else chance.randint(0, options.rounds - 1)):
        white, black = chance.sample(names, 2)
        if wrong and chance.random() < 0.1:
            black = chance.choice([*strangers, white])
        event = chance.choice((None, "=Cup", "*", "2026-05"))
        games.append(period_game(event, white, black, chance.choice(signs)))
    usual: tuple[Any, Any] = chance.choice(((None, None), (80, None), (None, 30), (50, 16)))
    if wrong and chance.random() < 0.5:
        usual = chance.choice((("?", -1), (0, "K")))
    chosen = [chance.choice([*names, *strangers, None]) for _ in range(chance.randint(0, 3))]
    return {
        "Event": "=Open & <Club>",
        "Usual_sd": usual[0],
        "Usual_k": usual[1],
        "Players": field,
        "Games": games,
        "Chosen": [{"chosen": name} for name in chosen],
    }


def tie_breaks(
    options: Options, chance: random.Random, system: str, *, wrong: bool
) -> dict[str, Any]:
    """A choice of tie-breaks, some places of it empty."""
    say = texts(options.language)
    names: list[Any] = [say(f"form.tie_{t.key}") for t in TIE_BREAKS if getattr(t, system)]
    chosen = chance.sample(names, PLACES)
    chosen[chance.randrange(PLACES)] = chance.choice((names[0], names[0], ""))
    if wrong:
        chosen[chance.randrange(PLACES)] = chance.choice(("luck", "*", 7, chosen[0]))
    return {f"Tie_break_{i}": name for i, name in enumerate(chosen, start=1)}


def swiss_cells(options: Options, seed: int, *, wrong: bool, full: bool) -> dict[str, Any]:
    chance = random.Random(seed)
    count = options.players if full else chance.randint(2, options.players - 1)
    field = tuple(entry(chance, i, wrong=wrong) for i in range(count))
    boards: dict[tuple[int, int], dict[str, Any]] = {}
    for r in range(options.rounds if full else chance.randint(0, options.rounds)):
        numbers = list(range(1, count + 1))
        chance.shuffle(numbers)
        del numbers[: chance.choice((0, 0, 1, 3))]
        for b in range(options.players // 2 + SPARE):
            if not numbers:
                break
            white = numbers.pop()
            black: Any = numbers.pop() if numbers and chance.random() < 0.92 else None
            result: Any = chance.choice(GOOD if black else BYES)
            if wrong and chance.random() < 0.1:
                result = chance.choice((*JUNK, *GOOD, *BYES, None))
                black = chance.choice((white, 999, "x", "?", black, 1, 2.5))
            # chance pairs the same players again, as nobody else would
            sure = chance.choice(("x", None)) if wrong else "x"
            boards[r, b] = board(white, black, result) | {"sure": sure}
    return {
        "Event": "+Open",
        "List_year": None if wrong else 2026,
        **tie_breaks(options, chance, "swiss", wrong=wrong),
        "Players": list(map(typed, field)),
        "Pairings": lines(options, boards),
    }


def bridge_result(number: Any, board: Any, ns: Any, ew: Any, made: Any) -> dict[str, Any]:
    """A row as it is typed: numbers of the round, board and pairs, and North–South's result."""
    return {"round": number, "board": board, "ns": ns, "ew": ew, "result": made}


def bridge_pairs_cells(options: Options, seed: int, *, wrong: bool, full: bool) -> dict[str, Any]:
    chance = random.Random(seed)
    imps = seed % 3 == 1
    word = texts(options.language)(f"bridge-pairs.scale_{'imp' if imps else 'percent'}")
    scale = word if imps or seed % 2 else None
    own: tuple[Any, ...] = (None,) * 4
    if seed % 4 > 1:
        own = chance.choice((0.002, 0.01)), chance.choice((4, 8.5)), 120, 1000
    if wrong and chance.random() < 0.5:
        own = chance.choice(("x", 0, 0.0005)), chance.choice((-1, "6 %", 0.1)), 900, "new"
        scale = chance.choice(("points", scale))
    count = options.players if full else chance.randint(4, options.players - 1)
    field = [entry(chance, i, wrong=wrong) for i in range(count)]
    names: list[Any] = [e.name for e in field]
    chance.shuffle(names)
    pairs = list(zip(names[::2], names[1::2], strict=False))
    if len(pairs) < options.players:
        pairs.append((names[0], names[2]))  # partners change
    if wrong:
        odd = [None, "nobody", "?", "*", "  ", names[0], 5]
        pairs = [
            (a, chance.choice([*odd, a])) if chance.random() < 0.1 else (a, b) for a, b in pairs
        ]
    results = []
    rows = options.rounds * (options.players // 4)
    for row in range(rows if full else chance.randint(0, rows - 1)):
        ns, ew = chance.sample(range(1, len(pairs) + 1), 2)
        result = round(chance.gauss(0, 8)) if imps else round(chance.gauss(50, 12), 1)
        typed: list[Any] = [1 + row // 10, chance.choice((None, row % 10)), ns, ew, result]
        if wrong and chance.random() < 0.2:
            junk = (None, 0, -3, 2.5, 0.58, 999, "x", "58 %", "?", 1, options.players)
            typed[chance.randrange(5)] = chance.choice(junk)
        results.append(bridge_result(*typed))
    chosen = [None, "nobody", *names[1:3]] if seed % 2 else []
    keys = ("Own_slope", "Own_result_sd", "Own_rating_sd", "Own_first")
    return {
        "Event": "@Club",
        "Scale": scale,
        **dict(zip(keys, own, strict=True)),
        "Players": [{"name": e.name, "rating": e.rating or None} for e in field],
        "Pairs": [{"first": a, "second": b} for a, b in pairs],
        "Results": results,
        "Chosen": [{"curve": name} for name in chosen],
    }


@cache
def _cells_to_play_with() -> dict[str, tuple[float, float, bool]]:
    """Their bounds, and whether they hold whole numbers, by their names in the content."""
    book = gallery.declared("elo-explained", gallery.options("elo-explained"))
    rules = {
        (cells.sheet.key, cells.area): rule
        for sheet in book.sheets.values()
        for cells, rule, table in sheet.validations
        if table is None
    }
    found = {}
    for name, single in book.singles.items():
        rule = rules[single.cells.sheet.key, single.cells.area]
        least, most = (float(value_of(node) or 0) for node in (rule.first, rule.second))
        found[name] = least, most, rule.kind == "whole"
    return found


def elo_explained_cells(
    options: Options, seed: int, *, wrong: bool, full: bool
) -> dict[str, object]:
    """Other numbers in the yellow cells, within what they take and, with ``wrong``, beyond."""
    chance = random.Random(seed)
    junk = (None, "", "x", "1 834", "0,5", -1, 0, 1e9, 2.25, "=1")
    typed: dict[str, object] = {}

    def other(least: float, most: float, whole: bool = False) -> object:
        if wrong and chance.random() < 0.4:
            return chance.choice(junk)
        value = chance.choice((least, most, chance.uniform(least, most)))
        return round(value) if whole else value

    for key, bounds in _cells_to_play_with().items():
        if full or chance.random() < 0.5:
            typed[key] = other(*bounds)
    if full or chance.random() < 0.5:
        scores = (0, 0.5, 1, *((0.3, "?") if wrong else ()))
        typed["Try"] = [
            {"opponent": other(1, 3999), "game_score": chance.choice(scores)} for _ in range(6)
        ]
    return typed


def rating_history_cells(options: Options, seed: int, *, wrong: bool, full: bool) -> dict[str, Any]:
    chance = random.Random(seed)
    count = options.players if full else chance.randint(1, options.players)
    names: list[Any] = [str(entry(chance, i, wrong=False).name) for i in range(count)]
    lists = options.rounds if full else chance.randint(1, options.rounds)
    days: list[Any] = sorted(45000 + 30 * day for day in chance.sample(range(60), lists))
    rows: list[dict[str, Any]] = [{"name": name} for name in names]
    for row in rows:
        for k in range(1, lists + 1):
            if chance.random() < 0.7:
                rating = chance.choice((None, *range(900, 2900, 13)))
                row |= {f"r{k}": rating, f"g{k}": chance.choice((None, 0, 1, 9))}
        if wrong and chance.random() < 0.4:
            junk: dict[str, tuple[Any, ...]] = {
                "name": (None, "  ", names[0], f" {names[0]}  "),
                "r1": (0, 99, 4000, "1 834", "?", 1834.6),
                f"g{lists}": ("many", -1, 2.5, 1001),
            }
            key = chance.choice(list(junk))
            row[key] = chance.choice(junk[key])
    if wrong:
        days[chance.randrange(lists)] = chance.choice(
            ("soon", None, -3, 2900000, days[0], days[0] + 0.75, 59000, "2024-02-30", "2024-02-28")
        )
    settings: Any = chance.choice(((None, None), (3, 2), (1, 1)))
    if wrong:
        settings = chance.choice((("x", 0), (0.5, 2.5), (-1, 999)))
    need, back = settings
    strangers = ["nobody", "*", " "] if wrong else []
    chosen = [chance.choice((None, *names, *strangers)) for _ in range(6)]
    player = chance.choice((None, names[0], *(["?", "nobody"] if wrong else ())))
    return {
        "Event": "=A & B",
        "Active_games": need,
        "Active_lists": back,
        **{f"list_{k}": day for k, day in enumerate(days, start=1)},
        "Entries": rows,
        "Curves": [{"chosen": name} for name in chosen] if seed % 3 else [],
        "choice": player,
    }


def ladder_cells(options: Options, seed: int, *, wrong: bool, full: bool) -> dict[str, Any]:
    chance, say = random.Random(seed), texts(options.language)
    count = options.players if full else chance.randint(2, options.players)
    names = [str(entry(chance, i, wrong=False).name) for i in range(count + 2 * wrong)]
    lines: list[dict[str, Any]] = []
    for i in range(options.rounds if full else chance.randint(0, options.rounds - 2)):
        one, two = chance.sample(names, 2)
        result: Any = chance.choice(("3-1", "21:15", "2–2", "½", "W", one, two.upper(), 0, "0-1"))
        typed: list[Any] = [46000 + i // 3, one, two, result]
        if wrong and chance.random() < 0.3:
            junk = (
                ("soon", None, 45990, -7),
                (None, "  ", two, f"  {one.lower()} ", f"{one}x", 12),
                (None, one, f"{two[:2]}{two[3:]}"),
                (None, "?", "3:", "3-1-2", "won by 2", "w/o", 46025, "*"),
            )
            at = chance.randrange(4)
            typed[at] = chance.choice(junk[at])
        lines.append(game_of_ladder(*typed))
    return {
        "Event": "=League",
        "League_k": chance.choice((None, 32, "K" if wrong and seed % 8 > 5 else 10)),
        "League_home": chance.choice((None, 40, -15)),
        "League_draws": chance.choice((None, say("ladder.draws_yes"), say("ladder.draws_no"))),
        "League_least": chance.choice((None, 3)),
        "League_reversion": chance.choice((None, 33, 90)),
        "League_season": chance.choice((None, 12)),
        "League_first": chance.choice((None, 2)),
        "League_first_k": chance.choice((None, 40)),
        "League_margin": chance.choice((None, say("form.margin_log"), say("form.margin_goals"))),
        "League_days": chance.choice((None, 14, "soon" if wrong else 30)),
        "Games": lines,
        "pair_one": chance.choice((None, names[0], "nobody" if wrong else names[-1])),
        "pair_two": chance.choice((None, names[1])),
        "one_choice": chance.choice((None, names[0])),
        "Curves": [{"chosen": name} for name in chance.choice(((), names[:2], (None, names[1])))],
    }


def club_cells(options: Options, seed: int, *, wrong: bool, full: bool) -> dict[str, Any]:
    chance, say = random.Random(seed), texts(options.language)
    kinds = [say(f"club.kind_{kind}") for kind in KINDS]
    count = options.players if full else chance.randint(1, options.players - 1)
    members: list[dict[str, Any]] = []
    for i in range(count):
        own = typed(entry(chance, i, wrong=wrong))
        row = {"name": own["name"], "birth": own["birth"], "out": own["out"]}
        for kind in KINDS:
            if chance.random() < 0.7:
                row |= {kind: own["rating"], f"{kind}_games": own["games"]}
                row |= {f"{kind}_peak": own["peak"]}
        members.append(row | {"id": chance.choice((None, None, i, f"{i // 2 if wrong else i}x"))})
    events: list[dict[str, Any]] = [
        {
            "event": None if wrong and chance.random() < 0.2 else f"Event {i // (1 + wrong)}",
            "date": chance.choice((46000, "2026-03-01", *(("soon", None) if wrong else ()))),
            "kind": chance.choice((*kinds, *(("bullet", None) if wrong else ()))),
            "games": chance.choice((None, 7, *(("many",) if wrong else ()))),
            "rulebook": chance.choice((None, "fide-rapid")),
            "closed": chance.choice((None, 46050)),
        }
        for i in range(1 + full)
    ]
    names = [row["name"] for row in members] + ["nobody"] * wrong
    signs: tuple[Any, ...] = (*GOOD, *(JUNK if wrong else ()))
    games = [
        {
            "event": events[i % len(events)]["event"],
            "round": chance.choice((None, 1, "x" if wrong else 2)),
            "white": chance.choice(names),
            "black": chance.choice((names[0], chance.choice(names), None if wrong else names[0])),
            "result": chance.choice((None, *signs)),
        }
        for i in range(options.rounds if full else options.rounds // 2)
    ]
    return {
        "Club": "=Open & <Club>",
        "Dates": chance.choice((None, 46050, "soon")),
        "Members": members,
        "Events": events,
        "Results": games,
        "Rated": [game | {"closed": 46050, "white_rating": 1800} for game in games[:9]],
        "History": [
            {"date": 46050, "name": names[0], "kind": kinds[0], "rating": 1800 - wrong / 2}
            | {"change": chance.choice((None, -3, 4))}
        ],
    }


def text_book(options: Options, seed: int, *, wrong: bool, full: bool, name: str) -> Any:
    """The sample of a template that is a text, its cells drawn anew from those of their columns."""
    chance, sample = random.Random(seed), gallery.sample(name, options)
    book = gallery.declared(name, options)
    content: dict[str, Any] = {}
    for key, value in sample.items():
        if not isinstance(value, list):
            content[key] = chance.choice((value, value, None))
            continue
        columns = {of: [row.get(of) for row in value] for of in value[0]}
        rows = [
            {of: chance.choice(cells) for of, cells in columns.items()}
            for _ in range(book.tables[key].rows if full else len(value))
        ]
        if not content.keys() & book.tables.keys():  # the list of those who play
            for i, row in enumerate(rows):
                row["name"] = value[i]["name"] if i < len(value) else f"{value[0]['name']} {i}"
        for row in rows if wrong else ():
            if chance.random() < 0.6:
                of = chance.choice((next(iter(row)), *row))
                row[of] = chance.choice(("?", 0.25, None, rows[0][of]))
        content[key] = rows
    return content


GENERATORS: dict[str, Any] = {
    name: globals().get(name.replace("-", "_") + "_cells", partial(text_book, name=name))
    for name in gallery.TEMPLATES
}
"""The functions of this module by the templates' names, and for all others one for any text."""
