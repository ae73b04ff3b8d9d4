"""`shutoko learn`: trains a player of Meridians or Tokyo Highway from games against itself."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rules.errors import InputError
from shutoko.cli.common import Commands, add_json, emit, waiting
from shutoko.cli.common.workers import workers

_SIZE, _GAMES, _SIMULATIONS = 4, 300, 120
# the options of all that can be learnt, of nets alone, and of weights alone
_COMMON = ("minutes", "lessons", "seed", "out")
_OF_NETS = ("size", "games", "simulations", "workers")
_OF_WEIGHTS = ("ruleset", "from_nothing")


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "learn",
        help="train a player of Meridians or Tokyo Highway from games against itself",
        description="Meridians: train a net as AlphaZero does: it plays against itself, learns "
        "from the games, and again. Each lesson ends with 20 games against UCT with ten times as "
        "many simulations. Needs torch. Tokyo Highway: train the weights of the player `policy` by "
        "evolution strategies over games of sim.Batch, on geometry, in one process. Each lesson "
        "ends with games against weights that play as `greedy` does. What was learnt is kept after "
        "every lesson, and beside it OUT.jsonl with a line for each, which for Meridians `shutoko "
        "plot learning OUT.jsonl` draws.",
        epilog="Play with it: shutoko simulate meridians --size 4 --players net:file=OUT,uct ... "
        "or shutoko simulate tokyo-highway --players policy:file=OUT,greedy ... With --lessons the "
        "seed alone decides the result, with any number of workers.",
    )
    parser.add_argument("game", metavar="GAME", help="meridians or tokyo-highway")
    parser.add_argument(
        "--size",
        type=int,
        metavar="N",
        help=f"the size of the board of Meridians (default: {_SIZE})",
    )
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="FILE",
        help="what to write: .npz, or .json for Tokyo Highway",
    )
    parser.add_argument(
        "--minutes",
        type=float,
        metavar="M",
        help="how long it takes (default: 20; Tokyo Highway: 5, of the processor)",
    )
    parser.add_argument(
        "--lessons",
        type=int,
        metavar="N",
        help="so many lessons, 1 or more, instead of a time",
    )
    parser.add_argument(
        "--games",
        type=int,
        metavar="N",
        help=f"games in a lesson of Meridians (default: {_GAMES})",
    )
    parser.add_argument(
        "--simulations",
        type=int,
        metavar="N",
        help=f"simulations for a move of Meridians (default: {_SIMULATIONS})",
    )
    parser.add_argument(
        "--ruleset",
        metavar="NAME",
        help="the rule set of Tokyo Highway (default: standard and fr in turn)",
    )
    parser.add_argument(
        "--from-nothing",
        action="store_true",
        help="Tokyo Highway: begin with weights of 0, not with rough ones",
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="the seed of all chance (default: 0)"
    )
    parser.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="the number of processes for Meridians (default: one for each core)",
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Train, and tell of each lesson. Raises InputError for wrong arguments and UnavailableError
    without torch, at once.
    """
    from rules.game import game
    from rules.grid.search.net import with_nets
    from sim.game.highway import Highway

    made = game(args.game)
    if not isinstance(made, Highway):
        with_nets(made)
    _check(args, made.name, nets=not isinstance(made, Highway))
    if not isinstance(made, Highway):
        from shutoko.learn.training import check_installed

        check_installed()
    log = args.out.with_suffix(".jsonl")
    try:
        with log.open("w", encoding="utf-8") as lines:
            for line in _policy(args) if isinstance(made, Highway) else _net(args):
                lines.write(json.dumps(line) + "\n")
                lines.flush()
                if args.json:
                    emit(line)
                else:
                    print(_told(line), flush=True)
    except OSError as error:
        raise InputError(f"{args.out}: cannot be written: {error.strerror or error}") from error
    if not args.json:
        print(f"wrote {args.out} and {log}")
    return 0


def _net(args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Trains a net of Meridians: a line for each lesson."""
    from rules.grid.search.net import save
    from shutoko.learn.course import Plan, course

    processes, minutes = args.workers or os.cpu_count() or 1, args.minutes or 20.0
    plan = Plan(
        args.size or _SIZE,
        minutes,
        args.lessons or 0,
        args.games or _GAMES,
        args.simulations or _SIMULATIONS,
        seed=args.seed,
    )
    with workers(processes) as executor:
        lessons = course(plan, executor, processes)
        while (lesson := _next(lessons, quiet=args.json)) is not None:
            save(lesson.net, args.out)
            yield {
                "lesson": lesson.number,
                "minutes": round(lesson.minutes, 3),
                "games": lesson.games,
                "positions": lesson.positions,
                "policy": round(lesson.policy, 4),
                "value": round(lesson.value, 4),
                "score": lesson.score,
            }


def _policy(args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Trains a policy of Tokyo Highway: a line for each lesson."""
    from shutoko.learn.evolution import RULESETS, Plan, lessons
    from sim.bots.learnt import save

    rulesets = (args.ruleset,) if args.ruleset else RULESETS
    plan = Plan(args.minutes or 5.0, args.lessons or 0, rulesets, args.seed, args.from_nothing)
    taught = lessons(plan)
    while (lesson := _next(taught, quiet=args.json)) is not None:
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


def _check(args: argparse.Namespace, game: str, *, nets: bool) -> None:
    own, foreign = (_OF_NETS, _OF_WEIGHTS) if nets else (_OF_WEIGHTS, _OF_NETS)
    given = [_option(name) for name in foreign if getattr(args, name) not in (None, False)]
    if given:
        raise InputError(
            f"{', '.join(given)}: not for {game}, which takes "
            f"{', '.join(map(_option, (*_COMMON, *own)))}; leave "
            f"{'it' if len(given) == 1 else 'them'} out"
        )
    for name, least in (("size", 3), ("lessons", 1), ("games", 1), ("simulations", 2), ("seed", 0)):
        number = getattr(args, name)
        if number is not None and number < least:
            raise InputError(f"--{name} {number}: at least {least}")
    if args.workers is not None and args.workers < 1:
        raise InputError(f"--workers {args.workers}: at least 1 worker is needed")
    if args.minutes is not None and not args.minutes > 0:
        raise InputError(f"--minutes {args.minutes:g}: above 0")
    what, suffix = ("a net", ".npz") if nets else ("a policy", ".json")
    if args.out.suffix != suffix:
        raise InputError(f"{args.out}: {what} is a {suffix} file; give it that suffix")
    if not args.out.parent.is_dir():
        raise InputError(
            f"{args.out}: the folder {args.out.parent} does not exist; make it, or name another "
            "file"
        )


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _next(lessons: Iterator[Any], *, quiet: bool) -> Any:
    with waiting("a lesson", quiet=quiet):
        return next(lessons, None)


def _told(line: dict[str, Any]) -> str:
    begin = f"lesson {line['lesson']:>3}  {line['minutes']:5.1f} min  {line['games']:>6} games  "
    if "policy" not in line:
        return f"{begin}{line['plies']:>8} plies  against weights like greedy's {line['score']:.0%}"
    return (
        f"{begin}loss of policy {line['policy']:.3f}, of value {line['value']:.3f}  against UCT "
        f"{line['score']:.0%}"
    )
