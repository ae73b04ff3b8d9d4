"""What notebooks show: pictures of positions where somebody can draw them, tables of records and risks, lists of verdicts."""

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
from sim.game.risk import Risk

CHECKOUT = Path(__file__).resolve().parents[2]
POINTS = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]


@pytest.fixture
def drawn(monkeypatch):
    """The drawers that the distribution offers."""
    points = [EntryPoint(name, value, notebook.GROUP) for name, value in POINTS[notebook.GROUP].items()]
    monkeypatch.setattr(notebook, "entry_points", lambda group: points if group == notebook.GROUP else [])


@pytest.mark.parametrize(("name", "options"), [("meridians", {"size": 3}), ("thruway", {"size": 3})])
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
    monkeypatch.setattr(notebook, "entry_points", lambda group: [EntryPoint("board", "no_such_module:board", group)])
    assert rules.game("meridians", size=3).start()._repr_svg_() is None
    assert sim.Table.start()._repr_png_() is None


def test_a_record_is_shown_as_a_table_of_plies():
    record = Record(Header("meridians", ("Ann <3", "Bob"), options={"size": 3}), (Entry(0, 0, "c2"), Entry(1, 1, "d1")))
    shown = record._repr_html_()
    assert "meridians, Ann &lt;3 against Bob" in shown
    assert "<td>1</td><td>Bob</td><td>d1</td>" in shown


def test_a_verdict_is_shown_as_its_sentences():
    table = sim.Table.start(players=2)
    verdict, _ = sim.play(table, table.default_entrance(0), engine="none")
    assert verdict._repr_html_() == notebook.listed(str(verdict).splitlines())
    assert verdict._repr_html_().count("<li>") == len(str(verdict).splitlines())


def test_a_risk_is_shown_with_its_intervals():
    shown = Risk("bullet", "normal", "finger", 0, 100, 90, 0, 10, 20, (90, 10), {"A-R1": 10}, {})._repr_html_()
    assert "100 tries with a normal hand in bullet" in shown
    assert "<td>the build stands</td><td>90.0%</td>" in shown
    assert "<td>A-R1 falls</td><td>10.0%</td>" in shown


def test_drawers_are_loaded_when_something_is_drawn():
    code = (
        "import sys, rules, sim, sim.game.risk; assert not {'shutoko', 'PIL', 'embreex'} & set(sys.modules), sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, check=True)
    for value in POINTS[notebook.GROUP].values():
        module, _, name = value.partition(":")
        assert callable(getattr(import_module(module), name))
