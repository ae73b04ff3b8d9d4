"""Errors as programs read them, and what all commands have in common: docs/commands.md."""

from __future__ import annotations

import argparse
import json
import re
import subprocess
from pathlib import Path

import pytest

from rules.errors import IllegalMoveError, InputError, NotationError, RecordError, UnavailableError
from shutoko.cli import completion, main, parser
from shutoko.cli.common.errors import KINDS, speaking_json, tell
from tests.test_packaging import CHECKOUT

SCHEMA = json.loads(
    re.search(
        r"^```json\n(.*?)^```$",
        (CHECKOUT / "docs" / "commands.md").read_text(),
        re.DOTALL | re.MULTILINE,
    )[1]  # type: ignore[index]
)["properties"]["error"]
TYPES = {"string": str, "integer": int, "array": list}


def fits(found: object) -> bool:
    """Whether an object fits the schema, as far as the schema goes."""
    assert isinstance(found, dict)
    known = SCHEMA["properties"]
    right = all(
        value in known[key]["enum"]
        if "enum" in known[key]
        else type(value) is TYPES[known[key]["type"]]
        for key, value in found.items()
    )
    return right and set(SCHEMA["required"]) <= found.keys() <= known.keys()


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (
            RecordError("bad", "a.jsonl", 3, 2),
            {"kind": "record", "exit": 2, "file": "a.jsonl", "line": 3, "ply": 2},
        ),
        (
            IllegalMoveError("d4", "start", "taken", ["taken", "far"]),
            {"kind": "illegal-move", "exit": 1},
        ),
        (NotationError("d4", "start", "odd"), {"kind": "notation", "exit": 2}),
        (InputError("no"), {"kind": "input", "exit": 2}),
        (UnavailableError("no"), {"kind": "unavailable", "exit": 2}),
        (FileNotFoundError(2, "none", "a.jsonl"), {"kind": "system", "exit": 2, "file": "a.jsonl"}),
        (KeyboardInterrupt(), {"kind": "interrupted", "exit": 130}),
        (ZeroDivisionError("x"), {"kind": "bug", "exit": 70}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_error_is_an_object_that_fits_the_documented_schema(capsys, error, expected):
    with speaking_json(True):
        code = tell(error)
    out, err = capsys.readouterr()
    found = json.loads(out)["error"]
    assert fits(found)
    assert found.items() >= expected.items()
    assert code == found["exit"]
    assert err == f"shutoko: {found['message']}\n"


def test_the_documented_kinds_are_all_kinds():
    assert SCHEMA["properties"]["kind"]["enum"] == list(KINDS)


def test_each_file_with_an_error_is_an_object_that_names_it(capsys):
    assert main(["verify", "one.jsonl", "two.jsonl", "--json"]) == 2
    found = [json.loads(line)["error"]["file"] for line in capsys.readouterr().out.splitlines()]
    assert found == ["one.jsonl", "two.jsonl"]


def test_wrong_arguments_are_an_object_of_the_kind_usage(capsys):
    with pytest.raises(SystemExit) as end:
        main(["doctor", "--json", "--fly"])
    assert end.value.code == 2
    found = json.loads(capsys.readouterr().out)["error"]
    assert fits(found)
    assert found["kind"] == "usage"


def test_the_first_names_of_options_still_work_and_the_help_does_not_show_them():
    args = parser().parse_args(
        ["risk", "a.jsonl", "--ply", "1", "--skill", "clumsy", "--processes", "3"]
    )
    assert (args.hand, args.workers) == ("clumsy", 3)
    (commands,) = (
        action for action in parser()._actions if isinstance(action, argparse._SubParsersAction)
    )
    shown = commands.choices["risk"].format_help()
    assert "--hand" in shown
    assert "--workers" in shown
    assert "--skill" not in shown
    assert "--processes" not in shown


@pytest.mark.parametrize("shell", completion.SHELLS)
def test_the_completion_of_each_shell_knows_the_commands(shell, capsys):
    assert main(["completion", shell]) == 0
    out = capsys.readouterr().out
    assert "verify" in out
    assert "--components" in out or shell == "tcsh"  # shtab completes no options of commands there


def test_bash_completes_commands_and_options(tmp_path: Path, capsys):
    assert main(["completion", "bash"]) == 0
    script = tmp_path / "shutoko.sh"
    script.write_text(capsys.readouterr().out)
    asked = 'COMP_WORDS=(shutoko ver); COMP_CWORD=1; _shtab_shutoko; echo "${COMPREPLY[@]}"'
    done = subprocess.run(
        ["bash", "-c", f"source {script}; {asked}"],  # noqa: S607
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "verify\n"
