"""Whose turn it is, who has finished, who is out, and the ranks: what games have in common,
whatever their boards.

A seat is a person, a side is a colour, and `sides[seat]` is the side that a seat plays: usually the
side with the number of the seat. The pie rule of a grid game exchanges the sides, and everybody
stays in their seat:

- Thruway: seat 1 decides to `trade`, which is a ply of its own. Then asphalt moves, now played by
  seat 0: `turns.swap_sides().advance()`.
- Meridians: after `swap` light moves, now played by seat 1, who moves again:
  `turns.swap_sides().advance(again=True)`. After `keep` seat 0 moves: `turns.advance()`.

The digest of a game covers what is needed to go on. The number of the ply is not needed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rules.errors import InputError

_Groups = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class TurnManager:
    """Whose turn it is among `seats` persons, who sit clockwise and are counted from 0. Every
    method returns a new value.

    `ply` counts turns and decisions from 0. `finished` are the seats that reached the goal, best
    first, ties together. `out` are the seats that resigned or were put out, in the order in which
    they left, ties together. `misses` counts for each seat the turns in a row in which it could not
    move; left out, there are none. `sides` are the sides by seat; left out, every seat plays the
    side with its own number.

    Raises InputError for values that contradict each other.
    """

    seats: int
    to_move: int = 0
    ply: int = 0
    finished: _Groups = ()
    out: _Groups = ()
    misses: tuple[int, ...] = ()
    sides: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.seats < 1:
            raise InputError(f"a game cannot have {self.seats} seats; at least one is needed")
        if not self.misses:
            object.__setattr__(self, "misses", (0,) * self.seats)
        if not self.sides:
            object.__setattr__(self, "sides", tuple(range(self.seats)))
        self._known(self.to_move)
        gone = [seat for group in (*self.finished, *self.out) for seat in group]
        for seat in gone:
            self._known(seat)
        if len(set(gone)) != len(gone) or not all((*self.finished, *self.out)):
            raise InputError(
                f"finished {self.finished} and out {self.out} must name each seat once at most, in "
                "groups of one or more"
            )
        if self.ply < 0 or len(self.misses) != self.seats or min(self.misses) < 0:
            raise InputError(
                f"ply {self.ply} and misses {self.misses} must be 0 or more, one miss count for "
                f"each of {self.seats} seats"
            )
        if sorted(self.sides) != list(range(self.seats)):
            raise InputError(
                f"sides {self.sides} must give each of {self.seats} seats a side of its own"
            )

    @property
    def active(self) -> tuple[int, ...]:
        """The seats still in the game, in rising order."""
        return tuple(seat for seat in range(self.seats) if not self._gone(seat))

    @property
    def side(self) -> int:
        """The side of the seat to move."""
        return self.sides[self.to_move]

    def seat_of(self, side: int) -> int:
        """The seat that plays `side`. Raises InputError for an unknown side."""
        if side not in self.sides:
            raise InputError(f"there is no side {side} in a game of {self.seats} seats")
        return self.sides.index(side)

    def clockwise(self, seat: int) -> tuple[int, ...]:
        """The other active seats, beginning with the one after `seat`."""
        self._known(seat)
        around = ((seat + step) % self.seats for step in range(1, self.seats))
        return tuple(other for other in around if not self._gone(other))

    def advance(self, again: bool = False) -> TurnManager:
        """One ply later: the next active seat clockwise is to move, or with `again` the same seat.

        If only one active seat is left, it moves again. Raises InputError if nobody is left to
        move.
        """
        stays = not self._gone(self.to_move)
        if again and not stays:
            raise InputError(f"seat {self.to_move} cannot move again: it has finished or is out")
        following = () if again else self.clockwise(self.to_move)
        if not following and not stays:
            raise InputError("nobody is left to move: every seat has finished or is out")
        return replace(self, to_move=following[0] if following else self.to_move, ply=self.ply + 1)

    def missed(self, unable: bool) -> TurnManager:
        """The seat to move misses its turn; it remains the seat to move.

        If it was `unable`, its misses in a row grow by one; a pass by choice sets them to 0.
        """
        return self._with_misses(self.to_move, self.misses[self.to_move] + 1 if unable else 0)

    def able(self, seat: int) -> TurnManager:
        """`seat` was able to move, so its misses in a row are 0 again."""
        self._known(seat)
        return self._with_misses(seat, 0)

    def finish(self, *seats: int) -> TurnManager:
        """These seats reach the goal together and rank below those before them. The seat to move
        stays the same.
        """
        return replace(self, finished=(*self.finished, self._leaving(seats)))

    def put_out(self, *seats: int) -> TurnManager:
        """These seats leave the game together, put out or resigned. The seat to move stays the
        same.
        """
        return replace(self, out=(*self.out, self._leaving(seats)))

    def swap_sides(self, one: int = 0, other: int = 1) -> TurnManager:
        """Seats `one` and `other` exchange their sides, as the pie rule asks. Nobody changes seat;
        `ply` stays the same.
        """
        self._known(one)
        self._known(other)
        sides = list(self.sides)
        sides[one], sides[other] = sides[other], sides[one]
        return replace(self, sides=tuple(sides))

    def ranks(self) -> _Groups:
        """All seats, best first: the finished, the active as one tie, then those out, the last to
        leave first.
        """
        return (*self.finished, *((self.active,) if self.active else ()), *reversed(self.out))

    def to_json(self) -> dict[str, Any]:
        """Plain values for a digest."""
        return {
            "seats": self.seats,
            "to_move": self.to_move,
            "ply": self.ply,
            "finished": [list(group) for group in self.finished],
            "out": [list(group) for group in self.out],
            "misses": list(self.misses),
            "sides": list(self.sides),
        }

    def _gone(self, seat: int) -> bool:
        return any(seat in group for group in (*self.finished, *self.out))

    def _known(self, seat: int) -> None:
        if not 0 <= seat < self.seats:
            raise InputError(
                f"there is no seat {seat} in a game of {self.seats}; seats count from 0"
            )

    def _leaving(self, seats: tuple[int, ...]) -> tuple[int, ...]:
        """The seats in rising order, if all are still in the game."""
        if not seats:
            raise InputError("no seat was named")
        for seat in seats:  # the constructor checks that the seats exist
            if self._gone(seat):
                raise InputError(f"seat {seat} has already finished or is out")
        if len(set(seats)) != len(seats):
            raise InputError(f"seats {seats} name one twice")
        return tuple(sorted(seats))

    def _with_misses(self, seat: int, count: int) -> TurnManager:
        return replace(self, misses=(*self.misses[:seat], count, *self.misses[seat + 1 :]))
