"""How sentences name players and pieces: a player by name (by letter if it has none), several
pieces by the first ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sim.referee.standing import letter

__all__ = ["LETTERS", "Names", "counted", "first_of", "listed"]

_SEATS = 4
_SECOND_PERSON = {"misses": "miss", "goes": "go", "has": "have", "is": "are"}


@dataclass(frozen=True, slots=True)
class Names:
    """The players of a game by seat. Without a name: the letter; where two share a name, the letter
    follows it.
    """

    players: tuple[str, ...] = ()

    def __call__(self, seat: int) -> str:
        """The player at a seat."""
        if not 0 <= seat < len(self.players) or not self.players[seat]:
            return letter(seat) if 0 <= seat < _SEATS else f"seat {seat}"
        name = self.players[seat]
        return f"{name} ({letter(seat)})" if Counter(self.players)[name] > 1 else name

    def does(self, seat: int, verb: str) -> str:
        """The player with a verb in the third person, such as `ann builds`; `you build` for a
        player called `you`.
        """
        return f"{self(seat)} {self.verb(seat, verb)}"

    def verb(self, seat: int, verb: str) -> str:
        """A verb in the third person as it goes with the player: `builds`, but `build` after
        `you`.
        """
        return _SECOND_PERSON.get(verb, verb.removesuffix("s")) if self(seat) == "you" else verb

    def of(self, seat: int) -> str:
        """What belongs to the player: `ann's`, `your`."""
        who = self(seat)
        return "your" if who == "you" else f"{who}'s"


LETTERS = Names()
"""Players of whom only the seats are known."""


def counted(number: int, name: str) -> str:
    """A number of things: `1 car`, `2 cars`."""
    return f"{number} {name}{'' if number == 1 else 's'}"


def listed(names: Sequence[str]) -> str:
    """All of them: `a`, `a and b`, `a, b and c`."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def first_of(names: Sequence[str]) -> str:
    """All of them up to three; of more the first two, and how many more there are."""
    return listed(names) if len(names) <= 3 else f"{', '.join(names[:2])} and {len(names) - 2} more"
