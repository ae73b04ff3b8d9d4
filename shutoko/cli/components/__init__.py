"""`shutoko components`: the shipped boxes of Tokyo Highway, and `components new`, which makes the
file of one's own box.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path

from rules.errors import InputError
from shutoko.cli.common import Commands, add_json, emit
from shutoko.cli.components.asking import QUESTIONS, USUAL, Asking, degrees, values_of

__all__ = ["add", "run"]


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "components",
        help="list the shipped boxes of Tokyo Highway, or write the file of your own",
        description="List the shipped boxes: sizes, weights and friction. `shutoko components new "
        "FILE` asks for those of your "
        "own box and writes a file for --components.",
    )
    add_json(parser)
    parser.set_defaults(run=run)
    more = parser.add_subparsers(title="commands", metavar="COMMAND")
    new = more.add_parser(
        "new",
        help="ask for sizes, weights and angles, and write a file",
        description="Ask for the sizes, weights and slip angles of your box, and write them to a "
        "file. An answer may be a "
        "division: 17/15 where 15 roads weigh 17 g. Enter takes the estimate in brackets, `back` "
        "asks the last question again. "
        "Answers may come from a file, one a line: shutoko components new my-box.toml < "
        "answers.txt",
        epilog="docs/measure-your-box.md tells how to measure each of them.",
    )
    new.add_argument(
        "file", metavar="FILE", type=Path, help="the file to write (.toml); it is never overwritten"
    )
    new.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=ANSWER",
        help=(
            "answer a question here, such as road.weight=17/15 or friction.car-road=19; repeatable"
        ),
    )
    new.add_argument(
        "--estimates",
        action="store_true",
        help="ask nothing: take the estimates for what is not set",
    )
    add_json(new)
    new.set_defaults(run=_new)


def run(args: argparse.Namespace) -> int:
    """List what is shipped."""
    from sim.assets import names

    for name in names("components"):
        values = values_of(name)
        if args.json:
            emit({"components": name, "values": values})
        else:
            told = ", ".join(f"{key} {value:g}" for key, value in values.items())
            print(f"{name}: {told}")
    return 0


def _new(args: argparse.Namespace) -> int:
    """Ask, and write the file; raises InputError for an answer that makes no sense, and a file that
    is there already.
    """
    path: Path = args.file
    if path.suffix != ".toml":
        raise InputError(f"{path}: a components file ends in .toml; give it that suffix")
    if path.exists():
        raise InputError(f"{path} exists already and is not overwritten; name another file")
    if not path.parent.is_dir():
        raise InputError(
            f"{path}: the folder {path.parent} does not exist; make it, or name another file"
        )
    given = _given(args.set)
    asking = Asking(given, estimates=args.estimates, quiet=args.json)
    values = asking.all()
    _write(path, values)
    from sim.plausible import examine

    found = examine(str(path))
    if args.json:
        emit({"wrote": str(path), "values": values, "findings": [str(one) for one in found]})
        return 0
    for one in found:
        print(f"implausible: {one}")
    print(f"wrote {path}; play with it by --components {path}")
    return 0


def _given(options: list[str]) -> dict[str, str]:
    given: dict[str, str] = {}
    known = [question.key for question in QUESTIONS]
    for option in options:
        key, equals, answer = option.partition("=")
        if not equals or key not in known:
            raise InputError(
                f"--set {option[:60]}: write KEY=ANSWER; the keys are {', '.join(known)}"
            )
        given[key] = answer
    return given


def _write(path: Path, values: Mapping[str, float]) -> None:
    from rules.files import os_reason
    from rules.record import disk

    try:
        disk.put(path, "".join(_lines(path, values)).encode(), fresh=True)
    except FileExistsError:
        raise InputError(
            f"{path} exists already and is not overwritten; name another file"
        ) from None
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {os_reason(error)}") from error


def _lines(path: Path, values: Mapping[str, float]) -> Iterator[str]:
    """The file: what was measured, then buildings and supplies of the usual box."""
    from sim.assets import asset

    usual = asset("components", f"{USUAL}.toml").read_text(encoding="utf-8")
    yield (
        "# A box of the game, measured by its owner. Lengths in mm, weights in grams, friction "
        "as tan(slip angle).\n"
    )
    yield f'name = "{_plain(path.stem)}"\nsource = "measured"\n'
    table = ""
    for question in QUESTIONS:
        own, key = question.key.split(".")
        if own != table:
            table = own
            yield f"\n[{table}]\n"
        value = values[question.key]
        yield f"{key} = {value}" + (
            f"  # slips at {degrees(value):.1f} degrees\n" if question.angle else "\n"
        )
    yield "\n# Buildings and supplies are those of the shipped estimate: put in your own.\n"
    yield usual[usual.index("[building.") : usual.index("[friction]")]
    yield usual[usual.index("# What each player gets") :]


def _plain(name: str) -> str:
    """A name without what a TOML text cannot hold as it is."""
    return "".join(mark if mark.isprintable() and mark not in '"\\' else "-" for mark in name)[:80]
