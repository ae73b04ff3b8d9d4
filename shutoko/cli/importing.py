"""`shutoko import`: makes a record of a game that another program has kept."""

import argparse
import sys
from pathlib import Path

from rules.errors import InputError, RecordError
from rules.near import gone
from shutoko.cli.common import command, emit, option, options_of, same_file
from shutoko.cli.common.errors import tell
from shutoko.cli.common.records import STANDARD, given_bytes, warn

MOST = 2**24
"""Bytes that a game of another program may have."""


@command(
    "import",
    [
        option("file", metavar="FILE", type=Path, help="the game; - is standard input"),
        option(
            "out",
            metavar="OUT",
            nargs="?",
            type=Path,
            help="the record (.jsonl; default: standard output); of several games NAME-1.jsonl, "
            "NAME-2.jsonl and so on",
        ),
        option(
            "--format",
            metavar="FORMAT",
            help="the format, such as abstractplay or ludii (default: as the game looks)",
        ),
        option(
            "--option",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="what the game does not tell, such as size=6 for a list of moves of AbstractPlay",
        ),
    ],
    any_order=True,
    help="make a record of a game that another program has kept",
    description="Reads a game of another program, such as a report of AbstractPlay or a trial "
    "of Ludii, "
    "and writes it as a record. The games are played again by the rules: the record warns "
    "where the other program judged otherwise. Other packages can bring formats of their "
    "own.",
)
def run(args: argparse.Namespace) -> int:
    """Writes the records. Raises InputError, RecordError and UnavailableError."""
    from rules.record.foreign import foreign, recognised

    out: Path | None = None if args.out is None or args.out == STANDARD else args.out
    if out is not None and args.file != STANDARD and same_file(out, args.file):
        raise InputError(f"{out}: this would overwrite the game; name another file")
    text = _text(args.file)
    name = "standard input" if args.file == STANDARD else str(args.file)
    try:
        kind = args.format or recognised(text)
        games = foreign(kind).split(text)
    except InputError as error:
        hint = "" if args.format else gone("format", args.file.suffix.removeprefix("."))
        raise InputError(f"{name}: {error}{hint}") from error
    if len(games) == 1:
        _import(games[0], name, kind, out, args)
        return 0
    worst = 0
    for number, game in enumerate(games, 1):
        place = None if out is None else out.with_name(f"{out.stem}-{number}{out.suffix}")
        try:
            _import(game, f"{name}: game {number}", kind, place, args)
        except InputError as error:  # the games after this one are read all the same
            worst = max(worst, tell(error, file=args.file))
    return worst


def _import(text: str, name: str, kind: str, out: Path | None, args: argparse.Namespace) -> None:
    """Writes the record of one game."""
    from rules.record import dumps, write
    from rules.record.foreign import import_game

    try:
        record = import_game(text, kind, options_of(args.option))
    except RecordError as error:
        raise RecordError(error.reason, name, error.line, error.ply) from error
    except InputError as error:
        raise InputError(f"{name}: {error}") from error
    warn(record.warnings)
    data = dumps(record)
    if out is not None:
        write(record, out, fresh=False)
    if args.json:
        header = record.header
        emit(
            {
                "file": str(args.file),
                "format": kind,
                "game": header.game,
                "players": list(header.players),
                "plies": record.next_ply,
                "ended": None if record.end is None else str(record.end.reason),
                "warnings": list(record.warnings),
                "wrote": None if out is None else str(out),
                "record": None if out is not None else data.decode().splitlines(),
            }
        )
    elif out is None:
        sys.stdout.write(data.decode())
    else:
        print(f"wrote {out}: {record.next_ply} plies of {record.header.game} from {kind}")


def _text(path: Path) -> str:
    try:
        return given_bytes(path, MOST).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not a text in UTF-8: {error}") from error
