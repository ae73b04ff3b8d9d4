"""At which sizes the net looks at a photo."""

from __future__ import annotations

import numpy as np
import pytest

from sim.photo.finding import looking
from sim.photo.finding.looking import LOOK, looked
from sim.photo.finding.net import CHANNELS, LENGTHS, REACH, STEP, Maps
from sim.pieces import Components

ROADS = 6


class Seen:
    """Stands for the net: says that roads of one length lie over each other, and notes what it is
    shown.
    """

    def __init__(self, share: float, roads: int = ROADS) -> None:
        self.share, self.roads = share, roads
        self.shown: list[tuple[int, bool]] = []

    def maps(self, pixels: np.ndarray, mirrored: bool = False) -> Maps:
        """Level roads, each this share of the photo long."""
        h, w = (side // STEP for side in pixels.shape[:2])
        self.shown.append((pixels.shape[1], mirrored))
        found = {name: np.zeros((h, w), dtype="f4") for name in CHANNELS}
        half, middle = self.share * w / 2, w / 2
        for road in range(self.roads):
            row = round((road + 1) * h / (self.roads + 1))
            rows = slice(row - 2, row + 3)
            columns = np.arange(round(middle - half), round(middle + half))
            found["top"][rows, columns] = 1.0
            found["turn_x"][rows, columns] = 1.0
            found["mid_x"][rows, columns] = STEP * (middle - columns) / REACH
            found["half"][rows, columns] = STEP * half / REACH
        return Maps.drawn(np.stack([found[name] for name in CHANNELS]))


def shown(share: float, roads: int, monkeypatch: pytest.MonkeyPatch) -> tuple[Seen, Maps]:
    """What the net was shown of a photo of 2240 x 1680 pixels, and the maps."""
    pytest.importorskip("cv2")
    net = Seen(share, roads)
    monkeypatch.setattr(looking, "trained", lambda: net)
    photo = np.zeros((1680, 2240, 3), dtype=np.uint8)
    return net, looked(photo, None).maps


@pytest.mark.parametrize("large", [1.2, 2.0, 2.7, 4.5])
def test_a_second_look_shows_roads_at_a_size_that_the_net_knows(
    large: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    share = large * Components.named(looking.BOX).road_length / LOOK
    net, maps = shown(share, ROADS, monkeypatch)
    assert net.shown[0] == (LOOK, False)
    wide, mirrored = net.shown[-1]
    assert mirrored
    wanted = min((2.8 if large < 2.45 else 2.2) / large * LOOK, 2048)
    assert wide == pytest.approx(wanted, rel=0.03)
    assert maps["top"].shape[1] == wide // STEP
    # a first look at which roads are far too small or too large counts no more
    assert len(net.shown) == (2 if 1.5 < large < 3.7 else 3)
    # both looks tell the same lengths, on the cells of the second
    row = round(maps["top"].shape[0] / (ROADS + 1))
    lengths = [maps[name][row, wide // STEP // 2] for name in LENGTHS]
    np.testing.assert_allclose(lengths, [0, 0, share * wide / 2 / REACH], atol=0.02)


def test_without_enough_roads_the_second_look_is_as_large(monkeypatch: pytest.MonkeyPatch) -> None:
    net, _ = shown(0.2, 3, monkeypatch)
    assert net.shown == [(LOOK, False), (LOOK, True)]
