"""What the referee says, and why a move is refused, in the visitor's language."""

from __future__ import annotations

import json
from collections.abc import Iterable

from rules.errors import RecordError, Refusal, ShutokoError, located, why
from rules.record.verify import Divergence, Mismatch
from shutoko.web.rooms.room import RefusedError, Trouble
from sim.languages import Sentence, catalogue
from sim.referee.reasons.explain import Reason
from sim.referee.reasons.refusal import IllegalPlacementError

__all__ = ["found_wrong", "reason_in", "refused", "refused_file", "told", "trouble"]


def told(language: str, lines: Iterable[Reason]) -> tuple[str, ...]:
    """The sentences of some reasons in a language."""
    return tuple(line.told(language) for line in lines)


def refused(language: str, error: ShutokoError) -> str:
    """Why something was refused, in the language as far as the catalogues have it, else in English."""
    if isinstance(error, (IllegalPlacementError, RefusedError)):
        return error.told(language)
    return reason_in(language, why(error))


def refused_file(language: str, error: ShutokoError) -> str:
    """The same for what was read from a file: with the place in it."""
    if isinstance(error, RecordError):
        return located(reason_in(language, error.reason), error.path, error.line, error.ply)
    return refused(language, error)


def reason_in(language: str, reason: str) -> str:
    """The reason of a refusal in a language; in English if it has no code, or one that the catalogues do not have."""
    if isinstance(reason, Refusal) and f"refused-{reason.code}" in catalogue("en"):
        values = {
            name: reason_in(language, value) if isinstance(value, Refusal) else value for name, value in reason.values.items()
        }
        return Sentence(f"refused-{reason.code}", values).told(language)
    return str(reason)


def trouble(language: str, wrong: Trouble) -> str:
    """What went wrong with a move that nobody at a screen made."""
    if not isinstance(wrong.error, ShutokoError):
        return str(wrong)
    said = refused(language, wrong.error)
    return Sentence("trouble", {"who": wrong.who, "why": said}).told(language) if wrong.who else said


def found_wrong(language: str, wrong: Divergence | Mismatch) -> str:
    """What a verification found, in a language; for English it has put a mismatch into words itself."""
    if isinstance(wrong, Divergence):
        values = {"piece": wrong.piece, "mm": wrong.mm, "degrees": wrong.degrees}
        return Reason(Sentence("reason-divergence", values)).told(language)
    if language == "en":
        return wrong.text
    said, found = (json.dumps(value, ensure_ascii=False) for value in (wrong.expected, wrong.found))
    return Reason(Sentence("reason-mismatch", {"what": wrong.what, "said": said, "found": found})).told(language)
