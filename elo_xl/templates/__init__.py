"""Workbooks: sheets of live formulas, with the values that they give."""

from elo_xl.templates.rated_event import rated_event_book, write_rated_event

__all__ = ["rated_event_book", "write_rated_event"]
