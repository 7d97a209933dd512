"""Sheets that several books have."""
