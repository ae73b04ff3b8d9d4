"""`shutoko replay`: plays a record again and prints every ply; on demand with pictures and
films.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from rules.errors import InputError
from shutoko.cli.common import Commands, add_components, add_json
from shutoko.cli.common.records import add_engine, add_files, each_file, warn
from shutoko.plain import plain_record

__all__ = ["add", "run"]


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "replay",
        help="play a record again and print every ply",
        description=(
            "Play a record again by the rules, with physics if the game has any: who "
            "moved, what, and what happened."
        ),
    )
    add_files(parser)
    parser.add_argument(
        "--ply", type=int, metavar="N", help="stop after this ply; --film shows this one"
    )
    add_json(parser)
    boards = parser.add_argument_group("games on a board (Thruway, Meridians, ...)")
    boards.add_argument("--svg", type=Path, metavar="PATH", help="draw the board at the end")
    tables = parser.add_argument_group("games with pieces in space (Tokyo Highway)")
    whose = tables.add_mutually_exclusive_group()
    add_engine(whose)
    whose.add_argument(
        "--recorded",
        action="store_true",
        help="trust the poses in the record: no engine runs, a ply takes milliseconds",
    )
    add_components(tables, ", for records that name none")
    tables.add_argument(
        "--png", type=Path, metavar="PATH", help="draw the table at the end (needs no screen)"
    )
    tables.add_argument(
        "--film", type=Path, metavar="PATH", help="film the last ply shown, as .gif, .webp or .mp4"
    )
    tables.add_argument(
        "--labels", action="store_true", help="write the ids of the pieces into the picture"
    )
    tables.add_argument(
        "--slots",
        action="store_true",
        help="list the free sides of every road, and what took the others",
    )
    tables.add_argument(
        "--explain",
        action="store_true",
        help="print every fault of an illegal move, and every road that took a side",
    )
    tables.add_argument(
        "--at-rest",
        action="store_true",
        help=(
            "after each ply let every piece go again, and print which moves most; exit code 1 if "
            "one moves or falls"
        ),
    )
    tables.add_argument(
        "--close",
        action="store_true",
        help=(
            "try each ply again from equal starts, and say where one ends otherwise: a close call"
        ),
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Replay each record; an illegal ply ends its record with exit code 1, unusable input
    with 2.
    """
    if len(args.files) > 1 and (args.png or args.film or args.svg):
        raise InputError("--png, --svg and --film draw one record; name one file")
    if args.ply is not None and args.ply < 0:
        raise InputError(f"--ply {args.ply}: plies count from 0")
    _check_places(args)
    return each_file(args.files, lambda path: _replay(path, args))


def _check_places(args: argparse.Namespace) -> None:
    """Refuses files that cannot be written, before the work begins."""
    for out, suffixes in (
        (args.svg, (".svg",)),
        (args.png, (".png",)),
        (args.film, (".gif", ".webp", ".mp4")),
    ):
        if out is not None and out.suffix.lower() not in suffixes:
            raise InputError(f"{out}: unknown suffix; choose from {', '.join(suffixes)}")
        if out is not None and not out.parent.is_dir():
            raise InputError(
                f"{out}: the folder {out.parent} does not exist; make it, or name another file"
            )
    if args.film is not None:
        from shutoko.export.film import check_suffix

        check_suffix(args.film)


def _replay(path: Path, args: argparse.Namespace) -> int:
    from rules.record import read
    from rules.record.replay import begin
    from rules.view import SceneView
    from shutoko.own_box import with_box
    from shutoko.terminal.board import seen

    record = plain_record(with_box(read(path), args.components))
    if args.ply is not None and args.ply >= record.next_ply:
        raise InputError(f"{path}: the record has no ply {args.ply}; it has {record.next_ply}")
    warn(record.warnings)
    made, start = begin(record)
    if isinstance(seen(made, start), SceneView):
        from shutoko.cli.replay import table

        return table.replay(path, record, args)
    from shutoko.cli.replay import board

    return board.replay(path, record, made, start, args)
