"""``python -m elo_xl``: the command line."""

from elo_xl.cli import main

main()
