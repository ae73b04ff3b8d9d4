"""What the finder makes of the maps that a perfect net would draw."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rules.errors import InputError, why
from sim.assets import asset
from sim.languages import languages, reason_in
from sim.photo.finding.facts import Fact, missing_at
from sim.photo.finding.finder import _check_enough, again, find
from sim.photo.finding.net import CHANNELS, DISCS, LEVELS, Maps
from sim.photo.finding.roads import same
from sim.photo.marks import ImageSize
from tools.found import Person, Told, focal_of, judge, lost, visible, walk
from tools.labels import NOWHERE, labels, true_maps
from tools.shots import shot


@pytest.mark.slow
@pytest.mark.parametrize("larger", [1.0, 1.2])
def test_with_the_maps_of_a_perfect_net_nearly_all_roads_are_found_and_none_is_false(
    larger: float, tmp_path: Path
) -> None:
    number = 2001  # 20 roads, from 34 degrees
    shown, box = shot(number), tmp_path / "box.toml"
    usual = asset("components", "estimate-2018.toml").read_text(encoding="utf-8")
    box.write_text(
        re.sub(
            r"^(length|width|thickness|diameter|height) = ([\d.]+)",
            lambda found: f"{found[1]} = {larger * float(found[2])}",
            usual,
            flags=re.MULTILINE,
        ),
        encoding="utf-8",
    )
    found = find(shown.pixels, focal_of(number, shown), true_maps(shown), str(box))
    assert found.marks.components == str(box)
    assert found.solution.camera.height == pytest.approx(larger * shown.camera.height, rel=0.06)
    told = Told(number, 34.0, shown.light, shown.style)
    judge(told, found, shown)
    count = told.counts
    assert count["roads"] == 20 <= count["right"] + 2
    assert count["found"] - count["right"] <= 1
    assert count["pillars sure and right"] >= 0.95 * count["pillars sure"]
    assert abs(found.solution.camera.tilt - shown.camera.tilt) < np.radians(1.5)
    known, brought, roads = found.known, 0, found.known.standing.roads
    for n, road in enumerate(roads):
        (a, b), (c, d) = known.draft.roads[n].ends
        others = known.standing.only([k for k in range(len(roads)) if k != n])
        fact = missing_at(
            found.look.thin(), replace(known, standing=others), ((a + c) / 2, (b + d) / 2)
        )
        brought += fact is not None and same(fact.road.at, road.at)
    assert brought >= 0.8 * len(roads), "a tap on its middle brings a road that is missing"
    assert missing_at(found.look, known, (0.0, 0.0)) is None
    bare = Maps({name: np.zeros_like(one) for name, one in found.look.maps.of.items()})
    assert (
        again(replace(found.look, maps=bare), known.told(Fact(road, gone=True) for road in roads))
        is None
    ), "every road is deleted"
    levels = [
        road.levels
        for made in [
            again(
                replace(found.look, maps=Maps(dict(found.look.maps.of) | {"end": bare["end"]})),
                known.told([Fact(replace(roads[0], levels=np.full((2, 8), np.nan)))]),
            )
        ]
        for road in ([] if made is None else made.known.standing.roads)
        if same(road.at, roads[0].at)
    ]
    np.testing.assert_allclose(levels, np.full((1, 2, 8), 1 / 8), err_msg="hidden ends say nothing")
    *walked, (_, _, _, right) = walk(found, shown)
    assert sum(cost for _, cost, _, _ in walked) < 20
    there = [*right.known.standing.roads, *(fact.road for fact in right.known.facts)]
    assert all(any(same(road.at, one.at) for one in there) for road in roads), "they stay"
    draft, person = right.draft.looking_at(4), Person(shown, found.draft)
    some = (draft.coloured(4, 1), draft.recoloured(4, 1), draft.counted(4, 0, 7))
    some = (draft, *some, *(wrong.looking_at(1) for wrong in some))
    # One tap on a count brings it nearer by at most two.
    assert [(person.mended(replace(right, draft=wrong)) or ("", 0))[:2] for wrong in some] == [
        ("", 0), *(("owners", 1),) * 2, ("counts", (8 - draft.discs(4, 0)) // 2),
        *(("owners", 2),) * 2, ("counts", (10 - draft.discs(4, 0)) // 2),
    ]  # fmt: skip
    stages, seen = lost(found, shown), visible(shown)
    assert sum(not stage for stage in stages) == count["right"]
    assert [0 <= share <= 1 for share in seen] == [True] * 20
    assert seen[[not stage for stage in stages]].mean() > seen.mean()


@pytest.mark.slow
def test_true_maps_say_what_the_labels_say_and_nothing_where_these_ask_for_nothing() -> None:
    shown = shot(2000, 640)
    maps, truth = true_maps(shown), labels(shown)
    np.testing.assert_allclose(maps["top"], truth[0] / 100.0, atol=1e-6)
    for some, name in ((LEVELS, "height"), (DISCS, "count")):
        odds = np.stack([maps[channel] for channel in CHANNELS[some]])
        np.testing.assert_allclose(odds.sum(axis=0)[maps[name] < 0.7], 1.0, atol=1e-5)
        asked = truth[CHANNELS.index(name)] != NOWHERE
        np.testing.assert_allclose(odds[:, ~asked], 1 / 8)
        assert (odds[:, asked].max(axis=0)[maps[name][asked] < 0.7] == 1.0).all()


@pytest.mark.parametrize("roads", [1, 4])
@pytest.mark.parametrize("size", [(640, 480), (480, 640), (1600, 190)])
def test_too_few_roads_in_a_small_picture_are_told_with_its_size(
    roads: int, size: tuple[int, int]
) -> None:
    with pytest.raises(InputError) as caught:
        _check_enough(roads, ImageSize(*size))
    told = {language: reason_in(language, why(caught.value)) for language in languages()}
    assert told["en"] == str(caught.value)
    assert told["en"].startswith(f"{roads} road{'s' * (roads > 1)} found, too few to find")
    assert len(set(told.values())) == len(told)
    for part in (f"{size[0]} x {size[1]}", "1120", "5"):
        assert all(part in said for said in told.values())


def test_too_few_roads_in_a_picture_that_is_large_enough_are_told_without_its_size() -> None:
    with pytest.raises(InputError) as caught:
        _check_enough(4, ImageSize(1600, 1200))
    told = " ".join(reason_in(language, why(caught.value)) for language in languages())
    assert "1600" not in told
    assert "pixel" not in told
