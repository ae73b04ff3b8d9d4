"""`shutoko play`: a game at the terminal, against programs or among persons, with hints, undo and a
record.
"""

from __future__ import annotations

import argparse
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rules.errors import InputError
from shutoko.cli.common import (
    check_place,
    command,
    data_folder,
    emit,
    option,
)
from shutoko.cli.common.records import SETTINGS, settings_of, warn
from shutoko.plain import plain_record

if TYPE_CHECKING:
    from rules.game import Adviser, Game
    from rules.record.disk import Hold
    from shutoko.terminal.seating import SeatingRequest
    from shutoko.terminal.session import Session


@command(
    "play",
    [
        option(
            "game",
            nargs="?",
            metavar="GAME",
            help="tokyo-highway, thruway, meridians or another installed game; not with --resume",
        ),
        [
            option(
                "--against",
                metavar="A,B,...",
                help="the players on the other seats (default: best:level=medium, "
                "planner:level=medium or random)",
            ),
            option(
                "--players",
                metavar="A,B,...",
                help="the players on all seats; you is a person, you:name=Ann a person with a name",
            ),
        ],
        option("--seat", metavar="N", help="your seat, counted from 0, or random (default: 0)"),
        *SETTINGS,
        option(
            "--hand",
            metavar="NAME",
            default="none",
            help="how precisely you place pieces, such as normal (default: none, steadily)",
        ),
        option(
            "--hints",
            metavar="SPEC",
            help="the player whose advice ? shows (default: best or planner)",
        ),
        option(
            "--seed",
            type=int,
            metavar="N",
            help="the seed of all chance (default: a new one each time)",
        ),
        option("--code", type=Path, metavar="FILE", help="a Python file with your own players"),
        option(
            "--out",
            type=Path,
            metavar="FILE",
            help="the record to write (default: a new one in your data folder)",
        ),
        option(
            "--resume",
            type=Path,
            metavar="FILE",
            help="go on with this record, in the same file unless --out names another",
        ),
    ],
    help="play at the terminal, against a program or among yourselves",
    description="Play a game at the terminal. Type `help` there for all commands: moves, ? for "
    "the best moves and why, "
    "undo, save, quit and more. Every ply is written to the record at once.",
    epilog="A player is NAME or NAME:OPTION=VALUE,OPTION=VALUE, as for `shutoko simulate`.",
)
def run(args: argparse.Namespace) -> int:
    """Play until the game or the input ends; every ply is kept, whatever happens."""
    from rules.arena.players import read_code
    from shutoko.terminal.seating import SeatingRequest

    code = None if args.code is None else read_code(args.code)
    request = SeatingRequest(args.players, args.against, args.seat, args.hand, code)
    with ExitStack() as held:
        session = (
            _begun(args, request, held) if args.resume is None else _resumed(args, request, held)
        )
        _talk(args, session, code)
    return 0


def _talk(args: argparse.Namespace, session: Session, code: Any) -> None:
    from shutoko.terminal.dialogue import Dialogue
    from shutoko.terminal.display import display_of
    from shutoko.terminal.seating import adviser
    from shutoko.terminal.voice import Voice

    def advises() -> Adviser[Any]:
        return adviser(args.hints, session.made, session.seats, code)

    # an error in --hints shows now, not at the first ?
    asked = None if args.hints is None else advises()
    voice = Voice(emit if args.json else None)
    display = display_of(session.made, plain_record(session.record).header.players)
    dialogue = Dialogue(session, display, voice, lambda: asked or advises())
    dialogue.open()
    try:
        dialogue.run()
    finally:
        dialogue.close()


def _begun(args: argparse.Namespace, request: SeatingRequest, held: ExitStack) -> Session:
    import secrets

    from rules.game import game, known_games
    from shutoko.own_box import keep_beside
    from shutoko.terminal.seating import seated
    from shutoko.terminal.session import begun

    if args.game is None:
        raise InputError(
            f"name a game ({', '.join(known_games())}), or a record with --resume FILE"
        )
    made = game(args.game, **settings_of(args, args.game))
    _compile_beside(made)
    seed = secrets.randbits(32) if args.seed is None else args.seed
    if seed < 0:
        raise InputError(f"a seed is a whole number of 0 or more, not {seed}")
    seats = seated(request, made, seed)
    path = held.enter_context(_unused(args.game) if args.out is None else _fresh(args.out)).path
    keep_beside(made, path.parent)
    return begun(made, seats, path, seed)


def _resumed(args: argparse.Namespace, request: SeatingRequest, held: ExitStack) -> Session:
    from rules.record import read
    from rules.record.disk import hold
    from shutoko.own_box import keep_beside
    from shutoko.terminal.seating import handed_over, seated_again
    from shutoko.terminal.session import Session, reopened

    for name in ("seats", "size", "ruleset", "engine", "components", "seed", "option"):
        if getattr(args, name) not in (None, []):
            raise InputError(f"--{name}: the record has its own; leave --{name} out with --resume")
    read(args.resume)  # before the lock, so that a file that cannot be read is left alone
    kept = held.enter_context(hold(args.resume) if args.out is None else _fresh(args.out))
    # again, since another program may have played on before we held the lock
    record = read(args.resume)
    warn(record.warnings)
    if args.game not in (None, record.header.game):
        raise InputError(
            f"{args.resume} is a game of {record.header.game}, not of {args.game}; leave the game "
            "out"
        )
    made, positions = reopened(record)
    _compile_beside(made)
    keep_beside(made, kept.path.parent)
    seats = seated_again(request, made, record.header.players)
    return Session(
        made, seats, handed_over(record, [seat.name for seat in seats]), positions, kept.path
    )


def _compile_beside(made: Game[Any]) -> None:
    """Compiles the searches of a grid game in the background, while the person looks at the
    board.
    """
    if hasattr(made, "kernel"):
        from rules.grid.search.players import start_compiling

        start_compiling(made)


def _fresh(path: Path) -> Hold:
    from rules.record.disk import hold

    check_place(path)
    held = hold(path)
    if path.exists():
        held.release()
        raise InputError(
            f"{path} exists already; go on with it by --resume {path}, or name another file"
        )
    return held


def _unused(game: str) -> Hold:
    """A new name for a record in the user's data folder, which no other program is about to use."""
    from rules.record.disk import HeldError

    folder = data_folder() / "games"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"{folder}: cannot be made ({error.strerror}); name a file for the record with --out"
        ) from error
    number = 0
    while True:
        number += 1
        path = folder / f"{game}-{number:04d}.jsonl"
        with suppress(HeldError):
            if not path.exists():
                return _fresh(path)
