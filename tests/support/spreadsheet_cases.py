"""Formulas of one small book, by what they are about, that every spreadsheet gives the same for.

The sheet Data holds odd things on purpose: texts among numbers, truth values, blanks, errors, wild
cards, a text that reads like a number.
"""

from typing import Any, Final

import openpyxl

DATA: Final[dict[str, tuple[Any, ...]]] = {
    "A": (3, "text", None, True, 5.5, "7", "Zoë", -2, "An*a", 0),
    "B": ("Anna", "anna", "ANNABEL", "Bo", None, "bo", "*", "Cy", "Dan~", "x"),
    "C": (1, 2, 2, 3, 5, 8, 13, 21, 34, 55),
    "D": (10, 20, 30, 40, 50, 60, 70, 80, 90, 100),
    "E": ("=1/0", 1, "=NA()", "a", None, "b", 2, '=""', 4, "b"),
    "F": ("a", "b", "b", "c", "d", "e", "f", "g", "h", "i"),
    "G": (3, "text", None, "x", 5.5, "7", "Zoë", -2, "An*a", 0),  # A without a truth value
    "H": tuple(range(7, 5000)),  # in the row of every formula
}


def _over(pattern: str, *values: str) -> tuple[str, ...]:
    return tuple(pattern.format(value) for value in values)


_NUMBERS = ("3", "2.5", '"7"', "Data!A1", "Data!A6", '"x"', "Data!A2", "Data!E1", "Data!E3")
_FUNCTIONS_OF_NUMBERS = (
    *("ABS", "SIGN", "INT", "SQRT", "EXP", "LN", "LOG10", "TRUNC", "NORMSDIST"),
    *("YEAR", "MONTH", "DAY"),
)
_FUNCTIONS_OF_ANY = (
    *("ISNUMBER", "ISTEXT", "ISBLANK", "ISERROR", "ISERR", "ISNA", "N"),
    *("LEN", "TRIM", "UPPER", "LOWER"),
)
_ANY = (*_NUMBERS, "Data!A3", "Data!Z1", "Data!E8", '""', '" a  b "')
_OPERANDS = ("3", '"7"', '"x"', "0", "Data!A3", "Data!A2", "Data!E8")
_CRITERIA = (
    *("3", '"3"', '"text"', '"TEXT"', '"zz"', '""', '"<>"', '"<>3"', '">0"', '">=3"', '"<=b"'),
    *("7", '"An~*a"', '"<a"', '">a"', '"a*"', '"=text"', '"-2"', '"=-2.0"', '"5.5"', "0", '"0"'),
    *("Data!G1", "Data!G9", '"<>text"', '">"&2', '"z?ë"', '"*b*"'),
)
_WANTED = (
    *("3", '"text"', '"TEXT"', '"7"', '"An*a"', '"An~*a"', '"b?"', '"~*"', "0", "-2", "99"),
    *('"zz"', "Data!E1", "5.5", '"a"', '"dan~"', '"dan~~"'),
)

