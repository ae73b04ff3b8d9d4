"""What the commands share: the options `--json` and `--option`, output for machines, a progress bar for a person who waits."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator, Sized
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from platformdirs import user_data_path

from rules.errors import InputError

__all__ = ["Commands", "add_json", "add_option", "data_folder", "emit", "options_of", "progress"]

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001 - argparse has no public name for it
"""What `add` of a command module adds itself to."""

T = TypeVar("T")


def add_json(parser: argparse.ArgumentParser) -> None:
    """Give a command the option `--json`, which every command has; it is `args.json` then."""
    parser.add_argument("--json", action="store_true", help="print JSON for machines, one object a line")


def add_option(parser: argparse.ArgumentParser) -> None:
    """Give a command the repeatable option `--option NAME=VALUE` of its game; `options_of(args.option)` reads it."""
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game, as pie=true; repeatable"
    )


def options_of(given: Iterable[str]) -> dict[str, Any]:
    """The options in texts NAME=VALUE; a value is what a record would write (a number, true, false, null), else a text.

    Raises InputError for a text of another form, and for a name given twice.
    """
    found: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise InputError(f"--option {text}: write NAME=VALUE, like pie=true")
        if name in found:
            raise InputError(f"--option {text}: {name} is given twice")
        try:
            read = json.loads(value)
        except ValueError:
            read = value
        found[name] = value if isinstance(read, (dict, list)) else read
    return found


def data_folder() -> Path:
    """Where the user's own data belongs: on Linux `shutoko` in XDG_DATA_HOME or ~/.local/share."""
    return user_data_path("shutoko", appauthor=False)


def emit(payload: Any) -> None:
    """Print one JSON value on a line of its own, for machines; raises ValueError for NaN and infinities."""
    print(json.dumps(payload, ensure_ascii=False, allow_nan=False, separators=(",", ":")))


def progress(items: Iterable[T], label: str, total: int | None = None, *, patience: float = 2.0) -> Iterator[T]:
    """The items, with a bar on standard error once they take longer than `patience` seconds; nothing if that is no terminal.

    `total` is how many there will be, if `len(items)` cannot tell. The bar vanishes when the items end or the reader stops.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield from items
        return
    if total is None and isinstance(items, Sized):
        total = len(items)
    bar: Any = None
    begin = time.monotonic()
    try:
        for done, item in enumerate(items):
            if bar is None and time.monotonic() - begin > patience:
                bar = _bar(label, total, done)
            yield item
            if bar is not None:
                bar.advance(bar.task_ids[0])
    finally:
        if bar is not None:
            bar.stop()


def _bar(label: str, total: int | None, done: int) -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=sys.stdout is not None and sys.stdout.isatty(),  # lines for a file or a pipe stay where they belong
    )
    bar.add_task(label, total=total, completed=done)
    bar.start()
    return bar
