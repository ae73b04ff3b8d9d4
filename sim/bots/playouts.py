"""Compiled playouts: a quick policy plays a table on for every seat, by centre lines and heights alone.

`sim.bots.sketch` makes the arrays. A playout is a guess at how the game goes on and no judgement: the referee's edges, cars in
the way and slopes are left out, falls do not happen, and a side that is taken anywhere along a road is taken. The referee
judges the move that comes of it.

The policy samples places around every base point of the seat to move, as `sim.bots.weighing` values them at once: cars, then
discs and yellow discs saved, then the way to the open ends of the others. It sees one ply.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rules.grid.kernels.jit import njit_entry, njit_inline, njit_linked

__all__ = ["playouts"]

# columns of roads (float): where both ends are in plan, in mm, and their heights in discs
_SX, _SY, _EX, _EY, _L0, _L1 = range(6)
# columns of roads (int): the seat, whether it is a ramp, its pillars (-1: the table), the seats above and below it as bits
_OWNER, _RAMP, _P0, _P1, _ABOVE, _BELOW = range(6)
# columns of pillars (int): the seat, discs, whether it is a junction, roads that leave it, the turn it was built in
_SEAT, _DISCS, _JUNCTION, _LEAVING, _TURN = range(5)
# columns of seats (int): what is in stock, turns missed in a row, 0: plays, 1: finished, 2: out
_CARS, _GREY, _YELLOW, _ROADS, _MISSED, _GONE = range(6)
# counts (int): roads, pillars, the seat to move, the number of the turn
_NR, _NP, _MOVER, _NOW = range(4)
# sizes (float): of the pieces in mm, of the policy in cars; then the least and the greatest distance for each rise
_LENGTH, _RADIUS, _HEIGHT, _WIDTH, _THICK, _W_DISCS, _W_YELLOW, _W_NEAR, _NOISE, _REACH = range(10)
# what the rules say (int); the exit's height is 0 if any will do
_SEATS, _EXIT, _LAST, _UNTIL, _OCCLUDE, _RAMPS, _INACTIVE, _HISTORY, _SELF = range(9)

_RISES = 3  # the highest jump of a junction
_BEARINGS = 16
_STUCK = 3.0  # cars: what it costs to leave by the only base point


@njit_inline
def _random(chance: Any) -> float:
    """A number of [0, 1), by splitmix64 (Steele, Lea and Flood 2014)."""
    chance[0] += np.uint64(0x9E3779B97F4A7C15)
    z = chance[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return float(z >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@njit_inline
def _to_segment(px: float, py: float, sx: float, sy: float, ex: float, ey: float) -> tuple[float, float]:
    """The squared distance of a point from a segment in plan, and where along it the nearest point lies, 0 to 1."""
    dx, dy = ex - sx, ey - sy
    squared = dx * dx + dy * dy
    t = 0.0
    if squared > 1e-9:
        t = ((px - sx) * dx + (py - sy) * dy) / squared
        t = min(max(t, 0.0), 1.0)
    x, y = px - sx - t * dx, py - sy - t * dy
    return x * x + y * y, t


@njit_linked
def _earned(
    sx: float, sy: float, ex: float, ey: float, l0: float, l1: float, base: int, to: int, seat: int, roads: Any, of: Any,
    places: Any, counts: Any, seats: Any, circles: Any, sizes: Any, rules: Any,
) -> int:  # fmt: skip
    """The cars that a road earns by its crossings; -1 if it is in the way of something.

    `to` is -2 if a pillar is built at its end, -1 if it ends on the table.
    """
    half = 0.5 * sizes[_WIDTH]
    beside = (sizes[_RADIUS] + half) ** 2
    for k in range(counts[_NP]):
        if k != base:
            away, _ = _to_segment(places[k, 0], places[k, 1], sx, sy, ex, ey)
            if away < beside:
                return -1
    for k in range(len(circles)):
        away, _ = _to_segment(circles[k, 0], circles[k, 1], sx, sy, ex, ey)
        if away < (circles[k, 2] + half) ** 2:
            return -1
    dx, dy = ex - sx, ey - sy
    clear = 1.1 * sizes[_THICK] / sizes[_HEIGHT]
    cars = 0
    for k in range(counts[_NR]):
        ax, ay = roads[k, _EX] - roads[k, _SX], roads[k, _EY] - roads[k, _SY]
        if to == -2:  # a pillar is built at the end
            away, _ = _to_segment(ex, ey, roads[k, _SX], roads[k, _SY], roads[k, _EX], roads[k, _EY])
            if away < beside:
                return -1
        cross = dx * ay - dy * ax
        if abs(cross) < 1e-9:
            continue
        bx, by = roads[k, _SX] - sx, roads[k, _SY] - sy
        t, u = (bx * ay - by * ax) / cross, (bx * dy - by * dx) / cross
        if not (0.0 <= t <= 1.0 and 0.0 <= u <= 1.0):
            continue
        owner = of[k, _OWNER]
        if owner == seat and (of[k, _P0] == base or of[k, _P1] == base):
            continue
        level, other = l0 + t * (l1 - l0), roads[k, _L0] + u * (roads[k, _L1] - roads[k, _L0])
        if abs(level - other) < clear:
            return -1
        if owner == seat:
            if rules[_SELF] == 0:
                return -1
            continue
        if (of[k, _RAMP] and not rules[_RAMPS]) or (seats[owner, _GONE] and not rules[_INACTIVE]):
            continue
        taken = of[k, _ABOVE] if level > other else of[k, _BELOW]
        if not rules[_OCCLUDE]:
            taken &= ~(1 << seat)
        if taken == 0:
            cars += 1
    return cars


@njit_linked
def _lay(
    sx: float, sy: float, ex: float, ey: float, l0: float, l1: float, base: int, to: int, seat: int, roads: Any, of: Any,
    counts: Any, seats: Any, rules: Any,
) -> None:  # fmt: skip
    """Adds a road and takes the sides that it takes."""
    n = counts[_NR]
    dx, dy = ex - sx, ey - sy
    above, below = 0, 0
    for k in range(n):
        ax, ay = roads[k, _EX] - roads[k, _SX], roads[k, _EY] - roads[k, _SY]
        cross = dx * ay - dy * ax
        if abs(cross) < 1e-9:
            continue
        bx, by = roads[k, _SX] - sx, roads[k, _SY] - sy
        t, u = (bx * ay - by * ax) / cross, (bx * dy - by * dx) / cross
        owner = of[k, _OWNER]
        if not (0.0 <= t <= 1.0 and 0.0 <= u <= 1.0) or (owner == seat and (of[k, _P0] == base or of[k, _P1] == base)):
            continue
        counts_too = rules[_INACTIVE] or not seats[owner, _GONE]
        if l0 + t * (l1 - l0) > roads[k, _L0] + u * (roads[k, _L1] - roads[k, _L0]):
            of[k, _ABOVE] |= 1 << seat
            if counts_too and not rules[_HISTORY]:
                below |= 1 << owner
        else:
            of[k, _BELOW] |= 1 << seat
            if counts_too and not rules[_HISTORY]:
                above |= 1 << owner
    roads[n, _SX], roads[n, _SY], roads[n, _EX], roads[n, _EY] = sx, sy, ex, ey
    roads[n, _L0], roads[n, _L1] = l0, l1
    of[n, _OWNER], of[n, _RAMP], of[n, _P0], of[n, _P1] = seat, to == -1, base, to
    of[n, _ABOVE], of[n, _BELOW] = above, below
    counts[_NR] = n + 1


@njit_linked
def _ply(
    roads: Any, of: Any, places: Any, pillars: Any, counts: Any, seats: Any, circles: Any, sizes: Any, rules: Any,
    chance: Any,
) -> int:  # fmt: skip
    """The policy's ply for the seat to move: the cars that it places, -1 if it finds nothing to build."""
    seat = counts[_MOVER]
    if seats[seat, _ROADS] == 0 or counts[_NR] >= len(roads) or counts[_NP] >= len(places):
        return -1
    # where the others go on, and the own base points
    gx, gy, goals, bases, last = 0.0, 0.0, 0, 0, -1
    for k in range(counts[_NP]):
        open_end = pillars[k, _LEAVING] == 0
        branch = pillars[k, _JUNCTION] and pillars[k, _LEAVING] == 1
        if pillars[k, _SEAT] == seat:
            last = k
        if not (open_end or branch):
            continue
        if pillars[k, _SEAT] == seat:
            bases += 1
        elif not seats[pillars[k, _SEAT], _GONE]:
            gx, gy, goals = gx + places[k, 0], gy + places[k, 1], goals + 1
    if goals:
        gx, gy = gx / goals, gy / goals
    best, worth = -1, -1e9
    best_x, best_y, best_sx, best_sy = 0.0, 0.0, 0.0, 0.0
    best_discs, best_junction, best_cars = 0, 0, 0
    greys, stock_cars = seats[seat, _GREY], seats[seat, _CARS]
    for k in range(counts[_NP]):
        if pillars[k, _SEAT] != seat:
            continue
        open_end = pillars[k, _LEAVING] == 0 and (not rules[_LAST] or pillars[k, _JUNCTION] or k == last)
        branch = pillars[k, _JUNCTION] and pillars[k, _LEAVING] == 1 and pillars[k, _TURN] < counts[_NOW]
        if not (open_end or branch):
            continue
        px, py, discs = places[k, 0], places[k, 1], pillars[k, _DISCS]
        turn = _random(chance)
        for kind in range(-1, 2 + _RISES + 1):
            # -1: an exit; 0 and 1: one disc lower and higher; then junctions of rise -1 to the highest
            junction = kind >= 2
            rise = 0
            if kind == 0:
                rise = -1
            elif kind == 1:
                rise = 1
            elif junction:
                rise = kind - 3
            height = discs + rise
            if kind == -1:
                if rules[_EXIT] and discs != rules[_EXIT]:
                    continue
                height = 0
                run = sizes[_LENGTH] ** 2 - (discs * sizes[_HEIGHT]) ** 2
                if run <= 0.0:
                    continue
                near = far = math.sqrt(run)
            else:
                if height < 1 + junction or height - junction > greys or (junction and not seats[seat, _YELLOW]):
                    continue
                near, far = sizes[_REACH + 2 * abs(rise)], sizes[_REACH + 2 * abs(rise) + 1]
                if far <= near:
                    continue
            # junctions are rare: a quarter of the bearings is enough to find their use
            step = 4 if junction else 1
            spent = sizes[_W_DISCS] * (height - junction) / (greys + 1.0) if height else 0.0
            for n in range(0, _BEARINGS, step):
                angle = 2.0 * math.pi * (n + turn) / _BEARINGS
                away = near + 0.5 + (far - near - 1.0) * _random(chance) if kind >= 0 else near
                x, y = px + away * math.cos(angle), py + away * math.sin(angle)
                cars = 0
                if height:
                    clash = False
                    for j in range(counts[_NP]):
                        ax, ay = places[j, 0] - x, places[j, 1] - y
                        if ax * ax + ay * ay < 4.0 * sizes[_RADIUS] ** 2:
                            clash = True
                            break
                    if clash:
                        continue
                found = _earned(
                    px, py, x, y, float(discs), float(height), k, -2 if height else -1, seat, roads, of, places,
                    counts, seats, circles, sizes, rules,
                )  # fmt: skip
                if found < 0:
                    continue
                cars = min(found + (height == 0), stock_cars)
                value = cars - spent - sizes[_W_YELLOW] * junction + sizes[_NOISE] * _random(chance)
                if cars == stock_cars:
                    value += 100.0
                elif height == 0 and bases == 1 and not branch:
                    value -= _STUCK
                if goals:
                    value -= sizes[_W_NEAR] * math.hypot(x - gx, y - gy) / 100.0
                if value > worth:
                    worth, best, best_x, best_y, best_sx, best_sy = value, k, x, y, px, py
                    best_discs, best_junction, best_cars = height, int(junction), cars
    if best < 0:
        return -1
    to = -1
    if best_discs:
        to = counts[_NP]
        places[to, 0], places[to, 1] = best_x, best_y
        pillars[to, _SEAT], pillars[to, _DISCS], pillars[to, _JUNCTION] = seat, best_discs, best_junction
        pillars[to, _LEAVING], pillars[to, _TURN] = 0, counts[_NOW]
        counts[_NP] = to + 1
    _lay(
        best_sx, best_sy, best_x, best_y, float(pillars[best, _DISCS]), float(best_discs), best, to, seat, roads, of, counts,
        seats, rules,
    )  # fmt: skip
    pillars[best, _LEAVING] += 1
    seats[seat, _ROADS] -= 1
    if best_discs:
        seats[seat, _GREY] -= best_discs - best_junction
        seats[seat, _YELLOW] -= best_junction
    seats[seat, _CARS] -= best_cars
    return best_cars


