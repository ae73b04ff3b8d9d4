"""Faults: why a placement is illegal, as data; the error that tells them; and how sentences name
players and pieces.

A sentence is worded only when somebody reads it (`sim.languages.Sentence`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from rules.errors import IllegalMoveError
from sim.languages import Sentence
from sim.referee.standing import SEAT_LETTERS, letter

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
    "under-unknown",
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
    "payment",
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
        """The sentence in English, players by letter."""
        return self.sentence.told(names=LETTERS)

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


# --- the error ------------------------------------------------------------------------------------


class IllegalPlacementError(IllegalMoveError):
    """A placement that the referee refuses, the digest of the table it was meant for, and its
    faults as `sentences`.
    """

    def __init__(self, placement: object, digest: str, faults: Sequence[Fault]) -> None:
        self.sentences = tuple(fault.sentence for fault in faults)
        texts = [fault.text for fault in faults]
        super().__init__(str(placement), digest, in_short(self.sentences), texts)

    def told(self, language: str) -> str:
        """The first fault, and how many more there are, in a language."""
        return in_short(self.sentences, language)


# --- names ----------------------------------------------------------------------------------------


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
            return letter(seat) if 0 <= seat < len(SEAT_LETTERS) else f"seat {seat}"
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


def in_short(reasons: Sequence[Sentence], language: str = "en", names: Names = LETTERS) -> str:
    """The first of several reasons, and how many more there are: for a message in one line."""
    first, *more = reasons
    short = Sentence("in-short", {"first": first, "more": len(more)}) if more else first
    return short.told(language, names)


def counted(number: int, name: str) -> str:
    """A number of things: `1 car`, `2 cars`."""
    return f"{number} {name}{'' if number == 1 else 's'}"


def with_and(names: Sequence[str]) -> str:
    """All of them: `a`, `a and b`, `a, b and c`."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def first_few(names: Sequence[str]) -> str:
    """All of them up to three; of more the first two, and how many more there are."""
    few = len(names) <= 3
    return with_and(names) if few else f"{', '.join(names[:2])} and {len(names) - 2} more"
