"""Slips of the fingers, and what each gets: one line, exit code 2, and the name that was
meant.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from rules import record
from rules.errors import RecordError
from rules.near import meant, nearest
from shutoko import __version__
from sim.assets import asset

GAME = "GAME.jsonl"
RECORD = asset("records", "two-cars.jsonl")
SLIPS = {
    # commands
    "serv": "serve",
    "verfy GAME.jsonl": "verify",
    "reply GAME.jsonl": "replay",
    "analyze GAME.jsonl": "analyse",
    "exprot GAME.jsonl": "export",
    "simluate thruway": "simulate",
    "docter": "doctor",
    "Rules": "rules",
    "complete bash": "completion",
    "GAME.jsonl": "shutoko replay GAME.jsonl",
    # games
    "play merdians": "meridians",
    "play Thruway": "thruway",
    "play tokyo-higway": "tokyo-highway",
    "perft thruwy": "thruway",
    "gtp meridian": "meridians",
    # players
    "play thruway --against gredy": "greedy",
    "simulate thruway --players greedy,randon --out out": "random",
    "simulate tokyo-highway --players planer,random --out out": "planner",
    "play thruway --against mtcs": "mcts",
    "play thruway --against best:levl=easy": "level",
    # rule sets and rule options
    "rules standart": "standard",
    "play tokyo-highway --ruleset rainbw": "rainbow",
    "play tokyo-highway --option hand_on_bulding=redo": "hand_on_building",
    # options of games, and their values
    "play meridians --option pi=true": "pie",
    "play thruway --option kow=undo": "ko",
    "play thruway --option ko=undoo": "undo",
    # options of commands
    "verify --mod rules GAME.jsonl": "--mode",
    "play thruway --sise 5": "--size",
    "replay GAME.jsonl --recordd": "--recorded",
    "serve --prot 8080": "--port",
    "export GAME.jsonl --pyl 2": "--ply",
    "doctor --jsn": "--json",
    # values of options
    "verify --mode rulez GAME.jsonl": "rules",
    "replay --engine bulet GAME.jsonl": "bullet",
    "completion bahs": "bash",
    "play tokyo-highway --hand clumsey": "clumsy",
    # pieces, boxes, files
    "rate games --jsn": "--json",
    "play tokyo-highway --components estimate-2081": "estimate-2018",
    "verify GMAE.jsonl": "GAME.jsonl",
    "export GAME.jsonl game.gfi": ".gif",
}


@pytest.fixture(autouse=True)
def meant_by_the_slips(run):
    shutil.copy(RECORD, GAME)


@pytest.mark.parametrize("typed", SLIPS)
def test_a_slip_is_named_with_what_was_meant(typed, run):
    said = run(typed, code=2).err.splitlines()
    (line,) = [line for line in said if line.startswith("shutoko: ")]
    expected = SLIPS[typed]
    assert f"did you mean {expected}?" in line or line.partition("; `")[0].endswith(f": {expected}")


def test_a_name_that_is_like_none_gets_no_guess():
    assert nearest("chess", ["thruway", "meridians"]) is None
    assert meant("chess", ["thruway", "meridians"]) == ""
    assert meant("", ["thruway"]) == ""
    assert meant("0", ["3", "10"]) == meant("100", ["10"]) == meant("-1", ["11"]) == ""
    assert meant(".pdf", [".png", ".glb"]) == ""
    assert nearest("x" * 10_000, ["thruway"]) is None


@pytest.mark.parametrize(
    ("words", "data", "code", "said"),
    [
        ("verify --mode rules -", RECORD, 0, ""),
        ("replay --recorded -", RECORD, 0, ""),
        ("export - out.png", RECORD, 0, ""),
        ("verify --mode rules - -", RECORD, 0, ""),
        ("export -", RECORD, 2, "name the file to write"),
        pytest.param(
            *("photo -", asset("photos", "table.json"), 0, "-: 22 roads"), marks=pytest.mark.slow
        ),
    ],
)
def test_a_record_and_marks_are_read_from_the_standard_input(words, data, code, said, run):
    out, err = run(words, typed=data.read_bytes(), code=code)
    assert said in (err or out)
    assert bool(err) is bool(code)


def test_outside_of_a_command_a_dash_is_a_file_like_any_other():
    with pytest.raises(RecordError, match=r"^-: cannot be read: No such file"):
        record.read("-")


def test_a_byte_order_mark_is_skipped_with_a_warning(run):
    Path("bom.jsonl").write_bytes(b"\xef\xbb\xbf" + RECORD.read_bytes())
    err = run("verify --mode rules bom.jsonl").err
    assert "byte order mark, which was skipped" in err


def test_the_command_alone_shows_five_things_that_work(run):
    shown = re.findall(r"(?m)^  shutoko (.*)", run("").out)
    assert len(shown) == 5
    for words in shown:
        if words.startswith(("replay", "rules")):
            run(f"{words} --json {'--engine none' * words.startswith('replay')}")


@pytest.mark.parametrize("words", ["--version --json", "--json -V"])
def test_the_version_for_programs_says_what_is_installed(words, run):
    told = json.loads(run(words).out)
    assert told["shutoko"] == __version__
    assert {"meridians", "thruway", "tokyo-highway"} <= set(told["games"])
    assert (told["packages"]["numpy"][:2], bool(told["engines"])) == ("2.", True)
