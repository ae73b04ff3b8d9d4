"""The nets that say what each spot of a photo shows, in plain NumPy.

A cell of the maps is 2 x 2 pixels. The first net looks at the colours and edges round a cell, at
four scales, 5 x 5 places at each; the second at what the first says of the same places, and says it
again, better (auto-context; Tu 2008). Each has two hidden layers and looks at every cell alike, so
it is a convolutional net with wide kernels. `tools/nets.py` trained them on pictures that we
rendered ourselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from sim.assets import asset

__all__ = [
    "CHANNELS",
    "COARSEST",
    "MASKS",
    "STEP",
    "TAPS",
    "Floats",
    "Maps",
    "Net",
    "Nets",
    "Seen",
    "context",
    "features",
    "gathered",
    "trained",
    "unpacked",
]

Floats = npt.NDArray[np.float32]

CHANNELS = (
    "top", "end", "side", "face", "car", "axis", "foot",
    "turn_x", "turn_y", "to_x", "to_y", "height", "count",
)  # fmt: skip
"""What the net draws: the top faces of roads, their ends, the sides and the upper faces of discs,
cars, the middle of a pillar's upper face, covered or not, and of its foot, all seven as
probabilities; the direction of a road as the cosine and the sine of twice its angle; at an end the
way along its road; the height of what is seen, and at the middle of a pillar how many discs it has,
both in tens of discs.
"""

MASKS = 7
"""How many of them are probabilities."""

STEP = 2
"""Pixels of the photo to a cell of the maps."""

COARSEST = 16
"""The sides of a photo must be whole multiples of so many pixels."""

TAPS = [(i, j) for i in range(-2, 3) for j in range(-2, 3)]
"""Where a net looks round a cell, in steps of its scale: down and to the right."""

_SCALES = (1, 2, 4, 8)
_CONTEXT = (1, 3, 7)
_ROWS = 8  # of the maps that are worked out together


@dataclass(frozen=True)
class Seen:
    """Maps (c, h, w) that a net looks at, and how many cells its steps in them are apart."""

    value: Floats
    apart: int


def features(pixels: npt.NDArray[np.uint8]) -> list[Seen]:
    """What the first net looks at in a photo (h, w, 3): its colours and edges at four scales."""
    value = pixels.astype("f4")
    value = (value - value.mean()) / (value.std() + np.float32(8.0))
    h, w, _ = value.shape
    fine = value.reshape(h // 2, 2, w // 2, 2, 3).transpose(1, 3, 4, 0, 2)
    fine = fine.reshape(12, h // 2, w // 2)
    light = value.mean(axis=2)
    down, right = np.gradient(light)
    squares = np.stack([right * right - down * down, 2 * right * down, right**2 + down**2])
    squares = squares.reshape(3, h // 2, 2, w // 2, 2).mean(axis=(2, 4))
    colours = fine.reshape(4, 3, h // 2, w // 2).mean(axis=0)
    found = [Seen(np.concatenate([fine, _edges(_boxed(squares, 3))]), 1)]
    for apart in _SCALES[1:]:
        size = 2 * (apart // 2) + 1
        edges = _edges(_boxed(squares, 2 * apart + 1))
        found.append(Seen(np.concatenate([_boxed(colours, size), edges]), apart))
    return found


def context(maps: Floats, pixels: list[Seen]) -> list[Seen]:
    """What the second net looks at: the maps (channels, h, w) of the first at three scales, and the
    cell itself.
    """
    found = [Seen(maps if apart == 1 else _boxed(maps, apart), apart) for apart in _CONTEXT]
    return [*found, *(Seen(seen.value, 0) for seen in pixels)]


def _edges(squares: Floats) -> Floats:
    """The structure tensor (3, h, w) as twice the angle of the edges, cosine and sine, the surer
    the longer, and how strong they are.
    """
    strength = squares[2] + np.float32(1e-3)
    return np.stack(
        [squares[0] / strength, squares[1] / strength, 0.5 * np.log(strength) + 1.5]
    ).astype("f4")


def _boxed(value: Floats, size: int) -> Floats:
    """Maps averaged over squares of `size` cells, which is odd; at the rims the last cells count
    again.
    """
    half = size // 2
    for axis in (1, 2):
        wide = np.pad(
            value.astype(np.float64),
            [(half + 1, half) if axis == k else (0, 0) for k in range(3)],
            mode="edge",
        ).cumsum(axis=axis)
        n = value.shape[axis]
        high, low = (
            wide[:, size : size + n] if axis == 1 else wide[:, :, size : size + n],
            wide[:, :n] if axis == 1 else wide[:, :, :n],
        )
        value = ((high - low) / size).astype("f4")
    return value


@dataclass(frozen=True)
class Maps:
    """What the nets say of a photo: maps (h, w) by name, each cell STEP pixels wide; `any` is how
    probable any piece is.
    """

    of: Mapping[str, Floats]

    @classmethod
    def drawn(cls, value: Floats) -> Maps:
        """From the maps (channels, h, w) of a net."""
        of = dict(zip(CHANNELS, value, strict=True))
        most = np.maximum.reduce([of[name] for name in ("top", "side", "face", "car")])
        return cls({**of, "any": most})

    def __getitem__(self, name: str) -> Floats:
        return self.of[name]


def gathered(
    seen: Sequence[Seen], rows: npt.NDArray[np.int64], columns: npt.NDArray[np.int64]
) -> Floats:
    """What is looked at round cells, (numbers, cells)."""
    parts = []
    for one in seen:
        h, w = one.value.shape[1:]
        for i, j in TAPS if one.apart else [(0, 0)]:
            y = np.clip(rows + i * one.apart, 0, h - 1)
            x = np.clip(columns + j * one.apart, 0, w - 1)
            parts.append(one.value[:, y, x])
    return np.concatenate(parts)


@dataclass(frozen=True)
class Net:
    """One net: its weights by layer."""

    weights: Mapping[str, Floats]

    def maps(self, seen: Sequence[Seen]) -> Floats:
        """What it draws, (channels, h, w), probabilities from 0 to 1."""
        h, w = seen[0].value.shape[1:]
        padded = [
            Seen(
                np.pad(one.value, ((0, 0), (2 * one.apart,) * 2, (2 * one.apart,) * 2), "edge"),
                one.apart,
            )
            for one in seen
        ]
        found = np.empty((len(CHANNELS), h, w), dtype="f4")
        for top in range(0, h, _ROWS):
            count = min(_ROWS, h - top)
            parts = []
            for one in padded:
                for i, j in TAPS if one.apart else [(-2, -2)]:
                    y, x = top + (i + 2) * one.apart, (j + 2) * one.apart
                    parts.append(one.value[:, y : y + count, x : x + w].reshape(len(one.value), -1))
            found[:, top : top + count] = self.drawn(np.concatenate(parts)).reshape(-1, count, w)
        found[:MASKS] = 1.0 / (1.0 + np.exp(-np.clip(found[:MASKS], -30, 30)))
        return found

    def drawn(self, value: Floats) -> Floats:
        """What it says of cells, (channels, cells), by what is looked at, (numbers, cells);
        probabilities as logits.
        """
        for name in ("first", "second"):
            value = self.weights[name] @ value + self.weights[f"{name}.bias"][:, None]
            np.maximum(value, 0.0, out=value)
        return np.asarray(self.weights["last"] @ value + self.weights["last.bias"][:, None])


@dataclass(frozen=True)
class Nets:
    """The nets, each of which looks at what the one before it says."""

    nets: tuple[Net, ...]

    def maps(self, pixels: npt.NDArray[np.uint8]) -> Maps:
        """What a photo (h, w, 3) shows. Its sides are cut to multiples of 16 pixels."""
        h, w = (side // COARSEST * COARSEST for side in pixels.shape[:2])
        seen = features(pixels[:h, :w])
        drawn = self.nets[0].maps(seen)
        for net in self.nets[1:]:
            drawn = net.maps(context(drawn, seen))
        return Maps.drawn(drawn)


@cache
def trained() -> Nets:
    """The shipped nets."""
    with np.load(asset("photos", "nets.npz")) as file:
        return unpacked({name: file[name] for name in file.files})


def unpacked(stored: Mapping[str, npt.NDArray[np.float16]]) -> Nets:
    """The nets from their weights, as a file has them: the number of the net, then the layer."""
    found: dict[str, dict[str, Floats]] = {}
    for name, value in stored.items():
        number, _, layer = name.partition("/")
        found.setdefault(number, {})[layer] = value.astype("f4")
    return Nets(tuple(Net(found[number]) for number in sorted(found)))
