"""The arithmetic of `sim.referee.footprints` and `sim.referee.crossings` for one pair of pieces,
compiled.

Every function says which one of the referee it repeats; `tests/sim/batch` and
`benchmarks/batch.py` hold the two together. Lengths in mm, heights of lines in discs. A strip is a
row of nine numbers: centre x, y, axis x, y, half length, half width, the height of the underside at
the centre, its slope along the axis, and the vertical thickness. A circle is a row of four: centre
x, y, the heights of its bottom and its top.

All sizes and tolerances come in `sizes`, which `sim.batch.arrays` takes from the box and the
referee.
"""

from __future__ import annotations

import math
from typing import Any

from rules.grid.kernels.jit import njit_inline, njit_linked

# columns of `sizes`
LENGTH, WIDTH, THICK, RADIUS, HEIGHT, CAR_LENGTH, CAR_WIDTH, CAR_HEIGHT = range(8)
TOUCH, NEAR, OVERLAP, FLAT, PARALLEL, SUPPORT, POINT, COMFORT, ENTRANCE, REACH = range(8, 18)
# columns of a strip
CX, CY, AX, AY, HL, HW, Z, SLOPE, DEEP = range(9)
# columns of roads behind those of a strip: the line from start to end in plan, with its levels
SX, SY, EX, EY, L0, L1 = range(9, 15)
INFINITE = 1e18


@njit_inline
def hypot(x: float, y: float) -> float:
    """The length of a vector; faster than `math.hypot`, which guards against overflow."""
    return float(math.sqrt(x * x + y * y))


@njit_inline
def strip_between(
    out: Any, sizes: Any, sx: float, sy: float, ex: float, ey: float, l0: float, l1: float
) -> None:
    """`footprints.strips_between` for a road without a slide."""
    dx, dy = ex - sx, ey - sy
    span = max(hypot(dx, dy), 1e-9)
    slope = (l1 - l0) * sizes[HEIGHT] / span
    cosine = 1 / math.sqrt(1 + slope * slope)
    out[CX], out[CY], out[AX], out[AY] = (sx + ex) / 2, (sy + ey) / 2, dx / span, dy / span
    out[HL], out[HW] = sizes[LENGTH] * cosine / 2, sizes[WIDTH] / 2
    out[Z], out[SLOPE] = (l0 + l1) / 2 * sizes[HEIGHT], slope
    out[DEEP] = sizes[THICK] / cosine


@njit_inline
def lean(strip: Any, height: float) -> None:
    """`footprints.leaning`, in place."""
    out = height / 2 * strip[SLOPE] / math.sqrt(1 + strip[SLOPE] * strip[SLOPE])
    strip[CX] -= strip[AX] * out
    strip[CY] -= strip[AY] * out
    strip[HL] += abs(out)
    strip[Z] -= strip[SLOPE] * out


@njit_inline
def car_strip(out: Any, road: Any, sizes: Any, along: float, side: float) -> None:
    """`footprints.car_strips`: a car on a road whose strip does not lean yet."""
    cosine = 1 / math.sqrt(1 + road[SLOPE] * road[SLOPE])
    a = (along - 0.5) * 2 * road[HL] - road[DEEP] * road[SLOPE] * cosine * cosine
    out[CX] = road[CX] + road[AX] * a - road[AY] * side
    out[CY] = road[CY] + road[AY] * a + road[AX] * side
    out[AX], out[AY] = road[AX], road[AY]
    out[HL], out[HW] = sizes[CAR_LENGTH] / 2 * cosine, sizes[CAR_WIDTH] / 2
    out[Z] = road[Z] + road[SLOPE] * a + road[DEEP]
    out[SLOPE], out[DEEP] = road[SLOPE], sizes[CAR_HEIGHT] / cosine
    lean(out, sizes[CAR_HEIGHT])


# --- two strips -----------------------------------------------------------------------------------


@njit_linked
def depth(a: Any, grow: float, b: Any) -> float:
    """`footprints.strip_depths`: by how much `a`, grown, overlaps `b` in plan."""
    px, py = b[CX] - a[CX], b[CY] - a[CY]
    cosine = abs(a[AX] * b[AX] + a[AY] * b[AY])
    sine = abs(a[AX] * b[AY] - a[AY] * b[AX])
    al, aw, bl, bw = a[HL] + grow, a[HW] + grow, b[HL], b[HW]
    a_long, a_wide = abs(px * a[AX] + py * a[AY]), abs(a[AX] * py - a[AY] * px)
    b_long, b_wide = abs(px * b[AX] + py * b[AY]), abs(b[AX] * py - b[AY] * px)
    along = min(al + bl * cosine + bw * sine - a_long, bl + al * cosine + aw * sine - b_long)
    across = min(aw + bl * sine + bw * cosine - a_wide, bw + al * sine + aw * cosine - b_wide)
    return float(min(along, across))


