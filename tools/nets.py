"""Trains the nets that find roads in photos, on pictures that we render ourselves.

    python tools/nets.py shots FOLDER [--first 0] [--count 300]
    python tools/nets.py train FOLDER NETS.npz [--passes 12] [--from OLD.npz]

`shots` renders photos of tables with their truth into a folder, about three seconds each; `train`
learns from all of them and writes the weights, half precision. From each photo it takes some
thousands of cells, so that what is rare, such as ends, is shown as often as what is not; the second
net then learns from what the first says of tables that it never saw, with cells on which it was
wrong. Plain NumPy and
Adam (Kingma and Ba 2015) with a rate that falls like a cosine. The shipped nets are
`assets/photos/nets.npz`. Shots for figures (`tools.shots.HELD_OUT` on) are never trained on.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import numpy.typing as npt

from sim.photo.finding.net import (
    CHANNELS,
    MASKS,
    Net,
    Seen,
    context,
    features,
    gathered,
    unpacked,
)
from tools.labels import NOWHERE, labels
from tools.shots import HELD_OUT, looks

Floats = npt.NDArray[np.float32]
Labels = npt.NDArray[np.int8]

_LONGEST = (50, 81)  # sixteens of pixels of the longer side of a shot
_LOOKS = 3  # shots of each table
_FOR_SECOND = 0.22  # the share of tables that only the second net learns from
_WINDOW = 200  # cells of a shot that the second net learns from
_HIDDEN = (96, 64)
_BATCH, _RATE = 1024, 2e-3
_TAKEN = {
    "top": 450, "rim": 350, "side": 300, "face": 250, "car": 200, "end": 450, "ring": 250,
    "axis": 350, "foot": 350, "near": 500, "any": 600, "wrong": 700,
}  # fmt: skip
"""How many cells of each kind are taken from a shot at most."""

_MASK_WEIGHT = np.array([1, 1.5, 1, 1, 1, 1, 1], dtype="f4")[:, None]
_WEIGHTS = {"turn": 1.0, "to": 1.0, "height": 0.6, "count": 1.0}
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


# --- cells ----------------------------------------------------------------------------------------


def cells(
    truth: Labels, rng: np.random.Generator, drawn: Floats | None = None
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Rows and columns of cells to learn from; `drawn` is what was said of the shot so far."""
    value = dict(zip(CHANNELS, truth, strict=True))
    top = value["top"]
    pieces = np.maximum.reduce([top, value["side"], value["face"], value["car"]])
    near = _grown(pieces > 20, 6)
    kinds = {
        "top": top > 80,
        "rim": (top > 10) & (top < 80),
        "side": value["side"] > 50,
        "face": value["face"] > 50,
        "car": value["car"] > 50,
        "end": value["end"] > 25,
        "ring": (value["end"] > 1) & (value["end"] <= 25),
        "axis": value["axis"] > 10,
        "foot": value["foot"] > 10,
        "near": near & (pieces < 20),
        "any": np.ones(top.shape, dtype=bool),
    }
    if drawn is not None:
        off = np.abs(drawn[:MASKS] - truth[:MASKS] / np.float32(100)).max(axis=0)
        kinds["wrong"] = off > 0.35
    found = []
    for kind, mask in kinds.items():
        some = np.flatnonzero(mask)
        found.append(rng.choice(some, min(_TAKEN[kind], len(some)), replace=False))
    rows, columns = np.unravel_index(np.concatenate(found), top.shape)
    return rows.astype(np.int64), columns.astype(np.int64)


def _grown(mask: npt.NDArray[np.bool_], by: int) -> npt.NDArray[np.bool_]:
    for _ in range(by):
        mask = mask.copy()
        mask[1:] |= mask[:-1]
        mask[:-1] |= mask[1:]
        mask[:, 1:] |= mask[:, :-1]
        mask[:, :-1] |= mask[:, 1:]
    return mask


