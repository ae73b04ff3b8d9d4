"""Which roads a new road crosses, over or under, and how many cars that earns. It needs the lines
of the roads, their owners and the options, but no table.

Rules: FR section 6, KR section 6 and their two examples. A road is a straight underside from one
end to the other; where two cross in plan, the one with the higher underside runs above. For each
opponent's road A that the new road N crosses, N earns a car if it runs above A and no other road is
above A, or below A and no other road is below A. The options of `Ruleset` whose names start with
`crossing_`, and own_roads_occlude, own_cross_voids, ramps_count, inactive_roads_count, change that.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from sim.pieces import Components
from sim.referee.ruleset import Ruleset

Point = tuple[float, float]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
Names = npt.NDArray[np.str_]
Side = Literal["over", "under"]
Reason = Literal["free", "own", "taken", "ramp", "inactive", "voided"]

EXIT_BONUS = 1
"""Cars that an exit earns beside those of its crossings (rules 6c)."""

# crossing_scope = point: another road counts within this many road widths of the new crossing
NEAR_WIDTHS = 1.5
# the sine of the angle between two lines up to which they are parallel, and the share of a length
# that is nothing
PARALLEL = 1e-9
# in SegmentArray.pillars: an end on the table, or on a new pillar that carries no other road
UNSHARED = ""
_UNNAMED = "?"  # in SegmentArray.pillars: an end on a pillar that nobody named

_REASONS: tuple[Reason, ...] = ("free", "own", "taken", "ramp", "inactive", "voided")
_FREE, _OWN, _TAKEN, _RAMP, _INACTIVE, _VOIDED = range(len(_REASONS))


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


class SegmentArray(NamedTuple):
    """Many roads as arrays: `start`, `end` (n, 2) in mm, `levels` (n, 2) in discs, `owner` (n,),
    `ramp` (n,).

    `pillars` (n, 2) are the ids of the pillars under start and end, UNSHARED where no other road
    can rest.
    """

    start: Floats
    end: Floats
    levels: Floats
    owner: Ints
    ramp: Bools
    pillars: Names

    def take(self, index: Ints) -> SegmentArray:
        """Some of them, by index."""
        return SegmentArray(
            self.start[index],
            self.end[index],
            self.levels[index],
            self.owner[index],
            self.ramp[index],
            self.pillars[index],
        )


class Meetings(NamedTuple):
    """Where each of n new roads crosses each of m others: `meet` (n, m), `at` (n, m, 2) in mm, the
    levels (n, m) in discs.
    """

    meet: Bools
    at: Floats
    level: Floats
    other: Floats


class Judged(NamedTuple):
    """The k crossings of n new roads with m standing ones: the rows `new` and `old` (k,) of the two
    roads, ordered by both.

    `reason` (k,) indexes the values of Reason in their order; `blockers` (m, k) are the standing
    roads that have taken the wanted side of a crossing; `met` is where all roads meet.
    """

    new: Ints
    old: Ints
    reason: Ints
    blockers: Bools
    met: Meetings

    @property
    def cars(self) -> Ints:
        """The cars that each new road earns; (n,)."""
        return np.bincount(self.new[self.reason == _FREE], minlength=len(self.met.meet))

    @property
    def crosses_own(self) -> Bools:
        """Whether each new road crosses a road of its owner; (n,)."""
        return np.bincount(self.new[self.reason == _OWN], minlength=len(self.met.meet)) > 0


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
    def segments(self) -> SegmentArray:
        """The roads as arrays."""
        return segments(self.roads)

    def takers(self, viewer: int | None) -> Meetings:
        """Which road c (rows) takes a side of which road a (columns) for the seat `viewer`,
        wherever along a.
        """
        asker = None if self.ruleset.own_roads_occlude else viewer
        if asker not in self._by_viewer:
            self._by_viewer[asker] = _takers(
                self.segments, asker, self.ruleset, self.inactive, self.components
            )
        return self._by_viewer[asker]

    @cached_property
    def _by_viewer(self) -> dict[int | None, Meetings]:
        return {}


def segments(roads: Sequence[Road]) -> SegmentArray:
    """The roads as arrays."""
    n = len(roads)
    return SegmentArray(
        np.array([road.start for road in roads], dtype=np.float64).reshape(n, 2),
        np.array([road.end for road in roads], dtype=np.float64).reshape(n, 2),
        np.array([road.levels for road in roads], dtype=np.float64).reshape(n, 2),
        np.array([road.owner for road in roads], dtype=np.int64),
        np.array([road.is_ramp for road in roads], dtype=np.bool_),
        np.array([_carriers(road) for road in roads], dtype=np.str_).reshape(n, 2),
    )


def _carriers(road: Road) -> tuple[str, ...]:
    """The pillars under the two ends of a road, as in `SegmentArray.pillars`."""
    if road.pillars is not None:
        return tuple(pillar or UNSHARED for pillar in road.pillars)
    low = min(road.levels)
    return tuple(UNSHARED if road.is_ramp and level == low else _UNNAMED for level in road.levels)


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
    roads, takers = network.roads, network.takers(new_road.owner)
    judged = judge_each(segments([new_road]), network)
    found = []
    for k, index in enumerate(judged.old.tolist()):
        reason = _REASONS[int(judged.reason[k])]
        blockers = _blockers(takers, index, roads, judged.blockers[:, k])
        found.append(
            Crossing(
                roads[index], _meeting(judged.met, 0, index), reason == "free", reason, blockers
            )
        )
    return tuple(found)


def judge_each(new: SegmentArray, network: Network) -> Judged:
    """The crossing rule itself: every crossing of n new roads of one owner, each judged alone on
    the same table.
    """
    standing, rules, box = network.segments, network.ruleset, network.components
    met = meetings(new, standing, rules, box)
    i, a = np.nonzero(met.meet)
    out = np.isin(standing.owner, list(network.inactive)) & (not rules.inactive_roads_count)
    ramp = standing.ramp & (not rules.ramps_count)
    reason = np.where(
        standing.owner[a] == new.owner[i],
        _OWN,
        np.select([ramp, out], [_RAMP, _INACTIVE], _FREE)[a],
    )
    takers = network.takers(int(new.owner[0]) if len(new.owner) else None)
    over = (met.level > met.other)[i, a]
    blockers = takers.meet[:, a] & ((takers.level > takers.other)[:, a] == over) & (reason == _FREE)
    if rules.crossing_scope == "point":
        blockers &= _length(takers.at[:, a] - met.at[i, a]) <= NEAR_WIDTHS * box.road_width
    reason[blockers.any(axis=0)] = _TAKEN
    if rules.own_cross_voids:
        # FR section 6: no car may stand on a road that crosses one's own highway
        reason[np.isin(i, i[reason == _OWN]) & (reason == _FREE)] = _VOIDED
    return Judged(i, a, reason, blockers, met)


def sides(
    network: Network, viewer: int | None = None
) -> tuple[Mapping[Side, tuple[Blocker, ...]], ...]:
    """The roads that have taken the over and the under side of each road, in their order; an empty
    tuple is a side that is free along the whole road.

    With `own_roads_occlude = false` the answer depends on the player: `viewer` is the seat whose
    own roads do not count.
    """
    takers = network.takers(viewer)
    found: list[Mapping[Side, tuple[Blocker, ...]]] = []
    for index in range(len(network.roads)):
        blockers = _blockers(takers, index, network.roads, takers.meet[:, index])
        over = tuple(blocker for blocker in blockers if blocker.meeting.side == "over")
        found.append(
            {
                "over": over,
                "under": tuple(blocker for blocker in blockers if blocker.meeting.side == "under"),
            }
        )
    return tuple(found)


def meetings(
    n: SegmentArray, a: SegmentArray, ruleset: Ruleset, components: Components
) -> Meetings:
    """Where each road of `n` crosses each of `a` by the rule set's crossing test.

    Two roads of one player that share a pillar do not cross each other at all (rules 7j).
    """
    # the centre lines as n.start + t (n.end - n.start) = a.start + u (a.end - a.start)
    dn, da = (n.end - n.start)[:, None, :], (a.end - a.start)[None, :, :]
    between = a.start[None, :, :] - n.start[:, None, :]
    cross = _cross(dn, da)
    parallel = np.abs(cross) <= PARALLEL * np.hypot(dn[..., 0], dn[..., 1]) * np.hypot(
        da[..., 0], da[..., 1]
    )
    safe = np.where(parallel, 1.0, cross)
    t, u = _cross(between, da) / safe, _cross(between, dn) / safe
    if ruleset.crossing_test == "centreline":
        meet = ~parallel & (t >= 0.0) & (t <= 1.0) & (u >= 0.0) & (u <= 1.0)
    else:
        meet = ~parallel & _cut_across(n, a, components)
    at = a.start[None, :, :] + u[..., None] * da
    i, j = np.nonzero(meet & (n.owner[:, None] == a.owner[None, :]))
    if len(i):
        meet[i, j] = ~_joined(at[i, j], n, i, a, j, components.disc_diameter)
    level = n.levels[:, None, 0] + t * (n.levels[:, 1] - n.levels[:, 0])[:, None]
    other = a.levels[None, :, 0] + u * (a.levels[:, 1] - a.levels[:, 0])[None, :]
    return Meetings(meet, at, level, other)


def _cross(a: Floats, b: Floats) -> Floats:
    product: Floats = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return product


def _joined(at: Floats, n: SegmentArray, i: Ints, a: SegmentArray, j: Ints, near: float) -> Bools:
    """Whether paired roads of one owner share a pillar; see `shared_pillars`.

    An end on the table is on no pillar, and pillars with different names are two, however close
    they stand. Where a pillar has no name, two ends count as lying on one if they and the meeting
    are within `near`, a disc: two pillars do not overlap.
    """
    found = np.zeros(len(i), dtype=np.bool_)
    for one, pillar in zip((n.start[i], n.end[i]), n.pillars[i].T, strict=True):
        for other, another in zip((a.start[j], a.end[j]), a.pillars[j].T, strict=True):
            unnamed = (pillar == _UNNAMED) | (another == _UNNAMED)
            on_pillars = (pillar != UNSHARED) & (another != UNSHARED)
            apart = np.maximum(
                _length(one - other), np.maximum(_length(at - one), _length(at - other))
            )
            found |= on_pillars & np.where(unnamed, apart < near, pillar == another)
    return found


def _length(v: Floats) -> Floats:
    length: Floats = np.hypot(v[..., 0], v[..., 1])
    return length


def _cut_across(n: SegmentArray, a: SegmentArray, components: Components) -> Bools:
    """Whether the footprint of N leaves that of A in two parts: both long edges of A are cut, and
    something is left at each end.

    Each long edge of A, seen in N's frame, is clipped to N's rectangle (Liang and Barsky 1984).
    """
    half = components.road_width / 2
    n_mid, n_dir, n_half = _stick(n, components)
    a_mid, a_dir, a_half = _stick(a, components)
    n_axes = (n_dir[:, None, :], np.stack([-n_dir[:, 1], n_dir[:, 0]], axis=-1)[:, None, :])
    a_side = np.stack([-a_dir[:, 1], a_dir[:, 0]], axis=-1)
    shape = (len(n_half), len(a_half))
    cut, left_low, left_high = (
        np.ones(shape, dtype=np.bool_),
        np.zeros(shape, dtype=np.bool_),
        np.zeros(shape, dtype=np.bool_),
    )
    bounds: tuple[Floats, Floats] = (n_half[:, None], np.full((1, 1), half))
    for offset in (-half, half):
        origin = (a_mid - a_dir * a_half[:, None] + a_side * offset)[None, :, :] - n_mid[:, None, :]
        along = (a_dir * 2 * a_half[:, None])[None, :, :]
        low, high = np.zeros(shape), np.ones(shape)
        for axis, bound in zip(n_axes, bounds, strict=True):
            p, v = (origin * axis).sum(-1), (along * axis).sum(-1)
            still = np.abs(v) < 1e-12
            v = np.where(still, 1.0, v)
            one, two = (-bound - p) / v, (bound - p) / v
            inside = np.abs(p) < bound
            low = np.maximum(low, np.where(still, np.where(inside, 0.0, 2.0), np.minimum(one, two)))
            high = np.minimum(
                high, np.where(still, np.where(inside, 1.0, -1.0), np.maximum(one, two))
            )
        cut &= high - low > PARALLEL
        left_low |= low > PARALLEL
        left_high |= high < 1 - PARALLEL
    both: Bools = cut & left_low & left_high
    return both


def _stick(roads: SegmentArray, components: Components) -> tuple[Floats, Floats, Floats]:
    """The middle, direction and half length in plan of each stick: its length times the cosine of
    its slope.
    """
    along = roads.end - roads.start
    # a road without length in plan crosses nothing, but must not break the arithmetic
    span = np.maximum(_length(along), 1e-9)
    rise = (roads.levels[:, 1] - roads.levels[:, 0]) * components.disc_height
    return (
        (roads.start + roads.end) / 2,
        along / span[:, None],
        components.road_length * span / np.hypot(span, rise) / 2,
    )


def _takers(
    standing: SegmentArray,
    viewer: int | None,
    rules: Ruleset,
    inactive: Collection[int],
    box: Components,
) -> Meetings:
    """Which road c (rows) takes a side of which road a (columns) for `viewer`, wherever along a."""
    met = meetings(standing, standing, rules, box)
    return met._replace(meet=met.meet & may_take(standing, viewer, rules, inactive))


def may_take(
    standing: SegmentArray, viewer: int | None, rules: Ruleset, inactive: Collection[int]
) -> Bools:
    """Whether road c (rows) could take a side of road a (columns) for `viewer`, if it crossed it;
    (n, n).
    """
    counts = np.ones(len(standing.owner), dtype=np.bool_)
    if not rules.own_roads_occlude and viewer is not None:
        counts &= standing.owner != viewer
    if not rules.inactive_roads_count:
        counts &= ~np.isin(standing.owner, list(inactive))
    may = np.repeat(counts[:, None], len(counts), axis=1)
    # history: a road that stood before a never passed over or under it
    return np.tril(may, -1) if rules.crossing_memory == "history" else may


def _blockers(
    takers: Meetings, index: int, roads: Sequence[Road], which: Bools
) -> tuple[Blocker, ...]:
    return tuple(
        Blocker(roads[c], _meeting(takers, c, index)) for c in np.flatnonzero(which).tolist()
    )


def _meeting(met: Meetings, row: int, column: int) -> Meeting:
    x, y = met.at[row, column].tolist()
    return Meeting((x, y), float(met.level[row, column]), float(met.other[row, column]))
