"""The geometry of the rules, written once: sticks, discs and lines in plan with their heights, what
touches what, how a road lies on discs, and where two roads cross.

Plain scalar functions of two pieces. The referee runs them as they stand for one placement. For
thousands `sim.batch.judging` compiles this very source, so everything here keeps to what numba
knows: numbers, rows that are indexed, tuples that are returned.

A `Row` is a tuple of floats or a row of an array. Lengths are in mm, levels of lines in discs.

    strip   a stick in plan: centre x, y; unit axis x, y; half length, half width; the height of the
            underside at the centre, its slope along the axis, and the vertical thickness
    block   a building: a strip, or with a thickness of 0 an upright cylinder: x, y, radius, 0, 0,
            0, the heights of its bottom and its top, 0
    line    a road as the crossing rule sees it: start x, y, end x, y, and the levels of both
    sizes   of a box of pieces (`Components.sizes`)
"""

import math
from collections.abc import Sequence

Row = Sequence[float]
Strip = tuple[float, float, float, float, float, float, float, float, float]

# columns of sizes
LENGTH, WIDTH, THICK, RADIUS, HEIGHT, CAR_LENGTH, CAR_WIDTH, CAR_HEIGHT = range(8)
# columns of a strip
CX, CY, AX, AY, HL, HW, Z, SLOPE, DEEP = range(9)
# columns of a block that is round, besides its place
ROUND, BOTTOM, TOP = 2, 6, 7
# columns of a line
SX, SY, EX, EY, L0, L1 = range(6)

TOUCH = 0.05
"""mm: two pieces with a gap smaller than this touch (rules 4d, 4h)."""

SLACK = 1e-6
"""mm: the error that rounding may cause."""

NEAR = TOUCH - SLACK
"""mm: a computed gap below this counts as touching."""

OVERLAP = 1e-6
"""mm: shapes that overlap in plan by less than this only touch."""

FLAT = 1e-9
"""mm2: two edges whose vector product is smaller are parallel."""

PARALLEL = 1e-9
"""The sine of the angle between two lines up to which they are parallel, and the share of a length
that is nothing.
"""

SHARED_SUPPORT = 2.0
"""Disc radii: nearer than this to the axis of a pillar that they share, two roads of one player may
touch (rules 4d).
"""

NEAR_WIDTHS = 1.5
"""Road widths: with crossing_scope = point another road counts within so many of a crossing."""

BEARING = 2.5
"""How many mm of a road's end must rest on its disc, at least (rules 4a)."""

STEEPEST = 1.0
"""Rise over run of the line from pillar top to pillar top, axis to axis: 45 degrees (rules 4i)."""

LEANS = 4.0
"""Rise over run: no road that keeps to STEEPEST lies steeper than this on discs of any box."""

INFINITE = 1e18

# what a pair of pieces does
CLEAR, TOUCHES, UNDER, OVER, OVERLAPS = range(5)


def hypot(x: float, y: float) -> float:
    """The length of a vector; faster than `math.hypot`, which guards against overflow."""
    return math.sqrt(x * x + y * y)


# --- sticks ---------------------------------------------------------------------------------------


def strip_between(
    z: Row, sx: float, sy: float, ex: float, ey: float, l0: float, l1: float, slide: float,
    span: float,
) -> Strip:  # fmt: skip
    """A road whose underside runs straight from a start to an end at levels in discs (rules 4b),
    its surplus shared equally and then shifted by `slide` along itself. `span` is the length of the
    line in plan, 1e-9 at least.
    """
    ax, ay = (ex - sx) / span, (ey - sy) / span
    slope = (l1 - l0) * z[HEIGHT] / span
    cosine = 1 / math.sqrt(1 + slope * slope)
    return (
        (sx + ex) / 2 + ax * slide, (sy + ey) / 2 + ay * slide, ax, ay,
        z[LENGTH] * cosine / 2, z[WIDTH] / 2,
        (l0 + l1) / 2 * z[HEIGHT] + slope * slide, slope, z[THICK] / cosine,
    )  # fmt: skip


