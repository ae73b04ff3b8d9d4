"""The challenge of the day for worker processes, and how often each visitor has tried it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from shutoko.web.limits import Recent
from shutoko.web.work.by_hand import OWN, Grip, skill_of, taken
from shutoko.web.work.tables import performed
from sim.challenge import TRIES, Challenge, Try
from sim.game.attempts.hand import skill
from sim.game.highway import Position

if TYPE_CHECKING:
    from shutoko.export.packed import Film
    from sim.game.attempts.posing import Jitter


def grip(challenge: Challenge, text: str, n: int) -> Grip:
    """The pieces of a placement in the hand of try `n`, which trembles for everybody in the same
    way. Raises NotationError and IllegalMoveError.
    """
    return taken(challenge.position, text, OWN, challenge.seed(n))


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a try, for a page: its worth, the position after it, its film, and the pieces
    that fell.
    """

    worth: Try
    after: Position
    film: Film | None
    fallen: tuple[str, ...]


def tried(challenge: Challenge, text: str, n: int, let_go: Mapping[str, Jitter]) -> Done:
    """Makes a try. Raises NotationError and IllegalMoveError."""
    state = challenge.position
    how = skill(skill_of(OWN) or "")
    step, film = performed(
        state, text, 0, how, challenge.seed(n), ("",) * 4, (let_go,), only_led=True
    )
    return Done(Try.of(step.verdict), step.after, film, tuple(step.verdict.fallen))


class Tries:
    """The tries of each visitor at the challenge of each day; the latest are remembered."""

    def __init__(self) -> None:
        self._of = Recent[tuple[str, date], tuple[Try, ...]]()

    def of(self, who: str, day: date) -> tuple[Try, ...]:
        """What a visitor has tried of the challenge of a day."""
        return self._of.get((who, day), ())

    def left(self, who: str, day: date) -> int:
        """How many tries a visitor has left."""
        return TRIES - len(self.of(who, day))

    def add(self, who: str, day: date, one: Try) -> None:
        """Counts a try."""
        self._of[who, day] = (*self.of(who, day), one)
