"""Rate an event under a rulebook: changes, K factors with their reasons, first ratings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from itertools import repeat
from pathlib import Path
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from elo_xl.books.answers import phrase, spoken
from elo_xl.engine.arrays import FloatArray, IntArray
from elo_xl.engine.errors import DomainError, require
from elo_xl.engine.period import Period, period
from elo_xl.engine.ratings import counted_differences, first_rating_steps
from elo_xl.engine.rulebooks import Rulebook, in_force, on, rulebook, usual
from elo_xl.engine.rulebooks.event import Players
from elo_xl.events.event import EventError, Game, Player, Problem, Tournament, born_when
from elo_xl.languages import ENGLISH, Words

Why = Literal["none", "few", "zero", "endless", "low", "good"]
"""Why there is no first rating: no game, too few, no point, no finite rating, or one too low; or
that there is one."""

Chosen = Literal["asked", "book", "tempo", "day", "no day", "early"]
"""Why an event has its rules: asked for, those of its own book, those of its time control, in force
on its first day, or the newest ones, where that day is unknown or before the editions known here.
"""


@dataclass(frozen=True, slots=True)
class EarlierGame:
    """A game of an earlier period that counts for the first rating of an unrated player."""

    player: int
    """the number that they have in the event"""
    opponent: str
    rating: float
    """what the opponent had before that period"""
    score: float
    event: str


@dataclass(frozen=True, slots=True)
class RatedGame:
    """One rated game from the side of one player."""

    round: int
    player: int
    opponent: int
    rating: float
    score: float
    difference: float
    counted: float | None
    """the difference that counts under the rulebook's cap; like what follows, None where the
    rulebook does not give each game K times (score minus expected) by itself"""
    expected: float | None
    change: float | None
    """K times (score minus expected), in points"""


@dataclass(frozen=True, slots=True)
class RatedPlayer:
    """A rated player's result in an event."""

    player: Player
    k: float | None
    """None where the rulebook has none"""
    k_reason: str
    games: int
    score: float
    expected: float
    change: float
    """unrounded"""
    new: float
    performance: float | None
    """None without a rated game, or if no finite rating gives the score"""


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """An unrated player's result: the games against rated opponents, and the first rating."""

    player: Player
    opponents: tuple[float, ...]
    """their ratings; that of a newcomer who counts is the first rating"""
    score: float
    average: float | None
    """Ra: the average of the opponents, including the hypothetical ones; None without a game"""
    percent: float | None
    """the percentage scored, including the hypothetical draws, before rounding"""
    computed: float | None
    """the rating that the arithmetic gives"""
    rating: float | None
    """the first rating; None if the rule allows none"""
    why: Why
    reason: str
    """why there is a first rating, or why not"""


@dataclass(frozen=True, slots=True)
class RatedEvent:
    """A tournament and everything computed from it."""

    tournament: Tournament
    rules: Rulebook
    chosen: Chosen
    """why these rules"""
    k: float | None
    """the K factor given for everybody"""
    players: tuple[RatedPlayer, ...]
    """by new rating, highest first"""
    rated_games: Callable[[], list[RatedGame]] = field(repr=False, compare=False)
    """what puts :attr:`games` together, for which few ask"""
    new_players: tuple[NewPlayer, ...]
    unrated_games: int
    """games that count for no rated player, because of an unrated opponent or a rule"""
    warnings: tuple[Problem, ...] = ()
    assumed: tuple[str, ...] = ()
    """what K factors take for granted where facts are unknown and might decide"""
    earlier: tuple[EarlierGame, ...] = ()
    """what else counts for the new players"""

    @property
    def games(self) -> list[RatedGame]:
        """Two entries per rated game, by player in the order of ``players``, then by round."""
        return self.rated_games()

    @property
    def borrowed_k(self) -> bool:
        """Whether the K factors are FIDE's although the rules are not."""
        return self.k is None and not self.rules.names_k

    @property
    def rules_reason(self) -> str:
        """Why these rules, in words."""
        day = self.tournament.start
        match self.chosen:
            case "book":
                return phrase("the rules of the book")
            case "tempo":
                control = self.tournament.time_control
                if not control:
                    return phrase("for rapid and blitz")
                return phrase(
                    "for rapid and blitz, as the time control is {control}", control=control
                )
            case "day":
                return phrase("in force on {day}, the event's first day", day=day)
            case "no day":
                return phrase("the newest edition, as the event has no date")
            case "early":
                return phrase("the newest edition, as none is known here for {day}", day=day)
        return phrase("as asked for")