def leaning(s: Row, height: float) -> Strip:
    """A box of that height, longer by what its upper edge reaches further downhill."""
    out = height / 2 * s[SLOPE] / math.sqrt(1 + s[SLOPE] * s[SLOPE])
    return (
        s[CX] - s[AX] * out, s[CY] - s[AY] * out, s[AX], s[AY], s[HL] + abs(out), s[HW],
        s[Z] - s[SLOPE] * out, s[SLOPE], s[DEEP],
    )  # fmt: skip


def car_strip(z: Row, road: Row, along: float, side: float) -> Strip:
    """A car that stands flat on a road whose strip does not lean yet."""
    slope = road[SLOPE]
    cosine = 1 / math.sqrt(1 + slope * slope)
    # a car on a slope leans downhill: here by the thickness of the road, below by its own height
    a = (along - 0.5) * 2 * road[HL] - road[DEEP] * slope * cosine * cosine
    flat = (
        road[CX] + road[AX] * a - road[AY] * side, road[CY] + road[AY] * a + road[AX] * side,
        road[AX], road[AY], z[CAR_LENGTH] / 2 * cosine, z[CAR_WIDTH] / 2,
        road[Z] + slope * a + road[DEEP], slope, z[CAR_HEIGHT] / cosine,
    )  # fmt: skip
    return leaning(flat, z[CAR_HEIGHT])


def shifted(s: Row, dx: float, dy: float) -> Strip:
    """A strip or a block elsewhere in plan."""
    return (s[CX] + dx, s[CY] + dy, s[AX], s[AY], s[HL], s[HW], s[Z], s[SLOPE], s[DEEP])


def depth(a: Row, grow: float, b: Row) -> float:
    """By how much strip `a`, every side `grow` further out, overlaps `b` in plan: the least over
    their four separating axes (below 0: they are apart).
    """
    px, py = b[CX] - a[CX], b[CY] - a[CY]
    cosine = abs(a[AX] * b[AX] + a[AY] * b[AY])
    sine = abs(a[AX] * b[AY] - a[AY] * b[AX])
    al, aw, bl, bw = a[HL] + grow, a[HW] + grow, b[HL], b[HW]
    a_long, a_wide = abs(px * a[AX] + py * a[AY]), abs(a[AX] * py - a[AY] * px)
    b_long, b_wide = abs(px * b[AX] + py * b[AY]), abs(b[AX] * py - b[AY] * px)
    along = min(al + bl * cosine + bw * sine - a_long, bl + al * cosine + aw * sine - b_long)
    across = min(aw + bl * sine + bw * cosine - a_wide, bw + al * sine + aw * cosine - b_wide)
    return min(along, across)


def _corners(
    s: Row, grow: float
) -> tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]:
    """The corners of a strip, counter-clockwise from the left of its start."""
    x, y, long, wide = s[CX], s[CY], s[HL] + grow, s[HW] + grow
    lx, ly, wx, wy = s[AX] * long, s[AY] * long, -s[AY] * wide, s[AX] * wide
    return (
        (x - lx + wx, y - ly + wy),
        (x - lx - wx, y - ly - wy),
        (x + lx - wx, y + ly - wy),
        (x + lx + wx, y + ly + wy),
    )


def _within(s: Row, grow: float, x: float, y: float) -> bool:
    dx, dy = x - s[CX], y - s[CY]
    return (
        abs(dx * s[AX] + dy * s[AY]) <= s[HL] + grow
        and abs(s[AX] * dy - s[AY] * dx) <= s[HW] + grow
    )


def _rise(a: Row, b: Row, x: float, y: float) -> float:
    """The height of the underside of `a` above that of `b` at a point."""
    return (
        a[Z] + a[SLOPE] * ((x - a[CX]) * a[AX] + (y - a[CY]) * a[AY])
        - b[Z] - b[SLOPE] * ((x - b[CX]) * b[AX] + (y - b[CY]) * b[AY])
    )  # fmt: skip


