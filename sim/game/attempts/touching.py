"""What the settled table shows of a new road: breaches of the rules, and where its cars can stand.

A breach: a new piece touches what it may not, or an end of a road hangs in the air. The referee
judges legality before anybody touches a piece, on lines from pillar top to pillar top. A road that
comes to rest on another's end lies up to a thickness higher, and may then touch a piece that it was
meant to pass. So contact is judged once everything lies still: rules 4d and 4h (FR 5.4, KR 5.4) and
6b (FR 8, KR 8).

Cars go to the places that the player names, or else to places where they stand: clear of everything
(the referee's geometry), no steeper than friction holds, and in balance on the settled road
(statics). If a car does not stay, its owner puts it back elsewhere (rules 7n; FR 9, KR 9).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace

from sim import referee
from sim.bodies import Body, Pose, rotate
from sim.game.attempts.posing import bodies
from sim.physics.contacts import Contact, contacts
from sim.physics.drop import rest_car
from sim.physics.neighbours import neighbours
from sim.physics.statics import equilibrium
from sim.referee.geometry import SHARED_SUPPORT, TOUCH
from sim.referee.placement import CarSpot
from sim.referee.standing import LaidRoad, seat_of, shared_pillars
from sim.referee.table import Table
from sim.referee.verdict import Breach

# mm: a road further above a disc than this does not lie on it; settled poses are that exact
_BEARS = 0.2


def breaches(table: Table, new: Collection[str]) -> tuple[Breach, ...]:
    """The breaches by the `new` pieces (ids) of a settled table, in the order of the pieces, each
    pair once.

    The road laid last is the new one. Pieces touch if the gap between them is less than TOUCH.
    """
    found: dict[tuple[str, str], Breach] = {}
    touching = _new_contacts(table, new, _BEARS)
    for contact in touching:
        pair = _forbidden(table, new, contact) if contact.gap < TOUCH else None
        if pair is not None and (pair not in found or contact.gap < found[pair].mm):
            found[pair] = Breach(pair[0], "touches", pair[1], contact.gap)
    hanging = _hanging(table, table.roads[-1])
    broken = (
        *(found[pair] for pair in sorted(found)),
        *((hanging,) if hanging is not None else ()),
    )
    return broken or _unborne(table, table.roads[-1], touching)


def hanging_roads(table: Table) -> list[tuple[LaidRoad, str | None]]:
    """The roads of a table that do not lie where they should: each with the pillar (id) that does
    not bear it, or None for a ramp whose lower end hangs above the table.
    """
    there = bodies(table)
    lying = replace(table, poses={body.id: body.pose for body in there})
    touching = [contact for contact in contacts(there, _BEARS) if contact.lower is not None]
    found = list[tuple[LaidRoad, str | None]]()
    for road in lying.roads:
        hangs = _hanging(lying, road)
        broken = (hangs,) if hangs is not None else _unborne(lying, road, touching)
        found += [(road, breach.other) for breach in broken]
    return found


def _new_contacts(table: Table, new: Collection[str], reach: float) -> list[Contact]:
    # `contacts` skips pairs without mass, so pairs of pieces that stood before are left out
    there = tuple(body if body.id in new else replace(body, mass=0.0) for body in bodies(table))
    return [contact for contact in contacts(there, reach) if contact.lower is not None]


def _forbidden(table: Table, new: Collection[str], contact: Contact) -> tuple[str, str] | None:
    """The new piece and the other one (ids) if these two may not touch."""
    assert contact.lower is not None
    piece, other = contact.upper, contact.lower
    if piece not in new:
        piece, other = other, piece
    return None if other in new or _allowed(table, piece, other, contact) else (piece, other)


def _allowed(table: Table, piece: str, other: str, contact: Contact) -> bool:
    """Whether a new piece may touch one that stood before: its supports, a road of the same player
    near a shared support, and cars if the rules allow it.
    """
    road = table.roads[-1]
    if "-C" in other and piece == road.id and not table.ruleset.resolved.touch_cars:
        return True
    if seat_of(other) != road.owner:
        return False
    if piece == road.id and "-P" in other:
        return other.partition(".")[0] in road.pillars
    if piece == road.id and "-R" in other:
        shared = shared_pillars(table.road_by_id[other].pillars, road.pillars)
        reach = SHARED_SUPPORT * table.components.disc_radius
        return any(
            math.dist(contact.point[:2], table.top(table.pillar_by_id[name])) <= reach
            for name in shared
        )
    return False


def _hanging(table: Table, road: LaidRoad) -> Breach | None:
    """A ramp whose lower end does not lie on the table."""
    pose = table.poses.get(road.id)
    if road.target is not None or pose is None:
        return None
    height = _lowest_corner(table, pose)
    return Breach(road.id, "off the table", None, height) if height > TOUCH else None


def _unborne(table: Table, road: LaidRoad, touching: Collection[Contact]) -> tuple[Breach, ...]:
    """The pillars of a new road that do not bear it: neither their top discs nor own ends that lie
    there (rules 4a, 4b).
    """
    below = {contact.lower for contact in touching if contact.upper == road.id}
    found = []
    for name in road.pillars if road.id in table.poses else ():
        top = f"{name}.{table.pillar_by_id[name].discs}"
        ends = {other.id for other in table.roads if other.id != road.id and name in other.pillars}
        if top not in below and not ends & below:
            found.append(Breach(road.id, "not borne", name, _BEARS))
    return tuple(found)


def _lowest_corner(table: Table, pose: Pose) -> float:
    """The height of the lowest corner of a stick's end farthest from its pillar: ramps start at
    their pillar.
    """
    box = table.components
    half, wide, low = box.road_length / 2, box.road_width / 2, -box.road_thickness / 2
    return min(pose.at[2] + rotate(pose.quat, (half, side, low))[2] for side in (-wide, wide))


# --- places for cars ------------------------------------------------------------------------------

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
