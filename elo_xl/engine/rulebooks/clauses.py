"""The clauses of which a rulebook is composed, each with three faces.

A clause is called with arrays, by the engine. Its ``formula`` is the same as a native formula, in
the names of its family, for cells. :meth:`Clause.say` states it in a sentence, for sheets, pages
and reasons. What only one federation has stands in the module of that federation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass, fields, replace
from datetime import date
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from elo_xl.engine.errors import OptionError
from elo_xl.engine.models import expected, fide_hundredths
from elo_xl.engine.performance import Games, root
from elo_xl.engine.rounding import FloatArray, round_half_away
from elo_xl.engine.rulebooks.event import Event, Players, Sides

Mask = npt.NDArray[np.bool_]
OfDifference = Callable[[npt.NDArray[Any]], FloatArray]


class Words(NamedTuple):
    """One text in the languages of workbooks, with names in braces for numbers."""

    en: str
    es: str
    ru: str

    def say(self, language: str = "en", **values: object) -> str:
        """The text in a language, with numbers as that language writes them.

        >>> Words("{k:g} points", "{k:g} puntos", "пунктов: {k:g}").say("es", k=12.5)
        '12,5 puntos'
        """
        text: str = getattr(self, language)
        if language != "en":
            values = {k: _shown(v) for k, v in values.items()}
        return text.format(**values)


class _Decimal(str):
    """A number that is written with a comma, whatever format is asked for."""

    def __format__(self, _: str) -> str:
        return str(self)


def _shown(value: object) -> object:
    if isinstance(value, float):
        return _Decimal(f"{value:g}".replace(".", ","))
    return value


@dataclass(frozen=True)
class Clause:
    """One clause of a rulebook."""

    formula: ClassVar[str] = ""
    """the clause in a cell; empty if spreadsheets have no sensible form of it"""
    text: ClassVar[Words]

    def native(self) -> str:
        """The formula with the clause's own numbers: ``my.cap`` stands for the field ``cap``."""
        return self.formula

    def say(self, language: str = "en") -> str:
        """The clause as a sentence."""
        return self.text.say(language, **{f.name: getattr(self, f.name) for f in fields(self)})


# -- which games count ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Counts(Clause):
    """Which games between two rated players count. In formulas: of ``rating`` and ``opponent``."""

    all_rated: ClassVar[bool] = False
    """whether every game between two rated players counts"""
    with_newcomers: ClassVar[bool] = False
    """whether games against newcomers count who get a first rating in the same event"""

    def __call__(self, rating: FloatArray, opponent: FloatArray) -> Mask:
        raise NotImplementedError


@dataclass(frozen=True)
class BothRated(Counts):
    """Every game between two rated players counts."""

    all_rated = True
    formula = "TRUE"
    text = Words(
        "Games that were played between two rated players. Forfeits, byes and games of less than "
        "one move do not count; games against an unrated player count only for that player's first "
        "rating.",
        "Las partidas jugadas entre dos jugadores con rating. Las incomparecencias, los descansos "
        "y las partidas de menos de una jugada no cuentan para nadie; las partidas contra quien no "
        "tiene rating, solo para el primer rating de este.",
        "Партии, сыгранные двумя игроками с рейтингом. Неявки, пропуски туров и партии короче "
        "одного хода не учитываются ни у кого; партии с игроком без рейтинга — только для его "
        "первого рейтинга.",
    )

    def __call__(self, rating: FloatArray, opponent: FloatArray) -> Mask:
        counts: Mask = ~(np.isnan(rating) | np.isnan(opponent))
        return counts


# -- the difference that counts -------------------------------------------------------------------


_OWN_MINUS_OTHER: Final = Words(
    "Own rating minus the opponent's. ",
    "El rating propio menos el del rival. ",
    "Свой рейтинг минус рейтинг соперника. ",
)


