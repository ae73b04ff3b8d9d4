"""The pieces on a table as obstacles, seen from above: every disc, road, car and building in
arrays, made once for each table.

Pieces are where they came to rest with physics, or, without physics, where geometry puts them:
roads straight from pillar top to pillar top (rules 4b), cars flat on their road.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sim.bodies import Box
from sim.pieces import Components
from sim.poses import Pose, from_axes
from sim.referee.legality import footprints
from sim.referee.legality.footprints import Circles, Strips
from sim.referee.memo import kept
from sim.referee.placement import CarSpot
from sim.referee.scoring.crossings import Network
from sim.referee.standing import LaidRoad

if TYPE_CHECKING:
    from sim.referee.table import Table

__all__ = [
    "Obstacles",
    "as_seat",
    "car_strips",
    "leaning",
    "nominal_strip",
    "obstacles_of",
    "road_strip",
]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Obstacles:
    """The obstacles of a table. Ids are in the order of the rows; `network` holds the roads as the
    crossing rule sees them.
    """

    roads: Strips
    road_ids: tuple[str, ...]
    network: Network
    discs: Circles
    disc_pillars: tuple[str, ...]
    disc_owners: npt.NDArray[np.int64]
    cars: Strips
    car_ids: tuple[str, ...]
    boxes: Strips
    box_ids: tuple[str, ...]
    cylinders: Circles
    cylinder_ids: tuple[str, ...]

    @cached_property
    def sticks(self) -> Strips:
        """Roads, cars and box-shaped buildings in one array, in this order: one pass is far quicker
        than three.
        """
        return _joined([self.roads, self.cars, self.boxes])

    @cached_property
    def rounds(self) -> Circles:
        """Discs and cylindrical buildings in one array, in this order."""
        names = ("centre", "radius", "bottom", "top")
        return Circles(
            *(
                np.concatenate([getattr(self.discs, name), getattr(self.cylinders, name)])
                for name in names
            )
        )


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


def road_strip(table: Table, road: LaidRoad, pose: Pose | None = None) -> Strips:
    """One road in plan: at `pose` if given, else where it lies, else at its nominal pose."""
    box, at = table.components, pose or table.pose_of(road)
    if at is None:
        return nominal_strip(box, road)
    item, _ = footprints.upright(Box(_size(box)), at)
    assert item is not None
    return footprints.strips([item])


def nominal_strip(box: Components, road: LaidRoad) -> Strips:
    """One road in plan where it is meant to lie."""
    return footprints.strips_between(
        np.array([road.start]),
        np.array([road.end]),
        np.array([road.levels], dtype=np.float64),
        np.array([road.slide]),
        _size(box),
        box.disc_height,
    )


def car_strips(box: Components, road: Strips, spots: tuple[CarSpot, ...]) -> Strips:
    """Cars standing flat on one road."""
    n = len(spots)
    slope = np.full(n, road.slope[0])
    cosine = 1 / np.sqrt(1 + slope**2)
    # a car on a slope leans downhill: here by the thickness of the road, in `leaning` by its own
    # height
    along = (
        np.array([(spot.along - 0.5) * 2 for spot in spots]) * road.half[0, 0]
        - road.thick[0] * slope * cosine**2
    )
    side = np.array([spot.side for spot in spots])
    axis = np.repeat(road.axis, n, axis=0)
    normal = np.stack([-axis[:, 1], axis[:, 0]], axis=-1)
    flat = Strips(
        road.centre + axis * along[:, None] + normal * side[:, None],
        axis,
        np.stack([box.car_length / 2 * cosine, np.full(n, box.car_width / 2)], axis=-1),
        road.z[0] + slope * along + road.thick[0],
        slope,
        box.car_height / cosine,
    )
    return leaning(flat, box.car_height)


def leaning(flat: Strips, height: float) -> Strips:
    """Boxes of that height (mm), made longer by the length that their upper edges reach further
    downhill.
    """
    out = height / 2 * flat.slope / np.sqrt(1 + flat.slope**2)
    half = flat.half + np.stack([np.abs(out), np.zeros(len(flat))], axis=-1)
    return replace(
        flat, centre=flat.centre - flat.axis * out[:, None], half=half, z=flat.z - flat.slope * out
    )


def _size(box: Components) -> tuple[float, float, float]:
    return (box.road_length, box.road_width, box.road_thickness)


def _obstacles(table: Table) -> Obstacles:
    box = table.components
    roads = [road_strip(table, road) for road in table.roads]
    by_id = dict(zip((road.id for road in table.roads), roads, strict=True))
    discs: list[tuple[float, float, float, float]] = []
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
    cars = []
    for car in table.cars:
        pose = table.poses.get(car.id)
        if pose is None:
            cars.append(car_strips(box, by_id[car.road], (CarSpot(car.along, car.side),)))
        else:
            item, _ = footprints.upright(Box((box.car_length, box.car_width, box.car_height)), pose)
            assert item is not None
            cars.append(leaning(footprints.strips([item]), box.car_height))
    boxes, box_ids, cylinders, cylinder_ids = [], [], [], []
    for building in table.buildings:
        kind = box.buildings[building.kind]
        pose = Pose((*building.at, kind.height / 2), from_axes(building.turn, 0.0))
        strip, circle = footprints.upright(kind.shape, pose)
        if strip is not None:
            boxes.append(strip)
            box_ids.append(building.id)
        if circle is not None:
            cylinders.append(circle)
            cylinder_ids.append(building.id)
    spots = np.array(discs, dtype=np.float64).reshape(len(discs), 4)
    return Obstacles(
        _joined([leaning(road, box.road_thickness) for road in roads]),
        tuple(by_id),
        Network(table.lines, table.ruleset, table.components, table.inactive),
        Circles(spots[:, :2], np.full(len(discs), box.disc_radius), spots[:, 2], spots[:, 3]),
        tuple(disc_pillars),
        np.array([table.pillar_by_id[name].owner for name in disc_pillars], dtype=np.int64),
        _joined(cars),
        tuple(car.id for car in table.cars),
        footprints.strips(boxes),
        tuple(box_ids),
        Circles(
            np.array([c[0] for c in cylinders], dtype=np.float64).reshape(len(cylinders), 2),
            np.array([c[1] for c in cylinders], dtype=np.float64),
            np.array([c[2] for c in cylinders], dtype=np.float64),
            np.array([c[3] for c in cylinders], dtype=np.float64),
        ),
        tuple(cylinder_ids),
    )


def _joined(parts: list[Strips]) -> Strips:
    if not parts:
        return footprints.strips([])
    names = ("centre", "axis", "half", "z", "slope", "thick")
    return Strips(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))
