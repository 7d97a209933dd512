"""Notebooks: pages of paragraphs, cells to play with, live results, and what papers printed.

::

    page margin
        formula "E(Y) = (Φ(α) + Φ(β)) / 2"
        section try
        input rating 1600 1..3999 0
        input opponent 1500 1..3999 0
        input margin 20 0..1000 0
        headings chance_win chance_draw chance_loss
        outcomes_margin 0.00000 win,draw,loss   = ELO_OUTCOMES(rating, opponent, margin)
        mean_y 0.00000                          = win + draw / 2
        section printed
        printed_in both.tables.2.3
        table
            d 0 left                            : 0..300/50
            margin_none 0.0000000               = elo(d)
                printed 0.5 0.5702 0.6382 0.7021 0.7603 0.8116 0.8556

The sheet *Steps* copies the inputs that are valid numbers, and the name of an input means the cell
there. So no input can lead to an error: a formula is blank until all inputs that it reads, and all
results of inputs, hold numbers. It does not wait for what it reads as ``N(name)``; our worksheet
functions wait by themselves.

=================================== ================================================================
``page KEY wide``                   a sheet, beginning with the paragraph ``about_KEY``; ``wide`` is
                                    landscape paper. Each sheet of paper begins with a section, or
                                    behind a blank row. Other words are those of
                                    :class:`~elo_xl.books.column_words.SetUp`
``text KEY place=constant``         a paragraph; ``note`` writes it as a note
``formula "E = …"``                 a formula as the papers write it
``section KEY``                     a heading; ``blank`` is an empty row
``input KEY 20 0..100 0 step:1``    a yellow cell: its first content, bounds, number format, and the
                                    number of which it must be a multiple
``KEY 0.00 a,b = formula``          a line: a label (the text ``line_KEY``, ``column_KEY`` or
                                    ``KEY``, or that of ``label:KEY``) and results, whose names are
                                    KEY, or a and b. Several formulas are written
                                    ``(x + 1 ; y + 1)``; ``waits:x,y`` names further cells for
                                    which the line waits
``step KEY LABEL = formula``        a formula on the sheet *Steps*
``headings a b c``                  headings above the results of the lines that follow
``remark KEY 0.00 = formula``       a label, a number, and a paragraph beside it
``problem 4 matches``               a problem of the papers, its answer with the lines below the
                                    statement, and a reference to the page ``matches``
``printed_in both.tables.2.3``      the source: paper, place and its numbers; also ``asked_in``
``table NAME rows:N``               a table; its lines are columns ``KEY words = formula`` or
                                    ``KEY words : constants``. Lines ``printed``, ``answer`` or
                                    ``check`` below a column hold numbers to compare with the live
                                    ones. It may have ``marks``, ``totals``, ``names``, ``pieces``
``points NAME TITLE rows:N``        the same on the sheet *Curves*, for charts
``facts KEY printed``               a list of lines ``KEY 0.625 mamon.text = formula``, each with a
                                    printed number, its source, and the formula of the live one
``chart KEY``                       a chart with axes ``x TITLE 0 -800..800 200`` and ``y``, and
                                    curves ``curve TABLE x y``, each named after the heading of y,
                                    by ``"text"``, or by ``name:KEY``, a text or a cell; ``signs``
                                    puts a sign at every point
``texts``                           further texts of the book: ``KEY = t.other(place = "x")``
=================================== ================================================================

The words of a column are those of :class:`~..column_words.ColumnLook`; ``head:KEY`` takes
another text as its heading, and ``waits:x`` names cells for which it waits. Constants are numbers,
fractions such as ``4/1500``, ranges such as ``0..300/50``, ``"text"``, ``t.KEY``, a source such as
``@web.text``, and ``-`` for a blank; parentheses let them continue on the next line.

A column ``opponent 0 input 1..3999 : 1860 1770 -`` consists of yellow cells; formulas read what
counts of them as ``Opponent[@counts]``. A name of one page is ``PAGE.NAME`` on other pages.
"""
