"""`shutoko export`: makes a picture, an animation, an offline page or a model of a record."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rules.errors import InputError
from rules.files import STANDARD_INPUT
from rules.near import gone, meant
from shutoko.cli.common import (
    check_place,
    command,
    components,
    counting,
    emit,
    option,
    same_file,
    with_suffix,
)
from shutoko.cli.common.records import STANDARD, read_record, warn
from shutoko.cli.common.workers import workers

if TYPE_CHECKING:
    from rules.record import Record

_CLIPS = ("gif", "mp4")


@command(
    "export",
    [
        option(
            "file", metavar="FILE", type=Path, help="a record (.jsonl; - is the standard input)"
        ),
        option(
            "out",
            metavar="OUT",
            nargs="*",
            type=Path,
            help="the files to write (default: FILE with .html)",
        ),
        option(
            "--ply",
            type=int,
            metavar="N",
            help="stop after this ply; a film of pieces in space shows it",
        ),
        option(
            "--clip",
            action="store_true",
            help="a clip of one ply (.gif or .mp4) to send to friends: small and quickly "
            "made, with the names and the score in the picture; --ply chooses the ply "
            "(default: the last)",
        ),
        option(
            "--film",
            choices=("physics", "blend"),
            help="how pieces come to rest in .html, .glb and films: as physics moved them, or by a "
            "blend of the poses before and "
            "after (default: physics, and a blend for plies in which the engine comes to "
            "other poses here)",
        ),
        option(
            "--format",
            metavar="FORMAT",
            help="write the game for another program, such as abstractplay or ludii; OUT may "
            "be - for standard output "
            "(default for .trl: ludii)",
        ),
        components(", for records that name none"),
    ],
    any_order=True,
    help="make a picture, a film, an offline page or a model of a record",
    description="Turn a record into a file that you can share. The suffix says what it is: "
    ".png, .svg (boards), .gif, .mp4, .html "
    "(a page that plays the game offline), .glb (an animated model of pieces in space), "
    ".xml (MJCF, for MuJoCo), "
    ".jsonl (the record). Pieces lie where the record says. Films show how they "
    "came to rest there, if the "
    "record's engine comes to the same poses. With --format the game is written for "
    "another program.",
)
def run(args: argparse.Namespace) -> int:
    """Writes each file; raises InputError, UnavailableError, and the errors of replaying the
    record.
    """
    if args.file.suffix.lower() == ".toml":
        raise InputError(f"{args.file}: a file of components is no record{gone('export', '.stl')}")
    wrote = _shared(args) if args.format is None else _foreign(args)
    if args.json:
        emit({"file": str(args.file), "wrote": [str(out) for out in wrote]})
    return 0


def _shared(args: argparse.Namespace) -> list[Path]:
    """Makes files of a record. Raises InputError for whatever can be refused before it makes the
    first one.
    """
    from rules.record.foreign import format_of_suffix
    from shutoko.export.share import KINDS, check

    if str(args.file) == STANDARD_INPUT and not args.out:
        raise InputError(
            "a record from the standard input has no name to go by; name the file to write"
        )
    outs: list[Path] = args.out or [with_suffix(args.file, ".gif" if args.clip else ".html")]
    if (
        len(outs) == 1
        and not args.clip
        and _kind(outs[0]) not in KINDS
        and (known := format_of_suffix(outs[0].suffix))
    ):
        args.format = known
        return _foreign(args)
    for out in outs:
        _check_place(out, args.file, _CLIPS if args.clip else tuple(KINDS))
    record = read_record(args.file, args.components)
    for out in outs:
        if args.clip:  # loads what only pieces in space need
            from shutoko.export import clip

            clip.check(record, _kind(out), args.ply)
        else:
            check(record, _kind(out), args.ply)
    for out in outs:
        _write(out, _made(out, record, args), quiet=args.json)
    return outs


def _foreign(args: argparse.Namespace) -> list[Path]:
    """Writes a record for another program."""
    from rules.record.foreign import export_game, foreign

    for name in ("ply", "film", "components", "clip"):
        if getattr(args, name) not in (None, False):
            raise InputError(f"--{name} does not go with --format: the whole game is written")
    suffix = foreign(args.format).suffix
    if not args.out and args.file == STANDARD:
        args.out = [STANDARD]
    outs: list[Path] = args.out or [with_suffix(args.file, suffix)]
    for out in outs:
        if out != STANDARD:
            _check_place(out, args.file, None)
    text = export_game(read_record(args.file), args.format)
    for out in outs:
        if out != STANDARD:
            _write(out, text.encode(), quiet=args.json)
        elif not args.json:
            sys.stdout.write(text)
        else:
            raise InputError(
                "--json goes with a file: the game and the report cannot share standard output"
            )
    return outs


def _made(out: Path, record: Record, args: argparse.Namespace) -> bytes:
    from shutoko.export.share import share
    from shutoko.own_box import keep_beside_record

    kind = _kind(out)
    if args.clip:
        from shutoko.export.clip import clip

        return clip(record, kind, args.ply, args.film)
    with (
        counting(f"making {out.name}", quiet=args.json) as drawn,
        workers(os.cpu_count() or 1) as executor,
    ):
        shared = keep_beside_record(record, out.parent) if kind == "jsonl" else record
        return share(
            shared,
            kind,
            args.ply,
            args.film,
            lambda line: warn([line]),
            on_frame=drawn,
            executor=executor,
        )


def _check_place(out: Path, source: Path, kinds: tuple[str, ...] | None) -> None:
    """Refuses a file that cannot be made, before the work begins; `kinds` are the suffixes that can
    be, None for any.
    """
    if kinds is not None and _kind(out) not in kinds:
        near = gone("export", out.suffix) or meant(out.suffix, [f".{kind}" for kind in kinds])
        raise InputError(
            f"{out}: unknown suffix; choose from {', '.join(f'.{kind}' for kind in kinds)}{near}"
        )
    if same_file(out, source):
        raise InputError(f"{out}: this would overwrite the record; name another file")
    check_place(out)


def _kind(out: Path) -> str:
    return out.suffix.lstrip(".").lower()


def _write(out: Path, data: bytes, *, quiet: bool) -> None:
    try:
        out.write_bytes(data)
    except OSError as error:
        raise InputError(f"{out}: cannot be written: {error.strerror or error}") from error
    if not quiet:
        print(f"wrote {out}: {len(data)} bytes")
