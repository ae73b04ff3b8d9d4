"""Legality and cars of one placement on a table of arrays: `sim.referee.checks` and
`sim.referee.crossings`, compiled; and the pieces that it adds. `g` is `sim.referee.geometry`, the
same source compiled.
"""

import math
from typing import Any

import numpy as np

from rules.grid.kernels.jit import njit_inline, njit_linked, twin
from sim.batch.arrays import (
    ABOVE,
    BELOW,
    BONUS,
    CARS,
    COMFORT,
    DISCS,
    GONE,
    GREY,
    JUNCTION,
    KNOCK,
    LEAVING,
    MOST_HIGH,
    MOST_UP,
    MOVER,
    NC,
    ND,
    NOW,
    NP,
    NR,
    NX,
    OWNER,
    P0,
    P1,
    RAMP,
    REACH,
    RISES,
    ROADS,
    SEAT,
    TURN,
    YELLOW,
    R,
)  # fmt: skip
from sim.referee import geometry as _plain

_INLINE = (
    "hypot", "strip_between", "leaning", "car_strip", "_corners", "_within", "_rise", "off",
    "is_far", "round_by_round", "_closer", "_half", "standing_of", "may_take", "intersection",
)  # fmt: skip

g = twin(_plain, _INLINE)


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
    open_end = row[LEAVING] == 0 and (t.rules[R.last_built] == 0 or row[JUNCTION] == 1 or k == last)
    branch = row[JUNCTION] == 1 and row[LEAVING] == 1 and row[TURN] < t.counts[NOW]
    return bool(open_end or branch)


@njit_inline
def may_leave(t: Any, discs: int) -> bool:
    """`Table.exit_allowed`."""
    return bool(t.rules[R.exit_height] < 0 or discs == t.rules[R.exit_height])


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
    """Whether a new pillar overlaps what stands."""
    radius, top = t.sizes[g.RADIUS], discs * t.sizes[g.HEIGHT]
    for k in range(t.counts[ND]):
        if g.round_by_round(x, y, radius, t.discs[k, 0], t.discs[k, 1], radius) > -g.NEAR:
            return True
    for k in range(t.counts[NR]):
        if g.pillar_by_stick(t.roads[k], x, y, radius, top, t.rules[R.under] != 0)[0]:
            return True
    for k in range(t.counts[NC]):
        if g.pillar_by_stick(t.cars[k], x, y, radius, top, False)[0]:
            return True
    for k in range(t.counts[NX]):  # noqa: SIM110 - no generators in compiled code
        if g.pillar_by_block(t.blocks[k], x, y, radius)[0]:
            return True
    return False


@njit_linked
def is_road_blocked(t: Any, n: Any, base: int, seat: int, x: float, y: float) -> bool:
    """Whether a road, which leans, touches what stands or passes above a pillar or a building that
    it may not; (x, y) is the axis of the base.
    """
    z = t.sizes
    for k in range(t.counts[ND]):
        row, of = t.discs[k], t.under[k]
        may_pass = t.rules[R.shadow] == 0 and t.pillars[of, SEAT] == seat
        if of != base and g.road_by_disc(n, row[0], row[1], z[g.RADIUS], row[3], may_pass)[0]:
            return True
    for k in range(t.counts[NR]):
        own = t.of[k, OWNER] == seat and shares(t, k, base)
        if g.road_by_road(n, t.roads[k], own, x, y, z[g.RADIUS])[0]:
            return True
    if t.rules[R.touch_cars]:
        for k in range(t.counts[NC]):
            if g.stick_by_stick(n, t.cars[k])[0]:
                return True
    for k in range(t.counts[NX]):
        if g.road_by_block(n, t.blocks[k], t.rules[R.over] != 0)[0]:
            return True
    return False


@njit_linked
def is_car_blocked(t: Any, car: Any, one: int, other: int) -> bool:
    """Whether a car touches what stands, other than the pillars in rows `one` and `other`, on which
    its road lies.
    """
    for k in range(t.counts[NR]):
        if g.stick_by_stick(car, t.roads[k])[0]:
            return True
    for k in range(t.counts[NC]):
        if g.stick_by_stick(car, t.cars[k])[0]:
            return True
    for k in range(t.counts[NX]):
        if g.car_by_block(car, t.blocks[k])[0]:
            return True
    for k in range(t.counts[ND]):
        row, of = t.discs[k], t.under[k]
        if (
            of not in (one, other)
            and g.car_by_round(car, row[0], row[1], t.sizes[g.RADIUS], row[2], row[3])[0]
        ):
            return True
    return False


