"""`shutoko rules`: the rule sets of Tokyo Highway, and every option with its values, meanings and
source.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from shutoko.cli.common import command, emit, option

if TYPE_CHECKING:
    from sim.referee.ruleset import Option


@command(
    "rules",
    [
        option("ruleset", nargs="?", default="standard", help="a rule set (default: standard)"),
        option(
            "--changed",
            action="store_true",
            help="show only the options that differ from the rule set standard",
        ),
        option(
            "--diff",
            nargs=2,
            metavar=("ONE", "OTHER"),
            help="show only the options in which two rule sets differ",
        ),
    ],
    help="show the rule sets of Tokyo Highway and what each option means",
    description="Show the options of a rule set of Tokyo Highway: the current value, all "
    "possible values, what they mean.",
)
def run(args: argparse.Namespace) -> int:
    """Print the options; raises InputError for an unknown rule set."""
    return _diff(*args.diff, json=args.json) if args.diff else _show(args)


def _show(args: argparse.Namespace) -> int:
    from sim.referee import OPTIONS, Preset
    from sim.referee.ruleset import PRESETS

    preset = Preset.named(args.ruleset)
    ruleset = preset.rules
    differing = ruleset.differing("standard")
    shown = [rule for rule in OPTIONS.values() if not args.changed or rule.name in differing]
    if args.json:
        options = [_plain(rule) | {"value": getattr(ruleset, rule.name)} for rule in shown]
        own = {"players": preset.players, "components": preset.components}
        emit({"ruleset": args.ruleset, "rulesets": PRESETS, **own, "options": options})
        return 0
    print(
        f"rule set {args.ruleset} (available: {', '.join(PRESETS)}); * marks options that differ "
        "from standard"
    )
    print(
        f"for {' or '.join(map(str, preset.players))} players, with the components "
        f"{preset.components}"
    )
    for rule in shown:
        value = getattr(ruleset, rule.name)
        print(
            f"\n{'*' if rule.name in differing else ' '} {rule.name} = {_text(value)}    "
            f"[{rule.source}]"
        )
        if rule.number is not None:
            print(f"    {rule.meanings[0]}; default {_text(rule.default)}")
        else:
            for known, meaning in zip(rule.values, rule.meanings, strict=True):
                print(f"    {_text(known)}: {meaning}")
    return 0


def _diff(one: str, other: str, *, json: bool) -> int:
    from sim.referee import OPTIONS, Ruleset

    first, second = Ruleset.named(one), Ruleset.named(other)
    shown = [
        rule for rule in OPTIONS.values() if getattr(first, rule.name) != getattr(second, rule.name)
    ]
    if json:
        options = [
            _plain(o) | {one: getattr(first, o.name), other: getattr(second, o.name)} for o in shown
        ]
        emit({"diff": [one, other], "options": options})
        return 0
    print(f"{one} and {other} differ in {len(shown)} option{'' if len(shown) == 1 else 's'}")
    for rule in shown:
        print(f"\n  {rule.name}    [{rule.source}]")
        for name, ruleset in ((one, first), (other, second)):
            value = getattr(ruleset, rule.name)
            print(f"    {name}: {_text(value)}: {_meaning(rule, value)}")
    return 0


def _meaning(option: Option, value: object) -> str:
    return option.meanings[0 if option.number else option.values.index(value)]


def _plain(option: Option) -> dict[str, object]:
    known = {"name": option.name, "source": option.source}
    if option.number:
        return known | {
            "meaning": option.meanings[0],
            "default": option.default,
            "number": option.number,
        }
    return known | {
        "values": [
            {"value": v, "meaning": m} for v, m in zip(option.values, option.meanings, strict=True)
        ]
    }


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
