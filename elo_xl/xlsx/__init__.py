"""The spreadsheet file: what openpyxl cannot write, and files written completely or not at all."""
