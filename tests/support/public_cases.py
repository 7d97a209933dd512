"""The cases that the docs offer to whoever writes a rating program, as calls of functions in JSON.

The first ones are figures that federations and others published, from ``tests/data``, each with
its source; the others are the calls to which every host of ours is held, with what
``elo_xl.worksheet`` gives.
``docs/test-your-program.md`` says how to read the file.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import elo_xl
from elo_xl.functions.catalogue import functions
from elo_xl.functions.cells import to_block
from tests.support import DATA
from tests.support.all_cases import cases

DIGITS: Final = 12
"""Digits of computed results: fewer than any two computers differ in."""

NEAR: Final = 1e-11
"""How far a number may be from a computed one, in parts of it, or of 1 if it is smaller."""

PRINTED: Final = 1e-9
"""How far it may be from a published one that has all its digits."""

OURS: Final = frozenset(("ELO_EXPLAIN", "ELO_LIST"))
"""Functions of no use to others: our sentences, and rating lists that only we have."""


@dataclass(frozen=True, slots=True)
class PublicCase:
    """A call and its result; a published one has a source."""

    id: str
    function: str
    arguments: tuple[Any, ...]
    result: Any
    tolerance: float = PRINTED
    source: str = ""

    def line(self, source: int = 0) -> dict[str, Any]:
        """The case as the file has it, with the number of its source."""
        said = {
            "id": self.id,
            "function": self.function,
            "arguments": self.arguments,
            "result": self.result,
            "tolerance": self.tolerance,
        }
        return said | {"source": source} if source else said


def text() -> str:
    """The file: a line for each function, source and case."""
    known = list(published())
    sources = list(dict.fromkeys(case.source for case in known))
    parts: dict[str, list[dict[str, Any]]] = {
        "functions": [
            {"name": f.name, "arguments": [a.name for a in f.arguments]}
            for f in functions().values()
            if f.name not in OURS
        ],
        "sources": [{"number": i, "text": source} for i, source in enumerate(sources, 1)],
        "cases": [
            *(case.line(sources.index(case.source) + 1) for case in known),
            *(case.line() for case in computed()),
        ],
    }
    return "{" + ",\n".join(f'"{name}":[\n{_lines(rows)}]' for name, rows in parts.items()) + "}\n"


def _lines(rows: list[dict[str, Any]]) -> str:
    return ",\n".join(
        json.dumps(row, ensure_ascii=False, separators=(",", ":"), allow_nan=False) for row in rows
    )


def computed() -> Iterator[PublicCase]:
    """What ``elo_xl.worksheet`` gives."""
    for case in cases():
        if case.function in OURS:
            continue
        result = rounded(elo_xl.worksheet(case.function, *case.arguments))
        sizes = [abs(x) for x in to_block(result).cells if isinstance(x, float | int)]
        name = f"{case.function} {case.name}"
        tolerance = float(f"{NEAR * max(1.0, *sizes, 0.0):.1g}")
        yield PublicCase(name, case.function, case.arguments, result, tolerance)


def rounded(result: Any) -> Any:
    """A result with as many digits as all computers agree on."""
    if isinstance(result, list):
        return [rounded(each) for each in result]
    if not isinstance(result, float):
        return result
    short = float(f"{result:.{DIGITS}g}")  # processors differ by the last bit
    return int(short) if short.is_integer() else short


def _data(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DATA / f"{name}_cases.json").read_text(encoding="utf-8"))
    return found


def published() -> Iterator[PublicCase]:
    """What others published."""
    yield from _fide()
    yield from _federations()
    yield from _matches()


def _fide() -> Iterator[PublicCase]:
    given: tuple[Any, ...]
    data = _data("rating")
    source = data["sources"]
    for c in data["tournaments"]:
        lists = [c["opponents"]], [c["scores"]]
        said = f"{source['GR']}: {c['source']}"
        if "change" in c:
            given = (c["rating"], c["k"], *lists, "fide-2009-07")
            yield PublicCase(c["id"], "ELO_CHANGE", given, c["change"], source=said)
        if "performance" in c:
            name = f"{c['id']} performance"
            yield PublicCase(name, "ELO_PERFORMANCE", lists, c["performance"], source=said)
    for c in data["calculator"]:
        for rules, key in (("fide-2024-03", "change"), ("fide-2025-10", "change_2025_10")):
            given = (c["rating"], c["k"], c["opponent"], c["score"], rules)
            name = f"{c['id']} {rules}"
            yield PublicCase(name, "ELO_CHANGE", given, c[key], source=source["F-C"])
    for c in data["published"]:
        given = (c["rating"], c["k"], [c["opponents"]], [c["scores"]], "fide-2025-10")
        said = source[c["id"][:3]]
        yield PublicCase(c["id"], "ELO_CHANGE", given, c["change"], source=said)
    for c in data["first_ratings"]:
        for rules, key in (("fide-2022-01", "rule_2022"), ("fide-2024-03", "rule_2024")):
            given = ([[c["average"]] * c["games"]], c["score"], rules)
            name = f"{c['id']} {rules}"
            yield PublicCase(name, "ELO_INITIAL", given, c[key], source=source["F-I"])
    k = data["logistic"]["k"]
    for i, c in enumerate(data["logistic"]["games"], 1):
        pair = c["rating"], c["opponent"], "logistic"
        found = c["probability"], 5e-7, source["RELO"]
        yield PublicCase(f"RELO-{i} expected", "ELO_EXPECTED", pair, *found)
        given = (c["rating"], k, c["opponent"], c["score"], "logistic")
        yield PublicCase(f"RELO-{i}", "ELO_CHANGE", given, c["update"], 5e-4, source["RELO"])
    for group, rules in (("broadcast", "fide-2025-10"), ("rapid", "fide-rapid")):
        for i, c in enumerate(data[group]["games"], 1):
            given = (c["rating"], c["k"], c["opponent"], c["score"], rules)
            name, new = f"{data[group]['id']} {i}", c["rating"] + c["change"]
            yield PublicCase(name, "ELO_UPDATE", given, new, source=source["LI"])
    players = {40: (1500, 0), 20: (1500, 90), 10: (2500, 90)}
    for k, games, allowed in data["k_limit"]["rows"]:
        given = (*players[k], None, None, games)
        yield PublicCase(f"KCAP {k} {games}", "ELO_K", given, allowed, source=source["KCAP"])
    seeds = data["seeds"]
    given = seeds["SEED-B1"]["rating"], seeds["SEED-B1"]["opponent"]
    found = seeds["SEED-B1"]["expected"], 5e-6, source["SEED"]
    yield PublicCase("SEED-B1", "ELO_EXPECTED", given, *found)
    match = seeds["SEED-M1"]
    for model in ("normal", "logistic"):
        given = match["score"] / match["games"], model
        yield PublicCase(f"SEED-M1 {model}", "ELO_DIFF", given, match[model], 0.05, source["SEED"])


def _federations() -> Iterator[PublicCase]:
    given: tuple[Any, ...]
    data = _data("federation")
    for c in data["egf"]:
        given = (c["rating"], "auto", c["opponent"], c["score"], "egf")
        said = data["sources"]["EGF2" if c["id"].startswith("EGF2") else "EGF-1"]
        yield PublicCase(c["id"], "ELO_UPDATE", given, c["new"], c["tolerance"], said)
    for c in _data("us_chess")["players"]:
        if c["rating"] is not None and not {"dual", "wins"} & c.keys():
            given = (
                c["rating"],
                "auto",
                [c["opponents"]],
                [c["scores"]],
                "us-chess-2017-05",
                c["games"],
            )
            yield PublicCase(c["id"], "ELO_UPDATE", given, c["new"], 1e-6, c["source"])
    for c in _data("dwz")["events"]:
        lists = [c["opponents"]], [c["scores"]]
        # E was 24 once, as for a player of at most 20 years, else 30
        age = 20 if c["e"] == 24 else 40
        given = (c["rating"], "auto", *lists, "dwz", None, age, None, None, 50)
        yield PublicCase(c["id"], "ELO_UPDATE", given, c["new"], source=c["source"])


def _matches() -> Iterator[PublicCase]:
    given: tuple[Any, ...]
    data = _data("exchange")
    source = data["sources"]
    for c in data["world_football"]:
        given = (*c["ratings"], *c["goals"], "world-football", c["k"], c["home"])
        both = [[c["change"], -c["change"]]]
        yield PublicCase(c["id"], "ELO_EXCHANGE", given, both, source=source["WFE"])
    for c in data["world_rugby"]:
        given = (*c["ratings"], *c["points"], "world-rugby", c["weight"], c["home"])
        found = [[c["change"], -c["change"]]], c["tolerance"], source["WR"]
        yield PublicCase(c["id"], "ELO_EXCHANGE", given, *found)
    for c in data["usatt"]:
        higher = 1500 + c["spread"], 1500
        for what, score in (("expected", (3, 0)), ("upset", (2, 3))):
            points = c[what] if what == "expected" else -c[what]
            given, both = (*higher, *score, "usatt"), [[points, -points]]
            name = f"{c['id']} {what}"
            yield PublicCase(name, "ELO_EXCHANGE", given, both, source=source["USATT"])
