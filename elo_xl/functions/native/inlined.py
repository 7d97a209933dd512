"""A worksheet function as an expression with its arguments in their places.

An organizer who opens a cell should be able to read the formula: an option that is known when the
formula is written leaves no trace, and the formula does not check what cannot happen.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from elo_xl.engine.models import read_model
from elo_xl.engine.outcomes import MARGIN, SPLIT, read_draws
from elo_xl.functions.arguments import (
    Anything,
    Argument,
    NumberArgument,
    NumberOrRow,
    Numbers,
    Option,
    Rating,
)
from elo_xl.functions.catalogue import Function, find
from elo_xl.functions.native.given import (
    NUM,
    VALUE,
    Checks,
    GameColumns,
    GivenKind,
    InlineArgument,
    Lists,
    read_arguments,
)
from elo_xl.functions.native.lambdas import domain_of
from elo_xl.functions.native.pieces import NativeForm, alike, spellings
from elo_xl.functions.native.reduce import (
    EMPTY,
    MISSING,
    Clipped,
    NumberRow,
    OptionCell,
    array,
    clipped,
    number_row,
    option_cell,
)
from elo_xl.xlsx.folding import ZERO, Env, Piece, number_of, sign, tree_of
from elo_xl.xlsx.formula import (
    FALSE,
    TRUE,
    Binary,
    Call,
    Node,
    Reference,
    Text,
    Unary,
    parse,
    rebuilt,
    to_text,
    walk,
)
from elo_xl.xlsx.stored import stored as stored_form

SHARED: Final = frozenset(
    re.findall(
        r"\S+",
        """
    ABS AND AVERAGEIF AVERAGEIFS BINOM.DIST CLEAN COUNTIF COUNTIFS EXP FIND IF INDEX INT ISNA
    ISNUMBER ISTEXT LEFT LEN LN LOG10 LOOKUP LOWER MATCH MAX MEDIAN MID MIN MOD N NORMSDIST NORMSINV
    OR PI ROUND ROW SIGN SQRT SUBSTITUTE SUMIF SUMIFS SUMPRODUCT T UNICHAR VALUE
    """,
    )
)
"""The functions of inlined formulas: Excel 2016, LibreOffice and Google Sheets have them."""

#: Marks the place of an argument in a finished formula: a letter that nobody types.
_MARK: Final = "\u01c0"
_SLOT: Final = re.compile(f"{_MARK}([0-9]+){_MARK}")


class NoInlinedFormError(LookupError):
    """A function, or one of its options, needs more than the built-in functions of Excel 2016."""


def inline(
    name: str,
    *given: InlineArgument,
    column: str | None = None,
    checks: Checks = "all",
    stored: bool = False,
    **named: InlineArgument,
) -> str:
    """A worksheet function's formula for certain arguments, without ``=``.

    >>> inline("ELO_EXPECTED", "B2", "C2", checks="none")
    'NORMSDIST((B2-C2)/(200*SQRT(2)))'
    >>> inline("ELO_NEW", rating="B2", k="C2", score="D2", expected="E2", checks="blanks")
    'IF(OR(B2="",B2=0,C2="",D2="",E2=""),"",B2+C2*(D2-E2))'

    Arguments are given in order, None for an omitted one, or by name. A text is a formula, usually
    a cell or range; a number, or the name of an option, plain or in quotes, is a constant, which
    shortens the formula to what it needs; behind ``=`` a word is a name. Lists of opponents and
    scores are ranges; a single cell or a number beside a range of opponents is the total score. A
    name, or a table's column, counts as a range.

    ``checks`` says what the formula checks: ``"all"`` checks what all hosts do, ``"blanks"`` only
    blank cells and empty texts, ``"none"`` only blank cells in lists. ``column`` is the heading of
    the cell if the function gives several. ``stored`` gives the form for a file.

    Raises LookupError for an unknown name, NoInlinedFormError if there is no such formula, and
    ValueError for arguments that are wrong whatever the cells hold.
    """
    function = find(name)
    arguments = read_arguments(function, given, named)
    template = _template(name.upper(), tuple(a.kind for a in arguments), column, checks, stored)
    texts = [stored_form(a.text) if stored else a.text for a in arguments]
    return "".join(texts[part] if isinstance(part, int) else part for part in template)


@lru_cache(maxsize=2048)
def _template(
    name: str, kinds: tuple[GivenKind, ...], column: str | None, checks: Checks, stored: bool
) -> tuple[str | int, ...]:
    """The formula in parts: texts, and between them the numbers of the arguments."""
    node = _Inlined(find(name), kinds, checks).formula(column)
    text = to_text(node)
    parts = _SLOT.split(stored_form(text) if stored else text)
    return tuple(int(part) if i % 2 else part for i, part in enumerate(parts) if part)


class _InlineForm(NativeForm):
    """The pieces as an inlined formula writes them."""

    def __init__(
        self, *, arrays: bool, names: Env, lists: Lists | GameColumns | None, ranges: set[str]
    ) -> None:
        self.lists = lists
        self.ranges = ranges
        super().__init__(keep=False, arrays=arrays, names=names)

    def nth(self, row: Node, i: Node) -> Node:
        if not isinstance(row, NumberRow):
            return row
        one = row.arguments[int(number_of(i) or 1) - 1]
        assert one is not None
        return one

    def draw_kind(self, draws: Node) -> Node:
        return Text(read_draws(draws.value, "normal").kind if isinstance(draws, Text) else MARGIN)

    def drawn_by(self, draws: Node, kind: Node) -> Node:
        """A cell holds the default or a margin: with another draw model's name it is #VALUE!."""
        if not isinstance(draws, OptionCell):
            return super().drawn_by(draws, kind)
        return self.reducer.binary("=", draws, kind) if kind == draws.default else FALSE

    def draw_size(self, draws: Node) -> Node:
        if not isinstance(draws, Text):
            return draws
        kind, size = read_draws(draws.value, "normal")
        return EMPTY if kind == SPLIT else tree_of(size.item())

    def sum_squares(self, row: Node, width: Node) -> Node:
        if isinstance(row, NumberRow):
            return super().sum_squares(row, width)
        return self.reducer.typed("width * one ^ 2", width=width, one=row)

    def is_one_value(self, node: Node) -> bool:
        return not any(isinstance(n, Reference) and n.text in self.ranges for n in walk(node))

    def given(self, argument: Node) -> Node:
        if isinstance(argument, OptionCell):
            return self.reducer.binary("<>", argument.cell, EMPTY)
        return super().given(argument)

    def clip(self, x: Node, limit: Node, where: Node = TRUE) -> Node:
        """Leave the limit to :meth:`finish`, because a table simply ends at it."""
        return clipped(x, limit, where)

    def sum_games(self, value: Node) -> Node:
        assert self.lists is not None
        return Call("SUMPRODUCT", (self.reducer.binary("*", self.lists.counted, value),))

    def most_games(self, value: Node) -> Node:
        assert self.lists is not None
        product = self.reducer.binary("*", self.lists.counted, value)
        return Call("SUMPRODUCT", (Call("MAX", (product,)),))

    def too_many(self) -> Node:
        assert self.lists is not None
        return self.lists.too_many

    def scored(self, result: Node, side: Node) -> Node:
        tidy: Node = Call("CLEAN", (Call("LOWER", (result,)),))
        for old, new in alike():
            tidy = Call("SUBSTITUTE", (tidy, old, new))
        return self.reducer.typed(
            """
            IF(ISNUMBER(result), IF(either(result = 1, result = 0.5, result = 0),
                IF(side - 2 = 0, 1 - result, result), #NUM!),
            LOOKUP(place(tidy), begins, IF(side - 2 = 0, second, first)))
            """,
            result=result,
            side=side,
            tidy=tidy,
            begins=array(spellings()[1]),
            first=array(["", 1, 0.5, 0]),
            second=array(["", 0, 0.5, 1]),
        )

    def finish(self, node: Node | None) -> Node:
        """Finish a reduced formula: replace the nodes of our own by functions, from the top."""
        assert node is not None
        match node:
            case Clipped(number=x, limit=limit, where=where):
                if self.plain and where == TRUE and self.is_one_value(x):
                    # MEDIAN ignores a cell with text, so a reference to the cell does not suffice
                    known = number_of(limit) is not None
                    high = limit if known else Unary("-", Unary("-", limit))
                    return Call("MEDIAN", (sign("-", limit), self.finish(x), high))
                self.inside_sums = self.lists is not None
                return self.finish(super().clip(x, limit, where))
            case OptionCell(cell=cell):
                return cell
        return rebuilt(node, self.finish)