# --- crossings ------------------------------------------------------------------------------------


@njit_inline
def _crosses(t: Any, n: Any, k: int) -> Any:
    """`geometry.meeting` of a line with the road in row k."""
    return g.meeting(t.sizes, t.rules[R.outlines] != 0, n, t.lines[k])


@njit_linked
def _is_taken_nearby(t: Any, k: int, seat: int, above: bool, x: float, y: float, gone: int) -> bool:
    """Whether a road has taken that side of road k near a place (crossing_scope = point)."""
    for c in range(t.counts[NR]):
        owner = t.of[c, OWNER]
        may = g.may_take(
            c > k,
            owner == seat,
            gone >> owner & 1 != 0,
            t.rules[R.history] != 0,
            t.rules[R.occlude] != 0,
            t.rules[R.inactive] != 0,
        )
        if c == k or not may:
            continue
        if owner == t.of[k, OWNER] and (shares(t, c, t.of[k, P0]) or shares(t, c, t.of[k, P1])):
            continue
        met, mx, my, level, other = _crosses(t, t.lines[c], k)
        near = g.NEAR_WIDTHS * t.sizes[g.WIDTH]
        if met and (level > other) == above and g.hypot(mx - x, my - y) <= near:
            return True
    return False


@njit_linked
def earned(t: Any, seat: int, base: int, line: Any) -> int:
    """The cars of a new road's crossings (`crossings.judge`), -1 if it crosses a road of its own
    player that it may not cross, -2 if that voids its cars (and an exit's bonus).
    """
    cars, voided, gone, rules = 0, False, gone_bits(t), t.rules
    for k in range(t.counts[NR]):
        met, x, y, level, other = _crosses(t, line, k)
        owner = t.of[k, OWNER]
        own = owner == seat
        if not met or (own and shares(t, k, base)):
            continue
        what = g.standing_of(
            own,
            t.of[k, RAMP] != 0,
            gone >> owner & 1 != 0,
            rules[R.ramps] != 0,
            rules[R.inactive] != 0,
        )
        if what == g.OWN:
            if not rules[R.self_cross]:
                return -1
            voided = True
        if what != g.FREE:
            continue
        above = level > other
        if rules[R.nearby]:
            if not _is_taken_nearby(t, k, seat, above, x, y, gone):
                cars += 1
            continue
        if t.of[k, ABOVE if above else BELOW] & seen_by(t, seat, gone) == 0:
            cars += 1
    return -2 if voided and rules[R.voids] else cars


@njit_inline
def seen_by(t: Any, seat: int, gone: int) -> int:
    """The seats whose roads take sides for a seat, as bits: those that `may_take` admits."""
    bits = 0
    for owner in range(len(t.seats)):
        may = g.may_take(
            True,
            owner == seat,
            gone >> owner & 1 != 0,
            False,
            t.rules[R.occlude] != 0,
            t.rules[R.inactive] != 0,
        )
        bits |= int(may) << owner
    return bits


@njit_linked
def take_sides_of(t: Any, n: int) -> None:
    """Notes which roads run above and below the road in row n, and where it does."""
    seat = t.of[n, OWNER]
    for k in range(n):
        own = t.of[k, OWNER] == seat
        if own and (shares(t, k, t.of[n, P0]) or shares(t, k, t.of[n, P1])):
            continue
        met, _, _, level, other = _crosses(t, t.lines[n], k)
        if met:
            t.of[k, ABOVE if level > other else BELOW] |= 1 << seat
        if t.rules[R.history]:
            continue
        met, _, _, level, other = _crosses(t, t.lines[k], n)
        if met:
            t.of[n, ABOVE if level > other else BELOW] |= 1 << t.of[k, OWNER]


# --- builds and exits -----------------------------------------------------------------------------


@njit_inline
def span(t: Any, rise: int) -> tuple[float, float]:
    """The reach of a road between pillars that differ by so many discs; none if far < near."""
    return _spanned(t, abs(rise), REACH)


@njit_inline
def exit_span(t: Any, discs: int) -> tuple[float, float]:
    """The reach of an exit from a pillar of so many discs; none if far < near."""
    return _spanned(t, discs, REACH + 2 * t.rules[RISES])


@njit_inline
def _spanned(t: Any, up: int, first: int) -> tuple[float, float]:
    if up >= t.rules[RISES]:
        return 1.0, 0.0
    return t.sizes[first + 2 * up], t.sizes[first + 2 * up + 1]


@njit_inline
def exit_run(t: Any, discs: int) -> float:
    """The plan length of an exit from a pillar of so many discs."""
    z = t.sizes
    return math.sqrt(max(z[g.LENGTH] ** 2 - (discs * z[g.HEIGHT]) ** 2, 0.0))


