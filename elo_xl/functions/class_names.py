"""The classes of ratings in the appendix of Benítez and Roca, and their names by language.

These are not the titles that FIDE awards (001, appendix I).
"""

from __future__ import annotations

from typing import Final

FROM: Final = (1400, 1600, 1800, 2000, 2300, 2400, 2500)
"""Ratings at which the second and the following classes begin. The lowest class, from 1000 in the
appendix, holds every lower rating too."""

CLASS_NAMES: Final = {
    "en": (
        "Beginner",
        "Amateur",
        "Average club player",
        "Strong club player",
        "Candidate master",
        "National master",
        "International master",
        "Grandmaster",
    ),
    "es": (
        "Principiante",
        "Aficionado",
        "Jugador medio de club",
        "Jugador fuerte de club",
        "Candidato a maestro",
        "Maestro nacional",
        "Maestro internacional",
        "Gran maestro",
    ),
    "ru": (
        "Начинающий",
        "Любитель",
        "Клубный игрок средней силы",
        "Сильный клубный игрок",
        "Кандидат в мастера",
        "Национальный мастер",
        "Международный мастер",
        "Гроссмейстер",
    ),
}
