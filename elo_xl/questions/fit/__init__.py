"""Ratings of all games at once."""
