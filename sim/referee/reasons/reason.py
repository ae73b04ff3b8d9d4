"""A reason: one sentence of an explanation, not yet worded, and the same as data. Makes the reasons
that need no verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sim.languages import Sentence, catalogue
from sim.referee.reasons.names import LETTERS, Names

if TYPE_CHECKING:
    from sim.referee.fault import Fault
    from sim.referee.legality.slopes import Steep
    from sim.referee.verdict import Close

__all__ = [
    "KINDS",
    "Reason",
    "close_line",
    "fault_line",
    "mended_line",
    "restless_line",
    "steep_line",
]

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
    "no-crossing",
    "close-call",
    "between",
    "exit-bonus",
    "cars",
    "put-back",
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


def mended_line(pieces: Sequence[str]) -> Reason:
    """Pieces that did not stand once they were put back, and were set right, as a reason."""
    facts = {"kind": "mended", "pieces": list(pieces)}
    return Reason(Sentence("reason-mended", {**facts, "count": len(pieces)}), facts)


def close_line(close: Close) -> Reason:
    """A verdict that equal starts do not share, as a reason."""
    facts = {"kind": "close", **close.to_json()}
    return Reason(Sentence("reason-close", {**facts, "count": len(close.pieces)}), facts)


def restless_line(pieces: Sequence[str]) -> Reason:
    """Pieces that still moved when time was up, as a reason."""
    facts = {"kind": "restless", "pieces": list(pieces)}
    return Reason(Sentence("reason-restless", {**facts, "count": len(pieces)}), facts)
