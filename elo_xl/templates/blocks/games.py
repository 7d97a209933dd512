"""The sheet that explains every game of a list: who counts for whom, expected scores, changes."""

from __future__ import annotations

from typing import Final

from elo_xl.books.book import Book
from elo_xl.functions.native.pieces import thresholds

_EACH: Final = """
pieces
    found(column, place) = IF({both}, INDEX(column, place), "")
    # what a sign counts stands beside it, blank where it is not rated
    score_for(rating_b, signs) = cases(OR(rating_b = "", sign_no <= 0, {same}), "",
        too_wide(), "", INDEX(signs, sign_no))
    too_wide() = IF(rules.all_rated, FALSE,
        IF(one_unrated(), FALSE, wide(rating_a, rating_b)))
    # 0 is blank, too: where LibreOffice's threads have not stored a text yet, it reads 0
    one_unrated() = N(rating_a) * N(rating_b) = 0
    # table 8.1.2, which stands on Steps: how far each hundredth above a half begins
    chance(hundredths) = IF(one_unrated(), "", (hundredths) / 100)
    beyond(rating, cap) = SIGN(difference) * (MATCH(
        ROUND(cut(ABS(difference), rating, cap) + 1E-9, 0), Chances[lead]) - 1)
    cut(lead, rating, cap) = cases(rules.one_upgrade, IF(cap = "", lead, MIN(lead, cap)),
        NOT(rules.capped), lead, NOT(rules.varies), MIN(lead, rules.difference.most),
        IF(rating >= rules.difference.full_from, lead, MIN(lead, rules.difference.most)))
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
        score_a         0.0 center strong text:score = score_for(rating_b, Worth[first])
        score_b         0.0 center strong text:score = score_for(rating_a, Worth[second])
        name_b          left 20             = found(Counted[name], second_no)
        rating_b        0 text:rating       = IF(name_b = "", "", INDEX(Counted[rating], second_no))
        difference      0                   = IF(one_unrated(), "", rating_a - rating_b)
        expected_a      0.00                = {expected_a}
        k_a             0 quiet text:factor = counts_for(score_a, rating_a,
                                                         INDEX(Ratings[k], first_no))
        change_a        +0.00               = IF(k_a = "", "", k_a * gain(score_a, expected_a))
        expected_b      0.00                = {expected_b}
        k_b             0 quiet text:factor = counts_for(score_b, rating_b,
                                                         INDEX(Ratings[k], second_no))
        change_b        +0.00               = IF(k_b = "", "", k_b * gain(score_b, expected_b))
        ?found first_no 0 quiet helper      = first_found
        ?found second_no 0 quiet helper     = second_found
        ?found sign_no  0 quiet helper      = sign_found
        shown                               = MAX(first_no, second_no) > 0
        ?rules.one_upgrade lead_a 0 quiet helper text:lead = ahead(score_a, N(difference))
        ?rules.one_upgrade lead_b 0 quiet helper text:lead = ahead(score_b, -N(difference))
        ?rules.one_upgrade cap_a 0 quiet helper text:cap = one_cut(lead_a, first_no)
        ?rules.one_upgrade cap_b 0 quiet helper text:cap = one_cut(lead_b, second_no)
    {names}
    marks
        expected_a      quiet               score_a = ""
        expected_b      quiet               score_b = ""
"""

_WORTH: Final = """
sheet steps hidden
    table Worth rows:signs
        no          0 quiet     = row_number
        first       0.0 text:score = IF(INDEX(Result_rated, no) = 1, INDEX(Result_points, no), "")
        second      0.0 text:score = IF(INDEX(Result_rated, no) = 1, INDEX(Result_others, no), "")
"""

_CHANCES: Final = """
sheet steps hidden
    table Chances rows:hundredths
        no          0 quiet     = row_number
        lead        0 text:difference
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
    from_table = book.rules.expected.model == "fide"

    def expected(a: str, b: str, sign: str) -> str:
        if from_table:
            return f"chance(50 {sign} beyond(rating_{a}, {cap(a)}))"
        most = f", {cap(a)}" if rules.capped else ""
        return f"ELO_EXPECTED(rating_{a}, rating_{b}, rules.model{most})"

    def cap(a: str) -> str:
        return f"cap_{a}" if rules.whole_event else f"largest(rating_{a})"

    book.read(
        _EACH.replace("    {names}\n", f"    names{said}\n" if names else ""),
        "each",
        expected_a=expected("a", "b", "+"),
        expected_b=expected("b", "a", "-"),
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
    book.read(_WORTH, "each", signs=book.tables["Signs"].rows)
    if from_table:
        leads = [{"lead": lead} for lead in thresholds()]
        book.read(_CHANCES, "each", data={"Chances": leads}, hundredths=len(leads))
    book.names["Each_above"] = book.tables["Each" if found else lines].header
    if rules.whole_event:
        book.read(_LEADS, "each")
