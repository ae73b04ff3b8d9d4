"""Roads by vote, on maps that are drawn by hand: pieces of one road come together, two roads in
one line stay two, and a road is taken once.
"""

from __future__ import annotations

import numpy as np
import pytest

from sim.photo.finding.finder import _FAINT
from sim.photo.finding.net import CHANNELS, REACH, STEP, Maps
from sim.photo.finding.roads import Scale, candidates, chosen
from sim.photo.finding.sticks import evidence, found_ends
from sim.photo.finding.votes import crowds
from sim.pieces import Components

SCALE = Scale(2.0, Components.named("estimate-2018"))

Road = tuple[tuple[float, float], tuple[float, float], float, float]

CHAIN: Road = ((20.0, 60.0), (100.0, 60.0), 1.0, 2.0)
NEXT: Road = ((101.0, 60.0), (181.0, 60.0), 2.0, 3.0)
OVER: Road = ((60.0, 20.0), (60.0, 100.0), 3.0, 4.0)


def drawn(*roads: Road, hide: tuple[int, int] = (0, 0), noise: float = 0.0) -> Maps:
    """Maps (120, 200) of roads from one place to another, with the heights of both ends in discs;
    later ones lie over earlier ones. Columns from `hide[0]` to `hide[1]` show discs.
    """
    rng = np.random.default_rng(1)
    maps = np.zeros((len(CHANNELS), 120, 200), dtype="f4")
    of = {name: maps[k] for k, name in enumerate(CHANNELS)}
    y, x = np.mgrid[:120, :200].astype(float)
    for start, stop, low, high in roads:
        a, b = np.array(start), np.array(stop)
        unit = (b - a) / np.linalg.norm(b - a)
        along = (x - a[0]) * unit[0] + (y - a[1]) * unit[1]
        aside = (y - a[1]) * unit[0] - (x - a[0]) * unit[1]
        long = float(np.linalg.norm(b - a))
        mine = (along >= 0) & (along <= long) & (np.abs(aside) < 4)
        angle = 2 * np.arctan2(unit[1], unit[0])
        middle, many = (a + b) / 2, REACH / STEP
        of["end"][mine] = 0.0
        for name, value in (
            ("top", np.ones_like(x)), ("turn_x", np.full_like(x, np.cos(angle))),
            ("turn_y", np.full_like(x, np.sin(angle))), ("mid_x", (middle[0] - x) / many),
            ("mid_y", (middle[1] - y) / many), ("half", np.full_like(x, long / 2 / many)),
            ("height", (low + (high - low) * along / long) / 10),
        ):  # fmt: skip
            of[name][mine] = value[mine]
        for at, way in ((a, unit), (b, -unit)):
            spot = np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / 4.5)
            of["end"][:] = np.maximum(of["end"], spot)
            near = spot > 0.1
            of["to_x"][near], of["to_y"][near] = way
    covered = (x >= hide[0]) & (x < hide[1])
    for name in ("top", "end"):
        of[name][covered] = 0.0
    of["face"][covered] = 1.0
    for name in ("mid_x", "mid_y", "half"):
        of[name] += rng.normal(0, noise, x.shape).astype("f4")
    return Maps.drawn(maps)


def off(one: np.ndarray, road: Road) -> float:
    ends = np.array(road[:2])
    return float(min(np.abs(one - ends).max(), np.abs(one[::-1] - ends).max()))


@pytest.mark.parametrize("noise", [0.0, 0.03])
def test_a_road_in_pieces_is_one_and_two_in_a_line_are_two(noise: float) -> None:
    found = crowds(drawn(CHAIN, NEXT, OVER, noise=noise))
    assert len(found) == 3
    for road in (CHAIN, NEXT, OVER):
        best = int(np.argmin([off(one, road) for one in found.at]))
        assert off(found.at[best], road) < 2.0
        heights = found.heights[best]
        turned = np.abs(found.at[best][0] - np.array(road[0])).max() > 5
        np.testing.assert_allclose(heights[::-1] if turned else heights, road[2:], atol=0.3)


def test_a_hidden_end_is_where_the_votes_have_it() -> None:
    maps = drawn(CHAIN, hide=(80, 120))
    roads = chosen(maps, candidates(found_ends(maps, 0.3), crowds(maps)), None, SCALE)
    assert len(roads) == 1
    assert off(roads[0].at, CHAIN) < 2.0
    assert sorted(roads[0].seen.tolist()) == [False, True]


def test_every_road_is_chosen_once_and_none_from_one_chain_to_the_next() -> None:
    maps = drawn(CHAIN, NEXT, OVER, noise=0.03)
    roads = chosen(maps, candidates(found_ends(maps, 0.3), crowds(maps)), None, SCALE)
    assert len(roads) == 3
    for road in (CHAIN, NEXT, OVER):
        assert min(off(one.at, road) for one in roads) < 2.0


def test_what_lies_on_a_line_is_this_road_another_one_or_nothing() -> None:
    maps = drawn(CHAIN, NEXT)
    start = np.array([CHAIN[0], (60.0, 60.0), (20.0, 20.0)])
    stop = np.array([CHAIN[1], (140.0, 60.0), (100.0, 20.0)])
    shares = [(1, 0, 0), (0, 0, 1), (0, 0, 0), (0, 1, 0)]  # its own, bare, hidden, another road
    np.testing.assert_allclose(evidence(maps, start, stop), shares, atol=0.05)


def test_bare_maps_have_no_road() -> None:
    maps = drawn()
    assert len(crowds(maps)) == 0
    assert chosen(maps, candidates(found_ends(maps, 0.3), crowds(maps)), None, SCALE) == []


def test_a_road_that_something_hides_which_no_map_shows_is_found_if_spots_vote_for_it() -> None:
    maps = drawn(CHAIN, OVER)
    maps.of["top"][:, 55:] = maps.of["end"][:, 55:] = maps.of["any"][:, 55:] = 0.0
    some = candidates(found_ends(maps, 0.3), crowds(maps))
    roads = chosen(maps, some, None, SCALE, faint=_FAINT)
    assert len(roads) == 1
    assert off(roads[0].at, CHAIN) < 2.0
    assert roads[0].shown < 0.5
    assert roads[0].seen.sum() == 1
