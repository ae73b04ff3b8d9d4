"""`shutoko components`: what is shipped, and the file to fill in for one's own box."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rules.record import read
from sim.assets import asset, names
from sim.game.replay import begin
from sim.pieces import Components
from sim.plausible import examine


def test_every_shipped_box_is_listed(run):
    told = [json.loads(line) for line in run("components --json").out.splitlines()]
    assert [one["components"] for one in told] == list(names("components"))
    assert told[0]["values"]["road.length"] == 110.0


def test_a_new_file_is_the_usual_box_until_it_is_filled_in(run):
    assert run("components new my-box.toml").out == (
        "wrote my-box.toml; put in what you measured, then play with --components my-box.toml\n"
    )
    box, usual = Components.named("my-box.toml"), Components.named("estimate-2018")
    assert box.name == "my-box"
    assert (box.road_length, box.disc_height, box.car_width) == (110.0, 10.0, 7.0)
    assert box.road_mass == pytest.approx(usual.road_mass, rel=1e-3)
    assert (box.pairs, box.buildings, box.supplies) == (
        usual.pairs,
        usual.buildings,
        usual.supplies,
    )
    assert examine("my-box.toml") == ()


def test_what_is_filled_in_counts_and_is_checked_when_the_file_is_read(run):
    run("components new my-box.toml")
    path = Path("my-box.toml")
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r"(?m)^length = 110\b", "length = 114.5", text), encoding="utf-8")
    assert Components.named("my-box.toml").road_length == 114.5
    path.write_text(re.sub(r"(?m)^length = 110\b", "length = 1145", text), encoding="utf-8")
    why = "road.length = 1145 mm: 80 to 160 mm is plausible"
    assert why in run("doctor --components my-box.toml", code=1).out
    assert "road.length" in run(f"{SIMULATE} --components my-box.toml", code=2).err


def test_the_name_of_a_file_is_quoted_as_toml_wants_it(run):
    run("components new", 'my "own" \\ box.toml')
    assert Components.named('my "own" \\ box.toml').name == "my -own- - box"


# --- own box -------------------------------------------------------------------------------------


SIMULATE = "simulate tokyo-highway --players random --games 1 --max-plies 2 --engine none --out g"
USUAL = asset("components", "estimate-2018.toml").read_text(encoding="utf-8")
HEADER = {"record": "shutoko", "version": [1, 0], "game": "tokyo-highway", "players": ["A", "B"]}
MINE = "--components boxes/my-box.toml"


@pytest.fixture
def box(run) -> Path:
    """A box with roads of 120 mm, in a folder of its own."""
    path = Path("boxes/my-box.toml")
    path.parent.mkdir()
    text = USUAL.replace("110.0", "120.0", 1).replace("estimate-2018", "mine", 1)
    path.write_text(text, encoding="utf-8")
    return path


def write_record(path: str, *lines: dict, **header: object) -> None:
    text = "".join(json.dumps(line) + "\n" for line in (HEADER | header, *lines))
    Path(path).write_text(text, encoding="utf-8")


def length_of(path: str) -> float:
    return begin(read(path)).components.road_length


def test_a_game_with_a_box_of_ones_own_has_its_file_beside_the_record(run, box):
    run(f"{SIMULATE} {MINE}")
    assert Path("g/my-box.toml").read_bytes() == box.read_bytes()
    assert read("g/game-00000.jsonl").header.components == box.name
    box.unlink()
    assert length_of("g/game-00000.jsonl") == 120.0
    run("verify g/game-00000.jsonl --mode rules")


def test_another_file_of_the_same_name_beside_the_record_is_never_overwritten(run, box):
    Path("g").mkdir()
    Path("g/my-box.toml").write_text("other", encoding="utf-8")
    err = run(f"{SIMULATE} {MINE}", code=2).err
    assert "another file of this name is beside the record" in err
    assert Path("g/my-box.toml").read_text(encoding="utf-8") == "other"


def test_play_and_save_put_the_box_beside_each_record(run, box):
    Path("saved").mkdir()
    words = "play tokyo-highway --engine none --players you:name=A,you:name=B --out a.jsonl"
    run(f"{words} {MINE}", typed="entrance\nsave saved/b.jsonl\nquit\n")
    assert length_of("a.jsonl") == length_of("saved/b.jsonl") == 120.0


def test_the_file_that_a_record_names_is_looked_for_beside_it_and_nowhere_else(run, box):
    write_record("boxes/g.jsonl", components=box.name)
    assert length_of("boxes/g.jsonl") == 120.0
    for named, why in (
        (box.name, "No such file"),
        (box.resolve(), BESIDE),
        ("./boxes/my-box.toml", BESIDE),
        (".\\boxes\\my-box.toml", BESIDE),
    ):
        write_record("g.jsonl", components=str(named))
        assert why in run("verify g.jsonl --mode rules", code=2).err


BESIDE = "a file of your own lies beside the record: give its name without a folder"


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        "replay g.jsonl --engine none",
        "verify g.jsonl --mode rules",
        "export g.jsonl g.png",
        "risk g.jsonl --ply 0 --samples 1 --workers 1",
    ],
)
def test_a_record_that_names_no_components_takes_those_of_the_option(words, run, box):
    # 115 mm from axis to axis is too far for roads of 110 mm, and not for those of 120
    pillars = [{"id": "A-P0", "at": [-60, 0], "discs": 1}]
    build = {"build": {"from": "A-P0", "pillar": [66, 0], "discs": 2}}
    write_record("g.jsonl", {"ply": 0, "by": 0, "do": build}, start={"pillars": pillars})
    run(words, code=1)
    run(f"{words} {MINE}")


def test_a_record_that_names_its_components_takes_no_others(run, box):
    write_record("g.jsonl", components="estimate-rubber")
    err = run(f"replay g.jsonl {MINE}", code=2).err
    assert "the record names its own components, estimate-rubber" in err


def test_what_fill_writes_elsewhere_names_a_box_beside_it(run, box):
    write_record("g.jsonl")
    Path("filled").mkdir()
    run(f"verify g.jsonl --mode rules --fill --out filled/g.jsonl {MINE}")
    assert read("filled/g.jsonl").header.components == box.name
    assert length_of("filled/g.jsonl") == 120.0
