"""The sheet *Unrated*: first ratings, with every step and the games they come from."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from elo_xl.engine.models import fide_difference
from elo_xl.engine.rounding import round_half_away
from elo_xl.templates.parts import (
    HUNDREDTHS,
    NONE,
    SIGNED_WHOLE,
    TENTHS,
    WHOLE,
    Column,
    Formula,
    Sheet,
    Table,
    Value,
)
from elo_xl.templates.sheets.games import add_player_lines, add_score_rule
from elo_xl.templates.sheets.ratings import constant, of_player, rating_format
from elo_xl.templates.sheets.rules import (
    FIRST_AGAINST,
    FIRST_DRAWS,
    FIRST_FLOOR,
    FIRST_GAMES,
    FIRST_HALF_POINT,
    FIRST_MOST,
)
from elo_xl.templates.tables import dp_formula

if TYPE_CHECKING:
    from elo_xl.engine.rulebooks import FirstRating
    from elo_xl.tournament.event import Game
    from elo_xl.tournament.rate import NewPlayer, RatedEvent

DRAWS: Final = "hypothetical draws"
HALF_POINTS: Final = "half points"


def new_table(sheet: Sheet, event: RatedEvent, header: int) -> Table:
    """A row for every unrated player, without rows yet."""
    rule, ratings = event.rules.first, rating_format(event)
    columns = [
        Column("no", "No.", WHOLE),
        Column("name", "Name", align="left", role="strong"),
        Column("federation", "Fed.", align="center"),
        Column("games", "Games", WHOLE),
        Column("score", "Score", TENTHS),
        Column("sum", "Sum of opponents", ratings),
    ]
    if rule.method == DRAWS:
        heading = f"Plus {rule.draws} draws against {rule.draws_against}"
        columns.append(Column("added", heading, WHOLE))
    columns.append(Column("average", "Average Ra", TENTHS))
    columns.append(Column("percent", "Score in %", HUNDREDTHS))
    if rule.method == HALF_POINTS:
        columns.append(Column("over", "Half points over 50 %", SIGNED_WHOLE))
    if rule.method in (DRAWS, HALF_POINTS):
        columns.append(Column("dp", "dp by table 8.1.1", SIGNED_WHOLE))
    whole = WHOLE if rule.method in (DRAWS, HALF_POINTS) else TENTHS
    columns.append(Column("computed", "Computed", whole))
    if rule.most is not None:
        columns.append(Column("limited", f"At most {rule.most}", whole))
    columns.append(Column("first", "First rating", whole, role="strong"))
    columns.append(Column("reason", "Why", align="left", role="quiet"))
    return Table(sheet, columns, header, len(event.new_players))


def new_games_table(sheet: Sheet, event: RatedEvent, header: int) -> Table:
    """A row for every game of theirs against a rated player, below the players' own."""
    columns = (
        Column("no", "No.", WHOLE),
        Column("name", "Player", align="left", role="strong"),
        Column("round", "Round", WHOLE, "center"),
        Column("opponent", "No.", WHOLE),
        Column("score", "Score", TENTHS, role="input"),
        Column("opponent_rating", "Opponent's rating", rating_format(event)),
        # the last column of its rows: a name runs on over the blank cells beside it
        Column("opponent_name", "Opponent", align="left", width=10),
        Column("beside", "", width=0),
        Column("further", "", width=0),
    )
    return Table(sheet, columns, header, len(list(new_games(event))))


def new_games(event: RatedEvent) -> Iterator[tuple[NewPlayer, Game, int, float]]:
    """Every game of an unrated player against a rated one, with the opponent and the score."""
    rated = {p.player.number for p in event.players}
    for new in event.new_players:
        number = new.player.number
        for game in event.tournament.games:
            if game.first == number and game.second in rated:
                yield new, game, game.second, game.score
            elif game.second == number and game.first in rated:
                yield new, game, game.first, 1 - game.score


def fill_new(new: Table, games: Table, ratings: Table, event: RatedEvent) -> None:
    """The first ratings and the games they come from."""
    for i, player in enumerate(event.new_players):
        new.write(i, dict(_row(new, games, i, player, event)))
    by_number = {p.player.number: p.player for p in event.players}
    for i, (player, game, opponent, score) in enumerate(new_games(event)):
        number = games.cell("opponent", i)
        other = by_number[opponent]
        name = ratings.lookup("name", "no", number)
        rating = ratings.lookup("rating", "no", number)
        games.write(
            i,
            {
                "no": player.player.number,
                "name": Formula(
                    f"={new.lookup('name', 'no', games.cell('no', i))}", player.player.name
                ),
                "round": game.round,
                "opponent": opponent,
                "score": score,
                "opponent_rating": Formula(f"={rating}", float(other.rating or 0)),
                "opponent_name": Formula(f"={name}", other.name),
            },
        )
    add_score_rule(games)
    add_player_lines(games)


