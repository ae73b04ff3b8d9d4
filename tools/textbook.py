"""The physics engines against the textbook.

Each check bisects one parameter of a small scene (an overhang, a slope, a friction coefficient) to
the value at which an engine lets it fall or slip, and compares that with statics. A negative error
means earlier than statics says. `benchmarks/agreement.py textbook` prints them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from sim.bodies import (
    Body,
    Box,
    Pose,
    Vector,
    canonical,
    compose,
    rotate,
    shift_between,
    turn,
    turn_between,
)
from sim.physics.engine import Engine, SettleParams
from sim.pieces import Components

_BOX = Components.named("estimate-2018")
_STEPS = 8  # halvings of a bracket
_BRIEF = SettleParams(time_limit=1.0)
_GONE = (1.0, 5.0)  # mm, degrees: a piece that moved or turned further than this did not hold

_Build = Callable[[float], tuple[Sequence[Body], str]]


@dataclass(frozen=True, slots=True)
class Check:
    """A scene that holds up to the value `statics` of a parameter, and not beyond.

    `build` gives the bodies for a value and the id of the one to watch, `reach` is how far from
    `statics` the search goes, `limit` the error that is allowed. `beyond` is +1 if it gives way
    above that value, -1 if below.
    """

    name: str
    unit: str
    statics: float
    limit: float
    reach: float
    build: _Build
    beyond: int = 1


@dataclass(frozen=True, slots=True)
class Row:
    """The result of an engine in a check. `error` is `measured` minus `statics`, with the sign
    chosen so that negative means too early.
    """

    check: Check
    measured: float
    error: float

    @property
    def ok(self) -> bool:
        """Is the error within the limit?"""
        return abs(self.error) <= self.check.limit


def textbook(engine: Engine, only: Sequence[str] | None = None) -> list[Row]:
    """The rows of all checks, or of those whose names are given."""
    return [_row(engine, check) for check in checks() if only is None or check.name in only]


def checks() -> tuple[Check, ...]:
    """All checks, in the order of the table."""
    slip = math.degrees(math.atan(_BOX.friction))
    return (
        Check("stick tips over a table's edge", "mm", 0.0, 0.3, 1.0, _overhang),
        Check("stick tips over a disc's rim", "mm", 0.0, 0.3, 1.0, _overhang_on_disc),
        *(
            Check(f"{kind} slips", "deg", slip, 0.1, 0.5, partial(_incline, kind))
            for kind in ("block", "car")
        ),
        Check("disc slips", "deg", slip, 0.1, 4.0, partial(_incline, "disc")),
        *(
            Check(f"leaning stack of {n}", "mm", _BOX.disc_radius, 0.8, 2.0, partial(_lean, n))
            for n in (4, 6, 8, 10, 12)
        ),
        *(
            Check(
                f"stick on a jump of {n}", "mu", _stick_needs(n), 0.01, 0.03, partial(_jump, n), -1
            )
            for n in range(1, 6)
        ),
        *(
            Check(
                f"stick on a jump of {n}, askew",
                "mu",
                _stick_needs(n),
                0.01,
                0.04,
                partial(_askew, partial(_jump, n)),
                -1,
            )
            for n in range(1, 6)
        ),
        *(
            Check(
                f"car on a jump of {n}",
                "mu",
                math.tan(_slope(n)),
                0.01,
                0.03,
                partial(_ride, n),
                -1,
            )
            for n in range(1, 6)
        ),
    )


# --- the textbook's scenes ------------------------------------------------------------------------


def _overhang(past: float) -> tuple[Sequence[Body], str]:
    """A stick on a block, its centre `past` mm beyond the edge."""
    block = _held("X0", (60.0, 60.0, 20.0), Pose((-30.0, 0.0, 10.0)))
    return [
        block,
        _BOX.body("stick", "road", Pose((past, 0.0, 20 + _BOX.road_thickness / 2))),
    ], "stick"


def _overhang_on_disc(past: float) -> tuple[Sequence[Body], str]:
    """A stick along a diameter of a free pillar of two, its centre `past` mm beyond the rim."""
    top = 2 * _BOX.disc_height
    return [
        *_stack(2),
        _BOX.body(
            "stick", "road", Pose((_BOX.disc_radius + past, 0.0, top + _BOX.road_thickness / 2))
        ),
    ], "stick"


def _incline(kind: str, degrees: float) -> tuple[Sequence[Body], str]:
    """A piece on a slope."""
    tilt = turn((0.0, 1.0, 0.0), degrees)
    if kind == "block":
        piece = Body(
            "piece", "car", Box((20.0, 20.0, 10.0)), Pose((0.0, 0.0, 0.0)), 2.6, _BOX.friction
        )
        half = 5.0
    else:
        piece = _BOX.body("piece", "disc" if kind == "disc" else "car", Pose((0.0, 0.0, 0.0)))
        half = (_BOX.disc_height if kind == "disc" else _BOX.car_height) / 2
    top = (0.0, 0.0, 150.0)
    slope = _held(
        "X0", (400.0, 100.0, 20.0), Pose(_plus(top, rotate(tilt, (0.0, 0.0, -10.0))), tilt)
    )
    return [slope, piece.at(Pose(_plus(top, rotate(tilt, (0.0, 0.0, half))), tilt))], "piece"


def _lean(discs: int, past: float) -> tuple[Sequence[Body], str]:
    """A stack that leans evenly, so that all above its lowest disc has its centre of mass `past` mm
    from that disc's axis.
    """
    return _stack(discs, 2 * past / discs), f"disc-{discs - 1:02}"


# mm along the stick from its low edge to the rim it leans on: the slopes are those of rules 1d
_SPAN = 102.0


def _slope(jump: int) -> float:
    return math.asin(jump * _BOX.disc_height / _SPAN)


def _stick_needs(jump: int) -> float:
    """The friction at which a stick with its low edge on a disc and its underside on a rim slips on
    both at once.

    With the load's share c on the rim, c sin(slope) = k, balance of forces gives k mu^2 - mu + k =
    0.
    """
    slope = _slope(jump)
    lever = _BOX.road_length / 2 * math.cos(slope) - _BOX.road_thickness / 2 * math.sin(slope)
    k = lever / _SPAN * math.sin(slope)
    return (1 - math.sqrt(1 - 4 * k * k)) / (2 * k)


def _jump(jump: int, friction: float) -> tuple[Sequence[Body], str]:
    """A stick from one held disc up to the rim of another."""
    slope, tilt = _slope(jump), turn((0.0, 1.0, 0.0), -math.degrees(_slope(jump)))
    foot = 10 * _BOX.disc_height
    run = _SPAN * math.cos(slope) + _BOX.disc_radius
    middle = rotate(tilt, (_BOX.road_length / 2, 0.0, _BOX.road_thickness / 2))
    stick = _BOX.body("stick", "road", Pose(_plus((0.0, 0.0, foot), middle), tilt))
    low = _BOX.body("X0", "disc", Pose((0.0, 0.0, foot - _BOX.disc_height / 2)))
    high = _BOX.body("X1", "disc", Pose((run, 0.0, foot + (jump - 0.5) * _BOX.disc_height)))
    return [
        replace(body, friction=friction)
        for body in (replace(low, mass=0.0), replace(high, mass=0.0), stick)
    ], "stick"


def _askew(build: _Build, value: float) -> tuple[Sequence[Body], str]:
    """The scene turned by 30 degrees as a whole: an engine should not care."""
    bodies, watched = build(value)
    quat = turn((0.0, 0.0, 1.0), 30.0)
    return [
        body.at(Pose(rotate(quat, body.pose.at), compose(quat, body.pose.quat))) for body in bodies
    ], watched


def _ride(jump: int, friction: float) -> tuple[Sequence[Body], str]:
    """A car on a held stick that rises by `jump` discs."""
    tilt = turn((0.0, 1.0, 0.0), -math.degrees(_slope(jump)))
    at = (0.0, 0.0, 100.0)
    car = Pose(
        _plus(at, rotate(tilt, (0.0, 0.0, (_BOX.road_thickness + _BOX.car_height) / 2))), tilt
    )
    stick = replace(_BOX.body("X0", "road", Pose(at, tilt)), mass=0.0)
    return [
        replace(body, friction=friction) for body in (stick, _BOX.body("car", "car", car))
    ], "car"


def _stack(discs: int, offset: float = 0.0) -> list[Body]:
    h = _BOX.disc_height
    return [
        _BOX.body(f"disc-{k:02}", "disc", Pose((k * offset, 0.0, (k + 0.5) * h)))
        for k in range(discs)
    ]


def _held(name: str, size: Vector, pose: Pose) -> Body:
    return Body(name, "building", Box(size), pose, 0.0, _BOX.friction)


def _plus(a: Vector, b: Vector) -> Vector:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


# --- running --------------------------------------------------------------------------------------


def _row(engine: Engine, check: Check) -> Row:
    """Bisect for the value at which the scene gives way."""
    holds, gives = (
        check.statics - check.beyond * check.reach,
        check.statics + check.beyond * check.reach,
    )
    for _ in range(_STEPS):
        middle = (holds + gives) / 2
        if gives_way(engine, *check.build(middle)):
            gives = middle
        else:
            holds = middle
    measured = (holds + gives) / 2
    return Row(check, measured, check.beyond * (measured - check.statics))


def gives_way(engine: Engine, bodies: Sequence[Body], watched: str) -> bool:
    """Whether the watched piece moves by more than a millimetre or turns by more than 5 degrees in
    the first second.
    """
    ordered = canonical(list(bodies))
    start = next(body.pose for body in ordered if body.id == watched)
    run = engine.run(ordered, frozenset(body.id for body in ordered if body.mass > 0), _BRIEF)
    end = run.poses[watched]
    return shift_between(start, end) > _GONE[0] or turn_between(start, end) > _GONE[1]
