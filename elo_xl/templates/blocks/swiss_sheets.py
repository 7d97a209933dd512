"""The sheets of a Swiss for the wall: pairings, standings, crosstable, rating changes, prizes.

Which round the pairings are of, and after which round the standings are, is typed on the first
sheet; by default it is the latest round with pairings.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from elo_xl.books.book import Book, Formula
from elo_xl.books.front import Setting
from elo_xl.books.model import Row
from elo_xl.books.names import by_row
from elo_xl.books.styles import WHOLE
from elo_xl.templates.blocks.prizes import prizes
from elo_xl.templates.blocks.signs import BYES
from elo_xl.templates.blocks.tie_breaks import CHOSEN_NAME, PLACES, show_decimals
from elo_xl.templates.blocks.wall import MOST_SLOTS, people, slots

ROUNDS: Final = """
sheet steps hidden
    table RoundList rows:rounds
        no          0 quiet         = row_number
        lines       0               = {lines}
        paired      0               = {paired}
        missing     0               = {missing}
    cells
        ties_chosen 0               = SUMPRODUCT(MAX((Chosen[number] > 0) * Chosen[no]))
        last_typed  0               = SUMPRODUCT(MAX((RoundList[lines] > 0) * RoundList[no]))
        last_paired 0               = SUMPRODUCT(MAX((RoundList[paired] > 0) * RoundList[no]))
        field       0               = filled(Players[name])
        chosen      0 text:chosen_round = IF(N(Pairings_round) > 0, Pairings_round, last_paired)
        counted_to  0               = IF(N(Standings_round) > 0,
                                         MIN(Standings_round, last_paired), last_paired)
"""

PAIRING_LIST: Final = """
sheet steps hidden
    # what a list of pairings says of a line without a result, and of one with each sign
    table Outcomes rows:outcomes
        no          0 quiet             = row_number
        said        center text:result
    table Lines rows:boards
        no          0 quiet         = row_number
        first       0 text:first_no     = IF(chosen = 0, 0, MAX(INDEX(Pairings[first], at), 0))
        second      0 text:second_no    = IF(chosen = 0, 0, INDEX(Pairings[second], at))
        order       0 text:place    = cases(first = 0, "", second = 0, 1000 + no, no)
    names
        at = (chosen - 1) * boards + no
    table Before rows:size
        no          0 quiet             = row_number
        points      0.0                 = IF(Counted[@name] = "", "", in_rounds(numbers < chosen))
        now         0.0 text:points     = IF(Counted[@name] = "", "", in_rounds(numbers <= chosen))
        idle        0                   = cases(OR(Counted[@name] = "", chosen = 0), "",
            INDEX(RoundList[paired], MAX(chosen, 1)) = 0, "",
            COUNTIF(Lines[first], no) + COUNTIF(Lines[second], no) > 0, "", no)
    pieces
        in_rounds(these) = SUMPRODUCT((these)
            * MOD(INT(Ties[@code1:code{last_round}] / 10), 10)) / 2

sheet pairing_list wall:pairing_title stretch:white
    table PairingList rows:size
        board       0 center quiet 7    = IF(no_b = "", "", line)
        no_a        0 quiet 5 text:no   = cases(line > 0, INDEX(Lines[first], line),
            row_number - COUNT(Lines[order]) > COUNT(Before[idle]), "",
            SMALL(Before[idle], row_number - COUNT(Lines[order])))
        white       left strong 22      = shown_of(People[name], no_a)
        rating_a    0 7 text:rating     = shown_of(Counted[rating], no_a)
        points_a    0.0 7 text:points   = shown_of(Before[points], no_a)
        result      center strong 11    = IF(line = 0, "", INDEX(Outcomes[said],
            1 + MAX(INDEX(Pairings[sign], (chosen - 1) * boards + line), 0)) & "")
        points_b    0.0 7 text:points   = shown_of(Before[points], no_b)
        rating_b    0 7 text:rating     = shown_of(Counted[rating], no_b)
        black       left strong 22      = IF(AND(line = 0, no_a <> ""), t.not_paired,
                                             shown_of(People[name], no_b))
        no_b        0 quiet 5 text:no   = cases(line = 0, "", INDEX(Lines[second], line) = 0, "",
                                                INDEX(Lines[second], line))
        line        0 quiet helper      = IF(row_number > COUNT(Lines[order]), 0,
                                             MOD(SMALL(Lines[order], row_number), 1000))
        shown                           = no_a <> ""
    pieces
        shown_of(column, who) = IF(who = "", "", INDEX(column, who))
    marks
        black       quiet               line = 0
