Function ELO_EXPECTED(rating, opponent, Optional model, Optional cap, Optional sd, Optional opponent_sd, Optional home)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        ELO_EXPECTED = XLPy.CallUDF("elo_xl.hosts.xlwings_udfs", "ELO_EXPECTED", Array(rating, opponent, model, cap, sd, opponent_sd, home), ThisWorkbook, Application.Caller)
        Exit Function
    #Else
        ELO_EXPECTED = XLPy.CallUDF("elo_xl.hosts.xlwings_udfs", "ELO_EXPECTED", Array(rating, opponent, model, cap, sd, opponent_sd, home))
        Exit Function
    #End If
failed:
    ELO_EXPECTED = Err.Description
