"""`shutoko perft`: counts the sequences of legal moves, split by the first move, to check the rules
of a game.
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, Any

from rules.errors import InputError
from shutoko.cli.common import OPTION, answer, command, option, options_of, progress

if TYPE_CHECKING:
    from rules.game import GridState


@command(
    "perft",
    [
        option("game", metavar="GAME", help="meridians, thruway or another installed game"),
        option(
            "--size", type=int, metavar="N", help="the size of the board (default: the game's own)"
        ),
        OPTION,
        option(
            "--depth", type=int, default=2, metavar="N", help="moves in a sequence (default: 2)"
        ),
        option(
            "--moves", default="", metavar="TEXT", help='moves to play first, such as "f6-g6 e5-f5"'
        ),
    ],
    help="count the sequences of legal moves of a game",
    description="Count the sequences of N legal moves, split by the first move. Games that end "
    "earlier do not count. Takes "
    "every installed game whose moves can be listed.",
)
def run(args: argparse.Namespace) -> int:
    """Print the count for every first move, sorted by the text of the move, and the sum."""
    from rules.grid.base import perft

    if args.depth < 0:
        raise InputError(f"--depth {args.depth}: a number of moves is 0 or more")
    state = _start(args)
    for text in args.moves.split():
        state = state.after(state.parse(text))
    begin = time.perf_counter()
    moves = progress(
        state.legal_moves() if args.depth else (), f"depth {args.depth}", quiet=args.json
    )
    split = {str(move): perft(state.after(move), args.depth - 1) for move in moves}
    total = sum(split.values()) if args.depth else 1
    told = [f"{text:<8} {count}" for text, count in split.items()]
    told.append(f"total    {total}    ({time.perf_counter() - begin:.2f} s)")
    payload = {"game": args.game, "depth": args.depth, "total": total, "split": split}
    answer(args, payload, *told)
    return 0


def _start(args: argparse.Namespace) -> GridState[Any]:
    """The first position of the game. Raises InputError for a game whose moves cannot be listed."""
    from rules.game import game

    options = options_of(args.option if args.size is None else [f"size={args.size}", *args.option])
    state: Any = game(args.game, **options).start()
    if not hasattr(state, "legal_moves"):
        raise InputError(f"the moves of {args.game} cannot be listed, so they cannot be counted")
    found: GridState[Any] = state
    return found
