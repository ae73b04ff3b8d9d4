"""Trains the net that finds roads in photos, on pictures that we render ourselves.

    python tools/nets.py shots FOLDER [--first 0] [--count 300]
    python tools/nets.py train FOLDER NETS.npz [--minutes 60] [--seed 0] [--threads 1]
        [--begin EARLIER.npz [--rate 0.25]]

`shots` renders photos of tables with their truth into a folder, about three seconds each; `train`
learns from all of them, also from those that come while it trains, for as long as it is told, and
writes the weights, half precision. With `--begin` it goes on from an earlier net, also one that
drew less, was narrower or had fewer layers. It needs torch; the net itself runs
without. It learns from parts of photos, mirrored, scaled, lighter and darker, with AdamW
(Loshchilov and Hutter 2019) and a rate that falls like a cosine; batch normalization (Ioffe and
Szegedy 2015) becomes part of the layers in the end. The mean of late weights is kept. The shipped
net is `assets/photos/nets.npz`. Shots for figures (`tools.shots.HELD_OUT` on) are never trained on.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.photo.finding.net import (
    CHANNELS,
    DISCS,
    LAYERS,
    LEVELS,
    MASKS,
    STEP,
    TURNED,
    Floats32,
    evened,
    walked,
)
from tools.labels import NOWHERE, labels
from tools.shots import HELD_OUT, looks

Labels = npt.NDArray[np.int8]
State = dict[str, Any]  # tensors by name

_LONGEST = (50, 81)  # sixteens of pixels of the longer side of a shot
_LOOKS = 3  # shots of each table
_SIDE = 448  # pixels of a part
_BATCH, _RATE, _DECAY = 3, 2.5e-3, 0.02
_PARTS, _POOL = 6, 180  # parts of a photo at once, and how many parts lie ready
_AT_ENDS = 0.7  # share of parts that have an end in them
_SEEN, _SCALE = 1120, 1.25  # pixels of the longer side of a photo as the net sees it, and by what
_TINT, _LIGHT, _NOISE, _SWAPPED = 0.15, 0.3, 0.08, 0.3
_MEAN = 0.998  # how slowly the mean of the weights moves
_STATS, _FROZEN = 0.05, 0.8  # how fast the spreads move, and from what share of the time not at all
_MEASURED = 16  # batches that the layers of an earlier net are measured on
_SMALL = 1e-5  # added to spreads
_EVERY = 120.0  # seconds between two times that the weights are written

_MASK_WEIGHT = {
    "top": 2.0, "end": 8.0, "side": 1.0, "face": 1.0, "car": 1.0, "axis": 6.0, "foot": 4.0,
}  # fmt: skip
_COMMON = {"top": -2.0, "side": -3.0, "face": -3.0}
"""Logits of what is probable before anything is seen; `_SELDOM` for others."""
_SELDOM = -4.0
_HALF = 0.4  # half of a usual road

_RARE = {"end": 6.0, "axis": 6.0, "foot": 6.0, "car": 3.0}
"""How much more a cell counts that is such a thing than one that is not."""

_OTHERS = {
    "turn_x": (0.5, 1.0), "turn_y": (0.5, 1.0), "to_x": (0.4, 1.0), "to_y": (0.4, 1.0),
    "height": (0.15, 0.05), "count": (0.2, 0.05),
    "mid_x": (0.15, 0.025), "mid_y": (0.15, 0.025), "half": (0.1, 0.025),
}  # fmt: skip
"""How much the other channels count, and the error that counts as one."""

_LEVELS, _DISCS = 0.15, 0.15
"""How much the numbers of discs under ends and in pillars count."""

_COMMONNESS = (0.7, 1.0, 1.1, 0.7, 0.5, 0.4, 0.3, 0.3, 0.3)
"""How common each number of discs is: rare ones count more, else everything leans to two discs."""


def render(folder: Path, first: int, count: int) -> None:
    """Writes shots and their labels."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(first, min(first + count, HELD_OUT)):
        files = [folder / f"{number}-{look}.npz" for look in range(_LOOKS)]
        if not all(file.exists() for file in files):
            longest = 16 * int(np.random.default_rng((number, 5)).integers(*_LONGEST))
            for file, one in zip(files, looks(number, longest, 1.1), strict=False):
                part = file.with_suffix(".part")
                with part.open("wb") as out:
                    np.savez(out, pixels=one.pixels, labels=labels(one))
                part.rename(file)


# --- parts of photos ------------------------------------------------------------------------------


