"""The first sheet of a template workbook: how to use it, its settings, what its colours mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from openpyxl.styles import PatternFill
from openpyxl.worksheet.datavalidation import DataValidation

from elo_xl.templates.forms import MOST_PROMPT, MOST_PROMPT_TITLE, Cells, Form, mark, quoted
from elo_xl.templates.parts import MARK, Sheet, Value
from elo_xl.templates.text import GENERAL, wrapped_lines


@dataclass(frozen=True, slots=True)
class Setting:
    """A cell of the first sheet that formulas read by a name."""

    name: str
    key: str
    """of its texts ``setting_KEY`` and ``prompt_KEY``, ``error_KEY``"""
    value: Value = None
    number_format: str = GENERAL
    least: float | None = None
    most: float | None = None
    choices: Sequence[str] = field(default=())
    locked: bool = False


def front(form: Form, settings: Sequence[Setting] = (), *, rules: bool = True) -> Sheet:
    """The first sheet: five lines on how to use the book, its settings, and what to do when cells
    show nothing. ``rules``: whether a rulebook plays a part in it."""
    sheet = form.tab("start")
    ws = sheet.worksheet
    ws.column_dimensions["A"].width = 5
    ws.column_dimensions["B"].width = 30
    ws.column_dimensions["C"].width = 62
    sheet.lines(1, [form.say("title")], "title")
    sheet.height(1, 1.8)
    sheet.lines(2, [form.say("purpose")])
    row = _section(sheet, 4, form.say("how"))
    for i in range(1, 6):
        sheet.write(row, 1, i, "label", "0", "center", measure=False)
        row = _paragraph(sheet, row, form.say(f"step_{i}"))
    shown = list(settings)
    if rules:
        shown.append(Setting("Rules", "rules", form.rules.name, locked=True))
    if shown:
        row = _section(sheet, row + 1, form.say("settings"))
    for setting in shown:
        _setting(form, sheet, row, setting)
        row += 1
    row = _section(sheet, row + 1, form.say("colours"))
    for role, key in (("input", "colour_input"), ("cell", "colour_computed")):
        sheet.write(row, 1, None, role)
        row = _paragraph(sheet, row, form.say(key))
    sheet.write(row, 1, "!", "attention", GENERAL, "center")
    ws.cell(row, 1).fill = PatternFill("solid", MARK)
    row = _paragraph(sheet, row, form.say("colour_mark"))
    row = _section(sheet, row + 1, form.say("trouble"))
    for key in (f"trouble_{form.flavour.name}", "trouble_protected", "trouble_locked"):
        sheet.write(row, 1, "?", "label", GENERAL, "center", measure=False)
        row = _paragraph(sheet, row, form.say(key))
    sheet.page(footer=form.say("title"), upright=True, down=1)
    ws.protection.sheet = True
    return sheet


def _section(sheet: Sheet, row: int, title: str) -> int:
    for column in (1, 2, 3):
        sheet.write(row, column, title if column == 1 else None, "section", measure=False)
    sheet.height(row, 1.2)
    return row + 1


def _paragraph(sheet: Sheet, row: int, text: str) -> int:
    ws = sheet.worksheet
    sheet.write(row, 2, text, "paragraph", GENERAL, "left", measure=False)
    sheet.write(row, 3, None, "paragraph", measure=False)
    ws.merge_cells(start_row=row, start_column=2, end_row=row, end_column=3)
    sheet.height(row, wrapped_lines(text, 88))
    return row + 1


def _setting(form: Form, sheet: Sheet, row: int, setting: Setting) -> None:
    label = form.say(f"setting_{setting.key}")
    sheet.write(row, 1, None, "cell", measure=False)
    sheet.write(row, 2, label, "cell", GENERAL, "left", measure=False)
    role = "cell" if setting.locked else "input"
    sheet.write(row, 3, setting.value, role, setting.number_format, "left", measure=False)
    form.define(setting.name, sheet.reference(f"$C${row}"))
    if setting.locked:
        return
    rule = DataValidation(type=None, allow_blank=True)
    cell, good = f"$C${row}", ""
    if setting.choices:
        rule.type, rule.formula1 = "list", '"' + ",".join(setting.choices) + '"'
        good = "OR(" + ",".join(f"{cell}={quoted(choice)}" for choice in setting.choices) + ")"
    elif setting.most is not None:
        rule.type, rule.operator = "decimal", "between"
        rule.formula1, rule.formula2 = f"{setting.least or 0:g}", f"{setting.most:g}"
        inside = f"AND({cell}>={rule.formula1},{cell}<={rule.formula2})"
        good = f"IF(ISNUMBER({cell}),{inside},FALSE)"
    if good:  # for what was pasted: no rule refuses that
        mark(Cells(sheet, row, 3), f'AND({cell}<>"",NOT({good}))')
    rule.promptTitle = rule.errorTitle = label[:MOST_PROMPT_TITLE]
    rule.prompt = form.say(f"prompt_{setting.key}")[:MOST_PROMPT]
    rule.showInputMessage = True
    if rule.type:
        rule.error = form.say(f"error_{setting.key}")[:MOST_PROMPT]
        rule.showErrorMessage = True
    rule.add(f"C{row}")
    sheet.worksheet.add_data_validation(rule)
