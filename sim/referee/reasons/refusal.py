"""The error that tells why a placement was refused, with every fault, in any language."""

from __future__ import annotations

from collections.abc import Sequence

from rules.errors import IllegalMoveError
from sim.languages import Sentence
from sim.referee.fault import Fault

__all__ = ["IllegalPlacementError", "in_short"]


class IllegalPlacementError(IllegalMoveError):
    """A placement that the referee refuses, the digest of the table it was meant for, and its
    faults as `sentences`.
    """

    def __init__(self, placement: object, digest: str, faults: Sequence[Fault]) -> None:
        texts = [fault.text for fault in faults]
        super().__init__(str(placement), digest, in_short(texts), texts)
        self.sentences = tuple(fault.sentence for fault in faults)

    def told(self, language: str) -> str:
        """The first fault, and how many more there are, in a language."""
        first, *more = self.sentences
        short = Sentence("in-short", {"first": first, "more": len(more)}) if more else first
        return short.told(language)


def in_short(reasons: Sequence[str]) -> str:
    """The first of several reasons, and how many more there are: for a message in one line."""
    first, *more = reasons
    return Sentence("in-short", {"first": first, "more": len(more)}).told() if more else first
