"""A worksheet function as a named LAMBDA.

It adds to the catalogue's arithmetic what a cell needs: blanks and texts are read as in all hosts,
an error passes through, and every argument may be a range.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial, reduce
from itertools import product
from string import ascii_lowercase
from typing import Final

from elo_xl.engine.models import LAST
from elo_xl.functions.arguments import (
    Anything,
    Argument,
    NumberArgument,
    NumberOrRow,
    Numbers,
    Option,
    OptionOrNumber,
    Rating,
)
from elo_xl.functions.catalogue import Function, Native, find, functions
from elo_xl.functions.native.pieces import NativeForm, alike, joined, spellings, thresholds
from elo_xl.functions.native.reduce import EMPTY, array, let, uses
from elo_xl.xlsx.folding import Env, Piece, tree_of
from elo_xl.xlsx.formula import (
    Binary,
    Call,
    Name,
    Node,
    OptionalParameter,
    Text,
    binds,
    children,
    parse,
    rebuilt,
    to_text,
    walk,
)
from elo_xl.xlsx.stored import LONGEST, stored

Pair = tuple[str, Node]
"""A name of LET and its value."""

#: Functions that read a cell, where a text may be a number with blanks and a comma, and the rows
#: of table 8.1.2, which several branches share. The first one is in all definitions, and tells
#: them from other people's.
READ: Final = {
    "number": """LAMBDA(x, IF(TRIM(x) = "", "", IF(ISTEXT(x),
        NUMBERVALUE(SUBSTITUTE(SUBSTITUTE(SUBSTITUTE(x, UNICHAR(160), ""), ",", "."), "%", "?"),
            ".", " "), x + 0)))""",
    "rated": 'LAMBDA(x, LET(n, number(x), IF(n = 0, "", n)))',
    "rows_812": to_text(array(thresholds())),
}

#: Names that the wrappers use; the arithmetic inside must not.
_READERS: Final = frozenset(("number", "rated", "rows_812", "x", "n"))
_OWN: Final = _READERS | {
    *("state", "state_one", "met", "got", "total", "no_total", "fault", "counted", "opponent"),
    *("score", "played", "points", "rating_sum", "lowest", "highest_met", "one"),
}


#: How all definitions begin, in every version: their parameters, then the first reader.
_BEGINNING: Final = re.compile(
    r"\s*_xlfn\.LAMBDA\((?:\s*_xl[po][pm]\.\w+\s*,)+\s*"
    r"_xlfn\.LET\(\s*_xlpm\.number\s*,\s*_xlfn\.LAMBDA\(\s*_xlpm\.x\s*,\s*IF\(\s*TRIM\(",
    re.IGNORECASE,
)


def is_lambda_of_ours(definition: str) -> bool:
    """Whether a stored definition is one of ours, of any version, and not the user's own."""
    return _BEGINNING.match(definition) is not None


@cache
def lambda_text(name: str) -> str:
    """The LAMBDA of a worksheet function as a person would type it, without ``=``.

    >>> print(lambda_text("ELO_NEW").splitlines()[0])
    LAMBDA(rating, k, score, expected,

    One that is too long with its layout has lines, but no indentation: Excel Labs stores what is
    pasted.

    Raises LookupError for an unknown name, or a function that has no LAMBDA.
    """
    text = layout(tree(find(name)))
    return text if len(text) < LONGEST else re.sub(r"\n +", "\n", text)


@cache
def lambda_stored(name: str) -> str:
    """The LAMBDA of a worksheet function as a file stores it.

    Raises the errors of :func:`lambda_text`.
    """
    return stored(to_text(tree(find(name))))


def lambda_names() -> list[str]:
    """The functions that have a LAMBDA, in the order of the catalogue."""
    return [f.name for f in functions().values() if f.native and f.native.formula]


