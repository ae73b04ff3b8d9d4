"""Shared by the commands: the options `--json` and `--option`, output for programs, and progress
for people who wait.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TextIO, TypeAlias, TypeVar, cast

from platformdirs import user_data_path

from rules.errors import InputError
from rules.near import gone, meant
from shutoko.cli.common.errors import tell
from shutoko.plain import PlainStream, plain

__all__ = [
    "Command",
    "OPTION",
    "Option",
    "Options",
    "Parser",
    "SEED",
    "check_place",
    "command",
    "components",
    "counting",
    "data_folder",
    "emit",
    "is_watched",
    "option",
    "options_of",
    "progress",
    "answer",
    "same_file",
    "waiting",
    "with_suffix",
]

Option: TypeAlias = tuple[tuple[str, ...], dict[str, Any]]
Options: TypeAlias = "Option | list[Options] | dict[str, list[Options]]"
"""An option, a list of options that exclude each other, or lists under the titles that the help
shows.
"""

T = TypeVar("T")

_QUOTED = 60  # characters of an option that a message quotes at most


class Parser(argparse.ArgumentParser):
    """A parser of a command. Options are written out in full; with `any_order` files may stand on
    both sides of them.
    """

    any_order = False
    _between = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"allow_abbrev": False, **kwargs})

    def error(self, message: str) -> NoReturn:
        """Shows the usage, reports the error and exits with 2."""
        self.print_usage(sys.stderr)
        told = message if message.endswith("?") else f"{message};"
        raise SystemExit(tell(f"{told} `{self.prog} --help` explains", kind="usage"))

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As argparse does it; with `any_order` files may also stand on both sides of an option,
        which argparse refuses.

        A command refuses an option that it does not know by itself, with its own usage.
        """
        if self._between:
            return super().parse_known_args(args, namespace)
        self._between = self.any_order  # parse_known_intermixed_args calls this method again, twice
        try:
            way = self.parse_known_intermixed_args if self.any_order else super().parse_known_args
            found, rest = way(args, namespace)
        finally:
            self._between = False
        if rest and " " in self.prog:
            known = [text for action in self._actions for text in action.option_strings]
            wrong = next((word for word in rest if word.startswith("-")), "").partition("=")[0]
            command = self.prog.partition(" ")[2]
            near = gone("option", f"{command} {wrong}") or (meant(wrong, known) if wrong else "")
            self.error(f"unrecognized arguments: {' '.join(rest)}{near}")
        return found, rest

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """As argparse does it, with what may have been meant, or what serves instead."""
        if action.choices is not None and value not in action.choices:
            known = [str(choice) for choice in action.choices]
            near = gone(action.dest, str(value)) or meant(str(value), known)
            if action.dest == "command" and Path(str(value)).is_file():
                near = f"; to play a record again: shutoko replay {value}"
            raise argparse.ArgumentError(
                action, f"invalid choice: {value!r} (choose from {', '.join(known)}){near}"
            )


def option(*names: str, **how: Any) -> Option:
    """An option or an argument of a command, with what `argparse` has to know of it."""
    return names, how


def components(more: str = "") -> Option:
    """The option `--components NAME|FILE`: the pieces of Tokyo Highway."""
    text = "the pieces of Tokyo Highway: a shipped box, or the .toml file of your own"
    return option("--components", metavar="NAME|FILE", help=text + more)


JSON = option("--json", action="store_true", help="print JSON for programs, one object per line")
"""The option that every command has."""

OPTION = option(
    "--option",
    action="append",
    default=[],
    metavar="NAME=VALUE",
    help="an option of the game, such as pie=true; repeatable",
)
"""Options of the game: `options_of(args.option)` reads them."""

SEED = option(
    "--seed", type=int, default=0, metavar="N", help="the seed of all chance (default: 0)"
)


Run: TypeAlias = Callable[[argparse.Namespace], int]


class Command(NamedTuple):
    """A command of the command line; called, it runs with the parsed arguments. `texts` are `help`,
    `description` and `epilog`; see `Parser` for `any_order`. `below` are commands of its own.
    """

    run: Run
    name: str
    options: Sequence[Options]
    any_order: bool
    texts: Mapping[str, Any]
    below: Sequence[Command]

    def __call__(self, args: argparse.Namespace) -> int:
        """Runs it; returns the exit code."""
        return self.run(args)

    def add(self, commands: argparse._SubParsersAction[Parser]) -> None:
        """Adds it to a list of commands, with its options, `--json` among them."""
        parser = commands.add_parser(self.name, **self.texts)
        parser.any_order = self.any_order
        _add(parser, [*self.options, JSON])
        parser.set_defaults(run=self.run)
        if self.below:
            below = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser)
            for command in self.below:
                command.add(below)


def command(
    name: str,
    options: Sequence[Options] = (),
    *,
    any_order: bool = False,
    below: Sequence[Command] = (),
    **texts: Any,
) -> Callable[[Run], Command]:
    """Makes a function the command of that name: see `Command`."""
    return lambda run: Command(run, name, options, any_order, texts, below)


