"""A game photo by photo: a second photo of the same table, after the next turns, adds plies to the
record of the first.

Only new pieces have to be marked if the camera has not moved. If it has, a few old roads are marked
again: their pillars stand where they stood, and so they say where the camera is now.
"""

from dataclasses import dataclass, replace
from typing import Any

from rules.errors import InputError, Refusal
from rules.record import Entry, Record
from sim.game import replay
from sim.game.attempts.posing import bodies
from sim.game.attempts.reading import hanging_roads
from sim.game.ply import refusal
from sim.game.rest import inside
from sim.photo.layout import rounded
from sim.photo.marks import MarkedRoad, Marks
from sim.photo.reading import Reading, read_photo
from sim.photo.scene import Known
from sim.physics import engines
from sim.physics.engine import PhysicsError
from sim.physics.world import World
from sim.referee.judgement import PoseChange, falls
from sim.referee.standing import letter
from sim.referee.table import Table

_OFF_BY = 2.5  # a tolerance is so many sigmas


@dataclass(frozen=True, slots=True)
class Followed:
    """What a second photo says: its reading, the record with the new plies, and these plies as they
    were judged.
    """

    reading: Reading
    record: Record
    steps: tuple[replay.Step, ...]

    @property
    def is_clear(self) -> bool:
        """Whether nothing looks wrong, and the cars of no new road are too close to tell."""
        return not self.reading.suspects and all(
            step.verdict.between is None for step in self.steps
        )


def joined(first: Marks, second: Marks) -> Marks:
    """The marks of a second photo with those of the first, if it has none of its roads: then the
    camera has not moved.

    Raises InputError if the photos have different sizes, or the games different players.
    """
    old = {road.id for road in first.roads}
    if any(road.id in old for road in second.roads):
        return second
    if (first.image.width, first.image.height) != (second.image.width, second.image.height):
        told = (
            "the photos have different sizes, so the camera has moved; mark five old roads again "
            "in the second"
        )
        raise InputError(Refusal(told, "photo-moved"))
    if first.players != second.players:
        told = f"the photos have {first.players} and {second.players} players; make them agree"
        raise InputError(Refusal(told, "photo-players", first=first.players, second=second.players))
    again = {pillar.id for pillar in second.pillars}
    pillars = (*(pillar for pillar in first.pillars if pillar.id not in again), *second.pillars)
    return replace(
        second,
        pillars=pillars,
        roads=(*first.roads, *second.roads),
        sheet=second.sheet or first.sheet,
    )


def follow(before: Record, marks: Marks) -> Followed:
    """The record with a ply for every road in `marks` that it does not have yet.

    Raises InputError for marks that do not go on from the record, IllegalMoveError for a ply
    against the rules.
    """
    table = replay.begin(before)
    for step in replay.trusted(before):
        table = step.before if step.entry.taken_back else step.after
    _check_same(table, marks)
    standing = {pillar.id for pillar in marks.pillars}
    places = {pillar.id: table.top(pillar) for pillar in table.pillars if pillar.id in standing}
    reading = read_photo(marks, Known(places, max(before.header.off_by / _OFF_BY, 1.0)))
    grown, steps = before, []
    for index, road in enumerate(marks.roads):
        if road.id in table.road_by_id:
            continue
        _check_turn(table, road)
        entry = Entry(ply=grown.next_ply, by=road.owner, do=_move(table, reading, index))
        step = replay.judged(grown, entry, table)
        if not step.verdict.legal:
            raise refusal(table, step.placement, step.verdict)
        step = replace(step, entry=replace(entry, got=step.got()))
        grown, table = grown.plus(step.entry), step.after
        steps.append(step)
    if not steps:
        told = "every road in the marks is already in the record; mark what was built since"
        raise InputError(Refusal(told, "photo-nothing-new"))
    return Followed(reading, grown, tuple(steps))


def _check_same(table: Table, marks: Marks) -> None:
    """Old pieces in the marks are those of the record."""
    for pillar in marks.pillars:
        old = table.pillar_by_id.get(pillar.id)
        if old is not None and (old.discs, old.junction) != (pillar.discs, pillar.junction):
            was, now = _height(old), _height(pillar)
            told = f"{pillar.id} has {was} in the record and {now} in the marks; count again"
            raise InputError(Refusal(told, "photo-height", piece=pillar.id, was=was, now=now))
    for road in marks.roads:
        laid = table.road_by_id.get(road.id)
        if laid is not None and set(laid.pillars) != set(road.pillars):
            told = (
                f"{road.id} rests on {' and '.join(laid.pillars)} in the record; the marks have "
                "other pillars"
            )
            raise InputError(
                Refusal(told, "photo-rests", piece=road.id, pillars=tuple(laid.pillars))
            )


