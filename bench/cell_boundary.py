"""100,000 rows through ``elo_xl.worksheet``, beside turning their tuples into an array and back."""

from __future__ import annotations

import numpy as np

import elo_xl
from bench._timing import fastest, report

ROWS = 100_000


def main() -> None:
    rng = np.random.default_rng(1)
    column = tuple((rating,) for rating in rng.normal(1700, 250, ROWS).round().tolist())
    mixed = [*column[:-3], (None,), ("n/a",), ("#N/A",)]

    def there_and_back() -> None:
        np.array(column).tolist()

    for name, work in (
        ("ELO_EXPECTED, a column", lambda: elo_xl.worksheet("ELO_EXPECTED", column, 1800)),
        ("ELO_EXPECTED, two columns", lambda: elo_xl.worksheet("ELO_EXPECTED", column, column)),
        ("ELO_K, a column", lambda: elo_xl.worksheet("ELO_K", column)),
        ("ELO_OUTCOMES, a column", lambda: elo_xl.worksheet("ELO_OUTCOMES", column, 1800)),
        (
            "ELO_EXPECTED, text and error among numbers",
            lambda: elo_xl.worksheet("ELO_EXPECTED", mixed, 1800),
        ),
    ):
        ours, reference = fastest(10, work, there_and_back)
        report(name, ours, reference, 4, "tuples to array and back")
    (ours,) = fastest(
        10, lambda: [elo_xl.worksheet("ELO_EXPECTED", 1834.0, 2179.0) for _ in range(1000)]
    )
    print(f"{'1,000 single cells':<52} {1e3 * ours:6.1f} ms")


if __name__ == "__main__":
    main()
