"""What `shutoko replay` prints of every ply: a line and the board at the end for a game on a board;
for pieces in space what the referee explains and how physics settles it, with pictures and films.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rules import defaults
from rules.errors import InputError
from rules.game import Game, Outcome, Reason
from rules.record import Record
from rules.record.replay import IllegalPlyError, Step, steps
from rules.view import BoardView
from shutoko.cli.common import counting, emit, progress
from shutoko.cli.common.errors import tell
from shutoko.plain import plain_line
from shutoko.terminal.board import drawn, player_of, seen

if TYPE_CHECKING:
    from sim.game import AtRest
    from sim.game.replay import Step as JudgedPly
    from sim.referee import Table
    from sim.referee.explain import Reason as Why

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


def on_board(
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
        _show_move(path, made, step, as_json=args.json)
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


def _show_move(path: Path, made: Game[Any], step: Step, *, as_json: bool) -> None:
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


# --- pieces in space ------------------------------------------------------------------------------


def of_pieces(path: Path, record: Record, args: argparse.Namespace) -> int:
    """Plays a record again: prints what the referee says of every ply, and draws what the options
    ask for.
    """
    from sim.game import at_rest, close_call
    from sim.game.replay import begin, engine_of, steps as judged, trusted

    if args.svg:
        raise InputError(
            f"--svg is for games on a board; {path} is a game of {record.header.game}, which --png "
            "draws"
        )
    if args.close and (args.recorded or args.engine == "none" or record.header.observed):
        why = "people saw what came of its plies" if record.header.observed else "here none runs"
        raise InputError(f"{path}: --close asks an engine for equal starts, but {why}")
    table = begin(record)
    if not args.json:
        print(_heading(path, record, table.components.name))
    last: JudgedPly | None = None
    restless, close = 0, 0
    engine = args.engine or (engine_of(record.header) if args.at_rest else None)
    if args.at_rest and engine == "none":
        raise InputError(
            "--at-rest lets pieces go in an engine; with --engine none nothing can move; name "
            "bullet or mujoco"
        )
    played = (
        trusted(record)
        if args.recorded
        else judged(record, args.engine, watched=args.film is not None)
    )
    try:
        for step in progress(played, path.name, total=len(record.entries), quiet=args.json):
            if args.ply is not None and step.entry.ply > args.ply:
                break
            rest = (
                at_rest(step.after, engine) if args.at_rest and not step.entry.taken_back else None
            )
            restless += rest is not None and not rest.holds
            if args.close and step.source is not None:
                step = replace(step, verdict=replace(step.verdict, close=close_call(step)))
                close += step.verdict.close is not None
            _show_pieces(path, record, step, rest, as_json=args.json, whole=args.explain)
            last, table = step, step.before if step.entry.taken_back else step.after
    except IllegalPlyError as error:
        _show_illegal(path, error, args)
        return tell(error, printed=True)
    _finish(path, table, record.header.players, args)
    if args.png:
        from shutoko.export.picture import picture
        from sim.game import bodies

        picture(bodies(table), args.png, labels=args.labels)
    if args.film:
        _film(path, last, args.film, quiet=args.json)
    for made in (args.png, args.film):
        if made and not args.json:
            print(f"wrote {made}")
    if args.close and not args.json:
        print(f"close calls: {close}")
    if restless and not args.json:
        print(
            f"{restless} {'ply leaves' if restless == 1 else 'plies leave'} a table that is not at "
            "rest"
        )
    return 1 if restless else 0


def _heading(path: Path, record: Record, box: str) -> str:
    header = record.header
    seats = ", ".join(f"{name} ({'ABCD'[seat]})" for seat, name in enumerate(header.players))
    options = "".join(f", {name} = {str(value).lower()}" for name, value in header.options.items())
    name = plain_line(str(path))
    return f"{name}: {header.game}, {seats}; rule set {header.ruleset}{options}, components {box}"


def _show_pieces(
    path: Path, record: Record, step: JudgedPly, rest: AtRest | None, *, as_json: bool, whole: bool
) -> None:
    from sim.game.replay import unused_keys

    entry, reasons = step.entry, _reasons(record, step)
    if as_json:
        line: dict[str, Any] = {
            "file": str(path),
            "ply": entry.ply,
            "by": entry.by,
            "do": entry.do,
            "got": step.got(),
        }
        line["why"] = [reason.to_json() for reason in reasons]
        if rest is not None:
            line["at_rest"] = rest.to_json()
        emit(line)
        return
    first, *others = _told(record, step, reasons, whole=whole)
    print(f"ply {entry.ply:>2}  {first}")
    for text in others:
        print(f"        {text}")
    for _, text in unused_keys(record, entry, step.placement):
        print(f"        {text}")
    if entry.note:
        print(f"        note: {entry.note}")
    print(f"        {_left(record, step)}")
    if rest is not None:
        print(f"        {rest}")


def _show_illegal(path: Path, error: IllegalPlyError, args: argparse.Namespace) -> None:
    """Prints every fault of a ply; the message of the error has only the first."""
    if args.json:
        emit({"file": str(path), "ply": error.ply, "faults": list(error.faults)})
    elif args.explain:
        print(f"ply {error.ply:>2}  illegal: {error.faults[0]}")
        for fault in error.faults[1:]:
            print(f"        illegal: {fault}")


def _told(record: Record, step: JudgedPly, reasons: Sequence[Why], *, whole: bool) -> list[str]:
    """The sentences on a ply; the first one names the player."""
    from sim.referee import Names

    texts = [reason.whole if whole else reason.text for reason in reasons]
    if step.verdict.legal:
        return texts
    first, *others = texts if whole else [f"illegal: {step.refusal}"]
    return [f"{Names(record.header.players)(step.entry.by)}: {first}", *others]


def _reasons(record: Record, step: JudgedPly) -> tuple[Why, ...]:
    """What the referee says of a ply. Where the poses of its pieces are recorded, also whether they
    look balanced.
    """
    from sim.game.stability import balance_line, tipping
    from sim.referee.explain import explain

    lines = explain(step.before, step.placement, step.verdict, record.header.players)
    if not step.verdict.built or step.verdict.moved is None:
        return lines
    failure = tipping(step.before, step.after)
    return lines if failure is None else (*lines, balance_line(failure))


def _left(record: Record, step: JudgedPly) -> str:
    """What every player has left; only the first entry says what the numbers count."""
    from sim.referee import Names, counted

    names = Names(record.header.players)
    table = step.before if step.entry.taken_back else step.after
    numbers = [
        (names(seat), stock.cars, f"{stock.grey}+{stock.yellow}", stock.roads)
        for seat, stock in enumerate(table.stocks)
    ]
    (who, cars, discs, roads), *others = numbers
    first = f"left: {who} {counted(cars, 'car')}, {discs} discs, {counted(roads, 'road')}"
    return "; ".join(
        [first, *(f"{who} {cars}, {discs}, {roads}" for who, cars, discs, roads in others)]
    )


def _finish(path: Path, table: Table, players: Sequence[str], args: argparse.Namespace) -> None:
    from sim.referee import Names, slots

    names = Names(tuple(players))
    if args.json:
        if args.slots:
            emit({"file": str(path), "slots": [slot.to_json() for slot in slots(table, players)]})
        return
    if args.slots:
        for slot in slots(table, players):
            print(slot.text)
        if table.ruleset.freeze == "next_pillar" and table.adjustable():
            print(
                f"not frozen yet (freeze = {table.ruleset.freeze}): {', '.join(table.adjustable())}"
            )
    outcome = table.outcome()
    if outcome is not None:
        ranks = "; ".join(
            f"{place}. {' and '.join(map(names, group))}"
            for place, group in enumerate(outcome.ranks, 1)
        )
        print(f"end: {outcome.reason}: {ranks}")
    else:
        print(f"unfinished: {names.does(table.to_move, 'is')} to move")


def _film(path: Path, step: JudgedPly | None, out: Path, *, quiet: bool) -> None:
    from shutoko.export.film import film, ply_frames

    if step is None:
        raise InputError(f"{path}: there is no ply to film")
    frames = ply_frames(step.before, step.placement, step.verdict, step.after, step.attempts)
    with counting(f"making {out.name}", quiet=quiet) as drawn:
        film(frames, out, on_frame=drawn)
