"""The sheet *Norms*: who has made a norm for a title or is near to one, and how each thing stands.

Which games count best is no arithmetic of cells: the sheet holds values, as of a round. A page has
the same, for each norm what it takes and every game, as a certificate has them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from elo_xl.books.book import Book, Row
from elo_xl.books.texts import texts
from elo_xl.events.event import EventError, Tournament
from elo_xl.functions.cells import to_text
from elo_xl.languages import ENGLISH, LANGUAGES
from elo_xl.publish.page import Page, PageColumn, PageTable, headed, table
from elo_xl.questions.norms.event import PlayerNorm, all_norms, event_of
from elo_xl.questions.norms.numbers import LEVELS, UNRATED, Chance, NormEvent, Requirement

_NORMS: Final = """
sheet norms titles:none stretch:short tab:result
    note "{as_of}"
    note about_norms
    note about_norms_values
    note about_norms_arbiter
    table Norms
        name        left strong
        norm        center strong
        federation  center
        short       left text:standing
        score       0.0
        games       0 text:games_played
        average     0 text:opponents
        performance 0
        least       left quiet text:suffices
        state       0 quiet helper heading:none
    marks
        name:norm       leader      state = 1
    table NormRules gap:2
        name        left
        norm        center
        article     center
        what        left
        has         right
        least       right
        most        right
        by          right
        met         left text:kept
        state       0 quiet helper heading:none
    marks
        has:met         attention   state = 0
        has:met         quiet       state = 2
    table NormGames gap:2
        name        left
        norm        center
        round       0 center
        opponent    left
        federation  center
        title       center
        rating      0
        score       0.0
        counts      left
        state       0 quiet helper heading:none
    marks
        round:counts    quiet       state = 0
