"""A notebook: pages of paragraphs, cells to play with, live lines, and what a paper printed.

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

What can be typed is read into the sheet *Steps*, where only numbers that count arrive. The name of
an input is its cell there, so no input whatever makes an error of a cell: a formula waits until all
inputs, and all results of inputs, that it reads hold numbers, and is blank before. It does not wait
for what it reads as ``N(name)``, and a worksheet function of ours waits by itself.

=================================== ================================================================
``page KEY down:N wide``            a sheet on N pages below each other, which begins with the
                                    paragraph ``about_KEY``; ``wide`` turns the paper
``text KEY place=name``             a paragraph; ``note`` writes it as a note
``formula "E = …"``                 a formula of the papers, as they write it
``section KEY``                     a heading; ``blank`` leaves a row free
``input KEY 20 0..100 0 step:1``    a yellow cell: what it holds at first, bounds, number format,
                                    and of what it must be a multiple
``KEY 0.00 a,b = formula``          a line: a label (``line_KEY``, ``column_KEY`` or ``KEY``, or
                                    another one by ``label:``) and results, named KEY, or as said;
                                    several formulas look like ``(x + 1 ; y + 1)``; ``waits:x,y``
                                    names further cells that the line waits for
``step KEY LABEL = formula``        a formula on the sheet *Steps*
``headings a b c``                  headings above the results of the lines that follow
``remark KEY 0.00 = formula``       a label, a number, and a paragraph beside it
``problem 4 matches``               a problem of the papers, its answer with the lines below the
                                    statement, and the page about it
``printed_in both.tables.2.3``      where it stands, by paper, place and its numbers; ``asked_in``
``table NAME rows:N``               a table; its lines are columns, each ``= formula`` or
                                    ``: constants``, and below it ``printed``, ``answer`` or
                                    ``check`` with numbers to judge the live ones by
``points NAME TITLE rows:N``        the same on the sheet *Curves*, for charts
``facts KEY printed``               a list of numbers, each ``KEY 0.625 mamon.text = formula``
``chart KEY``                       axes ``x TITLE 0 -800..800 200`` and ``y``, and curves
                                    ``curve TABLE x y``, named by the heading of y, by ``"text"``,
                                    or by ``name:KEY`` of a text or a cell
``texts``                           texts of this book: ``KEY = t.other(place = "x")``
=================================== ================================================================

A column ``opponent 0 input 1..3999 : 1860 1770 -`` is one of yellow cells, and what counts of them
is a table of its own, ``Opponent[@counts]``. Names of one page are ``PAGE.NAME`` on others.
"""
