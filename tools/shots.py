"""Photos of tables with their truth, for the net that finds roads and for its figures: legal games
between computers, seen by random cameras in random light.

Our ray tracer says what each pixel shows; colours, textures, shadows, noise and blur are drawn over
that, so that no two photos look alike. Roads are plain sticks, sticks with a painted stripe, or
painted all over; the tables are wood, cloth or plain; other things lie about. `held_out` numbers
begin where those for training end.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from rules.arena.match import play_game
from rules.arena.players import player
from rules.errors import ShutokoError
from shutoko.export.rendering.camera import Camera as Eye
from shutoko.export.rendering.scene import (
    CAR,
    DISC,
    PLAYER_COLOURS,
    ROAD,
    TABLE,
    Scene,
    scene_of,
)
from sim.bodies import Body, Box, Pose
from sim.game import replay
from sim.game.attempts.posing import bodies
from sim.game.highway import game
from sim.photo.camera import Camera
from sim.referee.table import Table
from tools.staging import true_tips

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]

HELD_OUT = 10_000
"""Numbers from here on are never trained or tuned on."""

_FEWEST, _MOST = 20, 35  # roads
_WIDEST = 600.0  # mm of a table
_TILTS = (30.0, 65.0)  # degrees; photos to learn from are flatter in the mean, as those are harder:
_FLATTER = 1.8  # the power of the share of the way from the flattest to the steepest
_AT_RANDOM = 0.12  # share of players that build anywhere
_RIM = (0.03, 0.12)  # of the longer side, free round the table
_ASIDE = 0.7  # radians at least between the sides from which photos of one table are taken
_QUALITY = (70, 95)  # of the JPEG


@dataclass(frozen=True)
class Played:
    """A table from a game, and the cars that its roads earned by their crossings, by id."""

    table: Table
    cars: dict[str, int]


@dataclass(frozen=True)
class Shot:
    """A photo (h, w, 3), its table and camera; `kinds` and `bodies` say what each pixel shows, a
    kind of `shutoko.export.rendering.scene` and the number of a piece; `places` (h, w, 3) is the
    place of each pixel in its piece's frame, in mm; `heights` (h, w) in mm above the table.
    `light` is how much light falls on the table, `style` how roads are painted.
    """

    pixels: Bytes
    played: Played
    camera: Camera
    pieces: tuple[Body, ...]
    kinds: npt.NDArray[np.int32]
    bodies: npt.NDArray[np.int32]
    places: Floats
    heights: Floats
    facing: Floats
    light: float
    style: str


@cache
def played(number: int) -> Played:
    """The table of a game of 20 to 35 roads between greedy players, by its number; pieces do not
    fall in it.
    """
    rng = np.random.default_rng(number)
    wanted = int(rng.integers(_FEWEST, _MOST + 1))
    for seed in range(1000):
        seats = int(rng.choice([2, 2, 3, 4]))
        made = game(players=seats, engine="none")
        names = ["random" if rng.random() < _AT_RANDOM else "greedy" for _ in range(seats)]
        header = replace(made.header(tuple(names)), seed=number * 1000 + seed)
        try:
            record = play_game(made, [player(name, made) for name in names], header, 80)
        except ShutokoError:
            continue
        cars: dict[str, int] = {}
        best: Table | None = None
        for step in replay.trusted(record):
            table = step.after
            if step.verdict.built and table.roads[-1].id not in cars:
                cars[table.roads[-1].id] = sum(one.scores for one in step.verdict.crossings)
            if _FEWEST <= len(table.roads) <= wanted and _extent(table) < _WIDEST:
                best = table
        if best is not None:
            return Played(best, {road.id: cars.get(road.id, 0) for road in best.roads})
    raise AssertionError("some game of a thousand has enough roads")


def _extent(table: Table) -> float:
    return float(np.ptp(true_tips(table).reshape(-1, 3)[:, :2], axis=0).max())


def shot(number: int, longest: int = 1344, finer: float = 1.25) -> Shot:
    """The photo of that number, its longer side `longest` pixels; `finer` is how much finer it is
    traced.
    """
    return next(looks(number, longest, finer))


def looks(number: int, longest: int = 1344, finer: float = 1.25) -> Iterator[Shot]:
    """The photo of that number, then the same table and camera in other colours and light."""
    return _taken(number, *_view(number, longest), finer)


def around(number: int, count: int, longest: int = 1344, finer: float = 1.25) -> Iterator[Shot]:
    """Photos of one table in the same colours and light from so many sides, the first as
    `shot` has it.
    """
    size, camera = _view(number, longest)
    cameras, rng = [camera], np.random.default_rng((number, 13))
    while len(cameras) < count:
        other = _framed(
            played(number).table, np.random.default_rng(int(rng.integers(1 << 32))), size
        )
        if other is not None and all(
            abs(math.remainder(other.yaw - one.yaw, math.tau)) > _ASIDE for one in cameras
        ):
            cameras.append(other)
    for one in cameras:
        yield next(_taken(number, size, one, finer))


def _view(number: int, longest: int) -> tuple[tuple[int, int], Camera]:
    """The size of the photo of that number, and its camera."""
    rng = np.random.default_rng((number, 7))
    table, wide = played(number).table, (longest, round(longest * 3 / 4))
    views: list[tuple[tuple[int, int], Camera]] = []
    while not views:
        begin = int(rng.integers(1 << 32))
        for size in (wide, wide[::-1]):
            flatter = _FLATTER if number < HELD_OUT else 1.0
            camera = _framed(table, np.random.default_rng(begin), size, flatter)
            views += [] if camera is None else [(size, camera)]
    return min(views, key=lambda view: view[1].height)


def _taken(number: int, size: tuple[int, int], camera: Camera, finer: float) -> Iterator[Shot]:
    """Photos of the table of that number by this camera, each in other colours and light."""
    one, dice = played(number), np.random.default_rng((number, 11))
    pieces = (*bodies(one.table), *_things(one.table, dice))
    traced = _traced(pieces, camera, size, finer, dice)
    while True:
        style = str(dice.choice(["striped", "plain", "painted"], p=[0.45, 0.35, 0.2]))
        light, pixels = _developed(traced, pieces, size, style, dice)
        yield Shot(pixels, one, camera, pieces, *traced.truth(), light, style)


def _framed(
    table: Table, rng: np.random.Generator, size: tuple[int, int], flatter: float = 1.0
) -> Camera | None:
    """A phone held so that the table fills its picture, more or less; None if it cannot."""
    tips = true_tips(table).reshape(-1, 3)
    points = np.concatenate([tips, tips * (1.0, 1.0, 0.0)])
    longest, rim = max(size), max(size) * rng.uniform(*_RIM)
    flattest, steepest = _TILTS
    tilt = math.radians(flattest + (steepest - flattest) * rng.random() ** flatter)
    roll = math.radians(rng.normal(0, 4))
    yaw, focal = rng.uniform(0, math.tau), longest * rng.uniform(0.65, 0.85)
    bend = rng.uniform(-0.06, 0.02)
    off = rng.uniform(-0.006, 0.006, 2) * longest
    centre = (size[0] / 2 + float(off[0]), size[1] / 2 + float(off[1]))
    middle = points[:, :2].mean(axis=0)
    camera = Camera(focal, tilt, roll, 150.0, bend, centre, yaw, (0.0, 0.0))
    for height in np.arange(150.0, 3000.0, 15.0):
        camera = replace(camera, height=float(height))
        for _ in range(3):
            back = camera.height / math.tan(tilt)
            at = middle + back * np.array([math.sin(yaw), -math.cos(yaw)])
            camera = replace(camera, at=(float(at[0]), float(at[1])))
            seen = camera.project(points)
            if not np.isfinite(seen).all():
                break
            box = (seen.min(axis=0) + seen.max(axis=0)) / 2
            here, there = camera.unproject(np.array([box, [size[0] / 2, size[1] / 2]]), np.zeros(2))
            middle = middle + here - there
        if np.isfinite(seen).all() and (seen > rim).all() and (seen < np.array(size) - rim).all():
            return camera
    return None


def _things(table: Table, rng: np.random.Generator) -> list[Body]:
    """Pens and boxes that lie about the table."""
    tips = true_tips(table).reshape(-1, 3)[:, :2]
    middle, reach = tips.mean(axis=0), np.ptp(tips, axis=0).max() / 2
    found = []
    for number in range(int(rng.integers(0, 5))):
        x, y, z = (
            (rng.uniform(120, 160), rng.uniform(6, 12), rng.uniform(6, 12)),
            (rng.uniform(30, 120), rng.uniform(30, 80), rng.uniform(10, 30)),
        )[int(rng.integers(0, 2))]
        angle, turn = rng.uniform(0, math.tau), rng.uniform(0, math.pi)
        at = middle + reach * rng.uniform(1.1, 1.8) * np.array([math.cos(angle), math.sin(angle)])
        if np.hypot(*(tips - at).T).min() < math.hypot(x, y) / 2 + 30:
            continue
        pose = Pose(
            (float(at[0]), float(at[1]), float(z / 2)),
            (math.cos(turn / 2), 0.0, 0.0, math.sin(turn / 2)),
        )
        found.append(
            Body(f"thing{number}", "building", Box((float(x), float(y), float(z))), pose, 0.0, 0.3)
        )
    return found


# --- rays -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Traced:
    scene: Scene
    shape: tuple[int, int]
    body: npt.NDArray[np.int32]
    place: Floats
    point: Floats
    normal: Floats
    lamp: Floats
    sky: Floats
    lamp_at: Floats
    half: Floats

    def truth(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], Floats, Floats, Floats]:
        shape = self.shape
        return (
            self.scene.kind[self.body].reshape(shape),
            self.body.reshape(shape),
            self.place.reshape(*shape, 3),
            self.point[:, 2].reshape(shape),
            self.normal[:, 2].reshape(shape),
        )


def directions(camera: Camera, x: Floats, y: Floats) -> Floats:
    """Unit vectors (n, 3) from the eye through pixels."""
    a, b = (x - camera.centre[0]) / camera.focal, -(y - camera.centre[1]) / camera.focal
    u, v = a, b
    for _ in range(6):
        bent = 1 + camera.bend * (u * u + v * v)
        u, v = a / bent, b / bent
    ct, st = math.cos(camera.tilt), math.sin(camera.tilt)
    cr, sr = math.cos(camera.roll), math.sin(camera.roll)
    c, s = math.cos(camera.yaw), math.sin(camera.yaw)
    side, up = cr * u - sr * v, sr * u + cr * v
    out, down = ct + up * st, up * ct - st
    found = np.stack([c * side - s * out, s * side + c * out, down], axis=1)
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), dtype="f4")


def _traced(
    pieces: tuple[Body, ...],
    camera: Camera,
    size: tuple[int, int],
    finer: float,
    rng: np.random.Generator,
) -> _Traced:
    width, height = round(size[0] * finer), round(size[1] * finer)
    y, x = (axis.ravel().astype("f4") for axis in np.mgrid[:height, :width])
    eye = np.array([*camera.at, camera.height], dtype="f4")
    rays = directions(camera, (x + 0.5) / np.float32(finer), (y + 0.5) / np.float32(finer))
    noise = rng.random((256, 256), dtype="f4")
    view = Eye((*camera.at, camera.height), (*camera.at, 0.0))
    scene = scene_of(pieces, {}, view, noise)
    hit = scene.nearest(np.broadcast_to(eye, rays.shape).copy(), rays)
    face = np.where(hit["primID"] >= 0, hit["primID"], len(scene.body_of) - 1)
    far = np.where(hit["primID"] >= 0, hit["tfar"], np.float32(6000.0))[:, None]
    u, v = hit["u"][:, None], hit["v"][:, None]
    corners = scene.normals[face]
    normal = corners[:, 0] * (1 - u - v) + corners[:, 1] * u + corners[:, 2] * v
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-6)
    body = scene.body_of[face]
    point = eye + rays * far
    place = np.einsum("ij,ijk->ik", point - scene.at[body], scene.to_body[body])
    start = point + normal * np.float32(0.05)
    rise, turn = math.radians(rng.uniform(35, 80)), rng.uniform(0, math.tau)
    lamp_at = np.array(
        [
            math.cos(rise) * math.cos(turn),
            math.cos(rise) * math.sin(turn),
            math.sin(rise),
        ],
        dtype="f4",
    )
    softness = np.float32(rng.choice([0.02, 0.07, 0.2]))
    count = len(rays)
    to_lamp = lamp_at + softness * rng.standard_normal((count, 3), dtype="f4")
    to_lamp /= np.linalg.norm(to_lamp, axis=1, keepdims=True)
    lamp = (~scene.blocked(start, to_lamp, 2000.0)).astype("f4")
    to_sky = normal + 0.95 * _ball(rng, count)
    to_sky /= np.maximum(np.linalg.norm(to_sky, axis=1, keepdims=True), 1e-6)
    sky = (~scene.blocked(start, np.asarray(to_sky, dtype="f4"), 60.0)).astype("f4")
    lamp = _blurred(lamp.reshape(height, width), 1.2).ravel()
    sky = _blurred(sky.reshape(height, width), 3.0).ravel()
    return _Traced(
        scene,
        (height, width),
        body,
        place,
        point,
        normal.astype("f4"),
        lamp,
        sky,
        lamp_at,
        scene.half[body],
    )


def _ball(rng: np.random.Generator, count: int) -> Floats:
    found = rng.standard_normal((count, 3), dtype="f4")
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), dtype="f4")


def _blurred(one: Floats, by: float) -> Floats:
    import cv2

    return np.asarray(cv2.GaussianBlur(one, (0, 0), by), dtype="f4")


# --- colours --------------------------------------------------------------------------------------


def _any(
    rng: np.random.Generator, low: float = 0.0, high: float = 1.0, grey: float = 0.5
) -> Floats:
    """A colour in linear light, near to a grey by the share `grey`."""
    tone = rng.uniform(low, high)
    return np.asarray(
        np.clip(tone * (grey + (1 - grey) * 2 * rng.random(3)), 0.01, 1.0), dtype="f4"
    )


def _clouds(rng: np.random.Generator, shape: tuple[int, int], cell: float) -> Floats:
    """Smooth noise from 0 to 1 with spots of `cell` pixels."""
    import cv2

    rough = rng.random((max(round(shape[0] / cell), 2), max(round(shape[1] / cell), 2)), dtype="f4")
    return np.asarray(cv2.resize(rough, shape[::-1], interpolation=cv2.INTER_CUBIC), dtype="f4")


def _grained(rng: np.random.Generator, x: Floats, y: Floats) -> Floats:
    """Noise (n,) about 0 at places in mm."""
    noise = rng.random((256, 256), dtype="f4")
    total = np.zeros(len(x), dtype="f4")
    for scale, share in ((0.7, 0.5), (3.0, 0.5)):
        i, j = np.floor(x / scale).astype(int) & 255, np.floor(y / scale).astype(int) & 255
        total += np.float32(share) * (noise[i, j] - np.float32(0.5))
    return total


def _table_colours(
    traced: _Traced, where: npt.NDArray[np.intp], rng: np.random.Generator
) -> Floats:
    """The table: planks, cloth, stone, or plain; turned by any angle."""
    turn = rng.uniform(0, math.tau)
    point = traced.point[where]
    x = point[:, 0] * math.cos(turn) + point[:, 1] * math.sin(turn)
    y = point[:, 1] * math.cos(turn) - point[:, 0] * math.sin(turn)
    noise = rng.random((256, 256), dtype="f4")

    def smooth(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> npt.NDArray[Any]:
        i, j = np.floor(a), np.floor(b)
        s, t = a - i, b - j
        i, j = i.astype(int), j.astype(int)
        s, t = s * s * (3 - 2 * s), t * t * (3 - 2 * t)
        n = [noise[(i + p) & 255, (j + q) & 255] for p in (0, 1) for q in (0, 1)]
        return np.asarray(
            (n[0] * (1 - t) + n[1] * t) * (1 - s) + (n[2] * (1 - t) + n[3] * t) * s, dtype="f4"
        )

    kind = rng.choice(["wood", "wood", "cloth", "plain", "stone", "pattern"])
    base = _any(rng, 0.03, 0.8, 0.6)
    if kind == "wood":
        wood = np.array([1.0, rng.uniform(0.55, 0.85), rng.uniform(0.25, 0.7)], dtype="f4")
        base = wood * np.float32(rng.uniform(0.08, 0.75))
        plank = rng.choice([60.0, 96.0, 150.0, 4000.0])
        own = np.floor(y / plank)
        grain = smooth(x / 90 + own * 37, y / rng.uniform(2, 5) + 3 * smooth(x / 150, y / 40))
        tone = 1 + rng.uniform(0.1, 0.6) * (grain - 0.5) + 0.2 * ((own * 0.618) % 1 - 0.5)
        tone = np.where((y / plank) % 1 < 0.8 / plank, tone * 0.5, tone)
    elif kind == "cloth":
        tone = 1 + 0.25 * (smooth(x / 0.9, y / 0.9) - 0.5) + 0.2 * (smooth(x / 80, y / 80) - 0.5)
    elif kind == "stone":
        tone = 1 + rng.uniform(0.2, 0.8) * (
            0.6 * smooth(x / 6, y / 6) + 0.4 * smooth(x / 30, y / 30) - 0.5
        )
    elif kind == "pattern":
        wide, share = rng.uniform(8, 60), rng.uniform(0.1, 0.5)
        stripes = ((x / wide) % 1 < share) | (((y / wide) % 1 < share) & (rng.random() < 0.5))
        other = _any(rng, 0.03, 0.9, 0.6) / base
        return np.asarray(base * np.where(stripes[:, None], other, 1.0), dtype="f4")
    else:
        tone = 1 + 0.06 * (smooth(x / 50, y / 50) - 0.5)
    return np.asarray(np.clip(base * tone[:, None], 0.0, 1.0), dtype="f4")


def _with_sheets(
    traced: _Traced, where: npt.NDArray[np.intp], colour: Floats, rng: np.random.Generator
) -> Floats:
    """The table with sheets of paper and cards on it, some of them printed."""
    pieces = traced.scene.at[:-1, :2]
    for _ in range(int(rng.choice([0, 0, 1, 2]))):
        at = pieces.mean(axis=0) + rng.normal(0, 1, 2) * pieces.std(axis=0) * 1.5
        turn, long = rng.uniform(0, math.tau), rng.uniform(40, 150)
        away = traced.point[where, :2] - at
        x = away[:, 0] * math.cos(turn) + away[:, 1] * math.sin(turn)
        y = away[:, 1] * math.cos(turn) - away[:, 0] * math.sin(turn)
        inside = (np.abs(x) < long) & (np.abs(y) < long * rng.uniform(0.2, 0.9))
        sheet = _any(rng, 0.1, 0.95, 0.8)
        printed = (np.abs(y) / rng.uniform(3, 12)) % 1 < (0.3 if rng.random() < 0.5 else 0.0)
        tone = np.where(printed, np.float32(0.4), np.float32(1.0))[:, None]
        colour = np.where(inside[:, None], sheet * tone, colour)
    return np.asarray(colour, dtype="f4")


def _seats(rng: np.random.Generator) -> Floats:
    """Colours of the seats in linear light: ours, or any that differ."""
    if rng.random() < 0.5:
        return np.asarray((np.array(PLAYER_COLOURS, dtype="f4") / 255) ** 2.2, dtype="f4")
    choice = np.array(
        [
            (200, 30, 30), (30, 70, 180), (30, 140, 70), (120, 60, 170), (230, 120, 30),
            (240, 240, 240), (30, 30, 32), (235, 130, 170), (40, 170, 190),
        ],
        dtype="f4",
    )  # fmt: skip
    return np.asarray((rng.permutation(choice)[:4] / 255) ** 2.2, dtype="f4")


def _developed(
    traced: _Traced,
    pieces: tuple[Body, ...],
    size: tuple[int, int],
    style: str,
    rng: np.random.Generator,
) -> tuple[float, Bytes]:
    """How much light there is, and the photo."""
    scene, body = traced.scene, traced.body
    kind, owner = (
        scene.kind[body],
        np.array([*(one.owner if one.owner is not None else 4 for one in pieces), 4])[body],
    )
    seats = np.concatenate([_seats(rng), np.full((1, 3), 0.7, dtype="f4")])
    tone = rng.uniform(0.25, 0.75)
    tint = np.array([1.0, rng.uniform(0.8, 1.0), rng.uniform(0.55, 1.0)], dtype="f4")
    plain = rng.choice(3)
    stick = np.float32(tone) * (tint if plain == 0 else np.ones(3, dtype="f4"))
    disc = np.float32(rng.uniform(0.15, 0.7)) * (
        tint if rng.random() < 0.3 else np.ones(3, dtype="f4")
    )
    yellow = np.array([0.9, rng.uniform(0.45, 0.65), rng.uniform(0.01, 0.1)], dtype="f4")
    colour = np.zeros((len(body), 3), dtype="f4")
    where = np.flatnonzero(kind == TABLE)
    colour[where] = _with_sheets(traced, where, _table_colours(traced, where, rng), rng)
    junction = np.array([*(one.junction for one in pieces), False])[body]
    own = rng.random(len(pieces) + 1, dtype="f4")[body]
    for code in (ROAD, DISC):
        where = np.flatnonzero(kind == code)
        x, y, z = traced.place[where].T
        grain = 1 + rng.uniform(0.05, 0.35) * _grained(
            rng, x + 97 * own[where] + 0.7 * z, y - 0.7 * z
        )
        grain *= 1 + 0.12 * (own[where] - 0.5)
        if code == DISC:
            base = np.where(junction[where][:, None], yellow, disc)
        else:
            half = traced.half[where]
            across = np.abs(y) / half[:, 1]
            flank = np.abs(z) < half[:, 2] - 0.25
            band = (across < rng.uniform(0.15, 0.4)) & (np.abs(x) < half[:, 0] - half[:, 1])
            mine = {"striped": band | flank, "plain": band & False, "painted": band | True}[style]
            base = np.where(mine[:, None], seats[owner[where]], stick)
        colour[where] = base * grain[:, None]
    where = np.flatnonzero(kind == CAR)
    glass = (traced.place[where, 2] > 0.25 * traced.half[where, 2]) & (
        np.abs(traced.normal[where, 2]) < 0.8
    )
    colour[where] = np.where(
        (glass & (rng.random() < 0.6))[:, None], np.float32(0.03), seats[owner[where]]
    )
    for number, one in enumerate(pieces):
        if one.kind == "building":
            where = np.flatnonzero(body == number)
            lines = (np.abs(traced.place[where, 1]) / rng.uniform(3, 12)) % 1 < 0.3
            plain_thing = _any(rng, 0.05, 1.0, 0.5)
            colour[where] = plain_thing * np.where(
                (lines & (rng.random() < 0.5))[:, None], np.float32(0.5), np.float32(1.0)
            )
    share = rng.uniform(0.3, 0.85)
    bright = float(np.exp(rng.uniform(np.log(0.5), np.log(1.4))))
    warm = np.array([1.0, rng.uniform(0.8, 1.0), rng.uniform(0.6, 1.05)], dtype="f4")
    facing = np.maximum(traced.normal @ traced.lamp_at, 0)
    up = 0.6 + 0.4 * traced.normal[:, 2]
    light = share * facing * traced.lamp / max(traced.lamp_at[2], 0.3) + (1 - share) * up * (
        0.25 + 0.75 * traced.sky
    )
    shape = traced.shape
    uneven = 1 + rng.uniform(0, 0.5) * (_clouds(rng, shape, max(shape) / 3) - 0.5)
    if rng.random() < 0.3:  # the shadow of a hand or a head
        uneven *= 1 - 0.5 * np.clip((_clouds(rng, shape, max(shape) / 4) - 0.55) * 8, 0, 1)
    seen = colour * (np.float32(bright) * warm) * (light * uneven.ravel())[:, None]
    half = traced.lamp_at + np.array([0, 0, 1], dtype="f4")
    half = half / np.linalg.norm(half)
    shine = np.maximum(traced.normal @ half.astype("f4"), 0) ** 40 * traced.lamp
    seen += (rng.uniform(0, 0.12) * shine * (kind != TABLE))[:, None].astype("f4")
    return bright, _film(np.asarray(seen.reshape(*shape, 3), dtype="f4"), size, rng)


def _film(seen: Floats, size: tuple[int, int], rng: np.random.Generator) -> Bytes:
    """Linear light as a phone stores it: blurred, noisy, a JPEG."""
    import cv2
    from PIL import Image

    soft = np.where(seen > 0.75, 0.75 + 0.25 * np.tanh((seen - 0.75) / 0.25), seen)
    levels = np.clip(soft, 0, 1) ** np.float32(1 / 2.2) * 255
    levels = cv2.resize(levels, size, interpolation=cv2.INTER_AREA)
    blur = rng.uniform(0.0, 1.1) * max(size) / 1344
    if blur > 0.25:
        levels = cv2.GaussianBlur(levels, (0, 0), blur)
    levels = (levels - 128) * np.float32(rng.uniform(0.85, 1.15)) + 128 + rng.uniform(-12, 12)
    levels = levels + rng.uniform(1, 7) * rng.standard_normal(levels.shape, dtype="f4")
    file = io.BytesIO()
    picture = Image.fromarray(np.clip(levels, 0, 255).astype(np.uint8))
    picture.save(file, format="JPEG", quality=int(rng.integers(*_QUALITY)))
    return np.asarray(Image.open(file).convert("RGB"))