def gap(
    a: Row, grow: float, b: Row, exempt: bool, ex: float, ey: float, radius: float
) -> tuple[bool, float, float]:
    """Whether strip `a`, grown, overlaps `b` in plan, and the least and the greatest height of its
    underside above that of `b` there: at the corners of what they share.

    If exempt, only what lies outside the circle around (ex, ey) makes the two overlap and counts
    for the least height. The greatest counts anywhere: a road that lies on another within the
    circle does not pass under it further out.
    """
    low, high, some = INFINITE, -INFINITE, False
    dx, dy = b[CX] - a[CX], b[CY] - a[CY]
    far = a[HL] + a[HW] + b[HL] + b[HW] + 2 * grow
    if abs(dx) > far or abs(dy) > far:
        return False, low, high
    reach = hypot(a[HL] + grow, a[HW] + grow) + hypot(b[HL], b[HW])
    if dx * dx + dy * dy >= reach * reach or depth(a, grow, b) <= OVERLAP:
        return False, low, high
    square, mine, theirs = radius * radius, _corners(a, grow), _corners(b, 0.0)
    for k in range(8):
        x, y = mine[k] if k < 4 else theirs[k - 4]
        if not (_within(b, 0.0, x, y) if k < 4 else _within(a, grow, x, y)):
            continue
        h = _rise(a, b, x, y)
        high = max(high, h)
        if not exempt or (x - ex) ** 2 + (y - ey) ** 2 > square:
            some, low = True, min(low, h)
    for i in range(4):
        x0, y0 = mine[i]
        x1, y1 = mine[(i + 1) % 4]
        dx, dy = x1 - x0, y1 - y0
        for j in range(4):
            u0, v0 = theirs[j]
            u1, v1 = theirs[(j + 1) % 4]
            du, dv = u1 - u0, v1 - v0
            turning = dx * dv - dy * du
            if abs(turning) < FLAT:
                continue
            t = ((u0 - x0) * dv - (v0 - y0) * du) / turning
            u = ((u0 - x0) * dy - (v0 - y0) * dx) / turning
            if not (0 <= t <= 1 and 0 <= u <= 1):
                continue
            x, y = x0 + t * dx, y0 + t * dy
            h = _rise(a, b, x, y)
            high = max(high, h)
            if not exempt or (x - ex) ** 2 + (y - ey) ** 2 > square:
                some, low = True, min(low, h)
    return some, low, high


# --- sticks and circles ---------------------------------------------------------------------------


def off(s: Row, grow: float, x: float, y: float) -> float:
    """The distance in plan from a strip, grown, to a point."""
    dx, dy = x - s[CX], y - s[CY]
    past = max(abs(dx * s[AX] + dy * s[AY]) - s[HL] - grow, 0.0)
    beyond = max(abs(s[AX] * dy - s[AY] * dx) - s[HW] - grow, 0.0)
    return hypot(past, beyond)


def is_far(s: Row, x: float, y: float, mm: float) -> bool:
    """Whether a point is surely further than so many mm from a strip: a quick look."""
    far = s[HL] + s[HW] + mm
    return abs(x - s[CX]) > far or abs(y - s[CY]) > far


def heights(
    s: Row, grow: float, x: float, y: float, radius: float, top: float
) -> tuple[float, float]:
    """The least and the greatest height of the underside of a strip, grown, above the top of a
    circle that it overlaps.
    """
    dx, dy = x - s[CX], y - s[CY]
    along = dx * s[AX] + dy * s[AY]
    beyond = max(abs(s[AX] * dy - s[AY] * dx) - s[HW] - grow, 0.0)
    chord, half = math.sqrt(max(radius * radius - beyond * beyond, 0.0)), s[HL] + grow
    one = s[Z] + s[SLOPE] * min(max(along - chord, -half), half) - top
    two = s[Z] + s[SLOPE] * min(max(along + chord, -half), half) - top
    return min(one, two), max(one, two)


