"""Elo's rating system as worksheet functions.

>>> import elo_xl
>>> round(elo_xl.call("ELO_EXPECTED", 1834, 2179), 5)
0.11128
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from elo_xl.functions.evaluation import call

__version__ = "0.1.0"
__all__ = ["__version__", "call"]


def __getattr__(name: str) -> Any:
    """Load ``call`` on first use, so that a bare import stays fast."""
    if name == "call":
        from elo_xl.functions.evaluation import call

        return call
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
