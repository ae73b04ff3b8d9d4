"""What physics accepts: pieces of plausible sizes and weights inside a room, and hands with a
finite path.

Engines accept any number, and then return infinities or never end. So the world checks its bodies
here before and after a run.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from sim.bodies import Body, Box
from sim.physics.engine import HandPath, NotSettledError, PhysicsError
from sim.poses import Pose, Vector

__all__ = ["check_bodies", "check_path", "check_poses"]

_FAR = 1e5  # mm from the middle of the table
_HIGH = 5e3  # mm above it: from there a piece falls for a second
_DEEP = 1e3  # mm below it
_SIZES = (0.05, 1e5)  # mm
_MASSES = (1e-3, 1e6)  # g
_MOST_FRICTION = 10.0
_UNIT = 1e-3  # that a quaternion's length may differ from 1
_LONGEST = 60.0  # s that a hand may take


def check_bodies(bodies: Iterable[Body]) -> None:
    """Raises PhysicsError for the first body that no engine should get."""
    for body in bodies:
        _check_pose(body.id, body.pose, PhysicsError)
        shape = body.shape
        for size in shape.size if isinstance(shape, Box) else (2 * shape.radius, shape.height):
            if not _SIZES[0] <= size <= _SIZES[1]:
                raise PhysicsError(
                    f"{body.id}: a size of {size:g} mm cannot be simulated; {_SIZES[0]:g} to "
                    f"{_SIZES[1]:g} mm can"
                )
        if body.mass != 0 and not _MASSES[0] <= body.mass <= _MASSES[1]:
            raise PhysicsError(
                f"{body.id}: {body.mass:g} g cannot be simulated; {_MASSES[0]:g} to {_MASSES[1]:g} "
                "g can"
            )
        if not 0 <= body.friction <= _MOST_FRICTION:
            raise PhysicsError(
                f"{body.id}: friction {body.friction:g} cannot be simulated; 0 to "
                f"{_MOST_FRICTION:g} can"
            )


def check_path(path: HandPath) -> None:
    """Raises PhysicsError for a hand without a path or a speed, one that leaves the room, and one
    that takes more than a minute.
    """
    if not path.points or not 0 < path.speed < math.inf:
        raise PhysicsError("a hand's path needs at least one point and a speed above 0 mm/s")
    for point in path.points:
        if not _inside(point):
            raise PhysicsError(f"a hand's path leads out of the room, to {_told(point)}")
    seconds = (
        sum(math.dist(a, b) for a, b in zip(path.points, path.points[1:], strict=False))
        / path.speed
    )
    if seconds > _LONGEST:
        raise PhysicsError(
            f"a hand would take {seconds:g} s along its path; {_LONGEST:g} s is the most"
        )


def check_poses(poses: Mapping[str, Pose]) -> None:
    """Raises NotSettledError if a piece is out of the room after a run, or its pose is no
    number.
    """
    for name, pose in poses.items():
        _check_pose(name, pose, NotSettledError)


def _check_pose(name: str, pose: Pose, error: type[PhysicsError]) -> None:
    if not _inside(pose.at):
        raise error(
            f"{name}: at {_told(pose.at)} it is out of the room; a hand's shift or a recorded pose "
            "is far too large"
        )
    if not abs(math.hypot(*pose.quat) - 1) < _UNIT:
        raise error(
            f"{name}: its orientation {_told(pose.quat)} is none; the four numbers of a quaternion "
            "have length 1"
        )


def _inside(at: Vector) -> bool:
    return abs(at[0]) <= _FAR and abs(at[1]) <= _FAR and -_DEEP <= at[2] <= _HIGH


def _told(numbers: Sequence[float]) -> str:
    return f"({', '.join(f'{number:g}' for number in numbers)})"