# --- what touches what (rules 4c, 4d, 4h) ---------------------------------------------------------
# Each says what the pair does, and by how many mm: an overlap in plan, or a gap that is too small.
# New roads and cars lean already.


def road_by_road(
    n: Row, old: Row, own: bool, x: float, y: float, radius: float
) -> tuple[int, float]:
    """A new road by a standing one. Two roads that are `own` to one player and share the pillar at
    (x, y), a disc of that radius, may touch near it, but nobody lifts standing pieces: the new one
    lies on top.
    """
    some, low, high = gap(n, TOUCH, old, own, x, y, SHARED_SUPPORT * radius)
    if not some:
        return CLEAR, 0.0
    if own and low < 0 and -high - n[DEEP] < NEAR:
        return UNDER, low
    return _closer(max(low - old[DEEP], -high - n[DEEP]), n, old)


def stick_by_stick(n: Row, old: Row) -> tuple[int, float]:
    """Two sticks: where they overlap in plan one must be clear above the other."""
    return road_by_road(n, old, False, 0.0, 0.0, 0.0)


def _closer(above: float, n: Row, old: Row) -> tuple[int, float]:
    """Two sticks that are clear in height by `above`: in plan they may be clear by more."""
    if above >= NEAR:
        return CLEAR, 0.0
    clear = max(above, -depth(n, 0.0, old))
    return (TOUCHES, clear) if clear < NEAR else (CLEAR, 0.0)


def road_by_disc(
    n: Row, x: float, y: float, radius: float, top: float, may_pass: bool
) -> tuple[int, float]:
    """A new road and a disc: no road passes above a pillar, at any height (rules 4c), unless it
    may; then it must be clear of it.
    """
    if is_far(n, x, y, radius + TOUCH) or off(n, TOUCH, x, y) >= radius - OVERLAP:
        return CLEAR, 0.0
    deep = radius - off(n, 0.0, x, y)
    if not may_pass:
        return OVER, deep
    low, _ = heights(n, TOUCH, x, y, radius, top)
    clear = max(low, -deep)
    return (TOUCHES, clear) if clear < NEAR else (CLEAR, 0.0)


def road_by_block(n: Row, block: Row, forbid: bool) -> tuple[int, float]:
    """A new road and a building: it touches it, or passes above it where that is forbidden."""
    if block[DEEP] == 0.0:
        x, y, radius = block[CX], block[CY], block[ROUND]
        if off(n, TOUCH, x, y) >= radius - OVERLAP:
            return CLEAR, 0.0
        above, _ = heights(n, TOUCH, x, y, radius, block[TOP])
        clear = max(above, off(n, 0.0, x, y) - radius)
    else:
        some, low, _ = gap(n, TOUCH, block, False, 0.0, 0.0, 0.0)
        if not some:
            return CLEAR, 0.0
        above = low - block[DEEP]
        clear = max(above, -depth(n, 0.0, block))
    if forbid:
        return OVER, clear if above < NEAR else above
    return (TOUCHES, clear) if clear < NEAR else (CLEAR, 0.0)


def round_by_round(x: float, y: float, radius: float, u: float, v: float, other: float) -> float:
    """By how much two circles overlap in plan; below 0 the distance between them."""
    return radius + other - hypot(u - x, v - y)


def pillar_by_stick(
    s: Row, x: float, y: float, radius: float, top: float, forbid: bool
) -> tuple[int, float]:
    """A new pillar and a standing stick above it: it may not stand there at all, or must be
    clear of it.
    """
    if is_far(s, x, y, radius + TOUCH):
        return CLEAR, 0.0
    away = off(s, 0.0, x, y)
    if away >= radius + TOUCH - OVERLAP:
        return CLEAR, 0.0
    if forbid:
        return OVERLAPS, radius - away
    low, _ = heights(s, 0.0, x, y, radius + TOUCH, top)
    clear = max(low, away - radius)
    return (TOUCHES, clear) if clear < NEAR else (CLEAR, 0.0)


