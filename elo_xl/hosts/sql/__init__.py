"""The functions and whole rating periods as SQL, for games that lie in a database.

They are made of the same trees as the LAMBDA names; sqlglot writes them in the words of a database.
What differs here from the other hosts:

==========  ====================================================================================
numbers     doubles; the option ``draws`` has its number in a parameter of its own
blanks      NULL, also for what is left out: every parameter has its place; without K it is the
            rulebook's own
booleans    1 and 0
errors      NULL
options     in small letters
ranges      a row a call; what needs the games of one player is an aggregate, where the database
            has aggregates written in SQL; a result of several cells is a function for each
==========  ====================================================================================
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from elo_xl import __version__
from elo_xl.engine.outcomes import MARGIN
from elo_xl.functions.arguments import Argument, Numbers, Option, OptionOrNumber, Rating
from elo_xl.functions.catalogue import Function, functions
from elo_xl.functions.native.lambdas import domain_of
from elo_xl.functions.native.reduce import EMPTY
from elo_xl.hosts.sql.period import REJECTED, period
from elo_xl.hosts.sql.tree import NoSqlError, SqlForm, Writer
from elo_xl.xlsx.files import write_whole
from elo_xl.xlsx.folding import tree_of
from elo_xl.xlsx.formula import FALSE, TRUE, Binary, Call, Name, Node, Text, parse

PAGE: Final = "docs/hosts/sql.md"


class Dialect(NamedTuple):
    """How a database creates a function; what it computes, sqlglot writes."""

    create: str
    number: str = ""
    text: str = ""
    aggregates: bool = False
    """whether a function may be an aggregate"""
    ending: str = ""
    """what a query ends with"""
    helper: str = ""
    """how it creates a function of one ``x``, where calls are replaced by their texts: so that what
    is given is computed once"""


_FUNCTION: Final = "FUNCTION {name}({typed}) RETURNS {type}"

DIALECTS: Final = {
    "duckdb": Dialect(
        "CREATE OR REPLACE MACRO {name}({names}) AS {body};",
        aggregates=True,
        helper="CREATE OR REPLACE MACRO {name}(given) AS "
        "list_transform([given], lambda x: {body})[1];",
    ),
    "postgres": Dialect(
        f"CREATE OR REPLACE {_FUNCTION} LANGUAGE SQL IMMUTABLE AS $$ SELECT {{body}} $$;",
        "DOUBLE PRECISION",
        "TEXT",
    ),
    "clickhouse": Dialect(
        "CREATE OR REPLACE FUNCTION {name} AS ({names}) -> {body};",
        aggregates=True,
        ending=" SETTINGS join_use_nulls = 1",
        helper="CREATE OR REPLACE FUNCTION {name} AS (given) -> arrayMap(x -> {body}, [given])[1];",
    ),
    "spark": Dialect(
        f"CREATE OR REPLACE TEMPORARY {_FUNCTION} RETURN {{body}};", "DOUBLE", "STRING"
    ),
    "bigquery": Dialect(f"CREATE OR REPLACE {_FUNCTION} AS ({{body}});", "FLOAT64", "STRING"),
    "snowflake": Dialect(f"CREATE OR REPLACE {_FUNCTION} AS $$ {{body}} $$;", "FLOAT", "VARCHAR"),
    "tsql": Dialect(
        "CREATE OR ALTER FUNCTION dbo.{name}({typed}) RETURNS {type} AS BEGIN RETURN {body} END;",
        "FLOAT",
        "NVARCHAR(40)",
    ),
}
"""The databases, by what sqlglot calls them."""

TESTED: Final = ("duckdb", "postgres", "clickhouse", "spark")
"""Those in which tests compute; what is written for the others is only parsed."""


class SqlFunction(NamedTuple):
    """A function as SQL, as DuckDB takes it."""

    parameters: Mapping[str, bool]
    """their names, each with whether it is a text"""
    body: str
    aggregate: bool = False
    text: bool = False
    """whether the result is one"""


def parameters(argument: Argument) -> dict[str, bool]:
    """What stands for an argument: its name, or two, and whether that is a text."""
    if isinstance(argument, OptionOrNumber):
        sized = {argument.name: True, f"{argument.name[:-1]}_size": False}
        return sized if argument.parameters else {argument.name: False}
    return {argument.name: isinstance(argument, Option)}


@cache
def written() -> tuple[dict[str, SqlFunction], dict[str, str]]:
    """All functions, helpers first, each after those that it calls; and those that SQL does not
    have, with the reasons."""
    writer, found, missing = Writer(), dict[str, SqlFunction](), dict[str, str]()
    for function in functions().values():
        native = function.native
        if native is None or not native.formula or native.whole:
            missing[function.name] = "it takes and gives whole tables"
            continue
        try:
            for column in function.columns or (None,):
                name = "_".join((function.name, *(column or "").split())).lower()
                found[name] = _written(function, column, writer)
        except NoSqlError as wrong:
            missing[function.name] = str(wrong)
    helpers = {
        name: SqlFunction({"x": " LIKE " in body}, body, text=" THEN '" in body)
        for name, body in writer.helpers.items()
    }
    return helpers | found, missing


def _written(function: Function, column: str | None, writer: Writer) -> SqlFunction:
    native = function.native
    assert native is not None
    lists = [a for a in function.arguments if isinstance(a, Numbers)]
    games: dict[str, Node] = {a.of.name: Name(a.name) for a in lists}
    full = [Binary("<>", _value(a.of, Name(a.name)), EMPTY) for a in lists]
    counted: Node = Call("AND", tuple(full)) if lists else TRUE
    names: dict[str, Any] = {a.name: _value(a, Name(a.name)) for a in function.arguments} | games
    for a in function.arguments:
        if isinstance(a, Option) and a.scale:
            model = (names[a.name],)
            names |= {a.name: Call("CURVE", model), f"{a.name}_wide": Call("WIDE", model)}
    form = SqlForm(names, counted)
    if lists:
        names |= {
            "played": form.sum_games(tree_of(1)),
            "points": form.sum_games(Name(lists[-1].name)),
            "rating_sum": form.sum_games(Name(lists[0].name)),
            "total": FALSE,
        }
        names["average"] = parse("rating_sum / played")
    tree = form.reducer.reduce(parse(native.text(column)), {})
    wrong = []
    for a in function.arguments:
        own = a.of if isinstance(a, Numbers) else a
        outside, *_, last = native.domain.get(a.name) or domain_of(own), *parameters(a)
        if outside:
            meant = names[a.name] if last == a.name else Name(last)
            test = form.reducer.reduce(parse(outside), {own.name: meant})
            if a.whole:
                test = Binary(
                    ">", Call("LARGEST", (Call("IF", (test, tree_of(1), EMPTY)),)), tree_of(0)
                )
            wrong.append(writer.truth(test))
        if a.required and not a.whole and not isinstance(a, OptionOrNumber):
            wrong.append(f"{writer.number(names[a.name])} IS NULL")
        if isinstance(a, Option) and parameters(a)[a.name]:
            known = a.choices if a.only_choices else (*a.choices, MARGIN)
            listed = ", ".join(writer.number(Text(choice)) for choice in known)
            wrong.append(f"{writer.number(names[a.name])} NOT IN ({listed})")
        if wide := names.get(f"{a.name}_wide"):
            wrong.append(f"COALESCE({writer.number(wide)}, 0e0) <= 0e0")
    body = writer.number(tree)
    if wrong:
        body = f"CASE WHEN {' OR '.join(wrong)} THEN NULL ELSE {body} END"
    given = {name: text for a in function.arguments for name, text in parameters(a).items()}
    return SqlFunction(given, body, bool(lists), function.name == "ELO_CLASS")


def _value(argument: Argument, given: Node) -> Node:
    """What an argument is, if it may be NULL."""
    if isinstance(argument, Rating):
        return Call("BLANK_IF", (given, tree_of(0)))
    default = None if argument.required or argument.whole else argument.default
    text = isinstance(argument, OptionOrNumber) and not argument.parameters
    return given if default is None or text else Call("COALESCE", (given, tree_of(default)))


def statements(dialect: str) -> Iterator[str]:
    """What creates all functions in a database."""
    how = DIALECTS[dialect]
    for name, function in written()[0].items():
        if function.aggregate and not how.aggregates:
            continue
        mark = "@" if dialect == "tsql" else ""
        kinds = {True: how.text, False: how.number}
        create = how.helper if how.helper and [*function.parameters] == ["x"] else how.create
        yield create.format(
            name=name,
            names=", ".join(function.parameters),
            typed=", ".join(f"{mark}{p} {kinds[text]}" for p, text in function.parameters.items()),
            type=kinds[function.text],
            body=_translated(function.body, dialect, function.parameters),
        )


def missing(dialect: str) -> dict[str, str]:
    """The functions that a database does not get, each with the reason."""
    made, without = written()
    if DIALECTS[dialect].aggregates:
        return without
    why = "its functions cannot be aggregates; a period is a statement of its own"
    return without | {_whose(name): why for name, f in made.items() if f.aggregate}


def _whose(name: str) -> str:
    """The worksheet function of a function as SQL."""
    return next(f for f in functions() if name.upper().startswith(f))


def query(text: str, dialect: str) -> str:
    """A statement, written for DuckDB, in the words of another database."""
    return _translated(text, dialect, {}, pretty=True) + DIALECTS[dialect].ending


def _translated(text: str, dialect: str, named: Mapping[str, bool], pretty: bool = False) -> str:
    import sqlglot
    from sqlglot import exp

    tree = _parsed(text).copy()
    if dialect == "postgres":  # otherwise it puts texts in the place of the columns that they make
        for query_ in [*tree.find_all(exp.Select)]:
            if isinstance(query_.expressions[0], exp.Star):
                query_.offset(0, copy=False)
    if dialect == "tsql":  # parameters have a mark, own functions a schema

        def marked(node: exp.Expression) -> exp.Expression:
            if isinstance(node, exp.Column) and node.name in named:
                return exp.Parameter(this=exp.var(node.name))
            if isinstance(node, exp.Anonymous) and node.name.startswith("elo_"):
                return exp.Dot(this=exp.to_identifier("dbo"), expression=node.copy())
            if isinstance(node, exp.RegexpLike):  # TRY_CAST alone finds there what is no number
                return exp.Boolean(this=True)
            return node

        tree = tree.transform(marked)
    level = sqlglot.ErrorLevel.RAISE
    return str(tree.sql(dialect=dialect, pretty=pretty, unsupported_level=level))


@cache
def _parsed(text: str) -> Any:
    import sqlglot

    return sqlglot.parse_one(text, read="duckdb")


def build(folder: Path, dialect: str, rules: str) -> list[Path]:
    """Write the functions, a period under a rulebook and the query of games left out into a folder.

    Raises OptionError for an unknown rulebook, and NoSqlError for one that has no statement.
    """
    head = f"-- elo_xl {__version__}: Elo's rating system as SQL. {PAGE}\n"
    without = "".join(f"-- not here: {name}: {why}\n" for name, why in missing(dialect).items())
    texts = {
        "elo-functions.sql": head + without + "\n".join(statements(dialect)),
        f"elo-period-{rules}.sql": head + query(period(rules), dialect),
        "elo-rejected.sql": head + query(REJECTED, dialect),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        write_whole(folder / name, f"{text}\n".encode())
    return [folder / name for name in texts]
