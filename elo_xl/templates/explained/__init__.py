"""The pages of ``elo-explained``, in the statements of :mod:`elo_xl.books.notebook`."""
