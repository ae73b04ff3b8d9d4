"""Breaches, which only the settled table can show: a new piece touches what it may not, or an end
of a road hangs in the air.

The referee judges legality before anybody touches a piece, on lines from pillar top to pillar top.
A road that comes to rest on another's end lies up to a thickness higher, and may then touch a piece
that it was meant to pass. So contact is judged once everything lies still: rules 4d and 4h (FR 5.4,
KR 5.4) and 6b (FR 8, KR 8).
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import replace

from sim.game.attempts.posing import bodies
from sim.physics.contacts import Contact, contacts
from sim.poses import Pose, rotate
from sim.referee.conflicts import SHARED_SUPPORT
from sim.referee.footprints import TOUCH
from sim.referee.standing import LaidRoad, seat_of, shared_pillars
from sim.referee.table import Table
from sim.referee.verdict import Breach

__all__ = ["SHARED_SUPPORT", "breaches"]


# mm: a road further above a disc than this does not lie on it; settled poses are that exact
_BEARS = 0.2


def breaches(table: Table, new: Collection[str]) -> tuple[Breach, ...]:
    """The breaches by the `new` pieces (ids) of a settled table, in the order of the pieces, each
    pair once.

    The road laid last is the new one. Pieces touch if the gap between them is less than TOUCH.
    """
    found: dict[tuple[str, str], Breach] = {}
    touching = _new_contacts(table, new)
    for contact in touching:
        if contact.gap >= TOUCH:
            continue
        assert contact.lower is not None
        upper_is_new = contact.upper in new
        piece, other = (
            (contact.upper, contact.lower) if upper_is_new else (contact.lower, contact.upper)
        )
        if other in new or _allowed(table, piece, other, contact):
            continue
        known = found.get((piece, other))
        if known is None or contact.gap < known.mm:
            found[piece, other] = Breach(piece, "touches", other, contact.gap)
    hanging = _hanging(table, table.roads[-1])
    broken = (
        *(found[pair] for pair in sorted(found)),
        *((hanging,) if hanging is not None else ()),
    )
    return broken or _unborne(table, table.roads[-1], touching)


def _new_contacts(table: Table, new: Collection[str]) -> list[Contact]:
    # `contacts` skips pairs without mass, so pairs of pieces that stood before are left out
    there = tuple(body if body.id in new else replace(body, mass=0.0) for body in bodies(table))
    return [contact for contact in contacts(there, _BEARS) if contact.lower is not None]


def _allowed(table: Table, piece: str, other: str, contact: Contact) -> bool:
    """Whether a new piece may touch one that stood before: its supports, a road of the same player
    near a shared support, and cars if the rules allow it.
    """
    road = table.roads[-1]
    if "-C" in other and piece == road.id and table.ruleset.touch_cars == "legal":
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
