"""`shutoko learn`: trains the weights of the player `policy` of Tokyo Highway."""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rules.errors import InputError, ShutokoError
from rules.near import gone
from shutoko.cli.common import SEED, answer, check_place, command, option, waiting


def _taught(name: str) -> str:
    """The name of a game whose policy can be trained."""
    from rules.game import game
    from sim.game import Highway

    try:
        if isinstance(game(name), Highway):
            return name
    except ShutokoError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    hint = gone("command", f"learn {name}") or "; choose tokyo-highway"
    raise argparse.ArgumentTypeError(f"{name} has no policy to train{hint}")


@command(
    "learn",
    [
        option("game", metavar="GAME", type=_taught, help="the game: tokyo-highway"),
        option(
            "--out", type=Path, required=True, metavar="FILE", help="what to write: a .json file"
        ),
        option(
            "--minutes",
            type=float,
            default=5.0,
            metavar="M",
            help="how long it takes, in minutes of the processor (default: 5)",
        ),
        option(
            "--lessons", type=int, metavar="N", help="so many lessons, 1 or more, instead of a time"
        ),
        option("--ruleset", metavar="NAME", help="the rule set (default: standard and fr in turn)"),
        option(
            "--from-nothing",
            action="store_true",
            help="begin with weights of 0, not with rough ones",
        ),
        SEED,
    ],
    help="train a player of Tokyo Highway from games against itself",
    description="Train the weights of the player `policy` by evolution strategies over games "
    "of sim.Batch, on geometry, in one process. Each lesson ends with games against weights "
    "that play as `greedy` does. What was learnt is kept after every lesson, and beside it "
    "OUT.jsonl with a line for each.",
    epilog="Play with it: shutoko simulate tokyo-highway --players policy:file=OUT,greedy ... "
    "With --lessons the seed alone decides the result.",
)
def run(args: argparse.Namespace) -> int:
    """Train, and tell of each lesson. Raises InputError for wrong arguments at once."""
    _check(args)
    log = args.out.with_suffix(".jsonl")
    try:
        with log.open("w", encoding="utf-8") as lines:
            for line in _lessons(args):
                lines.write(json.dumps(line) + "\n")
                lines.flush()
                answer(args, line, _told(line))
                sys.stdout.flush()
    except OSError as error:
        raise InputError(f"{args.out}: cannot be written: {error.strerror or error}") from error
    if not args.json:
        print(f"wrote {args.out} and {log}")
    return 0


def _lessons(args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Trains a policy: a line for each lesson."""
    from shutoko.learn import RULESETS, Plan, lessons
    from sim.bots.learnt import save

    rulesets = (args.ruleset,) if args.ruleset else RULESETS
    taught = lessons(Plan(args.minutes, args.lessons or 0, rulesets, args.seed, args.from_nothing))
    while True:
        with waiting("a lesson", quiet=args.json):
            lesson = next(taught, None)
        if lesson is None:
            return
        line = {
            "lesson": lesson.number,
            "minutes": round(lesson.minutes, 3),
            "games": lesson.games,
            "plies": lesson.plies,
            "score": round(lesson.score, 4),
        }
        how = {"seed": args.seed, "rulesets": rulesets, "from nothing": args.from_nothing, **line}
        save(args.out, lesson.weights, how)
        yield line


def _check(args: argparse.Namespace) -> None:
    for name, least in (("lessons", 1), ("seed", 0)):
        number = getattr(args, name)
        if number is not None and number < least:
            raise InputError(f"--{name} {number}: at least {least}")
    if not args.minutes > 0:
        raise InputError(f"--minutes {args.minutes:g}: above 0")
    if args.ruleset is not None:
        from sim.referee import Ruleset

        Ruleset.named(args.ruleset)  # raises before a file is made
    if args.out.suffix != ".json":
        raise InputError(f"{args.out}: a policy is a .json file; give it that suffix")
    check_place(args.out)


def _told(line: dict[str, Any]) -> str:
    return (
        f"lesson {line['lesson']:>3}  {line['minutes']:5.1f} min  {line['games']:>6} games  "
        f"{line['plies']:>8} plies  against weights like greedy's {line['score']:.0%}"
    )