def tree(function: Function, *, long: bool = False) -> Node:
    """The tree of a worksheet function's LAMBDA, which may be ``long``er than a name can be.

    Raises LookupError for a function that has none.
    """
    native = function.native
    if native is None or not native.formula:
        raise LookupError(f"{function.name} has no LAMBDA: {native.reason if native else ''}")
    if native.whole:
        return _Whole(function, long).tree(native)
    if not any(a.whole for a in function.arguments):
        return _ElementWise(function, long).tree(native)
    if all(a.whole for a in function.arguments):
        return _Total(function, long).tree(native)
    return (_RowsWriter if function.columns else _Aggregate)(function, long).tree(native)


class LambdaForm(NativeForm):
    """The pieces as a LAMBDA writes them."""

    def __init__(self, names: Env, *, long: bool = False) -> None:
        super().__init__(keep=True, arrays=True, names=names)
        self.long = long

    def nth(self, row: Node, i: Node) -> Node:
        return Name(f"{to_text(row)}{to_text(i)}_")

    def draw_kind(self, draws: Node) -> Node:
        return Name(f"{to_text(draws)}kind")

    def draw_size(self, draws: Node) -> Node:
        return draws

    def is_one_value(self, node: Node) -> bool:
        return False

    def rows(self, limit: float = LAST) -> Node:
        return Name("rows_812") if limit == LAST else super().rows(limit)

    def sum_games(self, value: Node) -> Node:
        return Call("SUM", (self.reducer.binary("*", Name("counted"), value),))

    def most_games(self, value: Node) -> Node:
        return Call("MAX", (self.reducer.binary("*", Name("counted"), value),))

    def too_many(self) -> Node:
        return parse("IF(total, points > played, SUM(counted * (score > 1)) > 0)")

    def scored(self, result: Node, side: Node) -> Node:
        seen = [(old, new) for old, new in alike() if isinstance(old, Text)]
        hidden = [(old, new) for old, new in alike() if not isinstance(old, Text)]
        return self.reducer.typed(
            """
            LET(got, IF(ISLOGICAL(result), IF(result, 1, 0), result),
                others, signs,
                word, REDUCE(CLEAN(LOWER(got)), SEQUENCE(LEN(others)), LAMBDA(text, i,
                    SUBSTITUTE(text, MID(others, i, 1), TRIM(MID(meant, i, 1))))),
                own, IF(ISNUMBER(got), IF(either(got = 1, got = 0.5, got = 0), got, #NUM!),
                    LOOKUP(place(word), begins, scores)),
                IF((side = 2) * (own <> ""), 1 - own, own))
            """,
            result=result,
            side=side,
            signs=joined(
                [Text("".join(old.value for old, _ in seen)), *(old for old, _ in hidden)]
            ),
            # a blank goes without anything in its place
            meant=Text("".join(new.value or " " for _, new in (*seen, *hidden))),
            begins=array(spellings()[1]),
            scores=array(["", 1, 0.5, 0]),
        )


