Option Explicit

' The buttons of a club's book. The work is done by Python, which the add-in elo_xl.xlam starts.

Private Const ADDIN As String = "elo_xl.xlam"
Private Const MISSING As String = "This button needs the add-in elo_xl.xlam, which is not open. On Windows run: py -P -m elo_xl addin excel --install, and start Excel again. Without it: close this book, then run py -P -m elo_xl close or py -P -m elo_xl undo, and its path."

Public Sub EloClose()
    EloRun "EloClose"
End Sub

Public Sub EloUndo()
    EloRun "EloUndo"
End Sub

Private Sub EloRun(macro As String)
    If EloHasAddin() Then
        Application.Run "'" & ADDIN & "'!" & macro
    Else
        MsgBox MISSING, vbExclamation, "elo_xl"
    End If
End Sub

' Add-ins are not counted among the workbooks, but found by their names.
Private Function EloHasAddin() As Boolean
    Dim found As Object
    On Error Resume Next
    Set found = Workbooks(ADDIN)
    EloHasAddin = Not found Is Nothing
End Function
