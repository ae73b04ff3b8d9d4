"""Trains the net that finds roads in photos, on pictures that we render ourselves.

    python tools/nets.py shots FOLDER [--first 0] [--count 300]
    python tools/nets.py train FOLDER NET.npz [--minutes 20] [--from OLD.npz]

`shots` renders photos of tables with their truth into a folder, about three seconds each; `train`
learns from all of them and writes the weights, half precision. Plain NumPy: each convolution is a
product of matrices, forwards and backwards; Adam (Kingma and Ba 2015) with a rate that falls like a
cosine. The shipped net is `assets/photos/nets.npz`. Shots for figures (`tools.shots.HELD_OUT` on)
are never trained on.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import numpy.typing as npt

from sim.photo.finding.net import (
    CHANNELS,
    CONVOLUTIONS,
    MASKS,
    Net,
    columns,
    doubled,
    normalised,
    pooled,
)
from tools.labels import NOWHERE, labels
from tools.shots import HELD_OUT, looks

Floats = npt.NDArray[np.float32]

_LONGEST = (50, 81)  # sixteens of pixels of the longer side of a shot
_LOOKS = 3  # shots of each table
_CROP = 224  # pixels
_BATCH = 1
_RATE, _WARM = 2e-3, 50  # of Adam; steps until it is reached
_CALM = 20.0  # the longest gradient
_MASK_WEIGHT = np.array([3, 2.5, 3, 2, 2, 1.5, 1.5], dtype="f4")[:, None, None]
_END_MORE = 8.0  # how much more a cell at an end counts than one elsewhere
_WEIGHTS = {"turn": 0.7, "to": 6.0, "height": 0.6, "count": 3.0}
_DISC_OFF = 0.05  # tens of discs: half a disc counts as one


def render(folder: Path, first: int, count: int) -> None:
    """Writes shots and their labels."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(first, min(first + count, HELD_OUT)):
        files = [folder / f"{number}-{look}.npz" for look in range(_LOOKS)]
        if not all(file.exists() for file in files):
            longest = 16 * int(np.random.default_rng((number, 5)).integers(*_LONGEST))
            for file, one in zip(files, looks(number, longest, 1.1), strict=False):
                np.savez(file, pixels=one.pixels, labels=labels(one))


# --- crops ----------------------------------------------------------------------------------------


def crops(folder: Path, rng: np.random.Generator) -> Iterator[tuple[Floats, Floats]]:
    """Parts of shots without end: normalised photos (12, h, w) and truths (channels, h, w), nan
    where nothing is asked.
    """
    kept: dict[Path, tuple[npt.NDArray[np.uint8], npt.NDArray[np.int8]]] = {}
    while True:
        for file in rng.permutation(np.array(sorted(folder.glob("*.npz")))):
            if file not in kept:
                with np.load(file) as held:
                    kept[file] = held["pixels"], held["labels"]
            for _ in range(2):
                yield _crop(*kept[file], rng)


