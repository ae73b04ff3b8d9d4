"""Charts of numbers, and what is said where matplotlib is missing."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest

from rules.arena.rating import Result
from rules.errors import InputError
from rules.record import read
from shutoko.export.charts import plot
from sim.assets import asset
from sim.game.risk import Risk
from sim.installing import install

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


def test_each_number_of_fallen_pieces_has_a_bar_as_high_as_its_tries():
    pytest.importorskip("matplotlib")
    one, two, four = blue_columns((10, 4, 8, 0, 2))
    assert two == pytest.approx(2 * one, abs=3)
    assert one == pytest.approx(2 * four, abs=3)


def test_the_picture_has_the_size_that_was_asked_for_and_is_written(tmp_path):
    pytest.importorskip("matplotlib")
    image = plot.histogram(risk(3, 1), tmp_path / "histogram.png", (640, 333))
    assert (image.mode, image.size) == ("RGB", (640, 333))
    assert (tmp_path / "histogram.png").read_bytes().startswith(b"\x89PNG")


def test_the_same_numbers_give_the_same_picture():
    pytest.importorskip("matplotlib")
    assert plot.histogram(risk(3, 1)).tobytes() == plot.histogram(risk(3, 1)).tobytes()


def test_a_picture_too_small_to_read_is_refused():
    with pytest.raises(InputError, match="100 pixels"):
        plot.histogram(risk(1), size=(720, 99))


def test_the_command_tells_of_a_missing_matplotlib_before_it_computes(
    monkeypatch, tmp_path, capsys
):
    from shutoko.cli import main

    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    asked = [
        "risk",
        str(tmp_path / "no-such-game.jsonl"),
        "--ply",
        "0",
        "--histogram",
        str(tmp_path / "histogram.png"),
    ]
    assert main(asked) == 2
    assert capsys.readouterr().err == f"shutoko: charts need matplotlib: {install('data')}\n"


@pytest.mark.filterwarnings("ignore:Glyph")  # the font has no picture of a line feed
@pytest.mark.parametrize("names", [("_bob", "a$b$c"), ("$\\frac$", "x\ny")])
def test_a_name_in_a_chart_is_no_formula_and_is_never_hidden(tmp_path, monkeypatch, names):
    pytest.importorskip("matplotlib")
    known = read(asset("records", "two-cars.jsonl"))
    record = replace(known, header=replace(known.header, players=names))
    figures = []
    monkeypatch.setattr(plot, "_saved", lambda figure, path: figures.append((figure, path)))
    plot.race(record, tmp_path / "race.svg")
    (figure, path), *_ = figures
    legend = figure.axes[0].get_legend()
    assert [text.get_text() for text in legend.get_texts()] == [
        name.replace("\n", "\u240a") for name in names
    ]
    figure.savefig(path)


def test_the_ratings_of_players_with_formulas_for_names_are_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    one = Result(("$\\frac$", "b"), ((0,), (1,)), "resigned", 9, (), 0)
    plot.elo([one], tmp_path / "elo.svg")
    assert (tmp_path / "elo.svg").stat().st_size > 0
