"""`shutoko rules`: the rule sets that are shipped, every option with its values, their meaning and their source."""

from __future__ import annotations

import argparse
from typing import Any

from shutoko.cli.common import Commands, add_json, emit

__all__ = ["add", "run"]


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "rules",
        help="show the rule sets and what each option means",
        description="Show the options of a rule set of Tokyo Highway: the value in force, all values, what they mean.",
    )
    parser.add_argument("ruleset", nargs="?", default="standard", help="a rule set (default: standard)")
    parser.add_argument("--changed", action="store_true", help="only the options that differ from the rule set standard")
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the options; raises InputError for a rule set that there is none of."""
    from sim.ruleset import OPTIONS, PRESETS, Ruleset

    ruleset = Ruleset.named(args.ruleset)
    differing = ruleset.differing("standard")
    shown = [option for option in OPTIONS.values() if not args.changed or option.name in differing]
    if args.json:
        emit({"ruleset": args.ruleset, "rulesets": PRESETS, "options": [_plain(o, getattr(ruleset, o.name)) for o in shown]})
        return 0
    print(f"rule set {args.ruleset} (there is: {', '.join(PRESETS)}); * marks what differs from standard")
    for option in shown:
        value = getattr(ruleset, option.name)
        print(f"\n{'*' if option.name in differing else ' '} {option.name} = {_text(value)}    [{option.source}]")
        if option.number is not None:
            print(f"    {option.meanings[0]}; default {_text(option.default)}")
        else:
            for known, meaning in zip(option.values, option.meanings, strict=True):
                print(f"    {_text(known)}: {meaning}")
    return 0


def _plain(option: Any, value: object) -> dict[str, object]:
    known = {"meaning": option.meanings[0], "default": option.default, "number": option.number}
    listed = {"values": [{"value": v, "meaning": m} for v, m in zip(option.values, option.meanings, strict=False)]}
    return {"name": option.name, "value": value, "source": option.source, **(known if option.number else listed)}


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
