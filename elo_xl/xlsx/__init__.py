"""The spreadsheet file: what openpyxl cannot write, and files written completely or not at all."""

from elo_xl.xlsx.package import CellValue, PlainText, save

__all__ = ["CellValue", "PlainText", "save"]
