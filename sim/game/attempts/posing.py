"""From the table to bodies: where every piece is, and where a hand lets go of the new ones.

Standing pieces are at their settled poses, or where geometry rests them (start layouts, tables
played without physics). A new piece has two poses: the one in which it would rest at its intended
place, and the one in which the hand lets go of it. The two differ by the jitter, the error of the
hand.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sim.bodies import Body, Pose, Vector, compose, from_axes, turn, vector
from sim.physics.drop import held_over, rest_car, rest_disc, rest_road
from sim.pieces import Components
from sim.referee import (
    Build,
    Car,
    CarSpot,
    Exit,
    LaidRoad,
    Pillar,
    Placement,
    Point,
    Table,
    crossings_of,
    earned,
    exit_reach,
    geometry,
    kept,
    obstacles_of,
    reach,
)
from sim.referee.geometry import AX, AY, BOTTOM, CX, CY, DEEP, ROUND, TOP, Strip
from sim.referee.obstacles import nominal_strip, upright
from sim.referee.standing import from_below, roads_below


@dataclass(frozen=True, slots=True)
class Jitter:
    """An error of the hand: a shift in mm and a turn about x, y, z in degrees, added to an intended
    pose; and the velocity (mm/s) with which it lets go.
    """

    shift: Vector = (0.0, 0.0, 0.0)
    turn: Vector = (0.0, 0.0, 0.0)
    speed: Vector = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Laid:
    """A new piece: `lying` is where it would lie at its place in plan, `release` where the hand
    lets go of it, `speed` the velocity (mm/s) that it has then.
    """

    lying: Body
    release: Body
    speed: Vector = (0.0, 0.0, 0.0)


def jitters(hand: Sequence[Mapping[str, Any]] | None) -> dict[str, Jitter]:
    """The jitter by piece id from a record's `hand` list; a `path` in it is skipped."""
    return {
        str(item["piece"]): Jitter(
            *(vector(item.get(key, (0.0, 0.0, 0.0))) for key in ("shift", "turn", "speed"))
        )
        for item in hand or ()
        if "piece" in item
    }


def bodies(table: Table) -> tuple[Body, ...]:
    """Every piece on the table as a body, in building order: discs, buildings, roads, then cars."""
    return kept(table, "bodies", lambda: _bodies(table))


def share_bodies(table: Table, laid: Table) -> None:
    """Notes that the pieces of a table lie as those of another table, so that their bodies need not
    be made again.
    """
    kept(table, "bodies", lambda: bodies(laid))


def lay(table: Table, grown: Table, hand: Mapping[str, Jitter]) -> tuple[Laid, ...]:
    """The new discs and the new road of an entrance, a build or an exit, in placing order.

    `grown` is the table with these pieces where they are meant to lie, see `Table.with_pieces`.
    """
    road, discs = grown.roads[-1], list[Laid]()
    for pillar in grown.pillars[len(table.pillars) :]:
        discs += _lay_discs(table, pillar, hand)
    standing = (*bodies(table), *(disc.lying for disc in discs))
    return (*discs, _lay_road(table, road, standing, hand.get(road.id, Jitter())))


def lay_cars(
    table: Table, place: Mapping[str, CarSpot], hand: Mapping[str, Jitter]
) -> tuple[Laid, ...]:
    """New cars, by id, at their places on the road that was laid last, where that lies by now."""
    on, laid = last_road(table), []
    for car, spot in place.items():
        jitter = hand.get(car, Jitter())
        pose = rest_car(on, spot.along, spot.side, table.components)
        lying = table.components.body(car, "car", pose, on.owner)
        laid.append(_held(lying.moved(*jitter.shift[:2], 0.0), jitter))
    return tuple(laid)


def cars_meant(table: Table, grown: Table, placement: Placement, pose: Pose | None = None) -> int:
    """How many cars a legal placement puts on its road, the last one on the `grown` table, if that
    lies in a pose (None: nominal): those that it names, or all that the road earns.
    """
    if not isinstance(placement, (Build, Exit)):  # an entrance
        return 1
    if placement.cars is not None:
        return len(placement.cars)
    cars = earned(table, placement, crossings_of(grown, grown.roads[-1], pose))
    return min(cars, table.stocks[table.to_move].cars)