def _row(
    table: Table, games: Table, i: int, new: NewPlayer, event: RatedEvent
) -> Iterator[tuple[str, Value]]:
    rule = event.rules.first
    count, total = len(new.opponents), math.fsum(new.opponents)
    at = {key: table.cell(key, i) for key in table.columns}
    mine = of_player(games, at["no"])
    yield "no", new.player.number
    yield "name", new.player.name
    yield "federation", new.player.federation
    yield "games", Formula(f"=COUNTIFS({mine})", count)
    yield "score", Formula(f"=SUMIFS({games.range('score')},{mine})", new.score)
    yield "sum", Formula(f"=SUMIFS({games.range('opponent_rating')},{mine})", total)

    def step(text: str, value: float | None) -> Formula:
        shown = NONE if value is None else value
        return Formula(f'=IF({at["games"]}=0,"{NONE}",{text})', shown)

    if rule.method == DRAWS:
        added = rule.draws * rule.draws_against
        yield "added", Formula(f"={FIRST_DRAWS}*{FIRST_AGAINST}", added)
        n = f"({at['games']}+{FIRST_DRAWS})"
        yield "average", step(f"({at['sum']}+{at['added']})/{n}", new.average)
        yield "percent", step(f"100*({at['score']}+{FIRST_DRAWS}/2)/{n}", new.percent)
    else:
        yield "average", step(f"{at['sum']}/{at['games']}", new.average)
        yield "percent", step(f"100*{at['score']}/{at['games']}", new.percent)
    if rule.method == HALF_POINTS:
        yield "over", Formula(f"=2*{at['score']}-{at['games']}", 2 * new.score - count)
    if rule.method in (DRAWS, HALF_POINTS):
        dp = None if new.percent is None else float(fide_difference(new.percent))
        yield "dp", step(dp_formula(at["percent"]), dp)
    computed = _computed(new, rule)
    if rule.method == DRAWS:
        yield "computed", step(f"ROUND({at['average']}+{at['dp']},0)", computed)
    elif rule.method == HALF_POINTS:
        gain = f"IF({at['over']}>0,{FIRST_HALF_POINT}*{at['over']},{at['dp']})"
        yield "computed", step(f"ROUND({at['average']}+{gain},0)", computed)
    else:
        value = NONE if computed is None else computed
        yield (
            "computed",
            constant(value, {at["games"]: count, at["score"]: new.score, at["sum"]: total}),
        )
    last = "computed"
    if rule.most is not None:
        last = "limited"
        yield last, step(f"MIN({at['computed']},{FIRST_MOST})", new.computed)
    allowed = [
        f"ISNUMBER({at[last]})",
        f"{at['games']}>={FIRST_GAMES}",
        f"{at[last]}>={FIRST_FLOOR}",
    ]
    if not rule.zero_counts:
        allowed.append(f"{at['score']}>0")
    first = NONE if new.rating is None else new.rating
    yield "first", Formula(f'=IF(AND({",".join(allowed)}),{at[last]},"{NONE}")', first)
    yield "reason", Formula(f"={_reason(rule, at, last)}", new.reason)


def _computed(new: NewPlayer, rule: FirstRating) -> float | None:
    """What the arithmetic gives before the limit."""
    if rule.most is None or new.average is None or new.percent is None:
        return new.computed
    return float(round_half_away(new.average + fide_difference(new.percent)))


def _reason(rule: FirstRating, at: dict[str, str], last: str) -> str:
    """Formula text of the reason, in the words of :func:`elo_xl.tournament.rate.rate`."""
    games = f'IF({at["games"]}=1,"1 game",{at["games"]}&" games")&" against rated opponents"'
    below = f'{at[last]}&" is below the lowest published rating, "&{FIRST_FLOOR}'
    infinite = '"every game won or lost: no finite rating gives that score"'
    text = f"IF(NOT(ISNUMBER({at[last]})),{infinite},IF({at[last]}<{FIRST_FLOOR},{below},{games}))"
    if not rule.zero_counts:
        text = f'IF({at["score"]}=0,"an event without a point is disregarded",{text})'
    few = f'{games}&", "&{FIRST_GAMES}&" are needed"'
    text = f"IF({at['games']}<{FIRST_GAMES},{few},{text})"
    return f'IF({at["games"]}=0,"no game against a rated opponent",{text})'