@dataclass(frozen=True)
class Difference(Clause):
    """How much of a rating difference counts. In formulas: of ``d``, ``rating``, ``opponent``."""

    whole_event: ClassVar[bool] = False
    """whether the other games of the player in the event matter"""
    upgrade: ClassVar[str] = "0"
    """what an event adds to the sum of its games, in units, as a formula"""

    def cut(self, ahead: FloatArray) -> FloatArray:
        """The differences as they count for nearly everybody."""
        return ahead

    def exempt(self, rating: FloatArray) -> Mask | None:
        """Whose differences count in full; None if nobody is treated differently."""
        return None

    def __call__(self, ahead: FloatArray, rating: FloatArray, player: npt.ArrayLike) -> FloatArray:
        """The differences that count in the games of one event, for players by index."""
        counted = self.cut(ahead)
        exempt = self.exempt(rating)
        return counted if exempt is None else np.where(exempt, ahead, counted)

    def say(self, language: str = "en") -> str:
        return _OWN_MINUS_OTHER.say(language) + super().say(language)


@dataclass(frozen=True)
class Full(Difference):
    """Every difference counts in full."""

    formula = "d"
    text = Words(
        "It always counts in full.", "Cuenta siempre entera.", "Всегда учитывается полностью."
    )


@dataclass(frozen=True)
class Cap(Difference):
    """A difference counts up to a limit."""

    most: int = 400
    formula = "clip(d, my.most)"
    text = Words(
        "More than {most} points count as {most}.",
        "Más de {most} puntos cuentan como {most}.",
        "Больше {most} пунктов считаются за {most}.",
    )

    def cut(self, ahead: FloatArray) -> FloatArray:
        return np.clip(ahead, -self.most, self.most)


# -- the expected score ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Expected(Clause):
    """The expected score of a difference. In formulas: of ``d``, in units."""

    model: ClassVar[str] = ""
    """the curve's name, if worksheet functions know it"""
    unit: ClassVar[int] = 1
    """how many units make a point, so that sums of units are exact"""

    def __call__(self, difference: FloatArray) -> FloatArray:
        """The expected scores, in points."""
        return self.units(difference) / self.unit

    def units(self, difference: FloatArray) -> FloatArray:
        """The expected scores, in units."""
        raise NotImplementedError


@dataclass(frozen=True)
class Normal(Expected):
    """Elo's own curve."""

    model = "normal"
    formula = 'expected(d, "normal")'
    text = Words(
        "Φ(difference / (200√2)): Elo's normal model.",
        "Φ(diferencia / (200√2)): el modelo normal de Elo.",
        "Φ(разность / (200√2)): нормальная модель Эло.",
    )

    def units(self, difference: FloatArray) -> FloatArray:
        return expected(difference, self.model)


@dataclass(frozen=True)
class Logistic(Expected):
    """The logistic curve on which 400 points are worth ten to one."""

    model = "logistic"
    formula = 'expected(d, "logistic")'
    text = Words(
        "1 / (1 + 10^(−difference/400)): the logistic model.",
        "1 / (1 + 10^(−diferencia/400)): el modelo logístico.",
        "1 / (1 + 10^(−разность/400)): логистическая модель.",
    )

    def units(self, difference: FloatArray) -> FloatArray:
        return expected(difference, self.model)


@dataclass(frozen=True)
class Table(Expected):
    """FIDE's table 8.1.2, in whole hundredths."""

    model = "fide"
    unit = 100
    formula = "table_812(d)"
    text = Words(
        "FIDE's table 8.1.2 at the difference, rounded to whole points.",
        "La tabla 8.1.2 de la FIDE con la diferencia, redondeada a puntos enteros.",
        "Таблица 8.1.2 ФИДЕ для разности, округлённой до целых пунктов.",
    )

    def units(self, difference: FloatArray) -> FloatArray:
        return fide_hundredths(difference)


