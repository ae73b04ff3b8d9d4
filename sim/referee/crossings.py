"""Which roads a new road crosses, over or under, and how many cars that earns; and both sides of
each road: free, for whom, or taken by what. It needs the lines of the roads, their owners and the
options, but no table.

Rules: FR section 6, KR section 6 and their two examples. A road is a straight underside from one
end to the other; where two cross in plan, the one with the higher underside runs above. For each
opponent's road A that the new road N crosses, N earns a car if it runs above A and no other road is
above A, or below A and no other road is below A. The options of `Ruleset` whose names start with
`crossing_`, and own_roads_occlude, own_cross_voids, ramps_count, inactive_roads_count, change that.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

from sim.languages import Sentence
from sim.pieces import Components
from sim.referee import geometry
from sim.referee.geometry import FREE, NEAR_WIDTHS, OWN, TAKEN, VOIDED, hypot
from sim.referee.ruleset import Resolved, Ruleset
from sim.referee.standing import LETTERS, Names, Point

Line = tuple[float, float, float, float, float, float]
"""A road as a line of `sim.referee.geometry`."""

Side = Literal["over", "under"]
Reason = Literal["free", "own", "taken", "ramp", "inactive", "voided"]

EXIT_BONUS = 1
"""Cars that an exit earns beside those of its crossings (rules 6c)."""

# by the numbers that `sim.referee.geometry` gives them
_REASONS: tuple[Reason, ...] = ("free", "own", "taken", "ramp", "inactive", "voided")


@dataclass(frozen=True, slots=True)
class Road:
    """A road as the crossing rule sees it, a line: owner, plan positions of its ends in mm, and the
    level of its underside there in discs. The road on the table is `sim.referee.standing.LaidRoad`;
    `Table.line` makes the one from the other.

    `pillars` are the ids of the pillars under start and end, None for an end on the table. Without
    them, two roads of one player share a pillar where they meet within a disc's diameter of ends of
    both that do not lie on the table. If `ramp` (an entrance ramp or an exit) is not given, a road
    with an end on the table, or at level 0, is a ramp.
    """

    owner: int
    start: Point
    end: Point
    levels: tuple[float, float]
    id: str = ""
    ramp: bool | None = None
    pillars: tuple[str | None, str | None] | None = None

    @property
    def is_ramp(self) -> bool:
        """Whether one end lies on the table."""
        if self.ramp is not None:
            return self.ramp
        return None in self.pillars if self.pillars is not None else min(self.levels) <= 0.0


@dataclass(frozen=True, slots=True)
class Meeting:
    """The place where road N crosses road A in plan: the point in mm, and the levels of both
    undersides there in discs.
    """

    at: Point
    level: float
    other: float

    @property
    def side(self) -> Side:
        """Whether N runs over or under A."""
        return "over" if self.level > self.other else "under"


@dataclass(frozen=True, slots=True)
class Blocker:
    """A road that has taken a side of A, and where it crosses A: it blocks a new road that wants
    this side.
    """

    road: Road
    meeting: Meeting


@dataclass(frozen=True, slots=True)
class Crossing:
    """One road that the new road crosses: which, where, on which side, whether it scores, and the
    reason by name.

    `reason` is `free` (it scores), `own` (an own road), `taken` (see `blockers`), `ramp`,
    `inactive` or `voided`.
    """

    road: Road
    meeting: Meeting
    scores: bool
    reason: Reason
    blockers: tuple[Blocker, ...] = ()

    @property
    def side(self) -> Side:
        """Whether the new road runs over or under this one."""
        return self.meeting.side


@dataclass(frozen=True)
class Network:
    """The lines of the standing roads (`Table.lines`) in building order, which `crossing_memory =
    history` needs, and everything else that crossings depend on.

    `inactive` are the seats that are out or finished. `components` is the box, whose road width and
    disc size some options use. What follows from the roads alone is computed when it is first used,
    then kept.
    """

    roads: tuple[Road, ...]
    ruleset: Ruleset
    components: Components
    inactive: frozenset[int] = frozenset()

    @classmethod
    def of(
        cls,
        roads: Sequence[Road],
        ruleset: Ruleset | None = None,
        inactive: Collection[int] = (),
        components: Components | None = None,
    ) -> Network:
        """A network by the preset `standard` and the box estimate-2018 where none is given."""
        box = components or Components.named("estimate-2018")
        return cls(tuple(roads), ruleset or Ruleset.named("standard"), box, frozenset(inactive))

    @cached_property
    def rules(self) -> Resolved:
        """What the options say."""
        return self.ruleset.resolved

    @cached_property
    def _sizes(self) -> tuple[float, ...]:
        return self.components.sizes

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The roads as lines."""
        return tuple(map(line_of, self.roads))

    def met(self, road: Road, line: Line, index: int) -> Meeting | None:
        """Where a road, which is that line, crosses the standing road of that index; None where it
        does not. Two roads of one player that share a pillar do not cross each other at all (rules
        7j).
        """
        met, x, y, level, other = geometry.meeting(
            self._sizes, self.rules.outlines, line, self.lines[index]
        )
        if not met:
            return None
        old = self.roads[index]
        if road.owner == old.owner and _joined((x, y), road, old, self.components.disc_diameter):
            return None
        return Meeting((x, y), level, other)

    def takers(self, index: int, viewer: int | None = None) -> tuple[Blocker, ...]:
        """The roads that have taken a side of the standing road of that index for the seat
        `viewer`, wherever along it, in building order.
        """
        asker = None if self.rules.occlude else viewer
        if (index, asker) not in self._takers:
            self._takers[index, asker] = tuple(
                Blocker(road, met)
                for row, road in enumerate(self.roads)
                if row != index
                and self.may_take(row, index, asker)
                and (met := self.met(road, self.lines[row], index)) is not None
            )
        return self._takers[index, asker]

    @cached_property
    def _takers(self) -> dict[tuple[int, int | None], tuple[Blocker, ...]]:
        return {}

    def earns(self, index: int, seat: int) -> bool:
        """Whether a seat could earn a car by crossing the standing road of that index."""
        return self.standing(index, seat) == FREE

    def standing(self, index: int, seat: int) -> int:
        """What the standing road of that index is to a seat; see `geometry.standing_of`."""
        road, rules = self.roads[index], self.rules
        inactive = road.owner in self.inactive
        return geometry.standing_of(
            road.owner == seat, road.is_ramp, inactive, rules.ramps, rules.inactive
        )

    def may_take(self, row: int, index: int, viewer: int | None) -> bool:
        """Whether the road in `row` could take a side of that of `index` for a viewer, if it
        crossed it.
        """
        rules, owner = self.rules, self.roads[row].owner
        return geometry.may_take(
            row > index,
            owner == viewer,
            owner in self.inactive,
            rules.history,
            rules.occlude,
            rules.inactive,
        )


