"""The parts of a benchmark, run by name: `python benchmarks/FILE.py PART [ARGUMENT ...]`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from inspect import getdoc
from pathlib import Path

Part = Callable[[], int | None]


def first_line(part: object) -> str:
    """The first sentence of what a part says of itself."""
    return " ".join((getdoc(part) or "").partition("\n\n")[0].split())


def run(parts: Mapping[str, Part]) -> int:
    """Runs the part that the command line names, which reads the arguments after its name. Returns
    its exit code: 2, after a list of the parts, if it names none.
    """
    file, *given = sys.argv
    if not given or given[0] not in parts:
        out = sys.stdout if given and given[0] in ("-h", "--help") else sys.stderr
        print(f"usage: python benchmarks/{Path(file).name} PART [ARGUMENT ...]\n", file=out)
        for name, part in parts.items():
            print(f"  {name:<13} {first_line(part)}", file=out)
        return 0 if out is sys.stdout else 2
    sys.argv = [f"{file} {given[0]}", *given[1:]]
    return parts[given[0]]() or 0
