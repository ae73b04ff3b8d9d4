"""`shutoko replay`: plays a record again and prints every ply; on demand with pictures and
films.
"""

import argparse
from pathlib import Path

from rules.errors import InputError
from shutoko.cli.common import check_place, command, components, option
from shutoko.cli.common.records import FILES, each_file, engine, read_record
from shutoko.plain import plain_record

__all__ = ["run"]


@command(
    "replay",
    [
        FILES,
        option("--ply", type=int, metavar="N", help="stop after this ply; --film shows this one"),
        {
            "games on a board (Thruway, Meridians, ...)": [
                option("--svg", type=Path, metavar="PATH", help="draw the board at the end"),
            ]
        },
        {
            "games with pieces in space (Tokyo Highway)": [
                [
                    engine(),
                    option(
                        "--recorded",
                        action="store_true",
                        help="trust the poses in the record: no engine runs, a ply takes "
                        "milliseconds",
                    ),
                ],
                components(", for records that name none"),
                option(
                    "--png",
                    type=Path,
                    metavar="PATH",
                    help="draw the table at the end (needs no screen)",
                ),
                option(
                    "--film",
                    type=Path,
                    metavar="PATH",
                    help="film the last ply shown, as .gif, .webp or .mp4",
                ),
                option(
                    "--labels",
                    action="store_true",
                    help="write the ids of the pieces into the picture",
                ),
                option(
                    "--slots",
                    action="store_true",
                    help="list the free sides of every road, and what took the others",
                ),
                option(
                    "--explain",
                    action="store_true",
                    help="print every fault of an illegal move, and every road that took a side",
                ),
                option(
                    "--at-rest",
                    action="store_true",
                    help="after each ply let every piece go again, and print which moves "
                    "most; exit code 1 if one moves or falls",
                ),
                option(
                    "--close",
                    action="store_true",
                    help="try each ply again from equal starts, and say where one ends "
                    "otherwise: a close call",
                ),
            ]
        },
    ],
    help="play a record again and print every ply",
    description="Play a record again by the rules, with physics if the game has any: who "
    "moved, what, and what happened.",
)
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
        if out is not None:
            check_place(out, suffixes)
    if args.film is not None:
        from shutoko.export.film import check_suffix

        check_suffix(args.film)


def _replay(path: Path, args: argparse.Namespace) -> int:
    from rules.record.replay import begin
    from rules.view import SceneView
    from shutoko.cli.replay.plies import of_pieces, on_board
    from shutoko.terminal.board import seen

    record = plain_record(read_record(path, args.components))
    if args.ply is not None and args.ply >= record.next_ply:
        raise InputError(f"{path}: the record has no ply {args.ply}; it has {record.next_ply}")
    made, start = begin(record)
    if isinstance(seen(made, start), SceneView):
        return of_pieces(path, record, args)
    return on_board(path, record, made, start, args)
