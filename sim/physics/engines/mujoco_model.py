"""What MuJoCo's models are made of: the recipe, the table, slots for pieces, and the hand.
Centimetres, grams and seconds.
"""

import math
from collections.abc import Sequence
from itertools import product
from typing import Any, Final

from sim.bodies import Vector, friction_between
from sim.physics.engine import TOOL_LENGTH, TOOL_RADIUS
from sim.physics.engines.ending import EDGE, LEVER, RESISTANCE

# Every number that can change an outcome is in here, and is hashed into `MuJoCo.params`.
RECIPE: Final[dict[str, Any]] = {
    "revision": 10,  # raised when this file uses the numbers below in another way
    "cm_per_mm": 0.1,
    "gravity": 981.0,  # cm/s2
    "step": 0.002,  # s
    "steps_per_look": 5,  # the quiet rule looks every 10 ms
    "looks_per_nap": 5,  # looks between two at which pieces fall asleep
    # A road may rock on the rims of discs for ever. It is at rest if its means over a time so many
    # times as long stand still.
    "rocking_times": 2,
    # A box at least so many times as long as wide is two strips, side by side. Where two boxes
    # cross, MuJoCo often finds a single contact, now where these edges cross, now where those do;
    # the upper box then rocks for ever, or sinks in. Between strips it finds one near every corner
    # at the same time. Both cover the middle third: a rim that meets a seam would be pushed aside.
    "strips_from": 4.0,
    # The weight comes on over so many steps. A piece lies some thousandths of a millimetre off what
    # bears it; under its whole weight it would drop by 0.04 mm before the next step finds the
    # contact, and be pushed out askew.
    "load_steps": 20,
    "first_looks": 4,  # after these a piece may be seen to stay where it is
    "iterations": 100,
    # A looser one takes more iterations in all: stiff contacts answer to what it leaves over.
    "tolerance": 1e-11,
    "impratio": 10.0,  # friction stiffer than the normal force: nothing creeps down a slope
    # damping ratio 4: no bounce, and a road that rocks on another's edge comes to rest
    "solref": (
        0.004,
        4.0,
    ),
    "solimp": (0.999, 0.9999, 0.001, 0.5, 2.0),
    # Where many pieces are free and one is fast, contacts are softer: the solver needs half the
    # time, and nothing rests so.
    "rough_free": 20,
    "rough_speed": 60.0,  # mm/s
    "rough_solimp": (0.99, 0.999, 0.001, 0.5, 2.0),
    "hand_mass": 100.0,  # g
    # A convex prism; MuJoCo's own cylinder drifts by millimetres in a stack. At 32 sides a road on
    # a rim comes to rest on a chord, a degree off; from 64 on it costs twice the time, and at 128
    # leaning stacks fall early.
    "cylinder_sides": 48,
    # A contact lives while the gap is below the margins of both shapes, so a resting piece does not
    # hop; each shape shrinks by its margin, so it rests at its true height. By a hair less, or an
    # exactly placed stack starts without a contact and drops. At 0.02 a road that lies across
    # another loses one of its two contacts in turn, and creeps.
    "margin": 0.05,  # mm
    "shrink": 0.0475,  # mm
    "tool_radius": dict(TOOL_RADIUS),  # mm
    "tool_length": dict(TOOL_LENGTH),
    "table": (EDGE, RESISTANCE),
    # by which pieces resist rocking and turning in runs that only look whether they stay
    "lever": LEVER,  # mm
}
CM: Final[float] = RECIPE["cm_per_mm"]
_SHRINK: Final[float] = RECIPE["shrink"]
# bits of what collides: pieces and the table with each other, the hand with free pieces
_HELD, _PUSHED = (
    1,
    2,
)

Kind = tuple[str, tuple[float, ...], float, float]
"""What bodies must share to use one slot: the shape's name, its sizes in mm, mass in g (0 = fixed),
friction.
"""

Plan = tuple[tuple[Kind, int], ...]
"""How many slots of which kind, sorted."""


def empty_table(mujoco: Any) -> Any:
    """The specification of a model with nothing but the table."""
    spec = mujoco.MjSpec()
    option = spec.option
    option.timestep = RECIPE["step"]
    option.gravity = [0.0, 0.0, -RECIPE["gravity"]]
    option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    option.solver = mujoco.mjtSolver.mjSOL_NEWTON
    option.iterations = RECIPE["iterations"]
    option.tolerance = RECIPE["tolerance"]
    option.impratio = RECIPE["impratio"]
    # Of two friction coefficients MuJoCo takes the larger: the table's is 0, so a piece brings its
    # own.
    spec.worldbody.add_geom(
        type=mujoco.mjtGeom.mjGEOM_PLANE, size=[1, 1, 1], pos=[0, 0, -_SHRINK * CM], **_contact(0.0)
    )
    return spec


