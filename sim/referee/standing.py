"""What stands on a table: pillars, roads, cars and buildings as they were meant, and their owners
by id.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

__all__ = [
    "Car",
    "LaidRoad",
    "Pillar",
    "PlacedBuilding",
    "buildings_among",
    "letter",
    "seat_of",
    "shared_pillars",
]

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Pillar:
    """A stack of discs at a place in plan (mm); `discs` counts the yellow one on top of a junction;
    `turn` says when it was built.
    """

    id: str
    owner: int
    at: Point
    discs: int
    junction: bool = False
    turn: int = -1

    @property
    def disc_ids(self) -> tuple[str, ...]:
        """From the bottom up."""
        return tuple(f"{self.id}.{n + 1}" for n in range(self.discs))


@dataclass(frozen=True, slots=True)
class LaidRoad:
    """A road on the table: from `start` (at pillar `base`) to `end` (at pillar `target`, or on the
    table where that is None).

    `start` and `end` are the plan points that the underside is drawn between, in mm: pillar axes
    plus offsets, or the middle of the end that touches the table. `levels` are their heights in
    discs. `slide` shifts the stick along itself. An entrance ramp starts at its pillar too.
    """

    id: str
    owner: int
    kind: Literal["entrance", "road", "exit"]
    base: str
    target: str | None
    start: Point
    end: Point
    levels: tuple[int, int]
    slide: float = 0.0

    @property
    def pillars(self) -> tuple[str, ...]:
        """The pillars that carry it."""
        return (self.base,) if self.target is None else (self.base, self.target)


@dataclass(frozen=True, slots=True)
class Car:
    """A car on a road: `along` 0 at the road's start, 1 at its end; `side` in mm to the left of the
    centre line.
    """

    id: str
    owner: int
    road: str
    along: float
    side: float = 0.0


@dataclass(frozen=True, slots=True)
class PlacedBuilding:
    """A building: its kind, its place in mm, its turn in degrees, and the seat that set it (None in
    a layout).
    """

    id: str
    kind: str
    at: Point
    turn: float
    by: int | None = None


def shared_pillars(one: Iterable[str | None], other: Iterable[str | None]) -> tuple[str, ...]:
    """The pillars that carry both of two roads, given the ids of the pillars under each (None: an
    end on the table).

    This alone says whether two roads share a pillar (rules 4d, 7j), wherever their ends came to lie
    on it.
    """
    there = set(other)
    return tuple(pillar for pillar in one if pillar is not None and pillar in there)


def letter(seat: int) -> str:
    """The letter that the ids of a seat's pieces begin with: A for seat 0."""
    return "ABCD"[seat]


def seat_of(piece: str) -> int | None:
    """The seat that owns a piece, by its id; None for a building."""
    return "ABCD".index(piece[0]) if piece[0] in "ABCD" else None


def buildings_among(pieces: Iterable[str]) -> list[str]:
    """Those of the pieces, by id, that are buildings."""
    return [piece for piece in pieces if piece.startswith("X")]
