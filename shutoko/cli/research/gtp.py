"""`shutoko gtp`: a player that speaks the Go Text Protocol, for match runners and front ends."""

import argparse
import sys

from shutoko.cli.common import OPTION, command, emit, option, options_of


@command(
    "gtp",
    [
        option(
            "game",
            metavar="GAME",
            help="meridians, thruway or another installed game for two on a board",
        ),
        option(
            "--player", default="best", metavar="SPEC", help="who moves at genmove (default: best)"
        ),
        option(
            "--size", type=int, metavar="N", help="the size of the board (default: the game's own)"
        ),
        OPTION,
        option(
            "--seed",
            type=int,
            default=0,
            metavar="N",
            help="the seed of the player's chance (default: 0)",
        ),
    ],
    help="a player for match runners, by the Go Text Protocol",
    description="Speak the Go Text Protocol, version 2, on standard input and output: black is "
    "the first colour, white the "
    "second, a vertex is a move as text. `list_commands` lists the commands.",
    epilog="A player is NAME or NAME:OPTION=VALUE,OPTION=VALUE, as for `shutoko simulate`.",
)
def run(args: argparse.Namespace) -> int:
    """Answer commands until `quit`; with `--json` only print the game, the player and the commands
    as an object.
    """
    from rules.errors import InputError
    from rules.game import game
    from shutoko.terminal.gtp import Engine

    if args.seed < 0:
        raise InputError(f"--seed {args.seed}: a seed is 0 or more")
    options = options_of(args.option if args.size is None else [f"size={args.size}", *args.option])
    engine = Engine(game(args.game, **options), args.player, args.seed)
    if args.json:
        emit(
            {
                "game": args.game,
                "player": args.player,
                "protocol": 2,
                "commands": list(engine.commands),
            }
        )
        return 0
    engine.run(sys.stdin, sys.stdout)
    return 0