def fill(mujoco: Any, spec: Any, plan: Plan, *, mocap: bool) -> dict[Kind, range]:
    """Add the slots of a plan; which slot numbers each kind got."""
    slots: dict[Kind, range] = {}
    used = 0
    for kind, count in plan:
        name, sizes, mass, friction = kind
        shapes = _box(mujoco, sizes) if name == "box" else [_prism(mujoco, spec, *sizes)]
        for _ in range(count):
            body = spec.worldbody.add_body(mocap=mocap)
            if not mocap:
                body.add_freejoint()
            body.explicitinertial, body.mass = True, mass
            body.inertia = _inertia(name, sizes, mass)
            for shape in shapes:
                body.add_geom(
                    **shape, conaffinity=_HELD if mocap else _HELD | _PUSHED, **_contact(friction)
                )
        slots[kind] = range(used, used + count)
        used += count
    return slots


def _box(mujoco: Any, sizes: Sequence[float]) -> list[dict[str, Any]]:
    return [
        {
            "type": mujoco.mjtGeom.mjGEOM_BOX,
            "size": [edge * CM for edge in half],
            "pos": [0.0, aside * CM, 0.0],
        }
        for half, aside in strips(sizes)
    ]


def strips(sizes: Sequence[float]) -> list[tuple[Vector, float]]:
    """The box that stands for one of these sizes in contacts, or the two strips into which it is
    cut along its length: half edges and the way of the middle to the left, in mm.
    """
    x, y, z = (size / 2 - _SHRINK for size in sizes)
    if sizes[0] < RECIPE["strips_from"] * sizes[1]:
        return [((x, y, z), 0.0)]
    return [((x, 2 * y / 3, z), aside) for aside in (-y / 3, y / 3)]


def _inertia(name: str, sizes: Sequence[float], mass: float) -> list[float]:
    """The moments of inertia about a body's own axes (g cm2), whatever geoms it collides with."""
    if name == "box":
        x2, y2, z2 = ((size * CM) ** 2 for size in sizes)
        return [mass * (y2 + z2) / 12, mass * (x2 + z2) / 12, mass * (x2 + y2) / 12]
    r2, h2 = ((size * CM) ** 2 for size in sizes)
    return [mass * (r2 / 4 + h2 / 12)] * 2 + [mass * r2 / 2]


def _prism(mujoco: Any, spec: Any, radius: float, height: float) -> dict[str, Any]:
    """An upright cylinder as the convex hull of its corners (cm), made once for each size."""
    name, sides = f"cylinder {radius!r} x {height!r}", RECIPE["cylinder_sides"]
    if all(mesh.name != name for mesh in spec.meshes):
        r, z = (radius - _SHRINK) * CM, (height / 2 - _SHRINK) * CM
        angles = [2 * math.pi * k / sides for k in range(sides)]
        corners = [(r * math.cos(a), r * math.sin(a), level) for level in (-z, z) for a in angles]
        mesh = spec.add_mesh(name=name)
        mesh.uservert = [number for corner in corners for number in corner]
    return {"type": mujoco.mjtGeom.mjGEOM_MESH, "meshname": name}


def add_hand(mujoco: Any, spec: Any, tool: str, friction: float) -> None:
    """A capsule that stands on the body's origin, so that the origin is the hand's lowest point. It
    moves along x, y, z without turning, weighs nothing though it is heavy, and meets free pieces
    only.

    It has joints, since only what has them has a speed: what a body without speed pushes aside
    stops at once.
    """
    radius, half = TOOL_RADIUS[tool] * CM, TOOL_LENGTH[tool] * CM / 2
    body = spec.worldbody.add_body(gravcomp=1.0)
    for axis in ([1, 0, 0], [0, 1, 0], [0, 0, 1]):
        body.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=axis)
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_CAPSULE,
        size=[radius, half - radius, 0],
        pos=[0, 0, half],
        mass=RECIPE["hand_mass"],
        contype=_PUSHED,
        conaffinity=0,
        **_contact(friction),
    )


def add_pairs(spec: Any, free: Plan, fixed: Plan, table: float | None) -> None:
    """Give surfaces that differ the friction between them: of two geoms MuJoCo would take the
    larger coefficient.

    Where all are alike nothing is added, since a pair is looked at in every step.
    """
    frictions = [table, *(kind[3] for plan in (free, fixed) for kind, n in plan for _ in range(n))]
    if len({*frictions} - {None}) <= 1:
        return
    last = 1 + sum(count for _, count in free)
    geoms = [[spec.worldbody.geoms[0]], *(body.geoms for body in spec.worldbody.bodies)]
    for number, geom in enumerate(spec.geoms):
        geom.name = f"geom {number}"
    for one in range(1, last):
        for other in (0, *range(one + 1, len(frictions))):
            a, b = frictions[one], frictions[other]
            if a is not None and b is not None and a != b:
                how = _contact(friction_between(a, b))
                how["friction"] = [how["friction"][0]] * 2 + [0.0] * 3
                # MuJoCo adds the margins of two geoms up, but a pair has its own alone
                how["margin"] *= 2
                for first, second in product(geoms[one], geoms[other]):
                    spec.add_pair(geomname1=first.name, geomname2=second.name, **how)


def _contact(friction: float) -> dict[str, Any]:
    return {
        "friction": [friction, 0.0, 0.0],
        "condim": 3,
        "margin": RECIPE["margin"] * CM,
        "solref": list(RECIPE["solref"]),
        "solimp": list(RECIPE["solimp"]),
    }
