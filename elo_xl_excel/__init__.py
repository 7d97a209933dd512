"""The files with macros for Excel on Windows, as ``excel_build`` makes them.

They are a package of their own: at work, scanners often block whatever has macros in it, and who
rates events in Python needs none. :mod:`elo_xl.hosts.excel_addin` reads them.
"""