class _LambdaWriter:
    """The common part of all kinds of LAMBDA."""

    def __init__(self, function: Function, long: bool) -> None:
        self.function = function
        self.names: dict[str, Node | Piece] = {}
        self.form = LambdaForm(self.names, long=long)
        self.form.reducer.taken |= {a.name for a in function.arguments}
        self.form.reducer.taken |= _READERS if function.native and function.native.whole else _OWN
        # what LET binds inside must hide neither a parameter nor a part of one
        parts = [part for a in function.arguments for part in [a, *_parts(a)]]
        self.form.reducer.taken |= {f"{a.name}_" for a in parts}
        self.form.reducer.taken |= {a.of.name for a in parts if isinstance(a, Numbers)}
        for argument in function.arguments:
            if isinstance(argument, OptionOrNumber) and argument.parameters:
                self.form.reducer.taken |= {name for name, _ in _with_parameter(argument, EMPTY)}

    def written(self, pairs: Sequence[Pair], result: Node) -> Node:
        """The LAMBDA with these names in its LET, preceded by the helpers that read cells."""
        parameters = [
            Name(a.name) if a.required else OptionalParameter(a.name)
            for a in self.function.arguments
        ]
        if self.function.native and self.function.native.more:
            parameters.append(OptionalParameter(self.function.native.more))
        named = [*self.readers([*[value for _, value in pairs], result]), *pairs]
        bound = [part for name, value in named for part in (Name(name), value)]
        return Call("LAMBDA", (*parameters, Call("LET", (*bound, result))))

    def readers(self, nodes: Iterable[Node]) -> list[Pair]:
        """The helpers that read cells, if something uses them."""
        used = {name for name in READ if any(uses(node, name) for node in nodes)}
        if "rated" in used:
            used.add("number")
        return [(name, parse(text)) for name, text in READ.items() if name in used]

    def read(self, argument: Argument) -> list[Pair]:
        """The names of LET that hold what was read from an argument."""
        x, default = Name(argument.name), _default(argument)
        got: Node
        match argument:
            case OptionOrNumber(parameters=(), choices=(word,)):
                got = filled("IF(TRIM(x) = word, word, number(x))", x=x, word=Text(word))
            case OptionOrNumber():
                got = x
            case Option():
                got = filled("TRIM(x)", x=x)
            case Anything():
                return [(f"{argument.name}_", filled('IF(TRIM(x) = "", "", x)', x=x))]
            case Rating():
                got = filled("rated(x)", x=x)
            case _:
                got = filled("number(x)", x=x)
        if default != EMPTY:
            got = filled('IF(TRIM(x) = "", default, got)', x=x, default=default, got=got)
        if not argument.required:
            got = filled("IF(ISOMITTED(x), default, got)", x=x, default=default, got=got)
        if isinstance(argument, OptionOrNumber) and argument.parameters:
            return _with_parameter(argument, got)
        if isinstance(argument, Option) and argument.scale:
            return _with_scale(argument, got)
        pairs: list[Pair] = [(f"{argument.name}_", got)]
        parts, row = _parts(argument), Name(f"{argument.name}_")
        for i, one in enumerate(parts, 1):
            cell = "IF(COLUMNS(row) = width, CHOOSECOLS(row, i), row)"
            part = filled(cell, row=row, width=tree_of(len(parts)), i=tree_of(i))
            pairs.append((f"{one.name}_", part))
        return pairs

    def state(self, arguments: Iterable[Argument], native: Native) -> Pair:
        """The state of each element: an error, above 0 if a required argument is blank, or 0.

        The first argument that is wrong by itself decides, then a blank one, and last what is
        wrong of several together.
        """
        arguments = list(arguments)
        terms = [term for argument in arguments for term in self._states(argument)]
        state = reduce(partial(Binary, "+"), terms)
        texts = [(argument, native.domain.get(argument.name, "")) for argument in arguments]
        if not any(isinstance(argument, Numbers) for argument in self.function.arguments):
            texts.append((arguments[-1], native.far))
        for argument, condition in texts:
            if together := self.domain(argument, condition):
                text = "IF(state, 1, IF(together, #NUM!, 0))"
                state = filled(text, state=state, together=together)
        return "state", state

    def _states(self, argument: Argument) -> Iterator[Node]:
        """The terms that one argument adds to the state."""
        x, blank = Name(f"{argument.name}_"), tree_of(int(argument.required))
        domain = (
            None if isinstance(argument, Anything) else self.domain(argument, domain_of(argument))
        )
        if domain:
            text = 'IF(x = "", blank, IF(domain, #NUM!, 0))'
            yield filled(text, x=x, blank=blank, domain=domain)
        else:
            yield filled('(x = "") * blank', x=x, blank=blank)
        if isinstance(argument, Option) and argument.only_choices:
            known = array(argument.choices)
            yield filled("IF(ISNUMBER(XMATCH(x, known)), 0, #VALUE!)", x=x, known=known)
            if argument.scale:
                yield filled("IF(wide > 0, 0, #NUM!)", wide=Name(f"{argument.name}_wide"))

    def domain(self, argument: Argument, text: str) -> Node | None:
        """The condition under which an argument is outside its domain."""
        if not text:
            return None
        read: dict[str, Node | Piece] = {
            a.name: Name(f"{a.name}_") for a in (*self.function.arguments, argument)
        }
        return self.form.reducer.reduce(parse(text), read)

    def body(self, formula: str) -> Node:
        return self.form.reducer.reduce(parse(formula), self.names)


