"""Measured tables, in a game noted by hand: which faults of geometry may come from errors of the
ruler (rules 4j), and the least and the greatest number of cars that crossings too close to tell may
earn (rules 7o).

Two pieces may be nearer or further apart than noted, by the sum of what each may be off
(`sim.referee.obstacles.off`). So a gap between them may be wrong because they really miss each
other in plan, or because they meet elsewhere; then it is wrong by as much as one rises against the
other over that length.

A fault that such an error explains is only a remark; any other refuses the placement. Rules of
counting involve no ruler. Often nobody notes where cars stood (`Table.guessed`); a car that the
referee set down itself blocks nothing.
"""

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from sim.referee import geometry
from sim.referee.crossings import EXIT_BONUS, Network, Road, Side, line_of, past_middle
from sim.referee.geometry import (
    AX,
    AY,
    CX,
    CY,
    DEEP,
    HW,
    NEAR_WIDTHS,
    ROUND,
    SHARED_SUPPORT,
    SLOPE,
    Strip,
    intersection,
)
from sim.referee.obstacles import (
    POINT,
    RAISED,
    TURNED,
    NewPieces,
    car_strips,
    obstacles_of,
    off,
    road_strip,
)
from sim.referee.placement import Build, Entrance, Exit, Placement
from sim.referee.room import find_build, room_for_errors
from sim.referee.standing import Fault, LaidRoad, Point, roads_below, shared_pillars
from sim.referee.table import Table
from sim.referee.verdict import CloseCall


def divided(
    table: Table, placement: Placement, new: NewPieces | None, faults: Iterable[Fault]
) -> tuple[tuple[Fault, ...], tuple[Fault, ...]]:
    """The faults that errors of the ruler explain, and those beyond its tolerance; `new` are the
    placement's pieces. Faults about cars that the referee set down itself are in neither.
    """
    case = _Case(table, placement, new)
    within, beyond = list[Fault](), list[Fault]()
    for fault in faults:
        if _counts(case, fault):
            (within if _is_within(case, fault) else beyond).append(fault)
    return tuple(within), tuple(beyond)


class _Case(NamedTuple):
    """A placement on a measured table, and its pieces where they are meant to lie."""

    table: Table
    placement: Placement
    new: NewPieces | None

    @property
    def pieces(self) -> NewPieces:
        """The new pieces. Only a placement that has some can have the faults that ask for them."""
        assert self.new is not None
        return self.new


def _counts(case: _Case, fault: Fault) -> bool:
    """Whether a fault counts: not if it is about cars that the referee set down itself, or about
    too many cars where more may be earned.
    """
    if any(piece in case.table.guessed for piece in fault.pieces):
        return False
    return fault.code != "cars-earned" or fault.numbers["wanted"] > _most(case)


def _most(case: _Case) -> int:
    """The cars that a placement may put down, with every crossing that is too close to tell."""
    return min(
        tally(case.pieces.grown, case.pieces.road).most,
        case.table.stocks[case.table.to_move].cars,
    )


def _is_within(case: _Case, fault: Fault) -> bool:
    """Whether the numbers may be off by as much as would undo the fault."""
    error, mm = case.table.tolerance, fault.numbers.get("mm", math.inf)
    match fault.code:
        case "reach" | "sticks-out":  # without mm no road could lie there at all
            return mm <= end_error(case.table, isinstance(case.placement, Exit))
        case "entrance-far":
            return mm - fault.numbers["limit"] <= POINT * error
        case "has-room":
            # if people saw no room, a place that the numbers allow may really be too narrow; but
            # not if it has room even for the greatest errors of two pieces
            return find_build(case.table, room_for_errors(case.table)) is None
        case (
            "over-pillar" | "pillar-on-pillar" | "pillar-on-building" | "pillar-under-road"
            | "building-overlap"
        ):  # fmt: skip
            return mm <= _apart(case, fault)
        case (
            "touches-road" | "touches-car" | "touches-pillar" | "touches-building" | "car-touches"
            | "over-building" | "under-own-road" | "pillar-touches-road" | "pillar-touches-car"
        ):  # fmt: skip
            return _gap(case, fault)
        case "car-off-road":
            return _beside_road(case, fault)
        case "car-on-car":
            return mm <= 2 * error
    return False