@njit_linked
def _next(counts: Any, seats: Any, rules: Any) -> None:
    """Passes the turn on."""
    counts[_NOW] += 1
    for _ in range(rules[_SEATS]):
        counts[_MOVER] = (counts[_MOVER] + 1) % rules[_SEATS]
        if not seats[counts[_MOVER], _GONE]:
            return


@njit_linked
def _playout(
    seat: int, most: int, roads: Any, of: Any, places: Any, pillars: Any, counts: Any, seats: Any, circles: Any,
    sizes: Any, rules: Any, chance: Any,
) -> float:  # fmt: skip
    """Plays on until somebody wins or for `most` plies; 1 if `seat` wins, 0 if another does, else its share by cars left."""
    for _ in range(most):
        mover = counts[_MOVER]
        cars = _ply(roads, of, places, pillars, counts, seats, circles, sizes, rules, chance)
        if cars < 0:
            seats[mover, _MISSED] += 1
            if seats[mover, _MISSED] > 1:
                seats[mover, _GONE] = 2
        else:
            seats[mover, _MISSED] = 0
            if seats[mover, _CARS] == 0:
                return 1.0 if mover == seat else 0.0
        left, stays = 0, -1
        for k in range(rules[_SEATS]):
            if not seats[k, _GONE]:
                left, stays = left + 1, k
        if left <= 1:
            return 1.0 if stays == seat else 0.0
        if seats[seat, _GONE]:
            return 0.0
        if not (rules[_UNTIL] and cars == 0):
            _next(counts, seats, rules)
    total, mine = 0.0, 0.0
    for k in range(rules[_SEATS]):
        if not seats[k, _GONE]:
            share = math.exp(-0.8 * seats[k, _CARS] + 0.4 * (k == counts[_MOVER]))
            total += share
            if k == seat:
                mine = share
    return mine / total


