"""Forty slips of the fingers, and what each gets: one line, exit code 2, and the name that was
meant.
"""

from __future__ import annotations

import io
import json
import shutil
import sys
from contextlib import redirect_stderr, redirect_stdout
from types import SimpleNamespace

import pytest

from rules import record
from rules.errors import RecordError
from rules.near import meant, nearest
from shutoko import __version__
from shutoko.cli import main
from sim.assets import asset

GAME = "GAME.jsonl"
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
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(asset("records", "two-cars.jsonl"), GAME)  # what the slips mean
    return tmp_path


def test_there_are_forty_slips():
    assert len(SLIPS) == 40


def told(typed: str) -> tuple[int, str]:
    """The exit code, and the line that is said."""
    said = io.StringIO()
    with redirect_stderr(said), redirect_stdout(io.StringIO()):
        try:
            code = main(typed.split())
        except SystemExit as error:
            code = int(error.code or 0)
    (line,) = [line for line in said.getvalue().splitlines() if line.startswith("shutoko: ")]
    return code, line.removeprefix("shutoko: ")


@pytest.mark.parametrize("typed", SLIPS)
def test_a_slip_is_named_with_what_was_meant(typed, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    code, line = told(typed)
    assert code == 2
    expected = SLIPS[typed]
    assert f"did you mean {expected}?" in line or line.partition("; `")[0].endswith(f": {expected}")


def test_a_name_that_is_like_none_gets_no_guess():
    assert nearest("chess", ["thruway", "meridians"]) is None
    assert meant("chess", ["thruway", "meridians"]) == ""
    assert meant("", ["thruway"]) == ""
    assert meant("0", ["3", "10"]) == meant("100", ["10"]) == meant("-1", ["11"]) == ""
    assert meant(".pdf", [".png", ".glb"]) == ""
    assert nearest("x" * 10_000, ["thruway"]) is None


def typed_in(monkeypatch, data: bytes) -> None:
    monkeypatch.setattr(
        sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data), isatty=lambda: False)
    )


@pytest.mark.parametrize(
    "words",
    [
        "verify --mode rules -",
        "replay --recorded -",
        "export - out.png",
        "verify --mode rules - -",
    ],
)
def test_a_record_is_read_from_the_standard_input(words, capsys, monkeypatch, folder):
    typed_in(monkeypatch, (folder / GAME).read_bytes())
    assert main(words.split()) == 0
    assert capsys.readouterr().err == ""


def test_a_record_without_a_name_is_exported_only_to_a_file_that_is_named(
    capsys, monkeypatch, folder
):
    typed_in(monkeypatch, (folder / GAME).read_bytes())
    assert main(["export", "-"]) == 2
    assert "name the file to write" in capsys.readouterr().err


@pytest.mark.slow
def test_marks_are_read_from_the_standard_input(capsys, monkeypatch):
    typed_in(monkeypatch, asset("photos", "table.json").read_bytes())
    assert main(["photo", "-"]) == 0
    assert capsys.readouterr().out.startswith("-: 22 roads")


def test_outside_of_a_command_a_dash_is_a_file_like_any_other():
    with pytest.raises(RecordError, match=r"^-: cannot be read: No such file"):
        record.read("-")


def test_a_byte_order_mark_is_skipped_with_a_warning(capsys, folder):
    path = folder / "bom.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + (folder / GAME).read_bytes())
    assert main(["verify", "--mode", "rules", str(path)]) == 0
    assert "byte order mark, which was skipped" in capsys.readouterr().err


def test_the_command_alone_shows_five_things_that_work(capsys):
    assert main([]) == 0
    shown = [
        line.split()[1:]
        for line in capsys.readouterr().out.splitlines()
        if line.startswith("  shutoko ")
    ]
    assert len(shown) == 5
    for words in shown:
        if words[0] in ("replay", "rules"):
            engine = ("--engine", "none") if words[0] == "replay" else ()
            assert main([*words, *engine, "--json"]) == 0


def test_the_version_for_programs_says_what_is_installed(capsys):
    for words in (["--version", "--json"], ["--json", "-V"]):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 0
        told = json.loads(capsys.readouterr().out)
        assert told["shutoko"] == __version__
        assert {"meridians", "thruway", "tokyo-highway"} <= set(told["games"])
        assert told["packages"]["numpy"].startswith("2.")
        assert told["engines"]
