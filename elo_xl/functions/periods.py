"""A whole rating period: players and games in, a table out."""

from __future__ import annotations

from typing import Final

import numpy as np

from elo_xl.engine import period
from elo_xl.engine.arrays import FloatArray, IntArray
from elo_xl.engine.rulebooks import rulebook
from elo_xl.functions.arguments import (
    LABELS,
    Entrants,
    NumberArgument,
    Rating,
    TableArgument,
    read_game,
)
from elo_xl.functions.catalogue import Native, function
from elo_xl.functions.cells import (
    BLANK,
    ERRORS,
    NA,
    NUM,
    OK,
    STATUS_TEXTS,
    VALUE,
    Block,
    Cell,
    CellError,
    CellRows,
)
from elo_xl.functions.ratings import FAMILY, RULES

_HEADINGS: Final = (
    "name",
    "rating",
    "K",
    "games",
    "score",
    "expected",
    "change",
    "new rating",
    "performance",
)

_ROW: Final = ", ".join(f'"{heading}"' for heading in _HEADINGS)
_NUMBERS: Final = ", ".join(str(i + 1) for i in range(len(_HEADINGS)))

# Each step is a column with one cell per player, per game, or per game and side.

# Helpers, and the options with their errors.
_OPTIONS: Final = """
word, LAMBDA(x, TRIM(SUBSTITUTE(x, UNICHAR(160), " "))),
part, LAMBDA(table, at, IF(COLUMNS(table) < at, "", INDEX(table, 0, at))),
book, IF(ISOMITTED(rules), "fide", IF(TRIM(rules) = "", "fide", TRIM(rules))),
headed, IF(ISOMITTED(labels), 0, IF(TRIM(labels) = "", 0, number(labels))),
option, IF(ISERROR(book), book, IF(ISERROR(headed), headed,
    IF(ISNUMBER(XMATCH(book, known_rules())), IF(rule(book, "by_player"), 0, #VALUE!),
        #VALUE!)))
"""

# The players: the columns of their table, and the state of each row, 0 or an error.
_PLAYERS: Final = """
name, word(part(players, 1)), known, IFERROR(name, ""), list, SEQUENCE(ROWS(known)),
own, IF(list, rated(part(players, 2)), 0), typed, part(players, 3),
given, number(IF(TRIM(typed) = "auto", "", typed)),
before, number(part(players, 4)), age, number(part(players, 5)), peak, rated(part(players, 6)),
twice, MMULT(--(known = TOROW(known)), --(known <> "")),
state, IF(known = "", name, IF(twice > 1, #VALUE!, IF(ISERROR(own), own,
    IF(given < 0, #NUM!, IF(before < 0, #NUM!, IF(age < 0, #NUM!,
    IF(ISERROR(peak), peak, 0)))))))
"""

# The games as they are typed: which players met, and the error of each game.
_GAMES: Final = """
one, word(part(games, 1)), two, word(part(games, 2)),
result, IF(COLUMNS(games) < 3, "", ELO_SCORE(part(games, 3))),
full, IFERROR(one <> "", TRUE) * IFERROR(two <> "", TRUE),
first, IFNA(XMATCH(IFERROR(one, "#N/A"), known), 0),
second, IFNA(XMATCH(IFERROR(two, "#N/A"), known), 0),
strangers, full * ((first = 0) + (second = 0)),
fault, IF(full, IF(strangers, IF(ISERROR(one), one, IF(ISERROR(two), two, #N/A)),
    IF(first = second, #VALUE!, IF(ISERROR(result), result, 0))), 0),
valid, full * (strangers = 0) * (first <> second) * ISNUMBER(result)
"""

# The games that count, once per side; those of the first players come first.
_COUNTED: Final = """
i, IF(valid, first, 1), j, IF(valid, second, 1),
state_one, LOOKUP(i, list, state), state_two, LOOKUP(j, list, state),
fine, valid * NOT(ISERROR(state_one)) * NOT(ISERROR(state_two)),
score, IF(fine, result, 0),
clean, IF(ISERROR(state), 0, IF(own = "", 0, own)),
me, VSTACK(i, j), won, VSTACK(score, 1 - score),
mine, LOOKUP(me, list, clean), theirs, LOOKUP(VSTACK(j, i), list, clean),
counts, VSTACK(fine, fine) * (theirs <> 0)
    * IF(mine = 0, 1, --counts_under(book, mine, theirs))
"""