def _add(where: argparse._ActionsContainer, options: Iterable[Options]) -> None:
    for one in options:
        if isinstance(one, list):
            _add(where.add_mutually_exclusive_group(), one)
        elif isinstance(one, dict):
            for title, inner in one.items():
                _add(where.add_argument_group(title), inner)
        else:
            names, how = one
            where.add_argument(*names, **how)


def options_of(given: Iterable[str]) -> dict[str, Any]:
    """Reads options written as NAME=VALUE. A value is a number, true, false or null, as in a
    record; anything else is text.

    Raises InputError for an option without `=`, and for a name given twice.
    """
    found: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise InputError(f"--option {text[:_QUOTED]}: write NAME=VALUE, such as pie=true")
        if name in found:
            raise InputError(
                f"--option {text[:_QUOTED]}: {name[:_QUOTED]} is given twice; give it once"
            )
        try:
            read = json.loads(value)
        except (ValueError, RecursionError):
            read = value
        found[name] = value if isinstance(read, (dict, list)) else read
    return found


def same_file(one: Path, other: Path) -> bool:
    """Whether two paths lead to the same place, even if nothing is there. `Path.resolve` would
    raise for a loop of links.
    """
    return os.path.realpath(one) == os.path.realpath(other)


def with_suffix(path: Path, suffix: str) -> Path:
    """The path with another suffix. Raises InputError for a path without a name, such as `/`."""
    try:
        return path.with_suffix(suffix)
    except ValueError:
        raise InputError(
            f"{path}: no file has this name; give the path of a record (.jsonl)"
        ) from None


def check_place(path: Path, suffixes: Collection[str] = ()) -> None:
    """Refuses a file that cannot be written, before the work begins.

    Raises InputError for another suffix than these, and for a folder that does not exist.
    """
    if suffixes and path.suffix.lower() not in suffixes:
        raise InputError(f"{path}: unknown suffix; choose from {', '.join(suffixes)}")
    if not path.parent.is_dir():
        raise InputError(
            f"{path}: the folder {path.parent} does not exist; make it, or name another file"
        )


def data_folder() -> Path:
    """The folder for the user's data: on Linux `shutoko` in XDG_DATA_HOME or ~/.local/share."""
    return user_data_path("shutoko", appauthor=False)


def answer(args: argparse.Namespace, payload: Any, *told: str) -> None:
    """Prints a result: as one JSON value with `--json`, else in lines of words."""
    if args.json:
        emit(payload)
    else:
        print(*told, sep="\n")


def emit(payload: Any) -> None:
    """Print one JSON value on one line, for programs; raises ValueError for NaN and infinities."""
    print(json.dumps(payload, ensure_ascii=False, allow_nan=False, separators=(",", ":")))


def progress(
    items: Iterable[T],
    label: str,
    total: int | None = None,
    *,
    quiet: bool = False,
    patience: float = 2.0,
) -> Iterator[T]:
    """Yields the items, and shows a bar on standard error once they have taken `patience` seconds.

    `total` is the number of items, needed if `items` has no length. There is no bar if standard
    error is no terminal, or if `quiet`. The bar disappears when the items end or the reader stops.
    """
    if total is None and isinstance(items, Sized):
        total = len(items)
    with counting(label, quiet=quiet, patience=patience) as show:
        for done, item in enumerate(items):
            show(done, total)
            yield item


@contextmanager
def counting(
    label: str, *, quiet: bool = False, patience: float = 2.0
) -> Iterator[Callable[[int, int | None], None]]:
    """Yields a function to call with (done, total); see `progress` for the bar that it shows."""
    begin, bars = time.monotonic(), list[Any]()

    def show(done: int, total: int | None) -> None:
        if bars:
            bars[0].update(bars[0].task_ids[0], completed=done, total=total)
        elif is_watched() and not quiet and time.monotonic() - begin > patience:
            bars.append(_bar(label, total, done))

    try:
        yield show
    finally:
        for bar in bars:
            bar.stop()


@contextmanager
def waiting(label: str, *, quiet: bool = False, patience: float = 2.0) -> Iterator[None]:
    """Shows a label and the time on standard error once the block has taken `patience` seconds; for
    work of unknown length.

    Shows nothing if standard error is no terminal, or if `quiet`.
    """
    if quiet or not is_watched():
        yield
        return
    shown: list[Any] = []
    timer = threading.Timer(patience, lambda: shown.append(_clock(label)))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        for clock in shown:
            clock.stop()


def is_watched() -> bool:
    """Whether a person can see progress: standard error is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


def _bar(label: str, total: int | None, done: int) -> Any:
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    return _started(columns, label, total=total, completed=done)


def _clock(label: str) -> Any:
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    return _started(
        (SpinnerColumn("line"), TextColumn("{task.description}"), TimeElapsedColumn()),
        label,
        total=None,
    )


def _started(columns: Iterable[Any], label: str, **task: Any) -> Any:
    from rich.console import Console
    from rich.progress import Progress

    before = sys.stdout
    shown = Progress(
        *columns,
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=sys.stdout is not None
        and sys.stdout.isatty(),  # else lines for a file or a pipe would go astray
    )
    shown.add_task(plain(label), **task)
    shown.start()
    if sys.stdout is not before:  # what is printed meanwhile goes through Rich, which would obey it
        sys.stdout = cast(TextIO, PlainStream(sys.stdout))
    return shown
