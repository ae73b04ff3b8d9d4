"""`shutoko play`: a game at the terminal, against a program or among persons, with hints, taking back, and a record."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rules.errors import InputError
from shutoko.cli.common import Commands, add_json, add_option, data_folder, emit, options_of
from shutoko.cli.records import ENGINES, warn

if TYPE_CHECKING:
    from rules.game import Adviser, Game
    from shutoko.terminal.seating import SeatingRequest
    from shutoko.terminal.session import Session

__all__ = ["add", "run"]

_HANDS = ("none", "expert", "normal", "clumsy")


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "play",
        help="play at the terminal, against a program or among yourselves",
        description="Play a game at the terminal. `help` there tells what can be typed: moves, ? for the best moves and why, "
        "undo, save, quit and more. Every ply is kept as it is played.",
        epilog="A player is NAME or NAME:OPTION=VALUE,OPTION=VALUE, as for `shutoko simulate`.",
    )
    parser.add_argument("game", nargs="?", metavar="GAME", help="tokyo-highway, thruway, meridians; left out with --resume")
    who = parser.add_mutually_exclusive_group()
    who.add_argument(
        "--against", metavar="A,B,...", help="the players on the other seats (default: best:level=medium or greedy)"
    )
    who.add_argument(
        "--players", metavar="A,B,...", help="who sits on each seat; you is a person here, you:name=Ann one with a name"
    )
    parser.add_argument("--seat", metavar="N", help="yours, counted from 0, or random (default: 0)")
    parser.add_argument("--seats", type=int, metavar="N", help="persons at the table, where a game leaves a choice")
    parser.add_argument("--size", type=int, metavar="N", help="of the board, where a game has one")
    parser.add_argument("--ruleset", metavar="NAME", help="the rule set, where a game has several")
    parser.add_argument("--engine", choices=ENGINES, help="the physics, where a game has any; none trusts geometry")
    add_option(parser)
    parser.add_argument("--hand", choices=_HANDS, default="none", help="how well you place pieces (default: none, steadily)")
    parser.add_argument("--hints", metavar="SPEC", help="whose advice ? gives (default: best or planner)")
    parser.add_argument("--seed", type=int, metavar="N", help="of all chance in the game (default: another one each time)")
    parser.add_argument("--code", type=Path, metavar="FILE", help="a Python file with players of your own")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the record (default: one in the user's data folder)")
    parser.add_argument(
        "--resume", type=Path, metavar="FILE", help="go on with a record, in the same file unless --out names one"
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play until the game or the input ends; what was played is kept whatever happens."""
    from rules.arena.players import read_code
    from shutoko.terminal.dialogue import Dialogue
    from shutoko.terminal.seating import SeatingRequest, adviser
    from shutoko.terminal.view import view_of
    from shutoko.terminal.voice import Voice

    code = None if args.code is None else read_code(args.code)
    request = SeatingRequest(args.players, args.against, args.seat, args.hand, code)
    session = _begun(args, request) if args.resume is None else _resumed(args, request)

    def advises() -> Adviser[Any]:
        return adviser(args.hints, session.made, session.seats, code)

    asked = None if args.hints is None else advises()  # what is wrong with one that was asked for is told at once
    voice = Voice(emit if args.json else None)
    dialogue = Dialogue(session, view_of(session.made, session.record.header.players), voice, lambda: asked or advises())
    dialogue.open()
    try:
        dialogue.run()
    finally:
        dialogue.close()
    return 0


def _begun(args: argparse.Namespace, request: SeatingRequest) -> Session:
    import secrets

    from rules.game import game
    from shutoko.terminal.seating import seated
    from shutoko.terminal.session import begun

    if args.game is None:
        raise InputError("name a game, as in `shutoko play meridians`, or a record with --resume FILE")
    options = {"players": args.seats, "size": args.size, "ruleset": args.ruleset, "engine": args.engine}
    made = game(args.game, **{key: value for key, value in options.items() if value is not None} | options_of(args.option))
    _compile_beside(made)
    seed = secrets.randbits(32) if args.seed is None else args.seed
    if seed < 0:
        raise InputError(f"a seed is a whole number of 0 or more, not {seed}")
    path = _unused(args.game) if args.out is None else _fresh(args.out)
    return begun(made, seated(request, made, seed), path, seed)


def _resumed(args: argparse.Namespace, request: SeatingRequest) -> Session:
    from rules.record import read
    from shutoko.terminal.seating import handed_over, seated_again
    from shutoko.terminal.session import Session, reopened

    for name in ("seats", "size", "ruleset", "engine", "seed", "option"):
        if getattr(args, name) not in (None, []):
            raise InputError(f"--{name}: the record says that already; leave it out with --resume")
    record = read(args.resume)
    warn(record.warnings)
    if args.game not in (None, record.header.game):
        raise InputError(f"{args.resume} is a game of {record.header.game}, not of {args.game}")
    made, positions = reopened(record)
    _compile_beside(made)
    seats = seated_again(request, made, record.header.players)
    path = args.resume if args.out is None else _fresh(args.out)
    return Session(made, seats, handed_over(record, [seat.name for seat in seats]), positions, path)


def _compile_beside(made: Game[Any]) -> None:
    """Has the searches of a grid game compiled while the person looks at the board."""
    from rules.grid.base import GridGame

    if isinstance(made, GridGame):
        from rules.grid.search.background import start

        start(made)


def _fresh(path: Path) -> Path:
    if path.exists():
        raise InputError(f"{path} exists already; --resume {path} goes on with it, or name another file")
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no folder {path.parent}")
    return path


def _unused(game: str) -> Path:
    """A name for a record that no file has, in the user's data folder."""
    folder = data_folder() / "games"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made ({error.strerror}); name a file for the record with --out") from error
    number = 1
    while (path := folder / f"{game}-{number:04d}.jsonl").exists():
        number += 1
    return path
