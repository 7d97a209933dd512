"""Texts that are kept as files: what is made has to be exactly that.

``ELO_XL_SNAPSHOTS=write python -m pytest`` writes them anew; look at the difference before you
keep it.
"""

from __future__ import annotations

import os
from difflib import unified_diff
from pathlib import Path

FOLDER = Path(__file__).parent


def check(name: str, text: str) -> None:
    """Compare a text with the file of that name."""
    path = FOLDER / name
    if os.environ.get("ELO_XL_SNAPSHOTS") == "write":
        path.write_text(text, encoding="utf-8")
    kept = path.read_text(encoding="utf-8")
    difference = "\n".join(unified_diff(kept.splitlines(), text.splitlines(), "kept", "made"))
    assert kept == text, f"tests/snapshots/{name} (ELO_XL_SNAPSHOTS=write renews it)\n{difference}"
