"""Where cars go on a new road: at the places that the player names, or else at places where they
stand.

A place that this module chooses is clear of everything (the referee's geometry), no steeper than
friction holds, and in balance on the settled road (statics). If a car does not stay, its owner puts
it back elsewhere (rules 7n; FR 9, KR 9).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sim import referee
from sim.bodies import Body
from sim.game.attempts.posing import bodies
from sim.physics.contacts import contacts
from sim.physics.drop import rest_car
from sim.physics.neighbours import neighbours
from sim.physics.statics import equilibrium
from sim.referee.placement import CarSpot
from sim.referee.standing import LaidRoad
from sim.referee.table import Table

__all__ = ["places_that_stand"]

_SEARCHES = 20  # how often to search again without the places that are out of balance


def places_that_stand(
    before: Table, grown: Table, count: int, taken: Sequence[CarSpot] = (), *, weighed: bool
) -> tuple[CarSpot, ...]:
    """Up to `count` places for cars on the road laid last on `grown`, away from those `taken`.
    `before` is the table without that road.

    If `weighed`, the slope must be one that friction holds, and statics must find the car in
    balance on the settled road. On geometry alone nothing slides and nothing tips.
    """
    road, left = grown.roads[-1], list(taken)
    pose = grown.poses.get(road.id)
    if not weighed:
        return referee.free_spots(before, road, pose, count, taken=left)
    found: tuple[CarSpot, ...] = ()
    for _ in range(_SEARCHES):
        found = referee.free_spots(
            before,
            road,
            pose,
            count,
            taken=left,
            steepest=grown.components.friction_of("car", "road"),
        )
        if not found:
            break
        around = _around(grown, road)
        tipping = [spot for spot in found if not _stand(grown, around, road, [spot])]
        if (
            not tipping
            and any(spot.side for spot in found)
            and not _stand(grown, around, road, found)
        ):
            tipping = [max(found, key=lambda spot: abs(spot.side))]  # together they tip the road
        if not tipping:
            return found
        left += tipping
    return tuple(spot for spot in found if spot not in left)


def _around(table: Table, road: LaidRoad) -> tuple[Body, ...]:
    """The road and what touches it, held still; only the road itself may move."""
    there = bodies(table)
    near = neighbours(there).touching[road.id]
    return tuple(
        body if body.id == road.id else replace(body, mass=0.0)
        for body in there
        if body.id in (road.id, *near)
    )


def _stand(table: Table, around: Sequence[Body], road: LaidRoad, spots: Sequence[CarSpot]) -> bool:
    """Whether statics finds cars at all these places in balance together."""
    on, box = next(body for body in around if body.id == road.id), table.components
    cars = [
        box.body(f"car{n}", "car", rest_car(on, spot.along, spot.side, box))
        for n, spot in enumerate(spots)
    ]
    there = (*around, *cars)
    return equilibrium(there, None, contacts(there)).stands
