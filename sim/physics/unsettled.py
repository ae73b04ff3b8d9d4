"""A scene that physics could not settle. It travels with the error, and becomes text for a bug
report.

The text is JSON that people can read. Where a number is not finite, it has the word `nan`, `inf` or
`-inf`.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rules.errors import InputError
from rules.files import os_reason, read_regular
from sim.bodies import Body, Box, Cylinder, Pose, Vector, vector
from sim.physics.engine import HandPath, SettleParams

_MARK = {"scene": "shutoko", "version": 1}
_MOST = 2**23  # bytes of a scene that are read; a full table has a hundredth of it


@dataclass(frozen=True, slots=True)
class Unsettled:
    """The bodies that an engine was to let come to rest. Those in `new` were let go by a hand;
    `landing` are the poses in which some of them were to come down, by id; `speeds` the velocities
    (mm/s) of those that were let go in motion. `path` is the way of a hand that went astray, `why`
    the message of the error.
    """

    bodies: tuple[Body, ...]
    new: tuple[str, ...]
    landing: Mapping[str, Pose]
    path: HandPath | None
    engine: Mapping[str, str]
    params: SettleParams
    why: str
    speeds: Mapping[str, Vector] = field(default_factory=dict)


def scene_of(error: BaseException | None) -> Unsettled | None:
    """The scene that an error came with, or one of the errors that led to it."""
    while error is not None:
        scene = getattr(error, "scene", None)
        if isinstance(scene, Unsettled):
            return scene
        error = error.__cause__
    return None


def dumps(scene: Unsettled) -> str:
    """The scene as text, a line for each body."""
    head = {**_MARK, "why": scene.why, "engine": dict(scene.engine), "params": asdict(scene.params)}
    path = (
        None
        if scene.path is None
        else {**asdict(scene.path), "skipped": sorted(scene.path.skipped)}
    )
    lines = [
        f"{json.dumps(name)}: {json.dumps(_plain(value))}"
        for name, value in {**head, "path": path}.items()
    ]
    bodies = [json.dumps(_plain(_body_out(body, scene))) for body in scene.bodies]
    return "{\n" + ",\n".join([*lines, '"bodies": [\n  ' + ",\n  ".join(bodies) + "\n]"]) + "\n}\n"


def loads(text: str) -> Unsettled:
    """The scene of a text. Raises InputError for a text that is not a scene."""
    try:
        data = json.loads(text)
        if not isinstance(data, dict) or {key: data.get(key) for key in _MARK} != _MARK:
            raise InputError(
                "this is no scene of shutoko; one begins with " + json.dumps(_MARK)[:-1]
            )
        path, given = data["path"], data["bodies"]
        return Unsettled(
            tuple(_body_in(one) for one in given),
            tuple(str(one["id"]) for one in given if one.get("new")),
            {str(one["id"]): Pose.from_list(one["landing"]) for one in given if "landing" in one},
            None if path is None else _path_in(path),
            {str(key): str(value) for key, value in data["engine"].items()},
            _params_in(data["params"]),
            str(data["why"]),
            {str(one["id"]): vector(one["speed"]) for one in given if "speed" in one},
        )
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"this scene cannot be read: {type(error).__name__}: {error}") from error


def _path_in(data: Mapping[str, Any]) -> HandPath:
    return HandPath(
        tuple(map(vector, data["points"])),
        float(data["speed"]),
        data["tool"],
        frozenset(map(int, data.get("skipped", ()))),
    )


def load(path: Path | str) -> Unsettled:
    """The scene of a file. Raises InputError for a file that cannot be read or is not a scene."""
    try:
        return loads(read_regular(path, _MOST).decode("utf-8", "replace"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {os_reason(error)}") from error


def _body_out(body: Body, scene: Unsettled) -> dict[str, Any]:
    shape = body.shape
    size = (
        {"size": shape.size}
        if isinstance(shape, Box)
        else {"radius": shape.radius, "height": shape.height}
    )
    landing, speed = scene.landing.get(body.id), scene.speeds.get(body.id)
    return {
        "id": body.id,
        "kind": body.kind,
        **size,
        "pose": body.pose.to_list(),
        "mass": body.mass,
        "friction": body.friction,
        **({"new": True} if body.id in scene.new else {}),
        **({} if speed is None else {"speed": list(speed)}),
        **({} if landing is None else {"landing": landing.to_list()}),
    }


def _params_in(data: Mapping[str, Any]) -> SettleParams:
    given = {str(key): float(value) for key, value in data.items() if key != "staying"}
    return SettleParams(**given, staying=bool(data.get("staying", False)))


def _body_in(data: Mapping[str, Any]) -> Body:
    shape = (
        Box(vector(data["size"]))
        if "size" in data
        else Cylinder(float(data["radius"]), float(data["height"]))
    )
    return Body(
        str(data["id"]),
        data["kind"],
        shape,
        Pose.from_list(data["pose"]),
        float(data["mass"]),
        float(data["friction"]),
    )


def _plain(value: Any) -> Any:
    """The value with words for the numbers that JSON does not know."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, (list, tuple)) else value
