"""The frame of the command line: exit codes, one message, no traceback, nothing on standard output
that was not asked for.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import subprocess
import sys
import threading
import warnings
from contextlib import contextmanager
from pathlib import Path

import pytest

import shutoko.cli
from rules.errors import IllegalMoveError, InputError, RecordError, UnavailableError
from shutoko import __version__
from shutoko.cli import COMMANDS, common, export, main, parser, verify
from shutoko.cli.common.records import each_file
from sim.assets import asset
from sim.bots.playouts import playouts


class Stub:
    """A command that does what it is told: gives a code, or raises."""

    def __init__(self, does: object) -> None:
        self.does = does

    def add(self, commands: common.Commands) -> None:
        made = commands.add_parser("stub")
        common.add_json(made)
        made.set_defaults(run=self.run)

    def run(self, args: argparse.Namespace) -> int:
        if isinstance(self.does, BaseException):
            raise self.does
        if callable(self.does):
            return self.does(args)
        return self.does


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("SHUTOKO_TRACEBACK", raising=False)

    def with_command(does: object) -> int:
        monkeypatch.setattr(shutoko.cli, "COMMANDS", (Stub(does),))
        return main(["stub"])

    return with_command


@pytest.mark.parametrize("code", [0, 1])
def test_the_code_of_a_command_is_the_code_of_the_process(stub, code):
    assert stub(code) == code


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (InputError("no such thing"), 2, "shutoko: no such thing\n"),
        (
            RecordError("unknown key 'x'", "game.jsonl", 14, 12),
            2,
            "shutoko: game.jsonl:14: ply 12: unknown key 'x'\n",
        ),
        (
            UnavailableError("not installed: pip install x"),
            2,
            "shutoko: not installed: pip install x\n",
        ),
        (
            IllegalMoveError("d4", "start", "taken"),
            1,
            "shutoko: 'd4' is illegal: taken; position: start\n",
        ),
        (
            FileNotFoundError(2, "No such file or directory", "a.jsonl"),
            2,
            "shutoko: a.jsonl: No such file or directory\n",
        ),
        (
            OSError(28, "No space left on device"),
            2,
            "shutoko: [Errno 28] No space left on device\n",
        ),
        (KeyboardInterrupt(), 130, "shutoko: interrupted\n"),
    ],
)
def test_an_error_is_one_message_and_its_exit_code(stub, capsys, error, code, message):
    assert stub(error) == code
    assert capsys.readouterr() == ("", message)


def test_a_bug_is_one_line_that_tells_how_to_see_where(stub, capsys):
    assert stub(ZeroDivisionError("half\nof it")) == 70
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "ZeroDivisionError: half of it" in err
    assert "SHUTOKO_TRACEBACK=1" in err
    assert "Traceback" not in err


def test_a_bug_shows_its_traceback_when_asked(stub, capsys, monkeypatch):
    def fails(args):
        monkeypatch.setenv("SHUTOKO_TRACEBACK", "1")
        raise ZeroDivisionError

    assert stub(fails) == 70
    assert "Traceback" in capsys.readouterr().err


def test_a_warning_is_one_line_on_standard_error(stub, capsys):
    def warns(args):
        for _ in range(2):
            warnings.warn("line 7 dropped", stacklevel=1)
        return 0

    assert stub(warns) == 0
    assert capsys.readouterr() == ("", "shutoko: warning: line 7 dropped\n" * 2)


def test_unknown_commands_and_options_exit_with_2(capsys):
    for argv in (["fly"], ["doctor", "--fly"]):
        with pytest.raises(SystemExit) as end:
            main(argv)
        assert end.value.code == 2
        assert capsys.readouterr().err.startswith("usage: shutoko")


@pytest.mark.parametrize("command", COMMANDS, ids=lambda module: module.__name__.rpartition(".")[2])
def test_every_command_has_json_and_help(command, capsys):
    # a word of Python cannot name a module
    name = command.__name__.rpartition(".")[2].replace("importing", "import")
    with pytest.raises(SystemExit) as end:
        parser().parse_args([name, "--help"])
    assert end.value.code == 0
    assert "--json" in capsys.readouterr().out


def test_help_imports_nothing_heavy(shutoko):
    """`shutoko --help` must answer at once, so it may not import what takes long."""
    code = (
        "import sys, shutoko.cli\n"
        "try: shutoko.cli.main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = "
        "{'numpy', 'fluent', 'highspy', 'shapely', 'pybullet', 'mujoco', "
        "'rich', 'PIL', 'embreex', 'trimesh'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


@pytest.mark.parametrize("argument", ["rules", "--help"])
def test_a_reader_that_goes_away_gets_no_complaint(argument):
    code = f"import sys, shutoko.cli; sys.exit(shutoko.cli.main([{argument!r}]))"
    # unbuffered, argparse notices by itself and exits with 0
    buffered = {
        **os.environ,
        "PYTHONUNBUFFERED": "",
    }
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=buffered,
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (141, "")


def test_text_that_the_terminal_cannot_write_is_no_error(shutoko):
    done = shutoko("rules", PYTHONIOENCODING="ascii")
    assert done.returncode == 0


def test_python_m_shutoko_is_the_command(shutoko):
    assert shutoko("--version").stdout == shutoko("-V").stdout == f"shutoko {__version__}\n"


# --- rules ----------------------------------------------------------------------------------------


def test_rules_shows_what_a_rule_set_changes(shutoko):
    done = shutoko("rules", "rainbow", "--changed", "--json")
    (option,) = json.loads(done.stdout)["options"]
    assert (option["name"], option["value"]) == ("crossing_memory", "history")
    assert "crossing_memory = history" in shutoko("rules", "rainbow", "--changed").stdout


# --- doctor ---------------------------------------------------------------------------------------


def test_doctor_finds_this_machine_fit_and_prints_only_json(shutoko, tmp_path):
    done = shutoko("doctor", "--json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["ok"], done.stderr) == (0, True, ""), report
    found = {check["name"]: check for check in report["checks"]}
    assert found["physics"]["ok"]
    assert found["writable"]["detail"] == str(tmp_path)


def test_the_commands_offer_every_engine():
    from shutoko.cli.common.records import ENGINES, PHYSICS
    from sim.physics.engines import NAMES

    assert (*NAMES, "none") == ENGINES
    assert PHYSICS == NAMES


@pytest.mark.parametrize("command", [["risk", "FILE", "--ply", "3"], ["verify", "FILE"]])
def test_a_command_that_simulates_offers_every_engine_but_none(command, capsys):
    from sim.physics.engines import NAMES

    for name in NAMES:
        assert parser().parse_args([*command, "--engine", name]).engine == name
    with pytest.raises(SystemExit):
        parser().parse_args([*command, "--engine", "none"])
    assert "invalid choice: 'none'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["replay", "--engine", "none", "scenarios/V1.jsonl"], "ply"),
        (["replay", "--recorded", "scenarios/V1.jsonl"], "ply"),
        (["verify", "--mode", "rules", "scenarios/V1.jsonl"], "agrees with everything recorded"),
    ],
)
def test_a_record_is_read_without_an_engine_where_none_is_asked_for(
    command, said, monkeypatch, capsys
):
    import sim.physics.engines

    monkeypatch.setattr(sim.physics.engines, "_installed", lambda name: False)
    *options, file = command
    assert main([*options, str(asset("records", *file.split("/")))]) == 0
    assert said in capsys.readouterr().out


def fails(*_: object, **__: object) -> None:
    raise OSError("no room")


INSTALLED = "sim.physics.engines._installed"
MACHINES = {
    "without an engine": (
        {INSTALLED: lambda name: False},
        1,
        "FAILED  physics   no engine works|Games cannot be replayed with physics here.",
    ),
    "where something cannot be compiled": (
        {"rules.grid.search.players.compile_ahead": fails},
        1,
        "FAILED  compiled  no room|Games can be replayed with physics here.",
    ),
    "on Python 3.12": (
        {
            INSTALLED: lambda name: name == "mujoco",
            "sim.physics.engines._PYTHON": (3, 12),
            "shutoko.cli.doctor._probe": lambda name: 0.1,
            "rules.grid.search.players.compile_ahead": lambda name: None,
        },
        0,
        "PyBullet has no wheels for Python 3.12|engine mujoco by default",
    ),
    "where it may not write": (
        {
            "shutoko.cli.doctor.tempfile.TemporaryFile": fails,
            "rules.grid.search.players.compile_ahead": lambda name: None,
        },
        0,
        "writable|no room|Games can be replayed with physics here.",
    ),
}


@pytest.mark.parametrize(("patches", "code", "said"), MACHINES.values(), ids=MACHINES)
def test_doctor_says_what_this_machine_lacks(monkeypatch, capsys, patches, code, said):
    for target, value in patches.items():
        monkeypatch.setattr(target, value)
    assert main(["doctor", "--compile"]) == code
    out = capsys.readouterr().out
    assert [text for text in said.split("|") if text not in out] == []


def test_doctor_compiles_all_games_and_says_how_long_it_took(capsys):
    assert main(["doctor", "--compile", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    told = [check["detail"] for check in report["checks"] if check["name"] == "compiled"]
    assert [re.sub(r"[0-9.]+ s;", "... s;", text) for text in told] == [
        "meridians in ... s; kept on this machine until the next version",
        "thruway in ... s; kept on this machine until the next version",
        "the playouts of the planner in ... s; kept on this machine until the next version",
    ]
    assert playouts.signatures  # the planner's first turn finds them compiled


# --- what commands share --------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("errors", "how", "is_drawn"),
    [
        (Terminal, {"patience": -1}, True),
        (io.StringIO, {"patience": -1}, False),
        (Terminal, {}, False),
        (Terminal, {"quiet": True, "patience": -1}, False),
    ],
    ids=["a person who waits", "no terminal", "quick work", "programs"],
)
def test_progress_draws_a_bar_for_a_person_who_waits(monkeypatch, errors, how, is_drawn):
    monkeypatch.setattr(sys, "stderr", errors())
    monkeypatch.setenv("TERM", "xterm")
    assert list(common.progress(iter([1, 2, 3]), "plies", **how)) == [1, 2, 3]
    assert ("plies" in sys.stderr.getvalue()) is is_drawn


def test_progress_leaves_no_bar_behind_when_the_reader_stops(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    items = common.progress(range(9), "plies", patience=-1)
    next(items)
    items.close()
    drawn = sys.stderr.getvalue()
    # the cursor that was hidden is shown again
    assert drawn.count("\x1b[?25l") == drawn.count("\x1b[?25h")


def test_waiting_shows_what_takes_long_and_how_long_it_has_taken(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    at_once = threading.Event()
    monkeypatch.setattr(
        common, "_clock", lambda label, made=common._clock: (made(label), at_once.set())[0]
    )
    with common.waiting("verifying a.jsonl", patience=0.0):
        assert at_once.wait(20)
    drawn = sys.stderr.getvalue()
    assert "verifying a.jsonl" in drawn
    assert "0:00:00" in drawn
    # the cursor that was hidden is shown again
    assert drawn.count("\x1b[?25l") == drawn.count("\x1b[?25h")


@pytest.mark.parametrize("how", [{"quiet": True, "patience": 0.0}, {"patience": 60.0}])
def test_waiting_shows_nothing_to_programs_or_for_quick_work(monkeypatch, how):
    monkeypatch.setattr(sys, "stderr", Terminal())
    before = set(threading.enumerate())  # some may be other tests' and end meanwhile
    with common.waiting("verifying", **how):
        pass
    assert sys.stderr.getvalue() == ""
    assert set(threading.enumerate()) <= before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("argv", "label"),
    [
        (("verify", "--mode", "rules"), "verifying two-cars.jsonl"),
        (
            ("verify", "--fill", "--mode", "rules", "--out", "filled.jsonl"),
            "judging two-cars.jsonl",
        ),
        (("export",), "making a.jsonl"),
    ],
)
def test_commands_that_take_long_say_so_to_people_only(
    monkeypatch, tmp_path, checkout, argv, label
):
    said = []

    @contextmanager
    def noted(label, *, quiet):
        said.append((label, quiet))
        yield lambda done, total: None

    for module, name in ((verify, "waiting"), (verify, "counting"), (export, "counting")):
        monkeypatch.setattr(module, name, noted)
    monkeypatch.chdir(tmp_path)
    record = checkout / "assets" / "records" / "two-cars.jsonl"
    outs = ["a.jsonl"] if argv == ("export",) else []
    for more in ([], ["--json"]):
        assert main([*argv, str(record), *outs, *more]) == 0
    assert said == [(label, False), (label, True)]


def test_json_output_refuses_what_is_not_json(capsys):
    with pytest.raises(ValueError, match="not JSON compliant"):
        common.emit({"x": float("nan")})
    common.emit({"title": "首都高", "n": [1, 2]})
    assert capsys.readouterr().out == '{"title":"首都高","n":[1,2]}\n'


def test_a_bad_file_does_not_stop_the_rest_of_a_list(tmp_path, capsys, monkeypatch):
    game = (
        '{"record":"shutoko","version":[1,0],"game":"tokyo-highway",'
        '"players":["north","south"]%s}\n'
    )
    (tmp_path / "good.jsonl").write_text(game % "", encoding="utf-8")
    (tmp_path / "bad.jsonl").write_text(game % ',"options":{"self":1}', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["verify", "--mode", "rules", "missing.jsonl", ".", "bad.jsonl", "good.jsonl"]) == 2
    told = capsys.readouterr()
    assert len(told.err.splitlines()) == 3
    assert told.out == "good.jsonl: 0 plies, rules: the referee agrees with everything recorded\n"


@pytest.mark.parametrize(
    ("error", "code"), [(OSError(5, "Input/output error"), 2), (RuntimeError("oh"), 70)]
)
def test_neither_a_failing_disk_nor_a_bug_of_ours_stops_the_rest_of_a_list(error, code, capsys):
    worked = []

    def work(path):
        worked.append(path.name)
        if path.name == "a":
            raise error
        return 0

    assert each_file([Path("a"), Path("b")], work) == code
    assert worked == ["a", "b"]
    assert capsys.readouterr().err.startswith("shutoko: a: ")