@njit_inline
def kinds_of(t: Any, base: int, modest: bool) -> int:
    """One more than the last kind of road from a base, see `road_of`; `modest`: no higher pillars
    than people build.
    """
    discs = t.pillars[base, DISCS]
    high = discs + (t.rules[MOST_UP] if modest else int(t.sizes[g.LENGTH] / t.sizes[g.HEIGHT]))
    high = min(high, t.seats[t.counts[MOVER], GREY] + 1)
    if modest:
        high = min(high, t.rules[MOST_HIGH])
    return int(max(high + 1, 2))


@njit_inline
def road_of(t: Any, base: int, kind: int, inset: float) -> tuple[int, int, float, float]:
    """A kind of road from a base: the discs of its new pillar (0: an exit), how many are yellow,
    and the least and the greatest distance of that pillar, `inset` kept from both ends; none if far
    < near. Kind -1 is an exit, 0 and 1 are pillars of a disc less and more, from 2 on junctions of
    so many discs.
    """
    stock, discs = t.seats[t.counts[MOVER]], t.pillars[base, DISCS]
    if kind < 0:
        run = exit_run(t, discs)
        return 0, 0, run, run if may_leave(t, discs) and run > 0.0 else -1.0
    gold = int(kind >= 2)
    to = kind if gold else discs + 2 * kind - 1
    if to < 1 + gold or to - gold > stock[GREY] or (gold and stock[YELLOW] == 0):
        return 0, 0, 1.0, 0.0
    near, far = span(t, to - discs)
    return to, gold, near + inset, far - inset


@njit_linked
def start_of(t: Any, base: int, x: float, y: float, to: int) -> tuple[float, float]:
    """Where the line of a road from a base to (x, y) starts; `to` is 0 for an exit, which lies as
    far out as its length says.
    """
    px, py = t.places[base, 0], t.places[base, 1]
    if to > 0:
        return px, py
    away, run = max(g.hypot(x - px, y - py), 1e-9), exit_run(t, t.pillars[base, DISCS])
    return x - (x - px) / away * run, y - (y - py) / away * run


@njit_linked
def judge_place(t: Any, base: int, x: float, y: float, to: int) -> int:
    """The cars that a build (`to` discs) or an exit (`to` = 0) from a base earns, not limited by
    the stock; -1 if something on the table is in its way. Stock, height and reach are the caller's.
    """
    seat, z = t.counts[MOVER], t.sizes
    l0, l1 = float(t.pillars[base, DISCS]), float(to)
    if to > 0 and is_pillar_blocked(t, x, y, to):
        return -1
    sx, sy = start_of(t, base, x, y, to)
    road = g.leaning(straight(t, sx, sy, x, y, l0, l1), z[g.THICK])
    if is_road_blocked(t, road, base, seat, t.places[base, 0], t.places[base, 1]):
        return -1
    cars = earned(t, seat, base, (sx, sy, x, y, l0, l1))
    if cars == -2:
        return 0
    return cars if cars < 0 or to > 0 else cars + t.rules[BONUS]


@njit_inline
def straight(t: Any, sx: float, sy: float, ex: float, ey: float, l0: float, l1: float) -> Any:
    """The strip of a road without a slide, flat."""
    span_of = max(g.hypot(ex - sx, ey - sy), 1e-9)
    return g.strip_between(t.sizes, sx, sy, ex, ey, l0, l1, 0.0, span_of)


@njit_linked
def judge_road(t: Any, base: int, x: float, y: float, to: int, gold: int) -> int:
    """`checks.every_fault` for a build or an exit without offsets and without places for cars: its
    cars, or -1 if it is illegal.
    """
    seat = t.counts[MOVER]
    stock = t.seats[seat]
    if stock[ROADS] == 0 or not is_base(t, base, seat, last_pillar(t, seat)):
        return -1
    discs = t.pillars[base, DISCS]
    if to == 0:
        if not may_leave(t, discs) or discs * t.sizes[g.HEIGHT] >= t.sizes[g.LENGTH]:
            return -1
    else:
        if gold:
            if to < 2 or stock[YELLOW] == 0:
                return -1
        elif abs(to - discs) != 1:
            return -1
        if to - gold > stock[GREY]:
            return -1
    return judge_place(t, base, x, y, to) if reaches(t, base, x, y, to) else -1


