"""The plain models: Elo's system as Benítez and Roca state it, on two curves."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from elo_xl.engine.rulebooks.clauses import Logistic, Root
from elo_xl.engine.rulebooks.fide import K
from elo_xl.engine.rulebooks.rulebook import Rulebook
from elo_xl.languages import Words

ELO: Final = Rulebook(
    name="elo",
    title=Words("Elo's normal model, no cap, no rounding"),
    source=Words("Benítez and Roca, eq (2) and axioms I to V"),
    k=replace(K, most_points=None),
    names_k=False,
)
"""Elo's own system as Benítez and Roca state it. They name no K: unless it is given, FIDE's newest
rule applies, without the limit on K times games."""

LOGISTIC: Final = replace(
    ELO,
    name="logistic",
    title=Words("The logistic model, no cap, no rounding"),
    source=Words("Benítez and Roca, eq (3); Ioffe, eq (6)"),
    expected=Logistic(),
    first=Root("logistic"),
    performance="logistic",
)
"""The same on the logistic curve."""

RULEBOOKS: Final = (ELO, LOGISTIC)