def rate(
    tournament: Tournament,
    rules: str | Path | Rulebook | None = None,
    k: float | None = None,
    earlier: Iterable[EarlierGame] = (),
) -> RatedEvent:
    """Rate an event: changes, new ratings, and the first ratings of unrated players.

    If ``rules`` is omitted, the rules of one of our own books apply to the event in it. Otherwise
    it is FIDE's rules for rapid and blitz where the time control is that of rapid or blitz, or else
    the edition for standard play in force on the event's first day, or the newest one if the day is
    unknown or before the first edition known here. ``k`` is one K factor for everybody; if it is
    omitted, each player has their own (``Player.k``) or the one that the rulebook gives. Either is
    lowered where the rulebook limits K times games.

    Games against unrated players do not count for their opponents; the first rating of an unrated
    player is made from their games against rated opponents, those of ``earlier`` periods, too.

    Raises OptionError for an unknown rulebook, DomainError for a K below 0, EventError for any K
    under a rulebook that takes only its own, and where the rulebook depends on a first day that the
    file names in a way that is not understood, or that may be two days.
    """
    book, chosen = rules_of(tournament, rules)
    if k is not None:
        require(0 <= k < np.inf, "K must be a number not below 0", k)
    if not book.change.takes_k:
        _refuse_k(tournament, book, k)
    players = tournament.players
    index = {player.number: i for i, player in enumerate(players)}
    games = tournament.games
    before = tuple(earlier)
    known = known_players(tournament, k)
    ratings = known.rating
    first = np.array([index[game.first] for game in games], dtype=np.int64)
    second = np.array([index[game.second] for game in games], dtype=np.int64)

    def computed(known: Players) -> Period:
        return _computed(known, first, second, games, book, before, index)

    try:
        done = computed(known)
    # the engine refuses without a name; only now is it worth looking for the games
    except DomainError:
        if problems := list(_impossible(tournament, book, before)):
            raise EventError(problems) from None
        raise
    for other, problem_of in _otherwise(tournament):
        then = computed(known_players(other, k))
        same = (then.new == done.new) | np.isnan(done.new) & np.isnan(then.new)
        if not same.all():
            raise EventError([problem_of([players[i] for i in np.flatnonzero(~same)])])
    reasons = of_k(players, known, book, k, done.k, done.games, spoken())
    known_as = (
        np.where(np.isnan(ratings), done.new, ratings) if book.counts.with_newcomers else ratings
    )
    rated = book.counts(known_as[first], known_as[second])
    everyone = [
        _rated_player(player, done, i, reasons[i])
        for i, player in enumerate(players)
        if player.rating is not None
    ]
    fresh = tuple(_new_players(tournament, known_as, done, index, book, before))
    everyone.sort(key=lambda p: (-p.new, p.player.name.casefold(), p.player.number))
    return RatedEvent(
        tournament=tournament,
        rules=book,
        chosen=chosen,
        k=k,
        players=tuple(everyone),
        rated_games=partial(
            _rated_games, everyone, games, known_as, known.games, done, rated, index, book
        ),
        new_players=fresh,
        unrated_games=int((~rated).sum()),
        warnings=(
            *tournament.warnings,
            *filter(None, [tournament.undated]),
            *([Problem(NO_RATINGS)] if not everyone and games and _all_unknown(fresh) else []),
        ),
        assumed=tuple(assumed(players, known, done.games > 0, book)) if book.change.takes_k else (),
        earlier=before,
    )


