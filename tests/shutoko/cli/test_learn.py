"""`shutoko learn`, and what it writes."""

from __future__ import annotations

import json

import pytest

from shutoko import learn
from shutoko.cli import main
from sim.bots.learnt import NAMES


@pytest.mark.slow
def test_a_policy_of_tokyo_highway_is_learnt_by_its_seed_alone_and_plays(
    tmp_path, capsys, monkeypatch
):
    """Short lessons: the same seed gives the same file, and the file is a player."""
    monkeypatch.setattr(learn, "_GAMES", 2)
    monkeypatch.setattr(learn, "_MEASURED", 20)
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
