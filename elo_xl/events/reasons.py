"""Why a player of an event has their K factor, and their first rating or none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from elo_xl.engine.rounding import FloatArray
from elo_xl.engine.rulebooks import Rulebook
from elo_xl.engine.rulebooks.event import Players
from elo_xl.engine.rulebooks.words import Words
from elo_xl.events.event import Player
from elo_xl.languages import ENGLISH

Why = Literal["none", "few", "zero", "endless", "low", "good"]
"""Why there is no first rating: no game, too few, no point, no finite rating, or one too low; or
that there is one."""

_FOR_ALL: Final = Words("as given for all players", "la dada para todos", "задан для всех")
_GIVEN: Final = Words("given for the player", "la dada para el jugador", "задан для игрока")
_LISTED: Final = Words("from the rating list", "la de la lista", "из списка рейтингов")
_LOWERED: Final = Words(
    "; {k:g} lowered for {games:g} games",
    "; {k:g} reducida por {games:g} partidas",
    "; вместо {k:g}, так как партий {games:g}",
)


def of_k(
    people: Sequence[Player],
    players: Players,
    book: Rulebook,
    k: float | None,
    final: FloatArray,
    games: npt.NDArray[np.generic],
    language: str = ENGLISH,
) -> list[str]:
    """Why each player has their K; ``final`` are the factors as they apply to so many games."""
    if k is not None:
        reasons = [_FOR_ALL.say(language)] * players.k.size
    else:
        by_rule = book.k.reason(players, language)
        given = (~np.isnan(players.k)).tolist()
        reasons = [
            why if not g else (_LISTED if p.k_listed else _GIVEN).say(language)
            for p, g, why in zip(people, given, by_rule, strict=True)
        ]
    if book.change.takes_k:
        whole = book.k(players, np.full(players.rating.shape, np.nan))
        whole = np.where(np.isnan(players.k), whole, players.k)
        for i in np.flatnonzero(final != whole):
            reasons[i] += _LOWERED.say(language, k=float(whole[i]), games=float(games[i]))
    return reasons


_NONE: Final = Words(
    "no game against a rated opponent",
    "ninguna partida contra un rival con rating",
    "нет партий с соперниками, у которых есть рейтинг",
)
_ZERO: Final = Words(
    "an event without a point is disregarded",
    "un torneo sin puntos no se tiene en cuenta",
    "турнир без единого очка не учитывается",
)
_LOW: Final = Words(
    "{computed:g} is below the lowest published rating, {floor}",
    "{computed:g} queda por debajo del rating mínimo que se publica, {floor}",
    "{computed:g} ниже наименьшего публикуемого рейтинга, {floor}",
)
_ONE: Final = Words("1 game", "1 partida", "учтено партий: 1")
_MANY: Final = Words("{games} games", "{games} partidas", "учтено партий: {games}")
_AGAINST: Final = Words(" against rated opponents", " contra rivales con rating", "")
_NEEDED: Final = Words(", {games} are needed", ", hacen falta {games}", ", нужно {games}")


def of_first(why: Why, games: int, computed: float, book: Rulebook, language: str = ENGLISH) -> str:
    """Why there is a first rating, or none; ``computed`` is what the arithmetic gives."""
    rule = book.first
    if why == "endless":
        return rule.endless.say(language)
    if why in ("none", "zero"):
        return (_NONE if why == "none" else _ZERO).say(language)
    if why == "low":
        return _LOW.say(language, computed=computed, floor=rule.floor)
    text = (_ONE if games == 1 else _MANY).say(language, games=games)
    if not book.counts.with_newcomers:
        text += _AGAINST.say(language)
    return text + _NEEDED.say(language, games=rule.games) if why == "few" else text
