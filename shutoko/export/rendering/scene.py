"""The scene of a picture: all bodies and the table as triangles for Embree, with their colours."""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from rules.errors import UnavailableError
from shutoko.export.rendering.camera import Camera
from shutoko.export.rendering.shapes import Mesh, Paint, mesh_of
from sim.bodies import Body, rotation_matrix
from sim.installing import install_package

Colour = tuple[int, int, int]
Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]

PLAYER_COLOURS: tuple[Colour, ...] = ((212, 58, 47), (38, 98, 186), (44, 146, 84), (137, 82, 178))
"""sRGB colours (0-255) of the seats, 0-based; none of them is the yellow of a junction."""

_CONCRETE: Colour = (168, 167, 163)
_JUNCTION: Colour = (244, 190, 40)
_ASPHALT: Colour = (176, 176, 175)
_NOBODY: Colour = (225, 225, 222)
_FACADE: Colour = (232, 230, 224)
_SKIN: Colour = (226, 176, 146)
_STEEL: Colour = (150, 156, 164)
GLASS: Colour = (38, 48, 60)
TYRE: Colour = (34, 34, 36)
HUB: Colour = (190, 192, 196)

TABLE_HALF = 6000.0  # mm

_KINDS = ("disc", "road", "car", "building", "table", "finger", "tweezers")
DISC, ROAD, CAR, BUILDING, TABLE = range(5)


@dataclass(frozen=True, slots=True)
class Scene:
    """All bodies and the table as triangles: per triangle normals (n, 3, 3), body number and paint;
    per body the rest.

    The last body is the table. Colours are linear light; `to_body` are rotations (b, 3, 3) applied
    as row vector times matrix; `grain` says where in the noise a body's texture lies, by its id, so
    that other pieces do not change it.
    """

    embree: Any
    normals: Floats
    body_of: Ints
    paint_of: npt.NDArray[np.int8]
    kind: Ints
    at: Floats
    to_body: Floats
    half: Floats
    colour: Floats
    accent: Floats
    grain: Floats
    noise: Floats
    centre: Floats
    radius: float
    first: int

    def nearest(self, origins: Floats, rays: Floats) -> dict[str, Any]:
        """What each ray hits first: Embree's arrays by name. Directions are (n, 3), `origins` (mm)
        too, or one for all (3,).
        """
        each = np.broadcast_to(origins, rays.shape).copy()
        return dict(self.embree.run(each, rays, query="INTERSECT", output=True))

    def blocked(self, origins: Floats, rays: Floats, reach: float) -> npt.NDArray[np.bool_]:
        """Whether each ray hits anything within `reach` mm."""
        answer = self.embree.run(
            origins, rays, dists=np.full(len(rays), reach, dtype="f4"), query="OCCLUDED"
        )
        return np.asarray(answer >= 0)


def scene_of(
    bodies: Sequence[Body],
    colours: Mapping[str, Colour],
    camera: Camera,
    noise: Floats,
    first: int = 0,
) -> Scene:
    """The scene of these bodies on the table, numbered from `first` on where it is set in front of
    another scene. Raises UnavailableError if `embreex` is not
    installed.
    """
    with needed("embreex"):
        rtcore_scene, construction = (
            import_module("embreex.rtcore_scene"),
            import_module("embreex.mesh_construction"),
        )
    centre = np.array(camera.target, dtype="f4")
    quad = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], dtype="f4") * TABLE_HALF
    corners, normals, paints, counts = [], [], [], []
    for body in bodies:
        mesh, turned = (
            mesh_of(body.kind, body.shape),
            rotation_matrix(body.pose.quat).T.astype("f4"),
        )
        corners.append(mesh.corners @ turned + np.array(body.pose.at, dtype="f4"))
        normals.append(mesh.normals @ turned)
        paints.append(mesh.paints)
        counts.append(len(mesh.paints))
    corners.append(quad[[[0, 1, 2], [0, 2, 3]]] + centre * (1, 1, 0))
    normals.append(np.broadcast_to(np.array((0, 0, 1), dtype="f4"), (2, 3, 3)))
    paints.append(np.zeros(2, dtype=np.int8))
    embree = rtcore_scene.EmbreeScene()
    vertices = np.ascontiguousarray(np.concatenate(corners), dtype="f4").reshape(-1, 3)
    construction.TriangleMesh(
        embree, vertices, np.arange(len(vertices), dtype=np.int32).reshape(-1, 3)
    )
    base = [colours.get(body.id, own_colour(body)) for body in bodies]
    accent = [colours.get(body.id, owner_colour(body)) for body in bodies]
    return Scene(
        embree=embree,
        normals=np.concatenate(normals).astype("f4"),
        body_of=np.repeat(np.arange(len(bodies) + 1, dtype=np.int32), [*counts, 2]),
        paint_of=np.concatenate(paints),
        kind=np.array([_KINDS.index(body.kind) for body in bodies] + [TABLE], dtype=np.int32),
        at=np.array([body.pose.at for body in bodies] + [(0, 0, 0)], dtype="f4"),
        to_body=np.array(
            [rotation_matrix(body.pose.quat) for body in bodies] + [np.eye(3)], dtype="f4"
        ),
        half=np.array([body.shape.half for body in bodies] + [(1, 1, 1)], dtype="f4"),
        colour=linear([*base, _NOBODY]),
        accent=linear([*accent, _NOBODY]),
        grain=np.array([crc32(body.id.encode()) % 4096 / 16 for body in bodies] + [0], dtype="f4"),
        noise=noise,
        centre=centre,
        radius=math.dist(camera.eye, camera.target) * math.tan(math.radians(camera.fov) / 2),
        first=first,
    )


def body_colours(body: Body, mesh: Mesh) -> Floats:
    """The plain linear colours of the corners of a body's mesh, (n, 3, 3), for renderers that know
    no textures.
    """
    triangles = len(mesh.paints)
    found = np.tile(linear([own_colour(body)]), (triangles, 1))
    if body.kind == "road":
        found[np.abs(mesh.normals[:, :, 2].mean(axis=1)) < 0.5] = linear([owner_colour(body)])[0]
    for paint, colour in ((Paint.GLASS, GLASS), (Paint.TYRE, TYRE), (Paint.HUB, HUB)):
        found[mesh.paints == paint] = linear([colour])[0]
    return np.repeat(found[:, None], 3, axis=1)


def own_colour(body: Body) -> Colour:
    """The colour of a piece where it has a single one."""
    if body.kind == "disc":
        return _JUNCTION if body.junction else _CONCRETE
    if body.kind == "road":
        return _ASPHALT
    if body.kind == "car":
        return owner_colour(body)
    return {"finger": _SKIN, "tweezers": _STEEL}.get(body.kind, _FACADE)


def owner_colour(body: Body) -> Colour:
    """The colour of the seat that owns a body, a pale one for nobody's."""
    return _NOBODY if body.owner is None else PLAYER_COLOURS[body.owner % len(PLAYER_COLOURS)]


def linear(colours: Sequence[Colour]) -> Floats:
    """Colours of 0-255 (sRGB) as linear light, (n, 3)."""
    return ((np.array(colours, dtype="f4") / 255) ** np.float32(2.2)).astype("f4")


@contextmanager
def needed(package: str) -> Iterator[None]:
    """For imports of a package that pictures need. Raises UnavailableError, with the installing
    command, if one fails.
    """
    try:
        yield
    except ImportError as error:
        raise UnavailableError(
            f"pictures need the package {package}, which cannot be imported: "
            f"{install_package(package)}"
        ) from error