@njit_entry
def playouts(
    seat: int, times: int, most: int, roads: Any, of: Any, places: Any, pillars: Any, counts: Any, seats: Any,
    circles: Any, sizes: Any, rules: Any, chance: Any, roads_w: Any, of_w: Any, places_w: Any, pillars_w: Any,
    counts_w: Any, seats_w: Any,
) -> float:  # fmt: skip
    """The sum of what `seat` gets in that many playouts, each at most `most` plies long.

    The arrays with `_w` are the workspace: they begin as the others do and have room for what is built.
    """
    total = 0.0
    nr, np_ = counts[_NR], counts[_NP]
    for _ in range(times):
        for k in range(nr):
            for c in range(6):
                roads_w[k, c] = roads[k, c]
                of_w[k, c] = of[k, c]
        for k in range(np_):
            places_w[k, 0], places_w[k, 1] = places[k, 0], places[k, 1]
            for c in range(5):
                pillars_w[k, c] = pillars[k, c]
        for c in range(4):
            counts_w[c] = counts[c]
        for k in range(rules[_SEATS]):
            for c in range(6):
                seats_w[k, c] = seats[k, c]
        total += _playout(
            seat, most, roads_w, of_w, places_w, pillars_w, counts_w, seats_w, circles, sizes, rules, chance
        )  # fmt: skip
    return total
