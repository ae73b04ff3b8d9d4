"""The net that says what each spot of a photo shows, in plain NumPy.

A small U-Net (Ronneberger, Fischer and Brox 2015): down by halves five times, then up again, where
what was seen finely on the way down is added. A cell of its maps is 2 x 2 pixels. `tools/nets.py`
trained it on pictures that we rendered ourselves, and walks through it with `walked` too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from sim.assets import asset
from sim.bodies import Pixels

Floats32 = npt.NDArray[np.float32]
Value = TypeVar("Value")

CHANNELS = (
    "top", "end", "side", "face", "car", "axis", "foot",
    "turn_x", "turn_y", "to_x", "to_y", "height", "count", "mid_x", "mid_y", "half",
    *(f"level{n}" for n in range(8)), *(f"discs{n}" for n in range(1, 9)),
)  # fmt: skip
"""What the net draws: the top faces of roads, their ends, the sides and the upper faces of discs,
cars, the middle of a pillar's upper face, covered or not, and of its foot, all seven as
probabilities; the direction of a road as the cosine and the sine of twice its angle; at an end the
way along its road; the height of what is seen, and at the middle of a pillar how many discs it has,
both in tens of discs; on a road the way to its middle, between the pixels of its two ends, seen or
not, and half of the distance between these, in `REACH` pixels of the photo that the net sees. Then
how probable each number of discs is: at an end under it, at the middle of a pillar in the pillar.
"""

MASKS = 7
"""How many of them are probabilities."""

LEVELS = slice(CHANNELS.index("level0"), CHANNELS.index("level7") + 1)
DISCS = slice(CHANNELS.index("discs1"), CHANNELS.index("discs8") + 1)
"""Those that say how probable each number of discs is under an end, and in a pillar."""

TURNED = ("turn_y", "to_x", "mid_x")
"""What changes its sign in a mirror."""

LENGTHS = ("mid_x", "mid_y", "half")
"""What is longer in a larger picture."""

STEP = 2
"""Pixels of the photo to a cell of the maps."""

REACH = 200.0
"""Pixels that are 1 in the ways to the middles of roads."""

_WIDTHS = (32, 64, 128, 160, 192, 256)

COARSEST = STEP << (len(_WIDTHS) - 1)
"""Pixels of the photo to a cell of the coarsest layer: its sides are filled up to multiples."""

_EVERY = 4  # pixels: between two of which the mean and the spread are taken
_ROWS = 32  # of a layer that are worked out together: that bounds the memory


def _layers() -> dict[str, tuple[int, int, int]]:
    found, into = {}, 3 * STEP * STEP
    for level, wide in enumerate(_WIDTHS):
        found[f"down{level}a"] = into, wide, 3
        found[f"down{level}b"] = wide, wide, 3
        into = wide
    for level in reversed(range(len(_WIDTHS) - 1)):
        found[f"lift{level}"] = _WIDTHS[level + 1], _WIDTHS[level], 1
        found[f"up{level}a"] = _WIDTHS[level], _WIDTHS[level], 3
        if level:
            found[f"up{level}b"] = _WIDTHS[level], _WIDTHS[level], 3
    return {**found, "head": (_WIDTHS[0], len(CHANNELS), 1)}


LAYERS: Mapping[str, tuple[int, int, int]] = _layers()
"""The channels that go into each layer, those that come out, and the side of its kernel. All but
`lift` and `head` end with a ReLU.
"""


def walked(
    value: Value,
    layer: Callable[[str, Value], Value],
    halved: Callable[[Value], Value],
    raised: Callable[[Value, Value], Value],
) -> Value:
    """What the net makes of evened pixels, with these operations: a layer by its name, the largest
    of 2 x 2 cells, and coarse maps on the finer cells plus others.
    """
    seen = []
    for level in range(len(_WIDTHS)):
        value = layer(f"down{level}a", halved(value) if level else value)
        value = layer(f"down{level}b", value)
        seen.append(value)
    for level in reversed(range(len(_WIDTHS) - 1)):
        value = layer(f"up{level}a", raised(layer(f"lift{level}", value), seen[level]))
        if level:
            value = layer(f"up{level}b", value)
    return layer("head", value)


def evened(pixels: Pixels, photo: Pixels) -> Floats32:
    """A part of a photo, or all of it (h, w, 3), about the mean of the photo, by its spread."""
    some = photo[::_EVERY, ::_EVERY].astype("f4")
    return np.asarray((pixels - some.mean()) / (some.std() + np.float32(8.0)), dtype="f4")


@dataclass(frozen=True)
class Maps:
    """What the net says of a photo: maps (h, w) by name, each cell STEP pixels wide; `any` is how
    probable any piece is.
    """

    of: Mapping[str, Floats32]

    @classmethod
    def drawn(cls, value: Floats32) -> Maps:
        """From maps (channels, h, w)."""
        of = dict(zip(CHANNELS, value, strict=True))
        most = np.maximum.reduce([of[name] for name in ("top", "side", "face", "car")])
        return cls({**of, "any": most})

    def thin(self, names: Collection[str]) -> Maps:
        """Some of the maps."""
        return Maps({name: self.of[name] for name in names})

    def __getstate__(self) -> dict[str, npt.NDArray[np.float16]]:
        return {name: channel.astype("f2") for name, channel in self.of.items()}

    def __setstate__(self, stored: Mapping[str, npt.NDArray[np.float16]]) -> None:
        object.__setattr__(self, "of", {k: channel.astype("f4") for k, channel in stored.items()})

    def __getitem__(self, name: str) -> Floats32:
        return self.of[name]


@dataclass(frozen=True)
class Net:
    """The net: the weights of its layers, (out, into, side, side), and their biases, (out,)."""

    weights: Mapping[str, Floats32]

    def maps(self, pixels: Pixels, mirrored: bool = False) -> Maps:
        """What a photo (h, w, 3) shows, (h / 2, w / 2): what the net says of it, or of its mirror
        image.
        """
        if not mirrored:
            return Maps.drawn(self._drawn(pixels))
        found = self._drawn(pixels[:, ::-1])[:, :, ::-1].copy()
        found[[CHANNELS.index(name) for name in TURNED]] *= -1
        return Maps.drawn(found)

    def _drawn(self, pixels: Pixels) -> Floats32:
        more = [(0, -side % COARSEST) for side in pixels.shape[:2]]
        whole = np.pad(pixels, (*more, (0, 0)), mode="edge")
        h, w = (side // STEP for side in whole.shape[:2])
        value = evened(whole, pixels).reshape(h, STEP, w, STEP, 3)
        found = walked(
            value.transpose(4, 1, 3, 0, 2).reshape(-1, h, w), self.layer, _halved, _raised
        )
        found = found[:, : pixels.shape[0] // STEP, : pixels.shape[1] // STEP]
        found[:MASKS] = 1.0 / (1.0 + np.exp(-np.clip(found[:MASKS], -30, 30)))
        for some in (LEVELS, DISCS):
            odds = np.exp(found[some] - found[some].max(axis=0))
            found[some] = odds / odds.sum(axis=0)
        return found

    def layer(self, name: str, value: Floats32) -> Floats32:
        """What a layer gives, (out, h, w), for maps (into, h, w); beyond the rims all is 0."""
        into, out, side = LAYERS[name]
        kernel = self.weights[name].reshape(out, -1)
        bias, reach = self.weights[f"{name}.bias"][:, None], side // 2
        h, w = value.shape[1:]
        wide = np.pad(value, ((0, 0), (reach, reach), (reach, reach)))
        found = np.empty((out, h, w), dtype="f4")
        for top in range(0, h, _ROWS):
            rows = min(_ROWS, h - top)
            around = np.empty((into, side, side, rows, w), dtype="f4")
            for i in range(side):
                for j in range(side):
                    around[:, i, j] = wide[:, top + i : top + i + rows, j : j + w]
            strip = kernel @ around.reshape(-1, rows * w) + bias
            if side > 1:
                np.maximum(strip, 0.0, out=strip)
            found[:, top : top + rows] = strip.reshape(out, rows, w)
        return found


def _halved(value: Floats32) -> Floats32:
    c, h, w = value.shape
    return np.asarray(value.reshape(c, h // 2, 2, w // 2, 2).max(axis=(2, 4)))


def _raised(value: Floats32, seen: Floats32) -> Floats32:
    return np.asarray(seen + value.repeat(2, axis=1).repeat(2, axis=2))


@cache
def trained() -> Net:
    """The shipped net."""
    with np.load(asset("photos", "nets.npz")) as file:
        return unpacked({name: file[name] for name in file.files})


def unpacked(stored: Mapping[str, npt.NDArray[np.float16]]) -> Net:
    """The net from its weights, as a file has them."""
    return Net({name: value.astype("f4") for name, value in stored.items()})