class _ElementWise(_LambdaWriter):
    """Every argument may be a range; each element is computed by itself."""

    def tree(self, native: Native) -> Node:
        arguments = self.function.arguments
        self.names.update({a.name: Name(f"{a.name}_") for a in arguments})
        pairs = [pair for a in arguments for pair in self.read(a)]
        parts = [part for a in arguments for part in _parts(a) or [a]]
        pairs.append(self.state(parts, native))
        if self.function.columns:
            return self.written(pairs, self.table(native))
        body = self.body(native.text())
        return self.written(pairs, filled('IF(state, "", body)', body=body))

    def table(self, native: Native) -> Node:
        """A table with one row per element, whatever the shape of the arguments."""
        *shared, _ = parse(f"LET({native.let}, 0)").arguments  # type: ignore[union-attr]
        assert not isinstance(native.formula, str)
        columns = [Call("TOCOL", (parse(native.formula[c]),)) for c in self.function.columns]
        numbers = array(range(1, len(columns) + 1))
        chosen = Call("CHOOSE", (numbers, *columns))
        every = array([1] * len(columns))
        row = filled('IF(TOCOL(state) * every, "", chosen)', every=every, chosen=chosen)
        return self.form.reducer.reduce(Call("LET", (*shared, row)), self.names)


class _Aggregate(_LambdaWriter):
    """Opponents and scores are whole ranges; the other arguments are taken one by one."""

    def tree(self, native: Native) -> Node:
        spread = [a for a in self.function.arguments if not a.whole]
        self.names.update({a.name: Name(f"{a.name}_one") for a in spread})
        self.names["average"] = parse("rating_sum / played")
        pairs = [pair for a in spread for pair in self.read(a)]
        pairs += [self.state(spread, native), *self.lists()]
        body = self.body(native.text())
        if uses(body, "lowest"):
            pairs += _pairs("""
                lowest, MIN(IF(counted, opponent, 1E+99)),
                highest_met, MAX(IF(counted, opponent, -1E+99))
            """)
        read = [Name("state"), *[Name(f"{a.name}_") for a in spread]]
        wide = [filled("IF(state = 0, x, x)", x=name) for name in read[1:]]
        if any(name == "no_total" for name, _ in pairs):
            body = filled('IF(total * (played > 0) * no_total, "", body)', body=body)
        one = filled('IF(state_one, "", IF(fault, fault, body))', body=body)
        own = [Name("state_one"), *[Name(f"{a.name}_one") for a in spread]]
        pairs.append(("one", Call("LAMBDA", (*own, one))))
        # one value, not an array of one, for a MAP around it
        result = filled(
            "IF(ROWS(state) * COLUMNS(state) = 1, single, several)",
            single=Call("one", tuple(read)),
            several=Call("MAP", (read[0], *wide, Name("one"))),
        )
        return self.written(pairs, result)

    def lists(self) -> list[Pair]:
        """The names of LET that hold opponents and scores, matched with each other."""
        opponents, *others = (a for a in self.function.arguments if isinstance(a, Numbers))
        if not others:
            return _pairs(f"""
                met, TOCOL(rated({opponents.name})),
                fault, SUM(IF(met = "", 0, 0)),
                played, SUM(--(met <> ""))
            """)
        (scores,) = others
        return _pairs(f"""
            met, TOCOL(rated({opponents.name})),
            got, TOCOL(number({scores.name})),
            total, (ROWS(got) = 1) * (ROWS(met) <> 1),
            no_total, SUM(--(got = "")) > 0,
            fault, SUM(IF(met = "", 0, 0), IF(got < 0, #NUM!, 0),
                IF(total + (ROWS(met) = ROWS(got)), 0, #N/A)),
            counted, IF(total, --(met <> ""), (met <> "") * (got <> "")),
            opponent, IF(met = "", 0, met),
            score, IF(got = "", 0, got),
            played, SUM(counted),
            points, IF(total, SUM(score), SUM(counted * score)),
            rating_sum, SUM(counted * opponent)
        """)


