"""`shutoko plot`: charts of folders of records and of one record."""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rules.arena.rating import Result
from rules.errors import InputError
from rules.record import read
from shutoko.export.charts import plot
from shutoko.export.rendering.scene import PLAYER_COLOURS
from sim.assets import asset
from sim.game.risk import Risk, RiskMap
from sim.installing import install
from tests.tables import lay_out


def result(plies: int, first: int, players: tuple[str, str] = ("a", "b")) -> Result:
    return Result(players, ((first,), (1 - first,)), "connected", plies, (), None)


RESULTS = [result(10, 0), result(12, 1), result(12, 0, ("b", "a")), result(30, 0)]


@pytest.fixture
def matplotlib(monkeypatch):
    """Texts of a chart stay texts."""
    found = pytest.importorskip("matplotlib")
    monkeypatch.setitem(found.rcParams, "svg.fonttype", "none")


@pytest.mark.slow
@pytest.mark.usefixtures("matplotlib")
@pytest.mark.parametrize("kind", ["length", "balance", "elo"])
def test_a_chart_of_many_games_is_the_same_for_the_same_games(kind, tmp_path):
    charts = []
    for n, games in enumerate((RESULTS, RESULTS, RESULTS[:2])):
        getattr(plot, kind)(games, tmp_path / f"{n}.svg")
        charts.append((tmp_path / f"{n}.svg").read_bytes())
    assert charts[0] == charts[1] != charts[2]


FORMULAS = [result(9, 0, ("$\\frac$", "b"))]


@pytest.mark.usefixtures("matplotlib")
@pytest.mark.parametrize(
    ("kind", "games", "says"),
    [
        ("length", RESULTS, "median 12"),
        ("elo", RESULTS, "a (4)"),
        ("balance", RESULTS, "seat 1"),
        ("elo", FORMULAS, "frac"),
    ],
)
def test_the_median_and_the_names_are_written_on_the_charts(kind, games, says, tmp_path):
    getattr(plot, kind)(games, tmp_path / "chart.svg")
    assert says in (tmp_path / "chart.svg").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.usefixtures("matplotlib")
def test_the_race_shows_every_player(run):
    run("plot race --to race.svg", asset("records", "three-players.jsonl"))
    assert "Cars left" in Path("race.svg").read_text(encoding="utf-8")


@pytest.mark.usefixtures("matplotlib")
@pytest.mark.parametrize("kind", ["length", "elo"])
def test_a_folder_of_finished_games_is_drawn(kind, run, tmp_path):
    for name in ("two-cars", "three-players", "four-players"):
        shutil.copy(asset("records", f"{name}.jsonl"), tmp_path)
    run(f"plot {kind} . --to chart.png --json")
    assert Path("chart.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.usefixtures("matplotlib")
def test_a_chart_needs_games(tmp_path):
    with pytest.raises(InputError, match="no finished game"):
        plot.length([], tmp_path / "length.png")


@pytest.mark.parametrize(
    "words", ["plot elo nowhere", "risk no-such-game.jsonl --ply 0 --histogram histogram.png"]
)
def test_a_missing_matplotlib_is_told_before_anything_is_read(words, monkeypatch, run):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert run(words, code=2).err == f"shutoko: charts need matplotlib: {install('data')}\n"


# --- plot ----------------------------------------------------------------------------------------


BLUE = (0x26, 0x62, 0xBA)


def risk(*counts: int) -> Risk:
    """A risk where in counts[n] tries n pieces fell."""
    return Risk("bullet", "normal", "finger", 0, sum(counts), counts[0], 0, 0, 0, counts, {}, {})


def blue_columns(counts: tuple[int, ...]) -> list[int]:
    """The heights in pixels of the runs of blue columns, from left to right: the bars of tries in
    which something fell.
    """
    pixels = np.asarray(plot.histogram(risk(*counts)))
    heights = (pixels == BLUE).all(axis=2).sum(axis=0)
    starts = np.flatnonzero((heights > 0) & (np.roll(heights, 1) == 0))
    return [int(heights[start + 3]) for start in starts]


@pytest.mark.usefixtures("matplotlib")
def test_each_number_of_fallen_pieces_has_a_bar_as_high_as_its_tries():
    one, two, four = blue_columns((10, 4, 8, 0, 2))
    assert two == pytest.approx(2 * one, abs=3)
    assert one == pytest.approx(2 * four, abs=3)


@pytest.mark.usefixtures("matplotlib")
def test_the_picture_has_the_size_that_was_asked_for_and_is_written_the_same_each_time(tmp_path):
    image = plot.histogram(risk(3, 1), tmp_path / "histogram.png", (640, 333))
    assert (image.mode, image.size) == ("RGB", (640, 333))
    assert (tmp_path / "histogram.png").read_bytes().startswith(b"\x89PNG")
    assert image.tobytes() == plot.histogram(risk(3, 1), size=(640, 333)).tobytes()
    with pytest.raises(InputError, match="100 pixels"):
        plot.histogram(risk(1), size=(720, 99))


def test_a_map_shows_a_car_from_above_as_long_as_wide_and_as_turned_as_it_is():
    pillars = {"A-P0": (-35, -20, 1), "A-P1": (35, 20, 1)}
    table = lay_out(pillars, {"A-R1": ("A-P0", "A-P1")}, cars={"B-C1": ("A-R1", 0.5)})
    pixels = np.asarray(plot.map_picture(table, RiskMap("A-P0", 2, False, 10.0, ())))
    down, across = np.nonzero((pixels == PLAYER_COLOURS[1]).all(axis=2))
    turned = np.array([across, -down]).T @ [[35, -20], [20, 35]] / np.hypot(35, 20)
    long, wide = np.ptp(turned, axis=0)
    assert long / wide == pytest.approx(14 / 7, rel=0.05)
    assert len(across) == pytest.approx(long * wide, rel=0.05), "a whole rectangle"


@pytest.mark.filterwarnings("ignore:Glyph")  # the font has no picture of a line feed
@pytest.mark.parametrize("names", [("_bob", "a$b$c"), ("$\\frac$", "x\ny")])
@pytest.mark.usefixtures("matplotlib")
def test_a_name_in_a_chart_is_no_formula_and_is_never_hidden(tmp_path, monkeypatch, names):
    known = read(asset("records", "two-cars.jsonl"))
    record = replace(known, header=replace(known.header, players=names))
    figure, canvas = plot._figure((720, 420))
    monkeypatch.setattr(plot, "_figure", lambda _: (figure, canvas))
    plot.race(record, tmp_path / "race.svg")
    legend = figure.axes[0].get_legend()
    assert [text.get_text() for text in legend.get_texts()] == [
        name.replace("\n", "\u240a") for name in names
    ]
