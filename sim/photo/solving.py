"""The joint solution: the camera, pillars and roads that explain all marks best, and how well they
are known.

Least squares in which an outlier loses its weight: every mark, and every tip on its disc, is off as
Student's t in two dimensions says. How far taps are off is found along with the rest. The method of
Levenberg and Marquardt descends from each of a few starts; the derivatives are analytic.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import numpy as np

from rules.errors import InputError, Refusal
from sim.bodies import Body, rotate
from sim.photo import camera as cameras
from sim.photo.camera import FOCAL, HEIGHT, ROLL, TILT, Camera, Frame
from sim.photo.descent import descended
from sim.photo.scene import Bools, Floats, Rows, Scene, linearised, moved, sheet_corners
from sim.physics.drop import rest_disc, rest_road

# degrees of freedom of Student's t, of pairs and of singles: the fewer, the less an outlier counts
_TAILS, _TAIL = (
    4.0,
    3.0,
)
_LOOK, _STEPS = 8, 40  # steps from each start, and from the best of them
_RESTS = 2  # how often the sticks are let down
_ENOUGH = 2e-3  # a step that mends less than this is the last
_LARGEST = 20.0  # logarithms of the focal length and the height: no step goes beyond
_SCALE_BELIEF = 6.0  # how many residuals the belief in `Scene.taps_off` is worth
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
        return np.asarray(np.linalg.norm(pixels.reshape(-1, 2, 2) - self.scene.ends, axis=-1))

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
        return np.asarray(self.vector + np.linalg.solve(self.root.T, noise).T)


def solve(scene: Scene, begin: Sequence[Floats] = ()) -> Solution:
    """The best explanation of the marks, from the vectors in `begin` or from many starts.

    Raises InputError if the marks leave the camera open, with what to add.
    """
    _check_enough(scene)
    found = [_down(scene, vector, scene.taps_off, _LOOK) for vector in begin or starts(scene)]
    seen = [one for one in found if math.isfinite(one.cost)]
    if not seen:
        raise InputError(
            Refusal(
                "no camera can have seen these marks; check the discs and the ends of all "
                f"{scene.roads} roads",
                "photo-nothing-fits",
                roads=scene.roads,
            )
        )
    best = improved(min(seen, key=lambda one: one.cost))
    for _ in range(_RESTS):
        best = improved(best, at_rest(best.scene, best.vector))
    return best


def carried_on(scene: Scene, camera: Floats) -> Solution:
    """A quick solution from a camera that was nearly right: a mark was added or dragged since.
    Sticks are not let down.
    """
    return improved(_down(scene, placed(scene, camera), scene.taps_off, _STEPS), rounds=1)


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
        told = (
            f"the camera looks along the table, {tilt:.0f} degrees under the horizon;"
            f" take the photo from higher up: 45 to 70 degrees are good, {_LOWEST:.0f} are the "
            "least"
        )
        raise InputError(Refusal(told, "photo-flat", tilt=tilt, least=_LOWEST))
    off = float(np.median(spread)) if len(spread) else 0.0
    if off > _OPEN:
        add = _what_to_add(solution.scene)
        told = f"the marks leave the camera open: pillars could be off by {off:.0f} mm; {add}"
        raise InputError(Refusal(told, "photo-open", mm=off, add=add))


def _check_enough(scene: Scene) -> None:
    """A road gives one equation more than it has unknowns, a sheet five; the camera has four that
    matter.
    """
    if scene.roads == 0 and len(scene.known) < 2:
        add = _what_to_add(scene)
        raise InputError(Refusal(f"no road is marked; {add}", "photo-no-road", add=add))
    known = scene.marks.image.focal is not None
    have = scene.roads + 5 * (scene.sheet is not None) + known + 2 * max(len(scene.known) - 2, 0)
    if have < _EQUATIONS:
        add = _what_to_add(scene)
        told = f"{scene.roads} roads are too few to find the camera by; {add}"
        raise InputError(Refusal(told, "photo-few", roads=scene.roads, add=add))


def _what_to_add(scene: Scene) -> Refusal:
    """What would tell more about the camera."""
    few, sheet = scene.roads < 6, scene.sheet is None
    focal = scene.marks.image.focal is None
    ways = ["mark more roads (five or more do)"] if few else ["mark more roads"]
    if sheet:
        ways.append('lay a sheet of paper on the table and mark its corners ("sheet")')
    if focal:
        ways.append('give the focal length in pixels ("focal"), which --image takes from the photo')
    return Refusal(", or ".join(ways), "photo-add-sheet" if sheet else "photo-add", few=int(few))


# --- going down -----------------------------------------------------------------------------------


def _cost(rows: Rows) -> float:
    return (
        float(np.sum(pair_costs(rows)) + np.sum(single_costs(rows)) + (rows.plain**2).sum())
        if rows.seen
        else math.inf
    )


def pair_costs(rows: Rows) -> Floats:
    """What each pair costs, minus twice a logarithm of the likelihood."""
    return np.asarray((_TAILS + 2) * np.log1p((rows.pairs**2).sum(axis=1) / _TAILS))


def single_costs(rows: Rows) -> Floats:
    """What each single costs."""
    return np.asarray((_TAIL + 1) * np.log1p(rows.singles**2 / _TAIL))


def pair_weights(rows: Rows) -> Floats:
    """How much each pair counts: the further off, the less."""
    return np.asarray((_TAILS + 2) / (_TAILS + (rows.pairs**2).sum(axis=1)))


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
    def look(at: Floats) -> Rows | None:
        allowed = at is vector or np.abs(at[[FOCAL, HEIGHT]]).max() < _LARGEST
        return linearised(scene, at, pixels) if allowed else None

    found, cost = descended(
        vector, look, _cost, _normal, steps=steps, enough=lambda was, now: not was - now > _ENOUGH
    )
    # the likelihood of the marks also depends on their scale
    marks = int(scene.used.sum()) + len(scene.tops) + (0 if scene.sheet is None else 4)
    return Solution(scene, found, pixels, cost + 4.0 * marks * math.log(pixels))


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
    mean = (
        _SCALE_BELIEF * (found.scene.taps_off / found.pixels) ** 2 + float((weight * square).sum())
    ) / (_SCALE_BELIEF + max(free, 0.0))
    return float(np.clip(found.pixels * math.sqrt(mean), _FEWEST, _MOST))


# --- where to begin -------------------------------------------------------------------------------
# Where to begin: cameras that see roads of the right length, found from many tilts, rolls, heights
# and focal lengths at once.
#
# The heights of both ends of a road are known in discs, so a camera says where the ends are in
# plan, and how long the road is there. Only four numbers of a camera matter for that. All starts
# are improved together; a sheet's sides and diagonals count as roads on the table. A wrong start
# would find a mirror table seen from below.


_TILTS = (15.0, 30.0, 45.0, 60.0, 78.0)  # degrees under the horizon
_ROLLS = (0.0, 90.0, 180.0, -90.0)  # photos are stored upright or lying on a side
_FOCALS = (0.7, 1.0, 1.4)  # times the focal length that is guessed
_FREE = (FOCAL, TILT, ROLL, HEIGHT)
_ROUNDS, _STEP = 25, 1e-5
_OFF = 0.04  # by how much the logarithm of a length is off, 1 sigma; outliers count less
_APART = math.radians(4)  # two starts that came nearer to each other than this are one


def starts(scene: Scene, most: int = 4) -> list[Floats]:
    """Vectors of unknowns to begin from, the best first."""
    pixels, heights, lengths = _sticks(scene)
    guessed = _FOCALS if scene.marks.image.focal is None else (1.0,)
    tries = list(product(guessed, np.radians(_TILTS), np.radians(_ROLLS)))
    many = np.tile(scene.camera, (len(tries), 1))
    many[:, FOCAL] += np.log([focal for focal, _, _ in tries])
    many[:, TILT], many[:, ROLL] = [tilt for _, tilt, _ in tries], [roll for _, _, roll in tries]
    for _ in range(2):  # the height from the lengths
        many[:, HEIGHT] -= np.median(_too_long(many, pixels, heights, lengths), axis=1)
    cost = np.zeros(len(many))
    for _ in range(_ROUNDS):
        many, cost = _nearer(scene, many, pixels, heights, lengths)
    found: list[Floats] = []
    for index in np.argsort(cost):
        camera = many[index]
        if 0.0 < camera[TILT] < math.pi / 2 + 0.2 and not any(
            _alike(camera, other) for other in found
        ):
            found.append(camera)
    return [placed(scene, camera) for camera in found[:most]]


def placed(scene: Scene, camera: Floats) -> Floats:
    """The vector of unknowns for a camera, with every road where its marks say."""
    vector = np.zeros(scene.size)
    vector[: cameras.SIZE], vector[cameras.SIZE] = camera, 0.8
    flat = cameras.unproject(camera, scene.ends.reshape(-1, 2), scene.heights.reshape(-1)).reshape(
        -1, 2, 2
    )
    along = flat[:, 1] - flat[:, 0]
    turn = np.arctan2(along[:, 1], along[:, 0])
    half = scene.runs[:, None] / 2
    first = flat.mean(axis=1) - half * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    roads = np.concatenate([first, turn[:, None], np.zeros((scene.roads, 2))], axis=1)
    vector[scene.roads_at :] = roads.ravel()
    tips = scene.tips_in_plan(vector)
    pillars = np.zeros((len(scene.marks.pillars), 2))
    for pillar in np.unique(scene.pillar[scene.pillar >= 0]):
        pillars[pillar] = np.median(tips[scene.pillar == pillar], axis=0)
    pillars[scene.top_of] = cameras.unproject(camera, scene.tops, scene.top_heights)
    vector[scene.pillars_at : scene.roads_at] = pillars.ravel()
    if scene.sheet is not None:
        seen = cameras.unproject(camera, scene.sheet, np.zeros(4))
        side = seen[1] - seen[0] + seen[2] - seen[3]
        vector[scene.sheet_at : scene.sheet_at + 3] = (
            *seen.mean(axis=0),
            math.atan2(side[1], side[0]),
        )
    return _on_known(scene, vector)


def _on_known(scene: Scene, vector: Floats) -> Floats:
    """Turned and shifted so that the known pillars are where they are known to be; the camera goes
    with the table.
    """
    if len(scene.known) == 0:
        return vector
    here, there = scene.pillars_in(vector)[scene.known_of], scene.known
    turn = Frame.laying(here, there).turn
    return moved(scene, vector, turn, here.mean(axis=0), there.mean(axis=0))


def _sticks(scene: Scene) -> tuple[Floats, Floats, Floats]:
    """What has a known length in plan: pixels (m, 2, 2), heights (m, 2) and lengths (m,) of roads
    and of the sheet.
    """
    if scene.sheet is None:
        return scene.ends, scene.heights, scene.runs
    pairs = np.array([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3)])
    corners = sheet_corners(scene)
    sides = np.linalg.norm(corners[pairs[:, 0]] - corners[pairs[:, 1]], axis=1)
    return (
        np.concatenate([scene.ends, scene.sheet[pairs]]),
        np.concatenate([scene.heights, np.zeros((6, 2))]),
        np.concatenate([scene.runs, sides]),
    )


def _too_long(many: Floats, pixels: Floats, heights: Floats, lengths: Floats) -> Floats:
    """The logarithm of how much too long each stick is as each camera sees it, (s, m)."""
    flat = cameras.unproject(many, pixels.reshape(-1, 2), heights.reshape(-1))
    flat = flat.reshape(*flat.shape[:-2], -1, 2, 2)
    long = np.linalg.norm(flat[..., 1, :] - flat[..., 0, :], axis=-1)
    return np.asarray(np.log(np.maximum(long, 1.0) / lengths))


def _nearer(
    scene: Scene, many: Floats, pixels: Floats, heights: Floats, lengths: Floats
) -> tuple[Floats, Floats]:
    """All cameras one step on, and what they cost before it."""
    shifted = np.repeat(many[None], 1 + len(_FREE), axis=0)
    for k, index in enumerate(_FREE):
        shifted[1 + k, :, index] += _STEP
    values = _too_long(shifted, pixels, heights, lengths) / _OFF
    here, by = values[0], np.moveaxis((values[1:] - values[0]) / _STEP, 0, -1)
    focal = (many[:, FOCAL] - scene.camera[FOCAL]) / scene.camera_off[FOCAL]
    cost = np.log1p(here**2).sum(axis=1) + focal**2
    weight = 1.0 / (1.0 + here**2)
    normal = np.einsum("smi,sm,smj->sij", by, weight, by)
    slope = np.einsum("smi,sm->si", by, weight * here)
    normal[:, 0, 0] += scene.camera_off[FOCAL] ** -2
    slope[:, 0] += focal / scene.camera_off[FOCAL]
    damped = normal + np.eye(4) * (
        0.5 + 0.02 * np.trace(normal, axis1=1, axis2=2)[:, None, None] / 4
    )
    step = np.linalg.solve(damped, slope[:, :, None])[:, :, 0]
    after = many.copy()
    after[:, list(_FREE)] -= np.clip(step, -0.25, 0.25)
    after[:, TILT] = np.clip(after[:, TILT], 0.05, math.pi / 2 + 0.15)
    return after, cost


def _alike(one: Floats, other: Floats) -> bool:
    turned = math.remainder(one[ROLL] - other[ROLL], math.tau)
    return bool(
        abs(one[TILT] - other[TILT]) < _APART
        and abs(turned) < _APART
        and abs(one[FOCAL] - other[FOCAL]) < 0.1
    )


# --- letting sticks down --------------------------------------------------------------------------
# How high the tips of roads lie: sticks are let down, in building order, on their discs and on own
# roads that lie there.
#
# The discs under a road give the heights of its tips only roughly. A stick that slopes rests on the
# near rim of the upper disc, so its upper tip is lifted; and the second road on a pillar often lies
# on the end of the first.


_LEAST, _MOST = -0.5, 6.0  # mm; what lies elsewhere did not land on its discs
_BESIDE = 0.5  # 1 sigma, as a share of how much higher a tip lies on another road than on its disc
# mm, 1 sigma of a tip that seems to lie beside another road, on whose end it may lie as well
_PERHAPS_ON = 0.7


def at_rest(scene: Scene, vector: Floats) -> Scene:
    """The scene with what letting the sticks down says of their tips, where `vector` has them in
    plan.

    A tip that seems to lie on another road may lie beside it as well: two roads share a disc either
    way.
    """
    rest = _lifts(scene, vector)
    on_others = np.maximum(rest - replace(scene, rest=None).lifts(vector), 0.0)
    return replace(
        scene, rest=rest, rest_off=np.maximum(_BESIDE * on_others, _PERHAPS_ON * _later(scene))
    )


def _later(scene: Scene) -> Bools:
    """Which tips (n, 2) came to a pillar on which a road ended before."""
    found, borne = np.zeros((scene.roads, 2), dtype=np.bool_), set[int]()
    for index, pillars in enumerate(scene.pillar.tolist()):
        found[index] = [pillar in borne for pillar in pillars]
        borne.update(pillar for pillar in pillars if pillar >= 0)
    return found


def _lifts(scene: Scene, vector: Floats) -> Floats:
    """By how much each tip (n, 2) lies higher than its discs say, in mm."""
    marks, box = scene.marks, scene.marks.box
    pillars, tips = scene.pillars_in(vector), scene.tips(vector)
    discs = [
        box.body(one.id, "disc", rest_disc((x, y), (one.discs - 1) * box.disc_height, box))
        for one, (x, y) in zip(marks.pillars, pillars.tolist(), strict=True)
    ]
    found, ends_on = np.zeros((scene.roads, 2)), [list[Body]() for _ in discs]
    for index, road in enumerate(marks.roads):
        on = [int(pillar) for pillar in scene.pillar[index] if pillar >= 0]
        beneath = [
            *(discs[pillar] for pillar in on),
            *(body for pillar in on for body in ends_on[pillar]),
        ]
        (ax, ay, _), (bx, by, _) = tips[index].tolist()
        yaw = math.degrees(math.atan2(by - ay, bx - ax))
        pose = rest_road(((ax + bx) / 2, (ay + by) / 2), yaw, beneath, box)
        body = box.body(road.id, "road", pose)
        for pillar in on:
            ends_on[pillar].append(body)
        half = (box.road_length / 2, box.road_thickness / 2)
        lies = [
            body.pose.at[2] + rotate(body.pose.quat, (side * half[0], 0.0, half[1]))[2]
            for side in (-1.0, 1.0)
        ]
        found[index] = np.clip(np.array(lies) - scene.heights[index], _LEAST, _MOST)
    return found


# --- what the rest expects of a tap ---------------------------------------------------------------
# Each tap left out: where the rest of the photo expects it, and how far off it could be without a
# trace.
#
# A tap at the end of a chain, or on the table, is held by the length of its road and by nothing
# else: a slip across the road only turns the road. No test can find such a slip, so the answer says
# how large one could be.


TRACE = 16.0
"""A tap is looked at if the square of its distance from where it is expected, in sigmas, is above
this. By chance 1 in 3000 is.
"""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """For both taps of each road: `square` is the square of the distance in sigmas (n, 2), `spread`
    how far a tap may be from where it is expected by chance (n, 2, 2, 2), a covariance in square
    pixels. A slip of less than `unnoticed` mm may leave no trace (n, 2), at most the length of a
    road.
    """

    square: Floats
    spread: Floats
    unnoticed: Floats


def left_out(solution: Solution) -> LeftOut:
    """How every tap agrees with all the rest."""
    scene, rows = solution.scene, solution.rows
    count, one = 2 * scene.roads, np.eye(2)
    off, by = rows.pairs[:count], rows.by_pairs[:count]
    taken = np.linalg.solve(solution.root, by.reshape(2 * count, -1).T).reshape(
        scene.size, count, 2
    )
    known = np.einsum("kmi,kmj->mij", taken, taken)
    # of its own place that the tap says itself
    share = known * pair_weights(rows)[:count, None, None]
    rest = (1.0 + 1e-9) * one - share
    expected = np.linalg.solve(rest, off[:, :, None])[:, :, 0]
    spread = one + np.linalg.solve(rest, known)
    spread = (spread + spread.transpose(0, 2, 1)) / 2
    square = (expected * np.linalg.solve(spread, expected[:, :, None])[:, :, 0]).sum(axis=1)
    wide = np.sqrt(TRACE * np.linalg.eigvalsh(spread)[:, 1]) * solution.pixels
    unnoticed = np.minimum(wide / pixels_a_mm(solution), scene.length)
    return LeftOut(
        np.where(scene.used, square.reshape(-1, 2), 0.0),
        spread.reshape(-1, 2, 2, 2) * solution.pixels**2,
        unnoticed.reshape(-1, 2),
    )


def pixels_a_mm(solution: Solution) -> Floats:
    """How many pixels a millimetre takes at each tip (2 n,), seen across the view."""
    _, _, by_point, _ = cameras.project(
        solution.vector[: cameras.SIZE], solution.tips.reshape(-1, 3)
    )
    return np.asarray(np.linalg.svd(by_point[:, :, :2], compute_uv=False)[:, 0], dtype=np.float64)
