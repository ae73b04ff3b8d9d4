"""What came of an attempt, read from the poses in which its pieces lie: the same for an engine and
for a record.

What fell is put back where it stood; the new pieces that then stand are looked at where they lie. A
piece that breaks a rule there did not stand (rules 4h); a car that fell or breaks one has no place.

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
from collections.abc import Collection, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from sim import referee
from sim.bodies import Body, Pose, SettleResult, rotate
from sim.game.attempts.posing import Jitter, Laid, bodies, jitters, last_road, lay, lay_cars
from sim.physics.contacts import Contact, contacts
from sim.physics.drop import rest_car
from sim.physics.neighbours import neighbours
from sim.physics.statics import equilibrium
from sim.referee import (
    AttemptResult,
    Breach,
    CarSpot,
    Checked,
    Crossing,
    Entrance,
    Fall,
    LaidRoad,
    PoseChange,
    PutBack,
    Table,
    crossings_of,
    falls,
    hand_undoes,
    kept,
    seat_of,
)
from sim.referee.geometry import SHARED_SUPPORT, TOUCH
from sim.referee.standing import shared_pillars


@dataclass(frozen=True, slots=True)
class Scene:
    """What an attempt begins with: the checked placement, the table grown by pillar and road, how
    the hand errs by piece, the `new` pieces (ids) as it lays them, and the poses from which pieces
    fall, by id. `tables` are those that were made, with their bodies.
    """

    checked: Checked
    grown: Table
    jitter: Mapping[str, Jitter]
    laid: tuple[Laid, ...]
    new: frozenset[str]
    before: Mapping[str, Pose]
    tables: dict[object, Table] = field(default_factory=dict)

    @classmethod
    def of(cls, checked: Checked, hand: Sequence[Mapping[str, Any]]) -> Scene:
        """The scene of a legal placement that lays a road, and of a record's `hand`."""
        assert checked.grown is not None
        jitter = jitters(hand)
        laid = lay(checked.table, checked.grown, jitter)
        there = (*bodies(checked.table), *(piece.lying for piece in laid))
        new = frozenset(piece.lying.id for piece in laid)
        before = {body.id: body.pose for body in there}
        return cls(checked, checked.grown, jitter, laid, new, before)

    def standing(self, settled: SettleResult) -> tuple[tuple[Fall, ...], Table]:
        """What fell, and the table with pillar and road as it lies once that is put back."""
        there = self.grown.piece_ids
        moved = {piece: pose for piece, pose in settled.moved.items() if piece in there}
        fell = falls(self.grown, PoseChange(self.before, moved))
        poses = standing_poses(self.checked.table, settled, {fall.piece for fall in fell})
        known = {piece: pose for piece, pose in poses.items() if piece in there}
        return fell, self._with(self.grown, known)

    def with_cars(
        self, table: Table, settled: SettleResult, place: Mapping[str, CarSpot]
    ) -> tuple[tuple[Fall, ...], Table]:
        """What fell of the new cars at their places on the road as it lies, and the table with the
        others.
        """
        if not place:
            return (), table
        cars = {car.lying.id: car.lying for car in lay_cars(table, place, self.jitter)}
        there = (*cars.values(), last_road(table))
        moved = {car: settled.moved[car] for car in place if car in settled.moved}
        full = self.checked.with_cars(list(place.values()), list(place))
        fell = falls(full, PoseChange({body.id: body.pose for body in there}, moved))
        stand = [car for car in place if car not in {fall.piece for fall in fell}]
        if len(stand) < len(place):
            full = self.checked.with_cars([place[car] for car in stand], stand)
        lie = {car: moved[car] for car in stand if car in moved}
        lying = self._with(full, {**table.poses, **lie})
        if lie.keys() == {*stand}:
            kept(lying, "bodies", lambda: (*bodies(table), *(cars[c].at(lie[c]) for c in stand)))
        return fell, lying

    def _with(self, table: Table, poses: Mapping[str, Pose]) -> Table:
        known = (frozenset(poses.items()), table.cars)
        return self.tables.setdefault(known, replace(table, poses=poses))


