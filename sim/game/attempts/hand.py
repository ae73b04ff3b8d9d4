"""The hand that places pieces: its error at each piece, and the path of its fingers or tweezers
(the tool) past standing pieces.

A placement says where pieces are meant to lie. `draw` gives the errors of a hand of some skill, as
the `hand` of a record's line: a shift and a turn for each new piece in placing order, and one path
of the tool. The record holds all random numbers that were drawn, so a replay needs no random
generator and gives the same verdict.

The path: the tool comes in at a slant, from the side with the most room. It goes down to the new
pillar's top, lets go with a jerk and leaves the way it came. Then it goes across, above everything
that stands near, and does the same at the new road. It holds the road as near to its middle as
there is room. Where it lets go of a piece, the tool has the same error as the piece. The turning
points of the path have errors of their own, by the same skill.

The model simplifies three things. A ply has one path, which begins when the pillar and the road
already lie in place; the tool stops just above them, but it pushes whatever it meets, the new
pieces, too. The tool goes only to the pillar's top, not to each disc. Cars are let go without a
path.
"""

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from rules.errors import InputError
from rules.near import meant
from sim.bodies import Body, Box, Cylinder, Floats, Tool, Vector, rotate
from sim.game.attempts.posing import Jitter, cars_meant, jitters, lay
from sim.physics.engine import TOOL_LENGTH, TOOL_RADIUS
from sim.records import MAX_SPEED, MAX_SWEEP_TIME, MIN_SPEED
from sim.referee import Checked, Table, kept, obstacles_of
from sim.referee.geometry import BOTTOM, CX, CY, DEEP, ROUND, TOP
from sim.referee.obstacles import Obstacles

MAX_DEVIATION = 30.0
"""The largest standard deviation of a skill, in mm or degrees: a tenth of the largest error that a
record can hold, since an error of ten standard deviations practically never occurs.
"""

_SLANT = math.tan(math.radians(30.0))  # an arm comes in this far off the vertical
_BEARINGS = 12
# where the tool may hold a road, from 0 (its start) to 1; the middle first
_HOLDS = (
    0.5,
    0.42,
    0.58,
    0.34,
    0.66,
    0.26,
    0.74,
)
_AMPLE = 10.0  # mm: more room than this on all sides is no better
_CLEARANCE = 0.5  # mm between the tool and the piece that it has let go of
_OVER = 10.0  # mm above the tallest piece nearby: the height at which the tool goes across
_LIFT = 20.0  # mm that the tool rises at least
_AROUND = 80.0  # mm in plan: a piece nearer to a place than this counts as nearby
_SAMPLES = 9  # places along a slant at which its room is measured
_ALIKE = 0.1  # mm: bearings whose least room differs by less than this count as equally free


@dataclass(frozen=True, slots=True)
class Skill:
    """How exactly a hand places pieces: standard deviations of normal errors, drawn anew for each
    piece and each axis.

    `shift` (mm) is for errors along x and y, and at every turning point of the path; `tilt`
    (degrees) for turns about x and y, `yaw` (degrees) for turns about z. The hand lets a piece go
    above its place, by the absolute value of a normal error with the standard deviation `release`
    (mm). As the fingers open, they jerk sideways, by `jerk` (mm) along x and y. The tool moves at
    `speed` (mm/s).

    The shifts of the presets are those of rules 10c; all numbers are our assumptions. The turns
    move an end of a road, 55 mm from its middle, by as much as the shift does. `release` is 0.25
    mm, at which a finger feels the piece touch, plus half the shift. The jerk is twice the shift,
    and the speeds are those of unhurried hands.
    """

    name: str
    shift: float
    tilt: float
    yaw: float
    release: float
    jerk: float
    speed: float

    def __post_init__(self) -> None:
        numbers = (self.shift, self.tilt, self.yaw, self.release, self.jerk)
        if (
            not all(0 <= n <= MAX_DEVIATION for n in numbers)
            or not MIN_SPEED <= self.speed <= MAX_SPEED
        ):
            raise InputError(
                f"a skill has deviations from 0 to {MAX_DEVIATION:g} and a speed from "
                f"{MIN_SPEED:g} to {MAX_SPEED:g} mm/s, "
                f"not {self}"
            )


