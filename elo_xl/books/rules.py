"""What a rulebook says, as pieces that all books use: each rule is written once.

:func:`clauses` gives the numbers and choices of a rulebook as names, which the pieces below read.
What a clause decides is decided while the book is made: a cell holds only what its rulebook needs.
"""

from __future__ import annotations

from typing import Final

from elo_xl.books.names import Meaning
from elo_xl.books.statements import pieces
from elo_xl.engine.rulebooks import Rulebook
from elo_xl.xlsx.formula import Node, Text


def clauses(rules: Rulebook) -> dict[str, Meaning]:
    """The names ``rules.…`` of a rulebook; what it does not have is an empty text."""
    k, first = rules.k, rules.first
    return {
        "rules.name": Text(rules.name),
        "rules.model": Text(rules.model),
        "rules.exact": rules.exact,
        "rules.rounded": rules.rounded,
        "rules.capped": rules.cap is not None,
        "rules.varies": rules.uncapped_from is not None,
        "rules.cap": _known(rules.cap),
        "rules.uncapped": _known(rules.uncapped_from),
        "rules.one_upgrade": rules.one_upgrade,
        "rules.gap": _known(rules.unrated_gap),
        "rules.above": rules.unrated_above,
        "rules.performance": Text(rules.performance),
        "rules.new_games": k.new_games,
        "rules.young_age": _known(k.young_age),
        "rules.young_below": k.young_below,
        "rules.master": k.master_from,
        "rules.most_points": _known(k.most_points),
        "rules.k_new": k.new,
        "rules.k_standard": k.standard,
        "rules.k_master": k.master,
        "rules.first": Text(first.method),
        "rules.draws": first.draws if first.method == "hypothetical draws" else 0,
        "rules.draws_against": first.draws_against,
        "rules.first_most": _known(first.most),
        "rules.half_point": first.per_half_point,
        "rules.first_games": first.games,
        "rules.floor": first.floor,
        "rules.zero_counts": first.zero_counts,
    }


def _known(value: float | None) -> Node | float:
    return Text("") if value is None else value


PIECES: Final = pieces(
    """
# whether a game between two ratings is too far apart to be rated
wide(a, b) = IF(rules.gap = "", FALSE, AND(ABS(a - b) >= rules.gap, MAX(a, b) > rules.above))

# what a game, or a period, is worth before the factor K; FIDE counts in whole hundredths
gain(score, chance) = IF(rules.exact, ROUND(100 * (score - chance), 0) / 100, score - chance)

new_rating(rating, change, first) = IF(rating = "", first,
                                       rating + IF(rules.rounded, ROUND(change, 0), change))

# K as typed for a player, else the rulebook's
own_k(rating, typed, rule_k) = IF(rating = "", "", IF(possible_k(typed), typed_k(typed), rule_k))
typed_k(typed) = typed
typed_reason(typed) = t.reason_typed
possible_k(typed) = IF(ISNUMBER(typed), AND(typed >= 0, typed <= 100), FALSE)

# largest difference that counts for a player; blank where all of it does
largest(rating) = IF(rules.varies, IF(rating >= rules.uncapped, "", rules.cap), rules.cap)

reason(name, rating, games, age, peak, typed, rule_k) = cases(
    name = "", "",
    rating = "", t.reason_unrated,
    possible_k(typed), typed_reason(typed),
    k_clause(rating, games, age, peak) & IF(rules.most_points = "", "", IF(
        lowered(rule_k), "; " & t.reason_lowered(most = rules.most_points), "")))
k_clause(rating, games, age, peak) = cases(
    MAX(rating, peak) >= rules.master, t.reason_master(rating = rules.master),
    IF(rules.young_age = "", FALSE, IF(age = "", FALSE, AND(age <= rules.young_age,
        MAX(rating, peak) < rules.young_below))),
        t.reason_young(age = rules.young_age, rating = rules.young_below),
    games = "", t.reason_assumed,
    games < rules.new_games, t.reason_new(games = rules.new_games),
    t.reason_standard)
lowered(rule_k) = AND(rule_k <> rules.k_new, rule_k <> rules.k_standard, rule_k <> rules.k_master)

performance(met, games, score, dp) = IF(N(games) = 0, "", IF(rules.performance = "fide",
    ROUND(met / games, 0) + dp, met / games + 400 * (2 * score - games) / games))

# what a first rating is computed to be, and the same where it is published
first_rating(met, games, score, dp, first_dp) = at_most(rules.first_most, cases(
    rules.first = "half points", ROUND(met / games + IF(2 * score - games > 0,
        rules.half_point * (2 * score - games), dp), 0),
    ROUND((met + rules.draws * rules.draws_against) / (games + rules.draws) + first_dp, 0)))
at_most(most, value) = IF(most = "", value, MIN(most, value))
published(first, games, score) = IF(OR(first = "", N(games) < rules.first_games,
    N(first) < rules.floor, IF(rules.zero_counts, FALSE, N(score) = 0)), "", first)

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
