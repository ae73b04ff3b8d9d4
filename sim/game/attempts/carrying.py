"""How a piece hangs from a hand that a person leads: it lags behind, swings, and trembles the more
the longer it is held.

The page in the browser draws by the same numbers (`shutoko/web/static/holding.js`), from the same
`Tremble`, which the server draws and sends ahead. The page only reports where the hand was led, as
a trace. So nobody can choose how a hand trembles, and what a person saw in the moment of letting go
is what physics gets. Lengths in mm, angles in degrees, times in seconds.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from rules.errors import InputError
from sim.game.attempts.hand import Skill
from sim.game.attempts.posing import Jitter

LIFT = 45.0
"""mm above its place at which a piece is taken into the hand."""

MAX_SECONDS = 40.0
"""A piece that is held for longer slips from the fingers."""

STEP = 1 / 120
"""Seconds of one step of the motion."""

_FAR = 150.0  # mm beside its place: further off a piece is not let go
_SAMPLES = 4000
_AXES = ("x", "y", "z", "tilt_x", "tilt_y", "yaw")
_WAVES = (0.7, 1.3, 2.3, 4.1, 7.0)  # Hz about which a hand sways and trembles
_SHARES = (0.62, 0.5, 0.42, 0.28, 0.16)  # of the amplitude: slow sways are wide
# of the spring between hand and piece: radians a second, share of the critical damping
_LAG, _DAMPING = (
    2 * math.pi * 2.2,
    0.5,
)
_SWING = 0.12  # degrees of tilt for a mm that a piece lags behind
_MOST_TILT = 8.0  # degrees
# the tremble's strength when it begins, its growth a second, and at most
_CALM, _TIRING, _MOST = (
    0.5,
    0.2,
    3.0,
)
_FASTEST = 300.0  # mm/s in which a hand lets go

Sample = tuple[float, float, float, float, float]
"""Where a hand was led: the time, x, y and height beside the place that is meant, and the turn."""

Wave = tuple[float, float, float]
"""Amplitude, Hz, and phase (radians)."""


@dataclass(frozen=True, slots=True)
class Tremble:
    """How a hand trembles along x, y, z, about x, y and z: sums of waves. `pull` (mm) is how far
    around its place a piece is drawn there by a hand that has help; 0 without. `crooked` are shifts
    (x, y) of the discs of a pillar, from below.
    """

    waves: tuple[tuple[Wave, ...], ...]
    pull: float
    crooked: tuple[tuple[float, float], ...]

    def to_json(self) -> dict[str, Any]:
        """As the page gets it, with the constants of the motion."""
        return {
            **asdict(self),
            "step": STEP,
            "lag": _LAG,
            "damping": _DAMPING,
            "swing": _SWING,
            "most_tilt": _MOST_TILT,
            "calm": _CALM,
            "tiring": _TIRING,
            "most": _MOST,
            "lift": LIFT,
            "seconds": MAX_SECONDS,
            "far": _FAR,
        }


def tremble(rng: np.random.Generator, skill: Skill, discs: int = 0, pull: float = 0.0) -> Tremble:
    """The tremble of a hand of that skill that holds a pillar of so many discs, or a road.

    After some seconds its deviations are those of the skill.
    """
    sizes = (skill.shift, skill.shift, 0.3 * skill.shift, skill.tilt, skill.tilt, skill.yaw)
    waves = tuple(
        tuple(_wave(rng, size, hertz, share) for hertz, share in zip(_WAVES, _SHARES, strict=True))
        for size in sizes
    )
    crooked = (0.25 * skill.shift * rng.standard_normal((discs, 2))).tolist()
    return Tremble(waves, pull, tuple((x, y) for x, y in crooked))


def let_go(how: Tremble, trace: Sequence[Sequence[float]]) -> Jitter:
    """The shift, turn and velocity of a piece in the moment of letting go, at the end of a trace of
    `Sample`s.

    Raises InputError for a trace that no hand makes.
    """
    samples = _checked(trace)
    steps = int(samples[-1][0] / STEP + 1e-9)
    x, y = _drawn_in(how, samples[0])
    vx = vy = 0.0
    at = 0
    for k in range(steps):
        now = k * STEP
        while at + 2 < len(samples) and samples[at + 1][0] <= now:
            at += 1
        ux, uy = _drawn_in(how, _between(samples[at], samples[min(at + 1, len(samples) - 1)], now))
        vx += (_LAG * _LAG * (ux - x) - 2 * _DAMPING * _LAG * vx) * STEP
        vy += (_LAG * _LAG * (uy - y) - 2 * _DAMPING * _LAG * vy) * STEP
        x, y = x + vx * STEP, y + vy * STEP
    end, last = samples[-1], steps * STEP
    sway = [_sway(waves, last) for waves in how.waves]
    rate = [
        (_sway(waves, last + STEP) - _sway(waves, last - STEP)) / (2 * STEP)
        for waves in how.waves[:2]
    ]
    ux, uy = _drawn_in(how, end)
    shift = (x + sway[0], y + sway[1], max(end[3] + sway[2], 0.0))
    tilt = (_tilted(_SWING * (y - uy) + sway[3]), _tilted(_SWING * (ux - x) + sway[4]))
    speed = tuple(
        min(max(part, -_FASTEST), _FASTEST)
        for part in (vx + rate[0], vy + rate[1], _sinking(samples))
    )
    return Jitter(shift, (*tilt, end[4] + sway[5]), (speed[0], speed[1], speed[2]))


def _wave(rng: np.random.Generator, size: float, hertz: float, share: float) -> Wave:
    return (
        size * share * math.sqrt(2),
        hertz * (0.85 + 0.3 * float(rng.random())),
        math.tau * float(rng.random()),
    )


def _sway(waves: Sequence[Wave], at: float) -> float:
    strength = min(_CALM + _TIRING * at, _MOST)
    return strength * math.fsum(
        size * math.sin(math.tau * hertz * at + phase) for size, hertz, phase in waves
    )


def _drawn_in(how: Tremble, sample: Sequence[float]) -> tuple[float, float]:
    """Where the hand holds the piece: with help nearer to its place than it is led."""
    _, x, y, *_ = sample
    away = math.sqrt(x * x + y * y)
    share = away / (away + how.pull) if how.pull else 1.0
    return x * share, y * share


def _between(one: Sample, other: Sample, now: float) -> Sample:
    part = 0.0 if other[0] <= one[0] else min(max((now - one[0]) / (other[0] - one[0]), 0.0), 1.0)
    return (
        now,
        one[1] + (other[1] - one[1]) * part,
        one[2] + (other[2] - one[2]) * part,
        other[3],
        other[4],
    )


def _tilted(degrees: float) -> float:
    return min(max(degrees, -_MOST_TILT), _MOST_TILT)


def _sinking(samples: Sequence[Sample]) -> float:
    """The speed (mm/s, negative) with which the hand came down in the last tenth of a second; none
    once the piece lies.
    """
    end = samples[-1]
    if end[3] <= 0.0:
        return 0.0
    before = next((one for one in reversed(samples) if one[0] <= end[0] - 0.1), samples[0])
    return min((end[3] - before[3]) / max(end[0] - before[0], STEP), 0.0)


def _checked(trace: Sequence[Sequence[float]]) -> list[Sample]:
    """The trace as samples. The page may be anybody's program, so everything is checked."""
    if not isinstance(trace, list | tuple) or not 1 <= len(trace) <= _SAMPLES:
        raise InputError(f"a hand leaves 1 to {_SAMPLES} samples")
    samples = []
    for one in trace:
        if (
            not isinstance(one, list | tuple)
            or len(one) != len(_AXES) - 1
            or not all(isinstance(part, int | float) and math.isfinite(part) for part in one)
        ):
            raise InputError("a sample of a hand is five numbers: time, x, y, height, turn")
        samples.append((float(one[0]), float(one[1]), float(one[2]), float(one[3]), float(one[4])))
    seconds, far = samples[-1][0], [max(abs(x), abs(y)) for _, x, y, _, _ in samples]
    for wrong, why in (
        (
            any(later[0] < earlier[0] for earlier, later in itertools.pairwise(samples))
            or not 0 <= samples[0][0] < 1,
            "the samples of a hand are not in the order of their times",
        ),
        (
            seconds > MAX_SECONDS + 1,
            f"nobody holds a piece for {seconds:.0f} s; it slips after {MAX_SECONDS:g} s",
        ),
        (
            max(far) > _FAR
            or any(not 0 <= z <= 2 * LIFT or abs(turn) > 180 for *_, z, turn in samples),
            "the hand was led too far from where the piece belongs",
        ),
    ):
        if wrong:
            raise InputError(why)
    return samples