def end_error(table: Table, exits: bool) -> float:
    """By how many mm an end of a road may lie elsewhere on its pillar than noted. The surplus of a
    road is split between both ends; an exit has it all at its top end.
    """
    return (2 if exits else 1) * POINT * table.tolerance


def _gap(case: _Case, fault: Fault) -> bool:
    """A gap of `mm`, which is too small: the pieces might miss each other in plan, or pass where
    there is more room.
    """
    error = _apart(case, fault)
    return _parts_beyond_support(case, fault, error) or all(
        deep <= error or abs(fault.numbers["mm"]) <= rise * error
        for deep, rise in _meets(case, fault)
        if deep > 0.0
    )


def _parts_beyond_support(case: _Case, fault: Fault, error: float) -> bool:
    """Whether a new road that shares its base with an older one of its player may leave it where
    they may no longer touch.

    Near the pillar they may touch (rules 4d). Both turn about it, so further out each may lie
    `error` nearer or further off.
    """
    table, road = case.table, case.pieces.road
    other = table.road_by_id.get(fault.pieces[-1])
    base = table.pillar_by_id.get(road.base)
    if not (other and base and shared_pillars(road.pillars, other.pillars)):
        return False
    new, old = (
        (*one[:HW], max(one[HW] - error / 2, 0.0), *one[HW + 1 :])
        for one in (case.pieces.strip, _standing(table, other.id))
    )
    support = SHARED_SUPPORT * table.components.disc_radius + off(table, base.id)
    some, _, _ = geometry.gap(new, 0.0, old, True, *table.top(base), support)
    return not some


def _beside_road(case: _Case, fault: Fault) -> bool:
    """A car beside its road by some of its `mm`, or past an end of it: `along` is out of `least` to
    `most`.
    """
    numbers = fault.numbers
    if "along" not in numbers:
        return numbers["mm"] - numbers["widest"] <= case.table.tolerance
    past = max(numbers["least"] - numbers["along"], numbers["along"] - numbers["most"])
    return past * case.table.components.road_length <= case.table.tolerance


# --- two pieces -----------------------------------------------------------------------------------


def _apart(case: _Case, fault: Fault) -> float:
    """By how many mm the new piece of a fault and the standing one may be nearer or further apart
    than noted.
    """
    table, code = case.table, fault.code
    straight = code.startswith("pillar") or isinstance(case.placement, Build)
    new = POINT if straight and code != "building-overlap" else TURNED
    return (new + (code == "car-touches")) * table.tolerance + off(table, fault.pieces[-1])


def _meets(case: _Case, fault: Fault) -> list[tuple[float, float]]:
    """The new piece of a fault, or each new car, against the standing one: how deep they overlap in
    plan (mm), and how fast the gap between them grows with the place (mm a mm).
    """
    table, placement = case.table, case.placement
    new = [case.pieces.strip]
    if fault.code.startswith("pillar"):
        pillar = case.pieces.pillar
        assert pillar is not None
        new = [_circle(*pillar.at, table.components.disc_radius)]
    elif fault.code == "car-touches":
        first = (placement.car,) if isinstance(placement, Entrance) else ()
        spots = getattr(placement, "cars", first) or ()
        new = car_strips(table.components, case.pieces.strip, spots)
    old = _standing(table, fault.pieces[-1])
    flat = fault.code == "over-building"  # forbidden at any height
    return [(_depth(one, old), 0.0 if flat else _relative_rise(one, old)) for one in new]