def _computed(
    known: Players,
    first: IntArray,
    second: IntArray,
    games: Sequence[Game],
    book: Rulebook,
    earlier: Sequence[EarlierGame],
    index: Mapping[int, int],
) -> Period:
    """What the engine makes of the players; behind them stand the opponents in earlier periods, of
    whom only the ratings count."""
    size, more = known.rating.size, len(earlier)

    def behind(figures: FloatArray, opponents: Iterable[float] = repeat(np.nan)) -> FloatArray:
        return np.append(figures, np.fromiter(opponents, float, more))

    scores = [(game.score, game.other_score) for game in games]
    scores += [(game.score, 1 - game.score) for game in earlier]
    score, other = np.array(scores, dtype=float).reshape(-1, 2).T
    stones = [*(game.stones for game in games), *repeat(0, more)]
    done = period(
        behind(known.rating, (game.rating for game in earlier)), behind(known.k),
        np.append(first, np.array([index[game.player] for game in earlier], dtype=np.int64)),
        np.append(second, size + np.arange(more)), score, book,
        games=behind(known.games), age=behind(known.age), peak=behind(known.peak),
        index=behind(known.index), second_score=other, stones=stones if any(stones) else None,
    )  # fmt: skip
    return done.part(size)


NO_RATINGS: Final = (
    "no player has a rating, so nothing can be rated: give the ratings in a list of players "
    "(--players), or name a rating list (--list)"
)


def _all_unknown(players: Iterable[NewPlayer]) -> bool:
    """Whether nobody has met anybody with a rating."""
    return all(player.why == "none" for player in players)


def rules_of(
    tournament: Tournament, rules: str | Path | Rulebook | None
) -> tuple[Rulebook, Chosen]:
    """The rulebook of an event, and why; raises as :func:`rate` does."""
    if named := rules if rules is not None else tournament.rules:
        book = on(named, tournament.start)
        if tournament.otherwise and on(named, tournament.otherwise[0]) != book:
            raise _first_day(tournament, *tournament.otherwise)
        return book, "book" if rules is None else "asked"
    if tournament.kind in ("rapid", "blitz"):
        return usual(tournament.kind, None), "tempo"
    if tournament.undated:
        raise EventError([replace(tournament.undated, what=f"{tournament.undated.what}; {_ASK}")])
    day = tournament.start
    edition = in_force(day)
    if day and tournament.otherwise and in_force(tournament.otherwise[0]) != edition:
        raise _first_day(tournament, *tournament.otherwise)
    if edition is not None:
        return edition, "day"
    return rulebook("fide"), "no day" if day is None else "early"


def _first_day(tournament: Tournament, other: date, at: Problem) -> EventError:
    what = f"the first day, {at.what}, is {tournament.start} or {other}: write it so; {_ASK}{_TURN}"
    return EventError([replace(at, what=what)])


def _otherwise(
    tournament: Tournament,
) -> Iterator[tuple[Tournament, Callable[[Sequence[Player]], Problem]]]:
    """The event if dates whose order nothing decides stand in another one, where that makes other
    ages, and what to ask if the new ratings of some players depend on it."""
    start, players = tournament.start, tournament.players

    def asked(at: Problem, what: str, whom: Sequence[Player]) -> Problem:
        some = "; ".join(player.name for player in whom[:_NAMED])
        if (more := len(whom) - _NAMED) > 0:
            some += f" and {more} more"
        said = (
            "{what}; the new rating of {players} depends on it"
            if len(whom) == 1
            else "{what}; the new ratings of {players} depend on it"
        )
        return replace(at, what=said.format(what=what, players=some))

    if start and tournament.otherwise and tournament.otherwise[0].year != start.year:
        other, at = tournament.otherwise
        later = other.year - start.year
        # what was stated is an age: with the year of the event, that of birth moves, too
        moved = (
            replace(p, birth_year=p.birth_year + later) if p.aged and p.birth_year else p
            for p in players
        )
        day = f"the first day, {at.what}, is {start} or {other}: write it so{_TURN}"
        yield (
            replace(tournament, start=other, players=tuple(moved)),
            lambda whom: asked(at, day, whom),
        )
    if any(player.otherwise for player in players):
        turned = (replace(p, birth_year=p.otherwise[0]) if p.otherwise else p for p in players)

        def told(whom: Sequence[Player]) -> Problem:
            at = next(filter(None, map(born_when, whom)))
            return asked(at, at.what, whom)

        yield replace(tournament, players=tuple(turned)), told