SKILLS: Mapping[str, Skill] = {
    "expert": Skill("expert", 0.3, 0.3, 0.3, 0.4, 0.6, 200.0),
    "normal": Skill("normal", 0.8, 0.8, 0.8, 0.65, 1.6, 250.0),
    "clumsy": Skill("clumsy", 2.0, 2.0, 2.0, 1.25, 4.0, 300.0),
}
"""The presets by name, best first."""


def skill(name: str) -> Skill:
    """The preset of that name. Raises InputError, which lists the presets, for an unknown name."""
    if name not in SKILLS:
        raise InputError(
            f"there is no hand {name!r} that errs; choose from {', '.join(SKILLS)}"
            f"{meant(name, SKILLS)}"
        )
    return SKILLS[name]


def draw(
    rng: np.random.Generator,
    checked: Checked,
    skill: Skill,
    tool: Tool = "finger",
    let_go: Mapping[str, Jitter] | None = None,
) -> list[dict[str, Any]]:
    """The errors and the path of a hand for a legal placement by the seat to move: the `hand` of a
    record's line, in plain float64. What a person has `let_go` of, by piece, is not drawn;
    `new_pieces` lists these pieces.

    First `{"piece", "shift", "turn"}` for each new disc from the bottom up, the road, and the cars
    that geometry says it earns; then one `{"path": {"points", "speed", "tool"}}`. Placements that
    lay no road have no hand: the list is empty. Raises InputError for an unknown tool.
    """
    if tool not in TOOL_RADIUS:
        raise InputError(
            f"there is no tool {tool!r}; available: "
            f"{', '.join(TOOL_RADIUS)}{meant(tool, TOOL_RADIUS)}"
        )
    table, grown = checked.table, checked.grown
    if grown is None:
        return []
    discs, road = new_pieces(table, grown)
    plan = kept(grown, f"plan of the {tool}", lambda: _planned(checked, grown, tool))
    names = (*discs, road, *table.next_cars(table.to_move, plan.cars))
    # what a person has let go of is drawn as well: the numbers after it stay the same
    items = [_jitter(rng, name, skill) | _led(name, let_go or {}) for name in names]
    done = {laid.lying.id: laid.release for laid in lay(table, grown, jitters(items))}
    visits = [(_on_road(done[road], plan.hold, TOOL_RADIUS[tool]), plan.lean)]
    if plan.over is not None:
        over = _on_pillar(done[road], done[discs[-1]], TOOL_RADIUS[tool])
        visits.insert(0, (over, plan.over))
    points = [
        point for visit in visits for point in _there_and_back(rng, visit, plan.height, skill)
    ]
    return [*items, {"path": {"points": points, "speed": _speed(points, skill), "tool": tool}}]


def new_pieces(table: Table, grown: Table) -> tuple[list[str], str]:
    """The ids of the new discs from the bottom up, and of the road."""
    return [
        disc for pillar in grown.pillars[len(table.pillars) :] for disc in pillar.disc_ids
    ], grown.roads[-1].id


def _jitter(rng: np.random.Generator, name: str, skill: Skill) -> dict[str, Any]:
    x, y, z, rx, ry, rz = rng.standard_normal(6).tolist()
    shift = [x * skill.shift, y * skill.shift, abs(z) * skill.release]
    return {
        "piece": name,
        "shift": shift,
        "turn": [rx * skill.tilt, ry * skill.tilt, rz * skill.yaw],
    }


def _led(name: str, let_go: Mapping[str, Jitter]) -> dict[str, Any]:
    """What a person did with a piece, if anything."""
    done = asdict(let_go[name]) if name in let_go else {}
    return {key: list(numbers) for key, numbers in done.items()}


