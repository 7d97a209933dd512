"""Games past one sheet: files of millions of games, read in batches and rated period by period.

:mod:`.period` is the core, one period as sums of whole numbers, which add up to the same bits
however the games are cut; :mod:`.prepare` and :mod:`.games` read the files, :mod:`.course` goes
through the periods, and :mod:`.extract` takes from the result what fits a sheet.
"""
