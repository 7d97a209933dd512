Option Explicit
Option Private Module

' How a function of the module elo_udfs gets its value from Python, through the module xlwings.
' Excel waits meanwhile. A Python that cannot start holds it for two minutes, so it is tried once.

Private Const UDF_MODULE As String = "{module}"
Private Const CLUB_MODULE As String = "{club}"
Private Const ON_MAC As String = "These functions need Excel for Windows. On a Mac they work in xlwings Lite."
Private Const NO_SETTINGS As String = "This computer has no settings for these functions. Run on it: py -P -m elo_xl addin excel --install. "
Private Const WAIT_MINUTES As Long = 10
Private Const REMEMBERED_SECONDS As Long = 2
Private Const MOST_REMEMBERED As Long = 20000
Private Const MOST_CELLS As Long = 200

Private python_server As Object
Private gave_up_at As Date
Private last_failure As String
Private known_results As Object
Private last_call As Single

' The value of a function, with real errors in it; #VALUE! where Python could not be asked, and for
' cells that Excel has not calculated yet: it calls again when it has.
Public Function EloCall(function_name As String, ByVal required As Long, given As Variant) As Variant
    Dim sent As Variant, cells As Variant, call_key As String, result As Variant
    EloCall = CVErr(xlErrValue)
    On Error GoTo failed
    sent = EloArgs(required, given)
    If IsEmpty(sent) Then Exit Function
    cells = EloCells(sent)
    call_key = EloKey(function_name, cells)
    If Not EloKnows(call_key, cells, result) Then
        If Not EloAsk(function_name, sent, result) Then Exit Function
        EloRemember call_key, cells, result
    End If
    EloCall = result
    Exit Function
failed:
    last_failure = Err.Description
End Function

Public Function EloLastFailure() As String
    EloLastFailure = last_failure
End Function

' --- Python -------------------------------------------------------------------------------------

' Ask Python. That a server is gone shows only when it is called: then once more, with a new one.
' One that was started for a call and died of it is not started for the next call.
Private Function EloAsk(function_name As String, sent As Variant, result As Variant) As Boolean
    Dim attempt As Long
    For attempt = 1 To 2
        If Not EloStarted() Then Exit Function
        EloAsk = EloAnswers(function_name, sent, result, last_failure)
        If EloAsk Then Exit Function
        If EloLives() Then Exit Function
        Set python_server = Nothing
    Next attempt
    EloGiveUp
End Function

' Whether Python runs; it is started if need be. It has started when it answers a question.
Private Function EloStarted() As Boolean
    EloStarted = Not python_server Is Nothing
    If EloStarted Then Exit Function
    If EloWaits() Then Exit Function
#If Mac Then
    last_failure = ON_MAC
    Exit Function
#End If
    On Error GoTo failed
    EloShow "Starting Python for the ELO_ functions" & ChrW$(8230)
    Set python_server = XLPy
    On Error GoTo 0
    EloStarted = EloLives(last_failure)
    If EloStarted Then
        gave_up_at = 0
        EloShow False
        Exit Function
    End If
    Set python_server = Nothing
    EloGiveUp
    Exit Function
failed:
    last_failure = Err.Description
    EloGiveUp
End Function

' Whether a start has failed and the time to try again has not come.
Private Function EloWaits() As Boolean
    Dim minutes As Double
    If gave_up_at = 0 Then Exit Function
    minutes = (Now - gave_up_at) * 1440
    EloWaits = minutes >= 0 And minutes < WAIT_MINUTES
End Function

' Windows may take the add-in along to another computer, but not the settings that name its Python.
Private Sub EloGiveUp()
    gave_up_at = Now
    If Not FileExists(GetConfigFilePath()) Then last_failure = NO_SETTINGS & last_failure
    EloShow "ELO_ functions: no Python until the macro EloRestart is run. " & last_failure
End Sub

Private Function EloAnswers(function_name As String, sent As Variant, result As Variant, failure As String) As Boolean
    On Error GoTo failed
    result = EloFix(python_server.CallUDF(UDF_MODULE, function_name, sent))
    EloAnswers = True
    Exit Function
failed:
    failure = Err.Description
End Function

