"""`shutoko analyse`: the moments that decided a recorded game, or the best moves of one of its
positions.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rules.errors import InputError
from shutoko.cli.common import SEED, answer, command, components, counting, option
from shutoko.cli.common.records import FILES, each_file, read_record
from shutoko.plain import plain_record

if TYPE_CHECKING:
    from rules.moments import Line, Moment


@command(
    "analyse",
    [
        FILES,
        option(
            "--player",
            metavar="SPEC",
            help="the player who judges (default: the one that the game names)",
        ),
        option(
            "--most",
            type=int,
            default=3,
            metavar="N",
            help="the number of moments, or of moves (default: 3)",
        ),
        option(
            "--ply",
            type=int,
            metavar="N",
            help="the best moves at this ply, in place of what was played; -1: after the last",
        ),
        option(
            "--seconds", type=float, metavar="S", help="with --ply: how long to think (default: 4)"
        ),
        SEED,
        components(", for records that name none"),
    ],
    help="the moments that decided a game, each with a better move; or the best moves of a "
    "position",
    description="Say at which plies of a record most of a player's chance to win was lost, and "
    "which move was better. A "
    "computer player judges every position; of pieces in space it judges where they lie, and "
    "drops none. With --ply: the "
    "best moves at that ply, and better answers as they come.",
)
def run(args: argparse.Namespace) -> int:
    """Analyse each record: 0, or 2 if one cannot be used."""
    if args.ply is None and args.seconds is not None:
        raise InputError("--seconds is for the best moves of a position; name its ply with --ply")
    if args.most < 1:
        raise InputError(f"--most must be 1 or more, not {args.most}")
    return each_file(args.files, lambda path: (_analyse if args.ply is None else _look)(path, args))


def _look(path: Path, args: argparse.Namespace) -> int:
    """The best moves at a ply, better and better."""
    from rules.moments import looks
    from rules.record.replay import begin, replay
    from shutoko.terminal.display import display_of

    record = plain_record(read_record(path, args.components))
    made, start = begin(record)
    states, last = dict[int, Any](), start
    for step in replay(record):
        if not step.entry.taken_back:
            states[step.entry.ply], last = step.before, step.after
    if args.ply != -1 and args.ply not in states:
        raise InputError(
            f"{path}: the record has no ply {args.ply}; it has {len(states)}, and -1 is the "
            "position after the last"
        )
    state = last if args.ply == -1 else states[args.ply]
    if state.outcome() is not None:
        raise InputError(f"{path}: the game is over after its last ply; name an earlier one")
    display, who = display_of(made, record.header.players), record.header.players[state.to_move]
    if not args.json:
        print(
            f"{path}: {'after the last ply' if args.ply == -1 else f'ply {args.ply}'}, {who} is to "
            "move"
        )
    for look in looks(
        made,
        state,
        4.0 if args.seconds is None else args.seconds,
        args.most,
        args.player,
        args.seed,
    ):
        moves, seconds = [_line(one) for one in look.lines], round(look.seconds, 3)
        payload = {"file": str(path), "ply": args.ply, "seconds": seconds, "moves": moves}
        told = [_worded(n, one, display) for n, one in enumerate(look.lines, 1)]
        answer(args, payload, f"{look.seconds:.2f} s", *told)
        sys.stdout.flush()
    return 0


def _worded(number: int, one: Line, display: Any) -> str:
    then = f"; then {' '.join(map(display.short, one.then))}" if one.then else ""
    return f"{number:>3}  {display.short(one.advice.move)}  {one.advice.why}{then}"


def _line(one: Line) -> dict[str, Any]:
    advice = one.advice
    chance = None if advice.chance is None else round(float(advice.chance), 4)
    return {
        "move": str(advice.move),
        "chance": chance,
        "why": advice.why,
        "then": [str(move) for move in one.then],
    }


def _analyse(path: Path, args: argparse.Namespace) -> int:
    from rules.moments import moments, reviewer
    from rules.record.replay import begin, replay
    from shutoko.terminal.display import display_of

    record = plain_record(read_record(path, args.components))
    made, _ = begin(record)
    steps = [*replay(record)]
    judge = reviewer(made, args.player)
    with counting(f"analysing {path.name}", quiet=args.json) as looked:
        try:
            found = moments(
                judge, steps, args.seed, args.most, lambda done: looked(done, len(steps))
            )
        except InputError as error:
            raise InputError(f"{path}: {error}") from error
    display = display_of(made, record.header.players)
    told = [
        _told(one, record.header.players[one.by], steps[one.at].before, display) for one in found
    ]
    payload = {"file": str(path), "moments": [_plain(one) for one in found]}
    answer(args, payload, f"{path}: {len(steps)} plies", *told or ["no single ply lost much"])
    return 0


def _told(one: Moment, who: str, state: Any, display: Any) -> str:
    from sim.languages import Sentence

    played, better = (display.short(state.parse(move)) for move in (one.played, one.better))
    percent = {"had": f"{one.had:.0%}", "kept": f"{one.kept:.0%}"}
    values = {"ply": one.ply, "who": who, "played": played, "better": better, **percent}
    return Sentence(f"moment-{one.kind}", values).told()


def _plain(one: Moment) -> dict[str, Any]:
    return {
        "ply": one.ply,
        "by": one.by,
        "kind": one.kind,
        "played": one.played,
        "better": one.better,
        "had": round(one.had, 4),
        "kept": round(one.kept, 4),
    }