def last_road(table: Table) -> Body:
    """The road that was laid last as a body."""
    road = table.roads[-1]
    return next(body for body in bodies(table) if body.id == road.id)


def _bodies(table: Table) -> tuple[Body, ...]:
    box, found = table.components, []
    for pillar in table.pillars:
        for level, disc in enumerate(pillar.disc_ids):
            pose = table.poses.get(disc) or rest_disc(pillar.at, level * box.disc_height, box)
            found.append(_disc(box, pillar, level, pose))
    for building in table.buildings:
        height = box.buildings[building.kind].height
        found.append(
            box.building_body(
                building.id,
                building.kind,
                Pose((*building.at, height / 2), from_axes(building.turn, 0.0)),
            )
        )
    roads: dict[str, Body] = {}
    for road in table.roads:
        settled = table.pose_of(road)
        roads[road.id] = (
            _lay_road(table, road, (*found, *roads.values()), Jitter()).lying
            if settled is None
            else box.body(road.id, "road", settled, road.owner)
        )
    cars = [_car(table, car, roads[car.road]) for car in table.cars]
    return (*found, *roads.values(), *cars)


def _disc(box: Components, pillar: Pillar, level: int, pose: Pose) -> Body:
    yellow = pillar.junction and level == pillar.discs - 1
    return box.body(pillar.disc_ids[level], "disc", pose, pillar.owner, yellow)


def _car(table: Table, car: Car, road: Body) -> Body:
    pose = table.poses.get(car.id)
    if pose is None:
        pose = rest_car(road, car.along, car.side, table.components)
        if car.turn:
            askew = compose(pose.quat, turn((0.0, 0.0, 1.0), car.turn))
            pose = Pose(pose.at, askew)
    return table.components.body(car.id, "car", pose, car.owner)


def _lay_discs(table: Table, pillar: Pillar, hand: Mapping[str, Jitter]) -> Iterator[Laid]:
    """Disc on disc. If a clumsy hand lets go of a disc above another piece, it starts on top of
    that piece.
    """
    box, below = table.components, 0.0
    for level, disc in enumerate(pillar.disc_ids):
        jitter = hand.get(disc, Jitter())
        at = (pillar.at[0] + jitter.shift[0], pillar.at[1] + jitter.shift[1])
        bottom = _clear_height(at, below, box, bodies(table)) if disc in hand else below
        yield _held(_disc(box, pillar, level, rest_disc(at, bottom, box)), jitter)
        below = bottom + box.disc_height


def _clear_height(at: Point, bottom: float, box: Components, standing: Sequence[Body]) -> float:
    """The least height, `bottom` or more, at which a disc's underside cuts into no standing
    piece.
    """
    blocks: list[tuple[float, float]] = []
    for body in standing:
        one = upright(body.shape, body.pose)
        if one[DEEP] == 0.0:
            if math.dist(one[:2], at) < box.disc_radius + one[ROUND]:
                blocks.append((one[BOTTOM], one[TOP]))
        elif geometry.off(one, 0.0, *at) < box.disc_radius - geometry.OVERLAP:
            under, over = geometry.heights(one, 0.0, *at, box.disc_radius, 0.0)
            blocks.append((under, over + one[DEEP]))
    for low, high in sorted(blocks):
        if low < bottom + box.disc_height - 1e-6 and high > bottom + 1e-6:
            bottom = high
    return bottom


def _lay_road(table: Table, road: LaidRoad, standing: Sequence[Body], jitter: Jitter) -> Laid:
    """A road let down at its place in plan on whatever of what is `standing` lies beneath it. A
    hand without errors lets go of it there.
    """
    box = table.components
    strip = nominal_strip(box, road)
    above, (dx, dy, _), (rx, ry, yaw) = _above(table, strip), jitter.shift, jitter.turn
    pose = rest_road(
        (strip[CX] + dx, strip[CY] + dy),
        math.degrees(math.atan2(strip[AY], strip[AX])) + yaw,
        [body for body in standing if body.id not in above],
        box,
    )
    lying = box.body(road.id, "road", pose, road.owner)
    return _held(lying, Jitter(jitter.shift, (rx, ry, 0.0), jitter.speed))


