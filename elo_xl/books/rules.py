"""What a rulebook says, as pieces that all books use: each rule is written once.

:func:`clauses` gives the numbers and choices of a rulebook as names, which the pieces below read.
What a clause decides is decided while the book is made: a cell holds only what its rulebook needs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Final

from elo_xl.books.names import Meaning
from elo_xl.books.statements import pieces
from elo_xl.engine.rulebooks import Rulebook
from elo_xl.functions.native.pieces import formula_of, with_numbers
from elo_xl.xlsx.folding import Piece, replaced, tree_of
from elo_xl.xlsx.formula import Binary, Call, Name, Node, Text, parse, to_text


def clauses(rules: Rulebook) -> dict[str, Meaning]:
    """The names ``rules.…`` of a rulebook; what it does not have is an empty text."""
    values: dict[str, object] = {
        "name": rules.name,
        "model": rules.expected.model,
        "curve": "normal" if rules.expected.model == "fide" else rules.expected.model,
        "exact": rules.expected.unit > 1,
        "rounded": rules.rounding.whole,
        "capped": rules.difference.capped,
        "varies": rules.difference.varies,
        "one_upgrade": rules.difference.whole_event,
        "all_rated": rules.counts.all_rated,
        "performance": rules.performance,
        "solved": rules.first.solved,
        "unlisted_below": rules.unlisted_below,
        "usual_k": rules.k.factors[-1] if rules.k.factors else "",
    }
    for family in ("counts", "difference", "k", "first"):
        clause = getattr(rules, family)
        values |= {f"{family}.{f.name}": getattr(clause, f.name) for f in fields(clause)}
    return {f"rules.{name}": _meaning(value) for name, value in (_EVERYWHERE | values).items()}


#: Names that formulas read under every rulebook, whether or not it has such a number.
_EVERYWHERE: Final = {
    **dict.fromkeys(("difference.most", "difference.full_from", "k.most_points")),
    "first.floor": None,
    **dict.fromkeys(("first.draws", "first.against", "first.per_half_point"), 0),
}


def _meaning(value: object) -> Meaning:
    if isinstance(value, (bool, int, float)):
        return value
    return Text(value if isinstance(value, str) else "")


STAR: Final = " *"
"""Stands in a column for :data:`~elo_xl.engine.rulebooks.k_table.ASSUMED`, which most reasons of
players there would say; a note explains it."""


def own_pieces(rules: Rulebook, language: str) -> dict[str, Piece]:
    """The pieces that are the formulas of a rulebook's own clauses."""
    first: Node = Text("")
    if not rules.first.solved:  # else found by approximation, on a sheet of its own
        first = replaced(formula_of(rules.first), "average", _AVERAGE)
    wide = Binary("=", formula_of(rules.counts), tree_of(0))
    unrated = Binary("=", Name("rating"), Text(""))
    new = Call("IF", (unrated, Name("first"), formula_of(rules.rounding)))
    because = parse(rules.k.reason_formula(language, STAR))
    why = replaced(because, "top", parse("MAX(rating, peak)"))
    unlike = (Binary("<>", Name("rule_k"), tree_of(k)) for k in rules.k.factors)
    return {
        "wide": Piece(("rating", "opponent"), wide),
        "first_rating": Piece(("rating_sum", "played", "points"), first),
        "new_rating": Piece(("rating", "change", "first"), new),
        "k_clause": Piece(("rating", "games", "age", "peak"), why),
        "lowered": Piece(("rule_k",), Call("AND", tuple(unlike))),
    }


_AVERAGE: Final = parse("rating_sum / played")

_SUMS: Final = {"played": "games", "points": "score", "rating_sum": "met"}
"""The sums of which formulas of first ratings are made, as the sheets of their steps call them."""


def first_steps(rules: Rulebook) -> Iterator[tuple[str, str]]:
    """The steps to a first rating, each with the key of its heading and its formula, of the sums
    ``games``, ``score`` and ``met`` and of the steps before."""
    average = _AVERAGE
    for key, formula in rules.first.steps:
        step = replaced(with_numbers(formula, rules.first), "average", average)
        for name, column in _SUMS.items():
            step = replaced(step, name, Name(column))
        yield key, to_text(step)
        if key == "average":
            average = Name(key)


PIECES: Final = pieces(
    """
# what clauses call by names of their own
least(a, b) = MIN(a, b)
greatest(a, b) = MAX(a, b)
given(typed) = IF(typed = "", FALSE, TRUE)

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

# what is said of a name that is not on its list, and whom it may mean
stranger(who, near) = who & ": " & t.check_stranger & perhaps(near)
perhaps(near) = IF(near = "", "", " – " & t.perhaps & " " & near)

# where a sign stands in the list, 0 for none
sign_of(sign) = IF(OR(sign = "", sign = WRONG), 0, IFERROR(MATCH(sign, Result_signs, 0), 0))
""",
    "rules",
)
