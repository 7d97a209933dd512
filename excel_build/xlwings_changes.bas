Private Sub XLPyLoadDLL()
    Dim library_file As String
    library_file = ParentFolder(GetConfigFilePath()) & "\" & XLPyDLLName
    If LoadLibrary(library_file) = 0 Then Err.Raise 1, Description:="Could not load " & library_file
End Sub

Function GetConfigFromFile(sFile As String, sName As String, Optional sValue As String) As Boolean
    Dim file_number As Integer, text_line As String
    file_number = FreeFile
    Open sFile For Input As #file_number
    Do While Not (EOF(file_number) Or GetConfigFromFile)
        Line Input #file_number, text_line
        GetConfigFromFile = EloSetting(text_line, sName, sValue)
    Loop
    Close #file_number
End Function

