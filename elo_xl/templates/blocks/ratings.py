"""Sheets about ratings: the sheet *Ratings*, *Gains and losses*, and *Rules*.

*Ratings* is made of sums on *Steps* in a list of games. *Gains and losses* are the largest ones as
a table, with its chart. *Rules* is what the rulebook says, in the language of the book.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from elo_xl.books.book import Book, Constant, Formula, Sheet
from elo_xl.books.charts import Bars, Chart, bar_chart, over_rows
from elo_xl.books.front import SEPARATOR
from elo_xl.books.rules import STAR
from elo_xl.books.styles import GAIN, LOSS
from elo_xl.books.text import GENERAL, wrapped_lines
from elo_xl.engine.models import differences_by_percent
from elo_xl.engine.rulebooks.k_table import ASSUMED

_AFTER: Final = """
pieces
    # blank games of a rated player mean many: this event's few would make them a newcomer
    rating_after(new, rating) = IF(ISNUMBER(new), ROUND(new, 0), rating)
    games_after(rating, games, played) = IF(AND(N(played) > 0, OR(rating = "", games <> "")),
        N(games) + N(played), games)
    peak_after(new, rating, peak) = over_0(MAX(N(rating_after(new, rating)), N(rating), N(peak)))
    over_0(number) = IF(number = 0, "", number)
    waiting(new, rating, score, played, name) = IF(AND(rating_after(new, rating) = "",
        N(played) > 0), N(score) & " points of " & played & " games towards the first rating of "
        & name, "")

commands
    next
        blank Event Dates *_round Round_shown
"""

_NEXT: Final = """
commands
    players Players
    next
        keep Players but:out
        fill Players
            rating = rating_after(Ratings[@new], Counted[@rating])
            games = games_after(Counted[@rating], Counted[@games], Ratings[@games])
            peak = peak_after(Ratings[@new], Counted[@rating], Counted[@peak])
            left Ratings[score] = waiting(Ratings[@new], Counted[@rating], Ratings[@score],
                Ratings[@games], Counted[@name])
"""

_RATINGS: Final = """
pieces
    # who has played, and whose new rating is too low for the next list
    unlisted(new, games) = cases(rules.unlisted_below = 0, "", N(games) = 0, "",
        NOT(ISNUMBER(new)), "", new < rules.unlisted_below,
        t.reason_unlisted(floor = rules.unlisted_below) & "; ", "")
names
    unlisted_said = cases(rules.unlisted_below = 0, "",
        COUNTIFS(Ratings[new], "<" & rules.unlisted_below, Ratings[games], ">0") = 0, "",
        t.list_unlisted(floor = rules.unlisted_below)
            & COUNTIFS(Ratings[new], "<" & rules.unlisted_below, Ratings[games], ">0"))

sheet ratings freeze:rating
    note about_ratings
    use rules_note
    ?rules.unlisted_below note unlisted_said
    table Ratings rows:size
        no          0 center quiet          = row_number
        name        left strong 22          = Counted[@name]
        rating      0 center                = Counted[@rating]
        games       0 center text:rated_games = IF(name = "", "", games_found)
        score       0.0 center              = IF(name = "", "", score_found)
        expected    0.00 center             = IF(rating = "", "", expected_found)
        k           0 center 5 text:factor  = IF(Counted[@waits] = 1, "",
                                                own_k(Counted[@rating], Players[@k],
                                                      Counted[@rule_k]))
        change      +0.00 center            = IF(k = "", "", k * gain(score, expected))
        new         {new_format} center strong 10.5 = IF(Counted[@waits] = 1, "", new_rating(rating,
                                                change, published(Counted[@first], games, score)))
        performance {performance_format} center = performance_found
        why         left quiet 33          = IF(Counted[@waits] = 1, t.reason_waits,
            unlisted(new, games) & reason(Counted[@name], Counted[@rating], Counted[@games],
                   Counted[@age], Counted[@peak], Players[@k], Counted[@rule_k]))
        shown                               = name <> ""
