"""What `rules` offers directly: states that take texts and print as boards, and any grid game
played again. Boards made of their text. What notebooks show: pictures of positions where somebody
can draw them, tables of records and risks, lists of verdicts.
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
from rules.errors import RecordError
from rules.record import Entry, Header, Record, write
from rules.view import Border, board_view
from sim.game.risk import Risk

MOVES = ("d4", "c3", "d6")


def record_of(*entries: Entry) -> Record:
    return Record(Header("meridians", ("ann", "bob"), options={"size": 4}), entries)


def started(game: str = "meridians", **options):
    return rules.game(game, **{"size": 4, **options}).start()


def test_a_state_prints_as_its_board_and_whose_turn_it_is():
    assert str(started().after("d4")).splitlines() == [
        "  g    . . .",
        "  f   . . . .",
        "  e  . . . . .",
        "  d . . . o . .",
        "  c  . . . . .",
        "  b   . . . .",
        "  a    . . .",
        "seat 1 to move with x",
    ]
    assert str(started("thruway", size=5)).startswith("    a b c d e\n  1 . . . . .\n")
    assert str(started().after("resign")).endswith("\nresigned: seat 1 wins")


def test_states_and_records_have_a_short_name_in_one_line():
    state = started().after("d4")
    assert repr(state) == (
        f"<MeridiansPosition Meridians(size=4, pie=False), ply 1, seat 1 to move, {state.digest()}>"
    )
    assert repr(record_of(Entry(0, 0, "d4"))) == "<Record meridians, ann against bob, 1 plies>"


def test_any_record_is_played_again_from_its_path_or_as_it_is(tmp_path):
    record = record_of(*(Entry(ply, ply % 2, text) for ply, text in enumerate(MOVES)))
    write(record, tmp_path / "game.jsonl")
    assert (
        repr(rules.record.read(tmp_path / "game.jsonl"))
        == f"{repr(record)[:-1]}, {tmp_path / 'game.jsonl'}>"
    )
    steps = list(rules.replay(tmp_path / "game.jsonl"))
    assert [step.ply for step in steps] == [0, 1, 2]
    assert [str(step.move) for step in steps] == list(MOVES)
    assert steps[0].before == started()
    assert all(step.after == step.before.after(step.move) for step in steps)
    assert str(steps[1]) == "ply  1  bob: c3"
    assert [str(step) for step in rules.replay(record)] == [str(step) for step in steps]
    with pytest.raises(RecordError, match=r"none\.jsonl"):
        rules.replay(tmp_path / "none.jsonl")


# --- view ----------------------------------------------------------------------------------------


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
    assert [label.text for label in board_view(".../...").labels] == ["a", "1", "b", "2", "c"]


def test_rows_of_a_hexagon_are_letters_from_the_bottom_and_points_numbers_from_the_left():
    view = board_view(HEXAGON)
    at = {cell.name: cell for cell in view.cells}
    assert list(at)[:2] == ["e1", "e2"]
    assert (at["d2"].holds, at["c3"].holds, len(at), view.shape) == (0, 1, 14, "points")
    # the numbers stand below and above it and at the ends of its rows
    numbers = [label for label in view.labels if label.text.isdigit()]
    assert [label.text for label in numbers if label.y > at["a1"].y] == ["1", "2"]
    assert [label.text for label in numbers if label.y < at["e1"].y] == ["1", "2"]
    assert [label.text for label in numbers if at["e1"].y < label.y < at["a1"].y] == [
        name[1:] for name in at if name[0] in "bcd" and f"{name[0]}{int(name[1:]) + 1}" not in at
    ]
    # neighbours lie one cell width apart and are joined by lines
    near, here = {"c3", "d1", "d2", "b1", "b2", "c1"}, at["c2"]
    apart = [abs(complex(at[one].x - here.x, at[one].y - here.y)) for one in near]
    assert apart == pytest.approx([1.0] * 6)
    assert {name for line in view.lines if "c2" in line for name in line} == {"c2", *near}


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
