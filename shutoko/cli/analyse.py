"""`shutoko analyse`: the moments that decided a recorded game, each with a better move."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shutoko.cli.common import Commands, add_components, add_json, counting, emit
from shutoko.cli.common.records import add_files, each_file, warn

if TYPE_CHECKING:
    from rules.moments import Moment

__all__ = ["add", "run"]


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "analyse",
        help="the moments that decided a game, each with a better move",
        description="Say at which plies of a record most of a player's chance to win was lost, and which move was better. A "
        "computer player judges every position; of pieces in space it judges where they lie, and drops none.",
    )
    add_files(parser)
    parser.add_argument("--player", metavar="SPEC", help="the player who judges (default: planner or best)")
    parser.add_argument("--most", type=int, default=3, metavar="N", help="the number of moments, at most (default: 3)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="the seed of all chance (default: 0)")
    add_components(parser, ", for records that name none")
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Analyse each record: 0, or 2 if one cannot be used."""
    return each_file(args.files, lambda path: _analyse(path, args))


def _analyse(path: Path, args: argparse.Namespace) -> int:
    from rules.moments import moments, reviewer
    from rules.record import read
    from rules.record.replay import begin, replay
    from shutoko.own_box import with_box
    from shutoko.terminal.display import display_of

    record = with_box(read(path), args.components)
    warn(record.warnings)
    made, _ = begin(record)
    steps = [*replay(record)]
    with counting(f"analysing {path.name}", quiet=args.json) as looked:
        found = moments(reviewer(made, args.player), steps, args.seed, args.most, lambda done: looked(done, len(steps)))
    if args.json:
        emit({"file": str(path), "moments": [_plain(one) for one in found]})
        return 0
    display = display_of(made, record.header.players)
    print(f"{path}: {len(steps)} plies")
    for one in found:
        print(_told(one, record.header.players[one.by], steps[one.at].before, display))
    if not found:
        print("no single ply lost much")
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
