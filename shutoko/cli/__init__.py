"""The command `shutoko`: one module for each command, with `add(commands)` and `run(args) -> int`.

Exit codes: 0 success; 1 the answer is no (a mismatch, a divergence, an illegal move); 2 unusable input, explained in one
message on standard error; 70 a bug of ours; 130 interrupted. Results go to standard output, all else to standard error.

A command module imports at its top only what its options need, and everything else inside `run`: `shutoko --help` must answer
at once.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import warnings
from collections.abc import Sequence
from typing import TextIO

from rules.errors import IllegalMoveError, ShutokoError
from shutoko import __version__
from shutoko.cli import components, doctor, export, photo, play, replay, risk, serve, simulate, verify
from shutoko.cli import rules as rules_command
from shutoko.cli.common import Parser, bug_line
from shutoko.cli.research import gtp, perft, plot, rate, table

__all__ = ["COMMANDS", "main", "parser"]

COMMANDS = (
    play,
    serve,
    replay,
    photo,
    export,
    verify,
    rules_command,
    components,
    risk,
    simulate,
    rate,
    table,
    plot,
    gtp,
    perft,
    doctor,
)
"""The modules of the commands, in the order in which the help shows them."""

_NO, _UNUSABLE, _BUG, _INTERRUPTED, _PIPE_CLOSED = 1, 2, 70, 130, 141


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line. The parsed arguments have `run`, the function to call with them."""
    top = argparse.ArgumentParser(
        prog="shutoko",
        description="A physics-true table for Tokyo Highway with a referee that knows every rule; also Thruway, Meridians and "
        "any other installed game.",
        epilog="`shutoko COMMAND --help` explains a command. Exit codes: 0 success, 1 the answer is no, 2 unusable input.",
    )
    top.add_argument("-V", "--version", action="version", version=f"shutoko {__version__}")
    commands = top.add_subparsers(title="commands", dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    for command in COMMANDS:
        command.add(commands)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. `argv` is without the program's name; the default is that of the process.

    Raises SystemExit, as argparse does: 0 after `--help` and `--version`, 2 after wrong arguments.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a narrow encoding must not stop a command half-way
    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = _show_warning
        try:
            return _run(argv)
        except BrokenPipeError:
            return _hush()
        except KeyboardInterrupt:
            return _say("interrupted", _INTERRUPTED)
        except IllegalMoveError as error:
            return _say(str(error), _NO)
        except ShutokoError as error:
            return _say(str(error), _UNUSABLE)
        except OSError as error:
            return _say(f"{error.filename}: {error.strerror}" if error.filename else str(error), _UNUSABLE)
        except Exception as error:  # noqa: BLE001 - any other error is a bug of ours, reported in one line
            return _confess(error)


def _run(argv: Sequence[str] | None) -> int:
    try:
        args = parser().parse_args(argv)
        code: int = args.run(args)
        return code
    finally:
        if sys.stdout is not None:
            sys.stdout.flush()  # here, a closed pipe or a full disk can still be reported


def _say(message: str, code: int) -> int:
    print(f"shutoko: {message}", file=sys.stderr)
    return code


def _confess(error: Exception) -> int:
    if os.environ.get("SHUTOKO_TRACEBACK"):
        import traceback

        traceback.print_exception(error)
        return _BUG
    return _say(bug_line(error), _BUG)


def _hush() -> int:
    """The reader of our output has gone, as with `| head`: end silently, also when Python flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return _PIPE_CLOSED


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    del category, filename, lineno, line
    print(f"shutoko: warning: {message}", file=file or sys.stderr)
