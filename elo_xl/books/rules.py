"""What a rulebook says, as pieces that all books use: each rule is written once.

:func:`clauses` gives the numbers and choices of a rulebook as names, which the pieces below read.
What a clause decides is decided while the book is made: a cell holds only what its rulebook needs.
"""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Final

from elo_xl.books.names import Meaning
from elo_xl.books.statements import Piece, pieces
from elo_xl.engine.rulebooks import Rulebook
from elo_xl.engine.rulebooks.clauses import Clause
from elo_xl.engine.rulebooks.k_table import KTable
from elo_xl.xlsx.formula import Text, to_text


def clauses(rules: Rulebook) -> dict[str, Meaning]:
    """The names ``rules.…`` of a rulebook; what it does not have is an empty text."""
    found: dict[str, object] = {
        "name": rules.name,
        "model": rules.expected.model,
        "curve": "normal" if rules.expected.model == "fide" else rules.expected.model,
        "exact": rules.expected.unit > 1,
        "rounded": rules.rounding.whole,
        "capped": hasattr(rules.difference, "most"),
        "varies": hasattr(rules.difference, "full_from"),
        "one_upgrade": rules.difference.whole_event,
        "all_rated": rules.counts.all_rated,
        "performance": rules.performance,
        "solved": hasattr(rules.first, "model"),
        "usual_k": rules.k.rows[-1].k if isinstance(rules.k, KTable) else "",
        "draws": getattr(rules.first, "draws", 0),
        "half_points": hasattr(rules.first, "per_half_point"),
    }
    for family in ("counts", "difference", "k", "first"):
        clause = getattr(rules, family)
        found |= {f"{family}.{f.name}": getattr(clause, f.name) for f in fields(clause)}
    return {f"rules.{name}": _meaning(value) for name, value in (_EVERYWHERE | found).items()}


#: Names that formulas read under every rulebook, whether or not it has such a number.
_EVERYWHERE: Final = {
    **dict.fromkeys(("difference.most", "difference.full_from", "k.most_points")),
    **dict.fromkeys(("first.most", "first.floor")),
    "first.against": 0,
    "first.per_half_point": 0,
}


def _meaning(value: object) -> Meaning:
    if isinstance(value, (bool, int, float)):
        return value
    return Text(value if isinstance(value, str) else "")


def own_pieces(rules: Rulebook, language: str) -> dict[str, Piece]:
    """The pieces that are the formulas of a rulebook's own clauses."""
    table = "first_dp" if getattr(rules.first, "draws", 0) else "dp"
    first = re.sub(r"table_811\((?:[^()]|\([^()]*\))*\)", table, _formula(rules.first))
    first = first.replace("average", "(rating_sum / played)")
    if not first or hasattr(rules.first, "model"):
        first = '""'  # found by approximation, on a sheet of its own
    return pieces(
        f"""
wide(rating, opponent) = ({_formula(rules.counts)}) = 0
first_rating(rating_sum, played, points, dp, first_dp) = {first}
new_rating(rating, change, first) = IF(rating = "", first, {_formula(rules.rounding)})
{_reasons(rules.k, language) if isinstance(rules.k, KTable) else ""}
""",
        "rulebook",
    )


def _formula(clause: Clause) -> str:
    """The formula of a clause with its numbers, on one line, in the functions of spreadsheets."""
    text = " ".join(clause.native().split())
    text = text.replace("least(", "MIN(").replace("greatest(", "MAX(")
    for f in fields(clause):
        value = getattr(clause, f.name)
        if isinstance(value, (int, float)):
            text = re.sub(rf"\bmy\.{f.name}\b", f"{value:g}", text)
    return text


def _reasons(k: KTable, language: str) -> str:
    """Why a player has their K, and whether it is lowered."""
    cases = []
    for line, row in enumerate(k.rows):
        text = _quoted(k.why(line, False, False, language)) + _assumed(k, line, language)
        cases.append(f"{_condition(row.condition())}, {text}" if row is not k.rows[-1] else text)
    known = ", ".join(f"rule_k <> {row.k}" for row in k.rows)
    return f"""
k_clause(rating, games, age, peak) = {"cases" if len(cases) > 1 else ""}({", ".join(cases)})
lowered(rule_k) = AND({known})
"""