@njit_linked
def reaches(t: Any, base: int, x: float, y: float, to: int) -> bool:
    """Whether a road lies on its discs (rules 4a, 4i)."""
    px, py = t.places[base, 0], t.places[base, 1]
    sx, sy = start_of(t, base, x, y, to)
    l0, l1 = float(t.pillars[base, DISCS]), float(to)
    road = straight(t, sx, sy, x, y, l0, l1)
    ends = 2 if to > 0 else 1
    steep, out, bears, aside, out1, bears1, aside1 = g.lies(
        t.sizes, road, (l1 - l0) * t.sizes[g.HEIGHT], px, py, x, y, ends
    )
    least, slack = g.BEARING - g.SLACK, g.SLACK
    if steep or out > slack or bears < least or aside > slack:
        return False
    return bool(ends == 1 or (out1 <= slack and bears1 >= least and aside1 <= slack))


@njit_linked
def add_road(
    t: Any, seat: int, sx: float, sy: float, ex: float, ey: float, l0: float, l1: float,
    one: int, other: int,
) -> None:  # fmt: skip
    """A new road."""
    n, line = t.counts[NR], (sx, sy, ex, ey, l0, l1)
    road = g.leaning(straight(t, sx, sy, ex, ey, l0, l1), t.sizes[g.THICK])
    t.roads[n], t.lines[n] = road, line
    t.of[n, OWNER], t.of[n, RAMP], t.of[n, P0], t.of[n, P1] = seat, other < 0, one, other
    t.of[n, ABOVE], t.of[n, BELOW] = 0, 0
    take_sides_of(t, n)
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
    t.discs[d, 3] = discs * t.sizes[g.HEIGHT]
    t.under[d] = p
    t.counts[NP], t.counts[ND] = p + 1, d + 1
    t.seats[seat, GREY] -= discs - gold
    t.seats[seat, YELLOW] -= gold
    return int(p)


@njit_linked
def add_car(t: Any, road: int, along: float, side: float) -> None:
    """A car of the owner of a road, which has no pose of its own."""
    c, seat, n = t.counts[NC], t.of[road, OWNER], t.lines[road]
    flat = straight(t, n[g.SX], n[g.SY], n[g.EX], n[g.EY], n[g.L0], n[g.L1])
    t.cars[c] = g.car_strip(t.sizes, flat, along, side)
    t.on[c, 0], t.on[c, 1], t.on[c, 2] = seat, road, c
    t.spots[c, 0], t.spots[c, 1] = along, side
    t.counts[NC] = c + 1
    t.seats[seat, CARS] -= 1


@njit_linked
def lay(t: Any, base: int, x: float, y: float, to: int, gold: int, count: int, found: Any) -> int:
    """Builds, or leaves by an exit: pillar, road, and as many of `count` cars as find a place on
    the middle line (`reach.free_spots`), in the order along the road.

    Returns how many found a place; if these are too few, none is put down, and the caller asks the
    referee for places. Nothing is checked. `found` (k,) is scratch for up to k places.
    """
    seat, discs = t.counts[MOVER], float(t.pillars[base, DISCS])
    sx, sy = start_of(t, base, x, y, to)
    cars = min(count, t.seats[seat, CARS])
    placed = _spots(t, base, cars, straight(t, sx, sy, x, y, discs, float(to)), found)
    target = add_pillar(t, seat, x, y, to, gold) if to > 0 else -1
    add_road(t, seat, sx, sy, x, y, discs, float(to), base, target)
    t.pillars[base, LEAVING] += 1
    if placed == cars:
        for n in range(placed - is_returned(t, seat, placed)):
            add_car(t, t.counts[NR] - 1, found[n], 0.0)
    return placed


@njit_inline
def is_returned(t: Any, seat: int, placed: int) -> int:
    """1 if the last car goes back to its owner, as this turn knocked something over before
    (clean_win); else 0.
    """
    dirty = t.rules[R.clean_win] and t.counts[KNOCK] == t.counts[NOW]
    return int(dirty and placed > 0 and placed == t.seats[seat, CARS])


@njit_linked
def _spots(t: Any, base: int, count: int, road: Any, found: Any) -> int:
    """`reach._Face.along_the_middle`: places for cars on a road that does not stand yet, sorted;
    how many there are.
    """
    z, n = t.sizes, 0
    margin, apart = z[g.CAR_LENGTH] / 2 / z[g.LENGTH], (z[g.CAR_LENGTH] + z[COMFORT]) / z[g.LENGTH]
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
        if is_car_blocked(t, g.car_strip(z, road, along, 0.0), base, -1):
            continue
        k = n
        while k > 0 and found[k - 1] > along:
            found[k] = found[k - 1]
            k -= 1
        found[k] = along
        n += 1
    return n
