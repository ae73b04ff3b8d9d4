"""Fits the weights by which a road that is found in a photo is called sure.

    python tools/sureness.py [--first 5000] [--count 40] [--together]

Renders photos, finds what may be roads in them with the shipped net, compares that with the truth,
and prints the weights for `sim/photo/finding/judging.py`, with how well they are calibrated on
photos that were left out. With `--together` they are those of `sim/photo/finding/pooling.py`, from
two photos of each table. Photos from `tools.shots.HELD_OUT` on are refused: figures come from
them.
"""

from __future__ import annotations

import argparse

import numpy as np
import numpy.typing as npt

from rules.errors import InputError
from sim.photo.finding.finder import find
from sim.photo.finding.judging import SIGNS
from sim.photo.finding.pooling import SIGNS as POOL_SIGNS
from sim.photo.finding.together import find_together
from tools.found import focal_of, matched_ends
from tools.shots import HELD_OUT, Shot, around, shot

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

_RIDGE = 10.0  # how much large weights cost
_STEPS = 40  # of Newton
_FOLDS = 5
_LONGEST = 1344  # pixels of a photo


def fitted(signs: Floats, right: Bools, ridge: float = _RIDGE) -> Floats:
    """The weights (k,) of the logistic regression of what is right (n,) on signs (n, k), of which
    the first is 1; all but its weight are drawn to 0 by `ridge`, in units of their spread.
    """
    spread = signs.std(axis=0)
    scale = np.where(spread > 0, spread, 1.0)
    middle = np.where(np.arange(signs.shape[1]) > 0, signs.mean(axis=0), 0.0)
    even = (signs - middle) / scale
    even[:, 0] = 1.0
    weight = np.zeros(signs.shape[1])
    price = np.full(len(weight), ridge)
    price[0] = 1e-6
    for _ in range(_STEPS):
        likely = 1.0 / (1.0 + np.exp(-np.clip(even @ weight, -30, 30)))
        slope = even.T @ (right - likely) - price * weight
        bent = (even * (likely * (1 - likely))[:, None]).T @ even + np.diag(price)
        weight += np.linalg.solve(bent, slope)
    found = weight / scale
    found[0] = weight[0] - float((weight[1:] * middle[1:] / scale[1:]).sum())
    return np.asarray(found)


def told(signs: list[Floats], right: list[Bools]) -> Floats:
    """How probable each road is (n,) by the weights that the other photos give."""
    found = [np.zeros(len(one)) for one in right]
    for fold in range(_FOLDS):
        out = [k for k in range(len(signs)) if k % _FOLDS == fold]
        rest = [k for k in range(len(signs)) if k % _FOLDS != fold]
        weight = fitted(np.concatenate([signs[k] for k in rest]), _joined(right, rest))
        for k in out:
            found[k] = 1.0 / (1.0 + np.exp(-np.clip(signs[k] @ weight, -30, 30)))
    return np.concatenate(found)


def _joined(right: list[Bools], which: list[int]) -> Bools:
    return np.concatenate([right[k] for k in which])


def seen(first: int, count: int) -> tuple[list[Floats], list[Bools]]:
    """The signs of what was considered in each photo, and what of it is right."""
    signs, right = [], []
    for number in range(first, first + count):
        shown = shot(number, _LONGEST)
        try:
            one = find(shown.pixels, focal_of(number, shown))
        except InputError:
            continue
        signs.append(one.considered.signs)
        right.append(_right(number, one.considered.ends, shown))
    return signs, right


def seen_together(first: int, count: int) -> tuple[list[Floats], list[Bools]]:
    """The same for what two photos of each table show."""
    signs, right = [], []
    for number in range(first, first + count):
        views = list(around(number, 2, _LONGEST))
        try:
            one = find_together([(view.pixels, focal_of(number, view)) for view in views])
        except InputError:
            continue
        pool, step = one.pool, one.found.look.step
        if pool.signs.shape[1]:
            ends = np.array([(road.at + 0.5) * step for road in pool.roads])
            signs.append(pool.signs)
            right.append(_right(number, ends, views[one.on]))
    return signs, right


def _right(number: int, ends: Floats, shown: Shot) -> Bools:
    """Which roads with these ends (n, 2, 2) are right."""
    good = np.zeros(len(ends), dtype=bool)
    good[[n for n, _, _ in matched_ends(ends, shown)]] = True
    print(f"{number}: {good.sum()} of {len(good)} right", flush=True)
    return good


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--first", type=int, default=5000)
    parser.add_argument("--count", type=int, default=14)
    parser.add_argument("--together", action="store_true", help="two photos of each table")
    asked = parser.parse_args()
    if asked.first + asked.count > HELD_OUT:
        parser.error(f"photos from {HELD_OUT} on are held out")
    names, looks = (POOL_SIGNS, seen_together) if asked.together else (SIGNS, seen)
    signs, right = looks(asked.first, asked.count)
    likely, good = told(signs, right), np.concatenate(right)
    for low, high in ((0.0, 0.2), (0.2, 0.5), (0.5, 0.8), (0.8, 0.9), (0.9, 0.95), (0.95, 1.01)):
        some = (likely >= low) & (likely < high)
        print(f"{low:.2f} to {min(high, 1):.2f}: {good[some].sum()} of {some.sum()} right")
    weight = fitted(np.concatenate(signs), good)
    print("\n".join(f'    "{n}": {w:.3f},' for n, w in zip(names, weight, strict=True)))


if __name__ == "__main__":
    main()