CASES: Final[dict[str, tuple[str, ...]]] = {
    "operators": (
        *(
            f"{a}{sign}{b}"
            for sign in ("+", "-", "*", "/", "&", "=", "<>", "<", ">", "<=", ">=")
            for a in _OPERANDS
            for b in ("2", '"7"', '"X"', "Data!A3")
        ),
        *("2^0.5", "-2^2", "2^-1", "2^3^2", "50%", "-50%", "1/0", "0/0", "1E+200*1E+200"),
        *('"12"+1', '"1e3"*1', '" 5 "+0', '"12%"+0', '""+1', '--"3"', '-"x"', '+"x"', '5="5"'),
        *('"5"="5"', "TRUE=TRUE", "TRUE+1", "TRUE*2", "Data!E1+1", "1+Data!E3", "Data!Q1&1"),
    ),
    "numbers of almost the same size": (
        *("0.1+0.2=0.3", "0.3-0.2=0.1", "SIGN(0.3-0.1-0.2)", "0.3-0.1-0.2", "0.1+0.2>0.3"),
        *("0.1+0.2<=0.3", "(0.1+0.2)-0.3", "SIGN(-0.3+0.1+0.2)", "INT(4.35*100)", "1+1E-16=1"),
        *("1=1.0000000000000002", "1=1.000000000000005", "SIGN(1-1.000000000000002)"),
        "SUMPRODUCT(--(Data!C1:C10*0.1=0.3))",
    ),
    "numbers as texts": _over(
        '({})&""',
        *("0.1+0.2", "1/3", "123456789012345", "1E-5", "0.00012345", "-0.5", "2/3*1E+6", "1E-4/3"),
        *("100", "1.10", "123456.789", "0.3-0.1-0.2", "1.5E+300", "12345678.12345678", "-7", "0"),
    ),
    "functions of a number": tuple(
        f"{name}({value})" for name in _FUNCTIONS_OF_NUMBERS for value in _NUMBERS
    ),
    "functions of any value": tuple(
        f"{name}({value})" for name in _FUNCTIONS_OF_ANY for value in _ANY
    ),
    "rounding": (
        *(
            f"{name}({value},{digits})"
            for name in ("ROUND", "ROUNDUP", "ROUNDDOWN", "TRUNC")
            for value in ("2.5", "-2.5", "0.285", "1.005", "2.675", "1250", "-1250", "1.45", "1E-7")
            for digits in range(-2, 4)
        ),
        *(f"MOD({a},{b})" for a in ("7", "-7", "5.5", "0.3", "0") for b in ("3", "-3", "0.1", "0")),
        *(
            f"{name}({a},{b})"
            for name in ("CEILING", "FLOOR", "POWER")
            for a in ("7", "5.5", "0.3")
            for b in ("3", "2", "0.1")
        ),
        *("LOG(8,2)", "LOG(100)", "LOG(5,0.5)", "PI()", "COMBIN(5,2)", "ISEVEN(4)", "ISODD(-3)"),
    ),
    "distributions": (
        *("_xlfn.NORM.S.DIST(0.5,TRUE)", "_xlfn.NORM.S.DIST(0.5,FALSE)"),
        *("_xlfn.NORM.S.DIST(-38,TRUE)", "_xlfn.NORM.S.DIST(-6,TRUE)", "NORMSINV(0.2)"),
        *("_xlfn.NORM.S.INV(0.975)", "_xlfn.NORM.S.INV(0.0001)", "NORMINV(0.3,10,2)"),
        *("_xlfn.NORM.DIST(3,2,2,TRUE)", "_xlfn.NORM.DIST(3,2,2,FALSE)", "NORMDIST(1,0,1,TRUE)"),
        *("_xlfn.NORM.INV(0.3,10,2)", "_xlfn.BINOM.DIST(3,10,0.3,FALSE)"),
        *("_xlfn.BINOM.DIST(3,10,0.3,TRUE)", "_xlfn.BINOM.DIST(0,10,0,TRUE)"),
        *("_xlfn.BINOM.DIST(500,1000,0.5,FALSE)", "_xlfn.BINOM.DIST(3.7,10.2,0.3,TRUE)"),
        "BINOMDIST(2,4,0.5,TRUE)",
    ),
    "texts": (
        *('MID("abcdef",2,3)', 'MID("abc",5,2)', 'MID("abc",0,2)', 'LEFT("abc",0)', 'LEFT("abc")'),
        *('LEFT("abc",9)', 'LEFT("abc",-1)', 'RIGHT("abc",2)', 'RIGHT("abc",9)', 'RIGHT("abc",0)'),
        *("RIGHT(123.5,2)", 'REPT("ab",3)', 'REPT("ab",0)', 'REPT("ab",-1)'),
        *('_xlfn.NUMBERVALUE("1650.5",".","|")', '_xlfn.NUMBERVALUE("1,5",",",".")'),
        *(
            '_xlfn.NUMBERVALUE("1.2.3",".","|")',
            '_xlfn.NUMBERVALUE("2|000.5",".","|")',
            '_xlfn.NUMBERVALUE("5%")',
        ),
        *('_xlfn.NUMBERVALUE("x",".","|")', '_xlfn.NUMBERVALUE("-.5",".","|")'),
        *('REPLACE("1.650",2,1,"")', 'REPLACE("abc",2,9,"x")', 'REPLACE("abc",0,1,"x")'),
        *('CLEAN("a"&CHAR(9)&"b")', 'HYPERLINK("#Data!A1","there")', 'HYPERLINK("#Data!A1")'),
        *('SUBSTITUTE("a-b-c","-","+")', 'SUBSTITUTE("a-b-c","-","+",2)'),
        *('SUBSTITUTE("a-b-c","-","+",5)', 'SUBSTITUTE("abc","","+")', 'SUBSTITUTE("aXa","x","b")'),
        *('FIND("b","abc")', 'FIND("B","abc")', 'FIND("c","abcabc",4)', 'FIND("z","abc")'),
        *('SEARCH("B","abc")', 'SEARCH("?c","abc")', 'SEARCH("b*","abc")', 'SEARCH("~*","a*c")'),
        *('SEARCH("z","abc")', 'EXACT("a","A")', 'EXACT("a","a")', 'CONCATENATE("a",1)'),
        *('_xlfn.CONCAT("a",Data!B1:B3)', '_xlfn.TEXTJOIN(", ",TRUE,Data!B1:B6)'),
        *('_xlfn.TEXTJOIN(",",FALSE,Data!B1:B6)', "CHAR(65)", "_xlfn.UNICHAR(189)"),
        *('VALUE(" 12 ")', 'VALUE("1e3")', 'VALUE("12%")', 'VALUE("")', 'VALUE("1,234")'),
        *('TEXT(3.14159,"0.00")', 'TEXT(0.5,"0%")', 'TEXT(1234567.891,"#,##0")', 'TEXT(5,"000")'),
        *('TEXT(1234567.891,"#,##0.0")', 'TEXT(-2.5,"0")', 'TEXT(0.5,"#.##")', 'TEXT("x","0")'),
        *('TEXT(43831,"yyyy-mm-dd")', 'TEXT(0.125,"0.0%")', 'TEXT(-1234.567,"#,##0.00")'),
        *('TEXT(3,"+0;-0;0")', 'TEXT(-3,"+0;-0;0")', 'TEXT(0,"+0;-0;0")', 'TEXT(12,"General")'),
    ),
    "dates": (
        *("DATE(2024,2,30)*1", "DATE(2024,14,1)*1", "DATE(2024,1,-5)*1", "DATE(2024,0,1)*1"),
        *("YEAR(45000)", "MONTH(45000)", "DAY(45000.9)", "WEEKDAY(45000)", "WEEKDAY(45000,2)"),
        *("YEAR(60)", "DAY(61)", 'YEAR("x")'),
    ),
    "conditions": (
        *("IF(1,2)", "IF(0,2)", "IF(Data!E1,1,2)", 'IF("x",1,2)', "IF(Data!A3,1,2)", "IF(TRUE,,1)"),
        *("IF(TRUE,Data!A3,1)", "IF(FALSE,1,)", 'IF(Data!A1>2,"y","n")', 'IFERROR(1/0,"e")'),
        *('IFERROR(Data!A3,"e")', "IFERROR(5,1/0)", '_xlfn.IFNA(Data!E3,"na")'),
        *('_xlfn.IFNA(Data!E1,"na")', "_xlfn.IFS(FALSE,1,TRUE,2)", "_xlfn.IFS(FALSE,1)"),
        *('_xlfn.SWITCH(2,1,"a",2,"b")', '_xlfn.SWITCH(9,1,"a",2,"b")', '_xlfn.SWITCH("B","b",1)'),
        *('_xlfn.SWITCH(9,1,"a","z")', 'CHOOSE(2,"a","b")', 'CHOOSE(3,"a")', 'CHOOSE(1.9,"a","b")'),
        *("NOT(Data!A3)", 'NOT("x")', "NOT(0)", "TRUE()", "FALSE()", "NA()", "ISNA(NA())"),
        *("AND(Data!A4,Data!A1)", "AND(Data!A2,TRUE)", "AND(Data!A2)", "AND(Data!A3)"),
        *('AND("x",TRUE)', "OR(Data!G1:G10)", "AND(Data!C1:C10)", "AND(1,0,Data!E1)", "OR(0,0)"),
        *("OR(Data!A3,FALSE)", "AND(TRUE,1)"),
        *("NOSUCH(1)", "Nosuchname", "ISLOGICAL(TRUE)", "ISLOGICAL(Data!A4)", "ISLOGICAL(Data!A2)"),
    ),
    "criteria": (
        *(f"COUNTIF(Data!{cells},{c})" for c in _CRITERIA for cells in ("G1:G10", "B1:B10")),
        *(f"SUMIF(Data!G1:G10,{c},Data!D1:D10)" for c in _CRITERIA),
        *(f'SUMIFS(Data!C1:C10,Data!B1:B10,{c},Data!D1:D10,">20")' for c in _CRITERIA),
        *(f"IFERROR(AVERAGEIF(Data!G1:G10,{c},Data!D1:D10),-1)" for c in _CRITERIA),
        *(
            '_xlfn.MAXIFS(Data!D1:D10,Data!B1:B10,"an*")',
            '_xlfn.MINIFS(Data!D1:D10,Data!C1:C10,">4")',
        ),
        *('_xlfn.MAXIFS(Data!D1:D10,Data!B1:B10,"zz")', 'SUMIF(Data!B1:B10,"anna",Data!D1)'),
        'AVERAGEIFS(Data!D1:D10,Data!C1:C10,">4",Data!B1:B10,"<>Cy")',
        *('AVERAGEIFS(Data!D1:D10,Data!C1:C10,">400")', 'SUMIF(Data!C1:C10,">4")'),
        *('SUMIF(Data!E1:E4,"a",Data!D1:D4)', 'SUMIF(Data!D1:D4,">30",Data!E1:E4)'),
        *('COUNTIFS(Data!C1:C10,">2",Data!D1:D10,"<80")', 'COUNTIF(Data!E1:E10,"#N/A")'),
        *('COUNTIFS(Data!C1:C10,">2",Data!D1:D9,"<80")', 'COUNTIF(Data!B1:B10,"a???")'),
        *('COUNTIF(Data!C1:C10,">"&Data!C3)', 'COUNTIF(Data!B:B,"anna")', "COUNTIF(Data!$E:$E,2)"),
        "SUMPRODUCT(SUMIF(Data!C1:C10,Data!C1:C3,Data!D1:D10))",
        "SUMPRODUCT(1/COUNTIF(Data!C1:C10,Data!C1:C10))",
    ),
    "looking up": (
        *(
            f"MATCH({w},Data!{cells},0)"
            for w in _WANTED
            for cells in ("G1:G10", "B1:B10", "E1:E10")
        ),
        *(f"VLOOKUP({w},Data!A1:D10,4,FALSE)" for w in _WANTED),
        *(
            pattern.format(w)
            for w in ("0", "1", "2", "2.5", "5", "60", '"x"')
            for pattern in (
                "MATCH({},Data!C1:C10,1)",
                "MATCH({},Data!C1:C10)",
                "LOOKUP({},Data!C1:C10,Data!F1:F10)",
                "VLOOKUP({},Data!C1:D10,2)",
                "LOOKUP({},Data!C1:D10)",
                'LOOKUP({},{{1,2,3}},{{"a","b","c"}})',
            )
        ),
        *_over("MATCH({},Data!F1:F10,1)", '"a"', '"bb"', '"z"', '"A"', '"c"'),
        *_over("MATCH({},{{9;7;5;2;1}},-1)", "9", "7.5", "2", "99"),
        *("VLOOKUP(3,Data!C1:D10,2,FALSE)", "VLOOKUP(4,Data!C1:D10,2,TRUE)"),
        *("VLOOKUP(3,Data!C1:D10,0,FALSE)", "HLOOKUP(3,{1,2,3;4,5,6},2,FALSE)"),
        *("HLOOKUP(2.5,{1,2,3;4,5,6},2)", "LOOKUP(2,1/(Data!C1:C10=2),Data!D1:D10)"),
        *("LOOKUP(9.99E+307,Data!C1:C10)", "MATCH(13,Data!C:C,0)", "MATCH(9.99E+307,Data!C1:C10)"),
        *("MATCH(1,INDEX((Data!C1:C10=3)*(Data!D1:D10=40),0),0)", 'MATCH("b",{"a","b","c"},0)'),
        *("RANK(8,Data!C1:C10)", "RANK(8,Data!C1:C10,1)", "RANK(2,Data!C1:C10)"),
        *("RANK(7,Data!C1:C10)", "_xlfn.RANK.EQ(2,Data!C1:C10,1)", "LARGE(Data!C1:C10,2)"),
        *("SMALL(Data!G1:G10,1)", "LARGE(Data!C1:C10,1.5)", "SMALL(Data!C1:C10,1.5)"),
        *("SUM(LARGE(Data!C1:C10,{1,2,3}))", "SUM(SMALL(Data!C1:C10,{1;2}))"),
    ),
    "references": (
        *("INDEX(Data!C1:C10,3)", "INDEX(Data!C1:D10,3,2)", "INDEX(Data!C1:C10,11)"),
        *("INDEX(Data!C1:C10,-1)", "SUM(INDEX(Data!C1:D10,0,2))", "SUM(INDEX(Data!C1:D10,3,0))"),
        *("SUM(INDEX(Data!C1:D10,0,0))", "INDEX({1,2;3,4},2,1)", "INDEX({1,2,3},2)"),
        *("INDEX({1;2;3},2)", "SUM(INDEX(Data!C1:C10,2):INDEX(Data!C1:C10,4))"),
        *("SUM(Data!C1:INDEX(Data!C1:C10,4))", "SUM(INDEX(Data!C1:C10,4):Data!C6)"),
        *("INDEX(Data!A1:A10,3)", 'INDEX(Data!A1:A10,3)=""', "ISBLANK(INDEX(Data!A1:A10,3))"),
        *("INDEX(Data!C1:E1,2)", "INDEX(Data!C1:C10,2.9)", 'INDEX(Data!C1:C10,"3")'),
        *("INDEX(Data!C1:C10,Data!E1)", "INDEX(Data!$C:$C,ROW(Data!A3))", "ROWS(Data!A1:A7)"),
        *("COLUMNS(Data!A1:D1)", "ROW(Data!B7)", "COLUMN(Data!B7)", "ROW()", "COLUMN()"),
        *(
            "SUMPRODUCT(ROW(Data!A1:A4))",
            "SUMPRODUCT(ROW($1:$4))",
            "SUMPRODUCT(COLUMN(Data!A1:C1))",
        ),
        *("ROWS({1;2;3})", "COLUMNS({1,2,3})"),
        *("SUM(Data!C:C)", "COUNT(Data!$C:$D)", "MAX(Data!3:3)"),
        *("Data!C1:C10", "Data!C1:C10+1", "ABS(Data!C1:C10)", "SUM(Data!C1:C10*2)", "Data!A1:F1"),
        *("Gains", "SUM(Gains)", "INDEX(Gains,2)", "Half*2", "ROWS(Gains)"),
    ),
    "one cell of several": (
        *(
            pattern.format("Data!H1:H4990")
            for pattern in (
                *("IF(TRUE,{})", "CHOOSE(1,{})", "_xlfn.IFS(TRUE,{})", "_xlfn.SWITCH(1,1,{})"),
                *("INDEX({},0)", "2*INDEX({},0,1)", "IFERROR(INDEX({},0),77)", "INDEX({},0)>99"),
                *("SUM(INDEX({},0))", "SUM(IF(TRUE,{}))", "SUM(CHOOSE(1,{}))", "ROWS(INDEX({},0))"),
                *("SUM(_xlfn.SWITCH(1,1,{}))", "SUM(_xlfn.SWITCH(2,1,0,{}))", "SUM(INDEX({},0)*2)"),
                *("AND(INDEX({},0)>99)", "MATCH({0},{0},0)", "MATCH(INDEX({0},0),{0},0)"),
                *("LOOKUP({0},{0})", "VLOOKUP({0},{0},1,FALSE)", "RANK({0},{0})"),
                *('CONCATENATE({},"x")', "COUNTIF({0},{0})", 'COUNTIF({0},">"&INDEX({0},0))'),
                *("SUMIF({0},{0},{0})", "SUMIFS({0},{0},{0})", "COUNTIFS({0},{0})"),
                *("AVERAGEIF({0},{0},{0})", "_xlfn.MAXIFS({0},{0},{0})"),
            )
        ),
        *("CHOOSE(1,Data!B1:D1)", "INDEX(Data!B1:D1,0)", "INDEX(Data!A1:H5000,3,0)"),
        *("IF(TRUE,{7,8})", "SUM(CHOOSE({1,2},5,6))", "SUM(CHOOSE({1,2},Data!C1:C10,Data!D1:D10))"),
        "VLOOKUP(3,CHOOSE({1,2},Data!C1:C10,Data!D1:D10),2,FALSE)",
    ),
    "sums": (
        *("SUM(Data!C1:C3,Data!D1,5)", "COUNTBLANK(Data!A1:A10)", "COUNTBLANK(Data!E1:E10)"),
        *("COUNTA(Data!B1:B10)", 'COUNT(Data!B1:B10,Data!C1:C3,"x")', 'COUNTA("",1)'),
        *('COUNT("3",4)', "COUNTA(Data!E1:E10)", "COUNT(Data!G1:G10)", "MEDIAN(Data!C1:C10)"),
        *("MEDIAN(1,2,3,4)", "STDEV(Data!C1:C10)", "_xlfn.STDEV.S(Data!C1:C10)", "VAR(1,2,4)"),
        *("_xlfn.STDEV.P(Data!C1:C10)", "STDEVP(1,2,4)", "_xlfn.VAR.S(Data!C1:C10)"),
        *("_xlfn.VAR.P(1,2,4)", "VARP(Data!C1:C10)", "STDEV(1)", "PRODUCT(Data!C1:C3)"),
        *("INDEX(MMULT({1,2;3,4},{5;6}),2,1)", "INDEX(MINVERSE({1,2;3,4}),2,1)"),
        *("INDEX(MINVERSE({1,2;2,4}),1,1)", "INDEX(MINVERSE({1,2}),1,1)"),
        *("INDEX(MMULT({1,2},{1,2}),1,1)", 'INDEX(MINVERSE({"a"}),1,1)'),
        *("PRODUCT(Data!A2:A3)", "SUMSQ(Data!C1:C3,2)", "AVERAGE(Data!G1:G10)"),
        *("AVERAGE(Data!A2:A3)", "MAX(Data!A2:A3)", "MIN(Data!B1:B3)", "MAX(Data!E3:E4)"),
        *("SUM({1,2,3}*2)", "MAX(1,TRUE,Data!C1)", 'IFERROR(SUM(Data!E1:E4),"bad")'),
        *("MIN(Data!C1:C10,0.5)", "SUM(Data!B1:B3)", "AVERAGE(1,2,6)"),
    ),
    "arrays": (
        *("SUMPRODUCT(Data!C1:C10,Data!D1:D10)", "SUMPRODUCT(Data!G1:G10,Data!C1:C10)"),
        *("SUMPRODUCT(--(Data!C1:C10>3))", 'SUMPRODUCT((Data!B1:B10="anna")*Data!C1:C10)'),
        *('SUMPRODUCT(--(Data!B1:B10=""))', 'SUMPRODUCT(--(Data!B1:B10<>""))'),
        *('SUMPRODUCT(--(Data!A1:A10=""))', "SUMPRODUCT((Data!C1:C10-Data!D1:D10)^2)"),
        "SUMPRODUCT((Data!C1:C10>2)*(Data!C1:C10<20)*Data!D1:D10)",
        *("SUMPRODUCT(ABS(Data!C1:C10-5))", "SUMPRODUCT(SQRT(Data!C1:C10))"),
        *(
            "SUMPRODUCT(EXP(-Data!C1:C10))",
            "SUMPRODUCT(_xlfn.NORM.S.DIST((Data!C1:C10-10)/8,TRUE))",
        ),
        *("SUMPRODUCT(_xlfn.NORM.S.DIST((Data!C1:C10-10)/8,FALSE))", "SUMPRODUCT(-Data!C1:C3)"),
        *("SUMPRODUCT(ROUND(Data!C1:C10/3,1))", "SUMPRODUCT(MOD(Data!C1:C10,3))"),
        *("SUMPRODUCT(SIGN(Data!C1:C10-5))", 'SUMPRODUCT(MAX(Data!C1:C10*(Data!B1:B10="anna")))'),
        *("SUMPRODUCT(--ISNUMBER(Data!G1:G10))", "SUMPRODUCT(LEN(Data!B1:B10))"),
        *("SUMPRODUCT(IF(Data!C1:C10>3,Data!D1:D10,0))", "SUMPRODUCT({1,2,3},{4,5,6})"),
        *(
            "SUMPRODUCT({1,2;3,4}*{10,100})",
            "SUMPRODUCT({1;2}*{10,100})",
            "SUMPRODUCT(Data!A1:A10*1)",
        ),
        *("SUMPRODUCT(Data!C1:C10,Data!D1:D9)", "SUMPRODUCT(Data!E3:E3)"),
        *("SUMPRODUCT((Data!G1:G10=Data!A3)*1)", "SUMPRODUCT((Data!C1:C10=Data!C2)*1)"),
        *("SUMPRODUCT(--(Data!G1:G10=3))", "SUMPRODUCT(--(Data!B1:B10=Data!B1:B10))"),
        *("SUMPRODUCT(--(Data!A1:A10=Data!Z1))", "SUMPRODUCT(--(Data!Z1<>Data!A1:A10))"),
        *("SUMPRODUCT(--(Data!G1:G10=0))", "SUMPRODUCT(--(Data!G1:G10<>0))"),
        *('SUMPRODUCT(--(Data!G1:G10&""="7"))', "SUMPRODUCT(Data!C1:C3%)"),
        *(
            "SUMPRODUCT(INT(Data!C1:C10/2))",
            "SUMPRODUCT(Data!C1:C10^2)",
            "SUMPRODUCT(LN(Data!C1:C10))",
        ),
        *('SUMPRODUCT(--(LEFT(Data!B1:B10,1)="a"))', "SUMPRODUCT(2^Data!C1:C5)"),
        "SUMPRODUCT(--(MATCH(Data!C1:C10,Data!C1:C10,0)=ROW(Data!C1:C10)))",
        *("SUMPRODUCT(IFERROR(Data!E1:E4*1,100))", "SUMPRODUCT(--(Data!C1:C3={1,2}))"),
    ),
}
"""Formulas that Excel and LibreOffice agree on, as files store them."""

