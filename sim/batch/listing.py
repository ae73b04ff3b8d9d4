"""What a seat may do on a table of arrays, as a list of candidates, and what a learner sees of it.

A list has at most so many rows of seven numbers. In play: the row of the base pillar, x and y in mm
of the new pillar or of an exit's lower end, discs (0: an exit), yellow discs, the cars that it
earns, what it is worth. In the set-up of entrances: 0, x, y of the disc, the angle of the ramp in
degrees; of buildings: the kind, x, y, the turn in degrees.

Everything is seen by the seat to move: places from the middle of its base points, turned so that
its own default entrance lies at -y, in road lengths.
"""

import math
from typing import Any

from rules.grid.kernels.jit import njit_inline, njit_linked
from sim.batch.arrays import (
    ABOVE,
    BELOW,
    CARS,
    CIRCLES,
    DISCS,
    ENTERED,
    ENTRANCE,
    GONE,
    GREY,
    HOUSED,
    JUNCTION,
    KIND,
    KINDS,
    LEAVING,
    MISSED,
    MOVER,
    NC,
    ND,
    NP,
    NR,
    NX,
    OWNER,
    P0,
    P1,
    PLIES,
    RAMP,
    ROADS,
    SEAT,
    WATCH,
    R,
)  # fmt: skip
from sim.batch.judging import (
    add_car,
    add_pillar,
    add_road,
    exit_run,
    exit_span,
    g,
    gone_bits,
    is_base,
    is_car_blocked,
    is_pillar_blocked,
    is_road_blocked,
    is_unable,
    judge_place,
    kinds_of,
    last_pillar,
    road_of,
    rounded,
    seen_by,
    straight,
)  # fmt: skip
from sim.batch.turns import BUILDINGS, ENTRANCES, PLAY, phase

# columns of a candidate
BASE, X, Y, TO, GOLD, EARNED, WORTH = range(7)
COLUMNS = 7
# `fan`: bearings and distances of the list, then of the referee's search; mm kept from the ends of
# a reach, for both; what things are worth in cars; mm from which two places are alike
BEARINGS, DISTANCES, ALL_BEARINGS, ALL_DISTANCES, INSET, ALL_INSET = range(6)
W_GREY, W_YELLOW, W_STUCK, APART = range(6, 10)
# what a list says beside its rows: how many these are, whether a turn may be missed (1), or only
# for want of room (2)
COUNT, MISS = range(2)
NOT, FREELY, NO_ROOM = range(3)

_GOLDEN = 0.6180339887498949
_GONE_WORTH = -1e9
_NEIGHBOURHOOD = 1.5  # road lengths
_STOREY = 4.0  # discs: the unit of heights


# --- candidates -----------------------------------------------------------------------------------


@njit_linked
def listed(t: Any, fan: Any, blocks: Any, raw: Any, rows: Any, told: Any) -> None:
    """Fills the list of a table: `rows` (k, 7) and `told` (2,). `blocks` (kinds, 9) are the
    buildings at the middle of the table, as rows of `Arrays.blocks`; `raw` (m, 7) is scratch.
    """
    now = phase(t)
    told[COUNT], told[MISS] = 0, NOT
    if now == ENTRANCES:
        told[COUNT] = entrances(t, rows)
    elif now == BUILDINGS:
        told[COUNT] = buildings(t, blocks, rows)
    elif now == PLAY:
        turn = t.counts[PLIES] * _GOLDEN
        turn -= math.floor(turn)
        n = _fans(t, int(fan[BEARINGS]), int(fan[DISTANCES]), turn, fan[INSET], True, raw)
        unable = is_unable(t, t.counts[MOVER])
        if n == 0 and not unable:
            n = _fans(
                t, int(fan[ALL_BEARINGS]), int(fan[ALL_DISTANCES]), 0.0, fan[ALL_INSET], False, raw
            )  # fmt: skip
            if n == 0:
                told[MISS] = NO_ROOM
        if unable or (t.rules[R.may_pass] and n):
            told[MISS] = FREELY
        told[COUNT] = _best(t, fan, raw, n, rows)


