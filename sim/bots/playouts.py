"""Compiled playouts: a quick policy plays a table on for every seat, by centre lines and heights
alone.

`sim.bots.sketch` makes the arrays. A playout is a guess at how the game goes on and no judgement:
the referee's edges, cars in the way and slopes are left out, falls do not happen, and a side that
is taken anywhere along a road is taken. The referee judges the move that comes of it.

The policy samples places around every base point of the seat to move, as `sim.bots.weighing` values
them at once: cars, then discs and yellow discs saved, then the way to the open ends of the others.
It sees one ply.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rules.grid.kernels.jit import njit_entry, njit_inline, njit_linked

# columns of roads (float): where both ends are in plan, in mm, and their heights in discs
_SX, _SY, _EX, _EY, _L0, _L1 = range(6)
# columns of roads (int): the seat, whether it is a ramp, its pillars (-1: the table), the seats
# above and below it as bits
_OWNER, _RAMP, _P0, _P1, _ABOVE, _BELOW = range(6)
# columns of pillars (int): the seat, discs, whether it is a junction, roads that leave it, the turn
# it was built in
_SEAT, _DISCS, _JUNCTION, _LEAVING, _TURN = range(5)
# columns of seats (int): what is in stock, turns missed in a row, state (0: plays, 1: finished, 2:
# out), whether it is out before its next turn (elimination = fr)
_CARS, _GREY, _YELLOW, _ROADS, _MISSED, _GONE, _DOOMED = range(7)
# counts (int): roads, pillars, the seat to move, the number of the turn
_NR, _NP, _MOVER, _NOW = range(4)
# sizes (float): of the pieces in mm, of the policy in cars; then the least and the greatest
# distance for each rise
_LENGTH, _RADIUS, _HEIGHT, _WIDTH, _THICK, _W_DISCS, _W_YELLOW, _W_NEAR, _NOISE, _REACH = range(10)
# columns of the choice (float): what it is worth, the row of its base, its place, height, yellow
# discs and cars
_WORTH, _BASE, _AT_X, _AT_Y, _TO, _GOLD, _EARNED = range(7)
CHOICE = 7
"""The length of `State.choice`."""
# what the rules say (int); the exit's height is 0 if any will do
_SEATS, _EXIT, _LAST, _UNTIL, _OCCLUDE, _RAMPS, _INACTIVE, _HISTORY, _SELF, _VOIDS, _FR = range(11)

_RISES = 3  # the highest jump of a junction
_BEARINGS = 16
_STUCK = 3.0  # cars: what it costs to use up the only base point by an exit


class State(NamedTuple):
    """The arrays of a table, the state of the random numbers, room for the ply that the policy
    likes best so far, and for what is near a base point: two rows of indices, of pillars and of
    roads, each after how many these are.
    """

    roads: npt.NDArray[np.float64]
    of: npt.NDArray[np.int64]
    places: npt.NDArray[np.float64]
    pillars: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    seats: npt.NDArray[np.int64]
    circles: npt.NDArray[np.float64]
    sizes: npt.NDArray[np.float64]
    rules: npt.NDArray[np.int64]
    chance: npt.NDArray[np.uint64]
    choice: npt.NDArray[np.float64]
    near: npt.NDArray[np.int64]


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
def _to_segment(
    px: float, py: float, sx: float, sy: float, ex: float, ey: float
) -> tuple[float, float]:
    """The squared distance of a point from a segment in plan, and where along it the nearest point
    lies, 0 to 1.
    """
    dx, dy = ex - sx, ey - sy
    squared = dx * dx + dy * dy
    t = 0.0
    if squared > 1e-9:
        t = ((px - sx) * dx + (py - sy) * dy) / squared
        t = min(max(t, 0.0), 1.0)
    x, y = px - sx - t * dx, py - sy - t * dy
    return x * x + y * y, t


@njit_inline
def _meeting(
    sx: float, sy: float, dx: float, dy: float, l0: float, l1: float, roads: Any, k: int
) -> tuple[bool, float, float]:  # fmt: skip
    """Whether a road from (sx, sy) by (dx, dy) crosses the standing road k in plan, and the heights
    of both there.
    """
    ax, ay = roads[k, _EX] - roads[k, _SX], roads[k, _EY] - roads[k, _SY]
    cross = dx * ay - dy * ax
    if abs(cross) < 1e-9:
        return False, 0.0, 0.0
    bx, by = roads[k, _SX] - sx, roads[k, _SY] - sy
    t, u = (bx * ay - by * ax) / cross, (bx * dy - by * dx) / cross
    level, other = l0 + t * (l1 - l0), roads[k, _L0] + u * (roads[k, _L1] - roads[k, _L0])
    return 0.0 <= t <= 1.0 and 0.0 <= u <= 1.0, level, other


@njit_inline
def _is_blocked(state: State, sx: float, sy: float, ex: float, ey: float, base: int) -> bool:
    """Whether a road runs into a pillar or a building."""
    places, circles, near, half = state.places, state.circles, state.near, 0.5 * state.sizes[_WIDTH]
    beside = (state.sizes[_RADIUS] + half) ** 2
    for n in range(1, near[0, 0] + 1):
        k = near[0, n]
        if k != base:
            away, _ = _to_segment(places[k, 0], places[k, 1], sx, sy, ex, ey)
            if away < beside:
                return True
    for k in range(len(circles)):
        away, _ = _to_segment(circles[k, 0], circles[k, 1], sx, sy, ex, ey)
        if away < (circles[k, 2] + half) ** 2:
            return True
    return False


@njit_linked
def _earned(state: State, seat: int, base: int, l0: float, l1: float, ex: float, ey: float) -> int:
    """The cars that a road from a base pillar earns, an exit's bonus included; -1 if it is in the
    way of something.

    An end at height 0 lies on the table, any other on a new pillar. `state.near` belongs to this
    base.
    """
    roads, of, sizes, rules, near = state.roads, state.of, state.sizes, state.rules, state.near
    sx, sy = state.places[base, 0], state.places[base, 1]
    if _is_blocked(state, sx, sy, ex, ey, base):
        return -1
    beside = (sizes[_RADIUS] + 0.5 * sizes[_WIDTH]) ** 2
    clear = 1.1 * sizes[_THICK] / sizes[_HEIGHT]
    cars, voided = int(l1 == 0.0), False
    for n in range(1, near[1, 0] + 1):
        k = near[1, n]
        if l1 > 0.0:
            away, _ = _to_segment(
                ex, ey, roads[k, _SX], roads[k, _SY], roads[k, _EX], roads[k, _EY]
            )
            if away < beside:
                return -1
        met, level, other = _meeting(sx, sy, ex - sx, ey - sy, l0, l1, roads, k)
        owner = of[k, _OWNER]
        if not met or (owner == seat and (of[k, _P0] == base or of[k, _P1] == base)):
            continue
        if abs(level - other) < clear:
            return -1
        if owner == seat:
            if rules[_SELF] == 0:
                return -1
            voided = voided or rules[_VOIDS] != 0
            continue
        if (of[k, _RAMP] and not rules[_RAMPS]) or (
            state.seats[owner, _GONE] and not rules[_INACTIVE]
        ):
            continue
        taken = of[k, _ABOVE] if level > other else of[k, _BELOW]
        if not rules[_OCCLUDE]:
            taken &= ~(1 << seat)
        if taken == 0:
            cars += 1
    return 0 if voided else cars


@njit_linked
def _lay(state: State, seat: int, base: int, to: int, l1: float, ex: float, ey: float) -> None:
    """Adds a road from a base pillar to the pillar `to` (-1: the table) and takes the sides that it
    takes.
    """
    roads, of, rules = state.roads, state.of, state.rules
    sx, sy, l0 = state.places[base, 0], state.places[base, 1], float(state.pillars[base, _DISCS])
    n = state.counts[_NR]
    above, below = 0, 0
    for k in range(n):
        met, level, other = _meeting(sx, sy, ex - sx, ey - sy, l0, l1, roads, k)
        owner = of[k, _OWNER]
        if not met or (owner == seat and (of[k, _P0] == base or of[k, _P1] == base)):
            continue
        counts_too = rules[_INACTIVE] or not state.seats[owner, _GONE]
        if level > other:
            of[k, _ABOVE] |= 1 << seat
            if counts_too and not rules[_HISTORY]:
                below |= 1 << owner
        else:
            of[k, _BELOW] |= 1 << seat
            if counts_too and not rules[_HISTORY]:
                above |= 1 << owner
    roads[n, _SX], roads[n, _SY], roads[n, _EX], roads[n, _EY] = sx, sy, ex, ey
    roads[n, _L0], roads[n, _L1] = l0, l1
    of[n, _OWNER], of[n, _RAMP], of[n, _P0], of[n, _P1] = seat, to < 0, base, to
    of[n, _ABOVE], of[n, _BELOW] = above, below
    state.counts[_NR] = n + 1


@njit_inline
def _ends(state: State, seat: int) -> tuple[float, float, int, int, int]:
    """The middle of the open ends of the others and how many these are; the base points of the seat
    and its last pillar.
    """
    pillars, places = state.pillars, state.places
    gx, gy, goals, bases, last = 0.0, 0.0, 0, 0, -1
    for k in range(state.counts[_NP]):
        open_end = pillars[k, _LEAVING] == 0
        branch = pillars[k, _JUNCTION] and pillars[k, _LEAVING] == 1
        if pillars[k, _SEAT] == seat:
            last = k
        if not (open_end or branch):
            continue
        if pillars[k, _SEAT] == seat:
            bases += 1
        elif not state.seats[pillars[k, _SEAT], _GONE]:
            gx, gy, goals = gx + places[k, 0], gy + places[k, 1], goals + 1
    if goals:
        gx, gy = gx / goals, gy / goals
    return gx, gy, goals, bases, last


@njit_inline
def _span(state: State, seat: int, discs: int, kind: int) -> tuple[int, float, float]:
    """The height of the far end of a kind of road, and how near and how far away it may be; nowhere
    if `far` is below 0.

    Kind -1 is an exit; 0 and 1 are one disc lower and higher; then junctions of rise -1 to the
    highest.
    """
    sizes, rules = state.sizes, state.rules
    if kind == -1:
        run = sizes[_LENGTH] ** 2 - (discs * sizes[_HEIGHT]) ** 2
        if (rules[_EXIT] and discs != rules[_EXIT]) or run <= 0.0:
            return 0, 0.0, -1.0
        return 0, math.sqrt(run), math.sqrt(run)
    junction = kind >= 2
    rise = kind - 3 if junction else 2 * kind - 1
    height, stock = discs + rise, state.seats[seat]
    if (
        height < 1 + junction
        or height - junction > stock[_GREY]
        or (junction and not stock[_YELLOW])
    ):
        return 0, 0.0, -1.0
    near, far = sizes[_REACH + 2 * abs(rise)], sizes[_REACH + 2 * abs(rise) + 1]
    return height, near, far if far > near else -1.0


@njit_inline
def _is_taken(state: State, x: float, y: float) -> bool:
    """Whether a pillar at that place would stand in another."""
    places, near, least = state.places, state.near, 4.0 * state.sizes[_RADIUS] ** 2
    for n in range(1, near[0, 0] + 1):
        ax, ay = places[near[0, n], 0] - x, places[near[0, n], 1] - y
        if ax * ax + ay * ay < least:
            return True
    return False


@njit_linked
def _look_around(state: State, base: int) -> None:
    """Leaves in `state.near` the pillars and roads that a road from a base pillar could touch."""
    roads, places, near, sizes = state.roads, state.places, state.near, state.sizes
    px, py = places[base, 0], places[base, 1]
    # the reach is greatest for the least rise
    within = (max(sizes[_LENGTH], sizes[_REACH + 1]) + 2.0 * sizes[_RADIUS]) ** 2
    found = 0
    for k in range(state.counts[_NP]):
        ax, ay = places[k, 0] - px, places[k, 1] - py
        if ax * ax + ay * ay < within:
            found += 1
            near[0, found] = k
    near[0, 0], found = found, 0
    for k in range(state.counts[_NR]):
        away, _ = _to_segment(px, py, roads[k, _SX], roads[k, _SY], roads[k, _EX], roads[k, _EY])
        if away < within:
            found += 1
            near[1, found] = k
    near[1, 0] = found


@njit_linked
def _consider(
    state: State, seat: int, base: int, kind: int, turn: float, leaving: float,
    goals: int, gx: float, gy: float,
) -> None:  # fmt: skip
    """Tries one kind of road from a base point all around, and keeps the best in `state.choice`.

    `leaving` is what an exit costs, in cars. (gx, gy) is the middle of the open ends of the others,
    `goals` in number.
    """
    sizes, chance, choice = state.sizes, state.chance, state.choice
    px, py, discs = state.places[base, 0], state.places[base, 1], state.pillars[base, _DISCS]
    height, near, far = _span(state, seat, discs, kind)
    if far < 0.0:
        return
    junction, stock = int(kind >= 2), state.seats[seat]
    spent = sizes[_W_DISCS] * (height - junction) / (stock[_GREY] + 1.0) if height else 0.0
    # junctions are rare: a quarter of the bearings is enough to find their use
    for n in range(0, _BEARINGS, 4 if junction else 1):
        angle = 2.0 * math.pi * (n + turn) / _BEARINGS
        away = near + 0.5 + (far - near - 1.0) * _random(chance) if height else near
        x, y = px + away * math.cos(angle), py + away * math.sin(angle)
        if height and _is_taken(state, x, y):
            continue
        found = _earned(state, seat, base, float(discs), float(height), x, y)
        if found < 0:
            continue
        cars = min(found, stock[_CARS])
        value = cars - spent - sizes[_W_YELLOW] * junction + sizes[_NOISE] * _random(chance)
        if cars == stock[_CARS]:
            value += 100.0
        elif height == 0:
            value -= leaving
        if goals:
            value -= sizes[_W_NEAR] * math.hypot(x - gx, y - gy) / 100.0
        if value > choice[_WORTH]:
            choice[_WORTH], choice[_BASE], choice[_AT_X], choice[_AT_Y] = value, base, x, y
            choice[_TO], choice[_GOLD], choice[_EARNED] = height, junction, cars


@njit_linked
def _choose(state: State, seat: int) -> None:
    """Leaves the policy's choice for a seat in `state.choice`; its base is -1 if nothing was
    found.
    """
    pillars = state.pillars
    gx, gy, goals, bases, last = _ends(state, seat)
    state.choice[_WORTH], state.choice[_BASE] = -1e9, -1.0
    for k in range(state.counts[_NP]):
        if pillars[k, _SEAT] != seat:
            continue
        junction, leaving = pillars[k, _JUNCTION], pillars[k, _LEAVING]
        open_end = leaving == 0 and (not state.rules[_LAST] or junction or k == last)
        branch = junction and leaving == 1 and pillars[k, _TURN] < state.counts[_NOW]
        if not (open_end or branch):
            continue
        _look_around(state, k)
        turn = _random(state.chance)
        stuck = _STUCK if bases == 1 and not branch else 0.0
        for kind in range(-1, 2 + _RISES + 1):
            _consider(state, seat, k, kind, turn, stuck, goals, gx, gy)


@njit_linked
def _build(state: State) -> int:
    """Does what `state.choice` says for the seat to move, and returns the cars that it places."""
    counts, seats, pillars, places, choice = (
        state.counts,
        state.seats,
        state.pillars,
        state.places,
        state.choice,
    )
    seat, to = counts[_MOVER], -1
    base, height, junction, cars = (
        int(choice[_BASE]),
        int(choice[_TO]),
        int(choice[_GOLD]),
        int(choice[_EARNED]),
    )
    if height:
        to = counts[_NP]
        places[to, 0], places[to, 1] = choice[_AT_X], choice[_AT_Y]
        pillars[to, _SEAT], pillars[to, _DISCS], pillars[to, _JUNCTION] = seat, height, junction
        pillars[to, _LEAVING], pillars[to, _TURN] = 0, counts[_NOW]
        counts[_NP] = to + 1
        seats[seat, _GREY] -= height - junction
        seats[seat, _YELLOW] -= junction
    _lay(state, seat, base, to, float(height), choice[_AT_X], choice[_AT_Y])
    pillars[base, _LEAVING] += 1
    seats[seat, _ROADS] -= 1
    seats[seat, _CARS] -= cars
    seats[seat, _MISSED] = 0
    return cars


@njit_linked
def _ply(state: State) -> int:
    """The policy's ply for the seat to move: the cars that it places, -1 if it finds nothing to
    build.
    """
    counts, seats = state.counts, state.seats
    seat = counts[_MOVER]
    if (
        seats[seat, _ROADS] == 0
        or counts[_NR] >= len(state.roads)
        or counts[_NP] >= len(state.places)
    ):
        return -1
    _choose(state, seat)
    return _build(state) if state.choice[_BASE] >= 0.0 else -1


@njit_linked
def _is_unable(state: State, seat: int) -> bool:
    """Whether a seat cannot build, judged by its stock and its base points (`Table.unable`)."""
    pillars, stock, last = state.pillars, state.seats[seat], -1
    if stock[_ROADS] == 0:
        return True
    for k in range(state.counts[_NP]):
        last = k if pillars[k, _SEAT] == seat else last
    for k in range(state.counts[_NP]):
        if pillars[k, _SEAT] != seat:
            continue
        junction, leaving, discs = pillars[k, _JUNCTION], pillars[k, _LEAVING], pillars[k, _DISCS]
        open_end = leaving == 0 and (not state.rules[_LAST] or junction or k == last)
        branch = junction and leaving == 1 and pillars[k, _TURN] < state.counts[_NOW]
        pays = discs - 1 <= stock[_GREY] or (stock[_YELLOW] and stock[_GREY])
        leaves = not state.rules[_EXIT] or discs == state.rules[_EXIT]
        if (open_end or branch) and (pays or leaves):
            return False
    return True


@njit_linked
def _next(state: State) -> None:
    """Passes the turn on. Under elimination = fr a seat that cannot build after its turn is out
    before its next one (FR 10.2).
    """
    counts, seats, rules = state.counts, state.seats, state.rules
    mover = counts[_MOVER]
    counts[_NOW] += 1
    if rules[_FR] and not seats[mover, _GONE] and _is_unable(state, mover):
        seats[mover, _DOOMED] = 1
    for _ in range(rules[_SEATS]):
        counts[_MOVER] = (counts[_MOVER] + 1) % rules[_SEATS]
        if seats[counts[_MOVER], _DOOMED] and not seats[counts[_MOVER], _GONE]:
            seats[counts[_MOVER], _GONE] = 2
        if not seats[counts[_MOVER], _GONE]:
            return


@njit_inline
def _share(state: State, seat: int) -> float:
    """What a seat gets of a game that was not played to its end, by the cars that all have left."""
    counts, seats = state.counts, state.seats
    total, mine = 0.0, 0.0
    for k in range(state.rules[_SEATS]):
        if not seats[k, _GONE]:
            share = math.exp(-0.8 * seats[k, _CARS] + 0.4 * (k == counts[_MOVER]))
            total += share
            if k == seat:
                mine = share
    return mine / total


@njit_linked
def _playout(seat: int, most: int, state: State) -> float:
    """Plays on until somebody wins or for `most` plies; 1 if `seat` wins, 0 if another does, else
    its share by cars left.
    """
    counts, seats, rules = state.counts, state.seats, state.rules
    for _ in range(most):
        mover = counts[_MOVER]
        cars = _ply(state)
        if cars < 0:
            seats[mover, _MISSED] += 1
            if seats[mover, _MISSED] > 1:
                seats[mover, _GONE] = 2
        elif seats[mover, _CARS] == 0:
            return 1.0 if mover == seat else 0.0
        if not (rules[_UNTIL] and cars == 0 and not _is_unable(state, mover)):
            _next(state)
        left, stays = 0, -1
        for k in range(rules[_SEATS]):
            if not seats[k, _GONE]:
                left, stays = left + 1, k
        if left <= 1:
            return 1.0 if stays == seat else 0.0
        if seats[seat, _GONE]:
            return 0.0
    return _share(state, seat)


@njit_inline
def _begin_again(start: State, state: State) -> None:
    """Copies the table that playouts start from into the workspace."""
    for k in range(start.counts[_NR]):
        for c in range(6):
            state.roads[k, c] = start.roads[k, c]
            state.of[k, c] = start.of[k, c]
    for k in range(start.counts[_NP]):
        state.places[k, 0], state.places[k, 1] = start.places[k, 0], start.places[k, 1]
        for c in range(5):
            state.pillars[k, c] = start.pillars[k, c]
    for c in range(4):
        state.counts[c] = start.counts[c]
    for k in range(start.rules[_SEATS]):
        for c in range(7):
            state.seats[k, c] = start.seats[k, c]


@njit_entry
def build(state: State) -> None:
    """Does what `state.choice` says for the seat to move, and passes the turn on as the rules have
    it.
    """
    mover = state.counts[_MOVER]
    if _build(state) > 0 or not state.rules[_UNTIL] or _is_unable(state, mover):
        _next(state)


@njit_entry
def earned(state: State, seat: int, base: int, height: float, x: float, y: float) -> int:
    """The cars that a road from a base pillar to (x, y) earns, an exit's bonus included; -1 if it
    is in the way of something. The tests hold it to the referee, as `unable`.
    """
    _look_around(state, base)
    return _earned(state, seat, base, float(state.pillars[base, _DISCS]), height, x, y)


@njit_entry
def unable(state: State, seat: int) -> bool:
    """Whether a seat cannot build, judged by its stock and its base points."""
    return _is_unable(state, seat)


@njit_entry
def playouts(seat: int, times: int, most: int, start: State, state: State) -> float:
    """The sum of what `seat` gets in that many playouts from `start`, each at most `most` plies
    long.

    `state` is the workspace: its arrays have room for what is built. The playouts advance its
    random numbers.
    """
    total = 0.0
    for _ in range(times):
        _begin_again(start, state)
        total += _playout(seat, most, state)
    return total
