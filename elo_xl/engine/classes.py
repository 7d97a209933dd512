"""The class of a rating, as the appendix of Benítez and Roca has it."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.errors import choose

FROM: Final = (1400, 1600, 1800, 2000, 2300, 2400, 2500)
"""Ratings at which the second and the following classes begin."""

CLASSES: Final = {
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


def rating_class(rating: npt.ArrayLike, language: str = "en") -> npt.NDArray[np.object_]:
    """Name of the class that ratings belong to, in English, Spanish or Russian.

    >>> rating_class([1399, 1400, 2650]).tolist()
    ['Beginner', 'Amateur', 'Grandmaster']

    The lowest class, from 1000 in the appendix, holds every lower rating too. These are not the
    titles that FIDE awards (001, appendix I). Raises OptionError for another language.
    """
    names = np.array(CLASSES[choose(language, CLASSES, "language")], dtype=object)
    return names[np.searchsorted(FROM, np.asarray(rating, dtype=float), side="right")]
