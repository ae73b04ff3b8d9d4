"""`shutoko replay` for games on a board: a line for every ply, and the board at the end."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from rules import defaults
from rules.errors import InputError
from rules.game import Game, Outcome, Reason
from rules.record import Record
from rules.record.replay import Step, steps
from rules.view import BoardView
from shutoko.cli.common import emit, progress
from shutoko.plain import plain_line
from shutoko.terminal.board import drawn, player_of, seen

# options for pieces in space
_TABLE_ONLY = (
    "engine",
    "recorded",
    "png",
    "film",
    "labels",
    "slots",
    "explain",
    "at_rest",
    "close",
)


def replay(
    path: Path, record: Record, made: Game[Any], start: Any, args: argparse.Namespace
) -> int:
    """Plays a record again: prints a line for every ply, then the board, and draws it with
    `--svg`.
    """
    for name in _TABLE_ONLY:
        if getattr(args, name):
            raise InputError(
                f"--{name.replace('_', '-')} is for games with pieces in space; {path} is a game "
                f"of {made.name}, on a board"
            )
    if not args.json:
        options = "".join(
            f", {name} = {_plain(value)}" for name, value in record.header.options.items()
        )
        print(
            f"{plain_line(str(path))}: {made.name}, "
            f"{' against '.join(record.header.players)}{options}"
        )
    before, state, last, shown = None, start, None, -1
    for step in progress(steps(record), path.name, total=len(record.entries), quiet=args.json):
        if args.ply is not None and step.ply > args.ply:
            break
        _show(path, made, step, as_json=args.json)
        shown = step.ply
        if not step.entry.taken_back:
            before, state, last = step.before, step.after, step
    view = seen(made, state, before, None if last is None else str(last.entry.do))
    if not args.json:
        print(drawn(view).plain if isinstance(view, BoardView) else state)
        whole = args.ply is None or args.ply >= record.next_ply - 1
        print(_ending(made, state, record, is_drawn=view is not None, whole=whole))
    if args.svg:
        _draw(view, args.svg, made.name if shown < 0 else f"{made.name} after ply {shown}")
        if not args.json:
            print(f"wrote {args.svg}")
    return 0


def _show(path: Path, made: Game[Any], step: Step, *, as_json: bool) -> None:
    entry = step.entry
    if as_json:
        emit(
            {"file": str(path), "ply": entry.ply, "by": entry.by, "do": entry.do, "got": step.got()}
        )
        return
    first, *others = defaults.describe(made, step)
    refused = f": {step.refusal}" if step.refusal else ""
    print(f"ply {step.ply:>2}  {first}{f'  (taken back{refused})' if entry.taken_back else ''}")
    for text in [*others, *([f"note: {entry.note}"] if entry.note else [])]:
        print(f"        {text}")


def _ending(made: Game[Any], state: Any, record: Record, *, is_drawn: bool, whole: bool) -> str:
    outcome, players, end = state.outcome(), record.header.players, record.end
    if outcome is None and whole and end is not None and end.reason == Reason.RESIGNED:
        outcome = Outcome(end.ranks[0], Reason.RESIGNED, end.ranks)  # out of turn, so no ply
    if outcome is None:
        seat = state.to_move
        return (
            f"unfinished: {players[seat]} ({player_of(made, state, seat, sign=is_drawn)}) is to "
            "move"
        )
    winners = " and ".join(players[seat] for seat in outcome.winners)
    return f"end: {outcome.reason}: {f'{winners} wins' if winners else 'nobody wins'}"


def _draw(view: Any, out: Path, title: str) -> None:
    from shutoko.export.board import svg

    if view is None:
        raise InputError(
            f"{out}: {title} cannot be drawn, because the game has no view of its positions"
        )
    try:
        out.write_text(svg(view, title=title), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{out}: cannot be written: {error.strerror or error}") from error


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
