"""Bad input as data: the .toml files beside this one hold it, each with the message that it must
give, and exit code 2.

Everything goes through the command line or the public function that reads it. What is typed in a
game does not end the game.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from rules.errors import InputError
from rules.grid import abstractplay
from shutoko.cli import main
from sim.referee.ruleset import OPTIONS

FOLDER = Path(__file__).resolve().parent
CHECKOUT = FOLDER.parents[1]
HEADER = '{"record":"shutoko","version":[1,0],"game":"tokyo-highway","players":["north","south"]}'
COMPONENTS = CHECKOUT / "assets/components/estimate-2018.toml"

Case = Mapping[str, Any]


def long(text: str) -> str:
    """The text with <<x*9>> written out."""
    return re.sub(
        r"<<(.+?)\*(\d+)>>", lambda found: found[1] * int(found[2]), text, flags=re.DOTALL
    )


def command(*words: str, typed: str = "") -> tuple[int, str, str]:
    """What a command gives: exit code, output, errors."""
    out, err, stdin = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.StringIO(typed)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(words)
    finally:
        sys.stdin = stdin
    return code, out.getvalue(), err.getvalue().rstrip("\n")


def run_record(case: Case) -> tuple[int, str]:
    usual = f"{HEADER[:-1]},{case['more']}}}" if "more" in case else HEADER
    lines = [case.get("header", usual), *([case["line"]] if "line" in case else [])]
    Path("g.jsonl").write_text("".join(f"{long(line)}\n" for line in lines), encoding="utf-8")
    code, _, err = command("verify", "--mode", "rules", "g.jsonl")
    return code, err


def run_components(case: Case) -> tuple[int, str]:
    usual = COMPONENTS.read_text(encoding="utf-8")
    text = case["text"] if "text" in case else usual.replace(case["old"], case["put"], 1)
    Path("box.toml").write_text(long(text), encoding="utf-8")
    return run_record({"more": '"components":"box.toml"'})


def run_commands(case: Case) -> tuple[int, str]:
    Path("FILE").write_text(f"{HEADER}\n", encoding="utf-8")
    for name in ("LOOP", "LOOP.html"):
        Path(name).symlink_to(name)
    os.mkfifo("PIPE")
    code, _, err = command(*map(long, case["words"]))
    return code, err


def run_abstractplay(case: Case) -> tuple[int, str]:
    with pytest.raises(InputError) as caught:
        abstractplay.loads(long(case["text"]))
    return 2, str(caught.value)


def run_moves(case: Case) -> tuple[int, str]:
    words = ["play", case["game"], "--players", "you:name=A,you:name=B", "--out", "new.jsonl"]
    words += ["--engine", "none"] if case["game"] == "tokyo-highway" else []
    code, out, err = command(*words, typed=f"{long(case['typed'])}\nquit\n")
    assert (code, err) == (0, ""), err
    return 2, next(line for line in out.splitlines() if "is not a move" in line or "cannot" in line)


RUN = {
    "plies": run_record,
    "headers": run_record,
    "components": run_components,
    "commands": run_commands,
    "abstractplay": run_abstractplay,
    "moves": run_moves,
}
"""What runs the cases of the file of each name."""


@pytest.fixture(autouse=True)
def components_are_read_afresh() -> Iterator[None]:
    from sim.pieces import _load

    _load.cache_clear()
    yield
    _load.cache_clear()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs here")
@pytest.mark.parametrize(
    ("kind", "case"),
    [
        pytest.param(
            kind,
            case,
            id=f"{kind}: {case['name']}",
            marks=[pytest.mark.slow] * ("<<" in case.get("line", "")),
        )
        for kind in RUN
        for case in tomllib.loads((FOLDER / f"{kind}.toml").read_text("utf-8"))["case"]
    ],
)
def test_bad_input_gives_one_short_line_with_its_place(
    kind: str, case: Case, tmp_path: Path
) -> None:
    """File, line and ply, the key, the option or the path; paths of the folder taken out."""
    with contextlib.chdir(tmp_path):
        says = case["says"].replace("<<options>>", ", ".join(OPTIONS))
        assert RUN[kind](case) == (2, says)
    assert len(says) < 1000
    assert not re.search("Traceback|bug", says)
