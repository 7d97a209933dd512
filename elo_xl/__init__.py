"""Elo ratings for Python: functions, tables and files; and the worksheet functions by name.

>>> import elo_xl as elo
>>> round(elo.expected(1834, 2179), 5)
0.11128

========================= ====================================================================
expected scores           ``expected, difference, outcomes, expected_points, match_odds``,
                          ``exchange``
ratings of a player       ``k_factor, explain, needed, performance, first_rating``
ratings of uncertainty    ``bayes, bridge``
tables                    ``rate_period, fit, plot, estimate_sd``
quality of predictions    ``evaluate, tune, log_loss, brier, calibration, check, health, sweep``
systems                   ``Elo, Ioffe, Glicko, Glicko2, Rules, System``
files                     ``read_event, rate_event, new_workbook``
rules                     ``rulebooks, Rulebook``
cells of a spreadsheet    ``worksheet``
what they give            ``Rated, Evaluation, Fit, Check, Health, Explained, SdEstimate``,
                          ``Event, EventRatings, Workbook, Outcomes, Exchange, Bayes, Bridge``
errors                    ``EloError`` and below it ``RatingError`` (``DomainError``,
                          ``OptionError``, ``SizeError``) and ``EventError``
========================= ====================================================================

Each name is loaded when it is first used, so that a bare import takes no time.
"""

from __future__ import annotations

__version__ = "0.1.0"

# where each name is; docs_build/stub.py makes __init__.pyi of them, for type checkers and editors
_MODULES = {
    "api.events": "Event EventRatings Workbook new_workbook rate_event read_event",
    "api.quality": "Fit brier calibration check fit health log_loss sweep",
    "api.numbers": "Exchange Outcomes difference exchange expected expected_points match_odds "
    "outcomes",
    "api.plots": "plot",
    "api.ratings": "Bayes Bridge bayes bridge explain first_rating k_factor needed performance",
    "api.rulebooks": "rulebooks",
    "api.systems": "Elo Evaluation Glicko Glicko2 Ioffe Rated Rules System evaluate tune",
    "api.tables": "estimate_sd rate_period",
    "engine.bayes": "SdEstimate",
    "engine.errors": "DomainError EloError OptionError RatingError SizeError",
    "engine.explain": "Explained",
    "engine.rulebooks.rulebook": "Rulebook",
    "functions.evaluation": "worksheet",
    "events.event": "EventError",
    "questions.check.numbers": "Check",
    "questions.check.ratings": "Health",
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}

# what has gone since 0.1.0, and what does the same; the table goes with the next release
_GONE = {
    "call": "worksheet",
    "change": "explain(…).change",
    "csv": "read_event(path, players=…)",
    "glicko": "Glicko(…).rate(games, players)",
    "glicko2": "Glicko2(…).rate(games, players)",
    "match": "match_odds",
    "new_rating": "explain(…).new",
    "points": "expected_points",
    "predict": "what a system's rate gives, or fit: it has the method predict",
    "rate": "rate_event",
    "rate_games": "Elo(…).rate(games, players), with players and history",
    "trf": "read_event(path, players=…)",
}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> object:
    """Load a public name on first use."""
    if name not in _HOMES:
        hint = f"; instead of it there is {_GONE[name]}" if name in _GONE else ""
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{hint}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