DIFFERENT: Final[dict[str, tuple[Any, Any]]] = {
    # formula: what Excel gives, and so do we; what LibreOffice gives
    "ISNUMBER(TRUE)": (False, True),
    "1=TRUE": (False, True),
    "3<FALSE": (True, False),
    "TRUE&1": ("TRUE1", "11"),
    'SUM("7")': (7, "#VALUE!"),
    "SUM(Data!A1:A10)": (6.5, 7.5),
    "COUNT(Data!A1:A10)": (4, 5),
    'COUNTIF(Data!G1:G10,"*")': (5, 9),
    "0^0": ("#NUM!", 1),
    "(-8)^(1/3)": ("#NUM!", -2),
    "1E+20&1": ("1E+201", "1E+0201"),
    'FIND("","abc")': (1, "#VALUE!"),
    "Data!E1+Data!E3": ("#DIV/0!", "#N/A"),
    "COUNTIF(Data!B1:B10,Data!E1)": (0, "#DIV/0!"),
    "MATCH(Data!A3,Data!G1:G10,0)": (10, "#N/A"),
    "SUM(ROW(Data!A1:A4))": (1, 10),
    'TEXT(2,"0.##")': ("2.", "2"),
}

NAMES: Final = {"Gains": "Data!$D$1:$D$10", "Half": "1/2"}


def book(formulas: dict[int, str]) -> openpyxl.Workbook:
    """The sheet Data, and formulas by row in column A of the sheet Formulas."""
    from openpyxl.workbook.defined_name import DefinedName

    made = openpyxl.Workbook()
    data = made.worksheets[0]
    data.title = "Data"
    for column, values in DATA.items():
        for row, value in enumerate(values, start=1):
            data[f"{column}{row}"].value = value
    sheet = made.create_sheet("Formulas")
    for row, formula in formulas.items():
        sheet.cell(row, 1, f"={formula}")
    for name, text in NAMES.items():
        made.defined_names[name] = DefinedName(name, attr_text=text)
    return made
