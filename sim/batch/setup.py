"""Entrances and buildings on a table of arrays: what is legal in the set-up, and the pieces that it
adds.
"""

from __future__ import annotations

import math
from typing import Any

from rules.grid.kernels.jit import njit_linked
from sim.batch.arrays import (
    CARS,
    ENTERED,
    ENTRANCE,
    GREY,
    HOUSED,
    KIND,
    MOVER,
    NC,
    ND,
    NR,
    NX,
    ROADS,
)
from sim.batch.compiled import geometry as g
from sim.batch.judging import (
    add_car,
    add_pillar,
    add_road,
    exit_run,
    is_car_blocked,
    is_pillar_blocked,
    is_road_blocked,
    straight,
)


@njit_linked
def judge_entrance(t: Any, x: float, y: float, degrees: float) -> bool:
    """`checks._before_entrance` for an entrance with its car in the middle of the ramp."""
    seat, z = t.counts[MOVER], t.sizes
    stock = t.seats[seat]
    if stock[ROADS] < 1 or stock[GREY] < 1 or stock[CARS] < 1:
        return False
    if g.hypot(x, y) > z[ENTRANCE] or is_pillar_blocked(t, x, y, 1):
        return False
    angle, run = degrees * (math.pi / 180.0), exit_run(t, 1)
    flat = straight(t, x, y, x + run * math.cos(angle), y + run * math.sin(angle), 1.0, 0.0)
    if is_road_blocked(t, g.leaning(flat, z[g.THICK]), -1, seat, x, y):
        return False
    return not is_car_blocked(t, g.car_strip(z, flat, 0.5, 0.0), -1, -1)


@njit_linked
def enter(t: Any, x: float, y: float, degrees: float) -> None:
    """Sets an entrance: its disc, its ramp and the car in the middle of it."""
    seat = t.counts[MOVER]
    angle, run = degrees * (math.pi / 180.0), exit_run(t, 1)
    ex, ey = x + run * math.cos(angle), y + run * math.sin(angle)
    base = add_pillar(t, seat, x, y, 1, 0)
    add_road(t, seat, x, y, ex, ey, 1.0, 0.0, base, -1)
    add_car(t, t.counts[NR] - 1, 0.5, 0.0)
    t.seats[seat, ENTERED] = 1


@njit_linked
def judge_building(t: Any, block: Any, kind: int) -> bool:
    """Whether a building, as a row of `blocks` where it is to stand, is free of everything in plan,
    and of a kind that is left.
    """
    for k in range(t.counts[NX]):
        if t.built[k, KIND] == kind or g.building_by_block(block, t.blocks[k])[0]:
            return False
    for k in range(t.counts[NR]):
        if g.building_by_stick(block, t.roads[k])[0]:
            return False
    for k in range(t.counts[NC]):
        if g.building_by_stick(block, t.cars[k])[0]:
            return False
    for k in range(t.counts[ND]):
        if g.building_by_round(block, t.discs[k, 0], t.discs[k, 1], t.sizes[g.RADIUS])[0]:
            return False
    return True


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