def _standing(table: Table, piece: str) -> Strip:
    """A road, a car, a building or a pillar as it stands, in plan, as a block; a pillar of a
    measured table stands straight.
    """
    field = obstacles_of(table)
    ids = (*field.road_ids, *field.car_ids, *field.block_ids)
    if piece in ids:
        return (*field.roads, *field.cars, *field.blocks)[ids.index(piece)]
    x, y, _, _ = field.discs[field.disc_pillars.index(piece)]
    return _circle(x, y, table.components.disc_radius)


def _circle(x: float, y: float, radius: float) -> Strip:
    """A circle in plan as a block, whose heights do not matter."""
    return (x, y, radius, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def _depth(one: Strip, other: Strip) -> float:
    """By how many mm two blocks overlap in plan."""
    if one[DEEP] and other[DEEP]:
        return geometry.depth(one, 0.0, other)
    if not one[DEEP] and not other[DEEP]:
        return geometry.round_by_round(
            *(one[CX], one[CY], one[ROUND]), *(other[CX], other[CY], other[ROUND])
        )
    strip, circle = (one, other) if one[DEEP] else (other, one)
    return circle[ROUND] - geometry.off(strip, 0.0, circle[CX], circle[CY])


def _relative_rise(one: Strip, other: Strip) -> float:
    """By how many mm the height of one block above another changes where they meet, for each mm
    that one is shifted in plan.

    A shift r of the one moves the crossing of two sticks by s along the one and by t along the
    other.
    """
    if not (one[DEEP] and other[DEEP]):
        return abs(one[SLOPE] if one[DEEP] else other[SLOPE] if other[DEEP] else 0.0)
    ax, ay, bx, by = one[AX], one[AY], other[AX], other[AY]
    sine = ax * by - ay * bx
    if abs(sine) < 1e-6:  # side by side: anything may be above anything
        return math.inf
    # s a + r = t b has s = (b x r) / sine and t = (a x r) / sine; the one rises against the other
    # by slope_a s - slope_b t
    up, down = one[SLOPE] / sine, other[SLOPE] / sine
    return math.hypot(up * by - down * ay, up * bx - down * ax)


# --- crossings that are too close to tell ---------------------------------------------------------


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
                _height(one, _foot(one.start, one.end, at))
                - _height(other, _foot(other.start, other.end, at))
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
                depth = geometry.depth(
                    road_strip(self.table, laid), 0.0, road_strip(self.table, older)
                )
                if abs(depth) <= self.table.tolerance:
                    raised = RAISED * self.box.road_thickness / self.box.disc_height
                    low, high = (low - raised, high) if depth > 0.0 else (low, high + raised)
        return (low, high)


# --- straight lines -------------------------------------------------------------------------------


def _point(road: Road, u: float) -> Point:
    (ax, ay), (bx, by) = road.start, road.end
    return (ax + u * (bx - ax), ay + u * (by - ay))


def _height(road: Road, u: float) -> float:
    return road.levels[0] + u * (road.levels[1] - road.levels[0])


def _sine(n: Road, a: Road) -> float:
    (nx, ny), (ax, ay) = _along(n), _along(a)
    lengths = math.hypot(nx, ny) * math.hypot(ax, ay)
    return abs(nx * ay - ny * ax) / lengths if lengths else 0.0


def _along(road: Road) -> Point:
    return (road.end[0] - road.start[0], road.end[1] - road.start[1])


def _nearest(n: Road, a: Road) -> tuple[float, float, float]:
    """The least distance in plan of an end of one road from the other, and where on both (0
    to 1).
    """
    found = [(end, _foot(a.start, a.end, _point(n, end))) for end in (0.0, 1.0)]
    found += [(_foot(n.start, n.end, _point(a, end)), end) for end in (0.0, 1.0)]
    return min((math.dist(_point(n, u), _point(a, v)), u, v) for u, v in found)


def _foot(start: Point, end: Point, point: Point) -> float:
    """Where the stretch from one point to another comes nearest to a third (0 to 1)."""
    (x, y), dx, dy = start, end[0] - start[0], end[1] - start[1]
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
    t = _foot(p, q, (0.0, 0.0))
    return math.hypot(p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]))
