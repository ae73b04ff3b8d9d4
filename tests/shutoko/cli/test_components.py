"""`shutoko components`: what is shipped, and the file to fill in for one's own box."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from shutoko.cli import main
from sim.assets import names
from sim.pieces import Components
from sim.plausible import examine


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_shipped_box_is_listed(capsys):
    assert main(["components", "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["components"] for one in told] == list(names("components"))
    assert told[0]["values"]["road.length"] == 110.0


def test_a_new_file_is_the_usual_box_until_it_is_filled_in(capsys):
    assert main(["components", "new", "my-box.toml"]) == 0
    assert capsys.readouterr().out == (
        "wrote my-box.toml; put in what you measured, then play with --components my-box.toml\n"
    )
    box, usual = Components.named("my-box.toml"), Components.named("estimate-2018")
    assert box.name == "my-box"
    assert (box.road_length, box.disc_height, box.car_width) == (110.0, 10.0, 7.0)
    assert box.road_mass == pytest.approx(usual.road_mass, rel=1e-3)
    assert box.pairs == usual.pairs
    assert (box.buildings, box.supplies) == (usual.buildings, usual.supplies)
    assert examine("my-box.toml") == ()


def test_what_is_filled_in_counts_and_is_checked_when_the_file_is_read(capsys):
    main(["components", "new", "my-box.toml"])
    path = Path("my-box.toml")
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r"(?m)^length = 110\b", "length = 114.5", text), encoding="utf-8")
    assert Components.named("my-box.toml").road_length == 114.5
    path.write_text(re.sub(r"(?m)^length = 110\b", "length = 1145", text), encoding="utf-8")
    capsys.readouterr()
    assert main(["doctor", "--components", "my-box.toml"]) == 1
    assert "road.length = 1145 mm: 80 to 160 mm is plausible" in capsys.readouterr().out
    words = ["simulate", "tokyo-highway", "--players", "random,random", "--games", "1"]
    assert main([*words, "--out", "games", "--components", "my-box.toml"]) == 2
    assert "road.length" in capsys.readouterr().err


def test_the_name_of_a_file_is_quoted_as_toml_wants_it():
    assert main(["components", "new", 'my "own" \\ box.toml']) == 0
    assert Components.named('my "own" \\ box.toml').name == "my -own- - box"
