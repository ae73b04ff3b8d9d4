"""The frame of the command line: exit codes, one message, no traceback, nothing on standard output
that was not asked for; errors as programs read them.
"""

from __future__ import annotations

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
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

import shutoko.cli
from rules.errors import IllegalMoveError, InputError, NotationError, RecordError, UnavailableError
from shutoko import __version__
from shutoko.cli import COMMANDS, common, completion, export, parser, verify
from shutoko.cli.common.errors import KINDS
from shutoko.cli.common.records import ENGINES, PHYSICS, each_file
from sim.assets import asset
from sim.bots.playouts import playouts
from sim.physics.engines import NAMES
from tests.conftest import CHECKOUT

SCHEMA = json.loads(
    re.search(
        r"^```json\n(.*?)^```$",
        (CHECKOUT / "docs" / "commands.md").read_text(),
        re.DOTALL | re.MULTILINE,
    )[1]  # type: ignore[index]
)["properties"]["error"]
TYPES = {"string": str, "integer": int, "array": list}


@pytest.fixture
def stub(monkeypatch, run):
    """Runs a command that does as it is told: `does` takes its arguments."""
    monkeypatch.delenv("SHUTOKO_TRACEBACK", raising=False)

    def with_command(does, line="stub", *, code):
        stub = SimpleNamespace(run=common.command("stub")(does))
        monkeypatch.setattr(shutoko.cli, "COMMANDS", (stub,))
        return run(line, code=code)

    return with_command


def fits(found: dict[str, object]) -> bool:
    """Whether an object fits the documented schema, as far as the schema goes."""
    known = SCHEMA["properties"]
    right = all(
        value in known[key]["enum"]
        if "enum" in known[key]
        else type(value) is TYPES[known[key]["type"]]
        for key, value in found.items()
    )
    return right and set(SCHEMA["required"]) <= found.keys() <= known.keys()


@pytest.mark.parametrize("code", [0, 1])
def test_the_code_of_a_command_is_the_code_of_the_process(stub, code):
    stub(Mock(return_value=code), code=code)


ERRORS = [
    (InputError("no such thing"), "no such thing", {"kind": "input", "exit": 2}),
    (
        RecordError("unknown key 'x'", "game.jsonl", 14, 12),
        "game.jsonl:14: ply 12: unknown key 'x'",
        {"kind": "record", "exit": 2, "file": "game.jsonl", "line": 14, "ply": 12},
    ),
    (
        UnavailableError("not installed: pip install x"),
        "not installed: pip install x",
        {"kind": "unavailable", "exit": 2},
    ),
    (
        IllegalMoveError("d4", "start", "taken", ["taken", "far"]),
        "'d4' is illegal: taken; position: start",
        {"kind": "illegal-move", "exit": 1, "faults": ["taken", "far"]},
    ),
    (
        NotationError("d4", "start", "odd"),
        "'d4' is not a move (odd); position: start",
        {"kind": "notation"},
    ),
    (
        FileNotFoundError(2, "No such file or directory", "a.jsonl"),
        "a.jsonl: No such file or directory",
        {"kind": "system", "exit": 2, "file": "a.jsonl"},
    ),
    (OSError(28, "No space left on device"), "[Errno 28] No space left on device", {}),
    (KeyboardInterrupt(), "interrupted", {"kind": "interrupted", "exit": 130}),
    (
        ZeroDivisionError("half\nof it"),
        "this is a bug, please report it (ZeroDivisionError: half of it); SHUTOKO_TRACEBACK=1 in",
        {"kind": "bug", "exit": 70},
    ),
]


@pytest.mark.parametrize(("error", "message", "expected"), ERRORS, ids=type)
def test_an_error_is_one_line_its_exit_code_and_an_object_of_the_documented_schema(
    stub, error, message, expected
):
    code = expected.get("exit", 2)
    out, err = stub(Mock(side_effect=error), code=code)
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"shutoko: {message}")
    found = json.loads(stub(Mock(side_effect=error), "stub --json", code=code).out)["error"]
    assert fits(found)
    assert found.items() >= {**expected, "message": err[len("shutoko: ") : -1]}.items()


