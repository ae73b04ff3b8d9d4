"""When a run ends: what is at rest, how discs that roll on the table are slowed down, and when
nothing that still moves can matter.

Every engine calls this module at every look. No engine knows the rules.
"""

import math
from collections.abc import Sequence

import numpy as np

from sim.bodies import Body, Bools, Box, Cylinder, Floats, dot
from sim.physics.engine import SettleParams

# --- rest -----------------------------------------------------------------------------------------


_CREEP = 0.25
_FALLING = 0.5  # mm: a piece at rest that has gone so far does not come back


def movement(before: Floats, after: Floats) -> tuple[Floats, Floats]:
    """How far, in mm and in degrees, each state (..., 7) of `after` is from that of `before`."""
    shift = np.sqrt(((after[..., :3] - before[..., :3]) ** 2).sum(-1))
    (ax, ay, az, aw), (bx, by, bz, bw) = (
        [states[..., k] for k in range(3, 7)] for states in (before, after)
    )
    x = aw * bx - ax * bw - ay * bz + az * by
    y = aw * by - ay * bw - az * bx + ax * bz
    z = aw * bz - az * bw - ax * by + ay * bx
    w = ax * bx + ay * by + az * bz + aw * bw
    return shift, np.degrees(2 * np.arctan2(np.sqrt(x * x + y * y + z * z), np.abs(w)))


def restless(states: Floats, settle: SettleParams) -> Bools:
    """Which pieces are not at rest, from their states (checks, n, 7) over the last `quiet_time`.

    Contacts chatter: in Bullet a piece at rest jumps by a hundredth of a millimetre, at any speed;
    in MuJoCo a road rocks by tenths of a degree. So this compares the means over the three thirds
    of the time. A piece is restless if it went from the second to the third faster than the
    tolerances; or at a quarter of that, if it went twice as fast as from the first to the second:
    that is how a slow fall from an unstable balance begins.
    """
    third = len(states) // 3
    if not third:
        return np.ones(states.shape[1], dtype=bool)
    first, second, last = (states[k * third : (k + 1) * third].sum(0) / third for k in range(3))
    found = np.zeros(states.shape[1], dtype=bool)
    time = settle.quiet_time / 3
    for earlier, later, most in zip(
        movement(first, second),
        movement(second, last),
        (settle.quiet_speed * time, settle.quiet_turn * time),
        strict=True,
    ):
        found |= (later > most) | ((later > _CREEP * most) & (later > 2 * earlier))
    return found


def will_stay(start: Floats, states: Floats, looks: int, settle: SettleParams) -> Bools:
    """Which pieces would stay within the tolerances of where they began (`start`) even if, for so
    many more looks, they went on twice as fast as in the last ones, `states` (looks, n, 7).
    """
    half = len(states) // 2
    before, now = (part.sum(0) / half for part in (states[:half], states[half:]))
    (shift, turn), (slips, turns) = movement(start, now), movement(before, now)
    more = 2 * looks / half
    return np.asarray(
        (shift + more * slips <= settle.still_shift) & (turn + more * turns <= settle.still_turn)
    )


def is_falling(start: Floats, now: Floats) -> bool:
    """Whether any piece that was at rest in the states `start` (n, 7) is falling in `now`."""
    return bool((movement(start, now)[0] > _FALLING).any())


def resting(states: Floats) -> Floats:
    """The mean state (n, 7) of pieces at rest, free of chatter."""
    mean: Floats = states.sum(0) / len(states)
    mean[:, 3:] /= np.sqrt((mean[:, 3:] ** 2).sum(1))[:, None]
    return mean


# --- rolling --------------------------------------------------------------------------------------

# A contact point has no extent and bears no torque, so a disc on its rim would roll for ever. Under
# a real disc the load lies ahead of the middle, by a share of the radius that is called the
# resistance, and a disc that rolls freely on a level table slows down evenly. Engines call this
# module at every look and set the new speeds. Discs that lie flat, lean or slide are not braked.

