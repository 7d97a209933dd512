"""The sheets of ``elo-explained``: a module each, with ``write(book)``."""