class _RowsWriter(_LambdaWriter):
    """Columns of games are whole ranges; each element of the other arguments gives a row."""

    def tree(self, native: Native) -> Node:
        spread = [a for a in self.function.arguments if not a.whole]
        self.names.update({a.name: Name(f"{a.name}_one") for a in spread})
        pairs = [pair for a in spread for pair in self.read(a)]
        pairs += [self.state(spread, native), *self.lists()]
        *shared, _ = children(parse(f"LET({native.let}, 0)"))
        assert not isinstance(native.formula, str)
        columns = [parse(native.formula[column]) for column in self.function.columns]
        row = filled(
            'IF(state_one * every, "", IF(fault * every, 0, IF(far * every, #NUM!, chosen)))',
            every=array([1] * len(columns)),
            far=parse(native.far),
            chosen=Call("HSTACK", tuple(columns)),
        )
        one = self.form.reducer.reduce(Call("LET", (*shared, row)), self.names)
        own = [Name("state_one"), *[Name(f"{a.name}_one") for a in spread]]
        pairs.append(("one", Call("LAMBDA", (*own, one))))
        wide = [filled("IF(state = 0, x, x)", x=Name(f"{a.name}_")) for a in spread]
        of_each = [filled("INDEX(TOCOL(x), i)", x=x) for x in (Name("state"), *wide)]
        result = filled(
            """DROP(REDUCE("", SEQUENCE(COUNTA(state)),
                LAMBDA(rows, i, VSTACK(rows, new))), 1)""",
            new=Call("one", tuple(of_each)),
        )
        return self.written(pairs, result)

    def lists(self) -> list[Pair]:
        """The names of LET that hold the columns of games, each with its length checked."""
        lists = [a for a in self.function.arguments if isinstance(a, Numbers)]
        pairs: list[Pair] = []
        for a in lists:
            read = "rated" if isinstance(a.of, Rating) else "number"
            pairs += _pairs(f"""{a.name}_, TOCOL({read}({a.name})),
                {a.of.name}, IF({a.name}_ = "", 0, {a.name}_)""")
        first = lists[0].name
        faults = [self._fault(a) for a in lists]
        faults += [
            parse(f"IF(ROWS({first}_) = ROWS({a.name}_), 0, #N/A)") for a in lists if a != lists[0]
        ]
        full = " * ".join(f'({a.name}_ <> "")' for a in lists)
        return [*pairs, ("fault", Call("SUM", tuple(faults))), ("counted", parse(full))]

    def _fault(self, argument: Numbers) -> Node:
        """The errors in a column; 0 in place of every cell that is fine."""
        outside: Node = tree_of(0)
        if domain := domain_of(argument.of):
            outside = self.form.reducer.typed(
                f"IF({domain}, #NUM!, 0)", **{argument.of.name: Name(f"{argument.name}_")}
            )
        return filled('IF(x = "", 0, outside)', x=Name(f"{argument.name}_"), outside=outside)


class _Total(_RowsWriter):
    """Columns of games are whole ranges, and there is nothing else: one number of all of them."""

    def tree(self, native: Native) -> Node:
        result = filled("IF(fault, 0, body)", body=self.body(native.text()))
        return self.written(self.lists(), result)


