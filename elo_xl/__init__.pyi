"""The public names, for type checkers and editors."""

from elo_xl.api import csv as csv
from elo_xl.api import trf as trf
from elo_xl.api.events import new_workbook as new_workbook
from elo_xl.api.events import rate as rate
from elo_xl.api.events import read_event as read_event
from elo_xl.api.numbers import difference as difference
from elo_xl.api.numbers import exchange as exchange
from elo_xl.api.numbers import expected as expected
from elo_xl.api.numbers import match as match
from elo_xl.api.numbers import outcomes as outcomes
from elo_xl.api.numbers import points as points
from elo_xl.api.plots import plot as plot
from elo_xl.api.predictions import predict as predict
from elo_xl.api.quality import brier as brier
from elo_xl.api.quality import calibration as calibration
from elo_xl.api.quality import check as check
from elo_xl.api.quality import fit as fit
from elo_xl.api.quality import health as health
from elo_xl.api.quality import log_loss as log_loss
from elo_xl.api.quality import sweep as sweep
from elo_xl.api.ratings import bayes as bayes
from elo_xl.api.ratings import bridge as bridge
from elo_xl.api.ratings import change as change
from elo_xl.api.ratings import first_rating as first_rating
from elo_xl.api.ratings import glicko as glicko
from elo_xl.api.ratings import glicko2 as glicko2
from elo_xl.api.ratings import k_factor as k_factor
from elo_xl.api.ratings import needed as needed
from elo_xl.api.ratings import new_rating as new_rating
from elo_xl.api.ratings import performance as performance
from elo_xl.api.rulebooks import rulebooks as rulebooks
from elo_xl.api.tables import estimate_sd as estimate_sd
from elo_xl.api.tables import rate_games as rate_games
from elo_xl.api.tables import rate_period as rate_period
from elo_xl.engine.errors import DomainError as DomainError
from elo_xl.engine.errors import EloError as EloError
from elo_xl.engine.errors import OptionError as OptionError
from elo_xl.engine.errors import RatingError as RatingError
from elo_xl.engine.errors import SizeError as SizeError
from elo_xl.engine.explain import explain as explain
from elo_xl.engine.rulebooks import Rulebook as Rulebook
from elo_xl.engine.systems import Elo as Elo
from elo_xl.engine.systems import Glicko as Glicko
from elo_xl.engine.systems import Glicko2 as Glicko2
from elo_xl.engine.systems import Ioffe as Ioffe
from elo_xl.engine.systems import Rules as Rules
from elo_xl.events.event import EventError as EventError
from elo_xl.functions.evaluation import call as call

__version__: str
__all__: list[str]
