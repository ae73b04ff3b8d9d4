"""From a point on the table to a placement, and what the referee says of it before anybody touches
a piece.

An `AimRequest` is what somebody has chosen so far. The rest is filled in: the nearest base pillar,
and the legal height that earns most. The new pillar is moved to within the reach of a road, so that
it is enough to point somewhere.

One module: request, placement, verdict and its words are one chain.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from rules.errors import ShutokoError
from sim import referee
from sim.bodies import Body
from sim.game import Attempt, bodies, judge, lay
from sim.game.sources import Nominal, Observed
from sim.game.stability import steep_cars
from sim.languages import Sentence
from sim.referee import (
    Adjust,
    Build,
    CarSpot,
    Entrance,
    Exit,
    Fault,
    Pass,
    Pillar,
    Placement,
    Point,
    Reason,
    SetBuilding,
    Side,
    Table,
    Verdict,
    allowed_discs,
    reach,
    slots,
)
from sim.referee.explain import explain, fault_line, steep_line
from sim.referee.table import BasePoint, LastBuild

if TYPE_CHECKING:
    from sim.game.risk import Risk

Bar = tuple[float, float, float, float, float, str]
"""A bar along a road: x, y, z (mm), yaw (radians), length (mm), colour."""

_INSET = 0.3  # mm kept from the ends of the reach of a road: a click is not that exact
_CLEAR = 7.0  # mm between a road's middle and the bar that marks one of its sides
TAKES, OPENS = "#f09a1a", "#18b4d8"
"""The colours of the sides that an aimed placement would take, and of those that it would open."""

_FREE, _TAKEN = "#2fae66", "#8d8d8d"


@dataclass(frozen=True, slots=True)
class AimRequest:
    """What is chosen: where (mm), the kind, and perhaps the base pillar and the number of discs;
    `turn` is in degrees.

    The `fixed` place of a pillar is not moved to within a road's reach. `exact` is a placement to
    be taken as it is, with every offset of a road or a car.
    """

    at: Point
    kind: Literal["build", "exit"] = "build"
    base: str | None = None
    discs: int | None = None
    junction: bool = False
    building: str = ""
    turn: float | None = None
    fixed: bool = False
    exact: Placement | None = None


@dataclass(frozen=True, slots=True)
class Aimed:
    """A placement and what the referee says of it: its faults, or its crossings and cars; `pieces`
    are the new ones in place.

    `scoring` are the points (x, y, z in mm) of crossings that would earn a car. `after` is the
    table with the new pieces at their nominal poses, `verdict` the referee's by geometry; an
    illegal placement has neither, but `faults`.
    """

    placement: Placement
    legal: bool
    lines: tuple[Reason, ...]
    cars: int
    pieces: tuple[Body, ...]
    scoring: tuple[tuple[float, float, float], ...] = ()
    after: Table | None = None
    verdict: Verdict | None = None
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class RoadSide:
    """One side of a road."""

    road: str
    side: Side


@dataclass(frozen=True, slots=True)
class Change:
    """What a placement would do to the sides of roads.

    `taken` are free sides of roads of others that the new road would take; `own` are free sides of
    the seat's own roads that it would close to the others; `opened` are the free sides of the new
    road.
    """

    taken: tuple[RoadSide, ...] = ()
    own: tuple[RoadSide, ...] = ()
    opened: tuple[RoadSide, ...] = ()


def aim(table: Table, request: AimRequest, names: Sequence[str] = ()) -> Aimed | None:
    """The best placement of the seat to move that fits a request; None if nothing fits.

    Legal placements are better than others, then those that earn more cars. `names` are the players
    by seat, for the sentences.
    """
    best: _Judged | None = None
    for placement in _fitting(table, request):
        found = _judged(table, placement)
        if best is None or found.rank > best.rank:
            best = found
    return None if best is None else _shown(table, best, names)


def request_for(placement: Placement) -> AimRequest | None:
    """The request for exactly this placement; None for one without a place, as a pass."""
    at = place_of(placement)
    if at is None:
        return None
    choices = ("base", "discs", "junction", "building", "turn")
    chosen = {name: getattr(placement, name) for name in choices if hasattr(placement, name)}
    if isinstance(placement, Entrance):
        chosen["turn"] = placement.toward
    kind: Literal["build", "exit"] = "exit" if isinstance(placement, Exit) else "build"
    return AimRequest(at, kind, **chosen, exact=placement)


_PLACES = {Entrance: "pillar", SetBuilding: "at", Build: "at", Exit: "to"}


def place_of(placement: Placement) -> Point | None:
    """Where a placement sets its pieces (mm), None for one without a place."""
    name = _PLACES.get(type(placement))
    return None if name is None else getattr(placement, name)


def shown_place(request: AimRequest | None, aimed: Aimed | None) -> Point | None:
    """The place of what is aimed at (mm), or the place asked for where nothing fits; None without a
    request.
    """
    if aimed is not None:
        return place_of(aimed.placement)
    return None if request is None else request.at


def moved(table: Table, placement: Placement, request: AimRequest, step: Point) -> AimRequest:
    """The request with its placement moved by a step (mm).

    If a road does not reach that place, the pillar slides along the rim of the road's reach: the
    larger coordinate of the step is kept, and the other one changes as it must.
    """
    x, y = place_of(placement) or request.at
    to = (x + step[0], y + step[1])
    if not isinstance(placement, Build | Exit):
        return replace(request, at=to, fixed=True, exact=None)
    base = table.pillar_by_id[placement.base]
    span = _span(table, base, placement.discs if isinstance(placement, Build) else 0)
    at = (
        to
        if span is None
        else _along(table.top(base), to, span, sideways=abs(step[1]) > abs(step[0]))
    )
    return replace(request, at=at, base=placement.base, fixed=True, exact=None)


def _along(centre: Point, to: Point, span: Point, *, sideways: bool) -> Point:
    """A place at a distance within the span (least, most, mm) from a centre; it keeps the x of
    `to`, or its y if `sideways`.
    """
    least, most = span
    across, ahead = (to[0] - centre[0], to[1] - centre[1])[:: -1 if sideways else 1]
    if abs(across) > most:
        return _within(centre, to, least, most)
    low, high = math.sqrt(max(least**2 - across**2, 0.0)), math.sqrt(most**2 - across**2)
    ahead = math.copysign(min(max(abs(ahead), low), high), ahead)
    dx, dy = (across, ahead)[:: -1 if sideways else 1]
    return (round(centre[0] + dx, 2), round(centre[1] + dy, 2))


def tops(table: Table, points: Sequence[BasePoint]) -> list[tuple[str, float, float, float]]:
    """The tops of base pillars: name, x, y, z (mm)."""
    height = table.components.disc_height
    return [
        (point.pillar.id, *table.top(point.pillar), point.pillar.discs * height) for point in points
    ]


def heights(table: Table, build: Build) -> list[int]:
    """The numbers of discs that a pillar of that kind may have on its base."""
    base = table.pillar_by_id[build.base]
    return sorted(
        discs for discs, junction in allowed_discs(table, base) if junction == build.junction
    )


def of_height(table: Table, build: Build, discs: int, at: Point) -> AimRequest:
    """The request for a build of so many discs at a place, also where the rules do not allow that
    height; its pillar is moved to within a road's reach, if a road reaches it at all.
    """
    span = _span(table, table.pillar_by_id[build.base], discs)
    place = (
        (round(at[0], 2), round(at[1], 2))
        if span is None
        else _within(table.top(table.pillar_by_id[build.base]), at, *span)
    )
    built = Build(build.base, place, discs, build.junction)
    return AimRequest(place, base=build.base, discs=discs, junction=build.junction, exact=built)


def adjustment(last: LastBuild) -> AimRequest:
    """The request for a build as it stands, to be adjusted: only its place is left open."""
    build = last.placement
    if isinstance(build, Exit):
        return AimRequest(build.to, kind="exit", base=build.base)
    return AimRequest(build.at, base=build.base, discs=build.discs, junction=build.junction)


def adjusting(placement: Placement) -> Adjust:
    """The adjustment that turns the last build into that placement; its road and cars stay."""
    assert isinstance(placement, (Build, Exit))
    return Adjust(pillar=placement.at) if isinstance(placement, Build) else Adjust(to=placement.to)


def passing(table: Table) -> Pass:
    """How the seat to move skips its turn: a plain pass if the rules allow it, else a pass for want
    of room.
    """
    return Pass() if table.ruleset.may_pass or table.unable(table.to_move) else Pass("no room")


def margin(table: Table, text: str, engine: str) -> Sentence:
    """What statics says of a legal placement once it has settled: how much more it bears, and what
    gives way first; and why it does not stand if so.
    """
    from sim.game.stability import stability

    found = stability(table, table.parse(text), engines=(engine,))
    first = found.margin.first
    values: dict[str, Any] = {"piece": None, "way": None, "other": None}
    if first is not None:
        values = {"piece": first.upper, "way": first.way, "other": first.lower}
    values |= {"sideways": found.margin.sideways, "push": found.margin.push}
    said = Sentence("statics-bears" if found.balanced else "statics-unbalanced", values)
    if not found.why:
        return said
    return Sentence("statics-why", {"why": [why.what for why in found.why], "said": said})


def risk_of(table: Table, text: str, skill: str, samples: int, engine: str) -> Sentence:
    """How likely a legal placement is to go wrong for a hand of that skill."""
    found = _risk(table, text, skill, samples, engine)
    stands, others, penalty = found.stands_rate, found.others_fall_rate, found.expected_penalty
    shares = {
        "stands": stands.value,
        "low": stands.low,
        "high": stands.high,
        "others": others.value,
    }
    percent = {name: 100.0 * share for name, share in shares.items()}
    told = Sentence(
        "risk-told", {"skill": skill, "samples": samples, **percent, "penalty": penalty.value}
    )
    if not found.why:
        return told
    return Sentence("risk-why", {"why": [why.sentence for why in found.why], "said": told})


def chance(table: Table, text: str, skill: str, samples: int, engine: str) -> float:
    """The share of some tries by a hand of that skill in which a legal placement stands and fells
    nothing.
    """
    found = _risk(table, text, skill, samples, engine)
    return float(found.stands_rate.value * (1.0 - found.others_fall_rate.value))


def _risk(table: Table, text: str, skill: str, samples: int, engine: str) -> Risk:
    from sim.game.attempts.hand import skill as hand
    from sim.game.risk import risk

    return risk(table, table.parse(text), skill=hand(skill), samples=samples, engine=engine)


def scoring(table: Table, verdict: Verdict) -> tuple[tuple[float, float, float], ...]:
    """The points (x, y, z in mm) just above the crossings that earn a car; none if nothing was
    built.
    """
    height = table.components.disc_height
    return tuple(
        (*crossing.meeting.at, max(crossing.meeting.level, crossing.meeting.other) * height + 3.0)
        for crossing in verdict.crossings
        if crossing.scores and verdict.built
    )


def changed(table: Table, aimed: Aimed) -> Change:
    """What a placement would do to the sides of roads; nothing if it is illegal."""
    if aimed.after is None or not isinstance(aimed.placement, (Build, Exit)):
        return Change()
    was = {
        (slot.road, side.side): side for slot in slots(table) for side in (slot.over, slot.under)
    }
    owners = {line.id: line.owner for line in table.lines}
    taken, opened = [], []
    for slot in slots(aimed.after):
        for side in (slot.over, slot.under):
            before = was.get((slot.road, side.side))
            if before is None:
                opened += [RoadSide(slot.road, side.side)] if side.free_for else []
            elif before.free_for and any(taker.road not in owners for taker in side.takers):
                taken.append(RoadSide(slot.road, side.side))
    own = tuple(one for one in taken if owners[one.road] == table.to_move)
    return Change(tuple(one for one in taken if one not in own), own, tuple(opened))


def slot_bars(table: Table, seat: int | None, aimed: Aimed | None = None) -> list[Bar]:
    """A bar above and a bar below every road. Its colour says whether that side can still earn
    `seat` (None: anybody) a car, or is taken, or would be taken or opened by an aimed placement.
    """
    change = Change() if aimed is None else changed(table, aimed)
    takes, opens = (*change.taken, *change.own), change.opened
    shown = table if aimed is None or aimed.after is None else aimed.after
    lines = {line.id: line for line in shown.lines}
    height = table.components.disc_height
    bars = []
    for slot in slots(shown):
        line = lines[slot.road]
        (ax, ay), (bx, by) = line.start, line.end
        yaw, length = math.atan2(by - ay, bx - ax), 0.55 * math.dist(line.start, line.end)
        level = sum(line.levels) / 2 * height + table.components.road_thickness / 2
        for side, lift in ((slot.over, _CLEAR), (slot.under, -_CLEAR)):
            free = not slot.nobody and (
                bool(side.free_for) if seat is None else seat in side.free_for
            )
            here = RoadSide(slot.road, side.side)
            colour = (
                TAKES if here in takes else OPENS if here in opens else _FREE if free else _TAKEN
            )
            if colour != _TAKEN or side.takers:
                bars.append(
                    ((ax + bx) / 2, (ay + by) / 2, max(level + lift, 1.0), yaw, length, colour)
                )
    return bars


def _fitting(table: Table, request: AimRequest) -> Iterator[Placement]:
    x, y = (round(value, 2) for value in request.at)
    phase = table.phase
    if request.exact is not None:
        yield request.exact
    elif phase == "entrances":
        toward = math.degrees(math.atan2(y, x)) if request.turn is None else request.turn
        yield Entrance((x, y), round(toward % 360.0, 2), CarSpot(0.5))
    elif phase == "buildings":
        kinds = table.buildings_left
        yield SetBuilding(
            request.building if request.building in kinds else kinds[0],
            (x, y),
            round((request.turn or 0.0) % 360.0, 2),
        )
    elif phase == "play":
        base = _base(table, request)
        if base is not None:
            yield from (
                _exits(table, request, base)
                if request.kind == "exit"
                else _builds(table, request, base)
            )


def _base(table: Table, request: AimRequest) -> BasePoint | None:
    points = table.base_points(table.to_move)
    named = [point for point in points if point.pillar.id == request.base]
    nearest = sorted(points, key=lambda point: math.dist(table.top(point.pillar), request.at))
    return next(iter((*named, *nearest)), None)


def _builds(table: Table, request: AimRequest, point: BasePoint) -> Iterator[Placement]:
    base = point.pillar
    allowed = allowed_discs(table, base)
    fit = [
        (discs, junction)
        for discs, junction in allowed
        if junction == request.junction and request.discs in (None, discs)
    ]
    for discs, junction in fit if request.discs is None else fit[:1]:
        span = _span(table, base, discs)
        if span is not None:
            x, y = request.at
            at = (
                (round(x, 2), round(y, 2))
                if request.fixed
                else _within(table.top(base), request.at, *span)
            )
            yield Build(base.id, at, discs, junction)


def _exits(table: Table, request: AimRequest, point: BasePoint) -> Iterator[Placement]:
    base = point.pillar
    span = _span(table, base, 0)
    if span is not None:
        yield Exit(base.id, _within(table.top(base), request.at, *span))


def _span(table: Table, base: Pillar, discs: int) -> Point | None:
    """How near and how far from a base pillar a road ends (mm) on a pillar of so many discs, or
    with none on the table.
    """
    box = table.components
    if discs:
        span = reach(box, discs - base.discs)
        return None if span is None else (span[0] + _INSET, span[1] - _INSET)
    drop = base.discs * box.disc_height
    if drop >= box.road_length:
        return None
    length = math.sqrt(box.road_length**2 - drop**2)
    return (length, length)


def _within(centre: Point, at: Point, least: float, most: float) -> Point:
    distance = math.dist(centre, at)
    if distance < 1e-6:
        return (round(centre[0] + least, 2), round(centre[1], 2))
    scale = min(max(distance, least), most) / distance
    return (
        round(centre[0] + (at[0] - centre[0]) * scale, 2),
        round(centre[1] + (at[1] - centre[1]) * scale, 2),
    )


class _Judged(NamedTuple):
    """A placement, what is wrong with it, or else the verdict by geometry and the table after
    it.
    """

    placement: Placement
    faults: tuple[Fault, ...]
    verdict: Verdict | None = None
    after: Table | None = None

    @property
    def rank(self) -> tuple[bool, int]:
        """Higher is better."""
        return (self.verdict is not None, self.verdict.earned if self.verdict is not None else 0)


def _judged(table: Table, placement: Placement) -> _Judged:
    faults = referee.before(table, placement)
    if faults:
        return _Judged(placement, faults)
    # on a measured table as its ply will be judged, with what is too close to tell
    source = Observed(()) if table.tolerance else Nominal()
    verdict, after, _ = judge(table, placement, [Attempt(source)])
    return _Judged(placement, (), verdict, after)


def _shown(table: Table, judged: _Judged, names: Sequence[str]) -> Aimed:
    """The placement with its pieces and sentences; they take a while, so only the best placement
    gets them.
    """
    placement, faults, verdict, after = judged
    if verdict is None or after is None:
        return Aimed(
            placement,
            False,
            tuple(map(fault_line, faults)),
            0,
            _meant(table, placement),
            faults=faults,
        )
    old = {body.id for body in bodies(table)}
    new = tuple(body for body in bodies(after) if body.id not in old)
    # a car's slope is that of the road as it would lie, not of the straight line that geometry
    # judges
    told = [
        line
        for line in explain(table, placement, verdict, names)
        if line.data["kind"] not in ("goes-on", "doubt")
    ]
    lines = (*told, *map(steep_line, steep_cars(table, placement)))
    return Aimed(
        placement, True, lines, verdict.earned, new, scoring(table, verdict), after, verdict
    )


def _meant(table: Table, placement: Placement) -> tuple[Body, ...]:
    """The new pieces of an illegal placement, as far as they can be shown."""
    try:
        if isinstance(placement, Pass):
            return ()
        grown = table.with_pieces(placement)
        if isinstance(placement, SetBuilding):
            return tuple(body for body in bodies(grown) if body.id == grown.buildings[-1].id)
        return tuple(piece.lying for piece in lay(table, grown, {}))
    except (ShutokoError, ValueError, ZeroDivisionError):
        return ()
