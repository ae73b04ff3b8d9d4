"""Plays a record of Tokyo Highway again ply by ply, fills in its verdicts, or branches off.

`steps` judges every ply anew and goes on from that judgement, so after one that ends otherwise than
recorded the game is another one. `trusted` goes by the poses of the record. Both raise for unusable
input and for illegal plies, with file, line and ply. `sim.game.verify` compares instead.
"""

import platform
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from rules import defaults
from rules.errors import InputError, RecordError
from rules.record import Entry, Header, Record
from rules.record.replay import begin as begin_game, filled, played
from sim import referee
from sim.bodies import Pose, SettleResult
from sim.game.attempts.posing import as_it_lies
from sim.game.ply import Attempt, JudgedStep, judge_checked
from sim.game.putting import put_elsewhere
from sim.game.rest import check_layout
from sim.game.sources import (
    Nominal,
    Observed,
    PoseSource,
    Recorded,
    Simulated,
    Told,
    pose_source,
)
from sim.physics import engines
from sim.records import unused
from sim.referee import (
    Adjust,
    Checked,
    Close,
    Names,
    Placement,
    Put,
    Ruleset,
    Table,
    in_short,
    letter,
    placement_of,
    with_cars_seen,
)
from sim.referee.placement import car_spots, pieces_told, puts, restored_poses
from sim.referee.verdict import told_breaches

Step: TypeAlias = JudgedStep[Table]
"""One line of a record judged anew, between the table before it and the table after it."""


def begin(record: Record) -> Table:
    """The table before ply 0, by the game of the header. Raises RecordError, naming line 1, for a
    header that makes no table.
    """
    made, state = begin_game(record)
    found = defaults.table(made, state)
    if not isinstance(found, Table):
        raise RecordError(f"the game is {made.name}, not tokyo-highway", record.path, 1)
    return found


def opening(record: Record) -> Table:
    """The table that a header of Tokyo Highway describes. Raises RecordError as `begin` does."""
    header = record.header
    try:
        options, seats, box = dict(header.options), len(header.players), box_of(record)
        # first: an unknown option could be an argument below
        Ruleset.named(header.ruleset, **options)
        if header.start is not None:
            table = Table.from_layout(header.start, seats, header.ruleset, box, **options)
        else:
            table = Table.start(seats, header.ruleset, box, **options)
        return as_it_lies(replace(table, tolerance=header.off_by))
    except InputError as error:
        raise RecordError(str(error), record.path, 1) from error


def box_of(record: Record) -> str | None:
    """The components that the header names. A player's own file is named by its path: it lies
    beside the record, or in the current folder if the record has no file. None if the header names
    none.
    """
    named = record.header.components
    if named is None or not named.endswith(".toml"):
        return named
    return str(Path(record.path or "").parent / named)


def steps(record: Record, engine: str | None = None, *, watched: bool = False) -> Iterator[Step]:
    """Plays a record ply by ply. Each ply is judged anew, and the game goes on from that judgement.

    `engine` is `bullet`, `mujoco` or `none`. Left out, it is the header's engine if that is
    installed, else the best that is. With `none` pieces stay at their nominal poses and nothing
    falls, so there are no penalties that only physics would cause. If `watched`, attempts keep
    their trajectories. Raises RecordError for unusable input and IllegalPlyError for an illegal ply
    that is not marked as taken back.
    """
    return _played(record, pose_source(engine or engine_of(record.header), watched=watched))


def trusted(record: Record) -> Iterator[Step]:
    """Plays a record on its own settled poses (`got.moved`), or nominal ones where it has none:
    without an engine, in milliseconds per ply.

    Raises what `steps` raises.
    """
    return _played(record, None)


def judged(record: Record, entry: Entry, table: Table) -> Step:
    """Judges a ply of a record on the table before it, with the ply's own poses, as `trusted` does.
    Raises RecordError.
    """
    return judge_entry(record, entry, opened(record, entry, table), None)


def watched(record: Record, entry: Entry, table: Table) -> Step | None:
    """Settles a ply of a record again on the table before it, with trajectories kept in its
    attempts.

    None unless the engine of the header is installed and reaches exactly the poses and the digest
    of the record. Raises RecordError for unusable input.
    """
    engine = (record.header.physics or {}).get("engine")
    if engine not in engines.available() or is_seen(record, entry):
        return None
    source = pose_source(engine, watched=True)
    step = judge_entry(record, entry, opened(record, entry, table), source)
    every = [*(given.get("got") for given in entry.tries or ()), entry.got]
    made = [*(attempt.got() for attempt in step.attempts[:-1]), step.got()] if step.attempts else []
    same = [one.get("moved") for one in made] == [
        (got or {}).get("moved") for got in every
    ] and step.after.digest() == (entry.got or {}).get("digest")
    return step if same and any(attempt.takes for attempt in step.attempts) else None


def fill(record: Record, engine: str | None = None) -> Record:
    """The record with a fresh `got` for every ply, the physics that made it in the header, and the
    end if the game is over.

    Raises what `steps` raises.
    """
    name = engine or engine_of(record.header)
    physics = None if name == "none" else physics_header(name)
    header = replace(record.header, physics=physics)
    return filled(replace(record, header=header), begin(record), steps(record, name))


