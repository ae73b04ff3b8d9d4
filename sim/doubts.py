"""What makes one doubt that a build stays: cars on a slope that friction hardly holds, pieces out of balance by statics.

Neither is a verdict: an engine lets such a piece stand, or not. Whoever plays with wood is told before the hand moves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sim import legality
from sim.contacts import contacts
from sim.judgement import crossings_of
from sim.laying import bodies, lay
from sim.neighbours import neighbours
from sim.placement import Build, Entrance, Exit, Placement
from sim.poses import Pose, rotate
from sim.statics import Failure, equilibrium, loaded
from sim.table import LaidRoad, Table

__all__ = ["NEAR", "Steep", "holds", "slope", "steep", "steep_cars", "tipping"]

NEAR = 1.0
"""Degrees below the steepest slope that friction holds from which on a car is in doubt: our figure."""


@dataclass(frozen=True, slots=True)
class Steep:
    """A car on a road that slopes by `degrees`, where friction holds up to `holds` degrees."""

    car: str
    degrees: float
    holds: float


def slope(table: Table, road: LaidRoad) -> float:
    """The slope of a road's top face in degrees: as it lies, or of the straight line from top to top if nobody knows."""
    pose = table.poses.get(road.id)
    if pose is not None:
        return _tilt(pose)
    line = table.line(road)
    rise = abs(line.levels[1] - line.levels[0]) * table.components.disc_height
    return math.degrees(math.atan2(rise, math.dist(line.start, line.end)))


def holds(table: Table) -> float:
    """The steepest slope in degrees on which friction holds a car."""
    return math.degrees(math.atan(table.components.friction))


def steep(table: Table, road: LaidRoad) -> tuple[Steep, ...]:
    """The cars on a road that stand steeper than friction holds, or within NEAR of it."""
    return _steep(table, slope(table, road), [car.id for car in table.cars if car.road == road.id])


def steep_cars(table: Table, placement: Placement) -> tuple[Steep, ...]:
    """The cars that a legal placement would put where they may slide, told before anybody touches a piece.

    They are those that it names, or as many as its road earns where their places are left to the referee. The road is judged
    as geometry rests it on what stands.
    """
    if not isinstance(placement, (Build, Exit, Entrance)):
        return ()
    pose = lay(table, placement, {})[-1].rest.pose
    return _steep(table, _tilt(pose), table.next_cars(table.to_move, _count(table, placement, pose)))


def _steep(table: Table, degrees: float, cars: Sequence[str]) -> tuple[Steep, ...]:
    most = holds(table)
    return tuple(Steep(car, degrees, most) for car in cars) if degrees >= most - NEAR else ()


def _count(table: Table, placement: Build | Exit | Entrance, pose: Pose) -> int:
    if isinstance(placement, Entrance):
        return 1
    if placement.cars is not None:
        return len(placement.cars)
    grown = table.with_pieces(placement)
    earned = legality.earned(table, placement, crossings_of(grown, grown.roads[-1], pose))
    return min(earned, table.stocks[table.to_move].cars)


def _tilt(pose: Pose) -> float:
    return math.degrees(math.acos(min(abs(rotate(pose.quat, (0.0, 0.0, 1.0))[2]), 1.0)))


def tipping(before: Table, after: Table) -> Failure | None:
    """What gives way first if the new pieces on a settled table are out of balance by statics, and all that bears them."""
    new = sorted(after.piece_ids - before.piece_ids)
    if not new:
        return None
    near = neighbours(bodies(after)).connected(new)  # what hangs together with them: the rest of a table only takes time
    there = [body for body in bodies(after) if body.id in near]
    touching = contacts(there)
    answer = equilibrium(there, loaded(there, new, touching), touching)
    return None if answer.stands else answer.first
