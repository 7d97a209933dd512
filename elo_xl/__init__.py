"""Elo ratings for Python: functions, tables and files; and the worksheet functions by name.

>>> import elo_xl as elo
>>> round(elo.expected(1834, 2179), 5)
0.11128

========================= ====================================================================
expected scores           ``expected, difference, outcomes, points, match, exchange``
ratings of a player       ``k_factor, change, new_rating, needed, performance, first_rating``,
                          ``explain``
ratings of uncertainty    ``bayes, bridge, glicko, glicko2``
tables                    ``rate_period, rate_games, fit, predict, plot, estimate_sd``
quality of predictions    ``evaluate, tune, log_loss, brier, calibration, check, health, sweep``,
                          ``Evaluation``
systems                   ``Elo, Ioffe, Glicko, Glicko2, Rules, System, Rated``
files                     ``read_event, trf.read, csv.read, rate, new_workbook``
rules                     ``rulebooks, Rulebook``
cells of a spreadsheet    ``call``
errors                    ``EloError`` and below it ``RatingError`` (``DomainError``,
                          ``OptionError``, ``SizeError``) and ``EventError``
========================= ====================================================================

Each name is loaded when it is first used, so that a bare import takes no time.
"""

from __future__ import annotations

__version__ = "0.1.0"

# where each name is; docs_build/stub.py makes __init__.pyi of them, for type checkers and editors
_MODULES = {
    "api.events": "new_workbook rate read_event",
    "api.quality": "brier calibration check fit health log_loss sweep",
    "api.numbers": "difference exchange expected match outcomes points",
    "api.plots": "plot",
    "api.predictions": "predict",
    "api.ratings": "bayes bridge change first_rating glicko glicko2 k_factor needed new_rating "
    "performance",
    "api.rulebooks": "rulebooks",
    "api.systems": "Elo Evaluation Glicko Glicko2 Ioffe Rated Rules System evaluate rate_games "
    "tune",
    "api.tables": "estimate_sd rate_period",
    "engine.errors": "DomainError EloError OptionError RatingError SizeError",
    "engine.explain": "explain",
    "engine.rulebooks": "Rulebook",
    "functions.evaluation": "call",
    "events.event": "EventError",
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}
_HOMES |= {"csv": "api", "trf": "api"}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> object:
    """Load a public name on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    home = f"elo_xl.{_HOMES[name]}"
    if home == "elo_xl.api":
        value = import_module(f"{home}.{name}")
    else:
        value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
