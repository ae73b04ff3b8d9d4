"""`shutoko components`: what is shipped, and the file of one's own box from answers that are typed,
piped or set.
"""

from __future__ import annotations

import io
import json
import math
import sys
from pathlib import Path

import pytest

from shutoko.cli import main
from sim.assets import names
from sim.pieces import Components

ANSWERS = [
    "114",
    "92/10",
    "1,6",
    "24/15",
    "18.8",
    "100/10",
    "",
    "14",
    "7",
    "7",
    "",
    "19",
    "22",
    "20",
    "15",
]


@pytest.fixture
def new(tmp_path, monkeypatch, capsys):
    """Runs `components new` with these lines typed: the exit code, what was printed, and what was
    said on standard error.
    """
    monkeypatch.chdir(tmp_path)

    def run(lines: list[str], *args: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return main(["components", "new", *args]), *capsys.readouterr()

    return run


def test_every_shipped_box_is_listed(capsys):
    assert main(["components", "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["components"] for one in told] == list(names("components"))
    assert told[0]["values"]["road.length"] == 110.0


def test_answers_become_a_box(new):
    code, out, _ = new(ANSWERS, "my-box.toml")
    assert code == 0
    assert "implausible" not in out
    box = Components.named("my-box.toml")
    assert (box.name, box.road_length, box.road_width, box.road_thickness) == (
        "my-box",
        114.0,
        9.2,
        1.6,
    )
    assert (box.road_mass, box.disc_diameter) == (1.6, 18.8)
    pairs = (("road", "disc"), ("car", "road"), ("disc", "disc"), ("disc", "table"))
    angles = [math.degrees(math.atan(box.friction_of(*pair))) for pair in pairs]
    assert angles == pytest.approx([19, 22, 20, 15], abs=0.01)
    # Enter means the usual wood, however large the piece is
    assert box.disc_mass == pytest.approx(
        Components.named("estimate-2018").disc_mass * 0.94**2, abs=1e-4
    )


def test_options_answer_questions_and_estimates_the_rest(new):
    code, out, _ = new([], "my-box.toml", "--set", "road.length=120", "--estimates")
    assert (code, out) == (0, "wrote my-box.toml; play with it by --components my-box.toml\n")
    box, usual = Components.named("my-box.toml"), Components.named("estimate-2018")
    assert box.road_length == 120.0
    assert box.friction == usual.friction
    assert box.road_mass == pytest.approx(usual.road_mass * 120 / 110)


def test_an_implausible_answer_is_reported_at_once(new):
    typed = [*ANSWERS]
    typed[4], typed[6] = "188", "40"
    code, out, _ = new(typed, "my-box.toml")
    lines = out.splitlines()
    asked = next(k for k, line in enumerate(lines) if line.startswith("diameter of a disc"))
    assert code == 0
    assert lines[asked + 1].strip() == "implausible: disc.diameter = 188; 15 to 30 mm is plausible"
    assert any(
        "implausible: disc.weight = 40; 83.3 to 416 g is plausible" in line for line in lines
    )
    assert "implausible: disc.diameter = 188 mm: 15 to 30 mm is plausible" in out


def test_back_asks_the_last_question_again(new):
    code, _, _ = new(["1140", "back", *ANSWERS], "my-box.toml")
    assert code == 0
    assert Components.named("my-box.toml").road_length == 114.0


@pytest.mark.parametrize(
    ("lines", "args", "message"),
    [
        (["long"], ("a.toml",), "length of a road in mm: 'long' is not a number above 0"),
        (["110/0"], ("a.toml",), "length of a road in mm: '110/0' is not a number above 0"),
        (ANSWERS[:3], ("a.toml",), "the answers end before: weight of a road in grams"),
        (
            [*ANSWERS[:-1], "80"],
            ("a.toml",),
            "slips on the table: '80' is not a number above 0 and up to 60",
        ),
        ([], ("a.txt",), "a components file ends in .toml"),
        ([], ("there.toml",), "there.toml exists already and is not overwritten"),
        ([], ("nowhere/a.toml",), "the folder nowhere does not exist"),
        (
            [],
            ("a.toml", "--set", "road.colour=red"),
            "--set road.colour=red: write KEY=ANSWER; the keys are road.length,",
        ),
    ],
)
def test_unusable_input_writes_nothing(lines, args, message, new, tmp_path):
    Path("there.toml").write_text("mine", encoding="utf-8")
    code, _, err = new(lines, *args)
    assert code == 2
    assert message in err
    assert [path.name for path in tmp_path.iterdir()] == ["there.toml"]
    assert Path("there.toml").read_text(encoding="utf-8") == "mine"
