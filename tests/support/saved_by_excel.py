"""A workbook in the form in which Excel stores calls of an add-in, part by part.

It has two links: the first leads to our add-in, the second to another workbook, to which cells, a
name, a rule, a chart and a shape refer.
"""

import re
from functools import cache

import openpyxl
from openpyxl.chart import BarChart, Reference
from openpyxl.formatting.rule import FormulaRule
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.formula import ArrayFormula
from openpyxl.worksheet.table import Table, TableColumn, TableFormula

from elo_xl.xlsx.in_place import read_parts, with_parts
from elo_xl.xlsx.package import package

BOOK, SHEET = "xl/workbook.xml", "xl/worksheets/sheet1.xml"

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
XL = "http://schemas.microsoft.com/office/2006/relationships/xlExternalLinkPath"
LATER = "http://schemas.microsoft.com/office/spreadsheetml/2021/extlinks2021"
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

TO_OURS = (
    f'{HEAD}<externalLink xmlns="{MAIN}" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    f'mc:Ignorable="xxl21" xmlns:xxl21="{LATER}">'
    f'<externalBook xmlns:r="{OFFICE}" r:id="rId1">'
    '<xxl21:alternateUrls><xxl21:absoluteUrl r:id="rId2"/></xxl21:alternateUrls>'
    '<sheetNames><sheetName val="elo_xl.conf"/></sheetNames>'
    '<definedNames><definedName name="ELO_K"/><definedName name="ELO_OUTCOMES"/></definedNames>'
    "</externalBook></externalLink>"
)
TO_RATES = (
    f'{HEAD}<externalLink xmlns="{MAIN}"><externalBook xmlns:r="{OFFICE}" r:id="rId1">'
    '<sheetNames><sheetName val="Sheet1"/><sheetName val="My sheet"/></sheetNames>'
    '<definedNames><definedName name="Rate" refersTo="=\'Sheet1\'!$A$1"/></definedNames>'
    '<sheetDataSet><sheetData sheetId="0"><row r="1"><cell r="A1"><v>7</v></cell></row></sheetData>'
    '<sheetData sheetId="1"/></sheetDataSet></externalBook></externalLink>'
)
METADATA = (
    f'{HEAD}<metadata xmlns="{MAIN}" '
    'xmlns:xda="http://schemas.microsoft.com/office/spreadsheetml/2017/dynamicarray">'
    '<metadataTypes count="1"><metadataType name="XLDAPR" minSupportedVersion="120000" copy="1" '
    'pasteAll="1" pasteValues="1" merge="1" splitFirst="1" rowColShift="1" clearFormats="1" '
    'clearComments="1" assign="1" coerce="1" cellMeta="1"/></metadataTypes>'
    '<futureMetadata name="XLDAPR" count="1"><bk><extLst>'
    '<ext uri="{bdbb8cdc-fa1e-496e-a857-3c3f30c029c3}">'
    '<xda:dynamicArrayProperties fDynamic="1" fCollapsed="0"/></ext></extLst></bk>'
    '</futureMetadata><cellMetadata count="1"><bk><rc t="1" v="0"/></bk></cellMetadata></metadata>'
)
IN_START_FOLDER = (f"{XL}/xlStartup", "elo_xl.xlam")
OTHER_PLACES = (
    (f"{XL}/xlPathMissing", "elo_xl.xlam"),
    (f"{OFFICE}/externalLinkPath", r"file:///C:\Users\Ann%20B\AddIns\elo_xl%20(1).XLAM"),
    (f"{OFFICE}/externalLinkPath", "/Users/ann/elo_xl.xlsm"),
)


