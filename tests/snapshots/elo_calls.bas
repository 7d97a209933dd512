Option Explicit
Option Private Module

' How a function of the module elo_udfs gets its value from Python, through the module xlwings.

Private Const UDF_MODULE As String = "elo_xl.hosts.xlwings_udfs"

Private python_server As Object
Private last_failure As String

' The value of a function, with real errors in it; #VALUE! where Python could not be asked.
' Asking xlwings for its server takes longer than most calls, so the answer is kept. That a server
' is gone shows only when it is called: then once more, with a new one.
Public Function EloCall(function_name As String, ByVal required As Long, given As Variant) As Variant
    Dim again As Boolean
    On Error GoTo failed
    again = python_server Is Nothing
call_python:
    If python_server Is Nothing Then Set python_server = XLPy
    EloCall = EloFix(python_server.CallUDF(UDF_MODULE, function_name, EloArgs(required, given)))
    Exit Function
failed:
    last_failure = Err.Description
    Set python_server = Nothing
    If Not again Then
        again = True
        Resume call_python
    End If
    EloCall = CVErr(xlErrValue)
End Function

Public Function EloLastFailure() As String
    EloLastFailure = last_failure
End Function

' Arguments as values. Arguments omitted at the end are not sent.
Public Function EloArgs(ByVal required As Long, given As Variant) As Variant
    Dim sent() As Variant
    Dim i As Long, last As Long
    ReDim sent(0 To UBound(given))
    For i = 0 To UBound(given)
        sent(i) = EloArg(given(i))
    Next i
    For last = UBound(given) To required Step -1
        If Not IsEmpty(sent(last)) Then Exit For
    Next last
    ReDim Preserve sent(0 To last)
    EloArgs = sent
End Function

' A range becomes its values: numbers also for dates and Currency, and Python need not ask Excel.
Public Function EloArg(Optional cell As Variant) As Variant
    If IsMissing(cell) Then Exit Function
    If Not IsObject(cell) Then
        EloArg = cell
    ElseIf cell.Areas.Count > 1 Then
        EloArg = CVErr(xlErrValue)
    Else
        EloArg = cell.Value2
    End If
End Function

' Errors come from Python as their texts, alone or in an array of one or two dimensions.
Public Function EloFix(ByVal result As Variant) As Variant
    Dim i As Long, j As Long
    If Not IsArray(result) Then
        EloFix = EloError(result)
    ElseIf EloIsTable(result) Then
        For j = LBound(result, 2) To UBound(result, 2)
            For i = LBound(result, 1) To UBound(result, 1)
                If VarType(result(i, j)) = vbString Then result(i, j) = EloError(result(i, j))
            Next i
        Next j
        EloFix = result
    Else
        For i = LBound(result) To UBound(result)
            If VarType(result(i)) = vbString Then result(i) = EloError(result(i))
        Next i
        EloFix = result
    End If
End Function

Private Function EloIsTable(result As Variant) As Boolean
    Dim last As Long
    On Error Resume Next
    last = UBound(result, 2)
    EloIsTable = (Err.Number = 0)
End Function

Private Function EloError(result As Variant) As Variant
    EloError = result
    If VarType(result) <> vbString Then Exit Function
    If Left$(result, 1) <> "#" Then Exit Function
    Select Case result
        Case "#NULL!": EloError = CVErr(2000)
        Case "#DIV/0!": EloError = CVErr(2007)
        Case "#VALUE!": EloError = CVErr(2015)
        Case "#REF!": EloError = CVErr(2023)
        Case "#NAME?": EloError = CVErr(2029)
        Case "#NUM!": EloError = CVErr(2036)
        Case "#N/A": EloError = CVErr(2042)
        Case "#GETTING_DATA": EloError = CVErr(2043)
        Case "#SPILL!": EloError = CVErr(2045)
        Case "#CONNECT!": EloError = CVErr(2046)
        Case "#BLOCKED!": EloError = CVErr(2047)
        Case "#UNKNOWN!": EloError = CVErr(2048)
        Case "#FIELD!": EloError = CVErr(2049)
        Case "#CALC!": EloError = CVErr(2050)
        Case "#BUSY!": EloError = CVErr(xlErrValue)
        Case "#EXTERNAL!": EloError = CVErr(xlErrValue)
        Case "#PYTHON!": EloError = CVErr(xlErrValue)
    End Select
End Function
