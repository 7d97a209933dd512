"""The words that options take, for type checkers: `make regenerate` writes them.

Nothing imports them at run time, where the tables count from which they are taken.
"""

from typing import Literal

BridgeMethod = Literal["closed", "quadrature", "monte carlo"]
DrawModel = Literal["split", "davidson", "rao-kupper"]
ExchangeRules = Literal[
    "world-football",
    "fifa",
    "world-rugby",
    "world-rugby-2026-07",
    "fivb",
    "usatt",
]
FileFormat = Literal["trf16", "trf26", "swiss-manager", "fide-list"]
FitDraws = Literal["davidson", "ignore"]
Flavour = Literal["formulas", "lambda", "addin", "lite", "libreoffice"]
LanguageCode = Literal["en", "de", "es", "fr", "pt", "ru"]
Margin = Literal["log", "goals"]
MatchKind = Literal["exactly", "at least", "at most"]
Method = Literal["fide", "normal", "logistic", "linear"]
Model = Literal["normal", "logistic", "rescaled", "fide"]
RulebookName = Literal[
    "fide",
    "fide-2025-10",
    "fide-2024-03",
    "fide-2022-01",
    "fide-2017-07",
    "fide-2014-07",
    "fide-2009-07",
    "fide-rapid",
    "elo",
    "logistic",
    "dwz",
    "ecf",
    "egf",
    "naspa",
    "us-chess",
    "us-chess-2025-01",
    "us-chess-2023-02",
    "us-chess-2017-05",
    "us-chess-2015-01",
    "us-chess-2013-05",
    "usatt",
]
Scale = Literal["percent", "imp"]
SideRating = Literal["mean", "sum"]
TemplateName = Literal[
    "rating-period",
    "round-robin",
    "swiss",
    "team-match",
    "rating-history",
    "ladder",
    "club",
    "match-odds",
    "k-and-first-rating",
    "bayes-chess",
    "bridge-pairs",
    "elo-explained",
    "class",
    "doubles",
    "game-night",
    "judging",
    "keizer",
    "league",
    "season",
]
