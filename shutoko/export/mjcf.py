"""A table as MJCF, for MuJoCo. Metres, kilograms and seconds, z up.

It has our own engine's recipe: time step, solver, contacts, shapes that are a hair smaller than the
pieces, roads as two strips each, and the friction of each pair of surfaces.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from xml.sax.saxutils import quoteattr

from shutoko.export.rendering.scene import own_colour
from sim.bodies import Body, Box, Cylinder, Vector, friction_between
from sim.physics.engines.mujoco_model import RECIPE, strips

_METRES = 1e-3
_KILOGRAMS = 1e-3
_GRAVITY = 9.81
_GAP: float = RECIPE["margin"] * _METRES
_SHRINK: float = RECIPE["shrink"] * _METRES
_SIDES: int = RECIPE["cylinder_sides"]
_WOOD = "0.66 0.49 0.31 1"


def mjcf(bodies: Sequence[Body], name: str = "table") -> str:
    """The pieces as an MJCF model: free bodies, and buildings that cannot move."""
    solver = (
        f'solver="Newton" iterations="{RECIPE["iterations"]}" tolerance="{RECIPE["tolerance"]}"'
    )
    how = f'integrator="implicitfast" cone="elliptic" {solver} impratio="{RECIPE["impratio"]:g}"'
    contact = f'solref="{_list(RECIPE["solref"])}" solimp="{_list(RECIPE["solimp"])}" condim="3"'
    # MuJoCo adds the margins of two geoms up, but a pair has its own alone
    geom, pair = (f'margin="{_n(margin)}" {contact}' for margin in (_GAP, 2 * _GAP))
    lines = [
        f"<mujoco model={quoteattr(name)}>",
        "  <!-- Metres, kilograms, seconds. Written by shutoko. Quaternions begin with w. -->",
        f'  <option timestep="{RECIPE["step"]}" gravity="0 0 -{_GRAVITY}" {how}/>',
        f"  <default><geom {geom}/><pair {pair}/></default>",
        "  <asset>",
        *(
            f'    <mesh name="{name}" vertex="{"  ".join(_list(at) for at in _corners(shape))}"/>'
            for name, shape in _cylinders(bodies).items()
        ),
        "  </asset>",
        "  <worldbody>",
        '    <light pos="0.3 -0.4 1" dir="-0.3 0.4 -1"/>',
        (
            f'    <geom name="table" type="plane" size="1 1 0.01" pos="0 0 {_n(-_SHRINK)}" '
            'friction="0 '
            f'0 0" rgba="{_WOOD}"/>'
        ),
        *(line for body in bodies for line in _piece(body)),
        "  </worldbody>",
        "  <contact>",
        *(f"    {each}" for each in _pairs(bodies)),
        "  </contact>",
        "</mujoco>",
    ]
    return "\n".join(lines) + "\n"


def _cylinders(bodies: Sequence[Body]) -> dict[str, Cylinder]:
    """The cylinders by the names of their meshes, each size once."""
    shapes = [body.shape for body in bodies if isinstance(body.shape, Cylinder)]
    return {_mesh_name(shape): shape for shape in shapes}


def _mesh_name(shape: Cylinder) -> str:
    return f"cylinder-{shape.radius:g}x{shape.height:g}"


def _corners(shape: Cylinder) -> Iterator[Vector]:
    r, z = _METRES * shape.radius - _SHRINK, _METRES * shape.height / 2 - _SHRINK
    for level in (-z, z):
        for k in range(_SIDES):
            angle = 2 * math.pi * k / _SIDES
            yield r * math.cos(angle), r * math.sin(angle), level


def _piece(body: Body) -> Iterator[str]:
    x, y, z, w = body.pose.quat
    at = _list(_METRES * value for value in body.pose.at)
    yield f'    <body name={quoteattr(body.id)} pos="{at}" quat="{_list((w, x, y, z))}">'
    if body.mass:
        moments = _list(_KILOGRAMS * body.mass * moment for moment in _moments(body))
        mass = _n(_KILOGRAMS * body.mass)
        yield "      <freejoint/>"
        yield f'      <inertial pos="0 0 0" mass="{mass}" diaginertia="{moments}"/>'
    surface = f'friction="{_n(body.friction)} 0 0" rgba="{_colour(body)}"'
    for name, shape in _geoms(body).items():
        yield f'      <geom name={quoteattr(name)} {shape} mass="0" {surface}/>'
    yield "    </body>"


def _geoms(body: Body) -> dict[str, str]:
    """What the piece is in contacts, by name."""
    if isinstance(body.shape, Cylinder):
        return {body.id: f'type="mesh" mesh="{_mesh_name(body.shape)}"'}
    boxes = strips(body.shape.size)
    names = [body.id] if len(boxes) == 1 else [f"{body.id} right", f"{body.id} left"]
    return {
        name: (
            f'type="box" size="{_list(_METRES * edge for edge in half)}" '
            f'pos="0 {_n(_METRES * aside)} 0"'
        )
        for name, (half, aside) in zip(names, boxes, strict=True)
    }


def _pairs(bodies: Sequence[Body]) -> Iterator[str]:
    """The friction between surfaces that differ: of two geoms MuJoCo would take the larger
    coefficient.
    """
    for k, body in enumerate(bodies):
        if body.mass and body.on_table != body.friction:
            yield from _pair(_geoms(body), ["table"], body.on_table)
        for other in bodies[k + 1 :]:
            if (body.mass or other.mass) and body.friction != other.friction:
                mu = friction_between(body.friction, other.friction)
                yield from _pair(_geoms(body), _geoms(other), mu)


def _pair(some: Iterable[str], others: Iterable[str], friction: float) -> Iterator[str]:
    mu = _n(friction)
    for one, other in product(some, others):
        yield f'<pair geom1={quoteattr(one)} geom2={quoteattr(other)} friction="{mu} {mu} 0 0 0"/>'


def _moments(body: Body) -> tuple[float, float, float]:
    """The moments of inertia of a kilogram of it about its own axes, in square metres."""
    shape = body.shape
    if isinstance(shape, Box):
        x, y, z = (_METRES * edge for edge in shape.size)
        return (y * y + z * z) / 12, (x * x + z * z) / 12, (x * x + y * y) / 12
    r, h = _METRES * shape.radius, _METRES * shape.height
    return (3 * r * r + h * h) / 12, (3 * r * r + h * h) / 12, r * r / 2


# --- numbers --------------------------------------------------------------------------------------


def _colour(body: Body) -> str:
    return _list((*(round(part / 255, 3) for part in own_colour(body)), 1.0))


def _list(numbers: Iterable[float]) -> str:
    return " ".join(map(_n, numbers))


def _n(number: float) -> str:
    return f"{number:.12g}"