def parts(file: Path, rng: np.random.Generator) -> list[tuple[Floats32, Labels]]:
    """Parts of a photo (side, side, 3), evened, and the truth (channels, cells, cells)."""
    with np.load(file) as held:
        pixels, truth = held["pixels"], held["labels"]
    if rng.random() < 0.5:
        pixels, truth = pixels[:, ::-1], truth[:, :, ::-1].copy()
        for name in TURNED:
            part = truth[CHANNELS.index(name)]
            part[part != NOWHERE] *= -1
    ends = np.argwhere(truth[CHANNELS.index("end")] > 50)
    return [_part(pixels, truth, ends, rng) for _ in range(_PARTS)]


def _part(
    pixels: npt.NDArray[np.uint8],
    truth: Labels,
    ends: npt.NDArray[np.int64],
    rng: np.random.Generator,
) -> tuple[Floats32, Labels]:
    import cv2

    cells = _SIDE // STEP
    most = min(truth.shape[1:])
    scale = max(pixels.shape[:2]) / _SEEN * math.exp(rng.uniform(-1, 1) * math.log(_SCALE))
    wide = min(round(cells * scale), most)
    limits = np.array(truth.shape[1:]) - wide
    low = rng.integers(limits + 1)
    if len(ends) and rng.random() < _AT_ENDS:
        low = np.clip(ends[rng.integers(len(ends))] - rng.integers(wide, size=2), 0, limits)
    (y, x), far = low, wide * STEP
    part = evened(pixels[y * STEP : y * STEP + far, x * STEP : x * STEP + far], pixels)
    how = cv2.INTER_AREA if far > _SIDE else cv2.INTER_LINEAR
    part = cv2.resize(np.ascontiguousarray(part), (_SIDE, _SIDE), interpolation=how)
    nearest = ((np.arange(cells) + 0.5) * wide / cells).astype(int)
    mine = truth[:, y + nearest[:, None], x + nearest]
    for name in ("mid_x", "mid_y", "half"):
        way = mine[CHANNELS.index(name)]
        longer = np.round(way.astype("f4") * (cells / wide))
        clipped = (np.abs(way.astype("i4")) >= 127) | (np.abs(longer) > 127)
        way[:] = np.where(clipped, NOWHERE, longer)
    if rng.random() < _SWAPPED:
        part = part[..., rng.permutation(3)]
    grey = part.mean(axis=2, keepdims=True)
    part = grey + (part - grey) * np.float32(rng.uniform(0.2, 1.3))
    tint = np.exp(rng.normal(0, _TINT, 3) + rng.normal(0, _TINT))
    part = part * tint.astype("f4") + np.float32(rng.normal(0, _LIGHT))
    part += np.float32(rng.uniform(0, _NOISE)) * rng.standard_normal(part.shape, dtype="f4")
    return part, mine


# --- learning -------------------------------------------------------------------------------------


def begun(seed: int) -> tuple[State, State]:
    """Weights to begin with, and the means and spreads of what layers give."""
    import torch

    torch.manual_seed(seed)
    weights, stats = {}, {}
    for name, (into, out, side) in LAYERS.items():
        spread = math.sqrt(2 / (into * side * side)) * (0.1 if name == "head" else 1.0)
        weights[name] = spread * torch.randn(out, into, side, side)
        weights[f"{name}.bias"] = torch.zeros(out)
        if _is_evened(name):
            weights[f"{name}.gain"] = torch.ones(out)
            stats[f"{name}.mean"], stats[f"{name}.var"] = torch.zeros(out), torch.ones(out)
    for k, name in enumerate(CHANNELS[:MASKS]):
        weights["head.bias"][k] = _COMMON.get(name, _SELDOM)
    weights["head.bias"][CHANNELS.index("half")] = _HALF
    return weights, stats


