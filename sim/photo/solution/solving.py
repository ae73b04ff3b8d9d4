"""The joint solution: the camera, pillars and roads that explain all marks best, and how well they
are known.

Least squares in which an outlier loses its weight: every mark, and every tip on its disc, is off as
Student's t in two dimensions says. How far taps are off is found along with the rest. The method of
Levenberg and Marquardt descends from each of a few starts; the derivatives are analytic.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rules.errors import InputError
from sim.photo.solution import camera as cameras
from sim.photo.solution.camera import Camera
from sim.photo.solution.resting import at_rest
from sim.photo.solution.scene import PIXELS, Floats, Rows, Scene, linearised
from sim.photo.solution.starting import placed, starts

__all__ = [
    "Solution",
    "carried_on",
    "check_determined",
    "improved",
    "pair_costs",
    "pair_weights",
    "single_costs",
    "solve",
]

# degrees of freedom of Student's t, of pairs and of singles: the fewer, the less an outlier counts
_TAILS, _TAIL = (
    4.0,
    3.0,
)
_LOOK, _STEPS = 8, 40  # steps from each start, and from the best of them
_RESTS = 2  # how often the sticks are let down
_ENOUGH = 2e-3  # a step that mends less than this is the last
_SCALE_BELIEF = 6.0  # how many residuals the belief in PIXELS is worth
_FEWEST, _MOST = 0.5, 25.0  # pixels that taps may be off
_EQUATIONS = 5  # the four numbers of a camera that matter, and one to tell a wrong mark by
_LOWEST = 10.0  # degrees of tilt under which a table is too flat to be read
# mm by which pillars may be off, 1 sigma at the median, before the photo counts as undetermined
_OPEN = 6.0


@dataclass(frozen=True)
class Solution:
    """The best explanation of the marks: the vector of unknowns, how far taps are off (1 sigma in
    pixels), and its cost.

    `cost` is minus twice the logarithm of the likelihood, up to a constant.
    """

    scene: Scene
    vector: Floats
    pixels: float
    cost: float

    @property
    def camera(self) -> Camera:
        """The camera."""
        return Camera.of(self.vector[: cameras.SIZE])

    @property
    def pillars(self) -> Floats:
        """Where the pillars stand (p, 2), mm."""
        return self.scene.pillars_in(self.vector)

    @property
    def tips(self) -> Floats:
        """The tips of the roads (n, 2, 3), mm."""
        return self.scene.tips(self.vector)

    @cached_property
    def rows(self) -> Rows:
        """The residuals and their derivatives at the solution."""
        return linearised(self.scene, self.vector, self.pixels)

    @cached_property
    def off(self) -> Floats:
        """How far the two taps of each road are off (n, 2), in pixels."""
        pixels, *_ = cameras.project(self.vector[: cameras.SIZE], self.tips.reshape(-1, 3))
        away: Floats = np.linalg.norm(pixels.reshape(-1, 2, 2) - self.scene.ends, axis=-1)
        return away

    @property
    def rms(self) -> float:
        """The root of the mean square by which the taps of roads are off, in pixels."""
        return float(np.sqrt((self.off**2).mean()))

    @cached_property
    def root(self) -> Floats:
        """The Cholesky factor of the inverse covariance of the unknowns."""
        normal, _ = _normal(self.rows)
        return np.linalg.cholesky(
            normal + np.eye(len(normal)) * 1e-9 * np.trace(normal) / len(normal)
        )

    def drawn(self, count: int, rng: np.random.Generator) -> Floats:
        """Vectors of unknowns that explain the marks as well as the errors of taps allow, (count,
        size).
        """
        noise = rng.standard_normal((self.scene.size, count))
        drawn: Floats = self.vector + np.linalg.solve(self.root.T, noise).T
        return drawn


def solve(scene: Scene, begin: Sequence[Floats] = ()) -> Solution:
    """The best explanation of the marks, from the vectors in `begin` or from many starts.

    Raises InputError if the marks leave the camera open, with what to add.
    """
    _check_enough(scene)
    tries = begin or starts(scene)
    found = [_down(scene, vector, PIXELS, _LOOK) for vector in tries]
    seen = [one for one in found if math.isfinite(one.cost)]
    if not seen:
        raise InputError(_nothing_fits(scene))
    best = improved(min(seen, key=lambda one: one.cost))
    for _ in range(_RESTS):
        best = improved(best, at_rest(best.scene, best.vector))
    return best


def carried_on(scene: Scene, camera: Floats) -> Solution:
    """A quick solution from a camera that was nearly right: a mark was added or dragged since.
    Sticks are not let down.
    """
    return improved(_down(scene, placed(scene, camera), PIXELS, _STEPS), rounds=1)


def improved(solution: Solution, scene: Scene | None = None, rounds: int = 2) -> Solution:
    """The solution carried on to the end; in another scene, if one is given, that differs
    little.
    """
    scene = scene or solution.scene
    found = _down(scene, solution.vector, solution.pixels, _STEPS)
    for _ in range(rounds):
        found = _down(scene, found.vector, _scale(found), _STEPS)
    return found


def check_determined(solution: Solution, spread: Floats) -> None:
    """Raises InputError if pillars, off by `spread` (mm, 1 sigma), or the camera are not known well
    enough.
    """
    tilt = math.degrees(solution.camera.tilt)
    if tilt < _LOWEST:
        raise InputError(
            f"the camera looks along the table, {tilt:.0f} degrees under the horizon;"
            f" take the photo from higher up: 30 to 70 degrees are good, {_LOWEST:.0f} are the "
            "least"
        )
    off = float(np.median(spread)) if len(spread) else 0.0
    if off > _OPEN:
        raise InputError(
            f"the marks leave the camera open: pillars could be off by {off:.0f} mm; "
            f"{_what_to_add(solution.scene)}"
        )


def _check_enough(scene: Scene) -> None:
    """A road gives one equation more than it has unknowns, a sheet five; the camera has four that
    matter.
    """
    if scene.roads == 0 and len(scene.known) < 2:
        raise InputError(f"no road is marked; {_what_to_add(scene)}")
    known = scene.marks.image.focal is not None
    have = scene.roads + 5 * (scene.sheet is not None) + known + 2 * max(len(scene.known) - 2, 0)
    if have < _EQUATIONS:
        raise InputError(
            f"{scene.roads} roads are too few to find the camera by; {_what_to_add(scene)}"
        )


def _what_to_add(scene: Scene) -> str:
    ways = ["mark more roads (five or more do)"] if scene.roads < 6 else ["mark more roads"]
    if scene.sheet is None:
        ways.append('lay a sheet of paper on the table and mark its corners ("sheet")')
    if scene.marks.image.focal is None:
        ways.append('give the focal length in pixels ("focal"), which --image takes from the photo')
    return f"{', or '.join(ways)}"


def _nothing_fits(scene: Scene) -> str:
    return (
        "no camera can have seen these marks; check the discs and the ends of all "
        f"{scene.roads} roads"
    )


# --- going down -----------------------------------------------------------------------------------


def _cost(rows: Rows) -> float:
    return (
        float(np.sum(pair_costs(rows)) + np.sum(single_costs(rows)) + (rows.plain**2).sum())
        if rows.seen
        else math.inf
    )


def pair_costs(rows: Rows) -> Floats:
    """What each pair costs, minus twice a logarithm of the likelihood."""
    costs: Floats = (_TAILS + 2) * np.log1p((rows.pairs**2).sum(axis=1) / _TAILS)
    return costs


def single_costs(rows: Rows) -> Floats:
    """What each single costs."""
    costs: Floats = (_TAIL + 1) * np.log1p(rows.singles**2 / _TAIL)
    return costs


def pair_weights(rows: Rows) -> Floats:
    """How much each pair counts: the further off, the less."""
    weights: Floats = (_TAILS + 2) / (_TAILS + (rows.pairs**2).sum(axis=1))
    return weights


def _normal(rows: Rows) -> tuple[Floats, Floats]:
    """The normal matrix and the gradient, with the weights that Student's t gives."""
    pair = np.sqrt(pair_weights(rows))[:, None]
    single = np.sqrt((_TAIL + 1) / (_TAIL + rows.singles**2))
    size = rows.by_plain.shape[1]
    by = np.concatenate(
        [
            (rows.by_pairs * pair[:, :, None]).reshape(-1, size),
            rows.by_singles * single[:, None],
            rows.by_plain,
        ]
    )
    here = np.concatenate([(rows.pairs * pair).ravel(), rows.singles * single, rows.plain])
    return by.T @ by, by.T @ here


