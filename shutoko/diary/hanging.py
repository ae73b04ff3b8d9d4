"""Roads that stick out after a piece was put elsewhere. People saw it, so no rule forbids it (only
a build may not stick out, rules 4a); but such a place is often misread, and is worth a remark.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sim.referee.footprints import nominal_strip
from sim.referee.reach import ends_of, sizes_of
from sim.referee.table import Table


class Hanging(NamedTuple):
    """A road that sticks out past the rims of these pillars, by at most so many mm."""

    road: str
    pillars: tuple[str, ...]
    mm: float


def hanging(before: Table, after: Table) -> tuple[Hanging, ...]:
    """The roads that lie elsewhere than before and stick out, by more than errors of the ruler."""
    box, found = after.components, []
    slack = 2 * math.sqrt(2) * after.tolerance
    known = {road.id: (road.start, road.end) for road in before.roads}
    for road in after.roads:
        if known.get(road.id) == (road.start, road.end):
            continue
        axes = [after.top(after.pillar_by_id[name]) for name in road.pillars]
        levels = np.array([road.levels], dtype=np.float64)
        ends = ends_of(sizes_of(box), nominal_strip(box, road), np.array([axes]), levels)
        out = dict(zip(road.pillars, ends.out[0].tolist(), strict=True))
        beyond = tuple(name for name, mm in out.items() if mm > slack)
        if beyond:
            found.append(Hanging(road.id, beyond, max(out[name] for name in beyond)))
    return tuple(found)
