"""What the benchmarks share: how their parts are named, and the form in which they print figures.

    python benchmarks/FILE.py [PART] [ARGUMENT ...]

A part is a function: its parameters are what the command line takes, its docstring is the help.
Without a name the first part runs. All figures are tables of Markdown on standard output, below a
heading that names the command, so that the outputs of many runs make one page. Whatever else there
is to say goes to standard error.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable
from inspect import Parameter, getdoc, signature
from pathlib import Path
from typing import Any, NoReturn, get_args, get_origin, get_type_hints

from rules.arena.rating import wilson
from rules.errors import ShutokoError

Part = Callable[..., int | None]


def run(*parts: Part) -> NoReturn:
    """Runs the part that the command line names, and ends with the exit code that it returns: 1 if
    something does not hold. Wrong arguments end with 2.
    """
    named = {part.__name__.strip("_").replace("_", "-"): part for part in parts}
    file, *given = sys.argv
    command = f"python benchmarks/{Path(file).name}"
    name = next(iter(named)) if not given or given[0].startswith("--") else given.pop(0)
    if name not in named or given == ["--help"] == sys.argv[1:]:
        out = sys.stdout if {name, *given} & {"-h", "--help"} else sys.stderr
        print(f"usage: {command} [PART] [ARGUMENT ...]; the parts, of which one is run:", file=out)
        for known, part in named.items():
            told = " ".join((getdoc(part) or "").partition("\n\n")[0].split())
            print(f"  {known:<13} {told}", file=out)
        sys.exit(0 if out is sys.stdout else 2)
    parser = _parser(named[name], f"{command} {name}")
    values = vars(parser.parse_intermixed_args(given))
    print(f"\n## `{command} {shlex.join(sys.argv[1:])}`\n".replace(" `\n", "`\n"), flush=True)
    try:
        sys.exit(named[name](*values.pop("*", ()), **values) or 0)
    except ShutokoError as error:
        parser.exit(2, f"{error}\n")


def _parser(part: Part, command: str) -> argparse.ArgumentParser:
    """Reads the arguments of a part: keyword-only parameters are options, the others come without a
    name.
    """
    parser = argparse.ArgumentParser(
        prog=command,
        description=getdoc(part),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        argument_default=argparse.SUPPRESS,
    )
    hints = get_type_hints(part)
    for name, one in signature(part).parameters.items():
        within = [kind for kind in get_args(hints[name]) if isinstance(kind, type)]
        how: dict[str, Any] = {"type": within[0] if within else hints[name]}
        if one.default not in (Parameter.empty, None, (), False):
            how["help"] = f"default: {one.default}"
        if hints[name] is bool:
            how = {"action": "store_true"}
        elif get_origin(hints[name]) is tuple:
            how |= {"nargs": "+", "action": "extend"}
        if one.kind is Parameter.KEYWORD_ONLY:
            parser.add_argument(f"--{name.replace('_', '-')}", **how)
        elif one.kind is Parameter.VAR_POSITIONAL:
            parser.add_argument("*", metavar=name.upper(), nargs="*", default=(), **how)
        else:
            if one.default is not Parameter.empty:
                how["nargs"] = "?"
            parser.add_argument(name, **how)
    return parser


def table(*heads: str) -> Callable[..., None]:
    """Prints the head of a table. Returns the function that prints a row; it rounds figures to four
    digits.
    """

    def row(*cells: object) -> None:
        told = (f"{one:.4g}" if isinstance(one, float) else str(one) for one in cells)
        print(f"| {' | '.join(told)} |", flush=True)

    row(*heads)
    print("|---" * len(heads) + "|")
    return row


def note(text: str) -> None:
    """Tells what is no figure: how far a run is, or where something differs."""
    print(text, file=sys.stderr, flush=True)


def share(won: float, of: int) -> str:
    """A share with its 95 % interval, as `31 of 40 (78 %, 62 to 88)`."""
    found = wilson(won, of)
    low, high = 100 * found.low, 100 * found.high
    return f"{won:g} of {of} ({100 * found.value:.0f} %, {low:.0f} to {high:.0f})"


def resident(process: int | str = "self") -> float:
    """The memory of a process in MiB (Linux)."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024