_NAMED: Final = 3
"""players whom a question names"""
_ASK: Final = "the rules depend on it, unless you name them (--rules)"
_TURN: Final = '; --columns "month first=…" turns the dates of a table'


def known_players(tournament: Tournament, k: float | None) -> Players:
    """What is known of the players before the event; ``k`` is one K factor for everybody."""
    year = tournament.start.year if tournament.start else None
    columns = [
        [_number(value) for value in (p.rating, p.k if k is None else k, p.games)]
        + [_age(p, year), _number(p.peak), _number(p.index)]
        for p in tournament.players
    ]
    return Players.known(*np.array(columns, dtype=float).reshape(-1, 6).T)


def _impossible(
    tournament: Tournament, book: Rulebook, earlier: Sequence[EarlierGame]
) -> Iterator[Problem]:
    """The games whose scores a rulebook does not have, such as draws in table tennis."""
    players = {player.number: player.name for player in tournament.players}
    games = [
        (g.score, g.other_score, f"round {g.round}, {players[g.first]} – {players[g.second]}")
        for g in tournament.games
    ]
    games += [
        (g.score, 1 - g.score, f"{g.event}, {players[g.player]} – {g.opponent}") for g in earlier
    ]
    refused: dict[tuple[float, float], str] = {}
    two, nothing = np.full(2, 1500.0), np.full(2, np.nan)
    for score, other in {(score, other) for score, other, _ in games}:
        try:
            period(two, nothing, [0], [1], [score], book, second_score=[other])
        except DomainError as wrong:
            refused[score, other] = str(wrong)
    for score, other, where in games:
        if what := refused.get((score, other)):
            yield Problem(f"{what} @ {where}")


def _refuse_k(tournament: Tournament, book: Rulebook, k: float | None) -> None:
    """Raise EventError if a K was given for everybody, or for a player."""
    if k is not None:
        problems = [Problem(f"{book.name} takes no K but its own, got {k:g}")]
    else:
        problems = [
            Problem(f"{book.name} takes no K but its own, got {player.k:g} for {player.name}")
            for player in tournament.players
            if player.k is not None
        ]
    if problems:
        raise EventError(problems)


def _number(value: float | None) -> float:
    return np.nan if value is None else float(value)


def k_reasons(event: RatedEvent, language: str = ENGLISH) -> dict[int, str]:
    """Why each rated player has their K, in a language, by starting number."""
    rated = {p.player.number: p for p in event.players}
    players = [p for p in event.tournament.players if p.number in rated]
    ordered = [rated[p.number] for p in players]
    final = np.array([_number(p.k) for p in ordered])
    games = np.array([float(p.games) for p in ordered])
    known = known_players(replace(event.tournament, players=tuple(players)), event.k)
    texts = of_k(players, known, event.rules, event.k, final, games, language)
    return {p.number: text for p, text in zip(players, texts, strict=True)}


def _age(player: Player, year: int | None) -> float:
    """Age as the K rule counts it; a birth year after the event is a mistake and is ignored."""
    if player.birth_year is None or year is None or year < player.birth_year:
        return np.nan
    return year - player.birth_year


def _rated_player(player: Player, done: Period, i: int, reason: str) -> RatedPlayer:
    games = int(done.games[i])
    strength = float(done.performance[i])
    return RatedPlayer(
        player=player,
        k=None if np.isnan(done.k[i]) else float(done.k[i]),
        k_reason=reason,
        games=games,
        score=float(done.score[i]),
        expected=float(done.expected[i]),
        change=float(done.change[i]) + 0.0,  # no -0.0
        new=float(done.new[i]),
        performance=strength if games and np.isfinite(strength) else None,
    )