def test_the_documented_kinds_are_all_kinds():
    assert SCHEMA["properties"]["kind"]["enum"] == list(KINDS)


def test_a_bug_shows_its_traceback_when_asked(stub, monkeypatch):
    def fails(args):
        monkeypatch.setenv("SHUTOKO_TRACEBACK", "1")
        raise ZeroDivisionError

    assert "Traceback" in stub(fails, code=70).err


def test_a_warning_is_one_line_on_standard_error(stub):
    def warns(args):
        for _ in range(2):
            warnings.warn("line 7 dropped", stacklevel=1)
        return 0

    assert stub(warns, code=0) == ("", "shutoko: warning: line 7 dropped\n" * 2)


@pytest.mark.parametrize("words", ["fly", "doctor --fly"])
def test_unknown_commands_and_options_exit_with_2_and_are_objects_of_the_kind_usage(run, words):
    assert run(words, code=2).err.startswith("usage: shutoko")
    found = json.loads(run(f"{words} --json", code=2).out)["error"]
    assert (fits(found), found["kind"]) == (True, "usage")


def test_each_file_with_an_error_is_an_object_that_names_it(run):
    told = run("verify one.jsonl two.jsonl --json", code=2).out.splitlines()
    assert [json.loads(line)["error"]["file"] for line in told] == ["one.jsonl", "two.jsonl"]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda module: module.__name__.rpartition(".")[2])
def test_every_command_has_json_and_help(command, run):
    # a word of Python cannot name a module
    name = command.__name__.rpartition(".")[2].replace("importing", "import")
    assert "--json" in run(f"{name} --help").out


def test_the_first_names_of_options_still_work_and_the_help_does_not_show_them(run):
    args = parser().parse_args(
        ["risk", "a.jsonl", "--ply", "1", "--skill", "clumsy", "--processes", "3"]
    )
    assert (args.hand, args.workers) == ("clumsy", 3)
    shown = run("risk --help").out
    assert ["--hand" in shown, "--skill" in shown, "--processes" in shown] == [True, False, False]


@pytest.mark.parametrize("shell", completion.SHELLS)
def test_the_completion_of_each_shell_knows_the_commands(shell, run):
    out = run(f"completion {shell}").out
    assert "verify" in out
    assert "--components" in out or shell == "tcsh"  # shtab completes no options of commands there


def test_bash_completes_commands_and_options(run):
    Path("shutoko.sh").write_text(run("completion bash").out)
    asked = 'COMP_WORDS=(shutoko ver); COMP_CWORD=1; _shtab_shutoko; echo "${COMPREPLY[@]}"'
    done = subprocess.check_output(["bash", "-c", f"source shutoko.sh; {asked}"], text=True)  # noqa: S607
    assert done == "verify\n"


def test_help_imports_nothing_heavy():
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
    assert subprocess.check_output([sys.executable, "-c", code], text=True).endswith("[]\n")


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


def test_python_m_shutoko_is_the_command_and_text_that_the_terminal_cannot_write_no_error(shutoko):
    assert shutoko("--version").stdout == shutoko("-V").stdout == f"shutoko {__version__}\n"
    assert shutoko("rules", PYTHONIOENCODING="ascii").returncode == 0


def test_rules_shows_what_a_rule_set_changes(run):
    (option,) = json.loads(run("rules rainbow --changed --json").out)["options"]
    assert (option["name"], option["value"]) == ("crossing_memory", "history")
    assert "crossing_memory = history" in run("rules rainbow --changed").out


# --- engines and doctor ---------------------------------------------------------------------------


def test_doctor_finds_this_machine_fit_and_prints_only_json(run, tmp_path):
    out, err = run("doctor --json")
    report = json.loads(out)
    assert (report["ok"], err) == (True, ""), report
    found = {check["name"]: check for check in report["checks"]}
    assert (found["physics"]["ok"], found["writable"]["detail"]) == (True, str(tmp_path))


