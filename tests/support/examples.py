"""How many examples a property is tried on: fewer in ``make check``, which sets ELO_XL_QUICK."""

from __future__ import annotations

import os

QUICK = bool(os.environ.get("ELO_XL_QUICK"))


def examples(count: int = 100) -> int:
    """The number of examples, a tenth of it where tests have to be quick."""
    return max(count // 10, 4) if QUICK else count
