"""The sheet *Rules*: what the edition says, what formulas read of it, what is uncertain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from openpyxl.utils import get_column_letter

from elo_xl.templates.parts import Sheet, Value
from elo_xl.templates.text import wrapped_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from elo_xl.engine.rulebooks import FirstRating, KRule, Rulebook
    from elo_xl.tournament.rate import RatedEvent

LARGEST: Final = "Largest_difference"
FULL_FROM: Final = "Full_difference_from"
FIRST_GAMES: Final = "First_rating_games"
FIRST_FLOOR: Final = "First_rating_lowest"
FIRST_MOST: Final = "First_rating_highest"
FIRST_DRAWS: Final = "First_rating_draws"
FIRST_AGAINST: Final = "First_rating_draws_against"
FIRST_HALF_POINT: Final = "First_rating_half_point"

FEW_WARNINGS: Final = 8
"""So many still fit on one page with the rules."""

WIDTHS: Final = (27.0, 106.0)

_MODELS: Final = {
    "fide": "Table 8.1.2 (sheet Tables) at the difference, rounded to whole points.",
    "normal": "Φ(difference / (200√2)): Elo's normal model.",
    "logistic": "1 / (1 + 10^(−difference/400)): the logistic model.",
    "rescaled": "1 / (1 + e^(−difference/(100√π))): the logistic curve with Elo's slope at 0.",
}
_PERFORMANCE: Final = {
    "fide": "Average of the opponents' ratings, rounded, plus table 8.1.1 (sheet Tables) at the "
    "percentage scored, rounded half up.",
    "linear": "Average of the opponents' ratings + 400 × (wins − losses) / games.",
    "normal": "The rating whose expected score in these games is the score, found by iteration. No "
    "built-in function gives it: after a change of the games the cell says so.",
}
_PERFORMANCE_OF: Final = {"logistic": "normal"}


def fill_rules(sheet: Sheet, event: RatedEvent) -> None:
    """All sections of the sheet, one below the other."""
    rules = event.rules
    ws = sheet.worksheet
    for i, width in enumerate(WIDTHS, start=1):
        ws.column_dimensions[get_column_letter(i)].width = width
    row = sheet.lines(1, ["Rules"], "title") + 1
    edition: list[tuple[str, Value]] = [
        ("Edition", rules.title),
        ("Chosen because", event.rules_reason),
        ("Source", rules.source),
    ]
    if rules.since is not None:
        edition.insert(1, ("In force from", rules.since.isoformat()))
    row = _section(sheet, row, "Edition", edition)
    row = _section(sheet, row, "What it says", rule_lines(rules))
    row = _settings(sheet, row, rules)
    doubts = rules.uncertain or "Nothing that is known."
    row = _section(sheet, row, "What is not certain", [("Open", doubts)])
    _section(sheet, row, "This event", _event_lines(event))
    few = len(event.warnings) <= FEW_WARNINGS
    sheet.page(footer=event.tournament.name, down=1 if few else 0)


def rule_lines(rules: Rulebook) -> list[tuple[str, str]]:
    """What a rulebook says, a line a subject.

    >>> from elo_xl.engine.rulebooks import rulebook
    >>> dict(rule_lines(rulebook("fide-2024-03")))["Difference"]
    "Own rating minus the opponent's. More than 400 points count as 400."
    """
    performance = _PERFORMANCE_OF.get(rules.performance, rules.performance)
    return [
        ("Rated games", _rated(rules)),
        ("Difference", _difference(rules)),
        ("Expected score", _MODELS[rules.model]),
        ("Rating change", _change(rules)),
        ("K", _k(rules.k)),
        ("First ratings", _first(rules.first)),
        ("Performance", _PERFORMANCE[performance]),
    ]


def settings(rules: Rulebook) -> Iterator[tuple[str, str, float]]:
    """The numbers that formulas read: name, meaning, value."""
    if rules.cap is not None:
        yield LARGEST, "largest difference that counts", rules.cap
    if rules.uncapped_from is not None:
        yield FULL_FROM, "own rating from which the full difference counts", rules.uncapped_from
    first = rules.first
    yield FIRST_GAMES, "games that a first rating needs", first.games
    yield FIRST_FLOOR, "lowest first rating", first.floor
    if first.most is not None:
        yield FIRST_MOST, "highest first rating", first.most
    if first.method == "hypothetical draws":
        yield FIRST_DRAWS, "hypothetical draws added for a first rating", first.draws
        yield FIRST_AGAINST, "rating of the hypothetical opponents", first.draws_against
    if first.method == "half points":
        yield FIRST_HALF_POINT, "points for each half point over 50 %", first.per_half_point


def _rated(rules: Rulebook) -> str:
    text = (
        "Games that were played between two rated players. Forfeits, byes and games of less than "
        "one move count for nobody; games against an unrated player only for his first rating."
    )
    if rules.unrated_gap is not None:
        text += (
            f" A game with a difference of {rules.unrated_gap} or more is not rated if one of the "
            f"players is above {rules.unrated_above}."
        )
    return text


def _difference(rules: Rulebook) -> str:
    text = "Own rating minus the opponent's."
    if rules.cap is None:
        return f"{text} It always counts in full."
    if rules.one_upgrade:
        return (
            f"{text} For the lower rated player more than {rules.cap} points count as {rules.cap} "
            "in every game; for the higher rated player only in the game with the largest "
            "difference of the event, the others count in full."
        )
    text += f" More than {rules.cap} points count as {rules.cap}."
    if rules.uncapped_from is not None:
        text += f" For players of {rules.uncapped_from} and above the full difference counts."
    return text


def _change(rules: Rulebook) -> str:
    text = "K × (score − expected score), added up over the games."
    if not rules.rounded:
        return f"{text} Nothing is rounded."
    return (
        f"{text} Rounded to a whole number, 0.5 away from zero, once for all events of a rating "
        "period: with further events in the period add up the unrounded changes first."
    )


def _k(rule: KRule) -> str:
    young = (
        f"{rule.new} at age {rule.young_age} or under (by calendar years), if never "
        f"{rule.young_below} or above; "
        if rule.young_age is not None
        else ""
    )
    text = (
        f"The first that applies: {rule.master} with {rule.master_from} or above ever reached; "
        f"{young}{rule.new} with fewer than {rule.new_games} games; {rule.standard}."
    )
    if rule.most_points is None:
        return text
    return f"{text} Lowered where K times the games of a period would exceed {rule.most_points}."


def _first(rule: FirstRating) -> str:
    if rule.method == "root":
        return "The rating whose expected score in the games against rated players is the score."
    if rule.method == "half points":
        text = (
            f"Average of the opponents' ratings plus {rule.per_half_point:g} for each half point "
            "over 50 %, or below 50 % plus table 8.1.1 at the percentage."
        )
    else:
        text = (
            f"Average of the opponents' ratings and of {rule.draws} hypothetical opponents of "
            f"{rule.draws_against}, each a draw, plus table 8.1.1 at the percentage"
        )
        text += f"; at most {rule.most}." if rule.most is not None else "."
    text += (
        f" It takes {rule.games} games against rated players and is not published below "
        f"{rule.floor}."
    )
    return text if rule.zero_counts else f"{text} An event without a point is disregarded."


def _event_lines(event: RatedEvent) -> list[tuple[str, Value]]:
    tournament = event.tournament
    lines: list[tuple[str, Value]] = [
        ("Rated games", f"{len(event.games) // 2} of {len(tournament.games)} games played."),
    ]
    if event.unrated_games:
        why = (
            f"{event.unrated_games} of the games played count for no rated player: an opponent has "
            "no rating, or the rules exclude them. That is settled when this file is written; "
            "correct the tournament file if a rating was missing there."
        )
        lines.append(("Not rated", why))
    lines += [("Note", str(warning)) for warning in event.warnings]
    return lines


def _section(sheet: Sheet, row: int, title: str, lines: Sequence[tuple[str, Value]]) -> int:
    _heading(sheet, row, title)
    for label, text in lines:
        row += 1
        sheet.write(row, 1, label, "label", align="left", measure=False)
        sheet.write(row, 2, text, "paragraph", align="left", measure=False)
        sheet.height(row, wrapped_lines(str(text), 1.05 * WIDTHS[1]))
    return row + 2


def _settings(sheet: Sheet, row: int, rules: Rulebook) -> int:
    _heading(sheet, row, "Numbers that formulas read")
    for name, meaning, value in settings(rules):
        row += 1
        sheet.write(row, 1, name, "label", align="left", measure=False)
        sheet.write(row, 2, value, "paragraph", f'General"   {meaning}"', "left", measure=False)
        sheet.book.define(name, sheet.reference(f"$B${row}"))
    return row + 2


def _heading(sheet: Sheet, row: int, title: str) -> None:
    sheet.write(row, 1, title, "section", measure=False)
    sheet.write(row, 2, None, "section")
    sheet.height(row, 1.2)