def pillar_by_circle(
    x: float, y: float, radius: float, u: float, v: float, other: float
) -> tuple[int, float]:
    """Two circles in plan, whatever their heights: pillars, round buildings."""
    deep = round_by_round(x, y, radius, u, v, other)
    return (OVERLAPS, deep) if deep > -NEAR else (CLEAR, 0.0)


def pillar_by_block(block: Row, x: float, y: float, radius: float) -> tuple[int, float]:
    """A new pillar and a building, whatever its height."""
    if block[DEEP] != 0.0:
        return pillar_by_stick(block, x, y, radius, 0.0, True)
    return pillar_by_circle(x, y, radius, block[CX], block[CY], block[ROUND])


def car_by_round(
    car: Row, x: float, y: float, radius: float, bottom: float, top: float
) -> tuple[int, float]:
    """A new car and a disc or a round building."""
    if is_far(car, x, y, radius + TOUCH) or off(car, TOUCH, x, y) >= radius - OVERLAP:
        return CLEAR, 0.0
    low, high = heights(car, TOUCH, x, y, radius, top)
    clear = max(low, bottom - top - high - car[DEEP], off(car, 0.0, x, y) - radius)
    return (TOUCHES, clear) if clear < NEAR else (CLEAR, 0.0)


def car_by_block(car: Row, block: Row) -> tuple[int, float]:
    """A new car and a building."""
    if block[DEEP] == 0.0:
        return car_by_round(car, block[CX], block[CY], block[ROUND], block[BOTTOM], block[TOP])
    return stick_by_stick(car, block)


def building_by_round(new: Row, x: float, y: float, radius: float) -> tuple[int, float]:
    """A new building and a circle in plan, whatever their heights."""
    if new[DEEP] == 0.0:
        return pillar_by_circle(new[CX], new[CY], new[ROUND], x, y, radius)
    if off(new, TOUCH, x, y) >= radius - OVERLAP:
        return CLEAR, 0.0
    deep = radius - off(new, 0.0, x, y)
    return (OVERLAPS, deep) if deep > -NEAR else (CLEAR, 0.0)


def building_by_stick(new: Row, old: Row) -> tuple[int, float]:
    """A new building and a standing stick in plan, whatever their heights."""
    if new[DEEP] == 0.0:
        return pillar_by_stick(old, new[CX], new[CY], new[ROUND], 0.0, True)
    some, _, _ = gap(new, TOUCH, old, False, 0.0, 0.0, 0.0)
    if not some:
        return CLEAR, 0.0
    deep = depth(new, 0.0, old)
    return (OVERLAPS, deep) if deep > -NEAR else (CLEAR, 0.0)


def building_by_block(new: Row, old: Row) -> tuple[int, float]:
    """Two buildings in plan."""
    if old[DEEP] == 0.0:
        return building_by_round(new, old[CX], old[CY], old[ROUND])
    return building_by_stick(new, old)


# --- how a road lies on discs (rules 4a, 4i) ------------------------------------------------------


def inclined(z: Row, rise: float, away: float) -> tuple[float, float, bool]:
    """Cosine and sine of the slope at which a road lies, and whether it has no such slope up to
    LEANS.

    The near rim of the higher disc is `rise` above the lower end's edge, and `away` from the centre
    of mass in plan. Let c be the cotangent of the slope, t the thickness and L the length of the
    road. In plan, the middle of the underside is t/2 sin nearer to the rim than the centre of mass,
    and the lower end is L/2 cos further away, so rise * c = away - t/2 sin + L/2 cos. The flattest
    solution counts, since a road that is lowered reaches it first. The difference of the two sides
    is convex in c and positive at the first guess, so Newton's method decreases to that solution.
    """
    if rise == 0.0:
        return 1.0, 0.0, False
    long, thick = z[LENGTH] / 2, z[THICK] / 2
    c = max((away + long) / rise, 1 / LEANS)
    for _ in range(10):
        sine = 1 / math.sqrt(1 + c * c)
        excess = rise * c - away + (thick - long * c) * sine
        slope = rise - (long + thick * c) * sine * sine * sine
        c = max(c - excess / slope, 1 / LEANS) if slope > 0 else 1 / LEANS
    sine = 1 / math.sqrt(1 + c * c)
    cosine = c * sine
    return cosine, sine, rise * c - away + thick * sine - long * cosine > SLACK


