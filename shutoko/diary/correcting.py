"""The places of a diary corrected by a photo: what it says of each place is written in place of
what people noted, and every ply is judged again.

What people did stays as it is: who moved, how many cars went down, what fell. Where the corrected
places make another verdict, the ply keeps the cars that were put down, and counts as accepted if
the rules would have refused it, as nobody did. What was noted before stays in the record, see
`shutoko.diary.past`.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rules.errors import InputError, RecordError, Refusal
from rules.record import End, Entry, Header, Record
from shutoko.diary.diary import Diary
from shutoko.diary.past import corrected_header, known_exactly, with_noted
from shutoko.diary.turn import with_cars
from sim.game import replay
from sim.game.replay import Step
from sim.languages import Sentence
from sim.referee import Adjust, Point, Table

if TYPE_CHECKING:
    from sim.photo.marks import Marks
    from sim.photo.matching import Found

_SURE, _LEAST, _MOST = 2.5, 3.0, 20.0  # a tolerance is so many sigmas, within mm


@dataclass(frozen=True, slots=True)
class Moved:
    """A corrected place: the piece (a road for its lower end), where it was noted and where it is,
    in mm.
    """

    piece: str
    was: Point
    now: Point

    @property
    def mm(self) -> float:
        """By how much the place changes."""
        return math.dist(self.was, self.now)


@dataclass(frozen=True, slots=True)
class Changed:
    """A ply whose verdict is another one with the corrected places."""

    was: Step
    now: Step

    def sentence(self) -> Sentence:
        """What changes."""
        entry, placed = self.now.entry, len(self.now.verdict.spots)
        counted = self.now.verdict.between or (self.now.verdict.earned,) * 2
        values = {
            "ply": entry.ply,
            "player": self.now.player,
            "was": _in_short(self.was),
            "now": _in_short(self.now),
            "put": placed,
        }
        same = self.now.verdict.built is None or counted[0] <= placed <= counted[1]
        return Sentence("note-changed" if same else "note-changed-put", values)


@dataclass(frozen=True)
class Correction:
    """A diary with the places of a photo: the `record`, its plies as they are judged now, and what
    that changes; `of` is the record before. `tolerance` is that before and now (mm).

    `unseen` are roads of the table that the photo does not show, `extra` roads in the marks that
    the diary does not have, `miscounted` pillars with another number of discs in the marks (id,
    noted, marked), `rough` what stands and is not shown, and `before` pieces that stood elsewhere
    from one ply to another; `doubts` is what looks wrong in the photo.
    """

    of: Record
    record: Record
    steps: tuple[Step, ...]
    moved: tuple[Moved, ...]
    changed: tuple[Changed, ...]
    unseen: tuple[str, ...]
    extra: tuple[str, ...]
    miscounted: tuple[tuple[str, int, int], ...]
    rough: tuple[str, ...]
    before: tuple[tuple[str, int, int], ...]
    tolerance: tuple[float, float]
    off: float
    doubts: tuple[tuple[str, Sentence], ...] = field(default=())

    def sentences(self) -> Iterator[Sentence]:
        """Every sentence of the comparison, the main one first."""
        first, *rest = self.said()
        yield first
        yield from self.places()
        yield from rest

    def places(self) -> Iterator[Sentence]:
        """By how much each place changes."""
        for one in self.moved:
            yield Sentence(
                "note-moved",
                {"piece": one.piece, "mm": one.mm, "at": one.was, "until": one.now},
            )

    def said(self) -> Iterator[Sentence]:
        """How much the photo shows, what is wrong with it, and which verdicts change."""
        roads = len(self.steps[-1].after.roads) if self.steps else 0
        yield Sentence(
            "note-photo-shows",
            {"seen": roads - len(self.unseen), "roads": roads, "mm": self.off},
        )
        if self.unseen:
            yield Sentence("note-unseen", {"roads": list(self.unseen)})
        if self.extra:
            yield Sentence("note-extra", {"roads": list(self.extra)})
        for piece, noted, marked in self.miscounted:
            yield Sentence("note-miscounted", {"piece": piece, "noted": noted, "marked": marked})
        for piece, why in self.doubts:
            yield Sentence("note-doubt", {"piece": piece, "why": why})
        rough, fine = self.tolerance
        if fine < rough:
            yield Sentence("note-finer", {"was": rough, "now": fine})
        elif rough > _LEAST and self.rough:
            yield Sentence("note-as-fine", {"mm": rough, "pieces": list(self.rough)})
        for piece, since, until in self.before:
            yield Sentence("note-before", {"piece": piece, "since": since, "ply": until})
        for changed in self.changed:
            yield changed.sentence()
        if not self.changed:
            yield Sentence("note-unchanged", {})

    def to_json(self) -> dict[str, Any]:
        """As plain values; lengths in mm."""
        return {
            "off": round(self.off, 2),
            "tolerance": list(self.tolerance),
            "moved": [
                {
                    "piece": one.piece,
                    "mm": round(one.mm, 1),
                    "was": list(one.was),
                    "now": list(one.now),
                }
                for one in self.moved
            ],
            "changed": [
                {"ply": one.now.entry.ply, "was": one.was.got(), "got": one.now.got()}
                for one in self.changed
            ],
            "unseen": list(self.unseen),
            "extra": list(self.extra),
            "miscounted": [list(one) for one in self.miscounted],
            "rough": list(self.rough),
            "before": [list(one) for one in self.before],
        }


def _in_short(step: Step) -> Sentence:
    verdict = step.verdict
    if verdict.faults:
        return Sentence("note-verdict-refused", {"why": verdict.faults[0].sentence})
    if verdict.between is not None:
        least, most = verdict.between
        return Sentence("note-verdict-close", {"least": least, "most": most})
    if verdict.built is None:
        return Sentence("note-verdict-allowed", {})
    return Sentence("note-verdict-cars", {"cars": verdict.earned})


# --- where each place was told --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Told:
    """Where the place of a piece was told: the place of its entry in the record, -1 for the layout
    that the game began from; `how` is `do` or `put`.
    """

    piece: str
    entry: int
    how: str


def _tellings(record: Record, steps: Sequence[Step]) -> Iterator[_Told]:
    """Every place that the record tells, in the order of the game."""
    start = record.header.start or {}
    for one in start.get("pillars", ()):
        yield _Told(str(one["id"]), -1, "do")
    for one in start.get("roads", ()):
        if any(isinstance(one.get(end), Mapping) for end in ("from", "to")):
            yield _Told(str(one["id"]), -1, "do")
    for one in start.get("buildings", ()):
        yield _Told(str(one["id"]), -1, "do")
    for n, step in enumerate(steps):
        if step.entry.taken_back:
            continue
        if isinstance(step.placement, Adjust):
            told = step.entry.do["adjust"] if not isinstance(step.entry.do, str) else {}
            last = [one for one in step.before.lasts if one.seat == step.entry.by]
            if last and ("pillar" in told or "to" in told):
                yield _Told(last[-1].pieces[0], n, "do")
        else:
            there = set(_standing(step.before))
            yield from (
                _Told(piece, n, "do") for piece in _standing(step.after) if piece not in there
            )
        for put in step.verdict.put:
            if put.kind in ("pillar", "road", "building"):
                yield _Told(put.piece, n, "put")


def _standing(table: Table) -> Iterator[str]:
    """The pieces whose place a move tells: pillars, buildings, and exits by their lower end."""
    yield from (pillar.id for pillar in table.pillars)
    yield from (building.id for building in table.buildings)
    yield from (road.id for road in table.roads if road.kind == "exit")


def _last_told(told: Sequence[_Told], table: Table) -> dict[str, _Told]:
    """Where the place at which a piece stands now was told, for all on the table."""
    found: dict[str, _Told] = {}
    for one in told:
        found[one.piece] = one
        if one.how == "put" and one.piece in table.pillar_by_id:
            # its roads went with it, so no line of theirs that was told before is theirs any more
            for road in table.roads:
                line = found.get(road.id)
                if line is not None and one.piece in road.pillars and line.entry < one.entry:
                    found.pop(road.id, None)
    there = {*_standing(table), *table.road_by_id}
    return {piece: one for piece, one in found.items() if piece in there}


def _earlier(
    record: Record, told: Sequence[_Told], shown: Mapping[str, _Told]
) -> Iterator[tuple[_Told, int]]:
    """The places at which pieces stood before the place that a photo shows, and the entry that
    ended each: no photo shows them. An adjustment makes the place before it count for nothing.
    """
    for n, one in enumerate(told):
        if one.piece not in shown or one == shown[one.piece]:
            continue
        later = next(other for other in told[n + 1 :] if other.piece == one.piece)
        known = one.entry >= 0 and known_exactly(record.entries[one.entry], one.piece)
        if later.how == "put" and not known:
            yield one, later.entry


# --- writing other places -------------------------------------------------------------------------


def corrected(diary: Diary, found: Found) -> Correction:
    """The diary with the places that a photo shows, judged again; nothing is kept yet.

    Raises InputError if a ply cannot be played at those places, with the reason.
    """
    record, steps, table = diary.record, diary.steps, diary.table
    told = list(_tellings(record, steps))
    last = _last_told(told, table)
    shown = {piece: one for piece, one in last.items() if _is_shown(piece, found)}
    # a building decides on no car, so one that the photo does not show leaves all as exact
    rough = [piece for piece in last if piece not in shown and piece not in _buildings(table)]
    earlier = list(_earlier(record, told, shown))
    finer = min(max(math.ceil(2 * _SURE * found.off) / 2, _LEAST), _MOST)
    was = record.header.off_by
    now = was if rough else min(was, finer)
    header = _header(record, shown, found, now)
    by_entry: dict[int, dict[str, str]] = {}
    for one in shown.values():
        by_entry.setdefault(one.entry, {})[one.piece] = one.how
    along: dict[int, list[_Told]] = {}
    for one, _ in earlier:
        along.setdefault(one.entry, []).append(one)
    fresh, judged = Record(header, path=record.path), list[Step]()
    after = replay.begin(fresh)
    for n, step in enumerate(steps):
        entry = _replaced(step.entry, by_entry.get(n, {}), found)
        for one in along.get(n, ()):
            entry = _gone_along(entry, one, _shift(one.piece, table, found))
        made = _judged(fresh, after, step, entry)
        entry = with_noted(step.entry, made.entry, by_entry.get(n, {}), header)
        made = replace(made, entry=entry)
        judged.append(made)
        fresh = fresh.plus(entry)
        after = made.before if entry.taken_back else made.after
    outcome = after.outcome()
    fresh = replace(fresh, notes=tuple(record.notes))
    if outcome is not None:
        fresh = fresh.with_end(End(outcome.ranks, str(outcome.reason)))
    return Correction(
        record,
        fresh,
        tuple(judged),
        tuple(_moved(shown, table, after)),
        tuple(
            Changed(old, new)
            for old, new in zip(steps, judged, strict=True)
            if not new.entry.taken_back and _key(old) != _key(new)
        ),
        found.match.unseen,
        found.match.extra,
        found.miscounted,
        tuple(rough),
        tuple(_before(record, earlier)),
        (was, now),
        found.off,
        tuple((one.id, one.why) for one in found.suspects),
    )


def _buildings(table: Table) -> frozenset[str]:
    return frozenset(one.id for one in table.buildings)


def _before(record: Record, earlier: Sequence[tuple[_Told, int]]) -> Iterator[tuple[str, int, int]]:
    for one, until in earlier:
        since = record.entries[one.entry].ply if one.entry >= 0 else 0
        yield one.piece, since, record.entries[until].ply


def _shift(piece: str, table: Table, found: Found) -> Point:
    """By how much the place at which a pillar stands now changes; a piece of another kind stays
    where it was.
    """
    if piece not in found.pillars:
        return (0.0, 0.0)
    (x, y), (u, v) = table.pillar_by_id[piece].at, found.pillars[piece]
    return (u - x, v - y)


def _gone_along(entry: Entry, told: _Told, shift: Point) -> Entry:
    """A ply with an earlier place of a pillar moved as the present one: whoever noted both erred in
    the same direction, as far as anybody can know.
    """

    def moved(at: Sequence[float]) -> list[float]:
        return [_mm(at[0] + shift[0]), _mm(at[1] + shift[1])]

    if shift == (0.0, 0.0):
        return entry
    if told.how == "put" and entry.observed is not None:
        puts = [
            {**one, "at": moved(one["at"])} if one.get("pillar") == told.piece else one
            for one in entry.observed["put"]
        ]
        return replace(entry, observed={**entry.observed, "put": puts})
    if isinstance(entry.do, str):
        return entry
    (kind, inner), *rest = entry.do.items()
    return replace(entry, do={kind: {**inner, "pillar": moved(inner["pillar"])}, **dict(rest)})


def _is_shown(piece: str, found: Found) -> bool:
    return piece in found.pillars or piece in found.ends or piece in found.buildings


def _key(step: Step) -> tuple[object, ...]:
    verdict = step.verdict
    faults = tuple((fault.code, fault.pieces) for fault in verdict.faults)
    return faults, verdict.built, verdict.between or verdict.earned


def _moved(shown: Mapping[str, _Told], was: Table, now: Table) -> Iterator[Moved]:
    """Every corrected place, in building order."""
    for pillar in was.pillars:
        if pillar.id in shown and pillar.id in now.pillar_by_id:
            yield Moved(pillar.id, pillar.at, now.pillar_by_id[pillar.id].at)
    for road in was.roads:
        if road.id in shown and road.id in now.road_by_id:
            yield Moved(road.id, road.end, now.road_by_id[road.id].end)
    there = {one.id: one.at for one in now.buildings}
    for building in was.buildings:
        if building.id in shown and building.id in there:
            yield Moved(building.id, building.at, there[building.id])


def _header(record: Record, shown: Mapping[str, _Told], found: Found, tolerance: float) -> Header:
    """The header with the corrected layout, and the new tolerance."""
    header = record.header
    start = header.start
    if start is not None and any(one.entry < 0 for one in shown.values()):
        start = _start(start, {piece for piece, one in shown.items() if one.entry < 0}, found)
    kept = header.tolerance if tolerance == header.off_by else _plain(tolerance)
    return corrected_header(record, start, kept)


def _start(start: Mapping[str, Any], shown: set[str], found: Found) -> dict[str, Any]:
    changed = json.loads(json.dumps(start))
    for one in changed.get("pillars", ()):
        if one["id"] in shown:
            one["at"] = list(found.pillars[one["id"]])
    for one in changed.get("roads", ()):
        if one["id"] in shown:
            for end in ("from", "to"):
                if isinstance(one[end], Mapping):
                    one[end] = {"table": list(found.ends[one["id"]][1])}
    for one in changed.get("buildings", ()):
        if one["id"] in shown:
            at, turn = found.buildings[one["id"]]
            one["at"], one["turn"] = list(at), turn
    return dict(changed)


def _replaced(entry: Entry, places: Mapping[str, str], found: Found) -> Entry:
    """A ply with the places that the photo shows in it."""
    if not places:
        return entry
    do, observed = entry.do, entry.observed
    for piece, how in places.items():
        if how == "do" and not isinstance(do, str):
            do = _placed(do, piece, found)
        elif how == "put" and observed is not None:
            observed = {
                **observed,
                "put": [
                    _put(one, found) if piece in one.values() else one for one in observed["put"]
                ],
            }
    return replace(entry, do=do, observed=observed)


def _placed(do: Mapping[str, Any], piece: str, found: Found) -> dict[str, Any]:
    """A move with the place of its piece."""
    (kind, inner), *rest = do.items()
    changed = dict(inner)
    if piece in found.buildings:
        (x, y), turn = found.buildings[piece]
        changed |= {"at": [x, y], "turn": turn}
    elif piece in found.ends:
        changed["to"] = list(found.ends[piece][1])
    else:
        changed["pillar"] = list(found.pillars[piece])
        ramp = found.ends.get(piece.replace("-P", "-R"))
        if kind == "entrance" and ramp is not None:
            (ax, ay), (bx, by) = found.pillars[piece], ramp[1]
            changed["toward"] = round(math.degrees(math.atan2(by - ay, bx - ax)) % 360.0, 1)
    return {kind: changed, **dict(rest)}


def _put(put: Mapping[str, Any], found: Found) -> dict[str, Any]:
    if "pillar" in put:
        return {**put, "at": list(found.pillars[put["pillar"]])}
    if "road" in put:
        start, end = found.ends[put["road"]]
        return {**put, "start": list(start), "end": list(end)}
    at, turn = found.buildings[put["building"]]
    return {**put, "at": list(at), "turn": turn}


# --- judged again ---------------------------------------------------------------------------------


def _judged(record: Record, table: Table, was: Step, entry: Entry) -> Step:
    """A ply judged at other places, with everything that people did in it.

    A pillar that the photo does not show keeps its place, unless its road could not reach it any
    more: then it goes along with the pillar that the road leaves. What the rules would refuse now
    was accepted.
    """
    bare = replace(record, path=None)
    if entry.taken_back:
        return replay.judged(bare, entry, table)
    tries = [entry]
    along = _along(table, was, entry)
    if along is not None:
        tries.append(along)
    try:
        steps = [_with_cars_as_before(bare, table, was, one) for one in tries]
        best = next((one for one in steps if one.refusal is None), steps[-1])
        if best.refusal is not None:
            best = _with_cars_as_before(bare, table, was, replace(best.entry, accepted=True))
    except RecordError as error:
        raise _cannot(entry, str(error.reason)) from error
    if best.refusal is not None:
        raise _cannot(entry, best.refusal)
    return best


def _cannot(entry: Entry, reason: str) -> InputError:
    told = f"ply {entry.ply} cannot be played at the places of this photo: {reason}"
    return InputError(Refusal(told, "note-correct-cannot", ply=entry.ply, why=reason))


def _with_cars_as_before(record: Record, table: Table, was: Step, entry: Entry) -> Step:
    """The judged ply with as many cars as were put down."""
    step = replay.judged(record, entry, table)
    placed = len(was.verdict.spots)
    if step.refusal is not None or not (was.verdict.built and step.verdict.built):
        return step
    if len(step.verdict.spots) == placed:
        return step
    return replay.judged(record, with_cars(step, placed), table)


def _along(table: Table, was: Step, entry: Entry) -> Entry | None:
    """A build whose pillar goes along with the pillar that its road leaves; None if the photo says
    where it stands, or that pillar did not move.
    """
    if isinstance(entry.do, str) or entry.do is not was.entry.do:
        return None
    kind, key = ("build", "pillar") if "build" in entry.do else ("exit", "to")
    if kind not in entry.do:
        return None
    inner = entry.do[kind]
    old, new = was.before.pillar_by_id[inner["from"]], table.pillar_by_id[inner["from"]]
    dx, dy = new.at[0] - old.at[0], new.at[1] - old.at[1]
    if not (dx or dy):
        return None
    x, y = inner[key]
    return replace(entry, do={**entry.do, kind: {**inner, key: [_mm(x + dx), _mm(y + dy)]}})


def _mm(number: float) -> float:
    return round(number, 2) + 0.0


def _plain(number: float) -> float:
    return int(number) if number == int(number) else number


# --- a photo --------------------------------------------------------------------------------------


def seen_on(diary: Diary, path: Path) -> Correction | tuple[Entry, ...]:
    """What a photo or a file of marks says: a correction of the places, or the next plies of the
    diary, each to be judged. Only marks show plies: they say in which order roads were built.

    Raises InputError if they cannot be used, with what to try; UnavailableError for a photo without
    OpenCV.
    """
    # more threads only wait for each other on matrices as small as these
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from shutoko.export.photograph import is_photo
    from sim.photo.following import follow
    from sim.photo.marks import read_marks
    from sim.photo.matching import found_on

    if is_photo(path):
        marks = _marks_in(path)
    else:
        marks = read_marks(path)
        if _goes_on(diary.table, marks):
            return tuple(step.entry for step in follow(diary.record, marks).steps)
    return corrected(diary, found_on(diary.table, marks))


def _marks_in(path: Path) -> Marks:
    """The marks that are found in a photo without a tap."""
    import numpy as np

    from shutoko.export.photograph import open_photo
    from sim.photo.finding.finder import find

    photo = open_photo(path)
    return find(np.asarray(photo.image), photo.focal).marks


def _goes_on(table: Table, marks: Marks) -> bool:
    """Whether marks go on from the table: the first road that it does not have is the next one of
    the player to move, from a pillar that stands.
    """
    if table.phase != "play" or table.outcome() is not None:
        return False
    new = next((road for road in marks.roads if road.id not in table.road_by_id), None)
    return (
        new is not None
        and new.owner == table.to_move
        and new.id == table.next_id(new.owner, "R")
        and new.base in table.pillar_by_id
    )
