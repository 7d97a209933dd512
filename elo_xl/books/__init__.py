"""The language of books: a sheet as a block of text, a line a column, its formula typed once.

::

    sheet pairings upright freeze:white
        note about_pairings
        table Pairings rows:lines group:boards
            round       0 center strong 7     = group_number
            white       0 center input 7 whole:1..size
            white_name  left 24               = IF(exists(white), INDEX(Players[name], white), "")
        marks
            white:white_name  attention  AND(white <> "", white_name = "")

A statement is a line; deeper lines belong to it. A line goes on where a parenthesis is still open.
``#`` begins a comment line. What the words of each statement mean stands in
:mod:`elo_xl.books`; formulas are those of an English Excel, and besides that:

============================= ===================================================================
``white``                     the cell of a column in this row
``white.next, white.above``   in the next row, in the row above
``a:d``                       the cells of neighbouring columns in this row
``Players[name]``             a whole column of a table
``Players[@name]``            its cell in this row
``Games[@result.above]``      its cell in the row above, or ``.next``: in the next row
``Players.3[name]``           the cells of its third group
``group[white]``              the cells of this row's group
``upto[key]``                 the cells of a column from the first row to this one
``cell(Cross, "v" & 3, 5)``   the cell of one column and row, counted from 1
``cases(a, x, b, y, z)``      x where a holds, else y where b holds, else z
``by_row(x, y, z)``           x in the first row of a table, y in the second, z in the third
``row_number``                1, 2, 3, …; ``group_number`` and ``row_of_group`` likewise
``Players.rows``              how many rows a table has
``t.check_number``            a text of the book; ``t.reason(games = 30)`` fills its places
``exists(white)``             a piece: a formula with parameters, from the section ``pieces``
``ELO_K(…)``                  a worksheet function, as the flavour of the book writes it
============================= ===================================================================

``{rounds}`` and ``{rounds+1}`` stand for what the name ``rounds`` means, anywhere in a block. A
column whose key has ``{r}`` stands once for each ``r`` of a loop. A line that begins with
``?capped`` counts only where that name is true. What a constant decides is decided here, so the
clauses of a rulebook may be written as cases. A cell whose formula comes out as ``INPUT``,
``BLOCKED`` or ``EMPTY`` is typed, crossed out or blank.
"""