def _held(lying: Body, jitter: Jitter) -> Laid:
    return Laid(lying, held_over(lying, jitter.shift[2], jitter.turn), jitter.speed)


def _above(table: Table, strip: Strip) -> set[str]:
    """The roads, and the cars on them, that a road is meant to pass under: clear above it wherever
    they overlap in plan.
    """
    field, ids = obstacles_of(table), set[str]()
    for others, names in ((field.roads, field.road_ids), (field.cars, field.car_ids)):
        for other, name in zip(others, names, strict=True):
            some, _, high = geometry.gap(strip, 0.0, other, False, 0.0, 0.0, 0.0)
            if some and -high - strip[DEEP] > 0:
                ids.add(name)
    return ids


# --- how roads lie on a measured table ------------------------------------------------------------

# Nobody settles a game noted by hand, and its numbers say where pillars stand, not how roads slope.
# A road whose end lies on that of another is higher there by its thickness; its stick is longer or
# shorter than the line between its pillars. So a road lies as physics receives it, at its place in
# plan on what bears it (rules 4b): its pillars, and older roads of its player on them, or newer
# ones whose ends were slid under its own. It passes everything else as people saw it do.

_HOLD = 0.5  # mm by which an end that barely reaches its disc lies on it


def as_it_lies(table: Table) -> Table:
    """A measured table with every road where it lies (`Table.lies`), as later roads will be; any
    other table as it is.
    """
    if not table.tolerance:
        return table
    lies: dict[str, Pose] = {}
    raised = set[str]()  # by ends that were slid under older ones since then
    for road in from_below(table.roads):
        below = [one for one in roads_below(table.roads, road) if one.id in lies]
        known = table.lies.get(road.id)
        if known is None or any(
            one.id in raised or (road.id in one.under and one.id not in table.lies) for one in below
        ):
            raised |= {road.id} if known is not None else set()
            known = _pose(table, road, [(one, lies[one.id]) for one in below])
        lies[road.id] = known
    return replace(table, lies=lies, lay=as_it_lies)


def _pose(table: Table, road: LaidRoad, below: list[tuple[LaidRoad, Pose]]) -> Pose:
    box, strip = table.components, nominal_strip(table.components, road)
    beneath = _tops(table, road)
    beneath += [box.body(one.id, "road", pose, one.owner) for one, pose in below]
    yaw = math.degrees(math.atan2(strip[AY], strip[AX]))
    pose = rest_road((strip[CX], strip[CY]), yaw, beneath, box)
    if road.kind != "exit":
        return pose
    # people noted where its lower end touches the table
    (x, y), (u, v) = (
        road.end,
        table.line(road, pose).end,
    )
    return pose._replace(at=(pose.at[0] + x - u, pose.at[1] + y - v, pose.at[2]))


def _tops(table: Table, road: LaidRoad) -> list[Body]:
    """The discs that bear a road. Where people noted its two ends farther apart than it reaches,
    they stand as near as they must: measuring was off, as it lay on them.
    """
    box, pillars = table.components, [table.pillar_by_id[name] for name in road.pillars]
    tops = [
        _disc(
            box,
            one,
            one.discs - 1,
            rest_disc(table.top(one), (one.discs - 1) * box.disc_height, box),
        )
        for one in pillars
    ]
    first, last = pillars[0], pillars[-1]
    match road.kind:
        case "road":
            span, (bx, by) = reach(box, last.discs - first.discs), table.top(last)
        case "exit":
            span, (bx, by) = exit_reach(box, first.discs), road.end
        case _:
            return tops
    ax, ay = table.top(first)
    apart = math.hypot(bx - ax, by - ay)
    if span is None or apart + _HOLD <= span[1]:
        return tops
    nearer = (apart + _HOLD - span[1]) / 2 / apart  # the road lies in the middle
    dx, dy = (bx - ax) * nearer, (by - ay) * nearer
    ways = ((dx, dy), (-dx, -dy))
    return [top.moved(*way, 0.0) for top, way in zip(tops, ways, strict=False)]
