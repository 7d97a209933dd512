"""The notebooks in examples/ run, and show what their cells give."""

from __future__ import annotations

import ast
import base64
import io
import json
import os
from typing import Any

import pandas as pd
import pytest
from matplotlib import pyplot

from tests.support import ROOT

EXAMPLES = ROOT / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))


def shown(source: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    """What a cell shows: the value of its last line or a picture, as Jupyter keeps it."""
    tree = ast.parse(source)
    *body, last = tree.body
    if not isinstance(last, ast.Expr):
        exec(compile(tree, "cell", "exec"), names)
        return [picture(number) for number in pyplot.get_fignums()]
    exec(compile(ast.Module(body, []), "cell", "exec"), names)
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    if value is None:
        return []
    data = {"text/plain": repr(value).splitlines(keepends=True)}
    if isinstance(value, pd.DataFrame):
        data["text/html"] = value.to_html(border=0).splitlines(keepends=True)
    elif hasattr(value, "_repr_html_"):
        data["text/html"] = value._repr_html_().splitlines(keepends=True)
    return [{"data": data, "metadata": {}, "output_type": "execute_result"}]


def picture(number: int) -> dict[str, Any]:
    """A figure that a cell has left open."""
    file = io.BytesIO()
    # without the version of matplotlib
    pyplot.figure(number).savefig(file, dpi=80, metadata={"Software": None})
    pyplot.close(number)
    data = {"image/png": base64.b64encode(file.getvalue()).decode() + "\n"}
    return {"data": data, "metadata": {}, "output_type": "display_data"}


def test_there_is_a_notebook():
    assert NOTEBOOKS


@pytest.mark.slow
@pytest.mark.snapshot
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_shows_what_it_gives(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # for the files that it writes
    pyplot.close("all")  # what other tests have left open
    notebook = json.loads(path.read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    codes = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(codes, start=1):
        outputs = shown("".join(cell["source"]), names)
        for output in outputs:
            if output["output_type"] == "execute_result":
                output["execution_count"] = number
        if os.environ.get("ELO_XL_SNAPSHOTS") == "write":
            cell |= {"outputs": outputs, "execution_count": number}
        assert cell["outputs"] == outputs, "ELO_XL_SNAPSHOTS=write renews it"
    if os.environ.get("ELO_XL_SNAPSHOTS") == "write":
        text = json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True)
        path.write_text(f"{text}\n", encoding="utf-8")
