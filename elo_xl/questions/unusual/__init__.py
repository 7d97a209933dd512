"""Whose score is too rare to be an accident."""