@pytest.mark.parametrize("command", ["risk FILE --ply 3", "verify FILE"])
def test_the_commands_offer_every_engine_and_those_that_simulate_no_none(command, run):
    assert ((*NAMES, "none"), NAMES) == (ENGINES, PHYSICS)
    for name in NAMES:
        assert parser().parse_args([*command.split(), "--engine", name]).engine == name
    assert "invalid choice: 'none'" in run(f"{command} --engine none", code=2).err


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("replay --engine none", "ply"),
        ("replay --recorded", "ply"),
        ("verify --mode rules", "agrees with everything recorded"),
    ],
)
def test_a_record_is_read_without_an_engine_where_none_is_asked_for(
    command, said, monkeypatch, run
):
    monkeypatch.setattr(INSTALLED, lambda name: False)
    assert said in run(command, asset("records", "scenarios", "V1.jsonl")).out


FAILS = Mock(side_effect=OSError("no room"))
INSTALLED = "sim.physics.engines._installed"
COMPILES = "rules.grid.search.players.compile_ahead"
MACHINES = {
    "without an engine": (
        {INSTALLED: lambda name: False},
        1,
        "FAILED  physics   no engine works|Games cannot be replayed with physics here.",
    ),
    "where something cannot be compiled": (
        {COMPILES: FAILS},
        1,
        "FAILED  compiled  no room|Games can be replayed with physics here.",
    ),
    "on Python 3.12": (
        {
            INSTALLED: lambda name: name == "mujoco",
            "sim.physics.engines._PYTHON": (3, 12),
            "shutoko.cli.doctor._probe": lambda name: 0.1,
            COMPILES: lambda name: None,
        },
        0,
        "PyBullet has no wheels for Python 3.12|engine mujoco by default",
    ),
    "where it may not write": (
        {"shutoko.cli.doctor.tempfile.TemporaryFile": FAILS, COMPILES: lambda name: None},
        0,
        "writable|no room|Games can be replayed with physics here.",
    ),
}


@pytest.mark.parametrize(("patches", "code", "said"), MACHINES.values(), ids=MACHINES)
def test_doctor_says_what_this_machine_lacks(monkeypatch, run, patches, code, said):
    for target, value in patches.items():
        monkeypatch.setattr(target, value)
    out = run("doctor --compile", code=code).out
    assert [text for text in said.split("|") if text not in out] == []


def test_doctor_compiles_all_games_and_says_how_long_it_took(run):
    report = json.loads(run("doctor --compile --json").out)
    told = [check["detail"] for check in report["checks"] if check["name"] == "compiled"]
    assert [re.sub(r"[0-9.]+ s;", "... s;", text) for text in told] == [
        "meridians in ... s; kept on this machine until the next version",
        "thruway in ... s; kept on this machine until the next version",
        "the playouts of the planner in ... s; kept on this machine until the next version",
    ]
    assert playouts.signatures  # the planner's first turn finds them compiled


# --- what commands share --------------------------------------------------------------------------


def terminal(monkeypatch, *, watched: bool = True) -> io.StringIO:
    """Makes the standard error a person's terminal if it is watched, and returns it."""
    made = io.StringIO()
    monkeypatch.setattr(made, "isatty", lambda: watched, raising=False)
    monkeypatch.setattr(sys, "stderr", made)
    monkeypatch.setenv("TERM", "xterm")
    return made


@pytest.mark.parametrize(
    ("watched", "how", "is_drawn"),
    [
        (True, {"patience": -1}, True),
        (False, {"patience": -1}, False),
        (True, {}, False),
        (True, {"quiet": True, "patience": -1}, False),
    ],
    ids=["a person who waits", "no terminal", "quick work", "programs"],
)
def test_progress_draws_a_bar_for_a_person_who_waits(monkeypatch, watched, how, is_drawn):
    errors = terminal(monkeypatch, watched=watched)
    assert list(common.progress(iter([1, 2, 3]), "plies", **how)) == [1, 2, 3]
    assert ("plies" in errors.getvalue()) is is_drawn


