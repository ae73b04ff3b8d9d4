"""`shutoko components`: the shipped boxes of Tokyo Highway, and `components new`, which writes a
file to fill in for one's own box.
"""

import argparse
import math
from collections.abc import Iterator, Mapping
from pathlib import Path

from rules.errors import InputError
from shutoko.cli.common import answer, check_place, command, option

_USUAL = "estimate-2018"
"""The box whose values stand in a new file."""

_MEASURED: Mapping[str, str] = {
    "road.length": "from tip to tip",
    "road.width": "ten side by side, divided by ten",
    "road.thickness": "a stack of ten, divided by ten",
    "road.weight": "all roads of a player, divided by their number",
    "disc.diameter": "five in a row, divided by five",
    "disc.height": "a stack of ten, divided by ten",
    "disc.weight": "twenty or more, divided by their number",
    "car.length": "five in a row, divided by five; width and height likewise",
    "car.width": "",
    "car.height": "",
    "car.weight": "all cars, divided by their number",
    "friction.road-disc": "a road on a disc",
    "friction.car-road": "a car on a road",
    "friction.disc-disc": "a disc on a disc",
    "friction.disc-table": "a disc on the table",
}
"""What an owner measures, by the key of the file, and how."""

_ANGLES = range(10, 34, 3)  # degrees whose friction the file tells


@command(
    "new",
    [
        option(
            "file",
            metavar="FILE",
            type=Path,
            help="the file to write (.toml); it is never overwritten",
        )
    ],
    help="write a file to fill in",
    description="Write a file with the estimated sizes, weights and friction, and a comment at "
    "each that says what to measure. Put in what you measured; `shutoko doctor --components FILE` "
    "then says what is implausible.",
    epilog="docs/measure-your-box.md tells how to measure each of them.",
)
def _new(args: argparse.Namespace) -> int:
    """Write the file; raises InputError if it is there already or cannot be written."""
    from rules.files import os_reason
    from rules.record import disk

    path: Path = args.file
    if path.suffix != ".toml":
        raise InputError(f"{path}: a components file ends in .toml; give it that suffix")
    check_place(path)
    try:
        disk.put(path, "\n".join(_lines(path)).encode(), fresh=True)
    except FileExistsError:
        raise InputError(
            f"{path} exists already and is not overwritten; name another file"
        ) from None
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {os_reason(error)}") from error
    told = f"wrote {path}; put in what you measured, then play with --components {path}"
    answer(args, {"wrote": str(path)}, told)
    return 0


@command(
    "components",
    below=[_new],
    help="list the shipped boxes of Tokyo Highway, or write the file of your own",
    description="List the shipped boxes: sizes, weights and friction. `shutoko components new "
    "FILE` writes a file for --components in which you put those of your own box.",
)
def run(args: argparse.Namespace) -> int:
    """List what is shipped."""
    from sim.assets import names

    for name in names("components"):
        values = _values_of(name)
        told = ", ".join(f"{key} {value:g}" for key, value in values.items())
        answer(args, {"components": name, "values": values}, f"{name}: {told}")
    return 0


def _values_of(name: str) -> dict[str, float]:
    """What is measured of a box: mm, grams and coefficients of friction."""
    from sim.pieces import Components

    box = Components.named(name)
    found = {}
    for key in _MEASURED:
        table, _, own = key.partition(".")
        name = key.replace(".", "_").replace("weight", "mass")
        found[key] = box.pairs[own] if table == "friction" else float(getattr(box, name))
    return found


def _lines(path: Path) -> Iterator[str]:
    """The file: what is to be measured, then buildings and supplies of the usual box."""
    from sim.assets import asset

    usual = asset("components", f"{_USUAL}.toml").read_text(encoding="utf-8")
    slips = ", ".join(f"{at} {math.tan(math.radians(at)):.2f}" for at in _ANGLES)
    yield "# A box of the game. Every number is an estimate: put in what you measure."
    yield "# Lengths in mm, weights in grams of one piece."
    yield f'name = "{_plain(path.stem)}"'
    yield f'source = "measured; what was not is that of {_USUAL}"'
    above = ""
    for key, value in _values_of(_USUAL).items():
        table, _, own = key.partition(".")
        if table != above:
            above = table
            yield f"\n[{table}]"
            if table == "friction":
                yield "# The tangent of the angle (in degrees) at which the upper piece slips:"
                yield f"# {slips}."
        yield f"{own} = {value:.4g}{f'  # {_MEASURED[key]}' if _MEASURED[key] else ''}"
    yield "\n# Buildings and supplies are those of the shipped estimate."
    yield usual[usual.index("[building.") : usual.index("[friction]")].rstrip() + "\n"
    yield usual[usual.index("# What each player gets") :]


def _plain(name: str) -> str:
    """A name without what a TOML text cannot hold as it is."""
    return "".join(mark if mark.isprintable() and mark not in '"\\' else "-" for mark in name)[:80]
