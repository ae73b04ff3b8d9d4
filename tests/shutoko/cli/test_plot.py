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
from shutoko.cli import main
from shutoko.export.charts import plot
from sim.assets import asset
from sim.game.risk import Risk
from sim.installing import install

RECORDS = Path(__file__).resolve().parents[3] / "assets" / "records"


def result(plies: int, first: int, players: tuple[str, str] = ("a", "b")) -> Result:
    return Result(players, ((first,), (1 - first,)), "connected", plies, (), None)


RESULTS = [result(10, 0), result(12, 1), result(12, 0, ("b", "a")), result(30, 0)]


def texts(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["length", "balance", "elo"])
def test_a_chart_of_many_games_is_the_same_for_the_same_games(kind, tmp_path):
    pytest.importorskip("matplotlib")
    for name in ("one.svg", "two.svg"):
        getattr(plot, kind)(RESULTS, tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
    getattr(plot, kind)(RESULTS[:2], tmp_path / "two.svg")
    assert (tmp_path / "one.svg").read_bytes() != (tmp_path / "two.svg").read_bytes()


def test_the_median_and_the_names_are_written_on_the_charts(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    with matplotlib.rc_context({"svg.fonttype": "none"}):
        plot.length(RESULTS, tmp_path / "length.svg")
        plot.elo(RESULTS, tmp_path / "elo.svg")
        plot.balance(RESULTS, tmp_path / "balance.svg")
    assert "median 12" in texts(tmp_path / "length.svg")
    assert "a (4)" in texts(tmp_path / "elo.svg")
    assert "seat 1" in texts(tmp_path / "balance.svg")


@pytest.mark.slow
def test_the_race_shows_every_player(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    with matplotlib.rc_context({"svg.fonttype": "none"}):
        assert (
            main(
                [
                    "plot",
                    "race",
                    str(RECORDS / "three-players.jsonl"),
                    "--to",
                    str(tmp_path / "race.svg"),
                ]
            )
            == 0
        )
    assert "Cars left" in texts(tmp_path / "race.svg")


def test_a_folder_of_finished_games_is_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    for name in ("two-cars", "three-players", "four-players"):
        shutil.copy(RECORDS / f"{name}.jsonl", tmp_path)
    for kind in ("length", "elo"):
        assert (
            main(["plot", kind, str(tmp_path), "--to", str(tmp_path / f"{kind}.png"), "--json"])
            == 0
        )
        assert (tmp_path / f"{kind}.png").read_bytes().startswith(b"\x89PNG")


def test_a_race_needs_cars_and_a_chart_games(tmp_path):
    pytest.importorskip("matplotlib")
    with pytest.raises(InputError, match="no finished game"):
        plot.length([], tmp_path / "length.png")
    assert (
        main(
            [
                "plot",
                "race",
                str(RECORDS / "boards" / "thruway-opening.jsonl"),
                "--to",
                str(tmp_path / "r.png"),
            ]
        )
        == 2
    )


def test_a_missing_matplotlib_is_told_before_anything_is_read(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert main(["plot", "elo", "nowhere"]) == 2
    assert capsys.readouterr().err == f"shutoko: charts need matplotlib: {install('data')}\n"


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
