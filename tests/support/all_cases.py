"""Every call that is made through every host: written, generated, of each option, the examples."""

import random
from functools import cache
from typing import Any

from elo_xl.functions.catalogue import functions
from tests.support.native_cases import Case
from tests.support.native_cases import cases as written_cases


def generated(count: int = 150) -> list[Case]:
    """Ratings, scores and options drawn at random, the same ones every time."""
    draw = random.Random(20261120)

    def rating() -> float:
        return draw.choice([draw.randint(600, 2900), round(draw.uniform(600, 2900), 1)])

    found = []
    for i in range(count):
        model = draw.choice(["normal", "logistic", "rescaled", "fide"])
        rules = draw.choice(["fide", "fide-2024-03", "fide-rapid", "fide-2014-07"])
        n = draw.randint(1, 9)
        met = [[draw.randint(900, 2640) for _ in range(n)]]
        scores = [[draw.choice([0, 0.5, 1]) for _ in range(n)]]
        calls: list[tuple[str, tuple[Any, ...]]] = [
            ("ELO_EXPECTED", (rating(), rating(), model, draw.choice([None, 350, 400, 735]))),
            ("ELO_DIFF", (draw.randint(1, 999) / 1000, model)),
            ("ELO_OUTCOMES", (rating(), rating(), draw.choice([10, 50, 90.5]), "logistic")),
            ("ELO_K", (draw.randint(1000, 2700), draw.randint(0, 60), draw.randint(8, 70))),
            ("ELO_CHANGE", (draw.randint(1000, 2640), 20, met, scores, rules)),
            ("ELO_UPDATE", (draw.randint(1000, 2640), 40, met, scores, rules)),
            ("ELO_PERFORMANCE", (met, scores, draw.choice(["fide", "linear"]))),
            ("ELO_INITIAL", (met, scores, rules)),
            ("ELO_BRIDGE", (rating(), rating(), rating(), rating(), draw.randint(30, 70))),
            ("ELO_BAYES", (rating(), rating(), draw.choice([0, 0.5, 1]), draw.randint(30, 300))),
            ("ELO_EXCHANGE", (rating(), rating(), draw.randint(0, 6), draw.randint(0, 6))),
        ]
        name, arguments = calls[i % len(calls)]
        found.append(Case(name, f"generated {i}", arguments))
    return found


def options() -> list[Case]:
    """Every function's first example with every choice of every option."""
    found = []
    for name, function in functions().items():
        example = function.examples[0].arguments
        for i, argument in enumerate(function.arguments):
            for choice in getattr(argument, "choices", ()):
                padded = [*example, *[None] * (len(function.arguments) - len(example))]
                padded[i] = choice
                while padded[-1] is None:
                    padded.pop()
                found.append(Case(name, f"{argument.name} {choice}", tuple(padded)))
    return found


@cache
def cases() -> list[Case]:
    """Written, generated, one for each option, and the catalogue's own examples."""
    examples = [
        Case(name, f"example {i}", example.arguments)
        for name, function in functions().items()
        for i, example in enumerate(function.examples, start=1)
    ]
    return [*written_cases(), *generated(), *options(), *examples]