def taken(
    files: list[Path], rng: np.random.Generator, first: Net | None
) -> tuple[npt.NDArray[np.float16], Labels]:
    """What is looked at round cells of all shots, (cells, numbers), and the truth, (cells,
    channels); with the first net, for the second.
    """
    inputs, wanted = [], []
    for file in files:
        with np.load(file) as held:
            pixels, truth = held["pixels"], held["labels"]
        if rng.random() < 0.5:
            pixels, truth = pixels[:, ::-1], truth[:, :, ::-1].copy()
            for name in ("turn_y", "to_x"):
                part = truth[CHANNELS.index(name)]
                part[part != NOWHERE] *= -1
        h, w = (side // 16 * 16 for side in pixels.shape[:2])
        seen, truth = features(pixels[:h, :w]), truth[:, : h // 2, : w // 2]
        drawn = None
        if first is not None:
            window = _window(truth, rng)
            seen = [Seen(one.value[:, *window], one.apart) for one in seen]
            truth = truth[:, *window]
            drawn = first.maps(seen)
            seen = context(drawn, seen)
        rows, columns = cells(truth, rng, drawn)
        inputs.append(gathered(seen, rows, columns).T.astype(np.float16))
        wanted.append(truth[:, rows, columns].T)
    return np.concatenate(inputs), np.concatenate(wanted)


def _window(truth: Labels, rng: np.random.Generator) -> tuple[slice, slice]:
    """A part of a shot with an end in it."""
    ends = np.argwhere(truth[CHANNELS.index("end")] > 50)
    at = ends[rng.integers(len(ends))] if len(ends) else np.array(truth.shape[1:]) // 2
    low = [
        int(np.clip(at[k] - rng.integers(_WINDOW), 0, max(truth.shape[1 + k] - _WINDOW, 0)))
        for k in (0, 1)
    ]
    return slice(low[0], low[0] + _WINDOW), slice(low[1], low[1] + _WINDOW)


# --- learning -------------------------------------------------------------------------------------


def learned(
    inputs: npt.NDArray[np.float16], wanted: Labels, passes: int, rng: np.random.Generator
) -> Net:
    """A net that learned from cells in so many passes."""
    sample = inputs[rng.choice(len(inputs), min(len(inputs), 20_000), replace=False)].astype("f4")
    middle, spread = sample.mean(axis=0), sample.std(axis=0) + np.float32(0.02)
    sizes = (inputs.shape[1], *_HIDDEN, len(CHANNELS))
    weights: dict[str, Floats] = {}
    for name, into, out in zip(("first", "second", "last"), sizes, sizes[1:], strict=False):
        weights[name] = (rng.standard_normal((out, into)) * math.sqrt(2 / into)).astype("f4")
        weights[f"{name}.bias"] = np.zeros(out, dtype="f4")
    weights["last"] *= np.float32(0.1)
    memory = {name: (np.zeros_like(one), np.zeros_like(one)) for name, one in weights.items()}
    steps, step = passes * (len(inputs) // _BATCH), 0
    begun = time.monotonic()
    for _ in range(passes):
        order, losses = rng.permutation(len(inputs)), list[dict[str, float]]()
        for start in range(0, len(order) - _BATCH + 1, _BATCH):
            which = np.sort(order[start : start + _BATCH])
            value = ((inputs[which].astype("f4") - middle) / spread).T
            slopes, parts = _slopes(weights, np.clip(value, -6, 6), wanted[which].T)
            losses.append(parts)
            step += 1
            rate = _RATE * min(1.0, step / 100) * 0.5 * (1 + math.cos(math.pi * step / steps))
            _adam(weights, slopes, memory, step, rate)
        mean = {name: float(np.mean([one[name] for one in losses])) for name in losses[0]}
        told = " ".join(f"{name} {value:.4f}" for name, value in mean.items())
        print(f"{step} of {steps} steps, {time.monotonic() - begun:.0f} s: {told}", flush=True)
    # what evened out the inputs becomes a part of the first layer
    weights["first.bias"] -= weights["first"] @ (middle / spread)
    weights["first"] /= spread
    return Net(weights)


def _adam(
    weights: dict[str, Floats],
    slopes: dict[str, Floats],
    memory: dict[str, tuple[Floats, Floats]],
    step: int,
    rate: float,
) -> None:
    for name, value in weights.items():
        first, second = memory[name]
        first += np.float32(0.1) * (slopes[name] - first)
        second += np.float32(0.002) * (slopes[name] ** 2 - second)
        up = first / np.float32(1 - 0.9**step)
        value -= np.float32(rate) * (
            up / (np.sqrt(second / np.float32(1 - 0.998**step)) + np.float32(1e-8))
            + np.float32(1e-3) * value
        )


def _slopes(
    weights: dict[str, Floats], value: Floats, truth: Labels
) -> tuple[dict[str, Floats], dict[str, float]]:
    """The gradient of the loss of some cells, and the loss by what is asked."""
    one = np.maximum(weights["first"] @ value + weights["first.bias"][:, None], 0)
    two = np.maximum(weights["second"] @ one + weights["second.bias"][:, None], 0)
    drawn = weights["last"] @ two + weights["last.bias"][:, None]
    slope, parts = _loss(drawn, truth)
    found = {"last": slope @ two.T, "last.bias": slope.sum(axis=1)}
    slope = (weights["last"].T @ slope) * (two > 0)
    found |= {"second": slope @ one.T, "second.bias": slope.sum(axis=1)}
    slope = (weights["second"].T @ slope) * (one > 0)
    return found | {"first": slope @ value.T, "first.bias": slope.sum(axis=1)}, parts


def _loss(drawn: Floats, truth: Labels) -> tuple[Floats, dict[str, float]]:
    count = np.float32(drawn.shape[1])
    slope = np.zeros_like(drawn)
    logits, masks = drawn[:MASKS], truth[:MASKS] / np.float32(100)
    share = 1.0 / (1.0 + np.exp(-np.clip(logits, -30, 30)))
    costs = np.logaddexp(0, logits) - masks * logits
    parts = {"masks": float((_MASK_WEIGHT * costs).sum() / count)}
    slope[:MASKS] = _MASK_WEIGHT * (share - masks) / count
    for name, channels, scale in (
        ("turn", ("turn_x", "turn_y"), 1.0),
        ("to", ("to_x", "to_y"), 1.0),
        ("height", ("height",), _DISC_OFF),
        ("count", ("count",), _DISC_OFF),
    ):
        which = [CHANNELS.index(one) for one in channels]
        asked = truth[which] != NOWHERE
        away = np.where(asked, drawn[which] - truth[which] / np.float32(100), 0.0) / scale
        far = np.abs(away)
        costs = np.where(far < 1, 0.5 * away**2, far - 0.5)
        parts[name] = float(costs.sum() / max(asked.sum(), 1))
        slope[which] = _WEIGHTS[name] * np.clip(away, -1, 1) / scale / count
    return slope, parts


def train(folder: Path, out: Path, passes: int, begin: Path | None) -> None:
    """Learns both nets and writes their weights."""
    rng, files = np.random.default_rng(0), sorted(folder.glob("*.npz"))
    tables = sorted({_table(file) for file in files})
    kept_back = set(tables[-round(len(tables) * _FOR_SECOND) :])
    others = [file for file in files if _table(file) in kept_back]
    if begin is None:
        mine = [file for file in files if _table(file) not in kept_back]
        first = learned(*taken(mine, rng, None), passes, rng)
        _write(out, [first])
    else:
        with np.load(begin) as held:
            first = unpacked({name: held[name] for name in held.files}).nets[0]
    second = learned(*taken(others, rng, first), passes, rng)
    _write(out, [first, second])


def _table(file: Path) -> int:
    return int(file.stem.partition("-")[0])


def _write(out: Path, nets: list[Net]) -> None:
    stored: dict[str, Any] = {
        f"{n}/{name}": value.astype(np.float16)
        for n, net in enumerate(nets)
        for name, value in net.weights.items()
    }
    np.savez_compressed(out, **stored)


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("shots", "train"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("nets", type=Path, nargs="?")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--passes", type=int, default=12)
    parser.add_argument("--from", dest="begin", type=Path, help="keep the first net of this file")
    asked = parser.parse_args()
    if asked.what == "shots":
        render(asked.folder, asked.first, asked.count)
    elif asked.nets is None:
        parser.error("train needs the file to write")
    else:
        train(asked.folder, asked.nets, asked.passes, asked.begin)


if __name__ == "__main__":
    main()