def _height(pillar: Any) -> Refusal:
    count = f"{pillar.discs} disc{'' if pillar.discs == 1 else 's'}"
    told = f"{count}{' with a yellow one' if pillar.junction else ''}"
    return Refusal(told, "photo-stack", discs=pillar.discs, junction=pillar.junction)


def _check_turn(table: Table, road: MarkedRoad) -> None:
    if table.outcome() is not None:
        told = f"{road.id}: the game is over; no road is built any more"
        raise InputError(Refusal(told, "photo-over", piece=road.id))
    if road.owner != table.to_move:
        who = letter(table.to_move)
        told = (
            f"{road.id}: {who} is to move, not {letter(road.owner)}; put roads in building order, "
            "passes in the record"
        )
        raise InputError(
            Refusal(told, "photo-turn", piece=road.id, mover=who, owner=letter(road.owner))
        )
    wanted = table.next_id(road.owner, "R")
    if road.id != wanted:
        raise InputError(_named(road.id, "road", letter(road.owner), wanted))
    if road.base is None or road.base not in table.pillar_by_id:
        told = f"{road.id}: from must be a pillar that stood before; the new pillar is `to`"
        raise InputError(Refusal(told, "photo-from", piece=road.id))


def _named(piece: str, kind: str, owner: str, wanted: str) -> Refusal:
    told = f"{piece}: the next {kind} of {owner} is {wanted}; name it so"
    return Refusal(told, f"photo-next-{kind}", piece=piece, owner=owner, wanted=wanted)


def _move(table: Table, reading: Reading, index: int) -> dict[str, Any]:
    """The `do` of a new road: the reading has it in the frame of the record, since old pillars are
    known.
    """
    marks, road = reading.marks, reading.marks.roads[index]
    if road.target is None:
        return {"exit": {"from": road.base, "to": rounded(reading.solution.tips[index, 1])}}
    if road.target in table.pillar_by_id:
        told = f"{road.id}: {road.target} stood before; a road leads to a new pillar (rules 4f)"
        raise InputError(Refusal(told, "photo-to", piece=road.id, pillar=road.target))
    number, pillar = next((n, one) for n, one in enumerate(marks.pillars) if one.id == road.target)
    wanted = table.next_id(road.owner, "P")
    if pillar.id != wanted:
        raise InputError(_named(pillar.id, "pillar", letter(road.owner), wanted))
    at = rounded(reading.solution.pillars[number])
    return {
        "build": {
            "from": road.base,
            "pillar": at,
            "discs": pillar.discs,
            "junction": pillar.junction,
        }
    }


# --- whether it stands ----------------------------------------------------------------------------
# Does a photographed table stand in physics? Whoever plays on from it wants to know: there, what
# falls costs.
#
# A photo is off by a millimetre or two, so pieces may overlap a little or hang over too far. An
# engine lets the whole table come to rest once; what then falls by the rules (8a, 8b) does not
# stand.


@dataclass(frozen=True, slots=True)
class PlayedOn:
    """A record to play on from a photographed table, and the pieces that would not stand there,
    sorted by id.

    If all stand, the record names the engine that plays it, and its numbers are exact from here on.
    If not, it is the one that the photo gave: nothing falls in it but what people see fall.
    """

    record: Record
    fallen: tuple[str, ...]


def played_on(record: Record, engine: str | None = None) -> PlayedOn:
    """The record of a photographed table as a game with physics, if everything in it stands; the
    best engine if none is named.

    Raises UnavailableError if the engine is not installed.
    """
    name = engine or engines.default()
    header = replace(
        record.header, observed=False, tolerance=None, physics=replay.physics_header(name)
    )
    exact = replace(record, header=header)
    table = replay.begin(exact)
    if deep := inside(table):  # pushed apart they would knock over others
        return PlayedOn(record, tuple(sorted({piece for pair in deep for piece in pair[:2]})))
    before = {body.id: body.pose for body in bodies(table)}
    try:
        settled = World(bodies(table), name).settle(everything=True)
    except PhysicsError:  # a piece left the room
        return PlayedOn(record, tuple(sorted(before)))
    # all pieces, moved or not: a road too short for its pillars already lies on the table
    fell = {fall.piece for fall in falls(table, PoseChange(before, settled.poses))}
    # a road that lies on another one in place of its pillars does not fall either
    fallen = {*fell, *settled.restless, *(road.id for road, _ in hanging_roads(table))}
    if fallen:
        return PlayedOn(record, tuple(sorted(fallen)))
    return PlayedOn(exact, ())
