"""The command `shutoko`: one module for each command, whose `run(args) -> int` is the `command`.

Exit codes: 0 success; 1 the answer is no (a mismatch, a divergence, an illegal move); 2 unusable
input, explained in one message on standard error; 70 a bug of ours; 130 interrupted. Results go to
standard output, all else to standard error; with `--json` errors go to standard output, too, as
objects (`shutoko.cli.common.errors`).

A command module imports at its top only what its options need, and everything else inside `run`:
`shutoko --help` must answer at once.
"""

import argparse
import io
import os
import sys
import warnings
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, NoReturn, TextIO

from rules.errors import ShutokoError
from rules.files import reading_standard_input
from shutoko import __version__
from shutoko.cli import (
    analyse,
    completion,
    components,
    doctor,
    export,
    importing,
    photo,
    play,
    record,
    replay,
    rules as rules_command,
    serve,
    simulate,
    verify,
)
from shutoko.cli.common import Parser, emit
from shutoko.cli.common.errors import BUG, asked_for_json, speaking_json, tell
from shutoko.cli.research import gtp, learn, perft, plot, rate, risk, table
from shutoko.plain import plain_streams

__all__ = ["COMMANDS", "main", "parser"]

COMMANDS = (
    play,
    record,
    serve,
    replay,
    photo,
    export,
    importing,
    verify,
    analyse,
    rules_command,
    components,
    risk,
    simulate,
    rate,
    table,
    plot,
    learn,
    gtp,
    perft,
    doctor,
    completion,
)
"""The modules of the commands, in the order in which the help shows them."""

_PIPE_CLOSED = 141


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line. The parsed arguments have `run`, the function to call
    with them.
    """
    top = Parser(
        prog="shutoko",
        description="A physics-true table for Tokyo Highway with a referee that knows every rule; "
        "also Thruway, Meridians and "
        "any other installed game.",
        epilog=(
            "`shutoko COMMAND --help` explains a command. Exit codes: 0 success, 1 the answer "
            "is no, 2 unusable input."
        ),
    )
    top.add_argument(
        "-V",
        "--version",
        action=_Version,
        nargs=0,
        help="the version; with --json all that is installed",
    )
    commands = top.add_subparsers(
        title="commands", dest="command", metavar="COMMAND", required=True, parser_class=Parser
    )
    for command in COMMANDS:
        command.run.add(commands)
    return top


class _Version(argparse.Action):
    """Prints the version and ends; for programs also that of Python, of every package that is
    needed, and what is there.
    """

    def __call__(self, *given: Any, **named: Any) -> NoReturn:
        del given, named
        if asked_for_json():
            from shutoko.cli.doctor import installed

            emit(installed())
        else:
            print(f"shutoko {__version__}")
        raise SystemExit(0)


def _greet() -> int:
    """Five things to try, for somebody who typed the command alone."""
    from sim.assets import asset

    record, marks = (
        _short(asset("records", "two-cars.jsonl")),
        _short(asset("photos", "table.json")),
    )
    things = (
        ("shutoko play thruway", "a game against the computer, here in the terminal"),
        ("shutoko serve", "every game in the browser, alone or with friends"),
        (f"shutoko replay {record}", "a recorded game, each ply explained by the referee"),
        (
            f"shutoko photo {marks}",
            "what crosses what on a photo of a real table, and how sure that is",
        ),
        ("shutoko rules", "every rule option of Tokyo Highway, and where it comes from"),
    )
    print(f"Shutoko {__version__}: five things to try\n")
    for command, what in things:
        print(f"  {command}\n      {what}")
    print("\n`shutoko --help` lists all commands, `shutoko COMMAND --help` explains one.")
    return 0


def _short(path: Path) -> Path:
    """The path from here, if it lies below this folder."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. `argv` is without the program's name; the default
    is that of the process.

    Raises SystemExit, as argparse does: 0 after `--help` and `--version`, 2 after wrong arguments.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        # a narrow encoding must not stop a command half-way
        sys.stdout.reconfigure(errors="backslashreplace")
    words = sys.argv[1:] if argv is None else argv
    if not words:
        return _greet()
    with (
        warnings.catch_warnings(),
        speaking_json("--json" in words),
        plain_streams(),
        _with_standard_input(),
    ):
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = _show_warning
        try:
            return _run(argv)
        except BrokenPipeError:
            return _hush()
        except KeyboardInterrupt as error:
            return tell(error)
        except Exception as error:  # noqa: BLE001 - what is no error of ours or of the system is a bug, reported in one line
            if os.environ.get("SHUTOKO_TRACEBACK") and not isinstance(
                error, (ShutokoError, OSError)
            ):
                return _confess(error)
            return tell(error)


def _run(argv: Sequence[str] | None) -> int:
    try:
        args = parser().parse_args(argv)
        code: int = args.run(args)
        return code
    finally:
        if sys.stdout is not None:
            sys.stdout.flush()  # here, a closed pipe or a full disk can still be reported


def _with_standard_input() -> AbstractContextManager[None]:
    """A file `-` is the standard input, for every command that reads records or marks."""
    stream = getattr(sys.stdin, "buffer", None)
    return nullcontext() if stream is None else reading_standard_input(stream)


def _confess(error: Exception) -> int:
    import traceback

    traceback.print_exception(error)
    return BUG


def _hush() -> int:
    """The reader of our output has gone, as with `| head`: end silently, also when Python flushes
    at exit.
    """
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
