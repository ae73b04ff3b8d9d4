"""Bodies: what physics, statics and pictures need to know of a piece; nothing about the rules.

A body is a rigid box or cylinder with a pose, a mass and a friction coefficient.
`sim.physics.world` takes bodies in any order and gives poses back; engines get them in canonical
order (sorted by id).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from sim.poses import Pose

__all__ = [
    "Body",
    "Box",
    "Cylinder",
    "Kind",
    "Tool",
    "canonical",
    "friction_between",
    "table_friction",
]

Tool = Literal["finger", "tweezers"]
Kind = Literal["disc", "road", "car", "building"] | Tool
"""The tools of a hand are bodies in pictures only."""


@dataclass(frozen=True, slots=True)
class Box:
    """A box centred on the body's origin: full edge lengths along its own x, y, z in mm."""

    size: tuple[float, float, float]

    @property
    def volume(self) -> float:
        """Cubic millimetres."""
        return self.size[0] * self.size[1] * self.size[2]


@dataclass(frozen=True, slots=True)
class Cylinder:
    """A cylinder centred on the body's origin, its axis the body's z: radius and full height
    in mm.
    """

    radius: float
    height: float

    @property
    def volume(self) -> float:
        """Cubic millimetres."""
        return math.pi * self.radius**2 * self.height


@dataclass(frozen=True, slots=True)
class Body:
    """One rigid piece: pose in mm, mass in grams (0 = never moves), friction coefficient mu (static
    = kinetic).

    `friction` is the coefficient of the piece on another of the same material; between two
    materials it is the geometric mean. `table_friction` is the table's own coefficient in the same
    sense, None for a table as rough as the piece. `rolling` is the share of the radius by which the
    load lies ahead of the middle of a disc that rolls on the table; None is wood on wood. `owner`
    is the seat (0-based), or None where nobody owns it; `junction` marks a yellow disc. Both only
    colour pictures.
    """

    id: str
    kind: Kind
    shape: Box | Cylinder
    pose: Pose
    mass: float
    friction: float
    owner: int | None = None
    junction: bool = False
    table_friction: float | None = None
    rolling: float | None = None

    @property
    def on_table(self) -> float:
        """The coefficient of friction between the piece and the table."""
        return (
            self.friction
            if self.table_friction is None
            else friction_between(self.friction, self.table_friction)
        )

    def at(self, pose: Pose) -> Body:
        """The same body at another pose."""
        return replace(self, pose=pose)


def friction_between(one: float, other: float) -> float:
    """The coefficient of friction between two materials, from those of each material on itself."""
    return one if one == other else math.sqrt(one * other)


def table_friction(bodies: Iterable[Body]) -> float:
    """The table's own coefficient of friction: the one that the bodies name, else that of the
    roughest body; 0 without bodies.
    """
    return max(
        (body.friction if body.table_friction is None else body.table_friction for body in bodies),
        default=0.0,
    )


def canonical(bodies: tuple[Body, ...] | list[Body]) -> tuple[Body, ...]:
    """The bodies sorted by id. Every engine makes them in this order, since another order would
    give other bits.
    """
    return tuple(sorted(bodies, key=lambda body: body.id))
