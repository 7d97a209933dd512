"""The sheet *Entries* of a season, a table that grows, and the steps from its lines."""

from __future__ import annotations

from typing import Any, Final

from elo_xl.languages import LANGUAGES
from elo_xl.templates.forms import (
    TEXT,
    Cells,
    Form,
    block,
    finish,
    lines_above,
    list_object,
    mark,
    quoted,
    validate,
)
from elo_xl.templates.parts import WHOLE, Column, Formula, Sheet, Table, Value
from elo_xl.templates.sheets.history_content import (
    FIRST_DAY,
    HIGHEST,
    KEY,
    LAST_DAY,
    LOWEST,
    MOST_GAMES,
    MOST_LETTERS,
    USUAL_LINES,
    History,
)
from elo_xl.templates.text import GENERAL

TYPED: Final = {
    "date": "Entry_dates",
    "player": "Entry_players",
    "rating": "Entry_ratings",
    "games": "Entry_games",
}
"""What is typed in a line, and the names of its columns, down to the last line of the book."""

BEYOND: Final = 2000
"""Lines below the last one of the book in which something typed is noticed."""

SPARE, LEAST = 12, 24
"""Blank lines of the table at first, and its least lines."""

DATE_WIDTH: Final = 10.5

GAP: Final = 3
"""Rows from one table of *Steps* to the next."""


def escaped(cell: str) -> str:
    """Formula text of a name whose signs MATCH must not take for wildcards."""
    return f'SUBSTITUTE(SUBSTITUTE(SUBSTITUTE({cell},"~","~~"),"*","~*"),"?","~?")'


def local(table: Table, key: str) -> str:
    """All cells of a column as formulas of their own sheet write them."""
    return block(table, key).text(table.sheet, fixed=True)


