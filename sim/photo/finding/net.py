"""The net that says what each spot of a photo shows: a small convolutional net in plain NumPy.

It looks at a photo at four scales (a U-Net; Ronneberger, Fischer and Brox 2015) and draws maps at
half the size of the photo. `tools/nets.py` trained it on pictures that we rendered ourselves.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from sim.assets import asset

__all__ = [
    "CHANNELS",
    "CONVOLUTIONS",
    "STEP",
    "Floats",
    "Maps",
    "columns",
    "normalised",
    "trained",
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

CONVOLUTIONS: dict[str, tuple[int, int, int]] = {
    "a1": (12, 16, 1), "a2": (16, 16, 1),
    "b1": (16, 32, 1), "b2": (32, 32, 1),
    "c1": (32, 48, 1), "c2": (48, 48, 1),
    "d1": (48, 64, 1), "d2": (64, 64, 2), "d3": (64, 64, 4), "d4": (64, 64, 1),
    "c3": (112, 48, 1), "b3": (80, 32, 1), "a3": (48, 24, 1), "a4": (24, 24, 1),
}  # fmt: skip
"""The layers with a kernel of 3 x 3: channels in and out, and how far its taps are apart."""

COARSEST = 16
"""The sides of a photo must be whole multiples of so many pixels."""


def normalised(pixels: npt.NDArray[np.uint8]) -> Floats:
    """A photo (h, w, 3) as the net wants it: (12, h / 2, w / 2), light and contrast evened out."""
    value = pixels.astype("f4")
    value = (value - value.mean()) / (value.std() + np.float32(8.0))
    h, w, _ = value.shape
    return np.ascontiguousarray(
        value.reshape(h // 2, 2, w // 2, 2, 3).transpose(1, 3, 4, 0, 2).reshape(12, h // 2, w // 2)
    )


def columns(value: Floats, apart: int) -> Floats:
    """The nine neighbours of each cell of maps (c, h, w) as the rows of a matrix (9 c, h w)."""
    c, h, w = value.shape
    wide = np.zeros((c, h + 2 * apart, w + 2 * apart), dtype="f4")
    wide[:, apart : apart + h, apart : apart + w] = value
    found = np.empty((9, c, h, w), dtype="f4")
    for tap in range(9):
        i, j = divmod(tap, 3)
        found[tap] = wide[:, i * apart : i * apart + h, j * apart : j * apart + w]
    return found.reshape(9 * c, h * w)


def pooled(value: Floats) -> Floats:
    """The mean of each 2 x 2 cells."""
    c, h, w = value.shape
    return value.reshape(c, h // 2, 2, w // 2, 2).mean(axis=(2, 4), dtype="f4")


def doubled(value: Floats) -> Floats:
    """Each cell as 2 x 2 cells."""
    return value.repeat(2, axis=1).repeat(2, axis=2)


@dataclass(frozen=True)
class Maps:
    """What the net says of a photo: maps (h, w) by name, each cell STEP pixels wide."""

    of: Mapping[str, Floats]

    def __getitem__(self, name: str) -> Floats:
        return self.of[name]


@dataclass(frozen=True)
class Net:
    """A trained net: weights (out, 9 in) and biases (out,) by layer."""

    weights: Mapping[str, Floats]

    def maps(self, pixels: npt.NDArray[np.uint8]) -> Maps:
        """What a photo (h, w, 3) shows. Its sides are cut to multiples of 16 pixels."""
        h, w = (side // COARSEST * COARSEST for side in pixels.shape[:2])
        drawn = self.drawn(normalised(pixels[:h, :w]))
        drawn[:MASKS] = 1.0 / (1.0 + np.exp(-np.clip(drawn[:MASKS], -30, 30)))
        return Maps(dict(zip(CHANNELS, drawn, strict=True)))

    def drawn(self, value: Floats) -> Floats:
        """The maps of a normalised photo, the probabilities as logits."""
        a = self._layer("a2", self._layer("a1", value))
        b = self._layer("b2", self._layer("b1", pooled(a)))
        c = self._layer("c2", self._layer("c1", pooled(b)))
        d = pooled(c)
        for name in ("d1", "d2", "d3", "d4"):
            d = self._layer(name, d)
        c = self._layer("c3", np.concatenate([doubled(d), c]))
        b = self._layer("b3", np.concatenate([doubled(c), b]))
        a = self._layer("a3", np.concatenate([doubled(b), a]))
        a = self._layer("a4", a)
        flat = self.weights["head"] @ a.reshape(len(a), -1) + self.weights["head.bias"][:, None]
        return np.asarray(flat.reshape(-1, *a.shape[1:]))

    def _layer(self, name: str, value: Floats) -> Floats:
        """A convolution in bands of rows, so that no large matrix is built."""
        weight, bias, apart = (
            self.weights[name],
            self.weights[f"{name}.bias"],
            CONVOLUTIONS[name][2],
        )
        c, h, w = value.shape
        found = np.empty((len(weight), h, w), dtype="f4")
        rows = max(math.ceil(_BAND / (9 * c * w)), 1)
        wide = np.pad(value, ((0, 0), (apart, apart), (apart, apart)))
        for top in range(0, h, rows):
            count = min(rows, h - top)
            taps = np.empty((9, c, count, w), dtype="f4")
            for tap in range(9):
                i, j = divmod(tap, 3)
                y = top + i * apart
                taps[tap] = wide[:, y : y + count, j * apart : j * apart + w]
            made = weight @ taps.reshape(9 * c, count * w) + bias[:, None]
            found[:, top : top + count] = np.maximum(made, 0.0).reshape(-1, count, w)
        return found


_BAND = 1 << 20  # numbers of a band, so that it stays in the cache


@cache
def trained() -> Net:
    """The shipped net."""
    with np.load(asset("photos", "nets.npz")) as file:
        return Net({name: file[name].astype("f4") for name in file.files})