def _rated_games(
    everyone: list[RatedPlayer],
    games: tuple[Game, ...],
    ratings: FloatArray,
    before: FloatArray,
    done: Period,
    rated: np.ndarray[tuple[int], np.dtype[np.bool_]],
    index: Mapping[int, int],
    book: Rulebook,
) -> list[RatedGame]:
    """Every rated game from both sides, in the order of the players and rounds; ``before`` is how
    many games the players had before."""
    place = {p.player.number: i for i, p in enumerate(everyone)}
    sides = [
        (place[own], game.round, own, other, score)
        for game, counts in zip(games, rated, strict=True)
        if counts
        for own, other, score in game.sides
        if own in place
    ]
    sides.sort(key=lambda side: side[:2])
    player = np.array([index[own] for _, _, own, _, _ in sides], dtype=np.int64)
    opponent = np.array([index[other] for _, _, _, other, _ in sides], dtype=np.int64)
    figures: Iterable[tuple[float | None, ...]] = repeat((None, None, None))
    if book.by_game:
        score = np.array([points for *_, points in sides])
        counted = counted_differences(ratings[player], ratings[opponent], book, player)
        unit = book.expected.unit
        chance = book.expected.units(counted)
        change = done.k[player] * (unit * score - chance) / unit
        change *= book.change.weight(before[opponent])
        figures = zip(*(a.tolist() for a in (counted, chance / unit, change)), strict=True)
    return [
        RatedGame(
            round=round_,
            player=own,
            opponent=other,
            rating=float(ratings[player[i]]),
            score=points,
            difference=float(ratings[player[i]] - ratings[opponent[i]]),
            counted=counted_,
            expected=expected,
            change=change_,
        )
        for i, ((_, round_, own, other, points), (counted_, expected, change_)) in enumerate(
            zip(sides, figures, strict=False)
        )
    ]


def _new_players(
    tournament: Tournament,
    ratings: FloatArray,
    done: Period,
    index: Mapping[int, int],
    book: Rulebook,
    earlier: Sequence[EarlierGame],
) -> list[NewPlayer]:
    """First ratings of unrated players, in the order of the event."""
    opponents: dict[int, list[tuple[float, float]]] = {
        player.number: [] for player in tournament.players if player.rating is None
    }
    for game in tournament.games:
        for own, other, score in game.sides:
            rating = float(ratings[index[other]])
            if own in opponents and not np.isnan(rating):
                opponents[own].append((rating, score))
    for one in earlier:
        opponents[one.player].append((one.rating, one.score))
    return [
        _new_player(tournament.players[index[n]], games, done, index[n], book)
        for n, games in opponents.items()
    ]


def _new_player(
    player: Player, games: list[tuple[float, float]], done: Period, i: int, book: Rulebook
) -> NewPlayer:
    opponents = tuple(rating for rating, _ in games)
    score = sum(points for _, points in games)
    steps = first_rating_steps(opponents, score, book)
    computed, first = float(done.first[i]), float(done.new[i])
    rule = book.first
    why: Why = "good"
    # the first condition that is missed is the reason: the later ones need the earlier
    if not games:
        why = "none"
    elif len(games) < rule.games:
        why = "few"
    elif score == 0 and not rule.zero_counts:
        why = "zero"
    elif not np.isfinite(computed):
        why = "endless"
    elif rule.floor is not None and computed < rule.floor:
        why = "low"
    return NewPlayer(
        player=player,
        opponents=opponents,
        score=float(score),
        average=float(steps.average) if games else None,
        percent=float(steps.percent) if games else None,
        computed=computed if np.isfinite(computed) else None,
        rating=None if np.isnan(first) else first,
        why=why,
        reason=of_first(why, len(games), computed, book, spoken()),
    )