RESISTANCE = 0.04  # wood on wood: 0.02 to 0.05
# mm/s2 for a solid cylinder: its inertia counts as 1.5 masses, since it turns as well
SLOWING = RESISTANCE * 9810.0 / 1.5
# mm: by so much the load on a disc that rolls lies ahead of its middle. Wherever two pieces lie on
# each other, the load may shift by as much before the upper one rocks or turns. A contact point has
# no extent; on points alone, pieces rock by a tenth of a degree each time a table is let go again.
LEVER = RESISTANCE * 15.0
_UPRIGHT = math.cos(math.radians(45.0))  # the axis of a disc that stands is steeper than this
_TOUCHING = 0.3  # mm


class Rollers:
    """Finds, among bodies in a fixed order, the discs that are on their rims on the table."""

    def __init__(self, bodies: Sequence[Body]) -> None:
        shapes = [body.shape if body.mass > 0 else None for body in bodies]
        self._round = np.flatnonzero([isinstance(shape, Cylinder) for shape in shapes])
        self.radii = np.array(
            [shape.radius if isinstance(shape, Cylinder) else 0.0 for shape in shapes]
        )
        self.slowing = np.array([slowing(body) for body in bodies])
        self._half = np.array(
            [shape.height / 2 if isinstance(shape, Cylinder) else 0.0 for shape in shapes]
        )

    def among(self, states: Floats) -> list[int]:
        """Their places in the states (n, 7): x, y, z in mm and the quaternion."""
        discs = states[self._round]
        rises = np.abs(1 - 2 * (discs[:, 3] ** 2 + discs[:, 4] ** 2))  # the z of the axis
        return [
            k
            for k, rise in zip(self._round.tolist(), rises.tolist(), strict=True)
            if rise < _UPRIGHT and self._lowest(k, float(states[k, 2]), rise) < _TOUCHING
        ]

    def _lowest(self, k: int, z: float, rise: float) -> float:
        """The height of the lowest point of a disc's rim."""
        return float(z - self.radii[k] * math.sqrt(max(0.0, 1 - rise**2)) - self._half[k] * rise)


def slowing(body: Body) -> float:
    """By how much a body that rolls on the table slows down, in mm/s2."""
    return SLOWING if body.rolling is None else body.rolling / RESISTANCE * SLOWING


def braked(
    state: Floats,
    linear: Floats,
    angular: Floats,
    radius: float,
    seconds: float,
    slowing: float = SLOWING,
) -> tuple[Floats, Floats]:
    """The velocity (mm/s) and the rate of turning (radians/s) of a disc on its rim, that much
    later.

    Only rolling is braked: the turning about the disc's axis, and the motion of its middle that
    belongs to it.
    """
    x, y, z, w = state[3:]
    axis = np.array((2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)))
    ahead = np.array((axis[1], -axis[0], 0.0)) / math.hypot(axis[0], axis[1])
    turning, going = float(dot(angular, axis)), float(dot(linear, ahead))
    return linear - _slower(going, slowing * seconds) * ahead, angular - _slower(
        turning, slowing * seconds / radius
    ) * axis


def _slower(speed: float, most: float) -> float:
    return math.copysign(min(abs(speed), most), speed)


# --- what has fallen for good ---------------------------------------------------------------------

# The players put back fallen pieces, so it does not matter how a fallen disc rolls on. The tests
# here are stricter: a piece that has fallen for good has fallen by every test of the rules.

EDGE = 750.0  # mm from the middle of the table; a table is wider where pieces stand further out
_MARGIN = 200.0  # mm of table beyond the outermost piece
_TILTED = 0.7  # cosine, of 45 degrees: no disc that stands is tilted so far
_SANK = 10.0  # mm that an end of a road sinks when it comes off a disc
_ASIDE = 30.0  # mm aside: a road that moved so far cannot have both ends on their discs
_LOW = 8.0  # mm: the middle of a car that lies on the table is no higher than this
_SLOW = 30.0  # mm/s: slower, no piece moves another
_UP_AND_DOWN = 60.0  # mm/s: faster, it is falling or being thrown
_CLEAR = 3.0  # mm between a piece that rolls and what it passes


