"""Entrances and buildings on a table of arrays: what is legal in the set-up, and the pieces that it
adds; `work` as in `sim.batch.judging`.
"""

from __future__ import annotations

import math
from typing import Any

from rules.grid.kernels.jit import njit_inline, njit_linked
from sim.batch.arrays import CARS, ENTERED, GREY, HOUSED, KIND, MOVER, NC, ND, NR, NX, ROADS
from sim.batch.judging import (
    add_car,
    add_pillar,
    add_road,
    exit_run,
    is_car_blocked,
    is_over_building,
    is_over_disc,
    is_pillar_blocked,
    is_stick_blocked,
)
from sim.batch.shapes import (
    DEEP,
    ENTRANCE,
    NEAR,
    OVERLAP,
    RADIUS,
    THICK,
    TOUCH,
    car_strip,
    depth,
    gap,
    hypot,
    lean,
    off,
    strip_between,
)


@njit_linked
def judge_entrance(t: Any, x: float, y: float, degrees: float, work: Any) -> bool:
    """`checks._before_entrance` for an entrance with its car in the middle of the ramp."""
    seat, z = t.counts[MOVER], t.sizes
    stock = t.seats[seat]
    if stock[ROADS] < 1 or stock[GREY] < 1 or stock[CARS] < 1:
        return False
    if hypot(x, y) > z[ENTRANCE] or is_pillar_blocked(t, x, y, 1):
        return False
    angle, run = degrees * (math.pi / 180.0), exit_run(t, 1)
    ex, ey = x + run * math.cos(angle), y + run * math.sin(angle)
    strip_between(work[0], z, x, y, ex, ey, 1.0, 0.0)
    for c in range(9):
        work[1, c] = work[0, c]
    lean(work[1], z[THICK])
    if is_over_disc(t, work[1], -1, seat):
        return False
    if is_stick_blocked(t, work[1], -1, seat, x, y) or is_over_building(t, work[1]):
        return False
    car_strip(work[2], work[0], z, 0.5, 0.0)
    return not is_car_blocked(t, work[2], -1, -1)


@njit_linked
def enter(t: Any, x: float, y: float, degrees: float, work: Any) -> None:
    """Sets an entrance: its disc, its ramp and the car in the middle of it."""
    seat = t.counts[MOVER]
    angle, run = degrees * (math.pi / 180.0), exit_run(t, 1)
    ex, ey = x + run * math.cos(angle), y + run * math.sin(angle)
    base = add_pillar(t, seat, x, y, 1, 0)
    add_road(t, seat, x, y, ex, ey, 1.0, 0.0, base, -1, work)
    add_car(t, t.counts[NR] - 1, 0.5, 0.0, work)
    t.seats[seat, ENTERED] = 1


@njit_linked
def judge_building(t: Any, block: Any, kind: int) -> bool:
    """`conflicts.footprint_hits`: whether a building, as a row of `blocks` where it is to stand, is
    free of everything in plan, and of a kind that is left.
    """
    z = t.sizes
    for k in range(t.counts[NX]):
        if t.built[k, KIND] == kind:
            return False
        if _overlap_in_plan(block, t.blocks[k], z):
            return False
    for k in range(t.counts[NR]):
        if _overlap_in_plan(block, t.roads[k], z):
            return False
    for k in range(t.counts[NC]):
        if _overlap_in_plan(block, t.cars[k], z):
            return False
    for k in range(t.counts[ND]):
        x, y, radius = t.discs[k, 0], t.discs[k, 1], z[RADIUS]
        if block[DEEP] == 0.0:
            if block[2] + radius - hypot(block[0] - x, block[1] - y) > -z[NEAR]:
                return False
        elif _round_overlaps(block, x, y, radius, z[TOUCH], 0.0, z):
            return False
    return True


@njit_inline
def _round_overlaps(
    strip: Any, x: float, y: float, radius: float, grow: float, wide: float, z: Any
) -> bool:
    """Whether a strip and a circle, one of them grown by TOUCH, overlap, or nearly touch."""
    near = off(strip, grow, x, y) < radius + wide - z[OVERLAP]
    return bool(near and radius - off(strip, 0.0, x, y) > -z[NEAR])


@njit_linked
def _overlap_in_plan(new: Any, old: Any, z: Any) -> bool:
    """Whether a building and another piece that is no disc overlap in plan, or nearly touch."""
    if new[DEEP] == 0.0 and old[DEEP] == 0.0:
        return bool(new[2] + old[2] - hypot(new[0] - old[0], new[1] - old[1]) > -z[NEAR])
    if new[DEEP] == 0.0:
        return _round_overlaps(old, new[0], new[1], new[2], 0.0, z[TOUCH], z)
    if old[DEEP] == 0.0:
        return _round_overlaps(new, old[0], old[1], old[2], z[TOUCH], 0.0, z)
    some, _, _ = gap(new, old, z, False, 0.0, 0.0)
    return bool(some and depth(new, 0.0, old) > -z[NEAR])


@njit_linked
def house(t: Any, block: Any, kind: int, x: float, y: float, degrees: float) -> None:
    """Sets a building."""
    n, seat = t.counts[NX], t.counts[MOVER]
    for c in range(9):
        t.blocks[n, c] = block[c]
    t.sites[n, 0], t.sites[n, 1], t.sites[n, 2] = x, y, degrees
    t.built[n, 0], t.built[n, 1] = kind, seat
    t.counts[NX] = n + 1
    t.seats[seat, HOUSED] = 1
