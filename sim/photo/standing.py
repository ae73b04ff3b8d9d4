"""Does a photographed table stand in physics? Whoever plays on from it wants to know: there, what
falls costs.

A photo is off by a millimetre or two, so pieces may overlap a little or hang over too far. An
engine lets the whole table come to rest once; what then falls by the rules (8a, 8b) does not stand.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.record import Record
from sim.game import replay
from sim.game.attempts.posing import bodies
from sim.physics import engines
from sim.physics.engine import PhysicsError
from sim.physics.world import World
from sim.referee.judgement import PoseChange, falls

__all__ = ["PlayedOn", "played_on"]


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
    table, name = replay.begin(record), engine or engines.default()
    before = {body.id: body.pose for body in bodies(table)}
    try:
        settled = World(bodies(table), name).settle(everything=True)
    except PhysicsError:  # a piece left the room
        return PlayedOn(record, tuple(sorted(before)))
    # all pieces, moved or not: a road too short for its pillars already lies on the table
    fallen = {fall.piece for fall in falls(table, PoseChange(before, settled.poses))} | set(
        settled.restless
    )
    if fallen:
        return PlayedOn(record, tuple(sorted(fallen)))
    header = replace(
        record.header, observed=False, tolerance=None, physics=replay.physics_header(name)
    )
    return PlayedOn(replace(record, header=header), ())
