"""The language of books: a sheet is a block of text, and each line of a table is a column.

::

    sheet pairings upright freeze:white
        note about_pairings
        table Pairings rows:lines group:boards
            round       0 center strong 7     = group_number
            white       0 center input 7 whole:1..size
            white_name  left 24               = IF(exists(white), INDEX(Players[name], white), "")
        marks
            white:white_name  attention  AND(white <> "", white_name = "")

A statement is a line, and the lines below it that are indented further belong to it. A line
continues on the next one while a parenthesis is open. ``#`` begins a comment line.

**Statements**

=============================== =================================================================
``sheet KEY words``             a sheet, whose title is the text ``sheet_KEY``, or
                                ``sheet "Title"``; several blocks may add to one sheet. The words
                                are those of :class:`~elo_xl.books.column_words.SetUp`
``note KEY place=name``         a line of text, or ``note "text"``, or a name of the book for one;
                                ``notes`` is one line per sentence
``table NAME rows:9 group:3``   a table; each line below it is a column. By default it has the rows
                                of the book's content. ``group`` is the number of rows of a round,
                                ``gap:1`` the number of blank rows above; ``beside:OTHER`` puts it
                                to the right of a table, with ``left:1`` columns between them;
                                ``high`` and ``heading`` are lines of a row and of the header
``KEY words = formula``         a column: a computed one, or without a formula one that is typed.
                                The words are those of :class:`~.column_words.ColumnLook`
``a,b,c words = formula``       the columns of a worksheet function that gives several cells
``shown spare:10 = TEST``       rows in which the test does not hold are neither seen nor printed:
                                their lines and fills come from a conditional format. With ``spare``
                                all rows above the last one in use are shown, and some below it. Not
                                for a table with totals, nor for one that grows
``cells left:1``                labelled single cells below each other, written like columns; their
                                keys are names for the formulas of the book
``marks``                       conditional formats of the table above: ``first:last look test``;
                                the looks are those of :data:`~elo_xl.books.layout.LOOKS`
``inputs``                      conditions on what is typed into a column: ``KEY = test``; with the
                                word ``soft`` anything else only causes a warning
``totals``                      a row below the table: ``KEY = formula``. A total has the number
                                format of its column, or one of its own: ``KEY 0.00 = formula``
``heat a:d``                    a heat map: the fills of these columns tell 0 to 1
``chart KEY``                   a chart of curves below what is there so far, see
                                :mod:`elo_xl.books.charts`
``names``                       names for the formulas of the table: ``name = formula``; at the
                                margin for those of the whole book
``ranges``                      names of the file for cells: ``name = Table[first:last]``
``each r``                      the lines below it, once for each value of the loop ``r``
``use BLOCK words``             what a function of :mod:`elo_xl.templates.blocks.named` adds, or the
                                lines that it gives
``sheets KEY KEY``              sheets in their order; ``blank`` is a blank row of a sheet
``pieces``                      formulas with parameters, ``half(x) = x / 2``: for the whole book at
                                the margin, or below a table for its formulas only; ``remark()`` is
                                what the second line says where nothing needs attention
``commands``                    what the commands of ``elo-xl`` may take from the book: see
                                :mod:`elo_xl.books.commands`
=============================== =================================================================

**Formulas** are those of an English Excel. They also have:

============================= ===================================================================
``white``                     the cell of a column in this row
``white.next, white.above``   the cell in the next row, in the row above
``a:d``                       the cells of neighbouring columns in this row
``Players[name]``             a whole column of a table; ``Players[a:d]`` are several
``Players[@name]``            the cell of that column in this row
``Games[@result.above]``      the cell in the row above, or with ``.next`` in the next row
``Players.3[name]``           the cells of the table's third group
``group[white]``              the cells of this row's group
``upto[key]``                 the cells of a column from the table's first row to this one
``through[key]``              the same to the last row of this row's group
``before[key]``               the cells of this row's group above it; for the first one the heading
                              of the column
``cell(Cross, "v" & 3, 5)``   the cell in one column and one row; rows count from 1
``cases(a, x, b, y, z)``      x if a holds, otherwise y if b holds, otherwise z
``by_row(x, y, z)``           x in the first row, y in the second, z in the third, then nothing
``row_number``                1, 2, 3, …
``group_number``              the number of this row's group; ``row_of_group`` is the number of the
                              row within it
``Players.rows``              the number of rows of a table
``t.check_number``            a text of the book; ``t.reason(games = 30)`` fills its places
``exists(white)``             a piece, with its arguments
``ELO_K(…)``                  a worksheet function, written as the book's flavour writes it. A
                              column that is nothing but a call is filled by one call for all rows;
                              with the word ``each`` it has a call in every row
``rules.exact``               a clause of the book's rulebook, see :mod:`elo_xl.books.rules`
``Event``                     any other name: of the table, of the sheet, of the book or of the file
============================= ===================================================================

**Constants.** A value comes into a text in two ways: the name ``rounds`` means it in formulas, and
``{rounds}`` and ``{rounds+1}`` stand for it anywhere, with lines of several columns, too. A line
whose key contains ``{r}`` stands once for each value of the loop ``r``. A line that begins with
``?capped`` counts only if the name ``capped`` is true. Tests that depend on constants only are
decided when the book is made, so a cell has no trace of clauses that its rulebook lacks. A cell
whose formula results in ``INPUT``, ``BLOCKED`` or ``EMPTY`` is one to type into, a crossed-out one
or a blank one.
"""