def _crop(
    pixels: npt.NDArray[np.uint8], truth: npt.NDArray[np.int8], rng: np.random.Generator
) -> tuple[Floats, Floats]:
    side = _CROP // 2
    pieces = np.argwhere(truth[1] > 50) if rng.random() < 0.85 else np.zeros((0, 2), dtype=int)
    h, w = truth.shape[1:]
    at = pieces[rng.integers(len(pieces))] if len(pieces) else rng.integers((0, 0), (h, w))
    at = at - rng.integers(side // 6, side * 5 // 6, 2)
    top, left = (int(np.clip(at[k], 0, (h, w)[k] - side)) for k in (0, 1))
    seen = pixels[2 * top : 2 * (top + side), 2 * left : 2 * (left + side)]
    part = truth[:, top : top + side, left : left + side]
    wanted = np.where(part == NOWHERE, np.nan, part / np.float32(100)).astype("f4")
    if rng.random() < 0.5:
        seen, wanted = seen[:, ::-1], wanted[:, :, ::-1].copy()
        for name in ("turn_y", "to_x"):
            wanted[CHANNELS.index(name)] *= -1
    if rng.random() < 0.3:  # other colours of everything
        seen = seen[:, :, rng.permutation(3)]
    return normalised(seen), wanted


# --- forwards and backwards -----------------------------------------------------------------------


class Trainer:
    """A net while it learns: weights, their gradients, and Adam's memory."""

    def __init__(self, rng: np.random.Generator, begin: dict[str, Floats] | None = None) -> None:
        self.weights: dict[str, Floats] = {}
        for name, (into, out, _) in CONVOLUTIONS.items():
            spread = math.sqrt(2.0 / (9 * into))
            self.weights[name] = (rng.standard_normal((out, 9 * into)) * spread).astype("f4")
            self.weights[f"{name}.bias"] = np.zeros(out, dtype="f4")
        last = CONVOLUTIONS["a4"][1]
        self.weights["head"] = (rng.standard_normal((len(CHANNELS), last)) * 0.05).astype("f4")
        self.weights["head.bias"] = np.zeros(len(CHANNELS), dtype="f4")
        self.weights["head.bias"][:MASKS] = (-2.0, -5.0, -3.0, -3.5, -4.0, -5.0, -5.0)
        self.weights |= begin or {}
        self.slopes = {name: np.zeros_like(value) for name, value in self.weights.items()}
        self.first = {name: np.zeros_like(value) for name, value in self.weights.items()}
        self.second = {name: np.zeros_like(value) for name, value in self.weights.items()}
        self.steps = 0

    def learn(self, value: Floats, wanted: Floats) -> tuple[float, dict[str, float]]:
        """Adds the gradient of one crop; returns its loss, whole and by what is asked."""
        kept: dict[str, tuple[Floats, Floats]] = {}

        def conv(name: str, value: Floats) -> Floats:
            taps = columns(value, CONVOLUTIONS[name][2])
            made = self.weights[name] @ taps + self.weights[f"{name}.bias"][:, None]
            np.maximum(made, 0.0, out=made)
            kept[name] = taps, made
            return made.reshape(-1, *value.shape[1:])

        a = conv("a2", conv("a1", value))
        b = conv("b2", conv("b1", pooled(a)))
        c = conv("c2", conv("c1", pooled(b)))
        d = pooled(c)
        for name in ("d1", "d2", "d3", "d4"):
            d = conv(name, d)
        c3 = conv("c3", np.concatenate([doubled(d), c]))
        b3 = conv("b3", np.concatenate([doubled(c3), b]))
        a4 = conv("a4", conv("a3", np.concatenate([doubled(b3), a])))
        flat = a4.reshape(len(a4), -1)
        drawn = self.weights["head"] @ flat + self.weights["head.bias"][:, None]
        loss, slope, parts = _loss(drawn.reshape(-1, *a4.shape[1:]), wanted)
        slope = slope.reshape(len(slope), -1)
        self.slopes["head"] += slope @ flat.T
        self.slopes["head.bias"] += slope.sum(axis=1)

        def back(name: str, slope: Floats) -> Floats:
            taps, made = kept.pop(name)
            into, out, apart = CONVOLUTIONS[name]
            h, w = slope.shape[1:]
            slope = slope.reshape(out, -1) * (made > 0)
            self.slopes[name] += slope @ taps.T
            self.slopes[f"{name}.bias"] += slope.sum(axis=1)
            if name == "a1":
                return slope
            spread = (self.weights[name].T @ slope).reshape(9, into, h, w)
            wide = np.zeros((into, h + 2 * apart, w + 2 * apart), dtype="f4")
            for tap in range(9):
                i, j = divmod(tap, 3)
                wide[:, i * apart : i * apart + h, j * apart : j * apart + w] += spread[tap]
            return wide[:, apart : apart + h, apart : apart + w]

        at = back("a3", back("a4", (self.weights["head"].T @ slope).reshape(a4.shape)))
        rest, skip_a = _undoubled(at[: len(b3)]), at[len(b3) :]
        at = back("b3", rest)
        rest, skip_b = _undoubled(at[: len(c3)]), at[len(c3) :]
        at = back("c3", rest)
        rest, skip_c = _undoubled(at[: len(d)]), at[len(d) :]
        for name in ("d4", "d3", "d2", "d1"):
            rest = back(name, rest)
        at = back("c1", back("c2", doubled(rest) * np.float32(0.25) + skip_c))
        at = back("b1", back("b2", doubled(at) * np.float32(0.25) + skip_b))
        back("a1", back("a2", doubled(at) * np.float32(0.25) + skip_a))
        return loss, parts

    def step(self, rate: float) -> None:
        """One step of Adam with the gradient that was gathered."""
        self.steps += 1
        size = math.sqrt(sum(float((one**2).sum()) for one in self.slopes.values()))
        calm = min(1.0, _CALM / max(size, 1e-9))
        for name, value in self.weights.items():
            slope = self.slopes[name] * np.float32(calm)
            self.first[name] += np.float32(0.1) * (slope - self.first[name])
            self.second[name] += np.float32(0.005) * (slope**2 - self.second[name])
            first = self.first[name] / np.float32(1 - 0.9**self.steps)
            second = self.second[name] / np.float32(1 - 0.995**self.steps)
            value -= np.float32(rate) * first / (np.sqrt(second) + np.float32(1e-8))
            self.slopes[name][...] = 0


def _undoubled(value: Floats) -> Floats:
    c, h, w = value.shape
    return value.reshape(c, h // 2, 2, w // 2, 2).sum(axis=(2, 4), dtype="f4")


def _loss(drawn: Floats, wanted: Floats) -> tuple[float, Floats, dict[str, float]]:
    """The loss of a crop, its slope by the maps, and the loss by what is asked."""
    slope, cells = np.zeros_like(drawn), np.float32(drawn[0].size)
    logits, masks = drawn[:MASKS], wanted[:MASKS]
    share = 1.0 / (1.0 + np.exp(-np.clip(logits, -30, 30)))
    weight = np.broadcast_to(_MASK_WEIGHT, masks.shape).copy()
    for name in ("end", "axis", "foot"):
        weight[CHANNELS.index(name)] *= 1 + _END_MORE * masks[CHANNELS.index(name)]
    costs = np.logaddexp(0, logits) - masks * logits
    parts = {"masks": float((weight * costs).sum() / cells)}
    slope[:MASKS] = weight * (share - masks) / cells
    for name, channels, scale in (
        ("turn", ("turn_x", "turn_y"), 1.0),
        ("to", ("to_x", "to_y"), 1.0),
        ("height", ("height",), _DISC_OFF),
        ("count", ("count",), _DISC_OFF),
    ):
        which = [CHANNELS.index(one) for one in channels]
        asked = np.isfinite(wanted[which])
        away = np.where(asked, drawn[which] - np.nan_to_num(wanted[which]), 0.0) / scale
        far = np.abs(away)
        parts[name] = _WEIGHTS[name] * float(
            np.where(far < 1, 0.5 * away**2, far - 0.5).sum() / cells
        )
        slope[which] = _WEIGHTS[name] * np.clip(away, -1, 1) / scale / cells
    return sum(parts.values()), slope, parts


def train(folder: Path, out: Path, minutes: float, begin: Path | None) -> None:
    """Learns for so many minutes of the clock and writes the weights."""
    rng = np.random.default_rng(0)
    old = None
    if begin is not None:
        with np.load(begin) as file:
            old = {name: file[name].astype("f4") for name in file.files}
    trainer, source = Trainer(rng, old), crops(folder, rng)
    started, told = time.monotonic(), time.monotonic()
    losses: list[dict[str, float]] = []
    while (gone := (time.monotonic() - started) / (60 * minutes)) < 1.0:
        for _ in range(_BATCH):
            _, parts = trainer.learn(*next(source))
            losses.append(parts)
        for slope in trainer.slopes.values():
            slope /= _BATCH
        warm = min(1.0, (trainer.steps + 1) / _WARM)
        trainer.step(_RATE * warm * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * gone))))
        if time.monotonic() - told > 20:
            told = time.monotonic()
            mean = {name: float(np.mean([one[name] for one in losses])) for name in losses[0]}
            print(
                f"{gone:5.0%} {trainer.steps} steps",
                *(f"{name} {value:.4f}" for name, value in mean.items()),
                flush=True,
            )
            losses = []
            _write(out, trainer.weights)
    _write(out, trainer.weights)
    assert Net(trainer.weights).weights


def _write(out: Path, weights: dict[str, Floats]) -> None:
    np.savez_compressed(out, **{name: value.astype(np.float16) for name, value in weights.items()})


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("shots", "train"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("net", type=Path, nargs="?")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--from", dest="begin", type=Path)
    asked = parser.parse_args()
    if asked.what == "shots":
        render(asked.folder, asked.first, asked.count)
    elif asked.net is None:
        parser.error("train needs the file to write")
    else:
        train(asked.folder, asked.net, asked.minutes, asked.begin)


if __name__ == "__main__":
    main()
