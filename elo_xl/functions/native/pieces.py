"""The pieces of native formulas: they are in lower case, the spreadsheet's functions in capitals.

Tables and rulebooks are read from the engine, so that none of their numbers is typed twice. A piece
that is itself a formula is in :data:`PIECES`; one that must examine its arguments, or that LAMBDA
and inlined formulas write differently, is a method of :class:`NativeForm`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache, partial, reduce
from typing import Final

from elo_xl.engine import results
from elo_xl.engine.arrays import round_half_away
from elo_xl.engine.models import LAST, SD, differences_by_percent, hundredths_by_difference
from elo_xl.engine.rulebooks import RULEBOOKS, Rulebook, rulebook
from elo_xl.engine.rulebooks.clauses import Clause, First
from elo_xl.functions.native.reduce import EMPTY, MISSING, Clipped, Reducer, Rule, array, let
from elo_xl.functions.ratings import CLASS_NAMES, CLASSES_FROM
from elo_xl.languages import CODES
from elo_xl.xlsx.folding import ZERO, Env, Piece, number_of, replaced, tree_of
from elo_xl.xlsx.formula import FALSE, TRUE, Binary, Call, Constant, Name, Node, Number, Text, parse


def formula_of(clause: Clause, *, long: bool = False) -> Node:
    """The formula of a clause; of a first rating with all its steps. It may be ``long``.

    >>> from elo_xl.engine.rulebooks import rulebook
    >>> from elo_xl.xlsx.formula import to_text
    >>> to_text(formula_of(rulebook("fide-2024-03").difference))
    'clip(d,400)'
    """
    node = with_numbers((long and clause.long) or clause.native() or "#VALUE!", clause)
    if isinstance(clause, First):
        for name, step in reversed(clause.steps):
            node = replaced(node, name, with_numbers(step, clause))
    return node


def with_numbers(formula: str, clause: Clause) -> Node:
    """A formula in which ``my.cap`` stands for the field ``cap`` of a clause."""
    node = parse(formula)
    for f in fields(clause):
        value = getattr(clause, f.name)
        if value is None or isinstance(value, (bool, int, float, str)):
            node = replaced(node, f"my.{f.name}", constant(value, MISSING))
    return node


def constant(value: object, none: Node) -> Node:
    """The tree of a number, a truth value or a text; ``none`` replaces None."""
    assert value is None or isinstance(value, (bool, int, float, str))
    return none if value is None else tree_of(value)


#: By family of clauses, the names of which its formulas are made.
PARAMETERS: Final = {
    "counts": ("rating", "opponent"),
    "difference": ("d", "rating", "opponent"),
    "expected": ("d",),
    "k": ("rating", "games", "age", "peak", "period_games"),
    "change": ("rating", "k", "games", "age", "peak", "home", "index"),
    "first": ("start",),
    "rounding": ("rating", "change", "peak"),
}

_AUTO: Final = Text("auto")

MOST_TEXT: Final = 255
"""The largest number of characters of a text constant in a formula."""

PIECES: Final = {
    "expected": Piece.typed(
        "d model",
        f"""
        IF(model = "normal", NORMSDIST(d / ({SD:g} * SQRT(2))),
        IF(model = "logistic", 1 / (1 + 10 ^ (-d / 400)),
        IF(model = "rescaled", 1 / (1 + EXP(-d / (100 * SQRT(PI())))),
        IF(model = "fide", table_812(d) / 100, #VALUE!))))
        """,
    ),
    "difference": Piece.typed(
        "p model",
        f"""
        IF(model = "normal", {SD:g} * SQRT(2) * NORMSINV(p),
        IF(model = "logistic", 400 * (LOG10(p) - LOG10(1 - p)),
        IF(model = "rescaled", 100 * SQRT(PI()) * (LN(p) - LN(1 - p)),
        IF(model = "fide", table_811(100 * p), #VALUE!))))
        """,
    ),
    # rounds halves up, even those that binary arithmetic leaves slightly too small
    "half_up": Piece.typed("x", "ROUND(x + 1E-9, 0)"),
    "row_of": Piece.typed("x rows", "MATCH(half_up(x), rows)"),
    "hundredths": Piece.typed("d rows", "50 + SIGN(d) * (row_of(ABS(d), rows) - 1)"),
    "cut": Piece.typed("x limit where", "x - where * (x > limit) * (x - limit)"),
    "some_cut": Piece.typed(
        "d limit where rows", "50 + SIGN(d) * (row_of(cut(ABS(d), limit, where), rows) - 1)"
    ),
    "larger": Piece.typed("a b", "IF(a > b, a, b)"),
    "smaller": Piece.typed("a b", "IF(a < b, a, b)"),
    "given_larger": Piece.typed("a b", 'IF((b > a) * (b <> ""), b, a)'),
    "within": Piece.typed("x limit", "IF(x > limit, limit, IF(x < -limit, -limit, x))"),
    "within_where": Piece.typed("x limit where", "SIGN(x) * cut(ABS(x), limit, where)"),
    "symmetric": Piece.typed("p dp", "SIGN(p - 50) * INDEX(dp, 1, 1 + ABS(p - 50))"),
    "lookup_dp": Piece.typed("p steps dp", "SIGN(p - 50) * LOOKUP(ABS(p - 50), steps, dp)"),
    "curve": Piece.typed(
        "d model", 'IF(model = "normal", expected(d, "normal"), expected(d, "logistic"))'
    ),
    # the rating whose expected total is the score, between weakest and strongest opponent
    "root": Piece.typed(
        "model",
        """
        LET(p, points / played, gap, IF(model = "normal", difference(p, "normal"),
                difference(p, "logistic")),
            width, highest_met - lowest,
            REDUCE(lowest + gap + width / 2, SEQUENCE(60), LAMBDA(guess, step,
                guess + width / 2 ^ (step + 1)
                    * IF(sum_games(curve(guess - opponent, model)) < points, 1, -1))))
        """,
    ),
    # given the number of wins, the draws are binomial over the remaining games
    "match_sum": Piece.typed(
        "points own even other cumulative",
        """
        LET(wide, (points < 0) + (games < 0) + (own < 0) + (even + other < 0),
            MAP(2 * points + wide, games + wide, own + wide, IF(even + other = 0, 0,
                even / (even + other)) + wide, LAMBDA(halves, rounds, win_one, draw_rest,
            LET(first, IF(cumulative, 0, IF(halves > rounds, halves - rounds, 0)),
                wins, SEQUENCE(INT(halves / 2) - first + 1, 1, first),
                left, rounds - wins, drawn, halves - 2 * wins,
                SUM(BINOM.DIST(wins, rounds, win_one, FALSE)
                    * BINOM.DIST(IF(drawn > left, left, drawn), left, draw_rest, cumulative))))))
        """,
    ),
}


class NativeForm(ABC):
    """The common part of LAMBDA and inlined formulas."""

    long = False
    """whether formulas may be longer than a name in a workbook"""

    def __init__(self, *, keep: bool, arrays: bool, names: Env) -> None:
        self.reducer = Reducer(
            keep=keep, arrays=arrays, pieces=PIECES, rules=self.rules(), names=names
        )
        self.plain = not (keep or arrays)
        self.inside_sums = False

    def rules(self) -> Mapping[str, Rule]:
        """The pieces that are methods of this class, by name."""
        return {
            "given": self.given,
            "present": lambda argument: FALSE if argument == MISSING else TRUE,
            "either": lambda *conditions: self.reducer.either(*conditions),
            "both": lambda *conditions: self.reducer.both(*conditions),
            "clip": self.clip,
            "greatest": lambda a, b: self._of_two("MAX", "larger", a, b),
            "least": lambda a, b: self._of_two("MIN", "smaller", a, b),
            "highest": self.highest,
            "table_812": self.table_812,
            "row_812": self.row_812,
            "table_811": self.table_811,
            "rule": self.rule,
            **{f"{family}_under": partial(self.under, family) for family in PARAMETERS},
            "change_under": self.change_under,
            "update_under": self.update_under,
            "known_rules": lambda: array(list(RULEBOOKS)),
            "class_name": self.class_name,
            "scored": self.scored,
            "draw_kind": self.draw_kind,
            "drawn_by": self.drawn_by,
            "draw_size": self.draw_size,
            "place": self.place,
            "nth": self.nth,
            "sum_games": self.sum_games,
            "most_games": self.most_games,
            "too_many": self.too_many,
            "sum_squares": self.sum_squares,
        }

    def given(self, argument: Node) -> Node:
        """Whether an optional argument was given."""
        if argument == MISSING:
            return FALSE
        return self.reducer.binary("<>", argument, EMPTY)

    def clip(self, x: Node, limit: Node, where: Node = TRUE) -> Node:
        """The number limited to ±limit where a condition holds."""
        if where == TRUE and not self.inside_sums:
            return self.reducer.apply(PIECES["within"], (x, limit))
        return self.reducer.apply(PIECES["within_where"], (x, limit, where))

    def _of_two(self, function: str, piece: str, a: Node, b: Node) -> Node:
        known = number_of(a), number_of(b)
        if known[0] is not None and known[1] is not None:
            return tree_of((max if function == "MAX" else min)(known[0], known[1]))
        if self.plain:
            return Call(function, (a, b))
        return self.reducer.apply(PIECES[piece], (a, b))

    def highest(self, a: Node, b: Node) -> Node:
        """The larger of two numbers, the second of which may be blank."""
        if b == MISSING:
            return a
        return self._of_two("MAX", "given_larger", a, b)

    @abstractmethod
    def is_one_value(self, node: Node) -> bool:
        """Whether a part of the formula is known to be one value."""

    def table_812(self, d: Node) -> Node:
        """Table 8.1.2 in hundredths.

        Each row of the table is one hundredth above the row before, so its number is enough.
        """
        limit: Node = MISSING
        where: Node = TRUE
        if isinstance(d, Clipped) and number_of(d.limit) is not None:
            limit, where, d = d.limit, d.where, d.number
        cut = number_of(limit)
        whole, apply = self.rows(), self.reducer.apply
        if limit == MISSING:
            return apply(PIECES["hundredths"], (d, whole))
        if cut is None or not (where == TRUE or (self.plain and self.is_one_value(where))):
            return apply(PIECES["some_cut"], (d, limit, where, whole))
        short = self.rows(cut)
        rows = short if where == TRUE else Call("IF", (where, short, whole))
        return apply(PIECES["hundredths"], (d, rows))

    def row_812(self, x: Node) -> Node:
        """The row of table 8.1.2 for a difference of at least 0."""
        known = number_of(x)
        if known is not None:
            return tree_of(sum(t <= float(round_half_away(known)) for t in thresholds()))
        return self.reducer.apply(PIECES["row_of"], (x, self.rows()))

    def rows(self, limit: float = LAST) -> Node:
        """The differences at which the rows of table 8.1.2 begin, up to a limit."""
        begins = [float(t) for t in thresholds() if t <= round_half_away(limit)]
        # LibreOffice 25.2 never finds the last number of an array constant, so it gets one more.
        return array(begins if self.reducer.keep else [*begins, 1e99])

    def table_811(self, percent: Node) -> Node:
        """Table 8.1.1: the difference for a percentage, which is rounded first."""
        p = self.reducer.apply(PIECES["half_up"], (percent,))
        dp = array(differences_by_percent()[50:].tolist())
        if self.reducer.keep or self.plain:
            return self.reducer.apply(PIECES["symmetric"], (p, dp))
        return self.reducer.apply(PIECES["lookup_dp"], (p, array(range(51)), dp))

    def rule(self, rules: Node, field: Node, none: Node = MISSING) -> Node:
        """A number or name of a rulebook; ``none`` replaces None and a number that it lacks."""
        assert isinstance(field, Text)
        *clauses, name = field.value.split(".")

        def value(book: Rulebook) -> Node:
            owner = getattr(book, clauses[0]) if clauses else book
            return constant(getattr(owner, name, None), none)

        return self._by_rulebook(rules, value)

    def under(self, family: str, rules: Node, *arguments: Node) -> Node:
        """A clause of a rulebook, of the names of its family."""
        return self._by_rulebook(rules, lambda book: self._clause(book, family, arguments))

    def change_under(self, rules: Node, rating: Node, k: Node, *others: Node) -> Node:
        """The change of a period; "auto" stands for the rulebook's own K."""
        if not self.reducer.keep:

            def changed_by(book: Rulebook) -> Node:
                one = {book.name: book}
                return self._change(rules, one, rating, self._factor(book, k), *others)

            return self._by_rulebook(rules, changed_by)
        # the K factors of all rulebooks stand in ELO_K: a formula has at most 8,000 characters
        name = self.reducer.fresh("factor")
        known = [self.reducer.reduce(Name(x), {}) for x in ("games", "age", "peak", "played")]
        factor = self.reducer.typed(
            "IF(k = auto, IF(some, own, 0), IF(taken, k, #VALUE!))",
            k=k,
            auto=_AUTO,
            some=self._whether(rules, lambda book: bool(book.k.native())),
            own=Call("ELO_K", (rating, *known, rules)),
            taken=self._whether(rules, lambda book: book.change.takes_k),
        )
        # rulebooks with the same clause of changes share its formula
        alike: dict[Clause, dict[str, Rulebook]] = {}
        for own, book in self._books(rules).items():
            alike.setdefault(book.change, {})[own] = book
        *others_, last = alike.values()
        changed = self._change(rules, last, rating, Name(name), *others)
        for books in others_:
            chosen = self._one_of(rules, books)
            one = self._change(rules, books, rating, Name(name), *others)
            changed = Call("IF", (chosen, one, changed))
        return let([(name, factor)], changed)

    def update_under(self, rules: Node, rating: Node, k: Node, *others: Node) -> Node:
        """The rating after that change."""

        peak = others[PARAMETERS["change"].index("peak") - 2]

        def updated(one: Node) -> Node:
            changed = self.change_under(one, rating, k, *others)
            return self.under("rounding", one, rating, changed, peak)

        if not self.reducer.keep:
            return self._by_rulebook(rules, lambda book: updated(Text(book.name)))
        name = self.reducer.fresh("gain")
        if self.long:  # the lists themselves are at hand there
            lists = Name("opponents"), Name("scores")
            changed: Node = Call("ELO_CHANGE", (rating, k, *lists, rules, *others))
        else:
            changed = self.change_under(rules, rating, k, *others)
        return let([(name, changed)], self.under("rounding", rules, rating, Name(name), peak))

    def _factor(self, book: Rulebook, k: Node) -> Node:
        """K as it is given, or the rulebook's own; #VALUE! for what the rulebook does not take."""
        given = k if book.change.takes_k else Constant("#VALUE!")
        if k != _AUTO or not book.change.native():
            return given  # a cell holds a number
        names = ("rating", "games", "age", "peak", "played")
        known = [self.reducer.reduce(Name(name), {}) for name in names]
        return self._clause(book, "k", known) if book.k.native() else ZERO

    def _whether(self, rules: Node, known: Callable[[Rulebook], bool]) -> Node:
        """Whether something is true of the rulebook that is named."""
        return self._by_rulebook(rules, lambda book: TRUE if known(book) else FALSE)

    def _books(self, rules: Node) -> dict[str, Rulebook]:
        """The rulebooks that may be meant."""
        if isinstance(rules, Text):
            book = rulebook(rules.value)
            return {book.name: book}
        return RULEBOOKS

    def _one_of(self, rules: Node, names: Iterable[str]) -> Node:
        """Whether one of these rulebooks is named; all of one federation by how names begin."""
        left, conditions = dict.fromkeys(names), []
        for name in list(left):
            editions = [other for other in RULEBOOKS if f"{other}-".startswith(f"{name}-")]
            if len(editions) > 2 and left.keys() >= set(editions):
                begins = Call("LEFT", (rules, Number(str(len(name)))))
                conditions.append(self.reducer.binary("=", begins, Text(name)))
                left = {other: None for other in left if other not in editions}
        conditions += [self.reducer.binary("=", rules, Text(name)) for name in left]
        return self.reducer.either(*conditions)

    def _by_rulebook(self, rules: Node, made: Callable[[Rulebook], Node]) -> Node:
        """What is made of the rulebook that is named."""
        return self._chosen(rules, self._books(rules), made)

    def _chosen(
        self, rules: Node, books: Mapping[str, Rulebook], made: Callable[[Rulebook], Node]
    ) -> Node:
        """What is made of the one that is named; rulebooks with the same result share it."""
        results: dict[Node, list[str]] = {}
        taken = set(self.reducer.taken)
        for name, book in books.items():
            # only one of them is computed, so all may use the same names
            self.reducer.taken = set(taken)
            results.setdefault(made(book), []).append(name)
        usual = max(results, key=lambda result: len(results[result]))
        chosen = usual
        for result, names in results.items():
            if result == usual:
                continue
            condition = self._one_of(rules, names)
            if {result, chosen} == {TRUE, FALSE}:
                chosen = condition if result == TRUE else Call("NOT", (condition,))
            else:
                chosen = Call("IF", (condition, result, chosen))
        return chosen

    def _clause(self, book: Rulebook, family: str, arguments: Sequence[Node]) -> Node:
        clause = getattr(book, family)
        formula = formula_of(clause, long=self.long)
        if formula == Constant("#VALUE!"):
            return formula
        return self.reducer.apply(Piece(PARAMETERS[family], formula), arguments)

    def _change(self, rules: Node, books: Mapping[str, Rulebook], *arguments: Node) -> Node:
        """A change under rulebooks that have the same clause of it.

        In its formula the other clauses have the names of their families.
        """
        clause = next(iter(books.values())).change
        own = formula_of(clause, long=self.long)
        if Constant("#VALUE!") in (own, arguments[1]):
            return Constant("#VALUE!")

        def chosen(made: Callable[[Rulebook], Node]) -> Node:
            return self._chosen(rules, books, made)

        def formula(family: str) -> Node:
            return chosen(lambda book: formula_of(getattr(book, family)))

        env: dict[str, Node | Piece] = {
            family: Piece(PARAMETERS[family], formula(family))
            for family in ("counts", "difference", "expected")
        }
        env |= {
            "unit": chosen(lambda book: tree_of(book.expected.unit)),
            "all_rated": TRUE if all(b.counts.all_rated for b in books.values()) else FALSE,
            "upgrade": Piece(
                (), chosen(lambda b: with_numbers(b.difference.upgrade, b.difference))
            ),
        }
        piece = Piece(PARAMETERS["change"], own, env)
        return self.reducer.apply(piece, arguments)

    def class_name(self, rating: Node, language: Node) -> Node:
        """The class of a rating, in any language."""
        result: Node = Constant("#VALUE!")
        begins = array([-1e99, *CLASSES_FROM])
        for known in reversed(CODES):
            names = array([name.say(known) for name in CLASS_NAMES])
            found = Call("LOOKUP", (rating, begins, names))
            chosen = self.reducer.binary("=", language, Text(known))
            result = self.reducer.typed(
                "IF(chosen, found, other)", chosen=chosen, found=found, other=result
            )
        return result

    @abstractmethod
    def scored(self, result: Node, side: Node) -> Node:
        """The score of a result as organizers type it."""

    @abstractmethod
    def draw_kind(self, draws: Node) -> Node:
        """How games are drawn: "split", "margin", "davidson" or "rao-kupper"."""

    def drawn_by(self, draws: Node, kind: Node) -> Node:
        """Whether games are drawn that way."""
        return self.reducer.binary("=", self.draw_kind(draws), kind)

    @abstractmethod
    def draw_size(self, draws: Node) -> Node:
        """The draw margin or the parameter of a draw model; empty text for "split"."""

    @abstractmethod
    def nth(self, row: Node, i: Node) -> Node:
        """One of the numbers of an argument that may be a row of them."""

    @abstractmethod
    def sum_games(self, value: Node) -> Node:
        """The sum over all games that count."""

    @abstractmethod
    def most_games(self, value: Node) -> Node:
        """The largest value of the games that count, or 0."""

    @abstractmethod
    def too_many(self) -> Node:
        """Whether there are more points than games."""

    def sum_squares(self, row: Node, width: Node) -> Node:
        """The sum of the squares of all numbers of such an argument."""
        result: Node | None = None
        for i in range(int(number_of(width) or 0)):
            square = Binary("^", self.nth(row, tree_of(i + 1)), tree_of(2))
            result = square if result is None else Binary("+", result, square)
        return result or tree_of(0)

    def place(self, text: Node) -> Node:
        """The position of a text in normal form among all known results; #VALUE! if unknown."""
        blank = Text(" ")
        wanted = Binary("&", Binary("&", blank, text), blank)
        return Call("FIND", (wanted, long_text(spellings()[0])))


@cache
def thresholds() -> tuple[int, ...]:
    """The differences at which the rows of table 8.1.2 begin, from 0.50 to 1.00."""
    values = hundredths_by_difference()[: LAST + 1].tolist()
    begins = tuple(d for d in range(LAST + 1) if d == 0 or values[d] != values[d - 1])
    if [values[d] for d in begins] != list(range(50, 101)):
        raise AssertionError("table 8.1.2 does not have one row per hundredth")
    return begins


@cache
def spellings() -> tuple[str, tuple[int, ...]]:
    """All known results between blanks, and where unplayed ones, wins, draws and losses begin.

    The unplayed ones begin with a blank text, between two blanks.
    """
    groups: dict[float | None, list[str]] = {None: [], 1.0: [], 0.5: [], 0.0: []}
    for text, codes in results.SPELLINGS.items():
        if codes not in results.PENALTIES.values():
            groups[results.read_result(text)[0]].append(text)
    text, begins = " ", []
    for words in groups.values():
        begins.append(len(text))
        text += " ".join(words) + " "
    return text, tuple(begins)


def alike() -> Iterator[tuple[Node, Text]]:
    """The characters that make no difference in results, and what stands for them, as texts.

    A blank that nobody sees is written by its number.
    """
    for one, characters in results.ALIKE.items():
        for character in characters:
            hidden = character.isspace() and character != " "
            code = Call("UNICHAR", (tree_of(ord(character)),))
            yield code if hidden else Text(character), Text(one)


def long_text(text: str) -> Node:
    """A text constant, joined from several if it is longer than one may be."""
    parts: list[Node] = []
    while text:
        size = len(text)
        if size > MOST_TEXT:
            size = text.rfind(" ", 0, MOST_TEXT) + 1 or MOST_TEXT
        parts.append(Text(text[:size]))
        text = text[size:]
    return joined(parts)


def joined(parts: Sequence[Node]) -> Node:
    """Texts one after the other as one text."""
    first, *others = parts or [EMPTY]
    return reduce(lambda one, other: Binary("&", one, other), others, first)
