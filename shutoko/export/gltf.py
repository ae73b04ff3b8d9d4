"""A game as an animated glTF file (.glb), for any viewer of models; lengths in metres, y up, as the
format has it.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from rules.errors import InputError, UnavailableError
from shutoko.export.packed import key_of, painted
from sim.bodies import Body, Pose
from sim.installing import install

_METRES = 0.001
_FLOAT, _ARRAY_BUFFER = 5126, 34962  # names of the format
_UP = [-(2**-0.5), 0.0, 0.0, 2**-0.5]  # z up becomes y up
_TABLE = (0.4, 0.2, 0.08, 1.0)


def glb(frames: Sequence[Sequence[Body]], fps: float = 10.0) -> bytes:
    """The frames as a binary glTF file with one animation; pieces that are not there in a frame
    have the size 0 in it.

    Raises InputError without frames, UnavailableError if pygltflib is not installed.
    """
    if not frames or not fps > 0:
        raise InputError(f"a model needs frames and a speed: got {len(frames)} frames, fps={fps}")
    return _Model().made([{body.id: body for body in frame} for frame in frames], fps)


def check_installed() -> Any:
    """The package pygltflib. Raises UnavailableError, with the command that installs it, if it is
    missing.
    """
    try:
        return import_module("pygltflib")
    except ImportError as error:
        raise UnavailableError(f"models need the package pygltflib: {install('export')}") from error


class _Model:
    """A file in the making: `blob` is its binary part."""

    def __init__(self) -> None:
        self.g = check_installed()
        self.file = self.g.GLTF2(asset=self.g.Asset(version="2.0", generator="shutoko"))
        self.blob = bytearray()
        self.meshes: dict[str, int] = {}

    def made(self, tables: Sequence[dict[str, Body]], fps: float) -> bytes:
        g, file = self.g, self.file
        file.materials.append(self._material(None))
        file.materials.append(self._material(_TABLE))
        root = g.Node(name="table", rotation=_UP, scale=[_METRES] * 3, children=[])
        file.nodes.append(root)
        animation = g.Animation(name="game", channels=[], samplers=[])
        every = {name: body for table in tables for name, body in table.items()}
        times = np.arange(len(tables), dtype=np.float32) / np.float32(fps)
        for name, body in every.items():
            root.children.append(len(file.nodes))
            shown = tables[-1].get(name, body)
            node = g.Node(
                name=name,
                mesh=self._mesh(body),
                translation=list(shown.pose.at),
                rotation=list(shown.pose.quat),
            )
            file.nodes.append(node)
            self._animate(
                animation, len(file.nodes) - 1, [table.get(name) for table in tables], times
            )
        root.children.append(len(file.nodes))
        file.nodes.append(g.Node(name="wood", mesh=self._ground()))
        if animation.channels:
            file.animations.append(animation)
        file.scenes.append(g.Scene(nodes=[0]))
        file.scene = 0
        file.buffers.append(g.Buffer(byteLength=len(self.blob)))
        file.set_binary_blob(bytes(self.blob))
        return b"".join(file.save_to_bytes())

    def _animate(
        self,
        animation: Any,
        node: int,
        poses: Sequence[Body | None],
        times: npt.NDArray[np.float32],
    ) -> None:
        first = next(body for body in poses if body is not None).pose
        filled: list[Pose] = []
        for body in poses:
            filled.append(body.pose if body is not None else filled[-1] if filled else first)
        tracks = (
            ("translation", "VEC3", [pose.at for pose in filled], "LINEAR"),
            ("rotation", "VEC4", [pose.quat for pose in filled], "LINEAR"),
            ("scale", "VEC3", [(1.0 if body is not None else 0.0,) * 3 for body in poses], "STEP"),
        )
        for path, kind, values, way in tracks:
            track = np.array(values, dtype=np.float32)
            if path == "rotation":  # the shorter way round between two keys
                flips = np.cumprod(np.where((track[1:] * track[:-1]).sum(axis=1) < 0, -1.0, 1.0))
                track[1:] *= flips[:, None].astype(np.float32)
            if not np.ptp(track, axis=0).max() > 0:
                continue
            same = (track[1:-1] == track[:-2]).all(axis=1) & (track[1:-1] == track[2:]).all(axis=1)
            keep = (
                np.concatenate([[True], ~same, [True]])
                if len(track) > 1
                else np.ones(1, dtype=np.bool_)
            )
            sampler = self.g.AnimationSampler(
                input=self._accessor(times[keep], "SCALAR", bounds=True),
                output=self._accessor(track[keep], kind),
                interpolation=way,
            )
            animation.samplers.append(sampler)
            target = self.g.AnimationChannelTarget(node=node, path=path)
            animation.channels.append(
                self.g.AnimationChannel(sampler=len(animation.samplers) - 1, target=target)
            )

    def _mesh(self, body: Body) -> int:
        key = key_of(body)
        if key not in self.meshes:
            corners, normals, colours = (part.reshape(-1, 3) for part in painted(body))
            # with alpha: some readers that write a model again take colours for four numbers each
            opaque = np.column_stack([colours, np.ones(len(colours), np.float32)])
            attributes = self.g.Attributes(
                POSITION=self._accessor(corners, "VEC3", _ARRAY_BUFFER, bounds=True),
                NORMAL=self._accessor(normals, "VEC3", _ARRAY_BUFFER),
                COLOR_0=self._accessor(opaque, "VEC4", _ARRAY_BUFFER),
            )
            self.file.meshes.append(
                self.g.Mesh(
                    name=key, primitives=[self.g.Primitive(attributes=attributes, material=0)]
                )
            )
            self.meshes[key] = len(self.file.meshes) - 1
        return self.meshes[key]

    def _ground(self) -> int:
        reach = 500.0
        square = np.array(
            [(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], dtype=np.float32
        ) * np.float32(reach)
        corners = square[[0, 1, 2, 0, 2, 3]]
        attributes = self.g.Attributes(
            POSITION=self._accessor(corners, "VEC3", _ARRAY_BUFFER, bounds=True),
            NORMAL=self._accessor(
                np.tile(np.array([0, 0, 1], dtype=np.float32), (6, 1)), "VEC3", _ARRAY_BUFFER
            ),
        )
        self.file.meshes.append(
            self.g.Mesh(
                name="wood", primitives=[self.g.Primitive(attributes=attributes, material=1)]
            )
        )
        return len(self.file.meshes) - 1

    def _material(self, colour: tuple[float, float, float, float] | None) -> Any:
        factor = list(colour or (1.0, 1.0, 1.0, 1.0))
        surface = self.g.PbrMetallicRoughness(
            baseColorFactor=factor, metallicFactor=0.0, roughnessFactor=0.8
        )
        return self.g.Material(pbrMetallicRoughness=surface)

    def _accessor(
        self,
        array: npt.NDArray[np.float32],
        kind: str,
        target: int | None = None,
        *,
        bounds: bool = False,
    ) -> int:
        values = np.ascontiguousarray(array, dtype="<f4")
        raw, offset = values.tobytes(), len(self.blob)
        self.blob.extend(raw)
        self.file.bufferViews.append(
            self.g.BufferView(buffer=0, byteOffset=offset, byteLength=len(raw), target=target)
        )
        flat = values.reshape(len(values), -1)
        accessor = self.g.Accessor(
            bufferView=len(self.file.bufferViews) - 1,
            componentType=_FLOAT,
            count=len(values),
            type=kind,
            min=flat.min(axis=0).tolist() if bounds else None,
            max=flat.max(axis=0).tolist() if bounds else None,
        )
        self.file.accessors.append(accessor)
        return len(self.file.accessors) - 1
