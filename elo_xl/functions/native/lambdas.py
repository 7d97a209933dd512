"""A worksheet function as a named LAMBDA.

Around the arithmetic of the catalogue stands what a cell needs: blanks and texts are read as
everywhere, an error passes through, and every argument may be a range.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Final

from elo_xl.functions.arguments import (
    Anything,
    Argument,
    Number,
    NumberOrRow,
    Numbers,
    Option,
    OptionOrNumber,
    Rating,
)
from elo_xl.functions.catalogue import find, functions
from elo_xl.functions.function import Function, Native
from elo_xl.functions.native.layout import layout
from elo_xl.functions.native.pieces import Form, spellings
from elo_xl.functions.native.reduce import Env, Piece, array, number, uses
from elo_xl.xlsx.formula import Binary, Call, Name, Node, Text, parse, to_text
from elo_xl.xlsx.stored import stored

#: How a cell is read: a text may be a number with blanks and a comma.
READ: Final = {
    "number": """LAMBDA(x, IF(TRIM(x) = "", "", IF(ISTEXT(x),
        NUMBERVALUE(SUBSTITUTE(SUBSTITUTE(SUBSTITUTE(x, UNICHAR(160), ""), ",", "."), "%", "?"),
            ".", " "), x + 0)))""",
    "rated": 'LAMBDA(x, LET(n, number(x), IF(n = 0, "", n)))',
}

#: Dashes, colons and commas that people type, and what they stand for.
_SIGNS: Final = ("\u2010\u2011\u2012\u2013\u2014\u2015\u2212:\u2236,\u2044½", "---------./=")


#: Names of the wrappers; the arithmetic inside gets others.
_READERS: Final = frozenset(("number", "rated", "x", "n"))
_OWN: Final = _READERS | {
    *("state", "state_one", "met", "got", "total", "no_total", "fault", "counted", "opponent"),
    *("score", "games", "points", "rating_sum", "lowest", "highest_met", "one"),
}


@cache
def lambda_text(name: str) -> str:
    """The LAMBDA of a worksheet function as a person types it, without ``=``.

    >>> print(lambda_text("ELO_NEW").splitlines()[0])
    LAMBDA(rating, k, score, expected,

    Raises LookupError for a name that is none, or a function that has no LAMBDA.
    """
    return layout(_tree(find(name)))


@cache
def lambda_stored(name: str) -> str:
    """The LAMBDA of a worksheet function as a file stores it; errors as :func:`lambda_text`."""
    return stored(to_text(_tree(find(name))))


def lambda_names() -> list[str]:
    """The functions that have a LAMBDA, in the order of the catalogue."""
    return [f.name for f in functions().values() if f.native and f.native.formula]


def _tree(function: Function) -> Node:
    native = function.native
    if native is None or not native.formula:
        raise LookupError(f"{function.name} has no LAMBDA: {native.reason if native else ''}")
    if native.whole:
        return _Whole(function).tree(native)
    writer = _Aggregate if function.kind == "aggregate" else _ElementWise
    return writer(function).tree(native)


class _LambdaForm(Form):
    """The pieces as a LAMBDA writes them."""

    def __init__(self, names: Env) -> None:
        super().__init__(keep=True, arrays=True, names=names)

    def nth(self, row: Node, i: Node) -> Node:
        return Name(f"{to_text(row)}{to_text(i)}_")

    def is_one_value(self, node: Node) -> bool:
        return False

    def sum_games(self, value: Node) -> Node:
        return Call("SUM", (self.reducer.binary("*", Name("counted"), value),))

    def most_games(self, value: Node) -> Node:
        return Call("MAX", (self.reducer.binary("*", Name("counted"), value),))

    def too_many(self) -> Node:
        return parse("IF(total, points > games, SUM(counted * (score > 1)) > 0)")

    def scored(self, result: Node, side: Node) -> Node:
        signs, meant = _SIGNS
        return self.reducer.typed(
            """
            LET(got, IF(ISLOGICAL(result), IF(result, 1, 0), result),
                plain, REDUCE(SUBSTITUTE(SUBSTITUTE(LOWER(got), " ", ""), UNICHAR(160), ""),
                    SEQUENCE(LEN(signs)), LAMBDA(text, i,
                        SUBSTITUTE(text, MID(signs, i, 1), MID(meant, i, 1)))),
                halves, SUBSTITUTE(SUBSTITUTE(plain, "1/2", "="), "0.5", "="),
                word, SUBSTITUTE(SUBSTITUTE(halves, ".5", "="), ".0", ""),
                at, place(word), seen, NUMBERVALUE(plain, "."), sign, LEFT(plain),
                other, IF(ISNUMBER(seen), IF(either(seen = 1, seen = 0.5, seen = 0),
                    IF(either(sign = "+", sign = "-"), #VALUE!, seen), #NUM!), #VALUE!),
                own, IF(ISNUMBER(got), IF(either(got = 1, got = 0.5, got = 0), got, #NUM!),
                    IF(ISNUMBER(at), LOOKUP(at, begins, scores), other)),
                IF((side = 2) * (own <> ""), 1 - own, own))
            """,
            result=result,
            side=side,
            signs=Text(signs),
            meant=Text(meant),
            begins=array(spellings()[1]),
            scores=array([1, 0.5, 0, ""]),
        )


class _Writer:
    """What the LAMBDAs of all kinds have in common."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.names: dict[str, Node | Piece] = {}
        self.form = _LambdaForm(self.names)
        self.form.reducer.taken |= {a.name for a in function.arguments}
        self.form.reducer.taken |= _READERS if function.native and function.native.whole else _OWN
        parts = [part for a in function.arguments for part in [a, *_parts(a)]]
        self.form.reducer.taken |= {f"{a.name}_" for a in parts}

    def parameters(self) -> str:
        return ", ".join(a.name if a.required else f"[{a.name}]" for a in self.function.arguments)

    def readers(self, text: str) -> list[str]:
        """The helpers that read cells, where a text uses them."""
        rated = "rated(" in text
        wanted = {"number": rated or "number(" in text, "rated": rated}
        return [f"{name}, {READ[name]}" for name, needed in wanted.items() if needed]

    def whole(self, pairs: list[str], result: str, body: Node) -> Node:
        """The LAMBDA with these pairs of a LET and this result, in which ``body`` has its place."""
        inner = ", ".join([*self.readers(" ".join(pairs)), *pairs, result])
        tree = parse(f"LAMBDA({self.parameters()}, LET({inner}))")
        return _with(tree, {"body": body})

    def read(self, argument: Argument) -> str:
        """The pair of LET that reads an argument."""
        name = argument.name
        match argument:
            case OptionOrNumber(choices=(word,)):
                got = f'IF(TRIM({name}) = "{word}", "{word}", number({name}))'
            case Option():
                got = f"TRIM({name})"
            case Anything():
                return f'{name}_, IF(TRIM({name}) = "", "", {name})'
            case Rating():
                got = f"rated({name})"
            case _:
                got = f"number({name})"
        default = _default(argument)
        if default and default != '""':
            got = f'IF(TRIM({name}) = "", {default}, {got})'
        if not argument.required:
            got = f"IF(ISOMITTED({name}), {default}, {got})"
        pairs = [f"{name}_, {got}"]
        for i, one in enumerate(_parts(argument), 1):
            row = f"COLUMNS({name}_) = {len(_parts(argument))}"
            pairs.append(f"{one.name}_, IF({row}, CHOOSECOLS({name}_, {i}), {name}_)")
        return ", ".join(pairs)

    def state(self, argument: Argument, domain: str) -> str:
        """What a read argument adds to the state of an element: 1 for a blank, an error, or 0."""
        name = f"{argument.name}_"
        blank = int(argument.required)
        if isinstance(argument, Anything):
            return f'({name} = "") * 1' if argument.required else f'({name} = "") * 0'
        if type(argument) is Option:
            known = to_text(array(argument.choices))
            return f'({name} = "") * 0 + IF(ISNUMBER(XMATCH({name}, {known})), 0, #VALUE!)'
        if domain:
            return f'IF({name} = "", {blank}, IF({domain}, #NUM!, 0))'
        return f'({name} = "") * {blank}'

    def domain(self, argument: Argument, native: Native) -> str:
        """The condition under which an argument is outside its domain."""
        text = native.domain.get(argument.name) or domain_of(argument)
        if not text:
            return ""
        read: dict[str, Node | Piece] = {
            a.name: Name(f"{a.name}_") for a in (*self.function.arguments, argument)
        }
        return to_text(self.form.reducer.reduce(parse(text), read))

    def body(self, formula: str) -> Node:
        return self.form.reducer.reduce(parse(formula), self.names)


class _ElementWise(_Writer):
    """Every argument may be a range; each element is worked out by itself."""

    def tree(self, native: Native) -> Node:
        arguments = self.function.arguments
        self.names.update({a.name: Name(f"{a.name}_") for a in arguments})
        pairs = [self.read(a) for a in arguments]
        parts = [part for a in arguments for part in _parts(a) or [a]]
        states = [self.state(a, self.domain(a, native)) for a in parts]
        pairs.append("state, " + " + ".join(states))
        if not self.function.columns:
            return self.whole(pairs, 'IF(state, "", body)', body=self.body(native.text()))
        return self.whole(pairs, "body", body=self.table(native))

    def table(self, native: Native) -> Node:
        """A row an element, whatever the shape of the arguments."""
        *shared, _ = parse(f"LET({native.let}, 0)").arguments  # type: ignore[union-attr]
        assert not isinstance(native.formula, str)
        columns = [Call("TOCOL", (parse(native.formula[c]),)) for c in self.function.columns]
        numbers = array(range(1, len(columns) + 1))
        chosen = Call("CHOOSE", (numbers, *columns))
        row = _with(
            parse('IF(TOCOL(state) * every, "", chosen)'),
            {"every": array([1] * len(columns)), "chosen": chosen},
        )
        return self.form.reducer.reduce(Call("LET", (*shared, row)), self.names)


class _Aggregate(_Writer):
    """Opponents and scores are whole ranges; the other arguments are worked out one by one."""

    def tree(self, native: Native) -> Node:
        spread = [a for a in self.function.arguments if not a.whole]
        self.names.update({a.name: Name(f"{a.name}_one") for a in spread})
        self.names["average"] = parse("rating_sum / games")
        pairs = [self.read(a) for a in spread]
        states = [self.state(a, self.domain(a, native)) for a in spread]
        pairs.append("state, " + " + ".join(states))
        pairs += self.lists()
        body = self.body(native.text())
        if uses(body, "lowest"):
            pairs += [
                "lowest, MIN(IF(counted, opponent, 1E+99))",
                "highest_met, MAX(IF(counted, opponent, -1E+99))",
            ]
        read = ", ".join(["state", *[f"{a.name}_" for a in spread]])
        wide = ", ".join(["state", *[f"IF(state = 0, {a.name}_, {a.name}_)" for a in spread]])
        names = ", ".join(["state_one", *[f"{a.name}_one" for a in spread]])
        pairs.append(
            f"""one, LAMBDA({names}, IF(state_one, "", IF(fault, fault,
                IF(total * (games > 0) * no_total, "", body))))"""
        )
        # one value, not an array of one, for a MAP around it
        single = "ROWS(state) * COLUMNS(state) = 1"
        return self.whole(pairs, f"IF({single}, one({read}), MAP({wide}, one))", body=body)

    def lists(self) -> list[str]:
        """The pairs of LET that read opponents and scores and match them."""
        opponents, scores = (a for a in self.function.arguments if isinstance(a, Numbers))
        return [
            f"met, TOCOL(rated({opponents.name}))",
            f"got, TOCOL(number({scores.name}))",
            "total, (ROWS(got) = 1) * (ROWS(met) <> 1)",
            'no_total, SUM(--(got = "")) > 0',
            """fault, SUM(IF(met = "", 0, 0), IF(got < 0, #NUM!, 0),
                IF(total + (ROWS(met) = ROWS(got)), 0, #N/A))""",
            'counted, IF(total, --(met <> ""), (met <> "") * (got <> ""))',
            'opponent, IF(met = "", 0, met)',
            'score, IF(got = "", 0, got)',
            "games, SUM(counted)",
            "points, IF(total, SUM(score), SUM(counted * score))",
            "rating_sum, SUM(counted * opponent)",
        ]


class _Whole(_Writer):
    """A LAMBDA that the catalogue has as a whole."""

    def tree(self, native: Native) -> Node:
        body = self.body(native.text())
        readers = ", ".join([*self.readers(to_text(body)), "body"])
        head = parse(f"LAMBDA({self.parameters()}, LET({readers}))")
        return _joined(_with(head, {"body": body}))


def _joined(node: Node) -> Node:
    """A LAMBDA whose LET has a LET for its result: one LET with all names."""
    if isinstance(node, Call) and node.name == "LAMBDA" and isinstance(node.arguments[-1], Call):
        outer = node.arguments[-1]
        inner = outer.arguments[-1]
        if isinstance(inner, Call) and inner.name == "LET":
            whole = Call("LET", (*outer.arguments[:-1], *inner.arguments))
            return Call("LAMBDA", (*node.arguments[:-1], whole))
    return node


def _parts(argument: Argument) -> list[Argument]:
    """The numbers of an argument that may be a row of them, as arguments of their own."""
    if not isinstance(argument, NumberOrRow):
        return []
    return [replace(argument, name=f"{argument.name}_{i + 1}") for i in range(argument.width)]


def domain_of(argument: Argument) -> str:
    """The condition under which a number is outside its domain, in the argument's name."""
    if not isinstance(argument, Number):
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


def _default(argument: Argument) -> str:
    if argument.required or argument.default is None:
        return '""'
    if isinstance(argument.default, str):
        return to_text(Text(argument.default))
    return to_text(number(argument.default))


def _with(node: Node, values: Mapping[str, Node]) -> Node:
    """The tree with names replaced by nodes, nothing else touched."""
    match node:
        case Name(text) if text in values:
            return values[text]
        case Call(name, arguments):
            return Call(name, tuple(None if a is None else _with(a, values) for a in arguments))
        case Binary(operator, left, right):
            return Binary(operator, _with(left, values), _with(right, values))
    return node
