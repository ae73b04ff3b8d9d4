"""Placing by hand: a person leads the pieces, the server draws how the hand trembles and says how
it let go of them.

The tremble of a seat at a ply comes from the seed of the room: who takes the pieces up again, or
loads the page anew, gets the same.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from rules.errors import InputError
from rules.record.replay import Step
from shutoko.export.packed import Film
from sim.bodies import Body
from sim.game import Jitter, JudgedStep, Position, lay, refusal
from sim.game.attempts.carrying import Tremble, let_go, tremble
from sim.game.attempts.hand import new_pieces, skill
from sim.referee import check

HELPED, OWN = "helped", "own"
BY_HAND: Mapping[str, str] = {HELPED: "expert", OWN: "normal"}
"""The ways in which a person places by hand, with the skill of each. With help a piece is drawn to
its place.
"""

_PULL = 6.0  # mm of help
# seconds by which a trace may be longer, or shorter, than the time that passed on the server: slow
# phones and networks keep a message for long, but nobody can have held for longer than it is since
_AHEAD, _BEHIND = 0.75, 45.0

Traces = Sequence[Sequence[Sequence[float]]]
"""For each of the pieces in the hand where it was led, see `sim.game.attempts.carrying.Sample`."""


@dataclass(frozen=True, slots=True)
class Held:
    """What is carried in one go: a pillar or a road, where it is meant to lie, and how the hand
    trembles.
    """

    pieces: tuple[Body, ...]
    tremble: Tremble


@dataclass(frozen=True, slots=True)
class Grip:
    """The pieces of a move in the hand of whoever makes it, one after the other."""

    text: str
    held: tuple[Held, ...]
    since: float = field(default_factory=time.monotonic)

    def lasted(self, traces: Traces) -> bool:
        """Whether the traces may be all that was done since the pieces were taken: nobody has held
        them for longer, and what comes long after is of another time.
        """
        passed, said = time.monotonic() - self.since, sum(float(trace[-1][0]) for trace in traces)
        return passed - _BEHIND <= said <= passed + _AHEAD

    def let_go(self, traces: Traces) -> dict[str, Jitter]:
        """How each piece was let go. Raises InputError for traces that no hand makes."""
        if len(traces) != len(self.held):
            raise InputError(
                f"{len(self.held)} pieces are in the hand, but {len(traces)} were let go"
            )
        found: dict[str, Jitter] = {}
        for held, trace in zip(self.held, traces, strict=True):
            end = let_go(held.tremble, trace)
            (x, y, z), crooked = end.shift, held.tremble.crooked or ((0.0, 0.0),)
            for body, (dx, dy) in zip(held.pieces, crooked, strict=True):
                found[body.id] = Jitter((x + dx, y + dy, z), end.turn, end.speed)
        return found


@dataclass(frozen=True, slots=True)
class Tried:
    """A move of which somebody's tries have failed so far: how its pieces were let go, try by try,
    what comes of it if it is left at that, the film of the last try, and how many are left.
    """

    text: str
    let_go: tuple[Mapping[str, Jitter], ...]
    step: Step
    film: Film | None
    left: int


def tries_left(step: Step, tries: int) -> int:
    """How many tries are left to a hand after so many, by the rules of the table; none once it
    stands.
    """
    if not isinstance(step, JudgedStep) or step.verdict.built is not False:
        return 0
    return max(1 + int(step.before.table.ruleset.redo) - tries, 0)


def skill_of(hand: str | None) -> str | None:
    """The name of the skill of a hand; None for a steady one."""
    return None if hand is None else BY_HAND.get(hand, hand)


def taken(state: Position, text: str, hand: str, seed: Sequence[int]) -> Grip:
    """The new pillar, if there is one, and the new road of a move, taken into a hand of `BY_HAND`.

    Raises NotationError, and IllegalMoveError with every fault.
    """
    checked = check(state.table, state.parse(text))
    if (refused := checked.refused()) is not None:
        raise refusal(state.table, checked.placement, refused)
    if checked.grown is None:
        return Grip(text, ())
    discs, road = new_pieces(state.table, checked.grown)
    meant = {laid.lying.id: laid.lying for laid in lay(state.table, checked.grown, {})}
    rng, how, pull = (
        np.random.default_rng(list(seed)),
        skill(skill_of(hand) or ""),
        _PULL if hand == HELPED else 0.0,
    )
    held = [Held((meant[road],), tremble(rng, how, 0, pull))]
    if discs:
        held.insert(
            0, Held(tuple(meant[disc] for disc in discs), tremble(rng, how, len(discs), pull))
        )
    return Grip(text, tuple(held))