"""

STANDINGS: Final = """
sheet standings wall:standings_title freeze:rating stretch:name
    table Standings rows:size
        rank        0 center strong 7   = of(RANK(INDEX(Counted[key], no), Counted[key]))
        no          0 quiet             = IFERROR(MATCH(row_number, Counted[place], 0), "")
        name        left strong         = of(INDEX(People[name], no))
        rating      0                   = of(INDEX(Counted[rating], no))
        points      0.0 strong          = of(INDEX(Ties[points], no))
        {extras}
        shown                           = no <> ""
    pieces
        of(value) = IF(no = "", "", value)
    marks
        rank:points leader              rank = 1

sheet cross wall:cross_title freeze:rating stretch:name
    table Cross rows:size
        rank        0 center strong 4   = Standings[@rank]
        no          0 quiet 4           = Standings[@no]
        name        left strong         = Standings[@name]
        rating      0 5                 = Standings[@rating]
        seen{r}     center 5.2 heading:{r} = IF(OR(no = "", {r} > counted_to), "",
            view(INDEX(Ties[code{r}], no)))
        points      0.0 strong 6        = Standings[@points]
        {tie_breaks}
        shown                           = no <> ""
    pieces
        view(code) = (TEXT(INT(code / 10000), "#")
            & INDEX(Views[seen], 1 + MOD(INT(code / 100), 100) * (code <> OPEN_LINE)))
    marks
        rank:points leader              rank = 1

sheet changes wall stretch:name
    table ChangeList rows:size
        rank        0 center strong 7   = Standings[@rank]
        no          0 quiet             = Standings[@no]
        name        left strong         = Standings[@name]
        rating      0                   = of(INDEX(Ratings[rating], no))
        games       0 text:rated_games  = of(INDEX(Ratings[games], no))
        score       0.0                 = of(INDEX(Ratings[score], no))
        expected    0.00                = of(INDEX(Ratings[expected], no))
        k           0 text:factor       = of(INDEX(Ratings[k], no))
        change      +0.00 strong        = of(INDEX(Ratings[change], no))
        new         {new_format} strong = of(INDEX(Ratings[new], no))
        performance {performance_format} = of(INDEX(Ratings[performance], no))
        {change_slots}
        shown                           = no <> ""
    pieces
        of(value) = IF(no = "", "", value)
    marks
        rank:name   leader              rank = 1