def _down(scene: Scene, vector: Floats, pixels: float, steps: int) -> Solution:
    rows = linearised(scene, vector, pixels)
    cost, damping = _cost(rows), 1e-3
    for _ in range(steps):
        normal, slope = _normal(rows)
        was = cost
        for _ in range(8):
            damped = normal + np.diag(np.diag(normal) * damping)
            after = vector - np.linalg.solve(damped, slope)
            trial = linearised(scene, after, pixels)
            if _cost(trial) < cost:
                vector, rows, cost, damping = after, trial, _cost(trial), max(damping * 0.2, 1e-9)
                break
            damping = max(damping * 8, 1e-4)
        if not was - cost > _ENOUGH:
            break
    return Solution(scene, vector, pixels, cost + _sharpness(scene, pixels))


def _sharpness(scene: Scene, pixels: float) -> float:
    """What the likelihood of the marks owes to their scale."""
    marks = int(scene.used.sum()) + len(scene.tops) + (0 if scene.sheet is None else 4)
    return 4.0 * marks * math.log(pixels)


def _scale(found: Solution) -> float:
    """How far taps are off, by the residuals of the marks and by how much of them the unknowns have
    taken up.
    """
    rows = found.rows
    pairs = rows.pairs[: rows.bearings]
    square, weight = (pairs**2).sum(axis=1), pair_weights(rows)[: rows.bearings]
    by = rows.by_pairs[: rows.bearings].reshape(-1, found.scene.size)
    taken = np.linalg.solve(found.root, by.T)
    leverage = (taken**2).sum(axis=0).reshape(-1, 2).sum(axis=1) * weight
    free = float((2.0 - np.minimum(leverage, 2.0)).sum()) - 2.0 * float((~found.scene.used).sum())
    mean = (_SCALE_BELIEF * (PIXELS / found.pixels) ** 2 + float((weight * square).sum())) / (
        _SCALE_BELIEF + max(free, 0.0)
    )
    return float(np.clip(found.pixels * math.sqrt(mean), _FEWEST, _MOST))
