"""``k-and-first-rating``: K factors with their reasons, and a first rating under every edition.

Sheets: the first one, *Players*, *K* (K, reason, class and title of everybody), *First rating* (the
games of one unrated player, and each step under each edition of FIDE's rules), *Results* and
*Steps*.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Final

from elo_xl.books.book import Book, Constant, Content, Options
from elo_xl.books.front import front
from elo_xl.books.model import Formula
from elo_xl.books.names import Meaning, by_row
from elo_xl.books.rules import clauses
from elo_xl.books.signs import results
from elo_xl.engine.rulebooks import EDITIONS, Rulebook
from elo_xl.templates.blocks.players import YEAR, YEAR_SETTING, counted, players
from elo_xl.templates.blocks.ratings import rules_said
from elo_xl.templates.samples import MEMBERS, rows
from elo_xl.templates.samples import YEAR as SAMPLE_YEAR
from elo_xl.xlsx.formula import Node, to_text

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

DATE: Final = "yyyy\\-mm\\-dd"

K: Final = """
commands
    pictures k first

sheet k title:k_title freeze:rating
    note {said}
    table Factors rows:size
        no      0 center quiet          = row_number
        name    left strong 32          = Counted[@name]
        rating  0 center                = Counted[@rating]
        title   center 7                = cases(rating = "", "",
            IF(Counted[@games] = "", FALSE, Counted[@games] < 30), "",
            best >= 2300, "FM", best >= 2200, "CM", "")
        class   left 30                 = ELO_CLASS(rating, language)
        k       0 center strong text:factor = IF(Counted[@waits] = 1, "",
            own_k(Counted[@rating], Players[@k], Counted[@rule_k]))
        why     left quiet 33           = IF(Counted[@waits] = 1, t.reason_waits,
            reason(Counted[@name], Counted[@rating], Counted[@games], Counted[@age],
                   Counted[@peak], Players[@k], Counted[@rule_k]))
    names
        best = MAX(Counted[@rating], Counted[@peak])
"""

K_EXPLAINED: Final = """
sheet k
    notes about_classes
"""

FIRST: Final = """
sheet first titles:none down:1
    note about_first
    note bigger_games games=games
    cells left:2
        newcomer @ left input any
        answer 0 left answer text:first = IF(cell(Editions, "first", 1) = "", "–",
            cell(Editions, "first", 1))
    table Met rows:games gap:1
        no          0 center quiet 5   = row_number
        result      @ center input 12 result
        opponent    @ left input 34
        rating      0 center input 10 decimal:100..3999
        used        0 center 10         = IF(ISNUMBER(rating), IF(AND(rating > 0, rating < 4000),
                                                                  rating, ""), "")
        score       0.0 center 10       = cases(used = "", "", sign = 0, "",
            INDEX(Result_rated, sign) = 1, INDEX(Result_points, sign), "")
        check       left attention 10   = cases(AND(rating <> "", used = ""), t.check_rating,
            AND(result <> "", sign = 0), t.check_result,
            AND(result = "", used <> ""), t.check_missing,
            AND(result <> "", used = ""), t.check_opponent, "")
        # what Check says flows over these; the table below is as wide
        air1        heading:none        = EMPTY
        air2        heading:none        = EMPTY
    names
        sign = sign_of(result)
    marks
        result:rating   attention   check <> ""
        used            quiet       score = ""
