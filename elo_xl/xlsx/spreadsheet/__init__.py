"""What a spreadsheet works out: values, operators, functions, and formulas as Python functions."""