@njit_inline
def _corner(o: Any, grow: float, k: int) -> tuple[float, float]:
    s = -1.0 if k < 2 else 1.0
    t = 1.0 if k in (0, 3) else -1.0
    long, wide = s * (o[HL] + grow), t * (o[HW] + grow)
    return o[CX] + long * o[AX] - wide * o[AY], o[CY] + long * o[AY] + wide * o[AX]


@njit_inline
def _within(o: Any, grow: float, x: float, y: float) -> bool:
    dx, dy = x - o[CX], y - o[CY]
    return bool(
        abs(dx * o[AX] + dy * o[AY]) <= o[HL] + grow
        and abs(o[AX] * dy - o[AY] * dx) <= o[HW] + grow
    )


@njit_inline
def _rise(a: Any, b: Any, x: float, y: float) -> float:
    """The height of the underside of a above that of b at a point."""
    return float(
        a[Z] + a[SLOPE] * ((x - a[CX]) * a[AX] + (y - a[CY]) * a[AY])
        - b[Z] - b[SLOPE] * ((x - b[CX]) * b[AX] + (y - b[CY]) * b[AY])
    )  # fmt: skip


@njit_linked
def gap(
    a: Any, b: Any, sizes: Any, exempt: bool, ex: float, ey: float
) -> tuple[bool, float, float]:
    """`footprints.strip_gaps` for `a`, grown by TOUCH, above `b`: whether they overlap in plan, and
    the least and the greatest height.

    If exempt, only what lies outside the circle of a shared support around (ex, ey) makes the two
    overlap and counts for the least height.
    """
    low, high, some = INFINITE, -INFINITE, False
    grow, radius = sizes[TOUCH], sizes[SUPPORT]
    apart = (b[CX] - a[CX]) ** 2 + (b[CY] - a[CY]) ** 2
    reach = hypot(a[HL] + grow, a[HW] + grow) + hypot(b[HL], b[HW])
    if apart >= reach * reach or depth(a, grow, b) <= sizes[OVERLAP]:
        return False, low, high
    for k in range(8):
        x, y = _corner(a, grow, k) if k < 4 else _corner(b, 0.0, k - 4)
        if not (_within(b, 0.0, x, y) if k < 4 else _within(a, grow, x, y)):
            continue
        h = _rise(a, b, x, y)
        high = max(high, h)
        if not exempt or (x - ex) ** 2 + (y - ey) ** 2 > radius * radius:
            some, low = True, min(low, h)
    for i in range(4):
        x0, y0 = _corner(a, grow, i)
        x1, y1 = _corner(a, grow, (i + 1) % 4)
        dx, dy = x1 - x0, y1 - y0
        for j in range(4):
            u0, v0 = _corner(b, 0.0, j)
            u1, v1 = _corner(b, 0.0, (j + 1) % 4)
            du, dv = u1 - u0, v1 - v0
            turning = dx * dv - dy * du
            if abs(turning) < sizes[FLAT]:
                continue
            t = ((u0 - x0) * dv - (v0 - y0) * du) / turning
            u = ((u0 - x0) * dy - (v0 - y0) * dx) / turning
            if not (0 <= t <= 1 and 0 <= u <= 1):
                continue
            x, y = x0 + t * dx, y0 + t * dy
            h = _rise(a, b, x, y)
            high = max(high, h)
            if not exempt or (x - ex) ** 2 + (y - ey) ** 2 > radius * radius:
                some, low = True, min(low, h)
    return some, low, high


@njit_linked
def touches(a: Any, b: Any, sizes: Any) -> bool:
    """`conflicts._touching`: whether two strips touch or cut each other."""
    some, low, high = gap(a, b, sizes, False, 0.0, 0.0)
    if not some:
        return False
    above = max(low - b[DEEP], -high - a[DEEP])
    return bool(max(above, -depth(a, 0.0, b)) < sizes[NEAR])


# --- strips and circles ---------------------------------------------------------------------------


@njit_inline
def off(o: Any, grow: float, x: float, y: float) -> float:
    """The distance in plan from a strip, grown, to a point."""
    dx, dy = x - o[CX], y - o[CY]
    past = max(abs(dx * o[AX] + dy * o[AY]) - o[HL] - grow, 0.0)
    beyond = max(abs(o[AX] * dy - o[AY] * dx) - o[HW] - grow, 0.0)
    return hypot(past, beyond)