def first_reason(player: NewPlayer, book: Rulebook, language: str = ENGLISH) -> str:
    """Why an unrated player has a first rating, or none, in a language."""
    computed = _number(player.computed)
    return of_first(player.why, len(player.opponents), computed, book, language)


# -- why: K factors and first ratings ------------------------------------------------------------

_FOR_ALL: Final = Words("as given for all players")
_GIVEN: Final = Words("given for the player")
_LISTED: Final = Words("from the rating list")
_LOWERED: Final = Words("; {k:g} lowered for {games:g} games")


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


_NONE: Final = Words("no game against a rated opponent")
_ZERO: Final = Words("an event without a point is disregarded")
_LOW: Final = Words("{computed:g} is below the lowest published rating, {floor}")
_ONE: Final = Words("1 game")
_MANY: Final = Words("{games} games")
_ONE_RATED: Final = Words("1 game against rated opponents")
_MANY_RATED: Final = Words("{games} games against rated opponents")
_NEEDED: Final = Words(", {games} are needed")


def of_first(why: Why, games: int, computed: float, book: Rulebook, language: str = ENGLISH) -> str:
    """Why there is a first rating, or none; ``computed`` is what the arithmetic gives."""
    rule = book.first
    if why == "endless":
        return rule.endless.say(language)
    if why in ("none", "zero"):
        return (_NONE if why == "none" else _ZERO).say(language)
    if why == "low":
        return _LOW.say(language, computed=computed, floor=rule.floor)
    one, many = (_ONE, _MANY) if book.counts.with_newcomers else (_ONE_RATED, _MANY_RATED)
    text = (one if games == 1 else many).say(language, games=games)
    return text + _NEEDED.say(language, games=rule.games) if why == "few" else text


# -- what K factors take for granted --------------------------------------------------------------

NEAR: Final = 50
"""Somebody whose highest rating is unknown is named within so many points of a limit."""

_MOST_NAMED: Final = 20
"""players whom a sentence names"""
_JUNIOR: Final = 10.0
"""an age at which every rule for juniors applies"""


def assumed(
    players: Sequence[Player], known: Players, played: npt.NDArray[np.bool_], book: Rulebook
) -> Iterator[str]:
    """Say of whom a highest rating, a number of games or a birth year might change the K.

    ``known`` holds what is known of the players, ``played`` who has rated games. Of players with a
    K of their own nothing is assumed.
    """
    none = np.full(known.rating.shape, np.nan)
    ruled = played & ~np.isnan(known.rating) & np.isnan(known.k)
    taken = book.k(known, none)

    def otherwise(name: str, value: FloatArray | float) -> FloatArray:
        """K factors if an unknown fact were this; NaN for all to whom that makes no difference."""
        facts = getattr(known, name)
        unknown = ruled & np.isnan(facts)
        k = book.k(replace(known, **{name: np.where(unknown, value, facts)}), none)
        return np.where(unknown & (k != taken), k, np.nan)

    reached = [(points, otherwise("peak", known.rating + points)) for points in range(1, NEAR + 1)]
    for i in np.flatnonzero(~np.isnan(reached[-1][1])).tolist():
        points, k = next((points, k[i]) for points, k in reached if not np.isnan(k[i]))
        yield (
            f"K {taken[i]:g} for {players[i].name}, {known.rating[i]:g}: anyone who has reached "
            f"{known.rating[i] + points:g} has K {k:g}, and the highest rating is unknown"
        )
    for name, value, said in (
        (
            *("games", 0.0),
            "the number of games is unknown of {who}: as a newcomer they would have K {k:g}",
        ),
        ("age", _JUNIOR, "the birth year is unknown of {who}: as a junior they would have K {k:g}"),
    ):
        other = otherwise(name, value)
        # not np.unique, which loads numpy.ma
        for k in sorted({k for k in other.tolist() if k == k}):
            names = [players[i].name for i in np.flatnonzero(other == k).tolist()]
            who = "; ".join(names[:_MOST_NAMED])
            if (more := len(names) - _MOST_NAMED) > 0:
                who += f" and {more} more"
            yield said.format(who=who, k=k)
