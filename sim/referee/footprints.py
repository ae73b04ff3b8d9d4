"""The table seen from above, as the rows of `sim.referee.geometry`, made once for each table.

Pieces are where they came to rest with physics, or, without physics, where geometry puts them:
roads straight from pillar top to pillar top (rules 4b), cars flat on their road.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from sim.bodies import Box, Cylinder, Pose, from_axes, rotate
from sim.pieces import Components
from sim.referee.crossings import Network
from sim.referee.geometry import DEEP, car_strip, leaning, strip_between
from sim.referee.placement import CarSpot
from sim.referee.standing import LaidRoad
from sim.referee.table import Table, kept

Point = tuple[float, float]
Strip = tuple[float, float, float, float, float, float, float, float, float]
"""A strip, or a block, of `sim.referee.geometry`."""

Disc = tuple[float, float, float, float]
"""An upright cylinder: x, y and the heights of its bottom and its top."""


@dataclass(frozen=True)
class Obstacles:
    """The obstacles of a table, each kind in building order, but round buildings last; `network`
    holds the roads as the crossing rule sees them. Roads and cars lean. A straight stack of discs
    is one row; `radius` is that of each.
    """

    roads: tuple[Strip, ...]
    road_ids: tuple[str, ...]
    network: Network
    radius: float
    discs: tuple[Disc, ...]
    disc_pillars: tuple[str, ...]
    cars: tuple[Strip, ...]
    car_ids: tuple[str, ...]
    blocks: tuple[Strip, ...]
    block_ids: tuple[str, ...]


def obstacles_of(table: Table) -> Obstacles:
    """The obstacles of a table, computed once and kept with it."""
    return kept(table, "obstacles", lambda: _obstacles(table))


def as_seat(table: Table, seat: int) -> Table:
    """The same table with that seat to move. It keeps the obstacles, since the same pieces stand
    there.
    """
    asked = replace(table, turns=replace(table.turns, to_move=seat))
    kept(asked, "obstacles", lambda: obstacles_of(table))
    return asked


def road_strip(table: Table, road: LaidRoad, pose: Pose | None = None) -> Strip:
    """One road in plan, flat: at `pose` if given, else where it lies, else at its nominal pose."""
    box, at = table.components, pose or table.pose_of(road)
    if at is None:
        return nominal_strip(box, road)
    return upright(Box((box.road_length, box.road_width, box.road_thickness)), at)


def nominal_strip(box: Components, road: LaidRoad) -> Strip:
    """One road in plan where it is meant to lie, flat."""
    (sx, sy), (ex, ey), (l0, l1) = road.start, road.end, road.levels
    # engines start from here: the last bit of this length is part of every record
    span = max(float(np.hypot(ex - sx, ey - sy)), 1e-9)
    return strip_between(box.sizes, sx, sy, ex, ey, float(l0), float(l1), road.slide, span)


def upright(shape: Box | Cylinder, pose: Pose) -> Strip:
    """A posed body as a strip or a block: boxes by their long axis, roll neglected; cylinders by
    their axis, tilt neglected.
    """
    (x, y, z) = pose.at
    if isinstance(shape, Cylinder):
        low, high = z - shape.height / 2, z + shape.height / 2
        return (x, y, shape.radius, 0.0, 0.0, 0.0, low, high, 0.0)
    length, width, height = shape.size
    ux, uy, uz = rotate(pose.quat, (1.0, 0.0, 0.0))
    dx, dy, dz = rotate(pose.quat, (0.0, 0.0, -height / 2))
    flat = math.hypot(ux, uy)
    if flat < 1e-6:  # stands on its end: nothing that stands on a road or a disc does
        return (x, y, 1.0, 0.0, height / 2, width / 2, z - length / 2, 0.0, length)
    return (
        *(x + dx, y + dy, ux / flat, uy / flat, length / 2 * flat, width / 2),
        *(z + dz, uz / flat, height / flat),
    )


def block_of(box: Components, kind: str, at: Point, turn: float) -> Strip:
    """A building in plan."""
    building = box.buildings[kind]
    return upright(building.shape, Pose((*at, building.height / 2), from_axes(turn, 0.0)))


def car_strips(box: Components, road: Strip, spots: tuple[CarSpot, ...]) -> list[Strip]:
    """Cars standing flat on one road, leaning."""
    sizes = box.sizes
    return [car_strip(sizes, road, spot.along, spot.side) for spot in spots]


def _turned(strip: Strip, degrees: float) -> Strip:
    """The same about its middle turned that far, as a car that stands askew on its road."""
    x, y, ax, ay, long, wide, z, slope, thick = strip
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    axis = (ax * cosine - ay * sine, ay * cosine + ax * sine)
    return (x, y, *axis, long, wide, z, slope * cosine, thick)


def _obstacles(table: Table) -> Obstacles:
    box = table.components
    flat = {road.id: road_strip(table, road) for road in table.roads}
    discs: list[Disc] = []
    disc_pillars: list[str] = []
    for pillar in table.pillars:
        for level, disc in enumerate(pillar.disc_ids):
            pose = table.poses.get(disc)
            x, y = pillar.at if pose is None else pose.at[:2]
            z = level * box.disc_height if pose is None else pose.at[2] - box.disc_height / 2
            if level and discs[-1][:2] == (x, y):  # a straight stack is one obstacle
                discs[-1] = (x, y, discs[-1][2], z + box.disc_height)
            else:
                discs.append((x, y, z, z + box.disc_height))
                disc_pillars.append(pillar.id)
    cars, shape = list[Strip](), Box((box.car_length, box.car_width, box.car_height))
    for car in table.cars:
        pose = table.poses.get(car.id)
        if pose is None:
            strip = car_strip(box.sizes, flat[car.road], car.along, car.side)
            cars.append(_turned(strip, car.turn) if car.turn else strip)
        else:
            cars.append(leaning(upright(shape, pose), box.car_height))
    blocks = [(block_of(box, one.kind, one.at, one.turn), one.id) for one in table.buildings]
    blocks.sort(key=lambda one: one[0][DEEP] == 0.0)
    return Obstacles(
        tuple(leaning(road, box.road_thickness) for road in flat.values()),
        tuple(flat),
        table.network,
        box.disc_radius,
        tuple(discs),
        tuple(disc_pillars),
        tuple(cars),
        tuple(car.id for car in table.cars),
        tuple(block for block, _ in blocks),
        tuple(piece for _, piece in blocks),
    )
