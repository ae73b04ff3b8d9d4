"""Crossings of a measured table that are too close to tell: the least and the greatest number of
cars they may earn (rules 7o).

Each point of a road may be off in plan by so many mm (see `tolerance`); its height is exact.
Imagine the noted roads moving continuously to where the true ones lie. If the answer differs, they
touch on the way: either an end of one comes to lie on the other, or two points of the same height
come to lie on each other. So errors can make two roads meet or miss each other only if an end of
one is nearer to the other than both may be off together, and can make them change over and under
only if two points of equal height are that near. This bounds the error of a road's level at a
crossing, whatever its slope and whatever the angle. Everything else is as noted.

One height is not exact: whether the end of a road lies on that of an older one on their pillar, or
beside it, may hang on the ruler too. Such an end may be higher or lower by so much, and the answer
must be the same at both heights.

A ramp that ends on the table under another road crosses it if it comes out past the middle line
(rules 7i). The road above hides that line, so such an end is too close to tell wherever in that
road's strip it lies, however exact the numbers.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from sim.referee.crossings import EXIT_BONUS, Network, Road, Side, line_of
from sim.referee.footprints import road_strip
from sim.referee.geometry import NEAR_WIDTHS, depth, intersection
from sim.referee.sides import past_middle
from sim.referee.standing import LaidRoad, Point, roads_below, shared_pillars
from sim.referee.table import Table
from sim.referee.verdict import CloseCall


@dataclass(frozen=True, slots=True)
class Tally:
    """The least and the greatest number of cars that a road may earn, with an exit's bonus, and
    what is too close to tell.
    """

    least: int
    most: int
    close_calls: tuple[CloseCall, ...] = ()


class _Pair(NamedTuple):
    """Two roads: whether they meet, and whether the one runs over the other; None where it is too
    close to tell.

    `apart` and `level` are the mm by which two points must be off for the first or the second
    answer to change. `shift` is how far from `at` the true crossing may lie.
    """

    meet: bool | None
    over: bool | None
    apart: float
    level: float
    at: Point
    shift: float

    @property
    def sides(self) -> tuple[Side, ...]:
        if self.over is None:
            return ("over", "under")
        return ("over",) if self.over else ("under",)


def tally(table: Table, road: LaidRoad) -> Tally:
    """The counts for the road laid last on a table; the other roads are judged as they stand."""
    view = _View(table, road)
    least = most = EXIT_BONUS if road.kind == "exit" else 0
    close_calls: list[CloseCall] = []
    voids: bool | None = False
    for index, other in enumerate(view.others):
        met = view.pair(view.new, other)
        if met.meet is False:
            continue
        close_calls += _open(other, met)
        if other.owner == road.owner:
            voids = voids or met.meet
        elif view.network.earns(index, road.owner):
            takers = list(view.takers(index, met))
            surely = bool(met.meet) and not takers
            perhaps = any(
                not any(side == taker.side and taker.sure for taker in takers) for side in met.sides
            )
            least, most = least + surely, most + perhaps
            close_calls += [
                CloseCall(other.id, "taken", t.road, t.mm) for t in takers if perhaps and not t.sure
            ]
    if table.ruleset.own_cross_voids and voids is not False:
        least, most = 0, 0 if voids else most
    return Tally(least, most, tuple(dict.fromkeys(close_calls)))


def _open(other: Road, met: _Pair) -> Iterator[CloseCall]:
    if met.meet is None:
        yield CloseCall(other.id, "meeting", None, met.apart)
    if met.over is None:
        yield CloseCall(other.id, "side", None, met.level)


class _Taker(NamedTuple):
    """A road that has taken a side of another, or may have; the mm by which this is sure or not."""

    road: str
    side: Side
    sure: bool
    mm: float


class _View:
    """A table as its new road sees it."""

    def __init__(self, table: Table, road: LaidRoad) -> None:
        self.table, self.rules, self.box = table, table.ruleset.resolved, table.components
        self.new = table.line(road)
        self.others = tuple(line for line in table.lines if line.id != road.id)
        self.network = Network(self.others, table.ruleset, table.components, table.inactive)
        self._heights: dict[str, tuple[Road, ...]] = {}

    def takers(self, index: int, met: _Pair) -> Iterator[_Taker]:
        """The roads that take, or may take, a side of a road that the new road may want."""
        road = self.others[index]
        for row, other in enumerate(self.others):
            if row == index or not self.network.may_take(row, index, self.new.owner):
                continue
            pair = self.pair(other, road)
            near = self.near(pair, met)
            if pair.meet is False or near is False:
                continue
            sure = bool(pair.meet and pair.over is not None and near)
            for side in pair.sides:
                if side in met.sides:
                    yield _Taker(
                        other.id, side, sure, pair.apart if pair.meet is None else pair.level
                    )

    def near(self, one: _Pair, two: _Pair) -> bool | None:
        """Whether two crossings of one road are near enough to each other to count; None if that is
        too close to tell.
        """
        if not self.rules.nearby:
            return True
        past = math.dist(one.at, two.at) - NEAR_WIDTHS * self.box.road_width
        return None if abs(past) <= one.shift + two.shift else past < 0.0

    def pair(self, n: Road, a: Road) -> _Pair:
        """Two roads that stand, or of which the first is the new one."""
        found = Network((a,), self.table.ruleset, self.box).met(n, line_of(n), 0)
        meet, at = found is not None, _point(a, intersection(line_of(n), line_of(a))[2])
        apart, u, v = _nearest(n, a)
        rise = found.level - found.other if found is not None else _height(n, u) - _height(a, v)
        over: bool | None = rise > 0.0
        if n.owner == a.owner and shared_pillars(n.pillars or (), a.pillars or ()):
            return _Pair(meet, over, apart, math.inf, at, 0.0)
        error = off(self.table, n.id) + off(self.table, a.id)
        level = math.inf
        for one, other in itertools.product(self.heights(n), self.heights(a)):
            there = (
                _height(one, _foot(one, at)) - _height(other, _foot(other, at))
                if meet
                else _height(one, u) - _height(other, v)
            )
            level = min(
                level, round(_equal_height(one, other, apart), 9) if (there > 0.0) is over else 0.0
            )
        width, whole = self.box.road_width, self.rules.outlines
        margin = width if whole else 0.0
        ends_under = not whole and any(
            past_middle(one, other, width) is not None for one, other in ((n, a), (a, n))
        )
        shift = error / max(_sine(n, a), 1e-9)
        return _Pair(
            meet if apart > error + margin and not ends_under else None,
            over if level > error else None,
            apart,
            level,
            at,
            shift,
        )

    def heights(self, road: Road) -> tuple[Road, ...]:
        """The road as it lies, and with each end as high or as low as it may lie."""
        if road.id not in self._heights:
            low, high = zip(*(self._end(road, end) for end in (0, 1)), strict=True)
            ends = [
                sorted({round(level + by, 6) for by in (low[k], 0.0, high[k])})
                for k, level in enumerate(road.levels)
            ]
            self._heights[road.id] = tuple(
                replace(road, levels=(one, two)) for one in ends[0] for two in ends[1]
            )
        return self._heights[road.id]

    def _end(self, road: Road, end: int) -> tuple[float, float]:
        """By how many discs an end may lie lower or higher than it does, as it lies on older ends
        or beside them.
        """
        pillar = (road.pillars or (None, None))[end]
        if pillar is None:
            return (0.0, 0.0)
        laid, low, high = self.table.road_by_id[road.id], 0.0, 0.0
        for older in roads_below(self.table.roads, laid):
            if pillar in older.pillars:
                depth = _overlap(self.table, laid, older)
                if abs(depth) <= self.table.tolerance:
                    raised = RAISED * self.box.road_thickness / self.box.disc_height
                    low, high = (low - raised, high) if depth > 0.0 else (low, high + raised)
        return (low, high)


# --- straight lines -------------------------------------------------------------------------------


def _overlap(table: Table, one: LaidRoad, other: LaidRoad) -> float:
    """By how many mm two sticks overlap in plan; below 0 they lie so far apart."""
    return depth(road_strip(table, one), 0.0, road_strip(table, other))


def _point(road: Road, u: float) -> Point:
    (ax, ay), (bx, by) = road.start, road.end
    return (ax + u * (bx - ax), ay + u * (by - ay))


def _height(road: Road, u: float) -> float:
    return road.levels[0] + u * (road.levels[1] - road.levels[0])


def _sine(n: Road, a: Road) -> float:
    (nx, ny), (ax, ay) = (_along(road) for road in (n, a))
    lengths = math.hypot(nx, ny) * math.hypot(ax, ay)
    return abs(nx * ay - ny * ax) / lengths if lengths else 0.0


def _along(road: Road) -> Point:
    return (road.end[0] - road.start[0], road.end[1] - road.start[1])


def _nearest(n: Road, a: Road) -> tuple[float, float, float]:
    """The least distance in plan of an end of one road from the other, and where on both (0
    to 1).
    """
    found = []
    for end in (0.0, 1.0):
        u = _foot(a, _point(n, end))
        found.append((math.dist(_point(n, end), _point(a, u)), end, u))
        u = _foot(n, _point(a, end))
        found.append((math.dist(_point(a, end), _point(n, u)), u, end))
    return min(found)


def _foot(road: Road, point: Point) -> float:
    (x, y), (dx, dy) = road.start, _along(road)
    square = dx * dx + dy * dy
    return (
        min(max(((point[0] - x) * dx + (point[1] - y) * dy) / square, 0.0), 1.0) if square else 0.0
    )


def _equal_height(n: Road, a: Road, apart: float) -> float:
    """The least distance in plan of two points of equal height, one of each road; infinite if there
    are none.

    `apart` is that of their ends, which counts where all heights are equal.
    """
    rise, other = n.levels[1] - n.levels[0], a.levels[1] - a.levels[0]
    start = n.levels[0] - a.levels[0]
    if not rise and not other:
        return apart if not start else math.inf
    # the pairs (u, v) with start + u rise = v other lie on a line; where it enters and leaves the
    # unit square
    corners = []
    for fixed in (0.0, 1.0):
        if other:
            corners.append((fixed, (start + fixed * rise) / other))
        if rise:
            corners.append(((fixed * other - start) / rise, fixed))
    inside = [(u, v) for u, v in corners if -1e-9 <= u <= 1 + 1e-9 and -1e-9 <= v <= 1 + 1e-9]
    offsets = [
        (p[0] - q[0], p[1] - q[1]) for p, q in ((_point(n, u), _point(a, v)) for u, v in inside)
    ]
    if len(offsets) < 2:
        return math.hypot(*offsets[0]) if offsets else math.inf
    return min(_from_origin(p, q) for p, q in itertools.combinations(offsets, 2))


def _from_origin(p: Point, q: Point) -> float:
    """The distance of the origin from the stretch between two points."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    square = dx * dx + dy * dy
    t = min(max(-(p[0] * dx + p[1] * dy) / square, 0.0), 1.0) if square else 0.0
    return math.hypot(p[0] + t * dx, p[1] + t * dy)


