"""Sheets that a workbook is made of, each filled from a rated event."""
