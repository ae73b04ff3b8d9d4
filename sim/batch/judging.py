"""Legality and cars of one placement on a table of arrays: `sim.referee.checks` and
`sim.referee.crossings`, compiled; and the pieces that it adds.

`work` (4, 9) is scratch: row 0 takes the new road's strip, row 1 the same leaning, row 2 a car.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rules.grid.kernels.jit import njit_inline, njit_linked
from sim.batch.arrays import (
    ABOVE,
    BELOW,
    BONUS,
    CARS,
    CLEAN,
    DISCS,
    EXIT,
    GONE,
    GREY,
    HISTORY,
    INACTIVE,
    JUNCTION,
    KNOCK,
    LAST,
    LEAVING,
    MOVER,
    NC,
    ND,
    NEARBY,
    NOW,
    NP,
    NR,
    NX,
    OCCLUDE,
    OUTLINE,
    OVER,
    OWNER,
    P0,
    P1,
    RAMP,
    RAMPS,
    RISES,
    ROADS,
    SEAT,
    SELF,
    SHADOW,
    TOUCH_CARS,
    TURN,
    UNDER,
    VOIDS,
    YELLOW,
)  # fmt: skip
from sim.batch.shapes import (
    CAR_LENGTH,
    COMFORT,
    DEEP,
    EX,
    EY,
    HEIGHT,
    L0,
    L1,
    LENGTH,
    NEAR,
    OVERLAP,
    POINT,
    RADIUS,
    REACH,
    SX,
    SY,
    THICK,
    TOUCH,
    car_strip,
    depth,
    gap,
    heights,
    hypot,
    is_near_round,
    lean,
    meeting,
    off,
    strip_between,
    touches,
)  # fmt: skip


@njit_inline
def rounded(x: float) -> float:
    """A place to 0.01 mm, as a record has it; never -0."""
    return float(np.rint(x * 100.0) / 100.0 + 0.0)


# --- what a seat may build from -------------------------------------------------------------------


@njit_linked
def last_pillar(t: Any, seat: int) -> int:
    """The row of the pillar that a seat built last, -1 if it has none."""
    last = -1
    for k in range(t.counts[NP]):
        if t.pillars[k, SEAT] == seat:
            last = k
    return last


@njit_inline
def is_base(t: Any, k: int, seat: int, last: int) -> bool:
    """`Table.base_points`: whether a seat may build from a pillar; `last` is its last one."""
    row = t.pillars[k]
    if row[SEAT] != seat:
        return False
    open_end = row[LEAVING] == 0 and (t.rules[LAST] == 0 or row[JUNCTION] == 1 or k == last)
    branch = row[JUNCTION] == 1 and row[LEAVING] == 1 and row[TURN] < t.counts[NOW]
    return bool(open_end or branch)


@njit_inline
def may_leave(t: Any, discs: int) -> bool:
    """`Table.exit_allowed`."""
    return bool(t.rules[EXIT] < 0 or discs == t.rules[EXIT])


@njit_linked
def is_unable(t: Any, seat: int) -> bool:
    """`Table.unable`: whether stock and base points alone leave a seat nothing to build."""
    stock = t.seats[seat]
    if stock[ROADS] == 0:
        return True
    last = last_pillar(t, seat)
    for k in range(t.counts[NP]):
        if is_base(t, k, seat, last):
            discs = t.pillars[k, DISCS]
            pays = discs - 1 <= stock[GREY] or (stock[YELLOW] > 0 and stock[GREY] > 0)
            if pays or may_leave(t, discs):
                return False
    return True


@njit_linked
def gone_bits(t: Any) -> int:
    """The seats that are out or have finished, as bits."""
    bits = 0
    for seat in range(len(t.seats)):
        if t.seats[seat, GONE]:
            bits |= 1 << seat
    return bits


# --- what is in the way ---------------------------------------------------------------------------


@njit_inline
def shares(t: Any, k: int, base: int) -> bool:
    """Whether road k lies on the pillar in row `base`."""
    return bool(base >= 0 and (t.of[k, P0] == base or t.of[k, P1] == base))


@njit_linked
def is_pillar_blocked(t: Any, x: float, y: float, discs: int) -> bool:
    """`conflicts._new_pillar_conflicts`: whether a new pillar overlaps what stands."""
    z = t.sizes
    radius, top, near = z[RADIUS], discs * z[HEIGHT], z[NEAR]
    wide = radius + z[TOUCH]
    for k in range(t.counts[ND]):
        if 2 * radius - hypot(t.discs[k, 0] - x, t.discs[k, 1] - y) > -near:
            return True
    for k in range(t.counts[NR]):
        road = t.roads[k]
        away = off(road, 0.0, x, y)
        if away < wide - z[OVERLAP]:
            if t.rules[UNDER]:
                return True
            low, _ = heights(road, 0.0, x, y, wide, top)
            if max(low, away - radius) < near:
                return True
    for k in range(t.counts[NC]):
        car = t.cars[k]
        away = off(car, 0.0, x, y)
        if away < wide - z[OVERLAP]:
            low, _ = heights(car, 0.0, x, y, wide, top)
            if max(low, away - radius) < near:
                return True
    for k in range(t.counts[NX]):
        block = t.blocks[k]
        if block[DEEP] == 0.0:
            if radius + block[2] - hypot(block[0] - x, block[1] - y) > -near:
                return True
        elif off(block, 0.0, x, y) < wide - z[OVERLAP]:
            return True
    return False


@njit_linked
def is_over_disc(t: Any, n: Any, base: int, seat: int) -> bool:
    """`conflicts._pillar_conflicts`: whether a road passes above a pillar that it may not."""
    z = t.sizes
    for k in range(t.counts[ND]):
        x, y = t.discs[k, 0], t.discs[k, 1]
        if t.under[k] == base or off(n, z[TOUCH], x, y) >= z[RADIUS] - z[OVERLAP]:
            continue
        if t.rules[SHADOW] or t.pillars[t.under[k], SEAT] != seat:
            return True
        low, _ = heights(n, z[TOUCH], x, y, z[RADIUS], t.discs[k, 3])
        if max(low, off(n, 0.0, x, y) - z[RADIUS]) < z[NEAR]:
            return True
    return False


@njit_linked
def is_over_building(t: Any, n: Any) -> bool:
    """`conflicts._over_building`: whether a road touches a building, or passes over one that it may
    not pass over.
    """
    z = t.sizes
    for k in range(t.counts[NX]):
        block = t.blocks[k]
        if block[DEEP] == 0.0:
            x, y, radius = block[0], block[1], block[2]
            if off(n, z[TOUCH], x, y) >= radius - z[OVERLAP]:
                continue
            low, _ = heights(n, z[TOUCH], x, y, radius, block[7])
            clear = max(low, off(n, 0.0, x, y) - radius)
        else:
            some, low, _ = gap(n, block, z, False, 0.0, 0.0)
            if not some:
                continue
            clear = max(low - block[DEEP], -depth(n, 0.0, block))
        if t.rules[OVER] or clear < z[NEAR]:
            return True
    return False


@njit_linked
def is_stick_blocked(t: Any, n: Any, base: int, seat: int, x: float, y: float) -> bool:
    """`conflicts.stick_conflicts` with roads and cars; (x, y) is the axis of the base."""
    z = t.sizes
    for k in range(t.counts[NR]):
        road = t.roads[k]
        own = t.of[k, OWNER] == seat and shares(t, k, base)
        some, low, high = gap(n, road, z, own, x, y)
        if some:
            if own and -high - n[DEEP] < z[NEAR] and low < 0:
                return True
            above = max(low - road[DEEP], -high - n[DEEP])
            if max(above, -depth(n, 0.0, road)) < z[NEAR]:
                return True
    if t.rules[TOUCH_CARS]:
        for k in range(t.counts[NC]):
            if touches(n, t.cars[k], z):
                return True
    return False


@njit_linked
def is_car_blocked(t: Any, car: Any, one: int, other: int) -> bool:
    """`conflicts.car_hits`: whether a car touches what stands, other than the pillars in rows `one`
    and `other`, on which its road lies.
    """
    z = t.sizes
    for k in range(t.counts[NR]):
        if touches(car, t.roads[k], z):
            return True
    for k in range(t.counts[NC]):
        if touches(car, t.cars[k], z):
            return True
    for k in range(t.counts[NX]):
        block = t.blocks[k]
        if block[DEEP] == 0.0:
            if is_near_round(car, block[0], block[1], block[2], block[6], block[7], z):
                return True
        elif touches(car, block, z):
            return True
    for k in range(t.counts[ND]):
        row = t.discs[k]
        if t.under[k] not in (one, other) and is_near_round(
            car, row[0], row[1], z[RADIUS], row[2], row[3], z
        ):
            return True
    return False


# --- crossings ------------------------------------------------------------------------------------


@njit_linked
def _is_taken_nearby(t: Any, k: int, seat: int, above: bool, x: float, y: float, gone: int) -> bool:
    """Whether a road has taken that side of road k near a place (crossing_scope = point)."""
    z, target = t.sizes, t.roads[k]
    for c in range(t.counts[NR]):
        owner = t.of[c, OWNER]
        if c == k or (t.rules[HISTORY] and c < k):
            continue
        if (not t.rules[OCCLUDE] and owner == seat) or (
            not t.rules[INACTIVE] and gone >> owner & 1
        ):
            continue
        if owner == t.of[k, OWNER] and (shares(t, c, t.of[k, P0]) or shares(t, c, t.of[k, P1])):
            continue
        r = t.roads[c]
        met, mx, my, level, other = meeting(
            z, t.rules[OUTLINE], r[SX], r[SY], r[EX], r[EY], r[L0], r[L1], target
        )
        if met and (level > other) == above and hypot(mx - x, my - y) <= z[POINT]:
            return True
    return False


@njit_linked
def earned(
    t: Any, seat: int, base: int, sx: float, sy: float, ex: float, ey: float, l0: float, l1: float
) -> int:
    """`crossings.judge_each`: the cars of a new road's crossings, -1 if it crosses a road of its
    own player that it may not cross, -2 if that voids its cars (and an exit's bonus).
    """
    cars, voided, gone, rules = 0, False, gone_bits(t), t.rules
    for k in range(t.counts[NR]):
        met, x, y, level, other = meeting(
            t.sizes, rules[OUTLINE], sx, sy, ex, ey, l0, l1, t.roads[k]
        )
        if not met:
            continue
        owner = t.of[k, OWNER]
        if owner == seat:
            if not shares(t, k, base):
                if not rules[SELF]:
                    return -1
                voided = True
            continue
        if t.of[k, RAMP] and not rules[RAMPS]:
            continue
        if gone >> owner & 1 and not rules[INACTIVE]:
            continue
        above = level > other
        if rules[NEARBY]:
            if not _is_taken_nearby(t, k, seat, above, x, y, gone):
                cars += 1
            continue
        taken = t.of[k, ABOVE if above else BELOW]
        if not rules[OCCLUDE]:
            taken &= ~(1 << seat)
        if not rules[INACTIVE]:
            taken &= ~gone
        if taken == 0:
            cars += 1
    return -2 if voided and rules[VOIDS] else cars


@njit_linked
def _take_sides(t: Any, n: int) -> None:
    """Notes which roads run above and below the road in row n, and where it does."""
    new, seat = t.roads[n], t.of[n, OWNER]
    for k in range(n):
        own = t.of[k, OWNER] == seat
        if own and (shares(t, k, t.of[n, P0]) or shares(t, k, t.of[n, P1])):
            continue
        old = t.roads[k]
        met, _, _, level, other = meeting(
            t.sizes, t.rules[OUTLINE],
            new[SX], new[SY], new[EX], new[EY], new[L0], new[L1], old,
        )  # fmt: skip
        if met:
            t.of[k, ABOVE if level > other else BELOW] |= 1 << seat
        if t.rules[HISTORY]:
            continue
        met, _, _, level, other = meeting(
            t.sizes, t.rules[OUTLINE],
            old[SX], old[SY], old[EX], old[EY], old[L0], old[L1], new,
        )  # fmt: skip
        if met:
            t.of[n, ABOVE if level > other else BELOW] |= 1 << t.of[k, OWNER]


# --- builds and exits -----------------------------------------------------------------------------


@njit_inline
def span(t: Any, rise: int) -> tuple[float, float]:
    """The reach of a road between pillars that differ by so many discs; none if far < near."""
    up = abs(rise)
    if up >= t.rules[RISES]:
        return 1.0, 0.0
    return t.sizes[REACH + 2 * up], t.sizes[REACH + 2 * up + 1]


@njit_inline
def exit_span(t: Any, discs: int) -> tuple[float, float]:
    """The reach of an exit from a pillar of so many discs; none if far < near."""
    if discs >= t.rules[RISES]:
        return 1.0, 0.0
    first = REACH + 2 * (t.rules[RISES] + discs)
    return t.sizes[first], t.sizes[first + 1]


@njit_inline
def exit_run(t: Any, discs: int) -> float:
    """The plan length of an exit from a pillar of so many discs."""
    z = t.sizes
    return math.sqrt(max(z[LENGTH] ** 2 - (discs * z[HEIGHT]) ** 2, 0.0))


@njit_linked
def start_of(t: Any, base: int, x: float, y: float, to: int) -> tuple[float, float]:
    """Where the line of a road from a base to (x, y) starts; `to` is 0 for an exit, which lies as
    far out as its length says.
    """
    px, py = t.places[base, 0], t.places[base, 1]
    if to > 0:
        return px, py
    away, run = max(hypot(x - px, y - py), 1e-9), exit_run(t, t.pillars[base, DISCS])
    return x - (x - px) / away * run, y - (y - py) / away * run


@njit_linked
def judge_place(t: Any, base: int, x: float, y: float, to: int, work: Any) -> int:
    """The cars that a build (`to` discs) or an exit (`to` = 0) from a base earns, not limited by
    the stock; -1 if something on the table is in its way. Stock, height and reach are the caller's.
    """
    seat, levels = t.counts[MOVER], (float(t.pillars[base, DISCS]), float(to))
    if to > 0 and is_pillar_blocked(t, x, y, to):
        return -1
    sx, sy = start_of(t, base, x, y, to)
    strip_between(work[1], t.sizes, sx, sy, x, y, levels[0], levels[1])
    lean(work[1], t.sizes[THICK])
    if is_over_disc(t, work[1], base, seat):
        return -1
    px, py = t.places[base, 0], t.places[base, 1]
    if is_stick_blocked(t, work[1], base, seat, px, py) or is_over_building(t, work[1]):
        return -1
    cars = earned(t, seat, base, sx, sy, x, y, levels[0], levels[1])
    if cars == -2:
        return 0
    return cars if cars < 0 or to > 0 else cars + t.rules[BONUS]


@njit_linked
def judge_road(t: Any, base: int, x: float, y: float, to: int, gold: int, work: Any) -> int:
    """`checks.every_fault` for a build or an exit without offsets and without places for cars: its
    cars, or -1 if it is illegal.
    """
    seat = t.counts[MOVER]
    stock = t.seats[seat]
    if stock[ROADS] == 0 or not is_base(t, base, seat, last_pillar(t, seat)):
        return -1
    discs = t.pillars[base, DISCS]
    away = hypot(x - t.places[base, 0], y - t.places[base, 1])
    if to == 0:
        near, far = exit_span(t, discs)
        if not may_leave(t, discs):
            return -1
    else:
        near, far = span(t, to - discs)
        if gold:
            if to < 2 or stock[YELLOW] == 0:
                return -1
        elif abs(to - discs) != 1:
            return -1
        if to - gold > stock[GREY]:
            return -1
    if not near <= away <= far:
        return -1
    return judge_place(t, base, x, y, to, work)


@njit_linked
def add_road(
    t: Any, seat: int, sx: float, sy: float, ex: float, ey: float, l0: float, l1: float,
    one: int, other: int, work: Any,
) -> None:  # fmt: skip
    """A new road; its strip that does not lean stays in `work[0]`."""
    n = t.counts[NR]
    strip_between(work[0], t.sizes, sx, sy, ex, ey, l0, l1)
    for c in range(9):
        t.roads[n, c] = work[0, c]
    lean(t.roads[n], t.sizes[THICK])
    t.roads[n, SX], t.roads[n, SY], t.roads[n, EX], t.roads[n, EY] = sx, sy, ex, ey
    t.roads[n, L0], t.roads[n, L1] = l0, l1
    t.of[n, OWNER], t.of[n, RAMP], t.of[n, P0], t.of[n, P1] = seat, other < 0, one, other
    t.of[n, ABOVE], t.of[n, BELOW] = 0, 0
    _take_sides(t, n)
    t.counts[NR] = n + 1
    t.seats[seat, ROADS] -= 1


@njit_linked
def add_pillar(t: Any, seat: int, x: float, y: float, discs: int, gold: int) -> int:
    """The row of a new pillar."""
    p, d = t.counts[NP], t.counts[ND]
    t.places[p, 0], t.places[p, 1] = x, y
    row = t.pillars[p]
    row[SEAT], row[DISCS], row[JUNCTION], row[LEAVING] = seat, discs, gold, 0
    row[TURN] = t.counts[NOW]
    t.discs[d, 0], t.discs[d, 1], t.discs[d, 2] = x, y, 0.0
    t.discs[d, 3] = discs * t.sizes[HEIGHT]
    t.under[d] = p
    t.counts[NP], t.counts[ND] = p + 1, d + 1
    t.seats[seat, GREY] -= discs - gold
    t.seats[seat, YELLOW] -= gold
    return int(p)


@njit_linked
def add_car(t: Any, road: int, along: float, side: float, work: Any) -> None:
    """A car of the owner of a road whose strip that does not lean is in `work[0]`."""
    c, seat = t.counts[NC], t.of[road, OWNER]
    car_strip(t.cars[c], work[0], t.sizes, along, side)
    t.on[c, 0], t.on[c, 1], t.on[c, 2] = seat, road, c
    t.spots[c, 0], t.spots[c, 1] = along, side
    t.counts[NC] = c + 1
    t.seats[seat, CARS] -= 1


@njit_linked
def lay(
    t: Any, base: int, x: float, y: float, to: int, gold: int, count: int, work: Any, found: Any
) -> int:
    """Builds, or leaves by an exit: pillar, road, and as many of `count` cars as find a place on
    the middle line (`reach.free_spots`), in the order along the road.

    Returns how many found a place; if these are too few, none is put down, and the caller asks the
    referee for places. Nothing is checked. `found` (k,) is scratch for up to k places.
    """
    seat, z = t.counts[MOVER], t.sizes
    discs = float(t.pillars[base, DISCS])
    sx, sy = start_of(t, base, x, y, to)
    cars = min(count, t.seats[seat, CARS])
    strip_between(work[0], z, sx, sy, x, y, discs, float(to))
    placed = _spots(t, base, cars, work, found)
    target = add_pillar(t, seat, x, y, to, gold) if to > 0 else -1
    add_road(t, seat, sx, sy, x, y, discs, float(to), base, target, work)
    t.pillars[base, LEAVING] += 1
    if placed == cars:
        for n in range(placed - is_returned(t, seat, placed)):
            add_car(t, t.counts[NR] - 1, found[n], 0.0, work)
    return placed


@njit_inline
def is_returned(t: Any, seat: int, placed: int) -> int:
    """1 if the last car goes back to its owner, as this turn knocked something over before
    (clean_win); else 0.
    """
    dirty = t.rules[CLEAN] and t.counts[KNOCK] == t.counts[NOW]
    return int(dirty and placed > 0 and placed == t.seats[seat, CARS])


@njit_linked
def _spots(t: Any, base: int, count: int, work: Any, found: Any) -> int:
    """`reach._Face.along_the_middle`: places for cars on the road in `work[0]`, sorted, which does
    not stand yet; how many there are.
    """
    z, n = t.sizes, 0
    margin, apart = z[CAR_LENGTH] / 2 / z[LENGTH], (z[CAR_LENGTH] + z[COMFORT]) / z[LENGTH]
    for step in range(199):
        if n == count:
            break
        sign = 1 if step % 2 else -1
        along = np.rint((0.5 + sign * ((step + 1) // 2) * 0.005) * 1000.0) / 1000.0
        if along < margin or along > 1 - margin:
            continue
        free = True
        for k in range(n):
            free = free and abs(along - found[k]) >= apart
        if not free:
            continue
        car_strip(work[2], work[0], z, along, 0.0)
        if is_car_blocked(t, work[2], base, -1):
            continue
        k = n
        while k > 0 and found[k - 1] > along:
            found[k] = found[k - 1]
            k -= 1
        found[k] = along
        n += 1
    return n