def _assumed(k: KTable, line: int, language: str) -> str:
    """What a line adds to its reason where it takes something for granted."""
    facts = zip(("peak", "games"), k.rests_on(line), strict=True)
    unknown = [f'{fact} = ""' for fact, matters in facts if matters]
    if not unknown:
        return ""
    plain, more = (k.why(line, missing, missing, language) for missing in (False, True))
    return f' & IF(OR({", ".join(unknown)}), {_quoted(more.removeprefix(plain))}, "")'


def _condition(text: str) -> str:
    text = re.sub(r"given\((\w+)\), ", r'IF(\1 = "", FALSE, TRUE), ', text)
    return re.sub(r"\btop\b", "MAX(rating, peak)", text).replace("both(", "AND(", 1)


def _quoted(text: str) -> str:
    return to_text(Text(text))


PIECES: Final = pieces(
    """
# what a game, or a period, is worth before the factor K; FIDE counts in whole hundredths
gain(score, chance) = IF(rules.exact, ROUND(100 * (score - chance), 0) / 100, score - chance)

# K as typed for a player, else the rulebook's
own_k(rating, typed, rule_k) = IF(rating = "", "", IF(possible_k(typed), typed_k(typed), rule_k))
typed_k(typed) = typed
# the same after more games of the period than those by which the rulebook's K was found
k_after(games, rating, typed, rule_k) = own_k(rating, typed, IF(rules.k.most_points = "", rule_k,
    MIN(rule_k, INT(rules.k.most_points / MAX(games, 1)))))
typed_reason(typed) = t.reason_typed
possible_k(typed) = IF(ISNUMBER(typed), AND(typed >= 0, typed <= 100), FALSE)

# largest difference that counts for a player; blank where all of it does
largest(rating) = IF(rules.varies, IF(rating >= rules.difference.full_from, "",
    rules.difference.most), rules.difference.most)

reason(name, rating, games, age, peak, typed, rule_k) = cases(
    name = "", "",
    rating = "", t.reason_unrated,
    possible_k(typed), typed_reason(typed),
    k_clause(rating, games, age, peak) & IF(rules.k.most_points = "", "", IF(
        lowered(rule_k), "; " & t.reason_lowered(most = rules.k.most_points), "")))
performance(met, games, score, dp) = IF(N(games) = 0, "", IF(rules.performance = "fide",
    ROUND(met / games, 0) + dp, met / games + 400 * (2 * score - games) / games))

# a first rating where it is published
published(first, games, score) = IF(OR(first = "", N(games) < rules.first.games,
    IF(rules.first.floor = "", FALSE, N(first) < rules.first.floor),
    IF(rules.first.zero_counts, FALSE, N(score) = 0)), "", first)

# whether a cell is blank or a number within bounds
fine(typed, least, most) = IF(ISNUMBER(typed), AND(typed >= least, typed <= most), typed = "")

# a number that was read, else blank
number(typed) = IF(ISNUMBER(typed), typed, "")

# a number within bounds, else blank
within(typed, least, most) = IF(ISNUMBER(typed),
                                IF(AND(typed >= least, typed <= most), typed, ""), "")

# order from the highest down, equals in the order of the list
order(key, all, so_far) = IF(key = "", "", RANK(key, all) + COUNTIF(so_far, key) - 1)

# what a column holds for the player in a place of the order, blank behind the last player
in_place(column) = IFERROR(INDEX(column, MATCH(place, Counted[place], 0)), "")

# how often a text stands in a list; no COUNTIF, to which ? and * match anything
times(all, text) = SUMPRODUCT(--(all = text))

# the number of a player found by name, 0 for none; the book defines the list
number_of(typed) = IF(typed = "", 0, IFERROR(MATCH(escaped(typed), Player_ids, 0), 0))
escaped(text) = SUBSTITUTE(SUBSTITUTE(SUBSTITUTE(text, "~", "~~"), "*", "~*"), "?", "~?")

# where a sign stands in the list, 0 for none
sign_of(sign) = IF(OR(sign = "", sign = WRONG), 0, IFERROR(MATCH(sign, Result_signs, 0), 0))
""",
    "rules",
)
