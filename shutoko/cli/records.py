"""What the commands that read records share: naming the files, going on after one that is refused, the engine option."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from rules.errors import IllegalMoveError, ShutokoError

__all__ = ["ENGINES", "add_engine", "add_files", "each_file", "warn"]

ENGINES = ("bullet", "mujoco", "none")

_NO, _UNUSABLE = 1, 2


def add_files(parser: argparse.ArgumentParser) -> None:
    """Give a command its records; they are `args.files` then."""
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path, help="a record (.jsonl)")


def add_engine(parser: argparse._ActionsContainer, names: Iterable[str] = ENGINES) -> None:
    """Give a command the option `--engine`; it is None if it was left out."""
    text = "who says where pieces come to rest (default: the record's engine if it is installed, else the best that is)"
    parser.add_argument("--engine", choices=tuple(names), help=f"{text}; none trusts geometry" if "none" in names else text)


def each_file(files: Iterable[Path], work: Callable[[Path], int]) -> int:
    """Work on each file, going on after one that is refused; the worst exit code counts."""
    worst = 0
    for path in files:
        try:
            code = work(path)
        except IllegalMoveError as error:
            code = _told(error, _NO)
        except ShutokoError as error:
            code = _told(error, _UNUSABLE)
        worst = max(worst, code)
    return worst


def warn(messages: Iterable[str]) -> None:
    """Tell on standard error what reading had to overlook."""
    for message in messages:
        print(f"warning: {message}", file=sys.stderr)


def _told(error: ShutokoError, code: int) -> int:
    sys.stdout.flush()
    print(f"shutoko: {error}", file=sys.stderr)
    return code