@njit_linked
def _fans(
    t: Any, bearings: int, distances: int, turn: float, inset: float, modest: bool, raw: Any,
) -> int:  # fmt: skip
    """Every legal place of the fans around the base points of the seat to move, as
    `proposals.propose`, or if not `modest` as `room.find_build`; how many there are.
    """
    seat, n = t.counts[MOVER], 0
    stock, last = t.seats[seat], last_pillar(t, seat)
    if stock[ROADS] == 0:
        return 0
    step = 2 * math.pi / bearings
    for base in range(t.counts[NP]):
        if not is_base(t, base, seat, last):
            continue
        discs = t.pillars[base, DISCS]
        px, py = t.places[base, 0], t.places[base, 1]
        low, most = exit_span(t, discs)
        for kind in range(-1, kinds_of(t, base, modest)):
            to, gold, near, far = road_of(t, base, kind, inset)
            if near > far:
                continue
            steps = distances if to else 1
            for i in range(steps):
                away = near if steps == 1 else near + (far - near) / (steps - 1) * i
                for b in range(bearings):
                    angle = (b + turn) * step
                    x = rounded(px + away * math.cos(angle))
                    y = rounded(py + away * math.sin(angle))
                    if to == 0 and not low <= g.hypot(x - px, y - py) <= most:
                        continue
                    cars = judge_place(t, base, x, y, to)
                    if cars >= 0 and n < len(raw):
                        row = raw[n]
                        row[BASE], row[X], row[Y], row[TO] = base, x, y, to
                        row[GOLD], row[EARNED] = gold, cars
                        n += 1
    return n


@njit_linked
def _best(t: Any, fan: Any, raw: Any, n: int, rows: Any) -> int:
    """The best that do not resemble each other (APART), best first."""
    seat, bases = t.counts[MOVER], 0
    left, last = t.seats[seat, CARS], last_pillar(t, seat)
    for k in range(t.counts[NP]):
        bases += is_base(t, k, seat, last)
    for i in range(n):
        row = raw[i]
        spent = max(row[TO] - row[GOLD], 0.0)
        row[WORTH] = row[EARNED] - fan[W_GREY] * spent - fan[W_YELLOW] * row[GOLD]
        if bases == 1 and row[TO] == 0 and row[EARNED] < left:
            row[WORTH] -= fan[W_STUCK]
    found, apart = 0, fan[APART] * fan[APART]
    while found < len(rows):
        best, worth = -1, _GONE_WORTH
        for i in range(n):
            if raw[i, WORTH] > worth:
                best, worth = i, raw[i, WORTH]
        if best < 0:
            break
        one = rows[found]
        for c in range(COLUMNS):
            one[c] = raw[best, c]
        found += 1
        raw[best, WORTH] = _GONE_WORTH
        for i in range(n):
            row = raw[i]
            if row[BASE] == one[BASE] and row[TO] == one[TO] and row[GOLD] == one[GOLD]:
                dx, dy = row[X] - one[X], row[Y] - one[Y]
                if dx * dx + dy * dy < apart:
                    row[WORTH] = _GONE_WORTH
    return found


# --- the set-up -----------------------------------------------------------------------------------


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
def house(t: Any, blocks: Any, row: Any) -> None:
    """Sets the building of a row; `blocks` as for `listed`."""
    n, seat, kind, x, y = t.counts[NX], t.counts[MOVER], int(row[BASE]), row[X], row[Y]
    t.blocks[n] = g.shifted(blocks[kind], x, y)
    t.sites[n, 0], t.sites[n, 1], t.sites[n, 2] = x, y, row[TO]
    t.built[n, 0], t.built[n, 1] = kind, seat
    t.counts[NX] = n + 1
    t.seats[seat, HOUSED] = 1


@njit_inline
def seat_angle(t: Any, seat: int) -> float:
    """The bearing of the default entrance of a seat from the middle, in degrees."""
    return -90.0 - 360.0 / len(t.seats) * seat