# --- how far a piece may be off -------------------------------------------------------------------
# Each number of a game noted by hand may be off by the table's `tolerance` (rules 4j). Heights are
# counted in discs and are exact, so all error lies in plan. A point has two numbers: it is off by
# up to sqrt(2) times the tolerance, and so is every point of a road between its ends. The far end
# of a ramp depends on a direction or on a second point as well, and so does a building's corner.


POINT = math.sqrt(2)
"""As a multiple of the tolerance: a point in plan, and a piece set at it."""

TURNED = POINT + 1.0
"""As a multiple of the tolerance: a piece turned about a point, to a direction or towards another
point.
"""

RAISED = 1.5
"""Thicknesses of a road by which an older end may raise its own: it reaches past that end, which
slopes as well.
"""


def off(table: Table, piece: str) -> float:
    """By how many mm a piece on the table may be off in plan: a pillar or its disc, a road, a car
    or a building, by id.
    """
    if piece.startswith("X"):
        return TURNED * table.tolerance
    if "-P" in piece:
        return POINT * table.tolerance
    if "-C" in piece:  # it has a number of its own along the road
        return off(table, next(car.road for car in table.cars if car.id == piece)) + table.tolerance
    return (POINT if table.road_by_id[piece].kind == "road" else TURNED) * table.tolerance
