"""Boards made of their text: every cell with its name, what it holds, and its place. What notebooks
show: pictures of positions where somebody can draw them, tables of records and risks, lists of
verdicts.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import rules
import sim
from rules import view as notebook
from rules.record import Entry, Header, Record
from rules.view import Border, board_view
from sim.game.risk import Risk

SQUARE = "1./.2"
HEXAGON = "../.1./..2./.../.."  # rows of 2, 3, 4, 3 and 2 points: size 3


def test_columns_of_a_square_board_are_letters_from_the_west_and_rows_numbers_from_the_north():
    view = board_view(SQUARE)
    assert [(cell.name, cell.holds) for cell in view.cells] == [
        ("a1", 0),
        ("b1", None),
        ("a2", None),
        ("b2", 1),
    ]
    assert (view.shape, view.lines) == ("tiles", ())
    assert sorted(label.text for label in view.labels) == ["1", "2", "a", "b"]


def test_rows_of_a_hexagon_are_letters_from_the_bottom_and_points_numbers_from_the_left():
    view = board_view(HEXAGON)
    named = {cell.name: cell.holds for cell in view.cells}
    assert list(named)[:2] == ["e1", "e2"]
    assert (named["d2"], named["c3"], len(named), view.shape) == (0, 1, 14, "points")


def test_the_numbers_of_a_hexagon_stand_below_and_above_it_and_at_the_ends_of_its_rows():
    view = board_view(HEXAGON)
    at = {cell.name: cell for cell in view.cells}
    numbers = [label for label in view.labels if label.text.isdigit()]
    assert [label.text for label in numbers if label.y > at["a1"].y] == ["1", "2"]
    assert [label.text for label in numbers if label.y < at["e1"].y] == ["1", "2"]
    assert [label.text for label in numbers if at["e1"].y < label.y < at["a1"].y] == [
        name[1:] for name in at if name[0] in "bcd" and f"{name[0]}{int(name[1:]) + 1}" not in at
    ]


def test_neighbours_on_a_hexagon_lie_one_cell_width_apart_and_are_joined_by_lines():
    view = board_view(HEXAGON)
    at = {cell.name: complex(cell.x, cell.y) for cell in view.cells}
    near = {"c3", "d1", "d2", "b1", "b2", "c1"}
    for other in near:
        assert abs(at["c2"] - at[other]) == pytest.approx(1.0)
    assert {name for line in view.lines if "c2" in line for name in line} == {"c2", *near}


def test_a_board_that_is_wider_than_high_has_a_label_for_each_column_and_row():
    assert [label.text for label in board_view(".../...").labels] == ["a", "1", "b", "2", "c"]


def test_marks_the_last_move_and_borders_are_kept():
    border = Border(1, 0, 0, 1, 1)
    view = board_view(SQUARE, {"b1": "gone"}, ["a1"], (border,))
    assert [cell.sign for cell in view.cells] == ["", "gone", "", ""]
    assert (view.last, view.borders) == (("a1",), (border,))


CHECKOUT = Path(__file__).resolve().parents[2]
POINTS = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "entry-points"
]


@pytest.fixture
def drawn(monkeypatch):
    """The drawers that the distribution offers."""
    points = [
        EntryPoint(name, value, notebook.GROUP) for name, value in POINTS[notebook.GROUP].items()
    ]
    monkeypatch.setattr(
        notebook, "entry_points", lambda group: points if group == notebook.GROUP else []
    )


@pytest.mark.parametrize(
    ("name", "options"), [("meridians", {"size": 3}), ("thruway", {"size": 3})]
)
def test_a_board_is_shown_as_a_drawing(name, options, drawn):
    state = rules.game(name, **options).start()
    shown = state._repr_svg_()
    assert shown is not None
    assert shown.startswith("<svg")


@pytest.mark.slow
def test_a_table_is_shown_as_a_picture(drawn):
    position = rules.game("tokyo-highway", engine="none").start()
    position = position.after(position.table.default_entrance(0))
    assert position.table._repr_png_().startswith(b"\x89PNG")
    assert position._repr_png_() == position.table._repr_png_()


def test_where_nobody_can_draw_there_is_no_picture(monkeypatch):
    monkeypatch.setattr(
        notebook, "entry_points", lambda group: [EntryPoint("board", "no_such_module:board", group)]
    )
    assert rules.game("meridians", size=3).start()._repr_svg_() is None
    assert sim.Table.start()._repr_png_() is None


def test_a_record_is_shown_as_a_table_of_plies():
    record = Record(
        Header("meridians", ("Ann <3", "Bob"), options={"size": 3}),
        (Entry(0, 0, "c2"), Entry(1, 1, "d1")),
    )
    shown = record._repr_html_()
    assert "meridians, Ann &lt;3 against Bob" in shown
    assert "<td>1</td><td>Bob</td><td>d1</td>" in shown


def test_a_verdict_is_shown_as_its_sentences():
    table = sim.Table.start(players=2)
    verdict, _ = sim.play(table, table.default_entrance(0), engine="none")
    assert verdict._repr_html_() == notebook.listed(str(verdict).splitlines())
    assert verdict._repr_html_().count("<li>") == len(str(verdict).splitlines())


def test_a_risk_is_shown_with_its_intervals():
    shown = Risk(
        "bullet", "normal", "finger", 0, 100, 90, 0, 10, 20, (90, 10), {"A-R1": 10}, {}
    )._repr_html_()
    assert "100 tries with a normal hand in bullet" in shown
    assert "<td>the build stands</td><td>90.0%</td>" in shown
    assert "<td>A-R1 falls</td><td>10.0%</td>" in shown


def test_drawers_are_loaded_when_something_is_drawn():
    code = (
        "import sys, rules, sim, sim.game.risk; assert not {'shutoko', 'PIL', 'embreex'} & "
        "set(sys.modules), sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, check=True)
    for value in POINTS[notebook.GROUP].values():
        module, _, name = value.partition(":")
        assert callable(getattr(import_module(module), name))
