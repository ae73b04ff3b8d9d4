"""A fault: one reason why a placement is illegal, as data; its sentence is worded only when
somebody reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from sim.languages import Sentence

__all__ = ["Fault", "FaultCode"]

FaultCode = Literal[
    "game-over",
    "phase",
    "entrance-far",
    "building-kind",
    "building-taken",
    "building-overlap",
    "can-build",
    "has-room",
    "frozen",
    "adjust-end",
    "base-unknown",
    "base-foreign",
    "base-used",
    "exit-height",
    "reach",
    "sticks-out",
    "too-steep",
    "height",
    "junction-height",
    "stock-roads",
    "stock-grey",
    "stock-yellow",
    "stock-cars",
    "touches-road",
    "under-own-road",
    "touches-car",
    "touches-pillar",
    "touches-building",
    "over-pillar",
    "over-building",
    "pillar-on-pillar",
    "pillar-on-building",
    "pillar-under-road",
    "pillar-touches-road",
    "pillar-touches-car",
    "own-crossing",
    "cars-earned",
    "car-off-road",
    "car-on-car",
    "car-touches",
]


@dataclass(frozen=True, slots=True)
class Fault:
    """One reason why a placement is illegal: a code for machines, the pieces, the numbers, and a
    sentence for people.

    The name of its message is `fault-` and the code and, where one code has several sentences, the
    `form`. `details` are the other values of the sentence besides pieces and numbers: players by
    letter, points, kinds.
    """

    code: FaultCode
    pieces: tuple[str, ...] = ()
    numbers: Mapping[str, float] = field(default_factory=dict)
    form: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def sentence(self) -> Sentence:
        """The sentence, not yet in a language; in it `piece` is the first of the pieces and `other`
        the last.
        """
        ends = {"piece": self.pieces[0], "other": self.pieces[-1]} if self.pieces else {}
        message = f"fault-{self.code}-{self.form}" if self.form else f"fault-{self.code}"
        return Sentence(message, {**ends, **self.numbers, **self.details})

    @property
    def text(self) -> str:
        """The sentence in English."""
        return self.sentence.told()

    @property
    def facts(self) -> dict[str, Any]:
        """As in `got.faults` of a record, the sentence not yet in words."""
        return {
            "code": self.code,
            "text": self.sentence,
            "pieces": list(self.pieces),
            "numbers": dict(self.numbers),
        }

    def to_json(self) -> dict[str, Any]:
        """As in `got.faults` of a record."""
        return {**self.facts, "text": self.text}