class Due(NamedTuple):
    """The crossings of a new road, the cars that they earn, how many of them may be put on, and
    where they go.
    """

    crossings: tuple[Crossing, ...]
    earned: int
    most: int
    spots: tuple[CarSpot, ...]


def standing_poses(
    table: Table, settled: SettleResult | AttemptResult, fallen: Collection[str]
) -> dict[str, Pose]:
    """The poses of a table once everything that fell is put back where it was, or where it came to
    rest then.
    """
    kept = {piece: pose for piece, pose in (settled.moved or {}).items() if piece not in fallen}
    return dict(table.poses) | kept | dict(settled.restored)


def read(
    scene: Scene,
    settled: SettleResult,
    chosen: tuple[CarSpot, ...] | None = None,
    told: tuple[Breach, ...] = (),
) -> tuple[AttemptResult, Due | None]:
    """The outcome of an attempt whose pieces lie like that, and the cars that are due if it stands.

    `chosen` is where cars were put, where the poses alone do not tell; `told` are the rules that
    new pieces broke though the poses do not show it.
    """
    checked = scene.checked
    fell, table = scene.standing(settled)
    failed = AttemptResult(False, fell, _only(settled, table.piece_ids))
    if scene.new.intersection(failed.fallen) or hand_undoes(table, settled.touched):
        return failed, None
    if told:
        return replace(failed, breaches=told, told=True), None
    due = cars_due(checked, table, chosen)
    cars = checked.table.next_cars(checked.table.to_move, len(due.spots))
    place = dict(zip(cars, due.spots, strict=True))
    dropped, lying = scene.with_cars(table, settled, place)
    while True:
        broken = breaches(lying, lying.piece_ids - checked.table.piece_ids)
        if any(breach.piece in scene.new for breach in broken):
            return replace(failed, breaches=broken), None
        if not broken:
            break
        astray = {breach.piece for breach in broken}
        stay = {car: spot for car, spot in place.items() if car in lying.piece_ids - astray}
        lying = scene.with_cars(table, settled, stay)[1]
    stand = tuple(car for car in cars if car in lying.piece_ids)
    gone = {fall.piece for fall in dropped}
    # a record says where they were finally put
    move = checked.placement
    asked = (move.car,) if isinstance(move, Entrance) else getattr(move, "cars", None) or ()
    result = AttemptResult(
        True,
        tuple(sorted((*fell, *dropped), key=lambda fall: fall.piece)),
        _only(settled, table.piece_ids.union(cars)),
        due.crossings,
        due.earned,
        tuple(place[car] for car in stand),
        stand,
        chosen,
        put_back=(
            *(
                PutBack(car, was, now)
                for car, was, now in zip(cars, asked, due.spots, strict=False)
                if was != now
            ),
            *(
                PutBack(car, place[car], None, "fell" if car in gone else "touches")
                for car in cars
                if car not in stand
            ),
        ),
        laid=lying,
    )
    return result, due


def _only(settled: SettleResult, there: AbstractSet[str]) -> SettleResult:
    """What is said of the pieces that are there."""
    return replace(
        settled,
        moved={piece: pose for piece, pose in settled.moved.items() if piece in there},
        restless=tuple(piece for piece in settled.restless if piece in there),
    )


def cars_due(
    checked: Checked,
    lying: Table,
    chosen: tuple[CarSpot, ...] | None = None,
    *,
    weighed: bool = True,
) -> Due:
    """The places of the cars that are due on the settled road: those `chosen` or in the placement,
    else where there is room, and where cars stand if that is `weighed`.
    """
    table, placement = checked.table, checked.placement
    if isinstance(placement, Entrance):
        return Due((), 1, 1, chosen[:1] if chosen is not None else (placement.car,))
    crossings = crossings_of(lying, lying.roads[-1], None)
    earned = referee.earned(table, placement, crossings)
    count = min(earned, table.stocks[table.to_move].cars)
    named = getattr(placement, "cars", None)
    wanted = named if chosen is None else chosen
    if wanted is not None:
        most = count if named is None else min(count, len(named))
        return Due(crossings, earned, most, tuple(wanted[:count]))
    others = replace(lying, roads=lying.roads[:-1]) if weighed else table
    spots = places_that_stand(others, lying, count, weighed=weighed)
    return Due(crossings, earned, count, spots)


