"""Training a net: `shutoko learn`, and what it writes. What needs torch is left out where there is
none.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from rules.grid.meridians import Meridians
from rules.grid.search.net import load
from shutoko.cli import main
from shutoko.learn import evolution
from shutoko.learn.selfplay import Positions, play
from sim.bots.learnt import NAMES
from sim.installing import install
from tests.test_packaging import CHECKOUT

LESSON = {
    "lesson": 1,
    "minutes": 0.5,
    "games": 300,
    "positions": 7000,
    "policy": 2.3,
    "value": 0.6,
    "score": 0.85,
}


def course(tmp_path: Path, name: str, *more: str) -> Path:
    pytest.importorskip("torch", reason="LEARNING IS NOT TESTED: the extra learn is missing")
    out = tmp_path / f"{name}.npz"
    words = [
        "--lessons",
        "2",
        "--games",
        "8",
        "--simulations",
        "8",
        "--workers",
        "1",
        "--out",
        str(out),
        *more,
    ]
    assert main(["learn", "meridians", "--size", "4", *words]) == 0
    return out


@pytest.mark.slow
def test_the_same_seed_trains_the_same_net_and_another_seed_another(tmp_path):
    one, again, other = (
        course(tmp_path, "a"),
        course(tmp_path, "b"),
        course(tmp_path, "c", "--seed", "1"),
    )
    nets = [load(4, path).weights for path in (one, again, other)]
    assert all(np.array_equal(nets[0][name], nets[1][name]) for name in nets[0])
    assert not np.array_equal(nets[0]["first"], nets[2]["first"])
    lines = [json.loads(line) for line in one.with_suffix(".jsonl").read_text().splitlines()]
    assert [line["lesson"] for line in lines] == [1, 2]
    assert lines[1]["games"] == 16


@pytest.mark.slow
def test_torch_and_the_compiled_net_give_the_same_chances():
    torch = pytest.importorskip(
        "torch", reason="LEARNING IS NOT TESTED: the extra learn is missing"
    )
    from rules.grid.search.net import NetAdapter
    from shutoko.learn.training import Learner

    learner = Learner(4, 16, 8, seed=3)
    positions = play(learner.file(), 3, 8, seed=1)
    adapter = NetAdapter(Meridians(size=4), learner.file())
    with torch.no_grad():
        odds, points = learner._forward(positions)
    for i in range(0, len(positions.sides), 5):
        chance, values = adapter.opinion(
            positions.cells[i], int(positions.sides[i]), int(positions.plies[i])
        )
        assert chance == pytest.approx(torch.sigmoid(odds[i]).item(), abs=1e-5)
        assert values == pytest.approx(points[i].numpy(), abs=1e-4)


@pytest.fixture(scope="module")
def positions() -> Positions:
    return play(load(4), 3, 16, seed=5)


def test_games_against_itself_are_the_same_for_the_same_seed(positions):
    assert all(map(np.array_equal, positions, play(load(4), 3, 16, seed=5)))
    assert not np.array_equal(positions.cells, play(load(4), 3, 16, seed=6).cells)


def test_targets_are_shares_of_legal_moves_and_chances(positions):
    assert positions.visits.sum(axis=1) == pytest.approx(1.0, abs=1e-5)
    assert not (positions.visits > 0)[~positions.legal].any()
    assert ((positions.chance >= 0) & (positions.chance <= 1)).all()
    assert (positions.cells[:, :-1][positions.legal] == 0).all()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--out", "net.txt"], "a net is a .npz file"),
        (["--out", "no/net.npz"], "the folder no does not exist"),
        (["--out", "net.npz", "--size", "2"], "--size 2: at least 3"),
        (["--out", "net.npz", "--lessons", "0"], "--lessons 0: at least 1"),
        (["--out", "net.npz", "--ruleset", "fr"], "--ruleset: not for meridians, which takes"),
        (["--out", "net.npz", "--from-nothing"], "--from-nothing: not for meridians"),
        (["--out", "net.npz", "--minutes", "0"], "--minutes 0: above 0"),
        (["--out", "net.npz", "--workers", "0"], "--workers 0: at least 1 worker is needed"),
    ],
)
def test_wrong_arguments_are_refused_before_the_work(words, told, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert main(["learn", "meridians", *words]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.slow
def test_a_policy_of_tokyo_highway_is_learnt_by_its_seed_alone_and_plays(
    tmp_path, capsys, monkeypatch
):
    """Short lessons: the same seed gives the same file, and the file is a player."""
    monkeypatch.setattr(evolution, "_GAMES", 2)
    monkeypatch.setattr(evolution, "_MEASURED", 20)
    made = []
    for name, *given in (("a",), ("b",), ("c", "--seed", "1"), ("d", "--from-nothing")):
        out = tmp_path / f"{name}.json"
        words = ["--lessons", "1", *given, "--out", str(out)]
        assert main(["learn", "tokyo-highway", *words]) == 0
        made.append(json.loads(out.read_text())["weights"])
    assert made[0] == made[1] != made[2]
    assert made[0]["wins"] == 100.0  # it begins so, and is not learnt
    assert max(map(abs, made[3].values())) < 1.0
    assert set(made[0]) == set(NAMES)
    (line,) = map(json.loads, (tmp_path / "a.jsonl").read_text().splitlines())
    assert line["games"] > 150
    assert line["plies"] > 10000
    assert 0.0 <= line["score"] <= 1.0
    assert "against weights like greedy's" in capsys.readouterr().out
    played = ["--players", f"policy:file={tmp_path / 'a.json'},random", "--engine", "none"]
    words = ["simulate", "tokyo-highway", *played, "--games", "2", "--out", str(tmp_path / "g")]
    assert main(words) == 0
    assert "policy" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--out", "w.npz"], "a policy is a .json file"),
        (["--out", "w.json", "--ruleset", "old"], "old"),
        (["--out", "w.json", "--lessons", "0"], "--lessons 0: at least 1"),
        (
            ["--out", "w.json", "--size", "4", "--workers", "2"],
            "--size, --workers: not for tokyo-highway, which takes --minutes, --lessons, --seed",
        ),
        (
            ["--out", "w.json", "--workers", "2"],
            "--seed, --out, --ruleset, --from-nothing; leave it out",
        ),
        (["--out", "w.json", "--games", "5"], "--games: not for tokyo-highway"),
        (["--out", "w.json", "--simulations", "3"], "--simulations: not for tokyo-highway"),
    ],
)
def test_wrong_arguments_of_a_policy_are_refused(words, told, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert main(["learn", "tokyo-highway", *words]) == 2
    assert told in capsys.readouterr().err


def test_a_game_that_cannot_be_learnt_is_refused_before_its_options(capsys, tmp_path):
    assert main(["learn", "thruway", "--size", "2", "--out", str(tmp_path / "net.json")]) == 2
    assert "nets only for Meridians, not for thruway" in capsys.readouterr().err


def test_without_torch_it_names_the_extra(capsys, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "shutoko.learn.training", raising=False)
    monkeypatch.delitem(sys.modules, "shutoko.learn.course", raising=False)
    assert main(["learn", "meridians", "--out", str(tmp_path / "net.npz")]) == 2
    assert capsys.readouterr().err == f"shutoko: learning needs torch: {install('learn')}\n"


def test_lessons_are_drawn(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    log = tmp_path / "net.jsonl"
    log.write_text(
        "".join(json.dumps(LESSON | {"lesson": n, "games": 300 * n}) + "\n" for n in (1, 2))
    )
    assert main(["plot", "learning", str(log), "--to", str(tmp_path / "net.svg")]) == 0
    assert "<svg" in (tmp_path / "net.svg").read_text()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no lesson is in it"),
        ("{}", "net.jsonl:1: not a lesson"),
        ("{", "net.jsonl:1: not JSON"),
        (None, "cannot be read"),
    ],
)
def test_a_file_without_lessons_is_refused(text, told, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    log = tmp_path / "net.jsonl"
    if text is not None:
        log.write_text(text)
    assert main(["plot", "learning", str(log), "--to", str(tmp_path / "net.svg")]) == 2
    assert told in capsys.readouterr().err


def test_the_shipped_net_is_small_and_its_lessons_ended_ahead_of_uct():
    assert (CHECKOUT / "rules" / "grid" / "search" / "meridians-net-4.npz").stat().st_size < 200_000
    lines = (CHECKOUT / "docs" / "learning" / "meridians-4.jsonl").read_text().splitlines()
    assert json.loads(lines[-1])["score"] > 0.8