# -- the K factor ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class KFactor(Clause):
    """The K factor of a player.

    In formulas: of ``rating``, ``games``, ``age``, ``peak``, any of which may be blank but the
    first, and of ``period_games``, the number of games in the period.
    """

    def __call__(self, players: Players, period_games: FloatArray) -> FloatArray:
        raise NotImplementedError

    def limited(self, k: FloatArray, period_games: FloatArray) -> FloatArray:
        """K factors as they apply in a period of so many games; NaN: unknown."""
        return k

    def reason(self, players: Players, language: str = "en") -> list[str]:
        """Why each player has their K."""
        return [self.say(language)] * players.rating.size


# -- the change -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Changed:
    """What an event changes; every field has one number per player."""

    k: FloatArray
    games: FloatArray
    """rated games"""
    score: FloatArray
    """points scored in the rated games"""
    expected: FloatArray
    """points expected in them"""
    change: FloatArray
    """in rating points, not rounded"""
    first: FloatArray | None = None
    """first ratings of unrated players, if they follow from the whole event"""


@dataclass(frozen=True)
class Change(Clause):
    """How the games of an event change ratings.

    In formulas: of ``rating``, ``k``, ``games``, ``age``, ``peak`` and ``home``, of the lists
    ``opponent`` and ``score`` and their sums (see :class:`First`), and of the other clauses by the
    names of their families.
    """

    takes_k: ClassVar[bool] = True
    """whether somebody may give the K factor"""

    def once(self, rules: Rulebook, players: Players, sides: Sides) -> Changed:
        """One pass: every opponent counts with the rating that the side names."""
        raise NotImplementedError

    def __call__(self, rules: Rulebook, event: Event) -> Changed:
        """A whole event, in which every opponent counts with the rating from before."""
        return self.once(rules, event.players, event.everybody)

    def points(self, rules: Rulebook, event: Event) -> FloatArray:
        """The changes alone."""
        return self(rules, event).change

    def check_k(self, rules: Rulebook, players: Players) -> None:
        """Raise OptionError if a K was given under a rulebook that takes none."""
        given = players.k[~np.isnan(players.k)]
        if given.size and not self.takes_k:
            raise OptionError(f'{rules.name} takes no K but its own ("auto"), got {given[0]:g}')