# --- breaches -------------------------------------------------------------------------------------

# mm: a road further above a disc than this does not lie on it; settled poses are that exact
_BEARS = 0.2


def breaches(table: Table, new: Collection[str]) -> tuple[Breach, ...]:
    """The breaches by the `new` pieces (ids) of a settled table, in the order of the pieces, each
    pair once.

    The road laid last is the new one. Pieces touch if the gap between them is less than TOUCH.
    """
    found: dict[tuple[str, str], Breach] = {}
    # `contacts` skips pairs without mass, so pairs of pieces that stood before are left out
    there = tuple(body if body.id in new else replace(body, mass=0.0) for body in bodies(table))
    touching = [contact for contact in contacts(there, _BEARS) if contact.lower is not None]
    for contact in touching:
        pair = _forbidden(table, new, contact) if contact.gap < TOUCH else None
        if pair is not None and (pair not in found or contact.gap < found[pair].mm):
            found[pair] = Breach(pair[0], "touches", pair[1], contact.gap)
    road = table.roads[-1]
    broken = (*(found[pair] for pair in sorted(found)), *_hanging(table, road))
    return broken or _unborne(table, road, touching)


def hanging_roads(table: Table) -> list[tuple[LaidRoad, str | None]]:
    """The roads of a table that do not lie where they should: each with the pillar (id) that does
    not bear it, or None for a ramp whose lower end hangs above the table.
    """
    there = bodies(table)
    lying = replace(table, poses={body.id: body.pose for body in there})
    touching = [contact for contact in contacts(there, _BEARS) if contact.lower is not None]
    return [
        (road, breach.other)
        for road in lying.roads
        for breach in _hanging(lying, road) or _unborne(lying, road, touching)
    ]


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


def _hanging(table: Table, road: LaidRoad) -> tuple[Breach, ...]:
    """A ramp whose lower end does not lie on the table."""
    pose = table.poses.get(road.id)
    if road.target is not None or pose is None:
        return ()
    box = table.components
    half, wide, low = box.road_length / 2, box.road_width / 2, -box.road_thickness / 2
    # ramps start at their pillar, so this end is the lower one
    corners = [rotate(pose.quat, (half, side, low)) for side in (-wide, wide)]
    height = min(pose.at[2] + corner[2] for corner in corners)
    return (Breach(road.id, "off the table", None, height),) if height > TOUCH else ()


def _unborne(table: Table, road: LaidRoad, touching: Collection[Contact]) -> tuple[Breach, ...]:
    """The pillars of a new road that do not bear it: neither their top discs nor own ends that lie
    there (rules 4a, 4b).
    """
    below = {contact.lower for contact in touching if contact.upper == road.id}
    found = []
    for name in road.pillars if road.id in table.poses else ():
        ends = {other.id for other in table.roads if other.id != road.id and name in other.pillars}
        if below.isdisjoint({table.pillar_by_id[name].disc_ids[-1], *ends}):
            found.append(Breach(road.id, "not borne", name, _BEARS))
    return tuple(found)


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
    best, around = tuple[CarSpot, ...](), _around(grown, road) if count else ()
    for _ in range(_SEARCHES):
        found = referee.free_spots(
            before,
            road,
            pose,
            count,
            taken=left,
            steepest=grown.components.friction_of("car", "road"),
        )
        alone = tuple(spot for spot in found if _stand(grown, around, road, [spot]))
        tipping = [spot for spot in found if spot not in alone]
        if not any(spot.side for spot in alone) or _stand(grown, around, road, alone):
            best = max(best, alone, key=len)
        elif not tipping:
            tipping = [max(found, key=lambda spot: abs(spot.side))]  # together they tip the road
        if not tipping:
            break
        left += tipping
    return best


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
