"""`shutoko components`: what is shipped, and the file to fill in for one's own box."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rules.record import read
from shutoko.cli import main
from sim.assets import asset, names
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


# --- own box -------------------------------------------------------------------------------------


SHIPPED = asset("components", "estimate-2018.toml").read_text(encoding="utf-8")
HEADER = {"record": "shutoko", "version": [1, 0], "game": "tokyo-highway", "players": ["A", "B"]}
SIMULATE = (
    "simulate",
    "tokyo-highway",
    "--players",
    "random",
    "--games",
    "1",
    "--max-plies",
    "2",
    "--engine",
    "none",
)


@pytest.fixture
def box(tmp_path, monkeypatch) -> Path:
    """A box with roads of 120 mm, in a folder of its own; the current folder is another."""
    (tmp_path / "boxes").mkdir()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    path = tmp_path / "boxes" / "my-box.toml"
    path.write_text(
        SHIPPED.replace("110.0", "120.0", 1).replace("estimate-2018", "mine", 1), encoding="utf-8"
    )
    return path


def write_record(path: Path, *lines: dict, **header: object) -> Path:
    path.write_text(
        "".join(json.dumps(line) + "\n" for line in (HEADER | header, *lines)), encoding="utf-8"
    )
    return path


def length_of(path: Path) -> float:
    from sim.game.replay import begin

    return begin(read(path)).components.road_length


def test_a_game_with_a_box_of_ones_own_has_its_file_beside_the_record(box, capsys):
    assert main([*SIMULATE, "--components", str(box), "--out", "games"]) == 0
    assert (Path("games") / box.name).read_bytes() == box.read_bytes()
    record = Path("games") / "game-00000.jsonl"
    assert read(record).header.components == box.name
    box.unlink()
    assert length_of(record) == 120.0
    assert main(["verify", str(record), "--mode", "rules"]) == 0
    capsys.readouterr()


def test_another_file_of_the_same_name_beside_the_record_is_never_overwritten(box, capsys):
    Path("games").mkdir()
    (Path("games") / box.name).write_text("other", encoding="utf-8")
    assert main([*SIMULATE, "--components", str(box), "--out", "games"]) == 2
    assert "another file of this name is beside the record" in capsys.readouterr().err
    assert (Path("games") / box.name).read_text(encoding="utf-8") == "other"


def test_play_and_save_put_the_box_beside_each_record(box, monkeypatch, capsys, tmp_path):
    import io
    import sys

    (tmp_path / "saved").mkdir()
    monkeypatch.setattr(
        sys, "stdin", io.StringIO(f"entrance\nsave {tmp_path / 'saved' / 'b.jsonl'}\nquit\n")
    )
    game = (
        "play",
        "tokyo-highway",
        "--engine",
        "none",
        "--players",
        "you:name=A,you:name=B",
        "--out",
        "a.jsonl",
    )
    assert main([*game, "--components", str(box)]) == 0
    capsys.readouterr()
    assert length_of(Path("a.jsonl")) == length_of(tmp_path / "saved" / "b.jsonl") == 120.0


def test_the_file_that_a_record_names_is_looked_for_beside_it_and_nowhere_else(box, capsys):
    record = write_record(box.parent / "g.jsonl", components=box.name)
    assert length_of(record) == 120.0
    lone = write_record(Path("g.jsonl"), components=box.name)
    assert main(["verify", str(lone), "--mode", "rules"]) == 2
    assert "No such file" in capsys.readouterr().err
    for named in (str(box), f"../boxes/{box.name}", f"..\\boxes\\{box.name}"):
        write_record(lone, components=named)
        assert main(["verify", str(lone), "--mode", "rules"]) == 2
        assert (
            "a file of your own lies beside the record: give its name without a folder"
            in capsys.readouterr().err
        )


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ("replay", "--engine", "none"),
        ("verify", "--mode", "rules"),
        ("export", "g.png"),
        ("risk", "--ply", "0", "--samples", "1", "--workers", "1"),
    ],
    ids=lambda words: words[0],
)
def test_a_record_that_names_no_components_takes_those_of_the_option(command, box, capsys):
    name, *more = command
    # 115 mm from axis to axis is too far for roads of 110 mm, and not for those of 120
    pillars = [{"id": "A-P0", "at": [-60, 0], "discs": 1}]
    build = {"build": {"from": "A-P0", "pillar": [66, 0], "discs": 2}}
    record = write_record(
        Path("g.jsonl"), {"ply": 0, "by": 0, "do": build}, start={"pillars": pillars}
    )
    assert main([name, str(record), *more]) == 1
    assert main([name, str(record), *more, "--components", str(box)]) == 0
    capsys.readouterr()


def test_a_record_that_names_its_components_takes_no_others(box, capsys):
    record = write_record(Path("g.jsonl"), components="estimate-rubber")
    assert main(["replay", str(record), "--components", str(box)]) == 2
    assert "the record names its own components, estimate-rubber" in capsys.readouterr().err


def test_what_fill_writes_elsewhere_names_a_box_beside_it(box, tmp_path, capsys):
    record = write_record(Path("g.jsonl"))
    (tmp_path / "filled").mkdir()
    out = tmp_path / "filled" / "g.jsonl"
    words = (
        "verify",
        str(record),
        "--mode",
        "rules",
        "--fill",
        "--out",
        str(out),
        "--components",
        str(box),
    )
    assert main([*words]) == 0
    capsys.readouterr()
    assert read(out).header.components == box.name
    assert length_of(out) == 120.0
