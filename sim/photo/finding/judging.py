"""How sure a road is that was found: a logistic regression (Cox 1958) on signs that right and wrong
ones differ by.

`tools/sureness.py` fitted the weights, on photos that we rendered ourselves.
"""

from collections.abc import Mapping

import numpy as np

from sim.bodies import Floats
from sim.photo.finding.net import Maps
from sim.photo.finding.standing import Standing
from sim.photo.finding.votes import Crowds

SIGNS = (
    "one", "alone", "one end", "two ends", "voted", "share", "spread", "unseen pillars", "table",
    "levels", "ends", "score", "crowded",
)  # fmt: skip
"""What a road is judged by: 1; the share of its line that is this road and that no better road
explains; whether one end is seen, or both; whether spots vote for it, their share and spread; how
many of its pillars nobody saw; how good the roads of the photo are; how probable its levels are;
how clear its ends are; its score; and how many roads too many lie on its pillars.
"""

_WEIGHTS: Mapping[str, float] = {
    "one": -2.785,
    "alone": 3.164,
    "one end": 0.153,
    "two ends": -0.440,
    "voted": 0.096,
    "share": -0.023,
    "spread": -0.481,
    "unseen pillars": -0.270,
    "table": 1.688,
    "levels": 0.179,
    "ends": 1.902,
    "score": 1.865,
    "crowded": -0.691,
}
"""Fitted by `python tools/sureness.py --first 7000 --count 32`."""


def signs(maps: Maps, found: Standing, voted: Crowds) -> Floats:
    """The signs (n, len(SIGNS)) of roads."""
    roads = found.roads
    table = float(np.mean([road.score for road in roads])) if roads else 0.0
    rows = []
    for n, road in enumerate(roads):
        stands = [None if foot is None else found.stands[foot] for foot in found.feet[n]]
        levels = [0 if stand is None else stand.discs for stand in stands]
        likely = [road.levels[k, min(levels[k], road.levels.shape[1] - 1)] for k in (0, 1)]
        crowd, ends = road.crowd, int(road.seen.sum())
        rows.append(
            (
                1.0, road.shown, ends == 1, ends == 2, crowd >= 0,
                min(float(voted.share[crowd]), 1.5) if crowd >= 0 else 0.0,
                min(float(voted.spread[crowd]) / 10.0, 1.0) if crowd >= 0 else 0.0,
                sum(stand is not None and stand.at is None for stand in stands), table,
                float(np.log(np.maximum(likely, 0.02)).sum()),
                float((clearness(maps, road.at) * road.seen).sum()), road.score,
                sum(
                    max(len(stand.bears) - 2, 0)
                    for stand in stands
                    if stand is not None and not stand.junction
                ),
            )
        )  # fmt: skip
    return np.array(rows, dtype=np.float64).reshape(-1, len(SIGNS))


def sure(values: Floats) -> Floats:
    """How probable it is that each road is right (n,), by its signs."""
    odds = values @ np.array([_WEIGHTS.get(name, 0.0) for name in SIGNS])
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(odds, -30.0, 30.0))))


def clearness(maps: Maps, at: Floats) -> Floats:
    """How clear the ends are that the picture shows at these places (n, 2) in cells, (n,)."""
    h, w = maps["end"].shape
    x, y = np.clip(np.round(at).astype(int), 0, (w - 1, h - 1)).T
    return np.asarray(maps["end"][y, x], dtype=np.float64)