def carried_on(seed: int, earlier: Path, source: Iterator[list[tuple[Floats32, Labels]]]) -> Any:
    """Weights that draw what an earlier net draws, and the means and spreads of its layers; what
    that net did not have begins as nothing.
    """
    import torch

    weights, stats = begun(seed)
    with np.load(earlier) as file:
        old = {name: torch.from_numpy(file[name].astype("f4")) for name in file.files}
    for name, (_, out, side) in LAYERS.items():
        bias, was = f"{name}.bias", name if name in old else name.removesuffix("a")
        if was in old:
            wide, deep = old[was].shape[:2]
            weights[name][:wide, :deep] = old[was]
            weights[name][:wide, deep:] = 0.0
            weights[bias][:wide] = old[f"{was}.bias"]
        elif name.startswith("lift"):
            weights[name].zero_()
        elif name.startswith("up"):
            weights[name].zero_()
            weights[name][range(out), range(out), side // 2, side // 2] = 1.0
    known = {name for name in LAYERS if _is_evened(name) and (name in old or "up" in name)}
    seen: dict[str, list[Any]] = {name: [] for name in known}
    with torch.no_grad():
        for _ in range(_MEASURED):
            drawn(weights, stats, _stacked(next(source))[0], seen)
    for name, both in seen.items():
        mean, var = (torch.stack(some).mean(dim=0) for some in zip(*both, strict=True))
        stats[f"{name}.mean"], stats[f"{name}.var"] = mean, var
        weights[f"{name}.gain"] = (var + _SMALL).sqrt()
        weights[f"{name}.bias"] = weights[f"{name}.bias"] + mean
    return weights, stats


def _stacked(batch: list[tuple[Floats32, Labels]]) -> tuple[Any, Any]:
    import torch

    pixels = torch.from_numpy(np.stack([one for one, _ in batch])).permute(0, 3, 1, 2)
    return pixels, torch.from_numpy(np.stack([one for _, one in batch]))


def _is_evened(name: str) -> bool:
    return name.startswith(("down", "up"))


def drawn(weights: State, stats: State, value: Any, learns: bool | dict[str, list[Any]]) -> Any:
    """What the net draws of parts (n, 3, h, w), probabilities as logits; `learns` says whether the
    means and spreads are those of these parts. Layers that stand in `learns` are not evened: their
    means and spreads are noted there.
    """
    import torch
    from torch.nn import functional

    def layer(name: str, value: Any) -> Any:
        side = LAYERS[name][2]
        if not _is_evened(name):
            return functional.conv2d(value, weights[name], weights[f"{name}.bias"])
        value = functional.conv2d(value, weights[name], padding=side // 2)
        if isinstance(learns, dict) and name in learns:
            learns[name].append((value.mean(dim=(0, 2, 3)), value.var(dim=(0, 2, 3))))
            return functional.relu(value + weights[f"{name}.bias"][:, None, None])
        value = functional.batch_norm(
            value, stats[f"{name}.mean"], stats[f"{name}.var"], weights[f"{name}.gain"],
            weights[f"{name}.bias"], bool(learns), _STATS,
        )  # fmt: skip
        return functional.relu(value, inplace=True)

    def raised(value: Any, seen: Any) -> Any:
        return seen + functional.interpolate(value, scale_factor=2, mode="nearest")

    cells = functional.pixel_unshuffle(value, STEP).contiguous(memory_format=torch.channels_last)
    return walked(cells, layer, lambda value: functional.max_pool2d(value, 2), raised)


def loss(logits: Any, truth: Any) -> tuple[Any, dict[str, float]]:
    """The loss of what was drawn (n, channels, h, w), and its parts by name."""
    import torch
    from torch.nn import functional

    masks = truth[:, :MASKS].float() / 100
    costs = functional.binary_cross_entropy_with_logits(logits[:, :MASKS], masks, reduction="none")
    names = CHANNELS[:MASKS]
    rare = torch.tensor([_RARE.get(name, 0.0) for name in names])[:, None, None]
    each = (costs * (1 + rare * masks)).mean(dim=(0, 2, 3))
    total = (each * torch.tensor([_MASK_WEIGHT[name] for name in names])).sum()
    told = dict(zip(names, each.detach().tolist(), strict=True))
    others = tuple(_OTHERS)
    here = slice(MASKS, MASKS + len(others))
    asked = truth[:, here] != NOWHERE
    weight, off = torch.tensor([_OTHERS[name] for name in others]).T[..., None, None]
    away = (logits[:, here] - truth[:, here].float() / 100) * asked / off
    costs = functional.huber_loss(away, torch.zeros_like(away), reduction="none")
    seldom = 1 / torch.tensor(_COMMONNESS)
    share = asked.float()
    for name in ("height", "count"):
        k = others.index(name)
        share[:, k] *= seldom[_discs(truth, name).clamp(0, len(_COMMONNESS) - 1)]
    each = (costs * share).sum(dim=(0, 2, 3)) / share.sum(dim=(0, 2, 3)).clamp(min=1)
    total = total + (each * weight[:, 0, 0]).sum()
    told |= dict(zip(others, each.detach().tolist(), strict=True))
    at_end = truth[:, CHANNELS.index("to_x")] != NOWHERE
    for name, some, first, part in (
        ("height", LEVELS, 0, _LEVELS),
        ("count", DISCS, 1, _DISCS),
    ):
        k = CHANNELS.index(name)
        there = (truth[:, k] != NOWHERE) & (at_end if name == "height" else True)
        mine = logits[:, some].permute(0, 2, 3, 1)[there]
        right = (_discs(truth, name)[there] - first).clamp(0, mine.shape[1] - 1)
        rare = seldom[right + first]
        costs = functional.cross_entropy(mine, right, reduction="none")
        cost = (costs * rare).sum() / rare.sum().clamp(min=1)
        total = total + part * cost
        told[CHANNELS[some.start]] = float(cost.detach())
    return total, told


def _discs(truth: Any, name: str) -> Any:
    """How many discs a channel of the truth says."""
    return ((truth[:, CHANNELS.index(name)].int() + 5).div(10, rounding_mode="floor")).long()


def _batches(folder: Path, rng: np.random.Generator) -> Iterator[list[tuple[Floats32, Labels]]]:
    """Parts of photos that do not hang together, without end."""
    queue: list[Path] = []
    pool: list[tuple[Floats32, Labels]] = []
    while True:
        while len(pool) < _POOL:
            if not queue:
                queue = sorted(folder.glob("*.npz"))
                rng.shuffle(queue)
            pool += parts(queue.pop(), rng)
        rng.shuffle(pool)
        yield [pool.pop() for _ in range(_BATCH)]


def train(
    folder: Path,
    out: Path,
    minutes: float,
    seed: int,
    threads: int,
    earlier: Path | None = None,
    share: float = 1.0,
) -> None:
    """Learns for so many minutes and writes the weights; begins with an earlier net if one is
    given, with this share of the usual rate.
    """
    import torch

    torch.set_num_threads(threads)
    rng, start = np.random.default_rng(seed), time.monotonic()
    source = _batches(folder, rng)
    weights, stats = begun(seed) if earlier is None else carried_on(seed, earlier, source)
    rate = _RATE if earlier is None else share * _RATE
    for value in weights.values():
        value.requires_grad_(True)
    flat = [value for name, value in weights.items() if value.dim() == 1]
    deep = [value for name, value in weights.items() if value.dim() > 1]
    steps = torch.optim.AdamW(
        [{"params": deep, "weight_decay": _DECAY}, {"params": flat, "weight_decay": 0.0}], lr=rate
    )
    mean = {name: value.detach().clone() for name, value in (weights | stats).items()}
    short = _short_is_faster(weights, stats)
    step, written, recent = 0, start, dict[str, float]()
    while (done := (time.monotonic() - start) / (60 * minutes)) < 1:
        pixels, truth = _stacked(next(source))
        for group in steps.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / 150) * (0.5 + 0.5 * math.cos(math.pi * done))
        with torch.autocast("cpu", torch.bfloat16, enabled=short):
            logits = drawn(weights, stats, pixels, done < _FROZEN)
        cost, told = loss(logits.float(), truth)
        steps.zero_grad()
        cost.backward()
        torch.nn.utils.clip_grad_norm_(list(weights.values()), 5.0)
        steps.step()
        step += 1
        late = max(1 - _MEAN, 1 / (step + 1))
        for name, value in (weights | stats).items():
            mean[name].lerp_(value.detach(), late)
        for name, part in told.items():
            recent[name] = recent.get(name, part) + 0.02 * (part - recent.get(name, part))
        if step % 50 == 0:
            said = " ".join(f"{name} {part:.3f}" for name, part in recent.items())
            print(f"{step} steps, {time.monotonic() - start:.0f} s: {said}", flush=True)
        if time.monotonic() - written > _EVERY:
            written = time.monotonic()
            write(out, mean)
    write(out, mean)


def _short_is_faster(weights: State, stats: State) -> bool:
    """Whether this processor is faster with 16 bits: without instructions for them it takes seven
    times as long.
    """
    import torch

    took = []
    pixels = torch.zeros(1, 3, _SIDE, _SIDE)
    for short in (False, True, False, True):  # the first two also set up
        begin = time.process_time()
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16, enabled=short):
            drawn(weights, stats, pixels, False)
        took.append(time.process_time() - begin)
    return took[3] < took[2]


