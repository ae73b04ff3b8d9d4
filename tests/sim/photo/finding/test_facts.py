"""What a person changes becomes facts, and what settles most is asked first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from sim.photo.drafting import Draft, DraftPillar, DraftRoad
from sim.photo.finding.facts import Fact, Known, Question, asked
from sim.photo.finding.roads import Road
from sim.photo.finding.standing import Standing
from sim.photo.marks import ImageSize

STEP = 2.0
ENDS = (((100.0, 100.0), (300.0, 100.0)), ((310.0, 100.0), (500.0, 120.0)))


def known(*facts: Fact) -> Known:
    """Two roads that share a pillar of two discs."""
    pillars = (DraftPillar(0, 1), DraftPillar(0, 2), DraftPillar(0, 3))
    roads = tuple(DraftRoad(0, ends, (n, n + 1)) for n, ends in enumerate(ENDS))
    seen = [
        Road(
            np.array(ends) / STEP - 0.5, np.zeros(2), np.array([True, False]), 0.8, 0.8, n,
            np.full((2, 8), 0.125),
        )
        for n, ends in enumerate(ENDS)
    ]  # fmt: skip
    return Known(
        Draft(ImageSize(800, 600), 2, pillars, roads), Standing(seen, [[0, 1], [1, 2]], []), facts,
        np.zeros((0, 3)), np.zeros(9), STEP,
    )  # fmt: skip


def told(fact: Fact) -> tuple[object, ...]:
    return (
        fact.gone, fact.owner, fact.discs, fact.yellow,
        (fact.road.seen.tolist(), bool(np.isfinite(fact.road.levels).all())),
    )  # fmt: skip


# what the picture says of discs is read again where somebody sets an end
AS_SEEN, MARKED, NOTHING = ([True, False], True), ([True, True], False), (None, None)


@pytest.mark.parametrize(
    ("deed", "facts"),
    [
        (lambda draft: draft, []),
        (lambda draft: draft.looking_at(1), []),
        (lambda draft: draft.without(1), [(True, None, NOTHING, NOTHING, AS_SEEN)]),
        (lambda draft: draft.counted(0, 0, 4), [(False, None, (4, None), NOTHING, AS_SEEN)]),
        (
            lambda draft: draft.counted(0, 1, 4),
            [
                (False, None, (None, 4), NOTHING, AS_SEEN),
                (False, None, (4, None), NOTHING, AS_SEEN),
            ],
        ),
        (
            lambda draft: draft.yellowed(1, 1, junction=True),
            [(False, None, NOTHING, (None, True), AS_SEEN)],
        ),
        (
            lambda draft: draft.parted(0, 1).counted(0, 1, 4),
            [
                (False, None, (None, 4), NOTHING, AS_SEEN),
                (False, None, (2, None), NOTHING, AS_SEEN),
            ],
        ),
        (lambda draft: draft.coloured(1, 1), [(False, 1, NOTHING, NOTHING, AS_SEEN)]),
        (
            lambda draft: draft.recoloured(0, 1),
            [(False, 1, NOTHING, NOTHING, AS_SEEN)] * 2,
        ),
        (lambda draft: draft.moved(1, 1, (480.0, 130.0)), [
            (False, None, NOTHING, NOTHING, MARKED), (True, None, NOTHING, NOTHING, AS_SEEN),
        ]),
        (
            lambda draft: draft.tapped((100.0, 300.0)).tapped((300.0, 300.0)),
            [(False, 0, NOTHING, NOTHING, MARKED)],
        ),
    ],
)  # fmt: skip
def test_a_deed_is_a_fact(deed: Callable[[Draft], Draft], facts: list[tuple[object, ...]]) -> None:
    start = known()
    assert [told(fact) for fact in start.mended(deed(start.draft))] == facts


def test_a_later_word_about_a_road_takes_the_place_of_an_earlier_one_and_keeps_what_it_said() -> (
    None
):
    start = known()
    start = start.told(start.mended(start.draft.counted(0, 0, 4)))
    start = start.told(start.mended(start.draft.recoloured(0, 1)))
    assert [told(fact)[:3] for fact in start.facts] == [
        (False, 1, (4, None)), (False, 1, NOTHING),
    ]  # fmt: skip
    start = start.told(start.mended(start.draft.without(0)))
    assert [fact.gone for fact in start.facts] == [True, False]


def test_questions_come_by_what_they_settle_and_not_if_that_is_little() -> None:
    fact = Fact(known().standing.roads[0])
    one = Question("road", ENDS[0], 0, (1, 0), (fact, replace(fact, gone=True)), 0.0)
    found = asked(replace(one, settles=much) for much in (0.1, 0.7, 3.0, 1.2))
    assert [each.settles for each in found] == [3.0, 1.2, 0.7]