class _Inlined:
    """One function with arguments of given kinds."""

    def __init__(self, function: Function, kinds: tuple[GivenKind, ...], checks: Checks) -> None:
        native = function.native
        if native is None or not native.formula or native.whole:
            reason = native.reason if native else ""
            raise NoInlinedFormError(f"{function.name} has no inlined form: {reason}".rstrip(": "))
        self.function, self.native, self.checks = function, native, checks
        self.kinds = dict(zip([a.name for a in function.arguments], kinds, strict=True))
        self.cells = {
            a.name: Reference(f"{_MARK}{i}{_MARK}")
            for i, (a, kind) in enumerate(zip(function.arguments, kinds, strict=True))
            if kind.constant is None
        }
        self.ranges = {c.text for n, c in self.cells.items() if self.kinds[n].range}
        self.single = [a for a in function.arguments if not a.whole]
        self.lists = self._lists()
        several = [a.name for a in self.single if self.kinds[a.name].range]
        if self.lists and several:
            raise ValueError(f"{several[0]} must be one cell beside lists of games")
        if native.inlined_let and several:  # its own sums take the place of ranges
            raise ValueError(f"{several[0]} must be one cell in {function.name}")
        self.names: dict[str, Node | Piece] = self.lists.names if self.lists else {}
        self.names |= {a.name: self._value(a) for a in self.single}
        for a in self.single:
            if isinstance(a, Option) and a.scale:
                model = self.names[a.name]
                curve, wide = read_model(model.value) if isinstance(model, Text) else (model, 1.0)
                self.names[a.name] = Text(curve) if isinstance(curve, str) else curve
                self.names[f"{a.name}_wide"] = tree_of(wide)
        self.form = _InlineForm(
            arrays=bool(several), names=self.names, lists=self.lists, ranges=self.ranges
        )

    def _lists(self) -> Lists | GameColumns | None:
        lists = [a for a in self.function.arguments if isinstance(a, Numbers)]
        if not lists:
            return None
        if self.function.columns or not self.single:
            return self._columns(lists)
        if len(lists) == 1:
            raise NoInlinedFormError(f"{self.function.name}: {self.native.reason}")
        opponents, scores = (a.name for a in lists)
        if opponents not in self.cells or not self.kinds[opponents].plain:
            raise ValueError(f"{opponents} must be cells")
        # one cell of scores beside a range of opponents is their total, and no game has its own
        total = self.kinds[opponents].range and not self.kinds[scores].range
        if not total and (scores not in self.cells or not self.kinds[scores].plain):
            raise ValueError(f"{scores} must be cells")
        given = self.cells.get(scores) or self.kinds[scores].constant
        assert given is not None
        return Lists(self.cells[opponents], given, total=total, checks=self.checks)

    def _columns(self, lists: list[Numbers]) -> GameColumns:
        for a in lists:
            if a.name not in self.cells or not self.kinds[a.name].plain:
                raise ValueError(f"{a.name} must be cells")
            if self.kinds[a.name].range != self.kinds[lists[0].name].range:
                raise ValueError(f"{a.name} and {lists[0].name} differ in shape")
        return GameColumns({a.of: self.cells[a.name] for a in lists}, self.checks)

    def _value(self, argument: Argument) -> Node:
        """The node that an argument's name stands for in the arithmetic."""
        constant = self.kinds[argument.name].constant
        if constant is None:
            values = [self._of_cell(argument, cell) for cell in self._cells_of(argument)]
            return values[0] if len(values) == 1 else number_row(tuple(values))
        if constant != MISSING:
            return constant
        if argument.default is None:
            return MISSING
        if isinstance(argument.default, str):
            return Text(argument.default)
        return tree_of(argument.default)

    def _cells_of(self, argument: Argument) -> list[Node]:
        """The cells of an argument: several if it is a row of them, otherwise one."""
        cell = self.cells[argument.name]
        if isinstance(argument, NumberOrRow) and self.kinds[argument.name].row:
            return [
                Call("INDEX", (cell, tree_of(1), tree_of(i + 1))) for i in range(argument.width)
            ]
        return [cell]

    def _of_cell(self, argument: Argument, cell: Node) -> Node:
        if isinstance(argument, Option):
            return option_cell(cell, argument.default)
        if argument.required or argument.default is None or self.checks == "none":
            return cell
        return Call("IF", (Binary("=", cell, EMPTY), tree_of(argument.default), cell))

    def formula(self, column: str | None) -> Node:
        body = self._arithmetic(parse(self.native.text(column)))
        for condition, result in reversed(self._conditions()):
            known = number_of(condition)
            if known is None:
                body = body if body == result else Call("IF", (condition, result, body))
            elif known:
                body = result
        node = self.form.finish(body)
        foreign = {
            n.name for n in walk(node) if isinstance(n, Call) and n.name.upper() not in SHARED
        }
        if foreign:
            raise NoInlinedFormError(f"{self.function.name}: {self.native.reason}")
        return node

    def _arithmetic(self, formula: Node) -> Node:
        """The arithmetic; where a model with a scale may stand in a cell, that of every curve.

        Any decimal sign becomes that of the spreadsheet, and an exponent keeps it from reading a
        date; a logarithm, like a scale, needs a number above 0.
        """
        reducer = self.form.reducer
        model = next((a for a in self.single if isinstance(a, Option) and a.scale), None)
        option = self.names[model.name] if model else None
        if not model or not isinstance(option, OptionCell):
            return reducer.reduce(formula, {})
        result: Node = VALUE
        for curve in reversed(model.choices):
            env: dict[str, Node | Piece] = {"cell": option.cell, "begin": tree_of(len(curve) + 2)}
            chosen: Node = Binary("=", option.cell, Text(curve))
            wide = tree_of(1)
            if usual := dict(model.parameters).get(curve):
                chosen = reducer.typed(f'LEFT(cell & ":", begin - 1) = "{curve}:"', **env)
                wide = reducer.typed(
                    f"""IF(LEN(cell) < begin, 1, EXP(LN(VALUE(SUBSTITUTE(SUBSTITUTE(MID(
                        cell, begin, 99), ",", "."), ".", MID(1 / 2, 2, 1)) & "E0"))) / {usual:g})
                    """,
                    **env,
                )
            if curve == model.default:
                chosen = reducer.either(Binary("=", option.cell, EMPTY), chosen)
            one = reducer.reduce(formula, {model.name: Text(curve), f"{model.name}_wide": wide})
            result = result if one == result else Call("IF", (chosen, one, result))
        return result

    def _conditions(self) -> list[tuple[Node, Node]]:
        """The conditions to check before the arithmetic, each with its result."""
        either = self.form.reducer.either
        blanks: list[Node] = []
        texts: list[Node] = []
        unknown: list[Node] = []
        outside: list[Node] = []
        for argument in self.single:
            cell = self.cells.get(argument.name)
            if cell is None:
                if argument.name in self.native.domain and argument.required:
                    outside += self._outside(argument, self._value(argument))
                continue
            is_blank = Binary("=", cell, EMPTY)
            if argument.required:
                blanks.append(is_blank)
                # lists print 0 for the unrated, and so does a formula that refers to a blank cell
                if isinstance(argument, Rating):
                    blanks.append(Binary("=", cell, ZERO))
            if isinstance(argument, Option) and argument.only_choices:
                unknown.append(self._unknown(argument, cell))
            elif self.native.compared and not isinstance(argument, (Option, Anything)):
                texts.append(cell)
            for one in self._cells_of(argument):
                outside += self._outside(argument, one)
        if self.checks == "none":
            return []
        found = [(either(*blanks), EMPTY)]
        if self.checks == "all":
            found += [(self._texts(texts), VALUE), (either(*unknown), VALUE)]
            found += [(either(*outside), NUM)]
        if self.lists:
            found += self.lists.conditions() if self.checks == "all" else []
            found.append((self.lists.blank(), EMPTY))
        return found

    def _texts(self, cells: list[Node]) -> Node:
        """True if text appears in an argument that is only compared, never computed with."""
        if not self.form.plain:
            several = [Binary("*", Call("ISTEXT", (c,)), Binary("<>", c, EMPTY)) for c in cells]
            return self.form.reducer.either(*several)
        if not cells:
            return FALSE
        joined: Node = Call("T", (cells[0],))
        for cell in cells[1:]:
            joined = Binary("&", joined, Call("T", (cell,)))
        return Binary("<>", joined, EMPTY)

    def _unknown(self, option: Option, cell: Node) -> Node:
        word = cell
        if option.scale:
            colon = Call("FIND", (Text(":"), Binary("&", cell, Text(":"))))
            word = Call("LEFT", (cell, Binary("-", colon, tree_of(1))))
        known = Call("MATCH", (word, array(option.choices), ZERO))
        return self.form.reducer.both(Binary("<>", cell, EMPTY), Call("ISNA", (known,)))

    def _outside(self, argument: Argument, cell: Node) -> list[Node]:
        """The conditions under which an argument is outside its domain."""
        own = self.native.domain.get(argument.name)
        text = own or domain_of(argument)
        if not text:
            return []
        env: dict[str, Node | Piece] = {argument.name: cell}
        condition = self.form.reducer.reduce(parse(text), env)
        if argument.required or (not own and text.endswith("< 0)")):
            return [condition]
        filled = Binary("<>", cell, EMPTY)
        if isinstance(argument, NumberArgument) and argument.whole_number and not own:
            # MOD of an empty text is an error, and AND looks at all of its conditions
            return [Call("IF", (filled, condition, FALSE))]
        return [self.form.reducer.both(filled, condition)]
