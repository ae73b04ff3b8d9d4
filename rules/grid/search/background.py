"""Compiles the searches of a grid game in a process of its own, while a person looks at the board
and thinks.

`start` starts that process, if the machine has not compiled the searches yet. Players made from
then on load their code when they are first asked for a move, and wait until it is compiled. The
process passes its code on through the cache on disk. If this program ends first, the process still
finishes, so that the next game finds the code in the cache.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import time
from typing import Literal

from rules.grid.base import GridGame
from rules.grid.kernels import jit
from rules.grid.search.adapters import searched

Stage = Literal["alphabeta", "mcts", "rules"]

STAGES: tuple[Stage, ...] = ("alphabeta", "mcts", "rules")
"""The stages of compiling, in the order in which a game needs them. A game compiles its rules
itself when it starts.
"""

COMMAND = (
    sys.executable,
    "-P",  # never a folder `rules` in the current directory
    "-c",
    "import sys; from rules.grid.search.players import compile_ahead; compile_ahead(sys.argv[1])",
)
"""The command that compiles all that a game needs, with the game's name behind it."""

_ABOUT = 15  # seconds of work for all stages of a game
_GLANCE = 0.05  # seconds between two looks
_PATIENCE = 0.5  # seconds of waiting before a line says why

_RUNNING: dict[str, subprocess.Popen[bytes]] = {}


def start(game: GridGame) -> None:
    """Starts compiling, and says so on standard error. Does nothing if all is compiled, or if
    compiled code is not kept.
    """
    name = game.name
    if name not in searched() or name in _RUNNING or not jit.is_kept() or is_compiled(name):
        return
    _say(f"compiling the search of {name} for this machine beside the game, about {_ABOUT} s, once")
    _RUNNING[name] = subprocess.Popen(  # noqa: S603 - this program
        [*COMMAND, name],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C at the terminal must not stop it
    )


def is_compiled(name: str) -> bool:
    """Whether this machine has compiled all that a game needs."""
    return all(jit.is_marked(name, stage) for stage in STAGES)


def is_running(name: str) -> bool:
    """Whether the searches of a game are being compiled."""
    return name in _RUNNING and _RUNNING[name].poll() is None


def wait(name: str, stage: Stage) -> None:
    """Waits until the background process has compiled that stage or has ended. What it did not
    compile, the caller compiles.
    """
    begin, is_told = time.monotonic(), False
    while is_running(name) and not jit.is_marked(name, stage):
        if not is_told and time.monotonic() - begin > _PATIENCE:
            _say(f"waiting for the search of {name} to be compiled; this happens once")
            is_told = True
        time.sleep(_GLANCE)


def _say(what: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(f"shutoko: {what} ...\n")


@atexit.register
def _let_go() -> None:
    """Lets the processes go on without Python's warning that they still run."""
    for process in _RUNNING.values():
        if process.poll() is None:
            process.returncode = 0
