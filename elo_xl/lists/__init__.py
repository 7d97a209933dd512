"""Rating lists of federations, month by month, in files of their own.

:mod:`.layouts` reads what federations publish, :mod:`.store` keeps it, :mod:`.names` compares
names. A list is one SQLite file, which is put in its place when it is complete: a month is there as
a whole or not at all, and a lookup needs no program but Python's own.
"""
