"""The sheet *Games*: every rated game as each of its players sees it, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from openpyxl.formatting.rule import Rule
from openpyxl.styles import Border, Side
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.worksheet.datavalidation import DataValidation

from elo_xl.templates.parts import (
    HUNDREDTHS,
    INK,
    LINE,
    NONE,
    SIGNED_HUNDREDTHS,
    TENTHS,
    WHOLE,
    Column,
    Formula,
    Sheet,
    Table,
)
from elo_xl.templates.sheets.ratings import change_format, rating_format
from elo_xl.templates.sheets.rules import FULL_FROM, LARGEST
from elo_xl.templates.tables import expected_formula

if TYPE_CHECKING:
    from elo_xl.engine.rulebooks import Rulebook
    from elo_xl.tournament.rate import RatedEvent

MORE_DECIMALS = "0.0000"
SIGNED_MORE = "+0.0000;-0.0000;0.0000"


def games_table(sheet: Sheet, event: RatedEvent, header: int) -> Table:
    """The columns of the sheet, without rows."""
    ratings = rating_format(event)
    exact = event.rules.exact
    columns = (
        Column("no", "No.", WHOLE),
        Column("name", "Player", align="left", role="strong"),
        Column("round", "Round", WHOLE, "center"),
        Column("opponent", "No.", WHOLE),
        Column("opponent_name", "Opponent", align="left"),
        Column("rating", "Rating", ratings),
        Column("opponent_rating", "Opponent's rating", ratings),
        Column("difference", "Difference", ratings),
        Column("counted", "Difference counted", ratings),
        Column("expected", "Expected score", HUNDREDTHS if exact else MORE_DECIMALS),
        Column("score", "Score", TENTHS, role="input"),
        Column("surplus", "Score − expected", SIGNED_HUNDREDTHS if exact else SIGNED_MORE),
        Column("k", "K"),
        Column("change", "Rating change", change_format(event), role="strong"),
    )
    return Table(sheet, columns, header, len(event.games))


def fill_games(table: Table, ratings: Table, event: RatedEvent) -> None:
    """Two rows a game; a score is typed in the upper one and the lower one follows."""
    by_number = {p.player.number: p for p in event.players}
    blocks = _blocks([game.player for game in event.games])
    typed: dict[tuple[int, int, int], list[int]] = {}
    for i, game in enumerate(event.games):
        at = {key: table.cell(key, i) for key in table.columns}
        me, other = by_number[game.player], by_number[game.opponent]
        score: Formula | float = game.score
        other_side = typed.get((game.round, game.opponent, game.player))
        if not other_side:
            typed.setdefault((game.round, game.player, game.opponent), []).append(i)
        else:
            above = f"${table.column('score')}${table.first + other_side.pop(0)}"
            score = Formula(f'=IF(ISNUMBER({above}),1-{above},"{NONE}")', game.score)
        surplus = game.score - game.expected
        gain = f"{at['score']}-{at['expected']}"
        if event.rules.exact:
            surplus, gain = round(surplus, 2), f"ROUND({gain},2)"
        played = f"=IF(ISNUMBER({at['score']}),"
        table.write(
            i,
            {
                "no": game.player,
                "name": Formula(f"={ratings.lookup('name', 'no', at['no'])}", me.player.name),
                "round": game.round,
                "opponent": game.opponent,
                "opponent_name": Formula(
                    f"={ratings.lookup('name', 'no', at['opponent'])}", other.player.name
                ),
                "rating": Formula(f"={ratings.lookup('rating', 'no', at['no'])}", game.rating),
                "opponent_rating": Formula(
                    f"={ratings.lookup('rating', 'no', at['opponent'])}", game.opponent_rating
                ),
                "difference": Formula(f"={at['rating']}-{at['opponent_rating']}", game.difference),
                "counted": Formula(f"={_counted(event.rules, table, i, *blocks[i])}", game.counted),
                "expected": Formula(
                    f"={expected_formula(event.rules.model, at['counted'])}", game.expected
                ),
                "score": score,
                "surplus": Formula(f'{played}{gain},"{NONE}")', surplus),
                "k": Formula(f"={ratings.lookup('k', 'no', at['no'])}", me.k),
                "change": Formula(f'{played}{at["k"]}*{at["surplus"]},"{NONE}")', game.change),
            },
        )
    if event.games:
        add_score_rule(table)
        add_player_lines(table)


def _blocks(players: list[int]) -> list[tuple[int, int]]:
    """First and last row of the player whose row it is."""
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for i, player in enumerate(players):
        first.setdefault(player, i)
        last[player] = i
    return [(first[player], last[player]) for player in players]


def _counted(rules: Rulebook, table: Table, row: int, first: int, last: int) -> str:
    """Formula text of the difference that counts, by the rulebook's cap."""
    d = table.cell("difference", row)
    if rules.cap is None:
        return d
    cut = f"MAX(-{LARGEST},MIN({LARGEST},{d}))"
    if rules.uncapped_from is not None:
        return f"IF({table.cell('rating', row)}>={FULL_FROM},{d},{cut})"
    if not rules.one_upgrade:
        return cut
    differences, scores = table.column("difference"), table.column("score")
    top, bottom, here = table.first + first, table.first + last, table.first + row
    largest = (
        f"SUMPRODUCT(MAX(ISNUMBER({scores}${top}:{scores}${bottom})"
        f"*{differences}${top}:{differences}${bottom}))"
    )
    # of several games with the largest difference the first one is cut
    before = (
        f'COUNTIFS({differences}${top}:{differences}{here},{d},{scores}${top}:{scores}{here},">=0")'
    )
    return f"IF(OR({d}<=0,AND({d}={largest},{before}=1)),{cut},{d})"


def add_score_rule(table: Table) -> None:
    """Let the score column take 1, 0.5, 0 and nothing else."""
    score = table.cell("score", 0)
    rule = DataValidation(
        type="custom", formula1=f"OR({score}=0,{score}=0.5,{score}=1)", allow_blank=True
    )
    rule.errorTitle, rule.error = "Not a score", "1, 0.5 or 0; empty leaves the game out."
    rule.add(f"{score}:{table.column('score')}{table.last}")
    table.sheet.worksheet.add_data_validation(rule)


def add_player_lines(table: Table) -> None:
    """Draw a darker line where the next player begins."""
    # the lower line again: LibreOffice takes all borders of a row from its condition
    lines = Border(top=Side("thin", INK), bottom=Side("thin", LINE))
    number = f"${table.column('no')}{table.first}"
    above = f"${table.column('no')}{table.header}"
    last = list(table.columns)[-1]
    table.sheet.worksheet.conditional_formatting.add(
        f"{table.cell('no', 0)}:{table.column(last)}{table.last}",
        Rule("expression", dxf=DifferentialStyle(border=lines), formula=[f"{number}<>{above}"]),
    )