@njit_inline
def entrance_at(t: Any, ring: int, around: int, ramp: int) -> tuple[float, float, float]:
    """The place of an entrance of the seat to move, and where its ramp points, in degrees: so many
    eighths of a circle around from the default one, which is 0, 0, 0. Ring 0 is the circle of the
    default entrances, the others lie within it.
    """
    angle = seat_angle(t, t.counts[MOVER]) + 45.0 * around
    away = t.sizes[g.LENGTH] / 2 / math.sin(math.pi / len(t.seats)) * (1.0 - ring / CIRCLES)
    x = rounded(away * math.cos(angle * (math.pi / 180.0)))
    y = rounded(away * math.sin(angle * (math.pi / 180.0)))
    return x, y, rounded((angle + 45.0 * ramp) % 360.0)


@njit_linked
def entrances(t: Any, rows: Any) -> int:
    """Entrances on the circle of the default ones: the default first, then its place turned by
    eighths, and its ramp by eighths; on smaller circles as long as there is none.
    """
    n = 0
    for ring in range(CIRCLES):
        for around in range(8):
            for ramp in range(8):
                if n == len(rows):
                    return n
                x, y, toward = entrance_at(t, ring, around, ramp)
                if judge_entrance(t, x, y, toward):
                    row = rows[n]
                    row[BASE], row[X], row[Y], row[TO] = 0, x, y, toward
                    row[GOLD], row[EARNED], row[WORTH] = 0, 1, 0
                    n += 1
        if n:
            return n
    return n


@njit_linked
def buildings(t: Any, blocks: Any, rows: Any) -> int:
    """The buildings that are left, on circles around the middle: eight places on each, further out
    as long as there is none.
    """
    n, radius = 0, 1.2 * t.sizes[g.LENGTH]
    while n == 0:
        for ring in range(2):
            for b in range(8):
                angle = (b + 0.5 * ring) * (math.pi / 4.0)
                x = rounded((radius + 0.3 * ring * t.sizes[g.LENGTH]) * math.cos(angle))
                y = rounded((radius + 0.3 * ring * t.sizes[g.LENGTH]) * math.sin(angle))
                for kind in range(t.rules[KINDS]):
                    if n == len(rows):
                        return n
                    if judge_building(t, g.shifted(blocks[kind], x, y), kind):
                        row = rows[n]
                        row[BASE], row[X], row[Y], row[TO] = kind, x, y, 0.0
                        row[GOLD], row[EARNED], row[WORTH] = 0, 0, 0
                        n += 1
        radius *= 1.1
    return n


# --- what a learner sees --------------------------------------------------------------------------

FEATURES = (
    "base x", "base y", "bearing x", "bearing y", "length", "base height", "height", "rise", "cars",
    "wins", "grey", "junction", "exit", "last exit", "away from ends", "away from a free road",
    "free sides near", "exposed sides", "open ends", "clearance", "entrance", "building",
)  # fmt: skip
"""What a candidate shows, in order, each about one in size: lengths in road lengths, heights in
four discs, shares of what is left.
"""

PIECE = (
    "pillar", "road", "building", "own", "owner", "x", "y", "end x", "end y", "height",
    "end height", "junction or cars", "open end", "over free", "under free",
)  # fmt: skip
"""What a piece shows, in order; `owner` counts clockwise from the seat that looks, in seats."""

STOCK = ("cars", "grey", "yellow", "roads", "missed", "finished", "out", "doomed")
"""What a seat shows, its stock as shares of the supply."""

FACTS = ("entrances", "buildings", "play", "unable")
"""What the table shows."""


@njit_linked
def frame(t: Any, seat: int, out: Any) -> None:
    """The frame of a seat: the middle of its base points, then cosine and sine of its turn."""
    last, n, x, y = last_pillar(t, seat), 0, 0.0, 0.0
    for k in range(t.counts[NP]):
        if is_base(t, k, seat, last):
            n, x, y = n + 1, x + t.places[k, 0], y + t.places[k, 1]
    out[0], out[1] = x / max(n, 1), y / max(n, 1)
    angle = -(seat_angle(t, seat) + 90.0) * (math.pi / 180.0)
    out[2], out[3] = math.cos(angle), math.sin(angle)


@njit_inline
def _flag(yes: bool) -> float:
    return 1.0 if yes else 0.0


