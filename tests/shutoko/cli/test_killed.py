"""Workers of a command that is killed end with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sim.assets import asset
from tests.browser import until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for the workers in /proc")

COMMANDS = {
    "simulate": (
        "tokyo-highway",
        "--players",
        "planner,greedy",
        "--games",
        "400",
        "--workers",
        "3",
        "--out",
        "{folder}/games",
    ),
    "risk": (
        str(asset("records", "two-cars.jsonl")),
        "--ply",
        "3",
        "--samples",
        "100000",
        "--workers",
        "3",
    ),
}


def marked(mark):
    """The processes that have this in their environment and still run."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            runs = (folder / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
            if runs and mark.encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def workers(mark):
    return [
        pid for pid in marked(mark) if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_is_killed_leaves_no_process(name, tmp_path):
    mark = f"SHUTOKO_MARK={tmp_path}/{name}"
    command = [
        sys.executable,
        "-m",
        "shutoko",
        name,
        *(part.format(folder=tmp_path) for part in COMMANDS[name]),
    ]
    key, _, value = mark.partition("=")
    try:
        with subprocess.Popen(
            command, stdout=subprocess.DEVNULL, env=os.environ | {key: value}
        ) as run:
            until(lambda: len(workers(mark)) == 3 or run.poll() is not None, "it works")
            time.sleep(1)  # they are at work
            assert run.poll() is None
            run.kill()
        until(lambda: not marked(mark), "none is left")
    finally:
        for pid in marked(mark):
            os.kill(pid, signal.SIGKILL)
