"""The buttons of a club's book in .xlsm: the file as others read it, the macros as they run."""

from pathlib import Path
from typing import Any

import pytest
from defusedxml.ElementTree import fromstring
from pyopenvba.apps.excel import ExcelApplication
from pyopenvba.exceptions import VBARuntimeError

from elo_xl.club import macros
from elo_xl.hosts import excel_addin
from elo_xl.hosts.excel_addin import CLUB_MODULE, CLUB_PROJECT, AddinError
from elo_xl.hosts.excel_addin.buttons import DRAWING, VBA_PART, with_buttons
from elo_xl.languages import CODES
from elo_xl.xlsx.opc import unzipped
from excel_build import vba
from tests.support import package_rules
from tests.support.calc import Calc
from tests.support.command import run_in_a_line as run
from tests.support.levels import cases
from tests.support.open_excel import play
from tests.support.vba_host import Excel

pytestmark = pytest.mark.slow

OK, CANCEL = 1, 2


def club(folder: Path, language: str = "en", *more: str) -> Path:
    path = folder / "club.xlsm"
    run("new", "club", "-o", path, "--lang", language, "--players", 8, "--rounds", 20, *more)
    return path


# -- the file -------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", cases(CODES, test=("en", "ru")))
def test_the_file_keeps_the_format_s_rules(tmp_path: Path, language: str) -> None:
    content = club(tmp_path, language).read_bytes()
    assert [] == package_rules.problems(content)
    parts = unzipped(content)
    modules = package_rules.modules(parts[VBA_PART])
    assert f'Attribute VB_Name = "{vba.CLUB}"\n{vba.club()}' == modules.pop(vba.CLUB)
    sheets = [f"Sheet{n}" for n in range(1, vba.CLUB_SHEETS + 1)]
    assert {"ThisWorkbook", *sheets} == set(modules)
    assert parts[VBA_PART] == excel_addin.content(CLUB_PROJECT)
    shapes = fromstring(parts[DRAWING])
    x = "{urn:schemas-microsoft-com:office:excel}"
    assert ["[0]!EloClose", "[0]!EloUndo"] == [e.text for e in shapes.iter(f"{x}FmlaMacro")]


def test_libreoffice_sees_the_buttons(tmp_path: Path, calc: Calc) -> None:
    saved = unzipped(calc.convert(club(tmp_path), "ods").read_bytes())
    content = fromstring(saved["content.xml"])
    form = "{urn:oasis:names:tc:opendocument:xmlns:form:1.0}"
    link = "{http://www.w3.org/1999/xlink}href"
    found = {
        button.get(f"{form}label"): "".join(e.get(link, "") for e in button.iter())
        for button in content.iter(f"{form}button")
    }
    assert ["Close the period", "Undo"] == list(found)
    for href, macro in zip(found.values(), ("EloClose", "EloUndo"), strict=True):
        assert href.startswith(f"vnd.sun.star.script:elo_xl_club.{vba.CLUB}.{macro}?")
    assert "Basic/elo_xl_club/elo_club.xml" in saved


def test_the_commands_keep_macros_and_buttons(tmp_path: Path) -> None:
    path = club(tmp_path, "en", "--sample")
    before = unzipped(path.read_bytes())
    run("close", path, "--date", "2026-07-01")
    after = unzipped(path.read_bytes())
    assert list(before) == list(after)
    changed = ("/worksheets/sheet", "custom", "sharedStrings")
    kept = [name for name in before if not any(part in name for part in changed)]
    assert {VBA_PART, DRAWING} < set(kept)
    assert [before[name] for name in kept] == [after[name] for name in kept]
    assert [".xlsm"] == [copy.suffix for copy in tmp_path.glob("club (*")]
    again = tmp_path / "again.xlsm"
    run("new", "--from", path, "-o", again)
    assert unzipped(again.read_bytes())[DRAWING] == before[DRAWING]


def test_only_a_club_s_book_has_buttons(tmp_path: Path) -> None:
    assert "must end in .xlsx" in run("new", "swiss", "-o", tmp_path / "swiss.xlsm", code=1)
    path = club(tmp_path)
    assert "already exists" in run("new", "club", "-o", path, code=2)
    with pytest.raises(AddinError, match="has macros or drawings of its own"):
        with_buttons(path.read_bytes(), b"", "Events", {"A": "B"})


# -- the macros -----------------------------------------------------------------------------------


class Told:
    """Python, with what it answers."""

    def __init__(self, **answers: Any) -> None:
        self.answers = {"ELO_CLASS": 1.0, **answers}

    def __call__(self, module: str, name: str, values: tuple[Any, ...]) -> Any:
        assert module == CLUB_MODULE or name == "ELO_CLASS"
        answer = self.answers[name]
        if isinstance(answer, Exception):
            raise answer
        return answer


PREVIEW = ["done", "Aubert, Ada: 1800, now 1807"]


def dialogs(excel: Excel, macro: str, *answers: object) -> list[str]:
    """The texts of the dialogs that a macro shows, with the answers that they get."""
    shown = excel.application.dialogs
    before = len(shown)
    excel.application.answer_dialogs(*answers)
    excel.application.run(macro)
    return [text for _, text, *_ in shown[before:]]