@dataclass(frozen=True)
class Linear(Change):
    """K times score minus expected score, summed over the games."""

    formula = """
    LET(lost, expected(difference(rating + home - opponent, rating, opponent)),
        k * (IF(all_rated, unit * points - sum_games(lost), LET(fine, counts(rating, opponent),
            IF(total, IF(sum_games(1 - fine) > 0, #N/A, unit * points - sum_games(lost)),
                sum_games(fine * (unit * score - lost))))) + upgrade()) / unit)
    """
    text = Words(
        "K × (score − expected score), added up over the games.",
        "K × (puntuación − puntuación esperada), sumado para todas las partidas.",
        "K × (очки − ожидаемые очки), сумма по всем партиям.",
    )

    def once(self, rules: Rulebook, players: Players, sides: Sides) -> Changed:
        sides = sides.only(rules.counts(sides.own(players), sides.met))
        own = sides.own(players)
        counted = rules.difference(own + sides.home - sides.met, own, sides.player)
        chance = sides.total(rules.expected.units(counted))
        return self._changed(rules, players, sides, rules.expected.unit * sides.points - chance)

    def points(self, rules: Rulebook, event: Event) -> FloatArray:
        """The same changes block by block, which is faster than twice as long arrays."""
        if rules.difference.whole_event:
            sides = replace(event.everybody, limited=False)
            return self.once(rules, event.players, sides).change
        ratings, lost, *spared = self._by_difference(rules, event)
        exempt = rules.difference.exempt
        everybody = exempt(event.ratings)
        some_exempt = everybody is not None and everybody.any()
        gained = np.zeros(ratings.size)
        for a, b, score in event.blocks():
            own, other = ratings.take(a), ratings.take(b)
            if not rules.counts.all_rated:
                counts = rules.counts(own, other)
                a, b, score = a[counts], b[counts], score[counts]
                own, other = own[counts], other[counts]
            ahead = own - other
            gain = rules.expected.unit * score
            gain -= lost(ahead)
            np.add.at(gained, a, gain)
            np.subtract.at(gained, b, gain)
            if some_exempt:
                for player, rating, more in zip((a, b), (own, other), spared, strict=True):
                    few = np.flatnonzero(np.asarray(exempt(rating.astype(float, copy=False))))
                    np.add.at(gained, player[few], more(ahead[few]))
        gained *= self._given(rules, event.players)
        gained /= rules.expected.unit
        if event.some_unrated:
            gained[np.isnan(event.ratings)] = np.nan
        return gained

    def _by_difference(
        self, rules: Rulebook, event: Event
    ) -> tuple[npt.NDArray[Any], OfDifference, OfDifference, OfDifference]:
        """The ratings, and what follows from their differences, in units: what the first player is
        expected to score, and what it adds for either player to be exempt from the cut."""
        cut, units, home = rules.difference.cut, rules.expected.units, event.home

        def lost(ahead: FloatArray) -> FloatArray:
            return units(cut(ahead + home))

        def spared_first(ahead: FloatArray) -> FloatArray:
            return units(cut(ahead + home)) - units(ahead + home)

        def spared_second(ahead: FloatArray) -> FloatArray:
            return units(cut(-ahead - home)) - units(-ahead - home)

        if not rules.counts.all_rated or event.whole is None:
            return event.ratings, lost, spared_first, spared_second

        ratings, span = event.whole
        # differences 0 to span, then -span to -1, so that -3 finds its row
        rows = np.roll(np.arange(-span, span + 1.0), -span)

        def read(function: OfDifference) -> OfDifference:
            table = function(rows)
            return lambda ahead: table[ahead]

        return ratings, read(lost), read(spared_first), read(spared_second)

    def _given(self, rules: Rulebook, players: Players) -> FloatArray:
        """The K factors before any limit."""
        unknown = np.isnan(players.k)
        if not unknown.any():
            return players.k
        return np.where(unknown, rules.k(players, np.full(unknown.shape, np.nan)), players.k)

    def _changed(
        self, rules: Rulebook, players: Players, sides: Sides, gained: FloatArray
    ) -> Changed:
        games, unit = sides.games, rules.expected.unit
        k = self._given(rules, players)
        if sides.limited:
            k = rules.k.limited(k, games)
        unrated = np.isnan(players.rating)
        gained = np.where(unrated, np.nan, gained)
        lost = (unit * sides.points - gained) / unit
        return Changed(k, games, sides.points, lost, k * gained / unit)


# -- the first rating -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FirstRatingSteps:
    """The steps to first ratings; every field is an array with one number per player."""

    average: FloatArray
    """average rating of the opponents, including the hypothetical ones"""
    percent: FloatArray
    """percentage scored, including the hypothetical draws, not rounded"""
    rating: FloatArray


