"""`shutoko perft`: how many sequences of legal moves there are, split by the first one; for checking a rule engine."""

from __future__ import annotations

import argparse
import time

from rules.errors import InputError
from shutoko.cli.boards import add_game, chosen
from shutoko.cli.common import Commands, add_json, emit, progress

__all__ = ["add", "run"]


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "perft",
        help="count the sequences of legal moves of a grid game",
        description="Count the sequences of that many legal moves, split by the first; games that end earlier do not count.",
    )
    add_game(parser)
    parser.add_argument("--depth", type=int, default=2, metavar="N", help="moves in a sequence (default: 2)")
    parser.add_argument("--moves", default="", metavar="TEXT", help='moves to play first, as "f6-g6 e5-f5"')
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the count behind every move, sorted by the move, and their sum."""
    from rules.grid.perft import perft

    if args.depth < 0:
        raise InputError(f"--depth counts moves; {args.depth} is none")
    state = chosen(args).start()
    for text in args.moves.split():
        state = state.after(state.parse(text))
    begin = time.perf_counter()
    moves = progress(state.legal_moves() if args.depth else (), f"depth {args.depth}")
    split = {str(move): perft(state.after(move), args.depth - 1) for move in moves}
    total = sum(split.values()) if args.depth else 1
    if args.json:
        emit({"game": args.game, "depth": args.depth, "total": total, "split": split})
        return 0
    for text, count in split.items():
        print(f"{text:<8} {count}")
    print(f"total    {total}    ({time.perf_counter() - begin:.2f} s)")
    return 0