def test_a_period_is_closed_after_a_look_at_it() -> None:
    excel = Excel(Told(elo_preview=PREVIEW, elo_close=["done", "Closed."]))
    question = f"{PREVIEW[1]}\n\nWrite this into the book?"
    day = "Date of the list, as year-month-day:"
    assert [day, question, "Closed."] == dialogs(excel, "EloClose", "2026-04-01", OK)
    assert [("elo_preview", ("2026-04-01",)), ("elo_close", ("2026-04-01",))] == excel.calls
    # nothing is written after Cancel, and nothing asked without a day
    assert [day, question] == dialogs(excel, "EloClose", "2026-04-01", CANCEL)
    assert [day] == dialogs(excel, "EloClose", "")
    assert ["elo_preview"] == [name for name, _ in excel.calls[2:]]


def test_what_is_refused_is_shown() -> None:
    excel = Excel(Told(elo_preview=["refused", "nothing to close"], elo_undo=["done", "Back."]))
    assert "nothing to close" == dialogs(excel, "EloClose", "2026-04-01")[-1]
    assert ["elo_preview"] == [name for name, _ in excel.calls]
    question = "Take back the last step of elo-xl in this book?"
    assert [question, "Back."] == dialogs(excel, "EloUndo", OK)
    assert [question] == dialogs(excel, "EloUndo", CANCEL)
    assert 2 == len(excel.calls)


def test_a_python_that_is_not_there_is_told_of() -> None:
    excel = Excel(Told())

    def start() -> None:
        raise VBARuntimeError(1000, "Could not activate Python COM server")

    excel.start = start
    *_, told = dialogs(excel, "EloClose", "2026-04-01")
    assert told.startswith("Python did not start.")
    assert told.endswith("Last failure: Could not activate Python COM server")
    assert [] == excel.calls


def test_a_python_that_fails_may_have_written() -> None:
    failure = VBARuntimeError(462, "The remote server machine does not exist")
    excel = Excel(Told(elo_preview=PREVIEW, elo_close=failure))
    *_, told = dialogs(excel, "EloClose", "2026-04-01", OK)
    assert told.startswith(
        "Python has failed. If cells have changed, close the book without saving"
    )
    assert told.endswith("The remote server machine does not exist")
    # it is not asked a second time
    assert ["elo_preview", "elo_close"] == [name for name, _ in excel.calls]


def test_a_python_that_has_ended_is_started_anew() -> None:
    told = Told(elo_preview=PREVIEW)
    excel = Excel(told)
    dialogs(excel, "EloClose", "2026-04-01", CANCEL)
    told.answers["ELO_CLASS"] = VBARuntimeError(462, "The remote server machine does not exist")
    excel.start = lambda: told.answers.update(ELO_CLASS=1.0)
    assert PREVIEW[1] in dialogs(excel, "EloClose", "2026-04-01", CANCEL)[-1]
    assert 2 == excel.servers


def test_from_the_macro_to_the_cells(tmp_path: Path) -> None:
    """VBA asks xlwings' server, which works on the book that is open in Excel."""
    path = club(tmp_path, "en", "--sample")

    def call(module: str, name: str, values: tuple[Any, ...]) -> Any:
        if name == "ELO_CLASS":
            return 1.0
        answer = play(books=[{"path": path}], commands=[{"ask": [module, name, *values]}])
        return answer["said"][0]

    excel = Excel(call)
    _, question, closed = dialogs(excel, "EloClose", "2026-07-01", OK)
    assert question.startswith("List of 2026-07-01: Spring league\n")
    assert "Moreau, Élise, standard: " in question
    assert closed.startswith(
        "Closed as of 2026-07-01. Save the book to keep it. Before it was: club"
    )
    assert len(closed) < len(question) < 1024
    assert macros.__name__ == CLUB_MODULE


@pytest.mark.parametrize("macro", ["EloClose", "EloUndo"])
def test_a_button_without_the_add_in_says_what_is_missing(macro: str) -> None:
    application = ExcelApplication()
    application.add_workbook()
    application.add_module(vba.club(), name=vba.CLUB)
    application.run(macro)
    ((_, text, *_),) = application.dialogs
    assert text.startswith("This button needs the add-in elo_xl.xlam, which is not open.")
    assert "py -P -m elo_xl addin excel --install" in text


def test_a_button_runs_the_macro_of_the_add_in(tmp_path: Path) -> None:
    application = ExcelApplication()
    application.add_workbook()
    application.open_workbook(_addin(tmp_path))
    application.add_module(vba.club(), name=vba.CLUB)
    asked: list[object] = []
    own = application.application.vba_get

    def get(name: str, *rest: Any) -> Any:
        if name.lower() == "run":
            asked.extend(rest)
            return None
        return own(name, *rest)

    application.application.vba_get = get
    application.run("EloUndo")
    assert [] == application.dialogs
    assert "'elo_xl.xlam'!EloUndo" in str(asked)


def _addin(folder: Path) -> Path:
    path = folder / excel_addin.ADDIN
    path.write_bytes(excel_addin.content())
    return path