def write(out: Path, state: State) -> None:
    """Writes the weights, half precision; means and spreads become part of the layers."""
    stored: dict[str, Any] = {}
    for name in LAYERS:
        weight, bias = (state[one].detach().numpy() for one in (name, f"{name}.bias"))
        if _is_evened(name):
            gain, mean, var = (
                state[f"{name}.{one}"].detach().numpy() for one in ("gain", "mean", "var")
            )
            gain = gain / np.sqrt(var + _SMALL)
            weight, bias = weight * gain[:, None, None, None], bias - mean * gain
        stored[name] = weight.astype(np.float16)
        stored[f"{name}.bias"] = bias.astype(np.float16)
    np.savez_compressed(out, **stored)


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("shots", "train"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("nets", type=Path, nargs="?")
    parser.add_argument("--begin", type=Path)
    parser.add_argument("--rate", type=float, default=0.25)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    if asked.what == "shots":
        render(asked.folder, asked.first, asked.count)
    elif asked.nets is None:
        parser.error("train needs the file to write")
    else:
        try:
            begin = asked.begin, asked.rate
            train(asked.folder, asked.nets, asked.minutes, asked.seed, asked.threads, *begin)
        except ModuleNotFoundError as error:
            parser.exit(2, f"training needs {error.name}: pip install {error.name}\n")


if __name__ == "__main__":
    main()