class Entries:
    """What is typed, and on *Steps* what counts of it: lists, players, and a key of each line.

    Formulas read the lines by their places in the columns, so that inserting and deleting rows of
    the table leaves no gap and no broken reference.
    """

    def __init__(self, form: Form, history: History, sheet: Sheet, steps: Sheet) -> None:
        self.form, self.history, self.sheet = form, history, sheet
        self.dates = LANGUAGES[form.options.language].date_format
        self._typed()
        self._lists(steps, lines_above(form, steps, "steps"))

    def _typed(self) -> None:
        say, history, sheet = self.form.say, self.history, self.sheet
        made_for = say(
            "bigger_entries", lines=history.size, players=history.players, lists=history.lists
        )
        # a free row below the notes: the state of the lines stands there
        self.state = lines_above(self.form, sheet, "entries", say("note_entries"), made_for)
        columns = [
            Column("date", say("column_date"), self.dates, "center", "input", 13.0),
            Column("player", say("column_player"), TEXT, "left", "input", 28.0),
            Column("rating", say("column_rating"), WHOLE, "right", "input", 9.0),
            Column("games", say("column_played"), GENERAL, "right", "input", 9.0),
            Column("check", say("column_check"), align="left", width=self.form.widest("check_")),
        ]
        table = self.table = Table(sheet, columns, self.state + 2, history.size)
        for i, line in enumerate(history.lines):
            table.write(i, {key: getattr(line, key) for key in TYPED})
        for key, name in TYPED.items():
            self.form.define(name, table.range(key))
        first, last = table.column("date"), table.column("games")
        below = f"${first}${table.last + 1}:${last}${table.last + BEYOND}"
        self.form.define("Entries_beyond", sheet.reference(below))

    def _lists(self, steps: Sheet, top: int) -> None:
        """The dates of the lists, oldest first."""
        say, history, form = self.form.say, self.history, self.form
        columns = [
            Column("no", say("column_no"), WHOLE, role="quiet"),
            Column("date", say("column_date"), self.dates, "center", width=DATE_WIDTH),
            Column("lines", say("column_list_lines"), WHOLE),
            Column("single", say("column_single"), WHOLE),
        ]
        self.lists = Table(steps, columns, top, history.lists)
        form.define("List_dates", self.lists.range("date"))
        self.list_no = local(self.lists, "no")

    def fill(self, lines_top: int) -> None:
        """Write the lists and the steps of the lines, which begin at a row of *Steps*."""
        history, say = self.history, self.form.say
        steps = self.lists.sheet
        headings = {
            "no": "no",
            "typed": "is_typed",
            "date": "date",
            "name": "player",
            "rating": "rating",
            "games": "played",
            "day": "day",
            "list": "list",
            "who": "who",
            "first": "first_line",
            "count": "players",
            "player": "player_no",
            "key": "line_key",
            "used": "counts",
            "whose": "whose",
            "at": "at_list",
            "played": "counted_games",
            "check": "says",
        }
        columns = []
        for key, heading in headings.items():
            dated, worded = key in ("date", "day"), key in ("name", "who", "check")
            columns.append(
                Column(
                    key,
                    say(f"column_{heading}"),
                    self.dates if dated else WHOLE,
                    "left" if worded else "right",
                    "quiet" if key == "no" else "computed",
                    DATE_WIDTH if dated else 16.0 if worded else None,
                )
            )
        self.rows = Table(steps, columns, lines_top, history.size)
        self.form.define("Entry_checks", self.rows.range("check"))
        self.form.define("Entry_keys", self.rows.range("key"))
        days = local(self.rows, "day")
        for k in range(history.lists):
            if k == 0:
                text = f'=IF(COUNT({days})=0,"",MIN({days}))'
            else:
                above = self.lists.cell("date", k - 1)
                later = f'SMALL({days},COUNTIF({days},"<="&{above})+1)'
                text = f'=IF({above}="","",IF({above}>=MAX({days}),"",{later}))'
            date: Any = history.dates[k] if k < history.n else ""
            count, at = self.lists.cell("lines", k), self.rows.range("at").partition("!")[2]
            lines, days_ = local(self.lists, "lines"), local(self.lists, "date")
            single = f"IF({count}=1,IF(SUM({lines})>={USUAL_LINES}*COUNT({days_}),1,0),0)"
            made: dict[str, Value] = {
                "no": k + 1,
                "date": Formula(text, date),
                "lines": Formula(f"=COUNTIF({at},{k + 1})", history.of_list[k + 1]),
                "single": Formula(f"={single}", int(history.single(k + 1))),
            }
            self.lists.write(k, made)
        for i in range(history.size):
            self._line(i)
        self._state()
        self._finish()

    def _line(self, i: int) -> None:
        history, row, say = self.history, self.history.rows[i], self.form.say
        at = {key: self.rows.cell(key, i) for key in self.rows.columns}
        whole = {key: local(self.rows, key) for key in ("who", "count", "key")}
        typed = {key: f"INDEX({name},{at['no']})" for key, name in TYPED.items()}
        date, rating, games = typed["date"], typed["rating"], typed["games"]
        inside = f'IF(AND({date}>={FIRST_DAY},{date}<{LAST_DAY + 1}),INT({date}),"")'
        rated = f'IF(AND({rating}>={LOWEST},{rating}<={HIGHEST}),{rating},"")'
        whole_games = f'IF(AND({games}>=0,{games}<={MOST_GAMES},INT({games})={games}),{games},"")'
        good = ",".join(f'{at[key]}=""' for key in ("date", "name", "rating", "games"))
        number = f"INDEX({whole['count']},{at['first']})"
        above = f"{self.rows.cell('count', i - 1)}+" if i else ""
        check = quoted(say("check_again"))
        for test, key in (
            (f"{at['player']}=0", "players"),
            (f"{at['list']}=0", "lists"),
            (f'{at["games"]}=""', "games"),
            (f'{at["rating"]}=""', "rating"),
            (f'{at["name"]}=""', "player"),
            (f'{at["date"]}=""', "date"),
        ):
            check = f"IF({test},{quoted(say(f'check_{key}'))},{check})"
        single = f"INDEX({local(self.lists, 'single')},{at['at']})"
        hint = f'IF({at["at"]}=0,"",IF({single}=1,{quoted(say("check_single"))},""))'
        made: dict[str, tuple[str, Any]] = {
            "typed": (f'IFERROR(IF(TRIM({"&".join(typed.values())})="",0,1),0)', int(row.typed)),
            "date": (f'IFERROR(IF(ISNUMBER({date}),{inside},""),"")', row.date),
            "name": (f'IFERROR(LEFT(TRIM({typed["player"]}),{MOST_LETTERS}),"")', row.name),
            "rating": (f'IFERROR(IF(ISNUMBER({rating}),{rated},""),"")', row.rating),
            "games": (
                f'IFERROR(IF({games}="",0,IF(ISNUMBER({games}),{whole_games},"")),"")',
                row.games,
            ),
            "day": (f'IF(OR({good}),"",{at["date"]})', row.day),
            "list": (f'IF({at["day"]}="",0,IFERROR(MATCH({at["day"]},List_dates,0),0))', row.list),
            "who": (f'IF({at["list"]}=0,"",{at["name"]})', row.who),
            "first": (
                f'IF({at["who"]}="",0,IFERROR(MATCH({escaped(at["who"])},{whole["who"]},0),0))',
                row.first,
            ),
            "count": (f"{above}IF({at['first']}={at['no']},1,0)", row.count),
            "player": (
                f"IF({at['first']}=0,0,IF({number}<={history.players},{number},0))",
                row.player,
            ),
            "key": (f"IF({at['player']}=0,0,{at['list']}*{KEY}+{at['player']})", row.key),
            "used": (
                f"IF({at['key']}=0,0,IF(MATCH({at['key']},{whole['key']},0)={at['no']},1,0))",
                int(row.used),
            ),
            "whose": (f"{at['used']}*{at['player']}", row.player if row.used else 0),
            "at": (f"{at['used']}*{at['list']}", row.list if row.used else 0),
            "played": (f"IF({at['used']}=1,{at['games']},0)", row.games if row.used else 0),
            "check": (
                f"IF({at['typed']}={at['used']},{hint},{check})",
                say(row.check) if row.check else "",
            ),
        }
        cells: dict[str, Any] = {"no": i + 1}
        for key, (text, value) in made.items():
            cells[key] = Formula(f"={text}", "" if value is None else value)
        self.rows.write(i, cells)

    def _state(self) -> None:
        """How many lines count, and the first one that does not: it is seen where the table with
        its column *Check* has not grown by itself, too."""
        say, rows = self.form.say, self.history.rows
        typed, used, check = (self.rows.range(key) for key in ("typed", "used", "check"))
        wrong = sum(row.typed and not row.used for row in rows)
        counted = say("state_counted") + " "
        others, look = (f" · {say(key)} " for key in ("state_wrong", "state_row"))
        value = f"{counted}{sum(row.used for row in rows)}{others}{wrong}"
        text = f"{quoted(counted)}&SUM({used})&{quoted(others)}&(SUM({typed})-SUM({used}))"
        # the first cell with a text of at least one letter
        found = f'MATCH("?*",{check},0)'
        row = f"(ROW($A${self.table.header})+{found})"
        first = f'{quoted(look)}&{row}&": "&INDEX({check},{found})'
        text += f'&IF(SUM({typed})=SUM({used}),"",IFERROR({first},""))'
        text += f'&IF(COUNTA(Entries_beyond)=0,""," · "&{quoted(say("state_beyond"))})'
        if wrong:
            i, key = next((i, row.check) for i, row in enumerate(rows, start=1) if row.check)
            value += f"{look}{self.table.header + i}: {say(key)}"
        where = self.state, 1
        self.sheet.write(*where, Formula(f"={text}", value), "label", measure=False)
        mark(
            Cells(self.sheet, self.state, 1),  # its text runs over the next cells
            "OR(SUM(Entries_typed)<>SUM(Entries_used),COUNTA(Entries_beyond)>0)",
        )
        self.form.define("Entries_typed", typed)  # rules of marks read no other sheet's cells
        self.form.define("Entries_used", used)

    def _finish(self) -> None:
        form, table, sheet = self.form, self.table, self.sheet
        beyond = quoted(form.say("check_beyond"))
        text = f"IFERROR(INDEX(Entry_checks,ROW()-ROW($A${table.header})),{beyond})"
        at = table.columns["check"][0]
        filled = max(
            (i for i, row in enumerate(self.history.rows, start=1) if row.typed), default=0
        )
        size = min(max(filled + SPARE, LEAST), self.history.size)
        for i in range(size):
            key = self.history.rows[i].check
            value = Formula(f"={text}", form.say(key) if key else "")
            table.put("check", i, value, "attention")
        list_object(table, "Rating_entries", rows=size, formulas={"check": text})
        low, high = map(str, (FIRST_DAY, LAST_DAY))
        validate(form, block(table, "date"), "date", kind="decimal", first=low, second=high)
        validate(
            form,
            block(table, "player"),
            "player",
            kind="list",
            first="Season_players",
            strict=False,
        )
        low, high = map(str, (LOWEST, HIGHEST))
        validate(form, block(table, "rating"), "rating", kind="decimal", first=low, second=high)
        validate(
            form, block(table, "games"), "played", kind="whole", first="0", second=str(MOST_GAMES)
        )
        wrong = f'INDEX(Entry_checks,ROW()-ROW($A${table.header}))<>""'
        mark(block(table, "date", "games"), wrong)
        finish(
            sheet,
            freeze=table.cell("date", 0),
            titles=(1, table.header),
            upright=True,
            stretch=at,
            lock=False,
        )
        table.fit_header()
