"""Games past one sheet: files of millions of games, read in batches and rated period by period.

:mod:`.period` is the core, one period as sums of whole numbers, which add up to the same bits
however the games are cut; :mod:`.files` and :mod:`.prepare` read games, :mod:`.players` reads
players; :mod:`.course` goes through the periods, to which :mod:`.newcomers` brings the games of who
has no rating yet; and :mod:`.extract` takes from the result what fits a sheet.
"""