"""

_SUMS: Final = """
pieces
    summed(white, black) = (SUMIFS(white, Each_first, no, Each[score_a], ">=0")
                          + SUMIFS(black, Each_second, no, Each[score_b], ">=0"))
    # table 8.1.1 stands on Steps in hundredths
    table_811(percent) = INDEX(Parts[dp], 1 + ROUND(percent + 1E-9, 0))
    dp_of(part) = table_811(100 * part)

sheet steps hidden
    table Sums rows:size
        no          0 quiet     = row_number
        met         0           = IF(N(Ratings[@games]) = 0, "",
                                     summed(Each[rating_b], Each[rating_a]))
    table Parts rows:{parts}
        no          0 quiet     = row_number
        part        0.00
        dp          0
"""


def ratings(
    book: Book, performance: str = "performance(Sums[@met], games, score, dp_of(score / games))"
) -> None:
    """New ratings of all players of a list of games, each from their row of sums."""
    book.read(
        _RATINGS,
        "ratings",
        games_found='(COUNTIFS(Each_first, no, Each[score_a], ">=0")'
        ' + COUNTIFS(Each_second, no, Each[score_b], ">=0"))',
        score_found="(SUMIF(Each_first, no, Each[score_a])"
        " + SUMIF(Each_second, no, Each[score_b]))",
        expected_found="summed(Each[expected_a], Each[expected_b])",
        performance_found=performance,
    )
    table = [
        {"part": percent / 100, "dp": dp}
        for percent, dp in enumerate(differences_by_percent().tolist())
    ]
    book.read(_SUMS, "ratings", Parts=table, parts=len(table))
    after_event(book)
    book.read(_NEXT, "ratings")


def after_event(book: Book) -> None:
    """What a player begins the next event with: rating, games, highest rating; and the points
    towards a first rating that stay behind."""
    book.read(_AFTER, "ratings")


def rules_note(book: Book) -> str:
    """The note that says the rulebook, and what the star behind a reason means, where the rulebook
    has such reasons."""
    if not book.rules.k.assumes:
        return "note rules_title"
    return f'note "{book.say("rules_title")}{SEPARATOR}{book.say("note_assumed")}"'


def in_full(book: Book, reason: str) -> str:
    """The formula of a reason without the star, where no note explains it."""
    return f'SUBSTITUTE({reason}, "{STAR}", "{ASSUMED.say(book.options.language)}")'


# -- gains and losses -----------------------------------------------------------------------------

MOST_BARS: Final = 10
"""the largest number of gains, and of losses, in the chart"""

NO_ZERO: Final = "+0.00;-0.00;;"

_GAINS: Final = """
sheet steps hidden
    table Changes rows:size
        no          0 quiet     = row_number
        # millionths of a point, and behind them the row: all are different, equals in their order
        key         0           = IF({ratings}[@change] = "", "",
            ROUND(1000000 * {ratings}[@change], 0) * {span} - no)

sheet gains down:1
    note about_gains
    table Gains rows:2*bars
        name        left strong 24      = IF(found = 0, "", INDEX({ratings}[name], found))
        change      +0.00               = IF(found = 0, "", value)
        # the two colours of the chart; a bar of length 0 is a stroke in LibreOffice
        gain        format:{no_zero} helper = IF(value > 0, value, "")
        loss        format:{no_zero} helper = IF(value < 0, value, "")
        # the gains from the first place down, and right below them the losses to the last place
        found       0 quiet helper text:no = cases(row_number <= gains,
            row_of(row_number), row_number <= gains + losses,
            row_of(COUNT(Changes[key]) - gains - losses + row_number), 0)
        # the chart stands over these cells
        bar         102 heading:none     = ""
        shown                           = found > 0
    names
        gains   = MIN({bars}, COUNTIF(Changes[key], ">0"))
        losses  = MIN({bars}, COUNTIF(Changes[key], "<" & -{span}))
        value   = IF(found = 0, 0, ROUND(INDEX({ratings}[change], found), 6))
    pieces
        row_of(place) = MATCH(LARGE(Changes[key], place), Changes[key], 0)
