"""How roads lie on a measured table: the poses in which geometry rests them, end on disc and end on
end (rules 4b).

Nobody settles a game noted by hand, and its numbers say where pillars stand, not how roads slope. A
road whose end lies on that of another is higher there by its thickness; its stick is longer or
shorter than the line between its pillars. So a road lies as physics receives it, at its place in
plan on what bears it: its pillars, and older roads of its player on them, or newer ones whose ends
were slid under its own. It passes everything else as people saw it do.
"""

from __future__ import annotations

import math
from dataclasses import replace

from sim.bodies import Body, Pose
from sim.physics.drop import rest_disc, rest_road
from sim.referee.geometry import AX, AY, CX, CY
from sim.referee.obstacles import nominal_strip
from sim.referee.room import exit_reach, reach
from sim.referee.standing import LaidRoad, Pillar, from_below, roads_below
from sim.referee.table import Table

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
    tops = [_top(table, pillar) for pillar in pillars]
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
    return [_moved(top, *way) for top, way in zip(tops, ways, strict=False)]


def _moved(body: Body, dx: float, dy: float) -> Body:
    x, y, z = body.pose.at
    return body.at(body.pose._replace(at=(x + dx, y + dy, z)))


def _top(table: Table, pillar: Pillar) -> Body:
    box = table.components
    at = rest_disc(table.top(pillar), (pillar.discs - 1) * box.disc_height, box)
    return box.body(pillar.disc_ids[-1], "disc", at, pillar.owner, pillar.junction)
