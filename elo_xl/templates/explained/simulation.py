"""A simulated player: the same chances every time, his true strength, and three ratings of him."""

from __future__ import annotations

import math
import random
from typing import Any, Final

import numpy as np
from scipy.special import ndtr

from elo_xl.templates.explained.page import Explained, Page
from elo_xl.templates.forms import Cells
from elo_xl.templates.parts import TENTHS, WHOLE, Column, Formula, Table

GAMES: Final = 200
SEED: Final = 1960
SETTLING: Final = 40
"""games after the jump in which a rating should have noticed"""

FACTORS: Final = ("k_small", "k_middle", "k_large")
DIFFERENCE_SD: Final = "(200*SQRT(2))"
SCALE: Final = 200 * math.sqrt(2)

Numbers = np.ndarray[Any, np.dtype[np.float64]]


def simulate(book: Explained, inputs: list[Cells]) -> tuple[Table, dict[str, Numbers]]:
    """The games on the sheet *Curves*: chance stands there as numbers, all else follows from it."""
    say = book.form.say
    start, jump, when, growth = (_number(cell) for cell in inputs[:4])
    at = [f"N({cell.text(book.curves, fixed=True)})" for cell in inputs]
    heads = ("game", "opponent", "chance", "strength", "expected_score", "score", *FACTORS)
    shown = (WHOLE, WHOLE, "0.0000", TENTHS, "0.0000", TENTHS, TENTHS, TENTHS, TENTHS)
    names = {"strength": "column_true"}
    table = book.points(
        say("sheet_k_effect"),
        [
            Column(key, say(names.get(key, f"column_{key}")), form)
            for key, form in zip(heads, shown, strict=True)
        ],
        GAMES + 1,
    )
    chance = random.Random(SEED)
    ratings = {key: np.full(GAMES + 1, start) for key in ("strength", *FACTORS)}
    for game in range(GAMES + 1):
        cell = {key: table.cell(key, game) for key in heads}
        true = start + (jump if game > when else 0.0) + growth * game / 100
        text = f"={at[0]}+IF({cell['game']}>{at[2]},{at[1]},0)+{at[3]}*{cell['game']}/100"
        values: dict[str, Any] = {"game": game, "strength": Formula(text, true)}
        ratings["strength"][game] = true
        if game == 0:
            values |= {key: Formula(f"={at[0]}", start) for key in FACTORS}
            table.write(game, values)
            continue
        opponent, u = chance.randint(1500, 1900), round(chance.random(), 4)
        e = float(ndtr((true - opponent) / SCALE))
        score = 1.0 if u < e**2 else 0.5 if u < 1 - (1 - e) ** 2 else 0.0
        expected, split = expected_text(cell["strength"], cell["opponent"]), cell["expected_score"]
        text = f"=IF({cell['chance']}<{split}^2,1,IF({cell['chance']}<1-(1-{split})^2,0.5,0))"
        values |= {
            "opponent": opponent,
            "chance": u,
            "expected_score": Formula(f"={expected}", e),
            "score": Formula(text, score),
        }
        for key, k, factor in zip(FACTORS, at[4:], inputs[4:], strict=True):
            before, old = table.cell(key, game - 1), float(ratings[key][game - 1])
            new = old + _number(factor) * (score - float(ndtr((old - opponent) / SCALE)))
            text = f"={before}+{k}*({cell['score']}-{expected_text(before, cell['opponent'])})"
            values[key] = Formula(text, new)
            ratings[key][game] = new
        table.write(game, values)
    return table, ratings


def measures(
    page: Page, table: Table, ratings: dict[str, Numbers], inputs: list[Cells]
) -> list[Cells]:
    """How far each rating is from the truth, and how restless it is; gives the curves' names."""
    page.row += 1
    say, steps = page.say, page.book.steps
    keys = ("k_distance", "k_late", "k_calm", "k_step")
    shown = page.table(
        [
            Column("k", say("column_factor"), align="left", role="strong"),
            *(Column(key, say(f"column_{key}", games=SETTLING), TENTHS) for key in keys),
        ],
        len(FACTORS),
    )
    when = inputs[2]
    game, true = table.range("game"), table.range("strength")
    past = f"({game}>N({when.text(page.sheet)}))"
    late = f"{past}*({game}<=N({when.text(page.sheet)})+{SETTLING})"
    calm = f"({game}>0)*({game}<=N({when.text(page.sheet)}))"
    games, turn = np.arange(GAMES + 1), _number(when)
    is_late, is_calm = (games > turn) & (games <= turn + SETTLING), (games > 0) & (games <= turn)
    names = []
    for i, (key, k) in enumerate(zip(FACTORS, inputs[4:], strict=True)):
        at, error = table.range(key), np.abs(ratings[key] - ratings["strength"])
        factor = f"N({k.text(steps)})"
        name = Formula(f'="K = "&ROUND({factor},2)', f"K = {round(_number(k), 2):g}")
        steps.write(page.book.next_step, 1, page.sheet.title, align="left")
        steps.write(page.book.next_step, 2, say("column_name"), align="left")
        steps.write(page.book.next_step, 3, name, align="right")
        names.append(Cells(steps, page.book.next_step, 3))
        page.book.next_step += 1
        first, last = (
            f"{table.fixed(key, 0)}:{table.fixed(key, GAMES - 1).rpartition('!')[2]}",
            f"{table.fixed(key, 1)}:{table.fixed(key, GAMES).rpartition('!')[2]}",
        )
        shown.write(
            i,
            {
                "k": Formula(f"={names[-1].text(page.sheet)}", str(name.value)),
                "k_distance": Formula(
                    f"=SUMPRODUCT(ABS({at}-{true}))/{GAMES}", float(error.sum()) / GAMES
                ),
                "k_late": Formula(
                    f"=SUMPRODUCT({late}*ABS({at}-{true}))/MAX(1,SUMPRODUCT({late}))",
                    float(error[is_late].sum()) / max(1, int(is_late.sum())),
                ),
                "k_calm": Formula(
                    f"=SQRT(SUMPRODUCT({calm}*({at}-{true})^2)/MAX(1,SUMPRODUCT({calm})))",
                    math.sqrt(float((error[is_calm] ** 2).sum()) / max(1, int(is_calm.sum()))),
                ),
                "k_step": Formula(
                    f"=SUMPRODUCT(ABS({last}-{first}))/{GAMES}",
                    float(np.abs(np.diff(ratings[key])).sum()) / GAMES,
                ),
            },
        )
    return names


def expected_text(own: str, other: str) -> str:
    """Formula text of the normal model's expected score."""
    return f"_xlfn.NORM.S.DIST(({own}-{other})/{DIFFERENCE_SD},TRUE)"


def _number(cell: Cells) -> float:
    """What counts of an input; 0 where it is blank, as N() has it."""
    value = cell.values()[0][0]
    return float(value) if isinstance(value, int | float) else 0.0