def test_progress_leaves_no_bar_behind_when_the_reader_stops(monkeypatch):
    errors = terminal(monkeypatch)
    items = common.progress(range(9), "plies", patience=-1)
    next(items)
    items.close()
    # the cursor that was hidden is shown again
    assert errors.getvalue().count("\x1b[?25l") == errors.getvalue().count("\x1b[?25h") > 0


def test_waiting_shows_what_takes_long_and_how_long_it_has_taken(monkeypatch):
    errors = terminal(monkeypatch)
    at_once = threading.Event()
    monkeypatch.setattr(
        common, "_clock", lambda label, made=common._clock: (made(label), at_once.set())[0]
    )
    with common.waiting("verifying a.jsonl", patience=0.0):
        assert at_once.wait(20)
    drawn = errors.getvalue()
    assert ("verifying a.jsonl" in drawn, "0:00:00" in drawn) == (True, True)
    assert drawn.count("\x1b[?25l") == drawn.count("\x1b[?25h")


@pytest.mark.parametrize("how", [{"quiet": True, "patience": 0.0}, {"patience": 60.0}])
def test_waiting_shows_nothing_to_programs_or_for_quick_work(monkeypatch, how):
    errors = terminal(monkeypatch)
    before = set(threading.enumerate())  # some may be other tests' and end meanwhile
    with common.waiting("verifying", **how):
        pass
    assert errors.getvalue() == ""
    assert set(threading.enumerate()) <= before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "outs", "label"),
    [
        ("verify --mode rules", [], "verifying two-cars.jsonl"),
        ("verify --fill --mode rules --out filled.jsonl", [], "judging two-cars.jsonl"),
        ("export", ["a.jsonl"], "making a.jsonl"),
    ],
)
def test_commands_that_take_long_say_so_to_people_only(monkeypatch, run, words, outs, label):
    said = []

    @contextmanager
    def noted(label, *, quiet):
        said.append((label, quiet))
        yield lambda done, total: None

    for module, name in ((verify, "waiting"), (verify, "counting"), (export, "counting")):
        monkeypatch.setattr(module, name, noted)
    for more in ([], ["--json"]):
        run(words, asset("records", "two-cars.jsonl"), *outs, *more)
    assert said == [(label, False), (label, True)]


def test_json_output_refuses_what_is_not_json(capsys):
    with pytest.raises(ValueError, match="not JSON compliant"):
        common.emit({"x": float("nan")})
    common.emit({"title": "首都高", "n": [1, 2]})
    assert capsys.readouterr().out == '{"title":"首都高","n":[1,2]}\n'


def test_a_bad_file_does_not_stop_the_rest_of_a_list(run):
    game = (
        '{"record":"shutoko","version":[1,0],"game":"tokyo-highway",'
        '"players":["north","south"]%s}\n'
    )
    Path("good.jsonl").write_text(game % "", encoding="utf-8")
    Path("bad.jsonl").write_text(game % ',"options":{"self":1}', encoding="utf-8")
    told = run("verify --mode rules missing.jsonl . bad.jsonl good.jsonl", code=2)
    assert len(told.err.splitlines()) == 3
    assert told.out == "good.jsonl: 0 plies, rules: the referee agrees with everything recorded\n"


@pytest.mark.parametrize(
    ("error", "code"), [(OSError(5, "Input/output error"), 2), (RuntimeError("oh"), 70)]
)
def test_neither_a_failing_disk_nor_a_bug_of_ours_stops_the_rest_of_a_list(error, code, capsys):
    work = Mock(side_effect=[error, 0])
    assert each_file([Path("a"), Path("b")], work) == code
    assert [call.args[0].name for call in work.call_args_list] == ["a", "b"]
    assert capsys.readouterr().err.startswith("shutoko: a: ")
