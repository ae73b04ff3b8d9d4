"""The nets: that a whole photo and single cells are seen alike, and that what trains is what
runs.
"""

from __future__ import annotations

import numpy as np
import pytest

from sim.photo.finding.net import CHANNELS, MASKS, STEP, context, features, gathered, trained
from tools import nets
from tools.labels import NOWHERE


def photo(height: int = 64, width: int = 96) -> np.ndarray:
    return np.random.default_rng(2).integers(0, 256, (height, width, 3), dtype=np.uint8)


@pytest.mark.slow
def test_a_photo_is_seen_cell_by_cell_as_single_cells_are() -> None:
    pixels, every = photo(), trained()
    maps, seen = every.maps(pixels), features(pixels)
    rows, columns = np.array([0, 7, 31]), np.array([0, 20, 47])
    first = every.nets[0].drawn(gathered(seen, rows, columns))
    drawn = every.nets[0].maps(seen)
    np.testing.assert_allclose(drawn[MASKS:, rows, columns], first[MASKS:], atol=2e-3)
    if len(every.nets) == 1:
        last = first
    else:
        last = every.nets[1].drawn(gathered(context(drawn, seen), rows, columns))
    for channel, name in enumerate(CHANNELS):
        wanted = last[channel] if channel >= MASKS else 1 / (1 + np.exp(-last[channel]))
        np.testing.assert_allclose(maps[name][rows, columns], wanted, atol=5e-3)
        assert maps[name].shape == (64 // STEP, 96 // STEP)


def test_the_gradient_is_that_of_the_loss() -> None:
    rng = np.random.default_rng(3)
    sizes = {"first": (5, 8), "second": (4, 5), "last": (len(CHANNELS), 4)}
    weights = {}
    for name, size in sizes.items():
        weights[name] = rng.normal(0, 0.5, size)
        weights[f"{name}.bias"] = rng.normal(0, 0.1, size[0])
    value = rng.normal(0, 1, (8, 30))
    truth = rng.integers(0, 100, (len(CHANNELS), 30)).astype(np.int8)
    truth[MASKS:, ::3] = NOWHERE

    def cost() -> float:
        one = np.maximum(weights["first"] @ value + weights["first.bias"][:, None], 0)
        two = np.maximum(weights["second"] @ one + weights["second.bias"][:, None], 0)
        drawn = weights["last"] @ two + weights["last.bias"][:, None]
        logits, masks = drawn[:MASKS], truth[:MASKS] / 100
        weight = np.array([1, 1.5, 1, 1, 1, 1, 1])[:, None]
        total = (weight * (np.logaddexp(0, logits) - masks * logits)).sum()
        for channels, scale, share in (
            ((7, 8), 1.0, 1.0),
            ((9, 10), 1.0, 1.0),
            ((11,), 0.05, 0.6),
            ((12,), 0.05, 1.0),
        ):
            for k in channels:
                asked = truth[k] != NOWHERE
                far = np.abs(drawn[k] - truth[k] / 100)[asked] / scale
                total += share * np.where(far < 1, 0.5 * far**2, far - 0.5).sum()
        return float(total / 30)

    slopes, _ = nets._slopes(weights, value, truth)
    for name in ("first", "second.bias", "last"):
        at = np.unravel_index(np.abs(slopes[name]).argmax(), slopes[name].shape)
        weights[name][at] += 1e-5
        high = cost()
        weights[name][at] -= 2e-5
        low = cost()
        weights[name][at] += 1e-5
        assert slopes[name][at] == pytest.approx((high - low) / 2e-5, rel=1e-3)


def test_cells_to_learn_from_have_rare_things_among_them() -> None:
    truth = np.zeros((len(CHANNELS), 60, 80), dtype=np.int8)
    truth[CHANNELS.index("end"), 30, 40] = 100
    rows, columns = nets.cells(truth, np.random.default_rng(4))
    assert (30, 40) in set(zip(rows.tolist(), columns.tolist(), strict=True))
    assert len(rows) > 500