def lies(
    z: Row, s: Row, rise: float, x: float, y: float, u: float, v: float, ends: int
) -> tuple[bool, float, float, float, float, float, float]:
    """How a road that rises by so many mm lies on the discs with axes (x, y) at its start and
    (u, v) at its end, or on the first alone if `ends` is 1.

    `steep` says that it rises more than it runs from axis to axis (rules 4i), or lies at no slope.
    Then for each end: how far it sticks `out` past the rim, the length of it that `bears` on the
    disc (below 0: how far it ends short of the rim), and by how much its middle is too far `aside`
    of the axis. A real road lies steeper than the line from axis to axis: its underside touches the
    higher disc at the rim that faces the other pillar, and its lower end lies on the lower disc, or
    on the table (see `inclined`). In plan its centre of mass is where the placement says.
    """
    if abs(s[SLOPE]) > STEEPEST + SLACK:
        return True, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    half, wide, radius = z[LENGTH] / 2, z[WIDTH] / 2, z[RADIUS]
    along0 = (x - s[CX]) * s[AX] + (y - s[CY]) * s[AY]
    aside0 = abs(s[AX] * (y - s[CY]) - s[AY] * (x - s[CX]))
    rim0 = math.sqrt(max(radius * radius - max(aside0 - wide, 0.0) ** 2, 0.0))
    along1 = (u - s[CX]) * s[AX] + (v - s[CY]) * s[AY]
    aside1 = abs(s[AX] * (v - s[CY]) - s[AY] * (u - s[CX]))
    rim1 = math.sqrt(max(radius * radius - max(aside1 - wide, 0.0) ** 2, 0.0))
    up = 1.0 if rise > 0 else -1.0
    away = along1 - rim1 if rise > 0 and ends == 2 else along0 * up - rim0
    cosine, sine, steep = inclined(z, abs(rise), away)
    # from the centre of mass to the middle of the underside, and from each axis outward to the
    # middle of the end's edge; a corner on the near side is not past the rim
    shift = up * sine * z[THICK] / 2
    past0, past1 = half * cosine - (shift - along0), half * cosine + (shift - along1)
    out0 = hypot(past0, aside0 + wide) - radius if past0 > 0 else -1.0
    out1 = hypot(past1, aside1 + wide) - radius if past1 > 0 else -1.0
    inside = radius - BEARING
    return (
        steep,
        out0,
        (rim0 + past0) / cosine,
        aside0 - inside,
        out1,
        (rim1 + past1) / cosine,
        aside1 - inside,
    )


# --- lines that cross (FR 6, KR 6) ----------------------------------------------------------------


def intersection(n: Row, a: Row) -> tuple[bool, float, float]:
    """Whether two lines have a direction in which they meet, and where on both: 0 at the start, 1
    at the end.
    """
    dx, dy, ax, ay = n[EX] - n[SX], n[EY] - n[SY], a[EX] - a[SX], a[EY] - a[SY]
    turning = dx * ay - dy * ax
    bx, by = a[SX] - n[SX], a[SY] - n[SY]
    if turning * turning <= PARALLEL * PARALLEL * (dx * dx + dy * dy) * (ax * ax + ay * ay):
        return False, bx * ay - by * ax, bx * dy - by * dx
    return True, (bx * ay - by * ax) / turning, (bx * dy - by * dx) / turning


