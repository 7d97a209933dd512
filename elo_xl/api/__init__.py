"""The front door for Python: what ``import elo_xl`` offers, for numbers, columns, tables and files.

The names are listed in :mod:`elo_xl`, which loads each of them on first use.
"""