@njit_linked
def heights(
    o: Any, grow: float, x: float, y: float, radius: float, top: float
) -> tuple[float, float]:
    """The heights of `footprints.circle_gaps`: the least and the greatest of the underside of a
    strip, grown, above the top of a circle that it overlaps.
    """
    dx, dy = x - o[CX], y - o[CY]
    along = dx * o[AX] + dy * o[AY]
    beyond = max(abs(o[AX] * dy - o[AY] * dx) - o[HW] - grow, 0.0)
    chord, half = math.sqrt(max(radius * radius - beyond * beyond, 0.0)), o[HL] + grow
    one = o[Z] + o[SLOPE] * min(max(along - chord, -half), half) - top
    two = o[Z] + o[SLOPE] * min(max(along + chord, -half), half) - top
    return min(one, two), max(one, two)


@njit_linked
def is_near_round(
    o: Any, x: float, y: float, radius: float, bottom: float, top: float, sizes: Any
) -> bool:
    """`conflicts._beside_round`: whether a car touches a disc or a cylinder."""
    if off(o, sizes[TOUCH], x, y) >= radius - sizes[OVERLAP]:
        return False
    low, high = heights(o, sizes[TOUCH], x, y, radius, top)
    above = max(low, bottom - top - high - o[DEEP])
    return bool(max(above, off(o, 0.0, x, y) - radius) < sizes[NEAR])


# --- lines that cross -----------------------------------------------------------------------------


@njit_linked
def meeting(
    sizes: Any, outlines: int, sx: float, sy: float, ex: float, ey: float, l0: float, l1: float,
    a: Any,
) -> tuple[bool, float, float, float, float]:  # fmt: skip
    """`crossings.meetings`: whether a line crosses that of road `a` by the rule set's test, where,
    and the levels of both there.
    """
    dx, dy, ax, ay = ex - sx, ey - sy, a[EX] - a[SX], a[EY] - a[SY]
    turning = dx * ay - dy * ax
    if abs(turning) <= sizes[PARALLEL] * hypot(dx, dy) * hypot(ax, ay):
        return False, 0.0, 0.0, 0.0, 0.0
    bx, by = a[SX] - sx, a[SY] - sy
    t, u = (bx * ay - by * ax) / turning, (bx * dy - by * dx) / turning
    if outlines:
        if not _cuts(sizes, sx, sy, ex, ey, l0, l1, a):
            return False, 0.0, 0.0, 0.0, 0.0
    elif not (0.0 <= t <= 1.0 and 0.0 <= u <= 1.0):
        return False, 0.0, 0.0, 0.0, 0.0
    level, other = l0 + t * (l1 - l0), a[L0] + u * (a[L1] - a[L0])
    return True, a[SX] + u * ax, a[SY] + u * ay, level, other


@njit_inline
def _half(sizes: Any, span: float, rise: float) -> float:
    """Half the length in plan of a road's stick, as in `crossings._stick`."""
    return float(sizes[LENGTH] * span / hypot(span, rise * sizes[HEIGHT]) / 2)


@njit_linked
def _cuts(
    sizes: Any, sx: float, sy: float, ex: float, ey: float, l0: float, l1: float, a: Any
) -> bool:
    """`crossings._cut_across`: whether the outline of a line leaves that of road `a` in two
    parts.
    """
    span = max(hypot(ex - sx, ey - sy), 1e-9)
    nx, ny, half = (ex - sx) / span, (ey - sy) / span, sizes[WIDTH] / 2
    long = _half(sizes, span, l1 - l0)
    other = max(hypot(a[EX] - a[SX], a[EY] - a[SY]), 1e-9)
    dx, dy = (a[EX] - a[SX]) / other, (a[EY] - a[SY]) / other
    reach = _half(sizes, other, a[L1] - a[L0])
    mx, my = (a[SX] + a[EX]) / 2 - (sx + ex) / 2, (a[SY] + a[EY]) / 2 - (sy + ey) / 2
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
                inside = abs(p) < bound
                one, two = (0.0, 1.0) if inside else (2.0, -1.0)
            else:
                one, two = (-bound - p) / v, (bound - p) / v
                one, two = min(one, two), max(one, two)
            low, high = max(low, one), min(high, two)
        if high - low <= sizes[PARALLEL]:
            return False
        left_low = left_low or low > sizes[PARALLEL]
        left_high = left_high or high < 1 - sizes[PARALLEL]
    return left_low and left_high