def _speed(points: Sequence[Sequence[float]], skill: Skill) -> float:
    """The speed of the skill in mm/s. On a long path a slow hand goes faster, since a record limits
    the time of a path.
    """
    least = math.fsum(math.dist(a, b) for a, b in itertools.pairwise(points)) / MAX_SWEEP_TIME
    return skill.speed if skill.speed > least else 1.01 * least


# --- the path -------------------------------------------------------------------------------------


_Visit = tuple[Vector, tuple[float, float]]
"""A place where the tool lets go: its lowest point there, and its lean: how far it is from there in
plan for each mm of height above the place.
"""


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is the same for every hand: the cars that it places, the height at which the tool comes
    and goes, its lean over the pillar (None without one), where it holds the road, and its lean
    there.
    """

    cars: int
    height: float
    over: tuple[float, float] | None
    hold: float
    lean: tuple[float, float]


def _planned(checked: Checked, grown: Table, tool: Tool) -> _Plan:
    """The plan of a tool for the pieces of a placement as they are meant to lie."""
    table, radius = checked.table, TOOL_RADIUS[tool]
    discs, road = new_pieces(table, grown)
    field, meant = (
        obstacles_of(table),
        {laid.lying.id: laid.lying for laid in lay(table, grown, {})},
    )
    held = [_on_road(meant[road], along, radius) for along in _HOLDS]
    pillar = _on_pillar(meant[road], meant[discs[-1]], radius) if discs else None
    height = _OVER + _tallest(
        field, meant.values(), [at for at in (pillar, held[0]) if at is not None]
    )
    ahead = rotate(meant[road].pose.quat, (1.0, 0.0, 0.0))
    bearings = [math.atan2(ahead[1], ahead[0]) + math.tau * k / _BEARINGS for k in range(_BEARINGS)]
    leans = [(_SLANT * math.cos(bearing), _SLANT * math.sin(bearing)) for bearing in bearings]
    over = None if pillar is None else _freest(field, pillar, height, leans, tool)[1]
    rooms = [_freest(field, at, height, leans, tool) for at in held]
    # among equals the first, which is nearest to the middle
    best = max(range(len(held)), key=lambda k: rooms[k][0])
    return _Plan(
        cars_meant(table, grown, checked.placement), height, over, _HOLDS[best], rooms[best][1]
    )


def _there_and_back(
    rng: np.random.Generator, visit: _Visit, height: float, skill: Skill
) -> list[list[float]]:
    """Four points of a path: where the tool comes in at that height, lets go, is after the jerk,
    and leaves.
    """
    (x, y, z), (dx, dy) = visit
    rise = max(height - z, _LIFT)
    away = np.array((x + dx * rise, y + dy * rise, z + rise))
    coming, leaving = away + skill.shift * rng.standard_normal((2, 3))
    jerk_x, jerk_y = (skill.jerk * rng.standard_normal(2)).tolist()
    return [coming.tolist(), [x, y, z], [x + jerk_x, y + jerk_y, z], leaving.tolist()]


def _on_road(road: Body, along: float, radius: float) -> Vector:
    """The tool's lowest point when it holds a road there."""
    assert isinstance(road.shape, Box)
    length, _, thickness = road.shape.size
    dx, dy, dz = rotate(road.pose.quat, ((along - 0.5) * length, 0.0, thickness / 2))
    x, y, z = road.pose.at
    return (x + dx, y + dy, z + dz + _CLEARANCE + _rounding(road, radius))


def _on_pillar(road: Body, top: Body, radius: float) -> Vector:
    """The tool's lowest point over a pillar's top disc, on which an end of the road lies
    already.
    """
    assert isinstance(road.shape, Box)
    assert isinstance(top.shape, Cylinder)
    length, _, thickness = road.shape.size
    x, y, z = top.pose.at
    ends = [rotate(road.pose.quat, (side * length / 2, 0.0, thickness / 2)) for side in (-1.0, 1.0)]
    near = min(
        ends, key=lambda end: math.hypot(road.pose.at[0] + end[0] - x, road.pose.at[1] + end[1] - y)
    )
    highest = max(z + top.shape.height / 2, road.pose.at[2] + near[2]) + thickness
    return (x, y, highest + _CLEARANCE + _rounding(road, radius))


