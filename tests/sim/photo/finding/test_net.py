"""The net: that its layers are convolutions, that the whole is what direct loops give, and that
what trains is what runs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from sim.photo.finding import net
from sim.photo.finding.net import (
    CHANNELS,
    COARSEST,
    DISCS,
    LAYERS,
    LEVELS,
    MASKS,
    STEP,
    Net,
    trained,
    unpacked,
)
from tools import nets
from tools.labels import NOWHERE


def photo(height: int = COARSEST, width: int = 2 * COARSEST) -> np.ndarray:
    return np.random.default_rng(2).integers(0, 256, (height, width, 3), dtype=np.uint8)


def some(seed: int) -> dict[str, np.ndarray]:
    """Weights by chance."""
    rng = np.random.default_rng(seed)
    weights = {}
    for name, (into, out, side) in LAYERS.items():
        spread = np.sqrt(2 / (into * side * side))
        weights[name] = rng.normal(0, spread, (out, into, side, side)).astype("f4")
        weights[f"{name}.bias"] = rng.normal(0, 0.1, out).astype("f4")
    return weights


def looped(kernel: np.ndarray, bias: np.ndarray, value: np.ndarray) -> np.ndarray:
    """A convolution by its definition, all cells at once; beyond the rims all is
    0."""
    side = kernel.shape[-1]
    reach = side // 2
    wide = np.pad(value, ((0, 0), (reach, reach), (reach, reach)))
    h, w = value.shape[1:]
    found = np.zeros((len(kernel), h, w)) + bias[:, None, None]
    for i in range(side):
        for j in range(side):
            found += np.einsum("oc,chw->ohw", kernel[:, :, i, j], wide[:, i : i + h, j : j + w])
    return found if side == 1 else np.maximum(found, 0)


def probable(drawn: np.ndarray) -> np.ndarray:
    """What is drawn, with probabilities for logits."""
    found = drawn.astype(float)
    found[:MASKS] = 1 / (1 + np.exp(-found[:MASKS]))
    for among in (LEVELS, DISCS):
        odds = np.exp(found[among])
        found[among] = odds / odds.sum(axis=0)
    return found


def test_a_layer_is_a_convolution_and_is_alike_in_every_strip(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    weights, rng = some(3), np.random.default_rng(4)
    value = rng.normal(0, 1, (LAYERS["down0a"][0], 7, 5)).astype("f4")
    wanted = looped(weights["down0a"], weights["down0a.bias"], value)
    np.testing.assert_allclose(Net(weights).layer("down0a", value), wanted, atol=1e-4)
    monkeypatch.setattr(net, "_ROWS", 3)
    np.testing.assert_allclose(Net(weights).layer("down0a", value), wanted, atol=1e-4)


def test_the_maps_of_a_photo_are_what_direct_loops_give() -> None:
    weights, pixels = some(5), photo()
    levels = len([name for name in LAYERS if name.startswith("down")]) // 2

    def layer(name: str, value: np.ndarray) -> np.ndarray:
        return looped(weights[name], weights[f"{name}.bias"], value)

    def drawn(pixels: np.ndarray) -> np.ndarray:
        return _looped_through(pixels, levels, layer)

    wanted, mirrored = probable(drawn(pixels)), probable(drawn(pixels[:, ::-1]))[:, :, ::-1]
    maps, turned = (Net(weights).maps(pixels, mirrored=one) for one in (False, True))
    for channel, name in enumerate(CHANNELS):
        sign = -1 if name in ("turn_y", "to_x", "mid_x") else 1
        np.testing.assert_allclose(maps[name], wanted[channel], atol=2e-3, rtol=2e-3)
        np.testing.assert_allclose(turned[name], sign * mirrored[channel], atol=2e-3, rtol=2e-3)


def _looped_through(
    pixels: np.ndarray, levels: int, layer: Callable[[str, np.ndarray], np.ndarray]
) -> np.ndarray:
    some_pixels = pixels[::4, ::4].astype(float)
    even = (pixels - some_pixels.mean()) / (some_pixels.std() + 8)
    h, w = COARSEST // STEP, 2 * COARSEST // STEP
    value = np.zeros((3 * STEP * STEP, h, w))
    for colour in range(3):
        for i in range(STEP):
            for j in range(STEP):
                value[(colour * STEP + i) * STEP + j] = even[i::STEP, j::STEP, colour]
    seen = []
    for level in range(levels):
        if level:
            quarters = [value[:, i::2, j::2] for i in (0, 1) for j in (0, 1)]
            value = np.maximum.reduce(quarters)
        value = layer(f"down{level}b", layer(f"down{level}a", value))
        seen.append(value)
    for level in range(levels - 2, -1, -1):
        value = layer(
            f"up{level}a", seen[level] + np.kron(layer(f"lift{level}", value), [[1, 1]] * 2)
        )
        if f"up{level}b" in LAYERS:
            value = layer(f"up{level}b", value)
    return layer("head", value)


def test_the_shipped_net_has_the_layers_and_photos_may_have_any_sides() -> None:
    assert set(trained().weights) == {one for name in LAYERS for one in (name, f"{name}.bias")}
    maps = trained().maps(photo(COARSEST + 6, 2 * COARSEST + 31))
    assert maps["any"].shape == ((COARSEST + 6) // STEP, (2 * COARSEST + 31) // STEP)
    for name in CHANNELS[:MASKS]:
        assert 0 <= maps[name].min() <= maps[name].max() <= 1


def test_what_trains_is_what_runs(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    weights, stats = nets.begun(6)
    rng = np.random.default_rng(7)
    for name, value in stats.items():
        low, high = (0.5, 2.0) if name.endswith("var") else (-0.5, 0.5)
        value += torch.from_numpy(rng.uniform(low, high, len(value)).astype("f4"))
    nets.write(tmp_path / "nets.npz", weights | stats)
    with np.load(tmp_path / "nets.npz") as file:
        maps = unpacked({name: file[name] for name in file.files}).maps(photo())
    even = net.evened(photo(), photo()).transpose(2, 0, 1)[None].copy()
    drawn = probable(nets.drawn(weights, stats, torch.from_numpy(even), False)[0].numpy())
    for channel, name in enumerate(CHANNELS):
        np.testing.assert_allclose(maps[name], drawn[channel], atol=0.02)


def check_grown(
    file: Path,
    old: dict[str, np.ndarray],
    layer: Callable[[str, np.ndarray], np.ndarray],
    seed: int,
    channels: int,
) -> None:
    """Training that goes on from an older net begins with what its layers draw."""
    torch = pytest.importorskip("torch")
    np.savez(file, **old)
    rng = np.random.default_rng(seed)
    truth = np.zeros((len(CHANNELS), COARSEST // STEP, COARSEST // STEP), dtype=np.int8)
    part = rng.normal(0, 1, (COARSEST, COARSEST, 3)).astype("f4")
    source = iter([[(part, truth), (part[::-1].copy(), truth)]] * 99)
    weights, stats = nets.carried_on(1, file, source)
    even = net.evened(photo(), photo()).transpose(2, 0, 1)
    blocks = even.reshape(3, COARSEST // STEP, STEP, -1, STEP).transpose(0, 2, 4, 1, 3)
    wanted = net.walked(
        blocks.reshape(3 * STEP * STEP, COARSEST // STEP, -1),
        layer,
        lambda value: value.reshape(len(value), value.shape[1] // 2, 2, -1, 2).max(axis=(2, 4)),
        lambda value, seen: seen + value.repeat(2, axis=1).repeat(2, axis=2),
    )
    with torch.no_grad():
        drawn = nets.drawn(weights, stats, torch.from_numpy(even[None]), False)[0].numpy()
    np.testing.assert_allclose(drawn[:channels], wanted[:channels], atol=2e-2, rtol=2e-2)


def test_training_that_goes_on_begins_with_what_an_earlier_net_draws(tmp_path: Path) -> None:
    known = some(8)
    coarsest = max(int(name[4]) for name in LAYERS if name.startswith("down"))
    added = (f"down{coarsest}", f"lift{coarsest - 1}", f"up{coarsest - 1}")
    old = {name: value for name, value in known.items() if not name.startswith(added)}
    for name in ("head", "head.bias"):
        old[name] = old[name][:-3]
    for name in added:
        for one in known:
            if one.startswith(name):
                known[one] = np.zeros_like(known[one])
    for up in (f"up{coarsest - 1}a", f"up{coarsest - 1}b"):
        known[up][range(len(known[up])), range(len(known[up])), 1, 1] = 1.0
    check_grown(tmp_path / "old.npz", old, Net(known).layer, 9, len(CHANNELS) - 3)


def test_the_loss_falls_where_the_truth_is_said_and_asks_nothing_where_it_is_nowhere() -> None:
    torch = pytest.importorskip("torch")
    truth = np.zeros((1, len(CHANNELS), 4, 4), dtype=np.int8)
    truth[:, :MASKS, 0, 0] = 100
    truth[:, MASKS:] = NOWHERE
    truth[:, MASKS:, 1, 1] = 50
    logits = np.full(truth.shape, -9.0, dtype="f4")
    logits[:, :MASKS, 0, 0] = 9.0
    logits[:, MASKS:, 1, 1] = 0.5
    told = [CHANNELS.index("level5"), CHANNELS.index("discs5")]
    logits[:, told, 1, 1] = 9.0
    right, _ = nets.loss(torch.from_numpy(logits), torch.from_numpy(truth))
    assert float(right) < 0.02
    logits[:, MASKS:, 2, 2] = 7.0
    assert float(nets.loss(torch.from_numpy(logits), torch.from_numpy(truth))[0]) == float(right)
    for channel in range(len(CHANNELS)):
        off = logits.copy()
        off[:, channel, 1, 1] += -9.0 if channel in told else 9.0
        worse, _ = nets.loss(torch.from_numpy(off), torch.from_numpy(truth))
        assert float(worse) > float(right) + 0.03


def test_parts_of_a_photo_and_their_truth_show_the_same(tmp_path: Path) -> None:
    pixels = np.full((400, 600, 3), 30, dtype=np.uint8)
    truth = np.zeros((len(CHANNELS), 200, 300), dtype=np.int8)
    truth[MASKS:] = NOWHERE
    pixels[200:240, 300:340] = 250
    truth[CHANNELS.index("end"), 100:120, 150:170] = 100
    truth[CHANNELS.index("to_x"), 100:120, 150:170] = 80
    truth[CHANNELS.index("to_y"), 100:120, 150:170] = -60
    file = tmp_path / "0-0.npz"
    np.savez(file, pixels=pixels, labels=truth)
    sides = set()
    for seed in range(12):
        for part, mine in nets.parts(file, np.random.default_rng(seed)):
            bright = part.mean(axis=2).reshape(mine.shape[1], STEP, -1, STEP).mean(axis=(1, 3))
            end = mine[CHANNELS.index("end")] == 100
            if not 0.002 < end.mean() < 0.5:
                continue
            assert bright[end].mean() > bright[~end].mean() + 1
            middles = [np.argwhere(one).mean(axis=0) for one in (end, bright > bright.mean() + 1)]
            np.testing.assert_allclose(*middles, atol=1.0)
            way = mine[CHANNELS.index("to_x")][end]
            assert np.unique(np.abs(way)).tolist() == [80]
            sides |= set(np.unique(way).tolist())
            assert set(np.unique(mine[CHANNELS.index("to_y")][end]).tolist()) == {-60}
    assert sides == {-80, 80}


def test_without_torch_training_says_what_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setattr(
        sys, "argv", ["nets.py", "train", str(tmp_path), str(tmp_path / "nets.npz")]
    )
    with pytest.raises(SystemExit) as left:
        nets.main()
    assert (left.value.code, list(tmp_path.iterdir())) == (2, [])
    assert capsys.readouterr().err == "training needs torch: pip install torch\n"


def test_a_wider_net_draws_what_a_narrow_one_does(tmp_path: Path) -> None:
    narrow, deep = {}, some(11)
    widths = {name: max(out // 2, 1) for name, (_, out, _) in LAYERS.items()}
    for name in LAYERS:
        if name.endswith("b") and name.startswith("up"):
            continue
        level = int(name[4]) if name.startswith(("down", "lift")) else 0
        before = {
            "down0a": 3 * STEP * STEP,
            "head": widths["up0a"],
        }.get(name)
        if before is None:
            source = {"a": f"down{level - 1}b", "b": f"down{level}a"}
            before = (
                widths[f"down{level + 1}b"]
                if name.startswith("lift")
                else widths[name]
                if name.startswith("up")
                else widths[source[name[-1]]]
            )
        was = name.removesuffix("a") if name.startswith("up") else name
        narrow[was] = deep[name][: widths[name], :before]
        narrow[f"{was}.bias"] = deep[f"{name}.bias"][: widths[name]]

    def layer(name: str, value: np.ndarray) -> np.ndarray:
        was = name.removesuffix("a") if name.startswith("up") else name
        if was not in narrow:
            return value
        return looped(narrow[was], narrow[f"{was}.bias"], value)

    check_grown(tmp_path / "old.npz", narrow, layer, 12, len(narrow["head"]))
