"""The over and the under side of every road: free, for whom, or taken by what."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sim.languages import Sentence
from sim.pieces import Components
from sim.referee.crossings import Blocker, Meeting, Network, Road, Side, sides
from sim.referee.faults import LETTERS, Names
from sim.referee.geometry import NEAR_WIDTHS
from sim.referee.standing import Point


@dataclass(frozen=True, slots=True)
class Taker:
    """A road that has taken a side of another: where they cross (mm), and the clear gap between the
    two sticks there (mm).
    """

    road: str
    at: Point
    mm: float

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {"road": self.road, "at": list(self.at), "mm": self.mm}


@dataclass(frozen=True, slots=True)
class SideSlot:
    """One side of a road: the seats that it can still earn a car, and the roads that have taken it.

    `within` is the distance in mm around each taker's crossing in which it counts (crossing_scope =
    point), None: all along.
    """

    side: Side
    free_for: tuple[int, ...]
    takers: tuple[Taker, ...]
    within: float | None = None

    @property
    def sentence(self) -> Sentence:
        """For example `under taken by C-R2 at (12.3, 4.0)`."""
        took = [Sentence("side-taker", taker.to_json()) for taker in self.takers]
        form = "taken-free-for" if self.free_for else "taken"
        if not self.takers:
            form = "free"
        elif self.within is not None:
            form = "near"
        values = {
            "side": self.side,
            "takers": took,
            "free_for": list(self.free_for),
            "within": self.within,
        }
        return Sentence(f"side-{form}", values)

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "side": self.side,
            "free_for": list(self.free_for),
            "takers": [taker.to_json() for taker in self.takers],
            "within": self.within,
        }


@dataclass(frozen=True, slots=True)
class Slot:
    """A road with its two sides; `why_nobody` says why it earns nobody a car (ramps_count,
    inactive_roads_count).
    """

    road: str
    owner: int
    over: SideSlot
    under: SideSlot
    why_nobody: Sentence | None = None
    names: Names = LETTERS

    @property
    def nobody(self) -> str:
        """Why it earns nobody a car, in English; empty if it can earn one."""
        return "" if self.why_nobody is None else self.why_nobody.told(names=self.names)

    @property
    def sentence(self) -> Sentence:
        """The road with both sides."""
        if self.why_nobody is not None:
            return Sentence("slot-nobody", {"road": self.road, "why": self.why_nobody})
        return Sentence(
            "slot", {"road": self.road, "over": self.over.sentence, "under": self.under.sentence}
        )

    @property
    def text(self) -> str:
        """For example `B-R3: over free, under taken by C-R2 at (12.3, 4.0)`."""
        return self.sentence.told(names=self.names)

    def to_json(self) -> dict[str, Any]:
        """As plain values, the text included."""
        both = {"over": self.over.to_json(), "under": self.under.to_json()}
        return {
            "road": self.road,
            "owner": self.owner,
            **both,
            "nobody": self.nobody,
            "text": self.text,
        }


def slots_of(network: Network, active: Sequence[int], names: Names = LETTERS) -> tuple[Slot, ...]:
    """The over and under side of every road of a network, in building order: free, for which of the
    `active` seats, or taken by what.
    """
    rules, box = network.ruleset, network.components
    taken = sides(network)
    views = {seat: taken if rules.own_roads_occlude else sides(network, seat) for seat in active}
    within = NEAR_WIDTHS * box.road_width if rules.resolved.nearby else None
    found = []
    for index, road in enumerate(network.roads):
        why = _why_nobody(network, road)
        askers = [seat for seat in active if seat != road.owner] if why is None else []

        def slot(
            side: Side, index: int = index, road: Road = road, askers: list[int] = askers
        ) -> SideSlot:
            free = tuple(
                seat for seat in askers if within is not None or not views[seat][index][side]
            )
            return SideSlot(side, free, takers_of(box, road, taken[index][side]), within)

        found.append(Slot(road.id, road.owner, slot("over"), slot("under"), why, names))
    return tuple(found)


def _why_nobody(network: Network, road: Road) -> Sentence | None:
    if not network.ruleset.ramps_count and road.is_ramp:
        return Sentence("nobody-ramp")
    if not network.ruleset.inactive_roads_count and road.owner in network.inactive:
        return Sentence("nobody-inactive", {"owner": road.owner})
    return None


def takers_of(box: Components, road: Road, blockers: Sequence[Blocker]) -> tuple[Taker, ...]:
    """The roads that lie on one side of a road, as the browser and the sentences want them."""
    return tuple(
        Taker(b.road.id, b.meeting.at, clear_gap(box, b.road, road, b.meeting)) for b in blockers
    )


def past_middle(ramp: Road, other: Road, width: float) -> float | None:
    """By how many mm a road that ends on the table within the strip of another comes out past that
    road's middle line; below zero: it ends short of it. None if it does not end there.
    """
    if ramp.pillars is None or ramp.pillars[1] is not None:
        return None
    (x, y), (u, v) = other.start, other.end
    length = math.dist(other.start, other.end)
    far, end = (
        ((u - x) * (q - y) - (v - y) * (p - x)) / length if length else math.inf
        for p, q in (ramp.start, ramp.end)
    )
    along = (u - x) * (ramp.end[0] - x) + (v - y) * (ramp.end[1] - y)
    if abs(end) > width / 2 or not 0.0 <= along <= length**2:
        return None
    return abs(end) if end * far <= 0.0 else -abs(end)


def clear_gap(box: Components, one: Road, other: Road, met: Meeting) -> float:
    """The clear gap in mm between two sticks where their middle lines cross; `one` is the road that
    meets the `other`.
    """
    lower = one if met.level < met.other else other
    run = math.dist(lower.start, lower.end)
    rise = (lower.levels[1] - lower.levels[0]) * box.disc_height
    thick = box.road_thickness * math.hypot(1.0, rise / run) if run else box.road_thickness
    return max(abs(met.level - met.other) * box.disc_height - thick, 0.0)
