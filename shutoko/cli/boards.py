"""What the commands share that handle grid games: naming a game with its options, and replaying their records."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rules.errors import InputError
from shutoko.cli.common import add_option, emit, options_of, progress

if TYPE_CHECKING:
    from rules.game import Game, GridState
    from rules.record import Record

__all__ = ["add_game", "chosen", "replay"]

_TABLE_ONLY = (
    "engine",
    "recorded",
    "png",
    "film",
    "labels",
    "slots",
    "explain",
)  # options of `replay` that grid games have no use for


def add_game(parser: argparse.ArgumentParser) -> None:
    """Give a command a grid game with its options; `chosen(args)` is that game then."""
    parser.add_argument("game", metavar="GAME", help="meridians, thruway or another grid game that is installed")
    parser.add_argument("--size", type=int, metavar="N", help="of the board (default: the game's own)")
    add_option(parser)


def chosen(args: argparse.Namespace) -> Game[GridState[Any]]:
    """The grid game that the arguments name. Raises InputError."""
    from rules.game import game

    options = options_of(args.option if args.size is None else [f"size={args.size}", *args.option])
    made = game(args.game, **options)
    if not hasattr(made.start(), "legal_moves"):
        raise InputError(f"{args.game} is not played on a board of cells: its moves cannot be listed")
    return made


def replay(path: Path, record: Record, args: argparse.Namespace) -> int:
    """Plays a record of a grid game again: a line a ply and the board at the end, and with `--svg` a picture of it."""
    from rules.grid.text import drawn
    from rules.record.replay import begin, steps
    from shutoko.export.board import named

    for name in _TABLE_ONLY:
        if getattr(args, name):
            raise InputError(f"--{name} is for Tokyo Highway; {path} is a game of {record.header.game}")
    state: Any = begin(record)[1]
    if not args.json:
        options = "".join(f", {name} = {_plain(value)}" for name, value in record.header.options.items())
        print(f"{path}: {record.header.game}, {' against '.join(record.header.players)}{options}")
    last, cells = -1, list[str]()
    for step in progress(steps(record), path.name, total=len(record.entries)):
        if args.ply is not None and step.entry.ply > args.ply:
            break
        entry, state, last = step.entry, step.after, step.entry.ply
        if args.json:
            emit({"file": str(path), "ply": entry.ply, "by": entry.by, "do": entry.do, "got": step.got()})
        else:
            print(step)
            if entry.note:
                print(f"        note: {entry.note}")
        if entry.taken_back:
            state = step.before
        else:
            cells = named(str(entry.do))
    if args.ply is not None and last < args.ply:
        raise InputError(f"{path}: the record has no ply {args.ply}; it has {record.next_ply}")
    if not args.json:
        print(drawn(state.board_text(), cells))
        print(_ending(state, record))
    if args.svg:
        _draw(state, cells, args.svg, f"{record.header.game} after ply {last}" if last >= 0 else record.header.game)
        if not args.json:
            print(f"wrote {args.svg}")
    return 0


def _ending(state: Any, record: Record) -> str:
    outcome, players = state.outcome(), record.header.players
    if outcome is None:
        return f"unfinished: {players[state.to_move]} is to move, with {'ox'[state.side]}"
    if not outcome.winners:
        return f"end: {outcome.reason}: nobody wins"
    return f"end: {outcome.reason}: {players[outcome.winners[0]]} wins"


def _draw(state: Any, cells: list[str], out: Path, title: str) -> None:
    from shutoko.export.board import svg

    try:
        out.write_text(svg(state.board_text(), cells, title), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{out}: cannot be written: {error.strerror or error}") from error


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
