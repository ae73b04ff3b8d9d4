"""The parts of a hand's path on which it passes nothing: nobody needs to simulate them.

Most of a path leads through the air. A millimetre of it costs as many steps as a millimetre past a
pillar.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from sim.bodies import Body, Vector
from sim.physics.engine import TOOL_LENGTH, TOOL_RADIUS, HandPath
from sim.physics.neighbours import gaps_along

# mm between the tool and everything, in parts that are skipped; a hand lets go 0.5 mm above a piece
_APART = 0.4
_STEP = 2.0  # mm between the places at which this is checked, at most
# mm: within this distance after a place that matters, pieces may have been set in motion
_PUSHED = 3.0


def shortened(path: HandPath, bodies: Sequence[Body]) -> HandPath | None:
    """The same path, cut into legs. Those on which the tool is clear of all bodies are skipped.
    None if the tool is clear of all bodies on the whole path. `bodies` are those that stand there,
    the new ones too.
    """
    points, legs = _cut(path.points)
    gaps = gaps_along(
        bodies, np.array(points), TOOL_RADIUS[path.tool], TOOL_LENGTH[path.tool], _PUSHED
    )
    matters = [bool(min(gaps[k], gaps[k + 1]) < _APART) for k in range(legs)]
    if not any(matters):
        return None
    first = matters.index(True)
    for k in range(first, legs):
        matters[k] = bool(min(gaps[k], gaps[k + 1]) < _PUSHED)
    return replace(path, points=points, skipped=frozenset(k for k in range(legs) if not matters[k]))


def _cut(points: Sequence[Vector]) -> tuple[tuple[Vector, ...], int]:
    """The points of a path with further ones between them, and how many legs that makes."""
    found = [points[0]]
    for a, b in pairwise(points):
        parts = max(1, math.ceil(math.dist(a, b) / _STEP))
        found += [
            (
                a[0] + (b[0] - a[0]) * k / parts,
                a[1] + (b[1] - a[1]) * k / parts,
                a[2] + (b[2] - a[2]) * k / parts,
            )
            for k in range(1, parts)
        ]
        found.append(b)
    return tuple(found), len(found) - 1