"""


def gains_and_losses(book: Book, ratings: str = "Ratings") -> None:
    """Write the sheet, from the table of a name with the columns ``name`` and ``change``."""
    say = book.say
    bars = min(MOST_BARS, book.options.players)
    span = 10 ** len(str(book.options.players))
    book.read(_GAINS, "gains", ratings=ratings, no_zero=NO_ZERO, bars=bars, span=span)
    table = book.tables["Gains"]

    def drawn() -> Chart:
        series = (
            Bars(say("column_gain"), table.column("gain"), GAIN),
            Bars(say("column_loss"), table.column("loss"), LOSS),
        )
        # the column's heading says what the chart shows
        chart = bar_chart("", table.column("name"), series, NO_ZERO)
        return over_rows(chart, table.rows)

    table.fitted = False  # the bars are in line with rows of one height
    for row in range(table.header, table.last + 1):
        table.sheet.height(row, 1.2)
    anchor = f"{table.letter('bar')}{table.header}"
    table.sheet.chart(drawn, anchor, say("chart_text"), rows=table.rows + 1, last=table.at["bar"])


# -- rules ----------------------------------------------------------------------------------------

WIDTHS: Final = {1: 27.0, 2: 106.0}

ClauseLine = tuple[str, Constant | Formula]
"""A label and what stands beside it."""


def rule_sheet(book: Book, chosen: str, event: Sequence[ClauseLine], note: str = "") -> None:
    """Write the sheet; ``chosen`` says why it is this rulebook, ``event`` are further lines.

    ``note`` is a paragraph that comes before everything else.
    """
    sheet, say, rules = book.sheet("rules"), book.say, book.rules
    sheet.set_up.exact = WIDTHS
    sheet.heading()
    if note:
        sheet.put(sheet.row, 1, note, "paragraph", GENERAL, "left", measure=False)
        sheet.put(sheet.row, 2, None, "paragraph", measure=False)
        sheet.merge(sheet.cells(sheet.row, 1, 1, 2))
        sheet.height(sheet.row, wrapped_lines(note, 1.05 * sum(WIDTHS.values())))
        sheet.row += 1
    edition: list[ClauseLine] = [(say("label_edition"), say("rules_title"))]
    if rules.since is not None:
        edition.append((say("label_since"), rules.since))
    edition.append((say("label_chosen"), chosen))
    edition.append((say("label_source"), rules.source.say(book.options.language)))
    _section(sheet, say("section_edition"), edition)
    sentences = rules.sentences(book.options.language)
    said = [(say(f"label_{subject}"), text) for subject, text in sentences]
    _section(sheet, say("section_says"), said)
    uncertain = rules.uncertain
    doubts = say("certain") if uncertain is None else uncertain.say(book.options.language)
    _section(sheet, say("section_open"), [(say("label_open"), doubts)])
    _section(sheet, say("section_event"), event)


def _section(sheet: Sheet, title: str, lines: Sequence[ClauseLine]) -> None:
    sheet.row += 1
    sheet.put(sheet.row, 1, title, "section", measure=False)
    sheet.put(sheet.row, 2, None, "section", measure=False)
    sheet.height(sheet.row, 1.2)
    for label, text in lines:
        sheet.row += 1
        shown = sheet.book.date_format if isinstance(text, date) else GENERAL
        sheet.put(sheet.row, 1, label, "label", GENERAL, "left", measure=False)
        sheet.put(sheet.row, 2, text, "paragraph", shown, "left", measure=False)
        if isinstance(text, str):
            sheet.height(sheet.row, wrapped_lines(text, 1.05 * WIDTHS[2]))
    sheet.row += 1
