"""A photo taken of a table that is known: what a person would mark on it, with errors. For
examples, tests and figures.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

import numpy as np
import numpy.typing as npt

from rules.errors import InputError
from sim.bodies import rotate
from sim.game.attempts.posing import bodies
from sim.photo.camera import Camera
from sim.photo.marks import ImageSize, MarkedCar, MarkedPillar, MarkedRoad, Marks, Sheet
from sim.referee.table import Table

Floats = npt.NDArray[np.float64]

PHONE = (4032, 3024)
"""The size of a phone's photo in pixels."""

_RIM = 0.02  # of the longer side, free at each border
_SHEET = (297.0, 210.0)


def true_tips(table: Table) -> Floats:
    """The tips of the roads as they lie, the middle of the end of the top face, (n, 2, 3) in mm."""
    box, lying = table.components, {body.id: body.pose for body in bodies(table)}
    half, top = box.road_length / 2, box.road_thickness / 2
    tips = []
    for road in table.roads:
        pose = lying[road.id]
        tips.append(
            [np.add(pose.at, rotate(pose.quat, (end * half, 0.0, top))) for end in (-1.0, 1.0)]
        )
    return np.array(tips, dtype=np.float64).reshape(-1, 2, 3)


def a_camera(
    table: Table,
    rng: np.random.Generator,
    size: tuple[int, int] = PHONE,
    tilt: float | None = None,
    *,
    sheet: bool = False,
) -> Camera:
    """A phone held over the table by hand, as near as it sees all of it, and with `sheet` a sheet
    that lies in the middle; `tilt` in degrees, else 30 to 70.

    Raises InputError if no place is far enough away.
    """
    points = true_tips(table).reshape(-1, 3)
    if sheet:
        turns = np.linspace(0.0, math.tau, 16)
        reach = (
            np.stack([np.cos(turns), np.sin(turns), 0 * turns], axis=1) * math.hypot(*_SHEET) / 2
        )
        points = np.concatenate([points, reach + np.append(_middle(table), 0.0)])
    middle = points[:, :2].mean(axis=0)
    down = math.radians(rng.uniform(30, 70) if tilt is None else tilt)
    roll, yaw = math.radians(rng.uniform(-6, 6)), rng.uniform(0, math.tau)
    focal, bend = max(size) * rng.uniform(0.65, 0.85), rng.uniform(-0.06, 0.02)
    centre = (size[0] / 2 + rng.uniform(-25, 25), size[1] / 2 + rng.uniform(-25, 25))
    rim = _RIM * max(size)
    for height in np.arange(150.0, 4000.0, 10.0):
        back = height / math.tan(down)
        at = (float(middle[0] + math.sin(yaw) * back), float(middle[1] - math.cos(yaw) * back))
        camera = Camera(focal, down, roll, float(height), bend, centre, yaw, at)
        seen = camera.project(points)
        if np.isfinite(seen).all() and (seen > rim).all() and (seen < np.array(size) - rim).all():
            return camera
    raise InputError("the table is too wide for a photo")


def _middle(table: Table) -> Floats:
    """Where a sheet is laid: in the middle of the roads."""
    return np.asarray(np.array([road.start for road in table.roads]).mean(axis=0), dtype=np.float64)


def marked(
    table: Table,
    camera: Camera,
    rng: np.random.Generator,
    off: float = 3.0,
    *,
    size: tuple[int, int] = PHONE,
    roads: Collection[str] | None = None,
    focal: float | None = 0.03,
    tops: bool = False,
    cars: bool = False,
    sheet: bool = False,
    nominal: bool = False,
) -> Marks:
    """The marks on a photo of a table: taps are off by `off` pixels along each axis (1 sigma).

    `roads` are those that are marked, all if left out. The focal length is known within the share
    `focal`, None: not at all. `nominal` has tips at the heights that the discs say instead of where
    they lie.
    """

    def tapped(points: Floats) -> list[tuple[float, float]]:
        pixels = np.clip(camera.project(points) + rng.normal(0.0, off, (len(points), 2)), 0.0, size)
        return [(round(x, 1), round(y, 1)) for x, y in pixels.tolist()]

    box, found = table.components, []
    for road, tips in zip(table.roads, true_tips(table), strict=True):
        if roads is None or road.id in roads:
            if nominal:
                tips[:, 2] = np.array(road.levels) * box.disc_height + box.road_thickness
            first, second = tapped(tips)
            found.append(MarkedRoad(road.id, road.owner, road.base, road.target, (first, second)))
    borne = {pillar for road in found for pillar in road.pillars}
    pillars = []
    for pillar in table.pillars:
        if pillar.id in borne:
            at = np.array([[*table.top(pillar), pillar.discs * box.disc_height]])
            top = tapped(at)[0] if tops else None
            pillars.append(
                MarkedPillar(pillar.id, pillar.owner, pillar.discs, pillar.junction, top)
            )
    parked = None
    if cars:
        lying = {body.id: np.array([body.pose.at]) for body in bodies(table)}
        parked = tuple(MarkedCar(car.owner, tapped(lying[car.id])[0]) for car in table.cars)
    paper = None
    if sheet:
        middle, turn = _middle(table), rng.uniform(0, math.tau)
        c, s = math.cos(turn), math.sin(turn)
        corners = (
            np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
            * _SHEET
            / 2
            @ np.array([[c, s], [-s, c]])
            + middle
        )
        a, b, d, e = tapped(np.concatenate([corners, np.zeros((4, 1))], axis=1))
        paper = Sheet(_SHEET, (a, b, d, e))
    known = None if focal is None else camera.focal * math.exp(rng.normal(0.0, focal))
    return Marks(
        image=ImageSize(*size, known),
        players=table.turns.seats,
        ruleset="standard",
        options=table.ruleset.differing("standard"),
        components=box.name,
        pillars=tuple(pillars),
        roads=tuple(found),
        cars=parked,
        sheet=paper,
    )


def to_json(marks: Marks) -> dict[str, Any]:
    """The marks as a file has them."""
    image = {
        "width": marks.image.width,
        "height": marks.image.height,
        "focal": marks.image.focal,
        "file": marks.image.file,
    }
    value: dict[str, Any] = {"marks": "shutoko", "version": [1, 0]}
    value["image"] = {key: part for key, part in image.items() if part is not None}
    value |= {"players": marks.players, "ruleset": marks.ruleset, "options": dict(marks.options)}
    value["components"] = marks.components
    if marks.sheet is not None:
        value["sheet"] = {
            "size": list(marks.sheet.size),
            "corners": [list(mark) for mark in marks.sheet.corners],
        }
    value["pillars"] = [
        {"id": one.id, "owner": one.owner, "discs": one.discs, "junction": one.junction}
        | ({} if one.top is None else {"top": list(one.top)})
        for one in marks.pillars
    ]
    value["roads"] = [
        {
            "id": one.id,
            "owner": one.owner,
            "from": one.base,
            "to": one.target,
            "ends": [list(mark) for mark in one.ends],
        }
        for one in marks.roads
    ]
    if marks.cars is not None:
        value["cars"] = [{"owner": car.owner, "at": list(car.at)} for car in marks.cars]
    if marks.buildings:
        value["buildings"] = [
            {"kind": one.kind, "base": [list(mark) for mark in one.corners]}
            for one in marks.buildings
        ]
    return value