def branch(record: Record, ply: int) -> Record:
    """The record cut off before `ply`, to be continued differently. Raises InputError for a ply
    that it does not reach.
    """
    if not 0 <= ply <= record.next_ply:
        raise InputError(
            f"the record has plies 0 to {record.next_ply - 1}; it cannot be branched at {ply}"
        )
    kept = tuple(entry for entry in record.entries if entry.ply < ply)
    notes = tuple(note for note in record.notes if note.after <= len(kept))
    return replace(record, entries=kept, notes=notes, end=None)


def physics_header(engine: str) -> dict[str, Any]:
    """The `physics` of a header for an engine as it runs here."""
    made = engines.engine(engine)
    return {
        "engine": made.name,
        "version": made.version,
        "params": made.params,
        "platform": f"{sys.platform}-{platform.machine()}",
    }


# --- one entry ------------------------------------------------------------------------------------


def _played(record: Record, source: PoseSource | None) -> Iterator[Step]:
    parted = ""  # where the game began to differ from the record

    def judge(table: Table, entry: Entry) -> Step:
        nonlocal parted
        try:
            step = judge_entry(record, entry, opened(record, entry, table), source)
        except RecordError as error:
            raise RecordError(
                f"{error.reason}{parted}", record.path, entry.line, entry.ply
            ) from error
        if step.refusal is not None and not entry.taken_back:
            return replace(step, refusal=step.refusal + parted)
        parted = parted or _parting(step, source)
        return step

    table = begin(record)
    check_start(record, table, source)
    yield from played(record, table, judge)


def check_start(record: Record, table: Table, source: PoseSource | None) -> None:
    """Raises RecordError, naming line 1, for a `start` layout that an engine is to judge and that
    does not stand.
    """
    if record.header.start is None or record.header.observed or not isinstance(source, Simulated):
        return
    try:
        check_layout(table, source.engine)
    except InputError as error:
        raise RecordError(str(error), record.path, 1) from error


def _parting(step: Step, source: PoseSource | None) -> str:
    """The clause to add to a later refusal if other pieces fell at a ply than in the record."""
    said = sorted((step.entry.got or {}).get("fallen", ()))
    if source is None or said == sorted(step.verdict.fallen) or not step.verdict.legal:
        return ""
    why = (
        "on geometry alone nothing falls"
        if isinstance(source, Nominal)
        else "other pieces fall here"
    )
    return (
        f"; the game depends on what fell in ply {step.entry.ply}, and {why}: use replay --recorded"
    )


def opened(record: Record, entry: Entry, table: Table) -> Checked:
    """The placement of an entry, read and checked on the table before it. Raises RecordError,
    naming file, line and ply.
    """

    def refuse(reason: str) -> RecordError:
        return RecordError(reason, record.path, entry.line, entry.ply)

    if table.outcome() is not None:
        raise refuse("the game is over, nobody is to move")
    try:
        placement = placement_of(entry.do, entry.by)
    except InputError as error:
        raise refuse(getattr(error, "reason", str(error))) from error
    if entry.by != table.to_move and not isinstance(placement, Adjust):
        names = Names(record.header.players)
        raise refuse(
            f"{names.does(entry.by, 'moves')} out of turn; {names.does(table.to_move, 'is')} to "
            "move"
        )
    if entry.got is None:
        for _, why in unused_keys(record, entry, placement):
            raise refuse(why)
    if len(entry.tries or ()) > table.ruleset.redo:
        raise refuse(
            f"{len(entry.tries or ())} failed tries are recorded, but a build is tried again "
            f"{table.ruleset.redo} times at most"
        )
    return referee.check(table, placement)


def unused_keys(record: Record, entry: Entry, placement: Placement) -> Iterator[tuple[str, str]]:
    """See `sim.records.unused`; a ply that was taken back keeps all that was said of it."""
    found = unused(entry, placement.kind, seen=is_seen(record, entry))
    return iter(()) if entry.taken_back else found


def is_seen(record: Record, entry: Entry) -> bool:
    """Whether people saw what came of the ply."""
    return entry.observed is not None or record.header.observed


def as_told(record: Record, step: Step, checked: Checked) -> Step:
    """An entry by the record's own word: the pieces fell, the cars stand and the discs were paid as
    its `got` says, whatever the referee makes of its poses. What `got` leaves out is as in `step`,
    the judgement of the entry on these. Raises what `judge_entry` raises.
    """
    entry = step.entry
    found, said = step.got(), entry.got or {}
    told = Told(
        said.get("built", "placed" in said or found.get("built", True)),
        tuple(said.get("fallen", found.get("fallen", ()))),
        said.get("placed", found.get("placed", 0)),
    )
    paid = {
        seat: {"to": seat} for seat in range(len(step.players)) if seat != checked.table.to_move
    }
    for item in said.get("paid", found.get("paid", ())):
        paid[item["to"]] = {
            key: item[key] for key in ("to", "grey", "yellow", "roads") if key in item
        }
    entry = replace(entry, pay=list(paid.values()), accepted=True)
    return judge_entry(record, entry, checked, None, told)