' Whether the server answers a question that needs our functions and numpy, but no more.
Private Function EloLives(Optional failure As String) As Boolean
    Dim result As Variant
    EloLives = EloAnswers("ELO_CLASS", Array(1500#), result, failure)
End Function

' A line on the status bar; False gives it back to Excel.
Private Sub EloShow(ByVal shown As Variant)
    On Error Resume Next
    If VarType(shown) = vbString Then shown = Left$(Replace(Replace(shown, vbCr, " "), vbLf, " "), 200)
    Application.StatusBar = shown
End Sub

' End Python, forget what it said, start it anew and calculate everything.
Public Sub EloStartAnew()
    On Error Resume Next
    Set python_server = Nothing
    Set known_results = Nothing
    gave_up_at = 0
    last_failure = ""
#If Not Mac Then
    KillPy
#End If
    EloShow False
    If EloStarted() Then Application.CalculateFull
End Sub

Public Function EloState() As String
    If Not python_server Is Nothing Then
        EloState = "Python runs. The ELO_ functions reach it."
    ElseIf last_failure = ON_MAC Then
        EloState = ON_MAC
        Exit Function
    ElseIf EloWaits() Then
        EloState = "Python did not start. The ELO_ functions give #VALUE! until " & _
            Format$(gave_up_at + WAIT_MINUTES / 1440, "hh:nn") & _
            ", then they try again; the macro EloRestart tries at once."
    Else
        EloState = "Python has not been started. The next ELO_ function starts it."
    End If
    If last_failure <> "" Then EloState = EloState & vbLf & vbLf & "Last failure: " & last_failure
End Function

' Whether a text has a setting in a line, such as "SHOW CONSOLE","True"; a blank line has none. Some
' editors end lines in a way that makes one text of all of them.
Public Function EloSetting(text As String, setting_name As String, setting_value As String) As Boolean
    Dim one_line As Variant, fields As Variant
    For Each one_line In Split(text, vbLf)
        fields = Split(Replace(one_line, """", ""), ",", 2)
        If UBound(fields) = 1 Then
            If LCase$(Trim$(fields(0))) = LCase$(setting_name) Then
                setting_value = Trim$(fields(1))
                EloSetting = True
                Exit Function
            End If
        End If
    Next one_line
End Function

' --- a club's book ------------------------------------------------------------------------------

' Close the rating period of the active workbook, after a look at what that comes to.
Public Sub EloClosePeriod()
    Dim list_day As String, told As String
    list_day = InputBox("Date of the list, as year-month-day:", "elo_xl", Format$(Now, "yyyy-mm-dd"))
    If list_day = "" Then Exit Sub
    If Not EloOnBook("elo_preview", Array(list_day), told) Then Exit Sub
    told = told & vbLf & vbLf & "Write this into the book?"
    If MsgBox(told, vbOKCancel + vbQuestion, "elo_xl") <> vbOK Then Exit Sub
    If EloOnBook("elo_close", Array(list_day), told) Then MsgBox told, vbInformation, "elo_xl"
End Sub

' Take back what was done last to the active workbook.
Public Sub EloTakeBack()
    Dim told As String
    If MsgBox("Take back the last step of elo-xl in this book?", vbOKCancel + vbQuestion, "elo_xl") <> vbOK Then Exit Sub
    If EloOnBook("elo_undo", Array(), told) Then MsgBox told, vbInformation, "elo_xl"
End Sub

' What Python tells after it has worked on the active workbook; it shows what was refused. Python is
' asked once only, because it may have written.
Private Function EloOnBook(function_name As String, sent As Variant, told As String) As Boolean
    Dim answer As Variant
    If Not python_server Is Nothing Then
        If Not EloLives() Then Set python_server = Nothing
    End If
    If Not EloStarted() Then
        MsgBox EloState, vbExclamation, "elo_xl"
        Exit Function
    End If
    On Error GoTo failed
    answer = python_server.CallUDF(CLUB_MODULE, function_name, sent, ActiveWorkbook)
    told = answer(1)
    EloOnBook = (answer(0) = "done")
    If Not EloOnBook Then MsgBox told, vbExclamation, "elo_xl"
    Exit Function
failed:
    MsgBox "Python has failed. If cells have changed, close the book without saving it." & vbLf & vbLf & Left$(Err.Description, 600), vbCritical, "elo_xl"
End Function

' --- results remembered -------------------------------------------------------------------------

' The functions are pure, but may read a file of rules: what Python said is good for a
' recalculation, in which calls follow each other closely.

' The values of a small call in a row, after each array its shape; Empty for a large call.
Private Function EloCells(sent As Variant) As Variant
    Dim cells() As Variant, cell As Variant
    Dim i As Long, filled As Long
    ReDim cells(0 To MOST_CELLS + 1)
    For i = 0 To UBound(sent)
        If filled >= MOST_CELLS Then Exit Function
        If IsArray(sent(i)) Then
            For Each cell In sent(i)
                If filled >= MOST_CELLS Then Exit Function
                cells(filled) = cell
                filled = filled + 1
            Next cell
            cells(filled) = vbNullChar & EloHeight(sent(i))
        Else
            cells(filled) = sent(i)
        End If
        filled = filled + 1
    Next i
    ReDim Preserve cells(0 To filled - 1)
    EloCells = cells
End Function

' How many rows an array has; 0 for one of a single dimension.
Private Function EloHeight(values As Variant) As Long
    If EloIsTable(values) Then EloHeight = UBound(values, 1) - LBound(values, 1) + 1
End Function

' A text that is the same for the same call; not only for it, because CStr rounds.
Private Function EloKey(function_name As String, cells As Variant) As String
    Dim texts() As String, i As Long
    If IsEmpty(cells) Then Exit Function
    ReDim texts(0 To UBound(cells))
    For i = 0 To UBound(cells)
        texts(i) = CStr(cells(i))
    Next i
    EloKey = function_name & vbNullChar & Join(texts, vbNullChar)
End Function

Private Function EloKnows(call_key As String, cells As Variant, result As Variant) As Boolean
    Dim known As Variant, i As Long
    If Abs(Timer - last_call) > REMEMBERED_SECONDS Then Set known_results = Nothing
    last_call = Timer
    If call_key = "" Or known_results Is Nothing Then Exit Function
    If Not known_results.Exists(call_key) Then Exit Function
    known = known_results.Item(call_key)
    If UBound(known(0)) <> UBound(cells) Then Exit Function
    For i = 0 To UBound(cells)
        If VarType(known(0)(i)) <> VarType(cells(i)) Then Exit Function
        If Not IsError(cells(i)) Then If known(0)(i) <> cells(i) Then Exit Function
    Next i
    result = known(1)
    EloKnows = True
End Function

Private Sub EloRemember(call_key As String, cells As Variant, result As Variant)
    On Error Resume Next
    If call_key = "" Then Exit Sub
    If known_results Is Nothing Then Set known_results = CreateObject("Scripting.Dictionary")
    If known_results.Count >= MOST_REMEMBERED Then known_results.RemoveAll
    known_results.Item(call_key) = Array(cells, result)
    last_call = Timer
End Sub

' --- arguments ----------------------------------------------------------------------------------

' Arguments as values; Empty if a cell among them is not calculated yet. Arguments omitted at the
' end are not sent.
Public Function EloArgs(ByVal required As Long, given As Variant) As Variant
    Dim sent() As Variant
    Dim i As Long, last As Long, whole As Boolean
    ReDim sent(0 To UBound(given))
    For i = 0 To UBound(given)
        sent(i) = EloArg(given(i))
        If IsObject(given(i)) Then
            If EloWhole(given(i)) > 0 Then
                whole = True
            ElseIf IsEmpty(sent(i)) Then
                ' One cell. What a formula gives is never empty.
                If given(i).HasFormula Then Exit Function
            End If
        End If
    Next i
    If whole Then EloCut given, sent
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
    ElseIf EloWhole(cell) > 0 Then
        With cell.Worksheet.UsedRange
            EloArg = EloPart(cell, .Row + .Rows.Count - 1, .Column + .Columns.Count - 1)
        End With
    Else
        EloArg = cell.Value2
    End If
End Function

' 1 for a range of whole columns, 2 of whole rows, 3 for the whole sheet, 0 for any other.
Private Function EloWhole(cell As Variant) As Long
    If cell.CountLarge = 1 Then Exit Function
    If cell.Areas.Count > 1 Then Exit Function
    If cell.Rows.Count = cell.Worksheet.Rows.Count Then EloWhole = 1
    If cell.Columns.Count = cell.Worksheet.Columns.Count Then EloWhole = EloWhole + 2
End Function

' The values of whole columns up to a row, of whole rows up to a column.
Private Function EloPart(cell As Variant, ByVal last_row As Long, ByVal last_column As Long) As Variant
    Dim whole As Long
    whole = EloWhole(cell)
    If whole = 2 Then last_row = cell.Rows.Count
    If whole = 1 Then last_column = cell.Columns.Count
    EloPart = cell.Resize(last_row, last_column).Value2
End Function

' All whole columns end with the last value in one of them, or where a longer argument ends;
' likewise whole rows. At the end of the sheet's used range they would grow with the very cells
' that a result fills.
Private Sub EloCut(given As Variant, sent As Variant)
    Dim i As Long, last_row As Long, last_column As Long, cut As Boolean
    last_row = 1
    last_column = 1
    For i = 0 To UBound(given)
        cut = False
        If IsObject(given(i)) Then cut = EloWhole(given(i)) > 0
        If IsArray(sent(i)) Then EloExtend sent(i), cut, last_row, last_column
    Next i
    For i = 0 To UBound(given)
        If IsObject(given(i)) Then
            If EloWhole(given(i)) > 0 Then sent(i) = EloPart(given(i), last_row, last_column)
        End If
    Next i
End Sub

' Move a last row and column as far as values reach, with or without the empty ones.
Private Sub EloExtend(values As Variant, ByVal filled As Boolean, last_row As Long, last_column As Long)
    Dim i As Long, j As Long
    If Not EloIsTable(values) Then Exit Sub
    For i = 1 To UBound(values, 1)
        For j = 1 To UBound(values, 2)
            If Not (filled And IsEmpty(values(i, j))) Then
                If i > last_row Then last_row = i
                If j > last_column Then last_column = j
            End If
        Next j
    Next i
End Sub

' --- results ------------------------------------------------------------------------------------

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
{errors}
    End Select
End Function