@cache
def saved_by_excel(place: tuple[str, str] = IN_START_FOLDER) -> bytes:
    """The workbook; its add-in was in ``place``: a type of relationship, and its target."""
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Club"
    sheet.append([1834, 2179, "[1]!ELO_K(", '=[1]!ELO_K(A1,40)&"[2]!"'])
    sheet.append(["=[2]Sheet1!$A$1+'[2]My sheet'!B2", "=SUM([2]!Rate,[1]!elo_k(B1))"])
    sheet["D2"] = ArrayFormula("D2", "=[1]!ELO_EXPECTED(A1,B1)")
    sheet["A4"] = ArrayFormula("A4:C4", "=[1]!ELO_OUTCOMES(A1,B1)")
    sheet["F1"], sheet["G1"], sheet["F2"] = "rating", "2024", 1900
    sheet["G2"] = "=[1]!ELO_K(T[[#This Row],[rating]])+SUM(T[2024])"
    table = Table(displayName="T", ref="F1:G2")
    computed = TableFormula(attr_text="[1]!ELO_K(T[[#This Row],[rating]])+SUM(T[2024])")
    table.tableColumns = [
        TableColumn(id=1, name="rating"),
        TableColumn(id=2, name="2024", calculatedColumnFormula=computed),
    ]
    sheet.add_table(table)
    sheet.conditional_formatting.add("A1", FormulaRule(["mine>10"]))
    validation = DataValidation(type="custom", formula1="far>1")
    validation.add("B1")
    sheet.add_data_validation(validation)
    book.defined_names["mine"] = DefinedName("mine", attr_text="[1]!ELO_K(Club!$A$1)")
    book.defined_names["far"] = DefinedName("far", attr_text="[2]!Rate+[2]!ELO_K(1)")
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=1, min_row=1, max_row=2))
    sheet.add_chart(chart, "J1")
    content = package(book, {})
    parts = read_parts(content)
    text = {name: parts[name].decode() for name in (BOOK, SHEET, "[Content_Types].xml")}
    text["xl/charts/chart1.xml"] = (
        parts["xl/charts/chart1.xml"].decode().replace("'Club'!$A$1:$A$2", "[2]Sheet1!$A$1:$A$2")
    )
    text["xl/drawings/drawing1.xml"] = (
        parts["xl/drawings/drawing1.xml"]
        .decode()
        .replace("<graphicFrame>", '<graphicFrame macro="[2]!Go">')
    )
    # what a program of 365 writes beside the formulas
    text[SHEET] = re.sub(r'<c r="(D2|A4)">', r'<c r="\1" cm="1">', text[SHEET])
    text[SHEET] = text[SHEET].replace("</f>", "</f><v>0</v>")
    text["xl/metadata.xml"] = METADATA
    types = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    relations = parts["xl/_rels/workbook.xml.rels"].decode()
    added, declared, references = "", "", ""
    for number, (link, kind, target) in enumerate(
        [(TO_OURS, *place), (TO_RATES, f"{OFFICE}/externalLinkPath", "rates.xlsx")], start=1
    ):
        name = f"externalLinks/externalLink{number}.xml"
        text[f"xl/{name}"] = link
        own = f'<Relationship Id="rId1" Type="{kind}" Target="{target}" TargetMode="External"/>'
        if link is TO_OURS:
            own += (
                f'<Relationship Id="rId2" Type="{OFFICE}/externalLinkPath" '
                'Target="file:///C:\\Users\\ann\\elo_xl.xlam" TargetMode="External"/>'
            )
        text[f"xl/externalLinks/_rels/externalLink{number}.xml.rels"] = (
            f'{HEAD}<Relationships xmlns="{RELATIONS}">{own}</Relationships>'
        )
        declared += f'<Override PartName="/xl/{name}" ContentType="{types}.externalLink+xml"/>'
        added += f'<Relationship Id="link{number}" Type="{OFFICE}/externalLink" Target="{name}"/>'
        references += f'<externalReference xmlns:r="{OFFICE}" r:id="link{number}"/>'
    declared += f'<Override PartName="/xl/metadata.xml" ContentType="{types}.sheetMetadata+xml"/>'
    added += f'<Relationship Id="meta" Type="{OFFICE}/sheetMetadata" Target="metadata.xml"/>'
    text["[Content_Types].xml"] = text["[Content_Types].xml"].replace(
        "</Types>", f"{declared}</Types>"
    )
    text["xl/_rels/workbook.xml.rels"] = relations.replace(
        "</Relationships>", f"{added}</Relationships>"
    )
    text[BOOK] = text[BOOK].replace(
        "<definedNames>", f"<externalReferences>{references}</externalReferences><definedNames>"
    )
    return with_parts(content, {name: part.encode() for name, part in text.items()})
