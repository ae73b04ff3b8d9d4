"""Why each crossing of a new road earns a car or none, and which are too close to tell (FR section
6, KR section 6).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sim.languages import Sentence
from sim.referee.reasons.reason import Reason
from sim.referee.scoring.crossings import NEAR_WIDTHS, Crossing, Network, Road, judge
from sim.referee.scoring.sides import Taker, clear_gap, takers_of

if TYPE_CHECKING:
    from sim.pieces import Components
    from sim.referee.ruleset import Ruleset
    from sim.referee.table import Table
    from sim.referee.verdict import Verdict

__all__ = ["close_calls", "crossing_reason", "crossings"]


def crossings(table: Table, after: Table, verdict: Verdict) -> Iterator[Reason]:
    """A reason for every crossing of the road that a verdict is about; the tables are those before
    and after the verdict.
    """
    own = [crossing.road.id for crossing in verdict.crossings if crossing.reason == "own"]
    for crossing in verdict.crossings:
        new = after.lines[-1]
        active = crossing.scores and _is_passed_by_inactive(table, after, new, crossing)
        yield crossing_reason(new, crossing, table.ruleset, table.components, own, active=active)


def crossing_reason(
    new: Road,
    crossing: Crossing,
    rules: Ruleset,
    box: Components,
    own: Sequence[str],
    *,
    active: bool = False,
) -> Reason:
    """The reason for one crossing of a new road, which also crosses these `own` roads; `active`
    says that inactive seats' roads have passed on that side.
    """
    near = NEAR_WIDTHS * box.road_width if rules.crossing_scope == "point" else None
    takers = takers_of(box, crossing.road, crossing.blockers)
    facts = {
        "kind": "crossing",
        "road": crossing.road.id,
        "side": crossing.side,
        "at": list(crossing.meeting.at),
        "mm": clear_gap(box, new, crossing.road, crossing.meeting),
        "scores": crossing.scores,
        "reason": crossing.reason,
        "blockers": [taker.to_json() for taker in takers],
        "owner": crossing.road.owner,
        "own": list(own),
        "within": near,
        "roads": ("other" if rules.own_roads_occlude else "opponents") + "-active" * active,
        "memory": rules.crossing_memory,
    }
    said = {key: value for key, value in facts.items() if key != "blockers"}
    return Reason(Sentence("reason-crossing", {**said, "why": _why(said, takers, own)}), facts)


def close_calls(verdict: Verdict) -> Iterator[Reason]:
    """The answers that errors of the ruler leave open on a measured table."""
    for call in verdict.close_calls:
        facts = call.to_json()
        why = Sentence(f"close-call-{call.about}", facts)
        yield Reason(Sentence("reason-close-call", {"why": why}), {"kind": "close-call", **facts})
    if verdict.between is not None:
        least, most = verdict.between
        data = {"kind": "between", "least": least, "most": most, "earned": verdict.earned}
        yield Reason(Sentence("reason-between", data), data)


def _why(said: dict[str, Any], takers: Sequence[Taker], own: Sequence[str]) -> Sentence:
    """Why a crossing scores or not: `said` are the values of its sentence."""
    reason = said["reason"]
    if reason == "voided" and len(own) > 1:
        return Sentence(
            "crossing-voided-many", {"count": len(own)}, full=Sentence("crossing-voided", said)
        )
    if reason == "taken":
        took = [
            Sentence("crossing-taker", {**taker.to_json(), "side": said["side"]})
            for taker in takers
        ]
        full = Sentence("crossing-taken", {"takers": took})
        if len(takers) == 1:
            return full
        values = {"first": takers[0].road, "more": len(takers) - 1, "side": said["side"]}
        return Sentence("crossing-taken-many", values, full=full)
    return Sentence(f"crossing-{reason}", said)


def _is_passed_by_inactive(table: Table, after: Table, new: Road, crossing: Crossing) -> bool:
    """Whether a road that does not count (inactive_roads_count) has passed on the side of a
    crossing that scores.
    """
    if table.ruleset.inactive_roads_count or not table.inactive:
        return False
    rules = replace(table.ruleset, inactive_roads_count=True)
    every = judge(new, Network(after.lines[:-1], rules, table.components, table.inactive))
    return any(other.road.id == crossing.road.id and other.blockers for other in every)
