"""`shutoko learn`, and what it writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shutoko import learn
from sim.bots.learnt import NAMES


@pytest.mark.slow
def test_a_policy_of_tokyo_highway_is_learnt_by_its_seed_alone_and_plays(run, monkeypatch):
    """Short lessons: the same seed gives the same file, and the file is a player."""
    monkeypatch.setattr(learn, "_GAMES", 2)
    monkeypatch.setattr(learn, "_MEASURED", 20)
    made = []
    for name, given in (("a", ""), ("b", ""), ("c", "--seed 1"), ("d", "--from-nothing")):
        told = run(f"learn tokyo-highway --lessons 1 {given} --out {name}.json").out
        assert "against weights like greedy's" in told
        made.append(json.loads(Path(f"{name}.json").read_text())["weights"])
    assert made[0] == made[1] != made[2]
    assert made[0]["wins"] == 100.0  # it begins so, and is not learnt
    assert max(map(abs, made[3].values())) < 1.0
    assert set(made[0]) == set(NAMES)
    line = json.loads(Path("a.jsonl").read_text())
    assert (line["games"] > 150, line["plies"] > 10000) == (True, True)
    assert 0.0 <= line["score"] <= 1.0
    players = "--players policy:file=a.json,random --engine none"
    assert "policy" in run(f"simulate tokyo-highway {players} --games 2 --out g").out
