"""What the referee says, in the visitor's language."""

from __future__ import annotations

import json
from collections.abc import Iterable

from rules.errors import ShutokoError
from rules.record.verify import Divergence, Mismatch
from sim.languages import Sentence
from sim.referee.reasons.explain import Reason
from sim.referee.reasons.refusal import IllegalPlacementError

__all__ = ["found_wrong", "refused", "told"]


def told(language: str, lines: Iterable[Reason]) -> tuple[str, ...]:
    """The sentences of some reasons in a language."""
    return tuple(line.told(language) for line in lines)


def refused(language: str, error: ShutokoError) -> str:
    """Why something was refused: a placement in the language, all else in English."""
    return error.told(language) if isinstance(error, IllegalPlacementError) else str(getattr(error, "reason", error))


def found_wrong(language: str, wrong: Divergence | Mismatch) -> str:
    """What a verification found, in a language; for English it has put a mismatch into words itself."""
    if isinstance(wrong, Divergence):
        values = {"piece": wrong.piece, "mm": wrong.mm, "degrees": wrong.degrees}
        return Reason(Sentence("reason-divergence", values)).told(language)
    if language == "en":
        return wrong.text
    said, found = (json.dumps(value, ensure_ascii=False) for value in (wrong.expected, wrong.found))
    return Reason(Sentence("reason-mismatch", {"what": wrong.what, "said": said, "found": found})).told(language)