def line_of(road: Road) -> Line:
    """A road as a line."""
    return (*road.start, *road.end, *road.levels)


def cars_earned(
    new_road: Road,
    roads: Sequence[Road],
    ruleset: Ruleset | None = None,
    *,
    inactive: Collection[int] = (),
    components: Components | None = None,
) -> int:
    """How many cars the crossings of `new_road` earn, without an exit's bonus car. The arguments
    are those of Network.

    Two roads of one player on one pillar do not cross each other. Roads with `pillars` share one if
    they name the same. A road without them shares a pillar with another of its player where the two
    meet within a disc's diameter of an end of each; an end on the table is on no pillar.
    """
    network = Network.of(roads, ruleset, inactive, components)
    return sum(crossing.scores for crossing in judge(new_road, network))


def judge(new_road: Road, network: Network) -> tuple[Crossing, ...]:
    """Every standing road that `new_road` crosses, in building order, with the verdict on each and
    its reason.
    """
    line, rules, found = line_of(new_road), network.rules, []
    reach = NEAR_WIDTHS * network.components.road_width  # with crossing_scope = point
    for index, road in enumerate(network.roads):
        met = network.met(new_road, line, index)
        if met is None:
            continue
        reason = network.standing(index, new_road.owner)
        blockers: tuple[Blocker, ...] = ()
        if reason == FREE:
            blockers = tuple(
                one
                for one in network.takers(index, new_road.owner)
                if one.meeting.side == met.side
                and (not rules.nearby or _apart(one.meeting.at, met.at) <= reach)
            )
            reason = TAKEN if blockers else FREE
        found.append((road, met, reason, blockers))
    # FR section 6: with own_cross_voids no car may stand on a road that crosses one's own highway
    voids = rules.voids and any(reason == OWN for _, _, reason, _ in found)
    free = VOIDED if voids else FREE
    return tuple(
        Crossing(road, met, reason == free == FREE, _REASONS[reason or free], blockers)
        for road, met, reason, blockers in found
    )


def sides(
    network: Network, viewer: int | None = None
) -> tuple[Mapping[Side, tuple[Blocker, ...]], ...]:
    """The roads that have taken the over and the under side of each road, in their order; an empty
    tuple is a side that is free along the whole road.

    With `own_roads_occlude = false` the answer depends on the player: `viewer` is the seat whose
    own roads do not count.
    """
    return tuple(
        {
            "over": tuple(one for one in takers if one.meeting.side == "over"),
            "under": tuple(one for one in takers if one.meeting.side == "under"),
        }
        for takers in (network.takers(index, viewer) for index in range(len(network.roads)))
    )


def _joined(at: Point, n: Road, a: Road, near: float) -> bool:
    """Whether two roads of one owner that meet at a point share a pillar.

    An end on the table is on no pillar, and pillars with different names are two, however close
    they stand. Where a pillar has no name, two ends count as lying on one if they and the meeting
    are within `near`, a disc: two pillars do not overlap.
    """
    for one, pillar in zip((n.start, n.end), _carriers(n), strict=True):
        for other, another in zip((a.start, a.end), _carriers(a), strict=True):
            if pillar == _NONE or another == _NONE:
                continue
            if pillar != _UNNAMED and another != _UNNAMED:
                if pillar == another:
                    return True
            elif max(_apart(one, other), _apart(at, one), _apart(at, other)) < near:
                return True
    return False


_NONE = ""  # an end on the table, or on a new pillar that carries no other road
_UNNAMED = "?"  # an end on a pillar that nobody named


def _carriers(road: Road) -> tuple[str, ...]:
    """The pillars under the two ends of a road."""
    if road.pillars is not None:
        return tuple(pillar or _NONE for pillar in road.pillars)
    low = min(road.levels)
    return tuple(_NONE if road.is_ramp and level == low else _UNNAMED for level in road.levels)


def _apart(one: Point, other: Point) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


# --- the sides of each road -----------------------------------------------------------------------


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
        if not self.takers or self.within is not None:
            form = "near" if self.takers else "free"
        return Sentence(f"side-{form}", {**self.to_json(), "takers": took})

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
        over, under = (
            SideSlot(
                side,
                tuple(s for s in askers if within is not None or not views[s][index][side]),
                takers_of(box, road, taken[index][side]),
                within,
            )
            for side in get_args(Side)
        )
        found.append(Slot(road.id, road.owner, over, under, why, names))
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