"""

EXTRAS: Final = range(1, PLACES + MOST_SLOTS + 1)
"""The columns at the right of the standings: first the tie-breaks, then what is said of players."""

TIE_VALUE: Final = """IF(cell(Chosen, "number", {k}) = 1, INDEX(Ties[de], no),
            INDEX(figures, no, cell(Chosen, "number", {k}) - 1))"""
"""The value of a chosen tie-break; an error where there is no player or no tie-break."""


def round_settings(book: Book) -> list[Setting]:
    """The choice of rounds on the first sheet."""
    return [
        Setting(name, key, None, WHOLE, 1, book.options.rounds)
        for name, key in (
            ("Pairings_round", "pairings_round"),
            ("Standings_round", "standings_round"),
        )
    ]


def count_rounds(book: Book, boards: int) -> None:
    """Write on *Steps* what there is of each round; ``boards`` are its lines in ``Pairings``."""
    rounds = range(1, book.options.rounds + 1)
    book.names["boards"] = boards

    def each(text: str) -> str:
        return by_row([text.format(f"Pairings.{r}") for r in rounds])

    book.read(
        ROUNDS,
        "rounds",
        rounds=len(rounds),
        # whoever is typed begins a round, so nothing that is shown of rounds waits for results
        lines=each('COUNTIF({0}[first], "<>0") + filled({0}[black])'),
        paired=each('COUNTIF({0}[first], ">0")'),
        missing=each('COUNTIFS({0}[first], ">0", {0}[sign], 0)'),
    )
    book.names["missing_said"] = (
        'IF(last_paired = 0, "", IF(INDEX(RoundList[missing], MAX(last_paired, 1)) = 0, "", '
        't.missing_results & " " & INDEX(RoundList[missing], MAX(last_paired, 1))))'
    )


def links(book: Book, across: int) -> None:
    """Declare lines at the top of *Pairings*: what the latest round lacks, and links to all rounds,
    ``across`` of them in a row."""
    sheet = book.sheet("pairings")
    sheet.heading()
    missing = 'IF(missing_said = "", "", t.column_round & " " & last_paired & " – " & missing_said)'
    sheet.line(Formula(missing), "subtitle")
    for r in range(book.options.rounds):
        row, column = sheet.row + r // across, r % across + 1
        sheet.put(row, column, Formula(f"round_link{r + 1}"), "link", align="left", measure=False)
    sheet.row += 1 + (book.options.rounds - 1) // across


def link_rounds(book: Book) -> None:
    """Tell where the links lead."""
    table = book.tables["Pairings"]
    for r in range(1, book.options.rounds + 1):
        top = table.column("white").at((r - 1) * table.group).reference.replace("$", "")
        said = f'HYPERLINK("#{top}", t.column_round & " {r}")'
        book.names[f"round_link{r}"] = f'IF(last_typed + 1 < {r}, "", {said})'


def _lines(columns: Iterable[str]) -> str:
    return ("\n" + 8 * " ").join(columns)


def _tie_break(k: int) -> str:
    """The column of a chosen tie-break; it is there only if one is chosen."""
    heading = CHOSEN_NAME.replace("{k}", str(k))
    return f'tie{k} 0 10 optional:{heading} = IF({k} > ties_chosen, "", Standings[@tie{k}])'


def _extra(e: int) -> str:
    """A column of the standings: a tie-break, or behind the last one what is said of players."""
    found = f"MATCH({e}-ties_chosen,Slots_standings[slot],0)"
    heading = f'IFERROR(INDEX(Slots_standings[name],{found}),"")'
    value = (
        f"INDEX(People[federation:category], no, INDEX(Slots_standings[shows], {e} - ties_chosen))"
    )
    if e <= PLACES:
        tie, tied = (text.replace("{k}", str(e)) for text in (CHOSEN_NAME, TIE_VALUE))
        heading = f"IF({e}>ties_chosen,{heading},{tie})"
        value = f"IF({e} <= ties_chosen, {tied}, {value})"
    return f'tie{e} 0 center 12 optional:{heading} = IFERROR({value}, "")'


def _outcome(row: Row) -> str:
    """What a list of pairings says of a line with a sign: of a game, both halves."""
    sign, mirror = (str(row[key]) for key in ("sign", "mirror"))
    dashed = ("–" if half.startswith("-") else half for half in (sign, mirror))
    return sign if sign in BYES else " : ".join(dashed)


def wall_sheets(book: Book) -> None:
    """Write all sheets that are pinned up."""
    people(book)
    after = '" " & t.after_round & " " & counted_to'
    waiting = (
        'IF(AND(counted_to > 0, counted_to = last_paired, missing_said <> ""), '
        '" (" & missing_said & ")", "")'
    )
    for name, title in (("standings_title", "t.sheet_standings"), ("cross_title", "t.sheet_cross")):
        book.names[name] = f'{title} & IF(counted_to = 0, "", {after}) & {waiting}'
    book.names["pairing_title"] = (
        't.sheet_pairing_list & IF(chosen = 0, "", ", " & t.in_round & " " & chosen)'
    )
    rounds = range(1, book.options.rounds + 1)
    numbers = f"{{{','.join(map(str, rounds))}}}"
    outcomes = [{"said": ""}, *({"said": _outcome(row)} for row in book.rows_of("Signs").values())]
    book.read(
        PAIRING_LIST,
        "pairing_list",
        data={"Outcomes": outcomes},
        outcomes=len(outcomes),
        numbers=numbers,
        last_round=rounds[-1],
    )
    slots(book, "standings")
    block = STANDINGS.replace("{extras}", _lines(map(_extra, EXTRAS)))
    block = block.replace("{tie_breaks}", _lines(map(_tie_break, range(1, PLACES + 1))))
    block = block.replace("{change_slots}", slots(book, "changes", who="no"))
    book.read(block, "standings", loops={"r": rounds})
    for table, keys in (("Standings", EXTRAS), ("Cross", range(1, PLACES + 1))):
        written = book.tables[table]
        # the names of tie-breaks take two lines
        written.fitted = False
        written.sheet.height(written.header, 2)
        for k in keys:
            show_decimals(written, f"tie{k}")
    prizes(book, "Ties[points]")