@dataclass(frozen=True)
class First(Clause):
    """The first rating of an unrated player.

    In formulas: of the lists ``opponent`` and ``score`` and their sums ``played``, ``points``,
    ``rating_sum``, ``average``, and of ``start``, a first guess.
    """

    _: KW_ONLY
    games: int = 5
    """the number of games that it takes"""
    floor: int | None = None
    """lowest first rating that is published, in points"""
    zero_counts: bool = False
    """whether an event counts in which the player scored nothing"""

    takes_start: ClassVar[bool] = False
    """whether it begins with a first guess"""

    endless: ClassVar[Words] = Words(
        "every game won or lost: no finite rating gives that score",
        "todas las partidas ganadas o perdidas: ningún rating finito da esa puntuación",
        "все партии выиграны или проиграны: конечного рейтинга с такими очками нет",
    )
    """why there is no such rating after enough games"""

    needs: ClassVar[Words] = Words(
        " It takes {games} games against rated players.",
        " Hacen falta {games} partidas contra rivales con rating.",
        " Нужно партий с соперниками, у которых есть рейтинг: {games}.",
    )
    from_floor: ClassVar[Words] = Words(
        " It is not published below {floor}.",
        " No se publica por debajo de {floor}.",
        " Ниже {floor} не публикуется.",
    )
    without_zero: ClassVar[Words] = Words(
        " An event without a point is disregarded.",
        " Un torneo sin puntos no se tiene en cuenta.",
        " Турнир без единого очка не учитывается.",
    )

    def __call__(self, games: Games, start: FloatArray | None = None) -> FirstRatingSteps:
        raise NotImplementedError

    def published(self, rating: FloatArray, games: FloatArray, score: FloatArray) -> Mask:
        """Whether first ratings are published: enough games, a point, not below the floor."""
        fine = np.isfinite(rating) & (games >= self.games) & ((score > 0) | self.zero_counts)
        if self.floor is not None:
            fine &= np.nan_to_num(rating) >= self.floor
        return fine

    def say(self, language: str = "en") -> str:
        text = super().say(language)
        if self.games > 1:
            text += self.needs.say(language, games=self.games)
        if self.floor is not None:
            text += self.from_floor.say(language, floor=self.floor)
        return text if self.zero_counts else text + self.without_zero.say(language)


@dataclass(frozen=True)
class Root(First):
    """The rating whose expected total is the score."""

    model: str = "normal"
    _: KW_ONLY
    games: int = 1
    floor: int | None = 0
    whole: bool = False
    """whether it is rounded to a whole number"""

    formula = "root(my.model)"
    text = Words(
        "The rating whose expected score against the rated opponents equals the score.",
        "El rating cuya puntuación esperada en las partidas contra rivales con rating es la "
        "obtenida.",
        "Рейтинг, при котором ожидаемые очки в партиях с соперниками, у которых есть рейтинг, "
        "равны набранным.",
    )
    rounded: ClassVar[Words] = Words(
        " It is rounded to a whole number.",
        " Se redondea a un número entero.",
        " Он округляется до целого числа.",
    )

    def __call__(self, games: Games, start: FloatArray | None = None) -> FirstRatingSteps:
        with np.errstate(invalid="ignore", divide="ignore"):
            percent = 100 * games.score / games.count
        rating = root(games, self.model)
        if self.whole:
            rating = round_half_away(rating)
        return FirstRatingSteps(games.average, percent, rating)

    def native(self) -> str:
        return f"ROUND({self.formula}, 0)" if self.whole else self.formula

    def say(self, language: str = "en") -> str:
        text = self.text.say(language)
        return text + self.rounded.say(language) if self.whole else text


# -- rounding -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rounding(Clause):
    """How a new rating is published. In formulas: of ``rating`` and ``change``."""

    floor: int | None = None
    """lowest rating; None: there is none"""

    whole: ClassVar[bool] = False
    """whether changes are whole points"""

    floor_text: ClassVar[Words] = Words(
        " No rating falls below {floor}.",
        " Ningún rating baja de {floor}.",
        " Рейтинг не опускается ниже {floor}.",
    )

    def rounded(self, change: FloatArray) -> FloatArray:
        return change

    def __call__(self, rating: FloatArray, change: FloatArray, peak: FloatArray) -> FloatArray:
        """New ratings."""
        new = rating + self.rounded(change)
        return new if self.floor is None else np.maximum(new, self.floor)

    def native(self) -> str:
        return self.formula if self.floor is None else f"greatest({self.floor}, {self.formula})"

    def say(self, language: str = "en") -> str:
        more = "" if self.floor is None else self.floor_text.say(language, floor=self.floor)
        return self.text.say(language) + more


@dataclass(frozen=True)
class Unrounded(Rounding):
    """Nothing is rounded."""

    formula = "rating + change"
    text = Words("Nothing is rounded.", "No se redondea nada.", "Ничего не округляется.")