@njit_inline
def _seen(t: Any, at: Any, x: float, y: float) -> tuple[float, float]:
    """A place in a frame, in road lengths."""
    dx, dy = (x - at[0]) / t.sizes[g.LENGTH], (y - at[1]) / t.sizes[g.LENGTH]
    return dx * at[2] - dy * at[3], dx * at[3] + dy * at[2]


@njit_inline
def free_sides(t: Any, k: int, seat: int, gone: int) -> tuple[int, int]:
    """Whether a seat may earn a car above road k, and below it."""
    owner, rules = t.of[k, OWNER], t.rules
    what = g.standing_of(
        owner == seat,
        t.of[k, RAMP] != 0,
        gone >> owner & 1 != 0,
        rules[R.ramps] != 0,
        rules[R.inactive] != 0,
    )
    if what != g.FREE:
        return 0, 0
    mask = seen_by(t, seat, gone)
    return int(t.of[k, ABOVE] & mask == 0), int(t.of[k, BELOW] & mask == 0)


@njit_inline
def is_open(t: Any, k: int) -> bool:
    """Whether a road may still leave a pillar, some time."""
    leaving = t.pillars[k, LEAVING]
    return bool(leaving == 0 or (t.pillars[k, JUNCTION] == 1 and leaving == 1))


@njit_linked
def features(t: Any, rows: Any, told: Any, at: Any, out: Any) -> None:
    """What the candidates of a list show: `out` (k, features), zeros below the last."""
    now = phase(t)
    for i in range(len(rows)):
        out[i] = 0.0
        if i < told[COUNT]:
            if now == PLAY:
                _road_features(t, rows[i], at, out[i])
            else:
                x, y = _seen(t, at, rows[i, X], rows[i, Y])
                angle = rows[i, TO] * (math.pi / 180.0)
                ux, uy = math.cos(angle), math.sin(angle)
                out[i, 0], out[i, 1] = x, y
                out[i, 2] = ux * at[2] - uy * at[3]
                out[i, 3] = ux * at[3] + uy * at[2]
                out[i, 20 if now == ENTRANCES else 21] = 1.0


@njit_linked
def _road_features(t: Any, row: Any, at: Any, f: Any) -> None:
    seat, z = t.counts[MOVER], t.sizes
    stock, gone, unit = t.seats[seat], gone_bits(t), t.sizes[g.LENGTH]
    base, x, y = int(row[BASE]), row[X], row[Y]
    to, gold, discs = int(row[TO]), int(row[GOLD]), t.pillars[base, DISCS]
    px, py = t.places[base, 0], t.places[base, 1]
    cars, away = min(row[EARNED], float(stock[CARS])), max(g.hypot(x - px, y - py), 1e-9)
    f[0], f[1] = _seen(t, at, px, py)
    ux, uy = (x - px) / away, (y - py) / away
    f[2], f[3] = ux * at[2] - uy * at[3], ux * at[3] + uy * at[2]
    f[4], f[5], f[6], f[7] = away / unit, discs / _STOREY, to / _STOREY, (to - discs) / _STOREY
    f[8], f[9] = cars, _flag(cars > 0 and cars >= stock[CARS])
    f[10], f[11], f[12] = max(to - gold, 0) / (stock[GREY] + 1.0), gold, _flag(to == 0)
    bases, last, ends, gx, gy, exposed = 0, last_pillar(t, seat), 0, 0.0, 0.0, 0.0
    for k in range(t.counts[NP]):
        if t.pillars[k, SEAT] == seat:
            bases += is_base(t, k, seat, last)
        elif is_open(t, k) and not t.seats[t.pillars[k, SEAT], GONE]:
            qx, qy = t.places[k, 0], t.places[k, 1]
            ends, gx, gy = ends + 1, gx + qx, gy + qy
            near = g.hypot(qx - (px + x) / 2, qy - (py + y) / 2) / unit
            exposed += max(0.0, _NEIGHBOURHOOD - near)
    f[13] = _flag(to == 0 and bases == 1 and cars < stock[CARS])
    if ends:
        f[14] = g.hypot(x - gx / ends, y - gy / ends) / unit
    new = (px, py, x, y, float(discs), float(to))
    nearest, free, above, below, clear = 2 * _NEIGHBOURHOOD, 0.0, 0, 0, 1.0
    for k in range(t.counts[NR]):
        road, line = t.roads[k], t.lines[k]
        over, under = free_sides(t, k, seat, gone)
        if over or under:
            mx, my = (line[g.SX] + line[g.EX]) / 2, (line[g.SY] + line[g.EY]) / 2
            near = g.hypot(x - mx, y - my) / unit
            nearest = min(nearest, near)
            free += (over + under) * max(0.0, _NEIGHBOURHOOD - near)
        if g.hypot(road[g.CX] - px, road[g.CY] - py) < 2 * unit:
            met, _, _, level, other = g.meeting(z, False, new, line)
            if met and t.of[k, P0] != base and t.of[k, P1] != base:
                if level < other:
                    above = 1
                else:
                    below = 1
        clear = min(clear, max(g.off(road, 0.0, x, y) - z[g.RADIUS], 0.0) / unit)
    for k in range(t.counts[NP]):
        near = g.hypot(t.places[k, 0] - x, t.places[k, 1] - y) - 2 * z[g.RADIUS]
        clear = min(clear, max(near, 0.0) / unit)
    f[15], f[16] = nearest, free if to else 0.0
    f[17] = (2 - above - below) * exposed
    f[18] = min(bases - 1 + (1 + gold if to else 0), 3) / 2.0
    f[19] = clear if to else 1.0