def _rounding(road: Body, radius: float) -> float:
    """How far above a slope the lowest point of a round tip is while the tip touches the slope
    beside that point.
    """
    ux, uy, _ = rotate(road.pose.quat, (1.0, 0.0, 0.0))
    return radius * (1 / max(math.hypot(ux, uy), 0.5) - 1)


# --- room -----------------------------------------------------------------------------------------


def _freest(
    field: Obstacles, at: Vector, height: float, leans: Sequence[tuple[float, float]], tool: Tool
) -> tuple[float, tuple[float, float]]:
    """The room (mm, `_AMPLE` at most) that the tool has on its way to a place from the freest
    bearing, and its lean on that way.

    If something stands beside the place itself, all bearings have the same least room; then the
    mean room along the way decides.
    """
    rise = np.linspace(0.0, max(height - at[2], _LIFT), _SAMPLES)
    slant = np.array([(dx, dy, 1.0) for dx, dy in leans])
    points = np.array(at) + slant[:, None, :] * rise[None, :, None]
    rooms = np.minimum(
        _room(field, points.reshape(-1, 3), tool).reshape(len(leans), _SAMPLES), _AMPLE
    )
    least = rooms.min(axis=1)
    tied = np.where(least > least.max() - _ALIKE, rooms.mean(axis=1), -np.inf)
    best = int(np.argmax(tied))
    return float(least[best]), leans[best]


def _room(field: Obstacles, points: Floats, tool: Tool) -> Floats:
    """The least gap in mm, negative inside, between what stands and an upright tool whose lowest
    point is at each of `points` (n, 3); shape (n,).
    """
    radius, length = TOOL_RADIUS[tool], TOOL_LENGTH[tool]
    least = np.full(len(points), np.inf)
    for away, bottom, top in _obstacles(field, points[:, :2]):
        above = np.maximum(points[:, 2:] - top, bottom - points[:, 2:] - length)
        beside = away - radius
        gaps = np.where(above > 0, np.hypot(np.maximum(beside, 0.0), above), beside)
        least = np.minimum(least, gaps.min(axis=1, initial=np.inf))
    return least


def _tallest(field: Obstacles, new: Iterable[Body], places: Sequence[Vector]) -> float:
    """The greatest height of anything that stands near one of the places, and of the new pieces."""
    tops = [body.pose.at[2] + body.shape.half[2] for body in new]
    for away, _, top in _obstacles(field, np.array(places)[:, :2]):
        tops += top[away < _AROUND].tolist()
    return max(tops)


def _obstacles(field: Obstacles, points: Floats) -> Iterator[tuple[Floats, Floats, Floats]]:
    """For each kind of piece that stands: how far it is in plan from each of `points` (n, 2), and
    its bottom and top where it is nearest; all of shape (n, pieces), in mm.
    """
    round_blocks = [one for one in field.blocks if not one[DEEP]]
    boxes = [one for one in field.blocks if one[DEEP]]
    for rows in (
        np.array([(x, y, field.radius, low, high) for x, y, low, high in field.discs]),
        np.array([(one[CX], one[CY], one[ROUND], one[BOTTOM], one[TOP]) for one in round_blocks]),
    ):
        x, y, radius, low, high = rows.reshape(-1, 5).T
        away = np.maximum(np.hypot(points[:, :1] - x, points[:, 1:] - y) - radius, 0.0)
        yield away, np.broadcast_to(low, away.shape), np.broadcast_to(high, away.shape)
    for strips in (field.roads, field.cars, boxes):
        x, y, ux, uy, long, wide, z, slope, thick = np.array(strips).reshape(-1, 9).T
        dx, dy = points[:, :1] - x, points[:, 1:] - y
        along, across = dx * ux + dy * uy, dy * ux - dx * uy
        nearest = np.clip(along, -long, long)
        away = np.hypot(along - nearest, np.maximum(np.abs(across) - wide, 0.0))
        bottom = z + slope * nearest
        yield away, bottom, bottom + thick
