"""The notebooks in docs/notebooks run from top to bottom, and what they show can be shown."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_packaging import CHECKOUT

NOTEBOOKS = sorted((CHECKOUT / "docs" / "notebooks").glob("*.ipynb"))
SHOW = """
def show(value):
    shown = [getattr(value, name)() for name in ("_repr_svg_", "_repr_html_", "_repr_png_") \
if hasattr(value, name)]
    assert all(shown)
"""


def code_cells(notebook: Path) -> list[str]:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def as_program(cells: list[str]) -> str:
    """The cells as one program, in which the last expression of a cell is shown as a notebook would
    show it.
    """
    parts = [SHOW]
    for cell in cells:
        tree = ast.parse(cell)
        if tree.body and isinstance(last := tree.body[-1], ast.Expr):
            last.value = ast.Call(ast.Name("show", ast.Load()), [last.value], [])
        parts.append(ast.unparse(ast.fix_missing_locations(tree)))
    return "\n".join(parts)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_outputs_and_is_linked_from_the_pages(notebook):
    data = json.loads(notebook.read_text(encoding="utf-8"))
    assert (data["nbformat"], [cell for cell in data["cells"] if cell.get("outputs")]) == (4, [])
    assert len({cell["id"] for cell in data["cells"]}) == len(data["cells"])
    assert f"notebooks/{notebook.name}" in (CHECKOUT / "docs" / "notebooks.md").read_text(
        encoding="utf-8"
    )


@pytest.mark.docs
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_what_it_ends_its_cells_with(notebook, tmp_path):
    program = as_program(code_cells(notebook))
    command, env = [sys.executable, "-W", "error", "-c", program], {"PYTHONPATH": str(CHECKOUT)}
    done = subprocess.run(
        command, cwd=tmp_path, env=os.environ | env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
