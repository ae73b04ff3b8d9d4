"""`shutoko export`: makes a picture, an animation, an offline page or a model of a record."""

from __future__ import annotations

import argparse
from pathlib import Path

from rules.errors import InputError
from shutoko.cli.common import Commands, add_components, add_json, emit, same_file, waiting, with_suffix
from shutoko.cli.records import warn

__all__ = ["add", "run"]


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "export",
        help="make a picture, a GIF, an offline page or a model of a record",
        description=(
            "Turn a record into a file that you can share. The suffix says what it is: .png, .svg (boards), .gif, .html (a "
            "page that plays the game offline), .glb (an animated model of pieces in space), .jsonl (the record). Pieces lie "
            "where the record says. Films show how they came to rest there, if the record's engine comes to the same poses."
        ),
    )
    parser.any_order = True
    parser.add_argument("file", metavar="FILE", type=Path, help="a record (.jsonl)")
    parser.add_argument("out", metavar="OUT", nargs="*", type=Path, help="the files to write (default: FILE with .html)")
    parser.add_argument("--ply", type=int, metavar="N", help="stop after this ply; a .gif of pieces in space films it")
    parser.add_argument(
        "--film",
        choices=("physics", "blend"),
        help="how pieces come to rest in .html, .glb and films: as physics moved them, or by a blend of the poses before and "
        "after (default: physics, and a blend for plies in which the engine comes to other poses here)",
    )
    add_components(parser, ", for records that name none")
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Writes each file; raises InputError, and the errors of replaying the record."""
    from rules.record import read
    from shutoko.export.share import KINDS, share
    from shutoko.own_box import keep_beside_record, with_box

    outs = args.out or [with_suffix(args.file, ".html")]
    for out in outs:
        if out.suffix.lstrip(".").lower() not in KINDS:
            raise InputError(f"{out}: unknown suffix; choose from {', '.join(f'.{kind}' for kind in KINDS)}")
        if same_file(out, args.file):
            raise InputError(f"{out}: this would overwrite the record; name another file")
    record = with_box(read(args.file), args.components)
    warn(record.warnings)
    for out in outs:
        with waiting(f"making {out.name}", quiet=args.json):
            kind = out.suffix.lstrip(".").lower()
            shared = keep_beside_record(record, out.parent) if kind == "jsonl" else record
            data = share(shared, kind, args.ply, args.film, lambda line: warn([line]))
        try:
            out.write_bytes(data)
        except OSError as error:
            raise InputError(f"{out}: cannot be written: {error.strerror or error}") from error
        if not args.json:
            print(f"wrote {out}: {len(data)} bytes")
    if args.json:
        emit({"file": str(args.file), "wrote": [str(out) for out in outs]})
    return 0
