"""LibreOffice Calc 25.2 and newer: an add-in, ``elo_xl.oxt``, written from the catalogue.

What the function receives for each cell, and what the cell receives from it:

* number, date, percentage: float. TRUE and FALSE: 1.0 and 0.0.
* text: str, empty text too.
* blank: ``''`` in a range; one blank cell by itself arrives as 0.0 (``docs/hosts/libreoffice.md``
  lists what follows).
* omitted argument: None.
* error: in a cell by itself it is the result, and the function is not called; in a range the
  result is #VALUE!, and the function is not called either.
* range or array: a tuple of rows.
* result: floats and texts only; an error is a NaN that carries Calc's number for it. Several cells
  come as rows, and from a function that mostly gives one as an object that announces its rows.

``build`` makes the file, ``install`` hands it to LibreOffice. ``component`` and ``adapter`` are
what runs inside LibreOffice, on its Python (3.10 and newer), where nothing but the add-in's own
files, NumPy and SciPy can be imported.
"""
