"""What tests are made with: other programs, oracles, invented events."""

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
"""The folder of the project."""

DATA: Final = ROOT / "tests" / "data"