class Outcome:
    """Judges looks at the bodies of a run, whose order is fixed, from the poses in which it began.

    `others` are the bodies around that are held.
    """

    def __init__(self, bodies: Sequence[Body], others: Sequence[Body]) -> None:
        self._bodies, every = tuple(bodies), [*bodies, *others]
        self._start = np.array([body.pose.to_list() for body in bodies]).reshape(-1, 7)
        self._kinds = np.array([body.kind for body in bodies], dtype="<U8")
        # half the length of each body along its x axis
        self._halves = np.array(
            [body.shape.size[0] / 2 if isinstance(body.shape, Box) else 0.0 for body in bodies]
        )
        self._widths = np.array([_reach(body) for body in bodies])
        self._fixed = np.array([body.pose.at[:2] for body in others]).reshape(-1, 2)
        self._fixed_widths = np.array([_reach(body) for body in others])
        out = [max(map(abs, body.pose.at[:2])) + _reach(body) + _MARGIN for body in every]
        self._edge = max([EDGE, *out])

    def beyond(self, states: Floats) -> Bools:
        """Which have gone over the edge of the table."""
        out = np.abs(states[:, :2])
        if not (out > EDGE).any():  # no table is narrower
            return np.zeros(len(states), dtype=bool)
        return np.asarray((out > self._edge).any(axis=1), dtype=bool)

    def decided(self, moving: Bools, earlier: Floats, states: Floats, seconds: float) -> bool:
        """Whether nothing that moves can still matter; `earlier` are the states so many seconds
        before.
        """
        rows = np.flatnonzero(moving)
        fallen = self._fallen(states) | self.beyond(states)
        if not fallen[rows].all():
            return False
        speed = (states[:, :3] - earlier[:, :3]) / seconds
        if (np.abs(speed[rows, 2]) > _UP_AND_DOWN).any():
            return False
        across = np.hypot(speed[:, 0], speed[:, 1])
        return all(
            across[k] < _SLOW or self._clear(k, across[k], fallen, states) for k in rows.tolist()
        )

    def _clear(self, k: int, speed: float, fallen: Bools, states: Floats) -> bool:
        """Whether this piece stops before it can reach anything that stands, in any direction."""
        way = speed**2 / (2 * slowing(self._bodies[k])) + self._widths[k] + _CLEAR
        there = np.concatenate([states[~fallen, :2], self._fixed])
        widths = np.concatenate([self._widths[~fallen], self._fixed_widths])
        return bool((np.hypot(*(there - states[k, :2]).T) > way + widths).all())

    def _fallen(self, states: Floats) -> Bools:
        """Which have fallen for good: discs on edge or a whole radius aside, roads with an end
        down, cars on the table.
        """
        aside = np.hypot(*(states[:, :2] - self._start[:, :2]).T)
        sank = self._start[:, 2] - states[:, 2]
        rise = np.abs(1 - 2 * (states[:, 3] ** 2 + states[:, 4] ** 2))
        discs = (rise < _TILTED) | (aside > self._widths)
        roads = (aside > _ASIDE) | (
            (self._long_ends(self._start) - self._long_ends(states)).max(axis=1) > _SANK
        )
        cars = (states[:, 2] < _LOW) & (sank > _LOW)
        found: Bools = np.select(
            [self._kinds == "disc", self._kinds == "road", self._kinds == "car"],
            [discs, roads, cars],
            False,
        )
        return found

    def _long_ends(self, states: Floats) -> Floats:
        """The heights (n, 2) of the two ends of each body's x axis, half of its length away."""
        x, y, z, w = states[:, 3:].T
        up = self._halves * 2 * (x * z - y * w)
        heights: Floats = np.stack([states[:, 2] + up, states[:, 2] - up], axis=1)
        return heights


def _reach(body: Body) -> float:
    """How far a body reaches from its middle in plan, mm."""
    if isinstance(body.shape, Box):
        return math.hypot(*body.shape.size) / 2
    return body.shape.radius
