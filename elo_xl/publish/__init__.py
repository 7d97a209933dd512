"""What a book shows to everybody: one page for the web, a printed list, CSV and JSON.

A book of any kind is read into tables (:mod:`.books`, :mod:`.page`); what is written from them
does not know where they come from (:mod:`.html`, :mod:`.printing`). Two pages have no book behind
them: one fills books (:mod:`.fill`), one rates the answers of a form (:mod:`.live`).
"""