class _Whole(_LambdaWriter):
    """A LAMBDA whose whole text is in the catalogue."""

    def tree(self, native: Native) -> Node:
        body = self.body(native.text())
        *parameters, _ = self.written([], body).arguments  # type: ignore[union-attr]
        readers = self.readers([body])
        if not self.form.long and len(stored(to_text(let(readers, body)))) > LONGEST - 200:
            body = _shortened(body, {to_text(parameter) for parameter in parameters})
        return Call("LAMBDA", (*parameters, let(readers, body)))


_SHORT_FUNCTIONS: Final = {"n", "t", "if", "or", "na", "pi", "ln", "db"}


def _shortened(node: Node, taken: set[str]) -> Node:
    """A formula whose own names are as short as can be, so that it fits into a name."""
    times: Counter[str] = Counter()
    own: set[str] = set()
    for part in walk(node):
        if isinstance(part, Name | Call):
            times[part.text if isinstance(part, Name) else part.name] += 1
        if isinstance(part, Call) and part.name in ("LET", "LAMBDA"):
            names = part.arguments[:-1:2] if part.name == "LET" else part.arguments[:-1]
            own |= {to_text(name) for name in names if name is not None}
    other = {name.lower() for name in {*times, *taken} - own} | _SHORT_FUNCTIONS | {"r", "c", "rc"}
    letters = (*ascii_lowercase, *map("".join, product(ascii_lowercase, repeat=2)))
    free = [name for name in letters if name not in other]
    often = sorted(own, key=lambda name: (-times[name], name))
    return _renamed(node, dict(zip(often, free, strict=False)))


def _renamed(node: Node, names: Mapping[str, str]) -> Node:
    match node:
        case Name(text):
            return Name(names.get(text, text))
        case Call(name, arguments):
            node = Call(names.get(name, name), arguments)
    return rebuilt(node, partial(_renamed, names=names))


def _parts(argument: Argument) -> list[Argument]:
    """The numbers of an argument that may be a row of them, each as an argument."""
    if not isinstance(argument, NumberOrRow):
        return []
    return [replace(argument, name=f"{argument.name}_{i + 1}") for i in range(argument.width)]


def _with_parameter(argument: OptionOrNumber, got: Node) -> list[Pair]:
    """An option that a number may follow, in two names: its kind, and the number. A number alone is
    of the kind "margin"; an option that takes no number has an empty text."""
    formulas = {
        "typed": "got",
        "word": 'TRIM(LEFT(typed, FIND(":", typed & ":") - 1))',
        "kind": 'IF(ISNUMBER(XMATCH(word, known)), word, "margin")',
        "after": 'number(MID(typed, FIND(":", typed & ":") + 1, LEN(typed)))',
        "usual": "own",
        "": """
        IF(kind = "margin", number(typed), IF(after = "", usual, IF(usual = "", #VALUE!, after)))
        """,
    }
    return _named(argument, formulas, "kind", got)


def _with_scale(argument: Option, got: Node) -> list[Pair]:
    """An option that a scale may follow, in two names: the option, and how many times the usual
    scale is meant."""
    formulas = {
        "typed": "got",
        "": 'TRIM(LEFT(typed, FIND(":", typed & ":") - 1))',
        "after": 'number(MID(typed, FIND(":", typed & ":") + 1, 99))',
        "wide": 'IF(after = "", 1, after / own)',
    }
    return _named(argument, formulas, "", got)


def _named(argument: Option, formulas: Mapping[str, str], kind: str, got: Node) -> list[Pair]:
    """The names of what an option with a number is made of; ``own`` is the usual number."""
    name = argument.name
    usual: Node = EMPTY
    for choice, own in argument.parameters:
        usual = filled(
            "IF(kind = choice, own, usual)",
            kind=Name(f"{name}_{kind}"),
            choice=Text(choice),
            own=tree_of(own),
            usual=usual,
        )
    known: dict[str, Node] = {key: Name(f"{name}_{key}") for key in formulas if key}
    known |= {"got": got, "own": usual, "known": array(argument.choices)}
    return [(f"{name}_{key}", filled(text, **known)) for key, text in formulas.items()]


