"""Cars on a slope where friction hardly holds them. This is a warning, not a verdict: in an engine
such a car may stand or slide.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sim.poses import Pose, rotate
from sim.referee.standing import LaidRoad

if TYPE_CHECKING:
    from sim.referee.table import Table

__all__ = ["NEAR", "Steep", "holds", "slope", "steep", "steep_at", "tilt"]

NEAR = 1.0
"""Degrees: a car is in doubt on a slope that is less than this below the steepest one that friction
holds. The figure is ours.
"""


@dataclass(frozen=True, slots=True)
class Steep:
    """A car on a road that slopes by `degrees`, where friction holds up to `holds` degrees."""

    car: str
    degrees: float
    holds: float


def slope(table: Table, road: LaidRoad) -> float:
    """The slope of a road's top face in degrees: of its pose, or of the straight line from top to
    top if it has none.
    """
    pose = table.pose_of(road)
    if pose is not None:
        return tilt(pose)
    line = table.line(road)
    rise = abs(line.levels[1] - line.levels[0]) * table.components.disc_height
    return math.degrees(math.atan2(rise, math.dist(line.start, line.end)))


def holds(table: Table) -> float:
    """The steepest slope in degrees on which friction holds a car."""
    return math.degrees(math.atan(table.components.friction_of("car", "road")))


def steep(table: Table, road: LaidRoad) -> tuple[Steep, ...]:
    """The cars on a road that stand steeper than friction holds, or within NEAR of it."""
    return steep_at(
        table, slope(table, road), [car.id for car in table.cars if car.road == road.id]
    )


def steep_at(table: Table, degrees: float, cars: Sequence[str]) -> tuple[Steep, ...]:
    """Of the cars, all on one slope, those that may slide."""
    most = holds(table)
    return tuple(Steep(car, degrees, most) for car in cars) if degrees >= most - NEAR else ()


def tilt(pose: Pose) -> float:
    """The angle in degrees between a stick's top face and the table."""
    return math.degrees(math.acos(min(abs(rotate(pose.quat, (0.0, 0.0, 1.0))[2]), 1.0)))