def judge_entry(
    record: Record,
    entry: Entry,
    checked: Checked,
    source: PoseSource | None,
    told: Told | None = None,
) -> Step:
    """Judges an entry by a pose source, or by the recorded poses if `source` is None; then `told`
    may say what came of its last try.

    Raises RecordError, naming file, line and ply, for an entry that cannot be used.
    """
    seen = entry.observed or {}
    # how it was paid goes with what fell, and other pieces may fall here
    fixed = source is None or is_seen(record, entry)
    try:
        moved = puts(seen)
        tries = _attempts_of(entry, record, source, moved, told)
        _check_poses(entry, checked)
        if "cars" in seen:
            checked = with_cars_seen(checked, seen["cars"])
        verdict, after, attempts = judge_checked(
            checked, tries, entry.pay, accepted=bool(entry.accepted), fixed=fixed and told is None
        )
        if moved and verdict.legal:
            verdict, after = replace(verdict, put=moved), put_elsewhere(after, moved)
    except InputError as error:
        raise RecordError(
            getattr(error, "reason", str(error)), record.path, entry.line, entry.ply
        ) from error
    table, placement = checked.asked.table, checked.asked.placement
    players = record.header.players
    why = [fault.sentence for fault in verdict.faults]
    refusal = None if verdict.legal else in_short(why, names=Names(players))
    last = tries[-1].source
    settled = last if attempts and isinstance(last, Simulated) else None
    return JudgedStep(entry, placement, table, after, refusal, players, verdict, attempts, settled)


def _check_poses(entry: Entry, checked: Checked) -> None:
    """Raises InputError for a piece whose pose the entry or one of its tries records, though it
    neither stood there nor could be built.
    """
    told = [one.get("got") or {} for one in (*(entry.tries or ()), {"got": entry.got})]
    grown = checked.grown or checked.table
    there = checked.asked.table.piece_ids | checked.table.piece_ids | grown.piece_ids
    cars = f"{letter(checked.table.to_move)}-C"
    named = sorted({piece for got in told for piece in got.get("moved") or ()} - there)
    for piece in named:
        if not piece.startswith(cars):
            raise InputError(f"got.moved names {piece}, but there is no such piece on the table")


def _attempts_of(
    entry: Entry,
    record: Record,
    source: PoseSource | None,
    moved: Sequence[Put],
    told: Told | None,
) -> list[Attempt]:
    """The attempts of an entry, its own last, with what people put elsewhere (`moved`). Without a
    pose source the record's own poses are trusted, or all that it says if it has `told` the last.
    """
    failed = [one.get("got") or {} for one in entry.tries or ()]
    hands = [*(one.get("hand") or () for one in entry.tries or ()), entry.hand or ()]
    fell = [tuple(got.get("fallen", ())) for got in failed]
    sources: list[PoseSource]
    if is_seen(record, entry):
        # for each try people noted that it failed, and what fell in it
        sources = [
            Observed(fallen, stands=False, touched=_touched(got))
            for fallen, got in zip(fell, failed, strict=True)
        ]
        observed, said = entry.observed or {}, {**(entry.got or {}), **(entry.claim or {})}
        last = Observed(
            tuple(observed.get("fallen", ())),
            cars=said.get("cars"),
            placed=said.get("placed"),
            put=observed.get("cars"),
            touched=tuple(observed.get("touched", ())),
            kept=tuple(put.piece for put in moved),
        )
        sources.append(last)
    elif source is not None:
        sources = [source] * len(hands)
    else:
        outcomes = [told and Told(False, fallen, 0) for fallen in fell]
        gots = [*failed, entry.got or {}]
        sources = [_trusted(*one) for one in zip(gots, [*outcomes, told], strict=True)]
    return [Attempt(one, hand) for one, hand in zip(sources, hands, strict=True)]


def _touched(got: Mapping[str, Any]) -> tuple[str, ...]:
    """The buildings that the hand touched, as a `got` says."""
    return pieces_told(got, "x-touched", "buildings, as X0", "X")


def _trusted(told: Mapping[str, Any], outcome: Told | None) -> PoseSource:
    moved, said = told.get("moved", None if outcome is None else {}), told.get("close")
    if moved is None:
        return Nominal()
    came = SettleResult(
        {piece: Pose.from_list(numbers) for piece, numbers in moved.items()},
        _touched(told),
        tuple(str(piece) for piece in told.get("restless", ())),
        restored_poses(told),
        pieces_told(told, "x-mended", "pieces, as A-R1"),
    )
    return Recorded(
        came,
        car_spots(told),
        None
        if said is None
        else Close(said["starts"], said["differs"], tuple(said.get("pieces", ()))),
        told_breaches(told),
        outcome,
    )


def engine_of(header: Header) -> str:
    """The engine of a header if it is installed, else the best that is."""
    wanted = (header.physics or {}).get("engine")
    return str(wanted) if wanted in engines.available() else engines.default()
