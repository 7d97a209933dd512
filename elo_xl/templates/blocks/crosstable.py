"""A result as crosstables show it: ``12w1`` is a win with White against number 12."""

from __future__ import annotations

from typing import Final

SEEN_PIECES: Final = """
pieces
    # a result as the crosstable shows it: the colour only of a game
    seen(colour, sign) = IF(OR(sign = "+", sign = "-", sign = "--"), "", colour) & sign
"""

SEEN_COLUMNS: Final = """
        seen_b      center quiet helper                 = IF(second = 0, "", seen(t.black_letter,
            IF(sign <= 0, "", INDEX(Result_mirror, sign))))
        seen_a      center quiet helper                 = cases(first <= 0, "",
            second = 0, cases(sign <= 0, "", points_a = 0, "–", points_a = 0.5, t.bye & " ½",
                              t.bye & " 1"),
            seen(t.white_letter, IF(sign <= 0, "", INDEX(Result_mirror,
                sign_of(INDEX(Result_mirror, sign))))))
"""
"""Columns of a list of games, behind those of
:mod:`~elo_xl.templates.blocks.numbered_games`: what Black's opponent and White's see of it."""