"""

STEPS: Final = """
sheet first
    table Editions gap:1
        no          0 center quiet      = row_number
        name        left strong text:edition
        rule        left quiet
        since       center format:{date}
        average     0.0 center 10       = played((SUMIF(Met[score], ">=0", Met[used])
                                            + rules.first.draws * rules.first.against) / more)
        added       +0.0 center 10      = played(IF(rules.first.draws, dp,
                                            IF(half > 0, rules.first.per_half_point * half, dp)))
        computed    0 center 10         = ELO_INITIAL(Met[used], Met[score], rules.name)
        first       0 center strong 12  = published(computed, games, points)
        why         left quiet 24 text:reason = cases(games = 0, t.why_none,
            games < rules.first.games, t.why_few(games = rules.first.games),
            IF(rules.first.zero_counts, FALSE, points = 0), t.why_zero,
            computed < rules.first.floor, t.why_low(floor = rules.first.floor), t.why_good)
        games       0 helper text:rated_games = COUNT(Met[score])
        points      0.0 helper          = SUM(Met[score])
        part        0.00 helper         = played((points + rules.first.draws / 2) / more)
        half        +0 helper           = IF(rules.first.draws, EMPTY, played(2 * points - games))
        dp          +0 helper           = ELO_DIFF(part, "fide")
    names
        more = games + rules.first.draws
    pieces
        played(value) = IF(games = 0, "", value)
"""


def build(book: Book) -> None:
    """Declare all sheets."""
    front(book, YEAR_SETTING)
    players(book)
    for key in ("k", "first"):
        book.sheet(key)
    results(book)
    counted(book)
    book.sheets["steps"].set_up.titles = None
    book.names["k_title"] = "t.k_title"
    book.read(K, said=rules_said(book), language=f'"{book.options.language}"')
    book.sheets["k"].row += 1
    book.read(K_EXPLAINED)
    book.read(FIRST, games=book.options.rounds)
    sheet = book.sheets["first"]
    answer = book.singles["newcomer"].cells.row + 1
    sheet.height(answer, 2.4)
    sheet.edits.append(lambda ws: _unlined(ws, answer))
    title = EDITIONS[0].title.say(book.options.language)
    said = Formula(
        'IF(cell(Editions, "first", 1) = "", cell(Editions, "why", 1), '
        f'"{title} · " & t.column_rated_games & " " & cell(Editions, "games", 1))'
    )
    sheet.put(answer + 1, 3, said, "note", align="left", measure=False)
    sheet.height(answer + 1, 1.4)
    rows = [_edition(book, rules) for rules in EDITIONS]
    book.read(STEPS, data={"Editions": rows}, date=DATE)
    book.tables["Editions"].names.update(_clauses())


def _unlined(worksheet: Worksheet, answer: int) -> None:
    """Leave out the lines below the labels of the answer, which has none, and of what is above."""
    from openpyxl.styles import Border

    for row in (answer - 1, answer):
        worksheet.cell(row, 2).border = Border()


def _edition(book: Book, rules: Rulebook) -> dict[str, Constant]:
    """What stands in a row for good."""
    first = rules.first
    numbers = {f.name: str(getattr(first, f.name)).removesuffix(".0") for f in fields(first)}
    numbers = {key: book.number(n) for key, n in numbers.items()}
    rule = first.brief.say(book.options.language, **numbers) if first.brief else ""
    return {"name": rules.name, "since": rules.since, "rule": rule}


def _clauses() -> dict[str, Meaning]:
    """The clauses of the rulebook of a row, instead of the one of the book."""
    editions = list(map(clauses, EDITIONS))
    shared = set[str].intersection(*map(set, editions))
    return {name: by_row([_text(each[name]) for each in editions]) for name in sorted(shared)}


def _text(meaning: Meaning) -> str:
    return to_text(meaning) if isinstance(meaning, Node) else str(meaning)


def sample(options: Options) -> Content:
    """An invented club and the first nine games of one of its players."""
    signs = ("0", "½", "1", "½", "1", "+", "1", "1", "0")
    opponents = [member for member in MEMBERS[4:] if member.rating is not None]
    games = [
        {"opponent": member.name, "rating": member.rating, "result": sign}
        for member, sign in zip(opponents, signs, strict=False)
    ]
    return {
        YEAR: SAMPLE_YEAR,
        "Players": rows(MEMBERS[: options.players]),
        "newcomer": MEMBERS[9].name,
        "Met": games[: options.rounds],
    }
