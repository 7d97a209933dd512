"""The picture of a command in a terminal, drawn from what the command prints."""

from __future__ import annotations

import shutil
from contextlib import chdir
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from click.testing import CliRunner
from rich.console import Console
from rich.terminal_theme import SVG_EXPORT_THEME
from rich.text import Text

from elo_xl.cli import cli

EVENT: Final = "rivertown-open.trf"
WIDTH: Final = 100
_FORMAT: Final = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">
<title>elo-xl rate rivertown-open.trf: the ratings of sixteen players</title>
<style>text {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
font-size: {char_height}px; white-space: pre }} {styles}</style>
<defs>{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})">{backgrounds}{matrix}</g>
</svg>
"""
"""Without the fonts that rich would fetch from afar."""


def rate_picture() -> str:
    """What ``elo-xl rate`` prints of the example, as SVG."""
    examples = Path(__file__).parents[1] / "examples"
    with TemporaryDirectory() as folder, chdir(folder):
        shutil.copy(examples / EVENT, folder)
        runner = CliRunner(
            env={"COLUMNS": str(WIDTH), "FORCE_COLOR": "1", "TERM": "xterm-256color"}
        )
        said = runner.invoke(cli, ["rate", EVENT], color=True)
    drawn = Console(record=True, width=WIDTH, file=StringIO())
    drawn.print(Text.from_ansi(f"$ elo-xl rate {EVENT}\n{said.stdout}"))
    return drawn.export_svg(title="", theme=SVG_EXPORT_THEME, code_format=_FORMAT, unique_id="rate")
