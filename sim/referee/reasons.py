"""A reason: one sentence of an explanation, not yet worded, and the same as data; and the reasons
that need no other judgement, why each crossing earns a car or none among them (FR and KR section
6).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from sim.languages import Sentence, catalogue
from sim.pieces import Components
from sim.referee.crossings import Crossing, Network, Road, Taker, clear_gap, judge, takers_of
from sim.referee.faults import LETTERS, Fault, Names
from sim.referee.geometry import NEAR_WIDTHS
from sim.referee.room import Steep
from sim.referee.ruleset import Ruleset
from sim.referee.table import Table
from sim.referee.verdict import Close, Verdict

KINDS = (
    "fault",
    "accepted",
    "remark",
    "resign",
    "pass",
    "building",
    "adjusted",
    "built",
    "touched",
    "undone",
    "try",
    "breach",
    "crossing",
    "ends-under",
    "no-crossing",
    "close-call",
    "between",
    "exit-bonus",
    "cars",
    "put-back",
    "put",
    "doubt",
    "fall",
    "mended",
    "restless",
    "close",
    "payment",
    "finished",
    "out",
    "over",
    "goes-on",
)
"""Every `kind` that the data of a reason may have. Its message is `reason-` and the kind, or begins
so.
"""


@dataclass(frozen=True, slots=True)
class Reason:
    """One sentence of an explanation; `data` says the same in JSON values, its `kind` (of KINDS)
    first.

    The sentence is worded only when somebody reads it. In the data players are seats; the sentence
    names them by `names`.
    """

    sentence: Sentence
    facts: Mapping[str, Any] = field(default_factory=dict)
    names: Names = LETTERS

    def __str__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        """The sentence in English; of several things it may name the first only."""
        return self.sentence.told(names=self.names)

    @property
    def whole(self) -> str:
        """The sentence that leaves nothing out, however long."""
        return self.sentence.told(names=self.names, whole=True)

    @property
    def data(self) -> dict[str, Any]:
        """The facts; sentences among them are in English."""
        return {key: self._plain(value) for key, value in self.facts.items()}

    def told(self, language: str) -> str:
        """The sentence in a language, as the pages show it: with a capital letter where the
        language wants one.

        Raises InputError if its catalogue has a mistake there.
        """
        text = self.sentence.told(language, self.names)
        named = any(name and text.startswith(name) for name in self.names.players)
        return (
            text
            if named or catalogue(language).text("sentences-begin") == "small"
            else text[0].upper() + text[1:]
        )

    def to_json(self) -> dict[str, Any]:
        """The text and the data in one object."""
        return {"text": self.text, **self.data}

    def _plain(self, value: Any) -> Any:
        if isinstance(value, Sentence):
            return value.told(names=self.names)
        return [self._plain(each) for each in value] if isinstance(value, list) else value


def fault_line(fault: Fault) -> Reason:
    """A fault as a reason."""
    return Reason(
        Sentence("reason-fault", {"why": fault.sentence}), {"kind": "fault", **fault.facts}
    )


def steep_line(car: Steep) -> Reason:
    """A car that may slide, as a reason."""
    facts = {
        "kind": "doubt",
        "doubt": "steep",
        "piece": car.car,
        "degrees": car.degrees,
        "holds": car.holds,
    }
    return Reason(Sentence("reason-doubt-steep", facts), facts)


def pieces_line(kind: Literal["mended", "restless"], pieces: Sequence[str]) -> Reason:
    """Pieces that were set right, as they did not stand once they were put back, or that still
    moved when time was up, as a reason.
    """
    facts = {"kind": kind, "pieces": list(pieces)}
    return Reason(Sentence(f"reason-{kind}", {**facts, "count": len(pieces)}), facts)


def close_line(close: Close, verdict: Verdict) -> Reason:
    """A verdict that equal starts do not share, as a reason."""
    facts = {"kind": "close", **close.to_json()}
    fell = "other" if verdict.failed else str(set(close.pieces) <= set(verdict.fallen)).lower()
    count = len(close.pieces)
    return Reason(Sentence("reason-close", {**facts, "count": count, "fell": fell}), facts)


# --- crossings ------------------------------------------------------------------------------------


def crossing_reasons(table: Table, after: Table, verdict: Verdict) -> Iterator[Reason]:
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
    near = NEAR_WIDTHS * box.road_width if rules.resolved.nearby else None
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


def close_call_reasons(verdict: Verdict) -> Iterator[Reason]:
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
