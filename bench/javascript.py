"""The functions in JavaScript, in Node: a column of cells, a period, all games at once.

The limit is for a call when the program is warm; what the first one takes, which compiles, stands
beside it.
"""

from __future__ import annotations

import json
import random
from typing import Any

from elo_xl.hosts.javascript import script
from tests.support.javascript import run

_PROGRAM = """
const { script, calls } = JSON.parse(require("fs").readFileSync(0, "utf-8"));
const load = () => new Function(script + "\\nreturn ELO")();
const took = (work) => {
  const begun = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - begun) / 1e6;
};
console.log(JSON.stringify(calls.map(([name, args]) => {
  const ELO = load(), first = took(() => ELO.call(name, args));
  const others = Array.from({ length: 20 }, () => took(() => ELO.call(name, args)));
  return [first, Math.min(...others)];
})));
"""


def event(players: int, games: int) -> tuple[list[list[Any]], list[list[Any]]]:
    chance = random.Random(1)
    people = [[f"Player {i}", chance.randint(1000, 2600)] for i in range(players)]
    pairs = [[row[0] for row in chance.sample(people, 2)] for _ in range(games)]
    return people, [[*pair, chance.choice([0, 0.5, 1])] for pair in pairs]


def main() -> None:
    small, large = event(50, 200), event(200, 2_000)
    column = [[1000 + i / 5] for i in range(10_000)]
    cases: list[tuple[str, float, str, Any]] = [
        ("a column of 10,000 expected scores", 30, "ELO_EXPECTED", (column, 1800)),
        ("a period of 50 players and 200 games", 50, "ELO_PERIOD", small),
        ("a period of 200 players and 2,000 games", 1_000, "ELO_PERIOD", large),
        ("2,000 games one after another", 1_000, "ELO_RUN", (large[1],)),
        ("a fit of 200 players and 2,000 games", 1_000, "ELO_FIT", (large[1],)),
    ]
    given = {"script": script(), "calls": [(name, args) for _, _, name, args in cases]}
    for (what, limit, *_), (first, best) in zip(
        cases, json.loads(run(_PROGRAM, given=json.dumps(given))), strict=True
    ):
        verdict = "ok" if best <= limit else "OVER"
        print(f"{what:<42} {best:6.1f} ms  limit {limit:g}  {verdict}  (first {first:.0f} ms)")


if __name__ == "__main__":
    main()
