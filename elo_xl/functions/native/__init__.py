"""The functions as formulas of the spreadsheet's own functions, in two forms.

* :func:`lambda_text` and :func:`lambda_stored`: a LAMBDA under the function's name, for Excel 365
  and 2024, with every option, optional arguments, and ranges for every argument.
* :func:`inline`: an expression with the arguments in their places, of functions that Excel 2016
  and LibreOffice share.

Both are rendered from the one formula that the function's entry in the catalogue has.
"""

from elo_xl.functions.native.inlined import NoInlinedFormError, inline
from elo_xl.functions.native.lambdas import (
    is_lambda_of_ours,
    lambda_names,
    lambda_stored,
    lambda_text,
)
from elo_xl.xlsx.stored import stored

__all__ = [
    "NoInlinedFormError",
    "inline",
    "is_lambda_of_ours",
    "lambda_names",
    "lambda_stored",
    "lambda_text",
    "stored",
]
