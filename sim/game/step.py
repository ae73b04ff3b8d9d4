"""A ply of Tokyo Highway with its outcome: the step of a replay, and of a placement that was just
made.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeVar

from rules.record import Entry
from rules.record.replay import Digested, StepOf
from sim.languages.sentences import ENGLISH
from sim.referee.faults import Names
from sim.referee.placement import Placement
from sim.referee.reasons import Reason
from sim.referee.verdict import AttemptResult, Verdict

__all__ = ["JudgedStep"]

StateT_co = TypeVar("StateT_co", bound=Digested, covariant=True)


@dataclass(frozen=True, slots=True)
class JudgedStep(StepOf[StateT_co]):
    """A step with the verdict on it and the attempts that it took, between two tables or two
    positions of a game.

    It prints as the sentences that explain the verdict.
    """

    verdict: Verdict
    attempts: tuple[AttemptResult, ...] = ()

    @property
    def placement(self) -> Placement:
        """The move."""
        assert isinstance(self.move, Placement)
        return self.move

    @property
    def faults(self) -> tuple[str, ...]:
        """All reasons of a refusal."""
        return tuple(fault.text for fault in self.verdict.faults)

    def told_entry(self) -> Entry:
        """The entry with the verdict on it and on its failed tries."""
        given = self.entry.tries
        tries = [
            {**one, "got": attempt.got()}
            for one, attempt in zip(given or (), self.attempts[: len(given or ())], strict=False)
        ]
        return replace(self.entry, got=self.got(), tries=None if given is None else tries)

    def got(self) -> dict[str, Any]:
        """The `got` of this ply as freshly judged."""
        return self.verdict.got(self.after.digest() if self.verdict.legal else None)

    def reasons(self) -> tuple[Reason, ...]:
        """Why: the explanation of the verdict."""
        assert self.verdict.asked is not None, (
            "the referee's verdicts know their table and placement"
        )
        return tuple(self.verdict.asked.reasons(self.verdict, self.players))

    def told(self, language: str = ENGLISH) -> tuple[str, ...]:
        """The sentences that explain the verdict; of a refused placement the first one names the
        player.
        """
        first, *rest = (reason.told(language) for reason in self.reasons())
        return (first if self.verdict.legal else f"{self.player}: {first}", *rest)

    def __str__(self) -> str:
        if self.refusal is not None:
            return (
                f"ply {self.ply:>2}  {Names(self.players)(self.entry.by)}: taken back: "
                f"{self.refusal}"
            )
        return f"ply {self.ply:>2}  {'; '.join(reason.text for reason in self.reasons())}"
