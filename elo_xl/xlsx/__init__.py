"""The spreadsheet file itself: what openpyxl cannot write, and files written whole or not at all."""

from elo_xl.xlsx.package import CellValue, save

__all__ = ["CellValue", "save"]