"""


def norms_sheet(book: Book, lines: NormLines) -> None:
    """Write the sheet, unless no player is near a norm."""
    if lines.norms:
        book.read(
            _NORMS,
            "norms",
            Norms=lines.norms,
            NormRules=list(chain(*lines.rules)),
            NormGames=list(chain(*lines.games)),
            as_of=lines.as_of,
        )


@dataclass(frozen=True, slots=True)
class NormLines:
    """What there is to say of norms, as the rows of tables."""

    as_of: str = ""
    norms: list[Row] = field(default_factory=list)
    """a row for each norm"""
    rules: list[list[Row]] = field(default_factory=list)
    """of each norm, a row for each thing that it takes"""
    games: list[list[Row]] = field(default_factory=list)
    """of each norm, a row for each round of the player"""


def event_norms(tournament: Tournament, language: str = ENGLISH) -> NormLines:
    """The norms of an event, and who is near to one; nothing where an event has none."""
    event = event_of(tournament)
    try:
        player_norms = all_norms(tournament, event)
    except EventError:
        return NormLines()
    return norm_lines(tournament, event, player_norms, language)


def norm_lines(
    tournament: Tournament, event: NormEvent, player_norms: Sequence[PlayerNorm], language: str
) -> NormLines:
    """What there is to say of these norms."""
    words = Words(language)
    played = event.rounds - event.left
    lines = NormLines(words.say("norms_as_of", played=played, rounds=event.rounds))
    names = {str(p.number): p.name for p in tournament.players}
    for one in player_norms:
        norm = one.norm
        who: Row = {"name": one.player.name, "norm": norm.title}
        lines.norms.append(
            {
                **who,
                "federation": one.player.federation,
                "id": one.player.id,
                "missing": words.standing(one),
                "short": words.short(one),
                "score": norm.score,
                "games": len(norm.games),
                "average": norm.average,
                "performance": norm.performance,
                "suffices": words.suffices(one),
                "least": words.least(one),
                "state": int(norm.met),
            }
        )
        lines.rules.append(
            [
                {
                    **who,
                    "article": r.article,
                    "what": words.what(r, norm.title),
                    "has": r.has,
                    "most" if r.most else "least": r.needs,
                    "by": None if r.kept else abs(round(r.has - r.needs, 1)),
                    "met": words.met(r),
                    "state": 1 if r.kept else 2 if r.met else 0,
                }
                for r in norm.requirements
            ]
        )
        lines.rules[-1] += [{**who, **way, "state": 1} for way in words.further(one)]
        lines.games.append([{**who, **row} for row in _games(one, names, words)])
    return lines


def _games(one: PlayerNorm, names: dict[str, str], words: Words) -> list[Row]:
    """All rounds of a player, in their order."""
    norm = one.norm
    last = max((game.round for game in norm.games), default=0)
    rows: dict[int, Row] = {}
    for game in (*norm.games, *norm.left_out):
        out = game in norm.left_out
        key = ("won" if game.round < last else "after") if out else "lost" if game.forfeit else ""
        rows[game.round] = {
            "round": game.round,
            "opponent": names[game.opponent],
            "federation": game.federation,
            "title": game.title,
            "rating": game.rating,
            "score": game.score,
            "counts": words.say(f"counts_{key or 'yes'}"),
            "state": int(not out),
        }
    for other in one.uncounted:
        why = words.say(f"counts_{other.why.replace('.', '')}")
        opponent = names.get(str(other.opponent), "")
        rows.setdefault(
            other.round, {"round": other.round, "opponent": opponent, "counts": why, "state": 0}
        )
    return [rows[r] for r in sorted(rows)]


class Words:
    """What is said of norms in a language."""

    def __init__(self, language: str = ENGLISH) -> None:
        self.language = language
        self._texts = texts(language)

    def say(self, key: str, **places: object) -> str:
        return self._texts.of("rated-event", key, **places)

    def number(self, value: float) -> str:
        return LANGUAGES[self.language].number(to_text(round(value, 1)))

    def what(self, requirement: Requirement, title: str) -> str:
        """What a requirement is about."""
        return self.say(f"norm_{requirement.key}", titles=self._titles(title))

    def told(self, requirement: Requirement, title: str) -> str:
        """How a requirement stands, with its article.

        >>> Words().told(Requirement("performance", "1.4.8", 2591, 2600), "GM")
        'performance: 2591, at least 2600 (1.4.8)'
        """
        limit = self.say(
            "norm_at_most" if requirement.most else "norm_at_least",
            needs=self.number(requirement.needs),
        )
        what, has = self.what(requirement, title), self.number(requirement.has)
        return f"{what}: {has}, {limit} ({requirement.article})"

    def met(self, requirement: Requirement) -> str:
        """Whether a requirement is met, or why it need not be."""
        if requirement.kept:
            return self.say("norm_yes")
        if requirement.exempt:
            return self.say("norm_exempt", article=requirement.exempt)
        return self.say("norm_no")

    def standing(self, one: PlayerNorm) -> str:
        """The norm that was made, or what is missing of it besides the rounds that are left."""
        norm = one.norm
        if not norm.met:
            open = ("games", "rounds") if one.chance else ()
            lacks = [self.told(r, norm.title) for r in norm.missing if r.key not in open]
            return "; ".join(lacks)
        made = self.say("norm_made", games=norm.worth)
        out = [str(game.round) for game in norm.left_out]
        return f"{made} ({self.say('norm_without', rounds=', '.join(out))})" if out else made

    def short(self, one: PlayerNorm) -> str:
        """The same in few words, if several things are missing."""
        open = ("games", "rounds") if one.chance else ()
        lacks = [r for r in one.norm.missing if r.key not in open]
        if len(lacks) < 2:
            return self.standing(one)
        number = self.number
        return "; ".join(
            f"{r.article}: {number(r.has)} {'>' if r.most else '<'} {number(r.needs)}"
            for r in lacks
        )

    def least(self, one: PlayerNorm) -> str:
        """The lowest score that would suffice against opponents like those so far."""
        if one.chance is None or not one.chance.possible:
            return ""
        ways = self._usual(one, one.chance)
        score, average = next(
            (way for way in ways if way[1] <= one.norm.average + USUAL / 6), ways[-1]
        )
        places = {"score": self.number(score), "games": one.chance.games, "average": average}
        return self.say("suffices_least", **places)

    def further(self, one: PlayerNorm) -> Iterator[Row]:
        """What would suffice, as rows of what a norm takes."""
        later = one.chance
        if later is None or not later.possible:
            return
        for score, average in self._usual(one, later):
            what = self.say("norm_way", games=later.games, score=self.number(score))
            yield {"what": what, "least": average}
        for key, count in _among(later):
            what = self.say(f"norm_{key}", titles=self._titles(one.norm.title))
            yield {"what": self.say("norm_among", what=what), "least": count}

    def suffices(self, one: PlayerNorm) -> str:
        """What would suffice in the games that are left; blank where there are none."""
        later, title = one.chance, one.norm.title
        if later is None:
            return ""
        some = [
            self.say(f"suffices_{key}", count=count, titles=self._titles(title))
            for key, count in _among(later)
        ]
        if not later.possible:
            why = f" ({', '.join(some)})" if some and later.most > later.games else ""
            return self.say("suffices_no", games=later.games) + why
        ways = ", ".join(
            self.say("suffices_score", score=self.number(score), average=average)
            if average > UNRATED
            else self.say("suffices_anybody", score=self.number(score))
            for score, average in self._usual(one, later)
        )
        sentence = self.say("suffices_ways", games=later.games, ways=ways)
        return (
            f"{sentence}; {self.say('suffices_among', some=', '.join(some))}" if some else sentence
        )

    def _usual(self, one: PlayerNorm, later: Chance) -> list[tuple[float, int]]:
        """The scores that are worth telling."""
        least, most = one.norm.average - USUAL, one.norm.average + USUAL
        low = [way for way in later.scores if way[1] < least]
        usual = [way for way in later.scores if least <= way[1] <= most]
        return usual + low[:1] or list(later.scores)

    def _titles(self, title: str) -> str:
        known = LEVELS[title].titles
        return self.say("norm_or").join(t for t in LEVELS if t in known)


def _among(later: Chance) -> list[tuple[str, int]]:
    """What some of the opponents to come must be, and how many of them."""
    needed = {key: getattr(later, key) for key in ("titled", "holders", "foreign", "others")}
    if later.apart > later.others:
        needed["apart"] = later.apart
    return [(key, count) for key, count in needed.items() if count]


USUAL: Final = 300
"""How far, on average, the opponents to come may be from those so far; of scores for which weaker
ones will do, only the lowest is told."""


_LIST: Final = (
    PageColumn("name", "name", align="left"),
    PageColumn("norm", "norm", align="center"),
    PageColumn("federation", "federation", align="center"),
    PageColumn("id", "id", align="center"),
    PageColumn("missing", "standing", align="left", wraps=True),
    PageColumn("score", "score", 1),
    PageColumn("games", "games_played"),
    PageColumn("average", "opponents"),
    PageColumn("performance", "performance"),
)
_RULES: Final = (
    PageColumn("article", "article", align="left"),
    PageColumn("what", "what", align="left", wraps=True),
    PageColumn("has", "has", None),
    PageColumn("least", "least", None),
    PageColumn("most", "most", None),
    PageColumn("by", "by", None),
    PageColumn("met", "kept", align="left", wraps=True),
)
_GAMES: Final = (
    PageColumn("round", "round", align="center"),
    PageColumn("opponent", "opponent", align="left"),
    PageColumn("federation", "federation", align="center"),
    PageColumn("title", "title", align="center"),
    PageColumn("rating", "rating"),
    PageColumn("score", "score", 1),
    PageColumn("counts", "counts", align="left", wraps=True),
)


def norms_page(
    tournament: Tournament,
    event: NormEvent,
    player_norms: Sequence[PlayerNorm],
    language: str = "en",
) -> Page:
    """The page of these norms of an event."""
    words = Words(language)
    lines = norm_lines(tournament, event, player_norms, language)

    def made(key: str, title: str, columns: Sequence[PageColumn], rows: Sequence[Row]) -> PageTable:
        shown = headed(columns, lambda heading: words.say(f"column_{heading}"))
        return table(key, title, shown, rows, ("name", "missing"), sortable=False)

    listed = [
        {**row, "missing": ". ".join(str(row[key]) for key in ("missing", "suffices") if row[key])}
        for row in lines.norms
    ]
    tables = [made("norms", words.say("sheet_norms"), _LIST, listed)]
    every = zip(player_norms, lines.rules, lines.games, strict=True)
    for number, (one, rules, games) in enumerate(every, start=1):
        title = f"{one.player.name}, {one.norm.title}"
        made_it = f": {words.say('norm_made', games=one.norm.worth)}" if one.norm.met else ""
        games_title = f"{title}: {words.say('sheet_games')}"
        tables.append(made(f"rules{number}", title + made_it, _RULES, rules))
        tables.append(made(f"games{number}", games_title, _GAMES, games))
    span = LANGUAGES[language].span(tournament.start, tournament.end)
    return Page(
        language,
        f"{tournament.name}: {words.say('sheet_norms')}",
        f"{span}. {lines.as_of}" if span else lines.as_of,
        tables,
        day=tournament.end or tournament.start,
        notes=(words.say("about_norms_arbiter"),),
    )