# The figures of each player: games, points, K, change, first rating and performance.
_RATINGS: Final = """
number_of, MAP(list, LAMBDA(p, SUM((me = p) * counts))),
total, MAP(list, LAMBDA(p, SUM((me = p) * counts * won))),
rated_k, IF(own = "", "", IF(given = "", ELO_K(own, before, age, peak, , book), given)),
most_points, rule(book, "k.most_points", 1E+99),
k, IF(own = "", "", IF(IFERROR(rated_k * number_of, 0) > most_points,
    INT(most_points / number_of), rated_k)),
met, LAMBDA(p, IF((me = p) * counts, theirs, "")),
got, LAMBDA(p, IF((me = p) * counts, won, "")),
gain, MAP(list, LAMBDA(p, ELO_CHANGE(INDEX(clean, p), 1, met(p), got(p), book))),
change, MAP(list, LAMBDA(p,
    ELO_CHANGE(INDEX(clean, p), INDEX(IFERROR(k, ""), p), met(p), got(p), book))),
start, MAP(list, LAMBDA(p, LET(begun, IF(INDEX(clean, p) = 0,
        ELO_INITIAL(met(p), got(p), book), ""),
    IF(IFERROR(begun >= rule(book, "first.floor", -1E+99), FALSE)
        * ((INDEX(total, p) > 0) + rule(book, "first.zero_counts") > 0)
        * (INDEX(number_of, p) >= rule(book, "first.games")), begun, "")))),
strength, MAP(list, LAMBDA(p,
    ELO_PERFORMANCE(met(p), got(p), rule(book, "performance"))))
"""

# The table, with each error in the rows that it concerns, and errors that concern no row.
_TABLE: Final = f"""
trouble, MAP(list, LAMBDA(p, SUM(IF((first = p) + (second = p), fault, 0),
    IF(valid * (first = p) * ISERROR(state_two), state_two,
        IF(valid * (second = p) * ISERROR(state_one), state_one, 0))))),
status, IF(ISERROR(state), state, IF(state = "", "", trouble)),
nameless, IFERROR(status = "", FALSE),
columns, {{{_NUMBERS}}},
table, IF(ISERROR(status) * (columns > 2), status, IF(nameless, "",
    CHOOSE(columns, name,
        IF(ISERROR(state), state, IF(ISERROR(status) * (own = ""), status, own)),
        k, number_of, total, IF(own = "", "", total - gain), change,
        IF(own = "", start, rounding_under(book, own, change, peak)),
        strength))),
nobody, SUM(IF(strangers = 2, fault, 0))
"""

NATIVE: Final = f"""
LET({_OPTIONS}, {_PLAYERS}, {_GAMES}, {_COUNTED}, {_RATINGS}, {_TABLE},
    IF(ISERROR(option), option, IF(ISERROR(nobody), nobody,
        IF(headed, VSTACK({{{_ROW}}}, table), table))))
"""


