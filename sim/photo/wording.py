"""A photo's answer in words: each road with its place, its cars and why, and what would settle the
doubts.
"""

from __future__ import annotations

from collections.abc import Iterator

from sim.languages import Sentence
from sim.photo.doubt import RoadVerdict, sticks
from sim.photo.reading import Reading
from sim.referee.reasons import Reason, crossing_reason

__all__ = ["reasons_of", "settling"]


def reasons_of(reading: Reading, index: int) -> tuple[Reason, ...]:
    """Why a road, by its place in building order, earns its cars: a reason for every crossing."""
    marks, verdict = reading.marks, reading.roads[index]
    box, rules = marks.box, marks.rules
    new = sticks(marks, reading.solution.tips, box.road_thickness, box.disc_height)[index]
    own = [crossing.road.id for crossing in verdict.crossings if crossing.reason == "own"]
    return tuple(crossing_reason(new, crossing, rules, box, own) for crossing in verdict.crossings)


def settling(reading: Reading) -> Iterator[tuple[str, Sentence]]:
    """For each doubtful road, what to look at or to mark again."""
    for verdict in reading.roads:
        if verdict.doubtful:
            yield verdict.id, _settling(reading, verdict)


def _settling(reading: Reading, verdict: RoadVerdict) -> Sentence:
    open_pairs = [
        (
            max(share, 1.0 - share)
            if about == "meeting"
            else max(sure.over, sure.under) / sure.crosses,
            about,
            other,
        )
        for other, sure in verdict.sides.items()
        for about, share in (("meeting", sure.crosses), ("side", 0.0))
    ]
    surest, about, other = min(open_pairs, default=(1.0, "taken", ""))
    if surest > 1.0 - 1e-9:  # its own crossings are sure: an earlier road may have taken a side
        scoring = [
            crossing.road.id
            for crossing in verdict.crossings
            if crossing.reason in ("free", "taken")
        ]
        about, other = "taken", scoring[0] if scoring else reading.marks.roads[0].id
    return Sentence(f"photo-settle-{about}", {"road": verdict.id, "other": other})
