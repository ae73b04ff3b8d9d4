"""`shutoko plot`: charts of folders of records and of one record."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from rules.arena.rating import Result
from rules.errors import InputError
from shutoko.cli import main
from shutoko.export.charts import plot
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