@function(
    "ELO_PERIOD",
    "Table of a rating period: games, score, expected score, change and new rating of each player.",
    TableArgument(
        "players",
        "One row per player: name, rating, and optionally K, games before, age, peak rating. "
        'Missing K factors, or "auto", follow the rulebook.',
    ),
    TableArgument(
        "games", "One row per game: first player, second player, result of the first player."
    ),
    RULES,
    LABELS,
    family=FAMILY,
    source="Benítez and Roca, axiom V; FIDE B.02, 8.3",
    examples=[
        (
            (
                [["Ana", 1800, 20], ["Bo", 1860, 20], ["Cy", 1770, 40]],
                [["Ana", "Bo", 1], ["Cy", "Ana", "½"]],
            ),
            [
                ["Ana", 1800, 20, 2, 1.5, 0.96, 10.8, 1811, 2008],
                ["Bo", 1860, 20, 1, 0, 0.58, -11.6, 1848, 1000],
                ["Cy", 1770, 40, 1, 0.5, 0.46, 1.6, 1772, 1800],
            ],
        )
    ],
    columns=_HEADINGS,
    native=Native(
        NATIVE,
        whole=True,
        reason="The result is a whole table: see the rating workbook. In the LAMBDA, a rulebook "
        "that takes only its own K (such as us-chess), or asks how many games the opponents have "
        "played (ecf), gives #VALUE!.",
    ),
)
def rating_period(players: Block, games: Block, rules: str, labels: float) -> CellRows:
    """Each row shows what ELO_K, ELO_CHANGE, ELO_UPDATE and ELO_PERFORMANCE give for a player's
    games, with all ratings as they were before the period. An unrated player gets the rating of
    ELO_INITIAL if the rulebook publishes it, otherwise an empty cell; their games do not count for
    their opponents.

    Rows without a name are ignored, and so are games without two names or without a result. A name
    that occurs twice gives #VALUE! in both rows. A game that cannot be read gives an error in the
    rows of its players: #N/A if the other player is not in the list, #VALUE! if the result is
    unknown or somebody is paired with themselves, #NUM! for a draw under a rulebook that has none.
    A K in the row of a player is #VALUE! under a rulebook that takes only its own.
    """
    field = _Entrants(players, rules)
    first, second, points = field.read_games(games)
    # A player with an unreadable game has no result, but their opponents have.
    rated = field.rating
    done = period.period(
        rated, field.k, first, second, points, rules,
        games=field.games, age=field.age, peak=field.peak,
    )  # fmt: skip
    numbers = [rated, done.k, done.games, done.score, done.expected, done.change, done.new]
    rows: CellRows = [list(_HEADINGS)] if labels else []
    for i, name in enumerate(field.names):
        if field.status[i]:
            text = STATUS_TEXTS[field.status[i]]
            own = text if np.isnan(field.rating[i]) else field.rating[i]
            rows.append([name, own, *[text] * (len(_HEADINGS) - 2)])
            continue
        row: list[Cell] = [name, *[None if np.isnan(x[i]) else x[i] for x in numbers]]
        if np.isnan(rated[i]):
            row[2] = None
        rows.append([*row, done.performance[i] if done.games[i] else None])
    return rows


class _OwnK(NumberArgument):
    """A K factor; "auto" is the rulebook's own, as a blank is."""

    def read(self, cell: object) -> tuple[float, int]:
        if isinstance(cell, str) and cell.strip().lower() == "auto":
            return np.nan, BLANK
        return super().read(cell)


_OWN_K: Final = _OwnK("k", "", low=0)


class _Entrants(Entrants):
    """The players of a period's table."""

    def __init__(self, table: Block, rules: str) -> None:
        counts = (NumberArgument(name, "", low=0) for name in ("games", "age"))
        super().__init__(table, Rating("rating", ""), _OWN_K, *counts, Rating("peak", ""))
        self.rating, self.k, self.games, self.age, self.peak = self.columns
        self.draws = rulebook(rules).change.draws
        if not rulebook(rules).change.takes_k:
            refused = ~np.isnan(self.k)
            self.status[refused] = VALUE
            self.k = np.full(self.k.shape, np.nan)

    def read_games(self, table: Block) -> tuple[IntArray, IntArray, FloatArray]:
        """Indices of both players and the first player's score, for the games that can be read.

        A game that cannot be read becomes an error of its players.
        """
        found: list[tuple[int, int, float]] = []
        wrong: list[tuple[int, int]] = []
        for game in map(read_game, table.lines()):
            if not all(game.names):
                continue
            at = [self.index.get(key, -1) for key in game.keys]
            status = game.status
            if -1 in at:
                status = next((ERRORS[name] for name in game.names if name in ERRORS), NA)
                if at == [-1, -1]:
                    raise CellError(status)
            if status == OK and game.score == 0.5 and not self.draws:
                status = NUM
            if status > BLANK:
                wrong += [(i, status) for i in at if i >= 0]
            elif status == OK:
                found.append((at[0], at[1], game.score))
        # copied before the first is passed on: an error reaches opponents, but not theirs in turn
        error = self.status.copy()
        for one, two, _ in found:
            wrong += [(one, int(error[two])), (two, int(error[one]))]
        for i, status in wrong:
            if self.status[i] == OK:
                self.status[i] = status
        fine = [game for game in found if not (error[game[0]] or error[game[1]])]
        first, second, scores = zip(*fine, strict=True) if fine else ((), (), ())
        return np.array(first, np.int64), np.array(second, np.int64), np.array(scores, float)