@dataclass(frozen=True)
class WholePoints(Rounding):
    """The change of a period is rounded to whole points."""

    whole = True
    formula = "rating + ROUND(change, 0)"
    text = Words(
        "Rounded to a whole number, 0.5 away from zero, once for all events of a rating period: "
        "with further events in the period add up the unrounded changes first.",
        "Se redondea a un número entero, 0,5 alejándose de cero, una sola vez para todos los "
        "torneos de un período: con otros torneos en el período, sume antes las variaciones sin "
        "redondear.",
        "Округляется до целого числа, 0,5 — в сторону от нуля, один раз для всех турниров "
        "рейтингового периода: если в периоде есть другие турниры, сначала сложите неокруглённые "
        "изменения.",
    )

    def rounded(self, change: FloatArray) -> FloatArray:
        return round_half_away(change)


# -- the rulebook ---------------------------------------------------------------------------------

FAMILIES: Final = ("counts", "difference", "expected", "k", "change", "first", "rounding")

_PERFORMANCE: Final = {
    "fide": Words(
        "Average of the opponents' ratings, rounded, plus table 8.1.1 at the percentage scored, "
        "rounded half up.",
        "La media de los ratings de los rivales, redondeada, más la tabla 8.1.1 con el porcentaje "
        "obtenido, redondeado hacia arriba desde la mitad.",
        "Средний рейтинг соперников, округлённый, плюс таблица 8.1.1 для процента очков, половины "
        "округляются вверх.",
    ),
    "root": Words(
        "The rating whose expected score in these games equals the score; none if every game was "
        "won or every game was lost.",
        "El rating cuya puntuación esperada en estas partidas es la obtenida; ninguno si se "
        "ganaron o perdieron todas.",
        "Рейтинг, при котором ожидаемые очки в этих партиях равны набранным; его нет, если "
        "выиграны или проиграны все партии.",
    ),
    "linear": Words(
        "The federation publishes none; here it is the average of the opponents' ratings plus 400 "
        "× (wins − losses) / games.",
        "La federación no publica ninguno; aquí es la media de los ratings de los rivales más 400 "
        "× (victorias − derrotas) / partidas.",
        "Федерация его не публикует; здесь это средний рейтинг соперников плюс 400 × (победы − "
        "поражения) / партии.",
    ),
}


@dataclass(frozen=True, kw_only=True)
class Rulebook:
    """One dated edition of rating rules, or one of the plain models, as clauses."""

    name: str
    title: Words
    source: Words
    since: date | None = None
    """the day from which it is in force, for editions that replace each other"""
    counts: Counts = BothRated()
    difference: Difference = Full()
    expected: Expected = Normal()
    k: KFactor
    change: Change = Linear()
    first: First = Root()
    rounding: Rounding = Unrounded()
    performance: str = "normal"
    """the method of performance ratings"""
    uncertain: Words | None = None
    """what could not be verified in the text of the rules"""
    in_books: bool = True
    """whether workbooks have formulas for all of it"""

    def sentences(self, language: str = "en") -> Iterator[tuple[str, str]]:
        """What the rulebook says, clause by clause, with the subject of each."""
        yield "rated_games", self.counts.say(language)
        yield "difference", self.difference.say(language)
        yield "expected", self.expected.say(language)
        yield "change", f"{self.change.say(language)} {self.rounding.say(language)}"
        yield "k", self.k.say(language)
        yield "first", self.first.say(language)
        method = _PERFORMANCE.get(self.performance, _PERFORMANCE["root"])
        yield "performance", method.say(language)

    @property
    def linear(self) -> bool:
        """Whether cells can follow it: workbooks have formulas, and each game stands alone."""
        return self.by_game and self.in_books

    @property
    def by_game(self) -> bool:
        """Whether each game gives K times score minus expected score, so that a list shows it."""
        return type(self.change) is Linear
