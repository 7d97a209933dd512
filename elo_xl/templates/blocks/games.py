"""The sheet that explains every game of a list: who counts for whom, expected scores, changes."""

from __future__ import annotations

from typing import Final

from elo_xl.books.book import Book
from elo_xl.engine.rulebooks.clauses import Cap

_EACH: Final = """
pieces
    found(column, place) = IF({both}, INDEX(column, place), "")
    score_for(rating_b, signs) = cases(rating_b = "", "", OR(sign_no <= 0, {same}), "",
        is_rated(), INDEX(signs, sign_no), "")
    is_rated() = IF(rules.all_rated, INDEX(Result_rated, sign_no) = 1,
        IF(OR(rating_a = "", rating_b = ""), INDEX(Result_rated, sign_no) = 1,
        AND(INDEX(Result_rated, sign_no) = 1, NOT(wide(rating_a, rating_b)))))
    counts_for(score, rating, value) = IF(OR(score = "", rating = ""), "", value)
    # how far a player is ahead of an opponent, and the cap where only the largest lead is cut
    ahead(score, lead) = IF(OR(score = "", difference = ""), 0, MAX(lead, 0))
    one_cut(lead, who) = cases(lead = 0, rules.difference.most,
        lead < INDEX(Leads[largest], who), "",
        COUNTIFS(upto[first_no], who, upto[lead_a], lead)
        + COUNTIFS(upto[second_no], who, upto[lead_b], lead) = 1, rules.difference.most, "")

sheet each freeze:name_a
    note about_each
    table Each rows:games group:boards
        no              0 quiet             = game_label
        name_a          left 20             = found(Counted[name], first_no)
        rating_a        0 text:rating       = IF(name_a = "", "", INDEX(Counted[rating], first_no))
        score_a         0.0 center strong text:score = score_for(rating_b, Result_points)
        score_b         0.0 center strong text:score = score_for(rating_a, Result_others)
        name_b          left 20             = found(Counted[name], second_no)
        rating_b        0 text:rating       = IF(name_b = "", "", INDEX(Counted[rating], second_no))
        difference      0                   = IF(OR(rating_a = "", rating_b = ""), "",
                                                 rating_a - rating_b)
        expected_a      0.00                = ELO_EXPECTED(rating_a, rating_b, rules.model{cap_a})
        k_a             0 quiet text:factor = counts_for(score_a, rating_a,
                                                         INDEX(Ratings[k], first_no))
        change_a        +0.00               = IF(k_a = "", "", k_a * gain(score_a, expected_a))
        expected_b      0.00                = ELO_EXPECTED(rating_b, rating_a, rules.model{cap_b})
        k_b             0 quiet text:factor = counts_for(score_b, rating_b,
                                                         INDEX(Ratings[k], second_no))
        change_b        +0.00               = IF(k_b = "", "", k_b * gain(score_b, expected_b))
        ?found first_no 0 quiet helper      = first_found
        ?found second_no 0 quiet helper     = second_found
        ?found sign_no  0 quiet helper      = sign_found
        shown                               = MAX(first_no, second_no) > 0
        ?rules.varies cap_a 0 quiet helper text:cap = largest(rating_a)
        ?rules.varies cap_b 0 quiet helper text:cap = largest(rating_b)
        ?rules.one_upgrade lead_a 0 quiet helper text:lead = ahead(score_a, N(difference))
        ?rules.one_upgrade lead_b 0 quiet helper text:lead = ahead(score_b, -N(difference))
        ?rules.one_upgrade cap_a 0 quiet helper text:cap = one_cut(lead_a, first_no)
        ?rules.one_upgrade cap_b 0 quiet helper text:cap = one_cut(lead_b, second_no)
    {names}
    marks
        expected_a      quiet               score_a = ""
        expected_b      quiet               score_b = ""
"""

_LEADS: Final = """
sheet steps hidden
    table Leads rows:size
        no          0 quiet     = row_number
        name        left        = Counted[@name]
        largest     0           = SUMPRODUCT(MAX((Each_first = no) * Each[lead_a],
                                                 (Each_second = no) * Each[lead_b]))
"""


def each_game(
    book: Book,
    games: int,
    *,
    lines: str = "",
    first: str = "",
    second: str = "",
    sign: str = "",
    label: str = "row_number",
    boards: int = 0,
) -> None:
    """Write the sheet: a row for each game, with the sides of both players.

    ``first``, ``second`` and ``sign`` are formulas for the numbers of both players and of the
    result in their lists, at most 0 for none; or ``lines`` is a table that has them row by row in
    columns of these names. Formulas read these columns as ``Each_first``, ``Each_second`` and
    ``Each_sign``. ``label`` is the formula of the first column. ``boards`` is the number of games
    in a round, if games have rounds.
    """
    rules = book.rules.difference
    cap = f", {rules.most}" if isinstance(rules, Cap) else ""
    varies = hasattr(rules, "full_from")
    cap_a, cap_b = (f", cap_{s}" if varies or rules.whole_event else cap for s in "ab")
    columns = dict(zip(("first", "second", "sign"), (first, second, sign), strict=True))
    # where only the largest lead is cut, formulas ask for the rows above
    found = not lines or rules.whole_event
    if lines:
        columns = {key: f"{lines}[@{key}]" for key in columns}
    names: dict[str, str] = {}
    if not found:
        names |= {f"{key}_no": formula for key, formula in columns.items()}
    for key in columns:
        book.names[f"Each_{key}"] = f"Each[{key}_no]" if found else f"{lines}[{key}]"
    said = "".join(f"\n        {name} = {formula}" for name, formula in names.items())
    book.read(
        _EACH.replace("    {names}\n", f"    names{said}\n" if names else ""),
        "each",
        cap_a=cap_a,
        cap_b=cap_b,
        games=games,
        boards=boards,
        found=found,
        first_found=columns["first"],
        second_found=columns["second"],
        sign_found=columns["sign"],
        game_label=label,
        # a line counts nobody twice, and nobody alone as Black
        both="second_no > 0" if lines else "AND(first_no > 0, second_no > 0)",
        same="FALSE" if lines else "first_no = second_no",
    )
    book.names["Each_above"] = book.tables["Each" if found else lines].header
    if rules.whole_event:
        book.read(_LEADS, "each")
