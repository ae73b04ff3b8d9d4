"""Shared by the commands that read records: their files, the option `--engine`, and going on after
a file with an error.
"""

from __future__ import annotations

import argparse
import inspect
import os
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rules.errors import InputError, ShutokoError, UnavailableError
from rules.files import STANDARD_INPUT, os_reason, read_regular
from rules.game import factory_of, known_games
from shutoko.cli.common import OPTION, Option, components, option, options_of
from shutoko.cli.common.errors import bug_line, tell
from shutoko.plain import plain_line
from shutoko.scenes import told_with_scene

if TYPE_CHECKING:
    from rules.record import Record

ENGINES = ("bullet", "mujoco", "none")
"""What `--engine` takes: `sim.physics.engines.NAMES`, which would be slow to import, and `none`."""

PHYSICS = tuple(name for name in ENGINES if name != "none")
"""The engines that simulate: for commands that need physics."""

STANDARD = Path(STANDARD_INPUT)
"""Stands for standard input or output."""


FILES = option(
    "files",
    nargs="+",
    metavar="FILE",
    type=Path,
    help="a record (.jsonl); - is the standard input",
)
"""The records that a command reads."""


def engine(names: Sequence[str] = ENGINES) -> Option:
    """The option `--engine`: None if it is left out."""
    text = (
        "the physics engine (default: that of the record if it is installed, else the best that is)"
    )
    more = "; none: pieces never fall" if "none" in names else ""
    return option("--engine", choices=names, help=text + more)


SETTINGS = (
    option(
        "--seats", type=int, metavar="N", help="the number of seats, if the game leaves a choice"
    ),
    option(
        "--size", type=int, metavar="N", help="the size of the board, if the game leaves a choice"
    ),
    option("--ruleset", metavar="NAME", help="the rule set, if the game has several"),
    option(
        "--engine",
        choices=ENGINES,
        help="the physics engine, if the game has one; none: pieces never fall",
    ),
    components(),
    OPTION,
)
"""What a new game may be set up with: seats, size, rule set, engine, box and options."""

_FLAGS = {
    "players": "seats",
    "size": "size",
    "ruleset": "ruleset",
    "engine": "engine",
    "components": "components",
}
"""The options of the command line in SETTINGS, by the option of the game they set."""


def settings_of(args: argparse.Namespace, name: str) -> dict[str, Any]:
    """What the game of that name is to be set up with, read from the options SETTINGS.

    Raises InputError for an option that the game does not have, in the word that was typed, and
    for an unknown game.
    """
    taken = _takes(name)
    chosen = {key: getattr(args, flag) for key, flag in _FLAGS.items()}
    chosen = {key: value for key, value in chosen.items() if value is not None}
    for key in chosen:
        if key not in taken:
            others = [game for game in _loadable() if key in _takes(game)]
            raise InputError(
                f"--{_FLAGS[key]} {chosen[key]}: this option is for "
                f"{' and '.join(others) or 'no game'}, not for {name}; leave it out"
            )
    return chosen | options_of(args.option)


def _takes(name: str) -> Collection[str]:
    """The options of the command line that a game takes, by the names the game gives them."""
    return inspect.signature(factory_of(name)).parameters


def _loadable() -> list[str]:
    found = []
    for name in known_games():
        with suppress(UnavailableError):
            factory_of(name)
            found.append(name)
    return found


def each_file(files: Iterable[Path], work: Callable[[Path], int]) -> int:
    """Work on each file, also after one with an error; returns the worst exit code."""
    worst = 0
    for path in files:
        try:
            code = work(path)
        except UnavailableError as error:
            code = tell(error, file=path)
        except ShutokoError as error:
            code = tell(error, message=told_with_scene(error, path), file=path)
        except BrokenPipeError:
            raise
        except OSError as error:
            code = tell(
                error, message=f"{error.filename or path}: {error.strerror or error}", file=path
            )
        except Exception as error:  # the files after this one are worked on all the same
            if os.environ.get("SHUTOKO_TRACEBACK"):
                raise
            code = tell(
                error,
                message=None
                if isinstance(error, ModuleNotFoundError)
                else f"{path}: {bug_line(error)}",
                file=path,
            )
        worst = max(worst, code)
    return worst


def read_record(path: Path, box: str | None = None) -> Record:
    """The record of a file, with the box of the option `--components`; prints its warnings.

    Raises what reading it raises, and InputError for a box that does not go with it.
    """
    from rules.record import read
    from shutoko.own_box import with_box

    record = with_box(read(path), box)
    warn(record.warnings)
    return record


def given_bytes(path: Path, most: int) -> bytes:
    """The bytes of a file that somebody names, or of standard input for `-`; at most so many.

    Raises InputError.
    """
    try:
        return read_regular(path, most)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {os_reason(error)}") from error


def warn(messages: Iterable[str]) -> None:
    """Print warnings on standard error."""
    for message in messages:
        print(f"warning: {plain_line(message)}", file=sys.stderr)
