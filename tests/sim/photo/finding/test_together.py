"""Photos of one table from different sides are found together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, reduce

import numpy as np
import pytest

from rules.errors import InputError
from sim.photo.drafting import Draft
from sim.photo.finding import finder, together
from sim.photo.finding.finder import Found, table_by
from sim.photo.finding.net import Maps
from sim.photo.finding.pooling import grouped
from sim.photo.finding.together import find_together
from sim.photo.solving import Solution
from tools.found import Told, focal_of, judge
from tools.labels import true_maps
from tools.shots import Shot, around


def road(x: float, y: float, high: float = 12.0) -> list[list[float]]:
    return [[x, y, high], [x + 105.0, y, high]]


def test_roads_of_several_photos_are_one_if_they_lie_alike_either_way_round() -> None:
    one = np.array([road(0, 0), road(0, 60)])
    other = np.array([road(3, 62)[::-1], road(0, 150), road(-2, 1)])
    third = np.array([road(1, 148)])
    assert grouped([one, other, third], 20.0) == [
        {0: (0, False), 1: (2, False)},
        {0: (1, False), 1: (0, True)},
        {1: (1, False), 2: (0, False)},
    ]


def test_of_two_roads_of_one_photo_only_the_nearer_is_that_of_another() -> None:
    one, other = np.array([road(0, 0)]), np.array([road(0, 12), road(0, 4)])
    assert grouped([one, other], 20.0) == [{0: (0, False), 1: (1, False)}, {1: (0, False)}]


@pytest.fixture(scope="module")
def seen() -> Iterator[list[Shot]]:
    """Two photos of one table and one of another, which the net sees perfectly, but that something
    hides a part of the first two; each is looked at once. No other picture shows a table.
    """
    shots = [*around(2002, 2, 640), *around(2001, 1, 640)]
    keys = [shot.pixels.tobytes() for shot in shots]

    @cache
    def looked_at(number: int, focal: float | None) -> finder.Found:
        maps = {name: channel.copy() for name, channel in true_maps(shots[number]).of.items()}
        hidden = int(0.42 * maps["top"].shape[1]) if number < 2 else 0  # which is no bare table
        for name, channel in maps.items():
            channel[:, :hidden] = 1.0 if name in ("side", "any") else 0.0
        return finder.find(shots[number].pixels, focal, Maps(maps))

    def find(pixels: np.ndarray, focal: float | None, components: str) -> finder.Found:
        if pixels.tobytes() not in keys:
            raise InputError("no road found")
        return looked_at(keys.index(pixels.tobytes()), focal)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(together, "find", find)
        yield shots


BLANK = np.full((400, 600, 3), 128, dtype=np.uint8)


def test_two_sides_show_more_than_one_and_what_is_no_photo_of_the_table_says_so(
    seen: list[Shot],
) -> None:
    given = [(shot.pixels, focal_of(2002, shot)) for shot in seen]
    made = find_together([*given, (BLANK, None)])
    counts = []
    for found in (made.alone, made.found):
        told = Told(2002, 0.0, 0.0, "")
        judge(told, found, seen[made.on])
        counts.append(told.counts)
    alone, both = counts
    assert made.on < 2
    assert both["right"] > alone["right"]
    assert both["found"] - both["right"] <= 2
    assert {1} in made.found.seen, "a road that only the other photo shows"
    first, second, third, last = made.photos
    assert {first.why, second.why} == {""}
    assert "another table" in third.why
    assert "no road found" in last.why
    named = {road.id for road in made.found.marks.roads}
    assert {*first.unseen, *second.unseen} <= named
    assert not {*first.unseen} & {*second.unseen}, "somebody shows each road"
    turned = find_together(given[:2], on=1 - made.on)
    told = Told(2002, 0.0, 0.0, "")
    judge(told, turned.found, seen[turned.on])
    assert turned.on == 1 - made.on
    assert told.counts["found"] - told.counts["right"] <= 2, "the marks are those on that photo"


def test_a_photo_twice_is_one_photo_and_photos_without_a_table_are_refused_as_one_is(
    seen: list[Shot],
) -> None:
    photo = seen[0].pixels, focal_of(2002, seen[0])
    made = find_together([photo, photo])
    assert "the same side" in next(one.why for n, one in enumerate(made.photos) if n != made.on)
    assert made.found.doubtful == made.alone.doubtful
    for given, on in ((((BLANK, None), (BLANK, None)), None), ((photo, (BLANK, None)), 1)):
        with pytest.raises(InputError, match="no road found"):
            find_together(given, on)


@pytest.mark.parametrize(
    "worse",
    [
        lambda pool: replace(pool, solution=moved(pool.solution)),
        lambda pool: replace(pool, doubtful=tuple(pool.draft.names()[1].values())),
        lambda pool: replace(pool, draft=reduce(apart, range(len(pool.draft.roads)), pool.draft)),
    ],
    ids=["marks that agree less", "more counts in doubt", "chains taken apart"],
)
def test_the_better_photo_stays_alone_if_the_table_is_no_clearer_with_others(
    seen: list[Shot], monkeypatch: pytest.MonkeyPatch, worse: Callable[[Found], Found]
) -> None:
    monkeypatch.setattr(together, "table_by", lambda *given: worse(table_by(*given)))
    made = find_together([(shot.pixels, focal_of(2002, shot)) for shot in seen[:2]])
    assert made.found is made.alone
    assert "no clearer" in made.photos[1 - made.on].why
    assert len(made.pool.roads) > len(made.alone.marks.roads), "it can be looked into all the same"


def moved(solution: Solution) -> Solution:
    """The table a little beside where its marks have it."""
    return replace(solution, vector=1.01 * solution.vector)


def apart(draft: Draft, road: int) -> Draft:
    """The draft with no other road on the pillars of a road."""
    return reduce(
        lambda draft, end: draft.parted(road, end) if draft.shared(road, end) else draft,
        (0, 1),
        draft,
    )