def domain_of(argument: Argument) -> str:
    """The condition under which a number is outside its domain, in terms of the argument's name."""
    if not isinstance(argument, NumberArgument):
        return f"{argument.name} < 0" if isinstance(argument, OptionOrNumber) else ""
    name, found = argument.name, []
    if argument.above > -1e300:
        found.append(f"{name} <= {argument.above:g}")
    if argument.low > -1e300:
        found.append(f"{name} < {argument.low:g}")
    if argument.high < 1e300:
        found.append(f"{argument.high:g} - {name} < 0")  # any text is greater than a number
    if argument.whole_number:
        found.append(f"MOD({name}, 1) <> 0")
    return f"either({', '.join(found)})" if found else ""


def _default(argument: Argument) -> Node:
    if argument.required or argument.default is None:
        return EMPTY
    return (
        Text(argument.default) if isinstance(argument.default, str) else tree_of(argument.default)
    )


def _pairs(text: str) -> list[Pair]:
    """The names and values of a LET, parsed."""
    arguments = children(parse(f"LET({text}, 0)"))[:-1]
    return [(to_text(name), value) for name, value in zip(*[iter(arguments)] * 2, strict=True)]


def filled(formula: str, **values: Node) -> Node:
    """The tree of a formula in which only the given names are replaced by nodes."""
    return _filled(parse(formula), values)


def _filled(node: Node, values: Mapping[str, Node]) -> Node:
    if isinstance(node, Name) and node.text in values:
        return values[node.text]
    return rebuilt(node, partial(_filled, values=values))


WIDTH: Final = 100
STEP: Final = "  "

#: Functions whose last arguments go below one another while the first ones stay on the line.
_HANGING: Final = {"LAMBDA": -1, "IF": 1, "MAP": -1, "REDUCE": -1}


def layout(node: Node | None, indent: str = "", before: int = 0) -> str:
    """Write the formula of a tree in lines of at most 100 characters where possible.

    ``indent`` is the indentation, ``before`` the number of characters already on the line.
    """
    flat = spaced(node)
    if not isinstance(node, (Call, Binary)) or len(indent) + before + len(flat) <= WIDTH:
        return flat
    deeper = indent + STEP
    if isinstance(node, Binary):
        return _terms(node, deeper)
    arguments = node.arguments
    if node.name == "LET":
        lines = []
        for name, value in zip(arguments[:-1:2], arguments[1::2], strict=True):
            label = f"{spaced(name)}, "
            lines.append(label + layout(value, deeper, len(label) + 1))
        lines.append(layout(arguments[-1], deeper, 1))
        return f"LET(\n{deeper}" + f",\n{deeper}".join(lines) + ")"
    kept = _HANGING.get(node.name, 0)
    first = arguments[:kept] if kept else ()
    head = ", ".join(map(spaced, first))
    if first and len(indent) + before + len(head) > WIDTH:
        first, head = (), ""
    rest = [layout(a, deeper, 1) for a in arguments[len(first) :]]
    opening = f"{node.name}({head}," if first else f"{node.name}("
    return f"{opening}\n{deeper}" + f",\n{deeper}".join(rest) + ")"


def _terms(node: Binary, indent: str) -> str:
    """One term per line, with its operator in front."""
    weight, terms = binds(node), []
    first: Node = node
    while isinstance(first, Binary) and binds(first) == weight:
        terms.append((first.operator, first.right))
        first = first.left
    lines = [_part(first, weight, indent)]
    lines += [f"{sign} {_part(term, weight + 1, indent)}" for sign, term in reversed(terms)]
    return f"\n{indent}".join(lines)


def _part(node: Node, least: int, indent: str) -> str:
    text = layout(node, indent, 2)
    return f"({text})" if binds(node) < least else text


def spaced(node: Node | None) -> str:
    """A formula on one line, with blanks after commas and around operators."""
    return to_text(node, comma=", ", around=" ")