@njit_linked
def stocks(t: Any, seat: int, supply: Any, out: Any) -> None:
    """FACTS, then STOCK for each seat, clockwise from the one that looks; `supply` (4,) is what a
    seat begins with.
    """
    now, n, c = phase(t), len(t.seats), 4
    out[0], out[1], out[2] = _flag(now == ENTRANCES), _flag(now == BUILDINGS), _flag(now == PLAY)
    out[3] = _flag(now == PLAY and is_unable(t, seat))
    for step in range(n):
        row = t.seats[(seat + step) % n]
        for k in range(4):
            out[c + k] = row[k] / max(supply[k], 1.0)
        out[c + 4] = min(row[MISSED], 2) / 2.0
        out[c + 5], out[c + 6] = _flag(row[GONE] == 1), _flag(row[GONE] == 2)
        out[c + 7] = _flag(row[WATCH] >= 0)
        c += 8


@njit_linked
def pieces(t: Any, seat: int, at: Any, out: Any) -> None:
    """PIECE for each pillar, road and building as a seat sees them: `out` (rows, 15), zeros below
    the last; what has no row left is not shown.
    """
    n, row, gone = len(t.seats), 0, gone_bits(t)
    last = last_pillar(t, seat)
    out[:] = 0.0
    for k in range(t.counts[NP]):
        if row < len(out):
            o, p = out[row], t.pillars[k]
            o[0], o[3], o[4] = 1.0, _flag(p[SEAT] == seat), ((p[SEAT] - seat) % n) / n
            o[5], o[6] = _seen(t, at, t.places[k, 0], t.places[k, 1])
            o[7], o[8] = o[5], o[6]
            o[9] = o[10] = p[DISCS] / _STOREY
            o[11] = p[JUNCTION]
            own = p[SEAT] == seat
            o[12] = _flag(is_base(t, k, seat, last) if own else is_open(t, k))
            row += 1
    for k in range(t.counts[NR]):
        if row < len(out):
            o, line = out[row], t.lines[k]
            owner = t.of[k, OWNER]
            o[1], o[3], o[4] = 1.0, _flag(owner == seat), ((owner - seat) % n) / n
            o[5], o[6] = _seen(t, at, line[g.SX], line[g.SY])
            o[7], o[8] = _seen(t, at, line[g.EX], line[g.EY])
            o[9], o[10] = line[g.L0] / _STOREY, line[g.L1] / _STOREY
            for c in range(t.counts[NC]):
                if t.on[c, 1] == k:
                    o[11] += 0.5
            over, under = free_sides(t, k, seat, gone)
            o[13], o[14] = over, under
            row += 1
    for k in range(t.counts[NX]):
        if row < len(out):
            o = out[row]
            o[2] = 1.0
            o[5], o[6] = _seen(t, at, t.sites[k, 0], t.sites[k, 1])
            o[7], o[8] = o[5], o[6]
            row += 1