def meeting(z: Row, outlines: bool, n: Row, a: Row) -> tuple[bool, float, float, float, float]:
    """Whether line `n` crosses line `a`: their centre lines, or with `outlines` the sticks, where
    that of `n` leaves that of `a` in two parts. Then where the centre lines meet, and the levels of
    both there.
    """
    turns, t, u = intersection(n, a)
    if outlines:
        if not (turns and _cuts(z, n, a)):
            return False, 0.0, 0.0, 0.0, 0.0
    elif not (turns and 0.0 <= t <= 1.0 and 0.0 <= u <= 1.0):
        return False, 0.0, 0.0, 0.0, 0.0
    return (
        True,
        a[SX] + u * (a[EX] - a[SX]),
        a[SY] + u * (a[EY] - a[SY]),
        n[L0] + t * (n[L1] - n[L0]),
        a[L0] + u * (a[L1] - a[L0]),
    )


def _half(z: Row, span: float, rise: float) -> float:
    """Half the length in plan of a road's stick: its length times the cosine of its slope."""
    return z[LENGTH] * span / hypot(span, rise * z[HEIGHT]) / 2


def _cuts(z: Row, n: Row, a: Row) -> bool:
    """Whether the outline of `n` leaves that of `a` in two parts: both long edges of `a` are cut,
    and something is left at each end.

    Each long edge of `a`, seen in the frame of `n`, is clipped to the rectangle of `n` (Liang and
    Barsky 1984).
    """
    # a road without length in plan crosses nothing, but must not break the arithmetic
    span = max(hypot(n[EX] - n[SX], n[EY] - n[SY]), 1e-9)
    nx, ny, half = (n[EX] - n[SX]) / span, (n[EY] - n[SY]) / span, z[WIDTH] / 2
    long = _half(z, span, n[L1] - n[L0])
    other = max(hypot(a[EX] - a[SX], a[EY] - a[SY]), 1e-9)
    dx, dy = (a[EX] - a[SX]) / other, (a[EY] - a[SY]) / other
    reach = _half(z, other, a[L1] - a[L0])
    mx, my = (a[SX] + a[EX]) / 2 - (n[SX] + n[EX]) / 2, (a[SY] + a[EY]) / 2 - (n[SY] + n[EY]) / 2
    left_low, left_high = False, False
    for edge in range(2):
        aside = half if edge else -half
        ox, oy = mx - dx * reach - dy * aside, my - dy * reach + dx * aside
        vx, vy = dx * 2 * reach, dy * 2 * reach
        low, high = 0.0, 1.0
        for which in range(2):
            bound = half if which else long
            ux, uy = (-ny, nx) if which else (nx, ny)
            p, v = ox * ux + oy * uy, vx * ux + vy * uy
            if abs(v) < 1e-12:
                one, two = (0.0, 1.0) if abs(p) < bound else (2.0, -1.0)
            else:
                one, two = (-bound - p) / v, (bound - p) / v
                one, two = min(one, two), max(one, two)
            low, high = max(low, one), min(high, two)
        if high - low <= PARALLEL:
            return False
        left_low = left_low or low > PARALLEL
        left_high = left_high or high < 1 - PARALLEL
    return left_low and left_high


# --- what a crossing earns ------------------------------------------------------------------------

FREE, OWN, TAKEN, RAMP, INACTIVE, VOIDED = range(6)


def standing_of(
    own: bool, ramp: bool, inactive: bool, ramps_count: bool, inactive_roads_count: bool
) -> int:
    """What a crossed road is to who crosses it: OWN, a RAMP or INACTIVE, which earn nothing by
    these options, or FREE, which earns a car if nobody has taken the side.
    """
    if own:
        return OWN
    if ramp and not ramps_count:
        return RAMP
    if inactive and not inactive_roads_count:
        return INACTIVE
    return FREE


def may_take(
    later: bool, viewers: bool, inactive: bool, history: bool, occlude: bool,
    inactive_roads_count: bool,
) -> bool:  # fmt: skip
    """Whether a road could take a side of another, if it crossed it: `later` says that it was built
    after it, `viewers` that it belongs to who asks. With `history` a road that stood before another
    never passed over or under it.
    """
    return (
        (later or not history)
        and (occlude or not viewers)
        and (inactive_roads_count or not inactive)
    )
