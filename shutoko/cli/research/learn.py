"""`shutoko learn`: trains a net of Meridians from games against itself."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rules.errors import InputError
from shutoko.cli.common import Commands, add_json, emit, waiting
from shutoko.cli.common.workers import workers

if TYPE_CHECKING:
    from shutoko.learn.course import Lesson


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "learn",
        help="train a net of Meridians from games against itself",
        description="Train a net as AlphaZero does: it plays against itself, learns from the "
        "games, and again. Each lesson "
        "ends with 20 games against UCT with ten times as many simulations. The net is kept after "
        "every lesson, and beside it "
        "OUT.jsonl with a line for each, which `shutoko plot learning OUT.jsonl` draws. Needs "
        "torch.",
        epilog="Play with it: shutoko simulate meridians --size 4 --players net:file=OUT,uct ... "
        "With --lessons the seed alone decides the result, with any number of workers.",
    )
    parser.add_argument("game", metavar="GAME", help="meridians: the game that nets are made for")
    parser.add_argument(
        "--size", type=int, default=4, metavar="N", help="the size of the board (default: 4)"
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="the net to write (.npz)"
    )
    parser.add_argument(
        "--minutes", type=float, default=20.0, metavar="M", help="how long it takes (default: 20)"
    )
    parser.add_argument(
        "--lessons", type=int, default=0, metavar="N", help="so many lessons, instead of a time"
    )
    parser.add_argument(
        "--games", type=int, default=300, metavar="N", help="games in a lesson (default: 300)"
    )
    parser.add_argument(
        "--simulations",
        type=int,
        default=120,
        metavar="N",
        help="simulations for a move (default: 120)",
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="the seed of all chance (default: 0)"
    )
    parser.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="the number of processes (default: one for each core)",
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Train, and tell of each lesson. Raises InputError for wrong arguments and UnavailableError
    without torch, at once.
    """
    _check(args)
    from rules.game import game
    from rules.grid.search.net import save, with_nets
    from shutoko.learn.course import Plan, course
    from shutoko.learn.training import check_installed

    with_nets(game(args.game))
    check_installed()

    processes = args.workers or os.cpu_count() or 1
    plan = Plan(args.size, args.minutes, args.lessons, args.games, args.simulations, seed=args.seed)
    log = args.out.with_suffix(".jsonl")
    try:
        with workers(processes) as executor, log.open("w", encoding="utf-8") as lines:
            lessons = course(plan, executor, processes)
            while (lesson := _next(lessons, quiet=args.json)) is not None:
                save(lesson.net, args.out)
                line = _line(lesson)
                lines.write(json.dumps(line) + "\n")
                lines.flush()
                if args.json:
                    emit(line)
                else:
                    print(_told(lesson), flush=True)
    except OSError as error:
        raise InputError(f"{args.out}: cannot be written: {error.strerror or error}") from error
    if not args.json:
        print(f"wrote {args.out} and {log}")
    return 0


def _check(args: argparse.Namespace) -> None:
    for name, least in (("size", 3), ("lessons", 0), ("games", 1), ("simulations", 2), ("seed", 0)):
        if getattr(args, name) < least:
            raise InputError(f"--{name} {getattr(args, name)}: at least {least}")
    if args.workers is not None and args.workers < 1:
        raise InputError(f"--workers {args.workers}: at least 1 worker is needed")
    if not args.minutes > 0:
        raise InputError(f"--minutes {args.minutes:g}: above 0")
    if args.out.suffix != ".npz":
        raise InputError(f"{args.out}: a net is a .npz file; give it that suffix")
    if not args.out.parent.is_dir():
        raise InputError(
            f"{args.out}: the folder {args.out.parent} does not exist; make it, or name another "
            "file"
        )


def _next(lessons: Any, *, quiet: bool) -> Lesson | None:
    with waiting("a lesson", quiet=quiet):
        found: Lesson | None = next(lessons, None)
        return found


def _line(lesson: Lesson) -> dict[str, object]:
    return {
        "lesson": lesson.number,
        "minutes": round(lesson.minutes, 3),
        "games": lesson.games,
        "positions": lesson.positions,
        "policy": round(lesson.policy, 4),
        "value": round(lesson.value, 4),
        "score": lesson.score,
    }


def _told(lesson: Lesson) -> str:
    begin = f"lesson {lesson.number:>3}  {lesson.minutes:5.1f} min  {lesson.games:>6} games"
    return (
        f"{begin}  loss of policy {lesson.policy:.3f}, of value {lesson.value:.3f}  against UCT "
        f"{lesson.score:.0%}"
    )
